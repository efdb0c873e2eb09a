"""What the API allows: requests a minute and at once, and how much may be kept."""

import asyncio
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.types import Scope

from doors.http.asking import ME, served
from memoranda.doors.http.openapi import document
from memoranda.doors.settings import read_settings
from memoranda.doors.wire import limits
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.limits import MINUTE, Gate, Limits, Standing, Window
from memoranda.doors.wire.problems import Problem
from memoranda.errors import SetupError, StoreUnavailableError

pytestmark = pytest.mark.anyio


async def test_a_key_has_so_many_requests_a_minute() -> None:
    async with served({"rate": 3, "tenant_rate": 0}) as one:
        client, other = await one.client(), await one.client()
        left = [(await client.get(f"{ME}/profile")).headers["ratelimit"] for _ in range(3)]
        assert left == ['"key";r=2;t=60', '"key";r=1;t=60', '"key";r=0;t=60']
        one.clock.advance(seconds=20)
        refused = await client.get(f"{ME}/profile")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "40")
        assert refused.headers["ratelimit-policy"] == '"key";q=3;w=60'
        assert refused.headers["ratelimit"] == '"key";r=0;t=40'
        assert refused.json()["type"] == "urn:memoranda:problem:too-many-requests"
        assert (await other.get(f"{ME}/profile")).status_code == 200
        one.clock.advance(seconds=40)  # what was refused was not counted
        assert (await client.get(f"{ME}/profile")).headers["ratelimit"] == '"key";r=2;t=60'


async def test_a_tenant_has_so_many_with_all_of_its_keys() -> None:
    async with served({"rate": 2, "tenant_rate": 3}) as one:
        first, second, foreign = await one.client(), await one.client(), await one.client("globex")
        told = [(await client.get(f"{ME}/profile")) for client in (first, first, second, second)]
        assert [answer.status_code for answer in told] == [200, 200, 200, 429]
        assert told[0].headers["ratelimit"] == '"key";r=1;t=60, "tenant";r=2;t=60'
        assert told[3].headers["ratelimit-policy"] == '"tenant";q=3;w=60'
        assert (await foreign.get(f"{ME}/profile")).status_code == 200
        one.clock.advance(seconds=MINUTE)  # the refused one was not counted for its key either
        assert (await second.get(f"{ME}/profile")).headers["ratelimit"].startswith('"key";r=1')


async def test_limits_are_told_with_whatever_is_answered_to_a_key_and_to_nobody_else() -> None:
    async with served() as one:
        client = await one.client()
        for answer in (await client.get("/v1/nowhere"), await client.post(f"{ME}/recall", json={"query": 3})):
            assert answer.status_code in {404, 422}
            assert '"key";r=' in answer.headers["ratelimit"]
        assert "ratelimit" not in (await client.get("/healthz")).headers
        unknown = await client.get(f"{ME}/profile", headers={"Authorization": "Bearer mra_no"})
        assert (unknown.status_code, "ratelimit" in unknown.headers) == (401, False)


async def test_no_limit_is_no_header() -> None:
    async with served({"rate": 0, "tenant_rate": 0}) as one:
        assert "ratelimit" not in (await (await one.client()).get(f"{ME}/profile")).headers


async def test_a_process_works_on_so_many_at_once_and_still_says_that_it_lives() -> None:
    async with served({"at_once": 1}) as one:
        client = await one.client()
        with one.api._gate.entered():
            refused = await client.get(f"{ME}/profile")
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert refused.json()["type"] == "urn:memoranda:problem:busy"
            assert (await client.get("/healthz")).status_code == 200
        both = await asyncio.gather(*(client.get(f"{ME}/profile") for _ in range(2)))
        assert sorted(answer.status_code for answer in both) in ([200, 200], [200, 503])
        assert (await client.get(f"{ME}/profile")).status_code == 200  # each place was given back


async def test_one_key_leaves_room_for_others() -> None:
    async with served({"key_at_once": 1}) as one:
        first, second = await one.client(), await one.client()
        with one.api._gate.entered_by(await one.api._caller(Request(asked_with(first)))):
            refused = await first.get(f"{ME}/profile")
            assert (refused.status_code, refused.json()["type"]) == (429, "urn:memoranda:problem:busy")
            assert (await second.get(f"{ME}/profile")).status_code == 200
        assert (await first.get(f"{ME}/profile")).status_code == 200
        assert not one.api._gate._busy_with


def asked_with(client: httpx2.AsyncClient) -> Scope:
    """A request that shows the key of a client."""
    return {"type": "http", "headers": [(b"authorization", client.headers["authorization"].encode())]}


@pytest.mark.parametrize(
    ("allowed", "what"),
    [
        ({"user_items": 2}, "items of this user"),
        ({"user_bytes": 80_000}, "bytes of this user"),
        ({"conversation_items": 2}, "items of this conversation"),
    ],
)
async def test_nothing_is_written_beyond_a_quota(allowed: dict[str, Any], what: str) -> None:
    async with served(allowed) as one:
        client = await one.client()

        async def say(text: str, conversation: str = "c1", user: str = "alice") -> Any:
            body = {"messages": [{"role": "user", "content": text}], "conversation": conversation}
            return await client.post(f"/v1/users/{user}/messages", json=body)

        assert (await say("I prefer short mails. I live in Berlin.")).status_code == 200
        await say("My dog is called Rex.")
        refused = await say("I like tea.")
        assert (refused.status_code, "retry-after" in refused.headers) == (402, False)
        assert refused.json()["type"] == "urn:memoranda:problem:over-quota"
        assert what in refused.json()["detail"]
        assert (await say("I like tea.", user="bob")).status_code == 200
        assert (await say("I like tea.", "c2")).status_code == (200 if "conversation_items" in allowed else 402)
        assert (await client.post(f"{ME}/recall", json={"query": "dog?"})).status_code == 200
        assert (await client.post(f"{ME}/forget", json={"conversation": "c1"})).status_code == 200
        if "user_bytes" not in allowed:  # what an image no longer needs it keeps until it is built anew
            assert (await say("I like tea.")).status_code == 200


async def test_a_quota_of_conversations_counts_the_one_in_the_path() -> None:
    async with served({"conversation_items": 1}) as one:
        client = await one.client()
        await one.memory.scope(tenant="acme", user="alice").add(
            [{"role": "user", "content": "I prefer short mails."}], conversation="c1"
        )
        for name, status in (("c1", 402), ("c2", 200)):
            body = {"messages": [{"role": "user", "content": "I like tea."}]}
            answer = await client.post(f"{ME}/conversations/{name}/working", json=body)
            assert answer.status_code == status, answer.text


def test_a_window_moves_by_seconds() -> None:
    window = Window()
    for now in (0, 30, 30):
        window.add(now)
    assert window.standing("key", 3, 30) == Standing(policy="key", most=3, left=0, seconds=30)
    assert window.standing("key", 2, 30).seconds == 60  # two of three must be gone
    assert window.standing("key", 3, 59).left == 0
    assert window.standing("key", 3, 60).left == 1
    assert window.standing("key", 3, 90) == Standing(policy="key", most=3, left=3, seconds=0)
    window.add(100)
    assert window.standing("key", 3, 50).left == 3  # the clock was set back
    window.others = {40: 2, 51: 1}  # that of another is a second ahead
    window.add(50)
    assert window.standing("key", 3, 50) == Standing(policy="key", most=3, left=0, seconds=50)
    assert window.standing("key", 5, 50) == Standing(policy="key", most=5, left=1, seconds=50)
    assert window.standing("key", 3, 100).left == 1


async def test_the_one_longest_without_a_request_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST", 2)
    async with served({"rate": 9, "tenant_rate": 0}) as one:
        told = [(await one.api._gate.counted(Caller(tenant="acme", root=name)))["RateLimit"] for name in "abcba"]
        assert told == ['"key";r=8;t=60'] * 3 + ['"key";r=7;t=60', '"key";r=8;t=60']


async def test_processes_count_together() -> None:
    async with served({"rate": 4, "tenant_rate": 0, "shared": True}) as one:
        runtime, caller = one.memory.runtime, Caller(tenant="acme", root="k")
        gates = [Gate(one.api._limits, runtime.clock, runtime.leases, name) for name in "ab"]

        async def left(number: int, caller: Caller = caller) -> int:
            told = (await gates[number].counted(caller))["RateLimit"]
            return int(told.split("r=")[1].split(";")[0])

        assert [await left(number) for number in (0, 0, 1)] == [3, 2, 3]  # nobody has told anything yet
        one.clock.advance(seconds=1)
        assert await left(0, Caller(tenant="globex", root="k")) == 3
        assert [await left(number) for number in (0, 1)] == [1, 0]
        one.clock.advance(seconds=1)
        with pytest.raises(Problem) as refused:
            await left(0)
        assert refused.value.headers["Retry-After"] == "58"
        one.clock.advance(seconds=58)
        assert await left(1) == 1  # one of each is less than a minute old
        one.clock.advance(seconds=600)
        assert await left(1) == 3


async def test_each_counts_alone_while_the_cache_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: Any, **__: Any) -> None:
        raise StoreUnavailableError("The cache is away.")

    async with served({"rate": 3, "shared": True}) as one:
        client = await one.client()
        monkeypatch.setattr(one.memory._runtime.leases._cache, "read", away)
        for status in (200, 200, 200, 429):
            assert (await client.get(f"{ME}/profile")).status_code == status


def test_limits_are_settings(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "memoranda.toml"
    file.write_text("[limits]\nrate = 60\nseconds = 1.5\n")
    told = read_settings({}, file).limits
    assert Limits.of(told) == Limits(rate=60, seconds=1.5)
    assert Limits.of(told, "rate=0", "at_once=7") == Limits(rate=0, seconds=1.5, at_once=7)
    monkeypatch.setenv("MEMORANDA_LIMITS", '{"user_items": 9}')
    assert Limits.of(read_settings({}, file).limits) == Limits(user_items=9)
    assert Limits.of("{}") == Limits()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", '{"rates": 1}', '{"rate": -1}', '{"rate": true}', '{"rate": 1.5}', '{"body": 0}', '{"rate": "9"}'],
)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(SetupError, match=r"limits is .*tenant_rate"):
        Limits.of(text)
    with pytest.raises(SetupError):
        Limits.of("{}", "rate")


def test_the_description_names_quotas_for_what_is_written() -> None:
    paths = document()["paths"]
    assert "402" in paths["/v1/users/{user}/messages"]["post"]["responses"]
    assert "402" not in paths["/v1/users/{user}/recall"]["post"]["responses"]
    assert "402" not in paths["/v1/users/{user}/forget"]["post"]["responses"]
    assert all({"429", "503"} <= one["responses"].keys() for path in paths.values() for one in path.values())
