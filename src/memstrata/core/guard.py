"""What keeps words that nobody said out of the memory: what events state, and whether a text rests on that.

A text of a model's is believed as far as its words are in the events it rests on: names and numbers all of them, of
the other terms half; of a text in words of its own, one that tells something. A number may stand there as a word, and a
time in other words: who says "yesterday" has said the date. What an event asks, supposes, quotes or has from others is
not among its words, nor an order to the memory and what comes after it. A text that has more in common with that than
with what is stated is not believed; what an event says aside counts if it is asked for.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memstrata.core.language import common_words, detect
from memstrata.core.numerals import in_digits
from memstrata.core.proposal import Terms
from memstrata.core.retelling import RETOLD, first_person
from memstrata.core.rows import Event
from memstrata.core.rules.engine import extract
from memstrata.core.rules.entities import find_mentions
from memstrata.core.rules.pack import pack_of
from memstrata.core.sayings import grammar_in, told
from memstrata.core.scaffold import USER
from memstrata.core.statements import Statement, TimeRef
from memstrata.core.telling import changes, pattern_of
from memstrata.core.temporal import find_times
from memstrata.core.text import form, standing

_SHARE = 0.5  # of a text's terms that its events must hold
#: Why a text is refused that is in words of its own.
OTHERWISE = "it is not in the words of its events"
#: Why one is refused that they deny.
DENIED = "its events say the opposite"
_DAY = timedelta(days=1)

_WORD = re.compile(r"\w+")
_DOES = re.compile(rf"{USER}(?:\s|[^\W'’])", re.IGNORECASE)
_BEFORE, _BEHIND = 7, 3  # words of a clause about what it denies
_ROOT = 4  # letters of words that are akin
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was known before and events speak of: names and numbers, and whole texts."""

    names: str = ""
    text: str = ""


NOTHING = Recalled()


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of what an event states, its terms, and the language it is in."""

    text: str
    terms: frozenset[str]
    language: str


@dataclass(frozen=True, slots=True)
class _Stated:
    """What some events state, and the terms of each passage that only asks, supposes, quotes or repeats."""

    text: str
    words: frozenset[str]
    numbers: frozenset[str]
    terms: frozenset[str]
    clauses: tuple[_Clause, ...]
    sentences: tuple[str, ...] = ()
    unsaid: tuple[frozenset[str], ...] = ()


class Spoken:
    """What the events of a batch state.

    Args:
        events: those of the batch.
        terms: from a text to its terms.
        language: of what none can be told.
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
        """Whether some events name somebody or something, in these words."""
        said = self._of(events)
        return _within(name.casefold(), said.text, said.words)

    def heard(self, events: Iterable[str]) -> tuple[str, ...]:
        """Those of some events that somebody but the assistant says, or that were seen."""
        known = (self._events[event] for event in events if event in self._events)
        return tuple(one.id for one in known if one.kind != "turn" or one.role != "assistant" or one.speaker)

    def said(self, events: Iterable[str], *, aside: bool = False) -> tuple[str, ...]:
        """What some events state, sentence by sentence, and what they say aside if that is wanted."""
        return self._of(events, aside=aside).sentences

    def together(self, name: str, value: str, events: Iterable[str]) -> bool:
        """Whether a sentence of some events has a name and a value."""
        wanted = name.casefold(), form(value)
        return any(wanted[0] in one.casefold() and wanted[1] in form(one) for one in self.said(events))

    def people(self, events: Iterable[str]) -> bool:
        """Whether some events name a person."""
        return any(self._person(sentence) for sentence in self.said(events))

    def speaks_of(self, word: str, said: str | None = None) -> bool:
        """Whether a text has a word of an attribute, or one of the batch's languages that means it there.

        Args:
            word: of an attribute.
            said: what the whole batch states by default.
        """
        text = self._of(self._events).text if said is None else said
        names = [word.replace("_", " "), re.sub("[_ ]", "-", word), *self.words_for(word)]
        return any(standing(name).search(text) for name in names)

    def words_for(self, word: str) -> Iterator[str]:
        """The words that mean a word of an attribute in the batch's languages; in English it stands for itself."""
        for spoken in {detect(event.content, self._language) for event in self.events}:
            yield from [word.replace("_", " ")] if spoken == "en" else ()
            canon = pack_of(spoken).canon
            yield from (plain.replace("_", " ") for plain, usual in canon.items() if usual == word)

    def of_pronouns(self, event: Event) -> Iterator[Statement]:
        """What the rules read of "she" and "he" in an event, where a language can be retold; their subject is ""."""
        for sentence in self.said([event.id]):
            spoken = detect(sentence, self._language)
            who = pattern_of("third").match(sentence)
            said = first_person(sentence, spoken, who[0]) if who else None
            if said is not None:
                times = find_times(said, event.event_time, spoken)
                yield from (replace(one, subject="") for one in extract(said, times=times, language=spoken))

    def passing(self, value: str, events: Iterable[str], sign: str) -> bool:
        """Whether some events name a value, and only beside a sign: for a time, "until Friday", or as "maybe"."""
        clauses = (one.text for one in self._of(events).clauses)
        holding = [one for one in clauses if form(value) in form(one)]
        return bool(holding) and all(pattern_of(sign).search(one) for one in holding)

    def ours(self, name: str, *, whoever: bool = False) -> bool:
        """Whether the batch calls somebody "our" or "my" and their name; or what they are to the speaker and it."""
        said = self._of(self._events).sentences
        owned = [form(found[0]).partition(" ")[2] for one in said for found in pattern_of("owned").finditer(one)]
        return any(one == form(name) or (whoever and one.endswith(f" {form(name)}")) for one in owned)

    def dwelling(self, value: str, events: Iterable[str]) -> bool:
        """Whether some events name a place, and in the same sentence, or one beside it, that somebody lives there.

        What the assistant asks may tell it, too.
        """
        events = tuple(events)
        asked = {*events} - {*self.heard(events)}
        if any(pattern_of("dwelling").search(one.content) for one in self.events if one.id in asked):
            return True
        said = self.said(events)
        homes = [pattern_of("dwelling").search(one) is not None for one in said]
        near = (any(homes[max(place - 1, 0) : place + 2]) for place, one in enumerate(said) if form(value) in form(one))
        return any(near)

    def _person(self, text: str) -> str | None:
        """The first person that a text names, but for whom somebody else does it with, or thanks to."""
        people = (one for one in find_mentions(text, detect(text, self._language)) if one.type == "person")
        return next((one.name for one in people if not pattern_of("beside").search(text[: one.start])), None)

    def _times(self, event: Event) -> Sequence[TimeRef]:
        """The times that an event says, as they were meant when it was said."""
        said = " ".join(told(event, self._language).stated)
        return find_times(said, event.event_time, detect(said, self._language))

    def _besides(self, known: str) -> _Stated:
        """What is known, as a text whose clauses do not count; it is the same for each text of a narrative."""
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
        counted = in_digits(low, detect(text, self._language))
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
        spoken = detect(sentence, self._language)
        parts = (part for one in grammar_in(spoken).joints.split(sentence) for part in pattern_of("turns").split(one))
        for clause in filter(None, parts):
            yield _Clause(clause, frozenset(self._terms(clause)), spoken)


class Evidence(Spoken):
    """What the events of a batch state, and whether texts rest on it."""

    def clauses(self, events: Iterable[str]) -> tuple[str, ...]:
        """What some events state, clause by clause."""
        return tuple(one.text for one in self._of(events).clauses)

    def telling(self, text: str) -> frozenset[str]:
        """The terms of a text but for those of every statement."""
        return frozenset(self._terms(text)) - self._light - {USER}

    def of_another(self, text: str, events: Iterable[str]) -> str | None:
        """Who does in some events what a text says of the user; None where the user does, too, or it is not told.

        Only a sentence with all of the text's terms tells it, or, of the user, all of its names; it may name who does.
        """
        spoken, said = detect(text, self._language), self.said(events)
        everything = frozenset(self._terms(grammar_in(spoken).no_longer.sub(" ", text))) - {USER}
        mentions = " ".join(one.name for one in find_mentions(text, spoken) if one.name.casefold() != USER)
        names = frozenset((*self._terms(mentions), *_NUMBER.findall(in_digits(text, spoken))))
        who = self._other(text, everything, said, freely=_DOES.match(text) is not None)
        rest = everything - names - self._light
        mine = (
            one for one in said if pattern_of("speaker").search(one) or not (self._person(one) or somebody(one, spoken))
        )
        if who or not _DOES.match(text) or any(rest.intersection(self._terms(one)) for one in mine):
            return who
        return self._other(text, names, said, freely=True)

    def _other(self, text: str, wanted: frozenset[str], said: Iterable[str], *, freely: bool) -> str | None:
        """Who does what some terms tell, by the words before them; `freely` also by "he" or "my sister"."""
        found = None
        for one in said:
            spoken = detect(one, self._language)
            sentence = in_digits(one, spoken)
            if wanted and wanted <= frozenset(self._terms(sentence)):
                if self._mine(sentence, wanted) or _whose(sentence, text):
                    return None
                before = self._before(sentence, wanted)
                whose = pattern_of("speaker").search(before) or pattern_of("mine").search(before)
                who = None if whose else self._person(before)
                alone = freely and pattern_of("speaker").search(sentence) is None
                who = who or (somebody(before, spoken) if alone else None)
                if who is None or standing(who).search(text):
                    return None
                found = who
        return found

    def _mine(self, sentence: str, wanted: frozenset[str]) -> bool:
        """Whether the speaker speaks of themselves in the clause of a sentence that has some terms."""
        holding = (one.text for one in self._clauses(sentence) if wanted <= one.terms)
        return any(pattern_of("speaker").search(one) for one in holding)

    def _before(self, sentence: str, wanted: frozenset[str]) -> str:
        """A sentence up to the first word of some terms."""
        words = _WORD.finditer(sentence)
        return sentence[: next((one.start() for one in words if wanted.intersection(self._terms(one[0]))), 0)]

    def against(
        self,
        text: str,
        events: Iterable[str],
        *,
        known: str = "",
        about: str = "",
        recalled: Recalled = NOTHING,
        free: str | None = None,
        aside: bool = False,
    ) -> str | None:
        """Why some events do not say a text; None where they do.

        Args:
            text: a statement, or a value.
            events: ids of those it rests on.
            known: what may be named besides, and counts as if an event said it.
            about: what the text begins with or is about, which need not be in the events.
            recalled: what the events speak of, which may be named and counts neither way.
            free: None if it has to be in the words of the events; else it may be in its own but for one of theirs, or
                of these.
            aside: what they say aside counts as stated.
        """
        events = tuple(events)
        found = self._of(events, aside=aside)
        besides = self._besides(known) if known else None
        spoken = detect(text, detect(found.text, self._language))
        sides = [side for side in (found, besides) if side]
        apart = {USER, *_WORD.findall(f"{grammar_in(spoken).pack.user} {about}".casefold())}
        numbers = frozenset(_NUMBER.findall(recalled.names))
        if _strange(text, sides, numbers):
            text = self._untimed(text, spoken, events)
            if not _WORD.search(text):
                return None
        if why := self._unknown(text, spoken, sides, {*apart, *_WORD.findall(recalled.names)}, numbers):
            return why
        wanted = frozenset(self._terms(grammar_in(spoken).no_longer.sub(" ", text))) - {
            term for word in apart for term in self._terms(word)
        }
        held = frozenset[str]().union(*(side.terms for side in sides))
        denies = _denies(text, spoken)
        common = frozenset(self._terms(" ".join(common_words(spoken))))
        telling = wanted - common
        unsaid = any(len(telling & passage) > len(telling & held) for passage in found.unsaid)
        if unsaid and not (denies and self._denied_of(wanted, found)):
            return "its events do not state it"
        akin = free is not None and self._akin(wanted, found, frozenset(self._terms(free)), spoken)
        if not (akin or _most(wanted, held) or self._most_of_what_is_new(text, wanted, found, recalled)):
            return OTHERWISE
        holding = [clause for clause in found.clauses if wanted <= clause.terms]
        if holding and all(self._denied(clause, wanted) != denies for clause in holding):
            return DENIED
        own = self.telling(text) - frozenset(self._terms(f"{recalled.text} {recalled.names}"))
        own -= {one for one in own - held if one in common or alike([one], held)}  # "hat" of who says "ich habe"
        told = [clause.text for clause in found.clauses if own and own <= clause.terms]
        first = frozenset(
            next((terms for word in _WORD.findall(text) if (terms := own.intersection(self._terms(word)))), ())
        )
        negative = any(pattern_of(one).search(text) for one in ("undone", "denials"))
        return DENIED if told and not negative and all(self._undone(one, first) for one in told) else None

    def _unknown(
        self, text: str, language: str, sides: Sequence[_Stated], named: Collection[str], numbers: frozenset[str]
    ) -> str | None:
        """A number or a name of a text that nobody said, nor may be said besides."""
        if number := _strange(text, sides, numbers):
            return f"no event it rests on has the number {number[:40]}"
        for mention in find_mentions(text, language):
            name = " ".join(word for word in _WORD.findall(mention.name.casefold()) if word not in named)
            inflected = frozenset(self._terms(name))
            known = (_within(name, one.text, one.words) or (inflected and inflected <= one.terms) for one in sides)
            if name and not any(known):
                return f"no event it rests on names {mention.name[:60]}"
        return None

    def _akin(self, wanted: frozenset[str], found: _Stated, free: frozenset[str], language: str) -> bool:
        """Whether texts have a term in common that tells something, or that follows from who is spoken of.

        In a language not stemmed, words that begin alike are in common.
        """
        held = found.terms | free
        telling = wanted - self._light
        if not telling.isdisjoint(held) or (language not in RETOLD and alike(telling, held)):
            return True
        follows = (kin for says, kin in changes().follows.items() if not telling.isdisjoint(self._terms(says)))
        return any(self.speaks_of(word, found.text) for kin in follows for word in kin.split())

    def _denied(self, clause: _Clause, wanted: frozenset[str]) -> bool:
        """Whether a clause denies what some of its terms tell: not long before them, or right behind.

        Who wants no nuts "as I'm allergic" does not deny that: what stands before the speaker there does not count.
        """
        words = clause.text.split()
        places = [place for place, word in enumerate(words) if wanted.intersection(self._terms(word))]
        averse = next((place for place in places if pattern_of("averse").search(words[place])), None)
        shunned = [place for place in places if averse is not None and place < averse]
        if averse is not None and shunned and pattern_of("speaker").search(" ".join(words[shunned[-1] + 1 : averse])):
            near = words[shunned[-1] + 1 : averse + _BEHIND + 1]
        else:
            near = words[max(places[0] - _BEFORE, 0) : places[-1] + _BEHIND + 1] if places else words
        return _denies(" ".join(near), clause.language)

    def shuns(self, value: str, text: str, events: Iterable[str]) -> bool:
        """Whether some events deny a value as the user is averse to it, which a text tells: "no nuts, I'm allergic".

        "… I'm not allergic", "… my sister is" and "… I'm allergic to kiwi" are no such reason; who does not like it
        needs none.
        """
        told, wanted = pattern_of("averse").search(text), frozenset(self._terms(value))
        clauses = self._of(events).clauses if told and _DOES.match(text) else ()
        for place, clause in enumerate(clauses):
            if told and wanted <= clause.terms:
                disliked = not told["body"] and self._disliked(clause, wanted)
                if disliked or any(self._averse(one, wanted) for one in clauses[max(place - 1, 0) : place + 2]):
                    return True
        return False

    def _disliked(self, clause: _Clause, wanted: frozenset[str]) -> bool:
        """Whether the rules read in a clause that its speaker does not like what some terms mean."""
        read = extract(clause.text, language=clause.language)
        opinions = (self._terms(str(one.value)) for one in read if one.kind == "preference" and one.polarity < 0)
        return any(map(wanted.issubset, opinions)) and not pattern_of("averse").search(clause.text)

    def _averse(self, clause: _Clause, wanted: frozenset[str]) -> bool:
        """Whether the speaker is averse in a clause to what some terms mean, or to what it does not name."""
        if not ((found := pattern_of("averse").search(clause.text)) and pattern_of("speaker").search(clause.text)):
            return False
        text = f"{clause.text[: found.start()]}hate{clause.text[found.end() :]}"  # for "can't stand" denies nothing
        if wanted <= clause.terms:
            return not self._denied(replace(clause, text=text), wanted | frozenset(self._terms("hate")))
        named = frozenset(self._terms(text)) - frozenset(self._terms(f"hate {' '.join(common_words(clause.language))}"))
        return not named and not _denies(text, clause.language)

    def _undone(self, clause: str, wanted: frozenset[str]) -> bool:
        """Whether right before some terms a clause says that it is not so, or nearly was: "I haven't quit"."""
        before = self._before(pattern_of("undenying").sub(" ", clause), wanted)
        return pattern_of("undone").search(" ".join(before.split()[-_BEHIND:])) is not None

    def _denied_of(self, wanted: frozenset[str], found: "_Stated") -> bool:
        """Whether a clause denies something that some terms tell."""
        telling = wanted - self._light
        return any(_denies(one.text, one.language) and telling & one.terms for one in found.clauses)

    def _most_of_what_is_new(self, text: str, wanted: frozenset[str], found: "_Stated", recalled: Recalled) -> bool:
        """Whether a text is in the words of events but for words of every statement, and for what they speak of."""
        fresh = wanted - frozenset(self._terms(f"{' '.join(changes().light)} {recalled.text} {recalled.names}"))
        if fresh or not recalled.text:
            return _most(fresh, found.terms)
        words = frozenset(_WORD.findall(text.casefold())) - frozenset(_WORD.findall(recalled.text.casefold()))
        return _most(words, found.words)

    def _untimed(self, text: str, language: str, events: Iterable[str]) -> str:
        """A text without the times in it that events say in other words, one of them or all that it covers."""
        rows = [self._events[event] for event in events if event in self._events]
        said = [(time.begin, time.until) for row in rows for time in self._times(row) if time.begin and time.until]
        for time in reversed(find_times(text, max(row.event_time for row in rows), language) if rows else ()):
            begin, until = time.begin, time.until
            if begin and until and any(_covers(begin, until, *one) for one in said):
                text = f"{text[: time.start]} {text[time.end :]}"
        return text


def _covers(begin: datetime, until: datetime, first: datetime, last: datetime) -> bool:
    """Whether a time is one that was said, or covers it; of a day without a year, whatever the year."""
    day = until - begin == last - first == _DAY and (begin.month, begin.day) == (first.month, first.day)
    return day or (begin <= first and last <= until)


def _most(wanted: frozenset[str], held: frozenset[str]) -> bool:
    return bool(wanted) and len(wanted & held) >= _SHARE * len(wanted)


def _strange(text: str, sides: Iterable[_Stated], known: frozenset[str]) -> str | None:
    """A number of a text that nobody said, nor is known."""
    strange = (one for one in _NUMBER.findall(text) if one not in known)
    return next((one for one in strange if not any(one in side.numbers for side in sides)), None)


def _within(name: str, text: str, words: Collection[str]) -> bool:
    parts = _WORD.findall(name)
    return bool(parts) and ({*parts} <= {*words} or (not name.isascii() and name in text))


def naming(name: str, event: Event) -> bool:
    """Whether an event has all words of a name anywhere."""
    text = f"{event.speaker or ''} {event.content}".casefold()
    return _within(name.casefold(), text, _WORD.findall(text))


def somebody(text: str, language: str) -> str | None:
    """Who begins a text, as "he" or "my sister"."""
    begun, kin = pattern_of("other").match(text), grammar_in(language).subject.match(text)
    return begun[0] if begun else kin[0].strip() if kin and kin.groupdict().get("kin") else None


def _whose(sentence: str, text: str) -> bool:
    """Whether a text tells whose somebody is, in the words of a sentence: "my flatmate Wim"."""
    owned = (found[0].casefold().split()[1:] for found in pattern_of("owned").finditer(sentence))
    words = {*_WORD.findall(text.casefold())}
    return any(len(one) > 1 and words.issuperset(one) for one in owned)


def _denies(text: str, language: str) -> bool:
    return grammar_in(language).denying.search(pattern_of("undenying").sub(" ", text).lower()) is not None


def alike(words: Iterable[str], others: Iterable[str]) -> bool:
    """Whether words of two texts begin alike: "fuma", "fumar"."""
    long = {word[:_ROOT] for word in words if len(word) >= _ROOT}
    return any(word[:_ROOT] in long for word in others)
