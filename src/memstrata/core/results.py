"""What recall and context hand back. Frozen values that turn into JSON by `dataclasses.asdict`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memstrata.core.goals import Goal
from memstrata.core.procedures import Fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One recalled memory.

    Attributes:
        id: of the record or event; `of` says which ("record" or "event").
        kind: fact, preference, decision, … for a record; turn or observation for an event.
        text: the statement, or what was said.
        score: what it was ranked by, in [0, 1]; `similarity` is the part that answers the question.
        shares: what each part of the score and each signal of the similarity gave, largest first; they sum to `score`.
        why: the same in a sentence.
        at: when it was said, or since when it holds; `valid_to` where it no longer does.
        sources: ids of the events it rests on (an event rests on itself).
        confidence, importance: of a record; an event has confidence 1 and importance 0.5.
    """

    id: str
    of: str
    kind: str
    text: str
    score: float
    similarity: float
    shares: Mapping[str, float]
    why: str
    at: datetime
    valid_to: datetime | None = None
    role: str = ""
    speaker: str | None = None
    conversation: str | None = None
    channel: str
    status: str = ""
    confidence: float = 1.0
    importance: float = 0.5
    sources: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a recall came about.

    Attributes:
        arms: per arm, the ids it proposed, best first.
        milliseconds: per step.
        left_out: ids that were candidates and are not in the answer, each with the reason.
        searched: how many passages were visible.
        cross_channel: ids found in another channel than the active one.
        window: the time span that was read out of the question, if any.
        techniques: what each that was tried did: the questions it asked, with how many answers of theirs counted.
    """

    arms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    searched: int = 0
    cross_channel: tuple[str, ...] = ()
    window: tuple[datetime | None, datetime | None] | None = None
    techniques: Mapping[str, str] = field(default_factory=dict)

    def places(self, item: str) -> dict[str, int]:
        """The place, from 1, of a memory in each arm that proposed it."""
        return {name: ids.index(item) + 1 for name, ids in self.arms.items() if item in ids}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The answer of recall; iterating gives its items.

    Attributes:
        items: best first.
        goals: open goals that the question brings up, by their `recall_when`, the most pressing first.
        strategies: the three that fit the question best.
        reason: why it is empty, or None.
        degraded: parts that were down, each with what happened.
        trace: how it came about.
    """

    items: tuple[Item, ...] = ()
    goals: tuple[Goal, ...] = ()
    strategies: tuple[Fit, ...] = ()
    reason: str | None = None
    degraded: tuple[str, ...] = ()
    trace: Trace = field(default_factory=Trace)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a context: tokens used of those it was given, and what is in and out.

    Attributes:
        budget: tokens set for it; `granted`: with what others left over; `used`: of these.
        included: ids in the text, in its order, each with why it is there; `excluded`: ids left out, with the reason.
        note: why it was not asked for, or had nothing to say.
    """

    name: str
    budget: int
    granted: int = 0
    used: int = 0
    included: Mapping[str, str] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What goes into the prompt.

    Attributes:
        stable_prefix: who the user is, and what the host brings that stays; the same to the byte, for one budget, as
            long as `epoch` is, so that prompt caches hit. Put it first.
        volatile_tail: what this request needs.
        sections: the report, in the order of priority.
        budget, used: tokens, as `Settings.counter` counts them.
        epoch: another one as soon as something lasting was learnt about the user, or ended, or the host's own changed.
        citations: the marks used in the text and the ids they stand for.
        degraded: parts that were down.
    """

    stable_prefix: str
    volatile_tail: str
    sections: tuple[Section, ...]
    budget: int
    used: int
    epoch: str
    citations: Mapping[str, str] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Both parts."""
        return "\n\n".join(part for part in (self.stable_prefix, self.volatile_tail) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One value of a profile: how sure, from which events, since when."""

    value: Any
    confidence: float
    sources: tuple[str, ...]
    since: datetime
    record: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of a user, as a view of the current records.

    Attributes:
        scaffold: schema-free and nested; every leaf is a `Leaf` or a list of them.
        narrative: working-memory text, about 500 words at most.
        learned: persistent learned info, of the user under `""` and per connection.
    """

    scaffold: Mapping[str, Any]
    narrative: str
    learned: Mapping[str, tuple[Leaf, ...]]

    def plain(self) -> dict[str, Any]:
        """The scaffold with bare values."""
        return {key: _plain(value) for key, value in self.scaffold.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Leaf):
        return value.value
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return {key: _plain(inner) for key, inner in value.items()}
