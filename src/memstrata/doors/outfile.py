"""Files written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memstrata.errors import InputError


def write_lines(path: Path, rows: Iterable[Any]) -> int:
    """Write `rows` as JSON lines, as `write_whole` does; how many they are."""
    return write_whole(path, (json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_whole(path: Path, texts: Iterable[str]) -> int:
    """Write texts, one after the other; the file at `path` appears, or is replaced, when all are on the disk.

    A link is followed. What is no file is left alone: to put one in the place of a device would take it away from
    the whole machine.

    Raises:
        InputError: it cannot be written; what was there before is untouched.
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
