"""The SQL for every kind of row, built from its declaration.

All rows of a statement are sent as one JSON document, which `json_populate_recordset` reads by column name with the
table's own types. So the statement's text, and its prepared plan, are the same however many rows it writes. Results
are returned in binary. Table names are not qualified: a connection's search path starts with its schema.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from memoranda.core.base.checks import brief
from memoranda.core.rows import TABLES, R, Row, columns_of
from memoranda.core.rows.changes import Drop, Put
from memoranda.errors import InputError, StoreError
from memoranda.ports import Query, Where
from memoranda.stores.postgres.plan import Shape

OWNER = ("tenant", "user")

#: Forces one index look-up per key, never a scan of the table, whatever the planner's statistics.
_BY_KEY = "SELECT old.* FROM {{given}}, LATERAL (SELECT {} FROM {{table}} AS old WHERE {{same}} LIMIT 1) AS old"

#: Whether a column holds one of some strings. What is said of "{}" is what the index of such rows asks for.
_HOLDS = {
    "strings": "{0} && %s",
    "json": """{0}::text <> '{{}}'
        AND EXISTS (SELECT 1 FROM unnest(%s::text[]) AS one WHERE position(one IN {0}::text) > 0)""",
}

# ------------------------------------------------------------------------------------------- statements


@cache
def write(shape: Shape) -> bytes:
    """Return the statement that does what `shape` says to every row of one document."""
    if shape.verb is Put:
        template = """
            INSERT INTO {table} ({columns}) SELECT {columns} FROM {given}
            ON CONFLICT ({key}) DO UPDATE SET {replaced}"""
    elif shape.verb is Drop:
        template = "DELETE FROM {table} AS old USING {given} WHERE {same}"
    else:
        template = "UPDATE {table} AS old SET {changed} FROM {given} WHERE {same}"
    names = [item.name for item in columns_of(shape.kind)]
    sets = [sql.SQL("{0} = new.{0}").format(sql.Identifier(name)) for name in shape.sets]
    adds = [sql.SQL("{0} = old.{0} + new.{0}").format(sql.Identifier(name)) for name in shape.adds]
    replaced = [sql.SQL("{0} = excluded.{0}").format(sql.Identifier(name)) for name in names if name not in OWNER]
    return _text(template, shape.kind, changed=_list(sets + adds), replaced=_list(replaced))


@cache
def present(table: str) -> bytes:
    """Return the statement that selects which keys of a document exist."""
    return _text(_BY_KEY.format("{own_key}"), TABLES[table])


@cache
def get(table: str) -> bytes:
    """Return the statement that selects the rows whose keys are in a document."""
    return _text(_BY_KEY.format("{own_columns}"), TABLES[table])


def select(query: Query[Any]) -> tuple[bytes, list[Any]]:
    """Return the statement that selects the rows of `query`, and its parameters."""
    conditions = [Where("tenant", "=", query.tenant), Where("seq", ">", query.after), *query.where]
    if query.user is not None:
        conditions.insert(1, Where("user", "=", query.user))
    values = [_parameter(query.kind, item) for item in conditions if item.op != "is"]
    forms = tuple((item.column, item.op, item.op == "is" and item.value is None) for item in conditions)
    return _select(query.kind.__table__, forms, query.order), [*values, query.limit]


def _parameter(kind: type[Row], where: Where) -> Any:
    """Return the value that a condition is given: for JSON, the strings as its text may have them."""
    if where.op == "holds" and kind.__columns__[where.column].type == "json":
        return [json.dumps(value, ensure_ascii=ascii_) for value in where.value for ascii_ in (True, False)]
    return list(where.value) if where.op in {"in", "holds"} else where.value


@lru_cache(1024)
def _select(table: str, conditions: tuple[tuple[str, str, bool], ...], order: tuple[str, ...]) -> bytes:
    kind = TABLES[table]
    order = (*order, *(name for name in ("seq", "user") if name not in order))
    return _text(
        "SELECT {columns} FROM {table} WHERE {where} ORDER BY {order} LIMIT %s",
        kind,
        where=sql.SQL(" AND ").join(_condition(kind, *item) for item in conditions),
        order=_list(_order(kind, name) for name in order),
    )


def count(query: Query[Any], by: str | None) -> tuple[bytes, list[Any]]:
    """Return the statement that counts the rows of `query` by the values of column `by`, and its parameters."""
    text, values = select(query)
    group = sql.SQL("NULL") if by is None else sql.Identifier(by)
    head = sql.SQL("SELECT {0}, count(*) FROM (").format(group).as_bytes(None)
    return head + text + (b") AS found" if by is None else b") AS found GROUP BY 1"), values


def _condition(kind: type[Row], column: str, operator: str, absent: bool) -> sql.Composable:
    name = sql.Identifier(column)
    if operator == "holds":
        return sql.SQL(_HOLDS[kind.__columns__[column].type]).format(name)
    if operator == "is":
        return sql.SQL("{} IS NULL" if absent else "{} IS NOT NULL").format(name)
    if operator == "in":
        return sql.SQL("{} = ANY (%s)").format(name)
    return sql.SQL("{} {} %s").format(name, sql.SQL(operator))


def _order(kind: type[Row], name: str) -> sql.Composable:
    """Order with None lowest. A column that is not nullable gets no NULLS clause, so that an index can be used."""
    [nullable] = [item.nullable for item in columns_of(kind) if item.name == name.removeprefix("-")]
    down = name.startswith("-")
    nulls = ("NULLS LAST" if down else "NULLS FIRST") if nullable else ""
    direction = sql.SQL(f"{'DESC' if down else 'ASC'} {nulls}")
    return sql.SQL("{} {}").format(sql.Identifier(name.removeprefix("-")), direction)


def _text(template: str, kind: type[Row], **parts: sql.Composable) -> bytes:
    """Fill the names that belong to `kind` into `template`."""
    table, names, key = (
        sql.Identifier(kind.__table__),
        [item.name for item in columns_of(kind)],
        (*OWNER, *kind.__key__),
    )
    same = [sql.SQL("old.{0} = new.{0}").format(sql.Identifier(name)) for name in key]
    known = {
        "table": table,
        "given": sql.SQL("json_populate_recordset(NULL::{}, %s) AS new").format(table),
        "columns": _list(map(sql.Identifier, names)),
        "own_columns": _list(sql.Identifier("old", name) for name in names),
        "key": _list(map(sql.Identifier, key)),
        "own_key": _list(sql.Identifier("old", name) for name in kind.__key__),
        "same": sql.SQL(" AND ").join(same),
    }
    return sql.SQL(template).format(**known, **parts).as_bytes(None)


def _list(parts: Iterable[sql.Composable]) -> sql.Composable:
    return sql.SQL(", ").join(parts)


# ---------------------------------------------------------------------------------------------- values


def document(rows: Sequence[Mapping[str, Any]]) -> str:
    """Encode rows as the JSON document that a statement reads."""
    return json.dumps(rows, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, bytes):
        if len(value) % 2:
            raise InputError(f"A vector is numbers of two bytes each; this one has {len(value)} bytes.")
        return halfvec(np.frombuffer(value, "<f2"))
    if isinstance(value, Mapping):
        return dict(value)
    raise StoreError(
        f"A value cannot be stored; nothing of the call was written: {brief(value)} is of no column's type."
    )


def halfvec(numbers: NDArray[np.floating]) -> str:
    """Format a vector for pgvector. Five digits distinguish any two float16 values."""
    return f"[{','.join(map('{:.5g}'.format, numbers.tolist()))}]"


def rows(kind: type[R], answers: Iterable[Sequence[Any]]) -> list[R]:
    """Decode what `get` or `select` returned to rows of `kind`."""
    items = columns_of(kind)
    names = [item.name for item in items]
    strings = [place for place, item in enumerate(items) if item.type == "strings"]
    blobs = [place for place, item in enumerate(items) if item.type == "bytes"]
    return [kind(**dict(zip(names, _fields(answer, strings, blobs), strict=True))) for answer in answers]


def _fields(answer: Sequence[Any], strings: Sequence[int], blobs: Sequence[int]) -> list[Any]:
    values = list(answer)
    for place in strings:
        values[place] = tuple(values[place])
    for place in blobs:
        # Binary halfvec format: two bytes of dimension, two unused, then big-endian numbers.
        values[place] = np.frombuffer(values[place], ">f2", offset=4).astype("<f2").tobytes()
    return values
