"""The system clock and the ID generator: the defaults for what is passed in everywhere else."""

import asyncio
import secrets
import threading
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from memoranda.ports import Pace


def utc_now() -> datetime:
    """Return the current time of the system clock."""
    return datetime.now(UTC)


#: The clock, sleep and randomness of every back-off.
PACE = Pace(now=time.monotonic, sleep=asyncio.sleep, chance=secrets.SystemRandom().random)


def random_bytes(number: int) -> bytes:
    """Return so many bytes of the system's randomness."""
    return secrets.token_bytes(number)


def time_ordered(clock: Callable[[], datetime], random: Callable[[int], bytes] = random_bytes) -> Callable[[], str]:
    """Return a generator of UUIDv7s (RFC 9562): milliseconds of the clock, a counter within them, then randomness."""
    lock = threading.Lock()
    last, counter = 0, 0

    def make() -> str:
        nonlocal last, counter
        with lock:
            now = int(clock().timestamp() * 1_000)
            last, counter = (now, 0) if now > last else (last, counter + 1)
            if counter >= 1 << 12:
                last, counter = last + 1, 0
            stamp, place = last, counter
        tail = int.from_bytes(random(8), "big") & ((1 << 62) - 1)
        return str(uuid.UUID(int=stamp << 80 | 0x7 << 76 | place << 64 | 0b10 << 62 | tail))

    return make
