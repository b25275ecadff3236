"""Canasta: two packs and four jokers, sets that belong to a side, canastas of seven, and a pile worth fighting for.

```python
from cardenvs import canasta_v0
env = canasta_v0.env(render_mode="ansi")  # two partnerships; num_players=2 to 6, raw_env() without wrappers
```

## Rules

The Norwegian game, clause by clause; tests cite the ids. [D]: the text is silent, and this is what we play; where
houses differ it is an option.

- K1 2 to 6 players singly, or four as two partnerships, partners facing: seats 0 and 2 against 1 and 3.
- K2 Two packs with four jokers: 108 cards. Hands of 11 with partners, of 13 without.
- K3 One card is turned to begin the pile. [D] It blocks as if the dealer had discarded it.
- K4 A turn: take the whole pile, or the top of the stock; meld as much as one likes; discard one card.
- K5 Melds are sets: three or more of one rank, 4 to ace. Twos and jokers are wild; a meld always holds more naturals
  than wilds, [D] after every card laid. [D] One meld per rank and side; only one's own side's melds are extended.
- K6 The side's first meld of the round ([D] partners open together) must by itself reach 15, 50, 90 or 120 points
  when the side's total before the round is below 0, up to 1495, up to 2995, or more.
- K7 Before the side has opened, the pile is taken with two naturals like its top card: the three are a meld, and it
  must reach the minimum, [D] with more cards from the hand if need be. Once opened, the top must go into a meld of
  the side, new or standing. The rest comes to the hand [D] once that meld stands.
- K8 After a black three the next player may not take the pile; after a red one nobody may until the discarder's next
  turn begins ([D] of two, the later one counts). A discarded wild lies beside the pile, which is frozen then: the
  card under it stays the top, and who takes the pile must hold two naturals like it; [D] they are shown, and onto a
  standing meld the top alone is laid. It stays frozen until it is taken; the cards beside come along. A three on top
  cannot be taken, nor can a pile that has no card but those beside.
- K9 Red threes are bonus cards: [D] in one's turn, after the draw, one at a time, each replaced from the stock while it
  has a card. [D] A last card that is one may be laid, and is going out if the side may.
- K10 A canasta is a meld of seven or more.
- K11 Going out needs two canastas of the side with partners, one without ([D] option `canastas`); one that is
  completed in the same turn, even by the last cards, counts. [D] By discarding or by melding the last card. A side
  that may not go out keeps a card after its discard: a card may be placed that leaves too few only if the rest can
  complete what is missing.
- K12 Three or four black threes may be melded just when going out: [D] without wilds, all that are held at once, when
  the side may go out now and at most one other card is left.
- K13 The round also ends with the turn that drew the last card of the stock, [D] for a red three too.
- K14 Cards on the table count for the side, cards in hand against it: joker 50, two 20, ace 20, king to eight 10,
  seven to four 5, black three 5, red three 100. A natural canasta 500, a mixed one 300, going out 100. All four red
  threes on the table of a side count twice. When somebody went out and a side had not opened, each of its laid red
  threes is -200 instead.
- K15 The first side with `target` points wins the match; [D] of several the highest.
- G1 [D] The seat left of the dealer begins, the deal passes one seat on each round, play goes clockwise; in the
  first round the last seat deals, so seat 0 begins. Cards are dealt one at a time, then one is turned.
- G3 [D] After `max_turns` turns per seat the round stops and is scored as it lies, nobody out: a truncation. So is a
  match that nobody has won after `max_rounds` rounds.
- G4 [D] Tied winners share the win. The side with the most points wins a round.
- G5 An episode is one round, or with `match=True` a whole match: scores carry over, rounds are dealt inside the
  episode.
- G6 Every legal play can be made, and whatever the mask offers can be completed: a half-laid meld never strands.

## Actions

A turn is draw, play, discard: one decision is one action, so a seat acts several times in a row. `place` begins a
meld, builds it and extends it. Until a new meld stands - three cards, and the minimum for the first one - only
`place` on it is offered, and only what can still be finished; a pile that was taken with it follows then. Suits vanish
but for the threes: `3r` is red, `3b` black; a deck is a list of such texts, "4" to "A", "2", "JK", "3r", "3b".

<!-- actions -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| draw_stock | 0 | 1 | 1 | draw the next card of the stock |
| take_pile | 1-4 | 4 form | 1 | take the pile: a pair, a natural and a two, or one and a joker, or a meld |
| place | 5-37 | 11 rank x 3 card | 1 | put the natural, a two or a joker on the side's meld of the rank |
| red_three | 38 | 1 | 1 | lay a red three, and draw for it |
| black_threes | 39 | 1 | 1 | lay all black threes, going out |
| discard | 40-50 | 11 rank | 1 | end the turn with that card |
| discard_wilds | 51-52 | 2 wild | 1 | end the turn with that card |
| discard_threes | 53-54 | 2 three | 1 | end the turn with that card |
<!-- /actions -->

## Observation

`{"observation": float32 in [-1, 1], "action_mask": int8}`, from the seat's own view; the mask is all zeros for a
seat that is not to act. Of a partner's hand a seat sees what it sees of any other. The covered cards of the pile are
shown, for all have seen them. An entry is the number that the table describes, divided by "up to". With the default
options:

<!-- observation -->
| piece | indices | shape | up to | meaning |
|---|---|---|---|---|
| hand | 0-10 | 11 rank | 8 | copies in the own hand |
| hand_wilds | 11-12 | 2 wild | 8 | copies in the own hand |
| hand_threes | 13-14 | 2 three | 8 | copies in the own hand |
| other_1_known | 15-25 | 11 rank | 8 | cards known to be in the hand of the seat 1 to the left |
| other_1_known_wilds | 26-27 | 2 wild | 8 | cards known to be in the hand of the seat 1 to the left |
| other_1_known_threes | 28-29 | 2 three | 8 | cards known to be in the hand of the seat 1 to the left |
| other_1_hand_size | 30 | 1 | 108 | cards in hand of the seat 1 to the left |
| other_2_known | 31-41 | 11 rank | 8 | cards known to be in the hand of the seat 2 to the left |
| other_2_known_wilds | 42-43 | 2 wild | 8 | cards known to be in the hand of the seat 2 to the left |
| other_2_known_threes | 44-45 | 2 three | 8 | cards known to be in the hand of the seat 2 to the left |
| other_2_hand_size | 46 | 1 | 108 | cards in hand of the seat 2 to the left |
| other_3_known | 47-57 | 11 rank | 8 | cards known to be in the hand of the seat 3 to the left |
| other_3_known_wilds | 58-59 | 2 wild | 8 | cards known to be in the hand of the seat 3 to the left |
| other_3_known_threes | 60-61 | 2 three | 8 | cards known to be in the hand of the seat 3 to the left |
| other_3_hand_size | 62 | 1 | 108 | cards in hand of the seat 3 to the left |
| pile_top | 63-73 | 11 rank | 1 | the pile's top card |
| pile_top_wilds | 74-75 | 2 wild | 1 | the pile's top card |
| pile_top_threes | 76-77 | 2 three | 1 | the pile's top card |
| pile | 78-88 | 11 rank | 8 | copies in the pile, without those beside it |
| pile_wilds | 89-90 | 2 wild | 8 | copies in the pile, without those beside it |
| pile_threes | 91-92 | 2 three | 8 | copies in the pile, without those beside it |
| own_naturals | 93-103 | 11 rank | 8 | naturals on the table, the own side |
| own_twos | 104-114 | 11 rank | 8 | twos in its melds, the own side |
| own_jokers | 115-125 | 11 rank | 4 | jokers in its melds, the own side |
| own_black_threes | 126 | 1 | 4 | black threes on the table, the own side |
| own_red_threes | 127 | 1 | 4 | red threes on the table, the own side |
| own_canastas | 128 | 1 | 11 | ranks with seven cards or more, the own side |
| own_opened | 129 | 1 | 1 | 1 once a meld stands, the own side |
| own_minimum | 130 | 1 | 120 | points that the first meld must reach, the own side |
| own_score | 131 | 1 | 7580 | points in the match so far, the own side; -7580 is the least shown |
| side_1_naturals | 132-142 | 11 rank | 8 | naturals on the table, the side 1 to the left |
| side_1_twos | 143-153 | 11 rank | 8 | twos in its melds, the side 1 to the left |
| side_1_jokers | 154-164 | 11 rank | 4 | jokers in its melds, the side 1 to the left |
| side_1_black_threes | 165 | 1 | 4 | black threes on the table, the side 1 to the left |
| side_1_red_threes | 166 | 1 | 4 | red threes on the table, the side 1 to the left |
| side_1_canastas | 167 | 1 | 11 | ranks with seven cards or more, the side 1 to the left |
| side_1_opened | 168 | 1 | 1 | 1 once a meld stands, the side 1 to the left |
| side_1_minimum | 169 | 1 | 120 | points that the first meld must reach, the side 1 to the left |
| side_1_score | 170 | 1 | 7580 | points in the match so far, the side 1 to the left; -7580 is the least shown |
| stock_size | 171 | 1 | 108 | cards in the stock |
| pile_size | 172 | 1 | 108 | cards in the pile, with those beside it |
| hand_size | 173 | 1 | 108 | cards in the own hand |
| turns | 174 | 1 | 400 | turns ended in this round, all seats together |
| beside | 175-176 | 2 wild | 8 | wilds beside the pile; it is frozen while there are any |
| blocked | 177 | 1 | 4 | turns for which a red three still blocks the pile, this one included |
| phase | 178-181 | 4 phase | 1 | DRAW, PLAY, MELD, OVER |
| acting_seat | 182-185 | 4 seat | 1 | whose turn it is, from the own seat to the left |
| meld_rank | 186-196 | 11 rank | 1 | MELD: rank of the half-laid meld |
| meld_wants | 197 | 1 | 120 | MELD: points that it still wants |
| meld_takes | 198 | 1 | 1 | MELD: 1 if the rest of the pile follows once it stands |
<!-- /observation -->

Sizes by number of players:

<!-- sizes -->
| players | 2 | 3 | 4 | 5 | 6 |
|---|---|---|---|---|---|
| actions | 55 | 55 | 55 | 55 | 55 |
| observation | 165 | 221 | 199 | 333 | 389 |
<!-- /sizes -->

## Rewards

At the end of each round every seat gets the score of its side less the mean of the other sides': zero-sum, and
partners get the same. With `reward="win"` the seats of the winning side get 1 and the others -1/(n-1) for n sides; a
truncated round pays nothing then.

<!-- rewards -->
One unit of reward is 500 points (`game.score_scale`). With the default options an illegal
action in `env` pays -31.32, worse than any loss.
<!-- /rewards -->

## Options

<!-- options -->
| option | default | allowed | meaning |
|---|---|---|---|
| num_players | `4` | 2 to 6 | seats |
| match | `False` | `False`, `True` | an episode is a whole match, not one round (G5) |
| reward | `'score'` | `'score'`, `'win'` | what a round pays: score margin, or win and loss |
| partnerships | `None` | `False`, `True`, None | partners sit opposite; None: four players do (K1) |
| hand_size | `None` | 1 to 53, None | cards dealt to each; None: 11 for partners, 13 for others (K2) |
| canastas | `None` | 1 to 4, None | that a side needs to go out; None: two for partners, one for others (K11) |
| max_turns | `100` | 1 to 1000 | turns of each seat in a round before it is truncated (G3) |
| target | `5000` | 1 to 20000 | points that win a match (K15) |
| max_rounds | `100` | 1 to 1000 | rounds after which a match that nobody has won is truncated (G3) |
| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |
| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |
<!-- /options -->

## Version history

- v0: first release.
"""

from cardenvs.aec import entry_points

env, raw_env = entry_points("canasta_v0")
