"""Golden playthroughs: rounds of every variant and player count as readable text, how they are written and replayed.

A playthrough has the variant, its options and the seed, what the seed dealt, and then each decision on a line: who acts
in which phase, what is legal, and after the arrow what was done; at the end the cards left, the scores and rewards.
A change of what a file says is a change of the game: it wants a new version of the variant, not a new file.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np

from cardenvs import make_bot
from suites.common import CASES, ROOT, contract, has_option, legal, live, loneliest, may_be_void, raw_env, short

FOLDER = ROOT / "tests" / "golden"
COMMAND = "python scripts/write_golden.py"
SEED = 7
LEAST_LINES = 300
"""Rounds end after a few turns each, and go on with the next seed until there is as much to compare."""


def path(variant: str, players: int) -> Path:
    return FOLDER / f"{variant}_{players}p.txt"


def write(variant: str, players: int) -> str:
    """A new playthrough, its actions picked by the hash of what was written before."""
    lines: list[str] = []
    seed = SEED
    while len(lines) < LEAST_LINES:
        env = _env(variant, players, seed)
        env.reset(seed=seed)
        lines += _dealt(env, seed)
        while live(env):
            action = _picked(env, lines)
            lines.append(f"{_choices(env)} -> {env.action_name(action)}")
            env.step(action)
        lines += _ended(env)
        seed += 1
    return "\n".join(lines) + "\n"


def replay(variant: str, players: int, text: str) -> str:
    """What the game says now, dealt by the seeds of a playthrough and played with its actions."""
    lines: list[str] = []
    env = _env(variant, players, SEED)
    for line in text.splitlines():
        if line.startswith("seed "):
            seed = int(line.split()[1])
            env = _env(variant, players, seed)
            env.reset(seed=seed)
            lines += _dealt(env, seed)
        elif " -> " in line:
            name = line.split(" -> ")[1]
            if not live(env) or name not in [env.action_name(action) for action in legal(env)]:
                break
            lines.append(f"{_choices(env)} -> {name}")
            env.step(env.action_id(name))
            lines += [] if live(env) else _ended(env)
    return "\n".join(lines) + "\n"


def _env(variant: str, players: int, seed: int) -> Any:
    return raw_env(variant, **_options(variant, players, seed))


def _options(variant: str, players: int, seed: int) -> dict[str, Any]:
    """Where there are contracts, the files of all player counts together have them all."""
    return {"num_players": players} | short(variant, 10) | contract(variant, players - 3 + 3 * (seed - SEED))


def _dealt(env: Any, seed: int) -> list[str]:
    view = env.view()
    options = " ".join(f"{name}={value}" for name, value in _options(env.game.id, env.game.num_players, seed).items())
    hands = [f"  player_{seat}: {' '.join(hand)}" for seat, hand in enumerate(view["hands"])]
    stock = f"  stock, next first: {' '.join(view['stock'])}"
    return [f"seed {seed} of {env.game.id} {options}", *hands, f"  pile: {' '.join(view['pile'])}", stock]


def _choices(env: Any) -> str:
    """ "player_0 play | run 3c 4d | discard 3c 4c": the legal actions, those of one verb together."""
    verbs: dict[str, list[str]] = {}
    for action in legal(env):
        verb, _, rest = env.action_name(action).partition(" ")
        verbs.setdefault(verb, []).append(rest.replace(" ", "-"))
    listed = " | ".join(" ".join([verb, *rest]).strip() for verb, rest in verbs.items())
    return f"{env.agent_selection} {env.view()['phase']} | {listed}"


def _picked(env: Any, lines: list[str]) -> int:
    """Two times of three something else than a discard, where there is something else.

    Where there are contracts the third time is a bot's: nobody comes to one by chance.
    """
    draw = int.from_bytes(hashlib.sha256("\n".join([*lines[-3:], str(len(lines))]).encode()).digest()[:6], "big")
    actions = legal(env)
    to_table = [action for action in actions if not env.action_name(action).startswith("discard")]
    if not to_table and may_be_void(env.game.id):
        to_table = [env.action_id(f"discard {loneliest(env.view())}")]
    choices = to_table if to_table and draw % 3 else actions
    if has_option(env.game.id, "contract") and choices is actions:
        seen = env.observe(env.agent_selection)
        row = np.rint(seen["observation"] / env.game.observation.scale).astype(np.int16)
        return int(make_bot(env.game, "greedy").act(row[None], seen["action_mask"][None])[0])
    return choices[draw // 3 % len(choices)]


def _ended(env: Any) -> list[str]:
    view = env.view()
    hands = [f"  player_{seat}: {' '.join(hand) or '-'}" for seat, hand in enumerate(view["hands"])]
    melds = [f"  {meld['kind']}: {' '.join(meld['cards'])}" for meld in view["melds"]]
    rewards = " ".join(f"{env.rewards[agent]:.4f}" for agent in env.possible_agents)
    return [
        f"ended: {view['ended']}",
        *hands,
        *melds,
        f"  pile: {' '.join(view['pile'])}",
        f"  stock: {' '.join(view['stock'])}",
        f"  scores: {' '.join(map(str, view['round_scores']))}",
        f"  winners: {' '.join(map(str, view['winners'])) or '-'}",
        f"  rewards: {rewards}",
    ]


def write_missing(everything: bool) -> list[Path]:
    """Write the playthroughs that are missing, or all; returns the files."""
    FOLDER.mkdir(exist_ok=True)
    written = []
    for variant, players in CASES:
        file = path(variant, players)
        if everything or not file.exists():
            beside = file.with_suffix(".tmp")
            beside.write_text(write(variant, players), encoding="utf-8")
            os.replace(beside, file)
            written.append(file)
    return written
