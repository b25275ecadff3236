"""N5: who takes the pile must lay a new meld in that turn."""

from __future__ import annotations

import pytest

ID = "number_cachons_v0"
IDLE = "r3 y9 b12 g8"


def test_n5_a_new_run_does_the_duty(numbers):
    """N5: g5 g6 and the pile's g7."""
    table = numbers(["g5 g6 b1 r9", IDLE], up="g7").play("draw_pile")
    assert (table.view["duty"], table.view["deductions"]) == (True, [0, 0])
    table.lay_run("g5")
    assert table.view["duty"] is False
    table.play("discard b1", "announce")
    assert table.view["deductions"] == [0, 0]


def test_n5_a_new_set_does_the_duty(numbers):
    """N5: also one that has nothing to do with the pile's cards."""
    table = numbers(["g5 b5 y5 r9", IDLE], up="g12").play("draw_pile").lay_set("5", "bgy")
    assert table.view["duty"] is False
    table.play("discard g12", "announce")
    assert table.view["deductions"] == [0, 0]


def test_n5_no_meld_costs_50_points_at_the_end_of_the_turn(numbers):
    """N5: taking the pile is allowed; the score is 10 + 10 + 5 in hand and 50 less, against 35 in hand."""
    table = numbers(["g11 b1 r9", "r3 y9 b12"], up="g7", stock="y8", max_turns=1).play("draw_pile")
    assert (table.view["duty"], table.view["deductions"]) == (True, [0, 0])
    table.play("discard g7")
    assert (table.view["duty"], table.view["deductions"]) == (False, [1, 0])
    table.play("draw_stock", "discard y8")
    assert table.view["scores"] == [-25 - 50, -25]
    assert table.rewards == pytest.approx([-0.5, 0.5])


def test_n5_each_turn_costs_again(numbers):
    """N5: twice 50."""
    table = numbers(["g11 b1 r9", "r3 y9 b12"], up="g7", stock="y8", max_turns=2)
    table.play("draw_pile", "discard g7", "draw_stock", "discard y8", "draw_pile", "discard y8")
    assert table.view["deductions"] == [2, 0]
    table.play("draw_pile", "discard y8")
    assert table.view["deductions"] == [2, 1]
    assert table.view["scores"] == [-25 - 5 - 100, -25 - 50]


def test_n5_drawing_from_the_stock_is_no_duty(numbers):
    """N5: "om man tar fra Bunken"."""
    table = numbers(["g11 b1 r9", "r3 y9 b12"], up="g7", stock="y8").play("draw_stock")
    assert table.view["duty"] is False
    assert table.play("discard y8").view["deductions"] == [0, 0]


def melded_and_takes(numbers):
    """Seat 0 has laid g5-g7 and discarded g9, g3 is left; seat 1 has discarded g8; it takes g4, g9 and g8."""
    table = numbers(["g5 g6 g7 g3", IDLE], up="g4", stock="g9 b2")
    table.play("draw_stock").lay_run("g5").play("discard g9", "announce")
    return table.play("draw_stock", "discard g8", "draw_pile")


def test_n5_laying_off_does_not_do_it(numbers):
    """N5: who is out on the table must lay a new meld, too."""
    table = melded_and_takes(numbers)
    table.play("lay_off_run g8 above", "lay_off_run g9 above")
    assert table.view["duty"] is True
    table.play("discard g3", "announce")
    assert table.view["deductions"] == [1, 0]


def test_n5_going_out_by_laying_off_pays(numbers):
    """N5: g3 to g9 on the table are 45 points, less 50; seat 1 keeps r3 y9 b12 b2, 30 points."""
    table = melded_and_takes(numbers)
    table.play("lay_off_run g8 above", "lay_off_run g9 above", "lay_off_run g4 below", "lay_off_run g3 below")
    assert (table.view["ended"], table.view["out"], table.view["deductions"]) == ("out", 0, [1, 0])
    assert table.view["scores"] == [-5, -30]


def test_n5_going_out_by_the_discard_pays(numbers):
    """N5: the last card is discarded: 40 on the table, less 50."""
    table = melded_and_takes(numbers)
    table.play("lay_off_run g8 above", "lay_off_run g9 above", "lay_off_run g4 below", "discard g3")
    assert (table.view["out"], table.view["deductions"]) == (0, [1, 0])
    assert table.view["scores"] == [-10, -30]


def test_n5_a_further_meld_after_the_first_does_the_duty(numbers):
    """N5: y1 y2 and the pile's y3 are a new run of one who has melded before; going out by it costs nothing."""
    table = numbers(["g5 g6 g7 y1 y2", "r3 y9 b12 y3 r8"], up="y2", stock="b2 r1")
    table.play("draw_stock").lay_run("g5").play("discard b2", "draw_stock", "discard y3", "draw_pile")
    assert table.view["duty"] is True
    table.lay_run("y1")
    assert table.view["duty"] is False
    table.play("discard y2", "announce")
    assert table.view["deductions"] == [0, 0]


def test_n5_going_out_by_a_new_meld_costs_nothing(numbers):
    """N5: 15 points on the table."""
    table = numbers(["g5 g6", "r3 y9"], up="g7").play("draw_pile").lay_run("g5")
    assert (table.view["out"], table.view["deductions"], table.view["scores"]) == (0, [0, 0], [15, -15])


def no_stock(shuffled, **options):
    """36 cards, 35 of them dealt to five, one turned: r11. Seat 0 has b1-b3, g1-g3 and r12."""
    pack = [f"{colour}{number}" for colour in "bgr" for number in range(1, 13)]
    first = "b1 b2 b3 g1 g2 g3 r12".split()
    rest = [card for card in pack if card not in (*first, "r11")]
    deck = [card for i in range(7) for card in (first[i], *rest[4 * i : 4 * i + 4])]
    return shuffled(ID, deck=[*deck, "r11"], num_players=5, hand_size=7, colours=3, copies=1, **options)


def test_n5_the_only_card_to_be_had_costs_nothing(shuffled):
    """N5: the stock is empty and the pile one card, so it must be taken."""
    table = no_stock(shuffled)
    assert table.legal == {"draw_pile"}
    table.play("draw_pile")
    assert table.view["duty"] is False
    table.play("discard r11")
    assert table.view["deductions"] == [0] * 5


def test_n5_an_empty_stock_that_can_be_made_anew_is_to_be_had(shuffled):
    """N5, G2: of a pile of two cards the lower one makes a stock: taking the pile is a choice, and a duty."""
    deck = [f"{colour}{number}" for number in range(1, 13) for colour in "bg"]
    table = shuffled(ID, deck=deck, num_players=2, hand_size=11, colours=2, copies=1)
    assert table.view["stock"] == ["g12"]
    table.play("draw_stock", "discard g12")
    assert (table.view["stock"], table.view["pile"]) == ([], ["b12", "g12"])
    assert table.legal == {"draw_stock", "draw_pile"}
    table.play("draw_pile")
    assert table.view["duty"] is True


def test_n5_the_last_turn_before_the_cap_pays(numbers):
    """N5, G3: the turn is played to its end."""
    table = numbers(["g11 b1 r9", "r3 y9 b12"], up="g7", stock="y8", max_turns=1)
    table.play("draw_stock", "discard y8", "draw_pile", "discard y8")
    assert (table.ended, table.view["deductions"]) == ("truncated", [0, 1])
    assert table.view["scores"] == [-25, -25 - 5 - 50]


def test_n5_duty_and_deductions_are_observed(numbers):
    """N5: by all seats, from their own view; deductions are forgotten with the round."""
    table = numbers(["g11 b1 r9", "r3 y9 b12"], up="g7", stock="y8", max_turns=1, match=True, rounds=2)
    layout = table.u.game.observation

    def seen(seat, name):
        return round(float(table.u.observe(f"player_{seat}")["observation"][layout.offset(name)] * 1000))

    assert (seen(0, "duty"), seen(1, "duty")) == (0, 0)
    table.play("draw_pile")
    assert (seen(0, "duty"), seen(1, "duty")) == (1000, 1000)
    table.play("discard g7")
    assert (seen(0, "duty"), seen(1, "duty")) == (0, 0)
    assert (seen(0, "deductions"), seen(0, "other_1_deductions")) == (1000, 0)
    assert (seen(1, "deductions"), seen(1, "other_1_deductions")) == (0, 1000)
    table.play("draw_stock", "discard y8")
    assert (table.view["round"], table.view["deductions"]) == (1, [0, 0])
