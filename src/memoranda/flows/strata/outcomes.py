"""Outcomes: what came of a decision is an event linked to it, and what led to a good one gains importance."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Id, Ids
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner, Scope, visible
from memoranda.core.beliefs.outcomes import EDITOR, OUTCOME, Outcome, raised, words
from memoranda.core.image.image import Partition, of_kind, recording
from memoranda.core.rows import ContextLog, Event, Record
from memoranda.core.rows.access import site_of
from memoranda.core.rows.changes import Add, Change
from memoranda.core.rows.lifecycle import LIVE
from memoranda.core.rows.statements import TRUST
from memoranda.core.text.fence import stripped
from memoranda.core.text.terms import content_hash
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.events import event_at, own_words
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import check_place, settled
from memoranda.flows.runtime.reading import own, undisturbed
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.ports import Query, Where


@dataclass(frozen=True, slots=True)
class _Decision:
    """A decision: the record or event that was named, its text, and the events it rests on, oldest first."""

    row: Record | Event
    said: str
    events: tuple[Event, ...]


@dataclass(slots=True)
class _PlannedOutcome:
    """An outcome to be written."""

    outcome: Outcome
    changes: list[Change] = field(default_factory=list)


async def record(
    runtime: Runtime, scope: Scope, decision: Id, text: str, *, success: bool = True, because: Ids = ()
) -> Outcome:
    """Record what came of a decision, in the place of the decision. Idempotent: the same text twice is one outcome.

    A good outcome adds 0.1 to the importance (at most 1) of the decision and of what led to it: the records named,
    those that rest on the events of the decision, and those that the last context before it in its conversation had
    shown. A bad outcome takes nothing away: it is told when the decision is asked about.

    Args:
        decision: the id of the record or event.
        text: what came of it.
        success: whether that was good.
        because: ids of records that led to it.

    Raises:
        NotFoundError: this scope sees no such decision, or no such record.
        InputError: it was forgotten on request.
    """
    text = own_words(runtime, text)
    named = tuple(dict.fromkeys(because))
    check_place(scope)
    await runtime.journal.settle()
    first = await _decided(runtime, scope, await runtime.partitions.current(scope.owner), decision)
    embedded = await embed(runtime, scope, [words(first.said, text, success=success)])

    async def plan(partition: Partition) -> _PlannedOutcome:
        decided = await _decided(runtime, scope, partition, decision)
        new = _record(runtime, decided, text, recording(partition, runtime.clock()), success=success)
        known = partition.records.get(new.id, new)
        [before] = await runtime.store.get(Event, scope.owner, [(known.sources[0],)])
        if before is not None:
            return _PlannedOutcome(_seen(partition, scope, Outcome.of(known, before)))
        _check_known(partition, scope, named)
        led = await _led(runtime, scope, partition, decided, named) if success else []
        earned = {one.id: round(raised(one.importance) - one.importance, 6) for one in led}
        outcome = Outcome(
            id=new.id, event=new.sources[0], decision=decision, text=text, success=success, because=named,
            raised=earned, at=new.valid_from,
        )  # fmt: skip
        event = _event(scope, decided, outcome)
        if partition.forbids(new) or partition.forbids(event):
            raise InputError("This outcome was forgotten on request: say it in other words to have it recorded again.")
        writing = overlay_on(runtime, partition, new.recorded_at)
        writing.insert(new, embedded.of(0) if decided.said == first.said else None)
        for one in led:
            writing.patch(one, importance=raised(one.importance))
        return _PlannedOutcome(outcome, [Add(event), *writing.changes])

    return (await settled(runtime, scope, plan))[0].outcome


@undisturbed(own)
async def find(runtime: Runtime, scope: Scope, decision: Id | None = None) -> tuple[Outcome, ...]:
    """The recorded outcomes, the newest first.

    Args:
        decision: only those of the record or event with this id, and of the events or records that say the same.

    Raises:
        NotFoundError: this scope sees no such decision.
    """
    partition = await runtime.partitions.current(scope.owner)
    names: set[str] | None = None
    if decision is not None:
        decided = await _decided(runtime, scope, partition, decision)
        names = {decision, *(event.id for event in decided.events), *partition.records_by_source.get(decision, ())}
    known = of_kind(partition, OUTCOME, scope)
    events = await runtime.store.get(Event, scope.owner, [(one.sources[0],) for one in known])
    found = [Outcome.of(one, event) for one, event in zip(known, events, strict=True) if event is not None]
    found = [_seen(partition, scope, one) for one in found if names is None or one.decision in names]
    return tuple(sorted(found, key=lambda one: (one.at, one.id), reverse=True))


async def _decided(runtime: Runtime, scope: Scope, partition: Partition, name: str) -> _Decision:
    """The decision with this id, as far as a scope sees it."""
    known = partition.records.get(name)
    ids = [name] if known is None else [*known.sources]
    found = await runtime.store.get(Event, scope.owner, [(one,) for one in ids])
    events = [event for event in found if event is not None and visible(event, scope)]
    events.sort(key=lambda event: (event.event_time, event.id))
    if known is not None and visible(known, scope):
        return _Decision(known, known.text, tuple(events))
    if known is None and events:
        return _Decision(events[0], stripped(events[0].content), tuple(events))
    raise NotFoundError(f"There is no record or event {brief(name)} in this scope; recall gives the ids of both.")


def _check_known(partition: Partition, scope: Scope, names: Iterable[str]) -> None:
    for name in names:
        if name not in partition.records or not visible(partition.records[name], scope):
            raise NotFoundError(f"There is no record {brief(name)} in this scope; recall gives the ids of records.")


async def _led(
    runtime: Runtime, scope: Scope, partition: Partition, decided: _Decision, named: Iterable[str]
) -> list[Record]:
    """The records that led to a decision, and those of the decision itself, as far as the scope sees them."""
    ids = dict.fromkeys((decided.row.id, *named))
    for event in decided.events:
        ids |= dict.fromkeys(sorted(partition.records_by_source.get(event.id, ())))
        ids |= dict.fromkeys(await _shown_before(runtime, scope, event))
    found = (partition.records[name] for name in ids if name in partition.records)
    return [one for one in found if visible(one, scope) and one.status in LIVE and one.kind != OUTCOME]


async def _shown_before(runtime: Runtime, scope: Scope, event: Event) -> tuple[str, ...]:
    """The memories in the last context of its conversation before an event."""
    if event.conversation is None:
        return ()
    where = (Where("conversation", "=", event.conversation), Where("created_at", "<=", event.event_time))
    logged = Query(kind=ContextLog, tenant=scope.tenant, user=scope.user, where=where, order=("-created_at", "-seq"))
    [rows] = (await runtime.store.find(scope.owner, logged)).rows
    return next((row.included for row in rows if visible(row, scope)), ())


def _record(runtime: Runtime, decided: _Decision, text: str, now: datetime, *, success: bool) -> Record:
    """The record by which an outcome is found, in the place of the decision."""
    row = decided.row
    told = words(decided.said, text, success=success)
    owner, place = Owner(row.tenant, row.user), site_of(row)
    return Record(
        tenant=row.tenant, user=row.user, id=derived_id(owner, "record", *place, OUTCOME, row.id, content_hash(told)),
        kind=OUTCOME, category="decision", text=told, value={"decision": row.id, "success": success}, agent=row.agent,
        channel=row.channel, connection=row.connection, conversation=_talk(decided), source="agent",
        trust=TRUST["agent"], valid_from=now, recorded_at=now, sources=(runtime.ids(),), editor=EDITOR,
        hash=content_hash(told),
    )  # fmt: skip


def _talk(decided: _Decision) -> str | None:
    """The conversation of the last event of the decision."""
    return decided.events[-1].conversation if decided.events else None


def _event(scope: Scope, decided: _Decision, outcome: Outcome) -> Event:
    row = decided.row
    event = event_at(
        scope, row.connection, "agent", id=outcome.event, kind=OUTCOME, role="", content=outcome.text, surface="tool",
        metadata=outcome.metadata, event_time=outcome.at, recorded_at=outcome.at,
    )  # fmt: skip
    return replace(event, agent=row.agent, channel=row.channel, conversation=_talk(decided))


def _seen(partition: Partition, scope: Scope, outcome: Outcome) -> Outcome:
    """An outcome, naming only what the scope sees."""
    named = (*outcome.because, *outcome.raised)
    return outcome.within(
        {name for name in named if name in partition.records and visible(partition.records[name], scope)}
    )
