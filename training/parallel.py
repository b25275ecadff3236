"""Training in several processes: which of them this one is, and what they tell each other.

`torchrun` starts the processes and tells each who it is, in its environment. Each plays games of its own and learns
from them; what they must agree on (gradients, counts, when to stop) goes through a `Group`, so that they take the same
steps and hold the same weights.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, distributed, nn

T = TypeVar("T")

_PATIENCE = timedelta(days=1)
"""How long the others wait while the first one judges the policy. They wait through gloo, which notices at once that a
process has died; how soon nccl does has not been tried, and it only sums gradients, with its own shorter patience."""


@dataclass(frozen=True)
class Group:
    """The processes that train one network; a process alone is a group too, and talks to nobody.

    All processes call the same methods in the same order: in each of them (but for `seed`) they wait for one another.

    Attributes:
        rank: of this process, from 0; the first one writes the files.
        size: how many there are.
        local_rank, local_size: the same among those on this machine.
        patient: connects them where one may keep the others waiting; torch's default group where there is none.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1
    patient: distributed.ProcessGroup | None = None

    @property
    def first(self) -> bool:
        """Whether this is the process that speaks for all."""
        return self.rank == 0

    def seed(self, seed: int) -> int:
        """A seed for this process alone, made of one that all have; the first has that one itself."""
        # Of a torch.Generator on the CPU only the lower 32 bits count.
        return seed if self.first else int(np.random.SeedSequence((seed, self.rank)).generate_state(1)[0])

    def gather(self, value: T) -> list[T]:
        """What every process gave, by rank, on all of them. It travels as a pickle: tensors belong on the CPU."""
        if self.size == 1:
            return [value]
        values: list[Any] = [None] * self.size
        distributed.all_gather_object(values, value, group=self.patient)
        return values

    def any(self, flag: bool) -> bool:
        """Whether it is true of some process."""
        return any(self.gather(flag))

    def of_first(self, make: Callable[[], T]) -> T:
        """What `make` returns on the first process, on all of them; so is the ValueError that it raises."""
        if self.size == 1:
            return make()
        box: list[Any] = [None]
        if self.first:
            try:
                box[0] = make()
            except ValueError as error:
                box[0] = error
        distributed.broadcast_object_list(box, src=0, group=self.patient)
        if isinstance(box[0], ValueError):
            raise box[0]
        return box[0]

    def moments(self, values: np.ndarray) -> tuple[float, float]:
        """Mean and deviation of the values of all processes together; none of them comes without any."""
        if self.size == 1:
            return values.mean(), values.std()
        parts = self.gather((float(values.size), float(values.mean()), float(values.var())))
        count, mean, variance = np.array(parts).T
        weight = count / count.sum()
        whole = weight @ mean
        return float(whole), float(np.sqrt(weight @ (variance + (mean - whole) ** 2)))

    def average(self, network: nn.Module, loss: Tensor, samples: int) -> tuple[Tensor, Tensor]:
        """Make the gradients what they would be had this process had the samples of all; in place.

        The gradients of means over different numbers of samples are weighed by them. All go in one flat tensor, summed
        once. DistributedDataParallel does not fit: it waits for the gradients of the one `forward` that it wraps, and a
        loss calls actor and critic by themselves, the critic twice; and it weighs all processes alike. The networks are
        so small that there would be little to gain by sending one layer's while the next one's are computed.

        Args:
            network: each of its parameters has a gradient on all processes, or on none.
            loss: the scalar that the gradients are of.
            samples: how many it is the mean over.

        Returns:
            The loss over the samples of all, and whether this process's own part was finite: a scalar each.
        """
        if self.size == 1:
            return loss, torch.isfinite(loss)
        gradients = [weight.grad for weight in network.parameters() if weight.grad is not None]
        parts = [loss.new_ones(1), *(part.flatten() for part in (loss, *gradients))]
        mine = torch.cat(parts) * samples
        whole = mine.clone()
        distributed.all_reduce(whole)
        count, mean, *averages = whole.split([part.numel() for part in parts])
        for gradient, average in zip(gradients, averages, strict=True):
            torch.div(average.view_as(gradient), count, out=gradient)
        return (mean / count).squeeze(0), torch.isfinite(mine).all()


ALONE = Group()


@contextmanager
def join() -> Iterator[Group]:
    """The group that this process was started in, until the block ends; gloo connects it, and nccl CUDA devices.

    Raises:
        ValueError: there are several processes, but not all that torchrun tells them is in the environment.
    """
    told = {name: os.environ.get(name) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")}
    if told["WORLD_SIZE"] in (None, "1"):
        yield ALONE
        return
    rank, size, local_rank, local_size = (int(value or -1) for value in told.values())
    if min(rank, local_rank) < 0 or local_size < 1:
        raise ValueError(f"{told}: allowed are all four, as torchrun sets them, or none")
    both = torch.cuda.is_available() and distributed.is_nccl_available()
    # With torch's own timeout: who waits here waits for one that may have failed before it came.
    distributed.init_process_group("cpu:gloo,cuda:nccl" if both else "gloo")
    try:
        patient = distributed.new_group(backend="gloo", timeout=_PATIENCE)
        yield Group(rank, size, local_rank, local_size, patient)
    finally:
        distributed.destroy_process_group()
