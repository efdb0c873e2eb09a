"""Serving by MCP: to the process that started this one, or over HTTP to whoever shows a key."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.stdio import stdio_server
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from memoranda.doors.http.keyring import Keyring
from memoranda.doors.http.serving import serve
from memoranda.doors.mcp.offers import Offer, Seat
from memoranda.doors.mcp.profiles import offers
from memoranda.doors.mcp.server import Context, server
from memoranda.doors.settings import DoorSettings
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.limits import Gate, Limits
from memoranda.doors.wire.problems import Problem
from memoranda.doors.wire.watching import told_of
from memoranda.flows.governance.access_keys import Key
from memoranda.memory import AsyncMemory
from memoranda.system import PACE
from memoranda.verbs.registry import VERBS
from memoranda.verbs.toolbox import AGENT

PATH = "/mcp"
_CALLER = "memoranda.caller"


@dataclass(frozen=True, kw_only=True)
class Offering:
    """What is offered, and how.

    Attributes:
        tools: the name of the profile.
        place: where the model is, see `doors.wire.callers.PLACE`.
        source: whose word it is when the model records something, see `observe`.
        unasked: whether tools that remove something do so without asking the user.

    Raises:
        InputError: there is no such profile or source.
    """

    tools: str = "default"
    place: Mapping[str, Any] = field(default_factory=dict)
    source: str = AGENT
    unasked: bool = False

    def __post_init__(self) -> None:
        VERBS["observe"].constraints["source"].check("source", self.source)
        offers(self.tools)

    @property
    def offers(self) -> Mapping[str, Offer]:
        """The tools, by name."""
        return offers(self.tools, bool(self.place.get("connections")))

    def seat(self, memory: AsyncMemory, caller: Caller, gate: Gate) -> Seat:
        """Return the seat of a caller."""
        return Seat(memory=memory, caller=caller, gate=gate, place=self.place, source=self.source)


def stdio(settings: DoorSettings, offering: Offering) -> None:
    """Answer on standard input and output until the input ends, for the user of the settings."""
    asyncio.run(_stdio(settings, offering))


async def _stdio(settings: DoorSettings, offering: Offering) -> None:
    caller = Caller(tenant=settings.tenant, user=settings.user, agent=settings.agent)
    async with await AsyncMemory.open(settings.db, **settings.opening()) as memory:
        seat = offering.seat(memory, caller, gate_of(memory, Limits.of(settings.limits)))
        made = server(offering.offers, lambda _: seat, unasked=offering.unasked)
        async with stdio_server() as (read, write):
            await made.run(read, write, made.create_initialization_options())


def http(settings: DoorSettings, offering: Offering, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Answer over HTTP until terminated; see `doors.http.serving.serve`. Each request shows the key of one user."""
    answering = partial(app, offering, host, Limits.of(settings.limits))
    serve(settings, host, port, tell, answering=answering, path=PATH, user=settings.user)


@asynccontextmanager
async def app(offering: Offering, host: str, limits: Limits, memory: AsyncMemory) -> AsyncIterator[ASGIApp]:
    """Return the server as an ASGI application, while it is open.

    Args:
        offering: what is offered.
        host: where it listens; on this machine, only requests that name it are answered (DNS rebinding).
        limits: how many requests are let in.
        memory: the memory.
    """

    def seated(context: Context) -> Seat:
        request: Any = context.request
        return offering.seat(memory, request.scope[_CALLER], gate)

    gate = gate_of(memory, limits)
    made = server(offering.offers, seated, unasked=offering.unasked)
    inner = made.streamable_http_app(streamable_http_path=PATH, host=host)
    async with made.session_manager.run():
        yield Guarded(inner, memory, Keyring(memory, PACE.now, limits.wrong_keys), gate)


class Guarded:
    """Lets in who shows a key for one user, as far as the limits allow.

    Args:
        inner: what they are let into.
        memory: the memory.
        keys: the keys.
        gate: counts requests.
    """

    def __init__(self, inner: ASGIApp, memory: AsyncMemory, keys: Keyring, gate: Gate) -> None:
        self._inner, self._memory, self._keys, self._gate = inner, memory, keys, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        with ExitStack() as places:  # which a request has until its answer has been sent
            try:
                key = await self._let_in(scope, places)
            except Problem as problem:
                told_of(self._memory, problem)
                return await _limited(problem)(scope, receive, send)
            owner = AccessToken(token="", client_id=f"{key.tenant}/{key.id}", scopes=[])  # the sessions are its own
            known = {**scope, "user": AuthenticatedUser(owner), _CALLER: Caller.with_key(key)}
            return await self._inner(known, receive, send)

    async def _let_in(self, scope: Scope, places: ExitStack) -> Key:
        if scope["method"] != "GET":  # a stream that waits for what the server may say works on nothing
            places.enter_context(self._gate.entered())
        told = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
        key = await self._keys.opened(told, (scope.get("client") or ("",))[0])
        if key is None:
            raise _refusal(401, "unauthorized", "invalid_token", "Send a valid key: Authorization: Bearer mra_…")
        if key.user is None:
            about = "This key is for no single user; `memoranda keys create --user USER` makes one that is."
            raise _refusal(403, "access", "insufficient_scope", about)
        caller = Caller.with_key(key)
        places.enter_context(self._gate.entered_by(caller))
        await self._gate.counted(caller)
        return key


def gate_of(memory: AsyncMemory, limits: Limits) -> Gate:
    """Return what lets requests to a memory in."""
    runtime = memory.runtime
    return Gate(limits, runtime.clock, runtime.leases, runtime.ids())


def _limited(problem: Problem) -> JSONResponse:
    told = {"error": problem.members.get("error", problem.kind), "error_description": problem.detail}
    return JSONResponse(told, problem.status, dict(problem.headers))


def _refusal(status: int, kind: str, error: str, about: str) -> Problem:
    """The problem of a key; `error` is what OAuth calls it."""
    headers = {"WWW-Authenticate": f'Bearer error="{error}"'}
    return Problem(status=status, kind=kind, title=about, detail=about, members={"error": error}, headers=headers)
