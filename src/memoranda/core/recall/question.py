"""Rule-based parsing of a question: its terms, whom and what it names, when it asks about."""

import math
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache

from memoranda.core.base.scope import Scope
from memoranda.core.image.days import Window
from memoranda.core.image.image import Partition
from memoranda.core.language.entities import find_mentions
from memoranda.core.recall.asked_attributes import attributed
from memoranda.core.recall.search import Question
from memoranda.core.temporal import find_times
from memoranda.core.text.packs import joined, regex
from memoranda.core.text.terms import Analyzer
from memoranda.languages import read

_ASKED = re.compile(r"[?？]")
_WORD = re.compile(r"[^\W_]+")


@cache
def _table() -> Mapping[str, str]:
    return read("asking")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_table()[name].split())


@cache
def _asks(name: str) -> re.Pattern[str]:
    """Return a pattern of `languages/asking.toml`, compiled on first use."""
    return regex(joined(_table()[name]), f"languages/asking.toml: {name}", re.IGNORECASE)


def asks(name: str, text: str) -> bool:
    """Whether a text asks for something of this name in `languages/asking.toml`."""
    return bool(_asks(name).search(text))


def opens(name: str, text: str) -> bool:
    """Whether the first words of a text ask for something of this name in `languages/asking.toml`."""
    return bool(_asks(name).match(text))


def without(name: str, text: str) -> str:
    """A text without what asks for something of this name in `languages/asking.toml`."""
    return _asks(name).sub(" ", text)


def content(text: str, analyzer: Analyzer) -> tuple[str, ...]:
    """The terms of a text, but for those that only say that something was said."""
    return tuple(term for term in analyzer.terms(text) if term not in _words("speech"))


def interpret(
    text: str,
    partition: Partition,
    scope: Scope,
    analyzer: Analyzer,
    now: datetime,
    language: str,
    window: Window | None,
    *,
    alone: bool = False,
) -> Question:
    """Return the parsed question of `scope`; `window` is the time span it asks about, and nothing else if `alone`."""
    bare = without_times(text, now, language) if window else text
    said = content(bare, analyzer)
    names = {mention.name.casefold() for mention in find_mentions(text, language)}
    index = partition.index
    speakers = index.codes["speaker"]
    words = set(_WORD.findall(text.casefold()))
    named = tuple(
        speakers.look(speaker) for speaker in index.names("speaker") if words.issuperset(speaker.casefold().split()[:1])
    )
    months = _months(window)
    asks_back = bool(_asks("back").search(text))
    return Question(
        terms=tuple(analyzer.terms(text)),
        content=tuple(term for term in said if term not in _words("naming")),
        asks_assistant=bool(_asks("you_said").search(text)),
        asks_back=asks_back,
        asks_help=not asks_back and bool(_asks("help").search(text) or not _ASKED.search(text)),
        speakers=named,
        months=months,
        span=None if window is None or months else _seconds(window),
        wants_time=bool(_asks("when").search(text)),
        wants_number=bool(_asks("count").search(text)),
        wants_many=bool(_asks("many").search(text) or _asks("listed").search(text.strip())),
        entities=frozenset().union(*(partition.meant(name, scope) for name in names)),
        only_time=alone or (window is not None and not said),
        said=_seconds(window) if window and _asks("saying").search(text) else None,
        conversation=scope.conversation,
        attributed=attributed(bare, partition, analyzer, language),
    )


def without_times(text: str, now: datetime, language: str) -> str:
    """A text without the times that it names."""
    for found in reversed(find_times(text, now, language)):
        text = f"{text[: found.start]} {text[found.end :]}"
    return text


def _seconds(window: Window) -> tuple[float, float]:
    begin, until = window
    return (-math.inf if begin is None else begin.timestamp(), math.inf if until is None else until.timestamp())


def _months(window: Window | None) -> tuple[int, ...]:
    """Return the months a window touches, counted from January 1970; none if it is longer than about a year."""
    begin, until = window or (None, None)
    if begin is None or until is None or (until - begin).days > 370:
        return ()
    first, last = ((at.year - 1970) * 12 + at.month - 1 for at in (begin, until))
    if until.day == 1 and (until.hour, until.minute) == (0, 0):
        last = max(first, last - 1)
    return tuple(range(first, last + 1))
