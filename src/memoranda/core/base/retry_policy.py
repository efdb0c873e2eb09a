"""Retries and circuit breaker for a provider of models.

The circuit is closed while the provider answers. After some failures in a row it opens, and no requests are sent for a
while. Then it is half-open: one request goes through, and its result closes or opens the circuit again. An answer that
is refused or invalid shows that the provider is reachable; only transient errors count as failures.
"""

from dataclasses import dataclass, replace
from typing import Self

from memoranda.core.base.checks import check_number, check_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Gating:
    """How the models of one provider are called; its embedders, language models and rerankers each by themselves.

    Attributes:
        calls: how many requests may be in flight at once; further ones wait.
        attempts: how often one request is sent at most, if the error is transient.
        seconds: the timeout of one attempt.
        first: back-off in seconds before the second attempt, give or take half; it doubles with each further attempt.
        longest: the longest back-off, give or take half; if the provider asks for more, there is no retry.
        failures: how many in a row open the circuit.
        pause: seconds that it stays open.

    Raises:
        InputError: an attribute is invalid.
    """

    calls: int = 4
    attempts: int = 3
    seconds: float = 300.0
    first: float = 0.5
    longest: float = 30.0
    failures: int = 5
    pause: float = 30.0

    def __post_init__(self) -> None:
        for name in ("calls", "attempts", "failures"):
            check_number(name, getattr(self, name))
        for name in ("seconds", "first", "longest", "pause"):
            check_seconds(name, getattr(self, name))

    def wait(self, attempts: int, after: float | None, chance: float) -> float | None:
        """Return the seconds until the next attempt, or None for no further attempt.

        Args:
            attempts: the attempts made so far.
            after: the wait in seconds that the provider asks for; never cut short.
            chance: jitter, from 0 to 1, so that many callers who failed together do not retry together.
        """
        asked = after or 0.0
        if attempts >= self.attempts or asked > self.longest:
            return None
        doublings = min(attempts - 1, 64)
        return asked + min(self.longest, self.first * 2.0**doublings) * (0.5 + chance)


@dataclass(frozen=True, slots=True)
class Circuit:
    """The state of a circuit; times are seconds of one clock.

    Attributes:
        failures: in a row.
        opened: when it last opened; None while it is closed.
        probing: the one request of the half-open circuit is in flight.
    """

    failures: int = 0
    opened: float | None = None
    probing: bool = False

    def left(self, limits: Gating, now: float) -> float | None:
        """Return None if a request may be sent, else the seconds until one may; 0 while a probe is in flight."""
        if self.opened is None:
            return None
        left = self.opened + limits.pause - now
        return left if left > 0 else 0.0 if self.probing else None

    def asked(self) -> Self:
        """Return the state after a request is sent."""
        return replace(self, probing=self.opened is not None)

    def answered(self) -> Self:
        """Return the state after the provider answered: closed."""
        return type(self)()

    def failed(self, limits: Gating, now: float) -> Self:
        """Return the state after a failure."""
        failures = self.failures + 1
        opens = failures >= limits.failures
        return replace(self, failures=failures, opened=now if opens else self.opened, probing=False)

    def dropped(self, asked: Self) -> Self:
        """Return the state after a request was cancelled; `asked` is the state when it was sent, maybe long ago."""
        return replace(self, probing=False) if self == asked else self
