"""How a round of the `gin` family is scored, compiled."""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.deadwood import points
from cardenvs.games.gin.rules import SEATS, Over
from cardenvs.verbs import GOES_ON, TERMINATED, TRUNCATED


@inner
def left_over(g, seat):
    """Points of the cards of a seat that lie neither in its melds nor on the other's, after a knock."""
    left = g.board[seat] & ~g.sets[seat] & ~g.runs[seat]
    if seat != g.knocker:
        left &= ~g.laid_off
    return points(left)


@inner
def score_seats(rules, g):
    """Write `points` of both seats, and who has won: nobody has where nobody knocked (J6, J7)."""
    g.won = 0
    for seat in range(SEATS):
        g.points[seat] = 0
    if g.knocker < 0:
        return
    winner = int(g.knocker)
    lead = left_over(g, 1 - winner) - left_over(g, winner)
    if g.over == Over.GIN:
        lead += rules.gin_bonus
    elif lead <= 0:
        winner = 1 - winner
        lead = rules.undercut_bonus - lead
    g.points[winner] = lead
    g.won = 1 << winner


@outer
def settle(rules, g, reward):
    """See `cardenvs.verbs.settle`: a knock wins the round or loses it (J6), `target` points win a match (J8)."""
    score_seats(rules, g)
    for seat in range(SEATS):
        g.total[seat] += g.points[seat]
        margin = (g.points[seat] - g.points[1 - seat]) / rules.score_scale
        if rules.win_reward:
            margin = ((g.won >> seat) & 1) - ((g.won >> (1 - seat)) & 1)
        reward[seat] += margin
    g.rounds_done += 1
    if not rules.match:
        return TRUNCATED if g.over == Over.CAP else TERMINATED
    for seat in range(SEATS):
        if g.total[seat] >= rules.target:
            # Only who has won the round has points more than before.
            g.won = 1 << seat
            return TERMINATED
    if g.rounds_done < rules.max_rounds:
        return GOES_ON
    g.won = 0
    return TRUNCATED
