"""What is asked of others in a turn, compiled: who buys the pile's top, "one card left", who knocks for the discard.

Every function is rules first, game second; `g` is one `RECORD`.
"""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.games.laydown.moves import (
    fits_table,
    put,
    put_from_top,
    stock_serves,
    take_pile_top,
    take_stock_top,
)
from cardenvs.games.laydown.rounds import end_turn
from cardenvs.games.laydown.rules import Claims, Phase
from cardenvs.rng import shuffle as shuffle_cards

# ANNOUNCE (N12) ------------------------------------------------------------------------------------------------------


@inner
def legal_announce(rules, actions):
    """Say it or not."""
    actions[0] = rules.a_announce
    actions[1] = rules.a_announce + 1
    return 2


@inner
def apply_announce(rules, g, action):
    """Who stays silent draws a penalty card, where one can be had; then the discard is offered."""
    if action != rules.a_announce and stock_serves(g):
        put(rules, g, g.seat, take_stock_top(g), False)
    offer_discard(rules, g)


# CLAIM: the pile's top is offered to other seats, one after the other (R7, N10, X1, X2, V6) --------------------------


@inner
def offer_discard(rules, g):
    """Where the discard fits the table the others are asked for it; else the turn ends."""
    asked = rules.claims != Claims.NONE and fits_table(rules, g, int(g.pile[g.n_pile - 1]))
    if asked and (not rules.claim_opened or g.opened[g.turn]):
        begin_claims(rules, g)
    else:
        end_turn(rules, g)


@outer
def begin_claims(rules, g):
    """Ask every other seat that may claim, from the discarder's left or in an order drawn at random."""
    n = 0
    for i in range(1, rules.seats):
        seat = (g.turn + rules.seats - i) % rules.seats
        if g.opened[seat] or not rules.claim_opened:
            g.queue[n] = seat
            n += 1
    if rules.claims == Claims.RANDOM:
        shuffle_cards(g, g.queue, n)
    g.n_queue = n
    if n > 0:
        ask_claim(g)
    else:
        end_turn(rules, g)


@outer
def offer_top(rules, g):
    """Ask every other seat that may buy, from the left of the seat that has just drawn from the stock (V6).

    That seat has its card already, unseen: the next one of the stock, whoever buys.
    """
    n = 0
    for i in range(1, rules.seats):
        seat = (g.turn + rules.seats - i) % rules.seats
        if not g.opened[seat] and g.bought[seat] < rules.buys:
            g.queue[n] = seat
            n += 1
    g.n_queue = n
    if n > 0:
        ask_claim(g)


@inner
def ask_claim(g):
    """The next seat of the queue decides."""
    g.n_queue -= 1
    g.seat = g.queue[g.n_queue]
    g.phase = Phase.CLAIM


@inner
def legal_claim(rules, actions):
    """Take it or leave it."""
    actions[0] = rules.a_claim
    actions[1] = rules.a_claim + 1
    return 2


@inner
def apply_claim(rules, g, action):
    """The card on offer goes to the hand of who claims it first; then the turn goes on, or is over."""
    if action == rules.a_claim:
        put_from_top(rules, g, g.seat, take_pile_top(g))
        g.n_queue = 0
        if rules.buys > 0:
            pay_purchase(rules, g)
    if g.n_queue > 0:
        ask_claim(g)
    elif rules.buys > 0:
        g.seat = g.turn
        g.phase = Phase.PLAY
    else:
        end_turn(rules, g)


@inner
def pay_purchase(rules, g):
    """Who buys takes a card from the stock, too, where one can be had (V6, G2)."""
    g.bought[g.seat] += 1
    if stock_serves(g):
        put(rules, g, g.seat, take_stock_top(g), False)
