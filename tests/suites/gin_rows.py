"""The observation row of a Gin Rummy game as it should be, piece by piece: from `view()` and what was seen before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from suites.gin_reference import RANKS, SUITS, least, melded
from suites.memory import Memory

PHASES = ("upcard", "draw", "discard", "over")


class Record:
    """Which cards each seat has discarded, and left on top of the pile, in a round."""

    def __init__(self) -> None:
        self.discarded: list[set[str]] = [set(), set()]
        self.declined: list[set[str]] = [set(), set()]

    def step(self, before: dict[str, Any], name: str) -> None:
        """Note one action."""
        verb, *card = name.split()
        if verb in ("discard", "knock"):
            self.discarded[before["seat"]].add(card[0])
        elif verb in ("draw_stock", "pass"):
            self.declined[before["seat"]].add(before["pile"][-1])


def by_card(cards: Iterable[str]) -> np.ndarray:
    found = Counter(cards)
    return np.array([[found[rank + suit] for rank in RANKS] for suit in SUITS])


def one_of(number: int, chosen: int) -> np.ndarray:
    return np.array([int(i == chosen) for i in range(number)])


def with_top(hand: list[str], top: list[str]) -> int:
    """Least deadwood once the pile's top has come and a card has gone; that of the hand where it cannot come."""
    if not top or len(hand) > 10:
        return least(hand)
    return min(least({*hand, *top} - {card}) for card in (*hand, *top))


def expected(view: dict[str, Any], memory: Memory, record: Record, seat: int) -> dict[str, np.ndarray]:
    """Every piece by its name, as the layout shapes it, while the round goes on."""
    other = 1 - seat
    pieces: dict[str, Any] = {
        "hand": by_card(view["hands"][seat]),
        "melded": by_card(melded(view["hands"][seat])),
        "own_known": by_card(memory.known[seat].elements()),
        "other_1_known": by_card(memory.known[other].elements()),
        "other_1_discarded": by_card(record.discarded[other]),
        "other_1_declined": by_card(record.declined[other]),
        "pile_top": by_card(view["pile"][-1:]),
        "pile": by_card(view["pile"]),
        "stock_size": len(view["stock"]),
        "pile_size": len(view["pile"]),
        "hand_size": len(view["hands"][seat]),
        "other_1_hand_size": len(view["hands"][other]),
        "turns": view["turns"],
        "passes": view["passes"],
        "knock_limit": view["knock_limit"],
        "deadwood": least(view["hands"][seat]),
        "deadwood_with_top": with_top(view["hands"][seat], view["pile"][-1:]),
        "score": view["scores"][seat],
        "other_1_score": view["scores"][other],
        "phase": one_of(4, PHASES.index(view["phase"])),
        "acting_seat": one_of(2, int(view["seat"] != seat)),
        "dealer": one_of(2, int(view["dealer"] != seat)),
    }
    return {name: np.array(value) for name, value in pieces.items()}
