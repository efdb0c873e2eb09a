"""What is handed on: whose it stays, what becomes of it when it is forgotten, and the sprint of two agents."""

import re
from functools import partial
from typing import Any

import pytest

from flows.helpers import Broken, Contested, everything, fails, rows, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.beliefs.duplicates import MAX_SOURCES
from memoranda.core.rows import Event, Passage, Pool, Record, Vector
from memoranda.errors import ConflictError, InputError, NotFoundError, ScopeError, VersionError
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import Async

pytestmark = pytest.mark.anyio

COMMONS = Owner("acme", SHARED)
WORD = "zanzibar"


async def told(scope: AsyncScoped, text: str = f"The harbour office lies in {WORD}", **options: Any) -> str:
    """The id of the record of something observed."""
    return (await scope.observe(text, **options)).records[0]


async def whole_store(store: Store) -> str:
    """Every row of every owner, as text."""
    owners = [Owner("acme", user) for user in ("alice", "bob", SHARED)]
    return repr([await everything(store, owner) for owner in owners]).casefold()


async def test_a_copy_keeps_its_trust_and_its_origin(alice: AsyncScoped, store: Store) -> None:
    record = await told(alice, "The staging database is slow", source="tool_extracted_content")
    pool = await alice.pools.create("sprint")
    base = await alice.collections.create("base")
    written = await alice.pools.share(pool.id, "findings.db", record, expect=1)
    assert written.data["findings"]["db"] == {
        "text": "The staging database is slow", "kind": "fact", "confidence": 0.4, "trust": 0.4,
        "origin": {"user": "alice", "record": record},
    }  # fmt: skip
    entry = await alice.collections.share(base.id, record)
    assert (entry.text, entry.trust, entry.origin) == (
        "The staging database is slow", 0.4, {"user": "alice", "record": record},
    )  # fmt: skip
    copied = [event for event in await rows(store, Event, COMMONS) if "origin" in event.metadata]
    assert {(event.source, event.trust) for event in copied} == {("tool_extracted_content", 0.4)}
    with pytest.raises(VersionError, match="has version 2, not 1"):
        await alice.pools.share(pool.id, "x", record, expect=1)
    for verb in (alice.pools.share(pool.id, "x", "r-none"), alice.collections.share(base.id, "r-none")):
        with pytest.raises(NotFoundError, match="no record 'r-none'"):
            await verb


async def test_only_what_one_sees_can_be_shared(memory: AsyncMemory, alice: AsyncScoped) -> None:
    record = await told(memory.scope(tenant="acme", user="alice", agent="planner"))
    for other in (
        memory.scope(tenant="acme", user="alice", agent="writer"),
        memory.scope(tenant="acme", user="bob"),
        memory.scope(tenant="other", user="alice"),
    ):
        pool = await other.pools.create("mine")
        with pytest.raises(NotFoundError, match="no record"):
            await other.pools.share(pool.id, "x", record)
    goal = await alice.goals.add("Sail to Oslo")
    await alice.goals.complete(goal.id)
    pool = await alice.pools.create("mine")
    with pytest.raises(NotFoundError, match="that still holds"):
        await alice.pools.share(pool.id, "x", goal.id)


async def shared_in_all_ways(alice: AsyncScoped, **options: Any) -> tuple[str, str, str]:
    """Ids of a record, and of a pool and a collection of another user's that hold a copy of it."""
    record = await told(alice, **options)
    bob = AsyncScoped(Async(), alice._runtime, type(alice.scope)(tenant="acme", user="bob"))
    pool = await bob.pools.create("sprint", data={"kept": 1})
    base = await bob.collections.create("base")
    for what in (pool.id, base.id):
        await bob.pools.grant(what, "write", user="alice")
    await alice.pools.share(pool.id, "finding", record)
    copy = await alice.collections.share(base.id, record)
    await bob.pools.write(pool.id, "later", 2)
    await bob.collections.edit(base.id, copy.id, f"Ships call at {WORD}")
    await bob.collections.add(base.id, "The lamp of the lighthouse is red")
    return record, pool.id, base.id


async def test_what_was_shared_can_be_taken_back(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    record, pool, base = await shared_in_all_ways(alice)
    bob = memory.scope(tenant="acme", user="bob")
    elsewhere = memory.scope(tenant="acme", user="alice", channel="boat", agent="planner")
    mine = await elsewhere.pools.create("mine")
    await elsewhere.pools.share(mine.id, "finding", record)
    with pytest.raises(NotFoundError, match="No copy of a record"):
        await bob.pools.unshare(record)
    assert await alice.collections.unshare(record) == 3
    assert await bob.pools.read(pool) == {"kept": 1, "later": 2}
    assert len(await bob.collections.entries(base)) == 1
    assert (await alice.history(record))[0].id == record
    assert WORD in repr(await elsewhere.pools.read(mine.id))
    assert await elsewhere.pools.unshare(record) == 1
    with pytest.raises(NotFoundError, match="No copy of a record"):
        await alice.pools.unshare(record)
    assert WORD not in repr(await everything(store, COMMONS))


@pytest.mark.parametrize("what", ["record", "source", "conversation", "everything"])
async def test_forgetting_the_original_reaches_every_copy(memory: AsyncMemory, store: Store, what: str) -> None:
    alice = memory.scope(tenant="acme", user="alice", conversation="c")
    bob = memory.scope(tenant="acme", user="bob")
    record, pool, base = await shared_in_all_ways(alice)
    note = await bob.collections.snapshot(base, "before")
    [event] = await rows(store, Event)
    targets: dict[str, Any] = {"record": record, "source": event.id, "conversation": "c", "everything": True}
    receipt = await alice.forget(**{what: targets[what]})
    assert receipt.removed["events"] == 4
    assert WORD not in await whole_store(store)
    assert await bob.pools.read(pool) == {"kept": 1, "later": 2}
    assert (await bob.pools.get(pool)).version == 4
    assert [one.text for one in await bob.collections.entries(base)] == ["The lamp of the lighthouse is red"]
    assert not [row for row in await rows(store, Passage, COMMONS) if WORD in row.terms]
    assert await bob.collections.restore(base, note.id) == ()
    assert len(await bob.pools.history(pool)) == 2
    assert len(await bob.collections.search(base, "the lamp of the lighthouse")) == 1


async def test_a_copy_goes_with_its_original_though_another_record_says_the_same(
    alice: AsyncScoped, clock: FrozenClock, store: Store
) -> None:
    pool, base = await alice.pools.create("sprint"), await alice.collections.create("base")
    said = []
    for text in (f"I work at {WORD}.", "I work at Globex.", f"I work at {WORD}."):
        said.append(await alice.add(says(text)))
        clock.advance(days=1)
        if len(said) == 1:
            await alice.pools.share(pool.id, "work", said[0].records[0])
    await alice.collections.share(base.id, said[2].records[0])
    await alice.forget(source=said[0].events[0])
    assert (await alice.pools.read(pool.id), len(await alice.collections.entries(base.id))) == ({}, 1)
    await alice.forget(record=said[2].records[0])
    assert WORD not in await whole_store(store)


async def test_forgetting_everything_takes_what_one_made_and_wrote(memory: AsyncMemory, store: Store) -> None:
    alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
    mine = await alice.pools.create(f"{WORD} plans", reach="account", data={WORD: 1})
    base = await alice.collections.create(WORD, reach="account")
    await alice.collections.add(base.id, f"A boat from {WORD} lies in the harbour")
    await alice.collections.snapshot(base.id, WORD)
    theirs = await bob.collections.create("bobs")
    await bob.collections.grant(theirs.id, "write", user="alice")
    lamp = await bob.collections.add(theirs.id, "The lamp of the lighthouse is red")
    await alice.collections.edit(theirs.id, lamp.id, f"The lamp was brought from {WORD}")
    await alice.collections.add(theirs.id, "Wind comes from the north")
    await bob.collections.add(theirs.id, "Wind comes from the north")
    await alice.collections.snapshot(theirs.id, f"{WORD} again")
    derived = await bob.pools.create("derived", sources=[mine.id])
    receipt = await alice.forget(everything=True)
    assert (receipt.removed["pools"], receipt.removed["collections"], receipt.removed["snapshots"]) == (1, 1, 2)
    assert WORD not in await whole_store(store)
    left = await bob.collections.entries(theirs.id)
    assert sorted((one.text, one.version, one.editor) for one in left) == [
        ("The lamp of the lighthouse is red", 3, "bob"),
        ("Wind comes from the north", 1, "bob"),
    ]
    found = (await bob.collections.search(theirs.id, "the lamp of the lighthouse")).items[0]
    assert found.text == "The lamp of the lighthouse is red"
    with pytest.raises(NotFoundError, match="no pool"):
        await bob.pools.read(derived.id)  # nobody can say any more who might read what it came from
    with pytest.raises(NotFoundError, match="nothing to forget"):
        await alice.forget(everything=True)


PIER = "The lamp of the old lighthouse on the northern pier is red"
TOWN = "The lamp of the old lighthouse on the northern pier in town is red"


async def of_both(memory: AsyncMemory) -> tuple[AsyncScoped, str]:
    """Another user, and a collection of theirs in which alice may write."""
    bob = memory.scope(tenant="acme", user="bob")
    base = (await bob.collections.create("base")).id
    await bob.collections.grant(base, "write", user="alice")
    return bob, base


async def held(scope: AsyncScoped, base: str) -> set[str]:
    """What a collection holds; every version of it rests on events that are there."""
    store = scope._runtime.store
    events = {event.id for event in await rows(store, Event, COMMONS)}
    assert all(events.issuperset(record.sources) for record in await rows(store, Record, COMMONS))
    return {one.text for one in await scope.collections.entries(base)}


async def test_what_the_forgotten_had_ended_holds_again(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    _, ended = [await bob.collections.add(base, f"The {what} is open") for what in ("harbour office", "old gate")]
    record = await told(alice, "The harbour office is not open")
    await alice.collections.share(base, record)
    gate = await alice.collections.add(base, "The old gate is not open")
    assert await held(bob, base) == {"The harbour office is not open", "The old gate is not open"}
    await alice.collections.unshare(record)
    assert await held(bob, base) == {"The harbour office is open", "The old gate is not open"}
    both = await bob.collections.add(base, gate.text)
    await alice.forget(source=gate.sources[0])
    assert await held(bob, base) == {"The harbour office is open", "The old gate is not open"}
    assert [one.version for one in await bob.collections.history(base, ended.id)] == [1, 2]  # ended, by bob's words
    await bob.forget(source=both.sources[-1])
    assert await held(bob, base) == {"The harbour office is open", "The old gate is open"}


async def test_what_somebody_ended_or_brought_back_is_as_if_they_had_not(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    bob, base = await of_both(memory)
    lamp, gate = [await bob.collections.add(base, text) for text in ("The lamp is red", "The gate is open")]
    note = await bob.collections.snapshot(base, "before")
    await bob.collections.edit(base, gate.id, "Nobody may open the door at night")
    await alice.collections.restore(base, note.id)
    await alice.collections.remove(base, lamp.id)
    assert await held(bob, base) == {"The gate is open"}
    await alice.collections.snapshot(base, "Nobody may open the door at night")  # a name is nobody's entry
    await alice.forget(everything=True)
    assert await held(bob, base) == {"The lamp is red", "Nobody may open the door at night"}
    assert {one.editor for one in await bob.collections.history(base, lamp.id)} == {"bob"}


async def test_a_wording_that_gave_way_comes_back_with_the_other_alone(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    first = await bob.collections.add(base, PIER)
    better = await alice.collections.add(base, TOWN)
    other = await alice.collections.add(base, f"A boat from {WORD} lies in the harbour")
    assert (first.id, await held(bob, base)) != (better.id, {PIER})
    await alice.forget(source=other.sources[0])
    assert await held(bob, base) == {TOWN}
    await alice.forget(source=better.sources[-1])
    assert await held(bob, base) == {PIER}


async def test_a_wording_stays_away_while_the_one_that_took_its_place_holds(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    bob, base = await of_both(memory)
    await bob.collections.add(base, PIER)
    note = await bob.collections.snapshot(base, "before")
    await bob.collections.add(base, TOWN)
    await alice.collections.restore(base, note.id)
    assert await held(bob, base) == {PIER}
    await alice.forget(everything=True)
    assert await held(bob, base) == {TOWN}


async def test_what_others_said_in_other_words_stays_in_theirs(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    carol = memory.scope(tenant="acme", user="carol", agent="a")
    for other in (base, theirs := (await bob.collections.create("second")).id):
        await bob.collections.grant(other, "write", user="carol")
        await bob.collections.grant(other, "write", user="alice")
    town = await alice.collections.add(base, TOWN)
    mine = await told(carol, PIER, source="tool_indexed")
    for copy in (await bob.collections.add(base, PIER), await carol.collections.share(base, mine)):
        assert copy.id == town.id
    ended = await alice.collections.add(theirs, TOWN)
    await bob.collections.add(theirs, PIER)
    await bob.collections.remove(theirs, ended.id)
    gate = await alice.collections.add(theirs, "The gate on the old western road into town is open")
    await bob.collections.add(theirs, "The gate on the old western road is open")
    await alice.collections.remove(theirs, gate.id)
    await alice.forget(everything=True)
    [left] = await bob.collections.entries(base)
    assert (left.text, left.editor, left.version, left.trust) == (PIER, "bob", 1, 1.0)
    assert [item.id for item in await bob.collections.search(base, "the lamp of the lighthouse")] == [left.id]
    assert await held(bob, theirs) == {"The gate on the old western road is open"}  # alice had removed it, not bob
    assert await carol.collections.unshare(mine) == 1
    await bob.forget(source=left.sources[0])
    assert await held(bob, base) == set()


async def test_what_others_said_in_the_same_words_is_theirs_alone(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    carol = memory.scope(tenant="acme", user="carol")
    await bob.collections.grant(base, "write", user="carol")
    record = await told(alice, PIER, source="tool_extracted_content")
    copy = await alice.collections.share(base, record)
    await bob.collections.add(base, PIER)
    await carol.collections.remove(base, copy.id)
    await alice.forget(record=record)
    left = await bob.collections.history(base, copy.id)
    assert [(one.editor, one.trust, one.origin) for one in left] == [("bob", 1.0, None), ("carol", 1.0, None)]


async def test_what_comes_back_is_not_there_twice(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    bob, base = await of_both(memory)
    first = await bob.collections.add(base, PIER)
    better = await alice.collections.add(base, TOWN)
    assert (await bob.collections.add(base, PIER)).id == better.id
    await alice.forget(everything=True)
    [left] = await bob.collections.entries(base)
    said = [event.id for event in await rows(store, Event, COMMONS) if event.content == PIER]
    assert (left.id, left.text, left.sources) == (first.id, PIER, tuple(said))
    for count, one in enumerate(said, 1):
        await bob.forget(source=one)
        assert await held(bob, base) == ({PIER} if count < len(said) else set())


async def test_what_was_removed_and_said_again_in_other_words_has_an_id_of_its_own(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    bob, base = await of_both(memory)
    first = await bob.collections.add(base, PIER)
    await bob.collections.remove(base, first.id)
    await alice.collections.add(base, TOWN)
    await bob.collections.add(base, PIER)
    assert await held(bob, base) == {TOWN}
    await alice.forget(everything=True)
    [left] = await bob.collections.entries(base)
    assert (left.text, left.id == first.id) == (PIER, False)
    assert [one.version for one in await bob.collections.history(base, first.id)] == [1, 2]


async def test_what_was_said_again_meanwhile_does_not_come_back_beside_it(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    bob, base = await of_both(memory)
    lamp = await bob.collections.add(base, "The lamp is red")
    await alice.collections.edit(base, lamp.id, f"Boats come from {WORD}")
    again = await bob.collections.add(base, "The lamp is red")
    await alice.forget(everything=True)
    [left] = await bob.collections.entries(base)
    assert (left.id, left.sources) == (again.id, (again.sources[0], lamp.sources[0]))
    await bob.forget(source=again.sources[0])
    assert await held(bob, base) == {"The lamp is red"}
    await bob.forget(source=lamp.sources[0])
    assert await held(bob, base) == set()


async def test_what_came_back_twice_is_one(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    lamp = await bob.collections.add(base, "The lamp is red")
    await alice.collections.edit(base, lamp.id, f"Boats come from {WORD}")
    again = await bob.collections.add(base, "The lamp is red")
    await alice.collections.remove(base, again.id)
    await alice.forget(everything=True)
    [left] = await bob.collections.entries(base)
    assert {*left.sources} == {*lamp.sources, *again.sources}


async def test_what_held_before_an_edit_holds_again_though_others_say_what_the_edit_said(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    bob, base = await of_both(memory)
    lamp = await bob.collections.add(base, "The lamp is red")
    await alice.collections.edit(base, lamp.id, "Ships call at Oslo")
    said = await bob.collections.add(base, "Ships call at Oslo")
    assert said.id == lamp.id
    await alice.forget(everything=True)
    assert await held(bob, base) == {"The lamp is red", "Ships call at Oslo"}
    await bob.forget(source=said.sources[-1])
    assert await held(bob, base) == {"The lamp is red"}


async def test_what_was_said_before_is_no_end_of_what_came_after(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    for scope, text in ((bob, "The gate is open"), (bob, "The gate is not open"), (alice, "The gate is open")):
        await scope.collections.add(base, text)
    assert await held(bob, base) == {"The gate is open"}
    await alice.forget(everything=True)
    assert await held(bob, base) == {"The gate is not open"}


async def test_a_number_of_a_version_is_never_given_twice(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob, base = await of_both(memory)
    lamp = await bob.collections.add(base, "The lamp of the lighthouse is red")
    await alice.collections.edit(base, lamp.id, f"The lamp was brought from {WORD}")
    note = await bob.collections.snapshot(base, "with alice's")
    await alice.forget(everything=True)
    with pytest.raises(VersionError, match="has version 3, not 2"):
        await bob.collections.edit(base, lamp.id, "Nobody has seen the lamp", expect=2)
    await bob.collections.edit(base, lamp.id, "The lamp is green now", expect=3)
    assert await bob.collections.restore(base, note.id) == ()  # what it names is gone, and nothing is in its place
    assert [one.version for one in await bob.collections.history(base, lamp.id)] == [1, 3, 4]


async def test_an_edit_that_many_repeated_is_forgotten_though_no_version_names_it(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    bob, base = await of_both(memory)
    first = await bob.collections.add(base, "The lamp of the lighthouse is red")
    edited = await alice.collections.edit(base, first.id, TOWN)
    for _ in range(MAX_SOURCES):
        last = await bob.collections.add(base, PIER)
    assert last.text == TOWN
    assert edited.sources[-1] not in last.sources
    await alice.forget(source=edited.sources[-1])
    assert await held(bob, base) == {"The lamp of the lighthouse is red", PIER}


async def test_what_others_wrote_stays_though_room_was_made_for_it(memory: AsyncMemory) -> None:
    alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
    pool = await bob.pools.create("sprint", data={"a": 1})
    await bob.pools.grant(pool.id, "write", user="alice")
    await alice.pools.write(pool.id, "a", {WORD: 1})
    await bob.pools.write(pool.id, "a.b", 2)
    await alice.forget(everything=True)
    assert await bob.pools.read(pool.id) == {"a": {"b": 2}}


async def test_an_agent_forgets_its_own_and_the_user_in_a_channel_what_lies_there(
    memory: AsyncMemory, store: Store
) -> None:
    planner, writer = (memory.scope(tenant="acme", user="alice", agent=one) for one in ("planner", "writer"))
    boat = memory.scope(tenant="acme", user="alice", channel="boat")
    pools = [await scope.pools.create(name) for scope, name in ((planner, "p"), (writer, "w"), (boat, "b"))]
    with pytest.raises(NotFoundError, match="nothing to forget"):
        await writer.forget(source=pools[0].id)  # which tells of the planner's
    await planner.forget(everything=True)
    assert {pool.id for pool in await rows(store, Pool, COMMONS)} == {pools[1].id, pools[2].id}
    await memory.scope(tenant="acme", user="alice").forget(everything=True)
    assert {pool.id for pool in await rows(store, Pool, COMMONS)} == {pools[2].id}
    await memory.scope(tenant="acme", user="alice", whole=True).forget(everything=True)
    assert not await rows(store, Pool, COMMONS)


async def test_an_agent_hands_on_what_it_knows(memory: AsyncMemory, store: Store) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    planner, writer = (memory.scope(tenant="acme", user="alice", agent=one) for one in ("planner", "writer"))
    first = await told(planner)
    second = await told(planner, "The staging database is slow", source="tool_indexed")
    common = await told(alice, "The lamp of the lighthouse is red")
    [done] = await planner.collections.copy("writer", records=[second])
    copy = next(one for one in await rows(store, Record) if one.id == done.record)
    assert (copy.agent, copy.trust, copy.source, copy.text) == (
        "writer",
        0.5,
        "tool_indexed",
        "The staging database is slow",
    )
    both = await planner.collections.copy("writer")
    assert [one.outcome for one in both] == ["added", "reinforced"]
    assert len(await writer.recall("Where is the harbour office?", kinds=["fact"])) >= 1
    for wrong in ([common], ["r-none"]):
        with pytest.raises(NotFoundError, match="no record"):
            await planner.collections.copy("writer", records=wrong)
    for scope in (alice, writer):
        with pytest.raises(InputError, match="another one as agent="):
            await scope.collections.copy("writer")
    await planner.forget(record=first)
    assert WORD not in await whole_store(store)
    assert WORD not in repr(await writer.recall("Where is the harbour office?"))


async def test_goals_and_strategies_that_are_handed_on_lie_beside_those_there_are(memory: AsyncMemory) -> None:
    planner, writer = (memory.scope(tenant="acme", user="alice", agent=one) for one in ("planner", "writer"))
    mine = await writer.goals.add("Sail to Oslo with the old boat early in the summer", priority=1)
    trip = await planner.goals.add("Sail to Oslo with the old boat early in the summer again")
    berth = await planner.goals.add("Rent a berth")
    await planner.goals.add("Buy sails", parent=trip.id, blockers=[berth.id, "money"])
    learned = await writer.strategies.learn("Ask the pilot of the harbour about the wind", "sailing")
    await planner.strategies.learn("Ask the pilot of the harbour about the wind today", "sailing")
    assert [one.outcome for one in await planner.collections.copy("writer")] == ["added"] * 4
    [copy] = [one for one in await writer.goals.find() if one.text == trip.text]
    [rented] = [one for one in await writer.goals.find() if one.text == berth.text]
    [sails] = await writer.goals.find(parent=copy.id)
    assert (copy.id != trip.id, sails.text, sails.blockers) == (True, "Buy sails", (rented.id, "money"))
    assert (await writer.goals.get(mine.id), await writer.strategies.get(learned.id)) == (mine, learned)


async def test_a_goal_that_another_agent_has_stays_its_own(memory: AsyncMemory, store: Store) -> None:
    planner, writer = (memory.scope(tenant="acme", user="alice", agent=one) for one in ("planner", "writer"))
    goal = await planner.goals.add(f"Sail to {WORD}")
    own = await writer.goals.add(f"Sail to {WORD}")
    [done] = await planner.collections.copy("writer")
    assert (done.record, done.outcome, done.reason) == (own.id, "reinforced", "it stays as it was")
    said = next(event for event in await rows(store, Event) if event.agent == "planner")
    await planner.forget(source=said.id)
    assert await writer.goals.get(own.id) == own
    await writer.goals.complete(own.id)
    other = await planner.goals.add("Paint the boat")
    assert other.id != goal.id
    await writer.goals.complete((await writer.goals.add("Paint the boat")).id)
    [done] = await planner.collections.copy("writer")
    assert [one.id for one in await writer.goals.find()] == [done.record]
    await writer.forget(record=done.record)
    [done] = await planner.collections.copy("writer")
    assert (done.record, done.outcome) == (None, "forgotten")


@pytest.mark.parametrize("into", ["pool", "collection"])
async def test_what_is_shared_while_it_is_forgotten_is_taken_back(clock: FrozenClock, into: str) -> None:
    """A store in which the original goes just before its copy is written."""

    class Meanwhile(DictStore):
        between: Any = None

        async def apply(self, batch: Any) -> Any:
            if batch.owner == COMMONS and (between := self.between):
                self.between = None
                await between()
            return await super().apply(batch)

    store = Meanwhile()
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        other = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds("other"))
        record = await told(alice)
        pool, base = await alice.pools.create("sprint"), await alice.collections.create("base")
        store.between = lambda: other.scope(tenant="acme", user="alice").forget(record=record)
        share = {
            "pool": partial(alice.pools.share, pool.id, "finding", record),
            "collection": partial(alice.collections.share, base.id, record),
        }
        with pytest.raises(NotFoundError, match="no record"):
            await share[into]()
        assert (await alice.pools.read(pool.id), await alice.collections.entries(base.id)) == ({}, ())
        assert WORD not in await whole_store(store)


async def test_what_is_shared_while_its_original_goes_is_taken_too(clock: FrozenClock) -> None:
    """A store in which a copy is made, and looked after, just before the original goes."""

    class Meanwhile(DictStore):
        between: Any = None

        async def apply(self, batch: Any) -> Any:
            if batch.owner != COMMONS and (between := self.between):
                self.between = None
                await between()
            return await super().apply(batch)

    store = Meanwhile()
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        other = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds("other"))
        record = await told(alice)
        pool = await alice.pools.create("sprint")
        store.between = lambda: other.scope(tenant="acme", user="alice").pools.share(pool.id, "finding", record)
        await alice.forget(record=record)
        assert await alice.pools.read(pool.id) == {}
        assert WORD not in await whole_store(store)


async def test_no_vector_of_the_forgotten_stays_though_the_embedder_is_down(clock: FrozenClock) -> None:
    embedder = Broken(fails)
    embedder.answer = None
    store = DictStore()
    async with await AsyncMemory.open(store, embedder=embedder, clock=clock, ids=SequentialIds()) as memory:
        bob, base = await of_both(memory)
        lamp = await bob.collections.add(base, "The lamp is red")
        alice = memory.scope(tenant="acme", user="alice")
        await alice.collections.edit(base, lamp.id, f"Boats come from {WORD}")
        assert len(await rows(store, Vector, COMMONS)) == 1
        down = await AsyncMemory.open(store, embedder=Broken(fails), clock=clock, ids=SequentialIds("down"))
        await down.scope(tenant="acme", user="alice").forget(everything=True)
        assert await held(bob, base) == {"The lamp is red"}
        assert await rows(store, Vector, COMMONS) == []


async def test_taking_back_waits_for_others_and_gives_up_at_last(clock: FrozenClock) -> None:
    store = Contested(DictStore(), 0)
    async with await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds()) as memory:  # type: ignore[arg-type]
        alice = memory.scope(tenant="acme", user="alice")
        record, *_ = await shared_in_all_ways(alice)
        store.left = 1_000_000
        with pytest.raises(ConflictError, match="written without a pause"):
            await alice.forget(record=record)
        assert (await alice.history(record))[0].id == record
        store.left = 3
        await alice.forget(record=record)
        assert WORD not in await whole_store(store)  # type: ignore[arg-type]


async def test_an_entry_goes_back_without_an_embedder_too(clock: FrozenClock) -> None:
    async with await AsyncMemory.open(embedder="none", clock=clock, ids=SequentialIds()) as memory:
        alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
        base = (await bob.collections.create("base")).id
        await bob.collections.grant(base, "write", user="alice")
        entry = await bob.collections.add(base, "The lamp of the lighthouse is red")
        await alice.collections.edit(base, entry.id, f"The beacon came from {WORD}")
        await alice.forget(everything=True)
        assert len(await bob.collections.search(base, "the lamp of the lighthouse")) == 1
        assert len(await bob.collections.search(base, WORD)) == 0


async def test_an_export_has_what_is_shared(memory: AsyncMemory) -> None:
    alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
    _, pool, base = await shared_in_all_ways(alice)
    private = await bob.pools.create("private")
    await bob.collections.snapshot((await bob.collections.create("closed")).id, "of bob's")

    async def lines(scope: AsyncScoped) -> list[dict[str, Any]]:
        return [line async for line in scope.export()]

    seen = [line for line in await lines(alice) if line.get("row", {}).get("user") == SHARED]
    assert {line["kind"] for line in seen} == {"pools", "collections", "events", "records", "passages", "vectors"}
    assert {line["row"]["id"] for line in seen if line["kind"] in ("pools", "collections")} == {pool, base}
    kinds = [line["kind"] for line in await lines(bob) if "kind" in line]
    assert {"grants", "access_log", "snapshots"} <= {*kinds}
    assert not {private.id, "of bob's"} & {*re.findall(r"id-\d+|of bob's", repr(await lines(alice)))}
    assert private.id in repr(await lines(bob))
    assert len(await lines(memory.scope(tenant="other", user="alice"))) == 2


async def test_where_others_were_is_not_told(memory: AsyncMemory, alice: AsyncScoped) -> None:
    there = memory.scope(tenant="acme", user="alice", channel="divorce", conversation="lawyer", team="crimson")
    bob = memory.scope(tenant="acme", user="bob")
    pool, base = await there.pools.create("p", data={"a": 1}), await there.collections.create("c")
    for what in (pool.id, base.id):
        await there.pools.grant(what, "write", user="bob")
        await there.pools.grant(what, user="alice")
    task = AsyncScoped(Async(), alice._runtime, there.scope.narrow(task="t7"))
    await task.collections.add(base.id, "The lamp is red")
    await bob.pools.write(pool.id, "b", 2)

    async def told_of(scope: AsyncScoped) -> set[str]:
        seen = [line async for line in scope.export() if line.get("row", {}).get("user") == SHARED]
        seen += [await scope.pools.get(pool.id), await scope.collections.get(base.id)]
        seen += [*await scope.pools.find(), *await scope.collections.find()]
        return {word for word in ("divorce", "lawyer", "crimson", "t7") if word in repr(seen)}

    assert await told_of(bob) == await told_of(alice) == set()
    assert [one.channel for one in (*await there.pools.find(), *await there.collections.find())] == ["divorce"] * 2
    assert await told_of(there) == {"divorce", "lawyer", "crimson", "t7"}


async def test_the_sprint(memory: AsyncMemory, store: Store) -> None:
    """Agent A shares a finding with agent B, B derives something from it, and loses access."""
    ann = memory.scope(tenant="acme", user="alice", agent="a", task="sprint-12")
    ben = memory.scope(tenant="acme", user="bob", agent="b", task="sprint-12")
    finding = await told(ann, "The staging database is slow because an index is missing")
    pool = await ann.pools.create("sprint 12", kind="task_scoped")
    assert await ben.pools.find() == ()
    given = await ann.pools.grant(pool.id, "write", user="bob", agent="b")
    await ann.pools.share(pool.id, "findings.database", finding)
    assert (await ben.pools.read(pool.id, "findings.database.text")).startswith("The staging database is slow")
    await ben.pools.merge(pool.id, {"seen": {"b": True}}, expect=2)
    plan = await ben.pools.create("plan", data={"do": "add the index on Monday"}, sources=[pool.id])
    notes = await ben.collections.create("notes", sources=[pool.id, plan.id])
    await ben.collections.add(notes.id, "The index is missing on the table of orders", kind="reflection")
    boss = memory.scope(tenant="acme", user="carol", team="leads")
    for what in (plan.id, notes.id):
        await ben.pools.grant(what, team="leads")
    assert await boss.pools.find() == ()  # she may read the plan, but not what it was derived from
    await ann.pools.grant(pool.id, team="leads")
    assert {one.name for one in await boss.pools.find()} == {"sprint 12", "plan"}
    assert len(await boss.collections.search(notes.id, "Where is the index missing?")) == 1
    await ann.pools.revoke(given.id)
    await ann.pools.log(pool.id)  # the reads until now are written
    before = await whole_store(store)
    for verb in (
        ben.pools.read(pool.id), ben.pools.read(plan.id), ben.pools.write(plan.id, "x", 1),
        ben.collections.search(notes.id, "index"), ben.collections.entries(notes.id), ben.pools.revoke(given.id),
    ):  # fmt: skip
        with pytest.raises(NotFoundError):
            await verb
    assert (await ben.pools.find(), await ben.collections.find()) == ((), ())
    assert await whole_store(store) == before
    assert {one.name for one in await boss.pools.find()} == {"sprint 12", "plan"}
    await ann.pools.grant(pool.id, user="bob")
    assert await ben.pools.read(plan.id, "do") == "add the index on Monday"
    log = [(one.action, one.actor, one.agent) for one in await ann.pools.log(pool.id)]
    assert {("read", "bob", "b"), ("write", "alice", "a"), ("revoke write", "alice", "a")} <= {*log}


async def test_the_whole_of_a_user_shares_nothing(memory: AsyncMemory, alice: AsyncScoped) -> None:
    record = await told(alice)
    pool, base = await alice.pools.create("p"), await alice.collections.create("c")
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    for verb in (
        whole.pools.share(pool.id, "x", record), whole.collections.share(base.id, record), whole.pools.unshare(record),
    ):  # fmt: skip
        with pytest.raises(ScopeError, match="whole=True"):
            await verb
    await alice.add(says("I like tea."))
