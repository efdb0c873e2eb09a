"""Replaying a log: the order of its events, and the difference from the current beliefs.

A row's `seq` is that of its last write, and an event is written again when consolidation processes it. The log is
therefore ordered by `recorded_at`, which is set when an event is planned, on condition that nobody else wrote.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.rows import Entity, Event, Passage, Record, Row, Vector, key_of, kinds_with
from memoranda.core.rows.changes import Add, Change, Drop, Patch, Put
from memoranda.core.rows.statements import ENTITY
from memoranda.core.strata.keys import KEY

#: What only repeats what others say: without a name that can be read it says nothing.
REPEATED = kinds_with(derived="repeated")
#: The row kinds that are derived from events; all others are carried over unchanged.
DERIVED: tuple[type[Row], ...] = (*kinds_with(derived="stated"), *REPEATED)
#: Usage counters, which the digest leaves out; it also leaves out vectors, which follow from texts.
COUNTED = ("access_count", "last_accessed")
#: Traces of a forgotten event in a belief that survives it: numbers, and fields set when it was first said.
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
        id: of the record; `kind`, `text`, `status`, `confidence`: as in the record.
        valid_from, valid_to: when it holds.
        sources: ids of its source events.
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
    """A belief that has changed."""

    before: Belief
    after: Belief


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Which beliefs appear, change and vanish, each in the order of their ids."""

    appeared: tuple[Belief, ...] = ()
    changed: tuple[Altered, ...] = ()
    vanished: tuple[Belief, ...] = ()


_BELIEF_FIELDS = tuple(item.name for item in fields(Belief))


def ordered(events: Iterable[Event]) -> list[Event]:
    """Return events in the order in which they were written.

    Among those recorded at one moment (by one call), events processed by consolidation come first, by `seq`, since they
    were rewritten in their order. Those of one conversation are in the order of their positions.
    """
    found = sorted(events, key=lambda event: (event.recorded_at, event.processed_at is None, event.seq))
    return [event for _, group in groupby(found, attrgetter("recorded_at")) for event in _spoken(list(group))]


def _spoken(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events of one moment, those of each conversation by position."""
    turns: dict[tuple[str | None, str], list[Event]] = {}
    for event in events:
        turns.setdefault((event.conversation, event.channel), []).append(event)
    queues = {key: iter(sorted(some, key=attrgetter("position"))) for key, some in turns.items()}
    return (next(queues[event.conversation, event.channel]) for event in events)


def stated_directly(records: Iterable[Record]) -> frozenset[str]:
    """Return the ids of records that neither rules nor a model read in a text: done, described or set by key."""
    done = COMPOSED - {NARRATIVE}
    return frozenset(row.id for row in records if row.editor in done or row.kind == ENTITY or row.subject == KEY)


def keyed(rows: Iterable[Row]) -> dict[Key, Row]:
    """Index rows by kind and key."""
    return {(type(row), key_of(row)): row for row in rows}


def digest(rows: Iterable[Row], *, forgotten: bool = False) -> str:
    """Return the SHA-256 of derived rows, the same for the same rows in any order and store.

    Args:
        rows: of one owner.
        forgotten: whether something was forgotten. Forgetting restores beliefs, but not how they came about, so then
            only what is believed counts, without `TRACES`.
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
    """Return which beliefs appear, change and vanish."""
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
    return {row.id: Belief(**{name: getattr(row, name) for name in _BELIEF_FIELDS}) for row in current}


def changes_to(before: Rows, after: Rows) -> Iterator[Change]:
    """Yield the changes that turn the derived rows `before` into `after`; usage counters are left alone."""
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


def counted_as(row: Record | Passage, before: Mapping[Key, Sequence[Record | Passage]]) -> Record | Passage:
    """Return a row with the usage counters of its previous self: of a record, of this version, or else the last one.

    `before` has the rows by kind and id.
    """
    versions = before.get((type(row), key_of(row)[:1]), ())
    same = next((one for one in versions if key_of(one) == key_of(row)), versions[-1] if versions else None)
    return row if same is None else replace(row, access_count=same.access_count, last_accessed=same.last_accessed)


# ------------------------------------------------------------------------------------------------ names


class Sayings:
    """Matches records by what they say and by their source events, whatever their ids.

    If a statement was made at several times, the id of each of its records is made from the one before. When the first
    is forgotten, the others keep their ids, but get different ids when derived again.

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
        """Return which of some records is the record `name`; None if none is, or if it is unknown."""
        here = [one for one in records if _claim(one) == self._claims.get(name)]
        found = [one for one in here if not self._sources[name].isdisjoint(one.sources)]
        return min(found, key=lambda one: (one.id != name, one.id), default=None)

    def names(self, records: Iterable[Record]) -> dict[str, str]:
        """Map the ids of records that were derived again to the ids they had."""
        now = Sayings(records)
        found: dict[str, str] = {}
        for name, sources in sorted(now._sources.items(), key=lambda one: (one[0] not in self._sources, one[0])):
            same = [one for one in self._same.get(now._claims[name], ()) if not sources.isdisjoint(self._sources[one])]
            free = sorted(set(same) - set(found.values()), key=lambda one: (one != name, one))
            if free:
                found[name] = free[0]
        before = {was: name for name, was in found.items()}
        # A record whose id now belongs to another takes a free one.
        for name in now._sources.keys() & before.keys() - found.keys():
            left = name
            while left in before:
                left = before[left]
            found[name] = left
        return {name: was for name, was in found.items() if name != was}


def _claim(record: Record) -> tuple[object, ...]:
    return record.hash, record.kind, record.agent, record.channel, record.connection


def renamed(row: Row, names: Mapping[str, str]) -> Row:
    """Return a derived row with record ids replaced."""
    match row:
        case Record():
            others = {one: names.get(getattr(row, one), getattr(row, one)) for one in ("supersedes", "promoted_from")}
            return replace(row, id=names.get(row.id, row.id), **others)
        case Passage() | Vector() if row.ref in names:
            return replace(row, ref=names[row.ref])
    return row
