"""V6: buying, in Liverpool Rummy."""

from __future__ import annotations

import pytest

HANDS = [
    "2c 5d 8h Js Kd 3h 6s 9c Qd 4c",
    "2d 5h 8s Jc Kh 3s 6c 9d Qh 4d",
    "2h 5s 8c Jd Ks 3c 6d 9h Qs 4h",
    "2s 5c 8d Jh Kc 3d 6h 9s Qc 4s",
]


def test_v6_the_others_are_asked_from_the_left_of_who_draws_from_the_stock(liverpool):
    """V6: in seat order; when nobody buys the turn goes on."""
    table = liverpool(HANDS, up="7c", stock="Tc Td")
    table.play("draw_stock")
    assert (table.view["phase"], table.view["claimants"], table.view["turn"]) == ("claim", [1, 2, 3], 0)
    for seat in (1, 2, 3):
        assert table.view["seat"] == seat
        assert table.legal == {"buy", "pass"}
        table.play("pass")
    assert (table.view["phase"], table.view["seat"], table.view["pile"]) == ("play", 0, ["7c"])
    table.play("discard Tc", "draw_stock")
    assert (table.view["turn"], table.view["claimants"]) == (1, [2, 3, 0])


def test_v6_the_first_that_buys_takes_the_top_and_a_card_from_the_stock(liverpool):
    """V6: who draws has the next card of the stock, the buyer the one after it; no other is asked."""
    table = liverpool(HANDS, up="7c", stock="Tc Td Th").play("draw_stock")
    assert table.hand(0) == sorted([*HANDS[0].split(), "Tc"])
    table.play("pass", "buy")
    assert table.hand(1) == sorted(HANDS[1].split())
    assert table.hand(2) == sorted([*HANDS[2].split(), "7c", "Td"])
    assert table.hand(3) == sorted(HANDS[3].split())
    assert (table.view["phase"], table.view["seat"], table.view["turn"]) == ("play", 0, 0)
    assert (table.view["pile"], table.view["stock"][0]) == ([], "Th")
    assert table.view["known"][2] == ["7c"]
    assert table.view["buys_left"] == [3, 3, 2, 3]
    table.play("discard Tc")
    assert (table.view["turn"], table.view["phase"], table.view["pile"]) == (1, "draw", ["Tc"])


def test_v6_nobody_is_asked_when_the_top_is_drawn(liverpool):
    """V6: whose turn it is has the first right to it."""
    table = liverpool(HANDS, up="7c").play("draw_top")
    assert (table.view["phase"], table.view["seat"]) == ("play", 0)


def test_v6_not_after_ones_lay_down(liverpool):
    """V6: who has laid the contract is not asked."""
    first = "7c 7d 7h 9c 9d 9h Kh Ts 2d 4s"
    table = liverpool([first], up="Qs", stock="As Ac Ad Tc", seats=4).play("draw_stock", "pass", "pass", "pass")
    table.lay_set("7", "cdh").lay_set("9", "cdh").play("discard As", "draw_stock")
    assert table.view["claimants"] == [2, 3]
    table.play("pass", "pass", "discard Ac", "draw_stock")
    assert table.view["claimants"] == [3, 1]


@pytest.mark.parametrize("buys", [1, 2, 3, 4])
def test_v6_at_most_so_many_times_a_round(liverpool, buys):
    """V6: three by default; then one is not asked any more."""
    stock = "Tc Td Th Ts Ac Ad Ah As Tc Td Th Ts Ac Ad Ah"
    table = liverpool(HANDS[:3], up="7c", stock=stock, **({} if buys == 3 else {"buys": buys}))
    bought = 0
    while table.view["buys_left"][0]:
        drawn = table.view["stock"][0]
        table.play("draw_stock")
        while table.view["phase"] == "claim":
            bought += table.view["seat"] == 0
            table.play("buy" if table.view["seat"] == 0 else "pass")
        table.play(f"discard {drawn}")
    assert bought == buys
    while table.view["turn"] != 1:
        table.play("draw_top", f"discard {table.view['pile'][-1]}")
    table.play("draw_stock")
    assert table.view["claimants"] == [2]
    assert len(table.view["hands"][0]) == 10 + 2 * buys


def test_v6_without_purchases_nobody_is_asked(liverpool):
    """V6: `buys=0`; then there is no such action."""
    table = liverpool(HANDS, up="7c", stock="Tc", buys=0).play("draw_stock")
    assert table.view["phase"] == "play"
    assert not {name for name in table.u.game.action_names if name in ("buy", "pass")}


def test_v6_each_round_of_a_match_has_its_own_purchases(liverpool):
    """V6: three times a round."""
    table = liverpool(HANDS[:3], up="7c", stock="Tc Td Th Ts", match=True, max_turns=1)
    table.play("draw_stock", "buy", "discard Tc")
    assert table.view["buys_left"] == [3, 2, 3]
    for _ in range(2):
        table.play("draw_top", f"discard {table.view['pile'][-1]}")
    assert (table.view["round"], table.view["buys_left"]) == (1, [3, 3, 3])


# The stock that runs out ---------------------------------------------------------------------------------------------


def nearly_empty(liverpool, left):
    """Three hands of 35 cards: one is turned, and two are left in the stock; `left` cards of it are still there."""
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] * 2 + ["JK"] * 4
    hands = [" ".join(pack[i:105:3]) for i in range(3)]
    table = liverpool(hands, up=pack[105], stock=" ".join(pack[106:]), contract=1)
    for _ in range(2 - left):
        drawn = table.view["stock"][0]
        table.play("draw_stock")
        while table.view["phase"] == "claim":
            table.play("pass")
        table.play(f"discard {drawn}")
    return table


def test_v6_the_buyers_card_comes_from_a_stock_made_anew(liverpool):
    """V6, G2: of the pile without the card that was bought, and less its new top."""
    table = nearly_empty(liverpool, left=1)
    bottom, top = table.view["pile"]
    third = table.view["stock"][0]
    table.play("draw_stock")
    assert (table.view["stock"], table.view["pile"]) == ([], [bottom, top])
    before = table.hand(2)
    table.play("buy")
    assert table.hand(2) == sorted([*before, top]), "one card in the pile is no stock"
    assert (table.view["stock"], table.view["pile"]) == ([], [bottom])
    assert table.view["buys_left"] == [3, 3, 2]
    assert third in table.view["hands"][1]


def test_v6_a_longer_pile_gives_the_buyer_a_card(liverpool):
    """V6, G2: the pile less its new top is shuffled when the buyer draws, and not before."""
    table = nearly_empty(liverpool, left=0)
    turned, first, second = table.view["pile"]
    assert table.view["stock"] == []
    table.play("draw_stock")
    (left,) = table.view["stock"]
    assert left in (turned, first)
    assert (table.view["claimants"], table.view["pile"]) == ([0, 1], [second])
    before = table.hand(1)
    table.play("pass", "buy")
    assert table.hand(1) == sorted([*before, second, left])
    assert (table.view["stock"], table.view["pile"], table.view["seat"]) == ([], [], 2)


def test_v6_a_buyer_does_not_see_what_was_drawn(liverpool):
    """V6: nor does the row or the mask of anybody but who drew it."""
    one = liverpool(HANDS, up="7c", stock="Tc Td", render_mode="ansi").play("draw_stock")
    other = liverpool(HANDS, up="7c", stock="Th Td", render_mode="ansi").play("draw_stock")
    for agent in ("player_1", "player_2", "player_3"):
        a, b = one.u.observe(agent), other.u.observe(agent)
        assert (a["observation"] == b["observation"]).all()
        assert (a["action_mask"] == b["action_mask"]).all()
        assert one.u.render(agent) == other.u.render(agent)
    assert (one.u.observe("player_0")["observation"] != other.u.observe("player_0")["observation"]).any()
