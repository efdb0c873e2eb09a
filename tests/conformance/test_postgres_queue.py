"""The queue of jobs in PostgreSQL: where it lies, what is in it, and what becomes of a worker that dies."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence

import anyio
import psycopg
import pytest

from conformance.postgres_server import PostgresServer
from memoranda import AsyncMemory
from memoranda.core.base.schedules import JOBS
from memoranda.core.base.scope import Owner
from memoranda.core.rows.jobs import Worked
from memoranda.errors import CapabilityError, StoreUnavailableError, StoreVersionError
from memoranda.ports import Hands
from memoranda.stores import open_queue
from memoranda.stores.dict_ import DictStore
from memoranda.stores.postgres.queue import PostgresQueue, cron
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

ANN, BOB = Owner("acme", 'a"nn'), Owner("acme", "bob")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def schema(postgres: PostgresServer) -> Iterator[str]:
    with postgres.schema() as name:
        yield name
        postgres.run(f"DROP SCHEMA IF EXISTS {name}_jobs CASCADE")


@pytest.fixture
async def store(postgres: PostgresServer, schema: str) -> AsyncIterator[PostgresStore]:
    store = await PostgresStore.open(postgres.url, schema=schema)
    yield store
    await store.close()


class Work:
    """Hands that note what they are given; `due` is what is due, each time somebody looks."""

    def __init__(self, *due: tuple[str, Owner]) -> None:
        self.waiting = list(due)
        self.looked: list[tuple[str, list[str]]] = []
        self.done: list[tuple[str, Owner]] = []
        self.dropped: list[tuple[str, Owner]] = []
        self.now: list[Owner] = []
        self.begun = anyio.Event()
        self.gate = anyio.Event()
        self.gate.set()
        self.hands = Hands(run=self.run, due=self.due, lost=self.lost)

    async def run(self, name: str, owner: Owner) -> None:
        assert owner not in self.now, "two workers are at one user"
        self.now.append(owner)
        self.begun.set()
        await self.gate.wait()
        self.now.remove(owner)
        self.done.append((name, owner))

    async def due(self, tenant: str, jobs: Sequence[str]) -> Sequence[tuple[str, Owner]]:
        self.looked.append((tenant, list(jobs)))
        return self.waiting

    async def lost(self, name: str, owner: Owner) -> None:
        self.dropped.append((name, owner))


def told(postgres: PostgresServer, schema: str, columns: str) -> list[tuple[object, ...]]:
    return postgres.run(f"SELECT {columns} FROM {schema}_jobs.procrastinate_jobs ORDER BY id")


async def test_what_waits_is_names_alone_and_goes_when_it_is_done(
    postgres: PostgresServer, store: PostgresStore, schema: str
) -> None:
    work = Work(("decay", ANN), ("rot", ANN), ("rot", BOB), ("rot", BOB))
    work.gate = anyio.Event()
    queue = await open_queue(store)
    async with anyio.create_task_group() as group:
        for _ in range(2):

            async def serve() -> None:
                await queue.serve(work.hands, ["acme"], ["decay", "rot"], every=1, once=True)

            group.start_soon(serve)
        await work.begun.wait()
        found = told(postgres, schema, "args, lock, queueing_lock")
        work.gate.set()
    assert all(args in [owner._asdict() for owner in (ANN, BOB)] for args, _, _ in found)
    assert found
    assert {(lock, queueing) for _, lock, queueing in found} <= {
        (json.dumps(owner), json.dumps([name, *owner])) for name, owner in work.waiting
    }
    assert work.looked == [("acme", ["decay", "rot"])] * 2
    assert set(work.done) == set(work.waiting)
    assert told(postgres, schema, "*") == []
    [(seen,)] = postgres.run(f"SELECT has_schema_privilege('memstrata_app', '{schema}_jobs', 'USAGE')")
    assert not seen


async def test_a_worker_looks_by_itself_and_ends_when_it_is_cancelled(store: PostgresStore) -> None:
    work = Work(("rot", BOB))
    queue = await open_queue(store)
    serving = asyncio.create_task(queue.serve(work.hands, ["acme"], ["rot"], every=1, once=False))
    await asyncio.wait([serving, waiting := asyncio.create_task(work.begun.wait())], return_when="FIRST_COMPLETED")
    assert waiting.done()
    serving.cancel()
    await asyncio.wait([serving])
    assert serving.cancelled()
    assert work.looked[0] == ("acme", ["rot"])
    assert work.done[0] == ("rot", BOB)


@pytest.mark.parametrize("again", [False, True])
async def test_what_a_dead_worker_had_begun_is_taken_up(
    postgres: PostgresServer, store: PostgresStore, schema: str, again: bool
) -> None:
    queue, work = await open_queue(store), Work(*[("rot", BOB)] * again)
    begun = """
        SET search_path = {0}_jobs;
        INSERT INTO procrastinate_workers DEFAULT VALUES;
        INSERT INTO procrastinate_jobs (queue_name, task_name, args, status, lock, queueing_lock, worker_id)
        SELECT 'memstrata', name, args, 'doing', lock, queueing, id
        FROM procrastinate_workers, (VALUES
            ('rot', '{{"tenant": "acme", "user": "bob"}}'::jsonb, '["acme", "bob"]', '["rot", "acme", "bob"]'),
            ('look', '{{"timestamp": 1, "tenant": "acme", "jobs": ["rot"]}}', NULL, '["look", "acme", "rot"]')
        ) AS jobs (name, args, lock, queueing)"""
    postgres.run(begun.format(schema))
    await queue.serve(work.hands, ["acme"], ["rot"], every=1, once=True)
    assert (work.done, work.dropped) == ([], []), "a worker that is alive keeps what it has begun"
    postgres.run(f"UPDATE {schema}_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
    await queue.serve(work.hands, ["acme"], ["rot"], every=1, once=True)
    assert set(work.done) == {("rot", BOB)}
    assert work.dropped == [("rot", BOB)]
    assert told(postgres, schema, "*") == []


async def test_of_another_release_it_is_left_alone(postgres: PostgresServer, store: PostgresStore, schema: str) -> None:
    await open_queue(store)
    await open_queue(store)
    postgres.run(f"COMMENT ON SCHEMA {schema}_jobs IS '01.00.sql'")
    with pytest.raises(StoreVersionError, match=rf"DROP SCHEMA {schema}_jobs CASCADE; nothing is lost"):
        await open_queue(store)


async def test_who_may_not_make_it_is_told(postgres: PostgresServer, schema: str) -> None:
    postgres.run("CREATE ROLE humble LOGIN")
    with pytest.raises(CapabilityError, match=f"may not make the schema {schema}_jobs"):
        await PostgresQueue.open(postgres.login("humble"), schema)
    postgres.run("DROP ROLE humble")


async def test_other_stores_have_none() -> None:
    with pytest.raises(CapabilityError, match="open it at postgresql://"):
        await open_queue(DictStore())


async def test_a_queue_that_is_out_of_reach_is_told(
    postgres: PostgresServer, store: PostgresStore, schema: str
) -> None:
    queue, work = await open_queue(store), Work()
    postgres.run(f"DROP SCHEMA {schema}_jobs CASCADE")
    with pytest.raises(StoreUnavailableError, match="mend that, then start again"):
        await queue.serve(work.hands, ["acme"], ["rot"], every=1, once=True)
    with pytest.raises(StoreUnavailableError):
        await PostgresQueue.open(psycopg.conninfo.make_conninfo(postgres.url, host="/nowhere"), schema)


def test_how_often_it_looks() -> None:
    assert [cron(seconds) for seconds in (0.1, 30.0, 59.9, 900, 9_000)] == [
        "* * * * * */1", "* * * * * */30", "*/1 * * * *", "*/15 * * * *", "0 * * * *",
    ]  # fmt: skip


def test_a_worker_that_shares_the_queue_ends_when_it_is_told_to(postgres: PostgresServer) -> None:
    postgres.run("CREATE DATABASE ended_work")
    url = postgres.login(database="ended_work")
    command = [sys.executable, "-W", "error", "-c", "from memoranda.doors.cli import main; main()"]
    shared = ["--db", url, "--embedder", "none"]
    subprocess.run([*command, "observe", "The boat is red", *shared], check=True, capture_output=True)
    works = [*command, "worker", "--queue", "--every", "1", *shared]
    worker = subprocess.Popen(works, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while postgres.run("SELECT 1 FROM memstrata.job_runs WHERE slot = 0 LIMIT 1", url=url) == []:
        assert worker.poll() is None
    worker.send_signal(signal.SIGTERM)
    out, err = worker.communicate(timeout=120)
    left = postgres.run("SELECT count(*) FROM memstrata_jobs.procrastinate_workers", url=url)
    postgres.run("DROP DATABASE ended_work WITH (FORCE)")
    assert (worker.returncode, out, left) == (0, "stopped\n", [(0,)])
    assert "Traceback" not in err


async def test_jobs_of_a_memory_are_done_once_by_workers_that_share_the_queue(
    postgres: PostgresServer, schema: str, clock: FrozenClock
) -> None:
    stores = [await PostgresStore.open(postgres.url, schema=schema) for _ in range(2)]
    memories = [await AsyncMemory.open(store, embedder="hashed", clock=clock) for store in stores]
    for user in ("alice", "bob"):
        await memories[0].scope(tenant="acme", user=user).observe("The crab is blue")
    done = await asyncio.gather(*(one.work(tenants=["acme"], once=True, queue=True) for one in memories))
    whole = sum(job.whole for job in JOBS.values())
    total = sum(done, Worked())
    assert (total.done + total.empty, total.failed) == (whole + 2 * (len(JOBS) - whole), 0)
    assert {one.runs for one in await memories[0].jobs(tenant="acme")} == {1, 2}
    for memory in memories:
        await memory.close()
