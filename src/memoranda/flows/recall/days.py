"""What the passages of an image are about, and what is noted about them, read from the store when first asked for."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime

from memoranda.core.base.scope import SHARED
from memoranda.core.image.days import Named
from memoranda.core.image.image import Partition
from memoranda.core.image.notes import Note
from memoranda.core.recall.agenda import about, record_about
from memoranda.core.rows import Event
from memoranda.core.text.fence import stripped
from memoranda.flows.runtime.reading import events_of
from memoranda.flows.runtime.runtime import Runtime

AT_ONCE = 500  # events read together


async def read_days(runtime: Runtime, image: Partition, now: datetime) -> Mapping[str, Sequence[Named]]:
    """The days of all passages of an image, in the calendar of the zone of `now`.

    Each passage is read once, in about .1 ms, by the first question that asks for a time.
    """
    default, zone = runtime.settings.language, now.tzinfo
    days = image.days.in_zone(str(zone))
    lacking = [ref for ref in image.index.refs[: len(image.index)] if ref not in days and ref in image.index.numbers]
    async for ref, row in _events(runtime, image, lacking):
        days[ref] = about(stripped(row.content), row.event_time.astimezone(zone), default) if row else ()
    for record in (image.records[ref] for ref in lacking if ref in image.records):
        if image.owner.user == SHARED:  # events of the commons are no passages: an entry has the words of its own
            days[record.id] = about(record.text, record.valid_from.astimezone(zone), default)
        else:
            days[record.id] = record_about(record, days)
    return days


async def read_notes(runtime: Runtime, image: Partition) -> Mapping[str, Note]:
    """What is noted about the events of an image. Each is read once, by the first search that is narrowed by it."""
    lacking = [ref for ref in image.index.refs[: len(image.index)] if ref not in image.notes]
    image.notes.update({ref: Note.of(row) async for ref, row in _events(runtime, image, lacking) if row})
    return image.notes


async def _events(runtime: Runtime, image: Partition, refs: Sequence[str]) -> AsyncIterator[tuple[str, Event | None]]:
    """Those of some passages that are events, each with its row; None for one that cannot be read."""
    numbers, of_record = image.index.numbers, image.index.columns["of_record"]
    events = [ref for ref in refs if ref in numbers and not of_record[numbers[ref]]]
    for start in range(0, len(events), AT_ONCE):
        asked = events[start : start + AT_ONCE]
        rows, _ = await events_of(runtime, image, asked)
        for pair in zip(asked, rows, strict=True):
            yield pair
