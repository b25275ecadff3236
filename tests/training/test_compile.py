"""Compiled networks: they play, learn and are saved as the others are."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from test_run import assert_same, checkpoint
from torch import nn

from training import load_policy
from training.config import LeagueConfig, NetworkConfig, TrainConfig
from training.train import Run


@pytest.fixture
def compiled(tiny: TrainConfig) -> TrainConfig:
    network = NetworkConfig("dense", hidden=(8,), critic="own")
    league = LeagueConfig(past_every=1, past_share=0.5)
    return replace(tiny, network=network, league=league, run=replace(tiny.run, compile=True))


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
@pytest.mark.filterwarnings("ignore")  # what the compiler says of PyTorch's own modules
def test_a_compiled_run_goes_on_and_leaves_plain_files(
    compiled: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[nn.Module] = []
    compile_one = nn.Module.compile
    monkeypatch.setattr(
        nn.Module, "compile", lambda part, *how, **more: (parts.append(part), compile_one(part, *how, **more))
    )
    folders = [tmp_path / name for name in ("plain", "whole", "first")]
    for folder in folders:
        folder.mkdir()
    plain, whole, first = (
        Run(replace(compiled, run=replace(compiled.run, compile=folder.name != "plain")), folder) for folder in folders
    )
    for run in (plain, whole, first):
        run.cycle()
        run.save()
    asked = [part for run in (whole, first) for part in (run.network.actor, run.network.critic)]
    assert list(map(id, parts)) == list(map(id, asked))
    first = Run(compiled, folders[2], resume=True)
    for run in (plain, whole, first):
        run.cycle()
        run.save()
    assert_same(checkpoint(folders[1]), checkpoint(folders[2]))
    for name, weight in plain.network.state_dict().items():
        torch.testing.assert_close(whole.network.state_dict()[name], weight, atol=1e-4, rtol=1e-3)
    assert_same(whole.network.actor.state_dict(), load_policy(folders[1] / "policy.pt").actor.state_dict())


@pytest.mark.filterwarnings("ignore")
def test_without_a_compiler_it_is_refused(
    compiled: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise RuntimeError("No working C++ compiler found\n and much more")

    monkeypatch.setattr(torch, "compile", missing)
    with pytest.raises(ValueError, match=r"compile=True: .* \(No working C\+\+ compiler found\); allowed is false"):
        Run(compiled, tmp_path)
