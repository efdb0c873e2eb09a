"""A call of a verb as a request: the inverse of how the HTTP door reads one."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import BoundArguments
from typing import Any
from urllib.parse import quote

from memoranda.core.base.checks import brief, require
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import GLOBAL, Scope
from memoranda.doors.http.routes import Route, routes_of
from memoranda.doors.wire.callers import PLACE
from memoranda.doors.wire.calls import local, offered
from memoranda.errors import CapabilityError, InputError, ScopeError
from memoranda.verbs.registry import Verb
from memoranda.verbs.schema import Schema, arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request.

    Attributes:
        path: still without the address of the server; `query`: names and texts, in order.
        body: JSON; None if it has none.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    body: Any = None


def request_of(verb: Verb[..., Any], scope: Scope | None, given: BoundArguments) -> Request:
    """Return the request that calls a verb.

    Args:
        verb: the verb.
        scope: its scope, if it has one.
        given: its arguments; of a verb without a scope, without the tenant, which is in the key.

    Raises:
        CapabilityError: it can be called only where the memory is open.
        ScopeError: it needs a conversation or a run.
        InputError: an argument cannot be sent.
    """
    if not offered(verb):
        raise CapabilityError(f"{verb.name} has no way over HTTP: call it where the memory is open.")
    route, names = _route(verb, scope)
    data = dict(_sent(verb, given.arguments))
    names |= {name: data.pop(name) for name in route.own}
    place = _place(scope) if scope else {}
    path = "/".join(_encoded(names[part[1:-1]]) if part.startswith("{") else part for part in route.segments)
    if route.in_query:
        pairs = {**data, **{f"scope.{name}": value for name, value in place.items()}}
        schemas = {**_schemas(verb), **{f"scope.{name}": schema for name, schema in PLACE.items()}}
        texts = ((name, text) for name, value in pairs.items() for text in _texts(name, value, schemas[name]))
        return Request(method=route.method, path=path, query=tuple(texts))
    return Request(method=route.method, path=path, body={**data, **({"scope": place} if place else {})})


def _route(verb: Verb[..., Any], scope: Scope | None) -> tuple[Route, dict[str, Any]]:
    """The first route of a verb whose place is named, and what its path names of the place."""
    known = {"user": scope.user, "conversation": scope.conversation, "run": scope.task} if scope else {}
    for route in routes_of(verb):
        within = {name: known[name] for name in route.named if name not in route.own}
        if None not in within.values():
            return route, within
    raise ScopeError(f"{verb.name} is about one conversation or run: name it.")


def _place(scope: Scope) -> dict[str, Any]:
    usual = {"channel": GLOBAL, "connections": (), "whole": False}
    found = {name: getattr(scope, name) for name in PLACE}
    return {name: plain(value) for name, value in found.items() if value != usual.get(name)}


@cache
def _schemas(verb: Verb[..., Any]) -> Mapping[str, Schema]:
    found: Mapping[str, Schema] = arguments(verb, leaving=local(verb))["properties"]
    return found


def _sent(verb: Verb[..., Any], given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What of the arguments is sent: not what is their default anyway, which another version may have changed."""
    for name, value in given.items():
        default = verb.signature.parameters[name].default
        if value is not default:
            require(name in _schemas(verb), name, value, "it where the memory is open; a server takes none")
            yield name, _json(name, value)


def _json(name: str, value: Any) -> Any:
    whole = [*value] if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping) else value
    try:
        return json.loads(json.dumps(plain(whole), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"{name} is {brief(value)}, which cannot be sent: give what can be written as JSON."
        ) from error


def _texts(name: str, value: Any, schema: Schema) -> list[str]:
    """A value as texts in an address, which the door reads by the schema."""
    if isinstance(value, list):
        require(value, name, value, "at least one, or leave it out")
        return [text for one in value for text in _texts(name, one, schema)]
    some = schema.get("anyOf", [schema])
    if isinstance(value, str) and any({"type", "enum"} & one.keys() for one in some):
        return [value]
    return [json.dumps(value)]


def _encoded(name: str) -> str:
    """A name as one part of a path; one of dots alone would be another place."""
    return quote(name, safe="").replace(".", "%2E") if not name.strip(".") else quote(name, safe="")
