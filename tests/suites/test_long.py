"""A hundred thousand random rounds of each game, every card counted (`pytest -m slow tests/suites/test_long.py`)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

import cardenvs
from cardenvs.engine import Batch
from cardenvs.games import VARIANTS
from cardenvs.layout import Layout
from cardenvs.vector import VectorEnv
from suites.canasta_count import CanastaCount
from suites.common import contract, every_case, has_option, only_known, scarce, short
from suites.gin_count import GinCount
from suites.scoring import BEST_WINS

ROUNDS = 100_000
"""Of each variant, all player counts together."""

GAMES = 512


def blocks(layout: Layout, rows: np.ndarray, name: str) -> np.ndarray:
    """The copies of each card in a piece: int64 `[..., types]`, the naturals and then the wilds."""
    parts = [rows[..., layout.slice(part)] for part in (name, f"{name}_wilds") if part in layout]
    return np.concatenate(parts, axis=-1).astype(np.int64)


def scalar(layout: Layout, rows: np.ndarray, name: str) -> np.ndarray:
    return rows[..., layout.offset(name)].astype(np.int64)


class Count:
    """Where every card is in a batch of a game on a shared table, from the rows of all seats at once."""

    def __init__(self, vec: VectorEnv) -> None:
        self.vec, self.layout, self.pack = vec, vec.game.observation, vec.game.pack

    def step(self, rows: np.ndarray) -> None:
        """int16 `[N, S, D]`, one row a seat."""
        hands = blocks(self.layout, rows, "hand")
        table, hidden = blocks(self.layout, rows, "table"), scalar(self.layout, rows, "stock_size")
        unseen = self.pack.counts - hands.sum(axis=1) - table[:, 0]
        if "pile" in self.layout:
            pile = blocks(self.layout, rows, "pile")
            assert (pile == pile[:, :1]).all(), "all see the same"
            assert (pile >= 0).all()
            assert (pile.sum(axis=-1) == scalar(self.layout, rows, "pile_size")).all()
            unseen -= pile[:, 0]
        else:
            hidden = hidden + scalar(self.layout, rows, "pile_size")
        assert (table == table[:, :1]).all(), "all see the same"
        assert (table >= 0).all()
        assert (unseen >= 0).all(), "no card twice"
        assert (unseen.sum(axis=-1) == hidden[:, 0]).all(), "no card lost"
        for others in self.others(rows, hands):
            assert others
        self.runs(rows, table[:, 0])

    def others(self, rows: np.ndarray, hands: np.ndarray) -> Iterator[bool]:
        """What a seat is told of another is so."""
        seats = rows.shape[1]
        for seat in range(seats):
            for i in range(1, seats):
                mine, theirs = rows[:, seat], hands[:, (seat + i) % seats]
                yield bool((scalar(self.layout, mine, f"other_{i}_hand_size") == theirs.sum(axis=-1)).all())
                yield bool((blocks(self.layout, mine, f"other_{i}_known") <= theirs).all())

    def runs(self, rows: np.ndarray, table: np.ndarray) -> None:
        """As many runs end above as below, and what stands for a natural is no more than lies there."""
        public = rows[:, 0]
        tops, bottoms = (public[:, self.layout.slice(name)] for name in ("run_top", "run_bottom"))
        assert (tops.sum(axis=1) == bottoms.sum(axis=1)).all()
        ranks = len(self.pack.ranks)
        above, below = (ends.reshape(len(rows), -1, ranks) for ends in (tops, bottoms))
        if self.vec.game.rules.ace_high:  # What ends above with an ace ends beyond the king.
            above = np.concatenate([np.zeros_like(above[..., :1]), above[..., 1:], above[..., :1]], axis=2)
            below = np.pad(below, ((0, 0), (0, 0), (0, 1)))
        # In each suit, up to every rank, no more runs have ended than begun.
        assert (np.cumsum(below, axis=2) >= np.cumsum(above, axis=2)).all()
        if "wild_places" in self.layout:
            places = public[:, self.layout.slice("wild_places")].reshape(len(rows), len(self.pack.wilds), -1)
            wilds = table[:, self.pack.naturals :]
            # Wilds of sets stand at no place.
            assert (places.sum(axis=2) <= wilds).all() if "sets" in self.layout else (places.sum(axis=2) == wilds).all()

    def end(self, batch: Batch, done: np.ndarray) -> None:
        """Scores by an independent count, rewards that sum to nothing, a winner exactly where somebody is out."""
        rows, score = batch.final_obs[done], batch.score[done]
        self.step(rows)
        hands = blocks(self.layout, rows, "hand")
        points = -(hands * self.pack.type_points).sum(axis=-1)
        out = hands.sum(axis=-1) == 0
        if "table_points" in self.layout:
            on_table = scalar(self.layout, rows, "table_points")
            table = blocks(self.layout, rows[:, 0], "table")
            assert (on_table.sum(axis=1) == (table * self.pack.type_points).sum(axis=-1)).all()
            points += on_table - 50 * scalar(self.layout, rows, "deductions")
        assert (score == points).all()
        if self.vec.game.id in BEST_WINS:
            out = out.any(axis=1, keepdims=True) & (score == score.max(axis=1, keepdims=True))
        assert (batch.winner[done] == out).all()
        assert (batch.winner[done].any(axis=1) == batch.terminated[done]).all()
        margins = score - (score.sum(axis=1, keepdims=True) - score) / (score.shape[1] - 1)
        assert np.allclose(batch.reward[done], margins / self.vec.game.score_scale, atol=1e-4)


COUNTS = {"canasta": CanastaCount, "gin": GinCount, "laydown": Count}
"""By family."""


def play(variant: str, players: int, rounds: int, every: int, **options: int) -> int:
    """At least `rounds` random rounds; the rows of all seats are checked at every `every`-th decision of each game.

    Returns how many rounds have ended.
    """
    vec = cardenvs.make_vec(variant, GAMES, seed=players, num_players=players, **options)
    limit = np.rint(1 / vec.game.observation.scale).astype(np.int64)
    count = COUNTS[vec.game.family.name](vec)
    batch, number, ended = vec.reset(players), 0, 0
    while ended < rounds:
        assert batch.mask.any(axis=1).all()
        assert (np.abs(batch.obs) <= limit).all()
        if number % every == 0:
            count.step(vec.observe_all())
        batch = vec.step(vec.random_actions(), out=batch)
        done = batch.terminated | batch.truncated
        assert not batch.reward[~done].any()
        assert np.abs(batch.reward.sum(axis=1)).max() < 1e-3
        assert not (batch.terminated & batch.truncated).any()
        if done.any():
            count.end(batch, done)
        ended += int(done.sum())
        number += 1
    return ended


@every_case
def test_a_few_random_rounds_keep_count(variant: str, players: int) -> None:
    options = short(variant, 8) | contract(variant, players)
    assert play(variant, players, GAMES, every=7, **options) >= GAMES


@pytest.mark.slow
@every_case
def test_a_hundred_thousand_random_rounds_keep_count(variant: str, players: int) -> None:
    least, most = VARIANTS[variant].players
    contracts = [contract(variant, number) for number in range(7)] if has_option(variant, "contract") else [{}]
    each = math.ceil(ROUNDS / (2 * len(contracts) * (most - least + 1)))
    for options in contracts:
        played = play(variant, players, each, every=5, **options)
        few = scarce(variant, players, 40) | only_known(variant, buys=3)
        played += play(variant, players, each, every=5, **few, **options)
        assert played >= 2 * each
