"""PPO self-play over the environments of `cardenvs`, and the policies that come of it."""

from training.checkpoint import load_policy, shipped
from training.config import TrainConfig
from training.model import Policy
from training.train import Run

__all__ = ["Policy", "Run", "TrainConfig", "load_policy", "shipped"]
