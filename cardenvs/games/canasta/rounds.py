"""Dealing, and how turns and rounds of the `canasta` family begin and end, compiled."""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.games.canasta.moves import put, put_on_pile, take_stock_top
from cardenvs.games.canasta.rules import COPIES, RED, TYPES, Over, Phase
from cardenvs.rng import shuffle as shuffle_cards


@outer
def shuffle(rules, g):
    """A whole shuffled pack becomes the stock (K2)."""
    n = 0
    for card in range(TYPES):
        for _ in range(COPIES[card]):
            g.stock[n] = card
            n += 1
    g.n_stock = n
    shuffle_cards(g, g.stock, n)


@inner
def opening_minimum(total):
    """Points that the first meld of a side with that total must reach (K6)."""
    if total < 0:
        return 15
    if total < 1500:
        return 50
    return 90 if total < 3000 else 120


@inner
def clear(rules, g):
    """Take everything off the table and out of the hands; stream, stock and the scores of a match stay."""
    for seat in range(rules.seats):
        g.hand_size[seat] = 0
        g.hand_bits[seat] = 0
        g.pair_bits[seat] = 0
        g.meld_bits[seat] = 0
        g.room_bits[seat] = 0
        g.canastas[seat] = 0
        g.opened[seat] = 0
        g.minimum[seat] = opening_minimum(g.total[seat])
        for card in range(g.hand.shape[1]):
            g.hand[seat, card] = 0
            g.known[seat, card] = 0
            g.table[seat, card] = 0
    for card in range(g.pile_count.shape[0]):
        g.pile_count[card] = 0
    g.beside[0] = 0
    g.beside[1] = 0
    g.n_pile = 0
    g.turns = 0
    g.over = Over.NO
    g.out = -1
    g.block_seat = -1
    g.no_black = 0
    end_meld(g)


@inner
def end_meld(g):
    """Nothing is half laid."""
    g.meld_rank = -1
    g.meld_takes = 0


@outer
def deal(rules, g):
    """Deal a round from the stock as it lies: one card at a time from the dealer's left, one to the pile (G1, K3)."""
    clear(rules, g)
    g.dealer = (g.rounds_done + rules.seats - 1) % rules.seats
    first = (g.dealer + 1) % rules.seats
    seat = first
    for _ in range(rules.hand_size * rules.seats):
        put(g, seat, take_stock_top(g), False)
        seat = seat + 1 if seat + 1 < rules.seats else 0
    turned = take_stock_top(g)
    put_on_pile(g, turned)
    if turned == RED:
        g.block_seat = g.dealer
    begin_turn(g, first)


@inner
def begin_turn(g, seat):
    """The turn of a seat: the red three that it discarded blocks no longer (K8)."""
    g.seat = seat
    g.phase = Phase.DRAW
    if g.block_seat == seat:
        g.block_seat = -1


@inner
def end_turn(rules, g):
    """The next seat's turn, or the end of the round: by the empty stock (K13), or at the cap (G3)."""
    g.turns += 1
    if g.n_stock == 0:
        end_round(g, Over.STOCK)
    elif g.turns >= rules.seats * rules.max_turns:
        end_round(g, Over.CAP)
    else:
        begin_turn(g, g.seat + 1 if g.seat + 1 < rules.seats else 0)


@inner
def end_round(g, how):
    """Stop the round; OUT is the doing of the seat whose turn it is."""
    g.over = how
    g.phase = Phase.OVER
    if how == Over.OUT:
        g.out = g.seat
