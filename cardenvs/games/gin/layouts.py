"""The action and observation layouts of the `gin` family, and the names of its actions."""

from __future__ import annotations

from cardenvs.cards import Pack
from cardenvs.games.gin.rules import HAND_SIZE, RANKS, SEATS, SUITS, TYPES, Phase
from cardenvs.layout import Layout, Piece

PACK = Pack(
    "cdhs",
    ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"),
    1,
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10),
)
"""J1."""


def _by_card(name: str, doc: str) -> Piece:
    return Piece(name, (SUITS, RANKS), ("suit", "rank"), doc=doc)


ACTIONS = Layout(
    [
        Piece("draw_stock", doc="draw the next card of the stock"),
        Piece("draw_top", doc="draw the pile's top card, or take the first upcard"),
        Piece("pass", doc="leave the first upcard"),
        _by_card("discard", "end the turn with that card"),
        _by_card("knock", "end the round with that card: the others are laid down"),
    ]
)
"""Every legal play of the rules (G6), whatever the options."""

DRAW_STOCK = ACTIONS.offset("draw_stock")
DRAW_TOP = ACTIONS.offset("draw_top")
PASS = ACTIONS.offset("pass")
DISCARD = ACTIONS.offset("discard")
KNOCK = ACTIONS.offset("knock")


def action_name(action: int) -> str:
    """The text of an action: "draw_stock", "draw_top", "pass", "discard 7h" or "knock 7h"."""
    piece, _ = ACTIONS.locate(action)
    return f"{piece.name} {PACK.labels[action - ACTIONS.offset(piece.name)]}" if piece.shape else piece.name


def observation_layout(*, max_turns: int, shown_score: int) -> Layout:
    """What a seat may know, from its own view; `cardenvs.games.gin.view.observe` writes it piece by piece."""
    return Layout(
        [
            _by_card("hand", "cards in the own hand, laid down or not"),
            _by_card("melded", "of these, the cards that its best melds hold"),
            _by_card("own_known", "of these, cards that the other saw taken from the pile"),
            _by_card("other_1_known", "cards known to be in the other's hand: taken from the pile"),
            _by_card("other_1_discarded", "cards that the other has discarded in this round"),
            _by_card("other_1_declined", "cards on top of the pile that the other left, to pass or to draw"),
            _by_card("pile_top", "the pile's top card"),
            _by_card("pile", "cards in the pile"),
            Piece("stock_size", scale=TYPES, doc="cards in the stock; with two left the round is void"),
            Piece("pile_size", scale=TYPES, doc="cards in the pile"),
            Piece("hand_size", scale=HAND_SIZE + 1, doc="cards in the own hand"),
            Piece("other_1_hand_size", scale=HAND_SIZE + 1, doc="cards in the other's hand"),
            Piece("turns", scale=max_turns * SEATS, doc="turns ended in this round, both seats together"),
            Piece("passes", scale=SEATS, doc="seats that have left the first upcard"),
            Piece("knock_limit", scale=10, doc="most deadwood to knock with in this round"),
            Piece(
                "deadwood", scale=110, doc="points in the own hand outside its best melds, and not laid off at the end"
            ),
            Piece(
                "deadwood_with_top",
                scale=110,
                doc="the same once the pile's top is taken and the best card discarded",
            ),
            Piece("score", scale=shown_score, doc="own points in the match so far (0 until a single round ends)"),
            Piece("other_1_score", scale=shown_score, doc="the other's points in the match so far"),
            Piece("phase", (len(Phase),), ("phase",), doc=", ".join(phase.name for phase in Phase)),
            Piece("acting_seat", (SEATS,), ("seat",), doc="who decides now: the own seat, the other"),
            Piece("dealer", (SEATS,), ("seat",), doc="who has dealt: the own seat, the other"),
        ]
    )


_ANY = observation_layout(max_turns=1, shown_score=1)
# No option moves a piece.
O_MELDED = _ANY.offset("melded")
O_OWN_KNOWN = _ANY.offset("own_known")
O_KNOWN = _ANY.offset("other_1_known")
O_DISCARDED = _ANY.offset("other_1_discarded")
O_DECLINED = _ANY.offset("other_1_declined")
O_PILE_TOP = _ANY.offset("pile_top")
O_PILE = _ANY.offset("pile")
O_STOCK_SIZE = O_SCALARS = _ANY.offset("stock_size")
O_TURNS = _ANY.offset("turns")
O_PHASE = _ANY.offset("phase")
