"""Goals: set, moved between states, brought up by requests, and not inferred again once rejected."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Between, Each, Id, Ids, OneOf, Words
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Scope, check_identifiers, visible
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.overlay import again
from memoranda.core.image.image import Partition, of_kind
from memoranda.core.rows import Event, Record
from memoranda.core.rows.changes import Add, Change
from memoranda.core.rows.columns import Floats
from memoranda.core.strata.goals import (
    GOAL,
    OPEN,
    REWORDED_AS,
    TRANSITIONS,
    Goal,
    State,
    brought_up,
    importance,
    parts_of,
    pressing,
    repointed,
    reworded,
    reworded_as,
    set_goals,
    waits,
)
from memoranda.core.text.terms import content_hash
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.events import content_of, event_at, own_words
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.reading import seen
from memoranda.flows.runtime.runtime import Runtime, embed

EDITOR = "goals"
_TOLD = 3  # open parts that an error names


@dataclass(slots=True)
class _Set:
    """A goal to be written."""

    goal: Goal
    changes: list[Change] = field(default_factory=list)


async def add(
    runtime: Runtime,
    scope: Scope,
    text: str,
    *,
    priority: Annotated[int, Between(1, 5)] = 3,
    deadline: datetime | None = None,
    parent: Id | None = None,
    blockers: Ids = (),
    recall_when: Sequence[str] = (),
    inferred: bool = False,
) -> Goal:
    """Set a goal; the same words again are the same goal, in its current state, until it is over.

    Args:
        text: what is to be reached.
        priority: 1 (first) to 5.
        deadline: until when.
        parent: the id of the goal it is part of.
        blockers: ids of goals, or words, that stand in its way; with any, it begins blocked.
        recall_when: phrases; a request that holds all words of one brings the goal up.
        inferred: nobody stated the goal, it was concluded. An inferred goal that was rejected once is not set again, in
            whatever words.

    Raises:
        NotFoundError: there is no such parent.
        InputError: it was inferred, and was rejected before; or it was forgotten on request; or it would wait for a
            goal of which it is part.
    """
    text = own_words(runtime, text)
    now = runtime.clock()
    phrases = _phrases(runtime, recall_when)
    embedded = await embed(runtime, scope, [text])
    event = _said(runtime, scope, text, "system_learned" if inferred else "user_provided", now)
    place = (scope.agent or "", scope.channel, "")
    goal = Goal(
        id=derived_id(scope.owner, "record", *place, GOAL, content_hash(text)), text=text, priority=priority,
        state="blocked" if blockers else "active", deadline=deadline, parent=parent, blockers=tuple(blockers),
        recall_when=phrases, inferred=inferred, since=now, changed=now,
    )  # fmt: skip

    def plan(partition: Partition) -> _Set:
        record = Record(
            tenant=scope.tenant, user=scope.user, id=goal.id, kind=GOAL, category=GOAL, text=text, value=goal.value,
            confidence=0.7 if inferred else 0.95, certainty="inferred" if inferred else "explicit",
            importance=importance(priority), agent=scope.agent, channel=scope.channel, source=event.source,
            conversation=scope.conversation, trust=event.trust, valid_from=now, recorded_at=now, sources=(event.id,),
            editor=EDITOR, hash=content_hash(text),
        )  # fmt: skip
        if partition.forbids(record):
            raise InputError("This goal was forgotten on request: say it in other words if it is to be set again.")
        while (known := partition.records.get(record.id)) is not None:
            if known.status != "rejected" and known.valid_to is None:
                return _Set(Goal.of(known))
            record = again(record)  # the one that is over stays as it was
        if inferred:
            _check_rejected(runtime, partition, scope, text, embedded.of(0))
        above = None if parent is None else _known(partition, scope, parent).id
        found = replace(goal, id=record.id, parent=above, blockers=_waiting(partition, scope, above or "", blockers))
        here = overlay_on(runtime, partition, now)
        here.insert(replace(record, value=found.value), embedded.of(0))
        return _Set(found, [Add(event), *here.changes])

    made, _ = await planned(runtime, scope, plan)
    return made.goal


async def get(runtime: Runtime, scope: Scope, goal: Id) -> Goal:
    """A goal by its id, with the goal it is part of as `within`.

    Args:
        goal: its id.

    Raises:
        NotFoundError: this scope sees no such goal.
    """
    partition = await runtime.partitions.current(scope.owner)
    found = Goal.of(_known(partition, scope, goal))
    above = partition.records.get(found.parent or "")
    return found if above is None or not visible(above, scope) else replace(found, within=Goal.of(above))


async def find(
    runtime: Runtime,
    scope: Scope,
    *,
    states: Annotated[Iterable[str], Each(TRANSITIONS, "a state of goals")] = ("active", "blocked"),
    parent: Id | None = None,
) -> tuple[Goal, ...]:
    """The goals in some states, the most pressing first.

    Args:
        states: of active, blocked, completed, failed and abandoned; by default those of open goals.
        parent: only those that are part of this goal.
    """
    partition = await runtime.partitions.current(scope.owner)
    found = [goal for goal in set_goals(of_kind(partition, GOAL, scope)) if goal.state in states]
    return tuple(sorted((goal for goal in found if parent in (None, goal.parent)), key=pressing))


async def due(runtime: Runtime, scope: Scope, request: Words) -> tuple[Goal, ...]:
    """The open goals that a request brings up: it holds all words of one of their `recall_when` phrases.

    Args:
        request: in words.
    """
    request = content_of(runtime, request)
    partition = await runtime.partitions.current(scope.owner)
    return tuple(brought_up(set_goals(of_kind(partition, GOAL, scope)), request, runtime.analyzer.terms))


async def update(
    runtime: Runtime,
    scope: Scope,
    goal: Id,
    *,
    text: Words | None = None,
    priority: Annotated[int, Between(1, 5)] | None = None,
    deadline: datetime | None = None,
    recall_when: Sequence[str] | None = None,
) -> Goal:
    """Change text, priority, deadline or phrases of an open goal; what is left out stays as it is.

    In other words it has another id, which its parts and what it stands in the way of then name; the former one still
    finds it.

    Args:
        goal: its id.
        text: what is to be reached, in other words.
        priority: 1 (first) to 5.
        deadline: until when.
        recall_when: phrases that replace its own; a request that holds all words of one brings the goal up.

    Raises:
        NotFoundError: this scope sees no such goal.
        InputError: it is over, or nothing was given; or there is another open goal in these words, or they were
            forgotten on request.
    """
    given = {
        "text": None if text is None else own_words(runtime, text),
        "priority": priority,
        "deadline": deadline,
        "recall_when": None if recall_when is None else _phrases(runtime, recall_when),
    }
    new: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if not new:
        raise InputError("Nothing is changed: give text, priority, deadline or recall_when.")
    now = runtime.clock()
    embedded = await embed(runtime, scope, [new["text"]] if text is not None else [])

    def plan(partition: Partition) -> _Set:
        record = _known(partition, scope, goal)
        was = Goal.of(record)
        if record.status == "rejected" or was.state not in OPEN:
            raise InputError(f"This goal is {record.status if record.status == 'rejected' else was.state}, and over.")
        updated = replace(was, **new)
        if updated == was:
            return _Set(was)
        here = overlay_on(runtime, partition, now)
        event = _goal_event(runtime, scope, record, f"Goal changed: {updated.text} ({', '.join(new)})", now)
        changed = replace(record, importance=importance(updated.priority))
        if updated.text == was.text:
            here.change(_version(changed, updated, event))
        else:
            wanted = _in_other_words(scope, partition, changed, updated, event)
            updated = replace(updated, id=wanted.id)
            here.insert(replace(wanted, recorded_at=here.now), embedded.of(0))
            here.change(_version(record, was, event, valid_to=now, named=wanted.id))
            for other, repaired in _naming(partition, scope, record, wanted.id):
                here.change(_version(other, repaired, event))
        return _Set(updated, [Add(event), *here.changes])

    made, _ = await planned(runtime, scope, plan)
    return made.goal


async def block(runtime: Runtime, scope: Scope, goal: Id, *, by: Ids, reason: str | None = None) -> Goal:
    """Block a goal.

    Args:
        goal: its id.
        by: ids of goals, or words, that stand in its way.
        reason: why, in words.

    Raises:
        NotFoundError: this scope sees no such goal.
        InputError: it is over, or one of these waits for it: is blocked by it, or has it as a part.
    """
    require(goal not in by, "by", goal, "other goals, or words: a goal does not stand in its own way")
    return await _move(runtime, scope, goal, "blocked", blockers=tuple(by), reason=_words(runtime, reason))


async def resume(runtime: Runtime, scope: Scope, goal: Id) -> Goal:
    """Pursue a blocked, failed or abandoned goal again.

    Args:
        goal: its id.
    """
    return await _move(runtime, scope, goal, "active", blockers=(), reason=None)


async def complete(
    runtime: Runtime,
    scope: Scope,
    goal: Id,
    *,
    status: Annotated[Literal["completed", "failed"], OneOf(("completed", "failed"))] = "completed",
    result: str | None = None,
    evidence: Ids = (),
    leave_open: bool = False,
) -> Goal:
    """Complete a goal, or say that it failed. Goals that it blocked are freed of it once it is completed.

    Args:
        goal: its id.
        status: completed; or failed: it was pursued and not reached. It can then be taken up again.
        result: what came of it.
        evidence: ids of events that show it.
        leave_open: complete it though goals that are part of it are open; they stay so.

    Raises:
        NotFoundError: this scope sees no such goal, or no such event.
        InputError: it is over, or goals that are part of it are open.
    """
    found = await runtime.store.get(Event, scope.owner, [(one,) for one in evidence])
    for one, event in zip(evidence, found, strict=True):
        if event is None or not visible(event, scope):
            raise NotFoundError(
                f"There is no event {brief(one)} in this scope; add and observe answer the ids of events."
            )
    told: dict[str, Any] = {"result": _words(runtime, result), "evidence": tuple(evidence)}
    return await _move(runtime, scope, goal, status, leave_open=leave_open, **told)


async def abandon(runtime: Runtime, scope: Scope, goal: Id, *, reason: str | None = None) -> Goal:
    """Give a goal up.

    Args:
        goal: its id.
        reason: why, in words.
    """
    return await _move(runtime, scope, goal, "abandoned", reason=_words(runtime, reason))


async def reject(runtime: Runtime, scope: Scope, goal: Id, *, reason: str | None = None) -> Goal:
    """Reject a goal that never was one. It is kept, out of sight, so that it is not inferred again.

    Args:
        goal: its id.
        reason: why, in words.
    """
    return await _move(runtime, scope, goal, "abandoned", status="rejected", reason=_words(runtime, reason))


async def _move(
    runtime: Runtime,
    scope: Scope,
    goal: str,
    state: State,
    status: str | None = None,
    *,
    leave_open: bool = False,
    **values: Any,
) -> Goal:
    now = runtime.clock()
    told = ", ".join(f"{name}: {value}" for name, value in values.items() if isinstance(value, str))

    def plan(partition: Partition) -> _Set:
        record = _known(partition, scope, goal)
        here = overlay_on(runtime, partition, now)
        if record.status == "rejected":
            raise InputError("This goal was rejected: if it is one after all, set it again with goals.add.")
        was = Goal.of(record)
        if state == "active":
            _check_set_again(partition, scope, record)
        if "blockers" in values:
            values["blockers"] = _waiting(partition, scope, record.id, values["blockers"])
        moved = replace(was, **values) if status and was.state == state else was.moved(state, now, **values)
        event = _goal_event(runtime, scope, record, f"Goal {status or state}: {moved.text}{told and f' ({told})'}", now)
        changed = [(record, moved)]
        if state == "completed":
            _check_parts(partition, scope, record.id, leave_open=leave_open)
            aware = _aware(partition, scope, record)
            changed += [(other, freed) for other in aware if (freed := _freed(other, record.id, now))]
        for one, new in changed:
            ends = None if new.state in OPEN else now
            here.change(_version(one, new, event, valid_to=ends, status=status or one.status))
        return _Set(moved, [Add(event), *here.changes])

    made, _ = await planned(runtime, scope, plan)
    return made.goal


def _known(partition: Partition, scope: Scope, name: str) -> Record:
    """The record of a goal, also by the id that it had in other words."""
    record = seen(partition, scope, GOAL, "goals", name)
    while (later := reworded_as(record)) in partition.records:
        record = partition.records[str(later)]
    return record


def _in_other_words(scope: Scope, partition: Partition, record: Record, goal: Goal, event: Event) -> Record:
    """The record of a goal in other words, in the place of the one before, which holds again if this is forgotten."""
    text, place = goal.text, (record.agent or "", record.channel, "")
    wanted = replace(
        record, id=derived_id(scope.owner, "record", *place, GOAL, content_hash(text)), text=text, value=goal.value,
        hash=content_hash(text), sources=(event.id,), version=1, seq=0, access_count=0,
        last_accessed=None, editor=EDITOR,
    )  # fmt: skip
    if partition.forbids(wanted):
        raise InputError("These words were forgotten on request: say it in others.")
    while (known := partition.records.get(wanted.id)) is not None:
        if known.status != "rejected" and known.valid_to is None:
            raise InputError(f"There is an open goal in these words: {known.id}. Complete or abandon one of the two.")
        wanted = again(wanted)
    return wanted


def _naming(partition: Partition, scope: Scope, record: Record, now: str) -> Iterator[tuple[Record, Goal]]:
    """The goals that name one, each as it is with the other's new id."""
    for other in _aware(partition, scope, record):
        goal = Goal.of(other)
        if (repaired := repointed(goal, record.id, now)) != goal:
            yield other, repaired


def _waiting(partition: Partition, scope: Scope, goal: str, by: Sequence[str]) -> tuple[str, ...]:
    """What is to stand in the way of a goal; an error if the goal would then wait for itself."""
    records = {one.id: one for one in of_kind(partition, GOAL, scope)} if by else {}
    current = tuple(_known(partition, scope, one).id if one in records else one for one in by)
    known = set_goals(records.values())
    told = next((one for one in current if waits(known, goal, (one,))), None)
    if told is not None:
        raise InputError(
            f"{brief(told)} waits for this goal: it is blocked by it, or has it as a part. Then neither could be "
            "completed: name other goals, or words."
        )
    return current


def _check_parts(partition: Partition, scope: Scope, goal: str, *, leave_open: bool) -> None:
    """Refuse to complete a goal of which parts are open."""
    left = [] if leave_open else parts_of(set_goals(of_kind(partition, GOAL, scope)), goal)
    if left:
        told = ", ".join(f"{brief(one.text)} ({one.id})" for one in sorted(left, key=pressing)[:_TOLD])
        raise InputError(
            f"Open goals are part of this one ({len(left)}): {told}. Complete or abandon them first, or give "
            "leave_open=True."
        )


def _check_rejected(runtime: Runtime, partition: Partition, scope: Scope, text: str, vector: Floats | None) -> None:
    """Refuse to infer a goal that was rejected where the scope sees it."""
    index = partition.index
    for record in of_kind(partition, GOAL, scope):
        if record.status != "rejected":
            continue
        known = None if vector is None else index.vectors.one(index.numbers[record.id])
        cosine = 0.0 if vector is None or known is None else float(vector @ known)
        if record.hash == content_hash(text) or reworded(record.text, text, runtime.analyzer.terms, cosine):
            raise InputError(f"This goal was rejected and is not inferred again: {brief(record.text)}.")


def _check_set_again(partition: Partition, scope: Scope, record: Record) -> None:
    """Refuse to resume a goal that was set again in its place after it was given up."""
    mine = record.hash, record.agent, record.channel
    for other in of_kind(partition, GOAL, scope):
        held = other.id != record.id and other.valid_to is None
        if held and (other.hash, other.agent, other.channel) == mine:
            raise InputError(f"This goal was set again meanwhile: pursue {other.id}.")


def _aware(partition: Partition, scope: Scope, record: Record) -> list[Record]:
    """The goals that `scope` sees, and those in places that see `record`."""
    everywhere = Scope(tenant=scope.tenant, user=scope.user, whole=True)

    def aware(other: Record) -> bool:
        place = replace(everywhere, whole=False, agent=other.agent, channel=other.channel)
        return visible(other, scope) or visible(record, place)

    return list(filter(aware, of_kind(partition, GOAL, everywhere)))


def _freed(record: Record, by: str, now: datetime) -> Goal | None:
    """A goal without the blocker that was completed; None if it was not blocked by it."""
    goal = Goal.of(record)
    if by not in goal.blockers or goal.state != "blocked":
        return None
    left = tuple(one for one in goal.blockers if one != by)
    return replace(goal, blockers=left) if left else goal.moved("active", now, blockers=(), reason=None)


def _version(record: Record, goal: Goal, event: Event, named: str | None = None, **values: Any) -> Record:
    """The record of a goal after an event; `named`: the id under which it goes on in other words."""
    sources = united(record.sources, (event.id,))
    value = goal.value | ({} if named is None else {REWORDED_AS: named})
    return replace(record, value=value, sources=sources, editor=EDITOR, **values)


def _phrases(runtime: Runtime, given: Sequence[str]) -> tuple[str, ...]:
    phrases = check_identifiers("recall_when", given)
    for phrase in phrases:
        wanted = "phrases with a word that tells something, as 'the' does not"
        require(bool(runtime.analyzer.terms(phrase)), "recall_when", phrase, wanted)
    return phrases


def _words(runtime: Runtime, text: str | None) -> str | None:
    return None if text is None else own_words(runtime, text)


def _goal_event(runtime: Runtime, scope: Scope, record: Record, text: str, now: datetime) -> Event:
    """The event of a change to a goal; it is seen and forgotten where the goal is."""
    event = _said(runtime, scope, text, record.source, now)
    return replace(event, agent=record.agent, channel=record.channel)


def _said(runtime: Runtime, scope: Scope, text: str, source: str, now: datetime) -> Event:
    return event_at(
        scope, None, source, id=runtime.ids(), kind=GOAL, role="", content=text, surface="tool", event_time=now,
        recorded_at=now,
    )  # fmt: skip
