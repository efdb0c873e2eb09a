r"""Texts in which the escapes of JSON stand for characters: `M\u00fcller`, `a\nb`, and JSON within JSON.

A backslash need not be an escape: `C:\new\table` holds neither a line break nor a tab. So a text is read in several
ways. Escapes that can hardly be anything else are read everywhere, the others in what stands between quotes as JSON
has them. Last, all are read as escapes; such a reading is trusted for long runs of letters only.
"""

import json
import re
import unicodedata
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

EDGE = "\x1e"  # instead of the quotes of a string that was read: what is in it now is no escape of this string
_ESCAPE = re.compile(r'\\(["\\/bfnrt])|[^"\\]?(?:\\u[0-9a-fA-F]{4})+')  # with the letter that an accent may be of
#: What is in quotes after a bracket, comma or colon and before another one; or is cut off at the end of a text.
_STRING = re.compile(
    r'(?:\A|[\[{,:\x1e])[ \t\r\n]*"((?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)'
    r'(?:"(?=[ \t\r\n]*(?:[\]},:\x1e]|\Z))|(?:\\(?:u[0-9a-fA-F]{0,3})?)?…?\Z)'
)
_OPENS = re.compile(r"[\[{]|\A\"")
_STARTS = 50  # brackets that are tried in vain as the start of a document: each may cost as much as the whole text
_LEVELS = 64  # of a document; what is nested deeper is a text like others
_DEEPEST = 3  # JSON within JSON within JSON
_TRUSTED = 8  # letters of a run that is read as if each backslash were an escape


def readings(text: str) -> Iterator[tuple[str, Sequence[int], int]]:
    """Yield a text as it stands, and as it reads otherwise.

    Each with where its characters stand in the text, and the fewest letters of a run for which the reading is trusted.
    """
    yield text, range(len(text)), 0
    known = {text}
    for everywhere in (False, True) if '"' in text or "\\" in text else ():
        read, at = text, [*range(len(text))]
        for _ in range(_DEEPEST):
            read, at = _read(read, at, everywhere=everywhere)
            if read in known:
                break
            known.add(read)
            yield read, at, _TRUSTED if everywhere else 0


def documents(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the JSON in a text, objects, lists and a string at its start: where each begins and ends, and its value."""
    end, failed, read = 0, 0, json.JSONDecoder(object_pairs_hook=_object).raw_decode
    for found in _OPENS.finditer(text):
        if (start := found.start()) >= end and failed < _STARTS:
            try:
                value, end = read(text, start)
            except (ValueError, RecursionError):
                failed += 1
            else:
                yield from [(start, end, value)] if _levels(value) <= _LEVELS else ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; an error if it has a name twice, for one of its values would not be seen."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name twice")
    return found


def _levels(value: Any) -> int:
    """How many levels of objects and lists there are, counted up to one too many."""
    levels, held = 0, [value]
    while levels <= _LEVELS and (held := [one for one in held if isinstance(one, dict | list)]):
        held = [each for one in held for each in (one.values() if isinstance(one, dict) else one)]
        levels += 1
    return levels


def _read(text: str, at: Sequence[int], *, everywhere: bool) -> tuple[str, list[int]]:
    """Read the escapes of a text once."""
    spans = [found.span(1) for found in _STRING.finditer(text)]
    characters, places, done, marked = list[str](), list[int](), 0, [*text]
    for start, end in spans:
        marked[start - 1] = EDGE
        marked[end : end + 1] = [EDGE] if text.startswith('"', end) else marked[end : end + 1]
    for escape in _ESCAPE.finditer(text):
        start, within = escape.start(), bisect(spans, (escape.start(), len(text))) - 1
        inside = within >= 0 and start < spans[within][1]
        if (escape[1] or "u") in "bfnrt" and not (inside or everywhere):
            continue
        one = unicodedata.normalize("NFC", json.loads(f'"{escape[0]}"', strict=False))
        characters += (*marked[done:start], *one)
        places += (*at[done:start], *repeat(at[start], len(one)))
        done = escape.end()
    return "".join((*characters, *marked[done:])), [*places, *at[done:]]
