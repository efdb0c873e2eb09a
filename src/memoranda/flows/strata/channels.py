"""Channels: what each holds, which requests crossed them, and promotion to all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Id
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import GLOBAL, Scope, visible
from memoranda.core.beliefs.admission import Admission, Decision
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.promotion import EDITOR, promotion_id
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.image.image import Partition
from memoranda.core.image.places import Place, places
from memoranda.core.rows import ContextLog, Event, Record
from memoranda.core.rows.changes import Add, Change
from memoranda.core.rows.lifecycle import OPEN
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.events import content_of, event_at, notes_of
from memoranda.flows.capture.gateway import admission_to
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query

MOST = 1_000  # the most requests that are returned


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """A request whose context contained memories of another channel.

    Attributes:
        id: of the row of the context log; `query`: what was asked; `at`: when.
        channel: the active one.
        found: ids of the memories of other channels.
    """

    id: str
    query: str
    at: datetime
    channel: str
    found: tuple[str, ...]


@dataclass(slots=True)
class _Promoted:
    record: Record
    changes: list[Change] = field(default_factory=list)


async def promote(
    runtime: Runtime,
    scope: Scope,
    record: Id,
    *,
    reason: str | None = None,
    thresholds: Mapping[str, Any] | None = None,
) -> Record:
    """Copy a record of a channel to `_global`, where every channel sees it. Idempotent: there is one copy.

    The copy rests on the same events, and on one of kind `promotion` that says why, and it names its original. It falls
    with the original, and with that event.

    Args:
        record: its id.
        reason: why it holds everywhere.
        thresholds: what it had to reach, kept with its actual values.

    Raises:
        NotFoundError: this scope sees no such record.
        InputError: it is in `_global`, no longer holds, here or there, or belongs to its channel, as a goal does.
    """
    why = None if reason is None else content_of(runtime, reason)
    return await copied(runtime, scope, record, why, notes_of(thresholds, "thresholds"), "user_provided")


async def copied(
    runtime: Runtime, scope: Scope, record: str, why: str | None, noted: Mapping[str, Any], source: str
) -> Record:
    """As `promote`; `source` says who decided it."""

    def plan(partition: Partition) -> _Promoted:
        now = runtime.clock()
        known, event_id = _promotable(partition, scope, record, now), promotion_id(scope.owner, record)
        there = (partition.records.get(one) for one in partition.records_by_source.get(event_id, ()))
        copy = next((one for one in there if one is not None and event_id in one.sources), None)
        if copy is not None and (copy.valid_to is None or copy.valid_to > now):
            return _Promoted(copy)
        if copy is not None:
            raise InputError(
                f"Its copy {brief(copy.id)} in {GLOBAL} no longer holds; history tells what came after it."
            )
        admission = admission_to(runtime, partition, now)
        index = partition.index
        talks = {index.passages[index.numbers[one]].conversation for one in known.sources if one in index.numbers}
        event = event_at(
            scope, known.connection, source, id=event_id, kind="promotion", role="",
            content=f"Promoted to {GLOBAL}" + (f": {why}" if why else ""), surface="tool", event_time=now,
            recorded_at=admission.overlay.now, metadata={
                "record": known.id, "reason": why, "thresholds": noted, "confidence": known.confidence,
                "access_count": known.access_count, "conversations": len(talks - {None}),
            },
        )  # fmt: skip
        decision = copied_by(admission, known, event)
        if decision.record is None or partition.forbids(event):
            raise InputError(
                "This promotion was forgotten on request: say it in the channel _global if it is so there."
            )
        made = admission.overlay.current(decision.record) or known
        return _Promoted(made, [Add(event), *admission.overlay.changes])

    return (await planned(runtime, scope, plan))[0].record


def copied_by(admission: Admission, known: Record, event: Event) -> Decision:
    """Admit the copy of a record in `_global` that `event` makes."""
    overlay = admission.overlay
    place = known.agent or "", GLOBAL, known.connection or ""
    copy = replace(
        known, id=derived_id(overlay.partition.owner, "record", *place, known.kind, known.hash), version=1,
        channel=GLOBAL, promoted_from=known.id, supersedes=None, contradicted_by=None,
        sources=united(known.sources, (event.id,)), recorded_at=overlay.now, editor=EDITOR,
        access_count=0, last_accessed=None, seq=0,
    )  # fmt: skip
    own = overlay.now if known.source == "user_provided" else None  # it stands
    return admission.admit(copy, overlay.vector(known), own=own)


def _promotable(partition: Partition, scope: Scope, name: str, now: datetime) -> Record:
    record = partition.records.get(name)
    if record is None or not visible(record, scope):
        raise NotFoundError(f"There is no record {brief(name)} in this scope; recall gives the ids of records.")
    if record.channel == GLOBAL:
        raise InputError(f"The record {brief(name)} is in {GLOBAL} already.")
    if record.editor in COMPOSED:
        raise InputError(f"A {record.kind} belongs to its channel: set it in {GLOBAL}, too.")
    if record.status not in OPEN or (record.valid_to is not None and record.valid_to <= now):
        raise InputError(f"The record {brief(name)} no longer holds; history tells what came after it.")
    return record


async def known(runtime: Runtime, scope: Scope) -> tuple[Place, ...]:
    """The channels in which this scope sees something, with how much and the time of the last activity.

    A scope sees its own and `_global`; `whole=True` sees all.
    """
    partition = await runtime.partitions.current(scope.owner)
    return tuple(places(partition.index, partition.mask(scope, now=runtime.clock()), "channel").values())


async def hits(runtime: Runtime, scope: Scope, *, limit: Annotated[int, Between(1, MOST)] = 20) -> tuple[Crossing, ...]:
    """The requests whose context contained memories of another channel than the active one, the latest first.

    Args:
        limit: at most so many, up to 1,000.
    """
    await runtime.journal.settle()
    query = Query(kind=ContextLog, tenant=scope.tenant, user=scope.user, order=("-created_at", "-seq"))
    page = await runtime.store.find(scope.owner, query)
    found = [row for row in page.rows[0] if row.cross_channel and visible(row, scope)]
    return tuple(
        Crossing(id=row.id, query=row.query, at=row.created_at, channel=row.channel, found=row.cross_channel)
        for row in found[:limit]
    )
