"""A clock that stands still and identifiers that count, so that a test says what time it is."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class FrozenClock:
    """`ports.Clock` that moves only when told to."""

    now: datetime = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The present."""
        return self.now

    def advance(self, **step: float) -> datetime:
        """Move by `timedelta(**step)` and return the new present."""
        self.now += timedelta(**step)
        return self.now


@dataclass
class SequentialIds:
    """`ports.Ids` that counts: `id-000001`, `id-000002` and so on."""

    prefix: str = "id"
    last: int = 0

    def __call__(self) -> str:
        """A new identifier that sorts after the ones before."""
        self.last += 1
        return f"{self.prefix}-{self.last:06d}"
