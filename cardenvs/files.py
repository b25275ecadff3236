"""Files that are written whole or not at all."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def check_target(name: str, path: Path) -> None:
    """ValueError, which calls it `name`, unless a file can be written there: asked before long work, not after."""
    try:
        if path.is_dir():
            raise IsADirectoryError("it is a folder")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ValueError(f"{name}={path}: allowed is a file in a folder that can be written to ({error})") from error


def write_atomic(path: Path, write: Callable[[Path], object]) -> None:
    """Have `write` fill a new file beside `path`, then put it in its place: no reader ever sees half a file."""
    scratch = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        write(scratch)
        with open(scratch, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    write_atomic(path, lambda file: file.write_text(text, encoding="utf-8"))


def to_json(content: Any, indent: int | None = None) -> str:
    """Plain values as JSON; NaN and the infinities, which JSON cannot say, become null."""
    return json.dumps(_finite(content), indent=indent, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
