"""Compiled bots of the `canasta` family: from the observation row and the legal actions alone."""

from __future__ import annotations

from cardenvs._jit import inner
from cardenvs.games.canasta.layouts import BLACK_THREES, DISCARD, PLACE, RED_THREE, TAKE
from cardenvs.games.canasta.rules import BLACK, BLACK_PLACE, CANASTA, JOKER, POINTS, RANKS, RED, TWO, Phase
from cardenvs.games.canasta.view import SIDE_SIZE
from cardenvs.rng import scaled

NAMES = ("random", "greedy")

_MELD_AT = int(Phase.MELD)

_FEW_STOCK = 10
"""Cards of the stock at which `greedy` lays down whatever it can: what is left in hand counts against it."""

_BIG_PILE = 6
"""Cards of a pile that `greedy` would not let the others have."""

_BEHIND = 300
"""Points by which `greedy` may be behind and still goes out: a canasta."""

_HOLD = 0
"""Less than any discard: better not done."""


@inner
def act(rules, bot, row, actions, count, draw):
    """See `cardenvs.verbs.act`."""
    if bot == 0:
        return int(actions[scaled(draw, count)])
    return greedy(rules, row, actions, count)


@inner
def greedy(rules, row, actions, count):
    """Take the pile when it is worth it, open, lay naturals, save wilds for canastas, and discard what helps nobody.

    The action of the greatest worth, of equals the lowest.
    """
    hurry = in_a_hurry(rules, row)
    best, best_worth = int(actions[0]), -(1 << 30)
    for k in range(count):
        action = int(actions[k])
        value = worth(rules, row, action, hurry)
        if value > best_worth or (value == best_worth and action < best):
            best, best_worth = action, value
    return best


@inner
def standing(rules, row, side, what):
    """What a side, 0 the own one, has: canastas (0), opened (1), minimum (2), score (3)."""
    return int(row[rules.o_sides + side * SIDE_SIZE + BLACK_PLACE + 2 + what])


@inner
def meld_size(rules, row, side, rank):
    """Cards of a rank on the table of a side."""
    at = rules.o_sides + side * SIDE_SIZE + rank
    return int(row[at]) + int(row[at + RANKS]) + int(row[at + 2 * RANKS])


@inner
def table_worth(rules, row, side):
    """Roughly what lies on the table of a side."""
    cards = 0
    for rank in range(RANKS):
        cards += meld_size(rules, row, side, rank)
    return 10 * cards + 300 * standing(rules, row, side, 0)


@inner
def in_a_hurry(rules, row):
    """Whether to lay down all one can: the round is nearly over, or going out pays."""
    if row[rules.o_scalars] < _FEW_STOCK:
        return True
    if standing(rules, row, 0, 0) < rules.canastas:
        return False
    others = 0
    for side in range(1, rules.sides):
        others = max(others, table_worth(rules, row, side))
    return table_worth(rules, row, 0) + _BEHIND >= others


@inner
def is_behind(rules, row):
    """Whether another side has opened and has more on the table."""
    best = 0
    for side in range(1, rules.sides):
        if standing(rules, row, side, 1):
            best = max(best, table_worth(rules, row, side))
    return best > table_worth(rules, row, 0)


@inner
def worth(rules, row, action, hurry):
    """What `greedy` thinks of an action, comparable among the legal actions of a position."""
    if action >= DISCARD:
        return 1000 - keep_worth(rules, row, action - DISCARD)
    if action == RED_THREE:
        return 10000
    if action == BLACK_THREES:
        return 9000
    if action >= PLACE:
        return place_worth(rules, row, (action - PLACE) // 3, (action - PLACE) % 3, hurry)
    if action >= TAKE:
        return take_worth(rules, row, action - TAKE)
    return 100


@inner
def take_worth(rules, row, form):
    """More than a draw (100) for a pile that brings more than it costs: a wild is worth some cards."""
    cards = int(row[rules.o_scalars + 1])
    if form == 1 or form == 2:
        return 98 + cards - 2 * form
    return 101 + cards


@inner
def place_worth(rules, row, rank, kind, hurry):
    """Naturals at once; a wild for a canasta, or when all must go."""
    value = int(POINTS[rank])
    if row[rules.o_scalars + 7 + _MELD_AT]:
        return 3 - kind
    size = meld_size(rules, row, 0, rank)
    if size == 0:
        held = int(row[rank])
        if standing(rules, row, 0, 1) == 0:
            return 3000 + 100 * held + value
        return 3000 + value if held >= 3 or hurry else _HOLD
    if kind == 0:
        return 5000 + value
    wilds = int(row[TWO]) + int(row[JOKER])
    if size < CANASTA and size + wilds >= CANASTA:
        return 4000 + 10 * size - kind
    return 2000 + 10 * size - kind if hurry else _HOLD


@inner
def keep_worth(rules, row, card):
    """What `greedy` would give to keep a card, in points."""
    pile = int(row[rules.o_scalars + 1])
    danger = pile >= _BIG_PILE and is_behind(rules, row)
    if card in (TWO, JOKER):
        # It freezes the pile, if that is not so already.
        freezes = danger and pile >= 2 * _BIG_PILE and row[rules.o_scalars + 4] + row[rules.o_scalars + 5] == 0
        return 10 if freezes and card == TWO else 300 + int(POINTS[card])
    if card == RED:
        return -20
    if card == BLACK:
        return -100 if danger else 10
    return natural_worth(rules, row, card, pile) - int(POINTS[card]) // 2


@inner
def natural_worth(rules, row, card, pile):
    """Copies that belong together, and what a gift to the next side would cost."""
    held = int(row[card])
    worth = 12 * (held - 1)
    if meld_size(rules, row, 0, card) > 0:
        worth += 30
    for side in range(1, rules.sides):
        if meld_size(rules, row, side, card) > 0:
            worth += 40 + 6 * pile
    return worth
