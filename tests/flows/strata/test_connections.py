"""Connections: what is learned of each and kept of its answers, and that an inactive one is not there."""

import asyncio
from datetime import timedelta
from typing import Any

import anyio
import pytest

from flows.helpers import everything, says, texts
from memoranda import AsyncMemory, AsyncScoped, Memory
from memoranda.errors import InputError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

HOME: dict[str, Any] = {"tenant": "acme", "user": "alice", "connections": ("jira",)}
SCHEMA = {"tables": ["issues", {"name": "Zyxwvut"}], "count": 2}


@pytest.fixture
def home(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(**HOME)


class Tool:
    """A connected tool that counts how often it is asked, and fails while it has an error."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self) -> Any:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def test_what_was_learned_is_known_while_the_connection_is_active(
    memory: AsyncMemory, alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    captured = await home.connections.learn("jira", "The default project is PROJ", category="project_details")
    assert captured.records
    await home.connections.remember("jira", "schema", SCHEMA, ttl=60)
    found = await home.connections.info("jira")
    assert (found.name, found.events, found.records, found.last_activity) == ("jira", 1, 1, clock())
    assert [leaf.value for leaf in found.learned] == ["The default project is PROJ."]
    assert found.cached == (("schema", clock() + timedelta(seconds=60)),)
    both = memory.scope(tenant="acme", user="alice", connections=("jira", "slack"))
    assert [(place.name, place.events) for place in await both.connections.list()] == [("jira", 1), ("slack", 0)]
    assert (await both.connections.info("slack")).last_activity is None
    assert (await home.profile()).learned["jira"] == found.learned
    assert "The default project is PROJ" in texts(await home.recall("default project"))
    assert texts(await alice.recall("default project")) == []
    assert await alice.connections.list() == ()
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    assert await whole.connections.info("jira") == found
    assert [place.name for place in await whole.connections.list()] == ["jira"]


STRANGERS: dict[str, dict[str, Any]] = {
    "another tenant": HOME | {"tenant": "globex"},
    "another user": HOME | {"user": "bob"},
    "another channel": HOME | {"channel": "kitchen"},
    "another agent": HOME | {"agent": "cook"},
}
INACTIVE: dict[str, dict[str, Any]] = {
    "no connection": HOME | {"connections": ()},
    "another connection": HOME | {"connections": ("slack",)},
    "a name that looks like all": HOME | {"connections": ("*", "%")},
}


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_stranger_of_the_same_connection_finds_nothing(memory: AsyncMemory, stranger: str) -> None:
    clerk = memory.scope(**{**HOME, "agent": "clerk", "channel": "tidepool"})
    await clerk.connections.learn("jira", "The default project is PROJ")
    await clerk.connections.remember("jira", "schema", SCHEMA)
    scoped = memory.scope(**STRANGERS[stranger])
    found = await scoped.connections.info("jira")
    assert (found.events, found.learned, found.cached) == (0, (), ())
    assert await scoped.connections.cached("jira", "schema") is None
    tool = Tool({"other": 1})
    assert (await scoped.connections.refresh("jira", "schema", tool)).value == {"other": 1}
    kept = await clerk.connections.cached("jira", "schema")
    assert kept is not None
    assert kept.value == SCHEMA
    assert "Zyxwvut" not in repr([row async for row in scoped.export()])


@pytest.mark.parametrize("inactive", INACTIVE)
async def test_what_is_not_active_is_not_there(memory: AsyncMemory, home: AsyncScoped, inactive: str) -> None:
    await home.connections.learn("jira", "The default project is PROJ")
    await home.connections.remember("jira", "schema", SCHEMA)
    await home.graph.upsert("Zyxwvut", description="A table", connection="jira")
    await home.graph.relate("Zyxwvut", "Issues", "PART_OF", connection="jira")
    scoped = memory.scope(**INACTIVE[inactive])
    calls = (
        scoped.connections.info("jira"),
        scoped.connections.learn("jira", "It is blue"),
        scoped.connections.remember("jira", "schema", 1),
        scoped.connections.cached("jira", "schema"),
        scoped.connections.refresh("jira", "schema", Tool(1)),
        scoped.graph.entity("Zyxwvut"),
    )
    for call in calls:
        with pytest.raises(NotFoundError):
            await call
    assert (await scoped.recall("Zyxwvut, the table of issues in project PROJ")).trace.searched == 0
    assert "PROJ" not in (await scoped.context("Which project?")).text
    assert "jira" not in repr([row async for row in scoped.export()])
    await scoped.forget(everything=True)  # the request above is all there is
    assert await home.connections.cached("jira", "schema")
    assert await home.graph.entity("Zyxwvut")


async def test_nothing_is_kept_through_the_whole(memory: AsyncMemory) -> None:
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    for call in (whole.connections.remember("jira", "schema", 1), whole.connections.learn("jira", "It is blue")):
        with pytest.raises(ScopeError, match="Nothing is written through whole=True"):
            await call


async def test_the_tool_is_asked_again_when_its_answer_has_expired(home: AsyncScoped, clock: FrozenClock) -> None:
    tool = Tool({"version": 1}, {"version": 2})
    first = await home.connections.refresh("jira", "schema", tool, ttl=60)
    assert (first.value, first.kept_at, first.expires_at) == ({"version": 1}, clock(), clock() + timedelta(seconds=60))
    clock.advance(seconds=59)
    assert await home.connections.refresh("jira", "schema", tool, ttl=60) == first
    assert await home.connections.cached("jira", "schema") == first
    clock.advance(seconds=1)
    assert await home.connections.cached("jira", "schema") is None
    assert (await home.connections.refresh("jira", "schema", tool, ttl=60)).value == {"version": 2}
    assert tool.asked == 2
    assert await home.connections.cached("jira", "entities") is None


@pytest.mark.parametrize(
    ("error", "told"), [(OSError("no route"), "jira: no route"), (RuntimeError(), "jira: RuntimeError")]
)
async def test_a_tool_that_fails_leaves_what_is_kept(
    home: AsyncScoped, clock: FrozenClock, error: Exception, told: str
) -> None:
    tool = Tool(error, {"version": 1}, error, {"version": 2})
    with pytest.raises(type(error)):
        await home.connections.refresh("jira", "schema", tool, ttl=1)
    kept = await home.connections.refresh("jira", "schema", tool, ttl=1)
    clock.advance(seconds=5)
    stale = await home.connections.refresh("jira", "schema", tool, ttl=1)
    assert (stale.value, stale.expires_at, stale.degraded) == (kept.value, kept.expires_at, (told,))
    assert (await home.connections.refresh("jira", "schema", tool, ttl=1)).value == {"version": 2}


async def test_a_tool_that_does_not_answer_is_not_waited_for(home: AsyncScoped, clock: FrozenClock) -> None:
    ended, begun = [], anyio.Event()

    async def silent() -> Any:
        begun.set()
        try:
            await anyio.Event().wait()
        finally:
            ended.append(1)

    async def breaks_off() -> Any:
        raise asyncio.CancelledError

    with pytest.raises(TimeoutError, match="no answer within"):
        await home.connections.refresh("jira", "schema", silent, seconds=0.01)
    await home.connections.remember("jira", "schema", 1, ttl=1)
    clock.advance(seconds=1)
    stale = await home.connections.refresh("jira", "schema", silent, seconds=0.01)
    assert (stale.value, stale.degraded) == (1, ("jira: no answer within 0.01 s",))
    begun = anyio.Event()
    waiting = asyncio.ensure_future(home.connections.refresh("jira", "other", silent))
    await begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await anyio.wait_all_tasks_blocked()
    assert len(ended) == 3
    assert (await home.connections.refresh("jira", "schema", breaks_off)).degraded


async def test_what_was_kept_is_forgotten(memory: AsyncMemory, home: AsyncScoped, store: Store) -> None:
    talk = memory.scope(**HOME, conversation="talk")
    captured = await home.add(says("The crane of Zyxwvut is 7391."))
    await home.connections.remember("jira", "codes", {"rows": ["… The crane of Zyxwvut is 7391 …"]})
    await home.connections.remember("jira", "names", {"the crane of zyxwvut is 7391": None})
    await talk.connections.remember("jira", "talk", "Zyxwvut")
    await home.connections.remember("jira", "users", [{"name": "Ann"}])
    await home.forget(conversation="talk")
    await home.forget(source=captured.events[0])
    assert "zyxwvut" not in repr(await everything(store)).lower()
    assert [name for name, _ in (await home.connections.info("jira")).cached] == ["users"]
    await home.forget(everything=True)
    assert [name for name, kept in (await everything(store)).items() if kept] == ["tombstones", "receipts"]


async def test_what_cannot_be_kept_is_refused(home: AsyncScoped) -> None:
    with pytest.raises(InputError, match="at most 31,622,400"):
        await home.connections.remember("jira", "schema", 1, ttl=1e12)
    with pytest.raises(InputError, match="Write it as a string"):
        await home.connections.remember("jira", "schema", {"a": {1}})
    with pytest.raises(InputError, match="fetch is 5; give an async function"):
        await home.connections.refresh("jira", "schema", 5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"fetch is .*; give an async function"):
        await home.connections.refresh("jira", "schema", lambda: 5)  # type: ignore[arg-type, return-value]


async def test_the_oldest_answers_go(home: AsyncScoped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoranda.flows.strata.connections.KEPT", 10)
    for number in range(15):
        await home.connections.remember("jira", f"issue {number}", number)
    kept = [name for name, _ in (await home.connections.info("jira")).cached]
    assert kept == [f"issue {number}" for number in range(4, 15)]
    await home.add(says("I live in Oslo."))
    assert texts(await home.recall("Where do I live?"))


def test_without_await_the_tool_is_asked_in_the_loop_of_the_memory() -> None:
    with Memory.open(embedder="none") as memory:
        home = memory.scope(**HOME)
        assert home.connections.refresh("jira", "schema", Tool({"version": 1})).value == {"version": 1}
        kept = home.connections.cached("jira", "schema")
        assert kept is not None
        assert kept.degraded == ()
