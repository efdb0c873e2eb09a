"""Reread events when some of them are forgotten: what each of them states, and what is left of what several state.

What consolidation found in several events together stays only if the remaining events state it by themselves: each of
its words that a forgotten event has must stand in them too, and it must pass the guard again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoranda.core.beliefs.duplicates import MAX_SOURCES, united
from memoranda.core.consolidation.claim_statements import statements
from memoranda.core.consolidation.evidence import Evidence
from memoranda.core.consolidation.judge import KIND, of_json
from memoranda.core.consolidation.proposal import Claim, Item, LeafChange, NamedEntity, Narrative, Terms
from memoranda.core.language.corrections import EDITOR
from memoranda.core.language.extraction import analyse, record_of
from memoranda.core.rows import Event, Record
from memoranda.core.rows.statements import EXPIRING, PASSING
from memoranda.core.text.terms import content_hash
from memoranda.core.text.voices import capped


class Restating:
    """What the events of an owner state, and what rests on them.

    Args:
        events: all events of the owner, including those to be forgotten.
        records: all versions of the owner's records.
        terms: returns the terms of a text.
        language: assumed if none is detected.
    """

    def __init__(self, events: Iterable[Event], records: Iterable[Record], terms: Terms, language: str) -> None:
        self._events = {event.id: event for event in events}
        self._named = {(record.hash, source, record.id) for record in records for source in record.sources}
        self._terms = terms
        self._language = language
        self._read: dict[str, dict[str, datetime]] = {}
        self._ends: dict[tuple[str, str], datetime] = {}
        self._sure: set[tuple[str, str]] = set()
        told = (of_json(event.metadata["items"]) for event in self._events.values() if event.kind == KIND)
        self._items = [item for items in told for item in items if isinstance(item, LeafChange | Claim)]
        self._resting: dict[str, list[int]] = {}
        for number, item in enumerate(self._items):
            for source in item.events:
                self._resting.setdefault(source, []).append(number)
        self._made: dict[int, set[str]] = {}

    def sources(self, record: Record) -> tuple[str, ...]:
        """Return the ids of the events that a version rests on.

        A version with as many sources as it can name may not name all. Other events in its place that state it, and are
        not sources of another record in the same words, are added.
        """
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
        """Return the hash of each statement of an event, and of its whole text, with the time from which it holds."""
        if event.id not in self._read:
            found = analyse(event, self._language).statements
            records = [record_of(statement, event, (), event.recorded_at) for statement in found]
            begins = {record.hash: record.valid_from for record in records}
            self._sure |= {(event.id, record.hash) for record in records if record.status == "verified"}
            self._ends |= {(event.id, record.hash): record.valid_to for record in records if record.valid_to}
            self._read[event.id] = {content_hash(event.content): event.event_time, **begins}
        return self._read[event.id]

    def status(self, record: Record) -> str:
        """Return the status that the sources of a record give it: verified if one of them corrects something by it."""
        known = [source for source in record.sources if self._says(record, source)]
        return "verified" if any((source, record.hash) in self._sure for source in known) else "candidate"

    def end(self, record: Record) -> datetime | None:
        """Return the earliest end that the sources of a temporary record give for it; None if none does.

        Of one that expires it is the latest, see `core.beliefs.supersession.joined`.
        """
        if record.temporal not in PASSING:
            return None
        best = max if record.temporal == EXPIRING else min
        known = [source for source in record.sources if self._says(record, source)]
        return best(
            (self._ends[source, record.hash] for source in known if (source, record.hash) in self._ends), default=None
        )

    def begins(self, record: Record) -> datetime:
        """Return since when a version holds by the earliest of its sources."""
        known = [self._events[source] for source in record.sources if source in self._events]
        return min((self.claims(one).get(record.hash, one.event_time) for one in known), default=record.valid_from)

    def without(self, record: Record, gone: set[str]) -> Record | None:
        """Return a version without the sources that are gone, and with what follows for its trust and validity.

        None if no source is left, or none that states it although one did. An amendment needs all sources that do not
        state it by themselves: if one is gone, it is left as a plain record of those that do.
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
        most = max(known, key=lambda event: event.trust, default=None)
        if most is not None and most.trust < record.trust:
            record = capped(replace(record, trust=most.trust, source=most.source))
        begins = self.begins(replace(record, sources=left))
        since = record.valid_from if amended else max(record.valid_from, begins)
        until = record.valid_to and max(record.valid_to, since)
        return replace(record, sources=united((), left), valid_from=since, valid_to=until)

    def by_itself(self, record: Record, gone: set[str]) -> Record | None:
        """Return a copied version as if it had not been copied: with the sources in its own channel. None as above."""
        here = {source for source in record.sources if source in self._events}
        here = {source for source in here if self._events[source].channel == record.channel}
        left = self.without(record, gone | ({*record.sources} - here))
        return left and replace(left, promoted_from=None)

    def lessened(self, gone: set[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Yield the id of each consolidation that loses something with what is gone, and its remaining items as JSON.

        A narrative was made from the previous one in its place: if one is dropped, so are all later ones, as are their
        record versions. A claim that loses an event no longer ends anything.
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
        """Return pairs of a record and the event that ended it, for the ends that no claim supports any more.

        A claim that loses one of several events ends nothing: the end may have stood in that one.
        """
        pairs: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
        for item in self._items:
            if isinstance(item, Claim) and item.ends and self._events.keys() >= {*item.events}:
                last = max((self._events[name] for name in item.events), key=lambda one: (one.event_time, one.id))
                pairs[self.left(item, gone) == item.events].update((name, last.id) for name in item.ends)
        return frozenset(pairs[False] - pairs[True])

    def _recalls(self, record: Record, gone: set[str]) -> bool:
        """Whether a record comes from an item that repeats words of what is gone (its `recalls`)."""
        numbers = {number for source in record.sources for number in self._resting.get(source, ())}
        items = ((number, self._items[number]) for number in numbers)
        lent = (number for number, item in items if not gone.isdisjoint(item.recalls))
        return any(record.hash in self._hashes(number) for number in lent)

    def left(self, item: Item, gone: set[str]) -> tuple[str, ...]:
        """Return the ids of the events that an item still rests on; empty if it is dropped."""
        if isinstance(item, LeafChange | Claim) and not gone.isdisjoint(item.recalls):
            return ()
        left = tuple(name for name in item.events if name not in gone)
        if left == item.events:
            return left
        if not isinstance(item, LeafChange | Claim | NamedEntity):
            return ()  # a relation or a narrative needs all of its events
        stay = [self._events[name] for name in left if name in self._events]
        went = [self._events[name] for name in item.events if name in gone and name in self._events]
        if self._words(_said(item)) & self._words(*map(_spoken, went)) - self._words(*map(_spoken, stay)):
            return ()
        evidence = Evidence(stay, self._terms, self._language)
        return left if _holds(evidence, item, left) else ()

    def _words(self, *texts: str) -> set[str]:
        return {term for text in texts for term in self._terms(text)}

    def _found_in(self, record: Record, gone: set[str]) -> tuple[set[str], set[str]]:
        """Return the events in which consolidation found what a record says, and those that still support it."""
        told, left = set[str](), set[str]()
        for number in sorted({number for source in record.sources for number in self._resting.get(source, ())}):
            if record.hash in self._hashes(number):
                told.update(self._items[number].events)
                left.update(self.left(self._items[number], gone))
        return told, left

    def _hashes(self, number: int) -> set[str]:
        """Return the hashes of the statements that an item makes, computed once."""
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
    """Return all that an item says, as one text."""
    match item:
        case NamedEntity():
            parts = [item.name, *item.aliases]
        case Claim():
            parts = [item.subject, item.text, str(item.value)]
        case _:
            parts = [item.subject, item.path.replace(".", " ").replace("_", " "), str(item.value)]
    return " ".join(parts)


def _holds(evidence: Evidence, item: LeafChange | Claim | NamedEntity, events: Sequence[str]) -> bool:
    """Whether some events state an item, by the checks of the guard."""
    match item:
        case NamedEntity():
            return all(evidence.names(name, events) for name in (item.name, *item.aliases))
        case Claim():
            return evidence.against(item.text, events, about=item.subject) is None
    return isinstance(item.value, bool) or evidence.against(str(item.value), events) is None
