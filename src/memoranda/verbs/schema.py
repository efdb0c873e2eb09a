"""JSON Schema of what a verb takes and answers, from its signature, its docstring and its constraints.

A value that cannot be written as JSON, such as a function or an open store, has no schema: doors leave it out.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from inspect import Parameter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from memoranda.core.base.constraints import constraint_of
from memoranda.verbs.registry import Verb

Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    bytes: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
}


def arguments(verb: Verb[..., Any]) -> Schema:
    """The schema of the arguments of a verb, as one object."""
    types, known = Types(), get_type_hints(verb.flow, include_extras=True)
    shapes = {name: types.schema(known[name]) for name in verb.signature.parameters}
    taken = {name: one for name, one in verb.signature.parameters.items() if shapes[name] is not None}
    properties = {
        name: {**(shapes[name] or {}), "description": verb.described[name], **_default(one.default)}
        for name, one in taken.items()
    }
    needed = [name for name, one in taken.items() if one.default is Parameter.empty]
    return types.whole({"type": "object", "properties": properties, "required": needed, "additionalProperties": False})


def answer(verb: Verb[..., Any]) -> Schema:
    """The schema of the answer of a verb, as `memoranda.core.base.plain` writes it.

    Raises:
        TypeError: it cannot be written as JSON.
    """
    types = Types(answers=True)
    schema = types.schema(get_type_hints(verb.flow, include_extras=True)["return"])
    if schema is None:
        raise TypeError(f"The answer of {verb.name} cannot be written as JSON.")
    return types.whole(schema)


class Types:
    """Schemas of types, with the definitions of the classes in them.

    Args:
        answers: whether values are written, with all fields of each object, or read, with those that have no default.
    """

    def __init__(self, *, answers: bool = False) -> None:
        self._answers = answers
        self._defined: dict[str, Schema] = {}

    def whole(self, schema: Schema) -> Schema:
        """A schema together with what it refers to."""
        return {**schema, "$defs": self._defined} if self._defined else schema

    def schema(self, hint: Any) -> Schema | None:
        """The schema of a type; None if its values cannot be written as JSON."""
        origin, within = get_origin(hint), get_args(hint)
        if hint in _PLAIN:
            return dict(_PLAIN[hint])
        if origin is Annotated:
            constraint, schema = constraint_of(hint), self.schema(within[0])
            return schema if constraint is None or schema is None else schema | constraint.schema()
        if origin in (Union, UnionType):
            return _any_of([found for one in within if (found := self.schema(one)) is not None])
        if origin is Literal:
            return {"enum": [*within]}
        return self._several(origin, within) if isinstance(origin, type) else self._object(hint)

    def _several(self, kind: type, within: tuple[Any, ...]) -> Schema | None:
        if not issubclass(kind, Iterable | AsyncIterator):
            return None
        shapes = [self.schema(one) for one in within if one is not ...]
        if None in shapes:
            return None
        if issubclass(kind, Mapping):
            return {"type": "object", "additionalProperties": shapes[-1]}
        if kind is tuple and ... not in within:
            return {"type": "array", "prefixItems": shapes}
        return {"type": "array", "items": shapes[0]}

    def _object(self, kind: Any) -> Schema | None:
        if not is_dataclass(kind):
            return None
        name = getattr(kind, "__name__", "")
        if name not in self._defined:
            self._defined[name] = {}  # it may hold itself
            hints = get_type_hints(kind, include_extras=True)
            shapes = {one.name: self.schema(hints[one.name]) for one in fields(kind)}
            if None in shapes.values():
                return None
            needed = [one.name for one in fields(kind) if self._answers or _is_needed(one)]
            self._defined[name] = {"type": "object", "properties": shapes, "required": needed}
        return {"$ref": f"#/$defs/{name}"}


def _any_of(some: list[Schema]) -> Schema | None:
    """One of some schemas; None if nothing but null is left."""
    if some in ([], [_PLAIN[NoneType]]):
        return None
    return some[0] if len(some) == 1 else {"anyOf": some}


def _is_needed(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _default(value: Any) -> Schema:
    if value is Parameter.empty or value is None:
        return {}
    return {"default": [*value] if isinstance(value, tuple) else value}
