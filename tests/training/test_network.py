"""T3: the distribution over legal actions; S3: no global random state."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from toy import toy_network

import cardenvs
from cardenvs.layout import Layout, Piece
from training.config import NetworkConfig
from training.model import AHEAD, entropy, make_network, masked_log_softmax, sample
from training.network import CardNet

ACTIONS = 20


def hard_rows(rows: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits float32 to +-50, and masks with 1 to all actions legal."""
    generator = torch.Generator().manual_seed(seed)
    logits = (torch.rand(rows, ACTIONS, generator=generator) * 2 - 1) * 50
    legal = torch.randint(1, ACTIONS + 1, (rows, 1), generator=generator)
    order = torch.rand(rows, ACTIONS, generator=generator).argsort(-1)
    return logits, (order < legal).to(torch.int8)


@pytest.mark.parametrize("part", range(4))
def test_a_million_hard_rows(part: int) -> None:
    logits, mask = hard_rows(250_000, part)
    logits.requires_grad_()
    log_probs = masked_log_softmax(logits, mask)
    assert log_probs.dtype == torch.float32
    probs = log_probs.exp()
    assert (probs[mask == 0] == 0).all()
    torch.testing.assert_close(probs.sum(-1), torch.ones(len(probs)))
    spread = entropy(log_probs)
    assert torch.isfinite(spread).all()
    assert (spread > -1e-6).all()
    assert (spread[mask.sum(-1) == 1] == 0).all()

    action = sample(log_probs.detach(), torch.Generator().manual_seed(part)).unsqueeze(-1)
    assert (mask.gather(-1, action) == 1).all()
    (log_probs.gather(-1, action).sum() + spread.sum()).backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[mask == 0] == 0).all()


def test_equal_to_the_softmax_of_the_legal_part() -> None:
    logits, mask = hard_rows(200, 7)
    log_probs = masked_log_softmax(logits, mask)
    for row, legal, found in zip(logits, mask.bool(), log_probs, strict=True):
        wanted = torch.distributions.Categorical(logits=row[legal])
        torch.testing.assert_close(found[legal], wanted.logits)
        torch.testing.assert_close(entropy(found[None])[0], wanted.entropy())


def test_a_row_without_a_legal_action_is_refused() -> None:
    mask = torch.ones(3, ACTIONS, dtype=torch.int8)
    mask[1] = 0
    with pytest.raises(ValueError, match="row 1 of the mask is all zeros"):
        masked_log_softmax(torch.zeros(3, ACTIONS), mask)


def test_samples_follow_the_probabilities() -> None:
    log_probs = torch.tensor([0.5, 0.0, 0.3, 0.2]).log().clamp_min(-1e30).expand(100_000, 4)
    counts = sample(log_probs, torch.Generator().manual_seed(0)).bincount(minlength=4)
    np.testing.assert_allclose(counts / 100_000, [0.5, 0.0, 0.3, 0.2], atol=0.01)


@pytest.mark.parametrize("drawn", [0.0, 0.5, 1 - 2**-53])
def test_no_draw_is_illegal(drawn: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the smallest number that can be drawn, nor the largest, nor one where a sum ends."""
    mask = torch.tensor([[0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]])
    monkeypatch.setattr(torch, "rand", lambda rows, one, **_: torch.full((rows, one), drawn, dtype=torch.float64))
    action = sample(masked_log_softmax(torch.zeros(3, 6), mask), torch.Generator())
    assert action.tolist() == [1 if drawn <= 0.5 else 4, 0, 5]


def test_integer_rows_are_scaled_and_float_rows_are_not() -> None:
    network = toy_network(scale=4.0)
    rows = torch.tensor([[1, -2, 4, 0, 3, 2]], dtype=torch.int16)
    for part in (network.actor, network.critic):
        torch.testing.assert_close(part(rows), part(rows / 4))


def test_weights_come_from_the_given_stream_alone() -> None:
    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    game = cardenvs.make_game("cachons_v0")
    first, second, other = (
        make_network(game, NetworkConfig(), torch.Generator().manual_seed(seed)).state_dict() for seed in (1, 1, 2)
    )
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)
    # Orthogonal rows or columns, whichever are fewer.
    weight = toy_network().actor.body.hidden[0].weight
    torch.testing.assert_close(weight.T @ weight, 2 * torch.eye(6), atol=1e-5, rtol=0)


def permuted(layout: Layout, rows: torch.Tensor, order: list[int]) -> torch.Tensor:
    """Rows in which suit i of every piece is what suit `order[i]` was."""
    found = rows.clone()
    for piece in layout.pieces:
        if "suit" in piece.axes:
            block = rows[:, layout.slice(piece.name)].reshape(-1, *piece.shape)
            moved = block.index_select(1 + piece.axes.index("suit"), torch.tensor(order))
            found[:, layout.slice(piece.name)] = moved.reshape(len(rows), -1)
    return found


@pytest.mark.parametrize("variant", cardenvs.variants())
def test_suits_are_alike_to_the_network(variant: str) -> None:
    """Permute the suits of positions, and what comes out permutes with them."""
    game = cardenvs.make_game(variant)
    vec = cardenvs.make_vec(variant, 64, 3)
    vec.random_steps(60)
    rows = torch.from_numpy(vec.step(vec.random_actions()).obs)
    network = make_network(game, NetworkConfig(hidden=(32, 16), width=8), torch.Generator().manual_seed(1))
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.3, generator=torch.Generator().manual_seed(len(weight)))
    order = [2, 0, 3, 1][: len(game.pack.suits)]
    logits = network.actor(rows)
    assert logits.std(0).min() > 0, "every action depends on the position"
    permuted_logits = network.actor(permuted(game.observation, rows, order))
    torch.testing.assert_close(permuted_logits, permuted(game.actions, logits, order), rtol=1e-4, atol=1e-4)
    central = torch.from_numpy(network.critic.rows_for_all(vec.observe_all(), vec.upcoming(AHEAD))[:, 0])
    assert network.critic(central).std() > 0
    torch.testing.assert_close(
        network.critic(permuted(network.critic.layout, central, order)), network.critic(central), rtol=1e-4, atol=1e-4
    )


def test_a_card_reads_its_neighbours_and_its_rank() -> None:
    """What a card network makes of one card hangs on the cards two ranks around, and on its rank in other suits."""
    hand = Layout([Piece("hand", (4, 13), ("suit", "rank"))])
    out = Layout([Piece("discard", (4, 13), ("suit", "rank"))])
    network = CardNet(hand, out, (4,), 1.0, torch.Generator().manual_seed(0), 16)
    for layer in (*network.down, network.to_rest):  # nothing from the whole position
        torch.nn.init.zeros_(layer.weight)
    moved = network(torch.eye(52)) - network(torch.zeros(1, 52))
    reads = {(card, other) for other, card in moved.abs().gt(1e-7).nonzero().tolist()}
    near = {(c, o) for c in range(52) for o in range(52) if abs(c % 13 - o % 13) <= 2}
    assert reads == near
