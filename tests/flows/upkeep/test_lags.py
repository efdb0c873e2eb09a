"""How far workers are behind is told also where none ever ran."""

import pytest

from flows.helpers import OWNER, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Attempt
from memoranda.core.rows.changes import Add, Batch
from memoranda.flows.upkeep.lags import Lags, lags
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def test_nothing_is_behind_where_nothing_is(memory: AsyncMemory) -> None:
    assert await lags(memory.runtime, "acme") == Lags()


async def test_what_waits_is_told_though_no_worker_ever_ran(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.add(says("I live in Oslo."), conversation="c1")
    clock.advance(seconds=100)
    await alice.add(says("I have a dog."), conversation="c1")
    clock.advance(seconds=50)
    await alice.add(says("I like tea."), conversation="c2")
    clock.advance(seconds=10)
    assert await lags(memory.runtime, "acme") == Lags(consolidation=60.0, worker=160.0)  # from the end of c1
    assert await lags(memory.runtime, "globex") == Lags()
    await memory.work(tenants=["acme"], once=True)
    assert await lags(memory.runtime, "acme") == Lags()
    clock.advance(minutes=20)  # every five and fifteen minutes a job is due
    assert await lags(memory.runtime, "acme") == Lags(worker=15 * 60.0)
    bob = memory.scope(tenant="acme", user="bob")
    await bob.observe("I live in Rome.")
    clock.advance(minutes=30)
    assert await lags(memory.runtime, "acme") == Lags(consolidation=1_800.0, worker=45 * 60.0)


async def test_a_dead_letter_waits_for_nobody(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    [event] = (await alice.observe("I live in Oslo.")).events
    clock.advance(seconds=30)
    assert (await lags(memory.runtime, "acme")).consolidation == 30.0
    row = Attempt(tenant=OWNER.tenant, user=OWNER.user, event=event, error="x", failed_at=clock())
    await store.apply(Batch(owner=OWNER, changes=(Add(row),)))
    assert (await lags(memory.runtime, "acme")).consolidation == 0.0
