"""G1, G2, G4: dealing, the empty stock, ties.

G3 is in test_cap_clauses, G5 in test_match_clauses, G6 in test_reach_clauses.
"""

from __future__ import annotations

import pytest

GAMES = ["rummy_v0", "cachons_v0"]
SEATS = [("rummy_v0", n) for n in range(2, 7)] + [("cachons_v0", n) for n in range(2, 9)]


# G1 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "seats"), SEATS)
def test_g1_seat_0_begins_the_first_round_and_the_last_seat_deals(shuffled, id, seats):
    """G1: in the first round the last seat deals, so seat 0 begins."""
    table = shuffled(id, num_players=seats)
    assert (table.view["dealer"], table.view["turn"], table.view["seat"]) == (seats - 1, 0, 0)
    assert table.u.agent_selection == "player_0"


def test_g1_rummy_cards_go_round_one_at_a_time_from_seat_0(shuffled, packs):
    """G1: one card at a time, the first to the dealer's left; then one is turned; the rest is the stock."""
    table = shuffled("rummy_v0", deck=packs["rummy_v0"], num_players=3)
    hands = table.view["hands"]
    assert sorted(hands[0]) == sorted("Ac 4c 7c Tc Kc 3d 6d".split())
    assert sorted(hands[1]) == sorted("2c 5c 8c Jc Ad 4d 7d".split())
    assert sorted(hands[2]) == sorted("3c 6c 9c Qc 2d 5d 8d".split())
    assert table.view["pile"] == ["9d"]
    assert table.view["stock"][:6] == "Td Jd Qd Kd Ah 2h".split()
    assert table.view["stock"][-2:] == ["Qs", "Ks"]
    assert len(table.view["stock"]) == 30


def test_g1_cachons_cards_go_round_one_at_a_time_from_seat_0(shuffled, packs):
    """G1: the same with two copies of each card, twos and jokers last in this deck."""
    table = shuffled("cachons_v0", deck=packs["cachons_v0"][::-1], num_players=2, hand_size=6)
    hands = table.view["hands"]
    assert sorted(hands[0]) == sorted("JK 2 2 2 2 As".split())
    assert sorted(hands[1]) == sorted("JK 2 2 2 2 As".split())
    assert table.view["pile"] == ["Ks"]
    assert table.view["stock"][:4] == "Ks Qs Qs Js".split()


@pytest.mark.parametrize("id", [*GAMES, "number_cachons_v0"])
def test_g1_the_next_card_of_the_stock_is_drawn(shuffled, id):
    """G1: cards come from the stock in its order."""
    table = shuffled(id, seed=5, num_players=2)
    for seat in (0, 1, 0, 1):
        before, drawn = table.view["hands"][seat], table.view["stock"][0]
        table.play("draw_stock")
        assert table.hand(seat) == sorted([*before, drawn])
        table.play(f"discard {drawn}")


@pytest.mark.parametrize(("id", "seats"), SEATS)
def test_g1_play_goes_clockwise(shuffled, id, seats):
    """G1: seat 0, 1, ..., the last, and seat 0 again."""
    table = shuffled(id, num_players=seats)
    order = []
    for _ in range(2 * seats):
        order.append(table.view["turn"])
        drawn = table.view["stock"][0]
        table.play("draw_stock")
        assert table.view["seat"] == order[-1]
        table.play(f"discard {drawn}")
    assert order == [*range(seats), *range(seats)]


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_g1_the_deal_passes_one_seat_each_round(shuffled, id, seats):
    """G1: in a match the dealer of round k + 1 sits to the left of the dealer of round k, and so does who begins."""
    table = shuffled(id, num_players=seats, match=True, hand_size=1, max_turns=1, target=10000)
    seen = []
    for _ in range(7):
        seen.append((table.view["dealer"], table.view["turn"], table.view["seat"]))
        for _ in range(seats):
            drawn = table.view["stock"][0]
            table.play("draw_stock", f"discard {drawn}")
    assert seen == [((seats - 1 + k) % seats, k % seats, k % seats) for k in range(7)]


@pytest.mark.parametrize("id", GAMES)
def test_g1_a_new_episode_is_dealt_by_the_last_seat_again(shuffled, id):
    """G1: the dealer of an episode's first round does not depend on the episode before."""
    table = shuffled(id, num_players=3, match=True, hand_size=1, max_turns=1, target=1000)
    for _ in range(3):
        table.play("draw_stock", f"discard {table.view['hands'][table.view['seat']][0]}")
    assert table.view["dealer"] == 0
    table.u.reset(seed=3)
    assert (table.view["dealer"], table.view["seat"], table.view["round"]) == (2, 0, 0)


# G2 -----------------------------------------------------------------------------------------------------------------


def test_g2_the_stock_is_made_anew_when_somebody_draws_from_it_empty_and_not_before(shuffled, packs):
    """G2: the last card drawn leaves an empty stock; the next draw makes a new one of the pile less its top."""
    table = shuffled("rummy_v0", deck=packs["rummy_v0"], num_players=2, hand_size=25)
    # Ac..Qs are dealt: the 51st card (Qs) is turned and the 52nd (Ks) is all of the stock.
    assert (table.view["stock"], table.view["pile"]) == (["Ks"], ["Qs"])
    table.play("draw_stock", "discard Ks")
    assert (table.view["stock"], table.view["pile"]) == ([], ["Qs", "Ks"])
    assert table.legal == {"draw_stock", "draw_top"}
    before = table.view["hands"][1]
    table.play("draw_stock")
    assert table.hand(1) == sorted([*before, "Qs"])
    assert (table.view["stock"], table.view["pile"]) == ([], ["Ks"])


@pytest.mark.parametrize(("id", "hand_size", "left"), [("rummy_v0", 22, 7), ("cachons_v0", 48, 9)])
def test_g2_the_pile_less_its_top_becomes_the_stock(shuffled, id, hand_size, left):
    """G2: the top stays where it is, everything below it is in the new stock and nothing else."""
    table = shuffled(id, seed=2, num_players=2, hand_size=hand_size)
    assert len(table.view["stock"]) == left
    for _ in range(left):
        table.play("draw_stock", f"discard {table.view['hands'][table.view['seat']][0]}")
    seat, pile = table.view["seat"], table.view["pile"]
    assert (len(table.view["stock"]), len(pile)) == (0, left + 1)
    before = table.view["hands"][seat]
    table.play("draw_stock")
    assert table.view["pile"] == pile[-1:]
    drawn = list(table.view["hands"][seat])
    for card in before:
        drawn.remove(card)
    assert len(drawn) == 1
    assert sorted([*drawn, *table.view["stock"]]) == sorted(pile[:-1])


def test_g2_the_new_stock_is_shuffled(shuffled, packs):
    """G2: on one deck the order of the new stock depends on the seed, and is neither the pile's nor its reverse."""
    orders = set()
    for seed in range(30):
        table = shuffled("rummy_v0", seed=seed, deck=packs["rummy_v0"], num_players=2, hand_size=22)
        for card in "7s 8s 9s Ts Js Qs Ks".split():
            table.play("draw_stock", f"discard {card}")
        assert table.view["pile"] == "6s 7s 8s 9s Ts Js Qs Ks".split()
        before = table.view["hands"][1]
        table.play("draw_stock")
        (drawn,) = set(table.view["hands"][1]) - set(before)
        orders.add((drawn, *table.view["stock"]))
    assert len(orders) == 30
    assert not orders & {tuple("6s 7s 8s 9s Ts Js Qs".split()), tuple("Qs Js Ts 9s 8s 7s 6s".split())}
    assert {order[0] for order in orders} == set("6s 7s 8s 9s Ts Js Qs".split())


@pytest.mark.parametrize(("id", "seats", "hand_size"), [("rummy_v0", 3, 17), ("cachons_v0", 5, 21)])
def test_g2_with_one_card_in_the_pile_the_empty_stock_is_not_offered(shuffled, id, seats, hand_size):
    """G2: the top of the pile still is; and so on as long as nobody adds a card."""
    table = shuffled(id, seed=9, num_players=seats, hand_size=hand_size)
    assert len(table.view["stock"]) == 0
    for _ in range(2 * seats):
        assert len(table.view["pile"]) == 1
        assert table.legal == {"draw_top"}
        table.play("draw_top")
        assert table.view["pile"] == []
        table.play(f"discard {table.view['hands'][table.view['seat']][0]}")


@pytest.mark.parametrize(("id", "hand_size"), [("rummy_v0", 25), ("cachons_v0", 52)])
def test_g2_drawing_the_top_makes_no_new_stock(shuffled, id, hand_size):
    """G2: only a draw from the stock does; here it stays empty."""
    table = shuffled(id, seed=4, num_players=2, hand_size=hand_size)
    (first,), (last,) = table.view["pile"], table.view["stock"]
    table.play("draw_stock", f"discard {last}", "draw_top")
    assert (table.view["stock"], table.view["pile"]) == ([], [first])


def test_g2_taking_the_whole_pile_makes_no_new_stock(shuffled):
    """G2: then neither has a card until the discard, and the next seat can only take that."""
    table = shuffled("cachons_v0", seed=4, num_players=2, hand_size=52)
    (last,) = table.view["stock"]
    table.play("draw_stock", f"discard {last}", "draw_pile")
    assert (table.view["stock"], table.view["pile"]) == ([], [])
    table.play(f"discard {last}")
    assert table.legal == {"draw_top"}


def test_g2_a_turn_begins_without_a_draw_when_a_claim_took_the_last_card(rummy):
    """G2: neither stock nor pile has a card; the next seat melds or discards at once."""
    hands = [
        "7c 7d 7h 7s Ac 3c 5c 9c Jc Kc Ad 3d 5d 9d Jd Kd Ah",
        "2c 4c 6c 8c Tc Qc 2d 4d 6d 8d Td Qd 2h 4h 6h 8h Th",
        "3h 5h 9h Jh Kh As 3s 5s 9s Js Ks 2s 4s 6s 8s Ts Qs",
    ]
    table = rummy(hands, up="Qh", claim_order="seat")
    table.play("draw_top").lay_set("7", "cdh").play("discard 7s")
    assert (table.view["stock"], table.view["pile"], table.view["seat"]) == ([], ["7s"], 1)
    table.play("pass", "claim")
    assert (table.view["stock"], table.view["pile"]) == ([], [])
    assert "7s" in table.view["hands"][2]
    assert (table.view["phase"], table.view["seat"], table.view["turn"]) == ("play", 1, 1)
    assert not table.offers("draw_stock") | table.offers("draw_top")
    assert table.offers("discard") == {f"discard {card}" for card in hands[1].split()}
    assert table.offers("set") == {"set 2", "set 4", "set 6", "set 8", "set T"}
    table.play("discard 2c")
    assert table.legal == {"draw_top"}
    assert [len(hand) for hand in table.view["hands"]] == [14, 16, 18]


def test_g2_who_claims_the_last_card_and_is_next_also_begins_without_a_draw(rummy):
    """G2: the claimed card does not count as its draw, and there is none."""
    hands = [
        "7c 7d 7h 7s Ac 3c 5c 9c Jc Kc Ad 3d 5d 9d Jd Kd Ah",
        "2c 4c 6c 8c Tc Qc 2d 4d 6d 8d Td Qd 2h 4h 6h 8h Th",
        "3h 5h 9h Jh Kh As 3s 5s 9s Js Ks 2s 4s 6s 8s Ts Qs",
    ]
    table = rummy(hands, up="Qh", claim_order="seat")
    table.play("draw_top").lay_set("7", "cdh").play("discard 7s", "claim")
    assert (table.view["phase"], table.view["seat"]) == ("play", 1)
    table.play("lay_off_set 7s", "discard Qc")
    assert [len(hand) for hand in table.view["hands"]] == [14, 16, 17]


# G4 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_g4_the_card_just_taken_may_be_discarded(shuffled, id):
    """G4: no rule forbids it, from the pile or the stock."""
    table = shuffled(id, seed=1, num_players=2)
    top = table.view["pile"][-1]
    table.play("draw_top", f"discard {top}")
    assert table.view["pile"] == [top]
    drawn = table.view["stock"][0]
    table.play("draw_stock", f"discard {drawn}")
    assert table.view["pile"] == [top, drawn]


def test_g4_penalty_points_are_negative_scores(rummy):
    """G4: more is better inside the program."""
    table = rummy(["7c 7d 7h", "2s 4h Kd"], up="9s", stock="Ah")
    table.play("draw_stock").lay_set("7", "cdh").play("discard Ah")
    assert table.view["scores"] == [0, -16]
    assert table.view["round_scores"] == [0, -16]


def test_g4_tied_winners_share_a_match(cachons):
    """G4: seats 0 and 1 end with nothing, seat 2 with the 300 that end the match."""
    free = {"3-7": 0, "8-K": 0, "A": 100, "2": 0, "JK": 100}
    hands = ["3c 4c 5c 6c 7c", "3d 4h 6s 9s Ks", "JK JK As 5d 7h"]
    table = cachons(hands, up="9d", stock="8d", match=True, card_points=free)
    table.play("draw_stock").lay_run("3c", "natural " * 5).play("discard 8d")
    assert table.ended == "terminated"
    assert table.view["scores"] == [0, 0, -300]
    assert table.view["winners"] == [0, 1]


def test_g4_all_seats_may_tie(rummy):
    """G4: who went out last and who did not share the match on equal totals."""
    table = rummy(["7c 7d 7h", "2s 4h Kd"], up="9s", stock="Ah", match=True, target=50).carry([-56, -40], rounds=3)
    table.play("draw_stock").lay_set("7", "cdh").play("discard Ah")
    assert table.view["scores"] == [-56, -56]
    assert (table.ended, table.view["winners"]) == ("terminated", [0, 1])
