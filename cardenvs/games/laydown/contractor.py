"""The bot `expert` of Liverpool Rummy, compiled: from the observation row and the legal actions alone.

It plans the whole contract, all its melds at once, by the cards that are missing and by how many copies of each may yet
come; what the plan spares it keeps for the lay-offs by which one goes out. A short contract that can be laid, but not
gone out with, it holds back while nobody is near going out: nobody lays off on what is not on the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE
from cardenvs.games.laydown import bots
from cardenvs.games.laydown.bots import best_window, board, same_rank, table_ends, table_sets
from cardenvs.games.laydown.contract import SET_MIN, copies, minus, places_from, plus
from cardenvs.games.laydown.moves import by_card, in_all_places
from cardenvs.games.laydown.rules import LAST_CONTRACT, Phase
from cardenvs.games.laydown.sight import seen
from cardenvs.melds import ONE, ZERO, bit, holds, in_every_suit, run_starts

_DRAW, _PLAY, _CLAIM = 7 + int(Phase.DRAW), 7 + int(Phase.PLAY), 7 + int(Phase.CLAIM)
"""Where the row has the phase, from `rules.o_scalars` on."""

_BITS = 8
"""Missing cards are counted in one integer, by how many copies may yet come: so many bits for each number."""

_LAY = 1 << 24
"""More than any discard is worth: what is to be laid is laid first."""

_SHORT = 6
"""Cards of the contracts that may be held back. Measured: with longer ones it costs more points than it wins."""

_FAR = 1 << 30
"""What no plan costs."""


class Weights(NamedTuple):
    """What the bot goes by; the ratios of the first two matter, and of the others."""

    missing: tuple[int, int, int, int, int]  # cost of a card of which 0, 1, 2, 3, more copies may yet come
    buy: int  # cost that a purchase must save, and more
    planned: int  # worth of a card of the plan
    own_fit: int  # of one beside a run of the plan
    alike: int  # of each other card of its rank, where sets are owed
    window: int  # of each other card within a run's length, where runs are owed
    gift: int  # of a card that fits the table
    danger: int  # of each card that the next seat is known to hold and that may go with it
    reach: int  # of one that is a card away from it, once the contract is laid
    points: int  # a point of a card, before the contract is laid
    points_after: int  # after it
    late_after: int  # the same, times `Hand.peril` / 100
    hold: int  # `peril` up to which a contract that one cannot go out with is held back


LIVERPOOL = Weights(
    missing=(2000, 1625, 1150, 1100, 1000),
    buy=0,
    planned=1000,
    own_fit=60,
    alike=80,
    window=80,
    gift=300,
    danger=50,
    reach=60,
    points=12,
    points_after=9,
    late_after=5,
    hold=30,
)


class Hand(NamedTuple):
    """What a seat has and needs; boards as in `cardenvs.games.laydown.contract`.

    Attributes:
        held: naturals held at least once, twice and thrice.
        wilds: held.
        live: naturals of which one, two and three copies at least are not seen anywhere.
        sets, runs: of the contract, yet to be laid.
        peril: how soon those who have opened may go out: 1000 for one with a single card, falling with the square of
            the cards.
    """

    held: tuple[np.uint64, np.uint64, np.uint64]
    wilds: int
    live: tuple[np.uint64, np.uint64, np.uint64]
    sets: int
    runs: int
    peril: int


@outer
def read(rules, row):
    """The row as a hand."""
    held, live = (ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO)
    for card in range(rules.suits * rules.ranks):
        places = in_all_places(rules, bit(PLACE[rules.ranks, card]))
        held = times(held, places, int(row[card]))
        live = times(live, places, rules.copies - seen(rules, row, card))
    peril = 0
    for i in range(rules.seats - 1):
        at = rules.o_others + i * rules.o_other_size
        if row[at + 1] > 0:
            size = max(int(row[at]), 1)
            peril += 1000 // (size * size)
    at = rules.o_contract + LAST_CONTRACT
    return Hand(held, int(row[rules.suits * rules.ranks]), live, int(row[at]), int(row[at + 1]), peril)


@inner
def times(boards, places, count):
    """Boards of what is there once, twice and thrice, with so many copies of one more card."""
    once, twice, thrice = boards
    if count > 0:
        once |= places
    if count > 1:
        twice |= places
    if count > 2:
        thrice |= places
    return once, twice, thrice


@inner
def with_top(rules, row, h):
    """The hand with the pile's top card."""
    held = h.held
    for card in range(rules.suits * rules.ranks):
        if row[rules.o_pile_top + card] > 0:
            held = plus(held, in_all_places(rules, bit(PLACE[rules.ranks, card])))
    return Hand(held, h.wilds, h.live, h.sets, h.runs, h.peril)


# The plan -------------------------------------------------------------------------------------------------------------


@outer
def plan(rules, w, h):
    """The cheapest way to the contract, among runs that each lack as few cards as any and the sets of what is left.

    Returns (cost of what is missing, board of the cards in hand that its runs want, ranks of its sets).
    """
    # A function for each run: one that calls itself plays the same, but crashes once Numba loads it from its cache.
    if h.runs == 0:
        return plan_sets(rules, w, h, h.held, 0)
    best = (_FAR, ZERO, ZERO)
    starts = nearest_runs(rules, h.held)
    while starts != ZERO:
        window = places_from(ctz(starts), rules.run_min)
        starts &= starts - ONE
        lacks, used, left = run_of(rules, h, h.held, window)
        if h.runs == 1:
            its = plan_sets(rules, w, h, left, lacks)
        else:
            its = plan_second_run(rules, w, h, left, lacks)
        if its[0] < best[0]:
            best = its[0], its[1] | used, its[2]
    return best


@outer
def plan_second_run(rules, w, h, held, lacks):
    """See `plan`: a second run of what the first leaves, and what comes after it."""
    best = (_FAR, ZERO, ZERO)
    starts = nearest_runs(rules, held)
    while starts != ZERO:
        window = places_from(ctz(starts), rules.run_min)
        starts &= starts - ONE
        more, used, left = run_of(rules, h, held, window)
        lacks_both = lacks + more
        if h.runs == 2:
            its = plan_sets(rules, w, h, left, lacks_both)
        else:
            its = plan_third_run(rules, w, h, left, lacks_both)
        if its[0] < best[0]:
            best = its[0], its[1] | used, its[2]
    return best


@outer
def plan_third_run(rules, w, h, held, lacks):
    """See `plan`: a third run of what two leave; no contract has sets beside."""
    best = (_FAR, ZERO, ZERO)
    starts = nearest_runs(rules, held)
    while starts != ZERO:
        window = places_from(ctz(starts), rules.run_min)
        starts &= starts - ONE
        more, used, _ = run_of(rules, h, held, window)
        cost = cost_of(w, lacks + more, h.wilds)
        if cost < best[0]:
            best = cost, used, ZERO
    return best


@outer
def plan_sets(rules, w, h, held, lacks):
    """See `plan`: the cheapest sets, one after the other, of what the runs leave."""
    ranks = ZERO
    for _ in range(h.sets):
        chosen, least, its = 0, _FAR, 0
        for rank in range(rules.ranks):
            if not holds(ranks, rank):
                more = set_lacks(h, held, rank)
                cost = cost_of(w, more, 0)
                if cost < least:
                    chosen, least, its = rank, cost, more
        ranks |= bit(chosen)
        lacks += its
    return cost_of(w, lacks, h.wilds), ZERO, ranks


@inner
def nearest_runs(rules, held):
    """Starts of the runs that lack fewest cards."""
    starts, lacking = ZERO, 0
    while starts == ZERO and lacking < rules.run_min:
        starts = run_starts(held[0], rules.run_min, lacking, rules.run_valid)
        lacking += 1
    return starts if starts != ZERO else rules.run_valid


@inner
def run_of(rules, h, held, window):
    """What a run lacks, the cards that it takes of a hand (board), and what it leaves."""
    lack = window & ~held[0]
    one, two, three = popcount(lack & h.live[0]), popcount(lack & h.live[1]), popcount(lack & h.live[2])
    lacks = popcount(lack) - one + ((one - two) << _BITS) + ((two - three) << 2 * _BITS) + (three << 3 * _BITS)
    used = by_card(rules, held[0] & window)
    return lacks, used, minus(held, in_all_places(rules, used))


@inner
def set_lacks(h, held, rank):
    """What a set lacks: for the second card there is one less to come than for the first."""
    cards = in_every_suit(bit(rank))
    lacks, live = 0, copies(h.live, cards)
    for i in range(SET_MIN - copies(held, cards)):
        lacks += 1 << _BITS * min(max(live - i, 0), 4)
    return lacks


@inner
def cost_of(w, lacks, wilds):
    """What missing cards cost when wilds take the place of the dearest."""
    cost = 0
    for k in range(5):
        number = (lacks >> _BITS * k) & ((1 << _BITS) - 1)
        filled = min(number, wilds)
        wilds -= filled
        cost += w.missing[k] * (number - filled)
    return cost


@inner
def beside(rules, cards):
    """Board of the cards next to those of a board."""
    places = in_all_places(rules, cards)
    return by_card(rules, (places << ONE | places >> ONE) & rules.valid)


@outer
def loose(rules, h, used, ranks, fits):
    """Naturals that could not be laid when a plan is laid and then all that fits it or the table."""
    fits |= in_every_suit(ranks)
    hand = by_card(rules, h.held[0]) & ~used
    more = beside(rules, used) & hand
    for _ in range(4):
        more |= beside(rules, more) & hand
    left = minus(h.held, in_all_places(rules, used))
    return copies((by_card(rules, left[0]), by_card(rules, left[1]), by_card(rules, left[2])), ~(fits | more))


# What is done ---------------------------------------------------------------------------------------------------------


@outer
def expert(rules, w, row, actions, count):
    """Draws, purchases and plays are its own; a half-laid meld is filled as `greedy` does."""
    at = rules.o_scalars
    if row[at + _PLAY]:
        return best_play(rules, w, row, actions, count)
    if count > 1 and row[at + _DRAW]:
        return rules.a_draw_top if takes_top(rules, w, row) else 0
    if row[at + _CLAIM]:
        return rules.a_claim if buys(rules, w, row) else rules.a_claim + 1
    return bots.greedy(rules, row, actions, count)


@inner
def takes_top(rules, w, row):
    """Rather than a card of the stock: for a lay-off, or when the contract comes nearer."""
    if bots.completes(rules, row, True):
        return True
    if row[rules.o_scalars + 3] != 0:
        return False
    h = read(rules, row)
    cost, used, ranks = plan(rules, w, h)
    if cost == 0:
        fits = table_ends(rules, row) | in_every_suit(ranks) | beside(rules, used)
        return by_card(rules, board(rules, row, rules.o_pile_top)) & fits != ZERO
    return plan(rules, w, with_top(rules, row, h))[0] < cost


@inner
def buys(rules, w, row):
    """Whether the card on offer is a wild, completes the contract or brings it nearer."""
    if bots.completes(rules, row, False):
        return True
    h = read(rules, row)
    return plan(rules, w, h)[0] - plan(rules, w, with_top(rules, row, h))[0] > w.buy


@inner
def best_play(rules, w, row, actions, count):
    """What to lay, or to discard: the action of the greatest worth, of equals the lowest."""
    h, fits = read(rules, row), table_ends(rules, row)
    cost, used, ranks = plan(rules, w, h) if h.sets + h.runs > 0 else (0, ZERO, ZERO)
    cards = SET_MIN * h.sets + rules.run_min * h.runs
    waits = cost == 0 and 0 < cards <= _SHORT and h.peril < w.hold
    waits = waits and loose(rules, h, used, ranks, fits) > 1
    best, best_worth = 0, -(1 << 40)
    for k in range(count):
        action = int(actions[k])
        if action >= rules.a_discard:
            value = -keep_worth(rules, w, row, h, used, ranks, fits, action - rules.a_discard)
        else:
            value = bots.worth(rules, row, h.held[0], (used, ranks, 0), action) + (-_LAY if waits else _LAY)
        if value > best_worth or (value == best_worth and action < best):
            best, best_worth = action, value
    return best


@outer
def keep_worth(rules, w, row, h, used, ranks, fits, card):
    """What a natural may still be good for, or do for the next seat, less its points; a wild goes last."""
    if card >= rules.suits * rules.ranks:
        return _LAY >> 1
    place, points = PLACE[rules.ranks, card], rules.points[card % rules.ranks]
    value = w.gift if holds(fits, place) else 0
    value += w.danger * known_with(rules, row, card)
    if h.sets + h.runs == 0:
        reach = beside(rules, fits & ~table_sets(rules, row))
        return value + w.reach * holds(reach, place) - points * (w.points_after + w.late_after * h.peril // 100)
    if holds(ranks, place & 15) or (row[card] == 1 and holds(used, place)):
        value += w.planned
    elif holds(beside(rules, used), place):
        value += w.own_fit
    if h.sets > 0:
        value += w.alike * (same_rank(rules, row, card) - 1)
    if h.runs > 0 and row[card] == 1:
        near = best_window(rules, h.held[0], place, rules.run_min)
        if rules.ace_high and (place & 15) == 0:
            near = max(near, best_window(rules, h.held[0], place + rules.ranks, rules.run_min))
        value += w.window * (near - 1)
    return value - points * w.points


@outer
def known_with(rules, row, card):
    """Cards known to be in the next seat's hand that may go with a natural in what it owes of the contract."""
    at, rank = rules.o_others, card % rules.ranks
    if row[at + 1] > 0:
        return 0
    found = 0
    if row[at + rules.o_other_owed] > 0:
        for suit in range(rules.suits):
            found += int(row[at + 3 + suit * rules.ranks + rank])
    if row[at + rules.o_other_owed + 1] > 0:
        for other in range(max(rank - rules.run_min + 1, 0), min(rank + rules.run_min, rules.ranks)):
            found += int(other != rank and row[at + 3 + card - rank + other] > 0)
    return found
