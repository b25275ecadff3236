"""Duplicate matches: against a count by hand through the AEC environment, and what the intervals are worth."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest

import cardenvs
from cardenvs import arena
from cardenvs.arena import Estimate, evaluate
from cardenvs.games import VARIANTS
from cardenvs.spec import Game


class Edge:
    """A player without chance: the lowest legal action, or the highest."""

    def __init__(self, highest: bool = False) -> None:
        self.name = "highest" if highest else "lowest"
        self.highest = highest
        self.seeds: list[int] = []

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1) if self.highest else mask.argmax(axis=1)

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)


class Illegal(Edge):
    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(np.arange(len(mask)) % 2 == 0, mask.argmin(axis=1), -1)


def lineup(game: Game) -> list[Any]:
    """Players without chance, no two neighbours alike."""
    some = [cardenvs.make_bot(game, "greedy"), Edge(), Edge(highest=True)]
    return [some[side % 3] for side in range(game.num_sides)]


def by_hand(game: Game, players: list[Any], seed: int, rotation: int) -> tuple[list[int], list[int], int]:
    """A game played through the AEC environment: scores and winners by player, decisions."""
    env = importlib.import_module(f"cardenvs.{game.id}").raw_env(skip_forced=True, **game.options)
    env.reset(seed=seed)
    decisions, sides = 0, len(players)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        seat = env.possible_agents.index(env.agent_selection)
        seen = env.observe(env.agent_selection)
        row = np.rint(seen["observation"] / game.observation.scale).astype(np.int16)
        player = players[(game.sides[seat] - rotation) % sides]
        env.step(int(player.act(row[None], seen["action_mask"][None])[0]))
        decisions += 1
    view = env.view()
    of_player = [game.sides.index((player + rotation) % sides) for player in range(sides)]
    return [view["scores"][seat] for seat in of_player], [int(seat in view["winners"]) for seat in of_player], decisions


def check_by_hand(game: Game, deals: int, seed: int) -> np.ndarray:
    """Play a match, and count it without the arena; the winners, int `[games, S]`."""
    players, sides = lineup(game), game.num_sides
    result = evaluate(game, players, deals, seed)
    games = [by_hand(game, players, seed + deal, rotation) for deal in range(deals) for rotation in range(sides)]
    scores, winners = np.array([g[0] for g in games], float), np.array([g[1] for g in games])
    others = (scores.sum(axis=1, keepdims=True) - scores) / (sides - 1)
    decided = winners.sum(axis=1) > 0
    shares = winners[decided] / winners[decided].sum(axis=1, keepdims=True)
    assert (result.deals, result.games, result.illegal) == (deals, deals * sides, (0,) * sides)
    assert result.decided.mean == pytest.approx(decided.mean())
    assert [e.mean for e in result.margin] == pytest.approx((scores - others).mean(axis=0))
    assert [e.mean for e in result.win_rate] == pytest.approx(shares.mean(axis=0))
    assert result.decisions_per_game.mean == pytest.approx(np.mean([g[2] for g in games]))
    return winners


@pytest.mark.parametrize("id", VARIANTS)
@pytest.mark.parametrize("most", [False, True])
def test_result_equals_a_count_by_hand(id: str, most: bool) -> None:
    """T9: every deal from every seat."""
    check_by_hand(cardenvs.make_game(id, num_players=VARIANTS[id].players[most], max_turns=40), deals=3, seed=20)


@pytest.mark.parametrize("partnerships", [True, False])
def test_partners_are_one_player(partnerships: bool) -> None:
    """K1: a player holds both seats of a side, and each deal is played once from each side."""
    game = cardenvs.make_game("canasta_v0", partnerships=partnerships)
    assert game.num_sides == (2 if partnerships else 4)
    check_by_hand(game, deals=5, seed=30)
    with pytest.raises(ValueError, match=f"allowed are exactly {game.num_sides} for canasta_v0"):
        evaluate(game, [Edge()] * (6 - game.num_sides), 1)


@pytest.mark.parametrize("id", VARIANTS)
def test_greedy_beats_random(id: str) -> None:
    game = cardenvs.make_game(id)
    players = [cardenvs.make_bot(game, "greedy"), *[cardenvs.make_bot(game, "random")] * (game.num_sides - 1)]
    result = evaluate(game, players, 100)
    assert result.margin[0].low > 0
    assert result.win_rate[0].low > 1 / game.num_sides


def test_tied_winners_share_the_win() -> None:
    """G4, in matches that stop at the cap with one card or two in each hand."""
    game = cardenvs.make_game("rummy_v0", match=True, max_turns=1, hand_size=1, num_players=6)
    assert check_by_hand(game, deals=10, seed=1).sum(axis=1).max() > 1


def test_equal_players_without_chance_are_exactly_level() -> None:
    """The luck of the deal cancels: each of the two wins what the other won from the other seat."""
    game = cardenvs.make_game("rummy_v0")
    result = evaluate(game, [cardenvs.make_bot(game, "greedy") for _ in range(2)], 50)
    assert result.win_rate == (Estimate(0.5, 0.5, 0.5),) * 2
    assert result.margin == (Estimate(0, 0, 0),) * 2


def test_same_match_same_result_whatever_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    game = cardenvs.make_game("rummy_v0", num_players=3)
    whole = evaluate(game, lineup(game), 10, seed=3)
    monkeypatch.setattr(arena, "_BATCH", 7)
    assert evaluate(game, lineup(game), 10, seed=3) == whole
    assert evaluate(game, lineup(game), 10, seed=4) != whole


def test_random_players_are_reset() -> None:
    game = cardenvs.make_game("cachons_v0", num_players=2)
    bots, edge = [cardenvs.make_bot(game, "random") for _ in range(2)], Edge()
    assert evaluate(game, bots, 5, seed=3) == evaluate(game, bots, 5, seed=3)
    evaluate(game, [edge, edge], 1, seed=9)
    assert edge.seeds == [9]


def test_illegal_actions_are_counted_and_replaced() -> None:
    """T4."""
    game = cardenvs.make_game("rummy_v0")
    result = evaluate(game, [Illegal(), Edge()], 4, seed=1)
    assert result.illegal[0] > 0
    assert result.illegal[1] == 0
    assert "illegal" in result.table()


def test_progress_reaches_the_end() -> None:
    game, told = cardenvs.make_game("rummy_v0"), []
    evaluate(game, lineup(game), 30, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (60, 60)
    assert told == sorted(told)


class Answers(Edge):
    """Returns whatever it is made with, or raises it."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def act(self, obs: np.ndarray, mask: np.ndarray) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(mask) if callable(self.answer) else self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "player 'lowest' returned None, object"),
        (3, "player 'lowest' returned 3, int64"),
        ([[1], [1, 2]], r"player 'lowest' returned \[\[1\], \[1, 2\]\]: allowed are 2 integers"),
        (lambda mask: mask.argmax(axis=1)[:-1], r"player 'lowest' returned array.*, int64 \(1,\): allowed are 2"),
        (lambda mask: mask.argmax(axis=1) * 1.0, r"float64 \(2,\)"),
        (lambda mask: mask.any(axis=1), r"bool \(2,\)"),
        (KeyError("gone"), "player 'lowest' raised KeyError: 'gone'"),
    ],
)
def test_a_player_that_answers_wrongly_is_named(answer: Any, message: str) -> None:
    game = cardenvs.make_game("rummy_v0")
    with pytest.raises(ValueError, match=message):
        evaluate(game, [Edge(highest=True), Answers(answer)], 2, seed=1)


@pytest.mark.parametrize("wrong", ["greedy", None, 5, object(), Edge, np.zeros(2)])
def test_what_is_no_player_is_named(wrong: Any) -> None:
    game = cardenvs.make_game("rummy_v0")
    with pytest.raises(
        ValueError, match=r"players\[1\]=.*: allowed are objects with a name, act\(obs, mask\) and reset"
    ):
        evaluate(game, [Edge(), wrong], 2)
    if wrong is not Edge:
        with pytest.raises(ValueError, match=r"players=.*: allowed is a list of 2 players"):
            evaluate(game, wrong, 2)
    for lacks in ("name", "act", "reset"):
        player = Edge()
        setattr(player, lacks, None)
        with pytest.raises(ValueError, match=r"players\[0\]="):
            evaluate(game, [player, Edge()], 2)
    with pytest.raises(ValueError, match=r"game='rummy_v0': allowed is a Game, which cardenvs\.make_game"):
        evaluate("rummy_v0", [Edge(), Edge()], 2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "deals", "seed", "message"),
    [
        (1, 10, 0, "allowed are exactly 2 for rummy_v0"),
        (3, 10, 0, "allowed are exactly 2 for rummy_v0"),
        (2, 0, 0, "deals=0: allowed are integers from 1"),
        (2, True, 0, "deals=True"),
        (2, 1.5, 0, r"deals=1\.5"),
        (2, 10, -1, "seed=-1: allowed are integers from 0"),
        (2, 10, 2**70, "seed="),
    ],
)
def test_bad_input_is_named(players: int, deals: Any, seed: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(cardenvs.make_game("rummy_v0"), [Edge() for _ in range(players)], deals, seed)


# Intervals ------------------------------------------------------------------------------------------------------------


def test_interval_is_that_of_a_mean() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(3, 10, 2000)
    estimate = arena._ratio(values, np.ones(2000))
    error = 1.96 * values.std() / np.sqrt(2000)
    assert estimate.mean == pytest.approx(values.mean())
    assert estimate.low == pytest.approx(values.mean() - error, abs=0.1 * error)
    assert estimate.high == pytest.approx(values.mean() + error, abs=0.1 * error)


def test_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """Shares of decided games, three in ten undecided: 95 % of the intervals should hold the true share."""
    rng, held = np.random.default_rng(1), 0
    for _ in range(200):
        decided = rng.binomial(2, 0.7, 150).astype(float)
        estimate = arena._ratio(rng.binomial(decided.astype(int), 0.6).astype(float), decided)
        held += estimate.low <= 0.6 <= estimate.high
    assert 180 <= held <= 198


def test_little_to_go_by() -> None:
    """Nothing decided, one deal, one decided deal, all deals alike: no warning, no invented interval."""
    nothing = arena._ratio(np.zeros(5), np.zeros(5))
    assert np.isnan([nothing.mean, nothing.low, nothing.high]).all()
    for one in (arena._ratio(np.ones(1), np.ones(1)), arena._ratio(np.array([1.0, 0, 0]), np.array([1.0, 0, 0]))):
        assert one.mean == 1
        assert np.isnan([one.low, one.high]).all()
    assert arena._ratio(np.ones(9), np.ones(9)) == Estimate(1, 1, 1)


def test_json_has_no_nan() -> None:
    game = cardenvs.make_game("rummy_v0", max_turns=1)
    result = evaluate(game, [Edge(), Edge()], 3)
    assert result.decided.mean == 0
    assert "nan" not in result.table()
    assert result.table().splitlines()[-1].split()[:2] == ["lowest", "-"]
    content = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert content["win_rate"][0] == {"mean": None, "low": None, "high": None}
    assert content["options"] == game.options
    assert content["names"] == ["lowest", "lowest"]


def test_a_single_deal_has_means_and_no_intervals() -> None:
    game = cardenvs.make_game("rummy_v0")
    result = evaluate(game, [cardenvs.make_bot(game, "greedy"), Edge()], 1)
    table = result.table()
    assert table.startswith("rummy_v0: 1 deal, each from every seat (2 games); no intervals from a single deal\n")
    assert "nan" not in table
    assert "[" not in table
    assert f"{result.margin[0].mean:+.2f}" in table
    content = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert content["margin"][0] == {"mean": result.margin[0].mean, "low": None, "high": None}
    assert "[" in evaluate(game, [cardenvs.make_bot(game, "greedy"), Edge()], 2).table()


# Bots -----------------------------------------------------------------------------------------------------------------


def test_a_bot_of_no_game_is_refused() -> None:
    for wrong in ("rummy_v0", None, cardenvs.rummy_v0):
        with pytest.raises(ValueError, match=r"game=.*: allowed is a Game, which cardenvs\.make_game"):
            cardenvs.make_bot(wrong, "greedy")  # type: ignore[arg-type]


@pytest.mark.parametrize("id", VARIANTS)
def test_scaled_rows_are_no_rows_for_a_bot(id: str) -> None:
    """What an environment hands out is float32 in [-1, 1]: narrowed to integers it would be zeros and ones."""
    env = importlib.import_module(f"cardenvs.{id}").env()
    env.reset(seed=1)
    seen, game = env.last()[0], env.unwrapped.game
    bot = cardenvs.make_bot(game, "greedy", seed=0)
    rows, masks = seen["observation"][None], seen["action_mask"][None]
    with pytest.raises(
        ValueError, match=r"rows float32 and mask int8: allowed are integers, int16 and int8; .*np\.rint"
    ):
        bot.act(rows, masks)
    whole = np.rint(rows / game.observation.scale).astype(np.int16)
    with pytest.raises(ValueError, match="rows int16 and mask float64"):
        bot.act(whole, masks * 1.0)
    for wrong in (whole[0], whole[:, :-1], 5, "row"):
        with pytest.raises(ValueError, match="allowed for Game"):
            bot.act(wrong, masks)  # type: ignore[arg-type]
    action = bot.act(whole, masks)
    assert action.dtype == np.int32
    assert masks[0, action[0]]
    assert cardenvs.make_bot(game, "greedy", seed=0).act(whole.astype(np.int64), masks == 1) == action


# Tournaments ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_a_tournament_is_the_matches_of_all_pairs(seats: int) -> None:
    """Of two sides one match says it all; of more, who is alone and who is many are two."""
    game = cardenvs.make_game("rummy_v0", num_players=seats)
    players = [cardenvs.make_bot(game, "greedy"), Edge(), Edge(highest=True)]
    seen: list[tuple[int, int]] = []
    played = arena.tournament(game, players, 5, 3, progress=lambda done, total: seen.append((done, total)))
    assert played.names == ("greedy", "lowest", "highest")
    pairs = [(i, j) for i in range(3) for j in range(3) if i < j or (i > j and seats > 2)]
    assert list(played.results) == list(played.margins) == pairs
    for i, j in pairs:
        alone = [players[i], *[players[j]] * (seats - 1)]
        result = evaluate(game, alone, 5, 3)
        assert played.results[i, j] == result
        assert (played.win_rate(i, j), played.margin(i, j)) == (result.win_rate[0], result.margin[0])
        np.testing.assert_array_equal(played.margins[i, j], arena.deal_margins(game, alone, 5, 3)[:, 0])
        if seats == 2:
            assert (played.win_rate(j, i), played.margin(j, i)) == (result.win_rate[1], result.margin[1])
    assert seen[-1] == (len(pairs) * 5 * seats,) * 2
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_players_of_a_tournament_have_names_of_their_own() -> None:
    game = cardenvs.make_game("rummy_v0")
    for players in ([Edge(), Edge()], [Edge()], []):
        with pytest.raises(ValueError, match=r"players: \[.*\]; allowed are two or more of different names"):
            arena.tournament(game, players, 5)
    with pytest.raises(ValueError, match=r"players\[0\]='greedy': allowed are objects with a name"):
        arena.tournament(game, ["greedy", "random"], 5)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="game='rummy_v0': allowed is a Game"):
        arena.tournament("rummy_v0", [Edge(), Edge(highest=True)], 5)  # type: ignore[arg-type]
