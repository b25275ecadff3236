"""What a run tells while it learns: records in JSONL and TensorBoard, and a panel or lines on the screen."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from torch.utils.tensorboard import SummaryWriter

import cardenvs
from cardenvs.files import to_json, write_text
from training.clock import Clock, split
from training.config import TrainConfig
from training.panel import Panel
from training.ratings import Table, snapshot_name
from training.records import LOG_FILE, as_laps, of_kind, ratings, read_log


class _Screen(Live):
    """The panel in a terminal, and lines elsewhere. Whatever goes wrong there, the run goes on.

    A screen that can no longer be written to is left alone from then on: a terminal that has gone, a pipe that nobody
    reads. Drawing takes about ten milliseconds: once a second, that is a hundredth of a core.

    Attributes:
        error: the first that there was.
    """

    error: BaseException | None = None

    def __init__(self, panel: Panel, console: Console) -> None:
        super().__init__(panel, console=console, refresh_per_second=1)

    @contextmanager
    def _spared(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:  # by which rich ends a program that writes into a closed pipe
            self.error = self.error or (error.__context__ if isinstance(error, SystemExit) else error)
            if isinstance(error, (OSError, SystemExit)):
                self.console.quiet = True

    def start(self, refresh: bool = False) -> None:
        if self.console.is_interactive:
            with self._spared():
                super().start(refresh)

    def refresh(self) -> None:
        if self.console.is_interactive:
            with self._spared():
                super().refresh()

    def stop(self) -> None:
        with self._spared():
            super().stop()

    def line(self, make: Callable[[], str]) -> None:
        """Print it, where there is no panel."""
        if not self.console.is_interactive:
            with self._spared():
                self.console.print(make(), highlight=False, markup=False, soft_wrap=True)


class RunLog:
    """Records of a run, in its folder and on the screen: a panel in a terminal, and elsewhere a line an evaluation.

    What goes wrong on the screen does not end the run: there is a warning at its end.

    Args:
        folder: `log.jsonl` and `tensorboard/` are written there.
        config: every setting of the run.
        decisions: already made; what a run that was killed logged after its checkpoint is dropped.
        clock: of the run; updates tell what its laps took.
        about: what the record `start` says of this process, beside the version of cardenvs.
        console: the screen; the standard output when left out.
    """

    def __init__(
        self,
        folder: Path,
        config: TrainConfig,
        decisions: int,
        clock: Clock,
        about: dict[str, Any],
        console: Console | None = None,
    ) -> None:
        path = folder / LOG_FILE
        kept = read_log(path, decisions)
        write_text(path, "".join(to_json(record) + "\n" for record in kept))
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=decisions)
        self._clock, self._laps = clock, dict(clock.seconds)
        self._ratings = ratings(of_kind(kept, "evaluation"))
        self._judged = time.monotonic()
        self.panel = Panel(config, decisions, kept)
        self._screen = _Screen(self.panel, console or Console())
        self._write({"kind": "start", "decisions": decisions, **about, "cardenvs": cardenvs.__version__})

    def __enter__(self) -> RunLog:
        self._screen.start()
        self.panel.status = "training"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stopped = self.panel.status == "stopping" or kind is KeyboardInterrupt
        self.panel.over = True
        self.panel.status = "stopped" if stopped else "finished" if kind is None else f"failed ({kind.__name__})"
        try:
            self._screen.stop()
        finally:
            self._board.close()
            self._file.close()
        if self._screen.error is not None:
            warnings.warn(f"the screen has failed: {self._screen.error!r}", stacklevel=2)

    def stopping(self) -> None:
        """Say that the run has been asked to stop; may be called by a signal handler."""
        self.panel.status = "stopping"

    def evaluating(self) -> None:
        """Say that an evaluation begins."""
        self._judged = time.monotonic()
        self._say("evaluating")

    def update(self, decisions: int, stats: dict[str, float]) -> None:
        """Log an update; `stats` has `seconds` of training so far and `decisions_per_second`."""
        took = {name: seconds - self._laps.get(name, 0.0) for name, seconds in self._clock.seconds.items()}
        self._laps = dict(self._clock.seconds)
        self._write({"kind": "update", "decisions": decisions, **stats, **as_laps(took)})
        for name, value in stats.items():
            self._board.add_scalar(f"train/{name}", value, decisions)
        for name, share in split(took).items():
            self._board.add_scalar(f"time/{name}", share, decisions)
        self._say("training")

    def evaluation(
        self, decisions: int, seconds: float, found: list[dict[str, Any]], table: Table, last: bool = False
    ) -> None:
        """Log what an evaluation found, and the ratings of all bots and snapshots, this one's among them.

        With the `last` one the run is over.
        """
        self.panel.over = last
        rating, took = table[snapshot_name(decisions)], time.monotonic() - self._judged
        changed = {name: each for name, each in table.items() if tuple(each) != self._ratings.get(name)}
        self._ratings = dict(table)
        self._write(
            {"kind": "evaluation", "decisions": decisions, "seconds": seconds, "found": found}
            | {"rating": rating, "ratings": changed, "evaluation_seconds": took}
        )
        self._board.add_scalar("rating", rating[0], decisions)
        self._board.add_scalar("rating/deviation", rating[1], decisions)
        self._board.add_scalar("time/evaluation_seconds", took, decisions)
        for row in found:
            for name in ("win_rate", "margin", "decided"):
                self._board.add_scalar(f"{name}/{row['opponent']}", row[name]["mean"], decisions)
                for bound in ("low", "high"):
                    self._board.add_scalar(f"{name}/{row['opponent']}/{bound}", row[name][bound], decisions)
        self._screen.line(self.panel.line)
        self._say("training")

    def _say(self, status: str) -> None:
        if self.panel.status not in ("stopping", status):
            self.panel.status = status
            self._screen.refresh()

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(to_json(record) + "\n")
        self.panel.add(record)
