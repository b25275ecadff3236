"""Canasta K11 to K13: going out, black threes, the empty stock."""

from __future__ import annotations

import pytest

NATURAL, MIXED = "7 7 7 7 7 7 7", "8 8 8 8 2 2 JK"
SIX = "9 9 9 9 9 9"

# K11: how many canastas ----------------------------------------------------------------------------------------------


def test_k11_singly_one_canasta_lets_go_out(position):
    table = position(["4", "5 6"], [[NATURAL]], phase="play")
    assert table.legal == {"discard 4"}
    table.play("discard 4")
    assert (table.ended, table.view["ended"], table.view["out"]) == ("terminated", "out", 0)


def test_k11_partners_need_two(position):
    hands = ["4 5", "5 6", "6 6", "T T"]
    one = position(hands, [[NATURAL, SIX]], phase="play").play("discard 4")
    assert one.view["seat"] == 1
    table = position(["5 9", *hands[1:]], [[NATURAL, SIX]], stock="T", phase="play")
    table.play("place 9 natural")
    assert table.view["canastas"] == [2, 0]
    table.play("discard 5")
    assert table.view["ended"] == "out"


def test_k11_the_canastas_of_a_partner_count(position):
    table = position(["5 6", "5 6", "4", "T T"], [[NATURAL, MIXED]], seat=2, phase="play")
    table.play("discard 4")
    assert (table.view["out"], table.view["winners"]) == (2, [0, 2])


@pytest.mark.parametrize(("needed", "may"), [(1, True), (2, True), (3, False)])
def test_k11_the_number_is_an_option(position, needed, may):
    table = position(["4", "5 6"], [[NATURAL, MIXED]], phase="play", options={"canastas": needed})
    assert table.legal == ({"discard 4"} if may else set())
    table = position(["4", "5 6"], [[NATURAL, MIXED]], options={"canastas": needed}, stock="K J")
    table.play("draw_stock")
    assert table.legal == {"discard 4", "discard K"}


# K11: by which card --------------------------------------------------------------------------------------------------


def test_k11_by_discarding_the_last_card(position):
    assert position(["4", "5 6"], [[NATURAL]], phase="play").play("discard 4").view["ended"] == "out"


def test_k11_by_melding_the_last_card(position):
    table = position(["7", "5 6"], [[NATURAL]], phase="play")
    assert table.legal == {"place 7 natural", "discard 7"}
    table.play("place 7 natural")
    assert (table.view["ended"], table.view["pile"]) == ("out", [])


def test_k11_by_a_new_meld_of_the_last_cards(position):
    table = position(["K K 2", "5 6"], [[NATURAL]], phase="play")
    table.play("place K natural", "place K natural", "place K 2")
    assert table.view["ended"] == "out"


def test_k11_by_taking_the_pile(position):
    """The top and two cards of the hand are all there is."""
    table = position(["K K", "5 6"], [[NATURAL]], pile="K")
    table.play("take_pile pair")
    assert (table.view["ended"], table.view["out"]) == ("out", 0)


def test_k11_a_canasta_of_the_same_turn_counts(position):
    table = position(["9 4", "5 6"], [[SIX]], phase="play")
    assert table.legal == {"place 9 natural", "discard 9", "discard 4"}
    table.play("place 9 natural")
    assert table.legal == {"discard 4"}
    table.play("discard 4")
    assert table.view["ended"] == "out"


def test_k11_a_canasta_completed_by_the_last_card_counts(position):
    """Five nines and two more in hand: the first leaves one card, which completes."""
    table = position(["9 9", "5 6"], [["9 9 9 9 9"]], phase="play")
    assert table.legal == {"place 9 natural", "discard 9"}
    table.play("place 9 natural")
    assert table.legal == {"place 9 natural"}, "the last card may not be discarded"
    table.play("place 9 natural")
    assert table.view["ended"] == "out"


def test_k11_two_canastas_completed_by_the_last_two_cards(position):
    hands = ["9 K", "5 6", "6 6", "T T"]
    table = position(hands, [[SIX, "K K K K K K"]], phase="play")
    assert table.legal == {"place 9 natural", "place K natural", "discard 9", "discard K"}
    table.play("place K natural")
    assert table.legal == {"place 9 natural"}


def test_k11_a_wild_may_complete(position):
    table = position(["9 2", "5 6"], [["9 9 9 9 9"]], phase="play")
    assert table.offers("place") == {"place 9 natural", "place 9 2"}
    assert table.play("place 9 2").legal == {"place 9 natural"}


# K11: who may not go out ---------------------------------------------------------------------------------------------


def test_k11_a_side_that_may_not_go_out_keeps_a_card(position):
    table = position(["9 4", "5 6"], [["9 9 9"]], phase="play")
    assert table.legal == {"discard 9", "discard 4"}, "it would be left with one card, to be discarded"
    table = position(["9 4 5", "5 6"], [["9 9 9"]], phase="play")
    table.play("place 9 natural")
    assert table.legal == {"discard 4", "discard 5"}
    table.play("discard 4")
    assert table.hand(0) == ["5"]


def test_k11_a_new_meld_must_leave_two_cards(position):
    assert position(["K K K 4", "5 6"], [["9 9 9"]], phase="play").offers("place") == set()
    assert position(["K K K 4 5", "5 6"], [["9 9 9"]], phase="play").offers("place") == {"place K natural"}


def test_k11_or_one_that_completes_what_is_missing(position):
    """Three kings leave a nine, the seventh."""
    table = position(["K K K 9", "5 6"], [[SIX]], phase="play")
    assert table.offers("place") == {"place K natural", "place 9 natural"}
    table.play("place K natural", "place K natural", "place K natural")
    assert table.legal == {"place 9 natural"}
    table.play("place 9 natural")
    assert table.view["ended"] == "out"


def test_k11_the_third_card_of_a_meld_looks_ahead(position):
    """The joker must stay for the nines: a king, not the joker, is the third card."""
    table = position(["K K K JK", "5 6"], [[SIX]], phase="play")
    table.play("place K natural", "place K natural")
    assert table.legal == {"place K natural"}, "the joker here would leave a king, which completes nothing"


def test_k11_a_pile_must_leave_two_cards_too(position):
    """One card in hand and nothing under the top."""
    assert position(["4", "5 6"], [["9 9 9"]], pile="9").legal == {"draw_stock"}
    assert position(["4", "5 6"], [["9 9 9"]], pile="T 9").legal == {"draw_stock", "take_pile meld"}
    assert position(["4", "5 6"], [[SIX]], pile="9").legal == {"draw_stock", "take_pile meld"}, "the seventh nine"
    assert position(["9 9 4", "5 6"], [["T T T"]], pile="9").legal == {"draw_stock"}
    assert position(["9 9 4", "5 6"], [["T T T"]], pile="4 9").legal == {"draw_stock", "take_pile pair"}


def test_k11_the_covered_card_may_be_what_completes(position):
    """Taking the pile leaves the card that lay under its top: the seventh ten, or none of use."""
    six_tens = ["T T T T T T"]
    assert position(["9 9", "5 6"], [six_tens], pile="T 9").legal == {"draw_stock", "take_pile pair"}
    assert position(["9 9", "5 6"], [six_tens], pile="4 9").legal == {"draw_stock"}
    assert position(["9 9", "5 6"], [six_tens], pile="9", beside="JK").legal == {"draw_stock", "take_pile pair"}


# K12 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threes", [3, 4])
@pytest.mark.parametrize("other", ["", "4", "7"])
def test_k12_black_threes_are_melded_going_out(position, threes, other):
    table = position([" ".join(["3b"] * threes + other.split()), "5 6"], [[NATURAL]], phase="play")
    assert "black_threes" in table.legal
    table.play("black_threes")
    assert table.melds == [NATURAL, " ".join(["3b"] * threes)]
    if other:
        assert table.legal == {f"discard {other}"} | ({"place 7 natural"} if other == "7" else set())
        table.play(f"discard {other}")
    assert (table.view["ended"], table.view["out"]) == ("out", 0)


@pytest.mark.parametrize(
    ("hand", "melds", "why"),
    [
        ("3b 3b 4", [NATURAL], "two are too few"),
        ("3b 3b 3b 4 5", [NATURAL], "two other cards are left"),
        ("3b 3b 3b 4", [SIX], "no canasta"),
        ("3b 3b 2 4", [NATURAL], "no wilds"),
    ],
)
def test_k12_and_then_only(position, hand, melds, why):
    assert "black_threes" not in position([hand, "5 6"], [melds], phase="play").legal, why


def test_k12_after_the_canasta_that_was_missing(position):
    table = position(["3b 3b 3b 9", "5 6"], [[SIX]], phase="play")
    table.play("place 9 natural", "black_threes")
    assert table.view["ended"] == "out"


def test_k12_a_red_three_may_be_the_other_card(position):
    table = position(["3b 3b 3b 3r", "5 6"], [[NATURAL]], phase="play", stock="3b 4")
    table.play("black_threes", "red_three")
    assert table.legal == {"discard 3b"}, "what came for it is discarded"


# K13 -----------------------------------------------------------------------------------------------------------------


def test_k13_the_turn_that_draws_the_last_card_is_the_last(position):
    table = position(["9 9 9 4", "5 6"], [["7 7 7"]], stock="T")
    table.play("draw_stock", "place 9 natural", "place 9 natural", "place 9 natural", "discard 4")
    assert (table.ended, table.view["ended"], table.view["out"]) == ("terminated", "stock", None)
    assert table.view["winners"] == [0]


def test_k13_a_replacement_may_be_the_last_card(position):
    table = position(["3r 4", "5 6"], stock="T J")
    table.play("draw_stock", "red_three")
    assert table.view["stock"] == []
    assert table.view["ended"] is None, "the turn goes on"
    table.play("discard 4")
    assert table.view["ended"] == "stock"


def test_k13_taking_the_pile_draws_no_card(position):
    table = position(["K K 4 5", "5 6"], [["7 7 7"]], pile="9 K", stock="T")
    table.play("take_pile pair", "discard 4")
    assert (table.view["ended"], table.view["seat"]) == (None, 1)


def test_k13_who_goes_out_in_the_last_turn_is_out(position):
    table = position(["4", "5 6"], [[NATURAL]], stock="7")
    table.play("draw_stock", "place 7 natural", "discard 4")
    assert (table.view["ended"], table.view["out"]) == ("out", 0)


def test_k13_comes_before_the_cap(canasta):
    """Of two turns each the fourth draws the last card: the hands are so large that four are left."""
    hand = "4 5 6 7 8 9 T J Q K A "
    table = canasta([f"{hand * 4} 2 2 2 2 JK JK 3r 3r".strip()] * 2, up="3b", stock="3b", max_turns=2)
    assert len(table.view["stock"]) == 3
    for _ in range(3):
        table.play("draw_stock", "discard 4")
    assert table.view["ended"] == "stock"
