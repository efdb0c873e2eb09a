"""From bytes to JSON values that know their position.

A file is a stream of items: the elements of its one array, its lines if each is JSON of its own, or its single
object. Items are parsed one at a time, so that a large export is never in memory as objects all at once, and
what precedes a fault is still read.
"""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from memoranda.core.base.checks import brief
from memoranda.errors import FormatError

# UTF-32 comes first: its little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_BINARY = (
    (b"PK\x03\x04", "a zip archive", "Unpack it and import the conversations.json inside."),
    (b"\x1f\x8b", "gzip-compressed", "Unpack it first."),
    (b"SQLite format 3\x00", "an SQLite database", "Open it as a memory instead of importing it."),
    (b"%PDF-", "a PDF document", "Export the conversations as JSON."),
)
_SPACE = re.compile(r"[ \t\r\n]*")
_INK = re.compile(rb"[^ \t\r\n]")
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value, the file (and line) it comes from, and its path there."""

    value: Any
    source: str
    path: tuple[str | int, ...] = ()

    @property
    def where(self) -> str:
        """The position in words: `chats.jsonl, line 3, $.messages[2].role`."""
        steps = "".join(_step(key) for key in self.path)
        return f"{self.source}, ${steps}" if steps else self.source

    def fault(self, problem: str) -> FormatError:
        """Return the error to raise for a problem with this value."""
        return FormatError(f"{self.where}: {problem}")

    def has(self, *keys: str) -> bool:
        """Whether this is an object with all of `keys`."""
        return isinstance(self.value, Mapping) and all(key in self.value for key in keys)

    def get(self, *keys: str) -> "Node | None":
        """Return the first of `keys` that is present and not null."""
        for key in keys:
            if (value := self.object().get(key)) is not None:
                return Node(value, self.source, (*self.path, key))
        return None

    def within(self, *path: str) -> Any:
        """Return the value at a path of keys; None if there is none."""
        value = self.value
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def need(self, key: str) -> "Node":
        """Return the value of `key`, which must be present."""
        found = self.get(key)
        if found is None:
            raise self.fault(f'there is no "{key}". Found {self.shape}.')
        return found

    def object(self) -> Mapping[str, Any]:
        """Return the value as an object."""
        if not isinstance(self.value, Mapping):
            raise self.fault(f"an object is needed here, found {self.shape}.")
        return self.value

    def entries(self) -> "Iterator[tuple[str, Node]]":
        """Yield the keys and values of an object."""
        for key, value in self.object().items():
            yield key, Node(value, self.source, (*self.path, key))

    def elements(self) -> "Iterator[Node]":
        """Yield the elements of an array."""
        if not isinstance(self.value, list):
            raise self.fault(f"an array is needed here, found {self.shape}.")
        for number, value in enumerate(self.value):
            yield Node(value, self.source, (*self.path, number))

    def string(self) -> str:
        """Return the value as a string; numbers are converted."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, int | float) and not isinstance(self.value, bool):
            return str(self.value)
        raise self.fault(f"a string is needed here, found {self.shape}.")

    @property
    def shape(self) -> str:
        """A brief description of the value for error messages."""
        match self.value:
            case Mapping() as value:
                keys = ", ".join(list(value)[:6])
                return f"an object with {keys}{', …' if len(value) > 6 else ''}"[:200] if value else "an empty object"
            case list() as value:
                return f"an array of {len(value):,}"
            case None:
                return "null"
            case value:
                text = brief(value)
                return text if len(text) <= 60 else f"{text[:60]}…"


def items(data: bytes, name: str, advice: str) -> Iterator[Node | FormatError]:
    """Yield the items of a file, in order; `advice` says what to give instead of an empty file or one that is not JSON.

    In place of a line that is not JSON its fault is yielded; `sound` raises it.

    Raises:
        FormatError: it is empty, binary, in an unknown encoding, not JSON, or truncated. What precedes the fault has
            been yielded.
    """
    data = _utf8(data, name)
    start = _INK.search(data)
    if start is None:
        raise FormatError(f"{name}: the file is empty. {advice}")
    if start.group() == b"[":
        yield from _elements(_text(data, name), name)
    elif start.group() == b"{" and _line_by_line(data):
        yield from _lines(data, name)
    else:
        text = _text(data, name)
        value, end = _parse(text, _skip(text, 0), name, advice)
        _nothing_after(text, end, name, advice)
        yield Node(value, name)


def sound(item: Node | FormatError) -> Node:
    """Return an item, or raise its fault."""
    if isinstance(item, FormatError):
        raise item
    return item


@contextmanager
def noted(faults: list[str], place: str) -> Iterator[None]:
    """Add what is wrong with the data read inside to `faults`, in place of raising it."""
    try:
        yield
    except FormatError as error:
        faults.append(str(error))
    except RecursionError:
        faults.append(f"{place}: it is nested too deeply.")


def _utf8(data: bytes, name: str) -> bytes:
    """Return `data` in UTF-8 without a byte order mark, decoded as the mark says."""
    for magic, what, advice in _BINARY:
        if data.startswith(magic):
            raise FormatError(f"{name}: this is {what}, not JSON. {advice}")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding).encode()
            except UnicodeError as error:
                raise FormatError(
                    f"{name}: the file begins as {encoding.upper()} and then is not: {error}. Save it as UTF-8."
                ) from error
    if b"\x00" in data:
        looks_utf16 = data[:2].count(0) == 1
        what = "looks like UTF-16 without a byte order mark" if looks_utf16 else "is binary (it holds zero bytes)"
        raise FormatError(f"{name}: the file {what}, not JSON in UTF-8. Save it as UTF-8.")
    return data


def _text(data: bytes, source: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{source}: byte 0x{data[error.start]:02x} at offset {error.start:,} (line {line:,}) is not UTF-8; the file"
            " may be in Latin-1 or Windows-1252. Save it as UTF-8."
        ) from error


def _line_by_line(data: bytes) -> bool:
    """Whether the first line is an object by itself and not the only line."""
    start = _INK.search(data)
    end = data.find(b"\n", start.start()) if start else -1
    if end < 0 or not _INK.search(data, end):
        return False
    try:
        _DECODER.decode(data[:end].decode())
    except (ValueError, RecursionError):
        return False
    return True


def _lines(data: bytes, name: str) -> Iterator[Node | FormatError]:
    number, start = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        number += 1
        line, rest = data[start:end].strip(), _INK.search(data, end)
        start = end + 1
        if line:
            source = f"{name}, line {number:,}"
            try:
                yield Node(_parse_line(_text(line, source), source, last=rest is None), source)
            except FormatError as error:
                yield error


def _parse_line(text: str, source: str, *, last: bool) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        if last:
            raise FormatError(
                f"{source}: the last line is truncated ({_reason(error)}): the file was not written to its end."
                " The lines before it are whole; write it again and import it again to get the rest."
            ) from error
        raise FormatError(f"{source}: not JSON ({_reason(error)}). Mend or remove this line.") from error


def _elements(text: str, name: str) -> Iterator[Node | FormatError]:
    at = _skip(text, _skip(text, 0) + 1)
    number = 0
    while number > 0 or not text.startswith("]", at):
        item, at = _element(text, at, Node(None, name, (number,)))
        yield item
        number += 1
        at = _skip(text, at)
        if not text.startswith(",", at):
            break
        at = _skip(text, at + 1)
    if not text.startswith("]", at):
        _refuse(text, at, name, "a comma or the end of the array is missing")
    _nothing_after(text, at + 1, name)


def _element(text: str, at: int, place: Node) -> tuple[Node | FormatError, int]:
    """Return an element of an array, or its fault if only a number in it is none, and where it ends."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        with suppress(ValueError, RecursionError):
            end = _LENIENT.raw_decode(text, at)[1]
            return place.fault(f"not JSON ({_reason(error)}). Mend or remove this element."), end
        value, end = _parse(text, at, place.source)
    return replace(place, value=value), end


def _parse(text: str, at: int, name: str, advice: str = "") -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        # The decoder reports an unterminated string at its start; what is missing is its end.
        broken_off = error.msg.startswith("Unterminated string")
        _refuse(text, len(text) if broken_off else error.pos, name, _reason(error), advice)
    except (ValueError, RecursionError) as error:
        _refuse(text, at, name, _reason(error), advice)


def _nothing_after(text: str, at: int, name: str, advice: str = "") -> None:
    if _skip(text, at) < len(text):
        _refuse(text, _skip(text, at), name, "there is more after the end of the document", advice)


def _refuse(text: str, at: int, name: str, reason: str, advice: str = "") -> NoReturn:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    where = f"{name}, line {line:,}, column {column:,}"
    start = _skip(text, 0)
    if text[start] not in "[{":
        raise FormatError(f"{where}: this is not JSON; it begins with {text[start : start + 20]!r}. {advice}")
    if _skip(text, at) == len(text):
        raise FormatError(
            f"{where}: the file breaks off in the middle of the JSON ({reason}): it was not written to its end."
            " Export or download it again."
        )
    raise FormatError(
        f"{where}: not JSON ({reason}), at {text[at : at + 20]!r}. Mend or export it again; the rest was not read."
    )


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at")
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error).partition(";")[0]


def _skip(text: str, at: int) -> int:
    """Return the position of the next character that is not blank."""
    blank = _SPACE.match(text, at)
    return blank.end() if blank else at


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f"[{json.dumps(key)}]"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_LENIENT = json.JSONDecoder(parse_constant=str, parse_int=str)  # tells where a value ends that has odd numbers
