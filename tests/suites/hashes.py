"""`python -m suites.hashes`: plays every variant and prints a hash of all that was said.

The suites run it in other processes, with other hash seeds, interpreted, and with checked bounds: the line is the same.
"""

from __future__ import annotations

import argparse
import hashlib
from typing import Any

import numpy as np

import cardenvs
from suites.common import CASES, contract, decisions, eager, raw_env, scarce, short


def batch_hash(variant: str, players: int, games: int, steps: int, threads: int = 1, **options: Any) -> str:
    """A hash of a batch of games, stepped with its own random actions until each has ended, or `steps` times."""
    digest = hashlib.sha256()
    vec = cardenvs.make_vec(variant, games, seed=7, threads=threads, num_players=players, **options)
    batch, ended = vec.reset(7), np.zeros(games, bool)
    for _ in range(steps):
        for array in (batch.obs, batch.mask, batch.seat):
            digest.update(array.tobytes())
        batch = vec.step(vec.random_actions())
        done = batch.terminated | batch.truncated
        for array in (batch.reward, batch.terminated, batch.truncated):
            digest.update(array.tobytes())
        for array in (batch.final_obs, batch.score, batch.winner):
            digest.update(array[done].tobytes())
        ended |= done
        if ended.all():
            break
    return digest.hexdigest()


def single_hash(variant: str, players: int, **options: Any) -> str:
    """A hash of one game of the AEC environment, of other worlds of it, and of what the bots would do."""
    digest = hashlib.sha256()
    env = raw_env(variant, num_players=players, render_mode="ansi", **options)
    env.reset(seed=7)
    bots = [cardenvs.make_bot(env.game, name, seed=7) for name in env.game.bots]
    for number, action in enumerate(decisions(env, eager(7))):
        for agent in env.agents:
            observation = env.observe(agent)
            digest.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
            digest.update(env.render(agent).encode())
        row = np.rint(env.observe(env.agent_selection)["observation"] / env.game.observation.scale).astype(np.int16)
        mask = env.observe(env.agent_selection)["action_mask"]
        digest.update(b"".join(bot.act(row[None], mask[None]).tobytes() for bot in bots))
        if number % 10 == 0:
            digest.update(repr(env.determinize(env.agents[0], number).view()).encode())
            digest.update(repr(env.clone(reseed=number).view()).encode())
        digest.update(env.action_name(action).encode())
    digest.update(repr((env.view(), env.rewards)).encode())
    return digest.hexdigest()


def overall(games: int, steps: int, cases: list[tuple[str, int]]) -> str:
    """One hash of all."""
    digest = hashlib.sha256()
    for variant, players in cases:
        numbers = (contract(variant, players - 3), contract(variant, 6))
        for options in (short(variant, 6) | numbers[0], scarce(variant, players, 4) | numbers[1]):
            for skip_forced in (False, True):
                digest.update(batch_hash(variant, players, games, steps, skip_forced=skip_forced, **options).encode())
            digest.update(single_hash(variant, players, **options).encode())
    return digest.hexdigest()


def chosen(fewest: bool) -> list[tuple[str, int]]:
    """All cases, or the least and the greatest player count of each variant."""
    if not fewest:
        return CASES
    counts = {variant: [players for name, players in CASES if name == variant] for variant, _ in CASES}
    return [(variant, players) for variant, all_of in counts.items() for players in (all_of[0], all_of[-1])]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--fewest", action="store_true")
    arguments = parser.parse_args()
    print(overall(arguments.games, arguments.steps, chosen(arguments.fewest)))
