"""The engine: rules rewrite a row of marks until only values are left.

A rule is a regular expression over kinds, not characters, with a function that makes one mark of those it matched.
The rules of a language are applied in order, each once over the whole row, so that later rules build upon earlier
ones: "twenty" "first" is an ordinal, an ordinal and a month are a date, two dates are a range. Every pattern is of
bounded length over a row of bounded length, so the work is linear in the text.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memoranda.core.temporal.calendar import Cycle
from memoranda.core.temporal.lexicon import Lexicon, Mark

#: A rule: a pattern over kinds, the resulting kind, and the function of (now, *values) that computes its value.
Rule = tuple[re.Pattern[str], str, Callable[..., Any]]


class Alphabet:
    """One private-use character for each kind, so that a row of marks is a string and a pattern an ordinary regex.

    `groups` maps names in patterns to several kinds.
    """

    _NAME = re.compile(r"[a-z_][a-z_0-9]*")

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._letters: dict[str, str] = {}
        self._groups = groups

    def letter(self, kind: str) -> str:
        """Return the character for a kind."""
        return self._letters.setdefault(kind, chr(0xE000 + len(self._letters)))

    def compile(self, pattern: str) -> re.Pattern[str]:
        """Compile a pattern of kinds to a regular expression; a group is written in brackets, "[group kind]"."""
        return re.compile(self._NAME.sub(self._atom, pattern).replace(" ", ""))

    def _atom(self, match: re.Match[str]) -> str:
        return "".join(self.letter(kind) for kind in self._groups.get(match[0], match[0]).split())


class Grammar:
    """The lexicon and the rules of one language, ready to run; the rules' patterns are written in `alphabet`."""

    def __init__(self, lexicon: Lexicon, rules: Sequence[Rule], alphabet: Alphabet) -> None:
        self.lexicon = lexicon
        self.rules = rules
        self._letter = alphabet.letter

    def read(self, text: str, now: datetime) -> list[Mark]:
        """Return the marks of a text after all rules have been applied."""
        marks = self.lexicon.marks(text)
        row = self._row(marks)
        for pattern, kind, make in self.rules:
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


def _make(make: Callable[..., Any], now: datetime, marks: list[Mark]) -> Any:
    try:
        made = make(now, *[mark.value for mark in marks if mark.value is not None])
        if isinstance(made, Cycle):
            made.near(now, 0)
    except (ValueError, OverflowError):  # an impossible date, or one that never comes, is not a date
        return None
    return made
