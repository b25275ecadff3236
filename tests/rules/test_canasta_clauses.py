"""Canasta K1 to K5, K9 and K10: seats, cards, the turn, melds, red threes; and G1, G3 and G6 as they bear on it."""

from __future__ import annotations

from collections import Counter

import pytest

import cardenvs

# K1, K2 --------------------------------------------------------------------------------------------------------------


def test_k1_four_play_in_two_partnerships_partners_facing(shuffled):
    assert shuffled("canasta_v0").view["sides"] == [0, 1, 0, 1]
    assert shuffled("canasta_v0", partnerships=False).view["sides"] == [0, 1, 2, 3]


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_k1_others_play_singly(shuffled, seats):
    assert shuffled("canasta_v0", num_players=seats).view["sides"] == list(range(seats))
    with pytest.raises(ValueError, match=f"partnerships=True: allowed is False for {seats} players"):
        cardenvs.make_game("canasta_v0", num_players=seats, partnerships=True)


@pytest.mark.parametrize(
    ("seats", "partners", "cards"), [(4, True, 11), (4, False, 13), (2, False, 13), (6, False, 13)]
)
def test_k2_108_cards_in_hands_of_11_or_13(shuffled, packs, seats, partners, cards):
    view = shuffled("canasta_v0", num_players=seats, partnerships=partners).view
    assert [len(hand) for hand in view["hands"]] == [cards] * seats
    assert len(view["stock"]) == 108 - seats * cards - 1
    everything = view["stock"] + view["pile"] + view["beside"] + [card for hand in view["hands"] for card in hand]
    assert Counter(everything) == Counter(packs["canasta_v0"])
    assert len(everything) == 108
    assert (everything.count("2"), everything.count("JK"), everything.count("3r"), everything.count("3b")) == (
        8,
        4,
        4,
        4,
    )


def test_k2_a_card_is_left_to_turn_and_one_to_draw():
    assert cardenvs.make_game("canasta_v0", hand_size=26).options["hand_size"] == 26
    with pytest.raises(ValueError, match="hand_size=27: allowed are integers from 1 to 26 for 4 players"):
        cardenvs.make_game("canasta_v0", hand_size=27)


def test_g1_seat_0_begins_and_cards_go_round(canasta):
    table = canasta(["4 5", "6 7", "8 9"], up="T", stock="J Q K")
    assert table.view["seat"] == 0
    assert table.view["dealer"] == 2
    table.play("draw_stock", "discard 4", "draw_stock", "discard 6", "draw_stock", "discard 8")
    assert [table.hand(seat) for seat in range(3)] == [["5", "J"], ["7", "Q"], ["9", "K"]]
    assert table.view["pile"] == ["T", "4", "6", "8"]


# K4 ------------------------------------------------------------------------------------------------------------------


def test_k4_a_turn_is_a_draw_melds_and_a_discard(canasta):
    table = canasta(["4 A A A K K K", "5 6 7 8 9 T J"], up="9", stock="Q")
    assert table.legal == {"draw_stock"}
    table.play("draw_stock")
    assert table.legal == {"place A natural", *(f"discard {card}" for card in "4AKQ")}
    table.play("place A natural", "place A natural", "place A natural")
    table.play("place K natural", "place K natural", "place K natural")
    assert table.melds == ["K K K", "A A A"]
    assert table.legal == {"discard 4", "discard Q"}
    table.play("discard Q")
    assert (table.view["seat"], table.view["phase"], table.view["pile"]) == (1, "draw", ["9", "Q"])


def test_k4_one_may_meld_nothing(position):
    table = position(["K K K A", "4 5"], [["7 7 7"]], phase="play")
    table.play("discard K")
    assert table.hand(0) == ["A", "K", "K"]
    assert table.melds == ["7 7 7"]


# K5 ------------------------------------------------------------------------------------------------------------------


def test_k5_a_meld_is_three_of_a_rank_with_more_naturals_than_wilds(position):
    table = position(["K K 2 JK 4 5 5 5", "4 5"], [["7 7 7"]], phase="play")
    assert table.offers("place") == {"place K natural", "place 5 natural", "place 7 2", "place 7 JK"}
    table.play("place K natural")
    assert table.legal == {"place K natural"}
    table.play("place K natural")
    assert table.legal == {"place K 2", "place K JK"}
    table.play("place K JK")
    assert table.view["half_laid"] is None
    assert "place K 2" not in table.legal


@pytest.mark.parametrize(
    ("meld", "wilds"),
    [("7 7 7", True), ("7 7 2", False), ("7 7 7 2", True), ("7 7 7 2 2", False), ("7 7 7 7 2 JK", True)],
)
def test_k5_wilds_stay_fewer_after_every_card(position, meld, wilds):
    table = position(["2 JK 4 5", "4 5"], [[meld]], phase="play")
    assert table.offers("place") == ({"place 7 2", "place 7 JK"} if wilds else set())


def test_k5_two_of_a_rank_without_a_wild_are_no_meld(position):
    assert position(["K K 4 5", "4 5"], [["7 7 7"]], phase="play").offers("place") == set()


def test_k5_one_natural_and_wilds_are_no_meld(position):
    assert position(["K 2 2 JK", "4 5"], [["7 7 2"]], phase="play").offers("place") == set()


def test_k5_threes_are_never_melded(position):
    table = position(["3b 3b 3b 2 4 5", "4 5"], [["7 7 7 7 7 7 7"]], phase="play")
    assert table.offers("place") == {"place 7 2"}
    assert not table.offers("black_threes")


def test_k5_one_meld_per_rank_and_side(position):
    table = position(["K K K K 4", "4", "6", "9"], [["K K K"], ["7 7 7"]], phase="play")
    table.play("place K natural")
    assert table.view["half_laid"] is None
    table.play("place K natural", "place K natural")
    assert table.melds == ["K K K K K K", "7 7 7"]


def test_k5_only_the_melds_of_ones_own_side_are_extended(position):
    table = position(["K K 7 7 A", "4", "6 7", "9"], [["K K K"], ["7 7 7"]], phase="play")
    assert table.offers("place") == {"place K natural"}
    table.play("discard A", "draw_stock", "discard 4", "draw_stock")
    assert table.view["seat"] == 2
    assert table.offers("place") == set()


def test_k5_partners_extend_each_others_melds(position):
    table = position(["K 4 5", "4 5", "6 7", "9 9"], [["K K K"], ["7 7 7"]], stock="J K J J", phase="play")
    table.play("place K natural", "discard 4", "draw_stock", "discard J", "draw_stock")
    assert table.view["seat"] == 2
    table.play("place K natural")
    assert table.melds == ["K K K K K", "7 7 7"]


# K9 ------------------------------------------------------------------------------------------------------------------


def test_k9_red_threes_are_laid_after_the_draw_one_at_a_time_and_replaced(position):
    table = position(["3r 3r 4", "4 5"], stock="9 T J Q")
    assert table.legal == {"draw_stock"}
    table.play("draw_stock", "red_three")
    assert table.hand(0) == ["3r", "4", "9", "T"]
    assert table.view["red_threes"] == [["3r"], []]
    table.play("red_three")
    assert table.hand(0) == ["4", "9", "J", "T"]
    assert table.view["red_threes"] == [["3r", "3r"], []]


def test_k9_they_may_be_kept_and_a_replacement_may_be_one(position):
    table = position(["3r 4", "4 5"], stock="9 3r Q K")
    table.play("draw_stock", "red_three")
    assert table.hand(0) == ["3r", "4", "9"]
    table.play("discard 9", "draw_stock", "discard 4")
    assert "red_three" not in table.legal


def test_k9_partners_lay_them_for_their_side(position):
    table = position(["3r 4", "3r 5", "3r 6", "7 8"], stock="9 T J Q K A 9")
    for came in ("9", "J", "K"):
        table.play("draw_stock", "red_three", f"discard {came}")
    assert [len(red) for red in table.view["red_threes"]] == [2, 1]


def test_k9_none_comes_for_it_from_the_empty_stock(position):
    table = position(["3r 4 5", "4 5"], stock="9")
    table.play("draw_stock", "red_three")
    assert table.hand(0) == ["4", "5", "9"]


def test_k9_who_may_not_go_out_keeps_a_card_to_discard_and_one_to_hold(position):
    """K9, K11: from the empty stock nothing comes."""
    table = position(["3r", "4 5"], stock="9")
    table.play("draw_stock")
    assert table.legal == {"discard 3r", "discard 9"}


def test_k9_the_last_card_may_be_one_and_goes_out(position):
    table = position(["3r 9", "4 5"], [["9 9 9 9 9 9 9"]], stock="9")
    table.play("draw_stock", "place 9 natural", "place 9 natural")
    assert table.legal == {"red_three", "discard 3r"}
    table.play("red_three")
    assert (table.view["ended"], table.view["out"]) == ("out", 0)


# K10, G3, G6 ---------------------------------------------------------------------------------------------------------


def test_k10_seven_cards_or_more_are_a_canasta(position):
    table = position(["7 2 4 5", "4 5"], [["7 7 7 7 7"]], phase="play")
    assert table.view["canastas"] == [0, 0]
    table.play("place 7 natural")
    assert (table.view["canastas"], table.view["melds"][0]["canasta"]) == ([0, 0], None)
    twin = table.clone().play("place 7 2")
    assert (twin.view["canastas"], twin.view["melds"][0]["canasta"]) == ([1, 0], "mixed")
    table = position(["7 4 5", "4 5"], [["7 7 7 7 7 7"]], phase="play").play("place 7 natural")
    assert (table.view["canastas"], table.view["melds"][0]["canasta"]) == ([1, 0], "natural")


def test_g3_a_round_that_is_stopped_is_scored_as_it_lies_and_truncated(canasta):
    table = canasta(["A A A 4", "K K K 5"], up="9", stock="6 7 8", max_turns=1)
    table.play("draw_stock", "place A natural", "place A natural", "place A natural", "discard 6")
    table.play("draw_stock", "discard 7")
    assert table.ended == "truncated"
    assert table.view["ended"] == "cap"
    assert table.view["winners"] == []
    assert table.view["round_scores"] == [60 - 5, -35]
    assert table.rewards == pytest.approx([90 / 500, -90 / 500])


def test_g6_a_half_laid_meld_offers_only_what_finishes_it(position):
    """50 points from two tens: the wilds that the hand holds must do."""
    table = position(["K K K 2 2 4 4 5 6", "4 5"], phase="play")
    assert table.offers("place") == {"place K natural"}
    table.play("place K natural")
    assert table.legal == {"place K natural"}
    table.play("place K natural")
    assert table.legal == {"place K natural", "place K 2"}
    table.play("place K 2")
    assert table.legal == {"place K natural"}
    table.play("place K natural")
    assert table.melds == ["K K K 2"]
    assert table.view["half_laid"] is None


def test_g6_a_wild_that_would_strand_the_meld_is_not_offered(position):
    """At 90 points three kings need a joker and a two: two twos are 70 and no natural is left."""
    table = position(["K K K 2 2 JK 4 5", "4 5"], phase="play", totals=[1500, 0])
    table.play("place K natural", "place K natural")
    assert table.legal == {"place K natural", "place K 2", "place K JK"}
    table.play("place K 2", "place K natural")
    assert table.legal == {"place K JK"}
