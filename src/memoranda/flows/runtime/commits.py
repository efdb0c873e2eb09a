"""Optimistic writes against an owner's image, and writes that a cancellation cannot break off.

A caller that is cancelled during a write cannot know whether it was applied. If a write has consequences that the next
reader would not notice, such as dropping forgotten data from the image and the embedder's cache, it is carried on to
its end.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from memoranda.core.base.scope import SHARED, Owner, Scope
from memoranda.core.image.image import Partition
from memoranda.core.rows import ConnectionCache, Event, Record
from memoranda.core.rows.changes import Add, Applied, Batch, Change, Put
from memoranda.core.text.forgotten import Forgotten
from memoranda.errors import ConflictError, InputError, ScopeError
from memoranda.flows.runtime.audit import entered
from memoranda.flows.runtime.repeats import marked, written
from memoranda.flows.runtime.runtime import Runtime

ATTEMPTS = 10_000  # several seconds: with many processes writing for one user, a slow one often comes too late
#: Kinds of events that capture and consolidation have looked at, and of records with words of a host in their value.
_SCREENED = frozenset({"turn", "observation", "tool_call", "log", "consolidation"})
_COMPOSED = frozenset({"goal", "strategy", "outcome"})
REREADS = 100  # attempts that each read several times, or all of an owner's rows, which takes longer


_A = TypeVar("_A")


@dataclass(slots=True)
class Made(Generic[_A]):
    """What is to be written, and what the caller gets."""

    answer: _A
    changes: list[Change] = field(default_factory=list)


class Plan(Protocol):
    """What is to be written, and what else the caller wants to know."""

    @property
    def changes(self) -> Sequence[Change]:
        """The changes, in order; if there are none, nothing is written."""


_T = TypeVar("_T")
_PLAN = TypeVar("_PLAN", bound=Plan)

_UNDER_WAY: set[asyncio.Task[Any]] = set()  # or a loop would hold them by a weak reference alone


async def planned(runtime: Runtime, scope: Scope, plan: Callable[[Partition], _PLAN]) -> tuple[_PLAN, Applied]:
    """Plan against the owner's image and write in one transaction; repeat until nobody else wrote in between.

    `plan` must be pure, because it may be called several times. The last plan is the one written, and is returned. If
    `plan` refuses or has nothing to write, no store would report that the image was out of date, so it is called again
    with a current image.

    Raises:
        ScopeError: the scope is the whole of a user's memory, which is no place.
    """

    async def at_once(partition: Partition) -> _PLAN:
        return plan(partition)

    return await settled(runtime, scope, at_once)


async def settled(
    runtime: Runtime, scope: Scope, plan: Callable[[Partition], Awaitable[_PLAN]]
) -> tuple[_PLAN, Applied]:
    """As `planned`, for a plan that reads rows which no image holds; they cannot change before the write."""
    check_place(scope)
    async with runtime.partitions.turn(scope.owner):
        for attempt in range(ATTEMPTS):
            # First against the image at hand, which is nearly always up to date: the store says if it is not.
            partition = await (runtime.partitions.current if attempt else runtime.partitions.recent)(scope.owner)
            try:
                made = await plan(partition)
                changes = await _allowed(runtime, scope, made.changes, partition)
            except InputError:
                if attempt:
                    raise
                continue
            if not changes:
                if attempt:
                    return made, Applied(seq=partition.seq)
                continue
            try:
                with runtime.partitions.uses.taken(scope.owner) as uses:
                    noted = entered(runtime, scope, changes, partition.seq)
                    noted += await marked(runtime, scope, changes)
                    batch = Batch(owner=scope.owner, changes=(*changes, *noted, *uses), expect=partition.seq)
                    applied = await runtime.store.apply(batch)
                    written(scope)
            except ConflictError:
                continue
            runtime.partitions.follow(batch, applied)
            return made, applied
    raise ConflictError(f"Gave up after {ATTEMPTS} attempts: this user's memory is being written without a pause.")


async def _allowed(runtime: Runtime, scope: Scope, changes: Sequence[Change], partition: Partition) -> Sequence[Change]:
    """The changes without what was forgotten; what capture, the gateway and consolidation bring was looked at there.

    What a user writes into shared memory is checked against what that user forgot, unless it copies what stands.

    Raises:
        InputError: a user writes into shared memory what that user has forgotten.
    """
    if scope.user == SHARED:
        for row in (change.row for change in changes if isinstance(change, Add)):
            if isinstance(row, Event) and row.speaker and "origin" not in row.metadata:
                barred = await runtime.desks.forgotten(Owner(row.tenant, row.speaker))
                if barred.repeats(row.content, row.agent) or barred.noted(row)[1]:
                    raise InputError("This says what was forgotten on request: leave that out.")
        return changes
    barred = partition.tombstones
    return [_cleaned(change, barred) for change in changes] if barred.since else changes


def _cleaned(change: Change, barred: Forgotten) -> Change:
    if not isinstance(change, Add | Put):
        return change
    match row := change.row:
        case Event() if row.kind not in _SCREENED:
            content = barred.withheld(row.content, row.agent)[0]
            row = replace(row, content=content, metadata=barred.noted(row)[0])
        case Record() if row.kind in _COMPOSED:
            row = replace(row, value=barred.noted(row)[0])
        case ConnectionCache():
            if barred.repeats(row.name, row.agent):
                raise InputError("This name was forgotten on request: cache the answer under another one.")
            row = replace(row, value=barred.cleaned(row.value, row.agent)[0])
        case _:
            return change
    return type(change)(row)


async def reread(attempt: Callable[[], Awaitable[_T]]) -> _T:
    """Call `attempt`, which reads and then writes on condition that nobody else wrote; on a conflict, call it again.

    Raises:
        ConflictError: somebody else wrote during every attempt.
    """
    for _ in range(REREADS):
        with suppress(ConflictError):
            return await attempt()
    raise ConflictError(f"Gave up after {REREADS} attempts: this user's memory is being written without a pause.")


def check_place(scope: Scope) -> None:
    """Refuse to write with whole=True, which is no place."""
    if scope.whole:
        raise ScopeError("Nothing is written through whole=True: name the channel it belongs to, or leave both out.")


async def unbroken(work: Coroutine[Any, Any, _T]) -> _T:
    """Await `work`, which runs to its end even if the caller is cancelled."""
    task = asyncio.create_task(work)
    _UNDER_WAY.add(task)
    task.add_done_callback(_UNDER_WAY.discard)
    return await asyncio.shield(task)
