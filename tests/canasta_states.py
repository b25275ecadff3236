"""Positions of Canasta that are built, not played: `lay_out` writes them into a raw environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

LABELS = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "JK", "3r", "3b")
PACK = (*[rank for rank in LABELS[:11] for _ in range(8)], *["2"] * 8, *["JK"] * 4, *["3r"] * 4, *["3b"] * 4)
TYPE = {label: number for number, label in enumerate(LABELS)}
PHASES = ("draw", "play")


def lay_out(
    u: Any,
    hands: Sequence[str],
    melds: Sequence[Sequence[str]] = (),
    pile: str = "",
    beside: str = "",
    stock: str | None = None,
    red: Sequence[int] = (),
    seat: int = 0,
    phase: str = "draw",
    blocked_by: int | None = None,
    totals: Sequence[int] | None = None,
) -> Any:
    """A position in which `seat` is to act.

    Args:
        u: a raw environment that was reset.
        hands: a text of cards for each seat.
        melds: for each side, its melds as texts: "K K K 2", black threes too.
        pile, beside: top last; the wilds beside it.
        stock: next card first; None: all cards that are not elsewhere, in the order of the pack.
        red: red threes laid by each side.
        phase: "draw" or "play".
        blocked_by: seat whose red three blocks the pile.
        totals: points of each side before the round.
    """
    g = u._games[0]
    sides = u.game.num_sides
    for name in ("hand", "known", "table", "hand_bits", "pair_bits", "hand_size", "meld_bits", "room_bits"):
        g[name][:] = 0
    for name in ("canastas", "opened", "beside", "pile_count"):
        g[name][:] = 0
    placed = [card for hand in hands for card in hand.split()] + pile.split() + beside.split()
    for holder, hand in enumerate(hands):
        for card, count in Counter(hand.split()).items():
            g["hand"][holder, TYPE[card]] = count
            g["hand_bits"][holder] |= 1 << TYPE[card]
            g["pair_bits"][holder] |= (count > 1) << TYPE[card]
        g["hand_size"][holder] = len(hand.split())
    for side, laid in enumerate(melds):
        for meld in laid:
            placed += meld.split()
            _lay_meld(g, side, meld.split())
    for side, count in enumerate(red):
        placed += ["3r"] * count
        g["table"][side, 34] = count
    for card in pile.split():
        g["pile"][int(g["pile_count"].sum())] = TYPE[card]
        g["pile_count"][TYPE[card]] += 1
    g["n_pile"] = len(pile.split())
    g["beside"][:] = [beside.split().count("2"), beside.split().count("JK")]
    left = Counter(PACK)
    left.subtract(placed)
    assert min(left.values()) >= 0, f"more than the pack has: {[card for card, n in left.items() if n < 0]}"
    cards = list(left.elements()) if stock is None else stock.split()
    g["stock"][: len(cards)] = np.array([TYPE[card] for card in cards[::-1]], np.int8)
    g["n_stock"] = len(cards)
    _say_whose_turn(g, seat, phase, blocked_by, sides, totals)
    u._refresh()
    u.agent_selection = u.possible_agents[seat]
    return u


def _lay_meld(g: Any, side: int, cards: list[str]) -> None:
    if cards[0] == "3b":
        g["table"][side, 33] = len(cards)
        return
    rank = TYPE[cards[0]]
    twos, jokers = cards.count("2"), cards.count("JK")
    natural, wild = len(cards) - twos - jokers, twos + jokers
    assert natural > wild
    assert set(cards) <= {cards[0], "2", "JK"}
    for kind, count in enumerate((natural, twos, jokers)):
        g["table"][side, 11 * kind + rank] = count
    g["meld_bits"][side] |= 1 << rank
    g["room_bits"][side] |= (natural > wild + 1) << rank
    g["canastas"][side] += len(cards) >= 7
    g["opened"][side] = 1


def _say_whose_turn(
    g: Any, seat: int, phase: str, blocked_by: int | None, sides: int, totals: Sequence[int] | None
) -> None:
    g["phase"], g["seat"] = PHASES.index(phase), seat
    g["block_seat"] = -1 if blocked_by is None else blocked_by
    g["meld_rank"], g["meld_takes"], g["no_black"] = -1, 0, 0
    for side, total in enumerate(totals or ()):
        g["total"][side::sides] = total
        g["minimum"][side] = 15 if total < 0 else 50 if total < 1500 else 90 if total < 3000 else 120
