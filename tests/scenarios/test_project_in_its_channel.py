"""A project with a channel of its own: its goals, its ways of working, and what of it is so everywhere."""

from datetime import timedelta

import pytest

from flows.helpers import rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.errors import InputError, NotFoundError
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


@pytest.fixture
def rust(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice", channel="my-rust-project")


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice")


@pytest.fixture
def garden(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice", channel="garden")


# ------------------------------------------------------------------------------------------------- channels


async def test_a_project_reads_its_own_channel_and_the_global_one(
    rust: AsyncScoped, alice: AsyncScoped, garden: AsyncScoped
) -> None:
    await rust.observe("The parser is built on the nom crate", category="project_details")
    await alice.observe("Reviews happen on Tuesday")
    await garden.observe("The parser of the pump needs oil")
    found = await rust.recall("Which crate is the parser built on, and when do reviews happen?")
    assert {*texts(found)} >= {"The parser is built on the nom crate", "Reviews happen on Tuesday"}
    assert not [text for text in texts(found) if "pump" in text]
    assert len(found.trace.cross_channel) == 1
    assert texts(await alice.recall("When do reviews happen?")) == ["Reviews happen on Tuesday"]
    assert not await alice.recall("Which crate is the parser built on?")
    await rust.context("When do reviews happen?")
    [crossing] = await rust.channels.hits()
    assert (crossing.channel, crossing.found) == ("my-rust-project", tuple(found.trace.cross_channel))


async def test_a_project_fact_that_is_so_everywhere_is_promoted_and_linked_back(
    memory: AsyncMemory, rust: AsyncScoped, garden: AsyncScoped
) -> None:
    fact = (await rust.observe("Releases are cut on Thursdays")).records[0]
    assert not await garden.recall("When are releases cut?")
    needed = {"confidence": 0.85, "access_count": 5, "conversations": 2}
    copy = await rust.channels.promote(fact, reason="every project does so", thresholds=needed)
    assert (copy.channel, copy.promoted_from, copy.text) == ("_global", fact, "Releases are cut on Thursdays")
    assert (await rust.channels.promote(fact)).id == copy.id
    assert texts(await garden.recall("When are releases cut?")) == ["Releases are cut on Thursdays"]
    told = await rows(memory._runtime.store, Event, rust.scope.owner)
    [promotion] = [event.metadata for event in told if event.kind == "promotion"]
    assert (promotion["thresholds"], promotion["reason"]) == (needed, "every project does so")
    assert {"confidence", "access_count", "conversations"} <= promotion.keys(), "what it had stands beside it"
    await rust.forget(record=fact)
    assert not await garden.recall("When are releases cut?"), "the copy goes with what it was made of"


# --------------------------------------------------------------------------------------------------- goals


async def test_a_blocked_goal_waits_for_another_and_comes_up_when_it_is_spoken_of(
    rust: AsyncScoped, garden: AsyncScoped, clock: FrozenClock
) -> None:
    ship = await rust.goals.add("Ship version 1.0", priority=1, deadline=clock() + timedelta(days=30))
    tests = await rust.goals.add("Make the tests green", parent=ship.id)
    docs = await rust.goals.add(
        "Publish the documentation", parent=ship.id, blockers=[tests.id], recall_when=["docs", "publish"]
    )
    assert (docs.state, ship.state) == ("blocked", "active")
    assert (await rust.goals.find())[0].id == ship.id, "the most pressing comes first"
    assert {goal.id for goal in await rust.goals.find(parent=ship.id)} == {tests.id, docs.id}
    assert [goal.id for goal in await rust.goals.find(states=["blocked"])] == [docs.id]
    found = await rust.recall("When will we publish the manual?")
    assert [(goal.id, goal.blockers) for goal in found.goals] == [(docs.id, (tests.id,))]
    assert "Publish the documentation" in (await rust.context("When will we publish?")).text
    assert not (await rust.recall("How is the weather?")).goals
    assert not (await garden.recall("When will we publish the manual?")).goals
    with pytest.raises(NotFoundError):
        await garden.goals.get(docs.id)

    clock.advance(days=3)
    shown = (await rust.add(says("All tests pass now."))).events
    done = await rust.goals.complete(tests.id, result="All 214 pass", evidence=shown)
    assert (done.state, done.result, done.evidence, done.changed) == ("completed", "All 214 pass", shown, clock())
    assert (await rust.goals.get(docs.id)).state == "active", "nothing is in its way any more"
    with pytest.raises(InputError, match="completed cannot become"):
        await rust.goals.abandon(tests.id)
    await rust.goals.abandon(docs.id, reason="Nobody reads it")
    assert [goal.id for goal in await rust.goals.find()] == [ship.id]
    assert not (await rust.recall("When will we publish the manual?")).goals


async def test_a_goal_past_its_deadline_is_still_open_and_says_so(rust: AsyncScoped, clock: FrozenClock) -> None:
    due = clock() + timedelta(days=1)
    goal = await rust.goals.add("Renew the certificate", deadline=due, recall_when=["certificate"])
    clock.advance(days=2)
    [late] = await rust.goals.due("What about the certificate?")
    assert (late.id, late.state, late.deadline) == (goal.id, "active", due)


async def test_a_goal_that_was_wrongly_inferred_stays_away(rust: AsyncScoped) -> None:
    guess = await rust.goals.add("Rewrite it all in Zig", inferred=True)
    await rust.goals.reject(guess.id, reason="never said so")
    with pytest.raises(InputError, match="rejected"):
        await rust.goals.add("Rewrite it all in Zig", inferred=True)
    assert await rust.goals.find() == ()
    assert (await rust.goals.add("Rewrite it all in Zig")).state == "active", "the user may still want it"


# ---------------------------------------------------------------------------------- strategies and tools


async def test_a_strategy_that_failed_twice_comes_last_with_its_rate(rust: AsyncScoped) -> None:
    task = "find the slow query of the report"
    failing = await rust.strategies.learn("Guess an index", "find a slow query", ["editor"], success=False)
    await rust.strategies.reinforce(failing.id, success=False)
    working = await rust.strategies.learn("Read the plan of the query", "a report is slow", ["psql", "explain"])
    fits = await rust.strategies.find(task)
    assert [fit.strategy.id for fit in fits] == [working.id, failing.id]
    assert [fit.why.partition(";")[0] for fit in fits] == ["succeeded 1 of 1 times", "failed 2 of 2 times"]
    assert fits[1].strategy.success_rate < 0.5 < fits[0].strategy.success_rate
    assert (fits[1].strategy.successes, fits[1].strategy.failures) == (0, 2)
    suggested = await rust.tools.suggest(task)
    assert [one.tool for one in suggested][:2] in (["psql", "explain"], ["explain", "psql"])
    assert all(one.success_rate < 0.5 for one in suggested if one.tool == "editor")
    assert (await rust.recall(task)).strategies[0].strategy.id == working.id


async def test_every_call_of_a_tool_is_counted_by_task_and_channel(rust: AsyncScoped, garden: AsyncScoped) -> None:
    for latency, success in ((0.1, True), (0.2, True), (0.3, False)):
        await rust.tools.record(
            "search", {"query": "nom"}, ["hit"], latency=latency, success=success, task_type="research",
            error=None if success else "timeout", conversation="c1",
        )  # fmt: skip
    await garden.tools.record("search", {"query": "pump"}, latency=9.0, task_type="shopping")
    [research] = await rust.tools.stats(task_type="research")
    assert (research.calls, research.successes, research.last_error) == (3, 2, "timeout")
    assert research.success_rate == pytest.approx(2 / 3)
    assert research.p50 == pytest.approx(0.2, rel=0.05)
    [here] = await rust.tools.stats(channel="my-rust-project")
    assert here.calls == 3
    assert [call.success for call in await rust.tools.calls()] == [False, True, True]


# ----------------------------------------------------------------------------------------------- the graph


async def test_entities_are_related_walked_and_told_apart_in_time(rust: AsyncScoped, clock: FrozenClock) -> None:
    await rust.graph.upsert("Ann", type="person", aliases=["Annie"], description="Writes the parser")
    for source, target, kind in (
        ("Ann", "Acme", "WORKS_FOR"), ("Ann", "Bob", "KNOWS"), ("Acme", "Oslo", "LOCATED_IN"),
        ("Parser", "Ann", "CREATED_BY"), ("Parser", "Compiler", "PART_OF"), ("Manual", "Parser", "REFERENCES"),
    ):  # fmt: skip
        await rust.graph.relate(source, target, kind)
    then = clock()
    clock.advance(days=30)
    await rust.graph.relate("Annie", "Globex", "WORKS_FOR", replaces=True)
    near = await rust.graph.neighbourhood("Annie", depth=2)
    assert {edge.type for edge in near.edges} == {
        "WORKS_FOR", "KNOWS", "CREATED_BY", "PART_OF", "REFERENCES",
    }  # fmt: skip
    assert "acme" not in {node.name.lower() for node in near.nodes}
    before = await rust.graph.neighbourhood("Ann", depth=2, as_of=then)
    assert {"acme", "oslo"} <= {node.name.lower() for node in before.nodes}
    way = await rust.graph.path("Manual", "Bob")
    assert [node.name.lower() for node in way.nodes] == ["manual", "parser", "ann", "bob"]
    assert "Writes the parser" in texts(await rust.recall("Tell me about Ann", limit=1))[0]


# --------------------------------------------------------------------------------- session and correction


async def test_a_session_has_thoughts_and_a_goal_for_an_hour(rust: AsyncScoped, clock: FrozenClock) -> None:
    goal = await rust.goals.add("Ship version 1.0")
    desk = rust.working("c1")
    await desk.note("goal", {"id": goal.id, "text": goal.text})
    for number in range(3):
        await desk.push("thoughts", f"thought {number}")
    await desk.set("cursor", 7)
    view = await desk.view()
    assert (view.goal, view.thoughts) == ({"id": goal.id, "text": goal.text}, ("thought 0", "thought 1", "thought 2"))
    clock.advance(hours=1)
    assert await desk.get("cursor") is None
    await desk.clear()
    assert (await desk.view()).thoughts == ()


async def test_a_correction_supersedes_and_both_are_known(rust: AsyncScoped, clock: FrozenClock) -> None:
    first = await rust.add(says("I work at Acme."), conversation="c1")
    clock.advance(days=8)
    second = await rust.add(says("Actually, I work at Globex."), conversation="c2")
    [decision] = second.decisions
    assert (decision.outcome, decision.other) == ("superseded", first.records[0])
    [now] = await rust.recall("Where do I work?", kinds=["fact"])
    assert "Globex" in now.text
    assert ["Acme" in row.text for row in await rust.history(decision.record or "")] == [True, True, False]
    clock.advance(days=7)
    made = await rust.context("What did I say last week about my work?", conversation="c3")
    [that_time] = [one for one in made.sections if one.name == "episodes"]
    assert [*that_time.included] == [*second.events], "what was said in another week is not of that time"
