"""The network, the distribution over legal actions, and a trained policy as a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cardenvs.spec import Game
from training.config import NetworkConfig

ILLEGAL = -1e30
"""Logit of an illegal action: its probability is exactly 0, and finite arithmetic on it stays finite."""


def masked_log_softmax(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities over the legal actions.

    Args:
        logits: float `[B, A]`.
        mask: int8 or bool `[B, A]`, nonzero where legal.

    Returns:
        float `[B, A]`; about `ILLEGAL` for an illegal action, so that its `exp` and its gradient are exactly 0.

    Raises:
        ValueError: a row has no legal action.
    """
    legal = mask.bool()
    if not bool(legal.any(-1).all()):
        row = int((~legal.any(-1)).nonzero()[0, 0])
        raise ValueError(f"row {row} of the mask is all zeros: allowed are rows with at least one legal action")
    return torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=-1)


def entropy(log_probs: Tensor) -> Tensor:
    """Entropy `[B]` in nats of masked log-probabilities `[B, A]`."""
    return -(log_probs.exp() * log_probs).sum(-1)


def sample(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """One action a row, int64 `[B]`, drawn from log-probabilities `[B, A]`; never an illegal one."""
    return torch.multinomial(log_probs.exp(), 1, generator=generator).squeeze(-1)


class ActorCritic(nn.Module):
    """A trunk of hidden layers under two heads, one for the policy and one for the value.

    Args:
        scale: float32 `[D]`; an integer observation row times this lies in [-1, 1].
        num_actions: A.
        hidden: width of each hidden layer.
        generator: of the first weights, which are orthogonal. The global generator is neither read nor changed.
    """

    scale: Tensor

    def __init__(self, scale: np.ndarray, num_actions: int, hidden: Sequence[int], generator: torch.Generator) -> None:
        super().__init__()
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float32), persistent=False)
        layers: list[nn.Module] = []
        width = len(scale)
        for units in hidden:
            layers += [_linear(width, units, 2**0.5, generator), nn.ReLU()]
            width = units
        self.trunk = nn.Sequential(*layers)
        # A small first policy head makes the first policy nearly uniform over what is legal.
        self.policy_head = _linear(width, num_actions, 0.01, generator)
        self.value_head = _linear(width, 1, 1.0, generator)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Logits `[B, A]` and values `[B]` of observation rows `[B, D]`: integers, or floats already in [-1, 1]."""
        features = self.trunk(self._floats(rows))
        return self.policy_head(features), self.value_head(features).squeeze(-1)

    def value(self, rows: Tensor) -> Tensor:
        """Values `[B]` of observation rows `[B, D]`: what the seat that sees the row is still to be paid."""
        return self.value_head(self.trunk(self._floats(rows))).squeeze(-1)

    def _floats(self, rows: Tensor) -> Tensor:
        return rows if rows.is_floating_point() else rows * self.scale


def _linear(inputs: int, outputs: int, gain: float, generator: torch.Generator) -> nn.Linear:
    # The constructor of nn.Linear draws from the global generator; skip_init leaves that out.
    layer = nn.utils.skip_init(nn.Linear, inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain, generator=generator)
    nn.init.zeros_(layer.bias)
    return layer


def make_network(game: Game, config: NetworkConfig, generator: torch.Generator) -> ActorCritic:
    """A fresh network for a game, on the CPU."""
    return ActorCritic(game.observation.scale, game.num_actions, config.hidden, generator)


class Policy:
    """A network that plays: a player for the arena, and an answer to a single observation of the AEC environment.

    Args:
        game: the variant and options that it was trained on.
        network: takes observation rows of that game.
        sampling: draw from the policy's probabilities; otherwise the most probable action is played.
        name: for tables.
        seed: of its own random stream.
    """

    def __init__(
        self, game: Game, network: ActorCritic, sampling: bool = False, name: str = "policy", seed: int = 0
    ) -> None:
        self.game = game
        self.network = network
        self.sampling = sampling
        self.name = name
        self._device = next(network.parameters()).device
        self._generator = torch.Generator(self._device)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Restart the random stream."""
        self._generator.manual_seed(seed)

    def act(self, obs: np.ndarray | Mapping[str, Any], mask: np.ndarray | None = None) -> Any:
        """Choose an action for each position, or for one.

        Args:
            obs: int16 `[K, D]` rows, as a vector environment gives them; or one AEC observation, a dict of
                `observation` float32 `[D]` in [-1, 1] and `action_mask` int8 `[A]`.
            mask: int8 `[K, A]`; left out when `obs` is a dict.

        Returns:
            int32 `[K]`; an int when `obs` is a dict.

        Raises:
            ValueError: a shape does not fit the game, or a row has no legal action.
        """
        if isinstance(obs, Mapping):
            row, legal = np.asarray(obs["observation"])[None], np.asarray(obs["action_mask"])[None]
            return int(self._choose(row, legal)[0])
        if mask is None:
            raise ValueError("mask=None: allowed is an int8 array [K, A] beside the rows [K, D]")
        return self._choose(np.asarray(obs), np.asarray(mask))

    @torch.inference_mode()
    def _choose(self, rows: np.ndarray, mask: np.ndarray) -> np.ndarray:
        self._check(rows, mask)
        logits, _ = self.network(torch.as_tensor(rows, device=self._device))
        log_probs = masked_log_softmax(logits, torch.as_tensor(mask, device=self._device))
        action = sample(log_probs, self._generator) if self.sampling else log_probs.argmax(-1)
        return action.to("cpu", torch.int32).numpy()

    def _check(self, rows: np.ndarray, mask: np.ndarray) -> None:
        sizes = self.game.observation_size, self.game.num_actions
        if rows.ndim != 2 or mask.ndim != 2 or len(rows) != len(mask) or (rows.shape[1], mask.shape[1]) != sizes:
            raise ValueError(
                f"rows {rows.shape} and mask {mask.shape}: {self.game.id} with {self.game.num_players} players "
                f"allows rows of {sizes[0]} and masks of {sizes[1]}"
            )
