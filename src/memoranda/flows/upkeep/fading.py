"""The jobs that drop or archive: what is no longer certain, no longer fresh, or never mattered.

Each acts only on what has crossed a threshold since the last run; all else is computed on read. None of them marks a
statement as untrue: only a person's statement does.
"""

from collections.abc import AsyncGenerator
from functools import partial

from memoranda.core.base.scope import Owner, Scope
from memoranda.core.beliefs import decay as life
from memoranda.core.image.image import Partition
from memoranda.core.rows import ConnectionCache, key_of
from memoranda.core.rows.changes import Drop
from memoranda.core.rows.jobs import Did
from memoranda.core.rows.statements import FADING
from memoranda.flows.runtime.commits import settled
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.upkeep import tidying
from memoranda.flows.upkeep.steps import SETTLED, Kept, Test, archive, drop, open_records, settle
from memoranda.ports import Query, Where


async def decay(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Archive inferred statements that were not confirmed and whose confidence fell below the floor."""
    uncertain = Where("certainty", "in", tuple(sorted(FADING)))
    yield await _archived(
        runtime, Owner(tenant, user), "decay", life.faded, uncertain,
        text=f"Archived {{}} inferred statement(s) whose confidence had faded below {life.UNSURE}.",
        empty=f"no inferred statement has faded below a confidence of {life.UNSURE}", confidence=life.UNSURE,
    )  # fmt: skip


async def rot(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Archive stale statements, see `memoranda.core.beliefs.decay.staleness`."""
    yield await _archived(
        runtime, Owner(tenant, user), "rot", lambda row, since, now: life.staleness(row, since, now) >= life.STALE,
        text=f"Archived {{}} statement(s) of a staleness of {life.STALE} or more.",
        empty=f"no statement has a staleness of {life.STALE}", staleness=life.STALE,
    )  # fmt: skip


async def _archived(
    runtime: Runtime, owner: Owner, job: str, test: Test, *where: Where, text: str, empty: str, **thresholds: float
) -> Did:
    read = partial(open_records, runtime, owner, SETTLED, *where)
    looked = len(await read())
    gone = await settle(runtime, owner, job, read, test, archive, text=text, thresholds=thresholds)
    return Did(counts={"archived": len(gone)}, looked=looked, reason=empty)


async def prune(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Drop trivial statements that were unused for a month, expired entries, and expired answers of tools."""
    owner = Owner(tenant, user)
    read = partial(open_records, runtime, owner, SETTLED | {"archived"})
    looked = len(await read())
    gone = await settle(
        runtime, owner, "prune", read, life.trivial, drop, text="Dropped {} trivial statement(s).",
        thresholds={"importance": life.TRIVIAL, "days": life.UNTOUCHED.days},
    )  # fmt: skip
    yield Did(counts={"dropped": len(gone)}, looked=looked, reason="nothing is trivial, and nothing has expired")
    async for did in tidying.cleaned(runtime, owner):
        yield did
    yield Did(counts={"answers": await _expired(runtime, owner)})


async def _expired(runtime: Runtime, owner: Owner) -> int:
    """Drop the cached answers of connected tools that have expired; return how many."""
    scope = Scope(tenant=owner.tenant, user=owner.user)
    where = (Where("expires_at", "<=", runtime.clock()),)
    query = Query(kind=ConnectionCache, tenant=owner.tenant, user=owner.user, where=where)

    async def plan(_: Partition) -> Kept:
        page = await runtime.store.find(owner, query)
        return Kept([Drop(ConnectionCache, key_of(row)) for row in page.rows[0]])

    if not sum((await runtime.store.count(query)).values()):
        return 0
    return len((await settled(runtime, scope, plan))[0].changes)
