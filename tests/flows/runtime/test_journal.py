"""What every context leaves in the log, and that the log is nobody's burden."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from flows.helpers import OWNER, Contested, everything, rows, says
from memoranda import AsyncMemory, AsyncScoped, Scope, Settings
from memoranda.core.rows import ContextLog, Record, Tombstone
from memoranda.core.rows.changes import Add, Applied, Batch
from memoranda.core.text.fence import fenced
from memoranda.errors import InputError, StoreError, StoreFullError
from memoranda.flows.runtime import journal
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


async def opened(store: Any, **settings: Any) -> AsyncMemory:
    chosen = Settings(**settings)
    return await AsyncMemory.open(store, embedder="none", clock=FrozenClock(), ids=SequentialIds(), settings=chosen)


async def logged(memory: AsyncMemory, store: Store) -> Sequence[ContextLog]:
    await memory._runtime.journal.settle()
    return await rows(store, ContextLog)


class Gated:
    """A store whose writes of the log wait for `gate`, or fail with `error`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.gate = anyio.Event()
        self.error: Exception | None = None
        self.batches: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        if any(isinstance(getattr(change, "row", None), ContextLog) for change in batch.changes):
            self.batches.append(len(batch.changes))
            await self.gate.wait()
            if self.error:
                raise self.error
        return await self._store.apply(batch)


async def test_a_context_leaves_a_row(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I prefer short emails.", "The ferry leaves at noon."), conversation="c1")
    made = await alice.context("When does the ferry leave?", conversation="c2", brings={"tenant": ["Pro plan"]})
    [row] = await logged(memory, store)
    assert (row.query, row.conversation, row.channel) == ("When does the ferry leave?", "c2", "_global")
    assert (row.epoch, row.budget, row.used) == (made.epoch, made.budget, made.used)
    assert row.included == tuple(made.citations.values())
    assert set(row.sections) == {section.name for section in made.sections}
    assert row.sections["tenant"]["brought"] == ["tenant:0"]
    assert not [text for text in ("short emails", "noon", "Pro plan") if text in json.dumps(row.sections)]


async def test_what_was_left_out_is_logged_by_reason(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.add(says(*(f"The ferry to pier {number} is late." for number in range(30))))
    made = await alice.context("ferry pier", budget=400)
    [row] = await logged(memory, store)
    [memories] = [section for section in made.sections if section.name == "memories"]
    out = [name for names in row.sections["memories"]["excluded"].values() for name in names]
    assert out
    assert set(out) <= set(memories.excluded)
    assert set(out) <= row.named


async def test_what_the_host_brings_can_always_be_logged(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    async def down(_: Scope, __: str) -> str:
        raise OSError("half of \ud83d")

    await alice.context("ferry?", brings={"identity": "half \ud83d", "services": {"\ud83d": "\x00"}, "tenant": down})
    [row] = await logged(memory, store)
    assert row.sections["services"]["brought"] == ["services:\ufffd"]
    assert row.degraded == ("tenant: half of \ufffd",)


async def test_a_long_request_is_logged_in_part(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.context("ferry " * 1_000)
    [row] = await logged(memory, store)
    assert len(row.query) == 1_000


@pytest.mark.parametrize(("settings", "whole"), [({"context_log": False}, False), ({}, True)])
async def test_no_row_where_none_is_wanted(settings: dict[str, Any], whole: bool) -> None:
    store = DictStore()
    memory = await opened(store, **settings)
    await memory.scope(tenant="acme", user="alice", whole=whole).context("ferry")
    assert await logged(memory, store) == []


@pytest.mark.parametrize(
    "options", [{"context_log": 1}, {"context_log_rows": 0}, {"counter": 5}, {"provider_seconds": 0}]
)
def test_wrong_settings_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"^{next(iter(options))} is "):
        Settings(**options)


async def test_the_answer_does_not_wait_and_rows_that_wait_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_PAUSE", 60)  # cut short by settling
    store = Gated(DictStore())
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    bob = memory.scope(tenant="acme", user="bob")
    for number in range(4):
        await alice.context(f"ferry {number}")
    await bob.context("crab")
    assert await rows(store, ContextLog) == []
    store.gate.set()
    assert [row.query for row in await logged(memory, store)] == [f"ferry {number}" for number in range(4)]
    assert store.batches == [4, 1]


async def test_closing_writes_what_waits() -> None:
    class Closing(DictStore):
        left: Sequence[ContextLog] = ()

        async def close(self) -> None:
            self.left = await rows(self, ContextLog)
            await super().close()

    store = Closing()
    memory = await opened(store)
    await memory.scope(tenant="acme", user="alice").context("ferry")
    await memory.close()
    assert [row.query for row in store.left] == ["ferry"]


def test_a_row_outlives_the_event_loop_it_waited_in() -> None:
    store = DictStore()
    memory = asyncio.run(opened(store))
    alice = memory.scope(tenant="acme", user="alice")
    for query in ("Who plays chess?", "Where do I live?"):
        asyncio.run(alice.context(query))
    assert [row.query for row in asyncio.run(logged(memory, store))] == ["Who plays chess?", "Where do I live?"]


async def test_a_log_that_cannot_be_written_is_told_once() -> None:
    store = Gated(DictStore())
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    store.error = StoreFullError("no space left")
    store.gate.set()
    assert (await alice.context("ferry")).degraded == ()
    await memory._runtime.journal.settle()
    store.error = None
    assert (await alice.context("ferry")).degraded == ("context log: no space left",)
    assert (await alice.context("ferry")).degraded == ()


async def test_a_row_that_is_refused_holds_up_no_other() -> None:
    store = Gated(DictStore())
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    store.error = StoreError("this cannot be stored")
    store.gate.set()
    await alice.context("ferry")
    await memory._runtime.journal.settle()
    store.error = None
    assert (await alice.context("crab")).degraded == ("context log: this cannot be stored",)
    assert [row.query for row in await logged(memory, store)] == ["crab"]


async def test_a_log_that_cannot_be_written_on_closing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    store = Gated(DictStore())
    memory = await opened(store)
    await memory.scope(tenant="acme", user="alice").context("ferry")
    store.error = StoreFullError("no space left")
    store.gate.set()
    await memory.close()
    assert caplog.messages == ["context log: no space left"]


async def test_what_the_store_would_not_take_is_tried_again_however_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_WAITING", 2)
    store = Gated(DictStore())
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    store.error = StoreFullError("no space left")
    store.gate.set()
    for number in range(3):
        await alice.context(f"ferry {number}")
        assert await logged(memory, store) == []
    store.error = None
    await alice.context("crab")
    writer = memory._runtime.journal._writer
    assert writer is not None
    await writer
    assert [row.query for row in await rows(store, ContextLog)] == ["ferry 0", "ferry 1"]


async def test_a_fault_in_a_store_is_no_trouble_of_the_log() -> None:
    store = Gated(DictStore())
    memory = await opened(store)
    await memory.scope(tenant="acme", user="alice").context("ferry")
    store.error = RuntimeError("a slip")
    store.gate.set()
    writer = memory._runtime.journal._writer
    assert writer is not None
    with pytest.raises(RuntimeError, match="a slip"):
        await writer
    assert memory._runtime.journal.trouble(OWNER) == ()


async def test_a_store_that_stands_still_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_WAITING", 2)
    monkeypatch.setattr(journal, "_PAUSE", 0)
    store = Gated(DictStore())
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    await alice.context("the one being written")
    while not store.batches:
        await anyio.lowlevel.checkpoint()
    told = [(await alice.context(f"ferry {number}")).degraded for number in range(4)]
    assert told[-1] == ("context log: the store does not keep up, a request was not logged",)
    store.gate.set()
    assert len(await logged(memory, store)) == 3


@pytest.mark.parametrize(("times", "kept"), [(3, 1), (20, 0)])
async def test_who_writes_first_is_waited_for(times: int, kept: int) -> None:
    store = DictStore()
    memory = await opened(Contested(store, times))
    alice = memory.scope(tenant="acme", user="alice")
    await alice.context("ferry")
    assert len(await logged(memory, store)) == kept
    assert bool((await alice.context("ferry")).degraded) is not bool(kept)


async def test_the_image_stays_up_to_date(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I live in Oslo."))
    await alice.context("Where do I live?")
    await logged(memory, store)
    image = await memory._runtime.partitions.recent(OWNER)
    assert image.seq == (await store.find(OWNER)).state.seq


async def test_the_oldest_go_when_there_are_too_many(store: Store) -> None:
    memory = await opened(store, context_log_rows=10)
    alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
    kept = []
    for number in range(13):
        await alice.context(f"ferry {number}")
        kept.append([row.query for row in await logged(memory, store)])
    await bob.context("crab")
    assert len(await logged(memory, store)) == len(kept[-1])
    asked = [f"ferry {number}" for number in range(13)]
    assert kept[10:] == [asked[:11], asked[2:12], asked[2:13]]  # a tenth more are let in
    assert (await store.find(OWNER)).state.dropped == 0  # no image is to be read again for that
    assert not await rows(store, Tombstone)


async def test_what_is_dropped_spoils_no_image(store: Store) -> None:
    memory = await opened(store, context_log_rows=1)
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo."))
    image = await memory._runtime.partitions.recent(OWNER)
    for query in ("Where do I live?", "Who plays chess?", "Where do I live?"):
        await alice.context(query)
        await logged(memory, store)
    await alice.add(says("I play chess."))
    now = await memory._runtime.partitions.current(OWNER)
    assert now.index.refs is image.index.refs  # it went on, and was not read afresh


async def test_a_log_that_grew_long_before_shrinks_by_and_by(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_AT_ONCE", 3)
    memory = await opened(store)
    for number in range(8):
        await memory.scope(tenant="acme", user="alice").context(f"ferry {number}")
    assert len(await logged(memory, store)) == 8
    monkeypatch.setattr(memory._runtime.journal, "_keep", 1)
    left = []
    for _ in range(4):
        await memory.scope(tenant="acme", user="alice").context("crab")
        left.append(len(await logged(memory, store)))
    assert left == [6, 4, 2, 1]


# --------------------------------------------------------------------------------------- forgetting, export


async def test_a_request_that_names_what_is_forgotten_goes_with_it(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("The ferry to Bergen leaves at noon."), conversation="c1")
    await alice.context("ferry to Bergen?", conversation="now")
    await alice.context("Who plays chess?", conversation="then")
    receipt = await alice.forget(conversation="c1")
    assert receipt.removed["context_log"] == 1
    assert [row.query for row in await rows(store, ContextLog)] == ["Who plays chess?"]
    assert (await alice.forget(conversation="then")).removed == {"context_log": 1}
    assert await rows(store, ContextLog) == []


async def test_a_request_that_is_a_turn_goes_with_it(alice: AsyncScoped, store: Store) -> None:
    said = "My locker has the number 4711, please keep that to yourself."
    await alice.context(said, conversation="c1")
    captured = await alice.add(says(said), conversation="c1")
    await alice.forget(source=captured.events[0])
    assert await rows(store, ContextLog) == []


async def test_a_request_that_is_a_turn_but_for_its_spelling_goes_with_it(alice: AsyncScoped, store: Store) -> None:
    await alice.context("my locker has the number  4711")
    await alice.context("🎉")  # says nothing, so it tells nothing
    captured = await alice.add(says("My locker has the number 4711."), conversation="c1")
    await alice.forget(source=captured.events[0])
    assert [row.query for row in await rows(store, ContextLog)] == ["🎉"]


@pytest.mark.parametrize("more", ["", " That is a secret." * 80])
async def test_a_request_that_says_what_is_forgotten_is_not_logged(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, more: str
) -> None:
    said = f"My locker has the number 4711.{more}"
    captured = await alice.add(says(said), conversation="c1")
    await alice.forget(source=captured.events[0])
    assert not (await alice.context(said)).degraded
    assert await logged(memory, store) == []


async def test_an_agents_forgetting_tells_nothing_of_what_the_others_ask(memory: AsyncMemory, store: Store) -> None:
    reader, spy = (memory.scope(tenant="acme", user="alice", agent=agent) for agent in ("reader", "spy"))
    await reader.context("What does my locker with the number 4711 hold?")
    captured = await spy.observe("locker with the number 4711")
    assert "context_log" not in (await spy.forget(source=captured.events[0])).removed
    assert [row.agent for row in await rows(store, ContextLog)] == ["reader"]


async def test_a_turn_of_recalled_memory_alone_takes_no_request_along(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says(fenced("The ferry leaves at noon.")), conversation="c1")
    await alice.context("Who plays chess?")
    await alice.forget(source=captured.events[0])
    assert [row.query for row in await rows(store, ContextLog)] == ["Who plays chess?"]


async def test_forgetting_everything_takes_the_log_that_is_seen(memory: AsyncMemory, store: Store) -> None:
    for agent in ("writer", "reader"):
        scope = memory.scope(tenant="acme", user="alice", agent=agent)
        await scope.observe(f"The {agent} is awake")
        await scope.context(f"{agent} awake?")
    await memory.scope(tenant="acme", user="alice", agent="writer").forget(everything=True)
    assert [row.agent for row in await rows(store, ContextLog)] == ["reader"]
    await memory.scope(tenant="acme", user="alice", whole=True).forget(everything=True)
    left = await everything(store)
    assert {name for name, kept in left.items() if kept} == {"tombstones", "receipts"}


async def test_what_was_forgotten_while_a_row_waited_is_not_named_by_it() -> None:
    store = Gated(DictStore())
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("The ferry to Bergen leaves at noon."), conversation="c1")
    mark = Tombstone(
        tenant="acme", user="alice", id=captured.events[0], receipt="r", created_at=memory._runtime.clock()
    )
    await alice.context("ferry to Bergen?")
    await store.apply(Batch(owner=OWNER, changes=(Add(mark),)))
    store.gate.set()
    assert await logged(memory, store) == []


async def test_the_log_is_exported_where_it_is_seen(memory: AsyncMemory, store: Store) -> None:
    agents = {agent: memory.scope(tenant="acme", user="alice", agent=agent) for agent in ("writer", "reader")}
    await agents["writer"].context("Who writes?")
    for agent, scope in agents.items():
        lines = [line async for line in scope.export() if line.get("kind") == "context_log"]
        assert [line["row"]["query"] for line in lines] == ["Who writes?"] * (agent == "writer")
    assert not await rows(store, Record)


async def test_a_fault_that_nobody_foresaw_takes_one_row_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_PAUSE", 60)  # cut short by settling

    class Odd(DictStore):
        async def apply(self, batch: Batch) -> Applied:
            if any(isinstance(one, Add) and getattr(one.row, "query", None) == "crab" for one in batch.changes):
                raise RuntimeError("nobody foresaw this")
            return await super().apply(batch)

    store = Odd()
    memory = await opened(store)
    alice = memory.scope(tenant="acme", user="alice")
    for query in ("ferry", "crab", "chess"):
        await alice.context(query)
    await memory.scope(tenant="acme", user="bob").context("ferry")
    assert [row.query for row in await logged(memory, store)] == ["ferry", "chess"]
