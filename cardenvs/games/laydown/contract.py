"""Contracts (V3-V5), compiled: which melds of one a hand can begin, and with which cards, and finish all the rest.

Every function is rules first. A hand is here three boards (uint64): the places of naturals held at least once, twice
and thrice, which is exact with three packs. A contract is laid in one order: sets before runs, sets by rising rank and
runs by rising place, so that a choice of melds has one way to be laid, but for melds that begin alike.

Whether melds that are chosen can be filled is a question of matching. A natural serves the places of runs that it is
the card of, and the sets of its rank. The fewest wilds are needed when runs take what they can and sets take of the
rest: a place of a run can be served by one card alone. And each meld has a natural (V4) exactly if any number of melds
has as many among them (Hall): what gives each one natural can be added to until the fewest wilds are left.
"""

from __future__ import annotations

import numpy as np

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE
from cardenvs.games.laydown.moves import by_card, in_all_places
from cardenvs.games.laydown.rules import CONTRACT_RUNS, CONTRACT_SETS, LAST_CONTRACT, Kind
from cardenvs.melds import ONE, ZERO, bit, emit, holds, in_every_suit, run_starts

SET_MIN = 3
"""Least length of a set."""


@inner
def held(g, seat):
    """A hand as boards."""
    return g.board[seat], g.twice[seat], g.thrice[seat]


@inner
def plus(hand, places):
    """A hand and one more of a card, whose places are given."""
    return hand[0] | places, hand[1] | hand[0] & places, hand[2] | hand[1] & places


@inner
def minus(hand, places):
    """A hand and one less of each card that it holds at these places: both places of an ace."""
    return hand[0] & ~places | hand[1] & places, hand[1] & ~places | hand[2] & places, hand[2] & ~places


@inner
def places_from(place, length):
    """The board of so many places in sequence."""
    return (bit(length) - ONE) << np.uint64(place)


@inner
def copies(hand, cards):
    """Naturals of a hand on a board of cards."""
    return popcount(hand[0] & cards) + popcount(hand[1] & cards) + popcount(hand[2] & cards)


@outer
def each_has_a_natural(hand, melds):
    """Whether three melds (boards of cards that serve; zero: wants none) can have a natural each."""
    a, b, c = melds
    for meld in melds:
        if meld != ZERO and meld & hand[0] == ZERO:
            return False
    if a != ZERO and b != ZERO and copies(hand, a | b) < 2:
        return False
    if a != ZERO and c != ZERO and copies(hand, a | c) < 2:
        return False
    if b != ZERO and c != ZERO and copies(hand, b | c) < 2:
        return False
    return a == ZERO or b == ZERO or c == ZERO or copies(hand, a | b | c) >= 3


# The rest of a contract: at most two melds beside one that is begun. They are plain loops, as code that calls itself
# cannot be kept in Numba's cache on disk. `melds` are, of each meld that has no natural yet, the cards that serve.


@inner
def run_options(rules, hand, left, wilds, place):
    """Where a run may begin, from a place on, when chosen runs leave `left` of a hand; board."""
    starts = run_starts(left[0], rules.run_min, wilds, rules.run_valid)
    if wilds >= rules.run_min:  # A chosen run may cede the one natural that this one needs.
        starts |= run_starts(hand[0], rules.run_min, wilds, rules.run_valid)
    return starts & ~(bit(place) - ONE)


@outer
def completes(rules, hand, wilds, left, runs, place, part, part_left, sets, rank, due):
    """Whether a hand can lay so many runs, then what a half-laid set wants, then so many sets.

    Args:
        hand: of which what is half laid has not been taken.
        wilds, left: what a half-laid run leaves of the wilds and of the hand.
        runs, place: runs to lay, from that place on.
        part, part_left: the cards that may go on a half-laid set, and how many it wants.
        sets, rank: sets to lay, of that rank or above; sets and runs are two at most.
        due: the cards that serve what is half laid, if it has no natural yet.
    """
    if runs == 0:
        return sets_complete(rules, hand, wilds, left, part, part_left, sets, rank, (due, ZERO, ZERO))
    if runs == 1:
        return run_completes(rules, hand, wilds, left, place, part, part_left, sets, rank, due, ZERO)
    starts = run_options(rules, hand, left, wilds, place)
    while starts != ZERO:
        low = ctz(starts)
        starts &= starts - ONE
        window = places_from(low, rules.run_min)
        used = by_card(rules, left[0] & window)
        missing = rules.run_min - popcount(used)
        if missing <= wilds:
            rest, first = minus(left, in_all_places(rules, used)), by_card(rules, window)
            if run_completes(rules, hand, wilds - missing, rest, low, part, part_left, sets, rank, due, first):
                return True
    return False


@outer
def run_completes(rules, hand, wilds, left, place, part, part_left, sets, rank, due, first):
    """See `completes`, for one run; `first` are the cards that serve the run chosen before."""
    starts = run_options(rules, hand, left, wilds, place)
    while starts != ZERO:
        low = ctz(starts)
        starts &= starts - ONE
        window = places_from(low, rules.run_min)
        used = by_card(rules, left[0] & window)
        missing = rules.run_min - popcount(used)
        if missing <= wilds:
            rest, melds = minus(left, in_all_places(rules, used)), (by_card(rules, window), due, first)
            if sets_complete(rules, hand, wilds - missing, rest, part, part_left, sets, rank, melds):
                return True
    return False


@outer
def sets_complete(rules, hand, wilds, left, part, part_left, sets, rank, melds):
    """See `completes`, when all runs are chosen."""
    taken = min(part_left, copies(left, part))  # naturals of `rank` that are spoken for
    wilds -= part_left - taken
    if wilds < 0:
        return False
    if sets == 0:
        return each_has_a_natural(hand, melds)
    if sets == 1:
        return set_completes(rules, hand, wilds, left, rank, taken, melds)
    for each in range(rank, rules.ranks):
        before = taken if each == rank else 0
        naturals = min(SET_MIN, copies(left, in_every_suit(bit(each))) - before)
        if SET_MIN - naturals <= wilds:
            both = (in_every_suit(bit(each)), melds[0], melds[1])
            if set_completes(rules, hand, wilds - SET_MIN + naturals, left, each, before + naturals, both):
                return True
    return False


@outer
def set_completes(rules, hand, wilds, left, rank, taken, melds):
    """See `completes`, for one set of `rank` or above, when that many naturals of `rank` are spoken for."""
    for each in range(rank, rules.ranks):
        of_rank = in_every_suit(bit(each))
        naturals = copies(left, of_rank) - (taken if each == rank else 0)
        if SET_MIN - naturals <= wilds and each_has_a_natural(hand, (of_rank, melds[0], melds[1])):
            return True
    return False


@outer
def finishes_set(rules, hand, wilds, cards, left, due, sets, rank, runs):
    """Whether a hand can put `left` more cards, naturals of a board or wilds, on a set, and then lay what else is owed.

    `due`: the set has no natural yet. Of what is owed, the sets are of `rank` or above.
    """
    if due and hand[0] & cards == ZERO:
        return False
    return completes(rules, hand, wilds, hand, runs, 0, cards, left, sets, rank, cards if due else ZERO)


@outer
def finishes_run(rules, hand, wilds, places, due, runs, place):
    """Whether a hand can fill the places of a board, and then lay what else is owed: runs from that place on.

    `due`: there is no natural in the run yet.
    """
    used = by_card(rules, hand[0] & places)
    missing = popcount(places) - popcount(used)
    if missing > wilds or (due and used == ZERO):
        return False
    rest, cards = minus(hand, in_all_places(rules, used)), by_card(rules, places) if due else ZERO
    return completes(rules, hand, wilds - missing, rest, runs, place, ZERO, 0, 0, 0, cards)


@outer
def beginnings(rules, hand, wilds, sets, runs, least, one):
    """Where a hand that owes sets and runs can begin the next and finish all: ranks (bits 0-15), or places of runs.

    `least`: rank or place below which none may begin; `one`: the first that is found is enough.
    """
    found = ZERO
    starts = run_starts(hand[0], rules.run_min, wilds, rules.run_valid)
    if runs > 0 and starts == ZERO:
        return found
    if sets > 0:
        starts = bit(rules.ranks) - ONE
    starts &= ~(bit(least) - ONE)
    while starts != ZERO and not (one and found != ZERO):
        at = ctz(starts)
        starts &= starts - ONE
        if sets > 0:
            of_rank = in_every_suit(bit(at))
            can = copies(hand, of_rank) + wilds >= SET_MIN
            can = can and finishes_set(rules, hand, wilds, of_rank, SET_MIN, True, sets - 1, at, runs)
        else:
            can = finishes_run(rules, hand, wilds, places_from(at, rules.run_min), True, runs - 1, at)
        if can:
            found |= bit(at)
    return found


# What is legal -------------------------------------------------------------------------------------------------------


@inner
def keeps(rules, g):
    """Cards that stay in hand for the discard: none where one may go out by melding (V7)."""
    # Games without contracts need not touch that far end of the record.
    return 0 if rules.contracts and g.contract == LAST_CONTRACT else rules.keep_card


@inner
def begun(g):
    """Whether the seat whose turn it is has laid a meld of the contract, and owes more: nothing else may be done."""
    owed = g.owed_sets + g.owed_runs
    return 0 < owed < CONTRACT_SETS[g.contract] + CONTRACT_RUNS[g.contract]


@inner
def legal_contract(rules, g, to_lay, actions):
    """The sets that can be begun, or where no set is owed the runs, and all the rest laid with `to_lay` cards."""
    sets, runs = int(g.owed_sets), int(g.owed_runs)
    if sets + runs == 0 or to_lay < SET_MIN * sets + rules.run_min * runs:
        return 0
    found = beginnings(rules, held(g, g.seat), int(g.wilds[g.seat]), sets, runs, int(g.least), False)
    return emit(found, rules.a_set if sets > 0 else rules.a_run, 16 - rules.ranks, 1, actions, 0)


@outer
def legal_contract_fill(rules, g, actions):
    """The naturals and wilds after which the half-laid meld and the rest of the contract can be finished."""
    hand, wilds = held(g, g.seat), int(g.wilds[g.seat])
    sets, runs, left = int(g.owed_sets), int(g.owed_runs), int(g.meld_left) - 1
    place, due = int(g.meld_place), g.meld_naturals == 0
    n = 0
    if g.meld_kind == Kind.SET:
        of_rank = in_every_suit(bit(place))
        for suit in range(int(g.meld_suit), rules.suits):
            card = bit(suit * 16 + place)
            # Suits that are lower come no more; after a wild none does.
            after = of_rank & ~(card - ONE)
            if hand[0] & card != ZERO:
                rest = minus(hand, in_all_places(rules, card))
                if finishes_set(rules, rest, wilds, after, left, False, sets - 1, place, runs):
                    actions[n] = rules.a_fill + 1 + rules.kinds + suit
                    n += 1
        if wilds > 0 and not due and finishes_set(rules, hand, wilds - 1, ZERO, left, False, sets - 1, place, runs):
            n = emit_wilds(rules, g, actions, n)
        return n
    low, to_come = int(g.meld_low[g.meld_slot]), places_from(place + 1, left)
    if holds(hand[0], place):
        rest = minus(hand, in_all_places(rules, by_card(rules, bit(place))))
        if finishes_run(rules, rest, wilds, to_come, False, runs - 1, low):
            actions[n] = rules.a_fill
            n += 1
    if wilds > 0 and finishes_run(rules, hand, wilds - 1, to_come, due, runs - 1, low):
        n = emit_wilds(rules, g, actions, n)
    return n


@inner
def emit_wilds(rules, g, actions, n):
    """Fill with each kind of wild in hand."""
    for kind in range(rules.kinds):
        if g.hand[g.seat, rules.suits * rules.ranks + kind] > 0:
            actions[n] = rules.a_fill + 1 + kind
            n += 1
    return n


@inner
def meld_done(g):
    """A meld of the contract stands: it is owed no more, and with the last of them the seat has opened (V5)."""
    if g.meld_kind == Kind.SET:
        g.owed_sets -= 1
        g.least = g.meld_low[g.meld_slot] if g.owed_sets > 0 else 0
    else:
        g.owed_runs -= 1
        g.least = g.meld_low[g.meld_slot]
    if g.owed_sets + g.owed_runs == 0:
        g.opened[g.seat] = 1
        g.least = 0


# What a card would add -----------------------------------------------------------------------------------------------


@outer
def top_completes(rules, g, seat):
    """Whether a hand could lay the contract with the pile's top card, and could not without."""
    if g.opened[seat]:
        return False
    hand, wilds, card = held(g, seat), int(g.wilds[seat]), int(g.pile[g.n_pile - 1])
    sets, runs = int(CONTRACT_SETS[g.contract]), int(CONTRACT_RUNS[g.contract])
    if g.hand_size[seat] + 1 - keeps(rules, g) < SET_MIN * sets + rules.run_min * runs:
        return False
    if beginnings(rules, hand, wilds, sets, runs, 0, True) != ZERO:
        return False
    if card >= rules.suits * rules.ranks:
        wilds += 1
    else:
        hand = plus(hand, in_all_places(rules, bit(PLACE[rules.ranks, card])))
    return beginnings(rules, hand, wilds, sets, runs, 0, True) != ZERO
