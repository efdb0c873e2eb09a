"""The hot images of owners' memories: refreshed from the store, bounded by bytes, least recently used evicted first.

A refresh is one read of the store, in one snapshot: the rows whose `seq` is higher than the image's. A store hands out
`seq` under a lock on the owner, so an image that was read up to one `seq` has missed nothing before it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

from memoranda.core.base.scope import Owner
from memoranda.core.image.following import follow
from memoranda.core.image.image import HELD, Partition
from memoranda.core.rows import Record, Tombstone, Vector
from memoranda.core.rows.changes import Applied, Batch
from memoranda.flows.runtime.uses import Uses
from memoranda.ports import Query, Store, Where


class Partitions:
    """Images by owner.

    An image that was given out is never changed; what arrives goes into its next version, which takes its place here.

    Attributes:
        uses: uses of records that are not written yet.

    Args:
        store: where they are read from.
        space, dimension: the embedding space whose vectors they hold; dimension 0 for none.
        max_bytes: how much they may hold together; the image last asked for always stays.
    """

    def __init__(self, store: Store, space: str, dimension: int, max_bytes: int = 1 << 30) -> None:
        self.uses = Uses(store)
        self._store = store
        self._space, self._dimension = space, dimension
        self._images = _Images(max_bytes)
        self._locks: WeakValueDictionary[Owner, asyncio.Lock] = WeakValueDictionary()
        self._turns: WeakValueDictionary[Owner, asyncio.Lock] = WeakValueDictionary()
        self._pinned: dict[Owner, Partition] | None = None

    @property
    def is_pinned(self) -> bool:
        """Whether these are the images of one request."""
        return self._pinned is not None

    def pinned(self) -> "Partitions":
        """The images of one request: each owner's stays as it was when the request first asked for it."""
        pinned = copy(self)
        pinned._pinned = {}
        return pinned

    def turn(self, owner: Owner) -> asyncio.Lock:
        """The lock that writers of one process hold in turn, so that they do not invalidate one another's plans."""
        return self._turns.setdefault(owner, asyncio.Lock())

    async def recent(self, owner: Owner) -> Partition:
        """The owner's image as it is held: for plans that the store refuses if it is out of date."""
        return self.at_hand(owner) or await self.current(owner)

    def at_hand(self, owner: Owner) -> Partition | None:
        """The owner's image if it is held, up to date or not; None if it is stale."""
        return self._images.get(owner)

    def empty(self, owner: Owner) -> Partition:
        """A new image into which nothing was read; it is not held."""
        return Partition(owner, self._space, self._dimension)

    async def current(self, owner: Owner) -> Partition:
        """The owner's image, brought up to date; in a pinned request, the one it has seen before."""
        seen = {} if self._pinned is None else self._pinned
        if owner not in seen:
            async with self._locks.setdefault(owner, asyncio.Lock()):
                image = await self._read(owner)
            return seen.setdefault(owner, image)
        return seen[owner]

    async def _read(self, owner: Owner) -> Partition:
        while True:
            held = self._images.get(owner)
            if held is None:
                await self.uses.settle(owner)
            elif (await self._store.find(owner)).state.seq == held.seq:
                self._images.touch(owner)
                return held
            page = await self._store.find(owner, *self._queries(held or self.empty(owner)))
            now = self._images.get(owner)
            if now is not held:  # it was moved on meanwhile
                if now is not None and now.seq >= page.state.seq:
                    return now
                continue
            if held is not None and (page.state.dropped > held.dropped or held.damaged):  # or it may have been repaired
                self.forget(owner)
                continue
            with self._next(held or self.empty(owner)) as image:
                image.absorb(**dict(zip(HELD, page.rows, strict=True)))
                image.damaged = page.damaged
                damaged = [one.row for one in page.damaged if isinstance(one.row, Tombstone)]  # they bind all the same
                image.tombstones = image.tombstones.with_rows(damaged)
                image.seq, image.dropped = page.state.seq, page.state.dropped
            if not image.stale:
                return image

    @contextmanager
    def _next(self, image: Partition) -> Iterator[Partition]:
        """The next version of an image, to be filled inside; if that fails, the next reader builds the image anew."""
        self.forget(image.owner)
        following = image.fork()
        yield following
        if not following.stale:
            self._keep(following)

    def _queries(self, image: Partition) -> list[Query[Any]]:
        narrowed: dict[type, tuple[Where, ...]] = {Vector: (Where("space", "=", self._space),)}
        if not image.seq:  # later, it must learn which versions were superseded
            narrowed[Record] = (Where("superseded_at", "is", None),)
        tenant, user = image.owner
        return [
            Query(kind=kind, tenant=tenant, user=user, after=image.seq, where=narrowed.get(kind, ()), lenient=True)
            for kind in HELD.values()
        ]

    def follow(self, batch: Batch, applied: Applied) -> None:
        """Apply a batch that was just written to the owner's image, if nothing else was written since it was read."""
        held = self._images.get(batch.owner)
        if held is not None and held.seq == batch.expect:
            with self._next(held) as image:
                follow(image, batch, applied)

    def used(self, owner: Owner, refs: Iterable[str], now: datetime) -> None:
        """Count a use of the records and events with these ids."""
        held = self._images.get(owner)
        if held is not None and (used := held.used(refs, now)):
            self.uses.count(owner, used, now)
            with self._next(held) as image:
                image.count(used)

    def forget(self, owner: Owner) -> None:
        """Drop an image, so that the next reader builds it anew."""
        self._images.drop(owner)

    def _keep(self, image: Partition) -> None:
        for evicted in self._images.keep(image):
            self.uses.flush(evicted)  # or they would wait until somebody asks for the owner


class _Images:
    """The images that are held, the least recently used first, as many as fit.

    Args:
        most: how many bytes they may hold together; the one kept last always stays.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._images: OrderedDict[Owner, Partition] = OrderedDict()
        self._sizes: dict[Owner, int] = {}
        self._held = 0

    def get(self, owner: Owner) -> Partition | None:
        return self._images.get(owner)

    def touch(self, owner: Owner) -> None:
        """Note a use."""
        with suppress(KeyError):  # it was dropped meanwhile
            self._images.move_to_end(owner)

    def drop(self, owner: Owner) -> None:
        """Hold the image no longer."""
        if self._images.pop(owner, None):
            self._held -= self._sizes.pop(owner)

    def keep(self, image: Partition) -> list[Owner]:
        """Hold an image. Returns the owners of those that had to go for it."""
        self.drop(image.owner)
        self._images[image.owner] = image
        self._sizes[image.owner] = size = image.nbytes  # only of this one: there may be thousands
        self._held += size
        gone = []
        while self._held > self._most and len(self._images) > 1:
            gone.append(next(iter(self._images)))
            self.drop(gone[-1])
        return gone
