from collections.abc import AsyncIterator

import httpx2
import pytest

from doors.http.conftest import anyio_backend, api, clock, memory, offline, store
from memoranda import AsyncMemory
from memoranda.client import AsyncRemoteMemory
from memoranda.doors.http.app import Api
from memoranda.ports import Pace
from memoranda.testing.fakes import SequentialIds

__all__ = ["anyio_backend", "api", "clock", "memory", "offline", "store"]

RIGHTS = ["read", "write", "forget", "export", "knowledge", "admin"]


class Waits(list[float]):
    """The seconds that would have been slept."""

    async def sleep(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def pace(waits: Waits) -> Pace:
    return Pace(now=lambda: 0.0, sleep=waits.sleep, chance=lambda: 0.5)


@pytest.fixture
async def key(memory: AsyncMemory) -> str:
    return (await memory.keys.create(tenant="acme", rights=RIGHTS)).secret


@pytest.fixture
async def remote(api: Api, key: str, pace: Pace) -> AsyncIterator[AsyncRemoteMemory]:
    carried = httpx2.ASGITransport(app=api)
    async with AsyncRemoteMemory("http://memoranda", key, transport=carried, pace=pace, ids=SequentialIds()) as memory:
        yield memory
