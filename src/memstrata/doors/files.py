"""The files a path stands for: one file, the conversation files of a directory, or standard input."""

import sys
from collections.abc import Iterator
from pathlib import Path

from memstrata.errors import InputError, NotFoundError

_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})


def read_files(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """The name and bytes of each file that `path` stands for, one in memory at a time.

    `-` is standard input. Of a directory, at any depth, the `conversations*.json` are read where there are any
    (exports put account data beside them), else every .json, .jsonl and .ndjson; hidden files are not.

    Raises:
        NotFoundError: there is no such file, or the directory holds none of these.
        InputError: it may not be read.
    """
    if str(path) == "-":
        yield "stdin", sys.stdin.buffer.read()
        return
    root = Path(path)
    try:
        if not root.exists():
            raise NotFoundError(f"There is no file or directory {path}. Check the path.")
        if not root.is_dir():
            yield root.name, root.read_bytes()
            return
        for file in _conversation_files(root):
            yield file.relative_to(root).as_posix(), file.read_bytes()
    except OSError as error:
        raise InputError(f"{error.filename or path} cannot be read: {error.strerror or error}.") from error


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
