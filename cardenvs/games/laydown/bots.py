"""Compiled bots of the `laydown` family: from the observation row and the legal actions alone."""

from __future__ import annotations

from cardenvs._jit import ctz, inner, outer, popcount
from cardenvs.cards import PLACE
from cardenvs.games.laydown.contract import SET_MIN, places_from
from cardenvs.games.laydown.moves import by_card, in_all_places
from cardenvs.games.laydown.rules import LAST_CONTRACT
from cardenvs.melds import ACES, ONE, ZERO, bit, holds, in_every_suit
from cardenvs.rng import scaled

NAMES = ("random", "greedy")

_NEIGHBOUR = 5
"""Points of deadwood that one more card of a coming meld is worth to `greedy`."""

_GIFT = 8
"""Points that `greedy` would rather hold than discard a card that fits the table."""

_PLANNED = 100
"""Points that a card of the melds that `greedy` collects for its contract is worth to it."""

_WILD = 1000
"""A wild is discarded last."""


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == 0:
        return int(actions[scaled(draw, count)])
    return greedy(rules, row, actions, count)


@inner
def greedy(rules, row, actions, count):
    """Draw the pile's card when it completes something; swap, meld and lay off all one can; discard the least useful.

    Where only the whole pile may be taken it must complete a new meld. A last card is always announced. Where there is
    a contract it collects the melds that it is nearest to, and takes or buys what belongs to them.

    The action of the greatest worth, of equals the lowest.
    """
    hand = board(rules, row, 0)
    plan = planned(rules, row, hand, -1) if rules.contracts else (ZERO, ZERO, 0)
    best, best_worth = int(actions[0]), -(1 << 30)
    for k in range(count):
        action = int(actions[k])
        value = worth(rules, row, hand, plan, action)
        if value > best_worth or (value == best_worth and action < best):
            best, best_worth = action, value
    return best


@inner
def board(rules, row, at):
    """Board of the naturals of a block of counts, an ace in all its places."""
    held = ZERO
    for card in range(rules.suits * rules.ranks):
        if row[at + card] > 0:
            held |= bit(PLACE[rules.ranks, card])
    return in_all_places(rules, held)


@inner
def worth(rules, row, hand, plan, action):
    """What `greedy` thinks of an action, comparable among the legal actions of a position."""
    if rules.a_announce >= 0 and action >= rules.a_announce:
        return 1 if action == rules.a_announce else 0
    if rules.a_claim >= 0 and action >= rules.a_claim:
        # A claimed card that only fits the table is laid off a turn later. Where that earns nothing it is left: a round
        # may end first.
        wanted = action == rules.a_claim and (
            rules.table_counts or completes(rules, row, False) or serves(rules, row, hand, plan)
        )
        return 2 if wanted else 1 - (action == rules.a_claim)
    if action >= rules.a_discard:
        return -keep_worth(rules, row, hand, plan, action - rules.a_discard)
    if rules.kinds > 0 and action >= rules.a_swap_wild:
        return 4000
    if action >= rules.a_lay_off_run:
        return 2000 + laid_off_points(rules, row, action)
    if action >= rules.a_fill:
        # The natural first; of the wilds the dearer; of the suits the first.
        choice = action - rules.a_fill
        return 100 if choice == 0 else 50 + choice if choice <= rules.kinds else 90 - choice
    if rules.sets and action >= rules.a_set:
        return 3000 + 3 * rules.points[action - rules.a_set]
    if action >= rules.a_run:
        return run_worth(rules, row, hand, action - rules.a_run)
    if action == rules.a_draw_top:
        return 2 if completes(rules, row, True) or serves(rules, row, hand, plan) else 0
    if action == rules.a_draw_pile and not rules.take_top:
        return 2 if completes(rules, row, False) else 0
    return 1 if action == 0 else 0


@inner
def run_worth(rules, row, hand, card):
    """A run of few wilds and many points."""
    place = PLACE[rules.ranks, card]
    length = run_length(rules, row)
    points = 0
    for i in range(length):
        points += rules.points[(place & 15) + i] if holds(hand, place + i) else -50
    return 3000 + points


@inner
def run_length(rules, row):
    """Least length of a run that the seat may begin."""
    opened = row[rules.o_scalars + 3] != 0
    return rules.run_min if opened or rules.open_run == 0 else rules.open_run


@inner
def laid_off_points(rules, row, action):
    """Points of the card that a lay-off takes off the hand; a wild in its place counts nothing."""
    at = action - rules.a_lay_off_run
    if rules.a_lay_off_set_wilds >= 0 and action >= rules.a_lay_off_set_wilds:
        return 0
    if rules.sets and action >= rules.a_lay_off_set:
        card = action - rules.a_lay_off_set
    else:
        card = at >> 1
    return rules.points[card % rules.ranks] if row[card] > 0 else 0


@inner
def table_ends(rules, row):
    """Board of the places where the table takes a natural."""
    tops = board(rules, row, rules.o_run_top)
    bottoms = by_card(rules, board(rules, row, rules.o_run_bottom))
    if rules.ace_high:  # What a run ends with above is the high ace.
        tops &= ~ACES
    places = by_card(rules, ((tops << ONE) | (bottoms >> ONE)) & rules.valid)
    return places | table_sets(rules, row)


@inner
def table_sets(rules, row):
    """Board of all naturals of the ranks of which a set lies on the table."""
    ranks = ZERO
    if rules.sets:
        for rank in range(rules.ranks):
            if row[rules.o_sets + rank] > 0:
                ranks |= bit(rank)
    return in_every_suit(ranks)


@inner
def completes(rules, row, lay_off_counts):
    """Whether the pile's top card makes a new meld with the hand, is wild, or (`lay_off_counts`) can be laid off."""
    for kind in range(rules.kinds):
        if row[rules.o_pile_top + rules.suits * rules.ranks + kind] > 0:
            return True
    may_lay_off = not rules.lay_off_opened or row[rules.o_scalars + 3] != 0
    return row[rules.o_scalars + 5] != 0 or (lay_off_counts and may_lay_off and row[rules.o_scalars + 6] != 0)


@inner
def same_rank(rules, row, card):
    """Cards of that rank in hand."""
    total = 0
    for suit in range(rules.suits):
        total += row[suit * rules.ranks + card % rules.ranks]
    return total


@inner
def best_window(rules, hand, place, length):
    """Most naturals in hand among `length` places in sequence that include `place`."""
    rank = place & 15
    best = 0
    for low in range(max(0, rank - length + 1), min(rank, rules.ranks + rules.ace_high - length) + 1):
        held = 0
        for i in range(length):
            held += holds(hand, place - rank + low + i)
        best = max(best, held)
    return best


@outer
def planned(rules, row, hand, top):
    """The melds of its contract that a hand is nearest to, one after the other: runs first.

    Args:
        hand: board of the naturals in hand.
        top: a natural that is counted in, or -1.

    Returns:
        The cards in hand that the runs want (board), the ranks of the sets (bits 0-15), and how many naturals all use.
    """
    left, ranks, naturals = hand, ZERO, 0
    if top >= 0:
        left |= in_all_places(rules, bit(PLACE[rules.ranks, top]))
    used = ZERO
    for _ in range(row[rules.o_contract + LAST_CONTRACT + 1]):
        starts, window, most = rules.run_valid, ZERO, 0
        while starts != ZERO:
            places = places_from(ctz(starts), rules.run_min)
            starts &= starts - ONE
            held = popcount(left & places)
            if held > most:
                window, most = by_card(rules, left & places), held
        used |= window
        naturals += most
        left &= ~in_all_places(rules, window)
    for _ in range(row[rules.o_contract + LAST_CONTRACT]):
        chosen, most = 0, 0
        for rank in range(rules.ranks):
            held = 0
            for suit in range(rules.suits):
                card = suit * rules.ranks + rank
                held += row[card] + (card == top) - holds(used, PLACE[rules.ranks, card])
            held = min(SET_MIN, held)
            if held > most and not holds(ranks, rank):
                chosen, most = rank, held
        if most > 0:
            ranks |= bit(chosen)
        naturals += most
    return used, ranks, naturals


@inner
def serves(rules, row, hand, plan):
    """Whether the pile's top card brings a contract nearer."""
    if rules.contracts == 0:
        return False
    for card in range(rules.suits * rules.ranks):
        if row[rules.o_pile_top + card] > 0:
            return planned(rules, row, hand, card)[2] > plan[2]
    return False


@inner
def keep_worth(rules, row, hand, plan, card):
    """Points that `greedy` would give to keep a card: what melds it may still join, less its deadwood."""
    if card >= rules.suits * rules.ranks:
        return _WILD + rules.points[rules.ranks + card - rules.suits * rules.ranks]
    place = PLACE[rules.ranks, card]
    if rules.contracts:
        collected = holds(plan[1], place & 15) or (row[card] == 1 and holds(plan[0], place))
        return contract_keep_worth(rules, row, hand, card) + (_PLANNED if collected else 0)
    useful = best_window(rules, hand, place, run_length(rules, row)) - 1
    if row[card] > 1 and not rules.sets:
        useful = 0
    if rules.sets:
        useful += same_rank(rules, row, card) - 1
    gift = _GIFT if holds(table_ends(rules, row), place) else 0
    return _NEIGHBOUR * useful + gift - rules.points[card % rules.ranks]


@inner
def contract_keep_worth(rules, row, hand, card):
    """The same, where only the melds of a contract may be begun, and none once it is laid."""
    place = PLACE[rules.ranks, card]
    useful = 0
    if row[rules.o_contract + LAST_CONTRACT] > 0:
        useful += same_rank(rules, row, card) - 1
    if row[rules.o_contract + LAST_CONTRACT + 1] > 0 and row[card] == 1:
        near = best_window(rules, hand, place, rules.run_min)
        if rules.ace_high and (place & 15) == 0:
            near = max(near, best_window(rules, hand, place + rules.ranks, rules.run_min))
        useful += near - 1
    gift = _GIFT if holds(table_ends(rules, row), place) else 0
    return _NEIGHBOUR * useful + gift - rules.points[card % rules.ranks]
