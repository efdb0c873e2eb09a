"""A memory opened before a fork is refused in the child, by name, instead of waiting for a thread that is not there."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os
from memstrata import Memory, MemstrataError

memory = Memory.open(embedder="none")
ida = memory.scope(tenant="acme", user="ida")
child = os.fork()
if child == 0:
    try:
        ida.recall("tea")
    except MemstrataError as error:
        memory.close()
        with Memory.open(embedder="none") as own:
            own.scope(tenant="acme", user="ida").observe("Tea is green")
        os._exit(0 if "before the process forked" in str(error) else 2)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
ida.observe("Tea is black")
memory.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_opens_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
