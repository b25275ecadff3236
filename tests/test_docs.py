"""The documentation pages of the variants against the games themselves; the script that writes them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from cardenvs.games import VARIANTS

ROOT = Path(__file__).parent.parent


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_script", ROOT / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


docs = load_script()


def source(id: str) -> str:
    path = ROOT / "cardenvs" / f"{id}.py"
    assert path.is_file(), f"{id} has no page: write {path} after the pages of the other variants, then {docs.COMMAND}"
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("id", VARIANTS)
def test_the_page_of_a_variant_says_what_the_game_is(id: str) -> None:
    """Headings, tables, and every clause that is cited; the message has the command that rewrites the tables."""
    assert docs.faults(source(id), VARIANTS[id]) == []


@pytest.mark.parametrize("id", VARIANTS)
def test_a_page_is_a_docstring(id: str) -> None:
    page = importlib.import_module(f"cardenvs.{id}").__doc__
    assert page is not None
    assert page.startswith(f"{VARIANTS[id].title}: ")
    assert VARIANTS[id].game().observation.table() in page


@pytest.mark.parametrize("id", VARIANTS)
def test_drift_is_found_and_put_right(id: str) -> None:
    text, variant = source(id), VARIANTS[id]
    for old, new in (("| draw_stock | 0 |", "| draw_stock | 1 |"), ("| num_players |", "| players |")):
        drifted = text.replace(old, new, 1)
        assert drifted != text
        assert docs.faults(drifted, variant) == [f"its tables differ from the game: {docs.COMMAND}"]
        assert docs.filled(drifted, variant) == text


def test_a_page_without_its_parts_is_refused() -> None:
    text, variant = source("rummy_v0"), VARIANTS["rummy_v0"]
    assert "headings" in docs.faults(text.replace("## Rewards", "## Payment"), variant)[0]
    with pytest.raises(ValueError, match="0 blocks from `<!-- sizes -->`"):
        docs.filled(text.replace("<!-- sizes -->", ""), variant)
    unexplained = re.sub(r"^- G5 .*\n.*$", "", text, flags=re.MULTILINE)
    assert docs.faults(unexplained, variant) == ["it cites clauses that its rules lack: G5"]


def test_a_page_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, page = source("rummy_v0"), tmp_path / "rummy_v0.py"
    page.write_text(text.replace("| draw_top | 1 |", "| draw_top | 7 |"), encoding="utf-8")
    docs.rewrite(page, VARIANTS["rummy_v0"])
    assert page.read_text(encoding="utf-8") == text
    assert "written" in capsys.readouterr().out
    docs.rewrite(page, VARIANTS["rummy_v0"])
    assert capsys.readouterr().out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["rummy_v0.py"]
