"""Columns: numpy arrays that grow together, and numbers that stand for names in them."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray


class Columns:
    """Arrays that grow together, by doubling."""

    def __init__(self, **types: type) -> None:
        self.size = 0
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(64, kind) for name, kind in types.items()}

    def extend(self, count: int, **values: Sequence[Any] | float) -> None:
        """Append `count` rows: for every column a value per row, or one for all."""
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
    """Numbers for names, so that they can be compared in an array. None is -1."""

    def __init__(self) -> None:
        self._codes: dict[Name, int] = {}

    def learn(self, names: Iterable[Name | None]) -> list[int]:
        """The code of each, given to it now if it is new."""
        codes = self._codes
        return [-1 if name is None else codes.setdefault(name, len(codes)) for name in names]

    def look(self, name: Name | None) -> int:
        """The code of `name`, or -2 if nothing has it."""
        return -1 if name is None else self._codes.get(name, -2)

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def names(self) -> Iterable[Name]:
        """What has a code."""
        return self._codes.keys()


def room_for(array: NDArray[Any], rows: int, fill: float = 0) -> NDArray[Any]:
    """`array`, or a larger copy that has at least `rows` rows, the new ones holding `fill`."""
    if rows <= len(array):
        return array
    grown = np.full((max(64, 2 * len(array), rows), *array.shape[1:]), fill, array.dtype)
    grown[: len(array)] = array
    return grown
