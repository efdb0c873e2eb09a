"""Questions about days: whether a question asks what there is at a time, and what a text or a record is about.

"What do I have on 5 July?", "next week", "anything in March?" name a time and nothing that tells one memory of that
time from another. What answers them was said at any time and is about that one; what happened in a time that is over
was mostly said then, in words that name no day.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

import numpy as np

from memoranda.core.image.days import DAY, Named, Window, named
from memoranda.core.recall.question import asks, content, without, without_times
from memoranda.core.rows import Record
from memoranda.core.rows.columns import Mask
from memoranda.core.strata.goals import GOAL, Goal
from memoranda.core.temporal import days_named, find_times, looks_back, query_window
from memoranda.core.text.detect import LANGUAGES, detect
from memoranda.core.text.terms import Analyzer

HEAD = 4_000  # characters of a text that are read
_END = re.compile(r"[.!?]{1,5}(?=\s|$)|[。！？\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The time that a question names.

    Attributes:
        language: in whose words.
        window: the time, None if it names none.
        alone: it asks for nothing but what there is at that time.
        back: it asks for what was, so what was said at that time answers it as well.
    """

    language: str
    window: Window | None = None
    alone: bool = False
    back: bool = False


def asked_time(text: str, now: datetime, analyzer: Analyzer, default: str) -> Asked:
    """Read the time that a question names; `default` is the language if its words do not tell."""
    language = _spoken(text, now, default)
    bare = without_times(text, now, language)
    window = query_window(text, now, language, ahead=asks("plans", bare)) if bare != text else None
    if window is None:
        return Asked(language=language)
    alone = asks("free", text) or not content(without("plans", bare), analyzer)
    over = window[1] is not None and window[1] <= now
    return Asked(language=language, window=window, alone=alone, back=over or looks_back(text, now, language))


def _spoken(text: str, now: datetime, default: str) -> str:
    """The language in whose words a question names a time: of a few words it is easily mistaken.

    If nothing is a time in the language that it seems to be in, what is one in another may be meant: several words, or
    also a single one if the rest of the words tells no language.
    """
    seems = detect(text, "")
    language = seems or default
    if find_times(text, now, language):
        return language
    longest = {language: 0}
    for other in LANGUAGES:
        times = (time.text for time in find_times(text, now, other) if not seems or " " in time.text)
        longest[other] = max(map(len, times), default=0)
    return max(longest, key=lambda one: longest[one])


def about(text: str, said: datetime, default: str) -> tuple[Named, ...]:
    """Return what a text is about that was said at a time, in the calendar of its zone; nothing that it only asks."""
    text = text[:HEAD]
    return named(ref for ref in days_named(text, said, detect(text, default)) if _tells(text, ref.start, ref.end))


def _tells(text: str, begin: int, end: int) -> bool:
    """Whether the sentence around some words tells or orders something."""
    close = _END.search(text, end)
    if close is None or not {*close[0]} & {*"?？"}:
        return True
    opened = max((found.end() for found in _END.finditer(text, 0, begin)), default=0)
    return asks("request", text[opened : close.end()])


def record_about(record: Record, known: Mapping[str, Collection[Named]]) -> tuple[Named, ...]:
    """Return what a record is about, given what its sources are: what its own words name, or the deadline of a goal."""
    if record.kind == GOAL:
        deadline = Goal.of(record).deadline
        return () if deadline is None else (Named(deadline, deadline + timedelta(seconds=1), DAY),)
    times = (one for source in record.sources for one in known.get(source, ()))
    return tuple(dict.fromkeys(one for one in times if one.words == record.phrase))


def inside(days: Mapping[str, Collection[Named]], window: Window) -> dict[str, datetime]:
    """Return what is about a window, by id, with the first time in it that it is about."""
    found: dict[str, datetime] = {}
    for ref, times in days.items():
        begins = [one.begin for one in times if one.within(window)]
        if begins:
            found[ref] = max(min(begins), window[0] or min(begins))
    return found


def spelt(window: Window, zone: tzinfo | None) -> str:
    """A window in words, as the days of a zone: "2026-07-05", "2026-07-01 to 2026-07-31", "since 2026-07-01"."""
    first, last = (None if at is None else f"{at.astimezone(zone):%Y-%m-%d}" for at in _ends(window))
    if first is None or last is None:
        return f"the time until {last}" if first is None else f"the time since {first}"
    return first if first == last else f"{first} to {last}"


def _ends(window: Window) -> Window:
    begin, until = window
    return begin, until and until - timedelta(microseconds=1)


def nearest(days: Mapping[str, Collection[Named]], refs: Iterable[str], window: Window) -> list[Named]:
    """Return of what some passages are about the last time before a window and the first after it."""
    begin, until = window
    times = sorted(
        {one for ref in refs for one in days.get(ref, ()) if one.unit <= DAY}, key=lambda one: (one.begin, one.words)
    )
    before = [one for one in times if begin is not None and one.until <= begin]
    after = [one for one in times if until is not None and one.begin >= until]
    return [*before[-1:], *after[:1]]


def ways(ahead: Mask, about: Mask, said: Mask, *, back: bool, saying: bool) -> Sequence[tuple[Mask, str]]:
    """Return which passages answer a question for what there is at a time, and which if there are none, with why.

    Args:
        ahead: those about the part of it that is not over.
        about: those about any of it.
        said: those said in it.
        back: it asks for what was.
        saying: it asks for what was said.
    """
    if saying:
        return (said, ""), (about, "was said in {}; this is about it")
    if back:
        return ((np.asarray(about | said, np.bool_), ""),)
    left = "is about what is left of {}"
    return (ahead, ""), (about, f"{left}; this is about the time before"), (said, f"{left}; this was said then")
