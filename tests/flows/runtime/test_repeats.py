"""Writes that may be sent again: carried out once, by whichever process, and forgotten with what they wrote."""

from collections.abc import Awaitable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from flows.helpers import OWNER, rows
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import AnsweredCall, Event, Json
from memoranda.core.rows.changes import Add, Batch
from memoranda.errors import ConflictError, InputError
from memoranda.flows.runtime import repeats
from memoranda.flows.runtime.repeats import Mark, once
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


def mark(request: Json = "add") -> Mark:
    return Mark.of("key", "mail-17", request)


async def test_the_row_is_written_with_the_first_write(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    async def break_off() -> Json:
        await alice.observe("I live in Oslo.")
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await once(memory._runtime, OWNER, mark(), break_off)
    [row] = await rows(store, AnsweredCall)
    [event] = await rows(store, Event)
    assert (row.about[:1], row.answer) == ((event.id,), None)
    with pytest.raises(ConflictError, match="its answer is not known"):
        await once(memory._runtime, OWNER, mark(), break_off)
    with pytest.raises(InputError, match="Another request had this name"):
        await once(memory._runtime, OWNER, mark("other"), break_off)


async def test_of_two_processes_one_carries_it_out(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    other = await AsyncMemory.open(store, embedder="hashed", clock=FrozenClock(), ids=SequentialIds("b"))

    async def slowly() -> Json:
        if not await rows(store, AnsweredCall):  # the other one is quicker
            there = other.scope(tenant="acme", user="alice")
            await once(other._runtime, OWNER, mark(), lambda: told(there))
        return await told(alice)

    async def told(scoped: AsyncScoped) -> Json:
        return [*(await scoped.observe("I live in Oslo.")).events]

    answer, again = await once(memory._runtime, OWNER, mark(), slowly)
    [event] = await rows(store, Event)
    assert (answer, again) == ([event.id], True)


async def test_the_answer_of_what_wrote_nothing_is_kept_too(memory: AsyncMemory) -> None:
    answers: list[Json] = [{"n": 1}, {"n": 2}]

    async def work() -> Json:
        return answers.pop(0)

    assert await once(memory._runtime, OWNER, mark(), work) == ({"n": 1}, False)
    assert await once(memory._runtime, OWNER, mark(), work) == ({"n": 1}, True)


async def test_a_long_answer_is_not_kept(memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "_LONGEST", 3)

    async def work() -> Json:
        return "long"

    assert await once(memory._runtime, OWNER, mark(), work) == ("long", False)
    with pytest.raises(ConflictError):
        await once(memory._runtime, OWNER, mark(), work)


async def test_it_falls_with_what_it_wrote(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    async def work() -> Json:
        return [*(await alice.observe("I live at 4 Elm Street.")).events]

    answer, _ = await once(memory._runtime, OWNER, mark(), work)
    assert isinstance(answer, list)
    await alice.forget(source=str(answer[0]))
    assert await rows(store, AnsweredCall) == []


@pytest.mark.parametrize("target", [{"value": "Zanzibar"}, {"everything": True}])
async def test_an_answer_falls_with_whatever_it_shows(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, target: dict[str, Any]
) -> None:
    scope = alice if "value" in target else memory.scope(tenant="acme", user="alice", whole=True)
    goal = await alice.goals.add("See Zanzibar")
    pool = await alice.pools.create("trips", data={"next": "Zanzibar"})
    await once(memory._runtime, OWNER, Mark.of("key", "0", ""), partial(_of, alice.observe("I like tea.")))
    for number, work in enumerate(
        (
            alice.entries.set("draft", "On Zanzibar", conversation="c1"),
            alice.goals.update(goal.id, priority=1),
            alice.pools.write(pool.id, "then", "Zanzibar again"),
            alice.working("c1").set("place", "Zanzibar"),
        ),
        1,
    ):
        await once(memory._runtime, OWNER, Mark.of("key", str(number), ""), partial(_of, work))
    await scope.forget(**target)
    left = [*await rows(store, AnsweredCall), *await rows(store, AnsweredCall, Owner("acme", SHARED))]
    assert "Zanzibar" not in str(left)
    assert len([one for one in left if one.about]) == ("value" in target), "the answer about tea alone stays"


async def _of(work: Awaitable[Any]) -> Json:
    found: Json = plain(await work)
    return found


async def test_an_answer_that_is_a_secret_is_not_kept(memory: AsyncMemory, store: Store) -> None:
    async def work() -> Json:
        return "secret"

    assert await once(memory._runtime, OWNER, mark(), work, keep=False) == ("secret", False)
    assert [one.answer for one in await rows(store, AnsweredCall)] == [None]
    with pytest.raises(ConflictError):
        await once(memory._runtime, OWNER, mark(), work, keep=False)


async def test_what_was_forgotten_meanwhile_gets_no_answer(
    memory: AsyncMemory, alice: AsyncScoped, store: Store
) -> None:
    async def work() -> Json:
        [event] = (await alice.observe("I live at 4 Elm Street.")).events
        await alice.forget(source=event)
        return "4 Elm Street"

    await once(memory._runtime, OWNER, mark(), work)
    assert await rows(store, AnsweredCall) == []


async def test_it_is_kept_for_a_day(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    row = AnsweredCall(tenant="acme", user="alice", id="a", request="r", at=clock())
    await store.apply(Batch(owner=OWNER, changes=(Add(row),)))
    for hours, left in ((23, 1), (2, 0)):
        clock.now += timedelta(hours=hours)
        await memory.run_job("audit_partitions", tenant="acme")
        assert len(await rows(store, AnsweredCall)) == left
