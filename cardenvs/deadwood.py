"""The best way to meld a hand, what it leaves, and what can be laid off: pure functions of boards, as in `melds`.

For packs with one copy of each card, ace low, where face cards count 10, the ace 1 and others their number (J1). A hand
is parted into sets, of three or four of a rank, and runs, of three or more in sequence of a suit. Once the sets are
chosen nothing is left to choose: whatever stands in sequence of three or more among the other cards is a run. So only
ranks are tried of which a set would take a card from a run.
"""

from __future__ import annotations

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import board_of
from cardenvs.melds import ONE, ZERO, bit, in_every_suit, rank_counts_at_least_3

_TWO = np.uint64(2)
_SUIT = np.uint64(16)
_SUITS = np.uint64(32)
_RANKS = np.uint64(0xFFFF)
_PACK = board_of(4, range(13))
_VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
_ONES, _TWOS, _FOURS, _EIGHTS = (
    board_of(4, [rank for rank, value in enumerate(_VALUES) if value & digit]) for digit in (1, 2, 4, 8)
)


@inner
def points(board):
    """Points of all cards of a board: the binary digits of their values are counted one after the other."""
    low = popcount(board & _ONES) + 2 * popcount(board & _TWOS)
    return low + 4 * popcount(board & _FOURS) + 8 * popcount(board & _EIGHTS)


@inner
def dearest(board):
    """Points of the dearest card of a board; 0: it is empty."""
    ranks = ranks_of(board)
    most = 0
    while ranks != ZERO:
        most = min(ctz(ranks) + 1, 10)
        ranks &= ranks - ONE
    return most


@inner
def ranks_of(board):
    """Ranks (bits 0-15) of which a board has a card."""
    board |= board >> _SUIT
    return (board | (board >> _SUITS)) & _RANKS


@inner
def runs_of(board):
    """Board of the cards that stand in sequence of three or more."""
    starts = board & (board >> ONE) & (board >> _TWO)
    return starts | (starts << ONE) | (starts << _TWO)


@inner
def chained(board, runs):
    """Board of the cards that can be laid off on `runs` on the table, one after the other, above and below."""
    found = ZERO
    card = (runs << ONE) & board
    while card != ZERO:
        found |= card
        card = (card << ONE) & board
    card = (runs >> ONE) & board
    while card != ZERO:
        found |= card
        card = (card >> ONE) & board
    return found


@inner
def fourth_cards(sets):
    """Board of the cards that `sets` of three on the table lack."""
    return in_every_suit(ranks_of(sets)) & ~sets


@inner
def laid(board, runs, fourths):
    """Board of the cards that lie on the table once the own sets are chosen: in own runs, or laid off."""
    return runs_of(board) | chained(board, runs) | (board & fourths)


@inner
def best_sets(hand, runs, fourths, discards):
    """Board of the cards that are laid as sets so that the least points are left.

    Of equal ways the one that leaves the others the fewest places to lay off on; of these the first one, where a rank
    is laid whole before it is laid without one card (the suits in order) or not at all, and the choice for the lowest
    rank changes fastest. No way looks at anything but the hand.

    Args:
        hand: board of at most eleven cards.
        runs: board of another's runs on the table, which may be extended; ZERO: none.
        fourths: board of the cards that can be laid off on another's sets; ZERO: none.
        discards: whether the dearest card that is left goes before the others count.
    """
    ranks = rank_counts_at_least_3(hand, ZERO, ZERO)
    if ranks == ZERO:
        return ZERO
    sets = in_every_suit(ranks) & hand
    contested = ranks_of(sets & (runs_of(hand) | chained(hand, runs)))
    if contested == ZERO:
        return sets
    return _choose_sets(hand, sets & ~in_every_suit(contested), contested, runs, fourths, discards)


@outer
def _choose_sets(hand, certain, contested, runs, fourths, discards):
    """`best_sets` where cards of the ranks `contested` may be worth more elsewhere; `certain` are sets in any case."""
    ways = 1
    left = contested
    while left != ZERO:
        ways *= _ways(in_every_suit(bit(ctz(left))) & hand)
        left &= left - ONE
    best, most, fewest = ZERO, -1, 0
    for way in range(ways):
        sets = certain
        left = contested
        while left != ZERO:
            held = in_every_suit(bit(ctz(left))) & hand
            sets |= _set_of(held, way % _ways(held))
            way //= _ways(held)
            left &= left - ONE
        rest = hand & ~sets
        table = laid(rest, runs, fourths)
        melded = points(sets) + points(table) + (dearest(rest & ~table) if discards else 0)
        places = popcount(open_places(sets, runs_of(rest)))
        if melded > most or (melded == most and places < fewest):
            best, most, fewest = sets, melded, places
    return best


@inner
def _ways(held):
    """Ways to lay three or four cards of a rank: all, none, and of four without each one of them."""
    return 2 if popcount(held) == 3 else 6


@inner
def _set_of(held, way):
    """The set that is laid of the cards of a rank: see `_ways`."""
    if way == 0:
        return held
    if way == _ways(held) - 1:
        return ZERO
    return held & ~(_RANKS << np.uint64(16 * (way - 1)))


@inner
def open_places(sets, runs):
    """Board of the cards that would fit melds on the table at once."""
    return (((runs << ONE) | (runs >> ONE)) & _PACK & ~runs & ~sets) | (fourth_cards(sets) & ~runs)


@inner
def deadwood(hand):
    """Points of the cards that the best melds of a hand, at most eleven cards, leave (J4)."""
    return points(hand & ~melded(hand))


@inner
def melded(hand):
    """Board of the cards that the best melds of a hand, at most eleven cards, hold."""
    sets = best_sets(hand, ZERO, ZERO, False)
    return sets | runs_of(hand & ~sets)


@inner
def deadwood_after_discard(hand):
    """The least deadwood of eleven cards once one of them is discarded.

    Where every card is in a meld, one of the melds is longer than it must be.
    """
    sets = best_sets(hand, ZERO, ZERO, True)
    rest = hand & ~sets
    rest &= ~runs_of(rest)
    return points(rest) - dearest(rest)
