"""R3, R9, C5, C14: points of cards, whole scored rounds, and what they pay (score margin, or win and loss)."""

from __future__ import annotations

import pytest

# R3, R9: Rummy ------------------------------------------------------------------------------------------------------

RUMMY_TABLE = [("A", 1), *((str(n), n) for n in range(2, 10)), ("T", 10), ("J", 10), ("Q", 10), ("K", 10)]


@pytest.mark.parametrize(("rank", "points"), RUMMY_TABLE)
@pytest.mark.parametrize("suit", "cdhs")
def test_r3_points_of_every_card(rummy, rank, points, suit):
    """R3: ace one, face cards ten, others their number; the card is all that seat 1 has when the round is stopped."""
    own, up, drawn = [card for card in ("2c", "3d", "4h", "5s", "6c") if card != rank + suit][:3]
    table = rummy([own, rank + suit], up=up, stock=drawn, max_turns=1)
    table.play("draw_stock", f"discard {drawn}", "draw_top", f"discard {drawn}")
    assert table.hand(1) == [rank + suit]
    assert table.view["scores"][1] == -points


def test_r9_a_round_of_two(rummy):
    """R9: 2s 4h Kd Ah 9c Jd are 2 + 4 + 10 + 1 + 9 + 10 = 36 against their holder."""
    table = rummy(["7c 7d 7h 5s 6s 8s", "2s 4h Kd Ah 9c Jd"], up="9s", stock="7s 3c Qh").play("draw_stock")
    table.lay_run("5s").play("discard 8s", "pass", "draw_stock", "discard 3c", "draw_stock")
    table.lay_set("7", "cdh").play("discard Qh")
    assert (table.ended, table.view["out"]) == ("terminated", 0)
    assert table.view["scores"] == [0, -36]
    assert table.rewards == pytest.approx([36 / 50, -36 / 50])


def test_r9_a_round_of_three(rummy):
    """R9: seat 1 goes out; 8d Qc Kc are 28 and 3h 3s As are 7.

    Margins: -28 - (0 - 7) / 2 = -24.5; 0 - (-28 - 7) / 2 = 17.5; -7 - (-28 + 0) / 2 = 7.
    """
    table = rummy(["8d Qc Kc", "4c 5c 6c", "3h 3s As"], up="9s", stock="2d Jh").play("draw_stock", "discard 2d")
    table.play("draw_stock").lay_run("4c").play("discard Jh")
    assert table.view["winners"] == [1]
    assert table.view["scores"] == [-28, 0, -7]
    assert table.rewards == pytest.approx([-24.5 / 50, 17.5 / 50, 7 / 50])


def test_r9_claimed_cards_count_against_their_holder(rummy):
    """R9, R7: seat 1 took 8h, and is left with 2s 4c 8h Qh Kd, which are 2 + 4 + 8 + 10 + 10 = 34."""
    table = rummy(["5h 6h 7h 8h", "2s 4c Kd Jc"], up="9s", stock="Ah Qh 4h").play("draw_stock").lay_run("5h")
    table.play("discard 8h", "claim", "draw_stock", "discard Jc", "draw_stock", "lay_off_run 4h below", "discard Ah")
    assert table.hand(1) == ["2s", "4c", "8h", "Kd", "Qh"]
    assert table.view["scores"] == [0, -34]
    assert table.rewards == pytest.approx([0.68, -0.68])


def test_r9_cards_on_the_table_do_not_count(rummy):
    """R9: seat 1 has laid 5h 6h 7h and has a three left: three points against it."""
    table = rummy(["Qc Qd Qh 2c", "5h 6h 7h 3d"], up="9s", stock="Ks 8c Qs").play("draw_stock").lay_set("Q", "cdh")
    table.play("discard Ks", "draw_stock").lay_run("5h").play("discard 8c")
    table.play("draw_stock", "lay_off_set Qs", "discard 2c")
    assert table.view["scores"] == [0, -3]
    assert table.rewards == pytest.approx([0.06, -0.06])


@pytest.mark.parametrize(("seats", "loss"), [(2, -1), (3, -1 / 2), (4, -1 / 3), (6, -1 / 5)])
def test_r9_reward_win_in_rummy(rummy, seats, loss):
    """R8, R9: `reward="win"` pays +1 to who went out and -1 / (n - 1) to each other, whatever they hold."""
    hands = ["7c 7d 7h", "2s 4h Kd", "Ac 2d 3h", "Th Jh 9c", "5c 6c 8d", "Ks Kh Qs"][:seats]
    table = rummy(hands, up="9s", stock="Ah", reward="win").play("draw_stock").lay_set("7", "cdh").play("discard Ah")
    assert table.rewards == pytest.approx([1] + [loss] * (seats - 1))


# C5, C14: Cachons ---------------------------------------------------------------------------------------------------

CACHONS_TABLE = [
    ("3c 3d 3h 3s", 5),
    ("4c 4d 4h 4s", 5),
    ("5c 5d 5h 5s", 5),
    ("6c 6d 6h 6s", 5),
    ("7c 7d 7h 7s", 5),
    ("8c 8d 8h 8s", 10),
    ("9c 9d 9h 9s", 10),
    ("Tc Td Th Ts", 10),
    ("Jc Jd Jh Js", 10),
    ("Qc Qd Qh Qs", 10),
    ("Kc Kd Kh Ks", 10),
    ("Ac Ad Ah As", 20),
    ("2", 20),
    ("JK", 50),
]


def stopped(cachons, card, **options):
    """Points of a card that seat 1 is left with when the round is stopped after a turn each."""
    table = cachons(["4c", card], up="6s", stock="8h", max_turns=1, **options)
    table.play("draw_stock", "discard 8h", "draw_top", "discard 8h")
    assert table.hand(1) == [card]
    return -table.view["scores"][1]


@pytest.mark.parametrize(("cards", "points"), CACHONS_TABLE)
def test_c5_points_of_every_card(cachons, cards, points):
    """C5: Canasta's table."""
    for card in cards.split():
        assert stopped(cachons, card) == points


def test_c5_card_points_may_be_given_in_part(cachons):
    """C5: the keys that are not given keep their points."""
    table = {"JK": 30, "3-7": 1}
    assert {card: stopped(cachons, card, card_points=table) for card in ("JK", "2", "Ad", "Kd", "8d", "7d", "3d")} == {
        "JK": 30,
        "2": 20,
        "Ad": 20,
        "Kd": 10,
        "8d": 10,
        "7d": 1,
        "3d": 1,
    }


def test_c5_card_points_all_given(cachons):
    """C5: each key moves its own cards only."""
    table = {"3-7": 1, "8-K": 2, "A": 3, "2": 4, "JK": 5}
    given = {card: stopped(cachons, card, card_points=table) for card in "3s 7s 8s Ks As 2 JK".split()}
    assert given == {"3s": 1, "7s": 1, "8s": 2, "Ks": 2, "As": 3, "2": 4, "JK": 5}


@pytest.mark.parametrize("wrong", [{"3-8": 5}, {"JK": -1}, {"A": 101}, {"A": 1.5}, {"A": True}, [5, 10], 5, None])
def test_c5_wrong_card_points_are_refused(shuffled, wrong):
    """C5: with a message that names the option."""
    with pytest.raises(ValueError, match="card_points"):
        shuffled("cachons_v0", card_points=wrong)


def test_c14_a_round_of_two(cachons):
    """C14: JK 2 As Kd 8c 5h are 50 + 20 + 20 + 10 + 10 + 5 = 115."""
    table = cachons(["3h 4h 5h 6h 7h 8h", "JK 2 As Kd 8c 5h"], up="Jd", stock="9s").play("draw_stock")
    table.lay_run("3h", "natural " * 5).play("lay_off_run 8h above", "discard 9s")
    assert (table.ended, table.view["out"], table.view["winners"]) == ("terminated", 0, [0])
    assert table.view["scores"] == [0, -115]
    assert table.rewards == pytest.approx([1.15, -1.15])


def test_c14_a_round_of_four(cachons):
    """C14: seat 2 goes out; seat 0, which has opened, holds Td Ah Kh: 40; seat 1 eight low cards: 40; seat 3 has
    50 for the joker, 10 for each of 9h 9h Tc and 5 for each of 7c 3s 4h 7c: 100.

    Margins: -40 - (-40 + 0 - 100) / 3 = 20 / 3, twice; 0 - (-180) / 3 = 60; -100 - (-80) / 3 = -220 / 3.
    """
    hands = ["3d 4d 5d 6d 7d Td Ah Kh", "3c 3c 4c 4s 5s 5c 6c 6s", "8s 9s Ts Js Qs Ks 8d 9d", "JK 9h 9h Tc 7c 3s 4h 7c"]
    table = cachons(hands, up="Jd", stock="Qh Kc Jh Qd").play("draw_stock").lay_run("3d", "natural " * 5)
    table.play("discard Qh", "draw_stock", "discard Kc", "draw_stock").lay_run("8s", "natural " * 5)
    table.play("lay_off_run Ks above", "lay_off_run 8d above", "discard Jh", "draw_stock", "discard Qd")
    assert table.view["opened"] == [True, False, True, False]
    table.play("draw_top", "discard Qd", "draw_top", "discard Qd", "draw_top", "lay_off_run 9d above", "discard Qd")
    assert table.ended == "terminated"
    assert table.view["winners"] == [2]
    assert table.view["scores"] == [-40, -40, 0, -100]
    assert table.rewards == pytest.approx([0.2 / 3, 0.2 / 3, 0.6, -2.2 / 3])


@pytest.mark.parametrize(("seats", "loss"), [(2, -1), (3, -1 / 2), (5, -1 / 4), (8, -1 / 7)])
def test_c13_reward_win_in_cachons(cachons, seats, loss):
    """C13: `reward="win"` pays +1 to who went out and -1 / (n - 1) to each other."""
    hands = ["3h 4h 5h 6h 7h", "JK 2 As Kd 8c", *["9c 9d Js Qd Kc", "3c 4d 6s Tc Jd", "5c 6c 7d 8d 9s"] * 2][:seats]
    table = cachons(hands, up="Qh", stock="9h", reward="win").play("draw_stock")
    table.lay_run("3h", "natural " * 5).play("discard 9h")
    assert table.rewards == pytest.approx([1] + [loss] * (seats - 1))


def test_reward_is_score_by_default(shuffled):
    """A round pays the margin of scores unless told otherwise; other words are refused."""
    for id in ("rummy_v0", "cachons_v0"):
        assert shuffled(id).u.game.options["reward"] == "score"
        with pytest.raises(ValueError, match=r"reward='points'.*'score', 'win'"):
            shuffled(id, reward="points")


def test_rewards_are_paid_only_when_a_round_ends(cachons):
    """No step before the last one pays anything."""
    table = cachons(["3h 4h 5h 6h 7h", "JK 2 As Kd 8c"], up="Jd", stock="9s")
    for name in ("draw_stock", "run 3h", *["fill natural"] * 5):
        table.play(name)
        assert table.rewards == [0, 0]
    table.play("discard 9s")
    assert table.rewards == pytest.approx([1.10, -1.10])
