"""Have bots and trained policies of a variant play each other: `python scripts/tournament.py`; `--help` lists settings.

Writes for each variant a table, the figures as JSON and a picture of who beats whom.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

from evaluate import make_game, make_player, progress_bar
from jsonargparse import ArgumentParser, Namespace

import cardenvs


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


def main() -> int:
    """Run the command; returns its exit status."""
    settings = parse_settings()
    try:
        games = [make_game(id, settings) for id in settings.variants]
        lineups = [[make_player(game, name) for name in settings.players or game.bots] for game in games]
        from training.tournament import hold  # here: what is asked wrongly is told before torch is loaded

        for game, players in zip(games, lineups, strict=True):
            with progress_bar(game.id) as progress:
                command = shlex.join(sys.orig_argv)
                text = hold(game, players, settings.deals, settings.seed, settings.out, command, progress)
            print(text)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
