"""The compiled bots: each beats the one before it, over the same deals from every seat."""

from __future__ import annotations

import numpy as np
import pytest

import cardenvs
from cardenvs.arena import deal_margins, evaluate
from cardenvs.games import VARIANTS

GRADES = ("random", "greedy", "expert")


WITH_EXPERT = [id for id, variant in VARIANTS.items() if "expert" in variant.family.bots]
STEPS = [*((id, 1) for id in VARIANTS), *((id, 2) for id in WITH_EXPERT)]


@pytest.mark.parametrize("id", VARIANTS)
def test_bots_are_numbered_from_the_weakest(id: str) -> None:
    """Gin Rummy has two yardsticks of others' between them."""
    game = cardenvs.make_game(id)
    grades = [name for name in GRADES if name in game.bots]
    assert grades == list(GRADES)
    assert [name for name in game.bots if name in GRADES] == grades
    assert [game.bot_number(name) for name in game.bots] == list(range(len(game.bots)))


@pytest.mark.parametrize(("id", "better"), STEPS)
def test_each_bot_beats_the_one_before(id: str, better: int) -> None:
    """One against all others of the default table, by points and, but in Gin Rummy, by rounds won: whole intervals.

    Gin's expert waits for gin: it wins fewer rounds, and more by them.
    """
    game = cardenvs.make_game(id)
    one, other = (cardenvs.make_bot(game, GRADES[number]) for number in (better, better - 1))
    result = evaluate(game, [one, *[other] * (game.num_sides - 1)], 400, seed=7)
    assert sum(result.illegal) == 0
    assert result.margin[0].low > 0
    assert (id, better) == ("gin_rummy_v0", 2) or result.win_rate[0].low > 1 / game.num_sides
    assert result.decided.mean > 0.9


@pytest.mark.parametrize("id", WITH_EXPERT)
def test_experts_among_themselves_end_their_rounds(id: str) -> None:
    """Who holds back must go out in the end; and the same deals are played in the same way."""
    game = cardenvs.make_game(id)
    experts = [cardenvs.make_bot(game, "expert", seed) for seed in range(game.num_sides)]
    result = evaluate(game, experts, 50, seed=3)
    assert result.decided.mean > 0.9
    np.testing.assert_allclose(deal_margins(game, experts, 50, seed=3), 0, atol=1e-9)
