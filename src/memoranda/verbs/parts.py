"""Parts of an answer: what a model is shown of it, and the schema of that.

A part is named by its path, as `items.text`; of a list it is taken of each item. What holds nothing is left out, and
times end in Z: both are said by one walk over the schema of the answer.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memoranda.verbs.schema import Schema

#: Names, each with the parts within it; one with none is shown whole.
Tree = Mapping[str, "Tree"]


def tree(paths: Iterable[str]) -> Tree:
    """Paths as a tree."""
    found: dict[str, Any] = {}
    for path in paths:
        place = found
        for name in path.split("."):
            place = place.setdefault(name, {})
    return found


def narrowed(schema: Schema, parts: Tree) -> Schema:
    """The schema of these parts of what another schema describes, without references; all if no parts are named."""
    return _narrowed(schema, parts, schema["$defs"]) if parts else schema


def _narrowed(schema: Schema, parts: Tree, defined: Mapping[str, Schema]) -> Schema:
    found = _resolved(schema, defined)
    if found.get("type") == "array":
        return {**found, "items": _narrowed(found["items"], parts, defined)}
    if not parts:
        return held(found)
    within = {name: _narrowed(found["properties"][name], more, defined) for name, more in parts.items()}
    return {"type": "object", "properties": within}


def held(schema: Schema) -> Schema:
    """The schema of what may be null if it is left out in place of that."""
    some = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    return {**{name: one for name, one in schema.items() if name != "anyOf"}, **some[0]} if len(some) == 1 else schema


def shown(value: Any, schema: Schema, parts: Tree) -> Any:
    """These parts of a value that a schema describes; all of it if no parts are named. Times end in Z."""
    return _shown(value, schema, parts, schema.get("$defs", {}))


def _shown(value: Any, schema: Schema, parts: Tree, defined: Mapping[str, Schema]) -> Any:
    found = held(_resolved(schema, defined))
    if isinstance(value, list):
        kinds = found.get("prefixItems") or [found.get("items", {})] * len(value)
        return [_shown(one, kind, parts, defined) for one, kind in zip(value, kinds, strict=False)]
    if isinstance(value, Mapping):
        kinds = found.get("properties", {})
        each = {name: kinds.get(name) or found.get("additionalProperties") or {} for name in parts or value}
        some = {name: _shown(value[name], kind, parts.get(name, {}), defined) for name, kind in each.items()}
        return {name: one for name, one in some.items() if one not in _NOTHING} if parts else some
    return _utc(value) if found.get("format") == "date-time" and isinstance(value, str) else value


_NOTHING: tuple[Any, ...] = (None, "", [], {}, 0)


def _resolved(schema: Schema, defined: Mapping[str, Schema]) -> Schema:
    found = schema
    while "$ref" in found:
        found = defined[found["$ref"].rpartition("/")[2]]
    return found


def _utc(text: str) -> str:
    with suppress(ValueError):
        return datetime.fromisoformat(text).astimezone(UTC).isoformat().replace("+00:00", "Z")
    return text
