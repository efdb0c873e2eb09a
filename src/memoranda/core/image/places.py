"""Channels and connections as places: what lies in each, within a mask."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from memoranda.core.image.index import Index
from memoranda.core.rows.columns import Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A channel or a connection: how many events and records it holds, and when the last of them was recorded."""

    name: str
    events: int = 0
    records: int = 0
    last_activity: datetime | None = None


def places(index: Index, mask: Mask, by: Literal["channel", "connection"]) -> dict[str, Place]:
    """Return the places of the passages in a mask, by name."""
    columns = index.columns
    found = {}
    for name in sorted(index.codes[by].names):
        numbers = np.flatnonzero(mask & (columns[by] == index.codes[by].look(name)))
        if len(numbers):
            records = int(columns["of_record"][numbers].sum())
            last = index.passages[numbers[columns["recorded"][numbers].argmax()]].recorded_at
            found[name] = Place(name=name, events=len(numbers) - records, records=records, last_activity=last)
    return found
