"""Compiled Gin Rummy against a naive engine, decision by decision: what is legal, what it does, what is shown."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import cardenvs
from cardenvs._jit import entry
from cardenvs.cards import PLACE
from cardenvs.deadwood import best_sets, chained, deadwood, deadwood_after_discard, fourth_cards, points, runs_of
from cardenvs.games.gin.layouts import PACK
from cardenvs.melds import ZERO
from suites import gin_rows
from suites.common import Choose, eager, legal, live, raw_env, uniform
from suites.gin_reference import (
    DECK,
    RANKS,
    SUITS,
    Meld,
    Reference,
    is_meld,
    joined,
    least,
    least_against,
    open_to,
    ways,
)
from suites.gin_reference import points as points_of
from suites.memory import Memory
from suites.rows import differences


def follow(env: Any, choose: Choose, look: int) -> Counter[str]:
    """Play a round beside the naive engine; every `look`-th decision the rows of both seats are checked too."""
    view = env.view()
    reference, memory, record = Reference(env.game.options, view), Memory(view), gin_rows.Record()
    kinds: Counter[str] = Counter()
    done: list[str] = []
    while live(env):
        actions = legal(env)
        names, expected = {env.action_name(action) for action in actions}, reference.legal()
        assert names == expected, f"too many {names - expected}, missing {expected - names} after {done[-8:]}; {view}"
        if len(done) % look == 0:
            for seat, agent in enumerate(env.agents):
                wrong = differences(env, gin_rows.expected(view, memory, record, seat), agent)
                assert not wrong, f"{agent} after {done[-8:]}"
        name = env.action_name(choose(env, actions))
        done.append(name)
        kinds[name.split()[0]] += 1
        env.step(env.action_id(name))
        before, view = view, env.view()
        reference.apply(name)
        memory.step(before, name, view)
        record.step(before, name)
        assert not reference.differences(view), f"after {done[-8:]}"
    assert reference.ended == view["ended"]
    kinds[f"ended: {view['ended']}"] += 1
    kinds["laid off"] += sum(len(meld["laid_off"]) for meld in view["melds"])
    return kinds


def test_every_decision_is_as_in_the_naive_engine() -> None:
    kinds: Counter[str] = Counter()
    for number, options in enumerate(
        ({}, {"oklahoma": True}, {"knock_card": 0}, {"knock_card": 3}, {"max_turns": 5}, {"knock_card": 1})
    ):
        for deal in range(12):
            env = raw_env("gin_rummy_v0", **options)
            env.reset(seed=100 * number + deal)
            choose = uniform(deal) if deal % 6 == 5 else eager(deal, 0.95, thirst=(0.2, 0.8)[deal % 2])
            kinds += follow(env, choose, look=5)
    wanted = {"draw_stock", "draw_top", "pass", "discard", "knock", "laid off"}
    wanted |= {f"ended: {way}" for way in ("knock", "gin", "void", "cap")}
    assert {kind for kind, count in kinds.items() if count} >= wanted, "all has come about"


def test_rows_and_scores_of_bots_that_play_to_win() -> None:
    """The same with `greedy`, whose rounds nearly all end with a knock."""
    kinds: Counter[str] = Counter()
    env = raw_env("gin_rummy_v0")
    bot = cardenvs.make_bot(env.game, "greedy")

    def choose(env: Any, actions: list[int]) -> int:
        seen = env.observe(env.agent_selection)
        row = np.rint(seen["observation"] / env.game.observation.scale).astype(np.int16)
        return int(bot.act(row[None], seen["action_mask"][None])[0])

    for seed in range(40):
        env.reset(seed=seed)
        kinds += follow(env, choose, look=7)
    assert kinds["ended: knock"] + kinds["ended: gin"] > 30
    assert kinds["laid off"] > 10


# Deadwood and lay-offs -----------------------------------------------------------------------------------------------


@entry
def measure(hands, tables, left, sets, runs, against, off):
    """Of uint64 `hands[N]` and `tables[N, 2]` (the sets and the runs of another): deadwood, melds, and lay-offs."""
    for i in range(hands.shape[0]):
        hand = hands[i]
        left[i] = deadwood(hand)
        sets[i] = best_sets(hand, ZERO, ZERO, False)
        runs[i] = runs_of(hand & ~sets[i])
        fourths = fourth_cards(tables[i, 0])
        own = best_sets(hand, tables[i, 1], fourths, False)
        rest = hand & ~own
        off[i] = (chained(rest, tables[i, 1]) | (rest & fourths)) & ~runs_of(rest)
        against[i] = points(rest & ~runs_of(rest) & ~off[i])


def board(cards: Any) -> int:
    return sum(1 << int(PLACE[13, PACK.labels.index(card)]) for card in cards)


def cards_of(number: int) -> set[str]:
    return {card for card in DECK if number >> int(PLACE[13, PACK.labels.index(card)]) & 1}


Measured = tuple[int, set[str], set[str], int, set[str]]


def measured(hands: list[list[str]], tables: list[tuple[Meld, ...]]) -> list[Measured]:
    """Deadwood; cards in sets, in runs; deadwood against a table, cards laid off on it."""
    n = len(hands)
    sets_of = [board(card for meld in table if len({c[0] for c in meld}) == 1 for card in meld) for table in tables]
    runs_of = [board(card for meld in table if len({c[0] for c in meld}) > 1 for card in meld) for table in tables]
    boards = np.array([board(hand) for hand in hands], np.uint64)
    on_table = np.array([sets_of, runs_of], np.uint64).T.copy()
    left, against = np.zeros(n, np.int64), np.zeros(n, np.int64)
    sets, runs, off = (np.zeros(n, np.uint64) for _ in range(3))
    measure(boards, on_table, left, sets, runs, against, off)
    return [
        (int(left[i]), cards_of(int(sets[i])), cards_of(int(runs[i])), int(against[i]), cards_of(int(off[i])))
        for i in range(n)
    ]


def tight_hand(rng: random.Random, size: int, without: Any = ()) -> list[str]:
    """Cards of a few neighbouring ranks in a few suits: full of melds that share cards."""
    ranks, suits = rng.randint(3, 6), rng.choice((2, 3, 3, 4))
    low = rng.randrange(14 - ranks)
    some = [rank + suit for suit in rng.sample(SUITS, suits) for rank in RANKS[low : low + ranks]]
    some = [card for card in some if card not in without]
    some = rng.sample(some, min(size, len(some)))
    return some + rng.sample([card for card in DECK if card not in some and card not in without], size - len(some))


def some_hands(count: int, seed: int) -> list[list[str]]:
    rng = random.Random(seed)
    sizes = [rng.choice((10, 11)) for _ in range(count)]
    return [tight_hand(rng, size) if i % 2 else rng.sample(DECK, size) for i, size in enumerate(sizes)]


def test_deadwood_is_the_least_over_all_ways_to_part_a_hand() -> None:
    """J4: thousands of hands, half of them full of melds that overlap, against brute force."""
    hands = some_hands(6000, seed=1)
    found = measured(hands, [()] * len(hands))
    contested = 0
    for hand, (left, sets, runs, _, _) in zip(hands, found, strict=True):
        assert left == least(hand), hand
        assert not sets & runs
        assert sets | runs <= set(hand)
        assert points_of(set(hand) - sets - runs) == left
        assert all(is_meld([card for card in sets if card[0] == rank]) for rank in {card[0] for card in sets})
        for suit in SUITS:
            places = "".join(rank if rank + suit in runs else " " for rank in RANKS).split()
            assert all(len(run) >= 3 for run in places)
        contested += len(ways(hand)) > 1
    assert contested > 1000


@entry
def discarded(hands, left):
    """Of uint64 `hands[N]` of eleven cards: the least deadwood once one is discarded."""
    for i in range(hands.shape[0]):
        left[i] = deadwood_after_discard(hands[i])


def test_deadwood_after_a_discard_is_the_least_over_all_discards() -> None:
    rng = random.Random(4)
    hands = [tight_hand(rng, 11) for _ in range(1500)]
    # Where all eleven are in melds, a longer one spares a card.
    hands.append(["As", "2s", "3s", "4s", "5s", "Kh", "Kd", "Kc", "Qh", "Qd", "Qc"])
    left = np.zeros(len(hands), np.int64)
    discarded(np.array([board(hand) for hand in hands], np.uint64), left)
    assert left[-1] == 0
    for hand, found in zip(hands, left.tolist(), strict=True):
        assert found == min(least(set(hand) - {card}) for card in hand), hand


def test_of_equal_ways_the_one_with_the_fewest_places_to_lay_off_on() -> None:
    """J5: what `best_sets` says of ties."""
    hands = [hand for hand in some_hands(4000, seed=2) if len(ways(hand)) > 1]
    found = measured(hands, [()] * len(hands))
    ties = 0
    for hand, (left, sets, runs, _, _) in zip(hands, found, strict=True):
        best = [joined(way) for way in ways(hand) if points_of(set(hand).difference(*way)) == left]
        fewest = min(open_to(way) for way in best)
        chosen = [way for way in best if {c for m in way if len({x[0] for x in m}) == 1 for c in m} == sets]
        assert chosen, (hand, sets, runs)
        assert min(open_to(way) for way in chosen) == fewest, (hand, sets, best)
        ties += len({open_to(way) for way in best}) > 1
    assert ties > 50


def test_what_is_left_after_lay_offs_is_the_least_over_all_ways() -> None:
    """J5: own melds and lay-offs together, chains and cards that fit two melds included, against brute force."""
    rng = random.Random(3)
    hands, tables = [], []
    while len(hands) < 2500:
        knocker = tight_hand(rng, 10)
        laid = [joined(way) for way in ways(knocker) if way]
        if not laid:
            continue
        table = rng.choice(laid)
        hands.append(tight_hand(rng, 10, without=knocker) if rng.random() < 0.5 else near(rng, table, knocker))
        tables.append(table)
    found = measured(hands, tables)
    chains = matters = 0
    for hand, table, (left, _, _, against, off) in zip(hands, tables, found, strict=True):
        assert against == least_against(hand, table), (hand, table)
        assert off <= set(hand)
        assert against <= left
        matters += against < left
        chains += any(not any(is_meld(meld | {card}) for meld in table) for card in off)
    assert matters > 500
    assert chains > 50


def near(rng: random.Random, table: tuple[Meld, ...], without: list[str]) -> list[str]:
    """A hand of cards that stand close to melds on the table."""
    places = [(RANKS.index(card[0]), card[1]) for meld in table for card in meld]
    close = [
        card
        for card in DECK
        if card not in without
        and any(card[1] == suit and abs(RANKS.index(card[0]) - rank) <= 4 for rank, suit in places)
    ]
    some = rng.sample(close, min(len(close), rng.randint(3, 8)))
    return some + rng.sample([card for card in DECK if card not in without and card not in some], 10 - len(some))


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ("4c 5c 6c 4d 5d 6d 4h 5h 6h Ks", 10),
        ("6s 7s 8s 6c 7c 8c 8d Ah 2h Kd", 8 + 1 + 2 + 10),
        ("7c 7d 7h 7s 5h 6h 8h 9h Ah 2c", 1 + 2),
        ("Ac 2c 3c Kc Qc Jc Td Th Ts 9c", 9),
        ("Kc Ac 2c Qd Kd Ad 3s 5s 7s 9s", 10 + 1 + 2 + 10 + 10 + 1 + 24),
        ("3c 3d 3h 4c 4d 4h 5c 5d 5h 5s 6s", 6),
    ],
)
def test_deadwood_by_hand(hand: str, left: int) -> None:
    """J4: two runs beat three eights, one of four sevens is in a run, no run goes past the ace."""
    assert measured([hand.split()], [()])[0][0] == left
