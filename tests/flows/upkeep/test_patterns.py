"""Episodes with a common theme become one pattern, which grows, stands for them in answers, and falls with them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from flows.helpers import OWNER, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Record
from memoranda.core.base.scope import Owner, Scope
from memoranda.flows.consolidation import lessons
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.upkeep.patterns import Patterned, patterns
from memoranda.ports import Query, Store, Where
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

TEA = [
    "Made a pot of green tea again this morning",
    "Drank green tea while reading the news",
    "The green tea from the market was bitter",
    "Had two cups of green tea after lunch",
    "Ran out of green tea, a new tin is there",
    "Another green tea before the meeting",
    "Green tea with lemon at the harbour",
]
OTHER = [
    "The printer is out of paper",
    "Watched a film about penguins",
    "My neighbour's dog barked all night",
    "Thanks!",
]


async def told(scoped: AsyncScoped, clock: FrozenClock, *said: str, **more: Any) -> list[str]:
    """The events of some turns, a day apart."""
    found: list[str] = []
    for text in said:
        found += (await scoped.add(says(text), **more)).events
        clock.advance(days=1)
    return found


async def run(scoped: AsyncScoped) -> Patterned:
    return await patterns(scoped._runtime, scoped.scope.tenant, scoped.scope.user)


async def current(scoped: AsyncScoped) -> list[Record]:
    """The patterns that are believed."""
    partition = await scoped._runtime.partitions.current(scoped.scope.owner)
    return [one for one in partition.records.values() if one.kind == "pattern"]


async def test_five_episodes_of_a_theme_are_a_pattern(alice: AsyncScoped, clock: FrozenClock) -> None:
    events = await told(alice, clock, *TEA[:2], *OTHER, *TEA[2:5])
    done = await run(alice)
    [found] = await current(alice)
    assert (done.founded, done.extended, done.episodes, done.reason) == ((found.id,), (), 8, None)
    assert {*found.sources} == {*events[:2], *events[6:]}
    assert found.text.startswith("User often speaks of green, tea: 5 times since January 2026: “")
    assert (found.importance, found.certainty, found.confidence, found.trust) == (0.85, "inferred", 0.7, 0.7)
    assert (found.value, found.source) == ({"theme": ["green", "tea"], "times": 5}, "system_learned")
    again = await run(alice)
    assert (again.founded, again.extended, again.episodes) == ((), (), 3)
    assert again.reason == "no theme has enough new episodes, and no conversation went well since"
    assert await current(alice) == [found]
    assert "User often speaks of green" in (await alice.profile()).narrative
    assert (await alice.profile()).plain()["patterns"].startswith("User often")


async def test_without_vectors_a_theme_is_told_by_words(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    scoped = memory.scope(tenant="acme", user="alice")
    await told(scoped, clock, *TEA[:5], *OTHER)
    [found] = (await run(scoped)).founded
    assert [one.id for one in await current(scoped)] == [found]


async def test_four_are_none_and_nothing_is_told(alice: AsyncScoped, clock: FrozenClock) -> None:
    assert (await run(alice)).reason == "there are no episodes"
    await told(alice, clock, *TEA[:4], *OTHER)
    assert (await run(alice)).founded == ()


async def test_what_means_something_is_no_episode(alice: AsyncScoped, clock: FrozenClock) -> None:
    await told(
        alice, clock, *(f"I prefer green tea from {town}." for town in ("Oslo", "Bergen", "Rome", "Paris", "Bonn"))
    )
    await alice.add(says(*TEA[:5], role="assistant"))
    assert (await run(alice)).episodes == 0


async def test_observations_are_episodes_and_their_records_leave_with_them(
    alice: AsyncScoped, clock: FrozenClock
) -> None:
    for text in TEA[:5]:
        await alice.observe(text, category="diary")
        clock.advance(days=1)
    [name] = (await run(alice)).founded
    found = await alice.recall("How is the green tea?")
    assert [item.id for item in found if "green tea" in item.text.lower()] == [name]
    left = [why for why in found.trace.left_out.values() if name in why]
    assert len(left) >= 5
    assert len(await alice.recall("How is the green tea?", kinds=["observation"])) >= 5


async def test_questions_are_asked(alice: AsyncScoped, clock: FrozenClock) -> None:
    await told(
        alice, clock, *(f"Is green tea good for {what}?" for what in ("sleep", "skin", "teeth", "bones", "mood"))
    )
    await run(alice)
    assert (await current(alice))[0].text.startswith("User often asks about good, green, tea")


async def test_more_of_the_same_extends_it(alice: AsyncScoped, clock: FrozenClock, store: Store) -> None:
    first = await told(alice, clock, *TEA[:5])
    [old] = (await run(alice)).founded
    alice._runtime.partitions.used(OWNER, [old], clock())
    more = await told(alice, clock, *TEA[5:])
    done = await run(alice)
    [found] = await current(alice)
    assert (done.founded, done.extended) == ((), (found.id,))
    assert (found.supersedes, found.access_count, {*found.sources}) == (old, 1, {*first, *more})
    assert ": 7 times since" in found.text
    assert [row.id for row in await alice.history(found.id)] == [old, found.id]
    await alice.forget(source=more[0])
    assert [one.id for one in await current(alice)] == [old]
    assert "Another green tea" not in str([row.text for row in await rows(store, Record)])
    assert (await run(alice)).extended == ()  # six are not a quarter more than five
    late = await told(alice, clock, "A fresh green tea after lunch.")
    assert len((await run(alice)).extended) == 1
    await alice.forget(source=first[0])
    assert await current(alice) == []
    [new] = (await run(alice)).founded
    assert {*(await current(alice))[0].sources} == {*first[1:], more[1], *late}
    for name in (first[1], late[0]):
        await alice.forget(source=name)
    assert await current(alice) == []
    assert (await run(alice)).founded == ()
    assert new


async def test_a_pattern_that_is_rejected_stays_away(alice: AsyncScoped, clock: FrozenClock, store: Store) -> None:
    await told(alice, clock, *TEA[:5])
    [name] = (await run(alice)).founded
    await alice.review.reject(name)
    assert [item for item in await alice.recall("How is the green tea?") if item.kind == "pattern"] == []
    assert len(await alice.recall("How is the green tea?")) > 1  # its episodes answer by themselves again
    await told(alice, clock, *TEA[5:], *TEA[:5])
    assert ((await run(alice)).founded, (await run(alice)).extended) == ((), ())
    assert [one.status for one in await current(alice)] == ["rejected"]
    [verdict] = [one for one in await rows(store, Event) if one.kind == "review"]
    await alice.forget(source=verdict.id)
    assert [one.status for one in await current(alice)] == ["candidate"]
    assert (await run(alice)).extended


async def test_its_episodes_leave_the_answer_and_stay_in_the_log(alice: AsyncScoped, clock: FrozenClock) -> None:
    events = await told(alice, clock, *TEA[:5])
    before = await alice.recall("How is the green tea?")
    assert {*events} & {item.id for item in before}
    [name] = (await run(alice)).founded
    found = await alice.recall("How is the green tea?")
    assert [item.id for item in found] == [name]
    assert "stands for it" in (await alice.why("How is the green tea?", events[0])).verdict
    context = await alice.context("How is the green tea?")
    assert name in context.citations.values()
    assert not {*events} & {*context.citations.values()}
    assert {item.id for item in await alice.recall("green tea", kinds=["turn"])} == {*events}
    assert {*events} & {item.id for item in await alice.recall("green tea in January 2026?")}
    assert {*events} & {item.id for item in await alice.recall("green tea", since=clock().replace(year=2025))}


async def test_a_theme_is_no_larger_than_a_year_and_sixty_four(alice: AsyncScoped, clock: FrozenClock) -> None:
    await told(alice, clock, *(f"Green tea number {number}" for number in range(70)))
    await run(alice)
    assert sorted(len(one.sources) for one in await current(alice)) == [6, 64]
    clock.advance(days=200)
    await told(alice, clock, *TEA[:2])
    await run(alice)
    assert sorted(len(one.sources) for one in await current(alice)) == [8, 64]
    clock.advance(days=300)
    await told(alice, clock, *TEA[:4])
    assert (await run(alice)).extended == ()


async def test_two_themes_do_not_run_into_one(alice: AsyncScoped, clock: FrozenClock) -> None:
    staging = [
        f"Staging {what}" for what in ("broke again", "certificate expired", "deploy broke", "build broke", "broke")
    ]
    for tea, work in zip(TEA, staging, strict=False):
        await told(alice, clock, tea, work)
    assert len((await run(alice)).founded) == 2
    assert all(("Staging" in one.text) != ("tea" in one.text) for one in await current(alice))


async def test_a_pattern_lies_where_its_episodes_do(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    planner = memory.scope(tenant="acme", user="alice", agent="planner")
    await told(alice, clock, *TEA[:3])
    await told(planner, clock, *TEA[3:])
    assert (await run(alice)).founded == ()
    work = memory.scope(tenant="acme", user="alice", agent="planner", channel="ship", connections=("jira",))
    await told(work, clock, *TEA[:5], connection="jira")
    await run(alice)
    [found] = await current(alice)
    assert (found.agent, found.channel, found.connection) == ("planner", "ship", "jira")
    assert len(await work.recall("green tea", kinds=["pattern"])) == 1
    for scoped in (alice, planner, memory.scope(tenant="acme", user="bob")):
        assert len(await scoped.recall("green tea", kinds=["pattern"])) == 0


async def test_a_run_is_of_the_whole_tenant_or_one_user(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    bob = memory.scope(tenant="acme", user="bob")
    other = memory.scope(tenant="other", user="alice")
    for scoped in (alice, bob, other):
        await told(scoped, clock, *TEA[:5])
    await alice.pools.create("trip", data={"budget": 1})
    assert len((await run(bob)).founded) == 1
    assert await current(alice) == []
    assert len((await patterns(alice._runtime, "acme")).founded) == 1
    assert await current(other) == []


async def test_it_is_a_job(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    assert (await memory.run_job("patterns", tenant="acme", user="alice")).outcome == "empty"
    await told(alice, clock, *TEA[:5])
    ran = await memory.run_job("patterns", tenant="acme", user="alice")
    assert (ran.outcome, ran.counts["founded"]) == ("done", 1)


async def test_a_trend_stands_for_nothing(alice: AsyncScoped, clock: FrozenClock) -> None:
    events = await told(alice, clock, *TEA[:5])
    [name] = (await run(alice)).founded
    partition = await alice._runtime.partitions.current(OWNER)
    partition.records.put(name, replace(partition.records[name], editor="trends"))
    assert {*events} & {item.id for item in await alice.recall("How is the green tea?")}
    assert (await run(alice)).episodes == 5


async def test_an_episode_that_is_gone_meanwhile_makes_none(
    alice: AsyncScoped, clock: FrozenClock, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await told(alice, clock, *TEA[:5])

    async def gone(*asked: Any) -> list[None]:
        return [None for _ in asked[-1]]

    monkeypatch.setattr(store, "get", gone)
    assert (await run(alice)).founded == ()


async def test_the_same_episodes_make_the_same_pattern() -> None:
    made = []
    for _ in range(2):
        async with await AsyncMemory.open(
            ":memory:", clock=FrozenClock(), ids=SequentialIds(), embedder="hashed"
        ) as memory:
            scoped = memory.scope(tenant="acme", user="alice")
            await scoped.add(says(*TEA, *OTHER))
            await run(scoped)
            made.append([(one.id, one.text, one.sources) for one in await current(scoped)])
    assert made[0] == made[1] != []
    assert made[0][0][1].startswith("User often")


# -------------------------------------------------------------------------------------- strategies


async def talked(scoped: AsyncScoped, conversation: str, *, success: bool = True, connection: str | None = None) -> str:
    """A conversation with calls of tools, of which something came; answers the id of the outcome."""
    await scoped.add(says("Book me a ferry to Oslo"), conversation=conversation)
    for tool in ("search", "search", "book"):
        await scoped.tools.record(tool, {"to": "Oslo"}, "ok", conversation=conversation, connection=connection)
    await scoped.tools.record("pay", {}, success=False, conversation=conversation, connection=connection)
    event = (await scoped.add(says("Well, take that one"), conversation=conversation)).events[0]
    return (await scoped.outcomes.record(event, f"What came of {conversation}", success=success)).event


async def test_a_conversation_that_went_well_teaches_a_strategy_once(alice: AsyncScoped, store: Store) -> None:
    await talked(alice, "bad", success=False)
    assert (await run(alice)).strategies == ()
    outcome = await talked(alice, "c1")
    [name] = (await run(alice)).strategies
    found = await alice.strategies.get(name)
    assert (found.description, found.pattern) == ("Call search, then book", "Book me a ferry to Oslo")
    assert (found.tools, found.successes, found.failures) == (("search", "book"), 1, 0)
    assert (await run(alice)).strategies == ()
    await talked(alice, "c2")
    assert (await run(alice)).strategies == (name,)
    assert (await alice.strategies.get(name)).successes == 2
    assert [fit.strategy.id for fit in await alice.strategies.find("Book a ferry to Bergen")] == [name]
    await alice.forget(source=outcome)
    assert name not in {row.id for row in await rows(store, Record)}
    assert (await run(alice)).strategies == ()


async def test_without_a_conversation_or_a_wish_nothing_is_learned(alice: AsyncScoped) -> None:
    [event] = (await alice.add(says("We take the boat then"))).events
    await alice.outcomes.record(event, "Fine")
    await alice.tools.record("search", "ferry", "ok", conversation="c3")
    call = (await alice.tools.calls())[0]
    await alice.outcomes.record(call.id, "Found it")
    assert (await run(alice)).strategies == ()


async def test_a_conversation_that_taught_its_lesson_is_not_read_again(
    alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    async def noted(runtime: Runtime, owner: Owner, where: Where) -> Sequence[Event]:
        read.append(where.value)
        return await events(runtime, owner, where)

    events = lessons._events
    monkeypatch.setattr(lessons, "_events", noted)
    await talked(alice, "c1")
    without = (await alice.add(says("We take the boat then"), conversation="c2")).events[0]
    await alice.outcomes.record(without, "It was called off")
    [name] = (await run(alice)).strategies
    assert read == ["outcome", "c1"]
    read.clear()
    assert (await run(alice)).strategies == ()
    await alice.forget(record=name)
    assert (await run(alice)).strategies == ()
    assert read == ["outcome"] * 2
    await talked(alice, "c3")  # which would teach the same words
    assert (await run(alice)).strategies == ()
    assert read[2:] == ["outcome", "c3"]


async def test_a_strategy_lies_where_its_calls_do(memory: AsyncMemory, alice: AsyncScoped) -> None:
    jira = memory.scope(tenant="acme", user="alice", connections=("jira",))
    await talked(jira, "c1", connection="jira")
    [name] = (await run(alice)).strategies
    assert (await jira.strategies.get(name)).tools == ("search", "book")
    assert await alice.strategies.find("Book me a ferry to Oslo") == ()


async def test_what_others_cannot_know_teaches_them_nothing(memory: AsyncMemory, alice: AsyncScoped) -> None:
    planner = memory.scope(tenant="acme", user="alice", agent="planner")
    await talked(planner, "c1")
    await alice.tools.record("search", "ferry", "ok", conversation="c1")
    [name] = (await run(alice)).strategies
    partition = await alice._runtime.partitions.current(OWNER)
    assert partition.records[name].agent == "planner"
    assert Scope(tenant="acme", user="alice").agent is None
    assert (await alice._runtime.store.find(OWNER, Query(kind=Event, tenant="acme", user="alice"))).rows
    assert texts(await planner.recall("ferry to Oslo", kinds=["strategy"]))
