"""What a run tells while it learns: records in JSONL and TensorBoard, and a panel or lines on the screen."""

from __future__ import annotations

import time
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


class RunLog:
    """Records of a run, in its folder and on the screen: a panel in a terminal, and elsewhere a line an evaluation.

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
        console = console or Console()
        self._console = console
        # Drawing takes about ten milliseconds: once a second that is a hundredth of a core.
        self._live = Live(self.panel, console=console, refresh_per_second=1) if console.is_interactive else None
        self._write({"kind": "start", "decisions": decisions, **about, "cardenvs": cardenvs.__version__})

    def __enter__(self) -> RunLog:
        if self._live is not None:
            self._live.start()
        self.panel.status = "training"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stopped = self.panel.status == "stopping" or kind is KeyboardInterrupt
        self.panel.over = True
        self.panel.status = "stopped" if stopped else "finished" if kind is None else f"failed ({kind.__name__})"
        try:
            if self._live is not None:
                self._live.stop()
        finally:
            self._board.close()
            self._file.close()

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

    def evaluation(self, decisions: int, seconds: float, found: list[dict[str, Any]], table: Table) -> None:
        """Log what an evaluation found, and the ratings of all bots and snapshots, this one's among them."""
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
        if self._live is None:
            self._console.print(self.panel.line(), highlight=False, markup=False, soft_wrap=True)
        self._say("training")

    def _say(self, status: str) -> None:
        if self.panel.status != "stopping":
            self.panel.status = status
        if self._live is not None:
            self._live.refresh()

    def _write(self, record: dict[str, Any]) -> None:
        self._file.write(to_json(record) + "\n")
        self.panel.add(record)
