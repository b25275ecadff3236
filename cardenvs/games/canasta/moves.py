"""Card movements of the `canasta` family, compiled: nothing else changes where a card is.

Every function takes one `RECORD` as `g`. Counts are the truth, and bits and canastas follow them.
"""

from __future__ import annotations

from cardenvs._jit import inner
from cardenvs.games.canasta.rules import CANASTA, JOKER, RANKS, TWO


@inner
def put(g, seat, card, in_the_open):
    """A card comes to a hand: `in_the_open` when all saw which card."""
    count = int(g.hand[seat, card]) + 1
    g.hand[seat, card] = count
    g.hand_size[seat] += 1
    g.hand_bits[seat] |= 1 << card
    if count == 2:
        g.pair_bits[seat] |= 1 << card
    if in_the_open:
        g.known[seat, card] += 1


@inner
def take(g, seat, card):
    """A card leaves a hand: where all knew of a copy, that copy counts as the one that left."""
    count = int(g.hand[seat, card]) - 1
    g.hand[seat, card] = count
    g.hand_size[seat] -= 1
    if count == 0:
        g.hand_bits[seat] &= ~(1 << card)
    elif count == 1:
        g.pair_bits[seat] &= ~(1 << card)
    if g.known[seat, card] > 0:
        g.known[seat, card] -= 1


@inner
def put_on_pile(g, card):
    """A card is discarded or turned: a wild lies beside the pile (K8)."""
    if card in (TWO, JOKER):
        g.beside[card - TWO] += 1
    else:
        g.pile[g.n_pile] = card
        g.n_pile += 1
        g.pile_count[card] += 1


@inner
def take_pile_top(g):
    """The top card leaves the pile, which holds at least one."""
    g.n_pile -= 1
    card = int(g.pile[g.n_pile])
    g.pile_count[card] -= 1
    return card


@inner
def take_stock_top(g):
    """The next card of the stock, which holds at least one."""
    g.n_stock -= 1
    return int(g.stock[g.n_stock])


@inner
def cards_to_take(g):
    """Cards of the pile and beside it."""
    return int(g.n_pile) + int(g.beside[0]) + int(g.beside[1])


@inner
def collect_pile(g, seat):
    """What is left of the pile, and the cards beside it, come to a hand in the open (K7, K8)."""
    while g.n_pile > 0:
        put(g, seat, take_pile_top(g), True)
    for kind in range(2):
        while g.beside[kind] > 0:
            g.beside[kind] -= 1
            put(g, seat, TWO + kind, True)


@inner
def naturals(g, side, rank):
    """Naturals of a rank on the table of a side."""
    return int(g.table[side, rank])


@inner
def wilds(g, side, rank):
    """Twos and jokers in the meld of a rank of a side."""
    return int(g.table[side, RANKS + rank]) + int(g.table[side, 2 * RANKS + rank])


@inner
def put_on_meld(g, side, rank, kind):
    """The natural (`kind` 0), a two (1) or a joker (2) lies on the meld of a rank."""
    g.table[side, kind * RANKS + rank] += 1
    natural, wild = naturals(g, side, rank), wilds(g, side, rank)
    if natural > wild + 1:
        g.room_bits[side] |= 1 << rank
    else:
        g.room_bits[side] &= ~(1 << rank)
    if natural + wild == CANASTA:
        g.canastas[side] += 1
