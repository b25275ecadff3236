"""Other deals that a seat cannot tell from the true one."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardenvs._jit import entry
from cardenvs.games.canasta import play
from cardenvs.games.canasta.layouts import ACTIONS
from cardenvs.games.canasta.rules import BLACK, JOKER, TWO, TYPES, Phase
from cardenvs.spec import Game

TRIES = 100
"""Deals that are tried before the seat to act keeps what its half-laid meld may need."""


def reseed(game: Game, g: Any, rng: np.random.Generator) -> None:
    """Shuffle, in place, what is still undrawn: the stock, and the stream of every later deal."""
    n = int(g["n_stock"])
    g["stock"][:n] = rng.permutation(g["stock"][:n])
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


def determinize(game: Game, g: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, all that a seat with perfect memory cannot know.

    A hidden card lies in the stock or came from it to a hand; there is one stock a round (K13), so all deals are
    equally likely but for what the seat to act has shown: that it can finish what lies half (G6), that its last card
    goes out (K11), that it holds no black three (K12). Deals that contradict it are drawn again, at most `TRIES` times;
    then the seat to act keeps of its own cards those that it may need, in the last resort all of them, and only the
    rest is dealt anew.
    """
    actor = int(g["seat"])
    others = [other for other in range(game.num_players) if other != seat]
    bound = actor != seat and g["phase"] in (Phase.PLAY, Phase.MELD)
    true_hands, true_stock = g["hand"].copy(), g["stock"].copy()
    hidden = (g["hand"][actor] - g["known"][actor])[:TYPES].astype(np.int64)
    for kept in (*[0 * hidden] * (TRIES if bound else 1), _needed(g, hidden), hidden):
        g["hand"], g["stock"] = true_hands, true_stock
        _deal(g, others, rng, kept, actor)
        if not bound or _possible(game, g):
            break
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


def _deal(g: Any, others: list[int], rng: np.random.Generator, kept: np.ndarray, keeper: int) -> None:
    """Exchange the hidden cards of the other hands and the stock; the keeper keeps `kept[TYPES]` of its own."""
    n = int(g["n_stock"])
    cards = g["stock"][:n].astype(np.int64).tolist()
    fixed, sizes = {}, {}
    for other in others:
        fixed[other] = g["known"][other, :TYPES].astype(np.int64) + (kept if other == keeper else 0)
        hidden = g["hand"][other, :TYPES] - fixed[other]
        sizes[other] = int(hidden.sum())
        cards += np.repeat(np.arange(TYPES), hidden).tolist()
    dealt = rng.permutation(np.array(cards, np.int64))
    g["stock"][:n], at = dealt[:n], n
    for other in others:
        counts = fixed[other] + np.bincount(dealt[at : at + sizes[other]], minlength=TYPES)
        at += sizes[other]
        g["hand"][other, :TYPES] = counts
        g["hand_bits"][other] = sum(1 << card for card in range(TYPES) if counts[card] > 0)
        g["pair_bits"][other] = sum(1 << card for card in range(TYPES) if counts[card] > 1)


def _possible(game: Game, g: Any) -> bool:
    """Whether the hand of the seat to act agrees with what it has shown."""
    shown_black = bool(g["no_black"]) and g["hand"][int(g["seat"]), BLACK] > 0
    return not shown_black and count_legal(game.rules, g, np.zeros(ACTIONS.size, np.int16)) > 0


@entry
def count_legal(rules, g, actions):
    """Number of actions of the seat to act; they are written to int16 `actions`."""
    return play.legal(rules, g, actions)


def _needed(g: Any, hidden: np.ndarray) -> np.ndarray:
    """int64 `[TYPES]`: of the hidden cards of the seat to act those that may go on its half-laid meld; else all."""
    if g["phase"] != Phase.MELD:
        return hidden
    takes = [int(g["meld_rank"]), TWO, JOKER]
    return np.where(np.isin(np.arange(TYPES), takes), hidden, 0)
