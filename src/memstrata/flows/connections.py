"""Connections: what was learned about each, and what its tool answered, kept for a while.

Only what belongs to an active connection, one that the scope names, is there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from inspect import isawaitable

from memstrata.core.changes import Change, Drop, Put
from memstrata.core.checks import brief, check_seconds, require
from memstrata.core.formats.document import Node
from memstrata.core.formats.values import plain
from memstrata.core.places import Place, places
from memstrata.core.profile import project
from memstrata.core.results import Leaf
from memstrata.core.rows import ConnectionCache, Json, key_of
from memstrata.core.scope import Scope, check_identifier, visible
from memstrata.core.text import derived_id
from memstrata.errors import FormatError, InputError, NotFoundError
from memstrata.flows.capture import Captured, observe
from memstrata.flows.commits import planned
from memstrata.flows.runtime import Runtime
from memstrata.ports import Query, Where

HOUR = 3_600.0
KEPT = 1_000  # answers of one connection, about; the oldest go
_LONGEST = 366 * 24 * HOUR

#: Asks the connected tool.
Fetch = Callable[[], Awaitable[Json]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cached:
    """What a connected tool answered.

    Attributes:
        kept_at: when it did; `expires_at`: until when that is taken as it is.
        degraded: why it is older than that, where it is.
    """

    connection: str
    name: str
    value: Json
    kept_at: datetime
    expires_at: datetime
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection(Place):
    """A connection with what is known of it.

    Attributes:
        learned: the statements about it.
        cached: the names under which answers are kept, with when they expire.
    """

    learned: tuple[Leaf, ...] = ()
    cached: tuple[tuple[str, datetime], ...] = ()


async def learn(
    runtime: Runtime,
    scope: Scope,
    connection: str,
    text: str,
    *,
    category: str = "fact",
    source: str = "system_learned",
) -> Captured:
    """Record what was learned about a connection, as `observe` does; it is known while the connection is active.

    Args:
        connection: an active one.
        text: a statement that stands alone.
        category: fact, preference, project_details, correction, or your own.
        source: as in `observe`; sets how far it is trusted.

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check(scope, connection)
    return await observe(runtime, scope, text, category=category, source=source, connection=connection)


async def info(runtime: Runtime, scope: Scope, connection: str) -> Connection:
    """What is known of a connection: how much belongs to it, what was learned, and what is kept of its answers.

    Args:
        connection: an active one.

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check(scope, connection)
    now = runtime.clock()
    partition = await runtime.partitions.current(scope.owner)
    place = places(partition.index, partition.mask(scope, now=now), "connection").get(connection)
    seen = (record for record in partition.records.values() if visible(record, scope))
    return Connection(
        name=connection,
        events=place.events if place else 0,
        records=place.records if place else 0,
        last_activity=place.last_activity if place else None,
        learned=project(seen, now).learned.get(connection, ()),
        cached=tuple((row.name, row.expires_at) for row in await _kept(runtime, scope, connection)),
    )


async def known(runtime: Runtime, scope: Scope) -> tuple[Place, ...]:
    """The active connections, with how much belongs to each; `whole=True` sees all there are."""
    partition = await runtime.partitions.current(scope.owner)
    found = places(partition.index, partition.mask(scope, now=runtime.clock()), "connection")
    return tuple(found.get(name) or Place(name=name) for name in sorted({*scope.connections, *found}))


async def remember(
    runtime: Runtime, scope: Scope, connection: str, name: str, value: Json, *, ttl: float = HOUR
) -> Cached:
    """Keep what a connected tool answered, in place of what is kept under that name.

    Args:
        connection: an active one.
        name: what it is, e.g. "schema".
        value: JSON.
        ttl: for how many seconds it is taken as it is, at most a year.

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check_named(scope, connection, name, ttl)
    try:
        kept = plain(Node(value, "value"))
    except FormatError as error:
        raise InputError(str(error)) from error
    now = runtime.clock()
    row = ConnectionCache(
        tenant=scope.tenant, user=scope.user, connection=connection, name=name, value=kept, agent=scope.agent,
        channel=scope.channel, conversation=scope.conversation, kept_at=now, expires_at=now + timedelta(seconds=ttl),
        id=derived_id(scope.owner, "connection", scope.agent or "", scope.channel, connection, name),
    )  # fmt: skip
    outdated = await _outdated(runtime, scope, connection)
    await planned(runtime, scope, lambda _: _Kept([*outdated, Put(row)]))
    return _cached(row)


async def cached(runtime: Runtime, scope: Scope, connection: str, name: str) -> Cached | None:
    """What is kept under a name and has not expired; None where there is nothing.

    Args:
        connection: an active one.
        name: what it is, e.g. "schema".

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check_named(scope, connection, name)
    found = await _latest(runtime, scope, connection, name)
    return found if found is not None and runtime.clock() < found.expires_at else None


async def refresh(
    runtime: Runtime,
    scope: Scope,
    connection: str,
    name: str,
    fetch: Fetch,
    *,
    ttl: float = HOUR,
    seconds: float = 30.0,
) -> Cached:
    """What is kept under a name, or, where that has expired, what the tool answers now, which is kept from then on.

    Args:
        connection: an active one.
        name: what it is, e.g. "schema".
        fetch: an async function that asks the tool and answers JSON.
        ttl: for how many seconds its answer is taken as it is, at most a year.
        seconds: how long it may take. Where it takes longer or fails, what is kept is answered, expired as it is, and
            `degraded` says why.

    Raises:
        NotFoundError: the scope does not name this connection.
        TimeoutError: it took too long, and nothing is kept; what it raises itself, where nothing is kept.
    """
    _check_named(scope, connection, name, ttl)
    check_seconds("seconds", seconds)
    require(callable(fetch), "fetch", fetch, "an async function that takes nothing")
    found = await _latest(runtime, scope, connection, name)
    if found is not None and runtime.clock() < found.expires_at:
        return found
    answer = fetch()
    require(isawaitable(answer), "fetch", fetch, "an async function that takes nothing")
    asking = asyncio.ensure_future(answer)  # its errors are a tool's, and on no list: they are looked at below
    try:
        done, _ = await asyncio.wait([asking], timeout=seconds)
    finally:
        asking.cancel()
    ended = bool(done) and not asking.cancelled()
    error = asking.exception() if ended else TimeoutError(f"no answer within {seconds:g} s")
    if error is None:
        return await remember(runtime, scope, connection, name, asking.result(), ttl=ttl)
    if found is None:
        raise error
    return replace(found, degraded=(f"{connection}: {str(error) or type(error).__name__}",))


# ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kept:
    changes: list[Change]


def _check(scope: Scope, connection: str) -> None:
    check_identifier("connection", connection)
    if not scope.whole and connection not in scope.connections:
        raise NotFoundError(
            f"There is no active connection {brief(connection)}: name it in connections=[…] of the scope."
        )


def _check_named(scope: Scope, connection: str, name: str, ttl: float = HOUR) -> None:
    _check(scope, connection)
    check_identifier("name", name)
    check_seconds("ttl", ttl)
    require(ttl <= _LONGEST, "ttl", ttl, "seconds, at most a year of them")


async def _kept(runtime: Runtime, scope: Scope, connection: str, name: str | None = None) -> list[ConnectionCache]:
    """What is kept of a connection, by name the row that was kept last."""
    where = [Where("connection", "=", connection)] + ([] if name is None else [Where("name", "=", name)])
    query = Query(
        kind=ConnectionCache, tenant=scope.tenant, user=scope.user, where=tuple(where), order=("kept_at", "seq")
    )
    page = await runtime.store.find(scope.owner, query)
    return [*{row.name: row for row in page.rows[0] if visible(row, scope)}.values()]


async def _outdated(runtime: Runtime, scope: Scope, connection: str) -> list[Drop]:
    """What goes of what is kept of a connection: the oldest, once there is a tenth more than is to be kept."""
    where = (Where("connection", "=", connection),)
    query = Query(kind=ConnectionCache, tenant=scope.tenant, user=scope.user, where=where, order=("kept_at", "seq"))
    over = sum((await runtime.store.count(query)).values()) - KEPT
    if over <= KEPT // 10:
        return []
    page = await runtime.store.find(scope.owner, replace(query, limit=over))
    return [Drop(ConnectionCache, key_of(row)) for row in page.rows[0]]


async def _latest(runtime: Runtime, scope: Scope, connection: str, name: str) -> Cached | None:
    return next(map(_cached, await _kept(runtime, scope, connection, name)), None)


def _cached(row: ConnectionCache) -> Cached:
    return Cached(
        connection=row.connection, name=row.name, value=row.value, kept_at=row.kept_at, expires_at=row.expires_at
    )
