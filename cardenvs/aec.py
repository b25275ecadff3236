"""Any game as a PettingZoo AEC environment. The only file that imports pettingzoo."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cardenvs.checks import check_seed, is_whole
from cardenvs.games import VARIANTS, make_game
from cardenvs.single import SingleGame
from cardenvs.spec import Game
from cardenvs.surface import RENDER_MODES, check_render_mode, observation_space, show

try:
    from pettingzoo import register
except ImportError:  # The registry came with PettingZoo 1.27.
    register = None

Env: TypeAlias = AECEnv[str, dict[str, np.ndarray], int]
"""Any PettingZoo environment of ours, wrapped or not."""

_API_TEST_OPTIONS = {"options": 1}
"""What PettingZoo's api_test hands to every `reset`, to see that it takes options: it asks for nothing."""

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
        render_mode: None; "ansi": `render` returns the table as text; "human": it is printed at every reset, step and
            `render`.
        skip_forced: play decisions with a single legal action by themselves.

    Raises:
        ValueError: `render_mode` or `skip_forced` is none of these.
    """

    def __init__(self, game: Game, render_mode: str | None = None, skip_forced: bool = False) -> None:
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game = game
        self._table = SingleGame(game, skip_forced)
        self.skip_forced = skip_forced
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(-1.0, 1.0, (game.num_players * game.observation_size,), np.float32)
        self._paid = False

    @property
    def _games(self) -> np.ndarray:
        """The record of the game, `[1]`."""
        return self._table.records

    def _seat_of(self, agent: Any) -> int:
        """The seat of an agent; ValueError for what is none."""
        try:
            return self._seat[agent]
        except (KeyError, TypeError):
            raise ValueError(f"agent {agent!r}: allowed are {', '.join(self.possible_agents)}") from None

    def _is_live(self, agent: str) -> bool:
        """Whether an agent is still in its episode: one that has left `agents` is not."""
        return not (self.terminations.get(agent, True) or self.truncations.get(agent, True))

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same Dict space for every agent, and the same object each time; ValueError for no agent."""
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same Discrete space for every agent, and the same object each time; ValueError for no agent."""
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new episode.

        Args:
            seed: the same seed deals the same game; None goes on with the stream of the last one (from the operating
                system's entropy the first time).
            options: `{"deck": [...]}` deals exactly these card texts, the first one first; later rounds of a match are
                shuffled. There are no others; what PettingZoo's api_test passes, `{"options": 1}`, asks for nothing.

        Raises:
            ValueError: an unknown option, a deck that is no permutation of the cards, or a seed out of range; the
                environment is as before.
        """
        deck = self._checked_deck(options)
        self._table.seed(seed)
        self._table.begin(deck)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._paid = False
        self.agent_selection = self.possible_agents[self._table.seat]
        if self.render_mode == "human":
            self.render()

    def _checked_deck(self, options: Any) -> np.ndarray | None:
        if options is None or options == _API_TEST_OPTIONS:
            return None
        unknown = [key for key in options if key != "deck"] if isinstance(options, dict) else options
        if unknown or not isinstance(options, dict):
            raise ValueError(f"options: unknown {unknown!r}; allowed is a dict with 'deck' alone")
        deck = options.get("deck")
        return None if deck is None else self.game.pack.parse_deck(deck)

    def step(self, action: int | None) -> None:
        """One decision of `agent_selection`; None for an agent whose episode is over.

        Raises:
            ValueError: the action is illegal, None while the agent is live, or given while it is not; or no agents are
                left. Nothing has changed.
        """
        self._check_begun("step")
        agent = self.agent_selection
        if not self._is_live(agent):
            self._check_agents("step")
            self._was_dead_step(action)
            return
        action = self._check(action)
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self._cumulative_rewards[agent] = 0.0
        terminated, truncated, paid = self._table.decide(action)
        if paid:
            self._paid = True
            self.rewards = dict(zip(self.agents, self._table.reward.tolist(), strict=True))
            self._accumulate_rewards()
        if terminated or truncated:
            over = self.terminations if terminated else self.truncations
            for each in self.agents:
                over[each] = True
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._table.seat]
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent to act is told: observation (None without `observe`), reward, terminated, truncated, info.

        Raises:
            ValueError: no agents are left, or there was no reset yet.
        """
        self._check_begun("last")
        self._check_agents("last")
        return super().last(observe)

    def _check_begun(self, call: str) -> None:
        if not self._table.seeded:
            raise ValueError(f"{call}(): no episode has begun; allowed is reset()")

    def _check_agents(self, call: str) -> None:
        if not self.agents:
            raise ValueError(f"{call}(): the episode is over and no agents are left; allowed is reset()")

    def is_legal(self, action: Any) -> bool:
        """Whether the seat to act may play this action now: False for what is no integer of the action space, too."""
        return self._in_space(action) and bool(self._table.mask[action])

    def _in_space(self, action: Any) -> bool:
        return is_whole(action) and 0 <= action < self.game.num_actions

    def _check(self, action: Any) -> int:
        """The action; ValueError for an illegal one."""
        if self.is_legal(action):
            return int(action)
        allowed = ", ".join(self.game.action_names[i] for i in np.flatnonzero(self._table.mask))
        if action is None:
            raise ValueError(
                f"action None is for agents whose episode is over, and {self.agent_selection} is to act: "
                f"allowed are {allowed}"
            )
        name = self.game.action_names[action] if self._in_space(action) else "outside the action space"
        raise ValueError(f"action {action!r} ({name}) is illegal for {self.agent_selection}: allowed are {allowed}")

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent knows now, in arrays of its own; ValueError for no agent."""
        self._check_begun("observe")
        seat, scale = self._seat_of(agent), self.game.observation.scale
        if agent == self.agent_selection and self._is_live(agent):
            return {"observation": self._table.row * scale, "action_mask": self._table.mask.copy()}
        return {"observation": self._table.known(seat) * scale, "action_mask": np.zeros_like(self._table.mask)}

    def state(self) -> np.ndarray:
        """float32 `[S * D]` in [-1, 1]: the rows of all seats one after the other, for central critics."""
        self._check_begun("state")
        return (self._table.known_to_all() * self.game.observation.scale).ravel()

    def render(self, viewer: str | None = None) -> str | None:
        """The table as text: returned ("ansi"), or printed ("human"); a warning without a render mode.

        Args:
            viewer: an agent, and only what that agent may see is shown; None shows every hand.

        Raises:
            ValueError: `viewer` is no agent, or there was no reset yet.
        """
        self._check_begun("render")
        seat = None if viewer is None else self._seat_of(viewer)
        return show(self.game, self._games[0], seat, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def action_name(self, action: int) -> str:
        """The text of an action; IndexError outside the space."""
        return self.game.action_name(action)

    def action_id(self, name: str) -> int:
        """The action of a text; ValueError for a text that names none."""
        return self.game.action_id(name)

    def view(self) -> dict[str, Any]:
        """The whole game as plain Python, every card face up; ValueError before the first reset."""
        self._check_begun("view")
        return self.game.family.view(self.game, self._games[0])

    def clone(self, reseed: int | None = None) -> CardEnv:
        """An independent copy of the game in progress.

        Args:
            reseed: shuffles what is still undrawn, and every later shuffle, in the copy; None keeps them.

        Raises:
            ValueError: a seed out of range.
        """
        twin = copy.deepcopy(self)
        if reseed is not None:
            check_seed(reseed)
            self.game.family.reseed(self.game, twin._games[0], np.random.default_rng(reseed))
        return twin

    def determinize(self, agent: str, seed: int) -> CardEnv:
        """A copy in which all that an agent with perfect memory cannot know is dealt anew.

        Args:
            agent: whose knowledge is kept.
            seed: the same seed gives the same deal.

        Raises:
            ValueError: no such agent, or a seed out of range.
        """
        self._check_begun("determinize")
        seat, seed = self._seat_of(agent), check_seed(seed)
        twin = copy.deepcopy(self)
        self.game.family.determinize(self.game, twin._games[0], seat, np.random.default_rng(seed))
        twin._refresh()
        return twin

    def _refresh(self) -> None:
        """Write row and mask of the seat to act anew: the record was written to."""
        self._table.refresh()

    def get_state(self) -> bytes:
        """The game in progress and the bookkeeping around it; ValueError before the first reset."""
        self._check_begun("get_state")
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
        self._table.seeded = True
        self._refresh()


class _TerminateIllegal(wrappers.TerminateIllegalWrapper[str, dict[str, np.ndarray], int]):
    """PettingZoo's wrapper, with a short way past its look-ups for the legal actions, which are nearly all.

    What is not in the action space at all is a ValueError, as in the environment without wrappers, and so is None while
    the agent is live.
    """

    env: CardEnv

    def step(self, action: int | None) -> None:
        env = self.env
        # Nothing is remembered from the last look: the state may have been set since.
        self._prev_obs = None
        if env.is_legal(action) and not self._terminated:
            env.step(action)
        elif env._is_live(env.agent_selection) and not env._in_space(action):
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


def make_env(id: str, render_mode: str | None = None, skip_forced: bool = False, **options: Any) -> Env:
    """The environment of a variant: an illegal action ends the episode, at a penalty worse than any loss."""
    env = make_raw_env(id, render_mode, skip_forced, **options)
    return _OrderEnforcing(_TerminateIllegal(env, illegal_reward=env.game.illegal_reward))


def entry_points(id: str) -> tuple[Callable[..., Env], Callable[..., CardEnv]]:
    """`env` and `raw_env` of a variant's page: functions that `help` explains and that pickle by name."""

    def env(render_mode: str | None = None, skip_forced: bool = False, **options: Any) -> Env:
        """The game as a PettingZoo AEC environment: an illegal action ends the episode, at a penalty beyond any loss.

        Args:
            render_mode: None, "human" or "ansi".
            skip_forced: play decisions with a single legal action by themselves.
            **options: `num_players`, `match`, `reward` and the rule options of the page's table.

        Raises:
            ValueError: an option is unknown or out of range; names what was given and what is allowed.
        """
        return make_env(id, render_mode, skip_forced, **options)

    def raw_env(render_mode: str | None = None, skip_forced: bool = False, **options: Any) -> CardEnv:
        """As `env`, without PettingZoo's wrappers: an illegal action is a ValueError, and nothing has changed."""
        return make_raw_env(id, render_mode, skip_forced, **options)

    for function in (env, raw_env):
        function.__module__, function.__qualname__ = f"cardenvs.{id}", function.__name__
    return env, raw_env


def register_variants() -> None:
    """Make every variant known to `pettingzoo.make("aec", "cardenvs/rummy-v0")`, where PettingZoo has its registry."""
    if register is None:
        return
    for id in VARIANTS:
        register("aec", f"cardenvs/{id.replace('_', '-')}", f"cardenvs.{id}:env")
