"""What a seat may know of a `canasta` game: the observation row, compiled."""

from __future__ import annotations

from cardenvs._jit import clear_64, clear_rest, inner, widen
from cardenvs.games.canasta.moves import cards_to_take
from cardenvs.games.canasta.play import meld_points
from cardenvs.games.canasta.rules import BLACK_PLACE, RANKS, TYPES, Phase

N_PHASES = len(Phase)
SIDE_SIZE = BLACK_PLACE + 6
"""Entries of a side: its cards on the table, canastas, opened, minimum, score."""


@inner
def away(rules, other, seat):
    """Seats from `seat` to `other`, clockwise."""
    steps = other - seat
    return steps if steps >= 0 else steps + rules.seats


@inner
def observe(rules, g, seat, row):
    """See `cardenvs.verbs.observe`; the pieces are those of `layouts.observation_layout`, written in their order.

    Blocks are copied 64 entries at a time: what a copy writes beyond its piece, the next piece writes over.
    """
    widen(g.hand[seat], row, 0)
    at = TYPES
    other = seat
    for _ in range(rules.seats - 1):
        other = other + 1 if other + 1 < rules.seats else 0
        widen(g.known[other], row, at)
        row[at + TYPES] = g.hand_size[other]
        at += TYPES + 1
    clear_64(row, rules.o_pile_top)
    widen(g.pile_count, row, rules.o_pile)
    if g.n_pile > 0:
        row[rules.o_pile_top + g.pile[g.n_pile - 1]] = 1
    observe_sides(rules, g, seat, row)
    observe_scalars(rules, g, seat, row)


@inner
def observe_sides(rules, g, seat, row):
    """For each side, from the own one: its cards on the table, and its standing."""
    at = rules.o_sides
    side = seat % rules.sides
    for _ in range(rules.sides):
        widen(g.table[side], row, at)
        row[at + BLACK_PLACE + 2] = g.canastas[side]
        row[at + BLACK_PLACE + 3] = g.opened[side]
        row[at + BLACK_PLACE + 4] = g.minimum[side]
        row[at + BLACK_PLACE + 5] = max(int(g.total[side]), -rules.shown_score)
        at += SIDE_SIZE
        side = side + 1 if side + 1 < rules.sides else 0


@inner
def observe_scalars(rules, g, seat, row):
    """Stock, pile, turns, what blocks the pile, phase, whose turn it is, and the half-laid meld."""
    at = rules.o_scalars
    clear_rest(row, at)
    row[at] = g.n_stock
    row[at + 1] = cards_to_take(g)
    row[at + 2] = g.hand_size[seat]
    row[at + 3] = g.turns
    row[at + 4] = g.beside[0]
    row[at + 5] = g.beside[1]
    if g.block_seat >= 0:
        row[at + 6] = away(rules, g.block_seat, g.seat)
    at += 7
    row[at + g.phase] = 1
    at += N_PHASES
    row[at + away(rules, g.seat, seat)] = 1
    at += rules.seats
    if g.phase == Phase.MELD:
        side = g.seat % rules.sides
        row[at + g.meld_rank] = 1
        if not g.opened[side]:
            row[at + RANKS] = max(int(g.minimum[side]) - meld_points(g, side, int(g.meld_rank)), 0)
        row[at + RANKS + 1] = g.meld_takes
