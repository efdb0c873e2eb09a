"""What is over: the records that end because somebody or something they tell of is gone."""

from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.endings import endings_in, read_endings
from memoranda.core.beliefs.gone import ended_by
from memoranda.core.language.extraction import Analysis, said_there
from memoranda.core.rows import Event
from memoranda.core.rows.access import site_of
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.rows.statements import LONG
from memoranda.core.temporal import find_times

_MOST = 20_000  # characters of a text that are read
_AGAIN = frozenset({"possession", "tool"})  # of these one may have had another before: "I sold a Golf in 2015"


def let_go(admission: Admission, event: Event, analysis: Analysis) -> bool:
    """Plan what ends with what an event says is over, and return whether anything does."""
    if analysis.outcome == "skipped" or ((event.role or "user") != "user" and event.speaker is None):
        return False
    before, said = len(admission.decisions), (event.event_time, event.id)
    head = analysis.text[:_MOST]
    read = read_endings(head, analysis.language)
    times = find_times(head, said_there(event), read[0].language) if read else ()
    for ending in (*endings_in(analysis.statements, analysis.language), *read):
        when = ending.when or next((time for time in times if ending.start <= time.start < ending.end), None)
        at = when.begin if when and when.begin else event.event_time
        here = [
            record
            for record in admission.overlay.records()
            if record.status in OPEN
            and (record.valid_to is None or record.valid_to > event.event_time)
            and site_of(record) == site_of(event)
        ]
        for record in ended_by(ending, here, (event.speaker or "user").casefold()):
            if record.valid_from - at <= LONG or (record.attribute or "").partition(".")[0] not in _AGAIN:
                admission.end(record, at, said)
    return len(admission.decisions) > before
