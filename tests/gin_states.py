"""Hands and plays that the tests of Gin Rummy's clauses share."""

from __future__ import annotations

ID = "gin_rummy_v0"
PLAIN = "Ac 3c 5c 7c 9c 2d 4d Jd 6h 8s"
OTHER = "2c 4c 6c 8c Tc 3d 5d Qd 9h Ks"
"""Hands without a meld."""

CLUBS_AND_NINES = "3c 4c 5c 9c 9d 9h 9s"
"""Seven cards in two melds: what a knocker holds beside them is what is left."""

LOOSE = "2c 6c 8c Tc 3d 5d 7d Jd Qh 8h"
"""The other's: 2 + 6 + 8 + 10 + 3 + 5 + 7 + 10 + 10 + 8 = 69 points; 2c and 6c fit 3c 4c 5c, so 61 are left."""


def drawn(gin, hands, up="Kh", stock="Ks", **options):
    """Both pass, and seat 0 draws the first card of the stock."""
    return gin(hands, up, stock, **options).play("pass", "pass", "draw_stock")


def discard_in_turn(table, turns):
    """So many cards are drawn from the stock, and discarded at once."""
    for _ in range(turns):
        card = table.view["stock"][0]
        table.play("draw_stock", f"discard {card}")
    return table


def melds(table, seat):
    """The melds of a seat as texts, with what was laid off on them."""
    return [" ".join(meld["cards"]) for meld in table.view["melds"] if meld["seat"] == seat]


def laid_off(table):
    return sorted(card for meld in table.view["melds"] for card in meld["laid_off"])


def left(table):
    """What is left in both hands."""
    return [sorted(hand) for hand in table.view["hands"]]
