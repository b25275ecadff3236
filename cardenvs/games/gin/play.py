"""The rules of the `gin` family, compiled: for each phase what is legal and how it is applied.

Every function is rules first, game second; `g` is one `RECORD`.
"""

from __future__ import annotations

from cardenvs._jit import ctz, inner
from cardenvs.deadwood import deadwood, points
from cardenvs.games.gin.layouts import DISCARD, DRAW_STOCK, DRAW_TOP, KNOCK, PASS
from cardenvs.games.gin.moves import pile_top, put, put_on_pile, take, take_pile_top, take_stock_top
from cardenvs.games.gin.rounds import begin_turn, end_turn, lay_down
from cardenvs.games.gin.rules import RANKS, SEATS, Phase
from cardenvs.melds import ONE, ZERO, bit, emit

_GAP = 16 - RANKS

# UPCARD (J2) ---------------------------------------------------------------------------------------------------------


@inner
def legal_upcard(actions):
    """Take it or leave it."""
    actions[0] = DRAW_TOP
    actions[1] = PASS
    return 2


@inner
def apply_upcard(g, action):
    """Who takes it has drawn; when both have passed, who passed first must draw from the stock."""
    if action == DRAW_TOP:
        draw_top(g)
        return
    decline(g)
    g.passes += 1
    g.seat = 1 - g.seat
    if g.passes == SEATS:
        begin_turn(g, int(g.seat))


@inner
def decline(g):
    """The seat to act leaves the pile's top."""
    g.declined[g.seat, pile_top(g)] = 1


# DRAW (J2, J3) -------------------------------------------------------------------------------------------------------


@inner
def legal_draw(g, actions):
    """The stock or the pile's top; the first upcard no more once both have passed."""
    actions[0] = DRAW_STOCK
    if g.turns == 0 and g.passes == SEATS:
        return 1
    actions[1] = DRAW_TOP
    return 2


@inner
def apply_draw(g, action):
    """Draw from the stock, hidden from the other, or from the pile."""
    if action == DRAW_TOP:
        draw_top(g)
    else:
        decline(g)
        put(g, g.seat, take_stock_top(g), False)
        g.phase = Phase.DISCARD


@inner
def draw_top(g):
    """The pile's top comes to the hand."""
    put(g, g.seat, take_pile_top(g), True)
    g.phase = Phase.DISCARD


# DISCARD (J3, J4) ----------------------------------------------------------------------------------------------------


@inner
def legal_discard(g, actions):
    """Every card, and to knock with it where that leaves little enough deadwood."""
    hand = g.board[g.seat]
    n = emit(hand, DISCARD, _GAP, 1, actions, 0)
    return emit(knocking_cards(hand, int(g.limit)), KNOCK, _GAP, 1, actions, n)


@inner
def knocking_cards(hand, limit):
    """Board of the cards of a hand of eleven whose discard leaves at most `limit` deadwood."""
    cards = ZERO
    # A card takes at most its own points off the deadwood of all eleven.
    least = deadwood(hand) - limit
    left = hand if least <= 10 else ZERO
    while left != ZERO:
        card = bit(ctz(left))
        left &= left - ONE
        if points(card) >= least and deadwood(hand & ~card) <= limit:
            cards |= card
    return cards


@inner
def apply_discard(rules, g, action):
    """The card goes to the pile; then the turn is over, or with a knock the round."""
    knocks = action >= KNOCK
    card = action - KNOCK if knocks else action - DISCARD
    take(g, g.seat, card)
    put_on_pile(g, card)
    g.discarded[g.seat, card] = 1
    if knocks:
        lay_down(g)
    else:
        end_turn(rules, g)


# The phases together -------------------------------------------------------------------------------------------------


@inner
def legal(rules, g, actions):
    """See `cardenvs.verbs.legal`."""
    if g.phase == Phase.DISCARD:
        return legal_discard(g, actions)
    if g.phase == Phase.DRAW:
        return legal_draw(g, actions)
    if g.phase == Phase.UPCARD:
        return legal_upcard(actions)
    return 0


@inner
def play(rules, g, action):
    """See `cardenvs.verbs.play`."""
    if g.phase == Phase.DISCARD:
        apply_discard(rules, g, action)
    elif g.phase == Phase.DRAW:
        apply_draw(g, action)
    else:
        apply_upcard(g, action)
