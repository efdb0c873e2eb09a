"""Which records a claim ends: those that a model names, and those that the claim's own words contradict.

A model may name what is over among the records that it was shown. A named record ends if the events speak of it or the
claim gives it another value; a few more end on the model's word alone. Besides, an explicit claim ends what it repeats
with another number or time and, in English, what it denies and what it says has stopped.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from memoranda.core.beliefs.conflicts import COVERED, denies
from memoranda.core.beliefs.profile_keys import USER, placed
from memoranda.core.consolidation.claim_statements import EDITOR
from memoranda.core.consolidation.evidence import kin_in
from memoranda.core.consolidation.proposal import Claim, Terms
from memoranda.core.consolidation.references import Anchor, Reference
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.language.person import RETOLD
from memoranda.core.language.speech_cues import changes, endings, pattern_of
from memoranda.core.rows import Event, Record
from memoranda.core.rows.statements import CERTAINTY, TimeRef
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import detect
from memoranda.core.text.terms import form, jaccard

_LIKE = 0.6  # least Jaccard similarity of terms for words to mean a record
_SAME = 2  # least number of terms of the shorter of two records that say the same
_ON_ITS_WORD = 5  # most records per batch that end on the model's word, though no event speaks of them
_LONG = frozenset({"month", "quarter", "season", "year"})  # grains of dates without a day
_DIGIT = re.compile(r"\d")
_TOKEN = re.compile(r"(?<![\w.-])[+-]?\d[\w:.,+-]*")
_CODE = re.compile(r"\b[^\W\d]+-?\d\w*")
_PATH = re.compile(r"\s*+(?P<path>[\w.](?:[\w. ]*[\w.])?)\s*+[:=]\s*+(?P<value>.+)")
_USERS = re.compile(rf"{USER}['’]s\b", re.IGNORECASE)
_REASON = re.compile(r",|\s(?:because|since|so|as|due)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ended:
    """The ids of the records that a claim ends, and the reasons why others that the model named do not end."""

    records: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class Overruling:
    """Decides what the claims of one batch end.

    Args:
        reference: the records that the model was shown, and what the events speak of.
        terms: returns the terms of a text.
    """

    def __init__(self, reference: Reference, terms: Terms) -> None:
        self._reference = reference
        self._terms = terms
        self._left = _ON_ITS_WORD

    def ended(self, claim: Claim, rests: Sequence[Event]) -> Ended:
        """Return what a claim that passed the guard ends.

        A record that rests on one of the claim's events does not end, unless the rules misread that event.

        Args:
            claim: its `ends` are a record's text, a similar text, its value, or its path and value.
            rests: the events that it rests on, oldest first.
        """
        before = [one for one in self._reference.anchors if not {*claim.events} & {*one.record.sources}]
        named = {words: self._meant(words, before) for words in claim.ends}
        misread = self._misread(claim)
        over = [*self._over(claim, named), *misread]
        mine = _Facets(claim.text, rests[-1], self._terms)
        over += [one for one in before if self._contradicts(claim, mine, one, rests[-1])]
        refused: list[str] = []
        for words, anchors in named.items():
            if not anchors and not self._meant(words, [*self._reference.over, *misread]):
                refused.append(f"nothing that it was shown says {words[:60]}")
            elif anchors and not any(one in over for one in anchors):
                refused.append(f"no event it rests on says that this is over: {words[:60]}")
        return Ended(tuple(dict.fromkeys(one.record.id for one in over)), tuple(refused))

    # ---------------------------------------------------------------------------------------- what a model names

    def _meant(self, words: str, anchors: Sequence[Anchor]) -> list[Anchor]:
        """Return the anchors that words mean by text, value, path and value, or else terms, with what says the same."""
        exact = [one for one in anchors if _is_named(words, one.record) or form(words) == form(str(one.record.value))]
        if not exact:
            wanted = self._terms(words)
            likely = [(jaccard(wanted, self._terms(one.record.text)), one.record.hash, one) for one in anchors]
            best = max(likely, default=None, key=lambda one: one[:2])
            exact = [best[2]] if best and best[0] >= _LIKE else []
        return [one for one in anchors if any(one is other or self._same(one, other) for other in exact)]

    def _same(self, one: Anchor, other: Anchor) -> bool:
        """Whether one of two records says all that the other says."""
        mine, theirs = (frozenset(self._terms(row.record.text)) - {USER} for row in (one, other))
        alike = (one.record.polarity, one.record.subject) == (other.record.polarity, other.record.subject)
        if mine < theirs and one.record.attribute not in (None, other.record.attribute):
            return False  # a property is not over because a longer statement is
        return alike and len(min(mine, theirs, key=len)) >= _SAME and (mine <= theirs or theirs <= mine)

    def _misread(self, claim: Claim) -> list[Anchor]:
        """Return what rules read in the claim's events alone and the claim puts right: it is explicit and names it."""
        if claim.certainty != "explicit":
            return []
        telling = self._reference.evidence.telling(claim.text)
        return [
            one
            for one in self._reference.anchors
            if one.record.sources and {*one.record.sources} <= {*claim.events} and one.record.editor != EDITOR
            if not telling.isdisjoint(one.content_terms) and any(_is_named(words, one.record) for words in claim.ends)
        ]

    def _over(self, claim: Claim, named: Mapping[str, Sequence[Anchor]]) -> list[Anchor]:
        """Return those of the named records that end; none if only the assistant spoke or the claim says what may be.

        A record ends if the events speak of it, or if the claim gives another value to its single-valued attribute.
        Others end on the model's word alone, because "it did not last" repeats no word of what was: at most five per
        batch, if the claim is explicit or implied, names them exactly, and has their subject. If a claim names more of
        them than are left, none of these ends.
        """
        heard = self._reference.evidence.heard(claim.events)
        said = self._reference.evidence.said(heard, aside=True)
        if not said:
            return []
        anchors = list(dict.fromkeys(one for found in named.values() for one in found))
        if (may_be := pattern_of("unreal")).search(claim.text):
            anchors = [one for one in anchors if may_be.search(one.record.text)]
        over = [one for one in anchors if _replaces(claim, one.record) or self._spoken_of(one, said, claim.events)]
        if CERTAINTY[claim.certainty] > CERTAINTY["inferred"]:
            exact = [one for one in anchors if any(_is_named(words, one.record) for words in named)]
            believed = [one for one in exact if one not in over and _about_the_same(claim, one.record)]
            if len(believed) <= self._left:
                self._left -= len(believed)
                over += believed
        return over

    def _spoken_of(self, anchor: Anchor, said: Sequence[str], events: tuple[str, ...]) -> bool:
        return any(self._reference.speaks(anchor, sentence, events) for sentence in said)

    # --------------------------------------------------------------------------------------- what a claim contradicts

    def _contradicts(self, claim: Claim, mine: "_Facets", anchor: Anchor, said: Event) -> bool:
        """Whether an explicit claim contradicts a record: it restates it or, in English, denies or stops it."""
        record = anchor.record
        if claim.certainty != "explicit" or record.temporal == "past" or form(claim.text) == form(record.text):
            return False
        theirs = _Facets(record.text, said, self._terms)
        if self._restates(claim, mine, theirs, anchor):
            return True
        if detect(claim.text, RETOLD[0]) not in RETOLD or claim.subject != record.subject:
            return False
        if mine.own != theirs.own and (mine.own or self._reference.evidence.person(claim.text)):
            return False  # the claim and the record are about different people
        meant = record.temporal == "future"
        denied = mine.own == theirs.own and denies(claim.text, record.text)
        return denied or (record.polarity > 0 and _stops(mine, theirs, meant=meant))

    def _restates(self, claim: Claim, mine: "_Facets", theirs: "_Facets", anchor: Anchor) -> bool:
        """Whether a claim is the same statement as a record with another number or time.

        If both begin with "the", "their" or "User's", they are about one thing. Otherwise only one of number and time
        may differ, the events must speak of the record, and the times must be dates: what takes place on Mondays may
        still take place on Thursdays.
        """
        later = claim.temporal == "future" != anchor.record.temporal
        if later or claim.temporal == "past" or mine.happened or theirs.happened or mine.frame != theirs.frame:
            return False
        if not mine.frame - mine.light:
            return False
        numbers, times = _differ(mine.numbers, theirs.numbers), _differ(mine.times, theirs.times)
        if mine.definite and theirs.definite:
            return numbers or times
        said = self._reference.evidence.said(claim.events)
        one = numbers != times and (numbers or (mine.dated and theirs.dated))
        return one and self._spoken_of(anchor, said, claim.events)


def _stops(mine: "_Facets", theirs: "_Facets", *, meant: bool) -> bool:
    """Whether `mine` says that what `theirs` says is over: stopped, cancelled, sold, finished and so on.

    `theirs` must have most of the telling words of what is over and, unless a plan is cancelled, 80 % of all of them.
    If `theirs` is `meant`, a plan, then a word for cancelling applies to it whatever it is about.
    """
    if _differ(mine.codes, theirs.codes):
        return False
    for says, what in endings():
        found = says.search(mine.text)
        plans = what.search("plans") is not None
        if found is None or not (what.search(theirs.text) or (meant and plans)):
            continue
        over = mine.part(f"{mine.text[: found.start()]} {_REASON.split(mine.text[found.end() :])[0]}")
        telling = over - mine.light
        most = 2 * len(telling & theirs.frame) > len(telling)
        if most and (plans or len(over & theirs.frame) >= COVERED * len(over)):
            return True
    return False


class _Facets:
    """A statement, and the parts of it that are compared."""

    def __init__(self, text: str, said: Event, terms: Terms) -> None:
        self.text = text
        self._said = said
        self._terms = terms

    @cached_property
    def _times(self) -> Sequence[TimeRef]:
        return find_times(self.text, self._said.event_time, detect(self.text, RETOLD[0]))

    @cached_property
    def _timeless(self) -> str:
        text = self.text
        for time in reversed(self._times):
            text = f"{text[: time.start]} {text[time.end :]}"
        return text

    @cached_property
    def frame(self) -> frozenset[str]:
        """Its terms without times and numbers."""
        return frozenset(one for one in self._terms(self._timeless) if not _DIGIT.search(one)) - {USER}

    def part(self, text: str) -> frozenset[str]:
        """Return the frame of a part of it."""
        return _Facets(text, self._said, self._terms).frame

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers, without those in times."""
        return frozenset(one.strip(".,:") for one in _TOKEN.findall(self._timeless))

    @cached_property
    def codes(self) -> frozenset[str]:
        """Its names of letters and digits, as "V40"."""
        return frozenset(_CODE.findall(self._timeless))

    @property
    def times(self) -> frozenset[str]:
        """Its times, each as begin and end, or in its words if it has no begin."""
        return frozenset(f"{one.begin} {one.until}" if one.begin else one.text.casefold() for one in self._times)

    @property
    def dated(self) -> bool:
        """Whether its times are dates, months or years, and not days of the week or hours."""
        return all(one.grain in _LONG or (one.grain == "day" and _DIGIT.search(one.text)) for one in self._times)

    @cached_property
    def light(self) -> frozenset[str]:
        """The terms that nearly every statement has."""
        return frozenset(self._terms(" ".join(changes().light)))

    @property
    def own(self) -> bool:
        """Whether it is about the user rather than about somebody or something of theirs."""
        return self.text.casefold().startswith(f"{USER} ")

    @property
    def definite(self) -> bool:
        """Whether it is about one particular thing."""
        return pattern_of("definite").match(self.text) is not None

    @property
    def happened(self) -> bool:
        """Whether it is about what took place once."""
        return pattern_of("happened").match(self.text) is not None


def _differ(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return bool(mine and theirs) and mine != theirs


def _about_the_same(claim: Claim, record: Record) -> bool:
    """Whether a claim and a record have the same subject; "User's sister moved" is not about the user."""
    own = all(text.casefold().startswith(USER) for text in (claim.text, record.text))
    kin = kin_in(_USERS.sub("my", claim.text), RETOLD[0])
    return claim.subject == record.subject and (claim.subject != USER or (own and kin is None))


def _replaces(claim: Claim, record: Record) -> bool:
    """Whether a claim gives another value to the single-valued attribute of a record."""
    same = claim.attribute is not None and (claim.subject, claim.attribute) == (record.subject, record.attribute)
    other = claim.value is not None and form(str(claim.value)) != form(str(record.value))
    return same and other and is_single_valued(str(record.attribute))


def _is_named(words: str, record: Record) -> bool:
    """Whether words are the text of a record, or "path: value", with a path and its value or text."""
    if form(words) == form(record.text):
        return True
    given = _PATH.fullmatch(words)
    if given is None:
        return False
    value = form(given["value"])
    return value == form(record.text) or (value == form(str(record.value)) and _lies(record, given["path"]))


def _lies(record: Record, path: str) -> bool:
    """Whether the attribute of a record is the one that a path means, or has the same root ("pet.name", "pet.dog")."""
    subject, attribute = placed(tuple(path.strip().split(".")))
    roots = {(record.attribute or "").partition(".")[0], attribute.partition(".")[0]}
    return record.subject == subject and (record.attribute == attribute or (len(roots) == 1 and "." in attribute))
