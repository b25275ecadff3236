"""What the trainer's loop costs beside the arithmetic that no trainer can do without."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import Tensor, nn

from cardenvs.gym import make_gym
from training.config import EnvConfig, NetworkConfig, PPOConfig, RunConfig, TrainConfig
from training.train import Run

HIDDEN = (256, 256)
GAMES, STEPS = 128, 32
"""Of a rollout: 4096 decisions, gone through four times."""

CONFIG = TrainConfig(
    # Rows of 622 and 296 actions.
    env=EnvConfig("cachons_v0", 4, num_envs=GAMES),
    network=NetworkConfig("dense", HIDDEN, critic="own"),
    ppo=PPOConfig(steps=STEPS, epochs=4, minibatch=1024),
)


def mlp(inputs: int, outputs: int) -> nn.Sequential:
    """The dense network, from torch alone."""
    a, b = HIDDEN
    return nn.Sequential(nn.Linear(inputs, a), nn.ReLU(), nn.Linear(a, b), nn.ReLU(), nn.Linear(b, outputs))


class Bare:
    """The arithmetic of a cycle of PPO and nothing else, on rows made up once.

    A forward pass of actor and critic for every step of a rollout, with a draw of actions; then epochs of forward,
    backward and optimiser over minibatches. No game, no buffers, no advantages, no shuffling, no logging.

    Args:
        inputs, outputs: length of a row, number of actions.
        config: how many decisions, epochs and minibatches.
    """

    def __init__(self, inputs: int, outputs: int, config: PPOConfig = CONFIG.ppo) -> None:
        torch.manual_seed(0)
        self._config = config
        self._actor, self._critic = mlp(inputs, outputs), mlp(inputs, 1)
        self.network = nn.ModuleList([self._actor, self._critic])
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-4, eps=1e-5)
        self._rows = torch.rand(STEPS * GAMES, inputs)
        self._illegal = torch.rand(STEPS * GAMES, outputs) > 0.1
        self._illegal[:, 0] = False
        self._action = torch.zeros(STEPS * GAMES, 1, dtype=torch.int64)
        self._given = torch.randn(STEPS * GAMES)

    def _log_probs(self, rows: Tensor, illegal: Tensor) -> Tensor:
        return torch.log_softmax(self._actor(rows).masked_fill(illegal, -1e30), -1)

    def cycle(self) -> None:
        """As much as one rollout and what is learned from it."""
        with torch.no_grad():
            for rows, illegal in zip(self._rows.split(GAMES), self._illegal.split(GAMES), strict=True):
                torch.multinomial(torch.softmax(self._log_probs(rows, illegal), -1), 1)
                self._critic(rows)
        everything = self._rows, self._illegal, self._action, self._given
        for _ in range(self._config.epochs):
            for rows, illegal, action, given in zip(
                *(each.split(self._config.minibatch) for each in everything), strict=True
            ):
                log_probs = self._log_probs(rows, illegal)
                policy = -(log_probs.gather(1, action).squeeze(1) * given).mean()
                bonus = (torch.softmax(log_probs, -1) * log_probs).sum(-1).mean()
                critic = (self._critic(rows).squeeze(1) - given).square().mean()
                self._optimizer.zero_grad(set_to_none=True)
                (policy + 0.5 * critic + 0.01 * bonus).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self._optimizer.step()


@dataclass(frozen=True)
class TrainingRate:
    """Decisions per second, once for each repeat, the two in turn.

    Attributes:
        threads: of the arithmetic.
        ours: of `Run.cycle`, games and all.
        bare: of `Bare.cycle`.
        split: share of the time in each lap of ours.
    """

    threads: int
    ours: list[float]
    bare: list[float]
    split: dict[str, float]


def training_rates(threads: int, repeats: int) -> TrainingRate:
    """Measure the trainer beside its bare arithmetic, `repeats` cycles of each in turn."""
    before = torch.get_num_threads()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(replace(CONFIG, run=RunConfig(threads=threads, device="cpu")), Path(folder))
        bare = Bare(run.game.observation_size, run.game.num_actions)
        found: dict[str, list[float]] = {"ours": [], "bare": []}
        try:
            for number in range(repeats + 1):
                for name, cycle in (("ours", run.cycle), ("bare", bare.cycle)):
                    start = time.perf_counter()
                    cycle()
                    if number:  # The first one warms up.
                        found[name].append(GAMES * STEPS / (time.perf_counter() - start))
                    else:
                        run.clock.seconds.clear()
        finally:
            torch.set_num_threads(before)
    return TrainingRate(threads, found["ours"], found["bare"], run.clock.split())


def maskable_ppo(threads: int, seed: int) -> float:
    """Decisions per second that sb3-contrib's MaskablePPO learns from: one seat of our Rummy, as one would write it."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    class Rows(gymnasium.ObservationWrapper):
        """The row alone; MaskablePPO asks for the mask."""

        def __init__(self) -> None:
            super().__init__(make_gym("rummy_v0", opponents="random"))
            self.observation_space = self.env.observation_space["observation"]  # type: ignore[index]

        def observation(self, observation: dict[str, Any]) -> Any:
            self.legal = observation["action_mask"] == 1
            return observation["observation"]

        def action_masks(self) -> np.ndarray:
            return self.legal

    torch.set_num_threads(threads)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([Rows] * GAMES),
        n_steps=STEPS,
        batch_size=CONFIG.ppo.minibatch,
        n_epochs=CONFIG.ppo.epochs,
        policy_kwargs={"net_arch": list(HIDDEN)},
        device="cpu",
        seed=seed,
    )
    model.learn(GAMES * STEPS)
    start = time.perf_counter()
    model.learn(GAMES * STEPS)
    return GAMES * STEPS / (time.perf_counter() - start)
