"""Other deals that a seat cannot tell from the true one."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardenvs.cards import PLACE
from cardenvs.games.laydown.rules import ORIGIN_BITS, Claims
from cardenvs.spec import Game

_ORIGIN_MAX = (1 << ORIGIN_BITS) - 1


def reseed(game: Game, g: Any, rng: np.random.Generator) -> None:
    """Shuffle, in place, what is still undrawn: the stock, and the stream of every later draw."""
    n = int(g["n_stock"])
    g["stock"][:n] = rng.permutation(g["stock"][:n])
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


def determinize(game: Game, g: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, all that a seat with perfect memory cannot know.

    A hidden card lies in the stock, or came from it to a hand. Since a reshuffle shows what the new stock is made of,
    cards are exchanged only among places filled from the same stock (`origin`). With one copy of every card this is
    uniform over all deals that agree with the public record; with several, which of two equal cards left a hand is
    taken from the true game, so that every deal agrees with the record but not every such deal is drawn.
    """
    others = [other for other in range(game.num_players) if other != seat]
    types = len(game.pack.labels)
    hidden = [(other, card, origin) for other in others for card, origin in _hidden_cards(g, other, types)]
    n = int(g["n_stock"])
    stock_origin = min(int(g["epoch"]), _ORIGIN_MAX)
    places = [(other, origin) for other, _, origin in hidden] + [(-1, stock_origin)] * n
    cards = np.array([card for _, card, _ in hidden] + g["stock"][:n].tolist(), dtype=np.int64)
    origins = np.array([origin for _, origin in places], dtype=np.int64)
    for origin in np.unique(origins):
        group = np.flatnonzero(origins == origin)
        cards[group] = cards[rng.permutation(group)]
    g["stock"][:n] = cards[len(hidden) :]
    for other in others:
        dealt = [(int(card), origin) for (place, origin), card in zip(places, cards, strict=True) if place == other]
        _set_hidden_cards(game, g, other, dealt)
    if game.rules.claims == Claims.RANDOM:
        n = int(g["n_queue"])
        g["queue"][:n] = rng.permutation(g["queue"][:n])
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


def _hidden_cards(g: Any, seat: int, types: int) -> list[tuple[int, int]]:
    """(card, origin) of every card in a hand that was not taken in the open."""
    return [
        (card, int(g["origin"][seat, card]) >> (ORIGIN_BITS * i) & _ORIGIN_MAX)
        for card in range(types)
        for i in range(int(g["hand"][seat, card]) - int(g["known"][seat, card]))
    ]


def _set_hidden_cards(game: Game, g: Any, seat: int, dealt: list[tuple[int, int]]) -> None:
    """Make a hand of its known cards and these; boards and counts follow."""
    pack = game.pack
    g["hand"][seat] = g["known"][seat]
    g["origin"][seat] = 0
    for card, origin in sorted(dealt, key=lambda pair: pair[1]):
        g["hand"][seat, card] += 1
        g["origin"][seat, card] = (int(g["origin"][seat, card]) << ORIGIN_BITS) | origin
    held = [card for card in range(pack.naturals) if g["hand"][seat, card]]
    g["board"][seat] = sum(1 << int(PLACE[len(pack.ranks), card]) for card in held)
    g["wilds"][seat] = int(g["hand"][seat, pack.naturals :].sum())
