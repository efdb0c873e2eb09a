"""The store in one SQLite file.

How it works, and why:

* Everything below the public methods is synchronous. A write or a search is handed to a thread once, because it may
  wait for the disk. Reading a few rows by key takes 20 µs and the hand-over 100, so that runs on the event loop.
  One connection writes and a few read; in WAL mode readers continue during a write.
* A write takes SQLite's own lock first (`BEGIN IMMEDIATE`), then reads the owner's `seq`. So an owner's `seq` rises
  in commit order, even when several processes write, and a plan based on an older `seq` is refused before anything
  is written.
* "full" durability waits for the disk at each commit: acknowledged writes survive a crash of the machine. "relaxed"
  survives a crash of the process; a power cut may lose the last commits, but each only as a whole.
* Terms arrive stemmed (`core.text.terms`). FTS5 indexes them lazily: the first probe after a write catches up.
* Vectors are scanned: below some ten thousand per owner no index is faster.
* Erased bytes are overwritten (`secure_delete`) and removed from the full-text index (`optimize`) and the
  write-ahead log (`wal_checkpoint`) before the call returns. `describe` reports if a reader of the log prevented that.
* A damaged row is found by its column and read alone (`codec`); what is wrong with the file as a whole is in `mending`.
  A write checks that its file is still the one that was opened (`identity`).
* ":memory:" uses one connection for everything, and its data is lost when that closes.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from glob import escape
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import SCALARS, TABLES, Passage, R, check_columns, key_of
from memoranda.core.rows.changes import Add, Applied, Batch, Change, Drop, Patch, Put, Touch
from memoranda.core.rows.rowset import Damaged
from memoranda.errors import ConflictError, SpaceError, StoreCorruptError, StoreUnavailableError
from memoranda.ports import Cache, Hit, Page, Probe, Query, State
from memoranda.stores.dict_cache import DictCache
from memoranda.stores.sqlite.cache import SqliteCache
from memoranda.stores.sqlite.codec import Codec
from memoranda.stores.sqlite.faults import translated
from memoranda.stores.sqlite.identity import Identity
from memoranda.stores.sqlite.mending import faults, mend
from memoranda.stores.sqlite.schema import connect, insist, migrate, migrations, missing, queries

Durability = Literal["full", "relaxed"]
_T = TypeVar("_T")

_MEMORY = ":memory:"
_READERS = 4
_FEW = 64  # at most so many rows by key are read without a thread
_KEYS = 500  # keys per statement
_NAP = 3  # milliseconds that SQLite waits for the lock in one attempt
_PATIENCE = 1000  # milliseconds that an erasure waits for readers of the write-ahead log
_CHUNK = 4096  # vectors held as float32 at once
_LAST = 1 << 32  # beyond the `seq` of any row, which takes 32 bits in the index of words
_NOBODY = (0, 0, 0, 0)  # id, seq, dropped and words of an unknown owner
_SQL = queries()
_CODECS: dict[type, Codec[Any]] = {kind: Codec(kind) for kind in TABLES.values()}


class SqliteStore:
    """`ports.Store` in one SQLite file; open it with `open`."""

    def __init__(self, path: str, writer: sqlite3.Connection) -> None:
        self._path = path
        self._writer = writer
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="memoranda-write")
        self._read_threads = ThreadPoolExecutor(_READERS, thread_name_prefix="memoranda-read")
        self._writing = Lock()
        self._idle: list[sqlite3.Connection] = []
        self._pooling = Lock()
        self._open = True
        self._log_holds_erased = False
        self._file = None if path == _MEMORY else Identity(path)

    @classmethod
    async def open(cls, path: str | Path, *, durability: Durability = "full") -> "SqliteStore":
        """Open the file at `path`, or ":memory:". Create it, or bring its schema up to date, where needed.

        Raises:
            StoreVersionError: it was written by a newer memoranda, or made by another build of it.
            StoreCorruptError: it is damaged, or belongs to another program.
            StoreUnavailableError: it cannot be opened, or another process keeps it locked.
        """
        return cls(str(path), await asyncio.to_thread(_opened, str(path), durability))

    async def apply(self, batch: Batch) -> Applied:
        return await self._cross(self._write_thread, self._apply, batch)

    async def get(self, kind: type[R], owner: Owner, keys: Sequence[tuple[Any, ...]]) -> list[R | None]:
        def work(connection: sqlite3.Connection) -> list[R | None]:
            codec: Codec[R] = _CODECS[kind]
            found: dict[tuple[Any, ...], R] = {}
            for start in range(0, len(keys), _KEYS):
                chunk = keys[start : start + _KEYS]
                rows, damaged = codec.ask(connection, codec.keyed(len(chunk)), (*chain.from_iterable(chunk), *owner))
                _refuse(self._path, damaged)
                found.update((key_of(row), row) for row in rows)
            return [found.get(tuple(key)) for key in keys]

        return self._reading(work) if len(keys) <= _FEW else await self._read(work)

    async def find(self, owner: Owner, *queries: Query[Any]) -> Page:
        def work(connection: sqlite3.Connection) -> Page:
            found = _counters(connection, owner)
            answers = [_answer(query, connection) for query in queries]
            for query, (_, damaged) in zip(queries, answers, strict=True):
                _refuse(self._path, [] if query.lenient else damaged)
            damaged = tuple(chain.from_iterable(damaged for _, damaged in answers))
            state = State(seq=found[1], dropped=found[2])
            return Page(state=state, rows=tuple(rows for rows, _ in answers), damaged=damaged)

        return await self._read(work) if queries else self._reading(work)

    async def count(self, query: Query[Any], by: str | None = None) -> Mapping[Any, int]:
        if by is not None:
            check_columns(query.kind, (by,), *SCALARS)

        def work(connection: sqlite3.Connection) -> Mapping[Any, int]:
            return _CODECS[query.kind].counted(connection, query, by)

        return await self._read(work)

    async def probe(self, probe: Probe) -> list[Hit]:
        if probe.vector is not None:
            return await self._read(partial(_by_vector, probe, probe.vector))
        hits = await self._read(partial(_by_terms, probe)) if probe.terms else []
        while hits is None:
            await self._cross(self._write_thread, self._index_words, probe.owner)
            hits = await self._read(partial(_by_terms, probe))
        return hits

    async def describe(self) -> Mapping[str, Any]:
        def work(connection: sqlite3.Connection) -> Mapping[str, Any]:
            [version], [pages], [size] = (
                connection.execute(f"PRAGMA {name}").fetchone() for name in ("user_version", "page_count", "page_size")
            )
            problems = [f"{self._path}: {fault}" for fault in faults(connection)]
            there = {name for [name] in connection.execute("SELECT name FROM sqlite_schema")}
            owners = connection.execute(_SQL["owners"]).fetchall() if "owners" in there else []
            problems += _remains(self._path, log=self._log_holds_erased, receipts=_receipts(connection))
            return {
                "kind": "sqlite",
                "version": version,
                "bytes": pages * size,
                "problems": problems,
                "tenants": len({tenant for tenant, _ in owners}),
                "users": sum(user != SHARED for _, user in owners),
                "owners": owners,
            }

        return await self._read(work)

    async def mend(self, *, rows: bool) -> Sequence[str]:
        def work() -> Sequence[str]:
            with self._writing, translated(self._path):
                self._check_open()
                return list(mend(self._writer, self._path, rows=rows))

        return await self._cross(self._write_thread, work)

    async def remains(self) -> Sequence[str]:
        return _remains(self._path, log=self._log_holds_erased)

    def cache(self) -> Cache:
        """Return the cache for this store's working memory."""
        return DictCache() if self._path == _MEMORY else SqliteCache.open(self._path)

    async def close(self) -> None:
        self._close()  # not in a thread: none can be started while the interpreter exits
        for threads in (self._write_thread, self._read_threads):
            threads.shutdown(wait=False)

    async def _read(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        return await self._cross(self._read_threads, self._reading, work)

    async def _cross(self, threads: ThreadPoolExecutor, function: Callable[..., _T], *arguments: Any) -> _T:
        self._check_open()
        try:
            crossing = asyncio.get_running_loop().run_in_executor(threads, function, *arguments)
        except RuntimeError:  # no thread can be started while the interpreter exits
            return function(*arguments)
        return await crossing

    # ------------------------------------------------------------------------------- within a thread

    def _reading(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Run `work` in one snapshot, on a connection that nobody else uses meanwhile."""
        if self._path == _MEMORY:
            with self._writing:
                self._check_open()
                return _snapshot(self._path, self._writer, work)
        with self._pooling, translated(self._path):
            self._check_open()
            if not self._idle and self._file:
                self._file.check()  # or it would read another file, or make an empty one
            reader = self._idle.pop() if self._idle else connect(self._path, query_only="ON")
        try:
            return _snapshot(self._path, reader, work)
        finally:
            with self._pooling:
                if self._open:
                    self._idle.append(reader)
                else:
                    reader.close()

    def _apply(self, batch: Batch) -> Applied:
        dropped = {change.kind for change in batch.changes if isinstance(change, Drop)}
        with self._writing, translated(self._path):
            with self._transaction() as connection:
                applied = _written(connection, batch)
                if Passage in dropped:
                    connection.execute(_SQL["scrub"])
            if dropped:
                self._log_holds_erased = not _emptied(self._writer)
            return applied

    def _index_words(self, owner: Owner) -> None:
        with self._writing, translated(self._path), self._transaction() as connection:
            number, _, _, words = _counters(connection, owner)
            place = {"owner": number, "tenant": owner.tenant, "user": owner.user, "words": words}
            connection.execute(_SQL["index_words"], place)
            connection.execute(_SQL["words_indexed"], (number,))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the writing connection, holding SQLite's lock. Short naps: a long one would lose to other writers."""
        self._check_open()
        with self._writer as connection:
            insist(connection, "BEGIN IMMEDIATE")
            yield connection
            if self._file:
                self._file.check()

    def _close(self) -> None:
        with self._writing, self._pooling:
            self._open = False
            for connection in (*self._idle, self._writer):
                connection.close()
            self._idle.clear()

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailableError(f"{self._path} was closed: open it again.")


def _snapshot(path: str, connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], _T]) -> _T:
    with translated(path), connection:
        connection.execute("BEGIN")
        return work(connection)


def _refuse(path: str, damaged: Sequence[Damaged]) -> None:
    if damaged:
        told = f"{damaged[0]}; {len(damaged)} such row(s), the rest can be read"
        raise StoreCorruptError(f"{path}: {told}: memoranda doctor --repair.")


def _opened(path: str, durability: Durability) -> sqlite3.Connection:
    """Open the writing connection, and bring the database up to date."""
    with translated(path), ExitStack() as undo:
        synchronous = "FULL" if durability == "full" else "NORMAL"
        writer = connect(path, synchronous=synchronous, secure_delete="ON")
        undo.callback(writer.close)
        steps = migrations()
        missing(writer, path, steps)  # refuses another program's file before its journal mode is changed
        insist(writer, "PRAGMA journal_mode = WAL", 0.01)  # of several at once, all but one fail without waiting
        migrate(writer, path, steps)
        writer.execute(f"PRAGMA busy_timeout = {_NAP}")
        undo.pop_all()
        return writer


def _counters(connection: sqlite3.Connection, owner: Owner) -> tuple[int, int, int, int]:
    """Return the number of an owner, its `seq`, the `seq` of the last removal, and that of the last indexed word."""
    found: tuple[int, int, int, int] = connection.execute(_SQL["owner"], owner).fetchone() or _NOBODY
    if {*map(type, found)} != {int} or not 0 <= found[1] < _LAST:
        raise StoreCorruptError(f"The counter of {'/'.join(owner)} cannot be read: memoranda doctor --repair.")
    return found


def _receipts(connection: sqlite3.Connection) -> set[bytes]:
    """Return the ids of the receipts in a database, as far as they can be read."""
    with suppress(sqlite3.Error):
        return {one for [one] in connection.execute("SELECT CAST(id AS BLOB) FROM receipts")}
    return set()


def _remains(name: str, *, log: bool, receipts: set[bytes] | None = None) -> list[str]:
    """Where erased bytes are still held: in backups beside the file, or its write-ahead log.

    Given the `receipts` of the file, only in backups that lack one of them: those made before something was forgotten.
    """
    path = Path(name)
    copies = sorted(path.parent.glob(f"{escape(path.name)}.v*.backup"))
    copies = [copy for copy in copies if receipts is None or receipts - _held(copy)]
    found = [f"{copy} still holds what was forgotten since it was made: delete it." for copy in copies]
    return found + ([f"{path}-wal still holds erased bytes: end the process that reads the file."] if log else [])


def _held(copy: Path) -> set[bytes]:
    """Return the ids of the receipts in a backup."""
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?immutable=1", uri=True)) as raw:
        return _receipts(raw)


def _emptied(writer: sqlite3.Connection) -> bool:
    """Checkpoint and truncate the write-ahead log. Return False if a reader or the disk prevents it.

    The batch is committed by now, so this is not an error: the next erasure, or closing, tries again.
    """
    writer.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
    try:
        [busy, *_] = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        return False
    finally:
        writer.execute(f"PRAGMA busy_timeout = {_NAP}")
    return not busy


def _written(connection: sqlite3.Connection, batch: Batch) -> Applied:
    """Carry out `batch` in the open transaction."""
    number, start, dropped, _ = _counters(connection, batch.owner)
    if batch.expect is not None and batch.expect != start:
        raise ConflictError(f"Planned against change {batch.expect} of {batch.owner}, which is at {start}.")
    if not number:
        number = connection.execute(_SQL["new_owner"], batch.owner).lastrowid or 0
    seq, taken = start, []
    for change in batch.changes:
        written = connection.execute(*_statement(change, batch.owner, seq + 1)).rowcount
        if isinstance(change, Touch):
            continue
        if isinstance(change, Add) and not written:
            taken.append((change.row.__table__, key_of(change.row)))
        if isinstance(change, Drop) and written and change.kind.__traits__.image:
            dropped = seq + 1
        seq += written
    if seq != start:
        connection.execute(_SQL["advance"], (seq, dropped, number))
    return Applied(seq=seq, taken=frozenset(taken))


def _statement(change: Change, owner: Owner, seq: int) -> tuple[str, Sequence[Any]]:
    """Return the statement that carries out one change and gives the row this `seq`, and its parameters."""
    match change:
        case Add(row):
            codec = _CODECS[type(row)]
            return codec.insert, codec.encode(row, seq)
        case Put(row):
            codec = _CODECS[type(row)]
            return codec.replace, codec.encode(row, seq)
        case Patch(kind, key, values):
            return _CODECS[kind].patch((*owner, *key), values, seq)
        case Touch(kind, key, add, at):
            return _CODECS[kind].touch((*owner, *key), add, at)
        case Drop(kind, key):
            return _CODECS[kind].delete, (*owner, *key)


def _answer(query: Query[R], connection: sqlite3.Connection) -> tuple[Sequence[R], Sequence[Damaged]]:
    codec: Codec[R] = _CODECS[query.kind]
    fixed = codec.fixed(query)
    return codec.ask(connection, *codec.query(query, fixed), fixed)


def _by_terms(probe: Probe, connection: sqlite3.Connection) -> list[Hit] | None:
    """Return the passages that contain a term, or None if the full-text index is behind."""
    number, seq, _, words = _counters(connection, probe.owner)
    if words < seq:
        return None
    quoted = ('"' + term.replace('"', '""') + '"' for term in probe.terms)
    arguments = {**_reach(probe), "owner": number, "words": " OR ".join(quoted), "limit": probe.limit}
    return [Hit(ref, score) for ref, score in connection.execute(_SQL["by_terms"], arguments)]


def _by_vector(probe: Probe, vector: NDArray[np.float32], connection: sqlite3.Connection) -> list[Hit]:
    found = connection.execute(_SQL["by_vector"], {**_reach(probe), "space": probe.space})
    refs: list[str] = []
    scores = [np.empty(0, np.float32)]
    while rows := found.fetchmany(_CHUNK):
        if any(len(data) != 2 * vector.size for _, data in rows):
            raise SpaceError(f"{probe.space} has vectors of another length than the {vector.size} numbers asked for.")
        matrix = np.frombuffer(b"".join(data for _, data in rows), "<f2").reshape(len(rows), vector.size)
        scores.append(matrix.astype(np.float32) @ vector)
        refs += [ref for ref, _ in rows]
    score = np.concatenate(scores)
    best = np.argsort(-score, kind="stable")[: probe.limit].tolist()
    return [Hit(refs[place], float(score[place])) for place in best]


def _reach(probe: Probe) -> dict[str, Any]:
    return {
        "tenant": probe.owner.tenant,
        "user": probe.owner.user,
        "everywhere": not probe.channels,
        "channels": json.dumps(probe.channels),
    }
