"""memoranda through its public API, on SQLite or PostgreSQL.

A place is a folder or a URI, with options before it: `relaxed::words::/folder`. `relaxed` selects relaxed durability,
`words` no embedder, `awaited` the class `AsyncMemory`.
"""

import asyncio
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

import memoranda
from bench.hashing import DIMENSION, Hashing
from bench.utterances import Turn
from memoranda.core.formats import Conversation, Message
from memoranda.ports import Space


class HashEmbedder:
    """The benchmark's embedder behind memoranda's port."""

    # The name marks it as local; each call to a remote embedder would be entered in the ledger.
    space = Space(name=f"hashed/bench-{DIMENSION}@1", dimension=DIMENSION)

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
        *options, where = place.split("::")
        url = where if "://" in where else str(Path(where) / "memory.db")
        face = memoranda.AsyncMemory if "awaited" in options else memoranda.Memory
        self._answer = _Loop() if "awaited" in options else _at_once
        self._memory: Any = self._answer(
            face.open(
                url,
                embedder="none" if "words" in options else HashEmbedder(hashing),
                durability="relaxed" if "relaxed" in options else "full",
            )
        )
        self._user = self._memory.scope(tenant="bench", user="one")

    def load(self, turns: Sequence[Turn]) -> None:
        """Store many turns at once."""
        conversations = [_conversation(list(own)) for _, own in groupby(turns, lambda t: t.conversation)]
        self._answer(self._user.import_conversations(conversations))

    def add(self, turn: Turn) -> None:
        """Store one turn."""
        message = {"role": turn.role, "content": turn.text, "timestamp": turn.at.isoformat(), "id": turn.id}
        self._answer(self._user.add([message], conversation=turn.conversation))

    def search(self, question: str) -> list[str]:
        """Search, and return the texts that are found, best first."""
        return [item.text for item in self._answer(self._user.recall(question, limit=10))]

    def context(self, question: str) -> int:
        """Assemble the text for a prompt and return its length."""
        return len(self._answer(self._user.context(question, budget=4000)).text)

    def disk(self) -> int:
        """Return the bytes on disk, as the store reports them."""
        return int(self._answer(self._memory.doctor(tenant="bench")).store["bytes"])

    def close(self) -> None:
        """Release everything."""
        self._answer(self._memory.close())


class _Loop:
    """Runs `AsyncMemory` calls one at a time on an event loop of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = Lock()

    def __call__(self, answer: Any) -> Any:
        with self._lock:
            return self._loop.run_until_complete(answer)


def _at_once(answer: Any) -> Any:
    return answer


def _conversation(turns: Sequence[Turn]) -> Conversation:
    messages = tuple(Message(role=turn.role, content=turn.text, at=turn.at, id=turn.id) for turn in turns)
    return Conversation(id=turns[0].conversation, messages=messages)
