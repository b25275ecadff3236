"""The compiled games against a naive engine, decision by decision: what is legal, what it does, what is shown."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from cardenvs.games import VARIANTS
from suites import rows
from suites.common import CASES, Choose, eager, legal, live, raw_env, scarce, uniform
from suites.houses import HOUSES
from suites.memory import Memory
from suites.reference import Reference

PLAIN = [
    pytest.param(variant, players, id=f"{variant}-{players}p")
    for variant, players in CASES
    if VARIANTS[variant].family.name == "laydown"
]


def follow(env: Any, choose: Choose, look: int) -> set[str]:
    """Play a round beside the naive engine; every `look`-th decision the rows of all seats are checked too."""
    view = env.view()
    reference, memory = Reference(env.game.id, env.game.options, view), Memory(view)
    verbs, done, number = set(), [], 0
    while live(env):
        actions = legal(env)
        names = {env.action_name(action) for action in actions}
        expected = reference.legal()
        assert names == expected, f"too many {names - expected}, missing {expected - names} after {done[-8:]}"
        if number % look == 0:
            for seat, agent in enumerate(env.agents):
                wrong = rows.differences(env, rows.Expected(env, view, memory, reference, seat).row(), agent)
                assert not wrong, f"{agent} after {done[-8:]}"
        name = env.action_name(choose(env, actions))
        done.append(name)
        verbs.add(name.split()[0])
        env.step(env.action_id(name))
        before, view = view, env.view()
        reference.apply(name, view)
        memory.step(before, name, view)
        assert not reference.differences(view), f"after {done[-8:]}"
        number += 1
    assert reference.ended
    return verbs


def rounds(variant: str, players: int) -> list[tuple[dict[str, Any], Choose]]:
    """Full stocks and scarce ones, small hands and large ones, eager players and careless ones."""
    house = HOUSES[variant]
    if house.contracts:
        return contract_rounds(variant, players)
    orders = [{"claim_order": order} for order in ("random", "seat")] if house.claims else [{}, {}]
    kinds: list[tuple[dict[str, Any], Choose]] = []
    for number, order in enumerate(orders):
        kinds += [
            ({"max_turns": 25, **order}, eager(number, 0.9)),
            ({"max_turns": 25, **order}, eager(number, 0.6, thirst=0.2)),
            ({"max_turns": 10, **order}, uniform(number)),
            ({"max_turns": 25, "hand_size": house.opening + 1, **order}, eager(number, 0.95)),
            ({"max_turns": 25, "hand_size": 2, **order}, eager(number, 0.95)),
            (scarce(variant, players, 10) | order, eager(number, 0.8, thirst=0.9)),
            (scarce(variant, players, 10) | order, eager(number, 0.3, thirst=0.9)),
        ]
    if house.table_points:
        kinds += [
            ({"pile_view": "all", "announce": "auto"}, eager(3, 0.9)),
            ({"max_turns": 25, "colours": 2, "copies": 7}, eager(4, 0.9)),
            ({"max_turns": 25, "colours": 3, "copies": 4}, eager(5, 0.7, thirst=0.2)),
            ({"max_turns": 25, "copies": 1, "hand_size": 5}, eager(6, 0.9)),
        ]
    return kinds


def contract_rounds(variant: str, players: int) -> list[tuple[dict[str, Any], Choose]]:
    """Each contract, with hands in which it is found and with those that the clauses deal."""
    kinds: list[tuple[dict[str, Any], Choose]] = []
    for number in range(1, 8):
        kinds += [
            ({"max_turns": 8, "contract": number, "hand_size": 17}, eager(number, 0.95)),
            ({"max_turns": 4, "contract": number}, eager(number, 0.9)),
        ]
    return [
        *kinds,
        ({"max_turns": 6, "contract": 2, "hand_size": 2}, uniform(1)),
        (scarce(variant, players, 6) | {"contract": 5, "buys": 3}, eager(8, 0.8, thirst=0.9)),
        (scarce(variant, players, 6) | {"contract": 7, "buys": 10}, eager(9, 0.5, thirst=0.9)),
    ]


@pytest.mark.parametrize(("variant", "players"), PLAIN)
def test_every_decision_is_as_in_the_naive_engine(variant: str, players: int) -> None:
    verbs: set[str] = set()
    for number, (options, choose) in enumerate(rounds(variant, players)):
        env = raw_env(variant, num_players=players, **options)
        for deal in range(2):
            env.reset(seed=100 * number + deal)
            verbs |= follow(env, choose, look=15)
    unused = {name.split()[0] for name in env.game.action_names} - verbs
    assert not unused, "every kind of action has been played"


@pytest.mark.parametrize(("variant", "players"), [case for case in PLAIN if not HOUSES[case.values[0]].contracts])
def test_every_meld_of_the_rules_can_be_laid(variant: str, players: int) -> None:
    """G6: of the least length, with every choice of natural and wild, and each in one way only."""
    for number, options in enumerate([{"max_turns": 20}, scarce(variant, players, 6)]):
        env = raw_env(variant, num_players=players, **options)
        env.reset(seed=number)
        choose, rng = eager(number, 0.5), np.random.default_rng(number)
        while live(env):
            if env.view()["phase"] == "play" and rng.random() < 0.1:
                laid = list(melds_laid(env))
                assert len(laid) == len(set(laid)), "one way to lay each"
                assert set(laid) == melds_by_rules(env)
            env.step(choose(env, legal(env)))


def melds_laid(env: Any) -> list[tuple[str, ...]]:
    """The new melds that actions can lay now, followed to their end."""
    laid, count = [], len(env.view()["melds"])
    begin = [action for action in legal(env) if env.action_name(action).split()[0] in ("run", "set")]
    frontier = []
    for action in begin:
        frontier.append(env.clone())
        frontier[-1].step(action)
    while frontier:
        twin = frontier.pop()
        if twin.view()["half_laid"] is None:
            laid.append(tuple(twin.view()["melds"][count]["cards"]))
            continue
        for action in legal(twin):
            frontier.append(twin.clone())
            frontier[-1].step(action)
    return laid


def melds_by_rules(env: Any) -> set[tuple[str, ...]]:
    """Every new meld of the least length that the hand can lay and keep a card: straight from the cards."""
    view = env.view()
    reference = Reference(env.game.id, env.game.options, view)
    house, hand = reference.house, view["hands"][view["seat"]]
    length = 3 if view["opened"][view["seat"]] else house.opening
    found: set[tuple[str, ...]] = set()
    if len(hand) < length + house.keep:
        return found
    for low in {card for card in env.game.pack.labels if card not in house.wilds}:
        places = reference.places(low, length)
        if places:
            found |= set(fillings(places, hand, house.wilds))
    if house.sets:
        for rank in house.ranks:
            held = [house.card(rank, suit) for suit in house.suits]
            found |= set(combinations([card for card in held for _ in range(hand.count(card))], 3))
    return found


def fillings(places: tuple[str, ...], hand: list[str], wilds: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Ways to fill places with naturals and wilds of the hand, at least one of them natural (C10)."""
    ways: list[tuple[tuple[str, ...], list[str]]] = [((), hand)]
    for place in places:
        longer = []
        for laid, left in ways:
            for card in {place, *wilds} & set(left):
                rest = list(left)
                rest.remove(card)
                longer.append(((*laid, card), rest))
        ways = longer
    return [laid for laid, _ in ways if any(card not in wilds for card in laid)]
