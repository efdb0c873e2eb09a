"""Rows of one kind by column, as a store reads them. A row object is made only when it is asked for.

A hot image takes columns from thousands of passages and needs few of them as rows; making all of them takes longer
than reading them.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.versions import twin
from memoranda.core.rows.declare import TABLES, R, Row, key_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: For every column of each row kind: its name, its setter in a row, and whether it is a time.
_SLOTS: Mapping[type[Row], Sequence[tuple[str, Callable[[Row, Any], None], bool]]] = {
    kind: [(name, getattr(kind, name).__set__, item.type == "datetime") for name, item in kind.__columns__.items()]
    for kind in TABLES.values()
}


def moments(microseconds: Sequence[int | None]) -> list[datetime | None]:
    """Return the times given in microseconds since 1970."""
    known = [value for value in microseconds if value is not None] if None in microseconds else microseconds
    found: Iterator[datetime] = map(EPOCH.__add__, map(partial(timedelta, 0, 0), known))
    return list(found) if known is microseconds else [value if value is None else next(found) for value in microseconds]


class RowSet(Sequence[R]):
    """Rows of one kind, equal to any other sequence of the same rows.

    Args:
        kind: the row kind.
        columns: the values of every column, times in microseconds since 1970.
    """

    def __init__(self, kind: type[R], columns: Mapping[str, Sequence[Any]]) -> None:
        self._kind = kind
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns["seq"])

    def __iter__(self) -> Iterator[R]:
        """Make all rows, column by column: `map` over a slot's setter runs without a Python frame per value."""
        rows = list(map(object.__new__, [self._kind] * len(self)))
        for name, setter, _ in _SLOTS[self._kind]:
            deque(map(setter, rows, self.column(name)), maxlen=0)
        return iter(rows)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return tuple(self)[place]
        row = object.__new__(self._kind)
        for name, setter, timed in _SLOTS[self._kind]:
            value = self._columns[name][place]
            setter(row, moments((value,))[0] if timed else value)
        return row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def column(self, name: str) -> Sequence[Any]:
        """Return the values of one column, as rows have them."""
        values = self._columns[name]
        return moments(values) if self._kind.__columns__[name].type == "datetime" else values

    def seconds(self, name: str) -> NDArray[np.float64]:
        """Return the times of a column, in seconds since 1970; None is not a number."""
        return np.array(self._columns[name], np.float64) / 1e6


@dataclass(frozen=True, slots=True)
class Damaged:
    """A stored row with values that cannot be read.

    Attributes:
        row: what can be read of it; a damaged value is what is legible of a text, else empty.
        columns: what is wrong, by column.
    """

    row: Row
    columns: Mapping[str, str]

    @property
    def lost(self) -> bool:
        """Whether its key cannot be read, so that it cannot be written again."""
        return not self.columns.keys().isdisjoint(("tenant", "user", *self.row.__key__))

    def __str__(self) -> str:
        wrong = ", ".join(f"{name} ({why})" for name, why in self.columns.items())
        return f"{self.row.__table__} {'/'.join(map(str, key_of(self.row)))}: damaged {wrong}"


def column(rows: Sequence[Row], name: str) -> Sequence[Any]:
    """Return the values of one column of some rows."""
    return rows.column(name) if isinstance(rows, RowSet) else [getattr(row, name) for row in rows]


def seconds(rows: Sequence[Row], name: str) -> NDArray[np.float64]:
    """Return the times of a column, in seconds since 1970; None is not a number."""
    if isinstance(rows, RowSet):
        return rows.seconds(name)
    return np.array([np.nan if at is None else at.timestamp() for at in column(rows, name)], np.float64)


class Shelf(Generic[R]):
    """A growing list of rows, each made when it is first asked for, and kept.

    Versions share it (see `core.base.versions`).
    """

    def __init__(self) -> None:
        self._rows: list[R | None] = []
        self._first: Sequence[R] = ()
        self._size = self._shared = 0

    def fork(self) -> "Shelf[R]":
        """Return the next version."""
        new = twin(self)
        new._shared = self._size
        return new

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[R]:
        return map(self.__getitem__, range(self._size))

    def __getitem__(self, number: int) -> R:
        row = self._rows[number]
        if row is None:
            row = self._rows[number] = self._first[number]
        return row

    def __setitem__(self, number: int, row: R) -> None:
        if number < self._shared:
            self._rows, self._shared = self._rows[: self._size], 0
        self._rows[number] = row

    def extend(self, rows: Sequence[R]) -> None:
        """Append `rows`."""
        if self._size or not isinstance(rows, RowSet):
            self._rows += rows
        else:
            self._first, self._rows = rows, [None] * len(rows)
        self._size += len(rows)
