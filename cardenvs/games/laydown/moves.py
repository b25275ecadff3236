"""Card movements of the `laydown` family, compiled: nothing else changes where a card is.

Every function is rules first, game second; `g` is one `RECORD`. Counts are the truth and boards follow them.
"""

from __future__ import annotations

import numpy as np

from cardenvs._jit import inner
from cardenvs.cards import PLACE
from cardenvs.games.laydown.rules import ORIGIN_BITS
from cardenvs.melds import ACES, ONE, bit, holds, in_every_suit
from cardenvs.rng import shuffle

_EPOCH_MAX = (1 << ORIGIN_BITS) - 1
_BITS = np.uint64(ORIGIN_BITS)


# The places of an ace: below the two, and where it is high (V4) above the king as well --------------------------------


@inner
def in_all_places(rules, board):
    """A board of cards with both places of each ace; the same board where the ace has one."""
    if rules.ace_high:
        return board | (board & ACES) << np.uint64(rules.ranks)
    return board


@inner
def by_card(rules, board):
    """A board of places as one of cards: an ace above the king is the ace."""
    if rules.ace_high:
        return (board | (board >> np.uint64(rules.ranks)) & ACES) & ~(ACES << np.uint64(rules.ranks))
    return board


@inner
def type_at(rules, place):
    """The natural that belongs on a place."""
    if rules.ace_high and (place & 15) == rules.ranks:
        place -= rules.ranks
    return place - (16 - rules.ranks) * (place >> 4)


# A card moves --------------------------------------------------------------------------------------------------------


@inner
def put(rules, g, seat, card, in_the_open):
    """A card comes to a hand: `in_the_open` when all have seen which card, if only when it was discarded."""
    g.hand[seat, card] += 1
    g.hand_size[seat] += 1
    if card < rules.suits * rules.ranks:
        place = in_all_places(rules, bit(PLACE[rules.ranks, card]))
        if rules.sets and rules.copies > 1:
            g.thrice[seat] |= g.twice[seat] & place
            g.twice[seat] |= g.board[seat] & place
        g.board[seat] |= place
    else:
        g.wilds[seat] += 1
    if in_the_open:
        g.known[seat, card] += 1
    elif g.epoch > 0:
        older = g.origin[seat, card] << _BITS
        g.origin[seat, card] = older | np.uint64(min(int(g.epoch), _EPOCH_MAX))


@inner
def put_from_top(rules, g, seat, card):
    """A card that lies face up, in sight of all, comes to a hand."""
    put(rules, g, seat, card, True)
    if not rules.show_pile:
        g.shown[seat, card] += 1


@inner
def take(rules, g, seat, card):
    """A card leaves a hand: where all knew of a copy, that copy counts as the one that left."""
    g.hand[seat, card] -= 1
    g.hand_size[seat] -= 1
    if card >= rules.suits * rules.ranks:
        g.wilds[seat] -= 1
    else:
        if g.hand[seat, card] == 0:
            g.board[seat] &= ~in_all_places(rules, bit(PLACE[rules.ranks, card]))
        if rules.sets and rules.copies > 1:
            forget_copies(rules, g, seat, card)
    if not rules.show_pile and g.shown[seat, card] > 0:
        g.shown[seat, card] -= 1
    # `origin` stays as it is: of the hidden copies the oldest counts as the one that left.
    if g.known[seat, card] > 0:
        g.known[seat, card] -= 1


@inner
def forget_copies(rules, g, seat, card):
    """A copy of a natural has left the hand."""
    others = ~in_all_places(rules, bit(PLACE[rules.ranks, card]))
    if g.hand[seat, card] < 3:
        g.thrice[seat] &= others
    if g.hand[seat, card] < 2:
        g.twice[seat] &= others


@inner
def lay_down(rules, g, card):
    """A card of the seat to act goes to the table, where it counts for that seat (N8)."""
    take(rules, g, g.seat, card)
    g.table[card] += 1
    if rules.table_counts:
        natural = card < rules.suits * rules.ranks
        kind = PLACE[rules.ranks, card] & 15 if natural else card - (rules.suits - 1) * rules.ranks
        g.table_points[g.seat] += rules.points[kind]


@inner
def put_on_pile(g, card):
    """A card is discarded or turned."""
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
def stock_serves(g):
    """Whether a card can be had from the stock, if need be made anew from the pile less its top (G2)."""
    return g.n_stock > 0 or g.n_pile > 1


@inner
def take_stock_top(g):
    """The next card of the stock; an empty one is first made anew from the pile less its top (G2)."""
    if g.n_stock == 0:
        g.epoch += 1
        top = take_pile_top(g)
        while g.n_pile > 0:
            g.stock[g.n_stock] = take_pile_top(g)
            g.n_stock += 1
        shuffle(g, g.stock, g.n_stock)
        put_on_pile(g, top)
    g.n_stock -= 1
    return int(g.stock[g.n_stock])


@inner
def add_run_ends(rules, g, low, high, change):
    """Count a run whose ends stand at the places `low` and `high` in (`change` 1) or out (-1)."""
    at = type_at(rules, high)
    g.run_top[at] += change
    g.tops = g.tops | bit(high) if g.run_top[at] > 0 else g.tops & ~bit(high)
    at = type_at(rules, low)
    g.run_bottom[at] += change
    g.bottoms = g.bottoms | bit(low) if g.run_bottom[at] > 0 else g.bottoms & ~bit(low)


@inner
def add_wild_place(rules, g, place, card, change):
    """Count a wild that stands at `place` of a run in or out."""
    kind = card - rules.suits * rules.ranks
    at = type_at(rules, place)
    places = in_all_places(rules, by_card(rules, bit(place)))
    g.wild_places[kind, at] += change
    if g.wild_places[kind, at] > 0:
        g.wild_board[kind] |= places
    else:
        g.wild_board[kind] &= ~places


@inner
def above(rules, g):
    """Board of the places where a card continues a run above its top."""
    return (g.tops << ONE) & rules.valid


@inner
def below_bottom(rules, g):
    """Board of the places where a card continues a run below its bottom."""
    return (g.bottoms >> ONE) & rules.valid


@inner
def fits_table(rules, g, card):
    """Whether a natural fits a meld on the table (R7, N10)."""
    places = by_card(rules, above(rules, g)) | below_bottom(rules, g) | in_every_suit(g.set_ranks)
    return holds(places, PLACE[rules.ranks, card])
