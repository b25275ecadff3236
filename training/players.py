"""Players by the names that the commands take."""

from __future__ import annotations

import sys

from cardenvs import make_bot
from cardenvs.bots import Player
from cardenvs.spec import Game
from training.checkpoint import load_policy
from training.openspiel import VARIANT, SimpleGinRummyBot

POLICY = "policy:"
"""Before what stands for a trained policy."""


def make_player(game: Game, name: str) -> Player:
    """A bot of the game, a trained policy, or OpenSpiel's bot.

    Args:
        game: what is played.
        name: of a bot, or `policy:` and a shipped policy, a file or the folder of a run, or `openspiel:simple`.

    Raises:
        ValueError: there is none of that name, it was trained for another game, or OpenSpiel is not installed. The
            screen tells of options that only differ.
    """
    if name in game.bots:
        return make_bot(game, name)
    if name == SimpleGinRummyBot.name:
        return SimpleGinRummyBot(game)
    if not name.startswith(POLICY):
        outside = f", {SimpleGinRummyBot.name}" if game.id == VARIANT else ""
        raise ValueError(f"players: no bot {name!r}; allowed are {', '.join(game.bots)}{outside} and {POLICY}NAME")
    path = name.removeprefix(POLICY)
    policy = load_policy(path, name=path)
    trained = policy.game
    fits = trained.actions.pieces == game.actions.pieces and trained.observation.size == game.observation.size
    if (trained.id, trained.num_players) != (game.id, game.num_players) or not fits:
        raise ValueError(f"{path} was trained for {trained}; allowed are policies for {game}")
    other = {key: value for key, value in trained.options.items() if value != game.options[key]}
    if other:
        print(f"note: {path} was trained with {other}", file=sys.stderr)
    return policy
