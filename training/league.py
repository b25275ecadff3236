"""Whom the policy plays against beside itself: bots and its past selves, each in a share of the games."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from cardenvs import make_bot
from cardenvs.bots import Player
from cardenvs.spec import Game
from training.config import LeagueConfig
from training.model import Actor, Policy

_WEIGHT = 0.02
"""Of one result in the estimate of how often an opponent wins: about the last fifty count."""


def _games(share: float, num_envs: int) -> int:
    """At least one for a share above 0."""
    return max(round(share * num_envs), 1 if share > 0 else 0)


class League:
    """Who holds which seat of N games, for the whole run.

    In the first `share` of the games bots are the opponents, in the next `past_share` past selves; there the policy
    holds one side, every side in as many games, and the opponent all others. In the rest the policy holds every seat.
    What opponents decide is not learned from. When a game ends, its next opponent is drawn: the oftener one still wins,
    the oftener it is met.

    Args:
        game: the variant with its options.
        config: which bots, how many past selves, and their shares.
        num_envs: N.

    Attributes:
        held: bool `[N, S]`, the seats that the policy holds.
        opponents: by name.
        beats: of each, what share of the decided games it has won lately; an equal wins (sides - 1) / sides of them.
        results: how many games of each that estimate has seen.

    Raises:
        ValueError: the game has no bot of that name.
    """

    def __init__(self, game: Game, config: LeagueConfig, num_envs: int) -> None:
        self._game, self._config = game, config
        self.opponents: dict[str, Player] = {name: make_bot(game, name) for name in config.bots}
        self._equal = 1 - 1 / game.num_sides
        self.beats = dict.fromkeys(config.bots, self._equal)
        self.results = dict.fromkeys(config.bots, 0)
        self._past: dict[str, Actor] = {}
        self._grown = 0
        self._bot_games = np.arange(_games(config.share, num_envs))
        past = min(_games(config.past_share, num_envs), num_envs - len(self._bot_games))
        self._past_games = len(self._bot_games) + np.arange(past)
        games = np.arange(len(self._bot_games) + len(self._past_games))
        self.held = np.ones((num_envs, game.num_players), bool)
        self.held[games] = np.array(game.sides) == (games % game.num_sides)[:, None]
        self._opponent = np.full(num_envs, "", dtype=object)
        # Whether the opponent has played the game from its deal: only then is the end its result.
        self._whole = np.zeros(num_envs, bool)
        self._random = np.random.default_rng(0)
        self._draw(self._bot_games, self._random)

    def reset(self, seed: int) -> None:
        """Start the random streams of the opponents, and of their draw, anew."""
        self._random = np.random.default_rng(seed)
        for number, opponent in enumerate(self.opponents.values()):
            opponent.reset(seed + number)

    def _draw(self, games: np.ndarray, random: np.random.Generator) -> None:
        """Give each of these games an opponent."""
        for among, theirs in ((list(self._config.bots), self._bot_games), (list(self._past), self._past_games)):
            chosen = np.intersect1d(games, theirs)
            if len(chosen):
                weight = np.array([self.beats[name] for name in among]) + 1e-3
                drawn = random.choice(len(among), len(chosen), p=weight / weight.sum())
                self._opponent[chosen] = np.array(among, object)[drawn]

    def grow(self, actor: Actor, decisions: int) -> None:
        """Keep the policy as it is now, if it is time: past the limit the one that wins least makes room for it."""
        soon = self._past and decisions - self._grown < self._config.past_every
        if soon or not len(self._past_games):
            return
        self._grown = decisions
        self._add(f"past_{decisions}", copy.deepcopy(actor))
        if len(self._past) > self._config.past:
            # Not the newest, of which nothing is known.
            least = min(list(self._past)[:-1], key=self.beats.__getitem__)
            del self._past[least], self.opponents[least], self.beats[least], self.results[least]
        gone = self._past_games[[name not in self._past for name in self._opponent[self._past_games]]]
        self._whole[gone] = False
        # From a stream of its own: what earlier draws left of the other is not in a checkpoint.
        self._draw(gone, np.random.default_rng(decisions))

    def _add(self, name: str, actor: Actor) -> None:
        self.opponents[name] = Policy(self._game, actor.eval().requires_grad_(False), sampling=True, name=name)
        self.beats[name], self.results[name] = self._equal, 0
        self._past[name] = actor

    def play(self, obs: np.ndarray, mask: np.ndarray, seat: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Put what the opponents do into int32 `actions[N]`; returns bool `[N]`, where the policy decides.

        Args:
            obs: int16 `[N, D]`; mask: int8 `[N, A]`; seat: int `[N]`, who is to act.
            actions: of the policy.
        """
        policy: np.ndarray = self.held[np.arange(len(seat)), seat]
        for name, opponent in self.opponents.items():
            theirs = np.flatnonzero(~policy & (self._opponent == name))
            if len(theirs):
                actions[theirs] = opponent.act(obs[theirs], mask[theirs])
        return policy

    def note(self, ended: np.ndarray, winner: np.ndarray) -> None:
        """Take the results of the games that bool `[N]` says have ended: bool `[N, S]`, who won (several share it).

        A game without a winner says nothing of who is better.
        """
        games = np.flatnonzero(ended & (self._opponent != ""))
        for i in games[self._whole[games] & winner[games].any(1)]:
            share = (winner[i] & ~self.held[i]).sum() / winner[i].sum()
            name = self._opponent[i]
            self.beats[name] += _WEIGHT * (float(share) - self.beats[name])
            self.results[name] += 1
        self._whole[games] = True
        self._draw(games, self._random)

    def rates(self) -> dict[str, float]:
        """`beats` of the bots, and of past selves on the mean, where there were results."""
        found = {name: self.beats[name] for name in self._config.bots if self.results[name]}
        past = [self.beats[name] for name in self._past if self.results[name]]
        return found | ({"past": float(np.mean(past))} if past else {})

    def get_state(self) -> dict[str, Any]:
        """All that later rollouts depend on; tensors on the CPU."""
        return {
            "past": {
                name: {key: weight.cpu() for key, weight in actor.state_dict().items()}
                for name, actor in self._past.items()
            },
            "beats": dict(self.beats),
            "results": dict(self.results),
            "whole": self._whole.tolist(),
            "opponent": self._opponent.tolist(),
            "grown": self._grown,
        }

    def set_state(self, state: dict[str, Any], actor: Actor) -> None:
        """Go on from what `get_state` returned; `actor` is of the network that past selves have."""
        for name, weights in state["past"].items():
            past = copy.deepcopy(actor)
            past.load_state_dict(weights)
            self._add(name, past)
        self.beats, self.results = dict(state["beats"]), dict(state["results"])
        self._whole[:] = state["whole"]
        self._opponent[:] = state["opponent"]
        self._grown = state["grown"]
