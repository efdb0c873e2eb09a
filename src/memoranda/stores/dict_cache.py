"""The reference cache: a dict that is lost when the process ends."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType

from memoranda.core.rows.cells import Cell, Content, Place, check_versions
from memoranda.errors import StoreUnavailableError


class DictCache:
    """`ports.Cache` in memory."""

    def __init__(self) -> None:
        self._places: dict[Place, Content] = {}
        self._open = True

    async def read(self, place: Place) -> Content:
        self._check_open()
        return self._places.get(place, Content())

    async def write(
        self,
        place: Place,
        cells: Mapping[str, Cell | None],
        at: datetime,
        *,
        expect: Mapping[str, str | None] = MappingProxyType({}),
        keep: timedelta | None = None,  # noqa: ARG002 - contents end with the process
    ) -> None:
        self._check_open()
        held = self._places.get(place, Content()).cells
        check_versions(place, expect, {name: cell.version for name, cell in held.items()})
        left = {name: cell for name, cell in {**held, **cells}.items() if cell is not None}
        if left:
            self._places[place] = Content(left, at)
        else:
            self._places.pop(place, None)

    async def idle(
        self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None
    ) -> Sequence[Place]:
        self._check_open()
        found = [
            (content.at, place)
            for place, content in self._places.items()
            if place.tenant == tenant and user in {None, place.user} and content.at and content.at < before
        ]
        return [place for _, place in sorted(found)][:limit]

    async def close(self) -> None:
        self._open = False
        self._places.clear()

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailableError("This cache was closed: open it again.")
