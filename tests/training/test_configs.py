"""Every configuration that is shipped learns: a few updates of it, on few games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import cardenvs
from cardenvs.games import VARIANTS
from training.config import parse_settings
from training.train import Run

FOLDER = Path(__file__).parents[2] / "configs"
CONFIGS = sorted(FOLDER.glob("*.yaml"))


def config_name(variant: str, players: int) -> str:
    return f"{variant.removesuffix('_v0')}_{players}p"


@pytest.mark.parametrize("variant", cardenvs.variants())
def test_every_game_has_a_configuration_for_its_least_and_its_default_number_of_players(variant: str) -> None:
    for players in {VARIANTS[variant].players[0], cardenvs.make_game(variant).num_players}:
        file = FOLDER / f"{config_name(variant, players)}.yaml"
        assert file in CONFIGS
        env = parse_settings(["--config", str(file)])[0].env
        assert (env.variant, env.num_players) == (variant, players)


@pytest.mark.parametrize("file", CONFIGS, ids=[file.stem for file in CONFIGS])
def test_a_configuration_is_named_after_its_game(file: Path) -> None:
    config, _ = parse_settings(["--config", str(file)])
    assert config.run.name == file.stem
    if file.stem != "smoke":
        assert config.env.num_players is not None
        assert file.stem == config_name(config.env.variant, config.env.num_players)


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
    first = replace(config.imitation, decisions=250) if config.imitation.bot else config.imitation
    config = replace(config, ppo=replace(config.ppo, total_decisions=500), imitation=first)
    config = replace(config, evaluation=replace(config.evaluation, deals=4, final_deals=4))
    run = Run(config, tmp_path)
    before = {name: weight.clone() for name, weight in run.network.state_dict().items()}
    found = run.train()
    assert run.progress.decisions >= 500
    assert run.progress.illegal == 0
    assert [row["opponent"] for row in found] == list(config.evaluation.opponents)
    assert any((weight != before[name]).any() for name, weight in run.network.actor.state_dict(prefix="actor.").items())
