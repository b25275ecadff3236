"""The `canasta` family: rank melds of a side. What its games differ in (`Rules`) and what a game is (`RECORD`).

Card types: the ranks 4 to ace are 0 to 10, then two, joker, red three and black three; suits do not matter (K5). Sides
are seats modulo the number of sides: with two partnerships that seats partners opposite each other (K1).
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from cardenvs.cards import MAX_TYPES

RANK_LABELS = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
RANKS = len(RANK_LABELS)
TWO, JOKER, RED, BLACK = 11, 12, 13, 14
"""Card types beside the ranks."""

TYPES = 15
MAX_SEATS = 6
MAX_CARDS = 108

COPIES = np.array([8] * RANKS + [8, 4, 4, 4])
"""int64 `[TYPES]`: copies of each card in the pack (K2)."""

POINTS = np.array([5] * 4 + [10] * 6 + [20] + [20, 50, 100, 5])
"""int64 `[TYPES]`: points of each card (K14)."""

CANASTA = 7
"""Cards of a canasta (K10)."""

BLACK_PLACE, RED_PLACE = 3 * RANKS, 3 * RANKS + 1
"""Where the threes are counted in a row of `table`, after naturals, twos and jokers by rank."""


class Phase(IntEnum):
    """What the seat to act decides."""

    DRAW = 0
    PLAY = 1
    MELD = 2
    OVER = 3


class Over(IntEnum):
    """How a round ended."""

    NO = 0
    OUT = 1
    STOCK = 2
    CAP = 3


class Rules(NamedTuple):
    """One variant with its options, for compiled code; the last fields are offsets into the observation row."""

    seats: int
    sides: int
    hand_size: int
    canastas: int
    max_turns: int
    match: int
    target: int
    max_rounds: int
    win_reward: int
    score_scale: float
    shown_score: int
    o_pile_top: int
    o_pile: int
    o_sides: int
    o_scalars: int


RECORD = np.dtype(
    [
        # name, type, shape: meaning, unit, who may see it
        ("rng", "u8"),  # stream of this game; nobody
        ("phase", "i4"),  # Phase; all
        ("seat", "i4"),  # seat to act, whose turn it is; all
        ("dealer", "i4"),  # seat; all
        ("over", "i4"),  # Over; all
        ("out", "i4"),  # seat that went out, -1: nobody; all
        ("rounds_done", "i4"),  # rounds scored in this episode; all
        ("turns", "i4"),  # turns ended in this round, all seats together; all
        ("n_stock", "i4"),  # cards in the stock; all
        ("n_pile", "i4"),  # cards in the pile, without those beside it; all
        ("block_seat", "i4"),  # seat of the red three that blocks the pile, -1: none does; all
        ("meld_rank", "i4"),  # rank of the half-laid meld, -1: none; all
        ("meld_takes", "i4"),  # 1: the rest of the pile follows once it stands; all
        ("no_black", "i4"),  # 1: the seat to act has just shown that it holds no black three; all
        ("hand_size", "i4", (MAX_SEATS,)),  # cards in hand; all
        ("hand_bits", "i4", (MAX_SEATS,)),  # bit per card type in hand, from `hand`; its holder
        ("pair_bits", "i4", (MAX_SEATS,)),  # bit per card type of which two or more are in hand; its holder
        ("meld_bits", "i4", (MAX_SEATS,)),  # per side, bit per rank of which a meld stands; all
        ("room_bits", "i4", (MAX_SEATS,)),  # per side, bit per rank whose cards on the table take a wild more; all
        ("canastas", "i4", (MAX_SEATS,)),  # per side, ranks of which seven or more cards lie on the table; all
        ("opened", "i4", (MAX_SEATS,)),  # per side, 1: a meld stands; all
        ("minimum", "i4", (MAX_SEATS,)),  # per side, points that its first meld must reach; all
        ("points", "i4", (MAX_SEATS,)),  # per seat, points of its side in the last round scored; all
        ("total", "i4", (MAX_SEATS,)),  # per seat, points of its side in the match; all
        ("won", "i4"),  # bit per seat: winners of the last round, or of the match when it is over; all
        ("beside", "i4", (2,)),  # twos and jokers beside the pile; all
        ("hand", "i1", (MAX_SEATS, MAX_TYPES)),  # copies of each card in hand; its holder
        ("known", "i1", (MAX_SEATS, MAX_TYPES)),  # of these, copies taken or shown in the open; all
        ("table", "i1", (MAX_SEATS, MAX_TYPES)),  # per side: naturals, twos, jokers by rank, black threes, red; all
        ("pile_count", "i1", (MAX_TYPES,)),  # copies of each card in the pile; all
        ("pile", "i1", (MAX_CARDS,)),  # cards of the pile, top last; all
        ("stock", "i1", (MAX_CARDS,)),  # cards of the stock, next one last; nobody
    ],
    align=True,
)
"""A whole game, its deck order and random stream included."""
