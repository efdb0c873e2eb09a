"""What is noted about events beside their words: category, source, surface, and the host's own metadata.

It is read when a search is first narrowed by it, and kept beside the index. It holds no truth.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from memoranda.core.rows import Event, Record

LONGEST = 512  # characters of a value that is kept: longer ones are content, which nobody compares


@dataclass(frozen=True, slots=True)
class Note:
    """What is noted about an event or a record."""

    category: str | None
    source: str
    surface: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Event | Record) -> Self:
        """Return what is noted about a row, without long values."""
        if isinstance(row, Record):
            return cls(row.category, row.source)
        short = {name: value for name, value in row.metadata.items() if len(str(value)) <= LONGEST}
        return cls(row.category, row.source, row.surface, short)
