"""Where every card is in a batch of Canasta, and what rounds are worth: numpy, from the rows of all seats at once."""

from __future__ import annotations

import numpy as np

from cardenvs.engine import Batch
from cardenvs.layout import Layout
from cardenvs.vector import VectorEnv

COPIES = np.array([8] * 11 + [8, 4, 4, 4])
POINTS = np.array([5] * 4 + [10] * 6 + [20, 20, 50, 100, 5])
"""K2, K14: the ranks from 4 to ace, two, joker, red three, black three."""


class CanastaCount:
    """See `suites.test_long`."""

    def __init__(self, vec: VectorEnv) -> None:
        self.layout: Layout = vec.game.observation
        self.seats, self.sides, self.scale = vec.num_players, vec.game.num_sides, vec.game.score_scale

    def piece(self, rows: np.ndarray, name: str) -> np.ndarray:
        """int64 `[..., size]`; a piece of cards with its wilds and threes, the 15 types in order."""
        names = [name, f"{name}_wilds", f"{name}_threes"] if f"{name}_wilds" in self.layout else [name]
        return np.concatenate([rows[..., self.layout.slice(part)] for part in names], -1).astype(np.int64)

    def of_sides(self, rows: np.ndarray, seat: int, name: str) -> np.ndarray:
        """int64 `[N, sides, size]`: a piece of every side as a seat sees it."""
        order = [(side - seat) % self.sides for side in range(self.sides)]
        seen = [self.piece(rows[:, seat], f"side_{i}_{name}" if i else f"own_{name}") for i in order]
        return np.stack(seen, axis=1)

    def melds(self, rows: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Naturals, twos and jokers: int64 `[N, sides, ranks]` each."""
        naturals, twos, jokers = (self.of_sides(rows, seat, name) for name in ("naturals", "twos", "jokers"))
        return naturals, twos, jokers

    def step(self, rows: np.ndarray) -> None:
        """int16 `[N, S, D]`, one row a seat."""
        hands = self.piece(rows, "hand")
        for name in ("pile", "pile_top", "beside", "stock_size", "pile_size", "turns", "blocked", "phase"):
            public = self.piece(rows, name)
            assert (public == public[:, :1]).all(), f"all see the same {name}"
        on_table = self.on_table(rows, 0)
        for seat in range(1, self.seats):
            assert (self.on_table(rows, seat) == on_table).all(), "all see the same table"
        pile, beside = self.piece(rows, "pile")[:, 0], self.piece(rows, "beside")[:, 0]
        unseen = COPIES - hands.sum(axis=1) - on_table.sum(axis=1) - pile
        unseen[:, 11:13] -= beside
        assert (unseen >= 0).all(), "no card twice"
        assert (unseen.sum(axis=1) == self.piece(rows, "stock_size")[:, 0, 0]).all(), "no card lost"
        assert (pile[:, 11:13] == 0).all(), "wilds lie beside"
        assert (pile.sum(axis=1) + beside.sum(axis=1) == self.piece(rows, "pile_size")[:, 0, 0]).all()
        self.sound(rows)
        for seat in range(self.seats):
            assert (hands[:, seat].sum(axis=-1) == self.piece(rows, "hand_size")[:, seat, 0]).all()
            for i in range(1, self.seats):
                mine, theirs = rows[:, seat], hands[:, (seat + i) % self.seats]
                assert (self.piece(mine, f"other_{i}_hand_size")[:, 0] == theirs.sum(axis=-1)).all()
                assert (self.piece(mine, f"other_{i}_known") <= theirs).all()

    def on_table(self, rows: np.ndarray, seat: int) -> np.ndarray:
        """int64 `[N, sides, 15]`: copies of each card on the table of each side."""
        naturals, twos, jokers = self.melds(rows, seat)
        red, black = (self.of_sides(rows, seat, f"{colour}_threes") for colour in ("red", "black"))
        return np.concatenate(
            [naturals, *(part.sum(axis=2, keepdims=True) for part in (twos, jokers)), red, black], axis=2
        )

    def sound(self, rows: np.ndarray) -> None:
        """K5: more naturals than wilds in every meld, three cards or more in all but a half-laid one; K10."""
        naturals, twos, jokers = self.melds(rows, 0)
        size = naturals + twos + jokers
        assert ((naturals > twos + jokers) | (size == 0)).all()
        half = self.piece(rows[:, 0], "meld_rank").sum(axis=1)
        assert (((size > 0) & (size < 3)).sum(axis=(1, 2)) <= half).all()
        assert ((size >= 7).sum(axis=2) == self.of_sides(rows, 0, "canastas")[:, :, 0]).all()

    def end(self, batch: Batch, done: np.ndarray) -> None:
        """Scores by an independent count, rewards that sum to nothing, the best score as the winner."""
        rows, score = batch.final_obs[done], batch.score[done].astype(np.int64)
        self.step(rows)
        hands = self.piece(rows, "hand")
        of_side = np.arange(self.seats) % self.sides
        out = hands.sum(axis=2) == 0
        assert (out.sum(axis=1) <= 1).all()
        points = (self.on_table(rows, 0) * POINTS).sum(axis=2)
        points -= self.of_sides(rows, 0, "red_threes")[:, :, 0] * 100
        naturals, twos, jokers = self.melds(rows, 0)
        wilds = twos + jokers
        points += np.where(naturals + wilds >= 7, np.where(wilds > 0, 300, 500), 0).sum(axis=2)
        red = self.of_sides(rows, 0, "red_threes")[:, :, 0]
        spoiled = out.any(axis=1)[:, None] & ~(naturals + wilds > 0).any(axis=2)
        points += np.where(spoiled, -200, 100) * np.where(red == 4, 8, red)
        for seat in range(self.seats):
            points[:, of_side[seat]] += 100 * out[:, seat] - (hands[:, seat] * POINTS).sum(axis=1)
        assert (score == points[:, of_side]).all()
        best = (score == score.max(axis=1, keepdims=True)) & batch.terminated[done][:, None]
        assert (batch.winner[done] == best).all()
        margins = points - (points.sum(axis=1, keepdims=True) - points) / (self.sides - 1)
        assert np.allclose(batch.reward[done], margins[:, of_side] / self.scale, atol=1e-4)
