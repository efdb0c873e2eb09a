"""What whoever runs a memory may watch: verbs, never content."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(slots=True, kw_only=True)
class Deed:
    """A verb that is being carried out, as an observer is told: never what was said, asked or found.

    Attributes:
        verb: its name, as `goals.add`; `effect`: reads, writes or destroys.
        tenant: whose memory it concerns; None for all.
        records: ids of the memories that were returned, once it has ended.
        degraded: how many parts of the answer were down.
    """

    verb: str
    effect: str
    tenant: str | None
    records: tuple[str, ...] = ()
    degraded: int = 0


@runtime_checkable
class Observer(Protocol):
    """Watches what a memory does, for those who run it."""

    def observing(self, deed: Deed) -> AbstractContextManager[object]:
        """Surround one verb; an error ends it as well. At its end `deed` says what came of it."""
        ...


@runtime_checkable
class DoorObserver(Observer, Protocol):
    """Watches besides what doors refuse, and what waits for a worker."""

    def refused(self, kind: str) -> None:
        """Count a request that was answered with a problem; the kind is the last part of the problem's type."""
        ...

    def waiting(self, what: str, seconds: float) -> None:
        """Say for how long the oldest thing of a kind waits now; 0: nothing waits."""
        ...
