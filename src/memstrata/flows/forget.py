"""Forgetting on request: drop a record, a source or a scope, with everything derived from it, for good.

Provenance is walked to a fixed point. A record falls when none of its sources is left, or none that states it;
otherwise it stays with the sources that are left. An amendment needs all of its sources. What was ended by something
that falls holds again. Rows that fall are dropped with their index entries and bytes. Tombstones (hashes and ids, no
text) stay for every writer to consult, and a receipt says what went.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from memstrata.core.changes import Add, Batch, Change, Drop, Patch, Put
from memstrata.core.checks import brief, require
from memstrata.core.consolidation import KIND as CONSOLIDATION
from memstrata.core.outcomes import lowered, undecided
from memstrata.core.procedures import TOOL_CALL, promoted_from, recounted, text_of, use_id
from memstrata.core.promotion import orphaned
from memstrata.core.reopening import COMPOSED, Reopening, altered, cut_back
from memstrata.core.rereading import Reading
from memstrata.core.rows import (
    Attempt,
    AuditEntry,
    ConnectionCache,
    ContextLog,
    Entity,
    Event,
    JobRun,
    Json,
    LedgerEntry,
    Passage,
    Receipt,
    Record,
    Relation,
    Row,
    ShortTerm,
    Tombstone,
    ToolUse,
    Vector,
    WorkingCopy,
    key_of,
)
from memstrata.core.scope import Scope, check_identifier, visible
from memstrata.core.text import content_hash, count_words, mark_of, normalise
from memstrata.errors import InputError, NotFoundError
from memstrata.flows import withdraw
from memstrata.flows.audit import nameless
from memstrata.flows.commits import reread, unbroken
from memstrata.flows.commons import own
from memstrata.flows.flush import settle, wipe
from memstrata.flows.runtime import Runtime, Settings
from memstrata.ports import Query

_DERIVED: tuple[type[Row], ...] = (
    Event, Record, Passage, Vector, Entity, Relation, ContextLog, ToolUse, ShortTerm, ConnectionCache, WorkingCopy,
    Attempt, JobRun, LedgerEntry, AuditEntry,
)  # fmt: skip
_TELLING_OF = (AuditEntry, LedgerEntry)  # they fall with other rows; alone they are nothing to forget
TELLING = 4  # the fewest words of a text that is barred itself, not only its event


@dataclass(frozen=True, slots=True)
class Target:
    """What to forget: exactly one of a record, a source (an event), a conversation, or all that the scope sees."""

    record: str | None = None
    source: str | None = None
    conversation: str | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        require(isinstance(self.everything, bool), "everything", self.everything, "True, or leave it out")
        given = [self.record, self.source, self.conversation, self.everything or None]
        if sum(value is not None for value in given) != 1:
            raise InputError("Say what to forget: exactly one of record=, source=, conversation= or everything=True.")
        for name, value in self.names():
            if value is not None:
                check_identifier(name, value)

    def __str__(self) -> str:
        if self.everything:
            return "everything in the scope"
        return " ".join(next((name, value) for name, value in self.names() if value))

    def names(self) -> tuple[tuple[str, str | None], ...]:
        """The targets that are given by id."""
        return (("record", self.record), ("source", self.source), ("conversation", self.conversation))


async def forget(runtime: Runtime, scope: Scope, target: Target) -> Receipt:
    """Forget `target`. See `memstrata.scoped.AsyncScoped.forget`."""
    await runtime.journal.settle()
    await settle(runtime, scope)
    async with runtime.partitions.turn(scope.owner):
        return await reread(partial(_forget, runtime, scope, target, _Besides()))


@dataclass(slots=True)
class _Besides:
    """What went besides the owner's rows, in this and earlier attempts: shared rows, and cells of working memory."""

    shared: list[Row] = field(default_factory=list)
    cells: int = 0


async def _forget(runtime: Runtime, scope: Scope, target: Target, besides: _Besides) -> Receipt:
    """One attempt."""
    queries = [Query(kind=kind, tenant=scope.tenant, user=scope.user) for kind in _DERIVED]
    page = await runtime.store.find(scope.owner, *queries)
    fall = _walk(runtime, Held(*map(tuple, page.rows)), scope, target)
    besides.shared += await _taken(
        runtime, scope, target, fall.gone
    )  # first: a dropped record no longer leads to its copies
    besides.cells += await wipe(runtime, scope, fall.gone, target.conversation, whole=target.everything)
    if all(isinstance(row, _TELLING_OF) for row in fall.rows) and not besides.shared and not besides.cells:
        raise NotFoundError(
            f"There is nothing to forget: {brief(str(target))} is not in this scope, or was forgotten before. "
            "A turn is named as source=…, what was made of it as record=…; what was understood goes with its events."
        )
    receipt = _receipt(runtime, scope, target, [*fall.rows, *besides.shared], besides.cells)
    changes = tuple(_changes(fall, receipt, scope.agent))
    if besides.cells:  # a store scrubs erased bytes when a row is dropped; no copy has this id
        changes += (Drop(WorkingCopy, (receipt.id,)),)
    await unbroken(_commit(runtime, Batch(owner=scope.owner, changes=changes, expect=page.state.seq)))
    await _taken(runtime, scope, target, fall.gone)  # what was shared meanwhile
    return receipt


async def _taken(runtime: Runtime, scope: Scope, target: Target, gone: set[str]) -> list[Row]:
    """Withdraw the shared copies of what goes, and the user's own writes to shared memory that `target` names."""

    def aimed(event: Event) -> bool:
        named = event.id == target.source or (target.conversation and event.conversation == target.conversation)
        return withdraw.copied(event, scope) in gone or (bool(named) and own(event, scope))

    return await withdraw.taken(runtime, scope, aimed, everything=target.everything)


async def _commit(runtime: Runtime, batch: Batch) -> None:
    """Apply the batch, and clear the caches that may hold what went."""
    await runtime.store.apply(batch)
    runtime.partitions.forget(batch.owner)
    runtime.desks.forget(batch.owner)
    runtime.forget_vectors()


@dataclass(frozen=True, slots=True)
class Held:
    """All rows of an owner that forgetting has to look at."""

    events: tuple[Event, ...]
    records: tuple[Record, ...]
    passages: tuple[Passage, ...]
    vectors: tuple[Vector, ...]
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    requests: tuple[ContextLog, ...]
    uses: tuple[ToolUse, ...]
    entries: tuple[ShortTerm, ...]
    answers: tuple[ConnectionCache, ...]
    copies: tuple[WorkingCopy, ...]
    attempts: tuple[Attempt, ...]
    runs: tuple[JobRun, ...]
    costs: tuple[LedgerEntry, ...]
    deeds: tuple[AuditEntry, ...]


@dataclass(frozen=True, slots=True)
class Fall:
    """What forgetting takes.

    Attributes:
        rows: the rows that fall.
        gone: ids of the events and records of which nothing is left.
        barred: those of them whose words no record says any more; they must not come back.
        mended: changes to the rows that stay but also rested on what falls.
    """

    rows: list[Row]
    gone: set[str]
    barred: set[str]
    mended: list[Change]


def _walk(runtime: Runtime, held: Held, scope: Scope, target: Target) -> Fall:
    """What falls with `target`."""
    reading = Reading(held.events, held.records, runtime.analyzer.terms, runtime.settings.language)
    named = [record for record in held.records if record.id == target.record]
    aimed = [record for record in held.records if _words(record) in {*map(_words, named)}]
    stated = {source for record in aimed for source in reading.sources(record)}
    events = {event.id for event in held.events if visible(event, scope) and _aimed(event, stated, target)}
    events |= {event.id for event in held.events if not events.isdisjoint(promoted_from(event))}
    records = {item.id for item in (held.records if target.everything else aimed) if visible(item, scope)}
    orphans: set[str] = set()
    while True:
        events, after = _after(held, reading, events, records, orphans, runtime.settings)
        copies, promotions = orphaned(after, held.events, events)
        promotions |= undecided(after, held.events, events)
        if copies <= orphans and promotions <= events:
            break
        orphans |= copies
        events = events | promotions
    after = list(lowered(after, (event for event in held.events if event.id in events)))
    kept = {event.id: event for event in held.events if event.id not in events}
    staying = {key_of(record) for record in after}
    gone = events | ({record.id for record in held.records} - {record.id for record in after})
    kept_entities = {entity for passage in held.passages if passage.ref not in gone for entity in passage.entities}
    lost = {entity for passage in held.passages if passage.ref in gone for entity in passage.entities} - kept_entities
    lessened = dict(reading.lessened(events))
    falls: list[Row] = [event for event in held.events if event.id in events or lessened.get(event.id) == []]
    falls += [record for record in held.records if key_of(record) not in staying]
    falls += [passage for passage in held.passages if passage.ref in gone]
    falls += [vector for vector in held.vectors if vector.ref in gone]
    falls += [entity for entity in held.entities if entity.id in lost]
    falls += [edge for edge in held.relations if lost & {edge.head, edge.tail} or _sourceless(edge, events)]
    spoken = {normalise(event.content) for event in held.events if event.id in events} - {""}
    seen = {row.id for row in held.requests if visible(row, scope) and _worded(row, row.query, spoken, target)}
    falls += [row for row in held.requests if row.id in seen or not gone.isdisjoint(row.named)]
    worded = {row.id for row in held.entries if visible(row, scope) and _worded(row, text_of(row), spoken, target)}
    falls += [row for row in held.entries if row.id in worded or not events.isdisjoint(row.sources)]
    called = {use_id(event) for event in held.events if event.id in events and event.kind == TOOL_CALL}
    counted = recounted(event for event in kept.values() if use_id(event) in called)
    falls += [row for row in held.attempts if row.event in events]
    falls += [row for row in held.costs if visible(row, scope) and _worded(row, "", spoken, target)]
    falls += [row for row in held.deeds if visible(row, scope) and _worded(row, row.query or "", spoken, target)]
    falls += [row for row in held.uses if row.id in called - counted.keys()]
    falls += [row for row in held.answers if visible(row, scope) and _answered(row, spoken, target)]
    falls += [
        copy
        for copy in held.copies
        if (visible(copy, scope) and _kept(copy, target)) or not gone.isdisjoint(copy.turns)
    ]
    falls += held.runs if target.everything and scope.whole else ()  # an error may name what it was about
    words = {*map(_words, after)}
    again = {record.id for record in held.records if _words(record) in words}
    fewer = [
        Patch(Event, (name,), {"metadata": {**kept[name].metadata, "items": left}})
        for name, left in lessened.items()
        if left
    ]
    fewer += nameless((*held.costs, *held.deeds), gone)
    mended = [*_mended(held, after, events), *map(Put, counted.values()), *fewer]
    return Fall(falls, gone, gone - again, mended)


def _after(
    held: Held, reading: Reading, events: set[str], records: set[str], orphans: set[str], settings: Settings
) -> tuple[set[str], list[Record]]:
    """The events that go, and the record versions that are left; `orphans` are copies whose original is gone."""
    said, composed = _parted(held.records)
    events, shortened = _shortened([record for record in composed if record.id not in records], events, held.events)
    trimmed = [
        reading.by_itself(record, events) if record.id in orphans else reading.without(record, events)
        for record in said
        if record.id not in records
    ]
    kept = {event.id: event for event in held.events if event.id not in events}
    left = [record for record in trimmed if record is not None]
    reopening = Reopening(said, left, kept, settings.conflict_policy, reading.end, reading.holding(events))
    return events, [*reopening.versions(), *shortened]


def _parted(records: Iterable[Record]) -> tuple[list[Record], list[Record]]:
    """Split records into those that were stated and those composed of what was done."""
    said, composed = list[Record](), list[Record]()
    for record in records:
        (composed if record.editor in COMPOSED else said).append(record)
    return said, composed


def _shortened(composed: list[Record], gone: set[str], events: Iterable[Event]) -> tuple[set[str], list[Record]]:
    """The events that go, and what is left of composed records.

    If nothing is left of a record, the events that told what became of it go too, because they repeat its text.
    """
    kinds = {event.id: event.kind for event in events}
    while True:
        left = list(cut_back(composed, gone))
        staying = {record.id for record in left}
        ended = (record for record in composed if record.id not in staying)
        told = {source for record in ended for source in record.sources if kinds.get(source) == record.kind}
        if told <= gone:
            return gone, left
        gone = gone | told


def _mended(held: Held, after: list[Record], events: set[str]) -> Iterable[Change]:
    """The changes that bring the remaining rows to their state without what falls."""
    known = {key_of(record) for record in held.records}
    current = {}
    for record, values in altered(held.records, after):
        yield Patch(Record, key_of(record), values) if key_of(record) in known else Add(record)
        if record.superseded_at is None:
            current[record.id] = record.valid_from
    for passage in held.passages:
        if passage.at != current.get(passage.ref, passage.at):
            yield Patch(Passage, key_of(passage), {"at": current[passage.ref]})
    for edge in held.relations:
        if edge.ended_by in events:
            yield Patch(Relation, key_of(edge), {"ended_at": None, "ended_by": None})


def _words(record: Record) -> tuple[str | None, ...]:
    """What a record says, and where; the same words said at several times may be several records."""
    return record.hash, record.kind, record.agent, record.channel, record.connection


def _aimed(event: Event, stated: set[str], target: Target) -> bool:
    """Whether forgetting `target` takes this event. A record takes the events that state it, or it would come back."""
    if target.everything:
        return True
    if target.record is not None:
        return event.id in stated
    if event.kind == CONSOLIDATION:  # it falls with its source events only, or its records would rest on nothing
        return False
    return event.id == target.source or (event.conversation is not None and event.conversation == target.conversation)


def _worded(row: AuditEntry | ContextLog | LedgerEntry | ShortTerm, text: str, said: set[str], target: Target) -> bool:
    """Whether a row lies in what goes or repeats what was said there: a turn is often also a query or a kept entry."""
    where = target.everything or (target.conversation is not None and row.conversation == target.conversation)
    own = normalise(text)
    return where or any(one in own or bool(own and own in one) for one in said)


def _answered(row: ConnectionCache, said: set[str], target: Target) -> bool:
    """Whether a cached answer of a tool goes: it was asked in what goes, or contains what was said there."""
    where = target.everything or (target.conversation is not None and row.conversation == target.conversation)
    held = normalise(" ".join(_texts([row.name, row.value])))
    return where or any(text in held for text in said)


def _texts(value: Json) -> Iterable[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    else:
        yield str(value)


def _kept(copy: WorkingCopy, target: Target) -> bool:
    """Whether a saved copy of working memory belongs to `target`."""
    return target.everything or (target.conversation is not None and copy.conversation == target.conversation)


def _sourceless(edge: Relation, events: set[str]) -> bool:
    """Whether a relation falls: it rests on each of the events that it was found in."""
    return not events.isdisjoint(edge.sources)


def _telling(text: str) -> bool:
    """Whether a text is long enough to be barred; "yes" must stay sayable."""
    return count_words(text) >= TELLING


def _receipt(runtime: Runtime, scope: Scope, target: Target, falls: list[Row], cells: int) -> Receipt:
    names = sorted("/".join((row.__table__, *map(str, key_of(row)))) for row in falls)
    return Receipt(
        tenant=scope.tenant,
        user=scope.user,
        id=runtime.ids(),
        target="everything of the user" if scope.whole and target.everything else str(target),
        removed=dict(Counter(row.__table__ for row in falls)) | ({"cells": cells} if cells else {}),
        digest=hashlib.sha256("\n".join(names).encode()).hexdigest(),
        created_at=runtime.clock(),
    )


def _changes(fall: Fall, receipt: Receipt, agent: str | None) -> Iterable[Change]:
    for row in fall.rows:
        yield Drop(type(row), key_of(row))
    yield from fall.mended
    said = [row for row in fall.rows if isinstance(row, Event) and _telling(row.content)]
    held = [row for row in fall.rows if isinstance(row, Record) and row.id in fall.barred]
    claims = {(content_hash(event.content), event.agent) for event in said}
    claims |= {(record.hash, record.agent) for record in held}
    marks = {mark for claim, whose in claims for mark in _marks(claim, whose, agent)}
    for mark in sorted(marks | fall.barred):
        yield Add(  # an existing tombstone keeps its date
            Tombstone(
                tenant=receipt.tenant, user=receipt.user, id=mark, receipt=receipt.id, created_at=receipt.created_at
            )
        )
    yield Put(receipt)


def _marks(claim: str, whose: str | None, agent: str | None) -> set[str]:
    """The tombstones for a forgotten claim.

    Without an agent, the user forgets, and all of the user's writers are barred. What an agent forgets is barred for
    that agent, and for writers without an agent if the claim was the user's, but never for another agent.
    """
    return {claim} if agent is None else {mark_of(claim, agent), mark_of(claim, whose)}
