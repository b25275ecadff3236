"""Compiled Canasta against a naive engine, decision by decision: what is legal, what it does, what is shown."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from canasta_states import PACK, lay_out

from suites import canasta_rows
from suites.canasta_reference import RANKS, WILDS, Reference, sound
from suites.common import Choose, eager, legal, live, raw_env, uniform
from suites.memory import Memory
from suites.rows import differences

PLAYERS = range(2, 7)
KINDS = {
    "draw_stock", "take_pile pair", "take_pile two", "take_pile joker", "take_pile meld",
    "place natural", "place 2", "place JK", "red_three", "black_threes", "discard",
}  # fmt: skip


def kind(name: str) -> str:
    verb, *words = name.split()
    return f"{verb} {words[-1]}" if verb in ("take_pile", "place") else verb


def follow(env: Any, choose: Choose, look: int) -> Counter[str]:
    """Play a round beside the naive engine; every `look`-th decision the rows of all seats are checked too."""
    view = env.view()
    reference, memory = Reference(env.game.options, view), Memory(view)
    kinds: Counter[str] = Counter()
    done: list[str] = []
    while live(env):
        actions = legal(env)
        names, expected = {env.action_name(action) for action in actions}, reference.legal()
        assert names == expected, f"too many {names - expected}, missing {expected - names} after {done[-8:]}; {view}"
        if len(done) % look == 0:
            for seat, agent in enumerate(env.agents):
                wrong = differences(env, canasta_rows.expected(view, memory, seat), agent)
                assert not wrong, f"{agent} after {done[-8:]}"
        name = env.action_name(choose(env, actions))
        done.append(name)
        kinds[kind(name)] += 1
        env.step(env.action_id(name))
        before, view = view, env.view()
        reference.apply(name)
        memory.step(before, name, view)
        assert not reference.differences(view), f"after {done[-8:]}"
    assert reference.ended == view["ended"]
    return kinds


def rounds(players: int) -> list[tuple[dict[str, Any], Choose]]:
    """Full stocks and scarce ones, small hands and large ones, partners and not, eager players and careless ones."""
    most = (108 - 2 - players) // players
    kinds: list[tuple[dict[str, Any], Choose]] = [
        ({}, eager(1, 0.9)),
        ({}, eager(2, 0.6, thirst=0.1)),
        ({"max_turns": 10}, uniform(3)),
        ({"hand_size": 4, "canastas": 1}, eager(4, 0.9, thirst=0.1)),
        ({"hand_size": most, "canastas": 1}, eager(5, 0.95)),
        ({"hand_size": min(20, most), "canastas": 1}, eager(6, 0.9, thirst=0.2)),
        ({"hand_size": 1}, eager(7, 0.9, thirst=0.2)),
    ]
    if players == 4:
        kinds += [({"partnerships": False}, eager(8, 0.9)), ({"partnerships": False, "hand_size": 20}, eager(9, 0.9))]
    return kinds


@pytest.mark.parametrize("players", PLAYERS)
def test_every_decision_is_as_in_the_naive_engine(players: int) -> None:
    for number, (options, choose) in enumerate(rounds(players)):
        env = raw_env("canasta_v0", num_players=players, **options)
        for deal in range(2):
            env.reset(seed=100 * number + deal)
            follow(env, choose, look=15)


def late_position(env: Any, rng: random.Random) -> Any:
    """A table with canastas or nearly so, small hands rich in threes and wilds, and now and then hardly a stock."""
    cards = [*PACK]
    rng.shuffle(cards)
    left = Counter(cards)

    def some(wanted: list[str]) -> list[str]:
        taken = list((Counter(wanted) & left).elements())
        left.subtract(taken)
        return taken

    melds = []
    for _ in range(env.game.num_sides):
        ranks = rng.sample(RANKS, 3 if env.game.num_sides < 4 else 1)
        melds.append([meld for rank in ranks if (meld := late_meld(rank, some, rng))])
    ranks = [meld.split()[0] for laid in melds for meld in laid]
    likely = [*ranks, *ranks, *WILDS, "3b", "3b", "3b", "3b", "3r", *RANKS]
    hands = [" ".join(some(rng.choices(likely, k=rng.randint(1, 5)))) for _ in range(env.game.num_players)]
    if rng.random() < 0.3:
        hands[0] = " ".join(some(["3b"] * 4) + some(rng.choices(likely, k=rng.randint(0, 1))))
    pile = some(rng.choices([*RANKS, *RANKS, "3b", "3r"], k=rng.randint(0, 3)))
    beside = some(rng.choices(WILDS, k=rng.choice([0, 0, 0, 1, 2])))
    if rng.random() < 0.5:
        # What takes the pile, perhaps.
        top = rng.choice([rank for rank in RANKS if rank not in ranks])
        pile += some([top])
        hands[0] = " ".join([*some([top, rng.choice(["2", "JK", "JK", top])]), *hands[0].split()[:3]])
    unseen = [*left.elements()]
    stock = some(rng.sample(unseen, min(len(unseen), rng.choice([1, 2, 3, 20]))))
    if not all(hands) or not stock:
        return late_position(env, rng)
    return lay_out(env, hands, melds, " ".join(pile), " ".join(beside), " ".join(stock))


def late_meld(rank: str, some: Callable[[list[str]], list[str]], rng: random.Random) -> str:
    laid = some([rank] * rng.randint(3, 7))
    more = some(rng.choices(WILDS, k=rng.randint(0, 3)))
    while more and (not sound(laid + more) or len(laid + more) > 7):
        more.pop()
    return " ".join(laid + more) if len(laid) >= 2 and len(laid + more) >= 3 else ""


@pytest.mark.parametrize("players", PLAYERS)
def test_the_end_of_a_round_is_as_in_the_naive_engine(players: int) -> None:
    """K9, K11, K12, K13: where hands come down to their last cards."""
    rng, kinds = random.Random(players), Counter()
    for number in range(250):
        env = raw_env("canasta_v0", num_players=players, canastas=rng.choice([1, 1, 2]), max_turns=20)
        env.reset(seed=number)
        kinds += follow(late_position(env, rng), eager(number, 0.9, thirst=0.15), look=5)
    assert set(kinds) == KINDS, "every kind of action has been played"
