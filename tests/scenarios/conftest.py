"""A memory to play a story in: a file, and for what many agents and sessions share PostgreSQL with Redis, too."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from memoranda import AsyncMemory
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.fakes import FrozenClock, SequentialIds


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


SERVED = ("test_sprint", "test_session")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    own = [mark for mark in metafunc.definition.iter_markers("parametrize") if mark.args[0] == "memory"]
    if "memory" in metafunc.fixturenames and metafunc.module.__name__.rpartition(".")[2].startswith(SERVED) and not own:
        metafunc.parametrize("memory", ["embedded", "served"], indirect=True)


@pytest.fixture
async def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> AsyncIterator[AsyncMemory]:
    options: dict[str, Any] = {"embedder": "hashed", "clock": clock, "ids": SequentialIds()}
    async with AsyncExitStack() as last:
        url: Any = tmp_path / "memory.db"
        if getattr(request, "param", "embedded") == "served":
            server, redis = request.getfixturevalue("postgres"), request.getfixturevalue("redis")
            with redis.client() as client:
                client.flushall()
            url = await PostgresStore.open(server.url, schema=server.emptied())
            options["cache"] = f"unix://{redis.unix_socket_path}"
        yield await last.enter_async_context(await AsyncMemory.open(url, **options))
