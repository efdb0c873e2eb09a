"""What a flow is given: the adapters and settings of one open memory."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, get_args

import numpy as np

from memstrata.core.checks import check_choice, check_function, check_number, check_seconds, require
from memstrata.core.columns import Floats
from memstrata.core.contradiction import Policy
from memstrata.core.gating import Gating
from memstrata.core.language import LANGUAGES
from memstrata.core.prices import Price
from memstrata.core.results import Item
from memstrata.core.rows import Passage, R, Row
from memstrata.core.scope import Owner, Scope
from memstrata.core.text import Analyzer, estimate_tokens
from memstrata.core.trees import Model
from memstrata.core.working import Limits
from memstrata.errors import EmbedderError
from memstrata.flows.desks import Desks
from memstrata.flows.journal import Journal
from memstrata.flows.leases import Leases
from memstrata.flows.ledger import Ledger, Payer
from memstrata.flows.partitions import Partitions
from memstrata.flows.reinforce import USED
from memstrata.ports import CachingEmbedder, Clock, Ids, LanguageModel, Meter, Query, Reranker, Store, Task

#: What leaves an entry in the audit, each with what the one before does.
Level = Literal["off", "writes", "reads", "verbose"]
BATCH = 32  # texts per call of the embedder, each with the whole time limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an open memory can be told to do otherwise.

    Attributes:
        language: the language taken when a text does not show its own: en, de, es, fr or zh.
        conflict_policy: which of two contradicting statements stands: prefer_new, prefer_old or flag_review.
        embed_seconds: how long a call waits for the embedder before it goes on without.
        technique_seconds: how long a recall that sets no deadline waits for its techniques.
        max_characters: the longest message that is taken.
        hot_bytes: how much memory the hot images of owners may take together.
        learned_ranking: judge what is found by the learned model; otherwise by a weighted sum of the plainest signals.
        counter: how many tokens a text has; an estimate by default, `memstrata.models.tokens` counts exactly.
        provider_seconds: how long a context waits for what the host's functions bring.
        context_log: whether every context leaves a row that says what it was made of.
        context_log_rows: how many of these rows a user keeps, about; the oldest go. By default months of them, yet few
            enough for forgetting, which reads them all. Of the access log of what is shared, so many of a tenant.
        working: how much working memory holds, and how long.
        reinforce: whether records that are handed out are counted, which lets them rank higher.
        gating: how the language models of one provider are asked: how many prompts at once, how often, how long.
        prices: what language models charge, by name, e.g. `{"openai/gpt-4.1-mini": Price(read=0.4, written=1.6)}`;
            the cost of one that is not named is unknown.
        meter: is told of every request to a language model, as a `ports.Call`.
        audit: what leaves an entry in the audit: nothing (off), what was written and what could not be (writes), also
            what was asked (reads), or also what was refused, with the thresholds in force (verbose).
        audit_days: how long entries of the audit are kept, see `flows.audits.retain_audit`.

    Raises:
        InputError: one of them cannot be.
    """

    language: str = "en"
    conflict_policy: Policy = "prefer_new"
    embed_seconds: float = 30.0
    technique_seconds: float = 30.0
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
    audit: Level = "writes"
    audit_days: int = 90

    def __post_init__(self) -> None:
        check_choice("language", self.language, LANGUAGES)
        check_choice("conflict_policy", self.conflict_policy, get_args(Policy))
        for name in ("embed_seconds", "provider_seconds", "technique_seconds"):
            check_seconds(name, getattr(self, name))
        check_number("max_characters", self.max_characters)
        check_number("hot_bytes", self.hot_bytes, least=0)
        check_number("context_log_rows", self.context_log_rows)
        require(isinstance(self.learned_ranking, bool), "learned_ranking", self.learned_ranking, "True or False")
        require(callable(self.counter), "counter", self.counter, "a function from a text to its number of tokens")
        require(isinstance(self.context_log, bool), "context_log", self.context_log, "True or False")
        require(isinstance(self.working, Limits), "working", self.working, "memstrata.core.working.Limits(…)")
        require(isinstance(self.reinforce, bool), "reinforce", self.reinforce, "True or False")
        require(isinstance(self.gating, Gating), "gating", self.gating, "memstrata.core.gating.Gating(…)")
        named = isinstance(self.prices, Mapping) and all(isinstance(one, Price) for one in self.prices.values())
        require(named, "prices", self.prices, "{model: memstrata.core.prices.Price(read=…, written=…)}")
        check_function("meter", self.meter)
        check_choice("audit", self.audit, get_args(Level))
        check_number("audit_days", self.audit_days)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The adapters and settings of one open memory; frozen, shared by all calls.

    Attributes:
        ranker: gives the model that judges what is found; None for a weighted sum.
        language_models: by task, each behind the gate of its provider; a task without a model is not among them. Ask
            `flows.writers.writer` for the one that can be paid.
        smaller: by task, those that are asked where that one cannot be paid, in this order.
        about: ids of what is being made, for what it costs.
    """

    store: Store
    embedder: CachingEmbedder | None
    clock: Clock
    ids: Ids
    analyzer: Analyzer
    partitions: Partitions
    journal: Journal
    ledger: Ledger
    desks: Desks
    leases: Leases
    settings: Settings = field(default_factory=Settings)
    ranker: Callable[[], Model] | None = None
    language_models: Mapping[Task, LanguageModel] = field(default_factory=dict)
    smaller: Mapping[Task, Sequence[LanguageModel]] = field(default_factory=dict)
    reranker: Reranker | None = None
    about: tuple[str, ...] = ()

    @property
    def space(self) -> str:
        """The embedding space in use; empty without an embedder."""
        return self.embedder.space.name if self.embedder else ""

    def reinforce(self, owner: Owner, items: Iterable[Item], now: datetime | None) -> None:
        """Count that records were handed out to be used, where that is wanted; at the latest at present.

        One that came with a turn it rests on was used with it, though the turn, which says more, answers better.
        """
        if self.settings.reinforce:
            present = self.clock()
            found = list(items)
            near = {item.id for item in found if item.similarity >= USED}
            records = [
                item.id for item in found if item.of == "record" and not near.isdisjoint((item.id, *item.sources))
            ]
            self.partitions.used(owner, records, present if now is None else min(now, present))


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of some texts, None where the embedder was absent or failed; `problem` says how it failed."""

    vectors: Floats | None
    problem: str | None = None

    def of(self, number: int) -> Floats | None:
        """The vector of one text."""
        return None if self.vectors is None else self.vectors[number]


async def owners(
    runtime: Runtime, tenant: str, user: str | None, kinds: Iterable[type[Row]] = (Passage,)
) -> list[Owner]:
    """The one user that is meant, or all of a tenant that have rows of these kinds."""
    if user is not None:
        return [Owner(tenant, user)]
    found: set[str] = set()
    for kind in kinds:
        found.update(await runtime.store.count(Query(kind=kind, tenant=tenant, user=None), by="user"))
    return [Owner(tenant, name) for name in sorted(found)]


async def newest(runtime: Runtime, owner: Owner, query: Query[R], limit: int, wanted: Callable[[R], bool]) -> list[R]:
    """The first rows that are wanted of what a query finds: it may be much, and they may stand at its end."""
    asked = limit
    while True:
        rows = (await runtime.store.find(owner, replace(query, limit=asked))).rows[0]
        found = [row for row in rows if wanted(row)]
        if len(found) >= limit or len(rows) < asked:
            return found[:limit]
        asked *= 4


async def embed(runtime: Runtime, scope: Scope, texts: Sequence[str], about: Iterable[str] = ()) -> Embedded:
    """Vectors of `texts`, or the reason why there are none: a failing embedder degrades a call, it never stops it.

    Args:
        runtime: whose embedder.
        scope: of the call, whose user pays; where nothing is left to pay with, only what is known has a vector.
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
            chunk = texts[start : start + BATCH]
            fresh = model.missing(chunk)
            async with asyncio.timeout(runtime.settings.embed_seconds):
                parts.append(await model.embed(chunk))
            if fresh:
                runtime.ledger.put_down(payer, "embedding", runtime.space, sum(map(runtime.settings.counter, fresh)))
    except TimeoutError:
        return Embedded(None, f"embedder: no answer within {runtime.settings.embed_seconds:g} s")
    except EmbedderError as error:
        return Embedded(None, f"embedder: {error}")
    return Embedded(np.concatenate(parts))
