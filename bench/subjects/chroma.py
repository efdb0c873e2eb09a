"""Chroma, embedded and persistent, with precomputed vectors."""

from collections.abc import Sequence

import chromadb

from bench.hashing import Hashing
from bench.utterances import Turn

_MOST = 4_000  # items Chroma takes in one call, rounded down


class Subject:
    """One collection or store with one user's turns."""

    def __init__(self, place: str, hashing: Hashing) -> None:
        self._hashing = hashing
        self._client = chromadb.PersistentClient(path=place)
        self._turns = self._client.get_or_create_collection(
            "turns", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def load(self, turns: Sequence[Turn]) -> None:
        """Store many turns at once."""
        for start in range(0, len(turns), _MOST):
            part = turns[start : start + _MOST]
            self._turns.add(
                ids=[turn.id for turn in part],
                documents=[turn.text for turn in part],
                embeddings=[self._hashing.vector(turn.text) for turn in part],
                metadatas=[
                    {"role": turn.role, "conversation": turn.conversation, "at": turn.at.isoformat()} for turn in part
                ],
            )

    def add(self, turn: Turn) -> None:
        """Store one turn."""
        self.load([turn])

    def search(self, question: str) -> list[str]:
        """Search, and return the texts that are found, best first."""
        found = self._turns.query(query_embeddings=[self._hashing.vector(question)], n_results=10)
        return [*found["documents"][0]]

    def close(self) -> None:
        """Release everything."""
        self._client.close()
