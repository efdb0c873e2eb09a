from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memoranda import AsyncMemory, AsyncScoped
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture(params=["dict", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store: Store = DictStore() if request.param == "dict" else await SqliteStore.open(tmp_path / "memory.db")
    yield store
    await store.close()


@pytest.fixture
async def memory(store: Store, clock: FrozenClock) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds()) as memory:
        yield memory


@pytest.fixture
def alice(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice")
