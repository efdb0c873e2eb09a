"""Serving: a process spoken to on its standard input, and HTTP with keys."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp_types import ElicitResult

from doors.mcp.conftest import MODES
from doors.running import Run
from doors.watched import Watching
from memoranda import AsyncMemory
from memoranda.doors.http.keyring import Keyring
from memoranda.doors.mcp.serving import Guarded, Offering, app, gate_of
from memoranda.doors.wire.limits import Limits
from memoranda.errors import InputError
from memoranda.verbs.registry import Async

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[3]

Connected = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.mark.parametrize("mode", MODES)
async def test_a_process_answers_on_its_standard_input(tmp_path: Path, mode: str) -> None:
    arguments = ["-m", "memoranda", "mcp", "--db", "memory.db", "--user", "alice", "--embedder", "none"]
    started = StdioServerParameters(
        command=sys.executable, args=arguments, cwd=tmp_path, env={"PYTHONPATH": str(ROOT / "src")}
    )
    async with Client(started, mode=mode) as client:
        await client.call_tool("record_observation", {"content": "User's sister Ann lives in Oslo."})
        answer = await client.call_tool("search_memory", {"query": "Where does Ann live?"})
    assert answer.structured_content["items"][0]["text"] == "User's sister Ann lives in Oslo."
    async with await AsyncMemory.open(tmp_path / "memory.db", embedder="none") as memory:
        assert (await memory.scope(tenant="local", user="alice").recall("Where does Ann live?")).items
        assert not (await memory.scope(tenant="local", user="me").recall("Where does Ann live?")).items


@pytest.fixture
async def served(memory: AsyncMemory) -> AsyncIterator[Any]:
    async with app(Offering(), "127.0.0.1", Limits(), memory) as made:
        yield made


@pytest.fixture
async def connected(memory: AsyncMemory, served: Any) -> Connected:
    """Makes a client with a key of its own: `connected("legacy", user="alice")`."""

    @asynccontextmanager
    async def connected(mode: str, says: ElicitResult | None = None, **given: Any) -> AsyncIterator[Client]:
        secret = (await memory.keys.create(**{"tenant": "acme", "user": "alice", **given})).secret

        async def answer(*_: Any) -> ElicitResult:
            assert says is not None
            return says

        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=served), headers={"Authorization": f"Bearer {secret}"}
        ) as http:
            transport = streamable_http_client("http://127.0.0.1:8766/mcp", http_client=http)
            async with Client(transport, mode=mode, elicitation_callback=answer if says else None) as client:
                yield client

    return connected


async def test_a_key_says_whose_memory_it_is(connected: Connected) -> None:
    mode = "2026-07-28"  # the one before is asked over a real connection below
    async with connected(mode) as client:
        await client.call_tool("record_observation", {"content": "User's sister Ann lives in Oslo."})
        answer = await client.call_tool("search_memory", {"query": "Where does Ann live?"})
        assert answer.structured_content["items"][0]["text"] == "User's sister Ann lives in Oslo."
    for other in ({"user": "bob"}, {"tenant": "other"}):
        async with connected(mode, **other) as client:
            answer = await client.call_tool("search_memory", {"query": "Where does Ann live?"})
            assert "items" not in answer.structured_content


async def test_a_key_says_what_may_be_done(connected: Connected) -> None:
    async with connected("2026-07-28", rights=["read"]) as client:
        assert "record_observation" not in [tool.name for tool in (await client.list_tools()).tools]


async def test_the_user_is_asked_over_http(connected: Connected) -> None:
    yes = ElicitResult(action="accept", content={"confirm": True})
    async with connected("2026-07-28", yes, rights=["read", "write", "forget"]) as client:
        await client.call_tool("record_observation", {"content": "User's sister Ann lives in Oslo."})
        answer = await client.call_tool("forget_memory", {"value": "Oslo"})
        assert answer.structured_content["removed"]["records"] == 2  # who Ann is, and where she lives


@pytest.mark.parametrize("mode", MODES)
async def test_a_server_makes_a_key_for_its_user_and_asks_that_user(home: Path, mode: str) -> None:
    command = [sys.executable, "-m", "memoranda", "mcp", "--http", "--port", "0", "--user", "alice", "--db", "m.db"]
    told = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    questions = []

    async def answer(_: Any, asked: Any) -> ElicitResult:
        questions.append(asked.message)
        return ElicitResult(action="accept", content={"confirm": True})

    with subprocess.Popen(command, cwd=home, env=told, stderr=subprocess.PIPE, text=True) as server:  # noqa: ASYNC220 - it ends with the test
        try:
            assert server.stderr is not None
            lines = ""
            while "http://" not in lines and server.poll() is None:
                lines += server.stderr.readline()
            [secret], [url] = re.findall(r"^mra_\S+$", lines, re.MULTILINE), re.findall(r"http://[\d.:]+/mcp", lines)
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}) as http:
                transport = streamable_http_client(url, http_client=http)
                async with Client(transport, mode=mode, elicitation_callback=answer) as client:
                    await client.call_tool("record_observation", {"content": "User's sister Ann lives in Oslo."})
                    found = await client.call_tool("forget_memory", {"value": "Oslo"})
                    assert found.structured_content["removed"]["records"] == 2  # who Ann is, and where she lives
        finally:
            server.terminate()
    assert server.returncode == 0
    assert len(questions) == 1


async def test_without_a_key_nobody_gets_in(memory: AsyncMemory, served: Any) -> None:
    anyones = (await memory.keys.create(tenant="acme")).secret
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=served), base_url="http://127.0.0.1") as http:
        for told, status in {"": 401, "Bearer mra_x": 401, "Basic x": 401, f"Bearer {anyones}": 403}.items():
            answer = await http.post("/mcp", json={}, headers={"Authorization": told} if told else {})
            assert answer.status_code == status
            assert answer.headers["WWW-Authenticate"].startswith("Bearer error=")


async def test_a_session_is_its_keys_own(memory: AsyncMemory) -> None:
    owners = []
    gate = gate_of(memory, Limits())

    async def inner(scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG001
        assert isinstance(scope["user"], AuthenticatedUser)
        owners.append(scope["user"].access_token.client_id)
        assert scope["user"].access_token.token == ""

    for tenant in ("acme", "other"):
        key = await memory.keys.create(tenant=tenant, user="alice")
        headers = [(b"authorization", f"Bearer {key.secret}".encode())]
        asked = {"type": "http", "method": "POST", "headers": headers}
        await Guarded(inner, memory, Keyring(memory, lambda: 0.0), gate)(asked, None, None)  # type: ignore[arg-type]
    assert len(set(owners)) == 2


async def test_requests_are_limited(memory: AsyncMemory) -> None:
    key = (await memory.keys.create(tenant="acme", user="alice")).secret
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    async with (
        app(Offering(), "127.0.0.1", Limits(rate=1), memory) as made,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=made), base_url="http://127.0.0.1") as http,
    ):
        answers = [await http.post("/mcp", json={}, headers=headers) for _ in "ab"]
    assert answers[0].status_code != 429
    assert (answers[1].status_code, answers[1].headers["Retry-After"]) == (429, "60")
    assert "1 requests a minute" in answers[1].json()["error_description"]


async def test_a_process_works_on_so_many_at_once_and_tries_no_keys_without_an_end(memory: AsyncMemory) -> None:
    watched = Watching()
    told = replace(memory.runtime, settings=replace(memory.runtime.settings, observer=watched))
    watching = AsyncMemory(Async(), told)
    key = (await memory.keys.create(tenant="acme", user="alice")).secret
    limits = Limits(at_once=1, wrong_keys=2)
    async with (
        app(Offering(), "127.0.0.1", limits, watching) as made,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=made), base_url="http://127.0.0.1") as http,
    ):
        with made._gate.entered():
            busy = await http.post("/mcp", json={}, headers={"Authorization": f"Bearer {key}"})
        assert (busy.status_code, busy.json()["error"]) == (503, "busy")
        wrong = [await http.post("/mcp", json={}, headers={"Authorization": f"Bearer mra_{n}"}) for n in "abc"]
        assert [one.status_code for one in wrong] == [401, 401, 429]
        assert wrong[0].json()["error"] == "invalid_token"
        assert (await http.post("/mcp", json={}, headers={"Authorization": f"Bearer {key}"})).status_code == 429
    assert watched.kinds == ["busy", "unauthorized", "unauthorized", "too-many-wrong-keys", "too-many-wrong-keys"]


def test_what_there_is_not_is_refused(run: Run) -> None:
    assert "There are no tools 'graphs'" in run("mcp", "--tools", "graphs", exits=1).output
    assert "source" in run("mcp", "--source", "me", exits=1).output
    assert "is not needed to serve" in run("mcp", "serve", "cursor", exits=1).output
    with pytest.raises(InputError):
        Offering(tools="graphs")
