"""Shipping: the policy of a finished run becomes one that comes with cardenvs, with a record of how it was made."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cardenvs
from cardenvs.files import to_json, write_atomic, write_text
from cardenvs.spec import Game
from training import checkpoint
from training.config import CONFIG_FILE, changed, flat, read_settings
from training.evaluation import table
from training.ratings import snapshot_name
from training.records import LOG_FILE, began, read_log, with_nan
from training.report import RESULT_FILE, read_result

LIMIT = 500_000
"""Bytes of a shipped policy, at most: everybody who installs cardenvs gets it."""

_TOLD = (
    "variant", "options", "command", "seed", "decisions", "training_seconds", "device", "threads", "processes", "found",
)  # fmt: skip
"""What a record has of the result of a run."""

_SCRIPT = "scripts/train.py"
_CONFIGURED = re.compile(r"--config[ =]configs/[\w.-]+\.yaml")
_OWN = re.compile(
    r"(?<![\w.])[/~]|\\|(?<!\S)--config(?![ =]configs/[\w.-]+\.yaml(?!\S))|(?<!\S)--(run|run\.folder|resume)(?![\w.])"
)
"""In a command: paths that begin at a root or a home, configurations from elsewhere, and folders of runs."""

PAGE = "README.md"
"""Beside the shipped policies: their records, for people."""

_HEAD = """# Policies

Trained by self-play, shipped as data, and loaded by name: `training.load_policy("rummy")` in Python, `policy:rummy` for
`scripts/evaluate.py`. They need the extra `train`.

The name is the game's, without its version: `rummy` plays `rummy_v0` with its default number of players, `rummy_3p`
with three. A word after that tells those apart that were made otherwise, such as under other rules.

`NAME.pt` has what playing needs, `NAME.json` how it was made and judged, with every setting. `python scripts/ship.py
RUN_FOLDER NAME` writes both from a finished run, and this page from all of them: change nothing here by hand.
"""


def ship(run: Path, name: str, replace: bool = False) -> Path:
    """Make a finished run's policy one that is shipped under this name.

    What is copied is the very policy that the run's last evaluation judged, weights and all: it plays the same.

    Args:
        run: its folder.
        name: as `checked_name` allows it.
        replace: one that was there under this name makes room.

    Returns:
        The file of the policy.

    Raises:
        ValueError: the run is no finished one, or played otherwise than a shipped policy does; the name is not one for
            its game, or is taken; the file is too large.
    """
    result, settings = _finished(run)
    source = run / "snapshots" / f"{snapshot_name(result['decisions'])}.pt"
    if not source.is_file():
        raise ValueError(f"{run}: {source} is missing, which its last evaluation judged; allowed is a finished run")
    if settings["evaluation"]["sample"]:
        raise ValueError(f"{run}: evaluation.sample=True: allowed is False, as shipped policies play the most probable")
    game = checkpoint.load_policy(source).game
    if (result["variant"], result["options"]) != (game.id, game.options):
        raise ValueError(f"{run / RESULT_FILE} is not of {source}: allowed is what its last evaluation wrote of {game}")
    if checked_name(name, game) in checkpoint.shipped() and not replace:
        raise ValueError(f"name={name!r}: one is shipped already; allowed is {name}_<word>, or --replace true")
    size = source.stat().st_size
    if size > LIMIT:
        raise ValueError(
            f"{source}: {size} bytes: allowed are {LIMIT}; a smaller network.width or network.hidden helps"
        )
    told = to_json(_record(result, settings), indent=2) + "\n"
    text = page({name: _read(told)})
    # All that may fail has been done: no weights are left beside the record of others.
    target = checkpoint.POLICIES / f"{name}.pt"
    write_atomic(target, lambda file: shutil.copyfile(source, file))
    write_text(target.with_suffix(".json"), told)
    write_text(checkpoint.POLICIES / PAGE, text)
    return target


def checked_name(name: str, game: Game) -> str:
    """The name, if it is one for policies of this game.

    That is the game without its version, and the number of players where that is not the default; then, where they
    differ from the variant's own, a word for the rules. The reward is none of them: the game is played alike.

    Raises:
        ValueError: it is another one.
    """
    plain = re.sub(r"_v\d+$", "", game.id)
    if game.num_players != cardenvs.make_game(game.id).num_players:
        plain += f"_{game.num_players}p"
    usual = cardenvs.make_game(game.id, num_players=game.num_players, reward=game.options["reward"])
    allowed = [plain] if game.options == usual.options else []
    if name not in allowed and not re.fullmatch(rf"{plain}_[a-z][a-z0-9_]*", name):
        raise ValueError(f"name={name!r}: allowed for {game} are {', '.join([*allowed, f'{plain}_<word>'])}")
    return name


def record(name: str) -> dict[str, Any]:
    """How a shipped policy was made and judged; `found` is as `training.evaluation.against_bots` gives it."""
    return _read((checkpoint.POLICIES / f"{name}.json").read_text(encoding="utf-8"))


def _read(text: str) -> dict[str, Any]:
    content = json.loads(text)
    content["found"] = with_nan(content["found"])
    return content


def page(new: Mapping[str, dict[str, Any]] | None = None) -> str:
    """All records, for people.

    Args:
        new: by name, those that are about to be shipped, beside or in the place of those that are.
    """
    new = new or {}
    names = sorted({*checkpoint.shipped(), *new})
    sections = [_section(name, new.get(name) or record(name)) for name in names]
    return "\n".join([_HEAD, *(sections or ["So far none are shipped.\n"])])


def _finished(run: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the last evaluation of a run wrote, with how the run began, and its settings."""
    for name in (RESULT_FILE, CONFIG_FILE):
        if not (run / name).is_file():
            raise ValueError(f"{run}: there is no {name} in it; allowed is the folder of a finished run")
    result, (settings, _) = read_result(run / RESULT_FILE), read_settings(run / CONFIG_FILE)
    if missing := [key for key in _TOLD if key not in result]:
        raise ValueError(f"{run / RESULT_FILE} is no result of a run as of now: it has no {', '.join(missing)}")
    if missing := [key for key in ("evaluation.sample", "run.seed") if key not in flat(settings)]:
        raise ValueError(f"{run / CONFIG_FILE} has no settings of a run: it has no {', '.join(missing)}")
    return {**result, **began(read_log(run / LOG_FILE))}, settings


def _record(result: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    # Where the run lay says nothing of the policy.
    ran = {key: value for key, value in settings["run"].items() if key not in ("name", "folder")}
    return {
        "cardenvs": cardenvs.__version__,
        **{key: result[key] for key in _TOLD},
        "command": _command(result["command"], settings, result["processes"]),
        "settings": {**settings, "run": ran},
    }


def _command(first: str, settings: dict[str, dict[str, Any]], processes: int) -> str:
    """What makes such a policy anywhere: the command that began the run, or one that gives every setting.

    The first where it names no more than a configuration of this project and settings: a run's folder and other paths
    are somebody's own.
    """
    processed = ["torchrun", "--nproc-per-node", str(processes)] if processes > 1 else []
    _, script, *given = [*shlex.split(first), "", ""]
    if script == _SCRIPT and _CONFIGURED.search(first) and not _OWN.search(" ".join(given)):
        return shlex.join([*processed, *shlex.split(first)[1:]]) if processed else first
    words = [*(processed or ["python"]), _SCRIPT]
    for name, value in changed(flat(settings)).items():
        if name not in ("run.name", "run.folder"):
            words += [f"--{name}", value if isinstance(value, str) else json.dumps(value)]
    return shlex.join(words)


def _section(name: str, told: dict[str, Any]) -> str:
    options = told["options"]
    usual = cardenvs.make_game(told["variant"], num_players=options["num_players"]).options
    other = "".join(f", {key}={value!r}" for key, value in options.items() if value != usual.get(key))
    return f"""## `{name}`

`{told["variant"]}`, {options["num_players"]} players{other}: {told["decisions"]:,} decisions in \
{told["training_seconds"] / 60:.1f} minutes of training ({told["device"]}), seed {told["seed"]}, cardenvs \
{told["cardenvs"]}.

```
{told["command"]}
```

{max((row["deals"] for row in told["found"]), default=0):,} deals from every seat, with 95 % intervals:

```
{table(told["found"])}
```
"""
