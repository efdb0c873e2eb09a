"""The API as its clients see it: verbs, places, problems, tags, writes that are sent again."""

import asyncio
import json
from datetime import timedelta
from time import process_time
from typing import Any

import anyio
import httpx2
import pytest

from doors.http.conftest import Clients, problem
from doors.watched import Watching
from memoranda import AsyncMemory, Settings
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import AnsweredCall
from memoranda.doors.http import fields
from memoranda.doors.http.app import Api, Limits
from memoranda.doors.http.keyring import FRESH, Keyring
from memoranda.doors.wire.watching import watched
from memoranda.ports import Query, Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock
from memoranda.verbs.registry import VERBS

pytestmark = pytest.mark.anyio
TURN = {"messages": [{"role": "user", "content": "I work at Globex in Oslo."}], "conversation": "c1"}


async def test_what_is_said_is_recalled(acme: httpx2.AsyncClient) -> None:
    said = await acme.post("/v1/users/alice/messages", json=TURN)
    assert said.status_code == 200
    assert len(said.json()["events"]) == 1
    found = (await acme.post("/v1/users/alice/recall", json={"query": "Where do I work?"})).json()
    assert "Globex" in found["items"][0]["text"]
    context = (await acme.post("/v1/users/alice/context", json={"query": "Where do I work?", "budget": 500})).json()
    assert "Globex" in context["stable_prefix"] + context["volatile_tail"]
    assert (await acme.post("/v1/users/bob/recall", json={"query": "Where do I work?"})).json()["items"] == []


async def test_a_request_names_its_place(acme: httpx2.AsyncClient) -> None:
    goal = {"text": "Ship 1.0", "scope": {"agent": "planner", "channel": "work"}}
    assert (await acme.post("/v1/users/alice/goals", json=goal)).status_code == 200

    async def goals(query: str) -> list[str]:
        return [one["text"] for one in (await acme.get(f"/v1/users/alice/goals{query}")).json()]

    assert await goals("?scope.agent=planner&scope.channel=work") == ["Ship 1.0"]
    assert await goals("?scope.agent=writer&scope.channel=work") == await goals("") == []
    assert await goals("?scope.whole=true") == ["Ship 1.0"]
    assert await goals("?scope.whole=true&states=blocked&states=completed") == []


async def test_a_path_names_what_a_verb_needs(acme: httpx2.AsyncClient) -> None:
    goal = (await acme.post("/v1/users/al%2Fice/goals", json={"text": "Ship 1.0"})).json()["id"]
    path = f"/v1/users/al%2Fice/goals/{goal}"
    assert (await acme.patch(path, json={"priority": 1})).json()["priority"] == 1
    assert (await acme.post(f"{path}/complete", json={"result": "It shipped."})).json()["state"] == "completed"
    assert (await acme.get(path)).json()["state"] == "completed"
    assert await acme.put("/v1/users/alice/conversations/c1/working/keys/draft", json={"value": {"to": "Bob"}})
    assert (await acme.get("/v1/users/alice/conversations/c1/working/keys/draft")).json() == {"to": "Bob"}
    assert (await acme.get("/v1/users/alice/runs/c1/working/keys/draft")).json() is None
    assert (await acme.delete("/v1/users/alice/conversations/c1/working/keys/draft")).status_code == 200


async def test_a_stream_is_lines(acme: httpx2.AsyncClient) -> None:
    await acme.post("/v1/users/alice/messages", json=TURN)
    answer = await acme.get("/v1/users/alice/export")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert "sha256" in json.loads(answer.text.splitlines()[-1])


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "kind", "pointer"),
    [
        ("POST", "recall", {"query": "x", "limit": "ten"}, 422, "argument", "/limit"),
        ("POST", "recall", {"query": "x", "limt": 1}, 422, "argument", "/limt"),
        ("POST", "recall", {}, 422, "argument", "/query"),
        ("POST", "recall", {"query": "x", "limit": 0}, 422, "argument", "/limit"),
        ("POST", "recall", {"query": "x", "scope": {"tenant": "b"}}, 422, "argument", "/scope/tenant"),
        ("POST", "recall", {"query": "x", "scope": {"team": "b"}}, 422, "argument", "/scope/team"),
        ("POST", "recall", {"query": "x", "scope": "b"}, 422, "argument", "/scope"),
        ("POST", "recall", {"query": "x", "scope": {"agent": 5}}, 422, "scope", None),
        ("POST", "recall", ["x"], 422, "argument", ""),
        ("POST", "recall?limit=1", {"query": "x"}, 422, "argument", ""),
        ("GET", "goals?states=blockd", None, 422, "argument", "/states/0"),
        ("GET", "audit?limit=ten", None, 422, "argument", "/limit"),
        ("GET", "audit?limit=1&limit=2", None, 422, "argument", "/limit"),
        ("GET", "goals/none", None, 404, "not-found", None),
        ("POST", "goals/none/complete", {"goal": "other"}, 422, "argument", "/goal"),
        ("PUT", "goals", {}, 405, "wrong-method", None),
        ("GET", "nothing", None, 404, "no-such-path", None),
        ("GET", "", None, 404, "no-such-path", None),
        ("GET", "goals/..%2F..%2Fbob%2Fgoals", None, 404, "not-found", None),
        ("GET", "%2E%2E/bob/goals", None, 404, "no-such-path", None),
    ],
)
async def test_what_is_wrong_with_a_request_is_said(
    acme: httpx2.AsyncClient, method: str, path: str, body: Any, status: int, kind: str, pointer: str | None
) -> None:
    url = httpx2.URL(f"http://memoranda/v1/users/alice/{path}")
    found = problem(await acme.request(method, url, json=body), status, kind)
    assert [one["pointer"] for one in found.get("errors", [])] == ([] if pointer is None else [pointer])


@pytest.mark.parametrize(
    ("content", "headers", "status", "kind"),
    [
        (b"{", {}, 400, "unreadable"),
        (b'{"query": "\xff"}', {}, 400, "unreadable"),
        (b'{"query": "x", "query": "y"}', {}, 400, "unreadable"),
        (b'{"query": NaN}', {}, 400, "unreadable"),
        (b'{"query": "\\ud800"}', {}, 400, "unreadable"),
        (b'{"\\ud800": 1}', {}, 400, "unreadable"),
        (b'{"query": ' + b"[" * 101 + b"]" * 101 + b"}", {}, 400, "unreadable"),
        (b"[" * 200_000, {}, 400, "unreadable"),
        (b'{"limit": ' + b"9" * 5_000 + b"}", {}, 400, "unreadable"),
        (b"{}", {"content-type": "text/plain"}, 415, "unsupported-type"),
        (b"{}", {"content-type": "application/json; charset=latin-1"}, 415, "unsupported-type"),
        (b'{"query": "' + b"x" * 2_000 + b'"}', {}, 413, "too-large"),
    ],
)
async def test_only_strict_json_is_read(
    memory: AsyncMemory, content: bytes, headers: dict[str, str], status: int, kind: str
) -> None:
    api = Api(memory, Limits(body=len(content) - 1 if status == 413 else 1 << 20))
    secret = (await memory.keys.create(tenant="acme")).secret
    told = {"authorization": f"Bearer {secret}", "content-type": "application/json", **headers}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=api), base_url="http://m") as client:
        problem(await client.post("/v1/users/alice/recall", content=content, headers=told), status, kind)


@pytest.mark.parametrize(
    "shown", ["", "Bearer", "Bearer mra_", "Bearer mra_YWNtZQ.x.y", "Basic YWNtZTp4", "Bearer None"]
)
async def test_without_a_valid_key_nothing_opens(api: Api, shown: str) -> None:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=api), base_url="http://m") as client:
        answer = await client.get("/v1/users/alice/goals", headers={"authorization": shown} if shown else {})
        problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert (await client.get("/healthz")).json()["status"] == "ok"
        assert (await client.get("/readyz")).json()["ready"] is True
        assert (await client.get("/openapi.json")).json()["openapi"] == "3.1.0"


@pytest.mark.parametrize("name", ["%ff", "%ED%A0%80", "a%C3"])
async def test_a_path_is_utf8(acme: httpx2.AsyncClient, name: str) -> None:
    for path in (f"/v1/users/{name}/goals", f"/v1/operations/{name}", f"/v1/users/alice/goals/{name}"):
        problem(await acme.get(path), 400, "unreadable")


async def test_what_somebody_keeps_is_tagged_by_all_of_it(acme: httpx2.AsyncClient) -> None:
    made = (await acme.post("/v1/users/alice/pools", json={"name": "p", "data": {"version": 7, "x": 1}})).json()
    path = f"/v1/users/alice/pools/{made['id']}/data"
    tag = (await acme.get(path)).headers["etag"]
    await acme.put(path, json={"path": "x", "value": 2})
    assert (await acme.get(path, headers={"If-None-Match": tag})).json() == {"version": 7, "x": 2}


async def test_what_goes_wrong_inside_is_a_problem_too(
    acme: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("SELECT secret FROM /etc")

    monkeypatch.setattr("memoranda.doors.http.conditions.demand", broken)
    told = problem(await acme.get("/v1/users/alice/goals", headers={"X-Request-Id": "r-1"}), 500, "unexpected")
    assert "SELECT" not in str(told)
    assert "SELECT" in caplog.text
    assert "r-1" in caplog.text


async def test_a_key_opens_what_it_is_for(client: Clients) -> None:
    reader = await client(user="alice", agent="planner", rights=["read"])
    assert (await reader.get("/v1/users/alice/goals")).status_code == 200
    for path, body, words in (
        ("/v1/users/alice/messages", TURN, "right 'write'"),
        ("/v1/users/alice/forget", {"everything": True}, "right 'forget'"),
        ("/v1/users/bob/recall", {"query": "x"}, "user 'alice' alone"),
        ("/v1/users/alice/recall", {"query": "x", "scope": {"agent": "writer"}}, "agent 'planner' alone"),
        ("/v1/keys", {}, "right 'admin'"),
    ):
        assert words in problem(await reader.post(path, json=body), 403, "access")["detail"]
    problem(await reader.get("/v1/users/alice/export"), 403, "access")


async def test_an_admin_of_one_user_is_no_admin_of_the_tenant(client: Clients) -> None:
    admin = await client(user="alice", rights=["admin"])
    problem(await admin.get("/v1/keys"), 403, "access")
    problem(await admin.get("/v1/jobs?user=bob"), 403, "access")
    assert (await admin.get("/v1/jobs")).status_code == 200
    for given in ({}, {"user": None}, {"user": "alice", "team": None}):
        key = (await admin.post("/v1/keys", json=given)).json()["key"]
        assert (key["user"], key["team"]) == ("alice", None)
    for given in ({"user": "bob"}, {"team": "crew"}):
        problem(await admin.post("/v1/keys", json=given), 403, "access")


async def test_an_admin_of_one_user_runs_jobs_for_that_user_alone(client: Clients, memory: AsyncMemory) -> None:
    admin = await client(user="alice", rights=["admin"])
    await admin.post("/v1/budget", json={"user": None, "month": 1})
    found = [await memory.budget(tenant="acme", user=one) for one in ("alice", None)]
    assert [one.month.amount for one in found] == [1, None]


async def test_an_admin_of_one_agent_is_no_admin_of_the_others(client: Clients) -> None:
    for user in ("alice", None):
        admin = await client(user=user, agent="planner", rights=["admin"])
        for path in ("/v1/keys", "/v1/consolidate", "/v1/jobs/decay"):
            assert "one agent" in problem(await admin.post(path, json={}), 403, "access")["detail"]


async def test_a_key_is_kept_in_no_answer(client: Clients, memory: AsyncMemory, store: Store) -> None:
    acme = await client()
    made = await acme.post("/v1/keys", json={}, headers={"Idempotency-Key": "one"})
    old = made.json()["key"]["id"]
    path = f"/v1/keys/{old}/rotate"
    new = await acme.post(path, json={}, headers={"Idempotency-Key": "two"})
    calls = (await store.find(Owner("acme", SHARED), Query(kind=AnsweredCall, tenant="acme", user=SHARED))).rows[0]
    assert [one.answer for one in calls] == [None, None]
    assert new.status_code == 200
    problem(await acme.post("/v1/keys", json={}, headers={"Idempotency-Key": "one"}), 409, "conflict")
    problem(await acme.post(path, json={}, headers={"Idempotency-Key": "two"}), 409, "conflict")
    assert len(await memory.keys.list(tenant="acme")) == 3


async def test_what_a_pinned_agent_writes_is_its_own(client: Clients, memory: AsyncMemory) -> None:
    planner = await client(agent="planner")
    await planner.post("/v1/users/alice/goals", json={"text": "Ship 1.0"})
    for agent, found in (("planner", 1), ("writer", 0)):
        assert len(await memory.scope(tenant="acme", user="alice", agent=agent).goals.find()) == found


async def test_a_revoked_key_is_believed_for_seconds_at_most(memory: AsyncMemory) -> None:
    made, now = await memory.keys.create(tenant="acme"), [0.0]
    ring = Keyring(memory, lambda: now[0])
    assert (await ring.opened(f"Bearer {made.secret}")) is not None
    await memory.keys.revoke(tenant="acme", key=made.key.id)
    now[0] = FRESH - 0.1
    assert (await ring.opened(f"Bearer {made.secret}")) is not None
    now[0] = FRESH
    assert (await ring.opened(f"Bearer {made.secret}")) is None


async def test_a_ring_holds_so_many_keys(memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoranda.doors.http.keyring._MOST", 1)
    ring = Keyring(memory, lambda: 0.0)
    for _ in range(3):
        assert await ring.opened(f"Bearer {(await memory.keys.create(tenant='acme')).secret}")
    assert len(ring._known) == 1


async def test_the_audit_names_the_key(client: Clients, memory: AsyncMemory) -> None:
    acme = await client(name="inbox")
    await acme.post("/v1/users/alice/messages", json=TURN)
    [key] = await memory.keys.list(tenant="acme")
    entries = await memory.scope(tenant="acme", user="alice").audit()
    assert [(one.operation, one.key) for one in entries] == [("add", key.id)]


async def test_a_write_that_is_sent_again_is_carried_out_once(client: Clients, memory: AsyncMemory) -> None:
    acme, name = await client(), {"Idempotency-Key": "mail-17"}
    first = await acme.post("/v1/users/alice/messages", json=TURN, headers=name)
    again = await acme.post("/v1/users/alice/messages", json=TURN, headers=name)
    assert first.json() == again.json()
    assert [one.headers["idempotency-replayed"] for one in (first, again)] == ["false", "true"]
    assert len(await memory.scope(tenant="acme", user="alice").events()) == 1
    other = {**TURN, "conversation": "c2"}
    problem(await acme.post("/v1/users/alice/messages", json=other, headers=name), 422, "input")
    pool = {"name": "sprint", "scope": {}}
    ids = {
        (await acme.post("/v1/users/alice/pools", json=pool, headers={"Idempotency-Key": "p"})).json()["id"]
        for _ in "12"
    }
    assert len(ids) == 1
    other_key = await client()
    assert (await other_key.post("/v1/users/alice/messages", json=other, headers=name)).status_code == 200


async def test_versions_are_tags(acme: httpx2.AsyncClient) -> None:
    pool = (await acme.post("/v1/users/alice/pools", json={"name": "sprint"})).json()["id"]
    path = f"/v1/users/alice/pools/{pool}"
    tag = (await acme.get(path)).headers["etag"]
    assert tag.startswith('"1-')
    written = {"path": "a", "value": 1}
    assert (await acme.put(f"{path}/data", json=written, headers={"If-Match": tag})).headers["etag"].startswith('"2-')
    problem(await acme.put(f"{path}/data", json=written, headers={"If-Match": tag}), 412, "version")
    problem(await acme.put(f"{path}/data", json={**written, "expect": 1}), 409, "version")
    problem(await acme.put(f"{path}/data", json=written, headers={"If-Match": '"1"'}), 412, "version")
    for wrong in ("*", f"W/{tag}", f"{tag}, {tag}", f'"{"9" * 5_000}"', '"x"', '""'):
        problem(await acme.put(f"{path}/data", json=written, headers={"If-Match": wrong}), 422, "argument")
    problem(await acme.post("/v1/users/alice/messages", json=TURN, headers={"If-Match": "*"}), 400, "no-precondition")


async def test_an_answer_that_is_known_is_not_sent_again(acme: httpx2.AsyncClient) -> None:
    path = "/v1/users/alice/profile"
    first = await acme.get(path)
    again = await acme.get(path, headers={"If-None-Match": f'W/"x", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    await acme.post("/v1/users/alice/messages", json=TURN)
    assert (await acme.get(path, headers={"If-None-Match": first.headers["etag"]})).status_code == 200
    assert (await acme.get(path, headers={"If-None-Match": "*"})).status_code == 304


async def test_a_request_has_an_id(acme: httpx2.AsyncClient) -> None:
    for given, kept in (("abc-1", True), ("a b", False), ("x" * 65, False), ("é", False)):
        name = (await acme.get("/healthz", headers={"X-Request-Id": given.encode()})).headers["x-request-id"]
        assert (name == given) is kept


async def test_what_takes_too_long_is_ended(
    memory: AsyncMemory, client: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    api = Api(memory, Limits(seconds=0.0))
    headers = (await client()).headers
    monkeypatch.setattr(DictStore, "find", never)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=api), base_url="http://m", headers=headers) as one:
        problem(await one.get("/v1/users/alice/goals"), 504, "too-slow")


async def test_a_store_that_is_away_is_said(acme: httpx2.AsyncClient, store: Store) -> None:
    await acme.get("/v1/users/alice/goals")
    await store.close()
    found = await acme.get("/v1/users/carol/goals")
    assert problem(found, 503, "store-unavailable")
    assert found.headers["retry-after"] == "2"
    ready = await acme.get("/readyz")
    assert (ready.status_code, ready.json()["ready"]) == (503, False)


async def test_an_expired_key_opens_nothing(client: Clients, clock: FrozenClock) -> None:
    short = await client(seconds=60)
    clock.now += timedelta(seconds=61)
    problem(await short.get("/v1/users/alice/goals"), 401, "unauthorized")


@pytest.mark.parametrize("name", ["agent", "channel", "conversation", "task", "connections"])
async def test_a_part_of_a_place_is_named_or_left_out(acme: httpx2.AsyncClient, name: str) -> None:
    for value in (None, "", {}):
        answer = await acme.post("/v1/users/alice/recall", json={"query": "tea?", "scope": {name: value}})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, f"/scope/{name}")
    for value in (False, 0, 0.0):
        assert (await acme.post("/v1/users/alice/entries/clean", json={"scope": {name: value}})).status_code == 422
    if name != "connections":
        assert (await acme.get(f"/v1/users/alice/goals?scope.{name}=")).status_code == 422


async def test_a_name_outlives_the_key_that_gave_it(client: Clients, memory: AsyncMemory, api: Api) -> None:
    acme, name = await client(), {"Idempotency-Key": "mail-17"}
    first = await acme.post("/v1/users/alice/messages", json=TURN, headers=name)
    for _ in "12":
        [old] = [one for one in await memory.keys.list(tenant="acme") if one.expires_at is None]
        secret = (await memory.keys.rotate(tenant="acme", key=old.id)).secret
    transport = httpx2.ASGITransport(app=api)
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://m", headers=headers) as new:
        again = await new.post("/v1/users/alice/messages", json=TURN, headers=name)
    assert (again.json(), again.headers["idempotency-replayed"]) == (first.json(), "true")


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/v1/keys", {"name": "x" * 3_000_000}, "/name"),
        ("/v1/users/alice/observations", {"content": "x " * 1_900_000}, None),
        ("/v1/users/alice/recall", {"query": "x " * 1_900_000}, None),
        ("/v1/users/alice/goals", {"text": "Ship", "x" * 3_000_000: 1}, f"/{'x' * 511}…"),
        ("/v1/users/alice/recall", {"query": "x", "scope": {"y" * 3_000_000: 1}}, f"/scope/{'y' * 505}…"),
    ],
)
async def test_what_is_too_long_is_refused_in_no_time(
    acme: httpx2.AsyncClient, path: str, body: Any, pointer: str | None
) -> None:
    begun = process_time()
    found = await acme.post(path, json=body)
    assert (found.status_code, [one["pointer"] for one in found.json().get("errors", [])]) == (
        422, [] if pointer is None else [pointer],
    )  # fmt: skip
    assert len(found.text) < 2_000
    assert process_time() - begun < 1.0  # to search it for secrets takes four seconds


@pytest.mark.parametrize("body", [{"AKIAQ3ZT7MXW5LNB2RVK": 1}, {"query": "x", "scope": {"AKIAQ3ZT7MXW5LNB2RVK": 1}}])
async def test_no_pointer_shows_a_secret(acme: httpx2.AsyncClient, body: Any) -> None:
    found = await acme.post("/v1/users/alice/recall", json=body)
    assert found.json()["errors"][0]["pointer"].endswith("/[withheld: api key]")
    assert "AKIAQ3ZT7MXW5LNB2RVK" not in found.text


async def test_what_somebody_keeps_is_no_version(acme: httpx2.AsyncClient) -> None:
    pool = (await acme.post("/v1/users/alice/pools", json={"name": "sprint"})).json()["id"]
    path = f"/v1/users/alice/pools/{pool}"
    await acme.put(f"{path}/data", json={"path": "version", "value": 7})
    data = await acme.get(f"{path}/data")
    assert '"version": 7' in data.text
    assert "-" not in data.headers["etag"]
    assert (await acme.get(path)).headers["etag"].startswith('"2-')


async def test_an_export_has_no_answers_of_calls(acme: httpx2.AsyncClient) -> None:
    await acme.post("/v1/users/alice/messages", json=TURN, headers={"Idempotency-Key": "a"})
    await acme.post("/v1/users/alice/import", json={"conversations": []}, headers={"Prefer": "wait=5"})
    kinds = {json.loads(line).get("kind") for line in (await acme.get("/v1/users/alice/export")).text.splitlines()}
    assert "events" in kinds
    assert not kinds & {"answered_calls", "operations"}


async def test_a_request_has_its_place_until_its_answer_has_been_sent(memory: AsyncMemory, client: Clients) -> None:
    api = Api(memory, Limits(at_once=1, seconds=0.2))
    key, sent, taken = (await client()).headers["authorization"].encode(), list[Any](), asyncio.Event()

    async def take(message: Any) -> None:
        sent.append(message)
        if message.get("more_body"):
            taken.set()
            await asyncio.Event().wait()

    async def nothing() -> Any:
        await asyncio.Event().wait()

    scope = {
        "type": "http", "method": "GET", "path": "/v1/users/alice/export", "raw_path": b"/v1/users/alice/export",
        "query_string": b"", "headers": [(b"authorization", key)], "asgi": {"spec_version": "2.3"},
    }  # fmt: skip
    slow = asyncio.create_task(api(scope, nothing, take))
    await taken.wait()
    other = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=api), base_url="http://m")
    problem(await other.get("/v1/users/alice/goals"), 503, "busy")
    await slow  # whoever does not take the next part gets no more
    assert sent[-1]["more_body"]
    problem(await other.get("/v1/users/alice/goals"), 401, "unauthorized")


async def test_an_address_shows_so_many_wrong_keys(client: Clients, memory: AsyncMemory, clock: FrozenClock) -> None:
    known, other = (await client()).headers, (await client()).headers
    looked: list[str] = []
    api = Api(memory, Limits(wrong_keys=3), now=lambda: 10.0 * len(looked))

    async def ask(host: str, key: str) -> httpx2.Response:
        looked.append(key)
        transport = httpx2.ASGITransport(app=api, client=(host, 1))
        async with httpx2.AsyncClient(transport=transport, base_url="http://m") as one:
            return await one.get("/v1/users/alice/goals", headers={"Authorization": key} if key else {})

    assert (await ask("10.0.0.1", known["authorization"])).status_code == 200
    for _ in range(5):
        problem(await ask("10.0.0.1", ""), 401, "unauthorized")  # which looks up nothing
    for number in range(3):
        problem(await ask("10.0.0.1", f"Bearer mra_x.{number}.y"), 401, "unauthorized")
    found = await ask("10.0.0.1", "Bearer mra_x.4.y")
    assert problem(found, 429, "too-many-wrong-keys")
    assert found.headers["retry-after"] == "60"
    problem(await ask("10.0.0.1", other["authorization"]), 429, "too-many-wrong-keys")  # it opened nothing yet
    assert (await ask("10.0.0.1", known["authorization"])).status_code == 200
    assert (await ask("10.0.0.2", other["authorization"])).status_code == 200
    clock.now += timedelta(seconds=60)
    problem(await ask("10.0.0.1", "Bearer mra_x.4.y"), 401, "unauthorized")
    for number in range(3):
        await ask(f"2001:db8::{number}", "Bearer mra_x.y.z")
    problem(await ask("2001:db8::ffff", "Bearer mra_x.y.z"), 429, "too-many-wrong-keys")
    problem(await ask("2001:db8:0:1::1", "Bearer mra_x.y.z"), 401, "unauthorized")
    assert (await ask("unix", "Bearer mra_x.y.z")).status_code == 401


async def test_what_is_refused_is_counted(store: Store, clock: FrozenClock) -> None:
    watched = Watching()
    async with await AsyncMemory.open(
        store, embedder="none", clock=clock, settings=Settings(observer=watched)
    ) as memory:
        api = Api(memory, Limits(rate=1))
        secret = (await memory.keys.create(tenant="acme")).secret
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=api), base_url="http://m") as one:
            for told in ("", secret, secret):
                await one.get("/v1/users/alice/goals/x", headers={"Authorization": f"Bearer {told}"})
    assert watched.kinds == ["unauthorized", "not-found", "too-many-requests"]


async def test_how_far_workers_are_behind_is_told(
    store: Store, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    observer, looks = Watching(), list[float]()

    async def wait(seconds: float) -> None:
        looks.append(seconds)
        await asyncio.Event().wait()

    monkeypatch.setattr("memoranda.doors.wire.watching.asyncio.sleep", wait)
    async with await AsyncMemory.open(
        store, embedder="none", clock=clock, settings=Settings(observer=observer)
    ) as memory:
        await memory.scope(tenant="acme", user="alice").observe("I live in Oslo.")
        clock.now += timedelta(seconds=90)
        async with watched(memory, lambda: {"acme", "globex"}):
            while not looks:
                await anyio.lowlevel.checkpoint()
    assert observer.waits == {"consolidation": 90.0, "worker": 90.0}


async def test_parts_of_an_answer_are_given_or_left_out(acme: httpx2.AsyncClient) -> None:
    await acme.post("/v1/users/alice/messages", json=TURN)
    path, body = "/v1/users/alice/recall", {"query": "Where do I work?"}
    whole = (await acme.post(path, json=body)).json()
    [text] = {(await acme.post(f"{path}?fields=items.text, reason", json=body)).text for _ in "12"}
    assert json.loads(text) == {"items": [{"text": one["text"]} for one in whole["items"]], "reason": None}
    less = (await acme.post(f"{path}?fields=-trace,-items.text", json=body)).json()
    assert less.keys() == whole.keys() - {"trace"}
    assert [one.keys() for one in less["items"]] == [one.keys() - {"text"} for one in whole["items"]]
    assert (await acme.post(f"{path}?fields=", json=body)).json().keys() == whole.keys()
    found = await acme.get("/v1/users/alice/events?fields=event.content&limit=1")
    assert found.json() == [{"event": {"content": TURN["messages"][0]["content"]}}]  # type: ignore[index]
    imported = await acme.post(
        "/v1/users/alice/import?fields=turns", json={"conversations": [{"id": "c", "messages": []}]},
        headers={"Prefer": "wait=5"},
    )  # fmt: skip
    assert imported.json() == {"turns": 0}
    lines = (await acme.get("/v1/users/alice/export?fields=-row")).text.splitlines()
    assert not any("row" in json.loads(line) for line in lines)
    for wrong in ("item", "items.txt", "items.text.x.y,none", "items,-trace", "-nothing"):
        told = await acme.post(f"{path}?fields={wrong}", json=body)
        assert problem(told, 422, "argument")["errors"][0]["pointer"].startswith("/fields")
    problem(await acme.post(f"{path}?query=x", json=body), 422, "argument")


def test_no_verb_has_an_argument_of_this_name() -> None:
    assert [verb.name for verb in VERBS.values() if fields.NAME in verb.signature.parameters] == []
