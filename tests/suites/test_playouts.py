"""Games played out by a bot: what the rest of an episode would pay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardenvs
from cardenvs.vector import VectorEnv
from suites.common import every_case, every_variant, short


def midway(variant: str, games: int, threads: int = 1, **options: Any) -> VectorEnv:
    """Games that stand at different points of their rounds."""
    vec = cardenvs.make_vec(variant, games, 3, threads, skip_forced=True, **options)
    for k in range(4 * games):
        vec.step(vec.random_actions()[k % games :], indices=np.arange(k % games, games))
    return vec


def played_by(vec: VectorEnv, state: bytes, bot: str, first: np.ndarray) -> np.ndarray:
    """float32 `[N, S]`: what a step after another pays until each episode ends, the first of them given."""
    batch, player = vec.set_state(state), cardenvs.make_bot(vec.game, bot)
    paid, live, actions = np.zeros_like(batch.reward), np.ones(vec.num_envs, bool), first
    while live.any():
        batch = vec.step(actions)
        paid[live] += batch.reward[live]
        live &= ~(batch.terminated | batch.truncated)
        actions = player.act(batch.obs, batch.mask)
    return paid


@every_case
def test_a_playout_pays_what_the_bots_steps_pay(variant: str, players: int) -> None:
    vec = midway(variant, 6, num_players=players, **short(variant, 6))
    batch, state = vec.set_state(vec.get_state()), vec.get_state()
    paid, values = vec.play_out("greedy"), vec.action_values("greedy")
    assert vec.get_state() == state  # the games stand still
    choice = cardenvs.make_bot(vec.game, "greedy").act(batch.obs, batch.mask)
    every = np.arange(6)
    assert np.array_equal(values[every, choice], paid[every, batch.seat])
    assert not values[batch.mask == 0].any()
    assert np.array_equal(paid, played_by(vec, state, "greedy", choice))
    for number in range(int(batch.mask.sum(1).max())):
        legal = [np.flatnonzero(mask) for mask in batch.mask]
        action = np.array([which[min(number, len(which) - 1)] for which in legal])
        expected = played_by(vec, state, "greedy", action)[every, batch.seat]
        assert np.array_equal(values[every, action], expected)


@every_variant
def test_a_match_is_played_out_to_its_end(variant: str) -> None:
    vec = cardenvs.make_vec(variant, 4, 5, skip_forced=True, match=True, **short(variant, 3))
    batch, state = vec.reset(5), vec.get_state()
    choice = cardenvs.make_bot(vec.game, "greedy").act(batch.obs, batch.mask)
    paid = vec.play_out("greedy")
    np.testing.assert_allclose(paid, played_by(vec, state, "greedy", choice), atol=1e-4)


@every_variant
def test_threads_and_lots_change_nothing(variant: str) -> None:
    """Random bots draw from streams that depend on the game alone."""
    one, two = (midway(variant, 5, threads, **short(variant, 4)) for threads in (1, 2))
    for ask in (VectorEnv.play_out, VectorEnv.action_values):
        assert np.array_equal(ask(one, "random"), ask(two, "random"))
        assert np.array_equal(ask(one, "random"), ask(one, "random"))


def test_a_bot_that_is_none() -> None:
    vec = cardenvs.make_vec("rummy_v0", 1)
    for ask in (vec.play_out, vec.action_values):
        with pytest.raises(ValueError, match="rummy_v0 has no bot 'gredy': allowed are random, greedy"):
            ask("gredy")
