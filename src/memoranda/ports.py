"""The interfaces that flows need from outside. Adapters implement them; there is no logic here.

`Store.find` returns whole rows of one snapshot and the owner's `seq`, so that a hot image can ask for higher ones and
miss none: a store assigns `seq` under a lock on the owner, so a lower one never becomes visible after a higher one.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.scope import Owner
from memoranda.core.rows import SCALARS, ColumnType, R, Row, check_columns
from memoranda.core.rows.cells import Cell, Content, Place
from memoranda.core.rows.changes import Applied, Batch
from memoranda.core.rows.rowset import Damaged
from memoranda.core.text.salvage import parse_json
from memoranda.errors import InputError

_NOTHING: Mapping[str, Any] = MappingProxyType({})

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "is", "holds"]
_TYPES: Mapping[str, tuple[ColumnType, ...]] = {"is": (), "holds": ("json", "strings")}  # of columns, where not scalar


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on one column.

    `is` compares with None or "set"; no other operator matches a column without a value. `in` takes a tuple. Texts
    compare by code point. Columns of JSON or of several strings support `is` and `holds` alone: the latter takes a
    tuple of strings, one of which is in the column, in JSON at any depth, also as a key. More rows may be returned.
    """

    column: str
    op: Operator
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(Generic[R]):
    """A query for rows of one kind in one owner's partition, or in the whole tenant with `user=None`.

    Attributes:
        kind: the row kind.
        tenant, user: whose rows; `user=None` reads the whole tenant, for jobs and statistics, never for recall.
        after: only rows with a higher `seq`.
        where: conditions that must all hold.
        order: columns, each optionally with a leading `-`. None sorts lowest. Ties and the default: `seq`, then user.
        limit: the most rows.
        lenient: leave damaged rows out of the answer and list them in `Page.damaged`; otherwise they are an error.

    Raises:
        InputError: a condition or `order` names a column that `kind` does not have, or the operator does not exist.
    """

    kind: type[R]
    tenant: str
    user: str | None
    after: int = 0
    where: tuple[Where, ...] = ()
    order: tuple[str, ...] = ("seq",)
    limit: int | None = None
    lenient: bool = False

    def __post_init__(self) -> None:
        check_columns(self.kind, (name.removeprefix("-") for name in self.order), *SCALARS)
        for item in self.where:
            check_columns(self.kind, [item.column], *_TYPES.get(item.op, SCALARS))
        unknown = {item.op for item in self.where} - set(get_args(Operator))
        if unknown:
            raise InputError(f"There is no operator {', '.join(sorted(unknown))}; use {', '.join(get_args(Operator))}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state of an owner: `seq` counts changes, `dropped` is that of the last removal of what images know."""

    seq: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The rows of each query, the owner's state when they were read, and the rows that lenient queries left out."""

    state: State
    rows: tuple[Sequence[Any], ...]
    damaged: tuple[Damaged, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A query of the store's own index for candidates among an owner's passages.

    Exactly one of `terms` (any of them matches) and `vector` (nearest in `space`) is set. The engine's score only
    orders its answer; the caller scores the candidates again.
    """

    owner: Owner
    limit: int
    terms: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    space: str = ""
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate: the `ref` of a passage and the engine's raw score; higher is better."""

    ref: str
    score: float


@runtime_checkable
class Store(Protocol):
    """The system of record. The conformance suite in `memoranda.testing` defines what each method must return."""

    async def apply(self, batch: Batch) -> Applied:
        """Write all of `batch` durably, or nothing.

        Raises:
            ConflictError: `batch.expect` is set and is not the owner's `seq`.
            StoreError: the write failed; nothing was written.
        """
        ...

    async def get(self, kind: type[R], owner: Owner, keys: Sequence[tuple[Any, ...]]) -> list[R | None]:
        """Return the rows with these keys, in the order of `keys`, None where there is none.

        Raises:
            StoreCorruptError: one of them is damaged, or the store is.
        """
        ...

    async def find(self, owner: Owner, *queries: Query[Any]) -> Page:
        """Return the rows of each query and the state of `owner`, all from one snapshot.

        The queries must be of the owner's tenant; for another tenant a store may return no rows.

        Raises:
            StoreCorruptError: the store is damaged, or a row that a query without `lenient` finds.
        """
        ...

    async def count(self, query: Query[Any], by: str | None = None) -> Mapping[Any, int]:
        """Count the rows that `query` finds, by the values of the column `by`, or in total under the key None.

        Raises:
            InputError: `by` names no column whose values can be compared.
        """
        ...

    async def probe(self, probe: Probe) -> list[Hit]:
        """Return candidates from the engine's own text or vector index, best first."""
        ...

    async def describe(self) -> Mapping[str, Any]:
        """Return facts about the store for `stats` and `doctor`.

        At least `kind`, `version` (of the schema), `bytes`, `problems` (sentences for `doctor` to report), and
        `tenants` and `users` (their numbers).
        """
        ...

    async def remains(self) -> Sequence[str]:
        """Return where bytes of dropped rows may still be read, as far as it knows, and until when, as sentences."""
        ...

    async def close(self) -> None:
        """Release everything; further calls fail. May be called twice."""
        ...


@runtime_checkable
class Mending(Protocol):
    """A store that can put right what is not in its rows, such as its indexes."""

    async def mend(self, *, rows: bool) -> Sequence[str]:
        """If something is wrong or `rows` are to be mended, copy the store, mend it, and say what was done."""
        ...


@runtime_checkable
class Cache(Protocol):
    """Keeps working memory, and nothing that must survive. `memoranda.testing` defines what each method must return.

    A cache only stores cells and compares versions; flows decide what has expired and what is evicted.
    """

    async def read(self, place: Place) -> Content:
        """Return all cells of a place.

        Raises:
            StoreError: the cache cannot be read.
        """
        ...

    async def write(
        self,
        place: Place,
        cells: Mapping[str, Cell | None],
        at: datetime,
        *,
        expect: Mapping[str, str | None] = _NOTHING,
        keep: timedelta | None = None,
    ) -> None:
        """Write all of `cells` to a place by compare-and-set, or nothing.

        Args:
            place: the place to write to; it is removed with its last cell.
            cells: the new cells by name, which must not be empty; None removes a cell.
            at: the time of writing.
            expect: the version that each named cell must have, None for a cell that must not exist.
            keep: how long after `at` the place is needed; then a cache may drop it. By default until it is emptied.

        Raises:
            ConflictError: a cell has another version.
            StoreError: the write failed.
        """
        ...

    async def idle(
        self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None
    ) -> Sequence[Place]:
        """Return the places of a tenant, or of one of its users, last written before `before`, the oldest first."""
        ...

    async def close(self) -> None:
        """Release everything; further calls fail. May be called twice."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """An embedding space: only vectors of the same space can be compared.

    Attributes:
        name: provider, model and version, e.g. `local/all-MiniLM-L6-v2-int8@1`.
        dimension: the numbers per vector.
    """

    name: str
    dimension: int


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def space(self) -> Space:
        """The space of its vectors."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text: float32, shape (len(texts), space.dimension).

        Raises:
            EmbedderUnavailableError: the embedder is busy, unreachable or broke off; worth another attempt.
            EmbedderError: the embedder failed, or its result has another shape.
        """
        ...

    async def close(self) -> None:
        """Release the model or the connection."""
        ...


class CachingEmbedder(Embedder, Protocol):
    """An embedder that caches vectors. Flows always get one, whatever embedder it wraps."""

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Return the `texts` without a cached vector, each once."""
        ...

    def clear(self) -> None:
        """Drop every cached vector, so that forgotten text leaves no trace."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The answer of a language model.

    Attributes:
        text: the text, or the JSON that was requested.
        model: the model that answered, as it names itself.
        tokens_in, tokens_out: the tokens it read and wrote, by its own count.
        truncated: whether it was cut off at `max_tokens`.
    """

    text: str
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    truncated: bool = False

    @property
    def json(self) -> Any:
        """The text parsed as JSON; None if it is not JSON."""
        return parse_json(self.text)


@runtime_checkable
class LanguageModel(Protocol):
    """Completes prompts. Neither capture nor plain recall ever waits for one."""

    @property
    def name(self) -> str:
        """Provider and model, e.g. `openai/gpt-4.1-mini`."""
        ...

    async def complete(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1_024,
        temperature: float = 0.0,
    ) -> Completion:
        """Complete one prompt.

        Args:
            prompt: the user message.
            system: the system prompt.
            schema: a JSON schema for the answer. Validate the answer: not every model keeps to the schema.
            max_tokens: the most tokens to write.
            temperature: 0 for the likeliest answer.

        Raises:
            LanguageModelUnavailableError: the model is busy, unreachable or broke off; worth another attempt.
            LanguageModelError: the model failed, refused, or returned nothing.
        """
        ...

    async def close(self) -> None:
        """Release the model or the connection."""
        ...


#: The tasks of language models; a task without a model of its own uses that of `default`.
Task = Literal["default", "extraction", "narrative", "review"]
What = Literal["completion", "embedding", "rerank"]
#: A model, or its name; or several, of which the next is used when the budget no longer allows the one before.
Models = str | LanguageModel | Sequence[str | LanguageModel] | None
Outcome = Literal["answered", "truncated", "failed", "unavailable", "cancelled"]
#: Called with every request to a model; its exceptions reach the caller of the model.
Meter = Callable[["Call"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request to a model, successful or not; each further attempt is a request of its own.

    Attributes:
        what: what it was asked for; `task`: the task of a language model, None for other models.
        model: the name of the model, e.g. `openai/gpt-4.1-mini`; of an embedder, that of its space.
        tokens_in, tokens_out: the tokens it read and wrote, by its own count, else by `Settings.counter`; 0 if unknown.
        seconds: the duration, without the time in the queue.
        outcome: answered, truncated (cut off at `max_tokens`), failed, unavailable (busy, unreachable or broken off)
            or cancelled (the caller stopped waiting).
    """

    what: What = "completion"
    task: Task | None = None
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    outcome: Outcome = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What back-off needs: a monotonic clock in seconds, sleep, and a random number from 0 to 1."""

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    chance: Callable[[], float]


@runtime_checkable
class Reranker(Protocol):
    """Scores how well texts answer a question, reading both together: slower and finer than comparing vectors."""

    @property
    def name(self) -> str:
        """The name of the model."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return how well each text answers `query`, from 0 (not at all) to 1.

        Raises:
            RerankerUnavailableError: the reranker is busy, unreachable or broke off; worth another attempt.
            RerankerError: the reranker failed.
        """
        ...

    async def close(self) -> None:
        """Release the model or the connection."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The callbacks of a worker for a queue. None of them raises an error of a job; they record it.

    Attributes:
        run: run a job for an owner, if it is still due.
        due: return those of the named jobs that are due in a tenant, each with its owner.
        lost: called with a job whose worker died.
    """

    run: Callable[[str, Owner], Awaitable[object]]
    due: Callable[[str, Sequence[str]], Awaitable[Sequence[tuple[str, Owner]]]]
    lost: Callable[[str, Owner], Awaitable[object]]


class Queue(Protocol):
    """Shares jobs among workers on any number of hosts."""

    async def serve(
        self, hands: Hands, tenants: Sequence[str], jobs: Sequence[str], *, every: float, once: bool
    ) -> None:
        """Enqueue the jobs that are due and run queued jobs, from any worker, until cancelled.

        Two workers never run jobs of one owner at once. A queued job is not enqueued again. The job of a worker that
        died is run by another worker.

        Args:
            hands: run the jobs.
            tenants: the tenants whose due jobs this worker enqueues.
            jobs: the jobs to enqueue.
            every: the approximate seconds between two checks for due jobs; one of the workers checks.
            once: enqueue what is due now, and return when nothing is left to run.

        Raises:
            StoreError: the queue cannot be reached, or the connection broke.
        """
        ...


class Clock(Protocol):
    """Returns the current time."""

    def __call__(self) -> datetime:
        """Return the current time, timezone-aware, in UTC."""
        ...


class Ids(Protocol):
    """Generates identifiers."""

    def __call__(self) -> str:
        """Return a new identifier that sorts by creation time."""
        ...


__all__ = [
    "Cache",
    "CachingEmbedder",
    "Call",
    "Cell",
    "Clock",
    "Completion",
    "Content",
    "Embedder",
    "Hands",
    "Hit",
    "Ids",
    "LanguageModel",
    "Mending",
    "Meter",
    "Models",
    "Operator",
    "Outcome",
    "Pace",
    "Page",
    "Place",
    "Probe",
    "Query",
    "Queue",
    "Reranker",
    "Row",
    "Space",
    "State",
    "Store",
    "Task",
    "What",
    "Where",
]
