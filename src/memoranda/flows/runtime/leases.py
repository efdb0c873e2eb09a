"""Leases: mark who is doing what, so that two workers do not both do it.

A lease is a cell of the cache, written by compare-and-set, and expires by itself. It only saves work: everything
written under a lease is also written on condition, and is correct even if two workers run at once, or if the cache is
down.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memoranda.core.base.scope import GLOBAL, Owner
from memoranda.core.rows.cells import Cell, Place
from memoranda.errors import ConflictError, StoreError
from memoranda.ports import Cache, Clock, Ids

LEASE = "lease"
SECONDS = 600.0  # the duration of a lease; its holder renews it


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to do something for an owner, for a while.

    Attributes:
        holder: who has it.
        until: when it ends, unless it is renewed.
        problem: why it is not certain, if the cache is down.
    """

    place: Place
    holder: str
    until: datetime
    problem: str | None = None


class Leases:
    """Takes, renews and releases leases.

    Args:
        cache: where they lie.
        clock: tells the time; `ids`: names holders.
    """

    def __init__(self, cache: Cache, clock: Clock, ids: Ids) -> None:
        self._cache = cache
        self._clock = clock
        self._ids = ids

    async def take(self, owner: Owner, name: str, seconds: float = SECONDS) -> Lease | None:
        """Take the lease on doing `name` for an owner; None while somebody else has it."""
        place = _place(owner, name)
        now = self._clock()
        lease = Lease(place=place, holder=self._ids(), until=now + timedelta(seconds=seconds))
        try:
            held = (await self._cache.read(place)).cells.get(LEASE)
            if held is not None and _stands(json.loads(held.text), now):
                return None
            await self._write(lease, None if held is None else held.version, seconds)
        except ConflictError:
            return None
        except StoreError as error:
            return Lease(place=place, holder=lease.holder, until=lease.until, problem=f"leases: {error}")
        return lease

    async def renew(self, lease: Lease, seconds: float = SECONDS) -> Lease | None:
        """Renew a lease for `seconds`, if at most half of that is left; None if somebody else has it by now."""
        now = self._clock()
        if lease.problem or lease.until - now > timedelta(seconds=seconds / 2):
            return lease
        later = Lease(place=lease.place, holder=self._ids(), until=now + timedelta(seconds=seconds))
        try:
            await self._write(later, lease.holder, seconds)
        except ConflictError:
            return None
        except StoreError as error:
            return Lease(place=lease.place, holder=lease.holder, until=later.until, problem=f"leases: {error}")
        return later

    async def release(self, lease: Lease) -> None:
        """Release a lease. If the cache does not answer, it expires by itself."""
        if lease.problem is None:
            with suppress(StoreError):
                await self._cache.write(lease.place, {LEASE: None}, self._clock(), expect={LEASE: lease.holder})

    async def told(self, owner: Owner, name: str, who: str, text: str, seconds: float) -> Sequence[str]:
        """Say something under a name, for a while, and return what others say there. Nothing, if the cache is down.

        Each says it in a cell of its own, so nobody writes over anybody.
        """
        place, now = _place(owner, name), self._clock()
        keep = timedelta(seconds=seconds)
        with suppress(StoreError):
            held = (await self._cache.read(place)).cells
            over = {one: None for one, cell in held.items() if cell.expires is not None and cell.expires <= now}
            await self._cache.write(place, {**over, who: Cell(text, self._ids(), now + keep)}, now, keep=keep)
            return [cell.text for one, cell in held.items() if one not in {who, *over}]
        return ()

    async def heard(self, owner: Owner, name: str) -> Mapping[str, str]:
        """Return what is said under a name, by who says it. Nothing, if the cache is down."""
        now = self._clock()
        with suppress(StoreError):
            held = (await self._cache.read(_place(owner, name))).cells
            return {who: cell.text for who, cell in held.items() if cell.expires is None or cell.expires > now}
        return {}

    async def hush(self, owner: Owner, name: str) -> None:
        """Remove what is said under a name. If the cache does not answer, it expires by itself."""
        with suppress(StoreError):
            place = _place(owner, name)
            if held := (await self._cache.read(place)).cells:
                await self._cache.write(place, dict.fromkeys(held), self._clock())

    async def drop(self, owner: Owner, name: str) -> None:
        """End the lease on `name`, whose holder is known to be gone. If that fails, it expires by itself."""
        place = _place(owner, name)
        with suppress(StoreError):
            held = (await self._cache.read(place)).cells.get(LEASE)
            if held is not None:
                await self._cache.write(place, {LEASE: None}, self._clock(), expect={LEASE: held.version})

    async def _write(self, lease: Lease, expect: str | None, seconds: float) -> None:
        text = json.dumps({"holder": lease.holder, "until": lease.until.isoformat(), "seconds": seconds})
        await self._cache.write(
            lease.place, {LEASE: Cell(text, lease.holder, lease.until)}, self._clock(), expect={LEASE: expect},
            keep=lease.until - self._clock(),
        )  # fmt: skip


def _stands(told: Mapping[str, Any], now: datetime) -> bool:
    """Whether a lease binds. One that lasts longer than any new one was taken with a clock that was ahead."""
    left = datetime.fromisoformat(told["until"]) - now
    return timedelta() < left <= 2 * timedelta(seconds=told.get("seconds", SECONDS))


def _place(owner: Owner, name: str) -> Place:
    return Place(owner.tenant, owner.user, "", GLOBAL, LEASE, name)
