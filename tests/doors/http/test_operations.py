"""What takes long is answered before it has ended, and can be asked for, followed and broken off."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn

from doors.http.asking import ME, Served, served
from flows.helpers import Slow
from memoranda.core.rows.changes import Applied, Batch
from memoranda.doors.http import operations as over_http
from memoranda.doors.http.openapi import document
from memoranda.doors.http.serving import _Server
from memoranda.doors.wire import operations
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.errors import StoreUnavailableError
from memoranda.stores.dict_ import DictStore
from memoranda.verbs.registry import VERBS

pytestmark = pytest.mark.anyio
TALK = {
    "conversations": [
        {"id": name, "messages": [{"role": "user", "content": f"I prefer short mails, {name}."}]}
        for name in ("c1", "c2")
    ]
}
MISSING = "There is no operation {} here; the process that carries one out knows it until an hour after its end."


@asynccontextmanager
async def slow(**limits: Any) -> AsyncIterator[tuple[Served, httpx2.AsyncClient, Slow]]:
    """An API on a store that answers no write until its gate is opened, and a client whose key was used before."""
    store = Slow(DictStore())
    async with served(limits, store) as one:
        client = await one.client()
        await client.get(f"{ME}/profile")
        store.gate = anyio.Event()
        yield one, client, store
        store.gate.set()


async def begun(client: httpx2.AsyncClient, **headers: str) -> dict[str, Any]:
    """The operation of an import that was begun."""
    answer = await client.post(f"{ME}/import", json=TALK, headers=headers)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/operations/{answer.json()['id']}"
    found: dict[str, Any] = answer.json()
    return found


def events(answer: httpx2.Response) -> list[tuple[int, str, dict[str, Any]]]:
    """The events of a stream: id, name and data of each."""
    blocks = [block for block in answer.text.split("\n\n") if block.startswith("id: ")]
    lines = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(int(one["id"]), one["event"], json.loads(one["data"])) for one in lines]


async def test_what_takes_long_is_answered_before_it_has_ended() -> None:
    async with slow() as (_, client, store):
        told = await begun(client)
        assert (told["verb"], told["user"], told["state"]) == ("import_conversations", "alice", "running")
        assert (told["answer"], told["problem"], told["ended_at"]) == (None, None, None)
        where = f"/v1/operations/{told['id']}"
        assert (await client.get(where)).json()["state"] == "running"
        store.gate.set()
        await anyio.wait_all_tasks_blocked()
        ended = await client.get(where)
        assert (ended.json()["state"], ended.json()["progress"]) == ("done", 2)
        assert ended.json()["answer"]["turns"] == 2
        assert ended.headers["etag"].startswith(f'"{ended.json()["version"]}-')
        assert (await client.get(where, headers={"If-None-Match": ended.headers["etag"]})).status_code == 304
        assert [one["id"] for one in (await client.get("/v1/operations")).json()] == [told["id"]]


async def test_whoever_prefers_to_wait_gets_the_answer() -> None:
    async with served() as one:
        client = await one.client()
        answer = await client.post(f"{ME}/import", json=TALK, headers={"Prefer": "respond-async, wait=5"})
        assert (answer.status_code, answer.headers["preference-applied"]) == (200, "wait=5")
        assert answer.json()["turns"] == 2
        for verb in ("reembed", "rebuild", "consolidate", "jobs/decay", "flush-idle"):
            body = {"user": "alice"} if verb in {"rebuild", "consolidate"} else {}
            answer = await client.post(f"/v1/{verb}", json=body, headers={"Prefer": "wait=5"})
            assert answer.status_code == 200, answer.text
            assert (await client.post(f"/v1/{verb}", json=body)).status_code == 202


async def test_who_does_not_wait_long_enough_gets_the_operation() -> None:
    async with slow() as (_, client, _store):
        assert (await begun(client, Prefer="wait=0"))["state"] == "running"
        assert (await begun(client, Prefer="wait=soon"))["state"] == "running"


async def test_a_wait_ends_before_the_request_must() -> None:
    async with slow(seconds=0.02) as (_, client, _store):
        assert (await begun(client, Prefer="wait=999"))["state"] == "running"


async def test_what_is_wrong_is_told_at_once() -> None:
    async with served() as one:
        client = await one.client()
        wrong = await client.post(f"{ME}/import", json={"conversations": 3})
        assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/conversations")
        reader = await one.client(rights=("read",))
        assert (await reader.post(f"{ME}/import", json=TALK)).status_code == 403
        assert (await client.get("/v1/operations")).json() == []


async def test_what_goes_wrong_is_kept_as_a_problem() -> None:
    class Away(DictStore):
        async def apply(self, batch: Batch) -> Applied:
            if any("turn" in str(change) for change in batch.changes):
                raise StoreUnavailableError("The store is away.")
            return await super().apply(batch)

    async with served(store=Away()) as one:
        client = await one.client()
        answer = await client.post(f"{ME}/import", json=TALK, headers={"Prefer": "wait=5", "X-Request-Id": "r1"})
        assert (answer.status_code, answer.json()["request_id"]) == (503, "r1")
        assert answer.headers["content-type"] == "application/problem+json"
        told = (await client.get(answer.headers["location"])).json()
        assert (told["state"], told["problem"]) == ("failed", answer.json())


async def test_what_nobody_expected_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a secret detail")

    logged: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: logged.append(told))
    monkeypatch.setattr(Call, "answer", broken)
    async with served() as one:
        answer = await (await one.client()).post("/v1/reembed", headers={"Prefer": "wait=5"})
        assert (answer.status_code, "secret" in answer.text) == (500, False)
        assert "reembed broke off (request-" in logged[0]["message"]
        assert isinstance(logged[0]["exception"], ZeroDivisionError)


async def test_an_operation_can_be_followed() -> None:
    async with slow() as (_, client, store):
        where = f"/v1/operations/{(await begun(client))['id']}/events"
        following = asyncio.create_task(client.get(where))
        await anyio.wait_all_tasks_blocked()
        store.gate.set()
        answer = await following
        assert answer.headers["content-type"].startswith("text/event-stream")
        found = events(answer)
        assert [one for one, _, _ in found] == sorted({one for one, _, _ in found})
        assert [name for _, name, _ in found][:: len(found) - 1] == ["running", "done"]
        assert found[-1][2]["answer"]["turns"] == 2
        # Whoever comes later, or again, gets what is new.
        assert [name for _, name, _ in events(await client.get(where))] == ["done"]
        for seen, number in (("1", 1), ("x", 1), ("-1", 1), (str(found[-1][0] - 1), 1)):
            assert len(events(await client.get(where, headers={"Last-Event-ID": seen}))) == number
        assert (await client.get(where, headers={"Last-Event-ID": str(found[-1][0])})).status_code == 204


async def test_a_stream_says_that_it_is_there_and_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_http, "_BEAT", 0)
    async with slow(seconds=3) as (one, client, _store):
        told = await begun(client)
        ticks = count()
        monkeypatch.setattr(one.api._following, "_now", lambda: next(ticks))
        answer = await client.get(f"/v1/operations/{told['id']}/events")
        assert [name for _, name, _ in events(answer)] == ["running"]
        assert answer.text.count(": it goes on\n\n") == 2


async def test_an_operation_can_be_broken_off() -> None:
    async with slow() as (one, client, store):
        where = f"/v1/operations/{(await begun(client))['id']}"
        await anyio.wait_all_tasks_blocked()
        following = asyncio.create_task(client.get(f"{where}/events"))
        await anyio.wait_all_tasks_blocked()
        answer = await client.delete(where)
        assert (answer.status_code, answer.json()["state"], answer.json()["answer"]) == (200, "cancelled", None)
        assert events(await following)[-1][1] == "cancelled"
        assert (await client.delete(where)).json() == answer.json()
        store.gate.set()
        done = await begun(client, Prefer="wait=0")
        await anyio.wait_all_tasks_blocked()
        assert (await client.delete(f"/v1/operations/{done['id']}")).json()["state"] == "done"
        assert one.api.operations._held


async def test_one_that_does_not_end_at_once_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stubborn(*_: Any, **__: Any) -> None:
        while not gate.is_set():
            try:
                await gate.wait()
            except asyncio.CancelledError:
                refused.append(1)

    gate, refused = asyncio.Event(), list[int]()
    monkeypatch.setattr(Call, "answer", stubborn)
    monkeypatch.setattr(over_http, "_CANCELLING", 0)
    async with served() as one:
        client = await one.client()
        told = (await client.post("/v1/reembed")).json()
        await anyio.wait_all_tasks_blocked()
        answer = await client.delete(f"/v1/operations/{told['id']}")
        assert (answer.status_code, answer.json()["state"]) == (202, "running")
        gate.set()
        await anyio.wait_all_tasks_blocked()
        assert refused == [1]


async def test_one_that_had_not_begun_is_broken_off_too() -> None:
    async with served() as one:
        key = (await one.memory.keys.create(tenant="acme", rights=("admin",))).key
        call = Call(verb=VERBS["reembed"], caller=Caller.with_key(key), data={})
        operation, _ = one.api.operations.begin(call, "r1")
        one.api.operations.cancel(operation)
        assert (await one.api.operations.ended(operation, 5)).state == "cancelled"


async def test_nobody_else_learns_of_an_operation() -> None:
    async with served() as one:
        client = await one.client()
        own = (await begun(client))["id"]
        agents = (await client.post(f"{ME}/import", json={**TALK, "scope": {"agent": "clerk"}})).json()["id"]
        whole = (await client.post("/v1/reembed")).json()["id"]
        told = {"own": own, "agents": agents, "whole": whole}
        keys: list[tuple[dict[str, Any], set[str]]] = [
            ({}, {"own", "agents", "whole"}),
            ({"rights": ("write",)}, {"own", "agents"}),
            ({"rights": ("read",)}, set()),
            ({"user": "alice"}, {"own", "agents"}),
            ({"user": "bob"}, set()),
            ({"agent": "clerk"}, {"agents"}),
            ({"agent": "other"}, set()),
            ({"team": "sales"}, set()),
            ({"tenant": "globex"}, set()),
        ]
        for key, seen in keys:
            other = await one.client(**key)
            assert {one["id"] for one in (await other.get("/v1/operations")).json()} == {told[name] for name in seen}
            for name, id_ in told.items():
                for method, path in (("GET", ""), ("GET", "/events"), ("DELETE", "")):
                    answer = await other.request(method, f"/v1/operations/{id_}{path}")
                    assert answer.status_code == (200 if name in seen else 404), (key, name)
                    if answer.status_code == 404:
                        assert answer.json()["detail"] == MISSING.format(repr(id_))
        missing = await client.get("/v1/operations/none")
        assert (missing.status_code, missing.json()["detail"]) == (404, MISSING.format("'none'"))


async def test_one_that_is_sent_again_is_the_same_operation() -> None:
    async with slow() as (_, client, store):
        told = await begun(client, **{"Idempotency-Key": "k1"})
        again = await client.post(f"{ME}/import", json=TALK, headers={"Idempotency-Key": "k1"})
        assert (again.status_code, again.json()["id"]) == (202, told["id"])
        assert again.headers["idempotency-replayed"] == "true"
        other = await client.post(f"{ME}/import", json={"conversations": []}, headers={"Idempotency-Key": "k1"})
        assert other.status_code == 422
        assert (await begun(client, **{"Idempotency-Key": "k2"}))["id"] != told["id"]
        store.gate.set()
        answer = await client.post(f"{ME}/import", json=TALK, headers={"Idempotency-Key": "k1", "Prefer": "wait=5"})
        assert (answer.status_code, answer.json()["turns"]) == (200, 2)


async def test_one_that_is_sent_again_to_another_process_is_carried_out_once() -> None:
    async with served() as one:
        client = await one.client()
        named = {"Idempotency-Key": "k1", "Prefer": "wait=5"}
        first = await client.post(f"{ME}/import", json=TALK, headers=named)
        one.api.operations._held.clear()
        again = await client.post(f"{ME}/import", json=TALK, headers=named)
        assert (again.status_code, again.json()) == (200, first.json())
        assert len((await client.get(f"{ME}/events")).json()) == 2


async def test_a_tenant_has_so_many_running() -> None:
    async with slow(operations=2) as (one, client, store):
        for _ in range(2):
            await begun(client)
        refused = await client.post(f"{ME}/import", json=TALK)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
        assert refused.json()["type"] == "urn:memoranda:problem:too-many-operations"
        store.gate.set()
        assert (await (await one.client("globex")).post("/v1/reembed")).status_code == 202
        await anyio.wait_all_tasks_blocked()
        await begun(client)


async def test_a_process_holds_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_MOST", 2)
    async with served() as one:
        client = await one.client()
        ids = []
        for _ in range(4):
            ids.append((await client.post("/v1/reembed")).json()["id"])
            await anyio.wait_all_tasks_blocked()
            one.clock.advance(seconds=1)
        assert [held["id"] for held in (await client.get("/v1/operations")).json()] == ids[:1:-1]
    async with slow(operations=0) as (_, client, _store):
        for status in (202, 202, 503):
            assert (await client.post(f"{ME}/import", json=TALK)).status_code == status


async def test_an_operation_is_known_for_an_hour_after_its_end() -> None:
    async with slow() as (one, client, store):
        where = f"/v1/operations/{(await begun(client))['id']}"
        one.clock.advance(hours=5)
        assert (await client.get(where)).status_code == 200
        store.gate.set()
        await anyio.wait_all_tasks_blocked()
        one.clock.advance(minutes=59)
        assert (await client.get(where)).json()["state"] == "done"
        one.clock.advance(minutes=1)
        assert (await client.get(where)).status_code == 404


async def test_all_are_broken_off_when_the_server_ends() -> None:
    async with slow() as (one, client, _store):
        where = f"/v1/operations/{(await begun(client))['id']}"
        await anyio.wait_all_tasks_blocked()
        following = asyncio.create_task(client.get(f"{where}/events"))
        await anyio.wait_all_tasks_blocked()
        server = _Server(uvicorn.Config(one.api), one.api)
        server.handle_exit(15, None)
        assert server.should_exit
        assert events(await following)[-1][1] == "cancelled"
        assert (await client.post(f"{ME}/import", json=TALK)).status_code == 503
        await one.api.operations.close()
        assert (await client.get(where)).json()["state"] == "cancelled"


async def test_other_methods_and_paths_are_refused() -> None:
    async with served() as one:
        client = await one.client()
        told = (await client.post("/v1/reembed")).json()["id"]
        for method, path, allowed in (
            ("POST", "", "GET"),
            ("PUT", f"/{told}", "DELETE, GET"),
            ("DELETE", f"/{told}/events", "GET"),
        ):
            answer = await client.request(method, f"/v1/operations{path}")
            assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
        assert (await client.head(f"/v1/operations/{told}")).status_code == 200
        for path in (f"/{told}/other", f"/{told}/events/more"):
            assert (await client.get(f"/v1/operations{path}")).status_code == 404
        assert (await client.get("/v1/operations", headers={"Authorization": ""})).status_code == 401


def test_the_description_says_what_is_answered_before_it_has_ended() -> None:
    told = document()
    begins = {
        one["operationId"]
        for path in told["paths"].values()
        for one in path.values()
        if one["responses"].get("202", {}).get("headers")
    }
    assert begins == {
        "reembed", "rebuild", "consolidate", "run_job", "import_conversations", "evaluate", "flush_idle"
    }  # fmt: skip
    paths = {path: {*methods} for path, methods in told["paths"].items() if "operations" in path}
    assert paths == {
        "/v1/operations": {"get"},
        "/v1/operations/{id}": {"get", "delete"},
        "/v1/operations/{id}/events": {"get"},
    }
