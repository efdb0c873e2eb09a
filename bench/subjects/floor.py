"""The floor: one durable SQLite row per turn and one numpy scan per search, the least that could be called a memory."""

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.hashing import DIMENSION, Hashing
from bench.utterances import Turn


class Subject:
    """Rows on disk, and their vectors in one growing matrix."""

    def __init__(self, place: str, hashing: Hashing) -> None:
        self._hashing = hashing
        self._lock = threading.Lock()
        folder, level = place.removeprefix("relaxed:"), "NORMAL" if place.startswith("relaxed:") else "FULL"
        self._db = sqlite3.connect(Path(folder) / "floor.db", isolation_level=None, check_same_thread=False)
        self._db.executescript(
            f"PRAGMA journal_mode=WAL; PRAGMA synchronous={level};"
            "CREATE TABLE IF NOT EXISTS turns (id TEXT PRIMARY KEY, role TEXT, text TEXT, at TEXT, vector BLOB)"
        )
        stored = self._db.execute("SELECT vector FROM turns ORDER BY rowid").fetchall()
        self._size = len(stored)
        self._matrix = np.zeros((max(64, 2 * self._size), DIMENSION), np.float32)
        for number, (blob,) in enumerate(stored):
            self._matrix[number] = np.frombuffer(blob, np.float32)

    def load(self, turns: Sequence[Turn]) -> None:
        """Store many turns at once."""
        self._db.execute("BEGIN")
        for turn in turns:
            self.add(turn)
        self._db.execute("COMMIT")

    def add(self, turn: Turn) -> None:
        """Store one turn."""
        vector = self._hashing.vector(turn.text)
        row = (turn.id, turn.role, turn.text, turn.at.isoformat(), vector.tobytes())
        self._db.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?)", row)
        if self._size == len(self._matrix):
            self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
        self._matrix[self._size] = vector
        self._size += 1

    def search(self, question: str) -> list[str]:
        """Search, and return the texts that are found, best first."""
        scores = self._matrix[: self._size] @ self._hashing.vector(question)
        best = np.argpartition(scores, -10)[-10:] if self._size > 10 else np.arange(self._size)
        numbers = [int(number) + 1 for number in best[np.argsort(-scores[best])]]
        chosen = f"SELECT rowid, text FROM turns WHERE rowid IN ({','.join('?' * len(numbers))})"
        with self._lock:
            texts = dict(self._db.execute(chosen, numbers).fetchall())
        return [texts[number] for number in numbers]

    def close(self) -> None:
        """Release everything."""
        self._db.close()
