"""Duplicate matches: the same deals played from every seat, with intervals that know it.

Partners are one player: a lineup names a player for each *side*, who holds all its seats, and deals are rotated over
the sides. Without partnerships a side is a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import bootstrap

from cardenvs.bots import Player, are_legal, ask, check_game
from cardenvs.checks import check_seed, check_whole
from cardenvs.spec import Game
from cardenvs.vector import VectorEnv

_BATCH = 1024
"""Games that are played side by side."""


@dataclass(frozen=True)
class Estimate:
    """A mean over deals and its 95 % bootstrap interval (percentile, 2,000 resamples of whole deals).

    NaN where there is nothing to average, and for the bounds where a single deal is all there is: texts then show a
    dash, or the mean alone.
    """

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return format(self)

    def __format__(self, spec: str) -> str:
        """The mean and its interval, each number by `spec`."""
        spec = spec or ".3f"
        if np.isnan(self.mean):
            return "-"
        if np.isnan(self.low):
            return format(self.mean, spec)
        return f"{self.mean:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"


@dataclass(frozen=True)
class MatchResult:
    """What a match says; sequences are by player, in the order of the lineup.

    Attributes:
        game: id of the variant.
        options: its options.
        names: of the players.
        deals, games: deals, and games played (every deal once for each rotation of the lineup over the sides).
        decided: share of games that ended with a winner.
        win_rate: share of the decided games that the player won (tied winners share).
        margin: own score minus the mean of the others' (by side), points per game.
        decisions_per_game: decisions of all seats; with `skip_forced` those that left a choice.
        illegal: illegal actions that players chose; a random legal one was played instead.
    """

    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    deals: int
    games: int
    decided: Estimate
    win_rate: tuple[Estimate, ...]
    margin: tuple[Estimate, ...]
    decisions_per_game: Estimate
    illegal: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain Python for JSON, which has no NaN: None instead."""
        return _without_nan(asdict(self))

    def table(self) -> str:
        """The result as text."""
        width = max(len("player"), *map(len, self.names))
        dealt = f"{self.deals} deals" if self.deals > 1 else "1 deal"
        said = "95 % intervals over deals" if self.deals > 1 else "no intervals from a single deal"
        lines = [
            f"{self.game}: {dealt}, each from every seat ({self.games} games); {said}",
            f"decided {self.decided}   decisions per game {self.decisions_per_game}",
            f"{'player':{width}}  {'won of decided':24}  {'margin (points)':32}  illegal",
        ]
        for name, won, margin, illegal in zip(self.names, self.win_rate, self.margin, self.illegal, strict=True):
            lines.append(f"{name:{width}}  {format(won):24}  {format(margin, '+.2f'):32}  {illegal}")
        return "\n".join(lines)


def evaluate(
    game: Game,
    players: Sequence[Player],
    deals: int,
    seed: int = 0,
    skip_forced: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> MatchResult:
    """Play a lineup, one player a side, over the same deals in all its rotations.

    Args:
        game: the variant with its options.
        players: one a side (`game.num_sides`); the same object may sit more than once, and is then asked for all its
            seats together.
        deals: at least 1, and 2 for intervals; deal d is the game of seed `seed + d`.
        seed: of the first deal, and of the players' random streams.
        skip_forced: decisions with a single legal action are played without asking.
        progress: called with (games finished, games in all).

    Raises:
        ValueError: as many players as sides are needed, and one of them is none, raised, or returned anything but
            integers; `deals` or `seed` is out of range.
    """
    score, winner, decisions, illegal = _play_all(game, players, deals, seed, skip_forced, progress)
    return _summarize(game, players, deals, score, winner, decisions, illegal)


@dataclass(frozen=True)
class Tournament:
    """Every player of P against every other: the one on one side of the table, the other on all the rest.

    Attributes:
        names: of the players.
        results: by (i, j), the match of player i against player j; where there are two sides only for i < j.
        margins: float `[deals]` of player i, by (i, j) as in `results`: see `deal_margins`.
    """

    names: tuple[str, ...]
    results: dict[tuple[int, int], MatchResult]
    margins: dict[tuple[int, int], np.ndarray]

    def win_rate(self, i: int, j: int) -> Estimate:
        """Share of the decided games that player i won against player j."""
        return self.results[i, j].win_rate[0] if (i, j) in self.results else self.results[j, i].win_rate[1]

    def decided(self, i: int, j: int) -> Estimate:
        """Share of the games of player i against player j that ended with a winner."""
        return (self.results[i, j] if (i, j) in self.results else self.results[j, i]).decided

    def margin(self, i: int, j: int) -> Estimate:
        """Points per game of player i against player j."""
        return self.results[i, j].margin[0] if (i, j) in self.results else self.results[j, i].margin[1]


def tournament(
    game: Game,
    players: Sequence[Player],
    deals: int,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Play every player against every other, all over the same deals and each deal from every seat.

    Args:
        game, deals, seed, progress: as for `evaluate`.
        players: two or more, of different names.

    Raises:
        ValueError: as for `evaluate`, or for two players of one name.
    """
    check_game(game)
    _check_are_players(game, players, "two or more players")
    names = tuple(player.name for player in players)
    if len(set(names)) < max(len(names), 2):
        raise ValueError(f"players: {list(names)}; allowed are two or more of different names")
    sides, numbers = game.num_sides, range(len(players))
    pairs = [(i, j) for i in numbers for j in numbers if i < j or (i > j and sides > 2)]
    results, margins = {}, {}
    for number, (i, j) in enumerate(pairs):

        def moved(done: int, total: int, before: int = number) -> None:
            if progress is not None:
                progress(before * total + done, len(pairs) * total)

        lineup = [players[i], *[players[j]] * (sides - 1)]
        score, *rest = _play_all(game, lineup, deals, seed, True, moved)
        results[i, j] = _summarize(game, lineup, deals, score, *rest)
        margins[i, j] = _margins(score, deals)[:, 0]
    return Tournament(names, results, margins)


def deal_margins(game: Game, players: Sequence[Player], deals: int, seed: int = 0) -> np.ndarray:
    """float `[deals, P]`: the margin of each player in each deal, the mean over all rotations: see `evaluate`."""
    score, *_ = _play_all(game, players, deals, seed, True, None)
    return _margins(score, deals)


def _play_all(
    game: Game,
    players: Sequence[Player],
    deals: int,
    seed: int,
    skip_forced: bool,
    progress: Callable[[int, int], None] | None,
) -> tuple[np.ndarray, ...]:
    """Every deal in every rotation: what `_play` returns, for all games."""
    check_game(game)
    _check_players(game, players)
    sides = game.num_sides
    deals, seed = check_whole("deals", deals, 1, 2**62 - 1, "2**62 - 1"), check_seed(seed, bits=62)
    for number, player in enumerate({id(player): player for player in players}.values()):
        player.reset(seed + number)
    games = deals * sides
    played = [
        _play(game, players, np.arange(first, min(first + _BATCH, games)), seed, skip_forced, progress, games)
        for first in range(0, games, _BATCH)
    ]
    return tuple(np.concatenate(parts) for parts in zip(*played, strict=True))


def _check_players(game: Game, players: Any) -> None:
    sides = game.num_sides
    _check_are_players(game, players, f"{sides} players")
    if len(players) != sides:
        raise ValueError(f"players: {[p.name for p in players]} given; allowed are exactly {sides} for {game.id}")


def _check_are_players(game: Game, players: Any, how_many: str) -> None:
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise ValueError(f"players={players!r}: allowed is a list of {how_many} for {game.id}")
    for number, player in enumerate(players):
        named = isinstance(getattr(player, "name", None), str)
        if not named or not all(callable(getattr(player, verb, None)) for verb in ("act", "reset")):
            raise ValueError(
                f"players[{number}]={player!r}: allowed are objects with a name, act(obs, mask) and reset(seed), "
                f"such as cardenvs.make_bot(game, {game.bots[0]!r})"
            )


def _play(
    game: Game,
    players: Sequence[Player],
    numbers: np.ndarray,
    seed: int,
    skip_forced: bool,
    progress: Callable[[int, int], None] | None,
    total: int,
) -> tuple[np.ndarray, ...]:
    """Play the games of these numbers; game k is deal k // P with player p on side (p + k) % P.

    Returns, by player: score float `[K, P]`, share of the win float `[K, P]`; decisions int `[K]`; illegal `[K, P]`.
    """
    sides, n = game.num_sides, len(numbers)
    side_of, first_seat = np.array(game.sides), [game.sides.index(side) for side in range(sides)]
    vec = VectorEnv(game, n, 0, skip_forced=skip_forced)
    batch = vec.reset(seed + numbers // sides)
    # Who sits where: side s of game k is held by player (s - k) % P.
    holder = (np.arange(sides) - numbers[:, None]) % sides
    score, won = np.zeros((n, sides)), np.zeros((n, sides))
    decisions, illegal = np.zeros(n, np.int64), np.zeros((n, sides), np.int64)
    live, rows = np.ones(n, bool), np.arange(n)
    finished = 0
    while live.any():
        turn = holder[rows, side_of[batch.seat]]
        actions = vec.random_actions()
        for player in {id(player): player for player in players}.values():
            mine = np.flatnonzero(live & np.isin(turn, [p for p in range(sides) if players[p] is player]))
            if len(mine):
                chosen = ask(player, batch.obs[mine], batch.mask[mine], f"player {player.name!r}")
                legal = are_legal(chosen, batch.mask[mine])
                actions[mine[legal]] = chosen[legal]
                np.add.at(illegal, (mine[~legal], turn[mine[~legal]]), 1)
        decisions[live] += 1
        batch = vec.step(actions, out=batch)
        ended = np.flatnonzero(live & (batch.terminated | batch.truncated))
        if len(ended):
            by_player = np.argsort(holder[ended], axis=1)
            score[ended] = np.take_along_axis(batch.score[ended][:, first_seat], by_player, axis=1)
            wins = np.take_along_axis(batch.winner[ended][:, first_seat], by_player, axis=1)
            won[ended] = wins / np.maximum(wins.sum(axis=1, keepdims=True), 1)
            live[ended] = False
            finished += len(ended)
            if progress is not None:
                progress(int(numbers[0]) + finished, total)
    return score, won, decisions, illegal


def _summarize(
    game: Game,
    players: Sequence[Player],
    deals: int,
    score: np.ndarray,
    won: np.ndarray,
    decisions: np.ndarray,
    illegal: np.ndarray,
) -> MatchResult:
    sides = game.num_sides
    by_deal = won.reshape(deals, sides, sides).sum(axis=1)
    decided = won.sum(axis=1).reshape(deals, sides).sum(axis=1)
    margins = _margins(score, deals)
    return MatchResult(
        game=game.id,
        options=game.options,
        names=tuple(player.name for player in players),
        deals=deals,
        games=deals * sides,
        decided=_ratio(decided, np.full(deals, float(sides))),
        win_rate=tuple(_ratio(by_deal[:, p], decided) for p in range(sides)),
        margin=tuple(_ratio(margins[:, p], np.ones(deals)) for p in range(sides)),
        decisions_per_game=_ratio(decisions.reshape(deals, sides).mean(axis=1), np.ones(deals)),
        illegal=tuple(int(n) for n in illegal.sum(axis=0)),
    )


def _margins(score: np.ndarray, deals: int) -> np.ndarray:
    """float `[deals, P]`, from scores float `[deals * P, P]`: own score minus the mean of the others'."""
    sides = score.shape[1]
    return (score - (score.sum(axis=1, keepdims=True) - score) / (sides - 1)).reshape(deals, sides, sides).mean(axis=1)


def _ratio(parts: np.ndarray, wholes: np.ndarray) -> Estimate:
    """Sum of `parts` over sum of `wholes`, both float `[deals]`, with its interval."""
    # A deal without anything that counts (no game decided) says nothing; a resample of such deals alone has no ratio.
    parts, wholes = parts[wholes > 0], wholes[wholes > 0]
    if len(parts) == 0:
        return Estimate(np.nan, np.nan, np.nan)

    def ratio(part: np.ndarray, whole: np.ndarray, axis: int = -1) -> np.ndarray:
        return part.sum(axis=axis) / whole.sum(axis=axis)

    mean = float(ratio(parts, wholes))
    if len(parts) == 1:
        return Estimate(mean, np.nan, np.nan)
    interval = bootstrap(
        (parts, wholes),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=2000,
        batch=100,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return Estimate(mean, float(interval.low), float(interval.high))


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(each) for each in value]
    return None if isinstance(value, float) and np.isnan(value) else value
