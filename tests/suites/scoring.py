"""The score of a round by an independent count from `view()`, for every variant of the registry.

A variant that is added gets its count here: `SCORES[id](view, options)` is the points of each seat, more is better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RUMMY = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(number): number for number in range(2, 10)}
"""R3: face cards 10, ace 1, others their number."""


def rummy(view: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """R9: cards left in hand count against their holder."""
    return [-sum(RUMMY[card[0]] for card in hand) for hand in view["hands"]]


def cachons(view: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """C5, C14: joker 50, two 20, ace 20, king to eight 10, seven to three 5, unless the house says otherwise."""
    table = options["card_points"]

    def points(card: str) -> int:
        if card in ("2", "JK"):
            return table[card]
        return table["A"] if card[0] == "A" else table["3-7"] if card[0] in "34567" else table["8-K"]

    return [-sum(points(card) for card in hand) for hand in view["hands"]]


SCORES: dict[str, Callable[[dict[str, Any], dict[str, Any]], list[int]]] = {
    "cachons_v0": cachons,
    "rummy_v0": rummy,
}


def rewards(scores: list[int], winners: list[int], how: str, scale: float) -> list[float]:
    """What a round pays: own score less the mean of the others', or win and loss; tied winners share."""
    seats = len(scores)
    if how == "score":
        return [(mine - (sum(scores) - mine) / (seats - 1)) / scale for mine in scores]
    if not winners:
        return [0.0] * seats
    win = (1 / len(winners) - 1 / seats) * seats / (seats - 1)
    return [win if seat in winners else -1 / (seats - 1) for seat in range(seats)]
