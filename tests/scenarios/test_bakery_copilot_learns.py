"""The copilot of a bakery's blog: what it is told it respects at once, and what is said again counts for more."""

from typing import Any

import pytest

from flows.helpers import Scripted, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


@pytest.fixture
def priya(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="mumbai-bakery", user="priya")


async def test_what_is_said_at_nine_counts_a_moment_later(priya: AsyncScoped) -> None:
    await priya.add(
        says("We are a bakery in Mumbai.", "We sell cakes and sweets.", "I don't want posts longer than 800 words.")
    )
    [wish] = await priya.recall("How long should posts be?", kinds=["preference"])
    assert "800 words" in wish.text
    facts = texts(await priya.recall("What is the business of the user?", kinds=["fact"]))
    assert {"bakery", "cakes"} <= {word.strip(".") for fact in facts for word in fact.split()}
    for question in ("Write a post about Diwali", "How is my traffic?"):
        assert "800 words" in (await priya.context(question)).text, "a wish holds for whatever is asked"


async def test_a_stale_figure_gives_way_to_the_one_of_yesterday(priya: AsyncScoped, clock: FrozenClock) -> None:
    await priya.add(says("My blog traffic is 500 views a week."))
    clock.advance(days=90)
    await priya.add(says("My blog traffic is 800 views a week."))
    clock.advance(days=1)
    found = await priya.recall("What is my blog traffic?")
    assert ["800" in text for text in texts(found)] == [True, False], (
        "what is said last overrules, however like they are"
    )


async def test_what_is_used_weighs_more_than_what_is_not(priya: AsyncScoped, clock: FrozenClock) -> None:
    await priya.observe("Recipe posts do well on Mondays")
    await priya.observe("Recipe posts do well on Fridays")
    asked = "When do recipe posts do well?"
    before = {item.text: item.shares.get("access_frequency", 0) for item in await priya.recall(asked)}
    for _ in range(25):
        await priya.recall("Recipe posts do well on Fridays", limit=1)
        clock.advance(minutes=1)
    after = {item.text: item.shares["access_frequency"] for item in await priya.recall(asked)}
    assert {*before.values()} == {0}
    assert [round(after[f"Recipe posts do well on {day}"], 3) for day in ("Mondays", "Fridays")] == [0.005, 0.1]


async def test_the_same_wish_in_other_words_is_one_that_counts_for_more(clock: FrozenClock) -> None:
    near = Scripted(short=[1.0, 0.0], brief=[0.94, 0.3412])
    async with await AsyncMemory.open(":memory:", embedder=near, clock=clock, ids=SequentialIds()) as memory:
        priya = memory.scope(tenant="mumbai-bakery", user="priya")
        first = await priya.observe("Prefers short posts", category="preference")
        [before] = await priya.recall("posts", kinds=["preference"])
        second = await priya.observe("Prefers brief posts on the blog", category="preference")
        assert [one.outcome for one in second.decisions] == ["merged"]
        [wish] = await priya.recall("posts", kinds=["preference"])
        assert wish.text == "Prefers brief posts on the blog", "what says more stands"
        assert {*wish.sources} == {*first.events, *second.events}
        assert wish.importance == pytest.approx(before.importance + 0.05)


async def test_posts_are_entities_that_can_be_asked_for(priya: AsyncScoped) -> None:
    await priya.add(says('My "Diwali Sweet Recipes" post got 340 views.'), conversation="c1")
    [post] = [node for node in await priya.graph.find("diwali") if node.name.lower() == "diwali sweet recipes"]
    assert [one.of for one in await priya.graph.mentions(post.id)][-1] == "event"


async def test_a_session_slides_and_is_flushed_when_nobody_is_there(
    memory: AsyncMemory, priya: AsyncScoped, clock: FrozenClock
) -> None:
    desk = priya.working("conv_abc123")
    for number in range(25):
        await desk.add(says(f"Message number {number}", role="user" if number % 2 == 0 else "assistant"))
    await desk.note("preferences", ["blog only", "short posts"])
    asked = await desk.ask({"action": "delete", "post": 17})
    await desk.push("tool_results", {"views": 315})
    view = await desk.view()
    assert len(view.turns) == 20
    assert view.turns[0]["content"] == "Message number 0"
    assert view.turns[1]["content"] == "Message number 6"
    assert (view.preferences, view.tool_results) == (["blog only", "short posts"], ({"views": 315},))
    assert view.pending == {asked: {"action": "delete", "post": 17}}
    assert await desk.resolve(asked) == {"action": "delete", "post": 17}
    assert (await desk.view()).pending == {}

    clock.advance(minutes=5, seconds=1)
    assert len((await memory.flush_idle(tenant="mumbai-bakery")).events) == 25
    logged = await rows(memory._runtime.store, Event, priya.scope.owner)
    assert [event.content for event in logged] == [f"Message number {number}" for number in range(25)]
    assert (await desk.view()).turns == view.turns, "they are on the desk until the conversation is closed"
    assert (await desk.flush()).events == ()
    assert (await desk.view()).turns == ()


async def test_a_payload_has_a_budget_for_each_part(priya: AsyncScoped) -> None:
    for number in range(60):
        await priya.observe(f"Post number {number} about cakes got {number} views and many kind words from readers")
    history = [{"role": "user", "content": f"Turn {number}. {'The cake was good. ' * 100}"} for number in range(20)]
    brings: dict[str, Any] = {
        "system": "You help the owner of a bakery with a blog.",
        "tenant": "Mumbai Bakery, plan Pro, 18 posts",
        "services": {"views": 315, "week_before": 840, "weather": "sunny", "invoices": ["x" * 9_000]},
        "history": history,
    }
    made = await priya.context("Why did the views of my cakes drop?", layout="host", brings=brings)
    sections = {one.name: one for one in made.sections}
    budgets = {"system": 500, "tenant": 200, "services": 2_000, "history": 2_000, "tools": 1_500}
    assert {name: sections[name].budget for name in budgets} == budgets
    assert made.used <= 8_000 - 300
    assert sections["memories"].excluded, "what is over goes, lowest first"
    for kept in (0, 16, 17, 18, 19):
        assert history[kept]["content"].strip() in made.text
    assert made.text.count("The cake was good.") < 20 * 100, "what lies between is told in short"


async def test_no_other_business_is_seen(memory: AsyncMemory, priya: AsyncScoped) -> None:
    await priya.add(says("We sell cakes in Mumbai."))
    other = memory.scope(tenant="logicspike", user="priya")
    assert not await other.recall("What do we sell in Mumbai?")
    assert (await other.profile()).plain() == {}
