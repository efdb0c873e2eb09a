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
#: What forgetting leaves of how a belief came about: its numbers, and what the first to say it gave it.
TRACES: Mapping[type[Row], frozenset[str]] = {
    Record: frozenset(
        "id version importance confidence certainty source trust recorded_at conversation supersedes promoted_from "
        "editor".split()
    ),
    Entity: frozenset({"type"}),
}
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


def _whole(row: Row, left_out: Iterable[str] = ()) -> dict[str, Any] | None:
    if not isinstance(row, _DIGESTED):
        return None
    hidden = {"seq", *COUNTED, *left_out}
    values = {name: getattr(row, name) for name in row.__columns__ if name not in hidden}
    told = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
    return {"": row.__table__, **told}


def _believed(row: Row) -> dict[str, Any] | None:
    over = isinstance(row, Record) and row.superseded_at is not None
    found = isinstance(row, Passage) and row.of == "record"
    return None if over or found else _whole(row, TRACES.get(type(row), ()))


def difference(before: Iterable[Row], after: Iterable[Row]) -> Difference:
    """Which beliefs appear, change and vanish."""
    old, new = _beliefs(before), _beliefs(after)
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


# ------------------------------------------------------------------------------------------------ names


class Sayings:
    """Which record says what, and by which events: by that one is known whatever its id.

    Of a statement that was made at several times each record has an id made of the one before it. When the first is
    forgotten the others keep theirs, and get other ones when they are derived again.

    Args:
        records: every version of each.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self._claims: dict[str, tuple[object, ...]] = {}
        self._sources: dict[str, set[str]] = {}
        self._same: dict[tuple[object, ...], list[str]] = {}
        for record in records:
            if record.id not in self._claims:
                self._claims[record.id] = claim = _claim(record)
                self._same.setdefault(claim, []).append(record.id)
            self._sources.setdefault(record.id, set()).update(record.sources)

    def among(self, name: str, records: Iterable[Record]) -> Record | None:
        """The one of some records that is the record `name`; None where that is none of these, or is not known."""
        here = [one for one in records if _claim(one) == self._claims.get(name)]
        found = [one for one in here if not self._sources[name].isdisjoint(one.sources)]
        return min(found, key=lambda one: (one.id != name, one.id), default=None)

    def names(self, records: Iterable[Record]) -> dict[str, str]:
        """The ids of records that were derived again, each with the one it had."""
        now = Sayings(records)
        found: dict[str, str] = {}
        for name, sources in sorted(now._sources.items(), key=lambda one: (one[0] not in self._sources, one[0])):
            same = [one for one in self._same.get(now._claims[name], ()) if not sources.isdisjoint(self._sources[one])]
            free = sorted(set(same) - set(found.values()), key=lambda one: (one != name, one))
            if free:
                found[name] = free[0]
        before = {was: name for name, was in found.items()}
        # One whose id is another's takes one that is free.
        for name in now._sources.keys() & before.keys() - found.keys():
            left = name
            while left in before:
                left = before[left]
            found[name] = left
        return {name: was for name, was in found.items() if name != was}


def _claim(record: Record) -> tuple[object, ...]:
    return record.hash, record.kind, record.agent, record.channel, record.connection


def renamed(row: Row, names: Mapping[str, str]) -> Row:
    """A derived row with other ids of records in it."""
    match row:
        case Record():
            others = {one: names.get(getattr(row, one), getattr(row, one)) for one in ("supersedes", "promoted_from")}
            return replace(row, id=names.get(row.id, row.id), **others)
        case Passage() | Vector() if row.ref in names:
            return replace(row, ref=names[row.ref])
    return row
