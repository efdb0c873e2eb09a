from pathlib import Path

from memoranda.ports import Store
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.conformance import StoreConformance


class TestSqliteFile(StoreConformance):
    async def open_store(self, path: Path) -> Store:
        return await SqliteStore.open(path / "memory.db")


class TestSqliteMemory(StoreConformance):
    async def open_store(self, path: Path) -> Store:  # noqa: ARG002 - nothing is kept
        return await SqliteStore.open(":memory:")
