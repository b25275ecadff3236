"""Where the time of a run goes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch

NETWORK = ("act", "learn")
"""Laps that are the network's own arithmetic: forward, backward, optimiser."""


class Clock:
    """Adds up the seconds spent in named laps.

    Args:
        device: on CUDA a lap waits for the device, so that it counts its own work and no other.
    """

    def __init__(self, device: torch.device) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None

    @contextmanager
    def lap(self, name: str) -> Iterator[None]:
        """Add the time inside the `with` block to that lap."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._wait()
            self.seconds[name] += time.perf_counter() - start

    def split(self) -> dict[str, float]:
        """As the function `split` has it."""
        return split(self.seconds)


def split(seconds: Mapping[str, float]) -> dict[str, float]:
    """Share of each lap in the whole, and `outside`: the share of all that is not the network's arithmetic."""
    whole = sum(seconds.values()) or 1.0
    shares = {name: each / whole for name, each in sorted(seconds.items())}
    return {**shares, "outside": sum(share for name, share in shares.items() if name not in NETWORK)}
