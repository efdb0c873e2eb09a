"""Jobs on the command line: by hand, how they stand, and a worker that ends when it is told to."""

import json
import re
import signal
import subprocess
import sys
from functools import wraps
from pathlib import Path

import pytest

from doors.running import Run
from memoranda.core.base.schedules import JOBS
from memoranda.flows.upkeep import jobs
from memoranda.verbs.registry import VERBS

ENTRY = "from memoranda.doors.cli import main; main()"


def test_a_job_by_hand_says_what_it_did_or_why_not(run: Run) -> None:
    run("entries", "set", "boat", "The boat is red", "--importance", "0.9")
    told = run("job", "promote_short_term").stdout
    assert told == "promote_short_term: done\n    promoted  1\n    records  1\n    looked  1\n"
    run("observe", "The boat is red")
    told = run("job", "rot", "--all-users").stdout
    assert told == "rot: empty\n    no statement has a staleness of 0.9\n    looked  1\n"
    ran = json.loads(run("job", "rot", "--json").stdout)
    assert (ran["outcome"], ran["counts"]) == ("empty", {"archived": 0, "looked": 1})
    assert "give one of session_flush" in run("job", "dream", exits=1).stderr


def test_of_several_users_and_with_what_was_down(run: Run) -> None:
    for user in ("ann", "bo"):
        run("observe", "The boat is red", "--user", user)
    assert run("job", "rot", "--all-users").stdout.startswith("rot: empty, 2 users\n")


def test_a_job_that_failed_ends_the_command_with_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("observe", "The boat is red")

    @wraps(jobs.run_job)  # the methods that are made of it while it stands there are kept
    async def fails(*_: object, **__: object) -> jobs.Ran:
        return jobs.Ran(
            job="rot", outcome="failed", users=1, counts={}, reason="StoreError: full", degraded=("leases: down",)
        )

    monkeypatch.setattr(VERBS["run_job"], "flow", fails)
    told = run("job", "rot", exits=1).stdout
    assert told == "rot: failed\n    StoreError: full\n    degraded: leases: down\n"


def test_how_the_jobs_stand(run: Run) -> None:
    run("observe", "The boat is red")
    assert run("jobs").stdout.count("never ran, due now") == len(JOBS)
    assert json.loads(run("worker", "--once", "--json").stdout)["failed"] == 0
    told = run("jobs").stdout
    rot = r"^rot  daily at 04:00\n    archives .*\n    last \d{4}.* empty, next .*\n    1 looked\n"
    assert re.search(rot, told, re.MULTILINE)
    assert "never ran, due now" not in told, "what runs for the whole tenant ran for the user"
    assert "never ran" not in run("jobs", "--all-users").stdout
    assert {one["failures"] for one in json.loads(run("jobs", "--json").stdout)} == {0}


def test_a_queue_takes_a_memory_in_postgresql(run: Run) -> None:
    run("observe", "The boat is red")
    assert "A queue of jobs lies in PostgreSQL" in run("worker", "--queue", "--once", exits=1).stderr


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_when_it_is_told_to(home: Path, how: signal.Signals) -> None:
    subprocess.run([sys.executable, "-c", ENTRY, "add", "tea", "--embedder", "none"], check=True, capture_output=True)
    heard = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {ENTRY}"  # a shell may ignore it
    command = [sys.executable, "-W", "error", "-c", heard, "worker", "--embedder", "none", "--every", "0.1"]
    worker = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert worker.stderr is not None
    assert worker.stderr.readline().startswith("memory.db: tenant local")
    while True:  # until it has run something
        look = [sys.executable, "-c", ENTRY, "jobs", "--all-users", "--json", "--embedder", "none"]
        if json.loads(subprocess.run(look, capture_output=True, text=True, check=True).stdout)[0]["runs"]:
            break
    worker.send_signal(how)
    out, err = worker.communicate(timeout=120)
    assert (worker.returncode, out, err) == (0, "stopped\n", "")
    assert (home / "memory.db").exists()
