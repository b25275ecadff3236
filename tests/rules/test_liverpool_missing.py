"""V3-V6: what a row says of how far its hand is from the contract.

The figures are those of `suites.contracts.missing`, by which the suites compare every row, and that is compared here
with a search that tries every filling of every meld.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from suites import contracts
from suites.contracts import CONTRACTS, RANKS, SUITS


def seen(table, name, seat=0):
    """A piece of a seat's row, of any shape."""
    layout = table.u.game.observation
    row = table.u.observe(f"player_{seat}")["observation"] / layout.scale
    return np.rint(row[layout.slice(name)]).astype(int).tolist()


def needed(table):
    """The cards that the seat whose turn it is cannot spare."""
    marked = zip(seen(table, "needed", table.view["turn"]), (r + s for s in SUITS for r in RANKS), strict=True)
    return {card for mark, card in marked if mark}


def first_to_act(liverpool, hand, up, contract, stock="Qs", **options):
    """Three seats, of which seat 0 has that hand and draws first."""
    return liverpool(hand, up=up, stock=stock, contract=contract, **{"buys": 0, **options})


@pytest.mark.parametrize(
    ("contract", "hand", "missing"),
    [
        # Two sets: three sevens and two nines; and a joker; four of a rank are one set and one card of another.
        (1, "7c 7d 7h 9c 9d 2h Kh Ts 2d 4s", [1]),
        (1, "7c 7d 7h 9c JK 2h Kh Ts 3d 4s", [1]),
        (1, "7c 7d 7h 9c 9d JK Kh Ts 2d 4s", [0]),
        (1, "7c 7d 7h 7s Ac Jd Kh Ts 2d 4s", [2]),
        (1, "7c 7d 7h 7s 7c Jd Kh Ts 2d 4s", [1]),
        # A set and a run: the seven is in one of the two.
        (2, "4c 5c 6c 7c 7d 7h Kh Js 2d Ts", [1]),
        (2, "4c 5c 6c 7c 7d 7h 7s Js 2d Ts", [0]),
        # Two runs: two of one suit may share no card, and the ace stands above the king and below the two.
        (3, "Th Jh Qh Kh Ah 2h 3h 5s 7d 9c", [1]),
        (3, "3c 4c 5c 6c 7c 9s Jd Kh 2h 7d", [3]),
        (3, "3c 4c 5c 6c 3c 4c 5c Kh 2h 7d", [1]),
        # Three sets, two sets and a run, a set and two runs, three runs.
        (4, "7c 7d 7h 9c 9d Kh Kd Ts 2d 4s", [2]),
        (5, "7c 7d 9c 9d Kh 2s 3s 5s Jd Jc 8h Td", [3]),
        (6, "7c 7d 2s 3s 5s Jd Qd 8h 9c Ac 6h Kc", [4]),
        (7, "2s 3s 5s Jd Qd 8h 9h Ac 6h Kc 4d 7d", [4]),
    ],
)
def test_v3_cards_that_the_contract_lacks(liverpool, contract, hand, missing):
    """V3, V4: counted by hand."""
    assert seen(first_to_act(liverpool, hand, "Qc", contract), "missing") == missing


def test_v4_jokers_alone_are_no_meld(liverpool):
    """V4: four jokers and one natural lack a natural of the second set."""
    table = liverpool("7c JK JK JK JK", up="Qs", stock="As", buys=0)
    assert seen(table, "missing") == [1]
    assert seen(table, "top_needed") == [1]


@pytest.mark.parametrize(
    ("contract", "hand", "up", "wanted"),
    [
        (1, "7c 7d 7h 9c 9d 2h Kh Ts 3d 4s", "9s", 1),
        (1, "7c 7d 7h 9c 9d 2h Kh Ts 3d 4s", "9c", 1),  # The second pack's.
        (1, "7c 7d 7h 9c 9d 2h Kh Ts 3d 4s", "7s", 0),
        (1, "7c 7d 7h 9c 9d 2h Kh Ts 3d 4s", "JK", 1),
        (1, "7c 7d 7h 9c 9d 9h Kh Ts 3d 4s", "JK", 0),
        (3, "Th Jh Qh Kh 2c 3c 9s 9d 6s 6d", "Ac", 1),
        (3, "Th Jh Qh Kh 2c 3c 9s 9d 6s 6d", "6c", 0),
        (3, "Th Jh Qh Kh Ac Kc 9s 9d 6s 6d", "Jc", 1),
    ],
)
def test_v5_whether_the_top_card_is_one_of_them(liverpool, contract, hand, up, wanted):
    """V5: for the seat that may draw it."""
    table = first_to_act(liverpool, hand, up, contract)
    assert seen(table, "top_needed") == [wanted]


def test_v6_whether_the_top_card_is_one_of_them_for_a_buyer(liverpool):
    """V6: the next seat has its nines already, and the one after it lacks one."""
    hands = ["Ac 3c 5c 8c Jd Kd 4h 6h Th Qs", "7c 7d 7h 9c 9d 9h 2h Kh Ts 3d", "7c 7d 7h 9c 9d 2h Kh Ts 3d 4s"]
    table = liverpool(hands, up="9s", stock="Qd", buys=3).play("draw_stock")
    assert (table.view["phase"], table.view["seat"]) == ("claim", 1)
    assert [seen(table, "missing", seat) for seat in range(3)] == [[3], [0], [1]]
    assert [seen(table, "top_needed", seat) for seat in range(3)] == [[0], [0], [1]]


def test_v5_cards_that_the_contract_cannot_spare(liverpool):
    """V3, V5: without one of the pair or of the set more is missing; the fourth seven is to spare."""
    table = first_to_act(liverpool, "7c 7d 7h 9c 9d 2h Kh Ts 3d 4s", "Qc", 1, stock="As").play("draw_stock")
    assert needed(table) == set("7c 7d 7h 9c 9d".split())
    table = first_to_act(liverpool, "7c 7d 7h 7s 9c 9d Kh Ts 3d 4s", "Qc", 1, stock="9h").play("draw_stock")
    assert needed(table) == set("9c 9d 9h".split())


def test_v5_a_run_may_be_moved(liverpool):
    """V4, V5: of five in sequence neither end is needed; with a gap all four are, and one of two alike is not."""
    rest = "Th Jh Qh Kh"
    table = first_to_act(liverpool, f"3c 4c 5c 6c 7c {rest} 9s", "Qc", 3, stock="9d").play("draw_stock")
    assert needed(table) == set(f"4c 5c 6c {rest}".split())
    table = first_to_act(liverpool, f"3c 4c 6c 7c 7c {rest} 9s", "Qc", 3, stock="9d").play("draw_stock")
    assert seen(table, "missing") == [1]
    assert needed(table) == set(f"4c 6c {rest}".split())


def test_v5_nothing_is_missing_from_the_first_meld_on(liverpool):
    """V5: who has begun a contract can finish it, and who has laid it owes no more."""
    table = first_to_act(liverpool, "7c 7d 7h 9c 9d 9h Kh Ts 3d 4s", "Qc", 1, stock="As Ah 8s").play("draw_stock")
    assert needed(table) == set("7c 7d 7h 9c 9d 9h".split())
    for name in ("set 7", "fill c", "fill d", "fill h", "set 9", "fill c", "fill d", "fill h", "discard As"):
        table.play(name)
        assert seen(table, "missing") == [0]
        if name != "discard As":
            assert needed(table) == set()
    table.play("draw_stock", "discard Ah")
    assert seen(table, "missing") == [0]
    assert seen(table, "top_needed") == [0]


def test_v5_a_half_laid_meld_is_not_told_by_others_rows(liverpool):
    """V5, G6: while one lays off and chooses the card unseen, nothing in the others' rows changes."""
    first = "2h 3h 4h 5h Th Jh Qh Kh Ah JK JK 9s"
    table = liverpool([first, "7c 8c 9c 2d 3d 4d 6s Js Qs Ks 4s 5s"], up="5d", stock="8s", contract=3, buys=0)
    table.play("draw_stock").lay_run("2h", "natural " * 4).lay_run("Th", "natural " * 4)
    before = table.u.observe("player_1")["observation"]
    table.play("lay_off_run Ah above")
    assert table.view["phase"] == "fill"
    assert np.array_equal(table.u.observe("player_1")["observation"], before)


def narrow_hand(rng, size):
    """A hand of few ranks and suits, in which melds take cards from each other."""
    first, suits = rng.randrange(13), rng.sample(SUITS, 2)
    cards = [RANKS[(first + i) % 13] + suit for i in range(6) for suit in suits] * 2
    jokers = rng.choice([0, 0, 1, 2])
    return Counter(rng.sample(cards, size - jokers) + ["JK"] * jokers)


@pytest.mark.parametrize("contract", range(1, 8))
def test_v5_the_reference_is_what_a_search_finds(contract):
    """V3-V5: with so many jokers more the contract can be laid, and with one less it cannot."""
    rng, (sets, runs), found = random.Random(contract), CONTRACTS[contract], Counter()
    for _ in range(60 if contract < 6 else 25):
        hand = narrow_hand(rng, rng.choice([7, 9, 10]))
        missing = contracts.missing(hand, sets, runs)
        assert contracts.can_lay(hand + Counter(JK=missing), sets, runs), hand
        assert missing == 0 or not contracts.can_lay(hand + Counter(JK=missing - 1), sets, runs), hand
        found[missing] += 1
    assert len(found) >= 2
