"""A cache of embeddings: questions repeat, and every turn recurs as a neighbour or a duplicate."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memoranda.ports import Embedder, Space

#: Bytes of one entry beside its vector: key, value and table slot.
OVERHEAD = 200


class CachedEmbedder:
    """An LRU cache of vectors by the SHA-256 of their text; the text itself is not kept.

    Args:
        embedder: embeds the texts that are missing, each once. All entries are in its space.
        max_bytes: the most memory for the entries.

    Attributes:
        hits, misses: texts answered from the cache, and texts that the embedder had to embed.
    """

    def __init__(self, embedder: Embedder, *, max_bytes: int = 16 * 2**20) -> None:
        self.hits = 0
        self.misses = 0
        self._embedder = embedder
        self._capacity = max_bytes // (4 * embedder.space.dimension + OVERHEAD)
        self._entries: OrderedDict[bytes, bytes] = OrderedDict()

    @property
    def space(self) -> Space:
        """The space of the wrapped embedder."""
        return self._embedder.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text.

        Raises:
            EmbedderError: the wrapped embedder raised it.
        """
        entries = self._entries  # kept by reference: after a `clear` meanwhile, nothing enters the new cache
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
        """Return the `texts` without a cached vector, each once."""
        return [text for text in dict.fromkeys(texts) if _key(text) not in self._entries]

    def _keep(self, entries: OrderedDict[bytes, bytes], used: dict[bytes, bytes]) -> None:
        entries.update(used)
        for key in used:
            entries.move_to_end(key)
        while len(entries) > self._capacity:
            entries.popitem(last=False)

    def clear(self) -> None:
        """Drop every vector, as erasure requires: a vector reveals something about its text."""
        self._entries = OrderedDict()

    async def close(self) -> None:
        """Drop every vector and close the wrapped embedder."""
        self.clear()
        await self._embedder.close()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
