"""The life of an episode (L1-L5, L7): rewards, ends, PettingZoo's own tests, and where every card is at every step."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from functools import partial
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import cardenvs
from suites.common import (
    Choose,
    cards_in_play,
    decisions,
    eager,
    every_case,
    every_variant,
    legal,
    only_known,
    pack_texts,
    page,
    raw_env,
    remakes_stock,
    settings,
    short,
    three_players,
    uniform,
    wrapped_env,
)
from suites.scoring import SCORES, rewards, round_winners

# L1, L2: rewards and ends --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["score", "win"])
@pytest.mark.parametrize("match", [False, True])
@every_case
def test_agents_get_what_the_score_says(variant: str, players: int, match: bool, reward: str) -> None:
    """L1: what `last()` gave, the dead step included, is what `rewards` paid, and what the points are worth."""
    options = short(variant) | only_known(variant, target=100, rounds=2) | {"match": match, "reward": reward}
    for skip_forced in (False, True):
        env = wrapped_env(variant, num_players=players, skip_forced=skip_forced, **options)
        env.reset(seed=players)
        game, choose = env.unwrapped.game, eager(players)
        got, paid, rounds = Counter(), Counter(), []
        for agent in env.agent_iter():
            observation, given, terminated, truncated, _ = env.last()
            got[agent] += given
            assert not (terminated and truncated)
            over = terminated or truncated
            assert observation["action_mask"].any() != over
            before = env.unwrapped.view()
            env.step(None if over else choose(env, legal(env)))
            after = env.unwrapped.view()
            if not over and (after["ended"] or after["round"] != before["round"]):
                rounds.append(after["round_scores"])
                paid.update(env.rewards)
                _check_payment(env, before, after)
            elif not over:
                assert not any(env.rewards.values())
        assert {agent: pytest.approx(got[agent]) for agent in got} == paid
        assert sum(paid.values()) == pytest.approx(0, abs=1e-4)
        scores = np.sum(rounds, axis=0).tolist()
        assert scores == env.unwrapped.view()["scores"]
        if reward == "score":
            worth = rewards(scores, [], "score", game.score_scale, game.sides)
            assert [got[agent] for agent in env.possible_agents] == pytest.approx(worth, abs=1e-4)


def _check_payment(env: Any, before: dict[str, Any], after: dict[str, Any]) -> None:
    """What the step that ended a round paid."""
    game = env.unwrapped.game
    last_round = after["ended"] is not None
    if last_round:
        assert after["round_scores"] == SCORES[game.id](after, game.options)
    if game.options["reward"] == "score" or (last_round and not game.options["match"]):
        winners = round_winners(game.id, after) if last_round else []
        due = rewards(after["round_scores"], winners, game.options["reward"], game.score_scale, game.sides)
        assert list(env.rewards.values()) == pytest.approx(due, abs=1e-5)
    else:
        # How the round ended is gone with it: a side has won or several have, or nobody has.
        given = [env.rewards[agent] for agent in env.possible_agents]
        winners = [seat for seat, paid in enumerate(given) if paid == max(given)]
        due = rewards(after["round_scores"], winners, "win", game.score_scale, game.sides)
        assert given == pytest.approx(due) or not any(given)


@every_case
def test_rounds_end_as_they_say(variant: str, players: int) -> None:
    """L2: by the rules: terminated, with a winner; by the turn cap: truncated, with none."""
    ways = Counter()
    for choose, turns in (
        (eager(1, 0.95), 25 if players < 6 else 12),
        (uniform(2), 25 if players < 6 else 12),
        (uniform(3), 3),
    ):
        env = raw_env(variant, num_players=players, **short(variant, turns))
        for seed in range(8):
            env.reset(seed=seed)
            for _ in decisions(env, choose):
                assert not any(env.terminations.values())
                assert not any(env.truncations.values())
                assert env.view()["ended"] is None
            view = env.view()
            ways[view["ended"]] += 1
            assert set(env.terminations.values()) == {view["ended"] != "cap"}
            assert set(env.truncations.values()) == {view["ended"] == "cap"}
            assert view["winners"] == round_winners(variant, view)
            if view["ended"] == "cap":
                assert view["winners"] == []
                assert view["turns"] == players * env.game.options["max_turns"]
            if view["ended"] == "out":
                assert view["hands"][view["out"]] == []
            if view["ended"] == "stock":
                assert view["stock"] == []
            if view["ended"] == "void":
                assert len(view["stock"]) == 2
            if view["ended"] == "gin":
                assert view["hands"][view["knocker"]] == []
    assert not only_known(variant, max_turns=1) or ways["cap"]
    assert ways.total() > ways["cap"]


@every_case
def test_a_match_is_won_by_the_best_score(variant: str, players: int) -> None:
    options = short(variant, 15) | only_known(variant, target=100, rounds=2) | {"match": True}
    env = raw_env(variant, num_players=players, **options)
    for seed in range(4):
        env.reset(seed=seed)
        dealers = [env.view()["dealer"]]
        for _ in decisions(env, eager(seed)):
            if env.view()["round"] == len(dealers):
                dealers.append(env.view()["dealer"])
        view = env.view()
        assert all(env.terminations.values())
        assert view["winners"] == [s for s in range(players) if view["scores"][s] == max(view["scores"])]
        assert all((b - a) % players == 1 for a, b in pairwise(dealers)), "the deal passes on (G1)"
        assert len(dealers) == view["round"]


# L3: nobody can play for ever ----------------------------------------------------------------------------------------


def stubborn(env: Any, taken: list[str]) -> Choose:
    """Draws the pile's top where it may, and discards it again; claims and lays nothing."""

    def choose(env: Any, actions: list[int]) -> int:
        names = {env.action_name(action): action for action in actions}
        if env.view()["pile"]:
            taken[:] = env.view()["pile"][-1:]
        preferred = ["pass", "draw_top", "draw_stock", "draw_pile", *(f"discard {card}" for card in taken)]
        return names[next((name for name in preferred if name in names), next(iter(reversed(names))))]

    return choose


@every_case
def test_drawing_and_discarding_the_same_card_ends_at_the_cap(variant: str, players: int) -> None:
    env = raw_env(variant, num_players=players, **short(variant, 20))
    env.reset(seed=1)
    steps = sum(1 for _ in decisions(env, stubborn(env, [])))
    assert not env.agents or any(env.terminations.values()) or any(env.truncations.values())
    if env.view()["ended"] == "cap":
        assert all(env.truncations.values())
        assert steps <= 20 * players * (2 + players)
    assert env.view()["ended"] == "cap" or not only_known(variant, max_turns=1) or not remakes_stock(variant)


# L4: PettingZoo's tests; every warning is an error, but for the two of pyproject.toml --------------------------------


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_case
def test_pettingzoo_api(variant: str, players: int, make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for options in ({}, {"match": True, "skip_forced": True}):
        api_test(make(variant, num_players=players, **options, **short(variant, 4)), num_cycles=150)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_case
def test_pettingzoo_seeds(variant: str, players: int, make: Any) -> None:
    seed_test(lambda: make(variant, num_players=players, **short(variant, 4)), num_cycles=100)


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_case
def test_pettingzoo_renders(variant: str, players: int, make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(make, variant, num_players=players))
    assert "player_0" in capsys.readouterr().out


@every_variant
def test_people_are_shown_the_table_as_it_changes(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """ "human": printed at reset, at every step and on `render`, as "ansi" gives it; never when looked at."""
    env, shown = wrapped_env(variant, render_mode="human"), raw_env(variant, render_mode="ansi")
    assert env.metadata["render_modes"] == ["human", "ansi"]
    env.reset(seed=3)
    shown.reset(seed=3)
    assert capsys.readouterr().out == f"{shown.render()}\n"
    for action, _ in zip(decisions(shown, uniform(3)), range(20), strict=False):
        env.step(action)
        printed = capsys.readouterr().out
        env.last(), env.state(), env.unwrapped.view()
        assert capsys.readouterr().out == ""
        assert env.render(viewer="player_1") is None
        twin = shown.clone()
        twin.step(action)
        assert printed == f"{twin.render()}\n"
        assert capsys.readouterr().out == f"{twin.render(viewer='player_1')}\n"


@every_variant
def test_pettingzoo_makes_it(variant: str) -> None:
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    env = pettingzoo.make("aec", f"cardenvs/{variant.replace('_', '-')}", num_players=three_players(variant))
    env.reset(seed=1)
    assert env.unwrapped.game.id == variant
    assert env.unwrapped.game.num_players == three_players(variant)


# L5: before the first reset ------------------------------------------------------------------------------------------


@every_case
def test_what_works_before_reset(variant: str, players: int) -> None:
    env = wrapped_env(variant, num_players=players)
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    assert env.max_num_agents == players
    assert env.metadata["name"] == variant
    for agent in env.possible_agents:
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert isinstance(env.action_space(agent), gymnasium.spaces.Discrete)
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        with pytest.raises(AttributeError, match="before reset"):
            getattr(env, name)
    calls = (env.render, env.state, env.last, env.agent_iter, lambda: env.observe("player_0"), lambda: env.step(0))
    for call in calls:
        with pytest.raises((AssertionError, AttributeError), match="reset"):
            call()


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_case
def test_what_is_no_agent_is_named(variant: str, players: int, make: Any) -> None:
    """At the start, and once all agents have left."""
    env = make(variant, num_players=players, render_mode="ansi", **short(variant, 2))
    env.reset(seed=1)
    for _ in range(2):
        for given in (f"player_{players}", "Player_0", "", 0, None, ["player_0"]):
            calls = [env.observe, env.observation_space, env.action_space, lambda agent: env.determinize(agent, 1)]
            calls += [lambda viewer: env.render(viewer=viewer)] if given is not None else []
            for call in calls:
                with pytest.raises(
                    ValueError, match=rf"agent {re.escape(repr(given))}: allowed are player_0, player_1"
                ):
                    call(given)
        for _ in env.agent_iter():
            over = env.last()[2] or env.last()[3]
            env.step(None if over else legal(env)[0])
    assert not env.agents
    assert not env.observe("player_0")["action_mask"].any()
    for call in (env.last, lambda: env.unwrapped.step(None), lambda: env.unwrapped.step(0)):
        with pytest.raises(ValueError, match=r"no agents are left; allowed is reset\(\)"):
            call()


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_variant
def test_none_is_no_action_of_a_live_agent(variant: str, make: Any) -> None:
    env = make(variant)
    env.reset(seed=1)
    before = env.unwrapped.get_state()
    first = env.unwrapped.action_name(legal(env)[0])
    with pytest.raises(ValueError, match=f"action None .* {env.agent_selection} is to act: allowed are {first}"):
        env.step(None)
    assert env.unwrapped.get_state() == before
    env.step(legal(env)[0])


@every_variant
def test_everything_is_within_its_space(variant: str) -> None:
    env = wrapped_env(variant, match=True, **short(variant, 10))
    env.reset(seed=3)
    state_space = env.unwrapped.state_space
    for number, _ in enumerate(decisions(env, eager(3))):
        assert state_space.contains(env.state())
        for agent in env.agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        if number > 400:
            break


def test_every_variant_is_made_alike() -> None:
    """L6: one signature (a page of a variant gives its own game in place)."""
    signatures = {
        str(inspect.signature(getattr(page(v), make))) for v in cardenvs.variants() for make in ("env", "raw_env")
    }
    assert len(signatures) <= 2, signatures


@pytest.mark.parametrize("make", ["env", "raw_env"])
@every_variant
def test_a_page_explains_its_functions(variant: str, make: str) -> None:
    """What `help(rummy_v0.env)` shows: a function of that page, with what it takes."""
    function = getattr(page(variant), make)
    assert inspect.isfunction(function)
    assert (function.__module__, function.__name__) == (f"cardenvs.{variant}", make)
    assert list(inspect.signature(function).parameters) == ["render_mode", "skip_forced", "options"]
    assert len(inspect.getdoc(function) or "") > 50


# L7: where every card is ---------------------------------------------------------------------------------------------


@every_case
def test_every_card_is_in_one_place_at_every_step(variant: str, players: int) -> None:
    pack = Counter(pack_texts(variant, players))
    for number, options in enumerate([*settings(variant, players), {**short(variant), "match": True}]):
        env = raw_env(variant, num_players=players, **options)
        layout = env.game.observation
        assert variant in SCORES, f"write an independent count of the points of {variant} in suites/scoring.py"
        for seed in range(2):
            env.reset(seed=10 * number + seed)
            for _ in decisions(env, eager(seed)):
                view = env.view()
                assert cards_in_play(view, pack.total()) == pack
                row = env.observe(env.agent_selection)["observation"] / layout.scale
                hand = [
                    row[layout.slice(name)].sum() for name in ("hand", "hand_wilds", "hand_threes") if name in layout
                ]
                assert round(sum(hand)) == len(view["hands"][view["seat"]])
            view = env.view()
            assert cards_in_play(view, pack.total()) == pack
            assert view["round_scores"] == SCORES[variant](view, env.game.options)
