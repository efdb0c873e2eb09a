"""Language models as flows use them: the first model of a task that the budget allows, charged to the payer.

No flow takes a model from the runtime itself.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from memoranda.core.base.scope import Scope
from memoranda.flows.runtime.ledger import Ledger, Payer
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.runtime.withholding import Withholder, withholder
from memoranda.ports import Completion, LanguageModel, Task


class Paid:
    """A language model whose calls are charged to a payer, and whose answers hold no secret."""

    def __init__(self, model: LanguageModel, ledger: Ledger, payer: Payer, withholder: Withholder) -> None:
        self._model = model
        self._ledger = ledger
        self._payer = payer
        self._withholder = withholder

    @property
    def name(self) -> str:
        """The name of the underlying model."""
        return self._model.name

    async def complete(self, prompt: str, **options: Any) -> Completion:
        """The answer to one prompt. See `ports.LanguageModel`.

        Raises:
            LanguageModelUnavailableError: the provider is busy or out of reach.
            LanguageModelError: it failed, or answered something else or nothing.
        """
        with self._ledger.paid_by(self._payer):
            answer = await self._model.complete(prompt, **options)
        found = answer.json
        clean = self._withholder.value(found)
        if clean is not found:  # read before it is searched: escapes would hide words
            answer = replace(answer, text=json.dumps(clean, ensure_ascii=False))
        return replace(answer, text=self._withholder.text(answer.text))

    def about(self, ids: Iterable[str]) -> "Paid":
        """The same model, called for the events, records or contexts with these ids."""
        payer = replace(self._payer, about=(*self._payer.about, *ids))
        return Paid(self._model, self._ledger, payer, self._withholder)

    async def close(self) -> None:
        """Close the underlying model."""
        await self._model.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The model for a task at present.

    Attributes:
        model: None if there is none, or none that the budget allows.
        degraded: why each refused model was refused.
    """

    model: Paid | None = None
    degraded: tuple[str, ...] = ()


async def writer(runtime: Runtime, scope: Scope, task: Task) -> Writer:
    """The first model of a task that the budget of the scope's user allows."""
    first = runtime.language_models.get(task)
    payer = Payer(scope, runtime.about)
    degraded: list[str] = []
    for model in () if first is None else (first, *runtime.smaller.get(task, ())):
        refusal = await runtime.ledger.refusal(scope.owner, model.name)
        if refusal is None:
            paid = Paid(model, runtime.ledger, payer, withholder(runtime.settings, scope.tenant))
            return Writer(model=paid, degraded=tuple(degraded))
        degraded.append(f"language model {model.name}: {refusal}")
    return Writer(model=None, degraded=tuple(degraded))
