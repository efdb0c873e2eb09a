"""Numbers and lengths, and the rule functions that make them.

Like all rule functions they take the reference time and the values matched, and return None to decline.
"""

from datetime import datetime
from typing import Any

from memoranda.core.temporal.calendar import Length, length


def same(_now: datetime, *values: Any) -> Any:
    """The one value matched, or the first."""
    return values[0]


def last(_now: datetime, *values: Any) -> Any:
    """The last value matched."""
    return values[-1]


def add(_now: datetime, tens: int, ones: int) -> int | None:
    """Twenty two."""
    return tens + ones if ones < 10 else None


def tens(_now: datetime, count: int, ten: int, ones: int = 0) -> int:
    """Two tens five, as Chinese puts it."""
    return count * ten + ones


def small(_now: datetime, number: int) -> int | None:
    """A number that can be a day of a month."""
    return number if number <= 31 else None


def year_number(now: datetime, offset: int) -> int:
    """The number of last year, this year or next year, said in one word."""
    return now.year + offset


def and_half(_now: datetime, count: int) -> float:
    """Two and a half."""
    return count + 0.5


def hundred(_now: datetime, count: int = 1) -> int:
    """Two hundred."""
    return count * 100


def thousands(_now: datetime, count: int, *rest: int) -> int | None:
    """Two thousand and eighteen, one thousand seven hundred and eighty nine."""
    if len(rest) == 3 or (len(rest) == 2 and rest[0] < 10):
        rest = (rest[0] * 100, *rest[1:])
    number = count * 1000 + sum(rest)
    return number if 1000 <= number < 2200 else None


def spoken_year(_now: datetime, century: int, *rest: int) -> int | None:
    """Nineteen ninety nine, twenty sixteen."""
    number = century * 100 + sum(rest)
    return number if 1900 <= number < 2100 else None


def spoken_year_hundred(_now: datetime, century_: int, *rest: int) -> int | None:
    """Nineteen hundred ninety three."""
    number = century_ * 100 + sum(rest)
    return number if 1500 <= number < 2200 else None


def end_piece(_now: datetime, nth: int, size: Length) -> tuple[int, Length] | None:
    """The first (1) or last (-1) three weeks of what a later rule finds."""
    return (nth, size) if nth in {-1, 1} else None


def count_unit(_now: datetime, count: float | str, grain: str) -> Length | None:
    """Three weeks, 1.5 hours."""
    return length(float(count), grain)


def and_half_unit(_now: datetime, size: Length) -> Length | None:
    """A year and a half."""
    half = length(0.5, size.grain)
    return None if half is None else size + half


def compact(_now: datetime, text: str) -> Length | None:
    """3h, 2w, 5y."""
    return length(int(text[:-1]), {"h": "hour", "w": "week", "y": "year"}[text[-1].lower()])


def sum_lengths(_now: datetime, *sizes: Length) -> Length:
    """Two hours and ten minutes."""
    return sum(sizes[1:], start=sizes[0])
