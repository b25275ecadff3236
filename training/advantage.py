"""Generalised advantages along each seat's own decisions."""

from __future__ import annotations

import numpy as np


def seat_advantages(
    reward: np.ndarray,
    seat: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    value: np.ndarray,
    final_value: np.ndarray,
    edge_value: np.ndarray,
    gamma: float,
    lam: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages of T decisions in each of N games whose S seats take turns.

    A decision of a seat is followed by that seat's own next decision, however many of the others' lie between; all that
    the seat is paid between the two, on whoever's move, belongs to the first. Where the episode ends before the seat
    decides again, the next value is 0 if it terminated, and the seat's own value of the last position if it was cut off
    by truncation. At the rollout's edge it is the seat's own value of the position there.

    Args:
        reward: float32 `[T, N, S]`, paid to every seat by decision t.
        seat: int `[T, N]`, who decided.
        terminated, truncated: bool `[T, N]`, the episode ended with decision t; decision t + 1 belongs to the next one.
        value: float32 `[T, N]`, of the decider at its decision.
        final_value: float32 `[T, N, S]`, of every seat at the end of an episode; read only where truncated.
        edge_value: float32 `[N, S]`, of every seat after the last decision.
        gamma: discount from one decision of a seat to its next.
        lam: decay per decision of a seat.

    Returns:
        advantage: float32 `[T, N]`; plus `value` it is the value target of the decision.
        start_return: float32 `[N, S]`, the value target of every seat at the position before the first decision.

    Source: Schulman et al. 2016, https://arxiv.org/abs/1506.02438, eq. 16, for each seat by itself.
    """
    steps, games = seat.shape
    every = np.arange(games)
    advantage = np.empty((steps, games), np.float32)
    # Of each seat, walking backwards: paid since its next decision, and that decision's value and advantage.
    paid = np.zeros_like(edge_value)
    next_value = edge_value.copy()
    next_advantage = np.zeros_like(edge_value)
    for t in reversed(range(steps)):
        ended = terminated[t] | truncated[t]
        if ended.any():
            paid[ended] = 0.0
            next_advantage[ended] = 0.0
            next_value[ended] = np.where(truncated[t, ended, None], final_value[t, ended], 0.0)
        paid += reward[t]
        own = every, seat[t]
        delta = paid[own] + gamma * next_value[own] - value[t]
        advantage[t] = delta + gamma * lam * next_advantage[own]
        paid[own] = 0.0
        next_value[own] = value[t]
        next_advantage[own] = advantage[t]
    # A seat that waits is worth what it is worth at its next decision: no discount in between.
    return advantage, paid + next_value + lam * next_advantage
