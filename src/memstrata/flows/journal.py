"""Log rows about requests and reads: written after the answer, never before it, in batches.

Like every writer, the journal takes its turn and consults the tombstones, so that a row does not name what was
forgotten while it waited, nor record a query for it. If the store is full or cannot be reached, the rows are tried
again with the next one. A process that is killed loses the rows that waited; nothing is derived from them.

The cost of a model call is added to its user's spending in the same transaction as its row, and then to its tenant's.
For the second the row waits once more, as a row of the tenant; it counts twice there if the connection breaks between
the write and its answer. Rows of the ledger and the audit stay. Of the others, an owner's oldest rows are dropped once
there are a tenth more than `keep`, because other processes reread an owner's image after any removal. Old rows leave no
tombstones, because their age forbids nothing.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from memstrata.core.changes import Add, Batch, Change, Drop, Touch
from memstrata.core.partition import Partition
from memstrata.core.rows import AccessLog, AuditEntry, ContextLog, LedgerEntry, Pool, R, Row, key_of
from memstrata.core.scope import SHARED, Owner
from memstrata.core.spending import counted
from memstrata.core.text import content_hash
from memstrata.errors import ConflictError, StoreError, StoreFullError, StoreReadOnlyError, StoreUnavailableError
from memstrata.flows.partitions import Partitions
from memstrata.ports import Query, Store

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
        self._problem: str | None = None

    def note(self, row: Logged, asked: str = "") -> None:
        """Queue `row` to be written soon, unless it names something forgotten, or its query `asked` was forgotten."""
        if len(self._waiting) >= _WAITING:
            self._problem = f"{_name(row)}: the store does not keep up, a request was not logged"
        else:
            self._waiting.append((row, content_hash(asked)))
        self._start()

    def waiting(self, kind: type[R]) -> list[R]:
        """The rows of a kind that are not known to be written."""
        return [row for row, _ in (*self._writing, *self._waiting) if isinstance(row, kind)]

    def trouble(self) -> str | None:
        """What went wrong since the last call of this."""
        problem, self._problem = self._problem, None
        return problem

    async def settle(self) -> None:
        """Wait until all queued rows are written, or have failed."""
        if self._waiting or (self._writer is not None and not self._writer.done()):
            writer = self._start()
            self._hurry.set()
            await asyncio.wait((writer,))

    async def close(self) -> None:
        """Write all queued rows; log what went wrong, because no later context can report it."""
        await self.settle()
        if problem := self.trouble():
            _LOG.warning("%s", problem)

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
        while self._waiting:
            owners: defaultdict[tuple[Owner, type[Logged], bool], list[Noted]] = defaultdict(list)
            for row, claim in self._waiting:
                owners[Owner(row.tenant, row.user), type(row), claim is None].append((row, claim))
            self._writing, self._waiting = [*failed, *self._waiting], []
            for (owner, _, written), rows in owners.items():
                try:
                    async with self._partitions.turn(owner):
                        await (self._charge if written else self._put)(owner, rows)
                except StoreError as error:
                    self._problem = f"{_name(rows[0][0])}: {error}"
                    failed = [*failed, *rows][:_WAITING] if isinstance(error, _PASSING) else failed
        self._writing, self._waiting = [], failed

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
                image.follow(batch, await self._store.apply(batch))
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


def _buried(row: Logged, claim: str | None, image: Partition) -> bool:
    """Whether a row names something forgotten, or says it in its query."""
    query = row.query if isinstance(row, AuditEntry | ContextLog) else None
    said = image.tombstones.repeats(query or "", row.agent)
    return said or image.buried(row.named, claim or "", row.agent)


def _name(row: Logged) -> str:
    return row.__table__.replace("_", " ")
