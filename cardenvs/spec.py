"""What a game *is*: `Option` and `Variant` before it is made, `Game` once its options are in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cardenvs.checks import is_whole
from cardenvs.layout import Layout

REWARDS = ("score", "win")
"""`score`: own score minus the mean of the others', in units of `Game.score_scale`; `win`: +1 and -1/(n-1).

Partners are one player here: n is the number of sides, and each seat gets what its side does.
"""


@dataclass(frozen=True)
class Option:
    """One named rule option.

    Attributes:
        name: keyword.
        default: value when it is not given; None where it depends on the player count (`doc` says how).
        low, high: bounds of an integer option, both included.
        choices: allowed values of a choice; empty for an integer.
        table: a dict of integers, within the bounds, with the keys of the default; keys not given keep their default.
        doc: a line for the documentation, with the clause that it belongs to.
    """

    name: str
    default: Any
    low: int = 0
    high: int = 0
    choices: tuple[Any, ...] = ()
    table: bool = False
    doc: str = ""

    def check(self, value: Any) -> Any:
        """The value; ValueError that names the option, what was given and what is allowed."""
        if value is None and self.default is None:
            return None
        if self.choices:
            # `True == 1`: the type is compared too, so that 1 is no bool.
            if not any(type(value) is type(choice) and value == choice for choice in self.choices):
                raise ValueError(f"{self.name}={value!r}: allowed are {', '.join(map(repr, self.choices))}")
            return value
        if self.table:
            return self._check_table(value)
        integral = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not integral or not self.low <= value <= self.high:
            raise ValueError(f"{self.name}={value!r}: allowed are integers from {self.low} to {self.high}")
        return int(value)

    def _check_table(self, value: Any) -> dict[str, int]:
        if not isinstance(value, Mapping) or not set(value) <= set(self.default):
            raise ValueError(f"{self.name}={value!r}: allowed is a dict with keys of {', '.join(self.default)}")
        entry = replace(self, table=False)
        return {
            key: replace(entry, name=f"{self.name}[{key!r}]").check(value.get(key, points))
            for key, points in self.default.items()
        }


class Family(NamedTuple):
    """The Python face of a family of games; its compiled verbs are registered in `cardenvs.verbs`.

    Attributes:
        name: of the family.
        record: dtype of a game.
        view: (game, record) -> dict of plain Python, everything face up.
        render: (game, record, viewer seat or None) -> text.
        determinize: (game, record, seat, numpy Generator) -> None; deals anew, in place, what the seat cannot know.
        reseed: (game, record, numpy Generator) -> None; shuffles, in place, what is still undrawn.
        bots: names of the compiled bots, by number.
    """

    name: str
    record: np.dtype
    view: Callable[[Game, Any], dict[str, Any]]
    render: Callable[[Game, Any, int | None], str]
    determinize: Callable[[Game, Any, int, np.random.Generator], None]
    reseed: Callable[[Game, Any, np.random.Generator], None]
    bots: tuple[str, ...]


class Build(NamedTuple):
    """What a variant's options amount to: see `Game`; without `sides` each seat plays for itself."""

    rules: Any
    pack: Any
    actions: Layout
    observation: Layout
    action_names: tuple[str, ...]
    score_scale: float
    greatest_score: int
    sides: tuple[int, ...] = ()


@dataclass(frozen=True)
class Variant:
    """One game of a family as a row of data.

    Attributes:
        id: "rummy_v0".
        title: for people.
        players: least and greatest player count.
        default_players: player count when none is given.
        options: its rule options, beside `num_players`, `match` and `reward` that all games have.
        family: what plays it.
        build: (variant, options in force) -> Build; ValueError for options that do not go together.
    """

    id: str
    title: str
    players: tuple[int, int]
    default_players: int
    options: tuple[Option, ...]
    family: Family
    build: Callable[[Mapping[str, Any]], Build]

    @property
    def common_options(self) -> tuple[Option, ...]:
        """The options that every game has."""
        low, high = self.players
        return (
            Option("num_players", self.default_players, low, high, doc="seats"),
            Option("match", False, choices=(False, True), doc="an episode is a whole match, not one round (G5)"),
            Option("reward", "score", choices=REWARDS, doc="what a round pays: score margin, or win and loss"),
        )

    def game(self, **options: Any) -> Game:
        """The variant with these options.

        Raises:
            ValueError: an option is unknown or out of range; names it, what was given and what is allowed.
        """
        allowed = {option.name: option for option in (*self.common_options, *self.options)}
        for name, value in options.items():
            if name not in allowed:
                raise ValueError(f"{self.id} has no option {name}={value!r}: allowed are {', '.join(allowed)}")
        values = {name: option.check(options.get(name, option.default)) for name, option in allowed.items()}
        return Game(self, values)


class Game:
    """One variant with its options in force: never changed once made.

    Args:
        variant: the row of data.
        options: every option of the variant, checked one by one.

    Attributes:
        id, title: of the variant.
        options: every option in force (`num_players`, `match`, `reward` and the rule options).
        num_players: seats.
        sides: side of every seat, numbered from 0 in the order of their first seats; partners have the same.
        rules: NamedTuple for compiled code.
        record: dtype of the state of a game.
        pack: its cards (`cardenvs.cards.Pack`).
        actions, observation: the layouts.
        action_names: text of every action, in order.
        score_scale: points that make one unit of reward.
        greatest_score: greatest absolute score that a seat can reach in an episode.
        bots: names of its compiled bots, by number.
    """

    def __init__(self, variant: Variant, options: Mapping[str, Any]) -> None:
        build = variant.build(options)
        self.variant = variant
        self.id = variant.id
        self.title = variant.title
        self.family = variant.family
        self.options: dict[str, Any] = {**options}
        self.num_players: int = options["num_players"]
        self.record = variant.family.record
        self.bots = variant.family.bots
        self.rules = build.rules
        self.pack = build.pack
        self.actions = build.actions
        self.observation = build.observation
        self.action_names = build.action_names
        self.score_scale = build.score_scale
        self.greatest_score = build.greatest_score
        self.sides = build.sides or tuple(range(self.num_players))

    def __repr__(self) -> str:
        return f"Game({self.id!r}, {', '.join(f'{k}={v!r}' for k, v in self.options.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__class__, (self.variant, self.options)

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    @property
    def num_sides(self) -> int:
        """Number of sides: as many as seats, but for partnerships."""
        return len(set(self.sides))

    @property
    def num_actions(self) -> int:
        """Size of the action space."""
        return self.actions.size

    @property
    def observation_size(self) -> int:
        """Length of an observation row."""
        return self.observation.size

    @property
    def illegal_reward(self) -> float:
        """A reward worse than any loss of an episode."""
        if self.options["reward"] == "score":
            return -1.0 - 2.0 * self.greatest_score / self.score_scale
        if not self.options["match"]:
            return -2.0
        if "max_rounds" in self.options:
            return -1.0 - self.options["max_rounds"]
        # Every round of a match to a target costs somebody a point at least.
        return -1.0 - (self.options.get("target") or 0) * self.num_players - self.options.get("rounds", 1)

    def bot_number(self, name: str) -> int:
        """The number of the compiled bot of that name; ValueError where there is none."""
        if name not in self.bots:
            raise ValueError(f"{self.id} has no bot {name!r}: allowed are {', '.join(self.bots)}")
        return self.bots.index(name)

    def action_name(self, action: int) -> str:
        """The unique text of an action; IndexError outside the action space."""
        if not is_whole(action) or not 0 <= action < self.num_actions:
            raise IndexError(f"action {action!r}: allowed are integers from 0 to {self.num_actions - 1}")
        return self.action_names[action]

    @cached_property
    def _action_ids(self) -> dict[str, int]:
        return {name: action for action, name in enumerate(self.action_names)}

    def action_id(self, name: str) -> int:
        """The action of that text; ValueError for a text that names none."""
        if not isinstance(name, str) or name not in self._action_ids:
            raise ValueError(f"{self.id} has no action {name!r}: its actions are like {self._examples()}")
        return self._action_ids[name]

    def _examples(self) -> str:
        return ", ".join(repr(self.action_names[self.actions.offset(piece.name)]) for piece in self.actions.pieces)
