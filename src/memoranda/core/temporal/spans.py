"""What rules make of two dates: one inside another, ranges, before and after, and parts of one."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from memoranda.core.temporal.calendar import (
    Cycle,
    Length,
    Open,
    Span,
    Value,
    cut,
    finer,
    floor,
    lift,
    shift,
    unit,
    within,
)
from memoranda.core.temporal.dates import day_of, monthly, weekday, year_span


def inside(_now: datetime, value: Value, outer: Value) -> Value | None:
    """March of next year, Christmas of last year."""
    fits = isinstance(outer, Span) and outer.grain in {"year", "month", "decade"}
    return within(value, outer) if isinstance(value, Cycle) and fits else None


def either_inside(now: datetime, first: Value, second: Value) -> Value | None:
    """June next year; last year in June."""
    return inside(now, first, second) or inside(now, second, first)


def of_year(_now: datetime, value: Value, number: int) -> Value | None:
    """Summer 2016, Easter 2018."""
    return value.build(year_span(number).begin) if isinstance(value, Cycle) else None


def weekday_in_week(_now: datetime, number: int, outer: Value) -> Value | None:
    """Friday of next week."""
    fits = isinstance(outer, Span) and outer.grain in {"week", "weekend"}
    return within(weekday(number), outer) if fits else None


def weekday_of_week(now: datetime, offset: int, number: int) -> Value | None:
    """Last, this or next week's Friday."""
    return within(weekday(number), unit(now, "week", max(-1, min(1, offset))))


def nth_inside(_now: datetime, nth: int, number: int, outer: Value) -> Value | None:
    """The first Friday of March; -1 for the last."""
    return within(weekday(number), outer, nth) if nth else None


def nth_this_month(now: datetime, nth: int, number: int) -> Value | None:
    """The first Friday, of this month."""
    return within(weekday(number), unit(now, "month"), nth)


def nth_unit(_now: datetime, nth: int, grain: str, outer: Value) -> Value | None:
    """The third quarter of 2016, the last week of December; a week belongs to where its Thursday is."""
    if not nth or grain in {"second", "minute", "hour", "fortnight"}:
        return None
    return lift(outer, lambda span: _nth_unit(nth, grain, span))


def nth_unit_of_year(now: datetime, nth: int, grain: str, year: int) -> Value | None:
    """Third quarter 2025."""
    return nth_unit(now, nth, grain, year_span(year))


def _nth_unit(nth: int, grain: str, outer: Span) -> Span | None:
    lead = timedelta(days=3) if grain == "week" else timedelta(0)
    if nth > 0:
        found = unit(outer.begin, grain)
        if found.begin + lead < outer.begin:
            found = unit(outer.begin, grain, 1)
        found = unit(found.begin, grain, nth - 1)
    else:
        found = unit(outer.until - timedelta(seconds=1), grain)
        if found.begin + lead >= outer.until:
            found = unit(outer.until - timedelta(seconds=1), grain, -1)
        found = unit(found.begin, grain, nth + 1)
    return found if outer.begin <= found.begin + lead < outer.until else None


def unit_of(_now: datetime, grain: str, date: Value) -> Value | None:
    """The week of April 10; not the hour of a day."""
    return lift(date, lambda span: unit(span.begin, grain) if finer(grain, span.grain) == span.grain else None)


def unit_before(_now: datetime, grain: str, date: Value) -> Value | None:
    """The week before Christmas."""
    return lift(date, lambda span: unit(span.begin, grain, -1))


def unit_after(_now: datetime, grain: str, date: Value) -> Value | None:
    """The day after Easter."""
    return lift(date, lambda span: unit(span.until - timedelta(seconds=1), grain, 1))


def between(_now: datetime, first: Value, second: Value) -> Value | None:
    """From Monday to Friday: from the start of the first to the end of the second."""
    if isinstance(first, Cycle) and isinstance(second, Span):
        begin = first.near(second.begin, -1)
        return lift(begin, lambda span: _span_to(span, second))
    return lift(first, lambda span: _span_to(span, second))


def _span_to(first: Span, second: Value) -> Span | None:
    found: Value | None = second
    if isinstance(second, Cycle):
        found = next(second.spans(first.begin, shift(first.begin, second.period, 9)), None)
    if not isinstance(found, Span) or found.until <= first.begin:
        return None
    until = found.begin if found.grain in {"second", "minute", "hour"} else found.until
    return Span(first.begin, until, finer(first.grain, found.grain))


def days_of_month(_now: datetime, first: int, second: int, month_: int, year: int | None = None) -> Value | None:
    """4 to 22 May."""
    return between(_now, day_of(month_, first, year), day_of(month_, second, year)) if first <= second else None


def range_inside(_now: datetime, outer: Value, value: Value) -> Value | None:
    """Next week from Wednesday to Friday."""
    fits = isinstance(outer, Span) and outer.grain == "week"
    return within(value, outer) if fits and isinstance(value, Cycle) and value.period == "week" else None


def days_of_this(now: datetime, first: int, second: int, outer: Value) -> Value | None:
    """From 4 to 22 this month."""
    begin, until_ = day_of_this(now, first, outer), day_of_this(now, second, outer)
    return None if begin is None or until_ is None else between(now, begin, until_)


def day_of_this(now: datetime, day: int, outer: Value) -> Value | None:
    """The 31st of this month."""
    fits = isinstance(outer, Span) and outer.grain == "month"
    return within(monthly(now, day), outer) if fits else None


def since(_now: datetime, value: Value) -> Value | None:
    """Since 2019: from its start."""
    return _leaning(lift(value, lambda span: Open(span.begin, None, span.grain)), -1)


def until(_now: datetime, value: Value) -> Value | None:
    """Until Friday: to its end; until a time of day: to its start."""

    def end(span: Span) -> Open:
        return Open(None, span.begin if span.grain in {"second", "minute", "hour"} else span.until, span.grain)

    return _leaning(lift(value, end), 1)


def _leaning(value: Value | None, leans: int) -> Value | None:
    return replace(value, leans=leans) if isinstance(value, Cycle) else value


def before(_now: datetime, value: Value) -> Value | None:
    """Before March: up to its start."""
    return lift(value, lambda span: Open(None, span.begin, span.grain))


def after(_now: datetime, value: Value) -> Value | None:
    """After March: from its end."""
    return lift(value, lambda span: Open(span.until, None, span.grain))


def cut_span(_now: datetime, share: str, value: Value) -> Value | None:
    """Early March, the end of the week."""
    return lift(value, lambda span: cut(span, share))


def cut_unit(now: datetime, share: str, grain: str) -> Span:
    """End of month, of the current one."""
    return cut(unit(now, grain), share)


def so_far(now: datetime, *values: Any) -> Span | None:
    """Earlier this year: from its start to now."""
    span = _current(now, values[-1])
    if span is None:
        return None
    return Span(span.begin, now if span.grain == "day" else floor(now, "day"), span.grain)


def rest(now: datetime, *values: Any) -> Span | None:
    """Later this year, the rest of the week: from now to its end."""
    span = _current(now, values[-1])
    if span is None:
        return None
    return Span(now if span.grain == "day" else floor(now, "day"), span.until, span.grain)


def _current(now: datetime, said: Value | str) -> Span | None:
    span = unit(now, said) if isinstance(said, str) else said
    return span if isinstance(span, Span) and span.begin <= now < span.until else None


def years(_now: datetime, first: int, second: int) -> Span | None:
    """2014 to 2018."""
    return Span(year_span(first).begin, year_span(second).until, "year") if first < second else None


def ends_of(_now: datetime, chosen: tuple[int, Length], outer: Value) -> Value | None:
    """The last three weeks of this year, the first ten days of June."""
    nth, size = chosen

    def cut_off(span: Span) -> Span:
        if nth > 0:
            return Span(span.begin, size.after(span.begin), size.grain)
        return Span(size.after(span.until, -1), span.until, size.grain)

    return lift(outer, cut_off)


def weekdays(now: datetime, first: int, second: int) -> Value | None:
    """Monday to Friday, given as numbers."""
    return between(now, weekday(first), weekday(second))
