"""The network, the distribution over legal actions, and a trained policy as a player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cardenvs.layout import Layout, Piece
from cardenvs.spec import Game
from training.config import NetworkConfig
from training.network import CardNet, DenseNet, SuitNet

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
        ValueError: a row has no legal action. Not on CUDA, where every call would wait for the device to say so.
    """
    legal = mask.bool()
    if legal.device.type == "cpu":
        _refuse_empty(legal)
    return torch.log_softmax(logits.masked_fill(~legal, ILLEGAL), dim=-1)


def _refuse_empty(mask: Tensor) -> None:
    some = mask.any(-1)
    if not bool(some.all()):
        row = int((~some).nonzero()[0, 0])
        raise ValueError(f"row {row} of the mask is all zeros: allowed are rows with at least one legal action")


def probabilities(log_probs: Tensor) -> Tensor:
    """Of masked log-probabilities `[B, A]`, the same shape; exactly 0 where illegal.

    They are `log_probs.exp()`, whose `exp` however takes ten times as long on a CPU where it comes to nothing.
    """
    return torch.softmax(log_probs, -1)


def entropy(log_probs: Tensor) -> Tensor:
    """Entropy `[B]` in nats of masked log-probabilities `[B, A]`."""
    return -(probabilities(log_probs) * log_probs).sum(-1)


def sample(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """One action a row, int64 `[B]`, drawn from log-probabilities `[B, A]`; never an illegal one.

    The first action up to which the probabilities sum to more than a random share of them all: there the sum has grown,
    so its own probability is above 0. `torch.multinomial` draws a random number for every action instead, which takes
    several times as long on a CPU.
    """
    probs = probabilities(log_probs)
    sums = probs.cumsum(-1, dtype=torch.float64)
    drawn = torch.rand(len(sums), 1, generator=generator, device=sums.device, dtype=torch.float64)
    # Less than 1 even where the product is rounded up. And a device that adds in another order may let the sum grow
    # where nothing is added: such an action is no candidate.
    share = drawn * (1 - 2**-50)
    return ((sums > share * sums[:, -1:]) & (probs > 0)).to(torch.int8).argmax(-1)


HAND = ("hand", "hand_wilds", "hand_threes")
"""Pieces of a row that are the own hand; together they have an entry for every card type, in order."""


class Actor(nn.Module):
    """Logits of all actions, from what a seat sees.

    Args:
        inputs, outputs: layouts of a row and of the actions.
        config: kind and size of the network.
        generator: of the first weights. The global generator is neither read nor changed.
    """

    scale: Tensor

    def __init__(self, inputs: Layout, outputs: Layout, config: NetworkConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.register_buffer("scale", torch.tensor(inputs.scale), persistent=False)
        # A small first head makes the first policy nearly uniform over what is legal.
        if config.kind == "cards":
            self.body: nn.Module = CardNet(inputs, outputs, config.hidden, 0.01, generator, config.width)
        else:
            self.body = DenseNet(inputs, outputs, config.hidden, 0.01, generator)

    def forward(self, rows: Tensor) -> Tensor:
        """Logits `[B, A]` of observation rows `[B, D]`: integers, or floats already in [-1, 1]."""
        return self.body(_floats(rows, self.scale))


AHEAD = 8
"""Cards of the stock, next first, that a central critic sees."""


class Critic(nn.Module):
    """What a seat is still to be paid: from its row alone, or with `central` from what nobody at the table knows too.

    A central critic sees the hands of the others and the next cards of the stock. Only the learning of the policy uses
    it; it takes the luck of the cards out of the advantages.

    Args:
        inputs: layout of a seat's row.
        seats: S.
        central: whether it sees all that.
        config, generator: as for `Actor`.

    Source: asymmetric actor-critic, Pinto et al. 2017, https://arxiv.org/abs/1710.06542.
    """

    scale: Tensor

    def __init__(
        self, inputs: Layout, seats: int, central: bool, config: NetworkConfig, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.central = central
        hand = [piece for piece in inputs.pieces if piece.name in HAND] if central else []
        hidden = [f"other_{i}" for i in range(1, seats)]
        ahead = [f"stock_{i}" for i in range(AHEAD)]
        self.layout = Layout(
            [
                *inputs.pieces,
                *(replace(piece, name=f"{where}_{piece.name}") for where in hidden for piece in hand),
                *(replace(piece, name=f"{where}_{piece.name}", scale=1.0) for where in ahead for piece in hand),
            ]
        )
        every = np.arange(inputs.size)
        self._hand = np.concatenate([every[:0], *(every[inputs.slice(piece.name)] for piece in hand)])
        self.register_buffer("scale", torch.tensor(self.layout.scale), persistent=False)
        kind = SuitNet if config.kind == "cards" else DenseNet
        self.body = kind(self.layout, Layout([Piece("value")]), config.hidden, 1.0, generator)

    def forward(self, rows: Tensor) -> Tensor:
        """Values `[B]` of rows `[B, C]` as `rows` makes them."""
        return self.body(_floats(rows, self.scale)).squeeze(-1)

    def rows(self, rows: np.ndarray, seat: np.ndarray, stock: np.ndarray) -> np.ndarray:
        """What the critic sees.

        Args:
            rows: int16 `[K, S, D]` of all seats.
            seat: int `[K]`, for whom.
            stock: int `[K, AHEAD]`, types of the stock's next cards, -1 where there is none.

        Returns:
            int16 `[K, C]`: the seat's own row; with `central` also the others' hands, from its left, and the stock.
        """
        every, seats = np.arange(len(rows)), rows.shape[1]
        own = rows[every, seat]
        if not self.central:
            return own
        others = [rows[every, (seat + i) % seats][:, self._hand] for i in range(1, seats)]
        ahead = stock[:, :, None] == np.arange(len(self._hand))
        return np.concatenate([own, *others, ahead.reshape(len(rows), -1).astype(np.int16)], 1)

    def rows_for_all(self, rows: np.ndarray, stock: np.ndarray) -> np.ndarray:
        """int16 `[K, S, C]`: `rows` for every seat."""
        return np.stack([self.rows(rows, np.full(len(rows), seat), stock) for seat in range(rows.shape[1])], 1)


class ActorCritic(nn.Module):
    """A policy, and the network that judges it, if it is one that does."""

    def __init__(self, actor: Actor, critic: Critic | None) -> None:
        super().__init__()
        self.actor, self.critic = actor, critic


def _floats(rows: Tensor, scale: Tensor) -> Tensor:
    return rows if rows.is_floating_point() else rows * scale


def make_actor(game: Game, config: NetworkConfig, generator: torch.Generator) -> Actor:
    """A fresh policy network for a game, on the CPU."""
    return Actor(game.observation, game.actions, config, generator)


def make_network(game: Game, config: NetworkConfig, generator: torch.Generator) -> ActorCritic:
    """A fresh policy and its critic, if it has one, for a game, on the CPU."""
    actor = make_actor(game, config, generator)
    if config.critic == "playout":
        return ActorCritic(actor, None)
    central = config.critic == "state"
    return ActorCritic(actor, Critic(game.observation, game.num_players, central, config, generator))


class Policy:
    """A network that plays: a player for the arena, and an answer to a single observation of the AEC environment.

    One that was trained on single rounds plays each round of a match as one: it has never seen scores, nor learned what
    to make of them, so they are 0 to it.

    Args:
        game: the variant and options that it was trained on.
        actor: takes observation rows of that game.
        sampling: draw from the policy's probabilities; otherwise the most probable action is played.
        name: for tables.
        seed: of its own random stream.
    """

    def __init__(self, game: Game, actor: Actor, sampling: bool = False, name: str = "policy", seed: int = 0) -> None:
        self.game = game
        self.actor = actor
        self.sampling = sampling
        self.name = name
        self._device = next(actor.parameters()).device
        self._generator = torch.Generator(self._device)
        pieces = [] if game.options["match"] else [p for p in game.observation.pieces if p.name.endswith("score")]
        every = np.arange(game.observation_size)
        self._unseen = np.concatenate([every[:0], *(every[game.observation.slice(p.name)] for p in pieces)])
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
        if rows[:, self._unseen].any():
            rows = rows.copy()
            rows[:, self._unseen] = 0
        legal = torch.as_tensor(mask)
        _refuse_empty(legal)
        logits = self.actor(torch.as_tensor(rows, device=self._device))
        log_probs = masked_log_softmax(logits, legal.to(self._device))
        action = sample(log_probs, self._generator) if self.sampling else log_probs.argmax(-1)
        return action.to("cpu", torch.int32).numpy()

    def _check(self, rows: np.ndarray, mask: np.ndarray) -> None:
        sizes = self.game.observation_size, self.game.num_actions
        if rows.ndim != 2 or mask.ndim != 2 or len(rows) != len(mask) or (rows.shape[1], mask.shape[1]) != sizes:
            raise ValueError(
                f"rows {rows.shape} and mask {mask.shape}: {self.game.id} with {self.game.num_players} players "
                f"allows rows of {sizes[0]} and masks of {sizes[1]}"
            )
