"""Flushing of working memory to the log, and its return as a summary.

A conversation that is closed is cleared. Of one that is only idle the turns are written and summarised; whatever else
lies there lives until it expires.

Turns wait in cells under the ids that their events will have, so that several workers who flush at once write them
once. A flushed conversation is remembered as a record of kind "summary", which rests on the turns that its sentences
come from; a later summary ends the one before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Id
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Scope, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Record
from memoranda.core.rows.cells import Place
from memoranda.core.rows.changes import Change
from memoranda.core.rows.statements import TRUST
from memoranda.core.strata.working import (
    ACTIONS,
    DECISIONS,
    NOTED,
    READ,
    SAID,
    SENTENCES,
    SUMMARY,
    SUMMED,
    TURNS,
    Desk,
    Item,
    summarised,
    summary_text,
    unsay,
)
from memoranda.core.text.forgotten import Forgotten
from memoranda.core.text.terms import content_hash
from memoranda.errors import ScopeError, StoreError, StoreUnavailableError
from memoranda.flows.capture.capture import Draft, read_event, write
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.runtime.working_cells import DOWN

CONVERSATION, RUN, INBOX = "conversation", "run", "inbox"
EDITOR = "working"
_WHERE = {"decision": DECISIONS, "plan": ACTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flushed:
    """What a flush wrote to the log.

    Attributes:
        conversations: how many were flushed.
        events: ids of the turns that waited, oldest first; another worker may have written them meanwhile.
        summaries: ids of the records that summarise the conversations.
        degraded: parts that were down, each with what happened.
    """

    conversations: int = 0
    events: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


async def flush(runtime: Runtime, scope: Scope) -> Flushed:
    """Close the conversation: write waiting turns to the log, summarise it, and clear its working memory.

    Idempotent: done twice, or by two workers at once, it is done once.
    """
    place, found, done = place_of(scope), list[Flushed](), False
    while not done:
        logged, desk = await log(runtime, scope, place)
        summary = await _sum_up(runtime, scope, desk)

        def empty(now: Desk, seen: Desk = desk) -> bool:
            if now.waiting or now.get(TURNS) != seen.get(TURNS):
                return False
            now.drop(*now.names)
            now.sweep()
            return True

        done, problem = await runtime.desks.change(place, empty)
        found += [logged, Flushed(summaries=(summary,) if summary else (), degraded=problem)]
    return _counted(scope, found)


async def sum_up(runtime: Runtime, scope: Scope, place: Place) -> Flushed:
    """Write waiting turns to the log and summarise the conversation. Nothing is cleared but what has expired."""
    logged, desk = await log(runtime, scope, place)
    said = desk.get(SAID)
    summary = None if said == desk.get(SUMMED) else await _sum_up(runtime, scope, desk)

    def plan(now: Desk) -> None:
        now.sweep()
        if now.get(SAID) and said != now.get(SUMMED):  # or each round would read the owner's memory again
            now.put(SUMMED, said)

    _, problem = await runtime.desks.change(place, plan, quiet=True)
    return _counted(scope, [logged, Flushed(summaries=(summary,) if summary else (), degraded=problem)])


async def flush_idle(runtime: Runtime, *, tenant: Id, user: Id | None = None) -> Flushed:
    """Write the turns of idle conversations, and summaries, to the log. All else in them lives until its time.

    Idle is a conversation in which nothing was read or written for `Settings.working.idle_seconds` (300). One that
    cannot be flushed does not stop the others; it is named in `degraded`.

    Args:
        tenant: the tenant.
        user: the user; all users by default.
    """
    before = runtime.clock() - timedelta(seconds=runtime.desks.limits.idle_seconds)
    found = []
    for place in await runtime.desks.places(tenant, user, before):
        try:
            found.append(await _idle(runtime, place, before))
        except DOWN:
            raise
        except StoreError as error:
            found.append(Flushed(degraded=(f"{place.kind} {brief(place.name)} of {brief(place.user)}: {error}",)))
    return _together(found)


async def _idle(runtime: Runtime, place: Place, before: datetime) -> Flushed:
    desk, problem = await runtime.desks.read(place)
    if desk.at is None or desk.at >= before:  # somebody came back while others were flushed
        return Flushed(degraded=problem)
    return await sum_up(runtime, scope_of(place), place)


def _counted(scope: Scope, found: Sequence[Flushed]) -> Flushed:
    """What was done for one conversation, or run of a workflow."""
    flushed = _together(found)
    done = scope.conversation is not None and (flushed.events or flushed.summaries)
    return replace(flushed, conversations=int(bool(done)))


def _together(found: Sequence[Flushed]) -> Flushed:
    return Flushed(
        conversations=sum(one.conversations for one in found),
        events=tuple(dict.fromkeys(event for one in found for event in one.events)),
        summaries=tuple(dict.fromkeys(summary for one in found for summary in one.summaries)),
        degraded=tuple(dict.fromkeys(problem for one in found for problem in one.degraded)),
    )


async def log(runtime: Runtime, scope: Scope, place: Place) -> tuple[Flushed, Desk]:
    """Write waiting turns to the log; they stay in working memory."""
    desk, problem = await runtime.desks.read(place)
    drafts = {name: read_event(runtime, unpacked(desk.get(name))) for name in desk.waiting}
    if not drafts:
        return Flushed(degraded=problem), desk
    captured = await write(runtime, scope, [*drafts.values()])
    forgotten = {draft.event.id for draft in drafts.values()} - {*captured.events}

    def plan(found: Desk) -> Desk:
        left = [name for name in found.waiting if name in drafts]  # the others were handled by somebody else
        notice(found, [drafts[name] for name in unread(found) if name in drafts])
        if not found.get(TURNS):  # they waited for longer than the window is kept
            found.put(TURNS, [turn_of(drafts[name].event) for name in left[-runtime.desks.limits.window :]])
        found.drop(*left)
        found.without(forgotten, runtime.analyzer)
        return found

    desk, problem = await runtime.desks.change(place, plan, quiet=True)
    return Flushed(events=captured.events, degraded=(*captured.degraded, *problem)), desk


@dataclass(slots=True)
class _Summary:
    """A summary to be written."""

    record: Record | None = None
    changes: list[Change] = field(default_factory=list)


async def _sum_up(runtime: Runtime, scope: Scope, desk: Desk) -> str | None:
    """Write the summary of a desk, if it says more than the one before; return its id."""
    if not desk.get(TURNS) or scope.conversation is None:
        return None
    text = _summed(runtime, await runtime.partitions.current(scope.owner), scope, desk)[0]
    vectors = await embed(runtime, scope, [text])

    def plan(partition: Partition) -> _Summary:
        words, value = _summed(runtime, partition, scope, desk)
        record = _record(scope, words, value, runtime.clock())
        if not words or record.id in partition.index.numbers or partition.forbids(record, record.valid_from):
            return _Summary()
        here = overlay_on(runtime, partition, record.recorded_at)
        for old in summaries(partition, scope):
            if old.valid_to is None:
                here.change(replace(old, valid_to=max(old.valid_from, record.valid_from), editor=EDITOR))
        here.insert(record, vectors.of(0) if words == text else None)
        return _Summary(record, here.changes)

    made, _ = await planned(runtime, scope, plan)
    return made.record.id if made.record else None


def _summed(runtime: Runtime, partition: Partition, scope: Scope, desk: Desk) -> tuple[str, dict[str, list[Item]]]:
    """The summary of a conversation, from its desk and its last summary, limited to turns that are in the log."""
    known = summaries(partition, scope)
    last = held(known[-1]) if known else {}
    turns = [turn for turn in desk.get(TURNS, ()) if turn["id"] in partition.index.numbers]
    value = {}
    for name in (SUMMARY, DECISIONS, ACTIONS):
        items = {item["id"]: item for item in (*last.get(name, ()), *desk.get(name, ()))}
        value[name] = [item for item in items.values() if item["turn"] in partition.index.numbers][-NOTED:]
    value[SUMMARY] = summarised(value[SUMMARY], turns, runtime.analyzer)[-SENTENCES:]
    return summary_text(value[SUMMARY]), value


def _record(scope: Scope, text: str, value: Mapping[str, list[Item]], now: datetime) -> Record:
    claim = content_hash(text)
    place = (scope.agent or "", scope.channel, scope.conversation or "")
    noted = [item["id"] for name in (DECISIONS, ACTIONS) for item in value[name]]  # same words, maybe other items
    return Record(
        tenant=scope.tenant, user=scope.user, id=derived_id(scope.owner, "record", *place, SUMMARY, claim, *noted),
        kind=SUMMARY, category=SUMMARY, text=text, value=dict(value), confidence=0.7, certainty="inferred",
        agent=scope.agent, channel=scope.channel, conversation=scope.conversation, source="system_learned",
        trust=TRUST["system_learned"], valid_from=now, recorded_at=now, editor=EDITOR, hash=claim,
        sources=tuple(dict.fromkeys(item["turn"] for items in value.values() for item in items)),
    )  # fmt: skip


def summaries(partition: Partition, scope: Scope) -> list[Record]:
    """The summaries of the scope's conversation; the open one comes last, whatever its time."""
    found = [
        record
        for record in partition.records.values()
        if record.kind == SUMMARY
        and (record.agent, record.channel, record.conversation) == (scope.agent, scope.channel, scope.conversation)
        and record.superseded_at is None
        and visible(record, scope)
    ]
    return sorted(found, key=lambda record: (record.valid_to is None, record.valid_from, record.id))


def held(record: Record) -> dict[str, list[Item]]:
    """The items of a summary, by cell."""
    return dict(record.value) if isinstance(record.value, dict) else {}


# ------------------------------------------------------------------------------------------------ places


def place_of(scope: Scope) -> Place:
    """The place of a scope's working memory: its conversation, or else its task, the run of a workflow.

    Raises:
        ScopeError: it names neither, or is the whole of a user's memory, which is no place.
    """
    check_place(scope)
    kind, name = (CONVERSATION, scope.conversation) if scope.conversation else (RUN, scope.task)
    if name is None:
        raise ScopeError(
            "Working memory is of one conversation or one run: name it, as working('…') or working(run='…')."
        )
    return Place(scope.tenant, scope.user, scope.agent or "", scope.channel, kind, name)


def check_place(scope: Scope) -> None:
    """Refuse a scope with whole=True."""
    if scope.whole:
        raise ScopeError("There is no working memory of whole=True: name the channel it is in, or leave both out.")


def scope_of(place: Place) -> Scope:
    """The scope of a place."""
    return Scope(
        tenant=place.tenant, user=place.user, agent=place.agent or None, channel=place.channel,
        conversation=place.name if place.kind == CONVERSATION else None,
        task=place.name if place.kind == RUN else None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place in the form that `visible` takes."""

    agent: str | None
    channel: str
    connection: None = None


async def places_in(runtime: Runtime, scope: Scope) -> list[Place]:
    """The places that a scope sees.

    Raises:
        StoreError: the cache is down, so that they are not known.
    """
    found = await runtime.desks.places(scope.tenant, scope.user)
    return [place for place in found if visible(_Spot(place.agent or None, place.channel), scope)]


def active(scope: Scope) -> tuple[str, ...] | None:
    """The connections whose turns a scope sees; None for all."""
    return None if scope.whole else scope.connections


async def settle(runtime: Runtime, scope: Scope) -> None:
    """Write all waiting turns that a scope sees to the log."""
    for place in await places_in(runtime, scope):
        await log(runtime, scope_of(place), place)


@dataclass(frozen=True, slots=True)
class Wiping:
    """What to remove from working memory.

    Attributes:
        gone: ids of the events and records that fall, and marks of places; `words`: what nothing may repeat where the
            scope looks.
        conversation: remove all of this conversation, and what was shared from it.
        whole: remove all that the scope sees.
    """

    gone: set[str]
    words: Forgotten
    conversation: str | None
    whole: bool


async def wipe(runtime: Runtime, scope: Scope, what: Wiping, places: set[Place], *, dry: bool = False) -> int:
    """Remove what is forgotten from working memory; return how many cells were removed or lost something.

    `places` is told the places of which all goes, that of the conversation included if nothing is in it. With `dry`,
    nothing is removed.
    """
    seen, removed, talk = await places_in(runtime, scope), 0, what.conversation
    if talk is not None and not scope.whole:
        places.add(place_of(scope.narrow(conversation=talk)))

    def plan(desk: Desk) -> int:
        desk.sweep()
        count, inside = 0, place in seen
        given = inside or (
            place.kind == INBOX and place.name == (scope.agent or "") and place.channel in scope.channels
        )
        named = (place.kind, place.name) == (CONVERSATION, talk) or what.words.repeats(place.name)
        if inside and (what.whole or named or place.mark in what.gone):
            count = desk.wipe(active(scope))
            places.add(place)
        elif given and place.kind == INBOX:
            talks = {name: desk.get(name)["conversation"] for name in desk.names}
            names = [name for name, one in talks.items() if one and (one == talk or _desk(place, one) in what.gone)]
            desk.drop(*names)
            count = len(names)
        desk.without(what.gone, runtime.analyzer)
        return count + (unsay(desk, what.words, place.agent or None) if given else 0)

    for place in await runtime.desks.places(scope.tenant, scope.user):
        if dry:
            desk, problem = await runtime.desks.read(place)
            count = plan(desk)
        else:
            count, problem = await runtime.desks.change(place, plan)
        if problem:
            raise StoreUnavailableError(f"{'Nothing was forgotten' if dry else 'Forget it again'}: {problem[0]}")
        removed += count
    return removed


def _desk(inbox: Place, conversation: str) -> str:
    """The mark of the conversation from which something was shared."""
    return inbox._replace(agent=inbox.name, kind=CONVERSATION, name=conversation).mark


# ------------------------------------------------------------------------------------------------ events


def unread(desk: Desk) -> list[str]:
    """The waiting turns in which nobody has looked for decisions and action items yet."""
    return [name for name in desk.waiting if name > desk.get(READ, "")]


def notice(desk: Desk, drafts: Iterable[Draft]) -> None:
    """Keep the decisions and action items that the rules found in some turns."""
    found: dict[str, list[Item]] = {DECISIONS: [], ACTIONS: []}
    for draft in drafts:
        if draft.event.connection is not None:  # as with the summary
            continue
        for statement in draft.analysis.statements:
            if statement.kind in _WHERE:
                item = {"id": content_hash(statement.text), "turn": draft.event.id, "value": statement.text}
                found[_WHERE[statement.kind]].append(item)
    desk.note(found[DECISIONS], found[ACTIONS])


def turn_of(event: Event) -> Item:
    """An event as a turn of the conversation window."""
    more = {"speaker": event.speaker, "connection": event.connection}
    turn = {"id": event.id, "role": event.role, "content": event.content, "at": event.event_time.isoformat()}
    return turn | {name: value for name, value in more.items() if value is not None}


def packed(event: Event) -> Item:
    """An event as JSON; fields with their default value are left out."""
    values = {name: getattr(event, name) for name in _EVENT}
    told = {name: value for name, value in values.items() if value != _EVENT[name]}
    return told | {name: told[name].isoformat() for name in _TIMES}


def unpacked(item: Item) -> Event:
    """The event that was packed."""
    return Event(**{**item, **{name: datetime.fromisoformat(item[name]) for name in _TIMES}})


_EVENT: Mapping[str, Any] = {item.name: {} if item.name == "metadata" else item.default for item in fields(Event)}
_TIMES = ("event_time", "recorded_at")
