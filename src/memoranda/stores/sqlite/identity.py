"""Tells whether a path still names the file that was opened.

SQLite goes on writing to a file that was deleted or replaced meanwhile: it would acknowledge what is lost on closing.
"""

import os
from collections.abc import Sequence

from memoranda.errors import StoreUnavailableError


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
        if not self._known or self._files() != self._known:
            raise StoreUnavailableError(
                f"{self._path}: the file, or the -wal beside it, was deleted or replaced while it was open; nothing of "
                "this call was written. Put it back or restore a backup, and open it again."
            )

    def _files(self) -> Sequence[tuple[int, int]]:
        """Device and inode of both; none if one is not there."""
        try:
            return [(found.st_dev, found.st_ino) for found in map(os.stat, (self._path, f"{self._path}-wal"))]
        except OSError:
            return []
