"""Other deals that a seat cannot tell from the true one."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardenvs.cards import PLACE
from cardenvs.games.gin.rules import RANKS, TYPES
from cardenvs.spec import Game


def reseed(game: Game, g: Any, rng: np.random.Generator) -> None:
    """Shuffle, in place, what is still undrawn: the stock, and the stream of every later deal."""
    n = int(g["n_stock"])
    g["stock"][:n] = rng.permutation(g["stock"][:n])
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


def determinize(game: Game, g: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, all that a seat with perfect memory cannot know.

    That is the stock, and the other's cards that did not come from the pile. There is one stock a round, and nothing
    that the other may do asks for certain cards but a knock, after which both hands are seen: all deals are equally
    likely.
    """
    if g["knocker"] >= 0:
        reseed(game, g, rng)
        return
    other, n = 1 - seat, int(g["n_stock"])
    hidden = np.flatnonzero(g["hand"][other, :TYPES] > g["known"][other, :TYPES])
    cards = rng.permutation(np.concatenate([g["stock"][:n].astype(np.int64), hidden]))
    g["stock"][:n] = cards[:n]
    g["hand"][other] = g["known"][other]
    g["hand"][other, cards[n:]] = 1
    g["board"][other] = sum(1 << int(PLACE[RANKS, card]) for card in np.flatnonzero(g["hand"][other]))
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)
