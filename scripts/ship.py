"""Ship a finished run's policy with cardenvs: `python scripts/ship.py runs/rummy_2p rummy`."""

from __future__ import annotations

import sys
from pathlib import Path

from jsonargparse import ArgumentParser

from training.shipping import PAGE, ship


def main() -> int:
    """Run the command; returns its exit status."""
    parser = ArgumentParser(prog="ship.py", description="Ship a finished run's policy with cardenvs.")
    parser.add_argument("run", type=Path, help="Folder of a finished run.")
    parser.add_argument("name", type=str, help="Of the policy: rummy, rummy_3p, rummy_<word>.")
    parser.add_argument("--replace", type=bool, default=False, help="One that has that name makes room.")
    settings = parser.parse_args()
    try:
        file = ship(settings.run, settings.name, settings.replace)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{file} ({file.stat().st_size:,} bytes)  {file.with_suffix('.json')}  {file.with_name(PAGE)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
