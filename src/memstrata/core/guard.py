"""What the events of a batch state, and whether a text rests on that. It keeps inventions out of the memory.

A model reads; the guard checks what can be checked by looking:

- every name and every number of a text stands in the events that it cites. A number may stand there as a word, and a
  time in other words: who says "yesterday" has said the date;
- at least half of its other terms do, or, of a free wording, one that tells something;
- the events state these terms. They do not merely ask, suppose or quote them (`core.sayings`);
- the events do not deny what the text affirms, nor the reverse;
- what the text says of the user, the events do not say of somebody else.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memstrata.core.language import common_words, detect
from memstrata.core.numerals import in_digits
from memstrata.core.proposal import Terms
from memstrata.core.retelling import RETOLD
from memstrata.core.rows import Event
from memstrata.core.rules.entities import find_mentions
from memstrata.core.rules.pack import pack_of
from memstrata.core.sayings import grammar_in, told
from memstrata.core.scaffold import USER
from memstrata.core.statements import TimeRef
from memstrata.core.telling import changes, pattern_of
from memstrata.core.temporal import find_times
from memstrata.core.text import form, standing

#: Why a text is refused whose terms are mostly not in its events.
OTHERWISE = "it is not in the words of its events"
#: Why one is refused that its events deny.
DENIED = "its events say the opposite"

_SHARE = 0.5  # of a text's terms that its events must hold
_BEFORE, _BEHIND = 7, 3  # words around the terms of a text in which a clause may deny them
_ROOT = 4  # letters that akin words have in common
_DAY = timedelta(days=1)
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was known before and the events speak of: its names and numbers, and its whole texts."""

    names: str = ""
    text: str = ""


NOTHING = Recalled()


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause that an event states, its terms, and its language."""

    text: str
    terms: frozenset[str]
    language: str


@dataclass(frozen=True, slots=True)
class _Stated:
    """What some events state, and the terms of each passage that they only ask, suppose, quote or repeat."""

    text: str
    words: frozenset[str]
    numbers: frozenset[str]
    terms: frozenset[str]
    clauses: tuple[_Clause, ...]
    sentences: tuple[str, ...] = ()
    unsaid: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A text that is to be found in events: its language and terms, and whether it denies something.

    Attributes:
        named: the terms but for names that the events merely mean; `fresh`: those of them that tell something.
        content: the terms without the common words of the language.
    """

    text: str
    language: str
    terms: frozenset[str]
    named: frozenset[str]
    fresh: frozenset[str]
    content: frozenset[str]
    negative: bool


class Spoken:
    """What the events of a batch state.

    Args:
        events: those of the batch.
        terms: from a text to its terms.
        language: the language of a text in which none is detected.
    """

    def __init__(self, events: Iterable[Event], terms: Terms, language: str) -> None:
        self._terms = terms
        self._light = frozenset(terms(" ".join(changes().light)))
        self._language = language
        self.events = tuple(events)
        self._events = {event.id: event for event in self.events}
        self._read: dict[tuple[str, bool], _Stated] = {}
        self._known = "", self._stated("", ())

    def __contains__(self, event: str) -> bool:
        return event in self._events

    def names(self, name: str, events: Iterable[str]) -> bool:
        """Whether some events state this name, all words of it."""
        said = self._of(events)
        return _within(name.casefold(), said.text, said.words)

    def heard(self, events: Iterable[str]) -> tuple[str, ...]:
        """Those of some events that do not come from the assistant."""
        known = (self._events[event] for event in events if event in self._events)
        return tuple(one.id for one in known if one.kind != "turn" or one.role != "assistant" or one.speaker)

    def said(self, events: Iterable[str], *, aside: bool = False) -> tuple[str, ...]:
        """The sentences that some events state, with `aside` also those that they say aside."""
        return self._of(events, aside=aside).sentences

    def telling(self, text: str) -> frozenset[str]:
        """The terms of a text, without those that nearly every statement has."""
        return frozenset(self._terms(text)) - self._light - {USER}

    def person(self, text: str) -> str | None:
        """The first person that a text names, but for whom somebody else does it with, or thanks to."""
        people = (one for one in find_mentions(text, self._spoken(text)) if one.type == "person")
        return next((one.name for one in people if not pattern_of("beside").search(text[: one.start])), None)

    def _spoken(self, text: str) -> str:
        return detect(text, self._language)

    def _besides(self, known: str) -> _Stated:
        """What is known, as a text whose clauses do not count; kept, as each sentence of a narrative asks for it."""
        if self._known[0] != known:
            self._known = known, self._stated(known, ())
        return self._known[1]

    def _of(self, events: Iterable[str], *, aside: bool = False) -> _Stated:
        parts = [self._event(event, aside=aside) for event in events if event in self._events]
        return _Stated(
            " ".join(part.text for part in parts),
            frozenset[str]().union(*(part.words for part in parts)),
            frozenset[str]().union(*(part.numbers for part in parts)),
            frozenset[str]().union(*(part.terms for part in parts)),
            tuple(clause for part in parts for clause in part.clauses),
            tuple(sentence for part in parts for sentence in part.sentences),
            tuple(passage for part in parts for passage in part.unsaid),
        )

    def _event(self, name: str, *, aside: bool = False) -> _Stated:
        if (name, aside) not in self._read:
            event = self._events[name]
            found = told(event, self._language)
            stated = [*found.stated, *found.aside] if aside else found.stated
            unsaid = found.unsaid if aside else [*found.unsaid, *found.aside]
            read = self._stated(" ".join((event.speaker or "", *stated)), stated)
            self._read[name, aside] = replace(read, unsaid=tuple(frozenset(self._terms(one)) for one in unsaid))
        return self._read[name, aside]

    def _stated(self, text: str, said: Sequence[str]) -> _Stated:
        low = text.casefold()
        counted = in_digits(low, self._spoken(text))
        counted += "".join(f" {changes().counts[word]}" for word in _WORD.findall(low) if word in changes().counts)
        return _Stated(
            low,
            frozenset(_WORD.findall(low)),
            frozenset((*_NUMBER.findall(low), *_NUMBER.findall(counted))),
            frozenset((*self._terms(text), *self._terms(counted))),
            tuple(clause for sentence in said for clause in self._clauses(sentence)),
            tuple(said),
        )

    def _clauses(self, sentence: str) -> Iterator[_Clause]:
        spoken = self._spoken(sentence)
        parts = (part for one in grammar_in(spoken).joints.split(sentence) for part in pattern_of("turns").split(one))
        for clause in filter(None, parts):
            yield _Clause(clause, frozenset(self._terms(clause)), spoken)

    def _times(self, event: Event) -> Sequence[TimeRef]:
        """The times that an event states, as they were meant when it was said."""
        said = " ".join(told(event, self._language).stated)
        return find_times(said, event.event_time, self._spoken(said))


class Evidence(Spoken):
    """The events of a batch, and whether texts rest on them."""

    def passing(self, value: str, events: Iterable[str], sign: str) -> bool:
        """Whether every clause with a value has a sign: that it is so for a time, `until`, or may be, `unreal`."""
        holding = [one.text for one in self._of(events).clauses if form(value) in form(one.text)]
        return bool(holding) and all(pattern_of(sign).search(one) for one in holding)

    def supposed(self, text: str, events: Iterable[str]) -> bool:
        """Whether every clause that tells something of what a text tells, names aside, only supposes it."""
        names = " ".join(one.name for one in find_mentions(text, self._spoken(text)))
        wanted = self.telling(text) - self.telling(names) or self.telling(text)
        about = [one.text for one in self._of(events).clauses if wanted & one.terms]
        return bool(about) and all(pattern_of("unreal").search(one) for one in about)

    def of_another(self, text: str, events: Iterable[str]) -> str | None:
        """Who does in some events what a text says of the user; None where the user does, or it is not clear.

        The sentences with all telling terms of the text decide: each of them must have another subject before these.
        """
        wanted = self.telling(in_digits(text, self._spoken(text)))
        who = None
        for sentence in (in_digits(one, self._spoken(one)) for one in self.said(events)):
            if wanted and wanted <= self.telling(sentence):
                who = self._subject(sentence, wanted)
                if who is None or standing(who).search(text):
                    return None
        return who

    def _subject(self, sentence: str, terms: frozenset[str]) -> str | None:
        """Who but the speaker a sentence tells some terms of, by the words before them: "Bob", "he", "my sister"."""
        if any(pattern_of("speaker").search(one.text) for one in self._clauses(sentence) if terms <= one.terms):
            return None
        words, spoken = _WORD.finditer(sentence), self._spoken(sentence)
        at = next((one.start() for one in words if terms.intersection(self._terms(one[0]))), 0)
        before, named = sentence[:at], sentence[at : at + 1].isupper()
        begun, kin = pattern_of("other").match(before), kin_in(before, spoken)
        own = pattern_of("mine").search(before) and (named or not (begun or kin))  # "my neighbour Tom", who is mine
        if own or pattern_of("speaker").search(before):
            return None
        return self.person(before) or kin or (begun[0].strip() if begun else None)

    def against(
        self,
        text: str,
        events: Iterable[str],
        *,
        known: str = "",
        about: str = "",
        recalled: Recalled = NOTHING,
        freely: bool = False,
        aside: bool = False,
    ) -> str | None:
        """Why some events do not say a text; None where they do.

        Args:
            text: a statement, or a value.
            events: ids of those it rests on.
            known: counts as if an event had stated it.
            about: whom or what the text is about, which need not be in the events.
            recalled: what the events speak of: its names and numbers may be said again, and count neither way.
            freely: one telling term in common is enough, be it with `recalled`.
            aside: what the events say aside counts as stated.
        """
        events = tuple(events)
        found = self._of(events, aside=aside)
        sides = [found, *([self._besides(known)] if known else [])]
        spoken = detect(text, detect(found.text, self._language))
        apart = {USER, *_WORD.findall(f"{grammar_in(spoken).pack.user} {about}".casefold())}
        numbers = frozenset(_NUMBER.findall(recalled.names))
        if _strange(text, sides, numbers):
            text = self._untimed(text, spoken, events)
            if not _WORD.search(text):
                return None
        asked = self._asked(text, spoken, apart, recalled)
        held = frozenset[str]().union(*(side.terms for side in sides))
        if why := self._unknown(text, spoken, sides, {*apart, *_WORD.findall(recalled.names)}, numbers):
            return why
        if self._unstated(asked, found, held):
            return "its events do not state it"
        if not any(one and len(one & held) >= _SHARE * len(one) for one in (asked.terms, asked.fresh)):
            held |= frozenset(self._terms(recalled.text))
            if not (freely and self._akin(asked, held, found.text)):
                return OTHERWISE
        return DENIED if self._contradicted(asked, found) else None

    def _asked(self, text: str, language: str, apart: Iterable[str], recalled: Recalled) -> _Asked:
        terms = frozenset(self._terms(grammar_in(language).no_longer.sub(" ", text)))
        terms -= {term for word in apart for term in self._terms(word)}
        named = terms - frozenset(self._terms(recalled.names))
        return _Asked(
            text,
            language,
            terms,
            named or terms,
            named - self._light,
            terms - frozenset(self._terms(" ".join(common_words(language)))),
            _denies(text, language),
        )

    def _unstated(self, asked: _Asked, found: _Stated, held: frozenset[str]) -> bool:
        """Whether more of a text is in what the events ask, suppose or quote than in what they state.

        A denial of what they suppose is stated if a clause denies it.
        """
        own = asked.content - self._light
        denied = any(_denies(one.text, one.language) and own & one.terms for one in found.clauses)
        unsaid = any(len(asked.content & passage) > len(asked.content & held) for passage in found.unsaid)
        return unsaid and not (asked.negative and denied)

    def _contradicted(self, asked: _Asked, found: _Stated) -> bool:
        """Whether each clause that has the terms of a text denies what it affirms, or affirms what it denies.

        Words that both have do not count as a denial: who has not quit denies that they quit.

        Where nothing is stemmed, the terms that tell something are enough of an affirmation: "hat" is not "habe".
        """
        negative = self._negated(asked.text.split(), asked.terms, asked.language)
        terms = asked.terms if negative else asked.named
        content = terms if negative else (asked.content - self._light) or terms
        wanted = ((one, terms if one.language in RETOLD else content) for one in found.clauses)
        holding = [(clause, terms) for clause, terms in wanted if _holds(clause, terms)]
        return bool(holding) and all(self._denied(*one) != negative for one in holding)

    def _negated(self, words: Iterable[str], terms: frozenset[str], language: str) -> bool:
        """Whether some words deny something, leaving aside those of the terms that are no negation: "quit"."""
        plain = pattern_of("denials")
        kept = common_words(language)
        left = (one for one in words if one.lower() in kept or terms.isdisjoint(self._terms(one)) or plain.search(one))
        return _denies(" ".join(left), language)

    def _akin(self, asked: _Asked, held: frozenset[str], said: str) -> bool:
        """Whether a term of a text is held, if only in another form where nothing is stemmed, or follows from a word.

        Who speaks of "my husband" is married.
        """
        wanted = asked.terms - self._light
        if not wanted.isdisjoint(held) or (asked.language not in RETOLD and alike(wanted, held)):
            return True
        follows = (kin for says, kin in changes().follows.items() if not wanted.isdisjoint(self._terms(says)))
        return any(tells_of(word, said) for kin in follows for word in kin.split())

    def _unknown(
        self, text: str, language: str, sides: Sequence[_Stated], named: Collection[str], numbers: frozenset[str]
    ) -> str | None:
        """A number or a name of a text that nobody said and that is not known either."""
        if number := _strange(text, sides, numbers):
            return f"no event it rests on has the number {number[:40]}"
        for mention in find_mentions(text, language):
            name = " ".join(word for word in _WORD.findall(mention.name.casefold()) if word not in named)
            inflected = frozenset(self._terms(name))
            known = (_within(name, one.text, one.words) or (inflected and inflected <= one.terms) for one in sides)
            if name and not any(known):
                return f"no event it rests on names {mention.name[:60]}"
        return None

    def _denied(self, clause: _Clause, wanted: frozenset[str]) -> bool:
        """Whether a clause has a denial not long before the first of some terms, or right behind the last."""
        words = clause.text.split()
        places = [place for place, word in enumerate(words) if wanted.intersection(self._terms(word))]
        near = words[max(places[0] - _BEFORE, 0) : places[-1] + _BEHIND + 1] if places else words
        return self._negated(near, wanted, clause.language)

    def _untimed(self, text: str, language: str, events: Iterable[str]) -> str:
        """A text without the times that its events say in other words, be it only in part."""
        rows = [self._events[event] for event in events if event in self._events]
        said = [(time.begin, time.until) for row in rows for time in self._times(row) if time.begin and time.until]
        for time in reversed(find_times(text, max(row.event_time for row in rows), language) if rows else ()):
            begin, until = time.begin, time.until
            if begin and until and any(_covers(begin, until, *one) for one in said):
                text = f"{text[: time.start]} {text[time.end :]}"
        return text


def kin_in(text: str, language: str) -> str | None:
    """Whom a text begins with, as what they are to the speaker: "my sister"."""
    found = grammar_in(language).subject.match(text)
    return text[: found.end("kin")] if found and found.groupdict().get("kin") else None


def _holds(clause: _Clause, terms: frozenset[str]) -> bool:
    """Whether a clause has all of some terms, if only in another form where nothing is stemmed."""
    free = clause.language not in RETOLD
    return all(term in clause.terms or (free and alike([term], clause.terms)) for term in terms)


def _covers(begin: datetime, until: datetime, first: datetime, last: datetime) -> bool:
    """Whether a time is one that was said, or covers it; of a day without a year, whatever the year."""
    day = until - begin == last - first == _DAY and (begin.month, begin.day) == (first.month, first.day)
    return day or (begin <= first and last <= until)


def _strange(text: str, sides: Iterable[_Stated], known: frozenset[str]) -> str | None:
    """A number of a text that nobody said and that is not known."""
    strange = (one for one in _NUMBER.findall(text) if one not in known)
    return next((one for one in strange if not any(one in side.numbers for side in sides)), None)


def _within(name: str, text: str, words: Collection[str]) -> bool:
    parts = _WORD.findall(name)
    return bool(parts) and ({*parts} <= {*words} or (not name.isascii() and name in text))


def naming(name: str, event: Event) -> bool:
    """Whether an event has all words of a name anywhere."""
    text = f"{event.speaker or ''} {event.content}".casefold()
    return _within(name.casefold(), text, _WORD.findall(text))


def tells_of(kin: str, text: str) -> bool:
    """Whether a text has a word of an attribute, or one of its language that means it: "Schwester" for `sister`."""
    canon = pack_of(detect(text, RETOLD[0])).canon
    words = (kin, *(plain for plain, usual in canon.items() if usual == kin))
    return any(standing(word.replace("_", " ")).search(text) for word in words)


def _denies(text: str, language: str) -> bool:
    return grammar_in(language).denying.search(pattern_of("undenying").sub(" ", text).lower()) is not None


def alike(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether words of two texts begin alike: "fuma", "fumar"."""
    long = {word[:_ROOT] for word in words if len(word) >= _ROOT}
    return any(word[:_ROOT] in long for word in others)
