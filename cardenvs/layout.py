"""Named pieces of a flat space, used alike for actions and for observations.

A `Layout` is declared once per game; offsets, sizes, scales, names and the tables of the docs are read from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Piece:
    """A named block of a flat space.

    Attributes:
        name: unique within its layout.
        shape: its lengths; the block is laid out in C order.
        axes: what each length counts ("suit", "rank", "seat", "card", "wild", ...): the same length as `shape`.
        scale: the greatest absolute value that an entry takes (observations; actions leave it at 1).
        doc: a line for the documentation.
    """

    name: str
    shape: tuple[int, ...] = ()
    axes: tuple[str, ...] = ()
    scale: float = 1.0
    doc: str = ""

    def __post_init__(self) -> None:
        if len(self.shape) != len(self.axes):
            raise ValueError(f"piece {self.name!r}: shape {self.shape} and axes {self.axes} differ in length")

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


class Layout:
    """Pieces one after the other.

    Args:
        pieces: in order; empty pieces (size 0) are left out.

    Raises:
        ValueError: two pieces share a name.
    """

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.pieces: tuple[Piece, ...] = tuple(piece for piece in pieces if piece.size)
        self._offsets: dict[str, int] = {}
        self.size: int = 0
        for piece in self.pieces:
            if piece.name in self._offsets:
                raise ValueError(f"two pieces are named {piece.name!r}")
            self._offsets[piece.name] = self.size
            self.size += piece.size

    def __contains__(self, name: object) -> bool:
        return name in self._offsets

    def piece(self, name: str) -> Piece:
        """The piece of that name; KeyError where there is none."""
        self._offsets[name]
        return next(piece for piece in self.pieces if piece.name == name)

    def offset(self, name: str, default: int | None = None) -> int:
        """First index of a piece; `default`, when given, for a piece that this layout lacks (KeyError otherwise)."""
        return self._offsets[name] if default is None else self._offsets.get(name, default)

    def slice(self, name: str) -> slice:
        """The indices of a piece."""
        start = self._offsets[name]
        return slice(start, start + self.piece(name).size)

    @cached_property
    def scale(self) -> np.ndarray:
        """float32 `[size]`: an integer row times this lies in [-1, 1]."""
        scale = np.concatenate([np.full(piece.size, 1.0 / piece.scale) for piece in self.pieces]).astype(np.float32)
        scale.setflags(write=False)
        return scale

    def locate(self, index: int) -> tuple[Piece, tuple[int, ...]]:
        """The piece that holds a flat index, and the place inside it; IndexError outside the layout."""
        if not 0 <= index < self.size:
            raise IndexError(f"index {index} is outside 0..{self.size - 1}")
        piece = next(p for p in reversed(self.pieces) if self._offsets[p.name] <= index)
        return piece, tuple(int(i) for i in np.unravel_index(index - self._offsets[piece.name], piece.shape or (1,)))

    def table(self) -> str:
        """Markdown table of the pieces: name, indices, shape, greatest value, meaning."""
        rows = ["| piece | indices | shape | up to | meaning |", "|---|---|---|---|---|"]
        for piece in self.pieces:
            first = self._offsets[piece.name]
            indices = f"{first}" if piece.size == 1 else f"{first}-{first + piece.size - 1}"
            shape = " x ".join(f"{n} {axis}" for n, axis in zip(piece.shape, piece.axes, strict=True)) or "1"
            rows.append(f"| {piece.name} | {indices} | {shape} | {piece.scale:g} | {piece.doc} |")
        return "\n".join(rows)
