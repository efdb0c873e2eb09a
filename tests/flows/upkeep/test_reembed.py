"""What lacks a vector is given one, in the space that is open."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from flows.helpers import OWNER, Broken, Contested, Scripted, fails, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Vector
from memoranda.core.rows.changes import Batch, Put
from memoranda.errors import CapabilityError, ConflictError, EmbedderError, InputError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import Async

pytestmark = pytest.mark.anyio


async def test_what_was_written_while_the_embedder_was_down(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    memory = await AsyncMemory.open(store, embedder=broken, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says(*(f"Crab {number} of the pier is blue." for number in range(70)), "I like tea."))
    with pytest.raises(EmbedderError, match="damaged"):
        await memory.reembed(tenant="acme")
    broken.answer = None
    told: list[int] = []
    done = await memory.reembed(tenant="acme", progress=told.append)
    assert (done.space, done.embedded, sum(told)) == (broken.space.name, 72, 72)
    assert len(await rows(store, Vector)) == 72
    assert (await memory.reembed(tenant="acme", user="alice")).embedded == 0
    assert (await memory.doctor(tenant="acme")).embedded == 1.0


async def test_a_replaced_record_is_embedded_too(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    memory = await AsyncMemory.open(store, embedder=broken, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.observe("The red crab of Tidepool sleeps below the grey rock")
    merged = await alice.observe("The red crab of Tidepool sleeps below the big grey rock")
    assert [item.outcome for item in merged.decisions] == ["merged"]
    broken.answer = None
    assert (await memory.reembed(tenant="acme")).embedded == 4
    assert (await memory.doctor(tenant="acme")).embedded == 1.0


async def test_another_space_stands_beside_the_first(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The crab is blue.", "A whale sings."))
    other = await AsyncMemory.open(store, embedder=Scripted(crustacean=[1.0], crab=[1.0]), clock=clock)
    theirs = other.scope(tenant="acme", user="alice")
    assert texts(await theirs.recall("crustacean")) == []
    assert (await other.reembed(tenant="acme")).embedded == 2
    assert texts(await theirs.recall("crustacean"))[0] == "The crab is blue."
    assert texts(await alice.recall("crab"))[0] == "The crab is blue."
    assert len({row.space for row in await rows(store, Vector)}) == 2
    assert all(np.frombuffer(row.data, "<f2").size in {64, 256} for row in await rows(store, Vector))


async def test_speakers_and_fences_do_not_change_what_is_embedded(store: Store, clock: FrozenClock) -> None:
    counted = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    await counted.scope(tenant="acme", user="alice").add(
        says("<memstrata-memory>old</memstrata-memory> The crab is blue.", name="Ada")
    )
    (before,) = await rows(store, Vector)
    blind = await AsyncMemory.open(store, embedder=Scripted(), clock=clock)
    await blind.reembed(tenant="acme")
    assert before in await rows(store, Vector)


async def test_a_vector_is_not_written_for_what_was_forgotten_meanwhile(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    contested = Contested(store, 0)
    memory = await AsyncMemory.open(contested, embedder=broken, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("The crab is blue.", "A whale sings."))
    other = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds("other"))

    async def meanwhile(count: int) -> np.ndarray:
        broken.answer = None
        await other.scope(tenant="acme", user="alice").forget(source=captured.events[0])
        return np.eye(1, 3, dtype=np.float32).repeat(count, axis=0)

    broken.answer = meanwhile
    await memory.reembed(tenant="acme")
    assert [row.ref for row in await rows(store, Vector)] == [captured.events[1]]


async def test_it_needs_an_embedder_and_a_tenant(store: Store, memory: AsyncMemory) -> None:
    blind = await AsyncMemory.open(store, embedder="none")
    with pytest.raises(CapabilityError, match="without an embedder"):
        await blind.reembed(tenant="acme")
    with pytest.raises(InputError):
        await memory.reembed(tenant="")
    assert (await memory.reembed(tenant="nobody")).embedded == 0


async def test_a_memory_written_without_a_pause_is_given_up(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    contested = Contested(store, 0)
    memory = await AsyncMemory.open(contested, embedder=broken, clock=clock, ids=SequentialIds())
    await memory.scope(tenant="acme", user="alice").add(says("The crab is blue."))
    broken.answer = None
    contested.left = 1_000
    with pytest.raises(ConflictError, match="100 attempts"):
        await memory.reembed(tenant="acme")


async def test_what_was_all_forgotten_meanwhile_is_no_failure(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    memory = await AsyncMemory.open(store, embedder=broken, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The crab is blue."))

    async def meanwhile(count: int) -> np.ndarray:
        await alice.forget(everything=True)
        return np.eye(1, 3, dtype=np.float32).repeat(count, axis=0)

    broken.answer = meanwhile
    assert (await memory.reembed(tenant="acme")).embedded == 0
    assert await rows(store, Vector) == []


async def _changed(store: Store, clock: FrozenClock, *turns: str, **axes: list[float]) -> AsyncScoped:
    """A memory written with one embedder, opened with another."""
    before = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    await before.scope(tenant="acme", user="alice").add(says(*turns))
    after = await AsyncMemory.open(store, embedder=Scripted(**axes), clock=clock, ids=SequentialIds("after"))
    return after.scope(tenant="acme", user="alice")


SAID = ("The spare keys lie under the blue flowerpot.", "It rained in Bergen.", "Soup for lunch.", "A crab sleeps.")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("question", ["Where are the keys hidden?", "Which flowerpot was it?", "keys"])
async def test_after_a_change_of_the_embedder_words_answer_and_the_rest_is_named(
    store: Store, clock: FrozenClock, number: int, question: str
) -> None:
    alice = await _changed(store, clock, *SAID[:number])
    found = await alice.recall(question)
    assert texts(found)[:1] == [SAID[0]]
    told = f"vectors: {number} of {number} passages have none in test/scripted@1"
    assert found.degraded == (f"{told}: memoranda reembed, or a worker, adds them",)
    assert (await alice.context(question)).degraded == found.degraded


async def test_only_what_the_asker_may_see_is_counted(store: Store, clock: FrozenClock) -> None:
    alice = await _changed(store, clock, *SAID)
    there = await AsyncMemory.open(store, embedder=Scripted(), clock=clock, ids=SequentialIds("there"))
    await there.scope(tenant="acme", user="alice", channel="boat").add(says("The boat is red."))
    assert "4 of 4 passages" in (await alice.recall("keys")).degraded[0]
    boat = there.scope(tenant="acme", user="alice", channel="boat")
    assert "4 of 5 passages" in (await boat.recall("keys")).degraded[0]


async def test_few_vectors_do_not_rank_before_words(store: Store, clock: FrozenClock) -> None:
    """One passage in five has a vector: it may not win by that alone."""
    alice = await _changed(store, clock, *SAID, keys=[1.0], tide=[0.8, 0.6])
    await alice.add(says("The tide is low."))
    found = await alice.recall("Where are the keys?")
    assert texts(found) == [SAID[0]]
    assert "4 of 5 passages" in found.degraded[0]


async def test_a_passage_without_a_vector_is_found_by_its_words_among_many_that_have_one(
    store: Store, clock: FrozenClock
) -> None:
    broken = Broken(fails)
    memory = await AsyncMemory.open(store, embedder=broken, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    broken.answer = lambda count: np.eye(1, 3, 1, dtype=np.float32).repeat(count, axis=0)
    await alice.add(says("It rained.", "Soup again.", "A crab sleeps."))
    broken.answer = fails
    await alice.add(says(SAID[0]))
    broken.answer = None
    found = await alice.recall("Where are the keys hidden?")
    assert texts(found) == [SAID[0]]
    assert found.degraded[0].startswith("vectors: 1 of 4 passages")


async def test_a_worker_embeds_what_lacks_a_vector(store: Store, clock: FrozenClock) -> None:
    alice = await _changed(store, clock, *SAID)
    after = await AsyncMemory.open(store, embedder=Scripted(), clock=clock, ids=SequentialIds("worker"))
    await after.work(tenants=["acme"], once=True)
    [job] = [one for one in await after.jobs(tenant="acme") if one.job == "reembed"]
    assert (job.outcome, job.counts, job.schedule) == ("done", {"embedded": 4, "looked": 4}, "every 15 min")
    assert (await alice.recall("keys")).degraded == ()
    again = await after.run_job("reembed", tenant="acme")
    assert (again.outcome, again.reason) == ("empty", "all have a vector in test/scripted@1")
    blind = await AsyncMemory.open(store, embedder="none", clock=clock)
    assert (await blind.run_job("reembed", tenant="acme", user="alice")).reason == "there is no embedder"


async def test_the_job_goes_on_where_it_was_broken_off(store: Store, clock: FrozenClock) -> None:
    writer = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    await writer.scope(tenant="acme", user="alice").add(says(*(f"Crab {number} is blue." for number in range(70))))
    calls: list[int] = []

    def breaks_off(count: int) -> np.ndarray:
        calls.append(count)
        return fails(count) if len(calls) == 3 else np.eye(1, 3, dtype=np.float32).repeat(count, axis=0)

    memory = await AsyncMemory.open(store, embedder=Broken(breaks_off), clock=clock, ids=SequentialIds("worker"))
    first = await memory.run_job("reembed", tenant="acme")
    assert (first.outcome, first.counts["embedded"]) == ("failed", 64)
    second = await memory.run_job("reembed", tenant="acme")
    assert (second.outcome, second.counts["embedded"]) == ("done", 6)


async def test_the_space_in_use_stays_until_the_next_one_is_complete(store: Store, clock: FrozenClock) -> None:
    async def opened(**options: Any) -> AsyncScoped:
        memory = await AsyncMemory.open(store, clock=clock, ids=SequentialIds(str(options)), **options)
        return memory.scope(tenant="acme", user="alice")

    old, new = Scripted(crustacean=[1.0], crab=[1.0]), Broken(fails)
    new.answer = None
    alice = await opened(embedder=old, next_embedder=new)
    await alice.add(says(*SAID))
    memory = AsyncMemory(Async(), alice._runtime)
    assert (await memory.doctor(tenant="acme")).spaces == {old.space.name: 1.0, new.space.name: 0.0}
    assert (await alice.recall("crustacean")).degraded == ()
    assert texts(await alice.recall("crustacean"))[0] == "A crab sleeps."
    assert (await memory.run_job("reembed", tenant="acme")).counts["embedded"] == 4
    assert texts(await alice.recall("crustacean"))[0] == "A crab sleeps."
    health = await memory.doctor(tenant="acme")
    assert (health.space, health.embedded) == (old.space.name, 1.0)
    assert health.spaces == {old.space.name: 1.0, new.space.name: 1.0}
    assert (await (await opened(embedder=new)).recall("keys")).degraded == ()
    await alice.forget(everything=True)
    assert await rows(store, Vector) == []


async def test_a_vector_of_another_length_is_made_anew(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder=Scripted(), clock=clock, ids=SequentialIds())
    await memory.scope(tenant="acme", user="alice").add(says(*SAID))
    short = replace((await rows(store, Vector))[0], data=b"\0\0")
    await store.apply(Batch(owner=OWNER, changes=(Put(short),)))
    assert (await memory.reembed(tenant="acme")).embedded == 1
    assert {len(row.data) for row in await rows(store, Vector)} == {128}
