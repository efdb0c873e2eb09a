"""Models that cache what they answered, so that runs share it; of an embedder, the seconds are counted."""

import asyncio
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memoranda.models import open_currency, open_embedder
from memoranda.ports import Embedder, Reranker, Space


class Remembering:
    """Calls `embedder` once for each text.

    Attributes:
        seconds: time spent in the embedder so far.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.seconds = 0.0
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def space(self) -> Space:
        """The space of the wrapped embedder."""
        return self._embedder.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            begun = time.perf_counter()
            self._known.update(zip(missing, await self._embedder.embed(missing), strict=True))
            self.seconds += time.perf_counter() - begun
        return np.array([self._known[text] for text in texts], np.float32).reshape(len(texts), self.space.dimension)

    async def close(self) -> None:
        """Do nothing: the embedder is shared and stays open."""


def remembering(spec: str) -> Remembering | None:
    """Open the embedder `spec` with a cache; None for `none`."""
    embedder = open_embedder(spec)
    return Remembering(embedder) if embedder else None


class RememberingJudge:
    """Asks a model for currency once for each pair of texts."""

    def __init__(self, judge: Reranker) -> None:
        self.name = judge.name
        self._judge = judge
        self._known: dict[tuple[str, str], float] = {}

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how surely `query` outdates each text."""
        missing = [text for text in dict.fromkeys(texts) if (query, text) not in self._known]
        if missing:
            found = await self._judge.rerank(query, missing)
            self._known.update(((query, text), float(one)) for text, one in zip(missing, found, strict=True))
        return [self._known[query, text] for text in texts]

    async def close(self) -> None:
        """Do nothing: the model is shared and stays open."""


def remembering_judge(spec: str) -> RememberingJudge | None:
    """Open the model for currency `spec` with a cache; None for `none`."""
    judge = open_currency(spec)
    return RememberingJudge(judge) if judge else None


def embed(embedder: Embedder, texts: Sequence[str], batch: int = 8) -> NDArray[np.float32]:
    """Return the vectors of `texts`. Must not be called from an event loop."""

    async def run() -> list[NDArray[np.float32]]:
        return [await embedder.embed(texts[start : start + batch]) for start in range(0, len(texts), batch)]

    return np.concatenate([np.zeros((0, embedder.space.dimension), np.float32), *asyncio.run(run())])
