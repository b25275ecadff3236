"""Networks built from layouts alone: a plain one, one to which all suits are alike, and one to which all cards are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from cardenvs.layout import Layout

WINDOW = 2
"""Ranks below and above a card that `CardNet` reads with it: two more make the shortest run."""


def linear(inputs: int, outputs: int, gain: float, generator: torch.Generator, bias: bool = True) -> nn.Linear:
    """A layer with orthogonal weights from `generator`; the global generator is neither read nor changed."""
    # The constructor of nn.Linear draws from the global generator; skip_init leaves that out.
    layer = nn.utils.skip_init(nn.Linear, inputs, outputs, bias=bias)
    nn.init.orthogonal_(layer.weight, gain, generator=generator)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


class DenseNet(nn.Module):
    """Hidden layers that know nothing of the pieces.

    Args:
        inputs, outputs: layouts of a row and of what comes out.
        hidden: width of each hidden layer.
        gain: of the weights of the last layer.
        generator: of the first weights.
    """

    def __init__(
        self, inputs: Layout, outputs: Layout, hidden: Sequence[int], gain: float, generator: torch.Generator
    ) -> None:
        super().__init__()
        widths = [inputs.size, *hidden]
        self.hidden = nn.ModuleList(
            linear(below, above, 2**0.5, generator) for below, above in zip(widths, hidden, strict=False)
        )
        self.head = linear(widths[-1], outputs.size, gain, generator)

    def forward(self, rows: Tensor) -> Tensor:
        """float `[B, outputs.size]` of float rows `[B, inputs.size]`."""
        for layer in self.hidden:
            rows = torch.relu(layer(rows))
        return self.head(rows)


class SuitNet(nn.Module):
    """Layers whose weights all suits share, to one answer for the whole position: permute the suits, and it stays.

    Two streams run through the layers, a vector for each suit (made of its pieces) and one for the whole position (of
    all others). In each layer both also read the mean over suits, and a suit reads the whole position.

    Args:
        inputs, outputs: layouts of a row and of what comes out; that has no suits and no ranks.
        hidden: width of each hidden layer, per suit and for the whole position.
        gain: of the weights of the last layer.
        generator: of the first weights.

    Source: layers over sets as in Zaheer et al. 2017, https://arxiv.org/abs/1703.06114.
    """

    suits: Tensor
    rest: Tensor

    def __init__(
        self, inputs: Layout, outputs: Layout, hidden: Sequence[int], gain: float, generator: torch.Generator
    ) -> None:
        super().__init__()
        seen = Axes.of(inputs)
        suits = np.concatenate([seen.card.reshape(len(seen.card), -1), seen.suit], 1)
        rest = np.concatenate([seen.rank.ravel(), seen.rest])
        for name, index in (("suits", suits), ("rest", rest)):
            self.register_buffer(name, torch.from_numpy(index), persistent=False)
        below = [(suits.shape[1], suits.shape[1] + len(rest)), *((units, 2 * units) for units in hidden[:-1])]
        self.own = nn.ModuleList(
            linear(suit, units, 2**0.5, generator, bias=False) for (suit, _), units in zip(below, hidden, strict=True)
        )
        # One layer to what is added to every suit alike, and to the whole position.
        self.shared = nn.ModuleList(
            linear(both, 2 * units, 2**0.5, generator) for (_, both), units in zip(below, hidden, strict=True)
        )
        self.head = linear(2 * hidden[-1], outputs.size, gain, generator)

    def forward(self, rows: Tensor) -> Tensor:
        """float `[B, outputs.size]` of float rows `[B, inputs.size]`."""
        suits, whole = rows[:, self.suits], rows[:, self.rest]
        for own, shared in zip(self.own, self.shared, strict=True):
            to_suits, whole = shared(torch.cat([suits.sum(1) / suits.shape[1], whole], 1)).chunk(2, 1)
            suits = torch.relu_(own(suits) + to_suits.unsqueeze(1))
            whole = torch.relu(whole)
        return self.head(torch.cat([suits.sum(1) / suits.shape[1], whole], 1))


class CardNet(nn.Module):
    """Layers whose weights all cards share: permute the suits of a row, and the outputs permute with them.

    Two streams run through the layers, a vector for each card (a suit and a rank) and one for the whole position. In
    the first layer a card reads the pieces of its own suit in a window of ranks around it, the mean over the suits of
    the same window, and the whole position; in later ones itself, the mean over the suits of its rank, and the whole
    position. The whole position reads all pieces with the suits averaged, later itself and the mean over all cards.
    Only a bias tells the ranks apart. Where a layout has no suits the ranks are the cards.

    Args:
        inputs, outputs: layouts of a row and of what comes out.
        hidden: width of the whole position's stream in each layer.
        gain: of the weights of the last layer.
        generator: of the first weights.
        width: of the cards' stream.

    Source: layers over sets as in Zaheer et al. 2017, https://arxiv.org/abs/1703.06114.
    """

    cards: Tensor
    suit_pieces: Tensor
    rank_pieces: Tensor
    rest: Tensor
    place: Tensor

    def __init__(
        self,
        inputs: Layout,
        outputs: Layout,
        hidden: Sequence[int],
        gain: float,
        generator: torch.Generator,
        width: int,
    ) -> None:
        super().__init__()
        seen, out = Axes.of(inputs), Axes.of(outputs)
        place = np.concatenate([out.card.ravel(), out.rank.ravel(), out.suit.ravel(), out.rest]).argsort()
        indices = {"cards": seen.card, "rank_pieces": seen.rank, "suit_pieces": seen.suit, "rest": seen.rest}
        for name, index in (indices | {"place": place}).items():
            self.register_buffer(name, torch.from_numpy(index), persistent=False)
        self.suits, self.ranks, planes = seen.card.shape

        def layer(inputs: int, outputs: int, gain: float = 2**0.5, bias: bool = False) -> nn.Linear:
            return linear(inputs, outputs, gain, generator, bias)

        whole = self.ranks * (planes + seen.rank.shape[1]) + seen.suit.shape[1] + len(seen.rest)
        self.near = _RankWindow(self.ranks, planes, width, generator)
        self.across_near = _RankWindow(self.ranks, planes + seen.rank.shape[1], width, generator)
        self.own = nn.ModuleList(layer(width, width) for _ in hidden[1:])
        self.across = nn.ModuleList(layer(width, width) for _ in hidden[1:])
        self.from_suit = layer(seen.suit.shape[1], width) if seen.suit.size else None
        below = [whole, *(units + width for units in hidden)]
        self.down = nn.ModuleList(layer(units, width) for units in below[:-1])
        self.bias = nn.ParameterList(nn.Parameter(torch.zeros(self.ranks, width)) for _ in hidden)
        self.up = nn.ModuleList(layer(units, above, bias=True) for units, above in zip(below, hidden, strict=False))

        per_card, per_rank, per_suit = out.card.shape[2], out.rank.shape[1], out.suit.shape[1]
        self.to_card = layer(width, per_card, gain) if per_card else None
        self.card_bias = nn.Parameter(torch.zeros(self.ranks, per_card))
        self.to_rank = layer(width, per_rank, gain, bias=True) if per_rank else None
        self.to_suit = layer(width, per_suit, gain, bias=True) if per_suit else None
        # One layer from the whole position: to what it adds to every card alike, and to the rest.
        self.to_rest = layer(below[-1], per_card + len(out.rest), gain, bias=True)

    def forward(self, rows: Tensor) -> Tensor:
        """float `[B, outputs.size]` of float rows `[B, inputs.size]`."""
        cards, whole = self._first(rows)
        for own, across, down, bias, up in zip(
            self.own, self.across, self.down[1:], self.bias[1:], self.up[1:], strict=True
        ):
            mean = self._over_suits(cards)
            whole = torch.cat([whole, mean.sum(1) / self.ranks], 1)
            shared = across(mean) + (down(whole).unsqueeze(1) + bias)
            cards, whole = torch.relu_(own(cards) + shared.unsqueeze(1)), torch.relu(up(whole))
        return self._heads(cards, whole)

    def _first(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The first layer: cards `[B, suits, ranks, width]` and the whole position `[B, hidden[0]]`."""
        pieces = rows[:, self.cards]
        mean = torch.cat([self._over_suits(pieces), rows[:, self.rank_pieces]], 2)
        of_suits = rows[:, self.suit_pieces]
        whole = torch.cat([mean.flatten(1), self._over_suits(of_suits), rows[:, self.rest]], 1)
        shared = self.across_near(mean) + (self.down[0](whole).unsqueeze(1) + self.bias[0])
        shared = shared.unsqueeze(1)
        if self.from_suit is not None:
            shared = shared + self.from_suit(of_suits).unsqueeze(2)
        return torch.relu_(self.near(pieces) + shared), torch.relu(self.up[0](whole))

    def _heads(self, cards: Tensor, whole: Tensor) -> Tensor:
        mean = self._over_suits(cards)
        rest = self.to_rest(torch.cat([whole, mean.sum(1) / self.ranks], 1))
        parts = []
        if self.to_card is not None:
            every, rest = rest.tensor_split([self.to_card.out_features], 1)
            parts.append((self.to_card(cards) + (self.card_bias + every.unsqueeze(1)).unsqueeze(1)).flatten(1))
        if self.to_rank is not None:
            parts.append(self.to_rank(mean).flatten(1))
        if self.to_suit is not None:
            parts.append(self.to_suit(cards.sum(2) / self.ranks).flatten(1))
        return torch.cat([*parts, rest], 1)[:, self.place]

    def _over_suits(self, cards: Tensor) -> Tensor:
        # A sum, not a mean, of the wide tensor: the gradient of a mean is another pass over it.
        return cards.sum(1) / self.suits


class _RankWindow(nn.Module):
    """A linear layer, without bias, from a window of ranks around each rank; beyond the ends there is nothing.

    It is one product with a matrix whose bands are the weights, several times faster here than a convolution.
    """

    bands: Tensor

    def __init__(self, ranks: int, planes: int, width: int, generator: torch.Generator) -> None:
        super().__init__()
        span = 2 * WINDOW + 1
        self.width = width
        self.weight = linear(span * planes, width, 2**0.5, generator, bias=False).weight
        below, above = np.indices((ranks, ranks))
        step = below - above + WINDOW
        at = (np.arange(width) * span + step[..., None]) * planes  # [from, to, width]
        at = at[:, None] + np.arange(planes)[:, None, None]
        at[np.broadcast_to(((step < 0) | (step >= span))[:, None, :, None], at.shape)] = span * planes * width
        self.register_buffer("bands", torch.from_numpy(at.reshape(ranks * planes, ranks * width)), persistent=False)

    def forward(self, pieces: Tensor) -> Tensor:
        """float `[..., ranks, width]` of `[..., ranks, planes]`."""
        weight = torch.cat([self.weight.flatten(), self.weight.new_zeros(1)])[self.bands]
        return (pieces.flatten(-2) @ weight).unflatten(-1, (-1, self.width))


class Axes(NamedTuple):
    """Where the entries of a layout stand, by what its pieces are counted along.

    Attributes:
        card: int64 `[suits, ranks, C]`, of the pieces with the axes suit and rank; where the layout has no
            suits, of those with a rank, as of one suit.
        rank: int64 `[ranks, R]`, of those with a rank alone; suit: int64 `[suits, S]`, of those with a suit alone.
        rest: int64 `[G]`, of all others.
    """

    card: np.ndarray
    rank: np.ndarray
    suit: np.ndarray
    rest: np.ndarray

    @classmethod
    def of(cls, layout: Layout) -> Axes:
        """The axes of a layout."""
        lengths = {axis: n for piece in layout.pieces for axis, n in zip(piece.axes, piece.shape, strict=True)}
        suits, ranks = lengths.get("suit", 1), lengths.get("rank", 1)
        shapes = {("suit", "rank"): (suits, ranks), ("rank",): (ranks,), ("suit",): (suits,), (): ()}
        found: dict[tuple[str, ...], list[np.ndarray]] = {
            axes: [np.zeros((*shape, 0), np.int64)] for axes, shape in shapes.items()
        }
        for piece in layout.pieces:
            index = np.arange(piece.size).reshape(piece.shape) + layout.offset(piece.name)
            axes = tuple(axis for axis in ("suit", "rank") if axis in piece.axes)
            index = np.moveaxis(index, [piece.axes.index(axis) for axis in axes], range(len(axes)))
            if axes == ("rank",) and "suit" not in lengths:
                axes = ("suit", "rank")
            found[axes].append(index.reshape(*shapes[axes], -1))
        return cls(*(np.concatenate(indices, -1) for indices in found.values()))
