"""Records of a channel copied to `_global`, and what becomes of the copies when their origin is gone."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner
from memoranda.core.beliefs.decay import confidence
from memoranda.core.rows import Event, Record

PROMOTION = "promotion"
EDITOR = "promotion"

#: The thresholds for promoting a channel's record to `_global` automatically (SPEC 6): its current confidence, its
#: uses, and the number of conversations in which it was said.
THRESHOLDS: Mapping[str, float] = MappingProxyType({"confidence": 0.85, "access_count": 5, "conversations": 2})


def promotion_id(owner: Owner, record: str) -> str:
    """Return the id of the event that promotes a record, the same each time."""
    return derived_id(owner, PROMOTION, record)


def proven(record: Record, conversations: int, now: datetime) -> bool:
    """Whether a record of a channel has reached the thresholds."""
    reached = {
        "confidence": confidence(record, now), "access_count": record.access_count, "conversations": conversations,
    }  # fmt: skip
    return all(reached[name] >= least for name, least in THRESHOLDS.items())


def orphaned(left: Iterable[Record], events: Iterable[Event], gone: set[str]) -> tuple[set[str], set[str]]:
    """Return the ids of copies whose origin is gone, and of promotion events whose record is gone.

    Args:
        left: the records that stay.
        events: all events.
        gone: ids of the forgotten events.
    """
    rows = list(left)
    ids = {record.id for record in rows}
    promotions = {str(event.metadata["record"]): event.id for event in events if event.kind == PROMOTION}
    copies = {
        record.id
        for record in rows
        if record.promoted_from and (record.promoted_from not in ids or promotions.get(record.promoted_from) in gone)
    }
    return copies, {event for record, event in promotions.items() if record not in ids}
