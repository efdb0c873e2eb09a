"""What a door tells whoever watches the memory, beside its verbs: what it refuses, and how far workers are behind."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress

from memoranda.core.base.observing import DoorObserver
from memoranda.doors.wire.problems import Problem
from memoranda.errors import StoreError
from memoranda.flows.upkeep.lags import lags
from memoranda.memory import AsyncMemory

EVERY = 60.0  # seconds between two looks at what waits


def told_of(memory: AsyncMemory, problem: Problem) -> None:
    """Tell the observer of a memory, if it listens to doors, that a request was answered with a problem."""
    observer = memory.runtime.settings.observer
    if isinstance(observer, DoorObserver):
        observer.refused(problem.kind)


@asynccontextmanager
async def watched(memory: AsyncMemory, tenants: Callable[[], Collection[str]]) -> AsyncIterator[None]:
    """Tell the observer of a memory, if it listens to doors, every minute how far the workers of tenants are behind."""
    observer = memory.runtime.settings.observer
    if not isinstance(observer, DoorObserver):
        yield
        return
    task = asyncio.create_task(_watch(memory, observer, tenants))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _watch(memory: AsyncMemory, observer: DoorObserver, tenants: Callable[[], Collection[str]]) -> None:
    while True:
        with suppress(StoreError):  # `readyz` says it
            found = [await lags(memory.runtime, tenant) for tenant in tenants()]
            observer.waiting("consolidation", max((one.consolidation for one in found), default=0.0))
            observer.waiting("worker", max((one.worker for one in found), default=0.0))
        await asyncio.sleep(EVERY)
