"""T10: a trained policy in a file answers observations, in any process; T9: the arena plays it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from cardenvs import arena, make_bot, make_game, make_vec, rummy_v0
from training import Policy, load_policy
from training.checkpoint import save_policy
from training.config import NetworkConfig
from training.model import make_actor

SETTINGS = NetworkConfig(hidden=(24,), width=8)


@pytest.fixture
def policy() -> Policy:
    game = make_game("rummy_v0", num_players=3, hand_size=5)
    actor = make_actor(game, SETTINGS, torch.Generator().manual_seed(4))
    for weight in actor.parameters():
        torch.nn.init.normal_(weight, std=0.3, generator=torch.Generator().manual_seed(5))
    return Policy(game, actor)


@pytest.fixture
def file(policy: Policy, tmp_path: Path) -> Path:
    path = tmp_path / "shark.pt"
    save_policy(path, policy.game, policy.actor, SETTINGS)
    return path


def positions(policy: Policy, games: int = 64) -> tuple[np.ndarray, np.ndarray]:
    vec = make_vec(policy.game.id, games, 7, **policy.game.options)
    batch = vec.reset(7)
    for _ in range(10):
        batch = vec.step(vec.random_actions())
    return batch.obs, batch.mask


def test_a_loaded_policy_plays_the_same_in_another_process(policy: Policy, file: Path) -> None:
    obs, mask = positions(policy)
    loaded = load_policy(file)
    assert loaded.name == "shark"
    assert (loaded.game.id, loaded.game.options) == (policy.game.id, policy.game.options)
    wanted = policy.act(obs, mask)
    assert wanted.dtype == np.int32
    np.testing.assert_array_equal(loaded.act(obs, mask), wanted)
    np.savez(file.with_name("positions.npz"), obs=obs, mask=mask)
    code = (
        "import sys, json, numpy as np; from training import load_policy; p = np.load(sys.argv[2]);"
        "print(json.dumps(load_policy(sys.argv[1]).act(p['obs'], p['mask']).tolist()))"
    )
    arguments = [sys.executable, "-c", code, str(file), str(file.with_name("positions.npz"))]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert json.loads(done.stdout) == wanted.tolist()


def test_it_answers_the_observations_of_an_environment(policy: Policy) -> None:
    env = rummy_v0.env(**policy.game.options)
    env.reset(seed=3)
    moves = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        action = policy.act(observation)
        assert isinstance(action, int)
        assert observation["action_mask"][action] == 1
        assert policy.act(observation) == action
        env.step(action)
        moves += 1
    assert moves > 10


def test_rows_and_floats_get_the_same_answer(policy: Policy) -> None:
    obs, mask = positions(policy)
    floats = obs * policy.game.observation.scale
    for action, row, legal in zip(policy.act(obs, mask), floats, mask, strict=True):
        assert policy.act({"observation": row, "action_mask": legal}) == action


def test_sampling_draws_from_an_own_stream(policy: Policy, file: Path) -> None:
    obs, mask = positions(policy)
    drawn = load_policy(file, sampling=True, seed=1)
    state = torch.get_rng_state()
    first, second = drawn.act(obs, mask), drawn.act(obs, mask)
    drawn.reset(1)
    np.testing.assert_array_equal(drawn.act(obs, mask), first)
    assert (first != second).any()
    assert (mask[np.arange(len(mask)), first] == 1).all()
    assert torch.equal(state, torch.get_rng_state())


def test_the_arena_plays_it(policy: Policy) -> None:
    bot = make_bot(policy.game, "random")
    result = arena.evaluate(policy.game, [policy, bot, bot], deals=5, seed=0)
    assert result.games == 15
    assert sum(result.illegal) == 0


def test_bad_input_is_refused(policy: Policy) -> None:
    obs, mask = positions(policy)
    with pytest.raises(ValueError, match="rummy_v0 with 3 players"):
        policy.act(obs[:, 1:], mask)
    with pytest.raises(ValueError, match="rummy_v0 with 3 players"):
        policy.act(obs, mask[1:])
    with pytest.raises(ValueError, match="mask=None"):
        policy.act(obs)
    with pytest.raises(ValueError, match="row 0 of the mask is all zeros"):
        policy.act(obs, np.zeros_like(mask))


def test_bad_files_are_refused(policy: Policy, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no policy at"):
        load_policy(tmp_path / "none.pt")
    (tmp_path / "text.pt").write_text("hello")
    with pytest.raises(ValueError, match="is no policy of format 3"):
        load_policy(tmp_path / "text.pt")
    torch.save({"format": 1}, tmp_path / "other.pt")
    with pytest.raises(ValueError, match="is no policy of format 3"):
        load_policy(tmp_path / "other.pt")
    save_policy(tmp_path / "wrong.pt", policy.game, policy.actor, NetworkConfig(hidden=(25,)))
    with pytest.raises(ValueError, match="has the weights of another network"):
        load_policy(tmp_path / "wrong.pt")


def test_a_policy_of_other_rows_is_refused(policy: Policy, tmp_path: Path) -> None:
    """Weights may fit where what they read has moved."""
    save_policy(tmp_path / "moved.pt", policy.game, policy.actor, SETTINGS)
    content = torch.load(tmp_path / "moved.pt", weights_only=True)
    first, second, *rest = content["observation"]
    torch.save({**content, "observation": [second, first, *rest]}, tmp_path / "moved.pt")
    with pytest.raises(ValueError, match="rows or actions of rummy_v0 are others"):
        load_policy(tmp_path / "moved.pt")


def test_a_policy_of_single_rounds_plays_each_round_of_a_match_as_one() -> None:
    """What it has never seen, the scores so far, changes nothing; one that learned matches sees them."""
    rows = {}
    for match in (False, True):
        game = make_game("gin_rummy_v0", match=match)
        policy = Policy(game, make_actor(game, NetworkConfig(), torch.Generator().manual_seed(0)), sampling=True)
        vec = make_vec("gin_rummy_v0", 64, 0, match=match)
        batch = vec.reset()
        scored = batch.obs.copy()
        for name in ("score", "other_1_score"):
            scored[:, game.observation.offset(name)] = 30000
        policy.reset(1)
        plain = policy.act(batch.obs, batch.mask)
        policy.reset(1)
        rows[match] = (plain == policy.act(scored, batch.mask)).all()
        assert (scored[:, game.observation.offset("score")] == 30000).all(), "the caller's rows stay as they are"
    assert rows == {False: True, True: False}
