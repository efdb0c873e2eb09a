"""Inspection of memory without changing it: profile, history, why, and statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Each, Id, Ids, Lasting, Share, Words
from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.overtaken import overtaken
from memoranda.core.beliefs.profile import Profile, project
from memoranda.core.beliefs.supersession import story
from memoranda.core.image.image import Partition
from memoranda.core.recall.results import TECHNIQUES, Recalled, Trace
from memoranda.core.recall.scoring import Weighing
from memoranda.core.rows import TABLES, Event, Record
from memoranda.core.strata.filters import Kinds, Sources
from memoranda.errors import NotFoundError
from memoranda.flows.recall.judging import cuts
from memoranda.flows.recall.looking import MOST, asked
from memoranda.flows.recall.techniques import recall_with
from memoranda.flows.runtime.reading import at_one_moment, events_of
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A candidate that is not in the answer: the reason, and its place in each arm."""

    id: str
    text: str
    reason: str
    arms: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """How an answer came about, or how one memory fared in it.

    Attributes:
        place: of the memory in the answer, from 1; None if it is not in it, or if no memory was asked about.
        verdict: one sentence.
        shares: what each part contributed to its score, if it was a candidate.
        arms: its place in each arm that proposed it.
        recalled: the whole answer.
        cut: what was left out of the answer, in ranking order where it was ranked.
    """

    place: int | None
    verdict: str
    shares: Mapping[str, float] = field(default_factory=dict)
    arms: Mapping[str, int] = field(default_factory=dict)
    recalled: Recalled
    cut: tuple[Cut, ...] = ()


async def profile(runtime: Runtime, scope: Scope, *, now: datetime | None = None) -> Profile:
    """Return what is known of the user: scaffold, narrative and learned info, a view of the current records.

    Args:
        now: the time of asking; by default the clock's.
    """
    at = runtime.clock() if now is None else now
    return project(believed(await runtime.partitions.current(scope.owner), scope, at), at)


def believed(partition: Partition, scope: Scope, at: datetime) -> list[Record]:
    """The current records that a scope sees, without those that something it sees has overtaken."""
    seen = (record for record in partition.records.values() if visible(record, scope))
    return [one for one in seen if not overtaken(one, partition.records, partition.attributes, scope, at)]


async def history(runtime: Runtime, scope: Scope, record: Id) -> tuple[Record, ...]:
    """Return every version of a belief, of those it superseded and those that superseded it, in order of validity.

    Args:
        record: the id of one version.

    Raises:
        NotFoundError: no such record is visible in this scope.
    """
    page = await runtime.store.find(scope.owner, Query(kind=Record, tenant=scope.tenant, user=scope.user))
    counted = (await runtime.partitions.current(scope.owner)).records  # uses are written later
    rows = [_counted(row, counted.get(row.id)) for row in page.rows[0] if visible(row, scope)]
    found = story(rows, record)
    if not found:
        raise NotFoundError(f"There is no record {brief(record)} in this scope; recall gives the ids of records.")
    return tuple(found)


def _counted(row: Record, current: Record | None) -> Record:
    """A version, with the uses of the current one if it is that."""
    if current is None or current.version != row.version:
        return row
    return replace(row, access_count=current.access_count, last_accessed=current.last_accessed)


@at_one_moment
async def why(
    runtime: Runtime,
    scope: Scope,
    query: Words,
    item: Id | None = None,
    *,
    limit: Annotated[int, Between(1, MOST)] = 10,
    cut: bool | None = None,
    min_confidence: Share | None = None,
    tokens: Annotated[int, Between()] | None = None,
    kinds: Kinds | None = None,
    categories: Ids | None = None,
    sources: Sources | None = None,
    surface: Id | None = None,
    connection: Id | None = None,
    metadata: Mapping[str, Any] | None = None,
    entities: Ids | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    profile: Weighing = "balanced",
    per_conversation: Annotated[int, Between()] | None = None,
    now: datetime | None = None,
    techniques: Annotated[Sequence[str], Each(TECHNIQUES, "techniques")] | None = None,
    deadline: Annotated[float, Lasting()] | None = None,
) -> Why:
    """Explain the ranking of the memories for a question, and what was left out of the answer.

    With `item`, explain why that memory ranks where it does, or why it is not in the answer. `recalled.trace` says
    what each technique did.

    Args:
        query: the question, in words.
        item: the id of a memory.
        limit: the most items, 1 to 1,000.
        cut: whether the list ends after the memories that answer, as in `recall`.
        min_confidence: the confidence from which a memory answers, as in `recall`.
        tokens: the most tokens of text.
        kinds: only these kinds, as in `recall`.
        categories, sources: only what is of one of these, as in `recall`.
        surface, connection: only what was captured there, as in `recall`.
        metadata: only what the host noted so, as in `recall`.
        entities: names or ids of entities that are meant, as in `recall`.
        since: only what was said, or became valid, at this time or later.
        until: only what was said, or became valid, before this time.
        as_of: what was valid at this time.
        known_at: what was believed at this time.
        profile: what ranks, as in `recall`.
        per_conversation: the most items from one conversation.
        now: the time of asking; by default the clock's.
        techniques: further ways to search, as in `recall`.
        deadline: seconds for the search, as in `recall`.

    Raises:
        NotFoundError: there is no such memory.
        CapabilityError: a technique needs a model that this memory was opened without.
    """
    ask = asked(
        query, kinds, categories=categories, sources=sources, surface=surface, connection=connection,
        metadata=metadata, entities=tuple(entities or ()), limit=limit, cut=cuts(runtime, cut, min_confidence),
        min_confidence=min_confidence, tokens=tokens, since=since, until=until, as_of=as_of, known_at=known_at,
        profile=profile, per_conversation=per_conversation, now=now, grounds=True,
    )  # fmt: skip
    recalled = await recall_with(runtime, scope, ask, techniques, deadline)
    trace = recalled.trace
    out = await _cut(runtime, scope, trace)
    if item is None:
        told = f"{len(recalled)} of {len(recalled) + len(trace.left_out)} candidates, of {trace.searched:,} searched"
        return Why(place=None, verdict=told, recalled=recalled, cut=out)
    arms = trace.places(item)
    for place, found in enumerate(recalled, 1):
        if found.id == item:
            return Why(place=place, verdict=found.why, shares=found.shares, arms=arms, recalled=recalled, cut=out)
    index = (await runtime.partitions.current(scope.owner)).index
    number = index.numbers.get(item)
    if item in trace.left_out:
        verdict = f"It was a candidate, but {trace.left_out[item]}."
    elif number is not None and visible(index.passages[number], scope):
        verdict = "It is known, but no arm proposed it, or what narrows the question leaves it out."
    else:
        raise NotFoundError(f"There is no memory {brief(item)} in this scope; recall gives the ids of memories.")
    return Why(place=None, verdict=verdict, arms=arms, recalled=recalled, cut=out)


async def _cut(runtime: Runtime, scope: Scope, trace: Trace) -> tuple[Cut, ...]:
    """What was left out, with its text."""
    ids = list(trace.left_out)
    image = await runtime.partitions.current(scope.owner)
    records = image.records
    events, _ = await events_of(runtime, image, [one for one in ids if one not in records])
    said = {row.id: row.content for row in events if row is not None and visible(row, scope)}
    said |= {one: records[one].text for one in ids if one in records and visible(records[one], scope)}
    return tuple(Cut(id=one, text=said.get(one, ""), reason=trace.left_out[one], arms=trace.places(one)) for one in ids)


async def stats(runtime: Runtime, *, tenant: Id, user: Id | None = None) -> dict[str, Any]:
    """Return the counts of a tenant or one user: rows by table, records by kind and status, events by kind.

    Args:
        tenant: the tenant.
        user: the user; all users by default.
    """
    counts: dict[str, Any] = await _counts(runtime, tenant, user)
    current = Query(kind=Record, tenant=tenant, user=user, where=(Where("superseded_at", "is", None),))
    events = Query(kind=Event, tenant=tenant, user=user)
    for name, query, by in (("records", current, "kind"), ("records", current, "status"), ("events", events, "kind")):
        counts[f"{name}_by_{by}"] = dict(sorted((await runtime.store.count(query, by=by)).items()))
    return counts


async def _counts(runtime: Runtime, tenant: str, user: str | None) -> dict[str, int]:
    """Rows by table."""
    queries = {name: Query(kind=kind, tenant=tenant, user=user) for name, kind in TABLES.items()}
    return {name: sum((await runtime.store.count(query)).values()) for name, query in queries.items()}
