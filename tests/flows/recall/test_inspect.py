"""Looking at memory tells what there is and changes nothing."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from flows.helpers import MORNING, Broken, Scripted, everything, fails, says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.rows import Row
from memoranda.errors import InputError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


async def test_the_history_tells_every_version_and_every_successor(alice: AsyncScoped, clock: FrozenClock) -> None:
    ids = []
    for city in ("Oslo", "Bergen", "Rome"):
        captured = await alice.add(says(f"I live in {city}."))
        ids += captured.records
        clock.advance(days=10)
    for record in ids:
        whole = await alice.history(record)
        assert [(row.value, row.version) for row in whole] == [
            ("Oslo", 1), ("Oslo", 2), ("Bergen", 1), ("Bergen", 2), ("Rome", 1),
        ]  # fmt: skip
        assert whole[1].valid_to == MORNING + timedelta(days=10)


async def test_the_history_tells_all_that_one_statement_ended(store: Store, clock: FrozenClock) -> None:
    review = await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds("r"), settings=Settings(conflict_policy="flag_review")
    )
    await review.scope(tenant="acme", user="alice").add(says("I live in Oslo.", "I live in Bergen.", "I like tea."))
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    clock.advance(days=10)
    rome = await alice.add(says("I live in Rome. I like rain."))
    clock.advance(days=10)
    await alice.add(says("I used to live in Rome."))
    story = [(row.value, row.version, row.status) for row in await alice.history(rome.records[0])]
    assert sorted(story, key=str) == [
        ("Bergen", 1, "disputed"), ("Bergen", 2, "expired"),
        ("Oslo", 1, "candidate"), ("Oslo", 2, "disputed"), ("Oslo", 3, "expired"),
        ("Rome", 1, "candidate"), ("Rome", 1, "candidate"), ("Rome", 2, "expired"),
    ]  # fmt: skip


@pytest.mark.parametrize("record", ["nobody", "", "a\x00b"])
async def test_there_is_no_history_of_nothing(alice: AsyncScoped, record: str) -> None:
    with pytest.raises(InputError):
        await alice.history(record)


async def test_the_history_ends_where_a_predecessor_was_forgotten(alice: AsyncScoped, clock: FrozenClock) -> None:
    first = await alice.add(says("I live in Oslo."), conversation="c1")
    clock.advance(days=10)
    second = await alice.add(says("I live in Bergen."), conversation="c2")
    await alice.forget(source=first.events[0])
    assert [row.value for row in await alice.history(second.records[0])] == ["Bergen"]


async def test_the_profile_is_a_view(alice: AsyncScoped, clock: FrozenClock) -> None:
    captured = await alice.add(says("I work at Acme.", "I prefer short emails.", "My name is Ada."))
    profile = await alice.profile()
    assert profile.plain()["work"] == {"employer": "Acme"}
    assert profile.plain()["identity"] == {"name": "Ada"}
    leaf = profile.scaffold["work"]["employer"]
    assert (leaf.sources, leaf.since, leaf.record) == ((captured.events[0],), MORNING, captured.records[0])
    assert "User works at Acme." in profile.narrative
    assert (await alice.profile(now=clock.now - timedelta(days=1))).plain() == {}


async def test_what_a_connection_taught_stands_by_its_name(memory: AsyncMemory) -> None:
    jira = memory.scope(tenant="acme", user="alice", connections=("jira",))
    await jira.observe("Tickets about tides go to the second queue", connection="jira")
    assert [leaf.value for leaf in (await jira.profile()).learned["jira"]] == [
        "Tickets about tides go to the second queue"
    ]
    without = memory.scope(tenant="acme", user="alice")
    assert (await without.profile()).learned == {}


async def test_statistics_count_rows(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob = memory.scope(tenant="acme", user="bob")
    await alice.add(says("I live in Oslo."))
    await alice.add(says("I moved to Bergen."))
    await bob.observe("The crab is blue")
    whole = await memory.stats(tenant="acme")
    mine = await memory.stats(tenant="acme", user="alice")
    assert (whole["events"], mine["events"]) == (3, 2)
    assert (whole["records"], mine["records"]) == (4, 3)
    assert whole["records_by_kind"] == {"fact": 3}
    assert mine["records_by_status"] == {"candidate": 1, "expired": 1}
    assert whole["events_by_kind"] == {"observation": 1, "turn": 2}
    assert (await memory.stats(tenant="nobody"))["events"] == 0
    with pytest.raises(InputError):
        await memory.stats(tenant="")


async def test_the_doctor_finds_a_sound_memory_sound(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.add(says("I live in Oslo.", "It rains."))
    health = await memory.doctor(tenant="acme")
    assert (health.embedded, health.space) == (1.0, "hashed/trigrams-256@1")
    assert health.counts["events"] == 2
    assert health.rates == {"junk": 0.0, "duplicate": 0.0, "stale": 0.0, "unextracted": 0.5}
    assert health.problems == tuple(health.store["problems"])
    assert (await memory.doctor(tenant="acme", user="bob")).counts["events"] == 0


async def test_the_doctor_finds_what_is_wrong(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    memory = await AsyncMemory.open(store, embedder=broken, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.observe("The crab is blue")
    await alice.observe("!!! ???")
    clock.advance(days=400)
    health = await memory.doctor(tenant="acme")
    assert health.embedded == 0.0
    assert "100.0% of the passages have no vector" in health.problems[-1]
    assert health.rates["stale"] == 1.0
    assert health.rates["junk"] == 0.5
    none = await AsyncMemory.open(store, embedder="none", clock=clock)
    assert "no embedder" in (await none.doctor(tenant="acme", user="alice")).problems[-1]


async def test_the_doctor_names_a_space_that_holds_vectors_of_another_length(store: Store, clock: FrozenClock) -> None:
    wide = await AsyncMemory.open(store, embedder=Scripted(), clock=clock, ids=SequentialIds())
    await wide.scope(tenant="acme", user="alice").observe("The crab is blue")
    narrow = Scripted()
    narrow.space = replace(narrow.space, dimension=32)
    memory = await AsyncMemory.open(store, embedder=narrow, clock=clock)
    problem = (await memory.doctor(tenant="acme")).problems[-2]
    assert problem.startswith(
        "acme/alice: 2 vectors kept in the space 'test/scripted@1' do not have the 32 numbers of the embedder"
    )


async def test_the_doctor_counts_duplicates_that_slipped_through(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.observe("The blue crab sleeps")
    await alice.observe("A crustacean is at rest")
    seeing = await AsyncMemory.open(store, embedder=Scripted(crab=[1.0], crustacean=[1.0]), clock=clock)
    await seeing.reembed(tenant="acme")
    assert (await seeing.doctor(tenant="acme")).rates["duplicate"] == 0.5
    for more in ("Any crab is still", "One crab dozes", "That crab naps"):
        await alice.observe(more)
    await seeing.reembed(tenant="acme")
    assert (await seeing.doctor(tenant="acme")).rates["duplicate"] == 0.8  # all but one, however many pairs they make


async def test_looking_changes_nothing(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Oslo."), conversation="c")
    before = await everything(store)
    await alice.recall("Oslo")
    await alice.context("Oslo")
    await alice.profile()
    await alice.state()
    await alice.rank([{"id": "1", "text": "A mail from Oslo"}])
    await alice.history(captured.records[0])
    await alice.why("Oslo", captured.records[0])
    await alice.why("Oslo", limit=1)
    await memory.stats(tenant="acme")
    await memory.doctor(tenant="acme")
    assert [row async for row in alice.export()]
    after = await everything(store)
    assert after.pop("context_log")  # what a question leaves, beside the count of what it used
    assert {name: unused(kept) for name, kept in after.items()} == {name: unused(before[name]) for name in after}


def unused(kept: list[Row]) -> list[Row]:
    """Rows as if nobody had used them."""
    return [replace(row, access_count=0, last_accessed=None) if hasattr(row, "access_count") else row for row in kept]


async def test_the_why_of_an_answer_tells_what_was_left_out(alice: AsyncScoped) -> None:
    crabs = [f"The crab of basin {number} is blue." for number in range(3)]
    said = await alice.add(says(*crabs, "I saw a crab."), conversation="c")
    record = await alice.observe("The crab sleeps in the basin")
    found = await alice.why("crab basin", limit=1)
    trace = found.recalled.trace
    assert (found.place, found.shares, found.arms) == (None, {}, {})
    assert found.verdict == f"1 of {1 + len(found.cut)} candidates, of {trace.searched} searched"
    assert {cut.id: cut.reason for cut in found.cut} == trace.left_out
    texts = {cut.id: cut.text for cut in found.cut} | {item.id: item.text for item in found.recalled}
    assert {texts[one] for one in said.events} == {*crabs, "I saw a crab."}
    assert texts[record.records[0]] == "The crab sleeps in the basin"
    keyword = trace.arms["keyword"]
    for cut in found.cut:
        assert cut.arms.get("keyword") == (keyword.index(cut.id) + 1 if cut.id in keyword else None)
    one = await alice.why("crab basin", found.recalled.items[0].id, limit=1)
    assert (one.place, one.cut) == (1, found.cut)


async def test_an_unknown_memory_has_no_why(alice: AsyncScoped) -> None:
    with pytest.raises(NotFoundError):
        await alice.why("crab", "nobody")


async def test_whom_and_when_to_look_at_is_checked(memory: AsyncMemory, alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="now has no time zone"):
        await alice.profile(now=datetime(2026, 1, 1))  # noqa: DTZ001
    for look in (memory.stats, memory.doctor, memory.reembed):
        with pytest.raises(ScopeError, match="user holds"):
            await look(tenant="acme", user="\ud800")
    with pytest.raises(ScopeError, match="connections"):
        memory.scope(tenant="acme", user="alice", connections="jira")
