"""Whether a meld, or a turn, can be brought to a legal end (G6, K11): the look-ahead of the `canasta` family, compiled.

With two cards in hand a turn can always be ended: one is discarded, one is kept. So only a hand that comes down to one
card or to none must be looked at closely, and then nearly every card of it is known to go on the meld.
"""

from __future__ import annotations

from cardenvs._jit import inner, outer
from cardenvs.games.canasta.moves import naturals, wilds
from cardenvs.games.canasta.rules import CANASTA, JOKER, POINTS, RANKS, TWO

_NEVER = 1 << 20
"""More cards than there are."""


@inner
def may_go_out(rules, g, side):
    """Whether a side has the canastas that going out needs (K11)."""
    return g.canastas[side] >= rules.canastas


@outer
def last_card_goes_out(rules, g, side, card, canastas, rank, natural, wild):
    """Whether a player of a side with `canastas` goes out with the last card: by discarding or by melding it (K11).

    The meld of `rank` counts as if it had that many naturals and wilds; -1 is no rank.
    """
    if canastas >= rules.canastas:
        return True
    if canastas < rules.canastas - 1 or card > JOKER:
        return False
    for at in range(RANKS):
        if card < RANKS and at != card:
            continue
        if at == rank:
            a, b = natural, wild
        elif (g.meld_bits[side] >> at) & 1:
            a, b = naturals(g, side, at), wilds(g, side, at)
        else:
            continue
        if a + b == CANASTA - 1 and (card < RANKS or a > b + 1):
            return True
    return False


@inner
def fewest_cards(natural, wild, points, minimum, value, more, twos, jokers):
    """Fewest cards of `more` naturals worth `value`, twos and jokers that make a meld stand: K5, and K6's minimum."""
    fewest = _NEVER
    for added in range(more + 1):
        if added >= fewest:
            break
        count, worth = added, points + added * value
        room = natural + added - wild - 1
        dear, cheap = jokers, twos
        while room > 0 and dear + cheap > 0 and (worth < minimum or natural + wild + count < 3):
            if dear > 0:
                dear -= 1
                worth += POINTS[JOKER]
            else:
                cheap -= 1
                worth += POINTS[TWO]
            room -= 1
            count += 1
        if worth >= minimum and natural + wild + count >= 3:
            fewest = min(fewest, count)
    return fewest


@inner
def ends_well(rules, g, side, rank, natural, wild, points, last):
    """Whether the meld of `rank` may stand like this and the player go out, with `last` left in hand (-1: nothing)."""
    minimum = 0 if g.opened[side] else int(g.minimum[side])
    if natural <= wild or natural + wild < 3 or points < minimum:
        return False
    canastas = int(g.canastas[side])
    if natural + wild >= CANASTA and naturals(g, side, rank) + wilds(g, side, rank) < CANASTA:
        canastas += 1
    if last < 0:
        return canastas >= rules.canastas
    return last_card_goes_out(rules, g, side, last, canastas, rank, natural, wild)


@outer
def goes_out_with(rules, g, rank, natural, wild, points, more, twos, jokers, other, coming):
    """Whether `can_stand` holds when at most one card is left: every other card of the hand is on the meld then.

    `other` cards of the hand cannot go on it. Tried is the meld of all cards that can, and of all but one.
    """
    seat = int(g.seat)
    side = seat % rules.sides
    value = int(POINTS[rank])
    points += more * value + twos * POINTS[TWO] + jokers * POINTS[JOKER]
    natural, wild = natural + more, wild + twos + jokers
    if other + coming > 1:
        return False
    if other + coming == 1:
        last = coming_card(g) if coming == 1 else other_card(g, seat, rank)
        return ends_well(rules, g, side, rank, natural, wild, points, last)
    return (
        ends_well(rules, g, side, rank, natural, wild, points, -1)
        or (more > 0 and ends_well(rules, g, side, rank, natural - 1, wild, points - value, rank))
        or (twos > 0 and ends_well(rules, g, side, rank, natural, wild - 1, points - POINTS[TWO], TWO))
        or (jokers > 0 and ends_well(rules, g, side, rank, natural, wild - 1, points - POINTS[JOKER], JOKER))
    )


@inner
def coming_card(g):
    """The single card that comes to the hand with the pile: it lies under the top, or beside."""
    for kind in range(2):
        if g.beside[kind] > 0:
            return TWO + kind
    return int(g.pile[0])


@inner
def other_card(g, seat, rank):
    """The card in hand that is neither of the rank nor wild; there is one."""
    card = 0
    bits = int(g.hand_bits[seat]) & ~(1 << rank) & ~(1 << TWO) & ~(1 << JOKER)
    while (bits >> card) & 1 == 0:
        card += 1
    return card


@inner
def can_stand(rules, g, rank, natural, wild, points, more, twos, jokers, size, coming):
    """Whether a meld that lies half can be brought to stand, and the turn to a legal end (G6, K6, K7, K11).

    Args:
        rules, g: it is the meld of the seat to act.
        rank, natural, wild, points: of the meld, as it would lie.
        more, twos, jokers, size: naturals of the rank, twos, jokers and all cards that the hand would then hold.
        coming: cards that come to the hand once it stands: what is left of a pile that is taken.
    """
    opened = g.opened[int(g.seat) % rules.sides]
    minimum = 0 if opened else int(g.minimum[int(g.seat) % rules.sides])
    fewest = fewest_cards(natural, wild, points, minimum, int(POINTS[rank]), more, twos, jokers)
    if fewest == _NEVER:
        return False
    if size - fewest + coming >= 2:
        return True
    other = size - more - twos - jokers
    return goes_out_with(rules, g, rank, natural, wild, points, more, twos, jokers, other, coming)
