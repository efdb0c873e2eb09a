"""Reading: a request sees each owner's memory as it was at one moment, whatever is written while it runs."""

import json
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial, wraps
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from memoranda.core.base.checks import brief
from memoranda.core.base.scope import SHARED, Owner, Scope, check_identifier, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, R, Record
from memoranda.core.rows.rowset import Damaged
from memoranda.errors import ConflictError, InputError, NotFoundError
from memoranda.flows.runtime.commits import reread
from memoranda.flows.runtime.runtime import Runtime, newest, read
from memoranda.ports import Query, Where

UNASKED = 3  # attempts before writers are asked to wait

_P = ParamSpec("_P")
_T = TypeVar("_T")
#: Whether a row is wanted.
Wanted = Callable[[Any], bool]
_Flow = Callable[Concatenate[Runtime, Scope, _P], Coroutine[Any, Any, _T]]


def at_one_moment(flow: _Flow[_P, _T]) -> _Flow[_P, _T]:
    """A flow that only reads, with the images of one moment; begun anew if what they hold is forgotten meanwhile."""

    @wraps(flow)
    async def pinned(runtime: Runtime, scope: Scope, /, *args: _P.args, **names: _P.kwargs) -> _T:
        if runtime.partitions.is_pinned:  # another flow reads with the help of this one
            return await flow(runtime, scope, *args, **names)

        async def attempt() -> _T:
            return await flow(replace(runtime, partitions=runtime.partitions.pinned()), scope, *args, **names)

        return await reread(attempt)

    return pinned


async def events_of(
    runtime: Runtime, image: Partition, refs: Sequence[str]
) -> tuple[Sequence[Event | None], tuple[Damaged, ...]]:
    """The events with these ids, which an image knows, None for one that cannot be read; and those that are damaged.

    Raises:
        ConflictError: one is missing because something was dropped since the image was read.
    """
    if not refs:
        return [], ()
    events, damaged = await read(runtime, Event, image.owner, refs)
    if None in events and (await runtime.store.find(image.owner)).state.dropped > image.dropped:
        raise ConflictError("Something was forgotten meanwhile.")
    return events, damaged


async def listed(
    runtime: Runtime, scope: Scope, query: Query[R], limit: int, after: str | None, wanted: Wanted = bool
) -> list[R]:
    """The first `limit` rows of a query that are `wanted` and that a scope sees, behind the row with the id `after`.

    All columns of its order rise or all fall, none is ever empty, and together they tell any two rows apart.

    Raises:
        NotFoundError: the scope sees no row of this id.
    """

    def place(row: Any) -> tuple[Any, ...]:
        return tuple(getattr(row, name.removeprefix("-")) for name in query.order)

    def seen(row: Any) -> bool:
        return visible(row, scope) and wanted(row)

    if after is None:
        return await newest(runtime, scope.owner, query, limit, seen)
    [last] = await runtime.store.get(query.kind, scope.owner, [(check_identifier("after", after),)])
    if last is None or not visible(cast("Any", last), scope):
        raise NotFoundError(f"after is {brief(after)}, which is not in this scope, or no longer: begin without after.")
    column, falls, end = query.order[0].removeprefix("-"), query.order[0].startswith("-"), place(last)
    query = replace(query, where=(*query.where, Where(column, "<=" if falls else ">=", end[0])))

    def behind(row: Any) -> bool:
        return (place(row) < end if falls else place(row) > end) and seen(row)

    return await newest(runtime, scope.owner, query, limit, behind)


def mark_of(scope: Scope, *more: object) -> str:
    """What a cursor holds of the scope in which it was returned, and of `more` that was asked: a short hash."""
    place = (scope.user, scope.agent, scope.channel, sorted(scope.connections), scope.whole, *more)
    return sha256(json.dumps(place, sort_keys=True, default=str).encode()).hexdigest()[:8]


def seen(image: Partition, scope: Scope, kind: str, kinds: str, name: str) -> Record:
    """The current record of a kind with this id.

    Raises:
        NotFoundError: the scope sees none.
    """
    record = image.records.get(check_identifier(kind, name))
    if record is None or record.kind != kind or not visible(record, scope):
        raise NotFoundError(f"There is no {kind} {brief(name)} in this scope; {kinds}.find gives the ids of {kinds}.")
    return record


def own(scope: Scope) -> Owner:
    """The user of a scope."""
    return scope.owner


def shared(scope: Scope) -> Owner:
    """The owner of what the tenant shares."""
    return Owner(scope.tenant, SHARED)


def undisturbed(*of: Callable[[Scope], Owner]) -> Callable[[_Flow[_P, _T]], _Flow[_P, _T]]:
    """Make a flow that only reads begin anew if anything was written meanwhile, for owners that a scope leads to.

    For flows that put together what they read in several steps. What is asked at every turn of a conversation reads
    images instead (`at_one_moment`), which no writer can disturb. After a few attempts the writers of this process
    wait; so the flow must not write itself, nor wait for the journal.
    """

    def wrap(flow: _Flow[_P, _T]) -> _Flow[_P, _T]:
        @wraps(flow)
        async def steady(runtime: Runtime, scope: Scope, /, *args: _P.args, **names: _P.kwargs) -> _T:
            owners = [owner(scope) for owner in of]
            attempt = partial(_steady, runtime, owners, lambda: flow(runtime, scope, *args, **names))
            for _ in range(UNASKED):
                with suppress(ConflictError):
                    return await attempt()
            async with AsyncExitStack() as turns:
                for owner in owners:  # forgetting takes both turns in this order, too
                    await turns.enter_async_context(runtime.partitions.turn(owner))
                return await reread(attempt)

        return steady

    return wrap


async def _steady(runtime: Runtime, owners: Sequence[Owner], work: Callable[[], Awaitable[_T]]) -> _T:
    """The answer of `work`.

    Raises:
        ConflictError: something was written for one of the owners meanwhile.
    """
    before = await _states(runtime, owners)
    trouble: InputError | None = None
    try:
        answer = await work()
    except InputError as error:  # what was found may have gone before it was read
        trouble = error
    if await _states(runtime, owners) != before:
        raise ConflictError("This memory was written meanwhile.")
    if trouble is not None:
        raise trouble
    return answer


async def _states(runtime: Runtime, owners: Sequence[Owner]) -> list[int]:
    return [(await runtime.store.find(owner)).state.seq for owner in owners]
