"""The `canasta` family: rank melds that belong to a side (Canasta)."""

from cardenvs import verbs
from cardenvs.games.canasta import expert, play, rounds, score, text, view, worlds
from cardenvs.games.canasta.rules import RECORD, Rules
from cardenvs.games.canasta.variants import CANASTA_OPTIONS, build
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
    name="canasta",
    record=RECORD,
    view=text.view,
    render=text.render,
    determinize=worlds.determinize,
    reseed=worlds.reseed,
    bots=expert.NAMES,
)

VARIANTS = (Variant("canasta_v0", "Canasta", (2, 6), 4, CANASTA_OPTIONS, FAMILY, build),)
