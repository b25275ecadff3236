"""The score of a round by an independent count from `view()`, for every variant of the registry.

A variant that is added gets its count here: `SCORES[id](view, options)` is the points of each seat, more is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


LIVERPOOL = RUMMY | {"A": 15, "JK": 15}
"""V8."""


def liverpool(view: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """V8: cards left in hand count against their holder."""
    return [-sum(LIVERPOOL[card if card == "JK" else card[0]] for card in hand) for hand in view["hands"]]


CANASTA = {"JK": 50, "2": 20, "A": 20, "3b": 5, "3r": 100} | dict.fromkeys("89TJQK", 10) | dict.fromkeys("4567", 5)
"""K14."""


def canasta(view: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """K14: table less hands, canastas, going out and red threes; partners have the points of their side."""
    of_side = []
    for side, red in enumerate(view["red_threes"]):
        points = 0
        for meld in (meld["cards"] for meld in view["melds"] if meld["side"] == side):
            points += sum(CANASTA[card] for card in meld)
            points += (300 if "2" in meld or "JK" in meld else 500) if len(meld) >= 7 else 0
        for seat, hand in enumerate(view["hands"]):
            if view["sides"][seat] == side:
                points += 100 * (view["out"] == seat) - sum(CANASTA[card] for card in hand)
        spoiled = view["out"] is not None and not any(meld["side"] == side for meld in view["melds"])
        of_side.append(points + (-200 if spoiled else 100) * {4: 8}.get(len(red), len(red)))
    return [of_side[side] for side in view["sides"]]


def gin_rummy(view: dict[str, Any], options: dict[str, Any]) -> list[int]:
    """J6: what is left in the hands after a knock, and the bonuses; nothing where nobody knocked (J7, G3)."""
    scores = [0, 0]
    if (knocker := view["knocker"]) is not None:
        left = [sum(RUMMY[card[0]] for card in hand) for hand in view["hands"]]
        other = 1 - knocker
        if not left[knocker]:
            scores[knocker] = left[other] + options["gin_bonus"]
        elif left[knocker] < left[other]:
            scores[knocker] = left[other] - left[knocker]
        else:
            scores[other] = left[knocker] - left[other] + options["undercut_bonus"]
    return scores


SCORES: dict[str, Callable[[dict[str, Any], dict[str, Any]], list[int]]] = {
    "cachons_v0": cachons,
    "canasta_v0": canasta,
    "gin_rummy_v0": gin_rummy,
    "liverpool_rummy_v0": liverpool,
    "number_cachons_v0": number_cachons,
    "rummy_v0": rummy,
}


BEST_WINS = {"canasta_v0", "gin_rummy_v0", "number_cachons_v0"}
"""Where the most points win a round (K14, J6, N14), not who goes out (C13, R9)."""


def round_winners(variant: str, view: dict[str, Any]) -> list[int]:
    """Seats that won the round that is over: who went out, or the best score; nobody when it was cut or void (J7)."""
    if view["ended"] in ("cap", "void"):
        return []
    if variant not in BEST_WINS:
        return [view["out"]]
    best = max(view["round_scores"])
    return [seat for seat, score in enumerate(view["round_scores"]) if score == best]


def rewards(scores: list[int], winners: list[int], how: str, scale: float, sides: Sequence[int]) -> list[float]:
    """What a round pays: own score less the mean of the other sides', or win and loss; tied winners share."""
    of_side = {side: scores[seat] for seat, side in enumerate(sides)}
    n, total = len(of_side), sum(of_side.values())
    if how == "score":
        return [(mine - (total - mine) / (n - 1)) / scale for mine in scores]
    if not winners:
        return [0.0] * len(scores)
    w = len({sides[seat] for seat in winners})
    win = (1 / w - 1 / n) * n / (n - 1)
    return [win if seat in winners else -1 / (n - 1) for seat in range(len(scores))]
