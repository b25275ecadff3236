"""Write the golden playthroughs of tests/golden that are missing: `python scripts/write_golden.py [--all]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Write the files and name them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="write all anew: the games have changed, and say so")
    arguments = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from suites import golden

    for file in golden.write_missing(arguments.all):
        print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
