"""A `canasta` game for people: everything face up (`view`), and as text for a seat or an onlooker (`render`)."""

from __future__ import annotations

from typing import Any

from cardenvs.games.canasta.layouts import PACK
from cardenvs.games.canasta.rules import (
    BLACK_PLACE,
    CANASTA,
    RANK_LABELS,
    RANKS,
    RED_PLACE,
    Over,
    Phase,
)
from cardenvs.spec import Game

_ENDS = {Over.NO: None, Over.OUT: "out", Over.STOCK: "stock", Over.CAP: "cap"}


def view(game: Game, g: Any) -> dict[str, Any]:
    """The whole game as plain Python, every card face up.

    Keys: `phase` (text), `seat` and `turn` (to act, whose turn: the same), `dealer`, `round`, `turns`; `hands` (card
    texts per seat), `known` (of these, the cards taken or shown in the open), `stock` (next card first), `pile` (top
    last), `beside` (wilds beside it), `frozen`, `blocked_by` (seat of the red three that blocks it, or None); `sides`
    (side per seat); `melds` (dicts of `kind` "meld", `side`, `rank`, `cards`, and `canasta`: None, "natural" or
    "mixed"), `half_laid` (such a dict with `wants`, points, and `takes_pile`; or None); per side `red_threes` (card
    texts), `opened`, `canastas`, `minimum` (points that its first meld must reach) and `side_scores`; `ended` (None,
    "out", "stock" or "cap"), `out` (seat or None), `scores` (points of the episode, per seat), `round_scores` (of the
    last round scored), `winners` (seats).
    """
    seats, sides = range(game.num_players), range(game.num_sides)
    half_laid = _half_laid(g, int(g["seat"]) % game.num_sides) if g["phase"] == Phase.MELD else None
    melds = [meld for side in sides for meld in _melds(g, side)]
    return {
        "phase": Phase(int(g["phase"])).name.lower(),
        "seat": int(g["seat"]),
        "turn": int(g["seat"]),
        "dealer": int(g["dealer"]),
        "round": int(g["rounds_done"]),
        "turns": int(g["turns"]),
        "hands": [PACK.hand(g["hand"][seat]) for seat in seats],
        "known": [PACK.hand(g["known"][seat]) for seat in seats],
        "stock": PACK.texts(g["stock"][: g["n_stock"]][::-1]),
        "pile": PACK.texts(g["pile"][: g["n_pile"]]),
        "beside": ["2"] * int(g["beside"][0]) + ["JK"] * int(g["beside"][1]),
        "frozen": bool(g["beside"].sum()),
        "blocked_by": int(g["block_seat"]) if g["block_seat"] >= 0 else None,
        "sides": list(game.sides),
        "melds": melds,
        "half_laid": half_laid,
        "red_threes": [["3r"] * int(g["table"][side, RED_PLACE]) for side in sides],
        "opened": [bool(g["opened"][side]) for side in sides],
        "canastas": [int(g["canastas"][side]) for side in sides],
        "minimum": [int(g["minimum"][side]) for side in sides],
        "side_scores": [int(g["total"][side]) for side in sides],
        "ended": _ENDS[Over(int(g["over"]))],
        "out": int(g["out"]) if g["out"] >= 0 else None,
        "scores": [int(g["total"][seat]) for seat in seats],
        "round_scores": [int(g["points"][seat]) for seat in seats],
        "winners": [seat for seat in seats if g["won"] >> seat & 1] if g["over"] else [],
    }


def _melds(g: Any, side: int) -> list[dict[str, Any]]:
    """The melds of a side that stand, lowest rank first, and the black threes."""
    melds = [_meld(g, side, rank) for rank in range(RANKS) if g["meld_bits"][side] >> rank & 1]
    black = int(g["table"][side, BLACK_PLACE])
    if black:
        melds.append({"kind": "meld", "side": side, "rank": "3b", "cards": ["3b"] * black, "canasta": None})
    return melds


def _meld(g: Any, side: int, rank: int) -> dict[str, Any]:
    natural, twos, jokers = (int(g["table"][side, kind * RANKS + rank]) for kind in range(3))
    label = RANK_LABELS[rank]
    cards = [label] * natural + ["2"] * twos + ["JK"] * jokers
    canasta = None if len(cards) < CANASTA else "mixed" if twos + jokers else "natural"
    return {"kind": "meld", "side": side, "rank": label, "cards": cards, "canasta": canasta}


def _half_laid(g: Any, side: int) -> dict[str, Any]:
    meld = _meld(g, side, int(g["meld_rank"]))
    points = sum(int(PACK.type_points[PACK.labels.index(card)]) for card in meld["cards"])
    wants = 0 if g["opened"][side] else max(0, int(g["minimum"][side]) - points)
    return meld | {"wants": wants, "takes_pile": bool(g["meld_takes"])}


def render(game: Game, g: Any, viewer: int | None) -> str:
    """The table as text; a viewer sees its own hand and, of the others', the cards that all know."""
    seen = view(game, g)
    number = seen["round"] + (0 if seen["ended"] else 1)
    lines = [f"{game.title}, round {number}, turn {seen['turns'] + 1}: {_doing(seen)}", _pile_line(seen)]
    for side in range(game.num_sides):
        lines += _side_lines(game, seen, side)
    for seat, hand in enumerate(seen["hands"]):
        mark = ">" if seat == seen["seat"] and not seen["ended"] else " "
        known = seen["known"][seat]
        cards = hand if viewer in (None, seat) else [*known, *["??"] * (len(hand) - len(known))]
        lines.append(f"{mark} player_{seat} {len(hand):3d} cards  {' '.join(cards)}")
    return "\n".join(lines) + "\n"


def _doing(seen: dict[str, Any]) -> str:
    match seen["ended"]:
        case "out":
            return f"player_{seen['out']} went out"
        case "stock":
            return "the stock is empty"
        case "cap":
            return "stopped at the turn cap"
    return f"player_{seen['seat']} to {seen['phase']}"


def _pile_line(seen: dict[str, Any]) -> str:
    """Stock and pile, with what keeps the pile from being taken."""
    top = seen["pile"][-1] if seen["pile"] else "-"
    parts = [f"stock {len(seen['stock'])}   pile {len(seen['pile'])}: [{top}]", *seen["pile"][-2::-1]]
    if seen["frozen"]:
        parts.append(f"  frozen by {' '.join(seen['beside'])}")
    if seen["blocked_by"] is not None:
        parts.append(f"  blocked until player_{seen['blocked_by']} is to draw")
    return " ".join(parts)


def _side_lines(game: Game, seen: dict[str, Any], side: int) -> list[str]:
    """What a side has on the table, a meld a line."""
    players = " and ".join(f"player_{seat}" for seat in range(game.num_players) if game.sides[seat] == side)
    state = "opened" if seen["opened"][side] else f"opens with {seen['minimum'][side]}"
    score = f"   score {seen['side_scores'][side]}" if game.options["match"] else ""
    red = f"   red threes {len(seen['red_threes'][side])}" if seen["red_threes"][side] else ""
    half = [seen["half_laid"]] if seen["half_laid"] and seen["half_laid"]["side"] == side else []
    lines = [f"  {players}: {state}{red}{score}"]
    for meld in [meld for meld in seen["melds"] if meld["side"] == side] + half:
        canasta = f"   {meld['canasta']} canasta" if meld["canasta"] else ""
        more = (
            f"  ... wants {meld['wants']} points" if meld in half and meld["wants"] else "  ..." if meld in half else ""
        )
        lines.append(f"    {meld['rank']:>2}: {' '.join(meld['cards'])}{canasta}{more}")
    return lines
