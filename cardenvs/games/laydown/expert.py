"""The bot `expert` of the `laydown` family, compiled: from the observation row and the legal actions alone.

It keeps what it could lay in its hand, so that nobody lays off on it, until it can go out or holds too much to be
caught with; and it weighs every discard by what it leaves in the hand against what it gives to the next seat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE
from cardenvs.games.laydown import bots
from cardenvs.games.laydown.bots import board, laid_off_points, run_worth
from cardenvs.games.laydown.rules import Phase
from cardenvs.melds import ONE, ZERO, bit, holds, in_every_suit, rank_counts_at_least_3, run_starts

NAMES = (*bots.NAMES, "expert")

_EXPERT = NAMES.index("expert")
_DRAW, _PLAY = 7 + int(Phase.DRAW), 7 + int(Phase.PLAY)
"""Where the row has the phase, from `rules.o_scalars` on."""

_TWO = np.uint64(2)

_ONE_EACH = np.uint64(0xFFFF)
"""A board with one card of every rank."""

_SURE = 1000
"""A chance is counted in thousandths."""

_LAY = 1 << 24
"""More than any discard is worth: what is to be laid is laid first."""


class Weights(NamedTuple):
    """What `expert` goes by in one game, in hundredths of what a meld's third card is worth, or as said."""

    card: int  # a card in hand that could not be laid now
    points: int  # a point of such a card
    late: int  # the same, times `Sight.peril`: others are about to go out
    pair: int  # a card yet unseen that would make a meld of two such cards
    chain: int  # one that would let such a card be laid, with a card beside it
    near: int  # one that would make a pair of such a card
    danger: int  # giving the next seat a card that it melds, where that is certain
    gift: int  # giving away a card that fits the table
    stock: int  # what the stock's card, yet unseen, brings on the average
    pile: int  # each card of a pile that is taken, but for the top
    missing: int  # a card that the first run still lacks, where it is longer than others (C8)
    opening: int  # a card yet unseen that would bring the first run nearer
    hold: int  # points that it could lay times `Sight.peril`: up to this they stay in the hand; -1: never
    hold_wild: int  # the same for wilds that would only be laid off


RUMMY = Weights(
    card=765, points=0, late=10, pair=32, chain=2, near=1, danger=54, gift=139, stock=45, pile=0, missing=0, opening=0,
    hold=2500, hold_wild=-1,
)  # fmt: skip
CACHONS = Weights(
    card=171, points=1, late=0, pair=25, chain=1, near=1, danger=54, gift=301, stock=47, pile=-9, missing=269,
    opening=5, hold=1100, hold_wild=17000,
)  # fmt: skip
NUMBER_CACHONS = Weights(
    card=171, points=0, late=10, pair=30, chain=23, near=2, danger=54, gift=94, stock=32, pile=20, missing=0,
    opening=0, hold=-1, hold_wild=-1,
)  # fmt: skip


class Sight(NamedTuple):
    """What a seat sees, as boards (`cardenvs.cards`).

    Attributes:
        once, twice: naturals held, and held at least twice.
        wilds: held.
        live, live_twice: naturals of which a copy is not seen anywhere, and of which two are not.
        above, below: places where the table's runs take a card.
        sets: all naturals of the ranks of which a set lies on the table.
        opened: 1 where the seat may lay off.
        peril: how soon others may go out: 1000 for one with a single card, falling with the square of the cards.
        unseen: cards that are not seen, at least 1.
    """

    once: np.uint64
    twice: np.uint64
    wilds: int
    live: np.uint64
    live_twice: np.uint64
    above: np.uint64
    below: np.uint64
    sets: np.uint64
    opened: int
    peril: int
    unseen: int


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == _EXPERT:
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


# What is seen ---------------------------------------------------------------------------------------------------------


@outer
def look(rules, row):
    """The row as boards."""
    once, twice, live, live_twice = ZERO, ZERO, ZERO, ZERO
    unseen = 0
    for card in range(rules.suits * rules.ranks):
        place = bit(PLACE[rules.ranks, card])
        if row[card] > 0:
            once |= place
        if row[card] > 1:
            twice |= place
        left = rules.copies - seen(rules, row, card)
        unseen += max(left, 0)
        if left > 0:
            live |= place
        if left > 1:
            live_twice |= place
    wilds = 0
    for kind in range(rules.kinds):
        wilds += int(row[rules.suits * rules.ranks + kind])
    peril = 0
    for i in range(rules.seats - 1):
        size = max(int(row[rules.o_others + i * rules.o_other_size]), 1)
        peril += 1000 // (size * size)
    ranks = ZERO
    if rules.sets:
        for rank in range(rules.ranks):
            if row[rules.o_sets + rank] > 0:
                ranks |= bit(rank)
    above = (board(rules, row, rules.o_run_top) << ONE) & rules.valid
    below = (board(rules, row, rules.o_run_bottom) >> ONE) & rules.valid
    opened = int(row[rules.o_scalars + 3] != 0 or not rules.lay_off_opened)
    sets = in_every_suit(ranks)
    return Sight(once, twice, wilds, live, live_twice, above, below, sets, opened, peril, max(unseen, 1))


@inner
def seen(rules, row, card):
    """Copies of a natural that lie in sight, or are known to be in a hand."""
    pile = rules.o_pile if rules.show_pile else rules.o_pile_top
    copies = int(row[card]) + int(row[rules.o_table + card]) + int(row[pile + card])
    for i in range(rules.seats - 1):
        copies += int(row[rules.o_others + i * rules.o_other_size + 3 + card])
    return copies


@inner
def holding(s, once, twice, wilds):
    """The same sight with another hand."""
    return Sight(
        once, twice, wilds, s.live, s.live_twice, s.above, s.below, s.sets, s.opened, s.peril, s.unseen
    )  # fmt: skip


@inner
def without(s, place):
    """The hand without a copy of the natural at a place."""
    gone = bit(place)
    if holds(s.twice, place):
        return holding(s, s.once, s.twice & ~gone, s.wilds)
    return holding(s, s.once & ~gone, s.twice, s.wilds)


@inner
def with_card(rules, s, card):
    """The hand with one more card."""
    if card >= rules.suits * rules.ranks:
        return holding(s, s.once, s.twice, s.wilds + 1)
    place = bit(PLACE[rules.ranks, card])
    return holding(s, s.once | place, s.twice | (s.once & place), s.wilds)


# What could be laid ---------------------------------------------------------------------------------------------------


@inner
def loose(rules, s):
    """What is left when all is laid that can be: (board, board of second copies, wilds); and whether sets went first.

    Of two ways the one that leaves fewer cards: where a card fits a run and a set, the other way may do better.
    """
    left = laid(rules, s, False)
    if rules.sets:
        other = laid(rules, s, True)
        if size_of(other) < size_of(left):
            return other, True
    return left, False


@inner
def size_of(left):
    """Cards of a hand: board, board of second copies, wilds."""
    return popcount(left[0]) + popcount(left[1]) + left[2]


@outer
def laid(rules, s, sets_first):
    """What is left when runs or sets are melded first, then the other, then all is laid off; wilds serve what is left.

    Returns (board, board of second copies, wilds).
    """
    once, twice, wilds, opened = s.once, s.twice, s.wilds, s.opened
    begun = ZERO
    if opened == 0 and rules.open_run > 0:
        begun, used = first_run(rules, s)
        if begun == ZERO:
            return once, twice, wilds
        once, twice, wilds, opened = (once & ~begun) | (twice & begun), twice & ~begun, wilds - used, 1
    if rules.sets and sets_first:
        ranks = ranks_of_three(once, twice)
        opened |= int((ranks & once) != ZERO)
        once, twice = once & ~ranks, twice & ~ranks
    starts = run_starts(once, 3, 0, rules.run_valid)
    runs = starts | (starts << ONE) | (starts << _TWO)
    opened |= int(runs != ZERO)
    once, begun = once & ~runs, begun | runs
    if rules.sets and not sets_first:
        ranks = ranks_of_three(once, twice)
        opened |= int((ranks & once) != ZERO)
        once, twice = once & ~ranks, twice & ~ranks
    if opened == 0:
        return once, twice, wilds
    once &= ~(s.sets | laid_off(rules, s, once, begun))
    twice &= ~(s.sets | laid_off(rules, s, twice, ZERO))
    if rules.kinds > 0:
        once, wilds = bridged(rules, s, once, begun, wilds), 0
    return once, twice, wilds


@inner
def ranks_of_three(once, twice):
    """All naturals of the ranks of which a hand holds three cards."""
    return in_every_suit(rank_counts_at_least_3(once, twice, ZERO))


@inner
def first_run(rules, s):
    """Places of a first run (C8) that takes fewest wilds, and how many it takes; no places where there is none."""
    for used in range(min(s.wilds + 1, rules.open_run)):
        starts = run_starts(s.once, rules.open_run, used, rules.open_valid)
        if starts != ZERO:
            low = bit(ctz(starts))
            places = low
            for i in range(1, rules.open_run):
                places |= low << np.uint64(i)
            return places, used
    return ZERO, 0


@inner
def laid_off(rules, s, cards, begun):
    """Those of the naturals that can be laid off, one after the other, on the table's runs or on those at `begun`."""
    up = (s.above | (begun << ONE)) & rules.valid & cards
    down = (s.below | (begun >> ONE)) & rules.valid & cards
    for _ in range(4):
        up |= (up << ONE) & cards
        down |= (down >> ONE) & cards
    return up | down


@inner
def bridged(rules, s, once, begun, wilds):
    """What is left of naturals when each wild makes a run of two of them, or leads from a run to one of them."""
    for _ in range(wilds):
        starts = run_starts(once, 3, 1, rules.run_valid)
        over = (s.above | (begun << ONE)) << ONE
        under = (s.below | (begun >> ONE)) >> ONE
        if starts != ZERO:
            low = bit(ctz(starts))
            places = low | (low << ONE) | (low << _TWO)
        elif ((over | under) & once) != ZERO:
            places = bit(ctz((over | under) & once))
        else:
            break
        begun |= places
        once &= ~places
        more = laid_off(rules, s, once, begun)
        begun |= more
        once &= ~more
    return once


@outer
def loose_after(rules, s, action):
    """Cards that could not be laid once a run, a lay-off on a run or a swap is played."""
    above, below = s.above, s.below
    if rules.kinds > 0 and action >= rules.a_swap_wild:
        s = without(s, PLACE[rules.ranks, (action - rules.a_swap_wild) // rules.kinds])
        s = holding(s, s.once, s.twice, s.wilds + 1)
    else:
        low, length = run_laid(rules, s, action)
        for place in range(low, low + length):
            s = without(s, place) if holds(s.once, place) else holding(s, s.once, s.twice, s.wilds - 1)
        if action < rules.a_lay_off_run or (action - rules.a_lay_off_run) & 1 == 0:
            above |= bit(low + length) & rules.valid
        if action < rules.a_lay_off_run or (action - rules.a_lay_off_run) & 1:
            below |= (bit(low) >> ONE) & rules.valid
    after = Sight(
        s.once, s.twice, s.wilds, s.live, s.live_twice, above, below, s.sets, 1, s.peril, s.unseen
    )  # fmt: skip
    left, _ = loose(rules, after)
    return size_of(left)


@inner
def run_laid(rules, s, action):
    """Lowest place, and number of places, that a run or a lay-off on a run fills."""
    if action >= rules.a_lay_off_run:
        return PLACE[rules.ranks, (action - rules.a_lay_off_run) >> 1], 1
    least = rules.run_min if s.opened or rules.open_run == 0 else rules.open_run
    return PLACE[rules.ranks, action - rules.a_run], least


# What it is worth -----------------------------------------------------------------------------------------------------


@inner
def points_of(rules, cards):
    """Points of the naturals of a board."""
    points = 0
    while cards != ZERO:
        points += rules.points[ctz(cards) & 15]
        cards &= cards - ONE
    return points


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
            wild = not holds(s.once, PLACE[rules.ranks, (action - rules.a_lay_off_run) >> 1])
            if wild and after >= cards and not out:
                now = stake > w.hold_wild
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
def copies_live(s, places):
    """Cards yet unseen at these places, at most two of each."""
    return popcount(places & s.live) + popcount(places & s.live_twice)


@inner
def outs_worth(rules, w, s, left):
    """The cards yet unseen that would help what is left."""
    single, held, valid = left[0] | left[1], s.once, rules.valid
    # A place past a suit's end is none, so that steps of two cannot lead from one suit to another.
    up_1, down_1 = (single << ONE) & valid, (single >> ONE) & valid
    up_2, down_2 = (up_1 << ONE) & valid, (down_1 >> ONE) & valid
    held_up_1, held_down_1 = (held << ONE) & valid, (held >> ONE) & valid
    held_up_2, held_down_2 = (held_up_1 << ONE) & valid, (held_down_1 >> ONE) & valid
    pairs = (up_1 & up_2) | (down_1 & down_2) | (up_1 & down_1)
    chains = (up_1 & held_up_2) | (held_up_1 & up_2) | (down_1 & held_down_2) | (held_down_1 & down_2)
    chains |= (up_1 & held_down_1) | (held_up_1 & down_1) | (s.above & down_1) | (s.below & up_1)
    near = up_1 | up_2 | down_1 | down_2
    if rules.sets:
        # Of two of a rank the next is the third; and whatever there is counted thrice.
        pairs |= in_every_suit(rank_counts_at_least_3(left[0], left[1], _ONE_EACH))
        near |= in_every_suit(rank_counts_at_least_3(single, single, single))
    return w.pair * copies_live(s, pairs) + w.chain * copies_live(s, chains & ~pairs) + w.near * copies_live(s, near)


@inner
def opening_worth(rules, w, s):
    """What the first run still lacks (C8), and the cards yet unseen that would bring it nearer."""
    lacks = 0
    starts = run_starts(s.once, rules.open_run, s.wilds, rules.open_valid)
    while starts == ZERO:
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
