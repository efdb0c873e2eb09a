"""Log rows about requests and reads: written after the answer, never before it, in batches.

Like every writer, the journal takes its turn and consults the tombstones, so that a row does not name what was
forgotten while it waited, nor record a query for it. If the store is full or cannot be reached, the rows are tried
again with the next one. A row that the store refuses is lost alone: of its batch halves are tried, and the next answer
to its owner names it. So is one with a fault that nobody foresaw, which is logged. A process that is killed loses the
rows that waited; nothing is derived from them.

The cost of a model call is added to its user's spending in the same transaction as its row, and then to its tenant's.
For the second the row waits once more, as a row of the tenant; it counts twice there if the connection breaks between
the write and its answer. Rows of the ledger and the audit stay. Of the others, an owner's oldest rows are dropped once
there are a tenth more than `keep`, because a store wipes the bytes of what it drops, which takes its time. Old rows
leave no tombstones, because their age forbids nothing.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.image.image import Partition
from memoranda.core.rows import AccessLog, AuditEntry, ContextLog, LedgerEntry, Pool, R, Row, key_of
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Touch
from memoranda.core.strata.spending import counted
from memoranda.core.text.terms import content_hash
from memoranda.errors import ConflictError, StoreError, StoreFullError, StoreReadOnlyError, StoreUnavailableError
from memoranda.flows.runtime.images import Partitions
from memoranda.ports import Query, Store

_ATTEMPTS = 20
_PAUSE = 0.05  # seconds a row waits for others, so that consecutive requests share one write
_WAITING = 1_000  # the most rows that wait, whatever holds up the store
_AT_ONCE = 1_000  # the most old rows dropped in one write

Logged = ContextLog | AccessLog | AuditEntry | LedgerEntry
_COUNTED: frozenset[type[Row]] = frozenset({AccessLog, LedgerEntry})  # they add to a count, once
_PASSING = (ConflictError, StoreFullError, StoreReadOnlyError, StoreUnavailableError)  # worth another try
_STAY: frozenset[type[Row]] = frozenset({AuditEntry, LedgerEntry})  # however many there are
Noted = tuple[Logged, str | None]  # a row and the hash of the query; None: only adds to spending

_LOG = logging.getLogger(__name__)


class Journal:
    """The writer of these rows.

    Args:
        store: where they are written.
        partitions: gives turns and images.
        keep: how many rows an owner keeps.
    """

    def __init__(self, store: Store, partitions: Partitions, keep: int = 10_000) -> None:
        self._store = store
        self._partitions = partitions
        self._keep = keep
        self._waiting: list[Noted] = []
        self._writing: list[Noted] = []
        self._writer: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self._problems: dict[Owner, str] = {}
        self._suspects: set[tuple[Any, ...]] = set()  # keys of rows that were written with one at an unforeseen fault

    def note(self, row: Logged, asked: str = "") -> None:
        """Queue `row` to be written soon, unless it names something forgotten, or its query `asked` was forgotten."""
        self._waiting.append((row, content_hash(asked)))
        if len(self._waiting) > _WAITING:  # the newest row goes of whoever has the most: nobody crowds others out
            most = Counter(map(_owner, self._waiting[::-1])).most_common(1)[0][0]
            last = next(n for n in reversed(range(len(self._waiting))) if _owner(self._waiting[n]) == most)
            gone, _ = self._waiting.pop(last)
            self._tell(most, f"{_name(gone)}: the store does not keep up, a request was not logged")
        self._start()

    def waiting(self, kind: type[R]) -> list[R]:
        """The rows of a kind that are not known to be written."""
        return [row for row, _ in (*self._writing, *self._waiting) if isinstance(row, kind)]

    def trouble(self, owner: Owner) -> tuple[str, ...]:
        """What went wrong with rows of `owner`, or of what its tenant shares, since the last call of this."""
        problems = (self._problems.pop(one, None) for one in (owner, Owner(owner.tenant, SHARED)))
        return tuple(dict.fromkeys(filter(None, problems)))

    async def settle(self) -> None:
        """Wait until all queued rows are written, or have failed."""
        while self._waiting or (self._writer is not None and not self._writer.done()):
            writer = self._start()
            self._hurry.set()
            await asyncio.wait((writer,))
            if writer.cancelled() or (fault := writer.exception()) is None:
                return
            _LOG.error("log rows were lost", exc_info=fault)

    async def close(self) -> None:
        """Write all queued rows; log what went wrong, because no later context can report it."""
        await self.settle()
        for problem in dict.fromkeys(self._problems.values()):
            _LOG.warning("%s", problem)
        self._problems.clear()

    def _start(self) -> asyncio.Task[None]:
        """The task that writes queued rows; one whose event loop is gone is replaced."""
        if self._writer is None or self._writer.done():
            self._hurry = asyncio.Event()  # of this loop
            self._writer = asyncio.create_task(self._write())
        return self._writer

    async def _write(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PAUSE):
                await self._hurry.wait()
        failed: list[Noted] = []
        groups: dict[object, list[Noted]] = {}
        trying: list[Noted] = []
        try:
            while self._waiting:
                for noted in self._waiting:
                    alone = key_of(noted[0]) if key_of(noted[0]) in self._suspects else ()
                    groups.setdefault((_owner(noted), type(noted[0]), noted[1] is None, alone), []).append(noted)
                self._writing, self._waiting = [*failed, *self._waiting], []
                while groups:
                    trying = groups.pop(next(iter(groups)))
                    failed += await self._attempt(trying)
                    trying = []
            self._suspects.clear()
        finally:  # with a fault that nobody foresaw, only its row is lost: each is tried again alone
            again = trying if len(trying) > 1 else []
            self._suspects |= {key_of(row) for row, _ in again}
            left = [*failed, *again, *chain.from_iterable(groups.values()), *self._waiting]
            self._writing, self._waiting = [], left[:_WAITING]

    async def _attempt(self, rows: list[Noted]) -> list[Noted]:
        """Write rows of one kind and owner. Return those that are worth another try; a refused one takes none along."""
        owner = _owner(rows[0])
        try:
            async with self._partitions.turn(owner):
                await (self._charge if rows[0][1] is None else self._put)(owner, rows)
        except StoreError as error:
            half = len(rows) // 2
            if half and type(error) is StoreError:  # a value is at fault, not the store
                return [*await self._attempt(rows[:half]), *await self._attempt(rows[half:])]
            self._tell(owner, f"{_name(rows[0][0])}: {error}")
            return rows if isinstance(error, _PASSING) else []
        return []

    def _tell(self, owner: Owner, problem: str) -> None:
        self._problems[owner] = problem
        if len(self._problems) > _WAITING:
            del self._problems[next(iter(self._problems))]

    async def _put(self, owner: Owner, rows: Sequence[Noted]) -> None:
        image, kind = await self._partitions.recent(owner), type(rows[0][0])
        for _ in range(_ATTEMPTS):
            kept = [row for row, claim in rows if not _buried(row, claim, image)]
            known = await self._store.get(kind, owner, [*map(key_of, kept)]) if kind in _COUNTED else ()
            there = {key_of(row) for row in known if row is not None}
            new = [row for row in kept if key_of(row) not in there]
            changes: list[Change] = [*map(Add, new), *await self._outdated(owner, kind, len(new))]
            changes += [_read(row) for row in new if isinstance(row, AccessLog)]
            if owner.user != SHARED:  # what the tenant spends is counted once
                changes += counted(owner, (row for row in new if isinstance(row, LedgerEntry)))
            batch = Batch(owner=owner, changes=tuple(changes), expect=image.seq)
            try:
                self._partitions.follow(batch, await self._store.apply(batch))
            except ConflictError:
                image = await self._partitions.current(owner)
            else:
                self._waiting += [(replace(row, user=SHARED), None) for row in kept if isinstance(row, LedgerEntry)]
                return
        raise ConflictError(f"gave up after {_ATTEMPTS} attempts: this user's memory is being written without a pause")

    async def _charge(self, owner: Owner, rows: Sequence[Noted]) -> None:
        """Add spending to the tenant, once that of the user is written."""
        if changes := counted(owner, (row for row, _ in rows if isinstance(row, LedgerEntry))):
            await self._store.apply(Batch(owner=owner, changes=tuple(changes)))

    async def _outdated(self, owner: Owner, kind: type[Logged], more: int) -> list[Drop]:
        """The rows of a log to drop when `more` are added."""
        if kind in _STAY:
            return []
        logged = Query(kind=kind, tenant=owner.tenant, user=owner.user)  # the oldest first
        over = sum((await self._store.count(logged)).values()) + more - self._keep
        if over <= self._keep // 10:
            return []
        page = await self._store.find(owner, replace(logged, limit=min(over, _AT_ONCE)))
        return [Drop(kind, key_of(row)) for row in page.rows[0]]


def _read(row: AccessLog) -> Touch:
    """What a read of a pool adds to the pool; reads of other objects are not counted."""
    return Touch(Pool, (row.object,), {"reads": 1}, {"last_read": row.at})


def _owner(noted: Noted) -> Owner:
    return Owner(noted[0].tenant, noted[0].user)


def _buried(row: Logged, claim: str | None, image: Partition) -> bool:
    """Whether a row names something forgotten, or says it in its words."""
    said = any(image.tombstones.repeats(one, row.agent) for one in row.words)
    return said or image.buried(row.named, claim or "", row.agent)


def _name(row: Logged) -> str:
    return row.__table__.replace("_", " ")
