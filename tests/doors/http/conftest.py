import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx2
import pytest

from flows.conftest import anyio_backend, clock, memory
from memoranda import AsyncMemory
from memoranda.doors.http.app import Api
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore

__all__ = ["anyio_backend", "clock", "memory"]

#: Makes a client with a key of its own: `await client(tenant="acme", rights=["read"])`.
Clients = Callable[..., Awaitable[httpx2.AsyncClient]]


@pytest.fixture(autouse=True)
def offline() -> None:
    """These tests do open connections, within this machine."""


@pytest.fixture
async def store() -> Store:
    return DictStore()


@pytest.fixture
def api(memory: AsyncMemory) -> Api:
    return Api(memory)


@pytest.fixture
async def client(memory: AsyncMemory, api: Api) -> AsyncIterator[Clients]:
    made: list[httpx2.AsyncClient] = []

    async def client(**given: Any) -> httpx2.AsyncClient:
        given = {"tenant": "acme", "rights": ["read", "write", "forget", "export", "admin"], **given}
        secret = (await memory.keys.create(**given)).secret
        made.append(
            httpx2.AsyncClient(
                transport=httpx2.ASGITransport(app=api),
                base_url="http://memoranda",
                headers={"Authorization": f"Bearer {secret}"},
            )
        )
        return made[-1]

    yield client
    for one in made:
        await one.aclose()


@pytest.fixture
async def acme(client: Clients) -> httpx2.AsyncClient:
    return await client()


def problem(response: httpx2.Response, status: int, kind: str) -> dict[str, Any]:
    """Return the problem document of a response that must be one."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    found: dict[str, Any] = response.json()
    assert found["type"] == f"urn:memoranda:problem:{kind}"
    assert found["status"] == status
    assert found["request_id"] == response.headers["x-request-id"]
    assert found["title"]
    assert re.search(r"\w", found["detail"])
    return found
