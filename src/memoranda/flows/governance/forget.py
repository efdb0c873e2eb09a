"""Forgetting on request: drop a record, a source or a scope, with everything derived from it, for good.

Provenance is walked to a fixed point. A record falls when none of its sources is left, or none that states it;
otherwise it stays with the sources that are left. An amendment needs all of its sources. What was ended by something
that falls holds again. Rows that fall are dropped with their index entries and bytes, and so is what repeats their
words in working memory and its saved copies. Tombstones (hashes and ids, no text) stay for every writer to consult, and
a receipt says what went, and where its bytes may still be read.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from memoranda.core.base.constraints import Id
from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.leaving.verdicts import pointless
from memoranda.core.beliefs.outcomes import lowered, undecided
from memoranda.core.beliefs.promotion import orphaned
from memoranda.core.consolidation.judge import KIND as CONSOLIDATION
from memoranda.core.consolidation.judge import words_of
from memoranda.core.erasure.corrected import in_place
from memoranda.core.erasure.reopened import COMPOSED, Reopening, altered, cut_back
from memoranda.core.erasure.replay import keyed
from memoranda.core.erasure.restated import Restating
from memoranda.core.erasure.targets import (
    Spoken,
    Target,
    barred,
    claims_of,
    frame,
    lasting,
    named,
    says,
    stated,
    unknown,
    unsaid,
)
from memoranda.core.language.finished import founded_on
from memoranda.core.rows import (
    AnsweredCall,
    AuditEntry,
    ConversationMark,
    Entity,
    Event,
    LedgerEntry,
    Operation,
    Passage,
    Receipt,
    Record,
    Relation,
    Row,
    Tombstone,
    ToolUse,
    WorkingCopy,
    key_of,
    rests_on,
)
from memoranda.core.rows.changes import Add, Change, Drop, Patch, Put, Touch
from memoranda.core.strata.procedures import TOOL_CALL, promoted_from, recounted, use_id
from memoranda.core.text.forgotten import Forgotten, Letters, phrase
from memoranda.errors import ConflictError, StoreError
from memoranda.flows.governance.neighbours import LOGS, PARTS, Held, Neighbours
from memoranda.flows.runtime.audit import nameless
from memoranda.flows.runtime.commits import reread, unbroken
from memoranda.flows.runtime.runtime import Runtime, Settings
from memoranda.flows.sharing import withdraw
from memoranda.flows.sharing.objects import own
from memoranda.flows.strata.flush import Wiping, places_in, settle
from memoranda.flows.upkeep.finishing import PENDING, Beside, finish, finished, written

FORESEEN = "All of it: this was a dry run, nothing was forgotten."


async def forget(
    runtime: Runtime,
    scope: Scope,
    *,
    record: Id | None = None,
    source: str | None = None,
    conversation: Id | None = None,
    value: str | None = None,
    everything: bool = False,
    for_good: bool = False,
    dry_run: bool = False,
) -> Receipt:
    """Remove a record, a source event, a conversation, a value or all this scope sees, with all derived from it.

    Name exactly one target. A record is removed with its source events; otherwise it would be derived again. To
    remove all of a user, use `everything=True` in a scope with `whole=True`.

    What was forgotten is not recorded again, whether an import, an agent, a tool, a model or a job brings it, nor
    by any event of before; a sentence that repeats it is withheld. What the user says of it later is new.

    Args:
        record: the id of a record.
        source: the id of an event.
        conversation: the id of a conversation, with its working memory.
        value: words, of at least two letters or digits; whatever says them is removed, in every stratum.
        everything: all that the scope sees.
        for_good: whether the user's own later words are refused, too.
        dry_run: only say what would go; nothing is changed.

    Returns:
        The receipt; `verify()` checks it, and `remains` says where bytes may still be read. That of a dry run is kept
        nowhere and proves nothing: it has no id, and `items` are the ids themselves of what this scope sees.

    Raises:
        NotFoundError: there is nothing to forget.
    """
    target = Target(
        record=record, source=source, conversation=conversation, value=value, everything=everything, for_good=for_good
    )
    await runtime.journal.settle()
    if dry_run:
        return await reread(partial(_foreseen, runtime, scope, target))
    await settle(runtime, scope)
    async with runtime.partitions.turn(scope.owner):
        done = await finish(runtime, scope.owner)
        receipt, beside = await reread(partial(_forget, runtime, scope, target, done))
        with suppress(*([StoreError] if PENDING in receipt.remains else [])):  # or it says what is left to do
            receipt = await unbroken(finished(runtime, receipt, beside))
    return receipt


async def _forget(
    runtime: Runtime, scope: Scope, target: Target, done: Iterable[tuple[Receipt, bool]]
) -> tuple[Receipt, Beside]:
    """One attempt: the receipt, and what is to go besides the user's own rows; `done`: what had broken off before."""
    fall, seq, names = await _falling(runtime, scope, target)
    beside = _beside(scope, target, fall)
    there, rows, more = await beside.found(runtime)
    beyond = bool(rows) or any(more.values())
    if not (beyond or _tells(fall, target)):
        if same := [
            one for one, good in done if good == target.for_good and one.target == _target_text(one, scope, target)
        ]:
            return same[0], beside  # it was this act that had broken off
        raise unknown(target)
    receipt = _receipt(runtime, scope, target, fall.rows, (*names, PENDING) if beyond else names).listing(rows, **more)
    emptied = {row.id for row in fall.rows if isinstance(row, Event)}  # also what lost all of its items
    marks = barred(fall.rows, fall.barred, scope.agent, target, fall.named) | there | emptied
    await written(runtime, scope.owner, *_changes(fall, receipt, marks), expect=seq)
    return receipt, beside


async def _foreseen(runtime: Runtime, scope: Scope, target: Target) -> Receipt:
    """The receipt that forgetting would leave, with the ids themselves of what this scope sees; it is kept nowhere."""
    fall, seq, names = await _falling(runtime, scope, target)
    _, rows, more = await _beside(scope, target, fall).found(runtime)
    if (await runtime.store.find(scope.owner)).state.seq != seq:
        raise ConflictError("Something was written meanwhile.")
    if not (rows or any(more.values()) or _tells(fall, target)):
        raise unknown(target)
    seen: dict[str, list[str]] = {}
    for row in list[Any]((*fall.rows, *rows)):
        if scope.whole or row.__traits__.seen not in {"site", "ends"} or visible(row, scope):
            seen.setdefault(row.__table__, []).append("/".join(map(str, key_of(row))))
    whole = _receipt(runtime, scope, target, fall.rows, names).listing(rows, **more)
    items = {kind: sorted(ids) for kind, ids in sorted(seen.items())}
    return replace(whole, id="", salt="", digest="", items=items, remains=(FORESEEN, *names))


def _tells(fall: "Fall", target: Target) -> bool:
    """Whether any of the user's own rows goes. What tells of others falls with them; alone it is nothing to forget."""
    copied = any(isinstance(change, Patch) and change.kind in {ConversationMark, WorkingCopy} for change in fall.mended)
    return copied or any(target.value is not None or not isinstance(row, AuditEntry | LedgerEntry) for row in fall.rows)


def _beside(scope: Scope, target: Target, fall: "Fall") -> Beside:
    """What goes from shared and working memory: copies of what goes, and the user's own writes that `target` names."""

    def named(event: Event) -> bool:
        told = event.id == target.source or (target.conversation and event.conversation == target.conversation)
        return withdraw.copied(event, scope) in fall.gone or (bool(told) and own(event, scope))

    aim = withdraw.Aim(named, target.words(), target.everything)
    return Beside(scope, aim, Wiping(fall.gone, fall.words, target.conversation, target.everything))


async def _falling(runtime: Runtime, scope: Scope, target: Target) -> tuple["Fall", int, tuple[str, ...]]:
    """What falls with `target`, the owner's `seq` at which it does, and which names remain."""
    near = Neighbours(runtime.store, await runtime.partitions.current(scope.owner))
    if target.everything or target.value is not None:  # which any row may repeat
        await near.read_all()
    else:
        await near.read_logs()
        await near.follow(await _aim(near, target))
    fall = _walk(runtime, near.held(), scope, target)
    while not near.whole and not fall.gone <= near.followed:
        await near.follow(fall.gone)
        fall = _walk(runtime, near.held(), scope, target)
    names: tuple[str, ...] = ()
    if target.value is not None:
        going = {(type(row), key_of(row)) for row in fall.rows}
        stay = (row for row in near.held().seen(scope) if (type(row), key_of(row)) not in going)
        names = lasting(target.words(), [scope, *await places_in(runtime, scope), *stay])
    return fall, near.seq, names


async def _aim(near: Neighbours, target: Target) -> set[str]:
    """The ids of what `target` names."""
    if target.record is not None:
        return await near.alike(target.record)
    return {target.source} if target.source is not None else await near.talk(str(target.conversation))


@dataclass(frozen=True, slots=True)
class Fall:
    """What forgetting takes.

    Attributes:
        rows: the rows that fall.
        gone: ids of the events and records of which nothing is left.
        barred: those of them whose words no record says any more; they must not come back.
        words: the phrases of what falls, or the value, which nothing may repeat.
        named: the entities that it names.
        mended: changes to the rows that stay but also rested on what falls.
    """

    rows: list[Row]
    gone: set[str]
    barred: set[str]
    words: Forgotten
    named: list[Entity]
    mended: list[Change]


def _walk(runtime: Runtime, held: Held, scope: Scope, target: Target) -> Fall:
    """What falls with `target`."""
    reading = Restating(held.of(Event), held.of(Record), runtime.analyzer.terms, runtime.settings.language)
    value = target.words()
    events, after = _followed(held, reading, *_begun(held, reading, scope, target, value), runtime.settings)
    kept = {event.id: event for event in held.of(Event) if event.id not in events}
    staying = {key_of(record) for record in after}
    gone = events | ({record.id for record in held.of(Record)} - {record.id for record in after})
    seen = [*held.seen(scope)] if target.everything else []
    traces = seen or _unlogged(runtime, held, scope, target)
    gone |= {ref for row in traces if isinstance(row, PARTS) for ref in rests_on(row)}  # also where the log was lost
    kept_entities = {entity for passage in held.of(Passage) if passage.ref not in gone for entity in passage.entities}
    told = {entity for passage in held.of(Passage) if passage.ref in gone for entity in passage.entities}
    names = [entity for entity in held.of(Entity) if entity.id in told]
    said = {entity.id for entity in held.of(Entity) if value.repeats(entity.name)}
    lost = (told - kept_entities) | (said - _elsewhere(held, scope, gone))
    lessened = dict(reading.lessened(events))
    falls: list[Row] = [event for event in held.of(Event) if event.id in events or lessened.get(event.id) == []]
    falls += [record for record in held.of(Record) if key_of(record) not in staying]
    falls += [row for row in held.of(*PARTS) if not gone.isdisjoint(rests_on(row))]
    falls += [entity for entity in held.of(Entity) if entity.id in lost]
    unnamed = (lost, said | lost)  # what nothing may name that stays: in rows that the scope does not see, and sees
    cut = {
        edge.id
        for edge in held.of(Relation)
        if unnamed[visible(edge, scope)] & {edge.head, edge.tail} or not events.isdisjoint(edge.sources)
    }
    cut |= {row.id for row in seen if isinstance(row, Relation)}
    falls += [edge for edge in held.of(Relation) if edge.id in cut]
    words = {*map(_words, after)}
    again = {record.id for record in held.of(Record) if _words(record) in words}
    repeated = value if target.value else _claims(falls, gone - again, names)
    called = _called(held, scope, events, value)
    counted = recounted(event for event in kept.values() if use_id(event) in called)
    falls += [row for row in held.of(ToolUse) if row.id in called - counted.keys()]
    spoken = Spoken.of(held.of(Event), events, repeated, target)
    untitled = [] if target.everything else _untitled(held, scope, spoken)
    falls += (row for row in _repeating(held, scope, spoken, gone) if row not in untitled)
    falls = [*keyed([*falls, *seen]).values()]
    falls += _answering(held, falls, target)
    fewer: list[Change] = [
        Patch(Event, (name,), {"metadata": {**kept[name].metadata, "items": left}})
        for name, left in lessened.items()
        if left
    ]
    fewer += [
        Patch(Passage, key_of(row), {"entities": rest})
        for row in held.of(Passage)
        if row.ref not in gone
        and (rest := tuple(one for one in row.entities if one not in unnamed[visible(row, scope)])) != row.entities
    ]
    fewer += nameless(held.of(LedgerEntry, AuditEntry), gone)
    fewer += [Patch(ConversationMark, key_of(row), {"title": None}) for row in untitled]
    fewer += _silenced((row for row in held.of(WorkingCopy) if visible(row, scope) and row not in falls), repeated)
    fewer += [
        Put(replace(edge, ended_at=None, ended_by=None))
        for edge in held.of(Relation)
        if edge.ended_by in events and edge.id not in cut
    ]
    mended = [*_mended(held, after), *map(Put, counted.values()), *fewer]
    return Fall(falls, gone, gone - again, repeated, names, mended)


def _followed(
    held: Held, reading: Restating, events: set[str], records: set[str], settings: Settings
) -> tuple[set[str], list[Record]]:
    """The events that go with these events and records, and the record versions that are left."""
    orphans: set[str] = set()
    while True:
        events, after = _after(held, reading, events, records, orphans, settings)
        copies, promotions = orphaned(after, held.of(Event), events)
        promotions |= undecided(after, held.of(Event), events)
        promotions |= pointless(after, held.of(Record), held.of(Event))
        promotions |= {event.id for event in held.of(Event) if not founded_on(event).isdisjoint(events)}
        if copies <= orphans and promotions <= events:
            return events, list(lowered(after, (event for event in held.of(Event) if event.id in events)))
        orphans |= copies
        events = events | promotions


def _begun(held: Held, reading: Restating, scope: Scope, target: Target, value: Forgotten) -> tuple[set[str], set[str]]:
    """The events and records that `target` names, or that say its value, with the events that state these."""
    known = {event.id: event for event in held.of(Event)}

    def told_in(one: Record) -> bool:
        own = partial(frame, one, [known[source] for source in one.sources if source in known], reading)
        return says(one, value) or stated(target, value, one.text, own)

    meant = {
        _words(one) for one in held.of(Record) if one.id == target.record or (visible(one, scope) and told_in(one))
    }
    aimed = [record for record in held.of(Record) if _words(record) in meant]
    saying = [event for event in held.of(Event) if says(event, value)]
    told = {event.id for event in saying}
    rests = [reading.sources(record) for record in aimed]
    items = (item for event in saying if event.kind == CONSOLIDATION for item in event.metadata["items"])
    rests += [item["events"] for item in items if stated(target, value, words_of(item))]
    rest = {one for sources in rests for one in (told.intersection(sources) or sources)} | told
    events = {event.id for event in held.of(Event) if visible(event, scope) and _aimed(event, rest, target)}
    events |= {event.id for event in held.of(Event) if not events.isdisjoint(promoted_from(event))}
    return events, {one.id for one in (held.of(Record) if target.everything else aimed) if visible(one, scope)}


def _unlogged(runtime: Runtime, held: Held, scope: Scope, target: Target) -> list[Passage]:
    """The passages that say a value, in their terms or by who spoke, though what they are of was lost."""
    there = {one.id for one in held.of(Event)} | {one.id for one in held.of(Record)} if target.value else set[str]()
    terms = Forgotten([phrase(" ".join(runtime.analyzer.terms(target.value or "")))])
    lost = (row for row in held.of(Passage) if row.ref not in there and visible(row, scope))
    return [row for row in lost if terms.repeats(row.terms) or target.words().repeats(row.speaker or "")]


def _called(held: Held, scope: Scope, events: set[str], value: Forgotten) -> set[str]:
    """The ids of the statistics that count a call that goes, or say a value of one that was lost."""
    told = (row for row in held.of(ToolUse) if value.cleaned([row.tool, row.task_type, row.last_error])[1])
    calls = (event for event in held.of(Event) if event.id in events and event.kind == TOOL_CALL)
    return {*map(use_id, calls), *(row.id for row in told if visible(row, scope))}


def _elsewhere(held: Held, scope: Scope, gone: set[str]) -> set[str]:
    """The entities that something which stays and is hidden from the scope names."""
    hidden = (row.entities for row in held.of(Passage) if not visible(row, scope) and row.ref not in gone)
    edges = (row for row in held.of(Relation) if not visible(row, scope) and gone.isdisjoint(row.sources))
    return set[str]().union(*hidden, *((row.head, row.tail) for row in edges))


def _claims(falls: Iterable[Row], gone: set[str], entities: Iterable[Entity]) -> Forgotten:
    names = named(entities)
    return Forgotten(claim for row in falls for claim in claims_of(row, gone, names))


def _repeating(held: Held, scope: Scope, spoken: Spoken, gone: set[str]) -> Iterator[Row]:
    """Rows that lie in what goes, name it, or repeat its words."""
    logged: Iterable[Any] = held.of(*LOGS)
    for row in logged:
        if row.__traits__.seen is None:  # it lies nowhere
            goes = scope.agent is None and any(map(spoken.phrases.repeats, row.words))
        else:
            goes = visible(row, scope) and spoken.goes(row)
        if goes or not gone.isdisjoint(rests_on(row)):
            yield row


def _silenced(copies: Iterable[WorkingCopy], words: Forgotten) -> Iterator[Patch]:
    """Working copies that stay, without what repeats some words."""
    for row in copies:
        if (left := unsaid(row, words)) is not None:
            yield Patch(WorkingCopy, (row.id,), {"cells": left})


def _untitled(held: Held, scope: Scope, spoken: Spoken) -> list[ConversationMark]:
    """The marks of archived conversations of which only the title goes, or they would come back by that."""
    marks = (row for row in held.of(ConversationMark) if row.archived_at and row.title and visible(row, scope))
    return [row for row in marks if spoken.goes(row) and not spoken.goes(replace(row, title=None))]


def _answering(held: Held, falls: Collection[Row], target: Target) -> Iterator[AnsweredCall | Operation]:
    """The answers of calls that wrote something which falls, and are not among it themselves.

    An operation does not say what it wrote: each that has ended goes with anything, and all with everything.
    """
    names = {row.id for row in falls if hasattr(row, "id")}
    for row in held.of(AnsweredCall):
        if row.id not in names and not names.isdisjoint(row.about):
            yield row
    for one in held.of(Operation):
        if one.id not in names and (target.everything or (names and one.ended_at)):
            yield one


def _after(
    held: Held, reading: Restating, events: set[str], records: set[str], orphans: set[str], settings: Settings
) -> tuple[set[str], list[Record]]:
    """The events that go, and the record versions that are left; `orphans` are copies whose original is gone."""
    said, composed = _parted(held.of(Record))
    events, shortened = _shortened([record for record in composed if record.id not in records], events, held.of(Event))
    trimmed = [
        reading.by_itself(record, events) if record.id in orphans else reading.without(record, events)
        for record in said
        if record.id not in records
    ]
    kept = {event.id: event for event in held.of(Event) if event.id not in events}
    left = [record for record in trimmed if record is not None]
    reopening = Reopening(
        said, left, kept, settings.conflict_policy, reading.end, reading.status, reading.holding(events)
    )
    return events, [*in_place(reopening.versions(), said, kept, reading.begins), *shortened]


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


def _mended(held: Held, after: list[Record]) -> Iterable[Change]:
    """The changes that bring the remaining rows to their state without what falls."""
    known = {key_of(record) for record in held.of(Record)}
    current = {}
    for record, values in altered(held.of(Record), after):
        yield withdraw.changed(record, values) if key_of(record) in known else Add(record)
        if record.superseded_at is None:
            current[record.id] = record.valid_from
    for passage in held.of(Passage):
        if passage.at != current.get(passage.ref, passage.at):
            yield Touch(Passage, key_of(passage), at={"at": current[passage.ref]})


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
    if target.value is not None:
        return event.id in stated
    return event.id == target.source or (event.conversation is not None and event.conversation == target.conversation)


def _receipt(runtime: Runtime, scope: Scope, target: Target, falls: list[Row], remains: tuple[str, ...]) -> Receipt:
    receipt = Receipt(
        tenant=scope.tenant, user=scope.user, id=runtime.ids(), target="", removed={}, created_at=runtime.clock(),
        salt=runtime.ids(), remains=remains,
    )  # fmt: skip
    return replace(receipt, target=_target_text(receipt, scope, target)).listing(falls)


def _target_text(receipt: Receipt, scope: Scope, target: Target) -> str:
    """A target, in the words of its receipt."""
    if target.value is not None:
        return f"value {receipt.mark(Letters(target.value).text)}"
    if target.conversation is not None:
        return f"conversation {receipt.mark(target.conversation)}"
    return "everything of the user" if scope.whole and target.everything else str(target)


def _changes(fall: Fall, receipt: Receipt, marks: Collection[str]) -> Iterable[Change]:
    for row in fall.rows:
        yield Drop(type(row), key_of(row))
    yield from fall.mended
    for mark in sorted(marks):
        yield Put(  # forgotten once more, it binds from then on
            Tombstone(
                tenant=receipt.tenant, user=receipt.user, id=mark, receipt=receipt.id, created_at=receipt.created_at
            )
        )
    yield Put(receipt)
