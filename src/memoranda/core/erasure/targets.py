"""What is to be forgotten, and what repeats it: texts are compared as `core.text.forgotten` compares them."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

from memoranda.core.base.checks import brief, require
from memoranda.core.base.scope import GLOBAL, SHARED, check_identifier
from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.beliefs.promotion import PROMOTION
from memoranda.core.consolidation.judge import KIND as CONSOLIDATION
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.erasure.restated import Restating
from memoranda.core.language.corrections import EDITOR as AMENDMENT
from memoranda.core.rows import (
    ConnectionCache,
    Entity,
    Event,
    Json,
    LedgerEntry,
    Record,
    Relation,
    Row,
    ShortTerm,
    WorkingCopy,
)
from memoranda.core.rows.cells import Content
from memoranda.core.rows.jobs import UPKEEP
from memoranda.core.rows.statements import ENTITY
from memoranda.core.strata.keys import KEY
from memoranda.core.strata.procedures import STRATEGY, TOOL_CALL, text_of
from memoranda.core.strata.working import Desk, Limits, unsay
from memoranda.core.text.forgotten import FILED, GOOD, Forgotten, Letters, bound, claims, phrase, phrases
from memoranda.core.text.terms import content_hash, normalise
from memoranda.errors import InputError, NotFoundError

_NAMES = ("tenant", "user", "agent", "team", "channel", "connection")  # of places; no row can be given another one
_ALL_HAVE = frozenset({"tenant", "user"})  # names of places that each row has, so that they say nothing of one
_USER = frozenset({"user", "s"})  # how records call whoever speaks
_FRAME = re.compile(r"\A(?:Goal|Strategy) \w+: |(?<=\S) \([a-z_]+(?:, [a-z_]+)*\)\Z")  # around what they are about
_BY_CHANCE = 4  # characters of a text that tells nothing of where it is from: "5", "no", "ok"
_WORD = re.compile(r"\w+")
_FORMAL = frozenset({CONSOLIDATION, PROMOTION, UPKEEP})  # kinds of events in words of the memory's own


@dataclass(frozen=True, slots=True)
class Target:
    """What to forget: exactly one of a record, a source (an event), a conversation, a value, or all the scope sees.

    Attributes:
        value: words; whatever says them is forgotten.
        for_good: whether the user, too, can never say it again.
    """

    record: str | None = None
    source: str | None = None
    conversation: str | None = None
    value: str | None = None
    everything: bool = False
    for_good: bool = False

    def __post_init__(self) -> None:
        require(isinstance(self.everything, bool), "everything", self.everything, "True, or leave it out")
        require(isinstance(self.for_good, bool), "for_good", self.for_good, "True, or leave it out")
        given = [self.record, self.source, self.conversation, self.value, self.everything or None]
        if sum(value is not None for value in given) != 1:
            raise InputError(
                "Say what to forget: exactly one of record=, source=, conversation=, value= or everything=True."
            )
        told = self.value is None or (isinstance(self.value, str) and len(Letters(self.value).text) > 1)
        require(told, "value", self.value, "words with at least two letters or digits")
        for name, value in self.names():
            if value is not None:
                check_identifier(name, value)

    def __str__(self) -> str:
        if self.everything:
            return "everything in the scope"
        if self.value is not None:
            return "a value"
        return " ".join(next((name, value) for name, value in self.names() if value))

    def words(self) -> Forgotten:
        """The value, as what nothing may repeat; nothing if the target is no value."""
        return Forgotten(claims(self.value) if self.value is not None else ())

    def names(self) -> tuple[tuple[str, str | None], ...]:
        """The targets that are given by id."""
        return (("record", self.record), ("source", self.source), ("conversation", self.conversation))


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was said in what goes: the texts in normal form, and the phrases that nothing may repeat."""

    texts: frozenset[str]
    phrases: Forgotten
    target: Target

    @classmethod
    def of(cls, events: Iterable[Event], gone: set[str], phrases: Forgotten, target: Target) -> "Spoken":
        """What was said in the events that go."""
        return cls(frozenset(normalise(one.content) for one in events if one.id in gone) - {""}, phrases, target)

    def goes(self, row: Any) -> bool:
        """Whether a row lies in what goes or repeats what was said there: a turn is often also a query or an entry."""
        talk, repeats = self.target.conversation, self.phrases.repeats
        if talk is not None and row.conversation == talk:
            return True
        if isinstance(row, WorkingCopy):
            return says(row, self.target.words())
        places = () if isinstance(row, ShortTerm) else (one for name, one in names_of(row) if name not in _ALL_HAVE)
        told = [text_of(row)] if isinstance(row, ShortTerm) else []
        if any(map(repeats, (*filed(row), *places, *told, *row.words))):
            return True
        owns = {normalise(one) for one in (*told, *row.words[:1])} - {""}  # what is a turn, maybe
        if isinstance(row, ConnectionCache):
            return any(_within(one, own) for one in self.texts for own in owns)
        alike = ((one, own) for own in owns for one in self.texts if one in own or own in one)
        return any(one == own or _within(*sorted((one, own), key=len)) for one, own in alike)


def _within(short: str, long: str) -> bool:
    """Whether a text stands in another, in whole words, and is long enough not to do so by chance."""
    return len(short) >= _BY_CHANCE and short in long and Forgotten([phrase(short)]).repeats(long)


def says(row: Event | Record | WorkingCopy, value: Forgotten) -> bool:
    """Whether a row says a value, or is filed under it."""
    told: list[Json] = [*filed(row)]
    match row:
        case Event():
            content = "" if row.kind in {*_FORMAL, TOOL_CALL} else row.content  # of which the metadata tells all
            content = _FRAME.sub("", content) if row.kind in {"goal", STRATEGY} else content
            told += [content, row.speaker if row.user != SHARED else None]
        case Record():
            told.append(row.subject if row.subject not in {USER, KEY} else None)
    return value.cleaned(told)[1] > 0 or (isinstance(row, Event | Record) and value.noted(row)[1] > 0)


def frame(record: Record, events: Sequence[Event], reading: Restating) -> set[str]:
    """The words of a record's text that are the memory's own, of which its `events` say none."""
    claims = (claim for one in events for claim in reading.claims(one) if claim != content_hash(one.content))
    ruled = record.editor == AMENDMENT or record.hash in claims  # not in words of a host, nor of a model
    given = _words(" ".join((str(record.value), record.subject or "", *(one.content for one in events))))
    return {*_USER, *(_words(record.text) - given if ruled else ())}


def _words(text: str) -> set[str]:
    return {*_WORD.findall(text.casefold())}


def stated(target: Target, value: Forgotten, told: Json, own: Callable[[], Collection[str]] = lambda: _USER) -> bool:
    """Whether texts say the value of a target, and not in the memory's `own` words alone."""
    return value.cleaned(told)[1] > 0 and not (_words(target.value or "") or {""}) <= {*own()}


def filed(row: Row) -> list[str]:
    """What a row is filed under, in words of a host."""
    names = ("conversation",) if isinstance(row, LedgerEntry) else ("category", "surface", "conversation", "task")
    return [one for name in names if (one := getattr(row, name, None)) and one not in FILED]


def names_of(place: object) -> list[tuple[str, str]]:
    """The names of a place, or of that of a row, which no row can change."""
    found = ((name, getattr(place, name, None)) for name in _NAMES)
    return [(name, one) for name, one in found if one and one != GLOBAL]


def lasting(value: Forgotten, places: Iterable[object]) -> tuple[str, ...]:
    """What remains if a value is in the names of places where something stays; a receipt must not repeat the names."""
    names = {name for name, one in chain.from_iterable(map(names_of, places)) if value.repeats(one)}
    told = f"Names under which other memories stay, as they were given: {', '.join(sorted(names))}."
    return (f"{told} They go with what lies there.",) if names else ()


def unsaid(copy: WorkingCopy, words: Forgotten) -> dict[str, Any] | None:
    """The cells of a copy without what repeats some words; None if it does not repeat them."""
    desk = Desk(Content(), copy.saved_at, Limits())
    for name, (value, _) in copy.cells.items():
        desk.put(name, value)
    if not unsay(desk, words):
        return None
    return {name: [desk.get(name), end] for name, (_, end) in copy.cells.items() if name in desk.names}


def named(entities: Iterable[Entity]) -> Forgotten:
    """The names of entities, to be found in texts."""
    return Forgotten(phrase(entity.name) for entity in entities)


def claims_of(row: Row, gone: set[str], names: Forgotten) -> set[str]:
    """The claims that are barred with a row: what was said, or a record of which nothing is left says.

    Of what an assistant or a tool said, only sentences with a name or a number: they say others over and over.
    """
    if isinstance(row, Record):
        return phrases(row.text) if row.id in gone else set()
    if not isinstance(row, Event) or row.kind in _FORMAL:
        return set()
    own = row.source == "user_provided"
    return phrases(row.content, lambda part: own or any(map(str.isdigit, part)) or names.repeats(part))


def _holds(record: Record, words: Forgotten) -> bool:
    """Whether a value is in what a statement gives, maybe in other words than its text; composed values are cleaned."""
    return record.editor not in COMPOSED and words.noted(record)[1] > 0


def barred(
    falls: Collection[Row], gone: set[str], agent: str | None, target: Target, entities: Iterable[Entity]
) -> set[str]:
    """The tombstones for rows that fall: ids of which nothing is left, and marks of what was said.

    Without an agent, the user forgets, and all of the user's writers are barred. What an agent forgets is barred for
    that agent, and for writers without an agent if the claim was the user's, but never for another agent.
    """
    found, names, words = set[tuple[str, str | None]](), named(entities), target.words()
    drawn = {source for row in falls if isinstance(row, Relation) for source in row.sources}
    for row in falls:
        if isinstance(row, Record) and row.id in gone and (not target.value or _holds(row, words)):
            found.add((row.hash, row.agent))
        if isinstance(row, Event | Record) and not target.value:
            found |= {(claim, row.agent) for claim in claims_of(row, gone, names)}
        if isinstance(row, Event) and row.id in drawn and row.category == ENTITY and not target.value:
            found.add((content_hash(row.content), row.agent))  # however few its words are
    if target.value:
        writers = {agent, *(row.agent for row in falls if isinstance(row, Event | Record))}
        found.update(product(claims(target.value), writers))
    marks = {
        one
        for claim, whose in found
        for one in ({claim} if agent is None else {bound(claim, agent), bound(claim, whose)})
    }
    good = {GOOD + mark for mark in marks} if target.for_good else set()
    return marks | good | gone


def unknown(target: Target) -> NotFoundError:
    """Return the error that says that there is nothing to forget."""
    if target.value is not None:
        return NotFoundError("There is nothing to forget: nothing in this scope says these words any more.")
    return NotFoundError(
        f"There is nothing to forget: {brief(str(target))} is not in this scope, or was forgotten before. "
        "A turn is named as source=…, what was made of it as record=…; what was understood goes with its events."
    )
