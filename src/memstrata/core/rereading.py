"""Events read once more when some of them are forgotten: what each of them says, and what is left of what several say.

What consolidation found in several events together is left as far as the others say it by themselves: every word of it
that those had which go has to stand in them, and all of it has to pass the guard again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memstrata.core.amendment import EDITOR
from memstrata.core.consolidation import KIND, of_json
from memstrata.core.extraction import analyse, record_of
from memstrata.core.guard import Evidence
from memstrata.core.merge import MAX_SOURCES, united
from memstrata.core.proposal import Claim, Item, LeafChange, NamedEntity, Narrative, Terms
from memstrata.core.rows import Event, Record
from memstrata.core.stating import statements
from memstrata.core.text import content_hash


class Reading:
    """What events say, and since when that holds by it.

    Args:
        events: those of an owner, what is to be forgotten among them; `records`: their versions.
        terms: from a text to its terms.
        language: of what none can be told.
    """

    def __init__(self, events: Iterable[Event], records: Iterable[Record], terms: Terms, language: str) -> None:
        self._events = {event.id: event for event in events}
        self._named = {(record.hash, source, record.id) for record in records for source in record.sources}
        self._terms = terms
        self._language = language
        self._read: dict[str, dict[str, datetime]] = {}
        self._ends: dict[tuple[str, str], datetime] = {}
        told = (of_json(event.metadata["items"]) for event in self._events.values() if event.kind == KIND)
        self._items = [item for items in told for item in items if isinstance(item, LeafChange | Claim)]
        self._resting: dict[str, list[int]] = {}
        for number, item in enumerate(self._items):
            for source in item.events:
                self._resting.setdefault(source, []).append(number)
        self._made: dict[int, set[str]] = {}

    def sources(self, record: Record) -> tuple[str, ...]:
        """The events that a version rests on. One that was said often names not all: the others are read."""
        if len(record.sources) < MAX_SOURCES:
            return record.sources
        elsewhere = {source for claim, source, name in self._named if claim == record.hash and name != record.id}
        others = (
            event.id
            for event in self._events.values()
            if event.extraction == "extracted"
            and event.id not in elsewhere
            and (event.agent, event.channel, event.connection) == (record.agent, record.channel, record.connection)
            and record.hash in self.claims(event)
        )
        return tuple(dict.fromkeys((*record.sources, *others)))

    def claims(self, event: Event) -> Mapping[str, datetime]:
        """From when on an event says that what it states holds, by the hash of each statement."""
        if event.id not in self._read:
            found = analyse(event, self._language).statements
            records = [record_of(statement, event, (), event.recorded_at) for statement in found]
            begins = {record.hash: record.valid_from for record in records}
            self._ends |= {(event.id, record.hash): record.valid_to for record in records if record.valid_to}
            self._read[event.id] = {content_hash(event.content): event.event_time, **begins}
        return self._read[event.id]

    def end(self, record: Record) -> datetime | None:
        """Until when a record says itself that it is so."""
        if record.temporal != "temporary":
            return None
        known = [source for source in record.sources if self._says(record, source)]
        return min(
            (self._ends[source, record.hash] for source in known if (source, record.hash) in self._ends), default=None
        )

    def without(self, record: Record, gone: set[str]) -> Record | None:
        """A version without some of its sources; None if none is left, or none that says it where one had.

        An amendment needs all that do not say it by themselves.
        """
        if gone.isdisjoint(record.sources) and not self._recalls(record, gone):
            return record
        sources = self.sources(record)
        says = {source for source in sources if self._says(record, source)}
        amended = record.editor == EDITOR and gone.isdisjoint({*sources} - says)
        left = tuple(source for source in sources if source not in gone)
        if record.editor == EDITOR and not amended:
            left = tuple(source for source in left if source in says)
            record = replace(record, editor="rules", supersedes=None)
        told, found = self._found_in(record, gone)
        left = tuple(source for source in left if source in says | found or source not in told)
        if not left or (not amended and says | told and (says | found).isdisjoint(left)):
            return None
        known = [self._events[source] for source in left if source in self._events]
        begins = (self.claims(event).get(record.hash, event.event_time) for event in known)
        most = max(known, key=lambda event: event.trust, default=None)
        if most is not None and most.trust < record.trust:
            record = replace(record, trust=most.trust, source=most.source)
        since = record.valid_from if amended else max(record.valid_from, min(begins, default=record.valid_from))
        until = record.valid_to and max(record.valid_to, since)
        return replace(record, sources=united((), left), valid_from=since, valid_to=until)

    def by_itself(self, record: Record, gone: set[str]) -> Record | None:
        """A version of a copy as if it had not been copied: with the sources that lie where it does."""
        here = {source for source in record.sources if source in self._events}
        here = {source for source in here if self._events[source].channel == record.channel}
        left = self.without(record, gone | ({*record.sources} - here))
        return left and replace(left, promoted_from=None)

    def lessened(self, gone: set[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """The consolidations that say less without what rests on what is gone, each with what it still says.

        A narrative was made of the one before it in its place: with one go all that came after it, as their versions
        do.
        """
        broken: set[tuple[str | None, str, str | None]] = set()
        told = (event for event in self._events.values() if event.kind == KIND and event.id not in gone)
        for event in sorted(told, key=lambda one: (one.recorded_at, one.seq)):
            place, said = (event.agent, event.channel, event.connection), event.metadata["items"]
            left = []
            for raw, item in zip(said, of_json(said), strict=True):
                stays = self.left(item, gone)
                narrates = isinstance(item, Narrative)
                if narrates and not stays:
                    broken.add(place)
                if stays and not (narrates and place in broken):
                    left.append(
                        raw if stays == item.events else {**raw, "events": list(stays), **_ending_nothing(item)}
                    )
            if left != said:
                yield event.id, left

    def holding(self, gone: set[str]) -> frozenset[tuple[str, str]]:
        """The records that claims end no more without what is gone, each with the event that they ended by.

        A claim that loses one of several events ends nothing: the end may have stood in that one.
        """
        pairs: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
        for item in self._items:
            if isinstance(item, Claim) and item.ends:
                last = max((self._events[name] for name in item.events), key=lambda one: (one.event_time, one.id))
                pairs[self.left(item, gone) == item.events].update((name, last.id) for name in item.ends)
        return frozenset(pairs[False] - pairs[True])

    def _recalls(self, record: Record, gone: set[str]) -> bool:
        """Whether a record repeats words of what is gone that its own events only mean."""
        numbers = {number for source in record.sources for number in self._resting.get(source, ())}
        items = ((number, self._items[number]) for number in numbers)
        lent = (number for number, item in items if not gone.isdisjoint(item.recalls))
        return any(record.hash in self._hashes(number) for number in lent)

    def left(self, item: Item, gone: set[str]) -> tuple[str, ...]:
        """The events that an item still rests on; none where it falls."""
        if isinstance(item, LeafChange | Claim) and not gone.isdisjoint(item.recalls):
            return ()
        left = tuple(name for name in item.events if name not in gone)
        if left == item.events:
            return left
        if not isinstance(item, LeafChange | Claim | NamedEntity):
            return ()  # how two are related, and what was written, rests on all that it was found in
        stay = [self._events[name] for name in left if name in self._events]
        went = [self._events[name] for name in item.events if name in gone and name in self._events]
        if self._words(_said(item)) & self._words(*map(_spoken, went)) - self._words(*map(_spoken, stay)):
            return ()
        evidence = Evidence(stay, self._terms, self._language)
        return left if _holds(evidence, item, left) else ()

    def _words(self, *texts: str) -> set[str]:
        return {term for text in texts for term in self._terms(text)}

    def _found_in(self, record: Record, gone: set[str]) -> tuple[set[str], set[str]]:
        """The events in which consolidation found what a record says, and those in which it would find it still."""
        told, left = set[str](), set[str]()
        for number in sorted({number for source in record.sources for number in self._resting.get(source, ())}):
            if record.hash in self._hashes(number):
                told.update(self._items[number].events)
                left.update(self.left(self._items[number], gone))
        return told, left

    def _hashes(self, number: int) -> set[str]:
        """The hashes of the statements that an item makes."""
        if number not in self._made:
            item = self._items[number]
            rests = [self._events[name] for name in item.events if name in self._events]
            last = max(rests, key=lambda one: (one.event_time, one.id))
            self._made[number] = {content_hash(one.text) for one in statements(item, last, self._language)}
        return self._made[number]

    def _says(self, record: Record, source: str) -> bool:
        return source in self._events and record.hash in self.claims(self._events[source])


def _ending_nothing(item: Item) -> dict[str, Any]:
    return {"ends": []} if isinstance(item, Claim) else {}


def _spoken(event: Event) -> str:
    return f"{event.speaker or ''} {event.content}"


def _said(item: LeafChange | Claim | NamedEntity) -> str:
    """All that an item says."""
    match item:
        case NamedEntity():
            parts = [item.name, *item.aliases]
        case Claim():
            parts = [item.subject, item.text, str(item.value)]
        case _:
            parts = [item.subject, item.path.replace(".", " ").replace("_", " "), str(item.value)]
    return " ".join(parts)


def _holds(evidence: Evidence, item: LeafChange | Claim | NamedEntity, events: Sequence[str]) -> bool:
    """Whether some events say an item, as far as the guard can tell."""
    match item:
        case NamedEntity():
            return all(evidence.names(name, events) for name in (item.name, *item.aliases))
        case Claim():
            return evidence.against(item.text, events, about=item.subject) is None
    return isinstance(item.value, bool) or evidence.against(str(item.value), events) is None
