"""The job that notes trends: records of kind "pattern" that rest on all the events they were counted from.

A trend that continues is noted anew each week, as another record, and the previous one ends. A trend that is over ends.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner, Scope
from memoranda.core.beliefs.overlay import Overlay, again
from memoranda.core.beliefs.trends import WEEKS, Saying, Trend, week_of
from memoranda.core.beliefs.trends import trends as read_trends
from memoranda.core.image.image import Partition, of_kind
from memoranda.core.rows import Entity, Event, Record
from memoranda.core.rows.access import Site, site_of
from memoranda.core.rows.changes import Change
from memoranda.core.rows.jobs import Did
from memoranda.core.text.terms import content_hash
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import settled
from memoranda.flows.runtime.runtime import Embedded, Runtime, embed
from memoranda.ports import Query, Where

PATTERN, EDITOR = "pattern", "trends"
_COUNTED = frozenset({"turn", "observation", "log"})
_TOPICS = frozenset({"person", "organisation", "place", "product", "thing"})


async def trends(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Note the trends in what was said and observed in the last twelve whole weeks, for each place separately."""
    owner, now = Owner(tenant, user), runtime.clock()
    counts = {"noted": 0, "ended": 0}
    events = await _events(runtime, owner)
    reason = f"no number goes one way, and no topic comes up more often, in {WEEKS.days // 7} weeks"
    yield Did(counts=counts, looked=len(events), reason=reason)
    found = await _found(runtime, owner, events)
    texts = sorted({trend.text for _, trend, _ in found})
    known = await runtime.partitions.current(owner)
    whole = Scope(tenant=tenant, user=user, whole=True)
    if not texts and not any(record.editor == EDITOR for record in of_kind(known, PATTERN, whole)):
        return
    vectors = await embed(runtime, whole, texts)

    async def plan(partition: Partition) -> _Noted:
        fresh = await _found(runtime, owner, await _events(runtime, owner))
        here = overlay_on(runtime, partition, now)
        return _noted(here, [_record(owner, *one, here) for one in fresh], whole, texts, vectors)

    made, _ = await settled(runtime, Scope(tenant=tenant, user=user), plan)
    yield Did(counts={"noted": made.noted, "ended": made.ended})


@dataclass(slots=True)
class _Noted:
    """What a run writes, how many trends are new, and how many ended."""

    changes: list[Change] = field(default_factory=list)
    noted: int = 0
    ended: int = 0


def _noted(here: Overlay, records: Sequence[Record], whole: Scope, texts: Sequence[str], vectors: Embedded) -> _Noted:
    """Plan the changes after which exactly these trends stand."""
    made = _Noted()
    known = [row for row in of_kind(here.partition, PATTERN, whole) if row.editor == EDITOR]
    wrong = {(str(row.value), site_of(row)) for row in known if row.status == "rejected"}
    standing = [row for row in known if row.valid_to is None and row.status != "rejected"]
    records = [record for record in records if (str(record.value), site_of(record)) not in wrong]
    wanted = {(record.hash, site_of(record)) for record in records}
    held = {(record.hash, site_of(record)) for record in standing}
    for old in standing:
        if (old.hash, site_of(old)) not in wanted:
            here.change(replace(old, valid_to=max(old.valid_from, here.now), status="expired"))
            made.ended += 1
    for record in records:
        if (record.hash, site_of(record)) in held or here.partition.forbids(record):
            continue
        new = record
        while here.taken(new.id):
            new = again(new)
        here.insert(new, vectors.of(texts.index(new.text)) if new.text in texts else None)
        made.noted += 1
    made.changes = here.changes
    return made


async def _events(runtime: Runtime, owner: Owner) -> list[Event]:
    """What was said and observed in the weeks that are counted."""
    end = week_of(runtime.clock())
    where = (Where("event_time", ">=", end - WEEKS), Where("event_time", "<", end))
    page = await runtime.store.find(owner, Query(kind=Event, tenant=owner.tenant, user=owner.user, where=where))
    return [event for event in page.rows[0] if event.kind in _COUNTED and event.role in {"user", ""}]


async def _found(runtime: Runtime, owner: Owner, events: Sequence[Event]) -> list[tuple[Site, Trend, float]]:
    """The trends in some events by place, each with the lowest trust of its events."""
    if not events:
        return []
    page = await runtime.store.find(owner, Query(kind=Entity, tenant=owner.tenant, user=owner.user))
    names = {row.id: row.name for row in page.rows[0] if row.type in _TOPICS}
    index = (await runtime.partitions.current(owner)).index
    trust = {event.id: event.trust for event in events}
    found = []
    for site, group in groupby(sorted(events, key=site_of), key=site_of):
        said = [
            Saying(
                id=event.id, at=event.event_time, text=event.content, names={
                    entity: names[entity] for entity in index.passages[index.numbers[event.id]].entities
                    if entity in names
                } if event.id in index.numbers else {},
            )
            for event in group
        ]  # fmt: skip
        found += [
            (site, trend, min(trust[one] for one in trend.sources)) for trend in read_trends(said, runtime.clock())
        ]
    return found


def _record(owner: Owner, site: Site, trend: Trend, trust: float, here: Overlay) -> Record:
    agent, channel, connection = site
    claim = content_hash(trend.text)
    numbers = (here.partition.index.numbers.get(source) for source in trend.sources)
    entities = (here.partition.index.passages[number].entities for number in numbers if number is not None)
    about = trend.about.removeprefix("topic ")
    return Record(
        tenant=owner.tenant, user=owner.user, id=derived_id(owner, "record", *site, PATTERN, claim), kind=PATTERN,
        category="workflow", text=trend.text, certainty="inferred", confidence=0.7, agent=agent or None,
        channel=channel, connection=connection or None, source="system_learned", trust=trust, valid_from=here.now,
        recorded_at=here.now, sources=trend.sources, editor=EDITOR, hash=claim, value={"trend": trend.about},
        entities=tuple({one for named in entities for one in named if one == about}),
    )  # fmt: skip
