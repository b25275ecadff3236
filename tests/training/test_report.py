"""What is written of a run, and of several side by side, from the files that they have left."""

from __future__ import annotations

import json
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import evaluation, row, run_records, start, unknown, update, write_run

from training.compare import compare, grouped, spread
from training.config import EnvConfig, PPOConfig, RunConfig, TrainConfig
from training.report import read_run, write_report

ROOT = Path(__file__).parents[2]
CONFIG = TrainConfig(ppo=PPOConfig(total_decisions=400_000, lr=1e-3), run=RunConfig("made", seed=7, threads=2))


def report_of(folder: Path, files: int = 3) -> str:
    written = write_report(folder)
    assert [path.name for path in written] == ["report.md", "curve.png", "training.png"][:files]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written[1:])
    return written[0].read_text(encoding="utf-8")


def seeded(seed: int, **ppo: Any) -> TrainConfig:
    run = replace(CONFIG.run, seed=seed, name=f"seed_{seed}", threads=seed)
    return replace(CONFIG, run=run, ppo=replace(CONFIG.ppo, **ppo))


def script(
    arguments: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> tuple[int, str, str]:
    """Status, standard output and error of scripts/report.py."""
    monkeypatch.setattr(sys, "argv", ["report.py", *map(str, arguments)])
    with pytest.raises(SystemExit) as status:
        runpy.run_path(str(ROOT / "scripts" / "report.py"), run_name="__main__")
    said = capsys.readouterr()
    return status.value.code, said.out, said.err


# One run ------------------------------------------------------------------------------------------------------------


def test_a_report_has_what_came_of_a_run(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "made", CONFIG, run_records())
    (folder / "evaluation.json").write_text('{"decisions": 400000}', encoding="utf-8")
    text = report_of(folder)
    for said in (
        "# rummy_v0, 2 players: made", "Self-play; finished.", "`python scripts/train.py --config it.yaml`",
        "| options | num_players=2, match=False, reward=score,", "| seed | 7 |", "| decisions | 400,000 of 400,000 |",
        "| updates | 8 |", "| minutes | 1.3 of training, 1.0 of evaluations |", "| decisions a second | 5,000 |",
        "| device | cpu |", "| threads | 2 |", "| processes | 1 |", "| illegal actions | 0 |",
        "act 30.0 %, advantage 2.5 %, batch 2.5 %, env 5.0 %, learn 60.0 %", "arithmetic | 10.0 % |",
        "| greedy | 200 | 400 | 97.5 [96.5, 98.5] | 50.0 [48.0, 52.0] | 50.0 | +0.0 [-2.0, +2.0] | 0 |",
        "| 200,000 | 0.7 | 97.0 [95.0, 99.0] | +48.2 [+46.2, +50.2] | 30.0 [28.0, 32.0] | -20.0 [",
        "| greedy | 25.0 [23.0, 27.0] |", "| snapshot_0 | 21.0 [18.0, 24.0] |", "(curve.png)", "(training.png)",
        "| `ppo.lr` | `0.001` | `0.0005` |", "| `run.seed` | `7` | `1` |",
    ):  # fmt: skip
        assert said in text, said
    assert "ppo.gamma" not in text  # as by default


def test_a_run_that_has_not_ended_is_said_not_to_have(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "made", CONFIG, run_records(end=250_000))
    assert "not finished" in report_of(folder)
    # It ended, and was then resumed for more.
    (folder / "evaluation.json").write_text('{"decisions": 200000}', encoding="utf-8")
    text = report_of(folder)
    assert "not finished" in text
    assert "| decisions | 250,000 of 400,000 |" in text
    assert "After 200,000 decisions" in text


def test_a_run_that_has_only_begun_has_a_report(tmp_path: Path) -> None:
    assert "no evaluation yet" in report_of(write_run(tmp_path / "empty", CONFIG, []), files=1)
    folder = write_run(tmp_path / "begun", CONFIG, [start(), evaluation(0, 0.0, 0.1)])
    assert "## Against the bots" in report_of(folder, files=2)
    written = write_report(write_run(tmp_path / "unjudged", CONFIG, [start(), update(8192, 2.0)]))
    assert [path.name for path in written] == ["report.md", "training.png"]


def test_what_is_not_known_does_not_break_a_report(tmp_path: Path) -> None:
    text = report_of(write_run(tmp_path / "made", CONFIG, [unknown(record) for record in run_records()]))
    assert "nan" not in text.split("## Settings")[0]


def test_a_repeated_evaluation_counts_once_and_the_first_start_tells(tmp_path: Path) -> None:
    records = [*run_records(), start(400_000, command="again"), evaluation(400_000, 80.0, 0.7, {}, deals=900)]
    run = read_run(write_run(tmp_path / "made", CONFIG, records))
    assert len(run.evaluations) == 5
    assert run.evaluations[-1]["found"][1]["deals"] == 900
    assert run.ratings["snapshot_400000"] == (27.0, 1.5)
    assert run.ratings["greedy"] == (25.0, 1.0)
    assert run.about["command"] == start()["command"]


def test_a_run_of_before_there_were_such_records_has_a_report(tmp_path: Path) -> None:
    records = [record for record in run_records() if record["kind"] != "start"]
    for record in records:
        for name in [name for name in record if name.endswith("_seconds") or name == "ratings"]:
            del record[name]
    folder = write_run(tmp_path / "made", CONFIG, records)
    result = {
        "decisions": 400_000, "command": "old", "device": "cpu", "threads": 3, "ratings": {"greedy": [25.0, 1.0]},
        "time_split": {"act": 0.4, "learn": 0.6, "outside": 0.0},
    }  # fmt: skip
    (folder / "evaluation.json").write_text(json.dumps(result), encoding="utf-8")
    text = report_of(folder)
    for said in ("`old`", "| threads | 3 |", "act 40.0 %, learn 60.0 %", "| greedy | 25.0 [23.0, 27.0] |"):
        assert said in text, said


def test_the_script_writes_a_report_into_each_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    folders = [write_run(tmp_path / name, CONFIG, run_records()) for name in ("a", "b")]
    status, out, _ = script([*folders], monkeypatch, capsys)
    assert status == 0
    files = [folder / name for folder in folders for name in ("report.md", "curve.png", "training.png")]
    assert out.split() == [str(file) for file in files]
    assert all(file.is_file() for file in files)


# Several runs -------------------------------------------------------------------------------------------------------


def test_seeds_are_pooled_and_settings_compared_at_equal_decisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    folders = [
        write_run(tmp_path / "a1", seeded(1), run_records(0.0)),
        write_run(tmp_path / "a2", seeded(2), run_records(0.1)),
        write_run(tmp_path / "b1", seeded(3, lr=2e-3), run_records(0.2, end=300_000)),
    ]
    out = tmp_path / "new" / "out"
    status, said, _ = script([*folders, "--out", out], monkeypatch, capsys)
    assert status == 0
    assert said.split() == [str(out / "comparison.md"), str(out / "comparison.png")]
    assert (out / "comparison.png").read_bytes().startswith(b"\x89PNG")
    text = (out / "comparison.md").read_text(encoding="utf-8")
    for said in (
        "# rummy_v0, 2 players: 3 runs in 2 groups",
        "## After 300,000 decisions",
        "| 1: lr=0.001 | 1, 2 | 97.0 (97.0..97.0) | +48.2 (+48.2..+48.2) | 45.0 (40.0..50.0) | -5.0 (-10.0..+0.0) |",
        "| 2: lr=0.002 | 3 | 97.0 | +48.2 | 60.0 | +10.0 |",
        f"| {folders[0]} (not finished) | 1 | 1 | 400,000 | 1.3 | 5,000 | 0 | 97.0 [95.0, 99.0] |",
        f"| {folders[2]} (not finished) | 2 | 3 | 300,000 |",
        "| `ppo.lr` | `0.001` | `0.002` |",
        "(comparison.png)",
    ):
        assert said in text, said
    assert not list(folders[0].glob("*.png"))


def test_the_default_number_of_players_is_the_same_game_when_it_is_said(tmp_path: Path) -> None:
    said = replace(seeded(2), env=replace(CONFIG.env, num_players=2))
    runs = [
        read_run(write_run(tmp_path / "a", seeded(1), run_records())),
        read_run(write_run(tmp_path / "b", said, run_records())),
    ]
    assert [(group.label, len(group.runs)) for group in grouped(runs)] == [("1", 2)]


def test_a_group_that_differs_in_much_has_the_name_of_its_run(tmp_path: Path) -> None:
    other = replace(
        seeded(2, lr=2e-3, gamma=0.5, epochs=7, entropy_coef=0.123, gae_lambda=0.5),
        run=RunConfig("another", seed=2, threads=2),
    )
    runs = [
        read_run(write_run(tmp_path / "a", seeded(1), run_records())),
        read_run(write_run(tmp_path / "b", other, run_records())),
    ]
    assert [group.label for group in grouped(runs)] == ["1: seed_1", "2: another"]


def test_runs_of_other_numbers_of_processes_are_other_groups(tmp_path: Path) -> None:
    def run(seed: int, processes: int) -> Path:
        records = [start(processes=processes), *run_records()[1:]]
        return write_run(tmp_path / f"{seed}", seeded(seed), records)

    report, _ = compare([run(1, 1), run(2, 2), run(3, 2)], tmp_path)
    text = report.read_text(encoding="utf-8")
    assert "3 runs in 2 groups" in text
    assert "| 2: processes=2 | 2, 3 |" in text
    assert "| `processes` | `1` | `2` |" in text


def test_a_spread_goes_as_far_as_all_have_come(tmp_path: Path) -> None:
    runs = [
        read_run(write_run(tmp_path / "a", seeded(1), run_records(0.0))),
        read_run(
            write_run(tmp_path / "b", seeded(2), [start(), evaluation(0, 0.0, 0.3), evaluation(150_000, 30, 0.6)])
        ),
    ]
    assert [len(group.runs) for group in grouped(runs)] == [2]
    found = spread(runs, "greedy", "win_rate")
    assert found is not None
    at, mean, least, most = found
    assert at.tolist() == [0, 100_000, 150_000]
    np.testing.assert_allclose(least, [10, 20, 25])
    np.testing.assert_allclose(most, [30, 50, 60])
    np.testing.assert_allclose(mean, [20, 35, 42.5])
    assert spread(runs, "nobody", "margin") is None


def test_a_bot_that_only_some_have_met_is_a_dash_for_the_others(tmp_path: Path) -> None:
    other = [record | {"found": [row("wise", 0.4, -3.0)]} for record in run_records() if record["kind"] == "evaluation"]
    folders = [
        write_run(tmp_path / "a", seeded(1), run_records()),
        write_run(tmp_path / "b", seeded(2, lr=0.1), other),
    ]
    report, _ = compare(folders, tmp_path)
    text = report.read_text(encoding="utf-8")
    assert "| 2: lr=0.1 | 2 | - | - | - | - | 40.0 | -3.0 |" in text
    assert "| - | - |\n" in text


def test_undecided_rounds_are_a_dash(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", seeded(1), [unknown(record) for record in run_records()])
    report, _ = compare([folder], tmp_path)
    assert "| 1 | 1 | - | - | - | - |" in report.read_text(encoding="utf-8")


# Bad input ----------------------------------------------------------------------------------------------------------


def test_what_is_no_run_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def refused(*arguments: object) -> str:
        status, out, err = script([*arguments], monkeypatch, capsys)
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        return err

    good = write_run(tmp_path / "good", CONFIG, run_records())
    assert "error: no run in nowhere: there is no nowhere\n" in refused("nowhere")
    assert f"no run in {tmp_path}: there is no {tmp_path / 'config.yaml'}" in refused(tmp_path)
    assert f"{good} is given twice" in refused(good, good, "--out", tmp_path)
    assert "there has been no evaluation yet" in refused(
        good, write_run(tmp_path / "begun", CONFIG, [start()]), "--out", tmp_path
    )
    cachons = replace(CONFIG, env=EnvConfig("cachons_v0"))
    other = write_run(tmp_path / "other", cachons, run_records())
    said = refused(good, other, "--out", tmp_path)
    assert "other learns Game('cachons_v0', num_players=4" in said
    assert "allowed are runs of one game" in said
    three = write_run(tmp_path / "three", replace(CONFIG, env=EnvConfig(num_players=3)), run_records())
    assert "num_players=3" in refused(good, three, "--out", tmp_path)
    assert f"out={good / 'config.yaml'}: allowed is a folder" in refused(good, "--out", good / "config.yaml")
    (good / "evaluation.json").write_text("[]", encoding="utf-8")
    assert "evaluation.json is no result of a run" in refused(good)
    for content in ('{"decisions": "x"}', '{"ratings": [1]}', '{"time_split": {"act": "x"}}'):
        (good / "evaluation.json").write_text(content, encoding="utf-8")
        assert "evaluation.json is no result of a run: " in refused(good), content
    (good / "log.jsonl").write_text("{}\n", encoding="utf-8")
    assert "log.jsonl is no log of a run: line 1" in refused(good)
    for content in ("- 1", "env: 3", "run: {seed: 1}", "env: {speed: 1}", "{"):
        (good / "config.yaml").write_text(content, encoding="utf-8")
        assert "config.yaml has no settings of a run" in refused(good), content
    (good / "log.jsonl").write_text("", encoding="utf-8")
    (good / "evaluation.json").unlink()
    (good / "config.yaml").write_text("env: {variant: uno}", encoding="utf-8")
    assert "no variant 'uno'" in refused(good)


def test_the_script_wants_a_folder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    status, _, err = script([], monkeypatch, capsys)
    assert status == 2
    assert "RUN_FOLDER" in err
