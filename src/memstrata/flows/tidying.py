"""The jobs that move data on.

They go from working to episodic memory, from short-term to long-term memory, from one channel to all, and from active
to archived conversations.
"""

from collections.abc import AsyncGenerator
from contextlib import suppress
from datetime import datetime, timedelta

from memstrata.core.changes import Add, Drop
from memstrata.core.partition import Partition
from memstrata.core.promotion import THRESHOLDS, promotion_id, proven
from memstrata.core.rows import Event, Record, ShortTerm, WorkingCopy, key_of
from memstrata.core.running import Did
from memstrata.core.scope import GLOBAL, Owner, Scope
from memstrata.core.text import derived_id
from memstrata.errors import InputError
from memstrata.flows import entries
from memstrata.flows.audits import retain_audit
from memstrata.flows.capture import event_at
from memstrata.flows.channels import copied
from memstrata.flows.commits import settled
from memstrata.flows.finishing import finish
from memstrata.flows.flush import flush_idle
from memstrata.flows.runtime import Runtime
from memstrata.flows.upkeep import SETTLED, UPKEEP, Kept, standing
from memstrata.ports import Query, Where

QUIET = timedelta(days=90)


async def session_flush(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:
    """Flush the conversations that were idle for five minutes."""
    flushed = await flush_idle(runtime, tenant, user)
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
    rows = await standing(runtime, owner, SETTLED, Where("channel", "!=", GLOBAL))
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
    """Archive conversations in which nothing was said for 90 days.

    An event records it, and the copies of their working memory are dropped. The turns stay in the log and are found as
    before: any old turn may be the answer to a question, and known turns decide what an import skips.
    """
    owner, now = Owner(tenant, user), runtime.clock()
    partition = await runtime.partitions.current(owner)
    talks: dict[tuple[str, str, str], datetime] = {}
    for one in partition.index.passages:
        if one.of == "event" and one.conversation is not None:
            where = one.conversation, one.channel, one.agent or ""
            talks[where] = max(talks.get(where, one.at), one.at, one.recorded_at)
    quiet = sorted((at, where, partition.next_position(*where[:2])) for where, at in talks.items() if now - at > QUIET)
    looked, reason = len(talks), f"no conversation has been quiet for {QUIET.days} days"
    yield Did(counts={"archived": 0, "copies": 0}, looked=looked, reason=reason)
    for at, (talk, channel, agent), position in quiet:
        scope = Scope(tenant=tenant, user=user, agent=agent or None, channel=channel, conversation=talk)
        name = derived_id(owner, "archived", agent, channel, talk, at.isoformat())
        if await runtime.store.get(Event, owner, [(name,)]) == [None]:
            yield await _archived(runtime, scope, name, at, position)


async def _archived(runtime: Runtime, scope: Scope, name: str, last: datetime, position: int) -> Did:
    """Archive one conversation, unless its next position has moved: then somebody went on with it."""
    now = runtime.clock()
    event = event_at(
        scope, None, "system_learned", id=name, kind=UPKEEP, role="", surface="heartbeat", event_time=now,
        recorded_at=now, processed_at=now,
        content=f"Archived a conversation, the last word of which is of {last:%Y-%m-%d}.",
        metadata={"job": "retention", "last": last.isoformat(), "thresholds": {"days": QUIET.days}},
    )  # fmt: skip
    where = (Where("conversation", "=", scope.conversation), Where("channel", "=", scope.channel))
    query = Query(kind=WorkingCopy, tenant=scope.tenant, user=scope.user, where=where)

    async def plan(partition: Partition) -> Kept:
        moved = partition.next_position(scope.conversation or "", scope.channel) != position
        if moved or partition.buried((name,), "", scope.agent):
            return Kept()
        page = await runtime.store.find(scope.owner, query)
        copies = [row for row in page.rows[0] if row.agent == scope.agent]
        return Kept([Add(event), *(Drop(WorkingCopy, key_of(row)) for row in copies)], [row.id for row in copies])

    made, _ = await settled(runtime, scope, plan)
    return Did(counts={"archived": int(bool(made.changes)), "copies": len(made.records)})


async def audit_partitions(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:
    """Drop old entries of the audit; no store has partitions to drop instead."""
    days = runtime.settings.audit_days
    gone = await retain_audit(runtime, tenant, user)
    yield Did(counts={"entries": gone}, reason=f"no entry of the audit is older than {days} days")
