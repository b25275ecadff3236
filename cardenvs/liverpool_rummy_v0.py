"""Liverpool Rummy: a contract of sets and runs to be laid at once, another one in each round; discards can be bought.

```python
from cardenvs import liverpool_rummy_v0
env = liverpool_rummy_v0.env(num_players=4, contract=3, render_mode="ansi")  # raw_env() without PettingZoo's wrappers
```

## Rules

The game as it is commonly played, clause by clause; tests cite the ids. [D]: houses differ or say nothing, and this is
what we play.

- V1 3 to 8 players. Two packs with two jokers each for three or four players, three packs for more.
- V2 Seven rounds: 10 cards each in the first four, 12 in the last three. [D] An episode is one round with the contract
  `contract` (0: any, drawn for each), or with `match=True` a match of `rounds` rounds, whose contracts come in turn.
- V3 Contracts: 1 two sets; 2 a set and a run; 3 two runs; 4 three sets; 5 two sets and a run; 6 a set and two runs;
  7 three runs.
- V4 A set is three or more of a rank, equal cards too; a run is four or more in sequence of one suit, the ace high or
  low, no wrap. Jokers are wild. [D] At least one natural in each meld.
- V5 One's first lay-down of a round is the whole contract in one turn. After it one lays off on any meld, on runs at
  both ends and on sets a natural of the rank or a joker, from the same turn on. [D] One lays no further melds, but may
  put a natural in the place of a joker in a run (not in a set), which comes to the hand. [D] A contract is laid
  in one order, which says nothing to anybody: sets before runs, sets by rising rank, runs by rising suit and place.
- V6 A turn begins by drawing the top of the stock or of the pile. Buying: when the card is drawn from the stock, the
  others are asked in seat order, from the left, whether they buy the pile's top. The first that does takes it and one
  card from the stock; then the turn goes on. [D] Who draws has the next card of the stock, unseen, before the others
  are asked; the buyer's is the one after it. It is made by G2 if need be, without the card that was bought; if none
  can be made, the buyer takes the pile's top alone. [D] One buys at most `buys` times in a round, and not after one's
  lay-down; who may not is not asked.
- V7 One goes out by the last discard: a card is kept for it. [D] In the seventh round also by the last meld or lay-off.
- V8 Cards left in hand count against their holder: ace and joker 15, face cards 10, others their number. The fewest
  points win the match; a round is won by who goes out, with nothing left.
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
- G6 Every legal play can be made, and whatever the mask offers can be completed: neither a half-laid meld nor a
  half-laid contract ever strands. So a meld, and each of its cards, is offered only if the hand can finish it and all
  the rest of the contract.

## Actions

With the default options. A turn is draw, play, discard: one decision is one action, so a seat acts several times in
a row. A set is begun and then filled to three, suit by suit in the order of the suits and jokers last; a run place by
place to four; longer ones come about by laying off. While a contract is half laid nothing else can be done. An ace goes
`above` a king or `below` a two. `buy` and `pass` are asked out of turn, in the phase CLAIM.
`env.unwrapped.action_name` and `action_id` give each action its text and back.

<!-- actions -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| draw_stock | 0 | 1 | 1 | draw the next card of the stock |
| draw_top | 1 | 1 | 1 | draw the pile's top card |
| run | 2-53 | 4 suit x 13 rank | 1 | begin a run whose lowest place is that card |
| set | 54-66 | 13 rank | 1 | begin a set of that rank |
| fill | 67-68 | 2 card | 1 | put the natural, or that wild, on the run's next place, or the wild on the set |
| fill_suit | 69-72 | 4 suit | 1 | put the card of that suit on the set |
| lay_off_run | 73-176 | 4 suit x 13 rank x 2 end | 1 | a card goes there: above a top, below a bottom |
| lay_off_set | 177-228 | 4 suit x 13 rank | 1 | put that card on a set of its rank |
| lay_off_set_wilds | 229-241 | 13 rank x 1 wild | 1 | put that wild on a set of that rank |
| swap_wild | 242-293 | 4 suit x 13 rank x 1 wild | 1 | that natural takes the wild's place in a run |
| discard | 294-345 | 4 suit x 13 rank | 1 | end the turn with that card |
| discard_wilds | 346 | 1 wild | 1 | end the turn with that card |
| buy | 347 | 1 | 1 | take the pile's top card, and one from the stock |
| pass | 348 | 1 | 1 | leave it |
<!-- /actions -->

## Observation

`{"observation": float32 in [-1, 1], "action_mask": int8}`, from the seat's own view; the mask is all zeros for a
seat that is not to act. An entry is the number that the table describes, divided by "up to". What stands above a king
is counted at the ace. With the default options:

<!-- observation -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| hand | 0-51 | 4 suit x 13 rank | 2 | copies in the own hand |
| hand_wilds | 52 | 1 wild | 4 | copies in the own hand |
| pile_top | 53-104 | 4 suit x 13 rank | 1 | the pile's top card; in the phase CLAIM the card on offer |
| pile_top_wilds | 105 | 1 wild | 1 | the pile's top card; in the phase CLAIM the card on offer |
| pile | 106-157 | 4 suit x 13 rank | 2 | copies in the pile |
| pile_wilds | 158 | 1 wild | 4 | copies in the pile |
| run_top | 159-210 | 4 suit x 13 rank | 6 | runs on the table whose highest card stands there |
| run_bottom | 211-262 | 4 suit x 13 rank | 6 | runs on the table whose lowest card stands there |
| wild_places | 263-314 | 1 wild x 4 suit x 13 rank | 4 | wilds of that kind that stand there in runs |
| sets | 315-327 | 13 rank | 4 | sets of that rank on the table |
| table | 328-379 | 4 suit x 13 rank | 2 | copies on the table |
| table_wilds | 380 | 1 wild | 4 | copies on the table |
| stock_size | 381 | 1 | 108 | cards in the stock |
| pile_size | 382 | 1 | 108 | cards in the pile |
| turns | 383 | 1 | 400 | turns ended in this round, all seats together |
| opened | 384 | 1 | 1 | 1 once one has melded in this round |
| score | 385 | 1 | 852 | own points in the match so far (0 until a single round ends) |
| top_melds | 386 | 1 | 1 | DRAW, CLAIM: 1 if one could begin a meld with the top card only |
| top_fits | 387 | 1 | 1 | DRAW, CLAIM: 1 if the top card fits the table |
| phase | 388-393 | 6 phase | 1 | DRAW, PLAY, FILL, ANNOUNCE, CLAIM, OVER |
| turn_seat | 394-397 | 4 seat | 1 | whose turn it is, from the own seat to the left |
| acting_seat | 398-401 | 4 seat | 1 | who decides now, from the own seat to the left |
| contract | 402-408 | 7 contract | 1 | the contract of the round, from the first to the seventh |
| owed_sets | 409 | 1 | 3 | sets of the contract that one has yet to lay |
| owed_runs | 410 | 1 | 3 | runs of the contract that one has yet to lay |
| buys_left | 411 | 1 | 3 | times that one may still buy in this round |
| missing | 412 | 1 | 12 | fewest cards that must come before one could lay the contract; 0 from its first meld on |
| top_needed | 413 | 1 | 1 | DRAW, CLAIM: 1 if with the top card fewer would be missing |
| needed | 414-465 | 4 suit x 13 rank | 1 | PLAY, own turn: 1 if without one such card more would be missing |
| other_1_hand_size | 466 | 1 | 108 | cards in hand of the seat 1 to the left |
| other_1_opened | 467 | 1 | 1 | 1 once it has melded in this round |
| other_1_score | 468 | 1 | 852 | its points in the match so far |
| other_1_known | 469-520 | 4 suit x 13 rank | 2 | cards known to be in its hand |
| other_1_known_wilds | 521 | 1 wild | 4 | cards known to be in its hand |
| other_1_owed_sets | 522 | 1 | 3 | sets of the contract that it has yet to lay |
| other_1_owed_runs | 523 | 1 | 3 | runs of the contract that it has yet to lay |
| other_1_buys_left | 524 | 1 | 3 | times that it may still buy in this round |
| other_2_hand_size | 525 | 1 | 108 | cards in hand of the seat 2 to the left |
| other_2_opened | 526 | 1 | 1 | 1 once it has melded in this round |
| other_2_score | 527 | 1 | 852 | its points in the match so far |
| other_2_known | 528-579 | 4 suit x 13 rank | 2 | cards known to be in its hand |
| other_2_known_wilds | 580 | 1 wild | 4 | cards known to be in its hand |
| other_2_owed_sets | 581 | 1 | 3 | sets of the contract that it has yet to lay |
| other_2_owed_runs | 582 | 1 | 3 | runs of the contract that it has yet to lay |
| other_2_buys_left | 583 | 1 | 3 | times that it may still buy in this round |
| other_3_hand_size | 584 | 1 | 108 | cards in hand of the seat 3 to the left |
| other_3_opened | 585 | 1 | 1 | 1 once it has melded in this round |
| other_3_score | 586 | 1 | 852 | its points in the match so far |
| other_3_known | 587-638 | 4 suit x 13 rank | 2 | cards known to be in its hand |
| other_3_known_wilds | 639 | 1 wild | 4 | cards known to be in its hand |
| other_3_owed_sets | 640 | 1 | 3 | sets of the contract that it has yet to lay |
| other_3_owed_runs | 641 | 1 | 3 | runs of the contract that it has yet to lay |
| other_3_buys_left | 642 | 1 | 3 | times that it may still buy in this round |
| meld_left | 643 | 1 | 7 | cards that the half-laid meld wants |
| meld_naturals | 644 | 1 | 7 | naturals laid on it so far |
| meld_place | 645-696 | 4 suit x 13 rank | 1 | run: the place to fill next |
| meld_set | 697-709 | 13 rank | 1 | set: its rank |
| meld_suit | 710-713 | 4 suit | 1 | set: the least suit that may come next |
<!-- /observation -->

Sizes by number of players:

<!-- sizes -->
| players | 3 | 4 | 5 | 6 | 7 | 8 |
|---|---|---|---|---|---|---|
| actions | 349 | 349 | 349 | 349 | 349 | 349 |
| observation | 653 | 714 | 775 | 836 | 897 | 958 |
<!-- /sizes -->

## Rewards

At the end of each round every seat gets its score less the mean of the others': zero-sum. With `reward="win"` the
winner gets 1 and each other seat -1/(n-1); a truncated round pays nothing then.

<!-- rewards -->
One unit of reward is 100 points (`game.score_scale`). With the default options an illegal
action in `env` pays -18.04, worse than any loss.
<!-- /rewards -->

## Options

<!-- options -->
| option | default | allowed | meaning |
|---|---|---|---|
| num_players | `4` | 3 to 8 | seats |
| match | `False` | `False`, `True` | an episode is a whole match, not one round (G5) |
| reward | `'score'` | `'score'`, `'win'` | what a round pays: score margin, or win and loss |
| contract | `1` | 0 to 7 | contract of a single round, 0: drawn; a match begins with the first (V2, V3) |
| hand_size | `None` | 1 to 53, None | cards dealt to each; None: 10 in the first four rounds, 12 after (V2) |
| buys | `3` | 0 to 10 | purchases that each may make in a round (V6) |
| max_turns | `100` | 1 to 1000 | turns of each seat in a round before it is truncated (G3) |
| rounds | `7` | 1 to 7 | rounds of a match, with the contracts in turn (V2) |
| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |
| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |
<!-- /options -->

## Version history

- v0: first release.
"""

from cardenvs.aec import entry_points

env, raw_env = entry_points("liverpool_rummy_v0")
