"""What lacks a vector is given one, in the space that is open."""

import numpy as np
import pytest

from flows.helpers import Broken, Contested, Scripted, fails, rows, says, texts
from memstrata import AsyncMemory
from memstrata.core.rows import Vector
from memstrata.errors import CapabilityError, ConflictError, EmbedderError, InputError
from memstrata.ports import Store
from memstrata.testing.fakes import FrozenClock, SequentialIds

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
    with pytest.raises(ConflictError, match="20 attempts"):
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
