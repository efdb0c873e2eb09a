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
from itertools import groupby
from typing import Any

#: Time words read in one text; a text with more of them is a table, not a message.
LIMIT = 1000

#: What is recognised by its shape, in this order, and becomes a mark of that kind with its text as value.
SHAPES: Mapping[str, str] = {
    "iso": r"(?<![\d.])\d{4}-\d{1,2}-\d{1,2}T\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\d:])",
    "clock_letter": r"(?<!\w)\d{1,2}(?::\d{2})?[apAP](?![^\W_]|\.\s?[mM])",
    "clock": r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])",
    "date8": r"(?<![\d.])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)",
    "date3": r"(?<!\d)(?<!\d[/.-])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-.]\d{1,2}[-.](?:\d{4}|\d{2}))(?!\d|[-/.]\d)"
    r"|(?<![\d/.])\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?!\d|/\d)",
    "date2": r"(?<![\d/.])\d{1,2}/\d{1,2}(?!\d|[/.]\d)",
    "yearmonth": r"(?<!\w)(?<![\w][/.-])(?:\d{4}[-/.](?:1[0-2]|0?[1-9])|(?:1[0-2]|0?[1-9])[-/]\d{4})(?!\d|[-/.]\d)",
    "decade4": r"(?<!\w)[12]\d\d0(?:['’]?s|er)(?![^\W_])",
    "decade2": r"(?<!\w)['’]?\d0(?:['’]?s|er)(?![^\W_])",
    "clock_h": r"(?<!\w)\d{1,2}\s?[hH]\s?\d{2}(?!\w)",
    "compact": r"(?<!\w)\d{1,3}[hywHYW](?![^\W_])",
    "grouped": r"(?<!\w)\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])",
    "decimal": r"(?<![\d.,])\d{1,4}\.\d{1,2}(?!\d|\.\d)",
    "number": r"\d+",
    "possessive": r"['’]s(?![^\W_])",
}


@dataclass(slots=True)
class Mark:
    """One word, or what rules made of several: its kind, its value (None for glue) and its place in the text."""

    kind: str
    value: Any
    start: int
    end: int
    word: str = ""


#: A rule as data: a pattern over kinds, the kind it makes, and the function of (now, *values) that makes it.
Rule = tuple[str, str, Callable[..., Any]]


class Alphabet:
    """One private character for each kind, so that a row of marks is a string and a pattern an ordinary regex."""

    _NAME = re.compile(r"[a-z_][a-z_0-9]*")

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._letters: dict[str, str] = {}
        self._groups = groups

    def letter(self, kind: str) -> str:
        """The character that stands for a kind."""
        return self._letters.setdefault(kind, chr(0xE000 + len(self._letters)))

    def compile(self, pattern: str) -> re.Pattern[str]:
        """A pattern of kinds as a regular expression; a group stands between brackets, "[group kind]"."""
        return re.compile(self._NAME.sub(self._atom, pattern).replace(" ", ""))

    def _atom(self, match: re.Match[str]) -> str:
        return "".join(self.letter(kind) for kind in self._groups.get(match[0], match[0]).split())


class Grammar:
    """The words and rules of one language, ready to run.

    Args:
        words: lexicon, word or phrase (its words and signs separated by spaces) to kind and value.
        rules: in the order in which they are applied.
        groups: names for several kinds in patterns.
        quiet, loud: kinds with a value whose words alone do not make a text worth reading, and without one that do.
        past, future: words that tell the tense of a sentence; `past_ending`: what past forms end with.
        spaced: whether words are set apart by spaces; if not, the lexicon's words are looked for everywhere.
    """

    def __init__(
        self,
        words: Mapping[str, tuple[str, Any]],
        rules: Iterable[Rule],
        groups: Mapping[str, str],
        *,
        quiet: Iterable[str] = (),
        loud: Iterable[str] = (),
        past: str = "",
        future: str = "",
        past_ending: str = "",
        spaced: bool = True,
    ) -> None:
        self._tenses = {word: -1 for word in past.split()} | {word: 1 for word in future.split()}
        self._past_ending = past_ending
        alphabet = Alphabet(groups)
        self._letter = alphabet.letter
        self._rules = [(alphabet.compile(pattern), kind, make) for pattern, kind, make in rules]
        self._words = words
        self._phrases: dict[str, list[tuple[list[str], tuple[str, Any]]]] = {}
        for phrase in sorted((word for word in words if " " in word), key=lambda text: -text.count(" ")):
            first, *rest = phrase.split(" ")
            self._phrases.setdefault(first, []).append((rest, words[phrase]))
        telling = (word for word, (kind, value) in words.items() if kind in loud or (value is not None and kind not in quiet))
        self._triggers = frozenset(max(word.split(" "), key=len) for word in telling)
        word = r"[^\W\d_]+" if spaced else "|".join([*map(re.escape, sorted(words, key=len, reverse=True)), r"[^\W\d_]"])
        shapes = "|".join(f"(?P<{name}>{shape})" for name, shape in SHAPES.items())
        flags = re.IGNORECASE if not spaced else re.NOFLAG
        self._word = re.compile(f"{word}|[0-9]")
        self._lexer = re.compile(f"(?P<word>{word})|(?=[\\d'’])(?:{shapes})|(?P<sign>[^\\w\\s]|\n)", flags)

    def suspects(self, text: str) -> bool:
        """Whether a text holds a word or number that could be part of a time expression."""
        words = set(self._word.findall(text.lower()))
        return not self._triggers.isdisjoint(words) or not words.isdisjoint("0123456789")

    def tense(self, before: str, after: str) -> int:
        """Past (-1), future (1) or unknown (0), by the nearest word that tells, first before an expression."""
        words = [*reversed(self._word.findall(before.lower())), *self._word.findall(after.lower())]
        for word in words:
            found = self._tenses.get(word)
            if found is None and self._past_ending and len(word) > 4 and word.endswith(self._past_ending):
                found = -1
            if found:
                return found
        return 0

    def read(self, text: str, now: datetime) -> list[Mark]:
        """The marks left of a text once every rule has had its turn."""
        marks = _islands(self._phrased(self._lex(text)))
        row = self._row(marks)
        for pattern, kind, make in self._rules:
            if not pattern.search(row):
                continue
            pieces: list[Mark] = []
            done = 0
            for match in pattern.finditer(row):
                matched = marks[match.start() : match.end()]
                made = _make(make, now, matched)
                if made is not None:
                    pieces += marks[done : match.start()]
                    pieces.append(Mark(kind, made, matched[0].start, matched[-1].end))
                    done = match.end()
            if done:
                marks = pieces + marks[done:]
                row = self._row(marks)
        return marks

    def _row(self, marks: list[Mark]) -> str:
        letter = self._letter
        return "".join([letter(mark.kind) for mark in marks])

    def _lex(self, text: str) -> list[Mark]:
        marks: list[Mark] = []
        seen = 0
        unknown = ("other", None)
        for match in self._lexer.finditer(text):
            shape, found = match.lastgroup or "", match[0]
            word = found.lower().replace("’", "'")
            kind: str
            value: Any
            if shape == "number":
                kind, value = _number_kind(found), int(found[:9])
            elif shape in SHAPES and shape != "possessive":
                kind, value = shape, found
            else:
                kind, value = self._words.get(word, unknown)
            marks.append(Mark(kind, value, match.start(), match.end(), word))
            seen += value is not None
            if seen >= LIMIT:
                break
        return marks

    def _phrased(self, marks: list[Mark]) -> list[Mark]:
        """The row with phrases of the lexicon ("new year's eve") taken together."""
        phrases = self._phrases
        if phrases.keys().isdisjoint([mark.word for mark in marks]):
            return marks
        row: list[Mark] = []
        at = 0
        while at < len(marks):
            mark, size = marks[at], 1
            for rest, (kind, value) in phrases.get(mark.word, ()):
                if [other.word for other in marks[at + 1 : at + 1 + len(rest)]] == rest:
                    size += len(rest)
                    mark = Mark(kind, value, mark.start, marks[at + size - 1].end)
                    break
            row.append(mark)
            at += size
        return row


def _islands(marks: list[Mark]) -> list[Mark]:
    """The row without what cannot matter: runs of plain words and lone glue become one plain mark."""
    row: list[Mark] = []
    for plain, group in groupby(marks, key=lambda mark: mark.kind == "other"):
        run = list(group)
        if not plain and any(mark.value is not None for mark in run):
            row += run
        elif not row or row[-1].kind != "other":
            row.append(run[0] if plain else Mark("other", None, run[0].start, run[-1].end))
    return row


def _number_kind(digits: str) -> str:
    if len(digits) <= 2:
        return "small" if int(digits) <= 31 else "two_digits"
    if len(digits) == 4 and digits[0] == "0" and digits[2] < "6":
        return "digits_clock"
    if len(digits) == 4 and "1500" <= digits < "2200":
        return "year"
    return "four" if len(digits) <= 4 else "big"


def _make(make: Callable[..., Any], now: datetime, marks: list[Mark]) -> Any:
    try:
        return make(now, *[mark.value for mark in marks if mark.value is not None])
    except (ValueError, OverflowError):  # an impossible date is not a date
        return None
