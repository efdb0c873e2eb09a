"""memstrata through its public API: on SQLite with full or relaxed durability or without vectors, or on PostgreSQL."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import memstrata
from bench.hashing import DIMENSION, Hashing
from bench.utterances import Turn
from memstrata.core.formats import Conversation, Message
from memstrata.ports import Space


class HashEmbedder:
    """The benchmark's embedder behind memstrata's port."""

    space = Space(name=f"bench/hashing-{DIMENSION}@1", dimension=DIMENSION)

    def __init__(self, hashing: Hashing) -> None:
        self._hashing = hashing

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text."""
        return np.array([self._hashing.vector(text) for text in texts], np.float32).reshape(len(texts), DIMENSION)

    async def close(self) -> None:
        """Nothing to release."""


class Subject:
    """One user's memory."""

    def __init__(self, place: str, hashing: Hashing) -> None:
        where = place.removeprefix("relaxed:").removeprefix("words:")
        url = where if "://" in where else str(Path(where) / "memory.db")
        self._memory = memstrata.Memory.open(
            url,
            embedder="none" if place.startswith("words:") else HashEmbedder(hashing),
            durability="relaxed" if place.startswith("relaxed:") else "full",
        )
        self._user = self._memory.scope(tenant="bench", user="one")

    def load(self, turns: Sequence[Turn]) -> None:
        """Take in many turns at once."""
        self._user.import_conversations(
            [_conversation(list(own)) for _, own in groupby(turns, lambda t: t.conversation)]
        )

    def add(self, turn: Turn) -> None:
        """Take in one turn."""
        message = {"role": turn.role, "content": turn.text, "timestamp": turn.at.isoformat(), "id": turn.id}
        self._user.add([message], conversation=turn.conversation)

    def search(self, question: str) -> int:
        """How many memories are found."""
        return len(self._user.recall(question, limit=10))

    def context(self, question: str) -> int:
        """How long the text for the prompt is."""
        return len(self._user.context(question, budget=4000).text)

    def disk(self) -> int:
        """As the store says."""
        return int(self._memory.doctor(tenant="bench").store["bytes"])

    def close(self) -> None:
        """Release everything."""
        self._memory.close()


def _conversation(turns: Sequence[Turn]) -> Conversation:
    messages = tuple(Message(role=turn.role, content=turn.text, at=turn.at, id=turn.id) for turn in turns)
    return Conversation(id=turns[0].conversation, messages=messages)
