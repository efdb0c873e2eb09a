"""Reading the context log: what went into the prompts of the past, and what each of them was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Id
from memoranda.core.base.scope import Scope, visible
from memoranda.core.rows import ContextLog, Event, Record
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.reading import listed, own, undisturbed
from memoranda.flows.runtime.runtime import Runtime, read
from memoranda.ports import Query, Where

MOST = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A memory that was in a context.

    Attributes:
        id: its id; `of`: event or record, None if it is neither, or is there no more.
        text: what it said then; None if it is not there any more.
        at: when it happened, or from when it holds.
    """

    id: str
    of: Literal["event", "record"] | None = None
    text: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Injected:
    """What a request's context consisted of.

    Attributes:
        context: its row in the log: the query, the tokens, and by section what was in and out, with reasons.
        parts: the memories in the text, in its order.
    """

    context: ContextLog
    parts: tuple[Part, ...]


async def contexts(
    runtime: Runtime,
    scope: Scope,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    conversation: Id | None = None,
    after: Id | None = None,
    limit: Annotated[int, Between(1, MOST)] = 20,
) -> tuple[ContextLog, ...]:
    """Return which contexts were made in this scope, the latest first: queries, ids of memories, tokens, reasons.

    To read on, give the id of the last one as `after`, until fewer come than `limit`. `Settings.context_log` says
    whether contexts are logged; those that named or repeated what was forgotten are gone with it.

    Args:
        since: only those of this time or later.
        until: only those before this time.
        conversation: only those that were made for this conversation.
        after: the id of the context behind which the answer begins.
        limit: the most contexts, up to 1,000.

    Raises:
        NotFoundError: the context `after` is not in this scope, or no longer.
    """
    where = [] if since is None else [Where("created_at", ">=", since)]
    where += [] if until is None else [Where("created_at", "<", until)]
    where += [] if conversation is None else [Where("conversation", "=", conversation)]
    await runtime.journal.settle()
    order = ("-created_at", "-seq")
    query = Query(kind=ContextLog, tenant=scope.tenant, user=scope.user, where=tuple(where), order=order)
    return tuple(await listed(runtime, scope, query, limit, after))


async def context_of(runtime: Runtime, scope: Scope, request: Id) -> Injected:
    """Return what one context consisted of: for which query, which memories, in how many tokens of which section.

    Args:
        request: its id, as `contexts` gives it.

    Raises:
        NotFoundError: there is no such context in this scope, or it went with what was forgotten.
    """
    await runtime.journal.settle()
    return await _injected(runtime, scope, request)


@undisturbed(own)
async def _injected(runtime: Runtime, scope: Scope, request: str) -> Injected:
    [row] = await runtime.store.get(ContextLog, scope.owner, [(request,)])
    if row is None or not visible(row, scope):
        raise NotFoundError(f"There is no context {brief(request)} in this scope; contexts gives the ids of contexts.")
    known = {**await _records(runtime, scope, row), **await _events(runtime, scope, row)}
    return Injected(context=row, parts=tuple(known.get(one, Part(id=one)) for one in row.included))


async def _events(runtime: Runtime, scope: Scope, row: ContextLog) -> Mapping[str, Part]:
    found, _ = await read(runtime, Event, scope.owner, row.included)
    seen = (one for one in found if one is not None and visible(one, scope))
    return {one.id: Part(id=one.id, of="event", text=one.content, at=one.event_time) for one in seen}


async def _records(runtime: Runtime, scope: Scope, row: ContextLog) -> Mapping[str, Part]:
    """The records, each in the version that was believed then."""
    where = (Where("id", "in", row.included), Where("recorded_at", "<=", row.created_at))
    query = Query(kind=Record, tenant=scope.tenant, user=scope.user, where=where, order=("version",), lenient=True)
    page = await runtime.store.find(scope.owner, query)
    seen = (one for one in page.rows[0] if visible(one, scope))
    return {one.id: Part(id=one.id, of="record", text=one.text, at=one.valid_from) for one in seen}
