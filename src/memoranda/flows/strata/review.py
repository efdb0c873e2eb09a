"""A person's verdicts on beliefs: accept or reject those in doubt, correct any, or say since when it holds no more.

A verdict is an event of kind "review" that names the belief and repeats none of its text. A rejected belief never held:
what it had ended holds again, and only the user can bring the belief back. A correction is an observation that names
the belief: it is rejected, and what is said instead passes the gateway, as all that the user says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Id, Words
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.admission import leave
from memoranda.core.beliefs.leaving.verdicts import (
    ACCEPTED,
    CORRECTS,
    ENDED,
    REJECTED,
    REVIEW,
    at_odds,
    overturn,
    place_of,
    seen_in,
    unwrite,
)
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.patterns import PATTERN
from memoranda.core.beliefs.supersession import closed, ends, rivals
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.image.image import Partition
from memoranda.core.recall.currency import Endings
from memoranda.core.rows import Event, LaterWord, Record
from memoranda.core.rows.changes import Add, Change, Drop
from memoranda.core.rows.lifecycle import CLAIMED, OPEN
from memoranda.core.text.terms import content_hash
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.capture import read, write
from memoranda.flows.capture.events import event_at, own_words
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Runtime


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
    seen = seen_in(partition, scope)
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
        return _verdict(here, known, event, restored=overturn(here, scope, known, event))

    return (await planned(runtime, scope, plan))[0].reviewed


async def correct(runtime: Runtime, scope: Scope, record: Id, text: Words) -> Reviewed:
    """Correct a statement: it never held, and what `text` says instead, in the user's words, takes its place.

    What it had ended holds again, unless what is said instead ends it, too. The wrong statement stays in the history,
    so that it does not come back. If something was true and has changed, `end` it, or add what holds now.

    Args:
        record: its id.
        text: what is right, as a whole sentence: "I live in Oslo."

    Returns:
        The statement that stands now, with the wrong one among those that `ended`.

    Raises:
        NotFoundError: this scope sees no such statement.
        InputError: it was rejected before, has verbs of its own, as a goal has, or says the same; or it says what was
            forgotten for good.
    """
    said, before = own_words(runtime, text), await runtime.partitions.current(scope.owner)
    known, now = _known(before, scope, record), runtime.clock()
    if known.status not in CLAIMED:
        raise InputError(f"The record {brief(record)} is {known.status} already.")
    if content_hash(said) == known.hash:
        raise InputError(f"The record {brief(record)} says just that: say what is right instead.")
    event = event_at(
        scope, known.connection, "user_provided", id=runtime.ids(), kind="observation", role="", content=said,
        category="correction", surface="tool", event_time=now, recorded_at=now, metadata={CORRECTS: known.id},
    )  # fmt: skip
    event = replace(event, agent=known.agent, channel=known.channel)
    done = await write(runtime, scope, [replace(read(runtime, event), whole=True)])
    if not done.records:
        raise InputError("This says what was forgotten for good, or nothing at all: say what is right in other words.")
    after = (await runtime.partitions.current(scope.owner)).records
    was = {one.id: one.status for one in seen_in(before, scope)}
    again = (after[name] for name, status in was.items() if status not in OPEN and name in after)
    return Reviewed(
        record=after[done.records[0]],
        ended=(after[known.id],),
        restored=tuple(one for one in again if one.status in OPEN and one.id not in done.records),
    )


async def end(
    runtime: Runtime, scope: Scope, record: Id, *, at: datetime | None = None, because: Words | None = None
) -> Reviewed:
    """Say since when a statement holds no more, or until when it will hold. It stays as what was true before.

    Args:
        record: its id.
        at: the first moment at which it does not hold; now by default. Before it began: it never held.
        because: the reason, which stays in the log.

    Raises:
        NotFoundError: this scope sees no such statement.
        InputError: it holds no more at that time, was rejected, or has verbs of its own, as a goal has.
    """
    reason = "" if because is None else own_words(runtime, because)

    def plan(partition: Partition) -> _Verdict:
        known = _known(partition, scope, record)
        here = overlay_on(runtime, partition, runtime.clock())
        until = here.now if at is None else moment("at", at)
        if not _holds(known, until):
            since = f" since {known.valid_to:%Y-%m-%d %H:%M}" if known.valid_to else ""
            raise InputError(f"The record {brief(record)} holds no more{since}: it is {known.status}.")
        event = replace(_event(runtime, scope, known, ENDED, here.now, at=until.isoformat()), content=reason)
        leave(here, closed(known, until, event.id, event.event_time))
        return _verdict(here, known, event)

    return (await planned(runtime, scope, plan))[0].reviewed


def _holds(known: Record, at: datetime) -> bool:
    """Whether a belief holds until some time after `at`, if nobody ends it."""
    return known.status in OPEN and (known.valid_to is None or known.valid_to > max(at, known.valid_from))


def said_again(here: Overlay, known: Record, event: Event) -> list[Change]:
    """What a verdict changes when the log is replayed; nothing if the belief is not as it was then."""
    scope = place_of(event)
    if event.metadata["verdict"] == ACCEPTED and known.status == "disputed":
        _accepted(here, scope, known, event)
    elif event.metadata["verdict"] == ACCEPTED and known.status in OPEN and "later" in event.metadata:
        here.change(replace(known, status="verified", editor=REVIEW))
    elif event.metadata["verdict"] == REJECTED and known.status in CLAIMED:
        overturn(here, scope, known, event)
    elif event.metadata["verdict"] == ENDED and _holds(known, until := datetime.fromisoformat(event.metadata["at"])):
        leave(here, closed(known, until, event.id, event.event_time))
    return here.changes


def _accepted(here: Overlay, scope: Scope, known: Record, event: Event) -> list[Record]:
    """Plan the acceptance of a belief by `event`; return what gives way to it."""
    here.change(replace(known, status="verified", contradicted_by=None, editor=REVIEW))
    others = _against(seen_in(here.partition, scope), known)
    for other in others:
        here.change(left := _given_way(here, known, other))
        if left.status == "rejected":
            unwrite(here, left, event)
    return others


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
        raise NotFoundError(
            f"There is no record {brief(name)} in this scope; records gives the ids of those there are."
        )
    if found.editor in COMPOSED and found.kind != PATTERN:
        raise InputError(f"A {found.kind} is not said but done: it has verbs of its own.")
    return found


def _later(partition: Partition, scope: Scope, now: datetime) -> dict[str, list[str]]:
    """The later words on beliefs that are open, by the id of the belief."""
    endings = Endings.now(partition, scope, now)
    stated = {record.id: record for turn in partition.later for record in endings.stated(turn)}
    words = {name: endings.later(name) for name, record in stated.items() if record.status in OPEN}
    return {name: found for name, found in words.items() if found}


def _against(seen: Iterable[Record], record: Record) -> list[Record]:
    """The beliefs that dispute `record`, the newest first: disputed as well, or standing because more trusted."""
    open_ = (one for one in seen if one.status == "disputed" or (one.status in OPEN and one.trust > record.trust))
    found = [other for other in open_ if other.id != record.id and at_odds(record, other)]
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
