"""A `gin` game for people: everything face up (`view`), and as text for a seat or an onlooker (`render`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardenvs.cards import PLACE
from cardenvs.games.gin.layouts import PACK
from cardenvs.games.gin.rules import RANKS, SEATS, SUITS, TYPES, Over, Phase
from cardenvs.spec import Game

_ENDS = {Over.NO: None, Over.KNOCK: "knock", Over.GIN: "gin", Over.VOID: "void", Over.CAP: "cap"}


def view(game: Game, g: Any) -> dict[str, Any]:
    """The whole game as plain Python, every card face up.

    Keys: `phase` (text), `seat` and `turn` (to act, whose turn: the same), `dealer`, `round`, `turns`, `passes` (seats
    that have left the first upcard), `knock_limit`; `hands` (card texts per seat; after a knock those that are left),
    and of these `known` (taken from the pile), `discarded` and `declined` (per seat, what it has discarded, and left on
    top of the pile, in this round), `stock` (next card first), `pile` (top last); `melds` (after a knock: dicts of
    `kind`, `seat`, `cards` lowest first, and `laid_off`, those that the other has laid off on it), `half_laid` (None);
    `ended` (None, "knock", "gin", "void" or "cap"), `knocker` (seat or None), `scores` (points of the episode),
    `round_scores` (of the last round scored), `winners` (seats).
    """
    seats = range(SEATS)
    left = [_left(g, seat) for seat in seats]
    return {
        "phase": Phase(int(g["phase"])).name.lower(),
        "seat": int(g["seat"]),
        "turn": int(g["seat"]),
        "dealer": int(g["dealer"]),
        "round": int(g["rounds_done"]),
        "turns": int(g["turns"]),
        "passes": int(g["passes"]),
        "knock_limit": int(g["limit"]),
        "hands": [PACK.texts(cards) for cards in left],
        "known": [PACK.texts([card for card in left[seat] if g["known"][seat, card]]) for seat in seats],
        "discarded": [PACK.hand(g["discarded"][seat]) for seat in seats],
        "declined": [PACK.hand(g["declined"][seat]) for seat in seats],
        "stock": PACK.texts(g["stock"][: g["n_stock"]][::-1]),
        "pile": PACK.texts(g["pile"][: g["n_pile"]]),
        "melds": _melds(g) if g["knocker"] >= 0 else [],
        "half_laid": None,
        "ended": _ENDS[Over(int(g["over"]))],
        "knocker": int(g["knocker"]) if g["knocker"] >= 0 else None,
        "scores": [int(g["total"][seat]) for seat in seats],
        "round_scores": [int(g["points"][seat]) for seat in seats],
        "winners": [seat for seat in seats if g["won"] >> seat & 1] if g["over"] else [],
    }


def _types(board: np.uint64) -> list[int]:
    """The card types of a board."""
    return [card for card in range(TYPES) if int(board) >> int(PLACE[RANKS, card]) & 1]


def _left(g: Any, seat: int) -> list[int]:
    """The cards of a hand that are not laid down."""
    down = int(g["sets"][seat]) | int(g["runs"][seat]) | int(g["laid_off"])
    return _types(np.uint64(int(g["board"][seat]) & ~down))


def _melds(g: Any) -> list[dict[str, Any]]:
    """What both have laid down, the knocker's first; what the other has laid off lies on runs where it fits one."""
    knocker = int(g["knocker"])
    laid_off = _types(g["laid_off"])
    melds = []
    for seat in (knocker, 1 - knocker):
        for run in _runs(_types(g["runs"][seat])):
            more = _extend(run, laid_off) if seat == knocker else []
            melds.append(_meld("run", seat, run, more))
        sets = _types(g["sets"][seat])
        for rank in sorted({card % RANKS for card in sets}):
            more = [card for card in laid_off if card % RANKS == rank] if seat == knocker else []
            laid_off = [card for card in laid_off if card not in more]
            melds.append(_meld("set", seat, [card for card in sets if card % RANKS == rank], more))
    return melds


def _meld(kind: str, seat: int, cards: list[int], more: list[int]) -> dict[str, Any]:
    return {"kind": kind, "seat": seat, "cards": PACK.texts(sorted(cards + more)), "laid_off": PACK.texts(more)}


def _runs(cards: list[int]) -> list[list[int]]:
    """Sorted card types as runs."""
    runs: list[list[int]] = []
    for card in cards:
        if runs and card == runs[-1][-1] + 1 and card % RANKS:
            runs[-1].append(card)
        else:
            runs.append([card])
    return runs


def _extend(run: list[int], laid_off: list[int]) -> list[int]:
    """The cards of `laid_off`, taken out of it, that lie above and below a run."""
    found = []
    for step, card in ((1, run[-1]), (-1, run[0])):
        while card + step in laid_off and (card + step) // RANKS == card // RANKS:
            card += step
            laid_off.remove(card)
            found.append(card)
    return sorted(found)


def render(game: Game, g: Any, viewer: int | None) -> str:
    """The table as text; a viewer sees its own hand and, of the other's, the cards that were taken from the pile.

    After a knock all cards are seen.
    """
    seen = view(game, g)
    number = seen["round"] + (0 if seen["ended"] else 1)
    top = seen["pile"][-1] if seen["pile"] else "-"
    lines = [
        f"{game.title}, round {number}, turn {seen['turns'] + 1}: {_doing(seen)}",
        f"stock {len(seen['stock'])}   pile {len(seen['pile'])}: [{top}] {' '.join(seen['pile'][:-1])}".rstrip(),
        f"knock with {seen['knock_limit']} or less",
    ]
    for meld in seen["melds"]:
        more = f"   laid off: {' '.join(meld['laid_off'])}" if meld["laid_off"] else ""
        lines.append(f"  player_{meld['seat']} {meld['kind']}: {' '.join(meld['cards'])}{more}")
    for seat, hand in enumerate(seen["hands"]):
        mark = ">" if seat == seen["seat"] and not seen["ended"] else " "
        score = f"  score {seen['scores'][seat]}" if game.options["match"] else ""
        if viewer in (None, seat) or seen["knocker"] is not None:
            cards = _by_suit(hand)
        else:
            cards = " ".join([*seen["known"][seat], *["??"] * (len(hand) - len(seen["known"][seat]))])
        lines.append(f"{mark} player_{seat} {len(hand):3d} cards{score}  {cards}".rstrip())
    return "\n".join(lines) + "\n"


def _doing(seen: dict[str, Any]) -> str:
    match seen["ended"]:
        case "knock":
            undercut = "" if seen["knocker"] in seen["winners"] or not seen["winners"] else ", and was undercut"
            return f"player_{seen['knocker']} knocked{undercut}"
        case "gin":
            return f"player_{seen['knocker']} has gin"
        case "void":
            return "void, two cards are left"
        case "cap":
            return "stopped at the turn cap"
    if seen["phase"] == "upcard":
        return f"player_{seen['seat']} to take the upcard or pass"
    return f"player_{seen['seat']} to {seen['phase']}"


def _by_suit(cards: list[str]) -> str:
    """A hand sorted by suit, the suits apart."""
    groups = [[card for card in cards if card[1] == suit] for suit in PACK.suits[:SUITS]]
    return " | ".join(" ".join(group) for group in groups if group)
