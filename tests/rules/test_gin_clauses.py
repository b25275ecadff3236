"""J1-J5, and what G4 means for Gin Rummy: values by hand, on decks that deal what a clause is about."""

from __future__ import annotations

import pytest
from gin_states import CLUBS_AND_NINES, ID, LOOSE, OTHER, PLAIN, drawn, laid_off, left, melds

# J1 -----------------------------------------------------------------------------------------------------------------


def test_j1_ten_cards_each_and_one_turned_up(shuffled, packs):
    """J1, G1: two players, 52 cards, dealt one at a time from seat 0 on; one is turned, and 31 are the stock."""
    view = shuffled(ID, deck=packs[ID]).view
    assert view["hands"] == [
        "Ac 3c 5c 7c 9c Jc Kc 2d 4d 6d".split(),
        "2c 4c 6c 8c Tc Qc Ad 3d 5d 7d".split(),
    ]
    assert (view["pile"], view["stock"][:3], len(view["stock"])) == (["8d"], ["9d", "Td", "Jd"], 31)
    assert view["dealer"] == 1


@pytest.mark.parametrize("players", [1, 3])
def test_j1_two_players(shuffled, players):
    """J1: neither fewer nor more."""
    with pytest.raises(ValueError, match=rf"num_players={players}: allowed are integers from 2 to 2"):
        shuffled(ID, num_players=players)


@pytest.mark.parametrize(
    ("hand", "deadwood"),
    [
        (PLAIN, 1 + 3 + 5 + 7 + 9 + 2 + 4 + 10 + 6 + 8),
        (OTHER, 2 + 4 + 6 + 8 + 10 + 3 + 5 + 10 + 9 + 10),
        ("Ac 2c 3c Kd Qd Jd Ah Kh 8s 9s", 1 + 10 + 8 + 9),
        ("Qc Kc Ac Ad Ks 2d 4h 6h 8h 9s", 10 + 10 + 1 + 1 + 10 + 2 + 4 + 6 + 8 + 9),
        ("Tc Td Th Js Qs Ks 2c 3d 5h 7h", 2 + 3 + 5 + 7),
        ("5h 6h 7h 8h 7c 7d 7s 2c 9d Jd", 2 + 9 + 10),
    ],
)
def test_j1_points_and_the_low_ace(gin, hand, deadwood):
    """J1, J4: face cards 10, the ace 1; A-2-3 and J-Q-K are runs, Q-K-A is none; a card lies in one meld.

    The last: 5h 6h 7h 8h and 7c 7d 7s are both laid.
    """
    others = "2s 3s 4s 5s 6s 6d 3d 4d 2h 3h 4c 5c 6c 8c 8d".split()
    table = gin([hand, " ".join([card for card in others if card not in hand.split()][:10])], up="Jh")
    layout = table.u.game.observation
    row = table.u.observe("player_0")["observation"] / layout.scale
    assert round(row[layout.offset("deadwood")]) == deadwood


# J2 -----------------------------------------------------------------------------------------------------------------


def test_j2_the_non_dealer_takes_the_upcard(gin):
    """J2: it has drawn then, and discards; all know of the card in its hand."""
    table = gin([PLAIN, OTHER], up="Kh", stock="Qh")
    assert (table.view["dealer"], table.view["seat"], table.view["phase"]) == (1, 0, "upcard")
    assert table.legal == {"draw_top", "pass"}
    table.play("draw_top")
    assert (table.view["phase"], table.view["pile"], table.view["known"]) == ("discard", [], [["Kh"], []])
    assert table.legal == {f"discard {card}" for card in [*PLAIN.split(), "Kh"]}
    table.play("discard Jd")
    assert (table.view["seat"], table.view["phase"], table.view["pile"]) == (1, "draw", ["Jd"])
    assert table.legal == {"draw_stock", "draw_top"}


def test_j2_the_dealer_takes_what_the_other_has_left(gin):
    """J2: after one pass; that was the dealer's turn, and the other's is next."""
    table = gin([PLAIN, OTHER], up="Kh", stock="Qh").play("pass")
    assert (table.view["seat"], table.view["phase"], table.legal) == (1, "upcard", {"draw_top", "pass"})
    table.play("draw_top", "discard Qd")
    assert (table.view["seat"], table.view["phase"], table.view["turns"]) == (0, "draw", 1)
    assert table.legal == {"draw_stock", "draw_top"}
    assert table.view["declined"] == [["Kh"], []]


def test_j2_after_two_passes_the_non_dealer_draws_from_the_stock(gin):
    """J2: it must; the upcard lies under its discard then."""
    table = gin([PLAIN, OTHER], up="Kh", stock="Qh").play("pass", "pass")
    assert (table.view["seat"], table.view["phase"], table.legal) == (0, "draw", {"draw_stock"})
    table.play("draw_stock")
    assert "Qh" in table.view["hands"][0]
    table.play("discard Qh")
    assert (table.view["seat"], table.view["pile"], table.legal) == (1, ["Kh", "Qh"], {"draw_stock", "draw_top"})


def test_j2_the_offer_is_made_once(gin):
    """J2: from the second turn on both draw as they like, and nobody passes."""
    table = gin([PLAIN, OTHER], up="Kh", stock="Qh Jh Th").play("pass", "pass", "draw_stock", "discard Qh")
    table.play("draw_stock", "discard Jh")
    assert table.legal == {"draw_stock", "draw_top"}


# J3 -----------------------------------------------------------------------------------------------------------------


def test_j3_draw_from_the_stock_or_the_pile_then_discard(gin):
    """J3: what comes from the stock the other does not see; after the discard a hand has ten cards again."""
    table = gin([PLAIN, OTHER], up="Kh", stock="Qh Jh").play("draw_top", "discard 8s", "draw_stock")
    assert table.view["known"] == [["Kh"], []]
    table.play("discard Qd", "draw_top")
    assert (table.view["known"], table.view["pile"]) == ([["Qd", "Kh"], []], ["8s"])
    table.play("discard Kh")
    assert (table.view["known"], table.view["discarded"]) == ([["Qd"], []], [["Kh", "8s"], ["Qd"]])
    assert [len(hand) for hand in table.view["hands"]] == [10, 10]
    assert (table.view["seat"], table.view["turns"]) == (1, 3)


def test_j3_g4_the_card_just_taken_may_be_discarded(gin):
    """J3, G4: no rule forbids it, from the pile or from the stock, as often as one likes."""
    table = gin([PLAIN, OTHER], up="Kh", stock="Qh")
    table.play(*["draw_top", "discard Kh"] * 5, "draw_stock", "discard Qh")
    assert left(table) == [sorted(PLAIN.split()), sorted(OTHER.split())]
    assert table.ended is None


# J4 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "knocks"), [("Ah 2h 7s", {"knock Ks"}), ("Ah 2h 8s", set())])
def test_j4_with_ten_and_not_with_eleven(gin, cards, knocks):
    """J4: 1 + 2 + 7 is 10, 1 + 2 + 8 is 11; whoever keeps the king has more."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} {cards}", LOOSE])
    assert table.offers("knock") == knocks
    assert len(table.offers("discard")) == 11


def test_j4_any_discard_that_leaves_little_enough(gin):
    """J4: with a drawn ace 1 + 1 + 2 + 7 is 11; each of the four may go, and so may a nine: 11 + 27 - 27 stays."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 7s", LOOSE], stock="As")
    assert table.offers("knock") == {"knock As", "knock Ah", "knock 2h", "knock 7s"}


def test_j4_a_card_of_a_meld_may_be_knocked_with(gin):
    """J4: with 6c drawn there are four clubs and 10 beside them: one of the ends of the run may go, and a nine."""
    other = LOOSE.replace("6c", "6d")
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 7s", other], stock="6c")
    nines = {f"knock 9{suit}" for suit in "cdhs"}
    assert table.offers("knock") == {"knock 3c", "knock 6c", "knock Ah", "knock 2h", "knock 7s"} | nines


def test_j4_not_before_the_draw(gin):
    """J4: knocking is a discard."""
    table = gin([f"{CLUBS_AND_NINES} Ah 2h 7s", LOOSE], up="Kh", stock="Ks")
    assert not table.offers("knock")
    assert not table.play("pass", "pass").offers("knock")


@pytest.mark.parametrize(
    ("knock_card", "cards", "may"),
    [
        (0, "Ah 2h 3h", True),
        (0, "Ah 2h 2s", False),
        (5, "Ah 2h 2s", True),
        (4, "Ah 2h 2s", False),
        (1, "Th Jh Qh", True),
    ],
)
def test_j4_knock_card_is_an_option(gin, knock_card, cards, may):
    """J4: a house may ask for less; with 0 only gin ends a round."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} {cards}", LOOSE.replace("Qh", "Qs")], knock_card=knock_card)
    assert table.offers("knock") == ({"knock Ks"} if may else set())


def test_j4_gin_with_none(gin):
    """J4: nothing is left: gin, whatever the limit."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 3h", LOOSE]).play("knock Ks")
    assert (table.view["ended"], table.view["knocker"], left(table)[0]) == ("gin", 0, [])
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 3d", LOOSE.replace("3d", "3h")]).play("knock Ks")
    assert (table.view["ended"], left(table)[0]) == ("knock", ["2h", "3d", "Ah"])


@pytest.mark.parametrize(
    ("up", "limit", "cards", "may"),
    [
        ("4h", 4, "Ah 2h As", True),
        ("4h", 4, "Ah 2h 2s", False),
        ("Kh", 10, "Ah 2h 7s", True),
        ("Th", 10, "Ah 2h 8s", False),
        ("2d", 2, "5s 6s 7s", True),
        ("Ad", 0, "5s 6s 7s", True),
        ("Ad", 0, "As 2s 2h", False),
    ],
)
def test_j4_oklahoma_the_upcard_says_with_how_much(gin, up, limit, cards, may):
    """J4 [D]: its points, none for an ace, 10 for a face card; `knock_card` does not matter then."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} {cards}", LOOSE], up=up, oklahoma=True, knock_card=7)
    assert table.view["knock_limit"] == limit
    assert table.offers("knock") == ({"knock Ks"} if may else set())


# J5 -----------------------------------------------------------------------------------------------------------------


def test_j5_both_lay_their_melds(gin):
    """J5: for the least deadwood; the other, who has 2c for the clubs, has 10 + 3 + 10 left."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 7s", "2c 8c 8d 8h 4s 5s 6s Tc 3d Jd"]).play("knock Ks")
    assert melds(table, 0) == ["2c 3c 4c 5c", "9c 9d 9h 9s"]
    assert melds(table, 1) == ["4s 5s 6s", "8c 8d 8h"]
    assert left(table) == [["2h", "7s", "Ah"], ["3d", "Jd", "Tc"]]
    assert laid_off(table) == ["2c"]
    assert table.view["pile"] == ["Kh", "Ks"]


def test_j5_lay_offs_go_on_at_both_ends_of_a_run(gin):
    """J5: onto 5s 6s 7s go 8s and then 9s, 4s and then 3s; 9s would fit the nines too. 42 are left.

    2 + 5 + 7 + 10 + 10 + 8.
    """
    knocker, other = "5s 6s 7s 9c 9d 9h Kc Kd Kh Ac", "3s 4s 8s 9s 2c 5c 7d Jd Qh 8h"
    table = drawn(gin, [knocker, other], up="Jh", stock="Qs").play("knock Qs")
    assert melds(table, 0) == ["3s 4s 5s 6s 7s 8s 9s", "9c 9d 9h", "Kc Kd Kh"]
    assert laid_off(table) == ["3s", "4s", "8s", "9s"]
    assert left(table) == [["Ac"], ["2c", "5c", "7d", "8h", "Jd", "Qh"]]
    assert table.view["scores"] == [41, 0]


def test_j5_a_chain_that_is_broken_ends(gin):
    """J5: 8s is missing, so 9s and Ts stay: 9 + 10 + 2 + 5 + 7 + 10 + 10 + 8 + 4 + 6 are left."""
    knocker, other = "5s 6s 7s 9c 9d Qc Kc Kd Kh Ac", "Ts Js 2c 5c 7d Jd 8h 4d 3h 6h"
    table = drawn(gin, [knocker, other], up="Jh", stock="9h").play("knock Qc")
    assert laid_off(table) == []
    assert left(table)[1] == sorted(other.split())


def test_j5_the_fourth_card_goes_on_a_set(gin):
    """J5: 9s and Ks; 2 + 5 + 7 + 10 + 10 + 8 + 6 + 4 = 52 are left, against 1."""
    knocker, other = "2s 3s 4s 9c 9d 9h Kc Kd Kh Ac", "9s Ks 2c 5c 7d Jd Qh 8h 6h 4d"
    table = drawn(gin, [knocker, other], up="Jh", stock="Qs").play("knock Qs")
    assert melds(table, 0) == ["2s 3s 4s", "9c 9d 9h 9s", "Kc Kd Kh Ks"]
    assert laid_off(table) == ["9s", "Ks"]
    assert table.view["scores"] == [51, 0]


def test_j5_the_other_keeps_a_set_where_that_leaves_less(gin):
    """J5: 8s fits 5s 6s 7s and so would 9s after it, but then 8c and 8d are left: 16, not 9."""
    knocker, other = "5s 6s 7s 4c 4d 4h Kc Kd Kh Ac", "8s 9s 8c 8d Ts 2c 2d 2h Jd Qh"
    table = drawn(gin, [knocker, other.replace("Ts", "Tc")], up="Jh", stock="Qs").play("knock Qs")
    assert melds(table, 1) == ["2c 2d 2h", "8c 8d 8s"]
    assert left(table)[1] == ["9s", "Jd", "Qh", "Tc"]


def test_j5_a_card_of_four_is_laid_off_where_more_can_follow(gin):
    """J5: of four eights the spade goes on 5s 6s 7s, and 9s after it; the other three are a set."""
    knocker, other = "5s 6s 7s 4c 4d 4h Kc Kd Kh Ac", "8s 9s 8c 8d 8h 2c 3d 6h Jd Qh"
    table = drawn(gin, [knocker, other], up="Jh", stock="Qs").play("knock Qs")
    assert melds(table, 1) == ["8c 8d 8h"]
    assert laid_off(table) == ["8s", "9s"]
    assert left(table)[1] == ["2c", "3d", "6h", "Jd", "Qh"]


def test_j5_nothing_is_laid_off_on_gin(gin):
    """J5: 2c, 6c and Tc fit, and stay: the other has all its 69 points."""
    table = drawn(gin, ["3c 4c 5c 9c 9d 9h 9s Th Td Ts", LOOSE], up="Kh", stock="Ks").play("knock Ks")
    assert table.view["ended"] == "gin"
    assert laid_off(table) == []
    assert left(table)[1] == sorted(LOOSE.split())
    assert table.view["scores"] == [69 + 25, 0]


def test_j5_on_a_knock_the_same_cards_are_laid_off(gin):
    """J5: with 2 left to the knocker 2c and 6c go on the clubs, Tc on the tens: 69 - 18 are left, against 2."""
    table = drawn(gin, ["3c 4c 5c 9d 9h 9s Th Td Ts 2h", LOOSE], up="Kh", stock="Ks").play("knock Ks")
    assert laid_off(table) == ["2c", "6c", "Tc"]
    assert table.view["scores"] == [51 - 2, 0]


def test_j5_of_equal_ways_the_knocker_lays_what_is_harder_to_lay_off_on(gin):
    """J5 [D]: 4 5 6 in three suits are sets, which three cards fit; six would fit the runs, 7c among them."""
    table = drawn(gin, ["4c 5c 6c 4d 5d 6d 4h 5h 6h Ac", "7c 7d 2h 9c 9d Tc Jc Qd Kd 2s"]).play("knock Ks")
    assert melds(table, 0) == ["4c 4d 4h", "5c 5d 5h", "6c 6d 6h"]
    assert laid_off(table) == []
