"""mem0 without a language model (`infer=False`), on its own embedded Qdrant, with the benchmark's embedder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mem0 import Memory

from bench.hashing import DIMENSION, Hashing
from bench.utterances import Turn


class _Embedding:
    """The benchmark's embedder behind mem0's interface."""

    def __init__(self, hashing: Hashing) -> None:
        self._hashing = hashing

    def embed(self, text: str, *_: Any, **__: Any) -> list[float]:
        vector: list[float] = self._hashing.vector(text).tolist()
        return vector

    def embed_batch(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class Subject:
    """One collection or store with one user's turns."""

    def __init__(self, place: str, hashing: Hashing) -> None:
        folder = Path(place)
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": DIMENSION, "on_disk": True}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": {"collection_name": "turns", **store}},
                "embedder": {"provider": "openai", "config": {"api_key": "unused"}},
                "llm": {"provider": "openai", "config": {"api_key": "unused"}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _Embedding(hashing)

    def load(self, turns: Sequence[Turn]) -> None:
        """Store many turns at once."""
        for turn in turns:
            self.add(turn)

    def add(self, turn: Turn) -> None:
        """Store one turn."""
        said = [{"role": turn.role, "content": turn.text}]
        self._memory.add(said, user_id="one", infer=False, metadata={"conversation": turn.conversation})

    def search(self, question: str) -> list[str]:
        """Search, and return the texts that are found, best first."""
        found = self._memory.search(question, filters={"user_id": "one"}, top_k=10, threshold=0.0)
        return [one["memory"] for one in found["results"]]

    def close(self) -> None:
        """Release everything."""
        self._memory.close()
