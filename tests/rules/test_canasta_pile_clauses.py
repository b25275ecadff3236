"""Canasta K3 and K6 to K8: the first meld of a side, and the pile in all its ways to be taken and blocked."""

from __future__ import annotations

import pytest

TOTALS = [(-5, 15), (-2000, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120), (4995, 120)]
"""K6: the side's total before the round, and the points that open."""

# K6 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("total", "minimum"), TOTALS)
def test_k6_the_minimum_follows_the_total_of_the_side(position, total, minimum):
    table = position(["4 4", "4 5"], totals=[total, 700], options={"match": True})
    assert table.view["minimum"] == [minimum, 50]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("4 4 4", 15),
        ("4 4 2", 30),
        ("7 7 7 7 2 2", 60),
        ("8 8 8", 30),
        ("Q Q Q Q Q", 50),
        ("K K 2", 40),
        ("K K K 2", 50),
        ("K K JK", 70),
        ("A A A", 60),
        ("A A JK", 90),
        ("A A A 2 2", 100),
        ("A A A A 2 2", 120),
        ("A A A JK JK", 160),
        ("9 9 9 2 JK", 100),
    ],
)
@pytest.mark.parametrize(("total", "minimum"), [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120)])
def test_k6_one_meld_must_reach_it_by_itself(position, cards, points, total, minimum):
    """With three other cards, so that K11 asks nothing."""
    table = position(
        [f"{cards} 5 6 8" if "8" not in cards else f"{cards} 5 6 9", "J T"], phase="play", totals=[total, 0]
    )
    assert (f"place {cards[0]} natural" in table.legal) == (points >= minimum)


def test_k6_two_melds_together_do_not_open(position):
    table = position(["J J J K K K 4 5", "4 5"], phase="play")
    assert table.offers("place") == set()


def test_k6_more_cards_are_laid_until_it_is_reached(position):
    table = position(["Q Q Q Q Q 4 5", "4 5"], phase="play")
    for number in range(1, 5):
        table.play("place Q natural")
        assert table.view["half_laid"]["cards"] == ["Q"] * number
        assert table.view["half_laid"]["wants"] == 50 - 10 * number
        assert table.legal == {"place Q natural"}
        assert table.view["opened"] == [False, False]
    table.play("place Q natural")
    assert table.view["opened"] == [True, False]
    assert table.melds == ["Q Q Q Q Q"]


def test_k6_partners_open_together(position):
    """[D] Whoever of the side melds first."""
    table = position(["A A A 5 6", "4 5", "4 4 4 9 9", "J T"], stock="7 8 T K", phase="play")
    table.play("place A natural", "place A natural", "place A natural", "discard 5", "draw_stock", "discard 4")
    table.play("draw_stock", "place 4 natural", "place 4 natural", "place 4 natural")
    assert table.melds == ["4 4 4", "A A A"]


def test_k6_opponents_open_for_themselves(position):
    table = position(["A A A 5 6", "4 4 4 5 6", "9 9", "J T"], stock="7 8 T K", phase="play")
    table.play("place A natural", "place A natural", "place A natural", "discard 5", "draw_stock")
    assert table.offers("place") == set()


def test_k6_once_open_any_meld_will_do(position):
    table = position(["4 4 4 5 6", "4 5"], [["7 7 7 7"]], phase="play", totals=[3000, 0])
    table.play("place 4 natural", "place 4 natural", "place 4 natural")
    assert table.melds == ["4 4 4", "7 7 7 7"]


# K7 ------------------------------------------------------------------------------------------------------------------


def test_k7_unopened_the_pile_is_taken_with_two_naturals_that_open(position):
    table = position(["A A 5", "4 5"], pile="9 K A")
    assert table.legal == {"draw_stock", "take_pile pair"}
    table.play("take_pile pair")
    assert table.melds == ["A A A"]
    assert table.hand(0) == ["5", "9", "K"]
    assert (table.view["pile"], table.view["phase"]) == ([], "play")
    assert table.view["known"][0] == ["9", "K"]


@pytest.mark.parametrize(
    ("hand", "top", "minimum", "taken"),
    [
        ("A A 5 6", "A", 0, True),  # 60
        ("K K 5 6", "K", 0, False),  # 30
        ("K K 2 5 6", "K", 0, True),  # 50
        ("K K K K 5 6", "K", 0, True),  # 50
        ("K K K 5 6", "K", 0, False),  # 40
        ("A A 2 5 6", "A", 1500, False),  # 80
        ("A A JK 5 6", "A", 1500, True),  # 110
        ("A A JK 5 6", "A", 3000, False),  # 110
        ("A A 2 JK 5 6", "A", 3000, True),  # 130
        ("4 4 5 6", "4", -5, True),  # 15
        ("4 4 2 2 2 5 6", "4", 0, True),  # 55, of two wilds
        ("4 4 2 2 2 5 6", "4", 1500, False),
        ("A 2 5 6", "A", 0, False),  # one natural is not enough
        ("A 2 JK 5", "A", -5, False),
    ],
)
def test_k7_unopened_more_cards_from_the_hand_may_reach_the_minimum(position, hand, top, minimum, taken):
    table = position([hand, "4 5"], pile=f"9 {top}", totals=[minimum, 0])
    assert table.legal == {"draw_stock"} | ({"take_pile pair"} if taken else set())


def test_k7_the_rest_follows_once_the_meld_stands(position):
    table = position(["K K 2 5 6", "4 5"], pile="8 9 7 K")
    table.play("take_pile pair")
    assert (table.view["phase"], table.legal) == ("meld", {"place K 2"})
    assert table.view["half_laid"] == {
        "kind": "meld",
        "side": 0,
        "rank": "K",
        "cards": ["K", "K", "K"],
        "canasta": None,
        "wants": 20,
        "takes_pile": True,
    }
    assert table.view["pile"] == ["8", "9", "7"]
    table.play("place K 2")
    assert table.hand(0) == ["5", "6", "7", "8", "9"]
    assert table.view["pile"] == []


def test_k7_the_covered_cards_do_not_help_to_open(position):
    """A joker in the pile comes too late for the minimum."""
    assert position(["K K 5", "4 5"], pile="A A A K").legal == {"draw_stock"}


def test_k7_opened_the_top_goes_on_a_standing_meld(position):
    table = position(["5 6", "4 5"], [["K K K"]], pile="9 8 K")
    assert table.legal == {"draw_stock", "take_pile meld"}
    table.play("take_pile meld")
    assert table.melds == ["K K K K"]
    assert table.hand(0) == ["5", "6", "8", "9"]


def test_k7_opened_a_new_meld_may_have_a_wild(position):
    table = position(["K K 2 JK 5", "4 5"], [["7 7 7"]], pile="9 8 K")
    assert table.legal == {"draw_stock", "take_pile pair", "take_pile two", "take_pile joker"}
    for form, meld in (("pair", "K K K"), ("two", "K K 2"), ("joker", "K K JK")):
        twin = table.clone().play(f"take_pile {form}")
        assert meld in twin.melds
        assert len(twin.hand(0)) == 5
    table = position(["K 2 5", "4 5"], [["7 7 7"]], pile="9 8 K")
    assert table.legal == {"draw_stock", "take_pile two"}


def test_k7_the_top_must_be_melded(position):
    assert position(["K 5 6", "4 5"], [["7 7 7"]], pile="9 8 K").legal == {"draw_stock"}
    assert position(["2 JK 5", "4 5"], [["7 7 7"]], pile="9 8 K").legal == {"draw_stock"}


def test_k7_a_partners_meld_serves(position):
    table = position(["5 6", "4 5", "8 9", "T J"], [["K K K"], ["Q Q Q"]], pile="9 K")
    assert table.legal == {"draw_stock", "take_pile meld"}
    assert position(["5 6", "4 5", "8 9", "T J"], [["K K K"], ["Q Q Q"]], pile="9 Q").legal == {"draw_stock"}


# K3, K8 --------------------------------------------------------------------------------------------------------------


def test_k3_one_card_is_turned_and_may_be_taken(canasta):
    table = canasta(["A A 5", "4 6 7"], up="A")
    assert table.view["pile"] == ["A"]
    assert table.legal == {"draw_stock"}, "it would leave one card to a side that may not go out"
    assert canasta(["A A 5 6", "4 6 7 8"], up="A").legal == {"draw_stock", "take_pile pair"}


def test_k3_a_turned_wild_lies_beside(canasta):
    for wild in ("2", "JK"):
        table = canasta(["A A 5 6", "4 6 7 8"], up=wild)
        assert (table.view["pile"], table.view["beside"], table.view["frozen"]) == ([], [wild], True)
        assert table.legal == {"draw_stock"}


def test_k3_a_turned_red_three_blocks_until_the_dealer_draws(canasta):
    table = canasta(["5 5 6", "A A 7", "A A 8"], up="3r", stock="A A A")
    assert table.view["blocked_by"] == 2
    table.play("draw_stock", "discard A")
    assert table.legal == {"draw_stock"}
    table.play("draw_stock", "discard A")
    assert table.view["blocked_by"] is None
    assert table.legal == {"draw_stock", "take_pile pair"}


def test_k3_a_turned_black_three_blocks_the_first_player(canasta):
    table = canasta(["5 5 6 3b", "A A 7 8"], up="3b", stock="A")
    assert table.legal == {"draw_stock"}
    assert table.view["blocked_by"] is None
    assert table.play("draw_stock", "discard A").legal == {"draw_stock", "take_pile pair"}


def test_k8_after_a_black_three_the_next_player_may_not_take_the_pile(position):
    table = position(
        ["3b 9 9", "K K 5", "K K 6", "K 7"], [["7 7 7"], ["Q Q Q"]], pile="8 K", phase="play", stock="K J J J"
    )
    table.play("discard 3b")
    assert table.legal == {"draw_stock"}
    table.play("draw_stock", "discard K")
    assert table.legal == {"draw_stock", "take_pile pair"}, "the one after may"
    assert table.play("take_pile pair").hand(2) == ["3b", "6", "8", "K"]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_k8_a_red_three_blocks_for_a_round(position, seats):
    """Nobody may take it until the discarder's next turn begins."""
    hands = ["3r K K 5", *["6 6 K 8"] * 2, "6 A A", "6 Q Q"][:seats]
    table = position(
        hands,
        [["4 4 4"], ["5 5 5"], ["9 9 9"], ["J J J"], ["T T T"]][:seats],
        pile="T",
        phase="play",
        stock="7 7 7 7 7 7",
    )
    table.play("discard 3r")
    for seat in range(1, seats):
        assert (table.view["seat"], table.view["blocked_by"]) == (seat, 0)
        assert table.legal == {"draw_stock"}, "also with two cards like the top"
        table.play("draw_stock", "discard 6")
    assert (table.view["seat"], table.view["blocked_by"]) == (0, None)


def test_k8_the_discarder_may_take_it_again(position):
    table = position(["3r K K 5", "K 8 6"], [["4 4 4"], ["5 5 5"]], pile="T", phase="play", stock="7 7")
    table.play("discard 3r", "draw_stock", "discard K")
    assert table.legal == {"draw_stock", "take_pile pair"}
    assert table.play("take_pile pair").hand(0) == ["3r", "5", "T"]


def test_k8_of_two_red_threes_the_later_one_counts(position):
    hands = ["3r K K 5", "3r A 6", "K K 8"]
    table = position(hands, [["4 4 4"], ["5 5 5"], ["9 9 9"]], pile="T", phase="play", stock="7 K Q Q Q")
    table.play("discard 3r", "draw_stock", "discard 3r")
    assert table.view["blocked_by"] == 1
    table.play("draw_stock", "discard K")
    assert (table.view["seat"], table.view["blocked_by"]) == (0, 1)
    assert table.legal == {"draw_stock"}, "the first one's round is over, the second one's is not"
    table.play("draw_stock", "discard K")
    assert (table.view["seat"], table.view["blocked_by"]) == (1, None)


@pytest.mark.parametrize("wild", ["2", "JK"])
def test_k8_a_wild_lies_beside_and_freezes_the_pile(position, wild):
    table = position([f"{wild} 9 9", "K 2 5 6"], [["7 7 7"], ["Q Q Q"]], pile="8 K", phase="play")
    assert "take_pile two" in position(["9 9", "K 2 5 6"], [["7 7 7"], ["Q Q Q"]], pile="8 K", seat=1).legal
    table.play(f"discard {wild}")
    assert (table.view["pile"], table.view["beside"], table.view["frozen"]) == (["8", "K"], [wild], True)
    assert table.legal == {"draw_stock"}, "a natural and a wild no longer serve"


def test_k8_frozen_it_is_taken_with_two_naturals_and_the_cards_beside(position):
    table = position(["K K 2 5", "4 5"], [["7 7 7"]], pile="8 K", beside="2 JK")
    assert table.legal == {"draw_stock", "take_pile pair"}
    table.play("take_pile pair")
    assert table.hand(0) == ["2", "2", "5", "8", "JK"]
    assert (table.view["beside"], table.view["frozen"]) == ([], False)


@pytest.mark.parametrize(("held", "taken"), [("5 6 8", False), ("K 5 6", False), ("K K 5", True)])
def test_k8_frozen_the_pair_is_held_for_a_standing_meld_too(position, held, taken):
    table = position([held, "4 5"], [["K K K"]], pile="9 K", beside="2")
    assert table.legal == {"draw_stock"} | ({"take_pile meld"} if taken else set())


def test_k8_frozen_onto_a_standing_meld_the_top_alone_is_laid_and_the_pair_is_shown(position):
    table = position(["K K 5", "4 5"], [["K K K"]], pile="9 K", beside="2")
    table.play("take_pile meld")
    assert table.melds == ["K K K K"]
    assert table.hand(0) == ["2", "5", "9", "K", "K"]
    assert sorted(table.view["known"][0]) == ["2", "9", "K", "K"]


def test_k8_it_stays_frozen_until_it_is_taken(position):
    table = position(["2 9 9 5", "K 5 6 8"], [["7 7 7"], ["Q Q Q"]], pile="8", phase="play", stock="J J J J J")
    table.play("discard 2", "draw_stock", "discard K", "draw_stock", "discard 9", "draw_stock", "discard 8")
    assert table.view["frozen"]
    assert table.view["pile"] == ["8", "K", "9", "8"]


def test_k8_the_minimum_holds_for_a_frozen_pile(position):
    assert position(["K K 5 6", "4 5"], pile="8 K", beside="2").legal == {"draw_stock"}
    assert position(["A A 5 6", "4 5"], pile="8 A", beside="2").legal == {"draw_stock", "take_pile pair"}


@pytest.mark.parametrize("three", ["3r", "3b"])
def test_k8_a_three_on_top_cannot_be_taken(position, three):
    table = position([f"{three} {three} 5 6", "4 5"], [["7 7 7"]], pile=f"8 {three}")
    assert table.legal == {"draw_stock"}


def test_k8_a_pile_without_a_card_but_those_beside_cannot_be_taken(position):
    table = position(["2 2 5 6", "4 5"], [["7 7 7"]], beside="2 2 JK")
    assert table.legal == {"draw_stock"}


def test_k8_a_wild_does_not_lift_a_block(position):
    table = position(["2 5 6", "K K 9", "K K 8"], [["7 7 7"], ["Q Q Q"], []], pile="8 K", phase="play", blocked_by=2)
    table.play("discard 2")
    assert table.legal == {"draw_stock"}
    assert (table.view["blocked_by"], table.view["frozen"]) == (2, True)
