"""Days, months and larger periods, by the calendar or relative to the reference time, as rule functions.

A function that returns None declines and leaves the marks unchanged. A date that does not exist raises `ValueError`,
which the engine also treats as declining.
"""

from datetime import datetime, timedelta
from typing import Any

from memoranda.core.temporal.calendar import (
    Cycle,
    Length,
    Span,
    Value,
    add_months,
    easter,
    floor,
    length,
    lift,
    nth_within,
    shift,
    unit,
    within,
)

# Days


def year_span(year_: int) -> Span:
    """A calendar year."""
    return unit(_day(year_, 1, 1), "year")


def full_year(number: int) -> int:
    """A year from two digits: 1950 to 2049."""
    return number if number >= 100 else number + (2000 if number < 50 else 1900)


def _day(year_: int, month_: int, day: int) -> datetime:
    return datetime(year_, month_, day)  # noqa: DTZ001  # wall-clock time, see `calendar`


def day_of(month_: int, day: int, year_: int | None = None) -> Value:
    """A day of a month: of one year, or of every year."""
    if year_ is not None:
        return unit(_day(full_year(year_), month_, day), "day")
    _day(2000, month_, day)  # refuses the 31st of a short month

    def build(start: datetime) -> Span | None:
        return _try_day(start, month_, day)

    return Cycle("year", build)


def _try_day(start: datetime, month_: int, day: int) -> Span | None:
    try:
        return unit(start.replace(month=month_, day=day), "day")
    except ValueError:
        return None


def month_day(_now: datetime, month_: int, day: int, year_: int | None = None) -> Value:
    """May 5, May 5 2024."""
    return day_of(month_, day, year_)


def monthly(_now: datetime, day: int) -> Cycle:
    """The 27th."""
    unit(_day(2000, 1, day), "day")  # refuses the 32nd
    return Cycle("month", lambda start: _try_day(start, start.month, day))


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.replace("/", "-").replace(".", "-").split("-")]


def numeric_day_first(_now: datetime, text: str, year_: int | None = None) -> Value:
    """31/5/2024 and 31/5; a month above 12 is the day."""
    return _numeric(text, year_, day_first=True)


def numeric_month_first(_now: datetime, text: str, year_: int | None = None) -> Value:
    """5/31/2024 and 5/31; a month above 12 is the day."""
    return _numeric(text, year_, day_first=False)


def _numeric(text: str, year_: int | None, *, day_first: bool) -> Value:
    parts = _numbers(text)
    if len(parts) == 3:
        if parts[0] > 31:
            return day_of(parts[1], parts[2], parts[0])
        year_ = parts.pop()
    month_, day = reversed(parts) if day_first else parts
    return day_of(day, month_, year_) if month_ > 12 else day_of(month_, day, year_)


def date8(_now: datetime, text: str) -> Value:
    """20240503."""
    return day_of(int(text[4:6]), int(text[6:]), int(text[:4]))


def decimal_date(_now: datetime, text: str) -> Value:
    """3.5., read as a day and a month."""
    day, month_ = (int(part) for part in text.split("."))
    return day_of(month_, day)


def iso(_now: datetime, text: str) -> Span:
    """2024-05-03T10:15:00Z: an instant if it has an offset, else wall-clock time."""
    moment = datetime.fromisoformat(text)
    return Span(moment, moment + timedelta(seconds=1), "second")


def nth_weekday(month_: int, number: int, nth: int, later: int = 0) -> Value:
    """A holiday on the nth such weekday of a month (-1: the last), or some days later."""

    def build(start: datetime) -> Span | None:
        found = nth_within(weekday(number), unit(add_months(start, month_ - 1), "month"), nth)
        return found and unit(found.begin, "day", later)

    return Cycle("year", build)


def from_easter(days: int) -> Value:
    """A holiday the given number of days from Easter Sunday."""
    return Cycle("year", lambda start: unit(easter(start.year), "day", days))


def weekday(number: int) -> Cycle:
    """A day of every week."""
    return Cycle("week", lambda start: unit(start + timedelta(days=number), "day"))


def repeated(_now: datetime, *values: Any) -> Any:
    """Every Monday: the day of every week, or the one unit named; of anything else only the fact that it repeats."""
    if len(values) != 1 or isinstance(values[0], bool | float):
        return True
    return weekday(values[0]) if isinstance(values[0], int) and values[0] < 7 else values[0]


def day_of_set(now: datetime, day: Any, repeats: Any) -> Any:
    """The fifteenth of every month, 5 May of every year."""
    found = monthly(now, day) if isinstance(day, int) else day
    return found if isinstance(found, Cycle) and found.period == repeats else repeats


def any_weekday(_now: datetime, number: int) -> Cycle:
    """Friday."""
    return weekday(number)


def weekday_date(now: datetime, *values: Any) -> Value:
    """Friday, 13 May: the date in the years in which it is that weekday, unless no nearby year has it."""
    number, date = values if isinstance(values[0], int) else (values[1], values[0])
    if isinstance(date, Span):
        return date
    years = range(now.year - 1, now.year + 2)
    narrowed: Cycle = date.map(
        lambda span: span if span.begin.weekday() == number and span.begin.year in years else None
    )
    start = floor(now, date.period)
    nearby = date.period == "month" or any(narrowed.build(shift(start, date.period, step)) for step in (-1, 0, 1))
    return narrowed if nearby else date


def weekday_monthly(now: datetime, number: int, day: int) -> Value:
    """Friday the 13th."""
    return weekday_date(now, number, monthly(now, day))


# Months and larger


def month(_now: datetime, number: int, year_: int | None = None) -> Value:
    """May; May 2024."""
    if year_ is not None:
        return unit(_day(full_year(year_), number, 1), "month")
    return Cycle("year", lambda start: unit(add_months(start, number - 1), "month"))


def number_month(now: datetime, first: int, second: int) -> Value | None:
    """11/2016, 2016-11."""
    number, year_ = sorted((first, second))
    return month(now, number, year_) if 1 <= number <= 12 else None


def year_month_text(now: datetime, text: str) -> Value | None:
    """2024-05, 5/2024."""
    return number_month(now, *_numbers(text))


def year(_now: datetime, number: int) -> Span:
    """2024."""
    return year_span(number)


def decade(now: datetime, said: int | str) -> Span | None:
    """The 1990s, the 90s, the nineties: the latest such decade that has begun."""
    number = said if isinstance(said, int) else int("".join(char for char in said if char.isdigit()))
    if number < 100:
        number += now.year // 100 * 100
        number -= 100 if number > now.year else 0
    return unit(_day(number, 1, 1), "decade")


def century(_now: datetime, nth: int, grain: str) -> Span | None:
    """The 21st century."""
    if grain != "century":
        return None
    return unit(_day(max(1, (nth - 1) * 100), 1, 1), "century")


def season(first: int) -> Value:
    """Three months from a first one, in every year."""
    return Cycle("year", lambda start: Span(add_months(start, first - 1), add_months(start, first + 2), "season"))


def quarter(_now: datetime, number: int, year_: int | None = None) -> Value | None:
    """Q3; Q3 2025."""
    return _slice(number, 3, "quarter", year_)


def half_year(_now: datetime, number: int, year_: int | None = None) -> Value | None:
    """H1 2025."""
    return _slice(number, 6, "half", year_)


def _slice(number: int, size: int, grain: str, year_: int | None) -> Value | None:
    if not 1 <= number <= 12 // size:
        return None
    cycle = Cycle("year", lambda start: unit(add_months(start, (number - 1) * size), grain))
    return cycle if year_ is None else cycle.build(_day(full_year(year_), 1, 1))


def unit_number(_now: datetime, grain: str, number: int, year_: int | None = None) -> Value | None:
    """Week 10; week 10 of 2024; year 247."""
    if grain == "year" and year_ is None:
        return year_span(number)
    if grain != "week" or not 1 <= number <= 53:
        return None
    cycle = Cycle("year", lambda start: _week(start, number))
    return cycle if year_ is None else cycle.build(_day(full_year(year_), 1, 1))


def _week(start: datetime, number: int) -> Span:
    return unit(start.replace(day=4), "week", number - 1)


# Relative to the reference time


def relative_unit(now: datetime, offset: int, grain: str) -> Span:
    """Last week, the year, next month; an hour before or after starts or ends now."""
    offset = max(-1, min(1, offset))
    if grain in {"second", "minute", "hour"}:
        begin = shift(now, grain, min(offset, 0))
        return Span(begin, shift(begin, grain, 1), grain)
    if grain == "fortnight":
        return relative_length(now, offset, Length(days=14, grain="fortnight")) or unit(now, "fortnight")
    return unit(now, grain, offset)


def beyond(now: datetime, grain: str, offset: int) -> Span:
    """The weekend before last, the year after next."""
    return unit(now, grain, 2 * max(-1, min(1, offset)))


def weekday_beyond(now: datetime, number: int, offset: int) -> Value | None:
    """The Friday before last."""
    return within(weekday(number), unit(now, "week", 2 * max(-1, min(1, offset))))


def relative_cycle(now: datetime, offset: int, value: Value) -> Value | None:
    """Last Christmas, this March, next summer."""
    if not isinstance(value, Cycle):
        return None
    if offset == 0:
        return within(value, unit(now, value.period))
    if offset > 0:
        return next(value.spans(now, shift(now, value.period, 6)), None)
    return value.near(floor(now, "day") - timedelta(days=1), -1, over=True)


def relative_month(now: datetime, offset: int, number: int) -> Value | None:
    """Last March."""
    return relative_cycle(now, offset, month(now, number))


def relative_month_other(now: datetime, offset: int, number: int) -> Value | None:
    """Last May we went; but "this may take long" names no month."""
    return relative_month(now, offset, number) if offset else None


def relative_weekday(now: datetime, offset: int, number: int) -> Value | None:
    """Next Friday is in the next week; last Friday the latest before yesterday; a coming or past one the nearest."""
    today = floor(now, "day")
    if offset in {0, 1}:
        return within(weekday(number), unit(now, "week", offset))
    days = (number - today.weekday() - 1) % 7 + 1 if offset > 0 else -((today.weekday() - number - 1) % 7 + 1)
    return unit(today, "day", days - 7 if offset == -1 and days == -1 else days)


def weekday_ahead(now: datetime, number: int, size: Length | str) -> Value | None:
    """Friday in two weeks, Friday week: so long after the next one."""
    weeks = size if isinstance(size, Length) else length(1, size)
    if weeks is None or weeks.months or weeks.seconds or weeks.days % 7:
        return None
    found = weekday(number).near(now, 1)
    return unit(found.begin + timedelta(days=weeks.days), "day") if isinstance(found, Span) else None


def weekday_on(now: datetime, *values: Any) -> Value | None:
    """A week on Friday, two weeks on Friday."""
    *count, grain, number = values
    size = length(count[0] if count else 1, grain)
    return None if size is None else weekday_ahead(now, number, size)


def relative_length(now: datetime, offset: int, size: Length) -> Span | None:
    """Past two weeks, next 3 days; quarters and larger are whole calendar units."""
    if offset == 0:
        return None
    step = {"quarter": 3, "decade": 120, "century": 1200}.get(size.grain)
    if step is not None and size.months % step == 0:
        first, second = sorted((offset // abs(offset) * size.months // step, 0))
        shifted = 1 if offset > 0 else 0
        begin = unit(now, size.grain, first + shifted).begin
        return Span(begin, unit(now, size.grain, second + shifted).begin, size.grain)
    today = now if size.seconds else floor(now, "day")
    if offset < 0:
        return Span(size.after(today, -1), today, size.grain)
    start = today if size.seconds else today + timedelta(days=1)
    return Span(start, size.after(start), size.grain)


def count_relative(now: datetime, count: float, offset: int, grain: str) -> Span | None:
    """Two past weeks."""
    size = length(count, grain) if count > 1 else None
    return None if size is None else relative_length(now, offset, size)


def units_ago(now: datetime, count: int, grain: str) -> Span:
    """Two weekends ago."""
    return unit(now, grain, -count)


def within_length(now: datetime, *values: Any) -> Span:
    """Within three days, within the next three days."""
    size = values[-1]
    past = isinstance(values[0], int) and values[0] < 0
    start = now if size.seconds else floor(now, "day")
    return Span(size.after(start, -1), start, size.grain) if past else Span(start, size.after(start), size.grain)


def ago(now: datetime, size: Length) -> Span:
    """Three weeks ago: a day, or a moment if the length has hours."""
    return _point(now, size, -1)


def ahead(now: datetime, size: Length) -> Span:
    """In three weeks."""
    return _point(now, size, 1)


def _point(now: datetime, size: Length, sign: int) -> Span:
    moment = size.after(now, sign)
    if size.seconds == 0:
        return unit(moment, "day")
    return Span(moment, shift(moment, size.grain, 1), size.grain)


def after_date(_now: datetime, size: Length, date: Value) -> Value | None:
    """Two days after Friday."""
    return lift(date, lambda span: _point(span.begin, size, 1))


def before_date(_now: datetime, size: Length, date: Value) -> Value | None:
    """Two days before Friday."""
    return lift(date, lambda span: _point(span.begin, size, -1))


def length_from(_now: datetime, size: Length, date: Value) -> Value | None:
    """Three days starting tomorrow."""
    return lift(date, lambda span: Span(span.begin, size.after(span.begin), size.grain))
