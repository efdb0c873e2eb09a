"""A session that is left and taken up again: what it came to is there at once, and nothing of it is lost."""

from typing import Any

import pytest

from conformance.redis_server import running
from flows.helpers import rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

PRICING = [
    ("user", "Hello, let's talk about the pricing of the new plan."),
    ("assistant", "Gladly. What do your competitors charge for a plan like it?"),
    ("user", "Between 20 and 30 euros a month for a team of five."),
    ("assistant", "Then 25 euros would sit in the middle of the market."),
    ("user", "We decided to charge 25 euros for the team plan."),
    ("assistant", "Noted: 25 euros. Who tells the sales team about the price?"),
    ("user", "I will send the sales team the new price list tomorrow."),
    ("assistant", "Good. And the launch?"),
    ("user", "The launch of the team plan is in March."),
    ("assistant", "Then the price list has to be ready in February."),
    ("user", "By the way, I like dark mode."),
]


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice")


async def talk(alice: AsyncScoped, clock: FrozenClock, conversation: str = "pricing") -> None:
    for role, text in PRICING:
        await alice.working(conversation).add(says(text, role=role))
        clock.advance(seconds=20)


def section(made: Any, name: str) -> Any:
    return next(one for one in made.sections if one.name == name)


async def test_the_next_day_goes_on_from_the_summary(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await talk(alice, clock)
    at_hand = await alice.working("pricing").view()
    assert [turn["content"] for turn in at_hand.turns] == [text for _, text in PRICING]
    assert "25 euros" in at_hand.summary
    assert [one for one in at_hand.decisions if "25 euros" in one]
    assert [one for one in at_hand.actions if "price list" in one]
    assert (await memory.flush_idle(tenant="acme")).conversations == 0, "nobody was away for five minutes yet"

    clock.advance(minutes=5, seconds=1)
    flushed = await memory.flush_idle(tenant="acme")
    assert (flushed.conversations, len(flushed.events), len(flushed.summaries)) == (1, len(PRICING), 1)
    assert (await memory.flush_idle(tenant="acme")).events == (), "once is enough"

    clock.advance(days=1)
    resumed = await alice.working("pricing").resume()
    assert resumed.turns == (), "the history is not replayed"
    assert "25 euros" in resumed.summary
    assert (resumed.decisions, resumed.actions) == (at_hand.decisions, at_hand.actions)
    made = await alice.context("Where were we?", conversation="pricing")
    assert all(line.partition(": ")[2] in made.text for line in resumed.summary.splitlines())
    assert 0 < section(made, "summary").used <= section(made, "summary").budget == 500
    view = await alice.working("pricing").add(says("What did we say about the launch?"))
    assert (len(view.turns), view.summary) == (1, resumed.summary)


async def test_what_left_the_window_is_in_the_summary_of_each_request(alice: AsyncScoped) -> None:
    await alice.working("pricing").add([{"role": role, "content": text} for role, text in PRICING])
    view = await alice.working("pricing").add(says(*(f"And the {number}. point?" for number in range(25))))
    assert PRICING[4][1] not in [turn["content"] for turn in view.turns]
    assert PRICING[4][1] in view.summary
    assert PRICING[4][1] in (await alice.context("What does it cost?", conversation="pricing")).text


async def test_the_summary_keeps_up_every_five_messages(alice: AsyncScoped, clock: FrozenClock) -> None:
    told = []
    for role, text in PRICING[:10]:
        told.append((await alice.working("pricing").add(says(text, role=role))).summary)
        clock.advance(seconds=20)
    assert told[:4] == [""] * 4
    assert told[5:9] == [told[4]] * 4
    assert len({"", told[4], told[9]}) == 3


async def test_a_day_of_silence_ends_what_is_at_hand_and_loses_no_turn(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    desk = alice.working("pricing")
    await talk(alice, clock)
    await desk.note("goal", "a price for the team plan")
    assert (await desk.view()).goal == "a price for the team plan"
    clock.advance(hours=23, minutes=59)
    assert (await desk.view()).goal == "a price for the team plan"
    clock.advance(minutes=2)
    assert (await memory.flush_idle(tenant="acme")).events == (), "to look at it is activity"
    clock.advance(days=1)
    assert len((await memory.flush_idle(tenant="acme")).events) == len(PRICING)
    assert (await desk.view()).goal is None


@pytest.mark.parametrize("memory", ["embedded"], indirect=True)
async def test_a_session_goes_on_while_its_cache_is_away(memory: AsyncMemory, clock: FrozenClock) -> None:
    options: dict[str, Any] = {"embedder": "hashed", "clock": clock}
    with running() as server:
        away = await AsyncMemory.open(memory._runtime.store, cache=f"unix://{server.unix_socket_path}", **options)
        alice = away.scope(tenant="acme", user="alice")
        await talk(alice, clock)
    view = await alice.working("pricing").add(says("Are you still there?"))
    assert [problem.partition(":")[0] for problem in view.degraded] == ["working memory"]
    assert (len(view.turns), "25 euros" in view.summary) == (len(PRICING) + 1, True)
    made = await alice.context("What does the team plan cost?", conversation="pricing")
    assert "working memory" in [problem.partition(":")[0] for problem in made.degraded]
    assert "25 euros" in made.text
    await alice.working("pricing").flush()
    logged = await rows(memory._runtime.store, Event, alice.scope.owner)
    assert [event.content for event in logged] == [*(text for _, text in PRICING), "Are you still there?"]
    await away._runtime.desks.close()


async def test_other_sessions_users_and_workspaces_see_nothing_of_it(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await talk(alice, clock)
    await alice.working("pricing").set("offer", 25)
    others = [
        alice.working("another"),
        memory.scope(tenant="acme", user="bob").working("pricing"),
        memory.scope(tenant="globex", user="alice").working("pricing"),
    ]
    for other in others:
        view = await other.view()
        assert (view.turns, view.summary, view.keys) == ((), "", {})


async def test_a_notepad_has_some_fifty_items_and_the_newest_stay(alice: AsyncScoped) -> None:
    desk = alice.working("pricing")
    for number in range(60):
        await desk.push("tool_results", {"page": number})
    await desk.set("offer", 25)
    view = await desk.view()
    assert len(view.tool_results) + len(view.keys) == 50
    assert view.tool_results[-1] == {"page": 59}
    assert view.keys == {"offer": 25}


async def test_last_week_can_be_asked_for(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("The harbour office moved to the pier."), conversation="older")
    clock.advance(days=21)
    await talk(alice, clock)
    clock.advance(days=7)
    await memory.flush_idle(tenant="acme")
    asked = "What did we discuss last week?"
    found = await alice.recall(asked, limit=30, techniques=["self_query"])
    assert found.trace.window
    assert "The launch of the team plan is in March." in texts(found)
    assert "The harbour office moved to the pier." not in texts(found)
    made = await alice.context(asked, conversation="today")
    assert section(made, "episodes").used > 0
    assert section(await alice.context("Draft a reply to Bob", conversation="today"), "episodes").used == 0


async def test_a_decision_weighs_more_than_a_remark(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await talk(alice, clock)
    clock.advance(minutes=6)
    await memory.flush_idle(tenant="acme")
    [decision] = await alice.recall("What did we decide to charge?", kinds=["decision"])
    [remark] = await alice.recall("dark mode", kinds=["preference"])
    assert decision.importance > remark.importance


async def test_what_a_nightly_job_learned_the_chat_knows(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.observe("The export to the warehouse takes 40 minutes", source="workflow", surface="recipe")
    await alice.entries.log("The heartbeat found 3 failed exports")
    clock.advance(hours=12)
    assert texts(await alice.recall("How long does the export to the warehouse take?"))[0].endswith("40 minutes")
    logs = section(await alice.context("Which exports failed?", conversation="c"), "logs")
    assert logs.used > 0
    assert section(await alice.context("How should mails look?", conversation="c"), "logs").used == 0


async def test_an_agent_made_after_another_knows_what_it_knew(memory: AsyncMemory) -> None:
    first, second = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("first", "second"))
    await first.observe("Invoices go to billing@example.com")
    assert not await second.recall("Where do invoices go?")
    assert [one.outcome for one in await first.collections.copy("second")] == ["added"]
    assert texts(await second.recall("Where do invoices go?")) == ["Invoices go to billing@example.com"]
