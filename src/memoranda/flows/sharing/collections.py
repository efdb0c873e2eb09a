"""Collections: records that several users or agents share, with versions, weights, snapshots and an archive.

A collection is a channel of the shared memory. Its entries are records like all others, written by the gateway and
found by recall. A version rests on events of the shared log, which name who wrote.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Each, Id, OneOf, Share, Texts, Words
from memoranda.core.base.scope import SHARED, Commons, Scope, check_identifier
from memoranda.core.beliefs.decay import effective_relevance
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.overlay import passage_of, vector_row
from memoranda.core.image.image import Partition
from memoranda.core.recall.results import Recalled
from memoranda.core.rows import Collection, Event, Record
from memoranda.core.rows.changes import Add, Change, Patch, Put
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.lifecycle import TRANSITIONS
from memoranda.core.rows.statements import RECORDS
from memoranda.core.text.terms import content_hash
from memoranda.errors import InputError, NotFoundError, VersionError
from memoranda.flows.capture.events import content_of
from memoranda.flows.capture.gateway import admission_to, overlay_on
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.recall import recall as recalled
from memoranda.flows.runtime.commits import Made, check_place, settled
from memoranda.flows.runtime.reading import shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.sharing import objects
from memoranda.flows.sharing.objects import asked
from memoranda.ports import Where

KINDS = ("agent_memory", "knowledge_base", "shared_context", "tool_cache", "project_context")
ENTRIES = ("fact", "observation", "reflection", "decision", "plan", "tool_output", "summary")
ALL_KINDS = tuple(dict.fromkeys((*ENTRIES, *RECORDS)))
STEP = 0.1  # by which `boost` and `reduce` change the importance of an entry
ARCHIVED = "This collection is archived: entries reads it still, unarchive lets it be searched and written."


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One version of an entry of a collection.

    Attributes:
        id: of the record; `version`: from 1.
        kind: fact, observation, reflection, decision, plan, tool_output or summary; a shared copy has its original's.
        importance, confidence: whether it matters, and whether it is true; `trust`: by the channel it came through.
        relevance: importance, confidence and recency in one number, see `memoranda.core.beliefs.decay`.
        editor: who made this version: a user, with the agent if one acted for them.
        at: when.
        origin: of a copy, the user and the record that it is a copy of.
        sources: ids of the events it rests on.
    """

    id: str
    version: int
    kind: str
    text: str
    importance: float
    confidence: float
    relevance: float
    trust: float
    editor: str
    at: datetime
    origin: Mapping[str, Any] | None = None
    sources: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: Record, now: datetime) -> "Entry":
        """The entry for a record."""
        origin = record.value.get("origin") if isinstance(record.value, Mapping) else None
        return cls(
            id=record.id, version=record.version, kind=record.kind, text=record.text, importance=record.importance,
            confidence=record.confidence, relevance=effective_relevance(record, now), trust=record.trust,
            editor=record.editor, at=record.recorded_at, origin=origin, sources=record.sources,
        )  # fmt: skip


async def create(
    runtime: Runtime,
    scope: Scope,
    name: Id,
    *,
    kind: Annotated[str, OneOf(KINDS)] = "shared_context",
    reach: Annotated[str, OneOf(objects.REACHES)] = "agent",
    sources: Texts = (),
    expires: datetime | None = None,
) -> Collection:
    """Create a collection. It belongs to the user or, if the scope names one, to the agent; others need a grant.

    Args:
        name: what to call it; several may have one name.
        kind: agent_memory, knowledge_base, shared_context, tool_cache or project_context.
        reach: for whom it is meant: "global" or "account" (everyone in the tenant may read it), "team" (the scope's
            team may write it), "agent", "task" or "workflow" (nobody else, without a grant).
        sources: ids of pools and collections that it is derived from. It can be read only by those who may read all of
            them.
        expires: when it ceases to exist.

    Raises:
        NotFoundError: a source cannot be read here.
        InputError: it is meant for a team, and the scope names none.
    """
    if reach == "team" and scope.team is None:
        raise InputError("A collection of a team needs a scope that names its team.")
    now = runtime.clock()
    made = Collection(
        tenant=scope.tenant, user=SHARED, id=runtime.ids(), name=name, kind=kind, reach=reach, holder=scope.user,
        agent=scope.agent, channel=scope.channel, created_at=now, expires_at=objects.ending("expires", expires, now),
    )  # fmt: skip

    async def plan(_: Partition) -> Made[Collection]:
        new = replace(made, sources=await objects.checked_sources(runtime, scope, sources))
        event = replace(objects.shared_event(runtime, scope, new.id, "collection", name), id=new.id)
        changes: list[Change] = [Add(event), Add(new), *objects.first_grants(runtime, scope, new.id, reach)]
        return Made(new, [*changes, Add(objects.access(runtime, scope, new.id, "create"))])

    check_place(scope)
    return (await settled(runtime, objects.shared_owner(scope), plan))[0].answer


async def get(runtime: Runtime, scope: Scope, collection: Id) -> Collection:
    """A collection by its id.

    Args:
        collection: its id.

    Raises:
        NotFoundError: this scope may read no such collection.
    """
    return await opening_of(runtime, scope, collection)()


async def find(
    runtime: Runtime, scope: Scope, *, kind: Annotated[str, OneOf(KINDS)] | None = None, archived: bool = False
) -> tuple[Collection, ...]:
    """The collections that this scope may read, oldest first.

    Args:
        kind: agent_memory, knowledge_base, shared_context, tool_cache or project_context.
        archived: those in the archive, instead of the others.
    """
    found = await objects.mine(runtime, scope, Collection)
    return tuple(one for one in found if kind in (None, one.kind) and archived == (one.archived_at is not None))


async def archive(runtime: Runtime, scope: Scope, collection: Id) -> Collection:
    """Archive a collection: it is not searched any more, but its entries can still be read.

    Args:
        collection: its id.

    Raises:
        NotFoundError: this scope may read no such collection.
        AccessError: it may not administer it.
    """
    return await _archived(runtime, scope, collection, runtime.clock(), "archive")


async def unarchive(runtime: Runtime, scope: Scope, collection: Id) -> Collection:
    """Take a collection out of the archive.

    Args:
        collection: its id.

    Raises:
        NotFoundError: this scope may read no such collection.
        AccessError: it may not administer it.
    """
    return await _archived(runtime, scope, collection, None, "unarchive")


# ----------------------------------------------------------------------------------------------- entries


async def add(
    runtime: Runtime,
    scope: Scope,
    collection: Id,
    text: str,
    *,
    kind: Annotated[str, OneOf(ENTRIES)] = "fact",
    importance: Share = 0.5,
) -> Entry:
    """Add an entry. If one says the same in the same or nearly the same words, it becomes more important instead.

    Args:
        collection: its id.
        text: what it says.
        kind: fact, observation, reflection, decision, plan, tool_output or summary.
        importance: from 0 to 1.

    Raises:
        NotFoundError: this scope may read no such collection.
        AccessError: it may read it, and not write.
        InputError: the collection is archived.
    """
    event = objects.shared_event(runtime, scope, collection, "entry", content_of(runtime, text))
    return await entered(
        runtime, scope, collection, entry_of(runtime, scope, event, kind, importance=importance), event
    )


def entry_of(runtime: Runtime, scope: Scope, event: Event, kind: str, **values: Any) -> Record:
    """The record that an event of a collection states."""
    return Record(
        tenant=scope.tenant, user=SHARED, kind=kind, category="shared", text=event.content, channel=event.channel,
        id=objects.entry_id(event, kind), source=event.source, value=objects.origin_of(event),
        trust=event.trust, valid_from=event.event_time, recorded_at=runtime.clock(), sources=(event.id,),
        editor=objects.actor(scope), hash=content_hash(event.content), **values,
    )  # fmt: skip


async def entered(runtime: Runtime, scope: Scope, collection: str, record: Record, event: Event) -> Entry:
    """Write an entry through the gateway."""
    opening = opening_of(runtime, scope, collection, "write")
    await opening()  # before the embedder costs anything
    embedded = await embed(runtime, scope, [record.text], (record.id,))

    def plan(_: Collection, partition: Partition) -> Made[Entry]:
        now = runtime.clock()
        admission = admission_to(runtime, partition, now)
        decision = admission.admit(record, embedded.of(0))
        stands = admission.overlay.current(decision.record or "") or record
        return Made(Entry.of(stands, now), [Add(event), *admission.overlay.changes])

    return await objects.changed(runtime, scope, collection, opening, plan, "add")


async def edit(
    runtime: Runtime,
    scope: Scope,
    collection: Id,
    entry: Id,
    text: str,
    *,
    expect: Annotated[int, Between()] | None = None,
) -> Entry:
    """Reword an entry: a new version, by whoever asks; the old one stays in the history.

    Args:
        collection: its id.
        entry: the entry's id.
        text: the new text.
        expect: the version that must be current; any by default.

    Raises:
        VersionError: the entry has another version.
        NotFoundError: this scope may read no such collection, or there is no such entry.
        AccessError: it may read it, and not write.
    """
    said = content_of(runtime, text)
    opening = opening_of(runtime, scope, collection, "write")
    await opening()
    embedded = await embed(runtime, scope, [said], (entry,))

    def plan(_: Collection, partition: Partition) -> Made[Entry]:
        known = _entry(partition, collection, entry)
        if expect not in (None, known.version):
            raise VersionError(
                f"This entry has version {known.version}, not {expect}: read it again and decide.",
                expect,
                known.version,
            )
        event = objects.shared_event(runtime, scope, collection, "entry", said, entry=entry)
        new, changes = renewed(runtime, scope, partition, known, replace(known, text=said), event, embedded.of(0))
        return Made(Entry.of(new, runtime.clock()), [Add(event), *changes])

    return await objects.changed(runtime, scope, collection, opening, plan, "edit")


async def boost(runtime: Runtime, scope: Scope, collection: Id, entry: Id, *, by: Share = STEP) -> Entry:
    """Make an entry more important, at most 1.

    Args:
        collection: its id.
        entry: the entry's id.
        by: by how much.

    Raises:
        NotFoundError: this scope may read no such collection, or there is no such entry.
        AccessError: it may read it, and not write.
    """
    return await _weighed(runtime, scope, collection, entry, by, 1)


async def reduce(runtime: Runtime, scope: Scope, collection: Id, entry: Id, *, by: Share = STEP) -> Entry:
    """Make an entry less important, at least 0.

    Args:
        collection: its id.
        entry: the entry's id.
        by: by how much.

    Raises:
        NotFoundError: this scope may read no such collection, or there is no such entry.
        AccessError: it may read it, and not write.
    """
    return await _weighed(runtime, scope, collection, entry, by, -1)


async def remove(runtime: Runtime, scope: Scope, collection: Id, entry: Id) -> Entry:
    """End an entry with a last version that is not found any more. Its history stays, and a snapshot can bring it back.

    Args:
        collection: its id.
        entry: the entry's id.

    Raises:
        NotFoundError: this scope may read no such collection, or there is no such entry.
        AccessError: it may read it, and not write.
    """

    def plan(_: Collection, partition: Partition) -> Made[Entry]:
        known = _entry(partition, collection, entry)
        event = objects.shared_event(runtime, scope, collection, "removal", entry=entry)
        ended = replace(known, valid_to=runtime.clock(), contradicted_by=event.id)
        new, changes = renewed(runtime, scope, partition, known, ended, event, None)
        return Made(Entry.of(new, runtime.clock()), [Add(event), *changes])

    opening = opening_of(runtime, scope, collection, "write")
    return await objects.changed(runtime, scope, collection, opening, plan, "remove")


async def entries(
    runtime: Runtime,
    scope: Scope,
    collection: Id,
    *,
    kinds: Annotated[Iterable[str], Each(ALL_KINDS, "a kind")] = (),
    limit: Annotated[int, Between()] = 100,
) -> tuple[Entry, ...]:
    """The entries of a collection, the most relevant first. An archived collection can be read like others.

    Args:
        collection: its id.
        kinds: only of these.
        limit: at most so many.

    Raises:
        NotFoundError: this scope may read no such collection.
    """
    now = runtime.clock()
    rows = [one for one in await _entered(runtime, scope, collection) if not kinds or one.kind in kinds]
    runtime.journal.note(objects.access(runtime, scope, collection, "read"))
    found = [Entry.of(one, now) for one in rows]
    return tuple(sorted(found, key=lambda one: (-one.relevance, one.id))[:limit])


@undisturbed(shared)
async def _entered(runtime: Runtime, scope: Scope, collection: str) -> list[Record]:
    await opening_of(runtime, scope, collection)()
    return held(await runtime.partitions.current(objects.shared_owner(scope).owner), collection)


async def search(runtime: Runtime, scope: Scope, collection: Id, query: Words, *, limit: int = 10) -> Recalled:
    """The entries of a collection that are relevant to a question, best first; none of an archived one.

    Args:
        collection: its id.
        query: the question.
        limit: at most so many.

    Raises:
        NotFoundError: this scope may read no such collection.
    """
    answer = await _found(runtime, scope, collection, Ask(query=query, limit=limit))
    if answer.reason != ARCHIVED:
        runtime.journal.note(objects.access(runtime, scope, collection, "search"))
        runtime.reinforce(objects.shared_owner(scope).owner, answer, None)
    return answer


@undisturbed(shared)
async def _found(runtime: Runtime, scope: Scope, collection: str, ask: Ask) -> Recalled:
    found = await opening_of(runtime, scope, collection)()
    if found.archived_at is not None:
        return Recalled(reason=ARCHIVED)
    return await recalled(runtime, Commons(tenant=scope.tenant, channel=collection), ask)


@undisturbed(shared)
async def history(runtime: Runtime, scope: Scope, collection: Id, entry: Id) -> tuple[Entry, ...]:
    """Every version of an entry, in order, each with its editor.

    Args:
        collection: its id.
        entry: the entry's id.

    Raises:
        NotFoundError: this scope may read no such collection, or there is no such entry.
    """
    await opening_of(runtime, scope, collection)()
    versions = await versions_of(runtime, scope, collection, Where("id", "=", entry))
    if not versions:
        raise NotFoundError(_NONE.format(brief(entry)))
    return tuple(Entry.of(one, runtime.clock()) for one in versions)


# -------------------------------------------------------------------------------------------------------

_NONE = "There is no entry {} in this collection; entries gives the ids of those there are."


def opening_of(
    runtime: Runtime, scope: Scope, collection: str, level: str = "read"
) -> Callable[[], Awaitable[Collection]]:
    """A function that finds the collection; to write it, it must not be archived."""

    async def open_() -> Collection:
        found = await objects.opened(runtime, scope, collection, Collection, level=level, name="collection")
        if level == "write" and found.archived_at is not None:
            raise InputError(ARCHIVED)
        return found

    return open_


async def _archived(runtime: Runtime, scope: Scope, collection: str, at: datetime | None, action: str) -> Collection:
    def plan(found: Collection, _: Partition) -> Made[Collection]:
        return Made(replace(found, archived_at=at), [Patch(Collection, (collection,), {"archived_at": at})])

    opening = opening_of(runtime, scope, collection, "admin")
    return await objects.changed(runtime, scope, collection, opening, plan, action)


async def _weighed(runtime: Runtime, scope: Scope, collection: str, entry: str, by: float, sign: int) -> Entry:
    check_identifier("entry", entry)

    def plan(_: Collection, partition: Partition) -> Made[Entry]:
        here = overlay_on(runtime, partition, runtime.clock())
        known = _entry(partition, collection, entry)
        left = here.patch(known, importance=min(max(known.importance + sign * by, 0.0), 1.0))
        return Made(Entry.of(left, runtime.clock()), here.changes)

    opening = opening_of(runtime, scope, collection, "write")
    return await objects.changed(runtime, scope, collection, opening, plan, "boost" if sign > 0 else "reduce")


def renewed(
    runtime: Runtime,
    scope: Scope,
    partition: Partition,
    known: Record,
    wanted: Record,
    event: Event,
    vector: Floats | None,
) -> tuple[Record, list[Change]]:
    """A new version of `known` with the text, weight and validity of `wanted`, and the changes that write it."""
    here = overlay_on(runtime, partition, runtime.clock())
    status = wanted.status if wanted.status in TRANSITIONS[known.status] else known.status
    here.change(
        replace(
            known, text=wanted.text, hash=content_hash(wanted.text), importance=wanted.importance, status=status,
            valid_to=wanted.valid_to, contradicted_by=wanted.contradicted_by, superseded_at=None,
            sources=united(united(known.sources, wanted.sources), (event.id,)), editor=objects.actor(scope),
        )
    )  # fmt: skip
    new = here.drafts[known.id]
    changes: list[Change] = [*here.changes, Put(passage_of(new, runtime.analyzer))]
    if vector is not None:
        changes.append(Put(vector_row(known.tenant, known.user, runtime.space, known.id, vector)))
    return new, changes


def held(partition: Partition, collection: str) -> list[Record]:
    """The current entries of a collection."""
    return [one for one in partition.records.values() if one.channel == collection and one.valid_to is None]


def _entry(partition: Partition, collection: str, entry: str) -> Record:
    record = partition.records.get(entry)
    if record is None or record.channel != collection or record.valid_to is not None:
        raise NotFoundError(_NONE.format(brief(entry)))
    return record


async def versions_of(runtime: Runtime, scope: Scope, collection: str, *where: Where) -> list[Record]:
    """Every version of the entries of a collection, by entry, in order."""
    query = asked(Record, scope, Where("channel", "=", collection), *where, order=("id", "version"))
    return list((await runtime.store.find(objects.shared_owner(scope).owner, query)).rows[0])
