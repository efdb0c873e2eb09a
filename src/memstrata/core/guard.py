"""What keeps words that nobody said out of the memory: what events state, and whether a text rests on that.

A text of a model's is believed as far as its words are in the events it rests on: names and numbers all of them, of
the other terms half. A number may stand there as a word, and a time in other words: who says "yesterday" has said the
date. What an event asks, supposes or quotes is not among its words, nor an order to the memory and what comes after it.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from memstrata.core.fence import NAME, quoted, stripped
from memstrata.core.language import LANGUAGES, detect
from memstrata.core.numerals import in_digits
from memstrata.core.proposal import Terms
from memstrata.core.rows import Event
from memstrata.core.rules.entities import find_mentions
from memstrata.core.rules.grammar import Grammar, compiled
from memstrata.core.rules.pack import pack_of
from memstrata.core.rules.screen import MASK, own_words, restored, sentences, stated
from memstrata.core.scaffold import USER
from memstrata.core.statements import TimeRef
from memstrata.core.tables import made, regex
from memstrata.core.temporal import find_times
from memstrata.core.text import standing
from memstrata.languages import read

LONGEST = 500  # characters of a statement
_SHARE = 0.5  # of a text's terms that its events must hold
_READ = 20_000  # characters of an event that are looked at, as by extraction

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_JOINERS = re.compile("[\u200b-\u200d\u2060]")
_LINES = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Injections:
    """Patterns of words that speak to a memory or a model.

    Attributes:
        orders: tell it to forget what it knows or was told; `roles`: tell it what to be or do.
        marks: are read as a turn or an instruction by some model, or are memstrata's own.
    """

    orders: str
    roles: str
    marks: str


@cache
def _injections() -> re.Pattern[str]:
    place = "languages/injections.toml"
    table = made(Injections, read("injections"), place)
    return regex(f"{table.orders}|{table.roles}|{table.marks}", place, re.IGNORECASE)


def orders(text: str) -> bool:
    """Whether a text speaks to the memory or to a model, however its letters are disguised."""
    plain = _JOINERS.sub("", unicodedata.normalize("NFKC", text))
    return any(_injections().search(form) for form in (text, plain, quoted(plain)))


def unfit(text: str, language: str) -> str | None:
    """Why a text can be no statement, whatever it rests on; None if it can."""
    spoken = detect(text, language)
    grammar = _grammar(spoken)
    if NAME in text.lower() or orders(text):
        return "it speaks to the memory"
    if len(text) > LONGEST:
        return f"it has more than {LONGEST} characters"
    if "?" in text or "？" in text or grammar.questions.match(text):
        return "it asks"
    if grammar.hypothetical.search(text):
        return "it supposes"
    if grammar.secrets.search(text):
        return "it may hold a secret"
    return None


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of what an event states: its terms, and whether it says that something is not so."""

    terms: frozenset[str]
    denies: bool


@dataclass(frozen=True, slots=True)
class _Stated:
    """What some events state."""

    text: str
    words: frozenset[str]
    numbers: frozenset[str]
    terms: frozenset[str]
    clauses: tuple[_Clause, ...]


class Evidence:
    """What the events of a batch state.

    Args:
        events: those of the batch.
        terms: from a text to its terms.
        language: of what none can be told.
    """

    def __init__(self, events: Iterable[Event], terms: Terms, language: str) -> None:
        self._terms = terms
        self._language = language
        self.events = tuple(events)
        self._events = {event.id: event for event in self.events}
        self._read: dict[str, _Stated] = {}
        self._known = "", self._stated("", ())

    def __contains__(self, event: str) -> bool:
        return event in self._events

    def names(self, name: str, events: Iterable[str]) -> bool:
        """Whether some events name somebody or something, in these words."""
        return _names(name.casefold(), self._of(events))

    def speaks_of(self, word: str) -> bool:
        """Whether any event of the batch has a word of an attribute, or one of its language that means it there."""
        said = self._of(self._events).text
        canons = [pack_of(detect(event.content, self._language)).canon for event in self.events]
        names = [
            word,
            *(plain.replace("_", " ") for canon in canons for plain, usual in canon.items() if usual == word),
        ]
        return any(standing(name).search(said) for name in names)

    def against(self, text: str, events: Iterable[str], *, known: str = "", about: str = "") -> str | None:
        """Why some events do not say a text; None where they do.

        Args:
            text: a statement, or a value.
            events: ids of those it rests on.
            known: what may be named besides.
            about: what the text begins with or is about, which need not be in the events.
        """
        found = self._of(events)
        besides = self._besides(known) if known else None
        spoken = detect(text, detect(found.text, self._language))
        sides = [side for side in (found, besides) if side]
        apart = {USER, *_WORD.findall(f"{_grammar(spoken).pack.user} {about}".casefold())}
        if _strange(text, sides):
            text = self._untimed(text, spoken, events)
            if not _WORD.search(text):
                return None
        if number := _strange(text, sides):
            return f"no event it rests on has the number {number[:40]}"
        for mention in find_mentions(text, spoken):
            name = mention.name.casefold()
            if not apart.issuperset(_WORD.findall(name)) and not any(_names(name, side) for side in sides):
                return f"no event it rests on names {mention.name[:60]}"
        wanted = frozenset(self._terms(_grammar(spoken).no_longer.sub(" ", text))) - {
            term for word in apart for term in self._terms(word)
        }
        held = frozenset[str]().union(*(side.terms for side in sides))
        if not wanted or len(wanted & held) < _SHARE * len(wanted):
            return "it is not in the words of its events"
        denies = _denies(text, spoken)
        holding = [clause for clause in found.clauses if wanted <= clause.terms]
        if holding and all(clause.denies != denies for clause in holding):
            return "its events say the opposite"
        return None

    def _untimed(self, text: str, language: str, events: Iterable[str]) -> str:
        """A text without the times in it that events say in other words, one of them or all that it covers."""
        rows = [self._events[event] for event in events if event in self._events]
        said = [(time.begin, time.until) for row in rows for time in self._times(row) if time.begin and time.until]
        for time in reversed(find_times(text, max(row.event_time for row in rows), language) if rows else ()):
            begin, until = time.begin, time.until
            if begin and until and any(begin <= first and last <= until for first, last in said):
                text = f"{text[: time.start]} {text[time.end :]}"
        return text

    def _times(self, event: Event) -> Sequence[TimeRef]:
        """The times that an event says, as they were meant when it was said."""
        said = " ".join(_sentences(event, self._language))
        return find_times(said, event.event_time, detect(said, self._language))

    def _besides(self, known: str) -> _Stated:
        """What is known, as a text whose clauses do not count; it is the same for each text of a narrative."""
        if self._known[0] != known:
            self._known = known, self._stated(known, ())
        return self._known[1]

    def _of(self, events: Iterable[str]) -> _Stated:
        parts = [self._event(event) for event in events if event in self._events]
        return _Stated(
            " ".join(part.text for part in parts),
            frozenset[str]().union(*(part.words for part in parts)),
            frozenset[str]().union(*(part.numbers for part in parts)),
            frozenset[str]().union(*(part.terms for part in parts)),
            tuple(clause for part in parts for clause in part.clauses),
        )

    def _event(self, name: str) -> _Stated:
        if name not in self._read:
            event = self._events[name]
            said = list(_sentences(event, self._language))
            self._read[name] = self._stated(" ".join((event.speaker or "", *said)), said)
        return self._read[name]

    def _stated(self, text: str, said: Iterable[str]) -> _Stated:
        low = text.casefold()
        counted = in_digits(low, detect(text, self._language))
        return _Stated(
            low,
            frozenset(_WORD.findall(low)),
            frozenset((*_NUMBER.findall(low), *_NUMBER.findall(counted))),
            frozenset((*self._terms(text), *self._terms(counted))),
            tuple(clause for sentence in said for clause in self._clauses(sentence)),
        )

    def _clauses(self, sentence: str) -> Iterator[_Clause]:
        spoken = detect(sentence, self._language)
        for clause in filter(None, _grammar(spoken).joints.split(sentence)):
            yield _Clause(frozenset(self._terms(clause)), _denies(clause, spoken))


def _strange(text: str, sides: Iterable[_Stated]) -> str | None:
    """A number of a text that nobody said."""
    return next((one for one in _NUMBER.findall(text) if not any(one in side.numbers for side in sides)), None)


def _names(name: str, said: _Stated) -> bool:
    return _within(name, said.text, said.words)


def _within(name: str, text: str, words: Collection[str]) -> bool:
    parts = _WORD.findall(name)
    return bool(parts) and ({*parts} <= {*words} or (not name.isascii() and name in text))


def naming(name: str, event: Event) -> bool:
    """Whether an event has all words of a name anywhere."""
    text = f"{event.speaker or ''} {event.content}".casefold()
    return _within(name.casefold(), text, _WORD.findall(text))


def _denies(text: str, language: str) -> bool:
    return _grammar(language).denying.search(text.lower()) is not None


def _grammar(language: str) -> Grammar:
    return compiled(language if language in LANGUAGES else LANGUAGES[0])


def _sentences(event: Event, language: str) -> Iterator[str]:
    """What an event states, sentence by sentence: of what is said only the speaker's own words that tell something."""
    text = stripped(event.content)[:_READ]
    if event.kind != "turn":
        yield from takewhile(lambda line: not orders(line), _LINES.split(text))
        return
    grammar = _grammar(detect(text, language))
    plain = own_words(text, grammar)
    for start, end, asks in sentences(plain, grammar):
        if grammar.material.match(plain, start, end) or orders(text[start:end]):
            break
        sentence = plain[start:end]
        if not (grammar.hypothetical.search(sentence) or grammar.supposed.search(sentence)):
            yield restored(stated(sentence, grammar, asks=asks)).replace(MASK, " ")
