"""What a door allows: requests a minute, requests at once, and how much a user may keep.

The counting is ours, forty lines: `limits` (PyPI) has the same moving window, takes .45 s to import, and brings three
packages. A window moves by seconds, so a burst at the turn of a minute cannot take two minutes' worth at once, and
holds at most sixty numbers however many requests there are. A refused request is not counted: whoever asks again too
early waits no longer for it.
"""

import json
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from ipaddress import ip_address, ip_network
from typing import Any

from memoranda.core.base.scope import SHARED, Owner
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.doors.wire.problems import Problem
from memoranda.errors import SetupError
from memoranda.flows.runtime.leases import Leases
from memoranda.memory import AsyncMemory
from memoranda.ports import Clock

MINUTE = 60
_MOST = 10_000  # names that are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a door allows. Beside `body` and `seconds`, 0 is no limit.

    Attributes:
        body: the most bytes of a request.
        seconds: how long a request may take; what it has begun to write is still written to its end.
        rate: requests a minute with one key; `tenant_rate`: with all keys of a tenant; `shared`: by all processes with
            the same cache together, which tell one another once a second, and so may let in what comes in that second.
        at_once: requests that a process works on at the same time; `key_at_once`: of one key; `operations`: long ones
            of a tenant that it carries out meanwhile.
        wrong_keys: requests a minute from one address with a key that opens nothing; then only keys that opened
            something before are looked at.
        user_items: events and records of a user, from which on nothing more is written for that user;
            `conversation_items`: of one conversation; `user_bytes`: about how many bytes the index of a user takes.
    """

    body: int = 4 << 20
    seconds: float = 60.0
    rate: int = 6_000
    tenant_rate: int = 30_000
    shared: bool = False
    at_once: int = 400
    key_at_once: int = 300
    operations: int = 8
    wrong_keys: int = 60
    user_items: int = 0
    user_bytes: int = 0
    conversation_items: int = 0

    @classmethod
    def of(cls, text: str, *more: str) -> "Limits":
        """Return the limits in an object of JSON; what it does not name is as usual.

        Args:
            text: the object.
            more: limits that come before these, each as NAME=NUMBER.

        Raises:
            SetupError: something else is named, or a value is no number that is allowed.
        """
        try:
            named = (one.partition("=") for one in more)
            given = _checked({**json.loads(text), **{name: json.loads(value) for name, _, value in named}})
        except (ValueError, KeyError, TypeError) as error:
            raise SetupError(
                f'limits is {" ".join((text, *more))} ({error}); give numbers for {", ".join(_USUAL)}: {{"rate": 600}}.'
            ) from error
        return cls(**given)


_USUAL = asdict(Limits())


def _checked(given: Mapping[str, Any]) -> Mapping[str, Any]:
    for name, value in given.items():
        least = 1 if name in {"body", "seconds"} else 0
        if type(value) not in {int, type(_USUAL[name])} or not least <= value < 2**53:
            raise ValueError(f"{name} is {value!r}")
    return given


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How much of one limit is left.

    Attributes:
        policy: key or tenant.
        most: requests a minute; `left`: how many of them.
        seconds: until there is one more.
    """

    policy: str
    most: int
    left: int
    seconds: int


class Window:
    """Requests of the last minute, by second, in order.

    Attributes:
        own: those that this process counted; `others`: those that other processes did, as far as they told.
        told: the second in which it last told them.
    """

    def __init__(self) -> None:
        self.own: dict[int, int] = {}
        self.others: dict[int, int] = {}
        self.told = -1

    def add(self, now: int) -> None:
        """Count a request."""
        self.own[now] = self.own.get(now, 0) + 1

    def standing(self, policy: str, most: int, now: int) -> Standing:
        """Return what is left at a time."""
        if next(reversed(self.own), now) > now:  # the clock was set back
            self.own.clear()
        for counts in (self.own, self.others):
            while counts and (first := next(iter(counts))) <= now - MINUTE:
                del counts[first]
        left = most - sum(self.own.values()) - sum(self.others.values())
        return Standing(policy=policy, most=most, left=max(0, left), seconds=self._until(left, now))

    def _until(self, left: int, now: int) -> int:
        """Return the seconds until one more is left."""
        held = [*self.own.items(), *self.others.items()]
        if left > 0:
            return min((second for second, _ in held), default=now - MINUTE) + MINUTE - now
        for second, count in sorted(held):
            left += count
            if left > 0:
                return second + MINUTE - now
        return 0


class Guard:
    """Slows down whoever tries keys.

    Args:
        most: wrong keys a minute from one address; 0: any number.
        clock: tells the time.
    """

    def __init__(self, most: int, clock: Clock) -> None:
        self._most, self._clock = most, clock
        self._windows: OrderedDict[str, Window] = OrderedDict()

    def check(self, address: str) -> None:
        """Refuse an address with too many wrong keys.

        Raises:
            Problem: it has.
        """
        window = self._windows.get(_network(address))
        if window is None or not self._most:
            return
        standing = window.standing("address", self._most, int(self._clock().timestamp()))
        if not standing.left:
            raise Problem(
                status=429, kind="too-many-wrong-keys", title="Too many wrong keys.",
                detail=f"This address has shown {self._most:,} wrong keys in a minute: try again in "
                f"{standing.seconds} s.",
                headers={"Retry-After": str(standing.seconds)},
            )  # fmt: skip

    def wrong(self, address: str) -> None:
        """Count a wrong key."""
        _of(self._windows, _network(address)).add(int(self._clock().timestamp()))


def _network(address: str) -> str:
    """The part of an address that one host cannot choose at will: of IPv6 the first half."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return address if found.version == 4 else str(ip_network((address, 64), strict=False))


def _of(windows: OrderedDict[Any, Window], name: Any) -> Window:
    """The window of a name; of too many, the one that was longest without a request begins anew."""
    window = windows.setdefault(name, Window())
    windows.move_to_end(name)
    while len(windows) > _MOST:
        windows.popitem(last=False)
    return window


class Gate:
    """Lets requests in.

    Args:
        limits: how many.
        clock: tells the time.
        leases: through which processes tell one another what they counted, if `limits.shared`.
        name: of this process among them.
    """

    def __init__(self, limits: Limits, clock: Clock, leases: Leases, name: str) -> None:
        self._limits, self._clock, self._leases, self._name = limits, clock, leases, name
        self._windows: OrderedDict[tuple[str, ...], Window] = OrderedDict()
        self._busy, self._busy_with = 0, Counter[str]()

    async def counted(self, caller: Caller) -> Mapping[str, str]:
        """Count a request of a caller, if all limits allow it, and return what is left of each, as headers.

        Raises:
            Problem: one of them does not.
        """
        now, told = int(self._clock().timestamp()), self._limits
        names = (("key", told.rate, caller.root), ("tenant", told.tenant_rate, ""))
        windows = [
            (policy, most, await self._window(now, policy, caller.tenant, key)) for policy, most, key in names if most
        ]
        for standing in (window.standing(policy, most, now) for policy, most, window in windows):
            if not standing.left:
                raise Problem(
                    status=429, kind="too-many-requests", title="Too many requests.",
                    detail=f"This {standing.policy} has {standing.most:,} requests a minute: try again in "
                    f"{standing.seconds} s.",
                    headers={**_headers(standing), "Retry-After": str(standing.seconds)},
                )  # fmt: skip
        for _, _, window in windows:
            window.add(now)
        return _headers(*(window.standing(policy, most, now) for policy, most, window in windows))

    async def afforded(self, call: Call, memory: AsyncMemory) -> None:
        """Refuse to write more for a user than may be kept. What reads and what forgets is always allowed.

        The figures are those before the call, so the last call that is allowed may go beyond.

        Raises:
            Problem: as much is kept as may be.
        """
        told = self._limits
        if (
            call.user is None
            or call.verb.facts.effect != "writes"
            or not (told.user_items or told.user_bytes or told.conversation_items)
        ):
            return
        there = await call.held(memory)
        for what, most, found in (
            ("items of this user", told.user_items, there.items),
            ("bytes of this user", told.user_bytes, there.bytes),
            ("items of this conversation", told.conversation_items, there.in_conversation),
        ):
            if 0 < most <= found:
                raise Problem(
                    status=402, kind="over-quota", title="As much is kept as may be.",
                    detail=f"{found:,} {what} are kept, {most:,} may be: forget something, or have the limit raised.",
                )  # fmt: skip

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Work on a request.

        Raises:
            Problem: the process works on as many as it may.
        """
        if 0 < self._limits.at_once <= self._busy:
            raise _busy(503, f"This process works on {self._busy:,} requests")
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1

    @contextmanager
    def entered_by(self, caller: Caller) -> Iterator[None]:
        """Work on a request of a caller, who leaves room for others, however slowly the request comes.

        Raises:
            Problem: the process works on as many of this key as it may.
        """
        key = caller.root
        if 0 < self._limits.key_at_once <= self._busy_with[key]:
            raise _busy(429, f"This process works on {self._busy_with[key]:,} requests of this key")
        self._busy_with[key] += 1
        try:
            yield
        finally:
            self._busy_with[key] -= 1
            if not self._busy_with[key]:
                del self._busy_with[key]

    async def _window(self, now: int, *name: str) -> Window:
        window = _of(self._windows, name)
        if self._limits.shared and window.told != now:
            window.told = now  # first: whoever comes meanwhile does not wait
            policy, tenant, key = name
            own, place = json.dumps([*window.own.items()]), Owner(tenant, SHARED)
            said = await self._leases.told(place, f"rate {policy} {key}", self._name, own, MINUTE)
            window.others = dict(sorted(sum((Counter(dict(json.loads(text))) for text in said), Counter()).items()))
        return window


def _busy(status: int, told: str) -> Problem:
    return Problem(
        status=status, kind="busy", title="Too many requests at once.", detail=f"{told}: try again.",
        headers={"Retry-After": "1"},
    )  # fmt: skip


def _headers(*standings: Standing) -> Mapping[str, str]:
    """What is left, as draft-ietf-httpapi-ratelimit-headers has it."""
    if not standings:
        return {}
    return {
        "RateLimit-Policy": ", ".join(f'"{one.policy}";q={one.most};w={MINUTE}' for one in standings),
        "RateLimit": ", ".join(f'"{one.policy}";r={one.left};t={one.seconds}' for one in standings),
    }
