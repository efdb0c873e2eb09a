"""A conversation that is idle, consolidated or left open when the program ends keeps its working memory.

Its turns are written and summarised; all else lives until its own time, or for a day after the last activity.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.helpers import rows, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Event, Record
from memoranda.core.rows.cells import Cell, Place
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import Async
from memoranda.verbs.working import Working

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["dict", "sqlite", "postgres", "redis"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> AsyncIterator[AsyncMemory]:
    options: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds()}
    async with AsyncExitStack() as last:
        url: Any = DictStore() if request.param == "dict" else tmp_path / "memory.db"
        if request.param == "postgres":
            server = request.getfixturevalue("postgres")
            url = await PostgresStore.open(server.url, schema=server.emptied())
        if request.param == "redis":
            server = request.getfixturevalue("redis")
            with server.client() as client:
                client.flushall()
            options["cache"] = f"unix://{server.unix_socket_path}"
        yield await last.enter_async_context(await AsyncMemory.open(url, **options))


@pytest.fixture
def desk(alice: AsyncScoped) -> Working[Async]:
    return alice.working("s")


async def fill(desk: Working[Async]) -> str:
    """Put something of each kind into working memory; return the id of the question."""
    await desk.add(says("I decided to sail to Oslo.", "I will buy a map."))
    await desk.set("draft", 1, ttl=86_400)
    await desk.set("short", 2, ttl=60)
    for part, name in (("task", None), ("goal", None), ("preferences", None), ("results", "sum"), ("tools", "search")):
        await desk.note(part, {"step": 2}, name=name)
    for part in ("thoughts", "tool_results", "scratch"):
        await desk.push(part, "the wind is weak")
    return await desk.ask("Sail on Monday?")


async def check(desk: Working[Async], question: str) -> None:
    """That all is there, but for the key that has expired."""
    view = await desk.view()
    assert (view.keys, view.pending) == ({"draft": 1}, {question: "Sail on Monday?"})
    assert view.task == view.goal == view.preferences == view.results["sum"] == view.tools["search"] == {"step": 2}
    assert view.thoughts == view.tool_results == ("the wind is weak",)
    assert (view.scratch, view.waiting, len(view.turns)) == ("the wind is weak", 0, 2)
    assert len(view.decisions) == 1


async def test_an_idle_flush_writes_the_turns_and_leaves_the_rest(
    memory: AsyncMemory, desk: Working[Async], clock: FrozenClock
) -> None:
    question = await fill(desk)
    clock.advance(minutes=6)
    flushed = await memory.flush_idle(tenant="acme")
    assert (flushed.conversations, len(flushed.events), len(flushed.summaries)) == (1, 2, 1)
    assert [row.content for row in await rows(memory._runtime.store, Event)][:2] == [
        "I decided to sail to Oslo.", "I will buy a map.",
    ]  # fmt: skip
    await check(desk, question)
    for _ in range(3):
        clock.advance(minutes=6)
        again = await memory.flush_idle(tenant="acme")
        assert (again.conversations, again.events, again.summaries) == (0, (), ())
    await check(desk, question)


async def test_where_no_turn_waits_an_idle_flush_takes_nothing(
    memory: AsyncMemory, alice: AsyncScoped, desk: Working[Async], clock: FrozenClock
) -> None:
    await desk.set("draft", 1, ttl=86_400)
    await desk.note("task", {"step": 2})
    await alice.working(run="r").note("task", "wait")
    clock.advance(minutes=6)
    ran = await memory.run_job("session_flush", tenant="acme")
    assert (ran.outcome, ran.counts["conversations"]) == ("empty", 0)
    assert (await desk.get("draft"), (await desk.view()).task) == (1, {"step": 2})
    assert (await alice.working(run="r").view()).task == "wait"


async def test_a_day_after_the_last_activity_all_is_gone_but_the_keys_that_last_longer(
    memory: AsyncMemory, desk: Working[Async], clock: FrozenClock
) -> None:
    await fill(desk)
    await desk.set("long", 3, ttl=10 * 86_400)
    for minutes in (6, 600, 800):  # housekeeping is no activity
        clock.advance(minutes=minutes)
        await memory.flush_idle(tenant="acme")
    clock.advance(minutes=34, seconds=-1)
    assert len((await memory._runtime.desks.read(place(desk)))[0].turns(())) == 2
    clock.advance(seconds=1)
    view = await desk.view()
    assert (view.keys, view.task, view.turns, view.pending, view.thoughts) == ({"long": 3}, None, (), {}, ())
    assert (await desk.resume()).summary
    clock.advance(days=9)
    await memory.flush_idle(tenant="acme")
    assert await memory._runtime.desks.places("acme") == []


def place(desk: Working[Async]) -> Place:
    scope = desk.scope
    return Place(scope.tenant, scope.user, "", scope.channel, "conversation", str(scope.conversation))


@pytest.mark.parametrize(
    "verb",
    [
        lambda desk: desk.view(),
        lambda desk: desk.get("draft"),
        lambda desk: desk.exists("draft"),
        lambda desk: desk.keys(),
        lambda desk: desk.turns(),
        lambda desk: desk.resume(),
        lambda desk: desk.set("other", 1),
        lambda desk: desk.add(says("The ferry leaves.")),
        lambda desk: desk.persist(),
    ],
)
async def test_every_call_is_activity(
    memory: AsyncMemory, desk: Working[Async], clock: FrozenClock, verb: Callable[[Working[Async]], Any]
) -> None:
    await desk.note("task", {"step": 2})
    for minutes in (4, 4, 23 * 60):
        clock.advance(minutes=minutes)
        await verb(desk)
    clock.advance(minutes=4)
    await memory.flush_idle(tenant="acme")
    assert (await memory._runtime.desks.read(place(desk)))[0].at == clock() - timedelta(minutes=4)
    clock.advance(hours=23)
    assert (await desk.view()).task == {"step": 2}


async def test_a_context_and_the_router_are_activity(
    memory: AsyncMemory, alice: AsyncScoped, desk: Working[Async], clock: FrozenClock
) -> None:
    await desk.add(says("The ferry leaves."))
    await desk.set("draft", 1)
    here = memory.scope(tenant="acme", user="alice", conversation="s")
    for call in (lambda: alice.context("ferry", conversation="s"), lambda: here.router.read("draft")):
        clock.advance(minutes=4)
        await call()
    clock.advance(minutes=4)
    assert (await memory.flush_idle(tenant="acme")).events == ()


async def test_reading_writes_now_and_then_only(clock: FrozenClock) -> None:
    class Counting(DictCache):
        writes = 0

        async def write(self, place: Place, cells: Mapping[str, Cell | None], *given: Any, **more: Any) -> None:
            self.writes += 1
            await super().write(place, cells, *given, **more)

    cache = Counting()
    memory = await AsyncMemory.open(DictStore(), embedder="none", clock=clock, ids=SequentialIds(), cache=cache)
    desk = memory.scope(tenant="acme", user="alice").working("s")
    await desk.set("draft", 1)
    for _ in range(300):
        clock.advance(seconds=1)
        await desk.get("draft")
        await desk.view()
    assert cache.writes == 11
    assert await memory.scope(tenant="acme", user="alice").working("new").keys() == ()
    assert cache.writes == 11, "where nothing lies, nothing is written"


async def test_consolidating_in_the_middle_of_a_conversation_leaves_it(
    memory: AsyncMemory, alice: AsyncScoped, desk: Working[Async], clock: FrozenClock
) -> None:
    question = await fill(desk)
    clock.advance(minutes=2)
    done = await alice.router.consolidate("s")
    assert (done.turns, done.summaries) == (2, 1)
    await check(desk, question)
    await desk.add(says("The harbour is small."))
    assert [(await alice.router.consolidate("s")).turns for _ in range(2)] == [1, 0]
    assert len(await rows(memory._runtime.store, Event)) == 3


async def test_what_waited_for_days_is_written_and_a_key_that_lasts_stays(
    desk: Working[Async], memory: AsyncMemory, clock: FrozenClock
) -> None:
    await fill(desk)
    await desk.set("long", 3, ttl=10 * 86_400)
    clock.advance(days=3)
    assert "Oslo" in (await desk.resume()).summary
    assert await desk.keys() == ("long",)
    assert len(await rows(memory._runtime.store, Event)) == 2


async def test_closing_a_conversation_clears_it(memory: AsyncMemory, desk: Working[Async]) -> None:
    await fill(desk)
    flushed = await desk.flush()
    assert (flushed.conversations, len(flushed.events)) == (1, 2)
    view = await desk.view()
    assert (view.keys, view.task, view.turns, view.pending, view.waiting) == ({}, None, (), {}, 0)
    assert [row.kind for row in await rows(memory._runtime.store, Record)].count("summary") == 1


async def test_closing_the_memory_loses_nothing_of_a_file(tmp_path: Path, clock: FrozenClock) -> None:
    options: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds()}
    async with await AsyncMemory.open(tmp_path / "memory.db", **options) as memory:
        question = await fill(memory.scope(tenant="acme", user="alice").working("s"))
    clock.advance(minutes=6)
    async with await AsyncMemory.open(tmp_path / "memory.db", **options) as memory:
        desk = memory.scope(tenant="acme", user="alice").working("s")
        assert (await desk.view()).waiting == 2
        clock.advance(minutes=6)
        await memory.flush_idle(tenant="acme")
        await check(desk, question)
