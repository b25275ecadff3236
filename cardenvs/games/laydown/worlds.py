"""Other deals that a seat cannot tell from the true one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cardenvs._jit import entry
from cardenvs.cards import PLACE
from cardenvs.games.laydown import play
from cardenvs.games.laydown.rules import CONTRACT_RUNS, CONTRACT_SETS, ORIGIN_BITS, Claims, Kind, Phase
from cardenvs.spec import Game

_ORIGIN_MAX = (1 << ORIGIN_BITS) - 1

_TRIES = 32
"""Deals drawn until a half-laid meld or contract can be finished, before cards are brought."""

_BRINGS = 512
"""Deals drawn after that: where much of a long contract is known to be elsewhere, few that are tried can finish it."""

_WILD_SHARE = 0.2
"""How often a wild is brought for a place of a run."""


def reseed(game: Game, g: Any, rng: np.random.Generator) -> None:
    """Shuffle, in place, what is still undrawn: the stock, and the stream of every later draw."""
    n = int(g["n_stock"])
    g["stock"][:n] = rng.permutation(g["stock"][:n])
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


class _Hidden(NamedTuple):
    """The hidden cards that may change places: equally long int64 arrays, the stock's last.

    Attributes:
        cards: types.
        seats: whose hand each lies in, -1: the stock.
        origins: from which stock each place was filled; cards change places within one origin.
    """

    cards: np.ndarray
    seats: np.ndarray
    origins: np.ndarray


def determinize(game: Game, g: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, all that a seat with perfect memory cannot know.

    A hidden card lies in the stock, or came from it to a hand. Since a reshuffle shows what the new stock is made of,
    cards are exchanged only among places filled from the same stock (`origin`). With one copy of every card this is
    uniform over all deals that agree with the public record; with several, which of two equal cards left a hand is
    taken from the true game, so that every deal agrees with the record but not every such deal is drawn.

    Who has begun a meld, or a contract, holds what finishes it. Deals in which that is not so are drawn again, `_TRIES`
    times at most; after that, cards that finish it are brought to that hand, and the deal is no longer uniform.
    """
    others = [other for other in range(game.num_players) if other != seat]
    hidden = _hidden(game, g, others)
    truth = hidden.cards.copy()
    began = int(g["seat"]) if has_begun(g) and g["seat"] != seat else None
    for attempt in range(_TRIES + _BRINGS):
        _exchange(hidden, rng)
        if attempt >= _TRIES:
            _bring(game, g, hidden, rng)
        _set_hidden_cards(game, g, others, hidden)
        if began is None or _finishes(game, g):
            break
    else:  # the origins leave no other way: that hand stays as it is
        hidden.cards[:] = truth
        _exchange(hidden, rng, hidden.seats != began)
        _set_hidden_cards(game, g, others, hidden)
    if game.rules.claims == Claims.RANDOM:
        n = int(g["n_queue"])
        g["queue"][:n] = rng.permutation(g["queue"][:n])
    g["rng"] = rng.integers(0, 2**64, dtype=np.uint64)


def _hidden(game: Game, g: Any, others: list[int]) -> _Hidden:
    """The cards in the others' hands that were not taken in the open, and the stock."""
    found = [
        (card, other, int(g["origin"][other, card]) >> (ORIGIN_BITS * i) & _ORIGIN_MAX)
        for other in others
        for card in range(len(game.pack.labels))
        for i in range(int(g["hand"][other, card]) - int(g["known"][other, card]))
    ]
    epoch = min(int(g["epoch"]), _ORIGIN_MAX)
    found += [(int(card), -1, epoch) for card in g["stock"][: g["n_stock"]]]
    return _Hidden(*np.array(found, dtype=np.int64).reshape(-1, 3).T.copy())


def _exchange(hidden: _Hidden, rng: np.random.Generator, movable: np.ndarray | bool = True) -> None:
    """Shuffle the movable cards of each origin among their places."""
    for origin in np.unique(hidden.origins):
        group = np.flatnonzero((hidden.origins == origin) & movable)
        hidden.cards[group] = hidden.cards[rng.permutation(group)]


def _set_hidden_cards(game: Game, g: Any, others: list[int], hidden: _Hidden) -> None:
    """Make each hand of its known cards and these, and the stock; boards and counts follow."""
    pack = game.pack
    g["stock"][: g["n_stock"]] = hidden.cards[hidden.seats < 0]
    for seat in others:
        g["hand"][seat] = g["known"][seat]
        g["origin"][seat] = 0
        mine = np.flatnonzero(hidden.seats == seat)
        for at in mine[np.argsort(hidden.origins[mine], kind="stable")]:
            card = int(hidden.cards[at])
            g["hand"][seat, card] += 1
            g["origin"][seat, card] = (int(g["origin"][seat, card]) << ORIGIN_BITS) | int(hidden.origins[at])
        g["board"][seat] = _board(game, g["hand"][seat], 1)
        if game.rules.sets and game.rules.copies > 1:
            g["twice"][seat] = _board(game, g["hand"][seat], 2)
            g["thrice"][seat] = _board(game, g["hand"][seat], 3)
        g["wilds"][seat] = int(g["hand"][seat, pack.naturals :].sum())


def _board(game: Game, counts: Any, least: int) -> int:
    """Board of the naturals held at least so often, as `moves.put` keeps it."""
    ranks, places = len(game.pack.ranks), []
    for card in range(game.pack.naturals):
        if counts[card] >= least:
            places.append(int(PLACE[ranks, card]))
            if game.rules.ace_high and card % ranks == 0:
                places.append(places[-1] + ranks)
    return sum(1 << place for place in places)


# A half-laid meld or contract ----------------------------------------------------------------------------------------


def has_begun(g: Any) -> bool:
    """Whether all know that the seat to act holds what it still wants for a meld, or for the rest of its contract."""
    owed, contract = int(g["owed_sets"] + g["owed_runs"]), int(g["contract"])
    return g["phase"] == Phase.FILL or 0 < owed < CONTRACT_SETS[contract] + CONTRACT_RUNS[contract]


def _places(game: Game, g: Any) -> list[list[int]]:
    """For each card that the half-laid meld still wants, the naturals that serve."""
    if g["meld_kind"] == Kind.NONE:
        return []
    ranks, left = len(game.pack.ranks), int(g["meld_left"])
    if g["meld_kind"] == Kind.SET:
        suits = range(int(g["meld_suit"]), len(game.pack.suits))
        return [[suit * ranks + int(g["meld_place"]) for suit in suits]] * left
    suit, rank = divmod(int(g["meld_place"]), 16)
    return [[suit * ranks + (rank + i) % ranks] for i in range(left)]


def _finishes(game: Game, g: Any) -> bool:
    """Whether the seat to act holds what its half-laid meld still wants (as `play.legal_fill` has it)."""
    if game.rules.contracts:
        return count_legal(game.rules, g, np.zeros(game.num_actions, np.int16)) > 0
    hand, places = g["hand"][g["seat"]], _places(game, g)
    if g["meld_kind"] == Kind.SET:
        return sum(int(hand[card]) for card in places[0]) >= len(places)
    naturals = sum(hand[card] > 0 for (card,) in places)
    natural_wanted = g["meld_kind"] == Kind.RUN and g["meld_naturals"] == 0
    return len(places) - naturals <= g["wilds"][g["seat"]] and (naturals > 0 or not natural_wanted)


@entry
def count_legal(rules, g, actions):
    """Number of actions of the seat to act, all of which it can finish; they are written to int16 `actions`."""
    return play.legal(rules, g, actions)


def _owed_places(game: Game, g: Any, rng: np.random.Generator) -> list[list[int]]:
    """For each card of melds that are owed beside the half-laid one, drawn at random, the naturals that serve."""
    suits, ranks = len(game.pack.suits), len(game.pack.ranks)
    half, at = int(g["meld_kind"]), int(g["meld_low"][g["meld_slot"]])
    least = at if half in (Kind.SET, Kind.RUN) else int(g["least"])
    sets, runs = int(g["owed_sets"]) - (half == Kind.SET), int(g["owed_runs"]) - (half == Kind.RUN)
    places = []
    for rank in rng.integers(least if sets else 0, ranks, sets):
        places += [[suit * ranks + int(rank) for suit in range(suits)]] * 3
    starts = [suit * 16 + rank for suit in range(suits) for rank in range(ranks + 2 - game.rules.run_min)]
    starts = [place for place in starts if g["owed_sets"] or place >= least]
    for place in rng.choice(starts, runs):
        places += [[(place >> 4) * ranks + (place + i & 15) % ranks] for i in range(game.rules.run_min)]
    return places


def _bring(game: Game, g: Any, hidden: _Hidden, rng: np.random.Generator) -> None:
    """Exchange cards so that the seat to act may hold what its meld or contract wants: naturals, and some wilds."""
    seat = int(g["seat"])
    known = g["known"][seat].copy()
    wilds = list(range(game.pack.naturals, len(game.pack.labels)))
    loose = np.flatnonzero(hidden.seats == seat).tolist()
    for naturals in [*_places(game, g), *(_owed_places(game, g, rng) if game.rules.contracts else ())]:
        choices = [naturals, wilds] if rng.random() > _WILD_SHARE else [wilds, naturals]
        any(_bring_one(hidden, known, loose, serving, rng) for serving in choices)


def _bring_one(
    hidden: _Hidden, known: np.ndarray, loose: list[int], serving: list[int], rng: np.random.Generator
) -> bool:
    """See to it that a hand has one more of the cards that serve: a known one, one of its `loose` places, or another's.

    What is counted on is taken out of `known` and `loose`. Returns whether there was one.
    """
    if known[serving].any():
        known[serving[int(known[serving].argmax())]] -= 1
        return True
    inside = [at for at in loose if hidden.cards[at] in serving]
    if inside:
        loose.remove(inside[0])
        return True
    sources = np.flatnonzero(np.isin(hidden.cards, serving)).tolist()
    pairs = [(at, to) for at in sources for to in loose if hidden.origins[at] == hidden.origins[to]]
    mine = set(np.flatnonzero(hidden.seats == hidden.seats[loose[0]]).tolist()) if loose else set()
    pairs = [(at, to) for at, to in pairs if at not in mine]
    if pairs:
        at, to = pairs[rng.integers(len(pairs))]
        hidden.cards[[at, to]] = hidden.cards[[to, at]]
        loose.remove(to)
    return bool(pairs)
