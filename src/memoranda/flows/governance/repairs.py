"""What an owner's rows should be, as far as the log and what else can be read tell.

A repair never removes words: a damaged row is written again with what can be read of it. What is derived and damaged or
missing is taken from a replay of the log. A derived row whose event is not there is kept, since the event may come back
from a backup; it is dropped only if the event was forgotten, or if another row says the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.beliefs.overlay import passage_of
from memoranda.core.erasure.replay import Key, keyed
from memoranda.core.erasure.soundness import flaws, known, saying, took
from memoranda.core.rows import (
    TABLES,
    Entity,
    Event,
    Passage,
    Record,
    Relation,
    Row,
    Vector,
    columns_of,
    key_of,
)
from memoranda.core.rows.rowset import Damaged
from memoranda.flows.capture.capture import passage_in
from memoranda.flows.capture.passages import edge_of
from memoranda.flows.governance.rebuild import replayed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query

ROUNDS = 4  # the most passes of a repair
LOST = "damaged"  # the kind of an event that means nothing any more, because its metadata said what it meant
#: Kinds of events whose words, not metadata, say what happened.
_SPOKEN = frozenset({"turn", "observation", "log"})
#: Rows as they should be, None for those to drop.
Changes = Mapping[Key, Row | None]


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of an owner, with what can be read of the damaged ones."""

    seq: int
    all: Mapping[type[Row], Sequence[Any]]
    damaged: Sequence[Damaged]

    def wrong(self) -> dict[Key, str]:
        """What is wrong, by row."""
        return {key: flaw for flaw, key in flaws(self.all)} | {
            _key(one): f"{one}" for one in self.damaged if not one.lost
        }

    def after(self, changes: Changes) -> "Rows":
        """The rows once some are written again or dropped."""
        now: dict[type[Row], list[Any]] = {kind: [] for kind in self.all}
        for (kind, _), row in {**keyed(row for some in self.all.values() for row in some), **changes}.items():
            now[kind] += [row] if row else []
        return Rows(self.seq, now, [one for one in self.damaged if one.lost or _key(one) not in changes])


async def rows_of(runtime: Runtime, owner: Owner) -> Rows:
    """All rows of an owner."""
    queries = [Query(kind=kind, tenant=owner.tenant, user=owner.user, lenient=True) for kind in TABLES.values()]
    page = await runtime.store.find(owner, *queries)
    found: dict[type[Row], list[Any]] = {kind: [*some] for kind, some in zip(TABLES.values(), page.rows, strict=True)}
    for one in page.damaged:
        if not (one.lost or isinstance(one.row, Vector)):
            found[type(one.row)].append(_legible(one))
    return Rows(page.state.seq, found, page.damaged)


async def repairs(runtime: Runtime, owner: Owner, rows: Rows) -> tuple[Changes, Mapping[Key, str]]:
    """What to write so that as little as possible is wrong, and what is wrong even so."""
    changes: dict[Key, Row | None] = {}
    for _ in range(ROUNDS):  # what is written or dropped may leave more to write or drop
        left = rows.wrong()
        derived = {} if owner.user == SHARED or not left else await replayed(runtime, owner, rows.all)
        right = _Repair(runtime, rows, derived, left).right() if left else {}
        if not right:
            return changes, left
        changes |= right
        rows = rows.after(right)
    return changes, rows.wrong()


def named(key: Key) -> str:
    """Table and key of a row."""
    return f"{key[0].__table__} {'/'.join(map(str, key[1]))}"


def _key(one: Damaged) -> Key:
    return type(one.row), key_of(one.row)


def _legible(one: Damaged) -> Row:
    """What is left of a row, with another of its times for one that is damaged.

    An event whose metadata was its meaning has none any more.
    """
    times = [item.name for item in columns_of(type(one.row)) if item.type == "datetime"]
    read = [getattr(one.row, name) for name in times if name not in one.columns and getattr(one.row, name)]
    row = replace(one.row, **{name: read[0] for name in times if read and name in one.columns})
    if isinstance(row, Event) and "metadata" in one.columns and (row.kind not in _SPOKEN or row.user == SHARED):
        return replace(row, kind=LOST, role="system")
    return row


class _Repair:
    """One pass: what an owner's rows should be, given what a replay of the log derives and what is wrong."""

    def __init__(self, runtime: Runtime, rows: Rows, derived: Mapping[Key, Row], wrong: Mapping[Key, str]) -> None:
        self._derived, self._wrong = derived, wrong
        self._damaged = {_key(one): one.columns for one in rows.damaged if not one.lost}
        self._before = keyed(row for some in rows.all.values() for row in some)
        self._events: dict[str, Event] = {event.id: event for event in rows.all[Event]}
        self._records: Sequence[Record] = rows.all[Record]
        self._there = self._events.keys() | {row.id for row in self._records}
        self._took = cache(partial(took, rows.all))
        self._said = {saying(row) for key, row in self._before.items() if key not in wrong}
        self._missing = {key[1][0] for key in wrong if key[0] is Entity and key not in derived}
        naming = {row.ref for row in rows.all[Passage] if not self._missing.isdisjoint(row.entities)}
        self._touched = naming | {key[1][0] for key in wrong if key[0] is Passage}
        edges = [row for row in rows.all[Relation] if not {"", *self._missing}.isdisjoint((row.head, row.tail))]
        self._ends = {row.id: self._joined(row, [one.id for one in rows.all[Entity]]) for row in edges}
        read = {ref: passage_in(runtime, self._events[ref]) for ref in self._touched & self._events.keys()}
        self._passages = {ref: passage for ref, (passage, _) in read.items()}
        told = (row for row in self._records if row.id in self._touched and row.superseded_at is None)
        self._passages |= {row.id: passage_of(row, runtime.analyzer) for row in told}
        self._entities = {row.id: row for _, some in read.values() for row in some}

    def right(self) -> dict[Key, Row | None]:
        """The rows that are wrong as they should be, None for those to drop, and what the log shows to be missing."""
        gone = [key for key, row in self._derived.items() if key not in self._before and _of(row, self._touched)]
        naming = {(Passage, (ref,)) for ref in self._touched} | {(Relation, (name,)) for name in self._ends}
        keys = (*self._wrong, *gone, *(naming & self._before.keys()))
        found = {key: None if self._idle(key) else self._row(key) for key in keys}
        return {key: row for key, row in found.items() if (self._differs(key, row) if row else self._idle(key))}

    def _idle(self, key: Key) -> bool:
        """Whether nothing is lost with a row: what it is of was forgotten, or another says the same."""
        kind, name = key[0], key[1][-1]
        row = self._before.get(key)
        if kind is Vector:  # it says nothing, and is made again by embedding
            return (Passage, (name,)) in self._before or (bool(self._events) and name not in self._there)
        if isinstance(row, Passage):
            return name not in self._there and (self._took(name) or saying(row) in self._said)
        if isinstance(row, Relation) and row.id in self._ends:
            return not all(self._ends[row.id])
        if key not in self._wrong or not isinstance(row, Record | Relation) or key in self._derived:
            return False
        unfounded = self._events.keys().isdisjoint(row.sources)
        return bool(row.sources) and (all(map(self._took, row.sources)) or (unfounded and saying(row) in self._said))

    def _row(self, key: Key) -> Row | None:
        """The row as it should be; None if nothing tells what it was."""
        kind, name = key[0], key[1][0]
        before = self._before.get(key)
        row = self._derived.get(key)
        if kind is Passage and key in self._wrong and (row is None or row is before):
            row = self._passages.get(name)
        if kind is Entity and row is None:
            row = self._entities.get(name)
        row = row or before
        if isinstance(row, Passage):
            gone = self._missing - self._entities.keys()
            row = replace(row, entities=tuple(one for one in row.entities if one not in gone))
        if isinstance(row, Relation) and row.id in self._ends:
            row = replace(row, head=self._ends[row.id][0], tail=self._ends[row.id][1])
        if isinstance(row, Record | Relation):
            row = replace(row, sources=tuple(one for one in self._sources(key, row) if not self._took(one)))
        return None if row is None else known(row)

    def _joined(self, row: Relation, entities: Sequence[str]) -> tuple[str, str]:
        """The ends of a relation; its id tells one that is wrong."""
        pairs = [*((one, row.tail) for one in entities), *((row.head, one) for one in entities)]
        found = (pair for pair in pairs for event in row.sources if self._stated(row, event, *pair))
        return next(found, (row.head, row.tail))

    def _stated(self, row: Relation, event: str, head: str, tail: str) -> bool:
        return event in self._events and edge_of(self._events[event], head, row.type, tail).id == row.id

    def _sources(self, key: Key, row: Record | Relation) -> Iterable[str]:
        """The events of a row; if they cannot be read, those of another version, or those that say what it says."""
        if row.sources or "sources" not in self._damaged.get(key, ()):
            return row.sources
        if isinstance(row, Relation):
            return [one for one in self._events if self._stated(row, one, row.head, row.tail)]
        others = (one.sources for one in self._records if one.id == row.id and one.sources)
        said = (event for event in self._events.values() if event.kind == row.kind and row.text in event.content)
        return next(others, None) or tuple(event.id for event in said)

    def _differs(self, key: Key, row: Row) -> bool:
        before = self._before.get(key)
        return key in self._damaged or before is None or replace(row, seq=0) != replace(before, seq=0)


def _of(row: Row, refs: set[str]) -> bool:
    """Whether a row is of one of these events or records."""
    own = (row.id, *row.sources) if isinstance(row, Record | Relation) else ()
    return not refs.isdisjoint(own)
