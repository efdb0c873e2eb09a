"""The array types of the core: numpy columns that grow together, and integer codes for names."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Columns:
    """Arrays that grow together, by doubling."""

    def __init__(self, **types: type) -> None:
        self.size = 0
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(64, kind) for name, kind in types.items()}

    def extend(self, count: int, **values: Sequence[Any] | NDArray[Any] | float) -> None:
        """Append `count` rows: for every column a value per row, or one value for all."""
        end = self.size + count
        for name, array in self._arrays.items():
            grown = room_for(array, end)
            grown[self.size : end] = values[name]
            self._arrays[name] = grown
        self.size = end

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The filled part of a column, writable."""
        return self._arrays[name][: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(column.nbytes for column in self._arrays.values())


Name = TypeVar("Name", bound=Hashable)


class Codes(Generic[Name]):
    """Integer codes for names, so that they can be compared in an array. None is -1."""

    def __init__(self) -> None:
        self._codes: _Numbering[Name | None] = _Numbering({None: -1})

    def learn(self, names: Iterable[Name | None]) -> list[int]:
        """Return the code of each name, assigning one if it is new."""
        return list(map(self._codes.__getitem__, names))

    def look(self, name: Name | None) -> int:
        """Return the code of `name`, or -2 if it has none."""
        return self._codes.get(name, -2)

    def __len__(self) -> int:
        return len(self._codes) - 1

    @property
    def names(self) -> Iterable[Name]:
        """The names that have a code."""
        return [name for name in self._codes if name is not None]


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
