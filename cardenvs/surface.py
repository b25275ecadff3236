"""What the PettingZoo and the Gymnasium environments show alike: their spaces and the table as text."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from cardenvs.spec import Game

RENDER_MODES = ("human", "ansi")
"""`human`: the table is printed at every reset, step and render; `ansi`: render returns it."""


def check_render_mode(mode: Any) -> str | None:
    """The render mode; ValueError unless it is None or one of `RENDER_MODES`."""
    if mode is not None and not (isinstance(mode, str) and mode in RENDER_MODES):
        raise ValueError(f"render_mode={mode!r}: allowed are None, {' and '.join(map(repr, RENDER_MODES))}")
    return mode


def observation_space(game: Game) -> gymnasium.spaces.Dict:
    """`{"observation": float32 [D] in [-1, 1], "action_mask": int8 [A]}`."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(-1.0, 1.0, (game.observation_size,), np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def show(game: Game, record: Any, seat: int | None, mode: str | None) -> str | None:
    """The table as a seat sees it, or face up for None: returned ("ansi"), printed ("human"), or a warning (None)."""
    if mode is None:
        gymnasium.logger.warn("render() was called on an environment made without render_mode='ansi' or 'human'")
        return None
    text = game.family.render(game, record, seat)
    if mode == "ansi":
        return text
    print(text)
    return None
