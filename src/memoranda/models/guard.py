"""Guards, which check the answers of models before they are used."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from memoranda.errors import (
    EmbedderError,
    EmbedderUnavailableError,
    LanguageModelDeniedError,
    LanguageModelError,
    LanguageModelUnavailableError,
    MemorandaError,
    ModelError,
    RerankerError,
    RerankerUnavailableError,
)
from memoranda.ports import Completion, Embedder, LanguageModel, Reranker, Space

MOST_TOKENS = 10_000_000  # of one request; a higher count is wrong
TOLERANCE = 1e-3
#: The errors of models, each before what it is a kind of.
KINDS: tuple[type[ModelError], ...] = (
    EmbedderUnavailableError, EmbedderError, LanguageModelUnavailableError, LanguageModelDeniedError,
    LanguageModelError, RerankerUnavailableError, RerankerError,
)  # fmt: skip
_M = TypeVar("_M", bound=Embedder | LanguageModel | Reranker)


@contextmanager
def guarded(what: str, error: type[MemorandaError]) -> Iterator[None]:
    """Turn any exception of foreign code into `error`, or a kind of it, with a message that `what` failed."""
    try:
        yield
    except Exception as cause:  # foreign code may raise anything, and no event may be lost by it
        message = f"{what} failed: {cause}"
        kind = next((one for one in KINDS if isinstance(cause, one) and issubclass(one, error)), None)
        if kind and isinstance(cause, ModelError):
            raise kind(message, **_tokens(cause), after=cause.after) from cause
        raise error(message) from cause


class _Guard(Generic[_M]):
    """A wrapper of a model."""

    def __init__(self, model: _M) -> None:
        self._model = model
        self._closed = False

    @property
    def name(self) -> str:
        """The name of the wrapped model; of an embedder, that of its space."""
        model = self._model
        return model.space.name if isinstance(model, Embedder) else model.name

    @property
    def provider(self) -> str:
        """The provider whose limits it shares: its server's address if it has one, else its name before the slash."""
        own = getattr(self._model, "provider", None)
        return own if isinstance(own, str) else self.name.partition("/")[0]

    async def close(self) -> None:
        """Close the wrapped model, once: it may serve several tasks."""
        if not self._closed:
            self._closed = True
            await self._model.close()


class GuardedEmbedder(_Guard[Embedder]):
    """Accepts only unit vectors of the expected shape. It sets no timeout; flows do."""

    @property
    def space(self) -> Space:
        """The space of the wrapped embedder."""
        return self._model.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text.

        Raises:
            EmbedderUnavailableError: the embedder raised it.
            EmbedderError: the embedder, named in the message, failed or returned anything else.
        """
        name = self.name
        if not texts:
            return np.empty((0, self.space.dimension), np.float32)
        with guarded(f"The embedder {name}", EmbedderError):
            vectors = np.asarray(await self._model.embed(texts), np.float32)
        expected = (len(texts), self.space.dimension)
        if vectors.shape != expected:
            raise EmbedderError(f"The embedder {name} answered the shape {vectors.shape} instead of {expected}.")
        # A comparison with NaN is false, so test what must hold.
        if not (np.abs(np.linalg.norm(vectors, axis=1) - 1) < TOLERANCE).all():
            raise EmbedderError(f"The embedder {name} answered vectors that are not of unit length.")
        return vectors


class GuardedLanguageModel(_Guard[LanguageModel]):
    """Accepts only completions with a text."""

    async def complete(self, prompt: str, **options: Any) -> Completion:
        """Complete one prompt. See `ports.LanguageModel`.

        Raises:
            LanguageModelUnavailableError, LanguageModelDeniedError: the model raised it.
            LanguageModelError: the model, named in the message, failed, or returned nothing or no completion.
        """
        name = f"The language model {self.name}"
        with guarded(name, LanguageModelError):
            found: object = await self._model.complete(prompt, **options)
        if not isinstance(found, Completion) or not isinstance(found.text, str):
            raise LanguageModelError(f"{name} answered {type(found).__name__}; it should be a ports.Completion.")
        if not found.text.strip():
            raise LanguageModelError(f"{name} answered nothing.", **_tokens(found))
        return replace(found, **_tokens(found))


def _tokens(told: Completion | ModelError) -> dict[str, Any]:
    """Return the token counts of an answer or error, which may be billed; 0 for an invalid count."""
    given: dict[str, object] = {"tokens_in": told.tokens_in, "tokens_out": told.tokens_out}
    return {name: value if type(value) is int and 0 <= value <= MOST_TOKENS else 0 for name, value in given.items()}


class GuardedReranker(_Guard[Reranker]):
    """Accepts only one number from 0 to 1 per text."""

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers `query`.

        Raises:
            RerankerUnavailableError: the reranker raised it.
            RerankerError: the reranker, named in the message, failed or returned anything else.
        """
        name = f"The reranker {self.name}"
        if not texts:
            return []
        with guarded(name, RerankerError):
            scores = np.asarray(await self._model.rerank(query, texts), np.float64)
        if scores.shape != (len(texts),) or not ((scores >= 0) & (scores <= 1)).all():
            raise RerankerError(f"{name} answered something else than {len(texts)} numbers from 0 to 1.")
        return [float(score) for score in scores]
