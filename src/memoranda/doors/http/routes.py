"""Which method and path each verb has, computed from its declaration.

A verb's path follows from its name and the identifiers that it needs: `goals.complete(goal, …)` is `POST
goals/{goal}/complete`. Methods with usual names are the resource itself: `goals.get` is `GET goals/{goal}`, `goals.add`
is `POST goals`. What is asked, or is an object, is never in an address, which proxies log: such reads are `POST` too.
All verbs of a scope lie below `/v1/users/{user}`; those of working memory below a conversation or a run of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import unquote

from memoranda.core.base.constraints import Id, constraint_of
from memoranda.doors.wire.calls import local, verbs
from memoranda.verbs.registry import Verb
from memoranda.verbs.schema import arguments

#: The methods of faces that are the resource itself, and what they are over HTTP.
_USUAL: Mapping[str, str] = {
    "add": "POST", "create": "POST", "find": "GET", "list": "GET", "get": "GET", "update": "PATCH",
}  # fmt: skip
_ASKED = frozenset({"query", "request", "question"})
_USER = ("v1", "users", "{user}")
#: Where the verbs of a face lie, if not below the user.
_WITHIN: Mapping[str, Sequence[tuple[str, ...]]] = {
    "working": ((*_USER, "conversations", "{conversation}"), (*_USER, "runs", "{run}")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A method and a path, and the verb that answers.

    Attributes:
        within: the part of the path that says whose memory it is, and perhaps which conversation's; `tail`: the rest.
            What stands in braces is named by the caller.
    """

    method: str
    within: tuple[str, ...]
    tail: tuple[str, ...]
    verb: Verb[..., Any]

    @property
    def segments(self) -> tuple[str, ...]:
        """All of the path."""
        return (*self.within, *self.tail)

    @property
    def path(self) -> str:
        """The path, as OpenAPI writes it."""
        return f"/{'/'.join(self.segments)}"

    @property
    def named(self) -> tuple[str, ...]:
        """What its path names."""
        return _names(self.segments)

    @property
    def in_query(self) -> bool:
        """Whether arguments come in the query of the address; else in the body."""
        return self.method in {"GET", "DELETE"}

    @property
    def own(self) -> tuple[str, ...]:
        """The arguments of the verb that its path names."""
        return _names(self.tail)

    def names(self, segments: Sequence[str]) -> dict[str, str] | None:
        """Return what a path names, each part of which is still encoded; None if it is not of this route."""
        if len(segments) != len(self.segments):
            return None
        pairs = [*zip(self.segments, segments, strict=True)]
        if any(own != given for own, given in pairs if not own.startswith("{")):
            return None
        return {own[1:-1]: unquote(given) for own, given in pairs if own.startswith("{")}


def _names(segments: Sequence[str]) -> tuple[str, ...]:
    return tuple(one[1:-1] for one in segments if one.startswith("{"))


def routes_of(verb: Verb[..., Any]) -> Iterator[Route]:
    """Yield the routes of a verb."""
    face = verb.name.rpartition(".")[0]
    for within in _WITHIN.get(face, ((*_USER,),)) if verb.scoped else (("v1",),):
        if verb.facts.route:
            method, _, path = verb.facts.route.partition(" ")
            tail = (*face.split(), *filter(None, path.split("/")))
            yield Route(method=method, within=within, tail=tail, verb=verb)
        else:
            yield _usual(verb, within, tuple(face.split()))


def _usual(verb: Verb[..., Any], within: tuple[str, ...], noun: tuple[str, ...]) -> Route:
    method = "GET" if verb.facts.effect == "reads" and _addressed(verb) else "POST"
    if "." in verb.name and (verb.method == "create" or (verb.method in _USUAL and not _asks(verb))):
        return Route(method=_USUAL[verb.method], within=within, tail=(*noun, *_identifier(verb)), verb=verb)
    tail = (*noun, *_identifier(verb), verb.method.replace("_", "-"))
    return Route(method=method, within=within, tail=tail, verb=verb)


def _identifier(verb: Verb[..., Any]) -> tuple[str, ...]:
    """The identifier with which its arguments begin, if they do, as a part of a path."""
    name, one = next(iter(verb.signature.parameters.items()), ("", None))
    if one is None or one.default is not one.empty or name in _ASKED | local(verb) or verb.method == "create":
        return ()
    return (f"{{{name}}}",) if verb.constraints.get(name) is constraint_of(Id) else ()


def _asks(verb: Verb[..., Any]) -> bool:
    return not _ASKED.isdisjoint(verb.signature.parameters)


def _addressed(verb: Verb[..., Any]) -> bool:
    """Whether all of its arguments may stand in an address."""
    schema = arguments(verb, leaving=local(verb))
    given, nothing = schema["properties"], {"type": "null"}
    told = all(nothing not in given[name].get("anyOf", ()) for name in schema["required"])  # an address tells no null
    return told and not given.keys() & _ASKED and all(map(_flat, given.values()))


def _flat(schema: Mapping[str, Any]) -> bool:
    """Whether values of a schema are texts, numbers, or lists of them."""
    some = schema.get("anyOf", [schema])
    return all(
        one.get("type") in {"string", "integer", "number", "boolean", "null"}
        or "enum" in one
        or (one.get("type") == "array" and _flat(one.get("items", {})))
        for one in some
    )


@cache
def routes() -> tuple[Route, ...]:
    """Return all routes. Of two that fit a path, the one whose parts are words comes first."""
    found = (route for verb in verbs() for route in routes_of(verb))
    return tuple(sorted(found, key=lambda one: [part.startswith("{") for part in one.segments]))


def matching(segments: Sequence[str]) -> tuple[dict[str, Route], dict[str, str]]:
    """Return the routes of a path, by method, and what the path names, each part of which is still encoded."""
    for route in routes():
        if (names := route.names(segments)) is not None:
            return {one.method: one for one in routes() if one.path == route.path}, names
    return {}, {}
