"""Refusing invalid arguments. The message gives the name, the value, and what to give instead."""

import math
from collections.abc import Collection, Iterable
from datetime import datetime
from reprlib import Repr

import numpy as np

from memstrata.errors import InputError

_TOLD = Repr()
_TOLD.maxstring = _TOLD.maxother = 100  # characters: enough to show an id or a file path in full


def brief(value: object) -> str:
    """Return `value` as messages show it, with the middle of long values left out."""
    return value.isoformat() if isinstance(value, datetime) else _TOLD.repr(value)


def require(fits: object, name: str, value: object, wanted: str, error: type[InputError] = InputError) -> None:
    """Raise `error` about `value`, which was given as `name`, unless it fits."""
    if not fits:
        raise error(f"{name} is {brief(value)}; give {wanted}.")


def check_number(name: str, value: object, least: int = 1, most: int | None = None) -> None:
    """Refuse anything but an integer from `least` to `most`; booleans are refused."""
    number = int(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else least - 1
    fits = least <= number and (most is None or number <= most)
    require(fits, name, value, f"a whole number of at least {least:,}" + (f" and at most {most:,}" if most else ""))


def check_choice(name: str, value: object, choices: Collection[str], error: type[InputError] = InputError) -> None:
    """Refuse anything that is not in `choices`."""
    require(isinstance(value, str) and value in choices, name, value, f"one of {', '.join(choices)}", error)


def check_seconds(name: str, value: object, most: int | None = None) -> None:
    """Refuse anything that is not a positive number of seconds, of at most `most`."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= (most or math.inf)
    require(fits, name, value, "seconds, more than 0" + (f" and at most {most:,}" if most else ""))


def check_function(name: str, value: object) -> None:
    """Refuse anything but None and callables."""
    require(value is None or callable(value), name, value, "a function, or leave it out")


def strings(name: str, value: object, error: type[InputError] = InputError) -> tuple[str, ...]:
    """Return the strings in `value`; a single string is not accepted as a list."""
    found = tuple(value) if isinstance(value, Iterable) else (value,)
    fits = not isinstance(value, str) and all(isinstance(item, str) for item in found)
    require(fits, name, value, f"a list: [{brief(value)}]" if isinstance(value, str) else "a list of strings", error)
    return found
