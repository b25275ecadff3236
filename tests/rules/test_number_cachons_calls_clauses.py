"""N10, N12, X1, X2: knocks and last cards."""

from __future__ import annotations

import pytest

ID = "number_cachons_v0"
HANDS = ["b1 b2 b3 r9 r11", "y1 y2 y3 g8 r12", "g5 g6 g7 b9 b11"]


def knock(numbers, discarder=True, other=True, **options):
    """Seat 2 has g5-g7 on the table; seat 1 is about to discard g8, with r12 and y9 left; seat 0 may have melded."""
    table = numbers(HANDS, up="y12", stock="r1 r4 r7 y6 y9", **{"claim_order": "seat", **options})
    table.play("draw_stock")
    table = (table.lay_run("b1") if other else table).play("discard r1", "draw_stock")
    table = (table.lay_run("y1") if discarder else table).play("discard r4", "draw_stock")
    return table.lay_run("g5").play("discard r7", "draw_stock", "discard y6", "draw_stock")


# N10 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("discarder", "other", "claimants"),
    [(True, True, [2, 0]), (True, False, [2]), (False, True, []), (False, False, [])],
)
def test_n10_only_those_who_have_melded_knock_and_only_after_one_who_has(numbers, discarder, other, claimants):
    """N10: seat 2 has melded in all four cases; the discarder, seat 1, and seat 0 have or have not."""
    table = knock(numbers, discarder, other).play("discard g8")
    assert table.view["claimants"] == claimants
    assert (table.view["phase"], table.view["turn"]) == (("claim", 1) if claimants else ("draw", 2))


def test_n10_nobody_else_has_melded(numbers):
    """N10: of two players only the discarder has."""
    table = numbers(["g5 g6 g7 g8 r1", "b1 b3 b5 y7 y9"], up="y12", stock="r3").play("draw_stock").lay_run("g5")
    table.play("discard g8")
    assert (table.view["phase"], table.view["seat"]) == ("draw", 1)


def test_n10_the_card_goes_to_the_hand(numbers):
    """N10: it is not laid out of turn; it leaves the pile, and all know where it is."""
    table = knock(numbers).play("discard g8")
    assert table.legal == {"claim", "pass"}
    table.play("pass", "claim")
    assert table.hand(0) == ["g8", "r11", "r9"]
    assert table.melds[2] == "g5 g6 g7"
    assert (table.view["pile"], table.view["known"][0]) == (["y12", "r1", "r4", "r7", "y6"], ["g8"])
    assert (table.view["phase"], table.view["seat"], table.view["table_points"]) == ("draw", 2, [15, 15, 15])


def test_n10_it_may_be_laid_off_in_the_own_turn(numbers):
    """N10, N7: 10 points for the eight."""
    table = knock(numbers).play("discard g8", "claim", "draw_stock", "lay_off_run g8 above")
    assert table.view["table_points"] == [15, 15, 25]


@pytest.mark.parametrize(("card", "fits"), [("g8", True), ("r12", False)])
def test_n10_only_a_card_that_fits(numbers, card, fits):
    """N10: r12 fits no run."""
    assert (knock(numbers).play(f"discard {card}").view["phase"] == "claim") is fits


@pytest.mark.parametrize(("card", "fits"), [("r2", True), ("y2", True), ("r3", False)])
def test_n10_a_set_takes_any_card_of_its_number(numbers, card, fits):
    """N10, N6: on b2 g2 r2 also a second r2."""
    hands = [f"b2 g2 r2 {card} b9 b11", "g5 g6 g7 y9 y11 r12"]
    table = numbers(hands, up="y12", stock="r8 r9 r10 b8").play("draw_stock", "discard r8", "draw_stock")
    table.lay_run("g5").play("discard r9", "draw_stock").lay_set("2", "bgr").play(f"discard {card}")
    assert (table.view["phase"] == "claim") is fits


def test_n10_when_all_pass_the_card_stays(numbers):
    """N10: the next seat may take it with the pile."""
    table = knock(numbers).play("discard g8", "pass", "pass")
    assert (table.view["phase"], table.view["seat"], table.view["pile"][-1]) == ("draw", 2, "g8")


def test_n10_melding_in_the_same_turn_is_having_melded(numbers):
    """N10: the discarder's first meld was in this very turn."""
    table = knock(numbers, discarder=False)
    assert table.clone().play("discard g8").view["phase"] == "draw"
    assert table.lay_run("y1").play("discard g8").view["claimants"] == [2, 0]


# X1, X2 --------------------------------------------------------------------------------------------------------------


def test_x1_the_order_is_drawn_at_random(numbers):
    """X1: of the two who may knock each is first about as often (200 seeds; a standard deviation is 7)."""
    first = [knock(numbers, seed=s, claim_order="random").play("discard g8").view["claimants"] for s in range(200)]
    assert {tuple(order) for order in first} == {(0, 2), (2, 0)}
    assert 60 < first.count([0, 2]) < 140


def test_x1_the_first_to_knock_gets_it(numbers):
    """X1: nobody is asked after that, and the seat after the discarder has its turn."""
    table = knock(numbers).play("discard g8", "claim")
    assert (table.view["claimants"], table.view["seat"], table.view["phase"]) == ([], 2, "draw")
    assert "g8" in table.hand(2)


def test_x2_nobody_knocks_for_the_discard_that_ends_the_round(numbers):
    """X2: g9 would fit on g5-g8, and seat 1 has melded."""
    table = numbers(["g5 g6 g7 g9", "b1 b2 b3 y9"], up="y12", stock="y5 y11 g8")
    table.play("draw_stock").lay_run("g5").play("discard y5", "announce", "draw_stock").lay_run("b1")
    table.play("discard y11", "announce", "draw_stock", "lay_off_run g8 above", "discard g9")
    assert (table.view["ended"], table.view["out"], table.view["claimants"]) == ("out", 0, [])


# N12 -----------------------------------------------------------------------------------------------------------------


def one_left(numbers, **options):
    """Seat 0 has laid g5-g7 and discarded r4: r1 is left."""
    table = numbers(["g5 g6 g7 r1", "b1 b2 b3 y9"], up="y12", stock="r4 r6 r8", **options)
    return table.play("draw_stock").lay_run("g5").play("discard r4")


def test_n12_who_has_one_card_left_is_asked(numbers):
    """N12: right after the discard."""
    table = one_left(numbers)
    assert (table.view["phase"], table.view["seat"], table.view["turn"]) == ("announce", 0, 0)
    assert table.legal == {"announce", "stay_silent"}


def test_n12_who_says_it_draws_nothing(numbers):
    """N12: the next seat has its turn."""
    table = one_left(numbers).play("announce")
    assert (table.hand(0), table.view["seat"], table.view["phase"]) == (["r1"], 1, "draw")


def test_n12_who_is_silent_draws_a_penalty_card(numbers):
    """N12: the next card of the stock, r6, which the others do not see."""
    table = one_left(numbers).play("stay_silent")
    assert (table.hand(0), table.view["known"][0], table.view["stock"][0]) == (["r1", "r6"], [], "r8")
    assert (table.view["seat"], table.view["phase"]) == (1, "draw")


def test_n12_it_is_asked_each_time(numbers):
    """N12: seat 0 draws and discards again with one card left."""
    table = one_left(numbers).play("announce", "draw_stock", "discard r6", "draw_stock", "discard r8")
    assert (table.view["phase"], table.view["seat"]) == ("announce", 0)


def test_n12_two_cards_left_are_not_announced(numbers):
    """N12: nor is a card that is left in the middle of a turn."""
    table = numbers(["g5 g6 g7 r1 r2", "b1 b2 b3 y9 y10"], up="y12", stock="r4").play("draw_stock").lay_run("g5")
    assert table.play("discard r4").view["phase"] == "draw"
    table = numbers(["g5 g6 g7", "b1 b2 b3"], up="y12", stock="r4").play("draw_stock").lay_run("g5")
    assert (table.view["phase"], table.hand(0)) == ("play", ["r4"])


def test_n12_auto_always_says_it(numbers):
    """N12: nothing is asked, and there are no such actions."""
    table = one_left(numbers, announce="auto")
    assert (table.hand(0), table.view["seat"], table.view["phase"]) == (["r1"], 1, "draw")
    with pytest.raises(ValueError, match="no action"):
        table.u.action_id("announce")


@pytest.mark.parametrize(("word", "left"), [("announce", ["r12"]), ("stay_silent", ["b8", "r12"])])
def test_n12_it_is_asked_before_any_knock(numbers, word, left):
    """N12: seat 1 lays off y4 and discards g8, with r12 left; the knock comes after the penalty card."""
    table = numbers(HANDS, up="y12", stock="r1 r4 r7 y6 y4 b8", claim_order="seat")
    table.play("draw_stock").lay_run("b1").play("discard r1", "draw_stock").lay_run("y1").play("discard r4")
    table.play("draw_stock").lay_run("g5").play("discard r7", "draw_stock", "discard y6", "draw_stock")
    table.play("lay_off_run y4 above", "discard g8")
    assert (table.view["phase"], table.view["seat"]) == ("announce", 1)
    table.play(word)
    assert (table.view["phase"], table.view["claimants"]) == ("claim", [2, 0])
    assert table.hand(1) == left
    assert "g8" in table.play("claim").hand(2)


def eight_seats(shuffled):
    """36 cards dealt to eight, four each, r12 turned and three left: seat 2 draws the last one, with g1-g3 in hand."""
    pack = [f"{colour}{number}" for colour in "bgr" for number in range(1, 13)]
    third, last = "g1 g2 g3 r1".split(), ["r12", "b4", "b6", "b8"]
    rest = [card for card in pack if card not in (*third, *last)]
    rows = [rest[7 * i : 7 * i + 7] for i in range(4)]
    deck = [card for i, others in enumerate(rows) for card in (*others[:2], third[i], *others[2:])]
    table = shuffled(ID, deck=[*deck, *last], num_players=8, hand_size=4, colours=3, copies=1)
    table.play("draw_stock", "discard b4", "draw_stock", "discard b6", "draw_stock").lay_run("g1")
    return table.play("discard b8")


def test_n12_the_penalty_card_comes_from_a_stock_made_anew(shuffled):
    """N12, G2: of the pile r12 b4 b6 b8 the first three are shuffled; the discard stays on top."""
    table = eight_seats(shuffled)
    assert (table.view["stock"], table.view["pile"]) == ([], ["r12", "b4", "b6", "b8"])
    table.play("stay_silent")
    assert table.view["pile"] == ["b8"]
    assert len(table.view["stock"]) == 2
    assert sorted([*table.hand(2), *table.view["stock"]]) == ["b4", "b6", "r1", "r12"]


def test_n12_saying_it_makes_no_new_stock(shuffled):
    """N12, G2: nobody draws."""
    table = eight_seats(shuffled).play("announce")
    assert (table.view["stock"], table.view["pile"]) == ([], ["r12", "b4", "b6", "b8"])


def test_n12_no_card_can_be_had_no_penalty(shuffled):
    """N12: no stock was left of 36 cards, and the discard is the only card of the pile."""
    pack = [f"{colour}{number}" for colour in "bgr" for number in range(1, 13)]
    first = "b1 b2 b3 g1 g2 g3 r12".split()
    rest = [card for card in pack if card not in (*first, "r11")]
    deck = [card for i in range(7) for card in (first[i], *rest[4 * i : 4 * i + 4])]
    table = shuffled(ID, deck=[*deck, "r11"], num_players=5, hand_size=7, colours=3, copies=1)
    table.play("draw_pile").lay_run("b1").lay_run("g1").play("discard r12")
    assert table.view["phase"] == "announce"
    table.play("stay_silent")
    assert (table.hand(0), table.view["pile"], table.view["stock"]) == (["r11"], ["r12"], [])
    assert (table.view["seat"], table.view["phase"]) == (1, "draw")


def test_n12_the_last_turn_before_the_cap_is_announced(numbers):
    """N12, G3: the turn is played to its end, its penalty card included: b1-b3 are 15 points, y9 and r8 are 20."""
    table = one_left(numbers, max_turns=1).play("announce", "draw_stock").lay_run("b1").play("discard r6")
    assert (table.ended, table.view["phase"]) == (None, "announce")
    table.play("stay_silent")
    assert table.ended == "truncated"
    assert table.view["scores"] == [15 - 5, 15 - 20]
