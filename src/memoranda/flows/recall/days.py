"""What the passages of an image are about, read from the store where no question has asked for a time yet."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from memoranda.core.image.days import Named
from memoranda.core.image.image import Partition
from memoranda.core.recall.agenda import about, record_about
from memoranda.core.text.fence import stripped
from memoranda.flows.runtime.reading import events_of
from memoranda.flows.runtime.runtime import Runtime

AT_ONCE = 500  # events read together


async def read_days(runtime: Runtime, image: Partition, now: datetime) -> Mapping[str, Sequence[Named]]:
    """The days of all passages of an image, in the calendar of the zone of `now`.

    Each passage is read once, in about .1 ms, by the first question that asks for a time.
    """
    default, zone, index = runtime.settings.language, now.tzinfo, image.index
    days = image.days.in_zone(str(zone))
    refs = enumerate(index.refs[: len(index)])
    lacking = {ref: number for number, ref in refs if ref not in days and ref in index.numbers}
    events = [ref for ref, number in lacking.items() if not index.columns["of_record"][number]]
    for start in range(0, len(events), AT_ONCE):
        asked = events[start : start + AT_ONCE]
        rows, _ = await events_of(runtime, image, asked)
        for ref, row in zip(asked, rows, strict=True):
            days[ref] = about(stripped(row.content), row.event_time.astimezone(zone), default) if row else ()
    days |= {ref: record_about(image.records[ref], days) for ref in lacking if ref in image.records}
    return days
