"""What an onlooker with perfect memory knows, worked out from `view()` and the names of the actions alone.

`Memory` follows a true game. It notes which cards each new stock was made of, who drew from it and when, and which
cards went through hands in the open. `contradiction` then says whether another deal of the hidden cards agrees with all
that a viewer has seen: whether every card that was ever drawn unseen can be given a draw that it came from.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

NEVER = 1 << 30
"""The time at which a card leaves a hand that still holds it."""


@dataclass
class Slot:
    """A card in a hand that came there unseen."""

    card: str
    stock: int
    position: int | None
    """Its index in the deck as it was dealt; None after a reshuffle."""


class Draw(NamedTuple):
    time: int
    seat: int
    stock: int
    card: str


class Leave(NamedTuple):
    """A card that had come to the hand unseen is shown, and gone."""

    time: int
    seat: int
    card: str
    stock: int
    """Where it came from: a guess where the hand held an equal card from another stock."""


class Cards(NamedTuple):
    """Equal cards that came unseen to a hand and left it at one time."""

    seat: int
    card: str
    time: int
    copies: int


def laid_before_cards_came(name: str, before: dict[str, Any]) -> list[str]:
    """Cards that a Canasta action lays before others come to the hand, equal ones perhaps: for a three, or the pile."""
    match name.split():
        case ["red_three"]:
            return ["3r"]
        case ["take_pile", ("pair" | "two" | "joker") as form]:
            top = before["pile"][-1]
            return [top, {"pair": top, "two": "2", "joker": "JK"}[form]]
        case ["place", rank, word]:
            return [rank if word == "natural" else word]
    return []


class Memory:
    """The record of one round.

    Args:
        view: the game just dealt.
        deck: the deck as it was dealt, first card first, or None where it is not known.
    """

    def __init__(self, view: dict[str, Any], deck: list[str] | None = None) -> None:
        self.time = 0
        self.seats = len(view["hands"])
        self.known: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        # Of these, what is seen without having looked at the pile when it was covered (N11): its top when it was taken.
        self.shown: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        self.slots: list[list[Slot]] = [[] for _ in range(self.seats)]
        self.stocks: list[Counter[str]] = [Counter(view["stock"])]
        self.draws: list[Draw] = []
        self.leaves: list[Leave] = []
        self.stock_positions: list[int] | None = None
        for seat, hand in enumerate(view["hands"]):
            self.stocks[0].update(hand)
            positions = range(seat, self.seats * len(hand), self.seats) if deck else [None] * len(hand)
            cards = [deck[position] for position in positions] if deck else hand
            assert Counter(cards) == Counter(hand), "dealt one at a time, the first card to seat 0 (G1)"
            for card, position in zip(cards, positions, strict=True):
                self.slots[seat].append(Slot(card, 0, position))
                self.draws.append(Draw(0, seat, 0, card))
        if deck:
            self.stock_positions = list(range(len(deck) - len(view["stock"]), len(deck)))
            assert [deck[position] for position in self.stock_positions] == view["stock"]

    def step(self, before: dict[str, Any], name: str, after: dict[str, Any]) -> None:
        """Note one action."""
        self.time += 1
        drawn = self._leave_stock(before, name, after)
        covered = Counter(before["pile"][:-1]) if name == "draw_pile" else Counter()
        if name == "take_pile meld" and before["frozen"]:
            self._show(before["seat"], before["pile"][-1], 2)
        for seat in range(self.seats):
            had, has = Counter(before["hands"][seat]), Counter(after["hands"][seat])
            if seat == before["seat"]:
                for card in laid_before_cards_came(name, before):
                    had[card] -= 1
                    self._lose(seat, card)
            for card in (has - had).elements():
                self._gain(seat, card, drawn, covered)
            for card in (had - has).elements():
                self._lose(seat, card)
        assert not drawn, "every card that left the stock came to a hand"

    def _leave_stock(self, before: dict[str, Any], name: str, after: dict[str, Any]) -> list[Slot]:
        """The cards that left the stock, an old one first; notes a new stock."""
        old, new = before["stock"], after["stock"]
        # What is bought leaves the pile as well, for the buyer's hand.
        bought = before["pile"][-1:] if name == "buy" else []
        left_pile = len(before["pile"]) - len(bought) - len(after["pile"])
        made_anew = not old and name in ("draw_stock", "stay_silent", "buy") and left_pile > 0
        reshuffled = len(new) > len(old) or old[len(old) - len(new) :] != new or made_anew
        count = len(old) if reshuffled else len(old) - len(new)
        drawn = []
        for card in old[:count]:
            position = self.stock_positions.pop(0) if self.stock_positions else None
            drawn.append(Slot(card, len(self.stocks) - 1, position))
        if reshuffled:
            gained: Counter[str] = Counter()
            for seat in range(self.seats):
                gained += Counter(after["hands"][seat]) - Counter(before["hands"][seat])
            gained -= Counter(slot.card for slot in drawn) + Counter(bought)
            self.stocks.append(Counter(new) + gained)
            pile = Counter(before["pile"]) - Counter(bought)
            assert self.stocks[-1] == pile - Counter(after["pile"]), "the pile is the new stock (G2)"
            drawn += [Slot(card, len(self.stocks) - 1, None) for card in gained.elements()]
            self.stock_positions = None
        return drawn

    def _gain(self, seat: int, card: str, drawn: list[Slot], covered: Counter[str]) -> None:
        slot = next((slot for slot in drawn if slot.card == card), None)
        if slot is None:
            self.known[seat][card] += 1
            self.shown[seat][card] += not covered[card]
            covered[card] -= covered[card] > 0
            return
        drawn.remove(slot)
        self.slots[seat].append(slot)
        self.draws.append(Draw(self.time, seat, slot.stock, card))

    def _lose(self, seat: int, card: str) -> None:
        """Of equal cards the one that all know of may be the one that left."""
        self.shown[seat][card] -= self.shown[seat][card] > 0
        if self.known[seat][card]:
            self.known[seat][card] -= 1
            return
        slot = next(slot for slot in reversed(self.slots[seat]) if slot.card == card)
        self.slots[seat].remove(slot)
        self.leaves.append(Leave(self.time, seat, card, slot.stock))

    def _show(self, seat: int, card: str, copies: int) -> None:
        """A hand has shown that it holds that many copies at least."""
        while self.known[seat][card] < copies:
            slot = next(slot for slot in reversed(self.slots[seat]) if slot.card == card)
            self.slots[seat].remove(slot)
            self.leaves.append(Leave(self.time, seat, card, slot.stock))
            self.known[seat][card] += 1

    # Other worlds ----------------------------------------------------------------------------------------------------

    def hidden(self, viewer: int) -> list[Slot]:
        """The cards in other hands that a viewer has not seen."""
        return [slot for seat in range(self.seats) if seat != viewer for slot in self.slots[seat]]

    def holders(self, viewer: int) -> list[Draw]:
        """The draws of these cards, as far as the record goes."""
        return [Draw(0, s, slot.stock, slot.card) for s in range(self.seats) if s != viewer for slot in self.slots[s]]

    def another_deck(self, viewer: int, deck: list[str], rng: random.Random) -> list[str]:
        """A deck that differs from the one dealt only in what the viewer has not seen until now."""
        positions = [slot.position for slot in self.hidden(viewer) if slot.position is not None]
        positions += self.stock_positions or []
        cards = [deck[position] for position in positions]
        rng.shuffle(cards)
        other = list(deck)
        for position, card in zip(positions, cards, strict=True):
            other[position] = card
        return other

    def deck_of(self, viewer: int, deck: list[str], world: dict[str, Any]) -> list[str]:
        """The deck that leads to a world by the same actions; only before the first reshuffle."""
        assert len(self.stocks) == 1
        other = list(deck)
        for seat in range(self.seats):
            if seat == viewer:
                continue
            cards = (Counter(world["hands"][seat]) - self.known[seat]).elements()
            for slot, card in zip(self.slots[seat], cards, strict=True):
                other[slot.position] = card
        for position, card in zip(self.stock_positions, world["stock"], strict=True):
            other[position] = card
        return other

    def can_vary(self, viewer: int) -> bool:
        """Whether two different cards that came from one stock lie unseen in two different places."""
        last = len(self.stocks) - 1
        unseen = [(seat, slot.stock, slot.card) for seat in range(self.seats) for slot in self.slots[seat]]
        unseen = [place for place in unseen if place[0] != viewer]
        remaining = self.stocks[last] - Counter(draw.card for draw in self.draws if draw.stock == last)
        unseen += [(-1, last, card) for card in remaining]
        return any(a[0] != b[0] and a[1] == b[1] and a[2] != b[2] for a in unseen for b in unseen)

    # Whether a world agrees with the record --------------------------------------------------------------------------

    def contradiction(self, viewer: int, world: dict[str, Any]) -> str | None:
        """What speaks against a world in the eyes of the viewer; None when nothing does."""
        held: list[Cards] = []
        for seat in range(self.seats):
            if seat == viewer:
                continue
            hand = Counter(world["hands"][seat])
            if self.known[seat] - hand:
                return f"seat {seat} must hold {dict(self.known[seat] - hand)}"
            if hand.total() != self.known[seat].total() + len(self.slots[seat]):
                return f"seat {seat} holds {hand.total()} cards"
            held += [Cards(seat, card, NEVER, n) for card, n in sorted((hand - self.known[seat]).items())]
        wanted = [Counter(stock) for stock in self.stocks]
        for draw in self.draws:
            if draw.seat == viewer:
                wanted[draw.stock][draw.card] -= 1
        wanted[-1].subtract(world["stock"])
        leaves = [leave for leave in self.leaves if leave.seat != viewer]
        left = [Cards(leave.seat, leave.card, leave.time, 1) for leave in leaves]
        # Nearly always it is enough to think that the cards gone came from where the record guesses.
        guess = [Counter(stock) for stock in wanted]
        for leave in leaves:
            guess[leave.stock][leave.card] -= 1
        if _assign(held, guess, self.holders(viewer), []) is None:
            return None
        draws = [draw for draw in self.draws if draw.seat != viewer]
        return _assign(held + left, wanted, draws, leaves)


def _assign(groups: list[Cards], wanted: list[Counter[str]], drawn: list[Any], leaves: list[Leave]) -> str | None:
    """Give every card a stock that it came from: integers x[group, stock] with the sums of the record.

    Args:
        groups: the cards.
        wanted: of each stock, the cards that must have come from it.
        drawn: a `seat`, a `stock` (and for `leaves` a `time`) for each card that was drawn.
        leaves: a card that left at a time was drawn before it.
    """
    if min((n for stock in wanted for n in stock.values()), default=0) < 0:
        return "the stock holds a card that it was not made of, or that the viewer drew"
    program = Program()
    stocks = range(len(wanted))
    for number, group in enumerate(groups):
        program.limit(("group", number), group.copies, group.copies)
        for k in stocks:
            keys = [("group", number), ("drawn", group.seat, k), ("made of", k, group.card)]
            late = [leave.time for leave in leaves if leave.seat == group.seat and leave.time >= group.time]
            program.variable(min(group.copies, wanted[k][group.card]), keys + [("by", group.seat, k, t) for t in late])
    for k in stocks:
        for card, n in wanted[k].items():
            program.limit(("made of", k, card), n, n)
        for seat in {draw.seat for draw in drawn}:
            n = sum(draw.seat == seat and draw.stock == k for draw in drawn)
            program.limit(("drawn", seat, k), n, n)
        for leave in leaves:
            earlier = [d for d in drawn if d.seat == leave.seat and d.stock == k and d.time < leave.time]
            program.limit(("by", leave.seat, k, leave.time), 0, len(earlier))
    return program.infeasible()


class Program:
    """Integers within bounds, and bounds on sums of them; a sum that is not limited must be zero."""

    def __init__(self) -> None:
        self.most: list[int] = []
        self.sums: dict[Any, list[int]] = {}
        self.limits: dict[Any, tuple[int, int]] = {}

    def variable(self, most: int, sums: list[Any]) -> None:
        """An integer of 0..most that counts in these sums."""
        for key in sums:
            self.sums.setdefault(key, []).append(len(self.most))
        self.most.append(most)

    def limit(self, key: Any, low: int, high: int) -> None:
        self.limits[key] = (low, high)

    def infeasible(self) -> str | None:
        """Why there are no such integers; None when there are."""
        keys = list(self.limits | dict.fromkeys(self.sums))
        low, high = zip(*(self.limits.get(key, (0, 0)) for key in keys), strict=True)
        at = [(row, column) for row, key in enumerate(keys) for column in self.sums.get(key, [])]
        if not at:
            return None if not any(low) else "cards are wanted, and there are none"
        rows, columns = np.array(at).T
        matrix = coo_array((np.ones(len(at)), (rows, columns)), shape=(len(keys), len(self.most))).tocsr()
        constraints = LinearConstraint(matrix, low, high)
        answer = milp(np.zeros(len(self.most)), constraints=constraints, integrality=1, bounds=Bounds(0, self.most))
        return None if answer.status == 0 else f"no draws can have dealt it: {answer.message}"
