"""What a variant is before it runs: names that round-trip, layouts, packs, options, and the errors of each."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardenvs
from cardenvs.cards import MAX_TYPES, Pack
from cardenvs.games import VARIANTS
from cardenvs.layout import Layout, Piece
from cardenvs.spec import Option
from suites.common import every_case, every_variant, page


@every_case
def test_action_names_round_trip(variant: str, players: int) -> None:
    game = cardenvs.make_game(variant, num_players=players)
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions == game.actions.size
    assert [game.action_id(name) for name in names] == list(range(game.num_actions))
    assert all(name == " ".join(name.split()) and name for name in names)
    for action, name in enumerate(names):
        piece, place = game.actions.locate(action)
        assert len(place) == max(1, len(piece.shape))
        assert name.split()[0].split("_")[0] in piece.name
    for outside in (-1, game.num_actions):
        with pytest.raises(IndexError, match=f"action {outside}: allowed are integers from 0 to "):
            game.action_name(outside)
    for unknown in ("", "discard", "discard 1z", names[0].upper(), f" {names[0]}"):
        with pytest.raises(ValueError, match="has no action"):
            game.action_id(unknown)


@every_case
def test_layouts_are_whole(variant: str, players: int) -> None:
    """Pieces follow each other without a gap; offsets, slices, scale and table are those of the pieces."""
    game = cardenvs.make_game(variant, num_players=players, match=True)
    assert game.observation_size == game.observation.size
    for layout in (game.actions, game.observation):
        offset = 0
        for piece in layout.pieces:
            assert piece.size == np.prod(piece.shape, dtype=int) > 0
            assert len(piece.axes) == len(piece.shape)
            assert piece.doc, piece.name
            assert 1 <= piece.scale <= 32767
            assert piece.name in layout
            assert layout.offset(piece.name) == offset
            assert layout.slice(piece.name) == slice(offset, offset + piece.size)
            assert np.allclose(layout.scale[layout.slice(piece.name)] * piece.scale, 1)
            for index in (0, piece.size - 1):
                found, place = layout.locate(offset + index)
                assert found is piece
                assert np.ravel_multi_index(place, piece.shape or (1,)) == index
            offset += piece.size
        assert offset == layout.size == len(layout.scale)
        assert layout.scale.dtype == np.float32
        assert not layout.scale.flags.writeable
        table = layout.table().splitlines()
        assert len(table) == 2 + len(layout.pieces)
        assert all(f"| {piece.name} |" in line for piece, line in zip(layout.pieces, table[2:], strict=True))


@every_variant
def test_a_game_says_what_it_is(variant: str) -> None:
    row = VARIANTS[variant]
    low, high = row.players
    assert low <= row.default_players <= high
    game = cardenvs.make_game(variant)
    assert game.id == row.id == variant
    assert game.num_players == row.default_players
    assert set(game.options) == {option.name for option in (*row.common_options, *row.options)}
    assert {"random", "greedy"} <= set(game.bots)
    assert game.score_scale > 0
    assert all(option.doc for option in (*row.common_options, *row.options))
    assert variant in repr(game)
    assert page(variant).env().unwrapped.game.options == game.options
    again = pickle.loads(pickle.dumps(game))
    assert again.options == game.options
    assert again.rules == game.rules
    assert len(game.sides) == game.num_players
    assert set(game.sides) == set(range(game.num_sides))
    for players in (low - 1, high + 1, 0, -3):
        with pytest.raises(ValueError, match=f"num_players={players}: allowed are integers from {low} to {high}"):
            cardenvs.make_game(variant, num_players=players)
    with pytest.raises(ValueError, match=f"has no bot 'perfect': allowed are {', '.join(game.bots)}"):
        cardenvs.make_bot(game, "perfect")


@every_variant
def test_a_pack_is_what_its_labels_say(variant: str) -> None:
    pack = cardenvs.make_game(variant).pack
    assert len(set(pack.labels)) == len(pack.labels) == len(pack.counts) == len(pack.type_points)
    assert pack.naturals == len(pack.suits) * len(pack.ranks)
    cards = pack.hand(pack.counts)
    assert len(cards) == pack.size == pack.counts.sum()
    assert pack.texts(pack.parse_deck(cards)) == cards


def test_deck_errors_name_the_cards() -> None:
    pack = Pack("ch", ("A", "2"), 2, (1, 2, 9), (("JK", 1),))
    deck = pack.hand(pack.counts)
    assert deck == ["Ac", "Ac", "2c", "2c", "Ah", "Ah", "2h", "2h", "JK"]
    with pytest.raises(ValueError, match=r"deck: unknown cards \['3c', 'jk'\]; allowed are Ac 2c Ah 2h JK"):
        pack.parse_deck([*deck[:-2], "3c", "jk"])
    with pytest.raises(ValueError, match=r"8 cards are no permutation .* too many: none; missing: JK x1"):
        pack.parse_deck(deck[:-1])
    with pytest.raises(ValueError, match=r"too many: Ac x2; missing: Ah x1, 2h x1"):
        pack.parse_deck(["Ac"] * 4 + ["2c", "2c", "Ah", "2h", "JK"])


def test_a_pack_without_suits() -> None:
    pack = Pack(("",), ("A", "K"), 2, (1, 2, 3, 4), (("JK", 1),), others=(("3r", 2),))
    assert pack.labels == ("A", "K", "JK", "3r")
    assert pack.hand(pack.counts) == ["A", "A", "K", "K", "JK", "3r", "3r"]
    assert pack.type_points.tolist() == [1, 2, 3, 4]


def test_pack_errors() -> None:
    with pytest.raises(ValueError, match="3 points given for 2 ranks and 0 wilds"):
        Pack("c", ("A", "2"), 1, (1, 2, 3))
    with pytest.raises(ValueError, match="4 points given for 2 ranks and 1 wilds and 2 others"):
        Pack(("",), ("A", "2"), 1, (1, 2, 3, 4), (("JK", 1),), others=(("3r", 1), ("3b", 1)))
    with pytest.raises(ValueError, match=f"80 card types; at most {MAX_TYPES} are allowed"):
        Pack("cdhs", tuple(map(str, range(20))), 1, tuple(range(20)))


def test_layout_errors() -> None:
    with pytest.raises(ValueError, match=r"piece 'hand': shape \(4, 13\) and axes \('suit',\) differ in length"):
        Piece("hand", (4, 13), ("suit",))
    with pytest.raises(ValueError, match="two pieces are named 'hand'"):
        Layout([Piece("hand"), Piece("pile"), Piece("hand")])
    layout = Layout([Piece("hand", (2, 3), ("suit", "rank"), 4), Piece("none", (0,), ("card",)), Piece("turn")])
    assert [piece.name for piece in layout.pieces] == ["hand", "turn"]
    assert "none" not in layout
    assert layout.offset("none", -1) == -1
    for missing in (layout.piece, layout.offset, layout.slice):
        with pytest.raises(KeyError, match="none"):
            missing("none")
    for outside in (-1, 7):
        with pytest.raises(IndexError, match=f"index {outside} is outside 0..6"):
            layout.locate(outside)


@settings(deadline=None, derandomize=True, database=None)
@given(shapes=st.lists(st.lists(st.integers(0, 4), max_size=3), max_size=8))
def test_any_layout_adds_up(shapes: list[list[int]]) -> None:
    pieces = [
        Piece(f"p{i}", tuple(shape), tuple(f"axis {a}" for a in range(len(shape)))) for i, shape in enumerate(shapes)
    ]
    if not any(piece.size for piece in pieces):
        return
    layout = Layout(pieces)
    assert layout.size == sum(piece.size for piece in pieces)
    covered = np.concatenate([np.arange(layout.size)[layout.slice(piece.name)] for piece in layout.pieces])
    assert covered.tolist() == list(range(layout.size))
    for index in range(layout.size):
        piece, place = layout.locate(index)
        assert layout.offset(piece.name) + np.ravel_multi_index(place, piece.shape or (1,)) == index


def test_option_errors() -> None:
    number = Option("turns", 5, 1, 9)
    choice = Option("order", "random", choices=("random", "seat"))
    table = Option("points", {"A": 1, "K": 10}, 0, 50, table=True)
    assert number.check(np.int16(9)) == 9
    assert table.check({"K": 12}) == {"A": 1, "K": 12}
    assert choice.check("seat") == "seat"
    assert Option("hand", None, 1, 9).check(None) is None
    for value in (0, 10, True, 2.0, "5", None):
        with pytest.raises(ValueError, match=r"turns=.*: allowed are integers from 1 to 9"):
            number.check(value)
    with pytest.raises(ValueError, match="order='left': allowed are 'random', 'seat'"):
        choice.check("left")
    with pytest.raises(ValueError, match=r"points={'Q': 1}: allowed is a dict with keys of A, K"):
        table.check({"Q": 1})
    with pytest.raises(ValueError, match=r"points\['A'\]=51: allowed are integers from 0 to 50"):
        table.check({"A": 51})
