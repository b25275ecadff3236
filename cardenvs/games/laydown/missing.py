"""How far a hand is from its contract (V3-V5), compiled: cards that it lacks, and those that it cannot do without.

A plan is a choice of melds. What it lacks is fewest when its runs take of the hand what they can, and its sets of the
rest (see `contract`); wilds fill as many places as there are. That each meld wants a natural costs nothing more as long
as there are as many naturals as melds: a meld that has none can be chosen anew around one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE
from cardenvs.games.laydown.contract import SET_MIN, begun, copies, held, minus, places_from, plus
from cardenvs.games.laydown.moves import by_card, in_all_places, type_at
from cardenvs.games.laydown.rules import CONTRACT_RUNS, CONTRACT_SETS, Phase
from cardenvs.melds import ONE, ZERO, bit, run_starts


@outer
def naturals_of_sets(rules, hand, sets):
    """Most naturals of a hand that so many sets hold."""
    # Ranks of which one card, or two, are in no group of three so far.
    one, two, threes = ZERO, ZERO, 0
    for board in hand:
        for suit in range(rules.suits):
            ranks = (board >> np.uint64(16 * suit)) & (bit(rules.ranks) - ONE)
            threes += popcount(two & ranks)
            one, two = ranks & ~(one | two) | one & ~ranks, one & ranks | two & ~ranks
    threes = min(sets, threes)
    twos = min(sets - threes, popcount(two))
    return SET_MIN * threes + 2 * twos + min(sets - threes - twos, popcount(one))


def _and_one_run(runs: int, fewer: Callable[..., int]) -> Callable[..., int]:
    """The most naturals of so many runs and the sets, from the function for one run less; Numba cannot cache recursion.

    Of the runs that one chooses, the first may be the one that holds most: hence the bound.
    """

    @outer
    def naturals(rules, hand, sets):
        most_of_sets = best = naturals_of_sets(rules, hand, sets)
        tried = ZERO
        for in_run in range(rules.run_min, 0, -1):
            bound = runs * in_run + most_of_sets
            starts = run_starts(hand[0], rules.run_min, rules.run_min - in_run, rules.run_valid) & ~tried
            tried |= starts
            while starts != ZERO and best < bound:
                window = places_from(ctz(starts), rules.run_min)
                starts &= starts - ONE
                left = minus(hand, in_all_places(rules, by_card(rules, hand[0] & window)))
                best = max(best, in_run + fewer(rules, left, sets))
            if best >= bound:
                break
        return best

    return naturals


naturals_of_run = _and_one_run(1, naturals_of_sets)
naturals_of_2_runs = _and_one_run(2, naturals_of_run)
naturals_of_3_runs = _and_one_run(3, naturals_of_2_runs)


@outer
def missing(rules, hand, wilds, sets, runs):
    """Fewest cards that must come before a hand can lay so many sets and runs, whether or not such cards are left."""
    if runs == 0:
        naturals = naturals_of_sets(rules, hand, sets)
    elif runs == 1:
        naturals = naturals_of_run(rules, hand, sets)
    elif runs == 2:
        naturals = naturals_of_2_runs(rules, hand, sets)
    else:
        naturals = naturals_of_3_runs(rules, hand, sets)
    lacking = SET_MIN * sets + rules.run_min * runs - naturals - wilds
    return max(lacking, sets + runs - copies(hand, by_card(rules, rules.valid)), 0)


# In the observation row ----------------------------------------------------------------------------------------------


@outer
def observe_missing(rules, g, seat, row):
    """Write how many cards the contract lacks, whether the pile's top card is one, and those in hand that it needs.

    A contract that is laid, or is being laid and so can be finished, lacks nothing.
    """
    if g.opened[seat] or (seat == g.turn and (begun(g) or g.phase == Phase.FILL)):
        return
    hand, wilds = held(g, seat), int(g.wilds[seat])
    sets, runs = int(CONTRACT_SETS[g.contract]), int(CONTRACT_RUNS[g.contract])
    lacking = missing(rules, hand, wilds, sets, runs)
    row[rules.o_missing] = lacking
    if g.phase == Phase.PLAY and seat == g.turn:
        observe_needed(rules, hand, wilds, sets, runs, lacking, row)
    elif (g.phase == Phase.DRAW or g.phase == Phase.CLAIM) and g.n_pile > 0:
        card = int(g.pile[g.n_pile - 1])
        if card >= rules.suits * rules.ranks:
            wilds += 1
        else:
            hand = plus(hand, in_all_places(rules, bit(PLACE[rules.ranks, card])))
        row[rules.o_missing + 1] = missing(rules, hand, wilds, sets, runs) < lacking


@inner
def observe_needed(rules, hand, wilds, sets, runs, lacking, row):
    """Mark the naturals without one of which the contract would lack more."""
    cards = by_card(rules, hand[0])
    while cards != ZERO:
        place = ctz(cards)
        cards &= cards - ONE
        if missing(rules, minus(hand, in_all_places(rules, bit(place))), wilds, sets, runs) > lacking:
            row[rules.o_missing + 2 + type_at(rules, place)] = 1
