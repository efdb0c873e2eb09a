"""How a provider of language models is spared: when to try again, and when not to ask at all.

A circuit is closed while the provider answers. After so many failures in a row it opens, and nobody asks for a while.
Then it is half open: one request goes through, and what comes of it closes or opens the circuit again. An answer that
is refused or makes no sense shows that the provider is there: only what may pass by itself counts as a failure.
"""

from dataclasses import dataclass, replace
from typing import Self

from memstrata.core.checks import check_number, check_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Gating:
    """How the language models of one provider are asked.

    Attributes:
        calls: how many requests may be under way at once; further ones wait for their turn.
        attempts: how often one prompt is sent at most, if what fails may pass.
        seconds: how long one attempt may take as a whole.
        first: seconds before the second attempt, give or take half; they double with each further one.
        longest: no single wait is longer, give or take half; who asks to be left alone longer is not asked again.
        failures: so many in a row open the circuit.
        pause: seconds that it stays open.

    Raises:
        InputError: one of them cannot be.
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
        """Seconds until the next attempt, or None if there should be none.

        Args:
            attempts: those that were made.
            after: seconds that the provider asks to be left alone; they are not cut short.
            chance: a number from 0 to 1, so that many who failed together do not come back together.
        """
        asked = after or 0.0
        if attempts >= self.attempts or asked > self.longest:
            return None
        doublings = min(attempts - 1, 64)
        return asked + min(self.longest, self.first * 2.0**doublings) * (0.5 + chance)


@dataclass(frozen=True, slots=True)
class Circuit:
    """Whether a provider is asked; times are seconds of one clock.

    Attributes:
        failures: in a row.
        opened: when it opened last; None while it is closed.
        probing: the one request of the half-open circuit is under way.
    """

    failures: int = 0
    opened: float | None = None
    probing: bool = False

    def left(self, told: Gating, now: float) -> float | None:
        """None if a request may go; else seconds until another is worth a try, 0 while one is being tried."""
        if self.opened is None:
            return None
        left = self.opened + told.pause - now
        return left if left > 0 else 0.0 if self.probing else None

    def asked(self) -> Self:
        """A request goes."""
        return replace(self, probing=self.opened is not None)

    def answered(self) -> Self:
        """The provider is there."""
        return type(self)()

    def failed(self, told: Gating, now: float) -> Self:
        """It did not answer."""
        failures = self.failures + 1
        opens = failures >= told.failures
        return replace(self, failures=failures, opened=now if opens else self.opened, probing=False)

    def dropped(self, asked: Self) -> Self:
        """Nobody waited for what would come of a request; `asked` is the circuit as that went, maybe long ago."""
        return replace(self, probing=False) if self == asked else self
