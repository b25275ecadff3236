"""The registry: every variant by its id."""

from __future__ import annotations

from typing import Any

from cardenvs.games import canasta, gin, laydown
from cardenvs.spec import Game, Variant

VARIANTS: dict[str, Variant] = {
    variant.id: variant for variant in sorted((*canasta.VARIANTS, *gin.VARIANTS, *laydown.VARIANTS), key=lambda v: v.id)
}


def variants() -> list[str]:
    """The ids of all variants."""
    return list(VARIANTS)


def make_game(id: str, **options: Any) -> Game:
    """A variant with its options in force.

    Args:
        id: one of `variants()`.
        **options: `num_players`, `match`, `reward` and the variant's rule options.

    Raises:
        ValueError: unknown id or option, or a value out of range; names what was given and what is allowed.
    """
    if not isinstance(id, str) or id not in VARIANTS:
        raise ValueError(f"no variant {id!r}: allowed are {', '.join(VARIANTS)}")
    return VARIANTS[id].game(**options)
