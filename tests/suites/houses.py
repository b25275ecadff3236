"""What the `laydown` games differ in, written from the rules alone, for the naive engine."""

from __future__ import annotations

from typing import Any, NamedTuple


class House(NamedTuple):
    """What the games differ in (clauses C, N and R of the rules)."""

    ranks: tuple[str, ...]
    wilds: tuple[str, ...]
    opening: int
    sets: bool
    lay_off_once_opened: bool
    take_pile: bool
    claims: bool
    take_top: bool = True
    suits: str = "cdhs"
    suit_first: bool = False
    copies: int = 1
    keep: int = 1
    """Cards that are not laid down."""
    knock: bool = False
    """Claims are of those who have melded, among themselves."""
    table_points: dict[str, int] | None = None
    """By rank, for who laid the card; taking the pile is a duty then."""
    run: int = 3
    """Least length of a run."""
    contracts: bool = False
    """Of Liverpool Rummy (clauses V): and all that goes with them, high aces, wilds in sets, purchases."""

    def rank(self, card: str) -> str:
        return card[1:] if self.suit_first else card[:-1]

    def suit(self, card: str) -> str:
        return card[0] if self.suit_first else card[-1]

    def card(self, rank: str, suit: str) -> str:
        return suit + rank if self.suit_first else rank + suit


HOUSES = {
    # C4 ranks and wilds, C7 draws, C8 opening run, C9 laying off after it, C10 no sets
    "cachons_v0": House(tuple("3456789TJQKA"), ("2", "JK"), 5, False, True, True, False),
    # N2 ranks and colours, N4 draws, N6 sets with equal cards, N7 laying off, N9 no card kept, N10 knocks, N14 points
    "number_cachons_v0": House(
        tuple(str(number) for number in range(1, 13)),
        (),
        opening=3,
        sets=True,
        lay_off_once_opened=True,
        take_pile=True,
        claims=True,
        take_top=False,
        suits="bgry",
        suit_first=True,
        copies=2,
        keep=0,
        knock=True,
        table_points={str(number): 5 if number < 8 else 10 for number in range(1, 13)},
    ),
    # V4 runs and sets, V5 contracts, V6 draws and purchases, V7 a card kept
    "liverpool_rummy_v0": House(
        tuple("A23456789TJQK"), ("JK",), 4, True, True, False, False, copies=2, run=4, contracts=True
    ),
    # R3 ranks, R4 draws, R5 sets and laying off without a meld of one's own, R7 claims
    "rummy_v0": House(tuple("A23456789TJQK"), (), 3, True, False, False, True),
}


def house_of(variant: str, options: dict[str, Any]) -> House:
    """A house with the pack that its options ask for (N2)."""
    house = HOUSES[variant]
    if "colours" not in options:
        return house
    return house._replace(suits=house.suits[: options["colours"]], copies=options["copies"])
