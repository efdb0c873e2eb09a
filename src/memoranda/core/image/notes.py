"""What is noted about events beside their words: category, source, surface, and the host's own metadata.

It is read when a search is first narrowed by it, and kept beside the index. It holds no truth.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from memoranda.core.rows import Event, Record

LONGEST = 512  # characters of a value that is kept: longer ones are content, of which a digest is compared


@dataclass(frozen=True, slots=True)
class Note:
    """What is noted about an event or a record."""

    category: str | None
    source: str
    surface: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Event | Record) -> Self:
        """Return what is noted about a row, with digests of long values."""
        if isinstance(row, Record):
            return cls(row.category, row.source)
        short = {
            name: [*map(comparable, value)] if isinstance(value, list | tuple) else comparable(value)
            for name, value in row.metadata.items()
        }
        return cls(row.category, row.source, row.surface, short)


def comparable(value: Any) -> Any:
    """Return what is kept and compared of a value: it, or what stands for one that is long."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return value if len(text) <= LONGEST else f"long:{hashlib.sha256(text.encode()).hexdigest()}"
