"""A hot image is what a fresh one would be, whatever was written since and by whom."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import OWNER, Scripted, fails, says, texts
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.rows import Passage
from memoranda.core.rows.changes import Batch, Put
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.images import Partitions
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

SAID = st.sampled_from(
    ["I live in Oslo.", "I moved to Bergen.", "I used to live in Oslo.", "I no longer live in Oslo.", "I like coffee.",
     "I like strong filter coffee.", "I no longer like strong filter coffee.", "The crab is blue.", "I work at Acme.",
     "I like strong filter coffee from dark beans.", "I like strong slow filter coffee from dark beans."]
)  # fmt: skip
PLACE = st.sampled_from([{}, {"agent": "cook"}, {"channel": "work"}])
STEPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        PLACE,
        st.one_of(
            st.tuples(st.just("say"), SAID, st.sampled_from([0, 0, -400, 30])),  # so many days off
            st.tuples(st.just("forget"), st.sampled_from(["c0", "c1", "record"])),
            st.tuples(st.sampled_from(["break", "mend"])),
        ),
    ),
    max_size=12,
)
WHOSE: dict[str, str] = {"tenant": "acme", "user": "alice"}
QUESTION = "Where do I live, what coffee do I like, what colour is the crab?"


class Hot:
    """Two open memories of one store, whose embedder fails at times."""

    def __init__(self) -> None:
        self.store, self.clock, self.ids = DictStore(), FrozenClock(), SequentialIds()
        self.coffee = Scripted(coffee=[1.0])
        self.down = False
        self.memories: list[AsyncMemory] = []

    space = Scripted.space

    async def embed(self, texts: Sequence[str]) -> Any:
        return fails(0) if self.down else await self.coffee.embed(texts)

    async def close(self) -> None:
        pass

    async def opened(self) -> AsyncMemory:
        settings = Settings(reinforce=False, learned_ranking=False)  # a sum shows what trees round off
        return await AsyncMemory.open(self.store, embedder=self, clock=self.clock, ids=self.ids, settings=settings)

    async def take(self, which: int, place: dict[str, str], what: str, *how: Any) -> None:
        self.clock.advance(hours=1)
        alice = self.memories[which].scope(tenant="acme", user="alice", **place)
        if what == "say":
            said = says(how[0], timestamp=self.clock() + timedelta(days=how[1]))
            await alice.add(said, conversation=f"c{which}")
        elif what == "forget":
            found = [item.id for item in await alice.recall(QUESTION) if item.of == "record"]
            target = {"record": found[0] if found else "none"} if how[0] == "record" else {"conversation": how[0]}
            with suppress(NotFoundError):
                await alice.forget(**target)
        else:
            self.down = what == "break"
            if not self.down:
                await self.memories[which].reembed(tenant="acme", user="alice")
        await alice.recall(QUESTION)  # what is kept from question to question is there from now on

    async def answers(self, memory: AsyncMemory, then: datetime) -> list[Any]:
        found = []
        for place in ({}, {"agent": "cook"}, {"whole": True}):
            alice = memory.scope(tenant="acme", user="alice", **place)  # type: ignore[arg-type]
            for more in ({}, {"known_at": then}, {"as_of": then}):
                answer = await alice.recall(QUESTION, limit=4, **more)  # type: ignore[arg-type]
                found.append((answer.items, answer.reason, answer.trace.searched, answer.trace.left_out))
            found.append(await alice.profile())
        return found


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_two_hot_images_and_a_fresh_one_answer_alike(steps: list[tuple[int, dict[str, str], tuple[Any, ...]]]) -> None:
    async def run() -> None:
        hot = Hot()
        hot.memories = [await hot.opened(), await hot.opened()]
        for which, place, step in steps:
            await hot.take(which, place, *step)
        hot.down = False
        then = hot.clock() - timedelta(hours=len(steps) // 2)
        first, second, fresh = [await hot.answers(memory, then) for memory in (*hot.memories, await hot.opened())]
        assert first == second == fresh

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


async def test_what_two_places_say_in_the_same_words_stands_in_one_order(store: Store, clock: FrozenClock) -> None:
    async def opened() -> AsyncMemory:
        return await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())

    memory = await opened()
    said = "I have four cats since May 2023."
    cook, alice = (memory.scope(tenant="acme", user="alice", **more) for more in ({"agent": "cook"}, {}))
    for scoped in (cook, alice, cook):  # the last one is said again: its record is written anew
        await scoped.observe(said)
    fresh = (await opened()).scope(tenant="acme", user="alice")
    assert await alice.profile() == await fresh.profile()
    assert (await alice.context("cats")).citations == (await fresh.context("cats")).citations


async def test_what_another_process_drops_of_its_log_spoils_no_image(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("The crab is blue."))
    await alice.recall("crab")
    image = await memory._runtime.partitions.current(OWNER)
    other = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds("b"))
    clock.advance(days=400)
    assert (await other.run_job("audit_partitions", **WHOSE)).counts["entries"] > 0
    assert texts(await alice.recall("crab")) == ["The crab is blue."]
    now = await memory._runtime.partitions.current(OWNER)
    assert now.index.refs is image.index.refs  # it went on, and was not read afresh
    await other.scope(**WHOSE).forget(everything=True)
    assert texts(await alice.recall("crab")) == []


async def test_images_are_bounded_and_the_one_asked_for_stays(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds(), settings=Settings(hot_bytes=1)
    )
    for user in ("alice", "bob", "alice"):
        scoped = memory.scope(tenant="acme", user=user)
        await scoped.add(says(f"The crab of {user} is blue."))
        assert f"The crab of {user} is blue." in [item.text for item in await scoped.recall("crab")]
        assert [owner.user for owner in memory._runtime.partitions._images._images] == [user]


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
