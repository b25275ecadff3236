"""Settings: documented, validated, overridden by files and by the command line alone."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import cardenvs
from training.config import EnvConfig, LeagueConfig, PPOConfig, RunConfig, TrainConfig, parse_settings, write_settings

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))


def test_command_line_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("ppo:\n  lr: 0.5\n  epochs: 7\nenv:\n  options: {hand_size: 5}\n")
    config, resumed = parse_settings(["--config", str(file), "--ppo.lr", "3e-4", "--network.hidden", "[32, 16]"])
    assert resumed is None
    assert (config.ppo.lr, config.ppo.epochs, config.network.hidden) == (3e-4, 7, (32, 16))
    assert config.env.options == {"hand_size": 5}
    assert config.evaluation == TrainConfig().evaluation


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ppo.learning_rate", "1"], "learning_rate"),
        (["--ppo.lr", "fast"], "lr"),
        (["--ppo.lr", "0"], "lr=0.0: allowed is a number above 0"),
        (["--ppo.lr", ".nan"], "lr"),
        (["--ppo.gamma", "1.5"], "gamma=1.5: allowed is a number from 0 to 1"),
        (["--ppo.steps", "0"], "steps=0: allowed is 1 or more"),
        (["--ppo.minibatch", "100000000"], "minibatch=100000000: allowed is at most steps x num_envs"),
        (["--network.hidden", "[]"], "hidden=()"),
        (["--run.device", "abacus"], "device"),
        (["--run.name", "a/b"], "name='a/b'"),
        (["--evaluation.opponents", "[]"], "opponents=(): allowed is one bot or more"),
        (["--resume", "nowhere"], "config.yaml"),
    ],
)
def test_bad_settings_are_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse_settings(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [("ppo:\n  lrr: 0.5\n", "lrr"), ("ppo: 3\n", "ppo=3: allowed are its settings")],
)
def test_a_bad_file_is_refused(content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(content)
    with pytest.raises(SystemExit):
        parse_settings(["--config", str(file)])
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        "--run.seed=99",
        "--run.name=other",
        "--run.device=cuda",
        "--ppo.lr=0.1",
        "--league.share=0",
        "--evaluation.opponents=[greedy]",  # the curve has a line for each of those that it began with
        "--evaluation.sample=true",
    ],
)
def test_resume_keeps_what_the_run_began_with(change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_settings(tmp_path, TrainConfig(run=RunConfig(seed=7), league=LeagueConfig(("greedy",), 0.5)))
    before = (tmp_path / "config.yaml").read_bytes()
    with pytest.raises(SystemExit):
        parse_settings(["--resume", str(tmp_path), change])
    assert f"--resume: {change[2:].split('=')[0]}=" in capsys.readouterr().err
    assert (tmp_path / "config.yaml").read_bytes() == before


def test_resume_may_go_on_for_longer(tmp_path: Path) -> None:
    write_settings(tmp_path, TrainConfig(run=RunConfig(seed=7)))
    more = ["--ppo.total_decisions", "9000000", "--run.threads", "1", "--evaluation.final_deals", "5"]
    config, folder = parse_settings(["--resume", str(tmp_path), *more])
    assert folder == tmp_path
    assert (config.ppo.total_decisions, config.run.threads, config.evaluation.final_deals) == (9_000_000, 1, 5)
    assert config.run.seed == 7


def test_help_explains_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_settings(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for part in fields(TrainConfig):
        group = part.default
        assert is_dataclass(group)
        for field in fields(group):
            assert f"--{part.name}.{field.name} " in shown
            _, _, after = (type(group).__doc__ or "").partition(f" {field.name}: ")
            assert after, f"{part.name}.{field.name} has no line in its docstring"
            assert " ".join(after.split("\n        ")[0].split())[:60] in shown


def test_settings_survive_their_file(tmp_path: Path) -> None:
    config = TrainConfig(
        EnvConfig("cachons_v0", 3, options={"card_points": {"JK": 25}}), ppo=PPOConfig(lr=1e-5), run=RunConfig("x")
    )
    write_settings(tmp_path, config)
    assert parse_settings(["--resume", str(tmp_path)]) == (config, tmp_path)
    again, _ = parse_settings(["--resume", str(tmp_path), "--ppo.total_decisions", "9"])
    assert (again.ppo.total_decisions, again.ppo.lr) == (9, 1e-5)


def test_resume_takes_no_config(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_settings(tmp_path, TrainConfig())
    with pytest.raises(SystemExit):
        parse_settings(["--resume", str(tmp_path), "--config", str(tmp_path / "config.yaml")])
    assert "not both" in capsys.readouterr().err


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_configs_fit_their_games(file: Path) -> None:
    config, _ = parse_settings(["--config", str(file)])
    game = cardenvs.make_game(config.env.variant, **config.env.game_options())
    assert set(config.evaluation.opponents) <= set(game.bots)
