"""Online metrics of a memory in use, computed from its log without labels or models.

Words are compared by their terms, so the figures show whether something gets better or worse; they are not accuracies.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

import numpy as np

from memoranda.core.rows import ContextLog, Event, Record, key_of

Terms = Callable[[str], Sequence[str]]

USED = 0.5  # the share of a memory's terms beyond the question from which an answer counts as using it
USEFUL = 5  # keys from which a scaffold is useful
WEEK = timedelta(days=7)
_SCAFFOLD = frozenset({"fact", "preference", "decision", "plan"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """The user's turns in a month, and how many corrections there were."""

    month: str
    turns: int
    corrections: int

    @property
    def rate(self) -> float:
        """Corrections per turn."""
        return self.corrections / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """The number of scaffold keys over time.

    Attributes:
        at: the end of each week from the first recorded event on, for the week that is not over the time of asking;
            `keys`: how many there were then.
        logarithm, line: how well a logarithm of the time, and a line, explain the course: R², at most 1; None for fewer
            than four weeks. A healthy memory grows logarithmically.
    """

    at: tuple[datetime, ...] = ()
    keys: tuple[int, ...] = ()
    logarithm: float | None = None
    line: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueUse:
    """What a recall technique did.

    Attributes:
        ran: how often it ran; `failed`: how often it was broken off, or its model failed.
        helped: how often the answer had items because of it; `added`: how many items in all.
        milliseconds: it took in all.
    """

    ran: int = 0
    failed: int = 0
    helped: int = 0
    added: int = 0
    milliseconds: float = 0.0

    def and_another(self, added: int, milliseconds: float, *, failed: bool) -> "TechniqueUse":
        """Return this and one more run."""
        return TechniqueUse(
            ran=self.ran + 1, failed=self.failed + failed, helped=self.helped + bool(added), added=self.added + added,
            milliseconds=round(self.milliseconds + milliseconds, 3),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """The online metrics of a memory; None where there is nothing to measure.

    Attributes:
        context_utilisation: of the memories in contexts, the share used by the assistant's next answer in the same
            conversation: the answer has half of the terms that the memory says beyond the question. `injected`: of how
            many memories.
        observation_rate: observations per conversation; `conversations`: of how many.
        scaffold_growth: the keys of the scaffold over time.
        correction_rate: corrections per turn of the user; `corrections`: by month.
        repeat_question_rate: of the assistant's questions, the share answered by a statement believed at the time,
            which holds all their terms. `asked`: of how many.
        cold_start: how many turns of the user it took until the scaffold had five keys.
        techniques: by recall technique, what it did since this process opened the memory; it is stored nowhere.
    """

    context_utilisation: float | None = None
    injected: int = 0
    observation_rate: float | None = None
    conversations: int = 0
    scaffold_growth: Growth = Growth()
    correction_rate: float | None = None
    corrections: tuple[Month, ...] = ()
    repeat_question_rate: float | None = None
    asked: int = 0
    cold_start: int | None = None
    techniques: Mapping[str, TechniqueUse] = field(default_factory=dict)


def measured(
    events: Sequence[Event], records: Sequence[Record], contexts: Sequence[ContextLog], terms: Terms, now: datetime
) -> Metrics:
    """Compute the metrics of a memory.

    Args:
        events: the log, by time.
        records: every version.
        contexts: the log of contexts.
        terms: maps a text to its terms.
        now: the time of asking; no figure is of a later time.
    """
    said = [event for event in events if event.kind == "turn" and event.role == "user"]
    answers = [event for event in events if event.kind == "turn" and event.role == "assistant"]
    talks = {event.conversation for event in events if event.kind == "turn"} - {None}
    observed = sum(event.kind == "observation" for event in events)
    texts = {event.id: event.content for event in events} | {record.id: record.text for record in records}
    used = list(_uses(contexts, answers, texts, terms))
    months = _corrected(events, said, records)
    asked = list(_repeated(answers, records, terms))
    return Metrics(
        context_utilisation=_share(used), injected=len(used),
        observation_rate=observed / len(talks) if talks else None, conversations=len(talks),
        scaffold_growth=_growth(events, records, now),
        correction_rate=sum(month.corrections for month in months) / len(said) if said else None, corrections=months,
        repeat_question_rate=_share(asked), asked=len(asked), cold_start=_cold_start(said, records),
    )  # fmt: skip


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


# ------------------------------------------------------------------------------------------------ contexts, questions


def _uses(
    contexts: Iterable[ContextLog], answers: Sequence[Event], texts: Mapping[str, str], terms: Terms
) -> Iterator[bool]:
    """For each memory in an answered context, yield whether the answer used it; forgotten ones are skipped."""
    talks: dict[tuple[str | None, str], list[Event]] = {}
    for event in answers:
        talks.setdefault((event.conversation, event.channel), []).append(event)
    for context in contexts:
        talk = talks.get((context.conversation, context.channel), []) if context.conversation is not None else []
        after = bisect_left(talk, context.created_at, key=attrgetter("event_time"))
        if after == len(talk):
            continue
        asked, told = {*terms(context.query)}, {*terms(talk[after].content)}
        for name in context.included:
            beyond = {*terms(texts.get(name, ""))} - asked
            if beyond:
                yield len(beyond & told) >= USED * len(beyond)


def _questions(text: str) -> list[str]:
    """Return the questions in a text."""
    parts = text.replace("？", "?").split("?")[:-1]
    return [part.replace("!", ".").split(".")[-1].strip() + "?" for part in parts]


def _repeated(answers: Iterable[Event], records: Iterable[Record], terms: Terms) -> Iterator[bool]:
    """For each question of the assistant, yield whether a statement believed at the time holds all its terms."""
    holding: dict[str, dict[tuple[Any, ...], Record]] = {}
    for record in (one for one in records if one.kind in _SCAFFOLD):
        attribute = (record.attribute or "").replace(".", " ").replace("_", " ")
        for term in {*terms(record.text), *terms(attribute)}:
            holding.setdefault(term, {})[key_of(record)] = record
    for event in answers:
        for question in _questions(event.content):
            found = [holding.get(term, {}) for term in {*terms(question)}]
            yield any(
                _believed(record, event.event_time)
                for key, record in min(found, key=len, default={}).items()
                if all(key in some for some in found)
            )


def _believed(record: Record, at: datetime) -> bool:
    """Whether a statement held at a time and was believed by then."""
    known = record.recorded_at < at and (record.superseded_at is None or record.superseded_at > at)
    return known and record.valid_from <= at and (record.valid_to is None or record.valid_to > at)


# ------------------------------------------------------------------------------------------------ corrections, growth


def _corrected(events: Iterable[Event], said: Iterable[Event], records: Iterable[Record]) -> tuple[Month, ...]:
    """Count by month the user's turns and the corrections: bare amendments, and events that say so."""
    first = [record for record in records if record.version == 1]
    wrong = {record.sources[-1] for record in first if record.editor == "amendment" and record.sources}
    wrong |= {record.sources[0] for record in first if record.supersedes and record.status == "verified"}
    turns = Counter(f"{event.event_time:%Y-%m}" for event in said)
    put_right = Counter(
        f"{event.event_time:%Y-%m}" for event in events if event.category == "correction" or event.id in wrong
    )
    return tuple(
        Month(month=month, turns=turns[month], corrections=put_right[month]) for month in sorted({*turns, *put_right})
    )


def _growth(events: Sequence[Event], records: Sequence[Record], now: datetime) -> Growth:
    if not events:
        return Growth()
    first, last = min(event.recorded_at for event in events), max(event.recorded_at for event in events)
    weeks = max(math.ceil((last - first) / WEEK), 1)
    at = tuple(min(first + WEEK * number, max(last, now)) for number in range(1, weeks + 1))
    keys = tuple(_keys(records, moment) for moment in at)
    if weeks < 4:
        return Growth(at=at, keys=keys)
    time = np.array([(moment - first) / WEEK for moment in at])
    return Growth(at=at, keys=keys, logarithm=explained(np.log(time), keys), line=explained(time, keys))


def _keys(records: Iterable[Record], at: datetime) -> int:
    """Return how many attributes the scaffold had at a time."""
    return len(
        {
            (record.subject, record.attribute)
            for record in records
            if record.attribute is not None
            and record.kind in _SCAFFOLD
            and record.recorded_at <= at
            and (record.superseded_at is None or record.superseded_at > at)
            and (record.valid_to is None or record.valid_to > at)
        }
    )


def explained(course: np.ndarray, keys: Sequence[float]) -> float:
    """Return how well a straight line over `course` explains `keys`: R², at most 1; 1 if nothing changes."""
    values = np.array(keys, np.float64)
    spread = float(((values - values.mean()) ** 2).sum())
    if spread == 0:
        return 1.0
    slope, begin = np.polyfit(course, values, 1)
    return round(1 - float(((values - begin - slope * course) ** 2).sum()) / spread, 4)


def _cold_start(said: Sequence[Event], records: Sequence[Record]) -> int | None:
    """Return how many turns of the user were recorded when the scaffold got its fifth key."""
    begun: dict[tuple[str | None, str], datetime] = {}
    for record in sorted(records, key=lambda record: record.recorded_at):
        if record.attribute is not None and record.kind in _SCAFFOLD:
            begun.setdefault((record.subject, record.attribute), record.recorded_at)
    if len(begun) < USEFUL:
        return None
    useful = sorted(begun.values())[USEFUL - 1]
    return sum(event.recorded_at <= useful for event in said)
