"""Jobs: run one by hand, or all that are due. The schedules are in `core.base.schedules`.

A run takes a lease, does its steps, and leaves a row that says what was done, or why nothing. A run that raises a
MemorandaError is recorded as failed, and the other jobs go on.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any

from memoranda.core.base.checks import strings
from memoranda.core.base.constraints import Id, OneOf
from memoranda.core.base.schedules import JOBS, check_job, lag, next_run
from memoranda.core.base.schedules import due as is_due
from memoranda.core.base.scope import SHARED, Owner, Scope, check_owner
from memoranda.core.rows import JobRun, Passage, ShortTerm
from memoranda.core.rows.changes import Batch, Put
from memoranda.core.rows.jobs import Did, slot_of, together
from memoranda.core.text.terms import storable
from memoranda.errors import MemorandaError
from memoranda.flows.consolidation import processor
from memoranda.flows.runtime.audit import Act, acting
from memoranda.flows.runtime.commits import reread
from memoranda.flows.runtime.leases import Lease
from memoranda.flows.runtime.runtime import Runtime, owners
from memoranda.flows.upkeep import fading, patterns, reembed, reviewing, tidying, trends
from memoranda.ports import Query, Where

#: The steps of each job. What a step yields is done, and the job can be stopped after it.
FLOWS: Mapping[str, Callable[[Runtime, str, Any], AsyncGenerator[Did, None]]] = MappingProxyType(
    {
        "session_flush": tidying.session_flush,
        "consolidate": processor.consolidating,
        "reembed": reembed.reembedding,
        "promote_short_term": tidying.promote_short_term,
        "patterns": patterns.patterning,
        "promote_global": tidying.promote_global,
        "trends": trends.trends,
        "prune": fading.prune,
        "decay": fading.decay,
        "deduplicate": reviewing.deduplicate,
        "rot": fading.rot,
        "retention": tidying.retention,
        "audit_partitions": tidying.audit_partitions,
        "weekly_review": reviewing.weekly_review,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What running a job did.

    Attributes:
        outcome: done, empty (there was nothing to do), failed (for at least one user), or busy (another worker has the
            lease).
        users: for how many it ran; a job of the whole tenant runs once.
        counts: what was done, how often; `looked`: how many things were looked at.
        reason: why there was nothing to do, or what went wrong.
        degraded: parts that were down.
    """

    job: str
    outcome: str
    users: int
    counts: Mapping[str, int]
    reason: str = ""
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """The status of a job, for one user or for all.

    Attributes:
        schedule: when it runs; `does`: what.
        last: when it last began, None if never; `outcome`, `counts`, `reason`: of that run.
        next: when it is due; None for at once, while it never ran for one of its users.
        lag: seconds for which it has been due, the longest of all users.
        runs, failures: how many runs are known, and how many of them failed.
    """

    job: str
    schedule: str
    does: str
    last: datetime | None = None
    outcome: str = ""
    counts: Mapping[str, Any]
    reason: str = ""
    next: datetime | None = None
    lag: float = 0.0
    runs: int = 0
    failures: int = 0


async def run_job(runtime: Runtime, name: Annotated[str, OneOf(JOBS)], *, tenant: Id, user: Id | None = None) -> Ran:
    """Run a job now. It is idempotent: run twice in a row, or by two workers at once, it takes effect once.

    Args:
        name: the job's name, see `memoranda.core.base.schedules.JOBS`.
        tenant: the tenant.
        user: the user; all users by default.

    Raises:
        InputError: there is no such job.
    """
    users = await _users(runtime, tenant, user)
    runs = [await _run(runtime, name, owner) for owner in _whose(name, tenant, user, users)]
    return _ran(name, runs)


async def due(
    runtime: Runtime, tenant: str, user: str | None = None, jobs: Sequence[str] | None = None
) -> list[tuple[str, Owner]]:
    """The jobs that are due, each with its owner: sorted by owner, and for each owner in the order of the table.

    Args:
        jobs: only these.

    Raises:
        InputError: there is no such job.
    """
    names = check_jobs(jobs)
    last = Query(kind=JobRun, tenant=tenant, user=user, where=(Where("slot", "=", 0),))
    found = {(row.job, row.user): row.next_at for row in await _rows(runtime, tenant, last)}
    now = runtime.clock()
    users = await _users(runtime, tenant, user)  # once for all jobs: it counts all passages
    waiting = [
        (owner, JOBS[name].whole, names.index(name), name)
        for name in names
        for owner in _whose(name, tenant, user, users)
        if is_due(JOBS[name].schedule, found.get((name, owner.user)), now)
    ]
    return [(name, owner) for owner, _, _, name in sorted(waiting, key=lambda one: (not one[1], one[0], one[2]))]


async def run_if_due(runtime: Runtime, name: str, owner: Owner) -> JobRun | None:
    """Run a job for one owner unless another worker does, or has done meanwhile."""
    return await _run(runtime, name, owner, only_due=True)


async def jobs(runtime: Runtime, *, tenant: Id, user: Id | None = None) -> tuple[JobStatus, ...]:
    """Return the status of the jobs of a tenant or one of its users: schedules, last runs, lag, failures.

    A job that runs for the tenant as a whole counts as run for each of its users.

    Args:
        tenant: the tenant.
        user: the user; all users by default.
    """
    mine = Query(kind=JobRun, tenant=tenant, user=user)
    rows: dict[str, list[JobRun]] = {name: [] for name in JOBS}
    runs, failures = Counter[str](), Counter[str]()
    for known in (mine,) if user is None else (mine, replace(mine, user=SHARED)):
        for row in await _rows(runtime, tenant, replace(known, where=(Where("slot", "=", 0),))):
            rows[row.job].append(row)
        runs.update(await runtime.store.count(known, by="job"))
        failures.update(await runtime.store.count(replace(known, where=(Where("outcome", "=", "failed"),)), by="job"))
    now, users = runtime.clock(), await _users(runtime, tenant, user)
    whose = {name: {owner.user for owner in _whose(name, tenant, user, users)} for name in JOBS}
    covered = {name for name in JOBS if JOBS[name].whole and any(row.user == SHARED for row in rows[name])}
    return tuple(
        _status(name, rows[name], set() if name in covered else whose[name], now, runs[name], failures[name])
        for name in JOBS
    )


async def failed(runtime: Runtime, name: str, owner: Owner, began: datetime, reason: str) -> JobRun:
    """Record a failed run."""
    return await _record(runtime, name, owner, began, Did(counts={}, reason=reason), "failed")


def _status(name: str, rows: Sequence[JobRun], whose: set[str], now: datetime, runs: int, failures: int) -> JobStatus:
    """The status of a job for these users, from the last run of each."""
    job = JOBS[name]
    told: dict[str, Any] = {"job": name, "schedule": str(job.schedule), "does": job.does}
    if not rows:
        return JobStatus(**told, counts={})
    last = max(rows, key=lambda row: (row.outcome == "failed", row.started_at, row.user))
    never = whose.difference(row.user for row in rows)
    return JobStatus(
        **told, last=max(row.started_at for row in rows), outcome=last.outcome, counts=last.counts,
        reason=last.reason, next=None if never else min(row.next_at for row in rows), runs=runs,
        lag=max(lag(row.next_at, now) for row in rows), failures=failures,
    )  # fmt: skip


def _ran(name: str, runs: Sequence[JobRun | None]) -> Ran:
    rows = [run for run in runs if run is not None]
    did = together(Did(counts=row.counts, reason=row.reason, degraded=row.degraded) for row in rows)
    outcomes = {row.outcome for row in rows}
    found = next((one for one in ("failed", "done", "empty") if one in outcomes), "busy" if runs else "empty")
    reason = {"busy": "another worker is at it", "done": ""}.get(found, did.reason or "there are no users yet")
    if found == "failed":
        reason = next(row.reason for row in rows if row.outcome == "failed")
    return Ran(job=name, outcome=found, users=len(rows), counts=did.counts, reason=reason, degraded=did.degraded)


def check_jobs(jobs: Sequence[str] | None) -> tuple[str, ...]:
    """The given jobs in the order of the table; all by default.

    Raises:
        InputError: one of them does not exist.
    """
    found = tuple(JOBS) if jobs is None else strings("jobs", jobs)
    for name in found:
        check_job(name)
    return tuple(name for name in JOBS if name in found)


async def _rows(runtime: Runtime, tenant: str, query: Query[JobRun]) -> Sequence[JobRun]:
    return (await runtime.store.find(Owner(tenant, query.user or SHARED), query)).rows[0]


async def _users(runtime: Runtime, tenant: str, user: str | None) -> list[Owner]:
    """The given user, or all users of a tenant."""
    check_owner(tenant, user)
    return [owner for owner in await owners(runtime, tenant, user, (Passage, ShortTerm)) if owner.user != SHARED]


def _whose(name: str, tenant: str, user: str | None, users: list[Owner]) -> list[Owner]:
    """The owners that a job runs for: the users, or the tenant as a whole, whose runs are shared rows."""
    if user is not None:
        return [Scope(tenant=tenant, user=user).owner]
    return [Owner(tenant, SHARED)] if JOBS[name].whole else users


async def _run(runtime: Runtime, name: str, owner: Owner, *, only_due: bool = False) -> JobRun | None:
    """One run, or None if another worker has the lease, or has just run it."""
    began = runtime.clock()
    lease = await runtime.leases.take(owner, name)
    if lease is None:
        return None
    held = _Held(lease)
    try:
        if only_due:
            [last] = await runtime.store.get(JobRun, owner, [(name, 0)])
            if last is not None and not is_due(JOBS[name].schedule, last.next_at, began):
                return None
        did, problem = await _steps(runtime, name, owner, held)
        if problem is not None:
            return await _record(runtime, name, owner, began, replace(did, reason=problem), "failed")
        outcome = "done" if any(did.counts.values()) else "empty"
        return await _record(runtime, name, owner, began, did, outcome)
    finally:
        if held.lease is not None:
            await runtime.leases.release(held.lease)


@dataclass(slots=True)
class _Held:
    """The lease of a run as it was last renewed; None once it is somebody else's."""

    lease: Lease | None


async def _steps(runtime: Runtime, name: str, owner: Owner, held: _Held) -> tuple[Did, str | None]:
    """Run the steps of a job to the end or to the first error; return what was done, and the error."""
    problem = held.lease and held.lease.problem
    parts = [Did(counts={}, degraded=(problem,))] if problem else []
    user = None if owner.user == SHARED else owner.user
    try:
        with acting(runtime, Act(f"job.{name}")):
            async with aclosing(FLOWS[name](runtime, owner.tenant, user)) as steps:
                async for part in steps:
                    parts.append(part)
                    held.lease = held.lease and await runtime.leases.renew(held.lease)
                    if held.lease is None:
                        break  # another worker goes on with it
    except MemorandaError as error:
        return together(parts), f"{type(error).__name__}: {error}"
    return together(parts), None


async def _record(runtime: Runtime, name: str, owner: Owner, began: datetime, did: Did, outcome: str) -> JobRun:
    """Record a run; the previous last run moves to its own slot."""
    schedule, looked = JOBS[name].schedule, {"looked": did.looked} if did.looked else {}

    async def attempt() -> JobRun:
        query = Query(
            kind=JobRun, tenant=owner.tenant, user=owner.user, where=(Where("job", "=", name), Where("slot", "=", 0))
        )
        page = await runtime.store.find(owner, query)
        last = next(iter(page.rows[0]), None)
        row = JobRun(
            tenant=owner.tenant, user=owner.user, job=name, slot=0, ordinal=last.ordinal + 1 if last else 1,
            started_at=began, ended_at=runtime.clock(), outcome=outcome, counts={**did.counts, **looked},
            reason="" if outcome == "done" else storable(did.reason)[0],
            degraded=tuple(storable(problem)[0] for problem in did.degraded),
            lag=lag(last.next_at if last else None, began),
            next_at=next_run(schedule, began, failed=outcome == "failed"),
        )  # fmt: skip
        aside = [Put(replace(last, slot=slot_of(last.ordinal)))] if last else []
        batch = Batch(owner=owner, changes=(*aside, Put(row)), expect=page.state.seq)
        applied = await runtime.store.apply(batch)
        runtime.partitions.follow(batch, applied)
        return row

    async with runtime.partitions.turn(owner):
        return await reread(attempt)
