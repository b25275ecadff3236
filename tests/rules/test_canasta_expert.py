"""The bot `expert` of Canasta: what each of its weights is for, on positions built by hand.

Two singly unless said: one canasta to go out. What `greedy` does is asked where the two differ.
"""

from __future__ import annotations

import pytest

OPEN = [["4 4 4"], ["5 5 5"]]
"""A meld of each side, so that both have opened."""

BIG = "8 8 8 T T T J J J 7"
"""A pile that nobody would give away."""

NINE, KING = 5, 9
"""Card types."""

SIX_NINES = (NINE,) * 6
"""To know the whole hand "9 9 9 9 9 9": then no other card is a risk but by the melds on the table."""


def know(table, *cards):
    """The next seat is known to hold these: it took them from the pile."""
    for card in cards:
        table.u._games[0]["known"][1, card] += 1
    table.u._refresh()
    return table


def holds_back(table):
    return table.choice("expert").split()[0] == "discard"


# Discards -------------------------------------------------------------------------------------------------------------


def test_mate_a_single_card_goes_before_a_pair(position):
    table = know(position(["8 8 T T J", "9 9 9 9 9 9"], OPEN, "5", phase="play"), *SIX_NINES)
    assert table.choice("expert") == "discard J"


@pytest.mark.parametrize(("meld", "action"), [("Q Q Q", "discard 6"), ("J J J", "discard Q")])
def test_gift_a_rank_of_the_next_seats_melds_is_kept_from_it(position, meld, action):
    """The queen is single; but where the next seat takes the pile with it, a pair is broken instead."""
    table = position(["T T Q 6 6", "9 9 9 9 9 9"], [["4 4 4"], [meld]], "5", phase="play")
    assert know(table, *SIX_NINES).choice("expert") == action


def test_gift_a_pair_that_is_known_is_not_fed(position):
    """The next seat took kings from the pile in the open: greedy, who looks at the table alone, gives it one more."""
    table = know(position(["K 6", "K K 9 9 9 9"], OPEN, BIG, phase="play"), KING, KING)
    assert table.choice("greedy") == "discard K"
    assert table.choice("expert") == "discard 6"


@pytest.mark.parametrize(("beside", "action"), [("", "discard 6"), ("2", "discard K")])
def test_gift_a_known_single_is_a_risk_unless_the_pile_is_frozen(position, beside, action):
    """K7, K8: a wild goes with one natural, but not where two must be held. The six makes a pair with its like."""
    table = position(["K 6 6", "K 9 9 9 9 9"], OPEN, BIG, beside=beside, phase="play")
    assert know(table, KING, *SIX_NINES[1:]).choice("expert") == action


@pytest.mark.parametrize(("pile", "action"), [("7", "discard K"), (BIG, "discard 2")])
def test_pile_and_two_a_two_is_worth_a_great_pile(position, pile, action):
    """The next seat takes whatever there is with a king; a two leaves it nothing, and freezes the pile (K8)."""
    table = position(["K K 2", "9 9 9 9 9 9"], [["4 4 4"], ["K K K"]], pile, phase="play")
    assert know(table, *SIX_NINES).choice("expert") == action


def test_joker_goes_before_any_gift_but_not_between_more_sides(position):
    """K8: of two sides one loses what the other gains; of three, two gain by what one pays."""
    melds = [["4 4 4"], ["K K K"]]
    table = know(position(["K K JK 2", "9 9 9 9 9 9"], melds, "7", phase="play"), *SIX_NINES)
    assert table.choice("expert") == "discard JK"
    table = know(position(["K K JK 2", "9 9 9 9 9 9", "8 8 8"], [*melds, []], "7", phase="play"), *SIX_NINES)
    assert table.choice("expert") == "discard K"


def test_a_black_three_blocks_for_nothing(position):
    """K8: with a pair to break, and naturals that may be taken, it costs least."""
    table = position(["3b K K", "9 9 9 9 9 9"], OPEN, BIG, phase="play")
    assert table.choice("expert") == "discard 3b"


# Melds ----------------------------------------------------------------------------------------------------------------


def test_begins_a_new_meld_stays_in_the_hand(position):
    """Three kings take the next king that is discarded, and nobody sees them; greedy lays them."""
    table = position(["K K K 7 8 9", "9 9 9 9 9 9"], OPEN, "7", phase="play")
    assert table.choice("greedy") == "place K natural"
    assert holds_back(table)
    table = position(["K K K K K K 7 8", "9 9 9 9 9 9"], OPEN, "7", phase="play")
    assert table.choice("expert") == "place K natural"


def test_a_side_opens_as_soon_as_it_can(position):
    """K6."""
    table = position(["A A A 7 8 9", "9 9 9 9 9 9"], pile="7", phase="play")
    assert table.choice("expert") == "place A natural"


def test_few_all_is_laid_before_the_stock_is_out(position):
    """K13, K14: what stays in the hand counts against the side."""
    table = position(["K K K 7 8 9", "9 9 9 9 9 9"], OPEN, "7", stock="4 4 4 6 6 6", phase="play")
    assert table.choice("expert") == "place K natural"
    assert holds_back(position(["K K K 7 8 9", "9 9 9 9 9 9"], OPEN, "7", stock="4 4 4 6 6 6 6", phase="play"))


def test_alarm_all_is_laid_when_another_may_go_out(position):
    """K11: two cards, and a canasta; with six cards of a rank, or three in hand, it may not, or not so soon."""
    hand, canasta = "K K K 7 8 9", "5 5 5 5 5 5 5"
    table = position([hand, "9 9"], [["4 4 4"], [canasta]], "7", phase="play")
    assert table.choice("expert") == "place K natural"
    assert holds_back(position([hand, "9 9"], [["4 4 4"], [canasta[2:]]], "7", phase="play"))
    assert holds_back(position([hand, "9 9 9"], [["4 4 4"], [canasta]], "7", phase="play"))


def test_who_may_go_out_lays_all(position):
    """K11."""
    table = position(["K K K 7 8 9", "9 9 9 9 9 9"], [["4 4 4 4 4 4 4"], ["5 5 5"]], "7", phase="play")
    assert table.choice("expert") == "place K natural"


def test_a_wild_completes_a_canasta_and_waits_otherwise(position):
    """K10."""
    table = position(["2 8 9 T", "9 9 9 9 9 9"], [["4 4 4 4 4 4"], ["5 5 5"]], "7", phase="play")
    assert table.choice("expert") == "place 4 2"
    assert holds_back(position(["2 8 9 T", "9 9 9 9 9 9"], [["4 4 4 4 4"], ["5 5 5"]], "7", phase="play"))


@pytest.mark.parametrize("beside", ["", "2"])
def test_a_pair_is_kept_for_a_frozen_pile(position, beside):
    """K8."""
    table = position(["K K 7 8 9", "9 9 9 9 9 9"], [["K K K"], ["5 5 5"]], "7", beside=beside, phase="play")
    assert (table.choice("expert") == "place K natural") == (beside == "")


def test_a_red_three_is_laid(position):
    """K9."""
    table = position(["K K 7 8 3r", "9 9 9 9 9 9"], OPEN, "7", phase="play")
    assert table.choice("expert") == "red_three"


# The pile -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "melds", "action", "enough"),
    [
        ("K K 7 8 9", OPEN, "take_pile pair", 6),
        ("K 2 7 8 9", OPEN, "take_pile two", 5),
        ("K JK 7 8 9", OPEN, "take_pile joker", 5),
        ("6 7 8 9", [["K K K"], ["5 5 5"]], "take_pile meld", 3),
    ],
)
def test_take_pair_wild_and_meld(position, hand, melds, action, enough):
    """K7: so many cards are worth what is shown, and one less is not."""
    cards = "7 8 6 6 T Q Q K".split()
    for count in (enough - 1, enough):
        table = position([hand, "9 9 9 9 9 9"], melds, " ".join(cards[-count:]))
        assert action in table.legal
        assert table.choice("expert") == (action if count == enough else "draw_stock")


def test_more_sides_take_a_smaller_pile(position):
    table = position(["K K 7 8 9", "9 9 9 9", "8 8 8"], [*OPEN, []], "7 K")
    assert table.choice("expert") == "take_pile pair"
