"""Secrets in a text: passwords, keys, card and account numbers, and what else must not be kept.

A *format* gives a secret away: a prefix, a check digit, a shape of its own. Or a *label*: a word for a secret (a cue),
what links it to a value, and a value of the right shape that is no ordinary word. The words are data, and those of all
languages count in every text. The key of a JSON object and the heading of a column are labels too.

A text is read closer only if it holds part of a cue, or many digits. All patterns, which are data, are linear.
"""

import re
from bisect import bisect, bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from itertools import chain

from memstrata.core import check_digits
from memstrata.core.language import LANGUAGES
from memstrata.core.tables import expanded, joined, made, regex, words
from memstrata.core.text import CJK, UNSPACED
from memstrata.languages import read

#: The kinds that a tenant may keep.
OPTIONAL = frozenset({"iban", "ssn", "national_id", "door_code"})

_REACH = 160  # characters behind a cue in which its value begins
_BACK = 32  # characters from the beginning of a cue to one of its hints
_SHORTLY = 30  # characters before a cue in which its meaning may change
_LABEL = 60  # characters of the longest label of a value
_LONGEST = 512  # characters of a password whose edges are looked for; of a longer one all is withheld up to a space
_LEAST = 5  # digits of the shortest number of a card, an account or an identity
_MASK = "\ufffc"  # in the place of each character of a placeholder, so that its words label nothing
_EDGES, _PLACE = ".,:;)]}|*`\\。，；", "languages/secrets.toml"
_IS = {"login": "password", "network": "password", "answer": "recovery"}  # kinds of cues, and of what they label
_LONG, _SHORT = frozenset({"card", "iban", "ssn", "national_id"}), frozenset({"pin", "cvv", "door_code"})
_WORDS = frozenset({"strange", "chain", "mixed", "group"})  # forms of values that are no numbers
_OTHERS = 8  # characters from what a number is instead of a secret to the number
_KEYED = 14  # characters between a number and what is done with a keypad
_ENOUGH = 4  # weight of what is a secret


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
    determiners: str
    joins: str
    closes: str
    unlikely: str
    ordinary: frozenset[str]
    cues: Mapping[str, Mapping[str, str]]
    marks: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """A form that shows a secret by itself."""

    kind: str
    hints: frozenset[str]
    pattern: str
    check: str = ""
    unless: str = "(?!)"

    def find(self, text: str) -> Iterator[Secret]:
        check = _CHECKS[self.check]
        for one in _compiled(self.pattern, 0).finditer(text):
            held = {"secret": one[0], **one.groupdict()}
            start = one.start("secret") if "secret" in one.re.groupindex else one.start()
            if not _compiled(self.unless).search(text, max(0, start - _SHORTLY), start):
                length = check(held.get("value", held["secret"]))
                yield from [Secret(start, one.end() if length is True else start + length, self.kind)] if length else ()


@dataclass(frozen=True, slots=True)
class _Reader:
    """The words and patterns of all languages.

    Attributes:
        cues: kind and pattern of the cues of each kind and language, the most special first.
        signs, hints: part of a word → the numbers of the formats and of the cues that a text with it may have.
    """

    names: Mapping[str, str]
    formats: Sequence[_Format]
    signs: Mapping[str, Sequence[int]]
    cues: Sequence[tuple[str, str]]
    hints: Mapping[str, Sequence[int]]
    ordinary: frozenset[str]
    patterns: Mapping[str, str]
    marks: Mapping[str, str]
    runs: Mapping[str, str]
    tokens: Mapping[str, str]
    weights: Mapping[str, Mapping[str, int]]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return _compiled(self.patterns[name])

    def cues_in(self, text: str) -> list[tuple[int, int, re.Match[str]]]:
        """Return the cues in a text: where each begins, its number and its match, in order."""
        lowered = text.lower()
        if len(lowered) != len(text):
            lowered = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
        near: dict[tuple[int, int], None] = {}
        starts: list[int] = []
        for hint, numbers in self.hints.items():
            at = lowered.find(hint) if hint in lowered else -1  # to look is half as dear as to find
            while at >= 0:
                starts = starts or [one.start() for one in self["begins"].finditer(text)]
                first, last = bisect(starts, at - _BACK), bisect(starts, at)
                near |= dict.fromkeys((start, number) for start in starts[first:last] for number in numbers)
                at = lowered.find(hint, at + len(hint))
        tried = ((start, number, _compiled(self.cues[number][1]).match(text, start)) for start, number in sorted(near))
        return [(start, number, cue) for start, number, cue in tried if cue]

    def plain(self, word: str) -> bool:
        """Whether a word is one that stands where a password would."""
        return word.lower() in self.ordinary or self["unlikely"].fullmatch(word) is not None

    def dull(self, word: str) -> bool:
        """Whether a word hides or names a value, or is a number with a unit, a date, an address and the like."""
        return bool(self["masks"].fullmatch(word) or self["measures"].fullmatch(word))

    def candidates(self, text: str) -> list[tuple[int, int, str]]:
        """Return what looks made up in a text: where it lies, and its form."""
        if not self["made_up"].search(text):
            return []
        bare = self["address"].sub(lambda found: _MASK * len(found[0]), text)
        words = [(one.start(), one[0].rstrip(_EDGES)) for one in self["candidate"].finditer(bare)]
        return [(at, at + len(word), form) for at, word in words if (form := self.form(word.rstrip("?")))]

    def form(self, word: str) -> str:
        """Return the form that a word has among those of secrets, "" if it is none that people make up."""
        if self["plainest"].fullmatch(word):
            return ""
        form = next((name for name, form in self.tokens.items() if _compiled(form, 0).fullmatch(word)), "")
        return "" if form in _WORDS - {"group"} and (self["identifier"].fullmatch(word) or self.dull(word)) else form

    def heaviest(self, form: str, signs: Collection[str], held: Collection[str]) -> str | None:
        """Return the kind that most speaks for; None if it is not enough, or a word beside says what else it is.

        Args:
            form: the form of the value.
            signs: what is said around it.
            held: the kinds of which a secret is beside it already.
        """
        weighed = [
            (sum(weights.get(sign, 0) for sign in signs) + (weights["held"] if kind in held else 0), kind)
            for kind, weights in self.weights.items()
            if form in weights and "others" not in signs
        ]
        weight, kind = max(weighed, default=(0, ""))
        return kind if weight >= _ENOUGH else None

    def odd(self, word: str) -> bool:
        """Whether a word looks like none of a language: digits among letters, signs, capitals within."""
        digits = sum(map(str.isdigit, word))
        return 0 < digits < sum(map(str.isalnum, word)) or digits >= 4 or self["signs"].search(word) is not None


@cache
def _compiled(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return regex(pattern, _PLACE, flags)


@cache
def _reader() -> _Reader:
    table = read("secrets")
    packs = [made(Wording, read(f"{name}/secrets"), f"languages/{name}/secrets.toml") for name in LANGUAGES]
    told = [one.name for one in fields(Wording) if one.type is str]
    macros = {name: "|".join(getattr(pack, name) for pack in packs) for name in told}
    macros |= {"unspaced": UNSPACED, "apart": rf"(?:(?<![^\W_{UNSPACED}])|(?=[{UNSPACED}]))"}
    macros["free"] = rf"(?:(?<=[{UNSPACED}])|(?![^\W_{UNSPACED}]))"
    patterns = {name: expanded(joined(one), macros, _PLACE) for name, one in table["patterns"].items()}
    kinds = dict.fromkeys(kind for pack in packs for kind in pack.cues)
    cues = [(kind, pack.cues[kind]) for kind in kinds for pack in packs if kind in pack.cues]
    formats = [made(_Format, one, _PLACE) for one in table["formats"]]
    return _Reader(
        names=table["names"],
        formats=formats,
        signs=_by_hint(one.hints for one in formats),
        cues=[(kind, f"{patterns['begins']}(?:{cue['pattern']}){patterns['ends']}") for kind, cue in cues],
        hints=_by_hint(words(cue["hints"]) for _, cue in cues),
        ordinary=frozenset().union(*(pack.ordinary for pack in packs)),
        patterns=patterns | {kind: joined(shape) for kind, shape in table["shapes"].items()},
        marks=_marks([pack for pack in packs if not CJK.search(pack.marks["acts"])]),
        runs=_marks([pack for pack in packs if CJK.search(pack.marks["acts"])]),
        tokens={name: joined(pattern) for name, pattern in table["tokens"].items()},
        weights=table["weights"],
    )


def _marks(packs: list[Wording]) -> dict[str, str]:
    """Return the patterns of the marks of some languages together."""
    return {name: "|".join(pack.marks[name] for pack in packs) for name in packs[0].marks}


def _by_hint(hints: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """Return for each hint the numbers of those that have it."""
    found: dict[str, list[int]] = {}
    for number, several in enumerate(hints):
        for hint in several:
            found.setdefault(hint, []).append(number)
    return found


def find(text: str, kept: Collection[str] = ()) -> list[Secret]:
    """Return the secrets in a text, in order and without overlaps; those of the kinds in `kept` are none."""
    reader = _reader()
    text = reader["placeholder"].sub(lambda found: _MASK * len(found[0]), text)
    lowered = text.lower()
    looked = f"{lowered}<digits>" if reader["many_digits"].search(text) else lowered
    signs = {number for hint, numbers in reader.signs.items() if hint in looked for number in numbers}
    found = [one for number in sorted(signs) for one in reader.formats[number].find(text)]
    if cues := reader.cues_in(text):
        found += chain(_labelled(text, cues, reader), _columns(text, reader) if "\n" in text else ())
    found += _weighed(text, cues, reader, found)
    stay = [(one.start, one.end) for one in found if one.kind in kept]
    apart: list[Secret] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.kind in kept or any(start < one.end and one.start < end for start, end in stay):
            continue
        if apart and one.start < apart[-1].end:
            one = Secret(apart[-1].start, max(one.end, apart[-1].end), apart.pop().kind)  # noqa: PLW2901
        apart.append(one)
    return apart


def withheld(text: str, kept: Collection[str] = ()) -> str:
    """Return a text with a placeholder in the place of each secret; see `find`."""
    parts, begin = [], 0
    for one in find(text, kept):
        parts += [text[begin : one.start], placeholder(one.kind)]
        begin = one.end
    return "".join((*parts, text[begin:])) if parts else text


def placeholder(kind: str) -> str:
    """Return what stands in the place of a secret of this kind."""
    return f"[withheld: {_reader().names[kind]}]"


def labels(label: str, value: str) -> str | None:
    """Return the kind of secret that a value is under a label, such as the key of a JSON object; None if it is none."""
    kind, reader, bare = _named(label), _reader(), value.strip()
    if kind is None or not bare or reader["placeholder"].fullmatch(bare) or reader["masks"].fullmatch(bare):
        return None
    fits = kind == "password" or (reader[kind].fullmatch(bare) and (kind != "api_key" or check_digits.mixed(bare)))
    return kind if fits else None


@lru_cache(1 << 12)
def _named(label: str) -> str | None:
    """Return the kind of secret that a label names: one of its cues ends it."""
    if len(label) > _LABEL:
        return None
    reader = _reader()
    spoken = reader["spoken"].sub(" ", label).strip()
    ending = [number for _, number, cue in reader.cues_in(spoken) if cue.end() == len(spoken)]
    return next((kind for kind, _ in (reader.cues[number] for number in sorted(ending)) if kind not in _IS), None)


# ------------------------------------------------------------------------------------------------- labels


def _labelled(text: str, cues: Sequence[tuple[int, int, re.Match[str]]], reader: _Reader) -> Iterator[Secret]:
    """Yield the values that a cue names, behind it or else before it."""
    begun: dict[str, list[int]] = {}
    for start, number, _ in cues:
        begun.setdefault(reader.cues[number][0], []).append(start)
    at = 0
    for start, number, cue in cues:
        if start < at or reader["public"].search(text, max(0, start - _SHORTLY), cue.end()):
            continue
        kind = reader.cues[number][0]
        further = bisect_left(begun[kind], cue.end())
        end = (
            begun[kind][further] if further < len(begun[kind]) else len(text)
        )  # what follows a cue ends where the next one of its kind begins
        places = chain(_behind(text, cue.end(), end, kind, reader), _before(text, at, start, kind, reader))
        values = (_value(text, place, kind, reader, how, cue[0]) for place, how in places)
        at, found = cue.end(), next(filter(None, values), None)
        while found:
            yield Secret(*found, _IS.get(kind, kind))
            at = max(at, found[1])
            found = _further(text, at, kind, reader)


def _behind(text: str, at: int, end: int, kind: str, reader: _Reader) -> Iterator[tuple[int, str]]:
    """Yield where a value behind a cue may begin, and how it is linked.

    The link is *firm* (an assignment, so that any word is a value), *strong* (a colon), *weak* (a verb), or the value
    must look *odd*.
    """
    if kind == "login":
        pair = reader["pair"].search(text, at, at + _REACH)
        yield from [(pair.end(), "odd")] if pair else ()
        return
    if beside := reader["beside"].match(text, at):
        yield beside.end(), "odd"
    gap = reader["gap"].match(text, at, end)
    stop = gap.end() if gap else at
    for link in reader["link"].finditer(text, at, stop + 6):
        if link.start() <= stop:
            yield link.end(), "odd" if kind == "network" else str(link.lastgroup)
    for name in ("digits",) if kind in _LONG else ("random",) if kind == "password" else ():
        if found := reader[name].search(text, at, stop):
            yield found.end(), "odd"
    for name in ("following", "line"):
        if found := reader[name].match(text, stop):
            yield found.end(), "odd"


def _before(text: str, begin: int, at: int, kind: str, reader: _Reader) -> Iterator[tuple[int, str]]:
    """Yield where a value before a cue may begin, and how it is linked: "4711 is the door code"."""
    link = reader["before"].search(text, max(begin, at - _REACH // 2), at)
    if link and kind not in {"login", "answer"}:
        begin = max(begin, link.start() - _REACH)
        for word in reversed([*reader["token"].finditer(text, begin, link.start())][-2:]):
            used = reader["uses"].search(text, max(begin, word.start() - 20), word.start())
            yield word.start(), "firm" if used else "odd"


def _further(text: str, at: int, kind: str, reader: _Reader) -> tuple[int, int] | None:
    """Return where one more value lies, behind a first one and what joins them."""
    joint = reader["join"].match(text, at) or (reader["item"].match(text, at) if kind == "recovery" else None)
    if joint is None or kind == "answer":
        return None
    soon = reader["soon"].match(text, joint.end()) if kind in _SHORT else None
    return _value(text, (soon or joint).end(), kind, reader, "odd")


def _columns(text: str, reader: _Reader) -> Iterator[Secret]:
    """Yield the cells of a table below a heading that names a secret."""
    heads: list[str] = []
    for line in reader["row"].finditer(text):
        sign = next(one for one in "|\t;," if one in line[0])
        cells, at = line[0].split(sign), line.start()
        if len(cells) != len(heads):
            heads = [cell if len(cell.split()) <= 2 else "" for cell in cells]
        for head, cell in zip(heads, cells, strict=True):
            if head != cell and (kind := labels(head, cell)):
                start = at + len(cell) - len(cell.lstrip())
                yield Secret(start, start + len(cell.strip()), kind)
            at += len(cell) + 1


def _value(text: str, at: int, kind: str, reader: _Reader, how: str, cue: str = "") -> tuple[int, int] | None:
    """Return the span of the value of a kind that begins at a place, if there is one."""
    if _IS.get(kind, kind) == "password":
        quoted = reader["quoted"].match(text, at)
        return _quoted(quoted, reader, how) if quoted else _word(text, at, reader, how, cue)
    shape = reader[kind].match(text, at + (text[at : at + 1] in "\"'`“„«「("))
    if shape is None or (kind == "answer" and how == "odd"):
        return None
    start, end = shape.span()
    if kind == "api_key":
        word = shape[0].rstrip(_EDGES)
        random = check_digits.mixed(word) or (word.isdigit() and len(word) >= 16)
        if not random or reader.dull(word) or reader["code"].fullmatch(word):
            return None
        return start, _whole(text, start + len(word), len(shape[0]), reader)
    # That letters and digits are an account number shows by their check digits, see `check_digits.iban`.
    digits = sum(map(str.isdigit, shape[0]))
    return None if kind in _LONG and (digits < _LEAST or (kind == "iban" and shape[0][0].isalpha())) else (start, end)


def _whole(text: str, end: int, length: int, reader: _Reader) -> int:
    """Return where a word of some length ends; if it was cut, at the next space."""
    rest = reader["rest"].match(text, end) if length >= _LONGEST else None
    return rest.end() if rest else end


def _quoted(quoted: re.Match[str], reader: _Reader, how: str) -> tuple[int, int] | None:
    """Return the span of a password in quotation marks."""
    plain = quoted[1].strip()
    hidden = reader["masks"].fullmatch(plain) or reader.plain(plain)
    return None if hidden or (how == "odd" and not reader.odd(plain)) else quoted.span(1)


def _word(text: str, at: int, reader: _Reader, how: str, cue: str) -> tuple[int, int] | None:
    """Return the span of a password: a word that is no ordinary one, or a phrase of several."""
    word, phrase = reader["word"].match(text, at), reader["phrase"].match(text, at)
    if phrase and how != "odd" and reader["phrases"].search(cue):
        return phrase.span()
    if word is None or (how != "weak" and reader["assigned"].match(text, at)):
        return None
    bare = word[0].rstrip(_EDGES)
    plain = bare.rstrip("!?")
    if len(plain) < 3 or reader.dull(plain) or reader.plain(plain):
        return None
    end = at + len(bare)
    if reader.odd(bare):
        return at, _whole(text, end, len(word[0]), reader)
    if phrase and how != "odd" and not any(map(reader.plain, phrase[0].replace("-", " ").split(" "))):
        return phrase.span()
    return (at, end) if how == "firm" or (how != "odd" and reader["closes"].match(text, end)) else None


# ------------------------------------------------------------------------------------------------- weights


def _weighed(
    text: str, cues: Sequence[tuple[int, int, re.Match[str]]], reader: _Reader, found: Sequence[Secret]
) -> Iterator[Secret]:
    """Yield the values that what is said around them gives away, though no cue leads to them.

    What speaks for a kind, and against it, has a weight: the form of the value, a link before it, and the cues and the
    words (marks) in its sentence and the ones beside it.
    """
    tokens = reader.candidates(text)
    if not tokens:
        return
    marks = _marked(text, cues, reader)
    begins = [start for start, _, _ in marks]
    breaks = [0, 0, *(one.end() for one in reader["break"].finditer(text)), len(text), len(text)]
    known = sorted(found, key=lambda one: one.start)
    starts = [one.start for one in known]
    for start, end, form in tokens:
        line = bisect(breaks, start, 0, len(breaks) - 2)
        first, last = max(start - _REACH, breaks[line - 2]), min(end + _REACH, breaks[line + 1])
        near = known[bisect_left(starts, start - _LONGEST) : bisect_left(starts, last)]
        part = next((one.kind for one in near if one.start < end and start < one.end), None)
        if part:
            yield from [Secret(start, end, part)] if form in _WORDS else ()
            continue
        said = marks[bisect_left(begins, first) : bisect_left(begins, last)]
        signs = {form, *(mark[2] for mark in said if _counts(mark, start, end, text))}
        if reader["linked"].search(text, max(0, start - _SHORTLY), start):
            signs.add("linked")
        if kind := reader.heaviest(form, signs, {one.kind for one in near if first <= one.start}):
            value: tuple[int, int] | None = (start, end)
            while value:
                yield Secret(*value, kind)
                value = _further(text, value[1], kind, reader)


def _marked(text: str, cues: Sequence[tuple[int, int, re.Match[str]]], reader: _Reader) -> list[tuple[int, int, str]]:
    """Return what speaks for or against a secret in a text: where it lies, and its name."""
    named = [
        (start, cue.end(), reader.cues[number][0])
        for start, number, cue in cues
        if not reader["public"].search(text, max(0, start - _SHORTLY), cue.end())
    ]
    runs = ((one.start(), _said(one[0].lower())) for one in reader["run"].finditer(text))
    return sorted(named + [(at + start, at + end, name) for at, said in runs for start, end, name in said])


def _counts(mark: tuple[int, int, str], start: int, end: int, text: str) -> bool:
    """Whether a mark says something of the value at a place: some must stand beside it."""
    begin, stop, name = mark
    if begin < end and start < stop:
        return False
    if name == "others":
        return 0 <= start - stop <= _OTHERS or (begin == end + 1 and text[end] == " ")
    return name != "keyed" or 0 <= start - stop <= _KEYED or 0 <= begin - end <= _KEYED


@lru_cache(1 << 14)
def _said(run: str) -> list[tuple[int, int, str]]:
    """Return the marks in a word, or in a text without spaces: where each lies, and its name."""
    reader = _reader()
    if CJK.match(run):
        return [(*one.span(), name) for name, mark in reader.runs.items() for one in _compiled(mark).finditer(run)]
    return [(0, len(run), name) for name, mark in reader.marks.items() if _compiled(mark).fullmatch(run)]


# ------------------------------------------------------------------------------------------------- checks


def _card(text: str) -> bool:
    """Whether a number is that of a card: a known beginning, and the check digit."""
    number = "".join(filter(str.isdigit, text))
    return _reader()["issuer"].match(number) is not None and check_digits.luhn(number)


_CHECKS: Mapping[str, Callable[[str], bool | int]] = {
    "": bool,
    "mixed": check_digits.mixed,
    "real": lambda value: not _reader()["masks"].fullmatch(value),
    "odd": lambda value: _reader().odd(value) and not _reader().dull(value),
    "luhn": _card,
    "iban": check_digits.iban,
    "resident": check_digits.resident,
}
