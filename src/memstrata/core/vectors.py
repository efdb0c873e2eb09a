"""The vectors of numbered passages: one growing matrix, scanned exactly."""

import numpy as np
from numpy.typing import NDArray

from memstrata.core.columns import Floats, Ints, Mask, room_for

_BLOCK = 256  # windows measured at a time, so that their vectors stay in the processor's cache


class Vectors:
    """Unit vectors by the number of their passage; not every passage has one.

    Args:
        dimension: how many numbers each has.
        windows: how many windows about each passage are measured.
    """

    def __init__(self, dimension: int, windows: int = 0) -> None:
        self.dimension = dimension
        self._size = 0
        self._matrix = np.zeros((64 if dimension else 0, dimension), np.float32)
        self._embedded = np.zeros(64, np.bool_)
        self._lengths: Floats = np.full((64, windows), np.nan, np.float32)  # of the sums over windows

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._matrix.nbytes + self._lengths.nbytes

    @property
    def embedded(self) -> Mask:
        """Which passages have a vector."""
        return self._embedded[: self._size]

    def resize(self, size: int) -> None:
        """Let there be `size` passages; the new ones have no vector."""
        self._size = size
        self._embedded = room_for(self._embedded, size)
        self._lengths = room_for(self._lengths, size, np.nan)

    def put(self, numbers: list[int], vectors: NDArray[np.floating]) -> None:
        """Give passages their vectors, of numbers of any size."""
        self._matrix = room_for(self._matrix, self._size)
        first, end = numbers[0], numbers[0] + len(numbers)
        places = slice(first, end) if numbers == list(range(first, end)) else numbers  # a slice is copied at once
        self._matrix[places] = vectors
        self._embedded[places] = True

    def one(self, number: int) -> Floats | None:
        """The vector of a passage, if it has one; not to be written to."""
        return self._matrix[number] if self._embedded[number] else None

    def of(self, numbers: Ints) -> Floats:
        """The vectors of passages; zeros where there is none."""
        vectors = np.zeros((len(numbers), self.dimension), np.float32)
        held = numbers < len(self._matrix)
        vectors[held] = self._matrix[numbers[held]]
        return vectors

    def cosine(self, query: Floats) -> Floats:
        """Cosine of every passage with the query; 0 where a passage has no vector."""
        scores = np.zeros(self._size, np.float32)
        filled = min(self._size, len(self._matrix))
        scores[:filled] = self._matrix[:filled] @ query
        return scores

    def unsettle(self, numbers: Ints) -> None:
        """Have the windows about these passages measured anew; -1 is none."""
        self._lengths[numbers[numbers >= 0]] = np.nan

    def unsettled(self) -> Ints:
        """The passages whose windows are not measured."""
        return np.flatnonzero(np.isnan(self._lengths[: self._size, 0])).astype(np.int32)

    def measure(self, numbers: Ints, around: Ints, weights: Floats) -> None:
        """Keep the lengths of the windows of passages: of the weighted sums of the vectors in them.

        Args:
            numbers: the passages.
            around: the numbers of those about each, -1 where there is none.
            weights: of each of these places in each window, shape (windows, places).
        """
        there = (around >= 0) & (around < len(self._matrix))
        safe = np.where(there, around, 0)
        for start in range(0, len(numbers), _BLOCK):
            block = slice(start, start + _BLOCK)
            sums = (weights * there[block, None, :]) @ self._matrix[safe[block]]
            lengths = np.sqrt(np.einsum("nwd,nwd->nw", sums, sums))
            self._lengths[numbers[block]] = np.maximum(lengths, 1e-9)

    def windows(self, numbers: Ints, around: Ints, weights: Floats, scores: Floats) -> Floats:
        """Cosine of the query with the measured windows of passages: with the normalised weighted sums of vectors.

        A sum's product with the query is the sum of the scores, so that only its length takes the vectors.

        Args:
            numbers: the passages.
            around: the numbers of those about each, -1 where there is none.
            weights: of each of these places in each window, shape (windows, places).
            scores: cosine of every passage.

        Returns:
            One row per window.
        """
        sums = np.where(around >= 0, scores[around], np.float32(0)) @ weights.T
        return np.asarray((sums / self._lengths[numbers]).T, np.float32)
