"""One deal of gin rummy played in OpenSpiel and here, decision by decision, and compared at each.

OpenSpiel asks for melds and lay-offs after a knock, where ours finds them: it is given ours, and each must be among its
legal ones. Where the two differ the difference must be a known one (`Difference`), whose condition is worked out here
from the cards alone; it is counted, and anything else fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

import numpy as np
import pytest
from by_trying import PACK, least_after_lay_offs, least_deadwood, points

from cardenvs import gin_rummy_v0

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: the extra `outside` has it")

SPIEL_PACK = tuple(rank + suit for suit in "scdh" for rank in "A23456789TJQK")
SPIEL_CARD = {card: number for number, card in enumerate(SPIEL_PACK)}
OURS = np.array([SPIEL_CARD[card] for card in PACK])
"""OpenSpiel's numbers of the cards in our order."""

SPIEL_NAMES = {
    pyspiel.gin_rummy.DRAW_UPCARD_ACTION: "draw_top",
    pyspiel.gin_rummy.DRAW_STOCK_ACTION: "draw_stock",
    pyspiel.gin_rummy.PASS_ACTION: "pass",
} | {number: f"discard {card}" for card, number in SPIEL_CARD.items()}
SPIEL_ACTIONS = {name: action for action, name in SPIEL_NAMES.items()}
PASS, KNOCK, MELD = (
    pyspiel.gin_rummy.PASS_ACTION,
    pyspiel.gin_rummy.KNOCK_ACTION,
    pyspiel.gin_rummy.MELD_ACTION_BASE,
)
Phase = pyspiel.gin_rummy.Phase
UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)

PILE_DRAWS = 50
"""So many draws of the pile's top, the first upcard not counted, end a hand of OpenSpiel (`ApplyDrawAction`)."""

Choose = Callable[["BothGames"], str]


class Difference(StrEnum):
    """Where OpenSpiel's game is another one; the clause is that of ours."""

    WALL_KNOCK = "with two cards left its next player may knock with the last discard; J7: the round is void"
    EQUAL = "equal deadwood pays nothing; J6: an undercut"
    PUT_BACK = "two players in a row who put back the top that they took end its hand; G4 allows it"
    PILE_DRAWS = "fifty draws from the pile end its hand; G3: only `max_turns` does"
    OVERLOOKED = "knocks that need other melds than those best for all eleven cards are not offered; J4: they are"


@cache
def fresh_state(**parameters: Any) -> Any:
    """OpenSpiel's state before the deal: to be cloned, since a new one takes it milliseconds."""
    return pyspiel.load_game("gin_rummy", parameters).new_initial_state()


@cache
def environment(**options: Any) -> Any:
    """Our environment, at whose turn cap no round of OpenSpiel arrives."""
    return gin_rummy_v0.raw_env(max_turns=1000, **options)


def deal_spiel(deck: Sequence[str], **parameters: Any) -> Any:
    """The state after the deal: ours deals in turn, theirs one hand after the other."""
    state = fresh_state(**parameters).clone()
    for card in (*deck[0:20:2], *deck[1:20:2], deck[20]):
        state.apply_action(SPIEL_CARD[card])
    return state


def spiel_names(state: Any) -> set[str]:
    """The legal actions of a state under our names: a knock and the discard after it are one action of ours."""
    actions = state.legal_actions()
    names = {SPIEL_NAMES[action] for action in actions if action != KNOCK}
    if KNOCK in actions:
        knocked = state.clone()
        knocked.apply_action(KNOCK)
        names.update(f"knock {SPIEL_PACK[card]}" for card in knocked.legal_actions())
    return names


class BothGames:
    """A deal in both games, always in the same position.

    Args:
        deck: texts of the pack, first card dealt first.
        **options: `knock_card`, `gin_bonus`, `undercut_bonus`, `oklahoma`; both games know them by these names.

    Attributes:
        state: OpenSpiel's.
        rows: int16 `[D]` of each seat.
        mask: int8 `[A]` of the seat to act.
        legal: what both allow, by our names; knocks that OpenSpiel overlooks are left out.
        put_back: players in a row who have discarded the top that they took.
        pile_draws: draws of the pile's top, the first upcard not counted.
        taken: the top that the player to discard took.
        over: whether the comparison has come to its end.
        differences: how often they differed, and why.
    """

    def __init__(self, deck: Sequence[str], **options: Any) -> None:
        self.env = environment(**options)
        self.env.reset(options={"deck": list(deck)})
        self.game = self.env.game
        self.state = deal_spiel(deck, **options)
        self.over, self.put_back, self.pile_draws = False, 0, 0
        self.taken: str | None = None
        self.differences: Counter[Difference] = Counter()
        self._deck = list(deck)
        assert self.game.pack.labels == PACK
        self._look()

    @property
    def seat(self) -> int:
        """Who is to act."""
        return self.env.possible_agents.index(self.env.agent_selection)

    @property
    def seen(self) -> dict[str, Any]:
        """Our view of the whole game."""
        return self.env.view()

    def play(self, name: str) -> None:
        """Play an action that both allow, and compare what has become of it."""
        assert name in self.legal, f"{name!r} is not among {sorted(self.legal)}"
        seat, (verb, _, card) = self.seat, name.partition(" ")
        upcard, is_first = self.state.upcard(), "pass" in self.legal
        self.env.step(self.game.action_id(name))
        if verb == "knock":
            self._lay_down(seat, card)
            return
        self.state.apply_action(SPIEL_ACTIONS[name])
        if self.state.is_chance_node():
            self.state.apply_action(SPIEL_CARD[self._deck[-self.state.stock_size()]])
        if verb == "draw_top":
            self.taken = SPIEL_PACK[upcard]
            self.pile_draws += not is_first
        elif verb == "draw_stock":
            self.taken = None
        elif verb == "discard":
            self.put_back = self.put_back + 1 if card == self.taken else 0
        if not self._ends():
            self._look()

    # What is equal at every decision ----------------------------------------------------------------------------------

    def _look(self) -> None:
        """Seat, cards, limit, deadwood and legal actions."""
        state, layout = self.state, self.game.observation
        assert state.current_player() == self.seat
        shown = [self.env.observe(agent) for agent in self.env.possible_agents]
        self.rows = [np.rint(seen["observation"] / layout.scale).astype(np.int16) for seen in shown]
        self.mask = shown[self.seat]["action_mask"]
        self.legal = {self.game.action_names[action] for action in np.flatnonzero(self.mask)}
        upcard = [] if state.upcard() is None else [state.upcard()]
        for row, hand, deadwood in zip(self.rows, state.hands(), state.deadwood(), strict=True):
            assert self._cards(row, "hand") == sorted(hand)
            assert self._cards(row, "pile_top") == (upcard or state.discard_pile()[-1:])
            assert self._cards(row, "pile") == sorted(state.discard_pile() + upcard)
            assert row[layout.offset("stock_size")] == state.stock_size()
            assert row[layout.offset("knock_limit")] == state.knock_card()
            if len(hand) == 11:
                # Ours counts what all eleven leave; theirs, what is left without the dearest of it.
                deadwood = UTILS.total_card_value(hand) - UTILS.total_card_value(UTILS.best_meld_group(hand))
            assert row[layout.offset("deadwood")] == deadwood
        theirs = spiel_names(state)
        if theirs != self.legal:
            self._overlooked(theirs)
            self.legal = theirs

    def _cards(self, row: np.ndarray, piece: str) -> list[int]:
        """OpenSpiel's numbers of the cards that a piece of a row shows, sorted."""
        first = self.game.observation.offset(piece)
        return sorted(OURS[row[first : first + len(OURS)] > 0].tolist())

    def _overlooked(self, theirs: set[str]) -> None:
        """J4: a knock is legal where ten cards leave little enough; theirs looks at the best melds of eleven."""
        hand, limit = self.state.hands()[self.seat], self.state.knock_card()
        knocks = {name for name in self.legal if name.startswith("knock")}
        assert self.legal - knocks == theirs
        assert UTILS.min_deadwood(hand) > limit
        without = {card: [SPIEL_PACK[held] for held in hand if held != card] for card in hand}
        enough = [SPIEL_PACK[card] for card, rest in without.items() if least_deadwood(rest) <= limit]
        assert knocks == {f"knock {card}" for card in enough}
        self.differences[Difference.OVERLOOKED] += 1

    # How a round ends -------------------------------------------------------------------------------------------------

    def _ends(self) -> bool:
        """Whether the round has ended in one of the games without a knock."""
        wall = self.state.current_phase() == Phase.WALL
        if self.put_back == 2 or self.pile_draws == PILE_DRAWS:
            assert self.state.is_terminal()
            assert self.state.returns() == [0, 0]
            self.differences[Difference.PUT_BACK if self.put_back == 2 else Difference.PILE_DRAWS] += 1
            self.over = True
        else:
            assert not self.state.is_terminal()
            assert wall == self._is_over()
            if wall:
                self._void()
        return self.over

    def _is_over(self) -> bool:
        return any(self.env.terminations.values()) or any(self.env.truncations.values())

    def _void(self) -> None:
        """J7: two cards are left."""
        state, seen = self.state, self.seen
        assert seen["ended"] == "void"
        assert len(seen["stock"]) == state.stock_size() == 2
        # The next player would take the top and knock.
        hand = [*seen["hands"][state.current_player()], seen["pile"][-1]]
        if UTILS.min_deadwood([SPIEL_CARD[card] for card in hand]) <= seen["knock_limit"]:
            assert sorted(state.legal_actions()) == [PASS, KNOCK]
            self.differences[Difference.WALL_KNOCK] += 1
        else:
            assert state.legal_actions() == [PASS]
        state.apply_action(PASS)
        self._compare_points(seen)

    def _lay_down(self, knocker: int, card: str) -> None:
        """J5: both lay their melds as ours does, which nobody could do better, and the other lays off."""
        state, seen, other = self.state, self.seen, 1 - knocker
        hands = [[SPIEL_PACK[held] for held in hand if held != SPIEL_CARD[card]] for hand in state.hands()]
        laid = [[meld for meld in seen["melds"] if meld["seat"] == seat] for seat in (0, 1)]
        own = [[held for held in meld["cards"] if held not in meld["laid_off"]] for meld in laid[knocker]]
        self._apply(KNOCK, SPIEL_CARD[card])
        self._lay(own)
        left = least_deadwood(hands[knocker])
        assert state.deadwood()[knocker] == points(seen["hands"][knocker]) == left
        assert (seen["ended"] == "gin") == (left == 0)
        laid_off = {held for meld in laid[knocker] for held in meld["laid_off"]}
        while laid_off:
            # One end after the other: the next card of a run is legal once the card before it lies there.
            fits = laid_off & {SPIEL_PACK[held] for held in state.legal_actions() if held < PASS}
            assert fits, f"OpenSpiel lets nobody lay off {laid_off} on {own}"
            lies = fits.pop()
            self._apply(SPIEL_CARD[lies])
            laid_off.remove(lies)
        if seen["ended"] != "gin":
            self._apply(PASS)
        self._lay([meld["cards"] for meld in laid[other]])
        least = least_deadwood(hands[other]) if left == 0 else least_after_lay_offs(hands[other], own)
        assert state.deadwood()[other] == points(seen["hands"][other]) == least
        self._compare_points(seen, knocker, left, least)

    def _apply(self, *actions: int) -> None:
        for action in actions:
            assert action in self.state.legal_actions(), self.state.action_to_string(action)
            self.state.apply_action(action)

    def _lay(self, melds: Sequence[Sequence[str]]) -> None:
        """Lay melds in OpenSpiel, which cuts runs of six and more into shorter ones."""
        for meld in melds:
            cards = [SPIEL_CARD[card] for card in meld]
            while len(cards) > 5:
                self._apply(MELD + UTILS.meld_to_int(cards[:3]))
                cards = cards[3:]
            self._apply(MELD + UTILS.meld_to_int(cards))
        self._apply(PASS)

    def _compare_points(self, seen: dict[str, Any], knocker: int = -1, left: int = 0, least: int = 0) -> None:
        """J6: the same winner and the same points."""
        assert self.state.is_terminal()
        scores, winners, theirs = seen["round_scores"], seen["winners"], self.state.returns()
        if knocker >= 0 and left == least and left > 0:
            assert theirs == [0, 0]
            assert winners == [1 - knocker]
            assert scores[1 - knocker] == self.game.options["undercut_bonus"]
            assert scores[knocker] == 0
            self.differences[Difference.EQUAL] += 1
        else:
            assert scores == [max(paid, 0) for paid in theirs]
            assert winners == [seat for seat in (0, 1) if theirs[seat] > 0]
        rewards = [self.env.rewards[agent] * self.game.score_scale for agent in self.env.possible_agents]
        assert rewards == pytest.approx([scores[0] - scores[1], scores[1] - scores[0]])
        assert all(self.env.terminations.values())
        self.over = True


def play_both(deck: Sequence[str], players: Sequence[Choose], **options: Any) -> BothGames:
    """Play a deal to its end, seat s by `players[s]`."""
    both = BothGames(deck, **options)
    while not both.over:
        both.play(players[both.seat](both))
    return both
