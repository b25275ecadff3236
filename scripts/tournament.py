"""Have bots and trained policies of a variant play each other: `python scripts/tournament.py`; `--help` lists settings.

Writes for each variant a table, the figures as JSON and a picture of who beats whom.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jsonargparse import ArgumentParser, Namespace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

import cardenvs
from cardenvs.spec import Game

# Before a policy loads torch: see scripts/train.py.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def parse_settings() -> Namespace:
    """Settings from the command line; exits with a message on an unknown one."""
    parser = ArgumentParser(prog="tournament.py", description="Have bots and policies play each other, all pairs.")
    ids = cardenvs.variants()
    parser.add_argument("--variants", nargs="+", type=str, default=ids, help=f"One or more of {', '.join(ids)}.")
    parser.add_argument("--num_players", type=int | None, help="Seats; each variant's own default when left out.")
    parser.add_argument(
        "--players",
        nargs="+",
        type=str,
        default=[],
        help="Names of bots, policy:NAME for a trained policy, or openspiel:simple for gin_rummy_v0; all bots of the "
        "variant when left out.",
    )
    parser.add_argument("--deals", type=int, default=1000, help="Deals, each of them played from every seat.")
    parser.add_argument("--seed", type=int, default=0, help="Of the first deal, and of the players' own chance.")
    parser.add_argument("--options", type=dict[str, Any], default={}, help="Of the variants: --options.match true.")
    parser.add_argument("--out", type=Path, default=Path("runs/tournament"), help="Folder for the files.")
    return parser.parse_args()


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with rate and time left on the standard error; gives the function that moves it."""
    columns = BarColumn(), MofNCompleteColumn(), TaskProgressColumn(show_speed=True), TimeRemainingColumn()
    with Progress(TextColumn(what), *columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def main() -> int:
    """Run the command; returns its exit status."""
    settings = parse_settings()
    from training.players import make_player  # here: what is asked wrongly is told before torch is loaded
    from training.tournament import hold

    seats = {} if settings.num_players is None else {"num_players": settings.num_players}
    try:
        if seats and "num_players" in settings.options:
            raise ValueError("num_players is given twice: allowed is --num_players or --options.num_players")
        games: list[Game] = [cardenvs.make_game(id, **seats, **settings.options) for id in settings.variants]
        lineups = [[make_player(game, name) for name in settings.players or game.bots] for game in games]
        for game, players in zip(games, lineups, strict=True):
            with progress_bar(game.id) as progress:
                command = shlex.join([Path(sys.executable).name, *sys.argv])
                text = hold(game, players, settings.deals, settings.seed, settings.out, command, progress)
            print(text)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
