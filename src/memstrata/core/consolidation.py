"""From what a model proposes to a plan that only adds, and from an item of a plan to the statements that it makes.

Nothing in an answer removes anything: what it leaves out is kept, what it changes must be in the words of the events
that it rests on. What passes is written down as JSON with the event of the consolidation, and everything that is
derived comes from there, so that the log alone rebuilds it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from memstrata.core.extraction import analyse, followed
from memstrata.core.graph import RELATIONS
from memstrata.core.guard import Evidence, unfit
from memstrata.core.language import detect
from memstrata.core.lifecycle import OPEN
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
from memstrata.core.results import Profile
from memstrata.core.retelling import first_person, told
from memstrata.core.rows import Event, Json, Record
from memstrata.core.rules.engine import extract
from memstrata.core.rules.pack import pack_of
from memstrata.core.scaffold import USER, leaves, placed
from memstrata.core.statements import CERTAINTY, Statement
from memstrata.core.temporal import find_times
from memstrata.core.text import form

#: Items of one plan; a batch that says more than this says it again.
MOST = 60
#: The kind of the event that says what passed.
KIND = "consolidation"
#: The editor of records that consolidation makes.
EDITOR = "consolidation"
#: Types of entities; a model's others become a thing.
TYPES = ("person", "place", "organisation", "product", "handle", "tool", "thing")

_ITEMS: Mapping[str, type[Item]] = {
    "leaf": LeafChange, "claim": Claim, "entity": NamedEntity, "relation": NamedRelation, "narrative": Narrative,
}  # fmt: skip
_NAMES = {kind: name for name, kind in _ITEMS.items()}
_TYPED = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_SIGNS = re.compile(r"\W+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
#: Words of models for a type.
_SAME = {
    "organization": "organisation", "company": "organisation", "location": "place", "city": "place", "country": "place",
    "user": "person", "software": "product", "technology": "product",
}  # fmt: skip
_SURE = "implied"  # of a leaf, which does not say how certain it is
_PROJECT = "project.name"
#: Parts of attributes that name people by what they are to somebody.
_RELATIVES = frozenset({"family", "people"})
#: The first and last part of an attribute → how it relates whom it is said of to its value.
_RELATED = {
    ("work", "employer"): "WORKS_FOR", ("location", "city"): "LOCATED_IN",
    ("family", "name"): "KNOWS", ("people", "name"): "KNOWS",
}  # fmt: skip


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
        language: of what none can be told.
        most: items that are taken.
    """
    judging = _Judging(Evidence(events, terms, language), profile, language)
    items: list[Item] = []
    refused = list(proposal.refused)
    unchanged = 0
    for item in proposal.items:
        if judging.knows(item) or judging.has(item):
            unchanged += 1
            continue
        judged = judging.judged(replace(item, events=tuple(one for one in item.events if one in judging.evidence)))
        if isinstance(judged, str):
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

    def __init__(self, evidence: Evidence, profile: Profile, language: str) -> None:
        self.evidence = evidence
        self._language = language
        self._narrative = profile.narrative
        self._statements: dict[str, tuple[Statement, ...]] = {}
        self._taken: set[tuple[str, str, str]] = set()
        self._values: dict[tuple[str, str], set[str]] = {}
        for key, value in _placed(profile.plain()):
            self._values.setdefault(key, set()).add(form(str(value)))
        self._texts = {text for values in self._values.values() for text in values}
        known = [" ".join((subject, path, *sorted(values))) for (subject, path), values in self._values.items()]
        self._known = " ".join((*known, profile.narrative))

    def knows(self, item: Item) -> bool:
        """Whether an item says what is known."""
        match item:
            case LeafChange():
                return form(str(item.value)) in self._values.get((item.subject, item.path), ())
            case Claim() if item.attribute is not None and item.value is not None:
                return form(str(item.value)) in self._values.get((item.subject, item.attribute), ())
            case Claim():
                return form(item.text) in self._texts
            case Narrative():
                return form(item.text) == form(self._narrative)
            case _:
                return False

    def has(self, item: Item) -> bool:
        """Whether a statement that passed gives this value already."""
        return isinstance(item, LeafChange) and (item.subject, item.path, form(str(item.value))) in self._taken

    def take(self, item: Item) -> None:
        """Note what a statement that passed gives."""
        if isinstance(item, Claim) and item.attribute is not None:
            for one in statements(item, self._rests(item)[-1], self._language):
                if one.polarity > 0 and one.temporal == item.temporal == "current":
                    self._taken.add((one.subject.casefold(), str(one.attribute), form(str(one.value))))

    def judged(self, item: Item) -> Item | str:
        """The item as it may be remembered, or why it may not."""
        if not item.events:
            return "no event of the batch says so"
        match item:
            case LeafChange():
                return self._leaf(item)
            case Claim():
                return self._claim(item)
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
            or self._unrelated(item)
            or self._misread(item)
            or item
        )

    def _claim(self, item: Claim) -> Item | str:
        texts = [item.text] if item.value is None else [item.text, str(item.value)]
        why = self._unfit(*texts) or self._stranger(item.subject, item)
        why = why or next(filter(None, (self._unsaid(text, item, item.subject) for text in texts)), None)
        return why or self._misread(item) or item

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
            against = self.evidence.against(sentence, item.events, known=self._known)
            if left >= 0 and not (self._unfit(sentence) or against):
                kept.append(sentence)
        return replace(item, text=" ".join(kept)) if kept else "no sentence of it is in the words of its events"

    def _unfit(self, *texts: str) -> str | None:
        return next(filter(None, (unfit(text, self._language) for text in texts)), None)

    def _unsaid(self, text: str, item: Item, about: str = "") -> str | None:
        return self.evidence.against(text, item.events, about=about)

    def _nameless(self, name: str, item: Item) -> str | None:
        """What keeps a name out: no event has it, for a name of two halves would outlive either of its events."""
        named = any(self.evidence.names(name, (event,)) for event in item.events)
        return self._unfit(name) or (None if named else f"no event names {name[:60]}")

    def _unrelated(self, item: LeafChange) -> str | None:
        """Who is whose must be said of somebody: of whom one met it is not."""
        root, _, rest = item.path.partition(".")
        kin = rest.removesuffix(".name").replace("_", " ")
        if root not in _RELATIVES or not rest.endswith(".name") or (item.subject, item.path) in self._values:
            return None
        return None if self.evidence.speaks_of(kin) else f"no event speaks of a {kin[:60]}"

    def _misread(self, item: LeafChange | Claim) -> str | None:
        """What the rules read otherwise in the same events: of somebody else, or as something past or to come."""
        rests = self._rests(item)
        for statement in statements(item, rests[-1], self._language):
            same = [one for one in self._read(rests) if _key(one) == _key(statement)]
            if same and statement.subject.casefold() not in {one.subject.casefold() for one in same}:
                return f"its events say it of {same[0].subject[:60]}"
            times = {one.temporal for one in same}
            if same and statement.temporal == "current" and "current" not in times:
                return f"its events say it as {min(times)}"
        return None

    def _rests(self, item: LeafChange | Claim) -> list[Event]:
        return [event for event in self.evidence.events if event.id in item.events]

    def _read(self, events: Sequence[Event]) -> list[Statement]:
        for event in events:
            if event.id not in self._statements:
                self._statements[event.id] = analyse(event, self._language).statements
        return [one for event in events for one in self._statements[event.id] if one.attribute]

    def _stranger(self, subject: str, item: Item) -> str | None:
        known = subject == USER or any(subject == who for who, _ in self._values)
        return None if known else self._nameless(subject, item)


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


# ------------------------------------------------------------------------------------------ what items become


def statements(item: LeafChange | Claim, event: Event, language: str = "en") -> tuple[Statement, ...]:
    """What an item states, for `memstrata.core.extraction.record_of`: read by the rules where they know how.

    Of what the rules read, attribute, value, polarity, kind and category are theirs, unless the item gives that
    attribute another value: then it is that, in the words of the item. What they do not read is a fact so, too.

    Args:
        item: a leaf or a claim.
        event: the latest of those that it rests on, whose time tells what "last week" is.
        language: of what none can be told.
    """
    if isinstance(item, LeafChange):
        return (_leaf(item, event, detect(str(item.value), language)),)
    sure = item.temporal == "current" and CERTAINTY[item.certainty] >= CERTAINTY[_SURE]
    read = _read(item.text, item.subject, event, detect(item.text, language), follows=sure)
    if not read:
        return (_fact(item, event, detect(item.text, language)),)
    if len([one for one in read if _differs(one, item)]) == 1:
        text = _whole(item.text, detect(item.text, language))
        read = [replace(one, text=text, value=item.value) if _differs(one, item) else one for one in read]
    return tuple(
        replace(
            statement,
            certainty=min(statement.certainty, item.certainty, key=CERTAINTY.__getitem__),
            temporal=item.temporal if statement.temporal == "current" else statement.temporal,
        )
        for statement in read
    )


def _differs(read: Statement, item: Claim) -> bool:
    """Whether the rules read another value of the attribute than an item gives."""
    alike = item.value is not None and read.attribute == item.attribute and read.polarity > 0
    return alike and form(str(read.value)) != form(str(item.value))


def _leaf(item: LeafChange, event: Event, language: str) -> Statement:
    value = str(item.value).lower() if isinstance(item.value, bool) else str(item.value)
    text = told(item.path, value, language, item.subject.capitalize())
    for statement in _read(text, item.subject, event, language):
        if (statement.attribute, form(str(statement.value)), statement.polarity) == (item.path, form(value), 1):
            return replace(statement, certainty=_SURE)
    kind, category, importance = _manner(item.path)
    return Statement(
        kind=kind, category=category, text=_whole(text, language), subject=item.subject, attribute=item.path,
        value=item.value, certainty=_SURE, importance=importance, rule=EDITOR,
    )  # fmt: skip


def _fact(item: Claim, event: Event, language: str) -> Statement:
    times = find_times(item.text, event.event_time, language)
    return Statement(
        kind="fact", category="personal", text=_whole(item.text, language), subject=item.subject,
        attribute=item.attribute, value=item.value, certainty=item.certainty, temporal=item.temporal,
        when=next(iter(times), None), rule=EDITOR,
    )  # fmt: skip


def _read(text: str, subject: str, event: Event, language: str, *, follows: bool = False) -> list[Statement]:
    """What the rules read in a text that the one it is about says, and what follows from it if that is wanted."""
    who = None if subject == USER else subject
    said = first_person(text, language, who)
    if said is None:
        return []
    times = find_times(said, event.event_time, language)
    read = extract(said, times=times, language=language, speaker=who)
    if follows:
        read += followed(read, event.event_time, language)
    return [replace(statement, rule=EDITOR, start=0, end=0) for statement in read]


def _whole(text: str, language: str) -> str:
    """A statement as the rules write it: with a capital and a full stop."""
    ended = text if text[-1:] in set(".!?。！？") else f"{text}{pack_of(language).full_stop}"
    return f"{ended[:1].upper()}{ended[1:]}"


@cache
def _manner(attribute: str) -> tuple[str, str, float]:
    """Kind, category and importance of a statement of an attribute: those of the first rule that tells such a one."""
    rules = [rule for rule in pack_of("en").rules if rule.attribute and rule.polarity > 0]
    same = [rule for rule in rules if rule.attribute == attribute]
    alike = [rule for rule in rules if str(rule.attribute).split(".")[0] == attribute.split(".", maxsplit=1)[0]]
    return next(((rule.kind, rule.category, rule.importance) for rule in (*same, *alike)), ("fact", "personal", 0.5))


# ------------------------------------------------------------------------------------------------ without a model


def related(records: Iterable[Record], events: Iterable[Event]) -> tuple[NamedRelation, ...]:
    """The plan of the rules: how what the events of a batch named is related, as attributes of their statements say.

    Statements were extracted when the events arrived, and so are no items.

    Args:
        records: current versions of what is known in the place of the batch.
        events: the batch.
    """
    batch = {event.id for event in events}
    holding = [record for record in records if _tells(record)]
    projects = [str(record.value) for record in holding if record.attribute == _PROJECT]
    found: dict[NamedRelation, None] = {}
    for record in sorted(holding, key=lambda record: (record.valid_from, record.hash, record.id)):
        sources = tuple(source for source in record.sources if source in batch)
        for head, kind, tail in _relations(record, projects) if sources else ():
            if form(head) != form(tail):
                found[NamedRelation(head=head, type=kind, tail=tail, events=sources)] = None
    return tuple(found)


def _tells(record: Record) -> bool:
    told = record.attribute is not None and isinstance(record.value, str) and record.subject is not None
    return told and record.polarity > 0 and record.temporal == "current" and record.status in OPEN


def _relations(record: Record, projects: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """What a record relates: head, type and tail."""
    path = str(record.attribute).split(".")
    kind = _RELATED.get((path[0], path[-1]))
    if kind:
        yield str(record.subject), kind, str(record.value)
    if path[0] == "project" and len(path) == 3 and len(projects) == 1:
        yield path[1].replace("_", " "), "PART_OF", projects[0]
