"""Other people's environments: credit along each seat's own decisions is what learns Connect Four."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch
from pettingzoo.classic.connect_four.connect_four import raw_env as connect_four_env

from cardenvs import rummy_v0
from training.advantage import seat_advantages
from training.aec import AecVec
from training.clock import Clock
from training.config import NetworkConfig, PPOConfig
from training.model import Actor, ActorCritic, Critic
from training.ppo import losses, make_samples, update
from training.rollout import Collector

CPU = torch.device("cpu")


def connect_four(seed: int, decisions: int, ppo: PPOConfig, games: int = 8) -> Actor:
    """PPO self-play on Connect Four: the trained policy."""
    torch.set_num_threads(1)
    vec = AecVec(connect_four_env, games)
    config, weights = NetworkConfig("dense", (128, 128)), torch.Generator().manual_seed(seed)
    actor = Actor(vec.observation, vec.actions, config, weights)
    network = ActorCritic(actor, Critic(vec.observation, 2, False, config, weights))
    optimizer = torch.optim.Adam(network.parameters(), lr=ppo.lr, eps=1e-5)
    generator, clock = torch.Generator().manual_seed(seed), Clock(CPU)
    collector = Collector(vec, seed, network, ppo.steps, generator, CPU, clock)
    loss = partial(losses, config=ppo, entropy_coef=ppo.entropy_coef)
    updates = decisions // (games * ppo.steps)
    for done in range(updates):
        for group in optimizer.param_groups:
            group["lr"] = ppo.lr * (1 - done / updates * (1 - ppo.lr_end))
        r = collector.collect()
        advantage, start = seat_advantages(
            r.reward, r.seat, r.terminated, r.truncated, r.value, r.final_value, r.edge_value, ppo.gamma, ppo.gae_lambda
        )
        update(network, optimizer, make_samples(r, advantage, start, CPU), loss, ppo, generator, clock)
    return actor


@torch.no_grad()
def won_against_random(actor: Actor, games: int, seed: int) -> float:
    """Share of games won, half of them from each seat; the policy plays its most probable action."""
    env, random, won = connect_four_env(), np.random.default_rng(seed), 0
    for game in range(games):
        env.reset(seed=seed + game)
        mine = f"player_{game % 2}"
        while not all(env.terminations.values()):
            seen = env.observe(env.agent_selection)
            legal = seen["action_mask"].astype(bool)
            if env.agent_selection == mine:
                row = torch.from_numpy(seen["observation"].ravel().astype(np.int16))[None]
                action = int(np.where(legal, actor(row)[0].numpy(), -np.inf).argmax())
            else:
                action = int(random.choice(np.flatnonzero(legal)))
            env.step(action)
        won += env.rewards[mine] > 0
    return won / games


def test_games_are_what_the_environments_play() -> None:
    """Rows, masks and seats of every step, with a fresh episode after the last one."""
    vec, own = AecVec(connect_four_env, 3), [connect_four_env() for _ in range(3)]
    batch, seeds, rng = vec.reset(5), iter(range(8, 10**6)), np.random.default_rng(0)
    for seed, env in zip((5, 6, 7), own, strict=True):
        env.reset(seed=seed)
    episodes = 0
    for _ in range(120):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.mask])
        rewards = []
        for env, action in zip(own, actions.tolist(), strict=True):
            env.step(action)
            rewards.append([env.rewards[agent] for agent in env.possible_agents])
        batch = vec.step(actions, vec.make_batch())
        np.testing.assert_array_equal(batch.reward, rewards)
        for i, env in enumerate(own):
            over = all(env.terminations.values())
            assert batch.terminated[i] == over
            if over:
                episodes += 1
                last = [env.observe(agent)["observation"].ravel() for agent in env.possible_agents]
                np.testing.assert_array_equal(batch.final_obs[i], last)
                np.testing.assert_array_equal(batch.winner[i], np.array(rewards[i]) > 0)
                env.reset(seed=next(seeds))
            seen = env.observe(env.agent_selection)
            np.testing.assert_array_equal(batch.obs[i], seen["observation"].ravel())
            np.testing.assert_array_equal(batch.mask[i], seen["action_mask"])
            assert env.possible_agents[batch.seat[i]] == env.agent_selection
    assert episodes > 3
    assert not batch.truncated.any()


def test_an_environment_that_does_not_fit_is_named() -> None:
    with pytest.raises(ValueError, match="allowed are equal Dicts of 'observation', whole numbers of 16 bits"):
        AecVec(rummy_v0.raw_env, 1)  # its rows are floats


def test_a_collector_plays_them_but_cannot_save_them() -> None:
    vec, config, weights = AecVec(connect_four_env, 3), NetworkConfig("dense", (8,)), torch.Generator().manual_seed(0)
    actor = Actor(vec.observation, vec.actions, config, weights)
    network = ActorCritic(actor, Critic(vec.observation, 2, False, config, weights))
    collector = Collector(vec, 0, network, 50, torch.Generator().manual_seed(0), CPU, Clock(CPU))
    rollout = collector.collect()
    assert rollout.illegal == 0
    assert rollout.terminated.any()
    assert (rollout.seat[1:] != rollout.seat[:-1])[~rollout.terminated[:-1]].all()
    with pytest.raises(ValueError, match=r"vec=AecVec: allowed for playouts and checkpoints is what cardenvs"):
        collector.get_state()


PPO = PPOConfig(steps=128, minibatch=256, epochs=6, lr=1e-3, lr_end=0.1, gamma=0.99, gae_lambda=0.95)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_connect_four_is_learned(seed: int) -> None:
    """Far above the 80 % that bootstrapping from the other player's observation gives: six seeds gave 89.4 to 92.6."""
    rate = won_against_random(connect_four(seed, 41_000, PPO), 2000, 1000)
    print(f"seed {seed}: {100 * rate:.1f} %")
    assert rate >= 0.88
