"""What was known when something was said, and which of it the events speak of.

"My sister", "she" or "the marathon" refers to what was told before. A claim may then repeat the names and numbers of
those records, and say that they are over. It may repeat known names of things and places in any case, because "the
place" may be any of them. Events speak of a record if they have a name, a number or a telling term of it, or a word for
a part of its attribute ("sister"). A pronoun refers to a record about somebody only if the events name no person.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property

from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.consolidation.evidence import Evidence, Recalled, alike, tells_of
from memoranda.core.consolidation.proposal import Terms
from memoranda.core.language.entities import find_mentions
from memoranda.core.language.person import RETOLD
from memoranda.core.language.speech_cues import changes, pattern_of
from memoranda.core.rows import Record
from memoranda.core.text.detect import common_words, detect

_ABOUT = frozenset({"family", "people", "pet"})  # roots of attributes about somebody else
_NAMED = "name"
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Anchor:
    """A record, and the words by which it is recognised in a text."""

    def __init__(self, record: Record, terms: Terms) -> None:
        self.record = record
        self._terms = terms
        self._mentions = find_mentions(record.text, detect(record.text, "en"))

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of its names, its textual value and its subject, in lower case, and its numbers; not "user"."""
        values = (self.record.value, self.record.subject)
        named = [one for one in values if isinstance(one, str) and one != USER and one.casefold() in self._text]
        named += [mention.name for mention in self._mentions]
        words = {word for name in named for word in _WORD.findall(name.casefold()) if len(word) > 1 or word.isdigit()}
        return frozenset({*words, *_NUMBER.findall(self._text)} - {USER})

    @cached_property
    def content_terms(self) -> frozenset[str]:
        """The terms of its text that tell something, which common words do not."""
        return (
            frozenset(self._terms(self.record.text)) - {USER} - _light(self._terms, detect(self.record.text, RETOLD[0]))
        )

    @cached_property
    def unstemmed(self) -> bool:
        """Whether it is in a language without stemming, whose words are compared by their first letters as well."""
        return detect(self.record.text, RETOLD[0]) not in RETOLD

    @property
    def kin(self) -> tuple[str, ...]:
        """The parts of its attribute but for the root and `name`: `sister` of `family.sister.name`."""
        return tuple(part for part in (self.record.attribute or "").split(".")[1:] if part != _NAMED)

    @cached_property
    def of_somebody(self) -> bool:
        """Whether it is about somebody else than the user, or names a person."""
        root = (self.record.attribute or "").partition(".")[0]
        person = any(mention.type == "person" for mention in self._mentions)
        return self.record.subject != USER or root in _ABOUT or person

    @property
    def _text(self) -> str:
        return f"{self.record.text} {self.record.value}".casefold()


@cache
def _light(terms: Terms, language: str) -> frozenset[str]:
    """Return the terms that tell little: of common words, and of words that most statements have."""
    return frozenset(terms(" ".join(changes().light | common_words(language))))


class Reference:
    """The records that a model was shown, and which of them the events speak of.

    Args:
        records: those that were shown and still hold.
        evidence: what the events of the batch state.
        terms: returns the terms of a text.
        over: records that events of the batch have already ended.
    """

    def __init__(
        self, records: Iterable[Record], evidence: Evidence, terms: Terms, over: Iterable[Record] = ()
    ) -> None:
        self.anchors = tuple(Anchor(record, terms) for record in records)
        self.over = [Anchor(record, terms) for record in over]
        self.evidence = evidence
        self._terms = terms
        self._recalled: dict[tuple[str, ...], Recalled] = {}
        things = frozenset[str]().union(*(one.names for one in self.anchors if not one.of_somebody))
        self._things = frozenset(one for one in things if not _NUMBER.fullmatch(one))

    def recalled(self, events: Sequence[str]) -> Recalled:
        """Return what some events may refer to: all names of things and places, and the records that they speak of."""
        key = tuple(events)
        if key not in self._recalled:
            said = self.evidence.said(key)
            found = [one for one in self.anchors if any(self.speaks(one, sentence, key) for sentence in said)]
            names = self._things.union(*(one.names for one in found))
            self._recalled[key] = Recalled(" ".join(sorted(names)), " ".join(one.record.text for one in found))
        return self._recalled[key]

    def lends(self, text: str, events: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of other events from which a text has words that some events lack."""
        lending = self.lending(text, events)
        return tuple(dict.fromkeys(source for one in lending for source in one.sources if source not in events))

    def lending(self, text: str, events: Sequence[str]) -> tuple[Record, ...]:
        """Return the records from which a text has words that some events lack.

        They have such a word in a name or, if the events speak of the record, such a telling term.
        """
        said = self.evidence.said(events, aside=True)
        words = {*_WORD.findall(text.casefold())} - {*_WORD.findall(" ".join(said).casefold())}
        terms = {*self._terms(text)}.difference(*map(self._terms, said))
        found = {one for one in self.anchors if any(self.speaks(one, sentence, events) for sentence in said)}
        return tuple(
            one.record
            for one in self.anchors
            if not words.isdisjoint(one.names) or (one in found and not terms.isdisjoint(one.content_terms))
        )

    def names(self, name: str, events: Sequence[str]) -> bool:
        """Whether all words of a name, or a number, are among the recalled ones of some events."""
        words = _WORD.findall(name.casefold())
        return bool(words) and {*self.recalled(events).names.split()}.issuperset(words)

    def speaks(self, anchor: Anchor, sentence: str, events: Sequence[str]) -> bool:
        """Whether a sentence of some events speaks of a record, as the module describes."""
        if not anchor.names.isdisjoint(_WORD.findall(sentence.casefold())):
            return True
        terms = self._terms(sentence)
        if not anchor.content_terms.isdisjoint(terms) or (anchor.unstemmed and alike(anchor.content_terms, terms)):
            return True
        if any(tells_of(kin, sentence) for kin in anchor.kin):
            return True
        pronoun = anchor.of_somebody and pattern_of("somebody").search(sentence) is not None
        return pronoun and not any(map(self.evidence.person, self.evidence.said(events)))
