"""An owner's records as one call sees them: those of the image, overlaid with what the call has planned to write."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, islice
from typing import Any

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner
from memoranda.core.beliefs.comparable import Standing
from memoranda.core.beliefs.conflicts import equal
from memoranda.core.beliefs.supersession import Claim, claim_of
from memoranda.core.image.image import Attribute, Partition, attribute_of, recording
from memoranda.core.rows import Passage, Record, Vector
from memoranda.core.rows.changes import Add, Change, Patch, Put, Touch
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.lifecycle import CLAIMED, advance
from memoranda.core.text.terms import Analyzer, traits
from memoranda.core.text.voices import capped

_SIMILAR = 64  # drafts at most that a candidate is compared with, as are passages that hold one of its rare terms


#: A conversation, and a position in it.
Turn = tuple[str | None, int]


class Turns:
    """The turns at each position of a conversation."""

    def __init__(self, stored: Iterable[Passage]) -> None:
        self._stored = stored
        self._before: defaultdict[Turn, list[Passage]] | None = None
        self._here: defaultdict[Turn, list[Passage]] = defaultdict(list)
        self._seen = 0

    def at(self, conversation: str | None, position: int, written: dict[str, Passage]) -> list[Passage]:
        """The turns at a position, in any place: those `written` by this call first, then the latest stored.

        The stored ones are all read once, when first asked for.
        """
        if self._before is None:
            self._before = _placed(defaultdict(list), self._stored)
        fresh = [*islice(reversed(written.values()), len(written) - self._seen)]  # not skipped to from the first
        _placed(self._here, reversed(fresh))
        self._seen = len(written)
        at = conversation, position
        return [] if conversation is None else [*self._here.get(at, ()), *reversed(self._before.get(at, ()))]


def _once(names: Iterable[str]) -> Iterator[str]:
    """Yield each name when it first comes, without a look at those behind it."""
    seen: set[str] = set()
    for name in names:
        if name not in seen:
            seen.add(name)
            yield name


def _placed(turns: defaultdict[Turn, list[Passage]], passages: Iterable[Passage]) -> defaultdict[Turn, list[Passage]]:
    for passage in passages:
        if passage.conversation is not None:
            turns[passage.conversation, passage.position].append(passage)
    return turns


@dataclass(slots=True)
class Overlay:
    """What a call has planned, and the image that it is planned against.

    Attributes:
        now: the time of recording; if the clock is behind the owner's latest recording, just after that.
        changes: what is to be written, in order.
        drafts: the records that are new or changed, by id.
        said: when the events of this call happened, by id.
    """

    partition: Partition
    analyzer: Analyzer
    space: str
    now: datetime
    changes: list[Change] = field(default_factory=list)
    drafts: dict[str, Record] = field(default_factory=dict)
    said: dict[str, datetime] = field(default_factory=dict)
    _vectors: dict[str, Floats] = field(default_factory=dict)
    _order: dict[str, int] = field(default_factory=dict)
    _fresh: dict[str, None] = field(default_factory=dict)  # drafts not entered yet in what follows
    _standing: dict[Attribute, Standing] = field(default_factory=dict)
    _rejected: dict[Attribute, list[str]] = field(default_factory=dict)
    _holders: defaultdict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _records_by_source: defaultdict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _terms: dict[str, list[str]] = field(default_factory=dict)
    _stored: dict[str, int] = field(default_factory=dict)
    turns: Turns = field(init=False)

    def __post_init__(self) -> None:
        self.now = recording(self.partition, self.now)
        self.turns = Turns(self.partition.index.passages)

    def taken(self, record_id: str) -> bool:
        """Whether a record with this id was ever written, even if superseded since."""
        return record_id in self.drafts or record_id in self.partition.index.numbers

    def current(self, record_id: str) -> Record | None:
        """The current version of a record, if there is one."""
        record = self.drafts.get(record_id) or self.partition.records.get(record_id)
        return None if record is None or record.superseded_at is not None else record

    def records(self) -> list[Record]:
        """All current records, as this call sees them."""
        seen = {**self.partition.records, **self.drafts}
        return [record for record in seen.values() if record.superseded_at is None]

    def about(self, candidate: Record, *, since: datetime | None = None, said: datetime | None = None) -> list[Record]:
        """Records that the candidate could contradict, as this call sees them.

        Of those with its attribute, if asked so, only what ends after `since` or was said after `said`.
        """
        here = attribute_of(candidate)
        if candidate.attribute is None:
            found = self.similar(candidate.kind, self.terms(candidate))
            return [record for record in found if attribute_of(record) == here and record.status in CLAIMED]
        self._enter()
        current = map(self.current, self._standing_at(here, candidate).met(since, said))
        return [record for record in current if record is not None and record.status in CLAIMED]

    def rejected(self, candidate: Record) -> Record | None:
        """The rejected record that gives the candidate's attribute the same value.

        It has the same tense: somebody who does not live there may have lived there, or will.
        """
        if candidate.attribute is None or candidate.valid_from > self.said_at(candidate.sources[-1], self.now):
            return None
        here = attribute_of(candidate)
        if here not in self._rejected:
            known = self.partition.about(candidate)
            self._rejected[here] = [record.id for record in known if record.status == "rejected"]
        current = map(self.current, self._rejected[here])
        found = (record for record in current if record is not None and record.status == "rejected")
        return next((one for one in found if one.temporal == candidate.temporal and equal(one, candidate)), None)

    def similar(self, kind: str, terms: Sequence[str]) -> list[Record]:
        """Records of a kind that share a rare term, and drafts that do. Bounded, whatever the store and the call hold.

        While there are few drafts, all of them.
        """
        index = self.partition.index
        code = index.codes["kind"].look(kind)
        found: dict[str, None] = {}
        for term in index.postings.rarest(terms, 3):
            numbers, _ = index.postings.of(term)
            records = numbers[(index.columns["kind"][numbers] == code) & index.columns["of_record"][numbers]]
            found.update(dict.fromkeys(index.refs[number] for number in records[-64:]))
        drafts: Iterable[str] = self.drafts
        if len(self.drafts) > _SIMILAR:
            self._enter()
            held = (self._holders[term] for term in dict.fromkeys(terms) if term in self._holders)
            rare = chain.from_iterable(map(reversed, sorted(held, key=len)))  # the latest of each first
            drafts = islice(_once(rare), _SIMILAR)
        found.update(dict.fromkeys(drafts))
        current = (self.current(record_id) for record_id in found)
        return [record for record in current if record is not None]

    def resting(self, events: Iterable[str]) -> list[Record]:
        """The current records that rest on some of these events, in the order of `records`."""
        self._enter()
        known = self.partition.records_by_source, self._records_by_source
        names = (name for event in events for rows in known for name in rows.get(event, ()))
        if not self._stored:
            records = self.partition.records
            self._stored = {name: place - len(records) for place, name in enumerate(records)}
        found = sorted(dict.fromkeys(names), key=lambda name: self._stored.get(name, self._order.get(name, 0)))
        return [record for record in map(self.current, found) if record is not None]

    def claim(self, record: Record, *, corrects: bool = False) -> Claim:
        """A record with the times at which it was said, in this call or before."""
        here = {source: self.said[source] for source in record.sources if source in self.said}
        before = [(at, event) for at, event in self.partition.sayings(record) if event not in here]
        return claim_of(record, before + [(at, event) for event, at in here.items()], corrects=corrects)

    def said_at(self, event: str, unknown: datetime) -> datetime:
        """When an event happened; `unknown` if it is not known."""
        number = self.partition.index.numbers.get(event)
        return self.said.get(event, unknown) if number is None else self.partition.index.passages[number].at

    def terms(self, record: Record) -> list[str]:
        """The terms of a record's text."""
        number = self.partition.index.numbers.get(record.id)
        if number is None:
            if record.text not in self._terms:
                self._terms[record.text] = self.analyzer.terms(record.text)
            return self._terms[record.text]
        return self.partition.index.passages[number].terms.split()

    def vector(self, record: Record) -> Floats | None:
        """The vector of a record's text, where there is one."""
        number = self.partition.index.numbers.get(record.id)
        if number is None or record.id in self._vectors:
            return self._vectors.get(record.id)
        return self.partition.index.vectors.one(number)

    # -------------------------------------------------------------------------------------- writing

    def insert(self, record: Record, vector: Floats | None) -> None:
        """Plan a new record, with its passage and vector."""
        record = capped(record)
        self._draft(record)
        self.changes += [Add(record), Add(passage_of(record, self.analyzer))]
        if vector is not None:
            self._vectors[record.id] = vector
            self.changes.append(Put(vector_row(record.tenant, record.user, self.space, record.id, vector)))

    def date(self, record: Record) -> None:
        """Move the passage of a known record to the time at which the record begins; images read that of the record."""
        self.changes.append(Touch(Passage, (record.id,), at={"at": record.valid_from}))

    def change(self, record: Record) -> None:
        """Plan `record` as a new version of a known record; the old version is superseded."""
        known = self.current(record.id) or record
        advance(known.status, record.status)
        self.supersede(record)
        newer = replace(record, version=record.version + 1, recorded_at=self.now, seq=0)
        self._draft(newer)
        self.changes.append(Add(newer))

    def patch(self, record: Record, **values: Any) -> Record:
        """Plan new values for a version in place, for what is counted and not versioned."""
        advance(record.status, values.get("status", record.status))
        self._draft(replace(record, **values))
        self.changes.append(Patch(Record, (record.id, record.version), values))
        return self.drafts[record.id]

    def supersede(self, record: Record) -> None:
        """Plan that a version is superseded."""
        self.changes.append(Patch(Record, (record.id, record.version), {"superseded_at": self.now}))
        self._draft(replace(record, superseded_at=self.now))

    def _draft(self, record: Record) -> None:
        self.drafts[record.id] = record
        self._fresh[record.id] = None

    def _enter(self) -> None:
        """Enter the drafts that are new or changed since the last time; few callers look anything up."""
        for record in map(self.drafts.__getitem__, self._fresh):
            self._order.setdefault(record.id, len(self._order))
            if record.attribute is not None:
                _put(self._standing_at(attribute_of(record), record), record, self.claim(record))
            for rows in (
                *map(self._holders.__getitem__, self.terms(record)),
                *map(self._records_by_source.__getitem__, record.sources),
            ):
                rows.pop(record.id, None)
                if record.superseded_at is None:
                    rows[record.id] = None
        self._fresh.clear()

    def _standing_at(self, here: Attribute, record: Record) -> Standing:
        """The records with the attribute of `record`, those of the image first."""
        found = self._standing.get(here)
        if found is None:
            found = self._standing[here] = Standing()
            for known in self.partition.about(record):
                _put(found, known, self.claim(known))
        return found


def _put(standing: Standing, record: Record, claim: Claim) -> None:
    if record.superseded_at is None:
        standing.put(record.id, record.valid_to, claim.last)
    else:
        standing.drop(record.id)


def again(record: Record) -> Record:
    """`record` under the next id for the same words said at other times."""
    return replace(record, id=derived_id(Owner(record.tenant, record.user), record.id, "again"))


def passage_of(record: Record, analyzer: Analyzer) -> Passage:
    """The passage by which a record is found."""
    return Passage(
        tenant=record.tenant, user=record.user, ref=record.id, of="record", kind=record.kind, agent=record.agent,
        channel=record.channel, connection=record.connection, terms=" ".join(analyzer.terms(record.text)),
        entities=record.entities, traits=traits(record.text), length=len(record.text), at=record.valid_from,
        recorded_at=record.recorded_at,
    )  # fmt: skip


def vector_row(tenant: str, user: str, space: str, ref: str, vector: Floats) -> Vector:
    """A vector as it is stored."""
    return Vector(tenant=tenant, user=user, space=space, ref=ref, data=vector.astype("<f2").tobytes())
