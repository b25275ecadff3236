"""Proximal policy optimisation: the losses, and one update from one rollout.

Source: Schulman et al. 2017, https://arxiv.org/abs/1707.06347.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from training.clock import Clock
from training.config import PPOConfig
from training.model import ActorCritic, entropy, masked_log_softmax, probabilities
from training.parallel import ALONE, Group
from training.rollout import Rollout


class NonFiniteError(RuntimeError):
    """A loss or gradient was NaN or infinite, on this process or another one of its group.

    Attributes:
        batch: this process's minibatch and its weights, on the CPU.
        sound: whether that was finite on this process.
    """

    def __init__(self, message: str, batch: dict[str, object], sound: bool) -> None:
        super().__init__(message)
        self.batch, self.sound = batch, sound


def policy_loss(log_prob: Tensor, old_log_prob: Tensor, advantage: Tensor, clip: float) -> Tensor:
    """The clipped surrogate, a scalar to be minimised (eq. 7).

    Args:
        log_prob, old_log_prob: `[B]`, of the actions taken, by the policy now and by the one that played.
        advantage: `[B]`.
        clip: the ratio counts within `1 - clip .. 1 + clip`.
    """
    ratio = (log_prob - old_log_prob).exp()
    return -torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()


def value_loss(value: Tensor, target: Tensor) -> Tensor:
    """Half the mean squared error of values `[B]` against targets `[B]`, a scalar."""
    return 0.5 * (value - target).square().mean()


@dataclass(frozen=True)
class Samples:
    """B decisions to learn from, on the network's device, and E positions of waiting seats for the value alone.

    Attributes:
        obs: int16 `[B, D]`; mask: int8 `[B, A]`; action: int64 `[B]`.
        old_log_prob, advantage: float32 `[B]`; advantages have mean 0 and deviation 1 over them all, those of the other
            processes included.
        critic_obs, target: int16 `[B + E, C]` and float32 `[B + E]`, those of the waiting seats last.
        own: the critic sees what the policy sees: `obs` is the beginning of `critic_obs`.
        action_values: float32 `[B, A]` where they were played out, or None; of deviation 1 around each position's mean.
    """

    obs: Tensor
    mask: Tensor
    action: Tensor
    old_log_prob: Tensor
    advantage: Tensor
    critic_obs: Tensor
    target: Tensor
    own: bool = False
    action_values: Tensor | None = None

    @property
    def waiting(self) -> int:
        """E."""
        return len(self.target) - len(self.action)

    def part(self, decisions: Tensor, waiting: Tensor) -> Samples:
        """The samples at those indices."""
        both = torch.cat([decisions, waiting + len(self.action)])
        # On a CPU an index_select takes a tenth of the time of an index.
        critic_obs = self.critic_obs.index_select(0, both)
        return Samples(
            obs=critic_obs[: len(decisions)] if self.own else self.obs.index_select(0, decisions),
            mask=self.mask.index_select(0, decisions),
            action=self.action[decisions],
            old_log_prob=self.old_log_prob[decisions],
            advantage=self.advantage[decisions],
            critic_obs=critic_obs,
            target=self.target[both],
            own=self.own,
            action_values=None if self.action_values is None else self.action_values.index_select(0, decisions),
        )


def make_samples(
    rollout: Rollout, advantage: np.ndarray, start_return: np.ndarray, device: torch.device, group: Group = ALONE
) -> Samples:
    """Flatten what the policy decided in a rollout into samples.

    The value of a seat that waits is what the rollout's edge is bootstrapped from, and no decision teaches it: the
    seats that wait at the rollout's start do.

    Args:
        rollout: T decisions in N games.
        advantage: float32 `[T, N]`.
        start_return: float32 `[N, S]`.
        device: where the samples go.
        group: over whose decisions the advantages are normalised.
    """
    learn = torch.from_numpy(np.flatnonzero(rollout.learn)).to(device, non_blocking=True)

    def flat(array: np.ndarray) -> Tensor:
        # Whole buffers, which a CUDA device copies by itself, and the choice made there.
        return torch.from_numpy(array).to(device, non_blocking=True).flatten(0, 1).index_select(0, learn)

    waits = rollout.held & (np.arange(start_return.shape[1]) != rollout.seat[0][:, None])
    mean, deviation = group.moments(advantage[rollout.learn])
    normal = (advantage - mean) / (deviation + 1e-8)
    values, own = rollout.action_values, rollout.critic_obs is rollout.obs
    critic_obs = torch.cat([flat(rollout.critic_obs), torch.from_numpy(rollout.start_obs[waits]).to(device)])
    return Samples(
        obs=critic_obs[: len(learn)] if own else flat(rollout.obs),
        mask=flat(rollout.mask),
        action=flat(rollout.action).long(),
        old_log_prob=flat(rollout.log_prob),
        advantage=flat(normal),
        critic_obs=critic_obs,
        target=torch.cat([flat(advantage + rollout.value), torch.from_numpy(start_return[waits]).to(device)]),
        own=own,
        action_values=None if values is None else flat(_centred(values, rollout.mask, group)),
    )


def _centred(values: np.ndarray, mask: np.ndarray, group: Group) -> np.ndarray:
    """float32 `[T, N, A]`: the values less their position's mean over what is legal, in deviations over all; else 0."""
    legal = mask != 0
    mean = values.sum(-1, keepdims=True) / legal.sum(-1, keepdims=True, dtype=np.float32)
    values = np.where(legal, values - mean, np.float32(0))
    return values / np.float32(group.moments(values[legal])[1] + 1e-8)


def minibatches(samples: Samples, size: int, generator: torch.Generator, group: Group = ALONE) -> Iterator[Samples]:
    """Go once through all samples in random order, in equal parts of about `size` decisions.

    There are as many parts on every process of the group, where some have more decisions than others.
    """
    counts = group.gather(len(samples.action))
    parts = min(max(1, round(sum(counts) / len(counts) / size)), *counts)
    device = samples.action.device
    decisions = torch.randperm(len(samples.action), generator=generator, device=device).tensor_split(parts)
    waiting = torch.randperm(samples.waiting, generator=generator, device=device).tensor_split(parts)
    for d, w in zip(decisions, waiting, strict=True):
        yield samples.part(d, w)


def losses(
    network: ActorCritic, part: Samples, config: PPOConfig, entropy_coef: float
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch, a scalar, and the scalars to log (detached)."""
    log_probs, log_prob = _log_probs(network, part)
    policy = policy_loss(log_prob, part.old_log_prob, part.advantage, config.clip)
    bonus = entropy(log_probs).mean()
    critic = _critic_loss(network, part)
    with torch.no_grad():
        log_ratio = log_prob - part.old_log_prob
        stats = {
            "policy_loss": policy,
            **_critic_stats(network, critic),
            "entropy": bonus,
            # Schulman's estimator, never negative: http://joschu.net/blog/kl-approx.html
            "kl": (log_ratio.exp() - 1 - log_ratio).mean(),
            "clipped": (log_ratio.exp() - 1).abs().gt(config.clip).float().mean(),
        }
    return policy + config.value_coef * critic - entropy_coef * bonus, {k: v.detach() for k, v in stats.items()}


def imitation_losses(network: ActorCritic, part: Samples, config: PPOConfig) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch of somebody else's decisions, a scalar, and the scalars to log (detached).

    The policy learns the actions taken (cross-entropy), the critic what came of them.
    """
    log_probs, log_prob = _log_probs(network, part)
    policy, critic = -log_prob.mean(), _critic_loss(network, part)
    stats = {
        "imitation_loss": policy,
        **_critic_stats(network, critic),
        "entropy": entropy(log_probs).mean(),
        "agreement": (log_probs.argmax(-1) == part.action).float().mean(),
    }
    return policy + config.value_coef * critic, {k: v.detach() for k, v in stats.items()}


def value_imitation_losses(
    network: ActorCritic, part: Samples, config: PPOConfig, temperature: float
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch of positions whose actions have all been played out, and the scalars to log (detached).

    The policy learns to choose what comes to most on the mean, with an entropy bonus; no sampling of actions is in it.
    The critic learns as in `imitation_losses`.

    Source: Ross and Bagnell 2014, https://arxiv.org/abs/1406.5979; Sun et al. 2017, https://arxiv.org/abs/1703.01030.
    """
    assert part.action_values is not None
    log_probs = masked_log_softmax(network.actor(part.obs), part.mask)
    expected = (probabilities(log_probs) * part.action_values).sum(-1).mean()
    bonus, critic = entropy(log_probs).mean(), _critic_loss(network, part)
    stats = {
        "expected_value": expected,
        "best_value": part.action_values.gather(-1, log_probs.argmax(-1, keepdim=True)).mean(),
        **_critic_stats(network, critic),
        "entropy": bonus,
    }
    return config.value_coef * critic - expected - temperature * bonus, {k: v.detach() for k, v in stats.items()}


def _log_probs(network: ActorCritic, part: Samples) -> tuple[Tensor, Tensor]:
    """Of all actions `[B, A]`, and of those taken `[B]`."""
    log_probs = masked_log_softmax(network.actor(part.obs), part.mask)
    return log_probs, log_probs.gather(-1, part.action.unsqueeze(-1)).squeeze(-1)


def _critic_stats(network: ActorCritic, loss: Tensor) -> dict[str, Tensor]:
    """The critic's loss to log, where there is a critic."""
    return {} if network.critic is None else {"value_loss": loss}


def _critic_loss(network: ActorCritic, part: Samples) -> Tensor:
    """Over decisions and waiting seats: a waiting seat's position weighs as much as a decision."""
    if network.critic is None:
        return part.target.new_zeros(())
    return value_loss(network.critic(part.critic_obs), part.target) * (len(part.target) / len(part.action))


Loss = Callable[[ActorCritic, Samples], tuple[Tensor, dict[str, Tensor]]]
"""`losses`, `imitation_losses` or `value_imitation_losses` with its settings."""


def update(
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    loss: Loss,
    config: PPOConfig,
    generator: torch.Generator,
    clock: Clock,
    group: Group = ALONE,
) -> dict[str, float]:
    """Improve the network by some epochs over the samples of one rollout, in step with the others of the group.

    Returns:
        Means over this process's minibatches of what `loss` logs, with `grad_norm` and `epochs` gone through.

    Raises:
        NonFiniteError: before the weights are touched by it.
    """
    seen: list[dict[str, Tensor]] = []
    epoch = 0
    while epoch < config.epochs:
        first = len(seen)
        parts = minibatches(samples, config.minibatch, generator, group)
        while True:
            with clock.lap("batch"):
                part = next(parts, None)
            if part is None:
                break
            with clock.lap("learn"):
                seen.append(_step(network, optimizer, part, loss, config.max_grad_norm, group))
        epoch += 1
        if config.target_kl is not None and "kl" in seen[-1]:
            moved = group.gather(_mean(seen[first:], "kl"))
            if sum(moved) / len(moved) > config.target_kl:
                break
    return {name: _mean(seen, name) for name in seen[0]} | {"epochs": float(epoch)}


def _step(
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    part: Samples,
    loss: Loss,
    max_grad_norm: float,
    group: Group,
) -> dict[str, Tensor]:
    value, stats = loss(network, part)
    optimizer.zero_grad(set_to_none=True)
    value.backward()
    value, sound = group.average(network, value.detach(), len(part.action))
    norm = nn.utils.clip_grad_norm_(network.parameters(), max_grad_norm)
    if not bool(torch.isfinite(value + norm)):
        weights = {name: weight.cpu() for name, weight in network.state_dict().items()}
        batch: dict[str, object] = {
            **{name: each.cpu() for name, each in vars(part).items() if isinstance(each, Tensor)},
            "weights": weights,
        }
        raise NonFiniteError(f"loss {value.item()} with gradient norm {norm.item()}", batch, bool(sound))
    optimizer.step()
    return {**stats, "grad_norm": norm}


def _mean(seen: list[dict[str, Tensor]], name: str) -> float:
    return torch.stack([stats[name] for stats in seen]).mean().item()
