"""Uses of records are counted at once, written off the path of recall, and lost by nothing but a crash."""

import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from flows.helpers import MORNING, OWNER, Contested, Slow, cancelled, rows, says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.scope import Owner
from memoranda.core.evaluation.usage import TechniqueUse
from memoranda.core.rows import Record
from memoranda.core.rows.changes import Applied, Batch, Touch
from memoranda.errors import StoreFullError
from memoranda.flows.runtime import runtime, uses
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

TEA, OSLO = "User likes green tea.", "User lives in Oslo."


class Watched:
    """A store that keeps the batches it was given, refuses touches while told so, and can be made to wait."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.batches: list[Batch] = []
        self.full = False
        self.gate = anyio.Event()
        self.gate.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        self.batches.append(batch)
        await self.gate.wait()
        if self.full:
            raise StoreFullError("no space is left")
        return await self._store.apply(batch)

    @property
    def touching(self) -> list[bool]:
        """Of each batch, whether it is of uses alone."""
        return [all(isinstance(change, Touch) for change in batch.changes) for batch in self.batches]


@pytest.fixture
def watched(store: Store) -> Watched:
    return Watched(store)


async def opened(store: Any, clock: FrozenClock, **settings: Any) -> AsyncMemory:
    return await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), settings=Settings(**settings)
    )


@pytest.fixture
async def memory(watched: Watched, clock: FrozenClock) -> AsyncMemory:
    memory = await opened(watched, clock)
    await memory.scope(tenant="acme", user="alice").add(says("I like green tea.", "I live in Oslo."), conversation="c")
    watched.batches.clear()
    return memory


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice")


async def counts(store: Any) -> Mapping[str, int]:
    """How often each record was used, as it is written."""
    return {record.text: record.access_count for record in await rows(store, Record)}


async def seen(alice: AsyncScoped) -> Mapping[str, int]:
    """How often each record was used, as the hot image knows it."""
    partition = await alice._runtime.partitions.current(OWNER)
    return {record.text: record.access_count for record in partition.records.values()}


async def settled(memory: AsyncMemory) -> None:
    await memory._runtime.partitions.uses.settle(OWNER)


async def test_what_is_recalled_counts_at_once_and_is_written_on_closing(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, watched: Watched, clock: FrozenClock
) -> None:
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    assert await seen(alice) == {TEA: 1, OSLO: 0}
    assert await counts(store) == {TEA: 0, OSLO: 0}
    assert not watched.batches
    await settled(memory)
    assert await counts(store) == {TEA: 1, OSLO: 0}
    (tea,) = (record for record in await rows(store, Record) if record.text == TEA)
    assert tea.last_accessed == clock()
    await settled(memory)
    assert len(watched.batches) == 1


async def test_a_use_ranks_a_record_higher(alice: AsyncScoped) -> None:
    first = await alice.recall("green tea", kinds={"preference"})
    second = await alice.recall("green tea", kinds={"preference"})
    assert "access_frequency" not in first.items[0].shares
    assert second.items[0].shares["access_frequency"] == pytest.approx(0.1 / 20)


async def test_a_record_is_used_with_the_turn_it_rests_on(alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "USED", 2.0)
    similarity = {item.text: item.similarity for item in await alice.recall("Which tea do I like?")}
    assert await seen(alice) == {TEA: 0, OSLO: 0}
    assert similarity[TEA] < similarity["I like green tea."]
    monkeypatch.setattr(runtime, "USED", similarity["I like green tea."])
    await alice.recall("Which tea do I like?")
    assert await seen(alice) == {TEA: 1, OSLO: 0}


async def test_several_uses_within_a_minute_are_one(alice: AsyncScoped, clock: FrozenClock) -> None:
    for seconds, count in ((0, 1), (59, 1), (1, 2), (0, 2), (3_600, 3)):
        clock.advance(seconds=seconds)
        await alice.recall("green tea", kinds={"preference"})
        assert (await seen(alice))[TEA] == count


@pytest.mark.parametrize(("asked", "used"), [(1, 1), (3, 2)])
async def test_a_use_is_when_it_was_asked_and_never_in_the_future(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock, asked: int, used: int
) -> None:
    clock.advance(hours=2)
    await alice.recall("green tea", kinds={"preference"}, now=MORNING + timedelta(hours=asked))
    await settled(memory)
    assert {record.last_accessed for record in await rows(store, Record)} == {MORNING + timedelta(hours=used), None}


async def test_the_context_counts_what_it_shows_of_what_it_recalled(alice: AsyncScoped) -> None:
    nothing = await alice.context("green tea", budget=1)
    assert not nothing.citations
    assert await seen(alice) == {TEA: 0, OSLO: 0}
    assert len((await alice.context("User likes green tea")).citations) > 1
    assert await seen(alice) == {TEA: 1, OSLO: 0}  # Oslo is in the profile, but has little to do with tea


async def test_why_counts_nothing(alice: AsyncScoped, store: Store) -> None:
    (tea,) = (record for record in await rows(store, Record) if record.text == TEA)
    assert (await alice.why("green tea", tea.id)).place
    assert await seen(alice) == {TEA: 0, OSLO: 0}


async def test_nothing_is_counted_where_that_is_not_wanted(watched: Watched, clock: FrozenClock) -> None:
    alice = (await opened(watched, clock, reinforce=False)).scope(tenant="acme", user="alice")
    await alice.add(says("I like green tea."))
    assert await alice.recall("green tea", kinds={"preference"})
    assert await seen(alice) == {TEA: 0}


async def test_the_next_write_takes_the_counts_along(alice: AsyncScoped, store: Store, watched: Watched) -> None:
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    await alice.add(says("The crab is blue."))
    assert await counts(store) == {TEA: 1, OSLO: 0}
    assert watched.touching == [False]


async def test_a_write_that_fails_or_is_contested_loses_and_doubles_no_count(
    alice: AsyncScoped, memory: AsyncMemory, store: Store, watched: Watched, clock: FrozenClock
) -> None:
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    watched.full = True
    with pytest.raises(StoreFullError):
        await alice.add(says("The crab is blue."))
    await settled(memory)
    assert await counts(store) == {TEA: 0, OSLO: 0}
    clock.advance(minutes=2)
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    watched.full = False
    watched._store = Contested(store, 2)
    await alice.add(says("The crab is blue."))
    await settled(memory)
    assert await counts(store) == {TEA: 2, OSLO: 0}


async def used(store: Any, clock: FrozenClock) -> tuple[AsyncMemory, AsyncScoped]:
    """A memory of two records, one of which was handed out once."""
    memory = await opened(store, clock)
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I like green tea.", "I live in Oslo."), conversation="c")
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    return memory, alice


async def test_a_write_whose_caller_is_cancelled_doubles_no_count(clock: FrozenClock) -> None:
    store = Slow(DictStore())
    memory, alice = await used(store, clock)
    await cancelled(store, alice.add(says("The crab is blue.")))
    await settled(memory)
    assert await counts(store) == {TEA: 1, OSLO: 0}


async def test_a_reader_that_is_cancelled_while_counts_are_written_doubles_none(clock: FrozenClock) -> None:
    store = Slow(DictStore())
    memory, alice = await used(store, clock)
    memory._runtime.partitions.forget(OWNER)
    await cancelled(store, alice.recall("crab"))
    await settled(memory)
    assert await counts(store) == await seen(alice) == {TEA: 1, OSLO: 0}


async def test_enough_counts_are_written_without_a_recall_that_waits(
    alice: AsyncScoped, memory: AsyncMemory, store: Store, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uses, "ENOUGH", 2)
    watched.gate = anyio.Event()
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    await anyio.wait_all_tasks_blocked()
    assert not watched.batches
    await alice.recall("lives in Oslo", kinds={"fact"}, limit=1)
    await anyio.wait_all_tasks_blocked()
    assert watched.touching == [True]
    watched.gate.set()
    await settled(memory)
    assert await counts(store) == {TEA: 1, OSLO: 1}


async def test_the_counts_of_an_image_that_is_let_go_are_written(watched: Watched, clock: FrozenClock) -> None:
    memory = await opened(watched, clock, hot_bytes=0)
    alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
    await alice.add(says("I like green tea."), conversation="c")
    await alice.recall("green tea", kinds={"preference"})
    watched.batches.clear()
    await bob.recall("green tea")
    await anyio.wait_all_tasks_blocked()
    assert watched.touching == [True]
    await bob.recall("crab")
    await alice.recall("crab")
    await bob.recall("crab")
    assert await counts(watched) == {TEA: 1}
    assert watched.touching == [True]


async def test_an_image_that_is_read_afresh_knows_the_counts(
    alice: AsyncScoped, memory: AsyncMemory, store: Store, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uses, "ENOUGH", 1)
    watched.gate = anyio.Event()
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    await anyio.wait_all_tasks_blocked()
    monkeypatch.setattr(uses, "ENOUGH", 64)
    await alice.recall("lives in Oslo", kinds={"fact"}, limit=1)
    memory._runtime.partitions.forget(OWNER)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(seen, alice)
        await anyio.wait_all_tasks_blocked()
        watched.gate.set()
    assert await seen(alice) == await counts(store) == {TEA: 1, OSLO: 1}
    memory._runtime.partitions.used(("acme", "nobody"), [], MORNING)  # type: ignore[arg-type]
    assert not memory._runtime.partitions.uses._waiting


async def test_a_record_that_was_forgotten_meanwhile_stays_forgotten(
    alice: AsyncScoped, memory: AsyncMemory, store: Store
) -> None:
    found = await alice.recall("green tea", kinds={"preference"}, limit=1)
    await alice.forget(record=found.items[0].id)
    await settled(memory)
    assert await counts(store) == {OSLO: 0}


async def test_counts_that_are_lost_on_closing_are_logged(
    alice: AsyncScoped, memory: AsyncMemory, watched: Watched, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    clock.advance(hours=1)
    await alice.recall("green tea", kinds={"preference"}, limit=1)
    watched.full = True
    await memory.close()
    await memory.close()
    assert caplog.messages == ["2 use(s) of memories not counted: no space is left"]


def test_of_so_many_owners_it_is_known_what_techniques_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "OWNERS", 2)
    tried, owners = uses.Tried(), [Owner("acme", name) for name in ("ada", "bob", "eve")]
    for owner in (*owners[:2], owners[0], owners[2]):
        tried.count(owner, "steps", 2, 1.5, failed=owner == owners[2])
    first, second, third = map(tried.of, owners)
    assert first == {"steps": TechniqueUse(ran=2, helped=2, added=4, milliseconds=3.0)}
    assert second == {}, "who used none for longest goes first"
    assert third["steps"].failed == 1


PROGRAM = """
import sys
from memoranda import Memory

memory = Memory.open(sys.argv[1], embedder="none")
alice = memory.scope(tenant="acme", user="alice")
alice.add([{"role": "user", "content": "I like green tea."}])
alice.recall("green tea", kinds={"preference"})
"""


async def test_a_program_that_ends_without_closing_keeps_the_counts(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    ended = await anyio.run_process([sys.executable, "-c", PROGRAM, str(path)], stderr=subprocess.PIPE)
    assert not ended.stderr
    async with await AsyncMemory.open(path, embedder="none") as memory:
        assert await counts(memory._runtime.store) == {TEA: 1}
