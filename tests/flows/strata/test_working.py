"""Working memory: the window, the summary, keys and notes, what is flushed, and going on while the cache is down."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import Contested, everything, rows, says
from memoranda import AsyncMemory, AsyncScoped, Memory
from memoranda.core.rows import Event, Receipt, Record, WorkingCopy
from memoranda.core.rows.cells import Cell, Content, Place
from memoranda.core.rows.changes import Applied, Batch
from memoranda.core.strata.working import Limits
from memoranda.errors import ConflictError, InputError, NotFoundError, ScopeError, StoreError, StoreUnavailableError
from memoranda.flows.runtime.working_cells import Desks
from memoranda.flows.upkeep.finishing import PENDING
from memoranda.ports import Cache, Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import Async
from memoranda.verbs.working import Working

pytestmark = pytest.mark.anyio

PLACE = Place("acme", "alice", "", "_global", "conversation", "c")


@pytest.fixture(params=["the store's", "redis"])
def cache(request: pytest.FixtureRequest) -> str | None:
    if request.param == "redis":
        server = request.getfixturevalue("redis")
        with server.client() as client:
            client.flushall()
        return f"unix://{server.unix_socket_path}"
    return None


@pytest.fixture
async def memory(store: Store, cache: str | None, clock: FrozenClock) -> AsyncIterator[AsyncMemory]:
    options: dict[str, Any] = {"embedder": "hashed", "clock": clock, "ids": SequentialIds(), "cache": cache}
    async with await AsyncMemory.open(store, **options) as memory:
        yield memory


@pytest.fixture
def desk(alice: AsyncScoped) -> Working[Async]:
    return alice.working("c")


def texts(view: Any) -> list[str]:
    return [turn["content"] for turn in view.turns]


async def test_the_first_turn_and_the_last_ones_are_at_hand(desk: Working[Async]) -> None:
    for number in range(30):
        view = await desk.add(says(f"This is turn {number}."))
    assert texts(view) == ["This is turn 0.", *(f"This is turn {number}." for number in range(11, 30))]
    assert view.waiting == 30
    assert [turn["content"] for turn in await desk.turns(2)] == ["This is turn 28.", "This is turn 29."]
    assert await desk.turns() == view.turns


async def test_what_has_an_id_is_taken_once(desk: Working[Async], store: Store) -> None:
    hello = says("Hello there.", id="m1")
    await desk.add(hello)
    assert (await desk.add([*hello, *says("Bye.")])).waiting == 2
    assert len((await desk.add(hello)).turns) == 2
    await desk.flush()
    await desk.add(hello)
    await desk.flush()
    assert [event.content for event in await rows(store, Event)] == ["Hello there.", "Bye."]


async def test_a_host_hands_in_all_that_was_said_each_time(desk: Working[Async], store: Store) -> None:
    said = [{"role": "user", "content": f"Turn {number}.", "id": f"m{number}"} for number in range(42)]
    await desk.add([*said[:40], said[39]])
    before = (await desk.view()).turns
    await desk.persist()
    assert (await desk.add(said[:40])).turns == before
    assert texts(await desk.add(said)) == ["Turn 0.", *(f"Turn {number}." for number in range(23, 42))]
    await desk.flush()
    assert len(await rows(store, Event)) == 42
    assert len((await desk.add(said)).turns) == 20


async def test_the_summary_is_made_again_every_five_messages(desk: Working[Async]) -> None:
    await desk.add(says("We plan the boat trip to Oslo.", "The boat trip needs a crew.", "Hm.", "Oslo is far by boat."))
    assert (await desk.view()).summary == ""
    view = await desk.add(says("Ann joins the boat trip. Nice!"))
    assert "user: Ann joins the boat trip." in view.summary
    assert len(view.summary.splitlines()) == 5
    for number in range(40):
        view = await desk.add(says(f"The harbour number {number} is full of boats."))
    assert len(view.summary.splitlines()) == 8


async def test_decisions_and_action_items_are_read_by_the_rules(desk: Working[Async]) -> None:
    await desk.add(says("We decided to use PostgreSQL for billing.", "I will send the report to Ann by Friday."))
    view = await desk.view()
    assert view.decisions == ("User decided to use PostgreSQL for billing.",)
    assert view.actions == ("User is going to send the report to Ann by Friday.",)
    await desk.add(says("I decided to buy the red boat."))
    assert (await desk.view()).decisions[1:] == ("User decided to buy the red boat.",)


async def test_of_many_decisions_the_newest_stay(desk: Working[Async]) -> None:
    for number in range(30):
        await desk.add(says(f"I decided to sail to island {number}."))
    before = (await desk.view()).decisions
    assert (len(before), before[-1]) == (20, "User decided to sail to island 29.")
    await desk.persist()
    assert (await desk.view()).decisions == before
    await desk.flush()
    await desk.add(says("I decided to stay at home."))
    await desk.flush()
    resumed = (await desk.resume()).decisions
    assert (len(resumed), resumed[-1]) == (20, "User decided to stay at home.")


async def test_a_key_lasts_as_long_as_it_says(desk: Working[Async], clock: FrozenClock) -> None:
    assert not (await desk.set("draft", {"subject": "Hi", "n": [1, None]})).existed
    await desk.set("soon", "over", ttl=60)
    await desk.set("long", "lasts", ttl=48 * 3600)
    assert await desk.keys() == ("draft", "long", "soon")
    assert await desk.get("draft") == {"subject": "Hi", "n": [1, None]}
    clock.advance(seconds=60)
    assert await desk.get("soon", "none") == "none"
    assert not await desk.exists("soon")
    clock.advance(hours=1)
    assert (await desk.view()).keys == {"long": "lasts"}
    assert (await desk.delete("long")).existed
    assert not (await desk.delete("long")).existed
    await desk.set("gone", 1)
    assert (await desk.set("gone", None)).existed
    assert await desk.keys() == ()


async def test_what_is_at_hand_goes_a_day_after_the_last_activity(desk: Working[Async], clock: FrozenClock) -> None:
    await desk.note("task", {"step": 1})
    clock.advance(hours=23)
    await desk.add(says("Go on."))
    clock.advance(hours=23)
    assert (await desk.view()).task == {"step": 1}
    clock.advance(hours=25)
    view = await desk.view()
    assert (view.task, view.turns, view.waiting) == (None, (), 1)
    assert len((await desk.flush()).events) == 1


async def test_what_waited_for_longer_is_summed_up_all_the_same(
    desk: Working[Async], memory: AsyncMemory, clock: FrozenClock
) -> None:
    await desk.add(says("The boat trip to Oslo is in May."))
    clock.advance(hours=25)
    assert len((await memory.flush_idle(tenant="acme")).summaries) == 1
    assert (await desk.resume()).summary == "user: The boat trip to Oslo is in May."
    await desk.flush()
    await desk.add(says("Ann joins us in Oslo."))
    clock.advance(hours=25)
    assert (await desk.resume()).summary.endswith("user: Ann joins us in Oslo.")


async def test_notes_results_thoughts_and_questions(desk: Working[Async]) -> None:
    await desk.note("task", "fetch")
    assert (await desk.note("task", {"step": 2})).existed
    await desk.note("goal", "Ship version two")
    await desk.note("preferences", ["short posts"])
    await desk.note("results", [1, 2], name="fetch")
    await desk.note("results", {"sum": 3}, name="add")
    await desk.note("tools", {"page": 2}, name="search")
    await desk.note("results", None, name="fetch")
    await desk.push("scratch", "first line")
    await desk.push("scratch", "second line")
    await desk.push("thoughts", "Is Bob at home?")
    await desk.push("thoughts", "Ask Ann.")
    await desk.push("tool_results", {"tool": "search", "hits": 3})
    question = await desk.ask("Delete all posts?")
    view = await desk.view()
    assert (view.task, view.goal, view.preferences) == ({"step": 2}, "Ship version two", ["short posts"])
    assert (view.results, view.tools) == ({"add": {"sum": 3}}, {"search": {"page": 2}})
    assert (view.scratch, view.thoughts) == ("first line\nsecond line", ("Is Bob at home?", "Ask Ann."))
    assert view.tool_results == ({"tool": "search", "hits": 3},)
    assert view.pending == {question: "Delete all posts?"}
    assert await desk.resolve(question) == "Delete all posts?"
    with pytest.raises(NotFoundError, match="Nothing is pending"):
        await desk.resolve(question)
    await desk.note("goal", None)
    await desk.set("k", 1)
    await desk.add(says("I stay."))
    assert (await desk.clear()).existed
    view = await desk.view()
    assert (view.task, view.goal, view.results, view.thoughts, view.keys) == (None, None, {}, (), {})
    assert texts(view) == ["I stay."]
    assert not (await desk.clear()).existed


async def test_of_too_many_items_those_go_first_that_can_be_had_again(desk: Working[Async]) -> None:
    for number in range(20):
        await desk.push("tool_results", number)
        await desk.push("thoughts", number)
    await desk.set("late", 1, ttl=200)
    for number in range(15):
        await desk.set(f"key {number:02}", number, ttl=100)
    view = await desk.view()
    assert (len(view.tool_results), len(view.thoughts), len(view.keys)) == (14, 20, 16)
    assert view.tool_results[0] == 6
    for number in range(40):
        await desk.note("results", number, name=f"step {number}")
    view = await desk.view()
    assert (view.tool_results, view.thoughts, len(view.results), len(view.keys)) == ((), (), 34, 16)
    for number in range(60):
        await desk.set(f"more {number:02}", number, ttl=300 + number)
    view = await desk.view()
    assert (view.results, next(iter(view.keys)), len(view.keys)) == ({}, "more 10", 50)
    await desk.push("tool_results", "the newest stays")
    view = await desk.view()
    assert (view.tool_results, len(view.keys)) == (("the newest stays",), 49)


async def test_questions_and_the_pad_do_not_grow_without_end(desk: Working[Async]) -> None:
    for number in range(60):
        last = await desk.ask(f"Question {number}?")
    pending = (await desk.view()).pending
    assert (len(pending), pending[last], "Question 9?" in pending.values()) == (50, "Question 59?", False)
    await desk.push("scratch", "x" * 600_000)
    with pytest.raises(InputError, match="scratch has more than 1,000,000 characters"):
        await desk.push("scratch", "x" * 600_000)


async def test_a_flush_takes_all_turns_to_the_log_and_sums_up(
    desk: Working[Async], store: Store, alice: AsyncScoped
) -> None:
    await desk.add(says("I live in Oslo.", "I decided to buy the red boat."), surface="widget", metadata={"page": 3})
    await desk.set("draft", 1)
    flushed = await desk.flush()
    events = await rows(store, Event)
    assert [(one.content, one.position, one.surface, one.metadata) for one in events] == [
        ("I live in Oslo.", 0, "widget", {"page": 3}),
        ("I decided to buy the red boat.", 1, "widget", {"page": 3}),
    ]
    assert (flushed.conversations, flushed.events) == (1, tuple(event.id for event in events))
    [summary] = [row for row in await rows(store, Record) if row.kind == "summary"]
    assert flushed.summaries == (summary.id,)
    assert (set(summary.sources), summary.conversation) == (set(flushed.events), "c")
    assert summary.id in [item.id for item in await alice.recall("red boat", kinds=["summary"])]
    view = await desk.view()
    assert (view.turns, view.keys, view.waiting) == ((), {}, 0)
    assert await desk.flush() == type(flushed)()


async def test_what_waits_too_long_goes_to_the_log_before(alice: AsyncScoped, store: Store) -> None:
    desk = alice.working("c")
    await desk.add(says(*(f"I decided to sail to island {number}." for number in range(99))))
    assert await rows(store, Event) == []
    view = await desk.add(says("Go."))
    assert (view.waiting, len(await rows(store, Event)), len(view.decisions)) == (0, 100, 20)
    assert texts(view)[-1] == "Go."
    assert (await desk.flush()).events == ()


async def test_a_conversation_is_resumed_from_its_summary(
    desk: Working[Async], store: Store, clock: FrozenClock
) -> None:
    await desk.add(says("The boat trip to Oslo is in May.", "I decided to buy the red boat."))
    before = (await desk.view()).turns
    assert (await desk.resume()).turns == before
    await desk.flush()
    clock.advance(days=1)
    view = await desk.resume()
    assert view.turns == ()
    assert view.summary == "user: The boat trip to Oslo is in May.\nuser: I decided to buy the red boat."
    assert view.decisions == ("User decided to buy the red boat.",)
    await desk.add(says("The boat is blue, not red, in May."))
    await desk.flush()
    first, second = sorted(
        (row for row in await rows(store, Record) if row.kind == "summary" and row.superseded_at is None),
        key=lambda row: row.valid_from,
    )
    assert (first.valid_to, second.valid_to) == (clock(), None)
    assert len(second.text.splitlines()) == 3
    assert (await desk.resume()).summary == second.text
    await desk.add(says("Ann brings the sails."))
    await desk.flush()
    held = [row for row in await rows(store, Record) if row.kind == "summary" and row.superseded_at is None]
    assert [row.valid_to is None for row in sorted(held, key=lambda row: row.valid_from)].count(True) == 1


async def test_it_is_resumed_from_the_last_summary_whatever_the_clock(alice: AsyncScoped) -> None:
    for name in "abcdef":
        desk = alice.working(name)
        await desk.add(says(f"The boat {name} is red."))
        await desk.flush()
        await desk.add(says(f"The boat {name} is blue."))
        await desk.flush()  # at the same moment, by a clock that is late
        assert "blue" in (await desk.resume()).summary


async def test_what_is_idle_is_flushed(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock, store: Store
) -> None:
    await alice.working("old").add(says("I like tea."))
    await alice.working(run="r").add(says("I like figs."))
    await alice.working(run="r").note("task", "wait")
    await alice.working("keys").set("k", 1)
    clock.advance(minutes=4)
    await alice.working("new").add(says("I like plums."))
    clock.advance(minutes=2)
    flushed = await memory.flush_idle(tenant="acme", user="alice")
    assert (flushed.conversations, len(flushed.events), len(flushed.summaries)) == (1, 2, 1)
    assert (await alice.working("new").view()).waiting == 1
    assert (await alice.working("keys").keys()) == ("k",)
    assert (await alice.working(run="r").view()).task == "wait"
    clock.advance(minutes=6)
    assert (await memory.flush_idle(tenant="other")).events == ()
    assert len((await memory.flush_idle(tenant="acme")).events) == 1
    assert {event.content for event in await rows(store, Event)} == {"I like tea.", "I like figs.", "I like plums."}


async def test_who_cannot_be_flushed_does_not_stop_the_others(clock: FrozenClock) -> None:
    class Refusing(DictStore):
        error: StoreError = StoreError("a name is too long")

        async def apply(self, batch: Batch) -> Applied:
            if batch.owner.user == "bob":
                raise self.error
            return await super().apply(batch)

    store = Refusing()
    async with await AsyncMemory.open(store, embedder="none", clock=clock, cache=DictCache()) as memory:
        for user in ("bob", "alice"):
            await memory.scope(tenant="acme", user=user).working("c").add(says("I like tea."))
            clock.advance(minutes=6)
        flushed = await memory.flush_idle(tenant="acme")
        assert (flushed.conversations, flushed.degraded) == (1, ("conversation 'c' of 'bob': a name is too long",))
        store.error = StoreUnavailableError("the disk is gone")
        with pytest.raises(StoreUnavailableError, match="the disk is gone"):
            await memory.flush_idle(tenant="acme")


async def test_who_comes_back_while_others_are_flushed_is_not_interrupted(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await alice.working("a").add(says("I like tea."))
    await alice.working("b").add(says("I like figs."))
    clock.advance(minutes=6)
    idle = memory._runtime.desks.places

    async def places(*given: Any) -> Any:
        found = await idle(*given)
        await alice.working("b").add(says("Here I am again."))
        return found

    monkeypatch.setattr(memory._runtime.desks, "places", places)
    flushed = await memory.flush_idle(tenant="acme")
    assert (flushed.conversations, len(flushed.events)) == (1, 1)
    assert len((await alice.working("b").view()).turns) == 2


async def test_two_workers_flush_once(store: Store, cache: str | None, clock: FrozenClock) -> None:
    shared = cache or DictCache()
    workers = [
        await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds(prefix), cache=shared)
        for prefix in "ab"
    ]
    desks = [memory.scope(tenant="acme", user="alice").working("c") for memory in workers]
    await asyncio.gather(*(desk.add(says(f"Turn {n} of the boat trip.")) for desk in desks for n in range(6)))
    await asyncio.gather(*(desk.flush() for desk in desks), desks[0].add(says("One more boat.")))
    await asyncio.gather(*(memory.flush_idle(tenant="acme") for memory in workers), *(desk.flush() for desk in desks))
    found = await rows(store, Event)
    assert len(found) == 13
    assert len({event.content for event in found}) == 7
    assert len({(event.position) for event in found}) == 13
    held = [row for row in await rows(store, Record) if row.kind == "summary" and row.superseded_at is None]
    assert len([row for row in held if row.valid_to is None]) == 1
    assert (await desks[0].view()).waiting == 0
    for memory in workers:
        await memory.close()


async def test_working_memory_is_seen_where_it_belongs(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.working("c").set("k", "mine")
    for names in ({"user": "bob"}, {"tenant": "other"}, {"agent": "writer"}, {"channel": "work"}):
        other = memory.scope(**{"tenant": "acme", "user": "alice", **names})
        assert await other.working("c").keys() == ()
        assert (await other.working("c").view()).turns == ()
        await other.working("c").set("k", "theirs")
    assert await alice.working("c").get("k") == "mine"
    assert await alice.working(run="c").keys() == ()
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    with pytest.raises(ScopeError, match="whole=True"):
        await whole.working("c").view()
    with pytest.raises(ScopeError, match="whole=True"):
        await whole.working("c").shared_by("x", "k")
    with pytest.raises(ScopeError, match="of one conversation or one run"):
        await alice.working().view()
    here = memory.scope(tenant="acme", user="alice", conversation="c")
    assert await here.working().get("k") == "mine"
    assert await memory.scope(tenant="acme", user="alice", task="c").working().keys() == ()


async def test_what_came_through_a_connection_is_seen_through_it_alone(
    memory: AsyncMemory, alice: AsyncScoped, store: Store
) -> None:
    jira = memory.scope(tenant="acme", user="alice", connections=["jira"]).working("c")
    view = await jira.add(says("We decided to close ticket 7391.", *5 * ["Close 7391."]), connection="jira")
    assert (len(view.turns), view.summary) == (6, "")
    desk = alice.working("c")
    await desk.add(says("We decided to sail.", "Good."))
    view = await desk.view()
    assert (texts(view), view.decisions) == (["We decided to sail.", "Good."], ("User decided to sail.",))
    assert "7391" not in repr([view, await desk.turns(), [line async for line in alice.export()]])
    await desk.persist()
    assert "7391" not in repr(await rows(store, WorkingCopy))
    assert (await alice.forget(conversation="c")).removed["cells"] > 1
    assert len(await jira.turns()) == 6
    await jira.flush()
    assert "7391" not in repr([row for row in await rows(store, Record) if row.kind == "summary"])


async def test_an_agent_hands_a_key_to_another(memory: AsyncMemory, clock: FrozenClock) -> None:
    a, b, c = (memory.scope(tenant="acme", user="alice", agent=name).working("c") for name in "abc")
    await a.set("finding", {"api": "slow"}, ttl=600)
    assert not (await a.share_with("b", "finding")).existed
    assert (await a.share_with("b", "finding")).existed
    assert await b.shared_by("a", "finding") == {"api": "slow"}
    assert await c.shared_by("a", "finding") is None
    assert await b.shared_by(None, "finding") is None
    with pytest.raises(NotFoundError, match="no key 'none'"):
        await a.share_with("b", "none")
    clock.advance(seconds=599)
    await memory.flush_idle(tenant="acme")
    assert await b.shared_by("a", "finding") == {"api": "slow"}
    clock.advance(seconds=1)
    assert await b.shared_by("a", "finding") is None


async def test_a_run_is_seen_from_every_conversation(alice: AsyncScoped) -> None:
    await alice.working(run="r").note("results", 3, name="sum")
    assert (await alice.working(run="r").view()).results == {"sum": 3}
    await alice.working(run="r").add(says("The run is over."))
    assert (await alice.working(run="r").flush()).summaries == ()
    assert (await alice.working(run="r").resume()).results == {}
    with pytest.raises(InputError, match="run is 'r'; give a conversation or a run, and not both"):
        alice.working("c", run="r")


async def test_what_is_too_long_is_refused(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="more than 1,000,000 characters"):
        await alice.working("c").set("k", "x" * 1_000_000)


async def test_a_copy_is_laid_out_again(desk: Working[Async], clock: FrozenClock, store: Store) -> None:
    with pytest.raises(NotFoundError, match="Nothing was kept of conversation 'c'"):
        await desk.load()
    await desk.add(says("I like tea."))
    await desk.set("short", 1, ttl=60)
    await desk.set("long", 2, ttl=3600)
    await desk.note("task", {"step": 1})
    assert not (await desk.persist()).existed
    assert (await desk.persist()).existed
    await desk.flush()
    await desk.set("other", 3)
    clock.advance(seconds=60)
    view = await desk.load()
    assert (texts(view), view.keys, view.task, view.waiting) == (["I like tea."], {"long": 2}, {"step": 1}, 0)
    await desk.flush()
    assert len(await rows(store, Event)) == 1


async def test_what_was_said_since_the_copy_goes_to_the_log(desk: Working[Async], store: Store) -> None:
    await desk.add(says("One."))
    await desk.persist()
    await desk.add(says("Two."))
    assert texts(await desk.load()) == ["One."]
    await desk.add(says("Three."))
    await desk.flush()
    assert [event.content for event in await rows(store, Event)] == ["One.", "Two.", "Three."]


async def test_working_memory_survives_its_process(tmp_path: Path, clock: FrozenClock) -> None:
    for number in range(3):
        async with await AsyncMemory.open(tmp_path / "memory.db", embedder="none", clock=clock) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            view = await desk.add(says(f"Turn {number}."))
    assert texts(view) == ["Turn 0.", "Turn 1.", "Turn 2."]


# -------------------------------------------------------------------------------------- forgetting and export


HIDDEN = "zanzibar"


async def held(memory: AsyncMemory, store: Store) -> str:
    """All that the store and the cache hold."""
    runtime = memory._runtime
    places = await runtime.desks.places("acme")
    return repr(
        (await everything(store), [await runtime.desks._cache.read(place) for place in places], runtime.desks._copies)
    )


@pytest.fixture
async def told(alice: AsyncScoped) -> Working[Async]:
    """A conversation in which a secret is everywhere."""
    desk = alice.working("c")
    await desk.add(says(f"I decided to sail to {HIDDEN} with Ann.", f"I will call {HIDDEN} by Friday."))
    await desk.flush()
    await desk.add(says(f"I decided to sail from {HIDDEN} to Oslo.", *4 * [f"To {HIDDEN}."]))
    await desk.view()
    await desk.set("draft", HIDDEN)
    await desk.share_with("writer", "draft")
    await desk.note("scratch", HIDDEN)
    await desk.persist()
    return desk


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("target", [{"everything": True}, {"conversation": "c"}])
async def test_nothing_is_left_of_a_conversation_that_was_forgotten(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, target: dict[str, Any]
) -> None:
    await alice.working("other").set("k", 1)
    assert HIDDEN in await held(memory, store)
    receipt = await alice.forget(**target)
    assert receipt.removed["cells"] > 4
    assert HIDDEN not in await held(memory, store)
    assert await alice.working("other").keys() == (() if "everything" in target else ("k",))


async def test_a_source_that_is_forgotten_leaves_the_desk(
    memory: AsyncMemory, alice: AsyncScoped, store: Store
) -> None:
    desk = alice.working("c")
    await desk.add(says("I decided to buy a boat.", "Hello Ann.", f"I decided to sail to {HIDDEN}.", "Bye.", "Yes."))
    await desk.view()
    await desk.persist()
    secret = next(turn["id"] for turn in await desk.turns() if HIDDEN in turn["content"])
    await alice.forget(source=secret)
    assert HIDDEN not in await held(memory, store)
    view = await desk.view()
    assert (len(view.turns), len(view.decisions), len(view.summary.splitlines())) == (4, 1, 4)
    await desk.flush()
    [first] = [row for row in await rows(store, Record) if row.kind == "summary"]
    await desk.add(
        [*says(f"You decided: I decided to sail to {HIDDEN}.", role="assistant"), *says("The boat is blue.")]
    )
    await desk.flush()
    assert HIDDEN not in await held(memory, store)
    said = next(event for event in await rows(store, Event) if event.content == "The boat is blue.")
    await alice.forget(source=said.id)
    assert [row.id for row in await rows(store, Record) if row.kind == "summary" and not row.superseded_at] == [
        first.id
    ]
    assert (await desk.resume()).summary == first.text


async def test_what_was_forgotten_is_handed_in_again(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    desk = alice.working("c")
    secret = says(f"I decided to sail to {HIDDEN}.", id="m1")
    said = [*secret, *says("Hello Ann.", id="m2")]
    await desk.add(said)
    await desk.flush()
    await alice.forget(source=(await rows(store, Event))[0].id)
    assert texts(await desk.add([*said, *says("Bye.", id="m3")])) == ["Hello Ann.", "Bye."]
    await desk.add(secret)
    await desk.add(says(f"I decided to sail to {HIDDEN}.", role="assistant"))  # by the same words
    await desk.view()
    await desk.persist()
    assert texts(await desk.view()) == ["Hello Ann.", "Bye."]
    assert HIDDEN not in await held(memory, store)


@pytest.mark.parametrize(("verb", "reads"), [("flush", 2), ("persist", 2), ("persist", 3)])
async def test_what_another_worker_forgets_in_the_middle_is_not_laid_back(
    memory: AsyncMemory, store: Store, clock: FrozenClock, verb: str, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, left = memory._runtime.desks._cache, [reads]
    options: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds("other"), "cache": cache}
    other = await AsyncMemory.open(store, **options)
    mine, theirs = (one.scope(tenant="acme", user="alice") for one in (memory, other))
    await mine.working("c").add(says(f"I decided to sail to {HIDDEN}."))
    await mine.working("c").note("task", HIDDEN)
    read = cache.read

    async def reading(place: Place) -> Content:
        found = await read(place)
        left[0] -= 1
        if not left[0]:  # the turn is in the log: it is about to leave the desk, or a copy to be made
            await theirs.forget(everything=True)
        return found

    monkeypatch.setattr(cache, "read", reading)
    await getattr(mine.working("c"), verb)()
    assert left[0] < 0
    memory._runtime.desks.forget(mine.scope.owner)
    assert HIDDEN not in await held(memory, store)


@pytest.mark.parametrize("verb", ["load", "resume", "share_with"])
async def test_what_is_forgotten_while_it_is_laid_out_does_not_lie_there(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, cache = alice.working("c"), memory._runtime.desks._cache
    await desk.add(says(f"I decided to sail to {HIDDEN}."))
    await desk.set("draft", HIDDEN)
    if verb == "load":
        await desk.persist()
    if verb != "share_with":
        await desk.flush()
    change, started = memory._runtime.desks.change, list[asyncio.Task[Any]]()

    async def changing(place: Place, plan: Any, **how: Any) -> Any:
        if not started:  # what is to be laid out was read
            started.append(asyncio.create_task(alice.forget(everything=True)))
            if not memory._runtime.partitions.turn(alice.scope.owner).locked():  # nothing keeps it waiting
                await started[0]
        return await change(place, plan, **how)

    monkeypatch.setattr(memory._runtime.desks, "change", changing)
    await getattr(desk, verb)(*(["writer", "draft"] if verb == "share_with" else []))
    await started[0]
    assert await cache.idle("acme", datetime.max.replace(tzinfo=UTC)) == []
    assert HIDDEN not in await held(memory, store)


async def test_keys_alone_can_be_forgotten(alice: AsyncScoped) -> None:
    await alice.working("c").set("k", HIDDEN)
    with pytest.raises(NotFoundError, match="nothing to forget"):
        await alice.forget(conversation="d")
    assert (await alice.forget(conversation="c")).removed == {"cells": 1}
    assert await alice.working("c").keys() == ()


async def test_cells_that_went_are_on_the_receipt_though_somebody_wrote_meanwhile(clock: FrozenClock) -> None:
    store: Any = Contested(DictStore(), 1)
    async with await AsyncMemory.open(store, embedder="none", clock=clock, cache=DictCache()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.working("c").set("k", 1)
        assert (await alice.forget(conversation="c")).removed == {"cells": 1}


def test_the_bytes_are_gone_from_the_file(tmp_path: Path, clock: FrozenClock) -> None:
    def held() -> bool:
        return any(HIDDEN.encode() in path.read_bytes() for path in tmp_path.iterdir())

    with Memory.open(tmp_path / "memory.db", embedder="none", clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        alice.working("c").set("k", HIDDEN)
        assert held()
        alice.forget(conversation="c")
        assert not held()


async def test_an_agent_forgets_only_what_it_sees(memory: AsyncMemory, alice: AsyncScoped) -> None:
    writer = memory.scope(tenant="acme", user="alice", agent="writer")
    await alice.working("c").set("k", 1)
    await writer.working("c").set("k", 2)
    await memory.scope(tenant="acme", user="alice", agent="other").working("c").set("k", 3)
    assert (await writer.forget(everything=True)).removed == {"cells": 2}
    assert [line["row"]["agent"] async for line in alice.export() if line.get("kind") == "cells"] == ["other"]


async def test_an_export_has_what_is_at_hand(alice: AsyncScoped) -> None:
    await alice.working("c").add(says("I like tea."))
    await alice.working("c").set("k", {"a": 1})
    await alice.working("c").persist()
    lines = [line async for line in alice.export()]
    assert [line["kind"] for line in lines[-3:-1]] == ["working_copies", "cells"]
    row = lines[-2]["row"]
    assert (row["name"], row["cells"]["key:k"], row["cells"]["turns"][0]["content"]) == ("c", {"a": 1}, "I like tea.")


# ------------------------------------------------------------------------------------------ the cache is down


class Failing:
    """A cache that can be down."""

    def __init__(self) -> None:
        self.cache: Cache = DictCache()
        self.down = False

    def _check(self) -> None:
        if self.down:
            raise StoreUnavailableError("Redis cannot be reached")

    async def read(self, place: Place) -> Content:
        self._check()
        return await self.cache.read(place)

    async def write(
        self,
        place: Place,
        cells: Mapping[str, Cell | None],
        at: datetime,
        *,
        expect: Mapping[str, str | None] = {},
        keep: timedelta | None = None,
    ) -> None:
        self._check()
        await self.cache.write(place, cells, at, expect=expect, keep=keep)

    async def idle(self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None) -> Any:
        self._check()
        return await self.cache.idle(tenant, before, user=user, limit=limit)

    async def close(self) -> None:
        await self.cache.close()


class Flapping(Failing):
    """A cache that fails now and then, before it has done something or after."""

    def __init__(self, cache: Cache, chance: Random) -> None:
        super().__init__()
        self.cache, self.chance, self.steady = cache, chance, False

    async def read(self, place: Place) -> Content:
        await self._perhaps()
        found = await super().read(place)
        await self._perhaps()
        return found

    async def write(self, *given: Any, **more: Any) -> None:
        await self._perhaps()
        await super().write(*given, **more)
        await self._perhaps()

    async def _perhaps(self) -> None:
        for _ in range(self.chance.randrange(3)):
            await asyncio.sleep(0)
        if not self.steady and self.chance.random() < 0.15:
            raise StoreUnavailableError("now")


async def _flapping(chance: Random) -> None:
    """Two workers and six calls at a time in one conversation, while the cache comes and goes."""
    store, held, clock = DictStore(), DictCache(), FrozenClock()
    caches = [Flapping(held, chance) for _ in range(2)]
    options: dict[str, Any] = {"embedder": "none", "clock": clock}
    workers = [
        await AsyncMemory.open(store, ids=SequentialIds(name), cache=cache, **options)
        for name, cache in zip("ab", caches, strict=True)
    ]
    desks = [memory.scope(tenant="acme", user="alice").working("c") for memory in workers]
    said = list[str]()

    async def talk(who: int) -> None:
        for number in range(6):
            desk = chance.choice(desks)
            match chance.randrange(5):
                case 0:
                    await desk.flush()
                case 1:
                    clock.advance(seconds=chance.randrange(4))
                case _:
                    said.append(f"{who} says {number}.")
                    await desk.add(says(said[-1]))

    await asyncio.gather(*map(talk, range(6)))
    for cache in caches:
        cache.steady = True
    clock.advance(seconds=2)
    for desk in desks * 2:
        await desk.flush()
    events = await rows(store, Event)
    assert sorted(event.content for event in events) == sorted(said)
    assert len({event.position for event in events}) == len(said)
    assert await held.idle("acme", clock() + timedelta(1)) == []
    for memory in workers:
        await memory.close()


class TestWithoutCache:
    async def test_a_conversation_goes_on_and_catches_up(self, store: Store, clock: FrozenClock) -> None:
        cache = Failing()
        options: dict[str, Any] = {"embedder": "none", "clock": clock, "cache": cache}
        mine = await AsyncMemory.open(store, ids=SequentialIds("a"), **options)
        theirs = await AsyncMemory.open(store, ids=SequentialIds("b"), **options)
        here, there = (one.scope(tenant="acme", user="alice").working("c") for one in (mine, theirs))
        await here.add(says("One."))
        await here.set("old", 1)
        thought = await here.ask("Sure?")
        cache.down = True
        view = await here.add(says("Two."))
        assert (texts(view), view.degraded) == (["One.", "Two."], ("working memory: Redis cannot be reached",))
        assert (await here.set("k", "kept")).degraded
        assert (await here.delete("old")).existed
        assert await here.resolve(thought) == "Sure?"
        assert await here.get("k") == "kept"
        cache.down = False
        clock.advance(seconds=1)
        assert (await here.view()).degraded
        assert texts(await there.add(says("Three."))) == ["One.", "Three."]
        clock.advance(seconds=2)
        view = await here.view()
        assert (texts(view), view.degraded, view.keys, view.pending) == (
            ["One.", "Three.", "Two."],
            (),
            {"k": "kept"},
            {},
        )
        assert await there.get("k") == "kept"
        await there.flush()
        assert sorted(event.content for event in await rows(store, Event)) == ["One.", "Three.", "Two."]
        await mine.close()

    async def test_answers_that_are_values_leave_it_to_be_asked(self, clock: FrozenClock) -> None:
        cache = Failing()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            assert (await desk.get("k"), await desk.degraded()) == (None, ())
            cache.down = True
            assert (await desk.get("k"), await desk.degraded()) == (None, ("working memory: Redis cannot be reached",))
            cache.down = False
            clock.advance(seconds=2)
            assert (await desk.get("k"), await desk.degraded()) == (None, ())

    async def test_the_log_is_down(self, clock: FrozenClock) -> None:
        class Down(DictStore):
            down = True

            async def apply(self, batch: Batch) -> Applied:
                if self.down:
                    raise StoreUnavailableError("the disk is gone")
                return await super().apply(batch)

        store = Down()
        async with await AsyncMemory.open(store, embedder="none", clock=clock, cache=DictCache()) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            view = await desk.add(says(*(f"Turn {number}." for number in range(100))))
            assert (view.waiting, view.degraded) == (100, ("log: the disk is gone",))
            store.down = False
            assert (await desk.add(says("One more."))).waiting == 0
            assert len(await rows(store, Event)) == 101

    async def test_it_falls_between_reading_and_writing(self, clock: FrozenClock) -> None:
        class Falling(Failing):
            async def read(self, place: Place) -> Content:
                found = await super().read(place)
                self.down = True
                return found

        options: dict[str, Any] = {"embedder": "none", "clock": clock, "cache": Falling()}
        async with await AsyncMemory.open(DictStore(), **options) as memory:
            view = await memory.scope(tenant="acme", user="alice").working("c").add(says("One."))
            assert (texts(view), len(view.degraded)) == (["One."], 1)

    async def test_what_was_said_goes_to_the_log_all_the_same(self, store: Store, clock: FrozenClock) -> None:
        cache = Failing()
        cache.down = True
        options: dict[str, Any] = {"embedder": "none", "clock": clock, "cache": cache}
        memory = await AsyncMemory.open(store, ids=SequentialIds(), **options)
        alice = memory.scope(tenant="acme", user="alice")
        for number in range(1_200):
            await alice.working(f"c {number}").set("k", number)
        await alice.working("c").add(says("I like tea."))
        assert [event.content for event in await rows(store, Event)] == ["I like tea."]
        flushed = await alice.working("c").flush()
        assert (flushed.events, len(flushed.summaries), len(flushed.degraded)) == ((), 1, 1)
        with pytest.raises(StoreUnavailableError):
            await memory.flush_idle(tenant="acme")
        with pytest.raises(StoreUnavailableError):
            await alice.forget(everything=True)
        assert len(await rows(store, Event)) == 1
        cache.down = False
        clock.advance(seconds=2)
        assert (await alice.working("c").view()).turns == ()
        assert len(await cache.cache.idle("acme", clock() + timedelta(1))) == 1_200

    async def test_what_never_comes_back_ends_with_the_process(self, clock: FrozenClock) -> None:
        cache = Failing()
        memory = await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache)
        cache.down = True
        await memory.scope(tenant="acme", user="alice").working("c").set("k", 1)
        await memory.close()

    async def test_somebody_writes_while_it_catches_up(self, clock: FrozenClock) -> None:
        class Contested(DictCache):
            left = 0

            async def write(self, *given: Any, **more: Any) -> None:
                if self.left:
                    self.left -= 1
                    raise ConflictError("somebody else wrote first")
                await super().write(*given, **more)

        cache, contested = Failing(), Contested()
        cache.cache = contested
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            cache.down = True
            await desk.set("k", 1)
            cache.down, contested.left = False, 3
            clock.advance(seconds=2)
            assert (await desk.view()).degraded == ()
            contested.left = 3
            assert (await desk.set("k", 2)).existed
            contested.left = 10_000
            with pytest.raises(ConflictError, match="without a pause"):
                await desk.set("k", 3)
            assert await desk.get("k") == 2

    async def test_what_another_worker_forgets_meanwhile_stays_away(self, store: Store, clock: FrozenClock) -> None:
        cache = Failing()
        options: dict[str, Any] = {"embedder": "none", "clock": clock}
        mine = await AsyncMemory.open(store, ids=SequentialIds("a"), cache=cache, **options)
        theirs = await AsyncMemory.open(store, ids=SequentialIds("b"), cache=cache.cache, **options)
        desk, alice = (one.scope(tenant="acme", user="alice") for one in (mine, theirs))
        await desk.working("c").add(says(f"I decided to sail to {HIDDEN}."))
        cache.down = True
        await desk.working("c").add(says(*5 * [f"To {HIDDEN}."]))
        await alice.forget(everything=True)
        await desk.working("c").add(says("Hello there."))
        cache.down = False
        clock.advance(seconds=2)
        assert texts(await desk.working("c").view()) == ["Hello there."]
        mine._runtime.desks.forget(desk.scope.owner)
        assert HIDDEN not in await held(mine, store)
        await mine.close()

    async def test_what_the_cache_refuses_is_told_to_whom_it_concerns_alone(self, clock: FrozenClock) -> None:
        class Narrow(Failing):
            async def write(self, *given: Any, **more: Any) -> None:
                if given[0].name == "long":
                    raise StoreError("a name is too long")
                await super().write(*given, **more)

        cache = Narrow()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            long, other = (memory.scope(tenant="acme", user="alice").working(name) for name in ("long", "c"))
            with pytest.raises(StoreError, match="a name is too long"):
                await long.set("k", 1)
            assert not (await other.set("k", 1)).degraded
            cache.down = True
            assert (await long.set("k", 1)).degraded
            assert (await other.set("k", 2)).degraded
            cache.down = False
            clock.advance(seconds=2)
            assert (await other.get("k"), await other.degraded()) == (2, ())
            with pytest.raises(StoreError, match="a name is too long"):
                await long.get("k")
            assert await long.get("k") is None

    async def test_who_cannot_be_read_when_it_is_back_stops_nobody(self, clock: FrozenClock) -> None:
        class Damaged(Failing):
            async def read(self, place: Place) -> Content:
                if not self.down and place.name == "damaged":
                    raise StoreError("this is no hash")
                return await super().read(place)

        cache = Damaged()
        memory = await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache)
        damaged, other = (memory.scope(tenant="acme", user="alice").working(name) for name in ("damaged", "c"))
        cache.down = True
        await damaged.set("k", 1)
        await other.set("k", 2)
        cache.down = False
        clock.advance(seconds=2)
        assert (await other.get("k"), await other.degraded()) == (2, ())
        with pytest.raises(StoreError, match="this is no hash"):
            await damaged.get("k")
        cache.down = True
        await damaged.set("k", 1)
        cache.down = False
        await memory.close()
        assert not cache.cache._open

    async def test_a_list_that_holds_nothing_comes_back_with_it(self, clock: FrozenClock) -> None:
        cache = Failing()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            question = await desk.ask("Sure?")
            cache.down = True
            await desk.set("k", [])
            await desk.note("preferences", [])
            await desk.resolve(question)
            cache.down = False
            clock.advance(seconds=2)
            view = await desk.view()
            assert (view.keys, view.preferences, view.pending, view.degraded) == ({"k": []}, [], {}, ())

    async def test_many_come_when_it_is_back(self, clock: FrozenClock) -> None:
        class Late(Failing):
            async def read(self, place: Place) -> Content:
                await asyncio.sleep(0)
                return await super().read(place)

        cache = Late()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            cache.down = True
            await desk.push("thoughts", "one")
            cache.down = False
            clock.advance(seconds=2)
            views = await asyncio.gather(*(desk.view() for _ in range(3)), desk.push("thoughts", "two"))
            assert [bool(view.degraded) for view in views] == [
                False,
                True,
                True,
                True,
            ]  # who comes second does not wait
            assert (await desk.view()).thoughts == ("one", "two")

    async def test_what_comes_while_it_catches_up_is_kept(self, clock: FrozenClock) -> None:
        class Watched(Failing):
            meanwhile: Any = None

            async def write(self, *given: Any, **more: Any) -> None:
                await super().write(*given, **more)
                if not self.down and self.meanwhile:
                    meanwhile, self.meanwhile = self.meanwhile, None
                    await meanwhile()

        cache = Watched()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            other = Desks(cache, DictStore(), clock, SequentialIds("other"), Limits())
            cache.down = True
            await desk.push("thoughts", "one")
            await desk.set("k", 1)
            cache.down = False

            async def more() -> None:
                assert (await desk.push("thoughts", "two")).degraded
                assert (await desk.delete("k")).degraded
                assert (await desk.delete("never there")).degraded

            theirs = {"id": "x", "value": "theirs"}
            await other.change(PLACE, lambda found: found.add("thoughts", theirs))
            cache.meanwhile = more
            clock.advance(seconds=2)
            assert (await desk.view()).thoughts == ("theirs", "one", "two")
            assert await desk.keys() == ()

    @pytest.mark.parametrize("error", [ConflictError("sent again, and refused"), StoreUnavailableError("no answer")])
    async def test_it_writes_and_its_answer_is_lost(self, clock: FrozenClock, error: Exception) -> None:
        class Mute(DictCache):
            mute = False

            async def write(self, *given: Any, **more: Any) -> None:
                await super().write(*given, **more)
                if self.mute:
                    self.mute = False
                    raise error

        cache = Mute()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            question = await desk.ask("Sure?")
            cache.mute = True
            await desk.push("scratch", "once")
            clock.advance(seconds=2)
            await desk.view()
            cache.mute = True
            assert await desk.resolve(question) == "Sure?"
            clock.advance(seconds=2)
            view = await desk.view()
            assert (view.scratch, view.pending) == ("once", {})

    async def test_forgetting_while_somebody_writes(self, clock: FrozenClock) -> None:
        class Late(DictCache):
            async def write(self, *given: Any, **more: Any) -> None:
                await super().write(*given, **more)
                opened._runtime.desks.forget(given[0].owner)

        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=Late()) as opened:
            desk = opened.scope(tenant="acme", user="alice").working("c")
            assert not (await desk.set("k", 1)).existed
            assert await desk.get("k") == 1

    async def test_what_is_over_does_not_come_back_with_it(self, clock: FrozenClock) -> None:
        cache = Failing()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            desk = memory.scope(tenant="acme", user="alice").working("c")
            cache.down = True
            await desk.push("thoughts", "mine")
            old = {"id": "x", "value": "theirs"}
            theirs = Desks(cache.cache, DictStore(), clock, SequentialIds("other"), Limits())
            await theirs.change(PLACE, lambda found: found.add("thoughts", old))
            clock.advance(hours=25)
            await desk.push("thoughts", "new")
            cache.down = False
            clock.advance(seconds=2)
            assert (await desk.view()).thoughts == ("new",)

    async def test_it_can_be_forgotten_as_soon_as_it_is_back(self, clock: FrozenClock) -> None:
        cache = Failing()
        async with await AsyncMemory.open(DictStore(), embedder="none", clock=clock, cache=cache) as memory:
            alice = memory.scope(tenant="acme", user="alice")
            cache.down = True
            await alice.working("c").set("k", 1)
            with pytest.raises(StoreUnavailableError):
                await memory.flush_idle(tenant="acme")
            cache.down = False
            assert (await alice.forget(everything=True)).removed == {"cells": 1}
            assert (await alice.working("c").view()).degraded == ()

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=20, deadline=None)
    def test_whatever_fails_and_whenever_what_was_said_is_in_the_log_once(self, chance: Random) -> None:
        asyncio.run(_flapping(chance))

    async def test_what_is_kept_here_meanwhile_is_not_replaced_by_what_was_written(self, clock: FrozenClock) -> None:
        class Slow(DictCache):
            falls = False

            async def write(self, *given: Any, **more: Any) -> None:
                await super().write(*given, **more)
                if self.falls:  # another call finds it down before this one has its answer
                    self.falls = False
                    desks._keep(PLACE, {"late": Cell("2", "late")}, clock())

        cache = Slow()
        desks = Desks(cache, DictStore(), clock, SequentialIds(), Limits())
        await desks.change(PLACE, lambda desk: desk.put("first", 0))
        cache.falls = True
        await desks.change(PLACE, lambda desk: desk.put("second", 1))
        assert "late" in desks._copies[PLACE].cells

    async def test_what_is_left_to_forget_is_told_when_it_falls_meanwhile(
        self, clock: FrozenClock, store: Store
    ) -> None:
        class Falling(DictCache):
            falls = True

            async def write(self, *given: Any, **more: Any) -> None:
                if self.falls and given[1].get("said", True) is None:
                    raise StoreUnavailableError("gone")
                await super().write(*given, **more)

        options: dict[str, Any] = {"embedder": "none", "clock": clock, "cache": (cache := Falling())}
        async with await AsyncMemory.open(store, ids=SequentialIds(), **options) as memory:
            alice = memory.scope(tenant="acme", user="alice")
            await alice.working("c").add(says("I like tea."))
            receipt = await alice.forget(everything=True)
            assert (receipt.remains, receipt.verify(), await rows(store, Event)) == ((PENDING,), True, [])
            cache.falls = False
            clock.advance(minutes=5)
            await memory.run_job("promote_short_term", tenant="acme", user="alice")
            assert await memory._runtime.desks.places("acme") == []
            [whole] = await rows(store, Receipt)
            assert (whole.remains, whole.verify(), whole.removed["cells"] > 0) == ((), True, True)

    async def test_nothing_is_exported_when_it_falls_meanwhile(self, clock: FrozenClock, store: Store) -> None:
        class Falling(DictCache):
            down = False

            async def read(self, place: Place) -> Content:
                if self.down:
                    raise StoreUnavailableError("gone")
                return await super().read(place)

        cache = Falling()
        async with await AsyncMemory.open(store, embedder="none", clock=clock, cache=cache) as memory:
            alice = memory.scope(tenant="acme", user="alice")
            await alice.working("c").set("k", 1)
            cache.down = True
            with pytest.raises(StoreUnavailableError, match="Not all can be exported: working memory: gone"):
                [line async for line in alice.export()]
