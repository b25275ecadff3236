"""OpenSpiel's bot for gin rummy as a player of the arena. The extra `outside` installs OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardenvs.checks import check_seed
from cardenvs.spec import Game

VARIANT = "gin_rummy_v0"
"""The variant that is OpenSpiel's `gin_rummy`."""

_PACK = tuple(rank + suit for suit in "scdh" for rank in "A23456789TJQK")
"""OpenSpiel's cards by their numbers."""


class SimpleGinRummyBot:
    """OpenSpiel's `SimpleGinRummyBot`: takes the top where it joins a meld, knocks at once, else discards the dearest.

    It decides by its hand, the pile's top and the limit of a knock alone. So for each row a game of OpenSpiel is dealt
    in which it has these; the other hand is made up. It leaves nothing to chance.

    Args:
        game: `gin_rummy_v0` with any options.

    Attributes:
        name: "openspiel:simple".

    Raises:
        ValueError: `game` is another variant, or OpenSpiel is not installed.
    """

    name = "openspiel:simple"

    def __init__(self, game: Game) -> None:
        if game.id != VARIANT:
            raise ValueError(f"players: {self.name} for {game.id}; allowed is {VARIANT}")
        try:
            import pyspiel  # here: nothing else needs it
        except ImportError as error:
            raise ValueError(f"players: {self.name} needs OpenSpiel: pip install 'cardenvs[outside]'") from error
        self.game = game
        self._spiel = pyspiel
        self._seats: dict[int, _Seats] = {}
        self._cards = np.array([_PACK.index(label) for label in game.pack.labels])
        self._hand, self._top = game.observation.slice("hand"), game.observation.slice("pile_top")
        self._limit = game.observation.offset("knock_limit")
        gin_rummy = pyspiel.gin_rummy
        self._actions = {
            gin_rummy.DRAW_UPCARD_ACTION: game.action_id("draw_top"),
            gin_rummy.DRAW_STOCK_ACTION: game.action_id("draw_stock"),
            gin_rummy.PASS_ACTION: game.action_id("pass"),
        } | {card: game.action_id(f"discard {label}") for card, label in enumerate(_PACK)}
        self._knocks = [game.action_id(f"knock {label}") for label in _PACK]

    def reset(self, seed: int) -> None:
        """Nothing to start anew; ValueError for a seed out of range."""
        check_seed(seed)

    def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """int32 `[K]`: an action for each row of int16 `obs[K, D]` and int8 `mask[K, A]`; -1 where nothing is legal.

        Raises:
            ValueError: rows or masks are not of this game, or rows not of integers.
        """
        if obs.dtype.kind not in "iu":
            raise ValueError(f"rows {obs.dtype}: allowed are integers, int16; an environment's observation is scaled")
        allowed = (len(obs), self.game.observation_size), (len(obs), self.game.num_actions)
        if (obs.shape, mask.shape) != allowed:
            raise ValueError(f"rows {obs.shape} and mask {mask.shape}: allowed for {self.game} are {allowed}")
        return np.array([self._decide(*position) for position in zip(obs, mask, strict=True)], np.int32)

    def _decide(self, row: np.ndarray, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        if len(legal) < 2:
            return int(legal[0]) if len(legal) else -1
        seats = self._seats_for(int(row[self._limit]))
        hand = self._cards[np.flatnonzero(row[self._hand])].tolist()
        gin_rummy = self._spiel.gin_rummy
        if not mask[self._actions[gin_rummy.DRAW_UPCARD_ACTION]]:
            action, card = seats.discard(hand)
            return self._knocks[card] if action == gin_rummy.KNOCK_ACTION else self._actions[action]
        top = int(self._cards[np.flatnonzero(row[self._top])[0]])
        is_first = mask[self._actions[gin_rummy.PASS_ACTION]]
        return self._actions[seats.first_upcard(hand, top) if is_first else seats.draw(hand, top)]

    def _seats_for(self, limit: int) -> _Seats:
        """The games in which one knocks with that much; OpenSpiel makes a new one in milliseconds."""
        if limit not in self._seats:
            self._seats[limit] = _Seats(self._spiel, limit)
        return self._seats[limit]


class _Seats:
    """The bot at both seats of an OpenSpiel game with one limit; cards and actions are OpenSpiel's numbers."""

    def __init__(self, spiel: Any, limit: int) -> None:
        game = spiel.load_game("gin_rummy", {"knock_card": limit})
        self._draw_upcard, self._knock = spiel.gin_rummy.DRAW_UPCARD_ACTION, spiel.gin_rummy.KNOCK_ACTION
        self._fresh = game.new_initial_state()
        self._bots = [spiel.make_simple_gin_rummy_bot(game.get_parameters(), seat) for seat in (0, 1)]

    def first_upcard(self, hand: list[int], top: int) -> int:
        """Whether ten cards take the first upcard."""
        state = self._deal(hand, _others({*hand, top})[:10], top)
        return self._ask(state)

    def draw(self, hand: list[int], top: int) -> int:
        """Where ten cards draw from: the other has taken the first upcard and discarded `top`."""
        others = _others({*hand, top})
        state = self._deal([top, *others[:9]], hand, others[9])
        state.apply_action(self._draw_upcard)
        state.apply_action(top)
        return self._ask(state)

    def discard(self, hand: list[int]) -> tuple[int, int]:
        """What eleven cards do, of which the last one was the first upcard: a discard or a knock, and its card."""
        state = self._deal(hand[:10], _others(set(hand))[:10], hand[10])
        state.apply_action(self._draw_upcard)
        action = self._ask(state)
        if action != self._knock:
            return action, action
        state.apply_action(action)
        return action, self._bots[0].step(state)

    def _deal(self, first: list[int], second: list[int], upcard: int) -> Any:
        state = self._fresh.clone()
        for card in (*first, *second, upcard):
            state.apply_action(card)
        return state

    def _ask(self, state: Any) -> int:
        bot = self._bots[state.current_player()]
        # It keeps what it means to do after a knock.
        bot.restart()
        return bot.step(state)


def _others(cards: set[int]) -> list[int]:
    """The rest of the pack."""
    return [card for card in range(len(_PACK)) if card not in cards]
