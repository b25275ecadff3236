"""Thousands of games stepped at once: the same engine as a single game, over caller-owned buffers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from cardenvs import engine
from cardenvs._jit import records
from cardenvs.checks import check_flag, check_seed, check_whole
from cardenvs.engine import Batch, Choices
from cardenvs.games import make_game
from cardenvs.rng import fresh_seed
from cardenvs.spec import Game

__all__ = ["Batch", "VectorEnv", "make_vec"]

_PICKS = np.uint64(0xD1B54A32D192ED03)
"""Parts the stream of a game from the stream of the random picks made in it."""


def zero_batch(games: int, seats: int, size: int, actions: int) -> Batch:
    """Zeroed arrays for N games of S seats, rows of D entries and A actions."""
    return Batch(
        obs=np.zeros((games, size), np.int16),
        mask=np.zeros((games, actions), np.int8),
        seat=np.zeros(games, np.int32),
        reward=np.zeros((games, seats), np.float32),
        terminated=np.zeros(games, np.bool_),
        truncated=np.zeros(games, np.bool_),
        final_obs=np.zeros((games, seats, size), np.int16),
        score=np.zeros((games, seats), np.int32),
        winner=np.zeros((games, seats), np.bool_),
    )


class VectorEnv:
    """A batch of games of one variant, dealt anew by themselves.

    Game i of `reset(seed=s)` is the game that the AEC environment deals for seed `s + i`.

    Args:
        game: the variant with its options.
        num_envs: games, at least 1.
        seed: of the first deal; None draws one from the operating system.
        threads: compiled loops that run side by side on slices of the batch, at most one a game. One call of `step` on
            less than a thousand games per thread gains nothing by them.
        skip_forced: play decisions with a single legal action by themselves.

    Raises:
        ValueError: `num_envs`, `threads` or `seed` out of range.
    """

    def __init__(
        self, game: Game, num_envs: int, seed: int | None = None, threads: int = 1, skip_forced: bool = False
    ) -> None:
        self.game = game
        self.num_envs = check_whole("num_envs", num_envs, 1, 2**31 - 1)
        self.threads = check_whole("threads", threads, 1, self.num_envs, f"num_envs ({self.num_envs})")
        self.skip_forced = check_flag("skip_forced", skip_forced)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._games = records(self.num_envs, game.record)
        self._choices = Choices(
            np.zeros((self.num_envs, game.num_actions), np.int16), np.zeros(self.num_envs, np.int32)
        )
        self._streams = np.zeros(self.num_envs, np.uint64)
        self._everyone = np.arange(self.num_envs)
        self._batch = self.make_batch()
        self.reset(fresh_seed() if seed is None else seed, self._batch)

    @property
    def num_players(self) -> int:
        """Seats of each game."""
        return self.game.num_players

    @property
    def num_actions(self) -> int:
        """Size of the action space."""
        return self.game.num_actions

    @property
    def observation_size(self) -> int:
        """Length of an observation row."""
        return self.game.observation_size

    def make_batch(self) -> Batch:
        """Zeroed arrays of the shapes that a step writes."""
        return zero_batch(self.num_envs, self.num_players, self.observation_size, self.num_actions)

    def _buffers(self, out: Batch | None) -> Batch:
        """Fresh arrays, or those given: compiled code would write past the end of wrong ones."""
        if out is None:
            return self.make_batch()
        if not isinstance(out, Batch):
            raise ValueError(f"out: {type(out).__name__} given: allowed is a Batch, as make_batch() makes it")
        for name, given, own in zip(Batch._fields, out, self._batch, strict=True):
            if not isinstance(given, np.ndarray):
                raise ValueError(f"out.{name}: {type(given).__name__} given: allowed is {own.dtype} {own.shape}")
            c, w = given.flags.c_contiguous, given.flags.writeable
            if given.shape != own.shape or given.dtype != own.dtype or not c or not w:
                layout = ("" if c else " not C-contiguous") + ("" if w else " read-only")
                raise ValueError(f"out.{name}: {given.dtype} {given.shape}{layout}: allowed is {own.dtype} {own.shape}")
        return out

    def reset(self, seed: int | np.ndarray | None = None, out: Batch | None = None) -> Batch:
        """Deal every game anew.

        Args:
            seed: of game 0, game i has `seed + i`; or one seed a game, integers `[N]`; None draws one from the
                operating system.
            out: arrays to write into; fresh ones otherwise.

        Raises:
            ValueError: `out` of the wrong shapes or types; a seed that is negative, too great or of the wrong shape.
        """
        seeds = self._seeds(fresh_seed() if seed is None else seed)
        batch = self._buffers(out)
        engine.seed_games(self._games, seeds)
        self._streams[:] = seeds ^ _PICKS
        return self.renew(batch)

    def renew(self, out: Batch | None = None) -> Batch:
        """Deal every game anew from its own stream, as it is after an episode's end.

        Raises:
            ValueError: `out` of the wrong shapes or types.
        """
        batch = self._buffers(out)
        streams = self._games["rng"].copy()
        self._games.view(np.uint8)[:] = 0
        self._games["rng"] = streams
        engine.begin_games(self.game.rules, self._games, self._choices, batch)
        return batch

    def _seeds(self, seed: int | np.ndarray) -> np.ndarray:
        if isinstance(seed, np.ndarray):
            if seed.shape != (self.num_envs,) or seed.dtype.kind not in "iu" or (seed.astype(object) < 0).any():
                raise ValueError(f"seed: allowed is an int, or an array of {self.num_envs} ints from 0; given {seed!r}")
            return seed.astype(np.uint64)
        return np.uint64(check_seed(seed)) + np.arange(self.num_envs, dtype=np.uint64)

    def step(self, actions: np.ndarray, out: Batch | None = None, indices: np.ndarray | None = None) -> Batch:
        """One decision of every game, or of those with some `indices`.

        Args:
            actions: integers `[N]`, or `[K]` where `indices` are given, each legal by the last mask.
            out: arrays to write into, the same every time or not; fresh ones otherwise.
            indices: different integers `[K]`: which games decide. The others stand still: their rows of `out` are left
                alone, and in fresh arrays they are as they stand, with nothing paid.

        Raises:
            ValueError: an action is illegal, indices are out of range or repeated, or arrays of `out` are of the wrong
                shape or type; no game has moved.
        """
        which = self._everyone if indices is None else self._checked(indices)
        actions = _integers(actions)
        if actions.shape != which.shape or actions.dtype.kind not in "iu":
            raise ValueError(f"actions: allowed are {len(which)} integers; given {actions.dtype} {actions.shape}")
        # Checked as given: narrowed first, 2**32 would pass for 0.
        wrong = engine.find_illegal(self._choices, which, np.ascontiguousarray(actions, np.int64))
        if wrong >= 0:
            raise ValueError(self._illegal(int(which[wrong]), int(actions[wrong])))
        actions = np.ascontiguousarray(actions, np.int32)
        batch = self._buffers(out)
        if out is None and indices is not None:
            engine.show_games(self.game.rules, self._games, self._choices, batch)
        self._slices(
            len(which),
            lambda first, last: engine.step_games(
                self.game.rules, self._games, which, first, last, actions, self.skip_forced, self._choices, batch
            ),
        )
        return batch

    def _checked(self, indices: np.ndarray) -> np.ndarray:
        """int64 `[K]`: indices of different games."""
        which = _integers(indices)
        good = which.ndim == 1 and which.dtype.kind in "iu"
        if not good or ((which < 0) | (which >= self.num_envs)).any() or len(np.unique(which)) < len(which):
            raise ValueError(f"indices={indices!r}: allowed are different integers from 0 to {self.num_envs - 1}")
        return np.ascontiguousarray(which, np.int64)

    def _illegal(self, index: int, action: int) -> str:
        legal = sorted(self._choices.actions[index, : self._choices.counts[index]].tolist())
        name = self.game.action_names[action] if 0 <= action < self.num_actions else "outside the action space"
        allowed = ", ".join(self.game.action_names[a] for a in legal)
        return f"action {action} ({name}) of game {index} is illegal: allowed are {allowed}"

    def _slices(self, count: int, run: Callable[[int, int], Any]) -> list[Any]:
        """Run a compiled loop over `count` games, in slices beside each other."""
        if self._pool is None:
            return [run(0, count)]
        bounds = np.linspace(0, count, self.threads + 1).astype(int)
        return list(self._pool.map(run, bounds[:-1].tolist(), bounds[1:].tolist()))

    def random_actions(self) -> np.ndarray:
        """int32 `[N]`: a uniformly random legal action for every game, from streams apart from the games' own."""
        actions = np.empty(self.num_envs, np.int32)
        engine.random_actions(self._streams, self._choices, actions)
        return actions

    def random_steps(self, steps: int, out: Batch | None = None) -> int:
        """`steps` random legal decisions of every game in compiled code, each with its row and mask written.

        The same play as `step(random_actions())` again and again; returns the number of episodes that ended.
        """
        check_whole("steps", steps, 0, 2**31 - 1)
        batch = self._batch if out is None else self._buffers(out)
        ended = self._slices(
            self.num_envs,
            lambda first, last: engine.random_steps(
                self.game.rules, self._games, first, last, steps, self.skip_forced, self._streams, self._choices, batch
            ),
        )
        return int(sum(ended))

    def play_out(self, bot: str) -> np.ndarray:
        """float32 `[N, S]`: what the rest of every episode would pay each seat, were a bot to hold all seats from here.

        The games stand still: copies are played on as they lie, so the answer knows what no seat may know. It is
        certain for a bot that draws no lots.

        Raises:
            ValueError: the variant has no bot of that name.
        """
        number, games = self.game.bot_number(bot), records(self.num_envs, self.game.record)
        games.view(np.uint8)[:] = self._games.view(np.uint8)
        paid = np.empty((self.num_envs, self.num_players), np.float32)

        def play(first: int, last: int) -> None:
            actions, row, _ = self._scratch()
            engine.play_out(
                self.game.rules, games[first:last], number, _PICKS, self.skip_forced, actions, row, paid[first:last]
            )

        self._slices(self.num_envs, play)
        return paid

    def action_values(self, bot: str) -> np.ndarray:
        """float32 `[N, A]`: what the seat to act would be paid, were it to do that and a bot to hold all seats then.

        0 where the action is illegal. Otherwise as `play_out`, which it equals at the action that the bot chooses.
        """
        number, values = self.game.bot_number(bot), np.empty((self.num_envs, self.num_actions), np.float32)

        def play(first: int, last: int) -> None:
            choices = Choices(self._choices.actions[first:last], self._choices.counts[first:last])
            copies, (actions, row, paid) = records(1, self.game.record), self._scratch()
            engine.action_values(
                self.game.rules, self._games[first:last], choices, number, _PICKS, self.skip_forced,
                copies, actions, row, paid, values[first:last],
            )  # fmt: skip

        self._slices(self.num_envs, play)
        return values

    def _scratch(self) -> tuple[np.ndarray, ...]:
        """Actions `[A]`, a row `[D]` and rewards `[S]` for a thread to write to."""
        return (
            np.empty(self.num_actions, np.int16),
            np.empty(self.observation_size, np.int16),
            np.empty(self.num_players, np.float32),
        )

    def upcoming(self, count: int) -> np.ndarray:
        """int16 `[N, count]`: types of the next cards of every stock, the next first, -1 where there is none.

        No seat may know them; a central critic may.
        """
        check_whole("count", count, 0, 2**15 - 1)
        cards = np.empty((self.num_envs, count), np.int16)
        engine.upcoming_cards(self._games, cards)
        return cards

    def observe_all(self) -> np.ndarray:
        """int16 `[N, S, D]`: the rows of all seats now, each from its own view."""
        rows = np.empty((self.num_envs, self.num_players, self.observation_size), np.int16)
        engine.observe_games(self.game.rules, self._games, rows)
        return rows

    def view(self, index: int) -> dict[str, Any]:
        """Game `index` as plain Python, every card face up: for people and tests."""
        return self.game.family.view(self.game, self._games[check_whole("index", index, 0, self.num_envs - 1)])

    def _header(self) -> dict[str, Any]:
        return {
            "id": self.game.id,
            "options": self.game.options,
            "skip_forced": self.skip_forced,
            "num_envs": self.num_envs,
        }

    def get_state(self) -> bytes:
        """All games and streams."""
        buffer = io.BytesIO()
        np.savez(
            buffer,
            header=np.frombuffer(json.dumps(self._header()).encode(), np.uint8),
            games=self._games.view(np.uint8),
            streams=self._streams,
        )
        return buffer.getvalue()

    def set_state(self, state: bytes) -> Batch:
        """Go on from `get_state()`: returns what was to be decided then, with nothing paid.

        Raises:
            ValueError: not such a state, or one of another variant, other options, another `skip_forced` or number of
                games; nothing has changed.
        """
        try:
            with np.load(io.BytesIO(state)) as saved:
                header, games, streams = json.loads(saved["header"].tobytes()), saved["games"], saved["streams"]
        except Exception as error:  # zipfile and zlib raise many kinds, of which some are nobody's subclass
            raise ValueError("state: given are no bytes of get_state()") from error
        here, memory = self._header(), self._games.view(np.uint8)
        if header != here or (games.shape, streams.shape) != (memory.shape, self._streams.shape):
            raise ValueError(f"state of {header} given; allowed is one of {here}")
        memory[:] = games
        self._streams[:] = streams
        batch = self.make_batch()
        engine.legal_actions(self.game.rules, self._games, self._choices)
        engine.show_games(self.game.rules, self._games, self._choices, batch)
        return batch


def _integers(given: Any) -> np.ndarray:
    """As an array; an empty list, which NumPy takes for floats, has integers."""
    array = np.asarray(given)
    return array if array.size else array.astype(np.int64)


def make_vec(
    id: str,
    num_envs: int,
    seed: int | None = None,
    threads: int = 1,
    skip_forced: bool = False,
    **options: Any,
) -> VectorEnv:
    """A batch of games of a variant: see `VectorEnv` and, for the options, `cardenvs.make_game`."""
    return VectorEnv(make_game(id, **options), num_envs, seed, threads, skip_forced)
