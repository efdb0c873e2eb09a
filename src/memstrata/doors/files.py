"""Reads the files of a path: one file, the conversation files of a directory, or standard input."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memstrata.errors import NotFoundError

_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})


def read_files(path: str | Path, faults: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each file of `path`, with one file in memory at a time.

    `-` is standard input. In a directory, at any depth, the files named `conversations*` are read if there are any
    (exports put account data beside them), else every .json, .jsonl and .ndjson file. Hidden files are skipped.

    A file that is missing or unreadable is added to `faults`, and the others are read.
    """
    if str(path) == "-":
        yield "stdin", sys.stdin.buffer.read()
        return
    root = Path(path)
    files: list[Path] = []
    with _noted(faults, root):
        files = _conversation_files(root) if root.is_dir() else [_present(root)]
    for file in files:
        with _noted(faults, file):
            yield (root.name if file is root else file.relative_to(root).as_posix()), file.read_bytes()


def read_file(path: str) -> bytes:
    """Return the bytes of one file, or of standard input for `-`.

    Raises:
        NotFoundError: it is missing or unreadable.
    """
    faults: list[str] = []
    for _, data in read_files(path, faults):
        return data
    raise NotFoundError(faults[0])


@contextmanager
def _noted(faults: list[str], path: Path) -> Iterator[None]:
    try:
        yield
    except NotFoundError as error:
        faults.append(str(error))
    except OSError as error:
        faults.append(f"{error.filename or path} cannot be read: {error.strerror or error}.")


def _present(path: Path) -> Path:
    if not path.exists():
        raise NotFoundError(f"There is no file or directory {path}. Check the path.")
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
