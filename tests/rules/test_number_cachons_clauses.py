"""N1-N4, N6-N9, N11, N13-N15: the pack, the turn, melds, and what they count."""

from __future__ import annotations

from collections import Counter

import pytest

ID = "number_cachons_v0"

# Seat 0 has a run and a card over, seat 1 a run worth more.
LOW, HIGH = "b1 b2 b3 r9", "g10 g11 g12 y3"


def row(table, seat):
    """The pieces of a seat's row: name -> integers."""
    layout = table.u.game.observation
    observation = table.u.observe(table.u.possible_agents[seat])["observation"] / layout.scale
    return {piece.name: observation[layout.slice(piece.name)].round().astype(int) for piece in layout.pieces}


def both_melded(numbers, last="y3", **options):
    """Seat 0 goes out with b1-b4 on the table (20 points), seat 1 has g10-g12 there (30) and `last` in hand.

    One more hand may be given; its seat draws r1 and discards it.
    """
    hands = [LOW, f"g10 g11 g12 {last}", *options.pop("more", [])]
    rest = len(hands) - 2
    stock = ["y8", "y10", *["r1"] * rest, "r5", "b12", *["r1"] * rest, "b4"]
    table = numbers(hands, up="y12", stock=" ".join(stock), **options)
    table.play("draw_stock", "discard y8", "draw_stock").lay_run("g10").play("discard y10", "announce")
    table.play(*["draw_stock", "discard r1"] * rest)
    table.play("draw_stock").lay_run("b1").play("discard r9", "announce", "draw_stock", "discard b12", "announce")
    table.play(*["draw_stock", "discard r1"] * rest)
    return table.play("draw_stock", "lay_off_run b4 above", "discard r5")


# N1-N4 ---------------------------------------------------------------------------------------------------------------


def test_n1_two_to_eight_players(shuffled):
    """N1: four by default."""
    assert len(shuffled(ID).view["hands"]) == 4
    for seats in range(2, 9):
        assert len(shuffled(ID, num_players=seats).view["hands"]) == seats
    for seats in (1, 9):
        with pytest.raises(ValueError, match=f"num_players={seats}: allowed are integers from 2 to 8"):
            shuffled(ID, num_players=seats)


def test_n2_96_cards_of_four_colours(shuffled):
    """N2: 1 to 12 in four colours, twice; no wilds."""
    view = shuffled(ID).view
    cards = Counter(card for pile in (*view["hands"], view["pile"], view["stock"]) for card in pile)
    assert cards == {f"{colour}{number}": 2 for colour in "bgry" for number in range(1, 13)}


@pytest.mark.parametrize(("colours", "copies", "size"), [(2, 2, 48), (3, 1, 36), (4, 3, 144), (2, 7, 168)])
def test_n2_colours_and_copies_are_options(shuffled, colours, copies, size):
    """N2: the pack of other houses."""
    view = shuffled(ID, num_players=3, colours=colours, copies=copies).view
    cards = Counter(card for pile in (*view["hands"], view["pile"], view["stock"]) for card in pile)
    assert cards == {f"{colour}{n}": copies for colour in "bgry"[:colours] for n in range(1, 13)}
    assert cards.total() == size


def test_n2_packs_that_are_too_small_or_large_are_refused(shuffled):
    """N2: 48 cards do not deal eight to each of six, with one to turn; 192 are too many."""
    with pytest.raises(
        ValueError, match=r"hand_size=8: allowed are integers from 1 to 7 for 6 players, colours=2, cop"
    ):
        shuffled(ID, num_players=6, colours=2)
    with pytest.raises(ValueError, match="copies=4: allowed are integers from 1 to 3 with 4 colours"):
        shuffled(ID, copies=4)


def test_n3_eight_cards_each_and_one_turned(shuffled):
    """N3: 4 x 8 cards, one turned, 63 left; seat 0, left of the dealer, begins."""
    view = shuffled(ID).view
    assert [len(hand) for hand in view["hands"]] == [8, 8, 8, 8]
    assert (len(view["pile"]), len(view["stock"])) == (1, 63)
    assert (view["dealer"], view["seat"], view["phase"]) == (3, 0, "draw")


def test_n4_one_card_of_the_stock_or_the_whole_pile(numbers):
    """N4: also when the pile is one card."""
    table = numbers([LOW, HIGH], up="y12", stock="r4 r6")
    assert table.legal == {"draw_stock", "draw_pile"}
    one = table.clone().play("draw_pile")
    assert (one.hand(0), one.view["pile"]) == (sorted([*LOW.split(), "y12"]), [])
    table.play("draw_stock", "discard r4", "draw_stock", "discard r6")
    assert table.legal == {"draw_stock", "draw_pile"}
    table.play("draw_pile")
    assert (table.hand(0), table.view["pile"]) == (sorted([*LOW.split(), "y12", "r4", "r6"]), [])


# N6-N9 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["b7 g7 r7", "b7 b7 g7", "g7 r7 r7", "r7 y7 y7"])
def test_n6_a_set_is_three_of_a_number_equal_cards_too(numbers, cards):
    """N6: of any colours."""
    table = numbers([f"{cards} b1", HIGH], up="y12", stock="r4")
    table.play("draw_stock").lay_set("7", "".join(card[0] for card in cards.split()))
    assert table.melds == [cards]


def test_n6_a_set_is_laid_in_one_way(numbers):
    """N6, G6: colours never descend, so of b7 g7 g7 r7 there are three sets of three."""
    table = numbers(["g7 b7 r7 g7 b1", "g10 g11 g12 y3 y5"], up="y12", stock="r4").play("draw_stock", "set 7")
    assert table.legal == {"fill b", "fill g"}
    assert table.clone().play("fill g").legal == {"fill g"}
    table.play("fill b")
    assert table.legal == {"fill g"}
    table.play("fill g")
    assert table.legal == {"fill g", "fill r"}


@pytest.mark.parametrize("cards", ["b7 g7", "b11 b12 b1", "b11 b12 g1", "b1 b2 b12", "b4 b5 g6", "b4 b6 b7", "b4 b5"])
def test_n6_what_is_no_meld(numbers, cards):
    """N6: two of a number; no wrap from 12 to 1; one colour; consecutive; three at least."""
    other = "g10 y3 r3".split()[: len(cards.split())]
    table = numbers([cards, " ".join(other)], up="y12", stock="r10").play("draw_stock")
    assert table.offers("run") | table.offers("set") == set()


def test_n6_longer_runs_and_equal_cards_in_two_runs(numbers):
    """N6: b3-b4-b5-b6, and a second b3-b4-b5 beside it."""
    table = numbers(["b3 b3 b4 b4 b5 b5 b6 r9", "g10 g11 g12 y3 y5 y7 r1 r2"], up="y12", stock="r4")
    table.play("draw_stock").lay_run("b3").play("lay_off_run b6 above").lay_run("b3")
    assert table.melds == ["b3 b4 b5 b6", "b3 b4 b5"]


def test_n7_who_has_melded_lays_off_on_any_meld(numbers):
    """N7: on either end of a run and on a set, one's own or another's; before one's first meld nowhere."""
    hands = ["b4 b5 b6 g9 r9 y9 r1 r2", "b3 b7 y9 g2 y2 r2 y6 y7"]
    table = numbers(hands, up="y12", stock="b7 y4")
    table.play("draw_stock").lay_run("b4")
    assert table.offers("lay_off_run") == {"lay_off_run b7 above"}
    table.play("lay_off_run b7 above").lay_set("9", "gry")
    table.play("discard r1", "announce", "draw_stock")
    assert table.offers("lay_off_run") | table.offers("lay_off_set") == set()
    table.lay_set("2", "gry")
    assert table.offers("lay_off_run") == {"lay_off_run b3 below"}
    assert table.offers("lay_off_set") == {"lay_off_set y9"}
    table.play("lay_off_run b3 below", "lay_off_set y9")
    assert table.melds == ["b3 b4 b5 b6 b7", "g9 r9 y9 y9", "g2 r2 y2"]


def test_n8_a_card_counts_for_who_laid_it(numbers):
    """N8: seat 0 lays 4, 5, 6 (15); seat 1 lays 2, 2, 2 (15), the three on seat 0's run (5) and its 8 there (10)."""
    table = numbers(["b4 b5 b6 b7 r9", "b3 b8 g2 r2 y2"], up="y12", stock="r1 y1")
    table.play("draw_stock").lay_run("b4")
    assert table.view["table_points"] == [15, 0]
    table.play("lay_off_run b7 above", "discard r1", "announce", "draw_stock").lay_set("2", "gry")
    table.play("lay_off_run b3 below", "lay_off_run b8 above")
    assert table.view["table_points"] == [20, 30]
    for seat, (mine, other) in enumerate([(20, 30), (30, 20)]):
        pieces = row(table, seat)
        assert (pieces["table_points"], pieces["other_1_table_points"]) == (mine, other)


def test_n9_a_turn_ends_with_a_discard(numbers):
    """N9: the next seat is not to act before."""
    table = numbers([LOW, HIGH], up="y12", stock="r4").play("draw_stock").lay_run("b1")
    assert table.legal == {"discard r4", "discard r9"}
    table.play("discard r4", "announce")
    assert (table.view["seat"], table.view["phase"]) == (1, "draw")


@pytest.mark.parametrize("how", ["run", "set", "lay_off_run", "lay_off_set"])
def test_n9_one_may_go_out_by_melding_everything(numbers, how):
    """N9: the round is over with the last card, whether a new meld or a lay-off took it."""
    hand, fourth = {
        "run": ("b4 b5", "b6"),
        "set": ("b4 g4", "y4"),
        "lay_off_run": ("b4 b5 b6", "b7"),
        "lay_off_set": ("b4 g4 r4", "r4"),
    }[how]
    table = numbers([hand, "y6 y9 r1"[: len(hand)]], up="y12", stock=fourth).play("draw_stock")
    if "run" in how:
        table.lay_run("b4")
    else:
        table.lay_set("4", "bgy" if how == "set" else "bgr")
    if how.startswith("lay_off"):
        table.play({"lay_off_run": "lay_off_run b7 above", "lay_off_set": "lay_off_set r4"}[how])
    assert (table.ended, table.view["ended"], table.view["out"]) == ("terminated", "out", 0)
    assert table.view["pile"] == ["y12"]
    assert table.view["hands"][0] == []


def test_n9_a_meld_may_leave_one_card_to_be_discarded(numbers):
    """N9: nothing needs to be kept, and what is left is discarded."""
    table = numbers(["b4 b5 b6", "y6 y9 r1"], up="y12", stock="r4").play("draw_stock").lay_run("b4")
    assert table.legal == {"discard r4"}
    table.play("discard r4")
    assert (table.view["ended"], table.view["out"], table.view["pile"]) == ("out", 0, ["y12", "r4"])


# N11 -----------------------------------------------------------------------------------------------------------------


def test_n11_only_the_top_of_the_pile_is_shown(numbers):
    """N11: neither the row nor the text tells a seat what lies below the top."""
    for view, shown in (("top", False), ("all", True)):
        table = numbers([LOW, HIGH], up="y12", stock="r4 r6", pile_view=view, render_mode="ansi")
        table.play("draw_stock", "discard r4")
        assert ("pile" in table.u.game.observation) is shown
        text = table.u.render(viewer="player_1").splitlines()[1]
        assert text.endswith("[r4] y12" if shown else "[r4]")
        assert row(table, 1)["pile_size"] == 2


@pytest.mark.parametrize("view", ["top", "all"])
def test_n11_games_that_differ_below_the_top_look_alike(numbers, view):
    """N11: the same moves over another covered card, to the taker's opponent after the pile was taken, too."""
    seen = []
    for up in ("y12", "y11"):
        table = numbers([LOW, HIGH], up=up, stock="r4 r6", pile_view=view, render_mode="ansi")
        table.play("draw_stock", "discard r4")
        found = [told(table.u, f"player_{seat}") for seat in (0, 1)]
        table.play("draw_pile")
        seen.append([*found, told(table.u, "player_0")])
    assert (seen[0] == seen[1]) is (view == "top")


def told(u, agent):
    """Row, mask and text of an agent."""
    said = u.observe(agent)
    return said["observation"].tolist(), said["action_mask"].tolist(), u.render(viewer=agent)


def test_n11_of_a_pile_that_was_taken_only_the_top_is_known(numbers):
    """N11: seat 1 is told that r4 is in seat 0's hand, and not of y12 and r6; `determinize` deals it all three."""
    for view, known in (("top", ["r6"]), ("all", ["r4", "r6", "y12"])):
        table = numbers([LOW, HIGH], up="y12", stock="r4 r6", pile_view=view, render_mode="ansi")
        table.play("draw_stock", "discard r4", "draw_stock", "discard r6", "draw_pile")
        assert sorted(table.view["known"][0]) == known
        assert row(table, 1)["other_1_known"].sum() == len(known)
        assert f" {' '.join(['??'] * (7 - len(known)))}" in table.u.render(viewer="player_1")
        worlds = [table.u.determinize("player_1", seed).view()["hands"][0] for seed in range(8)]
        assert all({"r4", "r6", "y12"} <= set(hand) for hand in worlds)
        assert len({tuple(hand) for hand in worlds}) > 1
    table.play("discard r6")
    assert sorted(table.view["known"][0]) == ["r4", "y12"]


# N13-N15 -------------------------------------------------------------------------------------------------------------


def test_n13_the_round_ends_when_the_first_player_has_no_cards(numbers):
    """N13: nobody draws after that."""
    table = both_melded(numbers)
    assert (table.ended, table.view["ended"], table.view["out"]) == ("terminated", "out", 0)
    assert table.hand(1) == ["y3"]


def test_n14_points_on_the_table_less_points_in_hand(numbers):
    """N14: 20 - 0 for seat 0 that went out, 30 - 5 for seat 1, who wins; one unit of reward is 100 points."""
    table = both_melded(numbers)
    assert table.view["scores"] == [20, 25]
    assert table.view["winners"] == [1]
    assert table.rewards == pytest.approx([-0.05, 0.05])
    assert both_melded(numbers, reward="win").rewards == pytest.approx([-1, 1])


def test_n14_tied_winners_share(numbers):
    """N14, G4: 20 and 30 - 10 are a tie."""
    table = both_melded(numbers, last="y9")
    assert table.view["scores"] == [20, 20]
    assert table.view["winners"] == [0, 1]
    assert both_melded(numbers, last="y9", reward="win").rewards == pytest.approx([0, 0])


def test_n14_two_of_three_share_what_the_third_loses(numbers):
    """N14, G4: each of the tied gets (3-2)/(2x2), the third loses 1/2; r2 r4 y1 and y11 are 25 points in hand."""
    table = both_melded(numbers, last="y9", more=["r2 r4 y1 y11"], reward="win")
    assert table.view["scores"] == [20, 20, -25]
    assert table.view["winners"] == [0, 1]
    assert table.rewards == pytest.approx([0.25, 0.25, -0.5])


def test_n14_the_points_of_each_number(shuffled):
    """N14: 1-7 five, 8-12 ten."""
    pack = shuffled(ID).u.game.pack
    points = dict(zip(pack.labels, pack.type_points.tolist(), strict=True))
    assert {number: points[f"g{number}"] for number in range(1, 13)} == {
        **dict.fromkeys(range(1, 8), 5),
        **dict.fromkeys(range(8, 13), 10),
    }


def test_n14_at_the_cap_nobody_wins(numbers, count_points):
    """N14, G3: scored as it lies: a run of 15 less two cards, and four cards left of HIGH, y3 the least."""
    table = numbers([LOW, HIGH], up="y12", stock="r4 r6", max_turns=1)
    table.play("draw_stock").lay_run("b1").play("discard r4", "announce", "draw_stock", "discard r6")
    assert (table.ended, table.view["winners"]) == ("truncated", [])
    assert table.view["scores"] == [15 - 10, -35] == [15 - count_points(ID, ["r9"]), -count_points(ID, HIGH.split())]


def test_n15_a_match_is_rounds_and_one_by_default(shuffled):
    """N15: `rounds` rounds, their points added up; the most win."""
    assert shuffled(ID).u.game.options["rounds"] == 1
    for rounds in (1, 3):
        table = shuffled(ID, num_players=2, match=True, rounds=rounds, max_turns=1)
        scores = [0, 0]
        for number in range(rounds):
            assert (table.ended, table.view["round"], table.view["dealer"]) == (None, number, (number + 1) % 2)
            for _ in range(2):
                drawn = table.view["stock"][0]
                table.play("draw_stock", f"discard {drawn}")
            scores = [a + b for a, b in zip(scores, table.view["round_scores"], strict=True)]
        assert table.ended == "terminated"
        assert table.view["scores"] == scores
        assert table.view["winners"] == [seat for seat in (0, 1) if scores[seat] == max(scores)]


def test_n15_scores_that_a_row_cannot_hold_are_refused(shuffled):
    """N15: 48 rounds of 680 points are shown, 48 of 1020 are not."""
    assert shuffled(ID, match=True, rounds=48).view["round"] == 0
    with pytest.raises(ValueError, match="rounds=48: a score could reach 48960; at most 32767"):
        shuffled(ID, match=True, rounds=48, copies=3)
