"""Replay: derive everything from the log again, to compare it, to write it elsewhere or to put it in place.

An owner's events are read in the order in which they were written, each at its `recorded_at`, with the plans that were
used when they came: those of capture, consolidation (for the items it had accepted), reviews, promotions, outcomes and
upkeep. No model is called. What was not extracted from text (goals, strategies, summaries, what is kept under a key,
described entities) is carried over and joins the replay at the time from which it was there. All other rows are carried
over too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from os import PathLike
from typing import Annotated, Any

import numpy as np

from memoranda.core.base.constraints import Id, OneOf, Progress
from memoranda.core.base.scope import Owner, Scope
from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.leaving.verdicts import REVIEW
from memoranda.core.beliefs.outcomes import OUTCOME, raised
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.promotion import PROMOTION
from memoranda.core.consolidation.judge import KIND as CONSOLIDATION
from memoranda.core.consolidation.judge import of_json
from memoranda.core.consolidation.proposal import Claim, Item
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.erasure.replay import (
    DERIVED,
    Difference,
    Key,
    Sayings,
    changes_to,
    counted_as,
    difference,
    digest,
    keyed,
    ordered,
    renamed,
    stated_directly,
)
from memoranda.core.image.following import follow
from memoranda.core.image.image import HELD, Partition
from memoranda.core.language import RULES
from memoranda.core.language.corrections import EDITOR as AMENDED
from memoranda.core.rows import (
    TABLES,
    Entity,
    Event,
    Passage,
    Receipt,
    Record,
    Relation,
    Row,
    Tombstone,
    Vector,
    key_of,
)
from memoranda.core.rows.changes import Add, Applied, Batch, Change, Patch, Put, Touch
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.jobs import UPKEEP
from memoranda.core.rows.statements import ENTITY, STATED
from memoranda.core.strata.goals import GOAL
from memoranda.core.strata.keys import KEPT
from memoranda.core.strata.procedures import STRATEGY, TOOL_CALL
from memoranda.core.text.forgotten import GOOD, Forgotten, bound
from memoranda.core.text.terms import content_hash
from memoranda.errors import InputError
from memoranda.flows.capture.capture import Draft, plan_of, read
from memoranda.flows.capture.gateway import admission_to, overlay_on
from memoranda.flows.consolidation.derive import derive, stated
from memoranda.flows.runtime.audit import Act, acting, entered
from memoranda.flows.runtime.commits import reread, unbroken
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.strata.channels import copied_by
from memoranda.flows.strata.review import said_again
from memoranda.flows.strata.tools import count_in
from memoranda.flows.upkeep.steps import done_again
from memoranda.ports import Query, Store

#: Extractors by name: the rules, with the version that `core.language` gives them, or none.
EXTRACTORS: Mapping[str, str] = {"rules": RULES, "none": "none"}
#: Kinds of events from which nothing is extracted.
_SILENT = frozenset({GOAL, STRATEGY})
#: Kinds of events that name the changes they made.
_TELLING = frozenset({CONSOLIDATION, OUTCOME, PROMOTION, REVIEW, UPKEEP})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """The result of a replay.

    Attributes:
        extractor: what extracted the statements, e.g. `rules@1`.
        events: how many there are in the log; `read`: from how many of them something was derived again.
        before, after: digests of the events and derived rows, as they are and as replayed.
        difference: which beliefs appear, change and vanish.
        written: whether the result was written to another memory.
        switched: whether the result was put in place of the current rows.
        degraded: parts that were down, each with what happened.
    """

    extractor: str
    events: int
    read: int
    before: str
    after: str
    difference: Difference
    written: bool = False
    switched: bool = False
    degraded: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the replay gave exactly the current rows."""
        return self.before == self.after


async def rebuild(
    runtime: Runtime,
    *,
    tenant: Id,
    user: Id,
    extractor: Annotated[str, OneOf(EXTRACTORS)] = "rules",
    to: str | PathLike[str] | Store | None = None,
    switch: bool = False,
    progress: Progress | None = None,
) -> Rebuilt:
    """Derive everything known of a user from the event log again, and report what differs. No model is asked.

    With unchanged rules nothing differs. Nothing is written unless `to` or `switch` is given.

    Args:
        tenant: the tenant.
        user: the user.
        extractor: what reads the events: "rules", or "none" to keep only what consolidation found.
        to: a new memory to write the result to, with the log and all other rows: a file, "postgresql://…", or an
            open store.
        switch: replace what is known with the result, in one transaction.
        progress: called with the number of events read, once for each call that recorded them.

    Raises:
        InputError: `to` already holds a memory of this user.
    """
    owner = Scope(tenant=tenant, user=user, whole=True).owner
    await runtime.journal.settle()
    async with runtime.partitions.turn(owner), runtime.lent(to) as target:
        if target is not None:
            await _check_new(target, owner)
        with acting(runtime, Act("rebuild")):
            return await reread(partial(_rebuild, runtime, owner, extractor, target, switch, progress))


async def _rebuild(
    runtime: Runtime, owner: Owner, extractor: str, target: Store | None, switch: bool, progress: Progress | None
) -> Rebuilt:
    """One attempt."""
    await runtime.partitions.uses.settle(owner)
    queries = [Query(kind=kind, tenant=owner.tenant, user=owner.user) for kind in TABLES.values()]
    page = await runtime.store.find(owner, *queries)
    rows: dict[type[Row], tuple[Any, ...]] = {
        kind: tuple(some) for kind, some in zip(TABLES.values(), page.rows, strict=True)
    }
    replay = _Replay(runtime, owner, rows, extractor)
    problem = await replay.run(progress)
    after = replay.result()
    kinds: tuple[type[Row], ...] = (Event, *DERIVED)
    before = keyed(row for kind in kinds for row in rows[kind])
    forgotten = bool(rows[Receipt])
    if switch:  # first: after a conflict all is made again, and nothing is in the other memory yet
        changes = [*changes_to(before, after)]
        noted = entered(runtime, Scope(tenant=owner.tenant, user=owner.user), changes, page.state.seq)
        batch = Batch(owner=owner, changes=(*changes, *noted), expect=page.state.seq)
        await unbroken(_put_in_place(runtime, batch))
    if target is not None:
        copied = (kind for kind in rows if kind not in kinds and kind.__traits__.exported)
        others = [row for kind in copied for row in rows[kind]]
        await _write(target, owner, [*after.values(), *others])
    return Rebuilt(
        extractor=EXTRACTORS[extractor], events=len(rows[Event]), read=replay.read,
        before=digest(before.values(), forgotten=forgotten), after=digest(after.values(), forgotten=forgotten),
        difference=difference(before.values(), after.values()),
        written=target is not None, switched=switch, degraded=(problem,) if problem else (),
    )  # fmt: skip


async def replayed(runtime: Runtime, owner: Owner, rows: Mapping[type[Row], Sequence[Any]]) -> Mapping[Key, Row]:
    """The events and derived rows as the log gives them, for an owner with these rows."""
    replay = _Replay(runtime, owner, rows, "rules")
    await replay.run(None)
    return replay.result()


async def _check_new(target: Store, owner: Owner) -> None:
    if (await target.find(owner)).state.seq:
        raise InputError(f"There is a memory of {owner.user} already where it is to go: name a new file.")


async def _write(target: Store, owner: Owner, rows: Iterable[Row]) -> None:
    """Write all rows of an owner into a memory that has none of them, in one transaction."""
    await _check_new(target, owner)
    await target.apply(Batch(owner=owner, changes=tuple(map(Add, rows)), expect=0))


async def _put_in_place(runtime: Runtime, batch: Batch) -> None:
    await runtime.store.apply(batch)
    runtime.partitions.forget(batch.owner)


class _Replay:
    """One replay of a log.

    Attributes:
        read: how many events were derived from.
    """

    def __init__(self, runtime: Runtime, owner: Owner, rows: Mapping[type[Row], Sequence[Any]], extractor: str) -> None:
        self.read = 0
        self._runtime = runtime
        self._owner = owner
        self._before = rows
        self._rules = extractor == "rules"
        self._log = ordered(rows[Event])
        self._events = {event.id: event for event in self._log}
        self._carried = _Carried(rows)
        self._sayings = Sayings(rows[Record])
        self._drafts = {event.id: self._read(event) for event in self._log if self._carried.reads(event)}
        self._rows: dict[Key, Row] = {}
        self._image = runtime.partitions.empty(owner)
        self._barred = self._barring()
        self._image.tombstones.take(self._barred)
        self._vectors: dict[str, Floats] = {}

    async def run(self, progress: Progress | None) -> str | None:
        """Replay the whole log. Returns what was wrong with the embedder, if anything."""
        problem = await self._embed()
        for events in self._calls():
            self._meet(self._carried.until(events[0].recorded_at))
            self._take(events)
            if progress:
                progress(len(events))
        self._meet(self._carried.until(None))
        return problem

    def result(self) -> dict[Key, Row]:
        """The events and derived rows, the events first, in order."""
        versions: dict[Key, list[Record | Passage]] = {}
        for row in (*self._before[Record], *self._before[Passage]):
            versions.setdefault((type(row), key_of(row)[:1]), []).append(row)
        read = {row.id: row.extraction for row in self._rows.values() if isinstance(row, Event) and self._rules}
        events = [replace(event, extraction=read.get(event.id, event.extraction)) for event in self._log]
        derived = [row for row in self._rows.values() if not isinstance(row, Event | Tombstone)]
        names = self._sayings.names(row for row in derived if isinstance(row, Record))
        found = [renamed(row, names) for row in derived]
        found = [counted_as(row, versions) if isinstance(row, Record | Passage) else row for row in found]
        ended = {row.id: row for row in self._before[Relation] if row.ended_by in self._events}
        found = [
            replace(row, ended_at=ended[row.id].ended_at, ended_by=ended[row.id].ended_by)
            if isinstance(row, Relation) and row.id in ended
            else row
            for row in found
        ]
        refs = {row.ref for row in found if isinstance(row, Passage)}
        return keyed([*events, *found, *(row for row in self._before[Vector] if row.ref in refs)])

    # ------------------------------------------------------------------------------------- reading

    def _read(self, event: Event) -> Draft:
        """The draft of an event; without the rules it has no statements."""
        draft = read(self._runtime, event)
        if not self._rules and STATED not in event.metadata:
            unread = replace(draft.analysis, statements=(), correction=None, outcome="skipped")
            draft = replace(draft, analysis=unread)
        return replace(draft, kept=True)

    async def _embed(self) -> str | None:
        """Collect the vectors of all texts: those that are stored, and new ones of the others."""
        language = self._runtime.settings.language
        texts = [draft.analysis.text for draft in self._drafts.values() if draft.indexed]
        texts += [one.text for draft in self._drafts.values() for one in draft.analysis.statements]
        for event in self._log:
            if event.kind == CONSOLIDATION:
                texts += [one.text for one, _ in stated(_accepted(event, self._events), self._events, language)]
        space = self._runtime.space
        size = 2 * self._runtime.embedder.space.dimension if self._runtime.embedder else 0
        kept = {row.ref: row.data for row in self._before[Vector] if (row.space, len(row.data)) == (space, size)}
        told = {draft.analysis.text: name for name, draft in self._drafts.items()}
        told |= {row.text: row.id for row in self._before[Record] if row.editor != AMENDED}
        for text in texts:
            if data := kept.get(told.get(text, "")):
                self._vectors[text] = _unpacked(data)
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        embedded = await embed(self._runtime, Scope(tenant=self._owner.tenant, user=self._owner.user), missing)
        if embedded.vectors is not None:
            self._vectors |= zip(missing, embedded.vectors, strict=True)
        return embedded.problem

    def _barring(self) -> dict[str, datetime]:
        """The tombstones that bind from the start: those that bar nothing that is still there.

        What is still there was recorded before its words were forgotten elsewhere, so it is derived again. Its
        tombstones bind from their own date.
        """
        barred = Forgotten()
        barred.absorb(self._before[Tombstone])
        said = [(row.hash, row.text, row.agent) for row in self._before[Record]]
        said += [(content_hash(event.content), event.content, event.agent) for event in self._log]
        standing = {one.id for one in self._before[Record]}
        for claim, text, agent in said:
            standing |= {claim, bound(claim, agent)}.union(*(marks for marks, _, _ in barred.hits(text, agent)))
        return {mark: since for mark, since in barred.since.items() if mark.removeprefix(GOOD) not in standing}

    # ------------------------------------------------------------------------------------- writing

    def _calls(self) -> Iterator[list[Event]]:
        """The events, grouped by the call that brought them."""
        for _, group in groupby(self._log, lambda event: (event.recorded_at, event.kind == "turn")):
            events = list(group)
            yield from ([events] if events[0].kind == "turn" else ([event] for event in events))

    def _take(self, events: Sequence[Event]) -> None:
        """Derive from the events of one call."""
        event = events[0]
        now = event.recorded_at
        drafts = [self._meaning(self._drafts[one.id]) for one in events if one.id in self._drafts]
        self.read += max(len(drafts), event.kind in _TELLING)
        if drafts:
            runtime = replace(self._runtime, clock=lambda: now)
            counts = count_in if event.kind == TOOL_CALL else None
            self._write(plan_of(runtime, self._image, drafts, self._vectors.get, counts).changes)
        elif event.kind in _TELLING:
            again = {
                CONSOLIDATION: self._consolidated, OUTCOME: self._turned_out, PROMOTION: self._promoted,
                REVIEW: self._reviewed, UPKEEP: self._kept_up,
            }  # fmt: skip
            self._write(again[event.kind](event))

    def _consolidated(self, event: Event) -> Sequence[Change]:
        admission = self._admission(event)
        items = [_ending(item, self._named) for item in _accepted(event, self._events)]
        more = derive(admission, items, event, self._events, self._vectors.get, self._runtime.settings.language)
        return [*more, *admission.overlay.changes]

    def _reviewed(self, event: Event) -> Sequence[Change]:
        known = self._named(event.metadata["record"])
        return [] if known is None else said_again(self._overlay(event), self._carried.stood(known, event), event)

    def _promoted(self, event: Event) -> Sequence[Change]:
        admission, known = self._admission(event), self._named(event.metadata["record"])
        if known is not None:
            copied_by(admission, known, event)
        return admission.overlay.changes

    def _turned_out(self, event: Event) -> Sequence[Change]:
        here = self._overlay(event)
        for known in filter(None, map(self._named, event.metadata["raised"])):
            here.patch(known, importance=raised(known.importance))
        return here.changes

    def _kept_up(self, event: Event) -> Sequence[Change]:
        known = filter(None, map(self._named, event.metadata.get("records", ())))
        return done_again(self._admission(event), self._overlay(event), known, event)

    def _named(self, name: str) -> Record | None:
        """The record that an event names, as derived so far: by id, or by its words if anything was forgotten."""
        if not self._before[Receipt]:
            return self._image.records.get(name)
        return self._sayings.among(name, self._image.records.values())

    def _meaning(self, draft: Draft) -> Draft:
        """A draft with the id that the record which it corrects has so far."""
        known = self._named(draft.corrects) if draft.corrects else None
        return replace(draft, corrects=known.id) if known else draft

    def _overlay(self, event: Event) -> Overlay:
        return overlay_on(self._runtime, self._image, event.recorded_at)

    def _admission(self, event: Event) -> Admission:
        return admission_to(self._runtime, self._image, event.recorded_at)

    def _meet(self, rows: Iterable[Row]) -> None:
        """Take in rows that are carried over."""
        self._enter([Add(row) if isinstance(row, Entity) else Put(row) for row in rows])

    def _write(self, changes: Iterable[Change]) -> None:
        """Apply planned changes, except those to rows that are carried over."""
        self._enter([change for change in changes if not self._carried.holds(change)])

    def _enter(self, changes: Iterable[Change]) -> None:
        done: list[Change] = []
        for change in changes:
            key = _key(change)
            if isinstance(change, Add) and key in self._rows:
                continue
            if isinstance(change, Touch):  # the time of a passage, which images read from its record
                moved: dict[str, Any] = {**change.at}
                self._rows[key] = replace(self._rows[key], **moved)
                continue
            row = change.row if isinstance(change, Add | Put) else self._rows[key]
            self._rows.pop(key, None)
            self._rows[key] = replace(row, **change.values) if isinstance(change, Patch) else row
            done.append(change)
        seq = self._image.seq
        follow(self._image, Batch(owner=self._owner, changes=tuple(done), expect=seq), Applied(seq=seq + len(done)))
        if self._image.stale:
            self._image = self._afresh()

    def _afresh(self) -> Partition:
        """A new image of what was derived so far, built as it would be from the store."""
        image = self._runtime.partitions.empty(self._owner)
        by_table: dict[str, list[Any]] = {name: [] for name in HELD}
        for row in self._rows.values():
            by_table.get(row.__table__, []).append(row)
        image.absorb(**by_table)
        image.tombstones.take(self._barred)
        return image


def _accepted(event: Event, events: Mapping[str, Event]) -> list[Item]:
    """What a consolidation accepted, without what rests on events that are no longer there."""
    return [item for item in of_json(event.metadata["items"]) if events.keys() >= {*item.events}]


def _ending(item: Item, named: Callable[[str], Record | None]) -> Item:
    """The item, with the ids of the records that it ends as derived so far."""
    if not isinstance(item, Claim) or not item.ends:
        return item
    return replace(item, ends=tuple(known.id for known in map(named, item.ends) if known is not None))


def _unpacked(data: bytes) -> Floats:
    return np.frombuffer(data, "<f2").astype(np.float32)


def _key(change: Change) -> Key:
    if isinstance(change, Add | Put):
        return type(change.row), key_of(change.row)
    return change.kind, change.key


class _Carried:
    """The derived rows that are carried over unchanged, and the time from which each was there."""

    def __init__(self, rows: Mapping[type[Row], Sequence[Any]]) -> None:
        self._records = stated_directly(rows[Record])
        told = [row for row in rows[Record] if row.id in self._records and row.editor not in COMPOSED]
        mine = {source for row in told for source in row.sources}
        described = {event.id for event in rows[Event] if event.category == ENTITY and event.extraction == "skipped"}
        silent = {event.id for event in rows[Event] if event.kind in _SILENT}
        kept = {source for row in rows[Record] if row.category == KEPT for source in row.sources}
        refused = {event.id for event in rows[Event] if event.category == KEPT and event.id not in kept}
        self._events = {*mine, *described, *silent, *refused}
        self._refs = self._records | self._events
        over = (row for row in rows[Record] if row.id in self._records and row.superseded_at)
        self._over: dict[tuple[object, ...], Record] = {(row.id, row.superseded_at): row for row in over}
        self._waiting = sorted(self._moments(rows), key=itemgetter(0))[::-1]

    def reads(self, event: Event) -> bool:
        """Whether an event's words are derived from again."""
        return event.id not in self._events and event.kind not in _TELLING

    def holds(self, change: Change) -> bool:
        """Whether a change is to a row that is carried over."""
        kind, key = _key(change)
        return (kind is Record and key[0] in self._records) or (kind in (Passage, Vector) and key[-1] in self._refs)

    def stood(self, record: Record, event: Event) -> Record:
        """A record as it was before an event changed it."""
        return self._over.get((record.id, event.recorded_at), record)

    def until(self, moment: datetime | None) -> Iterator[Row]:
        """Hand out the rows that were there at `moment` and were not handed out yet, in order; None for all."""
        while self._waiting and (moment is None or self._waiting[-1][0] <= moment):
            yield self._waiting.pop()[1]

    def _moments(self, rows: Mapping[type[Row], Sequence[Any]]) -> Iterator[tuple[datetime, Row]]:
        """Each row with the time from which it was there; a superseded version once more when it was superseded."""
        events = {event.id: event for event in rows[Event]}
        names = {row.id: row for row in rows[Entity]}
        for row in rows[Tombstone]:
            yield row.created_at, row
        for row in rows[Passage]:
            if row.ref in self._refs:
                yield from ((row.recorded_at, names[name]) for name in row.entities if name in names)
                yield row.recorded_at, row
        when = {row.ref: row.recorded_at for row in rows[Passage] if row.ref in self._refs}
        yield from ((when[row.ref], row) for row in rows[Vector] if row.ref in when)
        for row in rows[Relation]:
            if row.sources and row.sources[0] in self._events:
                yield events[row.sources[0]].recorded_at, row
        for row in rows[Record]:
            if row.id in self._records:
                yield row.recorded_at, replace(row, superseded_at=None)
                if row.superseded_at is not None:
                    yield row.superseded_at, row
