"""Computes the outcome of a batch before anything is written.

Nobody else writes under the owner's lock. So once it is known which of the batch's keys exist, the outcome of every
change and every row's `seq` follow by counting. The writes are then grouped. Changes to different keys commute, so
the first changes to all keys go together, then the second ones, and so on. A batch of any size becomes a handful of
statements.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memoranda.core.rows import Row, columns_of, key_of
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Patch, Put, Touch
from memoranda.ports import State

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of a statement: its verb, the kind of row, and the columns it sets or adds to."""

    verb: type[Put | Patch | Drop]
    kind: type[Row]
    sets: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether the statement writes anything; a `Touch` without columns does not."""
        return self.verb is not Patch or bool(self.sets or self.adds)


@dataclass(slots=True)
class Plan:
    """The outcome of a batch: the resulting state, the keys that were taken, and the statements with their rows."""

    state: State
    taken: set[tuple[str, Key]] = field(default_factory=set)
    statements: list[tuple[Shape, list[Mapping[str, Any]]]] = field(default_factory=list)


def address(change: Change) -> tuple[type[Row], Key]:
    """Return the kind and key of the row that `change` affects."""
    if isinstance(change, Add | Put):
        return type(change.row), key_of(change.row)
    return change.kind, tuple(change.key)


def asked(batch: Batch) -> Mapping[type[Row], list[Key]]:
    """Return the keys whose existence determines the outcome of `batch`, by kind. A `Put` does not depend on it."""
    keys: dict[type[Row], dict[Key, None]] = {}
    for change in batch.changes:
        if not isinstance(change, Put):
            kind, key = address(change)
            keys.setdefault(kind, {})[key] = None
    return {kind: list(found) for kind, found in keys.items()}


def plan(batch: Batch, state: State, present: Iterable[tuple[type[Row], Key]]) -> Plan:
    """Compute the outcome of `batch` for an owner at `state`; of the keys from `asked`, those in `present` exist."""
    result, there = Plan(state), set(present)
    turns: Counter[tuple[type[Row], Key]] = Counter()
    groups: dict[tuple[int, Shape], list[Mapping[str, Any]]] = {}
    for change in batch.changes:
        place = kind, key = address(change)
        if isinstance(change, Add) and place in there:
            result.taken.add((kind.__table__, key))
        elif isinstance(change, Add | Put) or place in there:
            shape, row = _write(change, result)
            if shape.writes:
                names = dict(zip(kind.__key__, key, strict=True), tenant=batch.owner.tenant, user=batch.owner.user)
                groups.setdefault((turns[place], shape), []).append(row | names)
                turns[place] += 1
            (there.discard if isinstance(change, Drop) else there.add)(place)
    result.statements = [(shape, rows) for (_, shape), rows in sorted(groups.items(), key=lambda item: item[0][0])]
    return result


def _write(change: Change, result: Plan) -> tuple[Shape, dict[str, Any]]:
    """Return the shape of the statement for `change` and its column values, and advance `result.state`."""
    seq = result.state.seq + 1
    if isinstance(change, Touch):
        values = {**change.add, **change.at}
        return Shape(Patch, change.kind, sets=tuple(sorted(change.at)), adds=tuple(sorted(change.add))), values
    if isinstance(change, Drop):
        result.state = State(seq=seq, dropped=seq if change.kind.__traits__.image else result.state.dropped)
        return Shape(Drop, change.kind), {}
    result.state = State(seq=seq, dropped=result.state.dropped)
    if isinstance(change, Patch):
        values = {**change.values, "seq": seq}
        return Shape(Patch, change.kind, sets=tuple(sorted(values))), values
    kind = type(change.row)
    return Shape(Put, kind), {item.name: getattr(change.row, item.name) for item in columns_of(kind)} | {"seq": seq}
