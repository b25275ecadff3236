"""The `gin` family: melds stay in the hand until somebody knocks (Gin Rummy)."""

from cardenvs import verbs
from cardenvs.games.gin import bots, play, rounds, score, text, view, worlds
from cardenvs.games.gin.rules import RECORD, Rules
from cardenvs.games.gin.variants import GIN_RUMMY_OPTIONS, build
from cardenvs.spec import Family, Variant

verbs.register(
    Rules,
    shuffle=rounds.shuffle,
    deal=rounds.deal,
    legal=play.legal,
    play=play.play,
    settle=score.settle,
    observe=view.observe,
    act=bots.act,
)

FAMILY = Family(
    name="gin",
    record=RECORD,
    view=text.view,
    render=text.render,
    determinize=worlds.determinize,
    reseed=worlds.reseed,
    bots=bots.NAMES,
)

VARIANTS = (Variant("gin_rummy_v0", "Gin Rummy", (2, 2), 2, GIN_RUMMY_OPTIONS, FAMILY, build),)
