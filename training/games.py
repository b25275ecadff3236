"""What a `Collector` needs of the games that it plays, whoever made them."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cardenvs.vector import Batch


class Games(Protocol):
    """N games of S seats, stepped together: `VectorEnv` is that, and `training.aec.AecVec`.

    A game that ends is dealt anew by itself. Rows have D entries, masks A.
    """

    @property
    def num_envs(self) -> int:
        """N."""

    @property
    def num_players(self) -> int:
        """S."""

    @property
    def observation_size(self) -> int:
        """D."""

    @property
    def num_actions(self) -> int:
        """A."""

    def make_batch(self) -> Batch:
        """Zeroed arrays for `step` to write into."""

    def reset(self, seed: int) -> Batch:
        """Deal every game anew."""

    def step(self, actions: np.ndarray, out: Batch) -> Batch:
        """One decision of every game, int32 `[N]`, by the seat whose turn it is; what follows is written into `out`."""

    def observe_all(self) -> np.ndarray:
        """int16 `[N, S, D]`: rows of all seats now."""

    def upcoming(self, count: int) -> np.ndarray:
        """int16 `[N, count]`: types of the stock's next cards, next first; -1 where there is none."""
