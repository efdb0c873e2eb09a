"""What the packs have in common: groups of kinds, holidays, and the rules that no longer depend on the language.

A pack turns its words into the kinds below, puts dates, clocks and lengths together in its own word order, and leaves
the rest to these stages. Glue kinds (in, on, of, the, ...) carry no value.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

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


def table(kind: str, entries: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Lexicon entries of one kind, from "several|words": value."""
    return {word: (kind, value) for words, value in entries.items() for word in words.split("|")}


def glue(kinds: Mapping[str, str]) -> dict[str, tuple[str, Any]]:
    """Lexicon entries without a value, from kind: "several|words"."""
    return {word: (kind, None) for kind, words in kinds.items() for word in words.split("|")}


SIGNS = glue(
    {
        "comma": ",|，|、",
        "dash": "-|–|—|~|～|‐|‑",
        "dot": ".",
        "slash": "/",
        "apostrophe": "'|’|‘",
        "at": "@",
        "stop": "!|?|;|\n|:",
    }
)

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
    ("before around? the? [point]", "range", of.before),
    ("after around? the? [point]", "range", of.after),
    ("period comma? range", "range", of.range_inside),
    ("[value] (onward | [or and] [after later since] (?! [value time other]))", "range", of.since),
    ("length comma? starting the? [value]", "range", do.length_from),
    ("for length comma? from the? [value]", "range", do.length_from),
    ("around? time", "stamp", at.daily),
    ("around [date period stamp]", "stamp", do.same),
]
