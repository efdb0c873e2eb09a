"""Connections: what was learned about each, and a cache of what its tool answered.

Only what belongs to an active connection, one that the scope names, is seen.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from inspect import isawaitable
from typing import Annotated, Any

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Id, Lasting, OneOf
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.beliefs.profile import Leaf, held, project
from memoranda.core.image.places import Place, places
from memoranda.core.language.attributes import path_part
from memoranda.core.language.finished import IMPORTANCE, certainty, stating
from memoranda.core.rows import ConnectionCache, Json, key_of
from memoranda.core.rows.changes import Change, Drop, Put
from memoranda.core.rows.statements import TRUST, Given, Statement
from memoranda.core.strata.working import YEAR
from memoranda.errors import MessageError, NotFoundError
from memoranda.flows.capture.capture import Captured, observe
from memoranda.flows.capture.events import json_of, object_of
from memoranda.flows.capture.finished import observation, state
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.reading import own, undisturbed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

HOUR = 3_600.0
#: How the attributes of values by name begin.
CONNECTION = "connection."
KEPT = 1_000  # cached answers of one connection, about; the oldest go

#: A function that asks the connected tool.
Fetch = Callable[[], Awaitable[Json]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cached:
    """A cached answer of a connected tool.

    Attributes:
        kept_at: when it was cached; `expires_at`: until when it is fresh.
        degraded: why an expired answer is returned, if one is.
    """

    connection: str
    name: str
    value: Json
    kept_at: datetime
    expires_at: datetime
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection(Place):
    """A connection with what is known about it.

    Attributes:
        learned: the statements about it; `values`: what was set by name.
        cached: the names under which answers are cached, with their expiry.
    """

    learned: tuple[Leaf, ...] = ()
    values: Mapping[str, Json] = field(default_factory=dict)
    cached: tuple[tuple[str, datetime], ...] = ()


async def learn(
    runtime: Runtime,
    scope: Scope,
    connection: Id,
    text: str,
    *,
    category: Id = "fact",
    source: Annotated[str, OneOf(TRUST, MessageError)] = "system_learned",
) -> Captured:
    """Record what was learned about a connection, as `observe` does; it is seen only while the connection is active.

    Args:
        connection: an active one.
        text: a statement that stands alone.
        category: fact, preference, project_details, correction, or your own.
        source: as in `observe`; sets its trust.

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check(scope, connection)
    return await observe(runtime, scope, text, category=category, source=source, connection=connection)


async def update(
    runtime: Runtime,
    scope: Scope,
    connection: Id,
    values: Mapping[str, Any],
    *,
    source: Annotated[str, OneOf(TRUST, MessageError)] = "system_learned",
) -> Captured:
    """Set what is known of a connection by name; other names keep their values, and earlier values their history.

    Args:
        connection: an active one.
        values: JSON by name: {"default_project": "PROJ", "issue_types": ["Task", "Bug"]}.
        source: as in `observe`; sets their trust.

    Raises:
        NotFoundError: the scope does not name this connection.
        MessageError: there is nothing to set, or a value is missing; nothing was recorded.
    """
    _check(scope, connection)
    given = object_of("values", values)
    named = {name: path_part(name, {}) for name in given}
    fits = named and all(named.values()) and None not in given.values()
    require(fits, "values", values, 'a value for each name: {"default_project": "PROJ"}', MessageError)
    events = []
    for name, value in given.items():
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        words = f"{connection}, {named[name].replace('_', ' ')}: {told}"
        event = observation(runtime, scope, words, "connection_context", source, surface="tool", connection=connection)
        statement = Statement(
            kind="fact", category="learning", text=event.content, subject=connection, value=value, given=Given(),
            attribute=f"{CONNECTION}{named[name]}", importance=IMPORTANCE, certainty=certainty(source),
        )  # fmt: skip
        events.append(stating(event, [statement]))
    return await state(runtime, scope, events)


@undisturbed(own)
async def info(runtime: Runtime, scope: Scope, connection: Id) -> Connection:
    """What is known about a connection: how much belongs to it, what was learned, and which answers are cached.

    Args:
        connection: an active one.

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check(scope, connection)
    now = runtime.clock()
    partition = await runtime.partitions.current(scope.owner)
    place = places(partition.index, partition.mask(scope, now=now), "connection").get(connection)
    seen = [record for record in partition.records.values() if visible(record, scope)]
    named = [one for one in held(seen, now) if one.connection == connection and one.subject == connection.casefold()]
    named.sort(key=lambda one: (one.valid_from, one.hash))
    return Connection(
        name=connection,
        events=place.events if place else 0,
        records=place.records if place else 0,
        last_activity=place.last_activity if place else None,
        learned=project(seen, now).learned.get(connection, ()),
        values={str(one.attribute).removeprefix(CONNECTION): one.value for one in named if one.attribute},
        cached=tuple((row.name, row.expires_at) for row in await _kept(runtime, scope, connection)),
    )


async def known(runtime: Runtime, scope: Scope) -> tuple[Place, ...]:
    """The active connections, with how much belongs to each; `whole=True` sees all there are."""
    partition = await runtime.partitions.current(scope.owner)
    found = places(partition.index, partition.mask(scope, now=runtime.clock()), "connection")
    return tuple(found.get(name) or Place(name=name) for name in sorted({*scope.connections, *found}))


async def remember(
    runtime: Runtime,
    scope: Scope,
    connection: Id,
    name: Id,
    value: Json,
    *,
    ttl: Annotated[float, Lasting(YEAR)] = HOUR,
) -> Cached:
    """Cache what a connected tool answered, in place of what is cached under that name.

    Args:
        connection: an active one.
        name: what it is, e.g. "schema".
        value: JSON.
        ttl: seconds until it expires, at most a year.

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check(scope, connection)
    kept = json_of("value", value)
    now = runtime.clock()
    row = ConnectionCache(
        tenant=scope.tenant, user=scope.user, connection=connection, name=name, value=kept, agent=scope.agent,
        channel=scope.channel, conversation=scope.conversation, kept_at=now, expires_at=now + timedelta(seconds=ttl),
        id=derived_id(scope.owner, "connection", scope.agent or "", scope.channel, connection, name),
    )  # fmt: skip
    outdated = await _outdated(runtime, scope, connection)
    await planned(runtime, scope, lambda _: _Kept([*outdated, Put(row)]))
    return _cached(row)


async def cached(runtime: Runtime, scope: Scope, connection: Id, name: Id) -> Cached | None:
    """What is cached under a name and has not expired; None if there is nothing.

    Args:
        connection: an active one.
        name: what it is, e.g. "schema".

    Raises:
        NotFoundError: the scope does not name this connection.
    """
    _check(scope, connection)
    found = await _latest(runtime, scope, connection, name)
    return found if found is not None and runtime.clock() < found.expires_at else None


async def refresh(
    runtime: Runtime,
    scope: Scope,
    connection: Id,
    name: Id,
    fetch: Fetch,
    *,
    ttl: Annotated[float, Lasting(YEAR)] = HOUR,
    seconds: Annotated[float, Lasting()] = 30.0,
) -> Cached:
    """What is cached under a name or, if that has expired, what the tool answers now, which is then cached.

    Args:
        connection: an active one.
        name: what it is, e.g. "schema".
        fetch: an async function that asks the tool and returns JSON.
        ttl: seconds until its answer expires, at most a year.
        seconds: how long it may take. If it takes longer or fails, the cached answer is returned although it has
            expired, and `degraded` says why.

    Raises:
        NotFoundError: the scope does not name this connection.
        TimeoutError: it took too long, and nothing is cached; if it fails and nothing is cached, its own error.
    """
    _check(scope, connection)
    require(callable(fetch), "fetch", fetch, "an async function that takes nothing")
    found = await _latest(runtime, scope, connection, name)
    if found is not None and runtime.clock() < found.expires_at:
        return found
    answer = fetch()
    require(isawaitable(answer), "fetch", fetch, "an async function that takes nothing")
    asking = asyncio.ensure_future(answer)  # a tool may raise any error: they are handled below
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


async def _kept(runtime: Runtime, scope: Scope, connection: str, name: str | None = None) -> list[ConnectionCache]:
    """The cached answers of a connection; for each name, the row that was cached last."""
    where = [Where("connection", "=", connection)] + ([] if name is None else [Where("name", "=", name)])
    query = Query(
        kind=ConnectionCache, tenant=scope.tenant, user=scope.user, where=tuple(where), order=("kept_at", "seq")
    )
    page = await runtime.store.find(scope.owner, query)
    return [*{row.name: row for row in page.rows[0] if visible(row, scope)}.values()]


async def _outdated(runtime: Runtime, scope: Scope, connection: str) -> list[Drop]:
    """The oldest cached answers of a connection beyond `KEPT`, once there are a tenth more than that."""
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
