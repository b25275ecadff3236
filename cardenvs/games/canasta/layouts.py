"""The action and observation layouts of the `canasta` family, and the names of its actions."""

from __future__ import annotations

from cardenvs.cards import Pack
from cardenvs.games.canasta.rules import COPIES, MAX_CARDS, POINTS, RANK_LABELS, RANKS, Phase
from cardenvs.layout import Layout, Piece

PACK = Pack(
    ("",),
    RANK_LABELS,
    int(COPIES[0]),
    tuple(POINTS.tolist()),
    wilds=(("2", 8), ("JK", 4)),
    others=(("3r", 4), ("3b", 4)),
)
"""K2: two decks and four jokers."""

TAKES = ("pair", "two", "joker", "meld")
"""What takes the pile, with its top card: two naturals, a natural and a wild, or a meld that stands."""

_KINDS = ("natural", "2", "JK")


def _card_pieces(name: str, scale: float = 1.0, doc: str = "") -> list[Piece]:
    """Pieces with an entry for every card type, in order: by rank, wilds, threes."""
    return [
        Piece(name, (RANKS,), ("rank",), scale, doc),
        Piece(f"{name}_wilds", (len(PACK.wilds),), ("wild",), scale, doc),
        Piece(f"{name}_threes", (len(PACK.others),), ("three",), scale, doc),
    ]


ACTIONS = Layout(
    [
        Piece("draw_stock", doc="draw the next card of the stock"),
        Piece(
            "take_pile",
            (4,),
            ("form",),
            doc="take the pile: a pair, a natural and a two, or one and a joker, or a meld",
        ),
        Piece(
            "place",
            (RANKS, 3),
            ("rank", "card"),
            doc="put the natural, a two or a joker on the side's meld of the rank",
        ),
        Piece("red_three", doc="lay a red three, and draw for it"),
        Piece("black_threes", doc="lay all black threes, going out"),
        *_card_pieces("discard", doc="end the turn with that card"),
    ]
)
"""Every legal play of the rules (G6), whatever the options."""

TAKE = ACTIONS.offset("take_pile")
PLACE = ACTIONS.offset("place")
RED_THREE = ACTIONS.offset("red_three")
BLACK_THREES = ACTIONS.offset("black_threes")
DISCARD = ACTIONS.offset("discard")


def action_name(action: int) -> str:
    """The text of an action: "draw_stock", "take_pile pair", "place 7 natural", "place K JK", "discard 3b", ..."""
    piece, at = ACTIONS.locate(action)
    match piece.name:
        case "take_pile":
            return f"take_pile {TAKES[at[0]]}"
        case "place":
            return f"place {RANK_LABELS[at[0]]} {_KINDS[at[1]]}"
        case "discard" | "discard_wilds" | "discard_threes":
            return f"discard {PACK.labels[action - DISCARD]}"
    return piece.name


def observation_layout(*, seats: int, sides: int, max_turns: int, shown_score: int) -> Layout:
    """What a seat may know, from its own view; `cardenvs.games.canasta.view.observe` writes it piece by piece."""
    pieces = _card_pieces("hand", 8, "copies in the own hand")
    for i in range(1, seats):
        who = f"the seat {i} to the left"
        pieces += [
            *_card_pieces(f"other_{i}_known", 8, f"cards known to be in the hand of {who}"),
            Piece(f"other_{i}_hand_size", scale=MAX_CARDS, doc=f"cards in hand of {who}"),
        ]
    pieces += [
        *_card_pieces("pile_top", 1, "the pile's top card"),
        *_card_pieces("pile", 8, "copies in the pile, without those beside it"),
    ]
    for side in range(sides):
        pieces += _side_pieces(side, shown_score)
    pieces += [
        Piece("stock_size", scale=MAX_CARDS, doc="cards in the stock"),
        Piece("pile_size", scale=MAX_CARDS, doc="cards in the pile, with those beside it"),
        Piece("hand_size", scale=MAX_CARDS, doc="cards in the own hand"),
        Piece("turns", scale=max_turns * seats, doc="turns ended in this round, all seats together"),
        Piece("beside", (2,), ("wild",), 8, "wilds beside the pile; it is frozen while there are any"),
        Piece("blocked", scale=seats, doc="turns for which a red three still blocks the pile, this one included"),
        Piece("phase", (len(Phase),), ("phase",), doc=", ".join(phase.name for phase in Phase)),
        Piece("acting_seat", (seats,), ("seat",), doc="whose turn it is, from the own seat to the left"),
        Piece("meld_rank", (RANKS,), ("rank",), doc="MELD: rank of the half-laid meld"),
        Piece("meld_wants", scale=120, doc="MELD: points that it still wants"),
        Piece("meld_takes", doc="MELD: 1 if the rest of the pile follows once it stands"),
    ]
    return Layout(pieces)


def _side_pieces(side: int, shown_score: int) -> list[Piece]:
    name = f"side_{side}" if side else "own"
    whose = f"the side {side} to the left" if side else "the own side"
    ranks = (RANKS,), ("rank",)
    return [
        Piece(f"{name}_naturals", *ranks, 8, f"naturals on the table, {whose}"),
        Piece(f"{name}_twos", *ranks, 8, f"twos in its melds, {whose}"),
        Piece(f"{name}_jokers", *ranks, 4, f"jokers in its melds, {whose}"),
        Piece(f"{name}_black_threes", scale=4, doc=f"black threes on the table, {whose}"),
        Piece(f"{name}_red_threes", scale=4, doc=f"red threes on the table, {whose}"),
        Piece(f"{name}_canastas", scale=RANKS, doc=f"ranks with seven cards or more, {whose}"),
        Piece(f"{name}_opened", doc=f"1 once a meld stands, {whose}"),
        Piece(f"{name}_minimum", scale=120, doc=f"points that the first meld must reach, {whose}"),
        Piece(
            f"{name}_score",
            scale=shown_score,
            doc=f"points in the match so far, {whose}; -{shown_score} is the least shown",
        ),
    ]
