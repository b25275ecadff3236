"""Any game as a PettingZoo AEC environment. The only file that imports pettingzoo."""

from __future__ import annotations

import copy
import json
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cardenvs import engine
from cardenvs._jit import records
from cardenvs.engine import Choices
from cardenvs.games import VARIANTS, make_game
from cardenvs.spec import Game
from cardenvs.vector import fresh_seed
from cardenvs.verbs import TERMINATED

try:
    from pettingzoo import register
except ImportError:  # The registry came with PettingZoo 1.27.
    register = None

_RECORD_MARK = b"\n"
_BOOKKEEPING = (
    "agents",
    "agent_selection",
    "_skip_agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "_paid",
)
"""What surrounds the record of a game in progress."""


class CardEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One game, seat by seat: one decision is one step, and a seat acts several times in a row.

    An observation is `{"observation": float32 [D] in [-1, 1], "action_mask": int8 [A]}`; the mask is all zeros for an
    agent that is not to act. `state()` is float32 `[S * D]`, the rows of all seats.

    Args:
        game: the variant with its options.
        render_mode: None or "ansi".
        skip_forced: play decisions with a single legal action by themselves.

    Raises:
        ValueError: `render_mode` is none of these.
    """

    def __init__(self, game: Game, render_mode: str | None = None, skip_forced: bool = False) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r}: allowed are None and 'ansi'")
        if not isinstance(skip_forced, bool):
            raise ValueError(f"skip_forced={skip_forced!r}: allowed are False and True")
        self.metadata = {"name": game.id, "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}
        self.game = game
        self.render_mode = render_mode
        self.skip_forced = skip_forced
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size, actions = game.observation_size, game.num_actions
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(-1.0, 1.0, (size,), np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(-1.0, 1.0, (game.num_players * size,), np.float32)
        self._games = records(1, game.record)
        self._choices = Choices(np.zeros((1, actions), np.int16), np.zeros(1, np.int32))
        self._reward = np.zeros(game.num_players, np.float32)
        self._row = np.zeros(size, np.int16)
        self._mask = np.zeros(actions, np.int8)
        self._paid = False
        self._seeded = False

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same Dict space for every agent, and the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same Discrete space for every agent, and the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new episode.

        Args:
            seed: the same seed deals the same game; None goes on with the stream of the last one (from the operating
                system's entropy the first time).
            options: `{"deck": [...]}` deals exactly these card texts, the first one first; later rounds of a match are
                shuffled. Other keys are ignored.

        Raises:
            ValueError: a deck that is no permutation of the cards, or a seed out of range; the
                environment is as before.
        """
        deck = self._checked_deck(options)
        if seed is None and not self._seeded:
            seed = fresh_seed()
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**63:
                raise ValueError(f"seed={seed!r}: allowed are integers from 0 to 2**63 - 1")
            engine.seed_game(self._games, np.uint64(seed))
            self._seeded = True
        # Nothing of the game before stays behind, unread as it is: a used environment equals a fresh one.
        stream = self._games["rng"].copy()
        self._games.view(np.uint8)[:] = 0
        self._games["rng"] = stream
        if deck is not None:
            self._games["stock"][0, : len(deck)] = deck[::-1]
            self._games["n_stock"][0] = len(deck)
        engine.begin_one(self.game.rules, self._games, deck is None, self._choices, self._row, self._mask)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._paid = False
        self.agent_selection = self.possible_agents[int(self._games["seat"][0])]

    def _checked_deck(self, options: dict[str, Any] | None) -> np.ndarray | None:
        # PettingZoo's api_test passes an option of its own making: others than the deck are no error.
        deck = (options or {}).get("deck")
        return None if deck is None else self.game.pack.parse_deck(deck)

    def step(self, action: int | None) -> None:
        """One decision of `agent_selection`; None for an agent whose episode is over.

        Raises:
            ValueError: the action is illegal; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._check(action)
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self._cumulative_rewards[agent] = 0.0
        count, paid, seat = engine.decide_one(
            self.game.rules, self._games, action, self.skip_forced, self._reward, self._choices, self._row, self._mask
        )
        if paid:
            self._paid = True
            self.rewards = dict(zip(self.agents, self._reward.tolist(), strict=True))
            self._accumulate_rewards()
        if count > 0:
            self.agent_selection = self.possible_agents[seat]
            return
        over = self.terminations if count == -TERMINATED else self.truncations
        for each in self.agents:
            over[each] = True
        self.agent_selection = self.agents[0]

    def is_legal(self, action: Any) -> bool:
        """Whether the seat to act may play this action now: False for what is no integer of the action space, too."""
        return self._in_space(action) and bool(self._mask[action])

    def _in_space(self, action: Any) -> bool:
        integral = isinstance(action, int | np.integer) and not isinstance(action, bool)
        return integral and 0 <= action < len(self._mask)

    def _check(self, action: Any) -> None:
        if self.is_legal(action):
            return
        name = self.game.action_names[action] if self._in_space(action) else "outside the action space"
        allowed = ", ".join(self.game.action_names[i] for i in np.flatnonzero(self._mask))
        raise ValueError(f"action {action!r} ({name}) is illegal for {self.agent_selection}: allowed are {allowed}")

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent knows now, in arrays of its own."""
        live = not (self.terminations[agent] or self.truncations[agent])
        if agent == self.agent_selection and live:
            return {"observation": self._row * self.game.observation.scale, "action_mask": self._mask.copy()}
        row = np.empty_like(self._row)
        engine.observe_seat(self.game.rules, self._games, self._seat[agent], row)
        return {"observation": row * self.game.observation.scale, "action_mask": np.zeros_like(self._mask)}

    def state(self) -> np.ndarray:
        """float32 `[S * D]` in [-1, 1]: the rows of all seats one after the other, for central critics."""
        rows = np.empty((1, self.game.num_players, self.game.observation_size), np.int16)
        engine.observe_games(self.game.rules, self._games, rows)
        return (rows[0] * self.game.observation.scale).ravel()

    def render(self, viewer: str | None = None) -> str | None:
        """The table as text ("ansi"), or None without a render mode.

        Args:
            viewer: an agent, and only what that agent may see is shown; None shows every hand.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called on an environment made without render_mode='ansi'")
            return None
        seat = None if viewer is None else self._seat[viewer]
        return self.game.family.render(self.game, self._games[0], seat)

    def close(self) -> None:
        """Nothing is held open."""

    def action_name(self, action: int) -> str:
        """The text of an action; IndexError outside the space."""
        return self.game.action_name(action)

    def action_id(self, name: str) -> int:
        """The action of a text; ValueError for a text that names none."""
        return self.game.action_id(name)

    def view(self) -> dict[str, Any]:
        """The whole game as plain Python, every card face up."""
        return self.game.family.view(self.game, self._games[0])

    def clone(self, reseed: int | None = None) -> CardEnv:
        """An independent copy of the game in progress.

        Args:
            reseed: shuffles what is still undrawn, and every later shuffle, in the copy; None keeps them.
        """
        twin = copy.deepcopy(self)
        if reseed is not None:
            self.game.family.reseed(self.game, twin._games[0], np.random.default_rng(reseed))
        return twin

    def determinize(self, agent: str, seed: int) -> CardEnv:
        """A copy in which all that an agent with perfect memory cannot know is dealt anew.

        Args:
            agent: whose knowledge is kept.
            seed: the same seed gives the same deal.
        """
        twin = copy.deepcopy(self)
        self.game.family.determinize(self.game, twin._games[0], self._seat[agent], np.random.default_rng(seed))
        twin._refresh()
        return twin

    def _refresh(self) -> None:
        """Write row and mask of the seat to act anew from the record."""
        engine.refresh_one(self.game.rules, self._games, self._choices, self._row, self._mask)

    def get_state(self) -> bytes:
        """The game in progress and the bookkeeping around it."""
        head = {
            "id": self.game.id,
            "options": self.game.options,
            "skip_forced": self.skip_forced,
            **{name: getattr(self, name) for name in _BOOKKEEPING},
        }
        return json.dumps(head).encode() + _RECORD_MARK + self._games.tobytes()

    def set_state(self, state: bytes) -> None:
        """Go on from `get_state()`.

        Raises:
            ValueError: not such a state, or one of another variant or other options; nothing has changed.
        """
        try:
            text, _, record = state.partition(_RECORD_MARK)
            head = json.loads(text)
            given = {name: head[name] for name in ("id", "options", "skip_forced")}
            kept = {name: head[name] for name in _BOOKKEEPING}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError("state: given are no bytes of get_state()") from error
        here = {"id": self.game.id, "options": self.game.options, "skip_forced": self.skip_forced}
        if given != here or len(record) != self._games.nbytes:
            raise ValueError(f"state of {given} with {len(record)} bytes given; allowed is one of {here}")
        self._games.view(np.uint8)[:] = np.frombuffer(record, np.uint8)
        for name, value in kept.items():
            setattr(self, name, value)
        self.infos = {agent: {} for agent in self.agents}
        self._seeded = True
        self._refresh()


class _TerminateIllegal(wrappers.TerminateIllegalWrapper[str, dict[str, np.ndarray], int]):
    """PettingZoo's wrapper, with a short way past its look-ups for the legal actions, which are nearly all.

    What is not in the action space at all is a ValueError, as in the environment without wrappers.
    """

    env: CardEnv

    def step(self, action: int | None) -> None:
        env = self.env
        # Nothing is remembered from the last look: the state may have been set since.
        self._prev_obs = None
        if env.is_legal(action) and not self._terminated:
            env.step(action)
        elif action is not None and not env._in_space(action):
            env._check(action)
        else:
            super().step(action)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self.env.last(observe)

    def __str__(self) -> str:
        return str(self.env)


class _OrderEnforcing(wrappers.OrderEnforcingWrapper[str, dict[str, np.ndarray], int]):
    """PettingZoo's wrapper, with a short way past its look-ups once the environment was reset."""

    def step(self, action: int | None) -> None:
        if self._has_reset and self.unwrapped.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def render(self, viewer: str | None = None) -> str | None:
        """As in `CardEnv.render`."""
        return super().render() if not self._has_reset else self.unwrapped.render(viewer)

    def __str__(self) -> str:
        return str(self.env)


def make_raw_env(id: str, render_mode: str | None = None, skip_forced: bool = False, **options: Any) -> CardEnv:
    """The environment of a variant without wrappers: an illegal action is a ValueError."""
    return CardEnv(make_game(id, **options), render_mode, skip_forced)


def make_env(
    id: str, render_mode: str | None = None, skip_forced: bool = False, **options: Any
) -> AECEnv[str, dict[str, np.ndarray], int]:
    """The environment of a variant: an illegal action ends the episode, at a penalty worse than any loss."""
    env = make_raw_env(id, render_mode, skip_forced, **options)
    return _OrderEnforcing(_TerminateIllegal(env, illegal_reward=env.game.illegal_reward))


def register_variants() -> None:
    """Make every variant known to `pettingzoo.make("aec", "cardenvs/rummy-v0")`, where PettingZoo has its registry."""
    if register is None:
        return
    for id in VARIANTS:
        register("aec", f"cardenvs/{id.replace('_', '-')}", f"cardenvs.{id}:env")
