"""The core journeys once more, on PostgreSQL."""

from collections.abc import AsyncIterator

import anyio
import pytest

from conformance.postgres_server import PostgresServer
from flows.helpers import everything, rows, says, texts
from memoranda import AsyncMemory, Event, Record
from memoranda.core.base.schedules import JOBS
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import JobRun, Json, Receipt
from memoranda.core.rows.jobs import Worked
from memoranda.errors import CapabilityError, NotFoundError
from memoranda.ports import Store
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(postgres: PostgresServer) -> AsyncIterator[PostgresStore]:
    store = await PostgresStore.open(postgres.url, schema=postgres.emptied())
    yield store
    await store.close()


async def opened(store: Store, clock: FrozenClock) -> AsyncMemory:
    return await AsyncMemory.open(store, embedder="hashed", clock=clock)


async def test_a_life_is_told_corrected_explained_and_forgotten(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice")
    first = await alice.add(says("I live in Oslo.", "The \x00 crab is blue 🦀.", id=None), conversation="c1")
    moved = clock.advance(days=5)
    second = await alice.add(says("I moved to Bergen."), conversation="c2")
    assert [(item.outcome, item.other) for item in second.decisions] == [("superseded", first.records[0])]
    assert (await alice.profile()).plain() == {"location": {"city": "Bergen"}}
    assert texts(await alice.recall("crab", kinds=["turn"]))[0] == "The \ufffd crab is blue 🦀."
    then = await alice.recall("Where does the user live, Oslo?", kinds=["fact"], as_of=moved.replace(day=6))
    assert [item.metadata["value"] for item in then] == ["Oslo"]
    assert [row.value for row in await alice.history(second.records[0])] == ["Oslo", "Oslo", "Bergen"]
    assert "User moved to Bergen" in (await alice.context("Where do I live?", conversation="c9")).stable_prefix
    await alice.forget(record=second.records[0])
    again = await alice.add(says("Yes, I moved to Bergen."), conversation="c3", surface="import")
    assert again.forgotten == 1
    kept = await everything(store)
    assert not any("Bergen" in repr(row) for found in kept.values() for row in found)
    assert len(await rows(store, Receipt)) == 1
    *_, last = [line async for line in alice.export()]
    assert last["rows"] == sum(map(len, kept.values()))
    assert (await memory.doctor(tenant="acme")).embedded == 1.0


async def test_the_doctor_repairs_what_the_log_knows(
    postgres: PostgresServer, store: PostgresStore, clock: FrozenClock
) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo.", "My dog is called Rex.", "It rains."))
    schema = store.place[1]
    postgres.run(f"DELETE FROM {schema}.records WHERE value::text LIKE '%Oslo%'")
    postgres.run(f"DELETE FROM {schema}.passages WHERE terms LIKE '%rain%'")
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice")
    told = "\n".join((await memory.doctor(tenant="acme")).problems)
    assert "1 x passage of nothing" in told
    assert "1 x no passage of it" in told
    await memory.doctor(tenant="acme", repair=True)
    await memory.reembed(tenant="acme")
    assert (await memory.doctor(tenant="acme")).problems == ()
    assert len(texts(await alice.recall("Where do I live?", kinds=["fact"]))) == 1
    with pytest.raises(CapabilityError, match="name the tenant"):
        await memory.doctor()


async def test_a_stranger_finds_nothing(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    await memory.scope(tenant="acme", user="alice").add(says("I work at Zyxwvut."))
    for tenant, user in (("globex", "alice"), ("acme", "bob")):
        stranger = memory.scope(tenant=tenant, user=user)
        assert not await stranger.recall("Where do I work, Zyxwvut?")
        assert (await stranger.profile()).plain() == {}
        [_, end] = [line async for line in stranger.export()]
        assert end["rows"] == 0


async def test_writers_at_once_lose_nothing(store: Store, clock: FrozenClock) -> None:
    memories = [await opened(store, clock) for _ in range(3)]

    async def write(which: int) -> None:
        alice = memories[which].scope(tenant="acme", user="alice")
        for number in range(10):
            await alice.add(says(f"I like tea{number}.", id=str(number)), conversation=f"c{which}")

    async with anyio.create_task_group() as group:
        for which in range(3):
            group.start_soon(write, which)
    assert len(await rows(store, Event)) == 30
    found = [record for record in await rows(store, Record) if record.superseded_at is None]
    assert sorted(str(record.value) for record in found) == sorted(f"tea{number}" for number in range(10))
    assert all(len(record.sources) == 3 for record in found)


async def test_what_a_tenant_shares_is_granted_taken_back_and_forgotten(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice, bob, eve = (
        memory.scope(tenant=tenant, user=user)
        for tenant, user in (("acme", "alice"), ("acme", "bob"), ("globex", "alice"))
    )
    record = (await alice.observe("The crab hides at Zyxwvut")).records[0]
    pool, base = await alice.pools.create("sprint"), await bob.collections.create("notes")
    given = await alice.pools.grant(pool.id, "write", user="bob")
    await bob.collections.grant(base.id, "write", user="alice")
    await alice.pools.share(pool.id, "crab", record)
    entry = await alice.collections.share(base.id, record)
    derived = await bob.pools.create("derived", sources=[pool.id])
    await bob.collections.edit(base.id, entry.id, "The crab hides at Zyxwvut, it seems", expect=1)
    assert (await bob.pools.read(pool.id, "crab.trust"), len(await bob.pools.find())) == (1.0, 2)
    await alice.pools.revoke(given.id)
    for scope, hidden in ((bob, derived), (bob, pool), (eve, pool)):
        with pytest.raises(NotFoundError):
            await scope.pools.read(hidden.id)
    assert (await alice.pools.statistics(pool.id)).reads == 1
    await alice.forget(record=record)
    kept = [await everything(store, Owner("acme", user)) for user in ("alice", "bob", SHARED)]
    assert "zyxwvut" not in repr(kept).casefold()
    assert await alice.pools.read(pool.id) == {}
    assert await bob.collections.entries(base.id) == ()


async def test_what_is_done_is_counted_kept_and_forgotten(store: Store, clock: FrozenClock) -> None:
    memories = [await opened(store, clock) for _ in range(2)]
    scopes = [memory.scope(tenant="acme", user="alice") for memory in memories]

    async def work(which: int) -> None:
        for number in range(10):
            await scopes[which].tools.record("search", {"Zyxwvut": number}, latency=0.5, conversation=f"c{which}")

    async with anyio.create_task_group() as group:
        for which in range(2):
            group.start_soon(work, which)
    one, two = scopes
    known = await one.strategies.learn("Sail to Zyxwvut", "a free week", ["search"], conversation="c0")
    await two.strategies.reinforce(known.id, success=True)
    await one.entries.set("boat", {"name": ["Zyxwvut", None]}, conversation="c0", importance=0.9)
    await one.entries.set("boat", {"name": ["Zyxwvut", 1]}, conversation="c0", importance=0.9)
    assert [(stats.calls, stats.p95) for stats in await two.tools.stats()] == [(20, pytest.approx(0.5, rel=0.05))]
    assert (await two.tools.suggest("Sail to Zyxwvut"))[0].tool == "search"
    assert [row.value for row in await two.entries.find()] == [{"name": ["Zyxwvut", 1]}]
    assert (await two.entries.get("boat")).access_count == 1  # type: ignore[union-attr]
    assert (await two.entries.promote()).entries == 1
    await one.forget(conversation="c0")
    assert [stats.calls for stats in await two.tools.stats()] == [10]
    await two.forget(conversation="c1")
    assert "zyxwvut" not in str(await everything(store)).lower()


async def test_entities_channels_and_connections(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice", channel="tidepool", connections=("jira",))
    await alice.graph.upsert("Apollo", type="project", aliases=["The Rocket"], properties={"crew": [1, {"a": None}]})
    await alice.graph.relate("Ann", "Rocket", "WORKS_FOR", connection="jira")
    await alice.graph.relate("Ann", "Bob", "KNOWS")
    assert [node.name for node in (await alice.graph.path("Apollo", "Bob")).nodes] == ["Apollo", "Ann", "Bob"]
    assert [node.name for node in await alice.graph.find("rock")] == ["Apollo"]
    clock.advance(days=1)
    await alice.graph.unrelate("Ann", "Bob", "KNOWS")
    fresh = (await opened(store, clock)).scope(tenant="acme", user="alice", channel="tidepool", connections=("jira",))
    assert [edge.type for edge in (await fresh.graph.entity("Ann")).relations] == ["WORKS_FOR"]
    assert (await fresh.graph.entity("Apollo")).properties == {"crew": [1, {"a": None}]}
    [liked] = (await alice.add(says("I like tea."), conversation="c")).records
    copy = await fresh.channels.promote(liked, reason="always so")
    assert {row.promoted_from for row in await fresh.history(liked)} == {None, liked}
    elsewhere = memory.scope(tenant="acme", user="alice", channel="reef")  # at home its original says the same
    await elsewhere.context("Which tea do I like?")
    assert copy.id in (await elsewhere.channels.hits())[0].found

    async def fetch() -> Json:
        return {"columns": ["Zyxwvut"]}

    assert (await fresh.connections.refresh("jira", "schema", fetch, ttl=60)).value == {"columns": ["Zyxwvut"]}
    clock.advance(seconds=60)
    assert await alice.connections.cached("jira", "schema") is None
    await alice.forget(everything=True)
    assert [name for name, kept in (await everything(store)).items() if kept] == ["tombstones", "receipts"]


async def test_a_conversation_is_worked_with_flushed_resumed_and_forgotten(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice")
    desk = alice.working("c")
    for number in range(6):
        view = await desk.add(says(f"The boat number {number} \x00 is blue 🦀."))
    assert (len(view.turns), len(view.summary.splitlines())) == (6, 5)
    await desk.set("draft", {"a": [1]}, ttl=60)
    await desk.persist()
    clock.advance(minutes=6)
    assert len((await memory.flush_idle(tenant="acme")).summaries) == 1
    assert (await desk.keys(), len((await desk.flush()).summaries)) == ((), 0)
    assert len((await desk.resume()).summary.splitlines()) == 6
    assert len((await desk.load()).turns) == 6
    await alice.forget(conversation="c")
    assert not any("boat" in repr(row) for found in (await everything(store)).values() for row in found)
    assert (await desk.view()).summary == ""


async def test_a_key_is_written_read_searched_consolidated_and_forgotten(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice", conversation="c")
    pool = (await alice.pools.create("trip")).id
    for stratum in ("shared", "long_term", "short_term", "working"):
        value = {"port": "Zyxwvut", "in": stratum}
        await alice.router.write("harbour", value, stratum, pool=pool if stratum == "shared" else None)
        found = await alice.router.read("harbour")
        assert (found.stratum, found.value) == (stratum, value)
    await alice.working().add(says("We decided to sail to Zyxwvut."))
    assert "decided to sail to Zyxwvut" in (await alice.context("where to?")).volatile_tail
    for _ in range(3):
        await alice.router.read("harbour", stratum="short_term")
    done = await alice.router.consolidate()
    assert (done.turns, done.entries) == (1, 1)
    stands = (await alice.router.read("harbour", stratum="long_term")).value
    assert stands == {"port": "Zyxwvut", "in": "long_term"}, "what was promoted is trusted less than the user"
    assert {one.stratum for one in (await alice.router.semantic_search("Zyxwvut harbour")).matches} == {"long_term"}
    assert (await alice.router.stats()).shared.by == {"pool": 1}
    await alice.forget(everything=True)
    assert not any("Zyxwvut" in repr(row) for found in (await everything(store)).values() for row in found)


async def test_jobs_of_two_workers_with_one_store(postgres: PostgresServer, clock: FrozenClock) -> None:
    with postgres.schema() as schema:
        stores = [await PostgresStore.open(postgres.url, schema=schema) for _ in range(2)]
        memories = [await opened(store, clock) for store in stores]
        for user in ("alice", "bob"):
            await memories[0].scope(tenant="acme", user=user).observe("The crab is blue 🦀")
        clock.advance(days=900)
        done = [Worked()]

        async def works(memory: AsyncMemory) -> None:
            done.append(await memory.work(tenants=["acme"], once=True))

        async with anyio.create_task_group() as group:
            for memory in memories:
                group.start_soon(works, memory)
        whole = sum(job.whole for job in JOBS.values())
        assert sum(one.done + one.empty for one in done) == whole + 2 * (len(JOBS) - whole)
        assert sum(one.failed for one in done) == 0
        for user in ("alice", "bob"):
            kept = await everything(stores[0], Owner("acme", user))
            assert [run.ordinal for run in kept["job_runs"] if isinstance(run, JobRun)] == [1] * (len(JOBS) - whole)
            archived = [row for row in kept["records"] if isinstance(row, Record) and row.status == "archived"]
            assert len(archived) == 1
        assert {one.failures for one in await memories[1].jobs(tenant="acme")} == {0}
        for store in stores:
            await store.close()
