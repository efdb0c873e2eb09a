"""English: words, and the rules that put them together."""

from typing import Any

from memstrata.core.temporal import actions as do
from memstrata.core.temporal.actions import Clock, Part
from memstrata.core.temporal.cascade import Grammar, Rule


def table(kind: str, entries: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    """Lexicon entries of one kind from "several words": value."""
    return {word: (kind, value) for words, value in entries.items() for word in words.split("|")}


WORDS: dict[str, tuple[str, Any]] = {
    **table("month", {
        "january|jan": 1, "february|feb": 2, "april|apr": 4, "june|jun": 6, "july|jul": 7, "august|aug": 8,
        "september|sept|sep": 9, "october|oct": 10, "november|nov": 11, "december|dec": 12,
    }),
    **table("maybe_month", {"may": 5, "march|mar": 3}),
    **table("weekday", {
        "monday|mondays|mon": 0, "tuesday|tuesdays|tue|tues": 1, "wednesday|wednesdays|wed|weds": 2,
        "thursday|thursdays|thu|thur|thurs": 3, "friday|fridays|fri": 4, "saturday|saturdays": 5, "sunday|sundays": 6,
    }),
    **table("maybe_weekday", {"sat": 5, "sun": 6}),
    **table("unit", {
        "seconds|sec|secs": "second", "minute|minutes|min|mins": "minute", "hour|hours|hr|hrs|h": "hour",
        "day|days": "day", "week|weeks|wk|wks": "week", "fortnight|fortnights": "fortnight", "month|months": "month",
        "quarter|quarters": "quarter", "year|years|yr|yrs": "year", "decade|decades": "decade",
        "century|centuries": "century", "weekend|weekends": "weekend",
    }),
    **table("second", {"second": 2}),
    **table("digit", {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}),
    **table("teen", {
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    }),
    **table("tens", {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}),
    **table("ordinal", {
        "first": 1, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
        "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
        "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
    }),
    **table("suffix", {"st|nd|rd|th": None}),
    **table("a", {"a|an": None}),
    **table("some", {"few": 3, "several": 3, "couple": 2}),
    **table("rel", {"last|previous": -1, "this|current": 0, "next|following|upcoming|coming": 1}),
    **table("past", {"past": -1}),
    **table("dayword", {"today": 0, "tomorrow|tmrw|tmr": 1, "yesterday": -1,
        "the day before yesterday|day before yesterday": -2, "the day after tomorrow|day after tomorrow": 2}),
    **table("tonight", {"tonight": Part(18, 24)}),
    **table("part", {"morning|mornings": Part(6, 12), "afternoon|afternoons": Part(12, 18),
        "evening|evenings": Part(18, 22), "night|nights": Part(20, 28)}),
    **table("noon", {"noon|midday": Clock(12), "midnight": Clock(0)}),
    **table("meridiem", {"am|a . m .|a . m|a m|a": False, "pm|p . m .|p . m|p m|p": True}),
    **table("season", {"summer": do.season(6), "autumn": do.season(9), "winter": do.season(12)}),
    **table("maybe_season", {"spring": do.season(3), "fall": do.season(9)}),
    **table("edge", {"end": do.share(0.75, 1), "beginning|start": do.share(0, 0.25), "middle": do.share(0.34, 0.67)}),
    **table("early", {"early": do.share(0, 0.34), "late": do.share(0.67, 1), "mid": do.share(0.34, 0.67)}),
    **table("every", {"every|each": True}),
    **table("often", {"daily|weekly|monthly|quarterly|yearly|annually|biweekly|everyday|hourly": True}),
    "ago": ("ago", None), "from": ("from", None), "now": ("now", None), "later": ("later", None),
    "in": ("in", None), "of": ("of", None), "on": ("on", None), "at": ("at", None), "the": ("the", None),
    "and": ("and", None), "to": ("to", None), "till": ("until", None), "until": ("until", None), "through": ("to", None),
    "thru": ("to", None), "between": ("between", None), "since": ("since", None), "before": ("before", None),
    "after": ("after", None), "by": ("by", None), "for": ("for", None), "during": ("during", None),
    "within": ("within", None), "half": ("half", None), "o ' clock": ("oclock", None), "oclock": ("oclock", None),
    ",": ("comma", None), "-": ("dash", None), "–": ("dash", None), ".": ("dot", None), "/": ("slash", None),
    "q": ("q", None), "' s": ("poss", None), "’ s": ("poss", None),
}

GROUPS = {
    
    "value": "date period stamp", "prep": "in on of since until before after by from to during rel the",
}

RULES: list[Rule] = [
    # numbers
    ("tens dash? digit", "small", do.add),
    ("tens dash? ordinal", "ordinal", do.add),
    ("small suffix", "ordinal", do.same),
    ("digit | teen | tens", "small", do.same),
    # words that are other words too
    ("(?<=[in on of since until before after by from to during rel]) maybe_month", "month", do.same),
    ("maybe_month (?= dot? the? (ordinal | small | year))", "month", do.same),
    ("(?<=[ordinal small]) maybe_month | (?<=ordinal of) maybe_month", "month", do.last),
    ("(?<=[on rel since until by from]) maybe_weekday | maybe_weekday (?= comma? (month | small | ordinal))", "weekday", do.same),
    ("(?<=[in rel the of since]) maybe_season | maybe_season (?= year)", "season", do.same),
    ("second (?= weekday | unit | of)", "ordinal", do.same),
    ("past (?= (small | digit | some)? unit)", "rel", do.same),
    # clock
    ("clock meridiem", "time", do.clock_text_meridiem),
    ("clock", "time", do.clock_text),
    ("small meridiem", "time", do.clock_meridiem),
    ("small oclock", "time", do.clock_hour),
    ("(?<=at) small (?! (unit | slash | month | of | comma small))", "time", do.clock_hour),
    ("noon", "time", do.same),
    ("time (in | at)? the? part", "time", do.clock_part),
    # dates
    ("iso", "stamp", do.iso),
    ("date3", "date", do.numeric(day_first=False)),
    ("date2", "date", do.numeric(day_first=False)),
    ("yearmonth", "period", do.year_month_text),
    ("month (dot | dash)? the? (ordinal | small) (comma? year)?", "date", do.month_day),
    ("the? (ordinal | small) dash? of? month dash? (comma? year)?", "date", do.day_month),
    ("year comma? month (ordinal | small)", "date", do.year_month_day),
    ("month dot? (comma | of)? year", "period", do.month),
    ("q small of? year?", "period", do.quarter),
    ("the? ordinal unit of? year", "period", do.nth_unit),
    ("dayword", "date", do.day_offset),
    ("weekday comma? the? date", "date", do.weekday_date),
    ("the ordinal (?! (unit | weekday | other))", "date", do.monthly),
    # periods
    ("rel (a | of)? (some | small) of? unit", "period", do.relative_some),
    ("rel unit", "period", do.relative_unit),
    ("the unit (?= before rel)", "period", do.this_unit),
    ("rel month", "period", do.relative_month),
    ("rel season", "period", do.relative_cycle),
    ("season of? year", "period", do.of_year),
    ("season", "period", do.same),
    ("month", "period", do.month),
    ("(?<=[in since until before after by from to during of]) year", "period", do.year),
    ("rel weekday", "date", do.relative_weekday),
    ("weekday", "date", do.weekday),
    # lengths
    ("half (a | of) unit", "length", do.half_unit),
    ("(small | four) dash? unit", "length", do.count_unit),
    ("a dash? unit", "length", do.one_unit),
    ("a? some of? unit", "length", do.count_unit),
    ("length ((comma | and)? length){1,3}", "length", do.sum_lengths),
    ("length ago", "date", do.ago),
    ("in length", "date", do.ahead),
    ("length from now | length later", "date", do.ahead),
    ("length (from | after) date", "date", do.after_date),
    ("length before date", "date", do.before_date),
    # parts of days
    ("date (in | comma)? the? part", "stamp", do.on_day),
    ("date (comma | at)? time", "stamp", do.on_day),
    ("time (comma | on)? date", "stamp", do.on_day_swapped),
    ("rel part", "stamp", do.relative_part),
    ("tonight", "stamp", do.relative_tonight),
    ("(in | during)? the part", "stamp", do.daily),
    ("time", "stamp", do.daily),
    # ranges
    ("from? value (to | until | dash) value", "range", do.between),
    ("between value (and | to | dash) value", "range", do.between),
    ("the? edge of the? (period | date)", "range", do.cut),
    ("early period", "range", do.cut),
    ("since value", "range", do.since),
    ("until value", "range", do.until),
    ("before value", "range", do.before),
    ("after value", "range", do.after),
    # repetitions
    ("every (value | unit | part)", "set", do.const(True)),
    ("often", "set", do.same),
]

GRAMMAR = Grammar(WORDS, RULES, GROUPS, glue=("a", "in", "of", "on", "at", "the", "and", "to"))
