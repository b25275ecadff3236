"""What a seat may know of a `laydown` game: the observation row, compiled."""

from __future__ import annotations

import numpy as np

from cardenvs._jit import clear_64, inner, widen
from cardenvs.games.laydown.rules import Kind, Phase

N_PHASES = len(Phase)


@inner
def clear_to_end(row, at):
    """Write zeros to `row[at:]`."""
    for i in range(np.uint64(at), np.uint64(row.shape[0])):
        row[i] = 0


@inner
def observe(rules, g, seat, row):
    """See `cardenvs.verbs.observe`; the pieces are those of `layouts.observation_layout`, written in their order."""
    naturals = rules.suits * rules.ranks
    widen(g.hand[seat], row, 0)
    clear_64(row, rules.o_pile_top)
    if rules.show_pile:
        widen(g.pile_count, row, rules.o_pile)
    widen(g.run_top, row, rules.o_run_top)
    widen(g.run_bottom, row, rules.o_run_bottom)
    for kind in range(rules.kinds):
        widen(g.wild_places[kind], row, rules.o_wild_places + kind * naturals)
    if rules.sets:
        for rank in range(16):
            row[rules.o_sets + rank] = g.sets[rank]
    widen(g.table, row, rules.o_table)
    clear_64(row, rules.o_scalars)
    observe_others(rules, g, seat, row)
    if g.n_pile > 0:
        row[rules.o_pile_top + g.pile[g.n_pile - 1]] = 1
    observe_scalars(rules, g, seat, row)
    if g.phase == Phase.FILL:
        observe_meld(rules, g, row)


@inner
def observe_scalars(rules, g, seat, row):
    """Stock, turns, phase, whose turn and whose decision it is, and the seat's own standing."""
    at = rules.o_scalars
    row[at] = g.n_stock
    row[at + 1] = g.n_pile
    row[at + 2] = g.turns
    row[at + 3] = g.opened[seat]
    row[at + 4] = g.total[seat]
    row[at + 5 + g.phase] = 1
    at += 5 + N_PHASES
    row[at + away(rules, g.turn, seat)] = 1
    row[at + rules.seats + away(rules, g.seat, seat)] = 1


@inner
def away(rules, other, seat):
    """Seats from `seat` to `other`, clockwise."""
    steps = other - seat
    return steps if steps >= 0 else steps + rules.seats


@inner
def observe_others(rules, g, seat, row):
    """For each other seat, from the left: hand size, opened, score, and the cards known to be in its hand."""
    at = rules.o_others
    other = seat
    for _ in range(rules.seats - 1):
        other = other + 1 if other + 1 < rules.seats else 0
        row[at] = g.hand_size[other]
        row[at + 1] = g.opened[other]
        row[at + 2] = g.total[other]
        widen(g.known[other], row, at + 3)
        at += rules.o_other_size
    clear_to_end(row, at)


@inner
def observe_meld(rules, g, row):
    """The half-laid meld: where its next card goes, how many cards it wants, how many of its cards are natural."""
    row[rules.o_meld_place - 2] = g.meld_left
    row[rules.o_meld_place - 1] = g.meld_naturals
    if g.meld_kind == Kind.SET:
        row[rules.o_meld_set + g.meld_place] = 1
        row[rules.o_meld_suit + g.meld_suit] = 1
    else:
        place = g.meld_place - (16 - rules.ranks) * (g.meld_place >> 4)
        row[rules.o_meld_place + place] = 1
