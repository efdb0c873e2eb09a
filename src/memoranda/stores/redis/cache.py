"""Working memory on Redis or Valkey.

A place is one hash, so it lies on one node of a cluster, and one script compares versions and writes. A sorted set
lists the places of a tenant. A place is entered there when its hash is created, not when it is written again, so a
write to an existing place is one command. The hash itself records when the place was last written. Only places that
may be dropped have an expiry, so a server with `maxmemory-policy volatile-lru` evicts only those.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Self
from urllib.parse import quote, unquote

from redis import exceptions
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from memoranda.core.rows.cells import Cell, Content, Place
from memoranda.errors import (
    ConflictError,
    InputError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

CLUSTER = "redis+cluster://"
_SECONDS = 1.0  # timeout: a conversation does not wait for a server that does not respond
_AT_ONCE = 100  # concurrent calls, each on its own connection; further calls wait
_PLACES_AT_ONCE = 1_000  # places whose time of writing is read in one round trip
_PLACE, _PLACES = "memstrata:cells:", "memstrata:places:"

#: Writes a place. Arguments: the time, milliseconds to keep it (0: no expiry), whether it may be new ('0' or '1'); the
#: number of expected versions, then name and version of each ("": must not exist); the number of cells to write, then
#: name and text of each; then the names to remove.
_WRITE = """
local at, keep, fresh, place = ARGV[1], tonumber(ARGV[2]), ARGV[3], KEYS[1]
if fresh == '0' and redis.call('EXISTS', place) == 0 then return 'unknown' end
local next = 5
for _ = 1, tonumber(ARGV[4]) do
    local held = redis.call('HGET', place, ARGV[next])
    local version = held and string.sub(held, 1, string.find(held, '\\n', 1, true) - 1) or ''
    if version ~= ARGV[next + 1] then return 'conflict' end
    next = next + 2
end
local last = next + 2 * tonumber(ARGV[next])
for i = next + 1, last, 2 do redis.call('HSET', place, ARGV[i], ARGV[i + 1]) end
for i = last + 1, #ARGV do redis.call('HDEL', place, ARGV[i]) end
redis.call('HSET', place, '', at)
if redis.call('HLEN', place) == 1 then redis.call('DEL', place)
elseif keep > 0 then redis.call('PEXPIRE', place, keep)
else redis.call('PERSIST', place) end
return 'done'
"""
#: Error prefixes for server-side problems that the client library has no exception class for.
_TROUBLE: Mapping[str, tuple[type[StoreError], str]] = MappingProxyType(
    {
        "MISCONF": (StoreReadOnlyError, "Redis only reads, for it cannot save"),
        "NOREPLICAS": (StoreReadOnlyError, "Redis only reads, for its replicas are away"),
        "BUSY": (StoreUnavailableError, "Redis does not answer"),
    }
)
_WRITE_SHA = hashlib.sha1(_WRITE.encode(), usedforsecurity=False).hexdigest()
#: Removes a place that no longer exists from the sorted set, unless it was entered again meanwhile.
_UNLIST = """
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and tonumber(score) == tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
"""


class RedisCache:
    """`ports.Cache` on a server that speaks the Redis protocol; open it with `open`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._open = True

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to "redis://…", "rediss://…", "unix://…", or a cluster by one of its nodes, "redis+cluster://…".

        Raises:
            InputError: `url` is not such an address.
            StoreUnavailableError: the server cannot be reached or refuses the connection.
        """
        options: dict[str, Any] = {
            "socket_timeout": _SECONDS,
            "socket_connect_timeout": _SECONDS,
            "retry": Retry(NoBackoff(), 1),
            "max_connections": 2 * _AT_ONCE,  # a cluster client also queries its nodes for the topology
        }
        try:
            if url.startswith(CLUSTER):
                client: Any = RedisCluster.from_url(f"redis://{url.removeprefix(CLUSTER)}", **options)
            else:
                client = Redis.from_url(url, **options)
        except ValueError as error:
            raise InputError(f"This is no address of a Redis server: {error}.") from error
        cache = cls(client)
        async with AsyncExitStack() as undo:
            undo.push_async_callback(cache.close)
            async with cache._mapped():
                await client.ping()
            undo.pop_all()
        return cache

    async def read(self, place: Place) -> Content:
        async with self._mapped():
            held = await self._client.hgetall(_key(place))
        return Content(
            {name.decode(): _cell(text) for name, text in held.items() if name},
            _time(held[b""]) if held else None,
        )

    async def write(
        self,
        place: Place,
        cells: Mapping[str, Cell | None],
        at: datetime,
        *,
        expect: Mapping[str, str | None] = MappingProxyType({}),
        keep: timedelta | None = None,
    ) -> None:
        put = {name: _text(cell) for name, cell in cells.items() if cell is not None}
        wanted = [part for name, version in expect.items() for part in (name, version or "")]
        given = [part for pair in put.items() for part in pair]
        gone = [name for name, cell in cells.items() if cell is None]
        rest = [len(expect), *wanted, len(put), *given, *gone]
        first = [at.isoformat(), 0 if keep is None else max(1, keep // timedelta(milliseconds=1))]
        async with self._mapped():
            done = await self._script(_key(place), *first, 0, *rest)
            if done == b"unknown":
                entry = _places(place.tenant), {_member(place): at.timestamp()}
                await self._client.zadd(*entry)
                done = await self._script(_key(place), *first, 1, *rest)
                await self._client.zadd(*entry)  # an `idle` in between may have found no hash and removed the entry
        if done == b"conflict":
            raise ConflictError(f"Somebody else wrote to {place} first.")

    async def idle(
        self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None
    ) -> Sequence[Place]:
        listed = _places(tenant)
        async with self._mapped():
            if user is None:
                entered = await self._client.zrange(
                    listed, "-inf", f"({before.timestamp()!r}", byscore=True, withscores=True
                )
            else:
                pattern = f"{quote(tenant, safe='')}/{quote(user, safe='')}/*"
                found = self._client.zscan_iter(listed, match=pattern, count=_PLACES_AT_ONCE)
                entered = list({member: score async for member, score in found}.items())  # ZSCAN may repeat
            written = list[tuple[datetime, bytes]]()
            for first in range(0, len(entered), _PLACES_AT_ONCE):
                written += await self._written(listed, entered[first : first + _PLACES_AT_ONCE])
        return [_place(member) for at, member in sorted(written) if at < before][:limit]

    async def close(self) -> None:
        self._open = False
        await self._client.aclose()

    async def _written(self, listed: str, entered: Sequence[tuple[bytes, float]]) -> list[tuple[datetime, bytes]]:
        """Read when listed places were last written. Remove those that are gone from the list."""
        asked, told = self._client.pipeline(transaction=False), self._client.pipeline(transaction=False)
        for member, _ in entered:
            asked.hget(_PLACE + member.decode(), "")
        times = [_time(at) if at else None for at in await asked.execute()]
        for (member, score), at in zip(entered, times, strict=True):
            if at is None:
                told.eval(_UNLIST, 1, listed, member, repr(score))
            elif at.timestamp() != score:
                told.zadd(listed, {member: at.timestamp()}, xx=True)
        await told.execute()
        return [(at, member) for (member, _), at in zip(entered, times, strict=True) if at]

    async def _script(self, *arguments: Any) -> Any:
        try:
            return await self._client.evalsha(_WRITE_SHA, 1, *arguments)
        except exceptions.NoScriptError:
            return await self._client.eval(_WRITE, 1, *arguments)

    @asynccontextmanager
    async def _mapped(self) -> AsyncIterator[None]:
        """Turn client errors raised inside into `memoranda.errors`."""
        if not self._open:
            raise StoreUnavailableError("This cache was closed: open it again.")
        try:
            async with self._turns:
                yield
        except exceptions.ReadOnlyError as error:
            raise StoreReadOnlyError(f"Redis only reads; connect to the primary ({error}).") from error
        except exceptions.OutOfMemoryError as error:
            raise StoreFullError(f"Redis has no memory left ({error}).") from error
        except (
            exceptions.ConnectionError,
            exceptions.TimeoutError,
            exceptions.RedisClusterException,
            exceptions.ClusterError,
            OSError,
        ) as error:
            raise StoreUnavailableError(f"Redis cannot be reached, or went away: {error}.") from error
        except exceptions.RedisError as error:
            kind, means = _TROUBLE.get(str(error).partition(" ")[0], (StoreError, "Redis refused"))
            raise kind(f"{means}: {error}.") from error
        except UnicodeEncodeError as error:
            raise StoreError(f"A value cannot be kept in Redis; nothing of this call was written ({error}).") from error


def _member(place: Place) -> str:
    return "/".join(quote(part, safe="") for part in place)


def _place(member: bytes) -> Place:
    return Place(*map(unquote, member.decode().split("/")))


def _key(place: Place) -> str:
    return _PLACE + _member(place)


def _places(tenant: str) -> str:
    return _PLACES + quote(tenant, safe="")


def _text(cell: Cell) -> str:
    return f"{cell.version}\n{cell.expires.isoformat() if cell.expires else ''}\n{cell.text}"


def _cell(text: bytes) -> Cell:
    version, expires, value = text.decode().split("\n", 2)
    return Cell(value, version, datetime.fromisoformat(expires) if expires else None)


def _time(text: bytes) -> datetime:
    return datetime.fromisoformat(text.decode()).astimezone(UTC)
