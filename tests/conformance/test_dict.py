from pathlib import Path

from memstrata.ports import Store
from memstrata.stores.dict_ import DictStore
from memstrata.testing.conformance import StoreConformance


class TestDictStore(StoreConformance):
    async def open_store(self, path: Path) -> Store:  # noqa: ARG002 - nothing is kept
        return DictStore()
