"""Collects the decisions of all seats from the vector environment into `[T, N]` buffers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from cardenvs.vector import Batch, VectorEnv
from training.clock import Clock
from training.games import Games
from training.league import League
from training.model import ActorCritic, masked_log_softmax, sample
from training.teacher import Teacher
from training.values import CriticValues, PlayoutValues, Values, utility


@dataclass(frozen=True)
class Rollout:
    """T decisions of each of N games with S seats, and what came of them; row t + 1 follows row t.

    The arrays are views of the collector's buffers: the next `collect` overwrites them.

    Attributes:
        obs: int16 `[T, N, D]`, row of the seat that decided.
        mask: int8 `[T, N, A]`, its legal actions.
        seat: int32 `[T, N]`, who decided.
        action: int32 `[T, N]`.
        log_prob: float32 `[T, N]`, of the policy that played; 0 where a teacher did.
        value: float32 `[T, N]`, of the critic then.
        reward: float32 `[T, N, S]`, what decision t paid every seat; by `power`, as all that is in such units.
        terminated, truncated: bool `[T, N]`, the episode ended with decision t.
        final_value: float32 `[T, N, S]`, value of every seat's last row, where truncated; 0 without `bootstrap`.
        critic_obs: int16 `[T, N, C]`, what the critic saw for the seat that decided; `obs` itself where that is all.
        start_obs: int16 `[N, S, C]`, what it saw for every seat before the first decision.
        edge_value: float32 `[N, S]`, value of every seat's row after the last decision.
        learn: bool `[T, N]`, the policy decided; otherwise a bot, and there is nothing to learn.
        held: bool `[N, S]`, the seats that the policy holds.
        illegal: illegal actions among them.
        action_values: float32 `[T, N, A]` where a teacher gave them: what each legal action would have come to.
    """

    obs: np.ndarray
    critic_obs: np.ndarray
    mask: np.ndarray
    seat: np.ndarray
    action: np.ndarray
    log_prob: np.ndarray
    value: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final_value: np.ndarray
    start_obs: np.ndarray
    edge_value: np.ndarray
    learn: np.ndarray
    held: np.ndarray
    illegal: int
    action_values: np.ndarray | None


class Collector:
    """Plays the network against itself and the league, `steps` decisions of each game at a time.

    Args:
        vec: the games; nobody else steps them.
        seed: of the first deals.
        network: plays every seat that the league leaves to it.
        steps: T.
        generator: of the sampled actions, on `device`.
        device: where the network is.
        clock: `env` and `act` are counted on it.
        bootstrap: estimate what a truncated episode would still have paid; otherwise that is nothing.
        league: plays some seats; without one the network plays all.
        playout: the bot whose play is the measure of values where the network has no critic.
        power: see `PPOConfig.reward_power`.

    Attributes:
        teacher: while there is one, it plays all seats in the place of network and league, to be learned from.
    """

    def __init__(
        self,
        vec: Games,
        seed: int,
        network: ActorCritic,
        steps: int,
        generator: torch.Generator,
        device: torch.device,
        clock: Clock,
        bootstrap: bool = True,
        league: League | None = None,
        playout: str = "greedy",
        power: float = 1.0,
    ) -> None:
        self.vec, self.network, self.league, self.steps = vec, network, league, steps
        self.teacher: Teacher | None = None
        self._bootstrap, self._power = bootstrap, power
        self._generator, self._device, self._clock = generator, device, clock
        games, seats, rows = vec.num_envs, vec.num_players, vec.observation_size
        # One row more than T: what follows the last decision begins the next rollout.
        self._obs = self._shared((steps + 1, games, rows), torch.int16)
        self._values: Values
        if network.critic is None:
            self._values = PlayoutValues(self.own_games(), playout, clock, power)
        else:
            self._values = CriticValues(vec, network.critic, device, clock)
        self._rows = self._obs[:-1]
        own = network.critic is not None and not network.critic.central
        self._critic_obs = self._rows if own else self._shared((steps, games, self._values.size), torch.int16)
        self._mask = self._shared((steps + 1, games, vec.num_actions), torch.int8)
        self._seat = np.zeros((steps + 1, games), np.int32)
        self._action = self._shared((steps, games), torch.int32)
        self._log_prob = self._shared((steps, games), torch.float32)
        self._value = np.zeros((steps, games), np.float32)
        self._learn = np.ones((steps, games), bool)
        self._all = np.ones((games, seats), bool)
        self._reward = np.zeros((steps, games, seats), np.float32)
        self._terminated = np.zeros((steps, games), bool)
        self._truncated = np.zeros((steps, games), bool)
        self._final_value = np.zeros((steps, games, seats), np.float32)
        scratch = vec.make_batch()
        self._final_obs = scratch.final_obs
        self._batches = [self._into(scratch, t) for t in range(steps)]
        first = vec.reset(seed)
        self._begin(first.obs, first.mask, first.seat)

    def _into(self, scratch: Batch, t: int) -> Batch:
        """A batch that puts what decision t leads to into the buffers, and the rest into `scratch`."""
        return scratch._replace(
            obs=self._obs[t + 1],
            mask=self._mask[t + 1],
            seat=self._seat[t + 1],
            reward=self._reward[t],
            terminated=self._terminated[t],
            truncated=self._truncated[t],
        )

    def _shared(self, shape: tuple[int, ...], dtype: torch.dtype) -> np.ndarray:
        """Zeros that a CUDA device copies from and to by itself, while the program goes on: pages that stay put."""
        return torch.zeros(shape, dtype=dtype, pin_memory=self._device.type == "cuda").numpy()

    def _begin(self, obs: np.ndarray, mask: np.ndarray, seat: np.ndarray) -> None:
        self._obs[-1], self._mask[-1], self._seat[-1] = obs, mask, seat
        _, self._edge_obs = self._values.of_all()

    @torch.no_grad()
    def collect(self) -> Rollout:
        """Play on from where the last rollout ended."""
        self._obs[0], self._mask[0], self._seat[0] = self._obs[-1], self._mask[-1], self._seat[-1]
        start_obs = self._edge_obs
        others = self.teacher or self.league
        if others is not None:
            others.reset(int(torch.randint(2**62, (), generator=self._generator, device=self._device)))
        illegal = 0
        action_values: list[np.ndarray] = []
        for t in range(self.steps):
            if self.teacher is not None and self.teacher.values:
                with self._clock.lap("playouts"):
                    action_values.append(utility(self.teacher.action_values(), self._power))
            with self._clock.lap("act"):
                self._decide(t)
            if self.teacher is None or self._values.size:
                self._value[t] = self._values.of(self._seat[t], self._rows[t], self._critic_obs[t])
            with self._clock.lap("env"):
                self._learn[t] = self._let_others_play(t)
                illegal += self._count_illegal(t)
                after = self.vec.step(self._action[t], out=self._batches[t])
                if self.league is not None and self.teacher is None:
                    self.league.note(after.terminated | after.truncated, after.winner)
            if self._bootstrap and self._truncated[t].any():
                cut = self._truncated[t]
                self._final_value[t, cut] = self._values.of_cut(cut, self._final_obs)
        edge_value, self._edge_obs = self._values.of_all()
        return Rollout(
            obs=self._rows,
            critic_obs=self._critic_obs,
            mask=self._mask[:-1],
            seat=self._seat[:-1],
            action=self._action,
            log_prob=self._log_prob,
            value=self._value,
            reward=utility(self._reward, self._power),
            terminated=self._terminated,
            truncated=self._truncated,
            final_value=self._final_value,
            start_obs=start_obs,
            edge_value=edge_value,
            learn=self._learn,
            held=self._all if self.teacher or self.league is None else self.league.held,
            illegal=illegal,
            action_values=np.stack(action_values) if action_values else None,
        )

    def _decide(self, t: int) -> None:
        if self.teacher is None:
            logits = self.network.actor(self._to_device(self._obs[t]))
            log_probs = masked_log_softmax(logits, self._to_device(self._mask[t]))
            action = sample(log_probs, self._generator)
            log_prob = log_probs.gather(-1, action.unsqueeze(-1)).squeeze(-1)
            torch.from_numpy(self._log_prob[t]).copy_(log_prob, non_blocking=True)
            torch.from_numpy(self._action[t]).copy_(action)  # waits for the device, and so for what was copied before
        else:
            self._log_prob[t] = 0.0

    def _let_others_play(self, t: int) -> np.ndarray | bool:
        """Put what teacher or league do into the actions; returns which decisions are to be learned from."""
        if self.teacher is not None:
            return self.teacher.act(self._obs[t], self._mask[t], self._action[t])
        if self.league is not None:
            return self.league.play(self._obs[t], self._mask[t], self._seat[t], self._action[t])
        return True

    def _count_illegal(self, t: int) -> int:
        return int((np.take_along_axis(self._mask[t], self._action[t, :, None], 1) == 0).sum())

    def _to_device(self, array: np.ndarray) -> Tensor:
        # No row of a buffer changes before its copy has come through: the actions of its step are waited for.
        return torch.from_numpy(array).to(self._device, non_blocking=True)

    def own_games(self) -> VectorEnv:
        """The games, where they are of cardenvs: those say what they are, and can be saved and played out.

        Raises:
            ValueError: they are other people's.
        """
        if not isinstance(self.vec, VectorEnv):
            raise ValueError(
                f"vec={type(self.vec).__name__}: allowed for playouts and checkpoints is what cardenvs.make_vec makes"
            )
        return self.vec

    def get_state(self) -> bytes:
        """The games as they stand: with the network and the generator, all that the next rollout depends on."""
        return self.own_games().get_state()

    def set_state(self, state: bytes) -> None:
        """Go on from what `get_state` returned; ValueError when it is of another game or number of games."""
        now = self.own_games().set_state(state)
        self._begin(now.obs, now.mask, now.seat)
