"""An owner's records as one call sees them: those of the image, overlaid with what the call has planned to write."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memstrata.core.changes import Add, Change, Patch, Put
from memstrata.core.columns import Floats
from memstrata.core.contradiction import equal
from memstrata.core.endings import Claim, claim_of
from memstrata.core.lifecycle import CLAIMED, advance
from memstrata.core.partition import Partition, attribute_of, recording
from memstrata.core.rows import Passage, Record, Vector
from memstrata.core.scope import Owner
from memstrata.core.text import Analyzer, derived_id, traits
from memstrata.core.voices import capped


@dataclass(slots=True)
class Planned:
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

    def __post_init__(self) -> None:
        self.now = recording(self.partition, self.now)

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

    def about(self, candidate: Record) -> list[Record]:
        """Records that the candidate could contradict, as this call sees them."""
        here = attribute_of(candidate)
        if candidate.attribute is None:
            found = self.similar(candidate.kind, self.terms(candidate))
            return [record for record in found if attribute_of(record) == here and record.status in CLAIMED]
        known = {record.id: record for record in self.partition.about(candidate)}
        known.update({record.id: record for record in self.drafts.values() if attribute_of(record) == here})
        current = (self.current(record_id) for record_id in known)
        return [record for record in current if record is not None and record.status in CLAIMED]

    def rejected(self, candidate: Record) -> Record | None:
        """The rejected record that gives the candidate's attribute the same value.

        It has the same tense: somebody who does not live there may have lived there.
        """
        if candidate.attribute is None:
            return None
        current = (self.current(record.id) for record in self.partition.about(candidate))
        found = (record for record in current if record is not None and record.status == "rejected")
        return next((one for one in found if one.temporal == candidate.temporal and equal(one, candidate)), None)

    def similar(self, kind: str, terms: Sequence[str]) -> list[Record]:
        """Records of a kind that share a rare term, and the drafts of this call. Bounded, whatever the store holds."""
        index = self.partition.index
        code = index.codes["kind"].look(kind)
        found: dict[str, None] = {}
        for term in index.postings.rarest(terms, 3):
            numbers, _ = index.postings.of(term)
            records = numbers[(index.columns["kind"][numbers] == code) & index.columns["of_record"][numbers]]
            found.update(dict.fromkeys(index.refs[number] for number in records[-64:]))
        found.update(dict.fromkeys(self.drafts))
        current = (self.current(record_id) for record_id in found)
        return [record for record in current if record is not None]

    def claim(self, record: Record, *, corrects: bool = False) -> Claim:
        """A record with the times at which it was said, in this call or before."""
        here = {source: self.said[source] for source in record.sources if source in self.said}
        before = [(at, event) for at, event in self.partition.sayings(record) if event not in here]
        return claim_of(record, before + [(at, event) for event, at in here.items()], corrects=corrects)

    def told(self, event: str, unknown: datetime) -> datetime:
        """When an event happened; `unknown` if it is not known."""
        number = self.partition.index.numbers.get(event)
        return self.said.get(event, unknown) if number is None else self.partition.index.passages[number].at

    def terms(self, record: Record) -> list[str]:
        """The terms of a record's text."""
        number = self.partition.index.numbers.get(record.id)
        if number is None:
            return self.analyzer.terms(record.text)
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
        self.drafts[record.id] = record
        self.changes += [Add(record), Add(passage_of(record, self.analyzer))]
        if vector is not None:
            self._vectors[record.id] = vector
            self.changes.append(Put(vector_row(record.tenant, record.user, self.space, record.id, vector)))

    def date(self, record: Record) -> None:
        """Move the passage of a known record to the time at which the record begins."""
        number = self.partition.index.numbers.get(record.id)
        found = passage_of(record, self.analyzer) if number is None else self.partition.index.passages[number]
        self.changes.append(Put(replace(found, at=record.valid_from)))

    def change(self, record: Record) -> None:
        """Plan `record` as a new version of a known record; the old version is superseded."""
        known = self.current(record.id) or record
        advance(known.status, record.status)
        self.supersede(record)
        newer = replace(record, version=record.version + 1, recorded_at=self.now, seq=0)
        self.drafts[record.id] = newer
        self.changes.append(Add(newer))

    def patch(self, record: Record, **values: Any) -> Record:
        """Plan new values for a version in place, for what is counted and not versioned."""
        advance(record.status, values.get("status", record.status))
        self.drafts[record.id] = replace(record, **values)
        self.changes.append(Patch(Record, (record.id, record.version), values))
        return self.drafts[record.id]

    def supersede(self, record: Record) -> None:
        """Plan that a version is superseded."""
        self.changes.append(Patch(Record, (record.id, record.version), {"superseded_at": self.now}))
        self.drafts[record.id] = replace(record, superseded_at=self.now)


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
