"""Runs and sets by shifted boards: pure functions of boards (`cardenvs.cards`: bit = suit * 16 + rank).

A board of *starts* has a bit at the lowest place of every run that fits.
"""

from __future__ import annotations

import numpy as np

from cardenvs._jit import ctz, inner

ZERO, ONE = np.uint64(0), np.uint64(1)
_SUIT_0 = np.uint64(0xFFFF)
_STRIDE = np.uint64(16)
ACES = np.uint64(0x0001000100010001)
"""The lowest place of each suit."""


@inner
def bit(place):
    """The board that has one place."""
    return ONE << np.uint64(place)


@inner
def holds(board, place):
    """Whether a board has a place."""
    return ((board >> np.uint64(place)) & ONE) != ZERO


@inner
def run_starts(hand, length, wilds, valid):
    """Starts of the runs of `length` (at most 7) places that a hand fills with at most `wilds` wilds.

    Args:
        hand: board of the naturals in hand.
        length, wilds: integers; at least one place is a natural whatever `wilds` is.
        valid: board of the places where a run of this length may start.
    """
    if wilds == 0:
        starts = hand & valid
        for i in range(1, length):
            starts &= hand >> np.uint64(i)
        return starts
    # Three boards are one vertical counter of the places that are missing from each window.
    c0, c1, c2 = ZERO, ZERO, ZERO
    for i in range(length):
        missing = ~(hand >> np.uint64(i))
        carry = c0 & missing
        c0 ^= missing
        missing = c1 & carry
        c1 ^= carry
        c2 ^= missing
    allowed = min(wilds, length - 1)
    if allowed == 1:
        few = ~(c1 | c2)
    elif allowed == 2:
        few = ~(c2 | (c1 & c0))
    elif allowed == 3:
        few = ~c2
    elif allowed == 4:
        few = ~(c2 & (c1 | c0))
    elif allowed == 5:
        few = ~(c2 & c1)
    else:
        few = ~(c2 & c1 & c0)
    return few & valid


@inner
def rank_counts_at_least_3(once, twice, thrice):
    """Ranks (bits 0-15) of which a hand holds three cards or more.

    Args:
        once, twice, thrice: boards of the naturals held at least that often.
    """
    one, two, three = ZERO, ZERO, ZERO
    for suit in range(4):
        shift = np.uint64(suit * 16)
        for board in (once, twice, thrice):
            ranks = (board >> shift) & _SUIT_0
            three |= two & ranks
            two |= one & ranks
            one |= ranks
    return three


@inner
def in_every_suit(ranks):
    """The board that has those ranks (bits 0-15) in all four suits."""
    return (ranks & _SUIT_0) * ACES


@inner
def emit(board, offset, gap, stride, actions, n):
    """Append `offset + stride * type` for every card of a board to int16 `actions[n:]`; returns the new length.

    Args:
        gap: places of a suit that no rank uses (16 - ranks), so that type = place - gap * suit.
    """
    while board != ZERO:
        place = ctz(board)
        board &= board - ONE
        actions[n] = offset + (place - gap * (place >> 4)) * stride
        n += 1
    return n
