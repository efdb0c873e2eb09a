"""Numbers written as words: "two kids" are 2, "einundvierzig" is 41."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memoranda.core.text.detect import LANGUAGES
from memoranda.languages import read

#: The tables of number words in `languages/*/times.toml`.
_KINDS = ("digit", "teen", "tens", "small", "two_digits")
_TENS = "tens"  # after one of these a digit may follow: "forty-two"


@dataclass(frozen=True, slots=True)
class _Numerals:
    """The number words of a language, those that a digit may follow, and the pattern that finds them."""

    values: Mapping[str, int]
    tens: frozenset[str]
    pattern: re.Pattern[str]


@cache
def _numerals(language: str) -> _Numerals:
    table = read(f"{language}/times")
    words = {kind: _listed(table["words"].get(kind, {})) for kind in _KINDS}
    values = {word: number for listed in words.values() for word, number in listed.items()}
    longest = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    edge, gap = (r"\b", "[- ]") if table.get("spaced", True) else ("", "")
    pattern = re.compile(rf"{edge}({longest})(?:{gap}({longest}))?{edge}", re.IGNORECASE)
    return _Numerals(values, frozenset(words[_TENS]), pattern)


def _listed(values: Mapping[str, str]) -> dict[str, int]:
    return {word: int(number) for number, listed in values.items() for word in listed.split("|")}


def in_digits(text: str, language: str) -> str:
    """Return a text with number words up to 99 replaced by digits, in one of `LANGUAGES`."""
    if language not in LANGUAGES:
        return text
    numerals = _numerals(language)

    def digits(found: re.Match[str]) -> str:
        first, second = (word.lower() if word else "" for word in found.groups())
        count, more = numerals.values[first], numerals.values.get(second, 0)
        if first in numerals.tens and more < 10:
            return str(count + more)
        return f"{count} {more}" if second else str(count)

    return numerals.pattern.sub(digits, text)
