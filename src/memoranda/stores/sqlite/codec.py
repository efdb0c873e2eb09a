"""Converts rows to SQLite values and back, and builds the statements for a kind of row from its declaration.

Results are decoded by column. Columns whose value a query fixes are not read. Each column is checked as a whole, which
takes a hundredth of the time of reading it; only if one of its values is damaged are the rows looked at one by one.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from operator import attrgetter
from sqlite3 import Connection, OperationalError
from types import MappingProxyType
from typing import Any, Generic

from memoranda.core.rows import Column, ColumnType, R, Row, columns_of
from memoranda.core.rows.rowset import EPOCH, Damaged, RowSet, moments
from memoranda.ports import Query, Where

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_MICROSECOND = timedelta(microseconds=1)
_to_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict).encode


def from_time(value: datetime) -> int:
    """Encode a time as it is stored: microseconds since 1970."""
    return (value - EPOCH) // _MICROSECOND


def _from_strings(value: tuple[str, ...]) -> str:
    return _to_text(value) if value else "[]"


def _to_strings(values: Sequence[str]) -> Iterable[tuple[str, ...]]:
    known = {value: tuple(json.loads(value)) for value in set(values)}  # few distinct values, often repeated
    "".join(chain.from_iterable(known.values()))
    return map(known.__getitem__, values)


def _to_json(value: str) -> Any:
    return {} if value == "{}" else json.loads(value)


_ENCODE: Mapping[ColumnType, Callable[[Any], Any]] = {
    "datetime": from_time,
    "strings": _from_strings,
    "json": _to_text,
}
_DECODE: Mapping[ColumnType, Callable[[Sequence[Any]], Iterable[Any]]] = {
    "datetime": moments,
    "strings": _to_strings,
    "json": partial(map, _to_json),
    "bool": partial(map, bool),
}


def _check(column: Column, values: Sequence[Any]) -> None:
    """Raise an error if one of the values, of which none is None, is not of the column's type or out of its bounds."""
    if column.bounds is None:
        if column.type != "bytes":
            "".join(values)
        elif {*map(type, values)} - {bytes}:
            raise TypeError
        return
    least, most = column.bounds
    if values and (column.type == "float" or type(sum(values)) is int):
        first, last = map(from_time, column.bounds) if column.type == "datetime" else column.bounds
        if not first <= min(values) <= max(values) <= last:
            years = f"no time of the years {least:%Y} to {most:%Y}" if column.type == "datetime" else ""
            raise ValueError(years or f"not from {least:g} to {most:g}")
    elif values:
        raise TypeError


_EMPTY: Mapping[ColumnType, Any] = {
    "str": "", "strings": (), "json": {}, "int": 0, "float": 0.0, "bool": False, "datetime": EPOCH, "bytes": b"",
}  # fmt: skip
#: What reading a damaged value raises.
_UNREADABLE = (ValueError, TypeError, OverflowError, RecursionError)
_LISTED = 1_000  # values passed as parameters of their own; SQLite's default limit is 32,766
_OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class _Text(bytes):
    """The bytes of a text, which may be damaged."""


class Codec(Generic[R]):
    """Statements and conversions for one kind of row in SQLite.

    Attributes:
        insert: the statement that adds a row unless its key is taken; `replace`: adds or replaces it.
        delete: the statement that removes the row with a key.
    """

    def __init__(self, kind: type[R]) -> None:
        self.kind = kind
        self.columns = {item.name: item for item in columns_of(kind)}
        names = [f'"{name}"' for name in self.columns]
        self._table = f'"{kind.__table__}"'
        self._asked = f"({', '.join('?' * len(kind.__key__))})"
        key = ", ".join(kind.__key__)
        own = ", ".join(f"{self._table}.{name}" for name in names)  # unqualified, key columns would be those of `asked`
        read = f"SELECT {own} FROM asked CROSS JOIN {self._table} USING ({key})"  # noqa: S608
        self._keyed = f"WITH asked ({key}) AS (VALUES %s) {read} WHERE tenant = ? AND user = ?"
        self._key = " AND ".join(f'"{name}" = ?' for name in ("tenant", "user", *kind.__key__))
        self.delete = f"DELETE FROM {self._table} WHERE {self._key}"  # noqa: S608 - names come from declarations
        values = f"INSERT INTO {self._table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608
        taken = f"ON CONFLICT (tenant, user, {', '.join(kind.__key__)}) DO"
        self.insert = f"{values} {taken} NOTHING"
        self.replace = f"{values} {taken} UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in names)}"
        self._values = attrgetter(*self.columns)
        self._seq = list(self.columns).index("seq")
        self._encoders = [(place, item) for place, item in enumerate(self.columns.values()) if item.type in _ENCODE]

    def encode(self, row: Row, seq: int) -> list[Any]:
        """Return the values of `row` in column order, with its new `seq`."""
        values = list(self._values(row))
        for place, item in self._encoders:
            if values[place] is not None or not item.nullable:
                values[place] = _ENCODE[item.type](values[place])
        values[self._seq] = seq
        return values

    def decode(self, rows: Iterable[tuple[Any, ...]], fixed: Mapping[str, Any] = _NOTHING) -> RowSet[R]:
        """Decode the result of a `SELECT` of all columns except the `fixed` ones."""
        names = [name for name in self.columns if name not in fixed]
        flat = list(chain.from_iterable(rows))
        size = len(flat) // len(names)
        found: dict[str, Sequence[Any]] = {name: [value] * size for name, value in fixed.items()}
        for place, name in enumerate(names):
            values, item = flat[place :: len(names)], self.columns[name]
            _check(item, [value for value in values if value is not None] if item.nullable else values)
            found[name] = values if item.type == "datetime" else _decoded(item, values)
        return RowSet(self.kind, found)

    def ask(
        self, connection: Connection, statement: str, arguments: Sequence[Any], fixed: Mapping[str, Any] = _NOTHING
    ) -> tuple[Sequence[R], Sequence[Damaged]]:
        """Execute a `SELECT` of all columns except the `fixed` ones; return its rows, and those that are damaged."""
        try:
            return self.decode(connection.execute(statement, arguments), fixed), ()
        except (OperationalError, *_UNREADABLE) as error:
            if hasattr(error, "sqlite_errorcode"):  # one without, from sqlite3, means a text that is no UTF-8
                raise
        connection.text_factory = _Text
        try:
            found = [self._salvaged(row, fixed) for row in connection.execute(statement, arguments)]
        finally:
            connection.text_factory = str
        damaged = [one for one in found if isinstance(one, Damaged)]
        return [one for one in found if not isinstance(one, Damaged)], damaged

    def _salvaged(self, row: Sequence[Any], fixed: Mapping[str, Any]) -> R | Damaged:
        found, wrong = dict(fixed), dict[str, str]()
        names = (name for name in self.columns if name not in fixed)
        for item, value in zip(map(self.columns.__getitem__, names), row, strict=True):
            try:
                found[item.name] = _one(item, value)
            except _UNREADABLE as error:
                wrong[item.name] = str(error) if isinstance(error, ValueError) else f"no {item.type}"
                found[item.name] = _left(item, value)
        made = self.kind(**found)
        return Damaged(made, wrong) if wrong else made

    def keyed(self, count: int) -> str:
        """Return the statement that reads the rows with `count` keys, in any order. Parameters: keys, then owner."""
        return self._keyed % ", ".join([self._asked] * count)

    def value(self, name: str, value: Any) -> Any:
        """Encode `value` as column `name` stores it."""
        encode = _ENCODE.get(self.columns[name].type)
        return value if encode is None or value is None else encode(value)

    def patch(self, key: Sequence[Any], values: Mapping[str, Any], seq: int) -> tuple[str, list[Any]]:
        """Return the statement that sets these columns of the row with a key."""
        names = ", ".join(f'"{name}" = ?' for name in (*values, "seq"))
        arguments = [self.value(name, value) for name, value in values.items()]
        return f"UPDATE {self._table} SET {names} WHERE {self._key}", [*arguments, seq, *key]  # noqa: S608

    def touch(self, key: Sequence[Any], add: Mapping[str, int], at: Mapping[str, datetime]) -> tuple[str, list[Any]]:
        """Return the statement that increments the columns in `add` and sets those in `at`, for the row with a key."""
        names = ["seq = seq", *(f'"{name}" = "{name}" + ?' for name in add), *(f'"{name}" = ?' for name in at)]
        arguments = [*add.values(), *map(from_time, at.values()), *key]
        return f"UPDATE {self._table} SET {', '.join(names)} WHERE {self._key}", arguments  # noqa: S608

    def fixed(self, query: Query[Any]) -> dict[str, Any]:
        """Return the columns that have the same known value in all rows of `query`."""
        named = {where.column: where.value for where in query.where if where.op == "="}
        texts = {name: value for name, value in named.items() if self.columns[name].type == "str"}
        return {"tenant": query.tenant, **({} if query.user is None else {"user": query.user}), **texts}

    def query(self, query: Query[Any], fixed: Iterable[str]) -> tuple[str, list[Any]]:
        """Return the statement that selects the rows of `query`, with all columns except the `fixed` ones."""
        wheres, arguments = self._conditions(query)
        names = ", ".join(f'"{name}"' for name in self.columns if name not in fixed)
        return f"SELECT {names} FROM {self._table} {wheres} {_order(query)} LIMIT ?", [*arguments, _limit(query)]  # noqa: S608

    def count(self, query: Query[Any], by: str | None) -> tuple[str, list[Any]]:
        """Return the statement that counts the rows of `query` by the values of a column."""
        name = "NULL" if by is None else f'"{by}"'
        found, arguments = self._conditions(query)
        found = f"FROM {self._table} {found}"
        if query.limit is not None:
            found = f"FROM (SELECT * {found} {_order(query)} LIMIT ?)"
            arguments.append(query.limit)
        return f"SELECT {name}, count(*) {found} {'' if by is None else 'GROUP BY 1'}", arguments

    def counted(self, connection: Connection, query: Query[Any], by: str | None) -> dict[Any, int]:
        """Count the rows of `query` by the values of a column, but those whose value is damaged."""
        connection.text_factory = _Text
        try:
            rows = connection.execute(*self.count(query, by)).fetchall()
        finally:
            connection.text_factory = str
        found: dict[Any, int] = {}
        for value, number in rows:
            with suppress(*_UNREADABLE):
                found[None if by is None else _one(self.columns[by], value)] = number
        return found

    def _conditions(self, query: Query[Any]) -> tuple[str, list[Any]]:
        names = ["tenant = ?", *(["user = ?"] if query.user is not None else ()), *(["seq > ?"] if query.after else ())]
        arguments = [value for value in (query.tenant, query.user, query.after or None) if value is not None]
        for where in query.where:
            condition, values = self._condition(where)
            names.append(condition)
            arguments += values
        return f"WHERE {' AND '.join(names)}", arguments

    def _condition(self, where: Where) -> tuple[str, list[Any]]:
        name = f'"{where.column}"'
        if where.op == "is":
            return f"{name} IS {'' if where.value is None else 'NOT '}NULL", []
        if where.op == "holds":  # the first condition is what the index of such rows asks for
            texts = [_to_text(value) for value in where.value]
            found = f"SELECT 1 FROM json_each(?) AS one WHERE instr({self._table}.{name}, one.value)"  # noqa: S608
            return f"{name} NOT IN ('{{}}', '[]') AND EXISTS ({found})", [_to_text(texts)]
        if where.op == "in":
            values = [self.value(where.column, value) for value in where.value]
            listed = ", ".join("?" * len(values))
            if len(values) > _LISTED:
                listed, values = "SELECT value FROM json_each(?)", [json.dumps(values, ensure_ascii=False)]
            return f"{name} IN ({listed})", values
        return f"{name} {_OPERATORS[where.op]} ?", [self.value(where.column, where.value)]


def _order(query: Query[Any]) -> str:
    """Order by columns; rows that are looked up by key are sorted, or SQLite might go through all in their order."""
    keyed = any(where.op == "in" and where.column in query.kind.__key__ for where in query.where)
    ties = ("seq",) if query.user is not None else ("seq", "user")
    names = [*query.order, *(name for name in ties if name not in query.order)]  # a repeated column would cost a sort
    columns = (f'{"+" * keyed}"{name.removeprefix("-")}"{" DESC" * name.startswith("-")}' for name in names)
    return f"ORDER BY {', '.join(columns)}"


def _limit(query: Query[Any]) -> int:
    return -1 if query.limit is None else query.limit


def _decoded(column: Column, values: Sequence[Any]) -> Sequence[Any]:
    decode = _DECODE.get(column.type)
    if decode is None:
        return values
    if not column.nullable or None not in values:
        found = list(decode(values))
        if column.type == "json" and not column.nullable and not {*map(type, found)} <= {dict}:
            raise ValueError("no JSON object")
        return found
    rest = iter(decode([value for value in values if value is not None]))
    return [None if value is None else next(rest) for value in values]


def _one(column: Column, value: Any) -> Any:
    """Decode one value."""
    if value is None and column.nullable:
        return None
    if isinstance(value, _Text):
        value = value.decode()
    _check(column, [value])
    return moments([value])[0] if column.type == "datetime" else _decoded(column, [value])[0]


def _left(column: Column, value: Any) -> Any:
    """What is left of a damaged value: what is legible of a text, else nothing; not None, which often allows more."""
    if column.type == "str" and isinstance(value, _Text):
        return value.decode("utf-8", "replace")
    return _EMPTY[column.type]
