"""Channels and connections as places: what lies in each, of what somebody may see."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from memstrata.core.columns import Mask
from memstrata.core.index import Index


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A channel or a connection: how many events and records there are in it, and when the last of them came."""

    name: str
    events: int = 0
    records: int = 0
    last_activity: datetime | None = None


def places(index: Index, mask: Mask, by: Literal["channel", "connection"]) -> dict[str, Place]:
    """The places that passages of a mask lie in, by name."""
    columns = index.columns  # enters what waits
    found = {}
    for name in sorted(index.codes[by].names):
        numbers = np.flatnonzero(mask & (columns[by] == index.codes[by].look(name)))
        if len(numbers):
            records = int(columns["of_record"][numbers].sum())
            last = index.passages[numbers[columns["recorded"][numbers].argmax()]].recorded_at
            found[name] = Place(name=name, events=len(numbers) - records, records=records, last_activity=last)
    return found
