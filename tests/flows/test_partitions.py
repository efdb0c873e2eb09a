"""A hot image is what a fresh one would be, whatever was written since and by whom."""

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import OWNER, Scripted, says
from memstrata import AsyncMemory, AsyncScoped, Settings
from memstrata.core.changes import Batch, Put
from memstrata.core.rows import Passage
from memstrata.errors import NotFoundError
from memstrata.flows.partitions import Partitions
from memstrata.ports import Store
from memstrata.stores.dict_ import DictStore
from memstrata.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

SAID = st.sampled_from(
    ["I live in Oslo.", "I moved to Bergen.", "I used to live in Oslo.", "I no longer live in Oslo.", "I like coffee.",
     "I like strong filter coffee.", "I no longer like strong filter coffee.", "The crab is blue.", "I work at Acme."]
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(SAID, st.sampled_from(["forget c0", "forget c1"]))), max_size=12
)
QUESTION = "Where do I live, what coffee do I like, what colour is the crab?"


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_two_hot_images_and_a_fresh_one_answer_alike(steps: list[tuple[int, str]]) -> None:
    async def run() -> None:
        store, clock, ids = DictStore(), FrozenClock(), SequentialIds()

        async def opened() -> AsyncMemory:
            return await AsyncMemory.open(store, embedder=Scripted(coffee=[1.0]), clock=clock, ids=ids)

        hot = [await opened(), await opened()]
        for which, step in steps:
            clock.advance(hours=1)
            alice = hot[which].scope(tenant="acme", user="alice")
            if step.startswith("forget"):
                try:
                    await alice.forget(conversation=step.removeprefix("forget "))
                except NotFoundError:
                    continue
            else:
                await alice.add(says(step), conversation=f"c{which}")
        answers = []
        for memory in (*hot, await opened()):
            alice = memory.scope(tenant="acme", user="alice")
            found = await alice.recall(QUESTION, limit=4)
            profile = await alice.profile()
            answers.append((found.items, found.reason, found.trace.searched, profile))
        assert answers[0] == answers[1] == answers[2]

    anyio.run(run)


async def test_a_replaced_record_takes_no_place_in_an_answer(store: Store, clock: FrozenClock) -> None:
    async def opened() -> AsyncMemory:
        return await AsyncMemory.open(store, embedder=Scripted(coffee=[1.0]), clock=clock, ids=SequentialIds())

    alice = (await opened()).scope(tenant="acme", user="alice")
    await alice.observe("The user likes coffee", category="preference")
    await alice.observe("The user likes strong filter coffee", category="preference")
    fresh = (await opened()).scope(tenant="acme", user="alice")
    for scoped in (alice, fresh):
        assert len(await scoped.recall("coffee", kinds=["preference"], limit=1)) == 1
        assert (await scoped.recall("coffee", kinds=["preference"])).trace.searched == 1


async def test_what_was_believed_ranks_alike_in_an_image_that_saw_it_replaced(store: Store, clock: FrozenClock) -> None:
    async def opened() -> AsyncScoped:
        memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
        return memory.scope(tenant="acme", user="alice")

    alice = await opened()
    await alice.observe("The user likes strong filter coffee from dark roasted beans", category="preference")
    then = clock.advance(hours=1)
    clock.advance(hours=1)
    finer = "The user likes strong filter coffee from dark slowly roasted beans"
    await alice.observe(finer, category="preference")
    hot, fresh = [(await scoped.recall("coffee", known_at=then)).items for scoped in (alice, await opened())]
    assert hot == fresh != ()


async def test_images_are_bounded_and_the_one_asked_for_stays(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds(), settings=Settings(hot_bytes=1)
    )
    for user in ("alice", "bob", "alice"):
        scoped = memory.scope(tenant="acme", user=user)
        await scoped.add(says(f"The crab of {user} is blue."))
        assert f"The crab of {user} is blue." in [item.text for item in await scoped.recall("crab")]
        assert [owner.user for owner in memory._runtime.partitions._images] == [user]


async def test_an_image_that_cannot_absorb_a_change_is_begun_afresh(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    await memory.scope(tenant="acme", user="alice").add(says("The crab is blue."))
    partitions = Partitions(store, "", 0)
    before = await partitions.current(OWNER)
    assert await partitions.current(OWNER) is before
    (row,) = before.index.passages
    changed = Passage(**{name: getattr(row, name) for name in Passage.__columns__} | {"terms": "whale"})
    await store.apply(Batch(owner=OWNER, changes=(Put(changed),)))
    after = await partitions.current(OWNER)
    assert after is not before
    assert [passage.terms for passage in after.index.passages] == ["whale"]
    assert after.index.postings.of("crab")[0].tolist() == []
    partitions.forget(OWNER)
    partitions.forget(OWNER)
    assert await partitions.current(OWNER) is not after
