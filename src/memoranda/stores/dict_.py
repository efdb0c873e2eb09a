"""The reference store: plain dicts, not durable, simple enough to be obviously right. Tests compare stores with it."""

import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any, cast

import numpy as np

from memoranda.core.base.checks import LARGEST, brief
from memoranda.core.base.scope import SHARED, Owner, encodable
from memoranda.core.rows import SCALARS, TABLES, ColumnType, Passage, R, Row, Vector, check_columns, columns_of, key_of
from memoranda.core.rows.changes import Add, Applied, Batch, Change, Drop, Patch, Put, Touch
from memoranda.errors import ConflictError, SpaceError, StoreError, StoreUnavailableError
from memoranda.ports import Hit, Page, Probe, Query, State, Where
from memoranda.stores.dict_cache import DictCache

_HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, options: value in options,
    "holds": lambda value, options: not {*_strings(value)}.isdisjoint(options),
}
_TYPES: Mapping[ColumnType, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "datetime": (datetime,),
    "bytes": (bytes,),
    "strings": (tuple,),
    "json": (Mapping, list, str, int, float),
}


@dataclass
class _Partition:
    """One owner's rows, by table and key, and its counters."""

    state: State = field(default_factory=State)
    tables: dict[str, dict[tuple[Any, ...], Row]] = field(default_factory=lambda: {name: {} for name in TABLES})

    def copy(self) -> "_Partition":
        return _Partition(self.state, {name: copy(rows) for name, rows in self.tables.items()})

    def write(self, change: Change) -> bool:
        """Carry out `change`. Return False if it is an `Add` whose key is taken."""
        match change:
            case Add(row):
                if key_of(row) in self.tables[row.__table__]:
                    return False
                self._keep(row)
            case Put(row):
                self._keep(row)
            case Patch(kind, key, values):
                if old := self.tables[kind.__table__].get(key):
                    self._keep(_replace(old, values))
            case Touch(kind, key, add, at):
                if old := self.tables[kind.__table__].get(key):
                    sums = {name: getattr(old, name) + number for name, number in add.items()}
                    self.tables[kind.__table__][key] = _replace(old, {**sums, **at})
            case Drop(kind, key):
                if self.tables[kind.__table__].pop(key, None):
                    seq = self.state.seq + 1
                    self.state = State(seq=seq, dropped=seq if kind.__traits__.image else self.state.dropped)
        return True

    def _keep(self, row: Row) -> None:
        for item in columns_of(type(row)):
            value = getattr(row, item.name)
            if not (item.nullable and value is None) and not _fits(item.type, value):
                raise StoreError(f"{row.__table__}.{item.name} is of type {item.type}, which {brief(value)} is not.")
        self.state = replace(self.state, seq=self.state.seq + 1)
        self.tables[row.__table__][key_of(row)] = _replace(row, {"seq": self.state.seq})


class DictStore:
    """`ports.Store` in memory."""

    def __init__(self) -> None:
        self._partitions: dict[Owner, _Partition] = defaultdict(_Partition)
        self._open = True
        self._cache = DictCache()

    async def apply(self, batch: Batch) -> Applied:
        self._check_open()
        part = self._partitions[batch.owner].copy()
        if batch.expect is not None and batch.expect != part.state.seq:
            raise ConflictError(
                f"Planned against change {batch.expect} of {batch.owner}, which is at {part.state.seq}."
            )
        taken = [change for change in batch.changes if not part.write(change)]
        self._partitions[batch.owner] = part
        return Applied(
            seq=part.state.seq,
            taken=frozenset((item.row.__table__, key_of(item.row)) for item in taken if isinstance(item, Add)),
        )

    async def get(self, kind: type[R], owner: Owner, keys: Sequence[tuple[Any, ...]]) -> list[R | None]:
        self._check_open()
        rows: Any = self._partitions[owner].tables[kind.__table__]
        return [rows.get(tuple(key)) for key in keys]

    async def find(self, owner: Owner, *queries: Query[Any]) -> Page:
        self._check_open()
        return Page(state=self._partitions[owner].state, rows=tuple(tuple(self._find(query)) for query in queries))

    async def count(self, query: Query[Any], by: str | None = None) -> Mapping[Any, int]:
        self._check_open()
        rows = self._find(query)
        if by is None:
            return {None: len(rows)}
        check_columns(query.kind, (by,), *SCALARS)
        return Counter(getattr(row, by) for row in rows)

    async def probe(self, probe: Probe) -> list[Hit]:
        self._check_open()
        tables: Any = self._partitions[probe.owner].tables
        passages: Iterable[Passage] = tables["passages"].values()
        inside = [item for item in passages if not probe.channels or item.channel in probe.channels]
        scores = self._nearest(probe, inside) if probe.vector is not None else _shared_terms(probe, inside)
        hits = [Hit(ref, score) for ref, score in scores.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.ref))[: probe.limit]

    async def describe(self) -> Mapping[str, Any]:
        self._check_open()
        owners = [owner for owner, part in self._partitions.items() if part.state.seq]
        return {
            "kind": "dict",
            "version": 1,
            "bytes": 0,
            "problems": ["Nothing is kept: this store lives in memory and ends with the process."],
            "tenants": len({owner.tenant for owner in owners}),
            "users": sum(owner.user != SHARED for owner in owners),
            "owners": sorted(owners),
        }

    async def remains(self) -> tuple[str, ...]:
        self._check_open()
        return ()

    def cache(self) -> DictCache:
        """Return this store's cache for working memory; every call returns the same one."""
        return self._cache

    async def close(self) -> None:
        self._open = False
        self._partitions.clear()

    def _check_open(self) -> None:
        if not self._open:
            raise StoreUnavailableError("This store was closed: open it again.")

    def _find(self, query: Query[R]) -> list[R]:
        rows: list[R] = [
            row
            for owner, part in self._partitions.items()
            if owner.tenant == query.tenant and query.user in {None, owner.user}
            for row in _rows(part, query.kind)
            if row.seq > query.after and all(_holds(row, where) for where in query.where)
        ]
        rows.sort(key=lambda row: (row.seq, row.user))
        for name in reversed(query.order):
            column = name.removeprefix("-")
            rows.sort(key=lambda row, column=column: _rank(getattr(row, column)), reverse=name.startswith("-"))  # type: ignore[misc]
        return rows[: query.limit]

    def _nearest(self, probe: Probe, passages: Sequence[Passage]) -> dict[str, float]:
        vectors: Any = self._partitions[probe.owner].tables["vectors"]
        scores = {}
        for item in passages:
            row: Vector | None = vectors.get((probe.space, item.ref))
            if row is not None and probe.vector is not None:
                data = np.frombuffer(row.data, "<f2").astype(np.float32)
                if data.shape != probe.vector.shape:
                    raise SpaceError(
                        f"{probe.space} has vectors of {data.size} numbers; the query has {probe.vector.size}."
                    )
                scores[item.ref] = float(data @ probe.vector)
        return scores


def _fits(type_: ColumnType, value: Any) -> bool:
    """Whether every store could hold `value` in a column of this type."""
    fits = isinstance(value, _TYPES[type_])
    return fits and (type_ != "int" or -LARGEST - 1 <= value <= LARGEST) and (type_ != "str" or encodable(value))


def _rows(part: _Partition, kind: type[R]) -> Iterable[R]:
    return cast("Iterable[R]", part.tables[kind.__table__].values())


def _replace(row: Row, values: Mapping[str, Any]) -> Row:
    changed: Row = replace(row, **values)
    return changed


def _holds(row: Row, where: Where) -> bool:
    value = getattr(row, where.column)
    if where.op == "is":
        return (value is None) == (where.value is None)
    return value is not None and where.value is not None and _HOLDS[where.op](value, where.value)


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a value, at any depth, also as keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in chain(value, value.values() if isinstance(value, Mapping) else ()):
            yield from _strings(one)


def _rank(value: Any) -> tuple[bool, Any]:
    return (False, 0) if value is None else (True, value)


def _shared_terms(probe: Probe, passages: Iterable[Passage]) -> dict[str, float]:
    wanted = set(probe.terms)
    shared = {item.ref: len(wanted & set(item.terms.split())) for item in passages}
    return {ref: float(number) for ref, number in shared.items() if number}
