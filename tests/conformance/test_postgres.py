"""PostgreSQL does what every store does."""

from collections.abc import AsyncIterator

import pytest

from conformance.postgres_server import PostgresServer
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.conformance import StoreConformance


class TestPostgresStore(StoreConformance):
    @pytest.fixture
    async def store(self, postgres: PostgresServer) -> AsyncIterator[PostgresStore]:
        store = await PostgresStore.open(postgres.url, schema=postgres.emptied())
        yield store
        await store.close()
