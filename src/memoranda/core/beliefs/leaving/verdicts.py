"""What follows from a person's verdict that a statement is wrong: it never held, and what it had ended holds again."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.patterns import PATTERN
from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.beliefs.supersession import CONSOLIDATION, closed, ends, rivals
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Record
from memoranda.core.rows.lifecycle import CLAIMED, OPEN
from memoranda.core.rows.statements import PASSING
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import LANGUAGES, detect

#: The kind of the events of verdicts, and the editor of what they change.
REVIEW = "review"
ACCEPTED, REJECTED, ENDED = "accepted", "rejected", "ended"
#: The note of a correction that names the record that it means.
CORRECTS = "corrects"


def meant_by(event: Event) -> str | None:
    """Return the id of the record that an event corrects, if it names one; none if another than the user says it."""
    name = event.metadata.get(CORRECTS)
    told = event.kind == "observation" and event.category == "correction" and event.source == "user_provided"
    return name if told and isinstance(name, str) else None


def pointless(left: Iterable[Record], before: Iterable[Record], events: Iterable[Event]) -> set[str]:
    """Return the ids of the events that say since when a record holds no more, and perhaps why, that is gone."""
    gone = {record.id for record in before} - {record.id for record in left}
    ends = (one for one in events if one.kind == REVIEW and one.metadata["verdict"] == ENDED)
    return {one.id for one in ends if one.metadata["record"] in gone}


def place_of(event: Event) -> Scope:
    """Return the scope of what is seen where an event lies."""
    return Scope(
        tenant=event.tenant, user=event.user, agent=event.agent, channel=event.channel,
        connections=(event.connection,) if event.connection else (),
    )  # fmt: skip


def overturn(here: Overlay, scope: Scope, known: Record, event: Event) -> list[Record]:
    """Plan the rejection of a belief by `event`; return what holds again."""
    editor = known.editor if known.kind == PATTERN else REVIEW  # says that it rests on all of its events
    here.change(replace(known, status="rejected", contradicted_by=event.id, editor=editor))
    unwrite(here, known, event)
    disputed = [one for one in _disputed(here.partition, scope) if one.id != known.id]
    free = [one for one in disputed if at_odds(known, one) and not any(at_odds(one, more) for more in disputed)]
    seen = seen_in(here.partition, scope)
    ended = [one for one in seen if _ended_by(known, one) or _overruled_by(known, one, seen)]
    for one in free:
        here.change(replace(one, status="candidate", contradicted_by=None, editor=REVIEW))
    for one in ended:
        here.change(_reopened(here, one))
    return [*free, *ended]


def unwrite(here: Overlay, wrong: Record, event: Event) -> None:
    """Archive narratives that share a source with a rejected belief: nobody knows which words come from it."""
    written = [one for one in here.records() if one.kind == NARRATIVE and one.status in OPEN]
    for one in [one for one in written if not {*one.sources}.isdisjoint(wrong.sources)]:
        here.change(replace(one, status="archived", contradicted_by=event.id))


def seen_in(partition: Partition, scope: Scope) -> list[Record]:
    """Return the records that a scope sees."""
    return [record for record in partition.records.values() if visible(record, scope)]


def at_odds(one: Record, other: Record) -> bool:
    """Whether two beliefs, `one` disputed, cannot both hold, by a rule or because consolidation found so."""
    each = one.contradicted_by in other.sources and (other.contradicted_by in one.sources or other.status != "disputed")
    return rivals(one, other) or (each and CONSOLIDATION in (one.editor, other.editor))


def _reopened(here: Overlay, record: Record) -> Record:
    """A belief without the end that a rejected one gave it: until its own end, or until something said later."""
    mine = here.claim(record)
    until = _own_end(record, mine.first) if record.temporal in PASSING else None
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


def _disputed(partition: Partition, scope: Scope) -> list[Record]:
    return [record for record in seen_in(partition, scope) if record.status == "disputed"]


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
