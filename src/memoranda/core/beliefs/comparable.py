"""Records that could contradict one another, found by when they end and when they were last said.

A statement has to be settled only with those that hold after it begins, or were said after it. Of a long story told in
order that is one record, however many it has.
"""

from bisect import bisect_left, bisect_right, insort
from datetime import UTC, datetime
from sys import maxsize

_NEVER = datetime.max.replace(tzinfo=UTC)


class Standing:
    """Ids of records, in the order in which they came."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._ending: list[tuple[datetime, int]] = []
        self._said: list[tuple[datetime, int]] = []
        self._kept: dict[int, tuple[datetime, datetime]] = {}

    def put(self, name: str, ends: datetime | None, said: datetime) -> None:
        """Enter a record, or move it: when it ends, None if it does not, and when it was last said."""
        self.drop(name)
        if name not in self._numbers:
            self._numbers[name] = len(self._names)
            self._names.append(name)
        number = self._numbers[name]
        self._kept[number] = ends or _NEVER, said
        insort(self._ending, (ends or _NEVER, number))
        insort(self._said, (said, number))

    def drop(self, name: str) -> None:
        """Take a record out, if it is there; if it comes back, it takes its old place in the order."""
        number = self._numbers.get(name, -1)
        if number in self._kept:
            ends, said = self._kept.pop(number)
            del self._ending[bisect_left(self._ending, (ends, number))]
            del self._said[bisect_left(self._said, (said, number))]

    def met(self, since: datetime | None, said: datetime | None) -> list[str]:
        """Return the records said after `said`, and those that end after `since`; all if neither is given."""
        if since is None and said is None:
            return [self._names[number] for number in sorted(self._kept)]
        found = {number for _, number in _after(self._said, said)} | {n for _, n in _after(self._ending, since)}
        return [self._names[number] for number in sorted(found)]


def _after(times: list[tuple[datetime, int]], moment: datetime | None) -> list[tuple[datetime, int]]:
    return [] if moment is None else times[bisect_right(times, (moment, maxsize)) :]
