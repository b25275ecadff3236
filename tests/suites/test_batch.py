"""A batch whose games step in parts, and are dealt anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardenvs
from suites.common import every_case, every_variant, raw_env, short


@every_case
def test_some_games_step_while_the_others_stand_still(variant: str, players: int) -> None:
    """In parts, in any order and on threads: what the games of the whole batch do."""
    whole, parts = (cardenvs.make_vec(variant, 7, 1, n, num_players=players, **short(variant, 3)) for n in (1, 2))
    batch, out = whole.reset(1), parts.reset(1)
    groups = [np.array([5, 2]), np.array([6, 0, 1], np.uint8), np.array([], np.int64), np.array([3]), np.array([4])]
    for _ in range(60):
        actions = whole.random_actions()
        before, batch = batch, whole.step(actions)
        waiting = np.ones(7, bool)
        for group in groups:
            waiting[group] = False
            assert parts.step(actions[group], out, indices=group) is out
            assert np.array_equal(out.obs, np.where(waiting[:, None], before.obs, batch.obs))
        assert all(np.array_equal(a, b) for a, b in zip(batch[:6], out[:6], strict=True))
        assert parts._games.tobytes() == whole._games.tobytes()


@every_variant
def test_games_that_stand_still_are_shown_as_they_stand(variant: str) -> None:
    vec = cardenvs.make_vec(variant, 4, seed=2)
    before = vec.step(vec.random_actions())
    batch = vec.step(vec.random_actions()[[2]], indices=np.array([2]))
    for i in (0, 1, 3):
        assert np.array_equal(batch.obs[i], before.obs[i])
        assert np.array_equal(batch.mask[i], before.mask[i])
        assert batch.seat[i] == before.seat[i]
    assert not np.array_equal(batch.obs[2], before.obs[2])


@every_variant
def test_an_out_that_cannot_be_written_moves_nothing(variant: str) -> None:
    vec = cardenvs.make_vec(variant, 3, seed=1)
    good, actions = vec.make_batch(), vec.random_actions()
    state = vec.get_state()
    locked = good.reward.copy()
    locked.flags.writeable = False
    for bad, message in (
        (good._replace(reward=locked), "out.reward: float32 .* read-only"),
        (good._replace(mask=good.mask.tolist()), "out.mask: list given"),
        (good._replace(seat=None), "out.seat: NoneType given"),
        (tuple(good), "out: tuple given: allowed is a Batch"),
        (good._asdict(), "out: dict given"),
        (tuple(good)[:8], "out: tuple given"),
    ):
        with pytest.raises(ValueError, match=message):
            vec.step(actions, bad)
        assert vec.get_state() == state


@every_variant
def test_nobody_may_decide(variant: str) -> None:
    """A step of no games at all, given as lists, is one."""
    vec = cardenvs.make_vec(variant, 3, seed=1)
    state = vec.get_state()
    out = vec.step([], indices=[])  # type: ignore[arg-type]
    assert vec.get_state() == state
    assert not out.reward.any()


@every_variant
def test_counts_and_indices_are_checked(variant: str) -> None:
    vec = cardenvs.make_vec(variant, 3, seed=1)
    for call, name in ((vec.random_steps, "steps"), (vec.upcoming, "count"), (vec.view, "index")):
        for bad in (-1, 1.5, "3", None, True):
            with pytest.raises(ValueError, match=rf"{name}={bad!r}: allowed are integers from 0"):
                call(bad)  # type: ignore[operator]


@every_variant
def test_a_state_of_a_batch_that_is_none_is_refused(variant: str) -> None:
    vec = cardenvs.make_vec(variant, 3, seed=1)
    state, env = vec.get_state(), raw_env(variant)
    env.reset(seed=1)
    fewer = cardenvs.make_vec(variant, 2, seed=1).get_state()
    for bad in (b"", b"abc", state[:-1], state[:100], state[10:], env.get_state(), fewer, "text", None, 7):
        with pytest.raises(ValueError, match="state"):
            vec.set_state(bad)  # type: ignore[arg-type]
        assert vec.get_state() == state


@every_variant
def test_wrong_indices_move_nothing(variant: str) -> None:
    vec = cardenvs.make_vec(variant, 4, seed=2)
    batch = vec.reset(2)
    state, legal = vec.get_state(), batch.mask.argmax(axis=1)
    wrong: Any
    for wrong in ([4], [-1], [0, 0], [1.0], [True], [[1]], 1, "1"):
        with pytest.raises(ValueError, match=r"indices=.*: allowed are different integers from 0 to 3"):
            vec.step(legal[: np.size(wrong)], indices=wrong)
    with pytest.raises(ValueError, match="actions: allowed are 2 integers"):
        vec.step(legal, indices=np.array([0, 1]))
    with pytest.raises(ValueError, match="of game 3 is illegal"):
        vec.step(np.array([legal[0], batch.mask[3].argmin()]), indices=np.array([0, 3]))
    assert vec.get_state() == state


@every_variant
def test_games_are_dealt_anew_from_their_own_streams(variant: str) -> None:
    """As a single game is by a reset without a seed."""
    vec, env = cardenvs.make_vec(variant, 3, seed=4), raw_env(variant)
    batch = vec.renew()
    for i in range(3):
        env.reset(seed=4 + i)
        env.reset()
        seen = env.observe(env.agent_selection)["observation"]
        assert np.array_equal(seen, batch.obs[i] * vec.game.observation.scale)
        assert vec._games[i].tobytes() == env._games[0].tobytes()


def test_a_state_belongs_to_its_skip_forced() -> None:
    state = cardenvs.make_vec("rummy_v0", 2, seed=0, skip_forced=True).get_state()
    with pytest.raises(ValueError, match=r"'skip_forced': True.*allowed is one of .*'skip_forced': False"):
        cardenvs.make_vec("rummy_v0", 2, seed=0).set_state(state)
