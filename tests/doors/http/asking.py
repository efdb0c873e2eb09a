"""What the tests of the HTTP API share: an open memory behind the API, and clients with keys."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from memoranda import AsyncMemory
from memoranda.doors.http.app import Api
from memoranda.doors.wire.limits import Limits
from memoranda.flows.governance.access_keys import RIGHTS
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds

ME = "/v1/users/alice"


@dataclass
class Seconds:
    """A monotonic clock that moves only when it is set."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Served:
    """An API, and what it stands on."""

    memory: AsyncMemory
    api: Api
    clock: FrozenClock
    cache: DictCache
    seconds: Seconds = field(default_factory=Seconds)

    async def client(self, tenant: str = "acme", **key: Any) -> httpx2.AsyncClient:
        """A client with a new key, by default one with all rights."""
        made = await self.memory.keys.create(tenant=tenant, **{"rights": RIGHTS, **key})
        return httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=self.api),
            base_url="http://memory",
            headers={"Authorization": f"Bearer {made.secret}"},
        )


@asynccontextmanager
async def served(
    limits: Mapping[str, Any] | None = None, store: Store | None = None, beside: Served | None = None
) -> AsyncIterator[Served]:
    """An API with these limits, on a store; or another process, beside one with the same store, cache and clock."""
    clock, seconds = beside.clock if beside else FrozenClock(), Seconds()
    cache = beside.cache if beside else DictCache()
    ids = SequentialIds("other" if beside else "id")
    async with await AsyncMemory.open(
        beside.memory.runtime.store if beside else store or DictStore(), embedder="hashed", clock=clock, ids=ids,
        cache=cache,
    ) as memory:  # fmt: skip
        api = Api(memory, Limits(**(limits or {})), SequentialIds("request"), seconds)
        yield Served(memory, api, clock, cache, seconds)
        await api.operations.close()
