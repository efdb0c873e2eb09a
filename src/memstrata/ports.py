"""What the flows need from the outside world: the narrow waist. Adapters implement these; nothing here decides.

A store answers seven questions. `find` answers with whole rows of one snapshot together with the owner's
`seq`, so that whoever keeps an image of a partition asks for what came after and misses nothing: a store
hands out `seq` under a lock on the owner, so a lower one never appears after a higher one was seen.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Generic, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from memstrata.core.cells import Cell, Content, Place
from memstrata.core.changes import Applied, Batch
from memstrata.core.parsing import parse_json
from memstrata.core.rows import SCALARS, R, Row, check_columns
from memstrata.core.scope import Owner
from memstrata.errors import InputError

_NOTHING: Mapping[str, Any] = MappingProxyType({})

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "is"]


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on one column.

    `is` compares with None or "set" and is the only condition that holds for a column without a value; `in` takes
    a tuple. Texts compare by code point. Columns of JSON and of several strings know `is` alone.
    """

    column: str
    op: Operator
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(Generic[R]):
    """Rows of one kind in one owner's partition (or, with `user=None`, in all of a tenant's).

    Attributes:
        kind: which rows.
        tenant, user: whose; `user=None` reads the tenant, for jobs and statistics, never for recall.
        after: only rows whose `seq` is higher.
        where: all must hold.
        order: columns, each optionally with a leading `-`; None is lowest; ties and the default are `seq`, then user.
        limit: at most so many rows.

    Raises:
        InputError: a condition or an order names no column of `kind`, or an operator there is not.
    """

    kind: type[R]
    tenant: str
    user: str | None
    after: int = 0
    where: tuple[Where, ...] = ()
    order: tuple[str, ...] = ("seq",)
    limit: int | None = None

    def __post_init__(self) -> None:
        check_columns(self.kind, (name.removeprefix("-") for name in self.order), *SCALARS)
        check_columns(self.kind, (item.column for item in self.where if item.op == "is"))
        check_columns(self.kind, (item.column for item in self.where if item.op != "is"), *SCALARS)
        unknown = {item.op for item in self.where} - set(get_args(Operator))
        if unknown:
            raise InputError(f"There is no operator {', '.join(sorted(unknown))}; use {', '.join(get_args(Operator))}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where an owner's memory stands: `seq` counts changes, `dropped` is the `seq` of the last removal."""

    seq: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Rows of one or more queries, in their order, and the state of the owner they were read at."""

    state: State
    rows: tuple[Sequence[Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Ask the store's own index for candidates among the passages of an owner.

    Exactly one of `terms` (any of them matches) and `vector` (nearest in `space`) is set. The score is the
    engine's own and only orders its answer; whoever asks scores the candidates afresh.
    """

    owner: Owner
    limit: int
    terms: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    space: str = ""
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate: the `ref` of a passage, and the engine's raw score (higher is better)."""

    ref: str
    score: float


@runtime_checkable
class Store(Protocol):
    """Where the truth lives. One conformance suite (`memstrata.testing`) says what each answer must be."""

    async def apply(self, batch: Batch) -> Applied:
        """Write all of `batch` durably, or nothing.

        Raises:
            ConflictError: `batch.expect` is set and the owner's `seq` has moved.
            StoreError: it could not be written; nothing was.
        """
        ...

    async def get(self, kind: type[R], owner: Owner, keys: Sequence[tuple[Any, ...]]) -> list[R | None]:
        """The rows with these keys, None where there is none, in the order asked."""
        ...

    async def find(self, owner: Owner, *queries: Query[Any]) -> Page:
        """The rows of each query, all of one snapshot, with the state of `owner` in it.

        The queries are of the owner's tenant; a store may answer those of another as if that had no rows.
        """
        ...

    async def count(self, query: Query[Any], by: str | None = None) -> Mapping[Any, int]:
        """How many rows `query` finds, by the values of a column, or in all under the key None.

        Raises:
            InputError: `by` names no column whose values can be compared.
        """
        ...

    async def probe(self, probe: Probe) -> list[Hit]:
        """Candidates by the engine's own text or vector index, best first."""
        ...

    async def describe(self) -> Mapping[str, Any]:
        """Facts about the store for `stats` and `doctor`.

        At least `kind`, `version` (of the schema), `bytes`, `problems` (what `doctor` should tell, as sentences),
        `tenants` and `users` (how many).
        """
        ...

    async def close(self) -> None:
        """Release everything; further calls fail. Closing twice is no error."""
        ...


@runtime_checkable
class Cache(Protocol):
    """Where working memory lies, and nothing that has to survive. `memstrata.testing` says what each answer must be.

    It keeps and compares; what has expired, and what goes when there is too much, is decided before.
    """

    async def read(self, place: Place) -> Content:
        """All cells of a place.

        Raises:
            StoreError: it cannot be read.
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
        """Write some cells of a place, or none of them; None removes one, and the last takes the place with it.

        Args:
            place: where.
            cells: by name, which is not empty.
            at: the time of writing.
            expect: names with the version each must have, None for one that must not be there.
            keep: how long after `at` the place is needed; a cache may drop it later. By default until it is emptied.

        Raises:
            ConflictError: a version is another one.
            StoreError: it could not be written.
        """
        ...

    async def idle(
        self, tenant: str, before: datetime, *, user: str | None = None, limit: int | None = None
    ) -> Sequence[Place]:
        """The places of a tenant, or of one of its users, that were last written before then, the stalest first."""
        ...

    async def close(self) -> None:
        """Release everything; further calls fail. Closing twice is no error."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """An embedding space: two vectors can be compared only within one.

    Attributes:
        name: provider, model and version, e.g. `local/all-MiniLM-L6-v2-int8@1`.
        dimension: numbers per vector.
    """

    name: str
    dimension: int


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def space(self) -> Space:
        """The space its vectors lie in."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, shape (len(texts), space.dimension), float32.

        Raises:
            EmbedderError: it failed, or its answer has another shape.
        """
        ...

    async def close(self) -> None:
        """Release the model or the connection."""
        ...


class CachingEmbedder(Embedder, Protocol):
    """An embedder that keeps the vectors of texts it has seen. Flows are given one, whatever lies behind it."""

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of `texts`, each once, that the embedder behind it would be asked for."""
        ...

    def clear(self) -> None:
        """Let go of every vector kept, so that what was forgotten leaves no trace."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a language model answered.

    Attributes:
        text: its words, or the JSON it was asked for.
        model: which model answered, as it names itself.
        tokens_in, tokens_out: what it read and wrote, as it counts.
        truncated: it was cut off at `max_tokens`.
    """

    text: str
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    truncated: bool = False

    @property
    def json(self) -> Any:
        """The text read as JSON; None where it is none."""
        return parse_json(self.text)


@runtime_checkable
class LanguageModel(Protocol):
    """Writes what it is asked for. No capture and no plain recall waits for one."""

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
        """The answer to one prompt.

        Args:
            prompt: what the user says.
            system: the standing instruction before it.
            schema: a JSON schema the answer should fit. What comes is to be checked: not every model keeps to it.
            max_tokens: the most it may write.
            temperature: 0 for the likeliest answer.

        Raises:
            LanguageModelUnavailableError: it is busy, out of reach or broke off; worth another attempt.
            LanguageModelError: it failed, refused, or answered nothing.
        """
        ...

    async def close(self) -> None:
        """Release the model or the connection."""
        ...


#: What language models are asked to do; `default` is the model of every task that names none of its own.
Task = Literal["default", "extraction", "narrative", "review"]
#: The model of a task, by its name or itself; or several: the next is asked where the one before cannot be paid.
Models = str | LanguageModel | Sequence[str | LanguageModel] | None
Outcome = Literal["answered", "truncated", "failed", "unavailable", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request to a language model, whatever came of it; a second attempt is a second request.

    Attributes:
        task: what it was asked for.
        model: the name of the `LanguageModel`, as `openai/gpt-4.1-mini`.
        tokens_in, tokens_out: what it read and wrote, as it counts; 0 where it did not say.
        seconds: how long it took, without the time it waited for its turn.
        outcome: answered, truncated (cut off at `max_tokens`), failed, unavailable (busy, out of reach or broken off)
            or cancelled (nobody waited for it any more).
    """

    task: Task
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    outcome: Outcome = "answered"


class Meter(Protocol):
    """Is told of every request to a language model; what it raises, the caller of the model gets."""

    def __call__(self, call: Call, /) -> None:
        """Take note of one request."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What waiting needs: seconds of a clock that never goes back, sleep, and a number from 0 to 1 by chance."""

    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    chance: Callable[[], float]


@runtime_checkable
class Reranker(Protocol):
    """Judges how well texts answer a question, reading both together: slower and finer than comparing vectors."""

    @property
    def name(self) -> str:
        """Which model judges."""
        ...

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers `query`, from 0 (not at all) to 1.

        Raises:
            RerankerError: it failed.
        """
        ...

    async def close(self) -> None:
        """Release the model or the connection."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """What a worker can do for a queue. None of these raises what goes wrong with a job: that is written down.

    Attributes:
        run: runs a job for an owner, if it is still due.
        due: the jobs of a tenant that are due, of those named, each with whose it is.
        lost: told of a job that a worker had begun which is gone.
    """

    run: Callable[[str, Owner], Awaitable[object]]
    due: Callable[[str, Sequence[str]], Awaitable[Sequence[tuple[str, Owner]]]]
    lost: Callable[[str, Owner], Awaitable[object]]


class Queue(Protocol):
    """Shares jobs among workers, wherever they run."""

    async def serve(
        self, hands: Hands, tenants: Sequence[str], jobs: Sequence[str], *, every: float, once: bool
    ) -> None:
        """Put in what is due, and do what waits, whoever put it in, until it is cancelled.

        No two workers are at one owner at once; what waits is not put in again; what a worker had begun that is gone
        is done by another.

        Args:
            hands: do the work.
            tenants: for whom this worker puts in what is due.
            jobs: which of them.
            every: about so many seconds apart, by one of the workers.
            once: put in what is due now, and end when nothing is left to do.

        Raises:
            StoreError: the queue cannot be reached, or went away.
        """
        ...


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """The present, aware, in UTC."""
        ...


class Ids(Protocol):
    """Makes identifiers."""

    def __call__(self) -> str:
        """A new identifier that sorts by when it was made."""
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
    "Where",
]
