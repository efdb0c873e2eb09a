"""Reading: a request sees each owner's memory as it was at one moment, whatever is written while it runs."""

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from memstrata.core.partition import Partition
from memstrata.core.rows import Event
from memstrata.core.scope import SHARED, Owner, Scope
from memstrata.errors import ConflictError, InputError
from memstrata.flows.commits import reread
from memstrata.flows.runtime import Runtime

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Flow = Callable[Concatenate[Runtime, Scope, _P], Coroutine[Any, Any, _T]]


def at_one_moment(flow: _Flow[_P, _T]) -> _Flow[_P, _T]:
    """A flow that only reads, with the images of one moment; begun anew if what they hold is forgotten meanwhile."""

    @wraps(flow)
    async def read(runtime: Runtime, scope: Scope, /, *args: _P.args, **names: _P.kwargs) -> _T:
        if runtime.partitions.is_pinned:  # another flow reads with the help of this one
            return await flow(runtime, scope, *args, **names)

        async def attempt() -> _T:
            return await flow(replace(runtime, partitions=runtime.partitions.pinned()), scope, *args, **names)

        return await reread(attempt)

    return read


async def events_of(runtime: Runtime, image: Partition, refs: Iterable[str]) -> list[Event | None]:
    """The events with these ids, which an image knows; None for one that is missing.

    Raises:
        ConflictError: one is missing because something was dropped since the image was read.
    """
    keys = [(ref,) for ref in refs]
    events = await runtime.store.get(Event, image.owner, keys) if keys else []
    if None in events and (await runtime.store.find(image.owner)).state.dropped > image.dropped:
        raise ConflictError("Something was forgotten meanwhile.")
    return list(events)


def own(scope: Scope) -> Owner:
    """The user of a scope."""
    return scope.owner


def shared(scope: Scope) -> Owner:
    """The owner of what the tenant shares."""
    return Owner(scope.tenant, SHARED)


def undisturbed(*of: Callable[[Scope], Owner]) -> Callable[[_Flow[_P, _T]], _Flow[_P, _T]]:
    """Make a flow that only reads begin anew if anything was written meanwhile, for owners that a scope leads to.

    For flows that put together what they read in several steps. What is asked at every turn of a conversation reads
    images instead (`at_one_moment`), which no writer can disturb.
    """

    def wrap(flow: _Flow[_P, _T]) -> _Flow[_P, _T]:
        @wraps(flow)
        async def read(runtime: Runtime, scope: Scope, /, *args: _P.args, **names: _P.kwargs) -> _T:
            async def attempt() -> _T:
                before = await _state(runtime, scope)
                try:
                    answer = await flow(runtime, scope, *args, **names)
                except InputError:  # what was found may have gone before it was read
                    if await _state(runtime, scope) == before:
                        raise
                else:
                    if await _state(runtime, scope) == before:
                        return answer
                raise ConflictError("This memory was written meanwhile.")

            return await reread(attempt)

        return read

    async def _state(runtime: Runtime, scope: Scope) -> list[int]:
        return [(await runtime.store.find(owner(scope))).state.seq for owner in of]

    return wrap
