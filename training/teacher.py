"""A bot that holds every seat, for the network to learn from."""

from __future__ import annotations

import numpy as np

from cardenvs import make_bot
from cardenvs.vector import VectorEnv
from training.config import ImitationConfig


class Teacher:
    """What the first stage of a run is played by.

    Args:
        vec: the games that it plays.
        config: which bot, and what is learned from it.

    Attributes:
        values: what its actions come to is learned, not which it chooses.

    Raises:
        ValueError: the game has no bot of that name.
    """

    def __init__(self, vec: VectorEnv, config: ImitationConfig) -> None:
        if config.bot is None:
            raise ValueError("bot=None: allowed is a bot of the game")
        self._vec, self._explore, self.values = vec, config.explore, config.learn == "values"
        self._bot = make_bot(vec.game, config.bot)
        self._random = np.random.default_rng(0)

    def reset(self, seed: int) -> None:
        """Start the random streams anew."""
        self._bot.reset(seed)
        self._random = np.random.default_rng(seed)

    def act(self, obs: np.ndarray, mask: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Write what every game does to int32 `actions[N]`; returns bool `[N]`, where there is something to learn.

        Args:
            obs: int16 `[N, D]`; mask: int8 `[N, A]`.
            actions: written.
        """
        explores = self._random.random(len(actions)) < self._explore
        actions[:] = np.where(explores, self._vec.random_actions(), self._bot.act(obs, mask))
        return np.ones(len(actions), bool) if self.values else ~explores

    def action_values(self) -> np.ndarray:
        """float32 `[N, A]` of every game as it stands: see `VectorEnv.action_values`."""
        return self._vec.action_values(self._bot.name)
