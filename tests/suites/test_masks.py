"""Masks and actions (M1-M7): what the mask offers is what can be played, to the end of every game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import cardenvs
from suites.common import (
    advanced,
    cards_in_play,
    contract,
    decisions,
    eager,
    every_case,
    every_variant,
    finish,
    laydown_case,
    legal,
    live,
    may_be_void,
    only_known,
    pack_texts,
    raw_env,
    scarce,
    settings,
    short,
    uniform,
    wrapped_env,
)


@every_case
def test_exactly_what_the_mask_says_is_accepted(variant: str, players: int) -> None:
    """M1, M4: every action of the space is tried; a refused one is named and changes nothing."""
    pack = Counter(pack_texts(variant, players))
    rng = random.Random(0)
    for number, options in enumerate(settings(variant, players)):
        env = raw_env(variant, num_players=players, **options)
        env.reset(seed=number)
        phases: Counter[str] = Counter()
        for _ in decisions(env, eager(number)):
            phase = env.view()["phase"]
            if phases[phase] >= 2 and rng.random() > 0.01:
                continue
            phases[phase] += 1
            before, twin = env.get_state(), env.clone()
            mask = env.observe(env.agent_selection)["action_mask"]
            for action in np.flatnonzero(mask == 0).tolist():
                with pytest.raises(ValueError, match="is illegal") as refused:
                    twin.step(action)
                assert repr(env.action_name(action))[1:-1] in str(refused.value)
            assert twin.get_state() == before
            for action in np.flatnonzero(mask).tolist():
                twin = env.clone()
                twin.step(action)
                assert not live(twin) or legal(twin)
                assert cards_in_play(twin.view(), pack.total()) == pack
                assert twin.get_state() != before


@pytest.mark.parametrize("junk", [-1, 10**6, None, 1.0, "draw_stock", True, np.float64(0), [0], np.bool_(False)])
@every_variant
def test_what_is_no_action_is_refused(variant: str, junk: Any) -> None:
    env = raw_env(variant)
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(ValueError, match="allowed are"):
        env.step(junk)
    assert env.get_state() == before


@every_case
def test_a_batch_refuses_what_a_mask_forbids(variant: str, players: int) -> None:
    vec = cardenvs.make_vec(variant, 5, seed=2, num_players=players)
    batch = vec.reset(2)
    for number in range(60):
        state = vec.get_state()
        actions = vec.random_actions()
        wrong = actions.copy()
        wrong[number % 5] = np.flatnonzero(batch.mask[number % 5] == 0)[number % 7]
        for bad in (wrong, actions[:4], actions.astype(float), np.full(5, -1), np.full(5, vec.num_actions)):
            with pytest.raises(ValueError, match="allowed"):
                vec.step(bad)
        vec.set_state(state)
        batch = vec.step(vec.random_actions())


@every_case
def test_whole_matches_end(variant: str, players: int) -> None:
    """M2: a live seat always has a choice, and random play reaches the end of a match."""
    options = short(variant, 30) | only_known(variant, target=150, rounds=3)
    vec = cardenvs.make_vec(variant, 32, seed=3, num_players=players, match=True, **options)
    batch, ended = vec.reset(3), np.zeros(32, bool)
    for _ in range(100_000):
        assert batch.mask.any(axis=1).all()
        batch = vec.step(vec.random_actions(), out=batch)
        ended |= batch.terminated | batch.truncated
        if ended.all():
            return
    raise AssertionError(f"{(~ended).sum()} of 32 matches are not over")


@every_case
def test_masks_are_what_gymnasium_samples_from(variant: str, players: int) -> None:
    """M3: int8, one entry an action, zeros and ones."""
    env = raw_env(variant, num_players=players, **short(variant))
    env.reset(seed=4)
    space = env.action_space(env.agents[0])
    space.seed(4)
    for _ in decisions(env, uniform(4)):
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.dtype == np.int8
        assert mask.shape == (env.game.num_actions,) == (space.n,)
        assert set(np.unique(mask)) <= {0, 1}
        assert mask[space.sample(mask)] == 1
    vec = cardenvs.make_vec(variant, 3, seed=4, num_players=players)
    batch = vec.reset(4)
    assert batch.mask.dtype == np.int8
    assert batch.mask.shape == (3, vec.num_actions)


@every_case
def test_an_illegal_action_ends_the_episode_of_the_wrapped_env(variant: str, players: int) -> None:
    """M4: at a penalty worse than any loss; the next reset is as good as new."""
    for reward in ("score", "win"):
        env = wrapped_env(variant, num_players=players, reward=reward)
        for seed in range(3):
            env.reset(seed=seed)
            advanced(env, uniform(seed), 7 * seed)
            culprit = env.agent_selection
            wrong = int(np.flatnonzero(env.observe(culprit)["action_mask"] == 0)[seed])
            before = env.unwrapped.view()
            env.step(wrong)
            assert env.unwrapped.view() == before
            assert all(env.terminations.values())
            paid = {}
            for agent in env.agent_iter():
                _, paid[agent], terminated, truncated, _ = env.last()
                assert terminated or truncated
                env.step(None)
            assert paid.pop(culprit) == env.unwrapped.game.illegal_reward < worst_loss(env.unwrapped.game)
            assert not any(paid.values())
            assert env.agents == []
            env.reset(seed=seed)
            fresh = wrapped_env(variant, num_players=players, reward=reward)
            fresh.reset(seed=seed)
            assert _whole_game(env, seed) == _whole_game(fresh, seed)


def worst_loss(game: Any) -> float:
    """The least that a round can pay: all cards in one's own hand, none in the others'.

    In Gin Rummy ten cards of 10, to a gin.
    """
    cards = int((game.pack.counts * game.pack.type_points).sum())
    if may_be_void(game.id):
        cards = 10 * 10 + game.options["gin_bonus"]
    return -1.0 if game.options["reward"] == "win" else -cards / game.score_scale


def _whole_game(env: Any, seed: int) -> list[Any]:
    """Everything that an episode says, its last rewards included."""
    choose, said = uniform(seed), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        said.append((agent, observation["observation"].tobytes(), observation["action_mask"].tobytes()))
        said.append((reward, terminated, truncated, dict(info)))
        env.step(None if terminated or truncated else choose(env, legal(env)))
    return said


@every_case
def test_asking_changes_nothing(variant: str, players: int) -> None:
    """M5: every query is asked once, often or never, and the games stay the same."""
    for options in settings(variant, players):
        said = []
        for times in (0, 1, 5):
            env = raw_env(variant, num_players=players, render_mode="ansi", **options)
            env.reset(seed=5)
            said.append([])
            for number, action in enumerate(decisions(env, eager(5))):
                said[-1].append((action, env.get_state()))
                for _ in range(times if number % 10 == 0 else 0):
                    _ask_everything(env)
                assert env.get_state() == said[-1][-1][1]
        assert said[0] == said[1] == said[2]


def _ask_everything(env: Any) -> None:
    for agent in env.agents:
        env.observe(agent)
        env.render(agent)
    env.last()
    env.render()
    env.state()
    env.view()
    env.clone(reseed=1)
    env.determinize(env.agents[0], 1)


# The turns of the laydown family -------------------------------------------------------------------------------------


@laydown_case
def test_every_turn_ends_with_a_discard(variant: str, players: int) -> None:
    """M6: a turn passes on only after a discard, and a claim of it; a hand is emptied only by one (or by N9, V7)."""
    for number, options in enumerate(settings(variant, players)):
        env = raw_env(variant, num_players=players, **options)
        env.reset(seed=number)
        discards = 0
        for action in decisions(env, eager(number, 0.95)):
            name, before = env.action_name(action), env.view()
            twin = env.clone()
            twin.step(action)
            after = twin.view()
            discards += name.startswith("discard")
            melds_out = env.game.rules.keep_card == 0 or before.get("contract") == 7  # N9, V7
            if melds_out and after["ended"] == "out" and not name.startswith("discard"):
                assert name.split()[0] in ("fill", "lay_off_run", "lay_off_set")
                assert discards == 0
            elif after["turns"] != before["turns"] or after["ended"]:
                assert discards == 1, name
                assert name.split()[0] in ("discard", "claim", "pass", "announce", "stay_silent")
                discards = 0
            assert all(after["hands"]) or after["ended"] == "out"


@laydown_case
def test_hands_grow_only_by_drawing(variant: str, players: int) -> None:
    """M7: by a draw, a claim, a purchase or a penalty card; a swap is one for one, and all else gives a card away."""
    grows = {"draw_stock": {1}, "draw_top": {1}, "draw_pile": set(range(1, 200)), "claim": {1}, "stay_silent": {0, 1}}
    grows["buy"] = {1, 2}
    same = {"swap_wild": {0}, "run": {0}, "set": {0}, "pass": {0}, "announce": {0}, "lay_off_run": {0, -1}}
    for number, options in enumerate(settings(variant, players)):
        env = raw_env(variant, num_players=players, **options)
        env.reset(seed=number)
        before = env.view()
        for action in decisions(env, eager(number)):
            verb = env.action_name(action).split()[0]
            twin = env.clone()
            twin.step(action)
            after = twin.view()
            for seat in range(players):
                change = len(after["hands"][seat]) - len(before["hands"][seat])
                assert change in (grows | same).get(verb, {-1}) if seat == before["seat"] else change == 0, verb
            before = after


@laydown_case
def test_cards_on_the_table_stay_where_they_were_put(variant: str, players: int) -> None:
    """M7: a run only grows at its ends, a wild keeps its place, and only a swap takes it away."""
    pack = cardenvs.make_game(variant, num_players=players).pack
    order = {label: i for i, label in enumerate(pack.labels)}
    wilds = {label for label, _ in pack.wilds}
    for number, options in enumerate(settings(variant, players)):
        env = raw_env(variant, num_players=players, **options)
        env.reset(seed=number)
        before = _places(env.view(), order, len(pack.ranks))
        for action in decisions(env, eager(number)):
            name = env.action_name(action).split()
            twin = env.clone()
            twin.step(action)
            after = _places(twin.view(), order, len(pack.ranks))
            gone, came = before - after, after - before
            if name[0] == "swap_wild":
                assert gone == Counter([(order[name[1]], name[2])])
                assert came == Counter([(order[name[1]], name[1])])
            else:
                assert not gone
                assert came.total() == 0 or name[0] in ("fill", "lay_off_run", "lay_off_set")
            assert all(card in wilds or order[card] == place for place, card in after if place >= 0)
            before = after


def _places(view: dict[str, Any], order: dict[str, int], ranks: int) -> Counter[tuple[int, str]]:
    """(place, card) of every card of a whole run on the table; the cards of sets have the place -1.

    A place is that of the natural that belongs there: an ace's is one, above the king or below the two.
    """
    places: Counter[tuple[int, str]] = Counter()
    for meld in view["melds"]:
        for i, card in enumerate(meld["cards"]):
            low = order.get(meld.get("low"), -1)
            suit, rank = divmod(low, ranks)
            places[(suit * ranks + (rank + i) % ranks if meld["kind"] == "run" else -1, card)] += 1
    return places


@laydown_case
def test_lay_offs_go_on_at_both_ends(variant: str, players: int) -> None:
    """M6: what has grown at an end grows on there, and at the other end: one card after the other."""
    ends: Counter[str] = Counter()
    for seed in range(6):
        env = raw_env(variant, num_players=players, **scarce(variant, players, 8), **contract(variant, 5))
        env.reset(seed=seed)
        for action in decisions(env, eager(seed, 0.97)):
            if not env.action_name(action).startswith("lay_off_run"):
                continue
            twin = env.clone()
            twin.step(action)
            while twin.view()["phase"] == "fill":
                twin.step(legal(twin)[0])
            hand = twin.view()["hands"][twin.view()["seat"]]
            wild = any(label in hand for label, _ in env.game.pack.wilds)
            served = {(place, end) for place, end in _open_ends(twin) if place in hand or wild}
            names = [twin.action_name(action).split() for action in legal(twin)]
            offered = {(name[1], name[2]) for name in names if name[0] == "lay_off_run"}
            assert offered == (served if len(hand) > env.game.rules.keep_card else set())
            ends.update(end for _, end in offered)
    assert ends["above"] > 0 < ends["below"]


def _open_ends(env: Any) -> set[tuple[str, str]]:
    labels = env.game.pack.labels
    ranks, aces = len(env.game.pack.ranks), env.game.rules.ace_high
    ends = set()
    for run in (meld for meld in env.view()["melds"] if meld["kind"] == "run"):
        low = labels.index(run["low"])
        if low % ranks:
            ends.add((labels[low - 1], "below"))
        if low % ranks + len(run["cards"]) < ranks + aces:
            ends.add((labels[low - low % ranks + (low % ranks + len(run["cards"])) % ranks], "above"))
    return ends


def test_a_card_that_fits_a_run_and_a_set_can_be_laid_on_either() -> None:
    """M6, in Rummy: the five of spades on 2-3-4 of spades or on three fives."""
    names = {"lay_off_run 5s above", "lay_off_set 5s"}
    for seed in range(200):
        env = raw_env("rummy_v0", num_players=2, hand_size=22, max_turns=6)
        env.reset(seed=seed)
        for _ in decisions(env, eager(seed)):
            both = {env.action_name(action) for action in legal(env)}
            runs = {name.split()[1] for name in both if name.startswith("lay_off_run")}
            sets = {name.split()[1] for name in both if name.startswith("lay_off_set")}
            if runs & sets:
                for verb in ("lay_off_run", "lay_off_set"):
                    card = min(runs & sets)
                    twin = env.clone()
                    twin.step(env.action_id(next(name for name in both if name.startswith(f"{verb} {card}"))))
                    kind = verb.split("_")[2]
                    assert any(card in meld["cards"] and meld["kind"] == kind for meld in twin.view()["melds"])
                    finish(twin, uniform(seed))
                return
    raise AssertionError(f"no such position in 200 games: {names}")
