"""What is measured: each module has `Subject`, which opens a memory of one user and is driven by `bench.child`."""

from collections.abc import Sequence
from typing import Protocol

from bench.hashing import Hashing
from bench.utterances import Turn


class Subject(Protocol):
    """One system with one user's memory.

    `Subject(place, hashing)` opens it: `place` is a folder of its own, or a URL; where the system
    can wait for the disk or not, `relaxed:` before it says not to.
    """

    def __init__(self, place: str, hashing: Hashing) -> None: ...

    def load(self, turns: Sequence[Turn]) -> None:
        """Take in many turns, the fastest way the system offers."""
        ...

    def add(self, turn: Turn) -> None:
        """Take in one turn; it is durable when this returns."""
        ...

    def search(self, question: str) -> int:
        """How many of at most ten memories are found."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


class Contextual(Protocol):
    """A system that also assembles what goes into a prompt."""

    def context(self, question: str) -> int:
        """How long the text is, within 4,000 tokens."""
        ...


class Weighed(Protocol):
    """A system whose bytes do not lie in its folder."""

    def disk(self) -> int:
        """Bytes kept."""
        ...
