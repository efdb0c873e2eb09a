"""The write gateway: the one way into derived memory, for rules, tools, imports and consolidation alike.

Every candidate passes, in this order: tombstones, exact duplicates, near duplicates, contradiction and
supersession, and is then written with its passage and vector. The gateway only plans: it reads an owner's image
and collects changes, which are applied in one transaction with the events they came from, on condition that the
owner's memory has not moved in between. Candidates of one call see one another.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

import numpy as np

from memstrata.core.changes import Add, Change, Patch, Put
from memstrata.core.contradiction import Policy, conflicting, judge, opposed, same
from memstrata.core.decay import reinforced
from memstrata.core.index import Floats
from memstrata.core.merge import NEAR, NEAR_TERMS, inherit, same_claim, specificity, united
from memstrata.core.partition import Partition, attribute_of
from memstrata.core.rows import Passage, Record, Vector
from memstrata.core.text import Analyzer, derived_id, jaccard, traits

Outcome = Literal["added", "reinforced", "merged", "superseded", "ended", "disputed", "filed", "forgotten"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of one candidate.

    Attributes:
        record: the id of the record that stands for it now; None if it must not come back.
        outcome: added; reinforced (said before, word for word); merged (said before, in other words);
            superseded (it replaced `other`); ended (it only ended `other`); disputed (both kept for review);
            filed (kept as something that no longer holds); forgotten (a tombstone stands against it).
        other: the id of the record it met.
        reason: why, in words.
    """

    record: str | None
    outcome: Outcome
    other: str | None = None
    reason: str = ""


@dataclass(slots=True)
class Gateway:
    """Plans the derived writes of one call against one image.

    Attributes:
        partition: the owner's memory as it was read.
        now: the time of recording.
        changes: what is to be written; `decisions`: what was decided, in the order of the candidates.
    """

    partition: Partition
    analyzer: Analyzer
    space: str
    policy: Policy
    now: datetime
    changes: list[Change] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    _drafts: dict[str, Record] = field(default_factory=dict)
    _vectors: dict[str, Floats] = field(default_factory=dict)
    _said: dict[str, datetime] = field(default_factory=dict)

    def admit(
        self,
        candidate: Record,
        vector: Floats | None = None,
        *,
        corrects: bool = False,
        said: datetime | None = None,
    ) -> Decision:
        """Decide about one candidate and plan what follows.

        Args:
            candidate: the record to be.
            vector: of its text.
            corrects: it says that something earlier was wrong.
            said: when it was said, which is not when it began to hold; `valid_from` by default.
        """
        self._said.update(dict.fromkeys(candidate.sources, said or candidate.valid_from))
        decision = self._decide(candidate, vector, corrects)
        self.decisions.append(decision)
        return decision

    def _decide(self, candidate: Record, vector: Floats | None, corrects: bool) -> Decision:
        if self.partition.forbids(candidate):
            return Decision(record=None, outcome="forgotten", reason="it was forgotten on request")
        standing = False
        while self._taken(candidate.id):
            known = self._current(candidate.id)
            if known is not None and self._covers(known, candidate):
                return self._reinforce(known, candidate)
            standing |= known is not None and known.valid_to is None
            # Said, ended or replaced, and said at another time too: a new record, so that each interval stays.
            candidate = replace(candidate, id=derived_id(self.partition.owner, candidate.id, "again"))
        twin = None if standing else self._twin(candidate, vector)
        if twin is not None:
            return self._merge(twin, candidate, vector)
        rivals = [record for record in self._holding(candidate) if conflicting(candidate, record)]
        return self._settle(candidate, rivals, vector, corrects=corrects)

    # ----------------------------------------------------------------------------------- duplicates

    def _reinforce(self, known: Record, candidate: Record) -> Decision:
        values: dict[str, Any] = {
            "importance": reinforced(known.importance),
            "sources": united(known.sources, candidate.sources),
            "confidence": max(known.confidence, candidate.confidence),
        }
        open_both = known.valid_to is None and candidate.valid_to is None
        if open_both and candidate.valid_from < known.valid_from and self._covers(known, candidate):
            self._change(known, valid_from=candidate.valid_from, **values)
        else:
            self._drafts[known.id] = replace(known, **values)
            self.changes.append(Patch(Record, (known.id, known.version), values))
        return Decision(record=known.id, outcome="reinforced", other=known.id, reason="said before in the same words")

    def _covers(self, known: Record, candidate: Record) -> bool:
        """Whether one record is enough for both: they hold at one time, or nothing else held in between."""
        if candidate.valid_to is not None:
            return True
        if known.valid_to is not None:
            return known.valid_from <= candidate.valid_from < known.valid_to
        span = candidate.valid_from, known.valid_from
        between = (record for record in self._about(candidate) if span[0] <= record.valid_from < span[1])
        return not any(conflicting(candidate, record) for record in between)

    def _twin(self, candidate: Record, vector: Floats | None) -> Record | None:
        """The open record that says the same in other words, if there is one."""
        terms = self.analyzer.terms(candidate.text)
        digits = _digits(terms)
        best: tuple[float, str] | None = None
        for record in self._similar_records(terms):
            if record.valid_to is not None or not same_claim(candidate, record):
                continue
            if opposed(candidate.text, record.text):
                continue
            words = self.analyzer.terms(record.text)
            if _digits(words) and digits and _digits(words) != digits:
                continue
            likeness = self._likeness(record, words, terms, vector)
            if likeness >= 1.0 and (best is None or (likeness, record.hash) > best):
                best = likeness, record.hash
                twin = record
        return None if best is None else twin

    def _likeness(self, record: Record, words: list[str], terms: list[str], vector: Floats | None) -> float:
        """How alike, in units of the threshold that applies: cosine with vectors, shared terms without."""
        other = self._vectors.get(record.id)
        number = self.partition.index.numbers.get(record.id)
        if other is None and number is not None and self.partition.index.embedded[number]:
            other = self.partition.index.vectors(np.array([number], np.int32))[0]
        if vector is None or other is None:
            return jaccard(words, terms) / NEAR_TERMS
        return float(vector @ other) / NEAR

    def _similar_records(self, terms: list[str]) -> Iterable[Record]:
        """Records that share a rare term, and the drafts of this call. Bounded, whatever the store holds."""
        index = self.partition.index
        found: dict[str, None] = {}
        for term in index.rarest(terms, 3):
            numbers, _ = index.posting(term)
            records = numbers[np.asarray(index.columns["of_record"], np.bool_)[numbers]]
            found.update(dict.fromkeys(index.refs[number] for number in records[-64:]))
        found.update(dict.fromkeys(self._drafts))
        current = (self._current(record_id) for record_id in found)
        return [record for record in current if record is not None]

    def _merge(self, twin: Record, candidate: Record, vector: Floats | None) -> Decision:
        words = self.analyzer.terms(twin.text), self.analyzer.terms(candidate.text)
        if specificity(candidate.text, words[1]) <= specificity(twin.text, words[0]):
            decision = self._reinforce(twin, candidate)
            return replace(decision, outcome="merged", reason="said before; the earlier wording is more specific")
        self._supersede(twin)
        self._insert(replace(inherit(candidate, twin), supersedes=twin.id), vector)
        return Decision(record=candidate.id, outcome="merged", other=twin.id, reason="said before, now more precisely")

    # -------------------------------------------------------------------------------- contradiction

    def _settle(self, candidate: Record, rivals: list[Record], vector: Floats | None, *, corrects: bool) -> Decision:
        decision = Decision(record=candidate.id, outcome="added")
        candidate = self._fitted(candidate)
        for rival in rivals:
            verdict = judge(candidate, rival, self.policy, corrects=corrects, late=self._late(candidate, rival))
            if verdict.outcome == "close_old":
                self._change(rival, valid_to=max(candidate.valid_from, rival.valid_from), status="expired")
                candidate = replace(candidate, supersedes=rival.id, status="verified" if corrects else candidate.status)
                outcome: Outcome = "superseded"
            elif verdict.outcome == "close_new":
                candidate = _ending(candidate, rival.valid_from)
                outcome = "filed"
            else:
                self._change(rival, status="disputed")
                candidate = replace(candidate, status="disputed")
                outcome = "disputed"
            decision = Decision(record=candidate.id, outcome=outcome, other=rival.id, reason=verdict.reason)
        for ended in self._ended(candidate):
            self._change(ended, valid_to=max(candidate.valid_to or self.now, ended.valid_from), status="expired")
            decision = Decision(record=candidate.id, outcome="ended", other=ended.id, reason="it is no longer so")
        self._insert(candidate, vector)
        return decision

    def _ended(self, candidate: Record) -> list[Record]:
        """What is held to be current and "used to" be so."""
        if candidate.temporal != "past" or candidate.attribute is None:
            return []
        held = [record for record in self._holding(candidate) if record.temporal != "past"]
        return [record for record in held if same(record.value, candidate.value) and not self._late(candidate, record)]

    def _fitted(self, candidate: Record) -> Record:
        """The candidate among the rivals that have ended by now, whatever the order in which all of them arrive.

        One that was said before ends where the candidate begins; the candidate ends where one that was said later does.
        """
        ended = (record for record in self._about(candidate) if record.valid_to and record.temporal != "past")
        for rival in [record for record in ended if conflicting(candidate, record)]:
            if self._late(candidate, rival):
                candidate = _ending(candidate, rival.valid_from)
            elif rival.valid_from <= candidate.valid_from < (rival.valid_to or self.now):
                self._change(rival, valid_to=candidate.valid_from)
        return candidate

    def _late(self, candidate: Record, rival: Record) -> bool:
        """Whether the candidate was said before what is known already."""
        return self._when(candidate) < self._when(rival)

    def _when(self, record: Record) -> datetime:
        """When a record was last said, in this call or before."""
        here = (self._said[source] for source in record.sources if source in self._said)
        return max((*here, self.partition.said(record)))

    # -------------------------------------------------------------------------------------- writing

    def _insert(self, record: Record, vector: Floats | None) -> None:
        self._drafts[record.id] = record
        self.changes += [Add(record), Add(passage_of(record, self.analyzer))]
        if vector is not None:
            self._vectors[record.id] = vector
            self.changes.append(Put(vector_row(record.tenant, record.user, self.space, record.id, vector)))

    def _change(self, record: Record, **values: Any) -> None:
        """A new version of `record`; the old one stays, superseded."""
        self._supersede(record)
        newer = replace(record, version=record.version + 1, recorded_at=self.now, seq=0, **values)
        self._drafts[record.id] = newer
        self.changes.append(Add(newer))

    def _supersede(self, record: Record) -> None:
        self.changes.append(Patch(Record, (record.id, record.version), {"superseded_at": self.now}))
        self._drafts[record.id] = replace(record, superseded_at=self.now)

    def _taken(self, record_id: str) -> bool:
        """Whether a record of this id was ever written, were it superseded since."""
        return record_id in self._drafts or record_id in self.partition.index.numbers

    def _current(self, record_id: str) -> Record | None:
        record = self._drafts.get(record_id) or self.partition.records.get(record_id)
        return None if record is None or record.superseded_at is not None else record

    def _holding(self, candidate: Record) -> list[Record]:
        """Open records of the candidate's place, subject and attribute, as this call sees them."""
        return [record for record in self._about(candidate) if record.valid_to is None]

    def _about(self, candidate: Record) -> list[Record]:
        """Records of the candidate's place, subject and attribute, as this call sees them."""
        known = {record.id: record for record in self.partition.about(candidate)}
        here = attribute_of(candidate)
        known.update({record.id: record for record in self._drafts.values() if attribute_of(record) == here})
        current = (self._current(record_id) for record_id in known)
        return [record for record in current if record is not None]


def _ending(record: Record, moment: datetime) -> Record:
    """`record` as something that held until `moment`, or until an earlier one that is known."""
    ends = max(record.valid_from, min(moment, record.valid_to or moment))
    return replace(record, valid_to=ends, status="expired")


def passage_of(record: Record, analyzer: Analyzer) -> Passage:
    """How a record is found."""
    return Passage(
        tenant=record.tenant,
        user=record.user,
        ref=record.id,
        of="record",
        kind=record.kind,
        agent=record.agent,
        channel=record.channel,
        connection=record.connection,
        terms=" ".join(analyzer.terms(record.text)),
        entities=record.entities,
        traits=traits(record.text),
        length=len(record.text),
        at=record.valid_from,
        recorded_at=record.recorded_at,
    )


def vector_row(tenant: str, user: str, space: str, ref: str, vector: Floats) -> Vector:
    """A vector as it is stored."""
    return Vector(tenant=tenant, user=user, space=space, ref=ref, data=vector.astype("<f2").tobytes())


def _digits(terms: Iterable[str]) -> set[str]:
    return {term for term in terms if any(character.isdigit() for character in term)}
