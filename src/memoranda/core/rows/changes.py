"""The changes that make up a write. A batch of changes is applied in one transaction or not at all.

Changes are values: the dry run prints them, the conformance machine replays them, history is made of them.
They decide nothing; what to write was decided before. A change that no store could carry out is refused with an
`InputError` when it is constructed, so stores can trust the names in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoranda.core.base.scope import Owner
from memoranda.core.rows.declare import Row, check_columns
from memoranda.errors import InputError, ScopeError


@dataclass(frozen=True, slots=True)
class Add:
    """Insert `row`; if its key exists, leave the existing row unchanged."""

    row: Row


@dataclass(frozen=True, slots=True)
class Put:
    """Insert `row`, replacing the row with the same key."""

    row: Row


@dataclass(frozen=True, slots=True)
class Patch:
    """Set some fields of the row with this key; no effect if there is none. Owner, key and `seq` cannot be changed."""

    kind: type[Row]
    key: tuple[Any, ...]
    values: Mapping[str, Any]

    def __post_init__(self) -> None:
        check_columns(self.kind, self.values)
        _check_free(self.kind, self.values)


@dataclass(frozen=True, slots=True)
class Touch:
    """Add to counters and set times without advancing the owner's `seq`: usage is not a change of memory.

    No effect if there is no such row.
    """

    kind: type[Row]
    key: tuple[Any, ...]
    add: Mapping[str, int] = field(default_factory=dict)
    at: Mapping[str, datetime] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_columns(self.kind, self.add, "int")
        check_columns(self.kind, self.at, "datetime")
        _check_free(self.kind, (*self.add, *self.at))


@dataclass(frozen=True, slots=True)
class Drop:
    """Remove the row with this key, its index entries and its bytes. For erasure, expiry and pruning."""

    kind: type[Row]
    key: tuple[Any, ...]


def _check_free(kind: type[Row], names: Iterable[str]) -> None:
    """Refuse fields that no change may set."""
    fixed = {"tenant", "user", "seq", *kind.__key__} & set(names)
    if fixed:
        raise InputError(f"{', '.join(sorted(fixed))} of {kind.__table__} cannot be changed: write a new row.")


Change = Add | Put | Patch | Touch | Drop


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Changes to one owner's memory, applied together.

    Attributes:
        owner: the owner of every row in `changes`.
        changes: applied in order.
        expect: the owner's `seq` the changes were planned against; if it has moved, nothing is written and
            the store raises `ConflictError`. None: the changes do not depend on existing state.
    """

    owner: Owner
    changes: tuple[Change, ...]
    expect: int | None = None

    def __post_init__(self) -> None:
        for change in self.changes:
            if isinstance(change, Add | Put) and (change.row.tenant, change.row.user) != self.owner:
                raise ScopeError(f"A row of {change.row.tenant}/{change.row.user} cannot be written to {self.owner}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The result of applying a batch.

    Attributes:
        seq: the owner's `seq` afterwards.
        taken: keys of `Add`ed rows that already existed, as (table, key).
    """

    seq: int
    taken: frozenset[tuple[str, tuple[Any, ...]]] = frozenset()
