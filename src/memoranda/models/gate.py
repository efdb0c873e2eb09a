"""The gate of a provider: it limits concurrent requests, retries transient errors, and has a circuit breaker."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.retry_policy import Circuit, Gating
from memoranda.errors import (
    EmbedderUnavailableError,
    LanguageModelUnavailableError,
    ModelError,
    RerankerUnavailableError,
)
from memoranda.models.guard import GuardedEmbedder, GuardedLanguageModel, GuardedReranker
from memoranda.ports import Call, Completion, Meter, Outcome, Pace, Space, Task, What

A = TypeVar("A")
M = TypeVar("M", bound=GuardedEmbedder | GuardedLanguageModel | GuardedReranker)
#: Called for each attempt with its outcome, seconds, and answer or error; with None if it was cancelled.
Note = Callable[[Outcome, float, object], None]


class Gate:
    """The gate that all models of one kind and provider share, for one event loop at a time.

    Args:
        provider: the provider's name, for messages.
        limits: the limits, attempts and waits.
        pace: the clock, sleep and randomness of the back-off.
        unavailable: the error of such a model that is worth another attempt.
    """

    def __init__(self, provider: str, limits: Gating, pace: Pace, unavailable: type[ModelError]) -> None:
        self._provider = provider
        self._limits = limits
        self._pace = pace
        self._unavailable = unavailable
        self._circuit = Circuit()
        self._places = asyncio.Semaphore(limits.calls)

    async def ask(self, ask: Callable[[], Awaitable[A]], note: Note) -> A:
        """Return the result of the first attempt of `ask` that succeeds; call `note` for each attempt.

        A call that backs off keeps its slot, so that a provider under load gets fewer requests.

        Raises:
            ModelError: of the kind `unavailable` if the last attempt failed, or the circuit is open; else an error that
                another attempt would not fix.
        """
        async with self._places:
            attempts = 0
            while True:
                self._enter()
                attempts += 1
                try:
                    return await self._attempt(ask, note)
                except self._unavailable as error:
                    wait = self._limits.wait(attempts, error.after, self._pace.chance())
                    if wait is None or self._left() is not None:
                        raise
                await self._pace.sleep(wait)

    def _left(self) -> float | None:
        return self._circuit.left(self._limits, self._pace.now())

    def _enter(self) -> None:
        left = self._left()
        if left is not None:
            raise self._unavailable(
                f"{self._provider} failed {self._circuit.failures} times in a row; it is asked again in {left:.0f} s.",
                after=left,
            )
        self._circuit = self._circuit.asked()

    async def _attempt(self, ask: Callable[[], Awaitable[A]], note: Note) -> A:
        begun, asked = self._pace.now(), self._circuit
        outcome: Outcome = "cancelled"
        found: A | ModelError | None = None
        try:
            found = answer = await self._timed(ask)
            outcome = "truncated" if isinstance(answer, Completion) and answer.truncated else "answered"
        except ModelError as error:
            found, outcome = error, "unavailable" if isinstance(error, self._unavailable) else "failed"
            raise
        finally:
            now = self._pace.now()
            self._circuit = {
                "unavailable": lambda: self._circuit.failed(self._limits, now),
                "cancelled": lambda: self._circuit.dropped(asked),
            }.get(outcome, self._circuit.answered)()
            note(outcome, now - begun, found)
        return answer

    async def _timed(self, ask: Callable[[], Awaitable[A]]) -> A:
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await ask()
        except TimeoutError as error:
            raise self._unavailable(f"{self._provider} did not answer within {self._limits.seconds:g} s.") from error


class Gates:
    """The gates of an open memory.

    Each kind of model has its own at a provider: a question waits for a vector, and must not wait for prompts.

    Args:
        limits: the limits, attempts and waits of each gate.
        pace: the clock, sleep and randomness of the back-off.
        meter: called with every request.
        counter: counts the tokens of a text for models that do not.
    """

    def __init__(self, limits: Gating, pace: Pace, meter: Meter, counter: Callable[[str], int]) -> None:
        self.meter = meter
        self.counter = counter
        self._limits = limits
        self._pace = pace
        self._opened: dict[tuple[str, type[ModelError]], Gate] = {}

    def of(self, provider: str, unavailable: type[ModelError]) -> Gate:
        """Return the gate of the models of `provider` that raise `unavailable`; always the same one."""
        key = (provider, unavailable)
        return self._opened.setdefault(key, Gate(provider, self._limits, self._pace, unavailable))


class _Gated(Generic[M]):
    """A guarded model behind the gate of its provider."""

    WHAT: ClassVar[What]
    UNAVAILABLE: ClassVar[type[ModelError]]

    def __init__(self, model: M, gates: Gates, task: Task | None = None) -> None:
        self._model = model
        self._gates = gates
        self._gate = gates.of(model.provider, self.UNAVAILABLE)
        self._task = task

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def close(self) -> None:
        """Close the wrapped model."""
        await self._model.close()

    async def _ask(self, ask: Callable[[], Awaitable[A]], texts: Iterable[str] = ()) -> A:
        """Ask through the gate, and meter each attempt; `texts`: what is read by a model that does not count tokens."""

        def note(outcome: Outcome, seconds: float, found: object) -> None:
            read = sum(map(self._gates.counter, texts)) if outcome == "answered" else 0
            call = Call(
                what=self.WHAT, task=self._task, model=self.name, tokens_in=getattr(found, "tokens_in", read),
                tokens_out=getattr(found, "tokens_out", 0), seconds=seconds, outcome=outcome,
            )  # fmt: skip
            self._gates.meter(call)

        return await self._gate.ask(ask, note)


class GatedEmbedder(_Gated[GuardedEmbedder]):
    """An embedder behind the gate of its provider."""

    WHAT = "embedding"
    UNAVAILABLE = EmbedderUnavailableError

    @property
    def space(self) -> Space:
        """The space of the wrapped embedder."""
        return self._model.space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text.

        Raises:
            EmbedderUnavailableError: the provider is busy or unreachable after the last attempt.
            EmbedderError: the embedder failed, or returned anything else.
        """
        return await self._ask(partial(self._model.embed, texts), texts)


class GatedLanguageModel(_Gated[GuardedLanguageModel]):
    """A language model behind the gate of its provider, for one task."""

    WHAT = "completion"
    UNAVAILABLE = LanguageModelUnavailableError

    async def complete(self, prompt: str, **options: Any) -> Completion:
        """Complete one prompt. See `ports.LanguageModel`.

        Raises:
            LanguageModelUnavailableError: the provider is busy or unreachable after the last attempt.
            LanguageModelError: the model failed, or returned nothing or no completion.
        """
        return await self._ask(partial(self._model.complete, prompt, **options))


class GatedReranker(_Gated[GuardedReranker]):
    """A reranker behind the gate of its provider."""

    WHAT = "rerank"
    UNAVAILABLE = RerankerUnavailableError

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers `query`.

        Raises:
            RerankerUnavailableError: the provider is busy or unreachable after the last attempt.
            RerankerError: the reranker failed, or returned anything else.
        """
        if not texts:
            return []
        return await self._ask(partial(self._model.rerank, query, texts), [*texts, *[query] * len(texts)])
