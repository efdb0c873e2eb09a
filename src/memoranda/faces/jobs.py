"""The methods of jobs: the maintenance of an open memory."""

from collections.abc import Sequence

from memoranda import faces
from memoranda.core.base.schedules import PAUSE
from memoranda.flows import loaded as flows


class AsyncJobs:
    """The methods of jobs, on an open memory."""

    _runtime: "flows.signatures.Runtime"

    async def run_job(self, name: str, *, tenant: str, user: str | None = None) -> "flows.signatures.Ran":
        """Run a job now. It is idempotent: run twice in a row, or by two workers at once, it takes effect once.

        Args:
            name: the job's name, see `memoranda.core.base.schedules.JOBS`.
            tenant: the tenant.
            user: the user; all users by default.

        Raises:
            InputError: there is no such job.
        """
        return await flows.jobs.run_job(self._runtime, name, tenant, user)

    async def jobs(self, *, tenant: str, user: str | None = None) -> "tuple[flows.signatures.JobStatus, ...]":
        """Return the status of the jobs of a tenant or one of its users: schedules, last runs, lag, failures."""
        return await flows.jobs.jobs(self._runtime, tenant, user)

    async def work(
        self,
        *,
        tenants: Sequence[str],
        jobs: Sequence[str] | None = None,
        once: bool = False,
        every: float = PAUSE,
        queue: bool = False,
    ) -> "flows.signatures.Worked":
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
            MissingExtraError: the queue needs `pip install 'memoranda[jobs]'`.
        """
        return await faces.upkeep.work(self._runtime, tenants, jobs=jobs, once=once, every=every, queue=queue)
