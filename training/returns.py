"""The unit of the critic's values: a running root mean square of the returns that it learns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from training.parallel import ALONE, Group
from training.ppo import Samples
from training.rollout import Rollout

_SHORTEST, _LEAST = 0.01, 1e-4
"""Weight of the newest rollout once there have been a hundred, and the smallest unit that counts."""


@dataclass
class ReturnScale:
    """Values of the critic are returns divided by a unit; it is 1 before the first rollout has been seen.

    However much a game pays, the critic's loss then weighs the same beside the policy's. Returns are only scaled, not
    shifted: a game pays a seat by how it does beside the others, around 0. So the unit is their root mean square, and
    not their deviation: where they lie far from 0 and close together, that would make them large.

    Attributes:
        square: mean square of the returns of a rollout: the mean over the first hundred, and later one of which about
            the last hundred count.
        rollouts: seen so far.

    Source: Andrychowicz et al. 2021, https://arxiv.org/abs/2006.05990, value function normalization, without the mean.
    """

    square: float = 1.0
    rollouts: int = 0

    @property
    def unit(self) -> float:
        """How much a value of 1 is worth."""
        return max(self.square**0.5, _LEAST)

    def unscaled(self, rollout: Rollout) -> Rollout:
        """The rollout with its values as returns, in the unit of its rewards."""
        unit = np.float32(self.unit)
        return replace(
            rollout,
            value=rollout.value * unit,
            final_value=rollout.final_value * unit,
            edge_value=rollout.edge_value * unit,
        )

    def see(self, returns: np.ndarray, group: Group = ALONE) -> None:
        """Count in float32 `[B]`, the returns of a rollout's decisions on this process, and those on the others."""
        mean, deviation = group.moments(returns)
        self.rollouts += 1
        square = float(mean) ** 2 + float(deviation) ** 2
        self.square += max(1 / self.rollouts, _SHORTEST) * (square - self.square)

    def scaled(self, samples: Samples) -> Samples:
        """The samples with what the critic is to learn in its own unit."""
        return replace(samples, target=samples.target / self.unit)
