"""What a seat may know of a `gin` game: the observation row, compiled."""

from __future__ import annotations

from cardenvs._jit import clear_64, clear_rest, ctz, inner, popcount, widen
from cardenvs.cards import PLACE
from cardenvs.deadwood import deadwood_after_discard, melded, points
from cardenvs.games.gin.layouts import (
    O_DECLINED,
    O_DISCARDED,
    O_KNOWN,
    O_MELDED,
    O_OWN_KNOWN,
    O_PHASE,
    O_PILE,
    O_PILE_TOP,
    O_SCALARS,
)
from cardenvs.games.gin.moves import pile_top
from cardenvs.games.gin.rules import HAND_SIZE, RANKS, SEATS, Phase
from cardenvs.melds import ONE, ZERO, bit

N_PHASES = len(Phase)


@inner
def observe(rules, g, seat, row):
    """See `cardenvs.verbs.observe`; the pieces are those of `layouts.observation_layout`, written in their order.

    Blocks are copied 64 entries at a time: what a copy writes beyond its piece, the next piece writes over.
    """
    other = 1 - seat
    widen(g.hand[seat], row, 0)
    # What is left when the best of the hand is laid off is melded at best, too: see `rounds.lay_down`.
    hand = g.board[seat] & ~g.laid_off
    inside = melded(hand)
    mark(inside, row, O_MELDED)
    widen(g.known[seat], row, O_OWN_KNOWN)
    widen(g.known[other], row, O_KNOWN)
    widen(g.discarded[other], row, O_DISCARDED)
    widen(g.declined[other], row, O_DECLINED)
    clear_64(row, O_PILE_TOP)
    widen(g.pile_count, row, O_PILE)
    if g.n_pile > 0:
        row[O_PILE_TOP + pile_top(g)] = 1
    left = points(hand & ~inside)
    observe_scalars(g, seat, left, left_with_top(g, hand, left), row)


@inner
def left_with_top(g, hand, left):
    """The least deadwood that ten cards can have once the pile's top has come and a card has gone; else `left`."""
    if g.n_pile == 0 or popcount(hand) > HAND_SIZE or g.phase == Phase.OVER:
        return left
    return deadwood_after_discard(hand | bit(PLACE[RANKS, pile_top(g)]))


@inner
def mark(board, row, at):
    """Write a board as a piece of cards that begins at `at`."""
    clear_64(row, at)
    while board != ZERO:
        place = ctz(board)
        board &= board - ONE
        row[at + place - (16 - RANKS) * (place >> 4)] = 1


@inner
def observe_scalars(g, seat, left, with_top, row):
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
    row[at + 7] = left
    row[at + 8] = with_top
    row[at + 9] = g.total[seat]
    row[at + 10] = g.total[other]
    at = O_PHASE
    row[at + g.phase] = 1
    row[at + N_PHASES + (g.seat != seat)] = 1
    row[at + N_PHASES + SEATS + (g.dealer != seat)] = 1
