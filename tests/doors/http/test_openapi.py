"""The description of the API: complete, the same as the one in the repository, and what the API does."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from doors.http.conftest import Clients
from memoranda import errors
from memoranda.doors.http.openapi import document
from memoranda.doors.http.routes import Route, matching, routes
from memoranda.doors.wire.calls import offered, verbs
from memoranda.verbs.registry import VERBS, Verb
from memoranda.verbs.scoped import InScope

pytestmark = pytest.mark.anyio
FILE = Path(__file__).parents[3] / "docs" / "openapi.json"


def test_the_file_in_the_repository_is_up_to_date() -> None:
    """`memoranda openapi > docs/openapi.json` writes it."""
    assert json.loads(FILE.read_text("utf-8")) == document()


def test_every_verb_has_a_route_of_its_own() -> None:
    found = {route.verb.name for route in routes()}
    assert found == {verb.name for verb in verbs()}
    assert VERBS.keys() - found == {"work", "ready", "doctor", "keys.check", "connections.refresh", "restore"}
    shapes = [(route.method, re.sub(r"{\w+}", "{}", route.path)) for route in routes()]
    assert len(set(shapes)) == len(shapes)
    names = [one["operationId"] for item in document()["paths"].values() for one in item.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("route", routes(), ids=lambda route: f"{route.method} {route.path}")
def test_a_route_finds_its_own_path(route: Route) -> None:
    path = [f"x{place}%2F" if part.startswith("{") else part for place, part in enumerate(route.segments)]
    found, names = matching(path)
    assert found[route.method] == route
    assert [*names.values()] == [f"x{place}/" for place, part in enumerate(route.segments) if part.startswith("{")]


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_every_reference_leads_somewhere_and_every_schema_is_one() -> None:
    found = document()
    for one in references(found):
        target: Any = found
        for part in one.removeprefix("#/").split("/"):
            target = target[part]
    for schema in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_error_has_a_type() -> None:
    kinds = {one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.MemorandaError)}
    assert len(document()["x-problems"]) == len(kinds)


def test_a_verb_that_is_declared_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoranda.verbs.registry.VERBS", dict(VERBS))
    verb = Verb(InScope.profile._load, "reads")
    verb.face, verb.method, verb.name = InScope, "likeness", "likeness"
    monkeypatch.setitem(VERBS, "likeness", verb)
    routes.cache_clear()
    try:
        assert [route.path for route in routes() if route.verb is verb] == ["/v1/users/{user}/likeness"]
    finally:
        routes.cache_clear()
    assert offered(verb)


@pytest.mark.parametrize("route", routes(), ids=lambda route: f"{route.method} {route.path}")
async def test_no_route_shows_what_another_tenant_has(client: Clients, route: Route) -> None:
    """What is not theirs and what is not there get the same answer, but for the ids that they name."""
    acme = await client()
    said = {"messages": [{"role": "user", "content": "My cat is called Zanzibar."}], "conversation": "c1"}
    event = (await acme.post("/v1/users/alice/messages", json=said)).json()["events"][0]
    goal = (await acme.post("/v1/users/alice/goals", json={"text": "Teach Zanzibar to swim"})).json()["id"]
    pool = (await acme.post("/v1/users/alice/pools", json={"name": "zanzibar"})).json()["id"]
    await acme.put("/v1/users/alice/conversations/c1/working/keys/draft", json={"value": "Zanzibar"})
    there = {"goal": goal, "pool": pool, "what": pool, "key": "draft", "record": event, "conversation": "c1"}
    answers = []
    for tenant, ids in (("beta", there), ("gamma", {**dict.fromkeys(there, NOBODYS), "key": "sketch"})):
        other = await client(tenant=tenant)
        path = "/" + "/".join(
            {"user": "alice", **ids}.get(part[1:-1], "none") if part.startswith("{") else part
            for part in route.segments
        )
        body = None if route.in_query else dict.fromkeys(("query", "question", "request"), "What is the cat called?")
        needed = _needed(route, body)
        answer = await other.request(route.method, path, **needed)
        answers.append((answer.status_code, _without_names(answer.text, [tenant, *ids.values()])))
    assert "anzibar" not in answers[0][1]
    assert answers[0] == answers[1]


NOBODYS = "01a21e75-fcc8-7000-9b45-d7c03961898c"


def _needed(route: Route, body: dict[str, Any] | None) -> dict[str, Any]:
    """The least that the route takes, from its schema, with words of the other's memory where there are any."""
    operation = document()["paths"][route.path][route.method.lower()]
    if body is None:
        params = {one["name"]: "zan" for one in operation["parameters"] if one.get("in") == "query" and one["required"]}
        return {"params": params}
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return {"json": {name: _value(schema["properties"][name], body.get(name)) for name in schema["required"]}}


def _value(schema: dict[str, Any], words: Any) -> Any:
    if words is not None:
        return words
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type") or next((one.get("type") for one in schema.get("anyOf", []) if one.get("type")), "string")
    return {"string": "zan", "integer": 1, "number": 0.5, "boolean": True, "array": [], "object": {}}.get(kind, "zan")


def _without_names(text: str, names: list[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(f"'{name}'", "NAME").replace(f'"{name}"', "NAME")
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|id-\d+|\"request_id\": \"[^\"]*\"", "ID", text)
    taken = r'"(?:milliseconds|seconds)": (?:{[^}]*}|[^,}]+)'
    return re.sub(rf"\d{{4}}-\d\d-\d\dT[0-9:.+]+|{taken}|[0-9a-f]{{64}}|mra_[\w.-]+", "T", text)
