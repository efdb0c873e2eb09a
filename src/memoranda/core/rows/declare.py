"""How a row kind is declared: as a frozen dataclass whose first two fields name its owner.

`@table` gives it a table name, a key, and traits, from which lists of kinds are computed. A new row kind takes a
dataclass and a `CREATE TABLE` in each backend's migrations, and no method anywhere. The field types are few, so that
every backend maps them alike: `str`, `int`, `float`, `bool`, `datetime` (aware, UTC), `bytes`, `tuple[str, ...]`,
`Mapping` (JSON object) and `Json`, each optionally `None`.

Every row carries `seq`, the value of the owner's change counter when the row was last written. The store increments
the counter; a reader that has read up to some `seq` asks for the rows after it.
"""

import dataclasses
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal, TypeVar

from memoranda.core.base.checks import brief
from memoranda.errors import InputError

Json = dict[str, Any] | list[Any] | str | int | float | bool | None

ColumnType = Literal["str", "int", "float", "bool", "datetime", "bytes", "strings", "json"]

#: The types whose values every store can compare and order. Bytes hold vectors, which have no order.
SCALARS: tuple[ColumnType, ...] = ("str", "int", "float", "bool", "datetime")

_GREATEST = sys.float_info.max
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
#: The least and the greatest value, by column name or else by type. A counter is a part of a row number of an index,
#: a position or a count is held in 32 bits, as are what scores are made of, and a recorded time is one that another can
#: follow.
_BOUNDS: Mapping[str, tuple[Any, Any]] = {
    "int": (-(2**63), 2**63 - 1), "float": (-_GREATEST, _GREATEST), "bool": (0, 1), "datetime": (_FIRST, _LAST),
    "seq": (1, 2**32 - 1), "position": (-(2**31), 2**31 - 1), "access_count": (-(2**31), 2**31 - 1),
    "importance": (-1e12, 1e12), "confidence": (-1e12, 1e12), "trust": (-1e12, 1e12),
    "recorded_at": (_FIRST, _LAST.replace(year=9998)), "superseded_at": (_FIRST, _LAST.replace(year=9998)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One stored field of a row."""

    name: str
    type: ColumnType
    nullable: bool

    @property
    def bounds(self) -> tuple[Any, Any] | None:
        """The least and the greatest value that a number or a time may have; None for another type."""
        return _BOUNDS.get(self.name, _BOUNDS.get(self.type))


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTraits:
    """How all rows of a kind are treated.

    Attributes:
        image: an owner's image has them `held`, or `cited` by what it holds; None: it knows nothing of them, and a
            removal does not move the owner's `dropped`.
        derived: a replay of the events makes them again, as `stated` by events, or `repeated` from what is stated;
            None: they are carried over.
        seen: by whoever sees their `site`, each `passage` that they rest on, a passage that names them as an `entity`,
            or their site and both `ends`; None: by the user, and by no agent.
        named: the audit names them by their id; else they go with a row that is named.
        falls: what is forgotten takes them by a `rule` of the kind's own, as `parts` of an event or a record, or, if
            they tell of others in free `words`, when these repeat it, and the first of these also when it was a turn;
            None: forgetting what is a user's own leaves them.
        rests: the attribute with the id or the ids of events and records with which they fall.
        exported: whether an export has them; not what doors keep of calls, which is no part of the memory: it would
            answer calls that nobody made where the export is read, and repeats only what the export has anyway.
    """

    image: Literal["held", "cited"] | None
    derived: Literal["stated", "repeated"] | None
    seen: Literal["site", "passage", "entity", "ends"] | None
    named: bool
    falls: Literal["rule", "parts", "words"] | None
    rests: str | None = None
    exported: bool = True

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that a row must have."""
        words = ("words", *((*_SITE, "conversation") if self.seen else ()))
        told = {"parts": (self.rests or "rests",), "words": words}.get(self.falls or "", ())
        return (*_SHOWN_BY[self.seen], *told, *filter(None, (self.rests,)))


_SITE = ("agent", "channel", "connection")
#: What a row is seen by.
_SHOWN_BY: Mapping[str | None, tuple[str, ...]] = {
    "site": _SITE, "passage": ("ref",), "entity": ("id",), "ends": (*_SITE, "head", "tail"), None: (),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row:
    """The fields common to all row kinds: the owner, and the owner's change counter at the last write."""

    __table__: ClassVar[str]
    __key__: ClassVar[tuple[str, ...]]
    __traits__: ClassVar[RowTraits]
    __columns__: ClassVar[Mapping[str, Column]]

    tenant: str
    user: str
    seq: int = 0


R = TypeVar("R", bound=Row)

TABLES: dict[str, type[Row]] = {}


def table(name: str, *key: str, traits: RowTraits) -> Callable[[type[R]], type[R]]:
    """Declare a row kind: its table name, the fields that identify a row within an owner, and its traits.

    Raises:
        TypeError: the kind lacks an attribute that its traits call for.
    """

    def declare(cls: type[R]) -> type[R]:
        if lacking := [one for one in traits.attributes if not hasattr(cls, one)]:
            raise TypeError(f"{name} lacks {', '.join(lacking)}, for which its traits call.")
        cls.__table__, cls.__key__, cls.__traits__ = name, key, traits
        cls.__columns__ = {item.name: _column(item.name, item.type) for item in dataclasses.fields(cls)}
        TABLES[name] = cls
        return cls

    return declare


_TYPES: dict[Any, ColumnType] = {
    str: "str", int: "int", float: "float", bool: "bool", datetime: "datetime", bytes: "bytes",
}  # fmt: skip


def columns_of(kind: type[Row]) -> tuple[Column, ...]:
    """Return the columns of a row kind, in declaration order."""
    return tuple(kind.__columns__.values())


def _column(name: str, hint: Any) -> Column:
    if hint == Json:
        return Column(name, "json", nullable=True)
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    plain = next(option for option in options if option is not type(None))
    nullable = len(options) > 1
    origin = typing.get_origin(plain)
    if origin is tuple:
        return Column(name, "strings", nullable)
    if origin is Mapping:
        return Column(name, "json", nullable)
    return Column(name, _TYPES[plain], nullable)


def check_columns(kind: type[Row], names: Iterable[str], *types: ColumnType) -> None:
    """Refuse any name that is not a column of `kind`, or, if `types` are given, not of one of these types.

    Raises:
        InputError: naming the columns there are.
    """
    columns = kind.__columns__
    for name in names:
        if name not in columns or (types and columns[name].type not in types):
            known = [item.name for item in columns.values() if not types or item.type in types]
            raise InputError(f"{kind.__table__} has no such column as {brief(name)} here; it has {', '.join(known)}.")


def kinds_with(**traits: object) -> tuple[type[Row], ...]:
    """Return the row kinds with these traits, in the order in which they were declared."""
    found = TABLES.values()
    return tuple(kind for kind in found if all(getattr(kind.__traits__, name) == one for name, one in traits.items()))


def key_of(row: Row) -> tuple[Any, ...]:
    """Return the values that identify `row` within its owner."""
    return tuple(getattr(row, name) for name in row.__key__)


def rests_on(row: Row) -> tuple[str, ...]:
    """Return the ids of the events and records with which a row falls."""
    found = getattr(row, row.__traits__.rests) if row.__traits__.rests else ()
    return (found,) if isinstance(found, str) else tuple(found)


def texts_of(value: Json) -> Iterable[str]:
    """Yield every text in a JSON value, names included."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)
    else:
        yield str(value)
