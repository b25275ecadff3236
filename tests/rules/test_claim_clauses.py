"""R7, X1, X2: a discard that fits the table is offered to the others."""

from __future__ import annotations

import pytest

# Seat 0 lays three sevens and keeps the fourth; nobody else has a card that matters.
SEVENS = ["7c 7d 7h 7s Kc", "2c 4d 6h 8s Td", "3c 5d 9h Js Qd", "Ac 4h 6s 8d Jc", "3s 5h 9d Th Qs"]
# Seat 0 lays five to seven of hearts.
HEARTS = "5h 6h 7h"


def sevens(rummy, seats, **options):
    """A game in which seat 0 has three sevens on the table, and 7s, Kc and Kd in hand."""
    table = rummy(SEVENS[:seats], up="9s", stock="Kd Ks Kh", **options)
    return table.play("draw_stock").lay_set("7", "cdh")


# R7 -----------------------------------------------------------------------------------------------------------------


def test_r7_the_card_is_taken_into_the_hand(rummy):
    """R7: not onto the table; it leaves the pile, and the others' hands are as they were."""
    table = sevens(rummy, 3, claim_order="seat").play("discard 7s")
    assert (table.view["phase"], table.view["seat"], table.view["turn"]) == ("claim", 1, 0)
    assert table.legal == {"claim", "pass"}
    table.play("claim")
    assert table.hand(1) == ["2c", "4d", "6h", "7s", "8s", "Td"]
    assert table.hand(0) == ["Kc", "Kd"]
    assert table.hand(2) == sorted(SEVENS[2].split())
    assert table.view["pile"] == ["9s"]
    assert table.melds == ["7c 7d 7h"]


def test_r7_nobody_needs_a_meld_of_their_own_to_claim(rummy):
    """R7: "one of the other players", whoever it is."""
    table = sevens(rummy, 2).play("discard 7s")
    assert table.view["opened"] == [True, False]
    table.play("claim")
    assert table.view["opened"] == [True, False]


def test_r7_only_a_discard_that_fits_is_offered(rummy):
    """R7: Kc fits nothing: the turn is over at once."""
    table = sevens(rummy, 3).play("discard Kc")
    assert (table.view["phase"], table.view["seat"], table.view["turn"]) == ("draw", 1, 1)


def test_r7_nothing_fits_an_empty_table(rummy):
    """R7: without a meld nothing can be built on."""
    table = rummy(SEVENS[:3], up="9s", stock="Kd").play("draw_stock", "discard 7s")
    assert (table.view["phase"], table.view["seat"]) == ("draw", 1)


@pytest.mark.parametrize(
    ("card", "fits"),
    [
        ("4h", True),
        ("8h", True),
        ("3h", False),
        ("9h", False),
        ("4d", False),
        ("8s", False),
        ("6c", False),
        ("Ah", False),
    ],
)
def test_r7_what_fits_a_run(rummy, card, fits):
    """R7: five to seven of hearts take the four and the eight of hearts, nothing else."""
    table = rummy([f"{HEARTS} {card} Kc", "2c 2d Js Qd Qc"], up="9s", stock="Kd")
    table.play("draw_stock").lay_run("5h").play(f"discard {card}")
    assert table.view["phase"] == ("claim" if fits else "draw")
    assert table.view["seat"] == 1


@pytest.mark.parametrize(("run", "card"), [("Qd Kd Jd", "Ad"), ("Ad 2d 3d", "Kd")])
def test_r7_a_run_that_ends_at_king_or_ace_takes_nothing_there(rummy, run, card):
    """R7, R3: no wrap."""
    table = rummy([f"{run} {card} 9c", "2c 4c 6h 8s Th"], up="9s", stock="5s")
    table.play("draw_stock").lay_run("Jd" if "Jd" in run else "Ad").play(f"discard {card}")
    assert table.view["phase"] == "draw"


@pytest.mark.parametrize("card", ["2s", "3h"])
def test_r7_what_fits_a_set(rummy, card):
    """R7: of three threes and a two of spades, only the fourth three fits the threes."""
    table = rummy([f"3c 3d 3s {card} Kc", "9c 9d Js Qd Qc"], up="9s", stock="Kd")
    table.play("draw_stock").lay_set("3", "cds").play(f"discard {card}")
    assert table.view["phase"] == ("claim" if card == "3h" else "draw")


def test_r7_a_full_set_takes_no_more_and_other_ranks_neither(rummy):
    """R7: when all four sevens lie there, a six or an eight does not fit."""
    table = sevens(rummy, 2).play("lay_off_set 7s", "discard Kc", "draw_stock", "discard 6h")
    assert (table.view["phase"], table.view["seat"]) == ("draw", 0)


def test_r7_it_does_not_matter_whose_meld_it_fits(rummy):
    """R7: seat 1 discards a card that fits what seat 0 laid, and seat 0 may take it."""
    hands = ["7c 7d 7h 2s Kc", "7s 4d 6h 8s Td", "3c 5d 9h Js Qd"]
    table = rummy(hands, up="9s", stock="Kd Ks", claim_order="seat")
    table.play("draw_stock").lay_set("7", "cdh").play("discard Kc", "draw_stock", "discard 7s")
    assert (table.view["phase"], table.view["claimants"]) == ("claim", [2, 0])
    table.play("pass", "claim")
    assert table.hand(0) == ["2s", "7s", "Kd"]
    assert table.view["seat"] == 2


def test_r7_the_discarder_is_never_asked(rummy):
    """R7: "the other players"."""
    for seed in range(20):
        table = sevens(rummy, 4, seed=seed).play("discard 7s")
        assert sorted(table.view["claimants"]) == [1, 2, 3]


def test_r7_when_all_pass_the_card_stays_and_the_next_may_draw_it(rummy):
    """R7: the top of the pile is drawn as usual."""
    table = sevens(rummy, 3, claim_order="seat").play("discard 7s", "pass", "pass")
    assert (table.view["phase"], table.view["seat"], table.view["pile"]) == ("draw", 1, ["9s", "7s"])
    table.play("draw_top", "lay_off_set 7s")
    assert table.melds == ["7c 7d 7h 7s"]


def test_r7_a_claim_is_no_draw(rummy):
    """R7: who claimed and is next draws as usual, and so has two cards more than before."""
    table = sevens(rummy, 3, claim_order="seat").play("discard 7s", "claim")
    assert (table.view["phase"], table.view["seat"]) == ("draw", 1)
    assert table.legal == {"draw_stock", "draw_top"}
    table.play("draw_stock")
    assert len(table.hand(1)) == 7


def test_r7_nothing_is_laid_down_by_claiming(rummy):
    """R7: the card can be laid in one's own turn only."""
    table = sevens(rummy, 3, claim_order="seat").play("discard 7s", "pass", "claim")
    assert (table.view["seat"], table.view["phase"]) == (1, "draw")
    table.play("draw_stock")
    assert table.offers("lay_off_set") == set()
    table.play("discard Td", "draw_stock")
    assert table.offers("lay_off_set") == {"lay_off_set 7s"}


def test_r7_a_claimed_card_that_is_discarded_is_offered_again(rummy):
    """R7: it still fits."""
    table = sevens(rummy, 3, claim_order="seat").play("discard 7s", "claim", "draw_stock", "discard 7s")
    assert (table.view["phase"], table.view["claimants"]) == ("claim", [2, 0])


def test_r7_the_claimed_card_is_known_to_all(rummy):
    """R7: it was taken in the open."""
    table = sevens(rummy, 3, claim_order="seat").play("discard 7s", "pass", "claim")
    assert table.view["known"] == [[], [], ["7s"]]


def test_r7_cachons_has_no_claims(cachons):
    """R7 belongs to Rummy: in Cachons a discard that fits is not offered."""
    table = cachons(["3c 4c 5c 6c 7c 8c Kd", "3d 5h 7h 9s Js Qs As"], up="9d", stock="Td")
    table.play("draw_stock").lay_run("3c", "natural " * 5).play("discard 8c")
    assert (table.view["phase"], table.view["seat"]) == ("draw", 1)
    with pytest.raises(ValueError, match="no action"):
        table.u.action_id("claim")


# X1 -----------------------------------------------------------------------------------------------------------------


def test_x1_random_is_the_default(shuffled):
    """X1: `claim_order="random"`, and "seat" is the other."""
    assert shuffled("rummy_v0").u.game.options["claim_order"] == "random"
    for wrong in ("left", None, 1, ""):
        with pytest.raises(ValueError, match=r"claim_order.*'random', 'seat'"):
            shuffled("rummy_v0", claim_order=wrong)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_x1_seat_order_begins_at_the_discarders_left(rummy, seats):
    """X1: the same order for every seed."""
    for seed in range(5):
        table = sevens(rummy, seats, seed=seed, claim_order="seat").play("discard 7s")
        assert table.view["claimants"] == list(range(1, seats))
        for seat in range(1, seats):
            assert (table.view["seat"], table.view["phase"]) == (seat, "claim")
            table.play("pass")


def test_x1_seat_order_goes_round_past_the_last_seat(rummy):
    """X1: from the left of seat 2 it is 3, 0, 1."""
    hands = [SEVENS[1], SEVENS[2], SEVENS[0], SEVENS[3]]
    table = rummy(hands, up="9s", stock="Kd Ks Kh", claim_order="seat")
    table.play("draw_stock", "discard Kd", "draw_stock", "discard Ks", "draw_stock").lay_set("7", "cdh")
    table.play("discard 7s")
    asked = []
    while table.view["phase"] == "claim":
        asked.append(table.view["seat"])
        table.play("pass")
    assert asked == [3, 0, 1]
    assert table.view["seat"] == 3


def test_x1_random_order_draws_every_order(rummy):
    """X1: the six orders of three claimants all occur, about equally often (600 seeds, 100 expected of each)."""
    orders = {}
    for seed in range(600):
        order = tuple(sevens(rummy, 4, seed=seed).play("discard 7s").view["claimants"])
        orders[order] = orders.get(order, 0) + 1
    assert sorted(orders) == [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    # A standard deviation is 9.1: these bounds are more than four away.
    assert 60 <= min(orders.values()) <= max(orders.values()) <= 140


def test_x1_the_order_is_drawn_anew_for_each_discard(rummy):
    """X1: 7s fits again when the seat that claimed it discards it, and then the order need not be the same."""
    same = 0
    for seed in range(40):
        table = sevens(rummy, 3, seed=seed).play("discard 7s")
        first = table.view["claimants"][0] == 1
        while table.view["seat"] != 1:
            table.play("pass")
        table.play("claim", "draw_stock", "discard 7s")
        same += first == (table.view["claimants"][0] == 2)
    assert 5 <= same <= 35


def test_x1_the_seats_are_asked_one_after_the_other_in_the_drawn_order(rummy):
    """X1: each is asked once."""
    for seed in range(20):
        table = sevens(rummy, 5, seed=seed).play("discard 7s")
        order, asked = table.view["claimants"], []
        while table.view["phase"] == "claim":
            assert table.view["claimants"] == order[len(asked) :]
            asked.append(table.view["seat"])
            table.play("pass")
        assert asked == order


@pytest.mark.parametrize("claimer", [1, 2, 3])
@pytest.mark.parametrize("order", ["random", "seat"])
def test_x1_the_first_to_claim_gets_it_and_the_seat_after_the_discarder_is_next(rummy, claimer, order):
    """X1: nobody is asked after a claim, and seat 1 has its turn whoever took the card."""
    for seed in range(8):
        table = sevens(rummy, 4, seed=seed, claim_order=order).play("discard 7s")
        while table.view["seat"] != claimer:
            table.play("pass")
        table.play("claim")
        assert "7s" in table.hand(claimer)
        assert (table.view["phase"], table.view["seat"], table.view["turn"]) == ("draw", 1, 1)
        assert table.view["claimants"] == []


# X2 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["random", "seat"])
def test_x2_no_claim_is_asked_after_the_discard_that_ends_the_round(rummy, order):
    """X2: 7s would fit, but seat 0 went out with it."""
    table = rummy(["7c 7d 7h", "2c 4d 6h", "3c 5d 9h"], up="9s", stock="7s", claim_order=order)
    table.play("draw_stock").lay_set("7", "cdh").play("discard 7s")
    assert (table.ended, table.view["ended"], table.view["out"]) == ("terminated", "out", 0)
    assert table.view["claimants"] == []
    assert table.view["pile"] == ["9s", "7s"]
    assert table.view["scores"] == [0, -12, -17]


def test_x2_no_claim_is_asked_between_the_rounds_of_a_match(rummy):
    """X2: the next round begins with a draw."""
    table = rummy(["7c 7d 7h", "2c 4d 6h"], up="9s", stock="7s", match=True, rounds=2)
    table.play("draw_stock").lay_set("7", "cdh").play("discard 7s")
    assert (table.ended, table.view["round"], table.view["phase"], table.view["seat"]) == (None, 1, "draw", 1)
