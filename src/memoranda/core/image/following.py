"""What a batch that was just written makes of an image, so that the image need not be read again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memoranda.core.image.image import HELD, Partition
from memoranda.core.rows import (
    TABLES,
    ConversationMark,
    Entity,
    LaterWord,
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


def follow(image: Partition, batch: Batch, applied: Applied) -> None:
    """Apply a batch that was just written, if nothing else was written since the image was read.

    Where that is not certain, leave the image unchanged; the next refresh brings the batch.
    """
    taken = {TABLES[table].__traits__.image for table, _ in applied.taken}
    if batch.expect != image.seq or taken - {None}:
        return
    dropped: dict[type[Row], list[tuple[Any, ...]]] = {}
    rows: dict[type[Row], dict[tuple[Any, ...], Any]] = {kind: {} for kind in HELD.values()}
    for change in batch.changes:
        kind = type(change.row) if isinstance(change, Add | Put) else change.kind
        if kind not in rows:
            continue
        if isinstance(change, Drop):
            dropped.setdefault(kind, []).append(change.key)
            rows[kind].pop(change.key, None)
        elif isinstance(change, Add | Put):
            rows[kind][key_of(change.row)] = change.row
        elif isinstance(change, Patch):
            rows[kind] |= _patched(image, change, rows[kind].get(change.key))
    _drop(image, dropped)
    image.absorb(**{name: [*rows[kind].values()] for name, kind in HELD.items()})
    image.seq = image.dropped = applied.seq


def _patched(image: Partition, patch: Patch, written: Row | None) -> Mapping[tuple[Any, ...], Row]:
    """Return the row that a patch leaves, if it is a current record or a row just written, by its key.

    An older version of a record that is to hold again is not known here, nor what becomes of a relation.
    """
    known = image.records.get(patch.key[0]) if patch.kind is Record else None
    found = written or (known if known is not None and key_of(known) == patch.key else None)
    image.stale |= patch.kind is not Record or (found is None and patch.values.get("superseded_at", ()) is None)
    return {} if found is None else {patch.key: replace(found, **patch.values)}


def _drop(image: Partition, dropped: Mapping[type[Row], Sequence[tuple[Any, ...]]]) -> None:
    """Take out rows, given their keys by kind."""
    numbers = image.index.numbers
    vectors = [numbers[ref] for space, ref in dropped.get(Vector, ()) if space == image.space and ref in numbers]
    image.index.blind(vectors)
    image.index.drop(ref for (ref,) in dropped.get(Passage, ()))
    image.days.drop(ref for (ref,) in dropped.get(Passage, ()))
    for (ref,) in dropped.get(Passage, ()):
        image.notes.pop(ref, None)
    for name, version in dropped.get(Record, ()):
        known = image.records.get(name)
        if known is not None and known.version == version:
            image.records.remove(name)
            image.index.weigh(name)
    if gone := {name for (name,) in dropped.get(Entity, ())}:
        image.entities.drop(gone)
        for name in gone:
            image.names.pop(name, None)
    for (name,) in dropped.get(Relation, ()):
        image.stale |= not image.edges.drop(name)
    for (name,) in dropped.get(ToolUse, ()):
        image.tools.remove(name)
    for (name,) in dropped.get(ConversationMark, ()):
        image.archive.marks.remove(name)
    for later, earlier in dropped.get(LaterWord, ()):
        image.later.put(earlier, tuple(one for one in image.later.get(earlier, ()) if one[0] != later))
    image.stale |= Tombstone in dropped


def version_in(image: Partition, row: Record) -> Record | None:
    """Return a version of a record, read from the store later, as it was when this image was read; None if not yet.

    Of the versions of a record, only the current one changes.
    """
    if row.seq <= image.seq:
        return row
    known = image.records.get(row.id)
    return known if known is not None and known.version == row.version else None
