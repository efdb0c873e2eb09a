"""Reads the files of a path: one file, the conversation files of a directory, or standard input."""

import codecs
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from memoranda.errors import FormatError, InputError, NotFoundError

_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
_LARGEST = 1 << 30  # bytes of a file; the largest exports have a few hundred million
_HEAD = 1 << 16  # bytes that show whether it is worth reading on
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)  # that of UTF-32 LE begins with UTF-16's


def read_files(path: str | Path, faults: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each file of `path`, with one file in memory at a time.

    `-` is standard input. In a directory, at any depth, the files named `conversations*` are read if there are any
    (exports put account data beside them), else every .json, .jsonl and .ndjson file. Hidden files are skipped.

    A file that is missing, unreadable, too large, or no regular file is added to `faults`, and the others are read.
    """
    if str(path) == "-":
        with _noted(faults, Path("stdin")):
            yield "stdin", _bounded("stdin", sys.stdin.buffer)
        return
    root = Path(path)
    files: list[Path] = []
    with _noted(faults, root):
        files = _conversation_files(root) if root.is_dir() else [_present(root)]
    for file in files:
        with _noted(faults, file):
            with file.open("rb") as stream:
                data = _bounded(str(file), stream)
            yield (root.name if file is root else file.relative_to(root).as_posix()), data


def _bounded(name: str, stream: BinaryIO) -> bytes:
    """Return what is in a stream, or only its head where that shows that it is no text of JSON."""
    head = stream.read(_HEAD)
    first = head.removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")[:1]
    if len(head) < _HEAD or not (head.startswith(_WIDE) or (first in {b"[", b"{"} and b"\0" not in head)):
        return head
    data = head + stream.read(_LARGEST + 1 - _HEAD)
    if len(data) > _LARGEST:
        raise FormatError(f"{name} has more than {_LARGEST:,} bytes, or no end. Split it and import the parts.")
    return data


def read_file(path: str) -> bytes:
    """Return the bytes of one file, or of standard input for `-`.

    Raises:
        NotFoundError: it is missing or unreadable.
    """
    try:
        with sys.stdin.buffer if path == "-" else Path(path).open("rb") as stream:
            return stream.read(_LARGEST)
    except (OSError, ValueError) as error:
        raise NotFoundError(
            f"There is no file {path} to be read ({error}): name one, or give - and pipe it in."
        ) from error


@contextmanager
def _noted(faults: list[str], path: Path) -> Iterator[None]:
    try:
        yield
    except (InputError, ValueError) as error:
        faults.append(str(error))
    except OSError as error:
        faults.append(f"{error.filename or path} cannot be read: {error.strerror or error}.")


def _present(path: Path) -> Path:
    if not path.exists():
        raise NotFoundError(f"There is no file or directory {path}. Check the path.")
    if not path.is_file():
        raise FormatError(
            f"{path} is no regular file; to import what a program writes, pipe it into memoranda import -."
        )
    return path


def _conversation_files(root: Path) -> list[Path]:
    files = sorted(
        file
        for file in root.rglob("*")
        if file.suffix.lower() in _SUFFIXES
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(root).parts)
    )
    exports = [file for file in files if file.name.startswith("conversations")]
    if not files:
        raise NotFoundError(f"{root} is a directory without .json, .jsonl or .ndjson files. Give one that has some.")
    return exports or files


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
