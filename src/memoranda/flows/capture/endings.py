"""What is over: the records that end because somebody or something they tell of is gone."""

from dataclasses import replace

from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.leaving.dependents import can_replace, ended_by, replaced_by
from memoranda.core.beliefs.leaving.endings import Ending, endings_in, read_endings
from memoranda.core.language.corrections import EDITOR, rescheduled
from memoranda.core.language.extraction import Analysis, record_of, said_there
from memoranda.core.rows import Event, Record
from memoranda.core.rows.access import site_of
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.rows.statements import LONG, TimeRef
from memoranda.core.temporal import find_times
from memoranda.core.text.forgotten import said_at

_MOST = 20_000  # characters of a text that are read
_REGULAR = frozenset({"habit", "hobby"})
_AGAIN = frozenset({"possession", "tool"})  # of these one may have had another before: "I sold a Golf in 2015"


def let_go(admission: Admission, event: Event, analysis: Analysis) -> bool:
    """Plan what ends with what an event says is over, or moved, and return whether anything does."""
    if analysis.outcome == "skipped" or ((event.role or "user") != "user" and event.speaker is None):
        return False
    before = len(admission.decisions)
    head = analysis.text[:_MOST]
    read = read_endings(head, analysis.language)
    times = find_times(head, said_there(event), read[0].language) if read else ()
    for ending in (*endings_in(analysis.statements, analysis.language), *read):
        when = ending.when or next((time for time in times if ending.start <= time.start < ending.end), None)
        at = when.begin if when and when.begin and ending.sort != "moved" else event.event_time
        for record in ended_by(ending, _held(admission, event), (event.speaker or "user").casefold()):
            if ending.sort == "dropped" and when and _is_occasion(record, when, event):
                continue
            if record.valid_from - at <= LONG or (record.attribute or "").partition(".")[0] not in _AGAIN:
                moved = _moved(record, ending, event, admission) if ending.sort == "moved" else None
                admission.end(record, at, (event.event_time, event.id))
                if moved is not None:
                    admission.admit(moved, said=event.event_time, own=said_at(event))
    for statement in filter(can_replace, analysis.statements):
        for record in replaced_by(statement, _held(admission, event)):
            admission.end(record, event.event_time, (event.event_time, event.id))
    return len(admission.decisions) > before


def _is_occasion(record: Record, when: TimeRef, event: Event) -> bool:
    """Whether what is called off is one time of something regular: "I cancelled tennis this week"."""
    regular = (record.attribute or "").partition(".")[0] in _REGULAR
    return regular and when.until is not None and when.until > event.event_time


def _held(admission: Admission, event: Event) -> list[Record]:
    """What holds in the place of an event when it happens."""
    return [
        record
        for record in admission.overlay.records()
        if record.status in OPEN
        and (record.valid_to is None or record.valid_to > event.event_time)
        and site_of(record) == site_of(event)
    ]


def _moved(record: Record, ending: Ending, event: Event, admission: Admission) -> Record | None:
    """The record with the time to which an event says it was moved; None if it names none."""
    statement = rescheduled(record, ending.clause, said_there(event), ending.language)
    if statement is None:
        return None
    moved = record_of(statement, event, record.entities, admission.overlay.now)
    return replace(
        moved,
        sources=united(record.sources, moved.sources),
        trust=min(record.trust, moved.trust),
        supersedes=record.id,
        editor=EDITOR,
    )
