"""The bot `expert` of the `laydown` family, compiled: from the observation row and the legal actions alone.

It keeps what it could lay in its hand, so that nobody lays off on it, until it can go out or holds too much to be
caught with; and it weighs every discard by what it leaves in the hand against what it gives to the next seat.
Where there is a contract, `contractor` plays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardenvs._jit import ctz, inner, outer
from cardenvs.cards import PLACE
from cardenvs.games.laydown import bots, contractor
from cardenvs.games.laydown.bots import laid_off_points, run_worth
from cardenvs.games.laydown.rules import Phase
from cardenvs.games.laydown.sight import (
    copies_live,
    look,
    loose,
    loose_after,
    points_of,
    size_of,
    with_card,
    without,
)
from cardenvs.melds import ONE, ZERO, bit, holds, in_every_suit, rank_counts_at_least_3, run_starts

NAMES = (*bots.NAMES, "expert")

_EXPERT = NAMES.index("expert")
_DRAW, _PLAY = 7 + int(Phase.DRAW), 7 + int(Phase.PLAY)
"""Where the row has the phase, from `rules.o_scalars` on."""

_ONE_EACH = np.uint64(0xFFFF)
"""A board with one card of every rank."""

_SURE = 1000
"""A chance is counted in thousandths."""

_LAY = 1 << 24
"""More than any discard is worth: what is to be laid is laid first."""


class Weights(NamedTuple):
    """What `expert` goes by in one game: worths, of which the ratios matter, or as said."""

    card: int  # a card in hand that could not be laid now
    points: int  # a point of such a card
    late: int  # the same, times `Sight.peril`: others are about to go out
    pair: int  # a card yet unseen that would make a meld of two such cards
    near: int  # one that would make a pair of such a card
    danger: int  # giving the next seat a card that it melds, where that is certain
    gift: int  # giving away a card that fits the table
    stock: int  # what the stock's card, yet unseen, brings on the average
    pile: int  # each card of a pile that is taken, but for the top
    missing: int  # a card that the first run still lacks, where it is longer than others (C8)
    opening: int  # a card yet unseen that would bring the first run nearer
    hold: int  # points that could be laid, times `Sight.peril`: up to this they stay in the hand; -1: never


RUMMY = Weights(
    card=765, points=0, late=10, pair=32, near=0, danger=80, gift=0, stock=70, pile=0, missing=0, opening=0, hold=2000
)
CACHONS = Weights(
    card=171, points=2, late=0, pair=25, near=2, danger=0, gift=300, stock=94, pile=-9, missing=269, opening=5,
    hold=2000,
)  # fmt: skip
NUMBER_CACHONS = Weights(
    card=171, points=0, late=10, pair=30, near=2, danger=0, gift=0, stock=0, pile=20, missing=0, opening=0, hold=-1
)


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == _EXPERT:
        if rules.contracts:
            return contractor.expert(rules, contractor.LIVERPOOL, row, actions, count)
        return expert(rules, weights(rules), row, actions, count)
    return bots.act(rules, bot, row, actions, count, draw)


@inner
def weights(rules):
    """Those of the variant, known by what its rules have."""
    if rules.table_counts:
        return NUMBER_CACHONS
    return CACHONS if rules.kinds > 0 else RUMMY


@outer
def expert(rules, w, row, actions, count):
    """The action of the greatest worth, of equals the lowest; where nothing is drawn, laid or discarded, `greedy`'s."""
    if row[rules.o_scalars + _PLAY]:
        return best_play(rules, w, row, actions, count)
    if row[rules.o_scalars + _DRAW] == 0:
        return bots.greedy(rules, row, actions, count)
    s = look(rules, row)
    best, best_worth = int(actions[0]), -(1 << 40)
    for k in range(count):
        action = int(actions[k])
        value = draw_worth(rules, w, row, s, action)
        if value > best_worth or (value == best_worth and action < best):
            best, best_worth = action, value
    return best


@inner
def best_play(rules, w, row, actions, count):
    """What to lay, or to discard."""
    s = look(rules, row)
    left, sets_first = loose(rules, s)
    stake = (points_held(rules, row) - points_of(rules, left[0]) - points_of(rules, left[1])) * s.peril
    best, best_worth = int(actions[0]), -(1 << 40)
    for k in range(count):
        action = int(actions[k])
        if action >= rules.a_discard:
            value = discard_worth(rules, w, row, s, action - rules.a_discard)
        else:
            value = lay_worth(rules, w, row, s, action, size_of(left), sets_first, stake)
        if value > best_worth or (value == best_worth and action < best):
            best, best_worth = action, value
    return best


# What it is worth -----------------------------------------------------------------------------------------------------


@inner
def points_held(rules, row):
    """Points of all cards in hand."""
    naturals = rules.suits * rules.ranks
    points = 0
    for card in range(naturals):
        points += int(row[card]) * rules.points[card % rules.ranks]
    for kind in range(rules.kinds):
        points += int(row[naturals + kind]) * rules.points[rules.ranks + kind]
    return points


@inner
def lay_worth(rules, w, row, s, action, cards, sets_first, stake):
    """A meld, a lay-off or a swap: above or below every discard, and best what leaves fewest of the `cards` loose.

    They are held back while others are far from going out, unless one goes out with them.
    """
    out = cards <= 1
    now = out or stake > w.hold
    if rules.kinds > 0 and action >= rules.a_swap_wild:
        return _LAY + 4000 - 10000 * loose_after(rules, s, action)
    if action >= rules.a_lay_off_run:
        value = 2000 + laid_off_points(rules, row, action)
        if not (rules.sets and action >= rules.a_lay_off_set):
            after = loose_after(rules, s, action)
            natural = holds(s.once, PLACE[rules.ranks, (action - rules.a_lay_off_run) >> 1])
            # A wild that rids the hand of nothing but itself can be laid off any time.
            now = out or (now and (natural or after < cards))
            value -= 10000 * after
    elif rules.sets and action >= rules.a_set:
        value = (9000 if sets_first else 3000) + 3 * rules.points[action - rules.a_set]
    else:
        value = 4000 + run_worth(rules, row, s.once, action - rules.a_run)
        if rules.kinds > 0:
            value -= 10000 * loose_after(rules, s, action)
    return value + _LAY if now else value - _LAY


@outer
def discard_worth(rules, w, row, s, card):
    """What is left in the hand, less what the next seat is given; a wild goes last."""
    naturals = rules.suits * rules.ranks
    if card >= naturals:
        return -(_LAY >> 1) - rules.points[rules.ranks + card - naturals]
    place = PLACE[rules.ranks, card]
    value = hand_worth(rules, w, without(s, place))
    if holds(s.above | s.below | s.sets, place):
        return value - w.gift
    return value - w.danger * danger(rules, row, s, card) // _SURE


@outer
def draw_worth(rules, w, row, s, action):
    """The hand with what is drawn, after the best discard; of the stock's card only the average is known."""
    if action == 0:
        return hand_worth(rules, w, s) + w.stock
    drawn = s
    if action == rules.a_draw_pile and rules.show_pile:
        cards = -1
        for card in range(rules.suits * rules.ranks + rules.kinds):
            cards += int(row[rules.o_pile + card])
            for _ in range(int(row[rules.o_pile + card])):
                drawn = with_card(rules, drawn, card)
    else:
        for card in range(rules.suits * rules.ranks + rules.kinds):
            if row[rules.o_pile_top + card] > 0:
                drawn = with_card(rules, drawn, card)
        cards = int(row[rules.o_scalars + 1]) - 1 if action == rules.a_draw_pile else 0
        # N5: who takes the pile must be sure of a new meld.
        if rules.pile_duty > 0 and row[rules.o_scalars + 5] == 0:
            return -_LAY
    return best_after_discard(rules, w, drawn) + w.pile * cards


@inner
def best_after_discard(rules, w, s):
    """Worth of the hand less the natural that it misses least."""
    best = -_LAY
    left = s.once
    while left != ZERO:
        best = max(best, hand_worth(rules, w, without(s, ctz(left))))
        left &= left - ONE
    return best


@outer
def hand_worth(rules, w, s):
    """The cards that could not be laid now, against the cards yet unseen that would help them."""
    left, _ = loose(rules, s)
    points = points_of(rules, left[0]) + points_of(rules, left[1])
    value = outs_worth(rules, w, s, left) - w.card * size_of(left)
    value -= w.points * points + w.late * points * s.peril // _SURE
    if rules.open_run > 0 and s.opened == 0:
        value += opening_worth(rules, w, s)
    return value


@inner
def outs_worth(rules, w, s, left):
    """The cards yet unseen that would make a meld of two cards of what is left, or a pair of one."""
    single, valid = left[0] | left[1], rules.valid
    # A place past a suit's end is none, so that steps of two cannot lead from one suit to another.
    up, down = (single << ONE) & valid, (single >> ONE) & valid
    up_2, down_2 = (up << ONE) & valid, (down >> ONE) & valid
    pairs, near = (up & up_2) | (down & down_2) | (up & down), up | up_2 | down | down_2
    if rules.sets:
        # Of two of a rank the next is the third; and whatever there is counted thrice.
        pairs |= in_every_suit(rank_counts_at_least_3(left[0], left[1], _ONE_EACH))
        near |= in_every_suit(rank_counts_at_least_3(single, single, single))
    return w.pair * copies_live(s, pairs) + w.near * copies_live(s, near)


@inner
def opening_worth(rules, w, s):
    """What the first run still lacks (C8), and the cards yet unseen that would bring it nearer."""
    lacks = 0
    starts = run_starts(s.once, rules.open_run, s.wilds, rules.open_valid)
    # A hand of wilds alone can never begin it (C10).
    while starts == ZERO and lacks < rules.open_run:
        lacks += 1
        starts = run_starts(s.once, rules.open_run, s.wilds + lacks, rules.open_valid)
    if lacks == 0:
        return 0
    places = starts
    for i in range(1, rules.open_run):
        places |= starts << np.uint64(i)
    return w.opening * copies_live(s, places & ~s.once) - w.missing * lacks


# What it gives --------------------------------------------------------------------------------------------------------


@inner
def chance(rules, row, s, card):
    """Thousandths: how likely the next seat holds a natural."""
    if row[rules.o_others + 3 + card] > 0:
        return _SURE
    copies = copies_live(s, bit(PLACE[rules.ranks, card]))
    return min(_SURE, _SURE * copies * int(row[rules.o_others]) // s.unseen)


@outer
def danger(rules, row, s, card):
    """Thousandths: how likely the next seat melds a natural with two that it holds; pairs of them are added up."""
    rank = card % rules.ranks
    below_2 = chance(rules, row, s, card - 2) if rank >= 2 else 0
    below_1 = chance(rules, row, s, card - 1) if rank >= 1 else 0
    above_1 = chance(rules, row, s, card + 1) if rank + 1 < rules.ranks else 0
    above_2 = chance(rules, row, s, card + 2) if rank + 2 < rules.ranks else 0
    total = below_2 * below_1 + below_1 * above_1 + above_1 * above_2
    if rules.sets:
        others = 0
        for suit in range(rules.suits):
            other = suit * rules.ranks + rank
            if other != card or rules.copies > 1:
                likely = chance(rules, row, s, other)
                total += others * likely
                others += likely
    return min(total // _SURE, _SURE)
