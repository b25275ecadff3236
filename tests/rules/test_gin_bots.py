"""The bots of Gin Rummy: what each does in positions where it is said to, and how strong they are."""

from __future__ import annotations

import numpy as np
import pytest

import cardenvs
from cardenvs.arena import evaluate

OTHER = "2c 4c 6c 8c Tc 3d 5d Qd 9h Ks"


def choices(table, name, seeds=range(1)):
    """The texts of what a bot does, whatever the order of its chance."""
    u = table.u
    seen = u.observe(u.agent_selection)
    row = np.rint(seen["observation"] / u.game.observation.scale).astype(np.int16)
    bots = (cardenvs.make_bot(u.game, name, seed) for seed in seeds)
    return {u.action_name(int(bot.act(row[None], seen["action_mask"][None])[0])) for bot in bots}


@pytest.mark.parametrize(
    ("up", "takes"),
    [
        # Ace for jack lowers the deadwood and no more; 4h makes a run, 7d a set, Kd nothing.
        ("As", {"simple": False, "gold": True}),
        ("4h", {"simple": True, "gold": True, "greedy": True, "expert": True}),
        ("7d", {"simple": True, "gold": True, "greedy": True, "expert": True}),
        ("Kd", {"simple": False, "gold": False, "greedy": False, "expert": False}),
    ],
)
def test_when_the_upcard_is_taken(gin, up, takes):
    """`simple` for a meld alone; `gold` for less deadwood; all of them for a meld."""
    table = gin(["5h 6h 7c 7s Tc Jd 2c Qs 9d 3s", "4c 6c 8c Ah Ac 3d 5d Qd 9h Ks"], up=up)
    for name, wants in takes.items():
        assert choices(table, name) == {"draw_top" if wants else "pass"}, name


def test_simple_discards_any_of_the_least_and_not_what_it_took(gin):
    """Of kings and queens any, at random; but not the jack that it took, though that leaves no more."""
    table = gin(["5h 6h 7h Kc Kd Qh Qs 2s As Ah", OTHER], up="4h", stock="9s").play("draw_top")
    assert choices(table, "simple", range(60)) == {f"discard {card}" for card in ("Kc", "Kd", "Qh", "Qs")}
    table = gin(["5h 6h 7h Kc Kd Qh Qs 2s As Ah", OTHER], up="Js", stock="9s").play("draw_top")
    assert choices(table, "simple", range(60)) == {f"discard {card}" for card in ("Kc", "Kd", "Qh", "Qs")}


def test_greedy_keeps_what_may_still_be_a_meld(gin):
    """A lone queen goes, not a king of a pair, nor the ten and jack that are in sequence."""
    table = gin(["5h 6h 7h Kc Kd Qs Th Jh 2s Ac", OTHER.replace("Ks", "9s")], up="As").play("draw_top")
    assert choices(table, "greedy") == {"discard Qs"}


def test_expert_does_not_give_the_other_what_it_collects(gin):
    """Seat 1 took 9d from the pile: 9s stays in hand though it counts a point more than 8c."""
    table = gin(["Ac 2c 3c 5h 6h 7h 2h 2s 9d 9s", "Tc 2d 4d 6s Qd Qc Jc 4s Ks 7d"], up="Qh", stock="8c Ah")
    table.play("pass", "pass", "draw_stock", "discard 9d", "draw_top", "discard Qd", "draw_stock")
    assert choices(table, "greedy") == {"discard 9s"}
    assert choices(table, "expert") == {"discard 8c"}


def test_expert_waits_where_the_others_knock(gin):
    """Late in a round, with little left; the others knock as soon as they may. With gin it does not wait."""
    table = gin(["3c 4c 5c 9c 9d 9h 9s Ah 2h 2s", OTHER.replace("4c", "4s").replace("9h", "8d")], up="Kh")
    table.play("pass", "pass")
    for _ in range(14):
        drawn = table.view["stock"][0]
        table.play("draw_stock", f"discard {drawn}")
    drawn = table.view["stock"][0]
    table.play("draw_stock")
    assert table.offers("knock")
    for name in ("simple", "gold", "greedy"):
        assert choices(table, name).pop().startswith("knock")
    assert choices(table, "expert").pop().startswith("discard")


@pytest.mark.parametrize("name", ["simple", "gold", "greedy", "expert"])
def test_gin_is_knocked_with_at_once(gin, name):
    """By all of them."""
    table = gin(["3c 4c 5c 9c 9d 9h 9s Ah 2h 3h", OTHER.replace("4c", "4s").replace("9h", "8d")], up="Kh", stock="Qh")
    assert choices(table.play("pass", "pass", "draw_stock"), name) == {"knock Qh"}


@pytest.mark.parametrize(
    ("better", "worse"),
    [("simple", "random"), ("gold", "random"), ("greedy", "simple"), ("greedy", "gold"), ("expert", "greedy")],
)
def test_each_bot_beats_those_before_it(better, worse):
    """By points a round, and in matches to 100: intervals over duplicate deals."""
    for match, deals in ((False, 2000), (True, 400)):
        game = cardenvs.make_game("gin_rummy_v0", match=match)
        result = evaluate(game, [cardenvs.make_bot(game, better), cardenvs.make_bot(game, worse)], deals, seed=11)
        assert result.margin[0].low > 0, match
        assert not match or result.win_rate[0].low > 0.5
