"""What the rule tests share: packs written by hand, decks that deal what a test wants, and a driver that plays by name.

They come to the tests as fixtures. `deal` is the one that most tests use:

    table = deal("rummy_v0", ["7c 7d 7h", "2s 4h Kd"], up="9s", stock="Ah 3c")
    table.play("draw_stock", "set 7", "fill c", "fill d", "fill h", "discard Ah")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from canasta_states import PACK as CANASTA_PACK
from canasta_states import lay_out

import cardenvs

RUMMY_PACK = tuple(rank + suit for suit in "cdhs" for rank in "A23456789TJQK")
CACHONS_PACK = (*(rank + suit for suit in "cdhs" for rank in "3456789TJQKA" for _ in range(2)), *["2"] * 8, *["JK"] * 2)
NUMBER_PACK = tuple(f"{colour}{number}" for colour in "bgry" for number in range(1, 13) for _ in range(2))
LIVERPOOL_PACK = (*RUMMY_PACK, "JK", "JK")
"""One of the two or three that Liverpool Rummy is played with."""
PACKS = {
    "rummy_v0": RUMMY_PACK,
    "cachons_v0": CACHONS_PACK,
    "canasta_v0": CANASTA_PACK,
    "gin_rummy_v0": RUMMY_PACK,
    "number_cachons_v0": NUMBER_PACK,
}

RUMMY_POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
CACHONS_POINTS = dict.fromkeys("34567", 5) | dict.fromkeys("89TJQK", 10) | {"A": 20, "2": 20, "JK": 50}


def pack_of(id: str, seats: int) -> tuple[str, ...]:
    """The cards that so many play with."""
    return LIVERPOOL_PACK * (2 if seats <= 4 else 3) if id == "liverpool_rummy_v0" else PACKS[id]


def points(id: str, cards: Iterable[str]) -> int:
    """Penalty points of cards by the tables above, or points of numbers: 1-7 five, 8-12 ten."""
    if id == "number_cachons_v0":
        return sum(5 if int(card[1:]) <= 7 else 10 for card in cards)
    if id == "rummy_v0":
        return sum(RUMMY_POINTS[card[0]] for card in cards)
    return sum(CACHONS_POINTS[card if card == "JK" else card[0]] for card in cards)


def build_deck(id: str, hands: Sequence[str], up: str, stock: str = "") -> list[str]:
    """The deck that deals these hands from seat 0 on, turns `up` and leaves `stock` to be drawn, next card first.

    All are texts of cards with spaces between them. What is left of the pack lies under `stock`, in the pack's order.
    """
    dealt = [hand.split() for hand in hands]
    assert len({len(hand) for hand in dealt}) == 1, f"hands of different sizes: {[len(hand) for hand in dealt]}"
    deck = [card for one_each in zip(*dealt, strict=True) for card in one_each]
    deck += [up, *stock.split()]
    left = Counter(pack_of(id, len(hands)))
    left.subtract(deck)
    assert min(left.values()) >= 0, f"more than the pack has: {[card for card, n in left.items() if n < 0]}"
    return deck + list(left.elements())


def legal_names(u: Any) -> set[str]:
    """Texts of the legal actions of the agent to act."""
    return {u.action_name(int(action)) for action in np.flatnonzero(u.observe(u.agent_selection)["action_mask"])}


class Table:
    """A game that is played by the texts of its actions."""

    def __init__(self, u: Any) -> None:
        self.u = u

    def play(self, *names: str) -> Table:
        """Play the actions one after the other; each must be legal."""
        for name in names:
            legal = self.legal
            assert name in legal, f"{name!r} is not among {sorted(legal)}; {self.u.view()}"
            self.u.step(self.u.action_id(name))
        return self

    def lay_run(self, low: str, fills: str = "natural natural natural") -> Table:
        """Begin a run there and fill it."""
        return self.play(f"run {low}", *(f"fill {fill}" for fill in fills.split()))

    def lay_set(self, rank: str, suits: str) -> Table:
        """Lay a set of that rank, of the suits in that order."""
        return self.play(f"set {rank}", *(f"fill {suit}" for suit in suits))

    @property
    def legal(self) -> set[str]:
        return legal_names(self.u)

    def offers(self, verb: str) -> set[str]:
        """The legal actions whose text begins with that word."""
        return {name for name in self.legal if name.split()[0] == verb}

    def choice(self, bot: str) -> str:
        """The text of what a compiled bot does now; the game stands still."""
        game, seen = self.u.game, self.u.observe(self.u.agent_selection)
        row = np.rint(seen["observation"] / game.observation.scale).astype(np.int16)
        actions = cardenvs.make_bot(game, bot).act(row[None], seen["action_mask"][None])
        return self.u.action_name(int(actions[0]))

    @property
    def view(self) -> dict[str, Any]:
        return self.u.view()

    def hand(self, seat: int) -> list[str]:
        """The cards of a hand in the order of their texts."""
        return sorted(self.view["hands"][seat])

    @property
    def melds(self) -> list[str]:
        """The melds on the table as texts, lowest card first, in the order in which they were laid."""
        return [" ".join(meld["cards"]) for meld in self.view["melds"]]

    @property
    def rewards(self) -> list[float]:
        return [self.u.rewards[agent] for agent in self.u.possible_agents]

    @property
    def ended(self) -> str | None:
        """None, "terminated" or "truncated"; all agents agree."""
        over = {(self.u.terminations[agent], self.u.truncations[agent]) for agent in self.u.possible_agents}
        assert len(over) == 1
        return {(False, False): None, (True, False): "terminated", (False, True): "truncated"}[over.pop()]

    def carry(self, scores: Sequence[int], rounds: int) -> Table:
        """Build the state of a match that already has these scores after so many rounds."""
        self.u._games["total"][0, : len(scores)] = scores
        self.u._games["rounds_done"][0] = rounds
        self.u._refresh()
        return self

    def in_round(self, contract: int, scores: Sequence[int]) -> Table:
        """Build the state of a match of Liverpool Rummy in the round of that contract, as its first turn begins."""
        self.carry(scores, contract - 1)
        self.u._games["contract"][0] = contract
        self.u._games["owed_sets"][0], self.u._games["owed_runs"][0] = {6: (1, 2), 7: (0, 3)}[contract]
        self.u._refresh()
        return self

    def clone(self) -> Table:
        return Table(self.u.clone())


def deal_table(id: str, hands: Sequence[str], up: str, stock: str = "", seed: int = 0, **options: Any) -> Table:
    """A raw environment in which these hands were dealt: the seats and the hand size follow from them."""
    options = {"num_players": len(hands), "hand_size": len(hands[0].split()), **options}
    u = getattr(cardenvs, id).raw_env(**options)
    u.reset(seed=seed, options={"deck": build_deck(id, hands, up, stock)})
    return Table(u)


def open_table(id: str, seed: int = 0, deck: Sequence[str] | None = None, **options: Any) -> Table:
    """A raw environment with a deck that is shuffled, or given as it is."""
    u = getattr(cardenvs, id).raw_env(**options)
    u.reset(seed=seed, options=None if deck is None else {"deck": list(deck)})
    return Table(u)


@pytest.fixture(scope="session")
def deal() -> Callable[..., Table]:
    """(id, hands, up, stock="", seed=0, **options) -> Table: see `deal_table`."""
    return deal_table


@pytest.fixture(scope="session")
def rummy() -> Callable[..., Table]:
    """`deal` for Rummy."""
    return lambda hands, up, stock="", **options: deal_table("rummy_v0", hands, up, stock, **options)


@pytest.fixture(scope="session")
def cachons() -> Callable[..., Table]:
    """`deal` for Cachons."""
    return lambda hands, up, stock="", **options: deal_table("cachons_v0", hands, up, stock, **options)


@pytest.fixture(scope="session")
def numbers() -> Callable[..., Table]:
    """`deal` for Number Cachons."""
    return lambda hands, up, stock="", **options: deal_table("number_cachons_v0", hands, up, stock, **options)


@pytest.fixture(scope="session")
def canasta() -> Callable[..., Table]:
    """`deal` for Canasta."""
    return lambda hands, up, stock="", **options: deal_table("canasta_v0", hands, up, stock, **options)


@pytest.fixture(scope="session")
def gin() -> Callable[..., Table]:
    """`deal` for Gin Rummy: two hands of ten."""
    id = "gin_rummy_v0"
    return lambda hands, up, stock="", **options: open_table(id, deck=build_deck(id, hands, up, stock), **options)


@pytest.fixture(scope="session")
def liverpool() -> Callable[..., Table]:
    """`deal` for Liverpool Rummy; hands that are not given are of what is left of the pack."""

    def dealt(hands: Sequence[str] | str, up: str, stock: str = "", seats: int = 3, **options: Any) -> Table:
        hands = [hands] if isinstance(hands, str) else list(hands)
        left = Counter(pack_of("liverpool_rummy_v0", seats))
        left.subtract(" ".join([*hands, up, stock]).split())
        assert min(left.values()) >= 0, "more than the pack has"
        cards = list(left.elements())
        size = len(hands[0].split())
        hands += [" ".join(cards[i :: len(cards) // size][:size]) for i in range(seats - len(hands))]
        return deal_table("liverpool_rummy_v0", hands, up, stock, **options)

    return dealt


@pytest.fixture(scope="session")
def position() -> Callable[..., Table]:
    """(hands, melds=(), pile="", ..., options={}) -> Table: Canasta as `canasta_states.lay_out` builds it."""

    def build(hands: Sequence[str], *args: Any, options: dict[str, Any] | None = None, **state: Any) -> Table:
        table = open_table("canasta_v0", num_players=len(hands), **(options or {}))
        return Table(lay_out(table.u, hands, *args, **state))

    return build


@pytest.fixture(scope="session")
def shuffled() -> Callable[..., Table]:
    """(id, seed=0, deck=None, **options) -> Table: see `open_table`."""
    return open_table


@pytest.fixture(scope="session")
def packs() -> dict[str, tuple[str, ...]]:
    """The cards of each variant, written by hand."""
    return PACKS


@pytest.fixture(scope="session")
def count_points() -> Callable[[str, Iterable[str]], int]:
    """(id, cards) -> penalty points, by tables written by hand."""
    return points
