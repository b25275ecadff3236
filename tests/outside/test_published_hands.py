"""Published hands of gin rummy moved through ours; what became of them is what their sources say, written by hand.

OpenSpiel need not be installed for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import published_hands
import pytest
from by_trying import PACK
from published_hands import Record

from cardenvs import gin_rummy_v0

CARDS = [rank + suit for suit in "scdh" for rank in "A23456789TJQK"]
DRAWS = {52: "draw_top", 53: "draw_stock", 54: "pass"}


def split(moves: tuple[int, ...]) -> tuple[list[str], list[str]]:
    """The deck that deals the hand, and the names of its actions."""
    deal, rest = moves[:21], iter(moves[21:])
    deck = [CARDS[card] for pair in zip(deal[:10], deal[10:20], strict=True) for card in pair] + [CARDS[deal[20]]]
    names = []
    for move in rest:
        if move == 55:
            names.append(f"knock {CARDS[next(rest)]}")
        else:
            names.append(DRAWS.get(move) or f"discard {CARDS[move]}")
        if move == 53:
            deck.append(CARDS[next(rest)])
    return deck + [card for card in PACK if card not in deck], names


def replay(record: Record) -> Any:
    """Our environment after the hand; every move was legal."""
    deck, names = split(record.moves)
    u = gin_rummy_v0.raw_env(**record.options)
    u.reset(options={"deck": deck})
    for name in names:
        u.step(u.action_id(name))
    return u


def legal(u: Any) -> Iterator[str]:
    return (u.action_name(int(action)) for action in u.observe(u.agent_selection)["action_mask"].nonzero()[0])


def laid(view: dict[str, Any], seat: int) -> list[str]:
    return sorted(" ".join(meld["cards"]) for meld in view["melds"] if meld["seat"] == seat)


def test_the_playthrough_of_openspiel() -> None:
    """J3-J6: player 1 knocks with 2s 3h 4h, 9; the other keeps 42 beside 4d-7d: 33 points."""
    view = replay(published_hands.PLAYTHROUGH).view()
    assert (view["ended"], view["knocker"]) == ("knock", 1)
    assert laid(view, 1) == ["6s 7s 8s", "Jc Jd Jh Js"]
    assert laid(view, 0) == ["4d 5d 6d 7d"]
    assert view["hands"] == [sorted_as_ours("3s Ts 8c 2d Td 9h"), sorted_as_ours("2s 3h 4h")]
    assert view["round_scores"] == [0, 33]
    assert len(view["stock"]) == 23


def sorted_as_ours(cards: str) -> list[str]:
    return sorted(cards.split(), key=PACK.index)


def test_an_undercut_by_breaking_a_set() -> None:
    """J5, J6: the eights are laid off on two runs: 9 left against 10, so 1 and the bonus of 20."""
    view = replay(published_hands.UNDERCUT).view()
    assert laid(view, 1) == ["2c 2d 2h 2s"]
    assert sorted(card for meld in view["melds"] for card in meld["laid_off"]) == ["7c", "8c", "8s", "9s"]
    assert view["hands"][1] == ["Ac", "8d"]
    assert view["round_scores"] == [0, 21]


def test_sets_that_leave_less_to_lay_off_on() -> None:
    """J5 [D]: three sets or three runs leave an ace; as sets, on which 5h 6h 7h help nobody, they win 2 points."""
    view = replay(published_hands.SETS_OR_RUNS).view()
    assert laid(view, 0) == ["5c 5d 5s", "6c 6d 6s", "7c 7d 7s"]
    assert laid(view, 1) == ["4c 4d 4s", "5h 6h 7h", "8c 8d 8s"]
    assert view["round_scores"] == [2, 0]


def test_a_card_that_fits_a_set_and_a_run_lets_the_next_one_follow() -> None:
    """J5, J6: Ts on J-K of spades, 9s after it; nothing is left against 2: 2 and 25."""
    view = replay(published_hands.CHAINED).view()
    assert [meld["laid_off"] for meld in view["melds"] if meld["laid_off"]] == [["9s", "Ts"]]
    assert view["hands"] == [["2h"], []]
    assert view["round_scores"] == [0, 27]


def test_at_the_wall_the_round_is_void() -> None:
    """J7: OpenSpiel's player 1 takes Jh for gin and 43 points, though two cards are left; here nobody may."""
    u = replay(published_hands.WALL)
    view = u.view()
    assert (view["ended"], view["winners"], view["round_scores"]) == ("void", [], [0, 0])
    assert (view["pile"][-1], len(view["stock"])) == ("Jh", 2)
    assert all(u.terminations.values())
    assert not any(u.truncations.values())


def test_round_and_round_goes_on() -> None:
    """G3: the fiftieth draw from the pile ends OpenSpiel's hand; here it is legal, and the cap is 100 turns a seat."""
    u = replay(published_hands.ROUND_AND_ROUND)
    assert u.view()["ended"] is None
    u.step(u.action_id("draw_top"))
    assert u.view()["phase"] == "discard"


def test_gin_after_an_ace_in_oklahoma() -> None:
    """J4, J6: no knock with an ace left, then gin against 63 points: 88."""
    deck, names = split(published_hands.OKLAHOMA.moves)
    u = gin_rummy_v0.raw_env(**published_hands.OKLAHOMA.options)
    u.reset(options={"deck": deck})
    for name in names[:2]:
        u.step(u.action_id(name))
    assert not [name for name in legal(u) if name.startswith("knock")]
    for name in names[2:]:
        u.step(u.action_id(name))
    assert u.view()["ended"] == "gin"
    assert u.view()["round_scores"] == [0, 88]


def test_the_replay_of_kaggle() -> None:
    """J7: a hand of random agents, to the two last cards; the record ends in a draw, with these hands."""
    view = replay(published_hands.KAGGLE).view()
    assert (view["ended"], view["winners"]) == ("void", [])
    assert view["hands"] == [
        sorted_as_ours("As Ts Qs 2c 4c 5c Tc Jc 3d 9d"),
        sorted_as_ours("2s Kc 2d 7d Qd Ah 3h 7h Th Qh"),
    ]
    assert view["pile"][-1] == "Jd"
    assert len(view["pile"]) == 30


@pytest.mark.parametrize("name", ["PLAYTHROUGH", "UNDERCUT", "KAGGLE"])
def test_a_record_with_a_wrong_card_does_not_pass(name: str) -> None:
    """The replay can fail: a last card that the rules forbid is refused."""
    record: Record = getattr(published_hands, name)
    *moves, _ = record.moves
    with pytest.raises(ValueError, match="is illegal for"):
        replay(record._replace(moves=(*moves, record.moves[10])))
