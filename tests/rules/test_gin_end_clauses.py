"""J6-J8, and what G1 and G3 mean for Gin Rummy: how rounds and matches end, and what they pay."""

from __future__ import annotations

import pytest
from gin_states import CLUBS_AND_NINES, LOOSE, OTHER, PLAIN, discard_in_turn, drawn, laid_off, left

# J6 -----------------------------------------------------------------------------------------------------------------


def test_j6_the_knocker_wins_the_difference(gin):
    """J6: 61 against 10 are 51 points, 2.04 units of reward."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 7s", LOOSE]).play("knock Ks")
    assert laid_off(table) == ["2c", "6c"]
    assert (table.view["scores"], table.view["round_scores"], table.view["winners"]) == ([51, 0], [51, 0], [0])
    assert table.ended == "terminated"
    assert table.rewards == pytest.approx([2.04, -2.04])


def test_j6_gin_is_the_others_deadwood_and_25(gin):
    """J6: all 69 and 25."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 3h", LOOSE]).play("knock Ks")
    assert table.view["scores"] == [94, 0]
    assert table.rewards == pytest.approx([94 / 25, -94 / 25])


LOW = "4s 5s 6s 8c 8d 8h Tc Td Ts"
"""Nine cards in three melds; the tenth is what is left of them, but for 8s."""


@pytest.mark.parametrize(
    ("last", "scores", "winners"),
    [("Ad", [0, 9 + 25], [1]), ("8s", [0, 10 + 25], [1]), ("9s", [0, 1 + 25], [1]), ("Jd", [0, 25], [1])],
)
def test_j6_an_undercut(gin, last, scores, winners):
    """J6: 1, 0, 9 and 10 against the knocker's 1 + 2 + 7: equal deadwood is an undercut too."""
    table = drawn(gin, ["3c 4c 5c Kc Kd Kh Ks Ah 2h 7d", f"{LOW} {last}"], up="Jh", stock="Js").play("knock Js")
    assert laid_off(table) == []
    assert (table.view["ended"], table.view["scores"], table.view["winners"]) == ("knock", scores, winners)
    assert table.rewards == pytest.approx([-scores[1] / 25, scores[1] / 25])


def test_j6_one_point_more_than_the_knocker_is_no_undercut(gin):
    """J6: 1 + 2 + 6 against 10."""
    other = "4s 5s 6s 8c 8d 8h Qc Qd Qh Js"
    table = drawn(gin, ["3c 4c 5c Kc Kd Kh Ks Ah 2h 6d", other], up="Jh", stock="Jd").play("knock Jd")
    assert (table.view["scores"], table.view["winners"]) == ([1, 0], [0])


def test_j6_lay_offs_may_undercut(gin):
    """J6, J5: 6c and 7c go on the clubs: 9 are left against 10, where they were 22."""
    table = drawn(gin, ["3c 4c 5c Kc Kd Kh Ks Ah 2h 7d", "4s 5s 6s 8c 8d 8h 8s 6c 7c 9d"], up="Jh", stock="Js")
    table.play("knock Js")
    assert laid_off(table) == ["6c", "7c"]
    assert (table.view["scores"], table.view["winners"]) == ([0, 1 + 25], [1])


def test_j6_gin_is_never_undercut(gin):
    """J6: nothing against nothing is gin: 25 points."""
    table = drawn(gin, ["3c 4c 5c Kc Kd Kh Ks 7d 7h 7c", f"{LOW} 8s"], up="Jh", stock="Js").play("knock Js")
    assert left(table) == [[], []]
    assert (table.view["ended"], table.view["scores"], table.view["winners"]) == ("gin", [25, 0], [0])


def test_j6_the_bonuses_are_options(gin):
    """J6: 10 for gin, 20 for an undercut, or none."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 3h", LOOSE], gin_bonus=10, undercut_bonus=500).play("knock Ks")
    assert table.view["scores"] == [79, 0]
    hands = ["3c 4c 5c Kc Kd Kh Ks Ah 2h 7d", f"{LOW} 9s"]
    table = drawn(gin, hands, up="Jh", stock="Js", gin_bonus=500, undercut_bonus=20).play("knock Js")
    assert table.view["scores"] == [0, 21]
    hands[1] = f"{LOW} Jd"
    table = drawn(gin, hands, up="Jh", stock="Js", undercut_bonus=0).play("knock Js")
    assert (table.view["scores"], table.view["winners"], table.rewards) == ([0, 0], [1], [0, 0])


def test_j6_reward_win(gin):
    """J6: the winner of the round gets 1, the other -1: the knocker, or who undercut."""
    table = drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 7s", LOOSE], reward="win").play("knock Ks")
    assert table.rewards == [1, -1]
    hands = ["3c 4c 5c Kc Kd Kh Ks Ah 2h 7d", f"{LOW} Jd"]
    assert drawn(gin, hands, up="Jh", stock="Js", reward="win").play("knock Js").rewards == [-1, 1]


def test_j6_the_dealer_may_knock_too(gin):
    """J6: in its own turn; 61 - 10."""
    table = gin([LOOSE, f"{CLUBS_AND_NINES} Ah 2h 7s"], up="Kh", stock="Qs Ks")
    table.play("pass", "pass", "draw_stock", "discard Qs", "draw_stock", "knock Ks")
    assert (table.view["knocker"], table.view["scores"], table.rewards) == (1, [0, 51], pytest.approx([-2.04, 2.04]))


# J7 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["score", "win"])
def test_j7_with_two_cards_left_the_round_is_void(gin, reward):
    """J7: the discard after the 29th of 31 cards ends it: over by the rules, won by nobody, nothing paid."""
    table = gin([PLAIN, OTHER], up="Kh", reward=reward).play("pass", "pass")
    for turn in range(29):
        assert (table.ended, table.view["turns"], len(table.view["stock"])) == (None, turn, 31 - turn)
        discard_in_turn(table, 1)
    assert (table.ended, table.view["ended"], len(table.view["stock"])) == ("terminated", "void", 2)
    assert (table.view["winners"], table.view["scores"], table.rewards) == ([], [0, 0], [0, 0])
    assert (table.view["knocker"], table.view["melds"]) == (None, [])


def test_j7_who_draws_the_last_card_may_knock_with_it(gin):
    """J7: as in any other turn; only the discard without a knock makes it void."""
    table = discard_in_turn(gin([f"{CLUBS_AND_NINES} Ah 2h 7s", LOOSE], up="Kh").play("pass", "pass"), 28)
    card = table.view["stock"][0]
    table.play("draw_stock")
    assert (len(table.view["stock"]), table.view["seat"]) == (2, 0)
    twin = table.clone().play(f"discard {card}")
    assert (twin.view["ended"], twin.view["scores"]) == ("void", [0, 0])
    table.play(f"knock {card}")
    assert (table.view["ended"], table.view["winners"]) == ("knock", [0])


def test_j7_the_last_discard_cannot_be_taken(gin):
    """J7: seat 1 could knock with 9s as the third nine, but with two cards left the round is over."""
    table = gin([PLAIN.replace("9c", "9s"), "3h 4h 5h 9c 9d Kc Kd Ks Td Tc"], up="Ah").play("pass", "pass")
    discard_in_turn(table, 28).play("draw_stock", "discard 9s")
    assert table.view["ended"] == "void"
    assert table.legal == set()


def test_j7_cards_of_the_pile_do_not_count(gin):
    """J7: with three cards left in the stock one goes on as long as the pile's top is taken."""
    table = discard_in_turn(gin([PLAIN, OTHER], up="Kh").play("pass", "pass"), 28)
    card = table.view["pile"][-1]
    for _ in range(6):
        table.play("draw_top", f"discard {card}")
    assert (table.ended, len(table.view["stock"])) == (None, 3)


# J8 -----------------------------------------------------------------------------------------------------------------


def win_51(gin, **options):
    """Seat 0 wins 51 points."""
    return drawn(gin, [f"{CLUBS_AND_NINES} Ah 2h 7s", LOOSE], match=True, **options)


@pytest.mark.parametrize(
    ("before", "ended"), [([0, 0], None), ([48, 99], None), ([49, 99], "terminated"), ([99, 0], "terminated")]
)
def test_j8_a_match_is_to_100_points(gin, before, ended):
    """J8: 49 and 51 end it, 48 and 51 do not; who has won the last round has won it."""
    table = win_51(gin).carry(before, rounds=4).play("knock Ks")
    assert table.u.game.options["target"] == 100
    assert (table.ended, table.view["scores"]) == (ended, [before[0] + 51, before[1]])
    assert table.view["winners"] == ([0] if ended else [])
    assert table.rewards == pytest.approx([51 / 25, -51 / 25])


@pytest.mark.parametrize(("target", "ended"), [(51, "terminated"), (52, None)])
def test_j8_target_is_an_option(gin, target, ended):
    """J8: a house may play to another number."""
    assert win_51(gin, target=target).play("knock Ks").ended == ended


def test_j8_g1_the_deal_passes(gin):
    """J8, G1: seat 0 deals the second round, seat 1 begins; hands are new and nothing is known of them."""
    table = win_51(gin).play("knock Ks")
    view = table.view
    assert (view["round"], view["dealer"], view["seat"], view["phase"], view["passes"]) == (1, 0, 1, "upcard", 0)
    assert [len(hand) for hand in view["hands"]] == [10, 10]
    assert (view["known"], view["discarded"], view["declined"]) == ([[], []],) * 3
    assert (view["melds"], view["knocker"], view["ended"], len(view["stock"])) == ([], None, None, 31)
    assert view["scores"] == [51, 0]
    table.play("pass")
    assert table.view["seat"] == 0


def test_j8_a_void_round_is_followed_by_another(gin):
    """J8, J7: it counts nothing, and the deal passes."""
    table = gin([PLAIN, OTHER], up="Kh", match=True).carry([30, 40], rounds=0).play("pass", "pass")
    discard_in_turn(table, 29)
    assert (table.ended, table.view["round"], table.view["dealer"]) == (None, 1, 0)
    assert (table.view["scores"], table.view["round_scores"]) == ([30, 40], [0, 0])


@pytest.mark.parametrize("reward", ["score", "win"])
def test_j8_g3_a_match_that_nobody_wins_is_cut_off(gin, reward):
    """J8, G3: after `max_rounds` rounds: a truncation, whatever the points."""
    table = win_51(gin, max_rounds=3, reward=reward).carry([10, 0], rounds=2).play("knock Ks")
    assert (table.ended, table.view["scores"], table.view["winners"]) == ("truncated", [61, 0], [])
    assert table.rewards == pytest.approx([51 / 25, -51 / 25] if reward == "score" else [1, -1])


# G3 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "turns"), [({}, 200), ({"max_turns": 1}, 2), ({"max_turns": 7}, 14)])
def test_g3_taking_and_discarding_the_same_card_ends_at_the_cap(gin, options, turns):
    """G3: 100 turns of each seat by default; a pass is none; nobody scores, and it is a truncation."""
    table = gin([PLAIN, OTHER], up="Kh", **options).play("pass")
    for turn in range(turns):
        assert (table.ended, table.view["turns"]) == (None, turn)
        table.play("draw_top", "discard Kh")
    assert (table.ended, table.view["ended"], table.view["turns"]) == ("truncated", "cap", turns)
    assert (table.view["winners"], table.view["scores"], table.rewards) == ([], [0, 0], [0, 0])


def test_g3_a_knock_in_the_last_turn_counts(gin):
    """G3: who ends the round in it wins as usual."""
    table = gin([LOOSE, f"{CLUBS_AND_NINES} Ah 2h 7s"], up="Kh", stock="Qs Ks", max_turns=1)
    table.play("pass", "pass", "draw_stock", "discard Qs", "draw_stock", "knock Ks")
    assert (table.ended, table.view["winners"], table.view["turns"]) == ("terminated", [1], 2)


def test_g3_the_last_card_makes_a_round_void_in_the_last_turn(gin):
    """G3, J7: what ends it by the rules comes first."""
    table = gin([PLAIN, OTHER], up="Kh", max_turns=15).play("draw_top", "discard Kh")
    discard_in_turn(table, 29)
    assert (table.ended, table.view["ended"], table.view["turns"]) == ("terminated", "void", 30)
