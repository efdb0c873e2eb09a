"""Sample rows of any kind, made from its declaration, with values that careless stores get wrong."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memoranda.core.base.scope import Owner
from memoranda.core.rows import Column, ColumnType, Json, R, Row, columns_of

#: Texts that are hard to quote, match patterns, look like SQL, or sort and case-fold in surprising ways.
STRINGS: tuple[str, ...] = (
    "plain",
    "",
    'O\'Brien said "no"',
    "Robert'); DROP TABLE events; --",
    "100 % _like_ \\ ? ?1 :name %s $1 {x}",
    " leading, trailing ",
    "line\nbreak\ttab\r\n",
    "emoji 🦀👩‍👩‍👧 and 漢字",
    "e\u0301 is not \u00e9, ß is not ss, İ is not i",
    "\ufeffmark\u200d\u2028\U0010ffff\x7f\x1f",
    "null",
    '{"json": [1]}',
)
FLOATS = (0.1 + 0.2, 0.0, 1.0, -1 / 3, 5e-324, 1.7976931348623157e308)
INTS = (1, 0, -1, 2**31, -(2**53) - 1, 2**63 - 1)
TIMES = (
    datetime(2026, 1, 5, 9, 30, 0, 123456, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
)
#: Vectors of float16 as bytes; they include a subnormal, both zeros and the largest finite number.
BLOBS = (b"\x00\x3c", b"\x01\x00\x00\x80\x00\x00\xff\x7b", b"\x27\x22\x25\x00" * 192, b"\x66\x2e\x00\xbc")
JSONS: tuple[Json, ...] = (
    {"a": {"b": [1, 2.5, True, None, {"c": "🦀"}]}, "": [], "0.1": 0.30000000000000004},
    {},
    {"deep": [[[[[[]]]]]], "big": 2**53 + 1, "bigger": 1e308, "quote": "\"'\\"},
)
_VALUES: Mapping[ColumnType, Sequence[Any]] = {
    "str": STRINGS,
    "int": INTS,
    "float": FLOATS,
    "bool": (True, False),
    "datetime": TIMES,
    "bytes": BLOBS,
    "strings": [STRINGS[:length] for length in range(5)],
    "json": JSONS,
}


def sample(kind: type[R], owner: Owner, number: int = 0, /, **values: Any) -> R:
    """Return a row of `kind` with one key for each `number`; other values are taken from the lists above in turn.

    Optional columns are None in every third row. `values` override single columns.
    """
    chosen = {item.name: _value(item, number + place) for place, item in enumerate(columns_of(kind))}
    for name in kind.__key__:
        chosen[name] = _key(kind, name, number)
    return kind(**{**chosen, "tenant": owner.tenant, "user": owner.user, "seq": 0, **values})


def key(kind: type[Row], number: int) -> tuple[Any, ...]:
    """Return the key of `sample(kind, owner, number)`."""
    return tuple(_key(kind, name, number) for name in kind.__key__)


def other(column: Column, value: Any) -> Any:
    """Return a value for `column` that differs from `value`."""
    choices = (_value(column, number) for number in range(6))
    return next(choice for choice in choices if choice is not None and choice != value)


def _key(kind: type[Row], name: str, number: int) -> Any:
    types = {item.name: item.type for item in columns_of(kind)}
    return number if types[name] == "int" else f"{number:04d} {STRINGS[number % len(STRINGS)]}"


def _value(column: Column, number: int) -> Any:
    if column.nullable and number % 3 == 2:
        return None
    values, bounds = _VALUES[column.type], column.bounds
    if bounds:
        values = [value for value in values if bounds[0] <= value <= bounds[1]]
    return values[number % len(values)]
