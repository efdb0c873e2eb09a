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

EDGE = "\x1e"  # instead of the quotes of a string that was read: what is in it now is no escape of this string
_ESCAPE = re.compile(r'\\(["\\/bfnrt])|[^"\\]?(?:\\u[0-9a-fA-F]{4})+')  # with the letter that an accent may be of
#: What is in quotes after a bracket, comma or colon and before another one; or is cut off at the end of a text.
_STRING = re.compile(
    r'(?:\A|[\[{,:\x1e])[ \t\r\n]*"((?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)'
    r'(?:"(?=[ \t\r\n]*(?:[\]},:\x1e]|\Z))|(?:\\(?:u[0-9a-fA-F]{0,3})?)?…?\Z)'
)
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
