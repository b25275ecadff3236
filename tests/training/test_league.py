"""Opponents beside the policy itself: who holds which seat, and that only the policy's decisions are learned from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cardenvs
from training.advantage import seat_advantages
from training.clock import Clock
from training.config import LeagueConfig, NetworkConfig, PPOConfig, TrainConfig
from training.league import League
from training.model import make_network
from training.ppo import losses, make_samples
from training.rollout import Collector
from training.train import Run

CPU = torch.device("cpu")


def collected(variant: str, league: LeagueConfig, games: int = 32, **options: Any) -> Any:
    vec = cardenvs.make_vec(variant, games, 0, skip_forced=True, **options)
    network = make_network(vec.game, NetworkConfig(hidden=(8,), width=4), torch.Generator().manual_seed(0))
    with_bots = League(vec.game, league, games)
    collector = Collector(vec, 0, network, 24, torch.Generator().manual_seed(2), CPU, Clock(CPU), league=with_bots)
    return vec.game, network, collector.collect()


def test_seats_are_shared_out_evenly() -> None:
    league = League(cardenvs.make_game("rummy_v0", num_players=3), LeagueConfig(("greedy", "random"), 0.6), 20)
    assert league.held[12:].all()
    assert (league.held[:12].sum(1) == 1).all()
    np.testing.assert_array_equal(league.held[:12].sum(0), [4, 4, 4])


def test_partners_are_held_together() -> None:
    league = League(cardenvs.make_game("canasta_v0"), LeagueConfig(("greedy",), 1.0), 4)
    np.testing.assert_array_equal(league.held, [[1, 0, 1, 0], [0, 1, 0, 1]] * 2)


@pytest.mark.parametrize("variant", cardenvs.variants())
def test_only_what_the_policy_decides_is_learned_from(variant: str) -> None:
    game, network, rollout = collected(variant, LeagueConfig(("greedy",), 0.5))
    greedy = cardenvs.make_bot(game, "greedy")
    every = np.arange(32)
    for t in range(24):
        mine = rollout.held[every, rollout.seat[t]]
        np.testing.assert_array_equal(rollout.learn[t], mine)
        if not mine.all():
            played = greedy.act(rollout.obs[t, ~mine], rollout.mask[t, ~mine])
            np.testing.assert_array_equal(rollout.action[t, ~mine], played)
    assert 0 < rollout.learn.mean() < 1
    assert rollout.illegal == 0
    advantage, start = seat_advantages(
        rollout.reward, rollout.seat, rollout.terminated, rollout.truncated,
        rollout.value, rollout.final_value, rollout.edge_value, 1.0, 0.9,
    )  # fmt: skip
    samples = make_samples(rollout, advantage, start, CPU)
    assert len(samples.action) == rollout.learn.sum()
    waiting = rollout.held.copy()
    waiting[every, rollout.seat[0]] = False
    assert samples.waiting == waiting.sum()
    _, stats = losses(network, samples, PPOConfig(), 0.0)
    assert stats["kl"] < 1e-6, "every action that is learned from was drawn from the policy (T1)"


def test_a_resumed_league_equals_the_uninterrupted_one(tiny: TrainConfig, tmp_path: Path) -> None:
    """T6, with a bot that plays at random."""
    config = replace(tiny, league=LeagueConfig(("random", "greedy"), 0.5))
    whole = Run(config, tmp_path)
    whole.cycle()
    whole.save()
    resumed = Run(config, tmp_path, resume=True)
    for run in (whole, resumed):
        run.cycle()
    for name, weight in whole.network.state_dict().items():
        assert torch.equal(weight, resumed.network.state_dict()[name]), name


def past_league(past: int = 2) -> tuple[League, Any]:
    """A league of past selves and greedy on two-player Rummy, ten games each, and an actor of its network."""
    game = cardenvs.make_game("rummy_v0")
    config = LeagueConfig(("greedy", "random"), 0.5, past=past, past_every=100, past_share=0.5)
    actor = make_network(game, NetworkConfig(hidden=(8,), width=4), torch.Generator().manual_seed(0)).actor
    return League(game, config, 20), actor


def test_past_selves_are_kept_as_they_were_and_the_weakest_makes_room() -> None:
    league, actor = past_league()
    league.grow(actor, 0)
    kept: Any = league.opponents["past_0"]
    before = [weight.clone() for weight in kept.actor.parameters()]
    with torch.no_grad():
        for weight in actor.parameters():
            weight += 1.0
    assert all(torch.equal(a, b) for a, b in zip(before, kept.actor.parameters(), strict=True))
    league.grow(actor, 99)  # too soon
    assert list(league.opponents) == ["greedy", "random", "past_0"]
    league.grow(actor, 100)
    league.beats |= {"past_0": 0.6, "past_100": 0.2}
    league.grow(actor, 200)
    assert list(league.opponents) == ["greedy", "random", "past_0", "past_200"]
    met = league.get_state()["opponent"]
    assert set(met[10:]) <= {"past_0", "past_200"}
    assert set(met[:10]) <= {"greedy", "random"}


def test_who_wins_oftener_is_met_oftener() -> None:
    league, actor = past_league()
    league.grow(actor, 0)
    ended, winner = np.arange(20) < 10, np.zeros((20, 2), bool)
    met = {"greedy": 0, "random": 0}
    assert league.rates() == {}  # nothing is known yet
    for _ in range(400):
        against_greedy = np.array(league.get_state()["opponent"]) == "greedy"
        winner[:] = league.held ^ against_greedy[:, None]  # greedy always wins, random never does
        league.note(ended, winner)
        for name in met:
            met[name] += league.get_state()["opponent"].count(name)
    assert league.beats["greedy"] > 0.99
    assert league.beats["random"] < 0.05
    assert league.beats["past_0"] == 0.5  # none of its games has ended
    assert set(league.rates()) == {"greedy", "random"}
    assert met["greedy"] > 10 * met["random"] > 0


def test_what_counts_as_a_result() -> None:
    """Ties are shared, a game without a winner says nothing, nor does one that the opponent came into half-way."""
    league, actor = past_league()
    everywhere, nobody = np.ones(20, bool), np.zeros((20, 2), bool)
    league.grow(actor, 0)
    league.note(everywhere, league.held)  # dealt before there was a league
    assert set(league.results.values()) == {0}
    league.note(everywhere, nobody)
    assert set(league.results.values()) == {0}
    league.note(everywhere, ~nobody)
    assert sum(league.results.values()) == 20
    assert set(league.beats.values()) == {0.5}
    league.note(everywhere, league.held)
    assert max(league.beats.values()) < 0.5
    league.grow(actor, 100)
    before = league.results["past_0"]
    league.beats["past_0"] = 0.0
    league.grow(actor, 200)  # past_0 goes, and others come into its games
    assert before > 0
    assert list(league.results) == ["greedy", "random", "past_100", "past_200"]
    league.note(everywhere, league.held)
    assert league.results["past_100"] == league.results["past_200"] == 0
    league.note(everywhere, league.held)
    assert league.results["past_100"] + league.results["past_200"] == 10


@pytest.mark.parametrize("share", [0.001, 0.5])
def test_a_share_above_nothing_is_a_game_at_least(share: float) -> None:
    league = League(cardenvs.make_game("rummy_v0"), LeagueConfig(("greedy",), share), 10)
    assert (~league.held).any(1).sum() == max(1, round(10 * share))


def test_a_resumed_league_of_past_selves_equals_the_uninterrupted_one(tiny: TrainConfig, tmp_path: Path) -> None:
    """T6: their weights, who plays where, and how often each wins."""
    config = replace(tiny, league=LeagueConfig(("greedy",), 0.25, past=2, past_every=100, past_share=0.5))
    whole = Run(config, tmp_path)
    for _ in range(4):
        whole.cycle()
    whole.save()
    resumed = Run(config, tmp_path, resume=True)
    for run in (whole, resumed):
        for _ in range(4):
            run.cycle()
    assert len(whole.league.opponents) == 3
    assert whole.league.beats == resumed.league.beats
    assert whole.league.get_state()["opponent"] == resumed.league.get_state()["opponent"]
    for name, weight in whole.network.state_dict().items():
        assert torch.equal(weight, resumed.network.state_dict()[name]), name


def test_shares_are_of_one_whole() -> None:
    with pytest.raises(ValueError, match=r"share \+ past_share=1.2: allowed is 1 at most"):
        LeagueConfig(("greedy",), 0.6, past_share=0.6)


def test_a_share_needs_bots() -> None:
    with pytest.raises(ValueError, match=r"bots=.*allowed is one bot or more"):
        LeagueConfig(share=0.5)
    with pytest.raises(ValueError, match="no bot 'nobody'"):
        League(cardenvs.make_game("rummy_v0"), LeagueConfig(("nobody",), 0.5), 4)
