"""Hidden information (H1-H4): what a seat cannot know changes nothing that it is shown, and is dealt anew fairly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import cardenvs
from suites.common import (
    CASES,
    Choose,
    Seen,
    advanced,
    cards_in_play,
    decisions,
    eager,
    every_case,
    finish,
    legal,
    live,
    pack_texts,
    raw_env,
    remakes_stock,
    scarce,
    seen_by,
    settings,
    short,
    shuffled_deck,
    uniform,
)
from suites.contracts import CONTRACTS
from suites.memory import Memory

PER_PHASE = 3
"""Positions of a phase that are looked at in one game, beside one in thirty of all."""


class Watched(NamedTuple):
    env: Any
    view: dict[str, Any]
    memory: Memory

    @property
    def open_to_all(self) -> bool:
        """Whether nothing says what the seat to act must hold: a half-laid meld does, and a half-laid contract."""
        return self.view["half_laid"] is None and not contract_begun(self.view)


def contract_begun(view: dict[str, Any]) -> bool:
    """Whether the seat to act has laid a part of its contract (V5); a seat that waits owes all or nothing."""
    if "contract" not in view or view["opened"][view["turn"]]:
        return False
    return sum(view["owed"][view["turn"]].values()) < sum(CONTRACTS[view["contract"]])


def watch(env: Any, choose: Choose, seed: int) -> Iterator[Watched]:
    """Play on to the end of the round: some positions of every phase, with what could be known in them."""
    rng, looked_at = random.Random(seed), Counter()
    view = env.view()
    memory = Memory(view)
    while live(env):
        kind = (view["phase"], not view["stock"])
        if looked_at[kind] < PER_PHASE or rng.random() < 1 / 30:
            looked_at[kind] += 1
            yield Watched(env, view, memory)
        action = choose(env, legal(env))
        env.step(action)
        before, view = view, env.view()
        memory.step(before, env.action_name(action), view)


def watched_games(variant: str, players: int, seed: int = 0) -> Iterator[Watched]:
    """Positions from games with a full stock and from such in which it is made anew again and again."""
    for options in settings(variant, players):
        env = raw_env(variant, num_players=players, render_mode="ansi", **options)
        for zeal in (0.9, 0.3):
            seed += 1
            env.reset(seed=seed)
            yield from watch(env, eager(seed, zeal, thirst=0.9), seed)


def claimants(view: dict[str, Any]) -> list[int]:
    """Seats that may still claim a discard, in the games that have claims."""
    return view.get("claimants", [])


def public(view: dict[str, Any]) -> dict[str, Any]:
    """What all at the table may see, as far as `view()` tells."""
    hidden = ("hands", "stock", "claimants")
    sizes = [len(hand) for hand in view["hands"]]
    asked = (claimants(view)[:1], sorted(claimants(view)))
    return {key: value for key, value in view.items() if key not in hidden} | {
        "sizes": sizes,
        "stock": len(view["stock"]),
        "claimants": asked,
    }


# H1, H2: what is shown -----------------------------------------------------------------------------------------------


@every_case
def test_only_the_seat_to_act_has_a_mask(variant: str, players: int) -> None:
    phases = set()
    for env, view, _ in watched_games(variant, players):
        phases.add(view["phase"])
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            assert mask.any() == (agent == env.agent_selection), agent
    every = {name.strip().lower() for name in env.game.observation.piece("phase").doc.split(",")}
    offered = "claim" if {"claim", "buy"} & {piece.name for piece in env.game.actions.pieces} else "draw"
    assert phases >= every & {"upcard", "draw", "play", "discard", offered}


@every_case
def test_a_new_deal_of_what_is_hidden_shows_nothing(variant: str, players: int) -> None:
    rng = random.Random(0)
    for env, _, _ in watched_games(variant, players):
        for agent in rng.sample(env.agents, 2):
            shown = seen_by(env, agent)
            assert seen_by(env.determinize(agent, rng.randrange(100)), agent) == shown, agent


class Recorded(NamedTuple):
    """A game from a deck that is given, as far as it was played."""

    env: Any
    deck: list[str]
    seed: int
    viewer: int
    moves: list[list[str]]
    shown: list[Seen]
    memory: Memory


def record(env: Any, deck: list[str], seed: int, viewer: int) -> Iterator[Recorded]:
    """Play on, eagerly: the game so far, at every move.

    A lay-off and the choice of its card, which is asked only of a hand that has one, are one move.
    """
    env.reset(seed=seed, options={"deck": deck})
    view, choose = env.view(), eager(seed)
    game = Recorded(env, deck, seed, viewer, [], [], Memory(view, deck))
    while live(env):
        second = view["half_laid"] is not None and game.moves[-1][0].startswith("lay_off")
        if not second:
            game.shown.append(seen_by(env, env.agents[viewer]))
            yield game
        name = env.action_name(choose(env, legal(env)))
        env.step(env.action_id(name))
        before, view = view, env.view()
        game.memory.step(before, name, view)
        if second:
            game.moves[-1].append(name)
        else:
            game.moves.append([name])


def _played(env: Any, name: str) -> bool:
    """Play an action by its name, if it is legal."""
    if not live(env) or env.action_id(name) not in legal(env):
        return False
    env.step(env.action_id(name))
    return True


def replay(game: Recorded, deck: list[str]) -> Iterator[Any]:
    """The same moves from another deck, as long as they are legal: the game before each, and after the last."""
    twin = raw_env(game.env.game.id, render_mode="ansi", **game.env.game.options)
    twin.reset(seed=game.seed, options={"deck": deck})
    yield twin
    for move in game.moves:
        if not _played(twin, move[0]):
            return
        chosen = (*move[1:], "fill natural")[0]
        if move[0].startswith("lay_off") and twin.view()["half_laid"] is not None and not _played(twin, chosen):
            return
        yield twin


@every_case
def test_games_that_differ_in_what_is_hidden_look_alike_all_along(variant: str, players: int) -> None:
    """Apart from `determinize`: another deck, the same actions, and the viewer sees the same at every step."""
    whole = 0
    for number, options in enumerate(settings(variant, players)):
        env = raw_env(variant, num_players=players, render_mode="ansi", **options)
        rng = random.Random(number)
        for game in record(env, shuffled_deck(variant, players, number), number, number % players):
            if rng.random() > 1 / 24:
                continue
            other = game.memory.another_deck(game.viewer, game.deck, rng)
            steps = 0
            for steps, (twin, shown) in enumerate(zip(replay(game, other), game.shown, strict=False), 1):
                assert seen_by(twin, twin.agents[game.viewer]) == shown, (steps, game.moves[:steps])
            whole += steps == len(game.shown) and other != game.deck
    assert whole > 0


@every_case
def test_that_a_lay_off_leaves_a_choice_is_not_shown(variant: str, players: int) -> None:
    """A choice of the card is asked of a hand that holds a wild, of no other: until it is made, all look the same."""
    for number, options in enumerate(settings(variant, players)):
        env = raw_env(variant, num_players=players, render_mode="ansi", **options)
        env.reset(seed=number)
        for action in decisions(env, eager(number)):
            if env.action_name(action).startswith("lay_off"):
                twin = env.clone()
                twin.step(action)
                if twin.view()["half_laid"]:
                    others = [agent for agent in env.agents if agent != env.agent_selection]
                    assert [seen_by(twin, agent) for agent in others] == [seen_by(env, agent) for agent in others]


@every_case
def test_known_cards_are_those_taken_in_the_open(variant: str, players: int) -> None:
    for env, view, memory in watched_games(variant, players):
        for seat in range(players):
            known = Counter(view["known"][seat])
            assert known <= memory.known[seat]
            if "pile" in env.game.observation:
                assert known == +memory.known[seat]


# H3: determinize -----------------------------------------------------------------------------------------------------


@every_case
def test_determinize_agrees_with_all_that_was_public(variant: str, players: int) -> None:
    pack = Counter(pack_texts(variant, players))
    reshuffles = 0
    for number, (env, view, memory) in enumerate(watched_games(variant, players, seed=10)):
        viewer = number % players
        reshuffles = max(reshuffles, len(memory.stocks) - 1)
        assert memory.contradiction(viewer, view) is None, "the true deal agrees with its own record"
        before = env.get_state()
        for seed in (number, number + 1):
            world = env.determinize(env.agents[viewer], seed)
            dealt = world.view()
            assert dealt["hands"][viewer] == view["hands"][viewer]
            assert public(dealt) == public(view)
            assert cards_in_play(dealt, pack.total()) == pack
            assert memory.contradiction(viewer, dealt) is None
        assert env.get_state() == before
    assert reshuffles > 1 or not (remakes_stock(variant) and scarce(variant, players).get("hand_size"))


@every_case
def test_determinize_is_one_deal_per_seed_and_varies(variant: str, players: int) -> None:
    for number, position in enumerate(watched_games(variant, players, seed=20)):
        env, view, memory = position
        viewer = number % players
        agent = env.agents[viewer]
        once, again = env.determinize(agent, number), env.determinize(agent, number)
        assert once.get_state() == again.get_state()
        if len(set(view["stock"])) > 1:
            orders = (env.determinize(agent, seed).view()["stock"] for seed in range(64))
            assert any(order != view["stock"] for order in orders)
        if position.open_to_all and memory.can_vary(viewer):
            worlds = (env.determinize(agent, seed).view()["hands"] for seed in range(64))
            assert any(hands != view["hands"] for hands in worlds)


SINGLE = [(variant, players) for variant, players in CASES if cardenvs.make_game(variant).pack.copies == 1]


@pytest.mark.parametrize(("variant", "players"), SINGLE)
def test_every_hidden_card_is_as_likely_everywhere(variant: str, players: int) -> None:
    """With one copy of each card and one stock so far, all deals are equally likely."""
    env = raw_env(variant, num_players=players, **short(variant))
    env.reset(seed=5)
    advanced(env, uniform(5), 8)
    while env.view()["phase"] != "draw":
        env.step(legal(env)[-1])
    view, deals = env.view(), 400
    sizes = [len(hand) - len(known) for hand, known in zip(view["hands"], view["known"], strict=True)]
    found = Counter()
    for seed in range(deals):
        dealt = env.determinize(env.agents[0], seed).view()
        for seat in range(1, players):
            found.update((seat, card) for card in (Counter(dealt["hands"][seat]) - Counter(view["known"][seat])))
    cards = set(view["stock"])
    for seat in range(1, players):
        cards.update(Counter(view["hands"][seat]) - Counter(view["known"][seat]))
    for seat in range(1, players):
        share = sizes[seat] / len(cards)
        for card in cards:
            assert abs(found[seat, card] - deals * share) < 5 * (deals * share * (1 - share)) ** 0.5, (seat, card)


@every_case
def test_a_world_can_be_played_to_its_end(variant: str, players: int) -> None:
    pack = Counter(pack_texts(variant, players))
    for number, position in enumerate(watched_games(variant, players, seed=30)):
        if position.open_to_all and number % 4 == 0:
            viewer = position.env.agents[number % players]
            world = position.env.determinize(viewer, number)
            finish(world, eager(number))
            assert world.view()["ended"]
            assert cards_in_play(world.view(), pack.total()) == pack


@every_case
def test_a_half_laid_meld_can_be_finished_in_every_world(variant: str, players: int) -> None:
    """All saw the meld begin, so all know that the seat to act holds what finishes it (G6)."""
    for number, (env, view, _) in enumerate(watched_games(variant, players, seed=30)):
        if view["half_laid"] is None:
            continue
        viewer = (view["seat"] + 1 + number % (players - 1)) % players
        for seed in range(2):
            world = env.determinize(env.agents[viewer], seed)
            assert legal(world), f"player_{viewer} deals player_{view['seat']} {world.view()['hands'][view['seat']]}"
            while world.view()["half_laid"]:
                world.step(legal(world)[0])


@pytest.mark.parametrize("half_laid", [False, True])
@every_case
def test_a_world_could_have_come_about_by_the_same_actions(variant: str, players: int, half_laid: bool) -> None:
    """Played again from the deck that leads to the world, every move is legal, and leads to the world."""
    for number in range(2):
        env = raw_env(variant, num_players=players, render_mode="ansi", **short(variant))
        rng = random.Random(number)
        for game in record(env, shuffled_deck(variant, players, number), number, number % players):
            if len(game.memory.stocks) > 1:
                break
            if rng.random() > (0.5 if half_laid else 1 / 16) or (env.view()["half_laid"] is not None) != half_laid:
                continue
            world = env.determinize(env.agents[game.viewer], number).view()
            deck = game.memory.deck_of(game.viewer, game.deck, world)
            twins = list(replay(game, deck))
            assert len(twins) == len(game.shown), f"illegal in the world: ... {game.moves[: len(twins)][-4:]}"
            assert twins[-1].view()["hands"] == world["hands"]


@every_case
def test_who_is_asked_later_is_not_known(variant: str, players: int) -> None:
    for env, view, _ in watched_games(variant, players, seed=40):
        if len(claimants(view)) > 2:
            worlds = [claimants(env.determinize(env.agents[0], seed).view()) for seed in range(32)]
            assert (len({tuple(world) for world in worlds}) > 1) == (env.game.options.get("claim_order") == "random")


def test_stocks_past_the_31st_are_told_apart() -> None:
    """Drawing and discarding alone, from a stock of few cards that is made anew again and again."""
    env = raw_env("number_cachons_v0", num_players=8, hand_size=11)
    env.reset(seed=1)
    view, rng = env.view(), random.Random(0)
    memory = Memory(view)
    while len(memory.stocks) < 42:
        names = [env.action_name(action) for action in legal(env)]
        wanted = [name for name in names if name in ("draw_stock", "pass") or name.startswith("discard")]
        name = rng.choice(wanted or names)
        env.step(env.action_id(name))
        before, view = view, env.view()
        memory.step(before, name, view)
        if len(memory.stocks) > 32 and view["phase"] == "draw" and view["turn"] == 0:
            assert memory.contradiction(0, env.determinize("player_0", len(memory.stocks)).view()) is None


def test_the_record_catches_an_unfair_deal() -> None:
    """The onlooker's own test: a deal that forgets from which stock a card came is found out."""
    variant, players = "rummy_v0", 4
    env = raw_env(variant, num_players=players, **scarce(variant, players))
    caught = 0
    for seed in range(4):
        env.reset(seed=seed)
        for _, view, memory in watch(env, eager(seed), seed):
            hands = [list(hand) for hand in view["hands"]]
            hidden = [sorted((Counter(hands[s]) - memory.known[s]).elements()) for s in range(players)]
            cards = [card for cards in hidden[1:] for card in cards] + view["stock"]
            random.Random(seed).shuffle(cards)
            for seat in range(1, players):
                dealt = [cards.pop() for _ in hidden[seat]]
                hands[seat] = [*memory.known[seat].elements(), *dealt]
            contradiction = memory.contradiction(0, {**view, "hands": hands, "stock": cards})
            assert contradiction is None or len(memory.stocks) > 1
            caught += contradiction is not None
    assert caught > 10


# H4: clone(reseed) ---------------------------------------------------------------------------------------------------


@every_case
def test_a_reseeded_clone_differs_in_what_is_undrawn(variant: str, players: int) -> None:
    emptied = 0
    for number, (env, view, _) in enumerate(watched_games(variant, players, seed=50)):
        before = env.get_state()
        twin, again, other = (env.clone(reseed=seed) for seed in (number, number, number + 1))
        assert env.get_state() == before
        assert twin.get_state() == again.get_state() != other.get_state()
        found = twin.view()
        assert Counter(found["stock"]) == Counter(view["stock"])
        assert {**found, "stock": None} == {**view, "stock": None}
        for agent in env.agents:
            assert seen_by(twin, agent) == seen_by(env, agent)
        if len(set(view["stock"])) > 1:
            assert any(env.clone(reseed=seed).view()["stock"] != view["stock"] for seed in range(64))
        if view["phase"] == "draw" and not view["stock"] and len(set(view["pile"][:-1])) > 1:
            emptied += 1
            draw = env.action_id("draw_stock")
            stocks = set()
            for seed in range(64):
                twin = env.clone(reseed=seed)
                twin.step(draw)
                stocks.add(tuple(twin.view()["stock"]))
            assert len(stocks) > 1, "later shuffles follow the new seed"
    assert emptied or not (remakes_stock(variant) and scarce(variant, players).get("hand_size"))
