"""One random stream per game: splitmix64 (Steele, Lea and Flood 2014), one uint64 of state inside the record."""

from __future__ import annotations

import os

import numpy as np

from cardenvs._jit import add64, inner, mul64

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


def fresh_seed() -> int:
    """A seed from the operating system's entropy; no global random state is read or changed."""
    return int.from_bytes(os.urandom(8), "little") >> 1


@inner
def mix(state):
    """The uint64 that splitmix64 draws from a state; also turns a seed (uint64) into the first state."""
    z = mul64(state ^ (state >> _30), _MIX_1)
    z = mul64(z ^ (z >> _27), _MIX_2)
    return z ^ (z >> _31)


@inner
def advance(state):
    """The state after `state`."""
    return add64(state, _GOLDEN)


@inner
def scaled(draw, n):
    """An integer of 0..n-1 from a drawn uint64, for n < 2**16: multiply and shift, biased by less than n / 2**32."""
    return np.int64(mul64(draw >> _32, np.uint64(n)) >> _32)


@inner
def below(g, n):
    """An integer of 0..n-1 from the stream of the game `g`."""
    g.rng = advance(g.rng)
    return scaled(mix(g.rng), n)


@inner
def shuffle(g, cards, n):
    """Shuffle `cards[:n]` in place (Fisher and Yates) with the stream of the game `g`."""
    for i in range(n - 1, 0, -1):
        j = below(g, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
