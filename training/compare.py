"""Runs side by side at equal decisions: seeds of one configuration are pooled, other settings make other groups."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cardenvs.files import check_target, write_text
from training.plots import MEASURES, opponents, plot_groups
from training.records import estimate
from training.report import RunFiles, markdown_table, read_run

SEED = "run.seed"
POOLED = (SEED, "run.name", "run.folder", "run.threads")
"""Settings that the runs of a group may differ in."""


@dataclass(frozen=True)
class Group:
    """Runs that differ in nothing but what is `POOLED`.

    Attributes:
        label: its number, and what sets it apart from the other groups; the name of its first run where that is much.
        runs: at least one.
    """

    label: str
    runs: list[RunFiles]


def compare(folders: Sequence[Path], out: Path) -> list[Path]:
    """Write `comparison.md` and `comparison.png` on these runs into a folder, which is made where there is none.

    Returns:
        The files.

    Raises:
        ValueError: a folder has no run, or one that has not been evaluated yet, or is given twice; the runs are of
            different games; nothing can be written to `out`.
    """
    runs = [read_run(folder) for folder in folders]
    _check(runs)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"out={out}: allowed is a folder, there or to be made ({error})") from error
    report, picture = out / "comparison.md", out / "comparison.png"
    check_target("out", report)
    groups = grouped(runs)
    evaluations = [record for run in runs for record in run.evaluations]
    spreads = {
        group.label: {
            (name, measure): found
            for name in opponents(evaluations)
            for measure in MEASURES
            if (found := spread(group.runs, name, measure)) is not None
        }
        for group in groups
    }
    plot_groups(picture, f"{runs[0].title}: means over seeds, least to most", evaluations, spreads)
    write_text(report, describe(groups, picture.name))
    return [report, picture]


def _check(runs: Sequence[RunFiles]) -> None:
    first = runs[0]
    for number, run in enumerate(runs):
        if run.folder.resolve() in (other.folder.resolve() for other in runs[:number]):
            raise ValueError(f"{run.folder} is given twice")
        if not run.evaluations:
            raise ValueError(f"{run.folder}: there has been no evaluation yet; allowed are runs with one or more")
        of_run, of_first = ((each.game.id, each.game.num_players, each.game.options["match"]) for each in (run, first))
        if of_run != of_first:
            raise ValueError(
                f"{run.folder} learns {run.game}, {first.folder} {first.game}: allowed are runs of one game"
            )


def grouped(runs: Sequence[RunFiles]) -> list[Group]:
    """The runs by their settings, in the order in which they are given."""
    found: dict[str, list[RunFiles]] = {}
    for run in runs:
        found.setdefault(json.dumps(_own(run), sort_keys=True), []).append(run)
    members = list(found.values())
    differing = differences([group[0] for group in members])
    apart = [
        ", ".join(f"{name.split('.')[-1]}={_own(group[0]).get(name, '-')}" for name in differing) for group in members
    ]
    if max(map(len, apart)) > 50:  # more than a legend has room for
        apart = [str(group[0].settings.get("run.name", "")) for group in members]
    return [
        Group(f"{number}: {words}" if words else str(number), group)
        for number, (words, group) in enumerate(zip(apart, members, strict=True), start=1)
    ]


def _own(run: RunFiles) -> dict[str, Any]:
    """What makes its group: its settings, and how many processes had games and samples as they say."""
    settings = {name: value for name, value in run.settings.items() if name not in POOLED}
    # The default number of players is the same game, left out or said.
    return {**settings, "env.num_players": run.game.num_players, "processes": run.about.get("processes", 1)}


def differences(runs: Sequence[RunFiles]) -> list[str]:
    """Names of the settings, but for those `POOLED`, that are not the same in all these runs; and processes."""
    settings = [_own(run) for run in runs]
    names = dict.fromkeys(name for each in settings for name in each)
    return [name for name in names if any(each.get(name) != settings[0].get(name) for each in settings)]


def at_decisions(run: RunFiles, opponent: str, measure: str, decisions: np.ndarray) -> np.ndarray | None:
    """float64 `[N]`: what evaluations found against a bot, in a straight line from one to the next.

    NaN after the last one; None where it has not been played against.

    Args:
        run: any.
        opponent: a bot.
        measure: win_rate (in per cent) or margin (in points).
        decisions: `[N]`.
    """
    points = [
        (record["decisions"], estimate(row, measure).mean)
        for record in run.evaluations
        for row in record["found"]
        if row["opponent"] == opponent
    ]
    if not points:
        return None
    at, means = np.array(points, float).T
    return np.interp(decisions, at, means, left=math.nan, right=math.nan)


def spread(runs: Sequence[RunFiles], opponent: str, measure: str) -> np.ndarray | None:
    """float64 `[4, N]`: decisions, and mean, least and most over runs there, as far as all of them have come.

    None where one of them has not been played against that bot.
    """
    at = np.unique([record["decisions"] for run in runs for record in run.evaluations])
    at = at[at <= reached(runs)]
    found = [at_decisions(run, opponent, measure, at) for run in runs]
    known = np.array([each for each in found if each is not None])
    if len(known) < len(found):
        return None
    return np.array([at, known.mean(0), known.min(0), known.max(0)])


def reached(runs: Sequence[RunFiles]) -> int:
    """Decisions that all of the runs have been evaluated at, or later."""
    return min(run.evaluations[-1]["decisions"] for run in runs)


def describe(groups: Sequence[Group], picture: str) -> str:
    """The comparison as Markdown; `picture` is a link."""
    runs = [run for group in groups for run in group.runs]
    decisions = reached(runs)
    parts = [
        f"# {runs[0].title}: {len(runs)} runs in {len(groups)} groups",
        "Runs of a group differ only in their seeds.",
        f"![win rates and margins over decisions]({picture})",
        f"## After {decisions:,} decisions",
        "As far as all have come, in a straight line between evaluations: means over a group's runs (least..most).",
        _pooled(groups, decisions),
        "## Runs",
        "Each at its last evaluation, with 95 % intervals over deals.",
        _runs(groups),
    ]
    differing = differences([group.runs[0] for group in groups])
    if differing:
        titles = ["setting", *(f"group {number}" for number in range(1, len(groups) + 1))]
        rows = [[f"`{name}`", *(f"`{_own(group.runs[0]).get(name, '-')}`" for group in groups)] for name in differing]
        parts += ["## What the groups differ in", markdown_table(titles, rows)]
    return "\n\n".join(parts) + "\n"


def _pooled(groups: Sequence[Group], decisions: int) -> str:
    """A row for each group."""
    names = opponents([record for group in groups for run in group.runs for record in run.evaluations])
    titles = ["group", "seeds"]
    titles += [f"{name}: {words}" for name in names for words in ("won (%)", "margin")]
    rows = []
    for group in groups:
        cells = [group.label, ", ".join(str(run.settings.get(SEED, "-")) for run in group.runs)]
        for name in names:
            for measure, form in (("win_rate", ".1f"), ("margin", "+.1f")):
                found = [at_decisions(run, name, measure, np.array([decisions])) for run in group.runs]
                cells.append(_over_seeds([math.nan if each is None else float(each[0]) for each in found], form))
        rows.append(cells)
    return markdown_table(titles, rows)


def _over_seeds(values: Sequence[float], form: str) -> str:
    """The mean, with the least and the most where there are several; a dash where one of them is not known."""
    if not all(map(math.isfinite, values)):
        return "-"
    mean = format(sum(values) / len(values), form)
    return mean if len(values) == 1 else f"{mean} ({min(values):{form}}..{max(values):{form}})"


def _runs(groups: Sequence[Group]) -> str:
    """A row for each run."""
    names = opponents([record for group in groups for run in group.runs for record in run.evaluations])
    titles = ["run", "group", "seed", "decisions", "minutes", "decisions a second", "illegal"]
    titles += [f"{name}: {words}" for name in names for words in ("won (%)", "margin")]
    rows = []
    for number, group in enumerate(groups, start=1):
        for run in group.runs:
            found = {row["opponent"]: row for row in run.evaluations[-1]["found"]}
            cells = [
                str(run.folder) if run.finished else f"{run.folder} (not finished)",
                number,
                run.settings.get(SEED, "-"),
                f"{run.decisions:,}",
                f"{run.seconds / 60:.1f}",
                f"{run.decisions / run.seconds:,.0f}" if run.seconds else "-",
                run.illegal,
            ]
            for name in names:
                cells.append(f"{estimate(found[name], 'win_rate'):.1f}" if name in found else "-")
                cells.append(f"{estimate(found[name], 'margin'):+.1f}" if name in found else "-")
            rows.append(cells)
    return markdown_table(titles, rows)
