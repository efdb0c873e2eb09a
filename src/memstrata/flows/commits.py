"""Writing against an owner's image, and seeing through what has reached the store.

Nobody could say of a write that was broken off whether it was kept. Where more follows from it than the next reader
finds out, as that what was forgotten leaves the image and the embedder's cache, it goes on with that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from memstrata.core.changes import Applied, Batch, Change
from memstrata.core.partition import Partition
from memstrata.core.scope import Scope
from memstrata.errors import ConflictError, InputError, ScopeError
from memstrata.flows.audit import entered
from memstrata.flows.runtime import Runtime

ATTEMPTS = 10_000  # several seconds: where many processes write for one user, a slow one often comes too late
REREADS = 20  # of all that an owner has, which takes longer


class Plan(Protocol):
    """What is to be written, and what else the caller wants to know of it."""

    @property
    def changes(self) -> Sequence[Change]:
        """In order; nothing is written where there are none."""


_T = TypeVar("_T")
_PLAN = TypeVar("_PLAN", bound=Plan)

_UNDER_WAY: set[asyncio.Task[Any]] = set()  # or a loop would hold them by a weak reference alone


async def planned(runtime: Runtime, scope: Scope, plan: Callable[[Partition], _PLAN]) -> tuple[_PLAN, Applied]:
    """Plan against the owner's image and write in one transaction, again and again until nobody else wrote in between.

    `plan` is pure, for it may be called several times; its last answer is what was written, and is answered. Where it
    refuses, or has nothing to write, no store would say that the image was out of date: it is asked again.

    Raises:
        ScopeError: the scope is the whole of a user's memory, which is no place.
    """

    async def at_once(partition: Partition) -> _PLAN:
        return plan(partition)

    return await settled(runtime, scope, at_once)


async def settled(
    runtime: Runtime, scope: Scope, plan: Callable[[Partition], Awaitable[_PLAN]]
) -> tuple[_PLAN, Applied]:
    """As `planned`, for a plan that reads what no image holds: nothing of it changes before the write."""
    check_place(scope)
    async with runtime.partitions.turn(scope.owner):
        for attempt in range(ATTEMPTS):
            # First against the image at hand, which nearly always is up to date: the store says if it is not.
            partition = await (runtime.partitions.current if attempt else runtime.partitions.recent)(scope.owner)
            seq = partition.seq  # readers bring the image up to date while the plan reads, maybe more than it had read
            try:
                made = await plan(partition)
            except InputError:
                if attempt:
                    raise
                continue
            if not made.changes:
                if attempt:
                    return made, Applied(seq=partition.seq)
                continue
            try:
                with runtime.partitions.uses.taken(scope.owner) as uses:
                    noted = entered(runtime, scope, made.changes, seq)
                    batch = Batch(owner=scope.owner, changes=(*made.changes, *noted, *uses), expect=seq)
                    applied = await runtime.store.apply(batch)
            except ConflictError:
                continue
            partition.follow(batch, applied)
            return made, applied
    raise ConflictError(f"Gave up after {ATTEMPTS} attempts: this user's memory is being written without a pause.")


async def reread(attempt: Callable[[], Awaitable[_T]]) -> _T:
    """What `attempt` answers, which reads, and writes where nobody else has written since; else it is made once more.

    Raises:
        ConflictError: somebody else wrote during every attempt.
    """
    for _ in range(REREADS):
        with suppress(ConflictError):
            return await attempt()
    raise ConflictError(f"Gave up after {REREADS} attempts: this user's memory is being written without a pause.")


def check_place(scope: Scope) -> None:
    """Refuse to write through what is no place."""
    if scope.whole:
        raise ScopeError("Nothing is written through whole=True: name the channel it belongs to, or leave both out.")


async def unbroken(work: Coroutine[Any, Any, _T]) -> _T:
    """What `work` answers; a caller that is cancelled leaves it to its end."""
    task = asyncio.create_task(work)
    _UNDER_WAY.add(task)
    task.add_done_callback(_UNDER_WAY.discard)
    return await asyncio.shield(task)
