"""What callers give, checked: one place for each check that several files make."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_whole(value: Any) -> bool:
    """Whether it is an integer of Python or NumPy; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_whole(name: str, value: Any, low: int, high: int, shown: str = "") -> int:
    """The integer; ValueError unless it is one from `low` to `high`, which the message calls `shown`."""
    if not is_whole(value) or not low <= value <= high:
        raise ValueError(f"{name}={value!r}: allowed are integers from {low} to {shown or high}")
    return int(value)


def check_seed(seed: Any, bits: int = 63) -> int:
    """The seed; ValueError unless it is an integer of that many bits."""
    return check_whole("seed", seed, 0, 2**bits - 1, f"2**{bits} - 1")


def check_flag(name: str, value: Any) -> bool:
    """The flag; ValueError unless it is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r}: allowed are False and True")
    return value
