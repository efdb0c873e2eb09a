"""What upkeep jobs share: which records they look at, and the event that says what became of them.

A job never changes an event. Its change to a record is a new version, or the end of the last one, and the
version names an event of kind `upkeep` in the same place, which names the job and the reason. `history` shows the
event, a rebuild repeats it, and forgetting it undoes it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from memoranda.core.base.scope import GLOBAL, Owner, Scope
from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.decay import last_touched
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Record
from memoranda.core.rows.access import site_of
from memoranda.core.rows.changes import Add, Change
from memoranda.core.rows.jobs import UPKEEP
from memoranda.core.strata.keys import KEY
from memoranda.flows.capture.events import event_at
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import settled
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

DEDUPLICATE = "deduplicate"
#: The statuses of records that a job may archive: a disputed one waits for a person.
SETTLED = frozenset({"candidate", "verified"})
#: The kinds of records that fade: goals, strategies, summaries and statements about entities have rules of their own.
KINDS = frozenset({"fact", "preference", "decision", "plan", "observation", "pattern", "reflection", "tool_output"})

Test = Callable[[Record, datetime, datetime], bool]
Left = Callable[[Overlay, Record, Event], None]


@dataclass(slots=True)
class Kept:
    """What a job writes."""

    changes: list[Change] = field(default_factory=list)
    records: list[str] = field(default_factory=list)


async def open_records(
    runtime: Runtime, owner: Owner, statuses: frozenset[str] = SETTLED, *where: Where
) -> Sequence[Record]:
    """An owner's open records that a job looks at, with all uses counted.

    Composed records, such as goals, and values kept under a key are looked after elsewhere.
    """
    await runtime.partitions.uses.settle(owner)
    believed = (Where("superseded_at", "is", None), Where("valid_to", "is", None), *where)
    query = Query(kind=Record, tenant=owner.tenant, user=owner.user, where=believed)
    page = await runtime.store.find(owner, query)
    return [
        row
        for row in page.rows[0]
        if row.status in statuses and row.kind in KINDS and row.editor not in COMPOSED and row.subject != KEY
    ]


async def settle(
    runtime: Runtime,
    owner: Owner,
    job: str,
    read: Callable[[], Any],
    test: Test,
    leave: Left,
    *,
    text: str,
    thresholds: Mapping[str, Any],
) -> list[str]:
    """Apply a job to the records that pass its test; return their ids.

    Args:
        read: an async function that returns the records to look at.
        test: called with a record, when it was last touched, and the time.
        leave: plans what becomes of a record, because of the event.
        text: of the event: what was done, with {} for how many.
        thresholds: of the test, kept with the event.
    """
    scope = Scope(tenant=owner.tenant, user=owner.user)

    async def plan(partition: Partition) -> Kept:
        rows, now = await read(), runtime.clock()
        found = [row for row in rows if test(row, touched(partition, row), now)]
        here = overlay_on(runtime, partition, now)
        for event, records in job_event(runtime, scope, job, found, here.now, text=text, thresholds=thresholds):
            here.changes.append(Add(event))
            for record in records:
                leave(here, record, event)
        return Kept(here.changes, [row.id for row in found])

    now = runtime.clock()
    if not any(test(row, last_touched(row), now) for row in await read()):
        return []  # and the owner's image is not needed
    return (await settled(runtime, scope, plan))[0].records


def touched(partition: Partition, record: Record) -> datetime:
    """When a record was last written, accessed or said."""
    return last_touched(record, max((at for at, _ in partition.sayings(record)), default=None))


def archive(here: Overlay, record: Record, event: Event) -> None:
    """Archive a record, so that recall does not find it. It comes back when it is said again."""
    here.change(replace(record, status="archived", contradicted_by=event.id))


def drop(here: Overlay, record: Record, event: Event) -> None:
    """Archive and supersede a record, without saying that it was wrong; only its history is left."""
    archive(here, record, event)
    here.supersede(here.drafts[record.id])


def done_again(admission: Admission, here: Overlay, records: Iterable[Record], event: Event) -> list[Change]:
    """What a job did to some records, when the log is replayed; nothing to those that it would not have looked at."""
    job = event.metadata["job"]
    for record in records:
        if job == DEDUPLICATE:
            admission.unite(record.id)
        elif job in _LEFT and record.valid_to is None and record.status in SETTLED | {"archived"}:
            _LEFT[job](here, record, event)
    return [*admission.overlay.changes, *here.changes]


#: What each job does to a record.
_LEFT: Mapping[str, Left] = {"decay": archive, "rot": archive, "prune": drop}


def job_event(
    runtime: Runtime,
    scope: Scope,
    job: str,
    records: Iterable[Record],
    now: datetime,
    *,
    text: str,
    thresholds: Mapping[str, Any],
) -> list[tuple[Event, list[Record]]]:
    """An event for each place in which a job changes records, with these records."""
    found = []
    for (agent, channel, connection), group in groupby(sorted(records, key=site_of), key=site_of):
        rows = list(group)
        event = event_at(
            scope.narrow(agent=agent or None, channel=channel or GLOBAL), connection or None, "system_learned",
            id=runtime.ids(), kind=UPKEEP, role="", content=text.format(len(rows)), surface="heartbeat",
            event_time=now, recorded_at=now, processed_at=now,
            metadata={"job": job, "records": [row.id for row in rows], "thresholds": dict(thresholds)},
        )  # fmt: skip
        found.append((event, rows))
    return found
