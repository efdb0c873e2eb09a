"""Records of a channel that were copied to `_global`, and what becomes of them when what they came from is gone."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from memstrata.core.decay import confidence
from memstrata.core.rows import Event, Record
from memstrata.core.scope import Owner
from memstrata.core.text import derived_id

PROMOTION = "promotion"
EDITOR = "promotion"

#: What a record of a channel has to reach to be copied to `_global` by itself (SPEC 6): how sure it is now, how often
#: it was used, in how many conversations it was said.
THRESHOLDS: Mapping[str, float] = MappingProxyType({"confidence": 0.85, "access_count": 5, "conversations": 2})


def promotion_id(owner: Owner, record: str) -> str:
    """The id of the event that promotes a record: promoted twice it is one."""
    return derived_id(owner, PROMOTION, record)


def proven(record: Record, conversations: int, now: datetime) -> bool:
    """Whether a record of a channel has reached the thresholds."""
    reached = {
        "confidence": confidence(record, now), "access_count": record.access_count, "conversations": conversations,
    }  # fmt: skip
    return all(reached[name] >= least for name, least in THRESHOLDS.items())


def orphaned(left: Iterable[Record], events: Iterable[Event], gone: set[str]) -> tuple[set[str], set[str]]:
    """The copies that came from nothing that is left, and the promotions of nothing that is left, by id.

    Args:
        left: the records that stay.
        events: all there were.
        gone: ids of those of them that go.
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
