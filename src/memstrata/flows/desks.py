"""Reading and changing working memory, also while its cache is down.

A change is a pure plan against the cells as they are, made again until nobody else wrote in between. Of the places used
last a copy is kept: where the cache does not answer, a conversation goes on with that, and what was changed meanwhile
is joined with what the cache holds as soon as it answers again.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from memstrata.core.cells import Cell, Content, Place
from memstrata.core.rows import Tombstone
from memstrata.core.scope import Owner
from memstrata.core.working import Desk, Limits, rejoined, rests_on
from memstrata.errors import (
    ConflictError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)
from memstrata.flows.leases import LEASE
from memstrata.ports import Cache, Clock, Ids, Store

ATTEMPTS = 1_000
_COPIES = 1_000  # places of which this process keeps a copy
_PAUSE = timedelta(seconds=2)  # after which a cache that was down is asked again
#: Trouble of the whole cache or store. Anything else it refuses is one call's, and must not become that of all others.
DOWN = (StoreUnavailableError, StoreFullError, StoreReadOnlyError)
_EVER = datetime.max.replace(tzinfo=UTC)

_T = TypeVar("_T")


@dataclass(slots=True)
class _Apart:
    """A place that was changed here while the cache was down: what it held then, and what was written since."""

    base: Content
    written: dict[str, Cell | None]


class Desks:
    """The working memory of all conversations.

    Args:
        cache: where it lies; `store`: knows what was forgotten.
        clock: tells the time; `ids`: names versions.
        limits: how much it holds, and how long.
    """

    def __init__(self, cache: Cache, store: Store, clock: Clock, ids: Ids, limits: Limits) -> None:
        self._cache = cache
        self._store = store
        self._clock = clock
        self._ids = ids
        self.limits = limits
        self._copies: OrderedDict[Place, Content] = OrderedDict()
        self._apart: dict[Place, _Apart] = {}
        self._refused: dict[Place, StoreError] = {}
        self._catching_up = asyncio.Lock()
        self._again = _EVER
        self._problem: tuple[str, ...] = ()

    async def read(self, place: Place) -> tuple[Desk, tuple[str, ...]]:
        """What lies in a place, and what is down."""
        content, problem = await self._content(place)
        return Desk(content, self._clock(), self.limits), problem

    async def change(self, place: Place, plan: Callable[[Desk], _T]) -> tuple[_T, tuple[str, ...]]:
        """What `plan` answers about a place, when all that it changes there is written; and what is down.

        It may be called several times; its last answer counts.

        Raises:
            StoreError: the cache is up and refuses this.
        """
        tried: dict[str, _T] = {}
        for _ in range(ATTEMPTS):
            content, problem = await self._content(place)
            for cell in content.cells.values():
                if cell.version in tried:  # it was written, and only the answer was lost
                    return tried[cell.version], problem
            desk = Desk(content, self._clock(), self.limits)
            made = plan(desk)
            if not desk.touched:
                return made, problem
            tried[version := self._ids()] = made
            cells, expect = desk.written(version)
            if problem:
                self._keep(place, cells)
                return made, problem
            try:
                await self._cache.write(place, cells, desk.now, expect=expect, keep=desk.keep)
            except ConflictError:
                continue
            except DOWN as error:
                self._fall(error)
                continue
            if place not in self._apart:
                self._remember(place, _over(self._copies.get(place, content), cells, desk.now))
            return made, ()
        raise ConflictError(f"Gave up after {ATTEMPTS} attempts: this conversation is being written without a pause.")

    async def places(self, tenant: str, user: str | None = None, before: datetime = _EVER) -> Sequence[Place]:
        """The places there are, or those last written before then.

        Raises:
            StoreError: the cache is down: nobody can say.
        """
        try:
            await self._catch_up()
            found = await self._cache.idle(tenant, before, user=user)
        except DOWN as error:
            self._fall(error)
            raise
        self._problem = ()
        return [place for place in found if place.kind != LEASE]

    def forget(self, owner: Owner) -> None:
        """Let go of the copies of what an owner has."""
        for place in [place for place in self._copies if place.owner == owner]:
            del self._copies[place]

    async def close(self) -> None:
        """Hand over what the cache does not have yet, if it answers, and release it."""
        try:
            await self._catch_up()
        except DOWN as error:
            self._fall(error)
        await self._cache.close()

    async def _content(self, place: Place) -> tuple[Content, tuple[str, ...]]:
        if not self._problem or self._clock() >= self._again:
            self._again = self._clock() + _PAUSE  # whoever comes meanwhile does not wait for a cache that was down
            before = self._copies.get(place)
            try:
                content = await self._read(place)
            except DOWN as error:
                self._fall(error)
            else:
                self._problem = ()
                if self._copies.get(place) is before:  # or somebody has written since
                    self._remember(place, content)
                return content, ()
        return self._copies.get(place, Content()), self._problem

    async def _read(self, place: Place) -> Content:
        while True:
            await self._catch_up()
            if refused := self._refused.pop(place, None):
                raise refused
            content = await self._cache.read(place)
            if place not in self._apart:
                return content

    def _fall(self, error: StoreError) -> None:
        self._problem, self._again = (f"working memory: {error}",), self._clock() + _PAUSE

    def _keep(self, place: Place, cells: Mapping[str, Cell | None]) -> None:
        """Keep here what cannot be written now."""
        held = self._copies.get(place, Content())
        self._apart.setdefault(place, _Apart(held, {})).written.update(cells)
        self._remember(place, _over(held, cells, self._clock()))

    def _remember(self, place: Place, content: Content) -> None:
        self._copies[place] = content
        self._copies.move_to_end(place)
        while len(self._copies) > _COPIES and (old := next(iter(self._copies))) not in self._apart:
            del self._copies[old]

    async def _catch_up(self) -> None:
        """Write what was kept here; one call after the other, so that nothing is written behind whoever waited."""
        if not self._apart and not self._catching_up.locked():
            return
        async with self._catching_up:
            while self._apart:
                place, apart = next(iter(self._apart.items()))
                kept = dict(apart.written)
                try:
                    await self._hand_over(place, apart.base, kept)
                except ConflictError:
                    continue
                except DOWN:
                    raise
                except StoreError as error:  # whoever asks for this place is told
                    self._refused[place] = error
                late = {n: cell for n, cell in apart.written.items() if n not in kept or kept[n] is not cell}
                if late:
                    self._apart[place] = _Apart(_over(apart.base, kept, self._clock()), late)
                else:
                    del self._apart[place]

    async def _hand_over(self, place: Place, base: Content, kept: Mapping[str, Cell | None]) -> None:
        """Write what was kept here of a place that held `base`."""
        desk = Desk(await self._cache.read(place), self._clock(), self.limits)
        _rejoin(desk, base, kept, await self._forgotten(place.owner, kept))
        cells, expect = desk.written(self._ids())
        if cells:
            await self._cache.write(place, cells, desk.now, expect=expect, keep=desk.keep)

    async def _forgotten(self, owner: Owner, kept: Mapping[str, Cell | None]) -> set[str]:
        """Which turns of those kept here somebody has had forgotten meanwhile."""
        turns = [(turn,) for turn in rests_on(_values(kept))]
        return {row.id for row in await self._store.get(Tombstone, owner, turns) if row} if turns else set()


def _rejoin(desk: Desk, base: Content, kept: Mapping[str, Cell | None], forgotten: Collection[str]) -> None:
    """Lay on a desk what was changed elsewhere since it was `base`."""
    now = {name: desk.get(name) for name in desk.names}
    for name, value in rejoined(now, _values(base.cells), _values(kept), forgotten).items():
        cell = kept.get(name)
        if value is None:
            desk.drop(name)
        else:
            desk.put(name, value, None if cell is None else cell.expires)


def _values(cells: Mapping[str, Cell | None]) -> dict[str, Any]:
    return {name: None if cell is None else json.loads(cell.text) for name, cell in cells.items()}


def _over(content: Content, cells: Mapping[str, Cell | None], at: datetime) -> Content:
    """A content with some cells written."""
    left = {name: cell for name, cell in {**content.cells, **cells}.items() if cell is not None}
    return Content(left, at if left else None)
