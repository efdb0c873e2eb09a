"""Capture: write what was said and seen as events, and what the rules extract from it as records, in one transaction.

Messages are read, analysed (pure), embedded, planned against the owner's image and applied; the last two again until
nobody else wrote in between. Whatever the embedder does, the event is durable before the call returns.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.constraints import Id, OneOf, Words
from memoranda.core.base.scope import Owner, Scope, check_identifier
from memoranda.core.beliefs.admission import Admission, Decision
from memoranda.core.beliefs.leaving.verdicts import meant_by
from memoranda.core.beliefs.overlay import vector_row
from memoranda.core.consolidation.scaffolds import as_stated
from memoranda.core.formats.conversation import Message
from memoranda.core.image.image import Partition, entity_id, recording
from memoranda.core.language.extraction import Analysis, analyse
from memoranda.core.language.finished import IMPORTANCE, certainty, founded_on, searched
from memoranda.core.language.force.played import PLAYED, lasts
from memoranda.core.language.speech import orders
from memoranda.core.rows import Entity, Event, Json, LaterWord, Passage, Relation
from memoranda.core.rows.changes import Add, Change, Put
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.statements import STATED, TRUST, Statement
from memoranda.core.strata.keys import KEY, keeping
from memoranda.errors import MessageError
from memoranda.flows.capture.corrections import admit, overturned, put_right, takes_place
from memoranda.flows.capture.endings import let_go
from memoranda.flows.capture.events import (
    SKEW,
    SentAt,
    check_names,
    event_at,
    known_as,
    own_notes,
    own_words,
    stamped,
    turn,
    turns_of,
)
from memoranda.flows.capture.gateway import admission_to
from memoranda.flows.capture.later_words import judged
from memoranda.flows.capture.on_record import NOTHING, Asked, Hearing, waiting_in
from memoranda.flows.capture.passages import names_in, passage_of
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Embedded, Runtime, embed

#: The kind and category of record that an observation of each category makes.
CATEGORIES: Mapping[str, tuple[str, str]] = {
    "fact": ("fact", "personal"),
    "preference": ("preference", "preference"),
    "project_details": ("fact", "project"),
    "correction": ("fact", "personal"),
}

_SAID = frozenset({"turn", "observation"})

#: Further changes that go with a new event, given the owner's current partition.
Counts = Callable[[Partition, Event], Iterable[Change]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What a capture did.

    Attributes:
        events: ids of the events that are in the log, in the order given, without the forgotten ones.
        known: how many of them were there already.
        forgotten: how many were not recorded because they had been forgotten on request, and how many sentences of the
            others are withheld for it; what the user says of its own later is new, unless it was forgotten for good.
        decisions: what the gateway decided about each statement found.
        unextracted: how many new turns of the user held nothing the rules could extract; they stay searchable.
        degraded: parts that were down, each with what happened.
    """

    events: tuple[str, ...]
    known: int = 0
    forgotten: int = 0
    decisions: tuple[Decision, ...] = ()
    unextracted: int = 0
    degraded: tuple[str, ...] = ()

    @property
    def records(self) -> tuple[str, ...]:
        """Ids of the records that stand for what was found, each once."""
        return tuple(dict.fromkeys(item.record for item in self.decisions if item.record))


@dataclass(frozen=True, slots=True)
class Draft:
    """One event to be written, with its analysis.

    Attributes:
        indexed: whether it is searchable.
        kept: whether it was in the log before; its position and times then stay, and no tombstone bars it.
        whole: whether it is refused as a whole if any sentence of it was forgotten.
        corrects: the id of the record that it corrects, if it names one.
    """

    event: Event
    analysis: Analysis
    indexed: bool
    kept: bool = False
    whole: bool = False
    corrects: str | None = None


async def add(
    runtime: Runtime,
    scope: Scope,
    messages: Sequence[Message | Mapping[str, Any]],
    *,
    conversation: Id | None = None,
    surface: Id = "chat",
    connection: Id | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Captured:
    """Record turns of a conversation. They are durable when the call returns.

    Args:
        messages: each {"role", "content"} and optionally "name", "timestamp" and "id". A message whose id is
            already known in this conversation is not recorded again.
        conversation: the conversation's id.
        surface: chat, widget, inbox, recipe, heartbeat, tool or import.
        connection: the tool connection the turns belong to.
        metadata: stored with every turn.

    Raises:
        MessageError: a message cannot be read; nothing was recorded.
        StoreError: nothing was recorded.
    """
    here = scope if conversation is None else scope.narrow(conversation=conversation)
    events = turns_of(runtime, here, messages, surface, connection, metadata)
    return await write(runtime, scope, [read_event(runtime, event) for event in events])


def drafted(
    runtime: Runtime,
    scope: Scope,
    messages: Iterable[Message],
    surface: str,
) -> list[Draft]:
    """Turns of the scope's conversation, analysed but not yet written."""
    now = runtime.clock()
    return [read_event(runtime, turn(runtime, scope, message, now, surface, None, {})) for message in messages]


async def observe(
    runtime: Runtime,
    scope: Scope,
    content: Words,
    *,
    category: Id = "fact",
    source: Annotated[str, OneOf(TRUST, MessageError)] = "user_provided",
    surface: Id = "tool",
    connection: Id | None = None,
    at: SentAt | None = None,
    key: Id | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Captured:
    """Record one observation.

    Args:
        content: what was observed, as a self-contained statement.
        category: fact, preference, project_details, correction, or your own.
        source: user_provided, agent, system_learned, workflow, tool_indexed or tool_extracted_content; it sets
            the trust.
        surface: where the observation was made.
        connection: the tool connection it belongs to; it is then visible only while that connection is active.
        at: when it was true; now by default.
        key: an idempotency key: the same key twice records one observation.
        metadata: stored with it.
    """
    return await observed(
        runtime, scope, content, category=category, source=source, surface=surface, connection=connection, at=at,
        key=key, metadata=metadata,
    )  # fmt: skip


async def observed(
    runtime: Runtime,
    scope: Scope,
    content: Words,
    *,
    category: str,
    source: str,
    surface: str = "tool",
    connection: str | None = None,
    at: datetime | None = None,
    key: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    keeps: tuple[str, Json] | None = None,
) -> Captured:
    """Record one observation, as `observe` does.

    With `keeps`, a key and a value, it only states that the value is kept under the key, see
    `memoranda.core.strata.keys`.
    """
    check_identifier("category", category)
    check_names(surface, connection)
    text = own_words(runtime, content)
    now = runtime.clock()
    sent, stamp = stamped(at, now)
    known = None if key is None else known_as(scope, connection, "observation", check_identifier("key", key))
    event = event_at(
        scope, connection, source, id=known or runtime.ids(), kind="observation", role="", content=text,
        category=category, surface=surface, metadata={**own_notes(metadata), **stamp}, event_time=sent, recorded_at=now,
    )  # fmt: skip
    draft = read_observation(runtime, as_stated(event, runtime.settings.language) if keeps is None else event)
    if keeps is not None:
        kept = keeping(_whole(event), *keeps, scope.conversation)
        draft = replace(draft, analysis=replace(draft.analysis, statements=(kept,), correction=None), whole=True)
    return await write(runtime, scope, [draft])


def read(runtime: Runtime, event: Event) -> Draft:
    """Analyse an event as an observation or as any other kind."""
    return (read_observation if event.kind == "observation" else read_event)(runtime, event)


def read_event(runtime: Runtime, event: Event) -> Draft:
    """Analyse an event with the rules."""
    analysis = analyse(event, runtime.settings.language)
    told = bool(analysis.text) and event.role != "system" and searched(event)
    return Draft(event, analysis, indexed=told)


def read_observation(runtime: Runtime, event: Event) -> Draft:
    """Analyse an observation; if the rules extract nothing, its whole text is the statement."""
    draft = read_event(runtime, event)
    if STATED in event.metadata:
        return replace(draft, whole=True)
    told = event.source == "user_provided" or not orders(event.content)  # orders of others are not believed
    statements = draft.analysis.statements or ((_whole(event),) if told else ())
    if event.category == "correction":
        statements = tuple(replace(statement, correction=True) for statement in statements)
    outcome, corrects = "extracted" if statements else "unextracted", meant_by(event)
    correction = None if corrects else draft.analysis.correction
    analysis = replace(draft.analysis, statements=statements, outcome=outcome, correction=correction)
    return replace(draft, analysis=analysis, corrects=corrects)


def _whole(event: Event) -> Statement:
    """The whole observation as one statement."""
    category = event.category or "fact"
    kind, group = CATEGORIES.get(category, ("observation", category))
    return Statement(
        kind=kind, category=group, text=event.content, importance=IMPORTANCE, certainty=certainty(event.source),
        end=len(event.content),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ writing


async def write(runtime: Runtime, scope: Scope, drafts: Sequence[Draft], counts: Counts | None = None) -> Captured:
    """Write the drafts in one transaction; `counts` gives further changes for each new event.

    Raises:
        ScopeError: the scope is the whole of a user's memory, which is no place.
    """
    image = await runtime.partitions.recent(scope.owner)
    alone = all(draft.event.kind == "turn" for draft in drafts)  # those of working memory are heard there
    waiting = NOTHING if alone else await waiting_in(runtime, scope, image.talks.wishes)
    hearing = Hearing(image.talks.wishes, waiting)  # what is withheld is not embedded either
    left = [one for draft in drafts if (one := _screened(runtime, image, draft)[0])]
    kept = [_as_kept(runtime, image, draft, hearing) for draft in left]
    fresh = [draft for draft in kept if draft.event.id not in image.index.numbers]
    texts = [draft.analysis.text for draft in fresh if draft.indexed]
    texts += [statement.text for draft in fresh for statement in draft.analysis.statements]
    embedded = await embed(runtime, scope, texts, (draft.event.id for draft in fresh))
    vectors = _Vectors(embedded, {text: number for number, text in enumerate(texts)})
    given = {id(draft.event) for draft in drafts}  # nothing is withheld of one that is still the same
    whole = [draft for draft in fresh if draft.indexed and id(draft.event) in given]
    told = {draft.event.id: draft.analysis.text for draft in whole}
    later = await judged(runtime, scope, [draft.event for draft in whole], lambda event: vectors.of(told[event.id]))
    plan, applied = await planned(
        runtime, scope, lambda partition: plan_of(runtime, partition, drafts, vectors.of, counts, later.words, waiting)
    )
    return Captured(
        events=tuple(plan.events),
        known=plan.known + sum(table == "events" for table, _ in applied.taken),
        forgotten=plan.forgotten,
        decisions=tuple(plan.admission.decisions),
        unextracted=plan.unextracted,
        degraded=tuple(filter(None, (vectors.embedded.problem, later.problem))),
    )


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Vectors by text; None for a text that was not embedded."""

    embedded: Embedded
    numbers: Mapping[str, int]

    def of(self, text: str) -> Floats | None:
        return self.embedded.of(self.numbers[text]) if text in self.numbers else None


@dataclass(slots=True)
class Taken:
    """The plan for some events."""

    admission: Admission
    written: list[Change] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    known: int = 0
    forgotten: int = 0
    unextracted: int = 0

    @property
    def changes(self) -> list[Change]:
        """The changes to be written, in order."""
        return [*self.written, *self.admission.overlay.changes]


def plan_of(
    runtime: Runtime,
    partition: Partition,
    drafts: Sequence[Draft],
    vectors: Callable[[str], Floats | None],
    counts: Counts | None = None,
    later: Sequence[LaterWord] = (),
    waiting: Asked = NOTHING,
) -> Taken:
    """Plan what to write, given the owner's current partition. Pure: the same image gives the same plan.

    `recorded_at` is set here, so that its order is the order in which events were written.
    """
    admission = admission_to(runtime, partition, runtime.clock())
    plan = Taken(admission)
    named: dict[str, Entity | Relation] = {}
    positions: dict[tuple[str, str], int] = {}
    playing: dict[tuple[str, str], datetime | None] = {}
    hearing = Hearing(partition.talks.wishes, waiting)
    written: dict[str, Passage] = {}
    for given in drafts:
        draft, count = _screened(runtime, partition, given)
        plan.forgotten += count
        if draft is None:
            continue
        draft = _as_kept(runtime, partition, draft, hearing)
        event, analysis = draft.event, draft.analysis
        plan.events.append(event.id)
        if event.id in written or _is_known(partition, draft):
            plan.known += 1
            continue
        if not draft.kept:
            event, analysis = _in_order(runtime, draft, partition)
            event = replace(event, position=_position(event, partition, positions), recorded_at=admission.overlay.now)
        analysis = _in_play(runtime, event, analysis, partition, playing)
        plan.unextracted += analysis.outcome == "unextracted"
        event = replace(event, extraction=analysis.outcome)
        ids = {name: entity_id(partition.owner, name) for name in analysis.entities}
        mentioned = tuple(ids.values())
        for row in names_in(event, analysis, ids):
            named.setdefault(row.id, row)
        written[event.id] = passage = passage_of(event, analysis, mentioned, runtime.analyzer)
        if draft.indexed:
            plan.written.append(Add(passage))
            vector = vectors(analysis.text)
            if vector is not None:
                plan.written.append(Put(vector_row(event.tenant, event.user, runtime.space, event.id, vector)))
        ended = let_go(admission, event, analysis)
        known = overturned(admission.overlay, event, draft.corrects, analysis.statements) if draft.corrects else None
        for statement in analysis.statements:
            right = known if known and takes_place(statement, known, analysis.statements) else None
            admit(admission, event, statement, ids, vectors(statement.text), right)
        wrong = analysis.correction
        if (wrong and put_right(admission, wrong, event, analysis.language, written, mentioned)) or ended:
            plan.unextracted -= event.extraction == "unextracted"
            event = replace(event, extraction="extracted")
        plan.written += [Add(event), *(counts(partition, event) if counts else ())]
    plan.written += [Add(row) for row in named.values() if row.id not in partition.entities]
    plan.written += [
        Put(word) for word in later if all(one in written or one in partition.index.numbers for one in word.turns)
    ]
    return plan


def _is_known(partition: Partition, draft: Draft) -> bool:
    """Whether an event is in the log; one that is not searched is known by what rests on it."""
    ref = draft.event.id
    return ref in partition.index.numbers or (not draft.kept and ref in partition.records_by_source)


def _screened(runtime: Runtime, partition: Partition, draft: Draft) -> tuple[Draft | None, int]:
    """A draft without what was forgotten, read again if anything is withheld; and how much is."""
    if draft.kept or draft.event.id in partition.index.numbers:
        return draft, 0
    if partition.tombstones.bars(founded_on(draft.event)):  # what it rests on was forgotten meanwhile
        return None, 1
    event, count = partition.tombstones.screened(draft.event)
    if event is None or (count and draft.whole):
        return None, count
    return read(runtime, event) if count else draft, count


def _in_order(runtime: Runtime, draft: Draft, partition: Partition) -> tuple[Event, Analysis]:
    """Move the event time forward if this host's clock is behind the owner's latest recording.

    The time stays if the host gave it, if the clock is more than a minute behind, or if the event is neither a turn nor
    an observation. Returns the event and its analysis.
    """
    event = draft.event
    if runtime.clock() >= partition.latest:
        return event, draft.analysis
    moved = replace(event, event_time=recording(partition, event.event_time))
    ahead = moved.event_time - event.event_time
    if event.recorded_at != event.event_time or ahead > SKEW or event.kind not in _SAID:
        return event, draft.analysis
    told = draft.analysis.outcome == "skipped" or any(one.subject == KEY for one in draft.analysis.statements)
    return moved, draft.analysis if told else read(runtime, moved).analysis


def _in_play(
    runtime: Runtime,
    event: Event,
    analysis: Analysis,
    partition: Partition,
    playing: dict[tuple[str, str], datetime | None],
) -> Analysis:
    """The analysis of an event, read as said in play if that goes on in its conversation.

    `playing` tells of the conversations of this call when one last played, and is told whether the event does.
    """
    if event.kind != "turn" or event.conversation is None:
        return analysis
    key = event.conversation, event.channel
    if lasts(playing[key] if key in playing else partition.talks.played(*key), event.event_time):
        analysis = analyse(event, runtime.settings.language, played=True)
    playing[key] = event.event_time if PLAYED in analysis.traits else None
    return analysis


def _as_kept(runtime: Runtime, partition: Partition, draft: Draft, hearing: Hearing) -> Draft:
    """A draft without what turns before it ask not to be kept."""
    event, number = draft.event, partition.index.numbers.get(draft.event.id)
    if draft.kept:
        return draft
    if number is not None:
        hearing.passed(event, partition.index.passages[number].traits)
        return draft
    left = hearing.heard(event)
    return draft if left is event else read_event(runtime, left)


def _position(event: Event, partition: Partition, positions: dict[tuple[str, str], int]) -> int:
    """The event's position in its conversation, after those stored and those of this call."""
    if event.conversation is None:
        return 0
    key = event.conversation, event.channel
    place = positions.get(key, partition.talks.next_position(*key))
    positions[key] = place + 1
    return place


def passage_in(runtime: Runtime, event: Event) -> tuple[Passage, Sequence[Entity | Relation]]:
    """The passage of an event that is in the log, and the entities it names."""
    found = replace(read_event(runtime, event).analysis, aliases=())
    ids = {name: entity_id(Owner(event.tenant, event.user), name) for name in found.entities}
    return passage_of(event, found, (*ids.values(),), runtime.analyzer), [*names_in(event, found, ids)]
