"""The rules all packs share, over kinds of words: only numbers, names and word order are a language's own.

They stand in the order in which they are applied: clocks, dates, lengths, periods, hours, repetitions, dates with times,
ranges. Glue kinds (in, on, of, the, ...) carry no value.
"""

from collections.abc import Mapping
from types import MappingProxyType

from memstrata.core.temporal import actions as do
from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import spans as of
from memstrata.core.temporal.cascade import Rule

#: Names that stand for any of several kinds in a pattern.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "count": "small two_digits four year",
        "units": "unit weekend",
        "day_number": "small ordinal nth",
        "any_ordinal": "ordinal nth",
        "value": "date period stamp range present",
        "point": "date period stamp range present time",
    }
)

CLOCKS: list[Rule] = [
    ("half_past small", "time", at.offset_clock(30)),
    ("quarter_past small", "time", at.offset_clock(15)),
    ("quarter_to small", "time", at.offset_clock(15, sign=-1)),
    ("small oclock", "time", at.clock_hour),
    ("time oclock", "time", do.same),
    ("clock dot? meridiem", "time", at.clock_meridiem),
    ("decimal meridiem", "time", at.clock_meridiem),
    ("(?<=at) decimal (?! unit)", "time", at.clock_text),
    ("clock_letter", "time", at.clock_letter),
    ("clock", "time", at.clock_text),
    ("digits_clock meridiem?", "time", at.clock_digits),
    ("four meridiem", "time", at.clock_digits),
    ("small dot? meridiem", "time", at.clock_meridiem),
    ("time meridiem", "time", at.clock_meridiem),
    ("small dash? ish", "time", at.clock_hour),
    ("small? noon", "time", do.last),
    ("(time [in at of comma]? | small [in at of]) the? part", "time", at.clock_part),
    (
        "(?<![rel weekday dayword every]) ((in | on)? the?)? part at? [time small] (?! (unit | month | [to until dash] | other | meridiem))",
        "time",
        at.part_clock,
    ),
    ("small (minutes_past | past) [small time]", "time", at.offset_clock()),
    ("small minutes_to [small time]", "time", at.offset_clock(sign=-1)),
    ("(?<=[part dayword weekday] at) small (?! [unit month slash])", "time", at.clock_hour),
    ("(?<=at) small (?! ([unit month slash other] | [dash comma] [small other]))", "time", at.clock_hour),
    ("(?<=at) small (?= dash [small time])", "time", at.clock_hour),
]

DATES: list[Rule] = [
    ("iso", "instant", do.iso),
    ("date8", "date", do.date8),
    ("yearmonth", "period", do.year_month_text),
    ("the? [decade4 decades] | the decade2 | (?<=in) decade2", "period", do.decade),
    ("(weekday comma?)? month small time year", "stamp", at.month_day_time),
    (
        "[from between] the? [day_number] [to until dash and] month [day_number] (comma? year)?",
        "range",
        of.day_to_month_day,
    ),
    ("compact", "length", do.compact),
    (
        "from? the? [day_number] ([to until dash] | and) the? [day_number] of? month (?! [small nth]) ((comma | of | in)? year)?",
        "range",
        of.days_of_month,
    ),
    (
        "between the? [day_number] and the? [day_number] of? month (?! [small nth]) ((comma | of | in)? year)?",
        "range",
        of.days_of_month,
    ),
    (
        "[from between]? month dot? the? [day_number] ([to until dash]) the? [day_number] (?! [month of]) ((comma | of | in)? year)?",
        "range",
        of.month_days,
    ),
    ("[from between]? year [to until dash] year (?! unit)", "range", of.years),
    ("between year and year (?! unit)", "range", of.years),
    ("year [comma slash dash]? month [slash dash]? [day_number]", "date", do.year_month_day),
    ("month dash year dash small", "date", do.month_year_day),
    (
        "month [dot dash slash comma]? the? [day_number] ([comma dash slash] | comma? (of | in) | comma? the)? year",
        "date",
        do.month_day,
    ),
    (
        "the? [day_number] [dash slash dot]? of? month (([comma dash slash dot] | comma? (of | in))? year | (of | apostrophe) two_digits)",
        "date",
        do.day_month,
    ),
    ("month [dot dash slash comma]? the? [day_number] (?! meridiem)", "date", do.month_day),
    ("the? [day_number] [dash slash dot]? of? month", "date", do.day_month),
    ("month [dot comma slash dash]? (of | in)? (the)? year", "period", do.month),
    ("month [dash dot comma]? small (?! [unit other]) | (?<!to) [small nth] dot? of? month", "impossible", do.repeated),
    ("year [comma slash dash]? month", "period", do.year_month),
    ("small [slash dash] year | year [slash dash] small", "period", do.number_month),
    ("month (of | apostrophe)? two_digits", "period", do.month),
    ("q small [comma dash slash]? of? (the)? year", "period", do.quarter),
    ("year [comma dash slash]? q small", "period", do.year_quarter),
    ("q small", "period", do.quarter),
    ("h small year", "period", do.half_year_of),
    ("the? [any_ordinal] dash? unit (of | in | comma)? year", "period", of.nth_unit_of_year),
    ("dayword", "date", do.day_offset),
    ("the? weekday comma? (the | dash)? date | date [comma dash] weekday", "date", do.weekday_date),
    ("weekday meridiem", "daypart", at.day_meridiem),
    ("weekday comma? the [day_number]", "date", do.weekday_monthly),
    ("weekday comma? nth", "date", do.weekday_monthly),
    ("weekday small (?! [to until dash unit time clock meridiem])", "date", do.weekday_monthly),
    (
        "(?<=[on for by until since before after from of]) the [day_number] (?! [unit weekday other])",
        "date",
        do.monthly,
    ),
    ("the nth (?! [unit weekday other])", "date", do.monthly),
    ("(?<=on) [small nth] (?! [unit weekday other slash])", "date", do.monthly),
    ("holiday (of | in)? year", "date", of.of_year),
]

LENGTHS: list[Rule] = [
    ("once (a | per | every) unit | small times (a | per | every) unit", "set", do.repeated),
    ("half (a | of)? unit", "length", do.half_unit),
    ("[count decimal] dash? [unit nights h]", "length", do.count_unit),
    ("a? some of? [unit nights]", "length", do.count_unit),
    ("a dash? unit", "length", do.one_unit),
    ("whole (the | dash)? unit", "length", do.one_unit),
    ("length and a? half", "length", do.and_half_unit),
    ("length ((comma | and)? length){1,4}", "length", do.sum_lengths),
    ("than length | length long", "length", do.same),
    ("every other? [units weekday part month season weekdays holiday length]", "set", do.repeated),
    ("every [any_ordinal] [units weekday]", "set", do.repeated),
    (
        "often | [every whole] weekdays | every [count]? [weekdays units] | on? weekdays | ((in | on) the?)? parts",
        "set",
        do.repeated,
    ),
]

PERIODS: list[Rule] = [
    ("now", "present", at.present),
    ("length ago | before_now length", "date", do.ago),
    ("within the? rel? length", "range", do.within_length),
    ("the? [any_ordinal rel] length (of | in) the? (?= [period month year unit rel])", "ends", do.pair),
    ("rel length", "range", do.relative_length),
    ("[count] rel unit", "range", do.count_relative),
    ("in length (?! [from after before])", "date", do.ahead),
    ("length (hence | later)", "date", do.ahead),
    ("rel month", "period", do.relative_month),
    ("rel [season holiday]", "period", do.relative_cycle),
    ("the? season (of | in)? year", "period", of.of_year),
    ("[from between]? month [to until dash and] month year", "range", of.months),
    ("month", "period", do.month),
    ("the? season", "period", do.same),
    (
        "(?<=[in since until before after from during between]) year (?! unit) | (?<=[of by to early edge and dash for not]) year (?! [unit other]) | year (?= onward | [or and] [after later since] (?! [year time date month other]))",
        "period",
        do.year,
    ),
    ("the? unit four", "period", do.unit_number),
    ("the? [any_ordinal] unit", "period", do.century),
    ("the? unit year (?! unit)", "period", do.unit_number),
    ("unit small", "period", do.unit_number),
    ("the? [units] (before | after) the? rel", "period", do.beyond),
    ("the? weekday before rel", "date", do.weekday_beyond),
    ("rel [units] (?! (of | in) the? [period rel])", "period", do.relative_unit),
    ("(?<=[of edge rest]) the unit | (?<=[in for during]) the unit (?! [other of])", "period", do.this_unit),
    ("the? [units] rel", "period", do.relative_unit_swapped),
    ("the? weekend", "period", do.this_unit),
    ("edge of unit", "range", of.cut_unit),
    ("the? [any_ordinal rel] weekday part (of | in | on) the? period", "stamp", at.nth_part_inside),
    ("weekday part (of | in | on | comma)? the? period", "stamp", at.weekday_part_inside),
    ("the? [any_ordinal rel] weekday (of | in | on) the? period", "date", of.nth_inside),
    ("the? [any_ordinal] weekday period", "date", of.nth_inside),
    ("the? [any_ordinal] weekday", "date", of.nth_this_month),
    ("the? [any_ordinal rel] dash? [units] (of | in)? the? period", "period", of.nth_unit),
    ("the? period possessive [any_ordinal] dash? [units]", "period", of.nth_unit_swapped),
    ("ends [period]", "range", of.ends_of),
    ("from? [day_number] [to until dash] [day_number] (of | in)? period", "range", of.days_of_this),
    ("the? [day_number] of period", "date", of.day_of_this),
    ("rel [units]", "period", do.relative_unit),
    ("beyond [units]", "period", do.beyond_unit),
    ("the? weekday rel", "date", do.relative_weekday_swapped),
    ("the? [period season holiday] rel", "period", do.relative_cycle_swapped),
    ("rel date", "date", do.relative_cycle),
    ("rel weekday", "date", do.relative_weekday),
    ("weekday (comma | on | of | in)? the? period", "date", of.weekday_in_week),
    ("period (comma | on)? weekday", "date", of.weekday_in_week_swapped),
    ("weekday", "date", do.any_weekday),
    ("period (of | in | comma)? the? period", "period", of.either_inside),
    ("[date holiday] (of | in | comma)? the? period", "date", of.inside),
    ("the? unit (of | starting) the? [date period holiday]", "period", of.unit_of),
    ("the? [units] before the? [date period holiday]", "period", of.unit_before),
    ("the? [units] after the? [date period holiday]", "period", of.unit_after),
    ("in? length (from | after) the? [date period holiday]", "date", do.after_date),
    ("length before the? [date period holiday]", "date", do.before_date),
    ("edge (of the? [period date] | period)", "range", of.cut),
    ("early dash? the? period", "range", of.cut),
    ("early dash? the? part", "cut_part", at.cut_part),
    ("earlier (in? [period date] | in? the unit)", "range", of.so_far),
    ("later (in? [period date] | in? the unit)", "range", of.rest),
    ("rest [the my]? [period date unit]", "range", of.rest),
    ("dayparts", "daypart", at.named_part),
]

SETS: list[Rule] = [
    ("[time hours] comma? (on | in)? set", "set", do.last),
    ("the? [day_number] of set", "set", do.last),
    ("set (comma | at | in | from | on)* the? [time hours part cut_part]", "set", do.same),
]

PARTS: list[Rule] = [
    ("in? the [part cut_part] | [in at on] part | cut_part | mid_part", "stamp", at.daily),
]

#: Times of day and stretches of them.
HOURS: list[Rule] = [
    ("(?<!rel) part (from | between) (time | small) (to | until | dash | and) (time | small)", "hours", at.part_hours),
    ("[from between]? time [to until dash and] time", "hours", at.hours),
    ("[from between]? time [to until dash] small (?! [unit month other])", "hours", at.hours),
    ("[from between]? small [to until dash] time", "hours", at.hours),
    ("between small and time", "hours", at.hours),
    ("between time and small", "hours", at.hours),
    ("from? time for length", "hours", at.hours_for),
    ("part (comma | at)? hours", "hours", do.last),
    ("hours (in | comma)? the? part", "hours", at.hours_part),
    ("[before by until] [around about]? [time meal]", "hours", at.hours_before),
    ("[after since] [around about]? [time meal]", "hours", at.hours_after),
    ("time [or and] [later after] (?! [time date year month other])", "hours", at.hours_after),
    ("[around about] time", "time", do.same),
]

#: Dates with times of day, in either order.
DAYS: list[Rule] = [
    ("holiday", "date", do.same),
    ("rel [part cut_part]", "daypart", at.relative_part),
    ("date (comma | dash)? (in | on | at)? the? [part cut_part]", "daypart", at.day_part),
    ("in? the? [part cut_part mid_part] (comma | of | on | in)? date", "daypart", at.day_part_swapped),
    (
        "date (comma | at | dash | by | for | around)? (comma | at | around | by | for)? (time | hours)",
        "stamp",
        at.on_any,
    ),
    ("daypart (comma | at | dash | by | around)? (at | around | by)? (time | hours)", "stamp", at.on_any),
    ("(time | hours) (comma | on | of | in | for | dash)? the? date", "stamp", at.on_any_swapped),
    ("(time | hours) (comma | on | of | in | for | dash)? daypart", "stamp", at.on_any_swapped),
    (
        "(from | between)? small (to | until | dash | and) small (comma | on | of | in)? date",
        "stamp",
        at.small_hours_swapped,
    ),
    (
        "(from | between)? small (to | until | dash | and) small (comma | on | of | in)? daypart",
        "stamp",
        at.small_hours_swapped,
    ),
    ("date comma? (from | between)? small (to | until | dash | and) small", "stamp", at.small_hours),
    ("daypart comma? (from | between)? small (to | until | dash | and) small", "stamp", at.small_hours),
    ("daypart", "stamp", at.resolve_part),
    ("hours", "range", at.daily),
]

#: Stretches from one date to another, and open ones.
RANGES: list[Rule] = [
    ("from the? [value] [to until dash] the? [value]", "range", of.between),
    ("between the? [value] [and to until dash] the? [value]", "range", of.between),
    ("[value] [to until dash] the? [value]", "range", of.between),
    ("since around? the? [point]", "range", of.since),
    ("until around? the? [point]", "range", of.until),
    ("by around? the? [point]", "range", of.until),
    ("[before before_now] around? the? [point]", "range", of.before),
    ("after around? the? [point]", "range", of.after),
    ("period comma? range", "range", of.range_inside),
    ("[value] (onward | [or and] [after later since] (?! [value time other]))", "range", of.since),
    ("length comma? starting the? [value]", "range", do.length_from),
    ("for length comma? from the? [value]", "range", do.length_from),
    ("around? time", "stamp", at.daily),
    ("around [date period stamp]", "stamp", do.same),
]


def rules(*own: Rule, day_first: bool) -> list[Rule]:
    """A language's own rules followed by the shared ones; `day_first` is its order of numeric dates."""
    read = do.numeric(day_first=day_first)
    numeric: list[Rule] = [("date3", "date", read), ("date2 comma? year", "date", read), ("date2", "date", read)]
    return [*own, *CLOCKS, *numeric, *DATES, *LENGTHS, *PERIODS, *HOURS, *SETS, *DAYS, *PARTS, *RANGES]
