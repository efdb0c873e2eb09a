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
from memoranda.core.base.scope import Owner
from memoranda.core.rows import Operation
from memoranda.core.rows.changes import Applied, Batch, Patch, Put
from memoranda.doors.http import operations as over_http
from memoranda.doors.http.openapi import document
from memoranda.doors.http.serving import _Server
from memoranda.doors.wire import operations
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.errors import StoreUnavailableError
from memoranda.flows.governance import operations as flow
from memoranda.stores.dict_ import DictStore
from memoranda.verbs.registry import VERBS

pytestmark = pytest.mark.anyio
TALK = {
    "conversations": [
        {"id": name, "messages": [{"role": "user", "content": f"I prefer short mails, {name}."}]}
        for name in ("c1", "c2")
    ]
}
MISSING = "There is no operation {} here; one is known until a day after its end."


class SlowWork(Slow):
    """A store whose gate holds up every write but those of operations."""

    async def apply(self, batch: Batch) -> Applied:
        own = {
            type(one.row) if isinstance(one, Put) else one.kind for one in batch.changes if isinstance(one, Put | Patch)
        }
        return await self._store.apply(batch) if own == {Operation} else await super().apply(batch)


@asynccontextmanager
async def slow(**limits: Any) -> AsyncIterator[tuple[Served, httpx2.AsyncClient, Slow]]:
    """An API on a store that answers no write until its gate is opened, and a client whose key was used before."""
    store = SlowWork(DictStore())
    async with served(limits, store) as one:
        client = await one.client()
        await client.get(f"{ME}/profile")
        store.gate = anyio.Event()
        try:
            yield one, client, store
        finally:
            store.gate.set()


async def begun(client: httpx2.AsyncClient, **headers: str) -> dict[str, Any]:
    """The operation of an import that was begun."""
    answer = await client.post(f"{ME}/import", json=TALK, headers=headers)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/operations/{answer.json()['id']}"
    found: dict[str, Any] = answer.json()
    return found


def in_another(client: httpx2.AsyncClient, process: Served) -> httpx2.AsyncClient:
    """A client with the same key, of another process."""
    transport = httpx2.ASGITransport(app=process.api)
    return httpx2.AsyncClient(transport=transport, base_url="http://memory", headers=client.headers)


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
    async with slow(seconds=0.3) as (_, client, _store):
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


async def test_what_nobody_expected_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(Call, "answer", broken)
    async with served() as one:
        answer = await (await one.client()).post("/v1/reembed", headers={"Prefer": "wait=5"})
        assert (answer.status_code, "secret" in answer.text) == (500, False)
    assert "reembed broke off (request-" in caplog.text
    assert "ZeroDivisionError" in caplog.text


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
        assert one.api.operations._held == {}


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
        operation, _ = await one.api.operations.begin(call, "r1")
        await one.api.operations.cancel(operation)
        assert (await one.api.operations.ended(call.caller, operation, 5)).state == "cancelled"


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
    async with served() as one, served(beside=one) as other:
        client = await one.client()
        there = in_another(client, other)
        named = {"Idempotency-Key": "k1", "Prefer": "wait=5"}
        first = await client.post(f"{ME}/import", json=TALK, headers=named)
        again = await there.post(f"{ME}/import", json=TALK, headers=named)
        assert (again.status_code, again.json()) == (200, first.json())
        assert again.headers["location"] == first.headers["location"]
        assert len((await client.get(f"{ME}/events")).json()) == 2


async def test_any_process_knows_an_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "BEAT", 0.001)
    monkeypatch.setattr(operations, "POLL", 0)
    async with slow() as (one, client, store), served(beside=one) as other:
        there = in_another(client, other)
        told = await begun(client)
        where = f"/v1/operations/{told['id']}"
        assert (await there.get(where)).json() == told
        assert [held["id"] for held in (await there.get("/v1/operations")).json()] == [told["id"]]
        following = asyncio.create_task(there.get(f"{where}/events"))
        store.gate.set()
        found = events(await following)
        assert (found[0][1], found[-1][1], found[-1][2]["answer"]["turns"]) == ("running", "done", 2)
        assert (await there.get(where, headers={"Prefer": "wait=5"})).json() == (await client.get(where)).json()
        assert await one.memory.runtime.leases.heard(Owner("acme", "alice"), f"operation {told['id']}") == {}


async def test_any_process_has_an_operation_break_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "BEAT", 0.001)
    monkeypatch.setattr(operations, "POLL", 0)
    async with slow() as (one, client, _store), served(beside=one) as other:
        where = f"/v1/operations/{(await begun(client))['id']}"
        answer = await in_another(client, other).delete(where)
        assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
        assert (await client.get(where)).json()["state"] == "cancelled"
        assert (await in_another(client, other).delete(where)).json()["state"] == "cancelled"


async def test_one_whose_worker_is_gone_has_failed_and_can_be_asked_for_again() -> None:
    async with slow() as (one, client, store), served(beside=one) as other:
        there, named = in_another(client, other), {"Idempotency-Key": "k1"}
        told = await begun(client, **named)
        where = f"/v1/operations/{told['id']}"
        one.clock.advance(seconds=30)
        assert (await there.get(where)).json()["state"] == "running"
        one.clock.advance(seconds=1)  # the other says nothing any more
        found = (await there.get(where)).json()
        assert (found["state"], found["problem"]["type"]) == ("failed", "urn:memoranda:problem:worker-gone")
        assert found["problem"]["detail"].startswith("The worker that ran it is gone; ask again.")
        assert found["version"] > told["version"]
        again = await there.post(f"{ME}/import", json=TALK, headers=named)
        assert (again.status_code, again.headers["idempotency-replayed"]) == (202, "false")
        assert again.json()["id"] != told["id"]
        assert not await flow.goes_on(one.memory.runtime, one.api.operations._held[told["id"]].operation)
        store.gate.set()


async def test_its_worker_breaks_off_what_has_ended_or_was_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    async with slow() as (one, client, _store):
        told = await begun(client)
        monkeypatch.setattr(operations, "BEAT", 0.001)
        other = (await client.post(f"{ME}/import", json=TALK)).json()
        row = one.api.operations._held[other["id"]].operation
        await flow.end(one.memory.runtime, row, state="failed", problem={"detail": "Another worker said so."})
        held = one.api.operations._held[other["id"]]
        await held.task
        found = (await client.get(f"/v1/operations/{other['id']}")).json()
        assert (found["state"], found["problem"]) == ("failed", {"detail": "Another worker said so."})
        assert (await client.get(f"/v1/operations/{told['id']}")).json()["state"] == "running"


@pytest.mark.parametrize("ending", ["failed", "cancelled"])
async def test_a_name_is_free_when_what_had_it_came_to_nothing(ending: str) -> None:
    async with slow() as (one, client, store):
        named = {"Idempotency-Key": "k1"}
        told = await begun(client, **named)
        where = f"/v1/operations/{told['id']}"
        if ending == "cancelled":
            await client.delete(where)
        else:
            await one.api.operations.close()
            one.api.operations._closed = False
        assert (await client.get(where)).json()["state"] == ending
        store.gate.set()
        again = await client.post(f"{ME}/import", json=TALK, headers={**named, "Prefer": "wait=5"})
        assert (again.status_code, again.json()["turns"]) == (200, 2)
        assert again.headers["idempotency-replayed"] == "false"


async def test_a_long_answer_is_given_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_LONGEST", 3)
    async with served() as one:
        client = await one.client()
        answer = await client.post(f"{ME}/import", json=TALK, headers={"Prefer": "wait=5"})
        assert answer.json()["turns"] == 2
        told = (await client.get(answer.headers["location"])).json()
        assert (told["state"], told["answer"]) == ("done", None)
        assert told["problem"]["type"] == "urn:memoranda:problem:answer-too-long"


async def test_an_end_that_cannot_be_written_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "BEAT", 0)
    failures = [StoreUnavailableError("away")] * 2

    async def end(*args: Any, **values: Any) -> Any:
        if failures:
            raise failures.pop()
        return await ended(*args, **values)

    ended = flow.end
    monkeypatch.setattr(flow, "end", end)
    async with served() as one:
        client = await one.client()
        answer = await client.post(f"{ME}/import", json=TALK, headers={"Prefer": "wait=5"})
        assert (answer.status_code, failures) == (200, [])
        assert (await client.get(answer.headers["location"])).json()["state"] == "done"


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


async def test_a_process_carries_out_so_many_and_a_list_has_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_MOST", 2)
    monkeypatch.setattr(flow, "LISTED", 2)
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


async def test_an_operation_is_known_for_a_day_after_its_end() -> None:
    async with slow() as (one, client, store):
        where = f"/v1/operations/{(await begun(client))['id']}"
        one.clock.advance(seconds=20)
        assert (await client.get(where)).json()["state"] == "running"
        store.gate.set()
        await anyio.wait_all_tasks_blocked()
        one.clock.advance(hours=23)
        assert (await client.get(where)).json()["state"] == "done"
        one.clock.advance(hours=1)
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
        assert events(await following)[-1][1] == "failed"
        assert (await client.post(f"{ME}/import", json=TALK)).status_code == 503
        await one.api.operations.close()
        told = (await client.get(where)).json()
        assert (told["state"], told["problem"]["type"]) == ("failed", "urn:memoranda:problem:worker-gone")
        assert "ask again" in told["problem"]["detail"]


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


def test_what_takes_long_can_be_asked_for_again() -> None:
    """One that broke off gives its name back: it is carried out again, and does nothing twice."""
    assert [verb.name for verb in VERBS.values() if verb.facts.long and (verb.facts.repeats or verb.facts.secret)] == []


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
