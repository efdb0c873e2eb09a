"""Which parts of an answer a request wants: `?fields=items.id,items.text`, or all but some, `?fields=-trace`.

A part is named by its path; of a list it is taken of each item. It is said in the address also where the arguments are
a body, because it concerns the answer of any verb alike.
"""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request

from memoranda.errors import ArgumentError
from memoranda.verbs.parts import Tree, held, tree
from memoranda.verbs.registry import Verb
from memoranda.verbs.schema import Schema, answer, unknown

NAME = "fields"


def wanted(request: Request, verb: Verb[..., Any]) -> Callable[[Any], Any]:
    """Return what takes of an answer the parts that a request wants.

    Raises:
        ArgumentError: the answer has no such part, or some are named and others left out.
    """
    paths = [one.strip() for one in request.query_params.get(NAME, "").split(",") if one.strip()]
    if not paths:
        return lambda found: found
    off = [one.startswith("-") for one in paths]
    if any(off) != all(off):
        raise ArgumentError(f"{NAME} names what is wanted or, each after -, what is not: do not mix them.", f"/{NAME}")
    parts, schema = tree(one.removeprefix("-") for one in paths), answer(verb)
    _check(schema, schema.get("$defs", {}), parts)
    take = _without if off[0] else _chosen
    return lambda found: take(found, parts)


def _check(schema: Schema, defined: Mapping[str, Schema], parts: Tree) -> None:
    found = held(schema)
    while "$ref" in found:
        found = held(defined[found["$ref"].rpartition("/")[2]])
    if found.get("type") == "array" and "items" in found:
        return _check(found["items"], defined, parts)
    known = found.get("properties")
    for name, more in parts.items():
        if known is not None and name not in known:
            raise unknown(f"/{NAME}", name, known)
        if more and known:
            _check(known[name], defined, more)
    return None


def _chosen(value: Any, parts: Tree) -> Any:
    if isinstance(value, list):
        return [_chosen(one, parts) for one in value]
    if not parts or not isinstance(value, Mapping):
        return value
    return {name: _chosen(value[name], more) for name, more in parts.items() if name in value}


def _without(value: Any, parts: Tree) -> Any:
    if isinstance(value, list):
        return [_without(one, parts) for one in value]
    if not isinstance(value, Mapping):
        return value
    return {name: _without(one, parts.get(name, {})) for name, one in value.items() if parts.get(name) != {}}
