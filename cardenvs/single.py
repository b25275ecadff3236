"""One game, a decision at a time: what the AEC environment and the single Gymnasium environment are made of."""

from __future__ import annotations

import numpy as np

from cardenvs import engine
from cardenvs._jit import records
from cardenvs.checks import check_flag, check_seed
from cardenvs.engine import Choices
from cardenvs.rng import fresh_seed
from cardenvs.spec import Game
from cardenvs.verbs import TERMINATED, TRUNCATED


class SingleGame:
    """A game that stays as it ended until the next one begins.

    Args:
        game: the variant with its options.
        skip_forced: play decisions with a single legal action by themselves.

    Attributes:
        records: `[1]`, the whole state.
        row, mask: int16 `[D]` and int8 `[A]` of the seat to act, written anew by every decision; at the end as before.
        reward: float32 `[S]`, what the last decision paid.
        seeded: whether the game's stream was ever seeded.

    Raises:
        ValueError: `skip_forced` is no bool.
    """

    def __init__(self, game: Game, skip_forced: bool = False) -> None:
        self.game = game
        self.skip_forced = check_flag("skip_forced", skip_forced)
        self.records = records(1, game.record)
        self.row = np.zeros(game.observation_size, np.int16)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.reward = np.zeros(game.num_players, np.float32)
        self.seeded = False
        self._choices = Choices(np.zeros((1, game.num_actions), np.int16), np.zeros(1, np.int32))

    @property
    def seat(self) -> int:
        """Who is to act."""
        return int(self.records["seat"][0])

    @property
    def scores(self) -> np.ndarray:
        """int32 `[S]`: points of the episode so far, more is better."""
        return self.records["total"][0, : self.game.num_players].astype(np.int32)

    @property
    def winners(self) -> np.ndarray:
        """bool `[S]`: who has won the episode; nobody while its last round goes on."""
        if not self.records["over"][0]:
            return np.zeros(self.game.num_players, np.bool_)
        return (self.records["won"][0] >> np.arange(self.game.num_players) & 1).astype(np.bool_)

    def seed(self, seed: int | None) -> int | None:
        """Start the stream anew; None goes on with it, or draws a seed from the operating system the first time.

        Returns:
            The seed, or None where the stream goes on.

        Raises:
            ValueError: a seed out of range; nothing has changed.
        """
        if seed is None and self.seeded:
            return None
        seed = fresh_seed() if seed is None else check_seed(seed)
        engine.seed_games(self.records, np.array([seed], np.uint64))
        self.seeded = True
        return seed

    def begin(self, deck: np.ndarray | None = None) -> None:
        """Deal an episode from the stream, or its first round from the card types `deck`, the first one first."""
        # Nothing of the game before stays behind, unread as it is: a used game equals a fresh one.
        stream = self.records["rng"].copy()
        self.records.view(np.uint8)[:] = 0
        self.records["rng"] = stream
        if deck is not None:
            self.records["stock"][0, : len(deck)] = deck[::-1]
            self.records["n_stock"][0] = len(deck)
        engine.begin_one(self.game.rules, self.records, deck is None, self._choices, self.row, self.mask)

    def decide(self, action: int) -> tuple[bool, bool, bool]:
        """Play a legal action (it is not checked); whether the episode was terminated, truncated, anybody paid."""
        count, paid, _ = engine.decide_one(
            self.game.rules, self.records, action, self.skip_forced, self.reward, self._choices, self.row, self.mask
        )
        return count == -TERMINATED, count == -TRUNCATED, paid

    def known(self, seat: int) -> np.ndarray:
        """int16 `[D]`: the row of a seat now."""
        row = np.empty_like(self.row)
        engine.observe_seat(self.game.rules, self.records, seat, row)
        return row

    def known_to_all(self) -> np.ndarray:
        """int16 `[S, D]`: the rows of all seats now."""
        rows = np.empty((1, self.game.num_players, self.game.observation_size), np.int16)
        engine.observe_games(self.game.rules, self.records, rows)
        return rows[0]

    def refresh(self) -> None:
        """Write row and mask of the seat to act anew: the record was written to."""
        engine.refresh_one(self.game.rules, self.records, self._choices, self.row, self.mask)
