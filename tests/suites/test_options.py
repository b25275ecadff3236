"""Every constructor option (L6): a ValueError that names it, or a hundred clean games."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cardenvs
from cardenvs import make_bot
from cardenvs.games import VARIANTS
from cardenvs.spec import Option
from suites.common import IDS, every_variant, may_be_void, raw_env, wrapped_env

GAMES = 100
STEPS = 1500
"""Most decisions a game: long matches are not played to their end here."""

JUNK = [
    *(None, True, False, -1, 0, 1.0, 2.5, float("nan"), float("inf"), 10**9, -(10**30), "", "score", "2", b"3", 3j),
    *(
        (),
        [],
        [3],
        {},
        {"A": 1},
        {3: 4},
        {"A": "x"},
        {"A": None},
        {"A": 1.5},
        {"A": -1},
        set(),
        range(3),
        object(),
        int,
    ),
    *(
        np.int64(3),
        np.float32(3),
        np.array(3),
        np.array([1, 2]),
        np.bool_(True),
        np.str_("seat"),
        type("Odd", (int,), {})(5),
    ),
]

quiet = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, database=None)


def taken(make: Callable[..., Any], *given: Any, **options: Any) -> tuple[Any, str]:
    """What is made, or what the ValueError says."""
    try:
        return make(*given, **options), ""
    except ValueError as error:
        return None, str(error)


def values(option: Option) -> st.SearchStrategy[Any]:
    """Values that an option says it takes; long games are rarer."""
    if option.choices:
        return st.sampled_from(option.choices)
    if option.table:
        points = st.integers(option.low, option.high)
        return st.dictionaries(st.sampled_from(sorted(option.default)), points)
    low, high = option.low, option.high
    near = st.integers(low, min(high, low + 12))
    ends = [low, high] + ([option.default] if option.default is not None else [None])
    return st.one_of(near, near, st.sampled_from(ends), st.integers(low, high))


@st.composite
def allowed(draw: st.DrawFn, variant: str) -> dict[str, Any]:
    row = VARIANTS[variant]
    return {
        option.name: draw(values(option)) for option in (*row.common_options, *row.options) if draw(st.integers(0, 2))
    }


@every_variant
@settings(quiet, max_examples=60)
@given(data=st.data())
def test_options_that_are_allowed_give_clean_games(variant: str, data: st.DataObject) -> None:
    options = data.draw(allowed(variant))
    skip_forced = data.draw(st.booleans())
    game, refusal = taken(cardenvs.make_game, variant, **options)
    if refusal:
        assert any(re.search(rf"\b{name}=", refusal) for name in options), refusal
        return
    for name, value in options.items():
        if value is not None and not isinstance(value, dict):
            assert game.options[name] == value
    play_clean(variant, options, skip_forced)


def play_clean(variant: str, options: dict[str, Any], skip_forced: bool) -> None:
    """A hundred games: no empty mask, nothing beyond the declared scale, rewards that sum to nothing."""
    vec = cardenvs.make_vec(variant, GAMES, seed=11, skip_forced=skip_forced, **options)
    limit = np.rint(1 / vec.game.observation.scale)
    batch, ended = vec.reset(11), np.zeros(GAMES, bool)
    out = vec.make_batch()
    for _ in range(STEPS):
        assert batch.mask.any(axis=1).all()
        assert (np.abs(batch.obs) <= limit).all()
        assert np.abs(batch.obs * vec.game.observation.scale).max() <= 1
        assert ((batch.seat >= 0) & (batch.seat < vec.num_players)).all()
        batch = vec.step(vec.random_actions(), out=out)
        done = batch.terminated | batch.truncated
        if batch.reward.any() or done.any():
            assert np.isfinite(batch.reward).all()
            assert np.abs(batch.reward.sum(axis=1)).max() < 1e-3
            assert np.abs(batch.reward).min() > vec.game.illegal_reward
            assert (np.abs(batch.final_obs[done]) <= limit).all()
            assert (np.abs(batch.score[done]) <= vec.game.greatest_score).all()
            assert not (batch.terminated & batch.truncated).any()
            assert may_be_void(variant) or batch.winner[batch.terminated].any(axis=1).all()
            assert (batch.winner.any(axis=1) | ~batch.score.any(axis=1))[done & ~batch.truncated].all()
            assert not batch.winner[batch.truncated].any()
        ended |= done
        if ended.all():
            return


@every_variant
@settings(quiet, max_examples=400)
@given(data=st.data())
def test_options_of_any_kind_are_named_or_taken(variant: str, data: st.DataObject) -> None:
    row = VARIANTS[variant]
    option = data.draw(st.sampled_from((*row.common_options, *row.options)))
    value = data.draw(st.one_of(st.sampled_from(JUNK), values(option), st.integers(), st.text(max_size=3)))
    game, refusal = taken(cardenvs.make_game, variant, **{option.name: value})
    if refusal:
        assert option.name in refusal
        assert "allowed" in refusal
        return
    in_force = game.options[option.name]
    if not option.table:
        assert in_force == value
        assert isinstance(in_force, type(option.default)) or option.default is None


def whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_render_mode(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in ("human", "ansi"))


CONSTRUCTORS: dict[tuple[str, str], tuple[Callable[..., Any], Callable[[Any], bool]]] = {
    ("raw_env", "render_mode"): (raw_env, is_render_mode),
    ("raw_env", "skip_forced"): (raw_env, lambda value: isinstance(value, bool)),
    ("env", "render_mode"): (wrapped_env, is_render_mode),
    ("env", "skip_forced"): (wrapped_env, lambda value: isinstance(value, bool)),
    ("make_vec", "num_envs"): (cardenvs.make_vec, lambda value: whole(value) and value >= 1),
    ("make_vec", "threads"): (cardenvs.make_vec, lambda value: whole(value) and 1 <= value <= 2),
    ("make_vec", "seed"): (cardenvs.make_vec, lambda value: value is None or (whole(value) and 0 <= value < 2**63)),
    ("make_vec", "skip_forced"): (cardenvs.make_vec, lambda value: isinstance(value, bool)),
}


@pytest.mark.parametrize(("door", "name"), CONSTRUCTORS)
@every_variant
def test_what_is_no_rule_option_is_checked_too(variant: str, door: str, name: str) -> None:
    """Taken for what it is, or refused by name."""
    make, allowed = CONSTRUCTORS[door, name]
    wrong = []
    for junk in JUNK:
        if isinstance(junk, np.ndarray) or (name == "num_envs" and whole(junk) and junk > 1000):
            continue  # More games than there is memory for are no error of the caller's.
        options = ({"num_envs": 2} if door == "make_vec" else {}) | {name: junk}
        _, refusal = taken(make, variant, **options)
        if allowed(junk) if refusal else not allowed(junk):
            wrong.append(f"{junk!r}: {refusal or 'is taken'}")
        elif refusal and f"{name}=" not in refusal:
            wrong.append(f"{junk!r}: {refusal}")
    assert not wrong


@every_variant
def test_more_threads_than_games_are_refused(variant: str) -> None:
    assert cardenvs.make_vec(variant, 3, seed=0, threads=3).threads == 3
    for threads in (0, -1, 4, 99):
        with pytest.raises(ValueError, match=rf"threads={threads}: allowed are integers from 1 to num_envs \(3\)"):
            cardenvs.make_vec(variant, 3, seed=0, threads=threads)


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
@every_variant
def test_unknown_reset_options_are_refused(variant: str, make: Any) -> None:
    env = make(variant)
    env.reset(seed=1)
    before = env.unwrapped.get_state()
    deck = env.unwrapped.game.pack.hand(env.unwrapped.game.pack.counts)
    for options, named in (
        ({"dekc": deck}, "dekc"),
        ({"deck": deck, "seed": 3}, "seed"),
        ({"options": {"deck": deck}}, "options"),
        ({"options": 1, "deck": deck}, "options"),
        ({1: 2}, "1"),
        (["deck"], "deck"),
        ("deck", "deck"),
        (5, "5"),
    ):
        with pytest.raises(ValueError, match=f"options: unknown .*{named}.*; allowed is a dict with 'deck' alone"):
            env.reset(seed=2, options=options)
        assert env.unwrapped.get_state() == before
    # PettingZoo's api_test passes the last of these.
    for options in (None, {}, {"deck": None}, {"options": 1}):
        env.reset(seed=1, options=options)
        assert env.unwrapped.get_state() == before


@every_variant
def test_unknown_names_are_refused(variant: str) -> None:
    for name in ("hand", "players", "Match", "num_player", "seats", "deck"):
        with pytest.raises(ValueError, match=f"{name}=3: allowed are num_players"):
            cardenvs.make_game(variant, **{name: 3})
    with pytest.raises(ValueError, match=f"no variant 'hearts_v0': allowed are {', '.join(IDS)}"):
        cardenvs.make_game("hearts_v0")


@every_variant
def test_a_match_ends_whatever_the_cards_are_worth(variant: str) -> None:
    """Points that can never add up to the target are no match: refused, or ended some other way."""
    tables = [option for option in VARIANTS[variant].options if option.table]
    for option in tables:
        worthless = {option.name: dict.fromkeys(option.default, option.low)}
        vec, refusal = taken(cardenvs.make_vec, variant, num_envs=16, seed=1, match=True, **worthless)
        if refusal:
            assert option.name in refusal
            continue
        out = vec.make_batch()
        assert vec.random_steps(40_000, out) > 0, f"no match in {40_000} decisions: {option.name} all {option.low}"


@every_variant
@pytest.mark.parametrize("seed", [-1, 1.5, True, "a", 2**64])
def test_a_seed_that_is_none_is_named_wherever_it_is_given(variant: str, seed: Any) -> None:
    env = raw_env(variant)
    env.reset(seed=1)
    for door in (
        lambda: make_bot(env.game, "greedy", seed),
        lambda: make_bot(env.game, "greedy").reset(seed),
        lambda: env.determinize("player_0", seed),
        lambda: env.clone(seed),
        lambda: env.reset(seed=seed),
    ):
        with pytest.raises(ValueError, match=rf"seed={seed!r}: allowed are integers from 0"):
            door()


@every_variant
def test_before_the_first_reset_there_is_nothing_to_be_told(variant: str) -> None:
    env = raw_env(variant, render_mode="ansi")
    for call in ("last", "state", "render", "view", "get_state"):
        with pytest.raises(ValueError, match=rf"{call}\(\): no episode has begun; allowed is reset\(\)"):
            getattr(env, call)()
    for call, *arguments in (("step", 0), ("observe", "player_0"), ("determinize", "player_0", 1)):
        with pytest.raises(ValueError, match=rf"{call}\(\): no episode has begun; allowed is reset\(\)"):
            getattr(env, call)(*arguments)


@every_variant
@pytest.mark.parametrize("action", [-1, 10**6, None, "x", 1.5, True])
def test_what_is_no_action_has_no_name(variant: str, action: Any) -> None:
    with pytest.raises(IndexError, match=rf"action {action!r}: allowed are integers from 0"):
        cardenvs.make_game(variant).action_name(action)


@every_variant
def test_a_deck_that_is_none_is_refused(variant: str) -> None:
    env = raw_env(variant)
    env.reset(seed=1)
    before, wrong = env.get_state(), []
    whole = env.game.pack.texts(np.repeat(np.arange(len(env.game.pack.labels)), env.game.pack.counts))
    unordered = [set(whole), dict.fromkeys(whole), iter(whole)]
    for junk in [
        5,
        1.5,
        True,
        object(),
        ["7h", 3],
        [["7h"]],
        [None],
        ["7h"] * 52,
        "7h",
        b"7h",
        {},
        set(),
        [],
        *unordered,
    ]:
        for seed in ({}, {"seed": 5}):
            try:
                _, refusal = taken(env.reset, **seed, options={"deck": junk})
            except TypeError as error:
                refusal = repr(error)
            if not refusal.startswith("deck"):
                wrong.append(f"{junk!r}: {refusal or 'is taken'}")
            assert env.get_state() == before
    assert not wrong


@every_variant
@settings(quiet, max_examples=25)
@given(data=st.data())
def test_a_deck_is_dealt_as_it_lies(variant: str, data: st.DataObject) -> None:
    """G1: one card at a time, the first to the seat left of the dealer, then one to the pile."""
    players = data.draw(st.integers(*VARIANTS[variant].players))
    env = raw_env(variant, num_players=players)
    pack = env.game.pack
    deck = data.draw(st.permutations(pack.hand(pack.counts)))
    env.reset(options={"deck": deck})
    view = env.view()
    dealt = sum(map(len, view["hands"]))
    for seat, hand in enumerate(view["hands"]):
        assert sorted(hand) == sorted(deck[seat:dealt:players])
    assert view["pile"] + view.get("beside", []) + view["stock"] == deck[dealt:]
    doubled = [deck[1], *deck[1:]] if deck[0] != deck[1] else deck[1:]
    with pytest.raises(ValueError, match="deck"):
        env.reset(options={"deck": doubled})
    assert env.view() == view
