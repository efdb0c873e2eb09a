"""The gate of a provider: it limits concurrent requests, retries transient errors, and has a circuit breaker."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from memoranda.core.base.retry_policy import Circuit, Gating
from memoranda.errors import LanguageModelError, LanguageModelUnavailableError
from memoranda.ports import Call, Completion, LanguageModel, Meter, Outcome, Pace, Task

Ask = Callable[[], Awaitable[Completion]]
Note = Callable[[Outcome, float, int, int], None]


class Gate:
    """The gate that all models of one provider share, for one event loop at a time.

    Args:
        provider: the provider's name, for messages.
        told: the limits, attempts and waits.
        pace: the clock, sleep and randomness of the back-off.
    """

    def __init__(self, provider: str, told: Gating, pace: Pace) -> None:
        self._provider = provider
        self._limits = told
        self._pace = pace
        self._circuit = Circuit()
        self._places = asyncio.Semaphore(told.calls)

    async def ask(self, ask: Ask, note: Note) -> Completion:
        """Return the result of the first attempt of `ask` that succeeds; call `note` for each attempt.

        A call that backs off keeps its slot, so that a provider under load gets fewer requests.

        Raises:
            LanguageModelUnavailableError: the last attempt failed, or the circuit is open.
            LanguageModelError: an error that another attempt would not fix.
        """
        async with self._places:
            attempts = 0
            while True:
                self._enter()
                attempts += 1
                try:
                    return await self._attempt(ask, note)
                except LanguageModelUnavailableError as error:
                    wait = self._limits.wait(attempts, error.after, self._pace.chance())
                    if wait is None or self._left() is not None:
                        raise
                await self._pace.sleep(wait)

    def _left(self) -> float | None:
        return self._circuit.left(self._limits, self._pace.now())

    def _enter(self) -> None:
        left = self._left()
        if left is not None:
            raise LanguageModelUnavailableError(
                f"{self._provider} failed {self._circuit.failures} times in a row; it is asked again in {left:.0f} s.",
                after=left,
            )
        self._circuit = self._circuit.asked()

    async def _attempt(self, ask: Ask, note: Note) -> Completion:
        begun, asked = self._pace.now(), self._circuit
        outcome: Outcome = "cancelled"
        tokens = (0, 0)
        try:
            found = await self._timed(ask)
            outcome, tokens = "truncated" if found.truncated else "answered", (found.tokens_in, found.tokens_out)
        except LanguageModelError as error:
            passes = isinstance(error, LanguageModelUnavailableError)
            outcome, tokens = "unavailable" if passes else "failed", (error.tokens_in, error.tokens_out)
            raise
        finally:
            now = self._pace.now()
            self._circuit = {
                "unavailable": lambda: self._circuit.failed(self._limits, now),
                "cancelled": lambda: self._circuit.dropped(asked),
            }.get(outcome, self._circuit.answered)()
            note(outcome, now - begun, *tokens)
        return found

    async def _timed(self, ask: Ask) -> Completion:
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await ask()
        except TimeoutError as error:
            raise LanguageModelUnavailableError(
                f"{self._provider} did not answer within {self._limits.seconds:g} s."
            ) from error


class GatedLanguageModel:
    """A guarded model behind the gate of its provider, for one task."""

    def __init__(self, model: LanguageModel, gate: Gate, task: Task, meter: Meter | None = None) -> None:
        self._model = model
        self._gate = gate
        self._task = task
        self._meter = meter

    @property
    def name(self) -> str:
        """The name of the wrapped model."""
        return self._model.name

    async def complete(self, prompt: str, **options: Any) -> Completion:
        """Complete one prompt. See `ports.LanguageModel`.

        Raises:
            LanguageModelUnavailableError: the provider is busy or unreachable after the last attempt.
            LanguageModelError: the model failed, or returned nothing or no completion.
        """
        return await self._gate.ask(lambda: self._model.complete(prompt, **options), self._note)

    async def close(self) -> None:
        """Close the wrapped model."""
        await self._model.close()

    def _note(self, outcome: Outcome, seconds: float, tokens_in: int, tokens_out: int) -> None:
        if self._meter is not None:
            call = Call(
                task=self._task, model=self.name, tokens_in=tokens_in, tokens_out=tokens_out, seconds=seconds,
                outcome=outcome,
            )  # fmt: skip
            self._meter(call)
