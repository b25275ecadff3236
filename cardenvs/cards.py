"""Packs of cards as card *types*: copies of a card are one type, and so are wilds that the rules cannot tell apart.

Types are numbered suit by suit, lowest rank first, then the kinds of wild, then what is neither: type = suit * ranks +
rank for a natural.
Compiled code keeps the same cards as *boards*: a uint64 whose bit `suit * 16 + rank` says that the natural is there.
Sixteen places a suit leave at least two zeros above the highest rank, so a shifted board never joins two suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

SUIT_STRIDE = 16
"""Bits from one suit to the next in a board."""

MAX_TYPES = 64
"""Most card types that a pack has: the length of every per-card array of a record, whole vector registers long."""


@dataclass(frozen=True)
class Pack:
    """The cards that a game is played with.

    Attributes:
        suits: one letter each, at most four; one empty text where suits do not matter ("7" instead of "7h").
        ranks: one label each, lowest first, at most 14.
        copies: of each natural.
        wilds: (label, copies) of each kind of wild, at most two.
        points: points of a card, by rank, then by kind of wild, then by kind of the others.
        suit_first: "g7" instead of "7h".
        others: (label, copies) of cards that are neither of a rank nor wild.
    """

    suits: Sequence[str]
    ranks: tuple[str, ...]
    copies: int
    points: tuple[int, ...]
    wilds: tuple[tuple[str, int], ...] = ()
    suit_first: bool = False
    others: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        kinds = (*self.wilds, *self.others)
        if len(self.points) != len(self.ranks) + len(kinds):
            given = f"{len(self.points)} points given for {len(self.ranks)} ranks and {len(self.wilds)} wilds"
            raise ValueError(given + (f" and {len(self.others)} others" if self.others else ""))
        if len(self.labels) > MAX_TYPES:
            raise ValueError(f"{len(self.labels)} card types; at most {MAX_TYPES} are allowed")

    @property
    def naturals(self) -> int:
        """Number of types that are not wild."""
        return len(self.suits) * len(self.ranks)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The text of every type: "7h", "Td", "2", "JK"; "g7" with `suit_first`."""
        naturals = [s + r if self.suit_first else r + s for s in self.suits for r in self.ranks]
        return (*naturals, *(label for label, _ in (*self.wilds, *self.others)))

    @cached_property
    def counts(self) -> np.ndarray:
        """int64 `[types]`: copies of every type in the pack."""
        return np.array([self.copies] * self.naturals + [copies for _, copies in (*self.wilds, *self.others)])

    @cached_property
    def type_points(self) -> np.ndarray:
        """int64 `[types]`: points of every type."""
        ranks, kinds = self.points[: len(self.ranks)], self.points[len(self.ranks) :]
        return np.array([*ranks * len(self.suits), *kinds])

    @property
    def total_points(self) -> int:
        """Points of all cards together."""
        return int((self.counts * self.type_points).sum())

    @property
    def size(self) -> int:
        """Number of cards."""
        return int(self.counts.sum())

    def texts(self, types: Sequence[int]) -> list[str]:
        """The texts of card types."""
        return [self.labels[t] for t in types]

    def hand(self, counts: Sequence[int] | np.ndarray) -> list[str]:
        """The cards of a row of counts, in the order of their types."""
        return [label for label, count in zip(self.labels, counts, strict=False) for _ in range(int(count))]

    def parse_deck(self, deck: Sequence[str]) -> np.ndarray:
        """int64 `[size]`: the types of an ordered deck.

        Raises:
            ValueError: the texts are no permutation of this pack's cards; names what is unknown, missing or too many.
        """
        number = {label: t for t, label in enumerate(self.labels)}
        # What has no order of its own, such as a set, says nothing of which card comes first.
        if isinstance(deck, str) or not isinstance(deck, Sequence | np.ndarray):
            raise ValueError(f"deck={deck!r}: allowed is a list of {self.size} card texts, the first dealt first")
        cards = list(deck)
        unknown = sorted({str(card) for card in cards if not isinstance(card, str) or card not in number})
        if unknown:
            raise ValueError(f"deck: unknown cards {unknown}; allowed are {' '.join(self.labels)}")
        types = np.array([number[card] for card in cards], dtype=np.int64)
        surplus = np.bincount(types, minlength=len(self.labels)) - self.counts
        if surplus.any():
            much = [f"{self.labels[t]} x{surplus[t]}" for t in np.flatnonzero(surplus > 0)]
            less = [f"{self.labels[t]} x{-surplus[t]}" for t in np.flatnonzero(surplus < 0)]
            raise ValueError(
                f"deck: {len(cards)} cards are no permutation of the pack's {self.size}; "
                f"too many: {', '.join(much) or 'none'}; missing: {', '.join(less) or 'none'}"
            )
        return types


def _places() -> np.ndarray:
    """int64 `[15, MAX_TYPES]`: the board bit of a natural type, by the number of ranks."""
    table = np.zeros((15, MAX_TYPES), np.int64)
    for ranks in range(1, 15):
        for t in range(MAX_TYPES):
            table[ranks, t] = t // ranks * SUIT_STRIDE + t % ranks
    return table


PLACE = _places()
"""int64 `[15, MAX_TYPES]`: board bit of a natural type, indexed by (ranks of the pack, type)."""


def board_of(suits: int, ranks: Sequence[int]) -> np.uint64:
    """The board that has those ranks of each of the first `suits` suits."""
    return np.uint64(sum(1 << (suit * SUIT_STRIDE + rank) for suit in range(suits) for rank in ranks))
