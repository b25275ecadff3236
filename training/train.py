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
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import torch

from cardenvs import make_bot, make_vec
from cardenvs.files import to_json, write_atomic, write_text
from training.advantage import seat_advantages
from training.checkpoint import Progress, load_checkpoint, process_state, save_checkpoint, save_policy
from training.clock import Clock
from training.config import CONFIG_FILE, RunConfig, TrainConfig, read_settings, write_settings
from training.evaluation import against_bots, table
from training.league import League
from training.log import RunLog
from training.model import ActorCritic, Policy, make_network
from training.parallel import ALONE, Group
from training.ppo import (
    Loss,
    NonFiniteError,
    Samples,
    imitation_losses,
    losses,
    make_samples,
    update,
    value_imitation_losses,
)
from training.ratings import Table, drop_snapshots, judge, snapshot_name
from training.records import LOG_FILE, began, read_log
from training.report import RESULT_FILE, read_result, write_report
from training.returns import ReturnScale
from training.rollout import Collector, Rollout
from training.teacher import Teacher


class Run:
    """Self-play: one network plays every seat, and learns from every seat's decisions.

    Args:
        config: every setting.
        folder: of the run, existing; all its files are written there, by the first process.
        resume: go on from the folder's checkpoint; every process reads it.
        group: the processes that train together, each with games and samples of its own.

    Raises:
        ValueError: a setting does not fit the game or the machine, or the checkpoint is of another run.
    """

    def __init__(self, config: TrainConfig, folder: Path, resume: bool = False, group: Group = ALONE) -> None:
        env, ppo, seed = config.env, config.ppo, config.run.seed
        self.config, self.folder, self.group = config, folder, group
        self.device = _device(config.run.device, group)
        torch.set_num_threads(config.run.threads or max(1, usable_cores() // group.local_size))
        self.clock = Clock(self.device)
        self.vec = make_vec(env.variant, env.num_envs, seed, env.threads, skip_forced=True, **env.game_options())
        self.game = self.vec.game
        self.network = make_network(self.game, config.network, torch.Generator().manual_seed(seed))
        # Another kind of processor may have made them with other last bits.
        self.network.load_state_dict(group.of_first(self.network.state_dict))
        self.network.to(self.device)
        if config.run.compile:
            _compile(self.network, self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=ppo.lr, eps=1e-5)
        self.generator = torch.Generator(self.device).manual_seed(group.seed(seed))
        self.league = League(self.game, config.league, env.num_envs)
        deals = seed + group.rank * env.num_envs  # all the games of all processes begin as those of a wider one would
        self.collector = Collector(
            self.vec, deals, self.network, ppo.steps, self.generator, self.device, self.clock,
            _bootstraps(config), self.league, config.network.playout, ppo.reward_power,
        )  # fmt: skip
        self.game.bot_number(config.network.playout)
        self.teacher = Teacher(self.vec, config.imitation) if config.imitation.bot else None
        for name in config.evaluation.opponents:
            make_bot(self.game, name)  # a name that is none is told now, and not when the first games are judged
        self.policy = Policy(self.game, self.network.actor, config.evaluation.sample)
        self.progress, self.returns = Progress(), ReturnScale()
        if resume:
            self.progress = load_checkpoint(
                self._file("checkpoint.pt"), config, self.network, self.optimizer, self.generator, self.collector,
                self.returns, group,
            )  # fmt: skip
            self._check_total()

    def _check_total(self) -> None:
        """ValueError where a resumed run has nothing left to do, or should have ended before.

        The last update goes a little beyond `total_decisions`: a run that was killed while it was judged at its end has
        made more, and only wants that.
        """
        total, made = self.config.ppo.total_decisions, self.progress.decisions
        if total >= made:
            return
        if total != read_settings(self._file(CONFIG_FILE))[0]["ppo"]["total_decisions"]:
            raise ValueError(f"total_decisions={total}: the run has made {made}; allowed is no less")
        result = self._file(RESULT_FILE)
        if result.is_file() and read_result(result).get("decisions") == made:
            more = f"--ppo.total_decisions above {made} to go on, or {made} to be judged again"
            raise ValueError(f"{self.folder}: the run is finished; allowed is {more}")

    def train(self) -> list[dict[str, Any]] | None:
        """Learn until the decisions or the minutes are used up, or a signal asks to stop; then judge what came of it.

        Returns:
            The last evaluation, as `against_bots` gives it; None when a signal stopped the run.

        Raises:
            NonFiniteError: a loss became NaN or infinite; the batch is saved in the folder.
            KeyboardInterrupt: a signal came when all had been learned; resumed, the run is judged.
        """
        self.clock.seconds.clear()  # of what was compiled before the first update
        with ExitStack() as stack:
            log = None
            if self.group.first:
                write_settings(self.folder, self.config)
                log = RunLog(self.folder, self.config, self.progress.decisions, self.clock, self._about())
                stack.enter_context(log)
            stop = stack.enter_context(_stop_signals(self.group, log.stopping if log is not None else lambda: None))
            return self._learn(log, stop)

    def _learn(self, log: RunLog | None, stop: _Stop) -> list[dict[str, Any]] | None:
        """`train`, with the log that the first process writes."""
        progress, group = self.progress, self.group
        saved = time.monotonic()
        if not progress.curve:
            self._judge(log)
        while not self._done() and not group.any(bool(stop)):
            stats = self.cycle()
            if log is not None:
                log.update(progress.decisions, stats)
            if progress.decisions - progress.evaluated >= self.config.evaluation.every and not self._done():
                self._judge(log)
            if group.gather(time.monotonic() - saved >= 60 * self.config.run.checkpoint_every)[0]:
                self.save()
                saved = time.monotonic()
        self.save()
        stop.at_once = True
        if group.any(bool(stop)):
            return None
        return group.of_first(partial(self._finish, log))

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
        if not all(self.group.gather(bool(rollout.learn.any()))):
            why = "league: the bots made all decisions; allowed is a smaller share"
            if imitating:
                why = "imitation: all decisions were random; allowed is a smaller explore"
            raise ValueError(f"{why}, or more games or steps")
        with self.clock.lap("advantage"):
            samples, explained = self._credit(rollout)
        loss: Loss = partial(losses, config=ppo, entropy_coef=entropy_coef)
        if imitating:
            loss = partial(imitation_losses, config=ppo)
            if self.config.imitation.learn == "values":
                loss = partial(value_imitation_losses, config=ppo, temperature=self.config.imitation.temperature)
        try:
            stats = update(self.network, self.optimizer, samples, loss, ppo, self.generator, self.clock, self.group)
        except NonFiniteError as error:
            self._save_batch(error)
            raise
        if not imitating or self.network.critic is not None:  # nothing is played out for values in the first stage
            stats["explained_variance"] = explained
        rates = {f"beaten_by_{name}": rate for name, rate in self.league.rates().items()}
        return self._note(start, rollout, stats | rates)

    def _credit(self, rollout: Rollout) -> tuple[Samples, float]:
        """What to learn from a rollout, and how much of what came the values foresaw."""
        ppo = self.config.ppo
        if ppo.normalize_returns:
            rollout = self.returns.unscaled(rollout)
        advantage, start_return = seat_advantages(
            rollout.reward, rollout.seat, rollout.terminated, rollout.truncated,
            rollout.value, rollout.final_value, rollout.edge_value, ppo.gamma, ppo.gae_lambda,
        )  # fmt: skip
        samples = make_samples(rollout, advantage, start_return, self.device, self.group)
        if ppo.normalize_returns:
            self.returns.see((advantage + rollout.value)[rollout.learn], self.group)
            samples = self.returns.scaled(samples)
        return samples, _explained(rollout, advantage)

    def _note(self, start: float, rollout: Rollout, stats: dict[str, float]) -> dict[str, float]:
        """Bring the progress up to date with what all processes did since `start`; returns what to log."""
        progress = self.progress
        seconds = max(self.group.gather(time.perf_counter() - start))
        made = _sums(self.group.gather(_counts(rollout)))
        progress.decisions += made["learned"]
        progress.updates += 1
        progress.seconds += seconds
        progress.illegal += made["illegal"]
        return {
            **_means(self.group.gather(stats)),
            "episodes": made["episodes"],
            "decisions_per_episode": made["played"] / max(made["episodes"], 1),
            "truncated": made["truncated"] / max(made["episodes"], 1),
            "lr": self.optimizer.param_groups[0]["lr"],
            "illegal": progress.illegal,
            "seconds": progress.seconds,
            "decisions_per_second": made["learned"] / seconds,
        }

    def _save_batch(self, error: NonFiniteError) -> None:
        """Keep the minibatch that broke the run, of the first process on which it did."""
        _, batch = min(self.group.gather((error.sound, error.batch)), key=itemgetter(0))
        if self.group.first:
            write_atomic(self._file("nonfinite.pt"), lambda file: torch.save(batch, file))

    def _judge(self, log: RunLog | None) -> None:
        """Have the first process, which has the log, judge the policy; the others go on, and wait for it there."""
        settings, progress = self.config.evaluation, self.progress
        progress.evaluated = progress.decisions
        if log is None:
            return
        log.evaluating()
        found = against_bots(self.policy, settings.opponents, settings.deals, settings.seed)
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
        processes = self.group.gather(process_state(self.generator, self.collector))
        if not self.group.first:
            return
        save_checkpoint(
            self._file("checkpoint.pt"),
            self.game, self.config, self.network, self.optimizer, self.device, self.returns, processes, self.progress,
        )  # fmt: skip
        save_policy(self._file("policy.pt"), self.game, self.network.actor, self.config.network)
        drop_snapshots(self._file("snapshots"), self.progress.ratings, self.config.evaluation)

    def _finish(self, log: RunLog | None) -> list[dict[str, Any]]:
        """The last evaluation: as a table, as JSON, and as the last point of the learning curve."""
        settings, progress = self.config.evaluation, self.progress
        if log is not None:
            log.evaluating()
        found = against_bots(self.policy, settings.opponents, settings.final_deals, settings.seed + settings.deals)
        rating = self._rate()
        if log is not None:
            log.evaluation(progress.decisions, progress.seconds, found, rating, last=True)
        curve = [*progress.curve, {"decisions": progress.decisions, "seconds": progress.seconds, "found": found}]
        result = {
            **self._about(),
            **began(read_log(self._file(LOG_FILE))),  # how the run was made, though another process may have ended it
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
        return {
            "command": shlex.join([Path(sys.executable).name, *sys.argv]),
            "device": str(self.device),
            "threads": torch.get_num_threads(),
            "processes": self.group.size,
        }

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


def crowded() -> str | None:
    """A warning where other programs want the cores that the threads of the arithmetic count on; else None.

    One thread of two that has to wait holds up the other at every layer: training gets several times slower than with
    one thread.
    """
    threads = torch.get_num_threads()
    cores, load = usable_cores(), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if threads == 1 or load + threads < cores + 0.5:
        return None
    return (
        f"warning: {load:.1f} of {cores} cores were busy in the last minute; --run.threads {threads - 1} may be faster"
    )


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


def _device(name: str, group: Group) -> torch.device:
    """The device of this process: each of a machine's processes has a CUDA device of its own."""
    if name == "cpu" or (name == "auto" and not torch.cuda.is_available()):
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise ValueError("device='cuda': PyTorch finds no CUDA device here; allowed is cpu or auto")
    if torch.cuda.device_count() < group.local_size:
        found = f"{torch.cuda.device_count()} CUDA devices for {group.local_size} processes"
        raise ValueError(f"device={name!r}: PyTorch finds {found} here; allowed is cpu, or a process a device")
    device = torch.device("cuda", group.local_rank)
    torch.cuda.set_device(device)
    return device


def _compile(network: ActorCritic, device: torch.device) -> None:
    """Have both networks compiled when they are first called; the names of their weights stay as they were."""
    try:
        torch.compile(torch.neg)(torch.zeros(2, device=device))
    except RuntimeError as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"compile=True: PyTorch can compile nothing for {device} here ({reason}); allowed is false"
        ) from error
    for part in (network.actor, network.critic):
        if part is not None:
            part.compile(dynamic=True)  # batches are of many sizes


def _bootstraps(config: TrainConfig) -> bool:
    """Whether a truncated episode is valued at what it might still have paid; see `PPOConfig.bootstrap_truncated`."""
    if config.ppo.bootstrap_truncated is not None:
        return config.ppo.bootstrap_truncated
    return config.env.reward == "win" and config.network.critic != "playout"


def _falling(done: float, end: float) -> float:
    """From 1 in a straight line to `end`, as `done` goes from 0 to 1."""
    return 1.0 - done * (1.0 - end)


def _counts(rollout: Rollout) -> dict[str, int]:
    """Of a rollout: decisions, those to learn from and the illegal ones; episodes that ended, and those cut off."""
    return {
        "played": rollout.action.size,
        "learned": int(rollout.learn.sum()),
        "illegal": rollout.illegal,
        "episodes": int((rollout.terminated | rollout.truncated).sum()),
        "truncated": int(rollout.truncated.sum()),
    }


def _explained(rollout: Rollout, advantage: np.ndarray) -> float:
    """The share of the targets' variance that the values foresaw."""
    learned = advantage[rollout.learn]
    target = learned + rollout.value[rollout.learn]
    return float(1.0 - learned.var() / max(float(target.var()), 1e-8))


def _sums(parts: list[dict[str, int]]) -> dict[str, int]:
    return {name: sum(part[name] for part in parts) for name in parts[0]}


def _means(parts: list[dict[str, float]]) -> dict[str, float]:
    """Of each figure, over those who have it: who met no bot yet has none for it."""
    found = {name: [part[name] for part in parts if name in part] for part in parts for name in part}
    return {name: sum(values) / len(values) for name, values in found.items()}


class _Stop:
    """True once a signal has asked the run to stop.

    Attributes:
        at_once: all is saved that there is to save: a signal ends a lone process where it is.
    """

    asked = False
    at_once = False

    def __bool__(self) -> bool:
        return self.asked


@contextmanager
def _stop_signals(group: Group, tell: Callable[[], None]) -> Iterator[_Stop]:
    """Let Ctrl-C and a polite kill end the run between two updates, and tell; a second one ends a lone process at once.

    One of several has the same signal from the terminal and from torchrun, which itself ends those that take too long.
    """
    stop = _Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread may handle signals
        return

    def ask(number: int, frame: object) -> None:
        stop.asked = True
        tell()
        if group.size == 1 and stop.at_once:
            raise KeyboardInterrupt
        if group.size == 1:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
