"""Working memory in the store's file: while somebody else writes, and what it leaves of the log."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoranda.core.rows.cells import Cell, Place
from memoranda.errors import ConflictError, StoreError, StoreUnavailableError
from memoranda.stores.sqlite.cache import SqliteCache
from memoranda.stores.sqlite.store import SqliteStore

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
PLACE = Place("acme", "alice", "", "_global", "conversation", "c")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
async def cache(path: Path) -> AsyncIterator[SqliteCache]:
    store = await SqliteStore.open(path)
    cache = store.cache()
    assert isinstance(cache, SqliteCache)
    yield cache
    await cache.close()
    await store.close()


async def test_the_loop_goes_on_while_somebody_else_writes(cache: SqliteCache, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writes = [asyncio.create_task(cache.write(PLACE, {"a": Cell("1", "1")}, NOON)) for _ in range(3)]
        for _ in range(10):
            await asyncio.sleep(0)
        assert not any(write.done() for write in writes)
        assert (await cache.read(PLACE)).cells == {}
        other.execute("ROLLBACK")
        await asyncio.gather(*writes)
    assert (await cache.read(PLACE)).cells == {"a": Cell("1", "1")}


async def test_what_waits_is_refused_when_it_comes_too_late(cache: SqliteCache, path: Path) -> None:
    other = SqliteCache.open(path)
    with cache._writing:  # somebody of this process is writing: the next one waits in a thread
        late = asyncio.create_task(cache.write(PLACE, {"a": Cell("1", "1")}, NOON, expect={"a": None}))
        await asyncio.sleep(0)
        await other.write(PLACE, {"a": Cell("2", "2")}, NOON, expect={"a": None})
        assert not late.done()
    with pytest.raises(ConflictError):
        await late
    assert (await cache.read(PLACE)).cells == {"a": Cell("2", "2")}
    await other.close()


async def test_the_log_does_not_grow_without_end(cache: SqliteCache, path: Path) -> None:
    for number in range(1_500):
        await cache.write(PLACE, {"a": Cell("x" * 4_000, str(number))}, NOON)
    assert path.with_name("memory.db-wal").stat().st_size < 8_000_000


async def test_a_table_that_is_gone_is_told(cache: SqliteCache, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("DROP TABLE cells")
    for call in (cache.read(PLACE), cache.write(PLACE, {}, NOON), cache.idle("acme", NOON)):
        with pytest.raises(StoreError, match="no such table"):
            await call


async def test_a_file_that_cannot_be_written_is_told(path: Path) -> None:
    with pytest.raises(StoreUnavailableError):
        SqliteCache.open(path / "nowhere")
