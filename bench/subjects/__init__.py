"""The measured systems. Each module has a class `Subject` that opens one user's memory; `bench.child` drives it."""

from collections.abc import Sequence
from typing import Protocol

from bench.hashing import Hashing
from bench.utterances import Turn


class Subject(Protocol):
    """One system with one user's memory.

    `Subject(place, hashing)` opens it. `place` is its own folder or a URL. If the system can be told not to wait for
    the disk, the prefix `relaxed:` does so.
    """

    def __init__(self, place: str, hashing: Hashing) -> None: ...

    def load(self, turns: Sequence[Turn]) -> None:
        """Store many turns in the fastest way the system offers."""
        ...

    def add(self, turn: Turn) -> None:
        """Store one turn; it is durable when this returns."""
        ...

    def search(self, question: str) -> list[str]:
        """Search for at most ten memories and return their texts, best first."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


class Contextual(Protocol):
    """A system that also assembles the text for a prompt."""

    def context(self, question: str) -> int:
        """Assemble a text of at most 4,000 tokens and return its length."""
        ...


class Weighed(Protocol):
    """A system whose data is not stored in its folder."""

    def disk(self) -> int:
        """Return the bytes on disk."""
        ...
