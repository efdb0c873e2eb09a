"""A memory that a server holds, used as one that is opened here."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from doors.client.conftest import Waits
from memoranda import AsyncMemory, errors
from memoranda.client import AsyncRemoteMemory
from memoranda.core.base.plain import plain
from memoranda.core.recall.results import Context, Recalled
from memoranda.doors.http.app import Api
from memoranda.doors.wire.calls import offered
from memoranda.doors.wire.problems import error_of, problem_of
from memoranda.ports import Pace, Store
from memoranda.verbs.registry import VERBS
from memoranda.verbs.schema import decode_answer

pytestmark = pytest.mark.anyio
SAID = [{"role": "user", "content": "I work at Globex in Oslo."}]
#: Sends a request on; what a test puts in between loses it, or its answer.
Send = Callable[[httpx2.Request], Any]


class Between(httpx2.AsyncBaseTransport):
    """What lies between client and server: `carry` is given a request, and what sends it on."""

    def __init__(self, api: Api, carry: Callable[[httpx2.Request, Send], Any]) -> None:
        self._on, self._carry = httpx2.ASGITransport(app=api), carry

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        found: httpx2.Response = await self._carry(request, self._on.handle_async_request)
        return found


@pytest.fixture
def through(api: Api, key: str, pace: Pace) -> Callable[..., Any]:
    @asynccontextmanager
    async def through(carry: Callable[[httpx2.Request, Send], Any], **more: Any) -> AsyncIterator[AsyncRemoteMemory]:
        async with AsyncRemoteMemory("http://m/", key, transport=Between(api, carry), pace=pace, **more) as memory:
            yield memory

    return through


async def test_the_quick_start(remote: AsyncRemoteMemory, memory: AsyncMemory) -> None:
    alice, here = remote.scope(user="alice"), memory.scope(tenant="acme", user="alice")
    captured = await alice.add(SAID, conversation="c1")
    assert captured.decisions[0].outcome == "added"
    found = await alice.recall("Where do I work?", as_of=datetime(2030, 1, 1, tzinfo=UTC))
    assert isinstance(found, Recalled)
    assert {one.text for one in found} == {one.text for one in await here.recall("Where do I work?")}
    context = await alice.context("Where do I work?", budget=500)
    assert isinstance(context, Context)
    assert "Globex" in context.text
    goal = await alice.goals.add("Ship 1.0")
    assert goal == await here.goals.get(goal.id)
    assert await alice.goals.find(states=["active"]) == (goal,)
    assert (await alice.working("c1").set("draft", {"to": "Bob"})).existed is False
    assert await alice.working("c1").get("draft") == {"to": "Bob"}
    for nothing in ("none", "5", 5, [], {"a": None}, True):
        assert await alice.working(run="r").get("draft", nothing) == nothing
    assert await alice.working("c1").shared_by(None, "draft") is None
    [first, *_, last] = [row async for row in alice.export()]
    assert first["user"] == "alice"
    assert last["sha256"]
    assert await remote.stats(tenant="acme") == await memory.stats(tenant="acme")
    assert remote.tenant == "acme"
    assert await remote.keys.list(tenant="acme") == await memory.keys.list(tenant="acme")


async def test_a_model_uses_it_as_well(remote: AsyncRemoteMemory) -> None:
    tools = remote.scope(user="alice").tools_for("openai")
    assert "Error" not in await tools.call(
        "record_observation", {"content": "The project is PROJ", "category": "project_details"}
    )
    assert "PROJ" in await tools.call("search_memory", {"query": "Which project?"})


@pytest.mark.parametrize("user", ["al/ice", ".", "..", "a b?c#d%", "ål", "a.b"])
async def test_a_name_is_one_part_of_a_path(remote: AsyncRemoteMemory, memory: AsyncMemory, user: str) -> None:
    goal = await remote.scope(user=user).goals.add("Ship 1.0")
    assert await memory.scope(tenant="acme", user=user).goals.find() == (goal,)
    await remote.scope(user=user).entries.set(user, 1)
    assert (await remote.scope(user=user).entries.get(user)) is not None


async def test_a_request_has_its_place(remote: AsyncRemoteMemory, memory: AsyncMemory) -> None:
    place = {"agent": "planner", "channel": "work", "connections": ["jira"], "conversation": "c1", "task": "t"}
    await remote.scope(user="alice", **place).goals.add("Ship 1.0")
    assert len(await memory.scope(tenant="acme", user="alice", **place).goals.find()) == 1
    assert len(await remote.scope(user="alice", **place).goals.find()) == 1
    assert len(await remote.scope(user="alice", whole=True).goals.find()) == 1
    assert await remote.scope(user="alice", agent="writer", channel="work").goals.find() == ()


async def test_tenant_and_team_are_those_of_the_key(remote: AsyncRemoteMemory) -> None:
    assert remote.scope(tenant="acme", user="alice").scope.tenant == "acme"
    with pytest.raises(errors.AccessError, match="tenant 'acme' alone"):
        remote.scope(tenant="globex", user="alice")
    with pytest.raises(errors.AccessError, match="tenant 'acme' alone"):
        await remote.stats(tenant="globex")
    with pytest.raises(errors.AccessError, match="team is that of the key"):
        remote.scope(user="alice", team="crew")


# ------------------------------------------------------------------------------------------------- errors


async def test_errors_are_those_of_a_memory_opened_here(
    remote: AsyncRemoteMemory, memory: AsyncMemory, store: Store
) -> None:
    alice, here = remote.scope(user="alice"), memory.scope(tenant="acme", user="alice")
    pool = (await alice.pools.create("sprint")).id
    await alice.pools.write(pool, "goal", "ship")
    for verb, args, more in (
        ("goals.get", ["none"], {}),
        ("recall", [" "], {}),
        ("recall", ["x"], {"limit": 0}),
        ("pools.write", [pool, "goal", "sail"], {"expect": 1}),
        ("working.get", ["draft"], {}),
        ("graph.entity", ["Nobody"], {}),
    ):
        caught = []
        for scoped in (alice, here):
            face = scoped.working() if verb == "working.get" else scoped
            for name in verb.removeprefix("working.").split("."):
                face = getattr(face, name)
            with pytest.raises(errors.InputError) as error:
                await face(*args, **more)
            caught.append(error.value)
        assert type(caught[0]) is type(caught[1]), verb
        if verb != "working.get":
            assert str(caught[0]) == str(caught[1])
            assert vars(caught[0]) == vars(caught[1])
    with pytest.raises(errors.ArgumentError) as wrong:
        await alice.recall(7)  # type: ignore[arg-type] # on purpose
    assert wrong.value.pointer == "/query"
    with pytest.raises(TypeError, match="did you mean 'limit'"):
        await alice.recall("x", limt=1)  # type: ignore[call-arg] # on purpose
    await store.close()
    with pytest.raises(errors.StoreUnavailableError):
        await remote.scope(user="carol").goals.find()


def every(kind: type[errors.MemorandaError]) -> set[type[errors.MemorandaError]]:
    return {kind, *(one for sub in kind.__subclasses__() if sub.__module__ == errors.__name__ for one in every(sub))}


@pytest.mark.parametrize("kind", sorted(every(errors.MemorandaError), key=lambda one: one.__name__))
def test_a_problem_is_the_error_it_comes_from(kind: type[errors.MemorandaError]) -> None:
    more: dict[Any, tuple[Any, ...]] = {errors.ArgumentError: ("/a",), errors.VersionError: (3, 4)}
    error = kind("It went wrong.", *more.get(kind, ()))
    found = error_of(problem_of(error).document("r"))
    assert (type(found), str(found), vars(found)) == (kind, str(error), vars(error))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, errors.AccessError),
        (402, errors.InputError),
        (404, errors.CapabilityError),
        (413, errors.InputError),
        (429, errors.StoreUnavailableError),
        (504, errors.StoreUnavailableError),
        (500, errors.StoreError),
    ],
)
def test_a_problem_of_no_error_is_what_its_status_means(status: int, kind: type[errors.MemorandaError]) -> None:
    document = {"type": "urn:memoranda:problem:something-new", "status": status, "detail": "It went wrong."}
    assert type(error_of(document)) is kind


async def test_a_key_that_is_none_or_not_valid_is_told(api: Api, memory: AsyncMemory) -> None:
    for secret in ("secret", "", None):
        with pytest.raises(errors.AccessError, match="memoranda keys create"):
            AsyncRemoteMemory("http://m", secret)  # type: ignore[arg-type] # on purpose
    for address in ("memory.db", "http://", "http://m:port", "ftp://m", None):
        with pytest.raises(errors.InputError, match="http://"):
            AsyncRemoteMemory(address, "mra_YWNtZQ.a.b")  # type: ignore[arg-type] # on purpose
    carried = httpx2.ASGITransport(app=api)
    async with AsyncRemoteMemory("http://m", "mra_YWNtZQ.a.b", transport=carried) as remote:
        with pytest.raises(errors.AccessError, match="wrong, expired or revoked"):
            await remote.scope(user="alice").goals.find()
        with pytest.raises(errors.AccessError, match="wrong, expired or revoked"):
            await anext(remote.scope(user="alice").export())
    reader = (await memory.keys.create(tenant="acme", rights=["read"])).secret
    async with AsyncRemoteMemory("http://m", reader, transport=carried) as remote:
        with pytest.raises(errors.AccessError, match="right 'write'"):
            await remote.scope(user="alice").add(SAID)


async def test_what_has_no_way_over_http_is_told(remote: AsyncRemoteMemory) -> None:
    alice = remote.scope(user="alice")

    async def brought(*_: object) -> str:
        return ""

    for call, kind, words in (
        (remote.doctor(tenant="acme"), errors.CapabilityError, "doctor has no way over HTTP"),
        (remote.rebuild(tenant="acme", user="alice", to="other.db"), errors.InputError, "to is 'other.db'"),
        (alice.context("x", brings={"logs": brought}), errors.InputError, "brings is"),
        (alice.entries.set("k", float("nan")), errors.InputError, "value is nan"),
        (alice.goals.find(states=[]), errors.InputError, "states is"),
    ):
        with pytest.raises(kind, match=re.escape(words)):
            await call


@pytest.mark.parametrize(
    ("status", "text"), [(200, "<html>"), (200, '{"items": 5}'), (404, "gone"), (302, ""), (500, "{}")]
)
async def test_what_is_no_memoranda_is_told(through: Callable[..., Any], status: int, text: str) -> None:
    async def carry(request: httpx2.Request, _: Send) -> httpx2.Response:
        return httpx2.Response(status, text=text, request=request)

    async with through(carry) as remote:
        with pytest.raises((errors.StoreUnavailableError, errors.SetupError), match=r"correct the address|of another"):
            await remote.scope(user="alice").recall("x")


# ------------------------------------------------------------------------------------------- sending again


@pytest.mark.parametrize("lost", [1, 2])
async def test_a_lost_answer_makes_one_event(
    through: Callable[..., Any], memory: AsyncMemory, waits: Waits, lost: int
) -> None:
    seen: list[str] = []

    async def carry(request: httpx2.Request, send: Send) -> httpx2.Response:
        answer: httpx2.Response = await send(request)
        seen.append(request.headers["idempotency-key"])
        if len(seen) <= lost:
            raise httpx2.ReadError("broken")
        return answer

    async with through(carry) as remote:
        assert len((await remote.scope(user="alice").add(SAID)).events) == 1
        assert len(waits) == lost
        assert (len(seen), len({*seen})) == (lost + 1, 1)
        assert len(await memory.scope(tenant="acme", user="alice").events()) == 1
        await remote.scope(user="alice").add([{"role": "user", "content": "I sail."}])
        assert len({*seen}) == 2


@pytest.mark.parametrize("status", [409, 503])
async def test_a_write_that_is_still_going_on_is_asked_for_again(
    through: Callable[..., Any], memory: AsyncMemory, status: int
) -> None:
    seen: list[str] = []

    async def carry(request: httpx2.Request, send: Send) -> httpx2.Response:
        seen.append(request.headers["idempotency-key"])
        if len(seen) == 1:
            return httpx2.Response(status, headers={"retry-after": "1"}, request=request)
        answer: httpx2.Response = await send(request)
        return answer

    async with through(carry) as remote:
        await remote.scope(user="alice").add(SAID)
    assert (len(seen), len({*seen})) == (2, 1)
    assert len(await memory.scope(tenant="acme", user="alice").events()) == 1


async def test_what_stays_away_is_told(through: Callable[..., Any], waits: Waits) -> None:
    async def carry(*_: object) -> httpx2.Response:
        raise httpx2.ConnectError("refused")

    async with through(carry) as remote:
        with pytest.raises(errors.StoreUnavailableError, match=r"http://m/ does not answer \(refused\)"):
            await remote.scope(user="alice").recall("x")
        assert len(waits) == 2
        with pytest.raises(errors.StoreUnavailableError, match="does not answer"):
            await anext(remote.scope(user="alice").export())


@pytest.mark.parametrize(("after", "sent"), [("2", 3), ("3600", 1), ("soon", 1), (None, 1)])
async def test_a_busy_server_is_asked_again_when_it_says(
    through: Callable[..., Any], waits: Waits, after: str | None, sent: int
) -> None:
    seen = []

    async def carry(request: httpx2.Request, _: Send) -> httpx2.Response:
        seen.append(request)
        document = problem_of(errors.StoreUnavailableError("The store is away.")).document("r")
        headers = {"content-type": "application/problem+json", **({"retry-after": after} if after else {})}
        return httpx2.Response(503, json=document, headers=headers, request=request)

    async with through(carry) as remote:
        with pytest.raises(errors.StoreUnavailableError, match=r"^The store is away\.$"):
            await remote.scope(user="alice").goals.find()
    assert len(seen) == sent
    assert all(one >= 2 for one in waits)


# ------------------------------------------------------------------------------------------------ long work


async def test_long_work_is_waited_for(remote: AsyncRemoteMemory, through: Callable[..., Any]) -> None:
    alice = remote.scope(user="alice")
    await alice.add(SAID)
    asked = [{"query": "Where do I work?", "answers": ["Globex"]}]
    assert (await alice.evaluate(asked)).runs[0].figures["R@5"] == 1.0
    assert (await remote.reembed(tenant="acme")).embedded == 0

    async def carry(request: httpx2.Request, send: Send) -> httpx2.Response:
        if request.method == "POST":
            del request.headers["prefer"]
        answer: httpx2.Response = await send(request)
        return answer

    told: list[int] = []
    async with through(carry) as other:
        assert (await other.scope(user="alice").evaluate(asked, progress=told.append)).runs[0].figures["R@5"] == 1.0
        with pytest.raises(errors.InputError, match="name is 'none'"):
            await other.run_job("none", tenant="acme")
    assert sum(told) >= 1


async def test_work_that_is_cancelled_is_told(through: Callable[..., Any]) -> None:
    async def carry(request: httpx2.Request, _: Send) -> httpx2.Response:
        told = {"state": "cancelled", "problem": None, "progress": None, "verb": "reembed"}
        headers = {"location": "/v1/operations/o"}
        return httpx2.Response(202, json=told, headers=headers, request=request)

    async with through(carry) as remote:
        with pytest.raises(errors.StoreUnavailableError, match="reembed was cancelled"):
            await remote.reembed(tenant="acme")


# ------------------------------------------------------------------------------------------------- answers


@pytest.mark.parametrize("name", [name for name, verb in VERBS.items() if offered(verb)])
def test_what_is_no_answer_is_not_read_as_one(name: str) -> None:
    if "Any" not in str(VERBS[name].signature.return_annotation):
        with pytest.raises(errors.ArgumentError):
            decode_answer(VERBS[name], {"no": "answer"})


async def test_an_answer_comes_back_as_it_was(memory: AsyncMemory) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(SAID)
    goal = await alice.goals.add("Ship 1.0", deadline=datetime(2030, 1, 1, tzinfo=UTC))
    for name, answer in (
        ("add", captured),
        ("goals.add", goal),
        ("recall", await alice.recall("Where do I work?")),
        ("context", await alice.context("Where do I work?")),
        ("profile", await alice.profile()),
        ("audit", await alice.audit()),
        ("forget", await alice.forget(value="Globex")),
        ("entries.get", None),
    ):
        assert decode_answer(VERBS[name], plain(answer)) == answer, name
    await alice.observe("The crab is blue")
    await alice.observe("The heron sleeps on one leg")
    await alice.add([{"role": "user", "content": "I live in Oslo."}])
    profile = await alice.profile()
    assert profile.scaffold.keys() >= {"facts", "location"}
    assert decode_answer(VERBS["profile"], plain(profile)) == profile
    assert decode_answer(VERBS["profile"], {**plain(profile), "scaffold": {"work": 5}}).scaffold == {"work": 5}
    newer = {**plain(goal), "mood": "good"}
    assert decode_answer(VERBS["goals.get"], newer) == goal


async def test_what_a_memory_stands_on_is_where_it_is_open(remote: AsyncRemoteMemory, memory: AsyncMemory) -> None:
    assert memory.runtime.settings
    with pytest.raises(errors.CapabilityError, match="A server holds this memory"):
        _ = remote.runtime
