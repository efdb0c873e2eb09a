"""The jobs that move data on.

They go from working to episodic memory, from short-term to long-term memory, from one channel to all, and from active
to archived conversations.
"""

from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import GLOBAL, Owner, Scope, check_owner, place_of
from memoranda.core.beliefs.promotion import THRESHOLDS, promotion_id, proven
from memoranda.core.image.image import Partition
from memoranda.core.rows import AnsweredCall, AuditEntry, Event, Operation, Record, Row, ShortTerm, WorkingCopy, key_of
from memoranda.core.rows.changes import Add, Batch, Drop, Put
from memoranda.core.rows.jobs import UPKEEP, Did
from memoranda.core.strata.conversations import mark_of
from memoranda.errors import InputError
from memoranda.flows.capture.events import event_at
from memoranda.flows.runtime.audit import Act, acting
from memoranda.flows.runtime.commits import settled
from memoranda.flows.runtime.repeats import CALLS
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.strata import entries
from memoranda.flows.strata.channels import copied
from memoranda.flows.strata.flush import flush_idle
from memoranda.flows.upkeep.finishing import finish
from memoranda.flows.upkeep.steps import SETTLED, Kept, open_records
from memoranda.ports import Query, Where

QUIET = timedelta(days=90)
_AT_ONCE = 1_000  # the most rows dropped in one write


async def session_flush(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:
    """Flush the conversations that were idle for five minutes."""
    flushed = await flush_idle(runtime, tenant=tenant, user=user)
    counts = {
        "conversations": flushed.conversations, "events": len(flushed.events), "summaries": len(flushed.summaries),
    }  # fmt: skip
    idle = runtime.desks.limits.idle_seconds
    yield Did(counts=counts, reason=f"no conversation has been idle for {idle:g} s", degraded=flushed.degraded)


async def promote_short_term(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Promote used or important entries to long-term memory, then drop those that expired or faded."""
    owner = Owner(tenant, user)
    await finish(runtime, owner)  # or what was forgotten would lie in working memory until somebody looks
    rows, scopes = await _short_term(runtime, owner)
    reason = "no entry is to be promoted, none has expired or faded" if rows else "there are no short-term entries"
    yield Did(counts={}, looked=rows, reason=reason)
    for scope in scopes:
        done = await entries.promote(runtime, scope)
        yield Did(counts={"promoted": done.entries, "records": len(done.records)})
    async for did in cleaned(runtime, owner):
        yield did


async def cleaned(runtime: Runtime, owner: Owner) -> AsyncGenerator[Did, None]:
    """Drop the entries that have expired or faded."""
    _, scopes = await _short_term(runtime, owner)
    for scope in scopes:
        done = await entries.clean(runtime, scope)
        yield Did(counts={"expired": done.expired, "faded": done.faded})


async def _short_term(runtime: Runtime, owner: Owner) -> tuple[int, list[Scope]]:
    """How many entries an owner has, and scopes that see all of them."""
    page = await runtime.store.find(owner, Query(kind=ShortTerm, tenant=owner.tenant, user=owner.user))
    rows = page.rows[0]
    active = tuple(sorted({row.connection for row in rows if row.connection is not None}))
    channels = sorted({row.channel for row in rows})
    return len(rows), [
        Scope(tenant=owner.tenant, user=owner.user, channel=channel, connections=active) for channel in channels
    ]


async def promote_global(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Copy records of channels that reached the thresholds to `_global`; the event keeps thresholds and values."""
    owner, now = Owner(tenant, user), runtime.clock()
    rows = await open_records(runtime, owner, SETTLED, Where("channel", "!=", GLOBAL))
    reason = (
        f"no record of a channel has reached {', '.join(f'{name} {least:g}' for name, least in THRESHOLDS.items())}"
    )
    yield Did(counts={"promoted": 0}, looked=len(rows), reason=reason)
    often = [row for row in rows if proven(row, int(THRESHOLDS["conversations"]), now)]
    if not often:
        return
    partition = await runtime.partitions.current(owner)
    for row in often:
        if not proven(row, len(_talks(partition, row)), now):
            continue
        name = promotion_id(owner, row.id)
        [known] = await runtime.store.get(Event, owner, [(name,)])
        if known is not None or partition.buried((name,), row.hash, row.agent):  # promoted, or withdrawn on request
            continue
        active = () if row.connection is None else (row.connection,)
        scope = Scope(tenant=tenant, user=user, agent=row.agent, channel=row.channel, connections=active)
        why = "it has proved itself in its channel"
        with suppress(InputError):  # it ended meanwhile
            await copied(runtime, scope, row.id, why, dict(THRESHOLDS), "system_learned")
            yield Did(counts={"promoted": 1})


def _talks(partition: Partition, record: Record) -> set[str]:
    """The conversations in which a record was said."""
    index = partition.index
    found = (index.passages[index.numbers[one]].conversation for one in record.sources if one in index.numbers)
    return {talk for talk in found if talk is not None}


async def retention(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Drop the copies of working memory of conversations that were quiet for long, and archive these if that is set.

    That is for `Settings.archive_days`, or 90 days if none are set; then nothing is archived, for any old turn may be
    the answer to a question. An event records what is archived. A conversation that is taken out of the archive stays
    out until something is said in it.
    """
    owner, now, set_ = Owner(tenant, user), runtime.clock(), runtime.settings.archive_days
    quiet = QUIET if set_ is None else timedelta(days=set_)
    partition = await runtime.partitions.current(owner)
    talks: dict[tuple[str, str, str], datetime] = {}
    for one in partition.index.passages:
        if one.of == "event" and one.conversation is not None:
            where = one.conversation, one.channel, one.agent or ""
            talks[where] = max(talks.get(where, one.at), one.at, one.recorded_at)
    still = sorted(
        (at, where, partition.talks.next_position(*where[:2])) for where, at in talks.items() if now - at > quiet
    )
    looked, reason = len(talks), f"no conversation has been quiet for {quiet.days} days"
    yield Did(counts={"archived": 0, "copies": 0}, looked=looked, reason=reason)
    page = await runtime.store.find(owner, Query(kind=WorkingCopy, tenant=tenant, user=user))
    copied = {(row.conversation, row.channel, row.agent or "") for row in page.rows[0]}
    for at, where, position in still:
        talk, channel, agent = where
        scope = Scope(tenant=tenant, user=user, agent=agent or None, channel=channel, conversation=talk)
        event = None if set_ is None else _archiving(scope, at, now, set_)
        if event is not None and await runtime.store.get(Event, owner, [(event.id,)]) != [None]:
            event = None  # it was archived then
        if event is not None or where in copied:
            yield await _tidied(runtime, scope, event, position)


def _archiving(scope: Scope, last: datetime, now: datetime, days: int) -> Event:
    """The event that records that a conversation is archived; one for each time that it fell quiet."""
    where = scope.agent or "", scope.channel, scope.conversation or "", last.isoformat()
    name = derived_id(scope.owner, "conversation archived", *where)
    return event_at(
        scope, None, "system_learned", id=name, kind=UPKEEP, role="", surface="heartbeat", event_time=now,
        recorded_at=now, processed_at=now,
        content=f"Archived a conversation, the last word of which is of {last:%Y-%m-%d}.",
        metadata={"job": "retention", "last": last.isoformat(), "thresholds": {"days": days}},
    )  # fmt: skip


async def _tidied(runtime: Runtime, scope: Scope, event: Event | None, position: int) -> Did:
    """Drop the copies of a conversation, and archive it if `event` says so, unless somebody went on with it."""
    talk, channel = scope.conversation or "", scope.channel
    where = (Where("conversation", "=", talk), Where("channel", "=", channel))
    query = Query(kind=WorkingCopy, tenant=scope.tenant, user=scope.user, where=where)

    async def plan(partition: Partition) -> Kept:
        if partition.talks.next_position(talk, channel) != position:
            return Kept()
        page = await runtime.store.find(scope.owner, query)
        copies = [row for row in page.rows[0] if row.agent == scope.agent]
        made = Kept([Drop(WorkingCopy, key_of(row)) for row in copies], [row.id for row in copies])
        if event is not None and not partition.buried((event.id,), "", scope.agent):
            mark = replace(mark_of(partition, scope, talk, channel), archived_at=event.event_time)
            made.changes += [Add(event), Put(mark)]
        return made

    made, _ = await settled(runtime, scope, plan)
    return Did(counts={"archived": sum(isinstance(one, Put) for one in made.changes), "copies": len(made.records)})


async def audit_partitions(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:
    """Drop old entries of the audit; no store has partitions to drop instead."""
    days = runtime.settings.audit_days
    gone = await retain_audit(runtime, tenant, user)
    for kind in (AnsweredCall, Operation):
        await _dropped(runtime, tenant, user, kind, CALLS)
    yield Did(counts={"entries": gone}, reason=f"no entry of the audit is older than {days} days")


async def retain_audit(runtime: Runtime, tenant: str, user: str | None = None) -> int:
    """Drop the entries of a tenant, or of one of its users, that are older than `Settings.audit_days`.

    Returns:
        How many were dropped.
    """
    check_owner(tenant, user)
    return await _dropped(runtime, tenant, user, AuditEntry, timedelta(days=runtime.settings.audit_days))


async def _dropped(runtime: Runtime, tenant: str, user: str | None, kind: type[Row], age: timedelta) -> int:
    """Drop the rows of a kind that are older than `age`; return how many."""
    until = runtime.clock() - age
    old = Query(kind=kind, tenant=tenant, user=user, where=(Where("at", "<", until),))
    gone = 0
    with acting(runtime, Act("retain_audit")):
        for name in sorted(await runtime.store.count(old, by="user")):
            while went := await _drop(runtime, Owner(tenant, name), kind, until):
                gone += went
    return gone


async def _drop(runtime: Runtime, owner: Owner, kind: type[Row], until: datetime) -> int:
    """Drop the oldest rows of an owner, at most `_AT_ONCE`; return how many."""
    old = Query(kind=kind, tenant=owner.tenant, user=owner.user, where=(Where("at", "<", until),), limit=_AT_ONCE)

    async def plan(_: Partition) -> Batch:
        page = await runtime.store.find(owner, old)
        return Batch(owner=owner, changes=tuple(Drop(kind, key_of(row)) for row in page.rows[0]))

    made, _ = await settled(runtime, place_of(owner), plan)
    return len(made.changes)
