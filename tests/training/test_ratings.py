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
from training.ratings import Table, drop_snapshots, judge, kept, newcomer, rated, snapshot_name
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


def test_the_snapshots_that_are_kept_span_the_run() -> None:
    names = [snapshot_name(1000 * i) for i in range(200)]
    before: set[str] = set()
    for count in range(1, 201):
        stay = kept(["greedy", *names[:count]], 8)
        assert len(stay) == min(count, 8)
        assert (stay[0], stay[-1]) == (names[0], names[count - 1])
        assert set(stay) <= before | {names[count - 1]}, "who has gone never comes back"
        before = set(stay)
        gaps = np.diff([names.index(name) for name in stay])
        assert count < 9 or gaps.max() <= 2 * count / 7, "no stretch is without any"
    assert kept(names, 2) == [names[0], names[-1]]


def test_only_snapshots_that_are_not_kept_are_removed(tmp_path: Path) -> None:
    table = ["greedy", *map(snapshot_name, range(6))]
    for name in [*table, snapshot_name(99)]:  # the last one of a run that was killed after its checkpoint
        (tmp_path / f"{name}.pt").touch()
    drop_snapshots(tmp_path, table, EvaluationConfig(snapshots=4))
    assert {file.stem for file in tmp_path.iterdir()} == {"greedy", *kept(table, 3)}
    drop_snapshots(tmp_path / "none", table, EvaluationConfig(snapshots=4))
    with pytest.raises(ValueError, match="snapshots=2: allowed is 3 or more"):
        EvaluationConfig(snapshots=2)


def test_deals_are_new_ones_also_where_snapshots_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, seeds = cardenvs.make_game("rummy_v0", hand_size=3), list[int]()
    policy = Policy(game, make_actor(game, NetworkConfig("dense", (4,)), torch.Generator().manual_seed(0)))

    def noted(game: object, lineup: object, deals: int, seed: int) -> np.ndarray:
        seeds.append(seed)
        return np.zeros((deals, 2))

    monkeypatch.setattr(arena, "deal_margins", noted)
    table: Table = {}
    for decisions in range(6):
        table = judge(game, policy, snapshot_name(decisions), table, tmp_path, EvaluationConfig(snapshots=3))
    assert len(seeds) == len(set(seeds)) == 6 * 2  # of two bots; no file of a snapshot is there


def test_a_run_that_drops_snapshots_resumes_to_the_bit(
    tiny: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed when it has judged the policy and not yet saved that: what was kept at its checkpoint is still there."""
    config = replace(
        tiny,
        ppo=replace(tiny.ppo, total_decisions=128 * 9),
        evaluation=replace(tiny.evaluation, every=128, deals=2, final_deals=2, rating_deals=4, snapshots=4),
        run=replace(tiny.run, checkpoint_every=0),
    )
    found = []
    for name in ("whole", "killed"):
        folder = tmp_path / name
        folder.mkdir()
        if name == "killed":
            die_at_save(7, config, folder, monkeypatch)
        Run(config, folder, resume=name == "killed").train()
        found.append(json.loads((folder / "evaluation.json").read_text(encoding="utf-8")))
        snapshots = {path.stem for path in (folder / "snapshots").iterdir()}
        assert len(snapshots) == 4
        assert {snapshot_name(0), snapshot_name(128 * 9)} <= snapshots
    assert found[0]["ratings"] == found[1]["ratings"]
    assert set(found[0]["ratings"]) == {"random", "greedy", *(snapshot_name(128 * i) for i in range(10))}
    assert [each["found"] for each in found[0]["curve"]] == [each["found"] for each in found[1]["curve"]]


def die_at_save(number: int, config: TrainConfig, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Train until the run is about to write its checkpoint for the `number`-th time."""
    save, saves = Run.save, list[int]()

    def dying(run: Run) -> None:
        saves.append(run.progress.decisions)
        if len(saves) == number:
            raise InterruptedError
        save(run)

    with monkeypatch.context() as patched:
        patched.setattr(Run, "save", dying)
        with pytest.raises(InterruptedError):
            Run(config, folder).train()


def test_a_run_rates_its_snapshots(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(tiny, tmp_path)
    run.train()
    ratings: Table = json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))["ratings"]
    snapshots = {path.stem for path in (tmp_path / "snapshots").iterdir()}
    assert snapshots == set(ratings) - set(tiny.evaluation.opponents)
    assert {snapshot_name(0), snapshot_name(run.progress.decisions)} <= snapshots
    assert all(sigma < newcomer()[1] for _, sigma in ratings.values())
