"""The rows of the `canasta` family: from options to `Rules`, pack and layouts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardenvs.games.canasta.layouts import ACTIONS, PACK, action_name, observation_layout
from cardenvs.games.canasta.rules import MAX_CARDS, Rules
from cardenvs.spec import Build, Option

SCORE_SCALE = 500.0
"""Points that make one unit of reward: about what a canasta is worth."""

BEST_ROUND = 7580
"""No side scores more: all cards on its table (1180), a natural canasta of every rank, all red threes, going out."""

WORST_ROUND = 2780
"""No side loses more: all cards in hand (1180), all red threes laid by a side that never opened."""

CANASTA_OPTIONS = (
    Option("partnerships", None, choices=(False, True), doc="partners sit opposite; None: four players do (K1)"),
    Option("hand_size", None, 1, 53, doc="cards dealt to each; None: 11 for partners, 13 for others (K2)"),
    Option("canastas", None, 1, 4, doc="that a side needs to go out; None: two for partners, one for others (K11)"),
    Option("max_turns", 100, 1, 1000, doc="turns of each seat in a round before it is truncated (G3)"),
    Option("target", 5000, 1, 20000, doc="points that win a match (K15)"),
    Option("max_rounds", 100, 1, 1000, doc="rounds after which a match that nobody has won is truncated (G3)"),
)


def build(options: Mapping[str, Any]) -> Build:
    """Canasta's options made into rules and layouts.

    Raises:
        ValueError: partners that are not four, or hands that leave no card to turn and none to draw.
    """
    seats = options["num_players"]
    partners = options["partnerships"] if options["partnerships"] is not None else seats == 4
    if partners and seats != 4:
        raise ValueError(f"partnerships=True: allowed is False for {seats} players, and either for four (K1)")
    sides = 2 if partners else seats
    hand_size = options["hand_size"] or (11 if partners else 13)
    most = (MAX_CARDS - 2) // seats
    if hand_size > most:
        raise ValueError(f"hand_size={hand_size}: allowed are integers from 1 to {most} for {seats} players")
    shown_score = BEST_ROUND + (options["target"] if options["match"] else 0)
    observation = observation_layout(seats=seats, sides=sides, max_turns=options["max_turns"], shown_score=shown_score)
    rules = Rules(
        seats=seats,
        sides=sides,
        hand_size=hand_size,
        canastas=options["canastas"] or (2 if partners else 1),
        max_turns=options["max_turns"],
        match=int(options["match"]),
        target=options["target"],
        max_rounds=options["max_rounds"],
        win_reward=int(options["reward"] == "win"),
        score_scale=SCORE_SCALE,
        shown_score=shown_score,
        o_pile_top=observation.offset("pile_top"),
        o_pile=observation.offset("pile"),
        o_sides=observation.offset("own_naturals"),
        o_scalars=observation.offset("stock_size"),
    )
    names = tuple(action_name(action) for action in range(ACTIONS.size))
    greatest = max(shown_score, WORST_ROUND * options["max_rounds"]) if options["match"] else BEST_ROUND
    of_seat = tuple(seat % sides for seat in range(seats))
    return Build(rules, PACK, ACTIONS, observation, names, SCORE_SCALE, greatest, of_seat)
