"""Chinese: words, and what Chinese puts differently. Words are not set apart, so the lexicon finds them."""

from datetime import datetime
from functools import cache

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal import spans as of
from memstrata.core.temporal.calendar import Length, Span, Value, length
from memstrata.core.temporal.cascade import Grammar, Rule
from memstrata.core.temporal.packs.rules import GROUPS, rules
from memstrata.core.temporal.packs.words import lexicon


def _tens(_now: datetime, count: int, ten: int, ones: int = 0) -> int:
    return count * ten + ones


def _small(_now: datetime, number: int) -> int | None:
    return number if number <= 31 else None


def _years(_now: datetime, count: int) -> Length | None:
    return length(count, "year")


def _relative_month(now: datetime, offset: int) -> Span:
    return on.relative_unit(now, offset, "month")


def _day_of_named(now: datetime, offset: int, month: int, day: int) -> Value:
    return on.day_of(month, day, now.year + offset)


def _month_of_named(now: datetime, offset: int, month: int) -> Value:
    return on.month(now, month, now.year + offset)


def _named_year(now: datetime, offset: int) -> Span:
    return on.year(now, now.year + offset)


def _weekday_of_week(now: datetime, offset: int, number: int) -> Value | None:
    return of.weekday_in_week(now, number, on.relative_unit(now, offset, "week"))


def _nth_of_year(now: datetime, year: int, nth: int, grain: str) -> Value | None:
    return of.nth_unit_of_year(now, nth, grain, year)


def _of_year(now: datetime, year: int, value: Value) -> Value | None:
    return of.of_year(now, value, year)


def _cut(now: datetime, value: Value, share: str) -> Value | None:
    return of.cut_span(now, share, value)


OWN: list[Rule] = [
    ("digit tens digit?", "two_digits", _tens),
    ("tens digit", "small", num.add),
    ("digit | tens", "small", num.same),
    ("two_digits", "small", _small),
    ("year year_sign small month_sign small day_sign?", "date", on.year_month_day),
    ("named_year small month_sign small day_sign?", "date", _day_of_named),
    ("small month_sign small day_sign?", "date", on.month_day),
    ("small month_sign small day_sign", "impossible", num.repeated),
    ("year year_sign small month_sign", "period", on.year_month),
    ("named_year small month_sign", "period", _month_of_named),
    ("rel month_sign", "period", _relative_month),
    ("small month_sign", "period", on.month),
    ("year year_sign? nth_sign? small unit", "period", _nth_of_year),
    ("year year_sign of? season", "period", _of_year),
    ("year year_sign", "period", on.year),
    ("[count] year_sign", "length", _years),
    ("named_year", "period", _named_year),
    ("rel weekday", "date", _weekday_of_week),
    ("small oclock half", "time", at.spoken_offset(30)),
    ("small oclock small minute_sign?", "time", at.hour_minute),
    ("small oclock", "time", at.clock_hour),
    ("period edge", "range", _cut),
]

#: Ranges from or to a point of any form: what tells which stands behind it.
BEHIND: list[Rule] = [
    ("[point] since_behind", "range", of.since),
    ("[point] ago", "range", of.before),
    ("[point] later", "range", of.after),
]


@cache
def grammar() -> Grammar:
    """The grammar, built when the language is first met."""
    return Grammar(lexicon("zh"), [*rules(*OWN, day_first=False), *BEHIND], GROUPS)
