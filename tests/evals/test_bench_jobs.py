"""Workers in processes of their own take each event in exactly once: without a queue, and with one."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from bench.jobs import TENANT, Load, Scripted, faults, fill, found, let_go, run, start

from conformance.postgres_server import PostgresServer
from memoranda import AsyncMemory
from memoranda.core.rows.jobs import Worked

LOAD = Load(users=20, turns=3, latency=0.0)


def test_two_workers_on_one_sqlite_file(tmp_path: Path):
    assert faults(run(str(tmp_path / "memory.db"), 2, LOAD, queue=False), LOAD) == []


def test_four_workers_that_share_a_queue_on_postgresql(postgres: PostgresServer):
    postgres.run("CREATE DATABASE shared_work")
    report = run(postgres.login(database="shared_work"), 4, LOAD, queue=True)
    postgres.run("DROP DATABASE shared_work WITH (FORCE)")
    assert faults(report, LOAD) == []


def test_what_a_killed_worker_was_at_another_does(postgres: PostgresServer):
    load = Load(users=1, turns=3, latency=600)
    postgres.run("CREATE DATABASE killed_work")
    url = postgres.login(database="killed_work")
    asyncio.run(fill(url, load))
    with start(url, load, queue=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
        let_go(worker)
        assert worker.stdout.readline() == "asked\n"
        worker.kill()
    postgres.run("UPDATE memstrata_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 m'", url=url)

    async def work() -> tuple[Worked, int]:
        model = Scripted()
        async with await AsyncMemory.open(url, embedder="none", language_model=model) as memory:
            return await memory.work(tenants=[TENANT], jobs=["consolidate"], once=True, queue=True), model.calls

    assert asyncio.run(work()) == (Worked(done=1), 1)
    became = asyncio.run(found(url, load, datetime.now(UTC)))
    postgres.run("DROP DATABASE killed_work WITH (FORCE)")
    assert (became["covered"], became["consolidations"]) == ({1: 3}, 1)


def test_what_falls_short_is_told():
    worker = {"calls": 1, "done": 1, "empty": 0, "failed": 1}
    report = {"workers": [worker], "taken in": 2, "covered": {1: 1, 2: 1}, "consolidations": 1}
    assert faults(report, Load(users=1, turns=3)) == [
        "turns taken in: 2, not 3",
        "consolidations that cover a turn: {1: 1, 2: 1}, not {1: 3}",
        "runs that failed: 1, not 0",
    ]
