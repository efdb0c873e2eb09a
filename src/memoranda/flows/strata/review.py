"""Reviews of beliefs in doubt: those that contradict one another, or have a later word; accept or reject them.

A person's verdict is an event of kind "review" that names the belief and repeats none of its text. A rejected belief
never held: what it had ended holds again, and only the user can bring the belief back.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Id
from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.patterns import PATTERN
from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.beliefs.supersession import CONSOLIDATION, closed, ends, rivals
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.image.image import Partition
from memoranda.core.recall.currency import Endings
from memoranda.core.rows import Event, LaterWord, Record
from memoranda.core.rows.changes import Add, Change, Drop
from memoranda.core.rows.lifecycle import CLAIMED, OPEN
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import LANGUAGES, detect
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.events import event_at
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Runtime

REVIEW = "review"
ACCEPTED, REJECTED = "accepted", "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A belief in doubt.

    Attributes:
        record: the belief.
        against: the beliefs that contradict it, the newest first.
        later: the ids of later turns by which a model judges it to be outdated, the latest first.
    """

    record: Record
    against: tuple[Record, ...] = ()
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What a verdict did.

    Attributes:
        record: the belief as it is now.
        ended: beliefs that gave way to it; `restored`: beliefs that hold again. Each as it is now.
    """

    record: Record
    ended: tuple[Record, ...] = ()
    restored: tuple[Record, ...] = ()


@dataclass(slots=True)
class _Verdict:
    reviewed: Reviewed
    changes: list[Change] = field(default_factory=list)


async def find(runtime: Runtime, scope: Scope) -> tuple[Dispute, ...]:
    """The beliefs in doubt that this scope sees, the most important first, each with what speaks against it."""
    partition = await runtime.partitions.current(scope.owner)
    seen = _seen(partition, scope)
    later = _later(partition, scope, runtime.clock())
    found = [record for record in seen if record.status == "disputed" or record.id in later]
    found.sort(key=lambda record: (-record.importance, record.recorded_at, record.hash))
    return tuple(
        Dispute(record=one, against=tuple(_against(seen, one)), later=tuple(later.get(one.id, ()))) for one in found
    )


async def accept(runtime: Runtime, scope: Scope, record: Id) -> Reviewed:
    """Accept a belief in doubt: it is verified, what contradicts it gives way, and later words on it are dropped.

    What was said before it ends where it begins; what was said after it is rejected.

    Args:
        record: its id.

    Raises:
        NotFoundError: this scope sees no such belief.
        InputError: it is not in doubt.
    """

    def plan(partition: Partition) -> _Verdict:
        known = _known(partition, scope, record)
        later = _later(partition, scope, runtime.clock()).get(known.id, ())
        if known.status != "disputed" and not later:
            raise InputError(
                f"The record {brief(record)} is {known.status}, not in doubt: review.find() lists what is."
            )
        here = overlay_on(runtime, partition, runtime.clock())
        event = _event(runtime, scope, known, ACCEPTED, here.now, **({"later": later} if later else {}))
        ended: list[Record] = []
        if known.status == "disputed":
            ended = _accepted(here, scope, known, event)
        else:
            here.change(replace(known, status="verified", editor=REVIEW))
        verdict = _verdict(here, known, event, ended=ended)
        turn = Endings.now(partition, scope, here.now).last_said(known)
        verdict.changes += [Drop(LaterWord, (word, turn)) for word in later]
        return verdict

    return (await planned(runtime, scope, plan))[0].reviewed


async def reject(runtime: Runtime, scope: Scope, record: Id) -> Reviewed:
    """Reject a belief, disputed or not: it is not recalled any more, and what it had ended holds again.

    It stays in the history, so that it does not come back. Only the user can bring it back, by saying it again. A
    narrative that was made from it is archived.

    Args:
        record: its id.

    Raises:
        NotFoundError: this scope sees no such belief.
        InputError: it was rejected before, or has verbs of its own, as a goal has.
    """

    def plan(partition: Partition) -> _Verdict:
        known = _known(partition, scope, record)
        if known.status not in CLAIMED:
            raise InputError(f"The record {brief(record)} is {known.status} already.")
        here = overlay_on(runtime, partition, runtime.clock())
        event = _event(runtime, scope, known, REJECTED, here.now)
        return _verdict(here, known, event, restored=_rejected(here, scope, known, event))

    return (await planned(runtime, scope, plan))[0].reviewed


def said_again(here: Overlay, known: Record, event: Event) -> list[Change]:
    """What a verdict changes when the log is replayed; nothing if the belief is not as it was then."""
    scope = Scope(
        tenant=event.tenant, user=event.user, agent=event.agent, channel=event.channel,
        connections=(event.connection,) if event.connection else (),
    )  # fmt: skip
    if event.metadata["verdict"] == ACCEPTED and known.status == "disputed":
        _accepted(here, scope, known, event)
    elif event.metadata["verdict"] == ACCEPTED and known.status in OPEN and "later" in event.metadata:
        here.change(replace(known, status="verified", editor=REVIEW))
    elif event.metadata["verdict"] == REJECTED and known.status in CLAIMED:
        _rejected(here, scope, known, event)
    return here.changes


def _accepted(here: Overlay, scope: Scope, known: Record, event: Event) -> list[Record]:
    """Plan the acceptance of a belief by `event`; return what gives way to it."""
    here.change(replace(known, status="verified", contradicted_by=None, editor=REVIEW))
    others = _against(_seen(here.partition, scope), known)
    for other in others:
        here.change(left := _given_way(here, known, other))
        if left.status == "rejected":
            _unwrite(here, left, event)
    return others


def _rejected(here: Overlay, scope: Scope, known: Record, event: Event) -> list[Record]:
    """Plan the rejection of a belief by `event`; return what holds again."""
    editor = known.editor if known.kind == PATTERN else REVIEW  # says that it rests on all of its events
    here.change(replace(known, status="rejected", contradicted_by=event.id, editor=editor))
    _unwrite(here, known, event)
    disputed = [one for one in _disputed(here.partition, scope) if one.id != known.id]
    free = [one for one in disputed if _at_odds(known, one) and not any(_at_odds(one, more) for more in disputed)]
    seen = _seen(here.partition, scope)
    ended = [one for one in seen if _ended_by(known, one) or _overruled_by(known, one, seen)]
    for one in free:
        here.change(replace(one, status="candidate", contradicted_by=None, editor=REVIEW))
    for one in ended:
        here.change(_reopened(here, one))
    return [*free, *ended]


def _reopened(here: Overlay, record: Record) -> Record:
    """A belief without the end that a rejected one gave it: until its own end, or until something said later."""
    mine = here.claim(record)
    until = _own_end(record, mine.first) if record.temporal == "temporary" else None
    left = replace(record, status="candidate", contradicted_by=None, valid_to=until, editor=REVIEW)
    for other in here.about(left):
        theirs = here.claim(other)
        if theirs.first > mine.last and rivals(left, other):
            left = closed(left, ends(other, left), theirs.by)
    return left


def _own_end(record: Record, said: datetime) -> datetime | None:
    """The end that a belief's own words of time give it."""
    times = find_times(record.phrase or "", said, detect(record.text, LANGUAGES[0]))
    return next((time.until for time in times if time.until), record.valid_to)


def _unwrite(here: Overlay, wrong: Record, event: Event) -> None:
    """Archive narratives that share a source with a rejected belief: nobody knows which words come from it."""
    written = [one for one in here.records() if one.kind == NARRATIVE and one.status in OPEN]
    for one in [one for one in written if not {*one.sources}.isdisjoint(wrong.sources)]:
        here.change(replace(one, status="archived", contradicted_by=event.id))


def _verdict(
    here: Overlay, known: Record, event: Event, *, ended: Iterable[Record] = (), restored: Iterable[Record] = ()
) -> _Verdict:
    now = here.drafts
    reviewed = Reviewed(
        record=now[known.id],
        ended=tuple(now[one.id] for one in ended),
        restored=tuple(now[one.id] for one in restored),
    )
    return _Verdict(reviewed, [Add(event), *here.changes])


def _known(partition: Partition, scope: Scope, name: str) -> Record:
    found = partition.records.get(name)
    if found is None or not visible(found, scope):
        raise NotFoundError(f"There is no record {brief(name)} in this scope; review.find() gives those in doubt.")
    if found.editor in COMPOSED and found.kind != PATTERN:
        raise InputError(f"A {found.kind} is not said but done: it has verbs of its own.")
    return found


def _seen(partition: Partition, scope: Scope) -> list[Record]:
    return [record for record in partition.records.values() if visible(record, scope)]


def _later(partition: Partition, scope: Scope, now: datetime) -> dict[str, list[str]]:
    """The later words on beliefs that are open, by the id of the belief."""
    endings = Endings.now(partition, scope, now)
    stated = {record.id: record for turn in partition.later for record in endings.stated(turn)}
    words = {name: endings.later(name) for name, record in stated.items() if record.status in OPEN}
    return {name: found for name, found in words.items() if found}


def _disputed(partition: Partition, scope: Scope) -> list[Record]:
    return [record for record in _seen(partition, scope) if record.status == "disputed"]


def _against(seen: Iterable[Record], record: Record) -> list[Record]:
    """The beliefs that dispute `record`, the newest first: disputed as well, or standing because more trusted."""
    open_ = (one for one in seen if one.status == "disputed" or (one.status in OPEN and one.trust > record.trust))
    found = [other for other in open_ if other.id != record.id and _at_odds(record, other)]
    return sorted(found, key=lambda other: (other.valid_from, other.hash), reverse=True)


def _given_way(here: Overlay, accepted: Record, other: Record) -> Record:
    """A rival of what was accepted: expired from then on if it was said before, else rejected."""
    mine, theirs = here.claim(accepted), here.claim(other)
    over = ends(accepted, other) if rivals(accepted, other) else _over_since(accepted)
    until = over if theirs.first < mine.first else None
    left = replace(other, contradicted_by=mine.by or None, editor=REVIEW)
    if until is None:
        return replace(left, status="rejected")
    return replace(left, status="expired", valid_to=max(until, other.valid_from))


def _ended_by(wrong: Record, other: Record) -> bool:
    """Whether `other` ended because of an event that says `wrong`, as a rival of it."""
    return other.status == "expired" and other.contradicted_by in wrong.sources and rivals(wrong, other)


def _overruled_by(wrong: Record, other: Record, seen: Iterable[Record]) -> bool:
    """Whether consolidation ended `other` by an event that says `wrong`, and nothing else there ends it."""
    by = other.contradicted_by
    if other.status != "expired" or wrong.editor != CONSOLIDATION or by not in wrong.sources:
        return False
    return not any(
        rivals(one, other) or one.editor == CONSOLIDATION
        for one in seen
        if one.id not in (wrong.id, other.id) and one.status in CLAIMED and by in one.sources
    )


def _at_odds(one: Record, other: Record) -> bool:
    """Whether two beliefs, `one` disputed, cannot both hold, by a rule or because consolidation found so."""
    each = one.contradicted_by in other.sources and (other.contradicted_by in one.sources or other.status != "disputed")
    return rivals(one, other) or (each and CONSOLIDATION in (one.editor, other.editor))


def _over_since(accepted: Record) -> datetime | None:
    """When a belief ended that consolidation, and no rule, found to be ended by another."""
    return accepted.valid_to if accepted.temporal == "past" else accepted.valid_from


def _event(runtime: Runtime, scope: Scope, record: Record, verdict: str, now: datetime, **more: Any) -> Event:
    """The event of a verdict, in the place of its record."""
    event = event_at(
        scope, record.connection, "user_provided", id=runtime.ids(), kind=REVIEW, role="", content="", surface="tool",
        event_time=now, recorded_at=now, metadata={"record": record.id, "verdict": verdict, **more},
    )  # fmt: skip
    return replace(event, agent=record.agent, channel=record.channel)
