"""A `laydown` game for people: everything face up (`view`), and as text for a seat or an onlooker (`render`)."""

from __future__ import annotations

from typing import Any

from cardenvs.games.laydown.rules import CONTRACT_RUNS, CONTRACT_SETS, Kind, Over, Phase
from cardenvs.spec import Game

_ENDS = {Over.NO: None, Over.OUT: "out", Over.CAP: "cap"}


def view(game: Game, g: Any) -> dict[str, Any]:
    """The whole game as plain Python, every card face up.

    Keys: `phase` (text), `seat` (to act), `turn` (whose turn), `dealer`, `round`, `turns`; `hands` (card texts per
    seat), `known` (of these, those taken in the open; of a pile that lay hidden below its top, the top alone), `stock`
    (next card first), `pile` (top last); `melds` (dicts
    of `kind`, `cards` lowest first, and `low` of a run, `rank` of a set), `half_laid` (such a dict and `left`, or
    None); `opened`, `claimants` (seats that may still claim, next first); `ended` (None, "out" or "cap"), `out` (seat
    or None), `scores` (points of the episode), `round_scores` (of the last round scored), `winners` (seats). Where the
    variant has them: `table_points` (per seat), `duty` (whether a new meld must still be laid in this turn) and
    `deductions` (per seat, how often that was not done in this round); `contract` (the round's number), `owed`
    (per seat, a dict of the `sets` and `runs` of it that are yet to be laid) and `buys_left` (per seat).
    """
    pack, seats = game.pack, range(game.num_players)
    half_laid = None
    if g["phase"] == Phase.FILL:
        half_laid = {**_meld(game, g, int(g["meld_slot"])), "left": int(g["meld_left"])}
    return {
        "phase": Phase(int(g["phase"])).name.lower(),
        "seat": int(g["seat"]),
        "turn": int(g["turn"]),
        "dealer": int(g["dealer"]),
        "round": int(g["rounds_done"]),
        "turns": int(g["turns"]),
        "hands": [pack.hand(g["hand"][seat]) for seat in seats],
        "known": [pack.hand(g["known" if game.rules.show_pile else "shown"][seat]) for seat in seats],
        "stock": pack.texts(g["stock"][: g["n_stock"]][::-1]),
        "pile": pack.texts(g["pile"][: g["n_pile"]]),
        "melds": [_meld(game, g, slot) for slot in range(g["n_melds"])],
        "half_laid": half_laid,
        "opened": [bool(g["opened"][seat]) for seat in seats],
        "claimants": [int(g["seat"]), *g["queue"][: g["n_queue"]][::-1].tolist()] if g["phase"] == Phase.CLAIM else [],
        "ended": _ENDS[Over(int(g["over"]))],
        "out": int(g["out"]) if g["out"] >= 0 else None,
        "scores": [int(g["total"][seat]) for seat in seats],
        "round_scores": [int(g["points"][seat]) for seat in seats],
        "winners": [seat for seat in seats if g["won"] >> seat & 1] if g["over"] else [],
        **_standing(game, g),
    }


def _standing(game: Game, g: Any) -> dict[str, Any]:
    """What only some variants count."""
    standing: dict[str, Any] = {}
    if game.rules.table_counts:
        standing["table_points"] = [int(g["table_points"][seat]) for seat in range(game.num_players)]
    if game.rules.pile_duty:
        standing["duty"] = bool(g["duty"])
        standing["deductions"] = [int(g["deductions"][seat]) for seat in range(game.num_players)]
    if game.rules.contracts:
        standing["contract"] = int(g["contract"])
        standing["owed"] = [_owed(g, seat) for seat in range(game.num_players)]
        standing["buys_left"] = [game.rules.buys - int(g["bought"][seat]) for seat in range(game.num_players)]
    return standing


def _owed(g: Any, seat: int) -> dict[str, int]:
    """What a seat has yet to lay of the contract."""
    if seat == g["turn"]:
        return {"sets": int(g["owed_sets"]), "runs": int(g["owed_runs"])}
    number = 0 if g["opened"][seat] else int(g["contract"])
    return {"sets": int(CONTRACT_SETS[number]), "runs": int(CONTRACT_RUNS[number])}


def _meld(game: Game, g: Any, slot: int) -> dict[str, Any]:
    """A meld of the table, or the half-laid one (its kind is that of the meld that it will be part of)."""
    pack, low = game.pack, int(g["meld_low"][slot])
    cards = pack.texts(g["melds"][slot, : g["meld_len"][slot]])
    if g["meld_type"][slot] == Kind.SET:
        return {"kind": "set", "rank": pack.ranks[low], "cards": cards}
    return {"kind": "run", "low": pack.labels[(low >> 4) * len(pack.ranks) + (low & 15)], "cards": cards}


def render(game: Game, g: Any, viewer: int | None) -> str:
    """The table as text; a viewer sees its own hand and, of the others', the cards that were taken in the open."""
    seen = view(game, g)
    if viewer not in (None, seen["seat"]) and g["meld_kind"] in (Kind.ABOVE, Kind.BELOW):
        # Who lays off chooses the card unseen, else all would know that a wild is in hand.
        seen |= {"phase": "play", "half_laid": None}
    name = f"{game.title}, round {seen['round'] + (0 if seen['ended'] else 1)}, turn {seen['turns'] + 1}"
    if "contract" in seen:
        name += f", contract {seen['contract']}"
    top = seen["pile"][-1] if seen["pile"] else "-"
    rest = " ".join(seen["pile"][:-1]) if game.rules.show_pile or viewer is None else ""
    lines = [
        f"{name}: {_doing(seen)}",
        f"stock {len(seen['stock'])}   pile {len(seen['pile'])}: [{top}] {rest}".rstrip(),
    ]
    lines += [f"  {_meld_text(meld)}" for meld in sorted(seen["melds"], key=lambda m: (m["kind"], m["cards"]))]
    if seen["half_laid"]:
        lines.append(f"  {_meld_text(seen['half_laid'])}  ... {seen['half_laid']['left']} to come")
    for seat, hand in enumerate(seen["hands"]):
        mark = ">" if seat == seen["seat"] and not seen["ended"] else " "
        state = _state(game, seen, seat)
        if viewer is None or viewer == seat:
            cards = _by_suit(game, g["hand"][seat])
        else:
            cards = " ".join([*seen["known"][seat], *["??"] * (len(hand) - len(seen["known"][seat]))])
        lines.append(f"{mark} player_{seat} {len(hand):3d} cards  {state}  {cards}")
    return "\n".join(lines) + "\n"


def _state(game: Game, seen: dict[str, Any], seat: int) -> str:
    """How a seat stands."""
    parts = ["melded" if seen["opened"][seat] else "      "]
    if "table_points" in seen:
        parts.append(f"table {seen['table_points'][seat]:3d}")
    if "deductions" in seen and seen["deductions"][seat]:
        parts.append(f"deducted {game.rules.pile_duty * seen['deductions'][seat]}")
    if "buys_left" in seen:
        parts.append(f"owes {_melds_text(seen['owed'][seat]):14}  buys {seen['buys_left'][seat]}")
    if game.options["match"]:
        parts.append(f"score {seen['scores'][seat]}")
    return "  ".join(parts)


def _doing(seen: dict[str, Any]) -> str:
    if seen["ended"] == "out":
        return f"player_{seen['out']} went out"
    if seen["ended"]:
        return "stopped at the turn cap"
    return f"player_{seen['seat']} to {seen['phase']}" + (", owes a new meld" if seen.get("duty") else "")


def _melds_text(owed: dict[str, int]) -> str:
    """What is owed as text: "2 sets, 1 run", or "nothing"."""
    parts = [f"{n} {kind[:-1] if n == 1 else kind}" for kind, n in owed.items() if n]
    return ", ".join(parts) or "nothing"


def _meld_text(meld: dict[str, Any]) -> str:
    if meld["kind"] == "set":
        return f"set {meld['rank']}: {' '.join(meld['cards'])}"
    return f"run from {meld['low']}: {' '.join(meld['cards'])}"


def _by_suit(game: Game, counts: Any) -> str:
    """A hand sorted by suit, the suits apart."""
    pack, ranks = game.pack, len(game.pack.ranks)
    groups = [range(suit * ranks, (suit + 1) * ranks) for suit in range(len(pack.suits))]
    groups.append(range(pack.naturals, len(pack.labels)))
    texts = [" ".join(pack.labels[t] for t in group for _ in range(int(counts[t]))) for group in groups]
    return " | ".join(text for text in texts if text)
