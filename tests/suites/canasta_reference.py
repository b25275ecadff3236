"""A naive engine for Canasta, written from the rules alone: plain Python, lists of card texts, brute force.

It holds a position of its own. `legal` names what may be done: whether a meld, or a turn, can be brought to a legal end
is found by trying every card of the hand in every way. `apply` plays an action by name, with its own copy of the stock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

RANKS = "456789TJQKA"
WILDS = ("2", "JK")
POINTS = {"JK": 50, "2": 20, "A": 20, "3b": 5, "3r": 100} | dict.fromkeys("456789TJQK", 10) | dict.fromkeys("4567", 5)
"""K14."""

FORMS = {"pair": None, "two": "2", "joker": "JK"}
"""What is laid with a natural and the top of the pile; None: a second natural."""


def points(cards: Any) -> int:
    return sum(POINTS[card] for card in cards)


def minimum(total: int) -> int:
    """K6."""
    return 15 if total < 0 else 50 if total <= 1495 else 90 if total <= 2995 else 120


def sound(cards: list[str]) -> bool:
    """K5: more naturals than wilds."""
    return sum(card not in WILDS for card in cards) * 2 > len(cards)


@dataclass
class Side:
    """What a side has on the table: its melds by rank, one of them perhaps half laid."""

    minimum: int
    melds: dict[str, list[str]] = field(default_factory=dict)
    half: str | None = None
    red: int = 0
    black: int = 0

    @property
    def opened(self) -> bool:
        return any(rank != self.half for rank in self.melds)

    @property
    def canastas(self) -> int:
        return sum(len(cards) >= 7 for cards in self.melds.values())

    def with_card(self, rank: str, card: str) -> Side | None:
        """The side with a card more on a meld, which is half laid until it stands; None where K5 forbids it."""
        cards = [*self.melds.get(rank, []), card]
        if not sound(cards):
            return None
        half = rank if rank not in self.melds else self.half
        after = Side(self.minimum, {**self.melds, rank: cards}, half, self.red, self.black)
        if half == rank and len(cards) >= 3 and (after.opened or points(cards) >= self.minimum):
            after.half = None
        return after


class Reference:
    """A round in progress, taken over from `view()` between two melds."""

    def __init__(self, options: dict[str, Any], view: dict[str, Any]) -> None:
        assert view["half_laid"] is None
        self.players = len(view["hands"])
        self.sides_of = view["sides"]
        partners = max(self.sides_of) + 1 < self.players
        self.needed = options["canastas"] or (2 if partners else 1)
        self.max_turns = options["max_turns"]
        self.hands = [Counter(hand) for hand in view["hands"]]
        self.stock, self.pile, self.beside = list(view["stock"]), list(view["pile"]), list(view["beside"])
        self.sides = [
            Side(minimum(score), red=len(red))
            for score, red in zip(view["side_scores"], view["red_threes"], strict=True)
        ]
        for meld in view["melds"]:
            if meld["rank"] == "3b":
                self.sides[meld["side"]].black = len(meld["cards"])
            else:
                self.sides[meld["side"]].melds[meld["rank"]] = list(meld["cards"])
        self.phase, self.seat, self.turns, self.blocked_by = (
            view[key] for key in ("phase", "seat", "turns", "blocked_by")
        )
        self.taking = False
        self.ended: str | None = None
        self.out: int | None = None

    @property
    def hand(self) -> Counter[str]:
        return self.hands[self.seat]

    @property
    def side(self) -> Side:
        return self.sides[self.sides_of[self.seat]]

    @side.setter
    def side(self, side: Side) -> None:
        self.sides[self.sides_of[self.seat]] = side

    # Brute force -----------------------------------------------------------------------------------------------------

    def can_end(self, hand: Counter[str], side: Side, coming: list[str]) -> bool:
        """Whether a turn can be brought to a legal end: by a discard that keeps a card, or by going out (K11)."""
        if side.half is None:
            hand, coming = hand + Counter(coming), []
            if hand.total() >= 2 or side.canastas >= self.needed:
                return True
        return any(self.can_end(*after, coming) for _, after in self.placings(hand, side))

    def placings(self, hand: Counter[str], side: Side) -> Iterator[tuple[str, tuple[Counter[str], Side]]]:
        """The name and outcome of each card that may lie on a meld, whether or not the turn can end then."""
        for rank in RANKS if side.half is None else side.half:
            for card in (rank, *WILDS):
                if hand[card] and (after := side.with_card(rank, card)):
                    yield f"place {rank} {'natural' if card == rank else card}", (hand - Counter([card]), after)

    # What is legal ---------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """The names of the legal actions."""
        if self.phase == "draw":
            return {"draw_stock"} | self.takes()
        coming = self.pile + self.beside if self.taking else []
        names = {name for name, after in self.placings(self.hand, self.side) if self.can_end(*after, coming)}
        return names if self.phase == "meld" else names | self.threes() | self.discards()

    def takes(self) -> set[str]:
        """K7, K8."""
        if not self.pile or self.pile[-1] not in RANKS or self.blocked_by is not None:
            return set()
        top, rest = self.pile[-1], self.pile[:-1] + self.beside
        if top in self.side.melds:
            if self.beside and self.hand[top] < 2:
                return set()
            after = self.side.with_card(top, top)
            return {"take_pile meld"} if after and self.can_end(self.hand, after, rest) else set()
        forms = FORMS if self.side.opened and not self.beside else ["pair"]
        return {f"take_pile {form}" for form in forms if self.takes_with(top, FORMS[form] or top, rest)}

    def takes_with(self, top: str, second: str, rest: list[str]) -> bool:
        """Whether the top is melded with a natural like it and a second card of the hand."""
        laid = Counter([top, second])
        if laid - self.hand:
            return False
        side: Side | None = self.side
        for card in (top, top, second):
            side = side.with_card(top, card) if side else None
        return side is not None and self.can_end(self.hand - laid, side, rest)

    def threes(self) -> set[str]:
        """K9, K12."""
        names, out = set(), self.side.canastas >= self.needed
        if self.hand["3r"]:
            # The card that comes for it may be any: one that cannot be laid is the worst.
            after = self.hand - Counter(["3r"]) + Counter(["?"] if self.stock else [])
            if self.can_end(after, self.side, []):
                names.add("red_three")
        if self.hand["3b"] >= 3 and out and self.hand.total() - self.hand["3b"] <= 1:
            names.add("black_threes")
        return names

    def discards(self) -> set[str]:
        if self.hand.total() == 1 and self.side.canastas < self.needed:
            return set()
        return {f"discard {card}" for card in self.hand}

    # What actions do -------------------------------------------------------------------------------------------------

    def apply(self, name: str) -> None:
        """Play an action."""
        verb, *words = name.split()
        getattr(self, f"apply_{verb}")(*words)

    def spend(self, card: str) -> None:
        assert self.hand[card] > 0
        self.hands[self.seat] = self.hand - Counter([card])

    def lay(self, rank: str, card: str) -> None:
        """A card comes to a meld; when that stands, the rest of a pile that is taken follows."""
        side = self.side.with_card(rank, card)
        assert side is not None
        self.side = side
        self.phase = "play" if side.half is None else "meld"
        if self.taking and side.half is None:
            self.hand.update(self.pile + self.beside)
            self.pile, self.beside, self.taking = [], [], False

    def go_out_if_empty(self) -> None:
        if not self.hand.total():
            self.ended, self.out = "out", self.seat

    def apply_draw_stock(self) -> None:
        self.hand[self.stock.pop(0)] += 1
        self.phase = "play"

    def apply_take_pile(self, form: str) -> None:
        top, self.taking = self.pile.pop(), True
        if form != "meld":
            for card in (top, FORMS[form] or top):
                self.spend(card)
            self.lay(top, top)
            self.lay(top, top)
            self.lay(top, FORMS[form] or top)
        else:
            self.lay(top, top)
        self.go_out_if_empty()

    def apply_place(self, rank: str, word: str) -> None:
        card = rank if word == "natural" else word
        self.spend(card)
        self.lay(rank, card)
        if self.phase == "play":
            self.go_out_if_empty()

    def apply_red_three(self) -> None:
        self.spend("3r")
        self.side.red += 1
        if self.stock:
            self.hand[self.stock.pop(0)] += 1
        self.go_out_if_empty()

    def apply_black_threes(self) -> None:
        self.side.black = self.hand.pop("3b")
        self.go_out_if_empty()

    def apply_discard(self, card: str) -> None:
        self.spend(card)
        (self.beside if card in WILDS else self.pile).append(card)
        if card == "3r":
            self.blocked_by = self.seat
        self.go_out_if_empty()
        if self.ended:
            return
        self.turns += 1
        if not self.stock:
            self.ended = "stock"
        elif self.turns == self.players * self.max_turns:
            self.ended = "cap"
        else:
            self.seat, self.phase = (self.seat + 1) % self.players, "draw"
            self.blocked_by = None if self.blocked_by == self.seat else self.blocked_by

    # Beside the game under test --------------------------------------------------------------------------------------

    def differences(self, view: dict[str, Any]) -> dict[str, Any]:
        """What of a position is not as `view()` shows it: key -> (here, there)."""
        mine: dict[str, Any] = {key: getattr(self, key) for key in ("stock", "pile", "turns", "blocked_by", "out")}
        mine |= {
            "phase": "over" if self.ended else self.phase,
            "ended": self.ended,
            "hands": [+hand for hand in self.hands],
            "beside": sorted(self.beside),
            "melds": {(s, r): sorted(c) for s, side in enumerate(self.sides) for r, c in side.melds.items()},
            "black": [side.black for side in self.sides],
            "red": [side.red for side in self.sides],
            "opened": [side.opened for side in self.sides],
            "canastas": [side.canastas for side in self.sides],
            "minimum": [side.minimum for side in self.sides],
        }
        half = [view["half_laid"]] if view["half_laid"] else []
        theirs = {key: view[key] for key in mine if key in view} | {
            "hands": [Counter(hand) for hand in view["hands"]],
            "melds": {(m["side"], m["rank"]): sorted(m["cards"]) for m in view["melds"] + half if m["rank"] != "3b"},
            "black": [0] * len(self.sides),
            "red": [len(red) for red in view["red_threes"]],
        }
        for meld in view["melds"]:
            if meld["rank"] == "3b":
                theirs["black"][meld["side"]] = len(meld["cards"])
        if not self.ended:
            mine["seat"], theirs["seat"] = self.seat, view["seat"]
        return {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
