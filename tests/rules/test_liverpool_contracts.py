"""V5, G6: exactly those melds of a contract are offered, and exactly those cards, that the hand can finish it with.

Random hands, such as are near a contract and such as are hard to tell (few ranks, few suits, aces, many jokers) are
compared with a search that tries every filling of every meld.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from suites import contracts
from suites.contracts import CONTRACTS, RANKS, SUITS, place_of

ID = "liverpool_rummy_v0"


def hard_hand(rng, packs, size):
    """A hand of that size."""
    naturals = [rank + suit for rank in RANKS for suit in SUITS] * packs
    first, suits = rng.randrange(13), rng.sample(SUITS, 2)
    near = [RANKS[(first + i) % 13] for i in range(6)]
    some = rng.sample(RANKS, 5)
    kinds = [
        naturals,
        [card for card in naturals if card[1] in suits],
        [card for card in naturals if card[0] in some],
        [card for card in naturals if card[0] in near and card[1] in suits],
        [card for card in naturals if card[0] in "AKQJ23"],
    ]
    jokers = min(rng.choice([0, 0, 1, 1, 2, 3, 4, 6]), 2 * packs)
    cards = rng.choice(kinds)
    return rng.sample(cards if len(cards) >= size - jokers else naturals, size - jokers) + ["JK"] * jokers


def near_hand(rng, packs, size, contract):
    """A hand of that size from a contract that is laid out, of which up to three cards are exchanged."""
    sets, runs = CONTRACTS[contract]
    cards = [rng.choice(RANKS) + rng.choice(SUITS) for _ in range(sets)]
    cards = [card[0] + rng.choice(SUITS) for card in cards for _ in range(3)]
    cards += [card for _ in range(runs) for card in contracts.run_cards(rng.choice(contracts.PLACES))]
    left = Counter([rank + suit for rank in RANKS for suit in SUITS] * packs + ["JK"] * (2 * packs))
    cards = list((Counter(cards) & left).elements())
    rng.shuffle(cards)
    cards = cards[rng.randrange(4) : size - 1]
    jokers = min(rng.randrange(4), size - len(cards))
    left.subtract([*cards, *["JK"] * jokers])
    return [*cards, *["JK"] * jokers, *rng.sample(sorted(left.elements()), size - len(cards) - jokers)]


def deal_to_first(table, hand, players, rng):
    """Deal a hand, and its last card from the stock, to seat 0, and what is left to the others."""
    packs = 2 if players <= 4 else 3
    left = Counter([rank + suit for rank in RANKS for suit in SUITS] * packs + ["JK"] * (2 * packs))
    left.subtract(hand)
    others = list(left.elements())
    rng.shuffle(others)
    deck = []
    for card in hand[:-1]:
        deck += [card, *(others.pop() for _ in range(players - 1))]
    table.u.reset(seed=0, options={"deck": [*deck, others.pop(), hand[-1], *others]})
    return table.play("draw_stock")


def lay_by_chance(table, contract, rng):
    """Lay the contract by chance, if it can be laid, and compare what is offered at every step; whether it could be."""
    sets, runs = CONTRACTS[contract]
    keep = 0 if contract == 7 else 1
    rank = place = 0
    kind = low = ""
    while True:
        view, offered = table.view, table.legal
        if view["opened"][0]:
            return True
        hand = Counter(view["hands"][0])
        if view["phase"] == "play":
            wanted = contracts.beginnings(hand, sets, runs, keep, rank, place)
            if not wanted or (sets, runs) == CONTRACTS[contract]:
                offered = {name for name in offered if name.split()[0] in ("set", "run")}
        elif kind == "set":
            wanted = contracts.set_fills(hand, low, tuple(view["half_laid"]["cards"]), sets, runs)
        else:
            wanted = contracts.run_fills(hand, low, tuple(view["half_laid"]["cards"]), runs)
        assert offered == wanted, (contract, view["hands"][0], view["melds"], view["half_laid"])
        if not wanted:
            assert (sets, runs) == CONTRACTS[contract], "half a contract strands"
            return False
        name = rng.choice(sorted(wanted))
        table.play(name)
        if name.split()[0] in ("set", "run"):
            kind, low = name.split()
            sets, runs = sets - (kind == "set"), runs - (kind == "run")
            rank, place = (RANKS.index(low), 0) if kind == "set" else (0, place_of(low))


def compare(shuffled, contract, players, hands, seed):
    """That many hands; how often the contract was laid."""
    rng, laid, tables = random.Random(seed), 0, {}
    for _ in range(hands):
        size = rng.choice([10, 11, 12, 13, 14])
        if size not in tables:
            tables[size] = shuffled(ID, num_players=players, contract=contract, hand_size=size, buys=0)
        packs = 2 if players <= 4 else 3
        hand = near_hand(rng, packs, size + 1, contract) if rng.random() < 0.4 else hard_hand(rng, packs, size + 1)
        laid += lay_by_chance(deal_to_first(tables[size], hand, players, rng), contract, rng)
    return laid


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("contract", range(1, 8))
def test_v5_what_is_offered_is_what_can_be_finished(shuffled, contract, players):
    """V5, V4, V7, G6: with the packs of three players and of five."""
    laid = compare(shuffled, contract, players, hands=50, seed=contract)
    assert 0 < laid < 50


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("contract", range(1, 8))
def test_v5_what_is_offered_is_what_can_be_finished_in_a_thousand_hands(shuffled, contract, players):
    """V5, V4, V7, G6: the same at length."""
    assert 0 < compare(shuffled, contract, players, hands=1000, seed=100 + contract) < 1000


# Every lay-down ------------------------------------------------------------------------------------------------------


def lay_downs(hand, sets, runs, rank=0, place=0):
    """All contracts that a hand can lay, each as its melds in the order of laying."""
    if sets:
        for each in range(rank, 13):
            for meld in set(contracts.set_fillings(hand, RANKS[each])):
                for rest in lay_downs(hand - Counter(meld), sets - 1, runs, each, place):
                    yield (meld, *rest)
    elif runs:
        for each in range(place, len(contracts.PLACES)):
            for meld in set(contracts.run_fillings(hand, contracts.PLACES[each])):
                for rest in lay_downs(hand - Counter(meld), 0, runs - 1, 0, each):
                    yield (meld, *rest)
    else:
        yield ()


def reached(table):
    """The contracts that the actions lay, followed to their end."""
    found, frontier = [], [table]
    while frontier:
        now = frontier.pop()
        if now.view["opened"][0]:
            found.append(tuple(tuple(meld["cards"]) for meld in now.view["melds"]))
            continue
        for action in np.flatnonzero(now.u.observe("player_0")["action_mask"]):
            if not now.u.action_name(int(action)).startswith("discard"):
                frontier.append(now.clone())
                frontier[-1].u.step(int(action))
    return found


@pytest.mark.parametrize("contract", range(1, 8))
def test_v5_every_contract_of_a_hand_can_be_laid_in_one_way(shuffled, contract):
    """V5, G6: all that the rules allow, naturals and jokers wherever they may stand, and nothing else."""
    rng, checked = random.Random(contract), 0
    size = 10 if contract <= 4 else 12
    table = shuffled(ID, num_players=3, contract=contract, buys=0)
    for _ in range(400):
        hand = near_hand(rng, 2, size + 1, contract)
        wanted = list(lay_downs(Counter(hand), *CONTRACTS[contract])) if hand.count("JK") <= 2 else []
        if 0 < len(wanted) <= 60:
            laid = reached(deal_to_first(table, hand, 3, rng))
            assert Counter(laid) == Counter(wanted), hand
            checked += 1
        if checked == 8:
            break
    assert checked >= 3
