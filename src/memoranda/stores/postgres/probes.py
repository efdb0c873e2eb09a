"""Candidates from PostgreSQL's own indexes.

While an owner has few vectors, they are scanned: exact, 8 ms for 12,000 vectors of 384 dimensions, and nothing to
maintain. An HNSW index makes writing a vector six times as expensive for every owner, and has poor recall for an
owner with few vectors among many. So a space gets an index only when a probe meets an owner with more than `exact`
vectors in it. It is built after that probe is answered, concurrently and on its own connection, so nobody waits.
"""

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from psycopg import AsyncConnection, sql

from memoranda.errors import MemorandaError
from memoranda.ports import Hit, Probe
from memoranda.stores.postgres.connections import READ, Connections
from memoranda.stores.postgres.sql import halfvec

RETRY = 600.0  # seconds before a failed index build is tried again

_TEXT = "SELECT ref, score FROM search_passages(%(user)s, %(terms)s::text[], %(channels)s::text[], %(limit)s)"

#: True if the vector's passage is in the channels. A scalar subquery: a join would lose the order of the vectors.
_IS_PASSAGE = sql.SQL("""(
    SELECT true FROM passages AS passage
    WHERE passage.tenant = one.tenant AND passage."user" = one."user" AND passage.ref = one.ref
        AND (cardinality(%(channels)s::text[]) = 0 OR passage.channel = ANY (%(channels)s::text[]))
)""")
_EXACT = sql.SQL("""
    SELECT ref, 1 - distance FROM (
        SELECT tenant, "user", ref, data <=> %(vector)s::halfvec AS distance FROM vectors
        WHERE tenant = %(tenant)s AND "user" = %(user)s AND space = %(space)s
        ORDER BY distance, ref
    ) AS one WHERE {is_passage} ORDER BY distance, ref LIMIT %(limit)s
""").format(is_passage=_IS_PASSAGE)
#: Space and size are literals; otherwise the planner does not recognise that the partial index applies.
_NEAREST = sql.SQL("""
    SELECT ref, 1 - (data::halfvec({size}) <=> %(vector)s::halfvec({size})) FROM vectors AS one
    WHERE tenant = %(tenant)s AND "user" = %(user)s AND space = {space} AND vector_dims(data) = {size}
        AND {is_passage}
    ORDER BY data::halfvec({size}) <=> %(vector)s::halfvec({size}) LIMIT %(limit)s
""")
#: The count has shown that the index pays off, but without fresh statistics the planner would prefer a sort.
_SETTINGS = """
    SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('enable_sort', 'off', true),
        set_config('hnsw.ef_search', least(1000, greatest(100, 2 * %(limit)s))::text, true)
"""
_SITUATION = """
    SELECT count(*) > %(exact)s, (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%(index)s)) FROM (
        SELECT FROM vectors WHERE tenant = %(tenant)s AND "user" = %(user)s AND space = %(space)s
        LIMIT %(exact)s + 1
    ) AS counted
"""
_CREATE = sql.SQL("""
    CREATE INDEX CONCURRENTLY {name} ON vectors USING hnsw ((data::halfvec({size})) halfvec_cosine_ops)
    WHERE space = {space} AND vector_dims(data) = {size}
""")


@dataclass(slots=True)
class Probes:
    """Answers probes, and builds the indexes they need.

    Attributes:
        exact: the largest number of vectors an owner may have in a space to be searched without an index.
        builds: the last build that this process started of each index, by index name; `begun`: when.
        problems: why a build failed, by index name.
    """

    connections: Connections
    exact: int
    builds: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    begun: dict[str, float] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    async def answer(self, probe: Probe) -> list[Hit]:
        """Return the candidates for `probe`, best first."""
        values = {"tenant": probe.owner.tenant, "user": probe.owner.user, "limit": probe.limit,
                  "channels": list(probe.channels), "space": probe.space}  # fmt: skip
        if probe.vector is None:
            # Truncated as the SQL function words() truncates what it indexes.
            values["terms"] = [term[:200] for term in dict.fromkeys(probe.terms) if term]
            async with self.connections.transaction(READ, probe.owner.tenant) as conn:
                cursor = await conn.execute(_TEXT, values)
                await conn.execute("COMMIT")
                found = await cursor.fetchall()
        else:
            size = probe.vector.size
            values |= {"vector": halfvec(probe.vector), "exact": self.exact, "index": _index(probe.space, size)}
            async with self.connections.transaction(READ, probe.owner.tenant) as conn:
                found = await self._nearest(conn, probe.space, size, values)
        return sorted((Hit(ref, score) for ref, score in found), key=lambda hit: (-hit.score, hit.ref))

    async def _nearest(self, conn: AsyncConnection, space: str, size: int, values: dict[str, Any]) -> list[Any]:
        [(many, valid)] = await (await conn.execute(_SITUATION, values)).fetchall()
        if many and valid:
            await conn.execute(_SETTINGS, values)
            query = _NEAREST.format(size=sql.Literal(size), space=sql.Literal(space), is_passage=_IS_PASSAGE)
            if found := await (await conn.execute(query, values)).fetchall():
                return found
        elif many:
            self._build(space, size)
        # Also if the index finds nothing: the exact scan fails for vectors of another size, and is empty for none.
        return await (await conn.execute(_EXACT, values)).fetchall()

    def _build(self, space: str, size: int) -> None:
        """Start building an index, unless a build is running or was started less than `RETRY` seconds ago."""
        name, now = _index(space, size), asyncio.get_running_loop().time()
        if name not in self.builds or (self.builds[name].done() and now >= self.begun[name] + RETRY):
            self.begun[name] = now
            self.builds[name] = asyncio.create_task(self._create(name, space, size))

    async def _create(self, name: str, space: str, size: int) -> None:
        names = {"name": sql.Identifier(name), "space": sql.Literal(space), "size": sql.Literal(size)}
        try:
            async with self.connections.login() as conn:
                lock = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
                if await (await conn.execute(lock, [name])).fetchone() == (True,):
                    # An index left unfinished is unusable.
                    await conn.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {name}").format(**names))
                    await conn.execute(_CREATE.format(**names))
        except MemorandaError as error:
            self.problems[name] = f"Space {space} is searched without an index, which could not be built: {error}"
        else:
            self.problems.pop(name, None)

    async def close(self) -> None:
        """Cancel all builds."""
        for build in self.builds.values():
            build.cancel()
        await asyncio.gather(*self.builds.values(), return_exceptions=True)


def _index(space: str, size: int) -> str:
    return f"vectors_hnsw_{sha256(f'{size} {space}'.encode()).hexdigest()[:16]}"
