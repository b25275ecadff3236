"""Who plays the deals that are compared: random, sensible and awkward ones, all by the names of the actions."""

from __future__ import annotations

import random
from functools import cache

from side_by_side import BothGames, Choose

import cardenvs


def uniform(seed: int) -> Choose:
    """Any legal action."""
    rng = random.Random(seed)
    return lambda both: rng.choice(sorted(both.legal))


def bot(name: str, seed: int, noise: float = 0.0, shy: float = 0.0) -> Choose:
    """A bot of ours.

    Args:
        name: of the bot.
        seed: of its random choices.
        noise: how often it plays any legal action instead.
        shy: how often it does not knock: so rounds end with gin, or with two cards left.
    """
    rng = random.Random(seed)
    player_of = cache(lambda game: cardenvs.make_bot(game, name, seed))

    def choose(both: BothGames) -> str:
        held_back = [legal for legal in sorted(both.legal) if not legal.startswith("knock")]
        if rng.random() < noise:
            return rng.choice(sorted(both.legal))
        player = player_of(both.game)
        chosen = both.game.action_name(int(player.act(both.rows[both.seat][None], both.mask[None])[0]))
        knocks_shyly = chosen.startswith("knock") and rng.random() < shy
        # What OpenSpiel does not offer (`Difference.OVERLOOKED`) is not played either.
        return rng.choice(held_back) if knocks_shyly or chosen not in both.legal else chosen

    return choose


def greets_the_pile(seed: int, loyalty: float = 0.5) -> Choose:
    """Draws from the pile whenever it may, and puts back what it took as often as `loyalty` says: never knocks."""
    rng = random.Random(seed)

    def choose(both: BothGames) -> str:
        if "draw_top" in both.legal:
            return "draw_top"
        if f"discard {both.taken}" in both.legal and rng.random() < loyalty:
            return f"discard {both.taken}"
        return rng.choice([legal for legal in sorted(both.legal) if not legal.startswith("knock")])

    return choose
