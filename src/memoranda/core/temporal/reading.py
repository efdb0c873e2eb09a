"""From marks to references: which occurrence is meant, and how it relates to the reference time."""

import re
from datetime import UTC, datetime

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
    return _find(text, now, language, asked=False)


def query_window(text: str, now: datetime, language: str = "en") -> tuple[datetime | None, datetime | None] | None:
    """Return the interval a question asks about, [begin, until), or None if it names none.

    Questions to a memory look back: "in March" is the latest March unless the sentence says otherwise. A time of day
    alone ("what do I drink in the morning?") names no particular day.
    """
    for ref in _find(text, now, language, asked=True):
        if (ref.begin, ref.until) != (None, None) and ref.grain != "second":
            return ref.begin, ref.until
    return None


def _find(text: str, now: datetime, language: str, *, asked: bool) -> list[TimeRef]:
    code = language.lower().replace("_", "-").split("-")[0]
    if code not in LANGUAGES or not grammar(code).lexicon.suspects(text):
        return []
    spoken = grammar(code)
    refs = []
    for mark in spoken.read(text, now.replace(tzinfo=None)):
        if mark.kind not in _KINDS:
            continue
        direction = 0
        if isinstance(mark.value, Cycle):
            if asked and mark.value.period == "day":
                continue
            direction = _tense(text, mark, spoken, asked=asked) or mark.value.leans or -asked
        refs.append(_reference(text, mark, now, direction))
    return [ref for ref in refs if ref is not None]


def _tense(text: str, mark: Mark, grammar: Grammar, *, asked: bool) -> int:
    before = _STOP.split(text[max(0, mark.start - _REACH) : mark.start])[-1].replace("\u2019", "'")
    after = _STOP.split(text[mark.end : mark.end + _REACH])[0].replace("\u2019", "'")
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
