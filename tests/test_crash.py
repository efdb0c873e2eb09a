"""What was acknowledged is there, whoever is killed and however many write."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from memoranda import Memory

WRITER = """
import sys
from memoranda import Memory

path, start, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with Memory.open(path, embedder="none") as memory:
    alice = memory.scope(tenant="acme", user="alice")
    for number in range(start, start + count):
        said = [{"role": "user", "content": f"The crab x{number}y is blue and I like tea{number}.", "id": str(number)}]
        captured = alice.add(said, conversation=f"talk {start}")
        print(number, captured.events[0], flush=True)
"""


def writer(path: Path, start: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), str(start), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    chance = random.Random(5)
    acknowledged: dict[int, str] = {}
    for start in range(0, 5_000, 1_000):
        with writer(path, start, 1_000) as process:
            assert process.stdout is not None
            for _ in range(chance.randint(1, 120)):
                number, event = process.stdout.readline().split()
                acknowledged[int(number)] = event
            process.kill()
            for line in process.stdout.read().splitlines(keepends=True):
                if line.endswith("\n"):
                    number, event = line.split()
                    acknowledged[int(number)] = event
    with Memory.open(path, embedder="none") as memory:
        alice = memory.scope(tenant="acme", user="alice")
        kept = {row["row"]["id"]: row["row"] for row in alice.export() if row.get("kind") == "events"}
        assert len(kept) - len(acknowledged) in range(6)  # a kill may hit between the commit and the print
        for number, event in acknowledged.items():
            assert f"x{number}y" in kept[event]["content"]
            found = alice.recall(f"Which crab is x{number}y?", limit=3)
            assert event in [item.id for item in found], number
        (problem,) = memory.doctor(tenant="acme").problems
        assert problem.startswith("no embedder")


@pytest.mark.parametrize("count", [250, pytest.param(1_000, marks=pytest.mark.slow)])
def test_four_processes_write_one_user_at_once(tmp_path: Path, count: int) -> None:
    path = tmp_path / "memory.db"
    writers = [writer(path, start * count, count) for start in range(4)]
    for process in writers:
        out, told = process.communicate()
        assert (process.returncode, told) == (0, "")
        assert len(out.splitlines()) == count
    with Memory.open(path, embedder="none") as memory:
        counts = memory.stats(tenant="acme", user="alice")
        assert counts["events"] == 4 * count
        assert counts["events_by_kind"] == {"turn": 4 * count}
        assert counts["records_by_status"] == {"candidate": 4 * count}
        positions = sorted(
            (row["row"]["conversation"], row["row"]["position"])
            for row in memory.scope(tenant="acme", user="alice").export()
            if row.get("kind") == "events"
        )
        assert positions == sorted((f"talk {n * count}", place) for n in range(4) for place in range(count))


CONSOLIDATING = """
import json, sys
from datetime import UTC, datetime, timedelta
from memoranda import Memory
from memoranda.ports import Completion

class Model:
    name = "test/model"

    async def complete(self, prompt, **_):
        print("asked", flush=True)
        claim = "User takes care of the greenhouse in Bergen."
        return Completion(text=json.dumps({"facts": [{"claim": claim, "events": [1]}]}))

    async def close(self):
        pass

def clock():
    return datetime.now(UTC) + timedelta(hours=int(sys.argv[2]))

with Memory.open(sys.argv[1], embedder="none", language_model=Model(), clock=clock) as memory:
    print(memory.consolidate(tenant="acme", user="alice").events)
"""


def test_a_kill_leaves_a_batch_taken_in_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    chance = random.Random(7)
    agents = [f"agent {number}" for number in range(40)]
    with Memory.open(path, embedder="none") as memory:
        for agent in agents:
            said = [{"role": "user", "content": "These days the greenhouse in Bergen is on me."}]
            memory.scope(tenant="acme", user="alice", agent=agent).add(said)
    command = [sys.executable, "-c", CONSOLIDATING, str(path)]
    for hours in range(5):  # who was killed holds the lease for minutes
        with subprocess.Popen([*command, str(hours)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(chance.randint(1, 6)):
                assert process.stdout.readline() == "asked\n"
            process.kill()
        with Memory.open(path, embedder="none") as memory:
            taken = _taken_in(memory)
            assert all(len({*told.values()}) == 1 for told in taken.values()), "part of a batch was written"
    assert 5 <= sum(told["processed"] for told in taken.values()) < 40
    subprocess.run([*command, "5"], check=True, capture_output=True)
    with Memory.open(path, embedder="none") as memory:
        assert _taken_in(memory) == {agent: {"processed": 1, "consolidations": 1, "records": 1} for agent in agents}


def _taken_in(memory: Memory) -> dict[str, dict[str, int]]:
    """Of each agent how many events were taken in, of how many consolidations, and into how many records."""
    found: dict[str, dict[str, int]] = {}
    for line in memory.scope(tenant="acme", user="alice").export():
        row = line.get("row", {})
        told = found.setdefault(row.get("agent"), {"processed": 0, "consolidations": 0, "records": 0})
        consolidation = row.get("kind") == "consolidation"
        told["processed"] += line.get("kind") == "events" and not consolidation and row["processed_at"] is not None
        told["consolidations"] += consolidation
        told["records"] += line.get("kind") == "records"
    found.pop(None)
    return found
