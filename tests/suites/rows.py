"""The observation row of a `laydown` game as it should be, piece by piece: from `view()` and an onlooker's memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from suites import contracts
from suites.contracts import CONTRACTS
from suites.memory import Memory
from suites.reference import Reference


class Expected:
    """Writes the pieces for one seat of a game under test."""

    def __init__(self, env: Any, view: dict[str, Any], memory: Memory, reference: Reference, seat: int) -> None:
        self.game, self.view, self.memory, self.reference, self.seat = env.game, view, memory, reference, seat
        self.house = reference.house
        # Who lays off chooses the card unseen, else all would know that a wild is in that hand.
        half = reference.half
        unseen = half is not None and bool(half.runs) and seat != reference.seat
        self.half, self.phase = (None, "play") if unseen else (half, view["phase"])
        self.pieces: dict[str, np.ndarray] = {}
        self.pile_shown = env.game.options.get("pile_view") != "top"

    def row(self) -> dict[str, np.ndarray]:
        """Every piece by its name, as the layout shapes it."""
        self._own_cards_and_pile()
        self._table()
        self._scalars()
        self._others()
        self._half_laid()
        return self.pieces

    # Shapes ----------------------------------------------------------------------------------------------------------

    def _by_card(self, cards: Iterable[str]) -> np.ndarray:
        house = self.house
        counts = np.zeros((len(house.suits), len(house.ranks)), int)
        for card in cards:
            if card not in house.wilds:
                counts[house.suits.index(house.suit(card)), house.ranks.index(house.rank(card))] += 1
        return counts

    def _cards(self, name: str, cards: Iterable[str]) -> None:
        """A piece for the naturals and one for the wilds."""
        cards = list(cards)
        self.pieces[name] = self._by_card(cards)
        if self.house.wilds:
            self.pieces[f"{name}_wilds"] = np.array([cards.count(wild) for wild in self.house.wilds])

    def _one_of(self, name: str, number: int, chosen: int | None) -> None:
        self.pieces[name] = np.array([int(i == chosen) for i in range(number)])

    # Pieces ----------------------------------------------------------------------------------------------------------

    def _own_cards_and_pile(self) -> None:
        self._cards("hand", self.view["hands"][self.seat])
        self._cards("pile_top", self.view["pile"][-1:])
        if self.pile_shown:
            self._cards("pile", self.view["pile"])

    def _table(self) -> None:
        melds = self.reference.melds
        runs = [(run, self.reference.places(run.low, len(run.cards)) or ()) for run in melds if run.kind == "run"]
        half = self.half
        on_table = [card for meld in melds for card in meld.cards]
        standing = list(runs)
        if half and not half.runs:
            # What lies of a new meld is seen; its ends count once it stands.
            on_table += half.meld.cards
            if half.meld.kind == "run":
                standing.append((half.meld, self.reference.places(half.meld.low, len(half.meld.cards)) or ()))
        self._cards("table", on_table)
        self.pieces["run_top"] = self._by_card(places[-1] for _, places in runs)
        self.pieces["run_bottom"] = self._by_card(places[0] for _, places in runs)
        if self.house.wilds:
            self.pieces["wild_places"] = np.array(
                [
                    self._by_card(
                        p for run, places in standing for p, c in zip(places, run.cards, strict=True) if c == wild
                    )
                    for wild in self.house.wilds
                ]
            )
        if self.house.sets:
            ranks = [meld.low for meld in melds if meld.kind == "set"]
            self.pieces["sets"] = np.array([ranks.count(rank) for rank in self.house.ranks])

    def _scalars(self) -> None:
        view, seats = self.view, len(self.view["hands"])
        phases = [word.strip().lower() for word in self.game.observation.piece("phase").doc.split(",")]
        for name, value in {
            "stock_size": len(view["stock"]),
            "pile_size": len(view["pile"]),
            "turns": view["turns"],
            "opened": view["opened"][self.seat],
            "score": view["scores"][self.seat],
        }.items():
            self.pieces[name] = np.array(int(value))
        asked = view["phase"] in ("draw", "claim") and view["pile"]
        self.pieces["top_melds"] = np.array(int(bool(asked) and self._top_melds()))
        self.pieces["top_fits"] = np.array(int(bool(asked) and self._top_fits()))
        self._one_of("phase", len(phases), phases.index(self.phase))
        self._one_of("turn_seat", seats, (view["turn"] - self.seat) % seats)
        self._one_of("acting_seat", seats, (view["seat"] - self.seat) % seats)
        if self.house.table_points:
            self.pieces["duty"] = np.array(int(self.reference.duty))
            self._standing("", self.seat)
        if self.house.contracts:
            self._one_of("contract", 7, self.reference.contract - 1)
            self._owed("", self.seat)
            self._missing()

    def _owed(self, prefix: str, seat: int) -> None:
        """V5, V6: what a seat has yet to lay, and how often it may still buy."""
        reference = self.reference
        owed = [0, 0] if reference.opened[seat] else CONTRACTS[reference.contract]
        sets, runs = reference.owed if seat == reference.turn else owed
        for name, value in (("owed_sets", sets), ("owed_runs", runs), ("buys_left", reference.buys_left[seat])):
            self.pieces[f"{prefix}{name}"] = np.array(value)

    def _missing(self) -> None:
        """V3-V5: what has to come before the contract can be laid, and what of the hand that would take from."""
        view, reference = self.view, self.reference
        owed, hand = CONTRACTS[reference.contract], Counter(self.view["hands"][self.seat])
        own_turn = self.seat == view["turn"]
        can = bool(view["opened"][self.seat] or (own_turn and (reference.begun() or reference.half)))
        missing = 0 if can else contracts.missing(hand, *owed)
        needed = []
        if not can and own_turn and view["phase"] == "play":
            needed = [card for card in hand if contracts.missing(hand - Counter([card]), *owed) > missing]
        asked = view["phase"] in ("draw", "claim") and view["pile"]
        self.pieces["missing"] = np.array(missing)
        with_top = contracts.missing(hand + Counter(view["pile"][-1:]), *owed)
        self.pieces["top_needed"] = np.array(int(bool(asked) and with_top < missing))
        self.pieces["needed"] = self._by_card(needed)

    def _standing(self, prefix: str, seat: int) -> None:
        """N8, N5: what a seat has won and lost in this round."""
        for name in ("table_points", "deductions"):
            self.pieces[f"{prefix}{name}"] = np.array(getattr(self.reference, name)[seat])

    def _top_melds(self) -> bool:
        """Whether the pile's top card begins a meld that no other card (the "?") would let the seat begin."""
        opened, hand = self.view["opened"][self.seat], Counter(self.view["hands"][self.seat])
        if self.house.contracts:
            with_top, cards = hand + Counter(self.view["pile"][-1:]), hand.total() + 1
            completes = self.reference.completes_contract
            return not opened and completes(with_top, cards) and not completes(hand, cards)
        with_top = self.reference.beginnings(hand + Counter(self.view["pile"][-1:]), opened)
        return bool(with_top - self.reference.beginnings(hand + Counter("?"), opened))

    def _top_fits(self) -> bool:
        """Whether it could be laid off on some meld; a wild on any run that has not reached both ends of the ranks.

        Where wilds stand in sets (V4), on any set as well.
        """
        top = self.view["pile"][-1]
        if top not in self.house.wilds:
            return self.reference.fits_table(top)
        runs = [meld for meld in self.reference.melds if meld.kind == "run"]
        if self.house.contracts and len(runs) < len(self.reference.melds):
            return True
        return any(self.reference.beyond(run, above) for run in runs for above in (True, False))

    def _others(self) -> None:
        view, seats = self.view, len(self.view["hands"])
        for i in range(1, seats):
            other = (self.seat + i) % seats
            self.pieces[f"other_{i}_hand_size"] = np.array(len(view["hands"][other]))
            self.pieces[f"other_{i}_opened"] = np.array(int(view["opened"][other]))
            self.pieces[f"other_{i}_score"] = np.array(view["scores"][other])
            known = self.memory.known if self.pile_shown else self.memory.shown
            self._cards(f"other_{i}_known", known[other].elements())
            if self.house.table_points:
                self._standing(f"other_{i}_", other)
            if self.house.contracts:
                self._owed(f"other_{i}_", other)

    def _half_laid(self) -> None:
        half = self.half
        laid = half.meld.cards if half and not half.runs else ()
        self.pieces["meld_left"] = np.array(half.left if half else 0)
        self.pieces["meld_naturals"] = np.array(sum(card not in self.house.wilds for card in laid))
        self.pieces["meld_place"] = self._by_card(half.places[:1] if half else ())
        if self.house.sets:
            is_set = half is not None and half.meld.kind == "set"
            self._one_of("meld_set", len(self.house.ranks), self.house.ranks.index(half.meld.low) if is_set else None)
            once = self.house.copies == 1
            least = None
            if is_set and not laid:
                least = 0
            elif is_set and laid[-1] not in self.house.wilds:
                least = self.house.suits.index(self.house.suit(laid[-1])) + once
            self._one_of("meld_suit", len(self.house.suits), least)


def differences(env: Any, expected: dict[str, np.ndarray], agent: str) -> dict[str, Any]:
    """Pieces of an agent's row that are not as expected: name -> (found, expected)."""
    pieces = env.game.observation.pieces
    assert {piece.name: piece.shape for piece in pieces} == {name: np.shape(v) for name, v in expected.items()}
    scales = np.repeat([piece.scale for piece in pieces], [piece.size for piece in pieces])
    found = env.observe(agent)["observation"] * scales
    wanted = np.concatenate([expected[piece.name].ravel() for piece in pieces])
    if found.shape == wanted.shape and np.abs(found - wanted).max() < 1e-3:
        return {}
    ends = np.cumsum([piece.size for piece in pieces])
    parts = zip(pieces, np.split(found, ends[:-1]), np.split(wanted, ends[:-1]), strict=True)
    return {piece.name: (f.tolist(), w.tolist()) for piece, f, w in parts if np.abs(f - w).max() >= 1e-3}
