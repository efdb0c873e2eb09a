"""The jobs that carry what belongs elsewhere to where it belongs.

From working to episodic memory, from short-term to long-term memory, from one channel to all of them, from what goes on
to what is over.
"""

from collections.abc import AsyncGenerator

from memstrata.core.rows import ShortTerm
from memstrata.core.running import Did
from memstrata.core.scope import Owner, Scope
from memstrata.flows import entries
from memstrata.flows.flush import flush_idle
from memstrata.flows.runtime import Runtime
from memstrata.ports import Query


async def session_flush(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:
    """Flush the conversations in which nothing was done for five minutes."""
    flushed = await flush_idle(runtime, tenant, user)
    counts = {
        "conversations": flushed.conversations, "events": len(flushed.events), "summaries": len(flushed.summaries),
    }  # fmt: skip
    idle = runtime.desks.limits.idle_seconds
    yield Did(counts=counts, reason=f"no conversation has been idle for {idle:g} s", degraded=flushed.degraded)


async def promote_short_term(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Take entries that are used or important into long-term memory, then drop those that expired or faded."""
    owner = Owner(tenant, user)
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


async def audit_partitions(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:  # noqa: ARG001
    """Nothing, in stores that keep what they log in one table."""
    kind = (await runtime.store.describe())["kind"]
    yield Did(counts={}, reason=f"the store ({kind}) keeps its logs in one table each: there are no partitions")
