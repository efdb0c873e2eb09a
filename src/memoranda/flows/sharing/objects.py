"""What flows on shared objects have in common: finding one that a scope may see, and changing it.

An object is read with its grants and with its sources, as far as the scope has a right of its own to each. An object
that does not exist, has expired or may not be read gives the same reads and the same error.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from memoranda.core.base.checks import brief, strings
from memoranda.core.base.ids import derived_id
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import GLOBAL, SHARED, Commons, Owner, Scope, check_identifier, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import AccessLog, Collection, Event, Grant, Passage, Pool, Record, Row, Snapshot, Vector
from memoranda.core.rows.access import accessible, holds, over, owns, permitted
from memoranda.core.rows.changes import Add, Change
from memoranda.core.text.terms import content_hash
from memoranda.errors import AccessError, InputError, NotFoundError
from memoranda.flows.capture.events import event_at
from memoranda.flows.runtime.commits import Made, check_place, settled
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

REACHES = ("global", "account", "team", "agent", "task", "workflow")

Object = Pool | Collection
_O = TypeVar("_O", bound=Pool | Collection)
_A = TypeVar("_A")
_T = TypeVar("_T")
_R = TypeVar("_R", bound=Row)


@dataclass(frozen=True, slots=True)
class Seen:
    """Objects with their sources, and the grants of each."""

    objects: dict[str, Object] = field(default_factory=dict)
    grants: dict[str, list[Grant]] = field(default_factory=dict)

    def readable(self, scope: Scope, name: str, now: datetime, level: str = "read") -> bool:
        """Whether a scope may act on an object at a level; False if the object has expired."""
        item = self.objects.get(name)
        if item is None or over(item.expires_at, now):
            return False
        return accessible(scope, name, self.objects, self.grants, now, level)


def shared_owner(scope: Scope) -> Commons:
    """The place of what the scope's tenant shares."""
    return Commons(tenant=scope.tenant)


def asked(kind: type[_R], scope: Scope, *where: Where, **options: Any) -> Query[_R]:
    """A query for shared rows of a tenant."""
    return Query(kind=kind, tenant=scope.tenant, user=SHARED, where=where, **options)


async def look(runtime: Runtime, scope: Scope, names: Iterable[str]) -> Seen:
    """Objects by id, with all their sources."""
    seen, now = Seen(), runtime.clock()
    wanted = tuple(names)
    while wanted:
        named = Where("id", "in", wanted)
        pools, collections, grants = (
            await runtime.store.find(
                shared_owner(scope).owner, asked(Pool, scope, named), asked(Collection, scope, named),
                asked(Grant, scope, Where("object", "in", wanted)),
            )
        ).rows  # fmt: skip
        for grant in grants:
            seen.grants.setdefault(grant.object, []).append(grant)
        found: list[Object] = [*pools, *collections]
        seen.objects.update((item.id, item) for item in found)
        mine = [item for item in found if permitted(scope, item, seen.grants.get(item.id, ()), now)]
        wanted = tuple({source for item in mine for source in item.sources} - seen.objects.keys())
    return seen


async def opened(
    runtime: Runtime, scope: Scope, what: str, *kinds: type[_O], level: str = "read", name: str = "what"
) -> _O:
    """An object of one of some kinds that a scope may read, if the scope has `level` on it.

    Raises:
        NotFoundError: there is none for this scope.
        AccessError: it may only read it.
    """
    check_identifier(name, what)
    seen, now = await look(runtime, scope, (what,)), runtime.clock()
    noun = " or ".join(kind.__name__.lower() for kind in kinds)
    item = seen.objects.get(what)
    if not isinstance(item, kinds) or not seen.readable(scope, what, now):
        raise NotFoundError(f"There is no {noun} {brief(what)} here; find gives the ids of those that can be read.")
    if not seen.readable(scope, what, now, level):
        raise AccessError(f"This {noun} can be read here, and nothing more: {level} has to be granted by its owner.")
    return _shown(item, scope)


async def changed(
    runtime: Runtime,
    scope: Scope,
    what: str,
    find: Callable[[], Awaitable[_T]],
    plan: Callable[[_T, Partition], Made[_A]],
    action: str,
) -> _A:
    """Find an object, plan its change, and write that with a line of the access log, in one transaction."""
    check_place(scope)

    async def ready(partition: Partition) -> Made[_A]:
        made = plan(await find(), partition)
        if made.changes:
            made.changes.append(Add(access(runtime, scope, what, action)))
        return made

    made, _ = await settled(runtime, shared_owner(scope), ready)
    return made.answer


async def mine(runtime: Runtime, scope: Scope, kind: type[_O]) -> list[_O]:
    """All objects of a kind that a scope may read, in the order in which they were created."""
    seen, now = await _mine(runtime, scope), runtime.clock()
    found = [
        _shown(item, scope)
        for name, item in seen.objects.items()
        if isinstance(item, kind) and seen.readable(scope, name, now)
    ]
    return sorted(found, key=lambda item: (item.created_at, item.id))


async def _mine(runtime: Runtime, scope: Scope) -> Seen:
    """All objects that a scope has a right of its own to, with their sources."""
    holder = Where("holder", "=", scope.user)
    page = await runtime.store.find(
        shared_owner(scope).owner,
        asked(Pool, scope, holder),
        asked(Collection, scope, holder),
        asked(Grant, scope, Where("grantee", "=", scope.user)),
        asked(Grant, scope, Where("grantee", "is", None), Where("team", "is", None)),
        asked(Grant, scope, Where("team", "=", scope.team or "")),
    )
    pools, collections, *grants = page.rows
    names = {item.id for items in (pools, collections) for item in items}
    names |= {one.object for some in grants for one in some if holds(one, runtime.clock())}
    return await look(runtime, scope, names)


async def shared(runtime: Runtime, scope: Scope) -> list[Row]:
    """The rows of all objects that a scope may read; grants and access log only of those it administers.

    Events of others do not show where those were at the time.
    """
    seen, now = await _mine(runtime, scope), runtime.clock()
    read = tuple(name for name in seen.objects if seen.readable(scope, name, now))
    held = tuple(name for name in read if seen.readable(scope, name, now, "admin"))
    owner, there = shared_owner(scope).owner, Where("channel", "in", read)
    page = await runtime.store.find(
        owner, *(asked(kind, scope, there) for kind in (Event, Record, Passage)),
        asked(Snapshot, scope, Where("object", "in", read)),
        *(asked(kind, scope, Where("object", "in", held)) for kind in (Grant, AccessLog)),
    )  # fmt: skip
    events, *others = page.rows
    refs = Where("ref", "in", tuple(passage.ref for passage in page.rows[2]))
    [vectors] = (await runtime.store.find(owner, asked(Vector, scope, refs))).rows
    found: list[Row] = [_shown(seen.objects[name], scope) for name in read]
    found += [event if own(event, scope) else _foreign(event) for event in events]
    return [*found, *(row for rows in (*others, vectors) for row in rows)]


def _shown(item: _O, scope: Scope) -> _O:
    """An object as the scope may see it: a user's channels are hidden from others."""
    return item if owns(scope, item) else replace(item, channel=GLOBAL)


def _foreign(event: Event) -> Event:
    """An event without the place of whoever made it."""
    metadata = {name: value for name, value in event.metadata.items() if name != "channel"}
    return replace(event, conversation=None, task=None, team=None, metadata=metadata)


def own(event: Event, scope: Scope) -> bool:
    """Whether the user made a shared event, in a place that `scope` sees."""
    return event.speaker == scope.user and visible(replace(event, channel=event.metadata["channel"]), scope)


async def checked_sources(runtime: Runtime, scope: Scope, sources: Sequence[str]) -> tuple[str, ...]:
    """The ids of sources; an error unless the scope may read all of them."""
    names = strings("sources", sources)
    for one in names:
        await opened(runtime, scope, one, Pool, Collection, name="sources")
    return tuple(dict.fromkeys(names))


# ------------------------------------------------------------------------------------------------ rows


def shared_event(
    runtime: Runtime,
    scope: Scope,
    object_id: str,
    kind: str,
    content: str = "",
    *,
    of: Record | None = None,
    **metadata: Any,
) -> Event:
    """An event of the shared log: what somebody did with an object. `speaker` names the user.

    A copy of a record has the record's trust, and `metadata["origin"]` names the record.
    """
    source = of.source if of else "agent" if scope.agent else "user_provided"
    if of:
        metadata["origin"] = {"user": scope.user, "record": of.id}
    now = runtime.clock()
    event = event_at(
        scope, None, source, id=runtime.ids(), kind=kind, role="", speaker=scope.user, content=content, surface="tool",
        event_time=now, recorded_at=now, metadata={"channel": scope.channel, **metadata},
    )  # fmt: skip
    return replace(event, user=SHARED, channel=object_id, trust=of.trust if of else event.trust)


def author(event: Event) -> str:
    """Who made a shared event, in the form of `actor`."""
    return f"{event.speaker}/{event.agent}" if event.agent else event.speaker or ""


def entry_id(event: Event, kind: str) -> str:
    """The id of the entry that an event of a collection states, unless it is taken."""
    return derived_id(Owner(event.tenant, event.user), "entry", event.channel, kind, content_hash(event.content))


def origin_of(event: Event) -> dict[str, Any] | None:
    """The value of an entry that is a copy, which names its original."""
    return {"origin": event.metadata["origin"]} if "origin" in event.metadata else None


def access(runtime: Runtime, scope: Scope, object_id: str, action: str) -> AccessLog:
    """A line of the access log."""
    return AccessLog(
        tenant=scope.tenant, user=SHARED, id=runtime.ids(), object=object_id, action=action, actor=scope.user,
        agent=scope.agent, at=runtime.clock(),
    )  # fmt: skip


def first_grants(runtime: Runtime, scope: Scope, object_id: str, reach: str) -> list[Change]:
    """The grant that puts a reach into effect: the whole tenant reads, or the team writes."""
    values: dict[str, Any] = {"global": {"level": "read"}, "account": {"level": "read"}}.get(reach, {})
    if reach == "team":
        values = {"level": "write", "team": scope.team}
    return [Add(granted(runtime, scope, object_id, **values))] if values else []


def granted(runtime: Runtime, scope: Scope, object_id: str, **values: Any) -> Grant:
    """A grant by the scope."""
    return Grant(
        tenant=scope.tenant, user=SHARED, id=runtime.ids(), object=object_id, granted_by=actor(scope),
        created_at=runtime.clock(), **values,
    )  # fmt: skip


def actor(scope: Scope) -> str:
    """The user of a scope, with the agent if there is one, as `user/agent`."""
    return f"{scope.user}/{scope.agent}" if scope.agent else scope.user


# ---------------------------------------------------------------------------------------------- arguments


def ending(name: str, at: datetime | None, now: datetime) -> datetime | None:
    """A time in the future, if one is given."""
    if at is None:
        return None
    end = moment(name, at)
    if end <= now:
        raise InputError(f"{name} is {end.isoformat()}, which is over; give a time to come.")
    return end
