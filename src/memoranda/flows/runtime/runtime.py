"""The adapters and settings of one open memory, which every flow is given."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np

from memoranda.core.base.checks import check_choice, check_function, check_number, check_seconds, require, strings
from memoranda.core.base.observing import Observer
from memoranda.core.base.prices import Price
from memoranda.core.base.retry_policy import Gating
from memoranda.core.base.scope import Owner, Scope
from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.recall.ranking_models import Model
from memoranda.core.recall.results import TECHNIQUES, Item
from memoranda.core.rows import Passage, R, Row, key_of
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.rowset import Damaged
from memoranda.core.secrets.detection import OPTIONAL
from memoranda.core.strata.working import Limits
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.terms import Analyzer, estimate_tokens
from memoranda.errors import EmbedderError, StoreCorruptError
from memoranda.flows.runtime.images import Partitions
from memoranda.flows.runtime.journal import Journal
from memoranda.flows.runtime.leases import Leases
from memoranda.flows.runtime.ledger import Ledger, Payer
from memoranda.flows.runtime.uses import USED, Tried
from memoranda.flows.runtime.working_cells import Desks
from memoranda.ports import (
    CachingEmbedder,
    Clock,
    Ids,
    LanguageModel,
    Meter,
    Query,
    Reranker,
    Store,
    Task,
    Where,
)

#: What the audit records; each level includes the one before.
Level = Literal["off", "writes", "reads", "verbose"]
BATCH = 32  # texts per call of the embedder; each call has the full time limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Options of an open memory.

    Attributes:
        language: the language assumed for a text that does not show its own: en, de, es, fr or zh.
        conflict_policy: which of two contradicting statements stands: prefer_new, prefer_old or flag_review.
        embed_seconds: how long a call waits for the embedder before it goes on without.
        technique_seconds: how long a recall that sets no deadline waits for its techniques.
        techniques: those of every recall, context and explanation that names none; `recall` lists them.
        max_characters: the longest message that is accepted.
        hot_bytes: the most memory, in bytes, that the hot images of all owners may take together.
        learned_ranking: whether candidates are scored by the learned model; otherwise by a weighted sum of the plainest
            signals.
        counter: counts the tokens of a text; an estimate by default, `memoranda.models.tokens` counts exactly.
        provider_seconds: how long a context waits for the host's functions.
        context_log: whether every context writes a row that says what it was made of.
        context_log_rows: about how many of these rows a user keeps; the oldest go first. The default is months of them,
            yet few enough for forgetting, which reads them all. The access log of shared data keeps as many per tenant.
        working: how much working memory holds, and for how long.
        reinforce: whether uses of what is returned are counted, which lets it rank higher.
        gating: limits for the models of one provider: requests at once, tries, time.
        prices: what models charge, by name, e.g. `{"openai/gpt-4.1-mini": Price(read=0.4, written=1.6)}`; the
            cost of a model without a price is unknown.
        meter: called with every request to a model, as a `ports.Call`.
        observer: watches every verb, for those who run the memory: `memoranda.observers.open_observer("prometheus")`,
            or your own `memoranda.observers.Observer`.
        audit: what the audit records: nothing (off), writes and failed writes (writes), also queries (reads), or also
            refusals, with the thresholds in force (verbose).
        audit_days: how long entries of the audit are kept, see `flows.governance.audit_log.retain_audit`.
        redact: your own redaction: takes each text that comes in, after the secrets were withheld, and returns what may
            be kept of it. Must be quick, and the same for the same text.
        keeps: kinds of secrets that a tenant keeps, e.g. `{"acme": {"iban"}}`; `core.secrets.detection.OPTIONAL` has
            those that may be kept. All others are always withheld.

    Raises:
        InputError: a value is not allowed.
    """

    language: str = "en"
    conflict_policy: Policy = "prefer_new"
    embed_seconds: float = 30.0
    technique_seconds: float = 30.0
    techniques: Sequence[str] = ()
    max_characters: int = 1_000_000
    hot_bytes: int = 1 << 30
    learned_ranking: bool = True
    counter: Callable[[str], int] = estimate_tokens
    provider_seconds: float = 1.0
    context_log: bool = True
    context_log_rows: int = 10_000
    working: Limits = field(default_factory=Limits)
    reinforce: bool = True
    gating: Gating = field(default_factory=Gating)
    prices: Mapping[str, Price] = field(default_factory=dict)
    meter: Meter | None = None
    observer: Observer | None = None
    audit: Level = "writes"
    audit_days: int = 90
    redact: Callable[[str], str] | None = None
    keeps: Mapping[str, Collection[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choice("language", self.language, LANGUAGES)
        check_choice("conflict_policy", self.conflict_policy, get_args(Policy))
        for name in ("embed_seconds", "provider_seconds", "technique_seconds"):
            check_seconds(name, getattr(self, name))
        for name in strings("techniques", self.techniques):
            check_choice("techniques", name, TECHNIQUES)
        check_number("max_characters", self.max_characters)
        check_number("hot_bytes", self.hot_bytes, least=0)
        check_number("context_log_rows", self.context_log_rows)
        require(isinstance(self.learned_ranking, bool), "learned_ranking", self.learned_ranking, "True or False")
        require(callable(self.counter), "counter", self.counter, "a function from a text to its number of tokens")
        require(isinstance(self.context_log, bool), "context_log", self.context_log, "True or False")
        require(isinstance(self.working, Limits), "working", self.working, "memoranda.core.strata.working.Limits(…)")
        require(isinstance(self.reinforce, bool), "reinforce", self.reinforce, "True or False")
        require(isinstance(self.gating, Gating), "gating", self.gating, "memoranda.core.base.retry_policy.Gating(…)")
        named = isinstance(self.prices, Mapping) and all(isinstance(one, Price) for one in self.prices.values())
        require(named, "prices", self.prices, "{model: memoranda.core.base.prices.Price(read=…, written=…)}")
        check_function("meter", self.meter)
        check_choice("audit", self.audit, get_args(Level))
        check_number("audit_days", self.audit_days)
        check_function("redact", self.redact)
        require(isinstance(self.keeps, Mapping), "keeps", self.keeps, 'kinds by tenant, e.g. {"acme": {"iban"}}')
        for tenant, kinds in self.keeps.items():
            for kind in strings(f"keeps[{tenant!r}]", kinds):
                check_choice(f"a kind in keeps[{tenant!r}]", kind, sorted(OPTIONAL))


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The adapters and settings of one open memory; frozen, shared by all calls.

    Attributes:
        ranker: returns the model that scores candidates; None for a weighted sum.
        language_models: by task, each behind the gate of its provider; a task without a model is missing. Call
            `flows.runtime.language_models.writer` for one that the budget allows.
        smaller: by task, the models to use, in this order, when the budget does not allow that one.
        next_embedder: the one in whose space `flows.upkeep.reembed` prepares vectors for a change of the embedder.
        currency: says of a later turn and some earlier ones how surely it outdates each; None: it is not judged.
        random: returns so many bytes that nobody can guess.
        tried: what recall techniques did since the memory was opened.
        lent: opens the store at an address, and closes it at the end of a block; one that is open stays open.
        rendered: puts plain values into a template, in a sandbox.
        about: ids of what is being made, to which its costs are attributed.
    """

    store: Store
    embedder: CachingEmbedder | None
    next_embedder: CachingEmbedder | None = None
    clock: Clock
    ids: Ids
    random: Callable[[int], bytes]
    analyzer: Analyzer
    partitions: Partitions
    journal: Journal
    ledger: Ledger
    desks: Desks
    leases: Leases
    rendered: Callable[[str, Mapping[str, Any]], str]
    settings: Settings = field(default_factory=Settings)
    tried: Tried = field(default_factory=Tried)
    ranker: Callable[[], Model] | None = None
    language_models: Mapping[Task, LanguageModel] = field(default_factory=dict)
    smaller: Mapping[Task, Sequence[LanguageModel]] = field(default_factory=dict)
    reranker: Reranker | None = None
    currency: Reranker | None = None
    lent: Callable[..., AbstractAsyncContextManager[Store | None]] = nullcontext
    about: tuple[str, ...] = ()

    @property
    def space(self) -> str:
        """The embedding space in use; empty without an embedder."""
        return self.embedder.space.name if self.embedder else ""

    def forget_vectors(self) -> None:
        """Drop all cached vectors, so that forgotten text leaves no trace."""
        for model in filter(None, (self.embedder, self.next_embedder)):
            model.clear()

    def reinforce(self, owner: Owner, items: Iterable[Item], now: datetime | None) -> None:
        """Count a use of what was returned, if `settings.reinforce`; the time of use is at most the present.

        It counts if it, or a source returned with it, has a similarity of at least `USED`. The turn says more, so it
        often answers better than the record that rests on it.
        """
        if self.settings.reinforce:
            present = self.clock()
            found = list(items)
            near = {item.id for item in found if item.similarity >= USED}
            used = [item.id for item in found if not near.isdisjoint((item.id, *item.sources))]
            self.partitions.used(owner, used, present if now is None else min(now, present))


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of some texts; None if the embedder was absent or failed. `problem` says how it failed."""

    vectors: Floats | None
    problem: str | None = None

    def of(self, number: int) -> Floats | None:
        """The vector of one text."""
        return None if self.vectors is None else self.vectors[number]


async def owners(
    runtime: Runtime, tenant: str, user: str | None, kinds: Iterable[type[Row]] = (Passage,)
) -> list[Owner]:
    """The given user, or all users of a tenant that have rows of these kinds."""
    if user is not None:
        return [Owner(tenant, user)]
    found: set[str] = set()
    for kind in kinds:
        found.update(await runtime.store.count(Query(kind=kind, tenant=tenant, user=None), by="user"))
    return [Owner(tenant, name) for name in sorted(found)]


async def read(
    runtime: Runtime, kind: type[R], owner: Owner, ids: Sequence[str]
) -> tuple[Sequence[R | None], tuple[Damaged, ...]]:
    """The rows with these ids, None where there is none that can be read, and those that are damaged."""
    try:
        return await runtime.store.get(kind, owner, [(one,) for one in ids]), ()
    except StoreCorruptError:
        where = (Where(kind.__key__[0], "in", tuple(ids)),)
        page = await runtime.store.find(
            owner, Query(kind=kind, tenant=owner.tenant, user=owner.user, where=where, lenient=True)
        )
        found = {key_of(row)[0]: row for row in page.rows[0]}
        return [found.get(one) for one in ids], page.damaged


def left_out(damaged: Sequence[Damaged]) -> str | None:
    """What an answer lacks because it cannot be read, by table."""
    counts = Counter(one.row.__table__ for one in damaged)
    told = ", ".join(f"{number:,} of the {name}" for name, number in sorted(counts.items()))
    return f"store: {told} cannot be read and are left out: memoranda doctor" if counts else None


async def newest(runtime: Runtime, owner: Owner, query: Query[R], limit: int, wanted: Callable[[R], bool]) -> list[R]:
    """The first `limit` rows of a query that are `wanted`. The query's limit grows until there are enough."""
    asked = limit
    while True:
        rows = (await runtime.store.find(owner, replace(query, limit=asked))).rows[0]
        found = [row for row in rows if wanted(row)]
        if len(found) >= limit or len(rows) < asked:
            return found[:limit]
        asked *= 4


async def embed(runtime: Runtime, scope: Scope, texts: Sequence[str], about: Iterable[str] = ()) -> Embedded:
    """Embed `texts`, or say why not: a failing embedder degrades a call, it never stops it.

    Args:
        runtime: its embedder is used.
        scope: of the call; its user pays. With no budget left there are vectors only if every text is cached.
        texts: the texts.
        about: ids of what they are embedded for.
    """
    model = runtime.embedder
    if model is None or not texts:
        return Embedded(None)
    payer = Payer(scope, (*about, *runtime.about))
    if model.missing(texts) and (refusal := await runtime.ledger.refusal(scope.owner, runtime.space)):
        return Embedded(None, f"embedder: {refusal}")
    try:
        parts = []
        for start in range(0, len(texts), BATCH):
            with runtime.ledger.paid_by(payer):
                async with asyncio.timeout(runtime.settings.embed_seconds):
                    parts.append(await model.embed(texts[start : start + BATCH]))
    except TimeoutError:
        return Embedded(None, f"embedder: no answer within {runtime.settings.embed_seconds:g} s")
    except EmbedderError as error:
        return Embedded(None, f"embedder: {error}")
    return Embedded(np.concatenate(parts))
