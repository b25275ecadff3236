"""What a tournament comes to: a table, JSON, a picture of who beats whom, and ratings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import cardenvs
from cardenvs.arena import Estimate, Tournament, tournament
from cardenvs.bots import Player
from cardenvs.files import check_target, to_json, write_text
from cardenvs.spec import Game
from training.plots import plot_tournament
from training.ratings import Table, newcomer, rated


def rate(played: Tournament, seed: int = 0) -> Table:
    """Ratings of the players, deal by deal over all pairs.

    Args:
        played: with the margins of all deals.
        seed: of the order, which counts: openskill weighs what comes later less.
    """
    table: Table = dict.fromkeys(played.names, newcomer())
    deals = [(pair, margin) for pair, margins in played.margins.items() for margin in margins]
    for number in np.random.default_rng(seed).permutation(len(deals)):
        (i, j), margin = deals[number]
        table = rated(table, played.names[i], played.names[j], np.array([margin]))
    return table


def hold(
    game: Game,
    players: Sequence[Player],
    deals: int,
    seed: int,
    folder: Path,
    command: str,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Play a tournament and write `<variant>_<n>p.md`, `.json` and `.png`; returns what the Markdown file says.

    Args:
        game, players, deals, seed, progress: as for `cardenvs.arena.tournament`.
        folder: for the files; made where it is not there.
        command: that the files name.

    Raises:
        ValueError: as for `cardenvs.arena.tournament`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = _file_name(game)
    check_target("out", folder / f"{name}.md")
    played = tournament(game, players, deals, seed, progress)
    table = rate(played, seed)
    text = report(game, played, table, command)
    numbers = range(len(played.names))
    won = 100 * np.array([[np.nan if i == j else played.win_rate(i, j).mean for j in numbers] for i in numbers])
    write_text(folder / f"{name}.json", to_json(_content(game, played, table, seed, command), indent=2) + "\n")
    plot_tournament(folder / f"{name}.png", _title(game), won, 100 / game.num_sides, played.names)
    write_text(folder / f"{name}.md", text)
    return text


def report(game: Game, played: Tournament, table: Table, command: str) -> str:
    """Markdown: each player in a row, against each in a column; the best rated first."""
    result = next(iter(played.results.values()))
    order = sorted(range(len(played.names)), key=lambda i: -table[played.names[i]][0])
    head = ["", *(f"against `{played.names[j]}`" for j in order), "rating"]
    lines = [
        f"# {_title(game)}",
        "",
        (
            f"`{command}`: {result.deals:,} deals, each from every seat ({result.games:,} games a match). Games won of "
            f"those decided in percent (equals win {100 / game.num_sides:.0f}) and margin in points a game, with 95 % "
            "intervals over deals; ratings by openskill from who is ahead in a deal, which have none, since "
            "all pairs play the same deals."
        ),
        "",
        _row(head),
        _row(["---"] * len(head)),
    ]
    for i in order:
        cells = ["" if i == j else _cell(played, i, j) for j in order]
        lines.append(_row([f"`{played.names[i]}`", *cells, format(table[played.names[i]][0], ".1f")]))
    illegal = dict.fromkeys(played.names, 0)
    for pair, match in played.results.items():
        for player, count in zip((pair[0], *[pair[1]] * (len(match.names) - 1)), match.illegal, strict=True):
            illegal[played.names[player]] += count
    broke = ", ".join(f"{name} {count}" for name, count in illegal.items() if count)
    lines += ["", f"Illegal actions: {broke or 'none'}."]
    return "\n".join(lines) + "\n"


def _content(game: Game, played: Tournament, table: Table, seed: int, command: str) -> dict[str, Any]:
    """The same as plain Python."""
    return {
        "command": command,
        "cardenvs": cardenvs.__version__,
        "variant": game.id,
        "options": game.options,
        "seed": seed,
        "players": played.names,
        "ratings": {name: mean for name, (mean, _) in table.items()},
        "matches": [match.to_json() for match in played.results.values()],
    }


def _changed(game: Game) -> dict[str, Any]:
    """Options that are not as they are when left out."""
    usual = game.variant.game(num_players=game.num_players).options
    return {name: value for name, value in game.options.items() if value != usual[name]}


def _file_name(game: Game) -> str:
    """Of the variant, its seats and whatever options are not the usual ones."""
    options = "".join(f"_{name}_{value}" for name, value in _changed(game).items())
    return re.sub(r"[^\w.-]+", "_", f"{game.id}_{game.num_players}p{options}")


def _title(game: Game) -> str:
    changed = ", ".join(f"{name} {value}" for name, value in _changed(game).items())
    return f"{game.title}, {game.num_players} players" + (f", {changed}" if changed else "")


def _cell(played: Tournament, i: int, j: int) -> str:
    """Games won and points of player i against player j; and what share was decided, where not all were."""
    won, decided = played.win_rate(i, j), played.decided(i, j).mean
    percent = Estimate(100 * won.mean, 100 * won.low, 100 * won.high)
    some = f"<br>of {100 * decided:.1f} decided" if decided < 1 else ""
    return f"{percent:.1f}{some}<br>{played.margin(i, j):+.1f}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
