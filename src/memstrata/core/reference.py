"""What was known when something was said, and what of it events speak of.

Who says "my sister", "she" or "the marathon" speaks of what was told before. Its names and numbers may then be said
again, and it may be said to be over. Names of things and places may be said whatever is spoken of: "the place" may mean
any. Events speak of a record if they name what it names, have a word of it that tells something, or say who somebody in
it is; a pronoun means somebody known only where the events themselves name nobody.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property

from memstrata.core.guard import Evidence, Recalled, alike, tells_of
from memstrata.core.language import common_words, detect
from memstrata.core.proposal import Terms
from memstrata.core.retelling import RETOLD
from memstrata.core.rows import Record
from memstrata.core.rules.entities import find_mentions
from memstrata.core.scaffold import USER
from memstrata.core.telling import changes, pattern_of

_ABOUT = frozenset({"family", "people", "pet"})  # roots of attributes that tell of somebody else
_NAMED = "name"
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Anchor:
    """A record, and the words by which it is recognised."""

    def __init__(self, record: Record, terms: Terms) -> None:
        self.record = record
        self._terms = terms
        self._mentions = find_mentions(record.text, detect(record.text, "en"))

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of the names in it, and its numbers."""
        values = (self.record.value, self.record.subject)
        named = [one for one in values if isinstance(one, str) and one != USER and one.casefold() in self._text]
        named += [mention.name for mention in self._mentions]
        words = {word for name in named for word in _WORD.findall(name.casefold()) if len(word) > 1 or word.isdigit()}
        return frozenset({*words, *_NUMBER.findall(self._text)} - {USER})

    @cached_property
    def told(self) -> frozenset[str]:
        """The terms in it that tell something."""
        return (
            frozenset(self._terms(self.record.text)) - {USER} - _light(self._terms, detect(self.record.text, RETOLD[0]))
        )

    @cached_property
    def unstemmed(self) -> bool:
        """Whether it is in a language whose words are compared as they stand."""
        return detect(self.record.text, RETOLD[0]) not in RETOLD

    @property
    def kin(self) -> tuple[str, ...]:
        """Whose or what it is, as its attribute has it: `sister` of `family.sister.name`."""
        return tuple(part for part in (self.record.attribute or "").split(".")[1:] if part != _NAMED)

    @cached_property
    def of_somebody(self) -> bool:
        """Whether it tells of somebody but the user."""
        root = (self.record.attribute or "").partition(".")[0]
        person = any(mention.type == "person" for mention in self._mentions)
        return self.record.subject != USER or root in _ABOUT or person

    @property
    def _text(self) -> str:
        return f"{self.record.text} {self.record.value}".casefold()


@cache
def _light(terms: Terms, language: str) -> frozenset[str]:
    """Terms that tell little in a language."""
    return frozenset(terms(" ".join(changes().light | common_words(language))))


class Reference:
    """The records that a model was shown, and which of them events speak of.

    Args:
        records: what was shown and holds.
        evidence: what the events of the batch state.
        terms: from a text to its terms.
        over: what was so until the events of the batch said otherwise.
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
        """What of it some events may mean: names of things and places, and whatever is in what they speak of."""
        key = tuple(events)
        if key not in self._recalled:
            said = self.evidence.said(key)
            found = [one for one in self.anchors if any(self.speaks(one, sentence, key) for sentence in said)]
            names = self._things.union(*(one.names for one in found))
            self._recalled[key] = Recalled(" ".join(sorted(names)), " ".join(one.record.text for one in found))
        return self._recalled[key]

    def lends(self, text: str, events: Sequence[str]) -> tuple[str, ...]:
        """The events of records that have words of a text that some events lack: names, or, if spoken of, any."""
        said = self.evidence.said(events, aside=True)
        words = {*_WORD.findall(text.casefold())} - {*_WORD.findall(" ".join(said).casefold())}
        terms = {*self._terms(text)}.difference(*map(self._terms, said))
        found = {one for one in self.anchors if any(self.speaks(one, sentence, events) for sentence in said)}
        lending = (
            one
            for one in self.anchors
            if not words.isdisjoint(one.names) or (one in found and not terms.isdisjoint(one.told))
        )
        return tuple(dict.fromkeys(source for one in lending for source in one.record.sources if source not in events))

    def names(self, name: str, events: Sequence[str]) -> bool:
        """Whether a name or a number is of what some events may mean."""
        words = _WORD.findall(name.casefold())
        return bool(words) and {*self.recalled(events).names.split()}.issuperset(words)

    def speaks(self, anchor: Anchor, sentence: str, events: Sequence[str]) -> bool:
        """Whether a sentence of some events speaks of a record."""
        if not anchor.names.isdisjoint(_WORD.findall(sentence.casefold())):
            return True
        terms = self._terms(sentence)
        if not anchor.told.isdisjoint(terms) or (anchor.unstemmed and alike(anchor.told, terms)):
            return True
        if any(tells_of(kin, sentence) for kin in anchor.kin):
            return True
        pronoun = anchor.of_somebody and pattern_of("somebody").search(sentence) is not None
        return pronoun and not any(map(self.evidence.person, self.evidence.said(events)))
