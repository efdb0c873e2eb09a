"""What every store must do.

Subclass `StoreConformance`, say how to open your store, and run pytest:

    class TestMyStore(StoreConformance):
        async def open_store(self, path: Path) -> Store:
            return await MyStore.open(path / "memory.db")

With `pytest.register_assert_rewrite("memstrata.testing")` in `conftest.py`, failures show the values compared.
Every test has a tenant of its own, so the stores may share one database. The promises hold for every kind of
row in `core.rows.TABLES`; a new kind is covered by being declared.
"""

from memstrata.testing._probes import Probes
from memstrata.testing._reads import Reads
from memstrata.testing._writes import Writes


class StoreConformance(Writes, Reads, Probes):
    """The whole suite; see the module."""


__all__ = ["StoreConformance"]
