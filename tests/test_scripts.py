"""The commands, as a user runs them."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import cardenvs
from training.checkpoint import save_policy
from training.config import NetworkConfig
from training.model import make_actor

ROOT = Path(__file__).parent.parent
IDS = ", ".join(cardenvs.variants())


def run(script: str, *arguments: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / script), *map(str, arguments)]
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "120"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def refused(
    script: str, arguments: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> str:
    """What a command that refuses its arguments says, without the cost of a process for each."""
    monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
    monkeypatch.syspath_prepend(ROOT / "scripts")  # as the interpreter does
    with pytest.raises(SystemExit) as status:
        runpy.run_path(str(ROOT / "scripts" / script), run_name="__main__")
    assert status.value.code == 2
    return capsys.readouterr().err


def write_policy(path: Path, **options: object) -> Path:
    game, config = cardenvs.make_game("rummy_v0", **options), NetworkConfig(hidden=(8,))
    save_policy(path, game, make_actor(game, config, torch.Generator().manual_seed(0)), config)
    return path


# evaluate.py ----------------------------------------------------------------------------------------------------------


def test_evaluate_writes_what_it_prints(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    arguments = ["--players", "greedy", "random", "--deals", 20, "--seed", 3, "--options.max_turns", 50]
    done = run("evaluate.py", *arguments, "--json", file)
    assert done.returncode == 0, done.stderr
    content = json.loads(file.read_text(encoding="utf-8"))
    game = cardenvs.make_game("rummy_v0", max_turns=50)
    players = [cardenvs.make_bot(game, name) for name in ("greedy", "random")]
    result = cardenvs.arena.evaluate(game, players, 20, seed=3)
    assert done.stdout == result.table() + "\n"
    assert content["result"] == json.loads(json.dumps(result.to_json()))
    assert content["command"].endswith(f"--options.max_turns 50 --json {file}")
    assert content["seed"] == 3
    assert content["seconds"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_the_last_player_fills_the_seats() -> None:
    done = run(
        "evaluate.py", "--variant", "cachons_v0", "--num_players", 5, "--players", "greedy", "random", "--deals", 2
    )
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[3:]] == ["greedy"] + ["random"] * 4
    assert "last one fills the seats" in " ".join(run("evaluate.py", "--help").stdout.split())


def test_evaluate_plays_trained_policies(tmp_path: Path) -> None:
    policy = write_policy(tmp_path / "mine.pt")
    done = run("evaluate.py", "--players", f"policy:{policy}", "greedy", "--deals", 4)
    assert done.returncode == 0, done.stderr
    assert str(policy) in done.stdout
    assert "was trained" not in done.stderr
    (tmp_path / "run").mkdir()
    write_policy(tmp_path / "run" / "policy.pt")
    of_run = run("evaluate.py", "--players", f"policy:{tmp_path / 'run'}", "greedy", "--deals", 4)
    assert of_run.stdout.replace(str(tmp_path / "run"), str(policy)).split() == done.stdout.split(), of_run.stderr
    longer = run("evaluate.py", "--players", f"policy:{policy}", "--deals", 2, "--options.max_turns", 60)
    assert longer.returncode == 0, longer.stderr
    assert "was trained with {'max_turns': 100}" in longer.stderr


def test_evaluate_of_bots_needs_no_torch() -> None:
    script = ROOT / "scripts" / "evaluate.py"
    check = (
        f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); sys.argv = ['evaluate.py', '--deals', '2']\n"
        f"try: runpy.run_path({str(script)!r}, run_name='__main__')\n"
        "except SystemExit as status: assert not status.code\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "uno"], f"no variant 'uno': allowed are {IDS}"),
        (["--players", "genius"], "no bot 'genius'; allowed are random, greedy, expert and policy:NAME"),
        (["--players", "greedy", "greedy", "greedy"], "allowed are 1 to 2"),
        (["--players", "policy:nowhere.pt"], "no policy at nowhere.pt; those that are shipped: "),
        (["--players", f"policy:{ROOT / 'tests'}"], f"no policy at {ROOT / 'tests' / 'policy.pt'}"),
        (["--num_players", 9], "num_players=9: allowed are integers from 2 to 6"),
        (["--num_players", 3, "--options.num_players", 3], "num_players is given twice"),
        (["--options.speed", 1], "no option speed=1: allowed are num_players, match"),
        (["--deals", 0], "deals=0: allowed are integers from 1"),
        (["--seed", -1], "seed=-1: allowed are integers from 0"),
        (["--json", "nowhere/out.json"], "json=nowhere/out.json: allowed is a file in a folder that can be written to"),
        (["--json", ROOT], "it is a folder"),
        (["--dealz", 3], "--dealz"),
    ],
)
def test_evaluate_names_what_is_wrong(
    arguments: list[object], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert message in refused("evaluate.py", arguments, monkeypatch, capsys)


def test_evaluate_refuses_a_policy_of_another_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    policy = write_policy(tmp_path / "three.pt", num_players=3)
    said = refused("evaluate.py", ["--players", f"policy:{policy}"], monkeypatch, capsys)
    assert "was trained for Game('rummy_v0', num_players=3" in said


# bench.py, docs.py ----------------------------------------------------------------------------------------------------


def test_bench_measures(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    done = run("bench.py", "--quick", "--variants", "rummy_v0", "--threads", 1, 2, "--json", file)
    assert done.returncode == 0, done.stderr
    content = json.loads(file.read_text(encoding="utf-8"))
    kinds = {row["kind"] for row in content["rates"]}
    assert kinds >= {"loop", "step", "env", "raw_env"}
    assert all(row["rate"] > 0 for row in content["rates"])
    batches = {(row["threads"], row["batch"]) for row in content["rates"] if row["kind"] == "loop"}
    assert batches == {(1, 1), (1, 64), (1, 1024), (1, 4096), (2, 64), (2, 1024), (2, 4096)}
    assert [row["cache"] for row in content["start_up"]] == ["warm"]
    for word in ("OpenSpiel", "RLCard", "2 / 1", "us/decision", "first AEC decision"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variants", "uno"], f"no variant 'uno'; allowed are {IDS}"),
        (["--threads", 0], "threads=0: allowed are integers from 1"),
        (["--quick", "--repeats", 0], "repeats=0: allowed are integers from 1"),
        (["--quick", "--seconds", -1], "seconds=-1.0: allowed is a number above 0"),
        (["--json", "nowhere/out.json"], "json=nowhere/out.json: allowed is a file in a folder that can be written to"),
    ],
)
def test_bench_names_what_is_wrong(
    arguments: list[object], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert message in refused("bench.py", arguments, monkeypatch, capsys)


def test_docs_checks_without_writing() -> None:
    done = run("docs.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr == ""


# tournament.py --------------------------------------------------------------------------------------------------------


def test_tournament_writes_a_table_for_each_variant(tmp_path: Path) -> None:
    done = run(
        "tournament.py", "--variants", "rummy_v0", "cachons_v0", "--num_players", 2, "--deals", 5, "--out", tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"{id}_2p.{kind}" for id in ("cachons_v0", "rummy_v0") for kind in ("json", "md", "png")
    ]
    assert "# Rummy, 2 players" in done.stdout
    assert "# Cachons, 2 players" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variants", "whist_v0"], f"no variant 'whist_v0': allowed are {IDS}"),
        (["--variants", "rummy_v0", "--players", "gredy", "random"], "no bot 'gredy'; allowed are random, greedy"),
        (["--variants", "rummy_v0", "--players", "greedy"], "allowed are two or more of different names"),
        (["--variants", "rummy_v0", "--deals", 0], "deals=0: allowed"),
        (["--variants", "rummy_v0", "--num_players", 9], "num_players=9: allowed"),
        (["--num_players", 2, "--options.num_players", 3], "num_players is given twice"),
        # Before anything is played, or it would take an hour.
        (["--variants", "rummy_v0", "--deals", 1_000_000, "--out", ROOT / "README.md"], "README.md"),
    ],
)
def test_tournament_refuses(
    arguments: list[object], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    assert message in refused("tournament.py", arguments, monkeypatch, capsys)
