"""The worker: runs due jobs until it is cancelled.

It starts no thread. `memory.work(…)` is a long-running call; `Worker` runs that call in a task.

A job that raises an unexpected error is recorded and logged, and the next one runs: this is the outermost loop, and the
only place that catches every exception.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from memoranda.core.base.checks import check_seconds, require, strings
from memoranda.core.base.schedules import PAUSE
from memoranda.core.base.scope import Owner, check_owner
from memoranda.core.rows.jobs import Worked
from memoranda.errors import MemorandaError
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.upkeep import jobs as flows
from memoranda.ports import Hands
from memoranda.stores import open_queue

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")


async def work(
    runtime: Runtime,
    *,
    tenants: Sequence[str],
    jobs: Sequence[str] | None = None,
    once: bool = False,
    every: float = PAUSE,
    queue: bool = False,
) -> Worked:
    """Run due jobs until cancelled. Any number of processes may do so at once.

    Args:
        tenants: the tenants whose jobs to run.
        jobs: only these jobs; all by default.
        once: run what is due now, then return the outcome.
        every: seconds between two checks for due jobs.
        queue: share the work with other workers through a queue beside the store, in PostgreSQL: each runs what any
            of them enqueued, and one of them checks for due jobs.

    Raises:
        InputError: there is no such job.
        CapabilityError: this store has no queue.
        MissingExtraError: the queue needs the extra `jobs`.
    """
    return await until_cancelled(runtime, tenants, jobs, once=once, every=every, queue=queue)


async def until_cancelled(
    runtime: Runtime,
    tenants: Sequence[str],
    jobs: Sequence[str] | None,
    *,
    once: bool,
    every: float,
    queue: bool,
    wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Worked:
    """Run due jobs as `work` does; `wait` waits between two checks."""
    names = strings("tenants", tenants)
    for tenant in names:
        check_owner(tenant)
    check_seconds("every", every)
    require(isinstance(once, bool), "once", once, "True or False")
    require(isinstance(queue, bool), "queue", queue, "True or False")
    wanted = flows.check_jobs(jobs)
    hands = _Hands(runtime)
    if queue:
        shared = await open_queue(runtime.store)
        await shared.serve(
            Hands(run=hands.run, due=hands.due, lost=hands.lost), names, wanted, every=every, once=once
        )  # fmt: skip
        return hands.done
    while True:
        for tenant in names:
            for name, owner in await hands.due(tenant, wanted):
                await hands.run(name, owner)
        if once:
            return hands.done
        await wait(every)


class _Hands:
    """The callbacks of a worker, and the counts of its runs so far."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.done = Worked()

    async def due(self, tenant: str, jobs: Sequence[str]) -> Sequence[tuple[str, Owner]]:
        """Return the due jobs of a tenant; none if they cannot be determined."""
        found, problem = await _tried(flows.due(self._runtime, tenant, None, jobs), "jobs", Owner(tenant, ""))
        self.done += Worked(failed=int(problem is not None))
        return found or ()

    async def run(self, name: str, owner: Owner) -> None:
        """Run a job, and record an unexpected error."""
        began = self._runtime.clock()
        run, problem = await _tried(flows.run_if_due(self._runtime, name, owner), name, owner)
        if problem is not None:
            self.done += Worked(failed=1)
            with suppress(MemorandaError):
                await flows.failed(self._runtime, name, owner, began, f"{type(problem).__name__}: {problem}")
        elif run is not None:
            self.done += Worked(**{run.outcome: 1})

    async def lost(self, name: str, owner: Owner) -> None:
        """Drop the lease on a job whose worker died."""
        await self._runtime.leases.drop(owner, name)


async def _tried(work: Awaitable[_T], name: str, owner: Owner) -> tuple[_T | None, Exception | None]:
    """Return the result of `work`, or the exception that it raised."""
    try:
        return await work, None
    except Exception as error:  # noqa: BLE001 - the outermost loop
        _LOG.exception("the job %s of %s went wrong", name, owner)
        return None, error


class Works(Protocol):
    """What `Worker` needs of an open memory."""

    async def work(
        self, *, tenants: Sequence[str], jobs: Sequence[str] | None = None, every: float = PAUSE, queue: bool = False
    ) -> Any:
        """Run the due jobs until cancelled."""


class Worker:
    """Runs the jobs of some tenants in this process while its context is open.

        async with Worker(memory, tenants=["acme"]):
            …

    Args:
        memory: an open `AsyncMemory`.
        tenants: the tenants whose jobs to run.
        jobs: only these jobs.
        every: seconds between two checks for due jobs.
        queue: share the work through a queue, see `memoranda.AsyncMemory.work`.
    """

    def __init__(
        self,
        memory: Works,
        *,
        tenants: Sequence[str],
        jobs: Sequence[str] | None = None,
        every: float = PAUSE,
        queue: bool = False,
    ) -> None:
        self._memory = memory
        self._options: dict[str, Any] = {"tenants": tenants, "jobs": jobs, "every": every, "queue": queue}
        self._tasks: list[asyncio.Task[Any]] = []

    async def __aenter__(self) -> Self:
        self._tasks.append(asyncio.create_task(self._memory.work(**self._options)))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
            await asyncio.wait([task])  # `await task` would hide that the caller itself was cancelled
            if not task.cancelled():
                task.result()
