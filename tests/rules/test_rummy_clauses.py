"""R1-R6, R8: Rummy. R7 is in test_claim_clauses, R9 in test_score_clauses and test_match_clauses."""

from __future__ import annotations

from collections import Counter

import pytest

# R1, R2 -------------------------------------------------------------------------------------------------------------


def test_r1_two_to_six_players_two_by_default(shuffled):
    """R1: others are refused."""
    assert shuffled("rummy_v0").u.possible_agents == ["player_0", "player_1"]
    for seats in (2, 3, 4, 5, 6):
        assert len(shuffled("rummy_v0", num_players=seats).view["hands"]) == seats
    for seats in (-1, 0, 1, 7, 8):
        with pytest.raises(ValueError, match=rf"num_players={seats}\b.*2 to 6"):
            shuffled("rummy_v0", num_players=seats)


@pytest.mark.parametrize(("seats", "hand", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)])
def test_r2_hands_by_player_count(shuffled, seats, hand, stock):
    """R2: 10 each for two, 7 for three or four, 6 for five or six; one is turned, the rest is the stock."""
    view = shuffled("rummy_v0", num_players=seats).view
    assert [len(cards) for cards in view["hands"]] == [hand] * seats
    assert (len(view["pile"]), len(view["stock"])) == (1, stock)
    assert view["opened"] == [False] * seats
    assert view["melds"] == []


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_r2_the_pack_is_52_cards_without_jokers(shuffled, packs, seats):
    """R2: each card once."""
    view = shuffled("rummy_v0", seed=8, num_players=seats).view
    cards = Counter(view["stock"] + view["pile"] + [card for hand in view["hands"] for card in hand])
    assert len(packs["rummy_v0"]) == 52
    assert cards == Counter(packs["rummy_v0"])


def test_r2_hand_size_is_an_option(shuffled):
    """R2: the deal is ours, so a house may set it."""
    view = shuffled("rummy_v0", num_players=3, hand_size=9).view
    assert [len(cards) for cards in view["hands"]] == [9, 9, 9]
    with pytest.raises(ValueError, match="hand_size"):
        shuffled("rummy_v0", num_players=6, hand_size=9)


# R3 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", ["A", "2", "9", "J"])
@pytest.mark.parametrize("suit", "cdhs")
def test_r3_king_is_high_and_ace_is_low_in_runs(rummy, low, suit):
    """R3: A-2-3 and J-Q-K are runs."""
    order = "A23456789TJQK"
    cards = [rank + suit for rank in order[order.index(low) :][:3]]
    other = {"c": "d", "d": "h", "h": "s", "s": "c"}[suit]
    table = rummy(
        [" ".join([*cards, "5" + other]), "4" + other + " 6" + other + " 8" + other + " T" + other], up="7" + other
    )
    table.play("draw_top")
    assert table.offers("run") == {f"run {low}{suit}"}
    table.lay_run(low + suit)
    assert table.melds == [" ".join(cards)]


def test_r3_runs_do_not_wrap(rummy):
    """R3: Q-K-A and K-A-2 are no runs."""
    table = rummy(["Qh Kh Ah 2h 9c", "3s 5d 7c 9d Js"], up="4s", stock="6d").play("draw_stock")
    assert table.offers("run") == set()
    assert table.offers("set") == set()


def test_r3_nothing_is_laid_off_past_king_or_ace(rummy):
    """R3: above a king and below an ace a run is at its end."""
    table = rummy(["Jh Qh Kh Ac 2c 3c Ah Kc 9d", "2s 4d 6h 8s Td 3s 5d 7h 9s"], up="5c", stock="5s").play("draw_stock")
    table.lay_run("Jh").lay_run("Ac")
    assert table.offers("lay_off_run") == set()
    assert table.hand(0) == ["5s", "9d", "Ah", "Kc"]


# R4 -----------------------------------------------------------------------------------------------------------------


def test_r4_the_stocks_top_or_the_piles_top_is_drawn(rummy):
    """R4: and nothing else can be done first."""
    table = rummy(["7c 7d 7h", "2s 4h Kd"], up="9s", stock="Ah")
    assert table.legal == {"draw_stock", "draw_top"}
    stock = table.clone().play("draw_stock")
    assert stock.hand(0) == ["7c", "7d", "7h", "Ah"]
    assert (stock.view["pile"], stock.view["known"][0]) == (["9s"], [])
    pile = table.clone().play("draw_top")
    assert pile.hand(0) == ["7c", "7d", "7h", "9s"]
    assert (pile.view["pile"], pile.view["known"][0], pile.view["stock"][0]) == ([], ["9s"], "Ah")


def test_r4_only_the_top_of_the_pile_is_taken(rummy):
    """R4: the cards below it stay."""
    table = rummy(["7c 8d Jh", "2s 4h Kd"], up="9s", stock="Ah 3d").play("draw_stock", "discard Ah")
    assert table.legal == {"draw_stock", "draw_top"}
    table.play("draw_top")
    assert (table.hand(1), table.view["pile"]) == (["2s", "4h", "Ah", "Kd"], ["9s"])


def test_r4_one_card_is_drawn_in_a_turn(rummy):
    """R4: after it no draw is offered."""
    table = rummy(["7c 8d Jh", "2s 4h Kd"], up="9s", stock="Ah 3d").play("draw_stock")
    assert table.legal == {"discard 7c", "discard 8d", "discard Jh", "discard Ah"}


# R5 -----------------------------------------------------------------------------------------------------------------


def test_r5_sets_are_three_of_a_rank(rummy):
    """R5: two of a rank are none."""
    table = rummy(["7c 7d 7h Ks Kd 2c", "2s 4h 9d Js Ts 8s"], up="9s", stock="Ah").play("draw_stock")
    assert table.offers("set") == {"set 7"}
    table.lay_set("7", "cdh")
    assert table.view["melds"] == [{"kind": "set", "rank": "7", "cards": ["7c", "7d", "7h"]}]
    assert table.hand(0) == ["2c", "Ah", "Kd", "Ks"]
    assert (table.view["opened"], table.view["phase"], table.view["seat"]) == ([True, False], "play", 0)


@pytest.mark.parametrize("suits", ["cdh", "cds", "chs", "dhs"])
def test_r5_any_three_of_four_may_be_laid(rummy, suits):
    """R5: each choice of three suits is a set of its own, laid in one way."""
    table = rummy(["7c 7d 7h 7s Ks", "2s 4h 9d Js Ts"], up="9s", stock="Ah").play("draw_stock")
    table.lay_set("7", suits)
    assert table.melds == [" ".join(f"7{suit}" for suit in suits)]


def test_r5_a_set_is_laid_in_one_way_only(rummy):
    """R5: its suits never descend: of four sevens each suit that leaves two above it may be first, and so on."""
    table = rummy(["7c 7d 7h 7s Ks", "2s 4h 9d Js Ts"], up="9s", stock="Ah").play("draw_stock", "set 7")
    assert table.legal == {"fill c", "fill d"}
    assert table.clone().play("fill c").legal == {"fill d", "fill h"}
    assert table.clone().play("fill d").legal == {"fill h"}
    assert table.clone().play("fill c", "fill d").legal == {"fill h", "fill s"}
    assert table.clone().play("fill c", "fill h").legal == {"fill s"}


def test_r5_a_set_of_four(rummy):
    """R5: the fourth is laid off on the three, in the same turn."""
    table = rummy(["7c 7d 7h 7s Ks", "2s 4h 9d Js Ts"], up="9s", stock="Ah").play("draw_stock").lay_set("7", "dhs")
    assert table.offers("lay_off_set") == {"lay_off_set 7c"}
    table.play("lay_off_set 7c")
    (meld,) = table.view["melds"]
    assert (meld["kind"], sorted(meld["cards"])) == ("set", ["7c", "7d", "7h", "7s"])
    assert table.offers("lay_off_set") == set()


def test_r5_runs_are_three_consecutive_of_a_suit(rummy):
    """R5: two are none, three of mixed suits are none."""
    table = rummy(["5h 6h 7h 9c Tc Jd Ks", "2s 4h 9d Js Ts 8s 3d"], up="9s", stock="Kc").play("draw_stock")
    assert table.offers("run") == {"run 5h"}
    table.lay_run("5h")
    assert table.view["melds"] == [{"kind": "run", "low": "5h", "cards": ["5h", "6h", "7h"]}]


def test_r5_three_or_more_a_run_of_six(rummy):
    """R5: longer runs are laid by laying off on one's own, at both ends, one card after the other."""
    table = rummy(["3h 4h 5h 6h 7h 8h Kc", "2s 9h 9d Js Ts 8s 3d"], up="9s", stock="Ks").play("draw_stock")
    assert table.offers("run") == {"run 3h", "run 4h", "run 5h", "run 6h"}
    table.lay_run("5h")
    assert table.offers("lay_off_run") == {"lay_off_run 4h below", "lay_off_run 8h above"}
    table.play("lay_off_run 8h above")
    assert table.offers("lay_off_run") == {"lay_off_run 4h below"}
    table.play("lay_off_run 4h below", "lay_off_run 3h below")
    assert table.melds == ["3h 4h 5h 6h 7h 8h"]
    assert table.view["melds"][0]["low"] == "3h"
    assert table.legal == {"discard Kc", "discard Ks"}


def test_r5_thirteen_in_a_run(rummy):
    """R5: a whole suit is one run."""
    hands = ["Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", "2s 4c 6d 8s Tc Qd As 3c 5d 7s 9c Jd Ks"]
    table = rummy(hands, up="9s", stock="Kc").play("draw_stock").lay_run("6h")
    table.play(*(f"lay_off_run {rank}h above" for rank in "9TJQK"), *(f"lay_off_run {rank}h below" for rank in "5432A"))
    assert table.melds == [hands[0]]
    table.play("discard Kc")
    assert table.view["winners"] == [0]


def test_r5_lay_offs_go_on_anyones_meld_without_one_of_ones_own(rummy):
    """R5: seat 1 has melded nothing and lays off on the run and the set of seat 0."""
    hands = ["5h 6h 7h Kc Kd Kh 2d 3c", "4h 8h Ks Ac 6d 9c Jd Td"]
    table = rummy(hands, up="9s", stock="Qc As").play("draw_stock").lay_run("5h").lay_set("K", "cdh")
    table.play("discard 2d", "draw_stock")
    assert table.offers("lay_off_run") == {"lay_off_run 4h below", "lay_off_run 8h above"}
    assert table.offers("lay_off_set") == {"lay_off_set Ks"}
    table.play("lay_off_run 4h below", "lay_off_run 8h above", "lay_off_set Ks")
    assert table.melds == ["4h 5h 6h 7h 8h", "Kc Kd Kh Ks"]
    assert table.view["opened"] == [True, False]
    assert table.hand(1) == ["6d", "9c", "Ac", "As", "Jd", "Td"]


def test_r5_several_melds_in_one_turn(rummy):
    """R5: runs and sets, as many as the hand has."""
    hands = ["2c 3c 4c 8d 9d Td Qc Qd Qh 5s", "Ks Kd Jh Th 8h 7s 6d 5c 3s Ah"]
    table = rummy(hands, up="9s", stock="7h").play("draw_stock").lay_set("Q", "cdh").lay_run("8d").lay_run("2c")
    assert table.melds == ["Qc Qd Qh", "8d 9d Td", "2c 3c 4c"]
    assert table.legal == {"discard 5s", "discard 7h"}


@pytest.mark.parametrize("meld", ["lay_off_run 8h above", "lay_off_set 8h"])
def test_r5_a_card_that_fits_a_run_and_a_set_is_laid_on_either(rummy, meld):
    """R5, M6: the player chooses."""
    table = rummy(["5h 6h 7h 8c 8d 8s 8h 2c", "2s 4d 9d Js Ts Kd 3d Qc"], up="9s", stock="Kc").play("draw_stock")
    table.lay_run("5h").lay_set("8", "cds")
    assert table.offers("lay_off_run") | table.offers("lay_off_set") == {"lay_off_run 8h above", "lay_off_set 8h"}
    table.play(meld)
    on_run = meld.startswith("lay_off_run")
    assert table.melds == (["5h 6h 7h 8h", "8c 8d 8s"] if on_run else ["5h 6h 7h", "8c 8d 8s 8h"])
    assert table.hand(0) == ["2c", "Kc"]


def test_r5_a_card_may_go_into_a_new_run_or_a_new_set(rummy):
    """R5: 7h in hand belongs to both until it is laid."""
    table = rummy(["5h 6h 7h 7c 7d 2c 2s", "4h 9d Js Ts Kd 3d Qc"], up="9s", stock="Kc").play("draw_stock")
    assert table.offers("run") | table.offers("set") == {"run 5h", "set 7"}
    assert table.clone().lay_run("5h").offers("set") == set()
    assert table.clone().lay_set("7", "cdh").offers("run") == set()


def test_r5_runs_that_touch_stay_two(rummy):
    """R5: three to five and six to eight are two runs, each with its own ends."""
    table = rummy(["3h 4h 5h 6h 7h 8h Kc Qs", "2h 9h 9d Js Ts 8s 3d Ks"], up="9s", stock="Kd 2d").play("draw_stock")
    table.lay_run("3h").lay_run("6h")
    assert table.melds == ["3h 4h 5h", "6h 7h 8h"]
    table.play("discard Kc", "draw_stock")
    assert table.offers("lay_off_run") == {"lay_off_run 2h below", "lay_off_run 9h above"}
    table.play("lay_off_run 9h above", "lay_off_run 2h below")
    assert table.melds == ["2h 3h 4h 5h", "6h 7h 8h 9h"]


# R6 -----------------------------------------------------------------------------------------------------------------


def test_r6_a_turn_ends_with_a_discard_and_not_before(rummy):
    """R6, M6: after melds and lay-offs it is still the same seat's turn; the discard lies on top of the pile."""
    table = rummy(["5h 6h 7h 8h Kc 2d", "2s 4d 9d Js Ts 8s"], up="9s", stock="Ks").play("draw_stock").lay_run("5h")
    assert (table.view["seat"], table.view["turn"], table.view["turns"]) == (0, 0, 0)
    table.play("lay_off_run 8h above")
    assert (table.view["seat"], table.view["turn"], table.view["turns"]) == (0, 0, 0)
    assert table.legal == {"discard Kc", "discard Ks", "discard 2d"}
    table.play("discard Kc")
    assert (table.view["seat"], table.view["turn"], table.view["turns"]) == (1, 1, 1)
    assert table.view["pile"] == ["9s", "Kc"]


def test_r6_melding_is_optional(rummy):
    """R6: a discard is possible at once, any card of the hand."""
    table = rummy(["5h 6h 7h", "2s 4d 9d"], up="9s", stock="Ks").play("draw_stock")
    assert table.offers("discard") == {"discard 5h", "discard 6h", "discard 7h", "discard Ks"}


@pytest.mark.parametrize(("hand", "card"), [("7c 7d", "7h"), ("5h 6h", "7h")])
def test_r6_the_last_three_cards_may_not_be_melded(rummy, hand, card):
    """R6: a set or run of all the cards would leave nothing to discard."""
    table = rummy([hand, "2s 4d"], up="9s", stock=card).play("draw_stock")
    assert table.legal == {f"discard {each}" for each in [*hand.split(), card]}


def test_r6_last_card_may_not_be_melded(rummy):
    """R6: 8h would fit the run, but it is the last card: it is discarded, and that is going out."""
    table = rummy(["5h 6h 7h", "2s 4d 9d"], up="9s", stock="8h").play("draw_stock").lay_run("5h")
    assert table.legal == {"discard 8h"}
    table.play("discard 8h")
    assert (table.ended, table.view["out"]) == ("terminated", 0)


def test_r6_last_card_may_not_be_laid_on_a_set(rummy):
    """R6: the same with a set."""
    table = rummy(["7c 7d 7h", "2s 4d 9d"], up="9s", stock="7s").play("draw_stock").lay_set("7", "cdh")
    assert table.legal == {"discard 7s"}


def test_r6_the_last_but_one_may_be_laid_off(rummy):
    """R6: of 8h and 4h one is laid off, the other discarded."""
    table = rummy(["5h 6h 7h 4h", "2s 4d 9d Jc"], up="9s", stock="8h").play("draw_stock").lay_run("5h")
    assert table.offers("lay_off_run") == {"lay_off_run 4h below", "lay_off_run 8h above"}
    table.play("lay_off_run 4h below")
    assert table.legal == {"discard 8h"}


# R8 -----------------------------------------------------------------------------------------------------------------


def test_r8_the_round_ends_when_a_player_has_no_cards(rummy):
    """R8: it is over for all, and the one who is out has won."""
    table = rummy(["7c 7d 7h", "2s 4h Kd", "3c 5d 9h"], up="9s", stock="Ah")
    table.play("draw_stock").lay_set("7", "cdh").play("discard Ah")
    assert (table.ended, table.view["phase"], table.view["ended"]) == ("terminated", "over", "out")
    assert (table.view["out"], table.view["winners"]) == (0, [0])
    assert table.hand(0) == []


def test_r8_nobody_lays_down_more_after_that(rummy):
    """R8: seat 1 holds a seven that fits and three kings, but has no move left, and its whole hand counts."""
    table = rummy(["7c 7d 7h", "7s Kh Kc", "Kd 2h 9c"], up="9s", stock="Ah").play("draw_stock").lay_set("7", "cdh")
    table.play("discard Ah")
    assert table.legal == set()
    assert not any(table.u.observe(agent)["action_mask"].any() for agent in table.u.possible_agents)
    with pytest.raises(ValueError, match="None"):
        table.u.step(table.u.action_id("draw_stock"))
    assert table.melds == ["7c 7d 7h"]
    assert table.view["scores"] == [0, -27, -21]
