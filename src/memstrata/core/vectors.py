"""The vectors of numbered passages: one growing matrix, scanned exactly."""

import numpy as np
from numpy.typing import NDArray

from memstrata.core.columns import room_for

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Vectors:
    """Unit vectors by the number of their passage; not every passage has one."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._size = 0
        self._matrix = np.zeros((64 if dimension else 0, dimension), np.float32)
        self._embedded = np.zeros(64, np.bool_)
        self._lengths: dict[tuple[int, int], Floats] = {}

    @property
    def nbytes(self) -> int:
        """Bytes held by the matrix."""
        return self._matrix.nbytes

    @property
    def embedded(self) -> Mask:
        """Which passages have a vector."""
        return self._embedded[: self._size]

    def resize(self, size: int) -> None:
        """Let there be `size` passages; the new ones have no vector."""
        self._size = size
        self._embedded = room_for(self._embedded, size)

    def put(self, numbers: list[int], vectors: NDArray[np.floating]) -> None:
        """Give passages their vectors, of numbers of any size."""
        self._matrix = room_for(self._matrix, self._size)
        first, end = numbers[0], numbers[0] + len(numbers)
        places = slice(first, end) if numbers == list(range(first, end)) else numbers  # a slice is copied at once
        self._matrix[places] = vectors
        self._embedded[places] = True
        self._lengths.clear()

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

    def windows(self, numbers: Ints, around: Ints, before: int, scores: Floats) -> Floats:
        """Cosine of the query with the window of each passage: the normalised sum of its vectors, neighbours at half.

        The sum's product with the query is the sum of the scores; only its length takes the vectors, and is kept.

        Args:
            numbers: the passages.
            around: the numbers of those in each one's window, -1 where there is none.
            before: how many of these come before the passage itself.
            scores: cosine of every passage.
        """
        inside = (around >= 0) & (around < len(self._matrix))
        weights = np.where(inside, np.float32(0.5), np.float32(0.0))
        weights[:, before] *= 2
        safe = np.where(inside, around, 0)
        lengths = self._window_lengths((before, around.shape[1]))
        unknown = np.flatnonzero(np.isnan(lengths[numbers]))
        if len(unknown):
            sums = np.einsum("nw,nwd->nd", weights[unknown], self._matrix[safe[unknown]])
            lengths[numbers[unknown]] = np.maximum(np.linalg.norm(sums, axis=1), 1e-9)
        return np.asarray((weights * scores[safe]).sum(axis=1) / lengths[numbers], np.float32)

    def _window_lengths(self, window: tuple[int, int]) -> Floats:
        """The lengths of window sums as far as they are known, NaN where not; kept until passages or vectors come."""
        kept = self._lengths.get(window)
        if kept is None or len(kept) != self._size:
            kept = self._lengths[window] = np.full(self._size, np.nan, np.float32)
        return kept
