"""Check the tables in the documentation pages of the variants against the games, or write them anew.

A variant's page is the docstring of its module, `cardenvs/<id>.py`. What stands in it between `<!-- name -->` and
`<!-- /name -->` is made here from the live game: `python scripts/docs.py` checks, `--write` rewrites.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from jsonargparse import ArgumentParser

from cardenvs.files import write_text
from cardenvs.games import VARIANTS
from cardenvs.spec import Option, Variant

FOLDER = Path(__file__).parent.parent / "cardenvs"
COMMAND = "python scripts/docs.py --write"
HEADINGS = ("Rules", "Actions", "Observation", "Rewards", "Options", "Version history")
"""Of every page, in this order."""


def _default(option: Option) -> str:
    """The value of an option that is not given, for people."""
    return ", ".join(f"{k}: {v}" for k, v in option.default.items()) if option.table else repr(option.default)


def _allowed(option: Option) -> str:
    """What an option takes, for people."""
    if option.choices:
        allowed = ", ".join(f"`{choice!r}`" for choice in option.choices)
    elif option.table:
        allowed = f"dict, {option.low} to {option.high}"
    else:
        allowed = f"{option.low} to {option.high}"
    return f"{allowed}, None" if option.default is None else allowed


def options_table(variant: Variant) -> str:
    """Markdown table of all keywords of the variant's `env`."""
    rows = ["| option | default | allowed | meaning |", "|---|---|---|---|"]
    rows += [
        f"| {option.name} | `{_default(option)}` | {_allowed(option)} | {option.doc} |"
        for option in (*variant.common_options, *variant.options)
    ]
    rows += [
        "| skip_forced | `False` | `False`, `True` | decisions with one legal action are played by themselves |",
        "| render_mode | `None` | `None`, `'human'`, `'ansi'` | the table is printed, or given as text |",
    ]
    return "\n".join(rows)


def sizes_table(variant: Variant) -> str:
    """Markdown table of the sizes of both spaces by number of players."""
    games = [variant.game(num_players=n) for n in range(variant.players[0], variant.players[1] + 1)]
    columns = [("players", "actions", "observation")]
    columns += [(str(g.num_players), str(g.num_actions), str(g.observation_size)) for g in games]
    rows = [f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True)]
    return "\n".join([rows[0], f"|{'---|' * len(columns)}", *rows[1:]])


def reward_scale(variant: Variant) -> str:
    """A sentence on the unit of reward."""
    game = variant.game()
    return (
        f"One unit of reward is {game.score_scale:g} points (`game.score_scale`). With the default options an illegal\n"
        f"action in `env` pays {game.illegal_reward:g}, worse than any loss."
    )


def blocks(variant: Variant) -> dict[str, str]:
    """What is made from the live game, by the name of its markers."""
    game = variant.game()
    return {
        "actions": game.actions.table(),
        "sizes": sizes_table(variant),
        "observation": game.observation.table(),
        "rewards": reward_scale(variant),
        "options": options_table(variant),
    }


def filled(text: str, variant: Variant) -> str:
    """The source of a page with its tables made anew; ValueError for markers that are missing or repeated."""
    for name, block in blocks(variant).items():
        found = list(re.finditer(rf"<!-- {name} -->\n.*?<!-- /{name} -->", text, re.DOTALL))
        if len(found) != 1:
            raise ValueError(f"{len(found)} blocks from `<!-- {name} -->` to `<!-- /{name} -->`; allowed is 1")
        start, end = found[0].span()
        text = f"{text[:start]}<!-- {name} -->\n{block}\n<!-- /{name} -->{text[end:]}"
    return text


def faults(text: str, variant: Variant) -> list[str]:
    """What is wrong with the source of a page; ValueError for markers that are missing or repeated."""
    page = ast.get_docstring(ast.parse(text)) or ""
    found = re.findall(r"^## (.*)$", page, re.MULTILINE)
    if found != list(HEADINGS):
        return [f"its headings are {found}; they should be {list(HEADINGS)}"]
    wrong = [] if filled(text, variant) == text else [f"its tables differ from the game: {COMMAND}"]
    rules = page.split("## Actions")[0]
    explained = set(re.findall(r"^- ([A-Z]\d+)", rules, re.MULTILINE))
    cited = set(re.findall(r"\b[A-Z]\d+\b", page.removeprefix(rules)))
    if cited - explained:
        wrong.append(f"it cites clauses that its rules lack: {', '.join(sorted(cited - explained))}")
    return wrong


def rewrite(path: Path, variant: Variant) -> None:
    """Make the tables of a page anew; ValueError for markers that are missing or repeated."""
    text = path.read_text(encoding="utf-8")
    new = filled(text, variant)
    if new != text:
        write_text(path, new)
        print(f"{path}: written")


def main() -> int:
    """Run the command; returns its exit status."""
    parser = ArgumentParser(prog="docs.py", description="Check the tables in the pages of the variants.")
    parser.add_argument("--write", action="store_true", help="Rewrite the tables that differ from the games.")
    write, wrong = parser.parse_args().write, 0
    for id, variant in VARIANTS.items():
        path = FOLDER / f"{id}.py"
        try:
            if write:
                rewrite(path, variant)
            found = faults(path.read_text(encoding="utf-8"), variant)
        except (OSError, ValueError) as error:
            found = [str(error)]
        for fault in found:
            print(f"{path}: {fault}", file=sys.stderr)
        wrong += len(found)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
