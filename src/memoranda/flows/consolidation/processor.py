"""Consolidation: derive records from events, a batch at a time, with a language model or with rules.

A batch is some unprocessed events of one owner and place. `core.consolidation.judge` judges what is proposed from them.
What passes becomes an event of kind "consolidation", so that the log alone can rebuild what is derived from it. One
transaction writes that event and what is derived from it, and marks the batch as processed, on condition that nobody
wrote in between; after a conflict all is planned again against the new state. A batch that fails stays unprocessed. Its
back-off doubles with every failure; after five failures its events are dead letters until somebody calls
`flows.consolidation.backlog.retry`.
"""

import math
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from memoranda.core.base.constraints import Id
from memoranda.core.base.scope import SHARED, Owner, Scope, visible
from memoranda.core.beliefs.admission import Admission, Decision
from memoranda.core.beliefs.profile import held, narrative_of, project
from memoranda.core.consolidation.judge import KIND, Judged, as_json, judge
from memoranda.core.consolidation.prompt import Briefing, Room, brief
from memoranda.core.consolidation.proposal import (
    SCHEMA,
    Claim,
    Item,
    LeafChange,
    NamedEntity,
    NamedRelation,
    Narrative,
    Proposal,
    Refused,
    label,
    read_proposal,
)
from memoranda.core.consolidation.rule_relations import related
from memoranda.core.image.image import Partition
from memoranda.core.image.keywords import related_records
from memoranda.core.language import RULES
from memoranda.core.rows import Attempt, Event, Record, key_of
from memoranda.core.rows.changes import Add, Change, Patch, Put
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.jobs import Did
from memoranda.core.rows.lifecycle import OPEN
from memoranda.errors import LanguageModelDeniedError, LanguageModelError, LanguageModelUnavailableError
from memoranda.flows.capture.events import event_at
from memoranda.flows.capture.gateway import admission_to
from memoranda.flows.consolidation.backlog import LAST_WAIT, attempt_after
from memoranda.flows.consolidation.derive import allowed, derive, stated
from memoranda.flows.runtime.audit import Act, acting
from memoranda.flows.runtime.commits import Made, settled
from memoranda.flows.runtime.language_models import Paid, writer
from memoranda.flows.runtime.prompts import load_prompt
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.ports import Completion, LanguageModel, Query, Where

#: Kinds of events that hold statements to extract; the others are marked as processed without being read.
TELLING = frozenset(
    {"turn", "observation", "outcome", "decision", "log", "run_summary", "scaffold_update", "learned_fact"}
)
ANSWER_TOKENS = 4_000
_GATHERED = 500  # the most events read in one round
_RARE = 8  # rarest terms of an event by which related records are found
_COUNTED = (
    "batches", "events", "items", "kept", "calls", "tokens_in", "tokens_out", "postponed", "failed", "dead", "waiting",
)  # fmt: skip
_BUSY = "another worker is at it"
_LISTED = ("decisions", "understood", "refused", "degraded")


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """One change that consolidation made, as a line of a diff.

    Attributes:
        outcome: for a statement, what the gateway decided (see `core.beliefs.admission.Decision`); else named, related
            or narrated.
        text: what is believed now.
        before: the text that it replaced, if any.
    """

    outcome: str
    text: str
    before: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What consolidation did, or with `dry_run` would do.

    Attributes:
        batches, events: how many were processed.
        items: how many proposed items passed; `decisions`: what the gateway decided about each statement.
        understood: the changes, one line each.
        refused: proposed items that did not pass, and why; `kept`: how many values of the scaffold an answer left out;
            they stay.
        calls: of a language model; `tokens_in`, `tokens_out`: of these.
        postponed: events whose model could not be reached or refused access. This does not count as a failure of
            theirs: the next run takes them, with whatever else waits in their place.
        failed: events that are tried again later; `dead`: those of them that are dead letters.
        waiting: events that failed before and whose back-off is not over.
        reason: why nothing was done, or nothing came of it, or not of all.
        degraded: parts that were down, each with what happened.
    """

    batches: int = 0
    events: int = 0
    items: int = 0
    decisions: tuple[Decision, ...] = ()
    understood: tuple[Understood, ...] = ()
    refused: tuple[Refused, ...] = ()
    kept: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    postponed: int = 0
    failed: int = 0
    dead: int = 0
    waiting: int = 0
    reason: str | None = None
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Events of one place, in order, with earlier failed attempts by event id."""

    scope: Scope
    connection: str | None
    events: tuple[Event, ...]
    attempts: Mapping[str, Attempt]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proposed:
    """What was proposed from a batch.

    Attributes:
        by: what proposed it.
        proposal: of a model; None if the rules propose.
        briefing: what the model was given; `taken`: ids of the events it is about.
        before: the narrative that the model was given.
    """

    by: str
    taken: frozenset[str]
    proposal: Proposal | None = None
    briefing: Briefing | None = None
    before: Record | None = None
    completion: Completion | None = None


@dataclass(slots=True)
class _Plan:
    """The plan for a batch."""

    taken: int = 0
    judged: Judged = field(default_factory=Judged)
    decisions: list[Decision] = field(default_factory=list)
    understood: list[Understood] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


async def consolidate(runtime: Runtime, *, tenant: Id, user: Id | None = None, dry_run: bool = False) -> Consolidated:
    """Process the waiting events of a tenant or one user, with the language model if there is one, else by rules.

    A lease of ten minutes, renewed between batches, lets one worker at a time process a user's events, so that the
    model is asked once. During a longer batch the lease ends and another worker may start; a killed worker blocks
    others for at most ten minutes.

    Args:
        tenant: the tenant.
        user: the user; all users by default.
        dry_run: only report the outcome of the first batch of each place; this asks, and pays for, the model.
    """
    waiting = await _waiting(runtime, tenant, user)
    rounds = partial(_rounds, dry_run=True) if dry_run else _alone
    return _together([done for owner in waiting async for done in rounds(runtime, owner)])


async def consolidating(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Consolidate for one user, as the steps of a job.

    Raises:
        LanguageModelError: nothing was processed, because the model could not be reached or its answers could not be
            read.
    """
    found = [Consolidated()]
    async with aclosing(_rounds(runtime, Owner(tenant, user))) as rounds:
        async for done in rounds:
            found = [_together([*found, replace(done, decisions=(), understood=(), refused=())])]
            records = sum(decision.record is not None for decision in done.decisions)
            counts = {"events": done.events, "records": records, "calls": done.calls, "failed": done.failed}
            yield Did(counts=counts, looked=done.events + done.waiting, degraded=done.degraded)
    whole = _together(found)
    if whole.degraded and not whole.events and (whole.failed or whole.postponed):
        raise LanguageModelError("; ".join(whole.degraded))
    yield Did(counts={}, reason=whole.reason or "")


async def _alone(runtime: Runtime, owner: Owner) -> AsyncGenerator[Consolidated, None]:
    """As `_rounds`, under a lease: the events that wait are sent to a model, and paid for, only once."""
    lease = await runtime.leases.take(owner, "consolidate")
    if lease is None:
        yield Consolidated(reason=_BUSY)
        return
    yield Consolidated(degraded=(lease.problem,) if lease.problem else ())
    try:
        async with aclosing(_rounds(runtime, owner)) as rounds:
            async for done in rounds:
                yield done
                if (lease := await runtime.leases.renew(lease)) is None:
                    yield Consolidated(reason=_BUSY)
                    return
    finally:
        if lease is not None:
            await runtime.leases.release(lease)


async def _rounds(runtime: Runtime, owner: Owner, *, dry_run: bool = False) -> AsyncGenerator[Consolidated, None]:
    """Yield what comes of each batch of an owner, in rounds until nothing more is processed; a dry run has one round.

    Events that failed, and places whose model could not be reached, are left to the next run.
    """
    began = runtime.clock()
    waiting, ready = await _round(runtime, owner, began)
    yield Consolidated(waiting=waiting)
    postponed: set[Scope] = set()
    while ready:
        taken = 0
        for batch in ready:
            done = await _take(runtime, batch, dry_run=dry_run)
            taken += done.batches
            if done.postponed:
                postponed.add(batch.scope)
            yield done
        found = (await _round(runtime, owner, began))[1] if taken and not dry_run else []
        ready = [batch for batch in found if batch.scope not in postponed]


async def _waiting(runtime: Runtime, tenant: str, user: str | None) -> list[Owner]:
    """The owners of unprocessed events. What is shared is not consolidated."""
    query = Query(kind=Event, tenant=tenant, user=user, where=(Where("processed_at", "is", None),))
    found = await runtime.store.count(query, by="user")
    return [Owner(tenant, name) for name in sorted(found) if name != SHARED]


async def _round(runtime: Runtime, owner: Owner, began: datetime) -> tuple[int, list[_Batch]]:
    """Count the events in back-off when the run `began`, and make a batch for each place where others wait."""
    now = runtime.clock()
    tried = Query(kind=Attempt, tenant=owner.tenant, user=owner.user)
    later = [replace(tried, where=(where,)) for where in (Where("retry_at", "is", None), Where("retry_at", ">", began))]
    tries = [row for found in (await runtime.store.find(owner, *later)).rows for row in found]
    # A longer wait than this can only come from a clock that was ahead: it does not count.
    held = {row.event for row in tries if row.retry_at is None or row.retry_at <= now + 2 * LAST_WAIT}
    open_ = (Where("processed_at", "is", None),)
    limit = _GATHERED + len(held)
    page = await runtime.store.find(
        owner, Query(kind=Event, tenant=owner.tenant, user=owner.user, where=open_, limit=limit)
    )
    ready = [event for event in page.rows[0] if event.id not in held]
    known = await runtime.store.get(Attempt, owner, [(event.id,) for event in ready])
    attempts = {row.event: row for row in known if row is not None}
    places: dict[tuple[str | None, str, str | None], list[Event]] = {}
    for event in ready:
        places.setdefault((event.agent, event.channel, event.connection), []).append(event)
    return len(page.rows[0]) - len(ready), [
        _Batch(
            scope=Scope(
                tenant=owner.tenant, user=owner.user, agent=agent, channel=channel,
                connections=(connection,) if connection else (),
            ),
            connection=connection, events=tuple(events), attempts=attempts,
        )
        for (agent, channel, connection), events in places.items()
    ]  # fmt: skip


async def _take(runtime: Runtime, batch: _Batch, *, dry_run: bool) -> Consolidated:
    """Process one batch, with the model that the budget allows, or with rules."""
    paid = await writer(runtime, batch.scope, "extraction")
    with acting(runtime, Act("consolidate", "semantic")):
        done = await _taken(runtime, batch, paid.model, dry_run=dry_run)
    return replace(done, degraded=(*paid.degraded, *done.degraded))


async def _taken(runtime: Runtime, batch: _Batch, model: Paid | None, *, dry_run: bool) -> Consolidated:
    """Propose, plan and commit one batch, or record that it failed."""
    partition = await runtime.partitions.current(batch.scope.owner)
    telling = [event for event in batch.events if event.kind in TELLING]
    aside = frozenset(event.id for event in batch.events if event.kind not in TELLING)
    proposed = _Proposed(by=RULES, taken=aside.union(event.id for event in telling))
    if model is not None:
        seen = _seen(partition, batch.scope)
        before = _written(batch, seen)
        briefing = _brief(runtime, batch, telling, seen, before.text if before else "", partition)
        proposed = replace(proposed, taken=aside.union(briefing.taken), before=before)
        if briefing.numbers:
            try:
                proposed = await _ask(runtime, model.about(briefing.taken), briefing, proposed)
            except LanguageModelError as error:
                if isinstance(error, LanguageModelUnavailableError | LanguageModelDeniedError):
                    told = Consolidated(postponed=len(briefing.taken))  # this is not the batch's fault
                else:
                    told = await _failed(runtime, batch.scope, briefing.taken, str(error), dry_run=dry_run)
                why = (f"language model: {error}",)
                return replace(told, calls=1, tokens_in=error.tokens_in, tokens_out=error.tokens_out, degraded=why)
    done = await _commit(runtime, batch, proposed, partition, dry_run=dry_run)
    if proposed.briefing is None or not proposed.briefing.cut:
        return done
    cut = f"language model: an event of {proposed.briefing.cut:,} characters is longer than a prompt: told in part"
    return replace(done, degraded=(*done.degraded, cut))


async def _commit(
    runtime: Runtime, batch: _Batch, proposed: _Proposed, partition: Partition, *, dry_run: bool
) -> Consolidated:
    """Write what comes of a batch, or only report it."""
    vectors: dict[str, Floats | None] = {}

    async def plan(partition: Partition) -> _Plan:
        return await _plan(runtime, batch, proposed, partition, vectors)

    first = await plan(partition)
    events = {event.id: event for event in batch.events}
    texts = list(dict.fromkeys(one.text for one, _ in stated(first.judged.items, events, runtime.settings.language)))
    embedded = await embed(runtime, batch.scope, texts, events)
    vectors |= {text: embedded.of(number) for number, text in enumerate(texts)}
    made = await plan(partition) if dry_run else (await settled(runtime, batch.scope, plan))[0]
    called = proposed.completion
    return Consolidated(
        batches=int(made.taken > 0), events=made.taken, items=len(made.judged.items), decisions=tuple(made.decisions),
        understood=tuple(made.understood),
        refused=made.judged.refused, kept=len(made.judged.kept), calls=int(called is not None),
        tokens_in=called.tokens_in if called else 0, tokens_out=called.tokens_out if called else 0,
        degraded=(embedded.problem,) if embedded.problem else (),
    )  # fmt: skip


async def _ask(runtime: Runtime, model: LanguageModel, briefing: Briefing, proposed: _Proposed) -> _Proposed:
    """Ask a model for a proposal.

    Raises:
        LanguageModelError: it failed, its answer was cut off, or cannot be read.
    """
    prompt = load_prompt("consolidate")
    completion = await model.complete(
        prompt.render(**briefing.values), system=prompt.system, schema=SCHEMA, max_tokens=ANSWER_TOKENS
    )
    proposal = read_proposal(completion.text, briefing.numbers, runtime.analyzer.terms)
    if completion.truncated or proposal.unreadable:
        why = f"was cut off after {ANSWER_TOKENS:,} tokens" if completion.truncated else "answered nothing readable"
        tokens = {"tokens_in": completion.tokens_in, "tokens_out": completion.tokens_out}
        raise LanguageModelError(f"{model.name} {why}", **tokens)
    by = f"{completion.model or model.name} {prompt.name}@{prompt.version}"
    return replace(proposed, by=by, proposal=proposal, briefing=briefing, completion=completion)


def _brief(
    runtime: Runtime,
    batch: _Batch,
    telling: Sequence[Event],
    seen: Sequence[Record],
    narrative: str,
    partition: Partition,
) -> Briefing:
    """The briefing of a model; the number of events is halved for each earlier failure."""
    tries = max((batch.attempts[event.id].count for event in telling if event.id in batch.attempts), default=0)
    room = Room()
    room = replace(room, events=max(1, room.events >> tries))
    texts = (runtime.analyzer.terms(event.content) for event in telling[: room.events])
    near = {**related_records(partition.index, texts, _RARE)}
    near |= dict.fromkeys(partition.doubted(event.id for event in telling), math.inf)  # did it end? it is to decide
    return brief(telling, seen, narrative, scope=batch.scope, now=runtime.clock(), related=near, room=room)


def _written(batch: _Batch, seen: Sequence[Record]) -> Record | None:
    """The narrative of a batch's place, unless it was found to be wrong."""
    known = narrative_of(seen, batch.scope.agent, batch.scope.channel, batch.connection)
    return known if known and known.status in OPEN else None


def _seen(partition: Partition, scope: Scope) -> list[Record]:
    """Records that everyone sees who will see what is derived here: of agents' own records, only this agent's."""
    here = (None, scope.agent)
    return [record for record in partition.records.values() if record.agent in here and visible(record, scope)]


async def _plan(
    runtime: Runtime, batch: _Batch, proposed: _Proposed, partition: Partition, vectors: Mapping[str, Floats | None]
) -> _Plan:
    """Plan what to write, given the owner's image and those events of the batch that are still unprocessed."""
    wanted = [event.id for event in batch.events if event.id in proposed.taken]
    wanted += proposed.briefing.sources if proposed.briefing else ()
    found = await runtime.store.get(Event, batch.scope.owner, [(name,) for name in wanted])
    known = {event.id: event for event in found if event is not None}
    events = {event.id: event for event in known.values() if event.id in proposed.taken and event.processed_at is None}
    if not events:
        return _Plan()
    now, language = runtime.clock(), runtime.settings.language
    judged = _judged(runtime, batch, proposed, list(events.values()), partition, now)
    admission = admission_to(runtime, partition, now)
    changes: list[Change] = []
    judged = replace(judged, items=allowed(judged.items, known, partition, batch.scope.agent))
    if judged.items:
        made = event_at(
            batch.scope, batch.connection, "system_learned", id=runtime.ids(), kind=KIND, role="", content="",
            surface="heartbeat", event_time=now, recorded_at=admission.overlay.now, processed_at=now,
            metadata={"extractor": proposed.by, "items": as_json(judged.items)},
        )  # fmt: skip
        changes = [Add(made), *derive(admission, judged.items, made, known, vectors.get, language)]
    done = [Patch(Event, key_of(event), {"processed_at": now}) for event in events.values()]
    told = [
        *_decided(admission),
        *map(_understood_item, (item for item in judged.items if not isinstance(item, LeafChange | Claim))),
    ]
    return _Plan(len(events), judged, admission.decisions, told, [*changes, *admission.overlay.changes, *done])


def _decided(admission: Admission) -> Iterator[Understood]:
    """The gateway's decisions about statements, as lines of a diff."""
    known = admission.overlay.partition.records
    texts = {record.id: record.text for record in (*known.values(), *admission.overlay.records())}
    for decision in admission.decisions:
        text = texts.get(decision.record or decision.other or "", decision.reason)
        before = known.get(decision.other or "")
        changed = before is not None and before.text != text
        yield Understood(outcome=decision.outcome, text=text, before=before.text if before and changed else None)


def _understood_item(item: Item) -> Understood:
    """An item that is no statement, as a line of a diff."""
    outcome = {NamedEntity: "named", NamedRelation: "related", Narrative: "narrated"}[type(item)]
    return Understood(outcome=outcome, text=item.text if isinstance(item, Narrative) else label(item))


def _judged(
    runtime: Runtime, batch: _Batch, proposed: _Proposed, events: Sequence[Event], partition: Partition, now: datetime
) -> Judged:
    """Judge the proposal. A narrative rests on all that it may repeat: the batch, and what the model was given.

    If another narrative was written meanwhile, or something it rests on was forgotten, it is dropped: it would undo
    that.
    """
    seen = _seen(partition, batch.scope)
    if proposed.proposal is None or proposed.briefing is None:
        return Judged(items=related(seen, events))
    known = [record for record in held(seen, now) if record.id in proposed.briefing.records]
    said = {event.id for event in events}
    over = [record for record in seen if record.contradicted_by in said]
    judged = judge(
        proposed.proposal, events, project(seen, now), runtime.analyzer.terms, shown=proposed.briefing.known,
        records=known, over=over, language=runtime.settings.language,
    )  # fmt: skip
    more, there = proposed.briefing.sources, _written(batch, seen)
    moved = (there and key_of(there)) != (proposed.before and key_of(proposed.before))
    stale = moved or partition.tombstones.bars(more)
    items = tuple(
        replace(item, events=tuple(dict.fromkeys((*item.events, *more)))) if isinstance(item, Narrative) else item
        for item in judged.items
        if not (stale and isinstance(item, Narrative))
    )
    late = [Refused("narrative", "what it was made of changed meanwhile")] * (len(judged.items) - len(items))
    return replace(judged, items=items, refused=(*judged.refused, *late))


async def _failed(runtime: Runtime, scope: Scope, taken: Sequence[str], error: str, *, dry_run: bool) -> Consolidated:
    """Record a failed attempt for events, except those that somebody else processed meanwhile."""
    now = runtime.clock()

    async def plan(_: Partition | None) -> Made[list[Attempt]]:
        found = await runtime.store.get(Event, scope.owner, [(name,) for name in taken])
        left = [event for event in found if event is not None and event.processed_at is None]
        known = await runtime.store.get(Attempt, scope.owner, [(event.id,) for event in left])
        rows = [attempt_after(event, row, error, now) for event, row in zip(left, known, strict=True)]
        return Made(rows, [*map(Put, rows)])

    rows = (await plan(None) if dry_run else (await settled(runtime, scope, plan))[0]).answer
    return Consolidated(failed=len(rows), dead=sum(row.retry_at is None for row in rows))


def _together(found: Sequence[Consolidated]) -> Consolidated:
    """Add up the results of several batches."""
    numbers: dict[str, Any] = {name: sum(getattr(one, name) for one in found) for name in _COUNTED}
    lists: dict[str, Any] = {
        name: tuple(dict.fromkeys(x for one in found for x in getattr(one, name))) for name in _LISTED
    }
    reason = None
    if not numbers["events"]:
        reason = "what waits failed before, and its time has not come" if numbers["waiting"] else "nothing waits"
        reason = "the language model failed" if numbers["failed"] else reason
        reason = "the language model is out of reach" if numbers["postponed"] else reason
    reason = _BUSY if any(one.reason == _BUSY for one in found) else reason
    return Consolidated(**numbers, **lists, reason=reason)
