"""The `gin` family: melds stay in the hand until somebody knocks. Its options (`Rules`) and what a game is.

Card types: suit * 13 + rank, ace low.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from cardenvs.cards import MAX_TYPES

SEATS = 2
SUITS = 4
RANKS = 13
TYPES = SUITS * RANKS
HAND_SIZE = 10
"""J1."""

WALL = 2
"""Cards of the stock that are never drawn: with them left the round is void (J7)."""


class Phase(IntEnum):
    """What the seat to act decides."""

    UPCARD = 0
    DRAW = 1
    DISCARD = 2
    OVER = 3


class Over(IntEnum):
    """How a round ended."""

    NO = 0
    KNOCK = 1
    GIN = 2
    VOID = 3
    CAP = 4


class Rules(NamedTuple):
    """The options, for compiled code."""

    seats: int
    knock_card: int
    oklahoma: int
    gin_bonus: int
    undercut_bonus: int
    max_turns: int
    match: int
    target: int
    max_rounds: int
    win_reward: int
    score_scale: float


RECORD = np.dtype(
    [
        # name, type, shape: meaning, unit, who may see it
        ("rng", "u8"),  # stream of this game; nobody
        ("board", "u8", (SEATS,)),  # cards in each hand, from `hand`; its holder
        ("sets", "u8", (SEATS,)),  # of these, laid as sets after a knock; all
        ("runs", "u8", (SEATS,)),  # laid as runs after a knock; all
        ("laid_off", "u8"),  # laid off on the knocker's melds by the other; all
        ("phase", "i4"),  # Phase; all
        ("seat", "i4"),  # seat to act; all
        ("dealer", "i4"),  # seat; all
        ("over", "i4"),  # Over; all
        ("knocker", "i4"),  # seat that knocked, -1: nobody; all
        ("rounds_done", "i4"),  # rounds scored in this episode; all
        ("turns", "i4"),  # turns ended in this round, all seats together; all
        ("passes", "i4"),  # seats that have left the first upcard; all
        ("limit", "i4"),  # most deadwood to knock with in this round, points; all
        ("n_stock", "i4"),  # cards in the stock; all
        ("n_pile", "i4"),  # cards in the pile; all
        ("points", "i4", (SEATS,)),  # points of the last round scored; all
        ("total", "i4", (SEATS,)),  # points of the match; all
        ("won", "i4"),  # bit per seat: winners of the last round, or of the match when it is over; all
        ("hand", "i1", (SEATS, MAX_TYPES)),  # 1 for each card in hand, laid down or not; its holder
        ("known", "i1", (SEATS, MAX_TYPES)),  # of these, 1 for each that was taken from the pile; all
        ("discarded", "i1", (SEATS, MAX_TYPES)),  # 1 for each card that the seat has discarded in this round; all
        ("declined", "i1", (SEATS, MAX_TYPES)),  # 1 for each top of the pile that it left, to pass or draw; all
        ("pile_count", "i1", (MAX_TYPES,)),  # 1 for each card in the pile; all
        ("pile", "i1", (TYPES,)),  # cards of the pile, top last; all
        ("stock", "i1", (TYPES,)),  # cards of the stock, next one last; nobody
    ],
    align=True,
)
"""A whole game, its deck order and random stream included."""

# A saved state is the bytes of a record: between the fields there must be none that nobody writes.
assert RECORD.itemsize == sum(RECORD[name].itemsize for name in RECORD.names or ())
