"""The action and observation layouts of a `laydown` variant, and the names of its actions."""

from __future__ import annotations

from cardenvs.cards import Pack
from cardenvs.games.laydown.rules import LAST_CONTRACT, Phase
from cardenvs.layout import Layout, Piece

_BY_CARD = ("suit", "rank")

_LONGEST_CONTRACT = 12
"""Cards."""


def action_layout(
    pack: Pack, *, sets: bool, take_top: bool, take_pile: bool, claims: bool, announce: bool, buys: bool
) -> Layout:
    """Every legal play of the rules (G6), in pieces that the variant has a use for."""
    suits, ranks, wilds = len(pack.suits), len(pack.ranks), len(pack.wilds)
    cards = (suits, ranks)
    pieces = [Piece("draw_stock", doc="draw the next card of the stock")]
    if take_top:
        pieces.append(Piece("draw_top", doc="draw the pile's top card"))
    if take_pile:
        pieces.append(Piece("draw_pile", doc="take the whole pile"))
    pieces.append(Piece("run", cards, _BY_CARD, doc="begin a run whose lowest place is that card"))
    if sets:
        pieces.append(Piece("set", (ranks,), ("rank",), doc="begin a set of that rank"))
    doc = "put the natural, or that wild, on the run's next place"
    doc += ", or the wild on the set" if sets and wilds else ""
    pieces.append(Piece("fill", (1 + wilds,), ("card",), doc=doc))
    if sets:
        pieces.append(Piece("fill_suit", (suits,), ("suit",), doc="put the card of that suit on the set"))
    pieces.append(
        Piece("lay_off_run", (*cards, 2), (*_BY_CARD, "end"), doc="a card goes there: above a top, below a bottom")
    )
    if sets:
        pieces.append(Piece("lay_off_set", cards, _BY_CARD, doc="put that card on a set of its rank"))
    if sets and wilds:
        doc = "put that wild on a set of that rank"
        pieces.append(Piece("lay_off_set_wilds", (ranks, wilds), ("rank", "wild"), doc=doc))
    if wilds:
        pieces.append(
            Piece("swap_wild", (*cards, wilds), (*_BY_CARD, "wild"), doc="that natural takes the wild's place in a run")
        )
    pieces += _card_pieces("discard", pack, doc="end the turn with that card")
    if claims:
        pieces.append(Piece("claim", doc="take the discard that fits the table"))
        pieces.append(Piece("pass", doc="leave it"))
    if buys:
        pieces.append(Piece("buy", doc="take the pile's top card, and one from the stock"))
        pieces.append(Piece("pass", doc="leave it"))
    if announce:
        pieces.append(Piece("announce", doc="say that one card is left"))
        pieces.append(Piece("stay_silent", doc="do not say it: a penalty card is drawn"))
    return Layout(pieces)


def action_name(pack: Pack, layout: Layout, action: int) -> str:
    """The text of an action: "draw_stock", "run 7h", "fill JK", "lay_off_run 8h above", "swap_wild 9c 2", ..."""
    piece, at = layout.locate(action)
    ranks = len(pack.ranks)
    wilds = [label for label, _ in pack.wilds]
    card = pack.labels[at[0] * ranks + at[1]] if piece.axes[:2] == _BY_CARD else ""
    match piece.name:
        case "run" | "lay_off_set" | "discard":
            return f"{piece.name} {card}"
        case "lay_off_set_wilds":
            return f"lay_off_set {wilds[at[1]]} {pack.ranks[at[0]]}"
        case "set":
            return f"set {pack.ranks[at[0]]}"
        case "fill":
            return f"fill {['natural', *wilds][at[0]]}"
        case "fill_suit":
            return f"fill {pack.suits[at[0]]}"
        case "lay_off_run":
            return f"lay_off_run {card} {('above', 'below')[at[2]]}"
        case "swap_wild":
            return f"swap_wild {card} {wilds[at[2]]}"
        case "discard_wilds":
            return f"discard {wilds[at[0]]}"
    return piece.name


def observation_layout(
    pack: Pack,
    *,
    seats: int,
    sets: bool,
    show_pile: bool,
    max_turns: int,
    greatest_score: int,
    table_counts: bool,
    duty: bool,
    contracts: bool,
    buys: int,
) -> Layout:
    """What a seat may know, from its own view; `cardenvs.games.laydown.view.observe` writes it piece by piece."""
    kinds = [copies for _, copies in pack.wilds]
    pieces = [
        *_card_pieces("hand", pack, pack.copies, kinds, "copies in the own hand"),
        *_card_pieces("pile_top", pack, doc="the pile's top card; in the phase CLAIM the card on offer"),
    ]
    if show_pile:
        pieces += _card_pieces("pile", pack, pack.copies, kinds, "copies in the pile")
    pieces += _table_pieces(pack, sets)
    pieces += [
        Piece("stock_size", scale=pack.size, doc="cards in the stock"),
        Piece("pile_size", scale=pack.size, doc="cards in the pile"),
        Piece("turns", scale=max_turns * seats, doc="turns ended in this round, all seats together"),
        Piece("opened", doc="1 once one has melded in this round"),
        Piece("score", scale=greatest_score, doc="own points in the match so far (0 until a single round ends)"),
        Piece("top_melds", doc="DRAW, CLAIM: 1 if one could begin a meld with the top card only"),
        Piece("top_fits", doc="DRAW, CLAIM: 1 if the top card fits the table"),
        Piece("phase", (len(Phase),), ("phase",), doc=", ".join(phase.name for phase in Phase)),
        Piece("turn_seat", (seats,), ("seat",), doc="whose turn it is, from the own seat to the left"),
        Piece("acting_seat", (seats,), ("seat",), doc="who decides now, from the own seat to the left"),
    ]
    if duty:
        doc = "1 from taking the pile to the end of the turn, or to a new meld, which it lacks so far"
        pieces.append(Piece("duty", doc=doc))
    pieces += _standing("", pack, table_counts, duty, max_turns)
    if contracts:
        doc = "the contract of the round, from the first to the seventh"
        pieces.append(Piece("contract", (LAST_CONTRACT,), ("contract",), doc=doc))
        pieces += _owed("", buys)
        pieces += _missing_pieces(pack)
    for i in range(1, seats):
        pieces += [
            Piece(f"other_{i}_hand_size", scale=pack.size, doc=f"cards in hand of the seat {i} to the left"),
            Piece(f"other_{i}_opened", doc="1 once it has melded in this round"),
            Piece(f"other_{i}_score", scale=greatest_score, doc="its points in the match so far"),
            *_card_pieces(f"other_{i}_known", pack, pack.copies, kinds, "cards known to be in its hand"),
            *_standing(f"other_{i}_", pack, table_counts, duty, max_turns),
            *(_owed(f"other_{i}_", buys) if contracts else ()),
        ]
    return Layout([*pieces, *_half_laid_pieces(pack, sets)])


def _table_pieces(pack: Pack, sets: bool) -> list[Piece]:
    """What lies on the table."""
    suits, ranks, wilds = len(pack.suits), len(pack.ranks), len(pack.wilds)
    cards, kinds = (suits, ranks), [copies for _, copies in pack.wilds]
    # Each run that ends at a place has a card there: a copy of the natural or some wild.
    most_runs = pack.copies + sum(kinds)
    pieces = [
        Piece("run_top", cards, _BY_CARD, most_runs, "runs on the table whose highest card stands there"),
        Piece("run_bottom", cards, _BY_CARD, most_runs, "runs on the table whose lowest card stands there"),
    ]
    if wilds:
        doc = "wilds of that kind that stand there in runs"
        pieces.append(Piece("wild_places", (wilds, *cards), ("wild", *_BY_CARD), max(kinds), doc))
    if sets:
        most_sets = max(1, (pack.copies * suits + sum(kinds)) // 3)
        pieces.append(Piece("sets", (ranks,), ("rank",), most_sets, "sets of that rank on the table"))
    return pieces + _card_pieces("table", pack, pack.copies, kinds, "copies on the table")


def _half_laid_pieces(pack: Pack, sets: bool) -> list[Piece]:
    """The half-laid meld."""
    suits, ranks = len(pack.suits), len(pack.ranks)
    pieces = [
        Piece("meld_left", scale=7, doc="cards that the half-laid meld wants"),
        Piece("meld_naturals", scale=7, doc="naturals laid on it so far"),
        Piece("meld_place", (suits, ranks), _BY_CARD, doc="run: the place to fill next"),
    ]
    if sets:
        pieces.append(Piece("meld_set", (ranks,), ("rank",), doc="set: its rank"))
        pieces.append(Piece("meld_suit", (suits,), ("suit",), doc="set: the least suit that may come next"))
    return pieces


def _standing(prefix: str, pack: Pack, table_counts: bool, duty: bool, max_turns: int) -> list[Piece]:
    """What a seat has won and lost so far in this round."""
    whose = "its" if prefix else "own"
    pieces = []
    if table_counts:
        pieces.append(Piece(f"{prefix}table_points", scale=pack.total_points, doc=f"{whose} points on the table"))
    if duty:
        doc = f"{whose} turns of this round that cost the deduction for taking the pile"
        pieces.append(Piece(f"{prefix}deductions", scale=max_turns, doc=doc))
    return pieces


def _owed(prefix: str, buys: int) -> list[Piece]:
    """What a seat has yet to lay of the contract, and may buy."""
    whose = "it" if prefix else "one"
    return [
        Piece(f"{prefix}owed_sets", scale=3, doc=f"sets of the contract that {whose} has yet to lay"),
        Piece(f"{prefix}owed_runs", scale=3, doc=f"runs of the contract that {whose} has yet to lay"),
        Piece(f"{prefix}buys_left", scale=max(1, buys), doc=f"times that {whose} may still buy in this round"),
    ]


def _missing_pieces(pack: Pack) -> list[Piece]:
    """How far a seat is from the contract."""
    cards = (len(pack.suits), len(pack.ranks))
    doc = "fewest cards that must come before one could lay the contract; 0 from its first meld on"
    return [
        Piece("missing", scale=_LONGEST_CONTRACT, doc=doc),
        Piece("top_needed", doc="DRAW, CLAIM: 1 if with the top card fewer would be missing"),
        Piece("needed", cards, _BY_CARD, doc="PLAY, own turn: 1 if without one such card more would be missing"),
    ]


def _card_pieces(
    name: str, pack: Pack, natural_scale: int = 1, wild_scales: list[int] | None = None, doc: str = ""
) -> list[Piece]:
    """A piece with an entry for every card: the naturals, then the wilds as `<name>_wilds`."""
    pieces = [Piece(name, (len(pack.suits), len(pack.ranks)), _BY_CARD, natural_scale, doc)]
    if pack.wilds:
        wild_scale = max(wild_scales) if wild_scales else 1
        pieces.append(Piece(f"{name}_wilds", (len(pack.wilds),), ("wild",), wild_scale, doc))
    return pieces
