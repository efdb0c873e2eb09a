"""Mappings that come in versions, which share what did not change.

`fork` gives the next version. That one may be changed, and from then on the one before it may not: whoever reads it
sees what it held when it was forked. So a reader needs no copy, and a writer copies little.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, ValuesView
from typing import Any, Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_GONE: Any = object()  # stands for a key that was removed
_FEW = 64  # changes that are always kept apart from the rest


def twin(version: T) -> T:
    """Return another object with the same attributes; `copy.copy` takes five times as long."""
    new: T = object.__new__(type(version))
    new.__dict__.update(version.__dict__)
    return new


class Versioned(Mapping[K, V], Generic[K, V]):
    """A mapping whose latest changes lie apart from what it shares with the version before."""

    def __init__(self) -> None:
        self._base: dict[K, V] = {}
        self._changed: dict[K, V] = {}
        self._alone = True  # no other version shares the base

    def fork(self) -> "Versioned[K, V]":
        """Return the next version."""
        if len(self._changed) > _FEW and len(self._changed) ** 2 > len(self._base):
            self._merge()
        new = twin(self)
        new._changed = dict(self._changed)
        new._alone = self._alone = False
        return new

    def __getitem__(self, key: K) -> V:
        value = self._changed[key] if key in self._changed else self._base[key]
        if value is _GONE:
            raise KeyError(key)
        return value

    @overload
    def get(self, key: K, /) -> V | None: ...
    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...
    def get(self, key: K, /, default: Any = None) -> Any:
        """Return the value of `key`, or `default`; without the frames and the exception of `Mapping.get`."""
        value = self._changed.get(key)
        if value is None:
            return self._base.get(key, default)
        return default if value is _GONE else value

    def __contains__(self, key: object) -> bool:
        return key in self._base if key not in self._changed else self._changed[key] is not _GONE

    def __iter__(self) -> Iterator[K]:
        return iter(self._merge())

    def __len__(self) -> int:
        changed, base = self._changed, self._base
        return len(base) + sum((value is not _GONE) - (key in base) for key, value in changed.items())

    def __bool__(self) -> bool:
        """Whether there is anything: mostly the first change tells, where `len` counts all."""
        return any(value is not _GONE for value in self._changed.values()) or len(self) > 0

    def values(self) -> ValuesView[V]:
        """The values, those of changed keys at the end."""
        return self._merge().values()

    def put(self, key: K, value: V) -> None:
        """Set the value of `key`; None is no value."""
        (self._base if self._alone else self._changed)[key] = value

    def remove(self, key: K) -> None:
        """Remove `key`, if it is there."""
        if self._alone:
            self._base.pop(key, None)
        elif key in self:
            self._changed[key] = _GONE

    def _merge(self) -> dict[K, V]:
        """Merge the changes into a base of this version's own, for who goes through all of it."""
        if self._changed:
            whole = {**self._base, **self._changed}
            self._base = {key: value for key, value in whole.items() if value is not _GONE}
            self._changed, self._alone = {}, True
        return self._base


class Numbers(Mapping[str, int]):
    """Names numbered from 0 in order of arrival. Versions share the numbers; each knows those below its length.

    The length is one more than the highest number.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._gone: frozenset[str] = frozenset()
        self._size = 0

    def fork(self) -> "Numbers":
        """Return the next version."""
        return twin(self)

    def learn(self, names: Iterable[str]) -> None:
        """Number names; known ones keep their number."""
        names = [*names]
        if back := self._gone.intersection(names):  # for older versions they keep their numbers
            self._numbers = {name: number for name, number in self._numbers.items() if name not in back}
            self._gone -= back
        for name in names:
            if name not in self._numbers:
                self._numbers[name] = self._size
                self._size += 1

    def drop(self, names: Collection[str]) -> None:
        """Forget names; their numbers stay taken, and the length what it was."""
        self._gone |= self._numbers.keys() & names

    @overload
    def get(self, name: str, /) -> int | None: ...
    @overload
    def get(self, name: str, /, default: int | T) -> int | T: ...
    def get(self, name: str, /, default: Any = None) -> Any:
        """Return the number of `name`, or `default`."""
        number = self._numbers.get(name)
        return default if number is None or number >= self._size or name in self._gone else number

    def __getitem__(self, name: str) -> int:
        number = self._numbers[name]
        if number >= self._size or name in self._gone:
            raise KeyError(name)
        return number

    def __contains__(self, name: object) -> bool:
        return name in self._numbers and self._numbers[name] < self._size and name not in self._gone

    def __iter__(self) -> Iterator[str]:
        numbers = list(self._numbers.items())
        return (name for name, number in numbers if number < self._size and name not in self._gone)

    def __len__(self) -> int:
        return self._size
