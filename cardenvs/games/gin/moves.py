"""Card movements of the `gin` family, compiled: nothing else changes where a card is.

Every function takes one `RECORD` as `g`. `hand` is the truth, and `board` follows it.
"""

from __future__ import annotations

from cardenvs._jit import inner
from cardenvs.cards import PLACE
from cardenvs.games.gin.rules import RANKS
from cardenvs.melds import bit


@inner
def put(g, seat, card, in_the_open):
    """A card comes to a hand: `in_the_open` when all saw which card."""
    g.hand[seat, card] = 1
    g.board[seat] |= bit(PLACE[RANKS, card])
    if in_the_open:
        g.known[seat, card] = 1


@inner
def take(g, seat, card):
    """A card leaves a hand."""
    g.hand[seat, card] = 0
    g.board[seat] &= ~bit(PLACE[RANKS, card])
    g.known[seat, card] = 0


@inner
def put_on_pile(g, card):
    """A card is discarded or turned."""
    g.pile[g.n_pile] = card
    g.n_pile += 1
    g.pile_count[card] = 1


@inner
def pile_top(g):
    """The top card of the pile, which holds at least one."""
    return int(g.pile[g.n_pile - 1])


@inner
def take_pile_top(g):
    """The top card leaves the pile, which holds at least one."""
    g.n_pile -= 1
    card = int(g.pile[g.n_pile])
    g.pile_count[card] = 0
    return card


@inner
def take_stock_top(g):
    """The next card of the stock, which holds at least one."""
    g.n_stock -= 1
    return int(g.stock[g.n_stock])
