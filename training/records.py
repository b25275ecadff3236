"""What a run writes down while it learns, read back: the records of its log.

A record is a line of JSON with `kind` and `decisions` (so many had been learned from):

- `start`: the process that began or resumed the run: `command`, `device`, `threads`, `cardenvs` (its version).
- `update`: the scalars of `Run.cycle`, and `<lap>_seconds`, what each lap of the clock took of this update.
- `evaluation`: `seconds` of training so far, `found` as `against_bots` has it, `rating` of the policy (mean and
  deviation), `ratings` that are new or have changed, by name, and `evaluation_seconds`, what all of this took.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cardenvs.arena import Estimate
from training.ratings import Table, snapshot_name

LOG_FILE = "log.jsonl"
"""Of a run folder: its records, in order."""

_NEEDED = {
    "update": {"seconds", "decisions_per_second", "illegal"},
    "evaluation": {"seconds", "found", "rating"},
}
"""What the records of a kind must have; earlier versions wrote fewer."""

_LAP = "_seconds"
"""Ends the names of an update's laps."""


def read_log(path: Path, until: float = math.inf) -> list[dict[str, Any]]:
    """The records of a log up to that many decisions; none where there is no such file.

    What JSON cannot say, NaN, is written as null and NaN again here. Half a line, which a process leaves that is killed
    while it writes, ends the log.

    Raises:
        ValueError: the file is no log of a run.
    """
    records: list[dict[str, Any]] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no log of a run: {error}") from error
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            if number == len(lines):
                break
            raise ValueError(f"{path} is no log of a run: line {number}: {error}") from error
        if not isinstance(record, dict) or not {"kind", "decisions"} <= record.keys():
            raise ValueError(f"{path} is no log of a run: line {number} has no kind and decisions")
        if missing := _NEEDED.get(record["kind"], set()) - record.keys():
            raise ValueError(f"{path} is no log of a run as of now: line {number} has no {', '.join(sorted(missing))}")
        if record["decisions"] > until:
            break
        records.append(record if record["kind"] == "start" else {key: _numbers(each) for key, each in record.items()})
    return records


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_numbers(entry) for entry in value]
    return math.nan if value is None else value


def of_kind(records: Iterable[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Those records, in order."""
    return [record for record in records if record["kind"] == kind]


def laps(updates: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Seconds of each lap, over all these updates."""
    total: dict[str, float] = {}
    for update in updates:
        for name in (name for name in update if name.endswith(_LAP)):
            total[name.removesuffix(_LAP)] = total.get(name.removesuffix(_LAP), 0.0) + update[name]
    return total


def as_laps(seconds: Mapping[str, float]) -> dict[str, float]:
    """Seconds of each lap under the names that they have in an update."""
    return {name + _LAP: each for name, each in seconds.items()}


def ratings(evaluations: Iterable[Mapping[str, Any]]) -> Table:
    """Of all bots and snapshots, as they stand after these evaluations; a resumed run overwrites what it repeats."""
    table: Table = {}
    for record in evaluations:
        changed = {snapshot_name(record["decisions"]): record["rating"], **record.get("ratings", {})}
        table |= {name: (mean, deviation) for name, (mean, deviation) in changed.items()}
    return table


def rating(table: Table, name: str) -> Estimate:
    """The rating of a player with its interval of two deviations; NaN where it has none."""
    mean, deviation = table.get(name, (math.nan, math.nan))
    return Estimate(mean, mean - 2 * deviation, mean + 2 * deviation)


def estimate(row: Mapping[str, Any], name: str) -> Estimate:
    """`win_rate` or `decided`, in per cent, or `margin`, in points, of a row of `found`."""
    unit = 1 if name == "margin" else 100
    return Estimate(*(unit * row[name][key] for key in ("mean", "low", "high")))


def binned(values: Iterable[float], bins: int) -> np.ndarray:
    """float64 `[at most bins]`: means of consecutive values, as equally many in each as can be; NaN is left out."""
    given = np.fromiter(values, float)
    parts = np.array_split(given, min(bins, len(given))) if len(given) else []
    kept = [part[np.isfinite(part)] for part in parts]
    return np.array([part.mean() if len(part) else math.nan for part in kept])


def curve(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The evaluations, one for each number of decisions: where a resumed run has repeated one, the later."""
    return list({record["decisions"]: record for record in of_kind(records, "evaluation")}.values())
