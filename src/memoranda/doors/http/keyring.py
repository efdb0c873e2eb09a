"""The keys that requests show, looked up in the store and known for some seconds."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

from memoranda.flows.governance.access_keys import Key
from memoranda.memory import AsyncMemory

FRESH = 5.0  # seconds for which a revoked key may still open another process
_MOST = 10_000


class Keyring:
    """Says which key a request shows. What opens nothing is not remembered, and so costs nobody else a place.

    Args:
        memory: knows the keys.
        now: a monotonic clock in seconds.
    """

    def __init__(self, memory: AsyncMemory, now: Callable[[], float]) -> None:
        self._memory, self._now = memory, now
        self._known: OrderedDict[bytes, tuple[float, Key]] = OrderedDict()  # by the hash of the secret

    async def opened(self, secret: str) -> Key | None:
        """Return the key with this secret, if it opens anything."""
        name, now = sha256(secret.encode("utf-8", "replace")).digest(), self._now()
        read, known = self._known.get(name, (now - FRESH, None))
        if known is not None and now - read < FRESH:
            return known
        key = await self._memory.keys.check(secret=secret)
        self._known.pop(name, None)
        if key is not None:
            self._known[name] = now, key
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        return key
