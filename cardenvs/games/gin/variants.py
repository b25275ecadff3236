"""The row of the `gin` family: from options to `Rules`, pack and layouts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardenvs.games.gin.layouts import ACTIONS, PACK, action_name, observation_layout
from cardenvs.games.gin.rules import HAND_SIZE, Rules
from cardenvs.spec import Build, Option

SCORE_SCALE = 25.0
"""Points that make one unit of reward: the bonus for gin or an undercut."""

MOST_DEADWOOD = 10 * HAND_SIZE
"""No hand counts more."""

GIN_RUMMY_OPTIONS = (
    Option("knock_card", 10, 0, 10, doc="most deadwood to knock with; 0: only gin (J4)"),
    Option(
        "oklahoma",
        False,
        choices=(False, True),
        doc="the first upcard's points say it, not `knock_card`; an ace asks for gin (J4)",
    ),
    Option("gin_bonus", 25, 0, 1000, doc="points for gin, beside the other's deadwood (J6)"),
    Option("undercut_bonus", 25, 0, 1000, doc="points for an undercut, beside the difference (J6)"),
    Option("max_turns", 100, 1, 1000, doc="turns of each seat in a round before it is truncated (G3)"),
    Option("target", 100, 1, 10000, doc="points that win a match (J8)"),
    Option("max_rounds", 100, 1, 1000, doc="rounds after which a match that nobody has won is truncated (G3)"),
)


def build(options: Mapping[str, Any]) -> Build:
    """Gin Rummy's options made into rules and layouts."""
    greatest = MOST_DEADWOOD + max(options["gin_bonus"], options["undercut_bonus"])
    if options["match"]:
        greatest += options["target"]
    rules = Rules(
        seats=options["num_players"],
        knock_card=options["knock_card"],
        oklahoma=int(options["oklahoma"]),
        gin_bonus=options["gin_bonus"],
        undercut_bonus=options["undercut_bonus"],
        max_turns=options["max_turns"],
        match=int(options["match"]),
        target=options["target"],
        max_rounds=options["max_rounds"],
        win_reward=int(options["reward"] == "win"),
        score_scale=SCORE_SCALE,
    )
    observation = observation_layout(max_turns=options["max_turns"], shown_score=greatest)
    names = tuple(action_name(action) for action in range(ACTIONS.size))
    return Build(rules, PACK, ACTIONS, observation, names, SCORE_SCALE, greatest)
