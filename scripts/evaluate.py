"""Play bots and trained policies against each other: the same deals from every seat, with 95 % intervals.

`python scripts/evaluate.py --players greedy random`; `--help` lists every setting.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jsonargparse import ArgumentParser, Namespace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

import cardenvs
from cardenvs.arena import MatchResult, evaluate
from cardenvs.bots import Player
from cardenvs.files import check_target, to_json, write_text
from cardenvs.spec import Game

# Before a policy loads torch: see scripts/train.py.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def parse_settings() -> Namespace:
    """Settings from the command line; exits with a message on an unknown one."""
    parser = ArgumentParser(
        prog="evaluate.py", description="Play bots and policies over the same deals from every seat."
    )
    parser.add_argument("--variant", type=str, default="rummy_v0", help=f"One of {', '.join(cardenvs.variants())}.")
    parser.add_argument("--num_players", type=int | None, help="Seats; the variant's own default when left out.")
    parser.add_argument(
        "--players",
        nargs="+",
        type=str,
        default=["greedy", "random"],
        help="Who plays: names of bots, or policy:NAME for a trained policy (one that is shipped, a file, or the "
        "folder of a run), or openspiel:simple for gin_rummy_v0 (the extra `outside`). The last one fills the seats "
        "left over; partners are one player.",
    )
    parser.add_argument("--deals", type=int, default=1000, help="Deals, each of them played from every seat.")
    parser.add_argument("--seed", type=int, default=0, help="Of the first deal, and of the players' own chance.")
    parser.add_argument("--options", type=dict[str, Any], default={}, help="Of the variant: --options.max_turns 50.")
    parser.add_argument("--json", type=Path | None, help="File for the result, the command, seed and seconds.")
    return parser.parse_args()


def make_game(variant: str, settings: Namespace) -> Game:
    """A game with the seats and options of the settings; ValueError names what is allowed."""
    seats = {} if settings.num_players is None else {"num_players": settings.num_players}
    if seats and "num_players" in settings.options:
        raise ValueError("num_players is given twice: allowed is --num_players or --options.num_players")
    return cardenvs.make_game(variant, **seats, **settings.options)


def make_players(game: Game, given: list[str]) -> list[Player]:
    """A player for every seat, partners being one; who is named twice is one player in two seats."""
    if len(given) > game.num_sides:
        what = "seats" if game.num_sides == game.num_players else "sides"
        raise ValueError(f"players={given}: allowed are 1 to {game.num_sides} for as many {what}")
    known = {name: make_player(game, name) for name in given}
    return [known[name] for name in [*given, *[given[-1]] * (game.num_sides - len(given))]]


def make_player(game: Game, name: str) -> Player:
    """A bot, or a trained policy."""
    if name in game.bots:
        return cardenvs.make_bot(game, name)
    from training.players import make_player  # here: bots need no torch

    return make_player(game, name)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left on the standard error; gives the function that moves it."""
    columns = BarColumn(), MofNCompleteColumn(), TaskProgressColumn(show_speed=True), TimeRemainingColumn()
    with Progress(TextColumn(what), *columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def write_result(path: Path, result: MatchResult, seed: int, seconds: float) -> None:
    """Write the result as JSON, whole or not at all."""
    content = {
        "command": shlex.join(sys.orig_argv),
        "cardenvs": cardenvs.__version__,
        "seed": seed,
        "seconds": round(seconds, 3),
        "result": result.to_json(),
    }
    write_text(path, to_json(content, indent=2) + "\n")


def main() -> int:
    """Run the command; returns its exit status."""
    settings = parse_settings()
    try:
        if settings.json is not None:
            check_target("json", settings.json)
        game = make_game(settings.variant, settings)
        players = make_players(game, settings.players)
        start = time.perf_counter()
        with progress_bar("games") as progress:
            result = evaluate(game, players, settings.deals, settings.seed, progress=progress)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(result.table())
    if settings.json is not None:
        write_result(settings.json, result, settings.seed, time.perf_counter() - start)
    return 0


if __name__ == "__main__":
    sys.exit(main())
