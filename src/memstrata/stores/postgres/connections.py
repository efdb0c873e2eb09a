"""A pool of connections that each work as `memstrata_app` and find out cheaply whether the server is still there."""

import selectors
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolClosed

from memstrata.errors import InputError, StoreUnavailableError
from memstrata.stores.postgres.faults import mapped
from memstrata.stores.postgres.migrate import migrate, prove_isolation, search_path, work_as_app

READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
#: Whatever the database's default: behind the owner's lock, what the last writer left must be seen.
WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED"
_NAME_TENANT = "SELECT set_config('memstrata.tenant', %s, true)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """Where the database is, and connections to it.

    Attributes:
        url, options: how to connect as the login.
        schema: where the tables are.
        path: the search path to work in.
        version: the schema's.
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
        """Connect, migrate, prove that tenants are apart, and fill the pool.

        Raises:
            InputError: `url` is no address.
            MemstrataError: as `PostgresStore.open` says.
        """
        try:
            psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise InputError(f"This is no address of a PostgreSQL database: {str(error).partition(':')[0]}.") from error
        options: dict[str, Any] = {
            "autocommit": True,
            "connect_timeout": max(1, round(pool_timeout)),
            "tcp_user_timeout": round(1000 * pool_timeout),
            "application_name": "memstrata",
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
                timeout=pool_timeout, reconnect_timeout=pool_timeout, name=f"memstrata {schema}",
            )  # fmt: skip
            # Waiting, for a loop that ended while a connection is being made would never end.
            await pool.open(wait=True, timeout=pool_timeout)
        return cls(url=url, options=options, schema=schema, path=path, version=version, pool=pool)

    async def close(self) -> None:
        """Close all of them. Closing twice is no error."""
        await self.pool.close()

    @asynccontextmanager
    async def login(self) -> AsyncIterator[AsyncConnection]:
        """A connection of its own that works as the login, for what only the owner of the tables may do."""
        with mapped():
            async with await AsyncConnection.connect(self.url, **self.options) as conn:
                await conn.execute("SELECT set_config('search_path', %s, false)", [self.path])
                yield conn

    @asynccontextmanager
    async def transaction(self, begin: str, tenant: str) -> AsyncIterator[AsyncConnection]:
        """A transaction that sees what `tenant` has, in a pipeline: statements are sent when an answer is fetched.

        An error rolls it back. Whoever sends COMMIT as the last statement saves a round trip.

        Raises:
            StoreError: of the kind that the database's error means.
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
            finally:  # whoever gives up while asking gives the connection back, too
                if not alive:
                    await self.pool.putconn(conn)
            if not alive:
                await self.pool.check()
                conn = await self.pool.getconn()
        except PoolClosed as error:
            raise StoreUnavailableError("This store was closed: open it again.") from error
        return conn


async def _is_alive(conn: AsyncConnection) -> bool:
    """Whether the server holds `conn`. An idle connection has nothing to say unless it is about to end."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(conn.fileno(), selectors.EVENT_READ)
            if selector.select(0):
                await AsyncConnectionPool.check_connection(conn)
    except psycopg.OperationalError:
        return False
    return True
