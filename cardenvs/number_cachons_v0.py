"""Number Cachons: coloured numbers, runs and sets, the whole pile or one card; points lie on the table.

```python
from cardenvs import number_cachons_v0
env = number_cachons_v0.env(num_players=3, render_mode="ansi")  # raw_env() without PettingZoo's wrappers
```

## Rules

The Norwegian game, clause by clause; tests cite the ids. [D]: the text is silent, and this is what we play; where
houses differ it is an option.

- N1 Two or more players, three to five ideally. [D] 2 to 8.
- N2 Coloured numbers from 1 to 12, green among the colours. [D] Four colours, two copies of each number: 96 cards,
  no wilds (`colours`, `copies`). `g7` is the green seven; the others are blue, red and yellow.
- N3 8 cards each; the rest is the stock, and its top card is turned to begin the pile. Left of the dealer begins.
- N4 Draw a card from the stock, or take the pile: [D] all of it, also when it is one card.
- N5 Who takes the pile must put a new run or set on the table in that turn, else 50 points are deducted. [D] Also who
  has melded before; laying off does not count. The pile may be taken without being able to meld: it costs the 50 at
  the end of the turn, also when one goes out by laying off. It costs nothing when it was the only card to be had.
- N6 One melds in one's own turn only. Set: three or more of one number, [D] of any colours, equal cards too. Run: three
  or more consecutive numbers of one colour, [D] with no wrap from 12 to 1.
- N7 Who has melded may lay off on any set, or on either end of any run; [D] on one's own too.
- N8 A card counts for the player who put it on the table.
- N9 The turn ends with a discard if there is a card left. [D] So one may go out by melding everything.
- N10 Knock: when a player who has melded discards a card that fits a meld on the table, any other player who has melded
  may knock and get it, [D] into the hand. If the discarder has not melded, nobody may.
- N11 Only the top card of the pile may be looked at; to remember the rest is part of the game. So the observation shows
  the top card only (`pile_view="top"`), and of a pile that was taken only its top among the cards known to be in a
  hand; `pile_view="all"` shows all. `determinize` deals as one does who remembers everything.
- N12 With one card left one must say so; who does not draws a penalty card. [D] A decision right after the discard
  that leaves one card, each time, before any knock (`announce="action"`; `"auto"` always says it). The penalty card
  comes from a stock made by G2 if need be; if none can be made, there is none.
- N13 The round ends when the first player has no cards.
- N14 Score: points on the table less points in hand (1 to 7: 5, 8 to 12: 10), less N5's deductions. The most points
  win the round, whoever went out.
- N15 [D] A match is `rounds` rounds.
- X1 [D] The players who may knock are asked one after the other, in an order drawn at random for each discard
  (`claim_order="random"`) or from the discarder's left (`"seat"`); the first to knock gets the card. Then the seat
  after the discarder has its turn.
- X2 [D] Nobody is asked after the discard that ends the round.
- G1 [D] The seat left of the dealer begins, the deal passes one seat on each round, play goes clockwise; in the
  first round the last seat deals, so seat 0 begins. Cards are dealt one at a time, then one is turned to begin the
  pile.
- G2 [D] When somebody draws from the empty stock, and not before, the pile less its top card is shuffled into a new
  one. With one card in the pile the stock is not offered. When neither has a card, a turn begins without a draw.
- G3 [D] After `max_turns` turns per seat the round stops and is scored as it lies, won by nobody: a truncation. The
  last turn is played to its end. A match goes on from there; it ends by its own rule, as a termination, and its points
  say who won.
- G4 [D] Tied winners share the win. A card that was just taken may be discarded.
- G5 An episode is one round, or with `match=True` a whole match: scores carry over, rounds are dealt inside the
  episode.
- G6 Every legal play can be made, and whatever the mask offers can be completed: a half-laid meld never strands.

## Actions

With the default options. A turn is draw, play, discard: one decision is one action, so a seat acts several times in
a row. A run is begun and then filled place by place, a set colour by colour in the order of the colours, to its least
length; longer ones come about by laying off. `announce` and `stay_silent` follow a discard that leaves one card, and
`claim` (the knock) and `pass` are asked out of turn. `env.unwrapped.action_name` and `action_id` give each action its
text and back.

<!-- actions -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| draw_stock | 0 | 1 | 1 | draw the next card of the stock |
| draw_pile | 1 | 1 | 1 | take the whole pile |
| run | 2-49 | 4 suit x 12 rank | 1 | begin a run whose lowest place is that card |
| set | 50-61 | 12 rank | 1 | begin a set of that rank |
| fill | 62 | 1 card | 1 | put the natural, or that wild, on the run's next place |
| fill_suit | 63-66 | 4 suit | 1 | put the card of that suit on the set |
| lay_off_run | 67-162 | 4 suit x 12 rank x 2 end | 1 | a card goes there: above a top, below a bottom |
| lay_off_set | 163-210 | 4 suit x 12 rank | 1 | put that card on a set of its rank |
| discard | 211-258 | 4 suit x 12 rank | 1 | end the turn with that card |
| claim | 259 | 1 | 1 | take the discard that fits the table |
| pass | 260 | 1 | 1 | leave it |
| announce | 261 | 1 | 1 | say that one card is left |
| stay_silent | 262 | 1 | 1 | do not say it: a penalty card is drawn |
<!-- /actions -->

## Observation

`{"observation": float32 in [-1, 1], "action_mask": int8}`, from the seat's own view; the mask is all zeros for a
seat that is not to act. An entry is the number that the table describes, divided by "up to". A score of a match
that deductions have brought below -32767 is shown as that. With the default options:

<!-- observation -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| hand | 0-47 | 4 suit x 12 rank | 2 | copies in the own hand |
| pile_top | 48-95 | 4 suit x 12 rank | 1 | the pile's top card; in the phase CLAIM the card on offer |
| run_top | 96-143 | 4 suit x 12 rank | 2 | runs on the table whose highest card stands there |
| run_bottom | 144-191 | 4 suit x 12 rank | 2 | runs on the table whose lowest card stands there |
| sets | 192-203 | 12 rank | 2 | sets of that rank on the table |
| table | 204-251 | 4 suit x 12 rank | 2 | copies on the table |
| stock_size | 252 | 1 | 96 | cards in the stock |
| pile_size | 253 | 1 | 96 | cards in the pile |
| turns | 254 | 1 | 400 | turns ended in this round, all seats together |
| opened | 255 | 1 | 1 | 1 once one has melded in this round |
| score | 256 | 1 | 5680 | own points in the match so far (0 until a single round ends) |
| top_melds | 257 | 1 | 1 | DRAW, CLAIM: 1 if one could begin a meld with the top card only |
| top_fits | 258 | 1 | 1 | DRAW, CLAIM: 1 if the top card fits the table |
| phase | 259-264 | 6 phase | 1 | DRAW, PLAY, FILL, ANNOUNCE, CLAIM, OVER |
| turn_seat | 265-268 | 4 seat | 1 | whose turn it is, from the own seat to the left |
| acting_seat | 269-272 | 4 seat | 1 | who decides now, from the own seat to the left |
| duty | 273 | 1 | 1 | 1 from taking the pile to the end of the turn, or to a new meld, which it lacks so far |
| table_points | 274 | 1 | 680 | own points on the table |
| deductions | 275 | 1 | 100 | own turns of this round that cost the deduction for taking the pile |
| other_1_hand_size | 276 | 1 | 96 | cards in hand of the seat 1 to the left |
| other_1_opened | 277 | 1 | 1 | 1 once it has melded in this round |
| other_1_score | 278 | 1 | 5680 | its points in the match so far |
| other_1_known | 279-326 | 4 suit x 12 rank | 2 | cards known to be in its hand |
| other_1_table_points | 327 | 1 | 680 | its points on the table |
| other_1_deductions | 328 | 1 | 100 | its turns of this round that cost the deduction for taking the pile |
| other_2_hand_size | 329 | 1 | 96 | cards in hand of the seat 2 to the left |
| other_2_opened | 330 | 1 | 1 | 1 once it has melded in this round |
| other_2_score | 331 | 1 | 5680 | its points in the match so far |
| other_2_known | 332-379 | 4 suit x 12 rank | 2 | cards known to be in its hand |
| other_2_table_points | 380 | 1 | 680 | its points on the table |
| other_2_deductions | 381 | 1 | 100 | its turns of this round that cost the deduction for taking the pile |
| other_3_hand_size | 382 | 1 | 96 | cards in hand of the seat 3 to the left |
| other_3_opened | 383 | 1 | 1 | 1 once it has melded in this round |
| other_3_score | 384 | 1 | 5680 | its points in the match so far |
| other_3_known | 385-432 | 4 suit x 12 rank | 2 | cards known to be in its hand |
| other_3_table_points | 433 | 1 | 680 | its points on the table |
| other_3_deductions | 434 | 1 | 100 | its turns of this round that cost the deduction for taking the pile |
| meld_left | 435 | 1 | 7 | cards that the half-laid meld wants |
| meld_naturals | 436 | 1 | 7 | naturals laid on it so far |
| meld_place | 437-484 | 4 suit x 12 rank | 1 | run: the place to fill next |
| meld_set | 485-496 | 12 rank | 1 | set: its rank |
| meld_suit | 497-500 | 4 suit | 1 | set: the least suit that may come next |
<!-- /observation -->

Sizes by number of players:

<!-- sizes -->
| players | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
|---|---|---|---|---|---|---|---|
| actions | 263 | 263 | 263 | 263 | 263 | 263 | 263 |
| observation | 391 | 446 | 501 | 556 | 611 | 666 | 721 |
<!-- /sizes -->

## Rewards

At the end of each round every seat gets its score less the mean of the others': zero-sum. With `reward="win"` the
winner gets 1 and each other seat -1/(n-1); w tied winners get (n-w)/(w(n-1)) each; a truncated round pays nothing then.

<!-- rewards -->
One unit of reward is 100 points (`game.score_scale`). With the default options an illegal
action in `env` pays -114.6, worse than any loss.
<!-- /rewards -->

## Options

<!-- options -->
| option | default | allowed | meaning |
|---|---|---|---|
| num_players | `4` | 2 to 8 | seats |
| match | `False` | `False`, `True` | an episode is a whole match, not one round (G5) |
| reward | `'score'` | `'score'`, `'win'` | what a round pays: score margin, or win and loss |
| hand_size | `8` | 1 to 83 | cards dealt to each (N3) |
| colours | `4` | 2 to 4 | colours of the pack: the first of blue, green, red and yellow (N2) |
| copies | `2` | 1 to 7 | of each number in each colour; at most 168 cards in all (N2) |
| pile_view | `'top'` | `'top'`, `'all'` | what the observation shows of the pile (N11) |
| announce | `'action'` | `'action'`, `'auto'` | saying that one card is left: asked, or always (N12) |
| claim_order | `'random'` | `'random'`, `'seat'` | who is asked first for a discard that fits (X1) |
| max_turns | `100` | 1 to 1000 | turns of each seat in a round before it is truncated (G3) |
| rounds | `1` | 1 to 48 | rounds of a match (N15) |
| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |
| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |
<!-- /options -->

## Version history

- v0: first release.
"""

from cardenvs.aec import entry_points

env, raw_env = entry_points("number_cachons_v0")
