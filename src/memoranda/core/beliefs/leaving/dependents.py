"""What an ending ends: the records that name the thing or person that is gone, and depend on it.

Its name goes, and so do the details: who sells a car drives it no longer, and with a dog that died go its name, its
food and the walk in the morning. What a relative is called stays true.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memoranda.core.beliefs.conflicts import same
from memoranda.core.beliefs.leaving.endings import Ending, Endings, endings_of
from memoranda.core.beliefs.leaving.tools import is_tool, outdated
from memoranda.core.language.attributes import PART, named_by, path_part
from memoranda.core.language.pack import Pack, pack_of
from memoranda.core.rows import Record
from memoranda.core.rows.statements import Statement
from memoranda.core.text.terms import stands, whole_words

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 3  # words of a relation: "compañero de piso"
_DIGITS = 3  # of a number that names something: a Peugeot 208
_PARTNERS = tuple(f"family.{kin}" for kin in "partner wife husband girlfriend boyfriend fiance".split())

#: Which attributes tell of what is over, by the sort of the ending.
_ENDS: Mapping[str, tuple[str, ...]] = {
    "died": ("pet", *_PARTNERS),
    "left": ("people", *_PARTNERS),
    "fired": ("people",),
    "parted": _PARTNERS,
    "sold": ("pet", "possession", "tool"),
    "dropped": ("possession", "tool", "event", "task", "habit", "hobby", "goal"),
    "moved": ("event", "task", "project", "goal"),
    "none": ("pet", "people", *_PARTNERS, "possession", "tool"),
}
#: Which attributes of the owner tell of a pet, too, if they name it.
_AROUND_PETS = ("pet", "habit", "task", "event", "goal", "possession")


def ended_by(ending: Ending, records: Iterable[Record], owner: str) -> list[Record]:
    """Return which of some records, all of what `owner` holds to be so, tell of what is over."""
    known = list(records)
    said = _Said(ending.what, pack_of(ending.language), endings_of(ending.language))
    told = [one for one in known if one.subject == owner and one.polarity > 0 and _at(one, _ENDS[ending.sort])]
    found = list(said.named(told, every=ending.sort == "none"))
    if ending.sort == "parted" and not found and not said.parts & {root.partition(".")[2] for root in _PARTNERS}:
        found = [one for one in told if named_by(one.attribute)]
    if ending.sort == "fired":
        return [*found, *(one for one in known if one.subject != owner and _at(one, ("work",)) and said.tells_of(one))]
    if ending.sort in {"dropped", "moved"}:
        return found
    gone = _Gone.of(found, told, said.pack)
    return [*found, *(one for one in known if one not in found and gone.takes(one, owner))]


def can_replace(statement: Statement) -> bool:
    """Whether a statement says what has changed, of something of which several can hold."""
    path = statement.attribute or ""
    return statement.correction and statement.temporal == "current" and (is_tool(path) or _preferred(statement, path))


def replaced_by(statement: Statement, records: Iterable[Record]) -> list[Record]:
    """Return which records a statement that `can_replace` others replaces, though both could hold.

    "I switched to Helix" replaces another editor, "we switched to Buildkite for CI" what was for CI, "we moved away
    from Jenkins" that, and "Actually, I prefer aisle seats" another taste in seats.
    """
    path, subject = statement.attribute or "", statement.subject.casefold()
    held = [one for one in records if one.subject == subject and one.polarity > 0]
    if is_tool(path):
        return [one for one in held if outdated(statement, one)]
    return [one for one in held if one.attribute == path and not same(one.value, statement.value)]


def _preferred(statement: Statement, path: str) -> bool:
    return statement.polarity > 0 and path.startswith("preference.")


def _at(record: Record, roots: Iterable[str]) -> bool:
    """Whether the path of a record's attribute begins with one of some roots; a plan without one is an event."""
    path = f"{record.attribute or ('event' if record.kind == 'plan' else '')}."
    return any(path.startswith(f"{root}.") for root in roots)


@dataclass(slots=True)
class _Said:
    """The words of an ending.

    Attributes:
        table: how its language says such things.
        alien: what is named by its sort belongs to somebody else.
        parts: otherwise, the parts of paths that the words stand for: "hound" for `dog`.
    """

    words: str
    pack: Pack
    table: Endings
    alien: bool = field(init=False)
    parts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.alien = self.table.others.search(self.words) is not None
        self.parts = frozenset() if self.alien else _parts(self.words, self.pack)

    def named(self, told: Iterable[Record], *, every: bool) -> Iterator[Record]:
        """Yield the records whose value the words name, and that of the sort they name; with `every`, all of that."""
        people, things = list[Record](), list[Record]()
        for record in told:
            if self._names(record):
                yield record
            elif self._sorts(record):
                (people if named_by(record.attribute) else things).append(record)
        best = max(map(self._overlap, things), default=0)
        things = [record for record in things if self._overlap(record) == best]
        for alike in (people, things):
            if every or len({str(record.value) for record in alike}) == 1:
                yield from alike

    def tells_of(self, record: Record) -> bool:
        """Whether the words name the subject of a record."""
        return any(
            self._stands(word) for word in _WORD.findall(record.subject or "") if word not in self.table.wording.light
        )

    def _names(self, record: Record) -> bool:
        value = str(record.value)
        if named_by(record.attribute):
            return self._stands(value) or self._stands(value.partition(" ")[0])
        return any(self._alone(word, value) for word in self._proper(value))

    def _sorts(self, record: Record) -> bool:
        """Whether the words name what a record is about: "the dog" for its name, "my exam" for its day."""
        path = {*PART.split(record.attribute or "")[1:]}
        kin = named_by(record.attribute)
        if self.parts & ({kin} if kin else path):
            return True
        return not kin and not self.alien and self._head(str(record.value))

    def _overlap(self, record: Record) -> int:
        return sum(
            self._stands(word)
            for word in {*_WORD.findall(record.text)}
            if word.casefold() not in self.table.wording.light
        )

    def _stands(self, words: str) -> bool:
        return stands(words, self.words)

    def _alone(self, word: str, value: str) -> bool:
        """Whether a word of `value` stands in the words, and not before a noun of which that says nothing."""
        for _, end in whole_words(word, self.words):
            following = _WORD.match(self.words, end + 1) if self.table.wording.compounds else None
            if not following or following[0].casefold() in self.table.wording.light or stands(following[0], value):
                return True
        return False

    def _proper(self, value: str) -> Iterator[str]:
        """Yield what in a value names it alone: names, model numbers; the whole value in a language without spaces."""
        if not self.pack.spaced:
            yield value
        for word in _WORD.findall(value):
            named = word[0].isupper() or (any(map(str.isdigit, word)) and len(word) >= _DIGITS)
            if named and word.casefold() not in self.table.wording.light:
                yield word

    def _head(self, value: str) -> bool:
        words = [word for word in _WORD.findall(value.casefold()) if word not in self.table.wording.light]
        return bool(words) and self._alone(words[0 if self.table.wording.head_first else -1], value)


@dataclass(frozen=True, slots=True)
class _Gone:
    """The people and pets that are gone: their names, and the relations that nobody else is left in."""

    names: frozenset[str]
    kin: frozenset[str]
    pets: bool
    pack: Pack

    @classmethod
    def of(cls, found: Iterable[Record], told: Iterable[Record], pack: Pack) -> "_Gone":
        """What is gone with the records `found` among those `told`."""
        gone = [*found]
        named = [one for one in gone if named_by(one.attribute)]
        left = {named_by(one.attribute) for one in told if one not in gone}
        owned = [part for one in gone if one.attribute == "pet.owns" for part in _parts(str(one.value), pack)]
        return cls(
            frozenset(str(one.value) for one in named),
            frozenset({named_by(one.attribute) for one in named} | {*owned}) - left,
            any(_at(one, ("pet",)) for one in gone),
            pack,
        )

    def takes(self, record: Record, owner: str) -> bool:
        """Whether a record goes with them: it tells of them or, of a pet, of what is done for it."""
        if record.subject != owner:
            subject = record.subject or ""
            return any(stands(name, subject) for name in self.names) or not self.kin.isdisjoint(
                _parts(subject, self.pack)
            )
        if not self.pets or not _at(record, _AROUND_PETS):
            return False
        owned = record.attribute == "pet.owns" and not self.kin.isdisjoint(_parts(str(record.value), self.pack))
        called = named_by(record.attribute) in self.kin and record.value in self.names
        return owned or called or any(stands(name, record.text) for name in self.names)


def _parts(words: str, pack: Pack) -> frozenset[str]:
    """Return the parts of paths that words stand for, alone or together."""
    if not pack.spaced:
        return frozenset(part for word, part in pack.canon.items() if word in words)
    said = _WORD.findall(words)
    spans = ((i, j) for i in range(len(said)) for j in range(i + 1, min(i + _LONGEST, len(said)) + 1))
    return frozenset(path_part(" ".join(said[i:j]), pack.canon) for i, j in spans)
