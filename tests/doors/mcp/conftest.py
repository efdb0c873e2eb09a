from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp_types import ElicitRequestParams, ElicitResult

from flows.conftest import anyio_backend, clock, memory
from memoranda import AsyncMemory
from memoranda.doors.mcp.offers import Seat
from memoranda.doors.mcp.profiles import offers
from memoranda.doors.mcp.server import server
from memoranda.doors.mcp.serving import gate_of
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.limits import Limits
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore

__all__ = ["anyio_backend", "clock", "memory"]

MODES = ["2026-07-28", "legacy"]


@pytest.fixture(autouse=True)
def offline() -> None:
    """These tests do open connections, within this machine."""


@pytest.fixture
async def store() -> Store:
    return DictStore()


class Talk:
    """Makes clients of a memory, and keeps what their user was asked."""

    def __init__(self, memory: AsyncMemory) -> None:
        self.memory = memory
        self.asked: list[str] = []

    def client(
        self,
        mode: str = "2026-07-28",
        tools: str = "default",
        says: ElicitResult | None = None,
        place: Mapping[str, Any] | None = None,
        limits: Mapping[str, Any] | None = None,
        *,
        unasked: bool = False,
        source: str = "agent",
        **caller: Any,
    ) -> Client:
        """Make a client whose user answers every question with `says`; None: it cannot ask."""
        whose = Caller(**{"tenant": "acme", "user": "alice", **caller})
        gate = gate_of(self.memory, Limits(**(limits or {})))
        seat = Seat(memory=self.memory, caller=whose, gate=gate, place=place or {}, source=source)
        offered = offers(tools, "connections" in seat.place)

        async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG001
            self.asked.append(params.message)
            assert says is not None
            return says

        made = server(offered, lambda _: seat, unasked=unasked)
        return Client(made, mode=mode, elicitation_callback=answer if says else None)


@pytest.fixture
def talk(memory: AsyncMemory) -> Talk:
    return Talk(memory)
