"""Gin Rummy: two players meld in the hand, and whoever has little enough left over knocks.

```python
from cardenvs import gin_rummy_v0
env = gin_rummy_v0.env(render_mode="ansi")  # two players; raw_env() without PettingZoo's wrappers
```

## Rules

The public standard game, clause by clause; tests cite the ids. [D]: the rules leave it open, and this is what we play;
where houses differ it is an option.

- J1 Two players, 52 cards, ten each, one card turned up. Ace low. Face cards count 10, the ace 1, others their number.
- J2 The non-dealer may take the first upcard or pass, then the dealer may. If both pass, the non-dealer draws from the
  stock.
- J3 A turn: draw from the stock or the top of the pile, then discard, or knock by discarding.
- J4 Deadwood is what the best melds (sets of three or four, runs of three or more in a suit) leave of a hand. One
  knocks with 10 or less after the discard (`knock_card`), gin is none. [D] With `oklahoma=True` the first upcard says
  how much: its points, and none for an ace, after which only gin will do (as in OpenSpiel, `ApplyDealAction`).
- J5 After a knock both lay their melds, and the other may lay off on the knocker's, but not on gin. [D] All of it is
  done by itself, and for the least deadwood: the knocker's own, then the other's, who lays off whatever helps, on runs
  one card after the other. Of equal ways to lay a hand the one is chosen that leaves the fewest places to lay off on;
  of those the first, where sets come before runs (`cardenvs.deadwood.best_sets`). Nobody looks at hidden cards for it.
- J6 The knocker wins the difference. Gin: the other's deadwood and 25 (`gin_bonus`). Undercut, when the other's
  deadwood is no more than the knocker's: the other wins the difference and 25 (`undercut_bonus`).
- J7 A discard that leaves two cards in the stock ends the round, void: nobody wins, nobody scores.
- J8 [D] A match goes on until somebody has `target` points.
- G1 [D] The seat left of the dealer begins, the deal passes on each round; in the first round the last seat deals, so
  seat 0 begins. Cards are dealt one at a time, then one is turned.
- G3 [D] After `max_turns` turns per seat the round stops and nobody scores: a truncation. So is a match that nobody has
  won after `max_rounds` rounds.
- G4 [D] The card just taken may be discarded.
- G5 An episode is one round, or with `match=True` a whole match: scores carry over, rounds are dealt inside the
  episode.
- G6 Every legal play can be made, but for the choice of melds and lay-offs (J5).

It is the game of OpenSpiel's `gin_rummy` (2.0.2, its default parameters), and a test plays both side by side, but for
this:

- There, with two cards left, the next player may still knock with the last discard (`ApplyWallAction`); J7 makes the
  round void.
- There, equal deadwood pays nothing (`Returns`); J6 calls it an undercut.
- There, the hand is a draw when both put back the upcard that they drew, or after fifty upcards drawn
  (`ApplyDiscardAction`, `ApplyDrawAction`); here only `max_turns` ends it.
- There, a knock is offered for the best melds of all eleven cards less their dearest card (`MinDeadwood`), which misses
  a few that other melds allow; and on one end of a run at most two cards can be laid off (`AllLayoffs`), of which
  nobody needs more: three are a run.
- There, melds and lay-offs are decisions, and ten cards are dealt to the one player and then ten to the other.

## Actions

One decision is one action: draw, then discard or knock. `env.unwrapped.action_name` and `action_id` give each action
its text and back.

<!-- actions -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| draw_stock | 0 | 1 | 1 | draw the next card of the stock |
| draw_top | 1 | 1 | 1 | draw the pile's top card, or take the first upcard |
| pass | 2 | 1 | 1 | leave the first upcard |
| discard | 3-54 | 4 suit x 13 rank | 1 | end the turn with that card |
| knock | 55-106 | 4 suit x 13 rank | 1 | end the round with that card: the others are laid down |
<!-- /actions -->

## Observation

`{"observation": float32 in [-1, 1], "action_mask": int8}`, from the seat's own view; the mask is all zeros for a
seat that is not to act. All cards of the pile were seen, and so is which of them the other discarded or left. An entry
is the number that the table describes, divided by "up to". With the default options:

<!-- observation -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| hand | 0-51 | 4 suit x 13 rank | 1 | cards in the own hand, laid down or not |
| melded | 52-103 | 4 suit x 13 rank | 1 | of these, the cards that its best melds hold |
| own_known | 104-155 | 4 suit x 13 rank | 1 | of these, cards that the other saw taken from the pile |
| other_1_known | 156-207 | 4 suit x 13 rank | 1 | cards known to be in the other's hand: taken from the pile |
| other_1_discarded | 208-259 | 4 suit x 13 rank | 1 | cards that the other has discarded in this round |
| other_1_declined | 260-311 | 4 suit x 13 rank | 1 | cards on top of the pile that the other left, to pass or to draw |
| pile_top | 312-363 | 4 suit x 13 rank | 1 | the pile's top card |
| pile | 364-415 | 4 suit x 13 rank | 1 | cards in the pile |
| stock_size | 416 | 1 | 52 | cards in the stock; with two left the round is void |
| pile_size | 417 | 1 | 52 | cards in the pile |
| hand_size | 418 | 1 | 11 | cards in the own hand |
| other_1_hand_size | 419 | 1 | 11 | cards in the other's hand |
| turns | 420 | 1 | 200 | turns ended in this round, both seats together |
| passes | 421 | 1 | 2 | seats that have left the first upcard |
| knock_limit | 422 | 1 | 10 | most deadwood to knock with in this round |
| deadwood | 423 | 1 | 110 | points in the own hand outside its best melds, and not laid off at the end |
| deadwood_with_top | 424 | 1 | 110 | the same once the pile's top is taken and the best card discarded |
| score | 425 | 1 | 125 | own points in the match so far (0 until a single round ends) |
| other_1_score | 426 | 1 | 125 | the other's points in the match so far |
| phase | 427-430 | 4 phase | 1 | UPCARD, DRAW, DISCARD, OVER |
| acting_seat | 431-432 | 2 seat | 1 | who decides now: the own seat, the other |
| dealer | 433-434 | 2 seat | 1 | who has dealt: the own seat, the other |
<!-- /observation -->

Sizes by number of players:

<!-- sizes -->
| players | 2 |
|---|---|
| actions | 107 |
| observation | 435 |
<!-- /sizes -->

## Rewards

At the end of each round every seat gets its points less the other's: the winner's points, and as many below zero for
the other. With `reward="win"` the winner gets 1 and the other -1. A round that is void or truncated pays nothing.

<!-- rewards -->
One unit of reward is 25 points (`game.score_scale`). With the default options an illegal
action in `env` pays -11, worse than any loss.
<!-- /rewards -->

## Options

<!-- options -->
| option | default | allowed | meaning |
|---|---|---|---|
| num_players | `2` | 2 to 2 | seats |
| match | `False` | `False`, `True` | an episode is a whole match, not one round (G5) |
| reward | `'score'` | `'score'`, `'win'` | what a round pays: score margin, or win and loss |
| knock_card | `10` | 0 to 10 | most deadwood to knock with; 0: only gin (J4) |
| oklahoma | `False` | `False`, `True` | the first upcard's points say it, not `knock_card`; an ace asks for gin (J4) |
| gin_bonus | `25` | 0 to 1000 | points for gin, beside the other's deadwood (J6) |
| undercut_bonus | `25` | 0 to 1000 | points for an undercut, beside the difference (J6) |
| max_turns | `100` | 1 to 1000 | turns of each seat in a round before it is truncated (G3) |
| target | `100` | 1 to 10000 | points that win a match (J8) |
| max_rounds | `100` | 1 to 1000 | rounds after which a match that nobody has won is truncated (G3) |
| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |
| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |
<!-- /options -->

## Version history

- v0: first release.
"""

from cardenvs.aec import entry_points

env, raw_env = entry_points("gin_rummy_v0")
