"""A memory opened before a fork is refused in the child, by name, and the child does no harm to the parent's."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

REFUSED = """
import os
from memoranda import Memory, MemorandaError

memory = Memory.open(embedder="none")
ida = memory.scope(tenant="acme", user="ida")
child = os.fork()
if child == 0:
    try:
        ida.recall("tea")
    except MemorandaError as error:
        memory.close()
        with Memory.open(embedder="none") as own:
            own.scope(tenant="acme", user="ida").observe("Tea is green")
        os._exit(0 if "before the process forked" in str(error) else 2)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
ida.observe("Tea is black")
memory.close()
"""

SHARED = """
import gc, os, sys
from memoranda import Memory

path, way = sys.argv[1:]
memory = Memory.open(path, embedder="hashed")
ida = memory.scope(tenant="acme", user="ida")
ida.observe("Tea is green")
ida.recall("tea")  # a reader is open, too
watch, life = os.pipe()
child = os.fork()
if child == 0:
    if way == "collected":
        del memory, ida
        gc.collect()
    elif way == "closed":
        memory.close()
        memory.close()
    elif way == "outlives":
        os.close(life)
        os.read(watch, 1)  # until the parent has ended
    sys.exit(0)
if way != "outlives":
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
ida.observe("Tea is black")
assert len(ida.recall("tea")) == 2
assert memory.doctor(tenant="acme").problems == ()
"""


def run(program: str, *arguments: str) -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_fork_opens_its_own() -> None:
    run(REFUSED)


@pytest.mark.parametrize("way", ["collected", "closed", "left open", "outlives"])
def test_what_a_child_does_with_the_parents_memory_does_it_no_harm(tmp_path: Path, way: str) -> None:
    run(SHARED, str(tmp_path / "memory.db"), way)
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM events").fetchall() == [(2,)]
