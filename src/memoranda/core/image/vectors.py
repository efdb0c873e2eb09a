"""The vectors of numbered passages: one growing matrix, scanned exactly.

Versions share the matrix (see `core.base.versions`). A passage that gets its first vector has none for an older
version, whatever lies in its row by then.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.versions import twin
from memoranda.core.rows.columns import Floats, Ints, Mask, room_for

_LOOSE = 256  # changes of windows that may wait
_BLOCK = 256  # passages measured at a time, so that their vectors stay in the processor's cache


class Vectors:
    """Unit vectors by passage number; not every passage has one.

    Args:
        dimension: the dimension of the vectors.
        windows: the number of windows measured around each passage.
    """

    def __init__(self, dimension: int, windows: int = 0) -> None:
        self.dimension = dimension
        self._size = 0
        self._matrix = np.zeros((64 if dimension else 0, dimension), np.float32)
        self._embedded = np.zeros(64, np.bool_)
        self._lengths: Floats = np.full((64, windows), np.nan, np.float32)  # of the sums over windows
        self._loose: tuple[Ints, ...] = ()  # passages whose lengths are those of an older version
        self._shared = 0  # so many passages are those of the version before, too
        self._own: set[str] = set()  # arrays that were copied since

    def fork(self) -> "Vectors":
        """Return the next version."""
        new = twin(self)
        new._shared, new._own = self._size, set()
        return new

    def _claim(self, name: str, numbers: Iterable[int]) -> None:
        """Copy an array before cells of these passages are written, if an older version reads them."""
        if self._shared and name not in self._own and min(numbers, default=self._shared) < self._shared:
            setattr(self, name, getattr(self, name).copy())
            self._own.add(name)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._matrix.nbytes + self._lengths.nbytes

    @property
    def embedded(self) -> Mask:
        """Which passages have a vector."""
        return self._embedded[: self._size]

    def resize(self, size: int) -> None:
        """Set the number of passages; new ones have no vector."""
        self._size = size
        self._embedded = room_for(self._embedded, size)
        self._lengths = room_for(self._lengths, size, np.nan)

    def put(self, numbers: list[int], vectors: NDArray[np.floating]) -> None:
        """Set the vectors of passages; they may come in any floating-point type."""
        self._matrix = room_for(self._matrix, self._size)
        self._claim("_matrix", (number for number in numbers if self._embedded[number]))
        self._claim("_embedded", numbers)
        first, end = numbers[0], numbers[0] + len(numbers)
        places = slice(first, end) if numbers == list(range(first, end)) else numbers  # a slice is copied at once
        self._matrix[places] = vectors
        self._embedded[places] = True

    def drop(self, numbers: list[int]) -> None:
        """Take the vectors of passages away."""
        self._claim("_embedded", numbers)
        self._embedded[numbers] = False

    def one(self, number: int) -> Floats | None:
        """Return the vector of a passage, or None if it has none; read-only."""
        return self._matrix[number] if self._embedded[number] else None

    def of(self, numbers: Ints) -> Floats:
        """Return the vectors of passages; zeros for those that have none."""
        vectors = np.zeros((len(numbers), self.dimension), np.float32)
        held = self._embedded[numbers]
        vectors[held] = self._matrix[numbers[held]]
        return vectors

    def cosine(self, query: Floats) -> Floats:
        """Return the cosine of every passage with the query; 0 for those without a vector."""
        scores = np.zeros(self._size, np.float32)
        filled = min(self._size, len(self._matrix))
        scores[:filled] = self._matrix[:filled] @ query
        scores[~self.embedded] = 0
        return scores

    def unsettle(self, numbers: Ints) -> None:
        """Mark the windows around these passages to be measured again; -1 stands for no passage."""
        self._loose = (*self._loose, numbers[numbers >= 0])
        if len(self._loose) > _LOOSE:
            self._settle()

    def unsettled(self) -> Ints:
        """Return the passages whose windows are not measured."""
        self._settle()
        return np.flatnonzero(np.isnan(self._lengths[: self._size, 0])).astype(np.int32)

    def _settle(self) -> None:
        if self._loose:
            numbers, self._loose = np.concatenate(self._loose), ()
            self._claim("_lengths", numbers.tolist())
            self._lengths[numbers] = np.nan

    def measure(self, numbers: Ints, around: Ints, weights: Floats) -> None:
        """Store the lengths of the windows of passages: the norms of the weighted sums of their vectors.

        Args:
            numbers: the passages.
            around: the numbers of the passages around each, -1 where there is none.
            weights: the weight of each of these places in each window, shape (windows, places).
        """
        there = (around >= 0) & self._embedded[around]
        safe = np.where(there, around, 0)
        for start in range(0, len(numbers), _BLOCK):
            block = slice(start, start + _BLOCK)
            sums = (weights * there[block, None, :]) @ self._matrix[safe[block]]
            lengths = np.sqrt(np.einsum("nwd,nwd->nw", sums, sums))
            self._lengths[numbers[block]] = np.maximum(lengths, 1e-9)

    def windows(self, numbers: Ints, around: Ints, weights: Floats, scores: Floats) -> Floats:
        """Return the cosine of the query with the measured windows: with the normalised weighted sums of their vectors.

        The dot product of a sum with the query is the sum of the scores, so only the length of a sum needs the vectors.

        Args:
            numbers: the passages.
            around: the numbers of the passages around each, -1 where there is none.
            weights: the weight of each of these places in each window, shape (windows, places).
            scores: the cosine of every passage.

        Returns:
            One row per window.
        """
        sums = np.where(around >= 0, scores[around], np.float32(0)) @ weights.T
        return np.asarray((sums / self._lengths[numbers]).T, np.float32)
