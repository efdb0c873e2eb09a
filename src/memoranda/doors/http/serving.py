"""Serving the API: opens the memory, makes the first key, listens until terminated."""

import asyncio
import ipaddress
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from socket import IPPROTO_TCP, TCP_NODELAY
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from memoranda.doors.http.app import Api
from memoranda.doors.settings import DoorSettings
from memoranda.doors.wire.limits import Limits
from memoranda.doors.wire.watching import watched
from memoranda.errors import SetupError
from memoranda.flows.governance.access_keys import RIGHTS
from memoranda.memory import AsyncMemory
from memoranda.system import utc_now

_OWN = ("read", "write", "forget")  # what the first key of a single user allows
_GRACE = 30  # seconds that requests have to end when the server is terminated
#: Makes what answers for an open memory, and ends it.
Answering = Callable[[AsyncMemory], AbstractAsyncContextManager[ASGIApp]]


def serve_api(
    settings: DoorSettings, host: str, port: int, tell: Callable[[str], None], limits: Iterable[str] = ()
) -> None:
    """Serve the HTTP API as `serve` does.

    Args:
        settings: what to open.
        host: the address to listen on.
        port: 0 for any that is free.
        tell: is told where it listens, and the first key.
        limits: what it allows, each as NAME=NUMBER, before what the settings say.

    Raises:
        SetupError: a limit is none, or as for `serve`.
    """
    answering = _api_within(Limits.of(settings.limits, *limits), settings.tenant)
    serve(settings, host, port, tell, answering=answering, path=", described by /openapi.json")


def _api_within(limits: Limits, tenant: str) -> Answering:
    """Return what makes the HTTP API with these limits; the tenant is watched even if it asks nothing."""

    @asynccontextmanager
    async def answering(memory: AsyncMemory) -> AsyncIterator[ASGIApp]:
        api = Api(memory, limits)
        try:
            async with watched(memory, lambda: api.keys.tenants | {tenant}):
                yield api
        finally:
            await api.operations.close()

    return answering


def serve(
    settings: DoorSettings,
    host: str,
    port: int,
    tell: Callable[[str], None],
    *,
    answering: Answering,
    path: str,
    user: str | None = None,
) -> None:
    """Serve the memory of the settings until the process is terminated; requests under way are answered first.

    Args:
        settings: what to open; their tenant's first key is made if it has none.
        host: the address to listen on.
        port: 0 for any that is free.
        tell: is told where it listens, and the first key.
        answering: makes what answers.
        path: what is told behind the address.
        user: whom the first key is for; None: for all users.

    Raises:
        SetupError: it would listen beyond this machine, and the tenant has no valid key; or the address is in use.
    """

    async def served() -> None:
        async with await AsyncMemory.open(settings.db, **settings.opening()) as memory, answering(memory) as app:
            await _first_key(memory, settings.tenant, user, host, tell)
            await _listen(app, host, port, path, tell)

    asyncio.run(served())


async def _listen(app: ASGIApp, host: str, port: int, path: str, tell: Callable[[str], None]) -> None:
    config = uvicorn.Config(
        app, host, port, lifespan="off", log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )  # fmt: skip
    try:
        socket = config.bind_socket()
    except SystemExit as error:  # so it says that it cannot
        raise SetupError(f"{host}:{port} cannot be listened on: choose another --port or --host.") from error
    with socket:
        socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)  # asyncio does so only for sockets that name their protocol
        socket.listen(config.backlog)  # so that who is told the address need not wait
        place = f"[{host}]" if ":" in host else host
        tell(f"http://{place}:{socket.getsockname()[1]}{path}; ^C ends it")
        await _Server(config, app).serve([socket])


class _Server(uvicorn.Server):
    """A server that ends when it is told to, instead of ending the process: the memory is still to be closed."""

    def __init__(self, config: uvicorn.Config, app: ASGIApp) -> None:
        super().__init__(config)
        self._app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Cancel what takes long, so that those who follow it learn the end; what else was begun is answered."""
        if isinstance(self._app, Api):
            self._app.operations.stop()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, self.handle_exit, one, None)
        try:
            yield
        finally:
            for one in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(one)


async def _first_key(
    memory: AsyncMemory, tenant: str, user: str | None, host: str, tell: Callable[[str], None]
) -> None:
    if any(key.opens(utc_now()) for key in await memory.keys.list(tenant=tenant)):
        return
    if not _is_here(host):
        raise SetupError(
            f"{host} can be reached from elsewhere, and {tenant} has no valid key yet: make one with "
            f"`memoranda keys create --tenant {tenant}`."
        )
    made = await memory.keys.create(tenant=tenant, user=user, rights=RIGHTS if user is None else _OWN, name="first")
    tell(f"The first key of tenant {tenant}, shown this once:\n{made.secret}")


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
