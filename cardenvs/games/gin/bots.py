"""Compiled bots of the `gin` family: from the observation row and the legal actions alone."""

from __future__ import annotations

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE, board_of
from cardenvs.deadwood import deadwood, points
from cardenvs.games.gin.layouts import DISCARD, DRAW_STOCK, DRAW_TOP, KNOCK, O_KNOWN, O_PHASE, O_PILE, O_PILE_TOP, PASS
from cardenvs.games.gin.rules import RANKS, SUITS, TYPES, Phase
from cardenvs.melds import ONE, ZERO, bit, in_every_suit
from cardenvs.rng import scaled

NAMES = ("random", "greedy")

_TWO = np.uint64(2)
_RANKS = np.uint64(0xFFFF)
_PACK = board_of(SUITS, range(RANKS))
_UPCARD, _DISCARD = O_PHASE + int(Phase.UPCARD), O_PHASE + int(Phase.DISCARD)

_POINT = 2
"""Cards that may come to a hand of `greedy` and are worth as much as a point of deadwood."""

_MARGIN = 3
"""What the pile's top must be worth to `greedy`, in cards that may come, to be more than the stock's next card."""


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == 0:
        return int(actions[scaled(draw, count)])
    return greedy(row, actions, count)


@inner
def board(row, at):
    """Board of a piece of cards that begins at `at`."""
    cards = ZERO
    for card in range(TYPES):
        if row[at + card] > 0:
            cards |= bit(PLACE[RANKS, card])
    return cards


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


@inner
def best_knock(hand, actions, count):
    """The legal knock that leaves the least deadwood, of equals with the dearest card; -1: none is legal."""
    best, least = -1, 1 << 30
    for k in range(count):
        if actions[k] >= KNOCK:
            card = bit(PLACE[RANKS, actions[k] - KNOCK])
            left = 16 * deadwood(hand & ~card) - points(card)
            if left < least or (left == least and actions[k] < best):
                best, least = int(actions[k]), left
    return best


@inner
def outs(hand):
    """Board of the cards that would join a meld with those of a hand, some of them perhaps in it."""
    below, above = hand << ONE, hand >> ONE
    runs = (below & (hand << _TWO)) | (below & above) | (above & (hand >> _TWO))
    return runs | in_every_suit(pairs(hand))


@inner
def pairs(hand):
    """Ranks (bits 0-15) of which a hand holds two or more."""
    once, twice = ZERO, ZERO
    for suit in range(SUITS):
        ranks = (hand >> np.uint64(16 * suit)) & _RANKS
        twice |= once & ranks
        once |= ranks
    return twice


# greedy --------------------------------------------------------------------------------------------------------------


@inner
def greedy(row, actions, count):
    """Draw the top where it lightens the hand, discard what leaves the lightest hand, knock as soon as it may."""
    hand = board(row, 0)
    live = _PACK & ~hand & ~board(row, O_PILE) & ~board(row, O_KNOWN)
    if row[_DISCARD]:
        knock = best_knock(hand, actions, count)
        return knock if knock >= 0 else DISCARD + card_type(lightest(hand, live))
    if offers(actions, count, DRAW_TOP):
        taken = hand | board(row, O_PILE_TOP)
        if burden(taken & ~lightest(taken, live), live) + _MARGIN <= burden(hand, live):
            return DRAW_TOP
    return PASS if row[_UPCARD] else DRAW_STOCK


@inner
def burden(hand, live):
    """What `greedy` has against a hand of ten: its deadwood, less what may still come to it."""
    return _POINT * deadwood(hand) - popcount(outs(hand) & live)


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
