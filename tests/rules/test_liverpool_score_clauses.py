"""V8: the score of Liverpool Rummy."""

from __future__ import annotations

import pytest

POINTS = dict(
    zip(
        "A23456789TJQK",
        (
            15,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            10,
            10,
            10,
        ),
        strict=True,
    )
) | {"JK": 15}


@pytest.mark.parametrize("card", ["JK", *(rank + "h" for rank in "A23456789TJQK")])
def test_v8_points_of_every_card(liverpool, card):
    """V8: ace and joker 15, face cards 10, others their number."""
    points = POINTS[card if card == "JK" else card[0]]
    table = liverpool(["4c", card, "9s"], up="6s", stock="8h", max_turns=1, buys=0).play("draw_stock", "discard 8h")
    table.play("draw_top", "discard 8h", "draw_top", "discard 8h")
    assert table.ended == "truncated"
    assert table.view["round_scores"] == [-4, -points, -9]


def test_v8_who_goes_out_wins_the_round(liverpool):
    """V8: with nothing left; the others pay for what they hold, in units of 100 points."""
    hands = ["7c 7d 7h 9c 9d 9h", "Ah Kh Qh Jh Th 9s", "JK 2c 3d 4h 5s 6c"]
    table = liverpool(hands, up="Qs", stock="As", buys=0).play("draw_stock").lay_set("7", "cdh").lay_set("9", "cdh")
    table.play("discard As")
    assert table.view["round_scores"] == [0, -64, -35]
    assert table.view["winners"] == [0]
    assert table.rewards == pytest.approx([0.495, -0.465, -0.03])


def test_v8_reward_win(liverpool):
    """V8: who goes out gets 1, each other half of it less than nothing, with three players."""
    hands = ["7c 7d 7h 9c 9d 9h", "Ah Kh Qh Jh Th 9s", "JK 2c 3d 4h 5s 6c"]
    table = liverpool(hands, up="Qs", stock="As", buys=0, reward="win").play("draw_stock")
    table.lay_set("7", "cdh").lay_set("9", "cdh").play("discard As")
    assert table.rewards == pytest.approx([1, -0.5, -0.5])


@pytest.mark.parametrize(
    ("before", "winners"), [([-150, -40, -60], [1]), ([-152, -50, -69], [0, 1, 2]), ([-90, -80, -70], [0])]
)
def test_v8_the_fewest_points_after_seven_rounds_win_the_match(liverpool, before, winners):
    """V8: whoever went out in the last of them, where the others lose 102 and 83; tied winners share (G4)."""
    first = "6c 7c 8c 9c 2d 3d 4d 5d 8h 9h Th Jh"
    hands = [first, "Ah Kh Qh Jh Th 9s 2c 2s Ks Kd Qc 4c", "JK 2c 3d 4h 5s 6c Td Ts Jd Js 3s 5c"]
    table = liverpool(hands, up="Qs", stock="As", match=True, buys=0).in_round(7, before).play("draw_stock")
    table.lay_run("6c", "natural " * 4).lay_run("2d", "natural " * 4).lay_run("8h", "natural " * 4)
    assert table.ended is None
    table.play("discard As")
    assert table.ended == "terminated"
    assert table.view["scores"] == [before[0], before[1] - 102, before[2] - 83]
    assert table.view["winners"] == winners
