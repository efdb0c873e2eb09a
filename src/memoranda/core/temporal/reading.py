"""From marks to references: which occurrence is meant, and how it relates to the reference time."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memoranda.core.rows.statements import TimeRef
from memoranda.core.temporal.calendar import Cycle, Length
from memoranda.core.temporal.cascade import Grammar
from memoranda.core.temporal.lexicon import Mark
from memoranda.core.temporal.pack import grammar
from memoranda.core.text.detect import LANGUAGES

_KINDS = frozenset({"date", "period", "stamp", "range", "length", "set", "present", "instant"})

#: How far from an expression a word may indicate its tense, in characters, and what ends a sentence.
_REACH = 160
_STOP = re.compile("[.!?;\u3002\uff01\uff1f\n]")
_CLAUSE = re.compile("[.!?;,:\u3002\uff01\uff1f\uff0c\n]")  # and what ends a clause
_LONG = timedelta(days=150)  # how long a time is over behind which others are read as close to it
_REPEATS = timedelta(days=366)  # how far ahead what repeats is told apart
_LAST = datetime.max.replace(tzinfo=UTC) - timedelta(days=2)  # which every zone has


def find_times(text: str, now: datetime, language: str = "en") -> list[TimeRef]:
    """Return the time expressions of a text, in order and without overlap, resolved against `now`.

    A recurring expression ("Friday", "in March") means the occurrence that the tense of its sentence points to (an
    arrangement, "I'm flying on Friday", points ahead), or else the closest one. Ranges include the last unit they name.
    A text in a language without a pack holds no expressions.

    Args:
        text: any text.
        now: the time of the message, aware; its time zone is that of the wall-clock times in the text.
        language: a language code, as "en" or "de-AT".
    """
    found = []
    for mark, spoken in _marks(text, now, language):
        recurs = mark.kind != "set" and isinstance(mark.value, Cycle)
        direction = (_tense(text, mark, spoken, asked=False) or mark.value.leans) if recurs else 0
        found.append(_reference(text, mark, now, direction))
    return [ref for ref in found if ref is not None]


def query_window(
    text: str, now: datetime, language: str = "en", *, ahead: bool = False
) -> tuple[datetime | None, datetime | None] | None:
    """Return the interval a question asks about, [begin, until), or None if it names none.

    Questions to a memory look back: "in March" is the latest March unless the sentence says otherwise; questions about
    plans look `ahead`. A time of day alone ("what do I drink in the morning?") names no particular day.
    """
    for mark, spoken in _marks(text, now, language):
        direction = 0
        if mark.kind != "set" and isinstance(mark.value, Cycle):
            if mark.value.period == "day":
                continue
            direction = _tense(text, mark, spoken, asked=True) or mark.value.leans or (1 if ahead else -1)
        ref = _reference(text, mark, now, direction)
        if ref is not None and (ref.begin, ref.until) != (None, None) and ref.grain != "second":
            return ref.begin, ref.until
    return None


def looks_back(text: str, now: datetime, language: str = "en") -> bool:
    """Whether the first time that a question names is one of the past, by its tense: "what did I do today?"."""
    first = next(_marks(text, now, language), None)
    return first is not None and _tense(text, *first, asked=True) < 0


def days_named(text: str, now: datetime, language: str = "en") -> list[TimeRef]:
    """Return the times that a text may be about: as `find_times`, and what else a note of them may mean.

    A recurring expression of which no verb in its clause says that it is past may mean the next occurrence as well:
    "eye test on the 16th, had a letter". Behind a time long past it means the one closest to that: "two years ago, on
    3 July". What repeats ("Tuesdays") is about each occurrence within a year, until an end that is named.
    """
    found: list[TimeRef | None] = []
    repeats: list[Mark] = []
    for mark, spoken in _marks(text, now, language):
        if not isinstance(mark.value, Cycle):
            found.append(_reference(text, mark, now, 0))
        elif mark.kind == "set":
            repeats.append(mark)
        elif mark.value.period != "day":
            sentence = _tense(text, mark, spoken, asked=False) or mark.value.leans
            clause = _tense(text, mark, spoken, asked=False, ends=_CLAUSE)
            ago = _long_ago(found, now)
            meant = (0,) if ago else dict.fromkeys((sentence, sentence if clause < 0 else 1))
            found += [_reference(text, mark, ago or now, one) for one in meant]
    named = [ref for ref in found if ref is not None]
    end = min((ref.until for ref in named if ref.begin is None and ref.until), default=_ahead(now))
    return named + [ref for mark in repeats for ref in _occurrences(text, mark, now, end)]


def _ahead(now: datetime) -> datetime:
    """Return how far ahead of `now` what repeats is told apart: to the end of the calendar at most."""
    return now + max(timedelta(0), min(_REPEATS, _LAST - now))


def _long_ago(refs: Iterable[TimeRef | None], now: datetime) -> datetime | None:
    """Return the middle of the last of some times that was over long before `now`."""
    over = [(ref.begin, ref.until) for ref in refs if ref and ref.begin and ref.until and ref.until < now - _LONG]
    return (over[-1][0] + (over[-1][1] - over[-1][0]) / 2).astimezone(now.tzinfo) if over else None


def _occurrences(text: str, mark: Mark, now: datetime, end: datetime) -> list[TimeRef]:
    """Return what something that repeats is about, from `now` until an end, or for a year."""
    begin, until = (at.astimezone(now.tzinfo).replace(tzinfo=None) for at in (now, min(end, _ahead(now))))
    spans = (replace(mark, kind="date", value=span) for span in mark.value.spans(begin, until))
    return [ref for ref in (_reference(text, one, now, 0) for one in spans) if ref is not None]


def _marks(text: str, now: datetime, language: str) -> Iterator[tuple[Mark, Grammar]]:
    """Yield the time expressions of a text, each with the grammar that reads it."""
    code = language.lower().replace("_", "-").split("-")[0]
    if code in LANGUAGES and grammar(code).lexicon.suspects(text):
        spoken = grammar(code)
        yield from ((mark, spoken) for mark in spoken.read(text, now.replace(tzinfo=None)) if mark.kind in _KINDS)


def _tense(text: str, mark: Mark, grammar: Grammar, *, asked: bool, ends: re.Pattern[str] = _STOP) -> int:
    before = ends.split(text[max(0, mark.start - _REACH) : mark.start])[-1].replace("\u2019", "'")
    after = ends.split(text[mark.end : mark.end + _REACH])[0].replace("\u2019", "'")
    sentence = f"{before}{text[mark.start : mark.end]}{after}"
    return grammar.lexicon.tense(sentence, len(before), len(sentence) - len(after), asked=asked)


def _reference(text: str, mark: Mark, now: datetime, direction: int) -> TimeRef | None:
    begin = until = None
    relation = "current"
    if mark.kind == "set" or isinstance(mark.value, Length):
        grain = "set" if mark.kind == "set" else "duration"
    else:
        try:
            span = mark.value.near(now.replace(tzinfo=None), direction) if isinstance(mark.value, Cycle) else mark.value
            begin, until, grain = _aware(span.begin, now), _aware(span.until, now), span.grain
        except (ValueError, OverflowError):  # beyond the calendar
            return None
        if begin is not None and until is not None:
            until = max(begin, until)  # the clock may skip an hour between them
        relation = _relation(begin, until, now)
    words = text[mark.start : mark.end]
    return TimeRef(text=words, start=mark.start, end=mark.end, begin=begin, until=until, grain=grain, relation=relation)


def _aware(moment: datetime | None, now: datetime) -> datetime | None:
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)).astimezone(UTC)


def _relation(begin: datetime | None, until: datetime | None, now: datetime) -> str:
    if until is not None and until <= now:
        return "past"
    return "future" if begin is not None and begin > now else "current"
