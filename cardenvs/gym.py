"""Any game under Gymnasium, for one agent and for a batch: the only file that imports gymnasium.vector.

One seat is the agent's; `Player`s (bots, trained policies, anybody's own) act for the others inside `step`. What the
agent is paid between two of its decisions comes with the later one, so that nothing of an episode's reward is lost. An
episode that ends before its first decision is nobody's lesson: it is left out, and the next one is dealt.

A player that raises, or returns anything but legal actions, is a ValueError that names it and what it returned. The
episode is lost with it: `step` wants a `reset` first, and `reset(seed)` deals as in a fresh environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space

from cardenvs.bots import Acts, are_legal, ask, make_bot
from cardenvs.checks import check_seed, is_whole
from cardenvs.games import VARIANTS, make_game
from cardenvs.rng import fresh_seed
from cardenvs.single import SingleGame
from cardenvs.spec import Game
from cardenvs.surface import RENDER_MODES, check_render_mode, observation_space, show
from cardenvs.vector import Batch, VectorEnv

Seat = int | Literal["rotate"]
Opponents = str | Acts | Sequence[str | Acts]
"""Names of bots and players; `reset(seed)` of a player is called where there is one."""


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
        if seat != "rotate" and not (is_whole(seat) and 0 <= seat < self._seats):
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
            ValueError: a player raised, or returned anything but legal actions.
        """
        left = (seat - agent - 1) % self._seats
        actions = np.empty(len(left), np.int32)
        for player, places in self._asked:
            mine = np.flatnonzero(places[left])
            if len(mine):
                who = f"opponent {getattr(player, 'name', player)!r}"
                chosen = ask(player, obs[mine], mask[mine], who)
                wrong = np.flatnonzero(~are_legal(chosen, mask[mine]))
                if len(wrong):
                    allowed = np.flatnonzero(mask[mine[wrong[0]]]).tolist()
                    raise ValueError(f"{who} returned {chosen[wrong[0]]}, which is illegal; allowed are {allowed}")
                actions[mine] = chosen
        return actions


def _check_options(options: dict[str, Any] | None) -> None:
    if options:
        raise ValueError(f"options={options!r}: allowed are none")


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
        render_mode: how the table is shown, as the agent sees it: None; "ansi": `render` returns it as text; "human":
            it is printed at every reset, step and `render`.
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
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.game = game
        self.observation_space = observation_space(game)
        self.action_space = gymnasium.spaces.Discrete(game.num_actions)
        self._seating = _Seating(game, seat, opponents)
        self._agent = np.zeros(1, np.int64)
        self._table = SingleGame(game, skip_forced)
        self._owed = 0.0
        # Whether it is the agent's turn: not before a reset, after the end, or once an opponent has failed.
        self._live = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal a new episode and play it up to the agent's first decision.

        Args:
            seed: the same seed deals the same games as in the AEC environment; None goes on with the stream of the last
                one (from the operating system's entropy the first time).
            options: none are known.

        Raises:
            ValueError: a seed out of range, or an option; or an opponent failed.
        """
        _check_options(options)
        seed = self._table.seed(seed)
        self._live = False
        if seed is None:
            self._agent = self._seating.after(self._agent)
        else:
            self._agent = self._seating.first(np.array([seed], np.uint64))
            self._seating.restart(seed)
        super().reset(seed=seed)
        ended = True
        while ended:
            self._owed = 0.0
            self._table.begin()
            ended = any(self._play_others())
        self._live = True
        return self._observed()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """The agent's decision, then those of the others up to its next one or the end.

        Returns:
            Observation, what the agent was paid since its last decision, terminated, truncated, info.

        Raises:
            ValueError: no action of the space; or an opponent failed, and the episode is lost.
            gymnasium.error.ResetNeeded: the episode is over.
        """
        if not self._live:
            raise ResetNeeded("the episode is over or has not begun: call reset() before step()")
        if isinstance(action, bool) or not self.action_space.contains(action):
            raise ValueError(f"action {action!r}: allowed are integers from 0 to {self.game.num_actions - 1}")
        self._live = False
        if not self._table.mask[action]:
            observation, info = self._observed()
            info["illegal"] = self.game.action_name(action)
            return observation, self.game.illegal_reward, True, False, info
        terminated, truncated = self._decide(int(action))
        if not (terminated or truncated):
            terminated, truncated = self._play_others()
        self._live = not (terminated or truncated)
        observation, info = self._observed()
        reward, self._owed = self._owed, 0.0
        return observation, reward, terminated, truncated, info

    def _decide(self, action: int) -> tuple[bool, bool]:
        """One decision of the seat to act; whether the episode was terminated, truncated."""
        terminated, truncated, _ = self._table.decide(action)
        self._owed += float(self._table.reward[self._agent[0]])
        return terminated, truncated

    def _play_others(self) -> tuple[bool, bool]:
        """The others' decisions up to the agent's turn or the end; whether the episode was terminated, truncated."""
        table = self._table
        while table.seat != self._agent[0]:
            actions = self._seating.choose(table.records["seat"], self._agent, table.row[None], table.mask[None])
            ended = self._decide(int(actions[0]))
            if any(ended):
                return ended
        return False, False

    def _observed(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What the agent is told now; whoever watches is shown it, too."""
        agent, table = int(self._agent[0]), self._table
        mask = table.mask.copy() if self._live else np.zeros_like(table.mask)
        row = table.row if self._live else table.known(agent)
        info = {"action_mask": mask, "seat": agent}
        if not self._live:
            info |= {"scores": table.scores, "winners": table.winners}
        if self.render_mode == "human":
            self.render()
        return {"observation": row * self.game.observation.scale, "action_mask": mask}, info

    def render(self) -> str | None:
        """The table as the agent sees it: returned ("ansi"), or printed ("human"); a warning without a render mode.

        Raises:
            gymnasium.error.ResetNeeded: there was no reset yet.
        """
        if self.render_mode is not None and not self._table.seeded:
            raise ResetNeeded("call reset() before render()")
        return show(self.game, self._table.records[0], int(self._agent[0]), self.render_mode)


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
        self._table = VectorEnv(game, num_envs, 0, skip_forced=skip_forced)
        self.num_envs = self._table.num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
        self.render_mode = None
        self.single_observation_space = observation_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._now = self._table.make_batch()
        self._agent = np.zeros(self.num_envs, np.int64)
        self._owed = np.zeros(self.num_envs)
        # Whether the agent has decided anything in the running episode; one without is left out.
        self._acted = np.zeros(self.num_envs, np.bool_)
        self._seeded = False
        # Whether it is the agent's turn everywhere: not before a reset, or once an opponent has failed.
        self._live = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal every game anew and play it up to the agent's first decision.

        Args:
            seed: of game 0, game i has `seed + i`; None goes on with the streams of the last one (from the operating
                system's entropy the first time).
            options: none are known.

        Raises:
            ValueError: a seed out of range, or an option; or an opponent failed.
        """
        _check_options(options)
        if seed is None and not self._seeded:
            seed = fresh_seed()
        if seed is not None:
            seed = check_seed(seed)
        self._live = False
        if seed is None:
            self._agent = self._seating.after(self._agent)
            self._table.renew(self._now)
        else:
            self._table.reset(seed, self._now)
            self._agent = self._seating.first(np.uint64(seed) + np.arange(self.num_envs, dtype=np.uint64))
            self._seating.restart(seed)
            self._seeded = True
        super().reset(seed=seed)
        self._owed[:] = 0
        self._acted[:] = False
        self._play_others(np.arange(self.num_envs), _Ended(self))
        self._live = True
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
            ValueError: an action is illegal, and no game has moved; or an opponent failed, and the episodes are lost.
            gymnasium.error.ResetNeeded: there was no reset yet, or none since an opponent failed.
        """
        if not self._live:
            raise ResetNeeded("the episodes have not begun or an opponent has failed: call reset() before step()")
        ended, everyone = _Ended(self), np.arange(self.num_envs)
        self._acted[:] = True
        self._move(everyone, actions, ended)
        self._live = False
        self._play_others(everyone, ended)
        self._live = True
        # Where the agent has not acted, what is owed belongs to an episode that has just begun.
        reward = np.where(self._acted, self._owed, ended.reward)
        self._owed[self._acted] = 0
        observation, infos = self._observed()
        return observation, reward, ended.terminated, ended.truncated, {**infos, **ended.infos()}

    def _move(self, which: np.ndarray, actions: np.ndarray, ended: _Ended) -> None:
        """One decision of some games."""
        now = self._now
        self._table.step(actions, out=now, indices=which)
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
    variant: str,
    seat: Seat = 0,
    opponents: Opponents = "greedy",
    render_mode: str | None = None,
    skip_forced: bool = False,
    **options: Any,
) -> GymEnv:
    """One seat of a variant, given by its id: see `GymEnv` and, for the options, `cardenvs.make_game`."""
    return GymEnv(make_game(variant, **options), seat, opponents, render_mode, skip_forced)


def make_gym_vec(
    variant: str,
    num_envs: int = 1,
    seat: Seat = 0,
    opponents: Opponents = "greedy",
    skip_forced: bool = False,
    **options: Any,
) -> GymVectorEnv:
    """One seat of each of a batch of games: see `GymVectorEnv` and, for the options, `cardenvs.make_game`."""
    return GymVectorEnv(make_game(variant, **options), num_envs, seat, opponents, skip_forced)


def register_variants() -> None:
    """Make every variant known to `gymnasium.make("cardenvs/rummy-v0")` and `gymnasium.make_vec`."""
    for id in VARIANTS:
        gymnasium.register(
            f"cardenvs/{id.replace('_', '-')}",
            entry_point="cardenvs.gym:make_gym",
            vector_entry_point="cardenvs.gym:make_gym_vec",
            # Not `id`: `gymnasium.make`, which sub-environments are made with, has an argument of that name.
            kwargs={"variant": id},
        )


register_variants()
