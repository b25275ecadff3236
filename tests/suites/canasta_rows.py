"""The observation row of a Canasta game as it should be, piece by piece: from `view()` and an onlooker's memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from suites.canasta_reference import RANKS, WILDS
from suites.memory import Memory

CARDS = (*RANKS, "2", "JK", "3r", "3b")
PHASES = ("draw", "play", "meld", "over")


def counts(cards: Iterable[str]) -> np.ndarray:
    found = Counter(cards)
    return np.array([found[card] for card in CARDS])


def by_card(name: str, found: np.ndarray) -> dict[str, np.ndarray]:
    """Counts of every card as the pieces of that name: ranks, wilds, threes."""
    ranks = len(RANKS)
    return {name: found[:ranks], f"{name}_wilds": found[ranks : ranks + 2], f"{name}_threes": found[ranks + 2 :]}


def one_of(number: int, chosen: int | None) -> np.ndarray:
    return np.array([int(i == chosen) for i in range(number)])


def expected(view: dict[str, Any], memory: Memory, seat: int) -> dict[str, np.ndarray]:
    """Every piece by its name, as the layout shapes it."""
    seats, sides = len(view["hands"]), len(view["opened"])
    pieces: dict[str, Any] = by_card("hand", counts(view["hands"][seat]))
    for i in range(1, seats):
        other = (seat + i) % seats
        pieces |= by_card(f"other_{i}_known", counts(memory.known[other].elements()))
        pieces[f"other_{i}_hand_size"] = len(view["hands"][other])
    pieces |= by_card("pile_top", counts(view["pile"][-1:])) | by_card("pile", counts(view["pile"]))
    for i in range(sides):
        name, side = f"side_{i}" if i else "own", (view["sides"][seat] + i) % sides
        pieces |= {f"{name}_{key}": value for key, value in side_pieces(view, side).items()}
    half = view["half_laid"]
    blocked = (view["blocked_by"] - view["seat"]) % seats if view["blocked_by"] is not None else 0
    pieces |= {
        "stock_size": len(view["stock"]),
        "pile_size": len(view["pile"]) + len(view["beside"]),
        "hand_size": len(view["hands"][seat]),
        "turns": view["turns"],
        "beside": [view["beside"].count(wild) for wild in WILDS],
        "blocked": blocked,
        "phase": one_of(4, PHASES.index(view["phase"])),
        "acting_seat": one_of(seats, (view["seat"] - seat) % seats),
        "meld_rank": one_of(len(RANKS), RANKS.index(half["rank"]) if half else None),
        "meld_wants": half["wants"] if half else 0,
        "meld_takes": int(half["takes_pile"]) if half else 0,
    }
    return {name: np.array(value) for name, value in pieces.items()}


def side_pieces(view: dict[str, Any], side: int) -> dict[str, Any]:
    half = [view["half_laid"]] if view["half_laid"] else []
    melds = {meld["rank"]: meld["cards"] for meld in view["melds"] + half if meld["side"] == side}
    of_rank = [Counter(melds.get(rank, [])) for rank in RANKS]
    return {
        "naturals": [cards[rank] for rank, cards in zip(RANKS, of_rank, strict=True)],
        "twos": [cards["2"] for cards in of_rank],
        "jokers": [cards["JK"] for cards in of_rank],
        "black_threes": len(melds.get("3b", [])),
        "red_threes": len(view["red_threes"][side]),
        "canastas": sum(cards.total() >= 7 for cards in of_rank),
        "opened": int(view["opened"][side]),
        "minimum": view["minimum"][side],
        "score": view["side_scores"][side],
    }
