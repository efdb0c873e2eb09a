"""Values made from the tables of `memoranda.languages`. Errors name the file and the entry."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from memoranda.errors import FormatError

Made = TypeVar("Made")
_OPTIONAL = str | None
_MACRO = re.compile(r"\{([A-Za-z_]+)\}")


def words(text: str) -> frozenset[str]:
    """Return the words of `text`, or its names of several words if commas separate them."""
    return frozenset(filter(None, map(str.strip, text.split(",")))) if "," in text else frozenset(text.split())


def joined(text: str) -> str:
    """Return a text of several lines as one: line breaks and the blanks around them are only layout."""
    return "".join(map(str.strip, text.split("\n"))) if "\n" in text else text


def expanded(pattern: str, macros: Mapping[str, str], where: str) -> str:
    """Return a pattern with the macros in braces expanded.

    Raises:
        FormatError: a macro is unknown; the message begins with `where`.
    """
    try:
        return _MACRO.sub(lambda found: macros[found[1]], pattern)
    except KeyError as error:
        raise FormatError(f"{where} uses {{{error.args[0]}}}, which is no macro") from error


def regex(pattern: str, where: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled pattern.

    Raises:
        FormatError: it is no regular expression; the message begins with `where`.
    """
    try:
        return re.compile(pattern, flags)
    except re.error as error:
        raise FormatError(f"{where} is no regular expression: {error}") from error


def made(kind: Callable[..., Made], table: Any, where: str, **ready: Any) -> Made:
    """Return an instance of the dataclass `kind`, each field made from the entry of its name; `ready` is used as it is.

    Raises:
        FormatError: an entry is unknown, missing, or not of the type its field has; the message begins with `where`.
    """
    types = _types(kind)
    try:
        return kind(**{name: _held(name, types.get(name), value) for name, value in dict(table).items()}, **ready)
    except (TypeError, ValueError) as error:
        raise FormatError(f"{where}: {error}") from error


@cache
def _types(kind: Any) -> dict[str, Any]:
    return {field.name: field.type for field in fields(kind)}


def _held(name: str, kind: Any, value: Any) -> Any:
    """Return an entry as a field of type `kind` holds it."""
    if kind is None:
        raise TypeError(f"{name!r} is no entry")
    if isinstance(value, str):
        if kind is str or kind == _OPTIONAL:
            return joined(value)
        if kind == frozenset[str]:
            return words(value)
    elif isinstance(value, dict):
        if get_origin(kind) is Mapping:
            return {key: _held(f"{name}.{key}", get_args(kind)[1], one) for key, one in value.items()}
    elif type(value) is kind or (kind is float and type(value) is int):
        return value
    raise TypeError(f"{name} = {value!r} is not of type {getattr(kind, '__name__', kind)}")
