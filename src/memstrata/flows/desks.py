"""Reading and changing working memory, also while its cache is down.

A change is a pure plan against the cells as they are, made again until nobody else wrote in between. Of the places used
last a copy is kept: where the cache does not answer, a conversation goes on with that, and what was changed meanwhile
is joined with what the cache holds as soon as it answers again.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from memstrata.core.cells import Cell, Content, Place
from memstrata.core.scope import Owner
from memstrata.core.working import Desk, Limits, rejoined
from memstrata.errors import ConflictError, StoreError
from memstrata.ports import Cache, Clock, Ids

ATTEMPTS = 1_000
_COPIES = 1_000  # places of which this process keeps a copy
_PAUSE = timedelta(seconds=2)  # after which a cache that was down is asked again
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
        cache: where it lies.
        clock: tells the time; `ids`: names versions.
        limits: how much it holds, and how long.
    """

    def __init__(self, cache: Cache, clock: Clock, ids: Ids, limits: Limits) -> None:
        self._cache = cache
        self._clock = clock
        self._ids = ids
        self.limits = limits
        self._copies: OrderedDict[Place, Content] = OrderedDict()
        self._apart: dict[Place, _Apart] = {}
        self._problem: tuple[str, ...] = ()
        self._again = _EVER

    async def read(self, place: Place) -> tuple[Desk, tuple[str, ...]]:
        """What lies in a place, and what is down."""
        content, problem = await self._content(place)
        return Desk(content, self._clock(), self.limits), problem

    async def change(self, place: Place, plan: Callable[[Desk], _T]) -> tuple[_T, tuple[str, ...]]:
        """What `plan` answers about a place, when all that it changes there is written; and what is down.

        It may be called several times; its last answer counts.
        """
        for _ in range(ATTEMPTS):
            desk, problem = await self.read(place)
            made = plan(desk)
            if not desk.touched:
                return made, problem
            cells, expect = desk.written(self._ids())
            if problem:
                self._keep(place, cells)
                return made, problem
            try:
                await self._cache.write(place, cells, desk.now, expect=expect, keep=desk.keep)
            except ConflictError:
                continue
            except StoreError as error:
                self._fall(error)
                continue
            self._remember(place, _over(self._copies[place], cells, desk.now))
            return made, ()
        raise ConflictError(f"Gave up after {ATTEMPTS} attempts: this conversation is being written without a pause.")

    async def places(self, tenant: str, user: str | None = None, before: datetime = _EVER) -> Sequence[Place]:
        """The places there are, or those last written before then.

        Raises:
            StoreError: the cache is down: nobody can say.
        """
        await self._catch_up()
        return await self._cache.idle(tenant, before, user=user)

    def forget(self, owner: Owner) -> None:
        """Let go of the copies of what an owner has."""
        for place in [place for place in self._copies if place.owner == owner]:
            del self._copies[place]

    async def close(self) -> None:
        """Hand over what the cache does not have yet, if it answers, and release it."""
        try:
            await self._catch_up()
        except StoreError as error:
            self._fall(error)
        await self._cache.close()

    async def _content(self, place: Place) -> tuple[Content, tuple[str, ...]]:
        if not self._problem or self._clock() >= self._again:
            try:
                await self._catch_up()
                content = await self._cache.read(place)
            except StoreError as error:
                self._fall(error)
            else:
                self._problem = ()
                self._remember(place, content)
                return content, ()
        return self._copies.get(place, Content()), self._problem

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
        """Write what was kept here."""
        while self._apart:
            place, apart = next(iter(self._apart.items()))
            held = await self._cache.read(place)
            mine = {name: None if cell is None else json.loads(cell.text) for name, cell in apart.written.items()}
            joined = rejoined(_values(held), _values(apart.base), mine)
            desk = Desk(held, self._clock(), self.limits)
            for name, value in joined.items():
                cell = apart.written[name]
                if value is None or value == []:
                    desk.drop(name)
                else:
                    desk.put(name, value, None if cell is None else cell.expires)
            cells, expect = desk.written(self._ids())
            try:
                await self._cache.write(place, cells, desk.now, expect=expect, keep=desk.keep)
            except ConflictError:
                continue
            del self._apart[place]


def _values(content: Content) -> dict[str, Any]:
    return {name: json.loads(cell.text) for name, cell in content.cells.items()}


def _over(content: Content, cells: Mapping[str, Cell | None], at: datetime) -> Content:
    """A content with some cells written."""
    left = {name: cell for name, cell in {**content.cells, **cells}.items() if cell is not None}
    return Content(left, at if left else None)
