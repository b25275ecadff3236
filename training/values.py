"""Where the values come from that advantages are reckoned with: a network that learns them, or games played out."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from cardenvs.vector import VectorEnv
from training.clock import Clock
from training.games import Games
from training.model import AHEAD, Critic


def utility(paid: np.ndarray, power: float) -> np.ndarray:
    """What rewards float32 `[...]` count for: see `PPOConfig.reward_power`."""
    return paid if power == 1 else np.copysign(np.abs(paid) ** np.float32(power), paid)


class Values(Protocol):
    """What every seat is still to be paid in each of N games of S seats, as they stand.

    Rows of C entries are what it is learned from.
    """

    @property
    def size(self) -> int:
        """C; 0 where nothing is learned."""

    def of(self, seat: np.ndarray, obs: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """float32 `[N]`: for one int `seat[N]` a game, which sees int16 `obs[N, D]`; writes int16 `rows[N, C]`.

        They may be the same array, where rows are what is seen.
        """

    def of_all(self) -> tuple[np.ndarray, np.ndarray]:
        """float32 `[N, S]`, and the rows int16 `[N, S, C]`."""

    def of_cut(self, ended: np.ndarray, final_obs: np.ndarray) -> np.ndarray:
        """float32 `[K, S]`: what the K episodes that a cap cut off, bool `ended[N]`, might still have paid.

        They ended with the decision that followed the last `of`; int16 `final_obs[N, S, D]` has their last rows.
        """


class CriticValues:
    """By a network.

    Args:
        games: the games.
        critic: on `device`.
        clock: `env` and `act` are counted on it.
    """

    def __init__(self, games: Games, critic: Critic, device: torch.device, clock: Clock) -> None:
        self._games, self._critic, self._device, self._clock = games, critic, device, clock
        self._stock = np.full((games.num_envs, AHEAD), -1, np.int16)

    @property
    def size(self) -> int:
        """See `Values`."""
        return self._critic.layout.size

    def of(self, seat: np.ndarray, obs: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """See `Values`."""
        with self._clock.lap("env"):
            if self._critic.central:
                self._stock = self._games.upcoming(AHEAD)
                rows[:] = self._critic.rows(self._games.observe_all(), seat, self._stock)
            else:
                rows[:] = obs
        return self._judge(rows)

    def of_all(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Values`."""
        with self._clock.lap("env"):
            rows = self._critic.rows_for_all(self._games.observe_all(), self._games.upcoming(AHEAD))
        return self._judge(rows), rows

    def of_cut(self, ended: np.ndarray, final_obs: np.ndarray) -> np.ndarray:
        """See `Values`. Turns end without a draw, so the stock is as it was."""
        return self._judge(self._critic.rows_for_all(final_obs[ended], self._stock[ended]))

    @torch.no_grad()
    def _judge(self, rows: np.ndarray) -> np.ndarray:
        """Values float32 `[...]` of rows int16 `[..., C]`."""
        with self._clock.lap("act"):
            flat: Tensor = torch.from_numpy(rows.reshape(-1, rows.shape[-1])).to(self._device, non_blocking=True)
            return self._critic(flat).cpu().numpy().reshape(rows.shape[:-1])


class PlayoutValues:
    """By playing every game on, as it really lies, with one bot in all seats; nothing is learned.

    Args:
        games: of cardenvs: the bot is compiled.
        bot: of that game.
        clock: `playouts` is counted on it.
        power: see `PPOConfig.reward_power`.

    With lambda 1 they are control variates, as in Burch et al. 2018, https://arxiv.org/abs/1612.06915. Below, they also
    draw the policy to what is best when the bot plays on: one step of policy improvement on it.
    """

    size = 0

    def __init__(self, games: VectorEnv, bot: str, clock: Clock, power: float = 1.0) -> None:
        self._games, self._bot, self._clock, self._power = games, bot, clock, power

    def of(self, seat: np.ndarray, obs: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """See `Values`."""
        return self._play_out()[np.arange(len(seat)), seat]

    def of_all(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Values`."""
        paid = self._play_out()
        return paid, np.zeros((*paid.shape, 0), np.int16)

    def of_cut(self, ended: np.ndarray, final_obs: np.ndarray) -> np.ndarray:
        """Nothing: playouts are cut off by the same cap, and know what it pays."""
        return np.zeros((int(ended.sum()), self._games.num_players), np.float32)

    def _play_out(self) -> np.ndarray:
        with self._clock.lap("playouts"):
            return utility(self._games.play_out(self._bot), self._power)
