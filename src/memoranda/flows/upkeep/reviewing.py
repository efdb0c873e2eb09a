"""The jobs that look at all records: which say the same twice, and which somebody should confirm."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from operator import attrgetter

from memoranda.core.base.scope import Owner, Scope
from memoranda.core.beliefs.decay import IMPORTANT
from memoranda.core.beliefs.duplicates import NEAR
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Record
from memoranda.core.rows.changes import Add
from memoranda.core.rows.jobs import UPKEEP, Did
from memoranda.flows.capture.gateway import admission_to
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.upkeep.steps import DEDUPLICATE, Kept, job_event, open_records, settle
from memoranda.ports import Query, Where

AT_ONCE = 100  # records per transaction
UNCONFIRMED = timedelta(days=180)


async def deduplicate(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Merge records that say the same in other words, by the gateway's own rule.

    Records that differ in a word, a number or a name are never merged.
    """
    owner = Owner(tenant, user)
    rows = await open_records(runtime, owner)
    yield Did(counts={"merged": 0}, looked=len(rows), reason="no two records say the same in other words")
    names = [row.id for row in sorted(rows, key=attrgetter("valid_from", "hash", "id")) if row.promoted_from is None]
    for start in range(0, len(names), AT_ONCE):
        yield Did(counts={"merged": await _merged(runtime, owner, names[start : start + AT_ONCE])})


async def _merged(runtime: Runtime, owner: Owner, names: Sequence[str]) -> int:
    """Merge each of some records with another that says the same, if there is one; return how many were merged."""
    scope = Scope(tenant=owner.tenant, user=owner.user)

    def plan(partition: Partition) -> Kept:
        admission = admission_to(runtime, partition, runtime.clock())
        merged = [name for name in names if admission.unite(name) is not None]
        rows = [partition.records[name] for name in merged]
        events = job_event(
            runtime, scope, DEDUPLICATE, rows, admission.overlay.now,
            text="Merged {} statement(s) with others that say the same.",
            thresholds={"cosine": NEAR},
        )  # fmt: skip
        return Kept([*(Add(event) for event, _ in events), *admission.overlay.changes], merged)

    made, _ = await planned(runtime, scope, plan)
    return len(made.records)


async def weekly_review(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """Merge duplicates, then flag important records that nobody has confirmed or used for half a year.

    A flag is an event that names the records. They stay as they are: only a person's statement makes them untrue.
    """
    async for did in deduplicate(runtime, tenant, user):
        yield replace(did, reason="")
    owner, now = Owner(tenant, user), runtime.clock()
    known = await flagged(runtime, owner, now - UNCONFIRMED)

    async def read() -> list[Record]:
        return [row for row in await open_records(runtime, owner) if row.id not in known]

    found = await settle(
        runtime, owner, "weekly_review", read, _unconfirmed, _as_it_is,
        text=f"{{}} important statement(s) to be reviewed: not confirmed and not used for {UNCONFIRMED.days} days.",
        thresholds={"importance": IMPORTANT, "days": UNCONFIRMED.days},
    )  # fmt: skip
    yield Did(counts={"flagged": len(found)}, reason="no two records say the same, and all that matters is fresh")


async def flagged(runtime: Runtime, owner: Owner, since: datetime) -> set[str]:
    """The ids of records that were flagged for review since then."""
    where = (Where("kind", "=", UPKEEP), Where("event_time", ">", since))
    page = await runtime.store.find(owner, Query(kind=Event, tenant=owner.tenant, user=owner.user, where=where))
    reviews = (event.metadata for event in page.rows[0] if event.metadata["job"] == "weekly_review")
    return {name for noted in reviews for name in noted["records"]}


def _unconfirmed(record: Record, since: datetime, now: datetime) -> bool:
    return record.importance >= IMPORTANT and record.temporal == "current" and now - since >= UNCONFIRMED


def _as_it_is(here: Overlay, record: Record, event: Event) -> None:
    """A flag changes nothing."""
