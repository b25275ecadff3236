"""Ratings of the snapshots of a run, from games among them and with the bots."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import cardenvs
from cardenvs import arena
from training.checkpoint import save_policy
from training.config import EvaluationConfig, NetworkConfig, TrainConfig
from training.model import Policy, make_actor
from training.ratings import Table, judge, newcomer, rated, snapshot_name
from training.train import Run


def test_who_is_ahead_in_more_deals_is_rated_higher() -> None:
    table = rated({}, "a", "b", np.array([3.0, 1.0, -1.0, 2.0]))
    (a, sure), (b, _) = table["a"], table["b"]
    start, unsure = newcomer()
    assert a > start > b
    assert sure < unsure
    drawn = rated(table, "b", "c", np.array([0.0, 0.0]))
    assert drawn["a"] == (a, sure)  # who did not play stays as it was
    assert b < drawn["b"][0] < drawn["c"][0] < start  # a draw brings them together


def test_margins_of_deals_are_what_the_arena_averages() -> None:
    game = cardenvs.make_game("cachons_v0", num_players=4, max_turns=20)
    greedy, random = cardenvs.make_bot(game, "greedy"), cardenvs.make_bot(game, "random")
    lineup = [greedy, random, random, random]
    margins = arena.deal_margins(game, lineup, 6, seed=3)
    assert margins.shape == (6, 4)
    np.testing.assert_allclose(margins.sum(1), 0, atol=1e-9)
    whole = arena.evaluate(game, lineup, 6, seed=3)
    np.testing.assert_allclose(margins.mean(0), [each.mean for each in whole.margin], atol=1e-9)


def test_a_snapshot_meets_the_bots_the_latest_and_some_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, config = cardenvs.make_game("rummy_v0", hand_size=3), NetworkConfig("dense", (4,))
    actor = make_actor(game, config, torch.Generator().manual_seed(0))
    policy, met = Policy(game, actor), list[str]()

    def noted(game: object, lineup: list[Any], deals: int, seed: int) -> np.ndarray:
        met.append(lineup[1].name)
        return np.zeros((deals, 2))

    monkeypatch.setattr(arena, "deal_margins", noted)
    settings = EvaluationConfig(opponents=("random", "greedy"), rating_opponents=2, rating_deals=3)
    table: Table = {}
    for decisions in range(5):
        met.clear()
        name = snapshot_name(decisions)
        table = judge(game, policy, name, table, tmp_path, settings)
        save_policy(tmp_path / f"{name}.pt", game, actor, config)
        assert met[:2] == ["random", "greedy"]
        assert len(met) == len(set(met)) == 2 + min(2, decisions)
        assert decisions == 0 or met[-1] == snapshot_name(decisions - 1)
    assert set(table) == {"random", "greedy", *map(snapshot_name, range(5))}
    met.clear()
    judge(game, policy, "new", table, tmp_path, replace(settings, rating_opponents=0))
    assert met == ["random", "greedy"]


def test_a_run_rates_its_snapshots(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(tiny, tmp_path)
    run.train()
    ratings: Table = json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))["ratings"]
    snapshots = {path.stem for path in (tmp_path / "snapshots").iterdir()}
    assert snapshots == set(ratings) - set(tiny.evaluation.opponents)
    assert {snapshot_name(0), snapshot_name(run.progress.decisions)} <= snapshots
    assert all(sigma < newcomer()[1] for _, sigma in ratings.values())
