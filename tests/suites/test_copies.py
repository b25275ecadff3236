"""Copies, seeds, reproducibility (S1-S3, S5-S7): the same game again, here, in a copy, and in another process."""

from __future__ import annotations

import copy
import hashlib
import multiprocessing
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardenvs
from cardenvs.gym import make_gym
from suites.common import (
    advanced,
    decisions,
    eager,
    every_case,
    every_variant,
    legal,
    only_known,
    raw_env,
    run_module,
    scarce,
    settings,
    short,
    three_players,
    uniform,
    wrapped_env,
)
from suites.hashes import batch_hash

# S1: copies ----------------------------------------------------------------------------------------------------------


def by_state(env: Any) -> Any:
    game = env.unwrapped.game
    twin = raw_env(game.id, skip_forced=env.unwrapped.skip_forced, **game.options)
    twin.set_state(env.unwrapped.get_state())
    return twin


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, by_pickle, by_state, lambda env: env.unwrapped.clone()]


def story(env: Any, seed: int) -> list[Any]:
    """All that an episode says from here on."""
    choose, said = uniform(seed), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        said += [agent, observation["observation"].tobytes(), observation["action_mask"].tobytes()]
        said += [reward, terminated, truncated, dict(env.rewards), env.unwrapped.view()]
        env.step(None if terminated or truncated else choose(env, legal(env)))
    return said


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_case
def test_copies_go_on_alike_and_apart(variant: str, players: int, make: Callable[..., Any]) -> None:
    rng = random.Random(players)
    for skip_forced in (False, True):
        options = short(variant, 6) | {"skip_forced": skip_forced, "match": not skip_forced}
        options |= only_known(variant, max_rounds=3)
        env = make(variant, num_players=players, **options)
        for number, duplicate in enumerate(COPIES):
            env.reset(seed=number)
            advanced(env, eager(number), rng.randrange(60))
            twin = duplicate(env)
            before = env.unwrapped.get_state()
            told = story(twin, number)
            assert env.unwrapped.get_state() == before, "the copy has moved, not the original"
            assert story(duplicate(env), number) == told
            assert story(env, number) == told


@every_case
def test_copies_at_the_end_of_an_episode(variant: str, players: int) -> None:
    """Dead agents still to be stepped are copied too."""
    env = raw_env(variant, num_players=players, **short(variant, 3))
    for number, duplicate in enumerate(COPIES):
        env.reset(seed=number)
        advanced(env, uniform(number), 100_000)
        env.step(None)
        twin = duplicate(env)
        assert twin.agents == env.agents == env.possible_agents[1:]
        assert story(twin, 0) == story(env, 0)


@every_variant
def test_a_state_that_is_none_is_refused(variant: str) -> None:
    env = raw_env(variant)
    env.reset(seed=1)
    state = env.get_state()
    other = raw_env(variant, match=True)
    other.reset(seed=1)
    for bad in (b"", b"\n", b"{}\n", state[:-1], state + b"x", state[10:], other.get_state(), "text", None, 7):
        with pytest.raises(ValueError, match="state"):
            env.set_state(bad)
        assert env.get_state() == state


@every_case
def test_a_wrapped_env_follows_a_state_that_was_set(variant: str, players: int) -> None:
    """Its wrappers remember no mask of another position."""
    env = wrapped_env(variant, num_players=players)
    env.reset(seed=1)
    choose = eager(1)
    states = [env.unwrapped.get_state() for _ in zip(range(60), decisions(env, choose), strict=False)]
    for state in states[::-7]:
        env.last()
        env.unwrapped.set_state(state)
        env.step([action for action in legal(env) if not env.unwrapped.action_name(action).startswith("knock")][-1])
        assert not any(env.terminations.values())
        env.last()
        env.unwrapped.set_state(state)
        mask = env.unwrapped.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask == 0)[0]))
        assert all(env.terminations.values()), "an illegal action ends the episode"
        env.unwrapped.set_state(state)


@every_case
def test_a_batch_goes_on_from_its_state(variant: str, players: int) -> None:
    vec = cardenvs.make_vec(variant, 6, seed=1, num_players=players, **short(variant, 4))
    for _ in range(150):
        batch = vec.step(vec.random_actions())
    state = vec.get_state()
    other = cardenvs.make_vec(variant, 6, seed=9, num_players=players, **short(variant, 4))
    back = other.set_state(state)
    for mine, theirs in zip((batch.obs, batch.mask, batch.seat), (back.obs, back.mask, back.seat), strict=True):
        assert np.array_equal(mine, theirs)
    for twin in (other, pickle.loads(pickle.dumps(vec)), copy.deepcopy(vec)):
        vec.set_state(state)
        for _ in range(150):
            actions = vec.random_actions()
            assert np.array_equal(actions, twin.random_actions())
            for mine, theirs in zip(vec.step(actions), twin.step(actions), strict=True):
                assert np.array_equal(mine, theirs)
    with pytest.raises(ValueError, match="state"):
        cardenvs.make_vec(variant, 5, seed=1, num_players=players, **short(variant, 4)).set_state(state)


# S2: seeds and options -----------------------------------------------------------------------------------------------


@every_case
def test_a_used_env_is_as_good_as_new(variant: str, players: int) -> None:
    """Reset with a seed it equals a fresh one, dealer included; its options stay through every reset."""
    options = short(variant, 5) | {"match": True, "reward": "win"}
    used = raw_env(variant, num_players=players, skip_forced=True, **options)
    in_force = dict(used.game.options)
    for seed in range(5):
        used.reset()
        advanced(used, uniform(seed), 100_000 if seed % 2 else 37)
        used.reset(seed=seed)
        fresh = raw_env(variant, num_players=players, skip_forced=True, **options)
        fresh.reset(seed=seed)
        assert used.view() == fresh.view()
        assert used.view()["dealer"] == players - 1
        assert story(used, seed) == story(fresh, seed)
        assert used.game.options == in_force == fresh.game.options
        assert used.skip_forced


@every_case
def test_seeds_differ(variant: str, players: int) -> None:
    env = raw_env(variant, num_players=players)
    deals = []
    for seed in [*range(20), 2**62, 2**63 - 1, np.int64(77), None, None]:
        env.reset(seed=seed)
        deals.append(repr(env.view()["hands"]))
    assert len(set(deals)) == len(deals)
    for bad in (-1, 2**63, 1.5, "7", True):
        state = env.get_state()
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=bad)
        assert env.get_state() == state


@every_case
def test_unseeded_episodes_follow_from_the_seed(variant: str, players: int) -> None:
    said = []
    for _ in range(2):
        env = raw_env(variant, num_players=players, **short(variant, 3))
        env.reset(seed=3)
        said.append([])
        for number in range(3):
            said[-1].append(story(env, number))
            env.reset()
    assert said[0] == said[1]


# S3, S6: processes ---------------------------------------------------------------------------------------------------


def test_other_processes_play_the_same_games() -> None:
    """50 games of each, whatever Python's own hashes are."""
    hashes = {run_module("suites.hashes", "--fewest", PYTHONHASHSEED=seed) for seed in ("0", "4242")}
    assert len(hashes) == 1


def test_compiled_and_interpreted_play_the_same_games() -> None:
    """S7."""
    few = ("--fewest", "--games", "2", "--steps", "200")
    interpreted = run_module("suites.hashes", *few, NUMBA_DISABLE_JIT="1")
    assert interpreted == run_module("suites.hashes", *few, NUMBA_DISABLE_JIT="0")


@pytest.mark.slow
def test_no_index_leaves_its_array(tmp_path: Path) -> None:
    """Compiled with checked bounds, into a cache of its own, all games are the same."""
    checked = run_module("suites.hashes", NUMBA_BOUNDSCHECK="1", CARDENVS_CACHE=str(tmp_path))
    assert checked == run_module("suites.hashes")


def play_in_worker(env: Any, variant: str, players: int) -> tuple[str, str]:
    """Run by a spawned process: go on with an env that was sent, and play one that is made there."""
    fresh = wrapped_env(variant, num_players=players)
    fresh.reset(seed=5)
    return tuple(hashlib.sha256(repr(story(each, 5)).encode()).hexdigest() for each in (env, fresh))


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_spawned_processes_play_the_same_games(method: str) -> None:
    jobs = []
    for variant in cardenvs.variants():
        players = three_players(variant)
        env = wrapped_env(variant, num_players=players)
        env.reset(seed=4)
        advanced(env, eager(4), 40)
        jobs.append((env, variant, players))
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.starmap(play_in_worker, jobs)
    assert there == [play_in_worker(*job) for job in jobs]


@every_variant
def test_global_random_states_are_left_alone(variant: str) -> None:
    """Neither read nor changed: other global states give the same games."""
    torch = pytest.importorskip("torch")
    said = []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - the global state is what this test is about
        torch.manual_seed(seed)
        before = _global_states(torch)
        env = wrapped_env(variant, num_players=three_players(variant))
        env.reset()
        env.reset(seed=6)
        env.unwrapped.clone(reseed=1)
        said.append((env.unwrapped.determinize(env.agents[0], 2).view(), story(env, 6)))
        vec = cardenvs.make_vec(variant, 4, num_players=three_players(variant))
        vec.reset()
        vec.step(vec.random_actions())
        players = [cardenvs.make_bot(env.unwrapped.game, "greedy") for _ in range(vec.num_players)]
        said[-1] += (cardenvs.arena.evaluate(env.unwrapped.game, players, deals=4, seed=3),)
        assert _global_states(torch) == before
    assert said[0] == said[1]


def _global_states(torch: Any) -> tuple[Any, ...]:
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), (name, keys.tobytes(), *rest), torch.random.get_rng_state().numpy().tobytes()


# S5: arrays ----------------------------------------------------------------------------------------------------------


@every_case
def test_arrays_once_returned_are_never_written_again(variant: str, players: int) -> None:
    env = wrapped_env(variant, num_players=players, **short(variant, 4))
    env.reset(seed=2)
    kept = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        arrays = [*observation.values(), *env.observe(env.agents[0]).values(), env.state()]
        kept += [(array, array.copy()) for array in arrays]
        if terminated or truncated:
            env.step(None)
            continue
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        for array in observation.values():
            assert array.flags.writeable
            array += 1  # What a caller does with its arrays is no business of the game's.
        kept[-len(arrays)] = kept[-len(arrays) + 1] = (np.zeros(0), np.zeros(0))
        assert env.observe(agent)["action_mask"][action] == 1
        env.step(action)
    env.reset()
    assert all(np.array_equal(array, as_it_was) for array, as_it_was in kept)
    recent = [array for array, _ in kept[-60:] if array.size]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(recent) for b in recent[:i])


@every_case
def test_batches_once_returned_are_never_written_again(variant: str, players: int) -> None:
    vec = cardenvs.make_vec(variant, 4, seed=1, num_players=players, **short(variant, 2))
    kept = [(array, array.copy()) for array in vec.reset(1)]
    for _ in range(80):
        actions = vec.random_actions()
        arrays = [actions, *vec.step(actions), vec.observe_all()]
        kept += [(array, array.copy()) for array in arrays]
        assert all(array.flags.c_contiguous for array in arrays)
    assert all(np.array_equal(array, as_it_was) for array, as_it_was in kept)
    recent = [array for array, _ in kept[-36:]]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(recent) for b in recent[:i])


@every_case
def test_a_batch_is_written_in_place(variant: str, players: int) -> None:
    """With `out`, all arrays of the caller are written, whatever they held, and no others."""
    mine, plain = (cardenvs.make_vec(variant, 4, seed=1, num_players=players, **short(variant, 2)) for _ in range(2))
    out = mine.make_batch()
    plain.reset(1)
    assert mine.reset(1, out=out) is out
    for _ in range(80):
        for array in out:
            array.view(np.uint8)[...] = 1
        actions = plain.random_actions()
        fresh = plain.step(actions)
        assert mine.step(mine.random_actions(), out=out) is out
        done = fresh.terminated | fresh.truncated
        for name, array in fresh._asdict().items():
            where = done if name in ("final_obs", "score", "winner") else slice(None)
            assert np.array_equal(getattr(out, name)[where], array[where]), name


@every_variant
def test_a_batch_of_other_shapes_is_refused(variant: str) -> None:
    """In a process of its own: what is written beside an array takes the process with it."""
    assert run_module("suites.outgrown", variant) == "refused"


# S7: the same play through every door --------------------------------------------------------------------------------


@pytest.mark.parametrize("skip_forced", [False, True])
@every_case
def test_batch_and_single_game_agree_step_by_step(variant: str, players: int, skip_forced: bool) -> None:
    for options in [{**each, "match": match} for each in settings(variant, players) for match in (False, True)]:
        if options["match"]:
            options.pop("contract", None)  # A match begins with the first.
        vec = cardenvs.make_vec(variant, 3, seed=8, num_players=players, skip_forced=skip_forced, **options)
        envs = [raw_env(variant, num_players=players, skip_forced=skip_forced, **options) for _ in range(3)]
        batch = vec.reset(8)
        for i, env in enumerate(envs):
            env.reset(seed=8 + i)
        for number in range(250):
            rows = vec.observe_all()
            for i, env in enumerate(envs):
                agent = env.agents[batch.seat[i]]
                assert env.agent_selection == agent
                _same_row(env, env.observe(agent), batch.obs[i], batch.mask[i])
                each = env.agents[number % players]
                assert np.array_equal(env.observe(each)["observation"], rows[i, number % players] * _scale(env))
            actions = vec.random_actions()
            batch = vec.step(actions)
            for i, env in enumerate(envs):
                env.step(int(actions[i]))
                _same_outcome(env, batch, i)


def _scale(env: Any) -> np.ndarray:
    return env.game.observation.scale


def _same_row(env: Any, observation: dict[str, np.ndarray], row: np.ndarray, mask: np.ndarray) -> None:
    assert np.array_equal(observation["observation"], row * _scale(env))
    assert np.array_equal(observation["action_mask"], mask)


def _same_outcome(env: Any, batch: Any, i: int) -> None:
    """Rewards and ends; where the episode is over, the last rows too, and a new one is dealt from the same stream."""
    assert [np.float32(reward) for reward in env.rewards.values()] == batch.reward[i].tolist()
    assert all(over == batch.terminated[i] for over in env.terminations.values())
    assert all(over == batch.truncated[i] for over in env.truncations.values())
    if batch.terminated[i] or batch.truncated[i]:
        view = env.view()
        assert view["scores"] == batch.score[i].tolist()
        assert view["winners"] == np.flatnonzero(batch.winner[i]).tolist()
        for seat, agent in enumerate(env.agents):
            assert np.array_equal(env.observe(agent)["observation"], batch.final_obs[i, seat] * _scale(env))
        env.reset()


@every_case
def test_threads_change_nothing(variant: str, players: int) -> None:
    options = short(variant, 5)
    assert batch_hash(variant, players, 7, 200, threads=1, **options) == batch_hash(
        variant, players, 7, 200, threads=2, **options
    )
    one, two = (cardenvs.make_vec(variant, 7, seed=1, threads=n, num_players=players, **options) for n in (1, 2))
    outs = one.make_batch(), two.make_batch()
    assert one.random_steps(300, outs[0]) == two.random_steps(300, outs[1])
    assert one.get_state() == two.get_state()


@every_case
def test_many_random_steps_are_single_ones(variant: str, players: int) -> None:
    one, many = (cardenvs.make_vec(variant, 7, seed=1, num_players=players, **scarce(variant, players)) for _ in "ab")
    ended, out = 0, many.make_batch()
    for _ in range(200):
        batch = one.step(one.random_actions())
        ended += int((batch.terminated | batch.truncated).sum())
    assert many.random_steps(200, out) == ended
    assert one.get_state() == many.get_state()
    assert all(np.array_equal(a, b) for a, b in zip(batch[:6], out[:6], strict=True))


class ByRow:
    """A player whose choice depends on nothing but what it is shown."""

    name = "by row"

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.array([self.pick(row, allowed) for row, allowed in zip(obs, mask, strict=True)])

    def pick(self, row: np.ndarray, mask: np.ndarray) -> int:
        choices = np.flatnonzero(mask)
        return int(choices[int.from_bytes(hashlib.sha256(row.tobytes()).digest()[:4]) % len(choices)])

    def reset(self, seed: int) -> None:
        pass


@every_case
def test_gymnasium_and_pettingzoo_show_one_seat_the_same(variant: str, players: int) -> None:
    player = ByRow()
    for seat in range(players):
        one = make_gym(variant, seat=seat, opponents=player, num_players=players, **short(variant, 6))
        env = raw_env(variant, num_players=players, **short(variant, 6))
        scale = env.game.observation.scale
        shown, _ = one.reset(seed=seat)
        env.reset(seed=seat)
        paid, total, over = 0.0, 0.0, False
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            paid += reward if agent == env.possible_agents[seat] else 0
            row = np.rint(observation["observation"] / scale).astype(np.int16)
            action = None if terminated or truncated else player.pick(row, observation["action_mask"])
            if agent == env.possible_agents[seat]:
                assert all(np.array_equal(shown[key], observation[key]) for key in observation)
                assert over == (terminated or truncated)
                if action is not None:
                    shown, reward, over_1, over_2, _ = one.step(action)
                    total, over = total + reward, over_1 or over_2
            env.step(action)
        assert total == pytest.approx(paid)
