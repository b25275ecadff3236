"""Dealing, and how turns and rounds of the `gin` family begin and end, compiled."""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.deadwood import best_sets, chained, fourth_cards, runs_of
from cardenvs.games.gin.moves import put, put_on_pile, take_stock_top
from cardenvs.games.gin.rules import HAND_SIZE, RANKS, SEATS, TYPES, WALL, Over, Phase
from cardenvs.melds import ZERO
from cardenvs.rng import shuffle as shuffle_cards


@outer
def shuffle(rules, g):
    """A whole shuffled pack becomes the stock (J1)."""
    for card in range(TYPES):
        g.stock[card] = card
    g.n_stock = TYPES
    shuffle_cards(g, g.stock, TYPES)


@inner
def clear(g):
    """Take everything off the table and out of the hands; stream, stock and the scores of a match stay."""
    for seat in range(SEATS):
        g.board[seat] = ZERO
        g.sets[seat] = ZERO
        g.runs[seat] = ZERO
        for card in range(g.hand.shape[1]):
            g.hand[seat, card] = 0
            g.known[seat, card] = 0
            g.discarded[seat, card] = 0
            g.declined[seat, card] = 0
    for card in range(g.pile_count.shape[0]):
        g.pile_count[card] = 0
    g.laid_off = ZERO
    g.n_pile = 0
    g.turns = 0
    g.passes = 0
    g.over = Over.NO
    g.knocker = -1


@outer
def deal(rules, g):
    """Deal a round from the stock as it lies: one card at a time from the dealer's left, then the upcard (G1, J1)."""
    clear(g)
    g.dealer = (g.rounds_done + SEATS - 1) % SEATS
    first = 1 - g.dealer
    for i in range(HAND_SIZE * SEATS):
        put(g, (first + i) % SEATS, take_stock_top(g), False)
    upcard = take_stock_top(g)
    put_on_pile(g, upcard)
    g.limit = oklahoma_limit(upcard) if rules.oklahoma else rules.knock_card
    g.seat = first
    g.phase = Phase.UPCARD


@inner
def oklahoma_limit(upcard):
    """Most deadwood to knock with after that first upcard: its points, and none, so gin, after an ace (J4)."""
    rank = upcard % RANKS
    return min(rank + 1, 10) if rank > 0 else 0


@inner
def begin_turn(g, seat):
    """The turn of a seat that draws."""
    g.seat = seat
    g.phase = Phase.DRAW


@inner
def end_turn(rules, g):
    """The other's turn, or the end of the round: void with two cards left (J7), or at the cap (G3)."""
    g.turns += 1
    if g.n_stock <= WALL:
        end_round(g, Over.VOID)
    elif g.turns >= SEATS * rules.max_turns:
        end_round(g, Over.CAP)
    else:
        begin_turn(g, 1 - g.seat)


@inner
def end_round(g, how):
    """Stop the round."""
    g.over = how
    g.phase = Phase.OVER


@outer
def lay_down(g):
    """The seat to act has knocked: both lay their melds, and the other lays off, but not on gin (J5)."""
    knocker = int(g.seat)
    other = 1 - knocker
    g.knocker = knocker
    g.turns += 1
    hand = g.board[knocker]
    g.sets[knocker] = best_sets(hand, ZERO, ZERO)
    g.runs[knocker] = runs_of(hand & ~g.sets[knocker])
    gin = (hand & ~g.sets[knocker] & ~g.runs[knocker]) == ZERO
    runs = ZERO if gin else g.runs[knocker]
    fourths = ZERO if gin else fourth_cards(g.sets[knocker])
    g.sets[other] = best_sets(g.board[other], runs, fourths)
    rest = g.board[other] & ~g.sets[other]
    g.runs[other] = runs_of(rest)
    g.laid_off = (chained(rest, runs) | (rest & fourths)) & ~g.runs[other]
    end_round(g, Over.GIN if gin else Over.KNOCK)
