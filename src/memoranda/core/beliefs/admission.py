"""What becomes of a statement, given what is known: the policy of the write gateway.

Every candidate passes, in this order: tombstones, exact duplicates, rejected records, near duplicates (`Admission`),
contradiction and supersession (`Rivals`). It is then planned with its passage and vector. All is planned in an overlay
on the owner's image, so candidates of one call see one another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, Literal

from memoranda.core.beliefs.conflicts import Policy, equal, one_passes, opposed
from memoranda.core.beliefs.decay import reinforced
from memoranda.core.beliefs.duplicates import (
    NEAR,
    NEAR_TERMS,
    alternatives,
    inherit,
    same_claim,
    same_site,
    specificity,
    united,
)
from memoranda.core.beliefs.overlay import Overlay, again
from memoranda.core.beliefs.promotion import promotion_id
from memoranda.core.beliefs.relatives import name_of, unnamed
from memoranda.core.beliefs.supersession import (
    Claim,
    Saying,
    apart,
    closed,
    disputed,
    ends,
    joined,
    overruled,
    rivals,
    settle,
)
from memoranda.core.image.image import Partition, attribute_of
from memoranda.core.language.attributes import is_own
from memoranda.core.language.corrections import EDITOR as AMENDED
from memoranda.core.rows import Record
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.lifecycle import CLAIMED, OPEN
from memoranda.core.rows.statements import CERTAINTY
from memoranda.core.text.detect import common_words, detect
from memoranda.core.text.terms import jaccard
from memoranda.core.text.voices import capped, own

MEANT = 0.5  # a correction means what shares this part of the words, of the one that has fewer, or more
_CORRECTED = ("fact", "preference", "decision", "observation")
_SETTLED = frozenset({"candidate", "verified"})

Outcome = Literal["added", "reinforced", "merged", "superseded", "ended", "disputed", "filed", "forgotten", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of one candidate.

    Attributes:
        record: the id of the record that stands for it now; None if it must not come back.
        outcome: added; reinforced (said before, word for word); merged (said before, in other words); superseded (it
            replaced `other`); ended (it only ended `other`); disputed (both kept for review); filed (kept as something
            that no longer holds); forgotten (a tombstone bars it); rejected (a person rejected `other`, which says the
            same).
        other: the id of the record it met.
        reason: why, in words.
    """

    record: str | None
    outcome: Outcome
    other: str | None = None
    reason: str = ""


class Admission:
    """Plans the derived writes of one call.

    Attributes:
        overlay: the records as this call sees them, and what it has planned.
        decisions: what was decided, in the order of the candidates.
    """

    def __init__(self, overlay: Overlay, policy: Policy) -> None:
        self.overlay = overlay
        self.decisions: list[Decision] = []
        self._rivals = Rivals(overlay, policy)

    def admit(
        self,
        candidate: Record,
        vector: Floats | None = None,
        *,
        corrects: bool = False,
        said: datetime | None = None,
        amends: Record | None = None,
        own: datetime | None = None,
    ) -> Decision:
        """Decide about one candidate and plan what follows.

        Args:
            candidate: the proposed record.
            vector: of its text.
            corrects: whether it says that something earlier was wrong.
            said: when it was said, as opposed to when it began to hold; `valid_from` by default.
            amends: the record that its last source corrects, which then never held; the candidate takes over its
                vector.
            own: when the user said it, if it is made of the user's own words alone, see `core.text.forgotten.said_at`.
        """
        candidate, sources = capped(candidate), candidate.sources
        candidate = replace(candidate, subject=name_of(candidate, self.overlay) or candidate.subject)
        if amends is not None:
            sources, vector = sources[-1:], self.overlay.vector(amends)
            self._rivals.leave(closed(amends, amends.valid_from, sources[-1]))
        self.overlay.said.update(dict.fromkeys(sources, said or candidate.valid_from))
        decision = self._decide(candidate, vector, corrects, own)
        self.decisions.append(decision)
        for known in unnamed(candidate, self.overlay):
            if name := name_of(known, self.overlay):
                self._renewed(replace(known, subject=name), "the name is known")
        return decision

    def overrule(self, candidate: Record, names: Iterable[str], said: Saying) -> None:
        """End records that a candidate was found to end, though no rule says that both cannot hold.

        Args:
            candidate: the record as it was admitted.
            names: ids of the records to end.
            said: when it was said, and by which event.
        """
        known = filter(None, map(self.overlay.current, names))
        self.decisions += filter(None, (self._rivals.overrule(candidate, one, said) for one in known))

    def renew(self, record: Record, said: Saying) -> None:
        """End what else is known of the attribute of a record, if that is a host's own (`attributes.is_own`).

        Args:
            record: as it was admitted.
            said: when it was said, and by which event.
        """
        if record.temporal == "current" and record.attribute is not None and is_own(record.attribute):
            here = attribute_of(record)
            others = [one for one in self.overlay.about(record) if attribute_of(one) == here and one.valid_to is None]
            others = [one for one in others if said[1] not in one.sources and not equal(one, record)]
            self.overrule(record, [one.id for one in others if one.temporal == "current"], said)

    def end(self, known: Record, at: datetime, said: Saying) -> None:
        """End a record that an event says is over, unless it was said again since.

        Args:
            known: the record.
            at: since when it is over, or from when on.
            said: when that was said, and by which event.
        """
        claim = self.overlay.claim(known)
        if claim.last > said[0]:
            return
        self._rivals.leave(closed(known, at, said[1], said[0]))
        self.decisions.append(Decision(record=known.id, outcome="ended", other=known.id, reason="it is over"))

    def correct(self, correction: Record, said: Saying) -> None:
        """End the record that a correction means, though no rule says that both cannot hold.

        It is the one record of its place with the most of its words, if that is half of them or more; if several
        have as many, it is unclear which is meant. What is about health is ended by its denial alone: a second
        allergy is no correction.
        """
        if (correction.attribute or "").startswith("health."):
            return
        light = {"user", *self.overlay.analyzer.terms(" ".join(common_words(detect(correction.text))))}
        words = {*self.overlay.terms(correction)} - light
        shares: dict[float, list[str]] = {}
        for known in (one for kind in _CORRECTED for one in self.overlay.similar(kind, [*words])):
            others = {*self.overlay.terms(known)} - light
            if known.id != correction.id and known.valid_to is None and same_site(known, correction) and others:
                shares.setdefault(len(words & others) / min(len(words), len(others)), []).append(known.id)
        if shares and max(shares) >= MEANT and len(shares[max(shares)]) == 1:
            self.overrule(correction, shares[max(shares)], said)

    def unite(self, name: str) -> Decision | None:
        """Merge a known record with another that says the same; None if there is no other.

        The less trusted or less specific wording is superseded, and the other inherits from it. An amendment is never
        merged: it needs all of its sources, which the other does not.
        """
        known = self.overlay.current(name)
        if known is None or known.status not in _SETTLED or known.valid_to is not None:
            return None
        twin = self._twin(known, self.overlay.vector(known))
        if twin is None or twin.status not in _SETTLED or AMENDED in (known.editor, twin.editor):
            return None
        loser, winner = sorted(
            (known, twin), key=lambda one: (one.trust, specificity(one.text, self.overlay.terms(one)), one.hash)
        )
        self.overlay.supersede(loser)
        whole = replace(inherit(winner, loser), supersedes=loser.id)
        self.overlay.change(whole)
        if whole.valid_from != winner.valid_from:
            self.overlay.date(whole)
        self.decisions.append(Decision(record=winner.id, outcome="merged", other=loser.id, reason="they say the same"))
        return self.decisions[-1]

    def _decide(self, candidate: Record, vector: Floats | None, corrects: bool, own: datetime | None) -> Decision:
        if self.overlay.partition.forbids(candidate, own):
            return Decision(record=None, outcome="forgotten", reason="it was forgotten on request")
        standing = False
        while self.overlay.taken(candidate.id):
            known = self.overlay.current(candidate.id)
            if known is not None and known.status == "rejected":
                return self._return(known, candidate)
            if known is not None and known.hash == candidate.hash and self._rivals.one_record(known, candidate):
                return self._reinforce(known, candidate, corrects=corrects)
            standing |= known is not None and known.valid_to is None
            # The id belongs to a record that was ended, replaced or edited: make a new one, so that each interval
            # stays.
            candidate = again(candidate)
        twin = self.overlay.rejected(candidate) or (None if standing else self._twin(candidate, vector))
        if twin is not None and twin.status == "rejected":
            return self._return(twin, candidate)
        if twin is not None:
            return self._merge(twin, candidate, vector)
        candidate, decision = self._rivals.meet(candidate, corrects=corrects)
        self.overlay.insert(candidate, vector)
        return decision

    def _return(self, rejected: Record, candidate: Record) -> Decision:
        """Restore a rejected record if the user says it after the rejection; nobody else can."""
        if candidate.source != "user_provided" or self.overlay.claim(candidate).last < rejected.recorded_at:
            return Decision(record=None, outcome="rejected", other=rejected.id, reason="it was rejected in a review")
        restored = replace(
            rejected, status="verified", sources=candidate.sources, valid_from=candidate.valid_from,
            valid_to=candidate.valid_to, contradicted_by=None, trust=candidate.trust, source=candidate.source,
        )  # fmt: skip
        return self._renewed(restored, "said again after it was rejected")

    def _renewed(self, record: Record, reason: str, *, corrects: bool = False) -> Decision:
        """Plan a known record as if it were said for the first time: other statements may end or dispute it at once."""
        self.overlay.change(record)
        met, _ = self._rivals.meet(self.overlay.drafts[record.id], corrects=corrects)
        if met is not self.overlay.drafts[record.id]:
            self.overlay.change(met)
        self.overlay.date(met)
        return Decision(record=record.id, outcome="reinforced", other=record.id, reason=reason)

    def _reinforce(self, known: Record, candidate: Record, *, corrects: bool = False) -> Decision:
        if {*candidate.sources} <= {*known.sources}:
            return Decision(record=known.id, outcome="reinforced", other=known.id, reason="said by the same events")
        values: dict[str, Any] = {
            "importance": reinforced(known.importance),
            "sources": united(known.sources, candidate.sources),
            "confidence": max(known.confidence, candidate.confidence),
            "certainty": max(known.certainty, candidate.certainty, key=CERTAINTY.__getitem__),
        }
        if (known.status, candidate.status) == ("candidate", "verified"):
            values["status"] = "verified"
        if candidate.trust > known.trust:  # what the user says counts as said by the user, whoever said it first
            values |= {"trust": candidate.trust, "source": candidate.source}
            if known.status == "disputed":  # by what it may now end
                known = replace(known, status=candidate.status, contradicted_by=None)
                return self._renewed(replace(known, **values), "said by a more trusted source", corrects=corrects)
        back = known.status == "archived"  # an archived record is fresh again, and so is its version
        if back:
            values |= {"status": "verified" if own(candidate) else "candidate", "contradicted_by": None}
        begins, until = joined(known, candidate)
        moved = replace(known, **values, valid_from=begins, valid_to=until)
        if back or begins < known.valid_from or until != known.valid_to:
            self.overlay.change(self._rivals.fitted(moved, candidate))
            self.overlay.date(moved)
        else:
            self.overlay.patch(known, **values)
        return Decision(record=known.id, outcome="reinforced", other=known.id, reason="said before in the same words")

    def _twin(self, candidate: Record, vector: Floats | None) -> Record | None:
        """The open record that says the same in other words, if there is one."""
        terms = self.overlay.analyzer.terms(candidate.text)
        similar = self.overlay.similar(candidate.kind, terms)
        others = (record for record in similar if record.id != candidate.id and record.valid_to is None)
        same = [record for record in others if same_claim(candidate, record)]
        likely = [(self._likeness(record, terms, vector), record.hash, record) for record in same]
        alike = sorted((one for one in likely if one[0] >= 1.0), key=itemgetter(0, 1), reverse=True)
        return next((record for _, _, record in alike if self._agree(candidate, record, terms)), None)

    def _likeness(self, record: Record, terms: list[str], vector: Floats | None) -> float:
        """Similarity as a multiple of the threshold that applies: cosine if both have vectors, else shared terms."""
        other = self.overlay.vector(record)
        if vector is None or other is None:
            return jaccard(self.overlay.terms(record), terms) / NEAR_TERMS
        return float(vector @ other) / NEAR

    def _agree(self, candidate: Record, record: Record, terms: list[str]) -> bool:
        """Whether two similar wordings say the same: no number, name or single word differs, no contradiction."""
        others = self.overlay.terms(record)
        mine, theirs = _digits(terms), _digits(others)
        numbers = mine and theirs and mine != theirs
        names = _apart(candidate.entities, record.entities) and _apart(terms, others)
        other = alternatives(candidate, record, terms, others)
        differ = numbers or names or other or opposed(candidate.text, record.text)
        return not differ and self._rivals.one_record(record, candidate)

    def _merge(self, twin: Record, candidate: Record, vector: Floats | None) -> Decision:
        words = self.overlay.analyzer.terms(twin.text), self.overlay.analyzer.terms(candidate.text)
        mine, theirs = specificity(candidate.text, words[1]), specificity(twin.text, words[0])
        told = "more specific" if candidate.trust == twin.trust else "more trusted"
        if (candidate.trust, mine) <= (twin.trust, theirs):
            decision = self._reinforce(twin, candidate)
            return replace(decision, outcome="merged", reason=f"said before; the earlier wording is {told}")
        self.overlay.supersede(twin)
        winner, met = self._rivals.meet(replace(inherit(candidate, twin), supersedes=twin.id))
        same = candidate.trust == twin.trust
        if same and twin.status == "disputed" and met.outcome == "added":  # it met no rival, so the dispute stays
            winner = disputed(winner, twin.contradicted_by or "")
        self.overlay.insert(winner, vector)
        reason = f"said before; the new wording is {told}"
        return Decision(record=candidate.id, outcome="merged", other=twin.id, reason=reason)


@dataclass(frozen=True, slots=True)
class Rivals:
    """The records that cannot hold together with others, and what becomes of them.

    Attributes:
        overlay: the records as this call sees them, and what it has planned.
        policy: which statement stands where nothing else decides.
    """

    overlay: Overlay
    policy: Policy

    def meet(self, candidate: Record, *, corrects: bool = False) -> tuple[Record, Decision]:
        """Settle the candidate against its rivals, and plan what becomes of them."""
        decision = Decision(record=candidate.id, outcome="added")
        mine = self.overlay.claim(candidate, corrects=corrects)
        for theirs in self._against(mine):
            candidate, left, verdict = settle(Claim(candidate, mine.said, corrects), theirs, self.policy)
            if left is not theirs.record:
                self.leave(left)
            if verdict is None or (candidate.valid_from > mine.first and verdict.outcome == "close_old"):
                continue  # a plan replaces nothing yet
            if left.valid_to is not None and left.valid_to <= left.valid_from > mine.first:
                self._call_off(left, theirs.by)
            outcome: Outcome = "filed" if verdict.outcome == "close_new" else "disputed"
            if verdict.outcome == "close_old":
                outcome = "ended" if candidate.temporal == "past" else "superseded"
                if theirs.record.valid_to is not None:
                    continue
                if outcome == "superseded":
                    status = "verified" if corrects and own(candidate) else candidate.status
                    candidate = replace(candidate, supersedes=left.id, status=status)
            decision = Decision(record=candidate.id, outcome=outcome, other=left.id, reason=verdict.reason)
        return candidate, decision

    def leave(self, record: Record) -> None:
        """Plan a record as the candidate left it."""
        leave(self.overlay, record)

    def _call_off(self, plan: Record, event: str) -> None:
        """Plan that what would have ended with a plan that is off goes on; `event` had announced the plan."""
        for record in self.overlay.about(plan):
            if record.contradicted_by == event and record.valid_to == plan.valid_from and record.status in OPEN:
                self.overlay.change(replace(record, valid_to=None, contradicted_by=None))

    def _against(self, mine: Claim) -> Iterator[Claim]:
        """Claims that cannot hold together with the candidate; one said both before and after it is split in two."""
        for record in self.overlay.about(mine.record, since=mine.record.valid_from, said=mine.first):
            if rivals(mine.record, record):
                theirs = self.overlay.claim(record)
                if theirs.first < mine.first < theirs.last and _prevails(mine, theirs, self.policy):
                    yield from map(self.overlay.claim, self._split(theirs, mine.first))
                else:
                    yield theirs

    def _split(self, claim: Claim, moment: datetime) -> Iterator[Record]:
        """Split a record in two: what was said before `moment`, and what was said from then on."""
        record = claim.record
        named = record.valid_from < claim.first  # its words name a beginning, which both parts keep
        since = record.valid_from if named else min(at for at, _ in claim.said if at >= moment)
        after = frozenset(event for at, event in claim.said if at >= moment)
        later = record
        while self.overlay.taken(later.id):
            later = again(later)
        later = replace(
            later, version=1, sources=tuple(source for source in record.sources if source in after), valid_from=since,
            valid_to=max(record.valid_to, since) if record.valid_to else None, recorded_at=self.overlay.now,
            supersedes=None, access_count=0, last_accessed=None, seq=0,
        )  # fmt: skip
        self.overlay.insert(later, self.overlay.vector(record))
        yield self.overlay.patch(record, sources=tuple(source for source in record.sources if source not in after))
        yield later

    def fitted(self, moved: Record, candidate: Record) -> Record:
        """Fit a record whose interval the candidate changed in among its rivals.

        Rivals said before the candidate end earlier; the record ends where the first rival said after it begins.
        """
        mine = self.overlay.claim(candidate)
        for rival in self.overlay.about(moved, since=moved.valid_from, said=mine.first):
            if not rivals(moved, rival):
                continue
            theirs = self.overlay.claim(rival)
            before = theirs.last <= mine.first and rival.valid_to is not None
            left = closed(rival, ends(moved, rival), mine.by) if before else rival
            if left is not rival:
                self.overlay.change(left)
            elif not before and theirs.first >= mine.first and moved.valid_to is not None:
                moved = closed(moved, ends(rival, moved), theirs.by)
        return moved

    def one_record(self, known: Record, candidate: Record) -> bool:
        """Whether one record is enough for both: nothing said in between contradicts it."""
        mine, theirs = self.overlay.claim(candidate), self.overlay.claim(known)
        if mine.first >= theirs.last and not one_passes(known, candidate):
            if known.valid_to is None or (known.temporal == "current" and known.valid_to > mine.first):
                return True
            if known.contradicted_by and mine.first >= self.overlay.said_at(known.contradicted_by, mine.first):
                return False
        begin = theirs.last if theirs.last < mine.first else mine.last
        others = self.overlay.about(candidate, said=begin)
        met = (item for item in others if rivals(candidate, item) or rivals(known, item))
        return not apart(theirs, mine, map(self.overlay.claim, met))

    def overrule(self, candidate: Record, known: Record, said: Saying) -> Decision | None:
        """End a record that the candidate was found to end, though no rule says so; None if it stays as it is."""
        if known.id == candidate.id or known.status not in OPEN:
            return None
        misread = known.editor != candidate.editor and {*known.sources} <= {*candidate.sources}
        if misread and candidate.trust >= known.trust:
            self.leave(closed(known, known.valid_from, said[1]))
            return Decision(record=candidate.id, outcome="ended", other=known.id, reason="it was read otherwise")
        theirs = self.overlay.claim(known)
        left, verdict = overruled(Claim(candidate, (said,)), theirs, self.policy)
        if theirs.last >= said[0] or verdict.outcome == "close_new":
            return None
        if left is not known:
            self.leave(left)
        outcome: Outcome = "disputed" if verdict.outcome == "dispute" else "ended"
        mine = self.overlay.current(candidate.id)
        if outcome == "disputed" and mine is not None and mine.status == "candidate":
            self.overlay.change(disputed(mine, theirs.by))
        return Decision(record=candidate.id, outcome=outcome, other=known.id, reason=verdict.reason)


def leave(overlay: Overlay, record: Record) -> None:
    """Plan a record as it was left. Its copy in `_global` ends with it, unless it was said there."""
    overlay.change(record)
    image = overlay.partition
    promoted = image.records_by_source.get(promotion_id(image.owner, record.id), ())
    copies = [copy for copy in map(overlay.current, promoted) if copy and copy.promoted_from == record.id]
    for copy in copies:
        holds = copy.status in CLAIMED and copy.valid_to is None  # a person may have rejected it
        if record.valid_to and holds and not _said_there(image, copy):
            overlay.change(closed(copy, record.valid_to, record.contradicted_by or ""))


def _prevails(mine: Claim, theirs: Claim, policy: Policy) -> bool:
    """Whether a candidate splits a claim that was said both before and after it."""
    if ends(mine.record, theirs.record) is None:
        return True
    verdict = settle(mine, theirs, policy)[2]
    return verdict is not None and verdict.outcome == "close_old"


def _said_there(partition: Partition, copy: Record) -> bool:
    """Whether an event in the channel of a copy says it, too."""
    index = partition.index
    numbers = (index.numbers.get(source) for source in copy.sources)
    return any(number is not None and index.passages[number].channel == copy.channel for number in numbers)


def _apart(a: Iterable[str], b: Iterable[str]) -> bool:
    """Whether each holds what the other lacks."""
    return bool({*a} - {*b} and {*b} - {*a})


def _digits(terms: Iterable[str]) -> set[str]:
    return {term for term in terms if any(character.isdigit() for character in term)}
