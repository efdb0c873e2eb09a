"""The log as a queue for consolidation: which events wait, which failed, and which are retried by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Id, Ids
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import Attempt, Event, key_of
from memoranda.core.rows.changes import Patch
from memoranda.core.strata.filters import noted
from memoranda.core.text.terms import storable
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.commits import Made, settled
from memoranda.flows.runtime.reading import listed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

MOST = 1_000
TRIES = 5
FIRST_WAIT = timedelta(minutes=1)
LAST_WAIT = FIRST_WAIT * 2 ** (TRIES - 2)
_ERROR = 500  # characters of an error that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """An event of the log.

    Attributes:
        event: as it was recorded; `processed_at` says when consolidation processed it.
        attempt: the last failed attempt of consolidation, if the event is still unprocessed.
        message_id: of the message it came from, as the host noted it; `attachments`: the names of its files.
    """

    event: Event
    attempt: Attempt | None = None
    message_id: str | None = None
    attachments: tuple[str, ...] = ()

    @property
    def dead(self) -> bool:
        """Whether it is a dead letter, which is tried again only after `retry`."""
        return self.attempt is not None and self.attempt.retry_at is None


async def events(
    runtime: Runtime,
    scope: Scope,
    *,
    dead: bool = False,
    waiting: bool = False,
    kind: str | None = None,
    conversation: Id | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    oldest_first: bool = False,
    after: Id | None = None,
    limit: Annotated[int, Between(1, MOST)] = 20,
) -> tuple[Logged, ...]:
    """Return the events visible in this scope, latest first, each with its failed consolidation attempts.

    To read on, give the id of the last event as `after`, until fewer come than `limit`.

    Args:
        dead: only dead letters: events that consolidation failed on too often to try again before `retry`.
        waiting: only events that consolidation has not processed.
        kind: only this kind: turn, observation, tool_call, log, …
        conversation: only events of this conversation.
        since: only events that happened at this time or later.
        until: only events that happened before this time.
        oldest_first: in the order in which they happened.
        after: the id of the event behind which the answer begins, in its order.
        limit: the most events, up to 1,000.

    Raises:
        NotFoundError: the event `after` is not visible in this scope, or was forgotten meanwhile.
    """
    where = [Where("processed_at", "is", None)] if dead or waiting else []
    for name, value in (("kind", kind), ("conversation", conversation)):
        if value is not None:
            where.append(Where(name, "=", check_identifier(name, value)))
    where += [] if since is None else [Where("event_time", ">=", since)]
    where += [] if until is None else [Where("event_time", "<", until)]
    attempts = await _attempts(runtime, scope)
    order = ("event_time", "seq") if oldest_first else ("-event_time", "-seq")
    query = Query(kind=Event, tenant=scope.tenant, user=scope.user, where=tuple(where), order=order)

    def wanted(row: Event) -> bool:
        return not dead or _logged(row, attempts).dead

    found = await listed(runtime, scope, query, limit, after, wanted)
    return tuple(_logged(row, attempts) for row in found)


async def event(runtime: Runtime, scope: Scope, event: Id) -> Logged:
    """Return one event of the log, as it was recorded.

    Args:
        event: its id.

    Raises:
        NotFoundError: this scope sees no such event.
    """
    [row] = await runtime.store.get(Event, scope.owner, [(event,)])
    if row is None or not visible(row, scope):
        raise NotFoundError(f"There is no event {brief(event)} in this scope; events gives the ids of events.")
    return _logged(row, await _attempts(runtime, scope))


def _logged(row: Event, attempts: Mapping[str, Attempt]) -> Logged:
    message = next(map(str, noted(row.metadata, "message_id")), None)
    files = tuple(dict.fromkeys(map(str, noted(row.metadata, "filename"))))
    attempt = None if row.processed_at else attempts.get(row.id)
    return Logged(event=row, attempt=attempt, message_id=message, attachments=files)


async def retry(runtime: Runtime, scope: Scope, *, events: Ids | None = None) -> tuple[str, ...]:
    """Let consolidation retry events it failed on, with the attempt count reset, and return their ids.

    Args:
        events: their ids; by default all dead letters visible in this scope.

    Raises:
        NotFoundError: consolidation did not fail on one of them, or it is not visible in this scope.
    """

    async def plan(_: Partition) -> Made[tuple[str, ...]]:
        found = (await _attempts(runtime, scope)).values()
        failed = {row.event for row in found}
        strange = next((name for name in events or () if name not in failed), None)
        if strange is not None:
            raise NotFoundError(f"{brief(strange)} is no event that failed and waits: events(waiting=True) lists them.")
        again = [row for row in found if (row.retry_at is None if events is None else row.event in events)]
        values = {"count": 0, "retry_at": runtime.clock()}
        return Made(tuple(row.event for row in again), [Patch(Attempt, key_of(row), values) for row in again])

    return (await settled(runtime, scope, plan))[0].answer


async def _attempts(runtime: Runtime, scope: Scope) -> dict[str, Attempt]:
    """The attempts for unprocessed events that a scope sees, by event."""
    page = await runtime.store.find(scope.owner, Query(kind=Attempt, tenant=scope.tenant, user=scope.user))
    seen = [row for row in page.rows[0] if visible(row, scope)]
    found = await runtime.store.get(Event, scope.owner, [(row.event,) for row in seen])
    return {row.event: row for row, event in zip(seen, found, strict=True) if event and event.processed_at is None}


def attempt_after(event: Event, known: Attempt | None, error: str, now: datetime) -> Attempt:
    """The next attempt: its back-off is twice the last one; after `TRIES` failures there is none."""
    count = (known.count if known else 0) + 1
    return Attempt(
        tenant=event.tenant, user=event.user, event=event.id, agent=event.agent, channel=event.channel,
        connection=event.connection, count=count, error=storable(error[:_ERROR])[0], failed_at=now,
        retry_at=now + FIRST_WAIT * 2 ** (count - 1) if count < TRIES else None,
    )  # fmt: skip
