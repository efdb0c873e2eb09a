"""The grammar of a language, made from its `times.toml` and the shared one, which defines what rules are.

Each table of words there is a kind, each of its keys a value. The notation of a value depends on the kind; by default
it is a number, "true" or "false", or a name.

    part, parts, mid_part, cut_part   6-12: from one hour of the day to another, which may lie in the next day
    dayparts                          -1 17-21: the number of days from today, and a part of that day
    daypart                           0 6-12: a weekday, counted from Monday, and a part of it
    noon, meal                        12: an hour
    season, maybe_season              3: its first month
    holiday                           12-25: month and day; easter+39: days from Easter Sunday; 11 3 4 1: a month, a
                                      weekday, which of these in the month (-1: the last), and how many days later
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from inspect import getmembers, isfunction
from itertools import chain
from typing import Any

from memoranda.core.temporal import calendar, clocks, dates, quantities, spans
from memoranda.core.temporal.calendar import Value
from memoranda.core.temporal.cascade import Alphabet, Grammar, Rule
from memoranda.core.temporal.clocks import Clock, DayPart, Part
from memoranda.core.temporal.lexicon import Lexicon, Times, Words
from memoranda.core.text.packs import joined, made
from memoranda.errors import FormatError
from memoranda.languages import read

#: The functions that rules may call, by name.
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    name: function
    for module in (calendar, clocks, dates, quantities, spans)
    for name, function in getmembers(module, isfunction)
}
#: How a rule refers to the values matched.
_PLACES = ("$1", "$2", "$3", "$4")


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of one of `LANGUAGES`, made on first use.

    Raises:
        FormatError: a value, a rule or a pattern in its file is invalid.
    """
    where = f"languages/{language}/times.toml"
    table, shared = read(f"{language}/times"), _shared()
    alphabet = Alphabet(shared["groups"])
    rules = [
        *_rules(table.pop("rules", ()), alphabet, where),
        *_rules(chain.from_iterable(shared["rules"].values()), alphabet, "languages/times.toml"),
        *_rules(table.pop("last_rules", ()), alphabet, where),
    ]
    times = made(Times, table, where)
    shapes = {kind: joined(pattern) for kind, pattern in shared["shapes"].items()}
    try:
        lexicon = Lexicon(_words(times, where), times, shapes)
    except re.error as error:
        raise FormatError(f"{where}: {error.pattern!r} is no regular expression: {error}") from error
    return Grammar(lexicon, rules, alphabet)


@cache
def _shared() -> Mapping[str, Any]:
    return read("times")


def _words(times: Times, where: str) -> Words:
    words: dict[str, tuple[str, Any]] = {}
    for kind, listed in chain(_shared()["signs"].items(), times.glue.items()):
        words |= dict.fromkeys(listed.split("|"), (kind, None))
    for kind, values in times.words.items():
        for text, listed in values.items():
            try:
                value = _READ.get(kind, _plain)(text)
            except (TypeError, ValueError) as error:
                raise FormatError(f"{where}: [words.{kind}] {text!r} is no value: {error}") from error
            words |= dict.fromkeys(listed.split("|"), (kind, value))
    return words


def _rules(rows: Iterable[list[str]], alphabet: Alphabet, where: str) -> list[Rule]:
    rules = []
    for row in rows:
        try:
            pattern, kind, call = row
            rules.append((alphabet.compile(pattern), kind, _function(*call.split())))
        except (KeyError, TypeError, ValueError, re.error) as error:
            raise FormatError(f"{where}: {row!r} is no rule of pattern, kind and function: {error}") from error
    return rules


def _function(name: str, *arguments: str) -> Callable[..., Any]:
    """Return the function of that name, which gets the matched values, or those that the `arguments` select."""
    function = _FUNCTIONS[name]
    if not arguments:
        return function
    if unknown := [argument for argument in arguments if argument.startswith("$") and argument not in _PLACES]:
        raise ValueError(f"{unknown[0]} is none of {', '.join(_PLACES)}")
    given = [argument if argument in _PLACES else _plain(argument) for argument in arguments]

    def called(now: datetime, *values: Any) -> Any:
        matched = dict(zip(_PLACES, values, strict=False))
        return function(now, *[matched.get(one, one) for one in given if one in matched or one not in _PLACES])

    return called


def _plain(text: str) -> Any:
    if text in {"true", "false"}:
        return text == "true"
    return int(text) if text.removeprefix("-").isdigit() else text


def _part(text: str) -> Part:
    begin, until = map(int, text.split("-"))
    return Part(begin, until)


def _day_part(text: str) -> tuple[int, Part]:
    day, part = text.split()
    return int(day), _part(part)


def _weekday_part(text: str) -> DayPart:
    number, part = _day_part(text)
    return DayPart(dates.weekday(number), part)


def _hour(text: str) -> Clock:
    return Clock(int(text))


def _season(text: str) -> Value:
    return dates.season(int(text))


def _holiday(text: str) -> Value:
    if text.startswith("easter"):
        return dates.from_easter(int(text.removeprefix("easter") or 0))
    if " " in text:
        return dates.nth_weekday(*map(int, text.split()))
    month, day = map(int, text.split("-"))
    return dates.day_of(month, day)


_READ: Mapping[str, Callable[[str], Any]] = {
    "part": _part, "parts": _part, "mid_part": _part, "cut_part": _part, "dayparts": _day_part,
    "daypart": _weekday_part, "noon": _hour, "meal": _hour, "season": _season, "maybe_season": _season,
    "holiday": _holiday,
}  # fmt: skip
