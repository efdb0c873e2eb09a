"""Translates PostgreSQL's errors to memoranda's."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from memoranda.errors import (
    ConflictError,
    IsolationError,
    MemorandaError,
    SpaceError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

#: The first class that matches is used, so subclasses come before their base classes.
_MEANINGS: Mapping[type[psycopg.Error], tuple[type[MemorandaError], str]] = {
    PoolTimeout: (StoreUnavailableError, "No connection to be had; is the server up, and pool_size large enough?"),
    errors.DiskFull: (StoreFullError, "The database's disk is full; free space there."),
    errors.ReadOnlySqlTransaction: (StoreReadOnlyError, "The database only reads; connect to the primary."),
    errors.SerializationFailure: (ConflictError, "Somebody else wrote first; read again and retry."),
    errors.DeadlockDetected: (ConflictError, "Somebody else wrote first; read again and retry."),
    errors.LockNotAvailable: (ConflictError, "Somebody else is writing; retry."),
    errors.InsufficientPrivilege: (IsolationError, "The role memstrata_app may not do this; was a grant changed?"),
    errors.UndefinedTable: (StoreCorruptError, "A table is gone; restore it from a backup."),
    errors.UndefinedObject: (StoreCorruptError, "A table, whose rows are a type, is gone; restore it from a backup."),
    errors.UndefinedColumn: (
        StoreCorruptError,
        "A column is gone: if a newer memoranda opened this schema, restart with it; else restore the table.",
    ),
    errors.UndefinedFunction: (StoreCorruptError, "A function is gone; restore the schema from a backup."),
    errors.DataCorrupted: (StoreCorruptError, "The database's files are damaged; restore a backup."),
    errors.IndexCorrupted: (StoreCorruptError, "An index is damaged; run REINDEX DATABASE."),
    errors.ProgramLimitExceeded: (StoreError, "A name or value is too long; nothing of the call was written."),
    psycopg.OperationalError: (
        StoreUnavailableError,
        "The database cannot be reached, or went away: mend what it says, then try again.",
    ),
    psycopg.InterfaceError: (StoreUnavailableError, "The connection was lost; try again."),
    psycopg.DataError: (StoreError, "A value cannot be stored, or read; nothing of the call was written."),
    psycopg.Error: (StoreError, "The database refused; nothing of the call was written."),
}


@contextmanager
def mapped() -> Iterator[None]:
    """Turn psycopg errors raised inside into `memoranda.errors`."""
    try:
        yield
    except psycopg.Error as error:
        raise meaning(error) from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise StoreError(f"{_MEANINGS[psycopg.DataError][1]} ({error})") from error


def meaning(error: psycopg.Error) -> MemorandaError:
    """Return the memoranda error for `error`, saying what to do and what the database said."""
    if type(error) is errors.DataException and "halfvec dimensions" in str(error):
        return SpaceError(f"Vectors of two lengths would be compared: {error}.")
    fits = next(kind for kind in _MEANINGS if isinstance(error, kind))
    kind, remedy = _MEANINGS[fits]
    return kind(f"{remedy} PostgreSQL says: {str(error).strip() or type(error).__name__}")
