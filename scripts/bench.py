"""Measure speed: decisions per second of random legal play with row and mask written at every decision, and start-up.

`python scripts/bench.py`; `--quick` in seconds; `--help` lists every setting. Every figure is the median of several
runs, which are interleaved so that a busy spell of the machine falls on all alike.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import platform
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from jsonargparse import ArgumentParser, Namespace
from rich.console import Console
from rich.progress import track

import cardenvs
from cardenvs.checks import check_whole
from cardenvs.files import check_target, to_json, write_text
from cardenvs.games import VARIANTS

BATCHES = (1, 64, 1024, 4096)
WARM_UP = 200
"""Decisions of each game before the clock starts: the games are then at all stages of a round."""

CALL = 1 << 18
"""Decisions that one call of the compiled loop makes, about."""


@dataclass(frozen=True)
class Case:
    """Something to measure.

    Attributes:
        kind: "loop" (compiled), "step" (from Python), "env", "raw_env", or the name of a yardstick.
        variant, players, threads, batch: of what is measured.
        run: seconds to measure for, about -> decisions per second.
    """

    kind: str
    variant: str
    players: int
    threads: int
    batch: int
    run: Callable[[float], float]


# Ours -----------------------------------------------------------------------------------------------------------------


def loop(variant: str, players: int, threads: int, batch: int, seconds: float) -> float:
    """Decisions per second of the compiled loop of random play."""
    vec = cardenvs.make_vec(variant, batch, seed=0, threads=threads, num_players=players)
    vec.random_steps(WARM_UP)
    steps, decisions, start = max(1, CALL // batch), 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        vec.random_steps(steps)
        decisions += steps * batch
    return decisions / spent


def step(variant: str, players: int, threads: int, batch: int, seconds: float) -> float:
    """Decisions per second of `step` with `random_actions`, called from Python, into arrays of the caller's."""
    vec = cardenvs.make_vec(variant, batch, seed=0, threads=threads, num_players=players)
    vec.random_steps(WARM_UP)
    out = vec.step(vec.random_actions())
    decisions, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        vec.step(vec.random_actions(), out)
        decisions += batch
    return decisions / spent


def aec(variant: str, players: int, maker: str, seconds: float) -> float:
    """Decisions per second of one AEC environment: `step` and `last`; choosing the action is not counted."""
    env = getattr(importlib.import_module(f"cardenvs.{variant}"), maker)(num_players=players)
    env.reset(seed=0)
    rng, seen, decisions, spent, warm = random.Random(0), env.last()[0], 0, 0.0, False
    while not warm or spent < seconds:
        action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        start = time.perf_counter()
        env.step(action)
        seen, _, terminated, truncated, _ = env.last()
        spent += time.perf_counter() - start
        decisions += 1
        if terminated or truncated:
            env.reset()
            seen = env.last()[0]
            if not warm:  # The end of an episode, too, has loaded the compiled code that it takes.
                decisions, spent, warm = 0, 0.0, True
    return decisions / spent


# Yardsticks: gin rummy as others have it, counted in the same way -----------------------------------------------------


def open_spiel(best: bool, seconds: float) -> float:
    """Decisions per second of OpenSpiel's gin_rummy through Python: apply, draw, legal actions, observation.

    As one would write it; or, at its `best`, with an observer that writes into one array, and games by `clone`.
    """
    import pyspiel

    game, rng, decisions, spent = pyspiel.load_game("gin_rummy"), random.Random(0), 0, 0.0
    if best:
        from open_spiel.python.observation import make_observation

        observer, begin = make_observation(game), game.new_initial_state().clone
    else:
        observer, begin = None, game.new_initial_state

    def draw(state: Any) -> None:
        while state.is_chance_node():
            # All cards are as likely; their chances need not be asked for.
            state.apply_action(rng.choice(state.legal_actions()) if best else rng.choice(state.chance_outcomes())[0])

    def look(state: Any) -> None:
        if observer is None:
            state.observation_tensor(state.current_player())
        else:
            observer.set_from(state, state.current_player())

    while spent < seconds:
        state = begin()
        draw(state)
        legal = state.legal_actions()
        while legal:
            action = rng.choice(legal)
            start = time.perf_counter()
            state.apply_action(action)
            draw(state)
            legal = state.legal_actions()
            if legal:
                look(state)
            spent += time.perf_counter() - start
            decisions += 1
    return decisions / spent


def pettingzoo_gin(seconds: float) -> float:
    """Decisions per second of PettingZoo's own gin_rummy_v4, which it had until 1.26: `step` and `last`."""
    env = importlib.import_module("pettingzoo.classic.gin_rummy_v4").env()
    rng, decisions, spent = random.Random(0), 0, 0.0
    while spent < seconds:
        env.reset(seed=decisions)
        seen, _, terminated, truncated, _ = env.last()
        while not (terminated or truncated):
            action = rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
            start = time.perf_counter()
            env.step(action)
            seen, _, terminated, truncated, _ = env.last()
            spent += time.perf_counter() - start
            decisions += 1
    return decisions / spent


def rlcard(seconds: float) -> float:
    """Decisions per second of RLCard's gin-rummy: `step`, which gives observation and legal actions."""
    import rlcard

    env, rng, decisions, spent = rlcard.make("gin-rummy", config={"seed": 0}), random.Random(0), 0, 0.0
    while spent < seconds:
        state, _ = env.reset()
        while not env.is_over():
            action = rng.choice(list(state["legal_actions"]))
            start = time.perf_counter()
            state, _ = env.step(action)
            spent += time.perf_counter() - start
            decisions += 1
    return decisions / spent


YARDSTICKS = {
    "OpenSpiel": ("pyspiel", partial(open_spiel, False)),
    "OpenSpiel, best": ("pyspiel", partial(open_spiel, True)),
    "RLCard": ("rlcard", rlcard),
    "PettingZoo": ("pettingzoo.classic.gin_rummy_v4", pettingzoo_gin),
}
"""The gin rummy of others, with the module that has it."""

# Training -------------------------------------------------------------------------------------------------------------


def training(settings: Namespace) -> dict[str, Any]:
    """The trainer beside its bare arithmetic, for each number of threads, and sb3-contrib's where it is installed."""
    from training.benchmark import maskable_ppo, training_rates  # here: it imports torch

    rows: list[dict[str, Any]] = []
    for threads in track(settings.threads, "measuring", console=Console(stderr=True), transient=True):
        found = training_rates(threads, settings.repeats)
        rows.append({"name": "ours", "threads": threads, "rates": found.ours, "split": found.split})
        rows.append({"name": "bare torch", "threads": threads, "rates": found.bare})
        if installed("sb3_contrib"):
            rates = [maskable_ppo(threads, seed) for seed in range(settings.repeats)]
            rows.append({"name": "MaskablePPO", "threads": threads, "rates": rates})
    for row in rows:
        row["rate"] = statistics.median(row["rates"])
    return {"training": rows}


def training_table(rows: list[dict[str, Any]]) -> list[str]:
    """Decisions per second, and as a share of the bare arithmetic on as many threads."""
    bare = {row["threads"]: row["rate"] for row in rows if row["name"] == "bare torch"}
    lines = [
        "Four-player Cachons; MaskablePPO has one seat of two-player Rummy against random: rows a quarter shorter",
        f"{'':12} threads  decisions/s  of the bare arithmetic (%)",
    ]
    for row in rows:
        share = f"{100 * row['rate'] / bare[row['threads']]:8.1f}" if row["threads"] in bare else f"{'-':>8}"
        lines.append(f"{row['name']:12} {row['threads'] or '-':>7} {row['rate']:12,.0f} {share}")
    return lines


# Start-up -------------------------------------------------------------------------------------------------------------

START = """
import json, sys, time
variant, clock = sys.argv[1], [time.perf_counter()]
import cardenvs
clock.append(time.perf_counter())
env = getattr(cardenvs, variant).env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
env.last()
clock.append(time.perf_counter())
vec = cardenvs.make_vec(variant, num_envs=64, seed=0)
vec.step(vec.random_actions())
clock.append(time.perf_counter())
print(json.dumps([after - before for before, after in zip(clock, clock[1:])]))
"""


def start_up(variant: str, cache: Path | None) -> dict[str, float]:
    """Seconds in a fresh process: the import, the first AEC decision after it, the first batch after that.

    `cache` is the folder of compiled code; None for the usual one.
    """
    env = os.environ | ({} if cache is None else {"CARDENVS_CACHE": str(cache)})
    done = subprocess.run([sys.executable, "-c", START, variant], env=env, capture_output=True, text=True, check=True)
    return dict(zip(("import", "aec", "vector"), json.loads(done.stdout), strict=True))


def start_ups(settings: Namespace) -> list[dict[str, Any]]:
    """Cold once per family, since its variants share what is compiled; warm for each variant."""
    rows, families = [], set()
    with tempfile.TemporaryDirectory() as folder:
        cache = None if settings.quick else Path(folder)
        for id in settings.variants:
            family = VARIANTS[id].family.name
            if cache is not None and family not in families:
                families.add(family)
                rows.append({"variant": id, "cache": "cold", **start_up(id, cache)})
            runs = [start_up(id, cache) for _ in range(settings.repeats)]
            rows.append({"variant": id, "cache": "warm"} | {k: statistics.median(r[k] for r in runs) for k in runs[0]})
    return rows


# Together -------------------------------------------------------------------------------------------------------------


def make_cases(settings: Namespace) -> list[Case]:
    """Everything that is measured but start-up."""
    cases = []
    for id in settings.variants:
        usual, (least, most) = VARIANTS[id].default_players, VARIANTS[id].players
        for players in [usual] if settings.quick else range(least, most + 1):
            for threads in settings.threads:
                for batch in [b for b in BATCHES if b >= threads]:
                    key = id, players, threads, batch
                    cases.append(Case("loop", *key, partial(loop, *key)))
                    if players == usual:
                        cases.append(Case("step", *key, partial(step, *key)))
        cases += [Case(maker, id, usual, 1, 1, partial(aec, id, usual, maker)) for maker in ("env", "raw_env")]
    return cases + [Case(name, "", 2, 1, 1, run) for name, (module, run) in YARDSTICKS.items() if installed(module)]


def installed(module: str) -> bool:
    """Whether a yardstick can be measured."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package above it
        return False


def measure(settings: Namespace) -> list[dict[str, Any]]:
    """All cases in turn, `repeats` times: each with its median rate and all its rates."""
    cases = make_cases(settings)
    rates: list[list[float]] = [[] for _ in cases]
    runs = list(enumerate(cases)) * settings.repeats
    for number, case in track(runs, "measuring", console=Console(stderr=True), transient=True):
        rates[number].append(case.run(settings.seconds))
    keys = ("kind", "variant", "players", "threads", "batch")
    return [
        {key: getattr(case, key) for key in keys} | {"rate": statistics.median(found), "rates": found}
        for case, found in zip(cases, rates, strict=True)
    ]


def machine() -> dict[str, Any]:
    """What it was measured on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    names = ("numba", "numpy", "pettingzoo", "torch", "open_spiel", "rlcard", "sb3_contrib")
    modules = {"open_spiel": "pyspiel", "rlcard": "rlcard", "torch": "torch", "sb3_contrib": "sb3_contrib"}
    found = {name: installed(module) for name, module in modules.items()}
    versions = {name: version(name) for name in names if found.get(name, True)}
    return {"cpu": cpu, "cores": os.cpu_count(), "python": platform.python_version(), **versions}


# As text --------------------------------------------------------------------------------------------------------------


def rate_table(rows: list[dict[str, Any]], kind: str) -> list[str]:
    """Million decisions per second of the loop or of `step`, a column a batch, and what more threads gain."""
    found = {(r["variant"], r["players"], r["threads"], r["batch"]): r["rate"] for r in rows if r["kind"] == kind}
    lines = [f"{'variant':20} players threads" + "".join(f"{f'x {batch}':>9}" for batch in BATCHES)]
    for id, players, threads in dict.fromkeys(key[:3] for key in found):
        rates = [found.get((id, players, threads, batch)) for batch in BATCHES]
        cells = "".join(f"{rate / 1e6:9.2f}" if rate else f"{'-':>9}" for rate in rates)
        lines.append(f"{id:20} {players:7} {threads:7}{cells}")
        single = [found.get((id, players, 1, batch)) for batch in BATCHES]
        if threads > 1:
            gains = [f"{a / b:9.2f}" if a and b else f"{'-':>9}" for a, b in zip(rates, single, strict=True)]
            lines.append(f"{'':20} {'':7} {f'{threads} / 1':>7}{''.join(gains)}")
    return lines


def single_table(rows: list[dict[str, Any]]) -> list[str]:
    """One environment through Python, beside the yardsticks: microseconds, and how many times as fast."""
    singles = [row for row in rows if row["kind"] not in ("loop", "step")]
    yards = [row for row in singles if row["kind"] in YARDSTICKS]
    loops = [row for row in rows if row["kind"] == "loop" and row["batch"] == 1024 and row["threads"] == 1]
    lines = [f"{'':30} us/decision  decisions/s" + "".join(f"{'x ' + yard['kind']:>24}" for yard in yards)]
    for row in [*singles, *loops]:
        name = f"{row['variant']} {row['kind']} {row['players']}p".strip() if row["variant"] else row["kind"]
        ratios = "".join(f"{row['rate'] / yard['rate']:24.2f}" for yard in yards)
        lines.append(f"{name:30} {1e6 / row['rate']:11.2f} {row['rate']:12,.0f}{ratios}")
    missing = [name for name, (module, _) in YARDSTICKS.items() if not installed(module)]
    return lines + [f"{name}: not installed, left out (pip install -e '.[bench]')" for name in missing]


def start_table(rows: list[dict[str, Any]]) -> list[str]:
    """Seconds of a fresh process."""
    lines = [f"{'variant':20} cache   import  first AEC decision  first batch after it  both after the import"]
    for row in rows:
        times = f"{row['import']:8.2f} {row['aec']:19.2f} {row['vector']:21.2f} {row['aec'] + row['vector']:22.2f}"
        lines.append(f"{row['variant']:20} {row['cache']:5} {times}")
    return lines


def report(result: dict[str, Any]) -> str:
    """Everything as text."""
    repeats, where = result["repeats"], ", ".join(f"{k} {v}" for k, v in result["machine"].items())
    if "training" in result:
        return "\n".join([f"{where}; medians of {repeats}", "", *training_table(result["training"])])
    parts = [
        [f"{where}; medians of {repeats}"],
        ["Compiled loop: million decisions/s by batch", *rate_table(result["rates"], "loop")],
        ["step(random_actions()) from Python: million decisions/s by batch", *rate_table(result["rates"], "step")],
        ["One environment from Python (last: gin rummy as others have it)", *single_table(result["rates"])],
        ["Start-up in a fresh process: seconds", *start_table(result["start_up"])],
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def parse_settings() -> Namespace:
    """Settings from the command line; exits with a message on one that is unknown or not allowed."""
    ids, parser = cardenvs.variants(), ArgumentParser(prog="bench.py", description="Measure speed and start-up.")
    parser.add_argument("--variants", nargs="+", type=str, default=ids, help=f"Of {', '.join(ids)}.")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2], help="Numbers of threads.")
    parser.add_argument("--seconds", type=float, default=0.2, help="Of each run, about.")
    parser.add_argument("--repeats", type=int, default=5, help="Runs of each case.")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="Another --seconds and --repeats: one run of 0.01 s each, usual player counts, no cold start.",
    )
    parser.add_argument("--training", action="store_true", help="The trainer, beside its bare arithmetic, alone.")
    parser.add_argument("--json", type=Path | None, help="File for all figures, with machine, versions and command.")
    settings = parser.parse_args()
    for name in set(settings.variants) - set(ids):
        parser.error(f"variants: no variant {name!r}; allowed are {', '.join(ids)}")
    try:
        for threads in settings.threads:
            check_whole("threads", threads, 1, max(BATCHES))
        check_whole("repeats", settings.repeats, 1, 1000)
        if not 0 < settings.seconds < 3600:
            raise ValueError(f"seconds={settings.seconds}: allowed is a number above 0, below 3600")
        if settings.json is not None:
            check_target("json", settings.json)
    except ValueError as error:
        parser.error(str(error))
    if settings.quick:
        settings.seconds, settings.repeats = 0.01, 1
    return settings


def main() -> int:
    """Run the command; returns its exit status."""
    settings = parse_settings()
    start = time.perf_counter()
    result = {
        "command": shlex.join(sys.orig_argv),
        "machine": machine(),
        "repeats": settings.repeats,
        "seconds_each": settings.seconds,
        **(training(settings) if settings.training else {"start_up": start_ups(settings), "rates": measure(settings)}),
    }
    result["seconds"] = round(time.perf_counter() - start, 1)
    print(report(result))
    if settings.json is not None:
        write_text(settings.json, to_json(result, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
