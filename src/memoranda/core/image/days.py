"""The days that passages are about, as their words name them: "the flight is on 5 July", said in May.

They are read of the passages' texts when a question first asks for a time, as the asker's calendar has them, and kept
beside the index. They hold no truth, and no store has them: a text says the same whenever it is read.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from types import MappingProxyType

from memoranda.core.rows.statements import TimeRef

#: A half-open time span; None where it has no bound.
Window = tuple[datetime | None, datetime | None]
DAY = timedelta(days=1)
ZONES = 4  # zones for which the days are kept, those last asked for

#: The days of the units that a time is given in; anything finer is of its day.
_UNITS: Mapping[str, int] = MappingProxyType(
    {"weekend": 2, "week": 7, "month": 31, "quarter": 92, "season": 92, "half": 184, "year": 366, "decade": 3_660}
)
#: Grains of times that denote no day.
_NO_DAY = frozenset({"second", "set", "duration"})


@dataclass(frozen=True, slots=True)
class Named:
    """A time that a passage names: the half-open interval, the unit it is given in, and the words."""

    begin: datetime
    until: datetime
    unit: timedelta
    words: str = ""

    def within(self, window: Window) -> bool:
        """Whether it lies in a window, at least in part; what is given in longer units is about none of its days.

        In a window without a begin or an end it must begin.
        """
        begin, until = window
        if begin is None or until is None:
            return (begin is None or begin <= self.begin) and (until is None or self.begin < until)
        return self.begin < until and begin < self.until and self.unit <= max(until - begin, DAY)


def named(refs: Iterable[TimeRef]) -> tuple[Named, ...]:
    """Return what some time expressions name. One that is open is about its known end: "by Friday" about Friday."""
    found: dict[Named, None] = {}
    for ref in refs:
        unit = timedelta(days=_UNITS.get(ref.grain, 1))
        if ref.grain in _NO_DAY:
            continue
        with suppress(OverflowError):  # beyond the calendar
            begin = ref.begin or (ref.until and ref.until - unit)
            until = ref.until or (begin and begin + unit)
            if begin and until:
                found[Named(begin, until, unit, ref.text)] = None
    return tuple(found)


class Days:
    """What the passages of an image name, as far as they were read; all versions of the image share it."""

    def __init__(self) -> None:
        self._zones: OrderedDict[str, dict[str, tuple[Named, ...]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._zones.values()))

    def in_zone(self, zone: str) -> dict[str, tuple[Named, ...]]:
        """Return what was read by the calendar of a zone, by the id of what the passage is of, to be added to."""
        found = self._zones.setdefault(zone, {})
        self._zones.move_to_end(zone)
        if len(self._zones) > ZONES:
            self._zones.popitem(last=False)
        return found

    def drop(self, refs: Iterable[str]) -> None:
        """Take passages out."""
        for ref, times in product(refs, self._zones.values()):
            times.pop(ref, None)
