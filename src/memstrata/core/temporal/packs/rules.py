"""The rules all packs share, over kinds of words: only numbers, names and word order are a language's own.

They stand in the order in which they are applied: clocks, dates, lengths, periods, hours, repetitions, dates with
times, ranges. Glue kinds (in, on, of, the, ...) carry no value.
"""

from collections.abc import Mapping
from types import MappingProxyType

from memstrata.core.temporal import clocks as at
from memstrata.core.temporal import dates as on
from memstrata.core.temporal import quantities as num
from memstrata.core.temporal import spans as of
from memstrata.core.temporal.cascade import Rule

#: Names that stand for any of several kinds in a pattern.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "count": "small two_digits four year",
        "units": "unit weekend",
        "day_number": "small ordinal nth",
        "any_ordinal": "ordinal nth",
        "through": "to until dash",
        "value": "date period stamp range present",
        "point": "date period stamp range present time",
    }
)

_DAY = "[day_number]"
_YEAR = "((comma | of | in)? year)?"

CLOCKS: list[Rule] = [
    ("half_past small", "time", at.offset_clock(30)),
    ("quarter_past small", "time", at.offset_clock(15)),
    ("quarter_to small", "time", at.offset_clock(15, sign=-1)),
    ("small oclock", "time", at.clock_hour),
    ("time oclock", "time", num.same),
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
    ("small? noon", "time", num.last),
    ("(time [in at of comma]? | small [in at of]) the? part", "time", at.clock_part),
    (
        "(?<![rel weekday dayword every]) [in on]? the? part at? [time small] (?! [unit month through other meridiem])",
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
    ("iso", "instant", on.iso),
    ("date8", "date", on.date8),
    ("yearmonth", "period", on.year_month_text),
    ("the? [decade4 decades] | the decade2 | (?<=in) decade2", "period", on.decade),
    ("(weekday comma?)? month small time year", "stamp", at.month_day_time),
    (
        "[from between] the? [day_number] [through and] month [day_number] (comma? year)?",
        "range",
        of.day_to_month_day,
    ),
    ("compact", "length", num.compact),
    (
        f"[from between]? the? {_DAY} [through and] the? {_DAY} of? month (?! [small nth]) {_YEAR}",
        "range",
        of.days_of_month,
    ),
    (f"[from between]? month dot? the? {_DAY} [through] the? {_DAY} (?! [month of]) {_YEAR}", "range", of.month_days),
    ("[from between]? year [through] year (?! unit)", "range", of.years),
    ("between year and year (?! unit)", "range", of.years),
    ("year [comma slash dash]? month [slash dash]? [day_number]", "date", on.year_month_day),
    ("month dash year dash small", "date", on.month_year_day),
    (
        "month [dot dash slash comma]? the? [day_number] ([comma dash slash] | comma? (of | in) | comma? the)? year",
        "date",
        on.month_day,
    ),
    (
        "the? [day_number] [dash slash dot]? of? month ([comma dash slash dot] | comma? [of in])? year",
        "date",
        on.day_month,
    ),
    ("the? [day_number] [dash slash dot]? of? month [of apostrophe] two_digits", "date", on.day_month),
    ("month [dot dash slash comma]? the? [day_number] (?! meridiem)", "date", on.month_day),
    ("the? [day_number] [dash slash dot]? of? month", "date", on.day_month),
    ("month [dot comma slash dash]? (of | in)? (the)? year", "period", on.month),
    (
        "month [dash dot comma]? small (?! [unit other]) | (?<!to) [small nth] dot? of? month",
        "impossible",
        num.repeated,
    ),
    ("year [comma slash dash]? month", "period", on.year_month),
    ("small [slash dash] year | year [slash dash] small", "period", on.number_month),
    ("month (of | apostrophe)? two_digits", "period", on.month),
    ("q small [comma dash slash]? of? (the)? year", "period", on.quarter),
    ("year [comma dash slash]? q small", "period", on.year_quarter),
    ("q small", "period", on.quarter),
    ("h small year", "period", on.half_year_of),
    ("the? [any_ordinal] dash? unit (of | in | comma)? year", "period", of.nth_unit_of_year),
    ("dayword", "date", on.day_offset),
    ("the? weekday comma? (the | dash)? date | date [comma dash] weekday", "date", on.weekday_date),
    ("weekday meridiem", "daypart", at.day_meridiem),
    ("weekday comma? the [day_number]", "date", on.weekday_monthly),
    ("weekday comma? nth", "date", on.weekday_monthly),
    ("weekday small (?! [through unit time clock meridiem])", "date", on.weekday_monthly),
    (
        "(?<=[on for by until since before after from of]) the [day_number] (?! [unit weekday other])",
        "date",
        on.monthly,
    ),
    ("the nth (?! [unit weekday other])", "date", on.monthly),
    ("(?<=on) [small nth] (?! [unit weekday other slash a])", "date", on.monthly),
    ("holiday (of | in)? year", "date", of.of_year),
]

LENGTHS: list[Rule] = [
    ("[small some] weekends ago", "period", on.units_ago),
    ("[every whole] [count]? [weekdays weekends] | every [count] [units]", "set", num.repeated),
    ("once (a | per | every) unit | small times (a | per | every) unit", "set", num.repeated),
    ("half (a | of)? unit", "length", num.half_unit),
    ("[count decimal] dash? [unit nights h]", "length", num.count_unit),
    ("a? some of? [unit nights]", "length", num.count_unit),
    ("a dash? unit", "length", num.one_unit),
    ("whole (the | dash)? unit", "length", num.one_unit),
    ("length and a? half", "length", num.and_half_unit),
    ("length ((comma | and)? length){1,4}", "length", num.sum_lengths),
    ("than length | length long", "length", num.same),
    ("length old", "age", num.same),
    ("every alternate? [units weekday part month season weekdays holiday length]", "set", num.repeated),
    ("every [any_ordinal] [units weekday]", "set", num.repeated),
    ("often | on? [weekdays weekends] | ((in | on) the?)? parts", "set", num.repeated),
]

PERIODS: list[Rule] = [
    ("now", "present", at.present),
    ("length ago | before_now length", "date", on.ago),
    ("within the? rel? length", "range", on.within_length),
    ("the? [any_ordinal rel] length (of | in) the? (?= [period month year unit rel])", "ends", num.end_piece),
    ("rel length", "range", on.relative_length),
    ("[count] rel unit", "range", on.count_relative),
    ("in length (?! [from after before])", "date", on.ahead),
    ("length (hence | later)", "date", on.ahead),
    ("rel month", "period", on.relative_month),
    ("rel [season holiday]", "period", on.relative_cycle),
    ("the? season (of | in)? year", "period", of.of_year),
    ("month", "period", on.month),
    ("the? season", "period", num.same),
    ("(?<=[in since until before after from during between ends]) year (?! unit)", "period", on.year),
    ("(?<=[of by to early edge and dash for not]) year (?! [unit other])", "period", on.year),
    ("year (?= onward | [or and] [after later since] (?! [year time date month other]))", "period", on.year),
    ("the? unit four", "period", on.unit_number),
    ("the? [any_ordinal] unit", "period", on.century),
    ("the? unit year (?! unit)", "period", on.unit_number),
    ("unit small ((of | in | comma)? year)?", "period", on.unit_number),
    ("the? [units] (before | after) the? rel", "period", on.beyond),
    ("the? weekday before rel", "date", on.weekday_beyond),
    ("rel [units] (?! (of | in) the? [period rel])", "period", on.relative_unit),
    ("(?<=[of edge rest]) the unit | (?<=[in for during]) the unit (?! [other of])", "period", on.this_unit),
    ("the? [units] rel", "period", on.relative_unit_swapped),
    ("the? weekend", "period", on.this_unit),
    ("edge of unit", "range", of.cut_unit),
    ("the? [any_ordinal rel] weekday part (of | in | on) the? period", "stamp", at.nth_part_inside),
    ("weekday part (of | in | on | comma)? the? period", "stamp", at.weekday_part_inside),
    ("the? [any_ordinal rel] weekday (of | in | on) the? period", "date", of.nth_inside),
    ("the? [any_ordinal] weekday period", "date", of.nth_inside),
    ("the? [any_ordinal] weekday", "date", of.nth_this_month),
    ("the? [any_ordinal rel] dash? [units] (of | in)? the? period", "period", of.nth_unit),
    ("the? period possessive [any_ordinal] dash? [units]", "period", of.nth_unit_swapped),
    ("ends [period]", "range", of.ends_of),
    ("from? [day_number] [through] [day_number] (of | in)? period", "range", of.days_of_this),
    ("the? [day_number] of period", "date", of.day_of_this),
    ("rel [units]", "period", on.relative_unit),
    ("beyond [units]", "period", on.beyond_unit),
    ("the? weekday rel", "date", on.relative_weekday_swapped),
    ("the? [period season holiday] rel", "period", on.relative_cycle_swapped),
    ("rel date", "date", on.relative_cycle),
    ("rel weekday", "date", on.relative_weekday),
    ("weekday (comma | on | of | in)? the? period", "date", of.weekday_in_week),
    ("period (comma | on)? weekday", "date", of.weekday_in_week_swapped),
    ("weekday", "date", on.any_weekday),
    ("period (of | in | comma)? the? period", "period", of.either_inside),
    ("[date holiday] (of | in | comma)? the? period", "date", of.inside),
    ("the? unit (of | starting) the? [date period holiday]", "period", of.unit_of),
    ("the? [units] [before before_now] the? [date period holiday]", "period", of.unit_before),
    ("the? [units] after the? [date period holiday]", "period", of.unit_after),
    ("in? length (from | after) the? [date period holiday]", "date", on.after_date),
    ("length [before before_now] the? [date period holiday]", "date", on.before_date),
    ("edge (of the? [period date] | period)", "range", of.cut_span),
    ("early dash? the? period", "range", of.cut_span),
    ("early dash? the? part", "cut_part", at.cut_part),
    ("earlier (in? [period date] | in? the unit)", "range", of.so_far),
    ("later (in? [period date] | in? the unit)", "range", of.rest),
    ("rest [the my]? [period date unit]", "range", of.rest),
    ("dayparts", "daypart", at.named_part),
]

SETS: list[Rule] = [
    ("[time hours] comma? (on | in)? set", "set", num.last),
    ("(the? [day_number] | date) of set", "set", num.last),
    ("set [comma at in from on]{0,2} the? [time hours part cut_part]", "set", num.same),
]

PARTS: list[Rule] = [
    ("in? the [part cut_part] | [in at on] part | cut_part | mid_part", "stamp", at.daily),
]

#: Times of day and stretches of them.
HOURS: list[Rule] = [
    ("(?<!rel) part (from | between) (time | small) [through and] (time | small)", "hours", at.part_hours),
    ("[from between]? time [through and] time", "hours", at.hours),
    ("[from between]? time [through] small (?! [unit month other])", "hours", at.hours),
    ("[from between]? small [through] time", "hours", at.hours),
    ("between small and time", "hours", at.hours),
    ("between time and small", "hours", at.hours),
    ("from? time for length", "hours", at.hours_for),
    ("part (comma | at)? hours", "hours", num.last),
    ("hours (in | comma)? the? part", "hours", at.hours_part),
    ("[before by until] [around about]? [time meal]", "hours", at.hours_before),
    ("[after since] [around about]? [time meal]", "hours", at.hours_after),
    ("time [or and] [later after] (?! [time date year month other])", "hours", at.hours_after),
    ("[around about] time", "time", num.same),
]

#: Dates with times of day, in either order.
DAYS: list[Rule] = [
    ("holiday", "date", num.same),
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
        "(from | between)? small [through and] small (comma | on | of | in)? date",
        "stamp",
        at.small_hours_swapped,
    ),
    (
        "(from | between)? small [through and] small (comma | on | of | in)? daypart",
        "stamp",
        at.small_hours_swapped,
    ),
    ("date comma? (from | between)? small [through and] small", "stamp", at.small_hours),
    ("daypart comma? (from | between)? small [through and] small", "stamp", at.small_hours),
    ("daypart", "stamp", at.resolve_part),
    ("hours", "range", at.daily),
]

#: Stretches from one date to another, and open ones.
RANGES: list[Rule] = [
    ("from the? [value] [through] the? [value]", "range", of.between),
    ("between the? [value] [through and] the? [value]", "range", of.between),
    ("[value] [through] the? [value]", "range", of.between),
    ("since around? the? [point]", "range", of.since),
    ("until around? the? [point]", "range", of.until),
    ("by around? the? [point]", "range", of.until),
    ("[before before_now] around? the? [point]", "range", of.before),
    ("after around? the? [point]", "range", of.after),
    ("period comma? range", "range", of.range_inside),
    ("[value] (onward | [or and] [after later since] (?! [value time other]))", "range", of.since),
    ("length comma? starting the? [value]", "range", on.length_from),
    ("for length comma? from the? [value]", "range", on.length_from),
    ("around? time", "stamp", at.daily),
    ("around [date period stamp]", "stamp", num.same),
]


def rules(*own: Rule, day_first: bool) -> list[Rule]:
    """A language's own rules followed by the shared ones; `day_first` is its order of numeric dates."""
    read = on.numeric(day_first=day_first)
    numeric: list[Rule] = [("date3", "date", read), ("date2 comma? year", "date", read), ("date2", "date", read)]
    return [*own, *CLOCKS, *numeric, *DATES, *LENGTHS, *PERIODS, *HOURS, *SETS, *DAYS, *PARTS, *RANGES]
