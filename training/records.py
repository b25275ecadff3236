"""What a run writes down while it learns, read back: the records of its log.

A record is a line of JSON with `kind` and `decisions` (so many had been learned from):

- `start`: the process that began or resumed the run: `command`, `device`, `threads`, `processes` (how many train
  together), `cardenvs` (its version).
- `update`: the scalars of `Run.cycle`, and `<lap>_seconds`, what each lap of the clock took of this update.
- `evaluation`: `seconds` of training so far, `found` as `against_bots` has it, `rating` of the policy (mean and
  deviation), `ratings` that are new or have changed, by name, and `evaluation_seconds`, what all of this took.
"""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Callable, Iterable, Mapping
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


def _is_number(value: Any) -> bool:
    """Null too, which stands for NaN."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_rating(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_rating, value.values()))


def _is_shares(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _is_row(value: Any) -> bool:
    """Of `found`: what one of them lacks is false, and no number."""
    if not isinstance(value, dict) or not isinstance(value.get("opponent"), str):
        return False
    intervals = [value.get(name) for name in ("win_rate", "margin", "decided")]
    numbers = [value.get(name, False) for name in ("par", "deals", "games", "illegal")]
    for interval in intervals:
        numbers += [interval.get(name, False) if isinstance(interval, dict) else False for name in _INTERVAL]
    return all(map(_is_number, numbers))


def _is_found(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_row, value))


_INTERVAL = ("mean", "low", "high")
_NUMBER = (_is_number, "a number")
_COUNT = (_is_count, "a whole number, 0 or more")
_ALLOWED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "kind": (lambda value: isinstance(value, str), "a word"),
    "decisions": _COUNT,
    "command": (lambda value: isinstance(value, str), "a text"),
    "processes": _COUNT,
    "seconds": _NUMBER,
    "training_seconds": (lambda value: value is not None and _is_number(value), "a number"),
    "evaluation_seconds": _NUMBER,
    "found": (_is_found, "a list of what came of the games with each bot"),
    "time_split": (_is_shares, "a number for each name"),
    "rating": (_is_rating, "two numbers"),
    "ratings": (_is_table, "two numbers for each name"),
}
"""What is read of a record, of whatever kind, and of the result of a run: the check, and in words."""

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
        if wrong := fault(record):
            raise ValueError(f"{path} is no log of a run: line {number}: {wrong}")
        if missing := _NEEDED.get(record["kind"], set()) - record.keys():
            raise ValueError(f"{path} is no log of a run as of now: line {number} has no {', '.join(sorted(missing))}")
        if record["decisions"] > until:
            break
        records.append(record if record["kind"] == "start" else with_nan(record))
    return records


def fault(content: Mapping[str, Any]) -> str:
    """What is wrong with the values of a record, or of the result of a run; empty where nothing is."""
    for name, value in content.items():
        # The scalars of an update are as many as there are.
        any_scalar = _NUMBER if content.get("kind") == "update" else None
        rule = _ALLOWED.get(name, any_scalar)
        if rule is not None and not rule[0](value):
            return f"{name}={reprlib.repr(value)}: allowed is {rule[1]}"
    return ""


def with_nan(value: Any) -> Any:
    """What comes from JSON, with NaN where that has null: `cardenvs.files.to_json` cannot say it otherwise."""
    if isinstance(value, dict):
        return {key: with_nan(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [with_nan(entry) for entry in value]
    return math.nan if value is None else value


def of_kind(records: Iterable[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Those records, in order."""
    return [record for record in records if record["kind"] == kind]


def began(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """What the first record `start` says: how the run was made, whoever went on with it. Empty where there is none."""
    first = next(iter(of_kind(records, "start")), {})
    return {name: value for name, value in first.items() if name not in ("kind", "decisions")}


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
    return Estimate(*(unit * row[name][key] for key in _INTERVAL))


def binned(values: Iterable[float], bins: int) -> np.ndarray:
    """float64 `[at most bins]`: means of consecutive values, as equally many in each as can be; NaN is left out."""
    given = np.fromiter(values, float)
    parts = np.array_split(given, min(bins, len(given))) if len(given) else []
    kept = [part[np.isfinite(part)] for part in parts]
    return np.array([part.mean() if len(part) else math.nan for part in kept])


def curve(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The evaluations, one for each number of decisions: where a resumed run has repeated one, the later."""
    return list({record["decisions"]: record for record in of_kind(records, "evaluation")}.values())
