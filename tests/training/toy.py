"""A toy game with the interface of a vector environment; its whole history is kept.

A seat acts up to three times in a row; anybody may be paid by anybody's move; episodes end or are cut off at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from cardenvs.layout import Layout, Piece
from cardenvs.vector import zero_batch
from training.config import NetworkConfig
from training.model import Actor, ActorCritic, Critic

ROWS, ACTIONS = 6, 5


def toy_network(hidden: int = 8, scale: float = 1.0, central: bool = False, seats: int = 3) -> ActorCritic:
    """A small network for the toy game; `hand`, two entries, is what a central critic sees of the others."""
    rows = Layout([Piece("hand", (2,), ("entry",), scale), Piece("rest", (ROWS - 2,), ("entry",), scale)])
    actions = Layout([Piece("act", (ACTIONS,), ("action",))])
    config, generator = NetworkConfig("dense", (hidden,)), torch.Generator().manual_seed(1)
    return ActorCritic(Actor(rows, actions, config, generator), Critic(rows, seats, central, config, generator))


@dataclass(frozen=True)
class Step:
    """One decision of all games: who decided, what followed. `rows` are of all seats before it, `after` after it."""

    rows: np.ndarray
    seat: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final: np.ndarray
    after: np.ndarray


class ToyVec:
    """N games of S seats."""

    observation_size, num_actions = ROWS, ACTIONS

    def __init__(self, num_envs: int, num_players: int, seed: int = 0) -> None:
        self.num_envs, self.num_players = num_envs, num_players
        self.rng = np.random.default_rng(seed)
        self.history: list[Step] = []

    def make_batch(self) -> Any:
        return zero_batch(self.num_envs, self.num_players, ROWS, ACTIONS)

    def reset(self, seed: int) -> Any:
        self.rng = np.random.default_rng(seed)
        self.rows = self._deal(self.num_envs)
        self.seat = self.rng.integers(self.num_players, size=self.num_envs)
        batch = self.make_batch()
        self._show(batch)
        return batch

    def _deal(self, games: int) -> np.ndarray:
        return self.rng.integers(-5, 6, (games, self.num_players, ROWS)).astype(np.int16)

    def _show(self, batch: Any) -> None:
        batch.obs[:] = self.rows[np.arange(self.num_envs), self.seat]
        batch.mask[:] = self.rng.random(batch.mask.shape) < 0.5
        batch.mask[:, 0] = 1
        batch.seat[:] = self.seat

    def step(self, actions: np.ndarray, out: Any) -> Any:
        n, before, seat = self.num_envs, self.rows.copy(), self.seat.copy()
        pays = self.rng.random((n, self.num_players)) < 0.3
        out.reward[:] = np.where(pays, self.rng.normal(size=pays.shape), 0)
        kind = self.rng.random(n)
        out.terminated[:], out.truncated[:] = kind < 0.1, kind > 0.92
        self.rows = self._deal(n)
        ended = out.terminated | out.truncated
        out.final_obs[ended] = self.rows[ended]
        self.rows[ended] = self._deal(int(ended.sum()))
        goes_on = self.rng.random(n) < 0.6
        self.seat = np.where(goes_on, self.seat, (self.seat + 1) % self.num_players)
        self._show(out)
        kept = (before, seat, out.reward, out.terminated, out.truncated, out.final_obs, self.rows)
        self.history.append(Step(*(array.copy() for array in kept)))
        return out

    def upcoming(self, count: int) -> np.ndarray:
        """Of hands of two types: one of each, and then nothing."""
        return np.tile(np.array([1, 0, *[-1] * (count - 2)], np.int16), (self.num_envs, 1))

    def observe_all(self) -> np.ndarray:
        return self.rows.copy()
