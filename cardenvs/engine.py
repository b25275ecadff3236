"""One decision of one game, and of thousands: compiled, and ignorant of every game.

A game's record has the fields that this file reads: `rng` (uint64 stream), `seat` (to act), `over` (nonzero once the
round has ended), `rounds_done`, `stock` (card types, the next one last), `n_stock`, `points` (of the last round per
seat), `total` (of the episode) and `won` (bit per winning seat). Everything else is the family's, behind the verbs.
`games` are arrays of records, `i` an index: a record is slow to hand over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cardenvs import verbs
from cardenvs._jit import borrow, clear_rest, entry, inner, prefetch
from cardenvs.rng import advance, mix, scaled
from cardenvs.verbs import GOES_ON, TERMINATED, TRUNCATED


class Batch(NamedTuple):
    """What a step of N games with S seats, A actions and rows of D says: C-contiguous arrays that the caller owns.

    Attributes:
        obs: int16 `[N, D]`, row of the seat to act, from its own view.
        mask: int8 `[N, A]`, its legal actions; never empty.
        seat: int32 `[N]`, the seat to act.
        reward: float32 `[N, S]`, what this step paid every seat.
        terminated, truncated: bool `[N]`, the episode ended with this step, by the rules or by the turn cap; the game
            was dealt anew at once, and `obs`, `mask` and `seat` are of the new episode.
        final_obs: int16 `[N, S, D]`, rows of all seats at the end; written only where an episode ended.
        score: int32 `[N, S]`, points of the ended episode, more is better; written only there.
        winner: bool `[N, S]`, who won it: several when tied, none when truncated; written only there.
    """

    obs: np.ndarray
    mask: np.ndarray
    seat: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    final_obs: np.ndarray
    score: np.ndarray
    winner: np.ndarray


class Choices(NamedTuple):
    """What is legal now in each of N games.

    Attributes:
        actions: int16 `[N, A]`, the first `counts[i]` are legal; in no order.
        counts: int32 `[N]`.
    """

    actions: np.ndarray
    counts: np.ndarray


@inner
def held(batch):
    """A batch whose arrays the caller of an entry holds: see `cardenvs._jit.borrow`."""
    return Batch(
        borrow(batch.obs),
        borrow(batch.mask),
        borrow(batch.seat),
        borrow(batch.reward),
        borrow(batch.terminated),
        borrow(batch.truncated),
        borrow(batch.final_obs),
        borrow(batch.score),
        borrow(batch.winner),
    )


@inner
def listed(choices):
    """Choices whose arrays the caller of an entry holds."""
    return Choices(borrow(choices.actions), borrow(choices.counts))


@inner
def begin(rules, g):
    """A new episode from the game's own stream."""
    verbs.shuffle(rules, g)
    restart(rules, g)


@inner
def restart(rules, g):
    """A new episode from the stock as it lies."""
    g.rounds_done = 0
    for seat in range(g.total.shape[0]):
        g.total[seat] = 0
        g.points[seat] = 0
    g.won = 0
    verbs.deal(rules, g)


@inner
def decide(rules, g, action, skip_forced, reward, actions):
    """Play a legal action, and with `skip_forced` every single choice after it.

    Adds to `reward[S]` and writes the next legal `actions`. Returns their number, or when the episode is over minus
    TERMINATED or minus TRUNCATED.
    """
    while True:
        verbs.play(rules, g, action)
        if g.over:
            ended = verbs.settle(rules, g, reward)
            if ended != GOES_ON:
                return -ended
            verbs.shuffle(rules, g)
            verbs.deal(rules, g)
        count = verbs.legal(rules, g, actions)
        if count != 1 or not skip_forced:
            return count
        action = int(actions[0])


@inner
def show(rules, g, actions, count, obs, mask):
    """Write row and mask of the seat to act."""
    verbs.observe(rules, g, g.seat, obs)
    clear_rest(mask, 0)
    for k in range(count):
        mask[actions[k]] = 1


@entry
def begin_games(rules, games, choices, batch):
    """A new episode of every game, each from its own stream."""
    for i in range(games.shape[0]):
        begin(rules, games[i])
        choices.counts[i] = verbs.legal(rules, games[i], choices.actions[i])
        show_start(rules, games[i], choices, batch, i)


@inner
def show_start(rules, g, choices, batch, i):
    """Write what game i is to decide, with nothing paid."""
    show(rules, g, choices.actions[i], choices.counts[i], batch.obs[i], batch.mask[i])
    batch.seat[i] = g.seat
    batch.terminated[i] = False
    batch.truncated[i] = False
    for seat in range(batch.reward.shape[1]):
        batch.reward[i, seat] = 0


@entry
def show_games(rules, games, choices, batch):
    """Write row, mask and seat of every game as it stands, with nothing paid."""
    for i in range(games.shape[0]):
        show_start(rules, games[i], choices, batch, i)


@entry
def seed_games(games, seeds):
    """Start the stream of game i from uint64 `seeds[i]`."""
    for i in range(games.shape[0]):
        games[i].rng = mix(advance(seeds[i]))


@entry
def begin_one(rules, games, shuffled, choices, obs, mask):
    """A new episode of game 0, from its own stream (`shuffled`) or from its stock as it lies: a deck that is given."""
    if shuffled:
        begin(rules, games[0])
    else:
        restart(rules, games[0])
    choices.counts[0] = verbs.legal(rules, games[0], choices.actions[0])
    show(rules, games[0], choices.actions[0], choices.counts[0], obs, mask)


@entry
def refresh_one(rules, games, choices, obs, mask):
    """List what is legal in game 0 and write row and mask of the seat to act, from the record alone."""
    choices.counts[0] = verbs.legal(rules, games[0], choices.actions[0])
    show(rules, games[0], choices.actions[0], choices.counts[0], obs, mask)


@entry
def find_illegal(choices, which, actions):
    """The first k for which `actions[k]` is not legal in game `which[k]`; -1 when all are."""
    for k in range(which.shape[0]):
        i = which[k]
        found = False
        for each in range(choices.counts[i]):
            if choices.actions[i, each] == actions[k]:
                found = True
                break
        if not found:
            return k
    return -1


@inner
def step_game(rules, games, i, action, skip_forced, choices, batch):
    """One decision of game i, dealt anew when its episode ends."""
    g = games[i]
    seats = batch.reward.shape[1]
    # A zero that the compiler does not know: it would call memset for these few bytes.
    nothing = np.float32(seats - rules.seats)
    for seat in range(seats):
        batch.reward[i, seat] = nothing
    count = decide(rules, g, action, skip_forced, batch.reward[i], choices.actions[i])
    batch.terminated[i] = count == -TERMINATED
    batch.truncated[i] = count == -TRUNCATED
    if count < 0:
        for seat in range(seats):
            verbs.observe(rules, g, seat, batch.final_obs[i, seat])
            batch.score[i, seat] = g.total[seat]
            batch.winner[i, seat] = (g.won >> seat) & 1
        begin(rules, g)
        count = verbs.legal(rules, g, choices.actions[i])
    choices.counts[i] = count
    batch.seat[i] = g.seat
    show(rules, g, choices.actions[i], count, batch.obs[i], batch.mask[i])


@inner
def prepare(games, i, choices):
    """Bring what a step of game i touches into the cache while another game is played."""
    prefetch(games, i, 24)
    prefetch(choices.actions, i, 1)


@entry
def step_games(rules, games, which, first, last, actions, skip_forced, choices, batch):
    """One decision of the games int64 `which[first:last]`, all different; the others stand still.

    int32 `actions[k]` is legal in game `which[k]` (`find_illegal`).
    """
    choices, batch = listed(choices), held(batch)
    for k in range(first, last):
        if k + 1 < last:
            prepare(games, which[k + 1], choices)
        step_game(rules, games, np.uint64(which[k]), int(actions[k]), skip_forced, choices, batch)


@entry
def random_steps(rules, games, first, last, steps, skip_forced, streams, choices, batch):
    """`steps` random legal decisions of each of the games `first..last-1`, every row and mask written.

    Game i draws its picks from uint64 `streams[i]`. Returns the number of episodes that ended.
    """
    ended = 0
    choices, batch = listed(choices), held(batch)
    for _ in range(steps):
        for k in range(first, last):
            prepare(games, k + 1, choices)
            i = np.uint64(k)  # An index that cannot be negative: each array would count it from its end if it were.
            streams[i] = advance(streams[i])
            pick = int(choices.actions[i, scaled(mix(streams[i]), choices.counts[i])])
            step_game(rules, games, i, pick, skip_forced, choices, batch)
            ended += batch.terminated[i] or batch.truncated[i]
    return ended


@entry
def play_out(rules, games, bot, salt, skip_forced, actions, row, paid):
    """Play every game on to the end of its episode, bot number `bot` in all seats.

    The bot's stream begins where the game's own stands, but for uint64 `salt`. float32 `paid[N, S]` is what the rest of
    the episode pays every seat; int16 `actions[A]` and `row[D]` are scratch.
    """
    for k in range(games.shape[0]):
        i = np.uint64(k)
        for seat in range(paid.shape[1]):
            paid[i, seat] = 0
        count = verbs.legal(rules, games[i], actions)
        finish(rules, games, i, bot, salt, skip_forced, actions, count, row, paid[i])


@inner
def finish(rules, games, i, bot, salt, skip_forced, actions, count, row, paid):
    """Play game i on to the end of its episode, bot number `bot` in all seats: adds to `paid[S]`."""
    stream = games[i].rng ^ salt
    while count > 0:
        verbs.observe(rules, games[i], games[i].seat, row)
        stream = advance(stream)
        action = verbs.act(rules, bot, row, actions, count, mix(stream))
        count = decide(rules, games[i], action, skip_forced, paid, actions)


@entry
def action_values(rules, games, choices, bot, salt, skip_forced, copies, actions, row, paid, values):
    """For every legal action of every game: play it, and then on as in `play_out`.

    float32 `values[N, A]` is what the rest of the episode then pays the seat that is to act, 0 where the action is
    illegal. `copies`, an array of one record, `actions[A]`, `row[D]` and `paid[S]` are scratch.
    """
    for k in range(games.shape[0]):
        i = np.uint64(k)
        seat = games[i].seat
        values[i, :] = 0
        for each in range(choices.counts[i]):
            copies[0] = games[i]
            paid[:] = 0
            action = int(choices.actions[i, each])
            count = decide(rules, copies[0], action, skip_forced, paid, actions)
            finish(rules, copies, 0, bot, salt, skip_forced, actions, count, row, paid)
            values[i, action] = paid[seat]


@entry
def random_actions(streams, choices, actions):
    """Write one random legal action a game to int32 `actions[N]`, from the streams uint64 `[N]`."""
    for i in range(actions.shape[0]):
        streams[i] = advance(streams[i])
        actions[i] = choices.actions[i, scaled(mix(streams[i]), choices.counts[i])]


@entry
def observe_games(rules, games, rows):
    """Write the rows of all seats of all games to int16 `rows[N, S, D]`."""
    for i in range(rows.shape[0]):
        for seat in range(rows.shape[1]):
            verbs.observe(rules, games[i], seat, rows[i, seat])


@entry
def upcoming_cards(games, cards):
    """Write the types of the next cards of every stock to int16 `cards[N, K]`, -1 where there is none."""
    for i in range(cards.shape[0]):
        for k in range(cards.shape[1]):
            at = games[i].n_stock - 1 - k
            cards[i, k] = games[i].stock[at] if at >= 0 else -1


@entry
def observe_seat(rules, games, seat, row):
    """Write what one seat of game 0 knows to int16 `row[D]`."""
    verbs.observe(rules, games[0], seat, row)


@entry
def legal_actions(rules, games, choices):
    """List what is legal in every game anew, from its state alone."""
    for i in range(games.shape[0]):
        choices.counts[i] = verbs.legal(rules, games[i], choices.actions[i])


@entry
def decide_one(rules, games, action, skip_forced, reward, choices, obs, mask):
    """`decide` for game 0, with the row int16 `[D]` and mask int8 `[A]` of the next seat to act.

    float32 `reward[S]` is written. Returns what `decide` returns (when that says that the episode is over, row and mask
    are as before), whether anybody was paid, and the seat to act.
    """
    for seat in range(reward.shape[0]):
        reward[seat] = 0
    g = games[0]
    count = decide(rules, g, action, skip_forced, reward, choices.actions[0])
    choices.counts[0] = max(count, 0)
    if count > 0:
        show(rules, g, choices.actions[0], count, obs, mask)
    paid = False
    for seat in range(reward.shape[0]):
        paid = paid or reward[seat] != 0
    return count, paid, int(g.seat)


@entry
def bot_actions(rules, bot, obs, mask, streams, actions):
    """Write what bot number `bot` does in K positions to int32 `actions[K]`: from int16 `obs[K, D]`, int8 `mask[K, A]`.

    Position k draws from uint64 `streams[k]`.
    """
    legal = np.empty(mask.shape[1], np.int16)
    obs, mask, legal = borrow(obs), borrow(mask), borrow(legal)
    for k in range(actions.shape[0]):
        count = 0
        for action in range(mask.shape[1]):
            if mask[k, action]:
                legal[count] = action
                count += 1
        streams[k] = advance(streams[k])
        actions[k] = verbs.act(rules, bot, obs[k], legal, count, mix(streams[k])) if count else -1
