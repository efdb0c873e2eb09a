"""The lexicon of a language, made of its `times.toml`: each table of words there is a kind, each of its keys a value.

How a value is written depends on the kind; where nothing is said here, it is a number, "true" or "false", or a name.

    part, parts, mid_part, cut_part   6-12: from one hour of the day to another, which may lie in the next
    dayparts                          -1 17-21: so many days from today, and a part of that day
    daypart                           0 6-12: a weekday, counted from Monday, and a part of it
    noon, meal                        12: an hour
    season, maybe_season              3: its first month
    holiday                           12-25: month and day; easter+39: so many days from Easter Sunday; 11 3 4 1: a
                                      month, a weekday of it, the how manieth (-1: the last), and how many days later
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memstrata.core.tables import made
from memstrata.core.temporal import dates as on
from memstrata.core.temporal.calendar import Value
from memstrata.core.temporal.clocks import Clock, DayPart, Part
from memstrata.core.temporal.lexicon import Lexicon
from memstrata.errors import FormatError
from memstrata.languages import read

#: The signs all languages share, as kinds without a value.
SIGNS = {
    sign: (kind, None)
    for kind, signs in {
        "comma": ",|\uff0c|\u3001",
        "dash": "-|\u2013|\u2014|~|\uff5e|\u2010|\u2011",
        "dot": ".",
        "slash": "/",
        "apostrophe": "'|\u2018",
        "at": "@",
        "stop": "!|?|;|\n|:|\u3002|\uff01|\uff1f",
    }.items()
    for sign in signs.split("|")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """A file of words of time.

    Attributes:
        words: kind → value → words, set apart by bars.
        glue: kind → words without a value.

    The others are the arguments of `Lexicon`.
    """

    words: Mapping[str, Mapping[str, str]]
    glue: Mapping[str, str]
    quiet: frozenset[str] = frozenset()
    loud: frozenset[str] = frozenset()
    past: str
    future: str
    present: str
    perfect: str = "(?!)"
    note: str = "(?!)"
    spaced: bool = True


def lexicon(language: str) -> Lexicon:
    """The words of a language.

    Raises:
        FormatError: a value or a pattern in its file cannot be read.
    """
    place = f"languages/{language}/times.toml"
    times = made(Times, read(f"{language}/times"), place)
    words: dict[str, tuple[str, Any]] = dict(SIGNS)
    for kind, listed in times.glue.items():
        words |= dict.fromkeys(listed.split("|"), (kind, None))
    for kind, values in times.words.items():
        for text, listed in values.items():
            try:
                value = _READ.get(kind, _plain)(text)
            except (TypeError, ValueError) as error:
                raise FormatError(f"{place}: [words.{kind}] {text!r} is no value: {error}") from error
            words |= dict.fromkeys(listed.split("|"), (kind, value))
    try:
        return Lexicon(
            words, quiet=times.quiet, loud=times.loud, past=times.past, future=times.future, present=times.present,
            perfect=times.perfect, note=times.note, spaced=times.spaced,
        )  # fmt: skip
    except re.error as error:
        raise FormatError(f"{place}: {error.pattern!r} is no regular expression: {error}") from error


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
    return DayPart(on.weekday(number), part)


def _hour(text: str) -> Clock:
    return Clock(int(text))


def _season(text: str) -> Value:
    return on.season(int(text))


def _holiday(text: str) -> Value:
    if text.startswith("easter"):
        return on.from_easter(int(text.removeprefix("easter") or 0))
    if " " in text:
        return on.nth_weekday(*map(int, text.split()))
    month, day = map(int, text.split("-"))
    return on.fixed(month, day)


_READ: Mapping[str, Callable[[str], Any]] = {
    "part": _part, "parts": _part, "mid_part": _part, "cut_part": _part, "dayparts": _day_part,
    "daypart": _weekday_part, "noon": _hour, "meal": _hour, "season": _season, "maybe_season": _season,
    "holiday": _holiday,
}  # fmt: skip
