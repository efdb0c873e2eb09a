"""Trends by counting: numbers that rise or fall, and topics that come up more often.

A number has a trend if the same words were said with at least four different values in twelve weeks, with a correlation
of 0.8 or more with time, and a change of a tenth or more in all. A topic has one if it was named in the last four weeks
at least five times, on three days, and twice as often as in the four before.

Only whole weeks count, so results change once a week. A trend has all that it was counted from as its sources.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from memoranda.core.text.terms import normalise

WEEKS, MONTH = timedelta(weeks=12), timedelta(weeks=4)
VALUES, CORRELATION, CHANGE = 4, 0.8, 0.1
MENTIONS, DAYS, TIMES = 5, 3, 2
LONGEST = 200  # characters of a text that gives a number
SOURCES = 64

_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w:/-]|[.,]\d)")
_MONDAY = datetime(2001, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A statement; `names` are the entities it names, by id."""

    id: str
    at: datetime
    text: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A trend.

    Attributes:
        about: identifies the trend while it lasts.
        text: the trend in words.
        sources: ids of all that it was read from, oldest first.
    """

    about: str
    text: str
    sources: tuple[str, ...]


def week_of(now: datetime) -> datetime:
    """Return the Monday on which the current week began."""
    return now - (now - _MONDAY) % timedelta(weeks=1)


def trends(said: Iterable[Saying], now: datetime) -> list[Trend]:
    """Return the trends in what was said before the current week, numbers first, each sorted by `about`."""
    end = week_of(now)
    found = sorted((one for one in said if end - WEEKS <= one.at < end), key=lambda one: (one.at, one.id))
    return [*_numbers(found), *_topics(found, end)]


def _numbers(said: Iterable[Saying]) -> Iterator[Trend]:
    groups: dict[str, list[tuple[Saying, str]]] = {}
    for one in said:
        numbers = _NUMBER.findall(one.text) if len(one.text) <= LONGEST else []
        if len(numbers) == 1:
            groups.setdefault(normalise(_NUMBER.sub("…", one.text)), []).append((one, numbers[0]))
    for about, group in sorted(groups.items()):
        values = [float(number) for _, number in group]
        if len(set(values)) >= VALUES and len(group) <= SOURCES and _one_way([one.at for one, _ in group], values):
            (first, begin), (last, end) = group[0], group[-1]
            way = "rose" if values[-1] > values[0] else "fell"
            told = _NUMBER.sub("…", last.text).strip().rstrip(".")
            yield Trend(
                about=f"number {about}",
                text=f'"{told}" {way} from {begin} to {end} between {first.at:%Y-%m-%d} and {last.at:%Y-%m-%d}.',
                sources=tuple(one.id for one, _ in group),
            )


def _one_way(times: list[datetime], values: list[float]) -> bool:
    at = np.array([time.timestamp() for time in times])
    if at[0] == at[-1] or abs(values[-1] - values[0]) < CHANGE * max(abs(values[0]), 1e-9):
        return False
    correlation = float(np.corrcoef(at, np.array(values))[0, 1])
    return abs(correlation) >= CORRELATION and (correlation > 0) == (values[-1] > values[0])


def _topics(said: list[Saying], end: datetime) -> Iterator[Trend]:
    if not said or said[0].at >= end - MONTH:  # nothing earlier to compare with
        return
    named: dict[str, tuple[str, list[Saying]]] = {}
    for one in said:
        for entity, name in one.names.items():
            named.setdefault(entity, (name, []))[1].append(one)
    for entity, (name, mentions) in sorted(named.items()):
        recent = [one for one in mentions if one.at >= end - MONTH]
        before = sum(end - 2 * MONTH <= one.at < end - MONTH for one in mentions)
        days = {one.at.date() for one in recent}
        if MENTIONS <= len(recent) <= SOURCES and len(days) >= DAYS and len(recent) >= TIMES * before:
            called = _written(name, recent[-1].text)
            times = f"{before} time{'' if before == 1 else 's'}"
            yield Trend(
                about=f"topic {entity}",
                text=f"{called} comes up more often: {len(recent)} times in four weeks, {times} in the four before.",
                sources=tuple(one.id for one in mentions if one.at >= end - 2 * MONTH)[-SOURCES:],
            )


def _written(name: str, text: str) -> str:
    """Return a name as a text writes it; names are stored in lower case."""
    found = re.search(re.escape(name), text, re.IGNORECASE)
    return found[0] if found else name
