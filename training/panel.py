"""How a run stands, as a panel that is drawn anew in its place, or as a line."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.panel import Panel as Box
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from cardenvs.arena import Estimate
from training.clock import split
from training.config import EvaluationConfig, TrainConfig
from training.ratings import snapshot_name
from training.records import binned, curve, estimate, laps, rating, ratings

_RECENT = 20
"""Updates that speed and time split are taken over."""

_FIGURES = (
    ("policy loss", "policy_loss", "+.4f"),
    ("imitation loss", "imitation_loss", "+.4f"),
    ("expected value", "expected_value", "+.3f"),
    ("best value", "best_value", "+.3f"),
    ("value loss", "value_loss", ".3g"),
    ("entropy", "entropy", ".3f"),
    ("KL", "kl", ".4f"),
    ("agreement", "agreement", ".1%"),
    ("clipped", "clipped", ".1%"),
    ("explained variance", "explained_variance", ".3f"),
    ("learning rate", "lr", ".2e"),
    ("gradient norm", "grad_norm", ".3g"),
    ("rounds cut off", "truncated", ".1%"),
)
_COLUMNS = 3
"""What the panel shows of an update, as far as it has them: words, name, format; and how many side by side."""


class Panel:
    """What to show of a run, from its records; draws itself on any rich console.

    Args:
        config: every setting of the run.
        decisions: already made.
        records: that the log of a resumed run has.
        now: seconds of a steady clock.

    Attributes:
        status: what the run does at the moment, a word or two.
        over: nothing more will come.
    """

    def __init__(
        self,
        config: TrainConfig,
        decisions: int = 0,
        records: Iterable[dict[str, Any]] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.status, self.over = "starting", False
        self._config, self._now = config, now
        self._decisions, self._updates, self._seconds, self._pauses = decisions, 0, 0.0, 0.0
        self._recent: list[dict[str, Any]] = []
        self._curve: list[dict[str, Any]] = []
        self._ratings: dict[str, tuple[float, float]] = {}
        self._entropy: list[float] = []
        self._explained: list[float] = []
        self._left, self._since = math.nan, now()
        for record in records:
            self.add(record)

    # Drawing goes on in another thread meanwhile: what it reads is replaced or grows at its end, and never shrinks.

    def add(self, record: dict[str, Any]) -> None:
        """Take a record of the log, an update or an evaluation; others say nothing here."""
        if record["kind"] == "update":
            self._recent = [*self._recent[1 - _RECENT :], record]
            self._updates += 1
            self._entropy.append(record.get("entropy", math.nan))
            self._explained.append(record.get("explained_variance", math.nan))
        elif record["kind"] == "evaluation":
            self._curve = curve([*self._curve, record])
            self._ratings = self._ratings | ratings([record])
            self._pauses += record.get("evaluation_seconds", 0.0)
        else:
            return
        self._decisions, self._seconds = record["decisions"], record["seconds"]
        self._left, self._since = self._estimate_left(), self._now()

    def _estimate_left(self) -> float:
        last = self._curve[-1] if self._curve else {}
        return seconds_left(
            self._config,
            self._decisions,
            self._seconds,
            last.get("decisions", 0),
            self._speed(),
            _pause(self._config.evaluation, last),
        )

    def _speed(self) -> float:
        """Decisions a second of training, lately; NaN before the first update."""
        if not self._recent:
            return math.nan
        first, last = self._recent[0], self._recent[-1]
        seconds = last["seconds"] - first["seconds"]
        return (last["decisions"] - first["decisions"]) / seconds if seconds > 0 else last["decisions_per_second"]

    def _remaining(self) -> float:
        return max(self._left - (self._now() - self._since), 0.0)

    def line(self) -> str:
        """The last evaluation, for where no panel can be drawn."""
        last = self._curve[-1]
        words = [f"{last['decisions']:>12,} decisions {last['seconds'] / 60:5.1f} min"]
        for row in last["found"]:
            won, margin = format(estimate(row, "win_rate"), ".1f"), format(estimate(row, "margin"), "+.1f")
            words.append(f"{row['opponent']}: won {won} % margin {margin}")
        words.append(f"rating {rating(self._ratings, snapshot_name(last['decisions'])):.1f}")
        words.append(f"{_number(self._speed(), ',.0f')}/s")
        if not self.over:
            words.append(f"left {_duration(self._remaining())}")
        return "  ".join(words)

    def __rich__(self) -> RenderableType:
        parts = [*self._progress(), Text(), *self._results(), Text(), *self._learning()]
        box = Box(Group(*parts), title=Text(f"{self._config.run.name}: {self._config.env.variant}"), title_align="left")
        if self.over:
            return box
        # The terminal echoes Ctrl-C where the cursor stands: on this line, which the next drawing clears.
        hint = "stopping between two updates; Ctrl-C again ends at once" if self.status == "stopping" else ""
        return Group(box, Text(hint or "Ctrl-C stops between two updates and saves", style="dim"))

    def _progress(self) -> Iterable[RenderableType]:
        total, settings = self._config.ppo.total_decisions, self._config.run
        bar = Table.grid(expand=True, padding=(0, 1))
        bar.add_column(ratio=1)
        bar.add_column(no_wrap=True)
        bar.add_row(ProgressBar(total, self._decisions), _number(self._decisions / total, ".1%"))
        yield bar
        imitates = self.status == "training" and self._recent and "policy_loss" not in self._recent[-1]
        left = [] if self.over else [f"left {_duration(self._remaining())}"]
        yield _words(
            Text("imitating" if imitates else self.status, style="bold"),
            f"{self._decisions:,} of {total:,} decisions",
            f"{_number(self._speed(), ',.0f')}/s",
            *left,
        )
        limit = "" if settings.max_minutes is None else f" of {_duration(60 * settings.max_minutes)}"
        illegal = self._recent[-1].get("illegal", 0) if self._recent else 0
        yield _words(
            f"trained {_duration(self._seconds)}{limit}",
            f"evaluations {_duration(self._pauses)}",
            f"updates {self._updates:,}",
            Text(f"illegal actions {illegal:,}", style="bold red" if illegal else ""),
        )

    def _results(self) -> Iterable[RenderableType]:
        """The last evaluation, a row per bot, and the ratings."""
        if not self._curve:
            yield Text("no evaluation yet", style="dim")
            return
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), expand=True, header_style="dim")
        for title in ("against", "won of decided (%)", "change", "margin (points)", "change"):
            table.add_column(title, overflow="fold", justify="right" if title == "change" else "left")
        table.add_column(ratio=1, min_width=8)  # of the win rate
        rows = [{row["opponent"]: row for row in record["found"]} for record in self._curve]
        before = rows[-2] if len(rows) > 1 else {}
        for name, row in rows[-1].items():
            then = before.get(name)
            cells: list[RenderableType] = []
            for measure, sign in (("win_rate", ""), ("margin", "+")):
                found = estimate(row, measure)
                change = found.mean - estimate(then, measure).mean if then else math.nan
                cells += [_interval(found, sign), _change(change)]
            table.add_row(name, *cells, Spark([each[name]["win_rate"]["mean"] for each in rows if name in each]))
        yield table
        yield self._rating()

    def _rating(self) -> Text:
        """Of the last snapshot, with how it differs from the one before, and of the bots."""
        names = [snapshot_name(record["decisions"]) for record in self._curve]
        mine = rating(self._ratings, names[-1])
        change = mine.mean - rating(self._ratings, names[-2]).mean if len(names) > 1 else math.nan
        bots = [name for name in self._ratings if name not in names]
        return _words(
            f"rating {mine:.1f}",
            Text("change ") + _change(change),
            *(f"{name} {rating(self._ratings, name):.1f}" for name in bots),
        )

    def _learning(self) -> Iterable[RenderableType]:
        """The last update, and where the time goes."""
        if not self._recent:
            yield Text("no update yet", style="dim")
            return
        last = self._recent[-1]
        grid = Table.grid(padding=(0, 1), expand=True)
        for _ in range(_COLUMNS):
            grid.add_column(style="dim", overflow="fold")
            grid.add_column(ratio=1, overflow="fold")
        cells = [(words, _number(last[name], form)) for words, name, form in _FIGURES if name in last]
        for row in range(0, len(cells), _COLUMNS):
            grid.add_row(*(cell for pair in cells[row : row + _COLUMNS] for cell in pair))
        yield grid
        wins = [(name, value) for name, value in last.items() if name.startswith("beaten_by_")]
        if wins:
            opponents = (f"{name.removeprefix('beaten_by_')} {_number(value, '.1%')}" for name, value in wins)
            yield _words(Text("league opponents win", style="dim"), *opponents)
        shares = split(laps(self._recent))
        if len(shares) > 1:
            laps_only = [f"{name} {_number(share, '.1%')}" for name, share in shares.items() if name != "outside"]
            yield _words(Text("time", style="dim"), *laps_only)
        curves = {"entropy": self._entropy, "explained variance": self._explained}
        yield _sparks({name: values for name, values in curves.items() if np.isfinite(values).any()})


def seconds_left(
    config: TrainConfig, decisions: int, seconds: float, evaluated: int, speed: float, pause: float
) -> float:
    """How long a run will still take by the clock on the wall, its evaluations and the last one included.

    Args:
        config: how many decisions or minutes of training it may use, and how often and how long it is judged.
        decisions: learned from so far.
        seconds: of training so far.
        evaluated: decisions at the last evaluation.
        speed: decisions a second of training.
        pause: seconds of the last evaluation.

    Returns:
        NaN where the speed is not known yet.
    """
    settings, minutes = config.evaluation, config.run.max_minutes
    total = config.ppo.total_decisions
    if not speed > 0:
        return 0.0 if decisions >= total else math.nan
    training = (total - decisions) / speed
    if minutes is not None:
        training = min(training, 60 * minutes - seconds)
    training = max(training, 0.0)
    between = max(math.ceil((training * speed + decisions - evaluated) / settings.every) - 1, 0)
    last = pause * _games(settings, settings.final_deals) / _games(settings, settings.deals)
    return training + pause * between + last


def _pause(settings: EvaluationConfig, evaluation: dict[str, Any]) -> float:
    """Seconds of an evaluation between updates, by how long one took that may have had other deals."""
    found = evaluation.get("found", [])
    deals = found[0].get("deals", settings.deals) if found else settings.deals
    took = evaluation.get("evaluation_seconds", 0.0)
    return took * _games(settings, settings.deals) / _games(settings, deals)


def _games(settings: EvaluationConfig, deals: int) -> int:
    """Of an evaluation, in deals: against the bots, and for the rating, where past selves play as well."""
    bots = len(settings.opponents)
    return max(bots * deals + (bots + settings.rating_opponents) * settings.rating_deals, 1)


class Spark:
    """A curve in a line of text, as wide as there is room; NaN leaves a gap."""

    def __init__(self, values: Sequence[float]) -> None:
        self._values = values

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        levels = "_.-:=+*#" if options.ascii_only else "▁▂▃▄▅▆▇█"
        means = binned(list(self._values), options.max_width)
        known = means[np.isfinite(means)]
        low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
        steps = (means - low) / ((high - low) or 1.0) * (len(levels) - 1)
        text = "".join(levels[round(step)] if math.isfinite(step) else " " for step in steps.tolist())
        yield Text(text, style="cyan", no_wrap=True)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(8, options.max_width), options.max_width)


def _sparks(curves: dict[str, Sequence[float]]) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    for _ in curves:
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(ratio=1)
    grid.add_row(*(cell for name, values in curves.items() for cell in (name, Spark(values))))
    return grid


def _words(*parts: str | Text) -> Text:
    """Side by side, going on in the next line where there is no room."""
    return Text("   ").join(part if isinstance(part, Text) else Text(part) for part in parts)


def _number(value: float, form: str) -> str:
    """A dash for what is not known."""
    return format(value, form).replace("%", " %") if math.isfinite(value) else "-"


def _interval(found: Estimate, sign: str) -> str:
    """With its 95 % interval; without decimals where there are thousands."""
    widest = max(abs(found.low), abs(found.mean), abs(found.high))
    return format(found, f"{sign}.0f" if widest >= 1000 else f"{sign}.1f")


def _change(value: float) -> Text:
    style = "" if not math.isfinite(value) or value == 0 else "green" if value > 0 else "red"
    return Text(_number(value, "+.0f" if abs(value) >= 1000 else "+.1f"), style=style)


def _duration(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any."""
    if not math.isfinite(seconds):
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
