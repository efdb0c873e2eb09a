"""The same text is embedded once: questions repeat, and every turn is met again as a neighbour or a duplicate."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memstrata.ports import Embedder, Space

#: Bytes of one entry beside its numbers: key, value and table slot.
OVERHEAD = 200


class CachedEmbedder:
    """Keeps the vectors used last, by the SHA-256 of their text; the text itself is not kept.

    Args:
        embedder: asked for what is not there, each text once. All entries are of its space.
        max_bytes: how much memory the entries may take.

    Attributes:
        hits, misses: texts answered from the cache, and texts the embedder was asked for.
    """

    def __init__(self, embedder: Embedder, *, max_bytes: int = 16 * 2**20) -> None:
        self.hits = 0
        self.misses = 0
        self._embedder = embedder
        self._capacity = max_bytes // (4 * embedder.space.dimension + OVERHEAD)
        self._entries: OrderedDict[bytes, bytes] = OrderedDict()

    @property
    def space(self) -> Space:
        """The space of the embedder behind it."""
        return self._embedder.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text.

        Raises:
            EmbedderError: the embedder behind it did.
        """
        entries = self._entries  # those of now: what is cleared meanwhile stays out
        keys = [_key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in entries}
        found = {key: entries[key] for key in keys if key not in missing}
        if missing:
            fresh = await self._embedder.embed(list(missing.values()))
            found.update(zip(missing, (row.tobytes() for row in fresh), strict=True))
        self.hits += len(keys) - len(missing)
        self.misses += len(missing)
        self._keep(entries, found)
        rows = [np.frombuffer(found[key], np.float32) for key in keys]
        return np.array(rows, np.float32).reshape(len(keys), self.space.dimension)

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of `texts`, each once, whose vectors are not kept."""
        return [text for text in dict.fromkeys(texts) if _key(text) not in self._entries]

    def _keep(self, entries: OrderedDict[bytes, bytes], used: dict[bytes, bytes]) -> None:
        entries.update(used)
        for key in used:
            entries.move_to_end(key)
        while len(entries) > self._capacity:
            entries.popitem(last=False)

    def clear(self) -> None:
        """Forget every vector, as erasure must: a vector tells something about its text."""
        self._entries = OrderedDict()

    async def close(self) -> None:
        """Forget every vector and close the embedder behind it."""
        self.clear()
        await self._embedder.close()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
