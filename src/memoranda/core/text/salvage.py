"""Read a language model's JSON answer item by item, so that one broken item does not cost the others.

Prose around it and fences are skipped, commas missing after a bracket or too many do no harm, JSON inside strings is
unwrapped. An element of an array is read whole or not at all, because what is missing may have changed its meaning.
Objects around it keep their complete members, so a truncated answer ends with its last complete item. Nothing is
guessed: what cannot be read is reported.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from memoranda.core.base.checks import brief
from memoranda.core.text.terms import storable

_MOST = 400_000  # characters that are read; an answer to one prompt is far shorter
_DEEPEST = 32  # levels, including those of unwrapped strings
_REPORTED = 50  # problems that are reported one by one
_STARTS = 20  # opening braces that are tried as the start of the answer
_DIGITS = 32  # of a number: no statement needs more

_FENCE = re.compile(r"\s*```\w*\n(.*?)\n?```\s*", re.DOTALL)
_BLANK = re.compile(r"[\s,]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_WORD = re.compile(r"\w+")
_COLON = re.compile(r"\s*:\s*")
_DELIMITED = re.compile(r"\s*(?:[,\]}]|\Z)")
_AGAIN = re.compile(r"\s*[\[{\"]")
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\],]', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)  # line breaks in strings
_LITERALS = {"true": True, "false": False, "null": None}


def unfenced(text: str) -> str:
    """Return `text` without a Markdown fence around the whole of it."""
    fenced = _FENCE.fullmatch(text)
    return fenced[1] if fenced else text


def parse_json(text: str) -> Any:
    """Return `text` parsed as JSON, fenced or not; None if it is not JSON."""
    try:
        return json.loads(unfenced(text))
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """The readable part of an answer.

    Attributes:
        value: the object in the text; None if there is none, unlike an empty object.
        problems: what could not be read or was repaired, at most 50; `unread`: how many there were in all.
    """

    value: dict[str, Any] | None
    problems: tuple[str, ...] = ()
    unread: int = 0


def salvage(text: str) -> Salvaged:
    """Return the JSON object in `text`, the longest of several. Never raises, whatever the text."""
    text = text.lstrip("\ufeff")
    while isinstance(inner := _wrapped(text), str):
        text = inner
    read = _longest(text[:_MOST])
    if len(text) > _MOST:
        read.tell("", f"only the first {_MOST:,} of {len(text):,} characters are read")
    if read.found is None:
        read.tell("", f"there is no JSON object in {brief(text)}" if text.strip() else "the answer is empty")
    return Salvaged(value=read.found, problems=tuple(read.problems), unread=read.unread)


def _wrapped(text: str) -> Any:
    """Return the string that a text is as JSON, which is always shorter; None if it is not a string."""
    return parse_json(text) if unfenced(text).lstrip()[:1] == '"' else None


def _longest(text: str) -> "_Reader":
    """Return the reader of the longest object in a text, by characters; of an empty one only if there is no other."""
    best, size, at = _Reader(text, len(text)), -1, 0
    for _ in range(_STARTS):
        start = text.find("{", at)
        if start < 0:
            break
        reader = _Reader(text, start)
        found, _ = reader.container(_DEEPEST)
        if isinstance(found, dict) and (reader.at - start if found else 0) > size:
            reader.found = found
            best, size = reader, (reader.at - start if found else 0)
        at = reader.at if found else start + 1
    return best


class _UnreadableError(ValueError):
    """Not a JSON value, with the reason."""


class _Reader:
    """Reads values from a position in a text."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.found: dict[str, Any] | None = None
        self.problems: list[str] = []
        self.unread = 0

    def tell(self, path: str, problem: str) -> None:
        """Report a problem with the value at a path."""
        self.unread += 1
        if len(self.problems) < _REPORTED:
            self.problems.append(f"{path}: {problem}" if path else problem)

    def container(self, deep: int, path: str = "") -> tuple[Any, bool]:
        """Return the object or array that begins here, of at most `deep` levels, and whether it is complete."""
        named = self.text[self.at] == "{"
        members: dict[str, Any] = {}
        elements: list[Any] = []
        self.at += 1
        while not self._over():
            start, where = self.at, path
            try:
                name = self._name() if named else str(len(elements))
                where = f"{path}.{name}".lstrip(".")
                value, whole = self._value(deep, where)
                if not whole and not named:
                    self._refuse("it breaks off")
                if named:
                    self._keep(members, name, value, where)
                else:
                    elements.append(value)
            except _UnreadableError as problem:
                self.tell(where, str(problem))
                self.at = self._after(start)
        closed = self.text[self.at : self.at + 1] == ("}" if named else "]")
        whole = self.at < len(self.text)
        self.at += closed
        if not whole and deep == _DEEPEST:
            self.tell("", "the answer breaks off")
        return (members if named else elements), whole

    def _over(self) -> bool:
        """Skip blanks and commas, and return whether the current container or the text ends here."""
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.at >= len(self.text) or self.text[self.at] in "]}"

    def _name(self) -> str:
        if self.text[self.at] != '"':
            self._refuse("a name in double quotes is needed")
        name = self._string()
        colon = _COLON.match(self.text, self.at)
        if not colon:
            self._refuse("there is no value")
        self.at = colon.end()
        return name

    def _value(self, deep: int, path: str) -> tuple[Any, bool]:
        """Return the value that begins here, and whether it is complete."""
        first = self.text[self.at : self.at + 1]
        if first in {"{", "["}:
            if deep <= 1:
                self._refuse(f"it is nested deeper than {_DEEPEST} levels")
            found, whole = self.container(deep - 1, path)
            if not (_DELIMITED.match(self.text, self.at) or _AGAIN.match(self.text, self.at)):
                self._refuse("something else follows")
            return found, whole
        value: Any = self._unwrapped(self._string(), deep, path) if first == '"' else self._scalar()
        if not _DELIMITED.match(self.text, self.at):
            self._refuse("a quotation mark in it is not escaped, or a comma is missing")
        return value, True

    def _string(self) -> str:
        try:
            found, self.at = _DECODER.raw_decode(self.text, self.at)
        except ValueError as error:
            raise _UnreadableError("the string breaks off or holds a wrong escape") from error
        return storable(str(found))[0]

    def _scalar(self) -> Any:
        number = _NUMBER.match(self.text, self.at)
        if number and number.end() < len(self.text):
            self.at = number.end()
            value = json.loads(number[0].lstrip("-")) if len(number[0]) <= _DIGITS else math.inf
            if not math.isfinite(value):
                self._refuse("the number is too large")
            return -value if number[0][0] == "-" else value
        word = _WORD.match(self.text, self.at)
        if not word or word[0] not in _LITERALS:
            self._refuse("it is no JSON value")
        self.at = word.end()
        return _LITERALS[word[0]]

    def _unwrapped(self, text: str, deep: int, path: str) -> Any:
        """Return the JSON value inside a string; the string itself if it only looks like JSON."""
        bare = unfenced(text).strip()
        if deep <= 1 or bare[:1] not in {"{", "["}:
            return text
        inner = _Reader(bare, 0)
        found, _ = inner.container(deep - 1, path)
        clean = not inner.unread and inner.at == len(bare)
        if not clean and (not found or deep < _DEEPEST):
            return text  # somebody's words in brackets
        for problem in inner.problems:
            self.tell("", problem)
        return found

    def _keep(self, members: dict[str, Any], name: str, value: Any, path: str) -> None:
        """Add a member; the values of a repeated name are merged if they are objects or lists."""
        known = members.get(name)
        if name in members:
            self.tell(path, "the name stands there twice")
        if isinstance(known, dict) and isinstance(value, dict):
            value = {**known, **value}
        elif isinstance(known, list) and isinstance(value, list):
            value = [*known, *value]
        members[name] = value

    def _refuse(self, reason: str) -> NoReturn:
        raise _UnreadableError(f"{reason}, at {brief(self.text[self.at : self.at + 40])}")

    def _after(self, start: int) -> int:
        """Return where the value that begins at `start` ends: at the next comma or bracket of its own level."""
        depth = 0
        for piece in _PIECE.finditer(self.text, start):
            match piece[0]:
                case "{" | "[":
                    depth += 1
                case "}" | "]" | "," if not depth:
                    return piece.start()
                case "}" | "]":
                    depth -= 1
        return len(self.text)
