"""Several processes that train one network: they agree, go on, stop and learn as one process would."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from test_run import ROOT, assert_same, checkpoint, log_of, start
from torch import distributed
from toy import ToyVec, toy_network

from training.advantage import seat_advantages
from training.clock import Clock
from training.config import (
    EnvConfig,
    EvaluationConfig,
    LeagueConfig,
    NetworkConfig,
    PPOConfig,
    RunConfig,
    TrainConfig,
)
from training.parallel import ALONE, Group, join
from training.ppo import NonFiniteError, Samples, losses, make_samples, update
from training.rollout import Collector, Rollout
from training.train import Run

CPU = torch.device("cpu")
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port"]
CONFIG = TrainConfig(
    # A bot decides a part that differs from process to process.
    env=EnvConfig("rummy_v0", 2, options={"hand_size": 4, "max_turns": 6}, num_envs=16),
    network=NetworkConfig(hidden=(16,), width=8),
    ppo=PPOConfig(total_decisions=600, steps=9, epochs=2, minibatch=20, target_kl=1.0),
    league=LeagueConfig(("greedy",), 0.4, past_every=100, past_share=0.3),
    evaluation=EvaluationConfig(every=300, opponents=("random",), deals=4, final_deals=6),
    run=RunConfig("tiny", threads=1, device="cpu"),
)


def free_port() -> str:
    with socket.socket() as end:
        end.bind(("127.0.0.1", 0))
        return str(end.getsockname()[1])


# What each of two processes does --------------------------------------------------------------------------------------


def cycles(group: Group, folder: Path, number: int, resume: bool = False) -> Run:
    if group.first:
        folder.mkdir(exist_ok=True)
    group.gather(None)
    run = Run(CONFIG, folder, resume, group)
    for _ in range(number):
        run.cycle()
    return run


def agree(group: Group, folder: Path) -> dict[str, Any]:
    run = Run(CONFIG, folder, group=group)
    first = run.collector.collect()
    found: dict[str, Any] = {"obs": torch.from_numpy(first.obs.copy()), "learned": []}
    collect = run.collector.collect

    def watched() -> Rollout:
        rollout = collect()
        found["learned"].append(int(rollout.learn.sum()))
        return rollout

    run.collector.collect = watched  # type: ignore[method-assign]
    for _ in range(4):
        stats = run.cycle()
    assert group.gather(stats) == [stats, stats]
    progress = {"decisions": run.progress.decisions, "seconds": run.progress.seconds}
    return found | {"weights": run.network.state_dict(), "optimizer": run.optimizer.state_dict(), "progress": progress}


def toy_rollout(seed: int) -> Rollout:
    """Of as many games as the seed has units: others for each seed."""
    vec: Any = ToyVec(num_envs=10 + seed, num_players=3)
    return Collector(vec, seed, toy_network(), 10, torch.Generator().manual_seed(seed), CPU, Clock(CPU)).collect()


def step(samples: Samples, size: int, group: Group) -> dict[str, Any]:
    """Weights after one optimiser step with these samples."""
    network, config = toy_network(), PPOConfig(epochs=1, minibatch=size)
    # Steps as long as the gradient: those of Adam hardly depend on it.
    optimizer = torch.optim.SGD(network.parameters(), lr=10.0)
    loss = partial(losses, config=config, entropy_coef=0.01)
    update(network, optimizer, samples, loss, config, torch.Generator().manual_seed(0), Clock(CPU), group)
    return network.state_dict()


def credited(rollout: Rollout) -> tuple[np.ndarray, np.ndarray]:
    r = rollout
    return seat_advantages(r.reward, r.seat, r.terminated, r.truncated, r.value, r.final_value, r.edge_value, 0.99, 0.9)


def joined(parts: list[Samples]) -> Samples:
    """The samples of all: their decisions, and then their waiting seats."""
    ends = [len(part.action) for part in parts]

    def one(name: str) -> torch.Tensor:
        tensors = [getattr(part, name) for part in parts]
        decided = [tensor[:end] for tensor, end in zip(tensors, ends, strict=True)]
        return torch.cat([*decided, *(tensor[end:] for tensor, end in zip(tensors, ends, strict=True))])

    own = parts[0].own
    return Samples(**{name: one(name) for name, each in vars(parts[0]).items() if torch.is_tensor(each)}, own=own)


def equal_one(group: Group, folder: Path) -> dict[str, Any]:
    """Each process learns from its part, of 100 and 110 decisions; and each for itself from both parts."""
    rollouts = [toy_rollout(seed) for seed in range(2)]
    gains = [credited(rollout) for rollout in rollouts]
    mine = make_samples(rollouts[group.rank], *gains[group.rank], CPU, group)
    parts = [make_samples(r, *gain, CPU) for r, gain in zip(rollouts, gains, strict=True)]
    both = joined(parts)
    raw = np.concatenate([gain[0].ravel() for gain in gains])
    both = replace(both, advantage=torch.from_numpy((raw - raw.mean()) / (raw.std() + 1e-8)))
    return {"together": step(mine, 105, group), "alone": step(both, 210, ALONE), "before": toy_network().state_dict()}


def go_on(group: Group, folder: Path) -> dict[str, Any]:
    cycles(group, folder / "whole", 4).save()
    cycles(group, folder / "first", 2).save()
    group.gather(None)
    cycles(group, folder / "first", 2, resume=True).save()
    return {}


def break_one(group: Group, folder: Path) -> dict[str, Any]:
    run = cycles(group, folder / "broken", 1)
    collect = run.collector.collect

    def broken() -> Rollout:
        rollout = collect()
        if not group.first:
            rollout.obs[:] = 1
            for weight in run.network.critic.parameters():
                weight.data.fill_(torch.nan)
        return rollout

    run.collector.collect = broken  # type: ignore[method-assign]
    with pytest.raises(NonFiniteError) as stopped:
        run.cycle()
    return {"sound": stopped.value.sound, "weights": run.network.actor.state_dict()}


def whole_run(group: Group, folder: Path) -> dict[str, Any]:
    # No process has a folder but the first.
    run = Run(replace(CONFIG, run=replace(CONFIG.run, max_minutes=10.0)), folder / str(group.rank), group=group)
    if group.first:
        run.folder.mkdir()
    return {"found": run.train(), "decisions": run.progress.decisions, "updates": run.progress.updates}


def talk(group: Group, folder: Path) -> dict[str, Any]:
    def refuse() -> None:
        raise ValueError(f"the {group.rank}th")

    with pytest.raises(ValueError, match="the 0th"):
        group.of_first(refuse)
    with pytest.raises(ValueError, match=r"the checkpoint has {'processes': 2}, given is {'processes': 1}"):
        Run(CONFIG, folder / "whole", resume=True)
    values = np.arange(5, dtype=np.float32)[: 2 + 3 * group.rank] ** 2
    return {
        "any": [group.any(group.rank == 1), group.any(False)],
        "moments": group.moments(values),
        "seed": group.seed(7),
        "of_first": group.of_first(lambda: group.rank),
    }


WORK: list[Callable[[Group, Path], dict[str, Any]]] = [agree, equal_one, go_on, break_one, whole_run, talk]


def told(rank: int, port: str) -> dict[str, str]:
    """What torchrun tells a process."""
    who = {"RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": "2"}
    return who | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}


def work(rank: int, port: str, folder: Path) -> None:
    os.environ |= told(rank, port)
    with join() as group:
        torch.save({each.__name__: each(group, folder) for each in WORK}, folder / f"{rank}.pt")


# What came of it ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where two processes have done all that: to start them takes longer than the rest."""
    folder = tmp_path_factory.mktemp("parallel")
    torch.multiprocessing.spawn(work, (free_port(), folder), nprocs=2)
    return folder


@pytest.fixture
def found(folder: Path) -> Callable[[Any], list[dict[str, Any]]]:
    both = [torch.load(folder / f"{rank}.pt", weights_only=True) for rank in range(2)]
    return lambda what: [each[what.__name__] for each in both]


Found = Callable[[Any], list[dict[str, Any]]]


def test_two_processes_play_other_games_and_hold_the_same_weights(found: Found) -> None:
    a, b = found(agree)
    assert_same(a["weights"], b["weights"])
    assert_same(a["optimizer"], b["optimizer"])
    assert (a["obs"] != b["obs"]).any(-1).float().mean() > 0.9
    assert a["learned"] != b["learned"]
    assert a["progress"] == b["progress"]
    assert a["progress"]["decisions"] == sum(a["learned"]) + sum(b["learned"])


def test_a_part_each_is_the_whole_for_one(found: Found) -> None:
    for each in found(equal_one):
        for name, weight in each["alone"].items():
            torch.testing.assert_close(each["together"][name], weight, atol=1e-6, rtol=1e-5)
            assert (weight - each["before"][name]).abs().max() > 2e-5


def test_a_resumed_pair_equals_the_uninterrupted_one(folder: Path) -> None:
    whole, resumed = checkpoint(folder / "whole"), checkpoint(folder / "first")
    assert whole["progress"]["updates"] == 4
    a, b = whole["processes"]
    assert not torch.equal(a["generator"], b["generator"])
    assert not torch.equal(a["games"], b["games"])
    assert_same(whole, resumed)


def test_nan_on_one_stops_both_with_its_batch_saved(folder: Path, found: Found) -> None:
    a, b = found(break_one)
    assert (a["sound"], b["sound"]) == (True, False)
    assert_same(a["weights"], b["weights"])
    saved = torch.load(folder / "broken" / "nonfinite.pt", weights_only=True)
    assert (saved["obs"] == 1).all()


def test_only_the_first_writes(folder: Path, found: Found) -> None:
    a, b = found(whole_run)
    assert_same(a, b)
    assert a["found"][0]["opponent"] == "random"
    assert not (folder / "1").exists()
    records = log_of(folder / "0")
    assert records[-1]["decisions"] == a["decisions"] >= CONFIG.ppo.total_decisions
    assert [record["kind"] for record in records].count("update") == a["updates"]
    assert len(checkpoint(folder / "0")["processes"]) == 2


def test_what_they_tell_each_other(found: Found) -> None:
    a, b = found(talk)
    values = np.array([0, 1, 0, 1, 4, 9, 16])
    for each in (a, b):
        assert each["any"] == [True, False]
        assert each["of_first"] == 0
        np.testing.assert_allclose(each["moments"], (values.mean(), values.std()))
    assert a["seed"] == 7
    assert b["seed"] not in (7, 8)


def test_a_process_that_was_told_half_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(ValueError, match="'RANK': None"), join():
        pass


def test_only_those_who_have_met_wait_for_one_another_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, dict[str, Any]]] = []
    for name in ("init_process_group", "new_group", "destroy_process_group"):
        monkeypatch.setattr(distributed, name, lambda *_, name=name, **how: made.append((name, how)))
    for name, value in told(0, "1").items():
        monkeypatch.setenv(name, value)
    with join():
        pass
    (first, meeting), (second, waiting), _ = made
    assert (first, second) == ("init_process_group", "new_group")
    assert "timeout" not in meeting
    assert waiting["timeout"] >= timedelta(hours=10)


# By torchrun ----------------------------------------------------------------------------------------------------------


def smoke(folder: Path, name: str, *more: str) -> list[str]:
    return [
        "--config", "configs/smoke.yaml", "--run.folder", str(folder), "--run.name", name, "--run.threads", "1",
        "--run.checkpoint_every", "0", "--evaluation.final_deals", "5", "--evaluation.deals", "5",
        "--env.options", "{max_turns: 10}", *more,
    ]  # fmt: skip


def test_a_signal_ends_the_pair_properly(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    more = "--env.num_envs", "32", "--ppo.minibatch", "256", "--ppo.total_decisions", "100000000"
    command = [*TORCHRUN, free_port(), "scripts/train.py", *smoke(tmp_path, "stopped", *more)]
    process = start(command, folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    process.send_signal(signal.SIGINT)  # which torchrun passes on
    said, _ = process.communicate(timeout=60)
    assert f"torchrun --nproc-per-node 2 scripts/train.py --resume {folder}" in said
    assert "KeyboardInterrupt" not in said
    assert checkpoint(folder)["progress"]["decisions"] == log_of(folder)[-1]["decisions"]
    assert len(checkpoint(folder)["processes"]) == 2


@pytest.mark.slow
def test_a_killed_pair_goes_on_to_the_same_end(tmp_path: Path) -> None:
    more = "--ppo.total_decisions", "40000"
    folders = [tmp_path / name for name in ("killed", "whole")]
    command, port = [sys.executable, "scripts/train.py", *smoke(tmp_path, "killed", *more)], free_port()
    # Without torchrun, which would end the other one.
    second = subprocess.Popen(command, cwd=ROOT, env=os.environ | told(1, port), stderr=subprocess.PIPE, text=True)
    try:
        first = start(command, folders[0], env=os.environ | told(0, port), stdout=subprocess.DEVNULL)
        first.kill()
        first.wait()
        _, said = second.communicate(timeout=60)
    finally:
        second.kill()
    assert second.returncode > 0, said
    assert 0 < checkpoint(folders[0])["progress"]["decisions"] < 40000
    for arguments in (["--resume", str(folders[0])], smoke(tmp_path, "whole", *more)):
        command = [*TORCHRUN, free_port(), "scripts/train.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    a, b = map(checkpoint, folders)
    a["config"]["run"]["name"] = "whole"
    assert_same(a, b)


@pytest.mark.slow
def test_a_pair_learns_as_one_with_twice_the_games_does(tmp_path: Path) -> None:
    """Points a round ahead of `random`, with a deviation of about 2 between seeds: both begin at 0 and come to 30."""
    config = ["--config", "configs/smoke.yaml", "--run.folder", str(tmp_path), "--run.threads", "1"]
    config += ["--ppo.total_decisions", "150000", "--ppo.lr", "0.001", "--ppo.epochs", "2", "--ppo.steps", "32"]
    config += ["--network.hidden", "[128, 128]", "--evaluation.every", "150000", "--evaluation.deals", "300"]
    config += ["--evaluation.final_deals", "1000", "--evaluation.sample", "true"]
    two = ["--run.name", "two", "--env.num_envs", "64", "--ppo.minibatch", "512"]
    one = ["--run.name", "one", "--env.num_envs", "128", "--ppo.minibatch", "1024"]
    pair = [*TORCHRUN, free_port(), "scripts/train.py", *config, *two]
    margin = {}
    for name, command in (("two", pair), ("one", [sys.executable, "scripts/train.py", *config, *one])):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        curve = json.loads((tmp_path / name / "evaluation.json").read_text())["curve"]
        before, margin[name] = (curve[i]["found"][0]["margin"]["mean"] for i in (0, -1))
        assert margin[name] > before + 15
    assert abs(margin["one"] - margin["two"]) < 6, margin
