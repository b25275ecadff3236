"""Dealing, and how turns and rounds of the `laydown` family begin and end, compiled."""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.games.laydown.moves import put, put_on_pile, take_stock_top
from cardenvs.games.laydown.rules import CONTRACT_CARDS, CONTRACT_RUNS, CONTRACT_SETS, LAST_CONTRACT, Kind, Over, Phase
from cardenvs.melds import ZERO
from cardenvs.rng import below
from cardenvs.rng import shuffle as shuffle_cards


@inner
def end_meld(g):
    """Nothing is half laid."""
    g.meld_kind = Kind.NONE
    g.meld_slot = 0
    g.meld_place = 0
    g.meld_suit = 0
    g.meld_left = 0
    g.meld_naturals = 0


@outer
def shuffle(rules, g):
    """A whole shuffled pack becomes the stock."""
    n = 0
    naturals = rules.suits * rules.ranks
    for card in range(naturals):
        for _ in range(rules.copies):
            g.stock[n] = card
            n += 1
    for kind in range(rules.kinds):
        for _ in range(rules.wild_copies[kind]):
            g.stock[n] = naturals + kind
            n += 1
    g.n_stock = n
    shuffle_cards(g, g.stock, n)


@inner
def clear(rules, g):
    """Take everything off the table and out of the hands; streams, stock and the scores of a match stay."""
    for seat in range(rules.seats):
        g.board[seat] = ZERO
        g.hand_size[seat] = 0
        g.wilds[seat] = 0
        g.opened[seat] = 0
        g.twice[seat] = ZERO
        g.thrice[seat] = ZERO
        g.deductions[seat] = 0
        g.table_points[seat] = 0
        g.bought[seat] = 0
        for card in range(g.hand.shape[1]):
            g.hand[seat, card] = 0
            g.known[seat, card] = 0
            g.origin[seat, card] = 0
    if not rules.show_pile:
        for seat in range(rules.seats):
            for card in range(g.hand.shape[1]):
                g.shown[seat, card] = 0
    for card in range(g.hand.shape[1]):
        g.run_top[card] = 0
        g.run_bottom[card] = 0
        g.table[card] = 0
        g.pile_count[card] = 0
        g.wild_places[0, card] = 0
        g.wild_places[1, card] = 0
    for rank in range(16):
        g.sets[rank] = 0
    g.tops = ZERO
    g.bottoms = ZERO
    g.set_ranks = ZERO
    g.wild_board[0] = ZERO
    g.wild_board[1] = ZERO
    g.n_pile = 0
    g.n_melds = 0
    g.n_queue = 0
    g.turns = 0
    g.epoch = 0
    g.duty = 0
    g.over = Over.NO
    g.out = -1
    end_meld(g)


@outer
def deal(rules, g):
    """Deal a round from the stock as it lies: one card at a time from the dealer's left, then one to the pile (G1)."""
    clear(rules, g)
    g.dealer = (g.rounds_done + rules.seats - 1) % rules.seats
    first = (g.dealer + 1) % rules.seats
    seat = first
    g.contract = contract_of(rules, g)
    for _ in range((rules.hand_size if rules.hand_size > 0 else CONTRACT_CARDS[g.contract]) * rules.seats):
        put(rules, g, seat, take_stock_top(g), False)
        seat = seat + 1 if seat + 1 < rules.seats else 0
    put_on_pile(g, take_stock_top(g))
    begin_turn(rules, g, first)


@inner
def contract_of(rules, g):
    """Number of the contract of the round to come: in a match they come in turn (V2), in a single round any may."""
    if rules.contracts == 0:
        return 0
    return rules.contract + g.rounds_done if rules.contract > 0 else 1 + below(g, LAST_CONTRACT)


@inner
def begin_turn(rules, g, seat):
    """The turn of a seat, with a draw where a card can be drawn."""
    g.turn = seat
    g.seat = seat
    if rules.contracts:
        owe(g, seat)
    # G2: when a claim took the last card that could be drawn, the turn begins without a draw.
    g.phase = Phase.DRAW if g.n_stock + g.n_pile > 0 else Phase.PLAY


@inner
def owe(g, seat):
    """A seat owes the whole contract in one turn, or nothing once it has laid it (V5)."""
    number = 0 if g.opened[seat] else g.contract
    g.owed_sets = CONTRACT_SETS[number]
    g.owed_runs = CONTRACT_RUNS[number]
    g.least = 0


@inner
def end_turn(rules, g):
    """The next seat's turn, or the end of the round at the cap (G3)."""
    charge_duty(rules, g)
    g.turns += 1
    if g.turns >= rules.seats * rules.max_turns:
        end_round(g, Over.CAP)
    else:
        begin_turn(rules, g, g.turn + 1 if g.turn + 1 < rules.seats else 0)


@inner
def charge_duty(rules, g):
    """Who took the pile and laid no new meld pays for it when the turn ends (N5)."""
    if rules.pile_duty > 0 and g.duty:
        g.deductions[g.turn] += 1
        g.duty = 0


@inner
def go_out(rules, g):
    """The seat whose turn it is has no cards left."""
    charge_duty(rules, g)
    g.out = g.turn
    end_round(g, Over.OUT)


@inner
def end_round(g, how):
    """Stop the round."""
    g.over = how
    g.phase = Phase.OVER
