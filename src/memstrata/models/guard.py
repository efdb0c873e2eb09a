"""What an embedder answers is checked before anything is built on it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memstrata.errors import EmbedderError
from memstrata.ports import Embedder, Space

TOLERANCE = 1e-3


class GuardedEmbedder:
    """Lets through only unit vectors of the promised shape. How long to wait for them, the flows decide.

    Args:
        embedder: the one to watch.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def space(self) -> Space:
        """The space of the embedder behind it."""
        return self._embedder.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text.

        Raises:
            EmbedderError: it failed, or answered something else; the message names it.
        """
        name = self.space.name
        if not texts:
            return np.empty((0, self.space.dimension), np.float32)
        try:
            vectors = np.asarray(await self._embedder.embed(texts), np.float32)
        except Exception as error:  # the host's own code: it may raise anything, and must not cost an event
            raise EmbedderError(f"The embedder {name} failed: {error}") from error
        expected = (len(texts), self.space.dimension)
        if vectors.shape != expected:
            raise EmbedderError(f"The embedder {name} answered the shape {vectors.shape} instead of {expected}.")
        # A comparison with NaN is false: this asks for what must hold.
        if not (np.abs(np.linalg.norm(vectors, axis=1) - 1) < TOLERANCE).all():
            raise EmbedderError(f"The embedder {name} answered vectors that are not of unit length.")
        return vectors

    async def close(self) -> None:
        """Close the embedder behind it."""
        await self._embedder.close()
