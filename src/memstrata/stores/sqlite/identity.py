"""Tells whether a path still names the file that was opened.

SQLite goes on writing to a file that was deleted or replaced meanwhile: it would acknowledge what is lost on closing.
"""

from collections.abc import Sequence
from pathlib import Path

from memstrata.errors import StoreUnavailableError


class Identity:
    """Which file, and which write-ahead log beside it, a path named when they were opened."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known = self._files()

    def check(self) -> None:
        """Refuse if one of them was deleted or replaced.

        Raises:
            StoreUnavailableError: it was, with what to do.
        """
        if self._files() != self._known:
            raise StoreUnavailableError(
                f"{self._path}: the file, or the -wal beside it, was deleted or replaced while it was open; nothing of "
                "this call was written. Put it back or restore a backup, and open it again."
            )

    def _files(self) -> Sequence[tuple[int, int] | None]:
        """Device and inode of both; None for what is not there."""
        return [_named(self._path), _named(f"{self._path}-wal")]


def _named(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
