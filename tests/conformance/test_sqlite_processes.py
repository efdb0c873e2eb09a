"""Several processes, and processes that die."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memoranda.core.base.scope import Owner
from memoranda.core.rows import Event, Passage, Vector
from memoranda.ports import Probe, Query, State
from memoranda.stores.sqlite.store import SqliteStore

pytestmark = pytest.mark.anyio
OWNER = Owner("acme", "alice")
WRITER = Path(__file__).with_name("sqlite_writer.py")


@pytest.fixture
def anyio_backend():
    return "asyncio"


def _start(path: Path, name: str, number: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), name, str(number)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def _found(path: Path) -> tuple[State, list[set[str]]]:
    """The state, and the refs there are in each table and by each index."""
    store = await SqliteStore.open(path)
    kinds = (Event, Passage, Vector)
    page = await store.find(OWNER, *(Query(kind=kind, tenant="acme", user="alice") for kind in kinds))
    hits = await store.probe(Probe(owner=OWNER, limit=10_000, terms=("word",)))
    events, passages, vectors = page.rows
    assert (await store.describe())["problems"] == []
    await store.close()
    refs = [{row.id for row in events}, {row.ref for row in passages}, {row.ref for row in vectors}]
    return page.state, [*refs, {hit.ref for hit in hits}]


async def test_four_processes_write_at_once(tmp_path: Path):
    path = tmp_path / "memory.db"
    writers = [_start(path, name, 250) for name in "abcd"]
    answers = [writer.communicate(timeout=120) for writer in writers]
    assert [(writer.returncode, answer[1]) for writer, answer in zip(writers, answers, strict=True)] == [(0, "")] * 4
    wanted = {f"{name}{number}" for name in "abcd" for number in range(250)}
    assert {line for answer in answers for line in answer[0].split()} == wanted
    assert await _found(path) == (State(seq=3000), [wanted] * 4)


@pytest.mark.parametrize("lines", [1, 40, 120])
async def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path, lines: int):
    path = tmp_path / "memory.db"
    with _start(path, "a", 1_000_000) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline().strip() for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().split()  # communicate() would pass over what its buffer holds
    state, found = await _found(path)
    assert all(found[0] == refs for refs in found)
    assert set(acknowledged) <= found[0]
    assert len(found[0]) <= len(acknowledged) + 1
    assert state == State(seq=3 * len(found[0]))
