"""The hot images of owners' memories: refreshed from the store, bounded by bytes, least recently used evicted first.

A refresh is one read of the store, in one snapshot: the rows whose `seq` is higher than the image's. A store hands out
`seq` under a lock on the owner, so an image that was read up to one `seq` has missed nothing before it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

from memstrata.core.partition import HELD, Partition
from memstrata.core.rows import Record, Tombstone, Vector
from memstrata.core.scope import Owner
from memstrata.flows.reinforce import Uses
from memstrata.ports import Query, Store, Where


class Partitions:
    """Images by owner.

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
        self._max_bytes = max_bytes
        self._images: OrderedDict[Owner, Partition] = OrderedDict()
        self._sizes: dict[Owner, int] = {}
        self._held = 0
        self._locks: WeakValueDictionary[Owner, asyncio.Lock] = WeakValueDictionary()
        self._turns: WeakValueDictionary[Owner, asyncio.Lock] = WeakValueDictionary()

    def turn(self, owner: Owner) -> asyncio.Lock:
        """The lock that writers of one process hold in turn, so that they do not invalidate one another's plans."""
        return self._turns.setdefault(owner, asyncio.Lock())

    async def recent(self, owner: Owner) -> Partition:
        """The owner's image as it is held: for plans that the store refuses if it is out of date."""
        return self.at_hand(owner) or await self.current(owner)

    def at_hand(self, owner: Owner) -> Partition | None:
        """The owner's image if it is held, up to date or not; None if it is stale."""
        image = self._images.get(owner)
        return None if image is None or image.stale else image

    def empty(self, owner: Owner) -> Partition:
        """A new image into which nothing was read; it is not held."""
        return Partition(owner, self._space, self._dimension)

    async def current(self, owner: Owner) -> Partition:
        """The owner's image, brought up to date."""
        async with self._locks.setdefault(owner, asyncio.Lock()):
            image = self._images.get(owner) or self.empty(owner)
            image = await self._refresh(image)
            self._keep(image)
            return image

    async def _refresh(self, image: Partition) -> Partition:
        if image.seq and not image.stale and (await self._store.find(image.owner)).state.seq == image.seq:
            return image
        if not image.seq:
            await self.uses.settle(image.owner)
        page = await self._store.find(image.owner, *self._queries(image))
        if image.seq and (page.state.dropped > image.dropped or image.damaged):  # or it may have been repaired
            return await self._refresh(self.empty(image.owner))
        image.absorb(*page.rows)
        image.damaged += page.damaged
        image.tombstones.update(
            one.row.id for one in page.damaged if isinstance(one.row, Tombstone)
        )  # they bind anyhow
        image.seq, image.dropped = page.state.seq, page.state.dropped
        if image.stale:
            return await self._refresh(self.empty(image.owner))
        return image

    def _queries(self, image: Partition) -> list[Query[Any]]:
        narrowed: dict[type, tuple[Where, ...]] = {Vector: (Where("space", "=", self._space),)}
        if not image.seq:  # later, it must learn which versions were superseded
            narrowed[Record] = (Where("superseded_at", "is", None),)
        tenant, user = image.owner
        return [
            Query(kind=kind, tenant=tenant, user=user, after=image.seq, where=narrowed.get(kind, ()), lenient=True)
            for kind in HELD
        ]

    def used(self, owner: Owner, records: Iterable[str], now: datetime) -> None:
        """Count a use of the records with these ids."""
        if owner in self._images:
            self.uses.count(owner, self._images[owner].use(records, now), now)

    def forget(self, owner: Owner) -> None:
        """Drop an image, so that the next reader builds it anew."""
        if self._images.pop(owner, None):
            self._held -= self._sizes.pop(owner)

    def _keep(self, image: Partition) -> None:
        """Hold `image` as the most recently used, and evict others while all together are too large."""
        self._images[image.owner] = image
        self._images.move_to_end(image.owner)
        size = image.nbytes  # only of this one: there may be thousands
        self._held += size - self._sizes.get(image.owner, 0)
        self._sizes[image.owner] = size
        while self._held > self._max_bytes and len(self._images) > 1:
            least_used = next(iter(self._images))
            self.forget(least_used)
            self.uses.flush(least_used)  # or they would wait until somebody asks for the owner
