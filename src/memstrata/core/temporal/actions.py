"""What rules make of their marks: functions of the reference time and the values matched, or None to decline.

A function that declines leaves the marks as they were. Dates that do not exist raise `ValueError`, which the engine
takes as declining too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memstrata.core.temporal.calendar import (
    Cycle,
    Length,
    Span,
    Value,
    add_months,
    finer,
    floor,
    length,
    shift,
    unit,
    within,
)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `open` where morning or afternoon was not said."""

    hour: int
    minute: int = 0
    second: int = 0
    grain: str = "hour"
    open: bool = False

    def on(self, day: Span) -> Span | None:
        """This time on a day."""
        if day.begin is None:
            return None
        clock = self.likely()
        begin = day.begin.replace(hour=clock.hour, minute=clock.minute, second=clock.second)
        return Span(begin, shift(begin, clock.grain, 1), clock.grain)

    def likely(self) -> "Clock":
        """The reading people mean: one to six o'clock are in the afternoon unless said otherwise."""
        return self.turn(afternoon=True) if self.open and 1 <= self.hour <= 6 else self

    def turn(self, *, afternoon: bool) -> "Clock":
        """This time before or after noon."""
        hour = self.hour % 12 + 12 * afternoon if self.hour <= 12 else self.hour
        return Clock(hour, self.minute, self.second, self.grain)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day, in hours; the night may reach past midnight."""

    begin: float
    until: float

    def on(self, day: Span) -> Span | None:
        """This part of a day."""
        if day.begin is None:
            return None
        return Span(day.begin + timedelta(hours=self.begin), day.begin + timedelta(hours=self.until), "part")


def lift(value: Value, change: Callable[[Span], Span | None]) -> Value | None:
    """A span or cycle with every span changed."""
    return value.map(change) if isinstance(value, Cycle) else change(value)


def same(_now: datetime, *values: Any) -> Any:
    """The one value matched."""
    return values[0]


def last(_now: datetime, *values: Any) -> Any:
    """The last value matched."""
    return values[-1]


def const(value: Any) -> Callable[..., Any]:
    """A function that makes a fixed value."""
    return lambda _now, *_values: value


def year_span(year: int) -> Span:
    """A calendar year."""
    return Span(datetime(year, 1, 1), datetime(year + 1, 1, 1), "year")  # noqa: DTZ001  # wall-clock time by design


def full_year(year: int) -> int:
    """A year from two digits: 1950 to 2049."""
    return year if year >= 100 else year + (2000 if year < 50 else 1900)


def day_of(month: int, day: int, year: int | None = None) -> Value:
    """A day of a month: of one year, or of every year."""
    if year is not None:
        return unit(datetime(full_year(year), month, day), "day")  # noqa: DTZ001
    datetime(2000, month, day)  # noqa: DTZ001  # refuses the 31st of a short month

    def build(start: datetime) -> Span | None:
        try:
            return unit(start.replace(month=month, day=day), "day")
        except ValueError:
            return None

    return Cycle("year", build)


def month_day(_now: datetime, month: int, day: int, year: int | None = None) -> Value:
    """May 5, May 5 2024."""
    return day_of(month, day, year)


def day_month(_now: datetime, day: int, month: int, year: int | None = None) -> Value:
    """5 May, 5 May 2024."""
    return day_of(month, day, year)


def year_month_day(_now: datetime, year: int, month: int, day: int) -> Value:
    """2024 May 5."""
    return day_of(month, day, year)


def monthly(_now: datetime, day: int) -> Value | None:
    """The 27th."""
    if not 1 <= day <= 31:
        return None

    def build(start: datetime) -> Span | None:
        try:
            return unit(start.replace(day=day), "day")
        except ValueError:
            return None

    return Cycle("month", build)


def month(_now: datetime, number: int, year: int | None = None) -> Value:
    """May; May 2024."""
    if year is not None:
        return unit(datetime(full_year(year), number, 1), "month")  # noqa: DTZ001
    return Cycle("year", lambda start: unit(add_months(start, number - 1), "month"))


def year(_now: datetime, number: int) -> Span:
    """2024."""
    return year_span(number)


def quarter(_now: datetime, number: int, year: int | None = None) -> Value | None:
    """Q3; Q3 2025."""
    return _slice(number, 3, "quarter", year)


def half(_now: datetime, number: int, year: int | None = None) -> Value | None:
    """H1 2025."""
    return _slice(number, 6, "half", year)


def _slice(number: int, size: int, grain: str, year: int | None) -> Value | None:
    if not 1 <= number <= 12 // size:
        return None
    cycle = Cycle("year", lambda start: unit(add_months(start, (number - 1) * size), grain))
    return cycle if year is None else within(cycle, year_span(full_year(year)))


def season(first: int) -> Value:
    """Three months from a first one."""
    return Cycle("year", lambda start: Span(add_months(start, first - 1), add_months(start, first + 2), "season"))


def weekday(_now: datetime, number: int) -> Value:
    """Friday."""
    return Cycle("week", lambda start: unit(start + timedelta(days=number), "day"))


def relative_unit(now: datetime, offset: int, grain: str) -> Span:
    """Last week, this year, next month; a coming hour starts now."""
    if grain in {"second", "minute", "hour"}:
        begin = shift(now, grain, min(offset, 0))
        return Span(begin, shift(begin, grain, 1), grain)
    return unit(now, grain, offset)


def relative_cycle(now: datetime, offset: int, cycle: Value) -> Value | None:
    """Last Friday, this March, next summer."""
    if isinstance(cycle, Span):
        return cycle
    if cycle.period == "week" or offset == 0:
        return within(cycle, unit(now, cycle.period, offset))
    if offset < 0:
        return cycle.near(now - timedelta(microseconds=1), -1)
    return next(cycle.spans(now, shift(now, cycle.period, 3)), None)


def relative_count(now: datetime, offset: int, size: Length) -> Span | None:
    """Past two weeks, next 3 days."""
    if offset == 0:
        return None
    whole = size.seconds == 0
    today = floor(now, "day") if whole else now
    if offset < 0:
        return Span(size.after(today, -1), today, size.grain)
    start = today + timedelta(days=1) if whole else today
    return Span(start, size.after(start), size.grain)


def day_offset(now: datetime, offset: int) -> Span:
    """Yesterday, tomorrow."""
    return unit(now, "day", offset)


def ago(now: datetime, size: Length) -> Span | None:
    """Three weeks ago: a day, or a moment where the length has hours."""
    return _point(now, size, -1)


def ahead(now: datetime, size: Length) -> Span | None:
    """In three weeks."""
    return _point(now, size, 1)


def _point(now: datetime, size: Length, sign: int) -> Span:
    moment = size.after(now, sign)
    grain = "day" if size.seconds == 0 else finer(size.grain, "hour")
    return unit(moment, "day") if grain == "day" else Span(moment, shift(moment, grain, 1), grain)


def after_date(_now: datetime, size: Length, date: Value) -> Value | None:
    """Two days after Friday."""
    return lift(date, lambda span: None if span.begin is None else _point(span.begin, size, 1))


def before_date(_now: datetime, size: Length, date: Value) -> Value | None:
    """Two days before Friday."""
    return lift(date, lambda span: None if span.begin is None else _point(span.begin, size, -1))


def count_unit(_now: datetime, count: float, grain: str) -> Length | None:
    """Three weeks."""
    return length(count, grain)


def sum_lengths(_now: datetime, *sizes: Length) -> Length:
    """Two hours and ten minutes."""
    total = sizes[0]
    for size in sizes[1:]:
        total += size
    return total


def clock_text(_now: datetime, text: str) -> Clock:
    """10:30, 10:30:15."""
    parts = [int(part) for part in text.replace(".", ":").split(":")]
    hour, minute, *rest = parts
    second = rest[0] if rest else 0
    datetime(2000, 1, 1, hour % 24, minute, second)  # noqa: DTZ001  # refuses 10:75
    if hour > 24:
        raise ValueError(text)
    padded = len(text.replace(".", ":").split(":")[0]) == 2 and hour < 10
    return Clock(hour % 24, minute, second, "second" if rest else "minute", open=0 < hour <= 12 and not padded)


def clock_hour(_now: datetime, hour: int) -> Clock | None:
    """At 7."""
    return Clock(hour % 24, open=0 < hour <= 12) if 0 <= hour <= 24 else None


def clock_meridiem(_now: datetime, clock: Clock | int, afternoon: bool) -> Clock | None:
    """7 pm."""
    clock = Clock(clock) if isinstance(clock, int) else clock
    return clock.turn(afternoon=afternoon) if 0 <= clock.hour <= 23 else None


def clock_part(_now: datetime, clock: Clock, part: Part) -> Clock:
    """8 in the evening."""
    afternoon = part.begin >= 12 and not (part.begin >= 18 and (clock.hour < 5 or clock.hour == 12))
    return clock.turn(afternoon=afternoon) if clock.open else clock


def part_clock(now: datetime, part: Part, clock: Clock) -> Clock:
    """In the evening at 8."""
    return clock_part(now, clock, part)


def on_day(_now: datetime, date: Value, time: Clock | Part) -> Value | None:
    """Friday at noon, Friday morning."""
    return lift(date, time.on)


def on_day_swapped(_now: datetime, time: Clock | Part, date: Value) -> Value | None:
    """Noon on Friday."""
    return lift(date, time.on)


def daily(_now: datetime, time: Clock | Part) -> Value:
    """A time of any day."""
    return Cycle("day", lambda start: time.on(unit(start, "day")))


def inside(_now: datetime, value: Value, outer: Value) -> Value | None:
    """March of next year, Friday next week."""
    return within(value, outer)


def inside_swapped(_now: datetime, outer: Value, value: Value) -> Value | None:
    """Next week on Friday."""
    return within(value, outer)


def nth_inside(_now: datetime, nth: int, value: Value, outer: Value) -> Value | None:
    """The first Friday of March; -1: the last."""
    return within(value, outer, nth)


def between(_now: datetime, first: Value, second: Value) -> Value | None:
    """From Monday to Friday: from the start of the first to the end of the second."""
    if isinstance(first, Cycle):
        return first.map(lambda span: _span_to(span, second))
    return _span_to(first, second)


def _span_to(first: Span, second: Value) -> Span | None:
    if first.begin is None:
        return None
    if isinstance(second, Cycle):
        found = next(second.spans(first.begin, shift(first.begin, second.period, 3)), None)
    else:
        found = second
    if found is None or found.until is None or found.until <= first.begin:
        return None
    return Span(first.begin, found.until, finer(first.grain, found.grain))


def since(now: datetime, value: Value) -> Span | None:
    """Since 2019: from its start."""
    span = value.near(now, -1) if isinstance(value, Cycle) else value
    return None if span is None else Span(span.begin, None, span.grain)


def until(now: datetime, value: Value) -> Value | None:
    """Until Friday: to its end."""
    span = value.near(now, 1) if isinstance(value, Cycle) else value
    return None if span is None else Span(None, span.until, span.grain)


def before(_now: datetime, value: Value) -> Value | None:
    """Before March: up to its start."""
    return lift(value, lambda span: Span(None, span.begin, span.grain))


def after(_now: datetime, value: Value) -> Value | None:
    """After March: from its end."""
    return lift(value, lambda span: Span(span.until, None, span.grain))


def share(begin: float, until: float) -> Callable[..., Any]:
    """A function that takes part of a span, by fractions: early, late, the end of."""

    def cut(span: Span) -> Span | None:
        if span.begin is None or span.until is None:
            return None
        whole = span.until - span.begin
        first, last_ = span.begin + whole * begin, span.begin + whole * until
        if span.grain in {"week", "weekend", "month", "quarter", "season", "half", "year", "decade"}:
            first, last_ = floor(first, "day"), floor(last_, "day")
        return Span(first, last_, span.grain)

    return lambda _now, value: lift(value, cut)


def cut(now: datetime, take: Callable[..., Any], value: Value) -> Value | None:
    """Early March, the end of the week: `take` is what `share` made."""
    found: Value | None = take(now, value)
    return found


def add(_now: datetime, tens: int, ones: int) -> int | None:
    """Twenty two."""
    return tens + ones if ones < 10 else None


def clock_text_meridiem(now: datetime, text: str, afternoon: bool) -> Clock | None:
    """7:30 pm."""
    return clock_meridiem(now, clock_text(now, text), afternoon)


def iso(_now: datetime, text: str) -> Span:
    """2024-05-03T10:15:00; an offset moves it to the wall clock of the reference time when it is written out."""
    moment = datetime.fromisoformat(text).replace(tzinfo=None)
    return Span(moment, shift(moment, "second", 1), "second")


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.replace("/", "-").replace(".", "-").split("-")]


def numeric(*, day_first: bool) -> Callable[..., Any]:
    """A function that reads 3/5/2024 and 3/5 in the local order, and in the other order where only that is a date."""

    def read(_now: datetime, text: str) -> Value | None:
        parts = _numbers(text)
        year = None
        if len(parts) == 3:
            if parts[0] > 31:
                return day_of(parts[1], parts[2], parts[0])
            year = parts.pop()
        month_, day = reversed(parts) if day_first else parts
        if month_ > 12:
            month_, day = day, month_
        return day_of(month_, day, year)

    return read


def year_month_text(_now: datetime, text: str) -> Value:
    """2024-05, 5/2024."""
    first, second = _numbers(text)
    return month(_now, *((second, first) if first > 12 else (first, second)))


def nth_unit(_now: datetime, nth: int, grain: str, year: int | None = None) -> Value | None:
    """The third quarter of 2016."""
    if grain == "quarter":
        return _slice(nth, 3, "quarter", year)
    return None


def weekday_date(_now: datetime, number: int, date: Value) -> Value:
    """Friday the 13th: the date, where it is such a weekday."""
    if isinstance(date, Span):
        return date
    return date.map(lambda span: span if span.begin is not None and span.begin.weekday() == number else None)


def relative_some(now: datetime, offset: int, count: float, grain: str) -> Span | None:
    """Past two weeks, last few days."""
    size = length(count, grain)
    return None if size is None else relative_count(now, offset, size)


def this_unit(now: datetime, grain: str) -> Span:
    """The week."""
    return relative_unit(now, 0, grain)


def relative_month(now: datetime, offset: int, number: int) -> Value | None:
    """Last March."""
    return relative_cycle(now, offset, month(now, number))


def relative_weekday(now: datetime, offset: int, number: int) -> Value | None:
    """Next Friday."""
    return relative_cycle(now, offset, weekday(now, number))


def of_year(_now: datetime, value: Value, number: int) -> Value | None:
    """Summer 2016."""
    return within(value, year_span(number))


def half_unit(_now: datetime, grain: str) -> Length | None:
    """Half an hour."""
    return length(0.5, grain)


def one_unit(_now: datetime, grain: str) -> Length | None:
    """An hour."""
    return length(1, grain)


def relative_part(now: datetime, offset: int, part: Part) -> Value | None:
    """This morning, last night."""
    return part.on(unit(now, "day", offset))


def relative_tonight(now: datetime, part: Part) -> Value | None:
    """Tonight."""
    return part.on(unit(now, "day"))
