"""Serving the API: opens the memory, makes the first key, listens until terminated."""

import asyncio
import ipaddress
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from memoranda.doors.http.app import Api
from memoranda.doors.settings import DoorSettings
from memoranda.errors import SetupError
from memoranda.flows.governance.access_keys import RIGHTS
from memoranda.memory import AsyncMemory
from memoranda.system import utc_now

_OWN = ("read", "write", "forget")  # what the first key of a single user allows
_GRACE = 30  # seconds that requests have to end when the server is terminated
#: Makes what answers for an open memory, and ends it.
Answering = Callable[[AsyncMemory], AbstractAsyncContextManager[ASGIApp]]


@asynccontextmanager
async def _api(memory: AsyncMemory) -> AsyncIterator[ASGIApp]:
    yield Api(memory)


def serve(
    settings: DoorSettings,
    host: str,
    port: int,
    tell: Callable[[str], None],
    answering: Answering = _api,
    path: str = ", described by /openapi.json",
    user: str | None = None,
) -> None:
    """Serve the memory of the settings until the process is terminated; requests under way are answered first.

    Args:
        settings: what to open; their tenant's first key is made if it has none.
        host: the address to listen on.
        port: 0 for any that is free.
        tell: is told where it listens, and the first key.
        answering: makes what answers; the HTTP API by default.
        path: what is told behind the address.
        user: whom the first key is for; None: for all users.

    Raises:
        SetupError: it would listen beyond this machine, and the tenant has no valid key; or the address is in use.
    """
    asyncio.run(_serve(settings, host, port, tell, answering, path, user))


async def _serve(
    settings: DoorSettings,
    host: str,
    port: int,
    tell: Callable[[str], None],
    answering: Answering,
    path: str,
    user: str | None,
) -> None:
    async with await AsyncMemory.open(settings.db, **settings.opening()) as memory, answering(memory) as app:
        await _first_key(memory, settings.tenant, user, host, tell)
        config = uvicorn.Config(
            app, host, port, lifespan="off", log_level="warning", access_log=False, server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )  # fmt: skip
        try:
            socket = config.bind_socket()
        except SystemExit as error:  # so it says that it cannot
            raise SetupError(f"{host}:{port} cannot be listened on: choose another --port or --host.") from error
        with socket:
            place = f"[{host}]" if ":" in host else host
            tell(f"http://{place}:{socket.getsockname()[1]}{path}; ^C ends it")
            await _Server(config).serve([socket])


class _Server(uvicorn.Server):
    """A server that ends when it is told to, instead of ending the process: the memory is still to be closed."""

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
