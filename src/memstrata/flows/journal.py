"""Rows about requests and reads: written after the answer, never before it, and several that wait in one batch.

Like every writer it takes its turn and consults the tombstones, so that what was forgotten while a row waited is not
named by it, and is not written again by asking with it. What the store could not take, being full or out of reach, is
tried again with the next row. A process that is killed loses the rows that waited; nothing is derived from them.

What a call of a model cost is added to what its user has spent, in the same transaction, and then to what its tenant
has: for that the row waits once more, as one of the tenant's; it counts twice there if the connection breaks between
that being written and its answer. These rows stay, and those of the audit; of the others the oldest of an owner go once
there are a tenth more than are kept. It leaves no tombstones: that a row grew old forbids nothing. The tenth is there
because other processes read an owner's image afresh after any removal.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from memstrata.core.changes import Add, Batch, Change, Drop, Touch
from memstrata.core.rows import AccessLog, AuditEntry, ContextLog, LedgerEntry, Pool, R, Row, key_of
from memstrata.core.scope import SHARED, Owner
from memstrata.core.spending import counted
from memstrata.core.text import content_hash
from memstrata.errors import ConflictError, StoreError, StoreFullError, StoreReadOnlyError, StoreUnavailableError
from memstrata.flows.partitions import Partitions
from memstrata.ports import Query, Store

_ATTEMPTS = 20
_PAUSE = 0.05  # seconds a row waits for others, so that requests in a row pay for one write
_WAITING = 1_000  # rows that wait at most, whatever holds up the store
_AT_ONCE = 1_000  # of the oldest rows that go with one write

Logged = ContextLog | AccessLog | AuditEntry | LedgerEntry
_COUNTED: frozenset[type[Row]] = frozenset({AccessLog, LedgerEntry})  # they add to something, once
_PASSING = (ConflictError, StoreFullError, StoreReadOnlyError, StoreUnavailableError)  # what may be taken another time
_STAY: frozenset[type[Row]] = frozenset({AuditEntry, LedgerEntry})  # however many of them there are
Noted = tuple[Logged, str | None]  # a row, and the hash of what was asked in full; None: it only adds to what was spent

_LOG = logging.getLogger(__name__)


class Journal:
    """The writer of such rows.

    Args:
        store: where they are written.
        partitions: whose turns it takes.
        keep: how many of them an owner keeps.
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
        """Have `row` written soon, unless it names what is forgotten, or what was `asked` is."""
        if len(self._waiting) >= _WAITING:
            self._problem = f"{_name(row)}: the store does not keep up, a request was not logged"
        else:
            self._waiting.append((row, content_hash(asked)))
        self._start()

    def waiting(self, kind: type[R]) -> list[R]:
        """The rows of a kind that are not known to be written."""
        return [row for row, _ in (*self._writing, *self._waiting) if isinstance(row, kind)]

    def trouble(self) -> str | None:
        """What went wrong since this was last asked."""
        problem, self._problem = self._problem, None
        return problem

    async def settle(self) -> None:
        """Wait until everything noted is written, or failed to be."""
        if self._waiting or (self._writer is not None and not self._writer.done()):
            writer = self._start()
            self._hurry.set()
            await asyncio.wait((writer,))

    async def close(self) -> None:
        """Write all that waits; no context comes any more to tell what went wrong, so that it is logged."""
        await self.settle()
        if problem := self.trouble():
            _LOG.warning("%s", problem)

    def _start(self) -> asyncio.Task[None]:
        """The task that writes what waits; one that went down with its event loop is replaced."""
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
            kept = [row for row, claim in rows if not image.buried(row.named, claim or "", row.agent)]
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
        """Count what was spent of the tenant's, once the user's is written."""
        if changes := counted(owner, (row for row, _ in rows if isinstance(row, LedgerEntry))):
            await self._store.apply(Batch(owner=owner, changes=tuple(changes)))

    async def _outdated(self, owner: Owner, kind: type[Logged], more: int) -> list[Drop]:
        """What of the log goes when so many rows come."""
        if kind in _STAY:
            return []
        logged = Query(kind=kind, tenant=owner.tenant, user=owner.user)  # the oldest first
        over = sum((await self._store.count(logged)).values()) + more - self._keep
        if over <= self._keep // 10:
            return []
        page = await self._store.find(owner, replace(logged, limit=min(over, _AT_ONCE)))
        return [Drop(kind, key_of(row)) for row in page.rows[0]]


def _read(row: AccessLog) -> Touch:
    """What a read of a pool counts; other objects do not count theirs."""
    return Touch(Pool, (row.object,), {"reads": 1}, {"last_read": row.at})


def _name(row: Logged) -> str:
    return row.__table__.replace("_", " ")
