"""What the events of a batch state, and whether a text rests on that. It keeps inventions out of the memory.

A model interprets the events; the guard checks what can be checked mechanically:

- every name and every number of a text is in the events that it cites. A number may be there as a word, and a time in
  other words: "yesterday" gives a date;
- at least half of its terms are, or half of its telling terms (without words that nearly every statement has); for a
  free wording one telling term is enough;
- the events state these terms. They do not merely ask, suppose or quote them (`core.language.speech`);
- the events do not deny what the text affirms, nor the reverse;
- what the text says of the user, the events do not say of somebody else.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.consolidation.proposal import Terms
from memoranda.core.language.attributes import words_for
from memoranda.core.language.entities import find_mentions
from memoranda.core.language.force.played import in_play
from memoranda.core.language.pack import pack_of
from memoranda.core.language.person import RETOLD
from memoranda.core.language.speech import grammar_in, split
from memoranda.core.language.speech_cues import changes, pattern_of
from memoranda.core.rows import Event
from memoranda.core.rows.statements import TimeRef
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import common_words, detect
from memoranda.core.text.numerals import in_digits
from memoranda.core.text.terms import form, stands
from memoranda.core.text.voices import is_reserved, own

#: The reason for refusing a text most of whose terms are not in its events.
OTHERWISE = "it is not in the words of its events"
#: The reason for refusing a text that its events deny.
DENIED = "its events say the opposite"

_SHARE = 0.5  # share of a text's terms that its events must have
_BEFORE, _BEHIND = 7, 3  # words around the terms of a text within which a denial applies to them
_ROOT = 4  # first letters that related words share
_DAY = timedelta(days=1)
_WORD = re.compile(r"\w+")
_QUESTION = re.compile(r"(?<![^.!?。！？\n])[^.!?。！？\n]++[?？]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the events refer to that was known before: its names and numbers, and the texts of the records."""

    names: str = ""
    text: str = ""


NOTHING = Recalled()


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause that an event states, with its terms and its language."""

    text: str
    terms: frozenset[str]
    language: str


@dataclass(frozen=True, slots=True)
class _Stated:
    """What some events state (`text` in lower case), and the terms of each passage that they do not (`unsaid`)."""

    text: str
    words: frozenset[str]
    numbers: frozenset[str]
    terms: frozenset[str]
    clauses: tuple[_Clause, ...]
    sentences: tuple[str, ...] = ()
    unsaid: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A text to be found in events: its language, its terms, and whether it denies something (`negative`).

    Attributes:
        terms: its terms, without the name of whom it is about.
        named: the terms without recalled names, or all if only these are left; `fresh`: the telling ones without them.
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

    The methods take ids of events; ids that are not in the batch are ignored.

    Args:
        events: the events of the batch.
        terms: returns the terms of a text.
        language: assumed for a text in which none is detected.
    """

    def __init__(self, events: Iterable[Event], terms: Terms, language: str) -> None:
        self._terms = terms
        self._light = frozenset(terms(" ".join(changes().light)))
        self._language = language
        self.events = tuple(events)
        self._events = {event.id: event for event in self.events}
        self._played = in_play(self.events)
        self._read: dict[tuple[str, bool], _Stated] = {}
        self._known = "", self._stated("", ())

    def __contains__(self, event: str) -> bool:
        return event in self._events

    def names(self, name: str, events: Iterable[str]) -> bool:
        """Whether some events together state every word of a name."""
        said = self._of(events)
        return _within(name.casefold(), said.text, said.words)

    def heard(self, events: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of those events that do not come from the assistant; a turn of a named speaker never does."""
        known = (self._events[event] for event in events if event in self._events)
        return tuple(one.id for one in known if one.kind != "turn" or one.role != "assistant" or _named(one.speaker))

    def own(self, events: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of those events that come from the user."""
        return tuple(one for one in events if one in self and own(self._events[one]))

    def said(self, events: Iterable[str], *, aside: bool = False) -> tuple[str, ...]:
        """Return the passages that some events state, with `aside` also those that they say aside."""
        return self._of(events, aside=aside).sentences

    def telling(self, text: str) -> frozenset[str]:
        """Return the telling terms of a text: without "user" and those that nearly every statement has."""
        return frozenset(self._terms(self._subjectless(text, self._spoken(text)))) - self._light - {USER}

    def _subjectless(self, text: str, language: str) -> str:
        """Return a text without the word for the user, if it would form a term with the next: Chinese has no spaces."""
        user = grammar_in(language).pack.user
        return text if user.isascii() else text.replace(user, " ")

    def person(self, text: str) -> str | None:
        """Return the first person that a text names, unless after "with", "thanks to" or the like; None for nobody."""
        people = (one for one in find_mentions(text, self._spoken(text)) if one.type == "person")
        return next((one.name for one in people if not pattern_of("beside").search(text[: one.start])), None)

    def _spoken(self, text: str) -> str:
        return detect(text, self._language)

    def _besides(self, known: str) -> _Stated:
        """Return what is known as stated, but without clauses; cached, as each sentence of a narrative asks for it."""
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
            found = split(event, self._language, played=name in self._played)
            if not self.heard((name,)):  # what the assistant says aside, the user did not say
                found.unsaid, found.aside = [*found.unsaid, *found.aside], []
            stated = [*found.stated, *found.aside, *self._affirmed(event)] if aside else found.stated
            unsaid = found.unsaid if aside else [*found.unsaid, *found.aside]
            read = self._stated(" ".join((event.speaker or "", *stated)), stated)
            self._read[name, aside] = replace(read, unsaid=tuple(frozenset(self._terms(one)) for one in unsaid))
        return self._read[name, aside]

    def _affirmed(self, event: Event) -> list[str]:
        """Return the question of the assistant to which a turn of the user says yes, as a statement; none if none."""
        place = self.events.index(event)
        asked = self.events[place - 1] if place else event
        if (event.role, asked.role) != ("user", "assistant") or event.conversation != asked.conversation:
            return []
        yes = pattern_of("affirms").match(event.content) and not (event.speaker or _denies(event.content))
        about = [one for one in _QUESTION.findall(asked.content)[-1:] if not pattern_of("choosing").search(one)]
        return [one.rstrip("?？") for one in about if yes and pattern_of("addressed").search(one)]

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
        """Return the times that an event states, resolved from its own time."""
        said = " ".join(split(event, self._language, played=event.id in self._played).stated)
        return find_times(said, event.event_time, self._spoken(said))


class Evidence(Spoken):
    """Tells whether texts rest on the events of a batch."""

    def passing(self, value: str, events: Iterable[str], sign: str) -> bool:
        """Whether there are clauses with a value, and all match a sign: "until" (for a time) or "unreal" (may be)."""
        holding = [one.text for one in self._of(events).clauses if form(value) in form(one.text)]
        return bool(holding) and all(pattern_of(sign).search(one) for one in holding)

    def gives(self, attribute: str, value: str, events: Iterable[str], before: Iterable[str]) -> bool:
        """Whether a sentence with a name has a word for the attribute that the name is to be of.

        It counts as well if a sentence says that a value `before` is over, if no sentence has the value, or if that is
        no name.
        """
        said = self.said(events)
        holding = [one for one in said if stands(value, one)]
        if not holding or value[0].islower():
            return True
        old = [word for text in before for word in _WORD.findall(text)]
        if any(stands(word, one) and _denies(one) for word in old for one in said):
            return True
        return any(tells_of(word, one) for one in holding for word in _words_for(attribute, self._spoken(one)))

    def supposed(self, text: str, events: Iterable[str]) -> bool:
        """Whether there are clauses with a telling term of a text, names aside, and all only suppose something."""
        names = " ".join(one.name for one in find_mentions(text, self._spoken(text)))
        wanted = self.telling(text) - self.telling(names) or self.telling(text)
        about = [one.text for one in self._of(events).clauses if wanted & one.terms]
        return bool(about) and all(pattern_of("unreal").search(one) for one in about)

    def of_another(self, text: str, events: Iterable[str]) -> str | None:
        """Return who, in some events, does what a text says of the user; None if the user does, or it is not clear.

        The sentences with all telling terms of the text decide: in each, somebody else, whom the text does not mention,
        must be named before these terms.
        """
        wanted = self.telling(in_digits(text, self._spoken(text)))
        who = None
        for sentence in (in_digits(one, self._spoken(one)) for one in self.said(events)):
            if wanted and wanted <= self.telling(sentence):
                who = self._subject(sentence, wanted)
                if who is None or stands(who, text):
                    return None
        return who

    def _subject(self, sentence: str, terms: frozenset[str]) -> str | None:
        """Return who but the speaker a sentence says some terms of, by the words before: "he", "my sister"; or None."""
        if any(pattern_of("speaker").search(one.text) for one in self._clauses(sentence) if terms <= one.terms):
            return None
        words, spoken = _WORD.finditer(sentence), self._spoken(sentence)
        at = next((one.start() for one in words if terms.intersection(self._terms(one[0]))), 0)
        before = sentence[:at]
        begun, kin = pattern_of("other").match(before), kin_in(before, spoken)
        own = any(terms & self.telling(one[0]) for one in pattern_of("owned").finditer(sentence))  # "my neighbour Tom"
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
        past: bool = False,
    ) -> str | None:
        """Return why some events do not state a text, as a reason for its refusal; None if they do.

        Args:
            text: a statement, or a value.
            events: ids of the events that it rests on.
            known: a text that counts as if an event had stated it.
            about: whom or what the text is about; this need not be in the events.
            recalled: what the events refer to; its names and numbers may be repeated and need not count as terms.
            freely: one telling term in common with the events, or with the texts of `recalled`, is enough.
            aside: what the events say aside counts as stated.
            past: the text is about the past, so the events do not deny it by saying that it is over.
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
        return DENIED if self._contradicted(asked, found, past=past) else None

    def _asked(self, text: str, language: str, apart: Iterable[str], recalled: Recalled) -> _Asked:
        terms = frozenset(self._terms(grammar_in(language).no_longer.sub(" ", self._subjectless(text, language))))
        terms -= {term for word in apart for term in self._terms(word)}
        named = terms - frozenset(self._terms(recalled.names))
        return _Asked(
            text,
            language,
            terms,
            named or terms,
            named - self._light,
            terms - frozenset(self._terms(" ".join(common_words(language)))),
            _denies(text),
        )

    def _unstated(self, asked: _Asked, found: _Stated, held: frozenset[str]) -> bool:
        """Whether some passage that the events do not state has more terms of a text than what they state.

        But if the text is a denial, it is stated if a stated clause with a telling term of it denies something.
        """
        own = asked.content - self._light
        denied = any(_denies(one.text) and own & one.terms for one in found.clauses)
        unsaid = any(len(asked.content & passage) > len(asked.content & held) for passage in found.unsaid)
        return unsaid and not (asked.negative and denied)

    def _contradicted(self, asked: _Asked, found: _Stated, *, past: bool) -> bool:
        """Whether there are clauses with the terms of a text, and all deny what it affirms, or affirm what it denies.

        Words of the text itself do not count as denials: "has quit" affirms, and "haven't quit" denies it. In languages
        without stemming, a clause needs only the telling terms of an affirmation, because "hat" is not "habe".
        """
        negative = self._negated(asked.text.split(), asked.terms, asked.language, past=past)
        terms = asked.terms if negative else asked.named
        content = terms if negative else (asked.content - self._light) or terms
        wanted = ((one, terms if one.language in RETOLD else content) for one in found.clauses)
        holding = [(clause, terms) for clause, terms in wanted if _holds(clause, terms)]
        return bool(holding) and all(self._denied(*one, past=past) != negative for one in holding)

    def _negated(self, words: Iterable[str], terms: frozenset[str], language: str, *, past: bool) -> bool:
        """Whether some words deny something, not counting words of `terms` that are no plain negation ("quit")."""
        plain = pattern_of("denials")
        kept = common_words(language)
        left = (one for one in words if one.lower() in kept or terms.isdisjoint(self._terms(one)) or plain.search(one))
        text = " ".join(left)
        return _denies(grammar_in(language).no_longer.sub(" ", text) if past else text, past=past)

    def _akin(self, asked: _Asked, held: frozenset[str], said: str) -> bool:
        """Whether a telling term of a text is in `held`, or follows from a word in `said` ("my husband": married).

        In languages without stemming a term also counts in another form.
        """
        wanted = asked.terms - self._light
        if not wanted.isdisjoint(held) or (asked.language not in RETOLD and alike(wanted, held)):
            return True
        follows = (kin for says, kin in changes().follows.items() if not wanted.isdisjoint(self._terms(says)))
        return any(tells_of(word, said) for kin in follows for word in kin.split())

    def _unknown(
        self, text: str, language: str, sides: Sequence[_Stated], named: Collection[str], numbers: frozenset[str]
    ) -> str | None:
        """Return the reason for refusing a text that has a number or a name neither said nor known; else None."""
        if number := _strange(text, sides, numbers):
            return f"no event it rests on has the number {number[:40]}"
        for mention in find_mentions(text, language):
            name = " ".join(word for word in _WORD.findall(mention.name.casefold()) if word not in named)
            inflected = frozenset(self._terms(name))
            known = (_within(name, one.text, one.words) or (inflected and inflected <= one.terms) for one in sides)
            if name and not any(known):
                return f"no event it rests on names {mention.name[:60]}"
        return None

    def _denied(self, clause: _Clause, wanted: frozenset[str], *, past: bool) -> bool:
        """Whether a clause has a denial shortly before some terms, among them or right after them."""
        words = clause.text.split()
        places = [place for place, word in enumerate(words) if wanted.intersection(self._terms(word))]
        near = words[max(places[0] - _BEFORE, 0) : places[-1] + _BEHIND + 1] if places else words
        return self._negated(near, wanted, clause.language, past=past)

    def _untimed(self, text: str, language: str, events: Iterable[str]) -> str:
        """Return a text without the times that its events give in other words, or that cover such a time."""
        rows = [self._events[event] for event in events if event in self._events]
        said = [(time.begin, time.until) for row in rows for time in self._times(row) if time.begin and time.until]
        for time in reversed(find_times(text, max(row.event_time for row in rows), language) if rows else ()):
            begin, until = time.begin, time.until
            if begin and until and any(_covers(begin, until, *one) for one in said):
                text = f"{text[: time.start]} {text[time.end :]}"
        return text


@lru_cache(1 << 10)
def _words_for(attribute: str, language: str) -> frozenset[str]:
    """Return words that tell of an attribute, with those of the rules of a language for it."""
    rules = (rule for rule in grammar_in(language).pack.rules if rule.attribute == attribute)
    return words_for(attribute) | ({word for rule in rules for word in rule.cues.split()} - common_words(language))


def _named(speaker: str | None) -> bool:
    """Whether a speaker has a name of their own, and not that of a role."""
    return bool(speaker) and not is_reserved(str(speaker))


def kin_in(text: str, language: str) -> str | None:
    """Return the relative or pet that a text begins with, in its words ("my sister"); None if it begins otherwise."""
    found = grammar_in(language).subject.match(text)
    return text[: found.end("kin")] if found and found.groupdict().get("kin") else None


def _holds(clause: _Clause, terms: frozenset[str]) -> bool:
    """Whether a clause has all of some terms; in languages without stemming, if need be in another form."""
    free = clause.language not in RETOLD
    return all(term in clause.terms or (free and alike([term], clause.terms)) for term in terms)


def _covers(begin: datetime, until: datetime, first: datetime, last: datetime) -> bool:
    """Whether the time `begin` to `until` is or covers `first` to `last`; two single days may differ in the year."""
    day = until - begin == last - first == _DAY and (begin.month, begin.day) == (first.month, first.day)
    return day or (begin <= first and last <= until)


def _strange(text: str, sides: Iterable[_Stated], known: frozenset[str]) -> str | None:
    """Return the first number of a text that is neither said nor known; None if there is none."""
    strange = (one for one in _NUMBER.findall(text) if one not in known)
    return next((one for one in strange if not any(one in side.numbers for side in sides)), None)


def _within(name: str, text: str, words: Collection[str]) -> bool:
    parts = _WORD.findall(name)
    return bool(parts) and ({*parts} <= {*words} or (not name.isascii() and name in text))


def naming(name: str, event: Event) -> bool:
    """Whether an event has all words of a name, in its content or speaker, stated or not."""
    text = f"{event.speaker or ''} {event.content}".casefold()
    return _within(name.casefold(), text, _WORD.findall(text))


def tells_of(kin: str, text: str) -> bool:
    """Whether a text has a part of an attribute, or a word of its own language for it: "Schwester" for `sister`."""
    canon = pack_of(detect(text, RETOLD[0])).canon
    words = (kin, *(plain for plain, usual in canon.items() if usual == kin))
    return any(stands(word.replace("_", " "), text) for word in words)


def _denies(text: str, *, past: bool = False) -> bool:
    """Whether a text denies something, or says that it is over; that denies nothing of the past."""
    plain = pattern_of("undenying").sub(" ", text)
    return any(pattern_of(sign).search(plain) for sign in (("denials",) if past else ("denials", "ceased")))


def alike(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a word of one text begins like one of the other: "fuma", "fumar"."""
    long = {word[:_ROOT] for word in words if len(word) >= _ROOT}
    return any(word[:_ROOT] in long for word in others)
