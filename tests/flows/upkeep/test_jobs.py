"""Jobs: each does what it says, twice in a row is once, two workers are one, and what was done is written down."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

import anyio
import pytest

from flows.helpers import MORNING, OWNER, Contested, Scripted, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.schedules import JOBS
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import ConnectionCache, Event, JobRun, Record, Row, ShortTerm, WorkingCopy, key_of
from memoranda.core.rows.changes import Batch, Patch
from memoranda.core.rows.jobs import KEPT, Did, Worked
from memoranda.errors import InputError, StoreUnavailableError
from memoranda.flows.capture.gateway import admission_to, overlay_on
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.upkeep import jobs as flows
from memoranda.flows.upkeep.steps import done_again
from memoranda.ports import Cache, Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.worker import Worker, until_cancelled

pytestmark = pytest.mark.anyio

HOME: dict[str, str] = {"tenant": "acme", "user": "alice"}
WHOLE = Owner("acme", SHARED)
PER_USER = [name for name, job in JOBS.items() if not job.whole]


async def patched(store: Store, row: Row, **values: Any) -> None:
    await store.apply(Batch(owner=OWNER, changes=(Patch(type(row), key_of(row), values),)))


async def observed(scoped: AsyncScoped, store: Store, text: str, **values: Any) -> Record:
    """A record that a text made, changed."""
    made = await scoped.observe(text)
    [record] = [row for row in await rows(store, Record) if row.id == made.records[0]]
    if values:
        await patched(store, record, **values)
    return record


async def versions(store: Store, record: Record) -> list[tuple[str, bool]]:
    """The status of each version, and whether it is believed."""
    found = [row for row in await rows(store, Record) if row.id == record.id]
    return [(row.status, row.superseded_at is None) for row in sorted(found, key=lambda row: row.version)]


async def upkeep(store: Store) -> list[dict[str, Any]]:
    return [dict(event.metadata) for event in await rows(store, Event) if event.kind == "upkeep"]


# ------------------------------------------------------------------------------------------------ the machine


async def test_the_table_has_a_flow_for_each_job() -> None:
    assert list(flows.FLOWS) == list(JOBS)


@pytest.mark.parametrize("name", JOBS)
async def test_with_nothing_to_do_it_is_empty_and_says_why(memory: AsyncMemory, store: Store, name: str) -> None:
    ran = await memory.run_job(name, tenant="acme")
    assert (ran.outcome, ran.users) == ("empty", int(JOBS[name].whole))
    assert ran.reason == "there are no users yet" or JOBS[name].whole
    for _ in range(2):
        ran = await memory.run_job(name, **HOME)
        assert ran.outcome == "empty"
        assert ran.reason
        assert not any(ran.counts.values())
    runs = await rows(store, JobRun)
    assert [(run.slot, run.ordinal, run.outcome) for run in sorted(runs, key=lambda run: run.slot)] == [
        (0, 2, "empty"), (2, 1, "empty"),
    ]  # fmt: skip
    assert await rows(store, Event) == []


async def test_of_a_tenant_it_runs_for_each_user(memory: AsyncMemory, store: Store) -> None:
    for user in ("alice", "bob"):
        await memory.scope(tenant="acme", user=user).observe("The crab is blue")
    await memory.scope(tenant="other", user="carol").observe("The crab is blue")
    ran = await memory.run_job("rot", tenant="acme")
    assert (ran.outcome, ran.users, ran.counts) == ("empty", 2, {"archived": 0, "looked": 2})
    assert ran.reason == "no statement has a staleness of 0.9"
    assert [len(await rows(store, JobRun, Owner("acme", user))) for user in ("alice", "bob", SHARED)] == [1, 1, 0]
    assert await rows(store, JobRun, Owner("other", "carol")) == []
    await memory.run_job("session_flush", tenant="acme")
    assert [run.job for run in await rows(store, JobRun, WHOLE)] == ["session_flush"]


async def test_so_many_runs_are_kept_and_nothing_is_removed(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.observe("The crab is blue")
    for _ in range(KEPT + 5):
        await memory.run_job("decay", **HOME)
        clock.advance(days=1)
    runs = sorted(await rows(store, JobRun), key=lambda run: run.ordinal)
    assert [run.ordinal for run in runs] == list(range(5, KEPT + 6))
    assert [run.slot for run in runs if run.slot == 0] == [0]
    assert (await store.find(OWNER)).state.dropped == 0
    [standing] = [one for one in await memory.jobs(**HOME) if one.job == "decay"]
    assert (standing.runs, standing.failures, standing.last) == (KEPT + 1, 0, clock() - timedelta(days=1))


async def test_how_the_jobs_stand(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    assert [one.last for one in await memory.jobs(tenant="acme")] == [None] * len(JOBS)
    await alice.observe("The crab is blue")
    await memory.run_job("rot", tenant="acme")
    clock.advance(days=1)
    found = {one.job: one for one in await memory.jobs(tenant="acme")}
    rot = found["rot"]
    assert (rot.schedule, rot.outcome, rot.next) == ("daily at 04:00", "empty", datetime(2026, 1, 6, 4, tzinfo=UTC))
    assert (rot.lag, rot.runs, rot.counts) == (5.5 * 3_600, 1, {"archived": 0, "looked": 1})
    await memory.run_job("rot", tenant="acme")
    [run] = [one for one in await memory.jobs(tenant="acme") if one.job == "rot"]
    assert run.lag == 0.0
    assert (await memory.jobs(tenant="other"))[0].runs == 0


async def test_what_runs_for_the_tenant_stands_for_each_of_its_users(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.observe("The crab is blue")
    await memory.work(tenants=["acme"], once=True)
    found = await memory.jobs(**HOME)
    assert [(one.job, one.last, one.runs) for one in found] == [(name, clock(), 1) for name in JOBS]
    assert [one.job for one in found if one.next is None] == []
    assert {one.runs for one in await memory.jobs(tenant="acme")} == {1}


async def test_a_job_is_due_at_once_while_there_is_one_for_whom_it_never_ran(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    async def stands(**whose: str) -> tuple[datetime | None, datetime | None]:
        found = {one.job: one.next for one in await memory.jobs(**whose)}
        return found["rot"], found["audit_partitions"]

    four = datetime(2026, 1, 6, 4, tzinfo=UTC)
    await alice.observe("The crab is blue")
    for job in ("rot", "audit_partitions"):
        await memory.run_job(job, **HOME)
    assert await stands(**HOME) == (four, four)
    assert await stands(tenant="acme") == (four, None), "the whole tenant's is another than one user's"
    await memory.run_job("audit_partitions", tenant="acme")
    await memory.scope(tenant="acme", user="bob").observe("The crab is red")
    assert await stands(tenant="acme") == (None, four)
    assert [owner.user for _, owner in await flows.due(memory._runtime, "acme", jobs=["rot"])] == ["bob"]


async def test_the_lag_of_a_run_is_kept(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.observe("The crab is blue")
    await memory.run_job("rot", **HOME)
    clock.advance(days=1)
    await memory.run_job("rot", **HOME)
    assert [run.lag for run in sorted(await rows(store, JobRun), key=lambda run: run.ordinal)] == [0.0, 19_800.0]


class Down(DictCache):
    """A cache that can be down."""

    up = True

    async def read(self, place: Any) -> Any:
        if not self.up:
            raise StoreUnavailableError("the cache is down")
        return await super().read(place)

    async def write(self, *args: Any, **options: Any) -> None:
        if not self.up:
            raise StoreUnavailableError("the cache is down")
        await super().write(*args, **options)

    async def idle(self, *args: Any, **options: Any) -> Any:
        if not self.up:
            raise StoreUnavailableError("the cache is down")
        return await super().idle(*args, **options)


async def opened(store: Any, clock: FrozenClock, cache: Cache | None = None, prefix: str = "id") -> AsyncMemory:
    return await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds(prefix), cache=cache)


async def test_without_the_cache_a_job_goes_on_and_says_so(store: Store, clock: FrozenClock) -> None:
    cache = Down()
    memory = await opened(store, clock, cache)
    await observed(memory.scope(**HOME), store, "The crab is blue", importance=0.01)
    clock.advance(days=31)
    cache.up = False
    ran = await memory.run_job("prune", **HOME)
    assert (ran.outcome, ran.counts["dropped"]) == ("done", 1)
    assert ran.degraded == ("leases: the cache is down",)
    ran = await memory.run_job("session_flush", tenant="acme")
    assert (ran.outcome, ran.reason) == ("failed", "StoreUnavailableError: the cache is down")
    run, failures = (await rows(store, JobRun, WHOLE))[0], (await memory.jobs(tenant="acme"))[0].failures
    assert (run.outcome, run.next_at - run.started_at, failures) == ("failed", timedelta(minutes=5), 1)
    cache.up = True
    assert (await memory.run_job("session_flush", tenant="acme")).outcome == "empty"


async def test_a_lease_is_renewed_lost_and_released(store: Store, clock: FrozenClock) -> None:
    cache = Down()
    leases = (await opened(store, clock, cache))._runtime.leases
    lease = await leases.take(OWNER, "rot", 60)
    assert lease is not None
    assert lease.problem is None
    assert await leases.take(OWNER, "rot") is None
    assert await leases.take(OWNER, "decay") is not None
    assert await leases.take(Owner("acme", "bob"), "rot") is not None
    assert await leases.renew(lease, 60) is lease
    clock.advance(seconds=40)
    later = await leases.renew(lease, 60)
    assert later is not None
    assert later.until == clock() + timedelta(seconds=60)
    assert await leases.renew(lease, 60) is None  # it is somebody else's by now
    await leases.release(lease)
    assert await leases.take(OWNER, "rot") is None
    clock.advance(seconds=60)
    taken = await leases.take(OWNER, "rot", 60)
    assert taken is not None
    clock.advance(seconds=31)
    cache.up = False
    kept = await leases.renew(taken, 60)
    assert kept is not None
    assert kept.problem == "leases: the cache is down"
    assert await leases.renew(kept) is kept
    await leases.release(kept)
    await leases.release(taken)
    cache.up = True
    await leases.release(taken)
    assert await leases.take(OWNER, "rot") is not None


async def test_a_lease_that_was_renewed_is_released_too(
    memory: AsyncMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases, lost = memory._runtime.leases, list[bool]()

    async def long(*_: Any) -> AsyncGenerator[Did, None]:
        for _ in range(4):
            clock.advance(minutes=6)
            yield Did(counts={"done": 1})
        assert await leases.take(OWNER, "rot") is None, "a lease ends after ten minutes, unless it is renewed"
        if lost:
            clock.advance(minutes=11)
            assert await leases.take(OWNER, "rot") is not None
            yield Did(counts={"done": 1})

    monkeypatch.setattr(flows, "FLOWS", MappingProxyType({**flows.FLOWS, "rot": long}))
    for _ in range(2):
        assert (await memory.run_job("rot", **HOME)).outcome == "done"
    lost.append(True)
    assert (await memory.run_job("rot", **HOME)).outcome == "done"
    assert (await memory.run_job("rot", **HOME)).outcome == "busy", "who lost a lease leaves it to who has it"


async def test_a_clock_that_was_ahead_stops_nothing_for_long(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.observe("The crab is blue")
    leases = memory._runtime.leases
    clock.advance(days=400)
    await memory.work(tenants=["acme"], once=True)
    assert await leases.take(OWNER, "prune") is not None
    clock.advance(days=-400)
    assert sorted(name for name, _ in await flows.due(memory._runtime, "acme")) == sorted(JOBS)
    done = await memory.work(tenants=["acme"], once=True)
    assert (done.done + done.empty, done.failed) == (len(JOBS), 0)
    assert await flows.due(memory._runtime, "acme") == []


async def test_the_lease_of_who_is_gone_is_dropped(store: Store, clock: FrozenClock) -> None:
    cache = Down()
    leases = (await opened(store, clock, cache))._runtime.leases
    await leases.drop(OWNER, "rot")  # there is none
    await leases.take(OWNER, "rot")
    cache.up = False
    await leases.drop(OWNER, "rot")
    cache.up = True
    assert await leases.take(OWNER, "rot") is None
    await leases.drop(OWNER, "rot")
    assert await leases.take(OWNER, "rot") is not None


async def test_a_lease_that_two_take_at_once_is_one(clock: FrozenClock) -> None:
    class Late(DictCache):
        async def read(self, place: Any) -> Any:
            content = await super().read(place)
            await anyio.lowlevel.checkpoint()
            return content

    leases = (await opened(DictStore(), clock, Late()))._runtime.leases
    taken = await asyncio.gather(*(leases.take(OWNER, "rot") for _ in range(5)))
    assert sum(one is not None for one in taken) == 1


async def test_leases_are_no_working_memory(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    await memory._runtime.leases.take(OWNER, "rot", 3_600)
    clock.advance(minutes=30)
    assert (await memory.run_job("session_flush", tenant="acme")).outcome == "empty"
    await alice.observe("The crab is blue")
    assert [line["kind"] for line in [row async for row in alice.export()][1:-1] if line["kind"] == "cells"] == []
    assert await memory._runtime.leases.take(OWNER, "rot") is None


async def test_two_workers_at_once_do_it_once(store: Store, clock: FrozenClock) -> None:
    cache = DictCache()
    memories = [await opened(store, clock, cache, f"w{number}") for number in range(3)]
    alice = memories[0].scope(**HOME)
    records = [await observed(alice, store, f"Crab {word} lives here", importance=0.01) for word in ("Ann", "Bo")]
    clock.advance(days=31)
    done = await asyncio.gather(*(one.work(tenants=["acme"], once=True) for one in memories))
    assert sum(one.done + one.empty for one in done) == len(JOBS)
    runs = [*await rows(store, JobRun), *await rows(store, JobRun, WHOLE)]
    assert sorted((run.job, run.ordinal) for run in runs) == sorted((name, 1) for name in JOBS)
    assert [len(await versions(store, record)) for record in records] == [2, 2]
    told = [name for one in await upkeep(store) for name in one["records"]]  # by rot or prune, whichever came first
    assert sorted(told) == sorted(record.id for record in records)


async def test_one_that_another_worker_is_at_is_busy(memory: AsyncMemory, store: Store) -> None:
    lease = await memory._runtime.leases.take(OWNER, "rot")
    assert lease is not None
    ran = await memory.run_job("rot", **HOME)
    assert (ran.outcome, ran.users, ran.reason) == ("busy", 0, "another worker is at it")
    assert await rows(store, JobRun) == []


async def test_a_run_is_written_down_though_others_write(store: Store, clock: FrozenClock) -> None:
    contested = Contested(store, 0)
    memory = await opened(contested, clock)
    await memory.run_job("rot", **HOME)
    contested.left = 3
    assert (await memory.run_job("rot", **HOME)).outcome == "empty"
    assert sorted(run.ordinal for run in await rows(store, JobRun)) == [1, 2]


async def _wrong(*_: Any) -> AsyncGenerator[Did, None]:
    yield Did(counts={"done": 1})
    raise RuntimeError("nobody foresaw this")


async def test_what_goes_wrong_does_not_stop_the_others(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await alice.observe("The crab is blue")
    monkeypatch.setattr(flows, "FLOWS", MappingProxyType({**flows.FLOWS, "rot": _wrong}))
    done = await memory.work(tenants=["acme"], once=True)
    assert (done.failed, done.done + done.empty) == (1, len(JOBS) - 1)
    [run] = [row for row in await rows(store, JobRun) if row.job == "rot"]
    assert (run.outcome, run.reason) == ("failed", "RuntimeError: nobody foresaw this")
    with pytest.raises(RuntimeError):  # by hand it is told
        await memory.run_job("rot", **HOME)
    assert (await memory.run_job("decay", **HOME)).outcome == "empty"


async def test_a_store_that_is_down_is_met_again(store: Store, clock: FrozenClock) -> None:
    class Falling:
        up = True

        def __getattr__(self, name: str) -> Any:
            if not self.up and name in {"find", "apply", "count"}:
                raise StoreUnavailableError("the store is down")
            return getattr(store, name)

    falling = Falling()
    memory = await opened(falling, clock, DictCache())
    await memory.scope(**HOME).observe("The crab is blue")
    falling.up = False
    looks: list[Worked] = []

    async def wait(_: float) -> None:
        falling.up = True
        clock.advance(seconds=30)
        if len(looks) == 1:
            raise asyncio.CancelledError
        looks.append(Worked())

    with pytest.raises(asyncio.CancelledError):
        await until_cancelled(memory._runtime, ["acme"], None, once=False, every=1.0, queue=False, wait=wait)
    assert len(await rows(store, JobRun)) == len(PER_USER)
    assert await memory.work(tenants=["acme"], once=True) == Worked()


async def test_a_failure_that_cannot_be_written_down_is_logged(
    store: Store, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = await opened(store, clock, DictCache())

    async def fails(*_: Any) -> JobRun:
        raise StoreUnavailableError("the disk is full")

    monkeypatch.setattr(flows, "_record", fails)
    assert await memory.work(tenants=["acme"], jobs=["session_flush"], once=True) == Worked(failed=1)


async def test_a_worker_in_the_process_ends_with_its_context(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.observe("The crab is blue")
    async with Worker(memory, tenants=["acme"], jobs=["rot"], every=3_600) as worker:
        with anyio.fail_after(120):
            while not (await memory.jobs(**HOME))[list(JOBS).index("rot")].runs:
                await anyio.lowlevel.checkpoint()
        [task] = worker._tasks
    assert task.cancelled()


async def test_who_is_cancelled_while_a_worker_ends_is_told_so() -> None:
    ending, gate, after = anyio.Event(), anyio.Event(), list[str]()

    class Slow:
        async def work(self, **_: Any) -> None:
            try:
                await anyio.sleep_forever()
            finally:
                ending.set()
                await gate.wait()

    async def host() -> None:
        async with Worker(Slow(), tenants=["acme"]):
            await anyio.lowlevel.checkpoint()
        after.append("went on")

    task = asyncio.create_task(host())
    await ending.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert after == []
    gate.set()


async def test_a_worker_that_cannot_work_says_so(memory: AsyncMemory) -> None:
    with pytest.raises(InputError, match="give one of session_flush"):
        async with Worker(memory, tenants=["acme"], jobs=["dream"]):
            await anyio.lowlevel.checkpoint()


async def ran_due(
    runtime: Runtime, tenant: str, user: str | None = None, jobs: Sequence[str] | None = None
) -> list[str]:
    """Run what is due; which jobs were."""
    ran = [await flows.run_if_due(runtime, *one) for one in await flows.due(runtime, tenant, user, jobs)]
    return [*dict.fromkeys(one.job for one in ran if one is not None)]


async def test_what_is_due_is_run_and_nothing_else(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.observe("The crab is blue")
    runtime = memory._runtime
    assert sorted(await ran_due(runtime, "acme")) == sorted(JOBS)
    assert await ran_due(runtime, "acme") == []
    clock.advance(minutes=5)
    assert await ran_due(runtime, "acme") == ["session_flush"]
    clock.advance(hours=1)
    assert await flows.due(runtime, "acme", None, ["promote_global", "rot"]) == [("promote_global", OWNER)]
    assert await ran_due(runtime, "acme", "alice", ["promote_global"]) == ["promote_global"]


async def test_forgetting_everything_takes_the_runs(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.observe("The crab is blue")
    await memory.run_job("rot", **HOME)
    await memory.scope(**HOME, whole=True).forget(everything=True)
    assert await rows(store, JobRun) == []


# ------------------------------------------------------------------------------------------------ the jobs


async def test_session_flush(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.working("c").add(says("I live in Oslo."))
    assert (await memory.run_job("session_flush", tenant="acme")).reason == "no conversation has been idle for 300 s"
    clock.advance(minutes=6)
    ran = await memory.run_job("session_flush", tenant="acme")
    assert (ran.outcome, ran.counts) == ("done", {"conversations": 1, "events": 1, "summaries": 1})
    assert (await memory.run_job("session_flush", tenant="acme")).outcome == "empty"
    assert [event.content for event in await rows(store, Event)] == ["I live in Oslo."]


async def test_promote_short_term(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    places = [{}, {"channel": "sea"}, {"agent": "writer"}, {"connections": ["jira"]}]
    for number, place in enumerate(places):
        scope = memory.scope(**HOME, **place)  # type: ignore[arg-type]
        connection = "jira" if "connections" in place else None
        await scope.entries.set("boat", f"The boat {number} is red", importance=0.9, connection=connection)
        await scope.entries.set("note", "nothing much")
    ran = await memory.run_job("promote_short_term", **HOME)
    assert (ran.outcome, ran.counts["promoted"], ran.counts["looked"]) == ("done", 4, 7)
    promoted = [row for row in await rows(store, Record) if "boat" in row.text]
    assert {(row.agent, row.channel, row.connection) for row in promoted} == {
        (None, "_global", None), (None, "sea", None), ("writer", "_global", None), (None, "_global", "jira"),
    }  # fmt: skip
    clock.advance(hours=30)
    ran = await memory.run_job("promote_short_term", **HOME)
    assert (ran.counts["promoted"], ran.counts["expired"]) == (0, 7)
    assert await rows(store, ShortTerm) == []
    assert (await memory.run_job("promote_short_term", **HOME)).reason == "there are no short-term entries"


async def test_decay(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    inferred = {"certainty": "inferred", "confidence": 0.7}
    faint = await observed(alice, store, "The crab is blue", **inferred)
    used = await observed(alice, store, "Ann sails on Sundays", **inferred)
    said = await observed(alice, store, "The boat is red", certainty="explicit")
    clock.advance(weeks=10)
    await patched(store, used, last_accessed=clock())
    clock.advance(weeks=4)
    ran = await memory.run_job("decay", **HOME)
    assert (ran.outcome, ran.counts) == ("done", {"archived": 1, "looked": 2})
    assert await versions(store, faint) == [("candidate", False), ("archived", True)]
    assert [await versions(store, one) for one in (used, said)] == [[("candidate", True)]] * 2
    assert await upkeep(store) == [{"job": "decay", "records": [faint.id], "thresholds": {"confidence": 0.35}}]
    assert (await memory.run_job("decay", **HOME)).outcome == "empty"
    assert faint.id not in [item.id for item in await alice.recall("What colour is the crab?", kinds=["fact"])]
    assert "The crab is blue" in texts(await alice.recall("What colour is the crab?"))  # what was observed stays
    told = await alice.history(faint.id)
    [event] = [one for one in await rows(store, Event) if one.kind == "upkeep"]
    assert [version.contradicted_by for version in told] == [None, event.id]
    assert event.content == "Archived 1 inferred statement(s) whose confidence had faded below 0.35."


async def test_what_was_archived_comes_back_when_it_is_said_again(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    record = await observed(alice, store, "The crab is blue", certainty="inferred", confidence=0.7)
    clock.advance(weeks=14)
    await memory.run_job("decay", **HOME)
    assert (await alice.observe("The crab is blue")).decisions[0].outcome == "reinforced"
    assert await versions(store, record) == [("candidate", False), ("archived", False), ("verified", True)]
    assert record.id in [item.id for item in await alice.recall("What colour is the crab?", kinds=["fact"])]
    assert (await memory.run_job("decay", **HOME)).outcome == "empty"
    clock.advance(weeks=20)
    assert (await memory.run_job("decay", **HOME)).outcome == "empty"  # by now it was said outright


async def test_what_was_archived_is_contradicted_like_anything_else(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    made = await alice.add(says("I live in Oslo."))
    [record] = [row for row in await rows(store, Record) if row.id == made.records[0]]
    await patched(store, record, importance=0.2)
    clock.advance(days=400)
    assert (await memory.run_job("rot", **HOME)).counts["archived"] == 1
    assert (await alice.add(says("I live in Bergen."))).decisions[0].outcome == "superseded"
    assert (await versions(store, record))[-1] == ("expired", True)


async def test_forgetting_what_a_job_told_undoes_it(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    record = await observed(alice, store, "The crab is blue", certainty="inferred", confidence=0.7)
    clock.advance(weeks=14)
    await memory.run_job("decay", **HOME)
    [event] = [one for one in await rows(store, Event) if one.kind == "upkeep"]
    await alice.forget(source=event.id)
    [version] = [row for row in await rows(store, Record) if row.superseded_at is None]
    assert (version.id, version.status, version.contradicted_by) == (record.id, "candidate", None)


async def test_what_a_job_archived_falls_with_its_source(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    record = await observed(alice, store, "The crab is blue", importance=0.05)
    clock.advance(days=60)
    assert (await memory.run_job("rot", **HOME)).counts["archived"] == 1
    clock.advance(days=60)
    assert (await memory.run_job("prune", **HOME)).counts["dropped"] == 1
    await alice.forget(source=record.sources[0])
    assert await rows(store, Record) == []
    assert (await alice.observe("The crab is blue", source="agent")).forgotten == 1


async def test_rot(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    home, agent = memory.scope(**HOME), memory.scope(**HOME, agent="writer", channel="sea")
    stale = await observed(home, store, "The crab is blue", importance=0.4)
    theirs = await observed(agent, store, "The gull is grey", importance=0.4)
    matters = await observed(home, store, "Ann is allergic to crabs", importance=0.95)
    used = await observed(home, store, "The boat is red", importance=0.4, access_count=30)
    doubted = await observed(home, store, "The mast is short", importance=0.4, status="disputed")
    await home.goals.add("Buy a boat")
    await home.router.write("harbour", "Oslo", "long_term")
    clock.advance(days=250)
    ran = await memory.run_job("rot", **HOME)
    assert (ran.counts["archived"], ran.counts["looked"]) == (2, 4)
    assert [(await versions(store, one))[-1][0] for one in (stale, theirs, matters, used, doubted)] == [
        "archived", "archived", "candidate", "candidate", "disputed",
    ]  # fmt: skip
    told = [one for one in await rows(store, Event) if one.kind == "upkeep"]
    assert [(one.agent, one.channel, one.metadata["records"]) for one in told] == [
        (None, "_global", [stale.id]), ("writer", "sea", [theirs.id]),
    ]  # fmt: skip
    assert (await memory.run_job("rot", **HOME)).outcome == "empty"
    assert (await home.router.read("harbour")).value == "Oslo"  # type: ignore[union-attr]


async def test_what_was_said_again_is_not_stale(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    record = await observed(alice, store, "The crab is blue", importance=0.35)
    clock.advance(days=200)
    await alice.observe("The crab is blue")
    assert (await memory.run_job("rot", **HOME)).outcome == "empty"
    assert await versions(store, record) == [("candidate", True)]


async def test_prune(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    noise = await observed(alice, store, "The crab is blue", importance=0.05)
    plain = await observed(alice, store, "The boat is red")
    jira = memory.scope(**HOME, connections=["jira"])
    await jira.connections.remember("jira", "schema", {"issue": 1}, ttl=60)
    await alice.entries.set("draft", 1, ttl_seconds=60)
    clock.advance(days=29)
    ran = await memory.run_job("prune", **HOME)
    assert (ran.counts["dropped"], ran.counts["expired"], ran.counts["answers"]) == (0, 1, 1)
    assert await rows(store, ConnectionCache) == await rows(store, ShortTerm) == []
    clock.advance(days=1)
    assert (await memory.run_job("prune", **HOME)).counts["dropped"] == 1
    assert await versions(store, noise) == [("candidate", False), ("archived", False)]
    assert await versions(store, plain) == [("candidate", True)]
    assert "The crab is blue" in [event.content for event in await rows(store, Event)]
    assert (await memory.run_job("prune", **HOME)).outcome == "empty"
    again = await alice.observe("The crab is blue")
    assert (again.decisions[0].outcome, again.records == (noise.id,)) == ("added", False)
    assert "The crab is blue" in texts(await alice.recall("What colour is the crab?"))


async def test_what_was_archived_is_dropped_once_it_has_faded(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    record = await observed(alice, store, "The crab is blue", importance=0.5)
    clock.advance(days=300)
    assert (await memory.run_job("prune", **HOME)).outcome == "empty"
    await memory.run_job("rot", **HOME)
    clock.advance(days=300)
    assert (await memory.run_job("prune", **HOME)).counts["dropped"] == 1
    assert [believed for _, believed in await versions(store, record)] == [False] * 3


async def used_in_two_talks(scope: AsyncScoped, store: Store, text: str, **values: Any) -> Record:
    for talk in ("c1", "c2"):
        made = await scope.add(says(text), conversation=talk)
    [record] = [row for row in await rows(store, Record) if row.id == made.records[0]]
    await patched(store, record, **{"access_count": 5, **values})
    return record


async def test_promote_global(memory: AsyncMemory, store: Store) -> None:
    sea = memory.scope(**HOME, channel="sea")
    record = await used_in_two_talks(sea, store, "I prefer short mails.")
    jira = memory.scope(**HOME, channel="sea", connections=["jira"])
    made = [await jira.add(says("I prefer the blue board."), conversation=one, connection="jira") for one in "ab"]
    [tool] = [row for row in await rows(store, Record) if row.id == made[0].records[0]]
    await patched(store, tool, access_count=7)
    await used_in_two_talks(sea, store, "I prefer tea.", access_count=4)
    await used_in_two_talks(sea, store, "I prefer red boats.", confidence=0.8)
    await sea.add(says("I prefer long trips."), conversation="c1")
    [once] = [row for row in await rows(store, Record) if row.text == "User prefers long trips."]
    await patched(store, once, access_count=9)
    ran = await memory.run_job("promote_global", **HOME)
    assert (ran.outcome, ran.counts["promoted"]) == ("done", 2)
    copies = [row for row in await rows(store, Record) if row.promoted_from]
    assert {(row.promoted_from, row.channel, row.connection) for row in copies} == {
        (record.id, "_global", None), (tool.id, "_global", "jira"),
    }  # fmt: skip
    told = [event for event in await rows(store, Event) if event.kind == "promotion"]
    assert {event.source for event in told} == {"system_learned"}
    noted = next(dict(event.metadata) for event in told if event.metadata["record"] == record.id)
    assert noted["thresholds"] == {"confidence": 0.85, "access_count": 5, "conversations": 2}
    assert (noted["access_count"], noted["conversations"], noted["confidence"]) == (5, 2, 0.95)
    assert (await memory.run_job("promote_global", **HOME)).outcome == "empty"


async def test_what_was_taken_back_is_not_promoted_again(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    sea = memory.scope(**HOME, channel="sea")
    record = await used_in_two_talks(sea, store, "I prefer short mails.")
    await memory.run_job("promote_global", **HOME)
    [told] = [event for event in await rows(store, Event) if event.kind == "promotion"]
    await sea.forget(source=told.id)
    clock.advance(hours=2)
    assert (await memory.run_job("promote_global", **HOME)).outcome == "empty"
    assert [row.id for row in await rows(store, Record)] == [record.id]


async def test_a_record_that_ends_in_between_is_not_promoted(
    memory: AsyncMemory, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sea = memory.scope(**HOME, channel="sea")
    record = await used_in_two_talks(sea, store, "I live in Oslo.")
    await patched(store, record, valid_to=MORNING)
    [ended], seen = await rows(store, Record), flows.tidying.open_records

    async def earlier(*args: Any) -> Sequence[Record]:
        assert await seen(*args) == [], "by now it is over"
        return [ended]

    monkeypatch.setattr(flows.tidying, "open_records", earlier)
    ran = await memory.run_job("promote_global", **HOME)
    assert (ran.outcome, ran.counts) == ("empty", {"promoted": 0, "looked": 1})
    assert await rows(store, Record) == [ended]


async def test_what_a_job_left_is_left_when_the_log_is_read_again(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.add(says("I bought a red lamp."))
    clock.advance(days=4_000)
    ran = await memory.run_job("rot", **HOME)
    assert ran.counts["archived"] == 1
    done = await memory.rebuild(**HOME)
    assert done.same, done.difference


@pytest.fixture
async def vectors(store: Store, clock: FrozenClock) -> AsyncMemory:
    """A memory whose embedder finds all mails alike."""
    near = Scripted(send=(1.0, 0.0), captain=(0.0, 1.0), ida=(0.0, 0.0, 1.0), mail=(0.0, 0.0, 0.0, 1.0))
    return await AsyncMemory.open(store, embedder=near, clock=clock, ids=SequentialIds())


async def test_deduplicate(vectors: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    alice = vectors.scope(**HOME)
    blind = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds("b"))
    other = blind.scope(**HOME)
    short = await observed(other, store, "Weekly mails about invoices go to Ann", access_count=2)
    longer = await observed(other, store, "Weekly mails about invoices always go to Ann before noon", access_count=3)
    apart = await observed(other, store, "Weekly mails about invoices go to Bob")
    await vectors.reembed(**HOME)
    events = len(await rows(store, Event))
    runtime = vectors._runtime
    partition = await runtime.partitions.current(alice.scope.owner)
    admission = admission_to(runtime, partition, clock())
    here = overlay_on(runtime, partition, clock())
    event = replace((await rows(store, Event))[0], metadata={"job": "deduplicate"})
    assert done_again(admission, here, [longer], event), "a rebuild merges what the job merged"
    ran = await vectors.run_job("deduplicate", **HOME)
    assert (ran.outcome, ran.counts) == ("done", {"merged": 1, "looked": 3})
    assert await versions(store, short) == [("candidate", False)]
    assert await versions(store, longer) == [("candidate", False), ("verified", True)]
    assert await versions(store, apart) == [("candidate", True)]
    [whole] = [row for row in await rows(store, Record) if row.id == longer.id and row.superseded_at is None]
    assert (whole.supersedes, whole.access_count) == (short.id, 5)
    assert {*short.sources, *longer.sources} == {*whole.sources}
    assert whole.importance == 0.75
    assert len(await rows(store, Event)) == events + 1, "what was merged is said by one"
    assert (await vectors.run_job("deduplicate", **HOME)).outcome == "empty"
    again = await vectors.rebuild(**HOME)
    assert (again.difference.appeared, again.difference.vanished) == ((), ()), "what was merged is merged again"
    await alice.forget(source=longer.sources[0])
    left = [row for row in await rows(store, Record) if row.superseded_at is None]
    assert {row.id for row in left} == {short.id, apart.id}


async def test_the_earlier_beginning_counts_where_two_become_one(
    vectors: AsyncMemory, store: Store, clock: FrozenClock
) -> None:
    blind = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds("b"))
    other = blind.scope(**HOME)
    await observed(other, store, "Weekly mails about invoices go to Ann")
    clock.advance(days=1)
    longer = await observed(other, store, "Weekly mails about invoices always go out to Ann before noon")
    await vectors.reembed(**HOME)
    await vectors.run_job("deduplicate", **HOME)
    [whole] = [row for row in await rows(store, Record) if row.superseded_at is None]
    assert (whole.id, whole.valid_from) == (longer.id, MORNING)


async def test_what_differs_in_a_word_is_never_merged(vectors: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    blind = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds("b"))
    other = blind.scope(**HOME)
    for text in (
        "Send the left mail to Ann", "Send the right mail to Ann", "Mail 7 goes to Bob", "Mail 8 goes to Bob",
        "Ida reads mail", "Ida never reads mail",
    ):  # fmt: skip
        await observed(other, store, text)
    doubted = await observed(other, store, "The captain reads logs")
    await observed(other, store, "The captain reads logs before noon on long Sundays at sea")
    await patched(store, doubted, status="disputed")
    await vectors.reembed(**HOME)
    assert (await vectors.run_job("deduplicate", **HOME)).outcome == "empty"
    assert await versions(store, doubted) == [("disputed", True)]


async def test_retention(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.add(says("I keep a crab called Rex."), conversation="old")
    await alice.working("old").set("draft", 1)
    await alice.working("old").persist()
    await memory.scope(**HOME, agent="writer").add(says("Fine weather today, is it not?"), conversation="old")
    clock.advance(days=60)
    await alice.add(says("I live in Oslo."), conversation="new")
    clock.advance(days=31)
    ran = await memory.run_job("retention", **HOME)
    assert (ran.outcome, ran.counts) == ("done", {"archived": 0, "copies": 1, "looked": 3})
    assert await rows(store, WorkingCopy) == []
    assert "I keep a crab called Rex." in texts(await alice.recall("Who is Rex?"))  # by default nothing is archived
    memory = await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds("b"), settings=Settings(archive_days=90)
    )
    alice = memory.scope(**HOME)
    assert (await memory.run_job("retention", **HOME)).counts == {"archived": 2, "copies": 0, "looked": 3}
    assert (await memory.run_job("retention", **HOME)).outcome == "empty"
    told = [event for event in await rows(store, Event) if event.kind == "upkeep"]
    assert {(event.agent, event.conversation) for event in told} == {(None, "old"), ("writer", "old")}
    assert "I keep a crab called Rex." not in texts(await alice.recall("Who is Rex?"))
    assert [(one.id, one.archived) for one in await alice.conversations.list(archived=True)] == [("old", True)]
    await alice.conversations.unarchive("old")
    assert (await memory.run_job("retention", **HOME)).outcome == "empty"  # it stays out
    since = {"since": MORNING - timedelta(days=1), "until": MORNING + timedelta(days=1)}
    assert "I keep a crab called Rex." in texts(await alice.recall("Who is Rex?", **since))  # type: ignore[arg-type]
    await memory.scope(**HOME).forget(source=told[0].id)
    assert (await memory.run_job("retention", **HOME)).outcome == "empty"
    assert (await alice.add(says("I keep a crab called Rex."), conversation="old")).events
    clock.advance(days=91)
    assert (await memory.run_job("retention", **HOME)).counts["archived"] == 2
    await alice.forget(conversation="old")
    assert (await memory.run_job("retention", **HOME)).outcome == "empty"


async def test_retention_spoils_no_image(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I keep a crab called Rex."), conversation="old")
    await alice.working("old").set("draft", 1)
    await alice.working("old").persist()
    clock.advance(days=91)
    image = await memory._runtime.partitions.current(OWNER)
    assert (await memory.run_job("retention", **HOME)).counts["copies"] == 1
    now = await memory._runtime.partitions.current(OWNER)
    assert now.index.refs is image.index.refs  # it went on, and was not read afresh


async def test_a_conversation_that_goes_on_while_retention_runs_keeps_its_copy(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("I keep a crab called Rex."), conversation="old")
    clock.advance(days=91)
    running = flows.tidying.retention(alice._runtime, "acme", "alice")
    assert (await anext(running)).looked == 1
    await alice.add(says("Rex has a new shell."), conversation="old")
    await alice.working("old").set("draft", 1)
    await alice.working("old").persist()
    assert [did.counts async for did in running] == [{"archived": 0, "copies": 0}]
    assert len(await rows(store, WorkingCopy)) == 1


async def test_trends(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    for place, weight in enumerate((80, 82, 84, 86, 90)):
        await alice.observe(f"The weight of Rex was {weight} kg", at=MORNING - timedelta(days=40 - 7 * place))
    ran = await memory.run_job("trends", **HOME)
    assert (ran.outcome, ran.counts) == ("done", {"noted": 1, "ended": 0, "looked": 5})
    assert (await memory.run_job("trends", **HOME)).outcome == "empty"
    [trend] = [row for row in await rows(store, Record) if row.kind == "pattern"]
    assert trend.text == '"The weight of Rex was … kg" rose from 80 to 90 between 2025-11-26 and 2025-12-24.'
    assert (len(trend.sources), trend.trust, trend.editor) == (5, 1.0, "trends")
    assert trend.text in texts(await alice.recall("How did the weight of Rex develop?", kinds=["pattern"]))
    await alice.observe("The weight of Rex was 95 kg", at=MORNING - timedelta(days=2))
    clock.advance(days=1)
    ran = await memory.run_job("trends", **HOME)
    assert ran.counts == {"noted": 1, "ended": 1, "looked": 6}
    clock.advance(days=100)
    assert (await memory.run_job("trends", **HOME)).counts == {"noted": 0, "ended": 1}
    patterns = [row for row in await rows(store, Record) if row.kind == "pattern" and row.superseded_at is None]
    assert [row.status for row in patterns] == ["expired"] * 2
    assert (await memory.run_job("trends", **HOME)).outcome == "empty"


async def test_a_trend_is_trusted_as_the_least_of_what_it_was_counted_from(
    memory: AsyncMemory, alice: AsyncScoped, store: Store
) -> None:
    sources = ("user_provided", "user_provided", "tool_extracted_content", "user_provided", "user_provided")
    for place, (weight, source) in enumerate(zip((80, 82, 84, 86, 90), sources, strict=True)):
        at = MORNING - timedelta(days=40 - 7 * place)
        await alice.observe(f"The weight of Rex was {weight} kg", source=source, at=at)
    await memory.run_job("trends", **HOME)
    assert [row.trust for row in await rows(store, Record) if row.kind == "pattern"] == [0.4]


async def test_a_trend_that_is_rejected_is_not_told_again(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    for place, weight in enumerate((80, 82, 84, 86, 90)):
        await alice.observe(f"The weight of Rex was {weight} kg", at=MORNING - timedelta(days=40 - 7 * place))
    await memory.run_job("trends", **HOME)
    [trend] = [row for row in await rows(store, Record) if row.kind == "pattern"]
    await alice.review.reject(trend.id)
    await alice.observe("The weight of Rex was 95 kg", at=MORNING - timedelta(days=2))
    for _ in range(2):
        assert (await memory.run_job("trends", **HOME)).outcome == "empty"
        clock.advance(days=7)
    assert trend.text not in texts(await alice.recall("How did the weight of Rex develop?", limit=50))


async def test_a_topic_that_comes_up_again_and_one_that_was_forgotten(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.observe("It rained", at=MORNING - timedelta(days=60))
    for day in range(5):
        await alice.observe(f"Lindqvist called about boat {day} of {day + 20}", at=MORNING - timedelta(days=3 + day))
    await memory.run_job("trends", **HOME)
    [trend] = [row for row in await rows(store, Record) if row.kind == "pattern"]
    assert trend.text == "Lindqvist comes up more often: 5 times in four weeks, 0 times in the four before."
    assert len(trend.entities) == 1
    clock.advance(days=60)
    assert (await memory.run_job("trends", **HOME)).counts["ended"] == 1
    for day in range(5):
        await alice.observe(f"Lindqvist wrote about boat {day} of {day + 20}", at=clock() - timedelta(days=3 + day))
    clock.advance(days=7)
    assert (await memory.run_job("trends", **HOME)).counts["noted"] == 1
    current = [row for row in await rows(store, Record) if row.kind == "pattern" and row.superseded_at is None]
    [again] = [row for row in current if row.valid_to is None]
    assert (again.text, again.id == trend.id) == (trend.text, False)
    await alice.forget(source=again.sources[-1])
    assert again.id not in {row.id for row in await rows(store, Record)}
    assert (await memory.run_job("trends", **HOME)).outcome == "empty"


async def test_weekly_review(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    old = await observed(alice, store, "Ann is allergic to crabs", importance=0.95)
    await observed(alice, store, "The boat is red", importance=0.5)
    clock.advance(days=180)
    fresh = await observed(alice, store, "Bo is allergic to nuts", importance=0.95)
    ran = await memory.run_job("weekly_review", **HOME)
    assert (ran.outcome, ran.counts["flagged"]) == ("done", 1)
    assert (await upkeep(store))[0]["records"] == [old.id]
    assert [await versions(store, one) for one in (old, fresh)] == [[("candidate", True)]] * 2
    ran = await memory.run_job("weekly_review", **HOME)
    assert (ran.outcome, ran.reason) == ("empty", "no two records say the same, and all that matters is fresh")
    clock.advance(days=181)
    assert (await memory.run_job("weekly_review", **HOME)).counts["flagged"] == 2
