"""C1-C4, C6-C9, C11, C13: Cachons.

Runs and wilds (C10, C12) are in test_cachons_runs_clauses, points (C5, C14) in test_score_clauses.
"""

from __future__ import annotations

from collections import Counter

import pytest

FIVE = "natural " * 5

# C1-C3 --------------------------------------------------------------------------------------------------------------


def test_c1_two_to_eight_players_four_by_default(shuffled):
    """C1: others are refused."""
    assert shuffled("cachons_v0").u.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    for seats in range(2, 9):
        assert len(shuffled("cachons_v0", num_players=seats).view["hands"]) == seats
    for seats in (-1, 0, 1, 9):
        with pytest.raises(ValueError, match=rf"num_players={seats}\b.*2 to 8"):
            shuffled("cachons_v0", num_players=seats)


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_c2_two_packs_with_one_joker_each(shuffled, seats):
    """C2: 106 cards: two of each from three to ace, eight twos and two jokers."""
    view = shuffled("cachons_v0", seed=4, num_players=seats).view
    cards = Counter(view["stock"] + view["pile"] + [card for hand in view["hands"] for card in hand])
    assert cards.total() == 106
    assert (cards.pop("2"), cards.pop("JK")) == (8, 2)
    assert cards == {rank + suit: 2 for suit in "cdhs" for rank in "3456789TJQKA"}


@pytest.mark.parametrize(("seats", "stock"), [(2, 85), (3, 75), (4, 65), (5, 55), (6, 45), (7, 35), (8, 25)])
def test_c3_ten_cards_each(shuffled, seats, stock):
    """C3: the rest is the stock, and its top card begins the pile."""
    view = shuffled("cachons_v0", num_players=seats).view
    assert [len(hand) for hand in view["hands"]] == [10] * seats
    assert (len(view["stock"]), len(view["pile"])) == (stock, 1)


def test_c3_a_wild_may_begin_the_pile(cachons):
    """C3: a joker that is turned lies there like any card, and can be drawn."""
    table = cachons(["3c 5d", "4h 6s"], up="JK", stock="Ks").play("draw_top")
    assert table.hand(0) == ["3c", "5d", "JK"]


# C4 -----------------------------------------------------------------------------------------------------------------


def test_c4_ace_is_high(cachons):
    """C4: ten to ace is a run."""
    table = cachons(["Th Jh Qh Kh Ah", "3c 5d 7s 9c Jd"], up="3d", stock="4s").play("draw_stock")
    assert table.offers("run") == {"run Th"}
    table.lay_run("Th", FIVE)
    assert table.melds == ["Th Jh Qh Kh Ah"]


def test_c4_three_is_low(cachons):
    """C4: three to seven is a run with nothing below it."""
    table = cachons(["3h 4h 5h 6h 7h Ah Kd", "3c 5d 7s 9c Jd 4d 6c"], up="3d", stock="8h").play("draw_stock")
    assert table.offers("run") == {"run 3h", "run 4h"}
    table.lay_run("3h", FIVE)
    assert table.offers("lay_off_run") == {"lay_off_run 8h above"}


def test_c4_twos_and_jokers_are_wild(cachons):
    """C4: either stands for the missing seven; a two is no card between ace and three."""
    hands = ["5h 6h 8h 9h 2 JK", "3c 5d 7s 9c Jd Ks"]
    table = cachons(hands, up="3d", stock="Kd").play("draw_stock", "run 5h", "fill natural", "fill natural")
    assert table.legal == {"fill 2", "fill JK"}
    assert table.clone().play("fill 2", "fill natural", "fill natural").melds == ["5h 6h 2 8h 9h"]
    assert table.clone().play("fill JK", "fill natural", "fill natural").melds == ["5h 6h JK 8h 9h"]
    names = set(table.u.game.action_names)
    assert not any(name.startswith(("run 2", "run JK", "lay_off_run 2", "lay_off_run JK")) for name in names)


# C6, C7 -------------------------------------------------------------------------------------------------------------


def test_c6_draw_then_play_then_discard(cachons):
    """C6: the draw comes first, playing is optional, the discard ends the turn."""
    table = cachons(["3h 4h 5h 6h 7h Kd", "3c 5d 7s 9c Jd 4d"], up="3d", stock="9s")
    assert table.legal == {"draw_stock", "draw_top"}
    table.play("draw_stock")
    assert table.offers("discard") == {f"discard {card}" for card in "3h 4h 5h 6h 7h Kd 9s".split()}
    table.clone().play("discard 3h")
    table.lay_run("3h", FIVE)
    assert (table.view["seat"], table.view["turns"], table.legal) == (0, 0, {"discard Kd", "discard 9s"})
    table.play("discard Kd")
    assert (table.view["seat"], table.view["turns"], table.view["pile"]) == (1, 1, ["3d", "Kd"])


def test_c6_a_wild_may_be_discarded(cachons):
    """C6: any card of the hand."""
    table = cachons(["2 JK", "3c 5d"], up="3d", stock="9s").play("draw_stock")
    assert table.legal == {"discard 2", "discard JK", "discard 9s"}
    table.play("discard JK")
    assert table.view["pile"] == ["3d", "JK"]


def test_c7_three_ways_to_draw(cachons):
    """C7: the stock's top, the pile's top, or the whole pile."""
    table = cachons(["3h 5h", "4c 6d"], up="3d", stock="9s Ts Js").play("draw_stock", "discard 9s", "draw_stock")
    table.play("discard Ts")
    assert table.legal == {"draw_stock", "draw_top", "draw_pile"}
    stock = table.clone().play("draw_stock")
    assert (stock.hand(0), stock.view["pile"]) == (["3h", "5h", "Js"], ["3d", "9s", "Ts"])
    top = table.clone().play("draw_top")
    assert (top.hand(0), top.view["pile"]) == (["3h", "5h", "Ts"], ["3d", "9s"])
    pile = table.clone().play("draw_pile")
    assert (pile.hand(0), pile.view["pile"]) == (["3d", "3h", "5h", "9s", "Ts"], [])
    assert sorted(pile.view["known"][0]) == ["3d", "9s", "Ts"]


def test_c7_with_one_card_the_two_pile_draws_are_one(cachons):
    """C7: at the start, and when it is one card again."""
    table = cachons(["3h 5h", "4c 6d"], up="3d", stock="9s Ts")
    assert table.legal == {"draw_stock", "draw_top"}
    table.play("draw_top", "discard 3d")
    assert table.legal == {"draw_stock", "draw_top"}
    table.play("draw_stock", "discard 9s", "draw_pile", "discard 3d")
    assert table.legal == {"draw_stock", "draw_top"}


def test_c7_the_whole_pile_may_be_taken_without_playing(cachons):
    """C7: there is no duty to meld; the hand just grows."""
    table = cachons(["3h 5h", "4c 6d"], up="3d", stock="9s").play("draw_stock", "discard 9s", "draw_pile", "discard 9s")
    assert (table.hand(1), table.view["pile"]) == (["3d", "4c", "6d"], ["9s"])


# C8 -----------------------------------------------------------------------------------------------------------------


def test_c8_the_first_play_is_a_run_of_five(cachons):
    """C8: a run of four is not enough, and one of three neither."""
    table = cachons(["3h 4h 5h 6h 9d Td Jd", "3c 5d 7s 9c Jc Ks 8s"], up="3d", stock="Kd").play("draw_stock")
    assert table.legal == {f"discard {card}" for card in "3h 4h 5h 6h 9d Td Jd Kd".split()}


def test_c8_five_with_one_and_more_wilds(cachons):
    """C8, C10: three naturals and two wilds are a first run, at every place where the wilds suffice."""
    table = cachons(["6h 7h 9h 2 JK Kd", "3c 5d 7s 9c Jc Ks"], up="3d", stock="Qd").play("draw_stock")
    assert table.offers("run") == {"run 5h", "run 6h"}
    table.lay_run("6h", "natural natural JK natural 2")
    assert table.melds == ["6h 7h JK 9h 2"]
    assert table.view["opened"] == [True, False]


def test_c8_the_figure_of_the_text_is_a_first_run(cachons):
    """C8, C10: seven, eight, nine, a two for the ten, jack of clubs."""
    table = cachons(["7c 8c 9c Jc 2 Kd", "3c 5d 7s 9d Jd Ks"], up="3d", stock="Qd").play("draw_stock")
    table.lay_run("7c", "natural natural natural 2 natural")
    assert table.melds == ["7c 8c 9c 2 Jc"]


def test_c8_at_least_five(cachons):
    """C8: a run of seven is five, and two laid off in the same turn."""
    table = cachons(["3h 4h 5h 6h 7h 8h 9h", "3c 5d 7s 9c Jd Ks Tc"], up="3d", stock="Kd").play("draw_stock")
    assert table.offers("run") == {"run 3h", "run 4h", "run 5h"}
    table.lay_run("4h", FIVE).play("lay_off_run 3h below", "lay_off_run 9h above")
    assert table.melds == ["3h 4h 5h 6h 7h 8h 9h"]


def test_c8_nothing_else_before_it(cachons):
    """C8: seat 1 has not laid five: it may neither lay off, nor swap, nor lay three."""
    hands = ["3h 4h 2 6h 7h Kd", "5h 8h 9c Tc Jc Qc"]
    table = cachons(hands, up="3d", stock="Ks Qs").play("draw_stock")
    table.lay_run("3h", "natural natural 2 natural natural").play("discard Kd", "draw_stock")
    assert table.legal == {f"discard {card}" for card in "5h 8h 9c Tc Jc Qc Qs".split()}


def test_c8_each_player_has_a_first_play_of_its_own(cachons):
    """C8: seat 1 opens by five of its own, and then may do what seat 0 may."""
    hands = ["3h 4h 2 6h 7h Kd", "5h 9c Tc Jc Qc Kc"]
    table = cachons(hands, up="3d", stock="Ks Ts").play("draw_stock")
    table.lay_run("3h", "natural natural 2 natural natural").play("discard Kd", "draw_stock")
    assert table.offers("run") == {"run 9c"}
    table.lay_run("9c", FIVE)
    assert table.view["opened"] == [True, True]
    assert table.legal == {"swap_wild 5h 2", "discard 5h", "discard Ts"}


def test_c8_the_next_round_asks_for_five_again(cachons):
    """C8: "of the round": who had opened in the last round has not in this one."""
    table = cachons(["3h 4h 5h 6h 7h", "3c 5d 7s 9c Jd"], up="3d", stock="Kd", match=True).play("draw_stock")
    table.lay_run("3h", FIVE).play("discard Kd")
    assert (table.view["round"], table.view["opened"]) == (1, [False, False])
    assert table.melds == []


# C9 -----------------------------------------------------------------------------------------------------------------


def test_c9_runs_of_three_in_the_same_turn(cachons):
    """C9: right after the five."""
    table = cachons(["3h 4h 5h 6h 7h 9d Td Jd", "3c 5d 7s 9c Jc Ks 8s 6c"], up="3d", stock="Kd").play("draw_stock")
    assert table.offers("run") == {"run 3h"}
    table.lay_run("3h", FIVE)
    assert table.offers("run") == {"run 9d"}
    table.lay_run("9d")
    assert table.melds == ["3h 4h 5h 6h 7h", "9d Td Jd"]


def test_c9_and_for_the_rest_of_the_round(cachons):
    """C9: in a later turn three are enough."""
    hands = ["3h 4h 5h 6h 7h 9d Td Kc 3s", "3c 5d 7s 9c Jc Ks 8s 6c 5c"]
    table = cachons(hands, up="3d", stock="Kd Qs Jd").play("draw_stock").lay_run("3h", FIVE)
    assert table.offers("run") == set()
    table.play("discard Kc", "draw_stock", "discard Qs", "draw_stock")
    assert table.offers("run") == {"run 9d"}
    table.lay_run("9d")


def test_c9_lay_off_on_ones_own_run(cachons):
    """C9: in the same turn and later, at both ends."""
    hands = ["4h 5h 6h 7h 8h 3h Kc 3s", "3c 5d 7s 9c Jc Ks 8s 6c"]
    table = cachons(hands, up="3d", stock="Kd Qs 9h").play("draw_stock").lay_run("4h", FIVE)
    assert table.offers("lay_off_run") == {"lay_off_run 3h below"}
    table.play("lay_off_run 3h below", "discard Kc", "draw_stock", "discard Qs", "draw_stock")
    assert table.offers("lay_off_run") == {"lay_off_run 9h above"}
    table.play("lay_off_run 9h above")
    assert table.melds == ["3h 4h 5h 6h 7h 8h 9h"]


def test_c9_lay_off_on_others_runs(cachons):
    """C9: once one has opened, on any run."""
    hands = ["4h 5h 6h 7h 8h Kc 3s 9s", "3c 4c 5c 6c 7c 3h 9h Js"]
    table = (
        cachons(hands, up="3d", stock="Kd Qs").play("draw_stock").lay_run("4h", FIVE).play("discard Kd", "draw_stock")
    )
    assert table.offers("lay_off_run") == set()
    table.lay_run("3c", FIVE)
    assert table.offers("lay_off_run") == {"lay_off_run 3h below", "lay_off_run 9h above"}
    table.play("lay_off_run 9h above", "lay_off_run 3h below")
    assert table.melds == ["3h 4h 5h 6h 7h 8h 9h", "3c 4c 5c 6c 7c"]


# C11, C13 -----------------------------------------------------------------------------------------------------------


def test_c11_five_of_five_cards_may_not_be_laid(cachons):
    """C11: nothing would be left to discard."""
    table = cachons(["3h 4h 5h 6h", "3c 5d 7s 9c"], up="3d", stock="7h").play("draw_stock")
    assert table.offers("run") == set()


def test_c11_three_of_three_cards_may_not_be_laid(cachons):
    """C11: after the five, 9d Td Jd are all that is left."""
    table = cachons(["3h 4h 5h 6h 7h 9d Td", "3c 5d 7s 9c Jc Ks 8s"], up="3d", stock="Jd").play("draw_stock")
    table.lay_run("3h", FIVE)
    assert table.legal == {"discard 9d", "discard Td", "discard Jd"}


@pytest.mark.parametrize("last", ["8h", "2", "JK"])
def test_c11_the_last_card_is_not_laid_off(cachons, last):
    """C11: it would fit, natural or wild, but it is discarded."""
    table = cachons(["3h 4h 5h 6h 7h", "3c 5d 7s 9c Jc"], up="3d", stock=last).play("draw_stock").lay_run("3h", FIVE)
    assert table.legal == {f"discard {last}"}


def test_c13_going_out_is_by_discard_and_wins(cachons):
    """C13: the round is over when a player has no cards left; that player wins it."""
    table = cachons(["3h 4h 5h 6h 7h", "3c 5d 7s 9c Jc", "3s 5s 7d 9d Js"], up="3d", stock="Kd").play("draw_stock")
    table.lay_run("3h", FIVE)
    assert table.ended is None
    table.play("discard Kd")
    assert (table.ended, table.view["phase"], table.view["ended"]) == ("terminated", "over", "out")
    assert (table.view["out"], table.view["winners"], table.hand(0)) == (0, [0], [])
    assert not any(table.u.observe(agent)["action_mask"].any() for agent in table.u.possible_agents)
