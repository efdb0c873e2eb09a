"""Whether an item may give an attribute a new value: what the events say of the value, and of whom they say it."""

from collections.abc import Collection, Mapping, Sequence

from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.consolidation.claim_statements import statements
from memoranda.core.consolidation.evidence import Evidence
from memoranda.core.consolidation.proposal import Claim, Item, LeafChange
from memoranda.core.consolidation.references import Reference
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.language.extraction import analyse
from memoranda.core.language.speech_cues import pattern_of
from memoranda.core.rows import Event
from memoranda.core.rows.statements import CERTAINTY, Statement
from memoranda.core.text.terms import form

#: Sign in every clause with a value (see `core.language.speech_cues`) → the reason why the value is then refused.
SIGNED = {"until": "its events say it for a time", "unreal": "its events only suppose it"}
#: Roots of attributes whose values are names of people, organisations and places, which others have as well.
_OF_MANY = frozenset({"business", "contact", "education", "family", "identity", "location", "people", "work"})
_NAME = "identity.name"
_SURE = "implied"  # the least certainty with which a statement ends another


class Attributing:
    """Judges the values that the items of a proposal give.

    Args:
        evidence: what the events of the batch state.
        reference: the records that the model was shown.
        values: what is known, by subject and attribute.
        language: assumed if none is detected.
    """

    def __init__(
        self,
        evidence: Evidence,
        reference: Reference,
        values: Mapping[tuple[str, str], Collection[str]],
        language: str,
    ) -> None:
        self._evidence = evidence
        self._reference = reference
        self._values = values
        self._language = language
        self._statements: dict[str, tuple[Statement, ...]] = {}
        self._planned = {form(str(one.record.value)) for one in reference.anchors if one.record.temporal == "future"}

    def strained(self, item: LeafChange | Claim) -> str | None:
        """Return the reason why an item cannot give an attribute a new value; None if it can.

        It cannot if the rules read the value in the same events as somebody else's, or as past or future. It cannot
        either if the attribute is single-valued and the value is only recalled from a record ("Bob from Acme"), is
        given for a time ("in Oslo until Friday"), or is supposed ("maybe Oslo").
        """
        rests = self.rests(item)
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
            if lent and not self._evidence.names(value, item.events):
                return f"no event it rests on names {value[:60]}"
            if not read and self._contested(one) and not self._gives(one, item.events):
                return f"its events do not say it of the user's {one.attribute.replace('.', ' ')[:60]}"
            for sign, why in SIGNED.items():
                told = isinstance(item, Claim) and pattern_of(sign).search(item.text)
                if not told and self._evidence.passing(value, item.events, sign):
                    return why
        return None

    def _contested(self, one: Statement) -> bool:
        """Whether a statement gives the user a name that others may have: a first one, or instead of what is known."""
        known = self._values.get((USER, str(one.attribute))) and CERTAINTY[one.certainty] >= CERTAINTY[_SURE]
        shared = str(one.attribute).partition(".")[0] in _OF_MANY and form(str(one.value)) not in self._planned
        return one.subject == USER and shared and (known or one.attribute == _NAME)

    def _gives(self, one: Statement, events: Sequence[str]) -> bool:
        """Whether some events tell of the attribute of a statement where they have its value."""
        attribute = str(one.attribute)
        return self._evidence.gives(attribute, str(one.value), events, self._values.get((USER, attribute), ()))

    def _read(self, event: Event) -> tuple[Statement, ...]:
        """Return what the rules read in an event, read once."""
        if event.id not in self._statements:
            self._statements[event.id] = analyse(event, self._language).statements
        return self._statements[event.id]

    def rests(self, item: Item) -> list[Event]:
        """Return the events that an item rests on."""
        return [event for event in self._evidence.events if event.id in item.events]


def _key(statement: Statement) -> tuple[str | None, str, int]:
    return statement.attribute, form(str(statement.value)), statement.polarity
