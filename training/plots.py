"""Pictures of runs, as PNG files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from cardenvs.files import write_atomic
from training.ratings import Table, snapshot_name
from training.records import binned, estimate, rating

MEASURES = {"win_rate": "won of decided rounds (%)", "margin": "margin (points)"}
"""What is plotted against each opponent, with what its axis says."""

_FIGURES = {
    "entropy": "entropy (nats)",
    "kl": "KL of an update (nats)",
    "clipped": "share of ratios clipped",
    "value_loss": "value loss",
    "explained_variance": "explained variance",
    "decisions_per_second": "decisions a second",
}
_POINTS = 400
"""Of a training figure, at most: means of the updates in between."""


def opponents(evaluations: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of all that these evaluations played against, in order."""
    return list(dict.fromkeys(row["opponent"] for record in evaluations for row in record["found"]))


def plot_curve(path: Path, title: str, evaluations: Sequence[Mapping[str, Any]], table: Table) -> None:
    """Draw win rate and margin against each opponent over the decisions, with their intervals, and the ratings.

    Args:
        path: a PNG.
        title: above the plots.
        evaluations: records, as `training.records` has them.
        table: ratings of the bots, and of the snapshot of each record.
    """
    figure = _figure(title, (14, 4))
    *plots, last = figure.subplots(1, 3)
    for axes, (measure, words) in zip(plots, MEASURES.items(), strict=True):
        for opponent in opponents(evaluations):
            points = [
                (record["decisions"] / 1e6, estimate(row, measure))
                for record in evaluations
                for row in record["found"]
                if row["opponent"] == opponent
            ]
            at = [decisions for decisions, _ in points]
            axes.plot(at, [found.mean for _, found in points], marker=".", label=f"against {opponent}")
            axes.fill_between(at, [found.low for _, found in points], [found.high for _, found in points], alpha=0.2)
        _par(axes, measure, evaluations)
        _label(axes, words)
    _plot_ratings(last, [record["decisions"] for record in evaluations], table)
    _save(figure, path)


def _plot_ratings(axes: Axes, decisions: Sequence[int], table: Table) -> None:
    """The snapshots over their decisions, and the bots as lines; bands of two deviations."""
    names = [snapshot_name(each) for each in decisions]
    rated = [rating(table, name) for name in names]
    at = np.array(decisions) / 1e6
    axes.plot(at, [each.mean for each in rated], marker=".", label="snapshots")
    axes.fill_between(at, [each.low for each in rated], [each.high for each in rated], alpha=0.2)
    for number, bot in enumerate(name for name in table if name not in names):
        axes.axhline(table[bot][0], color=f"C{number + 1}", linestyle="--", label=bot)
    _label(axes, "rating (openskill)")


def plot_training(path: Path, title: str, updates: Sequence[Mapping[str, Any]]) -> None:
    """Draw entropy, KL, clipped share, value loss, explained variance and speed of the updates over the decisions.

    What no update has, such as the value loss of a run without a critic, is left out.

    Args:
        path: a PNG.
        title: above the plots.
        updates: records, as `training.records` has them.
    """
    known = {name: words for name, words in _FIGURES.items() if any(name in update for update in updates)}
    rows = math.ceil(len(known) / 3)
    figure = _figure(title, (14, 3.5 * rows))
    at = binned((update["decisions"] / 1e6 for update in updates), _POINTS)
    for place, (name, words) in enumerate(known.items(), start=1):
        axes = figure.add_subplot(rows, 3, place)
        axes.plot(at, binned((update.get(name, np.nan) for update in updates), _POINTS), linewidth=1)
        _label(axes, words)
    _save(figure, path)


def plot_groups(
    path: Path,
    title: str,
    evaluations: Sequence[Mapping[str, Any]],
    spreads: Mapping[str, Mapping[tuple[str, str], np.ndarray]],
) -> None:
    """Draw a line per group of runs against each opponent, the mean over its runs, in a band from least to most.

    Args:
        path: a PNG.
        title: above the plots.
        evaluations: of any of the runs, for the opponents and what an equal would win.
        spreads: of each group by its label: for (opponent, measure) float `[4, points]`: decisions, mean, least, most.
    """
    names = opponents(evaluations)
    figure = _figure(title, (14, 4 * len(names) + 1))
    for row, opponent in zip(figure.subplots(len(names), len(MEASURES), squeeze=False), names, strict=True):
        for axes, (measure, words) in zip(row, MEASURES.items(), strict=True):
            for number, (label, spread) in enumerate(spreads.items()):
                if (opponent, measure) in spread:
                    decisions, mean, least, most = spread[opponent, measure]
                    color = f"C{number}"  # the same in all plots, whoever is missing from one
                    axes.plot(decisions / 1e6, mean, color=color, label=label)
                    axes.fill_between(decisions / 1e6, least, most, alpha=0.2, color=color)
            _par(axes, measure, evaluations)
            _label(axes, f"against {opponent}: {words}")
    _save(figure, path)


def plot_tournament(path: Path, title: str, won: np.ndarray, par: float, names: Sequence[str]) -> None:
    """Draw who beats whom: the share of games that the player of the row wins against that of the column.

    Args:
        path: a PNG.
        title: above the plot.
        won: float `[P, P]` in percent; NaN on the diagonal.
        par: what equals win, in percent: white.
        names: of the P players.
    """
    inches = 2.5 + 0.9 * len(names)
    figure = _figure(title, (inches + 1, inches))
    axes = figure.add_subplot()
    norm = TwoSlopeNorm(par, 0, 100)
    picture = axes.imshow(won, cmap="RdBu", norm=norm)
    for (row, column), share in np.ndenumerate(won):
        if not np.isnan(share):
            color = "white" if abs(float(norm(share)) - 0.5) > 0.35 else "black"
            axes.text(column, row, f"{share:.1f}", ha="center", va="center", color=color)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("against")
    figure.colorbar(picture, label="won of decided games (%)")
    _save(figure, path)


def _figure(title: str, inches: tuple[float, float]) -> Figure:
    """Apart from pyplot, which has a state of its own and may open windows."""
    figure = Figure(figsize=inches, layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    return figure


def _par(axes: Axes, measure: str, evaluations: Sequence[Mapping[str, Any]]) -> None:
    """A line where equals would be."""
    for row in [row for record in evaluations for row in record["found"]][:1]:
        axes.axhline(100 * row["par"] if measure == "win_rate" else 0, color="gray", linewidth=0.8, linestyle="--")


def _label(axes: Axes, words: str) -> None:
    axes.set_xlabel("decisions (millions)")
    axes.set_ylabel(words)
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize="small")


def _save(figure: Figure, path: Path) -> None:
    write_atomic(path, lambda file: figure.savefig(file, dpi=120))
