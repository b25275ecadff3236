"""Golden playthroughs (S4): every game plays today as it did when it was published."""

from __future__ import annotations

from itertools import zip_longest

import cardenvs
from suites import golden
from suites.common import CASES, every_case, every_variant


@every_case
def test_a_playthrough_is_replayed_exactly(variant: str, players: int) -> None:
    file = golden.path(variant, players)
    assert file.exists(), f"{file.name} is missing: write it with `{golden.COMMAND}`"
    text = file.read_text(encoding="utf-8")
    now = golden.replay(variant, players, text)
    for number, (then, today) in enumerate(zip_longest(text.splitlines(), now.splitlines()), 1):
        assert then == today, (
            f"{file.name}, line {number}: the game has changed since it was published. That wants a new version of "
            f"{variant}; only for a variant that is not yet published: `{golden.COMMAND} --all`"
        )
    assert now == text


def test_no_playthrough_is_of_a_game_that_is_gone() -> None:
    expected = {golden.path(variant, players).name for variant, players in CASES}
    assert {file.name for file in golden.FOLDER.glob("*.txt")} <= expected


@every_variant
def test_the_playthroughs_show_every_kind_of_action(variant: str) -> None:
    lines = []
    for players in (players for name, players in CASES if name == variant):
        lines += golden.path(variant, players).read_text(encoding="utf-8").splitlines()
    played = {line.split(" -> ")[1].split()[0] for line in lines if " -> " in line}
    verbs = {name.split()[0] for name in cardenvs.make_game(variant).action_names}
    # Three black threes and a canasta, with no other card but one: the clause tests build it.
    assert verbs - {"black_threes"} <= played <= verbs
    assert sum(line.startswith("seed ") for line in lines) == sum(line.startswith("ended: ") for line in lines)
    assert "ended: out" in lines or "ended: knock" in lines
