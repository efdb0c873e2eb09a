"""The worker: runs what is due, again and again, until it is told to stop.

It has no thread, and no task unless somebody asks: `memory.work(…)` is a call that lasts, `Worker` keeps one in a task.

A job that goes wrong in a way nobody foresaw is written down and logged, and the next one runs: this is the outermost
loop, and the only place that catches everything.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Protocol, Self

from memstrata.core.checks import check_seconds, require, strings
from memstrata.core.running import Worked
from memstrata.core.schedules import PAUSE
from memstrata.core.scope import Owner, check_owner
from memstrata.errors import MemstrataError
from memstrata.flows import jobs as flows
from memstrata.flows.runtime import Runtime

_LOG = logging.getLogger(__name__)


async def work(
    runtime: Runtime,
    tenants: Sequence[str],
    *,
    jobs: Sequence[str] | None = None,
    once: bool = False,
    every: float = PAUSE,
    wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Worked:
    """Run what is due for the users of some tenants, until it is cancelled. See `memstrata.AsyncMemory.work`."""
    names = strings("tenants", tenants)
    for tenant in names:
        check_owner(tenant)
    check_seconds("every", every)
    require(isinstance(once, bool), "once", once, "True or False")
    flows.check_jobs(jobs)
    done = Worked()
    while True:
        for tenant in names:
            done += await _look(runtime, tenant, jobs)
        if once:
            return done
        await wait(every)


async def _look(runtime: Runtime, tenant: str, jobs: Sequence[str] | None) -> Worked:
    """Run what is due for one tenant."""
    done = Worked()
    name, owner = "jobs", Owner(tenant, "")
    waiting: list[tuple[str, Owner]] | None = None
    while waiting is None or waiting:
        began = runtime.clock()
        try:
            if waiting is None:
                waiting = await flows.due(runtime, tenant, None, jobs)
                continue
            name, owner = waiting.pop(0)
            run = await flows.run_if_due(runtime, name, owner)
        except Exception as error:  # noqa: BLE001 - the outermost loop
            _LOG.exception("the job %s of %s went wrong", name, owner)
            done += Worked(failed=1)
            if waiting is None:
                return done
            with suppress(MemstrataError):
                await flows.failed(runtime, name, owner, began, f"{type(error).__name__}: {error}")
        else:
            if run is not None:
                done += Worked(**{run.outcome: 1})
    return done


class Works(Protocol):
    """What a worker works for: an open memory."""

    async def work(self, *, tenants: Sequence[str], jobs: Sequence[str] | None = None, every: float = PAUSE) -> Any:
        """Run what is due, until it is cancelled."""


class Worker:
    """Runs the jobs of some tenants in this process, as long as its context lasts.

        async with Worker(memory, tenants=["acme"]):
            …

    Args:
        memory: an open `AsyncMemory`.
        tenants: whose jobs.
        jobs: only these.
        every: seconds between two looks at what is due.
    """

    def __init__(
        self, memory: Works, *, tenants: Sequence[str], jobs: Sequence[str] | None = None, every: float = PAUSE
    ) -> None:
        self._memory = memory
        self._options: dict[str, Any] = {"tenants": tenants, "jobs": jobs, "every": every}
        self._tasks: list[asyncio.Task[Any]] = []

    async def __aenter__(self) -> Self:
        self._tasks.append(asyncio.create_task(self._memory.work(**self._options)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
