"""A job queue in PostgreSQL, shared by any number of workers. It is procrastinate's, in a schema of its own.

An entry holds a job's name with the tenant and user it is for, and nothing else; it is deleted once done. So the
queue belongs to no tenant, holds nothing that cannot be derived from the store again, and may be dropped while no
worker runs. The role `memstrata_app`, under which calls run, has no access to it: workers connect as the login role.

One `lock` per tenant and user: no two workers work for one user at once. One `queueing_lock` per job and user: a job
that is already waiting is not enqueued again. At intervals one of the workers looks for due jobs and enqueues them.
It also retries the jobs of workers that have sent no heartbeat for half a minute.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from procrastinate import App, PsycopgConnector
from procrastinate.app import WorkerOptions
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection, errors
from psycopg.sql import SQL, Identifier, Literal

from memoranda.core.base.schedules import JOBS
from memoranda.core.base.scope import Owner
from memoranda.errors import CapabilityError, StoreUnavailableError, StoreVersionError
from memoranda.ports import Hands
from memoranda.stores.postgres.faults import mapped

QUEUE = "memstrata"
LOOK = "look"
AT_ONCE = 4  # jobs, of different users, that one worker runs concurrently
STALLED = 30.0  # seconds without a heartbeat after which a worker is presumed dead
POLL = 1.0  # seconds between polls, when no notification arrives
GRACE = 10.0  # seconds that running jobs have to finish when a worker is told to stop

_HOW: WorkerOptions = {
    "queues": [QUEUE],
    "concurrency": AT_ONCE,
    "delete_jobs": "always",
    "fetch_job_polling_interval": POLL,
    "install_signal_handlers": False,
    "shutdown_graceful_timeout": GRACE,
    "stalled_worker_timeout": STALLED,
}
_ONCE: WorkerOptions = {**_HOW, "wait": False, "listen_notify": False}
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('memstrata queue', 0))"
_MADE_FOR = "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')"


class PostgresQueue:
    """`ports.Queue` on PostgreSQL.

    Args:
        url: how to connect as the login role.
        schema: the queue's schema, unquoted.
    """

    def __init__(self, url: str, schema: str) -> None:
        self._url = url
        self._schema = schema

    @classmethod
    async def open(cls, url: str, schema: str) -> Self:
        """Open the queue beside a store, creating it if missing. Processes that start together wait for the first.

        Args:
            url: the store's address.
            schema: the store's schema; the queue's schema has the same name with `_jobs` appended.

        Raises:
            CapabilityError: the login may not set up the queue.
            StoreVersionError: the queue was made by another release of procrastinate.
            StoreError: the database cannot be reached.
        """
        queue = cls(url, f"{schema}_jobs")
        with mapped():
            async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=5) as login:
                await queue._prepare(login)
        return queue

    async def serve(
        self, hands: Hands, tenants: Sequence[str], jobs: Sequence[str], *, every: float, once: bool
    ) -> None:
        """Take jobs from the queue and run them; see `ports.Queue`."""
        begun: list[str] = []
        app = self._app(hands, begun)
        with _reached():
            async with app.open_async():
                if not once:
                    _repeat(app, tenants, jobs, every)
                    await app.run_worker_async(**_HOW)
                    raise StoreUnavailableError(
                        "The worker lost the queue, as the log says: mend that, then start again."
                    )
                for tenant in tenants:
                    await _look(app, hands, tenant, jobs)
                before = -1
                while len(begun) > before:  # a round ends when all remaining jobs are of users that are locked
                    before = len(begun)
                    await app.run_worker_async(**_ONCE)

    def _app(self, hands: Hands, begun: list[str]) -> App:
        """Return procrastinate's app with a task for each job and the look for due jobs; runs are added to `begun`."""
        app = App(
            connector=PsycopgConnector(
                conninfo=self._url, kwargs={"connect_timeout": 5, "application_name": "memoranda worker"},
                configure=self._configure, min_size=1, max_size=AT_ONCE + 2, name=self._schema,
            )
        )  # fmt: skip
        for name in JOBS:
            app.task(name=name, queue=QUEUE)(_doing(hands, name, begun))

        async def look(timestamp: int, tenant: str, jobs: list[str]) -> None:  # noqa: ARG001 - procrastinate passes it
            begun.append(LOOK)
            await _look(app, hands, tenant, jobs)

        app.task(name=LOOK, queue=QUEUE)(look)
        return app

    async def _configure(self, conn: AsyncConnection) -> None:
        await conn.execute("SELECT set_config('search_path', %s, false)", [Identifier(self._schema).as_string(None)])
        await conn.commit()

    async def _prepare(self, login: AsyncConnection) -> None:
        """Create the schema, or check that it was made for the installed release of procrastinate."""
        release = _release()
        name = Identifier(self._schema)
        async with login.transaction():
            await login.execute(_LOCK)
            row = await (await login.execute(_MADE_FOR, [name.as_string(None)])).fetchone()
            found = row[0] if row else None
            if found is not None and found != release:
                raise StoreVersionError(
                    f"The queue in schema {self._schema} was made for {found}, the procrastinate installed here for "
                    f"{release}: stop all workers and DROP SCHEMA {self._schema} CASCADE; nothing is lost by that."
                )
            if found is None:
                try:
                    await login.execute(SQL("CREATE SCHEMA {}").format(name))
                except errors.InsufficientPrivilege as error:
                    raise CapabilityError(
                        f"The login may not make the schema {self._schema} ({error}): start a worker once with one "
                        f"that may, and grant this one the use of what is in it."
                    ) from error
                await login.execute("SELECT set_config('search_path', %s, true)", [name.as_string(None)])
                await login.execute(SchemaManager.get_schema())
                await login.execute(SQL("COMMENT ON SCHEMA {} IS {}").format(name, Literal(release)))


def _release() -> str:
    """Return the schema release of the installed procrastinate: the name of its last migration."""
    return max(path.name for path in Path(SchemaManager.get_migrations_path()).glob("*.sql"))


def _doing(hands: Hands, name: str, begun: list[str]) -> Callable[..., Awaitable[None]]:
    async def do(tenant: str, user: str) -> None:
        begun.append(name)
        await hands.run(name, Owner(tenant, user))

    return do


def _repeat(app: App, tenants: Sequence[str], jobs: Sequence[str], every: float) -> None:
    """Have one of the workers look for due jobs of each tenant about every `every` seconds."""
    for tenant in tenants:
        what = _key(LOOK, tenant, *jobs)
        asked: dict[str, Any] = {"tenant": tenant, "jobs": list(jobs)}
        app.periodic_registry.register_task(
            task=app.tasks[LOOK], cron=cron(every), periodic_id=sha256(what.encode()).hexdigest(),
            configure_kwargs={"queueing_lock": what, "task_kwargs": asked},
        )  # fmt: skip


def cron(seconds: float) -> str:
    """Convert an interval to a cron expression: whole seconds below a minute, then whole minutes, at most an hour."""
    if seconds < 59.5:
        return f"* * * * * */{max(round(seconds), 1)}"
    minutes = round(seconds / 60)
    return f"*/{minutes} * * * *" if minutes < 60 else "0 * * * *"


async def _look(app: App, hands: Hands, tenant: str, jobs: Sequence[str]) -> None:
    """Enqueue the due jobs of a tenant, and retry those that a dead worker had started."""
    for job in await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED):
        await _take_up(app, hands, job)
    for name, owner in await hands.due(tenant, jobs):
        task = app.configure_task(
            name, queue=QUEUE, lock=_key(*owner), queueing_lock=_key(name, *owner), allow_unknown=False
        )
        try:
            await task.defer_async(tenant=owner.tenant, user=owner.user)
        except AlreadyEnqueued:
            continue


async def _take_up(app: App, hands: Hands, job: Job) -> None:
    """Retry a job whose worker is gone, unless the same job is waiting again already."""
    if job.task_name in JOBS:
        await hands.lost(job.task_name, Owner(str(job.task_kwargs["tenant"]), str(job.task_kwargs["user"])))
    try:
        await app.job_manager.retry_job(job)
    except UniqueViolation:
        await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=True)


def _key(*names: str) -> str:
    """Join names into one key without collisions."""
    return json.dumps(names)


@contextmanager
def _reached() -> Iterator[None]:
    """Turn connector and database errors raised inside into `memoranda.errors`."""
    try:
        with mapped():
            yield
    except ConnectorException as error:
        raise StoreUnavailableError(
            f"The queue cannot be reached, or went away ({error.__cause__ or error}): mend that, then start again."
        ) from error
