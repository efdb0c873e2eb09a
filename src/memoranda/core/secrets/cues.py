"""How secrets are spoken of: their forms, and the words (cues, marks) around them, of all languages together.

All of it is data. All patterns are linear.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache

from memoranda.core.secrets import check_digits
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.packs import expanded, joined, made, regex, words
from memoranda.core.text.terms import CJK, UNSPACED
from memoranda.languages import read

BACK = 18  #: characters from the beginning of a cue to one of its hints
_SHORTLY = 30  # characters before a cue in which its meaning may change
_LONG = 64  # characters of a run that is not kept in memory; few are said twice
_PLACE = "languages/secrets.toml"

Cue = tuple[int, int, re.Match[str]]  # where a cue begins, its number, and its match


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a text: where it is, and its kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How a language speaks of secrets; `languages/en/secrets.toml` says what each entry is."""

    unlike: str
    public: str
    links: str
    towards: str
    before: str
    uses: str
    closes: str
    unlikely: str
    ordinary: frozenset[str]
    cues: Mapping[str, Mapping[str, str]]
    marks: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A form that shows a secret by itself."""

    kind: str
    hints: frozenset[str]
    pattern: str
    check: str = ""
    unless: str = "(?!)"

    def find(self, text: str) -> Iterator[Secret]:
        """Yield what has this form in a text."""
        check = _CHECKS[self.check]
        for one in compiled(self.pattern, 0).finditer(text):
            held = {"secret": one[0], **one.groupdict()}
            start = one.start("secret") if "secret" in one.re.groupindex else one.start()
            if not compiled(self.unless).search(text, max(0, start - _SHORTLY), start):
                length = check(held.get("value", held["secret"]))
                yield from [Secret(start, one.end() if length is True else start + length, self.kind)] if length else ()


@dataclass(frozen=True, slots=True)
class Reader:
    """The words and patterns of all languages.

    Attributes:
        cues: kind and pattern of the cues of each kind and language, the most special first.
        signs, hints: part of a word → the numbers of the formats and of the cues that a text with it may have.
    """

    names: Mapping[str, str]
    formats: Sequence[Format]
    signs: Mapping[str, Sequence[int]]
    cues: Sequence[tuple[str, str]]
    hints: Mapping[str, Sequence[int]]
    ordinary: frozenset[str]
    patterns: Mapping[str, str]
    marks: Mapping[str, str]
    runs: Mapping[str, str]
    tokens: str
    groups: Mapping[str, str]
    kinds: Mapping[str, Mapping[str, frozenset[str]]]
    weights: dict[str, dict[str, float]]
    beside: Mapping[str, str]
    plainly: Sequence[str]
    program: Sequence[str]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return compiled(self.patterns[name])

    def cues_in(self, text: str) -> list[Cue]:
        """Return the cues in a text, but for what is public: where each begins, its number and its match, in order."""
        lowered = text.lower()
        if len(lowered) != len(text):
            lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
        near: dict[tuple[int, int], None] = {}
        begins, public = self["begins"], self["public"]
        for hint in filter(lowered.__contains__, self.hints):
            at, numbers = lowered.find(hint), self.hints[hint]
            while at >= 0:
                starts = [one.start() for one in begins.finditer(text, max(0, at - BACK), at + 1)]
                near |= dict.fromkeys((start, number) for start in starts for number in numbers)
                at = lowered.find(hint, at + len(hint))
        tried = ((at, number, compiled(self.cues[number][1]).match(text, at)) for at, number in sorted(near))
        told = ((at, number, cue) for at, number, cue in tried if cue)
        return [one for one in told if not public.search(text, max(0, one[0] - _SHORTLY), one[2].end())]

    def plain(self, word: str) -> bool:
        """Whether a word is one that stands where a password would."""
        return word.lower() in self.ordinary or self["unlikely"].fullmatch(word) is not None

    def dull(self, word: str) -> bool:
        """Whether a word hides or names a value, or is a number with a unit, a date, an address and the like."""
        return bool(self["masks"].fullmatch(word) or self["measures"].fullmatch(word))

    def odd(self, word: str) -> bool:
        """Whether a word looks like none of a language: digits among letters, signs, capitals within."""
        digits = sum(map(str.isdigit, word))
        return 0 < digits < sum(map(str.isalnum, word)) or digits >= 4 or self["signs"].search(word) is not None


@cache
def compiled(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of the tables, compiled."""
    return regex(pattern, _PLACE, flags)


@cache
def known() -> Reader:
    """Return the words and patterns of all languages."""
    table = read("secrets")
    packs = [made(Wording, read(f"{name}/secrets"), f"languages/{name}/secrets.toml") for name in LANGUAGES]
    told = [one.name for one in fields(Wording) if one.type is str]
    macros = {name: "|".join(getattr(pack, name) for pack in packs) for name in told}
    macros |= {"unspaced": UNSPACED, "apart": rf"(?:(?<![^\W_{UNSPACED}])|(?=[{UNSPACED}]))"}
    macros["free"] = rf"(?:(?<=[{UNSPACED}])|(?![^\W_{UNSPACED}]))"
    patterns = {name: expanded(joined(one), macros, _PLACE) for name, one in table["patterns"].items()}
    kinds = dict.fromkeys(kind for pack in packs for kind in pack.cues)
    cues = [(kind, pack.cues[kind]) for kind in kinds for pack in packs if kind in pack.cues]
    formats = [made(Format, one, _PLACE) for one in table["formats"]]
    return Reader(
        names=table["names"],
        formats=formats,
        signs=_by_hint(one.hints for one in formats),
        cues=[(kind, f"{patterns['begins']}(?:{cue['pattern']}){patterns['ends']}") for kind, cue in cues],
        hints=_by_hint(words(cue["hints"]) for _, cue in cues),
        ordinary=frozenset().union(*(pack.ordinary for pack in packs)),
        patterns=patterns | {kind: joined(shape) for kind, shape in table["shapes"].items()},
        marks=_marks([pack for pack in packs if not CJK.search(pack.marks["acts"])]),
        runs=_marks([pack for pack in packs if CJK.search(pack.marks["acts"])]),
        tokens="|".join(f"(?P<{name}>{form})" for forms in table["tokens"].values() for name, form in forms.items()),
        groups={name: group for group, forms in table["tokens"].items() for name in forms},
        kinds={group: {kind: words(signs) for kind, signs in kinds.items()} for group, kinds in table["kinds"].items()},
        weights=read("secret_weights"),
        beside={sign: name for name, signs in table["beside"].items() for sign in signs},
        plainly=sorted(words(table["plainly"]["hints"])),
        program=table["plainly"]["unless"],
    )


def _marks(packs: list[Wording]) -> dict[str, str]:
    """Return the patterns of the marks of some languages together."""
    told = [
        {**pack.marks, **{name: getattr(pack, name) for name in ("links", "towards", "before", "uses")}}
        for pack in packs
    ]
    return {name: "|".join(one[name] for one in told) for name in told[0]}


def _by_hint(hints: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """Return for each hint the numbers of those that have it."""
    found: dict[str, list[int]] = {}
    for number, several in enumerate(hints):
        for hint in several:
            found.setdefault(hint, []).append(number)
    return found


def said(run: str) -> list[tuple[int, int, str]]:
    """Return the marks in a word, or in a text without spaces: where each lies, and its name."""
    return _said(run) if len(run) <= _LONG else _said.__wrapped__(run)


@lru_cache(1 << 14)
def _said(run: str) -> list[tuple[int, int, str]]:
    reader = known()
    if CJK.match(run):
        return [(*one.span(), name) for name, mark in reader.runs.items() for one in compiled(mark).finditer(run)]
    return [(0, len(run), name) for name, mark in reader.marks.items() if compiled(mark).fullmatch(run)]


def _card(text: str) -> bool:
    """Whether a number is that of a card: a known beginning, and the check digit."""
    number = "".join(filter(str.isdigit, text))
    return known()["issuer"].match(number) is not None and check_digits.luhn(number)


_CHECKS: Mapping[str, Callable[[str], bool | int]] = {
    "": bool,
    "mixed": check_digits.mixed,
    "real": lambda value: not known()["masks"].fullmatch(value),
    "odd": lambda value: known().odd(value) and not known().dull(value),
    "luhn": _card,
    "iban": check_digits.iban,
    "resident": check_digits.resident,
    "spanish": check_digits.spanish,
    "french": check_digits.french,
    "pension": check_digits.pension,
}
