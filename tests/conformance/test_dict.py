from pathlib import Path

from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.conformance import StoreConformance


class TestDictStore(StoreConformance):
    async def open_store(self, path: Path) -> Store:  # noqa: ARG002 - nothing is kept
        return DictStore()
