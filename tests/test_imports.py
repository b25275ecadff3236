"""The borders inside the project: the contracts of `pyproject.toml`, and which file may import which library."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted(
    path.relative_to(ROOT) for room in ("cardenvs", "training", "scripts") for path in (ROOT / room).rglob("*.py")
)
VARIANT_PAGE = re.compile(r"\w+_v\d+")


def imported(file: Path) -> Iterator[str]:
    """Dotted names of all that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers(library: str) -> set[str]:
    """The files that import a library or something in it."""
    return {file.as_posix() for file in FILES if any(f"{name}.".startswith(f"{library}.") for name in imported(file))}


def test_contracts_are_kept(tmp_path: Path) -> None:
    lint = f"lint_imports(no_logo=True, cache_dir={str(tmp_path)!r})"
    check = f"import sys; from importlinter.cli import lint_imports; sys.exit({lint})"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_has_its_room() -> None:
    """A file that the layers do not list would be free to import anything."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "rooms")
    rooms = {name for layer in layers for name in re.findall(r"\w+", layer)}
    files = {
        path.stem for path in (ROOT / "cardenvs").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert {file for file in files - rooms - {"__init__"} if not VARIANT_PAGE.fullmatch(file)} == set()


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("numba", {"cardenvs/_jit.py"}),
        ("pettingzoo", {"cardenvs/aec.py"}),
        ("gymnasium.vector", {"cardenvs/gym.py"}),
        ("cardenvs._jit.records", {"cardenvs/single.py", "cardenvs/vector.py"}),
        ("cardenvs.engine", {"cardenvs/bots.py", "cardenvs/single.py", "cardenvs/vector.py"}),
    ],
)
def test_library_has_one_door(library: str, allowed: set[str]) -> None:
    """So has the engine: games are stepped one at a time, or as a batch, and nowhere else."""
    assert importers(library) <= allowed


def test_torch_lives_in_training() -> None:
    assert {file for file in importers("torch") if not file.startswith("training/")} == set()


def test_nothing_stands_on_the_page_of_a_variant() -> None:
    """But for the package itself, which shows them."""
    pages = [file.stem for file in FILES if file.parent == Path("cardenvs") and VARIANT_PAGE.fullmatch(file.stem)]
    assert set().union(*(importers(f"cardenvs.{page}") for page in pages)) <= {"cardenvs/__init__.py"}


def test_games_import_without_what_training_needs() -> None:
    """`import cardenvs` alone must not pull in what only the extra `train` installs."""
    heavy = ("torch", "tensorboard", "jsonargparse", "matplotlib")
    check = f"import cardenvs, sys; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
