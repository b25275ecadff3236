"""The bot `expert` of the `canasta` family, compiled: from the observation row and the legal actions alone.

It keeps new melds in its hand, where they take the pile that others dare to feed, takes the pile only when that is
worth a meld that all can see, and discards by how likely the next seat can take the pile with the card.
"""

from __future__ import annotations

from typing import NamedTuple

from cardenvs._jit import inner, outer
from cardenvs.games.canasta import bots
from cardenvs.games.canasta.bots import meld_size, standing
from cardenvs.games.canasta.layouts import BLACK_THREES, DISCARD, PLACE, RED_THREE, TAKE
from cardenvs.games.canasta.rules import BLACK, CANASTA, COPIES, JOKER, POINTS, RED, TWO, TYPES, Phase
from cardenvs.games.canasta.view import SIDE_SIZE

NAMES = (*bots.NAMES, "expert")

_EXPERT = NAMES.index("expert")
_MELD_AT = int(Phase.MELD)
_OTHER = TYPES + 1
"""Entries of another seat: the cards known to be in its hand, and how many it holds."""

_SURE = 1000
"""A chance is counted in thousandths."""

_LAY = 1 << 20
"""More than any discard is worth: what is to be laid is laid first, and what is held back comes after all."""


class Weights(NamedTuple):
    """What `expert` goes by, in points, or as said."""

    mate: int  # keeping a card beside each other one of its rank
    gift: int  # letting the next seat take the pile, where that is certain
    pile: int  # and for each card of the pile
    two: int  # keeping a two
    joker: int  # keeping a joker
    begins: int  # naturals with which a meld is begun from the hand, once the side has opened
    take_pair: int  # cards of a pile that is worth a pair
    take_wild: int  # cards of a pile that is worth a natural and a wild
    take_meld: int  # cards of a pile that is taken onto a standing meld
    few: int  # cards of the stock below which all is laid: the round is nearly over
    alarm: int  # cards in the hand of another that may go out, up to which all is laid


TWO_SIDES = Weights(
    mate=5, gift=68, pile=135, two=300, joker=0, begins=6, take_pair=6, take_wild=4, take_meld=2, few=7, alarm=2
)
"""Against one other side: its pile is worth a joker that freezes it."""

MORE_SIDES = Weights(
    mate=9, gift=13, pile=0, two=300, joker=300, begins=8, take_pair=2, take_wild=2, take_meld=0, few=7, alarm=2
)
"""Against several: who is next may leave the pile to others, and the round is short."""


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == _EXPERT:
        return expert(rules, TWO_SIDES if rules.sides == 2 else MORE_SIDES, row, actions, count)
    return bots.act(rules, bot, row, actions, count, draw)


@outer
def expert(rules, w, row, actions, count):
    """The action of the greatest worth, of equals the lowest."""
    hurry = in_a_hurry(rules, w, row)
    best, best_worth = int(actions[0]), -(1 << 30)
    for k in range(count):
        action = int(actions[k])
        value = worth(rules, w, row, action, hurry)
        if value > best_worth or (value == best_worth and action < best):
            best, best_worth = action, value
    return best


@inner
def worth(rules, w, row, action, hurry):
    """What `expert` thinks of an action, comparable among the legal actions of a position."""
    if action >= DISCARD:
        return -keep_worth(rules, w, row, action - DISCARD)
    if action in (RED_THREE, BLACK_THREES):
        return 2 * _LAY
    if action >= PLACE:
        return place_worth(rules, w, row, (action - PLACE) // 3, (action - PLACE) % 3, hurry)
    if action >= TAKE:
        return take_worth(rules, w, row, action - TAKE)
    return 0


@outer
def in_a_hurry(rules, w, row):
    """Whether to lay down all one can: the own side may go out, another soon will, or the stock is nearly out."""
    if row[rules.o_scalars] < w.few:
        return True
    for seat in range(1, rules.seats):
        side = seat % rules.sides
        if side != 0 and standing(rules, row, side, 0) >= rules.canastas and hand_size(row, seat) <= w.alarm:
            return True
    return standing(rules, row, 0, 0) >= rules.canastas


# What is seen ---------------------------------------------------------------------------------------------------------


@inner
def pile_size(rules, row):
    """Cards of the pile and beside it."""
    return int(row[rules.o_scalars + 1])


@inner
def frozen(rules, row):
    """Whether a wild lies beside the pile (K8)."""
    return row[rules.o_scalars + 4] + row[rules.o_scalars + 5] > 0


@inner
def known(row, seat, card):
    """Copies of a card that are known to be in the hand of another, `seat` to the left."""
    return int(row[TYPES + (seat - 1) * _OTHER + card])


@inner
def hand_size(row, seat):
    """Cards in the hand of another."""
    return int(row[TYPES + (seat - 1) * _OTHER + TYPES])


@inner
def hidden(row, seat):
    """Cards in the hand of another that are not known."""
    cards = hand_size(row, seat)
    for card in range(TYPES):
        cards -= known(row, seat, card)
    return cards


@inner
def unseen(rules, row, rank):
    """Naturals of a rank that lie in the stock or hidden in a hand."""
    left = int(COPIES[rank]) - int(row[rank]) - int(row[rules.o_pile + rank])
    for seat in range(1, rules.seats):
        left -= known(row, seat, rank)
    for side in range(rules.sides):
        left -= int(row[rules.o_sides + side * SIDE_SIZE + rank])
    return left


@outer
def risk(rules, row, rank):
    """Thousandths: how likely the next seat can take the pile with a natural of that rank on top (K7, K8)."""
    if not frozen(rules, row) and meld_size(rules, row, 1, rank) > 0:
        return _SURE
    pool = int(row[rules.o_scalars])
    for seat in range(1, rules.seats):
        pool += hidden(row, seat)
    more = min(_SURE, _SURE * unseen(rules, row, rank) * hidden(row, 1) // max(pool, 1))
    sure = known(row, 1, rank)
    if sure >= 2:
        return _SURE
    pair = more if sure == 1 else more * more // (2 * _SURE)
    if frozen(rules, row) or standing(rules, row, 1, 1) == 0:
        return pair
    # Whoever has opened may add a wild to a single one.
    return _SURE if sure == 1 else more


# What it is worth -----------------------------------------------------------------------------------------------------


@inner
def take_worth(rules, w, row, form):
    """More than the stock's card (0) for a pile that has enough cards for what it takes: pair, wild or nothing."""
    least = w.take_pair if form == 0 else w.take_meld if form == 3 else w.take_wild
    return 10 * (pile_size(rules, row) - least) + 1 - form


@inner
def place_worth(rules, w, row, rank, kind, hurry):
    """Naturals on standing melds at once; a new meld, or a wild but for a canasta, when there is a reason to."""
    value = int(POINTS[rank])
    if row[rules.o_scalars + 7 + _MELD_AT]:
        return 3 - kind
    size, held = meld_size(rules, row, 0, rank), int(row[rank])
    if size == 0:
        begins = hurry or held >= w.begins or standing(rules, row, 0, 1) == 0
        return _LAY + 300 * held + value if begins else -_LAY
    if kind == 0:
        # K8: a frozen pile asks for a pair in hand.
        kept = held == 2 and frozen(rules, row) and size < CANASTA - 1 and not hurry
        return -_LAY if kept else _LAY + 5000 + value
    wilds = int(row[TWO]) + int(row[JOKER])
    if size < CANASTA and size + wilds >= CANASTA:
        return _LAY + 4000 + 10 * size - kind
    return _LAY + 10 * size - kind if hurry else -_LAY


@outer
def keep_worth(rules, w, row, card):
    """What `expert` would give to keep a card, in points."""
    if card == TWO:
        return w.two
    if card == JOKER:
        return w.joker
    if card == RED:
        return -int(POINTS[RED])
    if card == BLACK:
        return 0
    return w.mate * (int(row[card]) - 1) + risk(rules, row, card) * (w.gift + w.pile * pile_size(rules, row)) // _SURE
