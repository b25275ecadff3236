"""A PettingZoo AEC environment with action masks, as the games that a `Collector` plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from cardenvs.layout import Layout, Piece
from cardenvs.vector import Batch, zero_batch


def _is_masked(space: Any) -> bool:
    """Whether it is a Dict of an observation that int16 holds, and a mask."""
    if not isinstance(space, Dict) or not {"observation", "action_mask"} <= space.keys():
        return False
    rows, limits = space["observation"], np.iinfo(np.int16)
    if not isinstance(rows, Box) or rows.dtype.kind not in "iub":
        return False
    return bool((rows.low >= limits.min).all() and (rows.high <= limits.max).all())


class AecVec:
    """N environments stepped one after the other in Python: `Games` that a `Collector` plays.

    An observation is a dict of `observation`, booleans or integers of 16 bits, and `action_mask`. An episode ends when
    every agent is done, all at once; it is truncated when none has terminated.

    Args:
        make: returns a fresh environment, an AECEnv of PettingZoo.
        num_envs: N.

    Attributes:
        observation, actions: layouts, of a single piece each.

    Raises:
        ValueError: actions are not discrete from 0, agents differ in their spaces, or observations are no such dicts.
    """

    def __init__(self, make: Callable[[], Any], num_envs: int) -> None:
        self._envs = [make() for _ in range(num_envs)]
        first = self._envs[0]
        self._agents = list(first.possible_agents)
        self._seats = {agent: seat for seat, agent in enumerate(self._agents)}
        seen = [first.observation_space(agent) for agent in self._agents]
        done = [first.action_space(agent) for agent in self._agents]
        space = done[0]
        if not isinstance(space, Discrete) or space.start != 0 or any(space != other for other in done):
            raise ValueError(f"{first}: actions {done}: allowed are equal Discrete spaces from 0 for all agents")
        if not all(_is_masked(each) and each["observation"] == seen[0]["observation"] for each in seen):
            allowed = "equal Dicts of 'observation', whole numbers of 16 bits, and 'action_mask'"
            raise ValueError(f"{first}: observations {seen}: allowed are {allowed} for all agents")
        self.num_envs, self.num_players = num_envs, len(self._agents)
        self.num_actions = int(space.n)
        self.observation_size = int(np.prod(seen[0]["observation"].shape))
        self.observation = Layout([Piece("observation", (self.observation_size,), ("entry",))])
        self.actions = Layout([Piece("action", (self.num_actions,), ("action",))])
        self._seed = 0

    def make_batch(self) -> Batch:
        """Zeroed arrays as `VectorEnv.make_batch` has them."""
        return zero_batch(self.num_envs, self.num_players, self.observation_size, self.num_actions)

    def reset(self, seed: int) -> Batch:
        """Begin every game; its later episodes take the seeds after those of the first."""
        self._seed = seed
        batch = self.make_batch()
        for i in range(self.num_envs):
            self._begin(i)
            self._show(i, batch)
        return batch

    def _begin(self, i: int) -> None:
        self._envs[i].reset(seed=self._seed)
        self._seed += 1

    def _show(self, i: int, batch: Batch) -> None:
        agent = self._envs[i].agent_selection
        seen = self._envs[i].observe(agent)
        batch.obs[i] = np.ravel(seen["observation"])
        batch.mask[i] = seen["action_mask"]
        batch.seat[i] = self._seats[agent]

    def step(self, actions: np.ndarray, out: Batch) -> Batch:
        """One decision of every game; see `VectorEnv.step`."""
        for i, env in enumerate(self._envs):
            env.step(int(actions[i]))
            out.reward[i] = [env.rewards.get(agent, 0.0) for agent in self._agents]
            terminated = [env.terminations.get(agent, True) for agent in self._agents]
            ended = [a or env.truncations.get(b, True) for a, b in zip(terminated, self._agents, strict=True)]
            if any(ended) and not all(ended):
                raise ValueError(f"{env}: {env.terminations}: allowed are agents that all end at once")
            out.terminated[i] = over = any(terminated)
            out.truncated[i] = all(ended) and not over
            if all(ended):
                out.final_obs[i] = self._rows(env)
                out.winner[i] = out.reward[i] > 0
                self._begin(i)
            self._show(i, out)
        return out

    def _rows(self, env: Any) -> np.ndarray:
        return np.stack([np.ravel(env.observe(agent)["observation"]) for agent in self._agents])

    def observe_all(self) -> np.ndarray:
        """int16 `[N, S, D]`: rows of all seats now."""
        return np.stack([self._rows(env) for env in self._envs]).astype(np.int16)

    def upcoming(self, count: int) -> np.ndarray:
        """int16 `[N, count]` of -1: no stock is known of."""
        return np.full((self.num_envs, count), -1, np.int16)
