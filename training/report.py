"""The report of a run, from the files that it has left so far: Markdown and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardenvs import make_game
from cardenvs.files import check_target, write_text
from cardenvs.spec import Game
from training.clock import split
from training.config import CONFIG_FILE, changed, defaults, flat, read_settings
from training.plots import opponents, plot_curve, plot_training
from training.ratings import Table, snapshot_name
from training.records import LOG_FILE, began, curve, estimate, fault, laps, of_kind, rating, ratings, read_log, with_nan

RESULT_FILE = "evaluation.json"
"""Of the folder of a run that has ended: the result as JSON."""


@dataclass(frozen=True)
class RunFiles:
    """What a run's folder says of it.

    Attributes:
        folder: of the run.
        game: that it learns.
        settings: every setting by its name with a dot, such as `ppo.lr`.
        about: how it was made, as the first record `start` has it.
        updates, evaluations: records, as `training.records` has them.
        ratings: of bots and snapshots.
        finished: the run has come to its end.
    """

    folder: Path
    game: Game
    settings: dict[str, Any]
    about: dict[str, Any]
    updates: list[dict[str, Any]]
    evaluations: list[dict[str, Any]]
    ratings: Table
    finished: bool

    @property
    def name(self) -> str:
        """Of its folder."""
        return self.folder.resolve().name

    @property
    def title(self) -> str:
        """What the run learns."""
        return f"{self.game.id}, {self.game.num_players} players"

    @property
    def decisions(self) -> int:
        """Learned from so far."""
        return max((record["decisions"] for record in (*self.updates, *self.evaluations)), default=0)

    @property
    def seconds(self) -> float:
        """Of training so far."""
        return max((record["seconds"] for record in (*self.updates, *self.evaluations)), default=0.0)

    @property
    def illegal(self) -> int:
        """Illegal actions so far."""
        return self.updates[-1]["illegal"] if self.updates else 0


def read_run(folder: Path) -> RunFiles:
    """Read what a run has left, finished or not.

    Raises:
        ValueError: there is no such folder, or no run in it.
    """
    for path in (folder, folder / CONFIG_FILE, folder / LOG_FILE):
        if not path.exists():
            raise ValueError(f"no run in {folder}: there is no {path}")
    settings, env = read_settings(folder / CONFIG_FILE)
    records = read_log(folder / LOG_FILE)
    result = read_result(folder / RESULT_FILE)
    judged = of_kind(records, "evaluation")
    last = max((record["decisions"] for record in records), default=0)
    return RunFiles(
        folder,
        make_game(env.variant, **env.game_options()),
        flat(settings),
        # A run of before there were such records has the same in its result.
        {**result, **began(records)},
        of_kind(records, "update"),
        curve(records),
        {**result.get("ratings", {}), **ratings(judged)},
        bool(judged) and result.get("decisions", -1) >= last,  # not the result of a run that has gone on since
    )


def read_result(path: Path) -> dict[str, Any]:
    """What the last evaluation of a run wrote; nothing where the run has not ended.

    Raises:
        ValueError: the file is no such one.
    """
    try:
        result = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except ValueError as error:
        raise ValueError(f"{path} is no result of a run: {error}") from error
    if not isinstance(result, dict):
        raise ValueError(f"{path} is no result of a run")
    if wrong := fault(result):
        raise ValueError(f"{path} is no result of a run: {wrong}")
    return {key: with_nan(each) if key in ("found", "ratings", "time_split") else each for key, each in result.items()}


def write_report(folder: Path) -> list[Path]:
    """Write `report.md`, `curve.png` and `training.png` into the folder of a run, finished or not.

    Returns:
        The files; there is no picture of what has no records yet.

    Raises:
        ValueError: see `read_run`; or nothing can be written there.
    """
    run = read_run(folder)
    check_target("folder", folder / "report.md")
    title = f"{run.title}: {run.name}"
    pictures: dict[str, Path] = {}
    if run.evaluations:
        pictures["curve"] = folder / "curve.png"
        plot_curve(pictures["curve"], title, run.evaluations, run.ratings)
    if run.updates:
        pictures["training"] = folder / "training.png"
        plot_training(pictures["training"], title, run.updates)
    report = folder / "report.md"
    write_text(report, describe(run, {name: path.name for name, path in pictures.items()}))
    return [report, *pictures.values()]


def describe(run: RunFiles, pictures: dict[str, str]) -> str:
    """The report as Markdown; `pictures` are links to `curve` and `training`, where there are such."""
    state = "finished" if run.finished else "not finished"
    parts = [f"# {run.title}: {run.name}", f"Self-play; {state}.", _facts(run)]
    if run.evaluations:
        decisions = f"{run.evaluations[-1]['decisions']:,}"
        parts += [
            "## Against the bots",
            f"After {decisions} decisions: every deal from every seat; 95 % intervals over deals; equals win the par.",
            _results(run.evaluations[-1]["found"]),
            "## Learning curve",
            *([f"![win rates, margins and ratings]({pictures['curve']})"] if "curve" in pictures else []),
            _curve(run),
            "## Ratings",
            "By openskill, from games among the snapshots and with the bots; intervals of two deviations to each side.",
            _ratings(run),
        ]
    else:
        parts.append("There has been no evaluation yet.")
    if "training" in pictures:
        parts += ["## Training", f"![entropy, KL, losses and speed]({pictures['training']})"]
    parts += ["## Settings that differ from the defaults", _changed(run.settings)]
    return "\n\n".join(parts) + "\n"


def _facts(run: RunFiles) -> str:
    about = run.about
    shares = split(laps(run.updates)) if laps(run.updates) else about.get("time_split", {})
    judging = sum(record.get("evaluation_seconds", 0.0) for record in run.evaluations)
    total = run.settings.get("ppo.total_decisions", run.decisions)
    rows = {
        "command": f"`{about['command']}`" if "command" in about else "-",
        "variant": run.game.id,
        "options": ", ".join(f"{name}={value}" for name, value in run.game.options.items()),
        "seed": run.settings.get("run.seed", "-"),
        "decisions": f"{run.decisions:,} of {total:,}",
        "updates": f"{len(run.updates):,}",
        "minutes": f"{run.seconds / 60:.1f} of training, {judging / 60:.1f} of evaluations",
        "decisions a second": f"{run.decisions / run.seconds:,.0f}" if run.seconds else "-",
        "device": about.get("device", "-"),
        "threads": about.get("threads", "-"),
        "processes": about.get("processes", "-"),
        "cardenvs": about.get("cardenvs", "-"),
        "illegal actions": run.illegal,
        "time": ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares.items() if name != "outside") or "-",
        "outside the network's arithmetic": f"{100 * shares['outside']:.1f} %" if "outside" in shares else "-",
    }
    return markdown_table(["", ""], rows.items())


def _results(found: Sequence[dict[str, Any]]) -> str:
    """A row of numbers for each bot."""
    titles = ["against", "deals", "games", "decided (%)", "won of decided (%)", "par (%)", "margin (points)", "illegal"]
    rows = (
        [
            row["opponent"],
            f"{row['deals']:,}",
            f"{row['games']:,}",
            f"{estimate(row, 'decided'):.1f}",
            f"{estimate(row, 'win_rate'):.1f}",
            f"{100 * row['par']:.1f}",
            f"{estimate(row, 'margin'):+.1f}",
            row["illegal"],
        ]
        for row in found
    )
    return markdown_table(titles, rows)


def _curve(run: RunFiles) -> str:
    names = opponents(run.evaluations)
    titles = ["decisions", "minutes"]
    titles += [f"{name}: {words}" for name in names for words in ("won (%)", "margin")]
    rows = []
    for record in run.evaluations:
        found = {row["opponent"]: row for row in record["found"]}
        cells = [f"{record['decisions']:,}", f"{record['seconds'] / 60:.1f}"]
        for name in names:
            known = name in found
            cells.append(f"{estimate(found[name], 'win_rate'):.1f}" if known else "-")
            cells.append(f"{estimate(found[name], 'margin'):+.1f}" if known else "-")
        rows.append([*cells, f"{rating(run.ratings, snapshot_name(record['decisions'])):.1f}"])
    return markdown_table([*titles, "rating"], rows)


def _ratings(run: RunFiles) -> str:
    """The best first."""
    ranked = sorted(run.ratings, key=lambda name: -run.ratings[name][0])
    return markdown_table(["player", "rating"], ([name, f"{rating(run.ratings, name):.1f}"] for name in ranked))


def _changed(settings: dict[str, Any]) -> str:
    usual = defaults()
    rows = [[f"`{name}`", f"`{value}`", f"`{usual.get(name, '-')}`"] for name, value in changed(settings).items()]
    return markdown_table(["setting", "value", "default"], rows) if rows else "None."


def markdown_table(titles: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
