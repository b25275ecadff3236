"""What a run shows on the screen, and what it writes down: the panel, the lines, JSONL and TensorBoard."""

from __future__ import annotations

import errno
import io
import math
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from made import evaluation, row, run_records, start, unknown, update
from matplotlib.figure import Figure
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from cardenvs.files import to_json
from training.clock import Clock
from training.config import EvaluationConfig, PPOConfig, RunConfig, TrainConfig
from training.log import RunLog
from training.panel import Panel, _pause, seconds_left
from training.plots import plot_training
from training.records import LOG_FILE, binned, of_kind, ratings, read_log

CONFIG = TrainConfig(
    ppo=PPOConfig(total_decisions=800_000),
    evaluation=EvaluationConfig(every=100_000),
    run=RunConfig("rummy_2p", max_minutes=30),
)
WIDTHS = pytest.mark.parametrize("width", [80, 120])


def drawn(panel: Panel, width: int = 80, encoding: str = "utf-8") -> str:
    """The panel as a terminal without colours shows it; nothing may be cut off or stick out."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, force_terminal=True, color_system=None, width=width)
    console.print(panel)
    file.flush()
    text = file.buffer.getvalue().decode(encoding)
    assert "…" not in text
    assert all(len(line) <= width for line in text.splitlines())
    return text


@WIDTHS
def test_the_figures_that_matter_are_in_the_panel(width: int) -> None:
    panel = Panel(CONFIG, records=run_records())
    panel.status = "training"
    text = drawn(panel, width)
    for said in (
        "rummy_2p: rummy_v0", "training", "400,000 of 800,000 decisions", "50.0 %", "5,000/s", "trained 1:20 of 30:00",
        "evaluations 1:00", "updates 8", "illegal actions 0",
        "97.0 [95.0, 99.0]", "+48.2 [+46.2, +50.2]", "50.0 [48.0, 52.0]", "+10.0", "▁▃▅▆█",
        "rating 25.0 [22.0, 28.0]", "change +1.0", "greedy 25.0 [23.0, 27.0]",
        "-0.0123", "0.213", "0.600", "0.0081", "8.3 %", "0.712", "5.10e-04", "0.331", "greedy 52.4 %", "past 48.7 %",
        "act 30.0 %", "env 5.0 %", "batch 2.5 %", "advantage 2.5 %", "learn 60.0 %", "█▇▆▅▄▃▂▁", "Ctrl-C",
    ):  # fmt: skip
        assert said in text, said
    assert len(text.splitlines()) <= 20


@WIDTHS
def test_the_widest_figures_find_room(width: int) -> None:
    config = replace(CONFIG, ppo=PPOConfig(total_decisions=1_000_000_000), run=RunConfig("long"))
    found = [row("random", 0.999, 2407.3), row("greedy", 1.0, -389.6), row("somebody_else", 0.5, -2000.0)]
    then = evaluation(0, 0.0, 0.1) | {"found": [row(each["opponent"], 0.0, 0.0) for each in found]}
    last = evaluation(100_000_000, 360_000.0, 0.1) | {"found": found, "evaluation_seconds": 4000.0}
    seen = update(100_000_000, 360_000.0, policy_loss=-12.3456, value_loss=12345.6789, illegal=12, grad_norm=99.9)
    text = drawn(Panel(config, records=[start(), then, last, seen]), width)
    for said in (
        "99.9 [97.9, 101.9]", "+2407 [+2405, +2409]", "-389.6 [-391.6, -387.6]", "+2407", "-389.6", "100:00:00",
        "illegal actions 12", "somebody_else", "1.23e+04", "1,000,000,000", "-12.3456",
    ):  # fmt: skip
        assert said in text, said


def test_nothing_is_known_yet() -> None:
    text = drawn(Panel(CONFIG))
    for said in ("starting", "0 of 800,000 decisions", "-/s", "left -", "no evaluation yet", "no update yet"):
        assert said in text


def test_updates_before_the_first_evaluation_and_the_other_way_round() -> None:
    assert "no evaluation yet" in drawn(Panel(CONFIG, records=[update(8192, 2.0)]))
    text = drawn(Panel(CONFIG, records=[evaluation(0, 0.0, 0.1)]))
    assert "no update yet" in text
    assert "change -" in text


@WIDTHS
def test_what_is_not_known_is_a_dash(width: int) -> None:
    panel = Panel(CONFIG, records=[unknown(record) for record in run_records()])
    text = drawn(panel, width)
    assert "nan" not in text
    assert "explained variance -" in text
    assert "nan" not in panel.line()


def test_a_resumed_run_goes_on_where_it_was() -> None:
    panel = Panel(CONFIG, 400_000, [*run_records(), start(400_000)])
    before = drawn(panel)
    panel.add(update(450_000, 90.0, entropy=0.55))
    text = drawn(panel)
    assert "400,000 of" in before
    assert "50.0 [48.0, 52.0]" in before
    assert "450,000 of 800,000" in text
    assert "5,000/s" in text
    assert re.search("entropy █[▁-█]{7}▁ ", text)
    without = drawn(Panel(CONFIG, 400_000))  # its log was thrown away
    assert "400,000 of 800,000" in without


def test_imitation_shows_what_it_has() -> None:
    seen = update(8192, 2.0, imitation_loss=0.5, agreement=0.7)
    for name in ("policy_loss", "kl", "clipped"):
        del seen[name]
    panel = Panel(CONFIG, records=[seen])
    panel.status = "training"
    text = drawn(panel)
    for said in ("imitating", "imitation loss +0.5000", "agreement", "70.0 %"):
        assert said in text
    for missing in ("policy loss", "clipped", "value -"):
        assert missing not in text


@WIDTHS
def test_learning_a_bots_values_without_a_critic_shows_what_it_has(width: int) -> None:
    seen = update(8192, 2.0, expected_value=0.1234, best_value=0.3456)
    for name in ("policy_loss", "kl", "clipped", "value_loss", "explained_variance"):
        del seen[name]
    panel = Panel(CONFIG, records=[seen])
    panel.status = "training"
    text = re.sub(" +", " ", drawn(panel, width))
    for said in ("imitating", "expected value +0.123", "best value +0.346", "entropy 0.512", "gradient norm 0.331"):
        assert said in text
    for missing in ("loss", "agreement", "KL", "clipped", "explained variance", " - "):
        assert missing not in text.replace("left - ", ""), missing
    panel.add(update(16384, 4.0))
    text = drawn(panel, width)
    for said in ("policy loss", "value loss", "KL", "explained variance"):
        assert said in text
    for missing in ("imitating", "expected value"):
        assert missing not in text


def test_the_picture_of_the_updates_has_what_they_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels: list[list[str]] = []
    savefig = Figure.savefig

    def saved(figure: Figure, *where: Any, **how: Any) -> None:
        labels.append([axes.get_ylabel() for axes in figure.axes])
        savefig(figure, *where, **how)

    monkeypatch.setattr(Figure, "savefig", saved)
    whole = update(16384, 4.0)
    first = {name: value for name, value in update(8192, 2.0).items() if name in ("kind", "decisions", "entropy")}
    for updates in ([first, whole], [first]):
        plot_training(tmp_path / "it.png", "it", updates)
    assert len(labels[0]) == 6
    assert labels[1] == ["entropy (nats)"]
    assert (tmp_path / "it.png").stat().st_size > 1000


def test_a_terminal_without_unicode_gets_ascii() -> None:
    text = drawn(Panel(CONFIG, records=run_records()), encoding="ascii")
    assert "50.0 [48.0, 52.0]" in text


def test_a_small_terminal_is_no_error() -> None:
    file = io.StringIO()
    Console(file=file, force_terminal=True, color_system=None, width=20).print(Panel(CONFIG, records=run_records()))
    lines = file.getvalue().splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= 20


def test_seconds_left_counts_evaluations_and_the_limit_of_minutes() -> None:
    games, last = 2 * 200 + 5 * 50, 2 * 2000 + 5 * 50
    final = 13.0 * last / games
    config = replace(CONFIG, run=RunConfig())
    # Evaluations at 500,000, 600,000 and 700,000, and the last one.
    assert seconds_left(config, 400_000, 80.0, 400_000, 5000, 13.0) == pytest.approx(80 + 3 * 13 + final)
    # One is due.
    assert seconds_left(config, 400_000, 80.0, 300_000, 5000, 13.0) == pytest.approx(80 + 4 * 13 + final)
    limited = replace(CONFIG, run=RunConfig(max_minutes=2))
    assert seconds_left(limited, 400_000, 80.0, 400_000, 5000, 13.0) == pytest.approx(40 + 13 + final)
    assert seconds_left(limited, 400_000, 125.0, 400_000, 5000, 13.0) == pytest.approx(final)
    assert seconds_left(config, 800_000, 80.0, 700_000, math.nan, 13.0) == 0
    assert math.isnan(seconds_left(config, 0, 0.0, 0, math.nan, 13.0))


def test_time_left_runs_down_between_records() -> None:
    clock = [0.0]
    panel = Panel(replace(CONFIG, run=RunConfig()), now=lambda: clock[0])
    panel.add(update(400_000, 80.0, decisions_per_second=5000.0))
    assert "left 1:20" in drawn(panel)
    clock[0] = 30.0
    assert "left 0:50" in drawn(panel)
    clock[0] = 300.0
    assert "left 0:00" in drawn(panel)


def test_bins_are_means_and_leave_out_what_is_not_known() -> None:
    assert binned([1, 3, math.nan, 5, math.nan, math.nan], 3).tolist()[:2] == [2, 5]
    assert math.isnan(binned([1, 3, math.nan, 5, math.nan, math.nan], 3)[2])
    assert binned([1, 2], 5).tolist() == [1, 2]
    assert len(binned([], 5)) == 0


# The log --------------------------------------------------------------------------------------------------------------


def told(
    folder: Path, console: Console, records: list[dict[str, Any]], error: type[BaseException] | None = None
) -> None:
    """Let a log tell what these records say."""
    clock = Clock(torch.device("cpu"))
    table: dict[str, tuple[float, float]] = {}
    with RunLog(folder, CONFIG, 0, clock, {"command": "it", "device": "cpu", "threads": 1}, console) as log:
        for record in records:
            if record["kind"] == "update":
                clock.seconds["act"] += 3.0
                clock.seconds["learn"] += 1.0
                stats = {name: value for name, value in record.items() if not name.endswith("_seconds")}
                del stats["kind"]
                log.update(stats.pop("decisions"), stats)
            elif record["kind"] == "evaluation":
                log.evaluating()
                table |= record["ratings"]
                log.evaluation(record["decisions"], record["seconds"], record["found"], table)
        if error is not None:
            raise error


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, color_system=None, width=80)


def test_a_terminal_keeps_the_last_panel(tmp_path: Path) -> None:
    console = terminal()
    told(tmp_path, console, run_records())
    text = console.file.getvalue()
    last = text[text.rindex("╭") :]
    assert "finished   400,000 of 800,000" in last
    assert "50.0 [48.0, 52.0]" in last
    assert "Ctrl-C" not in last
    assert last.endswith("╯\n\x1b[?25h")  # the cursor is back, below it


@pytest.mark.parametrize(("error", "said"), [(KeyboardInterrupt, "stopped"), (RuntimeError, "failed (RuntimeError)")])
def test_what_ends_a_run_leaves_the_terminal_tidy(tmp_path: Path, error: type[BaseException], said: str) -> None:
    console = terminal()
    with pytest.raises(error):
        told(tmp_path, console, run_records(), error)
    text = console.file.getvalue()
    assert said in text[text.rindex("╭") :]
    assert text.endswith("╯\n\x1b[?25h")


def test_elsewhere_there_is_a_line_an_evaluation(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=80)
    told(tmp_path, console, run_records())
    lines = console.file.getvalue().splitlines()
    assert len(lines) == 5
    assert lines[-1].startswith("     400,000 decisions   1.3 min  random: won 97.0 [95.0, 99.0] % margin +48.2 [")
    assert "rating 25.0 [22.0, 28.0]  5,000/s  left " in lines[-1]
    assert lines[0].endswith("-/s  left -")


def test_the_last_evaluation_leaves_nothing(tmp_path: Path) -> None:
    """It has ten times the deals of others: a run that goes on after it does not expect as much of the next."""
    console, records = Console(file=io.StringIO(), width=80), run_records()
    with RunLog(tmp_path, CONFIG, 0, Clock(torch.device("cpu")), {}, console) as log:
        last = [record for record in records if record["kind"] == "evaluation"][-1]
        log.evaluation(last["decisions"], last["seconds"], last["found"], last["ratings"], last=True)
    assert "left" not in console.file.getvalue()
    settings = EvaluationConfig(deals=100, rating_deals=1)
    judged = {"found": [{"deals": 1000}, {"deals": 1000}], "evaluation_seconds": 200.5}
    assert _pause(settings, judged) == pytest.approx(20.5)
    assert _pause(settings, {}) == 0


def test_the_log_has_what_the_panel_has(tmp_path: Path) -> None:
    told(tmp_path, terminal(), run_records())
    records = read_log(tmp_path / LOG_FILE)
    assert records[0].items() >= {"kind": "start", "command": "it", "device": "cpu", "threads": 1}.items()
    first = of_kind(records, "update")[0]
    assert (first["act_seconds"], first["learn_seconds"]) == (3.0, 1.0)
    judged = of_kind(records, "evaluation")
    assert judged[0]["ratings"].keys() == {"snapshot_0", "greedy"}
    assert judged[1]["ratings"].keys() == {"snapshot_100000"}  # what has not changed is not told again
    assert ratings(judged)["greedy"] == (25.0, 1.0)
    assert all(record["evaluation_seconds"] >= 0 for record in judged)
    board = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert board.Scalars("time/act")[0].value == 0.75
    for tag, value in {
        "rating": 25.0, "rating/deviation": 1.5, "win_rate/greedy": 0.5, "win_rate/greedy/low": 0.48,
        "win_rate/greedy/high": 0.52, "margin/random/high": 50.2, "train/entropy": 0.6,
    }.items():  # fmt: skip
        assert board.Scalars(tag)[-1].value == pytest.approx(value), tag
        assert board.Scalars(tag)[-1].step == 400_000


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (start() | {"decisions": "x"}, "decisions='x': allowed is a whole number"),
        (start() | {"decisions": True}, "decisions=True: allowed is a whole number"),
        (start() | {"kind": ["start"]}, "kind=.*: allowed is a word"),
        (start(command=3), "command=3: allowed is a text"),
        (start(processes="two"), "processes='two': allowed is a whole number"),
        (update(1, 1.0, entropy="low"), "entropy='low': allowed is a number"),
        (update(1, 1.0, illegal=[]), "illegal=.*: allowed is a number"),
        (evaluation(1, 1.0, 0.5) | {"found": [{}]}, "found=.*: allowed is a list of what came"),
        (evaluation(1, 1.0, 0.5) | {"found": [row("greedy", 0.5, 0.0) | {"margin": 3}]}, "found=.*: allowed"),
        (evaluation(1, 1.0, 0.5) | {"rating": None}, "rating=None: allowed is two numbers"),
        (evaluation(1, 1.0, 0.5) | {"ratings": {"greedy": [1.0]}}, "ratings=.*: allowed is two numbers"),
        (evaluation(1, 1.0, 0.5) | {"evaluation_seconds": "x"}, "evaluation_seconds='x': allowed is a number"),
    ],
)
def test_what_a_record_cannot_say_is_named(tmp_path: Path, record: dict[str, Any], said: str) -> None:
    path = tmp_path / LOG_FILE
    path.write_text(to_json(start()) + "\n" + to_json(record) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"no log of a run: line 2: {said}"):
        read_log(path)


class Gone(io.StringIO):
    """A terminal or pipe that is there for so many writes."""

    def __init__(self, writes: int, error: OSError) -> None:
        super().__init__()
        self.writes, self.error = writes, error

    def write(self, text: str) -> int:
        self.writes -= 1
        if self.writes < 0:
            raise self.error
        return super().write(text)


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), BrokenPipeError()])
@pytest.mark.parametrize(("terminal", "writes"), [(True, 0), (True, 4), (False, 0), (False, 2)])
def test_a_screen_that_is_gone_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, terminal: bool, writes: int
) -> None:
    file = Gone(writes, error)
    monkeypatch.setattr(os, "dup2", lambda *_: None)  # rich gives up the standard output as well
    out, err = sys.stdout, sys.stderr
    with pytest.warns(UserWarning, match="the screen has failed"):
        told(tmp_path, Console(file=file, force_terminal=terminal, width=80), run_records())
    assert (sys.stdout, sys.stderr) == (out, err)
    assert file.writes < 0
    records = read_log(tmp_path / LOG_FILE)
    assert [record["kind"] for record in records] == [record["kind"] for record in run_records()]


def test_a_panel_that_cannot_be_drawn_does_not_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "_results", lambda self: [] if not self._curve else 1 / 0)
    console = terminal()
    with pytest.warns(UserWarning, match="ZeroDivisionError"):
        told(tmp_path, console, run_records())
    assert len(read_log(tmp_path / LOG_FILE)) == len(run_records())
    assert console.file.getvalue().endswith("\x1b[?25h")  # the cursor is back


def test_updates_alone_are_left_to_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draws: list[str] = []
    monkeypatch.setattr(Panel, "__rich__", lambda self: draws.append(self.status) or "")
    updates = [update(1000 * number, float(number)) for number in range(1, 200)]
    told(tmp_path, terminal(), [*updates, evaluation(200_000, 200.0, 0.5)])
    assert len(draws) < 20
    assert {"evaluating", "training", "finished"} <= set(draws)


def test_half_a_line_ends_a_log_and_another_file_is_none(tmp_path: Path) -> None:
    told(tmp_path, terminal(), run_records())
    path = tmp_path / LOG_FILE
    whole = read_log(path)
    path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert read_log(path) == whole[:-1]
    assert {record["decisions"] for record in read_log(path, 100_000)} == {0, 50_000, 100_000}
    for content, said in (
        (b"{\n{}\n", "line 1"),
        (b"[]\n", "no kind and decisions"),
        (b"\xff\n", "utf-8"),
        (b'{"kind": "evaluation", "decisions": 0, "seconds": 0.0, "found": []}\n', "line 1 has no rating"),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"no log of a run.*: .*{said}"):
            read_log(path)
