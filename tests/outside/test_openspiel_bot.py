"""OpenSpiel's bot as our player decides what it decides in the true game of OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from by_trying import deck_of
from openspiel_players import bot, uniform
from side_by_side import KNOCK, SPIEL_NAMES, SPIEL_PACK, BothGames, Choose, pyspiel
from test_openspiel_gin import OPTIONS, decks

import cardenvs
from cardenvs.arena import evaluate
from training.openspiel import SimpleGinRummyBot

pytestmark = pytest.mark.outside


def true_decision(both: BothGames) -> str:
    """What the bot does in OpenSpiel's own state of the deal, under our names."""
    player = pyspiel.make_simple_gin_rummy_bot(both.state.get_game().get_parameters(), both.seat)
    action = player.step(both.state)
    if action != KNOCK:
        return SPIEL_NAMES[action]
    knocked = both.state.clone()
    knocked.apply_action(KNOCK)
    return f"knock {SPIEL_PACK[player.step(knocked)]}"


def check(rounds: int, seed: int) -> dict[str, int]:
    """Positions of real games, by what the bot did in them; every one is put to both."""
    pairs: list[tuple[Choose, Choose]] = [
        (uniform(seed), uniform(seed + 1)),
        (bot("greedy", seed + 2, noise=0.2, shy=0.5), bot("greedy", seed + 3, noise=0.1)),
        (bot("greedy", seed + 4, shy=1.0), uniform(seed + 5)),
    ]
    seen = dict.fromkeys(("draw_top", "draw_stock", "pass", "discard", "knock"), 0)
    for number, deck in zip(range(rounds), decks(seed), strict=False):
        both = BothGames(deck, **OPTIONS[number // len(pairs) % len(OPTIONS)])
        ours = SimpleGinRummyBot(both.game)
        while not both.over:
            chosen = both.game.action_name(int(ours.act(both.rows[both.seat][None], both.mask[None])[0]))
            # Where nothing is to be chosen the arena asks nobody, and the bot may name what is not legal.
            if len(both.legal) > 1:
                assert chosen == true_decision(both), both.seen
            seen[chosen.partition(" ")[0]] += 1
            both.play(pairs[number % len(pairs)][both.seat](both))
    print(f"{rounds} rounds, {sum(seen.values())} positions: {seen}")
    return seen


def test_it_decides_as_in_openspiel() -> None:
    """In over a thousand positions of real games, of every kind and with every limit of a knock."""
    seen = check(rounds=36, seed=1)
    assert sum(seen.values()) > 1000
    assert min(seen.values()) >= 5


@pytest.mark.slow
def test_it_decides_as_in_openspiel_in_thirty_thousand_positions() -> None:
    assert sum(check(rounds=420, seed=2).values()) > 30_000


@pytest.mark.parametrize(
    ("limit", "over"), [(limit, over) for limit in range(11) for over in (0, 1) if limit + over < 11]
)
def test_it_heeds_the_limit(limit: int, over: int) -> None:
    """J4: three runs and one more card, none or worth the limit: knocked with; worth a point more: not."""
    left = limit + over
    last = "6d" if left == 0 else "A23456789T"[left - 1] + "h"
    hands = ["3c 4c 5c 7d 8d 9d Jc Qc Kc " + last, "2c 6c 8c 2d 4d Jd Kd Ks 8s Qs"]
    both = BothGames(deck_of(hands, "Kh"), knock_card=limit)
    both.play("draw_top")
    ours = SimpleGinRummyBot(both.game)
    chosen = both.game.action_name(int(ours.act(both.rows[0][None], both.mask[None])[0]))
    assert chosen == ("discard Kh" if over else "knock Kh")


def test_the_arena_plays_it() -> None:
    """Without an illegal action, and far better than chance."""
    game = cardenvs.make_game("gin_rummy_v0")
    result = evaluate(game, [SimpleGinRummyBot(game), cardenvs.make_bot(game, "random")], 20, seed=1)
    assert result.names == ("openspiel:simple", "random")
    assert result.illegal == (0, 0)
    assert result.win_rate[0].mean > 0.9


@pytest.mark.parametrize(
    ("obs", "mask", "said"),
    [
        (np.zeros((1, 3), np.int16), np.zeros((1, 107), np.int8), r"rows \(1, 3\) and mask \(1, 107\): allowed"),
        (np.zeros((1, 382), np.float32), np.zeros((1, 107), np.int8), "rows float32: allowed are integers"),
    ],
)
def test_rows_of_another_game_are_refused(obs: Any, mask: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SimpleGinRummyBot(cardenvs.make_game("gin_rummy_v0")).act(obs, mask)
