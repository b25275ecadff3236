"""The bot `expert` of Rummy, Cachons and Number Cachons: what each of its weights is for, on decks dealt by hand.

What `greedy` does is asked where the two differ.
"""

from __future__ import annotations

import pytest

# What is held back ----------------------------------------------------------------------------------------------------


def test_hold_a_meld_stays_in_the_hand_until_others_are_nearly_out(rummy):
    """Nobody lays off on what is not on the table. Three cards of another are alarm enough for thirty points."""
    table = rummy(["Tc Td Th Ks 4d 6c", "2c 2d 2h 9s Jd 4c"], up="8h", stock="Ac 5s Qh").play("draw_stock")
    assert table.choice("greedy") == "set T"
    assert table.choice("expert") == "discard Ks"
    table.play("discard Ks", "draw_stock").lay_set("2", "cdh").play("discard Jd", "draw_stock")
    assert table.choice("expert") == "set T"


def test_hold_who_can_go_out_lays_all(rummy):
    """R6: one card is left for the discard."""
    table = rummy(["7c 7d 7h", "2c 3d 9h"], up="8h", stock="Ks").play("draw_stock")
    assert table.choice("expert") == "set 7"
    table.lay_set("7", "cdh")
    assert table.choice("expert") == "discard Ks"


def test_hold_in_number_cachons_nothing_is_held_back(numbers):
    """N14: points on the table count."""
    table = numbers(["b3 g3 r3 y9 b12 g6", "b1 b2 g8 r5 y7 y11"], up="r8", stock="g1").play("draw_stock")
    assert table.choice("expert") == "set 3"


def test_of_a_run_and_a_set_that_share_a_card_the_way_that_leaves_less_is_taken(rummy):
    """With the sevens 5c and 6c would be left, and the round go on; with the run 7d and 7h are melded with 7s."""
    table = rummy(["5c 6c 7c 7d 7h 7s", "2c 2d 2h 9s Jd 4h"], up="8h", stock="Kh").play("draw_stock")
    assert table.choice("greedy") == "set 7"
    assert table.choice("expert") == "run 5c"


# Cachons: a run of the other seat lies on the table, and one of the own where `opened` -------------------------------


@pytest.fixture(scope="session")
def opened(cachons):
    """Seat 0 has opened with clubs and is to play with these cards; seat 1 has ten."""

    def build(run, rest, drawn):
        own = f"{run} {rest}"
        other = "3d 5d 8d Td Qd 3s 5s 7s 9s Js".split()[: len(own.split())]
        table = cachons([own, " ".join(other)], up="Ks", stock=drawn).play("draw_stock")
        return table.lay_run(run.split()[0], "natural " * 5)

    return build


def test_a_wild_that_rids_the_hand_of_nothing_but_itself_stays(opened):
    """It can be laid off any time, or serve for two cards later."""
    table = opened("4c 5c 6c 7c 8c", "2 Kd 9h 5s", "3h")
    assert table.choice("greedy").split()[0] == "lay_off_run"
    assert table.choice("expert").split()[0] == "discard"


def test_a_wild_leads_to_a_card_beyond_the_runs_end(opened):
    """C10: 9c by the wild, then Tc, and the round is won with the king."""
    table = opened("4c 5c 6c 7c 8c", "2 Tc", "Kd")
    assert table.choice("expert") == "lay_off_run 9c above"
    table.play("lay_off_run 9c above", "fill 2", "lay_off_run Tc above")
    assert table.choice("expert") == "discard Kd"


# Discards -------------------------------------------------------------------------------------------------------------


def test_card_no_card_of_a_meld_goes(rummy):
    """The tens are dearest, but they are a meld; the ace is cheapest, and no part of any."""
    table = rummy(["Tc Td Th 2s 3s Ah", "4c 4d 6h 9s Jd Kc"], up="8h", stock="3d").play("draw_stock")
    assert table.choice("expert") == "discard Ah"


def test_pair_of_which_fewest_can_come_goes(rummy):
    """One eight is left, of fours and jacks two each; greedy goes by points."""
    table = rummy(["8c 8d 4h 4s Jc", "2c 3d 6h 9s Kd"], up="8h", stock="Js").play("draw_stock")
    assert table.choice("greedy") == "discard Jc"
    assert table.choice("expert") in ("discard 8c", "discard 8d")


def test_near_the_card_with_fewest_neighbours_goes(numbers):
    """N6: a one has them on one side only. Both count five points."""
    table = numbers(["b6 g1 r9 y9 r3 y3", "b12 b10 g8 r5 y7 y11"], up="r8", stock="g3").play("draw_stock")
    table.lay_set("3", "gry")
    assert table.choice("greedy") == "discard b6"
    assert table.choice("expert") == "discard g1"


@pytest.mark.parametrize(("known", "action"), [((), "discard Kh"), (("Kc", "Kd"), "discard 5s")])
def test_danger_what_the_next_seat_would_meld_stays(rummy, known, action):
    """It took two kings from the pile in the open."""
    table = rummy(["Kh 5s 8c", "Kc Kd 2s"], up="4h", stock="8d").play("draw_stock")
    for card in known:
        table.u._games["known"][0, 1, table.u.game.pack.labels.index(card)] = 1
    table.u._refresh()
    assert table.choice("expert") == action


def test_late_points_weigh_when_others_are_nearly_out(rummy):
    """With eight cards to come the ace, which is of least use, goes; with two the six does."""
    far = rummy(["Tc Td Jc Jd Kc Kd Ac 6h", "3c 4d 5s 7s 8d 9h Qh 2s"], up="8h", stock="2h").play("draw_stock")
    assert far.choice("expert") == "discard Ac"
    near = rummy(["Ac 6h", "3c 4d"], up="8h", stock="2h").play("draw_stock")
    assert near.choice("expert") == "discard 6h"


@pytest.mark.parametrize(("laid", "action"), [("3h 4h 5h 6h 7h", "discard 8s"), ("9d Td Jd Qd Kd", "discard 8h")])
def test_gift_a_card_that_fits_the_table_stays(cachons, laid, action):
    """Seat 0 has not opened and cannot lay it off; the next seat would, though fewer cards are left that go with 8h."""
    hands = ["5c 6c 7c 8c 8h 8s", f"{laid} Ks"]
    table = cachons(hands, up="Ad", stock="Kh Jd 4d").play("draw_stock", "discard Kh", "draw_stock")
    table.lay_run(laid.split()[0], "natural " * 5).play("discard Ks", "draw_stock")
    assert table.choice("expert") == action


def test_points_of_two_cards_of_no_use_the_dearer_goes(cachons):
    """C5: an ace is 20, a three 5; both have neighbours on one side only."""
    table = cachons(["5c 6c 7c 8c 3d Ah", "4d 4h 9s 9d Js Qh"], up="Kd", stock="3s").play("draw_stock")
    assert table.choice("expert") == "discard Ah"


def test_missing_four_cards_of_a_first_run_stay_together(cachons):
    """C8. In another order of things the kings, a pair of no use here, would be as good."""
    table = cachons(["4c 5c 7c 8c Kd Kh", "4d 4h 9s 9d Js Qh"], up="3d", stock="Qs").play("draw_stock")
    assert table.choice("expert") in ("discard Kd", "discard Kh", "discard Qs")


def test_opening_what_leaves_most_cards_to_begin_with_stays(cachons):
    """C8: 4-7 lacks 3c or 8c. With 9c and without 4c it would lack 8c alone."""
    table = cachons(["4c 5c 6c 9c", "4d 4h 9s 9d"], up="3d", stock="7c").play("draw_stock")
    assert table.choice("expert") == "discard 9c"


# Draws ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("up", "action"), [("8h", "draw_top"), ("3s", "draw_stock"), ("Qd", "draw_stock")])
def test_stock_the_top_must_bring_more_than_a_card_unseen(rummy, up, action):
    """A third eight is a meld; a second three would wait for two others, and what comes unseen may do as much."""
    assert rummy(["8c 8d Ks 3h", "2c 4d 6h 9s"], up=up).choice("expert") == action


def test_pile_of_cachons_is_taken_when_it_opens(cachons):
    """C7, C8: 9c lies under the top; greedy never takes the pile."""
    hands = ["5c 6c 7c 8c Qd Ks", "3d 5d 8d Td Qs 3s"]
    table = cachons(hands, up="9c", stock="Th 4h").play("draw_stock", "discard Th", "draw_stock", "discard 4h")
    assert table.choice("greedy") == "draw_stock"
    assert table.choice("expert") == "draw_pile"
    table = cachons(hands, up="Jh", stock="Th 4h").play("draw_stock", "discard Th", "draw_stock", "discard 4h")
    assert table.choice("expert") != "draw_pile"


@pytest.mark.parametrize(("up", "action"), [("b6", "draw_pile"), ("r12", "draw_stock")])
def test_pile_of_number_cachons_is_taken_for_a_new_meld_only(numbers, up, action):
    """N5."""
    assert numbers(["b4 b5 g9 r11 y1 y12", "b1 b2 g8 r5 y7 y11"], up=up).choice("expert") == action


# What is said ---------------------------------------------------------------------------------------------------------


def test_a_last_card_is_announced(numbers):
    """N12."""
    table = numbers(["b3 g3 r3 y9", "b1 b2 g8 r5"], up="r8", stock="g1").play("draw_stock")
    table.lay_set("3", "bgr").play("discard g1")
    assert table.choice("expert") == "announce"
