"""How a memory does in use, computed from its log: nothing is labelled, and no model is asked.

Words are compared by their terms, so these figures tell whether something gets better or worse; they are no truth.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

import numpy as np

from memstrata.core.rows import ContextLog, Event, Record, key_of

Terms = Callable[[str], Sequence[str]]

USED = 0.5  # of what a memory says beyond the question, from which on an answer used it
USEFUL = 5  # keys of a scaffold from which on it is of use
WEEK = timedelta(days=7)
_SCAFFOLD = frozenset({"fact", "preference", "decision", "plan"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """Turns of the user in a month, and how many of them put something right."""

    month: str
    turns: int
    corrections: int

    @property
    def rate(self) -> float:
        """Corrections per turn."""
        return self.corrections / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How many keys the scaffold had over time.

    Attributes:
        at: the end of each week, from the first thing that was recorded on; `keys`: how many there were then.
        logarithm, line: how much of the course a logarithm of the time explains, and a line does: R², at most 1, and
            None for fewer than four weeks. A healthy memory grows like a logarithm.
    """

    at: tuple[datetime, ...] = ()
    keys: tuple[int, ...] = ()
    logarithm: float | None = None
    line: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """The online figures of a memory; None where there is nothing to measure.

    Attributes:
        context_utilisation: of the memories that contexts held, the share that the next answer of the assistant in the
            same conversation used: it has half of the terms that the memory says beyond the question. `injected`: of
            how many.
        observation_rate: observations per conversation, of `conversations`.
        scaffold_growth: the keys of the scaffold over time.
        correction_rate: corrections per turn of the user; `corrections`: by month.
        repeat_question_rate: of the questions of the assistant, the share whose terms a statement holds that was
            believed then. `asked`: of how many.
        cold_start: how many turns of the user it took until the scaffold had five keys.
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


def measured(
    events: Sequence[Event], records: Sequence[Record], contexts: Sequence[ContextLog], terms: Terms
) -> Metrics:
    """The figures of a memory.

    Args:
        events: of the log, by time.
        records: every version.
        contexts: the log of contexts.
        terms: from a text to its terms.
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
        scaffold_growth=_growth(events, records),
        correction_rate=sum(month.corrections for month in months) / len(said) if said else None, corrections=months,
        repeat_question_rate=_share(asked), asked=len(asked), cold_start=_cold_start(said, records),
    )  # fmt: skip


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


# ------------------------------------------------------------------------------------------------ contexts, questions


def _uses(
    contexts: Iterable[ContextLog], answers: Sequence[Event], texts: Mapping[str, str], terms: Terms
) -> Iterator[bool]:
    """Of each memory in a context that was answered, whether the answer used it; one that was forgotten counts not."""
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
    """The sentences of a text that ask."""
    parts = text.replace("？", "?").split("?")[:-1]
    return [part.replace("!", ".").split(".")[-1].strip() + "?" for part in parts]


def _repeated(answers: Iterable[Event], records: Iterable[Record], terms: Terms) -> Iterator[bool]:
    """Of each question of the assistant, whether a statement that was believed then holds what it asks for."""
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
    """Whether a statement held at a time, and was believed before."""
    known = record.recorded_at < at and (record.superseded_at is None or record.superseded_at > at)
    return known and record.valid_from <= at and (record.valid_to is None or record.valid_to > at)


# ------------------------------------------------------------------------------------------------ corrections, growth


def _corrected(events: Iterable[Event], said: Iterable[Event], records: Iterable[Record]) -> tuple[Month, ...]:
    """By month the turns of the user, and the events that put something right: bare amendments, and what says so."""
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


def _growth(events: Sequence[Event], records: Sequence[Record]) -> Growth:
    if not events:
        return Growth()
    first, last = min(event.recorded_at for event in events), max(event.recorded_at for event in events)
    weeks = max(math.ceil((last - first) / WEEK), 1)
    at = tuple(first + WEEK * number for number in range(1, weeks + 1))
    keys = tuple(_keys(records, moment) for moment in at)
    if weeks < 4:
        return Growth(at=at, keys=keys)
    time = np.arange(1, weeks + 1, dtype=np.float64)
    return Growth(at=at, keys=keys, logarithm=explained(np.log(time), keys), line=explained(time, keys))


def _keys(records: Iterable[Record], at: datetime) -> int:
    """How many attributes the scaffold had at a time."""
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
    """How much of `keys` the best straight line over `course` explains: R², at most 1; 1 where nothing changes."""
    values = np.array(keys, np.float64)
    spread = float(((values - values.mean()) ** 2).sum())
    if spread == 0:
        return 1.0
    slope, begin = np.polyfit(course, values, 1)
    return round(1 - float(((values - begin - slope * course) ** 2).sum()) / spread, 4)


def _cold_start(said: Sequence[Event], records: Sequence[Record]) -> int | None:
    """The turns of the user up to the one whose recording gave the scaffold its fifth key."""
    begun: dict[tuple[str | None, str], datetime] = {}
    for record in sorted(records, key=lambda record: record.recorded_at):
        if record.attribute is not None and record.kind in _SCAFFOLD:
            begun.setdefault((record.subject, record.attribute), record.recorded_at)
    if len(begun) < USEFUL:
        return None
    useful = sorted(begun.values())[USEFUL - 1]
    return sum(event.recorded_at <= useful for event in said)
