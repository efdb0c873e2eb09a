"""Outcomes of decisions: an event that states one, a record by which it is found, and its effect on what led to it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self

from memoranda.core.rows import Event, Record

#: The kind of the event, and of the record by which it is found.
OUTCOME = "outcome"
EDITOR = "outcomes"
RAISE = 0.1  # what a good outcome adds to the importance of what led to it (SPEC 7)
_SAID = 200  # characters of the decision that are quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a decision.

    Attributes:
        id: of the record; `event`: of the event that states it.
        decision: the id of the record or event whose outcome it is.
        text: what came of it; `success`: whether that was good.
        because: ids of the records named as what led to it.
        raised: records made more important by it, each with the amount.
    """

    id: str
    event: str
    decision: str
    text: str
    success: bool
    because: tuple[str, ...] = ()
    raised: Mapping[str, float] = field(default_factory=dict)
    at: datetime

    @classmethod
    def of(cls, record: Record, event: Event) -> Self:
        """Return the outcome that a record stands for and an event states."""
        told = event.metadata
        return cls(
            id=record.id, event=event.id, decision=told["decision"], text=event.content, success=told["success"],
            because=tuple(told["because"]), raised=told["raised"], at=event.event_time,
        )  # fmt: skip

    @property
    def metadata(self) -> dict[str, Any]:
        """What the event holds besides its text."""
        return {
            "decision": self.decision,
            "success": self.success,
            "because": list(self.because),
            "raised": dict(self.raised),
        }

    def within(self, seen: Collection[str]) -> Self:
        """Return the outcome, naming only records that are `seen`."""
        raised = {name: value for name, value in self.raised.items() if name in seen}
        return replace(self, because=tuple(name for name in self.because if name in seen), raised=raised)


def words(decision: str, text: str, *, success: bool) -> str:
    """Return the text of the record. It quotes the decision, so that a question about that finds the outcome."""
    said = decision if len(decision) <= _SAID else f"{decision[:_SAID]}…"
    return f"What came of “{said}”: it {'worked' if success else 'failed'}. {text}"


def raised(importance: float) -> float:
    """Return the importance after one more good outcome; at most 1."""
    return min(round(importance + RAISE, 6), 1.0)


def lowered(records: Iterable[Record], gone: Iterable[Event]) -> Iterator[Record]:
    """Yield the versions of records without what forgotten outcomes had added to them."""
    told = [(event.recorded_at, event.metadata["raised"]) for event in gone if event.kind == OUTCOME]
    for record in records:
        until = record.superseded_at
        less = sum(by.get(record.id, 0.0) for at, by in told if until is None or until > at)
        yield replace(record, importance=max(round(record.importance - less, 6), 0.0)) if less else record


def undecided(left: Iterable[Record], events: Sequence[Event], gone: Collection[str]) -> set[str]:
    """Return the ids of outcomes whose decision is gone.

    Args:
        left: the records that stay.
        events: all events.
        gone: ids of the forgotten events.
    """
    stand = {record.id for record in left}.union(event.id for event in events if event.id not in gone)
    return {event.id for event in events if event.kind == OUTCOME and event.metadata["decision"] not in stand}
