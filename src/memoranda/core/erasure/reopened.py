"""What is left of records when events are forgotten: as if those events had never been.

A version that a forgotten event ended or disputed is removed. If it was the current one, its record is settled again
among the remaining rivals: open again, or ended by another of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from itertools import pairwise, takewhile
from typing import Any

from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.outcomes import EDITOR as OUTCOMES
from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.beliefs.supersession import Claim, apart, claim_of, rivals, settle
from memoranda.core.image.image import attribute_of
from memoranda.core.rows import Event, Record
from memoranda.core.strata.procedures import STRATEGY, retried

#: The fields of a version that was never contradicted.
_NEVER: Mapping[str, Any] = {"valid_to": None, "status": "candidate", "contradicted_by": None}
_HOLDS = ("valid_from", *_NEVER)


#: Editors of versions that were composed, not said: such a version depends on all of its sources.
COMPOSED = frozenset({"goals", "patterns", "procedures", "trends", "working", NARRATIVE, OUTCOMES})


def cut_back(records: Iterable[Record], gone: frozenset[str] | set[str]) -> Iterator[Record]:
    """Cut composed records back to the versions before the first one that a forgotten event is a source of, or ended.

    The last version left becomes current again, unless its record was superseded by a wording that holds. A record
    superseded by a wording of which nothing is left becomes current again, too. Of a strategy whose first version is
    left, only the forgotten tries are subtracted.
    """
    before = _histories(records)
    after = {name: _resting(versions, gone) for name, versions in before.items()}
    ways = {version.supersedes for versions in before.values() for version in versions}
    heirs = {version.supersedes: left[-1] for left in after.values() for version in left}
    for name, left in after.items():
        heir = heirs.get(name)
        cut = len(left) < len(before[name]) and (heir is None or heir.valid_to is not None)
        if left and (cut or (heir is None and name in ways)):
            left[-1] = replace(left[-1], superseded_at=None)
        yield from left


def _resting(versions: Sequence[Record], gone: frozenset[str] | set[str]) -> list[Record]:
    """Return the versions that neither have a forgotten source nor were ended by one."""
    if versions[0].kind == STRATEGY and gone.isdisjoint(versions[0].sources):
        return retried(versions, gone)
    return list(takewhile(lambda one: gone.isdisjoint((*one.sources, one.contradicted_by)), versions))


class Reopening:
    """The versions of an owner's records without what depends on forgotten events.

    Args:
        before: every version there was.
        left: the versions with a source left, with the sources that are left.
        events: the events that are left.
        policy: the policy by which rivals are settled.
        end: returns the end that a record names itself: "until Friday"; `status`: the status it is first given.
        holding: pairs of a record and a remaining event that no longer ends it.
    """

    def __init__(
        self,
        before: Iterable[Record],
        left: Iterable[Record],
        events: Mapping[str, Event],
        policy: Policy,
        end: Callable[[Record], datetime | None],
        status: Callable[[Record], str],
        holding: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self._events = events
        self._holding = holding
        self._policy = policy
        self._end, self._status = end, status
        self._before = _histories(before)
        self._kept: dict[str, list[Record]] = {}
        self._current: dict[str, Record] = {}
        staying = _histories(left)
        self._heirs = {row.supersedes: row for name in self._before.keys() - staying for row in self._before[name]}
        reopened = [name for name, versions in staying.items() if self._keep(name, versions)]
        for name in sorted(reopened, key=lambda name: self._claim(self._current[name]).said):
            if name in self._current:  # not yet absorbed by an earlier one with the same words
                self._settle(name)

    def versions(self) -> list[Record]:
        """Return the versions that are left, settled."""
        gone = self._before.keys() - self._kept.keys()
        rows = [version for versions in self._kept.values() for version in versions]
        return [self._linked(row) if row.supersedes in gone else row for row in rows]

    def _keep(self, name: str, versions: Sequence[Record]) -> bool:
        """Keep the versions that nothing forgotten ended; return whether the current one is to be settled again."""
        kept = [item for item in versions if self._stands(item)]
        for place, (item, following) in enumerate(pairwise(kept)):
            if item.superseded_at != following.recorded_at:
                kept[place] = replace(item, superseded_at=following.recorded_at)
        if kept and kept[-1].status == "rejected" and kept[-1].version == versions[-1].version:
            kept[-1] = replace(kept[-1], superseded_at=None)  # what repeated it since is gone
        if kept:
            self._kept[name] = kept
        last = self._inherited(versions[-1])
        if last.superseded_at is not None or last.version != self._before[name][-1].version:
            return False
        if kept and kept[-1].version == last.version:
            self._current[name] = last
            return last is not versions[-1]
        never = {**_NEVER, "valid_to": self._end(last), "status": self._status(last)}
        ending = {field: getattr(kept[-1], field) for field in _NEVER} if kept else never
        self._current[name] = replace(last, **ending)
        return True

    def _stands(self, version: Record) -> bool:
        """Whether a version is untouched by forgotten events: not ended or disputed by one of them."""
        by = version.contradicted_by
        return by is None or (by in self._events and (version.id, by) not in self._holding)

    def _inherited(self, record: Record) -> Record:
        """Return a version as current again, with later sources, if the wording it was merged into is gone."""
        heir = self._heirs.get(record.id)
        if record.superseded_at is None or heir is None or set(heir.sources).isdisjoint(record.sources):
            return record
        since = tuple(source for source in heir.sources if source in self._events)
        return replace(record, superseded_at=None, sources=united(record.sources, since))

    def _settle(self, name: str) -> None:
        record = self._current[name]
        others = [self._claim(item) for item in self._current.values() if attribute_of(item) == attribute_of(record)]
        others = sorted((item for item in others if item.record.id != name), key=lambda item: item.said)
        for other in others:
            alike = (other.record.hash, other.record.kind) == (record.hash, record.kind)
            if alike and not rivals(other.record, record):  # equal words can have different values
                record = self._absorbed(record, other, others)
        record = reduce(self._fitted, others, record)
        kept = self._kept.setdefault(name, [])
        known = kept.pop() if kept else None
        if known is not None and all(getattr(known, field) == getattr(record, field) for field in _HOLDS):
            record = replace(known, superseded_at=None, sources=record.sources, importance=record.importance)
        else:
            told = self._known_since(record, known)
            kept += [replace(known, superseded_at=told)] if known else []
            number = self._before[name][-1].version + 1
            record = replace(record, version=number, recorded_at=told, superseded_at=None, seq=0)
        kept.append(record)
        self._current[name] = record

    def _known_since(self, record: Record, known: Record | None) -> datetime:
        """Return when it became known that `record` holds as it does, having been believed as `known` before."""
        events = {*record.sources} if known and known.valid_from != record.valid_from else set()
        events |= {record.contradicted_by or ""}
        told = (self._events[event].recorded_at for event in events if event in self._events)
        return max([(known or self._before[record.id][0]).recorded_at, *told])

    def _absorbed(self, base: Record, other: Claim, others: Iterable[Claim]) -> Record:
        """Merge into `base` the same words said at another time, unless a remaining rival was said in between."""
        again = other.record
        if apart(self._claim(base), other, (item for item in others if rivals(base, item.record))):
            return base
        del self._current[again.id]
        versions = self._kept.get(again.id, [])
        versions[:] = [replace(item, superseded_at=item.recorded_at) for item in versions]
        return replace(
            base,
            valid_from=min(base.valid_from, again.valid_from),
            importance=max(base.importance, again.importance),
            sources=united(base.sources, again.sources),
        )

    def _fitted(self, record: Record, other: Claim) -> Record:
        """Settle `record` with one of its rivals, as they met when the later of them arrived."""
        claim = self._claim(record)
        if other.record.id not in self._current:
            return record
        if self._arrival(claim) < self._arrival(other):
            return settle(other, claim, self._policy)[1]
        return settle(claim, other, self._policy)[0]

    def _claim(self, record: Record) -> Claim:
        known = (self._events[source] for source in record.sources if source in self._events)
        corrects = any(version.status == "verified" for version in self._before[record.id])
        return claim_of(record, ((event.event_time, event.id) for event in known), corrects=corrects)

    def _arrival(self, claim: Claim) -> tuple[object, ...]:
        """Return the sort key for which of two claims arrived first, by the events left of both."""
        told = [self._events[event].recorded_at for _, event in claim.said if event in self._events]
        return min(told, default=claim.record.recorded_at), claim.said

    def _linked(self, record: Record) -> Record:
        """Return a record whose predecessor is gone as the successor of the record it ends now."""
        found = [
            item
            for item in self._current.values()
            if item.contradicted_by in record.sources and attribute_of(item) == attribute_of(record)
        ]
        ended = [item for item in found if item.id != record.id and rivals(item, record)]
        latest = max(ended, key=lambda item: (item.valid_from, item.hash), default=None)
        return replace(record, supersedes=latest.id if latest else None)


def _histories(records: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda record: record.version):
        found.setdefault(record.id, []).append(record)
    return found


def altered(before: Iterable[Record], after: Iterable[Record]) -> Iterator[tuple[Record, Mapping[str, object]]]:
    """Yield the versions of `after` that are new or changed, with the fields that differ; new ones with all fields."""
    known = {(row.id, row.version): row for row in before}
    for row in after:
        old = known.get((row.id, row.version))
        names = () if row is old else Record.__columns__
        if values := {
            name: getattr(row, name) for name in names if old is None or getattr(row, name) != getattr(old, name)
        }:
            yield row, values
