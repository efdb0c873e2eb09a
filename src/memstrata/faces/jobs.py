"""What an open memory does by itself, when it is told to: the verbs of jobs."""

from collections.abc import Sequence

from memstrata import faces, flows
from memstrata.core.schedules import PAUSE


class AsyncJobs:
    """The verbs of jobs, of a whole memory."""

    _runtime: "flows.signatures.Runtime"

    async def run_job(self, name: str, *, tenant: str, user: str | None = None) -> "flows.signatures.Ran":
        """Run a job now. Twice in a row, or by two workers at once, it is done once.

        Args:
            name: of the job, see `memstrata.core.schedules.JOBS`.
            tenant: whose.
            user: only this one's; of all by default.

        Raises:
            InputError: there is no such job.
        """
        return await flows.jobs.run_job(self._runtime, name, tenant, user)

    async def jobs(self, *, tenant: str, user: str | None = None) -> "tuple[flows.signatures.Standing, ...]":
        """How the jobs of a tenant, or of one of its users, stand: schedules, last runs, lag, failures."""
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
        """Run what is due, again and again, until it is cancelled. Any number of processes may do so at once.

        Args:
            tenants: whose jobs.
            jobs: only these; all by default.
            once: run what is due now, and answer how that went.
            every: seconds between two looks at what is due.
            queue: share the work with other workers that do so through a queue beside the store, in PostgreSQL: each
                runs what any of them put in, and one of them looks.

        Raises:
            InputError: there is no such job.
            CapabilityError: there is no queue beside this store.
            MissingExtraError: the queue needs `pip install 'memstrata[jobs]'`.
        """
        return await faces.upkeep.work(self._runtime, tenants, jobs=jobs, once=once, every=every, queue=queue)
