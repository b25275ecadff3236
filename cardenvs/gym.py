"""Any game under Gymnasium, for one agent and for a batch: the only file that imports gymnasium.vector.

One seat is the agent's; `Player`s (bots, trained policies, anybody's own) act for the others inside `step`. What the
agent is paid between two of its decisions comes with the later one, so that nothing of an episode's reward is lost. An
episode that ends before its first decision is nobody's lesson: it is left out, and the next one is dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space

from cardenvs import engine, verbs
from cardenvs._jit import entry, records
from cardenvs.bots import make_bot
from cardenvs.engine import Batch, Choices
from cardenvs.games import VARIANTS, make_game
from cardenvs.spec import Game
from cardenvs.vector import VectorEnv, fresh_seed

Seat = int | Literal["rotate"]


class Acts(Protocol):
    """An opponent: a `Player`, or anything that does this much; `reset(seed)` is called where there is one."""

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Integers `[K]`: an action for each of K positions, from int16 `obs[K, D]` and int8 `mask[K, A]`."""


Opponents = str | Acts | Sequence[str | Acts]


class _Seating:
    """Who sits where.

    Args:
        game: the variant with its options.
        seat: of the agent; "rotate": the seat `seed % S` after a seeded reset, one further each episode.
        opponents: a bot's name or a player, for all other seats or (a sequence) for each, from the agent's left.

    Raises:
        ValueError: a seat out of range, no bot of that name, no player, or not one for each of the other seats.
    """

    def __init__(self, game: Game, seat: Seat, opponents: Opponents) -> None:
        self._seats = game.num_players
        whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat != "rotate" and not (whole and 0 <= seat < self._seats):
            raise ValueError(f"seat={seat!r}: allowed are 0 to {self._seats - 1} and 'rotate'")
        self._seat = seat
        one_each = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        given = list(opponents) if one_each else [opponents]  # type: ignore[arg-type]
        if one_each and len(given) != self._seats - 1:
            raise ValueError(f"opponents={opponents!r}: allowed is one, or one for each of {self._seats - 1} seats")
        players = [self._player(game, each) for each in given] * (1 if one_each else self._seats - 1)
        distinct = {id(player): player for player in players}.values()
        # Each player with where it sits, counted from the agent's left: bool [S - 1].
        self._asked = [(player, np.array([each is player for each in players])) for player in distinct]

    @staticmethod
    def _player(game: Game, given: Any) -> Acts:
        if isinstance(given, str):
            return make_bot(game, given)
        if not callable(getattr(given, "act", None)):
            raise ValueError(f"opponents: {given!r}: allowed are {game.bots} and objects with act(obs, mask)")
        return given

    def first(self, seed: np.ndarray) -> np.ndarray:
        """int64 `[N]`: the agent's seat in the first episode of each uint64 seed `[N]`."""
        return (seed % self._seats).astype(np.int64) if self._seat == "rotate" else np.full(len(seed), self._seat)

    def after(self, agent: np.ndarray) -> np.ndarray:
        """int64 `[N]`: its seat in the episode after the one with these."""
        return (agent + 1) % self._seats if self._seat == "rotate" else agent

    def restart(self, seed: int) -> None:
        """Start the players' random streams anew."""
        for number, (player, _) in enumerate(self._asked):
            if hasattr(player, "reset"):
                player.reset(seed + number)

    def choose(self, seat: np.ndarray, agent: np.ndarray, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """int32 `[K]`: what the players of the seats `[K]` do, the agent sitting at `agent[K]`.

        Raises:
            ValueError: a player chose an illegal action.
        """
        left = (seat - agent - 1) % self._seats
        actions = np.empty(len(left), np.int32)
        for player, places in self._asked:
            mine = np.flatnonzero(places[left])
            if len(mine):
                chosen = np.asarray(player.act(obs[mine], mask[mine]))
                _check_actions(chosen, mask[mine], f"opponent {getattr(player, 'name', player)!r}")
                actions[mine] = chosen
        return actions


def _check_actions(actions: np.ndarray, mask: np.ndarray, who: str) -> None:
    """ValueError unless integers `actions[K]` are legal by int8 `mask[K, A]`."""
    if actions.shape != mask.shape[:1] or actions.dtype.kind not in "iu":
        raise ValueError(f"{who}: allowed are {len(mask)} integers; given {actions.dtype} {actions.shape}")
    inside = (actions >= 0) & (actions < mask.shape[1])
    wrong = np.flatnonzero(~inside | (mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 0))
    if len(wrong):
        k = wrong[0]
        allowed = np.flatnonzero(mask[k]).tolist()
        raise ValueError(f"{who}: action {actions[k]} of row {k} is illegal; allowed are {allowed}")


def _check_reset(seed: Any, options: dict[str, Any] | None) -> None:
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if seed is not None and not (whole and 0 <= seed < 2**63):
        raise ValueError(f"seed={seed!r}: allowed are None and integers from 0 to 2**63 - 1")
    if options:
        raise ValueError(f"options={options!r}: allowed are none")


def _observation_space(game: Game) -> gymnasium.spaces.Dict:
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(-1.0, 1.0, (game.observation_size,), np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


class GymEnv(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a game, the others played by players.

    An observation is that of the AEC environment, `{"observation": float32 [D] in [-1, 1], "action_mask": int8 [A]}`;
    the mask is all zeros once the episode is over. `info` has `action_mask` and `seat` (the agent's), at the end also
    `scores` int32 `[S]` and `winners` bool `[S]`; `illegal` is there when an illegal action ended it.

    An action that the mask rules out ends the episode, at a penalty worse than any loss, as in a variant's `env`.

    Args:
        game: the variant with its options.
        seat: of the agent, or "rotate": one further each episode.
        opponents: a bot's name or whoever `Acts`, for all other seats or (a sequence) for each, from the agent's left.
        render_mode: None or "ansi": the table as the agent sees it.
        skip_forced: play decisions with a single legal action by themselves.

    Raises:
        ValueError: one of these is not allowed; names what was given and what is.
    """

    def __init__(
        self,
        game: Game,
        seat: Seat = 0,
        opponents: Opponents = "greedy",
        render_mode: str | None = None,
        skip_forced: bool = False,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r}: allowed are None and 'ansi'")
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.game = game
        self.render_mode = render_mode
        self.skip_forced = skip_forced
        self.observation_space = _observation_space(game)
        self.action_space = gymnasium.spaces.Discrete(game.num_actions)
        self._seating = _Seating(game, seat, opponents)
        self._agent = np.zeros(1, np.int64)
        self._games = records(1, game.record)
        self._choices = Choices(np.zeros((1, game.num_actions), np.int16), np.zeros(1, np.int32))
        self._row = np.zeros((1, game.observation_size), np.int16)
        self._mask = np.zeros((1, game.num_actions), np.int8)
        self._reward = np.zeros(game.num_players, np.float32)
        self._owed = 0.0
        self._live = False
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal a new episode and play it up to the agent's first decision.

        Args:
            seed: the same seed deals the same games as in the AEC environment; None goes on with the stream of the last
                one (from the operating system's entropy the first time).
            options: none are known.

        Raises:
            ValueError: a seed out of range, or an option.
        """
        _check_reset(seed, options)
        if seed is None and not self._seeded:
            seed = fresh_seed()
        if seed is None:
            self._agent = self._seating.after(self._agent)
        else:
            engine.seed_game(self._games, np.uint64(seed))
            self._agent = self._seating.first(np.array([seed], np.uint64))
            self._seating.restart(int(seed))
            self._seeded = True
        super().reset(seed=None if seed is None else int(seed))
        ended = verbs.TERMINATED
        while ended:
            self._owed = 0.0
            engine.begin_one(self.game.rules, self._games, True, self._choices, self._row[0], self._mask[0])
            ended = self._play_others()
        self._live = True
        return self._observed(True)

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """The agent's decision, then those of the others up to its next one or the end.

        Returns:
            Observation, what the agent was paid since its last decision, terminated, truncated, info.

        Raises:
            ValueError: no action of the space.
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if not self._live:
            raise ResetNeeded("the episode is over or has not begun: call reset() before step()")
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r}: allowed are integers from 0 to {self.game.num_actions - 1}")
        if not self._mask[0, action]:
            self._live = False
            observation, info = self._observed(False)
            info["illegal"] = self.game.action_name(action)
            return observation, self.game.illegal_reward, True, False, info
        ended = self._decide(int(action)) or self._play_others()
        self._live = not ended
        observation, info = self._observed(self._live)
        reward, self._owed = self._owed, 0.0
        return observation, reward, ended == verbs.TERMINATED, ended == verbs.TRUNCATED, info

    def _decide(self, action: int) -> int:
        """One decision of the seat to act; 0, TERMINATED or TRUNCATED."""
        buffers = self._reward, self._choices, self._row[0], self._mask[0]
        count, _, _ = engine.decide_one(self.game.rules, self._games, action, self.skip_forced, *buffers)
        self._owed += float(self._reward[self._agent[0]])
        return max(-int(count), 0)

    def _play_others(self) -> int:
        """The others' decisions up to the agent's turn (0) or the end (TERMINATED or TRUNCATED)."""
        while self._games["seat"][0] != self._agent[0]:
            action = self._seating.choose(self._games["seat"], self._agent, self._row, self._mask)[0]
            ended = self._decide(int(action))
            if ended:
                return ended
        return 0

    def _observed(self, live: bool) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        agent, row = int(self._agent[0]), self._row[0]
        mask = self._mask[0].copy() if live else np.zeros_like(self._mask[0])
        info = {"action_mask": mask, "seat": agent}
        if not live:
            row = np.empty_like(row)
            engine.observe_seat(self.game.rules, self._games, agent, row)
            info["scores"] = self._games["total"][0, : self.game.num_players].astype(np.int32)
            info["winners"] = (self._games["won"][0] >> np.arange(self.game.num_players) & 1).astype(np.bool_)
        return {"observation": row * self.game.observation.scale, "action_mask": mask}, info

    def render(self) -> str | None:
        """The table as the agent sees it, or None without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called on an environment made without render_mode='ansi'")
            return None
        if not self._seeded:
            raise ResetNeeded("call reset() before render()")
        return self.game.family.render(self.game, self._games[0], int(self._agent[0]))


@entry
def _step_some(rules: Any, games: Any, which: Any, actions: Any, skip_forced: Any, choices: Any, batch: Any) -> None:
    """One decision of the games int64 `which[K]` by legal actions int32 `actions[K]`; the other games stand still."""
    for k in range(which.shape[0]):
        engine.step_game(rules, games, which[k], int(actions[k]), skip_forced, choices, batch)


@entry
def _begin_all(rules: Any, games: Any, choices: Any, batch: Any) -> None:
    """A new episode of every game, each from its own stream."""
    for i in range(games.shape[0]):
        engine.begin(rules, games[i])
        choices.counts[i] = verbs.legal(rules, games[i], choices.actions[i])
        engine.show_start(rules, games[i], choices, batch, i)


class _Table(VectorEnv):
    """Games of which some can move while the others wait."""

    def step_some(self, which: np.ndarray, actions: np.ndarray, out: Batch) -> None:
        """One decision of the games int64 `which[K]` by legal actions int32 `[K]`; only their rows of `out` change."""
        _step_some(self.game.rules, self._games, which, actions, self.skip_forced, self._choices, out)

    def begin_all(self, out: Batch) -> None:
        """Deal every game anew, each from its own stream."""
        _begin_all(self.game.rules, self._games, self._choices, out)


class GymVectorEnv(gymnasium.vector.VectorEnv[dict[str, np.ndarray], np.ndarray, np.ndarray]):
    """A batch of `GymEnv`s stepped at once, each dealt anew in the step that ends it (`AutoresetMode.SAME_STEP`).

    Game i of `reset(seed=s)` is that of `GymEnv.reset(seed=s + i)`. Observations are batched as Gymnasium does it:
    `{"observation": float32 [N, D], "action_mask": int8 [N, A]}`. Where an episode ended, the observation is the new
    one's first, and `infos` has `final_obs` and `final_info`.

    An illegal action is a ValueError here, and no game has moved.

    Args: as those of `GymEnv`, and `num_envs`: games, N.

    Raises:
        ValueError: one of these is not allowed; names what was given and what is.
    """

    def __init__(
        self, game: Game, num_envs: int, seat: Seat = 0, opponents: Opponents = "greedy", skip_forced: bool = False
    ) -> None:
        self.game = game
        self._seating = _Seating(game, seat, opponents)
        self._table = _Table(game, num_envs, 0, skip_forced=skip_forced)
        self.num_envs = self._table.num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
        self.render_mode = None
        self.single_observation_space = _observation_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._now = self._table.make_batch()
        self._agent = np.zeros(self.num_envs, np.int64)
        self._owed = np.zeros(self.num_envs)
        # Whether the agent has decided anything in the running episode; one without is left out.
        self._acted = np.zeros(self.num_envs, np.bool_)
        self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal every game anew and play it up to the agent's first decision.

        Args:
            seed: of game 0, game i has `seed + i`; None goes on with the streams of the last one (from the operating
                system's entropy the first time).
            options: none are known.

        Raises:
            ValueError: a seed out of range, or an option.
        """
        _check_reset(seed, options)
        if seed is None and not self._seeded:
            seed = fresh_seed()
        if seed is None:
            self._agent = self._seating.after(self._agent)
            self._table.begin_all(self._now)
        else:
            self._table.reset(seed, self._now)
            self._agent = self._seating.first(np.uint64(seed) + np.arange(self.num_envs, dtype=np.uint64))
            self._seating.restart(int(seed))
            self._seeded = True
        super().reset(seed=None if seed is None else int(seed))
        self._owed[:] = 0
        self._acted[:] = False
        self._play_others(np.arange(self.num_envs), _Ended(self))
        return self._observed()

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The agent's decision in every game, then those of the others up to its next one.

        Args:
            actions: integers `[N]`, each legal by the last mask.

        Returns:
            Observations, float64 `[N]` what the agent was paid since its last decision, terminated and truncated bool
            `[N]`, infos.

        Raises:
            ValueError: an action is illegal; no game has moved.
            gymnasium.error.ResetNeeded: there was no reset yet.
        """
        if not self._seeded:
            raise ResetNeeded("call reset() before step()")
        actions = np.asarray(actions)
        _check_actions(actions, self._now.mask, "actions")
        self._acted[:] = True
        ended, everyone = _Ended(self), np.arange(self.num_envs)
        self._move(everyone, actions.astype(np.int32), ended)
        self._play_others(everyone, ended)
        # Where the agent has not acted, what is owed belongs to an episode that has just begun.
        reward = np.where(self._acted, self._owed, ended.reward)
        self._owed[self._acted] = 0
        observation, infos = self._observed()
        return observation, reward, ended.terminated, ended.truncated, {**infos, **ended.infos()}

    def _move(self, which: np.ndarray, actions: np.ndarray, ended: _Ended) -> None:
        """One decision of some games."""
        now = self._now
        self._table.step_some(which, actions, now)
        self._owed[which] += now.reward[which, self._agent[which]]
        over = which[now.terminated[which] | now.truncated[which]]
        told = over[self._acted[over]]
        ended.note(told, now, self._agent, self._owed)
        self._agent[told] = self._seating.after(self._agent[told])
        self._acted[over] = False
        self._owed[over] = 0

    def _play_others(self, which: np.ndarray, ended: _Ended) -> None:
        """The others' decisions in some games, each up to the agent's turn."""
        now = self._now
        while len(which := which[now.seat[which] != self._agent[which]]):
            actions = self._seating.choose(now.seat[which], self._agent[which], now.obs[which], now.mask[which])
            self._move(which, actions, ended)

    def _observed(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        mask = self._now.mask.copy()
        infos = _with_masks({"action_mask": mask, "seat": self._agent.copy()}, np.ones(self.num_envs, np.bool_))
        return {"observation": self._now.obs * self.game.observation.scale, "action_mask": mask}, infos


class _Ended:
    """What is told of the episodes that end within a step."""

    def __init__(self, env: GymVectorEnv) -> None:
        n, seats = env.num_envs, env.game.num_players
        self._scale = env.game.observation.scale
        self.reward = np.zeros(n)
        self.terminated, self.truncated = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self._final_obs = np.full(n, None, dtype=object)
        self._info: dict[str, np.ndarray] = {
            "action_mask": np.zeros((n, env.game.num_actions), np.int8),
            "seat": np.zeros(n, np.int64),
            "scores": np.zeros((n, seats), np.int32),
            "winners": np.zeros((n, seats), np.bool_),
        }

    def note(self, which: np.ndarray, batch: Batch, agent: np.ndarray, owed: np.ndarray) -> None:
        """The episodes of the games `which[K]` have ended."""
        self.reward[which] = owed[which]
        self.terminated[which] = batch.terminated[which]
        self.truncated[which] = batch.truncated[which]
        self._info["seat"][which] = agent[which]
        self._info["scores"][which] = batch.score[which]
        self._info["winners"][which] = batch.winner[which]
        for i in which.tolist():
            row = batch.final_obs[i, agent[i]] * self._scale
            self._final_obs[i] = {"observation": row, "action_mask": np.zeros_like(batch.mask[i])}

    def infos(self) -> dict[str, Any]:
        """`final_obs` and `final_info`, as Gymnasium lays them out; empty when no episode has ended."""
        over = self.terminated | self.truncated
        if not over.any():
            return {}
        return _with_masks({"final_obs": self._final_obs, "final_info": _with_masks(self._info, over)}, over)


def _with_masks(info: dict[str, Any], present: np.ndarray) -> dict[str, Any]:
    """Add to every key its `_key`: in which games it is there."""
    return info | {f"_{key}": present.copy() for key in info}


def make_gym(
    id: str,
    seat: Seat = 0,
    opponents: Opponents = "greedy",
    render_mode: str | None = None,
    skip_forced: bool = False,
    **options: Any,
) -> GymEnv:
    """One seat of a variant: see `GymEnv` and, for the options, `cardenvs.make_game`."""
    return GymEnv(make_game(id, **options), seat, opponents, render_mode, skip_forced)


def make_gym_vec(
    id: str,
    num_envs: int = 1,
    seat: Seat = 0,
    opponents: Opponents = "greedy",
    skip_forced: bool = False,
    **options: Any,
) -> GymVectorEnv:
    """One seat of each of a batch of games: see `GymVectorEnv` and, for the options, `cardenvs.make_game`."""
    return GymVectorEnv(make_game(id, **options), num_envs, seat, opponents, skip_forced)


def register_variants() -> None:
    """Make every variant known to `gymnasium.make("cardenvs/rummy-v0")` and `gymnasium.make_vec`."""
    for id in VARIANTS:
        gymnasium.register(
            f"cardenvs/{id.replace('_', '-')}",
            entry_point="cardenvs.gym:make_gym",
            vector_entry_point="cardenvs.gym:make_gym_vec",
            kwargs={"id": id},
        )


register_variants()
