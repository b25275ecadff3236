"""Where every card is in a batch of Gin Rummy, and what rounds are worth: numpy, from the rows of both seats."""

from __future__ import annotations

import numpy as np

from cardenvs.engine import Batch
from cardenvs.layout import Layout
from cardenvs.vector import VectorEnv
from suites.gin_reference import RANKS, SUITS, least

CARDS = [rank + suit for suit in SUITS for rank in RANKS]


class GinCount:
    """See `suites.test_long`."""

    def __init__(self, vec: VectorEnv) -> None:
        self.layout: Layout = vec.game.observation
        self.options, self.scale = vec.game.options, vec.game.score_scale

    def piece(self, rows: np.ndarray, name: str) -> np.ndarray:
        """int64 `[..., size]`."""
        return rows[..., self.layout.slice(name)].astype(np.int64)

    def scalar(self, rows: np.ndarray, name: str) -> np.ndarray:
        return self.piece(rows, name)[..., 0]

    def step(self, rows: np.ndarray) -> None:
        """int16 `[N, 2, D]`, one row a seat."""
        for name in ("pile", "pile_top", "stock_size", "pile_size", "turns", "passes", "knock_limit", "phase"):
            public = self.piece(rows, name)
            assert (public[:, 0] == public[:, 1]).all(), f"both see the same {name}"
        hands, pile = self.piece(rows, "hand"), self.piece(rows, "pile")[:, 0]
        unseen = 1 - hands.sum(axis=1) - pile
        assert (unseen >= 0).all(), "no card twice"
        assert (unseen.sum(axis=1) == self.scalar(rows, "stock_size")[:, 0]).all(), "no card lost"
        assert (pile.sum(axis=1) == self.scalar(rows, "pile_size")[:, 0]).all()
        assert (self.piece(rows, "pile_top")[:, 0] <= pile).all()
        assert (hands.sum(axis=2) == self.scalar(rows, "hand_size")).all()
        assert (hands.sum(axis=2) == self.scalar(rows, "other_1_hand_size")[:, ::-1]).all()
        known = self.piece(rows, "own_known")
        assert (known == self.piece(rows, "other_1_known")[:, ::-1]).all()
        assert (known <= hands).all()
        # What lies in the pile was discarded, or is the first upcard; what was declined or discarded has been seen.
        discarded = self.piece(rows, "other_1_discarded").max(axis=1)
        assert ((pile > discarded).sum(axis=1) <= 1).all()
        seen = discarded + self.piece(rows, "other_1_declined").max(axis=1)
        assert not ((seen > 0) & (unseen > 0)).any()

    def end(self, batch: Batch, done: np.ndarray) -> None:
        """Scores by an independent count; brute force says that the deadwood is the least there is."""
        rows, score, winner = batch.final_obs[done], batch.score[done], batch.winner[done]
        self.step(rows)
        deadwood, hands = self.scalar(rows, "deadwood"), self.piece(rows, "hand")
        knocked = winner.any(axis=1)
        void = ~knocked & batch.terminated[done]
        assert (winner.sum(axis=1) <= 1).all()
        assert (self.scalar(rows, "stock_size")[void] == 2).all()
        assert not score[~knocked].any()
        for i in np.flatnonzero(knocked):
            knocker = int(self.piece(rows[i, 0], "acting_seat").argmax())
            other = 1 - knocker
            mine, theirs = deadwood[i, knocker], deadwood[i, other]
            held = [[CARDS[card] for card in np.flatnonzero(hand)] for hand in hands[i]]
            assert mine == least(held[knocker]) <= self.scalar(rows[i, 0], "knock_limit")
            assert theirs <= least(held[other])
            if mine == 0:
                assert theirs == least(held[other]), "no lay-offs on gin"
                won, points = knocker, theirs + self.options["gin_bonus"]
            elif mine < theirs:
                won, points = knocker, theirs - mine
            else:
                won, points = other, mine - theirs + self.options["undercut_bonus"]
            assert winner[i, won]
            assert (score[i, won], score[i, 1 - won]) == (points, 0)
        margins = score - score[:, ::-1]
        assert np.allclose(batch.reward[done], margins / self.scale, atol=1e-4)
