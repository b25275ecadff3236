from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from training.config import EnvConfig, EvaluationConfig, NetworkConfig, PPOConfig, RunConfig, TrainConfig


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Tests run beside each other; more threads than cores make arithmetic many times slower."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def tiny() -> TrainConfig:
    """A run that takes a second."""
    return TrainConfig(
        env=EnvConfig("rummy_v0", 2, options={"hand_size": 4, "max_turns": 6}, num_envs=16),
        network=NetworkConfig(hidden=(16,), width=8),
        ppo=PPOConfig(total_decisions=16 * 8 * 4, steps=8, epochs=2, minibatch=32),
        evaluation=EvaluationConfig(every=256, deals=4, final_deals=6),
        run=RunConfig("tiny", threads=1, device="cpu"),
    )
