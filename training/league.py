"""Whom the policy plays against beside itself: bots, in a share of the games."""

from __future__ import annotations

import numpy as np

from cardenvs import make_bot
from cardenvs.spec import Game
from training.config import LeagueConfig


class League:
    """Who holds which seat of N games, for the whole run.

    In the first `share` of the games the policy holds one side and a bot all others, every side and bot in turn; in the
    rest it holds all. What the bots decide is not learned from.

    Args:
        game: the variant with its options.
        config: which bots, and their share.
        num_envs: N.

    Attributes:
        held: bool `[N, S]`, the seats that the policy holds.

    Raises:
        ValueError: the game has no bot of that name.
    """

    def __init__(self, game: Game, config: LeagueConfig, num_envs: int) -> None:
        self._bots = [make_bot(game, name) for name in config.bots]
        games = np.arange(round(config.share * num_envs) if self._bots else 0)
        self._bot = np.full(num_envs, -1)
        self._bot[games] = games % max(len(self._bots), 1)
        side = games // max(len(self._bots), 1) % game.num_sides
        self.held = np.ones((num_envs, game.num_players), bool)
        self.held[games] = np.array(game.sides) == side[:, None]

    def reset(self, seed: int) -> None:
        """Start the bots' random streams anew."""
        for number, bot in enumerate(self._bots):
            bot.reset(seed + number)

    def play(self, obs: np.ndarray, mask: np.ndarray, seat: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Put what the bots do into int32 `actions[N]`; returns bool `[N]`, where the policy decides.

        Args:
            obs: int16 `[N, D]`; mask: int8 `[N, A]`; seat: int `[N]`, who is to act.
            actions: of the policy.
        """
        policy: np.ndarray = self.held[np.arange(len(seat)), seat]
        for number, bot in enumerate(self._bots):
            theirs = np.flatnonzero(~policy & (self._bot == number))
            if len(theirs):
                actions[theirs] = bot.act(obs[theirs], mask[theirs])
        return policy
