"""The rows of governance: what was done and by whom, what each call of a model cost, what may be and what was spent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memstrata.core.declaring import Row, table
from memstrata.core.scope import GLOBAL


@table("audit", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(Row):
    """That something was written or asked, or was to be: ids and counts, never the text, which stands elsewhere.

    Attributes:
        operation: the verb, as `add` or `goals.complete`; `background` for what no call asked for.
        stratum: working, episodic, semantic, procedural, shared, focus (contexts) or all.
        conversation: the one that all of it belongs to.
        ids: of the events and records that were written or handed out, at most 100.
        query: what was asked, cut to its first 200 characters.
        counts: of a write, its changes by table; else what was handed out.
        milliseconds: until it had an answer; of a write, until it was handed to the store, for it is written with it.
        error: which kind of error it ended in; the message may quote what was said.
        thresholds: in force then, where `Settings.audit` is verbose.
    """

    id: str
    operation: str
    stratum: str
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    conversation: str | None = None
    ids: tuple[str, ...] = ()
    query: str | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    milliseconds: float = 0.0
    error: str | None = None
    thresholds: Mapping[str, Any] = field(default_factory=dict)
    at: datetime

    @property
    def named(self) -> frozenset[str]:
        """What it hands out."""
        return frozenset(self.ids)


@table("ledger", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry(Row):
    """That a model was asked, for whom, and what it cost.

    Attributes:
        what: completion, embedding or rerank.
        task: what a language model was asked for; None for the other models.
        model: its name, as `openai/gpt-4.1-mini`; of an embedder that of its space.
        tokens_in, tokens_out: what it read and wrote: as a language model counts, else as `Settings.counter` does.
        cost: in the currency of the prices; None where nobody said what the model charges.
        about: ids of the events, records or contexts it was asked for.
        at: when it had answered.
    """

    id: str
    what: str
    task: str | None = None
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    about: tuple[str, ...] = ()
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    conversation: str | None = None
    at: datetime

    @property
    def named(self) -> frozenset[str]:
        """What was paid stays paid, whatever is forgotten: it names no memory by more than its id."""
        return frozenset()


@table("budgets", "period")
@dataclass(frozen=True, slots=True, kw_only=True)
class Budget(Row):
    """What a user may spend, or, with the user that stands for what a tenant shares, all of the tenant's together.

    Attributes:
        period: day or month, of UTC, or balance: what is left until it is set again.
        amount: in the currency of the prices; None: as much as there is to pay.
    """

    period: str
    amount: float | None = None
    set_at: datetime


@table("spending", "period")
@dataclass(frozen=True, slots=True, kw_only=True)
class Spending(Row):
    """What was spent in a period, by a user or, as of a budget, by all of a tenant's.

    Attributes:
        period: a day as 2026-01-05, a month as 2026-01, or balance: since that was set.
        spent: in billionths of the currency, for counters are whole numbers.
    """

    period: str
    spent: int = 0
