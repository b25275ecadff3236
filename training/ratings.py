"""How good every snapshot of a run is, from games among them and with the bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
from openskill.models import PlackettLuce

from cardenvs import arena, make_bot
from cardenvs.bots import Player
from cardenvs.spec import Game
from training.checkpoint import load_policy
from training.config import EvaluationConfig
from training.model import Policy

Table: TypeAlias = dict[str, tuple[float, float]]
"""Of each player by name: the mean of its skill, and how uncertain that is (its deviation)."""

_MODEL = PlackettLuce()


def newcomer() -> tuple[float, float]:
    """What is known of a player before its first game."""
    rating = _MODEL.rating()
    return rating.mu, rating.sigma


_SNAPSHOT = "snapshot_"


def snapshot_name(decisions: int) -> str:
    """Of the policy as it was after so many decisions."""
    return f"{_SNAPSHOT}{decisions}"


def _decisions(table: Iterable[str]) -> list[int]:
    """Of all snapshots among these names, in order."""
    return sorted(int(name.removeprefix(_SNAPSHOT)) for name in table if name.startswith(_SNAPSHOT))


def kept(table: Iterable[str], limit: int) -> list[str]:
    """Names of the snapshots that are kept of those in the table, in order: the first, the latest, and some between.

    When there is one too many, the one whose neighbours are nearest to each other goes: those that stay span the run.
    That follows from the table alone, and who has gone never comes back, so a resumed run keeps the same ones.

    Args:
        table: names of all that were ever rated.
        limit: how many are kept at most, 2 or more.
    """
    stay: list[int] = []
    for decisions in _decisions(table):
        stay.append(decisions)
        if len(stay) > limit:
            del stay[min(range(1, limit), key=lambda i: stay[i + 1] - stay[i - 1])]
    return [snapshot_name(decisions) for decisions in stay]


def drop_snapshots(folder: Path, table: Iterable[str], settings: EvaluationConfig) -> None:
    """Remove the files of all snapshots that need not be kept.

    Only once a checkpoint has the table: a run that goes on from an earlier one plays those that were kept then. One
    place is left free, for the snapshot that a run ends with after its last checkpoint.

    Args:
        folder: of the snapshots, there or not.
        table: names of all that were ever rated.
        settings: how many are kept.
    """
    stay = kept(table, settings.snapshots - 1)
    for file in folder.glob(f"{_SNAPSHOT}*.pt"):
        if file.stem not in stay:
            file.unlink()


def rated(table: Mapping[str, tuple[float, float]], first: str, second: str, margins: np.ndarray) -> Table:
    """The table after deals that two players have played with each other.

    A deal is won by whoever is ahead over all its rotations: so equals win alike, however many sides there are.

    Args:
        table: before; who is not in it is a newcomer.
        first, second: names.
        margins: float `[deals]`, of the first.

    Source: Weng and Lin 2011, https://jmlr.org/papers/v12/weng11a.html, by openskill.
    """
    new = dict(table)
    known = [new.get(name, newcomer()) for name in (first, second)]
    pair = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in known]
    for ahead in np.sign(np.round(margins, 6)).tolist():  # rounded: a draw is a sum of fractions that may not be 0
        pair = _MODEL.rate(pair, scores=[ahead, 0.0])
    for name, [rating] in zip((first, second), pair, strict=True):
        new[name] = rating.mu, rating.sigma
    return new


def judge(
    game: Game,
    policy: Policy,
    name: str,
    table: Table,
    folder: Path,
    settings: EvaluationConfig,
) -> Table:
    """The table after a new snapshot has played the bots and some earlier snapshots.

    Args:
        game: the variant with its options.
        policy: the new snapshot.
        name: of it.
        table: of all before it, those that are no longer kept among them.
        folder: `<name>.pt` in it is the policy of a snapshot.
        settings: which bots, how many snapshots and deals.
    """
    bots, opponents, deals = settings.opponents, settings.rating_opponents, settings.rating_deals
    past = [each for each in kept(table, settings.snapshots - 1) if (folder / f"{each}.pt").is_file()]
    # Deals that nobody has played yet: results on the same ones would count as if they were apart.
    seed = settings.seed + (1 + len(_decisions(table))) * 2**32
    table = {**table, name: newcomer()}
    # The latest, for a chain from first to last, and others by lot.
    others, latest = past[:-1], past[-1:]
    chosen = np.random.default_rng(seed).permutation(len(others))[: max(opponents - 1, 0)]
    met: dict[str, Player] = {bot: make_bot(game, bot) for bot in bots}
    for each in [*(others[i] for i in sorted(chosen.tolist())), *latest[:opponents]]:
        met[each] = load_policy(folder / f"{each}.pt", policy.sampling, each)
    for number, (other, player) in enumerate(met.items()):
        lineup = [policy, *[player] * (game.num_sides - 1)]
        margins = arena.deal_margins(game, lineup, deals, seed + number * deals)[:, 0]
        table = rated(table, name, other, margins)
    return table
