"""A naive engine for the `laydown` games, written from the rules alone: plain Python, lists of card texts, brute force.

It holds a position of its own. `legal` names what may be done; whether a meld can be finished is found by trying every
card of the hand on every place. `apply` plays an action by name. What chance decides, and what the rules leave open, is
taken from the game under test, after a check that it is possible at all: the order of a new stock, who is asked first
for a claim, and which of two runs that end alike is laid off on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from suites import contracts
from suites.contracts import CONTRACTS, place_of
from suites.houses import house_of


@dataclass(frozen=True)
class Meld:
    """A meld on the table: a run has its lowest rank, a set its rank."""

    kind: str
    low: str
    cards: tuple[str, ...]

    @classmethod
    def seen(cls, meld: dict[str, Any]) -> Meld:
        return cls(meld["kind"], meld["low"] if meld["kind"] == "run" else meld["rank"], tuple(meld["cards"]))


@dataclass(frozen=True)
class HalfLaid:
    """A meld that wants more cards: `runs` are those that it may extend, none for a new meld."""

    meld: Meld
    left: int
    places: tuple[str, ...] = ()
    runs: tuple[Meld, ...] = ()
    above: bool = False


class Reference:
    """A round in progress, taken over from `view()`."""

    def __init__(self, variant: str, options: dict[str, Any], view: dict[str, Any]) -> None:
        self.house = house_of(variant, options)
        self.options = options
        self.players = len(view["hands"])
        self.hands = [Counter(hand) for hand in view["hands"]]
        self.stock, self.pile = list(view["stock"]), list(view["pile"])
        self.melds = [Meld.seen(meld) for meld in view["melds"]]
        self.opened = list(view["opened"])
        self.phase, self.seat, self.turn, self.turns = (view[key] for key in ("phase", "seat", "turn", "turns"))
        self.claimants: list[int] = list(view["claimants"])
        nothing = [0] * self.players
        self.table_points, self.deductions = (list(view.get(key, nothing)) for key in ("table_points", "deductions"))
        self.duty: bool = view.get("duty", False)
        self.contract: int = view.get("contract", 0)
        self.buys_left = list(view.get("buys_left", nothing))
        self._owe()
        if self.contract == 7:
            self.house = self.house._replace(keep=0)
        self.half: HalfLaid | None = None
        self.ended: str | None = None
        self.out: int | None = None
        assert view["half_laid"] is None, "a reference begins between two melds"

    # Cards and places ------------------------------------------------------------------------------------------------

    @property
    def hand(self) -> Counter[str]:
        return self.hands[self.seat]

    def natural(self, card: str) -> bool:
        return card not in self.house.wilds

    def places(self, low: str, length: int) -> tuple[str, ...] | None:
        """The naturals of a run from its lowest card; None where it leaves the ranks (no wrap: C10, R3)."""
        first = self.house.ranks.index(self.house.rank(low))
        ranks, suit = self._rank_places()[first : first + length], self.house.suit(low)
        return tuple(self.house.card(rank, suit) for rank in ranks) if len(ranks) == length else None

    def _rank_places(self) -> tuple[str, ...]:
        """The ranks as they follow each other in runs: with contracts the ace comes again (V4)."""
        return (*self.house.ranks, "A") if self.house.contracts else self.house.ranks

    def _owe(self) -> None:
        """V5: whose turn begins owes the whole contract, or nothing once it lies; the next meld is of any rank."""
        self.owed = [0, 0] if not self.contract or self.opened[self.turn] else list(CONTRACTS[self.contract])
        self.least: str | None = None

    def begun(self) -> bool:
        """Whether a part of the contract lies and more is owed."""
        return bool(self.contract) and 0 < sum(self.owed) < sum(CONTRACTS[self.contract])

    def fitting(self, hand: Counter[str], place: str) -> list[str]:
        """Cards of a hand that may lie on a place of a run."""
        return [card for card in (place, *self.house.wilds) if hand[card] > 0]

    def beyond(self, run: Meld, above: bool) -> str | None:
        """The place that continues a run."""
        house, ranks = self.house, self._rank_places()
        at = house.ranks.index(house.rank(run.low)) + (len(run.cards) if above else -1)
        return house.card(ranks[at], house.suit(run.low)) if 0 <= at < len(ranks) else None

    def finishable(self, hand: Counter[str], places: tuple[str, ...], has_natural: bool) -> bool:
        """Whether a run can be finished: a natural in it (C10), and a card left to discard (C11, R6; not N9)."""
        if not places:
            return has_natural and hand.total() >= self.house.keep
        for card in self.fitting(hand, places[0]):
            hand[card] -= 1
            possible = self.finishable(hand, places[1:], has_natural or self.natural(card))
            hand[card] += 1
            if possible:
                return True
        return False

    def suits_next(self, hand: Counter[str], meld: Meld, left: int) -> set[str]:
        """Suits that may come next on a set: never descending, so that a set can be laid in one way."""
        house = self.house
        held = [suit for suit in house.suits for _ in range(hand[house.card(meld.low, suit)])]
        laid = [house.suit(card) for card in meld.cards]
        rising = [suit for suit in held if not laid or suit >= laid[-1]]
        return {suits[0] for suits in combinations(rising, left) if hand.total() - left >= house.keep}

    # What is legal ---------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """The names of the legal actions."""
        if self.phase == "announce":
            return {"announce", "stay_silent"}
        return {"draw": self._draws, "play": self._plays, "fill": self._fills, "claim": self._claims}[self.phase]()

    def stock_serves(self) -> bool:
        """G2: one card in the pile is never shuffled."""
        return bool(self.stock) or len(self.pile) > 1

    def _draws(self) -> set[str]:
        """C7, N4, R4: drawing a pile's only card and taking the pile are one action."""
        names = {"draw_stock"} if self.stock_serves() else set()
        if self.pile and self.house.take_top:
            names.add("draw_top")
        if self.house.take_pile and len(self.pile) > (1 if self.house.take_top else 0):
            names.add("draw_pile")
        return names

    def _plays(self) -> set[str]:
        if self.begun():
            return self._contract_beginnings()
        names = {f"discard {card}" for card in self.hand}
        if self.house.contracts:
            names |= self._contract_beginnings()
        else:
            names |= self.beginnings(self.hand, self.opened[self.seat])
        if self.opened[self.seat] or not self.house.lay_off_once_opened:
            names |= self._lay_offs() | self._swaps()
        return names

    def beginnings(self, hand: Counter[str], opened: bool) -> set[str]:
        """The names of the new melds that a hand can finish and keep a card."""
        names, length = set(), 3 if opened else self.house.opening
        for low in (self.house.card(rank, suit) for suit in self.house.suits for rank in self.house.ranks):
            places = self.places(low, length)
            if places and self.finishable(hand, places, False):
                names.add(f"run {low}")
        if self.house.sets:
            names |= {f"set {rank}" for rank in self.house.ranks if self.suits_next(hand, Meld("set", rank, ()), 3)}
        return names

    def _contract_beginnings(self) -> set[str]:
        """V5: by brute force, in the one order of laying."""
        sets, runs = self.owed
        least = self.least or ""
        rank = self.house.ranks.index(least) if sets and least else 0
        place = place_of(least) if not sets and len(least) > 1 else 0
        return contracts.beginnings(self.hand, sets, runs, self.house.keep, rank, place)

    def completes_contract(self, hand: Counter[str], cards: int) -> bool:
        """Whether a hand, and that many cards at least, can lay the whole contract and keep a card."""
        sets, runs = CONTRACTS[self.contract]
        return cards - self.house.keep >= 3 * sets + 4 * runs and contracts.can_lay(hand, sets, runs)

    def _lay_offs(self) -> set[str]:
        if self.hand.total() <= self.house.keep:
            return set()
        names = set()
        for meld in self.melds:
            if meld.kind == "set":
                fitting = [c for c in self.hand if self.natural(c) and self.house.rank(c) == meld.low]
                names |= {f"lay_off_set {card}" for card in fitting}
                if self.house.contracts and self.hand["JK"]:
                    names.add(f"lay_off_set JK {meld.low}")
                continue
            for above in (True, False):
                place = self.beyond(meld, above)
                if place and self.fitting(self.hand, place):
                    names.add(f"lay_off_run {place} {'above' if above else 'below'}")
        return names

    def _swaps(self) -> set[str]:
        return {f"swap_wild {place} {wild}" for _, place, wild in self._wild_places() if self.hand[place]}

    def _wild_places(self) -> list[tuple[Meld, str, str]]:
        """(run, place, wild that lies there)."""
        return [
            (run, place, card)
            for run in self.melds
            if run.kind == "run"
            for place, card in zip(self.places(run.low, len(run.cards)) or (), run.cards, strict=True)
            if not self.natural(card)
        ]

    def _fills(self) -> set[str]:
        half = self.half
        assert half is not None
        if self.house.contracts and not half.runs:
            sets, runs = self.owed
            if half.meld.kind == "set":
                return contracts.set_fills(self.hand, half.meld.low, half.meld.cards, sets - 1, runs)
            return contracts.run_fills(self.hand, half.meld.low, half.meld.cards, runs - 1)
        if half.meld.kind == "set":
            return {f"fill {suit}" for suit in self.suits_next(self.hand, half.meld, half.left)}
        has_natural = bool(half.runs) or any(self.natural(card) for card in half.meld.cards)
        return {
            f"fill {'natural' if self.natural(card) else card}"
            for card in self.fitting(self.hand, half.places[0])
            if self.finishable(self.hand - Counter([card]), half.places[1:], has_natural or self.natural(card))
        }

    def _claims(self) -> set[str]:
        return {"buy" if self.house.contracts else "claim", "pass"}

    # What actions do -------------------------------------------------------------------------------------------------

    def apply(self, name: str, after: dict[str, Any]) -> None:
        """Play an action; `after` is what the game under test made of it."""
        verb, *words = name.split()
        getattr(self, f"_apply_{verb}")(*words, after=after)

    def _apply_draw_stock(self, after: dict[str, Any]) -> None:
        self._draw_unseen(after)
        self.phase = "play"
        # V6: the others are asked whether they buy the top, from the left.
        left = [(self.turn + i) % self.players for i in range(1, self.players)]
        self.claimants = [seat for seat in left if self.buys_left[seat] > 0 and not self.opened[seat] and self.pile]
        if self.claimants:
            self.phase, self.seat = "claim", self.claimants[0]

    def _apply_buy(self, after: dict[str, Any]) -> None:
        """V6: the top, and a card from the stock, if there is one."""
        self.hand[self.pile.pop()] += 1
        self.buys_left[self.seat] -= 1
        if self.stock_serves():
            self._draw_unseen(after)
        self.claimants = []
        self.phase, self.seat = "play", self.turn

    def _draw_unseen(self, after: dict[str, Any]) -> None:
        if not self.stock:
            # G2: the pile less its top card is shuffled; the game says into which order.
            drawn = Counter(after["hands"][self.seat]) - self.hand
            self.stock = [*drawn.elements(), *after["stock"]]
            assert Counter(self.stock) == Counter(self.pile[:-1]), "the new stock is the pile less its top"
            self.pile = self.pile[-1:]
        self.hand[self.stock.pop(0)] += 1

    def _apply_draw_top(self, after: dict[str, Any]) -> None:
        self.hand[self.pile.pop()] += 1
        self.phase = "play"

    def _apply_draw_pile(self, after: dict[str, Any]) -> None:
        """N5: a duty, unless it is the only card to be had."""
        self.duty = self.house.table_points is not None and self.stock_serves()
        self.hand.update(self.pile)
        self.pile = []
        self.phase = "play"

    def _spend(self, card: str) -> None:
        assert self.hand[card] > 0
        self.hands[self.seat] = self.hand - Counter([card])

    def _lay(self, card: str) -> None:
        """N8: a card counts for who put it on the table."""
        self._spend(card)
        if self.house.table_points:
            self.table_points[self.seat] += self.house.table_points[self.house.rank(card)]

    def _laid(self) -> None:
        """N9: who has laid the last card is out."""
        self.phase = "play"
        if not self.hand.total():
            self._end("out")

    def _apply_run(self, low: str, after: dict[str, Any]) -> None:
        length = self.house.run if self.opened[self.seat] else self.house.opening
        self.half = HalfLaid(Meld("run", low, ()), length, self.places(low, length) or ())
        self.phase = "fill"

    def _apply_set(self, rank: str, after: dict[str, Any]) -> None:
        self.half = HalfLaid(Meld("set", rank, ()), 3)
        self.phase = "fill"

    def _apply_fill(self, word: str, after: dict[str, Any]) -> None:
        half = self.half
        assert half is not None
        if half.runs:
            self._extend(half, half.places[0] if word == "natural" else word, after)
            return
        if half.meld.kind == "set":
            card = word if word in self.house.wilds else self.house.card(half.meld.low, word)
        else:
            card = half.places[0] if word == "natural" else word
        self._lay(card)
        meld = replace(half.meld, cards=(*half.meld.cards, card))
        self.half = replace(half, meld=meld, left=half.left - 1, places=half.places[1:])
        if half.left == 1:
            self.melds.append(meld)
            if self.contract:
                self.owed[meld.kind == "run"] -= 1
                self.least = meld.low if meld.kind == "run" or self.owed[0] else None
            self.opened[self.seat] = sum(self.owed) == 0
            self.half, self.duty = None, False
            self._laid()

    def _apply_lay_off_run(self, place: str, end: str, after: dict[str, Any]) -> None:
        """A choice between the natural and the wilds follows when there is a wild in the hand."""
        above = end == "above"
        runs = tuple(run for run in self.melds if run.kind == "run" and self.beyond(run, above) == place)
        half = HalfLaid(runs[0], 1, (place,), runs, above)
        if any(not self.natural(card) for card in self.hand):
            self.half, self.phase = half, "fill"
        else:
            self._extend(half, place, after)

    def _extend(self, half: HalfLaid, card: str, after: dict[str, Any]) -> None:
        """A card at the end of a run: of runs that end there, the one that the game took."""
        self._lay(card)
        longer = []
        for run in half.runs:
            cards = (*run.cards, card) if half.above else (card, *run.cards)
            longer.append((run, replace(run, low=run.low if half.above else half.places[0], cards=cards)))
        self._exchange(longer, after)
        self.half = None
        self._laid()

    def _exchange(self, changes: list[tuple[Meld, Meld]], after: dict[str, Any]) -> None:
        """Put one run in the place of another, as the game did."""
        found = Counter(Meld.seen(meld) for meld in after["melds"])
        for old, new in changes:
            expected = Counter(self.melds) - Counter([old]) + Counter([new])
            if expected == found:
                self.melds = list(expected.elements())
                return
        raise AssertionError(f"one of {[new for _, new in changes]} should lie on the table: {found}")

    def _apply_lay_off_set(self, card: str, rank: str = "", *, after: dict[str, Any]) -> None:
        """The rank is said of a wild."""
        self._lay(card)
        rank = rank or self.house.rank(card)
        sets = [meld for meld in self.melds if meld.kind == "set" and meld.low == rank]
        self._exchange([(meld, replace(meld, cards=(*meld.cards, card))) for meld in sets], after)
        self._laid()

    def _apply_swap_wild(self, place: str, wild: str, after: dict[str, Any]) -> None:
        self._spend(place)
        self.hand[wild] += 1
        changes = []
        for run in (meld for meld in self.melds if meld.kind == "run"):
            places = self.places(run.low, len(run.cards)) or ()
            for index, found in enumerate(zip(places, run.cards, strict=True)):
                if found == (place, wild):
                    changes.append((run, replace(run, cards=(*run.cards[:index], place, *run.cards[index + 1 :]))))
        self._exchange(changes, after)

    def _apply_discard(self, card: str, after: dict[str, Any]) -> None:
        self._spend(card)
        self.pile.append(card)
        if not self.hand.total():
            self._end("out")
        elif self.hand.total() == 1 and self.options.get("announce") == "action":
            self.phase = "announce"
        else:
            self._offer(after)

    def _apply_announce(self, after: dict[str, Any]) -> None:
        self._offer(after)

    def _apply_stay_silent(self, after: dict[str, Any]) -> None:
        """N12: a penalty card, if there is one."""
        if self.stock_serves():
            self._draw_unseen(after)
        self._offer(after)

    def _offer(self, after: dict[str, Any]) -> None:
        """R7, N10, X1: who may claim is asked in the order that the game says."""
        left = [(self.turn + i) % self.players for i in range(1, self.players)]
        if self.house.knock:
            left = [seat for seat in left if self.opened[seat] and self.opened[self.turn]]
        if not self.house.claims or not left or not self.fits_table(self.pile[-1]):
            self._next_turn()
            return
        self.claimants = list(after["claimants"])
        if self.options["claim_order"] == "seat":
            assert self.claimants == left, "asked from the discarder's left (X1)"
        assert sorted(self.claimants) == sorted(left), "all who may claim are asked (X1)"
        self.phase, self.seat = "claim", self.claimants[0]

    def fits_table(self, card: str) -> bool:
        """R7, N10: whether a card could be laid off on some meld."""
        return any(
            self.house.rank(card) == meld.low
            if meld.kind == "set"
            else card in (self.beyond(meld, True), self.beyond(meld, False))
            for meld in self.melds
        )

    def _apply_claim(self, after: dict[str, Any]) -> None:
        self.hand[self.pile.pop()] += 1
        self._next_turn()

    def _apply_pass(self, after: dict[str, Any]) -> None:
        self.claimants.pop(0)
        if self.claimants:
            self.seat = self.claimants[0]
        elif self.house.contracts:
            self.phase, self.seat = "play", self.turn
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        """G3: the round stops after `max_turns` turns of each; G2: nothing to draw, no draw."""
        self.claimants = []
        self._charge()
        self.turns += 1
        if self.turns == self.players * self.options["max_turns"]:
            self._end("cap")
            return
        self.seat = self.turn = (self.turn + 1) % self.players
        self._owe()
        self.phase = "draw" if self.stock or self.pile else "play"

    def _charge(self) -> None:
        """N5: no new meld since the pile was taken."""
        self.deductions[self.turn] += self.duty
        self.duty = False

    def _end(self, how: str) -> None:
        self._charge()
        self.ended, self.phase, self.claimants = how, "over", []
        self.out = self.turn if how == "out" else None

    # Comparison ------------------------------------------------------------------------------------------------------

    def differences(self, view: dict[str, Any]) -> dict[str, Any]:
        """What a view says otherwise: key -> (here, there)."""
        half = None
        if self.half:
            half = (self.half.meld if not self.half.runs else None, self.half.left)
        seen_half = None
        if view["half_laid"]:
            seen = Meld.seen(view["half_laid"])
            seen_half = (None if self.half and seen in self.half.runs else seen, view["half_laid"]["left"])
        mine = {
            key: getattr(self, key) for key in ("stock", "pile", "opened", "phase", "turn", "turns", "ended", "out")
        }
        theirs: dict[str, Any] = {key: view[key] for key in mine}
        mine |= {"hands": [+hand for hand in self.hands], "melds": Counter(self.melds), "half_laid": half}
        theirs |= {
            "hands": [Counter(hand) for hand in view["hands"]],
            "melds": Counter(Meld.seen(meld) for meld in view["melds"]),
            "half_laid": seen_half,
        }
        counted = [key for key in ("table_points", "deductions", "duty", "contract", "buys_left") if key in view]
        mine |= {key: getattr(self, key) for key in counted}
        theirs |= {key: view[key] for key in counted}
        if not self.ended:
            mine |= {"seat": self.seat, "claimants": self.claimants}
            theirs |= {key: view[key] for key in ("seat", "claimants")}
        return {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}
