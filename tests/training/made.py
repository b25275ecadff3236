"""Records and run folders made by hand, as a run would leave them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from cardenvs.files import to_json
from training.config import TrainConfig, write_settings
from training.ratings import Table, snapshot_name
from training.records import LOG_FILE

LAPS = {"act": 3.0, "env": 0.5, "batch": 0.25, "advantage": 0.25, "learn": 6.0}


def start(decisions: int = 0, **about: Any) -> dict[str, Any]:
    said = {"command": "python scripts/train.py --config it.yaml", "device": "cpu", "threads": 2, "processes": 1}
    return {"kind": "start", "decisions": decisions, **said, "cardenvs": "0.1.0", **about}


def update(decisions: int, seconds: float, **changed: Any) -> dict[str, Any]:
    """An update of ten seconds."""
    stats = {
        "policy_loss": -0.0123, "value_loss": 0.2134, "entropy": 0.512, "kl": 0.0081, "clipped": 0.083,
        "grad_norm": 0.331, "epochs": 2.0, "episodes": 300, "decisions_per_episode": 31.5, "truncated": 0.021,
        "explained_variance": 0.712, "beaten_by_greedy": 0.524, "beaten_by_past": 0.487, "lr": 5.1e-4, "illegal": 0,
        "seconds": seconds, "decisions_per_second": 4512.3,
    }  # fmt: skip
    laps = {f"{name}_seconds": each for name, each in LAPS.items()}
    return {"kind": "update", "decisions": decisions, **stats, **laps, **changed}


def row(opponent: str, won: float, margin: float, deals: int = 200) -> dict[str, Any]:
    """Of `found`: an interval of two per cent and two points about the means."""

    def interval(mean: float, half: float) -> dict[str, float]:
        return {"mean": mean, "low": mean - half, "high": mean + half}

    return {
        "opponent": opponent, "win_rate": interval(won, 0.02), "margin": interval(margin, 2.0),
        "decided": interval(0.975, 0.01), "par": 0.5, "deals": deals, "games": 2 * deals, "illegal": 0,
    }  # fmt: skip


def evaluation(decisions: int, seconds: float, won: float, bots: Table | None = None, **how: Any) -> dict[str, Any]:
    """Against random, always beaten, and against greedy with that win rate."""
    rated = {snapshot_name(decisions): (20 + 10 * won, 1.5), **({"greedy": (25.0, 1.0)} if bots is None else bots)}
    return {
        "kind": "evaluation", "decisions": decisions, "seconds": seconds,
        "found": [row("random", 0.97, 48.2, **how), row("greedy", won, 100 * (won - 0.5), **how)],
        "rating": rated[snapshot_name(decisions)], "ratings": rated, "evaluation_seconds": 12.0,
    }  # fmt: skip


def unknown(value: Any) -> Any:
    """The same with NaN for every float but times and pars."""
    if isinstance(value, dict):
        return {key: each if key.endswith(("seconds", "par")) else unknown(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [unknown(each) for each in value]
    return math.nan if isinstance(value, float) else value


def run_records(lift: float = 0.0, end: int = 400_000) -> list[dict[str, Any]]:
    """Of a run that gets better with every evaluation, a hundred thousand decisions apart."""
    records = [start(), evaluation(0, 0.0, 0.1)]
    for decisions in range(50_000, end + 1, 50_000):
        records.append(update(decisions, decisions / 5000, entropy=1 - decisions / 1e6))
        if decisions % 100_000 == 0:
            records.append(evaluation(decisions, decisions / 5000, 0.1 + decisions / 1e6 + lift))
    return records


def write_run(folder: Path, config: TrainConfig, records: list[dict[str, Any]]) -> Path:
    folder.mkdir(parents=True)
    write_settings(folder, config)
    (folder / LOG_FILE).write_text("".join(to_json(record) + "\n" for record in records), encoding="utf-8")
    return folder
