"""Train a policy by self-play: `python scripts/train.py --config configs/rummy_2p.yaml`; `--help` lists settings.

In several processes: `torchrun --nproc-per-node 2 scripts/train.py --config configs/rummy_2p.yaml`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

# Before torch is loaded: idle threads sleep instead of spinning. Where another program is busy too, spinning makes the
# arithmetic several times slower; where none is, sleeping costs next to nothing.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from training.config import parse_settings
from training.parallel import Group, join
from training.ppo import NonFiniteError
from training.train import Run, crowded, new_folder


def main() -> int:
    """Run the command; returns its exit status."""
    # Ctrl-C and a polite kill are the same, before the run takes care of them as well.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config, resumed = parse_settings()
    folder, group = resumed, Group()
    try:
        with join() as group:
            folder = folder or group.of_first(lambda: new_folder(config.run))
            if group.first:
                _say(f"Preparing {config.env.variant}; what is not compiled yet takes minutes, once")
            run = Run(config, folder, resume=resumed is not None, group=group)
            if group.first:
                _say(f"{'Resuming' if resumed else 'Training'} {run.game.id} in {folder} ({run.device})")
                if group.size == 1 and (warning := crowded()):
                    print(warning, file=sys.stderr)
            found = run.train()
    except (ValueError, KeyboardInterrupt) as error:
        if group.first and folder is not None and not any(folder.iterdir()):
            folder.rmdir()
        if isinstance(error, ValueError):
            print(f"error: {error}", file=sys.stderr)
            return 2
        return _stopped(folder, group)
    except NonFiniteError as error:
        if group.first:
            print(f"error: {error}; the batch is in {folder / 'nonfinite.pt'}", file=sys.stderr)
        return 3
    if found is None:
        return _stopped(folder, group)
    if group.first:
        _say(run.report(found))
    return 0


def _stopped(folder: Path | None, group: Group) -> int:
    """The first of the processes says how to go on; returns the exit status."""
    if group.first:
        saved = folder is not None and (folder / "checkpoint.pt").is_file()
        start = "python" if group.size == 1 else f"torchrun --nproc-per-node {group.local_size}"
        _say(f"Stopped. Go on with: {start} scripts/train.py --resume {folder}" if saved else "Stopped.")
    return 130


def _say(text: str) -> None:
    """Print it at once. That nobody can read it any more is no failure of the run."""
    try:
        print(text, flush=True)
    except OSError:
        # Python would try once more as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
