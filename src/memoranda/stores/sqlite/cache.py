"""Working memory in the store's own SQLite file.

A commit does not wait for the disk, so reads and writes run on the event loop. A write that finds the database locked,
as by a store waiting for the disk, is repeated in a thread. Checkpoints of the write-ahead log run in a thread too,
on a connection that does wait for the disk: a checkpoint that did not would undo the durability of the store's commits.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from types import MappingProxyType

from memoranda.core.rows.cells import Cell, Content, Place, check_versions
from memoranda.core.rows.rowset import EPOCH
from memoranda.errors import StoreCorruptError, StoreUnavailableError
from memoranda.stores.sqlite.codec import from_time
from memoranda.stores.sqlite.faults import translated
from memoranda.stores.sqlite.identity import Identity
from memoranda.stores.sqlite.schema import connect, insist, queries

_NAP = 0.003  # seconds between attempts to take the lock
_CHECKPOINT = 250  # writes between checkpoints of the write-ahead log
_SQL = queries()


class SqliteCache:
    """`ports.Cache` in a file created by a `SqliteStore`; open it with `open`."""

    def __init__(self, path: str, reader: sqlite3.Connection, writer: sqlite3.Connection) -> None:
        self._path = path
        self._reader = reader
        self._writer = writer
        self._writing = Lock()
        self._written = 0
        self._open = True
        self._file = Identity(path)

    @classmethod
    def open(cls, path: str | Path) -> "SqliteCache":
        """Open the cache in the file at `path`."""
        with translated(str(path)):
            reader = connect(str(path), query_only="ON")
            reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # opens the write-ahead log
            pragmas = {"synchronous": "NORMAL", "secure_delete": "ON", "wal_autocheckpoint": "0", "busy_timeout": "0"}
            return cls(str(path), reader, connect(str(path), **pragmas))

    async def read(self, place: Place) -> Content:
        self._check_open()
        with translated(self._path):
            rows = self._reader.execute(_SQL["read_cells"], place).fetchall()
        cells, written = {}, None
        try:
            for name, text, version, expires, at in rows:
                if name:
                    cells[name] = Cell(text, version, None if expires is None else EPOCH + timedelta(0, 0, expires))
                else:
                    written = EPOCH + timedelta(0, 0, at)
        except (OverflowError, TypeError) as error:
            fault = f"a time in the working memory of {place.user} cannot be read ({error})"
            raise StoreCorruptError(f"{self._path}: {fault}: memoranda doctor --repair.") from error
        return Content(cells, written)

    async def write(
        self,
        place: Place,
        cells: Mapping[str, Cell | None],
        at: datetime,
        *,
        expect: Mapping[str, str | None] = MappingProxyType({}),
        keep: timedelta | None = None,  # noqa: ARG002 - cells stay until the place is emptied
    ) -> None:
        self._check_open()
        self._file.check()
        if not self._at_once(place, cells, at, expect):
            await asyncio.to_thread(self._in_turn, place, cells, at, expect)
        self._written += 1
        if not self._written % _CHECKPOINT:
            await asyncio.to_thread(self._checkpoint)

    async def idle(
        self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None
    ) -> Sequence[Place]:
        self._check_open()
        asked = {"tenant": tenant, "before": from_time(before), "user": user, "limit": -1 if limit is None else limit}
        with translated(self._path):
            return [Place(*row) for row in self._reader.execute(_SQL["idle_places"], asked).fetchall()]

    async def close(self) -> None:
        with self._writing:
            self._open = False
            self._reader.close()
            self._writer.close()

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailableError(f"{self._path} was closed: open it again.")

    def _at_once(
        self, place: Place, cells: Mapping[str, Cell | None], at: datetime, expect: Mapping[str, str | None]
    ) -> bool:
        """Write, and return True; return False if another writer holds the lock."""
        if not self._writing.acquire(blocking=False):
            return False
        try:
            with translated(self._path), self._writer as connection:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                        raise
                    return False
                _write(connection, place, cells, at, expect)
                return True
        finally:
            self._writing.release()

    def _in_turn(
        self, place: Place, cells: Mapping[str, Cell | None], at: datetime, expect: Mapping[str, str | None]
    ) -> None:
        with self._writing:
            self._check_open()
            with translated(self._path), self._writer as connection:
                insist(connection, "BEGIN IMMEDIATE", _NAP)
                _write(connection, place, cells, at, expect)

    def _checkpoint(self) -> None:
        with translated(self._path), closing(connect(self._path, synchronous="NORMAL")) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _write(
    connection: sqlite3.Connection,
    place: Place,
    cells: Mapping[str, Cell | None],
    at: datetime,
    expect: Mapping[str, str | None],
) -> None:
    found = (connection.execute(_SQL["cell_version"], (*place, name)).fetchone() for name in expect)
    check_versions(place, expect, dict(filter(None, found)))
    rows = [
        (*place, name, cell.text, cell.version, None if cell.expires is None else from_time(cell.expires), None)
        for name, cell in cells.items()
        if cell is not None
    ]
    connection.executemany(_SQL["put_cell"], [*rows, (*place, "", "", "", None, from_time(at))])
    gone = [(*place, name) for name, cell in cells.items() if cell is None]
    if gone:
        connection.executemany(_SQL["drop_cell"], gone)
    if gone or not rows:
        connection.execute(_SQL["drop_place"], place)
