"""The compiled bots as players, and what a player is."""

from __future__ import annotations

import reprlib
from typing import Any, Protocol

import numpy as np

from cardenvs import engine
from cardenvs.checks import check_seed
from cardenvs.spec import Game


class Acts(Protocol):
    """Whoever chooses actions from rows and masks alone."""

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Integers `[K]`: an action for each of K positions, from int16 `obs[K, D]` and int8 `mask[K, A]`."""


class Player(Acts, Protocol):
    """Who does so under a name, and again in the same way: a bot, a trained policy, anybody's own."""

    @property
    def name(self) -> str:
        """For tables."""

    def reset(self, seed: int) -> None:
        """Start the player's own random stream anew."""


def check_game(game: Any) -> None:
    """ValueError unless it is a game: the id of a variant is none."""
    if not isinstance(game, Game):
        raise ValueError(f"game={game!r}: allowed is a Game, which cardenvs.make_game('rummy_v0', ...) makes")


def ask(player: Acts, obs: np.ndarray, mask: np.ndarray, who: str) -> np.ndarray:
    """Integers `[K]`: what a player does in K positions, legal or not (`are_legal`).

    Raises:
        ValueError: it raised, or returned anything but K integers; names `who` and what came back.
    """
    try:
        given = player.act(obs, mask)
    except Exception as error:
        raise ValueError(f"{who} raised {type(error).__name__}: {error}") from error
    try:
        actions = np.asarray(given)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{who} returned {_short(given)}: allowed are {len(mask)} integers") from error
    if actions.shape != (len(mask),) or actions.dtype.kind not in "iu":
        what = f"{_short(given)}, {actions.dtype} {actions.shape}"
        raise ValueError(f"{who} returned {what}: allowed are {len(mask)} integers")
    return actions


def _short(value: Any) -> str:
    return " ".join(reprlib.repr(value).split())


def are_legal(actions: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """bool `[K]`: which of integers `actions[K]` int8 `mask[K, A]` allows."""
    inside = (actions >= 0) & (actions < mask.shape[1])
    return inside & (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1)


class Bot:
    """A compiled bot.

    Args:
        game: the variant that it plays.
        name: one of `game.bots`.
        seed: of its random stream.

    Raises:
        ValueError: the variant has no bot of that name, or `game` is no game.
    """

    def __init__(self, game: Game, name: str, seed: int = 0) -> None:
        check_game(game)
        self.game = game
        self.name = name
        self._number = game.bot_number(name)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start the random stream anew; ValueError for a seed out of range."""
        self._rng = np.random.Generator(np.random.PCG64(check_seed(seed)))

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """int32 `[K]`: an action for each row of int16 `obs[K, D]` and int8 `mask[K, A]`; -1 where nothing is legal.

        Raises:
            ValueError: rows or masks are not of this game, or not of integers.
        """
        obs, mask = np.asarray(obs), np.asarray(mask)
        count = len(obs) if obs.ndim else 0
        allowed = (count, self.game.observation_size), (count, self.game.num_actions)
        if (obs.shape, mask.shape) != allowed:
            raise ValueError(f"rows {obs.shape} and mask {mask.shape}: allowed for {self.game} are {allowed}")
        if obs.dtype.kind not in "iu" or mask.dtype.kind not in "iub":
            raise ValueError(
                f"rows {obs.dtype} and mask {mask.dtype}: allowed are integers, int16 and int8; an environment's "
                "float32 observation is scaled: np.rint(observation / game.observation.scale).astype(np.int16)"
            )
        actions = np.empty(len(obs), np.int32)
        streams = self._rng.integers(0, 2**64, len(obs), np.uint64)
        obs, mask = np.ascontiguousarray(obs, np.int16), np.ascontiguousarray(mask, np.int8)
        engine.bot_actions(self.game.rules, self._number, obs, mask, streams, actions)
        return actions


def make_bot(game: Game, name: str, seed: int = 0) -> Bot:
    """A compiled bot of the game: see `Bot`."""
    return Bot(game, name, seed)
