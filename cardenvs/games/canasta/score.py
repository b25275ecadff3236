"""How a round of the `canasta` family is scored, compiled."""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.games.canasta.moves import naturals, wilds
from cardenvs.games.canasta.rules import (
    BLACK,
    BLACK_PLACE,
    CANASTA,
    JOKER,
    POINTS,
    RANKS,
    RED,
    RED_PLACE,
    TWO,
    TYPES,
    Over,
)
from cardenvs.verbs import GOES_ON, TERMINATED, TRUNCATED


@inner
def red_three_points(g, side):
    """K14: 100 each; -200 each when somebody went out and the side had not opened; all four count twice."""
    laid = int(g.table[side, RED_PLACE])
    each = -200 if g.over == Over.OUT and not g.opened[side] else POINTS[RED]
    return laid * each * (2 if laid == 4 else 1)


@inner
def table_points(g, side):
    """Points of the melds of a side, with 500 for a natural canasta and 300 for a mixed one."""
    points = int(g.table[side, BLACK_PLACE]) * POINTS[BLACK]
    for rank in range(RANKS):
        wild = wilds(g, side, rank)
        points += naturals(g, side, rank) * POINTS[rank]
        points += int(g.table[side, RANKS + rank]) * POINTS[TWO]
        points += int(g.table[side, 2 * RANKS + rank]) * POINTS[JOKER]
        if naturals(g, side, rank) + wild >= CANASTA:
            points += 300 if wild > 0 else 500
    return points


@inner
def hand_points(g, seat):
    """Points of all cards in a hand."""
    points = 0
    for card in range(TYPES):
        points += int(g.hand[seat, card]) * POINTS[card]
    return points


@inner
def score_sides(rules, g):
    """Write `points` of every seat: those of its side."""
    for side in range(rules.sides):
        points = table_points(g, side) + red_three_points(g, side)
        for seat in range(side, rules.seats, rules.sides):
            points -= hand_points(g, seat)
            if g.out == seat:
                points += 100
        for seat in range(side, rules.seats, rules.sides):
            g.points[seat] = points


@inner
def best_of(rules, scores):
    """Bit per seat whose score is the best (G4)."""
    best = scores[0]
    for seat in range(1, rules.seats):
        best = max(best, scores[seat])
    won = 0
    for seat in range(rules.seats):
        if scores[seat] == best:
            won |= 1 << seat
    return won


@outer
def settle(rules, g, reward):
    """See `cardenvs.verbs.settle`: the best score wins a round (G4), and a match that has reached its target (K15)."""
    score_sides(rules, g)
    most = g.total[0] + g.points[0]
    for seat in range(rules.seats):
        g.total[seat] += g.points[seat]
        most = max(most, g.total[seat])
    g.won = 0 if g.over == Over.CAP else best_of(rules, g.points)
    pay(rules, g, reward)
    g.rounds_done += 1
    if not rules.match:
        return TRUNCATED if g.over == Over.CAP else TERMINATED
    if most >= rules.target:
        g.won = best_of(rules, g.total)
        return TERMINATED
    if g.rounds_done < rules.max_rounds:
        return GOES_ON
    g.won = 0
    return TRUNCATED


@inner
def pay(rules, g, reward):
    """Add the rewards of the round, the same to partners: zero-sum, by points or by who won."""
    n = rules.sides
    total = 0
    winners = 0
    for side in range(n):
        total += g.points[side]
        winners += (g.won >> side) & 1
    for seat in range(rules.seats):
        if rules.win_reward:
            if winners > 0:
                won = (g.won >> seat) & 1
                reward[seat] += (1.0 / winners - 1.0 / n) * n / (n - 1) if won else -1.0 / (n - 1)
        else:
            mine = g.points[seat]
            reward[seat] += (mine - (total - mine) / (n - 1)) / rules.score_scale
