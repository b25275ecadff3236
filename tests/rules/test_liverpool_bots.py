"""What `greedy` collects in Liverpool Rummy, on decks dealt by hand."""

from __future__ import annotations


def test_an_ace_is_kept_for_a_run_above_the_king(liverpool):
    """V4: Q K A want a jack. The runs of contract 3 are nearer in clubs and diamonds; 6s helps nobody."""
    hand = "3c 4c 5c 7d 8d 9d Qh Kh Ah 2s"
    table = liverpool(hand, up="Jc", stock="6s", contract=3).play("draw_stock")
    while "pass" in table.legal:
        table.play("pass")
    assert table.choice("greedy") == "discard 6s"
