"""Working memory in an unlogged table of the store's PostgreSQL database."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from types import MappingProxyType

from psycopg import AsyncConnection, sql

from memoranda.core.rows.cells import Cell, Content, Place, check_versions
from memoranda.errors import StoreUnavailableError
from memoranda.stores.postgres.connections import READ, WRITE, Connections

_HERE = sql.SQL('(tenant, "user", agent, channel, kind, place) = (%s, %s, %s, %s, %s, %s)')
_READ = sql.SQL("SELECT name, text, version, expires, at FROM cells WHERE {}").format(_HERE)
_LOCK = """
    INSERT INTO cells VALUES (%s, %s, %s, %s, %s, %s, '', '', '', NULL, %s)
    ON CONFLICT (tenant, "user", agent, channel, kind, place, name) DO UPDATE SET at = excluded.at
"""
_VERSIONS = sql.SQL("SELECT name, version FROM cells WHERE {} AND name <> ''").format(_HERE)
_DROP = sql.SQL("DELETE FROM cells WHERE {} AND name = ANY (%s)").format(_HERE)
_PUT = """
    INSERT INTO cells SELECT %s, %s, %s, %s, %s, %s, * , NULL::timestamptz
    FROM unnest(%s::text[], %s::text[], %s::text[], %s::timestamptz[])
    ON CONFLICT (tenant, "user", agent, channel, kind, place, name)
    DO UPDATE SET text = excluded.text, version = excluded.version, expires = excluded.expires
"""
_IDLE = """
    SELECT tenant, "user", agent, channel, kind, place FROM cells
    WHERE tenant = %(tenant)s AND at < %(before)s AND (%(user)s::text IS NULL OR "user" = %(user)s)
    ORDER BY at, "user", agent, channel, kind, place LIMIT %(limit)s
"""


class PostgresCache:
    """`ports.Cache` on the connections of a `PostgresStore`. The store closes them."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._open = True

    async def read(self, place: Place) -> Content:
        async with self._transaction(READ, place.tenant) as conn:
            found = await conn.execute(_READ, place)
            await conn.execute("COMMIT")
            rows = {name: row for name, *row in await found.fetchall()}
        [*_, at] = rows.pop("", [None])
        return Content({name: Cell(*row[:3]) for name, row in rows.items()}, at)

    async def write(
        self,
        place: Place,
        cells: Mapping[str, Cell | None],
        at: datetime,
        *,
        expect: Mapping[str, str | None] = MappingProxyType({}),
        keep: timedelta | None = None,  # noqa: ARG002 - cells stay until the place is emptied
    ) -> None:
        put = [(name, cell.text, cell.version, cell.expires) for name, cell in cells.items() if cell is not None]
        gone = [name for name, cell in cells.items() if cell is None]
        async with self._transaction(WRITE, place.tenant) as conn:
            await conn.execute(_LOCK, [*place, at])
            versions = await conn.execute(_VERSIONS, place)
            held: dict[str, str] = dict(await versions.fetchall())
            check_versions(place, expect, held)
            left = (held.keys() | cells.keys()) - {*gone}
            await conn.execute(_DROP, [*place, gone if left else [*gone, ""]])
            if put:
                await conn.execute(_PUT, [*place, *map(list, zip(*put, strict=True))])
            await conn.execute("COMMIT")

    async def idle(
        self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None
    ) -> Sequence[Place]:
        async with self._transaction(READ, tenant) as conn:
            asked = {"tenant": tenant, "before": before, "user": user, "limit": limit}
            found = await conn.execute(_IDLE, asked)
            await conn.execute("COMMIT")
            return [Place(*row) for row in await found.fetchall()]

    async def close(self) -> None:
        self._open = False

    def _transaction(self, begin: str, tenant: str) -> AbstractAsyncContextManager[AsyncConnection]:
        if not self._open:
            raise StoreUnavailableError("This cache was closed: open it again.")
        return self._connections.transaction(begin, tenant)
