"""The first stage: learning to do as a bot does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cardenvs
from training.config import (
    EnvConfig,
    EvaluationConfig,
    ImitationConfig,
    LeagueConfig,
    NetworkConfig,
    PPOConfig,
    RunConfig,
    TrainConfig,
)
from training.train import Run


def imitating(decisions: int, bot: str = "greedy", **ppo: Any) -> TrainConfig:
    return TrainConfig(
        env=EnvConfig("rummy_v0", 2, num_envs=32),
        network=NetworkConfig(hidden=(16,), width=8),
        ppo=PPOConfig(steps=16, minibatch=128, lr=3e-3, **ppo),
        imitation=ImitationConfig(bot, decisions),
        league=LeagueConfig(("random",), 0.5),
        evaluation=EvaluationConfig(deals=2),
        run=RunConfig(threads=1),
    )


def test_the_bot_plays_every_seat_and_all_of_it_is_learned_from(tmp_path: Path) -> None:
    run = Run(imitating(512), tmp_path)
    stats = run.cycle()
    assert run.progress.decisions == 512  # nothing of the league's half is left out
    assert 0 < stats["agreement"] < 1
    assert "policy_loss" not in stats
    bot = cardenvs.make_bot(run.game, "greedy")
    rollout = run.collector.collect()  # the next of this stage
    for obs, mask, action in zip(rollout.obs, rollout.mask, rollout.action, strict=True):
        np.testing.assert_array_equal(bot.act(obs, mask), action)


def test_then_the_policy_plays_and_the_league_holds_its_seats(tmp_path: Path) -> None:
    run = Run(imitating(512), tmp_path)
    run.cycle()
    stats = run.cycle()
    assert "agreement" not in stats
    assert stats["kl"] >= 0
    assert 512 < run.progress.decisions < 1024


def test_agreement_rises(tmp_path: Path) -> None:
    run = Run(imitating(10**6), tmp_path)
    first = run.cycle()["agreement"]
    for _ in range(40):
        last = run.cycle()["agreement"]
    assert last > first + 0.1
    assert last > 0.8


def test_what_it_may_not_be() -> None:
    with pytest.raises(ValueError, match="bot=None: allowed is a bot, or decisions=0"):
        ImitationConfig(None, 100)
    with pytest.raises(ValueError, match="decisions=0: allowed is 1 or more, or no bot"):
        ImitationConfig("greedy")
    with pytest.raises(ValueError, match="decisions=100: allowed is fewer than total_decisions=100"):
        imitating(100, total_decisions=100)
    with pytest.raises(ValueError, match="no bot 'gredy'"):
        Run(imitating(100, "gredy"), Path())


def test_a_resume_goes_on_over_the_end_of_the_stage(tmp_path: Path) -> None:
    """With a bot that draws lots: one cycle of the stage before, one after, then the policy's own."""
    config = imitating(1024, "random")
    whole, halves = Run(config, tmp_path), Run(config, tmp_path)
    halves.cycle()
    halves.save()
    rest = Run(config, tmp_path, resume=True)
    for _ in range(5):
        whole.cycle()
    for _ in range(4):
        rest.cycle()
    assert whole.league.beats == rest.league.beats
    for name, weight in whole.network.state_dict().items():
        assert torch.equal(weight, rest.network.state_dict()[name]), name
