from hypothesis import settings

from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.machine import StoreMachine


class SqliteMachine(StoreMachine):
    async def open_store(self) -> Store:
        return await SqliteStore.open(":memory:")

    def open_reference(self) -> Store:
        return DictStore()


TestSqliteMachine = SqliteMachine.TestCase
TestSqliteMachine.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
