"""What a run tells: records in JSONL and TensorBoard, a progress bar, the learning curve."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import (
    Progress as Bar,
)
from torch.utils.tensorboard import SummaryWriter

from cardenvs.files import to_json, write_atomic, write_text
from training.ratings import snapshot_name


class RunLog:
    """Records of a run, in its folder and on the screen.

    Args:
        folder: `log.jsonl` and `tensorboard/` are written there.
        total: decisions of the whole run.
        decisions: already made; what a run that was killed logged after its checkpoint is dropped.
    """

    def __init__(self, folder: Path, total: int, decisions: int) -> None:
        path = folder / "log.jsonl"
        write_text(path, "".join(_records_until(path, decisions)))
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=decisions)
        self.console = Console()
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(elapsed_when_finished=False),
            TextColumn("{task.fields[found]}"),
            console=self.console,
            speed_estimate_period=60,
        )
        self._task = self._bar.add_task("train", total=total, completed=decisions, speed="", found="")

    def __enter__(self) -> RunLog:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._board.close()
        self._file.close()

    def update(self, decisions: int, stats: dict[str, float]) -> None:
        """Log an update; `stats` has `decisions_per_second`."""
        self._write({"kind": "update", "decisions": decisions, **stats})
        for name, value in stats.items():
            self._board.add_scalar(f"train/{name}", value, decisions)
        self._bar.update(self._task, completed=decisions, speed=f"{stats['decisions_per_second']:,.0f}/s")

    def evaluation(
        self, decisions: int, seconds: float, found: list[dict[str, Any]], rating: tuple[float, float]
    ) -> None:
        """Log what an evaluation found, and the rating of the policy (mean, deviation)."""
        record = {"kind": "evaluation", "decisions": decisions, "seconds": seconds, "found": found, "rating": rating}
        self._write(record)
        self._board.add_scalar("rating", rating[0], decisions)
        for row in found:
            for name in ("win_rate", "margin", "decided"):
                self._board.add_scalar(f"{name}/{row['opponent']}", row[name]["mean"], decisions)
        short = "  ".join([*(_short(row) for row in found), f"rating {rating[0]:.1f} ({2 * rating[1]:.1f})"])
        self._bar.update(self._task, found=short)
        self.console.print(f"{decisions:>12,} decisions {seconds / 60:5.1f} min  {short}", highlight=False)

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(to_json(record) + "\n")


def _short(row: dict[str, Any]) -> str:
    won, margin = row["win_rate"], row["margin"]
    return (
        f"{row['opponent']}: won {100 * won['mean']:.1f} % ({100 * won['low']:.1f}-{100 * won['high']:.1f}) "
        f"margin {margin['mean']:+.1f} ({margin['low']:+.1f}..{margin['high']:+.1f})"
    )


def _records_until(path: Path, decisions: int) -> list[str]:
    """The whole lines of a log up to that many decisions."""
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []:
        try:
            if json.loads(line)["decisions"] > decisions:
                break
        except json.JSONDecodeError:
            break  # half a line: the process was killed while writing it
        kept.append(line)
    return kept


def plot_curve(path: Path, title: str, curve: list[dict[str, Any]], ratings: Mapping[str, tuple[float, float]]) -> None:
    """Draw win rate and margin against each opponent over the decisions, with their intervals, and the ratings.

    Args:
        path: a PNG.
        title: above the plots.
        curve: records with `decisions` and `found`, as `RunLog.evaluation` takes them.
        ratings: mean and deviation of each bot, and of the snapshot of each record.
    """
    figure = Figure(figsize=(14, 4), layout="constrained")
    figure.suptitle(title)
    *plots, last = figure.subplots(1, 3)
    for axes, name, label, unit in zip(
        plots,
        ("win_rate", "margin"),
        ("won of decided rounds (%)", "margin (points)"),
        (100, 1),
        strict=True,
    ):
        for i, opponent in enumerate(row["opponent"] for row in curve[0]["found"]):
            rows = [point["found"][i][name] for point in curve]
            at = [point["decisions"] / 1e6 for point in curve]
            mean, low, high = ([unit * row[key] for row in rows] for key in ("mean", "low", "high"))
            axes.plot(at, mean, marker=".", label=f"against {opponent}")
            axes.fill_between(at, low, high, alpha=0.2)
        pars = [100 * row["par"] if name == "win_rate" else 0 for row in curve[0]["found"][:1]]
        for par in pars:
            axes.axhline(par, color="gray", linewidth=0.8, linestyle="--")
        axes.set_xlabel("decisions (millions)")
        axes.set_ylabel(label)
        axes.legend()
        axes.grid(alpha=0.3)
    _plot_ratings(last, [point["decisions"] for point in curve], ratings)
    write_atomic(path, lambda file: figure.savefig(file, dpi=120))


def _plot_ratings(axes: Axes, decisions: list[int], ratings: Mapping[str, tuple[float, float]]) -> None:
    """The snapshots over their decisions, and the bots as lines; bands of two deviations."""
    names = [snapshot_name(each) for each in decisions]
    mean, deviation = np.array([ratings[name] for name in names]).T
    at = np.array(decisions) / 1e6
    axes.plot(at, mean, marker=".", label="snapshots")
    axes.fill_between(at, mean - 2 * deviation, mean + 2 * deviation, alpha=0.2)
    for number, bot in enumerate(name for name in ratings if name not in names):
        axes.axhline(ratings[bot][0], color=f"C{number + 1}", linestyle="--", label=bot)
    axes.set_xlabel("decisions (millions)")
    axes.set_ylabel("rating (openskill)")
    axes.legend()
    axes.grid(alpha=0.3)
