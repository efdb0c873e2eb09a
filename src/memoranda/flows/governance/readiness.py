"""Whether an open memory can answer now: what a load balancer asks every few seconds."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import ApiKey
from memoranda.errors import MemorandaError
from memoranda.flows.runtime.runtime import Runtime

_NOBODY = Owner("_ready", SHARED)  # of whom nothing is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Which parts answer.

    Attributes:
        store, cache: "ok", or what is wrong. Without them nothing can be answered.
        embedder: "ok", "none", or what is wrong; recall then goes by words.
    """

    store: str
    cache: str
    embedder: str

    @property
    def ready(self) -> bool:
        """Whether requests can be answered."""
        return self.store == self.cache == "ok"


async def ready(runtime: Runtime) -> Readiness:
    """Say which parts of the memory answer now: the store, the cache, the embedder."""
    embedder = runtime.embedder
    return Readiness(
        store=await _asked(lambda: runtime.store.get(ApiKey, _NOBODY, [("",)])),
        cache=await _asked(runtime.desks.ask),
        embedder="none" if embedder is None else await _asked(lambda: embedder.embed(["ready"])),
    )


async def _asked(ask: Callable[[], Awaitable[object]]) -> str:
    try:
        await ask()
    except MemorandaError as error:
        return str(error)
    return "ok"
