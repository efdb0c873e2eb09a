"""LangGraph's SqliteStore with its vector index, on an SQLite build that can load extensions."""

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import pysqlite3

from bench.hashing import DIMENSION, Hashing
from bench.utterances import Turn

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    sys.modules["sqlite3"] = pysqlite3

from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore

_PLACE = ("one", "turns")


class Subject:
    """One collection or store with one user's turns."""

    def __init__(self, place: str, hashing: Hashing) -> None:
        path = str(Path(place) / "store.db")
        self._db = pysqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA synchronous=FULL")
        vectors = {"dims": DIMENSION, "embed": lambda texts: [hashing.vector(text).tolist() for text in texts]}
        # the documentation calls them "fields", the code of this version "text_fields"
        self._store = SqliteStore(self._db, index={**vectors, "fields": ["text"], "text_fields": ["text"]})
        self._store.setup()

    def load(self, turns: Sequence[Turn]) -> None:
        """Store many turns at once."""
        self._store.batch([PutOp(_PLACE, turn.id, _value(turn)) for turn in turns])

    def add(self, turn: Turn) -> None:
        """Store one turn."""
        self._store.put(_PLACE, turn.id, _value(turn))

    def search(self, question: str) -> list[str]:
        """Search, and return the texts that are found, best first."""
        return [found.value["text"] for found in self._store.search(_PLACE, query=question, limit=10)]

    def close(self) -> None:
        """Release everything."""
        self._db.close()


def _value(turn: Turn) -> dict[str, str]:
    return {"text": turn.text, "role": turn.role, "conversation": turn.conversation, "at": turn.at.isoformat()}
