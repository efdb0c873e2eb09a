"""Writes files atomically."""

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memoranda.errors import InputError


def write_lines(path: Path, rows: Iterable[Any]) -> int:
    """Write `rows` as JSON lines, as `write_whole` does, and return their number."""
    return write_whole(path, (json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_whole(path: Path, texts: Iterable[str]) -> int:
    """Write texts to the file at `path`, which appears or is replaced only when all are on disk; return their number.

    A link is followed. Anything but a regular file is refused: replacing a device removes it for the whole machine.

    Raises:
        InputError: the file cannot be written; what was there before is unchanged.
    """
    count = 0
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise InputError(f"{path} is no file: name one, or leave the name out for standard output.")
        with tempfile.NamedTemporaryFile(
            "w", dir=target.parent, prefix=f".{target.name}.", encoding="utf-8", delete=False
        ) as file:
            try:
                for text in texts:
                    file.write(text)
                    count += 1
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(target)
            finally:
                Path(file.name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
    return count
