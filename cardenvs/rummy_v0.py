"""Rummy: sets and runs on a shared table; a discard that would have fitted it can be claimed.

```python
from cardenvs import rummy_v0
env = rummy_v0.env(num_players=3, render_mode="ansi")  # raw_env() without PettingZoo's wrappers
```

## Rules

The Norwegian game, clause by clause; tests cite the ids. [D]: the text is silent, and this is what we play; where
houses differ it is an option.

- R1 2 to 6 players.
- R2 52 cards. [D] 10 each for two, 7 for three or four, 6 for five or six.
- R3 King high, ace low; [D] no wrap. Face cards count 10 points, the ace 1, others their number.
- R4 A turn begins by drawing the top of the stock or the top of the pile.
- R5 Then one may meld sets (three or more of a rank) and runs (three or more in sequence in a suit), and lay off on
  any meld, whoever laid it, [D] with no meld of one's own needed.
- R6 The turn ends with a discard. The last card may not be melded: going out is always by the discard.
- R7 "RUMMY": when a discard would have fitted a meld on the table, the first other player to call takes it into the
  hand.
- R8 The round ends when a player has no cards; nobody lays down more after that.
- R9 Cards left in hand count against their holder; the fewest points are best. [D] A match is `rounds` rounds, or
  goes on until somebody has `target` points.
- X1 [D] Calling first is a race: the others are asked one after the other, in an order drawn at random for each
  discard, or from the discarder's left (`claim_order`). The first to claim gets the card. Then the seat after the
  discarder plays.
- X2 [D] No claim is asked after the discard that ends the round.
- G1 [D] The seat left of the dealer begins, the deal passes one seat on each round, play goes clockwise; in the
  first round the last seat deals, so seat 0 begins. Cards are dealt one at a time, then one is turned to begin the
  pile.
- G2 [D] When somebody draws from the empty stock, and not before, the pile less its top card is shuffled into a new
  one. With one card in the pile the stock is not offered; with none at all the turn begins without a draw.
- G3 [D] After `max_turns` turns per seat the round stops and is scored as it lies, nobody out: a truncation. A match
  goes on from there; it ends by its own rule, as a termination, and its points say who won.
- G4 [D] Tied winners share the win. Scores are "more is better": penalty points count negative. The card just taken
  may be discarded.
- G5 An episode is one round, or with `match=True` a whole match: scores carry over, rounds are dealt inside the
  episode.
- G6 Every legal play can be made, and whatever the mask offers can be completed: a half-laid meld never strands.

## Actions

With the default options. A turn is draw, play, discard: one decision is one action, so a seat acts several times in
a row. A run or set is begun, then filled card by card to three; longer ones come about by laying off.
`env.unwrapped.action_name` and `action_id` give each action its text and back.

<!-- actions -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| draw_stock | 0 | 1 | 1 | draw the next card of the stock |
| draw_top | 1 | 1 | 1 | draw the pile's top card |
| run | 2-53 | 4 suit x 13 rank | 1 | begin a run whose lowest place is that card |
| set | 54-66 | 13 rank | 1 | begin a set of that rank |
| fill | 67 | 1 card | 1 | put the natural, or that wild, on the run's next place |
| fill_suit | 68-71 | 4 suit | 1 | put the card of that suit on the set |
| lay_off_run | 72-175 | 4 suit x 13 rank x 2 end | 1 | a card goes there: above a top, below a bottom |
| lay_off_set | 176-227 | 4 suit x 13 rank | 1 | put that card on a set of its rank |
| discard | 228-279 | 4 suit x 13 rank | 1 | end the turn with that card |
| claim | 280 | 1 | 1 | take the discard that fits the table |
| pass | 281 | 1 | 1 | leave it |
<!-- /actions -->

## Observation

`{"observation": float32 in [-1, 1], "action_mask": int8}`, from the seat's own view; the mask is all zeros for a
seat that is not to act. An entry is the number that the table describes, divided by "up to". With the default
options:

<!-- observation -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| hand | 0-51 | 4 suit x 13 rank | 1 | copies in the own hand |
| pile_top | 52-103 | 4 suit x 13 rank | 1 | the pile's top card; in the phase CLAIM the card on offer |
| pile | 104-155 | 4 suit x 13 rank | 1 | copies in the pile |
| run_top | 156-207 | 4 suit x 13 rank | 1 | runs on the table whose highest card stands there |
| run_bottom | 208-259 | 4 suit x 13 rank | 1 | runs on the table whose lowest card stands there |
| sets | 260-272 | 13 rank | 1 | sets of that rank on the table |
| table | 273-324 | 4 suit x 13 rank | 1 | copies on the table |
| stock_size | 325 | 1 | 52 | cards in the stock |
| pile_size | 326 | 1 | 52 | cards in the pile |
| turns | 327 | 1 | 200 | turns ended in this round, all seats together |
| opened | 328 | 1 | 1 | 1 once one has melded in this round |
| score | 329 | 1 | 340 | own points in the match so far (0 until a single round ends) |
| top_melds | 330 | 1 | 1 | DRAW, CLAIM: 1 if one could begin a meld with the top card only |
| top_fits | 331 | 1 | 1 | DRAW, CLAIM: 1 if the top card fits the table |
| phase | 332-337 | 6 phase | 1 | DRAW, PLAY, FILL, ANNOUNCE, CLAIM, OVER |
| turn_seat | 338-339 | 2 seat | 1 | whose turn it is, from the own seat to the left |
| acting_seat | 340-341 | 2 seat | 1 | who decides now, from the own seat to the left |
| other_1_hand_size | 342 | 1 | 52 | cards in hand of the seat 1 to the left |
| other_1_opened | 343 | 1 | 1 | 1 once it has melded in this round |
| other_1_score | 344 | 1 | 340 | its points in the match so far |
| other_1_known | 345-396 | 4 suit x 13 rank | 1 | cards known to be in its hand |
| meld_left | 397 | 1 | 7 | cards that the half-laid meld wants |
| meld_naturals | 398 | 1 | 7 | naturals laid on it so far |
| meld_place | 399-450 | 4 suit x 13 rank | 1 | run: the place to fill next |
| meld_set | 451-463 | 13 rank | 1 | set: its rank |
| meld_suit | 464-467 | 4 suit | 1 | set: the least suit that may come next |
<!-- /observation -->

Sizes by number of players:

<!-- sizes -->
| players | 2 | 3 | 4 | 5 | 6 |
|---|---|---|---|---|---|
| actions | 282 | 282 | 282 | 282 | 282 |
| observation | 468 | 525 | 582 | 639 | 696 |
<!-- /sizes -->

## Rewards

At the end of each round every seat gets its score less the mean of the others': zero-sum. With `reward="win"` the
winner gets 1 and each other seat -1/(n-1); a truncated round pays nothing then.

<!-- rewards -->
One unit of reward is 50 points (`game.score_scale`). With the default options an illegal
action in `env` pays -14.6, worse than any loss.
<!-- /rewards -->

## Options

<!-- options -->
| option | default | allowed | meaning |
|---|---|---|---|
| num_players | `2` | 2 to 6 | seats |
| match | `False` | `False`, `True` | an episode is a whole match, not one round (G5) |
| reward | `'score'` | `'score'`, `'win'` | what a round pays: score margin, or win and loss |
| hand_size | `None` | 1 to 25, None | cards dealt to each; None: 10 for two, 7 for three or four, 6 for more (R2) |
| claim_order | `'random'` | `'random'`, `'seat'` | who is asked first for a discard that fits (X1) |
| max_turns | `100` | 1 to 1000 | turns of each seat in a round before it is truncated (G3) |
| rounds | `1` | 1 to 90 | rounds of a match without `target` (R9) |
| target | `0` | 0 to 10000 | penalty points that end a match; 0: it ends after `rounds` (R9) |
| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |
| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |
<!-- /options -->

## Version history

- v0: first release.
"""

from cardenvs.aec import entry_points

env, raw_env = entry_points("rummy_v0")
