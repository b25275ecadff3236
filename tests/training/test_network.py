"""T3: the distribution over legal actions; S3: no global random state."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from training.model import ActorCritic, entropy, masked_log_softmax, sample

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


def test_integer_rows_are_scaled_and_float_rows_are_not() -> None:
    scale = np.array([1.0, 0.5, 0.1], np.float32)
    network = ActorCritic(scale, 4, (8,), torch.Generator().manual_seed(0))
    rows = torch.tensor([[1, -2, 10]], dtype=torch.int16)
    for of_ints, of_floats in zip(network(rows), network(rows * torch.tensor(scale)), strict=True):
        torch.testing.assert_close(of_ints, of_floats)
    torch.testing.assert_close(network(rows)[1], network.value(rows))


def test_weights_come_from_the_given_stream_alone() -> None:
    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    first, second, other = (
        ActorCritic(np.ones(9, np.float32), 4, (16, 8), torch.Generator().manual_seed(seed)) for seed in (1, 1, 2)
    )
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002
    assert torch.equal(first.trunk[0].weight, second.trunk[0].weight)
    assert not torch.equal(first.trunk[0].weight, other.trunk[0].weight)
    # Orthogonal rows or columns, whichever are fewer.
    weight = first.trunk[2].weight
    torch.testing.assert_close(weight @ weight.T, 2 * torch.eye(8), atol=1e-5, rtol=0)
