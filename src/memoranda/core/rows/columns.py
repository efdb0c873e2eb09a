"""The array types of the core: numpy columns that grow together, and integer codes for names.

Both come in versions: `fork` gives the next one, which may be changed, and from then on the one before may not.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.versions import twin

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Columns:
    """Arrays that grow together, by doubling. Versions share an array until one of them writes over a shared cell."""

    def __init__(self, **types: type) -> None:
        self.size = 0
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(64, kind) for name, kind in types.items()}
        self._filled: dict[str, NDArray[Any]] = {}  # the filled parts, as they were asked for
        self._shared = 0  # so many rows are those of the version before, too
        self._own: set[str] = set()  # columns that were copied since

    def fork(self) -> "Columns":
        """Return the next version."""
        new = twin(self)
        new._arrays, new._filled, new._shared, new._own = dict(self._arrays), {}, self.size, set()
        return new

    def extend(self, count: int, **values: Sequence[Any] | NDArray[Any] | float) -> None:
        """Append `count` rows: for every column a value per row, or one value for all."""
        end = self.size + count
        for name, array in self._arrays.items():
            grown = room_for(array, end)
            grown[self.size : end] = values[name]
            self._arrays[name] = grown
        self._filled = {}
        self.size = end

    def write(self, name: str, number: int, value: float) -> None:
        """Change one value."""
        if self._arrays[name][number] == value:
            return
        if number < self._shared and name not in self._own:
            self._arrays[name] = self._arrays[name].copy()
            self._own.add(name)
            self._filled.pop(name, None)
        self._arrays[name][number] = value

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The filled part of a column, read-only."""
        found = self._filled.get(name)
        if found is None:
            found = self._filled[name] = self._arrays[name][: self.size]
            found.flags.writeable = False
        return found

    @property
    def names(self) -> Iterable[str]:
        """The names of the columns."""
        return self._arrays.keys()

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(column.nbytes for column in self._arrays.values())


Name = TypeVar("Name", bound=Hashable)


class Codes(Generic[Name]):
    """Integer codes for names, in order of arrival, so that they can be compared in an array. None is -1.

    Versions share the codes; each knows those that were given until it was made.
    """

    def __init__(self) -> None:
        self._codes: _Numbering[Name | None] = _Numbering({None: -1})
        self._size = 0

    def fork(self) -> "Codes[Name]":
        """Return the next version."""
        return twin(self)

    def learn(self, names: Iterable[Name | None]) -> list[int]:
        """Return the code of each name, assigning one if it is new."""
        found = list(map(self._codes.__getitem__, names))
        self._size = len(self._codes) - 1
        return found

    def look(self, name: Name | None) -> int:
        """Return the code of `name`, or -2 if it has none."""
        code = self._codes.get(name, -2)
        return code if code < self._size else -2

    def __len__(self) -> int:
        return self._size

    @property
    def names(self) -> Iterable[Name]:
        """The names that have a code, in its order."""
        return [name for name in islice(self._codes, self._size + 1) if name is not None]


class _Numbering(dict[Name, int]):
    """A dictionary that assigns the next number to a missing key, without a Python frame for a known one."""

    def __missing__(self, name: Name) -> int:
        code = self[name] = len(self) - 1
        return code


def room_for(array: NDArray[Any], rows: int, fill: float = 0) -> NDArray[Any]:
    """Return `array`, or a larger copy with at least `rows` rows, new ones set to `fill`."""
    if rows <= len(array):
        return array
    shape = max(64, 2 * len(array), rows), *array.shape[1:]
    grown = np.full(shape, fill, array.dtype) if fill else np.zeros(shape, array.dtype)  # zeros touches no memory
    grown[: len(array)] = array
    return grown
