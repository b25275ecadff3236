"""The compiled bots as players, and what a player is."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from cardenvs import engine
from cardenvs.spec import Game


class Player(Protocol):
    """Whoever chooses actions from rows and masks alone: a bot, a trained policy, anybody's own."""

    @property
    def name(self) -> str:
        """For tables."""

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Integers `[K]`: an action for each of K positions, from int16 `obs[K, D]` and int8 `mask[K, A]`."""

    def reset(self, seed: int) -> None:
        """Start the player's own random stream anew."""


class Bot:
    """A compiled bot.

    Args:
        game: the variant that it plays.
        name: one of `game.bots`.
        seed: of its random stream.

    Raises:
        ValueError: the variant has no bot of that name.
    """

    def __init__(self, game: Game, name: str, seed: int = 0) -> None:
        if name not in game.bots:
            raise ValueError(f"{game.id} has no bot {name!r}: allowed are {', '.join(game.bots)}")
        self.game = game
        self.name = name
        self._number = game.bots.index(name)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start the random stream anew."""
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """int32 `[K]`: an action for each row of int16 `obs[K, D]` and int8 `mask[K, A]`; -1 where nothing is legal.

        Raises:
            ValueError: rows or masks are not of this game.
        """
        allowed = (len(obs), self.game.observation_size), (len(obs), self.game.num_actions)
        if (np.shape(obs), np.shape(mask)) != allowed:
            raise ValueError(f"rows {np.shape(obs)} and mask {np.shape(mask)}: allowed for {self.game} are {allowed}")
        actions = np.empty(len(obs), np.int32)
        streams = self._rng.integers(0, 2**64, len(obs), np.uint64)
        obs, mask = np.ascontiguousarray(obs, np.int16), np.ascontiguousarray(mask, np.int8)
        engine.bot_actions(self.game.rules, self._number, obs, mask, streams, actions)
        return actions


def make_bot(game: Game, name: str, seed: int = 0) -> Bot:
    """A compiled bot of the game: see `Bot`."""
    return Bot(game, name, seed)
