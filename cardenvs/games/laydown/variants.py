"""The rows of the `laydown` family: from options to `Rules`, pack and layouts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cardenvs.cards import MAX_TYPES, Pack, board_of
from cardenvs.games.laydown.layouts import action_layout, action_name, observation_layout
from cardenvs.games.laydown.rules import (
    CONTRACT_CARDS,
    LAST_CONTRACT,
    MAX_CARDS,
    MAX_MELD,
    ROW_LIMIT,
    Announce,
    Claims,
    Rules,
)
from cardenvs.layout import Layout
from cardenvs.spec import Build, Option


class Row(NamedTuple):
    """What one variant is, beside its options: a row of the family.

    Attributes:
        pack: (options) -> cards.
        hand_size: (options) -> cards dealt to each.
        run_min, open_run: least length of a run; of the first one (0: the same).
        sets: whether sets are melds.
        lay_off_opened: laying off and swapping need a meld of one's own in this round.
        keep_card: cards that must stay for the discard; 0: one goes out by melding everything, too.
        take_top, take_pile: what may be drawn beside the stock.
        score_scale: points that make one unit of reward.
        claim_opened: a discard is offered only by and to seats that have melded in this round.
        pile_duty: points that it costs to take the pile and lay no new meld in that turn.
        table_counts: cards on the table count for who laid them.
        best_wins: the most points win the round, not who went out.
        ace_high: aces stand above the king, too, not only below the two.
        contracts: in its first melds of a round one lays the whole of a contract, and no more melds after it.
    """

    pack: Callable[[Mapping[str, Any]], Pack]
    hand_size: Callable[[Mapping[str, Any]], int]
    run_min: int
    open_run: int
    sets: bool
    lay_off_opened: bool
    keep_card: int
    take_top: bool
    take_pile: bool
    score_scale: float
    claim_opened: bool = False
    pile_duty: int = 0
    table_counts: bool = False
    best_wins: bool = False
    ace_high: bool = False
    contracts: bool = False


def build(row: Row, options: Mapping[str, Any]) -> Build:
    """A variant's options made into rules and layouts.

    Raises:
        ValueError: the pack is too large, the hands do not leave a card to turn, or a score could outgrow its place in
            the observation.
    """
    pack, seats = row.pack(options), options["num_players"]
    hand_size = row.hand_size(options) or int(CONTRACT_CARDS.max())
    if seats * hand_size >= pack.size:
        most = (pack.size - 1) // seats
        chosen = "".join(f", {name}={options[name]}" for name in ("colours", "copies") if name in options)
        raise ValueError(f"hand_size={hand_size}: allowed are integers from 1 to {most} for {seats} players{chosen}")
    # No meld outgrows its place in the record: compiled code would write on behind it.
    longest_set = pack.copies * len(pack.suits) + sum(copies for _, copies in pack.wilds)
    assert max(longest_set if row.sets else 0, len(pack.ranks) + row.ace_high) <= MAX_MELD
    greatest_score = _greatest_score(pack, options, row.pile_duty)
    actions = action_layout(
        pack,
        sets=row.sets,
        take_top=row.take_top,
        take_pile=row.take_pile,
        claims=_claims(options) != Claims.NONE,
        announce=_announce(options) == Announce.ACTION,
        buys=options.get("buys", 0) > 0,
    )
    observation = observation_layout(
        pack,
        seats=seats,
        sets=row.sets,
        show_pile=_show_pile(options),
        max_turns=options["max_turns"],
        greatest_score=min(greatest_score, ROW_LIMIT),
        table_counts=row.table_counts,
        duty=row.pile_duty > 0,
        contracts=row.contracts,
        buys=options.get("buys", 0),
    )
    rules = _rules(row, pack, options, actions, observation)
    names = tuple(action_name(pack, actions, action) for action in range(actions.size))
    return Build(rules, pack, actions, observation, names, row.score_scale, greatest_score)


def _claims(options: Mapping[str, Any]) -> Claims:
    return Claims[options.get("claim_order", "none").upper()]


def _announce(options: Mapping[str, Any]) -> Announce:
    return Announce[options.get("announce", "auto").upper()]


def _show_pile(options: Mapping[str, Any]) -> bool:
    return options.get("pile_view", "all") == "all"


def _rules(row: Row, pack: Pack, options: Mapping[str, Any], actions: Layout, observation: Layout) -> Rules:
    return Rules(
        seats=options["num_players"],
        suits=len(pack.suits),
        ranks=len(pack.ranks),
        copies=pack.copies,
        kinds=len(pack.wilds),
        wild_copies=_two([copies for _, copies in pack.wilds]),
        points=(*pack.points, *[0] * (16 - len(pack.points))),
        hand_size=row.hand_size(options),
        run_min=row.run_min,
        open_run=row.open_run,
        sets=int(row.sets),
        lay_off_opened=int(row.lay_off_opened),
        keep_card=row.keep_card,
        take_top=int(row.take_top),
        take_pile=int(row.take_pile),
        claims=int(_claims(options)),
        claim_opened=int(row.claim_opened),
        announce=int(_announce(options)),
        pile_duty=row.pile_duty,
        table_counts=int(row.table_counts),
        best_wins=int(row.best_wins),
        show_pile=int(_show_pile(options)),
        max_turns=options["max_turns"],
        match=int(options["match"]),
        rounds=options.get("rounds", 1),
        target=options.get("target", 0),
        win_reward=int(options["reward"] == "win"),
        score_scale=row.score_scale,
        ace_high=int(row.ace_high),
        contracts=int(row.contracts),
        contract=options.get("contract", 0),
        buys=options.get("buys", 0),
        valid=_starts(pack, row, 1),
        run_valid=_starts(pack, row, row.run_min),
        open_valid=_starts(pack, row, row.open_run or row.run_min),
        **_action_offsets(actions),
        **_observation_offsets(observation),
    )


def _greatest_score(pack: Pack, options: Mapping[str, Any], pile_duty: int) -> int:
    """Greatest absolute score that a seat can reach in an episode; a row holds it all but for deductions."""
    round_points = pack.total_points
    if options["match"] and not round_points:
        raise ValueError("card_points: all are 0; allowed is at least one above, or a match would never end")
    target, rounds = (options.get("target", 0), options.get("rounds", 1)) if options["match"] else (0, 1)
    greatest = target + round_points if target else rounds * round_points
    if greatest > ROW_LIMIT:
        limit = f"target={target}" if target else f"rounds={rounds}"
        raise ValueError(f"{limit}: a score could reach {greatest}; at most {ROW_LIMIT} is allowed")
    return max(greatest, 1) + rounds * pile_duty * options["max_turns"]


def _two(values: list[int]) -> tuple[int, int]:
    return (*values, 0, 0)[:2]  # type: ignore[return-value]


def _starts(pack: Pack, row: Row, length: int) -> Any:
    """Board of the places where a run of that length may start."""
    return board_of(len(pack.suits), range(len(pack.ranks) + row.ace_high - length + 1))


def _action_offsets(layout: Layout) -> dict[str, int]:
    pieces = (
        "draw_top",
        "draw_pile",
        "run",
        "set",
        "fill",
        "lay_off_run",
        "lay_off_set",
        "lay_off_set_wilds",
        "swap_wild",
        "discard",
        "announce",
    )
    claim = layout.offset("buy" if "buy" in layout else "claim", -1)
    return {f"a_{name}": layout.offset(name, -1) for name in pieces} | {"a_claim": claim}


def _observation_offsets(layout: Layout) -> dict[str, int]:
    pieces = (
        "pile_top",
        "pile",
        "run_top",
        "run_bottom",
        "wild_places",
        "sets",
        "table",
        "duty",
        "table_points",
        "deductions",
        "contract",
        "missing",
        "meld_place",
        "meld_set",
        "meld_suit",
    )
    first_other = layout.offset("other_1_hand_size")
    after = layout.offset("other_2_hand_size", layout.offset("meld_left"))
    last_known = next(layout.offset(p.name) for p in reversed(layout.pieces) if p.name.endswith("_known"))
    # Blocks of cards are written MAX_TYPES long, into what comes after them.
    assert last_known + MAX_TYPES <= layout.size
    return {f"o_{name}": layout.offset(name, -1) for name in pieces} | {
        "o_scalars": layout.offset("stock_size"),
        "o_others": first_other,
        "o_other_size": after - first_other,
        "o_other_table_points": layout.offset("other_1_table_points", -1) - first_other,
        "o_other_deductions": layout.offset("other_1_deductions", -1) - first_other,
        "o_other_owed": layout.offset("other_1_owed_sets", -1) - first_other,
    }


MAX_TURNS = Option("max_turns", 100, 1, 1000, doc="turns of each seat in a round before it is truncated (G3)")


def _hand_size(options: Mapping[str, Any]) -> int:
    return options["hand_size"]


_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")

# Rummy ---------------------------------------------------------------------------------------------------------------

_RUMMY_HANDS = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}


def _rummy_pack(options: Mapping[str, Any]) -> Pack:
    return Pack("cdhs", _RANKS, 1, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10))


def _rummy_hand(options: Mapping[str, Any]) -> int:
    return options["hand_size"] or _RUMMY_HANDS[options["num_players"]]


RUMMY = Row(
    pack=_rummy_pack,
    hand_size=_rummy_hand,
    run_min=3,
    open_run=0,
    sets=True,
    lay_off_opened=False,
    keep_card=1,
    take_top=True,
    take_pile=False,
    score_scale=50.0,
)

RUMMY_OPTIONS = (
    Option("hand_size", None, 1, 25, doc="cards dealt to each; None: 10 for two, 7 for three or four, 6 for more (R2)"),
    Option("claim_order", "random", choices=("random", "seat"), doc="who is asked first for a discard that fits (X1)"),
    MAX_TURNS,
    Option("rounds", 1, 1, 90, doc="rounds of a match without `target` (R9)"),
    Option("target", 0, 0, 10000, doc="penalty points that end a match; 0: it ends after `rounds` (R9)"),
)

# Cachons -------------------------------------------------------------------------------------------------------------

CARD_POINTS = {"3-7": 5, "8-K": 10, "A": 20, "2": 20, "JK": 50}


def _cachons_pack(options: Mapping[str, Any]) -> Pack:
    points = options["card_points"]
    by_rank = (*[points["3-7"]] * 5, *[points["8-K"]] * 6, points["A"])
    ranks = (*_RANKS[2:], "A")
    return Pack("cdhs", ranks, 2, (*by_rank, points["2"], points["JK"]), (("2", 8), ("JK", 2)))


CACHONS = Row(
    pack=_cachons_pack,
    hand_size=_hand_size,
    run_min=3,
    open_run=5,
    sets=False,
    lay_off_opened=True,
    keep_card=1,
    take_top=True,
    take_pile=True,
    score_scale=100.0,
)

CACHONS_OPTIONS = (
    Option("hand_size", 10, 1, 52, doc="cards dealt to each (C3)"),
    Option("card_points", CARD_POINTS, 0, 100, table=True, doc="penalty points of the cards (C5)"),
    MAX_TURNS,
    Option("target", 300, 1, 10000, doc="penalty points that end a match (C14)"),
)

# Number Cachons ------------------------------------------------------------------------------------------------------


def _number_cachons_pack(options: Mapping[str, Any]) -> Pack:
    colours, copies = options["colours"], options["copies"]
    most = MAX_CARDS // (12 * colours)
    if copies > most:
        raise ValueError(f"copies={copies}: allowed are integers from 1 to {most} with {colours} colours")
    points = (*[5] * 7, *[10] * 5)
    return Pack("bgry"[:colours], tuple(map(str, range(1, 13))), copies, points, suit_first=True)


NUMBER_CACHONS = Row(
    pack=_number_cachons_pack,
    hand_size=_hand_size,
    run_min=3,
    open_run=0,
    sets=True,
    lay_off_opened=True,
    keep_card=0,
    take_top=False,
    take_pile=True,
    score_scale=100.0,
    claim_opened=True,
    pile_duty=50,
    table_counts=True,
    best_wins=True,
)

NUMBER_CACHONS_OPTIONS = (
    Option("hand_size", 8, 1, 83, doc="cards dealt to each (N3)"),
    Option("colours", 4, 2, 4, doc="colours of the pack: the first of blue, green, red and yellow (N2)"),
    Option("copies", 2, 1, 7, doc="of each number in each colour; at most 168 cards in all (N2)"),
    Option("pile_view", "top", choices=("top", "all"), doc="what the observation shows of the pile (N11)"),
    Option(
        "announce", "action", choices=("action", "auto"), doc="saying that one card is left: asked, or always (N12)"
    ),
    Option("claim_order", "random", choices=("random", "seat"), doc="who is asked first for a discard that fits (X1)"),
    MAX_TURNS,
    Option("rounds", 1, 1, 48, doc="rounds of a match (N15)"),
)

# Liverpool Rummy -----------------------------------------------------------------------------------------------------


def _liverpool_pack(options: Mapping[str, Any]) -> Pack:
    packs = 2 if options["num_players"] <= 4 else 3
    points = (15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15)
    return Pack("cdhs", _RANKS, packs, points, (("JK", 2 * packs),))


def _liverpool_hand(options: Mapping[str, Any]) -> int:
    """Cards dealt to each; 0: by the contract of the round."""
    if options["match"] and options["contract"] != 1:
        raise ValueError(f"contract={options['contract']}: allowed with match=True is 1, with which a match begins")
    return options["hand_size"] or 0


LIVERPOOL = Row(
    pack=_liverpool_pack,
    hand_size=_liverpool_hand,
    run_min=4,
    open_run=0,
    sets=True,
    lay_off_opened=True,
    keep_card=1,
    take_top=True,
    take_pile=False,
    score_scale=100.0,
    ace_high=True,
    contracts=True,
)

LIVERPOOL_OPTIONS = (
    Option(
        "contract",
        1,
        0,
        LAST_CONTRACT,
        doc="contract of a single round, 0: drawn; a match begins with the first (V2, V3)",
    ),
    Option("hand_size", None, 1, 53, doc="cards dealt to each; None: 10 in the first four rounds, 12 after (V2)"),
    Option("buys", 3, 0, 10, doc="purchases that each may make in a round (V6)"),
    MAX_TURNS,
    Option("rounds", LAST_CONTRACT, 1, LAST_CONTRACT, doc="rounds of a match, with the contracts in turn (V2)"),
)
