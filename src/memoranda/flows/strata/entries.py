"""Short-term entries: values under keys, which expire, and fade unless they are used; and the log of a day."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Annotated, Any

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Id, Ids, Lasting, OneOf, Share
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.beliefs.decay import FADED, lasting, retention
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, ShortTerm, key_of
from memoranda.core.rows.changes import Add, Drop, Patch
from memoranda.core.strata.procedures import PROMOTED_FROM, text_of
from memoranda.core.text.terms import content_hash
from memoranda.core.text.voices import STRANGER, voice_of
from memoranda.errors import InputError
from memoranda.flows.capture.capture import Captured, observed, read_event, write
from memoranda.flows.capture.events import content_of, event_at, json_of, own_words
from memoranda.flows.runtime.commits import Made, planned, settled
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

TTL = 3_600.0  # seconds
LOG = "log"

#: The types of entries, and the source, which sets the trust, of what is promoted from each.
TYPES = MappingProxyType(
    {
        "task_context": "agent",
        "conversation": "agent",
        "tool_result": "tool_extracted_content",
        "reflection": "agent",
        "observation": "agent",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """What cleaning up did.

    Attributes:
        expired: how many were dropped because they had expired; `faded`: because they had faded.
        kept: how many expired or faded but stay until they are promoted: often accessed, or important.
        left: how many there are now.
    """

    expired: int
    faded: int
    kept: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """What promotion did: how many `entries` it promoted, and the ids of the `records` that stand for them now."""

    entries: int
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What was logged, observed or done: the event's id, time, kind and text."""

    id: str
    at: datetime
    kind: str
    text: str


async def put(
    runtime: Runtime,
    scope: Scope,
    key: Id,
    value: Any,
    *,
    type: Annotated[str, OneOf(TYPES)] = "task_context",  # noqa: A002 - the field's name
    conversation: Id | None = None,
    importance: Share = 0.5,
    ttl_seconds: Annotated[float, Lasting()] = TTL,
    connection: Id | None = None,
    sources: Ids = (),
) -> ShortTerm:
    """Keep a value under a key for a while, in place of the one that is kept there.

    Args:
        key: its name, within the conversation.
        value: any JSON.
        type: task_context, conversation, tool_result, reflection or observation.
        conversation: the conversation it belongs to; it is forgotten with it.
        importance: 0 to 1; from 0.7 on it is promoted before it is dropped.
        ttl_seconds: seconds until it expires.
        connection: the tool connection it came through; it is then seen only while that is active.
        sources: ids of the events it was made from; it is forgotten with any of them.

    Raises:
        InputError: what it says, or one of its sources, was forgotten on request.
    """
    here = _in(scope, conversation)
    kept = json_of("value", value)
    now = runtime.clock()
    place = (scope.agent or "", scope.channel, connection or "", here.conversation or "")
    row = ShortTerm(
        tenant=scope.tenant, user=scope.user, id=derived_id(scope.owner, "entry", *place, key), key=key, type=type,
        value=kept, agent=scope.agent, channel=scope.channel, connection=connection, conversation=here.conversation,
        importance=importance, ttl_seconds=float(ttl_seconds), expires_at=_later(now, ttl_seconds),
        created_at=now, sources=tuple(sources),
    )  # fmt: skip
    told = content_of(runtime, text_of(row))
    claim = content_hash(told)
    fresh = ("type", "value", "importance", "ttl_seconds", "expires_at", "created_at", "sources", "promoted")

    def plan(partition: Partition) -> Made[ShortTerm]:
        barred = partition.tombstones
        said = any(barred.repeats(one, scope.agent) for one in (told, *row.words))
        if said or barred.cleaned(kept, scope.agent)[1] or partition.buried(row.sources, claim, scope.agent):
            raise InputError("This was forgotten on request, and is not kept again.")
        return Made(row, [Add(row), Patch(ShortTerm, (row.id,), {name: getattr(row, name) for name in fresh})])

    await planned(runtime, scope, plan)
    return row


async def get(runtime: Runtime, scope: Scope, key: Id, *, conversation: Id | None = None) -> ShortTerm | None:
    """The entry of a key, counted as one more access; None if there is none or it has expired.

    Args:
        key: its name.
        conversation: entries of this one come first, then those of none; if none is named, here or by the scope, the
            newest of any.
    """
    row = await _one(runtime, scope, key, conversation)
    if row is None:
        return None
    runtime.partitions.uses.count(scope.owner, [row], runtime.clock())
    return runtime.partitions.uses.counted(row)


async def touch(runtime: Runtime, scope: Scope, key: Id, *, conversation: Id | None = None) -> ShortTerm | None:
    """Count an access, from which an entry fades anew; its expiry stays. Finds and returns as `get`.

    Args:
        key: its name.
        conversation: as for `get`.
    """
    return await get(runtime, scope, key, conversation=conversation)


async def refresh(
    runtime: Runtime,
    scope: Scope,
    key: Id,
    *,
    ttl_seconds: Annotated[float, Lasting()] | None = None,
    conversation: Id | None = None,
) -> ShortTerm | None:
    """Restart the time to live of an entry. Finds and returns as `get`, but counts no access.

    Args:
        key: its name.
        ttl_seconds: seconds until it expires; by default as long as before.
        conversation: as for `get`.
    """

    def begun(row: ShortTerm) -> dict[str, Any]:
        lasts = float(ttl_seconds or row.ttl_seconds)
        return {"ttl_seconds": lasts, "expires_at": _later(runtime.clock(), lasts)}

    return await _patched(runtime, scope, lambda: _one(runtime, scope, key, conversation), begun)


async def delete(runtime: Runtime, scope: Scope, key: Id, *, conversation: Id | None = None) -> bool:
    """Remove the value of an entry; return whether there was one. Finds as `get`.

    Args:
        key: its name.
        conversation: as for `get`.
    """

    def emptied(_: ShortTerm) -> dict[str, Any]:  # `clean` drops it: after each removal a store wipes bytes
        return {"value": None, "expires_at": runtime.clock(), "promoted": ""}

    return await _patched(runtime, scope, lambda: _one(runtime, scope, key, conversation), emptied) is not None


async def find(
    runtime: Runtime,
    scope: Scope,
    *,
    type: Annotated[str, OneOf(TYPES)] | None = None,  # noqa: A002 - the field's name
    since: datetime | None = None,
    until: datetime | None = None,
    conversation: Id | None = None,
) -> tuple[ShortTerm, ...]:
    """The entries that have not expired, in the order in which they were set; each argument given narrows them.

    Args:
        type: of this type.
        since: set then or later.
        until: set before then.
        conversation: of this conversation.
    """
    where = [Where("expires_at", ">", runtime.clock())]
    if since is not None:
        where.append(Where("created_at", ">=", since))
    if until is not None:
        where.append(Where("created_at", "<", until))
    named = _in(scope, conversation).conversation
    if named is not None:
        where.append(Where("conversation", "=", named))
    if type is not None:
        where.append(Where("type", "=", type))
    found = await _rows(runtime, scope, where)
    return tuple(sorted(found, key=lambda row: (row.created_at, row.key, row.id)))


async def clean(runtime: Runtime, scope: Scope) -> Cleaned:
    """Drop the entries that have expired or faded (at importance 0.5, 16 hours after the last access).

    Entries that were accessed three times or are important stay until `promote` has promoted them.
    """
    now = runtime.clock()

    async def plan(_: Partition) -> Made[Cleaned]:
        rows = await _rows(runtime, scope, ())
        over = [row for row in rows if row.expires_at <= now]
        faded = [row for row in rows if row.expires_at > now and _left(row, now) < FADED]
        going = [row for row in (*over, *faded) if not _waits(row)]
        expired = sum(row.expires_at <= now for row in going)
        kept = len(over) + len(faded) - len(going)
        done = Cleaned(expired=expired, faded=len(going) - expired, kept=kept, left=len(rows) - len(going))
        return Made(done, [Drop(ShortTerm, key_of(row)) for row in going])

    return (await settled(runtime, scope, plan))[0].answer


async def promote(runtime: Runtime, scope: Scope, *, conversation: Id | None = None) -> Promoted:
    """Promote entries that were accessed three times, or are important, to long-term memory.

    Each becomes an observation, and what that states. It has the trust of its origin. An entry is promoted once,
    however often this is called.

    Args:
        conversation: only what belongs to this one.

    Raises:
        StoreError: what was promoted until then stays promoted.
    """
    named = _in(scope, conversation).conversation
    rows = [row for row in await _rows(runtime, scope, ()) if _waits(row) and named in (None, row.conversation)]
    records: list[str] = []
    taken = 0
    for row in rows:
        here = scope.narrow(agent=row.agent, channel=row.channel, conversation=row.conversation)
        made = await observed(
            runtime, here, text_of(row), category=row.type, source=TYPES[row.type], connection=row.connection,
            key=f"{row.id} {row.created_at.isoformat()}", metadata={"entry": row.key, PROMOTED_FROM: list(row.sources)},
            keeps=(row.key, row.value),
        )  # fmt: skip
        records += made.records
        taken += len(made.events) - made.known  # by another worker, which may have failed to note it
        await _promoted(runtime, scope, row, await _became(runtime, scope, made))
    return Promoted(entries=taken, records=tuple(dict.fromkeys(records)))


async def log(runtime: Runtime, scope: Scope, text: str, *, conversation: Id | None = None) -> Captured:
    """Write a line into the day's log. Recall finds it, and a context shows it where it is relevant to the request.

    Args:
        text: the line.
        conversation: the one it belongs to; it is forgotten with it.
    """
    now = runtime.clock()
    event = event_at(
        _in(scope, conversation), None, "agent", id=runtime.ids(), kind=LOG, role="", content=own_words(runtime, text),
        surface="tool", event_time=now, recorded_at=now,
    )  # fmt: skip
    return await write(runtime, scope, [read_event(runtime, event)])


async def day(runtime: Runtime, scope: Scope, on: date) -> tuple[Happened, ...]:
    """What was logged, observed and done on a day, in order; turns of conversations are left out.

    Args:
        on: the day, in UTC.
    """
    plain = isinstance(on, date) and not isinstance(on, datetime)
    require(plain, "on", on, "a date, e.g. date(2026, 1, 31)")
    begin, end = (datetime.combine(on, at, UTC) for at in (time.min, time.max))
    where = (Where("event_time", ">=", begin), Where("event_time", "<=", end))
    query = Query(kind=Event, tenant=scope.tenant, user=scope.user, where=where, order=("event_time", "seq", "id"))
    page = await runtime.store.find(scope.owner, query)
    found = (event for event in page.rows[0] if event.kind != "turn" and visible(event, scope))
    return tuple(
        Happened(
            id=event.id, at=event.event_time, kind=event.kind,
            text=": ".join((*[voice_of(event)] * (event.trust <= STRANGER), event.content)),
        )
        for event in found
    )  # fmt: skip


def _in(scope: Scope, conversation: str | None) -> Scope:
    return scope if conversation is None else scope.narrow(conversation=conversation)


def _later(now: datetime, seconds: float) -> datetime:
    return now + timedelta(seconds=seconds)


def _left(row: ShortTerm, now: datetime) -> float:
    since = max(row.created_at, row.last_accessed or row.created_at)  # a key that is set again begins anew
    return retention(row.importance, row.access_count, since, now)


def _waits(row: ShortTerm) -> bool:
    """Whether an entry is to be promoted and was not yet."""
    return row.promoted is None and lasting(row.importance, row.access_count)


async def _rows(runtime: Runtime, scope: Scope, where: Iterable[Where]) -> Sequence[ShortTerm]:
    """The rows that a scope sees, with all their accesses counted."""
    await runtime.partitions.uses.settle(scope.owner)
    query = Query(kind=ShortTerm, tenant=scope.tenant, user=scope.user, where=tuple(where))
    page = await runtime.store.find(scope.owner, query)
    return [row for row in page.rows[0] if visible(row, scope)]


async def _one(runtime: Runtime, scope: Scope, key: str, conversation: str | None) -> ShortTerm | None:
    """The entry that a key stands for in a scope."""
    check_identifier("key", key)
    named = _in(scope, conversation).conversation
    where = (Where("key", "=", key), Where("expires_at", ">", runtime.clock()))
    page = await runtime.store.find(
        scope.owner, Query(kind=ShortTerm, tenant=scope.tenant, user=scope.user, where=where)
    )
    seen = [row for row in page.rows[0] if visible(row, scope) and (named is None or row.conversation in (named, None))]

    def nearness(row: ShortTerm) -> tuple[bool, bool, bool, datetime, str]:
        own = row.conversation == named
        return named is not None and own, row.agent == scope.agent, row.channel == scope.channel, row.created_at, row.id

    return max(seen, key=nearness, default=None)


async def _became(runtime: Runtime, scope: Scope, made: Captured) -> str:
    """The id of the record that stands for a promoted entry; empty if there is none."""
    partition = await runtime.partitions.current(scope.owner)
    told = (name for event in made.events for name in sorted(partition.records_by_source.get(event, ())))
    return next(iter((*made.records, *(name for name in told if name in partition.records))), "")


async def _promoted(runtime: Runtime, scope: Scope, row: ShortTerm, record: str) -> None:
    """Note the record that an entry became, unless its key was set again meanwhile."""

    async def same() -> ShortTerm | None:
        [now] = await runtime.store.get(ShortTerm, scope.owner, [key_of(row)])
        return now if now is not None and now.created_at == row.created_at else None

    await _patched(runtime, scope, same, lambda _: {"promoted": record})


async def _patched(
    runtime: Runtime,
    scope: Scope,
    read: Callable[[], Awaitable[ShortTerm | None]],
    change: Callable[[ShortTerm], Mapping[str, Any]],
) -> ShortTerm | None:
    """Change the row that `read` finds, in one transaction."""

    async def plan(_: Partition) -> Made[ShortTerm | None]:
        row = await read()
        if row is None:
            return Made(None)
        values = change(row)
        return Made(replace(runtime.partitions.uses.counted(row), **values), [Patch(ShortTerm, key_of(row), values)])

    return None if await read() is None else (await settled(runtime, scope, plan))[0].answer
