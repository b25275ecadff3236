"""The `laydown` family: melds on a shared table (Rummy, Cachons, Number Cachons, Liverpool Rummy)."""

from functools import partial

from cardenvs import verbs
from cardenvs.games.laydown import expert, play, rounds, score, text, view, worlds
from cardenvs.games.laydown.rules import RECORD, Rules
from cardenvs.games.laydown.variants import (
    CACHONS,
    CACHONS_OPTIONS,
    LIVERPOOL,
    LIVERPOOL_OPTIONS,
    NUMBER_CACHONS,
    NUMBER_CACHONS_OPTIONS,
    RUMMY,
    RUMMY_OPTIONS,
    build,
)
from cardenvs.spec import Family, Variant

verbs.register(
    Rules,
    shuffle=rounds.shuffle,
    deal=rounds.deal,
    legal=play.legal,
    play=play.play,
    settle=score.settle,
    observe=view.observe,
    act=expert.act,
)

FAMILY = Family(
    name="laydown",
    record=RECORD,
    view=text.view,
    render=text.render,
    determinize=worlds.determinize,
    reseed=worlds.reseed,
    bots=expert.NAMES,
)

VARIANTS = (
    Variant("cachons_v0", "Cachons", (2, 8), 4, CACHONS_OPTIONS, FAMILY, partial(build, CACHONS)),
    Variant(
        "number_cachons_v0",
        "Number Cachons",
        (2, 8),
        4,
        NUMBER_CACHONS_OPTIONS,
        FAMILY,
        partial(build, NUMBER_CACHONS),
    ),
    Variant(
        "liverpool_rummy_v0",
        "Liverpool Rummy",
        (3, 8),
        4,
        LIVERPOOL_OPTIONS,
        FAMILY,
        partial(build, LIVERPOOL),
    ),
    Variant("rummy_v0", "Rummy", (2, 6), 2, RUMMY_OPTIONS, FAMILY, partial(build, RUMMY)),
)
