"""The engine: words become marks, and rules rewrite rows of marks until only values are left.

A text is read once into *marks*: a kind (month, number, unit, ...), a value and offsets. A rule is a regular expression
over kinds, not over characters, with a function that makes one mark of those it matched. The rules of a pack are applied
in order, each once over the whole row, so that later rules build upon what earlier ones made: "twenty" "first" is an
ordinal, an ordinal and a month are a date, two dates are a range. Every pattern is of bounded length over a row of at
most `LIMIT` time words, so the work is linear whatever the text.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

#: Time words read in one text; a text with more of them is a table, not a message.
LIMIT = 1000

_NAME = re.compile(r"[a-z_0-9]+")
_SHAPES = (
    r"(?P<iso>(?<![\d.])\d{4}-\d{1,2}-\d{1,2}T\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\d:]))"
    r"|(?P<clock>(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))"
    r"|(?P<date3>(?<![\d/.-])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?!\d|[-/.]\d))"
    r"|(?P<date2>(?<![\d/.-])\d{1,2}/\d{1,2}(?!\d|[-/.]\d))"
    r"|(?P<yearmonth>(?<![\d/.-])(?:\d{4}[-/.](?:1[0-2]|0?[1-9])|(?:1[0-2]|0?[1-9])[-/]\d{4})(?!\d|[-/.]\d))"
    r"|(?P<decimal>\d{1,4}\.\d{1,2}(?![\d.]))"
    r"|(?P<number>\d+)"
)
_TAIL = r"|(?P<break>[\n;!?()\[\]{}\"“”|])|(?P<sign>[^\w\s])"


@dataclass(slots=True)
class Mark:
    """One word, or what rules made of several: its kind, its value (None for glue) and its place in the text."""

    kind: str
    value: Any
    start: int
    end: int
    text: str = ""


#: A rule as data: a pattern over kinds, the kind it makes, and the function of (now, *values) that makes it.
Rule = tuple[str, str, Callable[..., Any]]


class Alphabet:
    """One private character for each kind, so that a row of marks is a string and a pattern an ordinary regex."""

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._letters: dict[str, str] = {}
        self._groups = groups

    def letter(self, kind: str) -> str:
        """The character that stands for a kind."""
        return self._letters.setdefault(kind, chr(0xE000 + len(self._letters)))

    def compile(self, pattern: str) -> re.Pattern[str]:
        """A pattern of kinds as a regular expression over their characters."""
        return re.compile(_NAME.sub(self._atom, pattern).replace(" ", ""))

    def _atom(self, match: re.Match[str]) -> str:
        name = match[0]
        if name.isdigit():
            return name
        if name in self._groups:
            return "[" + "".join(self.letter(kind) for kind in self._groups[name].split()) + "]"
        return self.letter(name)


class Grammar:
    """The words and rules of one language, ready to run."""

    def __init__(
        self,
        words: Mapping[str, tuple[str, Any]],
        rules: Iterable[Rule],
        groups: Mapping[str, str],
        *,
        glue: Iterable[str] = (),
        spaced: bool = True,
    ) -> None:
        alphabet = Alphabet(groups)
        self._words = {word: entry for word, entry in words.items() if " " not in word}
        self._phrases: dict[str, list[tuple[list[str], tuple[str, Any]]]] = {}
        for phrase in sorted((word for word in words if " " in word), key=lambda text: -text.count(" ")):
            first, *rest = phrase.split(" ")
            self._phrases.setdefault(first, []).append((rest, words[phrase]))
        dumb = {*glue}
        self._triggers = frozenset(word for word, (kind, _) in self._words.items() if kind not in dumb)
        self._triggers |= frozenset(self._phrases)
        word = r"[^\W\d_]+" if spaced else "|".join(map(re.escape, sorted(self._words, key=len, reverse=True)))
        self._word = re.compile(word + r"|\d", re.IGNORECASE)
        self._lexer = re.compile(f"{_SHAPES}|(?P<word>{word}){_TAIL}", re.IGNORECASE)
        self._dumb = dumb
        self._letter = alphabet.letter
        self._other = alphabet.letter("other")
        self._rules = [(alphabet.compile(pattern), kind, make) for pattern, kind, make in rules]

    def suspects(self, text: str) -> bool:
        """Whether a text holds a word or number that could be part of a time expression."""
        words = set(self._word.findall(text.lower()))
        return not self._triggers.isdisjoint(words) or not words.isdisjoint("0123456789")

    def read(self, text: str, now: datetime) -> list[Mark]:
        """The marks left of a text once every rule has had its turn."""
        marks = self._phrased(self._lex(text))
        for pattern, kind, make in self._rules:
            row = "".join([self._letter(mark.kind) for mark in marks]) if pattern is self._rules[0][0] else row
            found = False
            pieces: list[Mark] = []
            done = 0
            for match in pattern.finditer(row):
                if match.end() == match.start():
                    continue
                made = _make(make, now, marks[match.start() : match.end()])
                if made is None:
                    continue
                found = True
                pieces += marks[done : match.start()]
                pieces.append(Mark(kind, made, marks[match.start()].start, marks[match.end() - 1].end))
                done = match.end()
            if found:
                marks = pieces + marks[done:]
                row = "".join([self._letter(mark.kind) for mark in marks])
        return marks

    def _lex(self, text: str) -> list[Mark]:
        marks: list[Mark] = []
        seen = 0
        words, dumb = self._words, self._dumb
        for match in self._lexer.finditer(text):
            shape = match.lastgroup or "sign"
            found = match[0]
            if shape == "word":
                low = found.lower()
                kind, value = words.get(low, ("other", None))
                marks.append(Mark(kind, value, match.start(), match.end(), low))
                seen += kind != "other" and kind not in dumb
            elif shape == "number":
                seen += 1
                marks.append(Mark(_number_kind(found), int(found[:9]), match.start(), match.end(), found))
            elif shape in {"sign", "break"}:
                kind, value = words.get(found, ("other", None)) if shape == "sign" else ("other", None)
                marks.append(Mark(kind, value, match.start(), match.end(), found))
            else:
                seen += 1
                marks.append(Mark(shape, found, match.start(), match.end(), found))
            if seen >= LIMIT:
                break
        return marks

    def _phrased(self, marks: list[Mark]) -> list[Mark]:
        """The row with phrases of the lexicon ("new year's eve") taken together."""
        phrases = self._phrases
        if not any(mark.text in phrases for mark in marks):
            return marks
        row: list[Mark] = []
        at = 0
        while at < len(marks):
            mark = marks[at]
            size = 1
            for rest, (kind, value) in phrases.get(mark.text, ()):
                if [other.text for other in marks[at + 1 : at + 1 + len(rest)]] == rest:
                    size += len(rest)
                    mark = Mark(kind, value, mark.start, marks[at + size - 1].end)
                    break
            row.append(mark)
            at += size
        return row


def _number_kind(digits: str) -> str:
    if len(digits) <= 2:
        return "small"
    if len(digits) == 4 and "1500" <= digits < "2200":
        return "year"
    return "four" if len(digits) in {3, 4} else "big"


def _make(make: Callable[..., Any], now: datetime, marks: list[Mark]) -> Any:
    try:
        return make(now, *[mark.value for mark in marks if mark.value is not None])
    except (ValueError, OverflowError):  # an impossible date is not a date
        return None
