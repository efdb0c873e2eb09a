"""What is observed on every surface is one memory: in each prompt, found when asked for, kept to its connection."""

import pytest

from flows.helpers import Broken, fails, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.core.rows import Json
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice")


async def test_a_stranger_is_met_without_a_fault(memory: AsyncMemory) -> None:
    new = memory.scope(tenant="acme", user="new")
    found = await new.recall("What do you know about me?")
    assert (found.items, bool(found.reason)) == ((), True)
    assert (await new.profile()).plain() == {}
    made = await new.context("Hello", conversation="c1")
    assert (made.degraded, made.used <= made.budget) == ((), True)
    assert await new.connections.list() == ()
    assert (await new.working("c1").resume()).turns == ()


async def test_what_is_observed_in_chat_and_on_its_own_stands_in_every_prompt(alice: AsyncScoped) -> None:
    await alice.observe("I am an engineering manager", category="fact")
    await alice.observe("I prefer short emails", category="preference")
    await alice.observe("The default Jira project is PROJ", category="project_details", source="system_learned",
                        surface="heartbeat")  # fmt: skip
    first, second = [await alice.context(question) for question in ("Draft a reply to Bob", "What is the weather?")]
    assert "short emails" in first.stable_prefix
    assert first.stable_prefix == second.stable_prefix, "the same to the byte, whatever is asked"
    assert "PROJ" in (await alice.context("Open a Jira issue")).text


async def test_every_observation_says_where_it_is_from_and_is_one(memory: AsyncMemory, alice: AsyncScoped) -> None:
    told = {"session_id": "s-17"}
    first = await alice.observe("User prefers short emails", category="preference", key="k1", metadata=told)
    again = await alice.observe("User prefers short emails", category="preference", key="k1", metadata=told)
    assert (again.known, again.events) == (1, first.events)
    twice = await alice.observe("User prefers short emails", category="preference")
    assert twice.records == first.records, "the same words are one record"
    [event, _] = await rows(memory._runtime.store, Event, alice.scope.owner)
    assert (event.source, event.metadata["session_id"]) == ("user_provided", "s-17")
    [item] = await alice.recall("How should emails be?", kinds=["preference"])
    assert {*item.sources} == {*first.events, *twice.events}


async def test_what_the_user_corrects_wins_over_what_was_concluded(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.observe("I live in Oslo", category="correction")
    clock.advance(hours=1)
    await alice.observe("User lives in Bergen", source="system_learned", surface="heartbeat")
    assert (await alice.profile()).plain()["location"] == {"city": "Oslo"}


async def test_what_belongs_to_a_connection_is_known_while_it_is_active(memory: AsyncMemory) -> None:
    def alice(*active: str) -> AsyncScoped:
        return memory.scope(tenant="acme", user="alice", connections=active)

    await alice().observe("Issues are written in English")
    await alice("jira").connections.learn("jira", "Issues go to the project PROJ", category="preference")
    await alice("linear").connections.learn("linear", "Issues go to the team Core", category="preference")
    asked = "Where do issues go, and how are they written?"
    for active, known in (((), set()), (("jira",), {"PROJ"}), (("jira", "linear"), {"PROJ", "Core"})):
        found = " ".join(texts(await alice(*active).recall(asked)))
        assert {word for word in ("PROJ", "Core") if word in found} == known
        assert "English" in found, "what is the user's is always there"
    info = await alice("jira").connections.info("jira")
    assert ["PROJ" in str(leaf.value) for leaf in info.learned] == [True]
    assert "PROJ" in (await alice("jira").context("Open an issue")).text


async def test_the_schema_of_a_tool_is_asked_for_when_it_is_too_old(memory: AsyncMemory, clock: FrozenClock) -> None:
    jira = memory.scope(tenant="acme", user="alice", connections=["jira"]).connections
    asked = []

    async def schema() -> Json:
        asked.append(clock())
        if len(asked) == 3:
            raise OSError("the tool is down")
        return {"version": len(asked)}

    values = []
    for _ in range(3):
        for _ in range(2):
            values.append((await jira.refresh("jira", "schema", schema, ttl=600)).value)
            clock.advance(minutes=4)
        clock.advance(minutes=2)
    assert values == [{"version": 1}, {"version": 1}, {"version": 2}, {"version": 2}, {"version": 2}, {"version": 4}]


async def test_without_an_index_of_meanings_words_are_found_all_the_same(clock: FrozenClock) -> None:
    broken = Broken(fails)
    async with await AsyncMemory.open(":memory:", embedder=broken, clock=clock, ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        assert (await alice.add(says("I prefer short emails."))).degraded
        found = await alice.recall("How should emails be?")
        assert any("short emails" in text for text in texts(found))
        assert [problem.partition(":")[0] for problem in found.degraded] == ["embedder"]
        assert "short emails" in (await alice.context("Draft a reply")).text
