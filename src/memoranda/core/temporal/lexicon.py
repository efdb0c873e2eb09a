"""The words of a language, and how a text becomes a row of marks.

A mark is a word, a number or a sign: its kind (month, unit, rel, ...), its value, and its position. Words without
temporal meaning have the kind `other`; glue (in, of, the) has a kind and no value.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

#: Time words read in one text, at most; a text with more of them is a table, not a message.
LIMIT = 500

_NEAR = 50  # characters at most between an expression and a cue that it is arranged
#: What precedes an expression that begins a clause: a conjunction, and at most a preposition.
_BEGINS = re.compile(r"\b(?:and|but|so|then|und|aber|dann|y|pero|et|mais),?\s+(?:\w{1,3}\s+)?$")

Words = Mapping[str, tuple[str, Any]]


@dataclass(slots=True)
class Mark:
    """One word, or what rules made of several: its kind, its value (None for glue) and its position in the text."""

    kind: str
    value: Any
    start: int
    end: int
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How a language expresses time.

    Attributes:
        words: kind → value → words, separated by bars.
        glue: kind → words without a value.
        quiet, loud: kinds with a value whose words alone do not make a text worth reading; kinds without one that do.
        past, future: cues for the tense of a sentence, as patterns between "|", and `present`: cues for an arrangement
            ("I'm flying on Tuesday"), or for the past if `perfect` follows.
        note: the start of a sentence that notes an event without a verb ("Dinner with Anna on Tuesday").
        spaced: whether words are separated by spaces; if not, the lexicon's words are searched everywhere.
    """

    words: Mapping[str, Mapping[str, str]]
    glue: Mapping[str, str]
    quiet: frozenset[str] = frozenset()
    loud: frozenset[str] = frozenset()
    past: str
    future: str
    present: str
    perfect: str = "(?!)"
    note: str = "(?!)"
    spaced: bool = True


class Lexicon:
    """The words of one language, compiled.

    Args:
        words: word or phrase (its words and signs separated by spaces) to kind and value.
        times: how the language expresses time.
        shapes: kind → pattern of what is recognised by its shape, in this order.
    """

    def __init__(self, words: Words, times: Times, shapes: Mapping[str, str]) -> None:
        self.words = words
        self._phrases = _phrases(words)
        self._triggers = _triggers(words, times.quiet, times.loud)
        self._shapes = shapes.keys() - {"possessive"}
        edge = r"\b" if times.spaced else ""
        cues = f"(?P<future>{times.future})|(?P<past>{times.past})|(?P<present>{times.present})"
        self._cue = re.compile(f"{edge}(?:{cues}){edge}")
        self._perfect = re.compile(times.perfect)
        self._note = re.compile(f"{times.note}{edge}")
        longest_first = map(re.escape, sorted(words, key=len, reverse=True))
        word = r"[^\W\d_]+" if times.spaced else "|".join([*longest_first, r"[^\W\d_]"])
        shape = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in shapes.items())
        self._word = re.compile(f"{word}|[0-9]")
        self._token = re.compile(f"(?P<word>{word})|(?=[\\d'\u2019])(?:{shape})|(?P<sign>[^\\w\\s]|\n)")

    def suspects(self, text: str) -> bool:
        """Whether a text holds a word or number that could be part of a time expression."""
        words = set(self._word.findall(text.lower()))
        return not self._triggers.isdisjoint(words) or not words.isdisjoint("0123456789")

    def tense(self, sentence: str, start: int, end: int, *, asked: bool) -> int:
        """Return past (-1), future (1) or unknown (0), for an expression at [start, end) of a sentence.

        Cues within the expression ("since Friday") come first, then the nearest before it, then the first after it; if
        it begins a clause, the first after it precedes the nearest before it. A question (`asked`) is never a note.
        """
        lower = sentence.lower()  # nouns keep their capitals for `perfect`
        around = [[*self._cue.finditer(lower, 0, start)][::-1], self._cue.finditer(lower, end)]
        if _BEGINS.search(lower, 0, start):
            around.reverse()
        for cue in chain((cue for cue in self._cue.finditer(lower, start, end) if not cue["present"]), *around):
            if cue["past"] or (cue["present"] and self._perfect.match(sentence, cue.end())):
                return -1
            if cue["future"] or max(start - cue.end(), cue.start() - end) <= _NEAR:
                return 1
        return int(not asked and self._note.match(lower) is not None)

    def marks(self, text: str) -> list[Mark]:
        """Return the row of a text, in which runs of plain words and lone glue become one plain mark."""
        row: list[Mark] = []
        for plain, group in groupby(self._joined(self._read(text)), key=lambda mark: mark.kind == "other"):
            run = list(group)
            if not plain and any(mark.value is not None for mark in run):
                row += run
            elif not row or row[-1].kind != "other":
                row.append(Mark("other", None, run[0].start, run[-1].end))
        return row

    def _read(self, text: str) -> list[Mark]:
        marks: list[Mark] = []
        seen = 0
        unknown = ("other", None)
        for match in self._token.finditer(text):
            shape, found = match.lastgroup or "", match[0]
            word = found.lower().replace("\u2019", "'")
            kind: str
            value: Any
            if shape == "number":
                kind, value = _number_kind(found), int(found[:9])
            elif shape in self._shapes:
                kind, value = shape, found
            else:
                kind, value = self.words.get(word, unknown)
            marks.append(Mark(kind, value, match.start(), match.end(), word))
            seen += value is not None
            if seen >= LIMIT:
                break
        return marks

    def _joined(self, marks: list[Mark]) -> list[Mark]:
        """Return the row with phrases of the lexicon ("new year's eve") merged into one mark."""
        if self._phrases.keys().isdisjoint([mark.word for mark in marks]):
            return marks
        row: list[Mark] = []
        at = 0
        while at < len(marks):
            mark, size = marks[at], 1
            for rest, (kind, value) in self._phrases.get(mark.word, ()):
                if [other.word for other in marks[at + 1 : at + 1 + len(rest)]] == rest:
                    size += len(rest)
                    mark = Mark(kind, value, mark.start, marks[at + size - 1].end)
                    break
            row.append(mark)
            at += size
        return row


def _phrases(words: Words) -> dict[str, list[tuple[list[str], tuple[str, Any]]]]:
    """Map the first word of each phrase to the rest, longest first."""
    found: dict[str, list[tuple[list[str], tuple[str, Any]]]] = {}
    for phrase in sorted((word for word in words if " " in word), key=lambda text: -text.count(" ")):
        first, *rest = phrase.split(" ")
        found.setdefault(first, []).append((rest, words[phrase]))
    return found


def _triggers(words: Words, quiet: frozenset[str], loud: frozenset[str]) -> frozenset[str]:
    """Return words that reveal a time entry, one for each; of a phrase, the longest that is not an entry itself."""
    telling = [
        word for word, (kind, value) in words.items() if kind in loud or (value is not None and kind not in quiet)
    ]
    single = {word for word in telling if " " not in word}
    for phrase in telling:
        parts = phrase.split(" ")
        if single.isdisjoint(parts):
            single.add(max(parts, key=lambda part: (part not in words, len(part))))
    return frozenset(single)


def _number_kind(digits: str) -> str:
    if len(digits) <= 2:
        return "small" if int(digits) <= 31 else "two_digits"
    if len(digits) == 4 and digits[0] == "0" and digits[2] < "6":
        return "digits_clock"
    if len(digits) == 4 and "1500" <= digits < "2200":
        return "year"
    return "four" if len(digits) <= 4 else "big"
