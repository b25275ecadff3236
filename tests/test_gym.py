"""The Gymnasium views: against the AEC environment, against each other, against Gymnasium's own checks."""

from __future__ import annotations

import copy
import importlib
import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import cardenvs
from cardenvs.games import VARIANTS
from cardenvs.gym import GymEnv, GymVectorEnv, make_gym, make_gym_vec

SEATS = [(id, n) for id, variant in VARIANTS.items() for n in sorted({*variant.players, variant.default_players})]
"""Every variant with its least, usual and greatest number of players."""


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play(env: GymEnv, rng: np.random.Generator) -> tuple[float, list[tuple[Any, ...]]]:
    """The rest of an episode: its return, and everything that `step` said."""
    said: list[tuple[Any, ...]] = []
    mask = env._table.mask
    while not said or not (said[-1][2] or said[-1][3]):
        said.append(env.step(pick(mask, rng)))
        mask = said[-1][4]["action_mask"]
    return sum(step[1] for step in said), said


# Against the other views (S7) -----------------------------------------------------------------------------------------


def through_aec(aec: Any, seat: int, bots: list[Any], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """An episode that was just reset: all that the agent hears at each of its turns, and the action that it takes."""
    owed = 0.0  # rounds of a match that ended before the agent's first decision
    first = True
    for agent in aec.agent_iter():
        seen, paid, terminated, truncated, _ = aec.last()
        over = terminated or truncated
        if agent == f"player_{seat}":
            action = None if over else pick(seen["action_mask"], rng)
            owed += paid
            yield seen, 0.0 if first else owed, terminated, truncated, action
            first, owed = False, owed if first else 0.0
        else:
            left = (aec.possible_agents.index(agent) - seat - 1) % len(aec.possible_agents)
            row = np.rint(seen["observation"] / aec.game.observation.scale).astype(np.int16)
            action = None if over else int(bots[left].act(row[None], seen["action_mask"][None])[0])
        aec.step(action)


@pytest.mark.parametrize(("id", "players"), SEATS)
@pytest.mark.parametrize("match", [False, True])
def test_agrees_with_the_aec_environment(id: str, players: int, match: bool) -> None:
    """S7: same seed, same actions, decision by decision, also in the episodes that follow a seeded one."""
    options: dict[str, Any] = {"num_players": players, "match": match, "max_turns": 30}
    seat, names = players - 1, ["greedy" if i % 2 == 0 else "random" for i in range(players - 1)]
    aec, env = importlib.import_module(f"cardenvs.{id}").raw_env(**options), make_gym(id, seat, names, **options)
    bots = [cardenvs.make_bot(aec.game, name, 11 + number) for number, name in enumerate(names)]
    for seed in [11] if match else [11, None, None]:
        aec.reset(seed=seed)
        observation, info = env.reset(seed=seed)
        said: tuple[Any, ...] = observation, 0.0, False, False, info
        for seen, paid, terminated, truncated, action in through_aec(aec, seat, bots, np.random.default_rng(1)):
            assert said[1:4] == (pytest.approx(paid), terminated, truncated)
            assert data_equivalence(seen, said[0])
            assert data_equivalence(seen["action_mask"], said[4]["action_mask"])
            if action is not None:
                said = env.step(action)
        assert said[4]["scores"].tolist() == aec.view()["scores"]
        assert np.flatnonzero(said[4]["winners"]).tolist() == aec.view()["winners"]


@pytest.mark.parametrize(("id", "players"), SEATS)
@pytest.mark.parametrize("seat", ["rotate", 0])
def test_batch_agrees_with_single_environments(id: str, players: int, seat: Any) -> None:
    """S7: the vector view is Gymnasium's own batch of the single view, in everything that it returns."""
    options: dict[str, Any] = {"num_players": players, "max_turns": 5}
    if any(option.name == "hand_size" for option in VARIANTS[id].options):
        options |= {"hand_size": 4, "max_turns": 12}
    n, rng = 3, np.random.default_rng(2)
    ours = make_gym_vec(id, n, seat, **options)
    theirs = SyncVectorEnv(
        [lambda: make_gym(id, seat, **options)] * n, autoreset_mode=AutoresetMode.SAME_STEP, copy=True
    )
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    ended = 0
    for seed in (5, None):
        assert data_equivalence(ours.reset(seed=seed), theirs.reset(seed=seed))
        for _ in range(60):
            actions = np.array([pick(mask, rng) for mask in ours._now.mask])
            ours_step, theirs_step = ours.step(actions), theirs.step(actions)
            infos, expected = ours_step[4], theirs_step[4]
            # Gymnasium's comparison knows no arrays of objects.
            for a, b in zip(infos.pop("final_obs", []), expected.pop("final_obs", []), strict=True):
                assert data_equivalence(a, b)
            assert data_equivalence(ours_step[0], theirs_step[0])
            assert data_equivalence(infos, expected)
            for a, b in zip(ours_step[1:4], theirs_step[1:4], strict=True):
                np.testing.assert_array_equal(a, b)
            ended += int((ours_step[2] | ours_step[3]).sum())
    assert ended > 0


def test_rewards_of_a_match_are_all_paid() -> None:
    """Rounds that end before the first decision pay with it: the sum is that of the match."""
    options: dict[str, Any] = {"match": True, "rounds": 30, "hand_size": 3}
    env = make_gym("rummy_v0", 1, **options)
    vec = make_gym_vec("rummy_v0", 1, 1, **options)
    rng = np.random.default_rng(3)
    env.reset(seed=8)
    vec.reset(seed=8)
    total, said = play(env, rng)
    scores, rng, batched = said[-1][4]["scores"], np.random.default_rng(3), 0.0
    assert total == pytest.approx((scores[1] - scores[0]) / env.game.score_scale)
    while True:
        _, reward, terminated, _, _ = vec.step(np.array([pick(vec._now.mask[0], rng)]))
        batched += reward[0]
        if terminated[0]:
            break
    assert batched == pytest.approx(total)


def test_an_episode_without_a_decision_is_left_out() -> None:
    """Hands of three: the first seat sometimes goes out in its first turn. The agent still sees a live game."""
    env = make_gym("rummy_v0", 1, hand_size=3)
    aec = cardenvs.rummy_v0.raw_env(hand_size=3)
    bot, skipped = cardenvs.make_bot(aec.game, "greedy"), 0
    for seed in range(300):
        aec.reset(seed=seed)
        while aec.agents and aec.agent_selection == "player_0" and not any(aec.terminations.values()):
            seen = aec.observe("player_0")
            row = np.rint(seen["observation"] / aec.game.observation.scale).astype(np.int16)
            aec.step(int(bot.act(row[None], seen["action_mask"][None])[0]))
        observation, _ = env.reset(seed=seed)
        assert observation["action_mask"].any()
        if any(aec.terminations.values()):
            skipped += 1
        else:
            np.testing.assert_array_equal(observation["observation"], aec.observe("player_1")["observation"])
    assert skipped > 0


# Gymnasium's own checks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "players"), SEATS)
def test_check_env(id: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"cardenvs/{id.replace('_', '-')}", num_players=players, render_mode="ansi")
        check_env(env.unwrapped)


@pytest.mark.parametrize("id", cardenvs.variants())
def test_registered_with_gymnasium(id: str) -> None:
    name, players = f"cardenvs/{id.replace('_', '-')}", min(3, VARIANTS[id].players[1])
    env = gymnasium.make(name, num_players=players, seat="rotate", opponents="random", max_turns=20)
    assert isinstance(env.unwrapped, GymEnv)
    assert env.unwrapped.game.options["max_turns"] == 20
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    batch = gymnasium.make_vec(name, num_envs=2, vectorization_mode="vector_entry_point", num_players=players)
    assert isinstance(batch.unwrapped, GymVectorEnv)
    assert batch.num_envs == 2
    alone = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", num_players=players)
    assert alone.reset(seed=1)[0]["observation"].shape == batch.reset(seed=1)[0]["observation"].shape


@pytest.mark.parametrize("id", cardenvs.variants())
def test_every_observation_is_in_its_space(id: str) -> None:
    env, rng = make_gym(id, "rotate", "random", match=True, max_turns=5), np.random.default_rng(4)
    observation, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    _, said = play(env, rng)
    assert all(env.observation_space.contains(step[0]) for step in said)
    vec = make_gym_vec(id, 4, "rotate", max_turns=3)
    observation, _ = vec.reset(seed=3)
    for _ in range(40):
        assert vec.observation_space.contains(observation)
        observation, *_ = vec.step(np.array([pick(mask, rng) for mask in observation["action_mask"]]))


def test_gymnasium_counts_our_episodes() -> None:
    """`RecordEpisodeStatistics` reads the autoreset mode that the view declares."""
    vec, rng = RecordEpisodeStatistics(make_gym_vec("rummy_v0", 4, max_turns=10)), np.random.default_rng(5)
    observation, _ = vec.reset(seed=1)
    for _ in range(200):
        observation, reward, terminated, truncated, infos = vec.step(
            np.array([pick(mask, rng) for mask in observation["action_mask"]])
        )
        for i in np.flatnonzero(terminated | truncated):
            # A round pays once, at its end.
            assert infos["episode"]["r"][i] == pytest.approx(reward[i])
            scores = infos["final_info"]["scores"][i]
            assert reward[i] == pytest.approx((scores[0] - scores[1]) / 50)
    assert vec.episode_count > 4


# The life of an episode -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", cardenvs.variants())
def test_an_illegal_action_ends_the_episode_at_a_penalty(id: str) -> None:
    env = make_gym(id)
    observation, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    observation, reward, terminated, truncated, info = env.step(illegal)
    assert (terminated, truncated) == (True, False)
    assert reward == env.game.illegal_reward < -1
    assert info["illegal"] == env.game.action_name(illegal)
    assert not observation["action_mask"].any()
    with pytest.raises(ResetNeeded):
        env.step(illegal)
    # M4: a reset with a seed equals a fresh environment's.
    assert data_equivalence(env.reset(seed=9), make_gym(id).reset(seed=9))


def test_an_illegal_action_in_a_batch_moves_nothing() -> None:
    vec = make_gym_vec("rummy_v0", 3)
    observation, _ = vec.reset(seed=1)
    legal = observation["action_mask"].argmax(axis=1)
    wrong = legal.copy()
    wrong[1] = observation["action_mask"][1].argmin()
    before = vec._table.get_state()
    with pytest.raises(ValueError, match="of game 1 is illegal: allowed are"):
        vec.step(wrong)
    for unfit in (legal[:2], legal.astype(float), np.full(3, vec.game.num_actions), np.full(3, -1)):
        with pytest.raises(ValueError, match="action"):
            vec.step(unfit)
    assert vec._table.get_state() == before
    vec.step(legal)


def test_a_truth_value_is_no_action() -> None:
    env = make_gym("rummy_v0", 0)
    _, info = env.reset(seed=1)
    with pytest.raises(ValueError, match="action True: allowed are integers from 0"):
        env.step(True)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))  # the episode goes on


def test_order_is_enforced() -> None:
    env, vec = make_gym("rummy_v0", render_mode="ansi"), make_gym_vec("rummy_v0", 2)
    for too_early in (lambda: env.step(0), env.render, lambda: vec.step(np.zeros(2, int))):
        with pytest.raises(ResetNeeded):
            too_early()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action 100000"):
        env.step(100_000)
    with pytest.raises(ValueError, match=r"action 1\.5"):
        env.step(1.5)  # type: ignore[arg-type]


def test_truncation_is_no_termination() -> None:
    """L2."""
    env = make_gym("rummy_v0", 0, "random", max_turns=1)
    env.reset(seed=1)
    _, said = play(env, np.random.default_rng(0))
    assert said[-1][2:4] == (False, True)
    assert not said[-1][4]["winners"].any()


def test_used_environment_with_a_seed_equals_a_fresh_one() -> None:
    """S2, with players that draw at random and a seat that rotates."""
    used, fresh = (make_gym("rummy_v0", "rotate", "random", num_players=3) for _ in range(2))
    used.reset(seed=1)
    play(used, np.random.default_rng(1))
    used.reset()
    assert data_equivalence(used.reset(seed=7), fresh.reset(seed=7))
    assert data_equivalence(play(used, np.random.default_rng(2)), play(fresh, np.random.default_rng(2)))
    assert data_equivalence(used.reset(), fresh.reset())


def test_without_a_seed_the_first_deal_differs() -> None:
    first, second = (make_gym("rummy_v0").reset()[0]["observation"] for _ in range(2))
    assert not np.array_equal(first, second)


def test_a_deep_copy_goes_on_alike() -> None:
    """S1."""
    env = make_gym("cachons_v0", 1, "random")
    env.reset(seed=4)
    twin = copy.deepcopy(env)
    assert data_equivalence(play(env, np.random.default_rng(6)), play(twin, np.random.default_rng(6)))


def test_what_was_returned_is_never_written_again() -> None:
    """S5."""
    env, vec, rng = make_gym("rummy_v0"), make_gym_vec("rummy_v0", 2, max_turns=4), np.random.default_rng(7)
    env.reset(seed=1)
    _, said = play(env, rng)
    observation, infos = vec.reset(seed=1)
    kept: list[tuple[Any, ...]] = [(observation, infos)]
    frozen = [copy.deepcopy(kept[0])]
    for _ in range(40):
        kept.append(vec.step(np.array([pick(mask, rng) for mask in kept[-1][0]["action_mask"]])))
        frozen.append(copy.deepcopy(kept[-1]))
    for now, then in zip(kept, frozen, strict=True):
        assert data_equivalence(now[0], then[0])
        assert data_equivalence(now[-1]["action_mask"], then[-1]["action_mask"])
    rows = [step[0]["observation"] for step in said]
    assert not any(np.shares_memory(a, b) for a, b in itertools.pairwise(rows))


def test_people_are_shown_the_table_as_it_changes(capsys: pytest.CaptureFixture[str]) -> None:
    env, shown = make_gym("rummy_v0", 1, render_mode="human"), make_gym("rummy_v0", 1, render_mode="ansi")
    assert env.metadata["render_modes"] == ["human", "ansi"]
    observation, _ = env.reset(seed=2)
    shown.reset(seed=2)
    assert capsys.readouterr().out == f"{shown.render()}\n"
    action = int(observation["action_mask"].argmax())
    env.step(action)
    shown.step(action)
    assert capsys.readouterr().out == f"{shown.render()}\n"
    assert env.render() is None
    assert capsys.readouterr().out == f"{shown.render()}\n"


def test_the_table_is_shown_as_the_agent_sees_it() -> None:
    env = make_gym("rummy_v0", 1, render_mode="ansi")
    env.reset(seed=2)
    aec = cardenvs.rummy_v0.raw_env(render_mode="ansi")
    aec.reset(seed=2)
    text = env.render()
    assert text is not None
    assert "??" in text
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert make_gym("rummy_v0").render() is None


# Seats and opponents --------------------------------------------------------------------------------------------------


def test_the_seat_rotates() -> None:
    env = make_gym("rummy_v0", "rotate", num_players=3, max_turns=1)
    seats = []
    for seed in (4, None, None, 9, None):
        seats.append(env.reset(seed=seed)[1]["seat"])
        play(env, np.random.default_rng(0))
    assert seats == [1, 2, 0, 0, 1]
    assert make_gym("rummy_v0", 1).reset(seed=6)[1]["seat"] == 1


def test_each_opponent_plays_its_own_seat() -> None:
    """Counted from the agent's left; a player in two seats is asked for both."""

    class Noting:
        def __init__(self) -> None:
            self.seats: set[int] = set()

        def act(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
            self.seats.add(env._table.seat)
            return mask.argmax(axis=1)

    first, second = Noting(), Noting()
    env = make_gym("rummy_v0", 1, [first, second, first], num_players=4, max_turns=3)
    env.reset(seed=5)
    play(env, np.random.default_rng(1))
    assert (first.seats, second.seats) == ({2, 0}, {3})


class Failing:
    """Plays the lowest legal action, until it is told to fail."""

    name = "failing"

    def __init__(self) -> None:
        self.way = ""

    def act(self, obs: np.ndarray, mask: np.ndarray) -> Any:
        chosen = mask.argmax(axis=1)
        if self.way == "raises":
            raise ZeroDivisionError("one by nothing")
        wrong = {"none": None, "shape": chosen[:, None], "float": chosen + 0.5, "outside": chosen - 1000}
        return {**wrong, "illegal": mask.argmin(axis=1), "ragged": [[1], [1, 2]]}.get(self.way, chosen)


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("raises", "opponent 'failing' raised ZeroDivisionError: one by nothing"),
        ("none", "opponent 'failing' returned None"),
        ("shape", r"opponent 'failing' returned array.*, int64 \(\d, 1\): allowed are \d integers"),
        ("float", "opponent 'failing' returned array.*float64"),
        ("ragged", r"opponent 'failing' returned \[\[1\], \[1, 2\]\]"),
        ("outside", r"opponent 'failing' returned -\d+, which is illegal; allowed are \["),
        ("illegal", r"opponent 'failing' returned \d+, which is illegal; allowed are \["),
    ],
)
def test_an_opponent_that_fails_is_named_and_a_reset_mends_it(way: str, message: str, batched: bool) -> None:
    """In a step and in a reset: the episode is lost, and the next seeded one is that of a fresh environment."""

    def make(opponent: Failing) -> Any:
        options: dict[str, Any] = {"num_players": 3, "max_turns": 5}
        return (
            make_gym_vec("rummy_v0", 2, 2, opponent, **options)
            if batched
            else make_gym("rummy_v0", 2, opponent, **options)
        )

    def pass_turn(env: Any, observation: Any) -> Any:
        for _ in range(40):
            observation = env.step(observation["action_mask"].argmax(axis=-1))[0]
        return observation

    opponent = Failing()
    env, fresh = make(opponent), make(Failing())
    observation, _ = env.reset(seed=1)
    opponent.way = way
    with pytest.raises(ValueError, match=message):
        pass_turn(env, observation)
    for _ in range(2):
        with pytest.raises(ResetNeeded):
            env.step(observation["action_mask"].argmax(axis=-1))
        with pytest.raises(ValueError, match=message):
            env.reset(seed=5)
    opponent.way = ""
    assert data_equivalence(env.reset(seed=7), fresh.reset(seed=7))
    for _ in range(3):
        actions = fresh._now.mask.argmax(axis=1) if batched else int(fresh._table.mask.argmax())
        ours, theirs = env.step(actions), fresh.step(actions)
        assert data_equivalence(ours[0], theirs[0])
        assert data_equivalence(ours[4], theirs[4])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seat": 2}, "seat=2: allowed are 0 to 1 and 'rotate'"),
        ({"seat": True}, "seat=True"),
        ({"seat": "left"}, "seat='left'"),
        ({"opponents": "genius"}, "no bot 'genius': allowed are random, greedy"),
        ({"opponents": ["greedy", "greedy"]}, "one for each of 1 seats"),
        ({"opponents": 7}, "opponents: 7: allowed are"),
        ({"num_players": 9}, "num_players=9: allowed are integers from 2 to 6"),
        ({"speed": 1}, "no option speed=1"),
    ],
)
def test_bad_input_is_named(given: dict[str, Any], message: str) -> None:
    for make in (make_gym, make_gym_vec):
        with pytest.raises(ValueError, match=message.replace("(", r"\(")):
            make("rummy_v0", **given)


def test_bad_reset_is_named() -> None:
    for env in (make_gym("rummy_v0"), make_gym_vec("rummy_v0", 2)):
        wrong: list[Any] = [-1, 2**63, True, "one"]
        for seed in wrong:
            with pytest.raises(ValueError, match="seed="):
                env.reset(seed=seed)
        with pytest.raises(ValueError, match="options="):
            env.reset(seed=1, options={"deck": []})
    with pytest.raises(ValueError, match="render_mode='rgb_array': allowed are None, 'human' and 'ansi'"):
        make_gym("rummy_v0", render_mode="rgb_array")
    with pytest.raises(ValueError, match="num_envs=0"):
        make_gym_vec("rummy_v0", 0)


def test_an_illegal_action_wins_nobody_a_match() -> None:
    """The winners of the rounds before are none of the match."""
    env = make_gym("rummy_v0", 0, "random", match=True, rounds=3)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        for _ in range(400):
            ended = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
            info = ended[4]
            if env._table.records["won"][0] or ended[2] or ended[3]:
                break
        if env._table.records["won"][0] and not (ended[2] or ended[3]):
            break
    assert env._table.records["rounds_done"][0] > 0
    *_, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert terminated or truncated
    assert not info["winners"].any()
