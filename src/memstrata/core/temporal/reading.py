"""From marks to references: which occurrence is meant, and what it is to the reference time."""

from datetime import UTC, datetime
from types import MappingProxyType

from memstrata.core.statements import TimeRef
from memstrata.core.temporal.calendar import Cycle, Length, Span
from memstrata.core.temporal.cascade import Grammar, Mark
from memstrata.core.temporal.packs import en

GRAMMARS = MappingProxyType({"en": en.GRAMMAR})
_KINDS = frozenset({"date", "period", "stamp", "range", "length", "set", "present", "instant"})


def _grammar(language: str) -> Grammar | None:
    return GRAMMARS.get(language.lower().replace("_", "-").split("-")[0])


def has_time(text: str, language: str = "en") -> bool:
    """Whether a text may speak of time: cheap, and never wrong in saying no."""
    grammar = _grammar(language)
    return grammar is not None and grammar.suspects(text)


def find_times(text: str, now: datetime, language: str = "en") -> list[TimeRef]:
    """The time expressions of a text, in order and without overlap, resolved against `now`.

    A text in a language without a pack holds none.

    Args:
        text: anything a person may write.
        now: the time of the message, aware; its zone is the wall clock the words are read by.
        language: a language code, as "en" or "de-AT".
    """
    grammar = _grammar(language)
    if grammar is None or not grammar.suspects(text):
        return []
    wall = now.replace(tzinfo=None)
    found = []
    for mark in grammar.read(text, wall):
        if mark.kind in _KINDS:
            ref = _reference(text, mark, now, wall, 0)
            if ref is not None:
                found.append(ref)
    return found


def _reference(text: str, mark: Mark, now: datetime, wall: datetime, direction: int) -> TimeRef | None:
    words = text[mark.start : mark.end]
    if mark.kind == "set" or isinstance(mark.value, Length):
        grain = "set" if mark.kind == "set" else "duration"
        return TimeRef(
            text=words, start=mark.start, end=mark.end, begin=None, until=None, grain=grain, relation="current"
        )
    try:
        span = mark.value.near(wall, direction) if isinstance(mark.value, Cycle) else mark.value
        if span is None:
            return None
        begin, until = _aware(span.begin, now), _aware(span.until, now)
    except (ValueError, OverflowError):
        return None
    return TimeRef(
        text=words,
        start=mark.start,
        end=mark.end,
        begin=begin,
        until=until,
        grain=span.grain,
        relation=_relation(span, wall),
    )


def _aware(moment: datetime | None, now: datetime) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=now.tzinfo).astimezone(UTC)


def _relation(span: Span, now: datetime) -> str:
    if span.until is not None and span.until <= now:
        return "past"
    return "future" if span.begin is not None and span.begin > now else "current"


def query_window(text: str, now: datetime, language: str = "en") -> tuple[datetime | None, datetime | None] | None:
    """The interval a question asks about, or None where it names none."""
    for ref in find_times(text, now, language):
        if ref.begin is not None or ref.until is not None:
            return ref.begin, ref.until
    return None
