"""What models cost is put down to whoever caused it, and with nothing left nothing that costs is asked."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from flows.helpers import OWNER, everything, fails, rows, says
from memoranda import AsyncMemory, Settings
from memoranda.core.base.prices import Price
from memoranda.core.base.retry_policy import Gating
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import ContextLog, LedgerEntry, Spending
from memoranda.core.rows.changes import Applied, Batch
from memoranda.errors import (
    InputError,
    LanguageModelError,
    LanguageModelUnavailableError,
    ScopeError,
    StoreUnavailableError,
)
from memoranda.flows.governance.costs import Spent
from memoranda.flows.runtime.language_models import writer
from memoranda.ports import Call, Completion, Models, Space, Store, Task
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}
TENANT = Owner("acme", SHARED)
PRICES = {
    "test/large": Price(read=1_000, written=10_000),
    "test/small": Price(read=100, written=1_000),
    "test/free": Price(read=0, written=0),
    "test/vectors@1": Price(read=1_000, written=0),
    "test/judge": Price(read=1_000, written=0),
}
SAID = "These days the greenhouse in Bergen is on me."


class Model:
    """A language model that answers the same to everything, or fails."""

    def __init__(self, name: str, *errors: LanguageModelError) -> None:
        self.name = f"test/{name}"
        self.errors = list(errors)
        self.asked = self.closed = 0

    async def complete(self, _: str, **__: Any) -> Completion:
        self.asked += 1
        if self.errors:
            raise self.errors.pop()
        return Completion(text='{"queries": ["harbour"], "facts": []}', tokens_in=100, tokens_out=10)

    async def close(self) -> None:
        self.closed += 1


class Vectors:
    """An embedder elsewhere, and a reranker."""

    space = Space(name="test/vectors@1", dimension=3)
    name = "test/judge"

    def __init__(self) -> None:
        self.asked: list[Sequence[str]] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.asked.append(texts)
        return np.eye(1, 3, dtype=np.float32).repeat(len(texts), axis=0)

    async def rerank(self, _: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.5] * len(texts)

    async def close(self) -> None:
        pass


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


async def opened(
    store: Store, clock: FrozenClock, models: Models | Mapping[Task, Models] = None, **options: Any
) -> AsyncMemory:
    settings = Settings(
        prices=PRICES, counter=len, gating=Gating(attempts=2, first=0.001), **options.pop("settings", {})
    )
    given = {"embedder": "none", **options}
    return await AsyncMemory.open(
        store, clock=clock, ids=SequentialIds(), language_model=models, settings=settings, **given
    )


async def entries(memory: AsyncMemory, store: Store, owner: Owner = OWNER) -> list[LedgerEntry]:
    await memory._runtime.journal.settle()
    return await rows(store, LedgerEntry, owner)


async def test_a_call_is_put_down_with_what_it_was_for(store: Store, clock: FrozenClock) -> None:
    calls: list[Call] = []
    memory = await opened(store, clock, Model("large"), settings={"meter": calls.append})
    alice = memory.scope(**WHOSE, agent="clerk", channel="boats", connections=["jira"])
    told = await alice.add(says(SAID), conversation="c1", connection="jira")
    await memory.consolidate(**WHOSE)
    [entry] = await entries(memory, store)
    assert (entry.what, entry.task, entry.model, entry.about) == ("completion", "extraction", "test/large", told.events)
    assert (entry.tokens_in, entry.tokens_out, entry.cost, entry.at) == (100, 10, pytest.approx(0.2), clock())
    assert (entry.agent, entry.channel, entry.connection) == ("clerk", "boats", "jira")
    assert [call.model for call in calls] == ["test/large"]
    for owner in (OWNER, TENANT):
        spent = {row.period: row.spent for row in await rows(store, Spending, owner)}
        assert spent == dict.fromkeys(("balance", "2026-01-05", "2026-01"), 200_000_000)


async def test_who_differs_in_anything_sees_no_entry(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, embedder=Vectors())
    await memory.scope(**WHOSE, agent="clerk", channel="boats").add(says(SAID))
    seen = {
        name: [line async for line in memory.scope(**{**WHOSE, **more}).export() if line.get("kind") == "ledger"]
        for name, more in {
            "home": {"agent": "clerk", "channel": "boats"}, "whole": {"whole": True}, "agent": {"agent": "cook"},
            "channel": {"agent": "clerk"}, "user": {"user": "bob"}, "tenant": {"tenant": "globex"},
        }.items()
    }  # fmt: skip
    assert {name: len(lines) for name, lines in seen.items() if lines} == {"home": 1, "whole": 1}
    assert (await memory.cost(tenant="globex")).rows == ()
    assert (await memory.cost(tenant="acme", user="bob")).rows == ()
    assert (await memory.budget(tenant="globex", user="alice")).day.spent == 0


async def test_vectors_are_paid_for_once_and_a_context_says_which_it_was(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, embedder=Vectors())
    alice = memory.scope(**WHOSE)
    told = await alice.add(says("The ferry leaves."))
    await alice.context("ferry?")
    await alice.recall("ferry?")  # known by now
    first, second = await entries(memory, store)
    assert (first.what, first.task, first.about, first.tokens_in) == ("embedding", None, told.events, 17)
    [logged] = await rows(store, ContextLog)
    assert (second.about, second.tokens_in, second.cost) == ((logged.id,), 6, pytest.approx(0.006))


async def test_what_runs_here_or_failed_leaves_no_entry(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, Model("large", LanguageModelError("no")), embedder="hashed")
    await memory.scope(**WHOSE).add(says(SAID))
    assert (await memory.consolidate(**WHOSE)).failed == 1
    assert await entries(memory, store) == []


async def test_every_request_that_was_paid_counts(store: Store, clock: FrozenClock) -> None:
    busy = LanguageModelUnavailableError("try later", tokens_in=50)
    memory = await opened(store, clock, Model("large", LanguageModelError("no", tokens_in=5), busy))
    await memory.scope(**WHOSE).add(says(SAID))
    await memory.consolidate(**WHOSE)
    assert [entry.tokens_in for entry in await entries(memory, store)] == [50, 5]


async def test_a_ladder_goes_down_to_rules(store: Store, clock: FrozenClock) -> None:
    large, small = Model("large"), Model("small")
    memory = await opened(store, clock, {"extraction": [large, small]})
    alice = memory.scope(**WHOSE)
    await memory.budget(**WHOSE, day=0.2)
    await alice.add(says(SAID))
    assert (await memory.consolidate(**WHOSE)).degraded == ()
    await alice.add(says("I live in Oslo."))
    done = await memory.consolidate(**WHOSE)  # before that the entry is not even written
    spent = "the user's budget of this day is spent"
    assert done.degraded == tuple(f"language model test/{name}: {spent}" for name in ("large", "small"))
    assert (done.events, done.calls, large.asked, small.asked) == (1, 0, 1, 0)
    clock.advance(days=1)
    await alice.add(says("I live in Rome."))
    assert (await memory.consolidate(**WHOSE)).calls == 1
    await memory.close()
    assert (large.closed, small.closed) == (1, 1)


async def test_a_smaller_model_that_is_free_is_asked(store: Store, clock: FrozenClock) -> None:
    large, free, unknown = Model("large"), Model("free"), Model("unknown")
    memory = await opened(store, clock, {"default": [large, free], "extraction": unknown})
    alice = memory.scope(**WHOSE)
    await alice.add(says("The ferry leaves the harbour."))
    await memory.budget(tenant="acme", balance=0)
    found = await alice.recall("ferry?", techniques=["multi_query"])
    assert found.degraded == ("language model test/large: the tenant's balance is spent",)
    assert "harbour" in found.trace.techniques["multi_query"]
    assert (large.asked, free.asked) == (0, 1)
    assert (await memory.consolidate(**WHOSE)).calls == 1  # nobody can say that it costs too much
    told = await memory.cost(tenant="acme")
    assert {(row.model, row.cost) for row in told.rows} == {("test/free", 0.0), ("test/unknown", None)}
    assert told.unpriced == ("test/unknown",)


async def test_without_a_model_that_can_be_paid_a_technique_says_so(store: Store, clock: FrozenClock) -> None:
    judge = Vectors()
    memory = await opened(store, clock, Model("large"), reranker=judge)
    alice = memory.scope(**WHOSE)
    await alice.add(says("The ferry leaves the harbour."))
    assert (await alice.recall("ferry?", techniques=["rerank"])).degraded == ()
    [entry] = await entries(memory, store)
    assert (entry.what, entry.tokens_in) == ("rerank", 35)
    await memory.budget(**WHOSE, month=0.01)
    found = await alice.recall("ferry?", techniques=["hyde", "rerank"])
    assert found.degraded == (
        "language model test/large: the user's budget of this month is spent",
        "hyde: no language model can be paid",
        "rerank: the user's budget of this month is spent",
    )
    assert len(found.items) == 1


async def test_without_vectors_words_find_it_and_the_vectors_are_made_up_later(
    store: Store, clock: FrozenClock
) -> None:
    embedder = Vectors()
    memory = await opened(store, clock, embedder=embedder)
    alice = memory.scope(**WHOSE)
    await alice.recall("What leaves?")
    await memory.budget(**WHOSE, balance=0)
    told = await alice.add(says("The ferry leaves."))
    assert told.degraded == ("embedder: the user's balance is spent",)
    assert len((await alice.recall("ferry?")).items) == 1
    [problem] = (await alice.recall("What leaves?")).degraded  # its vector is known, the passage has none
    assert problem.startswith("vectors: 1 of 1 passages have none")
    assert len(embedder.asked) == 1
    await memory.budget(**WHOSE, balance=math.inf)
    assert (await memory.reembed(tenant="acme")).embedded == 1


async def test_what_is_shared_is_embedded_at_the_cost_of_the_tenant(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    made = await memory.scope(**WHOSE).collections.create("handbook")
    await memory.scope(**WHOSE).collections.add(made.id, "Ferries leave at six.")
    memory = await opened(store, clock, embedder=Vectors())
    await memory.reembed(tenant="acme", user=SHARED)
    [entry] = await entries(memory, store, TENANT)
    [day] = [row for row in await rows(store, Spending, TENANT) if row.period == "2026-01-05"]
    assert day.spent == round((entry.cost or 0) * 1e9)


async def test_a_failing_embedder_is_not_paid(store: Store, clock: FrozenClock) -> None:
    class Failing(Vectors):
        async def embed(self, texts: Sequence[str]) -> Any:
            return fails(len(texts))

    memory = await opened(store, clock, embedder=Failing())
    await memory.scope(**WHOSE).add(says(SAID))
    assert await entries(memory, store) == []


async def test_costs_are_told_by_day_model_and_task(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, {"default": Model("small"), "extraction": Model("large")})
    for user in ("alice", "bob"):
        await memory.scope(tenant="acme", user=user).add(says(SAID))
    begun = clock()
    await memory.consolidate(tenant="acme")
    clock.advance(days=1)
    await memory.scope(**WHOSE).recall("ferry?", techniques=["multi_query"])
    told = await memory.cost(tenant="acme")
    given = {"what": "completion", "tokens_in": 200, "tokens_out": 20, "calls": 2}
    later = {**given, "tokens_in": 100, "tokens_out": 10, "calls": 1, "day": "2026-01-06", "task": "default"}
    assert told.rows == (
        Spent(day="2026-01-05", task="extraction", model="test/large", cost=pytest.approx(0.4), **given),  # type: ignore[arg-type]
        Spent(model="test/small", cost=pytest.approx(0.02), **later),  # type: ignore[arg-type]
    )
    assert told.total == pytest.approx(0.42)
    assert (await memory.cost(**WHOSE)).total == pytest.approx(0.22)
    assert (await memory.cost(tenant="acme", until=begun)).total == pytest.approx(0.4)
    assert (await memory.cost(tenant="acme", since=begun + timedelta(hours=1))).total == pytest.approx(0.02)


async def test_a_day_is_one_of_utc_whatever_the_clock_shows(store: Store) -> None:
    ahead = FrozenClock(datetime(2026, 1, 5, 5, tzinfo=timezone(timedelta(hours=10))))
    memory = await opened(store, ahead, embedder=Vectors())
    await memory.scope(**WHOSE).add(says("Ferry"))
    assert [row.day for row in (await memory.cost(**WHOSE)).rows] == ["2026-01-04"]


async def test_budgets_are_set_and_read(memory: AsyncMemory) -> None:
    assert (await memory.budget(**WHOSE)).balance.left is None
    await memory.budget(**WHOSE, balance=5, day=0.5)
    found = await memory.budget(**WHOSE, month=10)
    assert (found.balance.left, found.day.left, found.month.left) == (5.0, 0.5, 10.0)
    assert (await memory.budget(**WHOSE, day=math.inf)).day.amount is None
    assert (await memory.budget(tenant="acme")).balance.amount is None
    for wrong in (-1, True, "5", math.nan, 10**400):
        with pytest.raises(InputError, match=r"^month is .*an amount, 0 or more"):
            await memory.budget(**WHOSE, month=wrong)  # type: ignore[arg-type]
    with pytest.raises(ScopeError):
        await memory.budget(tenant="acme", user=SHARED)


async def test_a_balance_that_is_set_anew_forgets_what_was_spent(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, embedder=Vectors())
    await memory.budget(**WHOSE, balance=1)
    await memory.scope(**WHOSE).add(says("Ferry"))
    assert (await memory.budget(**WHOSE)).balance.left == pytest.approx(0.995)
    found = await memory.budget(**WHOSE, balance=2)
    assert (found.balance.left, found.day.spent) == (2.0, pytest.approx(0.005))


class Blinking:
    """A store that is away, `times` times, when what `user` spent is written; or when it was, before it says so."""

    def __init__(self, store: Store, user: str, times: int, *, written: bool = False) -> None:
        self._store, self.user, self.times, self.written = store, user, times, written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        if self.times and batch.owner.user == self.user and "Spending" in repr(batch.changes):
            self.times -= 1
            if self.written:
                await self._store.apply(batch)
            raise StoreUnavailableError("a blip")
        return await self._store.apply(batch)


@pytest.mark.parametrize("user", ["alice", SHARED])
async def test_what_a_store_would_not_take_is_counted_later_and_once(
    store: Store, clock: FrozenClock, user: str
) -> None:
    blinking: Any = Blinking(store, user, 2)
    memory = await opened(blinking, clock, embedder=Vectors(), settings={"audit": "off"})
    await memory.budget(tenant="acme", day=0.005)
    told: list[float] = []
    for text in ("Ferry", "Crab."):
        await memory.scope(**WHOSE).add(says(text))
        await memory._runtime.journal.settle()
        told += [(await memory._runtime.ledger.limits(owner))["day"].spent for owner in (OWNER, TENANT)]
    assert told == [pytest.approx(0.005)] * 4  # of the second nobody could pay the vector
    assert memory._runtime.journal.trouble(OWNER) == ("ledger: a blip",)
    for _ in range(2):
        await memory._runtime.journal.settle()
        assert len(await rows(store, LedgerEntry)) == 1
        for owner in (OWNER, TENANT):
            assert {row.spent for row in await rows(store, Spending, owner)} == {5_000_000}
            assert (await memory._runtime.ledger.limits(owner))["day"].spent == pytest.approx(0.005)
    assert memory._runtime.journal.waiting(LedgerEntry) == []


async def test_what_was_written_before_the_connection_broke_is_counted_once(store: Store, clock: FrozenClock) -> None:
    broken: Any = Blinking(store, "alice", 1, written=True)
    memory = await opened(broken, clock, embedder=Vectors(), settings={"audit": "off"})
    await memory.scope(**WHOSE).add(says("Ferry"))
    for _ in range(2):
        await memory._runtime.journal.settle()
    assert len(await rows(store, LedgerEntry)) == 1
    for owner in (OWNER, TENANT):
        assert {row.spent for row in await rows(store, Spending, owner)} == {5_000_000}


async def test_entries_stay_unless_everything_is_forgotten(store: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock, embedder=Vectors())
    alice = memory.scope(**WHOSE)
    told = await alice.add(says("The ferry leaves.", "The crab is blue."))
    await alice.forget(source=told.events[0])
    assert len(await entries(memory, store)) == 1
    assert (await alice.forget(everything=True)).removed["ledger"] == 1
    left = await everything(store)
    assert {name for name, some in left.items() if some} == {"tombstones", "receipts", "spending"}


async def test_a_model_that_is_paid_for_is_the_one_behind_it(store: Store, clock: FrozenClock) -> None:
    large = Model("large")
    memory = await opened(store, clock, large)
    found = (await writer(memory._runtime, memory.scope(**WHOSE).scope, "review")).model
    assert found is not None
    await found.close()
    assert (found.name, large.closed) == ("test/large", 1)
