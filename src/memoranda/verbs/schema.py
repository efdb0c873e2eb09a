"""JSON of what a verb takes and answers: its schema, and reading it; from signature, docstring and constraints.

One walk over the types gives both, so that what the schema allows is what is read. A value that cannot be written as
JSON, such as a function or an open store, has neither: doors leave it out.
"""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from copy import deepcopy
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import date, datetime
from difflib import get_close_matches
from functools import cache, partial
from inspect import Parameter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Constraint, constraint_of
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import MAX_IDENTIFIER
from memoranda.core.rows import Json
from memoranda.core.secrets.detection import withheld
from memoranda.errors import ArgumentError, InputError
from memoranda.verbs.registry import Verb

Schema = dict[str, Any]
#: Makes a value of JSON; the text is where that stands, as a JSON pointer.
Read = Callable[[Any, str], Any]
_EXAMPLE = "2026-01-31"
_LOOKED = 4_096  # characters of a place in which secrets are looked for
_NONE: frozenset[str] = frozenset()


def arguments(verb: Verb[..., Any], *, leaving: frozenset[str] = _NONE, types: "Types | None" = None) -> Schema:
    """The schema of the arguments of a verb, as one object.

    Args:
        verb: the verb.
        leaving: names of arguments that the door gives itself, or does not take.
        types: where the classes in them are defined, if several schemas share these; else they are in the schema.
    """
    known = types or Types()
    shapes, needed = _arguments(verb, known, leaving)
    properties = {
        name: {**shape.schema, "description": verb.described[name], **_default(verb.signature.parameters[name].default)}
        for name, shape in shapes.items()
    }
    schema = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
    return deepcopy(schema) if types else known.whole(schema)


def decode(verb: Verb[..., Any], data: Any, *, leaving: frozenset[str] = _NONE) -> dict[str, Any]:
    """The arguments of a verb, by name and as its signature has them, from an object of JSON; see `arguments`.

    What the object leaves out is left out. What concerns several arguments is for the verb to check.

    Raises:
        ArgumentError: something in the object is missing, unknown or not what it may be; the error says where.
    """
    try:
        return _object_of(*_reading(verb, leaving))(data, "")  # type: ignore[no-any-return] # `Read` makes anything
    except ArgumentError as fault:
        fault.pointer = _shown(fault.pointer)
        raise


@cache
def _reading(verb: Verb[..., Any], leaving: frozenset[str]) -> tuple[Mapping[str, "Shape"], Collection[str]]:
    return _arguments(verb, Types(), leaving)


def _arguments(
    verb: Verb[..., Any], types: "Types", leaving: frozenset[str]
) -> tuple[Mapping[str, "Shape"], Collection[str]]:
    """The arguments that can be written as JSON, and which of them are needed."""
    known, taken = get_type_hints(verb.flow, include_extras=True), verb.signature.parameters
    shapes = {name: shape for name in taken if name not in leaving and (shape := types.shape(known[name]))}
    return shapes, [name for name in shapes if taken[name].default is Parameter.empty]


def answer(verb: Verb[..., Any], *, types: "Types | None" = None) -> Schema:
    """The schema of the answer of a verb, as `memoranda.core.base.plain` writes it; of a stream, that of all its rows.

    Args:
        verb: the verb.
        types: where the classes in it are defined, if several schemas share these; else they are in the schema.

    Raises:
        TypeError: it cannot be written as JSON.
    """
    known = types or Types(answers=True)
    shape = _answer(verb, known)
    return deepcopy(shape.schema) if types else known.whole(shape.schema)


def _answer(verb: Verb[..., Any], types: "Types") -> "Shape":
    shape = types.shape(get_type_hints(verb.flow, include_extras=True)["return"])
    if shape is None:
        raise TypeError(f"The answer of {verb.name} cannot be written as JSON.")
    return shape


def decode_answer(verb: Verb[..., Any], data: Any) -> Any:
    """The answer of a verb, as its signature has it, from JSON as `memoranda.core.base.plain` writes it.

    What a newer version writes beside what is known here is left out. That of a stream is read from a list of rows.

    Raises:
        ArgumentError: something in it is missing or not what it may be; the error says where.
        TypeError: it cannot be written as JSON.
    """
    return _answering(verb).read(data, "")


@cache
def _answering(verb: Verb[..., Any]) -> "Shape":
    return _answer(verb, Types(answers=True))


@dataclass(frozen=True, slots=True)
class Shape:
    """The JSON of a type: its schema, and what makes a value of it."""

    schema: Schema
    read: Read


class Types:
    """Types as JSON, with the definitions of the classes in them.

    Args:
        answers: whether values are written, with all fields of each object, or read, with those that have no default.
        at: where the definitions stand, as a reference ends in the name of one.
    """

    def __init__(self, *, answers: bool = False, at: str = "#/$defs/") -> None:
        self._answers, self._at = answers, at
        self._defined: dict[str, Shape] = {}
        self._names: dict[Any, str] = {}

    @property
    def defined(self) -> dict[str, Schema]:
        """The schemas of all classes met so far, by name."""
        return {name: deepcopy(one.schema) for name, one in self._defined.items()}

    def whole(self, schema: Schema) -> Schema:
        """A schema together with what it refers to."""
        defined = {name: one.schema for name, one in self._defined.items()}
        return deepcopy({**schema, **({"$defs": defined} if defined else {})})

    def shape(self, hint: Any) -> Shape | None:
        """The JSON of a type; None if its values cannot be written as JSON."""
        origin, within = get_origin(hint), get_args(hint)
        if hint in _PLAIN:
            return _PLAIN[hint]
        if origin is Annotated:
            constraint, shape = constraint_of(hint), self.shape(within[0])
            return shape if constraint is None or shape is None else _constrained(shape, constraint)
        if origin in (Union, UnionType):
            return _any_of([found for one in within if (found := self.shape(one))])
        if origin is Literal:
            chosen = _value({*map(type, within)}, f"one of {within}", lambda one: within[within.index(one)])
            return Shape({"enum": [*within]}, chosen)
        return self._several(origin, within) if isinstance(origin, type) else self._class(hint)

    def _several(self, kind: type, within: tuple[Any, ...]) -> Shape | None:
        if not issubclass(kind, Iterable | AsyncIterator):
            return None
        shapes = [self.shape(one) for one in within if one is not ...]
        known = [one for one in shapes if one]
        if len(known) < len(shapes):
            return None
        if issubclass(kind, Mapping):
            return Shape({"type": "object", "additionalProperties": known[-1].schema}, _object_of(known[-1]))
        made = tuple if issubclass(kind, tuple) else frozenset if issubclass(kind, AbstractSet) else list
        if kind is tuple and ... not in within:
            schemas = [one.schema for one in known]
            return Shape({"type": "array", "prefixItems": schemas}, _array_of(made, known))
        return Shape({"type": "array", "items": known[0].schema}, _array_of(made, known[0]))

    def _class(self, kind: Any) -> Shape | None:
        if not is_dataclass(kind):
            return None
        name = self._name(kind)
        if name not in self._defined:
            self._defined[name] = _PLAIN[Any]  # it may hold itself
            hints = get_type_hints(kind, include_extras=True)
            shapes = {one.name: self.shape(hints[one.name]) for one in fields(kind)}
            known = {name: one for name, one in shapes.items() if one}
            if len(known) < len(shapes):
                del self._defined[name]
                return None
            needed = [one.name for one in fields(kind) if self._answers or _is_needed(one)]
            schemas = {name: one.schema for name, one in known.items()}
            closed = {} if self._answers else {"additionalProperties": False}
            schema = {"type": "object", "properties": schemas, "required": needed, **closed}
            self._defined[name] = Shape(schema, _object_of(known, needed, kind, closed=not self._answers))
        return Shape({"$ref": f"{self._at}{name}"}, partial(self._read, name))

    def _name(self, kind: Any) -> str:
        """The name of a class; of the second of a name, with that of its module."""
        if kind not in self._names:
            name, module = kind.__name__, kind.__module__.rpartition(".")[2]
            taken = name in self._names.values()
            self._names[kind] = f"{module.title().replace('_', '')}{name}" if taken else name
        return self._names[kind]

    def _read(self, name: str, value: Any, at: str) -> Any:
        return self._defined[name].read(value, at)


def _any_of(some: list[Shape]) -> Shape | None:
    """One of some shapes, the first that fits; None if nothing but null is left."""
    if some in ([], [_PLAIN[NoneType]]):
        return None

    def read(value: Any, at: str) -> Any:
        faults = []
        for one in some:
            try:
                return one.read(value, at)
            except ArgumentError as fault:
                faults.append(fault)
        inside = [fault for fault in faults if fault.pointer != at or not fault.wanted]  # its type was right
        if inside:
            raise max(inside, key=lambda fault: len(fault.pointer))
        raise _refusal(value, at, " or ".join(dict.fromkeys(fault.wanted for fault in faults)))

    return some[0] if len(some) == 1 else Shape({"anyOf": [one.schema for one in some]}, read)


def _is_needed(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _default(value: Any) -> Schema:
    if value is Parameter.empty or value is None:
        return {}
    return {"default": [*value] if isinstance(value, tuple) else value}


# ------------------------------------------------------------------------------------------------ reading


class _Missing:
    """Stands for what is not there and is needed."""

    def __repr__(self) -> str:
        return "missing"


_MISSING = _Missing()


def _refusal(value: Any, at: str, wanted: str) -> ArgumentError:
    return ArgumentError(f"{_shown(at) or 'The whole'} is {withheld(brief(value))}; give {wanted}.", at, wanted)


def _fault(at: str, error: InputError) -> ArgumentError:
    told = str(error)
    rest = withheld(told.removeprefix(at))
    return ArgumentError(f"{_shown(at)}{rest}" if told.startswith(at) else f"{_shown(at)}: {rest}", at)


def unknown(at: str, name: object, known: Collection[str]) -> ArgumentError:
    """Return the error about a name that is none of those that may be given.

    Args:
        at: the object in which it stands, as a JSON pointer.
        name: the name.
        known: those that may be given.
    """
    told, where = str(name), _shown(_below(at, name))
    near = get_close_matches(told, known, 1) if len(told) <= MAX_IDENTIFIER else ()
    return ArgumentError(f"{where} is unknown; give {' or '.join(near or known) or 'nothing'}.", where)


def _shown(at: str) -> str:
    """A place as errors show it: names may be secrets, and of any length."""
    told = withheld(at[:_LOOKED], free=False)
    return told if len(told) <= MAX_IDENTIFIER else f"{told[:MAX_IDENTIFIER]}…"


def _below(at: str, name: object) -> str:
    return f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"


def _anything(value: Any, at: str) -> Any:
    if value is _MISSING:
        raise _refusal(value, at, "any JSON")
    return value


def _value(kinds: Collection[type], wanted: str, make: Callable[[Any], Any] = lambda value: value) -> Read:
    """What reads one value of these types; `make` raises a `ValueError` for one that is wrong."""

    def read(value: Any, at: str) -> Any:
        with suppress(ValueError, OverflowError):
            if type(value) in kinds:
                return make(value)
        raise _refusal(value, at, wanted)

    return read


def _whole(value: float) -> int:
    if value != int(value):
        raise ValueError
    return int(value)


def _time(text: str) -> datetime:
    return moment("it", datetime.fromisoformat(text))


_PLAIN: Mapping[Any, Shape] = {
    Any: Shape({}, _anything),
    Json: Shape({}, _anything),
    str: Shape({"type": "string"}, _value({str}, "a text")),
    bytes: Shape({"type": "string"}, _value({str}, "hexadecimal digits", bytes.fromhex)),
    int: Shape({"type": "integer"}, _value({int, float}, "a whole number", _whole)),
    float: Shape({"type": "number"}, _value({int, float}, "a number", float)),
    bool: Shape({"type": "boolean"}, _value({bool}, "true or false")),
    NoneType: Shape({"type": "null"}, _value({NoneType}, "null")),
    datetime: Shape(
        {"type": "string", "format": "date-time"}, _value({str}, f"a time, as {_EXAMPLE}T12:00:00Z", _time)
    ),
    date: Shape({"type": "string", "format": "date"}, _value({str}, f"a day, as {_EXAMPLE}", date.fromisoformat)),
}


def _constrained(shape: Shape, constraint: Constraint) -> Shape:
    def read(value: Any, at: str) -> Any:
        found = shape.read(value, at)
        items = [(_below(at, place), [one]) for place, one in enumerate(found)] if isinstance(found, list) else []
        for where, part in (*items, (at, found)):  # the one item that is wrong, else the whole
            try:
                checked = constraint.check(where, part)
            except InputError as error:
                raise _fault(where, error) from error
        return checked

    return Shape(shape.schema | constraint.schema(), read)


def _array_of(made: Callable[[list[Any]], Any], shapes: Shape | list[Shape]) -> Read:
    """What reads an array: with one shape for all, or with one for each."""

    def read(value: Any, at: str) -> Any:
        if not isinstance(value, list | tuple):
            raise _refusal(value, at, "an array")
        each = [shapes] * len(value) if isinstance(shapes, Shape) else shapes
        if len(each) != len(value):
            raise _refusal(value, at, f"an array of {len(each)}")
        return made([each[place].read(one, _below(at, place)) for place, one in enumerate(value)])

    return read


def _object_of(
    shapes: Shape | Mapping[str, Shape], needed: Iterable[str] = (), made: Any = dict, *, closed: bool = True
) -> Read:
    """What reads an object: with one shape for all members, or with one for each of known names.

    Other names are refused, or left out if it is not `closed`.
    """

    def read(value: Any, at: str) -> Any:
        if not isinstance(value, Mapping):
            raise _refusal(value, at, "an object")
        each = dict.fromkeys(value, shapes) if isinstance(shapes, Shape) else shapes
        for name in value:
            if closed and name not in each:
                raise unknown(at, name, each)
        given = {**dict.fromkeys(needed, _MISSING), **value}
        found = {name: each[name].read(one, _below(at, name)) for name, one in given.items() if name in each}
        try:
            return made(**found)
        except InputError as error:
            raise _fault(at, error) from error

    return read
