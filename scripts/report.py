"""Write the reports of runs, finished or not: `python scripts/report.py runs/rummy_2p`; with --out, compare them."""

from __future__ import annotations

import sys
from pathlib import Path

from jsonargparse import ArgumentParser, Namespace

from training.compare import compare
from training.report import write_report


def parse_settings() -> Namespace:
    """Settings from the command line; exits with a message on an unknown one."""
    parser = ArgumentParser(
        prog="report.py",
        description="Write what came of a run into its folder, or compare runs at equal decisions: those that differ "
        "only in seed, name, folder or threads are pooled.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN_FOLDER", help="Folders of runs.")
    parser.add_argument(
        "--out", type=Path | None, help="Folder for a comparison of the runs, instead of their reports."
    )
    return parser.parse_args()


def main() -> int:
    """Run the command; returns its exit status."""
    settings = parse_settings()
    try:
        if settings.out is None:
            files = [file for folder in settings.runs for file in write_report(folder)]
        else:
            files = compare(settings.runs, settings.out)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(*files, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
