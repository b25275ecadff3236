"""Judging a policy against the bots, by the arena."""

from __future__ import annotations

from typing import Any

from cardenvs import arena, make_bot
from training.model import Policy
from training.records import estimate


def against_bots(policy: Policy, opponents: tuple[str, ...], deals: int, seed: int) -> list[dict[str, Any]]:
    """Play each bot in turn, it in all seats but one, every deal from every seat.

    Args:
        policy: the player that is judged.
        opponents: names of the game's bots.
        deals: deals per opponent.
        seed: of the first deal; the same seed gives the same deals.

    Returns:
        For each opponent: its name; `win_rate` (of decided rounds), `margin` (points) and `decided`, each with `mean`,
        `low` and `high` (95 %); `par`, the win rate of an equal; `deals`, `games`, `illegal`.
    """
    return [_against(policy, name, deals, seed) for name in opponents]


def _against(policy: Policy, opponent: str, deals: int, seed: int) -> dict[str, Any]:
    game = policy.game
    bot = make_bot(game, opponent)
    result = arena.evaluate(game, [policy, *[bot] * (game.num_sides - 1)], deals, seed)
    return {
        "opponent": opponent,
        "win_rate": vars(result.win_rate[0]),
        "margin": vars(result.margin[0]),
        "decided": vars(result.decided),
        "par": 1 / game.num_sides,
        "deals": result.deals,
        "games": result.games,
        "illegal": result.illegal[0],
    }


def table(found: list[dict[str, Any]]) -> str:
    """What `against_bots` found, as text."""
    lines = [f"{'against':10}  {'won of decided (%)':22}  {'margin (points)':26}  {'decided (%)':>11}  illegal"]
    for row in found:
        won, margin = format(estimate(row, "win_rate"), ".1f"), format(estimate(row, "margin"), "+.1f")
        decided = format(estimate(row, "decided").mean, ".1f")
        lines.append(f"{row['opponent']:10}  {won:22}  {margin:26}  {decided:>11}  {row['illegal']}")
    return "\n".join(lines)
