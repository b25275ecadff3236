"""Cachons: two packs, twos and jokers wild, runs only, and the first of them five cards long.

```python
from cardenvs import cachons_v0
env = cachons_v0.env(num_players=3, render_mode="ansi")  # raw_env() without PettingZoo's wrappers
```

## Rules

The Norwegian game, clause by clause; tests cite the ids. [D]: the text is silent, and this is what we play; where
houses differ it is an option.

- C1 2 to 8 players.
- C2 Two 52-card packs with one joker each: 106 cards.
- C3 10 cards each; the rest is the stock, and its top card is turned to begin the pile.
- C4 Ranks run from 3 (low) to ace (high). Twos and jokers are wild.
- C5 [D] Penalty points: joker 50, two 20, ace 20, king to eight 10, seven to three 5 (`card_points`).
- C6 A turn: draw, play to the table if one likes, discard one card.
- C7 Draw: the top of the stock, or the top card of the pile, or the whole pile. [D] With one card in the pile the
  last two are one action.
- C8 A player's first play of the round is a run of at least five cards; nothing else may be played before it.
- C9 After it, in the same turn and for the rest of the round: runs of three or more; laying off on runs on the
  table, [D] one's own too; swapping a wild out.
- C10 Runs only: one suit, consecutive. A wild stands for any card. [D] No wrap past the ace or below the three; at
  least one card of a new run is natural, at whatever place; laying wilds off on it is unlimited. Two copies of a
  card may lie in different runs; runs that touch stay two.
- C11 At least one card stays in hand after playing, to be discarded.
- C12 Swap: a card from the hand, [D] a natural, takes the place of the two or joker that stands for it in any run
  on the table. The wild comes to the hand and [D] may be used at once. The last card may be swapped; what came for
  it is then discarded.
- C13 The round ends when a player has no cards left, which by C11 happens on the discard. That player wins the
  round.
- C14 Cards left in hand count against their holder; a match goes on until somebody has `target` points, and the
  fewest win.
- G1 [D] The seat left of the dealer begins, the deal passes one seat on each round, play goes clockwise; in the
  first round the last seat deals, so seat 0 begins. Cards are dealt one at a time, then one is turned to begin the
  pile.
- G2 [D] When somebody draws from the empty stock, and not before, the pile less its top card is shuffled into a new
  one. With one card in the pile the stock is not offered.
- G3 [D] After `max_turns` turns per seat the round stops and is scored as it lies, nobody out: a truncation. A match
  goes on from there; it ends by its own rule, as a termination, and its points say who won.
- G4 [D] Tied winners share the win. Scores are "more is better": penalty points count negative. The card just taken
  may be discarded.
- G5 An episode is one round, or with `match=True` a whole match: scores carry over, rounds are dealt inside the
  episode.
- G6 Every legal play can be made, and whatever the mask offers can be completed: a half-laid meld never strands.

## Actions

With the default options. A turn is draw, play, discard: one decision is one action, so a seat acts several times in
a row. A run is begun, then filled place by place, by the natural or a wild, to its least length; longer ones come
about by laying off. Cards are types: all twos are one, both jokers are one. `env.unwrapped.action_name` and
`action_id` give each action its text and back.

<!-- actions -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| draw_stock | 0 | 1 | 1 | draw the next card of the stock |
| draw_top | 1 | 1 | 1 | draw the pile's top card |
| draw_pile | 2 | 1 | 1 | take the whole pile |
| run | 3-50 | 4 suit x 12 rank | 1 | begin a run whose lowest place is that card |
| fill | 51-53 | 3 card | 1 | put the natural, or that wild, on the run's next place |
| lay_off_run | 54-149 | 4 suit x 12 rank x 2 end | 1 | a card goes there: above a top, below a bottom |
| swap_wild | 150-245 | 4 suit x 12 rank x 2 wild | 1 | that natural takes the wild's place in a run |
| discard | 246-293 | 4 suit x 12 rank | 1 | end the turn with that card |
| discard_wilds | 294-295 | 2 wild | 1 | end the turn with that card |
<!-- /actions -->

## Observation

`{"observation": float32 in [-1, 1], "action_mask": int8}`, from the seat's own view; the mask is all zeros for a
seat that is not to act. An entry is the number that the table describes, divided by "up to". With the default
options:

<!-- observation -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| hand | 0-47 | 4 suit x 12 rank | 2 | copies in the own hand |
| hand_wilds | 48-49 | 2 wild | 8 | copies in the own hand |
| pile_top | 50-97 | 4 suit x 12 rank | 1 | the pile's top card; in the phase CLAIM the card on offer |
| pile_top_wilds | 98-99 | 2 wild | 1 | the pile's top card; in the phase CLAIM the card on offer |
| pile | 100-147 | 4 suit x 12 rank | 2 | copies in the pile |
| pile_wilds | 148-149 | 2 wild | 8 | copies in the pile |
| run_top | 150-197 | 4 suit x 12 rank | 12 | runs on the table whose highest card stands there |
| run_bottom | 198-245 | 4 suit x 12 rank | 12 | runs on the table whose lowest card stands there |
| wild_places | 246-341 | 2 wild x 4 suit x 12 rank | 8 | wilds of that kind that stand there in runs |
| table | 342-389 | 4 suit x 12 rank | 2 | copies on the table |
| table_wilds | 390-391 | 2 wild | 8 | copies on the table |
| stock_size | 392 | 1 | 106 | cards in the stock |
| pile_size | 393 | 1 | 106 | cards in the pile |
| turns | 394 | 1 | 400 | turns ended in this round, all seats together |
| opened | 395 | 1 | 1 | 1 once one has melded in this round |
| score | 396 | 1 | 1100 | own points in the match so far (0 until a single round ends) |
| top_melds | 397 | 1 | 1 | DRAW, CLAIM: 1 if one could begin a meld with the top card only |
| top_fits | 398 | 1 | 1 | DRAW, CLAIM: 1 if the top card fits the table |
| phase | 399-404 | 6 phase | 1 | DRAW, PLAY, FILL, ANNOUNCE, CLAIM, OVER |
| turn_seat | 405-408 | 4 seat | 1 | whose turn it is, from the own seat to the left |
| acting_seat | 409-412 | 4 seat | 1 | who decides now, from the own seat to the left |
| other_1_hand_size | 413 | 1 | 106 | cards in hand of the seat 1 to the left |
| other_1_opened | 414 | 1 | 1 | 1 once it has melded in this round |
| other_1_score | 415 | 1 | 1100 | its points in the match so far |
| other_1_known | 416-463 | 4 suit x 12 rank | 2 | cards known to be in its hand |
| other_1_known_wilds | 464-465 | 2 wild | 8 | cards known to be in its hand |
| other_2_hand_size | 466 | 1 | 106 | cards in hand of the seat 2 to the left |
| other_2_opened | 467 | 1 | 1 | 1 once it has melded in this round |
| other_2_score | 468 | 1 | 1100 | its points in the match so far |
| other_2_known | 469-516 | 4 suit x 12 rank | 2 | cards known to be in its hand |
| other_2_known_wilds | 517-518 | 2 wild | 8 | cards known to be in its hand |
| other_3_hand_size | 519 | 1 | 106 | cards in hand of the seat 3 to the left |
| other_3_opened | 520 | 1 | 1 | 1 once it has melded in this round |
| other_3_score | 521 | 1 | 1100 | its points in the match so far |
| other_3_known | 522-569 | 4 suit x 12 rank | 2 | cards known to be in its hand |
| other_3_known_wilds | 570-571 | 2 wild | 8 | cards known to be in its hand |
| meld_left | 572 | 1 | 7 | cards that the half-laid meld wants |
| meld_naturals | 573 | 1 | 7 | naturals laid on it so far |
| meld_place | 574-621 | 4 suit x 12 rank | 1 | run: the place to fill next |
<!-- /observation -->

Sizes by number of players:

<!-- sizes -->
| players | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
|---|---|---|---|---|---|---|---|
| actions | 296 | 296 | 296 | 296 | 296 | 296 | 296 |
| observation | 512 | 567 | 622 | 677 | 732 | 787 | 842 |
<!-- /sizes -->

## Rewards

At the end of each round every seat gets its score less the mean of the others': zero-sum. With `reward="win"` the
winner gets 1 and each other seat -1/(n-1); a truncated round pays nothing then.

<!-- rewards -->
One unit of reward is 100 points (`game.score_scale`). With the default options an illegal
action in `env` pays -23, worse than any loss.
<!-- /rewards -->

## Options

<!-- options -->
| option | default | allowed | meaning |
|---|---|---|---|
| num_players | `4` | 2 to 8 | seats |
| match | `False` | `False`, `True` | an episode is a whole match, not one round (G5) |
| reward | `'score'` | `'score'`, `'win'` | what a round pays: score margin, or win and loss |
| hand_size | `10` | 1 to 52 | cards dealt to each (C3) |
| card_points | `3-7: 5, 8-K: 10, A: 20, 2: 20, JK: 50` | dict, 0 to 100 | penalty points of the cards (C5) |
| max_turns | `100` | 1 to 1000 | turns of each seat in a round before it is truncated (G3) |
| target | `300` | 1 to 10000 | penalty points that end a match (C14) |
| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |
| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |
<!-- /options -->

## Version history

- v0: first release.
"""

from cardenvs.aec import entry_points

env, raw_env = entry_points("cachons_v0")
