"""Rummy-family card games as reinforcement-learning environments.

`rummy_v0.env()` and its like are PettingZoo AEC environments; `make_vec` steps thousands of games at once; `make_bot`
and `arena.evaluate` judge players.
"""

from cardenvs import arena, cachons_v0, canasta_v0, gin_rummy_v0, liverpool_rummy_v0, number_cachons_v0, rummy_v0
from cardenvs.aec import register_variants
from cardenvs.bots import make_bot
from cardenvs.games import make_game, variants
from cardenvs.vector import make_vec

__version__ = "0.1.0"
__all__ = [
    "arena",
    "cachons_v0",
    "canasta_v0",
    "gin_rummy_v0",
    "liverpool_rummy_v0",
    "make_bot",
    "make_game",
    "make_vec",
    "number_cachons_v0",
    "rummy_v0",
    "variants",
]

register_variants()
