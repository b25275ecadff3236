"""G5, R9, C14: rounds and matches."""

from __future__ import annotations

import pytest

GAMES = ["rummy_v0", "cachons_v0"]
FIVE = "natural " * 5


def rummy_out(rummy, **options):
    """Rummy in which seat 0 goes out by `discard Ah`, and seat 1 is left with 16 points, seat 2 with 17."""
    table = rummy(["7c 7d 7h", "2s 4h Kd", "3c 5d 9h"], up="9s", stock="Ah", **options)
    return table.play("draw_stock").lay_set("7", "cdh")


def cachons_out(cachons, *left, **options):
    """Cachons in which seat 0 goes out by `discard Kd` after twelve clubs, and the others are left with 12 cards."""
    table = cachons(["3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", *left], up="9s", stock="Kd", **options)
    table.play("draw_stock").lay_run("3c", FIVE)
    return table.play(*(f"lay_off_run {rank}c above" for rank in "89TJQKA"))


# G5 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", [*GAMES, "number_cachons_v0"])
def test_g5_an_episode_is_one_round_by_default(shuffled, id):
    """G5: `match=False`."""
    table = shuffled(id, num_players=2, max_turns=1)
    assert table.u.game.options["match"] is False
    for _ in range(2):
        table.play("draw_stock", f"discard {table.hand(table.view['seat'])[0]}")
    assert table.ended == "truncated"
    with pytest.raises(ValueError, match=r"match=1\b"):
        shuffled(id, match=1)


def test_g5_rummy_round_ends_the_episode(rummy):
    """G5: without a match there is no second round, whatever `rounds` says."""
    assert rummy_out(rummy).play("discard Ah").ended == "terminated"


def test_g5_a_new_round_is_dealt_inside_the_episode(rummy):
    """G5: hands, pile and stock are new, the table is empty, the scores stay, all agents go on."""
    table = rummy_out(rummy, match=True, rounds=3).play("discard Ah")
    view = table.view
    assert table.ended is None
    assert table.u.agents == ["player_0", "player_1", "player_2"]
    assert [len(hand) for hand in view["hands"]] == [3, 3, 3]
    assert (len(view["pile"]), len(view["stock"])) == (1, 52 - 9 - 1)
    assert (view["melds"], view["opened"], view["known"]) == ([], [False] * 3, [[], [], []])
    assert (view["round"], view["turns"], view["phase"], view["ended"], view["out"]) == (1, 0, "draw", None, None)
    assert (view["dealer"], view["seat"], table.u.agent_selection) == (0, 1, "player_1")
    assert view["scores"] == [0, -16, -17]


def test_g5_the_next_deal_is_shuffled(rummy):
    """G5: the same first round leads to other hands with another seed."""
    deals = set()
    for seed in range(20):
        view = rummy_out(rummy, seed=seed, match=True, rounds=2).play("discard Ah").view
        deals.add(tuple(tuple(hand) for hand in view["hands"]))
    assert len(deals) == 20


@pytest.mark.parametrize("id", GAMES)
def test_g5_the_pack_is_whole_in_every_round(shuffled, packs, id):
    """G5: every card is dealt anew."""
    table = shuffled(id, seed=3, num_players=3, match=True, max_turns=1, target=10000)
    for _ in range(4):
        view = table.view
        cards = view["stock"] + view["pile"] + [card for hand in view["hands"] for card in hand]
        assert sorted(cards) == sorted(packs[id])
        for _ in range(3):
            table.play("draw_stock", f"discard {table.hand(table.view['seat'])[0]}")


@pytest.mark.parametrize("id", GAMES)
def test_g5_scores_carry_over_and_each_round_pays_as_it_ends(shuffled, count_points, id):
    """G5: after four stopped rounds the score is the sum of the hands held at their ends, counted by hand tables."""
    table = shuffled(id, seed=6, num_players=2, match=True, hand_size=2, max_turns=1, target=10000)
    scores, paid, scale = [0, 0], [0.0, 0.0], {"rummy_v0": 50, "cachons_v0": 100}[id]
    for _ in range(4):
        for turn in range(2):
            seat = table.view["seat"]
            table.play("draw_stock")
            before = [list(hand) for hand in table.view["hands"]]
            card = before[seat][0]
            before[seat].remove(card)
            table.play(f"discard {card}")
            assert any(table.rewards) == (turn == 1 and count_points(id, before[0]) != count_points(id, before[1]))
        loss = [count_points(id, hand) for hand in before]
        scores = [scores[0] - loss[0], scores[1] - loss[1]]
        paid = [paid[0] + (loss[1] - loss[0]) / scale, paid[1] + (loss[0] - loss[1]) / scale]
        assert table.view["scores"] == scores
        assert table.view["round_scores"] == [-loss[0], -loss[1]]
        assert table.rewards == pytest.approx([(loss[1] - loss[0]) / scale, (loss[0] - loss[1]) / scale])
    assert paid == pytest.approx([(scores[0] - scores[1]) / scale, (scores[1] - scores[0]) / scale])


def test_g5_reward_win_pays_the_winner_of_each_round(rummy):
    """G5: in a match too, at the end of the round."""
    table = rummy_out(rummy, match=True, rounds=3, reward="win").play("discard Ah")
    assert table.ended is None
    assert table.rewards == [1, -0.5, -0.5]


def test_g5_nothing_of_the_last_episode_is_left(deal, packs):
    """G5: a reset begins at no points with an empty table: what fitted the old melds fits nothing now."""
    first, second = "5h 6h 7h 8c 8d 8s Kc", "2s 4d 9d Js Qd 3s Ac"
    table = deal("rummy_v0", [first, second], up="9s", stock="7s", match=True, rounds=2)
    table.play("draw_top").lay_run("5h").lay_set("8", "cds").play("discard Kc", "draw_top", "discard Kc")
    table.carry([-30, -40], rounds=1)
    hands = ["4h 8h 2c 3d 9c Td Kd", "2s 4d 9d Js Qd 3s Ac"]
    again = deal("rummy_v0", hands, up="9s", stock="Qs", match=True, rounds=2)
    deck = [card for pair in zip(hands[0].split(), hands[1].split(), strict=True) for card in pair] + ["9s", "Qs"]
    table.u.reset(seed=0, options={"deck": deck + [card for card in packs["rummy_v0"] if card not in deck]})
    assert table.view == again.view
    assert (table.view["scores"], table.view["known"], table.view["opened"]) == ([0, 0], [[], []], [False, False])
    table.play("draw_stock")
    assert table.legal == {f"discard {card}" for card in [*hands[0].split(), "Qs"]}
    table.play("discard 8h")
    assert table.view["phase"] == "draw"


# R9 -----------------------------------------------------------------------------------------------------------------


def test_r9_a_match_is_one_round_by_default(rummy):
    """R9: `rounds=1`, no target."""
    table = rummy_out(rummy, match=True)
    assert (table.u.game.options["rounds"], table.u.game.options["target"]) == (1, 0)
    table.play("discard Ah")
    assert (table.ended, table.view["scores"], table.view["winners"]) == ("terminated", [0, -16, -17], [0])


@pytest.mark.parametrize(
    ("rounds", "played", "ended"), [(2, 0, None), (2, 1, "terminated"), (5, 3, None), (5, 4, "terminated")]
)
def test_r9_a_match_of_rounds(rummy, rounds, played, ended):
    """R9: it is over when that many rounds have been played, and not before."""
    table = rummy_out(rummy, match=True, rounds=rounds).carry([-40, -9, -50], rounds=played).play("discard Ah")
    assert table.ended == ended
    assert table.view["scores"] == [-40, -25, -67]


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_r9_rounds_are_counted_from_the_first(shuffled, rounds):
    """R9: so many are dealt, then the episode is over."""
    table = shuffled("rummy_v0", num_players=2, match=True, rounds=rounds, hand_size=1, max_turns=1)
    for k in range(2 * rounds):
        assert (table.ended, table.view["round"]) == (None, k // 2)
        table.play("draw_stock", f"discard {table.hand(table.view['seat'])[0]}")
    assert table.ended is not None


def test_r9_the_fewest_points_win_the_match_not_the_last_round(rummy):
    """R9: seat 0 goes out, but seat 1 has fewer points in all: 25 against 40 and 67."""
    table = rummy_out(rummy, match=True, rounds=2).carry([-40, -9, -50], rounds=1).play("discard Ah")
    assert (table.view["out"], table.view["winners"]) == (0, [1])
    assert table.rewards == pytest.approx([16.5 / 50, -7.5 / 50, -9 / 50])


@pytest.mark.parametrize(
    ("before", "ended"), [([0, 0, 0], None), ([0, -83, 0], None), ([0, -84, 0], "terminated"), ([-99, -83, -82], None)]
)
def test_r9_a_match_to_a_target_of_points(rummy, before, ended):
    """R9: to 100: seat 1's 84 and 16 end it, 83 and 16 do not; `rounds` does not matter then."""
    table = rummy_out(rummy, match=True, target=100).carry(before, rounds=7).play("discard Ah")
    assert table.ended == ended
    assert table.view["round"] == 8


def test_r9_who_reaches_the_target_does_not_win(rummy):
    """R9: seat 2 has 101, seat 1 has 26, seat 0 has 90."""
    table = rummy_out(rummy, match=True, target=100).carry([-90, -10, -84], rounds=4).play("discard Ah")
    assert (table.ended, table.view["scores"], table.view["winners"]) == ("terminated", [-90, -26, -101], [1])


def test_r9_ties_at_the_end_of_a_match(rummy):
    """R9, G4: seats 1 and 2 share it, seat 0 has one point more."""
    table = rummy_out(rummy, match=True, rounds=9).carry([-34, -17, -16], rounds=8).play("discard Ah")
    assert (table.view["scores"], table.view["winners"]) == ([-34, -33, -33], [1, 2])


# C14 ----------------------------------------------------------------------------------------------------------------

# 2 x 50 + 8 x 20 = 260 in ten cards.
WILDS = "JK JK 2 2 2 2 2 2 2 2"


@pytest.mark.parametrize(
    ("two", "points", "ended"),
    [("Ad Ah", 300, "terminated"), ("Ad Kh", 290, None), ("8d Kh", 280, None), ("3d Ah", 285, None)],
)
def test_c14_rounds_go_on_until_someone_has_300(cachons, two, points, ended):
    """C14: "at least 300" by default, in one round already."""
    table = cachons_out(cachons, f"{WILDS} {two}", match=True)
    assert table.u.game.options["target"] == 300
    table.play("discard Kd")
    assert (table.ended, table.view["scores"]) == (ended, [0, -points])
    assert table.view["winners"] == ([0] if ended else [])


@pytest.mark.parametrize(
    ("before", "ended"), [([0, -10], "terminated"), ([-250, -5], None), ([-300 + 5, -10], "terminated")]
)
def test_c14_the_points_of_all_rounds_count(cachons, before, ended):
    """C14: with the 290 of this round, 10 of the rounds before are enough and 5 are not."""
    table = cachons_out(cachons, f"{WILDS} Ad Kh", match=True).carry(before, rounds=2).play("discard Kd")
    assert table.ended == ended
    assert table.view["scores"] == [before[0], before[1] - 290]


def test_c14_the_fewest_points_win_whoever_went_out(cachons):
    """C14: seat 0 goes out with 200 from before, seat 1 gets 290 to its 20, seat 2 has 30 + 10 x 5 + 10 + 10 = 100.

    Margins of the round: (290 + 70) / 2 = 180; -290 + 70 / 2 = -255; -70 + 290 / 2 = 75.
    """
    hands = f"{WILDS} Ad Kh", "3d 3h 4d 4h 5d 5h 6d 6h 7d 7h 8d Ks"
    table = cachons_out(cachons, *hands, match=True).carry([-200, -20, -30], rounds=3).play("discard Kd")
    assert (table.ended, table.view["out"]) == ("terminated", 0)
    assert table.view["scores"] == [-200, -310, -100]
    assert table.view["winners"] == [2]
    assert table.rewards == pytest.approx([1.8, -2.55, 0.75])


@pytest.mark.parametrize(("target", "ended"), [(290, "terminated"), (291, None), (1, "terminated"), (10000, None)])
def test_c14_target_is_an_option(cachons, target, ended):
    """C14: a house may play to another number."""
    assert cachons_out(cachons, f"{WILDS} Ad Kh", match=True, target=target).play("discard Kd").ended == ended


def test_c14_without_a_match_300_points_end_nothing_more(cachons):
    """C14, G5: one round is one episode."""
    table = cachons_out(cachons, f"{WILDS} Ad Ah").play("discard Kd")
    assert (table.ended, table.view["scores"]) == ("terminated", [0, -300])
