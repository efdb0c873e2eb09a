"""The store on PostgreSQL.

Every call is one transaction that names its tenant first; row-level security does the rest. A call sends its
statements as pipelines: one round trip for a read, two for a write, whatever their number. A read sees one
snapshot. Writes wait for a lock on the owner's row, which is why a lower `seq` never appears after a higher one.

If the server goes away while it confirms a commit, the client cannot know whether the batch was committed, and the
call fails. Applying the batch again is safe, because adding a row that exists changes nothing.

Dropped rows disappear from all results at once. Their bytes leave the data files when (auto)vacuum and later writes
reuse the space, and leave the WAL and backups when those are recycled. A PostgreSQL client cannot speed that up.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from psycopg import AsyncConnection

from memoranda.core.base.scope import Owner
from memoranda.core.rows import SCALARS, R, Row, check_columns, key_of
from memoranda.core.rows.changes import Applied, Batch
from memoranda.errors import ConflictError
from memoranda.ports import Cache, Hit, Page, Probe, Query, State
from memoranda.stores.postgres import sql
from memoranda.stores.postgres.cache import PostgresCache
from memoranda.stores.postgres.connections import READ, WRITE, Connections
from memoranda.stores.postgres.plan import Key, asked, plan
from memoranda.stores.postgres.probes import Probes

_LOCK = """
    INSERT INTO owners AS mine (tenant, "user", seq, dropped) VALUES (%s, %s, 0, 0)
    ON CONFLICT (tenant, "user") DO UPDATE SET seq = mine.seq RETURNING seq, dropped
"""
_ADVANCE = 'UPDATE owners SET seq = %s, dropped = %s WHERE tenant = %s AND "user" = %s'
_STATE = 'SELECT seq, dropped FROM owners WHERE tenant = %s AND "user" = %s'
_FACTS = """
    SELECT tenants, users, (
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    )::bigint FROM census()
"""


_REMAINS = """
    SELECT current_setting('autovacuum') = 'on', current_setting('checkpoint_timeout'),
        current_setting('max_wal_size'), current_setting('wal_keep_size'), current_setting('archive_mode') <> 'off',
        ARRAY(SELECT slot_name::text FROM pg_replication_slots ORDER BY 1)
"""


class PostgresStore:
    """`ports.Store` on PostgreSQL 15 or later with pgvector 0.8 or later."""

    def __init__(self, connections: Connections, probes: Probes) -> None:
        self._connections = connections
        self._probes = probes

    @classmethod
    async def open(
        cls, url: str, *, schema: str = "memstrata", pool_size: int = 8, pool_timeout: float = 5.0, exact: int = 20_000
    ) -> Self:
        """Connect, bring the schema up to date, and prove that tenants are isolated.

        Args:
            url: `postgresql://…`, with a login that may create roles, schemas and extensions. Any login that has been
                granted `memstrata_app` will do once such a login has opened the store.
            schema: the schema for the tables; several stores can share a database.
            pool_size: the largest number of connections.
            pool_timeout: seconds to wait for a connection before a call fails.
            exact: the largest number of vectors an owner may have in a space to be searched without an index.

        Raises:
            InputError: `url` is not a valid address.
            StoreVersionError: a newer memoranda wrote the schema.
            CapabilityError: the server is older, pgvector is missing, or the login may not set up the schema.
            IsolationError: one tenant could read another, or the login may not work as memoranda's role.
            StoreError: the database cannot be reached.
        """
        connections = await Connections.open(url, schema, pool_size, pool_timeout)
        return cls(connections, Probes(connections, exact))

    async def apply(self, batch: Batch) -> Applied:
        tenant, user = batch.owner
        async with self._connections.transaction(WRITE, tenant) as conn:
            lock = await conn.execute(_LOCK, [tenant, user])
            present = [(kind, await _ask(conn, sql.present(kind.__table__), batch.owner, kind, keys))
                       for kind, keys in asked(batch).items()]  # fmt: skip
            [(seq, dropped)] = await lock.fetchall()
            if batch.expect not in {None, seq}:
                raise ConflictError(f"Planned against change {batch.expect} of {batch.owner}, which is at {seq}.")
            keys = [(kind, key) for kind, cursor in present for key in await cursor.fetchall()]
            outcome = plan(batch, State(seq=seq, dropped=dropped), keys)
            for shape, rows in outcome.statements:
                await conn.execute(sql.write(shape), [sql.document(rows)])
            await conn.execute(_ADVANCE, [outcome.state.seq, outcome.state.dropped, tenant, user])
            await conn.execute("COMMIT")
        return Applied(seq=outcome.state.seq, taken=frozenset(outcome.taken))

    async def get(self, kind: type[R], owner: Owner, keys: Sequence[tuple[Any, ...]]) -> list[R | None]:
        async with self._connections.transaction(READ, owner.tenant) as conn:
            found = await _ask(conn, sql.get(kind.__table__), owner, kind, keys)
            await conn.execute("COMMIT")
            rows = {key_of(row): row for row in sql.rows(kind, await found.fetchall())}
        return [rows.get(tuple(key)) for key in keys]

    async def find(self, owner: Owner, *queries: Query[Any]) -> Page:
        async with self._connections.transaction(READ, owner.tenant) as conn:
            state = await conn.execute(_STATE, owner)
            found = [await conn.execute(*sql.select(query), binary=True) for query in queries]
            await conn.execute("COMMIT")
            standing = await state.fetchone() or (0, 0)
            answers = [await cursor.fetchall() for cursor in found]
        rows = (sql.rows(query.kind, answer) for query, answer in zip(queries, answers, strict=True))
        return Page(state=State(seq=standing[0], dropped=standing[1]), rows=tuple(map(tuple, rows)))

    async def count(self, query: Query[Any], by: str | None = None) -> Mapping[Any, int]:
        if by is not None:
            check_columns(query.kind, (by,), *SCALARS)
        async with self._connections.transaction(READ, query.tenant) as conn:
            found = await conn.execute(*sql.count(query, by))
            await conn.execute("COMMIT")
            return dict(await found.fetchall())

    async def probe(self, probe: Probe) -> list[Hit]:
        return await self._probes.answer(probe)

    async def describe(self) -> Mapping[str, Any]:
        async with self._connections.transaction(READ, "") as conn:
            [(tenants, users, size)] = await (await conn.execute(_FACTS)).fetchall()
        return {
            "kind": "postgres",
            "version": self._connections.version,
            "bytes": size,
            "problems": list(self._probes.problems.values()),
            "tenants": tenants,
            "users": users,
        }

    async def remains(self) -> Sequence[str]:
        async with self._connections.transaction(READ, "") as conn:
            [facts] = await (await conn.execute(_REMAINS)).fetchall()
        return _remains(*facts)

    @property
    def place(self) -> tuple[str, str]:
        """The address and the schema, used to open the job queue beside the store."""
        return self._connections.url, self._connections.schema

    def cache(self) -> Cache:
        """Return this store's cache for working memory."""
        return PostgresCache(self._connections)

    async def close(self) -> None:
        await self._probes.close()
        await self._connections.close()


def _remains(vacuums: bool, pause: str, most: str, kept: str, archived: bool, slots: list[str]) -> list[str]:
    """Where dropped rows can still be read, given what the server is set to."""
    cleaned = "autovacuum has cleaned them" if vacuums else "VACUUM is run, because autovacuum is off"
    more = "" if kept == "0" else f", of which wal_keep_size keeps {kept} besides"
    found = [
        f"The data files hold the dropped rows until {cleaned} and other rows overwrite them.",
        (
            f"pg_wal holds them until its segments are recycled: not before the second checkpoint from now "
            f"(checkpoint_timeout is {pause}, max_wal_size {most}){more}; CHECKPOINT makes one at once."
        ),
    ]
    found += [f"Replication slot {slot} keeps pg_wal until its reader has passed this point." for slot in slots]
    if archived:
        found.append("archive_mode is on: archived segments hold them until the archive is pruned.")
    return [*found, "Replicas follow as they replay; backups and dumps made before hold them until they are deleted."]


async def _ask(conn: AsyncConnection, text: bytes, owner: Owner, kind: type[Row], keys: Sequence[Key]) -> Any:
    """Execute a statement about the rows of `owner` with these keys."""
    names = [dict(zip(kind.__key__, key, strict=True), tenant=owner.tenant, user=owner.user) for key in keys]
    return await conn.execute(text, [sql.document(names)], binary=True)
