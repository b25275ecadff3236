"""Compiled bots of the `gin` family: from the observation row and the legal actions alone.

All but `random` draw the pile's top where that helps them, else from the stock, and discard what they miss least; they
differ in what helps, in what they would miss, and `expert` in when it knocks.
"""

from __future__ import annotations

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE, board_of
from cardenvs.deadwood import deadwood, points, ranks_of, runs_of
from cardenvs.games.gin.layouts import (
    DISCARD,
    DRAW_STOCK,
    DRAW_TOP,
    KNOCK,
    O_DECLINED,
    O_DISCARDED,
    O_KNOWN,
    O_OWN_KNOWN,
    O_PHASE,
    O_PILE,
    O_PILE_TOP,
    O_STOCK_SIZE,
    O_TURNS,
    PASS,
)
from cardenvs.games.gin.rules import HAND_SIZE, RANKS, SUITS, TYPES, WALL, Phase
from cardenvs.melds import ONE, ZERO, bit, in_every_suit, rank_counts_at_least_3
from cardenvs.rng import scaled

NAMES = ("random", "simple", "gold", "greedy", "expert")
_RANDOM, _SIMPLE, _GOLD, _GREEDY, _EXPERT = range(5)

_TWO = np.uint64(2)
_SUIT = np.uint64(0xFFFF)
_PACK = board_of(SUITS, range(RANKS))
_UPCARD, _DISCARD = O_PHASE + int(Phase.UPCARD), O_PHASE + int(Phase.DISCARD)

_MARGIN = 3
"""Points by which the pile's top must lighten a hand of `greedy`, to be more than the stock's next card."""

# `expert`, all found by trying: deals against `greedy`, for points a round.
_SURE = 64
"""What the chance that the other holds a card is counted in: this is certainty."""

_DANGER = 5
"""Points that `expert` would pay not to give the other a card that completes a meld for sure."""

_KNOCK_TURNS, _PER_POINT, _PER_OUT = 60, 2, 10
"""It knocks in the first turns, tenths of them: later for each point of deadwood, earlier for each card to gin."""

_MOST_OUTS = 6
"""More cards to gin count like so many."""

_LAST_KNOCK = 5
"""Deadwood with which it knocks when the round is void otherwise."""


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == _RANDOM:
        return int(actions[scaled(draw, count)])
    hand = board(row, 0)
    if row[_DISCARD]:
        knock = best_knock(hand, actions, count)
        if knock >= 0 and (bot != _EXPERT or worth_knocking(row, hand, knock)):
            return knock
        return DISCARD + card_type(least_missed(bot, row, hand, draw))
    if offers(actions, count, DRAW_TOP) and wants_top(bot, row, hand):
        return DRAW_TOP
    return PASS if row[_UPCARD] else DRAW_STOCK


@inner
def least_missed(bot, row, hand, draw):
    """The card of a hand of eleven that a bot discards, as a board."""
    if bot == _SIMPLE:
        return one_of_the_least(hand, board(row, O_OWN_KNOWN), draw)
    if bot == _GOLD:
        return lightest(hand, ZERO)
    live = live_cards(row, hand)
    return lightest(hand, live) if bot == _GREEDY else safest(row, hand, live)


@outer
def wants_top(bot, row, hand):
    """Whether a bot draws the pile's top: it joins a meld, lowers the deadwood, or lightens the hand enough."""
    top = board(row, O_PILE_TOP)
    with_top = hand | top
    if bot == _SIMPLE:
        return (top & (runs_of(with_top) | in_every_suit(rank_counts_at_least_3(with_top, ZERO, ZERO)))) != ZERO
    live = ZERO if bot == _GOLD else live_cards(row, hand)
    least = 1 if bot == _GOLD else _MARGIN
    return burden(with_top & ~lightest(with_top, live), live) + least <= burden(hand, live)


# What they see -------------------------------------------------------------------------------------------------------


@outer
def board(row, at):
    """Board of a piece of cards that begins at `at`."""
    cards = ZERO
    for card in range(TYPES):
        if row[at + card] > 0:
            cards |= bit(PLACE[RANKS, card])
    return cards


@inner
def live_cards(row, hand):
    """Board of the cards that may still be drawn from the stock."""
    return _PACK & ~hand & ~board(row, O_PILE) & ~board(row, O_KNOWN)


@inner
def card_type(card):
    """The type of the only card of a board."""
    place = ctz(card)
    return place - (16 - RANKS) * (place >> 4)


@inner
def offers(actions, count, action):
    """Whether an action is legal."""
    found = False
    for k in range(count):
        found = found or actions[k] == action
    return found


@outer
def best_knock(hand, actions, count):
    """The legal knock that leaves the least deadwood, of equals with the dearest card; -1: none is legal."""
    best, least = -1, 1 << 30
    for k in range(count):
        if actions[k] >= KNOCK:
            card = bit(PLACE[RANKS, actions[k] - KNOCK])
            left = 16 * left_of(hand & ~card) - points(card)
            if left < least or (left == least and actions[k] < best):
                best, least = int(actions[k]), left
    return best


# What a hand is worth ------------------------------------------------------------------------------------------------


@outer
def left_of(hand):
    """`deadwood`, once compiled and then called: bots need not be as fast as the rules."""
    return deadwood(hand)


@outer
def one_of_the_least(hand, taken, draw):
    """One of the cards whose discard leaves the least deadwood, at random; none of those `taken` from the pile."""
    choices = hand & ~taken
    if choices == ZERO:
        choices = hand
    equal, least = ZERO, 1 << 30
    left = choices
    while left != ZERO:
        card = bit(ctz(left))
        left &= left - ONE
        weight = left_of(hand & ~card)
        if weight < least:
            equal, least = ZERO, weight
        if weight == least:
            equal |= card
    for _ in range(scaled(draw, popcount(equal))):
        equal &= equal - ONE
    return bit(ctz(equal))


@inner
def pairs(hand):
    """Ranks (bits 0-15) of which a hand holds two or more."""
    once, twice = ZERO, ZERO
    for suit in range(SUITS):
        ranks = (hand >> np.uint64(16 * suit)) & _SUIT
        twice |= once & ranks
        once |= ranks
    return twice


@inner
def outs(hand):
    """Board of the cards that would be in a meld with two of a hand, some of them perhaps in it."""
    below, above = hand << ONE, hand >> ONE
    runs = (below & (hand << _TWO)) | (below & above) | (above & (hand >> _TWO))
    return runs | in_every_suit(pairs(hand))


@outer
def burden(hand, live):
    """Points against a hand of ten: its deadwood, less one for each of the `live` cards that would join a meld."""
    return deadwood(hand) - popcount(outs(hand) & live)


@outer
def lightest(hand, live):
    """The card of a hand of eleven whose discard leaves the least burden, as a board; of equals the dearest."""
    best, least = ZERO, 1 << 30
    left = hand
    while left != ZERO:
        card = bit(ctz(left))
        left &= left - ONE
        weight = 16 * burden(hand & ~card, live) - points(card)
        if weight < least:
            best, least = card, weight
    return best


# expert --------------------------------------------------------------------------------------------------------------


@outer
def safest(row, hand, live):
    """As `lightest`, with what a card would do for the other, who took, passed and discarded what all saw."""
    known = board(row, O_KNOWN)
    left_alone = ranks_of(board(row, O_DISCARDED) | board(row, O_DECLINED))
    chance = (HAND_SIZE - popcount(known)) * _SURE // max(popcount(live), 1)
    best, least = ZERO, 1 << 62
    left = hand
    while left != ZERO:
        card = bit(ctz(left))
        left &= left - ONE
        danger = meld_chance(ctz(card), live, known, chance, left_alone)
        weight = _SURE * _SURE * (10 * burden(hand & ~card, live) - points(card)) + 10 * _DANGER * danger
        if weight < least:
            best, least = card, weight
    return best


@outer
def held_chance(place, live, known, chance):
    """The chance, of `_SURE`, that the other holds a card; 0 beside the pack."""
    card = bit(place)
    if (known & card) != ZERO:
        return _SURE
    return chance if (live & card) != ZERO else 0


@inner
def meld_chance(place, live, known, chance, left_alone):
    """About the chance, of `_SURE` squared, that the other holds two cards that are a meld with that one.

    No set is feared of a rank of which the other has discarded a card, or left it on the pile (`left_alone`).
    """
    found = 0
    if ((left_alone >> np.uint64(place & 15)) & ONE) == ZERO:
        total = 0
        for step in range(1, SUITS):
            each = held_chance((place + 16 * step) & 63, live, known, chance)
            found += total * each
            total += each
    above = held_chance(place + 1, live, known, chance) if place < 63 else 0
    below = held_chance(place - 1, live, known, chance) if place > 0 else 0
    found += above * below
    found += above * held_chance((place + 2) & 63, live, known, chance)
    return found + below * held_chance((place - 2) & 63, live, known, chance)


@outer
def worth_knocking(row, hand, knock):
    """Whether to knock now: at once with gin and in the first turns; later the other has little, and an undercut pays.

    Then it goes on for gin, or for the other's knock, unless this is the last turn.
    """
    rest = hand & ~bit(PLACE[RANKS, knock - KNOCK])
    left = left_of(rest)
    if left == 0:
        return True
    if row[O_STOCK_SIZE] <= WALL:
        return left <= _LAST_KNOCK
    more = min(cards_to_gin(rest, live_cards(row, hand)), _MOST_OUTS)
    return 10 * int(row[O_TURNS]) < _KNOCK_TURNS + _PER_POINT * left - _PER_OUT * more


@inner
def cards_to_gin(hand, live):
    """Number of the `live` cards that make gin of a hand of ten."""
    found = 0
    left = live
    while left != ZERO:
        with_card = hand | bit(ctz(left))
        left &= left - ONE
        # Gin is nothing left, or one card, which is discarded.
        if left_of(with_card & ~lightest(with_card, ZERO)) == 0:
            found += 1
    return found
