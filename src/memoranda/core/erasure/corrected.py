"""Since when statements hold that took the place of a corrected one, when some events are forgotten."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from memoranda.core.beliefs.leaving.verdicts import meant_by
from memoranda.core.rows import Event, Record


def in_place(
    left: Iterable[Record], before: Iterable[Record], events: Mapping[str, Event], begins: Callable[[Record], datetime]
) -> list[Record]:
    """Return versions in which what corrects a record holds since that does, if it is left; else since it was said.

    Args:
        left: the versions that are left.
        before: every version there was.
        events: the events that are left.
        begins: returns since when a version holds by its own events.
    """
    rows, was = [*left], [*before]
    since = {row.id: row.valid_from for row in sorted(rows, key=lambda row: row.version)}
    known: dict[str, dict[datetime, tuple[str, ...]]] = {}
    for row in sorted(was, key=lambda row: row.version):
        known.setdefault(row.id, {})[row.valid_from] = row.sources
    corrections = ((meant_by(event), event) for event in events.values())
    told = [(name, event) for name, event in corrections if name in known]
    for name, event in sorted(told, key=lambda one: (one[1].recorded_at, one[1].seq)):
        for place, row in enumerate(rows):
            pulled = known[name].keys() & known[row.id].keys()
            if event.id not in row.sources or not pulled:
                continue
            same = since.get(name) in pulled and row.sources in known[row.id].values()
            own = begins(row)
            begin = min(own, since.get(name, own))
            if not same and begin != row.valid_from:
                until = row.valid_to and max(row.valid_to, begin)
                rows[place] = replace(row, valid_from=begin, valid_to=until)
                since[row.id] = begin
    return rows
