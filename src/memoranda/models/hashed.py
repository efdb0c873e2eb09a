"""Vectors of hashed character trigrams: they compare the spelling of two texts, not their meaning.

For tests, which need cheap vectors that never change, and for comparing near-duplicates. It adds nothing to recall: the
text index finds matching words better, and these vectors never connect words that do not match.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from memoranda.models.common import unit
from memoranda.ports import Space

_WORD = re.compile(r"\w+")


class HashedEmbedder:
    """Counts words and their trigrams in `dimension` signed buckets."""

    def __init__(self, dimension: int) -> None:
        self._space = Space(name=f"hashed/trigrams-{dimension}@1", dimension=dimension)

    @classmethod
    def open(cls, *, dimension: int = 256) -> Self:
        """Return the embedder; it has no files and needs no extra."""
        return cls(dimension)

    @property
    def space(self) -> Space:
        """The space of its vectors."""
        return self._space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text; a text without a word gets the first axis."""
        vectors = np.zeros((len(texts), self._space.dimension), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for gram in _grams(text):
                bucket, sign = divmod(zlib.crc32(gram.encode("utf-8", "replace")), 2)
                vector[bucket % len(vector)] += 1 - 2 * sign
        return unit(vectors)

    async def close(self) -> None:
        """Nothing to release."""


def _grams(text: str) -> Iterator[str]:
    for word in _WORD.findall(text.lower()):
        yield word
        padded = f"_{word}_"
        for start in range(len(padded) - 2):
            yield padded[start : start + 3]
