"""Rerankers from a local folder: a cross-encoder reads question and text together. Nothing is ever downloaded."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from memoranda.errors import ModelError, RerankerError, SetupError
from memoranda.models.common import clean
from memoranda.models.guard import guarded
from memoranda.models.onnx import CHUNK_CHARACTERS, RUN_TOKENS, Network, cut, identified


class CrossEncoder(Network):
    """Scores each text for a question, from 0 to 1."""

    _error: ClassVar[type[ModelError]] = RerankerError

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how well each text answers `query`; a pair longer than the network's window is truncated.

        Raises:
            RerankerError: the network failed.
        """
        pairs = [self._tokenizer.encode(clean(query), clean(text)) for text in texts]
        scores = np.empty(len(texts), np.float32)
        for run in cut(np.array([len(pair.ids) for pair in pairs]), RUN_TOKENS):
            chosen = [pairs[index] for index in run]
            logits, _ = self._outputs([pair.ids for pair in chosen], [pair.type_ids for pair in chosen])
            scores[run] = _sure(logits)
        return scores


class Scoring(Protocol):
    """A model that scores each text for another."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a score from 0 to 1 for each text."""
        ...


class OnnxReranker:
    """The asynchronous wrapper of a `CrossEncoder`: chunks run in a thread, so that a deadline can take effect.

    Args:
        name: the model's name.
        encoder: the model.
    """

    def __init__(self, name: str, encoder: Scoring) -> None:
        self._name = name
        self._encoder: Scoring | None = encoder
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"memoranda {name}")

    @classmethod
    def open(cls, folder: str | Path, *, max_tokens: int = 512, threads: int = 1) -> Self:
        """Load the model in `folder`: `model.onnx` and `tokenizer.json`.

        Raises:
            SetupError: a file is missing or damaged, or the network cannot score pairs.
        """
        name, files = identified(Path(folder), f"{max_tokens}")
        encoder = CrossEncoder(*files, max_tokens=max_tokens, threads=threads)
        with guarded(f"{files[0]} should be a cross-encoder, but a first pair", SetupError):
            encoder.score("?", ["."])
        return cls(name, encoder)

    @property
    def name(self) -> str:
        """The model's name: its folder and a digest of its files."""
        return self._name

    async def rerank(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how well each text answers `query`, from 0 to 1.

        Raises:
            RerankerError: the network failed, or the reranker is closed.
        """
        scores = np.empty(len(texts), np.float32)
        loop = asyncio.get_running_loop()
        for chunk in cut(np.array([len(query) + len(text) for text in texts], np.int64), CHUNK_CHARACTERS):
            if self._encoder is None:
                raise RerankerError(f"The reranker {self._name} is closed.")
            chosen = [texts[index] for index in chunk]
            scores[chunk] = await loop.run_in_executor(self._worker, self._encoder.score, query, chosen)
        return scores

    async def close(self) -> None:
        """Release the model's memory."""
        self._encoder = None
        self._worker.shutdown(wait=False, cancel_futures=True)


def _sure(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities from one logit per pair, or from two, of which the second is "answers"."""
    rows = logits.reshape(len(logits), -1).astype(np.float64)
    if logits.ndim > 2 or rows.shape[1] not in {1, 2}:
        raise ValueError(f"it answers the shape {logits.shape} instead of one or two numbers for each pair")
    margin = rows[:, -1] - (rows[:, 0] if rows.shape[1] == 2 else 0)
    return np.asarray(1 / (1 + np.exp(-np.clip(margin, -80, 80))), np.float32)
