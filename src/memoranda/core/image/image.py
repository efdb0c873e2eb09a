"""The hot image of one owner's memory that the flows work on: the index, the current records, the tombstones.

It is filled with rows in the order of their `seq` and holds no truth of its own. Rows do not show removals, so the
reader starts a fresh image when the owner's `dropped` has moved: when a row went that images hold or cite.

An image that somebody may read is never changed. `fork` gives the next version, which shares with it what does not
change (see `core.base.versions`) and is filled before others see it. So a request that keeps to one image sees one
moment, whatever it awaits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner, Scope, visible
from memoranda.core.base.versions import Numbers, Versioned, twin
from memoranda.core.image.archive import Archive
from memoranda.core.image.days import Days
from memoranda.core.image.edges import Edges
from memoranda.core.image.index import Index
from memoranda.core.image.talks import Talks
from memoranda.core.language.attributes import can_exclude
from memoranda.core.language.entities import canonical
from memoranda.core.rows import (
    ConversationMark,
    Entity,
    Event,
    LaterWord,
    Passage,
    Record,
    Relation,
    Row,
    Tombstone,
    ToolUse,
    Vector,
    kinds_with,
)
from memoranda.core.rows.columns import Mask
from memoranda.core.rows.lifecycle import LIVE
from memoranda.core.rows.rowset import column
from memoranda.core.rows.statements import EXPIRING, FADING
from memoranda.core.text.forgotten import Forgotten, bound
from memoranda.core.text.terms import form

if TYPE_CHECKING:
    from memoranda.core.image.notes import Note

#: Ranking factors of records, by tense (SPEC 7).
TENSE: Mapping[str, float] = MappingProxyType({"current": 1.2, "temporary": 1.2, "expiring": 1.2, "past": 0.7})

ONE_USE = 60.0  # seconds within which several uses are one
_TICK = timedelta(microseconds=1)

#: The row kinds an image is made of, by table, which `absorb` calls them by.
HELD: Mapping[str, type[Row]] = {kind.__table__: kind for kind in kinds_with(image="held")}

#: The parts that come in versions of their own.
_PARTS = ("index", "records", "records_by_source", "named", "later", "entities", "edges", "tools", "archive")
_CHUNK = 2_048  # vectors copied at a time, so that the copy stays in the processor's cache

Attribute = tuple[str | None, str | None, str | None, str, str, str | None]


class Partition:
    """One owner's memory, in RAM.

    Attributes:
        seq: the `seq` up to which it has read.
        dropped: the owner's `dropped` up to which it knows of removals.
        latest: the latest time at which anything was recorded, by any clock.
        index: the searchable passages.
        records: the current version of every record, by id.
        told: by event id, the ids of the records derived from it; some may be gone, or no longer name it as a source.
        named: by the id of an event or a record, the ids of the records that it ended, that took its place, or that are
            copies of it; by the hash of some words, those of the records that say them. As above.
        later: by the id of a turn, those of later turns by which a model judges it to be outdated, with how sure it is.
        attributes: by attribute, the ids of the records that give it. All versions share these; ask for the records of
            one, because others may be gone or not yet there.
        entities: the ids of all entities named anywhere; `edges`: their relations; `names`: their names, by id, which
            all versions share.
        tools: statistics of tool calls, by id; `archive`: titles and archive marks of conversations.
        talks: where each conversation stands. All versions share it.
        days: what passages are about, as far as it was asked for. All versions share it.
        notes: what is noted about events beside their words, by id, likewise.
        tombstones: what must not come back.
        damaged: the rows that could not be read, and are missing here.
        stale: rows arrived that an image cannot absorb; start a fresh one.
    """

    def __init__(self, owner: Owner, space: str, dimension: int) -> None:
        self.owner = owner
        self.space = space
        self.seq = 0
        self.dropped = 0
        self.latest = datetime.min.replace(tzinfo=UTC)
        self.stale = False
        self.damaged: tuple[Any, ...] = ()
        self.index = Index(dimension)
        self.records: Versioned[str, Record] = Versioned()
        self.records_by_source: Versioned[str, frozenset[str]] = Versioned()
        self.named: Versioned[str, frozenset[str]] = Versioned()
        self.later: Versioned[str, tuple[tuple[str, float], ...]] = Versioned()
        self.attributes: dict[str, dict[str, None]] = {}
        self.entities = Numbers()
        self.names: dict[str, str] = {}
        self.edges = Edges()
        self.tombstones = Forgotten()
        self.days = Days()
        self.talks = Talks()
        self.notes: dict[str, Note] = {}
        self.tools: Versioned[str, ToolUse] = Versioned()
        self.archive = Archive()
        self._attributes: dict[Attribute, dict[str, None]] = {}

    def fork(self) -> "Partition":
        """Return the next version, to be changed; this one must not be changed any more."""
        new = twin(self)
        for name in _PARTS:
            setattr(new, name, getattr(self, name).fork())
        return new

    def absorb(
        self,
        passages: Sequence[Passage] = (),
        vectors: Sequence[Vector] = (),
        records: Iterable[Record] = (),
        entities: Sequence[Entity] = (),
        relations: Iterable[Relation] = (),
        tombstones: Sequence[Tombstone] = (),
        tool_uses: Iterable[ToolUse] = (),
        later_words: Iterable[LaterWord] = (),
        conversation_marks: Iterable[ConversationMark] = (),
    ) -> None:
        """Take in new and changed rows, without vectors of another space or length."""
        self.stale |= not self.index.extend(passages)
        self.latest = max((self.latest, *column(passages, "recorded_at")))
        self.talks.take(passages)
        for record in records:
            self._take(record)
        if vectors:
            self._embed(vectors)
        self.entities.learn(column(entities, "id"))
        self.names.update(zip(column(entities, "id"), column(entities, "name"), strict=True))
        for edge in relations:
            self.edges.take(edge)
        if tombstones:
            self.tombstones = self.tombstones.with_rows(tombstones)
        for use in tool_uses:
            self.tools.put(use.id, use)
        self.archive.take(conversation_marks)
        for word in later_words:
            known = self.later.get(word.earlier, ())
            others = (one for one in known if one[0] != word.ref)
            self.later.put(word.earlier, (*others, (word.ref, word.probability)))

    def _embed(self, vectors: Sequence[Vector]) -> None:
        spaces = column(vectors, "space")
        if spaces.count(self.space) < len(vectors):
            vectors = [vector for vector in vectors if vector.space == self.space]
        data = column(vectors, "data")
        size = 2 * self.index.dimension
        if set(map(len, data)) - {size}:  # such passages have no vector, until they are embedded again
            vectors = [vector for vector in vectors if len(vector.data) == size]
            data = column(vectors, "data")
        refs = column(vectors, "ref")
        for start in range(0, len(vectors), _CHUNK):
            numbers = np.frombuffer(b"".join(data[start : start + _CHUNK]), "<f2")
            self.index.embed(refs[start : start + _CHUNK], numbers.reshape(-1, self.index.dimension))

    def _take(self, record: Record) -> None:
        self.latest = max(self.latest, record.recorded_at, record.superseded_at or record.recorded_at)
        known = self.records.get(record.id)
        if known is not None and known.version > record.version:
            return
        if record.superseded_at is not None:  # by another record, or by a next version in the same page
            self.records.remove(record.id)
            self.index.weigh(record.id)
            return
        self.records.put(record.id, record)
        _enter(record, record.sources, self.records_by_source)
        names = record.hash, record.contradicted_by, record.supersedes, record.promoted_from
        _enter(record, filter(None, names), self.named)
        self.index.date(record.id, record.valid_from)
        self._weigh(record)
        if record.attribute is not None:
            self.attributes.setdefault(record.attribute, {})[record.id] = None
            self._attributes.setdefault(attribute_of(record), {})[record.id] = None

    def used(self, refs: Iterable[str], now: datetime) -> list[Record | Passage]:
        """Return the current records and the passages of events of these ids, with one more use.

        Uses within a minute count once.
        """
        return [row for row in (self._used(ref, now) for ref in refs) if row is not None]

    def _used(self, ref: str, now: datetime) -> Record | Passage | None:
        known, number, columns = self.records.get(ref), self.index.numbers.get(ref), self.index.columns
        if known is not None:
            row: Record | Passage = known
            count, last = known.access_count, _seconds(known.last_accessed, 0.0)
        elif number is not None and not columns["of_record"][number]:
            row = self.index.passages[number]
            count, last = int(columns["accesses"][number]), float(columns["accessed"][number])
        else:
            return None
        if last and now.timestamp() - last < ONE_USE:
            return None
        return replace(row, access_count=count + 1, last_accessed=now)

    def count(self, used: Iterable[Record | Passage]) -> None:
        """Take in the counts of used records and turns."""
        for row in used:
            if isinstance(row, Record):
                self.records.put(row.id, row)
                self._weigh(row)
            else:
                self.index.use(row.ref, row.access_count, _seconds(row.last_accessed, 0.0))

    # ------------------------------------------------------------------------------------------ questions

    def about(self, record: Record) -> list[Record]:
        """Return the current records with the attribute of `record`, which it could contradict, oldest first."""
        ids = self._attributes.get(attribute_of(record), {})
        found = [self.records[i] for i in ids if i in self.records]
        return sorted(found, key=lambda item: (item.valid_from, item.hash))

    def meant(self, name: str, scope: Scope) -> frozenset[str]:
        """Return the ids of the entities that `scope` means by a name: itself, what it stands for, and aliases of that.

        Only edges that the scope sees count: another agent's nickname for somebody is not the asker's.
        """
        entity = entity_id(self.owner, canonical(name))
        if entity not in self.entities:
            return frozenset()
        return self.edges.named(entity, scope)

    def meant_by(self, name: str, scope: Scope) -> frozenset[str]:
        """Return what `scope` means by a name, or by the id of an entity."""
        return self.edges.named(name, scope) if name in self.entities else self.meant(name, scope)

    def relations(self, entity: str, scope: Scope) -> list[Relation]:
        """Return the relations of an entity that `scope` sees, without aliases.

        A relation counts as ended only if the scope sees the event that ended it.
        """
        found = self.edges.of(entity, scope)
        numbers = [self.index.numbers.get(edge.ended_by or "") for edge in found]
        return [
            replace(edge, ended_at=None, ended_by=None)
            if number is not None and not visible(self.index.passages[number], scope)
            else edge
            for edge, number in zip(found, numbers, strict=True)
        ]

    def named_in(self, passage: Passage) -> tuple[str, ...]:
        """Return the names of the entities that a passage mentions."""
        return tuple(sorted(self.names[one] for one in passage.entities if one in self.names))

    def sayings(self, record: Record) -> list[tuple[datetime, str]]:
        """Return when a record was said and by which events, as far as the index knows them."""
        numbers = ((self.index.numbers.get(source), source) for source in record.sources)
        return [(self.index.passages[number].at, source) for number, source in numbers if number is not None]

    def doubted(self, events: Iterable[str]) -> set[str]:
        """Return the ids of records that rest on turns on which one of these events is a later word."""
        told = {*events}
        earlier = (ref for ref, words in self.later.items() if any(word in told for word, _ in words))
        return {name for ref in earlier for name in self.records_by_source.get(ref, ())}

    def forbids(self, row: Event | Record, said: datetime | None = None) -> bool:
        """Whether the row, or what it says, was forgotten on request: by the user, or within the reach of its writer.

        Args:
            row: the row; the id of a forgotten event is never given again.
            said: when the user said what a record states, if it is made of the user's own words alone.
        """
        if not self.tombstones.since:
            return False
        if isinstance(row, Event):
            return self.tombstones.screened(row)[0] is None
        marks = row.hash, bound(row.hash, row.agent)
        return self.tombstones.bars(marks, said) or self.tombstones.repeats(row.text, row.agent, said)

    def buried(self, ids: Iterable[str], claim: str, agent: str | None) -> bool:
        """Whether one of `ids`, or the hash `claim`, was forgotten within the reach of this writer."""
        gone = (one for one in ids if one not in self.records)  # what the user says again has its id again
        return self.tombstones.bars((*gone, claim, bound(claim, agent)))

    def records_in(self, mask: Mask) -> list[Record]:
        """Return the records among the passages of a mask."""
        numbers = np.flatnonzero(mask & self.index.columns["of_record"])
        found = (self.records.get(self.index.refs[number]) for number in numbers)
        return [record for record in found if record is not None]

    def mask(
        self,
        scope: Scope,
        *,
        now: datetime,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kinds: frozenset[str] | None = None,
        during: tuple[datetime, datetime] | None = None,
        believed: Mapping[str, Record] | None = None,
        archived: bool = True,
    ) -> Mask:
        """Return which passages `scope` may see and the filters allow, as of a moment.

        Records count if they are live and valid at `as_of` (default: `now`) or, if `during` is given, at some time in
        it; one that expires only until then. Events count up to `as_of`, if given, and none of which no word is kept.
        Nothing recorded after `known_at` counts. `since` and `until` bound the time of events and the `valid_from` of
        records. `believed` gives other versions of records, for questions about an earlier state of knowledge.
        `archived` says whether turns of archived conversations count.
        """
        columns, codes = self.index.columns, self.index.codes
        mask = self.seen_by(scope) & ~np.asarray(columns["withheld"], np.bool_)
        at = columns["at"]
        moment = (as_of or now).timestamp()
        if not archived:
            mask &= ~self.archive.mask(self.index)
        if as_of is not None:
            mask &= columns["of_record"] | (at <= moment)
        if known_at is not None:
            mask &= columns["recorded"] <= known_at.timestamp()
        if since is not None:
            mask &= at >= since.timestamp()
        if until is not None:
            mask &= at < until.timestamp()
        if kinds is not None:
            mask &= _among(columns["kind"], [codes["kind"].look(kind) for kind in kinds])
        first, last = (moment, moment) if during is None else (during[0].timestamp(), during[1].timestamp())
        held = self._held(first, last, moment, believed)
        return np.asarray(mask & (~np.asarray(columns["of_record"], np.bool_) | held), np.bool_)

    def seen_by(self, scope: Scope) -> Mask:
        """`core.base.scope.visible`, for all passages at once."""
        return _visible(self.index, scope)

    def _weigh(self, record: Record) -> None:
        self.index.weigh(
            record.id,
            begins=_begins(record),
            ends=_ends(record) if record.status in LIVE else -np.inf,
            tense=TENSE.get(record.temporal, 1.0),
            importance=record.importance,
            confidence=record.confidence,
            fades=record.certainty in FADING,
            written=record.recorded_at.timestamp(),
            expires=_expires(record),
            accesses=record.access_count,
            accessed=_seconds(record.last_accessed, 0.0),
        )

    def _held(self, first: float, last: float, moment: float, believed: Mapping[str, Record] | None) -> Mask:
        """Return which records were valid at some time from `first` to `last`, and have not expired at `moment`."""
        columns = self.index.columns
        if believed is None:
            kept = (columns["begins"] <= last) & (first < columns["ends"]) & (moment < columns["expires"])
            return np.asarray(kept, np.bool_)
        held = np.zeros(len(self.index), np.bool_)
        for record in believed.values():
            number = self.index.numbers.get(record.id)
            if number is not None and record.status in LIVE:
                held[number] = _begins(record) <= last and first < _ends(record) and moment < _expires(record)
        return held

    @property
    def nbytes(self) -> int:
        """The approximate number of bytes held."""
        known = 2_000 * len(self.records) + 200 * (len(self.entities) + len(self.days)) + 600 * len(self.edges)
        known += 500 * len(self.notes)
        return self.index.nbytes + known


def _visible(index: Index, scope: Scope) -> Mask:
    """`core.base.scope.visible`, for all passages at once."""
    columns, codes = index.columns, index.codes
    if scope.whole:
        return np.asarray(columns["channel"] >= 0, np.bool_)  # but not what was dropped
    mask = _among(columns["channel"], [codes["channel"].look(name) for name in scope.channels])
    if scope.agent is not None:
        mask &= _among(columns["agent"], [-1, codes["agent"].look(scope.agent)])
    allowed = [-1, *(codes["connection"].look(name) for name in scope.connections)]
    mask &= _among(columns["connection"], allowed)
    return mask


def _begins(record: Record) -> float:
    """When a record begins to count. What only was so began at a time that nobody told, if it says no more."""
    return -np.inf if _was(record) and record.valid_to == record.valid_from else record.valid_from.timestamp()


def _ends(record: Record) -> float:
    """When a record ceases to count. What was so is still to be found, as past."""
    return np.inf if _was(record) else _seconds(record.valid_to, np.inf)


def _expires(record: Record) -> float:
    """When a record is no longer told of, not even of the time when it held."""
    return _seconds(record.valid_to, np.inf) if record.temporal == EXPIRING else np.inf


def _was(record: Record) -> bool:
    """Whether a record tells of what was so and is over, as told."""
    return record.temporal == "past" and record.polarity > 0 and record.contradicted_by is None


def recording(partition: Partition, now: datetime) -> datetime:
    """Return the time to record at: `now`, or just after the latest recorded time if a clock was set back."""
    return now if now >= partition.latest else partition.latest + _TICK


def of_kind(partition: Partition, kind: str, scope: Scope) -> list[Record]:
    """Return the current records of a kind that `scope` sees, whether or not their validity has ended."""
    index = partition.index
    numbers = np.flatnonzero(index.columns["of_record"] & (index.columns["kind"] == index.codes["kind"].look(kind)))
    found = (partition.records.get(index.refs[number]) for number in numbers.tolist())
    return [record for record in found if record is not None and visible(record, scope)]


def _among(column: NDArray[np.int32], codes: Sequence[int]) -> Mask:
    """Return where a column holds one of a few codes. Comparing with each is faster than a set operation."""
    found = np.zeros(len(column), np.bool_)
    for code in codes:
        found |= column == code
    return found


def _seconds(moment: datetime | None, otherwise: float) -> float:
    return otherwise if moment is None else moment.timestamp()


def resting(records: Iterable[Record]) -> Versioned[str, frozenset[str]]:
    """Return the ids of records by each of their source events."""
    found: Versioned[str, frozenset[str]] = Versioned()
    for record in records:
        _enter(record, record.sources, found)
    return found


def _enter(record: Record, names: Iterable[str], known: Versioned[str, frozenset[str]]) -> None:
    """Note a record under the ids that it names."""
    for name in names:
        held = known.get(name, frozenset())
        if record.id not in held:
            known.put(name, held | {record.id})


def attribute_of(record: Record) -> Attribute:
    """Return the key under which records can contradict each other: subject, attribute and place.

    For an attribute whose values do not exclude one another, the value is part of the key.
    """
    many = not can_exclude(record.attribute, record.value)
    value = form(record.value) if many and isinstance(record.value, str) else None
    return record.subject, record.attribute, record.agent, record.channel, record.connection or "", value


def entity_id(owner: Owner, name: str) -> str:
    """Return the id of the entity with this canonical name, known or not."""
    return derived_id(owner, "entity", name)
