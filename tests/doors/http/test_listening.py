"""A server that tells where it listens does listen there, and sends its answers at once."""

import socket
from typing import Any

import anyio
import anyio.lowlevel
import pytest
import uvicorn
from starlette.responses import PlainTextResponse

from memoranda.doors.http.serving import _listen

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def offline() -> None:
    """These tests do open connections, within this machine."""


async def test_who_is_told_the_address_is_answered_without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[socket.socket] = []
    told: list[socket.socket] = []
    bind = uvicorn.Config.bind_socket

    def binding(config: uvicorn.Config) -> socket.socket:
        bound.append(bind(config))
        return bound[0]

    def tell(text: str) -> None:
        port = int(text.partition(";")[0].rpartition(":")[2])
        told.append(socket.create_connection(("127.0.0.1", port), 5))

    monkeypatch.setattr(uvicorn.Config, "bind_socket", binding)
    answer: Any = PlainTextResponse("ok")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_listen, answer, "127.0.0.1", 0, "", tell)
        while not told:
            await anyio.lowlevel.checkpoint()
        with told[0] as connection:
            await anyio.to_thread.run_sync(connection.sendall, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await anyio.to_thread.run_sync(connection.recv, 12)) == b"HTTP/1.1 200"
        # A connection has what its listener had; without it, each answer waits 40 ms for the client's acknowledgement.
        assert bound[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        tasks.cancel_scope.cancel()
