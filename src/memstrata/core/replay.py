"""What a log comes to when it is read again: the order of its events, and what differs from what was known.

A row's `seq` tells when it was last written, and an event is written once more when consolidation takes it in. So the
order of the log is that of `recorded_at`, which is set when an event is planned, on condition that nobody else wrote.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from memstrata.core.changes import Add, Change, Drop, Patch, Put
from memstrata.core.profile import NARRATIVE
from memstrata.core.reopening import COMPOSED
from memstrata.core.routing import KEY
from memstrata.core.rows import Entity, Event, Passage, Record, Relation, Row, ToolUse, Vector, key_of
from memstrata.core.statements import ENTITY

#: The kinds of rows that are derived from events; all others are carried over as they are.
DERIVED: tuple[type[Row], ...] = (Record, Passage, Vector, Entity, Relation, ToolUse)
#: What the digest leaves out: what is counted, and vectors, which follow from texts.
COUNTED = ("access_count", "last_accessed")
#: What forgetting leaves of how a belief came about: under which number it is kept, when and where it was said first.
TRACES = ("id", "version", "importance", "recorded_at", "conversation", "supersedes")
_DIGESTED = tuple(kind for kind in DERIVED if kind is not Vector)

Key = tuple[type[Row], tuple[Any, ...]]
Rows = Mapping[Key, Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """A record as it is believed.

    Attributes:
        id: of the record; `kind`, `text`, `status`, `confidence`: as it has them.
        valid_from, valid_to: when it holds.
        sources: ids of the events it rests on.
    """

    id: str
    kind: str
    text: str
    status: str
    confidence: float
    valid_from: datetime
    valid_to: datetime | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Altered:
    """A belief that is another one now."""

    before: Belief
    after: Belief


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Which beliefs appear, change and vanish, each in the order of their ids."""

    appeared: tuple[Belief, ...] = ()
    changed: tuple[Altered, ...] = ()
    vanished: tuple[Belief, ...] = ()


_TOLD = tuple(item.name for item in fields(Belief))


def ordered(events: Iterable[Event]) -> list[Event]:
    """Events in the order in which they were written.

    Of those recorded at one moment, which came in one call, the ones taken in by consolidation stand first, for they
    were written again in their order; and those of one conversation stand as they were said.
    """
    found = sorted(events, key=lambda event: (event.recorded_at, event.processed_at is None, event.seq))
    return [event for _, group in groupby(found, attrgetter("recorded_at")) for event in _spoken(list(group))]


def _spoken(events: Sequence[Event]) -> Iterator[Event]:
    """The events of one moment, in each conversation by their place in it."""
    turns: dict[tuple[str | None, str], list[Event]] = {}
    for event in events:
        turns.setdefault((event.conversation, event.channel), []).append(event)
    queues = {key: iter(sorted(some, key=attrgetter("position"))) for key, some in turns.items()}
    return (next(queues[event.conversation, event.channel]) for event in events)


def stated_directly(records: Iterable[Record]) -> frozenset[str]:
    """Ids of the records that no rule read in a text, and no model: what was done, described or kept under a key."""
    done = COMPOSED - {NARRATIVE}
    return frozenset(row.id for row in records if row.editor in done or row.kind == ENTITY or row.subject == KEY)


def keyed(rows: Iterable[Row]) -> dict[Key, Row]:
    """Rows by their kind and key."""
    return {(type(row), key_of(row)): row for row in rows}


def digest(rows: Iterable[Row], *, forgotten: bool = False) -> str:
    """The SHA-256 of derived rows, the same for the same rows in whatever order and store.

    Args:
        rows: of one owner.
        forgotten: whether something was forgotten, which leaves beliefs as if that had never been, but not how they
            came about: then only what is believed counts, without `TRACES`.
    """
    counting = _believed if forgotten else _whole
    lines = (json.dumps(told, sort_keys=True, ensure_ascii=False) for told in map(counting, rows) if told)
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def _whole(row: Row, left_out: Iterable[str] = COUNTED) -> dict[str, Any] | None:
    if not isinstance(row, _DIGESTED):
        return None
    hidden = {"seq", *left_out} if isinstance(row, Record) else {"seq"}
    values = {name: getattr(row, name) for name in row.__columns__ if name not in hidden}
    told = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
    return {"": row.__table__, **told}


def _believed(row: Row) -> dict[str, Any] | None:
    over = isinstance(row, Record) and row.superseded_at is not None
    found = isinstance(row, Passage) and row.of == "record"
    return None if over or found else _whole(row, (*COUNTED, *TRACES))


def difference(before: Iterable[Row], after: Iterable[Row]) -> Difference:
    """Which beliefs appear, change and vanish. One that only got another id does none of these."""
    old, new = _beliefs(before), _beliefs(after)
    alone = {replace(new[name], id=""): name for name in new.keys() - old.keys()}
    for name in sorted(old.keys() - new.keys()):
        if same := alone.pop(replace(old[name], id=""), None):
            del old[name], new[same]
    return Difference(
        appeared=tuple(new[name] for name in sorted(new.keys() - old.keys())),
        changed=tuple(
            Altered(before=old[name], after=new[name])
            for name in sorted(new.keys() & old.keys())
            if new[name] != old[name]
        ),
        vanished=tuple(old[name] for name in sorted(old.keys() - new.keys())),
    )


def _beliefs(rows: Iterable[Row]) -> dict[str, Belief]:
    current = (row for row in rows if isinstance(row, Record) and row.superseded_at is None)
    return {row.id: Belief(**{name: getattr(row, name) for name in _TOLD}) for row in current}


def changes_to(before: Rows, after: Rows) -> Iterator[Change]:
    """What makes the derived rows `before` those `after`; what is counted of a record that stays is not touched."""
    yield from (Drop(*key) for key in before if key not in after)
    for key, row in after.items():
        known = before.get(key)
        if known is None:
            yield Add(row)
        elif isinstance(row, Event | Record):
            left_out = ("seq", *COUNTED)
            names = (name for name in row.__columns__ if name not in left_out)
            values = {name: getattr(row, name) for name in names if getattr(row, name) != getattr(known, name)}
            if values:
                yield Patch(*key, values)
        elif replace(row, seq=0) != replace(known, seq=0):
            yield Put(row)


def counted_as(row: Record, before: Mapping[str, Sequence[Record]]) -> Record:
    """A record with the uses that were counted of it: of this version, or of the last one."""
    versions = before.get(row.id, ())
    same = next((one for one in versions if one.version == row.version), versions[-1] if versions else None)
    return row if same is None else replace(row, access_count=same.access_count, last_accessed=same.last_accessed)
