"""Currency: whether what a passage says still holds, and since when something else holds instead."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Self

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.overtaken import overtaken
from memoranda.core.beliefs.supersession import closed
from memoranda.core.image.image import Partition
from memoranda.core.image.index import Index
from memoranda.core.language.corrections import EDITOR as AMENDED
from memoranda.core.rows import Record
from memoranda.core.rows.statements import RECORDS


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a passage that holds no more.

    Attributes:
        until: when the last of what it states ended.
        by: the id of the event that ended it; None if time did, or the asker may not see that event.
    """

    until: datetime
    by: str | None


class Endings:
    """The passages of one image, in one scope and at one time, that hold no more.

    A turn holds as long as one of its statements does: of "I sold the car, and my sister lives in York" the second half
    is still worth an answer. A turn in which nobody read a statement holds.

    Args:
        index: the passages.
        records: the statements believed, by id; `by_source`: the ids of those that name an event as a source.
        scope: whose question it is.
        at: the time that is asked about.
        later: by the id of a turn, those of later turns by which a model judges it to be outdated, with how sure it is.
        known_at: a later turn that was recorded after this is unknown; None if all are known.
        attributes: the ids of the records that give an attribute, for what later ones of other places say otherwise.
    """

    def __init__(
        self,
        index: Index,
        records: Mapping[str, Record],
        by_source: Mapping[str, Collection[str]],
        scope: Scope,
        at: datetime,
        later: Mapping[str, Sequence[tuple[str, float]]] = MappingProxyType({}),
        known_at: datetime | None = None,
        attributes: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> None:
        self._index, self._records, self._by_source, self._scope, self._at = index, records, by_source, scope, at
        self._later, self._known_at, self._attributes = later, known_at, attributes
        self._known: dict[str, Ended | None] = {}
        self._words: dict[str, list[str]] = {}

    @classmethod
    def now(cls, image: Partition, scope: Scope, now: datetime) -> Self:
        """What became of the passages of an image that hold no more now."""
        held = image.records, image.records_by_source
        return cls(image.index, *held, scope, now, image.later, None, image.attributes)

    def of(self, ref: str) -> Ended | None:
        """How a passage ended; None if it holds."""
        if ref not in self._known:
            record = self._records.get(ref)
            self._known[ref] = self._ended([record] if record else self.stated(ref))
        return self._known[ref]

    def in_part(self, event: str) -> list[Record]:
        """The statements of a turn that hold no more, the last to end last, if others of it do; else none."""
        over = [record for record in map(self.seen, self.stated(event)) if self._over(record)]
        return [] if self.of(event) else sorted(over, key=_ended_at)

    def seen(self, record: Record) -> Record:
        """A statement, ended by the later one of another place that says otherwise, if there is one."""
        other = overtaken(record, self._records, self._attributes, self._scope, self._at)
        return record if other is None else closed(record, other.valid_from, other.sources[-1])

    def stated(self, event: str) -> list[Record]:
        """The statements that a turn makes itself; a correction rests on the turn it corrects, which did not say it."""
        found = map(self._records.get, self._by_source.get(event, ()))
        return [
            record
            for record in found
            if record is not None
            and record.kind in RECORDS
            and event in (record.sources[-1:] if record.editor == AMENDED else record.sources)
            and visible(record, self._scope)
        ]

    def later(self, ref: str) -> list[str]:
        """The ids of later words on a passage, the latest first: turns by which a model judges it to be outdated.

        Of the statements of one turn, such a word is on the one that is nearest to it.
        """
        if ref not in self._words:
            self._words[ref] = self._later_words(ref) if self._later else []
        return self._words[ref]

    def _later_words(self, ref: str) -> list[str]:
        record = self._records.get(ref)
        turn = self.last_said(record) if record else ref
        words = self._later.get(turn)
        if not words:
            return []
        numbers = self._index.numbers
        seen = [one for one, _ in words if one in numbers and self._sees(numbers[one])]
        if record:
            seen = [one for one in seen if self._nearest(ref, turn, one)]
        return sorted(seen, key=lambda one: self._index.passages[numbers[one]].at, reverse=True)

    def last_said(self, record: Record) -> str:
        """The turn that counts here in which a statement was made last, which an import may have told of first."""
        numbers, passages = self._index.numbers, self._index.passages
        seen = [one for one in reversed(record.sources) if one in numbers and self._sees(numbers[one])]
        return max(seen, key=lambda one: passages[numbers[one]].at, default=record.id)

    def successors(self, ref: str) -> Iterable[str]:
        """The ids of what took the place of a passage: what ended it, what that states instead, and later words."""
        yield from self._replaced(ref)
        yield from self.later(ref)

    def _replaced(self, ref: str) -> Iterable[str]:
        ended = self.of(ref)
        if ended is None or ended.by is None:
            return
        record = self._records.get(ref)
        about = {one.attribute for one in ([record] if record else self.stated(ref))} - {None}
        yield ended.by
        yield from (one.id for one in self.stated(ended.by) if one.attribute in about)

    def _ended(self, records: Sequence[Record]) -> Ended | None:
        records = [self.seen(record) for record in records]
        if not records or not all(map(self._over, records)):
            return None
        last = max(records, key=_ended_at)
        number = self._index.numbers.get(last.contradicted_by or "")
        seen = number is not None and visible(self._index.passages[number], self._scope)
        return Ended(last.valid_to or last.recorded_at, last.contradicted_by if seen else None)

    def _sees(self, number: int) -> bool:
        passage = self._index.passages[number]
        known = self._known_at is None or passage.recorded_at <= self._known_at
        return known and passage.at <= self._at and visible(passage, self._scope)

    def _nearest(self, ref: str, turn: str, later: str) -> bool:
        """Whether no statement of a turn has a vector nearer to that of a later one than `ref`; so without vectors."""
        index = self._index
        word = index.vectors.one(index.numbers[later])
        told = [record.id for record in self.stated(turn) if record.id in index.numbers]
        near = [(index.vectors.one(index.numbers[one]), one) for one in told]
        known = {one: float(vector @ word) for vector, one in near if vector is not None and word is not None}
        return not known or known.get(ref) == max(known.values())

    def _over(self, record: Record) -> bool:
        """Whether a statement held and holds no more, or is wrong. One of the past was never said to hold."""
        ends = record.valid_to is not None and record.valid_to <= self._at
        return record.status == "rejected" or (record.temporal != "past" and ends)


def _ended_at(record: Record) -> tuple[datetime, str]:
    return record.valid_to or record.recorded_at, record.id
