"""How a round of the `laydown` family is scored, compiled."""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.games.laydown.rules import Over
from cardenvs.verbs import GOES_ON, TERMINATED, TRUNCATED


@inner
def points_in_hand(rules, g, seat):
    """Points of all cards in a hand."""
    points = 0
    for suit in range(rules.suits):
        for rank in range(rules.ranks):
            points += int(g.hand[seat, suit * rules.ranks + rank]) * rules.points[rank]
    for kind in range(rules.kinds):
        points += int(g.hand[seat, rules.suits * rules.ranks + kind]) * rules.points[rules.ranks + kind]
    return points


@outer
def settle(rules, g, reward):
    """See `cardenvs.verbs.settle`. Points in hand count against their holder (C14, R9); more is better (G4).

    Where cards on the table count, they do for who laid them, and N5's deductions against who paid them (N14).
    """
    for seat in range(rules.seats):
        g.points[seat] = g.table_points[seat] - points_in_hand(rules, g, seat) - rules.pile_duty * g.deductions[seat]
        g.total[seat] += g.points[seat]
    g.won = 0
    if g.over == Over.OUT:
        g.won = best(rules, g.points) if rules.best_wins else 1 << g.out
    pay(rules, g, reward)
    g.rounds_done += 1
    if not rules.match:
        return TERMINATED if g.over == Over.OUT else TRUNCATED
    lowest = 0
    for seat in range(rules.seats):
        lowest = min(lowest, g.total[seat])
    if (lowest > -rules.target) if rules.target > 0 else (g.rounds_done < rules.rounds):
        return GOES_ON
    g.won = best(rules, g.total)
    return TERMINATED


@inner
def best(rules, scores):
    """A bit for every seat that has the most points (G4)."""
    most = int(scores[0])
    for seat in range(1, rules.seats):
        most = max(most, int(scores[seat]))
    seats = 0
    for seat in range(rules.seats):
        if scores[seat] == most:
            seats |= 1 << seat
    return seats


@inner
def pay(rules, g, reward):
    """Add the rewards of the round: zero-sum, by points or by who won."""
    n = rules.seats
    if rules.win_reward:
        winners = 0
        for seat in range(n):
            winners += (g.won >> seat) & 1
        if winners > 0:
            for seat in range(n):
                won = (g.won >> seat) & 1
                reward[seat] += (n - winners) / (winners * (n - 1)) if won else -1.0 / (n - 1)
        return
    total = 0
    for seat in range(n):
        total += g.points[seat]
    for seat in range(n):
        mine = g.points[seat]
        reward[seat] += (mine - (total - mine) / (n - 1)) / rules.score_scale
