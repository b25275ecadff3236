"""A training run, from the first deal to the last table: read it from top to bottom."""

from __future__ import annotations

import itertools
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cardenvs import make_bot, make_vec
from cardenvs.files import to_json, write_atomic, write_text
from training.advantage import seat_advantages
from training.checkpoint import Progress, load_checkpoint, save_checkpoint, save_policy
from training.clock import Clock
from training.config import RunConfig, TrainConfig, write_settings
from training.evaluation import against_bots, table
from training.league import League
from training.log import RunLog
from training.model import Policy, make_network
from training.ppo import (
    Loss,
    NonFiniteError,
    imitation_losses,
    losses,
    make_samples,
    update,
    value_imitation_losses,
)
from training.ratings import Table, drop_snapshots, judge, snapshot_name
from training.report import write_report
from training.rollout import Collector, Rollout
from training.teacher import Teacher


class Run:
    """Self-play: one network plays every seat, and learns from every seat's decisions.

    Args:
        config: every setting.
        folder: of the run, existing; all its files are written there.
        resume: go on from the folder's checkpoint.

    Raises:
        ValueError: a setting does not fit the game or the machine, or the checkpoint is of another run.
    """

    def __init__(self, config: TrainConfig, folder: Path, resume: bool = False) -> None:
        env, ppo, seed = config.env, config.ppo, config.run.seed
        self.config, self.folder = config, folder
        self.device = _device(config.run.device)
        torch.set_num_threads(config.run.threads or usable_cores())
        self.clock = Clock(self.device)
        self.vec = make_vec(env.variant, env.num_envs, seed, env.threads, skip_forced=True, **env.game_options())
        self.game = self.vec.game
        self.network = make_network(self.game, config.network, torch.Generator().manual_seed(seed)).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=ppo.lr, eps=1e-5)
        self.generator = torch.Generator(self.device).manual_seed(seed)
        self.league = League(self.game, config.league, env.num_envs)
        self.collector = Collector(
            self.vec, seed, self.network, ppo.steps, self.generator, self.device, self.clock,
            _bootstraps(config), self.league, config.network.playout,
        )  # fmt: skip
        self.game.bot_number(config.network.playout)
        self.teacher = Teacher(self.vec, config.imitation) if config.imitation.bot else None
        for name in config.evaluation.opponents:
            make_bot(self.game, name)  # a name that is none is told now, and not when the first games are judged
        self.policy = Policy(self.game, self.network.actor, config.evaluation.sample)
        self.progress = Progress()
        if resume:
            self.progress = load_checkpoint(
                self._file("checkpoint.pt"), config, self.network, self.optimizer, self.generator, self.collector
            )
            if ppo.total_decisions < self.progress.decisions:
                made = self.progress.decisions
                raise ValueError(f"total_decisions={ppo.total_decisions}: the run has made {made}; allowed is no less")

    def train(self) -> list[dict[str, Any]]:
        """Learn until the decisions or the minutes are used up, or a signal asks to stop.

        Returns:
            The last evaluation, as `against_bots` gives it; empty when a signal stopped the run.

        Raises:
            NonFiniteError: a loss became NaN or infinite; the batch is saved in the folder.
        """
        write_settings(self.folder, self.config)
        progress = self.progress
        saved = time.monotonic()
        log = RunLog(self.folder, self.config, progress.decisions, self.clock, self._about())
        with log, _stop_signals(log.stopping) as stop:
            if not progress.curve:
                self._judge(log)
            while not self._done() and not stop:
                stats = self.cycle()
                log.update(progress.decisions, stats)
                if progress.decisions - progress.evaluated >= self.config.evaluation.every and not self._done():
                    self._judge(log)
                if time.monotonic() - saved >= 60 * self.config.run.checkpoint_every:
                    self.save()
                    saved = time.monotonic()
            self.save()
            return [] if stop else self._finish(log)

    def _done(self) -> bool:
        minutes = self.config.run.max_minutes
        used_up = minutes is not None and self.progress.seconds >= 60 * minutes
        return used_up or self.progress.decisions >= self.config.ppo.total_decisions

    def cycle(self) -> dict[str, float]:
        """Play, credit, learn; returns what to log."""
        start = time.perf_counter()
        ppo, progress = self.config.ppo, self.progress
        done = progress.decisions / ppo.total_decisions
        for group in self.optimizer.param_groups:
            group["lr"] = ppo.lr * _falling(done, ppo.lr_end)
        entropy_coef = ppo.entropy_coef * _falling(done, ppo.entropy_end)

        imitating = progress.decisions < self.config.imitation.decisions
        self.collector.teacher = self.teacher if imitating else None
        if not imitating:
            self.league.grow(self.network.actor, progress.decisions)
        rollout = self.collector.collect()
        if not rollout.learn.any():
            raise ValueError("league: the bots made all decisions; allowed is a smaller share, or more games or steps")
        with self.clock.lap("advantage"):
            advantage, start_return = seat_advantages(
                rollout.reward, rollout.seat, rollout.terminated, rollout.truncated,
                rollout.value, rollout.final_value, rollout.edge_value, ppo.gamma, ppo.gae_lambda,
            )  # fmt: skip
            samples = make_samples(rollout, advantage, start_return, self.device)
        loss: Loss = partial(losses, config=ppo, entropy_coef=entropy_coef)
        if imitating:
            loss = partial(imitation_losses, config=ppo)
            if self.config.imitation.learn == "values":
                loss = partial(value_imitation_losses, config=ppo, temperature=self.config.imitation.temperature)
        try:
            stats = update(self.network, self.optimizer, samples, loss, ppo, self.generator, self.clock)
        except NonFiniteError as error:
            batch = error.batch
            write_atomic(self._file("nonfinite.pt"), lambda file: torch.save(batch, file))
            raise

        seconds = time.perf_counter() - start
        progress.decisions += int(rollout.learn.sum())
        progress.updates += 1
        progress.seconds += seconds
        progress.illegal += rollout.illegal
        return {
            **stats,
            **_describe(rollout, advantage),
            **{f"beaten_by_{name}": rate for name, rate in self.league.rates().items()},
            "lr": self.optimizer.param_groups[0]["lr"],
            "illegal": progress.illegal,
            "seconds": progress.seconds,
            "decisions_per_second": rollout.learn.sum() / seconds,
        }

    def _judge(self, log: RunLog) -> None:
        settings, progress = self.config.evaluation, self.progress
        log.evaluating()
        found = against_bots(self.policy, settings.opponents, settings.deals, settings.seed)
        progress.evaluated = progress.decisions
        progress.curve.append({"decisions": progress.decisions, "seconds": progress.seconds, "found": found})
        log.evaluation(progress.decisions, progress.seconds, found, self._rate())

    def _rate(self) -> Table:
        """Keep the policy as a snapshot, have it play the others, and return the ratings of all."""
        name, folder = snapshot_name(self.progress.decisions), self._file("snapshots")
        folder.mkdir(exist_ok=True)
        save_policy(folder / f"{name}.pt", self.game, self.network.actor, self.config.network)
        before = {other: rating for other, rating in self.progress.ratings.items() if other != name}
        self.progress.ratings = judge(self.game, self.policy, name, before, folder, self.config.evaluation)
        return self.progress.ratings

    def save(self) -> None:
        """Write the checkpoint, and the policy as it is now; then snapshots past the limit may go."""
        save_checkpoint(
            self._file("checkpoint.pt"),
            self.config, self.network, self.optimizer, self.generator, self.collector, self.progress,
        )  # fmt: skip
        save_policy(self._file("policy.pt"), self.game, self.network.actor, self.config.network)
        drop_snapshots(self._file("snapshots"), self.progress.ratings, self.config.evaluation)

    def _finish(self, log: RunLog) -> list[dict[str, Any]]:
        """The last evaluation: as a table, as JSON, and as the last point of the learning curve."""
        settings, progress = self.config.evaluation, self.progress
        log.evaluating()
        found = against_bots(self.policy, settings.opponents, settings.final_deals, settings.seed + settings.deals)
        log.evaluation(progress.decisions, progress.seconds, found, self._rate())
        curve = [*progress.curve, {"decisions": progress.decisions, "seconds": progress.seconds, "found": found}]
        result = {
            **self._about(),
            "variant": self.game.id,
            "options": self.game.options,
            "seed": self.config.run.seed,
            "decisions": progress.decisions,
            "updates": progress.updates,
            "training_seconds": round(progress.seconds, 1),
            "illegal_actions": progress.illegal,
            "time_split": {name: round(share, 4) for name, share in self.clock.split().items()},
            "found": found,
            "curve": curve,
            "ratings": progress.ratings,
        }
        write_text(self._file("evaluation.json"), to_json(result, indent=2) + "\n")
        write_report(self.folder)
        return found

    def _about(self) -> dict[str, Any]:
        """How this process was started, and on what it runs."""
        command = shlex.join([Path(sys.executable).name, *sys.argv])
        return {"command": command, "device": str(self.device), "threads": torch.get_num_threads()}

    def report(self, found: list[dict[str, Any]]) -> str:
        """What came of the run, as text."""
        progress, split = self.progress, self.clock.split()
        shares = ", ".join(f"{name} {100 * share:.1f} %" for name, share in split.items() if name != "outside")
        files = "  ".join(str(self._file(name)) for name in ("report.md", "evaluation.json", "policy.pt"))
        return (
            f"{self.game.id}, {self.game.num_players} players: {progress.decisions:,} decisions in "
            f"{progress.seconds / 60:.1f} minutes of training, {progress.illegal} illegal\n"
            f"time: {shares}; outside the network's forward, backward and optimiser {100 * split['outside']:.1f} %\n\n"
            f"{table(found)}\n\n"
            f"{files}"
        )

    def _file(self, name: str) -> Path:
        return self.folder / name


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def new_folder(config: RunConfig) -> Path:
    """Make the folder of a new run; a number is added to its name when that is taken.

    Raises:
        ValueError: no folder can be made there.
    """
    parent = Path(config.folder)
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            folder = parent / (config.name if number == 1 else f"{config.name}-{number}")
            with suppress(FileExistsError):
                folder.mkdir()
                return folder
    except OSError as error:
        raise ValueError(f"folder={config.folder}: allowed is a folder, there or to be made ({error})") from error
    raise AssertionError("unreachable")


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("device='cuda': PyTorch finds no CUDA device here; allowed is cpu or auto")
    return torch.device(name)


def _bootstraps(config: TrainConfig) -> bool:
    """Whether a truncated episode is valued at what it might still have paid; see `PPOConfig.bootstrap_truncated`."""
    if config.ppo.bootstrap_truncated is not None:
        return config.ppo.bootstrap_truncated
    return config.env.reward == "win" and config.network.critic != "playout"


def _falling(done: float, end: float) -> float:
    """From 1 in a straight line to `end`, as `done` goes from 0 to 1."""
    return 1.0 - done * (1.0 - end)


def _describe(rollout: Rollout, advantage: np.ndarray) -> dict[str, float]:
    """What a rollout says of the games and of the values."""
    ended = int((rollout.terminated | rollout.truncated).sum())
    learned = advantage[rollout.learn]
    target = learned + rollout.value[rollout.learn]
    return {
        "episodes": ended,
        "decisions_per_episode": rollout.action.size / max(ended, 1),
        "truncated": float(rollout.truncated.sum()) / max(ended, 1),
        "explained_variance": float(1.0 - learned.var() / max(float(target.var()), 1e-8)),
    }


class _Stop:
    """True once a signal has asked the run to stop."""

    asked = False

    def __bool__(self) -> bool:
        return self.asked


@contextmanager
def _stop_signals(tell: Callable[[], None]) -> Iterator[_Stop]:
    """Let Ctrl-C and a polite kill end the run between two updates, and tell; a second Ctrl-C ends it at once."""
    stop = _Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread may handle signals
        return

    def ask(number: int, frame: object) -> None:
        stop.asked = True
        tell()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
