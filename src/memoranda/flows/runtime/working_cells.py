"""Reading and changing working memory, even while its cache is down.

A change is a pure plan against the current cells, repeated until nobody else wrote in between (compare-and-set). Copies
of the places used last are kept in this process. If the cache does not answer, a conversation continues with its copy,
and the changes made meanwhile are merged into the cache as soon as it answers again.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from memoranda.core.base.scope import GLOBAL, Owner
from memoranda.core.rows import Tombstone
from memoranda.core.rows.cells import Cell, Content, Place
from memoranda.core.strata.working import Desk, Limits, allowed, hosted, rejoined, rests_on
from memoranda.core.text.forgotten import Forgotten
from memoranda.errors import (
    ConflictError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)
from memoranda.flows.runtime.leases import LEASE
from memoranda.ports import Cache, Clock, Ids, Query, Store

ATTEMPTS = 1_000
_COPIES = 1_000  # the most places of which this process keeps a copy
_PAUSE = timedelta(seconds=2)  # how long a cache that was down is left alone
#: Failures of the whole cache or store. Any other error concerns one call, and must not be shown to all others.
DOWN = (StoreUnavailableError, StoreFullError, StoreReadOnlyError)
_EVER = datetime.max.replace(tzinfo=UTC)

_T = TypeVar("_T")


@dataclass(slots=True)
class _Apart:
    """A place that was changed here while the cache was down: its content at that time, and what was written since."""

    base: Content
    written: dict[str, Cell | None]
    since: datetime


_NOWHERE = Place("_ready", "_ready", "", GLOBAL, "conversation", "_ready")  # where nothing is kept


class Desks:
    """The working memory of all conversations.

    Args:
        cache: where it lies; `store`: knows what was forgotten.
        clock: tells the time; `ids`: names versions.
        limits: how much it holds, and for how long.
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
        self._barred: OrderedDict[Owner, tuple[Forgotten, int]] = OrderedDict()
        self._problem: tuple[str, ...] = ()

    async def ask(self) -> None:
        """Ask the cache for something.

        Raises:
            StoreError: it does not answer.
        """
        await self._cache.read(_NOWHERE)

    async def forgotten(self, owner: Owner) -> Forgotten:
        """What was forgotten of an owner; as far as this process knows, if the store is down."""
        barred, seq = self._barred.setdefault(owner, (Forgotten(), 0))
        with suppress(*DOWN):
            query = Query(kind=Tombstone, tenant=owner.tenant, user=owner.user, after=seq)
            page = await self._store.find(owner, query)
            barred.absorb(page.rows[0])
            self._barred[owner] = barred, max(seq, page.state.seq)
        self._barred.move_to_end(owner)
        while len(self._barred) > _COPIES:
            self._barred.popitem(last=False)
        return barred

    async def read(self, place: Place) -> tuple[Desk, tuple[str, ...]]:
        """The desk of a place, and what is down."""
        content, problem = await self._content(place)
        return Desk(content, self._clock(), self.limits), problem

    async def visit(self, place: Place) -> tuple[Desk, tuple[str, ...]]:
        """As `read`, for somebody who works there: what lies there lasts longer for it."""
        desk, problem = await self.read(place)
        return await self.change(place, lambda desk: desk) if desk.touched else (desk, problem)

    async def change(
        self, place: Place, plan: Callable[[Desk], _T], *, quiet: bool = False
    ) -> tuple[_T, tuple[str, ...]]:
        """Apply `plan` to the desk of a place; return its result once its changes are written, and what is down.

        `plan` may be called several times; its last result counts. A `quiet` change does not count as activity.

        Raises:
            StoreError: the cache is up and refuses this.
        """
        tried: dict[str, _T] = {}
        for _ in range(ATTEMPTS):
            content, problem = await self._content(place)
            for cell in content.cells.values():
                if cell.version in tried:  # the write was applied, and only its answer was lost
                    return tried[cell.version], problem
            desk = Desk(content, self._clock(), self.limits, quiet=quiet)
            made = plan(desk)
            if not desk.touched:
                return made, problem
            tried[version := self._ids()] = made
            cells, expect = desk.written(version, await self.forgotten(place.owner), place.agent or None)
            if problem:
                self._keep(place, cells, desk.active)
                return made, problem
            try:
                await self._cache.write(place, cells, desk.active, expect=expect, keep=desk.keep)
            except ConflictError:
                continue
            except DOWN as error:
                self._fall(error)
                continue
            if place not in self._apart:
                self._remember(place, _over(self._copies.get(place, content), cells, desk.active))
            return made, ()
        raise ConflictError(f"Gave up after {ATTEMPTS} attempts: this conversation is being written without a pause.")

    async def restore(self, place: Place, content: Content) -> tuple[int, tuple[str, ...]]:
        """Put back an older content of a place: what has neither expired nor been forgotten, nor is there by now.

        Returns:
            How many cells were put back, and what is down.
        """
        left = _left(place, content, await self.forgotten(place.owner))
        before = Desk(left, self._clock(), self.limits)

        def put(desk: Desk) -> int:
            names = before.names - desk.names
            for name in names:
                desk.put(name, before.get(name), before.expires(name))
            return len(names)

        return await self.change(place, put, quiet=True)

    async def places(self, tenant: str, user: str | None = None, before: datetime = _EVER) -> Sequence[Place]:
        """All places, or those last written before `before`.

        Raises:
            StoreError: the cache is down, so that they are not known.
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
        """Drop the copies of an owner's places."""
        for place in [place for place in self._copies if place.owner == owner]:
            del self._copies[place]

    async def close(self) -> None:
        """Write what the cache does not have yet, if it answers, and close it."""
        try:
            await self._catch_up()
        except DOWN as error:
            self._fall(error)
        await self._cache.close()

    async def _content(self, place: Place) -> tuple[Content, tuple[str, ...]]:
        if not self._problem or self._clock() >= self._again:
            self._again = self._clock() + _PAUSE  # callers in the meantime do not wait for a cache that was down
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
        return _left(place, self._copies.get(place, Content()), await self.forgotten(place.owner)), self._problem

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

    def _keep(self, place: Place, cells: Mapping[str, Cell | None], at: datetime) -> None:
        """Keep here what cannot be written now."""
        held = self._copies.get(place, Content())
        self._apart.setdefault(place, _Apart(held, {}, self._clock())).written.update(cells)
        self._remember(place, _over(held, cells, at))

    def _remember(self, place: Place, content: Content) -> None:
        self._copies[place] = content
        self._copies.move_to_end(place)
        while len(self._copies) > _COPIES and (old := next(iter(self._copies))) not in self._apart:
            del self._copies[old]

    async def _catch_up(self) -> None:
        """Write what was kept here, one call at a time, so that nothing is written behind whoever waited."""
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
                except StoreError as error:  # the next call for this place raises it
                    self._refused[place] = error
                late = {n: cell for n, cell in apart.written.items() if n not in kept or kept[n] is not cell}
                if late:
                    self._apart[place] = _Apart(_over(apart.base, kept, self._clock()), late, self._clock())
                else:
                    del self._apart[place]

    async def _hand_over(self, place: Place, base: Content, kept: Mapping[str, Cell | None]) -> None:
        """Write what was kept here for a place that held `base`."""
        desk, barred = (
            Desk(await self._cache.read(place), self._clock(), self.limits),
            await self.forgotten(place.owner),
        )
        if barred.bars((place.mark,), base.at or self._apart[place].since):
            kept = {name: cell for name, cell in kept.items() if not hosted(name)}
        _rejoin(desk, base, kept, {turn for turn in rests_on(_values(kept)) if barred.bars((turn,))})
        cells, expect = desk.written(self._ids(), barred, place.agent or None)
        if cells:
            await self._cache.write(place, cells, desk.now, expect=expect, keep=desk.keep)


def _left(place: Place, content: Content, barred: Forgotten) -> Content:
    """What is left of a copy kept here without what was forgotten since, by whatever process."""
    if not barred.since or barred.bars((place.mark,), content.at):
        return Content() if barred.since else content
    values = allowed(_values(content.cells), barred, place.agent or None)
    cells = {name: replace(content.cells[name], text=json.dumps(value)) for name, value in values.items()}
    return replace(content, cells=cells)


def _rejoin(desk: Desk, base: Content, kept: Mapping[str, Cell | None], forgotten: Collection[str]) -> None:
    """Merge into a desk what was changed elsewhere since it was `base`."""
    now = {name: desk.get(name) for name in desk.names}
    for name, value in rejoined(now, _values(base.cells), _values(kept), forgotten).items():
        cell = kept.get(name)
        if value is None:
            desk.drop(name)
        else:
            desk.put(name, value, None if cell is None else cell.expires)


def _values(cells: Mapping[str, Cell | None]) -> dict[str, Any]:
    return {name: None if cell is None else cell.value for name, cell in cells.items()}


def _over(content: Content, cells: Mapping[str, Cell | None], at: datetime) -> Content:
    """A content with some cells overwritten."""
    left = {name: cell for name, cell in {**content.cells, **cells}.items() if cell is not None}
    return Content(left, at if left else None)
