"""A clock that stands still and identifiers that count up, for reproducible tests."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class FrozenClock:
    """A `ports.Clock` that moves only when set or advanced."""

    now: datetime = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the clock's current time."""
        return self.now

    def advance(self, **step: float) -> datetime:
        """Advance by `timedelta(**step)` and return the new time."""
        self.now += timedelta(**step)
        return self.now


@dataclass
class SequentialIds:
    """A `ports.Ids` that counts up: `id-000001`, `id-000002` and so on."""

    prefix: str = "id"
    last: int = 0

    def __call__(self) -> str:
        """Return a new identifier that sorts after the previous ones."""
        self.last += 1
        return f"{self.prefix}-{self.last:06d}"
