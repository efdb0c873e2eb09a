"""The keys that requests show, looked up in the store and known for some seconds."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

from memoranda.doors.wire.limits import Guard
from memoranda.flows.governance.access_keys import Key
from memoranda.memory import AsyncMemory

FRESH = 5.0  # seconds for which a revoked key may still open another process
_MOST = 10_000


class Keyring:
    """Says which key a request shows. What opens nothing is not remembered, and so costs nobody else a place.

    Args:
        memory: knows the keys.
        now: a monotonic clock in seconds.
        wrong: how many wrong keys an address may show in a minute; 0: any number.
    """

    def __init__(self, memory: AsyncMemory, now: Callable[[], float], wrong: int = 0) -> None:
        self._memory, self._now = memory, now
        self._guard = Guard(wrong, memory.runtime.clock)
        self._known: OrderedDict[bytes, tuple[float, Key]] = OrderedDict()  # by the hash of the secret

    @property
    def tenants(self) -> frozenset[str]:
        """The tenants whose keys were shown lately."""
        return frozenset(key.tenant for _, key in self._known.values())

    async def opened(self, told: str, address: str = "") -> Key | None:
        """Return the key that a request shows, if it opens anything.

        Args:
            told: the header `Authorization`.
            address: where the request comes from.

        Raises:
            Problem: that address has shown too many wrong keys, and this one has opened nothing yet.
        """
        kind, _, secret = told.partition(" ")
        secret = secret.strip()
        return await self._looked_up(secret, address) if kind.lower() == "bearer" and secret else None

    async def _looked_up(self, secret: str, address: str) -> Key | None:
        name, now = sha256(secret.encode("utf-8", "replace")).digest(), self._now()
        read, known = self._known.get(name, (now - FRESH, None))
        if known is not None and now - read < FRESH:
            return known
        if known is None:
            self._guard.check(address)
        key = await self._memory.keys.check(secret=secret)
        self._known.pop(name, None)
        if key is None:
            self._guard.wrong(address)
        else:
            self._known[name] = now, key
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        return key
