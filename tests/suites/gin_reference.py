"""A naive engine for Gin Rummy, written from the rules alone: plain Python, sets of card texts, brute force.

It holds a position of its own. `legal` names what may be done, `apply` plays an action by name, with its own copy of
the stock. What hands leave is found by trying every way to meld them and to lay off, one card after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import Any

RANKS = "A23456789TJQK"
SUITS = "cdhs"
POINTS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(number): number for number in range(2, 10)}
"""J1."""

Meld = frozenset[str]


def points(cards: Iterable[str]) -> int:
    return sum(POINTS[card[0]] for card in cards)


def is_meld(cards: Iterable[str]) -> bool:
    """A set of three or four of a rank, or a run of three or more (J4)."""
    cards = list(cards)
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    if len(cards) < 3:
        return False
    if len(set(ranks)) == 1:
        return len(cards) <= 4
    return len({card[1] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(cards)))


@cache
def every_meld() -> tuple[Meld, ...]:
    """All melds of the pack."""
    melds = []
    for rank in RANKS:
        held = [rank + suit for suit in SUITS]
        melds += [frozenset(some) for n in (3, 4) for some in combinations(held, n)]
    for suit in SUITS:
        melds += [
            frozenset(rank + suit for rank in RANKS[low:high]) for low in range(13) for high in range(low + 3, 14)
        ]
    return tuple(melds)


def melds_in(hand: Meld) -> list[Meld]:
    return [meld for meld in every_meld() if meld <= hand]


def least(hand: Iterable[str]) -> int:
    """Least deadwood of a hand, over all ways to part it."""

    def left(rest: Meld, melds: list[Meld]) -> int:
        best = points(rest)
        for i, meld in enumerate(melds):
            best = min(best, left(rest - meld, [other for other in melds[i:] if other <= rest - meld]))
        return best

    hand = frozenset(hand)
    return left(hand, melds_in(hand))


def ways(hand: Iterable[str]) -> list[tuple[Meld, ...]]:
    """All ways to lay melds of a hand, with nothing left that still could be laid as one."""
    found = set()

    def lay(rest: Meld, laid: tuple[Meld, ...]) -> None:
        melds = melds_in(rest)
        for meld in melds:
            lay(rest - meld, (*laid, meld))
        if not melds:
            found.add(tuple(sorted(laid, key=sorted)))

    lay(frozenset(hand), ())
    return sorted(found, key=lambda way: [sorted(meld) for meld in way])


def least_against(hand: Iterable[str], table: Iterable[Meld]) -> int:
    """Least that a hand leaves when it may lay its own melds and lay cards off on those of `table`, one by one (J5)."""

    @cache
    def left(rest: Meld, melds: tuple[Meld, ...]) -> int:
        best = points(rest)
        for meld in melds_in(rest):
            best = min(best, left(rest - meld, melds))
        for card in rest:
            for i, meld in enumerate(melds):
                if is_meld(meld | {card}):
                    longer = tuple(sorted((*melds[:i], meld | {card}, *melds[i + 1 :]), key=sorted))
                    best = min(best, left(rest - {card}, longer))
        return best

    return left(frozenset(hand), tuple(sorted(table, key=sorted)))


class Reference:
    """A round in progress, taken over from `view()` at its beginning."""

    def __init__(self, options: dict[str, Any], view: dict[str, Any]) -> None:
        self.options = options
        self.hands = [set(hand) for hand in view["hands"]]
        self.stock, self.pile = list(view["stock"]), list(view["pile"])
        self.first = self.seat = 1 - view["dealer"]
        self.phase, self.turns, self.passes = "upcard", 0, 0
        self.limit = POINTS[self.pile[0][0]] if options["oklahoma"] else options["knock_card"]
        if options["oklahoma"] and self.pile[0][0] == "A":
            self.limit = 0
        self.ended: str | None = None
        self.knocker: int | None = None

    def legal(self) -> set[str]:
        """The names of the legal actions (J2-J4)."""
        if self.phase == "upcard":
            return {"draw_top", "pass"}
        if self.phase == "draw":
            return {"draw_stock"} if self.passes == 2 and self.turns == 0 else {"draw_stock", "draw_top"}
        hand = self.hands[self.seat]
        knocks = {f"knock {card}" for card in hand if least(hand - {card}) <= self.limit}
        return knocks | {f"discard {card}" for card in hand}

    def apply(self, name: str) -> None:
        """Play an action."""
        verb, *card = name.split()
        hand = self.hands[self.seat]
        if verb == "pass":
            self.passes += 1
            self.seat = 1 - self.seat
            self.phase = "draw" if self.passes == 2 else "upcard"
        elif verb in ("draw_stock", "draw_top"):
            hand.add(self.stock.pop(0) if verb == "draw_stock" else self.pile.pop())
            self.phase = "discard"
        else:
            hand.remove(card[0])
            self.pile.append(card[0])
            self.turns += 1
            if verb == "knock":
                self.knocker = self.seat
                self.end("gin" if least(hand) == 0 else "knock")
            elif len(self.stock) == 2:
                self.end("void")
            elif self.turns == 2 * self.options["max_turns"]:
                self.end("cap")
            else:
                self.seat, self.phase = 1 - self.seat, "draw"

    def end(self, how: str) -> None:
        self.ended, self.phase = how, "over"

    def differences(self, view: dict[str, Any]) -> dict[str, Any]:
        """What `view()` says otherwise: name -> (found, expected)."""
        names = ("phase", "seat", "turns", "passes", "ended", "knocker", "stock", "pile")
        expected = {name: getattr(self, name) for name in names} | {"knock_limit": self.limit}
        wrong = {name: (view[name], value) for name, value in expected.items() if view[name] != value}
        for seat, hand in enumerate(self.hands):
            laid = [card for meld in view["melds"] if meld["seat"] == seat for card in own(meld)]
            laid += [card for meld in view["melds"] if meld["seat"] != seat for card in meld["laid_off"]]
            if sorted([*view["hands"][seat], *laid]) != sorted(hand):
                wrong[f"hand {seat}"] = (view["hands"][seat], laid, sorted(hand))
        return wrong | (self.end_differences(view) if self.knocker is not None else {})

    def end_differences(self, view: dict[str, Any]) -> dict[str, Any]:
        """J5: melds that are none, and deadwood that is not the least that there is."""
        knocker, other = self.knocker, 1 - (self.knocker or 0)
        wrong = {" ".join(meld["cards"]): ("no meld", meld) for meld in view["melds"] if not is_meld(meld["cards"])}
        wrong |= {" ".join(own(meld)): ("no meld", meld) for meld in view["melds"] if not is_meld(own(meld))}
        table = [frozenset(own(meld)) for meld in view["melds"] if meld["seat"] == knocker]
        due = {
            knocker: least(self.hands[knocker or 0]),
            other: least(self.hands[other]) if self.ended == "gin" else least_against(self.hands[other], table),
        }
        for seat, deadwood in due.items():
            if points(view["hands"][seat or 0]) != deadwood:
                wrong[f"deadwood {seat}"] = (view["hands"][seat or 0], deadwood)
        if self.ended == "gin" and any(meld["laid_off"] for meld in view["melds"]):
            wrong["laid off"] = (view["melds"], "nothing")
        return wrong


def own(meld: dict[str, Any]) -> list[str]:
    """The cards of a meld that its owner laid."""
    return [card for card in meld["cards"] if card not in meld["laid_off"]]
