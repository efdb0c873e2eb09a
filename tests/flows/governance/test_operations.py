"""What takes long, as every process knows it: begun once, told of, failed without its process, erased, dropped."""

from typing import Any

import pytest

from flows.helpers import OWNER, rows
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import Operation
from memoranda.core.rows.changes import Batch, Drop, Put
from memoranda.errors import InputError, StoreUnavailableError
from memoranda.flows.governance import operations as flow
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio
GONE = {"detail": "gone"}
SHARES = Owner(OWNER.tenant, SHARED)


def operation(runtime: Runtime, name: str | None = None, request: str = "r", user: str = OWNER.user) -> Operation:
    now = runtime.clock()
    return Operation(
        tenant=OWNER.tenant, user=user, id=runtime.ids(), verb="reembed", name=name, request=request, begun_at=now,
        at=now,
    )  # fmt: skip


async def begun(runtime: Runtime, **told: Any) -> Operation:
    return (await flow.begin(runtime, operation(runtime, **told), GONE))[0]


async def state(runtime: Runtime, row: Operation) -> str | None:
    found = await flow.get(runtime, row.tenant, row.id, GONE)
    return found and found.state


async def test_one_of_a_name_is_begun_once_while_it_goes_on_or_is_done(memory: AsyncMemory) -> None:
    runtime = memory.runtime
    first = await begun(runtime, name="n")
    found, again = await flow.begin(runtime, operation(runtime, "n"), GONE)
    assert (found.id, again) == (first.id, True)
    with pytest.raises(InputError, match="Another request had this name"):
        await flow.begin(runtime, operation(runtime, "n", "other"), GONE)
    await flow.end(runtime, first, state="done", answer={"n": 1})
    found, again = await flow.begin(runtime, operation(runtime, "n"), GONE)
    assert (found.answer, again) == ({"n": 1}, True)
    assert (await begun(runtime)).id != (await begun(runtime)).id  # those without a name are each their own


async def test_a_name_is_free_once_its_operation_has_failed(memory: AsyncMemory, clock: FrozenClock) -> None:
    runtime = memory.runtime
    first = await begun(runtime, name="n")
    await flow.end(runtime, first, state="failed", problem=GONE)
    second = await begun(runtime, name="n", request="other")
    assert second.id != first.id
    clock.advance(seconds=31)
    assert (await begun(runtime, name="n")).id not in {first.id, second.id}


async def test_one_whose_process_says_nothing_has_failed_for_all(memory: AsyncMemory, clock: FrozenClock) -> None:
    runtime = memory.runtime
    row = await begun(runtime)
    clock.advance(seconds=20)
    assert await flow.say(runtime, row)
    clock.advance(seconds=30)
    assert await state(runtime, row) == "running"
    clock.advance(seconds=1)
    [found] = await flow.find(runtime, row.tenant, GONE)
    assert (found.state, found.problem, found.ended_at) == ("failed", GONE, clock())
    assert not await flow.goes_on(runtime, row)  # its process learns of it
    ended = await flow.end(runtime, row, state="done", answer=1)
    assert ended is not None
    assert (ended.state, ended.answer) == ("failed", None)


async def test_while_the_cache_is_down_it_is_taken_for_running(
    memory: AsyncMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any, **__: Any) -> Any:
        raise StoreUnavailableError("The cache is away.")

    runtime = memory.runtime
    row = await begun(runtime)
    monkeypatch.setattr(runtime.leases._cache, "read", away)
    clock.advance(seconds=40)
    assert await state(runtime, row) == "running"
    assert await flow.say(runtime, row)
    clock.advance(hours=1)
    assert await flow.goes_on(runtime, row)  # so its row is written again
    clock.advance(hours=2)
    assert await state(runtime, row) == "running"
    clock.advance(seconds=1)
    assert await state(runtime, row) == "failed"


async def test_who_wants_it_to_break_off_is_heard(memory: AsyncMemory) -> None:
    runtime = memory.runtime
    row = await begun(runtime)
    await flow.stop(runtime, row)
    assert not await flow.say(runtime, row)
    await flow.end(runtime, row, state="cancelled")
    assert await runtime.leases.heard(OWNER, f"operation {row.id}") == {}


async def test_one_whose_row_is_gone_is_none(memory: AsyncMemory, store: Store) -> None:
    runtime = memory.runtime
    row = await begun(runtime)
    await store.apply(Batch(owner=OWNER, changes=(Drop(Operation, (row.id,)),)))
    assert await state(runtime, row) is None
    assert not await flow.goes_on(runtime, row)
    assert await flow.end(runtime, row, state="done") is None


async def test_one_that_ended_as_it_was_looked_at_is_told_as_it_ended(
    memory: AsyncMemory, clock: FrozenClock, store: Store
) -> None:
    runtime = memory.runtime
    row = await begun(runtime)
    await store.apply(Batch(owner=OWNER, changes=(Drop(Operation, (row.id,)),)))
    clock.advance(seconds=31)
    assert await flow.settled(runtime, row, GONE) is None


@pytest.mark.parametrize("target", ["record", "value", "everything"])
async def test_it_goes_with_what_is_forgotten(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, target: str
) -> None:
    runtime = memory.runtime
    [record] = (await alice.observe("I live at 4 Elm Street.")).records
    for user, over in ((OWNER.user, True), (OWNER.user, False), (SHARED, True), (SHARED, False), ("bob", True)):
        row = await begun(runtime, user=user)
        if over:
            await flow.end(runtime, row, state="done", answer={"understood": ["User lives at 4 Elm Street."]})
    told: dict[str, Any] = {"record": {"record": record}, "value": {"value": "Elm Street"}}.get(
        target, {"everything": True}
    )
    whose = memory.scope(tenant="acme", user="alice", whole=True) if target == "everything" else alice
    await whose.forget(**told)
    left = [[one.state for one in await rows(store, Operation, owner)] for owner in (OWNER, SHARES)]
    assert left == [[] if target == "everything" else ["running"], ["running"]]
    assert len(await rows(store, Operation, Owner("acme", "bob"))) == 1


async def test_it_goes_with_words_that_only_it_repeats(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    row = await begun(memory.runtime)
    await flow.end(memory.runtime, row, state="failed", problem={"detail": "Elm Street is no time."})
    await alice.forget(value="Elm Street")
    assert await rows(store, Operation) == []


async def test_it_is_kept_for_a_day_and_longer_while_it_goes_on(
    memory: AsyncMemory, store: Store, clock: FrozenClock
) -> None:
    runtime = memory.runtime
    over, on = await begun(runtime), await begun(runtime)
    await flow.end(runtime, over, state="done")
    for _ in range(25):
        clock.advance(hours=1)
        assert await flow.goes_on(runtime, on)
    assert await state(runtime, over) is None
    await memory.run_job("audit_partitions", tenant="acme")
    assert [one.id for one in await rows(store, Operation)] == [on.id]


async def test_it_is_no_part_of_the_memory(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.observe("I live in Oslo.")
    runtime = memory.runtime
    await store.apply(Batch(owner=OWNER, changes=(Put(operation(runtime)),)))
    kinds = {line.get("kind") async for line in alice.export()}
    assert kinds & {"events", "operations"} == {"events"}
