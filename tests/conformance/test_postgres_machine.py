"""PostgreSQL answers whatever is done to it as the dict store does."""

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from conformance.postgres_server import PostgresServer
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.machine import StoreMachine


def test_postgres_does_what_the_reference_does(postgres: PostgresServer) -> None:
    class Machine(StoreMachine):
        async def open_store(self) -> Store:
            return await PostgresStore.open(postgres.url, schema=postgres.emptied(), pool_size=1)

        def open_reference(self) -> Store:
            return DictStore()

    run_state_machine_as_test(Machine, settings=settings(max_examples=30, stateful_step_count=15, deadline=None))
