"""Refusing invalid arguments. The message gives the name, the value, and what to give instead."""

from collections.abc import Collection
from datetime import datetime
from itertools import islice
from numbers import Integral
from reprlib import Repr
from typing import Any

from memoranda.errors import InputError

LARGEST = 2**63 - 1  # the largest integer that every store holds
CENTURY = 100 * 366 * 24 * 3_600  # seconds; the longest time that a call may name
LONGEST = 10_000  # the most names in a list


class _Brief(Repr):
    def repr_int(self, x: int, level: int) -> str:
        return super().repr_int(x, level) if x.bit_length() < 1_000 else f"a number of {x.bit_length():,} bits"


_BRIEF = _Brief()
_BRIEF.maxstring = _BRIEF.maxother = 100  # characters: enough to show an id or a file path in full


def brief(value: object) -> str:
    """Return `value` as messages show it, with the middle of long values left out."""
    return value.isoformat() if isinstance(value, datetime) else _BRIEF.repr(value)


def require(fits: object, name: str, value: object, wanted: str, error: type[InputError] = InputError) -> None:
    """Raise `error` about `value`, which was given as `name`, unless it fits."""
    if not fits:
        raise error(f"{name} is {brief(value)}; give {wanted}.")


def check_number(name: str, value: Any, least: int = 1, most: int = LARGEST) -> int:
    """Return `value` as an `int`; refuse anything but an integer from `least` to `most`. Booleans are refused."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    bound = f" and at most {most:,}" if most < LARGEST or (whole and value > most) else ""
    require(whole and least <= value <= most, name, value, f"a whole number of at least {least:,}{bound}")
    return int(value)


def check_choice(name: str, value: object, choices: Collection[str], error: type[InputError] = InputError) -> None:
    """Refuse anything that is not in `choices`."""
    require(isinstance(value, str) and value in choices, name, value, f"one of {', '.join(choices)}", error)


def check_seconds(name: str, value: object, most: int = CENTURY) -> None:
    """Refuse anything that is not a positive number of seconds, of at most `most`."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= most
    require(fits, name, value, f"seconds, more than 0 and at most {most:,}")


def check_function(name: str, value: object) -> None:
    """Refuse anything but None and callables."""
    require(value is None or callable(value), name, value, "a function, or leave it out")


def strings(name: str, value: Any, error: type[InputError] = InputError) -> tuple[str, ...]:
    """Return the strings in `value`, at most `LONGEST`; a single string is not accepted as a list."""
    try:
        found = tuple(islice(iter(value), LONGEST + 1))
    except TypeError:  # it cannot be iterated over
        found = (value,)
    fits = not isinstance(value, str) and all(isinstance(item, str) for item in found)
    require(fits, name, value, f"a list: [{brief(value)}]" if isinstance(value, str) else "a list of strings", error)
    require(len(found) <= LONGEST, name, value, f"a list of at most {LONGEST:,} strings", error)
    return found
