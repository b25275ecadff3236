"""T2: advantages run along one seat's own decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from toy import Step, ToyVec, toy_network

from training.advantage import seat_advantages
from training.clock import Clock
from training.rollout import Collector

CPU = torch.device("cpu")


def slow_advantage(
    steps: list[Step], game: int, t: int, value: Callable[[np.ndarray], float], gamma: float, lam: float
) -> float:
    """The advantage of decision t, by following its seat through the history one move at a time."""
    seat = steps[t].seat[game]
    total, weight, worth = 0.0, 1.0, value(steps[t].rows[game, seat])
    paid = 0.0
    for now in range(t, len(steps)):
        step = steps[now]
        paid += float(step.reward[game, seat])
        if step.terminated[game]:
            return total + weight * (paid - worth)
        if step.truncated[game]:
            return total + weight * (paid + gamma * value(step.final[game, seat]) - worth)
        following = steps[now + 1] if now + 1 < len(steps) else None
        if following is None:
            return total + weight * (paid + gamma * value(step.after[game, seat]) - worth)
        if following.seat[game] == seat:
            next_worth = value(following.rows[game, seat])
            total += weight * (paid + gamma * next_worth - worth)
            weight, worth, paid = weight * gamma * lam, next_worth, 0.0
    raise AssertionError("the last step returns")


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (0.9, 0.7), (0.99, 0.0)])
def test_advantages_equal_a_slow_loop(seats: int, gamma: float, lam: float) -> None:
    """Two rollouts in a row, so that what the second begins with is tested too."""
    vec: Any = ToyVec(num_envs=7, num_players=seats)
    network = toy_network(scale=5.0)
    torch.nn.init.normal_(network.critic.body.head.weight, generator=torch.Generator().manual_seed(2))
    collector = Collector(vec, 3, network, 24, torch.Generator().manual_seed(0), CPU, Clock(CPU))

    def value(row: np.ndarray) -> float:
        with torch.no_grad():
            return float(network.critic(torch.from_numpy(row)[None])[0])

    for _ in range(2):
        vec.history.clear()
        r = collector.collect()
        assert r.truncated.any()
        assert r.terminated.any()
        found, _ = seat_advantages(
            r.reward, r.seat, r.terminated, r.truncated, r.value, r.final_value, r.edge_value, gamma, lam
        )
        wanted = [[slow_advantage(vec.history, g, t, value, gamma, lam) for g in range(7)] for t in range(24)]
        np.testing.assert_allclose(found, wanted, atol=2e-5)


def test_paid_on_anothers_move() -> None:
    """Seat 0 acts twice, then seat 1 ends the episode, which pays seat 0 for its second decision, once."""
    found, start = _by_hand(
        seat=[0, 0, 1, 1], reward={2: (5.0, -5.0)}, terminated={2}, value=[1.0, 2.0, 3.0, 7.0], edge=(10.0, 20.0)
    )
    # seat 0: 0 + 2 - 1, then 5 - 2; seat 1: -5 - 3; and in the new episode the edge's own value, 20 - 7.
    np.testing.assert_allclose(found, [1.0 + 3.0, 3.0, -8.0, 13.0])
    # Seat 1 waits at the start: what its first decision is worth, though nothing of the episode after.
    np.testing.assert_allclose(start, [5.0, -5.0])


def test_truncation_is_bootstrapped_from_the_own_last_row_and_termination_is_not() -> None:
    cut, _ = _by_hand(
        seat=[0, 1], reward={}, truncated={1}, value=[1.0, 2.0], final={1: (30.0, 40.0)}, edge=(500.0, 600.0)
    )
    np.testing.assert_allclose(cut, [29.0, 38.0])
    ended, _ = _by_hand(
        seat=[0, 1], reward={}, terminated={1}, value=[1.0, 2.0], final={1: (30.0, 40.0)}, edge=(500.0, 600.0)
    )
    np.testing.assert_allclose(ended, [-1.0, -2.0])


def test_a_seat_without_a_decision_takes_nothing() -> None:
    found, start = _by_hand(seat=[0, 0], reward={0: (0.0, 9.0)}, terminated={1}, value=[0.0, 0.0], edge=(0.0, 0.0))
    np.testing.assert_allclose(found, [0.0, 0.0])
    np.testing.assert_allclose(start, [0.0, 9.0])


def _by_hand(
    seat: list[int],
    reward: dict[int, tuple[float, float]],
    value: list[float],
    edge: tuple[float, float],
    terminated: frozenset[int] | set[int] = frozenset(),
    truncated: frozenset[int] | set[int] = frozenset(),
    final: dict[int, tuple[float, float]] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages `[T]` and start returns `[2]` of a single game with two seats, undiscounted."""
    steps = range(len(seat))
    nothing = (0.0, 0.0)
    advantage, start = seat_advantages(
        np.array([[reward.get(t, nothing)] for t in steps], np.float32),
        np.array(seat)[:, None],
        np.array([[t in terminated] for t in steps]),
        np.array([[t in truncated] for t in steps]),
        np.array(value, np.float32)[:, None],
        np.array([[(final or {}).get(t, nothing)] for t in steps], np.float32),
        np.array([edge], np.float32),
        gamma=1.0,
        lam=1.0,
    )
    return advantage[:, 0], start[0]
