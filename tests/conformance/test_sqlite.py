from pathlib import Path

from memstrata.ports import Store
from memstrata.stores.sqlite.store import SqliteStore
from memstrata.testing.conformance import StoreConformance


class TestSqliteFile(StoreConformance):
    async def open_store(self, path: Path) -> Store:
        return await SqliteStore.open(path / "memory.db")


class TestSqliteMemory(StoreConformance):
    async def open_store(self, path: Path) -> Store:  # noqa: ARG002 - nothing is kept
        return await SqliteStore.open(":memory:")
