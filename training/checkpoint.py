"""Files of a run: checkpoints to go on from, and policies to play with."""

from __future__ import annotations

import os
import pickle
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

import cardenvs
from cardenvs.files import write_atomic
from cardenvs.spec import Game
from training.config import NetworkConfig, TrainConfig
from training.model import Actor, ActorCritic, Policy, make_actor
from training.parallel import Group
from training.returns import ReturnScale
from training.rollout import Collector

FORMAT = {"policy": 3, "checkpoint": 6}
"""Of each kind of file; raised when its contents change."""

POLICIES = Path(cardenvs.__file__).parent / "policies"
"""Of the policies that are shipped: data, which `training.shipping` writes."""


@dataclass
class Progress:
    """How far a run has come.

    Attributes:
        decisions: learned from, by all processes.
        updates: rollouts learned from.
        seconds: spent training, evaluations left out.
        evaluated: decisions at the last evaluation.
        illegal: illegal actions so far; anything but 0 is a fault.
        curve: what each evaluation found, in order.
        ratings: of bots and snapshots, as `training.ratings` has them.
    """

    decisions: int = 0
    updates: int = 0
    seconds: float = 0.0
    evaluated: int = 0
    illegal: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)
    ratings: dict[str, tuple[float, float]] = field(default_factory=dict)


def _describe(game: Game) -> dict[str, Any]:
    """What must be as it was: the revision, the game, and what every entry of its rows and actions means."""
    layouts = {"observation": game.observation, "actions": game.actions}
    pieces = {key: [[p.name, list(p.shape), p.scale] for p in layout.pieces] for key, layout in layouts.items()}
    return {"cardenvs": cardenvs.__version__, "variant": game.id, "options": game.options, **pieces}


def process_state(generator: torch.Generator, collector: Collector) -> dict[str, Any]:
    """What the rest of the run depends on and each process has for itself: its games, its streams, its league."""
    return {
        "generator": generator.get_state(),
        "games": torch.frombuffer(bytearray(collector.get_state()), dtype=torch.uint8),
        "league": None if collector.league is None else collector.league.get_state(),
    }


def save_checkpoint(
    path: Path,
    game: Game,
    config: TrainConfig,
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    device: torch.device,
    returns: ReturnScale,
    processes: list[dict[str, Any]],
    progress: Progress,
) -> None:
    """Write all that the rest of the run depends on; `processes` has the `process_state` of each."""
    content = {
        "format": FORMAT["checkpoint"],
        **_describe(game),
        "config": asdict(config),
        "weights": network.state_dict(),
        "optimizer": optimizer.state_dict(),
        "device": device.type,
        "returns": asdict(returns),
        "processes": processes,
        "progress": asdict(progress),
    }
    write_atomic(path, lambda file: torch.save(content, file))


def load_checkpoint(
    path: Path,
    config: TrainConfig,
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    generator: torch.Generator,
    collector: Collector,
    returns: ReturnScale,
    group: Group,
) -> Progress:
    """Bring network, optimiser, scale, and this process's generator and games to where the checkpoint was, in place.

    Raises:
        ValueError: there is no such checkpoint, or it is of another variant, other options, another version of
            cardenvs, another network, another number of games or another number of processes; names both.
    """
    content = _load(path, "checkpoint")
    game = _describe(collector.own_games().game)
    _refuse_other("the game", {key: content[key] for key in game}, game)
    _refuse_other("the device", {"device": content["device"]}, {"device": generator.device.type})
    _refuse_other("the group", {"processes": len(content["processes"])}, {"processes": group.size})
    for part in ("env", "network", "imitation", "league"):
        _refuse_other(f"the settings of {part}", content["config"][part], asdict(config)[part])
    _load_weights(path, network, content["weights"])
    optimizer.load_state_dict(content["optimizer"])
    vars(returns).update(content["returns"])
    own = content["processes"][group.rank]
    generator.set_state(own["generator"])
    collector.set_state(own["games"].numpy().tobytes())
    if collector.league is not None:
        collector.league.set_state(own["league"], network.actor)
    return Progress(**content["progress"])


def _refuse_other(what: str, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    other = sorted(key for key in saved.keys() | wanted.keys() if saved.get(key) != wanted.get(key))
    if other:
        then = {key: saved.get(key) for key in other}
        now = {key: wanted.get(key) for key in other}
        raise ValueError(f"{what}: the checkpoint has {then}, given is {now}; a resumed run keeps what it began with")


def save_policy(path: Path, game: Game, actor: Actor, config: NetworkConfig) -> None:
    """Write a policy network with the game that it plays, for `load_policy`."""
    content = {
        "format": FORMAT["policy"],
        **_describe(game),
        "network": asdict(config),
        "weights": actor.state_dict(),
    }
    write_atomic(path, lambda file: torch.save(content, file))


def shipped() -> list[str]:
    """Names of the policies that come with cardenvs, for `load_policy`."""
    return sorted(file.stem for file in POLICIES.glob("*.pt"))


def _policy_file(path: str | os.PathLike[str]) -> Path:
    """The file that a path or a name stands for; ValueError, with the names that there are, if there is none."""
    file = Path(path) / "policy.pt" if Path(path).is_dir() else Path(path)
    # A bare name may be that of a shipped policy; what the caller has under it goes first.
    if file.is_file() or os.path.dirname(path):
        return file
    names = shipped()
    if os.fspath(path) not in names:
        raise ValueError(f"no policy at {file}; those that are shipped: {', '.join(names) or 'none'}")
    return POLICIES / f"{os.fspath(path)}.pt"


def load_policy(
    path: str | os.PathLike[str], sampling: bool = False, name: str | None = None, seed: int = 0, device: str = "cpu"
) -> Policy:
    """A player from a file that `save_policy` wrote, in this process or another.

    Args:
        path: the file, the folder of a run, or the name of a policy that is shipped, as `shipped` lists them.
        sampling: draw from the policy's probabilities; otherwise the most probable action is played.
        name: for tables; the last part of the path, without its ending, when left out.
        seed: of the player's own random stream.
        device: where its network computes.

    Raises:
        ValueError: the file is missing, no policy, or does not fit the game as this version of cardenvs has it.
    """
    name = name or Path(path).stem
    path = _policy_file(path)
    content = _load(path, "policy")
    game = cardenvs.make_game(content["variant"], **content["options"])
    actor = make_actor(game, NetworkConfig(**content["network"]), torch.Generator())
    made = {key: content[key] for key in ("observation", "actions")}
    here = {key: _describe(game)[key] for key in made}
    if made != here:
        raise ValueError(
            f"{path} was made with cardenvs {content['cardenvs']}; the rows or actions of {game.id} are others in "
            f"cardenvs {cardenvs.__version__}"
        )
    _load_weights(path, actor, content["weights"])
    return Policy(game, actor.to(device).eval(), sampling, name, seed)


def _load_weights(path: Path, network: torch.nn.Module, weights: dict[str, Any]) -> None:
    """ValueError where they are of another network; it is as it was then."""
    here = {name: tuple(weight.shape) for name, weight in network.state_dict().items()}
    there = {name: tuple(weight.shape) for name, weight in weights.items()}
    if here != there:
        other = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
        raise ValueError(f"{path} has the weights of another network: {', '.join(other)} differ")
    network.load_state_dict(weights)


def _load(path: Path, kind: str) -> dict[str, Any]:
    if not path.is_file():
        raise ValueError(f"no {kind} at {path}")
    try:
        # Anything but a zip archive is a legacy file to torch, and a KeyError or worse if it is none.
        content = torch.load(path, map_location="cpu", weights_only=True) if zipfile.is_zipfile(path) else None
    except (RuntimeError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path} is no {kind}: {error}") from error
    expected = "optimizer" if kind == "checkpoint" else "network"
    if not isinstance(content, dict) or content.get("format") != FORMAT[kind] or expected not in content:
        raise ValueError(f"{path} is no {kind} of format {FORMAT[kind]}")
    return content
