"""What a seat knows of a Canasta hand that it does not see: other worlds must agree with all that was shown."""

from __future__ import annotations

from collections import Counter

import pytest

from cardenvs.games.canasta import worlds

WORLDS = 40


def cards_of(env):
    """All cards in hands and stock: what a new deal exchanges."""
    view = env.view()
    return Counter([*view["stock"], *(card for hand in view["hands"] for card in hand)])


def hands_of(table, seat, viewer="player_1"):
    """The hand of a seat in other worlds of a viewer; every one can be played on from."""
    found, pack = [], cards_of(table.u)
    for seed in range(WORLDS):
        world = table.u.determinize(viewer, seed)
        assert cards_of(world) == pack
        assert world.observe(world.agent_selection)["action_mask"].any()
        found.append(tuple(sorted(world.view()["hands"][seat])))
    return found


@pytest.mark.parametrize("tries", [0, 1, worlds.TRIES])
def test_a_half_laid_opening_can_be_finished_in_every_world(position, monkeypatch, tries):
    """120 points from queens want two jokers and a two: few hands have them, and the search for one is bounded."""
    monkeypatch.setattr(worlds, "TRIES", tries)
    table = position(["Q Q Q Q JK JK 4 5", "6 6 7", "8 8 9", "T T J"], phase="play", totals=[3000, 0])
    table.play("place Q natural", "place Q natural")
    hands = hands_of(table, 0)
    assert all(len(hand) == 6 for hand in hands)
    assert len(set(hands)) > 1
    assert len(set(hands_of(table, 2))) > 1
    for seed in range(10):
        world = table.u.determinize("player_1", seed)
        while world.view()["half_laid"]:
            world.step(int(world.observe(world.agent_selection)["action_mask"].argmax()))
        assert world.view()["opened"] == [True, False]


@pytest.mark.parametrize("tries", [0, worlds.TRIES])
def test_the_last_card_of_who_may_not_discard_it_completes(position, monkeypatch, tries):
    """K11: whoever lays the second last card of a side without its canastas has shown what the last one does."""
    monkeypatch.setattr(worlds, "TRIES", tries)
    table = position(["9 9", "5 6 7"], [["9 9 9 9 9"]], phase="play")
    table.play("place 9 natural")
    found = set(hands_of(table, 0))
    assert found <= {("9",), ("2",), ("JK",)}
    assert len(found) > 1 or not tries


@pytest.mark.parametrize("tries", [0, worlds.TRIES])
def test_a_meld_after_which_only_one_card_goes_out_can_be_finished_in_every_world(position, monkeypatch, tries):
    """K11: the fourth card is laid on the nines, which makes the second canasta; no other would do."""
    monkeypatch.setattr(worlds, "TRIES", tries)
    melds = [["9 9 9 9 9 9", "4 4 4 4 4 4 4"]]
    table = position(["K K K 9", "5 6 7", "8 8 5", "T T J"], melds, phase="play")
    table.play("place K natural")
    assert len(set(hands_of(table, 2))) > 1
    assert hands_of(table, 0)


def test_who_has_laid_all_black_threes_holds_none(position):
    """K12: all that are held are laid; the fourth may come for a red three afterwards."""
    melds = [["7 7 7 7 7 7 7"]]
    table = position(["3b 3b 3b 3r", "5 6"], melds, phase="play", stock="3b 4")
    table.play("black_threes")
    assert ("3b",) not in hands_of(table, 0)
    table.play("red_three")
    assert ("3b",) in hands_of(table, 0)


def test_the_pair_that_a_frozen_pile_asked_for_is_held(position):
    """K8: all have seen it."""
    table = position(["K K 5 6", "5 6 7"], [["K K K"]], pile="9 K", beside="2")
    table.play("take_pile meld")
    hands = hands_of(table, 0)
    assert all(hand.count("K") >= 2 and "9" in hand and "2" in hand for hand in hands)
    assert len(set(hands)) > 1


def test_partners_know_no_more_than_opponents(position):
    """Of the hand of a partner a seat sees its size, and what went there in the open."""
    table = position(["K K 5", "5 6 7", "8 8 9", "T T J"], pile="9", stock="J J Q Q")
    row = table.u.observe("player_0")["observation"]
    for seed in range(10):
        world = table.u.determinize("player_0", seed)
        assert (world.observe("player_0")["observation"] == row).all()
    assert len(set(hands_of(table, 2, "player_0"))) > 1
