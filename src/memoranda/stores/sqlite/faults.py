"""Translates SQLite's errors to memoranda's."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError

from memoranda.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

_FAULTS: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreUnavailableError, "another process kept it locked; try again, or end that process"),
    sqlite3.SQLITE_LOCKED: (StoreUnavailableError, "another process kept it locked; try again, or end that process"),
    sqlite3.SQLITE_READONLY: (StoreReadOnlyError, "it cannot be written; check the rights of the file and its folder"),
    sqlite3.SQLITE_PERM: (StoreReadOnlyError, "it cannot be written; check the rights of the file and its folder"),
    sqlite3.SQLITE_FULL: (
        StoreFullError,
        "no space is left; nothing of this call was written; free some and try again",
    ),
    sqlite3.SQLITE_CORRUPT: (StoreCorruptError, "its bytes are damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: (StoreCorruptError, "it is no SQLite database, or its head is damaged; restore a backup"),
    sqlite3.SQLITE_CANTOPEN: (
        StoreUnavailableError,
        "it cannot be opened; check that its folder exists and its rights",
    ),
    sqlite3.SQLITE_IOERR: (StoreUnavailableError, "the disk failed to read or write; check it and try again"),
}
_UNREAD = (StoreCorruptError, "a text in it is damaged; memoranda doctor --repair")
_GONE = (StoreCorruptError, "a part of its schema is gone; memoranda doctor says which, and what helps")


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn SQLite errors about the database at `path` into `memoranda.errors`."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
        other = _UNREAD if "Could not decode" in str(error) else (StoreError, "SQLite refused")
        fault, advice = _FAULTS.get(code, _GONE if "no such" in str(error) else other)
        raise fault(f"{path}: {advice} ({error}).") from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise StoreError(f"{path}: a value cannot be stored; nothing of this call was written ({error}).") from error
    except (UnicodeDecodeError, JSONDecodeError) as error:  # only damaged data cannot be decoded
        fault, advice = _FAULTS[sqlite3.SQLITE_CORRUPT]
        raise fault(f"{path}: {advice} ({error}).") from error
