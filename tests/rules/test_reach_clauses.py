"""G6, M1, M6, M7: every legal play can be made, nothing strands, and a hand changes only as the rules say.

A plain-Python referee lists what the rules allow from the view alone; random games are compared with it step by step.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ORDER = {"rummy_v0": "A23456789TJQK", "cachons_v0": "3456789TJQKA"}
WILD = ("2", "JK")
CALM = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def is_wild(id, card):
    return id == "cachons_v0" and card in WILD


def along(id, low, n):
    """The next `n` cards from `low` upwards, or None past the end of the suit."""
    at = ORDER[id].index(low[0])
    ranks = ORDER[id][at : at + n]
    return [rank + low[1] for rank in ranks] if len(ranks) == n else None


def neighbours(id, meld):
    """(card above or None, card below or None) of a run."""
    order, suit = ORDER[id], meld["low"][1]
    below, above = order.index(meld["low"][0]) - 1, order.index(meld["low"][0]) + len(meld["cards"])
    return (order[above] + suit if above < len(order) else None), (order[below] + suit if below >= 0 else None)


# The referee --------------------------------------------------------------------------------------------------------


class Referee:
    """What is legal, by the clauses and from `view()` alone; `last` is the action before, for a half-laid meld."""

    def __init__(self, id, view, last):
        self.id, self.view, self.last = id, view, last
        self.hand = view["hands"][view["seat"]]
        self.wilds = [card for card in self.hand if is_wild(id, card)]
        self.opened = view["opened"][view["seat"]]

    def legal(self):
        return getattr(self, self.view["phase"])()

    def draw(self):
        stock, pile = len(self.view["stock"]), len(self.view["pile"])
        names = {"draw_stock"} if stock or pile > 1 else set()
        names |= {"draw_top"} if pile else set()
        return names | ({"draw_pile"} if pile > 1 and self.id == "cachons_v0" else set())

    def claim(self):
        return {"claim", "pass"}

    def play(self):
        names = {f"discard {card}" for card in self.hand} | self.runs()
        if self.id == "rummy_v0":
            return names | self.sets() | self.lay_offs()
        return names | (self.lay_offs() | self.swaps() if self.opened else set())

    def runs(self):
        length = 5 if self.id == "cachons_v0" and not self.opened else 3
        names = set()
        for suit, rank in product("cdhs", ORDER[self.id]):
            cards = along(self.id, rank + suit, length)
            if cards and len(self.hand) > length:
                missing = sum(card not in self.hand for card in cards)
                if missing <= len(self.wilds) and missing < length:
                    names.add(f"run {rank}{suit}")
        return names

    def sets(self):
        ranks = Counter(card[0] for card in self.hand)
        return {f"set {rank}" for rank, n in ranks.items() if n >= 3 and len(self.hand) > 3}

    def lay_offs(self):
        names = set()
        if len(self.hand) < 2:
            return names
        for meld in self.view["melds"]:
            if meld["kind"] == "set":
                names |= {f"lay_off_set {card}" for card in self.hand if card[0] == meld["rank"]}
                continue
            for card, end in zip(neighbours(self.id, meld), ("above", "below"), strict=True):
                if card and (card in self.hand or self.wilds):
                    names.add(f"lay_off_run {card} {end}")
        return names

    def swaps(self):
        names = set()
        for meld in self.view["melds"]:
            for stands, card in zip(along(self.id, meld["low"], len(meld["cards"])), meld["cards"], strict=True):
                if is_wild(self.id, card) and stands in self.hand:
                    names.add(f"swap_wild {stands} {card}")
        return names

    def fill(self):
        half = self.view["half_laid"]
        if half["kind"] == "set":
            laid = [card[1] for card in half["cards"]]
            suits = [suit for suit in "cdhs" if half["rank"] + suit in self.hand and (not laid or suit > laid[-1])]
            return {f"fill {suit}" for k, suit in enumerate(suits) if len(suits) - k >= half["left"]}
        if self.last.startswith("lay_off_run"):
            natural = self.last.split()[1] in self.hand
            return ({"fill natural"} if natural else set()) | {f"fill {card}" for card in self.wilds}
        laid, left = half["cards"], half["left"]
        here, *ahead = along(self.id, half["low"], len(laid) + left)[len(laid) :]
        missing = sum(card not in self.hand for card in ahead)
        names = {"fill natural"} if here in self.hand and missing <= len(self.wilds) else set()
        natural = any(not is_wild(self.id, card) for card in laid) or missing < len(ahead)
        if natural and missing <= len(self.wilds) - 1:
            names |= {f"fill {card}" for card in self.wilds}
        return names


def all_cards(view):
    """Every card of the game, wherever it is."""
    cards = [*view["stock"], *view["pile"]]
    for hand in view["hands"]:
        cards += hand
    for meld in view["melds"]:
        cards += meld["cards"]
    half = view["half_laid"]
    if half and not any(Counter(half["cards"]) == Counter(meld["cards"]) for meld in view["melds"]):
        cards += half["cards"]
    return cards


def pick(rng, names):
    """Mostly a meld where there is one, so that random games have tables worth looking at."""
    names = sorted(names)
    melding = [name for name in names if not name.startswith("discard")]
    return rng.choice(melding if melding and rng.random() < 0.8 else names)


def grows(name, before, view):
    """How many cards the acting seat's hand grows by (M7: by drawing and claiming only; a swap is an even trade)."""
    verb = name.split()[0]
    if verb in ("draw_stock", "draw_top", "claim"):
        return 1
    if verb == "draw_pile":
        return len(before["pile"])
    if verb in ("fill", "lay_off_set", "discard"):
        return -1
    if verb == "lay_off_run":
        return 0 if view["phase"] == "fill" else -1
    return 0


def turn_goes_on(name, before, view):
    """M6: a turn ends with a discard, or with the last answer to it, and with nothing else."""
    if name.split()[0] in ("discard", "claim", "pass"):
        return True
    return (before["turn"], before["turns"], before["seat"]) == (view["turn"], view["turns"], view["seat"])


def follow(table, packs, rng, steps):
    """Play at random beside the referee, through the rounds of a match."""
    id, last = table.u.game.id, ""
    for _ in range(steps):
        before = table.view
        legal = table.legal
        assert legal == Referee(id, before, last).legal(), before
        last = pick(rng, legal)
        table.play(last)
        view = table.view
        if table.ended or view["round"] != before["round"]:
            assert last.split()[0] in ("discard", "claim", "pass")
            if table.ended:
                return
            assert Counter(all_cards(view)) == Counter(packs[id])
            continue
        seat = before["seat"]
        assert len(view["hands"][seat]) - len(before["hands"][seat]) == grows(last, before, view)
        assert all(view["hands"][k] == before["hands"][k] for k in range(len(view["hands"])) if k != seat)
        assert turn_goes_on(last, before, view)
        assert sorted(all_cards(view)) == sorted(packs[id])


@CALM
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 6), hand_size=st.sampled_from([None, 2, 5, 8]))
def test_g6_random_rummy_agrees_with_the_referee(shuffled, packs, seed, seats, hand_size):
    """G6, M1, M6: exactly what the clauses allow is offered, at every step."""
    match = {"match": True, "rounds": 9, "max_turns": 8}
    table = shuffled("rummy_v0", seed=seed, num_players=seats, hand_size=hand_size, **match)
    follow(table, packs, random.Random(seed), 400)


@CALM
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4), hand_size=st.sampled_from([6, 10, 16, 24]))
def test_g6_random_cachons_agrees_with_the_referee(shuffled, packs, seed, seats, hand_size):
    """G6, M1, M6, M7: the same with wilds, two copies and swaps."""
    match = {"match": True, "target": 9999, "max_turns": 8}
    table = shuffled("cachons_v0", seed=seed, num_players=seats, hand_size=hand_size, **match)
    follow(table, packs, random.Random(seed), 400)


# Every meld can be laid, and only melds -----------------------------------------------------------------------------


def reachable(table, verb):
    """The melds that can be laid now by `verb`, as tuples of cards, by trying every way; G6: each way leads to one."""
    found, ways = set(), 0
    open_ends = [table.clone().play(name) for name in sorted(table.offers(verb))]
    while open_ends:
        here = open_ends.pop()
        if here.view["phase"] == "play":
            ways += 1
            meld = here.view["melds"][-1]
            found.add((meld.get("low", meld.get("rank")), *meld["cards"]))
            continue
        assert here.legal, "a half-laid meld has no way on"
        open_ends += [here.clone().play(name) for name in sorted(here.legal)]
    assert ways == len(found), "a meld can be laid in more than one way"
    return found


def all_runs(id, hand, length):
    """Every run of that length in a hand that keeps a card: what stands at each place, a natural or a wild."""
    counts, found = Counter(hand), set()
    if len(hand) <= length:
        return found
    for suit, rank in product("cdhs", ORDER[id]):
        cards = along(id, rank + suit, length)
        for choice in product(*[[card, *(WILD if id == "cachons_v0" else ())] for card in cards or []]):
            natural = any(not is_wild(id, card) for card in choice)
            if choice and natural and all(n <= counts[card] for card, n in Counter(choice).items()):
                found.add((rank + suit, *choice))
    return found


def dealt(deal, id, cards, packs):
    """A game of two in which seat 0, after its draw, holds exactly `cards`."""
    left = Counter(packs[id])
    left.subtract(cards)
    other = list(left.elements())[: len(cards) - 1]
    up = list(left.elements())[-1]
    return deal(id, [" ".join(cards[:-1]), " ".join(other)], up=up, stock=cards[-1]).play("draw_stock")


def hands_of(id, least, most):
    """Hands of cards close to each other, so that there is something to meld."""
    from_pack = {
        "rummy_v0": [rank + suit for suit in "cdhs" for rank in "5678"],
        "cachons_v0": [
            *(rank + suit for suit in "ch" for rank in "QKA3456" for _ in range(2)),
            *["2"] * 4,
            *["JK"] * 2,
        ],
    }[id]
    return st.permutations(from_pack).flatmap(lambda p: st.integers(least, most).map(lambda n: p[:n]))


@CALM
@given(cards=hands_of("rummy_v0", 3, 12))
def test_g6_every_run_and_set_of_rummy_can_be_laid(deal, packs, cards):
    """G6, R5: all of them, each in one way, and no others."""
    table = dealt(deal, "rummy_v0", cards, packs)
    assert reachable(table, "run") == all_runs("rummy_v0", cards, 3)
    by_rank = {rank: sorted(card for card in cards if card[0] == rank) for rank in "5678"}
    sets = {(rank, *three) for rank, held in by_rank.items() for three in combinations(held, 3) if len(cards) > 3}
    assert reachable(table, "set") == sets


@CALM
@given(cards=hands_of("cachons_v0", 4, 11))
def test_g6_every_first_run_of_cachons_can_be_laid(deal, packs, cards):
    """G6, C8, C10: every choice of wilds for the places of every run of five, each in one way, and no others."""
    table = dealt(deal, "cachons_v0", cards, packs)
    assert reachable(table, "run") == all_runs("cachons_v0", cards, 5)


@CALM
@given(cards=hands_of("cachons_v0", 3, 10))
def test_g6_every_later_run_of_cachons_can_be_laid(deal, packs, cards):
    """G6, C9, C10: the same with runs of three, after 7d to Jd."""
    table = dealt(deal, "cachons_v0", ["7d", "8d", "9d", "Td", "Jd", *cards], packs)
    table.lay_run("7d", "natural " * 5)
    assert reachable(table, "run") == all_runs("cachons_v0", cards, 3)


# By hand ------------------------------------------------------------------------------------------------------------


def test_g6_a_run_with_no_choice_is_filled_card_by_card(rummy):
    """G6: a half-laid meld offers nothing but its next card: no discard, no way back."""
    table = rummy(["5h 6h 7h Kc", "2s 4d 9d Js"], up="9s", stock="Ah").play("draw_stock", "run 5h")
    for left in (3, 2, 1):
        assert (table.view["phase"], table.view["half_laid"]["left"]) == ("fill", left)
        assert table.legal == {"fill natural"}
        table.play("fill natural")
    assert (table.view["phase"], table.view["half_laid"]) == ("play", None)


def test_g6_wilds_are_kept_for_the_places_that_need_them(cachons):
    """G6: 3h 4h 6h 7h and one two: the two is offered for the missing five only."""
    table = cachons(["3h 4h 6h 7h 2 Kd", "3c 5d 7s 9c Jd Qs"], up="3d", stock="Kc").play("draw_stock")
    assert table.offers("run") == {"run 3h"}
    table.play("run 3h")
    for expected in ("fill natural", "fill natural", "fill 2", "fill natural", "fill natural"):
        assert table.legal == {expected}
        table.play(expected)
    assert table.melds == ["3h 4h 2 6h 7h"]


@pytest.mark.parametrize("id", ["rummy_v0", "cachons_v0"])
def test_g6_names_of_actions_are_unique_and_round_trip(shuffled, id):
    """G6: a play is named by its text."""
    game = shuffled(id).u.game
    names = [game.action_name(i) for i in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert [game.action_id(name) for name in names] == list(range(game.num_actions))
