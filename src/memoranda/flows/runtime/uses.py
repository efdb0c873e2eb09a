"""Uses of records, turns and short-term entries, counted when they are returned and written off the path of recall.

The hot image counts at once, so that ranking does not depend on when the counts are written. They are written when
enough of them wait, with the owner's next write, when the owner's image is evicted or reread, and on closing. Counts
that cannot be written keep waiting, and are logged as lost on closing. A crash loses only the counts that wait.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoranda.core.base.scope import Owner
from memoranda.core.evaluation.usage import TechniqueUse
from memoranda.core.rows import Passage, Record, ShortTerm, key_of
from memoranda.core.rows.changes import Batch, Touch
from memoranda.errors import StoreError
from memoranda.ports import Store

OWNERS = 10_000  # of which it is known what recall techniques did for them
ENOUGH = 64  # rows of one owner with waiting counts that trigger a write
USED = 0.4  # similarity, relative to the best answer's 1, from which on a returned item counts as used

Used = Record | Passage | ShortTerm
Key = tuple[type[Used], tuple[Any, ...]]

_LOG = logging.getLogger(__name__)


class Uses:
    """Counts of uses that wait to be written, by owner."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[Owner, dict[Key, tuple[int, datetime]]] = {}
        self._writing: dict[Owner, asyncio.Task[None]] = {}
        self._problem: StoreError | None = None

    def count(self, owner: Owner, used: Iterable[Used], at: datetime) -> None:
        """Queue one more use of each row. Never waits itself."""
        for row in used:
            self._add(owner, (type(row), key_of(row)), 1, at)
        if len(self._waiting.get(owner, ())) >= ENOUGH:
            self.flush(owner)

    def counted(self, row: ShortTerm) -> ShortTerm:
        """A row including its uses that still wait."""
        waiting = self._waiting.get(Owner(row.tenant, row.user), {})
        count, at = waiting.get((ShortTerm, key_of(row)), (0, row.last_accessed))
        return replace(row, access_count=row.access_count + count, last_accessed=at)

    def flush(self, owner: Owner) -> None:
        """Start writing the waiting counts of an owner. Never waits itself."""
        if owner in self._waiting and owner not in self._writing:
            task = self._writing[owner] = asyncio.create_task(self._write(owner))
            task.add_done_callback(lambda _: self._writing.pop(owner))

    @contextmanager
    def taken(self, owner: Owner) -> Iterator[tuple[Touch, ...]]:
        """The waiting counts, to be written inside; on an exception that says they were not written, they wait again.

        After a cancellation nobody knows whether the write was applied, so they are dropped: rather not counted than
        twice. So are counts that the store refused, or they would spoil each further write of the owner.
        """
        taken = self._waiting.pop(owner, {})
        try:
            yield tuple(
                Touch(*key, {"access_count": count}, {"last_accessed": at}) for key, (count, at) in taken.items()
            )
            taken = {}
        except (asyncio.CancelledError, StoreError) as error:
            if taken and type(error) is StoreError:
                _LOG.warning("uses of %d memories not counted: %s", len(taken), error)
            if not isinstance(error, StoreError) or type(error) is StoreError:
                taken = {}
            raise
        finally:
            for key, (count, at) in taken.items():
                self._add(owner, key, count, at)

    async def settle(self, owner: Owner) -> None:
        """Write the waiting counts of an owner, before something is read."""
        await self._written(owner)
        self.flush(owner)  # what was queued meanwhile
        await self._written(owner)

    async def close(self) -> None:
        """Write all waiting counts; log those that cannot be written, because nobody asks again."""
        for owner in {*self._waiting, *self._writing}:
            await self.settle(owner)
        if lost := sum(count for waiting in self._waiting.values() for count, _ in waiting.values()):
            _LOG.warning("%d use(s) of memories not counted: %s", lost, self._problem)
        self._waiting.clear()

    async def _written(self, owner: Owner) -> None:
        """Wait until the current write is done; cancelling the caller does not break it off."""
        if owner in self._writing:
            await asyncio.wait([self._writing[owner]])

    async def _write(self, owner: Owner) -> None:
        try:
            with self.taken(owner) as touches:
                await self._store.apply(Batch(owner=owner, changes=touches))
        except StoreError as error:
            self._problem = error

    def _add(self, owner: Owner, key: Key, count: int, at: datetime) -> None:
        waiting = self._waiting.setdefault(owner, {})
        known, last = waiting.get(key, (0, at))
        waiting[key] = known + count, max(last, at)


class Tried:
    """What recall techniques did in this process, by owner; the owners who used none for longest go first."""

    def __init__(self) -> None:
        self._of: dict[Owner, dict[str, TechniqueUse]] = {}

    def count(self, owner: Owner, name: str, added: int, milliseconds: float, *, failed: bool) -> None:
        """Count that a technique ran, and how many items it added to the answer."""
        known = self._of[owner] = self._of.pop(owner, {})
        known[name] = known.get(name, TechniqueUse()).and_another(added, milliseconds, failed=failed)
        if len(self._of) > OWNERS:
            del self._of[next(iter(self._of))]

    def of(self, owner: Owner) -> Mapping[str, TechniqueUse]:
        """The uses for an owner, by technique."""
        return dict(self._of.get(owner, {}))
