"""A memory that a server holds, with and without `await`."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from types import TracebackType
from typing import Any, Generic, Self, cast

from httpx2 import AsyncBaseTransport, AsyncClient

from memoranda.core.base.retry_policy import Gating
from memoranda.core.base.scope import GLOBAL
from memoranda.doors.client.line import Line, check_address
from memoranda.errors import AccessError
from memoranda.flows.governance.access_keys import tenant_of
from memoranda.ports import Ids, Pace
from memoranda.system import PACE, time_ordered, utc_now
from memoranda.verbs.loop import Loop
from memoranda.verbs.memory import OpenMemory, S
from memoranda.verbs.registry import Async, Blocking, C
from memoranda.verbs.scoped import AsyncScoped, Scoped


class _Remote(OpenMemory[C, S], Generic[C, S]):
    """What both colours are: faces on a line, and the rule that tenant and team are those of the key."""

    def __init__(
        self,
        colour: C,
        url: str,
        key: str,
        *,
        timeout: float,
        attempts: int,
        transport: AsyncBaseTransport | None,
        pace: Pace,
        ids: Ids | None,
    ) -> None:
        gating = Gating(attempts=attempts, seconds=timeout, longest=10.0)
        tenant = tenant_of(key)
        if not tenant:
            raise AccessError("The key is none: give the whole of what `memoranda keys create` printed, mra_….")
        client = AsyncClient(
            base_url=check_address(url), headers={"Authorization": f"Bearer {key}"}, timeout=timeout,
            transport=transport, trust_env=False,
        )  # fmt: skip
        self._line = Line(client, tenant, gating, pace, ids or time_ordered(utc_now))
        super().__init__(colour, cast("Any", self._line))

    @property
    def tenant(self) -> str:
        """The tenant of the key."""
        return self._line.tenant

    def scope(
        self,
        *,
        tenant: str | None = None,
        user: str,
        agent: str | None = None,
        team: str | None = None,
        channel: str = GLOBAL,
        connections: Sequence[str] = (),
        conversation: str | None = None,
        task: str | None = None,
        whole: bool = False,
    ) -> S:
        """Return the memory of one user, as one caller sees it; see `Memory.scope`.

        Tenant and team are those of the key. The tenant may be named, so that a program may use either memory; the team
        may not, since the key does not tell it.

        Raises:
            AccessError: the tenant is not that of the key, or a team is named.
            ScopeError: a name is empty or cannot be stored, or `whole` is combined with agent, channel or connections.
        """
        self._line.check_tenant(tenant)
        if team is not None:
            raise AccessError("The team is that of the key: leave it out.")
        return super().scope(
            tenant=self.tenant, user=user, agent=agent, channel=channel, connections=connections,
            conversation=conversation, task=task, whole=whole,
        )  # fmt: skip


class AsyncRemoteMemory(_Remote[Async, AsyncScoped]):
    """A memory that a server holds, whose methods are awaited; to be made and used as `RemoteMemory` is."""

    _of = Async
    _scoped = AsyncScoped

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 60.0,
        attempts: int = 3,
        transport: AsyncBaseTransport | None = None,
        pace: Pace = PACE,
        ids: Ids | None = None,
    ) -> None:
        super().__init__(Async(), url, key, timeout=timeout, attempts=attempts, transport=transport, pace=pace, ids=ids)

    async def close(self) -> None:
        """Close the connections. May be called twice."""
        await self._line.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class RemoteMemory(_Remote[Blocking, Scoped]):
    """A memory that a server holds, with the verbs and answers of one that is opened here. Close it at the end.

    Args:
        url: the address of the server, such as "http://127.0.0.1:8765".
        key: the key, `mra_…`.
        timeout: seconds to wait for one answer.
        attempts: how often a request is sent at most, if its answer is lost or the server is busy.
        transport: what carries the requests, in place of TCP.
        pace: the clock, sleep and randomness of what is sent again.
        ids: names writes, so that one sent again is carried out once.

    Raises:
        InputError: the address is none.
        AccessError: the key is none.
    """

    _of = Blocking
    _scoped = Scoped

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 60.0,
        attempts: int = 3,
        transport: AsyncBaseTransport | None = None,
        pace: Pace = PACE,
        ids: Ids | None = None,
    ) -> None:
        with ExitStack() as undo:
            loop = undo.enter_context(closing(Loop()))
            super().__init__(
                Blocking(loop), url, key, timeout=timeout, attempts=attempts, transport=transport, pace=pace, ids=ids
            )
            loop.on_close(self._line.close)
            undo.pop_all()

    def close(self) -> None:
        """Close the connections. May be called twice."""
        self._colour.loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


__all__ = ["AsyncRemoteMemory", "RemoteMemory"]
