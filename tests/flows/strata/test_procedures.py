"""Tools and strategies: what is counted, found and suggested, who sees it, and what forgetting leaves of it."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import Contested, Scripted, everything, rows, says
from flows.test_leaks import HOME, STRANGERS
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Event, Record, ToolUse
from memoranda.errors import InputError, MessageError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


async def test_a_call_is_an_event_and_counted(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    call = await alice.tools.record(
        "search_flights", {"to": "Oslo"}, ["SK 4", "DY 6"], latency=0.4, task_type="travel", conversation="c"
    )
    clock.advance(hours=1)
    await alice.tools.record("search_flights", {"to": "Rome"}, success=False, error="timeout", latency=9, task_type="x")
    [one] = await alice.tools.stats()
    assert (one.tool, one.calls, one.successes, one.success_rate) == ("search_flights", 2, 1, 0.5)
    assert (one.last_error, one.failed_at, one.last_used) == ("timeout", clock(), clock())
    assert (one.p50, one.p95) == (pytest.approx(0.4, rel=0.05), pytest.approx(9, rel=0.05))
    assert [one.calls for one in await alice.tools.stats(task_type="travel")] == [1]
    assert await alice.tools.stats(tool="book") == await alice.tools.stats(channel="tidepool") == ()
    [event, _] = await rows(store, Event)
    assert (event.kind, event.trust, event.conversation, event.extraction) == ("tool_call", 0.4, "c", "skipped")
    assert event.metadata["output"] == ["SK 4", "DY 6"]
    newest, first = await alice.tools.calls(tool="search_flights")
    assert (first, newest.error) == (call, "timeout")
    assert await alice.tools.calls(limit=1) == (newest,)
    assert await alice.tools.calls(tool="book") == ()


async def test_a_call_is_found_as_an_episode(alice: AsyncScoped) -> None:
    await alice.tools.record("search_flights", {"to": "Oslo"}, "two flights on Friday")
    found = await alice.recall("Which flights to Oslo on Friday?", kinds=["tool_call"])
    assert [(item.speaker, item.text) for item in found] == [
        ("search_flights", '{"to": "Oslo"} → two flights on Friday')
    ]


async def test_calls_do_not_crowd_out_what_was_said(alice: AsyncScoped) -> None:
    await alice.add(says("My dog is called Rex."))
    for number in range(12):
        await alice.tools.record("search", "the dog Rex", f"{number} pages")
    found = await alice.recall("What is the dog called, Rex?")
    assert [item.kind for item in found].count("tool_call") == 2
    assert "My dog is called Rex." in [item.text for item in found]
    assert any("enough calls of tools" in why for why in found.trace.left_out.values())
    assert len(await alice.recall("What is the dog called, Rex?", kinds=["tool_call"])) > 2
    await alice.entries.log("Walked the dog")
    text = (await alice.context("What can be looked up?")).text
    assert "1 turn since 2026-01-05; 1 fact; 1 log, " in text
    assert "; 1 log, 12 tool calls\n" in text


async def test_what_was_done_does_not_silence_what_was_said(store: Store, clock: FrozenClock) -> None:
    nearness = Scripted(drink=(1.0, 0.0), tea=(0.45, 0.893), page=(0.4, 0.0, 0.917))
    async with await AsyncMemory.open(store, embedder=nearness, clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.add(says("Green tea is my favourite.", "My dog is called Rex."))
        for number in range(60):
            await alice.tools.record("search", f"page {number}")
            await alice.entries.log(f"Read page {number}")
        found = await alice.recall("What do I like to drink?")
        assert "Green tea is my favourite." in [item.text for item in found]
        assert not await alice.recall("What do I like to drink?", kinds=["tool_call", "log"])


async def test_two_who_count_at_once_lose_no_call(store: Store, clock: FrozenClock) -> None:
    ids = SequentialIds()
    contested: Any = Contested(store, 0)
    one = await AsyncMemory.open(contested, embedder="none", clock=clock, ids=ids)
    two = await AsyncMemory.open(store, embedder="none", clock=clock, ids=ids)
    for number in range(6):
        contested.left = number % 2
        scoped = (one, two)[number % 2].scope(tenant="acme", user="alice")
        await scoped.tools.record("search", number)
    [use] = await rows(store, ToolUse)
    assert use.uses == 6


async def test_the_same_words_are_the_same_strategy(alice: AsyncScoped, store: Store) -> None:
    first = await alice.strategies.learn("Book early", "a trip by plane", ["search", "book"], conversation="c")
    again = await alice.strategies.learn("Book early", "a trip by plane", ["phone"], success=False)
    assert (again.id, again.successes, again.failures, again.tools) == (first.id, 1, 1, ("search", "book"))
    better = await alice.strategies.reinforce(first.id, success=True)
    assert (better.successes, better.success_rate) == (2, 0.6)
    assert await alice.strategies.get(first.id) == better
    assert (await alice.strategies.learn("Book early")).id != first.id
    assert [row.version for row in await alice.history(first.id)] == [1, 2, 3]
    assert {event.conversation for event in await rows(store, Event)} == {"c", None}


async def test_the_strategy_that_failed_twice(alice: AsyncScoped) -> None:
    failed = await alice.strategies.learn("Phone the airline to book a flight", tools=["phone"], success=False)
    await alice.strategies.reinforce(failed.id, success=False)
    worked = await alice.strategies.learn("Book online", "somebody needs a flight", ["browser"])
    await alice.strategies.learn("Water the plants at dusk", tools=["can"])
    await alice.tools.record("browser", "book a flight to Oslo", "booked")
    await alice.tools.record("calculator", "2 + 2", 4)
    fits = await alice.strategies.find("book a flight with the airline by phone")
    assert [fit.strategy.id for fit in fits] == [worked.id, failed.id]
    assert fits[1].nearness > fits[0].nearness
    assert (
        await alice.strategies.find("book a flight by phone", limit=1)
        == (await alice.strategies.find("book a flight by phone"))[:1]
    )
    browser, phone = await alice.tools.suggest("book a flight to Oslo")
    assert (browser.tool, phone.tool) == ("browser", "phone")
    assert "1 call(s) like this; in all it succeeded 1 of 1 times" in browser.why
    assert "strategy 'Book online' succeeded 1 of 1 times" in browser.why
    assert (phone.why, phone.success_rate) == (
        "strategy 'Phone the airline to book a flight' failed 2 of 2 times", 0.25,
    )  # fmt: skip


async def test_strategies_and_goals_are_in_the_context(alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Fly to Oslo in May", recall_when=["book flight"])
    known = await alice.strategies.learn("Book online", "somebody needs a flight", ["browser"])
    await alice.add(says("I will book a flight to Oslo next week."))
    made = await alice.context("Please book the flight to Oslo")
    section = next(one for one in made.sections if one.name == "goals")
    assert section.included[goal.id] == "the request brings it up"
    assert section.included[known.id].startswith("succeeded 1 of 1 times")
    assert "Strategy, succeeded 1 of 1 times: Book online (when: somebody needs a flight)" in made.text
    assert made.text.count("Fly to Oslo in May") == 1
    assert {goal.id, known.id} <= set(made.citations.values())
    note = next(one.note for one in (await alice.context("What is a monad?")).sections if one.name == "goals")
    assert note == "no goal, plan or strategy bears on it"


async def test_what_is_forgotten_is_counted_no_more(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    kept = await alice.tools.record("search", "boats", "none", latency=1.0)
    for error in ("Zyxwvut is no harbour on any map", "Zyxwvut again"):
        clock.advance(hours=1)
        gone = await alice.tools.record("search", "harbours", success=False, error=error, conversation="c")
    await alice.tools.record("book", "Zyxwvut", "a berth", conversation="c")
    await alice.forget(source=gone.id)
    assert [(use.calls, use.last_error) for use in await alice.tools.stats(tool="search")] == [
        (2, "Zyxwvut is no harbour on any map")
    ]
    await alice.forget(conversation="c")
    [use] = await alice.tools.stats()
    assert (use.tool, use.calls, use.successes, use.last_error, use.last_used) == ("search", 1, 1, None, kept.at)
    assert "zyxwvut" not in str(await everything(store)).lower()
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.tools.record("search", "harbours", success=False, error="Zyxwvut is no harbour on any map")
    assert (await alice.tools.stats())[0].calls == 1


async def test_a_strategy_is_forgotten_with_what_taught_it(alice: AsyncScoped, store: Store) -> None:
    known = await alice.strategies.learn("Ask the pilot of Zyxwvut", conversation="c")
    await alice.strategies.reinforce(known.id, success=False)
    second = (await rows(store, Event))[-1]
    await alice.forget(source=second.id)
    assert (await alice.strategies.get(known.id)).failures == 0
    await alice.strategies.reinforce(known.id, success=False)
    await alice.forget(record=known.id)
    assert await rows(store, Record) == await rows(store, Event) == []
    assert "zyxwvut" not in str(await everything(store)).lower()
    with pytest.raises(InputError, match="in other words"):
        await alice.strategies.learn("Ask the pilot of Zyxwvut")
    await alice.strategies.learn("Ask the mate of Zyxwvut", conversation="c")
    await alice.forget(conversation="c")
    assert "zyxwvut" not in str(await everything(store)).lower()


async def test_tries_that_are_left_are_counted(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    known = await alice.strategies.learn("Ask the pilot", tools=["phone"])
    for talk, success in (("a", True), ("b", False), ("c", True)):
        clock.advance(hours=1)
        scoped = memory.scope(tenant="acme", user="alice", conversation=talk)
        await scoped.strategies.reinforce(known.id, success=success)
    clock.advance(hours=1)
    await alice.strategies.learn("Ask the pilot", tools=["radio"], conversation="d")
    left = await alice.strategies.get(known.id)
    assert (left.successes, left.failures, left.tools) == (4, 1, ("radio",))
    await alice.forget(conversation="b")
    assert await alice.strategies.get(known.id) == replace(left, failures=0)
    await alice.forget(conversation="d")
    left = await alice.strategies.get(known.id)
    assert (left.successes, left.tools, left.last_used) == (3, ("phone",), clock() - timedelta(hours=1))
    told = [(row.value["successes"], row.superseded_at is None) for row in await alice.history(known.id)]
    assert told == [(1, False), (2, False), (3, True)]
    await alice.strategies.reinforce(known.id, success=False)
    assert (await alice.strategies.get(known.id)).failures == 1


async def test_a_strategy_is_learned_again_when_one_of_its_tries_was_forgotten(alice: AsyncScoped) -> None:
    known = await alice.strategies.learn("Ask the pilot of Zyxwvut")
    await alice.strategies.learn("Ask the pilot of Zyxwvut", conversation="b")
    await alice.forget(conversation="b")
    again = await alice.strategies.learn("Ask the pilot of Zyxwvut")
    assert (again.id, again.successes) == (known.id, 2)


async def test_a_call_that_said_nothing_can_be_forgotten_and_made_again(alice: AsyncScoped) -> None:
    for success in (True, False):
        call = await alice.tools.record("ping", success=success)
        await alice.forget(source=call.id)
        assert (await alice.tools.record("pong", success=success)).success is success


@pytest.mark.parametrize("latency", [-1, 3_601, float("nan"), float("inf"), 10**400, 1e300, True, "1"])
async def test_what_is_no_latency_is_refused(alice: AsyncScoped, latency: Any) -> None:
    with pytest.raises(
        InputError, match=r"latency is .*give (?:seconds, from 0 to 3,600; divide milliseconds|what can|a num)"
    ):
        await alice.tools.record("search", latency=latency)


async def test_the_mean_is_told_beside_the_percentiles(alice: AsyncScoped) -> None:
    for latency in (0.1, 0.1, 0.4, None):
        await alice.tools.record("search", latency=latency)
    [stats] = await alice.tools.stats()
    assert stats.mean == pytest.approx(0.2, rel=0.048)
    assert stats.p50 == pytest.approx(0.1, rel=0.048)
    await alice.tools.record("book")
    [_, silent] = await alice.tools.stats()
    assert (silent.tool, silent.mean) == ("book", None)


async def test_a_call_names_its_turn_and_what_it_was_for(alice: AsyncScoped) -> None:
    [turn] = (await alice.add(says("Which ferry goes to Oslo?"), conversation="c")).events
    made = await alice.tools.record("search", {"to": "OSL"}, ["08:00"], turn=turn, why="book the ferry to Oslo")
    assert (made.turn, made.why) == (turn, "book the ferry to Oslo")
    assert await alice.tools.calls() == (made,)
    assert [one.tool for one in await alice.tools.suggest("book a ferry to Oslo")] == ["search"]
    await alice.forget(value="book the ferry to Oslo")
    assert await alice.tools.calls() == ()
    with pytest.raises(MessageError, match="give a text that is not empty"):
        await alice.tools.record("search", why=" ")


async def test_a_strategy_is_judged_where_it_lies(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    strategy = await alice.strategies.learn("Ask the harbour first")
    cook, other = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("cook", "other"))
    await cook.strategies.reinforce(strategy.id, success=False)
    assert (await other.strategies.get(strategy.id)).failures == 1
    await other.forget(record=strategy.id)
    assert await rows(store, Event) == []


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_stranger_finds_no_procedure(memory: AsyncMemory, store: Store, stranger: str) -> None:
    home = memory.scope(**HOME)
    await home.tools.record("zyx_search", "Zyxwvut", "7391", task_type="travel", connection="jira")
    known = await home.strategies.learn("Ask Zyxwvut", "search", ["zyx_search"])
    before = await everything(store)
    scoped = memory.scope(**STRANGERS[stranger])
    told = [await scoped.tools.calls(), await scoped.tools.stats(), await scoped.tools.suggest("search Zyxwvut 7391")]
    found = await scoped.recall("Zyxwvut")
    unasked = replace(found, trace=replace(found.trace, asked=()))  # these are the asker's own words
    told = [*told, unasked, await scoped.context("search Zyxwvut")]
    inactive = stranger in {"an inactive connection", "another connection"}
    if inactive:  # a strategy is of no connection
        assert [fit.strategy.id for fit in await scoped.strategies.find("search Zyxwvut")] == [known.id]
        assert told[:2] == [(), ()]
        return
    told += [await scoped.strategies.find("search Zyxwvut"), [line async for line in scoped.export()]]
    text = json.dumps(told, default=str).lower()
    assert [word for word in ("zyx", "7391") if word in text.replace("search zyxwvut", "")] == []
    for call in (scoped.strategies.get(known.id), scoped.strategies.reinforce(known.id, success=True)):
        with pytest.raises((NotFoundError, ScopeError)):
            await call
    with pytest.raises(NotFoundError):
        await scoped.forget(record=known.id)
    assert {**await everything(store), "context_log": []} == before


async def test_home_finds_its_procedures(memory: AsyncMemory) -> None:
    home = memory.scope(**HOME)
    await home.tools.record("zyx_search", "Zyxwvut", "7391", connection="jira")
    known = await home.strategies.learn("Ask Zyxwvut", "search", ["zyx_search"])
    for names in (HOME, {"tenant": "acme", "user": "alice", "whole": True}):
        scoped = memory.scope(**names)
        assert (await scoped.tools.stats())[0].tool == (await scoped.tools.suggest("search Zyxwvut"))[0].tool
        assert (await scoped.strategies.get(known.id)) == (await scoped.strategies.find("search Zyxwvut"))[0].strategy
        assert {"tool_uses"} <= {line["kind"] async for line in scoped.export() if "kind" in line}
    with pytest.raises(ScopeError, match="whole=True"):
        await memory.scope(tenant="acme", user="alice", whole=True).tools.record("x")
    assert (await scoped.forget(everything=True)).removed["tool_uses"] == 1
    assert await home.tools.stats() == ()
