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


def number_cachons(view: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """N14: what one has laid on the table, less what is left in hand, less 50 for every duty that was not done (N5).

    Who laid which card is no longer to be seen: that all of them together laid what lies there is checked.
    """

    def points(cards: list[str]) -> int:
        return sum(5 if int(card[1:]) <= 7 else 10 for card in cards)

    assert sum(view["table_points"]) == sum(points(meld["cards"]) for meld in view["melds"])
    standing = zip(view["table_points"], view["hands"], view["deductions"], strict=True)
    return [table - points(hand) - 50 * times for table, hand, times in standing]


SCORES: dict[str, Callable[[dict[str, Any], dict[str, Any]], list[int]]] = {
    "cachons_v0": cachons,
    "number_cachons_v0": number_cachons,
    "rummy_v0": rummy,
}


BEST_WINS = {"number_cachons_v0"}
"""Where the most points win a round (N14), not who goes out (C13, R9)."""


def winners(variant: str, ended: str | None, out: int | None, scores: list[int]) -> list[int]:
    """Who has won a round."""
    if ended != "out":
        return []
    return [seat for seat, mine in enumerate(scores) if mine == max(scores)] if variant in BEST_WINS else [out]


def rewards(scores: list[int], winners: list[int], how: str, scale: float) -> list[float]:
    """What a round pays: own score less the mean of the others', or win and loss; tied winners share."""
    seats = len(scores)
    if how == "score":
        return [(mine - (sum(scores) - mine) / (seats - 1)) / scale for mine in scores]
    if not winners:
        return [0.0] * seats
    win = (1 / len(winners) - 1 / seats) * seats / (seats - 1)
    return [win if seat in winners else -1 / (seats - 1) for seat in range(seats)]
