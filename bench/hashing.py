"""The benchmark's embedder. It counts its own time, so that it can be subtracted from a system's.

Each word picks a row of a fixed random table; the vector is the normalised sum of these rows. It needs only numpy,
because it also runs in the peers' environments.
"""

import time
import zlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
_ROWS = 4096


class Hashing:
    """Embeds texts as unit vectors. Vectors of `warm` texts are looked up, so a question costs nothing.

    Attributes:
        spent: seconds spent embedding so far.
    """

    def __init__(self) -> None:
        self._table = np.random.default_rng(0).standard_normal((_ROWS, DIMENSION), np.float32)
        self._warm: dict[str, NDArray[np.float32]] = {}
        self.spent = 0.0

    def warm(self, texts: Iterable[str]) -> None:
        """Compute and keep the vectors of `texts`."""
        self._warm.update((text, self.vector(text)) for text in texts)

    def vector(self, text: str) -> NDArray[np.float32]:
        """Return the vector of one text."""
        known = self._warm.get(text)
        if known is not None:
            return known
        begun = time.perf_counter()
        rows = [zlib.crc32(word.encode()) % _ROWS for word in text.lower().split()]
        total = self._table[rows or [0]].sum(axis=0)
        vector = np.asarray(total / np.sqrt(total @ total), np.float32)
        self.spent += time.perf_counter() - begun
        return vector
