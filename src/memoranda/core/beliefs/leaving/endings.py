"""Endings: what a text says is gone: who died, left or parted, what was sold, lost or cancelled.

An ending is recognised by how it is said, and what it ends by what is known: its words need only name the thing. They
are those of its clause before or behind what says so or, in languages with a freer order, all the others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from memoranda.core.language.force.screen import own_words, restored, sentences, stated
from memoranda.core.language.grammar import Grammar, compiled
from memoranda.core.language.pack import pack_of
from memoranda.core.rows.statements import Statement, TimeRef
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.packs import made, regex
from memoranda.languages import read

_NEAR = 6  # words before or behind what says that something is over that may name it
_OWNED = {"pet": "died", "possession": "sold", "tool": "dropped", "people": "left"}
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_CLAUSE = re.compile(r"[,;:()\u2013\u2014\uff0c\uff1b\uff1a]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What is over.

    Attributes:
        sort: died, left, fired, parted, sold, dropped, none (there is none any more), or moved (to another time).
        what: words that name it, and others.
        clause: all words of its clause, but for those that say what happened.
        language: in which it is said.
        when: since when, if that is known.
        start, end: character offsets of the sentence that says it.
    """

    sort: str
    what: str
    language: str
    clause: str = ""
    when: TimeRef | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """How a language says that something is over.

    Attributes:
        cues: words, at least one of which every such sentence contains; parts of words in a language without spaces.
        light: words that name nothing alone, or that many things are named with.
        stop: ends what stands behind.
        unless: says in the same clause that it is not so, or not in this world.
        others: says that somebody else's is meant, if only its sort is named ("my neighbour's dog").
        head_first: a noun stands before what describes it.
        compounds: a noun before another names no more than its sort: "the piano lesson" is no piano.
        before, behind, within: the sort of an ending → what says so, with the words that name what is over before it,
            behind it, or anywhere in its clause.
    """

    cues: frozenset[str]
    light: frozenset[str]
    stop: str
    unless: str
    others: str
    head_first: bool = False
    compounds: bool = False
    before: Mapping[str, str] = field(default_factory=dict)
    behind: Mapping[str, str] = field(default_factory=dict)
    within: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Endings:
    """The wording of a language, compiled: where the name stands, the sort, and the pattern of each way to say it."""

    wording: Wording
    stop: re.Pattern[str]
    unless: re.Pattern[str]
    others: re.Pattern[str]
    ways: tuple[tuple[str, str, re.Pattern[str]], ...]


@cache
def endings_of(language: str) -> Endings:
    """Return the ways in which one of `LANGUAGES` says that something is over, read on first use.

    Raises:
        FormatError: the file has an unknown entry, lacks one, or a pattern is no regular expression.
    """
    where = f"languages/{language}/endings.toml"
    told = made(Wording, read(f"{language}/endings"), where)
    places = (("before", told.before), ("behind", told.behind), ("within", told.within))
    ways = [(place, sort, pattern) for place, sorts in places for sort, pattern in sorts.items()]
    return Endings(
        told,
        regex(told.stop, f"{where}: stop", re.IGNORECASE),
        regex(told.unless, f"{where}: unless", re.IGNORECASE),
        regex(told.others, f"{where}: others", re.IGNORECASE),
        tuple((place, sort, regex(one, f"{where}: {sort}", re.IGNORECASE)) for place, sort, one in ways),
    )


def endings_in(statements: Iterable[Statement], language: str) -> Iterator[Ending]:
    """Yield what is over if some statements hold: "I don't have a dog any more"."""
    over = pack_of(language).no_longer_so.partition("{")[0]
    for one in statements:
        sort = _OWNED.get((one.attribute or "").partition(".")[0])
        ends = one.polarity < 0 and one.correction and one.temporal != "past"
        if sort and ends and isinstance(one.value, str):
            sort = "none" if one.text.startswith(over) else sort
            yield Ending(sort=sort, what=one.value, language=language, when=one.when)


def read_endings(text: str, language: str) -> tuple[Ending, ...]:
    """Return what a text says is over, in its own words: nothing that is asked, supposed or reported.

    Args:
        text: one turn.
        language: its language, if it is known. A short text may be in another one, and is then read in that.
    """
    lowered = text.lower().replace("\u2019", "'")
    words = {*_WORD.findall(lowered)}
    for one in sorted(LANGUAGES, key=lambda one: one != language):
        table, grammar = endings_of(one), compiled(one)
        cues = table.wording.cues
        if not cues.isdisjoint(words) if grammar.pack.spaced else any(cue in lowered for cue in cues):
            plain = own_words(text, grammar)
            told = () if grammar.pasted.search(plain) else tuple(_told(plain, grammar, table))
            if told:
                return told
    return ()


def _told(plain: str, grammar: Grammar, table: Endings) -> Iterator[Ending]:
    for start, end, asks in sentences(plain, grammar):
        sentence = plain[start:end]
        if grammar.material.match(sentence):
            return
        doubtful = grammar.hypothetical.search(sentence) or grammar.condition.search(sentence)
        words = "" if doubtful else stated(sentence, grammar, asks=asks)
        for place, sort, pattern in table.ways if words else ():
            for found in pattern.finditer(words):
                what = _what(words, found, place, table)
                if what is not None:
                    yield Ending(
                        clause=restored(" ".join(_clause(words, found))),
                        sort=sort, what=restored(what), language=grammar.pack.language, start=start, end=end
                    )  # fmt: skip


def _what(words: str, found: re.Match[str], place: str, table: Endings) -> str | None:
    """Return the words that name what is over; None if the clause says that it is not."""
    before, behind = _clause(words, found)
    if table.unless.search(f"{before} \n {behind}"):
        return None
    if place == "before":
        return " ".join(before.split()[-_NEAR:])
    stop = table.stop.search(behind)
    behind = behind[: stop.start()] if stop else behind
    near = " ".join(behind.split()[:_NEAR])
    return near if place == "behind" else f"{before} {near}"


def _clause(words: str, found: re.Match[str]) -> tuple[str, str]:
    """Return what stands before and behind what says that something is over, up to a comma."""
    cuts = [cut.end() for cut in _CLAUSE.finditer(words, 0, found.start())]
    until = _CLAUSE.search(words, found.end())
    return words[cuts[-1] if cuts else 0 : found.start()], words[found.end() : until.start() if until else len(words)]
