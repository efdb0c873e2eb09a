"""What a batch that was just written makes of an image, so that the image need not be read again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memoranda.core.image.image import HELD, Partition
from memoranda.core.rows import (
    TABLES,
    Entity,
    Event,
    Passage,
    Record,
    Relation,
    Row,
    Tombstone,
    ToolUse,
    Vector,
    key_of,
)
from memoranda.core.rows.changes import Add, Applied, Batch, Drop, Patch, Put

#: The tables of all row kinds but these and events: they are read from the store on demand.
_ELSEWHERE = {table for table, kind in TABLES.items() if kind not in (*HELD, Event)}


def follow(image: Partition, batch: Batch, applied: Applied) -> None:
    """Apply a batch that was just written, if nothing else was written since the image was read.

    Where that is not certain, leave the image unchanged; the next refresh brings the batch.
    """
    taken = {table for table, _ in applied.taken} - _ELSEWHERE
    if batch.expect != image.seq or taken:
        return
    dropped: dict[type[Row], list[tuple[Any, ...]]] = {}
    rows: dict[type[Row], list[Any]] = {}
    for change in batch.changes:
        if isinstance(change, Drop):
            dropped.setdefault(change.kind, []).append(change.key)
        elif isinstance(change, Add | Put):
            rows.setdefault(type(change.row), []).append(change.row)
        elif isinstance(change, Patch) and change.kind in HELD:
            rows.setdefault(change.kind, []).extend(_patched(image, change, rows.get(change.kind, [])))
    _drop(image, dropped)
    image.absorb(*(rows.get(kind, ()) for kind in HELD))
    image.seq = image.dropped = applied.seq


def _patched(image: Partition, patch: Patch, written: list[Any]) -> list[Row]:
    """Return the row that a patch leaves, if it is a current one or one just written.

    An older version of a record that is to hold again is not known here, nor what becomes of a relation.
    """
    found = [row for row in (*_known(image, patch), *written) if key_of(row) == patch.key]
    image.stale |= not found and patch.values.get("superseded_at", ()) is None
    return [replace(row, **patch.values) for row in found[-1:]]


def _known(image: Partition, patch: Patch) -> Iterable[Row]:
    name = patch.key[0]
    if patch.kind is Record:
        return [image.records[name]] if name in image.records else []
    image.stale = True
    return []


def _drop(image: Partition, dropped: Mapping[type[Row], Sequence[tuple[Any, ...]]]) -> None:
    """Take out rows, given their keys by kind."""
    numbers = image.index.numbers
    vectors = [numbers[ref] for space, ref in dropped.get(Vector, ()) if space == image.space and ref in numbers]
    image.index.blind(vectors)
    image.index.drop(ref for (ref,) in dropped.get(Passage, ()))
    for name, version in dropped.get(Record, ()):
        known = image.records.get(name)
        if known is not None and known.version == version:
            image.records.remove(name)
            image.index.weigh(name)
    if gone := {name for (name,) in dropped.get(Entity, ())}:
        image.entities.drop(gone)
    for (name,) in dropped.get(Relation, ()):
        image.stale |= not image.edges.drop(name)
    for (name,) in dropped.get(ToolUse, ()):
        image.tools.remove(name)
    image.stale |= Tombstone in dropped


def version_in(image: Partition, row: Record) -> Record | None:
    """Return a version of a record, read from the store later, as it was when this image was read; None if not yet.

    Of the versions of a record, only the current one changes.
    """
    if row.seq <= image.seq:
        return row
    known = image.records.get(row.id)
    return known if known is not None and known.version == row.version else None
