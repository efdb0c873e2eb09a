"""The rows of governance: the audit trail, the cost of each model call, budgets and spending, keys of doors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from memoranda.core.base.scope import GLOBAL
from memoranda.core.rows.declare import Json, Row, RowTraits, table, texts_of


@table("audit", "id", traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="words"))
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(Row):
    """One read or write, completed or attempted. Holds ids and counts, never the text.

    Attributes:
        operation: the verb, as `add` or `goals.complete`; `background` for work that no call asked for.
        stratum: working, episodic, semantic, procedural, shared, focus (contexts) or all.
        conversation: the conversation, if everything involved belongs to one.
        ids: ids of the events and records written or returned, at most 100.
        query: the query, cut to its first 200 characters.
        counts: for a write, its changes by table; else what was returned.
        milliseconds: the time to the answer; for a write, until it was handed to the store, because the entry is
            written together with it.
        error: the type of the error it ended in, without the message, which may quote content.
        thresholds: the thresholds in force, if `Settings.audit` is verbose.
        key: the id of the key with which a door was opened for it.
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
    key: str | None = None
    at: datetime

    @property
    def named(self) -> frozenset[str]:
        """The ids it names."""
        return frozenset(self.ids)

    @property
    def words(self) -> tuple[str, ...]:
        """The query."""
        return (self.query or "",)


@table("ledger", "id", traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="words"))
@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry(Row):
    """One call of a model: for whom, and at what cost.

    Attributes:
        what: completion, embedding or rerank.
        task: the task a language model was called for; None for other models.
        model: its name, as `openai/gpt-4.1-mini`; for an embedder, the name of its space.
        tokens_in, tokens_out: tokens read and written, as the language model counts them, else as `Settings.counter`.
        cost: in the currency of the prices; None if the price of the model is unknown.
        about: ids of the events, records or contexts the call was made for.
        at: when the model had answered.
    """

    words: ClassVar[tuple[str, ...]] = ()  # it holds none
    named: ClassVar[frozenset[str]] = frozenset()  # nothing of a memory but its id: it stays, whatever is forgotten

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


@table("budgets", "period", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Budget(Row):
    """How much a user may spend; under the tenant's reserved user, how much all users of the tenant together may spend.

    Attributes:
        period: day or month, in UTC, or balance: an amount that lasts until it is set again.
        amount: in the currency of the prices; None: unlimited.
    """

    period: str
    amount: float | None = None
    set_at: datetime


@table("spending", "period", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Spending(Row):
    """How much was spent in a period, by a user or, as for a budget, by all users of a tenant.

    Attributes:
        period: a day as 2026-01-05, a month as 2026-01, or balance: since the balance was set.
        spent: in billionths of the currency, because counters are integers.
    """

    period: str
    spent: int = 0


@table("api_keys", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey(Row):
    """A key to a tenant's memory over a door. Belongs to the tenant's reserved user, and holds no secret.

    Attributes:
        hash: the SHA-256 of the secret, in hex.
        name: what it is for, in words.
        root: the id of the first of the keys whose place it took, one after another; None: it took none's.
        only_user, only_agent: the only user, and agent, for whom it may be used; None: any of the tenant.
        team: the team for which its holder acts.
        rights: what it may be used for.
        used_at: when it was last used, to a minute.
        expires_at, revoked_at: from this time on it opens nothing.
    """

    words: ClassVar[tuple[str, ...]] = ()  # it holds none, and names no memory
    named: ClassVar[frozenset[str]] = frozenset()

    id: str
    hash: str
    name: str = ""
    root: str | None = None
    only_user: str | None = None
    only_agent: str | None = None
    team: str | None = None
    rights: tuple[str, ...] = ()
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


@table(
    "answered_calls",
    "id",
    traits=RowTraits(image=None, derived=None, seen=None, named=False, falls="words", rests="about", exported=False),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredCall(Row):
    """A write that its caller may send again: written with it, so that it is carried out once.

    Attributes:
        id: a hash of the caller's key, or of the first of those whose place it took, and of the name of the call.
        request: a hash of the request.
        about: ids of the rows that it wrote, with which it falls.
        answer: the answer; None as long as the call goes on, and if the answer is too long to be kept, or a secret.
    """

    id: str
    request: str
    about: tuple[str, ...] = ()
    answer: Json = None
    at: datetime

    @property
    def words(self) -> tuple[str, ...]:
        """What the answer says."""
        return (*texts_of(self.answer),)


@table(
    "operations",
    "id",
    traits=RowTraits(image=None, derived=None, seen=None, named=False, falls="words", exported=False),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Row):
    """A verb that may take minutes: carried out by one process, known to all, for a while.

    Under the tenant's reserved user it concerns the whole tenant.

    Attributes:
        verb: its name.
        agent, team: whose it is, beside the user.
        state: running, done, failed or cancelled.
        version: counts its changes.
        progress: how much is done, in what the verb counts; None if it does not say.
        name: a hash of the caller and of the name that the caller gave it, if any; `request`: of what was asked.
        answer: of the verb, if it is done; `problem`: what it failed of, as a problem document.
        at: when the row was last known to be true.
    """

    id: str
    verb: str
    agent: str | None = None
    team: str | None = None
    state: str = "running"
    version: int = 1
    progress: int | None = None
    name: str | None = None
    request: str | None = None
    begun_at: datetime
    ended_at: datetime | None = None
    at: datetime
    answer: Json = None
    problem: Mapping[str, Any] | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """What the answer and the problem say."""
        return (*texts_of(self.answer), *texts_of(dict(self.problem or {})))
