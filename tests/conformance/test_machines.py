from hypothesis import settings

from memstrata.ports import Store
from memstrata.stores.dict_ import DictStore
from memstrata.stores.sqlite.store import SqliteStore
from memstrata.testing.machine import StoreMachine


class SqliteMachine(StoreMachine):
    async def open_store(self) -> Store:
        return await SqliteStore.open(":memory:")

    def open_reference(self) -> Store:
        return DictStore()


TestSqliteMachine = SqliteMachine.TestCase
TestSqliteMachine.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
