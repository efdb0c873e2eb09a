"""From what a model proposes to a plan that only adds, and from an item of a plan to the statements that it makes.

Nothing in an answer removes anything: what it leaves out is kept, what it changes must be in the words of the events
that it rests on. What passes is written down as JSON with the event of the consolidation, and everything that is
derived comes from there, so that the log alone rebuilds it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from memstrata.core.extraction import analyse
from memstrata.core.graph import RELATIONS
from memstrata.core.guard import DENIED, OTHERWISE, Evidence
from memstrata.core.overruling import Overruling
from memstrata.core.profile import NARRATIVE_WORDS
from memstrata.core.proposal import (
    Claim,
    Item,
    LeafChange,
    NamedEntity,
    NamedRelation,
    Narrative,
    Proposal,
    Refused,
    Terms,
    label,
)
from memstrata.core.reference import Reference
from memstrata.core.results import Profile
from memstrata.core.rows import Event, Json, Record
from memstrata.core.rules.attributes import is_single_valued
from memstrata.core.sayings import unfit
from memstrata.core.scaffold import USER, leaves, placed
from memstrata.core.statements import CERTAINTY, Statement
from memstrata.core.stating import statements
from memstrata.core.telling import pattern_of
from memstrata.core.text import form

#: Items of one plan; a batch that says more than this says it again.
MOST = 60
#: The kind of the event that says what passed.
KIND = "consolidation"
#: Types of entities; a model's others become a thing.
TYPES = ("person", "place", "organisation", "product", "handle", "tool", "thing")

_ITEMS: Mapping[str, type[Item]] = {
    "leaf": LeafChange, "claim": Claim, "entity": NamedEntity, "relation": NamedRelation, "narrative": Narrative,
}  # fmt: skip
_NAMES = {kind: name for name, kind in _ITEMS.items()}
_TYPED = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_SIGNS = re.compile(r"\W+")
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
#: Words of models for a type.
_SAME = {
    "organization": "organisation", "company": "organisation", "location": "place", "city": "place", "country": "place",
    "user": "person", "software": "product", "technology": "product",
}  # fmt: skip
_FREELY = "implied"  # at most, of what is told in other words than it was said
_DOUBTED = "uncertain"  # of what was only said aside
#: Roots of attributes that say who and what is in somebody's life.
_OF_OTHERS = frozenset({"family", "people", "pet", "project"})
#: Signs in each clause with a value (see `core.telling`) and why it is then not how things are.
_SIGNED = {"until": "its events say it for a time", "unreal": "its events only suppose it"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is left of a proposal.

    Attributes:
        items: those that passed.
        refused: the others, each with the reason, those that could not be read among them.
        kept: attributes that an answer with a scaffold left out; they stay as they are.
        unchanged: how many items said what is known already.
    """

    items: tuple[Item, ...] = ()
    refused: tuple[Refused, ...] = ()
    kept: tuple[str, ...] = ()
    unchanged: int = 0


def judge(
    proposal: Proposal,
    events: Sequence[Event],
    profile: Profile,
    terms: Terms,
    *,
    shown: Mapping[str, Any] | None = None,
    records: Iterable[Record] = (),
    over: Iterable[Record] = (),
    language: str = "en",
    most: int = MOST,
) -> Judged:
    """What may be remembered of a proposal.

    Args:
        proposal: what was proposed.
        events: the batch. An item rests on none but these: one that was processed or forgotten meanwhile is left out.
        profile: what is known in the place of the batch.
        terms: from a text to its terms.
        shown: the part of the scaffold that the model was told, for what is kept; all of it by default.
        records: what it was told that holds: this may be named again, and ended, by events that speak of it.
        over: what held until the batch said otherwise; that an item ends it is nothing new.
        language: of what none can be told.
        most: items that are taken.
    """
    evidence = Evidence(events, terms, language)
    reference = Reference(records, evidence, terms, over)
    judging = _Judging(evidence, profile, reference, terms, language)
    items: list[Item] = []
    refused = list(proposal.refused)
    unchanged = 0
    for item in sorted(proposal.items, key=lambda item: isinstance(item, Narrative)):  # it tells of the others
        known = judging.knows(item)
        if known and not isinstance(item, Claim):
            unchanged += 1
            continue
        judged = judging.judged(replace(item, events=tuple(one for one in item.events if one in evidence)))
        if isinstance(judged, Claim):
            judged, wrong = judging.ending(judged)
            refused += [Refused(label(item), why) for why in wrong]
        if known and not (isinstance(judged, Claim) and judged.ends):
            unchanged += 1
        elif isinstance(judged, str):
            refused.append(Refused(label(item), judged))
        elif len(items) >= most:
            refused.append(Refused(label(item), f"there are more than {most} items"))
        else:
            items.append(judged)
            judging.take(judged)
    answered = {(item.subject, item.path) for item in proposal.items if isinstance(item, LeafChange)}
    before = dict.fromkeys(key for key, _ in _placed(profile.plain() if shown is None else shown)) if answered else {}
    kept = tuple(path if subject == USER else f"people.{subject}.{path}" for subject, path in before.keys() - answered)
    return Judged(items=tuple(items), refused=tuple(refused), kept=tuple(sorted(kept)), unchanged=unchanged)


def _placed(scaffold: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Json]]:
    """The values of a scaffold, by whose they are and which attribute."""
    yield from ((placed(path), value) for path, value in leaves(scaffold))


class _Judging:
    """Judges the items of one proposal."""

    def __init__(self, evidence: Evidence, profile: Profile, reference: Reference, terms: Terms, language: str) -> None:
        self.evidence = evidence
        self._reference = reference
        self._overruling = Overruling(reference, terms)
        self._language = language
        self._narrative = profile.narrative
        self._taken: set[tuple[str, str, str]] = set()
        self._denied: dict[tuple[str, str, str], str] = {}
        self._statements: dict[str, tuple[Statement, ...]] = {}
        self._values: dict[tuple[str, str], set[str]] = {}
        for key, value in _placed(profile.plain()):
            self._values.setdefault(key, set()).add(form(str(value)))
        self._texts = {text for values in self._values.values() for text in values}
        known = [" ".join((subject, path, *sorted(values))) for (subject, path), values in self._values.items()]
        self._known = " ".join((*known, profile.narrative))

    def knows(self, item: Item) -> bool:
        """Whether an item says what is known, or is a value that a statement that passed gives already."""
        match item:
            case LeafChange():
                value = form(str(item.value))
                known = value in self._values.get((item.subject, item.path), ())
                return known or (item.subject, item.path, value) in self._taken
            case Claim() if item.attribute is not None and item.value is not None:
                return form(str(item.value)) in self._values.get((item.subject, item.attribute), ())
            case Claim():
                return form(item.text) in self._texts
            case NamedEntity():
                named = any(self.evidence.names(item.name, (event,)) for event in item.events)
                return not named and self._reference.names(item.name, item.events)
            case Narrative():
                return form(item.text) == form(self._narrative)
            case _:
                return False

    def take(self, item: Item) -> None:
        """Note what an item that passed gives."""
        if isinstance(item, LeafChange):
            self._taken.add((item.subject, item.path, form(str(item.value))))
        if isinstance(item, Claim) and item.attribute is not None:
            for one in statements(item, self._rests(item)[-1], self._language):
                # what somebody is beside something else is told as temporary
                if one.polarity > 0 and item.temporal == "current" and one.temporal in ("current", "temporary"):
                    self._taken.add((one.subject.casefold(), str(one.attribute), form(str(one.value))))

    def judged(self, item: Item) -> Item | str:
        """The item as it may be remembered, or why it may not."""
        told = isinstance(item, LeafChange | Claim) and not self.evidence.heard(item.events)
        if told or not item.events:
            return "nobody but the assistant says so" if item.events else "no event of the batch says so"
        match item:
            case LeafChange():
                return self._leaf(item)
            case Claim():
                judged = self._claim(item)
                if isinstance(judged, str) and item.attribute is not None:
                    self._denied[item.subject, item.attribute, form(str(item.value))] = judged
                return judged
            case NamedEntity():
                return self._entity(item)
            case NamedRelation():
                return self._relation(item)
            case _:
                return self._narrate(item)

    def _leaf(self, item: LeafChange) -> Item | str:
        path = item.path.replace(".", " ").replace("_", " ")
        text = item.path.rpartition(".")[2].replace("_", " ") if isinstance(item.value, bool) else str(item.value)
        return (
            self._unfit(item.path, path, text)
            or self._stranger(item.subject, item)
            or self._unsaid(text, item)
            or (None if path.partition(" ")[0] in _OF_OTHERS else self._another(text, item))
            or self._strained(item)
            or self._denied.get((item.subject, item.path, form(str(item.value))))
            or replace(item, recalls=self._lent(item.subject, item))
        )

    def _claim(self, item: Claim) -> Item | str:
        """A claim in the words of its events, in a free wording, or of what they say aside: the less, the less sure."""
        texts = [item.text] if item.value is None else [item.text, str(item.value)]
        if why := self._unfit(*texts) or self._stranger(item.subject, item):
            return why
        if why := self._unsaid(item.text, item):
            freely = self._freely(item, _FREELY) if why == OTHERWISE else None
            doubted = freely or self._freely(item, _DOUBTED, aside=True)
            if doubted is None:
                return why
            item = doubted
        elif item.value is not None and (why := self._unsaid(str(item.value), item)):
            if why not in (OTHERWISE, DENIED):
                return why
            # "keeps bees" is the hobby beekeeping; "no nuts please, I'm allergic" denies the value and not the claim
            item = _at_most(item, _FREELY if why == OTHERWISE else _DOUBTED)
        meant = item.temporal == "future" or any(pattern_of(sign).search(item.text) for sign in ("unreal", "wishes"))
        if not meant and self.evidence.supposed(item.text, item.events):
            return _SIGNED["unreal"]
        return self._another(item.text, item) or self._strained(item) or item

    def _freely(self, item: Claim, certainty: str, *, aside: bool = False) -> Claim | None:
        """A claim in words of its own, as it may be believed: less surely, and with no value that nobody said."""
        if self._unsaid(item.text, item, freely=True, aside=aside):
            return None
        if item.value is not None and self._unsaid(str(item.value), item, aside=aside):
            item = replace(item, attribute=None, value=None)
        return _at_most(item, certainty)

    def _another(self, text: str, item: LeafChange | Claim) -> str | None:
        """Why a text cannot be about the user: its events say it of somebody else."""
        own = item.subject == USER and (isinstance(item, LeafChange) or text.casefold().startswith(USER))
        who = self.evidence.of_another(text, item.events) if own else None
        return f"its events say it of {who[:60]}" if who else None

    def _strained(self, item: LeafChange | Claim) -> str | None:
        """Why an item cannot give an attribute a new value.

        The rules read it in the same events as somebody else's, past or to come. Or it has one value only, and this one
        is known of somebody else whom the events speak of ("Bob from Acme"), or the events say it for a time
        ("in Oslo until Friday") or suppose it ("maybe Oslo").
        """
        rests = self._rests(item)
        for one in statements(item, rests[-1], self._language):
            value, key = form(str(one.value)), (one.subject.casefold(), str(one.attribute))
            if one.attribute is None or one.temporal != "current" or value in self._values.get(key, ()):
                continue
            read = [same for event in rests for same in self._read(event) if _key(same) == _key(one)]
            if one.subject == USER and read and all(same.subject != USER for same in read):
                return f"its events say it of {read[0].subject[:60]}"
            if read and all(same.temporal != "current" for same in read):
                return f"its events say it as {read[0].temporal}"
            if one.polarity < 0 or not isinstance(one.value, str) or not is_single_valued(one.attribute):
                continue
            lent = isinstance(item, Claim) and self._reference.names(value, item.events)
            if lent and not self.evidence.names(value, item.events):
                return f"no event it rests on names {value[:60]}"
            for sign, why in _SIGNED.items():
                told = isinstance(item, Claim) and pattern_of(sign).search(item.text)
                if not told and self.evidence.passing(value, item.events, sign):
                    return why
        return None

    def _read(self, event: Event) -> tuple[Statement, ...]:
        """What the rules read in an event."""
        if event.id not in self._statements:
            self._statements[event.id] = analyse(event, self._language).statements
        return self._statements[event.id]

    def _rests(self, item: Item) -> list[Event]:
        return [event for event in self.evidence.events if event.id in item.events]

    def ending(self, item: Claim) -> tuple[Claim, Sequence[str]]:
        """A claim that passed with the ids of the records that it ends, and why it does not end others."""
        ended = self._overruling.ended(item, self._rests(item))
        lent = self._reference.lends(f"{item.subject} {item.text} {item.value}", item.events)
        return replace(item, ends=ended.records, recalls=lent), ended.refused

    def _entity(self, item: NamedEntity) -> Item | str:
        aliases = tuple(name for name in item.aliases if self._nameless(name, item) is None)
        kind = item.type if item.type in TYPES else _SAME.get(item.type, "thing")
        return self._nameless(item.name, item) or replace(item, aliases=aliases, type=kind)

    def _relation(self, item: NamedRelation) -> Item | str:
        ends = [name for name in (item.head, item.tail) if name.casefold() != USER]
        if form(item.head) == form(item.tail):
            return "both ends are one"
        kind = _SIGNS.sub("_", item.type).strip("_").upper()
        why = next(filter(None, (self._nameless(name, item) for name in ends)), self._unfit(item.type))
        return why or replace(item, type=kind if _TYPED.fullmatch(kind) else RELATIONS[0])

    def _narrate(self, item: Narrative) -> Item | str:
        """Its sentences that are in the words of the events and of what is known, as many as fit."""
        kept: list[str] = []
        left = NARRATIVE_WORDS
        for sentence in filter(None, _SENTENCE.split(item.text)):
            left -= len(sentence.split())
            said = " ".join((self._narrative, *self.evidence.said(item.events)))
            denied = pattern_of("denials").search(sentence) and not pattern_of("denials").search(said)
            known = "" if denied else self._known  # what nobody denied, the events would have to deny
            against = self.evidence.against(sentence, item.events, known=known, freely=True)
            if left >= 0 and not (self._unfit(sentence) or against):
                kept.append(sentence)
        return replace(item, text=" ".join(kept)) if kept else "no sentence of it is in the words of its events"

    def _unfit(self, *texts: str) -> str | None:
        return next(filter(None, (unfit(text, self._language) for text in texts)), None)

    def _unsaid(self, text: str, item: LeafChange | Claim, *, freely: bool = False, aside: bool = False) -> str | None:
        if isinstance(item, LeafChange):
            return self.evidence.against(text, item.events)
        if self._reference.names(text, item.events):
            return None
        recalled = self._reference.recalled(item.events)
        if not item.ends:  # what it ends it may repeat
            recalled = replace(recalled, text="")
        return self.evidence.against(
            text, item.events, about=item.subject, recalled=recalled, freely=freely, aside=aside
        )

    def _nameless(self, name: str, item: Item) -> str | None:
        """What keeps a name out: no event has it, for a name of two halves would outlive either of its events."""
        named = any(self.evidence.names(name, (event,)) for event in item.events)
        return self._unfit(name) or (None if named else f"no event names {name[:60]}")

    def _lent(self, subject: str, item: Item) -> tuple[str, ...]:
        """The events that have the name of a subject whom those of an item only mean."""
        return () if subject == USER else self._reference.lends(subject, item.events)

    def _stranger(self, subject: str, item: Item) -> str | None:
        known = subject == USER or any(subject == who for who, _ in self._values)
        return None if known or self._reference.names(subject, item.events) else self._nameless(subject, item)


def _at_most(item: Claim, certainty: str) -> Claim:
    """A claim, no more certain than that."""
    return replace(item, certainty=min(item.certainty, certainty, key=CERTAINTY.__getitem__))


def _key(statement: Statement) -> tuple[str | None, str, int]:
    return statement.attribute, form(str(statement.value)), statement.polarity


# ------------------------------------------------------------------------------------------- as it is written down


def as_json(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Items for the metadata of the event that says them."""
    return [{"of": _NAMES[type(item)], **asdict(item)} for item in items]


def of_json(items: Iterable[Mapping[str, Any]]) -> tuple[Item, ...]:
    """Items as `as_json` wrote them."""
    return tuple(_ITEMS[item["of"]](**{name: _held(item[name]) for name in item if name != "of"}) for item in items)


def _held(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
