"""What a new statement leaves of what was known: which records it ends, said by a model or found without one.

What a model says to be over ends if somebody but the assistant speaks of it in the events that the claim rests on, or
if it gives another value to what has one; where the claim is only inferred, or shares no more with it than a name, they
tell of an end or a change, too. Where it names nothing, English statements are compared with what is known: somebody
stopped it, cancelled or sold it, did what was planned, does something else instead, or one thing has another number or
time than before.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from memstrata.core.contradiction import COVERED, denies, negations
from memstrata.core.guard import somebody
from memstrata.core.language import detect
from memstrata.core.proposal import Claim, Terms
from memstrata.core.reference import Anchor, Reference
from memstrata.core.retelling import RETOLD, first_person
from memstrata.core.rows import Event, Record
from memstrata.core.rules.attributes import is_single_valued
from memstrata.core.rules.entities import find_mentions
from memstrata.core.scaffold import USER, placed
from memstrata.core.statements import CERTAINTY
from memstrata.core.stating import EDITOR
from memstrata.core.telling import changes, endings, pattern_of
from memstrata.core.temporal import find_times
from memstrata.core.text import form, jaccard, standing

_LIKE = 0.6  # share of common terms from which words mean a record
_SAME = 2  # terms of what says the same as something longer
_ON_ITS_WORD = 5  # records that a model may end in a batch though no word of the events speaks of them
_BEGINNING = 3  # words that tell what a statement is about, and that it is something
_LONG = 4  # letters of a word that recalls something though it tells little
_OLD = 4  # terms of what something stands instead of
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_TOKEN = re.compile(r"[\w:.,+-]*\d[\w:.,+-]*")
_PATH = re.compile(r"\s*(?P<path>[\w. ]+?)\s*[:=]\s*(?P<value>.+)")
_REASON = re.compile(r",|\s(?:because|since|so|as|due)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ended:
    """Ids of the records that a statement ends, and why others do not that it was said to end."""

    records: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class Overruling:
    """Tells what statements end.

    Args:
        reference: what was shown and holds, and what the batch speaks of.
        terms: from a text to its terms.
    """

    def __init__(self, reference: Reference, terms: Terms) -> None:
        self._reference = reference
        self._terms = terms
        self._left = _ON_ITS_WORD

    def ended(self, claim: Claim, rests: list[Event]) -> Ended:
        """What a claim ends that passed the guard.

        Args:
            claim: its `ends` are the words of a model, or what it named by path and value.
            rests: the events it rests on, oldest first.
        """
        before = [one for one in self._reference.anchors if not {*claim.events} & {*one.record.sources}]
        mine = _Told(claim.text, rests[-1], self._terms)
        meant = {words: self._meant(words, before) for words in claim.ends}
        known = [one for one in before if self._spoken_of(claim, one)]
        before = [one for one in before if self._concerns(claim, one)]
        found = [one.record.id for one in before if self._overrules(claim, mine, one, rests[-1])]
        own = {words: [one for one in named if one in before or one in known] for words, named in meant.items()}
        over = [one for anchors in own.values() for one in anchors if self._over(claim, mine, one)]
        over += self._on_its_word(claim, {words: named for words, named in own.items() if not {*named} & {*over}})
        over += self._in_one_breath(over, [one for anchors in own.values() for one in anchors])
        misread = self._misread(claim)
        found += [one.record.id for one in misread]
        refused: list[str] = []
        for words, anchors in meant.items():
            ends = [one.record.id for one in anchors if one in over]
            found += ends
            if not anchors and not self._meant(words, [*self._reference.over, *misread]):
                refused.append(f"nothing that it was shown says {words[:60]}")
            elif anchors and not ends:
                refused.append(f"no event it rests on says that this is over: {words[:60]}")
        return Ended(tuple(dict.fromkeys(found)), tuple(refused))

    def _concerns(self, claim: Claim, anchor: Anchor) -> bool:
        """Whether a claim can end a record at all: what somebody else does ends of what the user does what names them.

        Or what the speaker says to have a part in, "Tom and I share a flat now", or speaks of beside what they say of
        themselves: "Tom has the shed now. I don't mind."
        """
        who, known = _another(claim), anchor.record.text.casefold()
        if who is None or not known.startswith(f"{USER} "):
            return True
        named = standing(who).search(known)
        evidence = self._reference.evidence
        said = evidence.said(evidence.heard(claim.events))
        ours = [one for one in said if pattern_of("speaker").search(pattern_of("heard").sub(" ", one))]
        shared = any(evidence.telling(claim.text) & evidence.telling(one) for one in ours)
        return named is not None or shared or bool(ours and any(anchor.told & evidence.telling(one) for one in said))

    def _spoken_of(self, claim: Claim, anchor: Anchor) -> bool:
        """Whether a claim's events speak of something in a record as known: "the offsite", "our car".

        Then what a model names can end, whoever did it; what it does not name cannot: many play "the guitar".
        """
        evidence = self._reference.evidence
        said = evidence.said(evidence.heard(claim.events))
        things = (found["thing"] or found["mine"] for one in said for found in pattern_of("familiar").finditer(one))
        return any(anchor.told & evidence.telling(thing) for thing in things)

    def _in_one_breath(self, over: list[Anchor], named: list[Anchor]) -> list[Anchor]:
        """What ends because it was told by an event that told something that is over, and a model names it, too.

        It counts as what ends on a model's word. A property that has no word in common with what is over stands: who
        quits a job lives where they lived.
        """
        breath = {source for one in over for source in one.record.sources}
        words = frozenset[str]().union(*(one.told for one in over))
        told = [one for one in dict.fromkeys(named) if one not in over and breath.intersection(one.record.sources)]
        believed = [one for one in told if one.record.attribute is None or one.told & words][: self._left]
        self._left -= len(believed)
        return believed

    def _misread(self, claim: Claim) -> list[Anchor]:
        """What the rules read in a claim's events, and a model otherwise, in the same words: it names it as wrong.

        A claim of something else leaves it: who loves Porto may well be from there.
        """
        return [
            one
            for one in self._reference.anchors
            if one.record.sources and {*one.record.sources} <= {*claim.events} and one.record.editor != EDITOR
            if claim.certainty == "explicit" and any(_is_named(words, one.record) for words in claim.ends)
            if _in_its_words(claim, one.record)
        ]

    def _on_its_word(self, claim: Claim, meant: dict[str, list[Anchor]]) -> list[Anchor]:
        """What ends though no word of the events speaks of it: one for a sure claim, if named word for word.

        Who writes "it did not last" or "nothing but day shifts since Monday" has no word of what was. So much is
        believed of a model where the events tell of an end or a change, the claim gives another value to what may have
        several, or the record was so for a time only, and of nothing that tells of somebody else.
        """
        said = self._reference.evidence.said(self._reference.evidence.heard(claim.events))
        if not said or CERTAINTY[claim.certainty] <= CERTAINTY["inferred"]:
            return []
        signed = any(pattern_of("signs").search(one) for one in said)
        named = [one for words, anchors in meant.items() for one in anchors if _is_named(words, one.record)]
        named = [
            one
            for one in named
            if not one.of_somebody and (signed or _passing(one.record) or _replaces(claim, one.record))
        ]
        believed = named[: min(1, self._left)]
        self._left -= len(believed)
        return believed

    def _meant(self, words: str, anchors: list[Anchor]) -> list[Anchor]:
        """The records that words mean by their text, path and value, or most of their terms, and what says the same."""
        wanted = form(words)
        exact = [one for one in anchors if _is_named(words, one.record) or wanted == form(str(one.record.value))]
        if not exact:
            likely = [(self._like(words, one), one.record.hash, one) for one in anchors]
            best = max(likely, default=None, key=lambda one: one[:2])
            exact = [best[2]] if best and best[0] >= _LIKE else []
        return [one for one in anchors if any(one is other or self._same(one, other) for other in exact)]

    def _like(self, words: str, anchor: Anchor) -> float:
        """How much words and a record's have in common, of all terms or of those that tell, or all of these."""
        terms, light = self._terms(words), self._terms(" ".join(changes().light))
        telling = [term for term in terms if term not in light]
        within = len(anchor.told) >= _SAME and anchor.told <= {*telling}
        return max(
            jaccard(terms, self._terms(anchor.record.text)),
            jaccard(telling, sorted(anchor.told)) if telling else 0,
            _LIKE * within,
        )

    def _same(self, one: Anchor, other: Anchor) -> bool:
        """Whether of two records one says what the other says, and maybe more."""
        mine, theirs = (frozenset(self._terms(row.record.text)) - {USER} for row in (one, other))
        alike = (one.record.polarity, one.record.subject) == (other.record.polarity, other.record.subject)
        if mine < theirs and one.record.attribute not in (None, other.record.attribute):
            return False  # a property stands when something that was told of it is over
        return alike and len(min(mine, theirs, key=len)) >= _SAME and (mine <= theirs or theirs <= mine)

    def _over(self, claim: Claim, mine: "_Told", anchor: Anchor) -> bool:
        """Whether what a model says to be over is spoken of by somebody but the assistant, or has another value.

        What is said or implied of the same thing is believed; of what is only inferred, or has no more in common than a
        name, the events tell an end, or another number or time.
        """
        evidence, record = self._reference.evidence, anchor.record
        heard = evidence.heard(claim.events)
        said = evidence.said(heard, aside=True)
        if said and _replaces(claim, record) and is_single_valued(str(record.attribute)):
            return True
        if not any(self._speaks(anchor, one, mine, claim.events) for one in said):
            return False
        theirs = _Told(record.text, mine.said, self._terms)
        told = claim.temporal == "past" or _differ(mine.numbers, theirs.numbers) or _differ(mine.times, theirs.times)
        about = mine.content & anchor.told - anchor.called - mine.light
        sure = CERTAINTY[claim.certainty] > CERTAINTY["inferred"]
        return (sure and (bool(about) or _of_one(claim.text, record.text))) or told or self._tells(anchor, heard)

    def _speaks(self, anchor: Anchor, sentence: str, mine: "_Told", events: tuple[str, ...]) -> bool:
        """Whether a sentence speaks of a record, if only by a word of the claim that tells little, or a pronoun."""
        if self._reference.speaks(anchor, sentence, events):
            return True
        same = mine.content & frozenset(self._terms(anchor.record.text))
        shared = same & frozenset(self._terms(sentence))
        pronoun = pattern_of("something").search(sentence) is not None
        return any(len(one) >= _LONG for one in shared) or (pronoun and not same <= mine.light)

    def _tells(self, anchor: Anchor, events: tuple[str, ...]) -> bool:
        """Whether events speak of a record, and of an end or a change in the same sentence, or the one beside it."""
        for event in events:
            said = self._reference.evidence.said((event,))
            signed = [pattern_of("signs").search(one) is not None for one in said]
            for place, sentence in enumerate(said):
                near = signed[max(place - 1, 0) : place + 2]
                if any(near) and self._reference.speaks(anchor, sentence, events):
                    return True
        return False

    # -------------------------------------------------------------------------------- without a model's word

    def _overrules(self, claim: Claim, mine: "_Told", anchor: Anchor, said: Event) -> bool:
        """Whether an explicit statement in English leaves a record no longer so."""
        record = anchor.record
        if claim.certainty != "explicit" or record.temporal == "past":
            return False
        theirs = _Told(record.text, said, self._terms)
        if form(claim.text) == form(record.text):
            return False
        if self._restates(claim, mine, theirs, anchor) or self._instead(claim, mine, theirs):
            return True
        if mine.language not in RETOLD or claim.subject != record.subject or (mine.own and not theirs.own):
            return False
        meant = record.temporal == "future"
        if denies(claim.text, record.text) or _disagrees(mine, theirs):
            return True
        stops, done = _stops(mine, theirs, meant), claim.temporal != "future" and _fulfils(mine, theirs, meant)
        return record.polarity > 0 and (stops or done)

    def _restates(self, claim: Claim, mine: "_Told", theirs: "_Told", anchor: Anchor) -> bool:
        """Whether it is the same statement with another number or time."""
        later = claim.temporal == "future" != anchor.record.temporal
        if later or claim.temporal == "past" or mine.happened or theirs.happened or mine.frame != theirs.frame:
            return False
        if not mine.frame - mine.light:
            return False
        numbers, times = _differ(mine.numbers, theirs.numbers), _differ(mine.times, theirs.times)
        if mine.definite and theirs.definite:
            return numbers or times
        return numbers != times and self._tells(anchor, claim.events)

    def _instead(self, claim: Claim, mine: "_Told", theirs: "_Told") -> bool:
        """Whether it is said of the same that something else is so instead."""
        for text in (claim.text, *self._reference.evidence.said(claim.events)):
            for found in pattern_of("instead").finditer(text):
                old = frozenset(self._terms(found["old"]))
                rest = theirs.content - old - theirs.light
                if 0 < len(old) <= _OLD and old <= theirs.content and len(rest & mine.content) * 2 > len(rest):
                    return True
        return False


def _stops(mine: "_Told", theirs: "_Told", meant: bool) -> bool:
    """Whether it says that somebody stopped it, cancelled what was `meant`, gave it away, or is over it."""
    for says, what in endings():
        found = says.search(mine.text)
        plans = what.search("plans") is not None
        if found is None or not (what.search(theirs.text) or (meant and plans)):
            continue
        over = mine.part(f"{mine.text[: found.start()]} {_REASON.split(mine.text[found.end() :])[0]}")
        telling = over - mine.light
        most = 2 * len(telling & theirs.frame) > len(telling)
        if most and (len(over & theirs.frame) >= COVERED * len(over) or plans):
            return True
    return False


def _disagrees(mine: "_Told", theirs: "_Told") -> bool:
    """Whether one says that somebody likes what they do not like according to the other, in whatever words."""
    if (negations(mine.text) > 0) == (negations(theirs.text) > 0):
        return False
    one, other = mine.opinion, theirs.opinion
    return one < mine.content and other < theirs.content and bool(one) and one == other


def _fulfils(mine: "_Told", theirs: "_Told", meant: bool) -> bool:
    """Whether it says that what was `meant` to be done was done."""
    planned = pattern_of("planned")
    if planned.search(mine.text) or not (meant or planned.search(theirs.text)):
        return False
    goal = theirs.goal
    return bool(goal - mine.light) and len(goal) > 1 and len(goal & mine.content) >= COVERED * len(goal)


class _Told:
    """A statement, and what of it is compared."""

    def __init__(self, text: str, said: Event, terms: Terms) -> None:
        self.text = text
        self.said = said
        self.language = detect(text, RETOLD[0])
        self._terms = terms

    @cached_property
    def _times(self) -> list[tuple[int, int, str]]:
        found = find_times(self.text, self.said.event_time, self.language)
        return [(time.start, time.end, f"{time.begin} {time.until}") for time in found]

    @cached_property
    def _timeless(self) -> str:
        text = self.text
        for start, end, _ in reversed(self._times):
            text = f"{text[:start]} {text[end:]}"
        return text

    @cached_property
    def content(self) -> frozenset[str]:
        """Its terms."""
        return frozenset(self._terms(self.text)) - {USER}

    @cached_property
    def frame(self) -> frozenset[str]:
        """Its terms without times and numbers."""
        return frozenset(one for one in self._terms(self._timeless) if not _DIGIT.search(one)) - {USER}

    def part(self, text: str) -> frozenset[str]:
        """The frame of a part of it."""
        return _Told(text, self.said, self._terms).frame

    @cached_property
    def goal(self) -> frozenset[str]:
        """Of what is planned, what is to be done."""
        return frozenset(self._terms(pattern_of("planned").sub(" ", self._timeless))) - {USER}

    @cached_property
    def numbers(self) -> frozenset[str]:
        """What numbers it has that are no times."""
        return frozenset(one.strip(".,:") for one in _TOKEN.findall(self._timeless))

    @property
    def times(self) -> frozenset[str]:
        """From when to when the times in it are."""
        return frozenset(time for _, _, time in self._times)

    @property
    def opinion(self) -> frozenset[str]:
        """What an opinion is of."""
        return self.content - frozenset(self._terms(" ".join(changes().attitudes)))

    @cached_property
    def light(self) -> frozenset[str]:
        """Terms that tell little."""
        return frozenset(self._terms(" ".join(changes().light)))

    @property
    def own(self) -> bool:
        """Whether it says what the user does, rather than what something of theirs does."""
        return self.text.casefold().startswith(f"{USER} ")

    @property
    def definite(self) -> bool:
        """Whether it is about one thing."""
        return pattern_of("definite").match(self.text) is not None

    @property
    def happened(self) -> bool:
        """Whether it took place once."""
        return pattern_of("happened").match(self.text) is not None


def _another(claim: Claim) -> str | None:
    """Who begins a claim that is not about the user: a name, or what they are to the user: "User's sister"."""
    text, spoken = claim.text, detect(claim.text, RETOLD[0])
    if text.casefold().startswith(f"{USER} "):
        return None
    if named := next((one for one in find_mentions(text, spoken) if one.start == 0), None):
        return named.name.casefold() if named.type in ("person", "thing") else None
    if text.casefold().startswith(claim.subject) and text[: len(claim.subject)].istitle() and claim.subject != USER:
        return claim.subject
    said = first_person(text, spoken)
    kin = somebody(said, spoken) if said else None
    return kin.casefold().split()[-1] if kin else None


def _differ(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return bool(mine and theirs) and mine != theirs


def _of_one(one: str, other: str) -> bool:
    """Whether two statements begin with the same subject, which is not the user alone."""
    pairs = zip(one.casefold().split(), other.casefold().split(), strict=False)
    words = [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return len(words) >= _BEGINNING and words[0] != USER


def _passing(record: Record) -> bool:
    """Whether a record was so for a time only, and not beside something else: "I also work at Acme", "… on Sundays"."""
    beside = record.valid_to is None and is_single_valued(record.attribute or "")
    return record.temporal == "temporary" and not beside


def _replaces(claim: Claim, record: Record) -> bool:
    """Whether a claim gives another value to what a model says that it ends."""
    return claim.value is not None and _of_same(claim, record) and form(str(claim.value)) != form(str(record.value))


def _in_its_words(claim: Claim, record: Record) -> bool:
    """Whether a claim has the words of a record's value, and says the same property or all else in it, too.

    Where words are not parted by blanks, or inflected, the value is enough.
    """
    told, value = form(claim.text), form(str(record.value))
    if not all(word in told for word in _WORD.findall(value)):
        return False
    if detect(record.text, RETOLD[0]) not in RETOLD or _of_same(claim, record):
        return True
    return {*_WORD.findall(told)}.issuperset(_WORD.findall(form(record.text)))


def _of_same(claim: Claim, record: Record) -> bool:
    """Whether a claim says what a record says a value of."""
    return claim.attribute is not None and (claim.subject, claim.attribute) == (record.subject, record.attribute)


def _is_named(words: str, record: Record) -> bool:
    """Whether words are those of a record, or its path and value, as a scaffold has them."""
    if form(words) == form(record.text):
        return True
    given = _PATH.fullmatch(words)
    if given is None:
        return False
    value = form(given["value"])
    return value == form(record.text) or (value == form(str(record.value)) and _lies(record, given["path"]))


def _lies(record: Record, path: str) -> bool:
    """Whether a record gives a value to what a path means, or to something of the same kind: a pet, a project."""
    subject, attribute = placed(tuple(path.strip().split(".")))
    roots = {(record.attribute or "").partition(".")[0], attribute.partition(".")[0]}
    return record.subject == subject and (record.attribute == attribute or (len(roots) == 1 and "." in attribute))
