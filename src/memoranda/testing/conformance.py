"""The conformance suite for stores.

Subclass `StoreConformance`, define how to open your store, and run pytest:

    class TestMyStore(StoreConformance):
        async def open_store(self, path: Path) -> Store:
            return await MyStore.open(path / "memory.db")

With `pytest.register_assert_rewrite("memoranda.testing")` in `conftest.py`, failures show the values compared.
Every test has its own tenant, so the stores may share one database. The tests cover every kind of row in
`core.rows.TABLES`, so a new kind is covered as soon as it is declared.
"""

from memoranda.testing._probes import Probes
from memoranda.testing._reads import Reads
from memoranda.testing._writes import Writes


class StoreConformance(Writes, Reads, Probes):
    """The whole suite; see the module docstring."""


__all__ = ["StoreConformance"]
