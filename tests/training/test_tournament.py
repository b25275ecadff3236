"""What is written of a tournament."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cardenvs
from cardenvs.arena import Tournament, evaluate, tournament
from training.players import make_player
from training.tournament import hold, rate


def test_files_say_what_was_played(tmp_path: Path) -> None:
    game = cardenvs.make_game("rummy_v0", max_turns=40)
    players = [cardenvs.make_bot(game, name) for name in ("random", "greedy")]
    text = hold(game, players, 30, 5, tmp_path / "new", "the command")
    result = evaluate(game, players, 30, 5)
    assert {file.name for file in (tmp_path / "new").iterdir()} == {
        f"rummy_v0_2p_max_turns_40.{kind}" for kind in ("md", "json", "png")
    }
    assert (tmp_path / "new" / "rummy_v0_2p_max_turns_40.md").read_text(encoding="utf-8") == text
    assert "# Rummy, 2 players, max_turns 40" in text
    assert "`the command`: 30 deals, each from every seat (60 games a match)" in text
    won, margin = 100 * result.win_rate[1].mean, result.margin[1].mean
    # The better one first.
    assert f"| `greedy` |  | {won:.1f} [" in text
    assert f"<br>{margin:+.1f} [" in text
    assert text.index("| `greedy` |") < text.index("| `random` |")
    content = json.loads((tmp_path / "new" / "rummy_v0_2p_max_turns_40.json").read_text(encoding="utf-8"))
    assert content["matches"] == [json.loads(json.dumps(result.to_json()))]
    assert (content["seed"], content["options"]["max_turns"], content["command"]) == (5, 40, "the command")
    assert content["ratings"]["greedy"] > content["ratings"]["random"]
    assert f"of {100 * result.decided.mean:.1f} decided" in text


def test_ratings_follow_the_deals_whatever_the_order_of_the_pairs() -> None:
    margins = {(0, 1): np.array([1.0, 1.0, -1.0] * 40), (0, 2): np.ones(120), (1, 2): np.ones(120)}
    table = rate(Tournament(("a", "b", "c"), {}, margins))
    assert table["a"][0] > table["b"][0] > table["c"][0]
    turned = rate(Tournament(("c", "b", "a"), {}, {(i, j): -margins[2 - j, 2 - i] for i, j in margins}))
    for name, (mean, deviation) in table.items():
        assert turned[name][0] == pytest.approx(mean, abs=2 * deviation)


def test_players_are_named_as_in_the_commands() -> None:
    game = cardenvs.make_game("rummy_v0")
    assert make_player(game, "greedy").name == "greedy"
    assert make_player(game, "policy:rummy").name == "rummy"
    with pytest.raises(ValueError, match=r"no bot 'gredy'; allowed are random, greedy.* and policy:NAME"):
        make_player(game, "gredy")
    with pytest.raises(ValueError, match="cachons was trained for Game"):
        make_player(game, "policy:cachons")
    assert (
        tournament(game, [make_player(game, name) for name in ("policy:rummy", "random")], 10).win_rate(0, 1).mean > 0.5
    )
