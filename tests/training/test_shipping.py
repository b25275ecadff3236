"""T10: policies that come with the package are loaded by name, play, and do as their records say."""

from __future__ import annotations

import json
import runpy
import shlex
import shutil
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch

import cardenvs
from cardenvs import arena, make_bot, make_game, make_vec
from training import load_policy, shipped
from training.checkpoint import POLICIES, save_policy
from training.config import (
    EnvConfig,
    EvaluationConfig,
    ImitationConfig,
    LeagueConfig,
    NetworkConfig,
    PPOConfig,
    TrainConfig,
    parse_settings,
    write_settings,
)
from training.model import make_actor
from training.report import read_run
from training.shipping import LIMIT, PAGE, _command, checked_name, page, record, ship
from training.train import Run

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of the shipped policies."""
    folder = tmp_path / "policies"
    folder.mkdir()
    monkeypatch.setattr("training.checkpoint.POLICIES", folder)
    return folder


@pytest.fixture
def finished(tiny: TrainConfig, tmp_path: Path) -> Path:
    """The folder of a run that is through."""
    folder = tmp_path / "run"
    folder.mkdir()
    Run(tiny, folder).train()
    return folder


def command(script: str, arguments: list[object], monkeypatch: pytest.MonkeyPatch) -> object:
    """The exit status of a command, run in this process."""
    monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
    with pytest.raises(SystemExit) as status:
        runpy.run_path(str(SCRIPTS / script), run_name="__main__")
    return status.value.code


# What is shipped ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_policy_plays_as_its_record_says(name: str) -> None:
    assert (POLICIES / f"{name}.pt").stat().st_size <= LIMIT
    policy, told = load_policy(name), record(name)
    assert checked_name(name, policy.game) == policy.name == name
    assert (told["variant"], told["options"]) == (policy.game.id, policy.game.options)
    greedy = make_bot(policy.game, "greedy")
    result = arena.evaluate(policy.game, [policy, *[greedy] * (policy.game.num_sides - 1)], 50, seed=1)
    assert sum(result.illegal) == 0
    recorded = next(row["win_rate"]["mean"] for row in told["found"] if row["opponent"] == "greedy")
    # Fifty deals from every seat of two are a hundred games: four deviations, and fewer where there are more seats.
    assert abs(result.win_rate[0].mean - recorded) < 0.2


def test_every_shipped_policy_has_its_record_and_the_page_has_all() -> None:
    files = {file.name for file in POLICIES.iterdir()}
    assert files == {PAGE, *(f"{name}{end}" for name in shipped() for end in (".pt", ".json"))}
    assert (POLICIES / PAGE).read_text(encoding="utf-8") == page(), "written by scripts/ship.py, not by hand"


# Shipping -------------------------------------------------------------------------------------------------------------


def test_a_finished_run_is_shipped_by_a_command(
    finished: Path, policies: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("ship.py", [finished, "rummy_small"], monkeypatch) == 0
    assert "rummy_small.pt" in capsys.readouterr().out
    assert {file.name for file in policies.iterdir()} == {"rummy_small.pt", "rummy_small.json", PAGE}
    content = torch.load(policies / "rummy_small.pt", weights_only=True)
    assert content.keys() == {
        "format", "cardenvs", "variant", "options", "observation", "actions", "network", "weights"
    }  # fmt: skip
    told, result = record("rummy_small"), json.loads((finished / "evaluation.json").read_text(encoding="utf-8"))
    for key in ("variant", "options", "seed", "decisions", "training_seconds", "device", "threads", "processes"):
        assert told[key] == result[key]
    assert [row["opponent"] for row in told["found"]] == ["random", "greedy"]
    assert told["settings"]["network"]["hidden"] == [16]
    assert not {"name", "folder"} & told["settings"]["run"].keys()
    text = (policies / PAGE).read_text(encoding="utf-8")
    assert text == page()
    for part in ("## `rummy_small`", "hand_size=4, max_turns=6: 512 decisions", "seed 1", told["command"], "greedy"):
        assert part in text


def test_a_shipped_policy_is_loaded_by_its_name_and_plays_the_same(
    finished: Path, policies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shipped() == []
    assert ship(finished, "rummy_small") == policies / "rummy_small.pt"
    assert shipped() == ["rummy_small"]
    policy, of_run = load_policy("rummy_small"), load_policy(finished)
    assert (policy.name, of_run.name) == ("rummy_small", "run")
    vec = make_vec(policy.game.id, 64, 7, **policy.game.options)
    batch = vec.reset(7)
    for _ in range(10):
        np.testing.assert_array_equal(policy.act(batch.obs, batch.mask), of_run.act(batch.obs, batch.mask))
        batch = vec.step(vec.random_actions())
    env = cardenvs.rummy_v0.env(**policy.game.options)
    env.reset(seed=3)
    observation = env.last()[0]
    assert observation["action_mask"][policy.act(observation)] == 1
    # What the caller has under that name goes first; with a separator it is a path and nothing else.
    other = make_game("rummy_v0", hand_size=3)
    network = NetworkConfig("dense", (4,))
    save_policy(tmp_path / "rummy_small", other, make_actor(other, network, torch.Generator()), network)
    monkeypatch.chdir(tmp_path)
    assert load_policy("rummy_small").game.options["hand_size"] == 3
    assert load_policy("./rummy_small").game.options["hand_size"] == 3
    (tmp_path / "rummy_small").unlink()
    with pytest.raises(ValueError, match=r"no policy at rummy_small$"):
        load_policy("./rummy_small")


def test_a_name_that_is_none_tells_those_there_are(policies: Path) -> None:
    with pytest.raises(ValueError, match="no policy at rumy; those that are shipped: none"):
        load_policy("rumy")
    for name in ("rummy", "canasta"):
        (policies / f"{name}.pt").touch()
    with pytest.raises(ValueError, match="no policy at rumy; those that are shipped: canasta, rummy"):
        load_policy("rumy")


def test_the_arena_plays_it_by_name(
    finished: Path, policies: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ship(finished, "rummy_small")
    rules = ["--options.hand_size", 4, "--options.max_turns", 6]
    arguments = ["--players", "policy:rummy_small", "greedy", "--deals", 5, *rules]
    assert command("evaluate.py", arguments, monkeypatch) == 0
    said = capsys.readouterr()
    assert "rummy_small" in said.out
    assert not said.err.strip()
    assert command("evaluate.py", ["--players", "policy:rummy"], monkeypatch) == 2
    assert "no policy at rummy; those that are shipped: rummy_small" in capsys.readouterr().err


def test_a_name_that_is_taken_makes_room_when_told_to(
    finished: Path, policies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rummy_small", "rummy_other"):
        ship(finished, name)
    (policies / "rummy_small.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"name='rummy_small': one is shipped already; allowed is .*--replace true"):
        ship(finished, "rummy_small")
    assert (policies / "rummy_small.json").read_text(encoding="utf-8") == "{}"
    assert command("ship.py", [finished, "rummy_small", "--replace", "true"], monkeypatch) == 0
    assert record("rummy_small") == record("rummy_other")
    assert shipped() == ["rummy_other", "rummy_small"]
    text = (policies / PAGE).read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## `rummy_other`", "## `rummy_small`"]


def test_an_unfinished_run_is_refused(
    tiny: TrainConfig, tmp_path: Path, policies: Path, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "begun"
    begun.mkdir()
    write_settings(begun, tiny)
    run = Run(tiny, begun)
    run.cycle()
    run.save()
    with pytest.raises(ValueError, match=r"no evaluation.json in it; allowed is the folder of a finished run"):
        ship(begun, "rummy_small")
    with pytest.raises(ValueError, match=r"no evaluation.json in it"):
        ship(tmp_path / "nowhere", "rummy_small")
    shutil.rmtree(finished / "snapshots")
    with pytest.raises(ValueError, match=r"snapshot_512.pt is missing, which its last evaluation judged"):
        ship(finished, "rummy_small")
    assert command("ship.py", [begun, "rummy_small"], monkeypatch) == 2
    assert not list(policies.iterdir())


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("evaluation.json", "{", "evaluation.json is no result of a run"),
        ("evaluation.json", "[]", "evaluation.json is no result of a run"),
        ("evaluation.json", {"decisions": None}, "evaluation.json .*: it has no decisions$"),
        ("evaluation.json", {"command": None, "found": None}, "evaluation.json .*: it has no command, found$"),
        ("evaluation.json", {"decisions": "x"}, "decisions='x': allowed is a whole number"),
        ("evaluation.json", {"found": [{}]}, "found=.*: allowed is a list"),
        ("evaluation.json", {"options": {}}, "evaluation.json is not of .*snapshot_512.pt"),
        ("config.yaml", "{", "config.yaml has no settings of a run"),
        ("config.yaml", "- 1", "config.yaml has no settings of a run"),
        ("config.yaml", "env: {}", "config.yaml has no settings of a run: it has no evaluation.sample, run.seed$"),
    ],
)
def test_a_run_whose_files_are_broken_changes_nothing(
    finished: Path, policies: Path, name: str, content: str | dict[str, object], said: str
) -> None:
    ship(finished, "rummy_small")
    before = {file.name: file.read_bytes() for file in policies.iterdir()}
    if isinstance(content, dict):
        result = json.loads((finished / name).read_text(encoding="utf-8")) | content
        content = json.dumps({key: value for key, value in result.items() if value is not None})
    (finished / name).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        ship(finished, "rummy_small")
    assert {file.name: file.read_bytes() for file in policies.iterdir()} == before


BUILT = (
    'python scripts/train.py --env.num_players 2 --env.options \'{"hand_size": 4, "max_turns": 6}\' '
    "--env.num_envs 16 --network.hidden '[16]' --network.width 8 --ppo.total_decisions 512 --ppo.steps 8 "
    "--ppo.epochs 2 --ppo.minibatch 32 --evaluation.every 256 --evaluation.deals 4 --evaluation.final_deals 6 "
    "--run.device cpu --run.threads 1"
)


@pytest.mark.parametrize(
    ("first", "processes", "told"),
    [
        ("python3 scripts/train.py --config configs/a-b_2p.yaml --run.seed 2", 1, None),
        ("python scripts/train.py --config=configs/a.yaml", 1, None),
        ("python scripts/train.py --config configs/a.yaml", 2, "torchrun --nproc-per-node 2 scripts/train.py --config"),
        ("python scripts/train.py --config configs/a.yaml --run.folder runs", 1, BUILT),
        ("python scripts/train.py --config configs/a.yaml --run '{folder: runs}'", 1, BUILT),
        ("python scripts/train.py --config configs/a.yaml --config mine.yaml", 1, BUILT),
        ("python scripts/train.py --config /home/me/configs/a.yaml", 1, BUILT),
        ("python /home/me/scripts/train.py --config configs/a.yaml", 1, BUILT),
        ("python scripts/train.py --resume runs/x", 1, BUILT),
        ("python scripts/train.py", 2, BUILT.replace("python", "torchrun --nproc-per-node 2")),
        ("", 1, BUILT),
    ],
)
def test_the_command_of_a_record_has_nothing_of_a_machine(
    tiny: TrainConfig, first: str, processes: int, told: str | None
) -> None:
    settings = json.loads(json.dumps(asdict(tiny)))
    made = _command(first, settings, processes)
    assert made.startswith(first if told is None else told)
    if told is not None and "--config" not in told:
        again, _ = parse_settings(shlex.split(made.partition("scripts/train.py")[2]))
        assert replace(again, run=tiny.run) == tiny


def test_settings_of_every_kind_come_back_from_the_command() -> None:
    given = TrainConfig(
        env=EnvConfig("cachons_v0", match=True, reward="win"),
        ppo=PPOConfig(lr=1e-5, lr_end=0.0, bootstrap_truncated=False, target_kl=0.02),
        imitation=ImitationConfig("greedy", 1000),
        league=LeagueConfig(("random", "greedy"), 0.5),
        evaluation=EvaluationConfig(opponents=("greedy",)),
    )
    made = _command("", json.loads(json.dumps(asdict(given))), 1)
    assert parse_settings(shlex.split(made)[2:]) == (given, None)


def test_a_run_that_was_resumed_is_told_as_it_began(
    tiny: TrainConfig, tmp_path: Path, policies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = ["scripts/train.py", "--config", "configs/tiny.yaml"]
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.setattr(sys, "argv", began)
    run = Run(tiny, folder)
    monkeypatch.setattr(run, "_done", lambda: run.progress.updates == 2)
    run.train()
    monkeypatch.setattr(sys, "argv", ["scripts/train.py", "--resume", str(folder)])
    Run(tiny, folder, resume=True).train()
    result = json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))
    ship(folder, "rummy_small")
    for told in (result, record("rummy_small"), read_run(folder).about):
        assert shlex.split(told["command"])[1:] == began
        assert told["processes"] == 1
    assert str(tmp_path) not in (policies / "rummy_small.json").read_text(encoding="utf-8")


def test_what_cannot_be_shipped(
    tiny: TrainConfig, finished: Path, policies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rummy", "rummy_2p", "rummy_3p_small", "rummy_", "cachons_small", "rummy_small/../x", "rummy_Small"):
        with pytest.raises(ValueError, match=r"name='.*': allowed for Game\(.*\) are rummy_<word>$"):
            ship(finished, name)
    monkeypatch.setattr("training.shipping.LIMIT", 1000)
    with pytest.raises(ValueError, match="bytes: allowed are 1000"):
        ship(finished, "rummy_small")
    write_settings(finished, replace(tiny, evaluation=replace(tiny.evaluation, sample=True)))
    with pytest.raises(ValueError, match=r"evaluation.sample=True: allowed is False"):
        ship(finished, "rummy_small")
    assert not list(policies.iterdir())


@pytest.mark.parametrize(
    ("name", "variant", "options"),
    [
        ("rummy", "rummy_v0", {}),
        ("rummy", "rummy_v0", {"num_players": 2, "reward": "win"}),
        ("rummy_3p", "rummy_v0", {"num_players": 3}),
        ("rummy_3p_match", "rummy_v0", {"num_players": 3, "match": True}),
        ("rummy_careful", "rummy_v0", {}),
        ("number_cachons", "number_cachons_v0", {"num_players": 4}),
        ("canasta_2p", "canasta_v0", {"num_players": 2}),
    ],
)
def test_names_say_what_is_played(name: str, variant: str, options: dict[str, object]) -> None:
    assert checked_name(name, make_game(variant, **options)) == name


def test_the_plain_name_is_for_the_usual_rules() -> None:
    with pytest.raises(ValueError, match=r"name='rummy': allowed for .* are rummy_<word>$"):
        checked_name("rummy", make_game("rummy_v0", hand_size=5))
    with pytest.raises(ValueError, match=r"name='rummy_2p': allowed for .* are rummy, rummy_<word>$"):
        checked_name("rummy_2p", make_game("rummy_v0"))
