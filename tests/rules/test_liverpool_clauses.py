"""V1-V5, V7: Liverpool Rummy. V6 is in test_liverpool_buys_clauses, V8 in test_liverpool_score_clauses.

That exactly those contracts are offered that can be finished is in test_liverpool_contracts.
"""

from __future__ import annotations

from collections import Counter

import pytest

ID = "liverpool_rummy_v0"

# V1 ------------------------------------------------------------------------------------------------------------------


def test_v1_three_to_eight_players_four_by_default(shuffled):
    """V1: others are refused."""
    assert len(shuffled(ID).u.possible_agents) == 4
    for seats in range(3, 9):
        assert len(shuffled(ID, num_players=seats).view["hands"]) == seats
    for seats in (1, 2, 9):
        with pytest.raises(ValueError, match=rf"num_players={seats}\b.*3 to 8"):
            shuffled(ID, num_players=seats)


@pytest.mark.parametrize(("seats", "packs", "jokers"), [(3, 2, 4), (4, 2, 4), (5, 3, 6), (6, 3, 6), (8, 3, 6)])
def test_v1_two_packs_for_three_or_four_and_three_for_more(shuffled, seats, packs, jokers):
    """V1: each with two jokers."""
    view = shuffled(ID, num_players=seats).view
    cards = Counter(view["stock"] + view["pile"] + [card for hand in view["hands"] for card in hand])
    assert cards.pop("JK") == jokers
    assert cards == {rank + suit: packs for rank in "A23456789TJQK" for suit in "cdhs"}


# V2 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("contract", "cards"), [(1, 10), (2, 10), (3, 10), (4, 10), (5, 12), (6, 12), (7, 12)])
@pytest.mark.parametrize("seats", [3, 8])
def test_v2_ten_cards_each_then_twelve(shuffled, seats, contract, cards):
    """V2: one is turned, the rest is the stock."""
    view = shuffled(ID, num_players=seats, contract=contract).view
    assert view["contract"] == contract
    assert [len(hand) for hand in view["hands"]] == [cards] * seats
    assert len(view["stock"]) == {3: 108, 8: 162}[seats] - seats * cards - 1


def test_v2_a_single_round_has_the_first_contract_by_default(shuffled):
    """V2: contracts are numbered from 1 to 7."""
    assert shuffled(ID).view["contract"] == 1
    for number in (-1, 8):
        with pytest.raises(ValueError, match=rf"contract={number}: allowed are integers from 0 to 7"):
            shuffled(ID, contract=number)


def test_v2_a_match_is_seven_rounds_whose_contracts_come_in_turn(shuffled):
    """V2: here each seat has one turn in a round, and discards what it draws."""
    table, seen = shuffled(ID, num_players=3, match=True, max_turns=1, buys=0), []
    while table.ended is None:
        view = table.view
        if not seen or seen[-1][0] != view["round"]:
            seen.append((view["round"], view["contract"], len(view["hands"][0])))
        table.play("draw_stock", f"discard {view['stock'][0]}")
    cards = [10, 10, 10, 10, 12, 12, 12]
    assert seen == [(number, number + 1, cards[number]) for number in range(7)]
    assert table.ended == "terminated"


def test_v2_the_contract_of_a_single_round_may_be_drawn(shuffled):
    """V2, V3: each comes about as often as the others, with its own number of cards, and is named to all."""
    drawn = [shuffled(ID, seed, contract=0).view for seed in range(210)]
    found = Counter((view["contract"], len(view["hands"][0])) for view in drawn)
    assert sorted(found) == [(1, 10), (2, 10), (3, 10), (4, 10), (5, 12), (6, 12), (7, 12)]
    assert min(found.values()) >= 15


def test_v2_a_match_begins_with_the_first_contract(shuffled):
    """V2: it cannot be asked to begin elsewhere, but to end sooner."""
    for contract in (3, 0):
        with pytest.raises(ValueError, match=rf"contract={contract}: allowed with match=True is 1"):
            shuffled(ID, match=True, contract=contract)
    table = shuffled(ID, num_players=3, match=True, rounds=2, max_turns=1, buys=0)
    for _ in range(6):
        assert table.ended is None
        table.play("draw_stock", f"discard {table.view['stock'][0]}")
    assert (table.ended, table.view["round"], table.view["contract"]) == ("terminated", 2, 2)


# V3 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "sets", "runs"), [(1, 2, 0), (2, 1, 1), (3, 0, 2), (4, 3, 0), (5, 2, 1), (6, 1, 2), (7, 0, 3)]
)
def test_v3_contracts(shuffled, contract, sets, runs):
    """V3: two sets; a set and a run; two runs; three sets; two sets and a run; a set and two runs; three runs."""
    view = shuffled(ID, contract=contract).view
    assert view["owed"] == [{"sets": sets, "runs": runs}] * 4


@pytest.mark.parametrize(
    ("contract", "hand", "played"),
    [
        (1, "7c 7d 7h 9c 9d 9s Kh Ts 2d 4s", "set 7|fill c|fill d|fill h|set 9|fill c|fill d|fill s"),
        (2, "7c 7d 7h 3s 4s 5s 6s Kh Td 2d", "set 7|fill c|fill d|fill h|run 3s" + "|fill natural" * 4),
        (3, "6c 7c 8c 9c 3s 4s 5s 6s Kh Td", "run 6c" + "|fill natural" * 4 + "|run 3s" + "|fill natural" * 4),
        (
            4,
            "7c 7d 7h 9c 9d 9s Kh Kd Ks 4s",
            "set 7|fill c|fill d|fill h|set 9|fill c|fill d|fill s|set K|fill d|fill h|fill s",
        ),
        (
            5,
            "7c 7d 7h 9c 9d 9s 2d 3d 4d 5d Ks Jh",
            "set 7|fill c|fill d|fill h|set 9|fill c|fill d|fill s|run 2d" + "|fill natural" * 4,
        ),
        (
            6,
            "7c 7d 7h 6c 7c 8c 9c 2d 3d 4d 5d Ks",
            "set 7|fill c|fill d|fill h|run 6c" + "|fill natural" * 4 + "|run 2d" + "|fill natural" * 4,
        ),
        (
            7,
            "6c 7c 8c 9c 2d 3d 4d 5d 8h 9h Th Jh",
            "run 6c" + "|fill natural" * 4 + "|run 2d" + "|fill natural" * 4 + "|run 8h" + "|fill natural" * 4,
        ),
    ],
)
def test_v3_each_contract_can_be_laid(liverpool, contract, hand, played):
    """V3, V5: and then one has opened, and owes nothing."""
    table = liverpool(hand, up="Qs", stock="As", contract=contract, buys=0).play("draw_stock")
    names = played.split("|")
    for number, name in enumerate(names):
        assert table.view["opened"] == [False] * 3, names[:number]
        table.play(name)
    assert table.view["opened"] == [True, False, False]
    assert table.view["owed"][0] == {"sets": 0, "runs": 0}
    assert sum(len(meld["cards"]) for meld in table.view["melds"]) == len([n for n in names if n[:4] == "fill"])


# V4 ------------------------------------------------------------------------------------------------------------------


def test_v4_a_set_may_have_equal_cards(liverpool):
    """V4: three of a rank, whatever their suits."""
    table = liverpool("7c 7c 7h 9s 9s 9d Kh Ts 2d 4s", up="Qs", stock="As", buys=0).play("draw_stock")
    table.lay_set("7", "cch").lay_set("9", "dss")
    assert table.melds == ["7c 7c 7h", "9d 9s 9s"]


def test_v4_three_copies_of_one_card_are_a_set(liverpool):
    """V4, V1: with three packs."""
    table = liverpool("7c 7c 7c 9s 9s 9s Kh Ts 2d 4s", up="Qs", stock="As", seats=5, buys=0).play("draw_stock")
    assert table.lay_set("7", "ccc").lay_set("9", "sss").melds == ["7c 7c 7c", "9s 9s 9s"]


@pytest.mark.parametrize("low", ["A", "2", "T", "J"])
def test_v4_the_ace_is_high_or_low(liverpool, low):
    """V4: A-2-3-4 and J-Q-K-A are runs."""
    cards = dict(zip("A2TJ", ("Ah 2h 3h 4h", "2h 3h 4h 5h", "Th Jh Qh Kh", "Jh Qh Kh Ah"), strict=True))[low]
    table = liverpool(f"7c 7d 7s {cards} 9s 6d 2c", up="5s", stock="8s", contract=2, buys=0).play("draw_stock")
    table.lay_set("7", "cds")
    assert table.legal == {f"run {low}h"}
    assert table.lay_run(f"{low}h", "natural " * 4).melds[1] == cards


@pytest.mark.parametrize("cards", ["Qh Kh Ah 2h", "Kh Ah 2h 3h", "2h 3h 4h 8h", "2h 3h 4h 5s"])
def test_v4_runs_do_not_wrap_and_have_four_cards_of_a_suit(liverpool, cards):
    """V4: such a hand has no contract of a set and a run."""
    table = liverpool(f"7c 7d 7s {cards} 9s 6d 4c", up="5d", stock="8c", contract=2, buys=0).play("draw_stock")
    assert not table.offers("set") | table.offers("run")


def test_v4_one_ace_does_not_serve_two_runs(liverpool):
    """V4: A-2-3-4 and J-Q-K-A of one suit want two aces."""
    low, high = "Ah 2h 3h 4h", "Jh Qh Kh"
    one = liverpool(f"{low} {high} 9s 6d 7c", up="5d", stock="8c", contract=3, buys=0).play("draw_stock")
    assert not one.offers("run")
    two = liverpool(f"{low} {high} 9s 6d 7c", up="5d", stock="Ah", contract=3, buys=0).play("draw_stock")
    assert two.offers("run") == {"run Ah"}
    two.lay_run("Ah", "natural " * 4)
    assert two.legal == {"run Jh"}
    assert two.lay_run("Jh", "natural " * 4).melds == ["Ah 2h 3h 4h", "Jh Qh Kh Ah"]


def test_v4_jokers_stand_in_runs_and_sets(liverpool):
    """V4: at any place of a run; in a set they come last."""
    table = liverpool("7c 7d JK 3h JK 5h 6h 9s Td 2c", up="5s", stock="8s", contract=2, buys=0).play("draw_stock")
    table.play("set 7", "fill c", "fill d")
    assert table.legal == {"fill JK"}
    table.play("fill JK", "run 3h", "fill natural")
    assert table.legal == {"fill JK"}
    assert table.play("fill JK", "fill natural", "fill natural").melds == ["7c 7d JK", "3h JK 5h 6h"]


def test_v4_a_natural_is_in_each_meld(liverpool):
    """V4: four jokers and four naturals: neither a set nor a run is of jokers alone."""
    hand = "7c JK JK 3h JK JK 6h 9s Td 2c"
    table = liverpool(hand, up="5s", stock="8d", contract=2, buys=0).play("draw_stock", "set 7")
    assert table.legal == {"fill c"}
    table.play("fill c", "fill JK", "fill JK", "run 3h")
    assert table.legal == {"fill natural"}
    table.play("fill natural", "fill JK", "fill JK", "fill natural")
    assert table.melds == ["7c JK JK", "3h JK JK 6h"]


def test_v4_a_run_of_three_jokers_has_its_natural_at_the_end(liverpool):
    """V4: what would leave no natural is not offered."""
    hand = "7c 7d 7s JK JK JK 6h 9s Td 2c"
    table = liverpool(hand, up="5s", stock="8d", contract=2, buys=0).play("draw_stock").lay_set("7", "cds")
    table.play("run 3h", "fill JK", "fill JK", "fill JK")
    assert table.legal == {"fill natural"}


# V5 ------------------------------------------------------------------------------------------------------------------


def test_v5_half_a_contract_is_not_offered(liverpool):
    """V5: a set and no second one."""
    table = liverpool("7c 7d 7h 7s 9c 9d Kh Ts 2d 4s", up="Qs", stock="As", buys=0).play("draw_stock")
    assert table.legal == {f"discard {card}" for card in "7c 7d 7h 7s 9c 9d Kh Ts 2d 4s As".split()}


def test_v5_nothing_else_is_done_until_the_contract_lies(liverpool):
    """V5: neither a discard nor a lay-off."""
    table = liverpool("7c 7d 7h 7s 9c 9d 9h Ts 2d 4s", up="Qs", stock="As", buys=0).play("draw_stock")
    table.lay_set("7", "cdh")
    assert table.legal == {"set 9"}
    assert table.view["owed"][0] == {"sets": 1, "runs": 0}
    assert table.view["opened"][0] is False
    table.lay_set("9", "cdh")
    assert table.legal == {"lay_off_set 7s", *(f"discard {card}" for card in "7s Ts 2d 4s As".split())}


def test_v5_sets_come_first_and_melds_rise(liverpool):
    """V5: one order for what can be laid in any."""
    hand = "7c 7d 7h 9c 9d 9h 3s 4s 5s 6s Kd Jc"
    table = liverpool(hand, up="Qs", stock="As", contract=5, buys=0).play("draw_stock")
    assert table.offers("set") | table.offers("run") == {"set 7"}
    assert table.lay_set("7", "cdh").legal == {"set 9"}
    assert table.lay_set("9", "cdh").legal == {"run 3s"}


def test_v5_two_sets_of_one_rank(liverpool):
    """V5, V4: six sevens are two sets; four and two jokers as well."""
    table = liverpool("7c 7d 7h 7s 7c 7d Kh Ts 2d 4s", up="Qs", stock="As", buys=0).play("draw_stock")
    assert table.lay_set("7", "ccd").lay_set("7", "dhs").melds == ["7c 7c 7d", "7d 7h 7s"]
    table = liverpool("7c 7d 7h 7s JK JK Kh Ts 2d 4s", up="Qs", stock="As", buys=0).play("draw_stock")
    table.play("set 7", "fill c", "fill d", "fill h", "set 7", "fill s", "fill JK", "fill JK")
    assert table.melds == ["7c 7d 7h", "7s JK JK"]


def test_v5_laying_off_needs_the_contract(liverpool):
    """V5: the second seat holds what fits, and has not laid its own."""
    first = "7c 7d 7h 9c 9d 9h Kh Ts 2d 4s"
    table = liverpool([first, "7s 9s 2c 5d 8h Js Kd 3h 6s 4c"], up="Qs", stock="As Qc", buys=0).play("draw_stock")
    table.lay_set("7", "cdh").lay_set("9", "cdh").play("discard As", "draw_stock")
    assert all(name.startswith("discard") for name in table.legal)


def test_v5_after_it_no_further_melds(liverpool):
    """V5: three kings stay in the hand; what fits is laid off on one's own melds and on others'."""
    first = "7c 7d 7h 9c 9d 9h Kh Kd Ks 4s"
    second = "7s 3c 3d 3h 5c 5d 5h 9s Jd Ks"
    table = liverpool([first, second], up="Qs", stock="4d Qc 2s Tc Td 5s", buys=0).play("draw_stock")
    table.lay_set("7", "cdh").lay_set("9", "cdh")
    assert not table.offers("set") | table.offers("run")
    table.play("discard 4d", "draw_stock").lay_set("3", "cdh").lay_set("5", "cdh")
    assert table.offers("lay_off_set") == {"lay_off_set 7s", "lay_off_set 9s"}
    table.play("lay_off_set 7s", "discard Jd", "draw_stock", "discard 2s", "draw_stock")
    assert table.view["seat"] == 0
    assert not table.offers("set") | table.offers("run") | table.offers("lay_off_set")
    table.play("discard Tc", "draw_stock", "discard Td", "draw_stock")
    assert table.view["melds"][0]["cards"] == ["7c", "7d", "7h", "7s"]


def test_v5_runs_are_laid_off_on_at_both_ends(liverpool):
    """V5, V4: an ace above the king and one below the two, and nothing beyond them."""
    hand = "2h 3h 4h 5h Th Jh Qh Kh Ah Ah"
    table = liverpool(hand, up="5s", stock="8s", contract=3, buys=0).play("draw_stock")
    table.lay_run("2h", "natural " * 4).lay_run("Th", "natural " * 4)
    assert table.offers("lay_off_run") == {"lay_off_run Ah above", "lay_off_run Ah below"}
    table.play("lay_off_run Ah above")
    assert table.offers("lay_off_run") == {"lay_off_run Ah below"}
    table.play("lay_off_run Ah below")
    assert table.melds == ["Ah 2h 3h 4h 5h", "Th Jh Qh Kh Ah"]
    assert table.legal == {"discard 8s"}


def test_v5_a_joker_may_stand_for_an_ace_at_either_end(liverpool):
    """V5, V4: also in place of an ace that is in the hand."""
    hand = "2h 3h 4h 5h Th Jh Qh Kh Ah JK JK 9s"
    table = liverpool(hand, up="5s", stock="8s", contract=3, buys=0).play("draw_stock")
    table.lay_run("2h", "natural " * 4).lay_run("Th", "natural " * 4).play("lay_off_run Ah above")
    assert table.legal == {"fill natural", "fill JK"}
    table.play("fill JK")
    assert "lay_off_run Ah above" not in table.legal
    table.play("lay_off_run Ah below", "fill JK")
    assert table.melds == ["JK 2h 3h 4h 5h", "Th Jh Qh Kh JK"]


def test_v5_the_ace_takes_the_place_of_either_joker(liverpool):
    """V5: one ace frees one joker, and for the other there is no ace."""
    hand = "2h 3h 4h 5h Th Jh Qh Kh Ah JK JK 9s"
    table = liverpool(hand, up="5s", stock="8s", contract=3, buys=0).play("draw_stock")
    table.lay_run("2h", "natural " * 4).lay_run("Th", "natural " * 4)
    table.play("lay_off_run Ah above", "fill JK", "lay_off_run Ah below", "fill JK")
    assert table.offers("swap_wild") == {"swap_wild Ah JK"}
    table.play("swap_wild Ah JK")
    assert sorted(table.melds) == ["Ah 2h 3h 4h 5h", "Th Jh Qh Kh JK"]
    assert table.hand(0) == ["8s", "9s", "JK"]
    assert not table.offers("swap_wild")


def test_v5_the_ace_takes_the_place_of_a_joker_above_the_king(liverpool):
    """V5: where there is no other."""
    hand = "2h 3h 4h 5h Jh Qh Kh Ah JK 9s"
    table = liverpool(hand, up="5s", stock="8s", contract=3, buys=0).play("draw_stock")
    table.lay_run("2h", "natural " * 4).lay_run("Jh", "natural natural natural JK").play("swap_wild Ah JK")
    assert table.melds == ["2h 3h 4h 5h", "Jh Qh Kh Ah"]
    assert table.hand(0) == ["8s", "9s", "JK"]
    assert table.offers("lay_off_run") == {f"lay_off_run {end}" for end in ("Ah below", "6h above", "Th below")}


def test_v5_a_joker_is_swapped_out_of_a_run_but_not_out_of_a_set(liverpool):
    """V5: it comes to the hand and may be laid again at once, also on a set."""
    first = "7c 7d JK 3h JK 5h 6h 9s Td 2c"
    second = "7s 7h 4h 8c 8d 8h Tc Jc Qc Kc"
    table = liverpool([first, second], up="5s", stock="8s Qs", contract=2, buys=0).play("draw_stock")
    table.play("set 7", "fill c", "fill d", "fill JK", "run 3h", "fill natural", "fill JK")
    table.play("fill natural", "fill natural", "discard 8s", "draw_stock")
    table.lay_set("8", "cdh").lay_run("Tc", "natural " * 4)
    assert table.offers("swap_wild") == {"swap_wild 4h JK"}
    table.play("swap_wild 4h JK")
    assert table.offers("lay_off_set") == {
        *("lay_off_set 7s", "lay_off_set 7h", "lay_off_set JK 7", "lay_off_set JK 8")
    }
    table.play("lay_off_set JK 8")
    assert table.melds == ["7c 7d JK", "3h 4h 5h 6h", "8c 8d 8h JK", "Tc Jc Qc Kc"]


# V7 ------------------------------------------------------------------------------------------------------------------


def test_v7_a_card_is_kept_for_the_discard(liverpool):
    """V7: six cards are no contract of two sets; with a seventh they are, and that one goes out."""
    six = "7c 7d 7h 9c 9d"
    table = liverpool(six, up="Qs", stock="9h", buys=0).play("draw_stock")
    assert not table.offers("set")
    table = liverpool(f"{six} 9h", up="Qs", stock="As", buys=0).play("draw_stock")
    table.lay_set("7", "cdh").lay_set("9", "cdh")
    assert table.legal == {"discard As"}
    assert table.play("discard As").ended == "terminated"
    assert table.view["out"] == 0


def test_v7_the_last_card_is_not_laid_off(liverpool):
    """V7: in the first six rounds."""
    table = liverpool("7c 7d 7h 9c 9d 9h 7s", up="Qs", stock="9s", buys=0).play("draw_stock")
    table.lay_set("7", "cdh").lay_set("9", "cdh").play("lay_off_set 7s")
    assert table.legal == {"discard 9s"}


SEVENTH = "6c 7c 8c 9c 2d 3d 4d 5d 8h 9h Th"


def test_v7_in_the_seventh_round_one_goes_out_by_the_last_meld(liverpool):
    """V7: twelve cards are three runs, and nothing is left."""
    table = liverpool(SEVENTH, up="Qs", stock="Jh", contract=7, buys=0).play("draw_stock")
    table.lay_run("6c", "natural " * 4).lay_run("2d", "natural " * 4).lay_run("8h", "natural " * 4)
    assert (table.ended, table.view["ended"], table.view["out"]) == ("terminated", "out", 0)
    assert table.view["hands"][0] == []


def test_v7_in_the_seventh_round_one_goes_out_by_the_last_lay_off(liverpool):
    """V7: or discards it."""
    table = liverpool(f"{SEVENTH} Jh", up="Qs", stock="Qh", contract=7, buys=0).play("draw_stock")
    table.lay_run("6c", "natural " * 4).lay_run("2d", "natural " * 4).lay_run("8h", "natural " * 4)
    assert table.legal == {"lay_off_run Qh above", "discard Qh"}
    assert table.clone().play("discard Qh").view["out"] == 0
    table.play("lay_off_run Qh above")
    assert (table.ended, table.view["out"]) == ("terminated", 0)


@pytest.mark.parametrize("contract", [3, 6])
def test_v7_the_sixth_round_and_those_before_keep_a_card(liverpool, contract):
    """V7: what the seventh lets one lay is refused there."""
    hand = {3: "6c 7c 8c 9c 2d 3d 4d", 6: "6c 7c 8c 9c 2d 3d 4d Qh Qd Qc"}[contract]
    table = liverpool(hand, up="Ks", stock="5d", contract=contract, buys=0).play("draw_stock")
    assert not table.offers("run") | table.offers("set")
