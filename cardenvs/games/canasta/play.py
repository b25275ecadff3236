"""The rules of the `canasta` family, compiled: for each phase what is legal and how it is applied.

Every function is rules first, game second; `g` is one `RECORD`. A half-laid meld is never stranded (G6): whatever
begins or goes on with one is offered only when the hand can bring it to stand and the turn to a legal end.
"""

from __future__ import annotations

import numpy as np

from cardenvs._jit import ctz, inner, outer
from cardenvs.games.canasta.ahead import can_stand, last_card_goes_out, may_go_out
from cardenvs.games.canasta.layouts import BLACK_THREES, DISCARD, PLACE, RED_THREE, TAKE
from cardenvs.games.canasta.moves import (
    cards_to_take,
    collect_pile,
    naturals,
    put,
    put_on_meld,
    put_on_pile,
    take,
    take_pile_top,
    take_stock_top,
    wilds,
)
from cardenvs.games.canasta.rounds import end_meld, end_round, end_turn
from cardenvs.games.canasta.rules import (
    BLACK,
    BLACK_PLACE,
    CANASTA,
    JOKER,
    POINTS,
    RANKS,
    RED,
    RED_PLACE,
    TWO,
    Over,
    Phase,
)

_RANK_BITS = (1 << RANKS) - 1
_PAIR, _WITH_TWO, _WITH_JOKER, _ONTO_MELD = 0, 1, 2, 3


@inner
def emit(bits, first, stride, actions, n):
    """Append the actions `first + stride * i` of every set bit i; returns the new number of actions."""
    left = np.uint64(bits)
    while left != np.uint64(0):
        actions[n] = first + stride * ctz(left)
        n += 1
        left &= left - np.uint64(1)
    return n


# DRAW (K4, K7, K8) ---------------------------------------------------------------------------------------------------


@inner
def legal_draw(rules, g, actions):
    """The stock, and the pile where nothing blocks it: neither a red three nor a three on top."""
    actions[0] = 0
    if g.n_pile == 0 or g.block_seat >= 0:
        return 1
    top = int(g.pile[g.n_pile - 1])
    return legal_take(rules, g, top, actions) if top < RANKS else 1


@inner
def legal_take(rules, g, top, actions):
    """The ways to take the pile with its top card, after the stock."""
    seat = int(g.seat)
    side = seat % rules.sides
    held, size = int(g.hand[seat, top]), int(g.hand_size[seat])
    twos, jokers = int(g.hand[seat, TWO]), int(g.hand[seat, JOKER])
    frozen = g.beside[0] + g.beside[1] > 0
    coming = cards_to_take(g) - 1
    value = int(POINTS[top])
    n = 1
    if (g.meld_bits[side] >> top) & 1:
        if (held >= 2 or not frozen) and (size + coming > 1 or onto_meld_goes_out(rules, g, seat, top)):
            actions[n] = TAKE + _ONTO_MELD
            n += 1
        return n
    if held >= 2 and can_stand(rules, g, top, 3, 0, 3 * value, held - 2, twos, jokers, size - 2, coming):
        actions[n] = TAKE + _PAIR
        n += 1
    if held >= 1 and g.opened[side] and not frozen:
        # K6 asks nothing of a side that has opened: the points do not matter.
        if twos > 0 and can_stand(rules, g, top, 2, 1, 0, held - 1, twos - 1, jokers, size - 2, coming):
            actions[n] = TAKE + _WITH_TWO
            n += 1
        if jokers > 0 and can_stand(rules, g, top, 2, 1, 0, held - 1, twos, jokers - 1, size - 2, coming):
            actions[n] = TAKE + _WITH_JOKER
            n += 1
    return n


@outer
def onto_meld_goes_out(rules, g, seat, top):
    """Whether a player goes out with the one card in hand after laying the only card of the pile on a meld."""
    side = seat % rules.sides
    natural, wild = naturals(g, side, top) + 1, wilds(g, side, top)
    canastas = int(g.canastas[side]) + (natural + wild == CANASTA)
    return last_card_goes_out(rules, g, side, ctz(np.uint64(g.hand_bits[seat])), canastas, top, natural, wild)


@inner
def apply_draw(rules, g, action):
    """Draw from the stock, hidden from the others; or lay the top of the pile with what the form asks for."""
    if action == 0:
        put(g, g.seat, take_stock_top(g), False)
        g.phase = Phase.PLAY
    else:
        take_pile(rules, g, action - TAKE)


@inner
def take_pile(rules, g, form):
    """The top card is melded; the rest follows once that meld stands (K7)."""
    seat = int(g.seat)
    side = seat % rules.sides
    top = take_pile_top(g)
    put_on_meld(g, side, top, 0)
    if form == _ONTO_MELD:
        if g.beside[0] + g.beside[1] > 0:
            # K8: all have seen the two naturals that a frozen pile asks for.
            g.known[seat, top] = max(int(g.known[seat, top]), 2)
        collect_pile(g, seat)
        g.phase = Phase.PLAY
        return
    take(g, seat, top)
    put_on_meld(g, side, top, 0)
    card = top if form == _PAIR else TWO + form - _WITH_TWO
    take(g, seat, card)
    put_on_meld(g, side, top, form)
    g.phase = Phase.MELD
    g.meld_rank = top
    g.meld_takes = 1
    stand(rules, g)


# PLAY: meld, threes, discard (K4, K9, K11, K12) ----------------------------------------------------------------------


@inner
def legal_play(rules, g, actions):
    """Whatever can be laid; and every discard that keeps a card or goes out."""
    seat = int(g.seat)
    side = seat % rules.sides
    hand, size = int(g.hand_bits[seat]), int(g.hand_size[seat])
    melds = int(g.meld_bits[side])
    out = may_go_out(rules, g, side)
    n = 0
    if melds != 0:
        if size > 2 or out:
            n = legal_extend(g, side, hand, melds, actions, n)
        else:
            n = legal_extend_few(rules, g, side, hand, melds, actions, n)
    n = legal_begin(rules, g, seat, side, melds, actions, n)
    if hand >> RED:
        n = legal_threes(rules, g, seat, side, actions, n)
    if size > 1 or out:
        n = emit(hand, DISCARD, 1, actions, n)
    return n


@inner
def legal_extend(g, side, hand, melds, actions, n):
    """Cards on standing melds (K5)."""
    n = emit(hand & melds & _RANK_BITS, PLACE, 3, actions, n)
    if (hand >> TWO) & 3:
        room = int(g.room_bits[side]) & melds
        if (hand >> TWO) & 1:
            n = emit(room, PLACE + 1, 3, actions, n)
        if (hand >> JOKER) & 1:
            n = emit(room, PLACE + 2, 3, actions, n)
    return n


@outer
def legal_extend_few(rules, g, side, hand, melds, actions, n):
    """The same with one or two cards in hand, for a side that may not go out yet: K11 looks ahead."""
    first = n
    n = legal_extend(g, side, hand, melds, actions, n)
    kept = first
    for k in range(first, n):
        rank, kind = (actions[k] - PLACE) // 3, (actions[k] - PLACE) % 3
        if extended_goes_out(rules, g, side, rank, kind):
            actions[kept] = actions[k]
            kept += 1
    return kept


@inner
def extended_goes_out(rules, g, side, rank, kind):
    """Whether a player with one or two cards goes out after laying one of them on the meld of a rank."""
    seat = int(g.seat)
    natural, wild = naturals(g, side, rank), wilds(g, side, rank)
    if kind == 0:
        natural += 1
    else:
        wild += 1
    canastas = int(g.canastas[side]) + (natural + wild == CANASTA)
    if g.hand_size[seat] == 1:
        return canastas >= rules.canastas
    last = card_beside(g, seat, rank if kind == 0 else TWO + kind - 1)
    return last_card_goes_out(rules, g, side, last, canastas, rank, natural, wild)


@inner
def card_beside(g, seat, card):
    """The other one of two cards in hand."""
    others = int(g.hand_bits[seat]) & ~(1 << card)
    return ctz(np.uint64(others)) if others else card


@inner
def legal_begin(rules, g, seat, side, melds, actions, n):
    """Ranks of which a new meld can be brought to stand: two naturals of it at least are in hand (K5, K6)."""
    left = np.uint64(int(g.pair_bits[seat]) & ~melds & _RANK_BITS)
    if left == np.uint64(0):
        return n
    size = int(g.hand_size[seat]) - 1
    twos, jokers = int(g.hand[seat, TWO]), int(g.hand[seat, JOKER])
    while left != np.uint64(0):
        rank = ctz(left)
        left &= left - np.uint64(1)
        more = int(g.hand[seat, rank]) - 1
        if can_stand(rules, g, rank, 1, 0, int(POINTS[rank]), more, twos, jokers, size, 0):
            actions[n] = PLACE + 3 * rank
            n += 1
    return n


@outer
def legal_threes(rules, g, seat, side, actions, n):
    """A red three, replaced where the stock has a card (K9); all black threes when going out (K12)."""
    size, out = int(g.hand_size[seat]), may_go_out(rules, g, side)
    if g.hand[seat, RED] > 0 and (
        out
        or size > 2
        or (size == 2 and g.n_stock > 0)
        or (
            size == 2 and last_card_goes_out(rules, g, side, card_beside(g, seat, RED), int(g.canastas[side]), -1, 0, 0)
        )
    ):
        actions[n] = RED_THREE
        n += 1
    black = int(g.hand[seat, BLACK])
    if black >= 3 and out and size - black <= 1:
        actions[n] = BLACK_THREES
        n += 1
    return n


@inner
def apply_play(rules, g, action):
    """The pieces of the action layout, from the last to the first."""
    if action >= DISCARD:
        discard(rules, g, action - DISCARD)
    elif action == BLACK_THREES:
        lay_black_threes(rules, g)
    elif action == RED_THREE:
        lay_red_three(rules, g)
    else:
        rank = (action - PLACE) // 3
        if (g.meld_bits[int(g.seat) % rules.sides] >> rank) & 1 == 0:
            g.phase = Phase.MELD
            g.meld_rank = rank
        place(rules, g, rank, (action - PLACE) % 3)


@inner
def discard(rules, g, card):
    """End the turn: the round is over, or the next turn begins (K8, K11)."""
    take(g, g.seat, card)
    put_on_pile(g, card)
    g.no_black = 0
    if card == RED:
        g.block_seat = g.seat
    if g.hand_size[g.seat] == 0:
        end_round(g, Over.OUT)
    else:
        end_turn(rules, g)


@inner
def go_out_if_empty(g):
    """K11: who has laid the last card is out."""
    if g.hand_size[g.seat] == 0:
        end_round(g, Over.OUT)


@inner
def lay_red_three(rules, g):
    """A card from the stock for it, where there is one (K9)."""
    seat = int(g.seat)
    take(g, seat, RED)
    g.table[seat % rules.sides, RED_PLACE] += 1
    if g.n_stock > 0:
        put(g, seat, take_stock_top(g), False)
        g.no_black = 0
    go_out_if_empty(g)


@inner
def lay_black_threes(rules, g):
    """All that are held (K12): so all know that the card that may be left is none."""
    seat = int(g.seat)
    while g.hand[seat, BLACK] > 0:
        take(g, seat, BLACK)
        g.table[seat % rules.sides, BLACK_PLACE] += 1
    g.no_black = 1
    go_out_if_empty(g)


@inner
def place(rules, g, rank, kind):
    """A card goes on the meld of a rank, which stands or is half laid."""
    take(g, g.seat, rank if kind == 0 else TWO + kind - 1)
    put_on_meld(g, int(g.seat) % rules.sides, rank, kind)
    if g.phase == Phase.MELD:
        stand(rules, g)
    else:
        go_out_if_empty(g)


# MELD: the next card of the half-laid meld (G6) ----------------------------------------------------------------------


@inner
def meld_points(g, side, rank):
    """Points of the cards on the meld of a rank."""
    twos, jokers = int(g.table[side, RANKS + rank]), int(g.table[side, 2 * RANKS + rank])
    return naturals(g, side, rank) * int(POINTS[rank]) + twos * int(POINTS[TWO]) + jokers * int(POINTS[JOKER])


@inner
def legal_meld(rules, g, actions):
    """The natural and the wilds after which the meld can still be brought to stand."""
    seat = int(g.seat)
    side, rank = seat % rules.sides, int(g.meld_rank)
    natural, wild = naturals(g, side, rank), wilds(g, side, rank)
    points, size = meld_points(g, side, rank), int(g.hand_size[seat]) - 1
    more, twos, jokers = int(g.hand[seat, rank]), int(g.hand[seat, TWO]), int(g.hand[seat, JOKER])
    coming = cards_to_take(g) if g.meld_takes else 0
    n = 0
    value = int(POINTS[rank])
    if more > 0 and can_stand(rules, g, rank, natural + 1, wild, points + value, more - 1, twos, jokers, size, coming):
        actions[n] = PLACE + 3 * rank
        n += 1
    if natural <= wild + 1:
        return n
    value = int(POINTS[TWO])
    if twos > 0 and can_stand(rules, g, rank, natural, wild + 1, points + value, more, twos - 1, jokers, size, coming):
        actions[n] = PLACE + 3 * rank + 1
        n += 1
    value = int(POINTS[JOKER])
    if jokers > 0 and can_stand(
        rules, g, rank, natural, wild + 1, points + value, more, twos, jokers - 1, size, coming
    ):
        actions[n] = PLACE + 3 * rank + 2
        n += 1
    return n


@inner
def stand(rules, g):
    """Three cards, and the points that the side's first meld must reach (K5, K6): then the meld stands."""
    seat = int(g.seat)
    side, rank = seat % rules.sides, int(g.meld_rank)
    if naturals(g, side, rank) + wilds(g, side, rank) < 3:
        return
    if not g.opened[side] and meld_points(g, side, rank) < g.minimum[side]:
        return
    g.opened[side] = 1
    g.meld_bits[side] |= 1 << rank
    if g.meld_takes:
        collect_pile(g, seat)
    end_meld(g)
    g.phase = Phase.PLAY
    go_out_if_empty(g)


# The phases together -------------------------------------------------------------------------------------------------


@inner
def legal(rules, g, actions):
    """See `cardenvs.verbs.legal`."""
    if g.phase == Phase.PLAY:
        return legal_play(rules, g, actions)
    if g.phase == Phase.DRAW:
        return legal_draw(rules, g, actions)
    if g.phase == Phase.MELD:
        return legal_meld(rules, g, actions)
    return 0


@inner
def play(rules, g, action):
    """See `cardenvs.verbs.play`."""
    if g.phase == Phase.PLAY:
        apply_play(rules, g, action)
    elif g.phase == Phase.DRAW:
        apply_draw(rules, g, action)
    else:
        place(rules, g, int(g.meld_rank), (action - PLACE) % 3)
