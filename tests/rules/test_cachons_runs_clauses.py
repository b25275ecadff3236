"""C10, C12: the runs of Cachons: wilds, lay-offs at both ends, swaps."""

from __future__ import annotations

import pytest

FIVE = "natural " * 5


@pytest.fixture
def opened(cachons):
    """(rest) -> a game in which seat 0 has laid 3s to 7s and still has `rest` to play in that turn."""

    def play(rest):
        *hand, drawn = rest.split()
        others = "3c 5d Jc Qd 9c 4d Ac 6c Kd Tc Jd 8c 3d 4c 7d 6d 5c".split()[: 5 + len(hand)]
        table = cachons([" ".join(["3s 4s 5s 6s 7s", *hand]), " ".join(others)], up="Js", stock=drawn + " Ts")
        return table.play("draw_stock").lay_run("3s", FIVE)

    return play


# C10: what is a run -------------------------------------------------------------------------------------------------


def test_c10_sets_do_not_exist(opened):
    """C10: three and more kings are no meld."""
    table = opened("Kh Kh Ks Kc 9d")
    assert table.legal == {"discard Kh", "discard Ks", "discard Kc", "discard 9d"}
    assert not any("set" in name for name in table.u.game.action_names)


def test_c10_one_suit(opened):
    """C10: consecutive cards of different suits are no run."""
    table = opened("9h Td Jh Qd Kh")
    assert table.offers("run") == set()


@pytest.mark.parametrize("rest", ["Kh Ah 3h 4h 9d", "Ah 3h 4h 9d", "Qh Kh 3h 9d"])
def test_c10_no_wrap(opened, rest):
    """C10: neither past the ace nor below the three, with naturals alone."""
    assert opened(rest).offers("run") == set()


def test_c10_no_wrap_with_wilds(opened):
    """C10: king and ace take one wild below, not above; three and four one above, not below."""
    assert opened("Kh Ah 2 9d").offers("run") == {"run Qh"}
    assert opened("3h 4h JK 9d").offers("run") == {"run 3h"}


def test_c10_no_lay_off_past_ace_or_below_three(cachons):
    """C10: a run from three to ace is full: not even a wild goes on it."""
    hands = ["3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2 3c", "3c 5d 7s 9c Jc Ks 8s 6c 5c 4d 6d Ad 8d Jd"]
    table = cachons(hands, up="3d", stock="2").play("draw_stock").lay_run("6h", FIVE)
    for card in ("Jh above", "5h below", "Qh above", "4h below", "Kh above", "3h below", "Ah above"):
        table.play(f"lay_off_run {card}", "fill natural")
    assert table.melds == ["3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"]
    assert table.legal == {"discard 2", "discard 3c"}


# C10: wilds ---------------------------------------------------------------------------------------------------------


def test_c10_at_least_one_card_of_a_new_run_is_natural(opened):
    """C10: of 9h and wilds every run of three that has the nine in it can be begun, and no run of wilds alone."""
    table = opened("9h 2 2 2 JK Kc")
    # Kc may be low, middle or top of a run too, as far as the ace allows.
    assert table.offers("run") == {"run 7h", "run 8h", "run 9h", "run Jc", "run Qc"}


def test_c10_no_natural_no_run(opened):
    """C10: wilds alone are no run; they may be laid off."""
    table = opened("2 2 2 JK")
    assert table.offers("run") == set()
    assert table.offers("lay_off_run") == {"lay_off_run 8s above"}


@pytest.mark.parametrize(
    ("low", "fills", "meld"),
    [
        ("9h", "natural 2 2", "9h 2 2"),
        ("9h", "natural JK 2", "9h JK 2"),
        ("8h", "2 natural JK", "2 9h JK"),
        ("8h", "JK natural 2", "JK 9h 2"),
        ("7h", "2 2 natural", "2 2 9h"),
        ("7h", "2 JK natural", "2 JK 9h"),
    ],
)
def test_c10_the_natural_may_stand_at_any_place(opened, low, fills, meld):
    """C10, M7: and a wild stands where it was put."""
    table = opened("9h 2 2 JK Kd").lay_run(low, fills)
    assert table.melds[1] == meld
    assert table.view["melds"][1]["low"] == low


def test_c10_two_wilds_may_not_be_followed_by_a_third(opened):
    """C10, G6: after two wilds only the natural is offered, for without it the run would have none."""
    table = opened("9h 2 2 2 JK Kd").play("run 7h")
    assert table.legal == {"fill 2", "fill JK"}
    table.play("fill 2")
    assert table.legal == {"fill 2", "fill JK"}
    table.play("fill JK")
    assert table.legal == {"fill natural"}


def test_c10_a_wild_may_stand_for_a_card_that_is_in_the_hand(opened):
    """C10: "any card": of 9h Th Jh and a two every place may be the two's, as long as one is natural."""
    table = opened("9h Th Jh 2 Kd").play("run 9h")
    assert table.legal == {"fill natural", "fill 2"}
    table.play("fill natural")
    assert table.legal == {"fill natural", "fill 2"}
    table.play("fill 2")
    assert table.legal == {"fill natural"}
    table.play("fill natural")
    assert table.melds[1] == "9h 2 Jh"
    assert table.hand(0) == ["Kd", "Th"]


def test_c10_both_jokers_and_twos_in_a_first_run(cachons):
    """C10: four wilds and one natural are a first run of five, with the natural at the top."""
    table = cachons(["9h 2 JK 2 JK Kd", "3c 5d 7s 9c Jc Ks"], up="3d", stock="Td").play("draw_stock")
    table.lay_run("5h", "2 JK JK 2 natural")
    assert table.melds == ["2 JK JK 2 9h"]
    assert table.legal == {"discard Kd", "discard Td"}


def test_c10_laying_wilds_off_is_unlimited_at_both_ends(opened):
    """C10: one natural queen, and the wilds of the hand on both sides of it, up to the ace and down to the three."""
    table = opened("Qh 2 2 2 2 2 2 2 2 JK JK 9d").lay_run("Jh", "2 natural 2")
    table.play("lay_off_run Ah above", "fill JK")
    assert table.offers("lay_off_run") == {"lay_off_run Th below", "lay_off_run 8s above"}
    for card in ("Th", "9h", "8h", "7h", "6h", "5h"):
        table.play(f"lay_off_run {card} below", "fill 2")
    assert table.melds[1] == "2 2 2 2 2 2 2 Qh 2 JK"
    assert table.offers("lay_off_run") == {"lay_off_run 4h below", "lay_off_run 8s above"}
    table.play("lay_off_run 4h below", "fill JK")
    assert table.melds[1] == "JK 2 2 2 2 2 2 2 Qh 2 JK"
    assert table.view["melds"][1]["low"] == "4h"
    assert table.legal == {"discard 9d"}


def test_c10_which_card_is_laid_off_is_asked_when_a_wild_is_in_hand(opened):
    """C10: the natural, a two or the joker; without a wild the natural goes there at once."""
    table = opened("8s 2 JK 9d").play("lay_off_run 8s above")
    assert table.legal == {"fill natural", "fill 2", "fill JK"}
    assert table.clone().play("fill 2").melds == ["3s 4s 5s 6s 7s 2"]
    assert table.clone().play("fill JK").melds == ["3s 4s 5s 6s 7s JK"]
    assert table.clone().play("fill natural").melds == ["3s 4s 5s 6s 7s 8s"]
    assert opened("8s Kd 9d").play("lay_off_run 8s above").melds == ["3s 4s 5s 6s 7s 8s"]


def test_c10_a_wild_laid_off_is_followed_by_the_next_card(opened):
    """C10, M6: the two is the eight, so the nine comes next, one card after the other."""
    table = opened("9s 2 9d Kd").play("lay_off_run 8s above", "fill 2")
    assert table.offers("lay_off_run") == {"lay_off_run 9s above"}
    table.play("lay_off_run 9s above")
    assert table.melds == ["3s 4s 5s 6s 7s 2 9s"]


# C10: copies and neighbours -----------------------------------------------------------------------------------------


def test_c10_two_copies_lie_in_different_runs(opened):
    """C10: the same run twice; each is extended by itself."""
    table = opened("9h Th Jh 9h Th Jh Qh Qh 8h 4d").lay_run("9h").lay_run("9h")
    assert table.melds[1:] == ["9h Th Jh", "9h Th Jh"]
    table.play("lay_off_run Qh above")
    assert sorted(table.melds[1:]) == ["9h Th Jh", "9h Th Jh Qh"]
    assert table.offers("lay_off_run") == {"lay_off_run Qh above", "lay_off_run 8h below"}
    table.play("lay_off_run Qh above")
    assert table.melds[1:] == ["9h Th Jh Qh", "9h Th Jh Qh"]
    table.play("lay_off_run 8h below")
    assert table.offers("lay_off_run") == set()
    assert sorted(table.melds[1:]) == ["8h 9h Th Jh Qh", "9h Th Jh Qh"]


def test_c10_a_copy_does_not_go_into_the_same_run(opened):
    """C10: a second nine of hearts neither fits 9h Th Jh nor makes two of them a run."""
    table = opened("9h Th Jh 9h Th 4d").lay_run("9h")
    assert table.legal == {"discard 9h", "discard Th", "discard 4d"}


def test_c10_runs_that_touch_stay_two(opened):
    """C10: 3s-7s and 8s-Ts: the second eight still goes above the seven, the second seven below the eight."""
    table = opened("8s 9s Ts 8s 7s 4d").lay_run("8s")
    assert table.melds == ["3s 4s 5s 6s 7s", "8s 9s Ts"]
    assert table.offers("lay_off_run") == {"lay_off_run 8s above", "lay_off_run 7s below"}
    table.play("lay_off_run 8s above", "lay_off_run 7s below")
    assert table.melds == ["3s 4s 5s 6s 7s 8s", "7s 8s 9s Ts"]


# C12 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wild", ["2", "JK"])
def test_c12_a_natural_takes_the_place_of_the_wild_that_stands_for_it(opened, wild):
    """C12: the wild comes to the hand, the hand is as long as before, and the natural stands where the wild stood."""
    table = opened(f"9h Jh {wild} Th 4d").lay_run("9h", f"natural {wild} natural")
    assert table.offers("swap_wild") == {f"swap_wild Th {wild}"}
    table.play(f"swap_wild Th {wild}")
    assert table.melds[1] == "9h Th Jh"
    assert table.hand(0) == sorted(["4d", wild])
    assert table.view["known"][0] == [wild]
    assert (table.view["seat"], table.view["phase"]) == (0, "play")
    assert table.offers("swap_wild") == set()


def test_c12_a_wild_that_was_swapped_out_stands_there_no_more(opened):
    """C12: the second ten of hearts finds no two to swap for."""
    table = opened("9h Jh 2 Th Th 4d").lay_run("9h", "natural 2 natural").play("swap_wild Th 2")
    assert table.hand(0) == ["2", "4d", "Th"]
    assert table.offers("swap_wild") == set()


def test_c12_only_the_card_that_the_wild_stands_for(opened):
    """C12: not its neighbours, not the same rank of another suit, not a wild."""
    table = opened("9h Jh 2 Td Tc 9h Qh JK").lay_run("9h", "natural 2 natural")
    assert table.offers("swap_wild") == set()


def test_c12_which_of_two_kinds_is_asked(opened):
    """C12: two and joker stand for the ten in two runs: either may be swapped."""
    table = opened("9h Jh 2 9h Jh JK Th 4d").lay_run("9h", "natural 2 natural").lay_run("9h", "natural JK natural")
    assert table.offers("swap_wild") == {"swap_wild Th 2", "swap_wild Th JK"}
    two = table.clone().play("swap_wild Th 2")
    assert sorted(two.melds[1:]) == ["9h JK Jh", "9h Th Jh"]
    assert two.hand(0) == ["2", "4d"]
    joker = table.clone().play("swap_wild Th JK")
    assert sorted(joker.melds[1:]) == ["9h 2 Jh", "9h Th Jh"]
    assert joker.hand(0) == ["4d", "JK"]


def test_c12_in_any_run_on_the_table(cachons):
    """C12: seat 1 swaps in the run of seat 0, once it has opened itself."""
    hands = ["3h 4h 2 6h 7h Kd", "5h 9c Tc Jc Qc Kc"]
    table = cachons(hands, up="3d", stock="Ks Ts").play("draw_stock")
    table.lay_run("3h", "natural natural 2 natural natural").play("discard Kd", "draw_stock").lay_run("9c", FIVE)
    table.play("swap_wild 5h 2")
    assert table.melds == ["3h 4h 5h 6h 7h", "9c Tc Jc Qc Kc"]
    assert table.hand(1) == ["2", "Ts"]


def test_c12_wilds_at_the_ends_and_of_lay_offs_too(opened):
    """C12: wherever it stands: first, last, or laid off."""
    table = opened("9h 2 JK 2 8s 8h Th 4d").lay_run("8h", "2 natural JK").play("lay_off_run 8s above", "fill 2")
    assert table.offers("swap_wild") == {"swap_wild 8h 2", "swap_wild Th JK", "swap_wild 8s 2"}
    table.play("swap_wild 8h 2", "swap_wild Th JK", "swap_wild 8s 2")
    assert table.melds == ["3s 4s 5s 6s 7s 8s", "8h 9h Th"]
    assert table.hand(0) == ["2", "2", "4d", "JK"]


def test_c12_the_wild_may_be_used_at_once(opened):
    """C12: in a new run, or laid off, in the same turn."""
    table = opened("9h Jh 2 Th Qd Kd 4d").lay_run("9h", "natural 2 natural")
    assert table.offers("run") == set()
    table.play("swap_wild Th 2")
    assert {"run Jd", "run Qd"} == table.offers("run")
    assert table.offers("lay_off_run") == {"lay_off_run 8h below", "lay_off_run Qh above", "lay_off_run 8s above"}
    run = table.clone().lay_run("Qd", "natural natural 2")
    assert (run.melds[2], run.hand(0)) == ("Qd Kd 2", ["4d"])
    table.play("lay_off_run Qh above", "fill 2")
    assert table.melds[1] == "9h Th Jh 2"


def test_c12_the_last_card_may_be_swapped_and_the_wild_is_then_discarded(opened):
    """C12, C11, C13: the last card takes the two's place; the two is then all there is to discard."""
    table = opened("9h Jh 2 Th").lay_run("9h", "natural 2 natural")
    assert table.hand(0) == ["Th"]
    assert table.legal == {"swap_wild Th 2", "discard Th"}
    table.play("swap_wild Th 2")
    assert table.legal == {"discard 2"}
    table.play("discard 2")
    assert (table.ended, table.view["out"], table.view["pile"][-1]) == ("terminated", 0, "2")


def test_c12_a_wild_can_go_round_in_one_turn(opened):
    """C12: swapped out, laid off, swapped out again by the next natural."""
    table = opened("9h Jh 2 Th Qh 4d").lay_run("9h", "natural 2 natural")
    table.play("swap_wild Th 2", "lay_off_run Qh above", "fill 2", "swap_wild Qh 2")
    assert table.melds[1] == "9h Th Jh Qh"
    assert table.hand(0) == ["2", "4d"]


def test_c12_not_before_the_own_first_run(cachons):
    """C12, C8: seat 1 holds the five that the two stands for, but has not opened."""
    hands = ["3h 4h 2 6h 7h Kd", "5h 9d Tc Jc Qc Kc"]
    table = cachons(hands, up="3d", stock="Ks Ts").play("draw_stock")
    table.lay_run("3h", "natural natural 2 natural natural").play("discard Kd", "draw_stock")
    assert table.offers("swap_wild") == set()


def test_c12_two_wilds_for_the_same_card_are_swapped_one_by_one(opened):
    """C12: two runs with a two at the ten: each of the two tens of hearts takes one place."""
    table = opened("9h Jh 2 9h Jh 2 Th Th 4d").lay_run("9h", "natural 2 natural").lay_run("9h", "natural 2 natural")
    table.play("swap_wild Th 2")
    assert sorted(table.melds[1:]) == ["9h 2 Jh", "9h Th Jh"]
    table.play("swap_wild Th 2")
    assert table.melds[1:] == ["9h Th Jh", "9h Th Jh"]
    assert table.offers("swap_wild") == set()
