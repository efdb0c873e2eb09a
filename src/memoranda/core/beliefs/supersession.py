"""How statements end one another, independently of the order in which they arrive.

A statement holds until the earliest time given by a later statement that contradicts it. The minimum does not depend
on order, so statements can be settled in pairs as they come.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from memoranda.core.beliefs.conflicts import Policy, Verdict, conflicting, judge, one_passes, outranked, same
from memoranda.core.beliefs.outcomes import OUTCOME
from memoranda.core.image.image import attribute_of
from memoranda.core.rows import Record
from memoranda.core.rows.statements import AGO, CERTAINTY, EXPIRING, LONG, PASSING

#: The editor of records that consolidation makes. They may end records that no rule finds in conflict with them.
CONSOLIDATION = "consolidation"


#: When something was said, and the event that says it.
Saying = tuple[datetime, str]


@dataclass(frozen=True, slots=True)
class Claim:
    """A record as it holds so far, with the times at which it was said.

    Attributes:
        said: oldest first; at least one.
        corrects: it says that something earlier was wrong.
    """

    record: Record
    said: tuple[Saying, ...]
    corrects: bool = False

    @property
    def first(self) -> datetime:
        """When it was first said."""
        return self.said[0][0]

    @property
    def last(self) -> datetime:
        """When it was last said."""
        return self.said[-1][0]

    @property
    def by(self) -> str:
        """The event that said it first; the greatest id of several at the same time."""
        return max(event for at, event in self.said if at == self.first)


def claim_of(record: Record, sayings: Iterable[Saying], *, corrects: bool = False) -> Claim:
    """Return the claim that `record` makes. If its events are unknown, it counts as said when it began to hold.

    So does an implied statement about something long ago, unless it corrects: somebody who works at Acme, and joined
    Bolt in 2015, has left Bolt.
    """
    begins = record.valid_from
    told_late = record.certainty == "implied" and not corrects
    said = [(begins if told_late and at - begins > AGO else at, event) for at, event in sayings]
    unknown = (begins, record.sources[0] if record.sources else "")
    return Claim(record, tuple(sorted(said)) or (unknown,), corrects)


def ends(later: Record, earlier: Record) -> datetime | None:
    """Return when `later`, if right, ends the `earlier` statement; None if both may hold or it has ended already."""
    at = _ends(later, earlier)
    over = later.temporal == "past" or later.polarity < 0
    return None if at is not None and over and earlier.valid_from - at > LONG else at


def _ends(later: Record, earlier: Record) -> datetime | None:
    if earlier.temporal == "past":
        return None
    if later.temporal != "past":
        return later.valid_from if conflicting(later, earlier) or _fulfils(later, earlier) else None
    alike = (
        later.attribute is not None and earlier.temporal != "future" and attribute_of(later) == attribute_of(earlier)
    )
    repeated = later.polarity == earlier.polarity and same(later.value, earlier.value)
    emptied = later.value is None and later.polarity < 0 < earlier.polarity
    return later.valid_to if alike and (repeated or emptied) else None


def _fulfils(later: Record, plan: Record) -> bool:
    """Whether a plan has come true: "I moved to Oslo" after "I am moving to Oslo"."""
    planned = plan.temporal == "future" or plan.recorded_at < plan.valid_from  # a state that lay ahead when it was told
    kept = planned and later.temporal == "current" and later.attribute is not None
    alike = later.polarity == plan.polarity > 0 and same(later.value, plan.value)
    return kept and alike and attribute_of(later) == attribute_of(plan)


def rivals(a: Record, b: Record) -> bool:
    """Whether one of two records would end the other if it was said later."""
    if "past" not in (a.temporal, b.temporal):
        return conflicting(a, b) or conflicting(b, a) or _fulfils(a, b) or _fulfils(b, a)
    return ends(a, b) is not None or ends(b, a) is not None


def apart(a: Claim, b: Claim, between: Iterable[Claim]) -> bool:
    """Whether two claims of the same content are two records.

    They are if only one of them is temporary, if the first had ended by itself when the second was said, or if a rival
    was said in between that does more than dispute `a`.
    """
    if one_passes(a.record, b.record):
        return True
    earlier, later = (a, b) if a.last < b.first else (b, a)
    plan, begin, until = earlier.record, earlier.last, later.first
    if plan.temporal in {"future", *PASSING} and plan.valid_to is not None and plan.valid_to <= until:
        return True
    met = [rival.record for rival in between if any(begin < at < until for at, _ in rival.said)]
    return any(
        record.status != "disputed" or not (a.record.status == "disputed" or outranked(record, a.record))
        for record in met
    )


def settle(new: Claim, old: Claim, policy: Policy) -> tuple[Record, Record, Verdict | None]:
    """Settle an arriving record with a known one: return both, and the verdict, None if both may hold.

    What somebody says meanwhile holds until the day of what was announced before, unless it denies that.
    """
    late = new.first < old.first
    plan, told = (new, old) if late else (old, new)
    ahead = plan.record.valid_from > max(told.record.valid_from, told.first)
    if ahead and told.record.polarity > 0 and not same(plan.record.value, told.record.value):
        meanwhile = closed(told.record, ends(plan.record, told.record), plan.by, told.first)
        return (new.record, meanwhile, None) if late else (meanwhile, old.record, None)
    at = ends(old.record, new.record) if late else ends(new.record, old.record)
    if at is None:
        return new.record, old.record, None
    verdict = _verdict(new, old, policy, late=late)
    if verdict.outcome == "close_old":
        return new.record, closed(old.record, at, new.by, new.first), verdict
    if verdict.outcome == "close_new":
        return closed(new.record, at if late else old.record.valid_from, old.by, old.first), old.record, verdict
    ours, theirs = new.record.trust, old.record.trust  # what is more trusted stands as it is
    return (
        new.record if ours > theirs else disputed(new.record, old.by),
        old.record if ours < theirs else disputed(old.record, new.by),
        verdict,
    )


def _verdict(new: Claim, old: Claim, policy: Policy, *, late: bool) -> Verdict:
    ending, ended = (old, new) if late else (new, old)
    over, weak = "past" in (new.record.temporal, old.record.temporal), outranked(ending.record, ended.record)
    if over and not weak:
        return Verdict(outcome="close_new" if late else "close_old", reason="it is no longer so")
    if over or old.record.valid_to is None:
        return judge(new.record, old.record, policy, corrects=new.corrects, late=late)
    return Verdict(outcome="close_new" if late else "close_old", reason="both have their time")


def overruled(new: Claim, old: Claim, policy: Policy) -> tuple[Record, Verdict]:
    """Return what is left of a record that a statement was found to end, and why.

    A less certain statement only disputes the record if it is less than implied or the record is verified.
    """
    verdict = judge(new.record, old.record, policy)
    sure = CERTAINTY[new.record.certainty]
    if sure < CERTAINTY[old.record.certainty] and (sure < CERTAINTY["implied"] or old.record.status == "verified"):
        verdict = Verdict(outcome="dispute", reason="what is less sure says that it is over")
    if verdict.outcome == "close_old":
        at = new.record.valid_to if new.record.temporal == "past" else new.record.valid_from
        return closed(old.record, at, new.by), verdict
    if verdict.outcome == "dispute" and old.record.status != "disputed" and new.record.trust >= old.record.trust:
        return disputed(old.record, new.by), verdict
    return old.record, verdict


def closed(record: Record, at: datetime | None, event: str, said: datetime | None = None) -> Record:
    """Return `record` as ended at `at`, if given, by `event`, unless it had already ended before.

    What `event`, at `said`, announced holds until then, with the status it has.
    """
    if at is None:
        return record
    status = "expired" if said is None or at <= said else record.status
    at = max(at, record.valid_from)
    if record.valid_to is not None and record.valid_to <= at:
        return record
    return replace(record, valid_to=at, status=status, contradicted_by=event or None)


def disputed(record: Record, event: str) -> Record:
    """Return `record` as disputed by `event`."""
    return replace(record, status="disputed", contradicted_by=event or None)


def joined(a: Record, b: Record) -> tuple[datetime, datetime | None]:
    """Return the validity of one record for both `a` and `b`.

    Of two ends that the records name themselves, the earlier counts, and the later if both expire; an end by
    contradiction is that of `a`.
    """
    begins = min(a.valid_from, b.valid_from)
    if a.temporal == "current" or a.valid_to is None or b.valid_to is None:
        return begins, a.valid_to
    latest = max if a.temporal == b.temporal == EXPIRING else min
    return begins, latest(a.valid_to, b.valid_to)


def story(records: Iterable[Record], name: str) -> list[Record]:
    """Return the versions of the record `name`, its predecessors and its successors, in order of validity.

    A record succeeds another if it replaced it, was copied from it or is its outcome, or if one of its source events
    ended or disputed the other.
    """
    versions: dict[str, list[Record]] = {}
    stating: dict[str, set[str]] = {}
    for record in records:
        versions.setdefault(record.id, []).append(record)
        for source in record.sources:
            stating.setdefault(source, set()).add(record.id)
    links: set[tuple[str, str]] = set()
    for record in (record for found in versions.values() for record in found):
        later = stating.get(record.contradicted_by or "", set()) - {record.id}
        links |= {(record.id, item) for item in later if rivals(versions[item][-1], record)} or {
            (record.id, item) for item in later if versions[item][-1].editor == CONSOLIDATION
        }
        links |= {(one, record.id) for one in (record.supersedes, record.promoted_from) if one in versions}
        if record.kind == OUTCOME and isinstance(record.value, dict):
            named = record.value["decision"]
            links |= {(one, record.id) for one in (named, *stating.get(named, ())) if one in versions}
    names = _reached(name, links) | _reached(name, {(after, before) for before, after in links})
    rows = (record for item in names for record in versions.get(item, ()))
    return sorted(rows, key=lambda row: (row.valid_from, row.recorded_at, bool(row.supersedes), row.hash, row.version))


def _reached(start: str, links: Iterable[tuple[str, str]]) -> set[str]:
    following: dict[str, set[str]] = {}
    for one, other in links:
        following.setdefault(one, set()).add(other)
    reached, left = {start}, [start]
    while left:
        fresh = following.get(left.pop(), set()) - reached
        reached |= fresh
        left += fresh
    return reached
