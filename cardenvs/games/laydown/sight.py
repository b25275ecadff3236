"""What a seat of the `laydown` family sees, as boards, and what it could lay: pure functions, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE
from cardenvs.games.laydown.bots import board, table_sets
from cardenvs.melds import ONE, ZERO, bit, holds, in_every_suit, rank_counts_at_least_3, run_starts

_TWO = np.uint64(2)


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
    above = (board(rules, row, rules.o_run_top) << ONE) & rules.valid
    below = (board(rules, row, rules.o_run_bottom) >> ONE) & rules.valid
    opened = int(row[rules.o_scalars + 3] != 0 or not rules.lay_off_opened)
    sets = table_sets(rules, row)
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


@inner
def copies_live(s, places):
    """Cards yet unseen at these places, at most two of each."""
    return popcount(places & s.live) + popcount(places & s.live_twice)


@inner
def points_of(rules, cards):
    """Points of the naturals of a board."""
    points = 0
    while cards != ZERO:
        points += rules.points[ctz(cards) & 15]
        cards &= cards - ONE
    return points


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
