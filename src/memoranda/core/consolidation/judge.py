"""Judge what a model proposes: which items may be remembered, and which records they end.

Nothing in an answer removes anything: what it leaves out is kept, and what it changes must be in the words of the
events that it rests on. What passes is stored as JSON in the event of the consolidation, and everything else is derived
from there (`flows.derive`), so that the log alone can rebuild it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from memoranda.core.beliefs.profile import NARRATIVE_WORDS, Profile
from memoranda.core.beliefs.profile_keys import USER, leaves, placed
from memoranda.core.consolidation.claim_attributes import SIGNED, Attributing
from memoranda.core.consolidation.claim_statements import statements
from memoranda.core.consolidation.claimed_endings import Overruling
from memoranda.core.consolidation.evidence import DENIED, OTHERWISE, Evidence
from memoranda.core.consolidation.proposal import (
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
from memoranda.core.consolidation.references import Reference
from memoranda.core.language.speech import grammar_in, unfit
from memoranda.core.language.speech_cues import pattern_of
from memoranda.core.rows import Event, Json, Record
from memoranda.core.rows.statements import CERTAINTY
from memoranda.core.strata.graph import RELATIONS
from memoranda.core.text.detect import detect
from memoranda.core.text.terms import form, stands
from memoranda.core.text.voices import own

#: The most items that are accepted from one answer; the others are refused.
MOST = 60
#: The kind of the event that stores what passed.
KIND = "consolidation"
#: Types of entities; any other type becomes one of `_SAME`, or else "thing".
TYPES = ("person", "place", "organisation", "product", "handle", "tool", "thing")

NARRATIVE = "narrative"
_ITEMS: Mapping[str, type[Item]] = {
    "leaf": LeafChange, "claim": Claim, "entity": NamedEntity, "relation": NamedRelation, NARRATIVE: Narrative,
}  # fmt: skip
_NAMES = {kind: name for name, kind in _ITEMS.items()}
_SAYING = ("text", "value", "subject", "name", "aliases", "head", "tail", "type")  # fields in words of what was read
_TYPED = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_SIGNS = re.compile(r"\W+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
#: Other words that models use for a type.
_SAME = {
    "organization": "organisation", "company": "organisation", "location": "place", "city": "place", "country": "place",
    "user": "person", "software": "product", "technology": "product",
}  # fmt: skip
_FREELY = "implied"  # the highest certainty of a claim in a free wording
_DOUBTED = "uncertain"  # the highest certainty of what was only said aside
#: Roots of attributes whose values are somebody or something else in the life of the user.
_OF_OTHERS = frozenset({"family", "people", "pet", "project"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The outcome of judging a proposal.

    Attributes:
        items: the items that passed, a narrative last.
        refused: what was refused, with reasons, including what could not be read and ends that were not accepted.
        kept: shown attributes that an answer with leaves left out, sorted; they stay as they are.
        unchanged: how many items say what is already known.
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
    """Return what may be remembered of a proposal, and what is refused.

    Args:
        proposal: what was proposed.
        events: the batch. Other events that an item cites, such as one forgotten meanwhile, are ignored.
        profile: what is known in the place of the batch.
        terms: returns the terms of a text.
        shown: the part of the scaffold that the model was shown, to tell what is kept; by default all of it.
        records: known records that the model was shown; events that speak of them may repeat and end them.
        over: records that the batch has already ended; an item that ends them again is not refused for it.
        language: assumed if none is detected.
        most: the most items that pass.
    """
    evidence = Evidence(events, terms, language)
    reference = Reference(records, evidence, terms, over)
    judging = _Judging(evidence, profile, reference, terms, language)
    items: list[Item] = []
    refused = list(proposal.refused)
    unchanged = 0
    for item in sorted(proposal.items, key=lambda item: isinstance(item, Narrative)):  # a narrative is judged last
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
    """Yield the values of a scaffold, each with its subject and attribute."""
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
        self._values: dict[tuple[str, str], set[str]] = {}
        for key, value in _placed(profile.plain()):
            self._values.setdefault(key, set()).add(form(str(value)))
        self._texts = {text for values in self._values.values() for text in values}
        known = [" ".join((subject, path, *sorted(values))) for (subject, path), values in self._values.items()]
        self._known = " ".join((*known, profile.narrative))
        self._attributing = Attributing(evidence, reference, self._values, language)
        self._reported = " ".join(str(leaf.value) for leaf in profile.reported)

    def knows(self, item: Item) -> bool:
        """Whether an item says what is known, or is a leaf with a value that an accepted item gives already."""
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
        """Note the values that an accepted item gives, for `knows`."""
        if isinstance(item, LeafChange):
            self._taken.add((item.subject, item.path, form(str(item.value))))
        if isinstance(item, Claim) and item.attribute is not None:
            for one in statements(item, self._attributing.rests(item)[-1], self._language):
                # what holds beside something else counts as temporary
                if one.polarity > 0 and item.temporal == "current" and one.temporal in ("current", "temporary"):
                    self._taken.add((one.subject.casefold(), str(one.attribute), form(str(one.value))))

    def judged(self, item: Item) -> Item | str:
        """Return the item as it may be remembered, or the reason why it may not."""
        if not item.events:
            return "no event of the batch says so"
        if not isinstance(item, LeafChange | Claim):
            return self._matched(item)
        if not self.evidence.heard(item.events):
            return "nobody but the assistant says so"
        mine = self.evidence.own(item.events)
        if mine and mine != item.events:  # what the user says without the others rests on the user alone
            judged = self._matched(replace(item, events=mine))
            if isinstance(judged, LeafChange):
                return judged
            if isinstance(judged, Claim) and judged.certainty != _DOUBTED and self._users(judged):
                return judged
        return self._matched(item)

    def _matched(self, item: Item) -> Item | str:
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
        text = str(item.value)
        if isinstance(item.value, bool):
            name = item.path.rpartition(".")[2].replace("_", " ")
            text = name if item.value else f"not {name}"
        return (
            self._unfit(item.path, path, text)
            or self._stranger(item.subject, item)
            or self._unsaid(text, item)
            or (None if path.partition(" ")[0] in _OF_OTHERS else self._another(text, item))
            or self._attributing.strained(item)
            or self._denied.get((item.subject, item.path, form(str(item.value))))
            or replace(item, recalls=self._lent(item.subject, item))
        )

    def _claim(self, item: Claim) -> Item | str:
        """Return a claim as it may be remembered, or the reason why it may not.

        In the words of its events it stays as certain as it is, in a free wording it is implied at most, and if the
        events only say it aside, uncertain.
        """
        texts = [item.text] if item.value is None or isinstance(item.value, bool) else [item.text, str(item.value)]
        if why := self._unfit(*texts) or self._stranger(item.subject, item):
            return why
        if why := self._unsaid(item.text, item):
            freely = self._freely(item, _FREELY) if why == OTHERWISE else None
            doubted = freely or self._freely(item, _DOUBTED, aside=True)
            if doubted is None:
                return why
            item = doubted
        elif texts[1:] and (why := self._unsaid(texts[1], item)):
            if why not in (OTHERWISE, DENIED):
                return why
            # "keeps bees" is the hobby beekeeping; "no nuts please, I'm allergic" denies the value and not the claim
            item = _at_most(item, _FREELY if why == OTHERWISE else _DOUBTED)
        meant = item.temporal == "future" or any(pattern_of(sign).search(item.text) for sign in ("unreal", "wishes"))
        if not meant and self.evidence.supposed(item.text, item.events):
            return SIGNED["unreal"]
        return self._another(item.text, item) or self._attributing.strained(item) or item

    def _freely(self, item: Claim, certainty: str, *, aside: bool = False) -> Claim | None:
        """Return a claim in a free wording, at most of a certainty, and without a value that its events do not state.

        None if they do not state the claim either.
        """
        if self._unsaid(item.text, item, freely=True, aside=aside):
            return None
        said = item.value is None or isinstance(item.value, bool)
        if not said and self._unsaid(str(item.value), item, aside=aside):
            item = replace(item, attribute=None, value=None)
        return _at_most(item, certainty)

    def _another(self, text: str, item: LeafChange | Claim) -> str | None:
        """Return the reason why a text cannot be about the user, if its events say it of somebody else; else None."""
        own = item.subject == USER and (isinstance(item, LeafChange) or text.casefold().startswith(USER))
        who = self.evidence.of_another(text, item.events) if own else None
        return f"its events say it of {who[:60]}" if who else None

    def ending(self, item: Claim) -> tuple[Claim, Sequence[str]]:
        """Return an accepted claim with what it ends and recalls, and the reasons why it ends nothing else it names."""
        if not self._users(item):
            item = _at_most(item, "inferred")
        ended = self._overruling.ended(item, self._attributing.rests(item))
        lent = self._reference.lends(f"{item.subject} {item.text} {item.value}", item.events)
        return replace(item, ends=ended.records, recalls=lent), ended.refused

    def _users(self, item: Claim) -> bool:
        """Whether a claim borrows no word from what others than the user said."""
        return all(map(own, self._reference.lending(f"{item.subject} {item.text} {item.value}", item.events)))

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
        """Return a narrative with the sentences that rest on events and what is known, as many as fit, or a reason."""
        kept: list[str] = []
        left = NARRATIVE_WORDS
        for sentence in filter(None, _SENTENCE.split(item.text)):
            left -= len(sentence.split())
            said = " ".join((self._narrative, *self.evidence.said(item.events)))
            denied = pattern_of("denials").search(sentence) and not pattern_of("denials").search(said)
            about = self._about_user(sentence)
            told = self.evidence.own(item.events) if about else item.events
            known = self._known if about else f"{self._known} {self._reported}"
            known = "" if denied else known  # a new denial must rest on the events alone
            against = self.evidence.against(sentence, told, known=known, freely=True)
            if left >= 0 and not (self._unfit(sentence) or against):
                kept.append(sentence)
        return replace(item, text=" ".join(kept)) if kept else "no sentence of it is in the words of its events"

    def _about_user(self, sentence: str) -> bool:
        """Whether a sentence names the user; then only the user's words count."""
        words = (USER, grammar_in(detect(sentence, self._language)).pack.user)
        return any(stands(word, sentence) for word in words)

    def _unfit(self, *texts: str) -> str | None:
        return next(filter(None, (unfit(text, self._language) for text in texts)), None)

    def _unsaid(self, text: str, item: LeafChange | Claim, *, freely: bool = False, aside: bool = False) -> str | None:
        if isinstance(item, LeafChange):
            return self.evidence.against(text, item.events)
        if self._reference.names(text, item.events):
            return None
        recalled = self._reference.recalled(item.events)
        if not item.ends:  # only a claim that ends something may repeat its words
            recalled = replace(recalled, text="")
        return self.evidence.against(
            text, item.events, about=item.subject, recalled=recalled, freely=freely, aside=aside,
            past=item.temporal == "past",
        )  # fmt: skip

    def _nameless(self, name: str, item: Item) -> str | None:
        """Return the reason for refusing a name; None if one event has all of it.

        A name put together from two events would outlive the forgetting of either.
        """
        named = any(self.evidence.names(name, (event,)) for event in item.events)
        return self._unfit(name) or (None if named else f"no event names {name[:60]}")

    def _lent(self, subject: str, item: Item) -> tuple[str, ...]:
        """Return the ids of earlier events that have the name of a subject to whom those of an item only refer."""
        return () if subject == USER else self._reference.lends(subject, item.events)

    def _stranger(self, subject: str, item: Item) -> str | None:
        """Return the reason for refusing a subject that is neither known nor named; else None."""
        known = subject == USER or any(subject == who for who, _ in self._values)
        return None if known or self._reference.names(subject, item.events) else self._nameless(subject, item)


def _at_most(item: Claim, certainty: str) -> Claim:
    """Return a claim with at most a given certainty."""
    return replace(item, certainty=min(item.certainty, certainty, key=CERTAINTY.__getitem__))


# ------------------------------------------------------------------------------------------- as it is written down


def as_json(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return items as JSON, for the metadata of the event of a consolidation."""
    return [{"of": _NAMES[type(item)], **asdict(item)} for item in items]


def words_of(item: Mapping[str, Any]) -> list[Json]:
    """Return what an item in JSON says in other words than the memory's own."""
    return [item[name] for name in _SAYING if item.get(name) not in (None, USER, *TYPES, *RELATIONS)]


def of_json(items: Iterable[Mapping[str, Any]]) -> tuple[Item, ...]:
    """Return the items that `as_json` wrote."""
    return tuple(_ITEMS[item["of"]](**{name: _held(item[name]) for name in item if name != "of"}) for item in items)


def _held(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
