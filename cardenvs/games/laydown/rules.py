"""The `laydown` family: melds on a shared table. What its games differ in (`Rules`) and what a game is (`RECORD`)."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from cardenvs.cards import MAX_TYPES

MAX_SEATS = 8
MAX_CARDS = 168
MAX_MELDS = 56
MAX_MELD = 18
MAX_KINDS = 2
"""Most seats, cards of a pack, melds on a table, cards of a meld, kinds of wild: the lengths of a record's arrays."""

CONTRACT_SETS = np.array([0, 2, 1, 0, 3, 2, 1, 0])
CONTRACT_RUNS = np.array([0, 0, 1, 2, 0, 1, 2, 3])
CONTRACT_CARDS = np.array([0, 10, 10, 10, 10, 12, 12, 12])
"""int64 `[8]`, by the number of a contract: its sets, its runs (V3), the cards that are dealt (V2); 0 is none."""

LAST_CONTRACT = 7
"""In whose round one may go out by the last meld or lay-off, too (V7)."""

ROW_LIMIT = 32767
"""Greatest absolute value of an int16 observation row."""

ORIGIN_BITS = 8
"""Bits of `origin` for a copy, of which no pack has more than eight; reshuffles past the 255th count as the 255th."""


class Phase(IntEnum):
    """What the seat to act decides."""

    DRAW = 0
    PLAY = 1
    FILL = 2
    ANNOUNCE = 3
    CLAIM = 4
    OVER = 5


class Kind(IntEnum):
    """What is half laid, and what lies on the table (only RUN and SET)."""

    NONE = 0
    RUN = 1
    SET = 2
    ABOVE = 3
    BELOW = 4


class Claims(IntEnum):
    """In which order a discard that fits the table is offered to the others (X1)."""

    NONE = 0
    RANDOM = 1
    SEAT = 2


class Announce(IntEnum):
    """Whether it is a decision to say that one card is left (N12)."""

    AUTO = 0
    ACTION = 1


class Over(IntEnum):
    """How a round ended."""

    NO = 0
    OUT = 1
    CAP = 2


class Rules(NamedTuple):
    """One variant with its options, for compiled code: plain integers and flags.

    The second half holds the offsets of the pieces of the two layouts (-1: the variant lacks the piece); `o_other_*` is
    counted from the first piece of a seat.
    """

    seats: int
    suits: int
    ranks: int
    copies: int
    kinds: int
    wild_copies: tuple[int, int]
    points: tuple[int, ...]
    hand_size: int
    run_min: int
    open_run: int
    sets: int
    lay_off_opened: int
    keep_card: int
    take_top: int
    take_pile: int
    claims: int
    claim_opened: int
    announce: int
    pile_duty: int
    table_counts: int
    best_wins: int
    show_pile: int
    max_turns: int
    match: int
    rounds: int
    target: int
    win_reward: int
    score_scale: float
    ace_high: int
    contracts: int
    contract: int
    buys: int
    valid: np.uint64
    run_valid: np.uint64
    open_valid: np.uint64
    a_draw_top: int
    a_draw_pile: int
    a_run: int
    a_set: int
    a_fill: int
    a_lay_off_run: int
    a_lay_off_set: int
    a_lay_off_set_wilds: int
    a_swap_wild: int
    a_discard: int
    a_claim: int
    a_announce: int
    o_pile_top: int
    o_pile: int
    o_run_top: int
    o_run_bottom: int
    o_wild_places: int
    o_sets: int
    o_table: int
    o_scalars: int
    o_duty: int
    o_table_points: int
    o_deductions: int
    o_contract: int
    o_missing: int
    o_others: int
    o_other_size: int
    o_other_table_points: int
    o_other_deductions: int
    o_other_owed: int
    o_meld_place: int
    o_meld_set: int
    o_meld_suit: int


RECORD = np.dtype(
    [
        # name, type, shape: meaning, unit, who may see it
        ("rng", "u8"),  # stream of this game; nobody
        ("board", "u8", (MAX_SEATS,)),  # naturals in each hand, from `hand`; its holder
        ("tops", "u8"),  # places where a run on the table ends above, from `run_top`; all
        ("bottoms", "u8"),  # places where a run on the table ends below, from `run_bottom`; all
        ("set_ranks", "u8"),  # bits 0-15: ranks of which a set lies on the table; all
        ("wild_board", "u8", (MAX_KINDS,)),  # places where a wild of that kind stands in a run; all
        ("phase", "i4"),  # Phase; all
        ("seat", "i4"),  # seat to act; all
        ("turn", "i4"),  # seat whose turn it is; all
        ("dealer", "i4"),  # seat; all
        ("over", "i4"),  # Over; all
        ("out", "i4"),  # seat that went out, -1: nobody; all
        ("rounds_done", "i4"),  # rounds scored in this episode; all
        ("turns", "i4"),  # turns ended in this round, all seats together; all
        ("epoch", "i4"),  # reshuffles of the pile in this round; all
        ("n_stock", "i4"),  # cards in the stock; all
        ("n_pile", "i4"),  # cards in the pile; all
        ("n_melds", "i4"),  # whole melds on the table; all
        ("meld_kind", "i4"),  # Kind of the half-laid meld; all
        ("meld_slot", "i4"),  # its row in `melds`; all
        ("meld_place", "i4"),  # run: place to fill next; set: its rank; all
        ("meld_suit", "i4"),  # set: least suit that may come next; all
        ("meld_left", "i4"),  # cards that it still wants; all
        ("meld_naturals", "i4"),  # naturals laid on it so far; all
        ("queue", "i4", (MAX_SEATS,)),  # seats that may still claim, next last; nobody
        ("n_queue", "i4"),  # how many; nobody
        ("hand_size", "i4", (MAX_SEATS,)),  # cards in hand; all
        ("wilds", "i4", (MAX_SEATS,)),  # wilds in hand; its holder
        ("opened", "i4", (MAX_SEATS,)),  # 1: has melded in this round; all
        ("points", "i4", (MAX_SEATS,)),  # points of the last round scored; all
        ("total", "i4", (MAX_SEATS,)),  # points of the match; all
        ("won", "i4"),  # bit per seat: winners of the last round, or of the match when it is over; all
        ("run_top", "i1", (MAX_TYPES,)),  # runs whose highest card stands at that place; all
        ("run_bottom", "i1", (MAX_TYPES,)),  # runs whose lowest card stands there; all
        ("wild_places", "i1", (MAX_KINDS, MAX_TYPES)),  # wilds of that kind that stand there; all
        ("table", "i1", (MAX_TYPES,)),  # copies of each card on the table; all
        ("pile_count", "i1", (MAX_TYPES,)),  # copies of each card in the pile; all
        ("hand", "i1", (MAX_SEATS, MAX_TYPES)),  # copies of each card in hand; its holder
        ("known", "i1", (MAX_SEATS, MAX_TYPES)),  # of these, copies that all saw before they were taken; all
        ("sets", "i1", (16,)),  # sets of each rank; all
        ("pile", "i1", (MAX_CARDS,)),  # cards of the pile, top last; all (its top alone where the variant says so)
        ("stock", "i1", (MAX_CARDS,)),  # cards of the stock, next one last; nobody
        ("origin", "u8", (MAX_SEATS, MAX_TYPES)),  # epochs of hidden draws, 8 bits each, the last lowest; nobody
        ("meld_type", "i1", (MAX_MELDS,)),  # Kind of each meld: RUN or SET; all
        ("meld_low", "i1", (MAX_MELDS,)),  # run: board place of its lowest card; set: its rank; all
        ("meld_len", "i1", (MAX_MELDS,)),  # cards of each meld; all
        ("melds", "i1", (MAX_MELDS, MAX_MELD)),  # cards of each meld, lowest first; all
        # Only where the rules ask for it; zeros elsewhere.
        ("twice", "u8", (MAX_SEATS,)),  # sets of equal cards: naturals held at least twice; its holder
        ("thrice", "u8", (MAX_SEATS,)),  # at least three times; its holder
        ("duty", "i8"),  # 1: took the pile and has laid no new meld in this turn; all
        ("deductions", "i4", (MAX_SEATS,)),  # times that this cost points in this round; all
        ("table_points", "i4", (MAX_SEATS,)),  # points of the cards that each laid on the table; all
        ("contract", "i4"),  # number of the round's contract; all
        ("owed_sets", "i4"),  # sets of it that the seat whose turn it is still owes; all
        ("owed_runs", "i4"),  # runs; all
        ("least", "i4"),  # least rank of its next set; when no set is owed, least place of its next run; all
        ("bought", "i4", (MAX_SEATS,)),  # purchases of each seat in this round; all
        ("shown", "i1", (MAX_SEATS, MAX_TYPES)),  # hidden pile: of `known`, copies that were on top when taken; all
    ],
    align=True,
)
"""A whole game, its deck order and random stream included."""

# A saved state is the bytes of a record: between the fields there must be none that nobody writes.
assert RECORD.itemsize == sum(RECORD[name].itemsize for name in RECORD.names or ())
