"""Gin Rummy against OpenSpiel's `gin_rummy`: the same decks and decisions, compared at every decision.

What differs is a `side_by_side.Difference`; a round that differs in anything else fails. Ours follows J1-J8 in all of
them, where OpenSpiel has limits of its own. Two are not seen in the moves. After a knock OpenSpiel's observation shows
the knocker the hand that may lay off (`ToObservationStruct`); here nobody decides anything after a knock. And on one
end of a run it lets nobody lay off more than two cards (`AllLayoffs`), which changes nothing: three are a run.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import pytest
from by_trying import PACK, deck_of
from openspiel_players import bot, greets_the_pile
from side_by_side import BothGames, Choose, Difference, environment, play_both

pytestmark = pytest.mark.outside

OPTIONS: list[dict[str, Any]] = [
    {},
    {"knock_card": 0},
    {"knock_card": 5, "gin_bonus": 20, "undercut_bonus": 10},
    {"knock_card": 9, "gin_bonus": 1, "undercut_bonus": 100},
    {"oklahoma": True},
    {"oklahoma": True, "gin_bonus": 50, "undercut_bonus": 5},
]


def decks(seed: int) -> Iterator[list[str]]:
    """Shuffled packs without end."""
    rng = random.Random(seed)
    while True:
        deck = list(PACK)
        rng.shuffle(deck)
        yield deck


def line_ups(seed: int) -> list[tuple[Choose, Choose]]:
    """Every pair of players at both seats; those who end few rounds meet each other, and a greedy one."""
    players = [
        *(bot(name, seed) for name in environment().game.bots),
        bot("greedy", seed + 1, shy=0.8),
        bot("greedy", seed + 2, noise=0.3, shy=0.3),
    ]
    greedy, at_once, back_again = players[-1], greets_the_pile(seed + 3, loyalty=0.0), greets_the_pile(seed + 4)
    pairs = [
        *combinations_with_replacement(players, 2),
        (greedy, at_once),
        (greedy, back_again),
        (at_once, at_once),
        (at_once, back_again),
    ]
    return [pair for first, second in pairs for pair in ((first, second), (second, first))]


def compare(rounds: int, seed: int) -> tuple[Counter[str | None], Counter[Difference]]:
    """How so many rounds ended, by all players and under all options in turn, and what differed in them."""
    ends: Counter[str | None] = Counter()
    differences: Counter[Difference] = Counter()
    pairs = line_ups(seed)
    for number, deck in zip(range(rounds), decks(seed), strict=False):
        both = play_both(deck, pairs[number % len(pairs)], **OPTIONS[number // len(pairs) % len(OPTIONS)])
        ends[both.seen["ended"]] += 1
        differences += both.differences
    print(f"{rounds} rounds: ended {dict(ends)}; differed { ({kind.name: n for kind, n in differences.items()}) }")
    return ends, differences


def test_the_same_rounds() -> None:
    """J1-J7: the same legal actions, cards and deadwood at every decision, the same winners and points."""
    ends, _ = compare(rounds=400, seed=1)
    assert min(ends[end] for end in ("knock", "gin", "void")) >= 10


@pytest.mark.slow
def test_the_same_ten_thousand_rounds() -> None:
    """J1-J7: as above; every known difference occurs."""
    ends, differences = compare(rounds=13_000, seed=2)
    assert sum(ends[end] for end in ("knock", "gin", "void")) >= 10_000
    assert set(differences) == set(Difference)


# The known differences, each on a deck of its own --------------------------------------------------------------------


def offered_knocks(both: BothGames) -> set[str]:
    """Our legal knocks, whether or not OpenSpiel has them."""
    legal = {both.game.action_name(action) for action in both.mask.nonzero()[0]}
    return {name for name in legal if name.startswith("knock")}


def play(deck: list[str], *names: str, **options: Any) -> BothGames:
    both = BothGames(deck, **options)
    for name in names:
        both.play(name)
    return both


THREES_AND_FACES = "3c 4c 5c 9c 9d 9h Jc Qc Kc Ah"
"""Nine cards in three melds, and an ace."""


def test_a_knock_at_the_wall_is_theirs_alone() -> None:
    """J7: seat 1 could knock with the ace; two cards are left, and the round is void."""
    both = BothGames(deck_of(["2c 6c 8c 2d 4d 6d 8d Td Qd Ks", THREES_AND_FACES], "Kh"))
    for _ in range(2):
        both.play("pass")
    while not both.over:
        drawn = both.seen["stock"][0]
        both.play("draw_stock")
        both.play(f"discard {drawn}")
    assert both.seen["ended"] == "void"
    assert both.seen["turns"] == 29
    assert both.differences == {Difference.WALL_KNOCK: 1}


def test_equal_deadwood_is_an_undercut() -> None:
    """J6: the ace, the two and the four of hearts against a seven: seat 1 wins the bonus, in OpenSpiel nothing."""
    hands = ["3c 4c 5c 9c 9d 9h 9s Ah 2h 4h", "Jd Jh Js Qd Qh Qs Kd Kh Ks 7s"]
    both = play(deck_of(hands, "8d"), "draw_top", "knock 8d", undercut_bonus=15)
    assert both.seen["round_scores"] == [0, 15]
    assert both.state.returns() == [0, 0]
    assert both.differences == {Difference.EQUAL: 1}


def test_the_top_may_be_put_back_for_ever() -> None:
    """G4: both put back what they took; OpenSpiel's hand is a draw, ours goes on."""
    both = BothGames(deck_of(["2c 6c 8c 2d 4d 6d 8d Td Qd Ks", THREES_AND_FACES], "Kh"))
    for name in ("draw_top", "discard Kh", "draw_top", "discard Kh"):
        both.play(name)
    assert both.over
    assert both.seen["ended"] is None
    assert both.differences == {Difference.PUT_BACK: 1}


def test_fifty_draws_from_the_pile_end_nothing() -> None:
    """G3: OpenSpiel's hand is a draw at the fiftieth, the first upcard not counted; ours goes on."""
    both = play_both(next(decks(3)), [greets_the_pile(seed, loyalty=0.0) for seed in (1, 2)])
    assert both.pile_draws == 50
    assert both.seen["ended"] is None
    assert both.differences == {Difference.PILE_DRAWS: 1}


def test_a_knock_that_other_melds_allow_is_offered() -> None:
    """J4: three fives and three sixes leave 4s Ac 3c 4c 3h, 11 without a four; 4s-6s and 3c-6c leave 9 without 6h.

    Both ways leave 15 of the eleven cards, and OpenSpiel looks at the first alone.
    """
    both = BothGames(deck_of(["4s 5s 6s Ac 3c 4c 5c 6c 5d 3h", "2d 4d 7d 9d Jd Kd 8h Th Qh 2s"], "6h"))
    both.play("draw_top")
    assert offered_knocks(both) == {"knock 6h", "knock 5d"}
    assert both.differences == {Difference.OVERLOOKED: 1}


@pytest.mark.parametrize(("up", "limit"), [("As", 0), ("2s", 2), ("Ts", 10), ("Ks", 10)])
def test_the_first_upcard_says_it_in_oklahoma(up: str, limit: int) -> None:
    """J4 [D]: with its points one knocks, and after an ace with gin alone."""
    both = BothGames(deck_of([THREES_AND_FACES, "2c 6c 8c 2d 4d 6d 8d Td Qd Kd"], up, "5s"), oklahoma=True)
    for name in ("pass", "pass", "draw_stock"):
        both.play(name)
    assert both.seen["knock_limit"] == limit
    assert ("knock 5s" in both.legal) == (limit > 0)
    assert not both.differences


def test_three_cards_at_an_end_are_a_run_of_their_own() -> None:
    """J5: OpenSpiel lets at most two cards be laid off on an end of a run; a third is never needed.

    Seat 1 has 7h 8h 9h Th beside the knocker's 4h 5h 6h: laid off or not, none of them is left.
    """
    hands = ["4h 5h 6h 9c 9d 9s Jc Qc Kc Ah", "7h 8h 9h Th 2c 6c 2d 8d Ks Qs"]
    both = play(deck_of(hands, "Kh"), "draw_top", "knock Kh")
    left = 2 + 6 + 2 + 8 + 10 + 10
    assert both.seen["round_scores"] == [left - 1, 0]
    assert not both.differences
