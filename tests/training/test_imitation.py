"""The first stage: learning to do as a bot does."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cardenvs
import cardenvs.arena
from training.clock import Clock
from training.config import (
    EnvConfig,
    EvaluationConfig,
    ImitationConfig,
    LeagueConfig,
    NetworkConfig,
    PPOConfig,
    RunConfig,
    TrainConfig,
)
from training.model import make_network
from training.ppo import Samples, make_samples, value_imitation_losses
from training.rollout import Collector, Rollout
from training.teacher import Teacher
from training.train import Run
from training.values import utility

CPU = torch.device("cpu")


def imitating(
    decisions: int, bot: str = "greedy", learn: Any = "actions", explore: float = 0.0, critic: Any = "state", **ppo: Any
) -> TrainConfig:
    return TrainConfig(
        env=EnvConfig("rummy_v0", 2, num_envs=32),
        network=NetworkConfig(hidden=(16,), width=8, critic=critic),
        ppo=PPOConfig(steps=16, minibatch=128, lr=3e-3, **ppo),
        imitation=ImitationConfig(bot, decisions, learn, explore),
        league=LeagueConfig(("random",), 0.5),
        evaluation=EvaluationConfig(deals=2),
        run=RunConfig(threads=1),
    )


def test_the_bot_plays_every_seat_and_all_of_it_is_learned_from(tmp_path: Path) -> None:
    run = Run(imitating(512), tmp_path)
    stats = run.cycle()
    assert run.progress.decisions == 512  # nothing of the league's half is left out
    assert 0 < stats["agreement"] < 1
    assert "policy_loss" not in stats
    bot = cardenvs.make_bot(run.game, "greedy")
    rollout = run.collector.collect()  # the next of this stage
    for obs, mask, action in zip(rollout.obs, rollout.mask, rollout.action, strict=True):
        np.testing.assert_array_equal(bot.act(obs, mask), action)


def test_then_the_policy_plays_and_the_league_holds_its_seats(tmp_path: Path) -> None:
    run = Run(imitating(512), tmp_path)
    run.cycle()
    stats = run.cycle()
    assert "agreement" not in stats
    assert stats["kl"] >= 0
    assert 512 < run.progress.decisions < 1024


def test_agreement_rises(tmp_path: Path) -> None:
    run = Run(imitating(10**6), tmp_path)
    first = run.cycle()["agreement"]
    for _ in range(40):
        last = run.cycle()["agreement"]
    assert last > first + 0.1
    assert last > 0.8


def test_what_it_may_not_be() -> None:
    with pytest.raises(ValueError, match="bot=None: allowed is a bot, or decisions=0"):
        ImitationConfig(None, 100)
    with pytest.raises(ValueError, match="decisions=0: allowed is 1 or more, or no bot"):
        ImitationConfig("greedy")
    with pytest.raises(ValueError, match=r"explore=1\.0: allowed is less than 1 where learn=actions"):
        ImitationConfig("greedy", 100, "actions", 1.0)
    with pytest.raises(ValueError, match="decisions=100: allowed is fewer than total_decisions=100"):
        imitating(100, total_decisions=100)
    with pytest.raises(ValueError, match="no bot 'gredy'"):
        Run(imitating(100, "gredy"), Path())


@pytest.mark.parametrize(("learn", "critic"), [("actions", "state"), ("values", "own"), ("values", "playout")])
def test_a_resume_goes_on_over_the_end_of_the_stage(tmp_path: Path, learn: str, critic: str) -> None:
    """With a bot that draws lots: one cycle of the stage before, one after, then the policy's own."""
    config = imitating(1024, "random", learn, 0.2, critic)
    whole, halves = Run(config, tmp_path), Run(config, tmp_path)
    halves.cycle()
    halves.save()
    rest = Run(config, tmp_path, resume=True)
    for _ in range(5):
        whole.cycle()
    for _ in range(4):
        rest.cycle()
    assert whole.league.beats == rest.league.beats
    for name, weight in whole.network.state_dict().items():
        assert torch.equal(weight, rest.network.state_dict()[name]), name


def test_random_decisions_are_made_but_not_learned_as_the_bots(tmp_path: Path) -> None:
    run = Run(imitating(10**6, explore=0.25), tmp_path)
    run.cycle()
    rollout = run.collector.collect()
    bot = cardenvs.make_bot(run.game, "greedy")
    same = np.array([bot.act(o, m) == a for o, m, a in zip(rollout.obs, rollout.mask, rollout.action, strict=True)])
    assert same[rollout.learn].all()
    assert 0.15 < (~rollout.learn).mean() < 0.35
    assert not same[~rollout.learn].all()


def test_values_are_those_of_the_positions_and_all_are_learned_from(tmp_path: Path) -> None:
    run = Run(imitating(10**6, learn="values", explore=0.25), tmp_path)
    run.cycle()
    before = run.vec.get_state()
    rollout = run.collector.collect()
    assert rollout.learn.all()
    other = cardenvs.make_vec("rummy_v0", 32, skip_forced=True, num_players=2)
    other.set_state(before)
    assert rollout.action_values is not None
    for values, action in zip(rollout.action_values, rollout.action, strict=True):
        np.testing.assert_array_equal(values, other.action_values("greedy"))
        other.step(action)


def test_values_are_centred_over_what_is_legal_with_deviation_one(tmp_path: Path) -> None:
    run = Run(imitating(10**6, learn="values"), tmp_path)
    run.cycle()
    rollout = run.collector.collect()
    none = np.zeros((32, 2), np.float32)
    samples = make_samples(rollout, np.zeros(rollout.value.shape, np.float32), none, CPU)
    assert samples.action_values is not None
    legal = samples.mask == 1
    assert not samples.action_values[~legal].any()
    torch.testing.assert_close(samples.action_values.sum(1), torch.zeros(len(legal)), atol=1e-4, rtol=0)
    assert samples.action_values[legal].square().mean() == pytest.approx(1, abs=1e-3)


def test_the_loss_of_values_by_hand() -> None:
    """Three actions, the third illegal, logits 0: half of +1 and half of -1, and ln 2 of entropy."""

    class Flat(torch.nn.Module):
        critic = None

        def __init__(self) -> None:
            super().__init__()
            self.logits = torch.nn.Parameter(torch.zeros(1, 3))

        def actor(self, rows: torch.Tensor) -> torch.Tensor:
            return self.logits.expand(len(rows), 3)

    network, nothing = Flat(), torch.zeros(1)
    part = Samples(
        obs=torch.zeros(1, 1),
        mask=torch.tensor([[1, 1, 0]]),
        action=torch.zeros(1, dtype=torch.int64),
        old_log_prob=nothing,
        advantage=nothing,
        critic_obs=torch.zeros(1, 0),
        target=nothing,
        action_values=torch.tensor([[2.0, -1.0, 0.0]]),
    )
    loss, stats = value_imitation_losses(network, part, PPOConfig(), 0.1)  # type: ignore[arg-type]
    assert loss.item() == pytest.approx(-0.5 - 0.1 * np.log(2))
    assert stats["expected_value"].item() == pytest.approx(0.5)
    loss.backward()
    # d/dlogit of the expectation is p (q - mean): 0.5 (2 - 0.5); the entropy is at its greatest.
    torch.testing.assert_close(network.logits.grad, torch.tensor([[-0.75, 0.75, 0.0]]))


def test_learning_values_leads_beyond_what_the_bot_does(tmp_path: Path) -> None:
    """A random bot's values, played out by itself, make a policy that beats it: policy improvement."""
    run = Run(imitating(10**6, "random", "values"), tmp_path)
    for _ in range(60):
        run.cycle()
    result = cardenvs.arena.evaluate(run.game, [run.policy, cardenvs.make_bot(run.game, "random")], 100)
    assert result.win_rate[0].low > 0.7


def test_playouts_in_the_place_of_a_critic() -> None:
    """Values are what greedy would make of the game as it lies."""
    vec = cardenvs.make_vec("rummy_v0", 8, 0, skip_forced=True)
    network = make_network(vec.game, NetworkConfig(hidden=(8,), width=4, critic="playout"), torch.Generator())
    assert network.critic is None
    collector = Collector(vec, 0, network, 12, torch.Generator().manual_seed(2), CPU, Clock(CPU))
    other = cardenvs.make_vec("rummy_v0", 8, 0, skip_forced=True)
    other.set_state(collector.get_state())
    rollout = collector.collect()
    for t in range(12):
        paid = other.play_out("greedy")
        np.testing.assert_array_equal(rollout.value[t], paid[np.arange(8), rollout.seat[t]])
        other.step(rollout.action[t])
    np.testing.assert_array_equal(rollout.edge_value, other.play_out("greedy"))
    assert rollout.critic_obs.shape == (12, 8, 0)


def test_rewards_count_by_their_power() -> None:
    """In rewards, values and what actions come to, alike; 0 stays 0, and a loss a loss."""
    played: list[Rollout] = []
    for power in (1.0, 0.5):
        vec = cardenvs.make_vec("rummy_v0", 8, 0, skip_forced=True)
        network = make_network(vec.game, NetworkConfig(hidden=(8,), width=4, critic="playout"), torch.Generator())
        generator = torch.Generator().manual_seed(2)
        collector = Collector(vec, 0, network, 200, generator, CPU, Clock(CPU), power=power)
        played.append(copy.deepcopy(collector.collect()))
        collector.teacher = Teacher(vec, ImitationConfig("greedy", 1, "values", 0.2))
        played.append(copy.deepcopy(collector.collect()))
    for plain, root in zip(played[:2], played[2:], strict=True):
        np.testing.assert_array_equal(plain.action, root.action)
        for name in ("reward", "value", "edge_value", "action_values"):
            paid, counts = getattr(plain, name), getattr(root, name)
            if paid is not None:
                np.testing.assert_allclose(counts, np.sign(paid) * np.sqrt(np.abs(paid)), rtol=1e-6)
                assert counts.dtype == np.float32
    assert (played[0].reward < 0).any()
    assert played[1].action_values is not None
    assert utility(np.float32([-4, 0, 9]), 0.5).tolist() == [-2, 0, 3]


def test_moves_of_the_bot_that_plays_out_change_no_value() -> None:
    """One step ahead nothing is credited to them, whoever made them; to others what they changed."""
    vec = cardenvs.make_vec("rummy_v0", 8, 0, skip_forced=True)
    network = make_network(vec.game, NetworkConfig(hidden=(8,), width=4, critic="playout"), torch.Generator())
    collector = Collector(vec, 0, network, 24, torch.Generator().manual_seed(2), CPU, Clock(CPU))
    collector.teacher = Teacher(vec, ImitationConfig("greedy", 1, "actions", 0.2))
    other, changed = cardenvs.make_vec("rummy_v0", 8, 0, skip_forced=True), []
    for _ in range(3):
        other.set_state(collector.get_state())
        rollout = collector.collect()
        for action, greedy in zip(rollout.action, rollout.learn, strict=True):
            before = other.play_out("greedy")
            step = other.step(action)
            after = step.reward + np.where((step.terminated | step.truncated)[:, None], 0, other.play_out("greedy"))
            np.testing.assert_allclose(after[greedy], before[greedy], atol=1e-6)
            changed.append(np.abs(after - before)[~greedy].max(initial=0))
    assert max(changed) > 0.1


@pytest.mark.parametrize("critic", ["own", "playout"])
def test_what_is_logged_is_what_there_is(tmp_path: Path, critic: Any) -> None:
    config = imitating(512, learn="values", total_decisions=4096)
    run = Run(replace(config, network=replace(config.network, critic=critic)), tmp_path)
    first, second = run.cycle(), run.cycle()
    assert {"expected_value", "best_value", "entropy"} <= first.keys()
    assert "policy_loss" not in first
    assert "policy_loss" in second
    assert ("value_loss" in first, "value_loss" in second) == (critic == "own",) * 2
    assert ("explained_variance" in first, "explained_variance" in second) == (critic == "own", True)


def test_where_all_is_random_there_is_nothing_to_imitate(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="imitation: all decisions were random; allowed is a smaller explore"):
        Run(imitating(512, explore=1 - 1e-9), tmp_path).cycle()


def test_playouts_know_what_the_cap_pays() -> None:
    network, ppo = NetworkConfig(critic="playout"), PPOConfig(bootstrap_truncated=True)
    with pytest.raises(ValueError, match="bootstrap_truncated=True: allowed is false where critic=playout"):
        TrainConfig(network=network, ppo=ppo)
    with pytest.raises(ValueError, match=r"gamma=0\.99: allowed is 1 where critic=playout"):
        TrainConfig(network=network, ppo=PPOConfig(gamma=0.99))
    with pytest.raises(ValueError, match=r"reward_power=0\.5: allowed is 1 for a match"):
        TrainConfig(EnvConfig("rummy_v0", match=True), ppo=PPOConfig(reward_power=0.5))
    with pytest.raises(ValueError, match="reward_power=0: "):
        PPOConfig(reward_power=0)
    with pytest.raises(ValueError, match="normalize_returns=True: allowed is false where critic=playout"):
        TrainConfig(network=network, ppo=PPOConfig(normalize_returns=True))
    with pytest.raises(ValueError, match="no bot 'gredy'"):
        Run(TrainConfig(network=NetworkConfig(critic="playout", playout="gredy")), Path())
