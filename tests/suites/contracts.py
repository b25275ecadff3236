"""Contracts of Liverpool Rummy by brute force, from the clauses alone: every filling of every meld is tried.

Cards are texts, hands are Counters of them. A contract is laid in one order: sets by rising rank, then runs by rising
place of their lowest card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product

import numpy as np

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PLACES = [suit + str(first) for suit in SUITS for first in range(11)]
"""Where a run of four may begin, in order: suit and rank; from the jack it reaches the ace (V4)."""

CONTRACTS = {1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (3, 0), 5: (2, 1), 6: (1, 2), 7: (0, 3)}
"""V3: sets and runs."""

Cards = tuple[str, ...]


def covers(hand: Counter[str], cards: Cards) -> bool:
    return all(hand[card] >= n for card, n in Counter(cards).items())


def place_of(low: str) -> int:
    """The number of the place of a run's lowest card."""
    return PLACES.index(low[1] + str(RANKS.index(low[0])))


def set_fillings(hand: Counter[str], rank: str, laid: Cards = (), length: int = 3) -> Iterator[Cards]:
    """What may follow on a set, in the order of laying: suits that never descend, and jokers last."""
    order = [*(rank + suit for suit in SUITS), "JK"]
    rest = order[order.index(laid[-1]) if laid else 0 :]
    for cards in combinations_with_replacement(rest, length - len(laid)):
        whole = (*laid, *cards)
        if covers(hand, cards) and any(card != "JK" for card in whole):
            yield cards


def run_cards(place: str) -> Cards:
    """The naturals of a run of four that begins there."""
    suit, first = place[0], int(place[1:])
    return tuple(rank + suit for rank in (RANKS + "A")[first : first + 4])


def run_fillings(hand: Counter[str], place: str, laid: Cards = ()) -> Iterator[Cards]:
    """What may follow on a run of four, in the order of laying."""
    for cards in product(*((card, "JK") for card in run_cards(place)[len(laid) :])):
        if covers(hand, cards) and any(card != "JK" for card in (*laid, *cards)):
            yield cards


def can_lay(hand: Counter[str], sets: int, runs: int, rank: int = 0, place: int = 0) -> bool:
    """Whether a hand can lay so many sets, of that rank or above, and so many runs, from that place on."""
    return _can_lay(tuple(sorted((+hand).elements())), sets, runs, rank, place)


@lru_cache(maxsize=1 << 16)
def _can_lay(cards: Cards, sets: int, runs: int, rank: int, place: int) -> bool:
    hand = Counter(cards)
    if sets:
        return any(
            can_lay(hand - Counter(meld), sets - 1, runs, each, place)
            for each in range(rank, 13)
            for meld in set_fillings(hand, RANKS[each])
        )
    if runs:
        return any(
            can_lay(hand - Counter(meld), 0, runs - 1, 0, each)
            for each in range(place, len(PLACES))
            for meld in run_fillings(hand, PLACES[each])
        )
    return True


def beginnings(hand: Counter[str], sets: int, runs: int, keep: int, rank: int = 0, place: int = 0) -> set[str]:
    """The names of the melds that may be begun, when so many sets and runs are owed."""
    if not sets + runs or hand.total() - keep < 3 * sets + 4 * runs:
        return set()
    if sets:
        return {
            f"set {RANKS[each]}"
            for each in range(rank, 13)
            if any(can_lay(hand - Counter(meld), sets - 1, runs, each) for meld in set_fillings(hand, RANKS[each]))
        }
    return {
        f"run {run_cards(PLACES[each])[0]}"
        for each in range(place, len(PLACES))
        if any(can_lay(hand - Counter(meld), 0, runs - 1, 0, each) for meld in run_fillings(hand, PLACES[each]))
    }


def set_fills(hand: Counter[str], rank: str, laid: Cards, sets: int, runs: int) -> set[str]:
    """The names of the next cards of a half-laid set, when so many sets and runs are owed beside it."""
    return {
        "fill JK" if cards[0] == "JK" else f"fill {cards[0][-1]}"
        for cards in set_fillings(hand, rank, laid)
        if can_lay(hand - Counter(cards), sets, runs, RANKS.index(rank))
    }


def run_fills(hand: Counter[str], low: str, laid: Cards, runs: int) -> set[str]:
    """The names of the next cards of a half-laid run, when so many runs are owed beside it."""
    place = place_of(low)
    return {
        "fill JK" if cards[0] == "JK" else "fill natural"
        for cards in run_fillings(hand, PLACES[place], laid)
        if can_lay(hand - Counter(cards), 0, runs, 0, place)
    }


# What is missing -----------------------------------------------------------------------------------------------------

CARDS = [rank + suit for rank in RANKS for suit in SUITS]


@lru_cache
def _choices(runs: int) -> np.ndarray:
    """Every choice of so many runs: how many of each card it wants, [choices, 52]."""
    wanted = [[run_cards(place).count(card) for card in CARDS] for place in PLACES]
    chosen = list(combinations_with_replacement(range(len(PLACES)), runs))
    return np.array(wanted)[np.array(chosen, int).reshape(len(chosen), runs)].sum(1)


def missing(hand: Counter[str], sets: int, runs: int) -> int:
    """Fewest cards, naturals or jokers, that must come before a hand can lay so many sets and runs: over all choices.

    Runs take what they can; up to three of a rank that are left are a set's, the next three of it another set's. Each
    meld wants a natural.
    """
    counts = np.array([hand[card] for card in CARDS])
    in_runs = np.minimum(_choices(runs), counts)
    of_ranks = (counts - in_runs).reshape(-1, len(RANKS), len(SUITS)).sum(2)
    in_sets = np.concatenate([np.clip(of_ranks - 3 * before, 0, 3) for before in range(3)], axis=1)
    naturals = in_runs.sum(1) + np.sort(in_sets, axis=1)[:, in_sets.shape[1] - sets :].sum(1)
    return max(3 * sets + 4 * runs - int(naturals.max()) - hand["JK"], sets + runs - int(counts.sum()), 0)
