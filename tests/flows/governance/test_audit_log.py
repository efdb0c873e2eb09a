"""Who did what: an entry with each write, others after the answer, and none that says more than ids and counts."""

import json
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import OWNER, Contested, everything, rows, says
from memoranda import AsyncMemory, Settings
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import AuditEntry, Event
from memoranda.errors import InputError, MessageError, NotFoundError, StoreFullError
from memoranda.flows.upkeep import tidying
from memoranda.flows.upkeep.tidying import retain_audit
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}


async def opened(store: Store, clock: FrozenClock, level: Any = "writes", **settings: Any) -> AsyncMemory:
    told = Settings(audit=level, **settings)
    return await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds(), settings=told)


async def entries(memory: AsyncMemory, store: Store) -> list[AuditEntry]:
    await memory._runtime.journal.settle()
    return await rows(store, AuditEntry)


async def test_a_write_is_entered_with_it(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(**WHOSE, agent="clerk", channel="boats")
    told = await alice.add(says("I prefer short emails."), conversation="c1", connection="jira")
    await alice.recall("emails?")
    await alice.context("emails?")
    [row] = await entries(memory, store)
    assert (row.operation, row.stratum, row.at, row.milliseconds) == ("add", "episodic", clock(), 0.0)
    assert (row.agent, row.channel, row.connection, row.conversation) == ("clerk", "boats", "jira", "c1")
    assert set(row.ids) == {*told.events, *told.records}
    assert (row.counts["events"], row.counts["records"]) == (1, 1)
    assert (row.query, row.error, row.thresholds) == (None, None, {})


async def test_an_export_is_a_read(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, "reads")
    alice = memory.scope(**WHOSE, agent="clerk")
    await alice.add(says("I prefer short emails."))
    assert len([line async for line in alice.export()]) > 3
    found = await entries(memory, store)
    assert [(row.operation, row.stratum, row.agent, row.ids) for row in found[1:]] == [("export", "all", "clerk", ())]


async def test_the_latency_of_a_write_is_the_time_until_it_was_handed_over(store: Store, clock: FrozenClock) -> None:
    class Slow:
        def __init__(self, model: Any) -> None:
            self.space, self.model = model.space, model

        async def embed(self, texts: Any) -> Any:
            clock.advance(seconds=0.25)
            return await self.model.embed(texts)

        async def close(self) -> None:
            pass

    async with await AsyncMemory.open(
        store, embedder=Slow(HashedEmbedder.open()), clock=clock, ids=SequentialIds()
    ) as memory:
        await memory.scope(**WHOSE).observe("The ferry leaves.")
        assert [row.milliseconds for row in await entries(memory, store)] == [250.0]


async def test_what_runs_without_a_verb_says_how_long_it_took(store: Store, clock: FrozenClock) -> None:
    class Slow:
        def __getattr__(self, name: str) -> Any:
            clock.advance(seconds=0.25)
            return getattr(store, name)

    one: Any = Slow()
    memory = await opened(one, clock, audit_days=30)
    for number in range(5):
        at = clock() - timedelta(days=40 - 7 * number)
        await memory.scope(**WHOSE).observe(f"The weight of Rex was {80 + 3 * number} kg", at=at)
    await memory.consolidate(**WHOSE)
    await memory.run_job("trends", **WHOSE)
    await memory.rebuild(**WHOSE, switch=True)
    took = {row.operation: row.milliseconds for row in await entries(memory, store)}
    clock.advance(days=31)
    await retain_audit(memory._runtime, "acme")
    took |= {row.operation: row.milliseconds for row in await entries(memory, store)}
    slow = {name for name, milliseconds in took.items() if milliseconds >= 250}
    assert slow == {"consolidate", "job.trends", "rebuild", "retain_audit"}


async def test_a_budget_is_entered_with_whoever_it_binds(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, audit_days=30)
    await memory.budget(**WHOSE, day=0.5, balance=3)
    await memory.budget(tenant="acme", month=3)
    await memory.budget(**WHOSE)  # sets nothing
    [entry] = await entries(memory, store)
    assert (entry.operation, entry.stratum, entry.counts) == ("budget", "all", {"budgets": 2, "spending": 1})
    assert [row.operation for row in await memory.scope(**WHOSE).audit()] == ["budget"]
    [of_all] = await rows(store, AuditEntry, Owner("acme", SHARED))
    assert (of_all.operation, of_all.ids, of_all.agent) == ("budget", ("month",), None)
    clock.advance(days=31)
    assert await retain_audit(memory._runtime, "acme") == 2
    assert await rows(store, AuditEntry, Owner("acme", SHARED)) == []


async def test_vectors_that_are_made_up_are_entered(store: Store, clock: FrozenClock) -> None:
    without = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    await without.scope(**WHOSE).observe("The ferry leaves.")
    memory = await opened(store, clock)
    assert (await memory.reembed(tenant="acme")).embedded == 2
    entry = next(row for row in await entries(memory, store) if row.operation != "observe")
    assert (entry.operation, entry.counts) == ("reembed", {"vectors": 2})


async def test_a_write_that_is_planned_again_leaves_one_entry(store: Store, clock: FrozenClock) -> None:
    memory = await opened(Contested(store, 3), clock)
    await memory.scope(**WHOSE).add(says("The ferry leaves."))
    assert len(await entries(memory, store)) == 1


async def test_a_memory_that_is_rebuilt_elsewhere_goes_on_entering(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    goals = memory.scope(**WHOSE).goals
    goal = await goals.add("Ship it")
    for number in range(10):
        clock.advance(hours=1)
        await goals.update(goal.id, priority=1 + number % 2)
    elsewhere = DictStore()
    await memory.rebuild(**WHOSE, to=elsewhere)
    again = await opened(elsewhere, clock)
    before = len(await entries(again, elsewhere))
    for number in range(10):
        clock.advance(hours=1)
        await again.scope(**WHOSE).goals.update(goal.id, priority=1 + number % 2)
    assert len(await entries(again, elsewhere)) == before + 10


async def test_what_is_put_in_place_of_what_was_known_is_entered(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    await memory.scope(**WHOSE).add(says("I live in Oslo."))
    await memory.rebuild(**WHOSE, extractor="none")
    await memory.rebuild(**WHOSE, extractor="none", switch=True)
    _, row = await entries(memory, store)
    assert (row.operation, row.counts["records"]) == ("rebuild", 1)


async def test_conversations_that_are_written_together_are_none(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(**WHOSE, conversation="c0")
    goal = await alice.goals.add("Ship it")
    await alice.goals.complete(goal.id)
    assert [row.operation for row in await alice.audit()] == ["goals.complete", "goals.add"]
    assert {row.conversation for row in await alice.audit()} == {"c0"}


async def test_off_leaves_nothing(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, "off")
    alice = memory.scope(**WHOSE)
    await alice.add(says("The ferry leaves."))
    await alice.recall("ferry?")
    assert await entries(memory, store) == []


async def test_reads_are_entered_after_the_answer(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, "reads")
    alice = memory.scope(**WHOSE, connections=["jira"])
    told = await alice.add(says("The ferry leaves."))
    await alice.recall(query="ferry? " * 100)
    await alice.context("ferry?")
    await alice.profile()
    await alice.goals.due("ferry?")
    with pytest.raises(MessageError):
        await alice.recall(" ")
    added, recalled, context, profile, due = await entries(memory, store)
    assert (added.operation, added.query) == ("add", None)
    assert (recalled.operation, recalled.ids, recalled.counts) == ("recall", told.events, {"items": 1})
    assert (len(recalled.query or ""), recalled.connection) == (200, "jira")
    assert (context.stratum, context.ids, context.query) == ("focus", told.events, "ferry?")
    assert (profile.operation, profile.query, profile.ids, profile.counts) == ("profile", None, (), {})
    assert (due.operation, due.stratum) == ("goals.due", "procedural")
    assert not any(row.thresholds for row in (added, recalled))


async def test_verbose_tells_what_was_refused_and_the_thresholds(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, "verbose")
    alice = memory.scope(**WHOSE)
    with pytest.raises(NotFoundError):
        await alice.history("nobody")
    await alice.add(says("The ferry leaves."))
    added, refused = sorted(await entries(memory, store), key=lambda row: row.operation)
    assert (refused.operation, refused.error, refused.ids) == ("history", "NotFoundError", ())
    assert added.thresholds["near_cosine"] == 0.92


async def test_a_write_that_failed_is_entered(store: Store, clock: FrozenClock) -> None:
    class Full:
        full = False

        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        async def apply(self, batch: Any) -> Any:
            if self.full and any(isinstance(getattr(one, "row", None), Event) for one in batch.changes):
                raise StoreFullError("no space")
            return await store.apply(batch)

    one: Any = Full()
    memory = await opened(one, clock)
    one.full = True
    with pytest.raises(StoreFullError):
        await memory.scope(**WHOSE).add(says("The ferry leaves."))
    with pytest.raises(MessageError):
        await memory.scope(**WHOSE).observe("")
    [row] = await entries(memory, store)
    assert (row.operation, row.error, row.ids) == ("add", "StoreFullError", ())


async def test_what_lies_elsewhere_is_counted_and_not_named(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    private = (await memory.scope(**WHOSE, agent="clerk").add(says("I live in Oslo."))).records
    told = await memory.scope(**WHOSE).add(says("I live in Rome."))
    _, row = await entries(memory, store)
    assert row.counts["records"] > 1 - len(told.records)
    assert not {*private} & {*row.ids}
    assert {*told.events} <= {*row.ids}


async def test_what_is_written_to_what_is_shared_is_entered_with_whoever_did(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(**WHOSE)
    pool = await alice.pools.create("sprint")
    [row] = await entries(memory, store)
    assert (row.operation, row.stratum, row.ids[0]) == ("pools.create", "shared", pool.id)
    assert await rows(store, AuditEntry, Owner("acme", SHARED)) == []


async def test_what_no_verb_asked_for_says_so(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    alice = memory.scope(**WHOSE)
    await alice.add(says("The ferry leaves."))
    await memory.consolidate(tenant="acme")
    await alice.working("c1").add(says("The crab is blue."))
    clock.advance(hours=1)
    await memory.flush_idle(tenant="acme")
    assert {row.operation for row in await entries(memory, store)} == {"add", "consolidate", "background"}


async def test_the_audit_is_read_where_it_was_done(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    home = {**WHOSE, "agent": "clerk", "channel": "boats", "connections": ["jira"]}
    await memory.scope(**home).add(says("The ferry leaves."), conversation="c1", connection="jira")
    begun = clock.advance(days=1) or clock()
    await memory.scope(**home).observe("The crab is blue.")
    seen = await memory.scope(**home).audit()
    assert [row.operation for row in seen] == ["observe", "add"]
    assert await memory.scope(**WHOSE, whole=True).audit() == seen
    assert [row.operation for row in await memory.scope(**home).audit(since=begun)] == ["observe"]
    assert [row.operation for row in await memory.scope(**home).audit(operation="add")] == ["add"]
    assert [row.operation for row in await memory.scope(**home).audit(conversation="c1")] == ["add"]
    assert len(await memory.scope(**home).audit(limit=1)) == 1
    for more in ({"agent": "cook"}, {"channel": "_global"}, {"user": "bob"}, {"tenant": "globex"}):
        scoped = memory.scope(**{**home, **more})
        assert await scoped.audit() == ()
        assert [line async for line in scoped.export() if line.get("kind") == "audit"] == []
    assert [row.operation for row in await memory.scope(**{**home, "connections": []}).audit()] == ["observe"]
    with pytest.raises(InputError, match="limit"):
        await memory.scope(**home).audit(limit=0)


async def test_no_more_of_the_audit_is_read_than_it_takes(store: Store, clock: FrozenClock) -> None:
    class Counted:
        most = 0

        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        async def find(self, owner: Owner, *queries: Any) -> Any:
            page = await store.find(owner, *queries)
            self.most = max(self.most, *map(len, page.rows))
            return page

    one: Any = Counted()
    memory = await opened(one, clock)
    for agent in ("clerk", *["cook"] * 20):
        await memory.scope(**WHOSE, agent=agent).observe("The ferry leaves.")
        clock.advance(seconds=1)
    one.most = 0
    assert [row.agent for row in await memory.scope(**WHOSE, agent="cook").audit(limit=2)] == ["cook"] * 2
    assert one.most == 2
    assert [row.agent for row in await memory.scope(**WHOSE, agent="clerk").audit(limit=2)] == ["clerk"]
    assert one.most == 21


async def test_a_question_is_forgotten_and_the_rest_stays(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, "reads")
    alice = memory.scope(**WHOSE)
    told = await alice.add(says("My doctor is Greta Lindqvist.", "The crab is blue."))
    await alice.recall("My doctor is Greta Lindqvist.")
    await alice.recall("Who is doctor Lindqvist?")
    await alice.recall("crab?")
    await alice.forget(source=told.events[0])
    left = sorted(await entries(memory, store), key=lambda row: row.operation)
    assert [(row.operation, row.query) for row in left] == [("add", None), ("recall", "crab?"), ("recall", None)]
    assert told.events[0] not in str(left)
    assert told.events[1] in left[0].ids
    assert "lindqvist" not in json.dumps([line async for line in alice.export()]).lower()
    assert (await alice.forget(everything=True)).removed["audit"] == 4  # the export was a read
    assert {name for name, some in (await everything(store)).items() if some} == {"tombstones", "receipts"}


async def test_entries_go_when_they_are_old(store: Store, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "_AT_ONCE", 2)
    memory = await opened(store, clock, audit_days=30)
    for user in ("alice", "bob"):
        for number in range(3):
            await memory.scope(tenant="acme", user=user).add(says(f"Pier {number} is open."))
    clock.advance(days=20)
    await memory.scope(**WHOSE).add(says("The crab is blue."))
    runtime = memory._runtime
    assert await retain_audit(runtime, "acme") == 0
    clock.advance(days=11)
    assert await retain_audit(runtime, "globex") == 0
    assert await retain_audit(runtime, "acme", "bob") == 3
    ran = await memory.run_job("audit_partitions", tenant="acme")
    assert (ran.counts["entries"], ran.outcome) == (3, "done")
    left = ["add", "retain_audit", "retain_audit"]  # what removes them is entered, too
    assert [row.operation for row in await entries(memory, store)] == left
    assert len(await rows(store, Event, OWNER)) == 4


@pytest.mark.parametrize("options", [{"audit": "all"}, {"audit_days": 0}])
def test_wrong_settings_of_the_audit_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"^{next(iter(options))} is "):
        Settings(**options)
