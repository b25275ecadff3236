"""Every setting of a training run, in one documented dataclass.

A YAML file and the command line only override these defaults; a key that is not here is an error.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import yaml
from jsonargparse import ArgumentParser, Namespace

from cardenvs.files import write_text

CONFIG_FILE = "config.yaml"
"""Of a run folder: every setting of the run."""


def _require(allowed: bool, name: str, value: object, what: str) -> None:
    if not allowed:
        raise ValueError(f"{name}={value!r}: allowed is {what}")


def _at_least(least: float, **values: float | None) -> None:
    for name, value in values.items():
        _require(value is None or (math.isfinite(value) and value >= least), name, value, f"{least:g} or more")


def _above_zero(**values: float | None) -> None:
    for name, value in values.items():
        _require(value is None or (math.isfinite(value) and value > 0), name, value, "a number above 0")


def _fraction(**values: float) -> None:
    for name, value in values.items():
        _require(0.0 <= value <= 1.0, name, value, "a number from 0 to 1")


@dataclass(frozen=True)
class EnvConfig:
    """The game, and how many of it are played side by side.

    Attributes:
        variant: id of the variant, such as rummy_v0.
        num_players: seats; null for the variant's own default.
        match: an episode is a whole match instead of one round.
        reward: what an episode pays, score (margin over the others) or win.
        options: further rule options of the variant, such as {hand_size: 7}.
        num_envs: games played side by side, by each process.
        threads: threads of a process that step its games; one is best for small batches.
    """

    variant: str = "rummy_v0"
    num_players: int | None = None
    match: bool = False
    reward: Literal["score", "win"] = "score"
    options: dict[str, Any] = field(default_factory=dict)
    num_envs: int = 128
    threads: int = 1

    def __post_init__(self) -> None:
        _at_least(1, num_envs=self.num_envs, threads=self.threads)

    def game_options(self) -> dict[str, Any]:
        """The keyword arguments for `cardenvs.make_game` and `cardenvs.make_vec`."""
        seats = {} if self.num_players is None else {"num_players": self.num_players}
        return {**seats, "match": self.match, "reward": self.reward, **self.options}


@dataclass(frozen=True)
class NetworkConfig:
    """The policy network and the value network.

    Attributes:
        kind: cards, whose weights all cards share, or dense.
        hidden: width of each hidden layer, the first one next to the observation.
        width: of the stream of each card (cards).
        critic: where values come from. own: a network that sees the seat's own row; state: one that also sees the hands
            of all others and the next cards of the stock; playout: no network, but what the game as it lies would come
            to were a bot to play on for all.
        playout: that bot.
    """

    kind: Literal["cards", "dense"] = "cards"
    hidden: tuple[int, ...] = (128, 128)
    width: int = 32
    critic: Literal["own", "state", "playout"] = "state"
    playout: str = "greedy"

    def __post_init__(self) -> None:
        _at_least(1, width=self.width)
        _require(len(self.hidden) > 0 and min(self.hidden) > 0, "hidden", self.hidden, "one or more widths above 0")


@dataclass(frozen=True)
class PPOConfig:
    """How the network learns.

    Attributes:
        total_decisions: decisions of all seats, in all processes, to learn from before the run ends.
        steps: decisions per game between two updates; a batch has steps x num_envs decisions of each process.
        epochs: times that a batch is gone through.
        minibatch: decisions per optimiser step that each process brings.
        lr: learning rate of Adam at the start.
        lr_end: share of lr that is left at the end; it falls in a straight line.
        gamma: discount from one decision of a seat to its next.
        reward_power: a reward r counts as sign(r) |r|**reward_power in what is learned: 1 for points as they are; the
            closer to 0, the more it matters who is ahead, and the less by how much. Evaluation has points as they are.
        bootstrap_truncated: estimate what a round cut off by the turn cap would still have paid; null for where it has
            paid nothing (env.reward win). With score the cap pays the round as it lies, and the row shows the turns
            that are left: an estimate on top would count the rest of the round twice.
        gae_lambda: decay of generalised advantage estimation, per decision of a seat.
        clip: largest change of a probability ratio that still counts.
        value_coef: weight of the value loss.
        normalize_returns: the critic learns returns divided by their running root mean square.
        entropy_coef: weight of the entropy bonus at the start.
        entropy_end: share of entropy_coef that is left at the end; it falls in a straight line.
        max_grad_norm: gradients longer than this are scaled down to it.
        target_kl: no further epoch over a batch once the policy has moved this far; null for no limit.
    """

    total_decisions: int = 4_000_000
    steps: int = 32
    epochs: int = 4
    minibatch: int = 1024
    lr: float = 5e-4
    lr_end: float = 0.1
    gamma: float = 1.0
    reward_power: float = 1.0
    bootstrap_truncated: bool | None = None
    gae_lambda: float = 0.95
    clip: float = 0.2
    value_coef: float = 0.5
    normalize_returns: bool = False
    entropy_coef: float = 0.01
    entropy_end: float = 1.0
    max_grad_norm: float = 0.5
    target_kl: float | None = None

    def __post_init__(self) -> None:
        _at_least(
            1, total_decisions=self.total_decisions, steps=self.steps, epochs=self.epochs, minibatch=self.minibatch
        )
        _above_zero(lr=self.lr, clip=self.clip, max_grad_norm=self.max_grad_norm, target_kl=self.target_kl)
        _above_zero(reward_power=self.reward_power)
        _at_least(0, value_coef=self.value_coef, entropy_coef=self.entropy_coef)
        _fraction(lr_end=self.lr_end, entropy_end=self.entropy_end, gamma=self.gamma, gae_lambda=self.gae_lambda)


@dataclass(frozen=True)
class ImitationConfig:
    """A first stage, in which a bot holds every seat, the policy learns from it, and the critic what it comes to.

    Attributes:
        bot: of the game. Null for no such stage.
        decisions: how many of the run's decisions are the bot's.
        learn: actions, what the bot does (cross-entropy); or values, what each legal action of a position would come
            to were the bot to play on for all from there, which can lead beyond the bot.
        explore: share of decisions that are random instead, for positions that the bot would not come into.
        temperature: values: weight of the entropy, in standard deviations of the values.
    """

    bot: str | None = None
    decisions: int = 0
    learn: Literal["actions", "values"] = "values"
    explore: float = 0.1
    temperature: float = 0.06

    def __post_init__(self) -> None:
        _at_least(0, decisions=self.decisions, temperature=self.temperature)
        _fraction(explore=self.explore)
        _require(self.bot is not None or not self.decisions, "bot", self.bot, "a bot, or decisions=0")
        _require(self.bot is None or self.decisions > 0, "decisions", self.decisions, "1 or more, or no bot")
        learned = self.learn == "values" or self.explore < 1
        _require(learned, "explore", self.explore, "less than 1 where learn=actions, which random ones do not teach")


@dataclass(frozen=True)
class LeagueConfig:
    """Whom the policy plays against while it learns, beside itself.

    Attributes:
        bots: bots of the game that hold all sides but one in a share of the games.
        share: of the games in which they play.
        past: past selves that are kept as opponents, at most.
        past_every: decisions from one that is kept to the next.
        past_share: of the games in which they play; in the games that are left the policy plays itself.
    """

    bots: tuple[str, ...] = ()
    share: float = 0.0
    past: int = 4
    past_every: int = 250_000
    past_share: float = 0.0

    def __post_init__(self) -> None:
        _at_least(1, past=self.past, past_every=self.past_every)
        _fraction(share=self.share, past_share=self.past_share)
        _require(bool(self.bots) or not self.share, "bots", self.bots, "one bot or more, or share=0")
        both = self.share + self.past_share
        _require(both <= 1, "share + past_share", both, "1 at most")


@dataclass(frozen=True)
class EvaluationConfig:
    """How the policy is judged: against bots, every deal played from every seat.

    Attributes:
        every: decisions between two evaluations.
        opponents: bots to play against, one or more, each filling all the other seats.
        deals: deals per evaluation and opponent.
        final_deals: deals per opponent once the run has ended.
        seed: seed of the deals, the same in every evaluation.
        sample: play by the policy's probabilities instead of the most probable action.
        rating_opponents: earlier snapshots of the run that each new one plays, beside the bots, to be rated.
        rating_deals: deals with each of them.
        snapshots: how many the run keeps at most, 3 or more: the first, the last, and others spread over the run. The
            ratings of those that go stay in its record.
    """

    every: int = 500_000
    opponents: tuple[str, ...] = ("random", "greedy")
    deals: int = 200
    final_deals: int = 2000
    seed: int = 12345
    sample: bool = False
    rating_opponents: int = 3
    rating_deals: int = 50
    snapshots: int = 20

    def __post_init__(self) -> None:
        _at_least(1, every=self.every, deals=self.deals, final_deals=self.final_deals, rating_deals=self.rating_deals)
        _at_least(0, seed=self.seed, rating_opponents=self.rating_opponents)
        _at_least(3, snapshots=self.snapshots)
        _require(len(self.opponents) > 0, "opponents", self.opponents, "one bot or more")


@dataclass(frozen=True)
class RunConfig:
    """Where a run lives and on what it runs.

    Attributes:
        name: of the run; its folder is <folder>/<name>, with a number added when that is taken.
        folder: parent of the run folders.
        seed: of the games, the network's first weights, the actions and the order of minibatches.
        device: cpu, cuda, or auto for cuda where there is one; each process of a machine takes one of its own.
        threads: of the network's arithmetic, in each process; null for an equal share of the usable cores. Beside
            another busy program use fewer.
        compile: have torch.compile make the networks faster. It takes a minute or more at first, and a C++ compiler.
        checkpoint_every: minutes between two checkpoints.
        max_minutes: the run ends early, and properly, after this many minutes of training; null for no limit.
    """

    name: str = "run"
    folder: str = "runs"
    seed: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: int | None = None
    compile: bool = False
    checkpoint_every: float = 1.0
    max_minutes: float | None = None

    def __post_init__(self) -> None:
        _require(bool(self.name) and "/" not in self.name, "name", self.name, "a folder name")
        _at_least(0, seed=self.seed, checkpoint_every=self.checkpoint_every)
        _at_least(1, threads=self.threads)
        _above_zero(max_minutes=self.max_minutes)


@dataclass(frozen=True)
class TrainConfig:
    """A training run.

    Attributes:
        env: The game, and how many of it are played side by side
        network: The policy and value network
        ppo: How the network learns
        imitation: Whether it first learns to do as a bot does
        league: Whom the policy plays against beside itself
        evaluation: How the policy is judged
        run: Where the run lives and on what it runs
    """

    env: EnvConfig = EnvConfig()
    network: NetworkConfig = NetworkConfig()
    ppo: PPOConfig = PPOConfig()
    imitation: ImitationConfig = ImitationConfig()
    league: LeagueConfig = LeagueConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    run: RunConfig = RunConfig()

    def __post_init__(self) -> None:
        playouts = self.network.critic == "playout"
        sure = not (playouts and self.ppo.bootstrap_truncated)
        _require(sure, "bootstrap_truncated", True, "false where critic=playout: it knows what the cap pays")
        scaled = playouts and self.ppo.normalize_returns
        _require(not scaled, "normalize_returns", True, "false where critic=playout, which learns no returns")
        whole = not playouts or self.ppo.gamma == 1
        _require(whole, "gamma", self.ppo.gamma, "1 where critic=playout, which discounts nothing")
        match = self.env.match and self.ppo.reward_power != 1
        _require(not match, "reward_power", self.ppo.reward_power, "1 for a match, whose rounds are paid one by one")
        imitated, total = self.imitation.decisions, self.ppo.total_decisions
        _require(imitated < total, "imitation.decisions", imitated, f"fewer than total_decisions={total}")
        batch = self.env.num_envs * self.ppo.steps
        _require(self.ppo.minibatch <= batch, "minibatch", self.ppo.minibatch, f"at most steps x num_envs = {batch}")


def parse_settings(arguments: Sequence[str] | None = None) -> tuple[TrainConfig, Path | None]:
    """Settings from the command line, and the run folder to go on from, if one is given.

    Args:
        arguments: of the command; those of this process when left out.

    Exits with a message, as command lines do, on an unknown key or a value that is not allowed.
    """
    usage = "%(prog)s [--help] [--config FILE] [--resume FOLDER] [--<group>.<setting> VALUE ...]"
    parser = ArgumentParser(prog="train.py", usage=usage, description="Train a policy by self-play.")
    parser.add_argument("--config", action="config", help="YAML file with settings; those that follow override it.")
    parser.add_argument("--resume", metavar="FOLDER", help="Run folder to go on from, with the settings that it has.")
    parser.add_class_arguments(TrainConfig)
    given = parser.parse_args(arguments)
    folder = None if given.resume is None else Path(given.resume)
    if folder is not None:
        if given.config:
            parser.error("--resume goes on with the settings of the run: allowed is it or --config, not both")
        if not (folder / CONFIG_FILE).is_file():
            parser.error(f"--resume {folder}: there is no {CONFIG_FILE} in it")
        began = ["--config", str(folder / CONFIG_FILE)]
        given = parser.parse_args([*began, *(sys.argv[1:] if arguments is None else arguments)])
    try:
        settings = _settings(given)
        if folder is not None:
            _check_resumed(_settings(parser.parse_args(began)), settings)
        return settings, folder
    except ValueError as error:
        parser.error(str(error))


RESUMABLE = (
    "ppo.total_decisions",
    "evaluation.every",
    "evaluation.final_deals",
    "run.threads",
    "run.checkpoint_every",
    "run.max_minutes",
)
"""Settings that a resumed run may change: how long it goes on, and how often it is judged; not by what measure."""


def _check_resumed(began: TrainConfig, given: TrainConfig) -> None:
    """ValueError where a run would go on with settings that its record says it did not have."""
    then, now = asdict(began), asdict(given)
    for group in then:
        for key, value in then[group].items():
            name = f"{group}.{key}"
            if now[group][key] != value and name not in RESUMABLE:
                allowed = ", ".join(RESUMABLE)
                raise ValueError(f"--resume: {name}={now[group][key]!r}, the run has {value!r}; allowed are {allowed}")


def _settings(given: Namespace) -> TrainConfig:
    for group in (each.name for each in fields(TrainConfig)):
        if not isinstance(given[group], Namespace):
            raise ValueError(f"{group}={given[group]!r}: allowed are its settings, as --help lists them")
    return TrainConfig(
        env=EnvConfig(**given.env.as_dict()),
        network=NetworkConfig(**given.network.as_dict()),
        ppo=PPOConfig(**given.ppo.as_dict()),
        imitation=ImitationConfig(**given.imitation.as_dict()),
        league=LeagueConfig(**given.league.as_dict()),
        evaluation=EvaluationConfig(**given.evaluation.as_dict()),
        run=RunConfig(**given.run.as_dict()),
    )


def write_settings(folder: Path, config: TrainConfig) -> None:
    """Write every setting, as YAML that `--config` takes."""
    plain = json.loads(json.dumps(asdict(config)))
    write_text(folder / CONFIG_FILE, yaml.safe_dump(plain, sort_keys=False))


def read_settings(path: Path) -> tuple[dict[str, dict[str, Any]], EnvConfig]:
    """Read what `write_settings` wrote, perhaps of an earlier version: settings by group, and those of the game.

    Raises:
        ValueError: the file is no such one.
    """
    try:
        groups = yaml.safe_load(path.read_text(encoding="utf-8"))
        flat(groups)  # fails unless there are groups of settings
        return groups, EnvConfig(**groups["env"])
    except (AttributeError, KeyError, TypeError, UnicodeDecodeError, ValueError, yaml.YAMLError) as error:
        why = " ".join(str(error).split())  # what YAML says has lines
        raise ValueError(f"{path} has no settings of a run: {why}") from error


def flat(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Settings by their names with a dot, such as `ppo.lr`."""
    return {f"{group}.{name}": value for group, part in groups.items() for name, value in part.items()}


def defaults() -> dict[str, Any]:
    """Every setting as it is when left out, by its name with a dot; as YAML gives it, where a tuple is a list."""
    return flat(json.loads(json.dumps(asdict(TrainConfig()))))


def changed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of these settings, by their names with a dot, that are not as they are when left out."""
    usual = defaults()
    return {name: value for name, value in settings.items() if name not in usual or value != usual[name]}
