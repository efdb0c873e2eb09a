"""The OpenAPI 3.1 description of the API, made from the registry."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from memoranda import __version__, errors
from memoranda.core.base.constraints import NAME
from memoranda.doors.http import fields, operations
from memoranda.doors.http.routes import Route, routes
from memoranda.doors.wire.callers import ALL_OR_PART, PLACE
from memoranda.doors.wire.calls import local
from memoranda.doors.wire.problems import STATUS, kind_of, title_of
from memoranda.verbs.registry import Stream
from memoranda.verbs.schema import Types, answer, arguments

_LINES = "application/x-ndjson"
_SCHEMAS = "#/components/schemas/"
_TITLES: Mapping[int, str] = {
    304: "What the caller has is still the answer.",
    400: "The request cannot be read.", 401: "No valid key was shown.",
    402: "As much is kept of this user or conversation as may be.", 403: "The key does not allow this.",
    404: "There is no such thing in this scope.", 409: "Somebody else wrote, or the version is another.",
    412: "The version is another than If-Match says.", 413: "The request is too large.",
    415: "The request is of a type that is not read.", 422: "The request is wrong; `errors` says where.",
    429: "Too many requests; Retry-After says when to try again.", 500: "The store is damaged, or of another version.",
    501: "This installation lacks something.", 502: "A model failed.", 503: "The store is away; try again.",
    504: "The request took too long.", 507: "The store has no space left.",
}  # fmt: skip
_HEADERS = {
    "Idempotency-Key": {
        "description": "A name for the request; sent again with it, it is carried out once. Known for a day.",
        "schema": NAME,
    },
    "If-Match": {
        "description": "The version that is to be changed; 412 if it is another.",
        "schema": {"type": "string", "pattern": '^"[0-9]{1,9}"$'},
    },
    "If-None-Match": {
        "description": "The tag of an earlier answer; 304 if it is still that.", "schema": {"type": "string"},
    },
    "Prefer": {
        "description": "wait=5 waits so many seconds for the end of the operation, and answers with what it came to.",
        "schema": {"type": "string"},
    },
}  # fmt: skip
_FIELDS = {
    "name": fields.NAME, "in": "query", "schema": {"type": "string"},
    "description": "The parts of the answer that are wanted, as items.id,items.text; or, as -trace, all but these.",
}  # fmt: skip
#: Headers of answers.
_TOLD = {
    "ETag": "The tag of the answer.",
    "RateLimit": "What is left of each limit: r requests, and one more in t seconds.",
    "RateLimit-Policy": "The limits: q requests in w seconds.",
    "X-Request-Id": "As the request brought it, or a new one.",
}
_BEGUN = {
    "202": {
        "description": "It is being carried out; `Location` is where to ask for it.",
        "headers": {"Location": {"schema": {"type": "string"}}},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Operation"}}},
    }
}
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id"],
    "properties": {
        "type": {"type": "string", "description": "What kind of problem it is; it never changes."},
        "title": {"type": "string", "description": "The kind in words."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong this time, and what to do."},
        "errors": {
            "type": "array",
            "description": "The places that are wrong.",
            "items": {
                "type": "object",
                "required": ["pointer", "detail"],
                "properties": {
                    "pointer": {"type": "string", "description": "A JSON pointer into the request."},
                    "detail": {"type": "string"},
                },
            },
        },
        "expected": {"type": "integer", "description": "The version that the caller gave, if it is not the current."},
        "found": {"type": "integer", "description": "The current version then."},
        "request_id": {"type": "string", "description": "As in the header X-Request-Id."},
    },
}


@cache
def _made() -> dict[str, Any]:
    types, answers = Types(at=f"{_SCHEMAS}In."), Types(answers=True, at=f"{_SCHEMAS}Out.")
    paths: dict[str, dict[str, Any]] = {}
    for route in sorted(routes(), key=lambda one: (one.path, one.method)):
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, types, answers)
    paths |= operations.described(_problems)
    schemas = {
        "Problem": _PROBLEM,
        "Operation": operations.SCHEMA,
        "Scope": {"type": "object", "properties": dict(PLACE), "additionalProperties": False, **ALL_OR_PART},
        **{f"In.{name}": one for name, one in types.defined.items()},
        **{f"Out.{name}": one for name, one in answers.defined.items()},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "memoranda", "version": __version__, "summary": "The memory of an AI agent."},
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": {
                fields.NAME: _FIELDS,
                **{name: {"name": name, "in": "header", **told} for name, told in _HEADERS.items()},
                **{
                    f"scope.{name}": {"name": f"scope.{name}", "in": "query", "schema": one}
                    for name, one in PLACE.items()
                },
            },
            "headers": {name: {"description": text, "schema": {"type": "string"}} for name, text in _TOLD.items()},
            "responses": {str(status): _problem(status, title) for status, title in _TITLES.items()},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "bearerFormat": "mra_…"}},
        },
        "x-problems": {
            f"urn:memoranda:problem:{kind_of(one)}": title_of(one)
            for one in sorted(_kinds(errors.MemorandaError), key=kind_of)
        },
    }


def document() -> dict[str, Any]:
    """Return the description."""
    return deepcopy(_made())


def _kinds(kind: type[errors.MemorandaError]) -> set[type[errors.MemorandaError]]:
    return {kind, *(one for sub in kind.__subclasses__() if sub.__module__ == errors.__name__ for one in _kinds(sub))}


def _operation(route: Route, types: Types, answers: Types) -> dict[str, Any]:
    verb = route.verb
    schema = arguments(verb, leaving=local(verb), types=types)
    own = {name: schema["properties"].pop(name) for name in route.own}
    schema["required"] = [name for name in schema["required"] if name not in own]
    stream, found = isinstance(verb, Stream), answer(verb, types=answers)
    run = "run" in route.named
    return {
        "operationId": f"{verb.name}{'_of_run' if run else ''}".replace(".", "_"),
        "summary": verb.summary,
        "tags": [verb.stratum],
        "x-right": verb.right,
        "parameters": [*_in_path(route, own), *(_in_query(route, schema) if route.in_query else ()), *_headers(route)],
        **({} if route.in_query else {"requestBody": _body(route, schema)}),
        "responses": {
            "200": {
                "description": "The answer.",
                "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in _TOLD},
                "content": {_LINES if stream else "application/json": {"schema": found["items"] if stream else found}},
            },
            **(_BEGUN if verb.facts.long else {}),
            **_problems(*_statuses(route)),
        },
    }


def _problems(*statuses: int) -> dict[str, Any]:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses}


def _statuses(route: Route) -> list[int]:
    """Every status but 200 that a request can come to."""
    usual = {*STATUS.values(), 400, 401, 429, 504}
    known = {304} if route.method == "GET" else set()
    bodies = set() if route.in_query else {413, 415}
    kept = {402} if route.verb.scoped and route.verb.facts.effect == "writes" else set()
    versions = {412} if "expect" in route.verb.signature.parameters else set()
    return sorted(usual | known | bodies | kept | versions)


def _in_path(route: Route, own: Mapping[str, Any]) -> list[dict[str, Any]]:
    texts = {
        "user": "Whose memory it is.",
        "conversation": "Whose working memory it is.",
        "run": "The workflow run whose working memory it is.",
    }
    return [
        {"name": one, "in": "path", "required": True}
        | ({"schema": own[one]} if one in own else {"schema": NAME, "description": texts[one]})
        for one in route.named
    ]


def _in_query(route: Route, schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    place = [{"$ref": f"#/components/parameters/scope.{name}"} for name in PLACE] if route.verb.scoped else []
    own = [
        {"name": name, "in": "query", "required": name in schema["required"], "schema": one}
        for name, one in schema["properties"].items()
    ]
    return own + place


def _headers(route: Route) -> list[dict[str, Any]]:
    verb = route.verb
    asked = {
        "Idempotency-Key": verb.facts.effect != "reads",
        "If-Match": "expect" in verb.signature.parameters,
        "If-None-Match": route.method == "GET",
        "Prefer": verb.facts.long,
    }
    names = (fields.NAME, *(name for name, fits in asked.items() if fits))
    return [{"$ref": f"#/components/parameters/{name}"} for name in names]


def _body(route: Route, schema: dict[str, Any]) -> dict[str, Any]:
    if route.verb.scoped:
        schema["properties"]["scope"] = {"$ref": f"{_SCHEMAS}Scope"}
    return {"required": bool(schema["required"]), "content": {"application/json": {"schema": schema}}}


def _problem(status: int, title: str) -> dict[str, Any]:
    if status < 400:
        return {"description": title}
    return {
        "description": title,
        "content": {"application/problem+json": {"schema": {"$ref": f"{_SCHEMAS}Problem"}}},
    }
