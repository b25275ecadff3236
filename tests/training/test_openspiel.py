"""OpenSpiel's bot by its name, where OpenSpiel is not installed and where it would not fit."""

from __future__ import annotations

import sys

import pytest

import cardenvs
from training.players import make_player


def test_a_missing_openspiel_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match=r"openspiel:simple needs OpenSpiel: pip install 'cardenvs\[outside\]'"):
        make_player(cardenvs.make_game("gin_rummy_v0"), "openspiel:simple")


def test_it_plays_gin_rummy_alone() -> None:
    with pytest.raises(ValueError, match="openspiel:simple for rummy_v0; allowed is gin_rummy_v0"):
        make_player(cardenvs.make_game("rummy_v0"), "openspiel:simple")


def test_a_wrong_name_is_told_of_it_where_it_fits() -> None:
    with pytest.raises(ValueError, match=r"allowed are random, .*, openspiel:simple and policy:NAME"):
        make_player(cardenvs.make_game("gin_rummy_v0"), "openspiel:complex")
