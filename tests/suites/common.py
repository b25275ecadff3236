"""What the suites share: the cases of the registry, simple ways to play, and what a seat is shown."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import cardenvs
from cardenvs.games import VARIANTS

ROOT = Path(__file__).parent.parent.parent
IDS = cardenvs.variants()
CASES = [
    (variant, players)
    for variant in IDS
    for players in range(VARIANTS[variant].players[0], VARIANTS[variant].players[1] + 1)
]


def _case(variant: str, players: int) -> Any:
    """A table; those of Liverpool Rummy between its default and its largest take too long to be tried every time."""
    marks = [pytest.mark.slow] if variant == "liverpool_rummy_v0" and 4 < players < 8 else []
    return pytest.param(variant, players, id=f"{variant}-{players}p", marks=marks)


every_variant = pytest.mark.parametrize("variant", IDS)
every_case = pytest.mark.parametrize(("variant", "players"), [_case(variant, players) for variant, players in CASES])
laydown_case = pytest.mark.parametrize(
    ("variant", "players"),
    [_case(variant, players) for variant, players in CASES if VARIANTS[variant].family.name == "laydown"],
)

Choose = Callable[[Any, list[int]], int]


def page(variant: str) -> Any:
    """The module that holds `env` and `raw_env` of a variant."""
    return importlib.import_module(f"cardenvs.{variant}")


def raw_env(variant: str, **options: Any) -> Any:
    return page(variant).raw_env(**options)


def wrapped_env(variant: str, **options: Any) -> Any:
    return page(variant).env(**options)


def has_option(variant: str, name: str) -> bool:
    return any(option.name == name for option in VARIANTS[variant].options)


def only_known(variant: str, **options: Any) -> dict[str, Any]:
    """Those of the options that the variant has."""
    return {name: value for name, value in options.items() if has_option(variant, name)}


def short(variant: str, turns: int = 12) -> dict[str, Any]:
    """Rounds that end soon."""
    return only_known(variant, max_turns=turns)


def scarce(variant: str, players: int, turns: int = 15) -> dict[str, Any]:
    """Rounds whose stock runs out again and again, where the variant lets the hands be large.

    Without purchases: they would take what a new stock is made of.
    """
    cards = cardenvs.make_game(variant, num_players=players).pack.size
    most = {option.name: option.high for option in VARIANTS[variant].options}.get("hand_size", 0)
    large = only_known(variant, hand_size=min((cards - 2 - players) // players, most), buys=0)
    return short(variant, turns) | large


def contract(variant: str, number: int) -> dict[str, Any]:
    """One of the seven contracts, where the variant has them."""
    return only_known(variant, contract=1 + number % 7)


def remakes_stock(variant: str) -> bool:
    """Whether an empty stock is made anew from the pile (G2): in some games it ends the round before (K13, J7)."""
    return VARIANTS[variant].family.name not in ("canasta", "gin")


def may_be_void(variant: str) -> bool:
    """Whether a round may end by the rules with nobody winning (J7)."""
    return VARIANTS[variant].family.name == "gin"


def three_players(variant: str) -> int:
    """Three, or as many as there may be."""
    return min(3, VARIANTS[variant].players[1])


def settings(variant: str, players: int) -> list[dict[str, Any]]:
    """The two kinds of round that most suites look at: over all player counts, every contract."""
    return [short(variant) | contract(variant, players - 3), scarce(variant, players) | contract(variant, 6)]


# Playing -------------------------------------------------------------------------------------------------------------


def live(env: Any) -> bool:
    return bool(env.agents) and not any(env.terminations.values()) and not any(env.truncations.values())


def legal(env: Any) -> list[int]:
    """What the agent to act may do, from its mask."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def decisions(env: Any, choose: Choose) -> Iterator[int]:
    """Every decision to the end of the episode: the action comes before it is played."""
    while live(env):
        action = choose(env, legal(env))
        yield action
        env.step(action)


def uniform(seed: int) -> Choose:
    rng = random.Random(seed)
    return lambda env, actions: rng.choice(actions)


def eager(seed: int, zeal: float = 0.85, thirst: float = 0.5) -> Choose:
    """Plays to the table when it can, so that tables fill and rounds are decided.

    Args:
        seed: of its random choices.
        zeal: how often anything else is preferred to a discard.
        thirst: how often the stock is preferred to the pile.
    """
    rng = random.Random(seed)

    def choose(env: Any, actions: list[int]) -> int:
        names = {env.unwrapped.action_name(action): action for action in actions}
        if "draw_stock" in names and rng.random() < thirst:
            return names["draw_stock"]
        to_table = [action for name, action in names.items() if not name.startswith("discard")]
        if not to_table and may_be_void(env.unwrapped.game.id):
            to_table = [names[f"discard {loneliest(env.unwrapped.view())}"]]
        return rng.choice(to_table if to_table and rng.random() < zeal else actions)

    return choose


def loneliest(view: dict[str, Any]) -> str:
    """The card of the seat to act with the fewest of its rank and near it in its suit, of those the dearest.

    In Gin Rummy nothing is laid down before the end: who discards such cards comes to knock.
    """
    places = {card: ("A23456789TJQK".index(card[0]), card[1]) for card in view["hands"][view["seat"]]}

    def company(card: str) -> tuple[int, int]:
        rank, suit = places[card]
        near = [other for other, s in places.values() if other == rank or (s == suit and abs(other - rank) <= 2)]
        return len(near), -rank

    return min(places, key=company)


def is_discard(env: Any, action: int) -> bool:
    return env.unwrapped.action_name(action).startswith("discard")


def finish(env: Any, choose: Choose) -> None:
    for _ in decisions(env, choose):
        pass


def advanced(env: Any, choose: Choose, count: int) -> Any:
    """The environment after at most `count` decisions."""
    for number, _ in enumerate(decisions(env, choose), 1):
        if number > count:
            break
    return env


def pack_texts(variant: str, players: int, **options: Any) -> list[str]:
    """Every card of the pack."""
    pack = cardenvs.make_game(variant, num_players=players, **options).pack
    return pack.hand(pack.counts)


def shuffled_deck(variant: str, players: int, seed: int) -> list[str]:
    deck = pack_texts(variant, players)
    random.Random(seed).shuffle(deck)
    return deck


# Looking -------------------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """All that an agent is shown."""

    row: bytes
    mask: bytes
    info: str
    text: str


def seen_by(env: Any, agent: str) -> Seen:
    """What an agent is shown now; the environment renders "ansi"."""
    observation = env.observe(agent)
    return Seen(
        observation["observation"].tobytes(),
        observation["action_mask"].tobytes(),
        repr(env.infos[agent]),
        env.unwrapped.render(agent),
    )


def cards_in_play(view: dict[str, Any], size: int) -> Counter[str]:
    """Every card on the table, in hands, stock and pile, and beside the pile.

    The cards of a half-laid meld are counted when they are not those of a meld that is being extended: exactly then
    the others are fewer than `size`.
    """
    cards: Counter[str] = Counter(view["stock"]) + Counter(view["pile"])
    for hand in view["hands"]:
        cards.update(hand)
    cards.update(view.get("beside", []))
    for laid in [meld["cards"] for meld in view["melds"]] + view.get("red_threes", []):
        cards.update(laid)
    if view["half_laid"] and cards.total() < size:
        cards.update(view["half_laid"]["cards"])
    return cards


# Other processes -----------------------------------------------------------------------------------------------------


def run_module(module: str, *arguments: str, **environment: str) -> str:
    """What `python -m <module>` of this folder prints, with every warning an error."""
    paths = [str(ROOT), str(ROOT / "tests")]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
