"""T1, T4, T5: what a rollout holds, and what an update makes of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from toy import ToyVec, toy_network

import cardenvs
from training.advantage import seat_advantages
from training.clock import Clock
from training.config import NetworkConfig, PPOConfig, TrainConfig
from training.model import AHEAD, make_network
from training.ppo import NonFiniteError, losses, make_samples, minibatches, policy_loss, update, value_loss
from training.rollout import Collector, Rollout
from training.train import Run

CPU = torch.device("cpu")


def first_samples(rollout: Rollout, gamma: float = 0.99, lam: float = 0.9) -> Any:
    r = rollout
    advantage, start = seat_advantages(
        r.reward, r.seat, r.terminated, r.truncated, r.value, r.final_value, r.edge_value, gamma, lam
    )
    return make_samples(rollout, advantage, start, CPU)


@pytest.mark.parametrize("variant", cardenvs.variants())
def test_the_first_ratio_is_one(variant: str) -> None:
    """T1, over every decision: batches of another size than those that played."""
    vec = cardenvs.make_vec(variant, 32, 0, skip_forced=True)
    network = make_network(vec.game, NetworkConfig(hidden=(64, 64), width=16), torch.Generator().manual_seed(0))
    for weight in network.actor.parameters():  # far from the nearly uniform policy that training begins with
        torch.nn.init.normal_(weight, std=0.2, generator=torch.Generator().manual_seed(1))
    collector = Collector(vec, 0, network, 16, torch.Generator().manual_seed(2), CPU, Clock(CPU))
    for _ in range(2):
        rollout = collector.collect()
        assert rollout.illegal == 0
        samples = first_samples(rollout)
        for part in minibatches(samples, 100, torch.Generator().manual_seed(3)):
            _, stats = losses(network, part, PPOConfig(), 0.0)
            assert stats["kl"] < 1e-5
            assert stats["clipped"] == 0
            logits = network.actor(part.obs)
            legal = torch.where(part.mask == 1, logits, -torch.inf)
            again = torch.distributions.Categorical(logits=legal).log_prob(part.action)
            torch.testing.assert_close((again - part.old_log_prob).exp(), torch.ones(len(again)), atol=1e-5, rtol=0)


def test_a_rollout_is_what_was_played() -> None:
    vec: Any = ToyVec(num_envs=5, num_players=3)
    network = toy_network()
    collector = Collector(vec, 3, network, 10, torch.Generator().manual_seed(0), CPU, Clock(CPU))
    for _ in range(3):
        vec.history.clear()
        r = collector.collect()
        every = np.arange(5)
        for t, step in enumerate(vec.history):
            np.testing.assert_array_equal(r.obs[t], step.rows[every, step.seat])
            np.testing.assert_array_equal(r.seat[t], step.seat)
            np.testing.assert_array_equal(r.reward[t], step.reward)
            np.testing.assert_array_equal(r.terminated[t], step.terminated)
            np.testing.assert_array_equal(r.truncated[t], step.truncated)
        np.testing.assert_array_equal(r.start_obs, vec.history[0].rows)
        np.testing.assert_array_equal(r.critic_obs, r.obs)
        assert (np.take_along_axis(r.mask, r.action[..., None], 2) == 1).all()


def test_a_central_critic_sees_hands_and_stock_and_the_policy_its_own_row() -> None:
    vec: Any = ToyVec(num_envs=5, num_players=3)
    r = Collector(vec, 3, toy_network(central=True), 10, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect()
    for t, step in enumerate(vec.history):
        for g, seat in enumerate(step.seat):
            left = [step.rows[g, (seat + i) % 3, :2] for i in (1, 2)]
            stock = [0, 1, 1, 0, *[0, 0] * (AHEAD - 2)]
            np.testing.assert_array_equal(r.critic_obs[t, g], np.concatenate([step.rows[g, seat], *left, stock]))
            np.testing.assert_array_equal(r.obs[t, g], step.rows[g, seat])


@pytest.mark.parametrize("bootstrap", [True, False])
def test_what_a_truncated_episode_would_still_have_paid(bootstrap: bool) -> None:
    """T2: the critic's estimate of the last rows, or nothing, as is asked."""
    vec: Any = ToyVec(num_envs=50, num_players=3)
    network = toy_network()
    collector = Collector(vec, 3, network, 10, torch.Generator().manual_seed(0), CPU, Clock(CPU), bootstrap)
    r = collector.collect()
    assert r.truncated.any()
    for t, step in enumerate(vec.history):
        for g in np.flatnonzero(step.truncated):
            value = network.critic(torch.from_numpy(step.final[g])).detach().numpy()
            np.testing.assert_allclose(r.final_value[t, g], value if bootstrap else 0, rtol=1e-5, atol=1e-6)


def test_the_waiting_seats_teach_their_value() -> None:
    vec: Any = ToyVec(num_envs=5, num_players=3)
    network = toy_network()
    rollout = Collector(vec, 3, network, 10, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect()
    samples = first_samples(rollout)
    first = vec.history[0]
    waiting = [first.rows[g, s] for g in range(5) for s in range(3) if s != first.seat[g]]
    assert len(samples.action) == 50
    assert samples.target.shape == (60,)
    np.testing.assert_array_equal(samples.critic_obs[50:].numpy(), waiting)
    np.testing.assert_array_equal(samples.critic_obs[:50].numpy(), samples.obs.numpy())
    np.testing.assert_allclose(samples.advantage.mean(), 0, atol=1e-6)
    np.testing.assert_allclose(samples.advantage.std(unbiased=False), 1, atol=1e-4)


def test_an_epoch_has_every_sample_once() -> None:
    vec: Any = ToyVec(num_envs=5, num_players=3)
    network = toy_network()
    samples = first_samples(Collector(vec, 3, network, 10, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect())
    parts = list(minibatches(samples, 12, torch.Generator().manual_seed(0)))
    assert [len(part.action) for part in parts] == [13, 13, 12, 12]
    assert sum(part.waiting for part in parts) == 10
    torch.testing.assert_close(
        torch.cat([part.target for part in parts]).sort().values, samples.target.sort().values, atol=0, rtol=0
    )
    for part in parts:
        torch.testing.assert_close(part.critic_obs[: len(part.action)], part.obs, atol=0, rtol=0)


def test_losses_by_hand() -> None:
    # Ratios 1.5 and 0.5: the gain beyond the clip does not count, the loss does.
    log_prob, old = torch.tensor([1.5, 1.5, 0.5, 0.5]).log(), torch.zeros(4)
    advantage = torch.tensor([2.0, -2.0, 2.0, -2.0])
    wanted = -(1.2 * 2 - 1.5 * 2 + 0.5 * 2 - 0.8 * 2) / 4
    torch.testing.assert_close(policy_loss(log_prob, old, advantage, 0.2), torch.tensor(wanted))
    torch.testing.assert_close(value_loss(torch.tensor([1.0, 3.0]), torch.tensor([0.0, 0.0])), torch.tensor(2.5))


def test_an_update_raises_what_paid_and_lowers_what_cost() -> None:
    vec: Any = ToyVec(num_envs=64, num_players=2)
    network = toy_network(32, 5.0)
    rollout = Collector(vec, 3, network, 16, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect()
    samples = replace(first_samples(rollout), advantage=torch.from_numpy(rollout.action == 0).flatten().float() - 0.5)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    before = (rollout.action == 0).mean()
    update(
        network,
        optimizer,
        samples,
        partial(losses, config=PPOConfig(), entropy_coef=0.0),
        PPOConfig(minibatch=128),
        torch.Generator().manual_seed(0),
        Clock(CPU),
    )
    again = Collector(vec, 3, network, 16, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect()
    assert (again.action == 0).mean() > 1.1 * before  # the clip allows about 1.2


def test_target_kl_ends_the_epochs() -> None:
    vec: Any = ToyVec(num_envs=64, num_players=2)
    network = toy_network(32, 5.0)
    samples = first_samples(Collector(vec, 3, network, 16, torch.Generator().manual_seed(0), CPU, Clock(CPU)).collect())
    for limit, epochs in ((None, 5), (1e-9, 1)):
        config = PPOConfig(minibatch=128, epochs=5, target_kl=limit)
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
        stats = update(
            network,
            optimizer,
            samples,
            partial(losses, config=config, entropy_coef=0.0),
            config,
            torch.Generator().manual_seed(0),
            Clock(CPU),
        )
        assert stats["epochs"] == epochs


def test_the_first_nan_stops_the_run_with_the_batch_saved(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(tiny, tmp_path)
    run.cycle()
    collect = run.collector.collect

    def broken() -> Rollout:
        rollout = collect()
        rollout.reward[3, 2] = np.nan
        return rollout

    run.collector.collect = broken  # type: ignore[method-assign]
    weights = [weight.clone() for weight in run.network.parameters()]
    with pytest.raises(NonFiniteError, match="loss nan"):
        run.cycle()
    assert all(torch.equal(a, b) for a, b in zip(weights, run.network.parameters(), strict=True))
    saved = torch.load(tmp_path / "nonfinite.pt", weights_only=True)
    assert not torch.isfinite(saved["advantage"]).all()
    assert {"obs", "mask", "action", "weights"} <= saved.keys()


def test_an_illegal_action_stops_the_run(tiny: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T4: none is ever played."""
    run = Run(tiny, tmp_path)
    monkeypatch.setattr("training.rollout.sample", lambda log_probs, generator: log_probs.argmin(-1))
    with pytest.raises(ValueError, match="is illegal"):
        run.cycle()
