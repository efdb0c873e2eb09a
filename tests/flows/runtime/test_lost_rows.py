"""A row that cannot be stored is lost alone: no row of another owner goes with it, and its owner is told."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import OWNER, rows, says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.prices import Price
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import ContextLog, Event, JobRun, LedgerEntry, Record
from memoranda.core.rows.changes import Add, Applied, Batch, Change, Put, Touch
from memoranda.errors import InputError, LanguageModelError, StoreError, StoreFullError
from memoranda.flows.runtime import journal
from memoranda.flows.upkeep.jobs import failed
from memoranda.ports import Completion, Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

BOB = Owner("globex", "bob")


class Refusing:
    """A store that raises `error` for each batch with a change that is `poison`."""

    def __init__(self, store: Store, poison: Callable[[Change], bool], error: Exception | None = None) -> None:
        self._store = store
        self.poison = poison
        self.error = error or StoreError("this cannot be stored")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        if any(map(self.poison, batch.changes)):
            raise self.error
        return await self._store.apply(batch)


def query(change: Change) -> str:
    """What was asked for, if `change` logs a context."""
    return change.row.query if isinstance(change, Add) and isinstance(change.row, ContextLog) else ""


async def opened(store: Any, clock: FrozenClock | None = None, model: Any = None, **settings: Any) -> AsyncMemory:
    return await AsyncMemory.open(
        store, embedder="none", clock=clock or FrozenClock(), ids=SequentialIds(), language_model=model,
        settings=Settings(**settings),
    )  # fmt: skip


def both(memory: AsyncMemory) -> tuple[AsyncScoped, AsyncScoped]:
    return memory.scope(tenant="acme", user="alice"), memory.scope(tenant="globex", user="bob")


async def asked(memory: AsyncMemory, store: Any, owner: Owner) -> list[str]:
    """The queries that are in an owner's log of contexts."""
    await memory._runtime.journal.settle()
    return [row.query for row in await rows(store, ContextLog, owner)]


@pytest.mark.parametrize("budget", [2**63, 2**64, 10**400])
async def test_a_number_that_no_store_holds_takes_no_rows_of_others_with_it(store: Store, budget: int) -> None:
    memory = await opened(store)
    alice, bob = both(memory)
    await bob.context("ferry")
    with pytest.raises(InputError, match=r"budget is .*; give a whole number of at least 1 and at most 9,223,"):
        await alice.context("crab", budget=budget)
    await bob.context("harbour")
    await alice.context("crab", budget=2**63 - 1)
    assert await asked(memory, store, BOB) == ["ferry", "harbour"]
    assert await asked(memory, store, OWNER) == ["crab"]
    assert (await alice.recall("crab")).degraded == (await bob.recall("ferry")).degraded == ()


@pytest.mark.parametrize("spoilt", [0, 3, 6])
async def test_a_refused_row_is_lost_alone_and_its_owner_is_told(
    store: Store, spoilt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_PAUSE", 60)
    memory = await opened(Refusing(store, lambda change: query(change) == f"crab {spoilt}"))
    alice, bob = both(memory)
    for number in range(7):
        await alice.context(f"crab {number}")
        await bob.context(f"ferry {number}")
    assert await asked(memory, store, OWNER) == [f"crab {number}" for number in range(7) if number != spoilt]
    assert await asked(memory, store, BOB) == [f"ferry {number}" for number in range(7)]
    assert (await bob.recall("ferry")).degraded == (await bob.context("ferry")).degraded == ()
    assert (await alice.recall("crab")).degraded == ("context log: this cannot be stored",)
    assert (await alice.recall("crab")).degraded == (await alice.context("crab")).degraded == ()


async def test_a_store_that_fails_unforeseen_for_one_owner_keeps_no_rows_from_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = DictStore()
    memory = await opened(Refusing(store, lambda change: query(change) == "crab", RuntimeError("a slip")))
    alice, bob = both(memory)
    await alice.context("crab")
    await bob.context("ferry")
    with caplog.at_level(logging.ERROR):
        assert await asked(memory, store, BOB) == ["ferry"]
    assert caplog.messages == ["log rows were lost"]
    assert await asked(memory, store, OWNER) == []


async def test_who_fills_the_queue_crowds_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_WAITING", 6)
    monkeypatch.setattr(journal, "_PAUSE", 60)
    store = DictStore()
    full = Refusing(store, lambda change: query(change).startswith("crab"), StoreFullError("this user's quota"))
    memory = await opened(full)
    alice, bob = both(memory)
    for number in range(8):
        await alice.context(f"crab {number}")
    await bob.context("ferry")
    assert (await bob.recall("ferry")).degraded == ()
    assert await asked(memory, store, BOB) == ["ferry"]
    assert "context log" in (await alice.recall("crab")).degraded[0]
    full.poison = lambda _: False
    await alice.context("the last")
    assert "crab 0" in await asked(memory, store, OWNER)


async def test_only_so_many_owners_are_remembered_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = await opened(Refusing(DictStore(), lambda change: bool(query(change))))
    users = [memory.scope(tenant="acme", user=f"u{number}") for number in range(4)]
    for one in users:
        await one.context("crab")
    monkeypatch.setattr(journal, "_WAITING", 3)
    await memory._runtime.journal.settle()
    assert [len((await one.recall("crab")).degraded) for one in users] == [0, 1, 1, 1]


class Counts:
    """A language model that says it has read so many tokens."""

    name = "test/counts"

    def __init__(self, *tokens: int) -> None:
        self.tokens = list(tokens)

    async def complete(self, _: str, **__: Any) -> Completion:
        return Completion(text='{"queries": ["harbour"]}', tokens_in=self.tokens.pop(0), tokens_out=1)

    async def close(self) -> None:
        pass


async def test_an_entry_of_the_ledger_that_is_refused_takes_no_others_with_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_PAUSE", 60)  # however long four calls take, none of them is told of the trouble yet
    model, prices = Counts(10, 77, 20, 30), {"test/counts": Price(read=1, written=1)}

    def spoilt(change: Change) -> bool:
        return isinstance(change, Add) and isinstance(change.row, LedgerEntry) and change.row.tokens_in == 77

    memory = await opened(Refusing(store, spoilt), model=model, prices=prices)
    alice, bob = both(memory)
    for one in (bob, alice, bob, alice):
        await one.recall("ferry", techniques=["multi_query"])
    await memory._runtime.journal.settle()
    assert [row.tokens_in for row in await rows(store, LedgerEntry, BOB)] == [10, 20]
    assert [row.tokens_in for row in await rows(store, LedgerEntry)] == [30]
    assert (await alice.recall("ferry")).degraded == ("ledger: this cannot be stored",)
    assert (await bob.recall("ferry")).degraded == ()


async def test_what_counts_for_the_tenant_is_told_to_the_next_of_its_users(store: Store) -> None:
    def spoilt(change: Change) -> bool:
        return isinstance(change, Add) and change.row.user == SHARED

    memory = await opened(Refusing(store, spoilt), model=Counts(10), prices={"test/counts": Price(read=1, written=1)})
    alice, bob = both(memory)
    await alice.recall("ferry", techniques=["multi_query"])
    await memory._runtime.journal.settle()
    assert (await bob.recall("ferry")).degraded == ()
    other = memory.scope(tenant="acme", user="eve")
    assert (await other.recall("ferry")).degraded == ("ledger: this cannot be stored",)
    assert (await alice.recall("ferry")).degraded == ()


async def test_counts_of_uses_that_are_refused_spoil_no_further_write(
    clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    store = DictStore()
    memory = await opened(Refusing(store, lambda change: isinstance(change, Touch) and change.kind is Record), clock)
    alice, _ = both(memory)
    await alice.add(says("I like green tea."))
    assert await alice.recall("green tea")
    with pytest.raises(StoreError, match="cannot be stored"):
        await alice.add(says("I live in Oslo."))
    assert (await alice.add(says("I live in Oslo."))).records
    assert caplog.messages == ["uses of 2 memories not counted: this cannot be stored"]


@pytest.mark.parametrize("told", ["half a pair \ud800", "a zero \x00"])
async def test_a_failure_is_recorded_whatever_its_words(store: Store, clock: FrozenClock, told: str) -> None:
    class Fails(Counts):
        async def complete(self, _: str, **__: Any) -> Completion:
            raise LanguageModelError(told)

    memory = await opened(store, clock, Fails())
    alice, bob = both(memory)
    await alice.add(says("These days the greenhouse in Bergen is on me."))
    await memory.consolidate(tenant="acme")
    [event] = await alice.events()
    assert event.attempt is not None
    assert event.attempt.error.endswith(told.replace(told[-1], "\ufffd"))
    await failed(memory._runtime, "decay", OWNER, clock() - timedelta(hours=1), told)
    [run] = await rows(store, JobRun)
    assert run.reason == told.replace(told[-1], "\ufffd")
    assert (await bob.add(says("I live in Oslo."))).records


async def test_writes_at_once_of_which_one_is_refused_are_all_but_one_done(store: Store) -> None:
    def spoilt(change: Change) -> bool:
        return isinstance(change, Add | Put) and isinstance(change.row, Event) and "crab" in change.row.content

    memory = await opened(Refusing(store, spoilt))
    alice, bob = both(memory)
    tried = [alice.add(says(text)) for text in ("The ferry leaves.", "The crab is blue.", "The harbour is small.")]
    done = await asyncio.gather(*tried, bob.add(says("I live in Oslo.")), return_exceptions=True)
    assert [isinstance(one, StoreError) for one in done] == [False, True, False, False]
    assert len(await rows(store, Event)) == 2
