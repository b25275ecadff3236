"""The critic's unit: by hand, over a run, and left alone where it is not asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from test_run import assert_same, checkpoint
from toy import ToyVec, toy_network

from training.clock import Clock
from training.config import TrainConfig
from training.ppo import Samples, make_samples
from training.returns import ReturnScale
from training.rollout import Collector, Rollout
from training.train import Run

CPU = torch.device("cpu")


def toy_rollout() -> Rollout:
    vec = ToyVec(num_envs=5, num_players=3)
    return Collector(vec, 3, toy_network(), 10, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect()  # type: ignore[arg-type]


def test_the_running_unit_by_hand() -> None:
    scale = ReturnScale()
    assert scale.unit == 1
    scale.see(np.array([1, 3, 5, 7], np.float32))  # mean square 21
    assert scale.unit == pytest.approx(21**0.5)
    scale.see(np.array([-10, 10], np.float32))  # mean square 100: the mean of both
    assert scale.square == pytest.approx(60.5)
    scale.see(np.zeros(3, np.float32))
    assert scale.square == pytest.approx(121 / 3)
    scale.rollouts = 1000
    scale.see(np.array([2, -2], np.float32))
    assert scale.square == pytest.approx(0.99 * 121 / 3 + 0.01 * 4)


def test_returns_far_from_nothing_are_not_made_larger_by_lying_close() -> None:
    scale = ReturnScale()
    scale.see(np.array([100, 100.01], np.float32))
    assert scale.unit == pytest.approx(100, rel=1e-3)


def test_returns_that_are_all_nothing_do_not_divide_by_it() -> None:
    scale = ReturnScale()
    scale.see(np.zeros(3, np.float32))
    assert scale.unit == 1e-4


def test_values_are_returns_and_targets_are_values() -> None:
    rollout, scale = toy_rollout(), ReturnScale(square=9.0, rollouts=4)
    there = scale.unscaled(rollout)
    for name in ("value", "final_value", "edge_value"):
        np.testing.assert_array_equal(getattr(there, name), 3 * getattr(rollout, name))
        assert getattr(there, name).dtype == np.float32
    assert there.reward is rollout.reward
    samples = make_samples(rollout, np.ones_like(rollout.value), rollout.edge_value, CPU)
    back = scale.scaled(samples)
    torch.testing.assert_close(3 * back.target, samples.target)
    assert samples.waiting, "targets of waiting seats are among them"
    assert back.advantage is samples.advantage


def played(config: TrainConfig, folder: Path, cycles: int, resume: bool = False) -> Run:
    folder.mkdir(exist_ok=True)
    run = Run(config, folder, resume)
    for _ in range(cycles):
        run.cycle()
    run.save()
    return run


def test_a_resumed_run_equals_the_uninterrupted_one(tiny: TrainConfig, tmp_path: Path) -> None:
    scaled = replace(tiny, ppo=replace(tiny.ppo, normalize_returns=True))
    run = played(scaled, tmp_path / "whole", 4)
    assert run.returns.rollouts == 4
    played(scaled, tmp_path / "first", 2)
    played(scaled, tmp_path / "first", 2, resume=True)
    assert_same(checkpoint(tmp_path / "whole"), checkpoint(tmp_path / "first"))


def test_it_is_left_alone_unless_asked_for(tiny: TrainConfig, tmp_path: Path) -> None:
    run = played(tiny, tmp_path / "off", 2)
    assert run.returns == ReturnScale()


def test_rewards_of_another_size_teach_the_same(
    tiny: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pay a thousand times as much: but for what the critic guessed at first, its targets are the same."""
    seen: list[Samples] = []
    monkeypatch.setattr("training.train.update", lambda network, optimizer, samples, *_: seen.append(samples) or {})
    scaled = replace(tiny, ppo=replace(tiny.ppo, normalize_returns=True, steps=32))
    for factor in (1, 1000):
        run = Run(scaled, tmp_path)
        collect = run.collector.collect

        def paid(factor: int = factor, collect: object = collect) -> Rollout:
            rollout = collect()  # type: ignore[operator]
            none = {name: 0 * getattr(rollout, name) for name in ("value", "final_value", "edge_value")}
            return replace(rollout, reward=rollout.reward * np.float32(factor), **none)

        run.collector.collect = paid  # type: ignore[method-assign]
        run.cycle()
    torch.testing.assert_close(seen[0].target, seen[1].target)
    decided = seen[0].target[: len(seen[0].action)]
    assert decided.square().mean() == pytest.approx(1, rel=1e-4)
