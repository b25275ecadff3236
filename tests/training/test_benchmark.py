"""The trainer beside its bare arithmetic: what is measured, not how fast it is."""

from __future__ import annotations

import torch

import cardenvs
from training.benchmark import CONFIG, Bare, training_rates
from training.model import make_network


def test_both_are_measured_in_turn() -> None:
    before = torch.get_num_threads()
    found = training_rates(threads=1, repeats=2)
    assert len(found.ours) == len(found.bare) == 2
    assert min(*found.ours, *found.bare) > 0
    assert {"act", "learn", "env"} <= set(found.split)
    assert torch.get_num_threads() == before


def test_the_bare_network_is_as_large_as_ours() -> None:
    game = cardenvs.make_game(CONFIG.env.variant, **CONFIG.env.game_options())
    ours = make_network(game, CONFIG.network, torch.Generator())
    bare = Bare(game.observation_size, game.num_actions)
    sizes = [sorted(tuple(each.shape) for each in network.parameters()) for network in (ours, bare.network)]
    assert sizes[0] == sizes[1]
