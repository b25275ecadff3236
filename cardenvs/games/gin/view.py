"""What a seat may know of a `gin` game: the observation row, compiled."""

from __future__ import annotations

from cardenvs._jit import clear_64, clear_rest, inner, popcount, widen
from cardenvs.deadwood import deadwood
from cardenvs.games.gin.layouts import (
    O_DECLINED,
    O_DISCARDED,
    O_KNOWN,
    O_OWN_KNOWN,
    O_PHASE,
    O_PILE,
    O_PILE_TOP,
    O_SCALARS,
)
from cardenvs.games.gin.moves import pile_top
from cardenvs.games.gin.rules import SEATS, Phase

N_PHASES = len(Phase)


@inner
def observe(rules, g, seat, row):
    """See `cardenvs.verbs.observe`; the pieces are those of `layouts.observation_layout`, written in their order.

    Blocks are copied 64 entries at a time: what a copy writes beyond its piece, the next piece writes over.
    """
    other = 1 - seat
    widen(g.hand[seat], row, 0)
    widen(g.known[seat], row, O_OWN_KNOWN)
    widen(g.known[other], row, O_KNOWN)
    widen(g.discarded[other], row, O_DISCARDED)
    widen(g.declined[other], row, O_DECLINED)
    clear_64(row, O_PILE_TOP)
    widen(g.pile_count, row, O_PILE)
    if g.n_pile > 0:
        row[O_PILE_TOP + pile_top(g)] = 1
    observe_scalars(g, seat, row)


@inner
def observe_scalars(g, seat, row):
    """Sizes, standing, phase, whose decision it is, and who has dealt."""
    other = 1 - seat
    at = O_SCALARS
    clear_rest(row, at)
    row[at] = g.n_stock
    row[at + 1] = g.n_pile
    row[at + 2] = popcount(g.board[seat])
    row[at + 3] = popcount(g.board[other])
    row[at + 4] = g.turns
    row[at + 5] = g.passes
    row[at + 6] = g.limit
    # What is left when the best of the hand is laid off is melded at best, too: see `rounds.lay_down`.
    row[at + 7] = deadwood(g.board[seat] & ~g.laid_off)
    row[at + 8] = g.total[seat]
    row[at + 9] = g.total[other]
    at = O_PHASE
    row[at + g.phase] = 1
    row[at + N_PHASES + (g.seat != seat)] = 1
    row[at + N_PHASES + SEATS + (g.dealer != seat)] = 1
