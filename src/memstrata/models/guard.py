"""What an embedder answers is checked before anything is built on it."""

from collections.abc import Sequence

import anyio
import numpy as np
from numpy.typing import NDArray

from memstrata.errors import EmbedderError
from memstrata.ports import Embedder, Space

#: Texts per call of the embedder, so that one time limit fits a question and an import alike.
BATCH = 256
TOLERANCE = 1e-3


class GuardedEmbedder:
    """Lets through only unit vectors of the promised shape that came in time.

    Args:
        embedder: the one to watch. What it does in a thread is waited for; what it awaits is cancelled.
        timeout: seconds for each batch of 256 texts.
    """

    def __init__(self, embedder: Embedder, *, timeout: float = 30.0) -> None:
        self._embedder = embedder
        self._timeout = timeout

    @property
    def space(self) -> Space:
        """The space of the embedder behind it."""
        return self._embedder.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text.

        Raises:
            EmbedderError: it failed, took too long, or answered something else; the message names it.
        """
        batches = [await self._batch(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate([np.empty((0, self.space.dimension), np.float32), *batches])

    async def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        name = self.space.name
        try:
            with anyio.fail_after(self._timeout):
                vectors = np.asarray(await self._embedder.embed(texts), np.float32)
        except TimeoutError as error:
            raise EmbedderError(f"The embedder {name} did not answer within {self._timeout:g} s.") from error
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
