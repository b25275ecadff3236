"""Hands of gin rummy that others have published, as the numbers of their moves; only these are taken, no code.

OpenSpiel's numbers: a card is suit * 13 + rank (suits "scdh", ace first); 52 draws the upcard, 53 the stock, 54 passes,
55 knocks. First come the ten cards of each player and the upcard, and after each 53 the card drawn.
"""

from __future__ import annotations

from typing import NamedTuple


class Record(NamedTuple):
    """A published hand.

    Attributes:
        source: repository, file, and where in it.
        moves: see above, as far as the last discard.
        options: of our game, where the hand was played under others than the default.
    """

    source: str
    moves: tuple[int, ...]
    options: dict[str, int | bool]


_OPEN_SPIEL = "google-deepmind/open_spiel at 112b77704631: open_spiel/"
_TEST = _OPEN_SPIEL + "games/gin_rummy/gin_rummy_test.cc, "

PLAYTHROUGH = Record(
    _OPEN_SPIEL + "integration_tests/playthroughs/gin_rummy.txt",
    (29, 49, 9, 2, 51, 24, 35, 20, 47, 31, 5, 10, 6, 42, 50, 11, 1, 21, 46, 7, 17, 54, 54, 53, 27, 51, 53, 18, 50, 53,
     32, 24, 53, 36, 11, 53, 23, 49, 52, 21, 53, 12, 12, 53, 41, 46, 53, 30, 23, 52, 55, 18),
    {},
)  # fmt: skip

UNDERCUT = Record(
    _TEST + "GameplayTest1",
    (11, 4, 5, 6, 21, 22, 23, 12, 25, 38, 1, 14, 27, 40, 7, 20, 33, 8, 19, 13, 36, 52, 55, 11),
    {"undercut_bonus": 20},
)

SETS_OR_RUNS = Record(
    _TEST + "GameplayTest2",
    (1, 4, 5, 6, 17, 18, 19, 30, 31, 32, 2, 3, 16, 29, 43, 44, 45, 7, 20, 33, 0, 52, 55, 1),
    {},
)

CHAINED = Record(
    _TEST + "GameplayTest3",
    (10, 11, 12, 22, 35, 48, 13, 26, 1, 40, 9, 8, 3, 16, 29, 42, 4, 17, 30, 43, 0, 52, 55, 1),
    {},
)

WALL = Record(
    _TEST + "WallTest",
    (8, 9, 10, 11, 12, 13, 14, 15, 48, 49, 0, 1, 2, 3, 4, 5, 6, 7, 50, 51, 16, 54, 54, 53, 17, 17, 53, 18, 18, 53, 19,
     19, 53, 20, 20, 53, 21, 21, 53, 22, 22, 53, 23, 23, 53, 24, 24, 53, 25, 25, 53, 26, 26, 53, 27, 27, 53, 28, 28, 53,
     29, 29, 53, 30, 30, 53, 31, 31, 53, 32, 32, 53, 33, 33, 53, 34, 34, 53, 35, 35, 53, 36, 36, 53, 37, 37, 53, 38, 38,
     53, 39, 39, 53, 40, 40, 53, 41, 41, 53, 42, 42, 53, 43, 43, 53, 44, 44, 53, 46, 49),
    {},
)  # fmt: skip

ROUND_AND_ROUND = Record(
    _TEST + "MaxGameLengthTest",
    (0, 1, 2, 13, 14, 15, 26, 27, 28, 39, 9, 10, 11, 12, 23, 24, 25, 36, 37, 38, 40,
     *(52, 0, 52, 12, 52, 1) * 16, 52, 0, 52, 12),
    {},
)  # fmt: skip

OKLAHOMA = Record(
    _TEST + "OklahomaTest",
    (35, 37, 10, 11, 41, 14, 15, 16, 48, 49, 0, 1, 2, 3, 4, 5, 6, 7, 8, 51, 13, 54, 52, 51, 53, 26, 26, 52, 55, 8),
    {"oklahoma": True},
)

KAGGLE = Record(
    "Kaggle/kaggle-environments at 28b6d8af3ce7: kaggle_environments/envs/open_spiel_env/games/gin_rummy/visualizer/"
    "default/replays/test-replay.json, info.actionHistory",
    (43, 7, 5, 31, 28, 13, 49, 18, 47, 50, 3, 51, 21, 6, 38, 11, 48, 25, 32, 4, 14, 52, 49, 52, 6, 52, 14, 52, 32, 52,
     47, 52, 48, 52, 13, 53, 19, 3, 53, 34, 48, 52, 49, 53, 24, 6, 52, 47, 52, 43, 52, 43, 53, 33, 31, 53, 37, 37, 52,
     18, 52, 18, 53, 30, 7, 53, 15, 15, 53, 17, 37, 52, 21, 53, 40, 30, 53, 9, 19, 52, 40, 53, 29, 9, 52, 47, 52, 4, 52,
     4, 53, 35, 6, 52, 19, 53, 8, 35, 53, 26, 33, 53, 22, 8, 52, 32, 52, 22, 52, 24, 53, 1, 1, 52, 8, 53, 46, 38, 53,
     23, 5, 53, 42, 42, 52, 1, 52, 47, 52, 26, 53, 16, 14, 52, 6, 53, 45, 16, 52, 42, 53, 2, 29, 53, 44, 50, 52, 32, 52,
     32, 52, 46, 53, 36, 16, 52, 51, 53, 10, 36, 52, 11, 52, 47, 53, 27, 16, 52, 10, 53, 39, 2, 53, 0, 44, 53, 41, 36),
    {},
)  # fmt: skip
