"""Every configuration that is shipped learns: a few updates of it, on few games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import cardenvs
from training.config import parse_settings
from training.train import Run

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))


def test_every_game_has_a_configuration() -> None:
    assert {parse_settings(["--config", str(file)])[0].env.variant for file in CONFIGS} == set(cardenvs.variants())


@pytest.mark.parametrize("file", CONFIGS, ids=[file.stem for file in CONFIGS])
def test_a_configuration_learns(file: Path, tmp_path: Path) -> None:
    few = [
        "--env.options",
        "{max_turns: 4}",
        "--env.num_envs",
        "16",
        "--ppo.steps",
        "16",
        "--ppo.minibatch",
        "64",
        "--run.threads",
        "1",
    ]
    config, _ = parse_settings(["--config", str(file), *few])
    config = replace(config, ppo=replace(config.ppo, total_decisions=500))
    config = replace(config, evaluation=replace(config.evaluation, deals=4, final_deals=4))
    run = Run(config, tmp_path)
    before = {name: weight.clone() for name, weight in run.network.state_dict().items()}
    found = run.train()
    assert run.progress.decisions >= 500
    assert run.progress.illegal == 0
    assert [row["opponent"] for row in found] == ["random", "greedy"]
    assert any((weight != before[name]).any() for name, weight in run.network.actor.state_dict(prefix="actor.").items())
