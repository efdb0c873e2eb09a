"""Workers in processes of their own take each event in exactly once: without a queue, and with one."""

from pathlib import Path

from bench.jobs import Load, faults, run

from conformance.postgres_server import PostgresServer

LOAD = Load(users=20, turns=3, latency=0.0)


def test_two_workers_on_one_sqlite_file(tmp_path: Path):
    assert faults(run(str(tmp_path / "memory.db"), 2, LOAD, queue=False), LOAD) == []


def test_four_workers_that_share_a_queue_on_postgresql(postgres: PostgresServer):
    postgres.run("CREATE DATABASE shared_work")
    report = run(postgres.login(database="shared_work"), 4, LOAD, queue=True)
    postgres.run("DROP DATABASE shared_work WITH (FORCE)")
    assert faults(report, LOAD) == []


def test_what_falls_short_is_told():
    worker = {"calls": 1, "done": 1, "empty": 0, "failed": 1}
    report = {"workers": [worker], "taken in": 2, "covered": {1: 1, 2: 1}, "consolidations": 1}
    assert faults(report, Load(users=1, turns=3)) == [
        "turns taken in: 2, not 3",
        "consolidations that cover a turn: {1: 1, 2: 1}, not {1: 3}",
        "runs that failed: 1, not 0",
    ]
