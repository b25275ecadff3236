"""T8: what the trainer is for. Half a minute of self-play beats the random bot from every seat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from cardenvs import make_bot, make_vec
from training import Policy, Run, TrainConfig
from training.config import EnvConfig, PPOConfig, RunConfig

GAMES = 300
CONFIG = TrainConfig(
    env=EnvConfig("rummy_v0", 2, num_envs=128),
    ppo=PPOConfig(total_decisions=150_000, epochs=2, minibatch=1024, lr=1e-3),
    run=RunConfig("learning", threads=1, device="cpu"),
)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    threads = torch.get_num_threads()
    run = Run(CONFIG, Path(tmp_path_factory.mktemp("learning")))
    while run.progress.decisions < CONFIG.ppo.total_decisions:
        run.cycle()
    torch.set_num_threads(threads)
    assert run.progress.illegal == 0
    return run.policy


@pytest.mark.parametrize("seat", range(2))
def test_it_beats_random_from_every_seat(policy: Policy, seat: int) -> None:
    """At least 80 % of the decided rounds, and 15 points a round ahead; an equal would have 50 % and 0."""
    game = policy.game
    bot = make_bot(game, "random", seed=seat)
    vec = make_vec(game.id, GAMES, 10_000, skip_forced=True, **game.options)
    batch = vec.reset(10_000)
    live = np.ones(GAMES, bool)
    margin, winner = np.zeros(GAMES), np.zeros((GAMES, 2), bool)
    while live.any():
        mine = batch.seat == seat
        actions = np.where(mine, policy.act(batch.obs, batch.mask), bot.act(batch.obs, batch.mask))
        batch = vec.step(actions)
        ended = live & (batch.terminated | batch.truncated)
        margin[ended] = batch.score[ended, seat] - batch.score[ended, 1 - seat]
        winner[ended] = batch.winner[ended]
        live &= ~ended
    decided = winner.any(1)
    won = winner[decided, seat].mean()
    assert decided.mean() > 0.8, f"{decided.mean():.2f} decided"
    assert won >= 0.8, f"won {won:.3f} of {decided.sum()}, margin {margin.mean():+.1f}"
    assert margin.mean() >= 15, f"won {won:.3f}, margin {margin.mean():+.1f}"
