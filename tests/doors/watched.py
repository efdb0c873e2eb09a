"""An observer that keeps what doors tell it."""

from collections.abc import Iterator
from contextlib import contextmanager

from memoranda.observers import Deed


class Watching:
    """Keeps the kinds of what was refused, and what waits, for how long."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.waits: dict[str, float] = {}

    @contextmanager
    def observing(self, deed: Deed) -> Iterator[None]:  # noqa: ARG002 - verbs are watched elsewhere
        yield

    def refused(self, kind: str) -> None:
        self.kinds.append(kind)

    def waiting(self, what: str, seconds: float) -> None:
        self.waits[what] = seconds
