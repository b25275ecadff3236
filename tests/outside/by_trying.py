"""Decks of gin rummy, and what a hand is worth, found by trying every way to meld it.

Shares no code with what it judges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

RANKS = "A23456789TJQK"
PACK = tuple(rank + suit for suit in "cdhs" for rank in RANKS)

Meld = tuple[str, ...]


def deck_of(hands: Sequence[str], up: str, stock: str = "") -> list[str]:
    """The deck that deals these two hands, turns `up` and leaves `stock` to be drawn; the rest of the pack follows."""
    first, second = (hand.split() for hand in hands)
    dealt = [card for pair in zip(first, second, strict=True) for card in pair] + [up, *stock.split()]
    assert len(set(dealt)) == len(dealt)
    return dealt + [card for card in PACK if card not in dealt]


def points(cards: Iterable[str]) -> int:
    """J1: the ace 1, face cards 10, others their number."""
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def melds_of(cards: Collection[str]) -> list[Meld]:
    """Every set and every run that the cards hold, long and short ones."""
    held = set(cards)
    sets = [
        meld
        for rank in RANKS
        for size in (3, 4)
        for meld in combinations([rank + suit for suit in "cdhs" if rank + suit in held], size)
    ]
    runs = []
    for suit in "cdhs":
        for low in range(len(RANKS)):
            for high in range(low + 3, len(RANKS) + 1):
                run = tuple(rank + suit for rank in RANKS[low:high])
                if held.issuperset(run):
                    runs.append(run)
    return sets + runs


def ways_to_meld(cards: Collection[str]) -> list[list[Meld]]:
    """Every choice of melds that share no card, the empty one too."""

    def choices(melds: list[Meld]) -> Iterable[list[Meld]]:
        yield []
        for number, meld in enumerate(melds):
            for more in choices([other for other in melds[number + 1 :] if not set(other) & set(meld)]):
                yield [meld, *more]

    return list(choices(melds_of(cards)))


def least_deadwood(cards: Collection[str]) -> int:
    """The fewest points that any way to meld the cards leaves."""
    return min(points(cards) - sum(map(points, melds)) for melds in ways_to_meld(cards))


def can_be_laid_off(cards: Collection[str], melds: Iterable[Collection[str]]) -> set[str]:
    """Those of the cards that fit another's melds, one after the other."""
    found: set[str] = set()
    for meld in melds:
        ranks = sorted(RANKS.index(card[0]) for card in meld)
        suit = next(iter(meld))[1]
        if len(set(ranks)) == 1:
            found.update(card for card in cards if card[0] == RANKS[ranks[0]])
            continue
        for step, end in ((-1, ranks[0]), (1, ranks[-1])):
            while 0 <= end + step < len(RANKS) and RANKS[end + step] + suit in cards:
                end += step
                found.add(RANKS[end] + suit)
    return found


def least_after_lay_offs(cards: Collection[str], melds: Iterable[Collection[str]]) -> int:
    """The fewest points that are left of a hand which melds what it likes and lays off what it can of the rest."""
    others, least = list(melds), points(cards)
    for own in ways_to_meld(cards):
        rest = set(cards).difference(*own)
        least = min(least, points(rest - can_be_laid_off(rest, others)))
    return least
