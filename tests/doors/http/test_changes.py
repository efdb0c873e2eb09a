"""What changed since a cursor, over HTTP: the same verb, its route and its refusals."""

from typing import Any

import pytest

from doors.http.asking import ME, served
from memoranda.doors.http.openapi import document

pytestmark = pytest.mark.anyio


async def test_changes_are_followed_by_a_cursor() -> None:
    async with served() as one:
        client = await one.client()

        async def say(text: str) -> None:
            body = {"messages": [{"role": "user", "content": text}], "conversation": "c1"}
            assert (await client.post(f"{ME}/messages", json=body)).status_code == 200

        async def news(**query: Any) -> Any:
            answer = await client.get(f"{ME}/changes", params=query)
            assert answer.status_code == 200, answer.text
            return answer.json()

        await say("I live in Berlin.")
        first = await news(limit=1)
        assert [(item["what"], item["of"]) for item in first["items"]] == [("added", "event")]
        assert first["items"][0]["event"]["content"] == "I live in Berlin."
        assert (first["more"], first["degraded"]) == (True, [])
        second = await news(limit=1, cursor=first["cursor"])
        assert second["items"][0]["record"]["text"] == "User lives in Berlin."
        last = await news(cursor=second["cursor"])
        assert (last["items"], last["more"]) == ([], False)
        assert (await client.post(f"{ME}/forget", json={"conversation": "c1"})).status_code == 200
        erased = await news(cursor=last["cursor"])
        told = {first["items"][0]["id"], second["items"][0]["id"]}
        assert {(item["what"], item["id"]) for item in erased["items"]} >= {("erased", name) for name in told}


async def test_a_cursor_is_checked() -> None:
    async with served() as one:
        client = await one.client()
        cursor = (await client.get(f"{ME}/changes")).json()["cursor"]
        for path, query, status in (
            (ME, {"cursor": "7"}, 422),
            ("/v1/users/bob", {"cursor": cursor}, 404),
            (ME, {"cursor": cursor, "scope.agent": "clerk"}, 404),
            (ME, {"limit": 0}, 422),
            (ME, {"limit": 1_001}, 422),
        ):
            assert (await client.get(f"{path}/changes", params=query)).status_code == status
        assert (await (await one.client(user="bob")).get(f"{ME}/changes")).status_code == 403
        assert (await (await one.client(rights=("write",))).get(f"{ME}/changes")).status_code == 403


async def test_whoever_has_all_of_it_is_told_so() -> None:
    async with served() as one:
        client = await one.client()
        first = await client.get(f"{ME}/changes")
        again = await client.get(f"{ME}/changes", headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 304


def test_the_description_has_it() -> None:
    told = document()["paths"]["/v1/users/{user}/changes"]["get"]
    assert {"cursor", "limit"} <= {one.get("name") for one in told["parameters"]}
    assert told["x-right"] == "read"
