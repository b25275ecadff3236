"""The verbs that a family of games supplies to the engine, chosen by the type of its rules.

The engine calls these and knows no game. Compiled code resolves a verb while it compiles, from the type of `rules`;
interpreted code looks it up when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardenvs._jit import overload

GOES_ON, TERMINATED, TRUNCATED = 0, 1, 2
"""What `settle` says of the episode."""

_families: dict[type, dict[str, Callable[..., Any]]] = {}


def register(rules_type: type, **verbs: Callable[..., Any]) -> None:
    """Say which compiled functions play the games whose rules are of that type: one for each verb of this file."""
    _families[rules_type] = verbs


def shuffle(rules, g):
    """Make a shuffled pack the stock of the game `g`."""
    return _families[type(rules)]["shuffle"](rules, g)


def deal(rules, g):
    """Deal a round from the stock as it lies; scores of a match stay."""
    return _families[type(rules)]["deal"](rules, g)


def legal(rules, g, actions):
    """Write the legal actions of the seat to act, in no order, into int16 `actions`; returns their number."""
    return _families[type(rules)]["legal"](rules, g, actions)


def play(rules, g, action):
    """Play a legal action; sets `g.over` when it ends the round."""
    return _families[type(rules)]["play"](rules, g, action)


def settle(rules, g, reward):
    """Score the round that is over: float32 `reward[seats]` is added to; returns GOES_ON, TERMINATED or TRUNCATED."""
    return _families[type(rules)]["settle"](rules, g, reward)


def observe(rules, g, seat, row):
    """Write what `seat` may know into int16 `row`, and nothing else."""
    return _families[type(rules)]["observe"](rules, g, seat, row)


def act(rules, bot, row, actions, count, draw):
    """The action that bot number `bot` chooses from its row and legal `actions[:count]`; `draw` is a random uint64."""
    return _families[type(rules)]["act"](rules, bot, row, actions, count, draw)


def _chosen(rules: Any, verb: str) -> Callable[..., Any]:
    return _families[rules.instance_class][verb]


@overload(shuffle)
def _shuffle(rules, g):
    f = _chosen(rules, "shuffle")
    return lambda rules, g: f(rules, g)


@overload(deal)
def _deal(rules, g):
    f = _chosen(rules, "deal")
    return lambda rules, g: f(rules, g)


@overload(legal)
def _legal(rules, g, actions):
    f = _chosen(rules, "legal")
    return lambda rules, g, actions: f(rules, g, actions)


@overload(play)
def _play(rules, g, action):
    f = _chosen(rules, "play")
    return lambda rules, g, action: f(rules, g, action)


@overload(settle)
def _settle(rules, g, reward):
    f = _chosen(rules, "settle")
    return lambda rules, g, reward: f(rules, g, reward)


@overload(observe)
def _observe(rules, g, seat, row):
    f = _chosen(rules, "observe")
    return lambda rules, g, seat, row: f(rules, g, seat, row)


@overload(act)
def _act(rules, bot, row, actions, count, draw):
    f = _chosen(rules, "act")
    return lambda rules, bot, row, actions, count, draw: f(rules, bot, row, actions, count, draw)
