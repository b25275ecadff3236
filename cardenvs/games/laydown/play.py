"""The rules of the `laydown` family, compiled: for each phase what is legal and how it is applied.

Every function is rules first, game second; `g` is one `RECORD`. A half-laid meld is never stranded (G6): `run`, `set`
and each `fill` are offered only when the hand can bring the meld to its least length.
"""

from __future__ import annotations

from cardenvs._jit import inner
from cardenvs.cards import PLACE
from cardenvs.games.laydown.calls import (
    apply_announce,
    apply_claim,
    legal_announce,
    legal_claim,
    offer_discard,
    offer_top,
)
from cardenvs.games.laydown.contract import begun, keeps, legal_contract, legal_contract_fill, meld_done
from cardenvs.games.laydown.moves import (
    above,
    add_run_ends,
    add_wild_place,
    below_bottom,
    by_card,
    lay_down,
    put,
    put_from_top,
    put_on_pile,
    stock_serves,
    take,
    take_pile_top,
    take_stock_top,
    type_at,
)
from cardenvs.games.laydown.rounds import end_meld, go_out
from cardenvs.games.laydown.rules import Announce, Kind, Phase
from cardenvs.melds import ZERO, bit, emit, holds, in_every_suit, rank_counts_at_least_3, run_starts

# DRAW (C7, R4, N4, G2) -----------------------------------------------------------------------------------------------


@inner
def legal_draw(rules, g, actions):
    """The stock, made anew from the pile if need be; the top of the pile; the whole pile."""
    n = 0
    if stock_serves(g):
        actions[n] = 0
        n += 1
    if g.n_pile > 0 and rules.take_top:
        actions[n] = rules.a_draw_top
        n += 1
    # One card in the pile: drawing its top and taking it are one action (C7), where both exist.
    if g.n_pile > rules.take_top and rules.take_pile:
        actions[n] = rules.a_draw_pile
        n += 1
    return n


@inner
def apply_draw(rules, g, action):
    """Only the card from the stock stays hidden from the others, who are then asked whether they buy the top (V6)."""
    g.phase = Phase.PLAY
    if action == rules.a_draw_top:
        put_from_top(rules, g, g.seat, take_pile_top(g))
    elif action == rules.a_draw_pile:
        # N5: no duty when the pile was the only card to be had.
        if rules.pile_duty > 0 and stock_serves(g):
            g.duty = 1
        put_from_top(rules, g, g.seat, take_pile_top(g))
        while g.n_pile > 0:
            put(rules, g, g.seat, take_pile_top(g), True)
    else:
        put(rules, g, g.seat, take_stock_top(g), False)
        if rules.buys > 0 and g.n_pile > 0:
            offer_top(rules, g)


# PLAY: meld, lay off, swap, discard ----------------------------------------------------------------------------------


@inner
def new_run_length(rules, g):
    """Least length of a run that the seat to act begins now (C8, C9)."""
    return rules.run_min if g.opened[g.seat] or rules.open_run == 0 else rules.open_run


@inner
def cards_to_lay(rules, g):
    """Cards that the seat to act may lay down in this turn: one is kept to be discarded (C11, R6), or none (N9, V7)."""
    return g.hand_size[g.seat] - keeps(rules, g)


@inner
def set_ranks_in_hand(rules, g):
    """Ranks (bits 0-15) of which the seat to act can lay a set."""
    if rules.copies == 1:
        return rank_counts_at_least_3(g.board[g.seat], ZERO, ZERO)
    return rank_counts_at_least_3(g.board[g.seat], g.twice[g.seat], g.thrice[g.seat])


@inner
def legal_play(rules, g, actions):
    """Whatever can be laid while the card that must be kept stays; and every discard."""
    gap = 16 - rules.ranks
    hand = g.board[g.seat]
    wilds = g.wilds[g.seat]
    to_lay = cards_to_lay(rules, g)
    opened = g.opened[g.seat] != 0
    n = 0
    if rules.contracts:
        if not opened:
            n = legal_contract(rules, g, int(to_lay), actions)
            if begun(g):
                return n
    else:
        length = new_run_length(rules, g)
        if to_lay >= length:
            valid = rules.run_valid if length == rules.run_min else rules.open_valid
            n = emit(run_starts(hand, length, wilds, valid), rules.a_run, gap, 1, actions, n)
        if rules.sets and to_lay >= 3:
            n = emit(set_ranks_in_hand(rules, g), rules.a_set, gap, 1, actions, n)
    if (opened or not rules.lay_off_opened) and g.n_melds > 0:
        if to_lay >= 1:
            n = legal_lay_off_run(rules, g, actions, n)
            if rules.sets:
                n = emit(hand & in_every_suit(g.set_ranks), rules.a_lay_off_set, gap, 1, actions, n)
                if wilds > 0:
                    n = legal_lay_off_set_wilds(rules, g, actions, n)
        if rules.kinds > 0:
            n = legal_swap(rules, g, actions, n)
    n = emit(by_card(rules, hand), rules.a_discard, gap, 1, actions, n)
    if wilds > 0:
        naturals = rules.suits * rules.ranks
        for kind in range(rules.kinds):
            if g.hand[g.seat, naturals + kind] > 0:
                actions[n] = rules.a_discard + naturals + kind
                n += 1
    return n


@inner
def legal_lay_off_run(rules, g, actions, n):
    """Both ends of every run; a wild goes anywhere."""
    gap = 16 - rules.ranks
    over = above(rules, g)
    under = below_bottom(rules, g)
    if g.wilds[g.seat] == 0:
        over &= g.board[g.seat]
        under &= g.board[g.seat]
    n = emit(by_card(rules, over), rules.a_lay_off_run, gap, 2, actions, n)
    return emit(under, rules.a_lay_off_run + 1, gap, 2, actions, n)


@inner
def legal_lay_off_set_wilds(rules, g, actions, n):
    """A wild goes on a set of any rank (V4)."""
    for rank in range(rules.ranks):
        if g.sets[rank] > 0:
            for kind in range(rules.kinds):
                if g.hand[g.seat, rules.suits * rules.ranks + kind] > 0:
                    actions[n] = rules.a_lay_off_set_wilds + rank * rules.kinds + kind
                    n += 1
    return n


@inner
def legal_swap(rules, g, actions, n):
    """Naturals in hand for which a wild stands in a run (C12)."""
    gap = 16 - rules.ranks
    for kind in range(rules.kinds):
        swaps = by_card(rules, g.board[g.seat] & g.wild_board[kind])
        n = emit(swaps, rules.a_swap_wild + kind, gap, rules.kinds, actions, n)
    return n


@inner
def apply_play(rules, g, action):
    """The pieces of the action layout, from the last to the first."""
    if action >= rules.a_discard:
        discard(rules, g, action - rules.a_discard)
    elif rules.kinds > 0 and action >= rules.a_swap_wild:
        at = action - rules.a_swap_wild
        swap_wild(rules, g, at // rules.kinds, rules.suits * rules.ranks + at % rules.kinds)
    elif rules.a_lay_off_set_wilds >= 0 and action >= rules.a_lay_off_set_wilds:
        at = action - rules.a_lay_off_set_wilds
        lay_off_set(rules, g, at // rules.kinds, rules.suits * rules.ranks + at % rules.kinds)
    elif rules.sets and action >= rules.a_lay_off_set:
        card = action - rules.a_lay_off_set
        lay_off_set(rules, g, PLACE[rules.ranks, card] & 15, card)
    elif action >= rules.a_lay_off_run:
        at = action - rules.a_lay_off_run
        lay_off_run(rules, g, at >> 1, Kind.ABOVE if at & 1 == 0 else Kind.BELOW)
    elif rules.sets and action >= rules.a_set:
        begin_meld(g, Kind.SET, action - rules.a_set, 3)
    else:
        begin_meld(g, Kind.RUN, PLACE[rules.ranks, action - rules.a_run], new_run_length(rules, g))


@inner
def discard(rules, g, card):
    """Nothing more is laid in this turn: the round is over, or a last card is announced, or the turn ends."""
    take(rules, g, g.seat, card)
    put_on_pile(g, card)
    if g.hand_size[g.seat] == 0:
        go_out(rules, g)
    elif rules.announce == Announce.ACTION and g.hand_size[g.seat] == 1:
        g.phase = Phase.ANNOUNCE
    else:
        offer_discard(rules, g)


@inner
def begin_meld(g, kind, place, length):
    """Open a row of `melds` for a meld of `length` cards; the phase is FILL until it is whole."""
    g.phase = Phase.FILL
    g.meld_kind = kind
    g.meld_slot = g.n_melds
    g.meld_place = place
    g.meld_suit = 0
    g.meld_left = length
    g.meld_naturals = 0
    g.meld_type[g.n_melds] = kind
    g.meld_low[g.n_melds] = place
    g.meld_len[g.n_melds] = 0


@inner
def lay_off_run(rules, g, card, end):
    """Choose the place; the natural goes there at once when no wild is in hand."""
    place = PLACE[rules.ranks, card]
    if rules.ace_high and end == Kind.ABOVE and (place & 15) == 0:
        place += rules.ranks
    g.meld_kind = end
    g.meld_place = place
    g.meld_left = 1
    slot = 0
    # Runs that end at the same place are alike to the rules: the first one serves.
    while g.meld_type[slot] != Kind.RUN or place != (
        g.meld_low[slot] + g.meld_len[slot] if end == Kind.ABOVE else g.meld_low[slot] - 1
    ):
        slot += 1
    g.meld_slot = slot
    g.phase = Phase.FILL
    if g.wilds[g.seat] == 0:
        fill_run(rules, g, card)


@inner
def lay_off_set(rules, g, rank, card):
    """Put a card on the first set of a rank: sets of a rank are alike to the rules."""
    slot = 0
    while g.meld_type[slot] != Kind.SET or g.meld_low[slot] != rank:
        slot += 1
    lay_down(rules, g, card)
    g.melds[slot, g.meld_len[slot]] = card
    g.meld_len[slot] += 1
    if g.hand_size[g.seat] == 0:
        go_out(rules, g)


@inner
def swap_wild(rules, g, card, wild):
    """The natural takes the place of a wild that stands for it; the wild comes to the hand (C12, V5)."""
    place = PLACE[rules.ranks, card]
    slot = 0
    while not stands_at(g, slot, wild, place):
        slot += 1
        if slot == g.n_melds:
            # A wild that stands for a high ace: to the rules it is alike, for no run goes on beyond it.
            slot = 0
            place += rules.ranks
    g.melds[slot, place - g.meld_low[slot]] = card
    lay_down(rules, g, card)
    g.table[wild] -= 1
    add_wild_place(rules, g, place, wild, -1)
    put_from_top(rules, g, g.seat, wild)


@inner
def stands_at(g, slot, wild, place):
    """Whether that wild stands at a place in that meld, a run."""
    at = place - g.meld_low[slot]
    return g.meld_type[slot] == Kind.RUN and 0 <= at < g.meld_len[slot] and g.melds[slot, at] == wild


# FILL: the next card of the half-laid meld (G6) ----------------------------------------------------------------------


@inner
def legal_fill(rules, g, actions):
    """The natural and the wilds that leave the hand able to fill the places after this one."""
    if rules.contracts and (g.meld_kind == Kind.SET or g.meld_kind == Kind.RUN):
        return legal_contract_fill(rules, g, actions)
    if g.meld_kind == Kind.SET:
        return legal_fill_set(rules, g, actions)
    n = 0
    hand = g.board[g.seat]
    wilds = g.wilds[g.seat]
    naturals_ahead = 0
    for i in range(1, g.meld_left):
        if holds(hand, g.meld_place + i):
            naturals_ahead += 1
    missing_ahead = g.meld_left - 1 - naturals_ahead
    if holds(hand, g.meld_place) and missing_ahead <= wilds:
        actions[n] = rules.a_fill
        n += 1
    # C10: at least one card of a new run is natural; a lay-off needs none.
    natural_left = g.meld_kind != Kind.RUN or g.meld_naturals > 0 or naturals_ahead > 0
    if missing_ahead <= wilds - 1 and natural_left:
        for kind in range(rules.kinds):
            if g.hand[g.seat, rules.suits * rules.ranks + kind] > 0:
                actions[n] = rules.a_fill + 1 + kind
                n += 1
    return n


@inner
def legal_fill_set(rules, g, actions):
    """Suits, never descending, that leave enough cards of the rank for the rest."""
    n = 0
    enough = 0
    for suit in range(rules.suits - 1, g.meld_suit - 1, -1):
        held = g.hand[g.seat, suit * rules.ranks + g.meld_place]
        if held > 0 and enough + held >= g.meld_left:
            actions[n] = rules.a_fill + 1 + rules.kinds + suit
            n += 1
        enough += held
    return n


@inner
def apply_fill(rules, g, action):
    """Put the chosen card on the half-laid meld."""
    choice = action - rules.a_fill
    if g.meld_kind == Kind.SET:
        suit = choice - 1 - rules.kinds
        if suit < 0:  # Wilds come last.
            g.meld_suit = rules.suits
            fill_set(rules, g, rules.suits * rules.ranks + choice - 1)
        else:
            g.meld_suit = suit if rules.copies > 1 else suit + 1
            fill_set(rules, g, suit * rules.ranks + g.meld_place)
    elif choice == 0:
        fill_run(rules, g, type_at(rules, g.meld_place))
    else:
        fill_run(rules, g, rules.suits * rules.ranks + choice - 1)


@inner
def fill_set(rules, g, card):
    """A card goes on the half-laid set."""
    slot = g.meld_slot
    lay_down(rules, g, card)
    g.melds[slot, g.meld_len[slot]] = card
    g.meld_len[slot] += 1
    g.meld_naturals += card < rules.suits * rules.ranks
    g.meld_left -= 1
    if g.meld_left == 0:
        g.sets[g.meld_place] += 1
        g.set_ranks |= bit(g.meld_place)
        finish_meld(rules, g)


@inner
def fill_run(rules, g, card):
    """A natural or a wild goes on `meld_place` of a new run, or at the end of a run on the table."""
    slot = g.meld_slot
    place = g.meld_place
    lay_down(rules, g, card)
    if card >= rules.suits * rules.ranks:
        add_wild_place(rules, g, place, card, 1)
    else:
        g.meld_naturals += 1
    length = int(g.meld_len[slot])
    low = int(g.meld_low[slot])
    if g.meld_kind != Kind.RUN:
        add_run_ends(rules, g, low, low + length - 1, -1)
    if g.meld_kind == Kind.BELOW:
        for i in range(length, 0, -1):
            g.melds[slot, i] = g.melds[slot, i - 1]
        g.melds[slot, 0] = card
        g.meld_low[slot] = place
        low = place
    else:
        g.melds[slot, length] = card
    g.meld_len[slot] = length + 1
    g.meld_place += 1
    g.meld_left -= 1
    if g.meld_left == 0:
        add_run_ends(rules, g, low, low + length, 1)
        finish_meld(rules, g)


@inner
def finish_meld(rules, g):
    """The meld stands; who laid a new one has opened, and has done its duty (N5); who has no card left is out (N9)."""
    if g.meld_slot == g.n_melds:
        g.n_melds += 1
        if rules.contracts:
            meld_done(g)
        else:
            g.opened[g.seat] = 1
        g.duty = 0
    end_meld(g)
    g.phase = Phase.PLAY
    if g.hand_size[g.seat] == 0:
        go_out(rules, g)


# The phases together -------------------------------------------------------------------------------------------------


@inner
def legal(rules, g, actions):
    """See `cardenvs.verbs.legal`."""
    if g.phase == Phase.PLAY:
        return legal_play(rules, g, actions)
    if g.phase == Phase.DRAW:
        return legal_draw(rules, g, actions)
    if g.phase == Phase.FILL:
        return legal_fill(rules, g, actions)
    if g.phase == Phase.CLAIM:
        return legal_claim(rules, actions)
    if g.phase == Phase.ANNOUNCE:
        return legal_announce(rules, actions)
    return 0


@inner
def play(rules, g, action):
    """See `cardenvs.verbs.play`."""
    if g.phase == Phase.PLAY:
        apply_play(rules, g, action)
    elif g.phase == Phase.DRAW:
        apply_draw(rules, g, action)
    elif g.phase == Phase.FILL:
        apply_fill(rules, g, action)
    elif g.phase == Phase.CLAIM:
        apply_claim(rules, g, action)
    else:
        apply_announce(rules, g, action)
