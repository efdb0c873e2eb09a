"""Calendar arithmetic in wall-clock time: spans, lengths, and recurring cycles.

A *span* is a half-open interval. A *cycle* is the meaning of "Friday", "March" or "at noon" before an occurrence is
chosen: one span in each period. Two expressions combine by searching one inside the spans of the other, and a cycle
becomes a span when the sentence or the reference time picks an occurrence.
"""

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType

#: Grains from fine to coarse.
GRAINS = ("second", "minute", "hour", "part", "day", "weekend", "week", "month", "quarter", "season", "half", "year")
#: Grains longer than a day.
COARSE = frozenset({"weekend", "week", "fortnight", "month", "quarter", "season", "half", "year", "decade", "century"})
#: Shares of a span; for a week, which has no thirds, "start" and "end" are halves.
SHARES = MappingProxyType(
    {"start": (0, 1 / 3), "early": (0, 1 / 2), "middle": (1 / 4, 3 / 4), "late": (1 / 2, 1), "end": (2 / 3, 1)}
)
_WEEK = {"start": "early", "end": "late"}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_FINER = {"minute": "second", "hour": "minute", "day": "hour", "week": "day", "year": "month", "quarter": "month"}
_REACH = {"day": 2, "week": 2, "month": 14, "year": 9}


@dataclass(frozen=True, slots=True)
class Span:
    """[begin, until) in wall-clock time."""

    begin: datetime
    until: datetime
    grain: str


@dataclass(frozen=True, slots=True)
class Open:
    """A span without a begin or an end: since, until, before, after."""

    begin: datetime | None
    until: datetime | None
    grain: str


@dataclass(frozen=True, slots=True)
class Length:
    """A duration without a position: "three weeks"."""

    months: int = 0
    days: int = 0
    seconds: int = 0
    grain: str = "day"

    def __add__(self, other: "Length") -> "Length":
        grain = min(self.grain, other.grain, key=_fineness)
        return Length(self.months + other.months, self.days + other.days, self.seconds + other.seconds, grain)

    def after(self, moment: datetime, sign: int = 1) -> datetime:
        """Return the moment this long after (or, with sign -1, before) another."""
        return add_months(moment, sign * self.months) + sign * timedelta(days=self.days, seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Cycle:
    """A recurring span: `build` gives its span in the day, week, month or year that starts at a moment, or None.

    Without a tense, it `leans` to the past (-1) or future (1), or to neither.
    """

    period: str
    build: Callable[[datetime], Span | Open | None]
    leans: int = 0

    def map(self, change: Callable[[Span], Span | Open | None]) -> "Cycle":
        """Return the cycle of changed spans; open ones are left out."""

        def changed(start: datetime) -> Span | Open | None:
            span = self.build(start)
            return change(span) if isinstance(span, Span) else None

        return Cycle(self.period, changed)

    def spans(self, begin: datetime, until: datetime) -> Iterator[Span]:
        """Yield the occurrences that lie within [begin, until), in order."""
        start = shift(floor(begin, self.period), self.period, -1)
        while start < until:
            span = self.build(start)
            if isinstance(span, Span) and begin <= span.begin and span.until <= until:
                yield span
            start = shift(start, self.period, 1)

    def near(self, now: datetime, direction: int, *, over: bool = False) -> Span | Open:
        """Return the latest occurrence begun (or `over`) by now (-1), the first not over (1), or the closest one (0).

        If there is none in that direction, return the closest one; raise `ValueError` if there is none nearby.
        """
        middle = floor(now, self.period)
        near: list[tuple[float, Span | Open]] = []
        wanted: list[tuple[float, Span | Open]] = []
        for step in sorted(range(-_REACH[self.period], _REACH[self.period] + 1), key=abs):
            span = self.build(shift(middle, self.period, step))
            if span is None:
                continue
            begin, until = span.begin or span.until or now, span.until or span.begin or now
            near.append((max((begin - now).total_seconds(), (now - until).total_seconds(), 0.0), span))
            if (direction < 0 and (until if over else begin) > now) or (direction > 0 and until <= now):
                continue
            wanted.append(near[-1])
            if len(wanted) > 2:
                break
        if not near:
            raise ValueError("it never comes")
        return min(wanted or near, key=lambda pair: pair[0])[1]


Value = Span | Open | Cycle


def lift(value: Value, change: Callable[[Span], Span | Open | None]) -> Value | None:
    """Change a span, or every span of a cycle; return None for an open one."""
    if isinstance(value, Cycle):
        return value.map(change)
    return change(value) if isinstance(value, Span) else None


def _fineness(grain: str) -> int:
    return GRAINS.index(grain) if grain in GRAINS else len(GRAINS)


def finer(one: str, other: str) -> str:
    """Return the finer of two grains."""
    return min(one, other, key=_fineness)


def length(count: float, grain: str) -> Length | None:
    """Return `count` units of a grain; None for a fraction that the calendar cannot divide, as of a month.

    A fraction is as precise as the next finer unit: half an hour is given in minutes.
    """
    fine = grain if count % 1 == 0 else _FINER.get(grain, grain)
    if grain in _SECONDS:
        return Length(seconds=round(count * _SECONDS[grain]), grain=fine)
    if grain in _DAYS:
        whole, rest = divmod(count * _DAYS[grain], 1)
        return Length(days=int(whole), seconds=round(rest * 86400), grain=fine)
    if (count * _MONTHS[grain]) % 1 == 0:
        return Length(months=int(count * _MONTHS[grain]), grain=fine)
    return None


def add_months(moment: datetime, months: int) -> datetime:
    """Return the same day some months later, or the last day of a shorter month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    days = monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, days))


def floor(moment: datetime, grain: str) -> datetime:
    """Return the start of the unit that holds a moment; weeks start on Monday."""
    if grain in _SECONDS:
        return moment - timedelta(seconds=_second_of_day(moment) % _SECONDS[grain], microseconds=moment.microsecond)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain == "day":
        return day
    if grain not in _MONTHS:
        return day - timedelta(days=day.weekday())
    years, months = divmod(_MONTHS[grain], 12)
    if years:
        return day.replace(year=max(1, day.year // years * years), month=1, day=1)
    return day.replace(month=(day.month - 1) // months * months + 1, day=1)


def _second_of_day(moment: datetime) -> int:
    return moment.hour * 3600 + moment.minute * 60 + moment.second


def shift(moment: datetime, grain: str, count: int) -> datetime:
    """Move a moment by whole units."""
    if grain in _SECONDS:
        return moment + timedelta(seconds=count * _SECONDS[grain])
    if grain in _DAYS or grain == "weekend":
        return moment + timedelta(days=count * _DAYS.get(grain, 7))
    return add_months(moment, count * _MONTHS[grain])


def unit(moment: datetime, grain: str, offset: int = 0) -> Span:
    """Return the unit that holds a moment, or the one `offset` units later."""
    start = shift(floor(moment, grain), grain, offset)
    if grain == "weekend":
        return Span(start + timedelta(days=5), start + timedelta(days=7), grain)
    return Span(start, shift(start, grain, 1), grain)


def within(value: Cycle, outer: Value, nth: int = 1) -> Value | None:
    """Return the nth occurrence of a cycle inside a span (-1: the last), or inside every span of another cycle."""
    return lift(outer, lambda span: nth_within(value, span, nth))


def nth_within(value: Cycle, outer: Span, nth: int = 1) -> Span | None:
    """Return the nth occurrence of a cycle inside a span; -1 for the last."""
    found = list(value.spans(outer.begin, outer.until))
    index = nth - 1 if nth > 0 else nth
    return found[index] if -len(found) <= index < len(found) else None


def cut(span: Span, share: str) -> Span:
    """Return a share of a span: in whole months for a quarter or longer, in whole days for other spans above a day."""
    first, second = SHARES[_WEEK.get(share, share) if span.grain == "week" else share]
    months = 3 if span.grain == "season" else _MONTHS.get(span.grain, 0)
    if months >= 3:
        begin, until = (add_months(span.begin, round(months * part)) for part in (first, second))
        return Span(begin, until, span.grain)
    whole = span.until - span.begin
    begin, until = span.begin + whole * first, span.begin + whole * second
    if span.grain in COARSE:
        return Span(floor(begin, "day"), floor(until, "day"), span.grain)
    return Span(begin, until, "part" if span.grain == "day" else span.grain)


def easter(year: int) -> datetime:
    """Return Easter Sunday in the Gregorian calendar (the algorithm of Meeus, Jones and Butcher)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    leap, leapless = divmod(century, 4)
    epact = (19 * golden + century - leap - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    quarter, odd = divmod(rest, 4)
    weekday = (32 + 2 * leapless + 2 * quarter - epact - odd) % 7
    correction = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * correction + 114, 31)
    return datetime(year, month, day + 1)  # noqa: DTZ001  # wall-clock time by design
