"""How good every snapshot of a run is, from games among them and with the bots."""

from __future__ import annotations

from collections.abc import Mapping
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


def snapshot_name(decisions: int) -> str:
    """Of the policy as it was after so many decisions."""
    return f"snapshot_{decisions}"


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
        table: of those before it.
        folder: `<name>.pt` in it is the policy of a snapshot.
        settings: which bots, how many snapshots and deals.
    """
    bots, opponents, deals = settings.opponents, settings.rating_opponents, settings.rating_deals
    table = {**table, name: newcomer()}
    past = [each for each in table if each not in (*bots, name) and (folder / f"{each}.pt").is_file()]
    # Deals that nobody has played yet: results on the same ones would count as if they were apart.
    seed = settings.seed + (1 + len(past)) * 2**32
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
