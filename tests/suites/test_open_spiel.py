"""Gin Rummy beside OpenSpiel's `gin_rummy`, deal by deal: choices, ends and points are those that the page says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from suites.common import eager, legal, live, raw_env, shuffled_deck, uniform

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.outside

DRAW_TOP, DRAW_STOCK, PASS, KNOCK, MELD = 52, 53, 54, 55, 56
PLAIN = {"draw_top": DRAW_TOP, "draw_stock": DRAW_STOCK, "pass": PASS}


def number(card: str) -> int:
    return "scdh".index(card[1]) * 13 + "A23456789TJQK".index(card[0])


def text(state: Any, action: int) -> str:
    return state.action_to_string(state.current_player(), action).split("Action: ")[1]


def dealt(deck: list[str]) -> Any:
    """OpenSpiel deals ten cards to one and then ten to the other."""
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    for card in [*deck[0:20:2], *deck[1:20:2], deck[20]]:
        state.apply_action(number(card))
    return state


def lay(state: Any, melds: list[list[str]]) -> None:
    """Lay melds; there, a run of six or more is two or three."""
    for cards in melds:
        while cards:
            size = len(cards) if len(cards) <= 5 else 3
            named = {frozenset(chunks(text(state, a))): a for a in state.legal_actions() if a >= MELD}
            state.apply_action(named[frozenset(cards[:size])])
            cards = cards[size:]
    state.apply_action(PASS)


def chunks(cards: str) -> list[str]:
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]


def settle(state: Any, view: dict[str, Any]) -> None:
    """Play a knock to its end as we did."""
    of_seat: list[list[list[str]]] = [[], []]
    for meld in view["melds"]:
        of_seat[meld["seat"]].append([card for card in meld["cards"] if card not in meld["laid_off"]])
    lay(state, of_seat[view["knocker"]])
    left = [card for meld in view["melds"] for card in meld["laid_off"]]
    while left:
        card = next(card for card in left if number(card) in state.legal_actions())
        state.apply_action(number(card))
        left.remove(card)
    if view["ended"] == "knock":
        state.apply_action(PASS)
    lay(state, of_seat[1 - view["knocker"]])
    assert state.is_terminal()


def together(seed: int, seen: Counter[str]) -> None:
    """Play one deal in both."""
    deck = shuffled_deck("gin_rummy_v0", 2, seed)
    env = raw_env("gin_rummy_v0")
    env.reset(seed=seed, options={"deck": deck})
    state, choose = dealt(deck), uniform(seed) if seed % 5 == 0 else eager(seed, 0.95)
    while live(env):
        if state.is_terminal():
            seen["cut off by repeated or by many draws from the pile"] += 1
            return
        assert state.current_player() == env.view()["seat"]
        names = {env.action_name(action): action for action in legal(env)}
        theirs = set(state.legal_actions())
        knocks = {number(name.split()[1]) for name in names if name.startswith("knock")}
        ours = {PLAIN.get(name, number(name.split()[-1]) if " " in name else -1) for name in names}
        assert ours == theirs - {KNOCK}
        assert bool(knocks) == (KNOCK in theirs)
        if knocks:
            knocking = state.clone()
            knocking.apply_action(KNOCK)
            assert set(knocking.legal_actions()) == knocks
        name = env.action_name(choose(env, list(names.values())))
        top = env.view()["stock"][0]
        env.step(env.action_id(name))
        if name.startswith("knock"):
            state.apply_action(KNOCK)
        state.apply_action(PLAIN.get(name, number(name.split()[-1]) if " " in name else -1))
        if state.is_chance_node():
            state.apply_action(number(top))
    view = env.view()
    seen[view["ended"]] += 1
    if view["knocker"] is None:
        if not state.is_terminal():
            assert set(state.legal_actions()) <= {PASS, KNOCK}, "there, the last discard may still be knocked with"
            seen["a knock with the last discard there"] += KNOCK in state.legal_actions()
            state.apply_action(PASS)
        assert state.is_terminal()
        assert state.returns() == [0, 0]
    else:
        settle(state, view)
        margin = view["scores"][0] - view["scores"][1]
        equal = sum_of(view, 0) == sum_of(view, 1) and view["ended"] == "knock"
        seen["equal deadwood"] += equal
        assert state.returns() == ([0, 0] if equal else [margin, -margin])


def sum_of(view: dict[str, Any], seat: int) -> int:
    return sum(min("A23456789TJQK".index(card[0]) + 1, 10) for card in view["hands"][seat])


def test_the_same_choices_ends_and_points() -> None:
    """J1-J7, with each difference that the page names."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        together(seed, seen)
    for what, least in {"knock": 150, "gin": 1, "void": 20, "equal deadwood": 1}.items():
        assert seen[what] >= least, what
