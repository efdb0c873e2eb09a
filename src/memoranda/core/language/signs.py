"""Names recognised by form alone, without the words around them: handles, quantities, titles, Chinese names.

Chinese has neither blanks nor capitals: its names are found in lists, and by a surname or a kind ("公司") beside a cue.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache

from memoranda.core.language.names import running_names
from memoranda.core.rows.statements import Mention
from memoranda.core.text.packs import expanded, joined, regex
from memoranda.languages import read

_WORD = re.compile(r"\w+")
HAN = re.compile(r"[\u4e00-\u9fff]")


@cache
def sign(name: str, table: str = "signs", flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of a table of `languages/`, compiled on first use to keep the import fast."""
    patterns, place = _patterns(table), f"languages/{table}.toml: {name}"
    return regex(expanded(patterns[name], patterns, place), place, flags)


def hinted(text: str, table: str, hints: str = "hints") -> bool:
    """Whether a text holds one of the hints of a table of `languages/`; else none of its patterns matches."""
    parts, words = _hints(table, hints)
    lowered = text.lower().replace("\u2019", "'")
    return any(part in lowered for part in parts) or not words.isdisjoint(_WORD.findall(lowered))


@cache
def _hints(table: str, hints: str) -> tuple[Sequence[str], frozenset[str]]:
    patterns = _patterns(table)
    return patterns[hints].split("|"), frozenset(patterns["hint_words"].split())


@cache
def _patterns(table: str) -> Mapping[str, str]:
    return {name: joined(pattern) for name, pattern in read(table).items()}


_SIGN = re.compile(r"[@#.:](?:(?<=[@#])|(?<=\.)[^\W\d]|(?<=:)//)")
_MAX_HANDLE = 400
_BLANK = re.compile(r"\s")
_TICKET = re.compile(r"(?<![\w.-])(?!(?:COVID|GPT|UTF|ISO|SHA|RFC|MP|PM|CO|COP|F|B|A)-)[A-Z][A-Z0-9]{0,9}-\d+\b(?!-)")
_DIGIT = re.compile(r"\d")
_QUOTE = re.compile(r"[\"\u201c\u201e\u00ab\u300a']")
_TITLE = re.compile(
    r"(?:[\"\u201c\u201e\u00ab](?P<quoted>[^\"\u201c\u201d\u201e\u00ab\u00bb\n]{2,60})[\"\u201d\u201c\u00bb]"
    r"|(?<!\w)'(?P<single>[A-Z][^'\n]{1,58})'(?!\w)|\u300a(?P<book>[^\u300b\n]{1,40})\u300b)"
)


def find_signs(text: str) -> list[Mention]:
    """Return the names recognised by form alone: handles, quantities and quoted titles."""
    found: list[Mention] = []
    end = 0
    for mark in _SIGN.finditer(text):
        if mark.start() >= end:
            start = max(text.rfind(" ", 0, mark.start()), text.rfind("\n", 0, mark.start())) + 1
            blank = _BLANK.search(text, mark.end())
            end = blank.start() if blank else len(text)
            if end - start <= _MAX_HANDLE:
                found += _all("handle", sign("handle"), text, start, end)
    if _DIGIT.search(text):
        found += _all("handle", _TICKET, text) + _all("quantity", sign("quantity"), text)
    if _QUOTE.search(text):
        found += _titles(text)
    return found


def _all(kind: str, pattern: re.Pattern[str], text: str, start: int = 0, end: int = sys.maxsize) -> list[Mention]:
    return [
        Mention(name=match[0], type=kind, start=match.start(), end=match.end())
        for match in pattern.finditer(text, start, end)
    ]


def _titles(text: str) -> list[Mention]:
    found: list[Mention] = []
    for match in _TITLE.finditer(text):
        group = match.lastgroup or ""
        if group == "book" or _is_title(match[group], text[max(0, match.start() - 30) : match.start()]):
            found.append(Mention(name=match[group], type="product", start=match.start(group), end=match.end(group)))
    return found


def _is_title(quoted: str, before: str) -> bool:
    """Whether a quotation is the name of a work: capitalised like a title, and introduced as one or several words."""
    words = quoted.split()
    capitals = sum(word[0].isupper() for word in words)
    if not words or not words[0][0].isupper() or quoted[-1] in ".,!?" or len(words) > 8:
        return False
    return sign("works").search(before) is not None or (capitals > 1 and capitals * 2 > len(words))


def _listed(text: str) -> list[Mention]:
    """Return the listed names in text without blanks; the longest at each position."""
    found: list[Mention] = []
    listed = _running()[0]
    index = 0
    while index < len(text):
        for size in range(6, 1, -1):
            name = text[index : index + size]
            if len(name) == size and (kind := listed.get(name)) is not None and HAN.match(name):
                found.append(Mention(name=name, type=kind, start=index, end=index + size))
                index += size - 1
                break
        index += 1
    return found


def find_chinese(text: str) -> list[Mention]:
    """Return people, organisations, places and products in Chinese text."""
    found: list[Mention] = []
    for pattern in _running()[1]:
        for match in pattern.finditer(text):
            kind = match.lastgroup or ""
            found.append(Mention(name=match[kind], type=kind, start=match.start(kind), end=match.end(kind)))
    return found + _listed(text)


@cache
def _running() -> tuple[Mapping[str, str], list[re.Pattern[str]]]:
    """Return the listed names with their types, and the patterns that find others."""
    names = running_names("zh")
    listed = dict.fromkeys(names.places, "place") | dict.fromkeys(names.organisations, "organisation")
    signs = [re.compile(found.replace("{surnames}", names.surnames), re.IGNORECASE) for found in names.signs.values()]
    return listed | dict.fromkeys(names.products, "product"), signs
