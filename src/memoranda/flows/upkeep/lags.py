"""How far workers are behind, also where none ever ran: read off what waits, not off what was done."""

from dataclasses import dataclass

from memoranda.core.base.schedules import lag
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import Attempt, Event, JobRun
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

_LOOKED = 1_000  # events that wait, the oldest ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Lags:
    """How far the workers of a tenant are behind, in seconds.

    Attributes:
        consolidation: since the end of the conversation that has waited longest for consolidation; dead letters wait
            for nobody. Of the thousand oldest events that wait.
        worker: for how long the job has been due that has been due longest. For a user for whom none ever ran it is due
            since the first event.
    """

    consolidation: float = 0.0
    worker: float = 0.0


async def lags(runtime: Runtime, tenant: str) -> Lags:
    """Return how far the workers of a tenant are behind."""
    return Lags(consolidation=await _consolidation(runtime, tenant), worker=await _worker(runtime, tenant))


async def _consolidation(runtime: Runtime, tenant: str) -> float:
    waiting = Query(
        kind=Event, tenant=tenant, user=None, order=("recorded_at",), limit=_LOOKED,
        where=(Where("processed_at", "is", None), Where("user", "!=", SHARED)),
    )  # fmt: skip
    dead = Query(kind=Attempt, tenant=tenant, user=None, where=(Where("retry_at", "is", None),))
    events, letters = (await runtime.store.find(Owner(tenant, SHARED), waiting, dead)).rows
    given_up = {(row.user, row.event) for row in letters}
    ends = {
        (row.user, row.channel, row.conversation or row.id): row.recorded_at
        for row in events
        if (row.user, row.id) not in given_up
    }
    return lag(min(ends.values(), default=None), runtime.clock())


async def _worker(runtime: Runtime, tenant: str) -> float:
    last = Query(kind=JobRun, tenant=tenant, user=None, where=(Where("slot", "=", 0),))
    runs = (await runtime.store.find(Owner(tenant, SHARED), last)).rows[0]
    users = await runtime.store.count(Query(kind=Event, tenant=tenant, user=None), by="user")
    never = tuple(users.keys() - {SHARED, *(row.user for row in runs)})
    first = Query(
        kind=Event, tenant=tenant, user=None, where=(Where("user", "in", never),), order=("recorded_at",), limit=1
    )  # fmt: skip
    begun = (await runtime.store.find(Owner(tenant, SHARED), first)).rows[0] if never else ()
    due = [*(row.next_at for row in runs), *(row.recorded_at for row in begun)]
    return lag(min(due, default=None), runtime.clock())
