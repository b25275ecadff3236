"""Canasta K14 and K15: what a round is worth, counted by hand, and how a match is won; G4 and G5 with sides."""

from __future__ import annotations

import pytest

NATURAL = "7 7 7 7 7 7 7"
"""A natural canasta: 35 and 500."""


def over(position, melds, hands=("4", "5 6"), red=(), stock=None):
    """The round that the discard of a four ends: it goes out, or a stock of one card is drawn before it."""
    if stock is None:
        return position(list(hands), melds, phase="play", red=red).play("discard 4").view
    table = position(list(hands), melds, red=red, stock=stock)
    return table.play("draw_stock", "discard 4").view


# K14: cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("JK", 50), ("2", 20), ("A", 20), ("K", 10), ("Q", 10), ("J", 10), ("T", 10), ("9", 10), ("8", 10), ("7", 5),
        ("6", 5), ("5", 5), ("4", 5), ("3b", 5), ("3r", 100), ("JK 2 A K 4 3b 3r", 210), ("5 6", 10),
    ],
)  # fmt: skip
def test_k14_cards_in_hand_count_against_their_holder(position, cards, points):
    assert over(position, [[NATURAL]], hands=("4", cards))["round_scores"] == [35 + 500 + 100, -points]


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("4 4 4", 15),
        ("K K K 2", 50),
        ("A A JK", 90),
        ("A A A A A A", 120),
        ("8 8 8 8 2 2", 80),
        ("K K K K K K K", 70 + 500),
        ("A A A A A A A A", 160 + 500),
        ("9 9 9 9 9 9 2", 80 + 300),
        ("9 9 9 9 2 2 JK", 130 + 300),
        ("Q Q Q Q Q Q Q Q 2 2 2 JK JK JK JK", 80 + 60 + 200 + 300),
    ],
)
def test_k14_melds_count_for_the_side_and_canastas_more(position, meld, points):
    assert over(position, [[NATURAL], [meld]])["round_scores"] == [635, points - 10]


def test_k14_black_threes_on_the_table(position):
    table = position(["3b 3b 3b 3b", "5 6"], [[NATURAL]], phase="play").play("black_threes")
    assert table.view["round_scores"] == [635 + 20, -10]


def test_k14_going_out_is_worth_100(position):
    assert over(position, [[NATURAL]])["round_scores"] == [35 + 500 + 100, -10]
    assert over(position, [[NATURAL]], stock="J")["round_scores"] == [35 + 500 - 10, -10]


def test_k14_partners_have_the_points_of_their_side(position):
    hands = ("4", "5 6", "K A", "3r 2")
    view = over(position, [[NATURAL, "9 9 9 9 9 9 2"], ["Q Q Q"]], hands=hands)
    ours, theirs = 535 + 380 + 100 - 30, 30 - 10 - 120
    assert view["round_scores"] == [ours, theirs, ours, theirs]
    assert view["winners"] == [0, 2]


# K14: red threes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("laid", "points"), [(0, 0), (1, 100), (2, 200), (3, 300), (4, 800)])
@pytest.mark.parametrize("stock", [None, "J"], ids=["out", "stock empty"])
def test_k14_red_threes_of_a_side_that_has_opened(position, laid, points, stock):
    view = over(position, [[NATURAL], ["Q Q Q"]], red=[0, laid], stock=stock)
    assert view["round_scores"][1] == 30 - 10 + points


@pytest.mark.parametrize(("laid", "points"), [(0, 0), (1, -200), (2, -400), (3, -600), (4, -1600)])
def test_k14_red_threes_of_a_side_that_had_not_opened_when_somebody_went_out(position, laid, points):
    assert over(position, [[NATURAL]], red=[0, laid])["round_scores"][1] == -10 + points


@pytest.mark.parametrize(("laid", "points"), [(0, 0), (1, 100), (3, 300), (4, 800)])
def test_k14_red_threes_of_a_side_that_had_not_opened_when_the_stock_ran_out(position, laid, points):
    assert over(position, [[NATURAL]], red=[0, laid], stock="J")["round_scores"][1] == -10 + points


def test_k14_a_red_three_kept_in_hand_counts_against_the_side_and_does_not_make_four(position):
    assert over(position, [[NATURAL], ["Q Q Q"]], hands=("4", "3r"), red=[0, 3])["round_scores"][1] == 30 + 300 - 100


def test_k14_who_goes_out_has_red_threes_too(position):
    assert over(position, [[NATURAL]], red=[4, 0])["round_scores"][0] == 635 + 800


# A whole round -------------------------------------------------------------------------------------------------------


def test_k14_a_whole_round_counted_by_hand(canasta):
    """Two players, the deck stacked, every card laid by name.

    player_0: eight aces 160, natural canasta 500, red three 100, going out 100: 860.
    player_1: K K K 2 50 and Q Q Q 30, less the four in hand 5: 75.
    """
    table = canasta(["A A A A A A K 3r", "K K K Q Q 2 4 4"], up="7", stock="A 9 Q A")
    table.play("draw_stock", "red_three", *["place A natural"] * 7)
    assert table.view["canastas"] == [1, 0]
    table.play("discard 9")
    table.play("draw_stock", *["place K natural"] * 3, "place K 2", *["place Q natural"] * 3, "discard 4")
    table.play("draw_stock", "place A natural", "discard K")
    assert table.ended == "terminated"
    assert table.view["melds"] == [
        {"kind": "meld", "side": 0, "rank": "A", "cards": ["A"] * 8, "canasta": "natural"},
        {"kind": "meld", "side": 1, "rank": "Q", "cards": ["Q"] * 3, "canasta": None},
        {"kind": "meld", "side": 1, "rank": "K", "cards": ["K", "K", "K", "2"], "canasta": None},
    ]
    assert table.view["round_scores"] == [860, 75]
    assert table.view["winners"] == [0]
    assert table.rewards == pytest.approx([785 / 500, -785 / 500])


def test_k14_a_whole_round_of_partners_counted_by_hand(canasta):
    """One canasta is asked for; player_2 goes out on what player_0 began.

    Seats 0 and 2: seven aces 140, joker 50, mixed canasta 300, going out 100, less the kings of player_0 20: 570.
    Seats 1 and 3 never opened: their red three -200, less 9 9 8 T T 50 and J J 8 8 8 50: -300.
    """
    hands = ["A A A 5 K", "3r 9 9 6 8", "A A A JK Q", "J J 8 8 9"]
    table = canasta(hands, up="4", stock="4 T T 7 8 K 6 A", canastas=1)
    table.play("draw_stock", *["place A natural"] * 3, "discard 4")
    table.play("draw_stock", "red_three", "discard 6")
    table.play("draw_stock", *["place A natural"] * 3, "place A JK", "discard 7")
    table.play("draw_stock", "discard 9", "draw_stock", "discard 5", "draw_stock", "discard 6")
    table.play("draw_stock", "place A natural", "discard Q")
    assert (table.view["ended"], table.view["out"], table.view["winners"]) == ("out", 2, [0, 2])
    assert table.view["round_scores"] == [570, -300, 570, -300]
    assert table.rewards == pytest.approx([1.74, -1.74, 1.74, -1.74])


# Rewards, G4 ---------------------------------------------------------------------------------------------------------


def test_rewards_are_by_side_and_sum_to_nothing(position):
    hands = ["4", "5 6", "K A", "3r 2"]
    table = position(hands, [[NATURAL, "9 9 9 9 9 9 2"], ["Q Q Q"]], phase="play").play("discard 4")
    margin = (985 - -100) / 500
    assert table.rewards == pytest.approx([margin, -margin, margin, -margin])
    table = position(hands, [[NATURAL, "9 9 9 9 9 9 2"]], phase="play", options={"reward": "win"}).play("discard 4")
    assert table.rewards == [1, -1, 1, -1]


def test_rewards_singly_are_against_the_mean_of_the_others(position):
    table = position(["4", "5 6", "K"], [[NATURAL]], phase="play").play("discard 4")
    assert table.view["round_scores"] == [635, -10, -10]
    assert table.rewards == pytest.approx([645 / 500, -322.5 / 500, -322.5 / 500])


def test_g4_the_best_score_wins_and_not_who_goes_out(position):
    view = over(position, [["7 7 7 7 2 2 JK"], [NATURAL.replace("7", "K"), "A A A A A A A A"]], hands=("4", "5 6"))
    assert view["out"] == 0
    assert view["winners"] == [1]


def test_g4_tied_winners_share(position):
    table = position(["4 K", "K K", "6"], [["7 7 7"], ["7 7 7"], []], stock="5", options={"reward": "win"})
    table.play("draw_stock", "discard 5")
    assert table.view["round_scores"] == [0, -5, -5]
    assert table.rewards == [1, -0.5, -0.5]
    table = position(["4 K", "5 K", "A A"], stock="9", options={"reward": "win"})
    table.play("draw_stock", "discard 9")
    assert table.view["winners"] == [0, 1]
    assert table.rewards == pytest.approx([0.25, 0.25, -0.5])


# K15, G5 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "ended"), [(4360, None), (4365, "terminated"), (4370, "terminated")])
def test_k15_the_first_side_to_5000_wins(position, before, ended):
    """The round brings 635."""
    table = position(["4", "5 6"], [[NATURAL]], phase="play", totals=[before, 0], options={"match": True})
    table.play("discard 4")
    assert table.ended == ended
    assert table.view["scores"] == [before + 635, -10]
    assert table.view["winners"] == ([0] if ended else [])


def test_k15_of_several_the_highest(position):
    hands = ["4", "5 6", "K", "9"]
    melds = [[NATURAL, "9 9 9 9 9 9 2"], ["Q Q Q"]]
    table = position(hands, melds, phase="play", totals=[4200, 5600], options={"match": True}).play("discard 4")
    assert table.view["side_scores"] == [4200 + 1005, 5600 + 10]
    assert table.view["winners"] == [1, 3]


def test_k15_tied_sides_share(position):
    table = position(["4", "5 6"], [[NATURAL]], phase="play", totals=[4400, 5045], options={"match": True})
    table.play("discard 4")
    assert table.view["scores"] == [5035, 5035]
    assert table.view["winners"] == [0, 1]


def test_g5_thresholds_follow_the_score_into_the_next_round(position):
    """K6: 1500 and below 0 after a round that brings 635 and -10."""
    table = position(["4", "5 6"], [[NATURAL]], phase="play", totals=[865, 5], options={"match": True}).play(
        "discard 4"
    )
    view = table.view
    assert (view["round"], view["side_scores"], view["minimum"]) == (1, [1500, -5], [90, 15])
    assert (view["dealer"], view["seat"]) == (0, 1)
    assert view["melds"] == []
    assert [len(hand) for hand in view["hands"]] == [13, 13]
    assert table.rewards == pytest.approx([645 / 500, -645 / 500])


def test_g3_a_match_that_nobody_wins_is_truncated(position):
    table = position(["4", "5 6"], [[NATURAL]], phase="play", options={"match": True, "max_rounds": 1}).play(
        "discard 4"
    )
    assert (table.ended, table.view["winners"]) == ("truncated", [])
