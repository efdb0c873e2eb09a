"""A pool of connections that work as the role `memstrata_app`, with a cheap check that the server is still there."""

import selectors
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolClosed

from memoranda.errors import InputError, StoreUnavailableError
from memoranda.stores.postgres.faults import mapped
from memoranda.stores.postgres.migrate import migrate, prove_isolation, search_path, work_as_app

READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
#: Explicit, whatever the database's default: after taking the owner's lock, a writer must see the last commit.
WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED"
_NAME_TENANT = "SELECT set_config('memstrata.tenant', %s, true)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """The address of a database, and a pool of connections to it.

    Attributes:
        url, options: how to connect as the login role.
        schema: the schema that holds the tables.
        path: the search path of the connections.
        version: the version of the schema.
        pool: connections that work as `memstrata_app`.
    """

    url: str
    options: dict[str, Any]
    schema: str
    path: str
    version: int
    pool: AsyncConnectionPool[AsyncConnection]

    @classmethod
    async def open(cls, url: str, schema: str, pool_size: int, pool_timeout: float) -> Self:
        """Connect, migrate, prove that tenants are isolated, and fill the pool.

        Raises:
            InputError: `url` is not a valid address.
            MemorandaError: see `PostgresStore.open`.
        """
        try:
            psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise InputError(f"This is no address of a PostgreSQL database: {str(error).partition(':')[0]}.") from error
        options: dict[str, Any] = {
            "autocommit": True,
            "connect_timeout": max(1, round(pool_timeout)),
            "tcp_user_timeout": round(1000 * pool_timeout),
            "application_name": "memoranda",
        }

        async def configure(conn: AsyncConnection) -> None:
            await work_as_app(conn, path)

        with mapped():
            async with await AsyncConnection.connect(url, **options) as login:
                version = await migrate(login, schema)
                path = await search_path(login, schema)
                await work_as_app(login, path)
                await prove_isolation(login, schema)
            pool = AsyncConnectionPool(
                url, kwargs=options, min_size=1, max_size=pool_size, configure=configure, open=False,
                timeout=pool_timeout, reconnect_timeout=pool_timeout, name=f"memoranda {schema}",
            )  # fmt: skip
            # Wait: an event loop that is closed while a connection is being made would hang.
            await pool.open(wait=True, timeout=pool_timeout)
        return cls(url=url, options=options, schema=schema, path=path, version=version, pool=pool)

    async def close(self) -> None:
        """Close all connections. Closing twice is no error."""
        await self.pool.close()

    @asynccontextmanager
    async def login(self) -> AsyncIterator[AsyncConnection]:
        """Yield a separate connection that works as the login role, for what only the owner of the tables may do."""
        with mapped():
            async with await AsyncConnection.connect(self.url, **self.options) as conn:
                await conn.execute("SELECT set_config('search_path', %s, false)", [self.path])
                yield conn

    @asynccontextmanager
    async def transaction(self, begin: str, tenant: str) -> AsyncIterator[AsyncConnection]:
        """Yield a connection inside a transaction that sees only the rows of `tenant`.

        It runs as a pipeline: statements are sent when an answer is fetched. An error rolls it back. Sending COMMIT
        as the last statement saves a round trip.

        Raises:
            StoreError: the subclass that corresponds to the database's error.
        """
        with mapped():
            conn = await self._take()
            try:
                async with conn, conn.pipeline():
                    await conn.execute(begin)
                    await conn.execute(_NAME_TENANT, [tenant])
                    yield conn
            finally:
                await self.pool.putconn(conn)

    async def _take(self) -> AsyncConnection:
        try:
            conn, alive = await self.pool.getconn(), False
            try:
                alive = await _is_alive(conn)
            finally:  # also return the connection if the check is cancelled
                if not alive:
                    await self.pool.putconn(conn)
            if not alive:
                await self.pool.check()
                conn = await self.pool.getconn()
        except PoolClosed as error:
            raise StoreUnavailableError("This store was closed: open it again.") from error
        return conn


async def _is_alive(conn: AsyncConnection) -> bool:
    """Whether the server still holds `conn`. An idle connection is readable only if it is about to end."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(conn.fileno(), selectors.EVENT_READ)
            if selector.select(0):
                await AsyncConnectionPool.check_connection(conn)
    except psycopg.OperationalError:
        return False
    return True
