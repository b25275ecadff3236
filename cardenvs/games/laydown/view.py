"""What a seat may know of a `laydown` game: the observation row, compiled."""

from __future__ import annotations

from cardenvs._jit import clear_64, clear_rest, inner, popcount, widen
from cardenvs.cards import PLACE
from cardenvs.games.laydown.contract import top_completes
from cardenvs.games.laydown.missing import observe_missing
from cardenvs.games.laydown.moves import above, below_bottom, fits_table, type_at
from cardenvs.games.laydown.rules import CONTRACT_RUNS, CONTRACT_SETS, LAST_CONTRACT, ROW_LIMIT, Kind, Phase
from cardenvs.melds import ZERO, bit, in_every_suit, run_starts

N_PHASES = len(Phase)
_PLAY = int(Phase.PLAY)


@inner
def observe(rules, g, seat, row):
    """See `cardenvs.verbs.observe`; the pieces are those of `layouts.observation_layout`, written in their order."""
    naturals = rules.suits * rules.ranks
    widen(g.hand[seat], row, 0)
    clear_64(row, rules.o_pile_top)
    if rules.show_pile:
        widen(g.pile_count, row, rules.o_pile)
    widen(g.run_top, row, rules.o_run_top)
    widen(g.run_bottom, row, rules.o_run_bottom)
    for kind in range(rules.kinds):
        widen(g.wild_places[kind], row, rules.o_wild_places + kind * naturals)
    if rules.sets:
        for rank in range(16):
            row[rules.o_sets + rank] = g.sets[rank]
    widen(g.table, row, rules.o_table)
    clear_64(row, rules.o_scalars)
    if rules.contracts:
        clear_64(row, rules.o_missing)
    observe_others(rules, g, seat, row)
    if g.n_pile > 0:
        row[rules.o_pile_top + g.pile[g.n_pile - 1]] = 1
    observe_scalars(rules, g, seat, row)
    if shown_phase(g, seat) == Phase.FILL:
        observe_meld(rules, g, row)


@inner
def shown_phase(g, seat):
    """The phase as a seat sees it: who lays off chooses the card unseen, else all would know that a wild is in hand."""
    if g.phase == Phase.FILL and g.seat != seat and (g.meld_kind == Kind.ABOVE or g.meld_kind == Kind.BELOW):
        return _PLAY
    return int(g.phase)


@inner
def observe_scalars(rules, g, seat, row):
    """Stock, turns, phase, whose turn and whose decision it is, and the seat's own standing."""
    at = rules.o_scalars
    row[at] = g.n_stock
    row[at + 1] = g.n_pile
    row[at + 2] = g.turns
    row[at + 3] = g.opened[seat]
    row[at + 4] = shown_score(g, seat)
    if g.phase == Phase.DRAW or g.phase == Phase.CLAIM:
        row[at + 5] = top_melds(rules, g, seat)
        row[at + 6] = top_fits(rules, g)
    row[at + 7 + shown_phase(g, seat)] = 1
    at += 7 + N_PHASES
    row[at + away(rules, g.turn, seat)] = 1
    row[at + rules.seats + away(rules, g.seat, seat)] = 1
    if rules.pile_duty > 0:
        row[rules.o_duty] = g.duty
        row[rules.o_deductions] = g.deductions[seat]
    if rules.table_counts:
        row[rules.o_table_points] = g.table_points[seat]
    if rules.contracts:
        row[rules.o_contract + g.contract - 1] = 1
        observe_owed(rules, g, seat, row, rules.o_contract + LAST_CONTRACT)
        observe_missing(rules, g, seat, row)


@inner
def observe_owed(rules, g, seat, row, at):
    """What a seat has yet to lay of the contract, sets and runs, and how often it may still buy."""
    if seat == g.turn:
        row[at] = g.owed_sets
        row[at + 1] = g.owed_runs
    else:
        number = 0 if g.opened[seat] else g.contract
        row[at] = CONTRACT_SETS[number]
        row[at + 1] = CONTRACT_RUNS[number]
    row[at + 2] = rules.buys - g.bought[seat]


@inner
def shown_score(g, seat):
    """Points of the match as far as a row can hold them: deductions may add up to more."""
    return max(-ROW_LIMIT, min(ROW_LIMIT, int(g.total[seat])))


@inner
def top_melds(rules, g, seat):
    """Whether a hand with the pile's top card could begin a meld that it cannot begin without: the mask tells later."""
    if g.n_pile == 0:
        return False
    if rules.contracts:
        return top_completes(rules, g, seat)
    card = int(g.pile[g.n_pile - 1])
    hand, wilds = g.board[seat], int(g.wilds[seat])
    with_top, more = hand, wilds
    if card < rules.suits * rules.ranks:
        with_top = hand | bit(PLACE[rules.ranks, card])
    else:
        more += 1
    opened = g.opened[seat] != 0 or rules.open_run == 0
    length = rules.run_min if opened else rules.open_run
    valid = rules.run_valid if opened else rules.open_valid
    to_lay = g.hand_size[seat] + 1 - rules.keep_card
    new = ZERO
    if to_lay >= length:
        new = run_starts(with_top, length, more, valid) & ~run_starts(hand, length, wilds, valid)
    if rules.sets and to_lay >= 3:
        same_rank = in_every_suit(bit(PLACE[rules.ranks, card] & 15))
        held = popcount(hand & same_rank)
        if rules.copies > 1:
            held += popcount(g.twice[seat] & same_rank) + popcount(g.thrice[seat] & same_rank)
        if held == 2:
            new |= same_rank
    return new != ZERO


@inner
def top_fits(rules, g):
    """Whether the pile's top card fits a meld on the table (R7); a wild fits a set, and wherever a run is open."""
    if g.n_pile == 0:
        return False
    card = int(g.pile[g.n_pile - 1])
    if card < rules.suits * rules.ranks:
        return fits_table(rules, g, card)
    return (above(rules, g) | below_bottom(rules, g) | g.set_ranks) != ZERO


@inner
def away(rules, other, seat):
    """Seats from `seat` to `other`, clockwise."""
    steps = other - seat
    return steps if steps >= 0 else steps + rules.seats


@inner
def observe_others(rules, g, seat, row):
    """For each other seat, from the left: hand size, opened, score, the cards known to be in its hand, its standing."""
    at = rules.o_others
    other = seat
    for _ in range(rules.seats - 1):
        other = other + 1 if other + 1 < rules.seats else 0
        row[at] = g.hand_size[other]
        row[at + 1] = g.opened[other]
        row[at + 2] = shown_score(g, other)
        widen(g.known[other] if rules.show_pile else g.shown[other], row, at + 3)
        if rules.table_counts:
            row[at + rules.o_other_table_points] = g.table_points[other]
        if rules.pile_duty > 0:
            row[at + rules.o_other_deductions] = g.deductions[other]
        if rules.contracts:
            observe_owed(rules, g, other, row, at + rules.o_other_owed)
        at += rules.o_other_size
    clear_rest(row, at)


@inner
def observe_meld(rules, g, row):
    """The half-laid meld: where its next card goes, how many cards it wants, how many of its cards are natural."""
    row[rules.o_meld_place - 2] = g.meld_left
    row[rules.o_meld_place - 1] = g.meld_naturals
    if g.meld_kind == Kind.SET:
        row[rules.o_meld_set + g.meld_place] = 1
        if g.meld_suit < rules.suits:  # Else wilds alone may come.
            row[rules.o_meld_suit + g.meld_suit] = 1
    else:
        row[rules.o_meld_place + type_at(rules, g.meld_place)] = 1
