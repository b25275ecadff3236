"""T6: a resumed run equals the uninterrupted one; the files of a run; S3."""

from __future__ import annotations

import json
import os
import random
import runpy
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from training.config import RunConfig, TrainConfig, write_settings
from training.log import RunLog
from training.report import read_run
from training.train import Run, crowded, new_folder

ROOT = Path(__file__).parents[2]


def assert_same(a: Any, b: Any) -> None:
    """Equal to the last bit, all the way down."""
    if isinstance(a, torch.Tensor):
        assert torch.equal(a, b)
    elif isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            if not str(key).endswith("seconds"):
                assert_same(a[key], b[key])
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    else:
        assert a == b or (a != a and b != b)


def checkpoint(folder: Path) -> dict[str, Any]:
    return torch.load(folder / "checkpoint.pt", weights_only=True)


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def start(command: list[str], folder: Path, **how: Any) -> subprocess.Popen[str]:
    """Start a run in a process of its own, and come back once it has its first checkpoint."""
    process = subprocess.Popen(command, cwd=ROOT, text=True, **how)
    deadline = time.monotonic() + 100
    while not (folder / "checkpoint.pt").exists():
        assert process.poll() is None, f"it ended with {process.returncode}"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def test_resumed_equals_uninterrupted(tiny: TrainConfig, tmp_path: Path) -> None:
    whole, first = tmp_path / "whole", tmp_path / "first"
    for folder in (whole, first):
        folder.mkdir()
    run = Run(tiny, whole)
    for _ in range(4):
        run.cycle()
    run.save()
    run = Run(tiny, first)
    for _ in range(2):
        run.cycle()
    run.save()
    resumed = Run(tiny, first, resume=True)
    assert resumed.progress.updates == 2
    for _ in range(2):
        resumed.cycle()
    resumed.save()
    assert_same(checkpoint(whole), checkpoint(first))


def test_killed_and_resumed_equals_uninterrupted(tiny: TrainConfig, tmp_path: Path) -> None:
    """`kill -9` at some moment, in processes of their own."""
    command = [
        sys.executable, "scripts/train.py", "--config", "configs/smoke.yaml", "--run.folder", str(tmp_path),
        "--run.threads", "1", "--run.checkpoint_every", "0", "--evaluation.final_deals", "5",
        "--ppo.total_decisions", "40000", "--env.options", "{max_turns: 10}",
    ]  # fmt: skip
    folder = tmp_path / "killed"
    killed = start([*command, "--run.name", "killed"], folder, stdout=subprocess.DEVNULL)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert 0 < checkpoint(folder)["progress"]["decisions"] < 40000
    resume = [sys.executable, "scripts/train.py", "--resume", str(folder)]
    for arguments in (resume, [*command, "--run.name", "whole"]):
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    a, b = checkpoint(folder), checkpoint(tmp_path / "whole")
    a["config"]["run"]["name"] = "whole"
    assert_same(a, b)
    # One process or two: that, their speed and what took them how long are all that may differ.
    logs = [[record for record in log_of(each) if record["kind"] != "start"] for each in (folder, tmp_path / "whole")]
    for log in logs:
        for record in log:
            record.pop("decisions_per_second", None)
    assert_same(logs[0], logs[1])


def test_a_crowded_machine_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.train.usable_cores", lambda: 4)
    for load, threads, warned in ((3.2, 4, True), (0.4, 4, False), (3.2, 1, False), (1.9, 2, False), (2.6, 2, True)):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, 0.0, 0.0))
        monkeypatch.setattr("torch.get_num_threads", lambda threads=threads: threads)
        warning = crowded()
        assert (warning is not None) == warned
        if warning is not None:
            assert f"{load} of 4 cores were busy" in warning
            assert f"--run.threads {threads - 1} may be faster" in warning


def test_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    command = [
        sys.executable, "scripts/train.py", "--config", "configs/smoke.yaml", "--run.folder", str(tmp_path),
        "--run.threads", "1", "--run.checkpoint_every", "0", "--ppo.total_decisions", "100000000",
    ]  # fmt: skip
    folder = tmp_path / "smoke"
    run = start(command, folder, stdout=subprocess.PIPE)
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=60)
    assert run.returncode == 130
    assert f"--resume {folder}" in said
    records = log_of(folder)
    assert checkpoint(folder)["progress"]["decisions"] == records[-1]["decisions"]


def test_a_run_that_nobody_reads_goes_on_to_its_end(tmp_path: Path) -> None:
    command = [
        sys.executable, "scripts/train.py", "--config", "configs/smoke.yaml", "--run.folder", str(tmp_path),
        "--run.threads", "1", "--evaluation.final_deals", "5", "--evaluation.deals", "5",
        "--ppo.total_decisions", "4096", "--env.options", "{max_turns: 10}",
    ]  # fmt: skip
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(command, cwd=ROOT, text=True, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    assert "BrokenPipe" not in run.stderr
    assert (tmp_path / "smoke" / "evaluation.json").exists()


def test_interrupted_before_it_begins_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> Run:
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("the signal was not heeded")

    monkeypatch.setattr(sys, "argv", ["train.py", "--run.folder", str(tmp_path / "runs")])
    before = signal.getsignal(signal.SIGTERM)
    main = runpy.run_path(str(ROOT / "scripts" / "train.py"))["main"]
    monkeypatch.setitem(main.__globals__, "Run", interrupted)
    try:
        assert main() == 130
    finally:
        signal.signal(signal.SIGTERM, before)
    assert "Stopped." in capsys.readouterr().out
    assert not list((tmp_path / "runs").iterdir())


@pytest.mark.parametrize(
    "change",
    [{"variant": "cachons_v0"}, {"num_players": 3}, {"options": {"hand_size": 5, "max_turns": 6}}, {"num_envs": 32}],
)
def test_a_checkpoint_refuses_another_game(tiny: TrainConfig, tmp_path: Path, change: dict[str, Any]) -> None:
    Run(tiny, tmp_path).save()
    other = replace(tiny, env=replace(tiny.env, **change))
    name = next(iter(change))
    with pytest.raises(ValueError, match="the checkpoint has") as refused:
        Run(other, tmp_path, resume=True)
    message = str(refused.value)
    if name in ("variant", "num_envs"):
        assert str(getattr(tiny.env, name)) in message
        assert str(change[name]) in message


def test_a_checkpoint_refuses_another_network(tiny: TrainConfig, tmp_path: Path) -> None:
    Run(tiny, tmp_path).save()
    other = replace(tiny, network=replace(tiny.network, hidden=(17,)))
    with pytest.raises(ValueError, match="17"):
        Run(other, tmp_path, resume=True)


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", None])
def test_a_broken_checkpoint_is_refused(tiny: TrainConfig, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "checkpoint.pt").write_bytes(content)
    with pytest.raises(ValueError, match="no checkpoint"):
        Run(tiny, tmp_path, resume=True)


def test_a_run_leaves_its_files(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(tiny, tmp_path)
    found = run.train()
    assert {file.name for file in tmp_path.iterdir()} == {
        "config.yaml", "log.jsonl", "tensorboard", "checkpoint.pt", "policy.pt", "evaluation.json", "snapshots",
        "report.md", "curve.png", "training.png",
    }  # fmt: skip
    result = json.loads((tmp_path / "evaluation.json").read_text())
    assert result["decisions"] == tiny.ppo.total_decisions
    assert result["illegal_actions"] == 0
    assert [row["opponent"] for row in result["found"]] == ["random", "greedy"]
    assert all(row["illegal"] == 0 and row["deals"] == 6 for row in result["found"])
    records = log_of(tmp_path)
    assert [r["decisions"] for r in records if r["kind"] == "evaluation"] == [0, 256, 512]
    updates = [r for r in records if r["kind"] == "update"]
    assert [r["decisions"] for r in updates] == [128, 256, 384, 512]
    assert all(r["illegal"] == 0 for r in updates)
    assert updates[0]["lr"] > updates[-1]["lr"]
    said = run.report(found)
    assert "greedy" in said
    assert "outside the network" in said
    assert str(tmp_path / "report.md") in said
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    for part in ("Self-play; finished.", "| 512 of 512 |", "| illegal actions | 0 |", "| cpu |", "| greedy | 6 |"):
        assert part in report
    assert f"| {result['command']} |" in report.replace("`", "")
    assert read_run(tmp_path).ratings == {name: tuple(each) for name, each in result["ratings"].items()}


def test_same_seed_same_run_and_global_streams_are_left_alone(tiny: TrainConfig, tmp_path: Path) -> None:
    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    runs = [Run(tiny, tmp_path) for _ in range(2)]
    for run in runs:
        for _ in range(2):
            run.cycle()
    assert_same(runs[0].network.state_dict(), runs[1].network.state_dict())
    other = Run(replace(tiny, run=replace(tiny.run, seed=2)), tmp_path)
    weight, same = (r.network.actor.body.to_rest.weight for r in (other, Run(tiny, tmp_path)))
    assert not torch.equal(weight, same)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002


def test_evaluating_does_not_change_the_run(tiny: TrainConfig, tmp_path: Path) -> None:
    often = replace(tiny, evaluation=replace(tiny.evaluation, every=1, sample=True))
    runs = []
    for name, config in (("often", often), ("seldom", tiny)):
        (tmp_path / name).mkdir()
        runs.append(Run(config, tmp_path / name))
        runs[-1].train()
    assert_same(runs[0].network.state_dict(), runs[1].network.state_dict())


def test_a_taken_folder_gets_a_number(tiny: TrainConfig, tmp_path: Path) -> None:
    config = replace(tiny.run, folder=str(tmp_path / "new"))
    assert [new_folder(config).name for _ in range(3)] == ["tiny", "tiny-2", "tiny-3"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=r"folder=.*file: allowed is a folder, there or to be made"):
        new_folder(RunConfig(folder=str(tmp_path / "file")))


def test_an_opponent_that_is_none_is_named_before_anything_is_written(tiny: TrainConfig, tmp_path: Path) -> None:
    wrong = replace(tiny, evaluation=replace(tiny.evaluation, opponents=("random", "foo")))
    with pytest.raises(ValueError, match="no bot 'foo'"):
        Run(wrong, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_run_cannot_end_before_it_has_come_so_far(tiny: TrainConfig, tmp_path: Path) -> None:
    write_settings(tmp_path, tiny)
    run = Run(tiny, tmp_path)
    run.cycle()
    run.save()
    less = replace(tiny, ppo=replace(tiny.ppo, total_decisions=10))
    with pytest.raises(ValueError, match=rf"total_decisions=10: the run has made {run.progress.decisions}"):
        Run(less, tmp_path, resume=True)


def test_a_run_that_was_stopped_has_found_nothing(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(tiny, tmp_path)
    cycle = run.cycle

    def interrupted() -> dict[str, float]:
        os.kill(os.getpid(), signal.SIGINT)
        return cycle()

    run.cycle = interrupted  # type: ignore[method-assign]
    assert run.train() is None
    assert checkpoint(tmp_path)["progress"]["updates"] == 1


def test_a_run_that_was_killed_while_it_was_judged_at_its_end_is_judged(tiny: TrainConfig, tmp_path: Path) -> None:
    """The last update goes beyond the total, which is no reason to refuse; only what is finished is."""
    less = replace(tiny, ppo=replace(tiny.ppo, total_decisions=300))

    def run(resume: bool = True) -> Run:
        return Run(less, tmp_path, resume)

    first = run(resume=False)

    def killed(log: RunLog | None) -> list[dict[str, Any]]:
        raise KeyboardInterrupt

    first._finish = killed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        first.train()
    made = first.progress.decisions
    assert made > 300
    assert run().train()
    assert json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))["decisions"] == made
    with pytest.raises(ValueError, match=rf"the run is finished; allowed is --ppo.total_decisions above {made}"):
        run()


def test_a_signal_while_it_is_judged_at_its_end_stops_it_at_once(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(tiny, tmp_path)
    judge = run._finish

    def interrupted(log: RunLog | None) -> list[dict[str, Any]]:
        os.kill(os.getpid(), signal.SIGTERM)
        return judge(log)

    run._finish = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        run.train()
    assert checkpoint(tmp_path)["progress"]["decisions"] == run.progress.decisions
    assert not (tmp_path / "evaluation.json").exists()


def test_minutes_end_a_run_properly(tiny: TrainConfig, tmp_path: Path) -> None:
    run = Run(replace(tiny, run=replace(tiny.run, max_minutes=1e-6)), tmp_path)
    assert run.train()
    assert run.progress.updates == 1
    assert os.path.exists(tmp_path / "evaluation.json")
