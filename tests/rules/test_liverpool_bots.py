"""What `greedy` and `expert` go by in Liverpool Rummy, on decks dealt by hand."""

from __future__ import annotations

import pytest


def draw(table):
    """Seat 0 draws from the stock, and nobody buys."""
    table.play("draw_stock")
    while "pass" in table.legal:
        table.play("pass")
    return table


def test_an_ace_is_kept_for_a_run_above_the_king(liverpool):
    """V4: Q K A want a jack. The runs of contract 3 are nearer in clubs and diamonds; 6s helps nobody."""
    hand = "3c 4c 5c 7d 8d 9d Qh Kh Ah 2s"
    table = draw(liverpool(hand, up="Jc", stock="6s", contract=3))
    assert table.choice("greedy") == "discard 6s"


# The bot `expert`, and what `greedy` does where the two differ --------------------------------------------------------


@pytest.mark.parametrize(("known", "action"), [("", "buy"), ("5c 5d 5h 5s 5s", "pass")])
def test_a_purchase_must_bring_the_whole_contract_nearer(liverpool, known, action):
    """Contract 2: fives, and 9-J of spades that lack 8s or Qs. A run of clubs would take a five.

    That pays while another five can come, but not where others are known to hold them.
    """
    hands = ["2d 3d 4d 6d 8d 2h 3h 4h 6h 8h", "5c 5d 5h 6c 7c 9s Ts Js 2d 3h"]
    table = liverpool(hands, up="8c", contract=2).play("draw_stock")
    for card in known.split():
        table.u._games["known"][0, 0, table.u.game.pack.labels.index(card)] += 1
    table.u._refresh()
    assert table.choice("greedy") == "buy"
    assert table.choice("expert") == action


def test_no_card_is_bought_for_a_contract_that_can_be_laid(liverpool):
    """Contract 1: the joker is the third seven."""
    hands = ["2d 3d 4d 6d 8d 2h 3h 4h 6h 8h", "Kc Kd Kh 7c 7d JK 2d 4h 9s Jc"]
    table = liverpool(hands, up="7s", contract=1).play("draw_stock")
    assert table.choice("greedy") == "buy"
    assert table.choice("expert") == "pass"


def test_what_the_next_seat_collects_is_not_discarded(liverpool):
    """Both count ten points, and neither goes with a card in hand."""
    table = draw(liverpool(["3c 3d 5h 4c 4d Kc Qd", "Kd Kh 2c 6s 7s 8s 9s"], up="2h", stock="6d", contract=1))
    assert table.choice("greedy") == table.choice("expert") == "discard Kc"
    for card in ("Kd", "Kh"):
        table.u._games["known"][0, 1, table.u.game.pack.labels.index(card)] = 1
    table.u._refresh()
    assert table.choice("greedy") == "discard Kc"
    assert table.choice("expert") == "discard Qd"


@pytest.mark.parametrize(("rest", "lays"), [("2d 4h 9s", False), ("Ks 7s 2d", True)])
def test_a_contract_of_sets_is_held_back_unless_one_goes_out(liverpool, rest, lays):
    """V5, V7: the fourth king and the fourth seven are laid off, and 2d is the discard."""
    table = draw(liverpool(f"Kc Kd Kh 7c 7d 7h {rest}", up="5h", stock="Kc", contract=1))
    assert table.choice("greedy").split()[0] == "set"
    assert (table.choice("expert").split()[0] == "set") == lays


def test_a_card_that_can_be_laid_off_on_the_contract_is_taken(liverpool):
    """The contract is in hand; the fourth king will go with it."""
    table = liverpool("Kc Kd Kh 7c 7d 7h 2d 4h 9s", up="Ks", contract=1)
    assert table.choice("greedy") == "draw_stock"
    assert table.choice("expert") == "draw_top"
