"""PPO self-play over the environments of `cardenvs`, and the policies that come of it."""

import os

# Before torch is loaded: idle threads sleep instead of spinning. Where another program is busy too, spinning makes the
# arithmetic several times slower; where none is, sleeping costs next to nothing.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from training.checkpoint import load_policy
from training.config import TrainConfig
from training.model import Policy
from training.train import Run

__all__ = ["Policy", "Run", "TrainConfig", "load_policy"]
