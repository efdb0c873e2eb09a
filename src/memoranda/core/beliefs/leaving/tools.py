"""What a tool is for: who switches to one for something leaves the other that was for it.

A statement says what for behind its tool ("User's team uses Jenkins for CI"); of a well-known tool it is known.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from memoranda.core.rows import Record
from memoranda.core.rows.statements import Statement
from memoranda.core.text.packs import made, regex
from memoranda.core.text.terms import UNSPACED, form, whole_words
from memoranda.languages import read

_WORD = re.compile(rf"[^\W_{UNSPACED}]+|[{UNSPACED}]+")
_CHARACTER = re.compile(f"[{UNSPACED}]")
_READ = 200  # characters behind a tool in which it is said what for
_LEAST = 4  # letters of a word that is another one's beginning or end: "deploy", "deployments"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Words about tools, of all languages.

    Attributes:
        purpose: what stands behind a tool and says what for, in its group `what`.
        none: words that make it say something else: "for two years", "for now".
        light: words that do not tell one purpose from another.
        ending: endings of words in which one purpose may differ: "invoices", "invoicing".
        sorts: words for what tools of a sort are for → the names of well-known ones, by commas.
    """

    purpose: str
    none: frozenset[str]
    light: frozenset[str]
    ending: str
    sorts: Mapping[str, str]


def outdated(new: Statement, old: Record) -> bool:
    """Whether who says that a tool is `new`, or gone, no longer has an `old` one, which was for the same.

    A switch for more leaves what was for less: one for mail also what was for work mail, but not the reverse. One
    person's tools are not the team's, unless a statement says only what for ("CI runs on Jenkins").
    """
    mine, theirs = str(new.attribute), str(old.attribute)
    if not (is_tool(theirs) and (_open(mine) or _open(theirs) or mine.partition(".")[0] == theirs.partition(".")[0])):
        return False
    alike = form(str(new.value)) == form(str(old.value))
    if new.polarity < 0 or alike:
        return alike and new.polarity < 0
    wanted = _said(new.text, str(new.value)) or _sort(str(new.value))
    covered = _said(old.text, str(old.value)) | _sort(str(old.value)) | _words(theirs.rpartition(".")[2])
    return bool(wanted) and all(any(_same(word, other) for other in covered) for word in wanted)


def is_tool(attribute: str) -> bool:
    """Whether an attribute tells of tools, of a person or a team."""
    return attribute in {"tool", "project.stack", "project.hosting"} or _open(attribute)


def _open(attribute: str) -> bool:
    """Whether an attribute tells what a tool is for and not whose it is."""
    return attribute.startswith("tool.")


def _said(text: str, tool: str) -> frozenset[str]:
    """Return the words that say what a tool is for behind it in a text; none if they say something else."""
    behind = next((text[end : end + _READ].lstrip().casefold() for _, end in whole_words(tool, text)), "")
    found = _table()[1].match(behind)
    said = frozenset(_WORD.findall(found["what"])) if found else frozenset()
    return frozenset() if said & _table()[0].none or any(map(str.isdigit, "".join(said))) else _words(" ".join(said))


def _words(text: str) -> frozenset[str]:
    return frozenset(_sorted().get(word, word) for word in _WORD.findall(text) if word not in _table()[0].light)


def _sort(tool: str) -> frozenset[str]:
    """Return what a well-known tool is for: editor, browser, …; nothing if it is not known."""
    return frozenset(filter(None, [_named().get(form(tool))]))


def _same(a: str, b: str) -> bool:
    a, b = (_table()[2].sub("", word) for word in (a, b))
    short, long = sorted((a, b), key=len)
    least = 2 if _CHARACTER.match(short) else _LEAST
    return a == b or (len(short) >= least and (long.startswith(short) or long.endswith(short)))


@cache
def _table() -> tuple[Tools, re.Pattern[str], re.Pattern[str]]:
    where = "languages/tools.toml"
    tools = made(Tools, read("tools"), where)
    return tools, regex(tools.purpose, f"{where}: purpose"), regex(tools.ending, f"{where}: ending")


def _sorts() -> Iterator[tuple[str, list[str], str]]:
    """Yield each sort, the words for what it is for, and its tools."""
    for words, names in _table()[0].sorts.items():
        yield words.split()[0], words.split(), names


@cache
def _sorted() -> Mapping[str, str]:
    return {word: sort for sort, words, _ in _sorts() for word in words}


@cache
def _named() -> Mapping[str, str]:
    return {form(name): sort for sort, _, names in _sorts() for name in names.split(",")}
