"""G3: the turn cap."""

from __future__ import annotations

import pytest

GAMES = ["rummy_v0", "cachons_v0"]


@pytest.mark.parametrize(("id", "seats", "turns"), [("rummy_v0", 2, 200), ("rummy_v0", 3, 300), ("cachons_v0", 2, 200)])
def test_g3_the_round_stops_after_100_turns_of_each_seat(shuffled, id, seats, turns):
    """G3: 100 turns per seat by default; a top that is drawn and discarded for ever ends there, as a truncation."""
    table = shuffled(id, seed=11, num_players=seats)
    hands, top = table.view["hands"], table.view["pile"][-1]
    for turn in range(turns):
        assert (table.ended, table.view["turns"], table.view["turn"]) == (None, turn, turn % seats)
        table.play("draw_top", f"discard {top}")
    assert (table.ended, table.view["turns"]) == ("truncated", turns)
    assert table.view["hands"] == hands


@pytest.mark.parametrize("id", [*GAMES, "number_cachons_v0"])
@pytest.mark.parametrize(("max_turns", "seats"), [(1, 2), (1, 4), (2, 3), (7, 2)])
def test_g3_max_turns_counts_the_turns_of_each_seat(shuffled, id, max_turns, seats):
    """G3: the option is turns per seat."""
    table = shuffled(id, num_players=seats, max_turns=max_turns)
    for _ in range(max_turns * seats):
        assert table.ended is None
        drawn = table.view["stock"][0]
        table.play("draw_stock", f"discard {drawn}")
    assert table.ended == "truncated"


def test_g3_rummy_is_scored_as_it_lies_with_nobody_out(rummy):
    """G3: 2s 4h Kd are 16 points, Ac 9d Jh are 20; melds on the table count nothing; nobody has won."""
    table = rummy(["7c 7d 7h 2s 4h Kd", "Ac 9d Jh 3s 5s 8c"], up="9s", stock="As 9h", max_turns=1)
    table.play("draw_stock").lay_set("7", "cdh").play("discard As")
    table.play("draw_stock", "discard 9h")
    assert table.ended == "truncated"
    assert table.view["ended"] == "cap"
    assert (table.view["out"], table.view["winners"]) == (None, [])
    assert table.view["scores"] == [-16, -36]
    assert table.rewards == pytest.approx([20 / 50, -20 / 50])


def test_g3_cachons_is_scored_as_it_lies_with_nobody_out(cachons):
    """G3: 9d 3h are 15 points, Ah JK 5s 5s 2 8d Kc are 120."""
    hands = ["3c 4c 5c 6c 7c 9d 3h", "Ah JK 5s 5s 2 8d Kc"]
    table = cachons(hands, up="Td", stock="Th Ts", max_turns=1)
    table.play("draw_stock").lay_run("3c", "natural " * 5).play("discard Th", "draw_stock", "discard Ts")
    assert table.ended == "truncated"
    assert (table.view["ended"], table.view["out"], table.view["winners"]) == ("cap", None, [])
    assert table.view["scores"] == [-15, -120]
    assert table.rewards == pytest.approx([1.05, -1.05])


@pytest.mark.parametrize("id", [*GAMES, "number_cachons_v0"])
def test_g3_a_truncated_round_pays_nothing_as_a_win(shuffled, id):
    """G3: never a win, so `reward="win"` pays nobody."""
    table = shuffled(id, num_players=3, max_turns=1, reward="win")
    for _ in range(3):
        drawn = table.view["stock"][0]
        table.play("draw_stock", f"discard {drawn}")
    assert table.ended == "truncated"
    assert table.rewards == [0, 0, 0]


def test_g3_claims_of_the_last_turn_are_asked_and_count(rummy):
    """G3: the last turn is played to its end; seat 1 takes 7s and is charged with it: 9 + 1 + 2 + 4 + 7."""
    table = rummy(
        ["8c Jc Qd Ks", "9c Ad 2h 4s", "7c 7d 7h 7s"], up="5c", stock="Td Th Ts", max_turns=1, claim_order="seat"
    )
    table.play("draw_stock", "discard Td", "draw_stock", "discard Th", "draw_stock").lay_set("7", "cdh")
    table.play("discard 7s")
    assert (table.ended, table.view["phase"], table.view["seat"]) == (None, "claim", 0)
    table.play("pass", "claim")
    assert table.ended == "truncated"
    assert table.hand(1) == ["2h", "4s", "7s", "9c", "Ad"]
    assert table.view["scores"] == [-38, -23, -10]


def test_g3_the_round_stops_when_all_pass_after_the_last_turn(rummy):
    """G3: the discard stays on the pile, and nobody draws any more."""
    table = rummy(["8c Jc Qd Ks", "7c 7d 7h 7s"], up="5c", stock="Td Ts", max_turns=1)
    table.play("draw_stock", "discard Td", "draw_stock").lay_set("7", "cdh").play("discard 7s", "pass")
    assert table.ended == "truncated"
    assert table.view["pile"] == ["5c", "Td", "7s"]
    assert table.view["scores"] == [-38, -10]


def test_g3_who_goes_out_in_the_last_turn_wins_rummy(rummy):
    """G3: going out in it is a win as usual, not a truncation."""
    table = rummy(["8c Jc Qd", "7c 7d 7h"], up="5c", stock="Td Ts", max_turns=1, reward="win")
    table.play("draw_stock", "discard Td", "draw_stock").lay_set("7", "cdh").play("discard Ts")
    assert table.ended == "terminated"
    assert (table.view["ended"], table.view["out"], table.view["winners"]) == ("out", 1, [1])
    assert table.rewards == [-1, 1]


def test_g3_who_goes_out_in_the_last_turn_wins_cachons(cachons):
    """G3: the same there."""
    table = cachons(["8c Jc Qd Kh As", "4h 5h 6h 7h 8h"], up="5c", stock="Td Ts", max_turns=1, reward="win")
    table.play("draw_stock", "discard Td", "draw_stock").lay_run("4h", "natural " * 5).play("discard Ts")
    assert table.ended == "terminated"
    assert (table.view["ended"], table.view["out"], table.view["winners"]) == ("out", 1, [1])
    assert table.rewards == [-1, 1]


@pytest.mark.parametrize("id", GAMES)
def test_g3_a_match_goes_on_after_a_round_that_was_stopped(deal, id):
    """G3: the stopped round is scored, 5 for 5s and 10 for Ks in both games, and the next one has all its turns."""
    table = deal(id, ["5s", "Ks"], up="6c", stock="Td Th", max_turns=1, match=True, target=1000)
    table.play("draw_stock", "discard Td", "draw_stock", "discard Th")
    assert table.ended is None
    assert table.view["scores"] == table.view["round_scores"] == [-5, -10]
    assert (table.view["round"], table.view["turns"], table.view["phase"]) == (1, 0, "draw")
    assert table.rewards == pytest.approx([0.1, -0.1] if id == "rummy_v0" else [0.05, -0.05])
    for _ in range(2):
        assert table.view["round"] == 1
        table.play("draw_stock", f"discard {table.view['hands'][table.view['seat']][0]}")
    assert table.view["round"] == 2
