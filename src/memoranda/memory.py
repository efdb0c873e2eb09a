"""Opening a memory, with and without `await`: the only place that chooses a concrete store and models."""

from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack, closing
from functools import partial
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memoranda.core.base.checks import check_function, require
from memoranda.core.base.moments import moment
from memoranda.core.text.terms import Analyzer
from memoranda.models import currency_of, embedder_of, language_models_of, reranker_of
from memoranda.models.gate import Gates
from memoranda.models.ranker import learned
from memoranda.models.stemmer import stem
from memoranda.ports import Cache, Clock, Embedder, Ids, Models, Reranker, Store, Task
from memoranda.stores import lent, open_store_and_cache
from memoranda.system import PACE, random_bytes, time_ordered, utc_now
from memoranda.templates import rendered
from memoranda.verbs import loaded
from memoranda.verbs.loop import Loop
from memoranda.verbs.memory import OpenMemory
from memoranda.verbs.registry import Async, Blocking
from memoranda.verbs.scoped import AsyncScoped, Scoped


class AsyncMemory(OpenMemory[Async, AsyncScoped]):
    """An open memory, whose methods are awaited; to be used as `Memory` is."""

    _of = Async
    _scoped = AsyncScoped

    @classmethod
    async def open(
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        next_embedder: str | Embedder = "none",
        language_model: Models | Mapping[Task, Models] = None,
        reranker: str | Reranker | None = None,
        currency: str | Reranker | None = "auto",
        cache: str | Cache | None = None,
        durability: str = "full",
        clock: Clock | None = None,
        ids: Ids | None = None,
        settings: "loaded.runtime.Settings | None" = None,
    ) -> Self:
        """Open a memory.

        Args:
            url: a file path, ":memory:", "postgresql://…", or your own `Store`.
            embedder: "auto" (the local one if it is installed, else none), "local", "light", "hashed", "none",
                "onnx:FOLDER", or an `Embedder`: your own, or one opened with options, such as
                `memoranda.models.open_embedder("openai:MODEL", api_key=…)`.
            next_embedder: the embedder to change to. `embedder` stays in use while `reembed`, by hand or as a job,
                writes vectors of the next one beside its own; once `doctor` says that they are complete, open with the
                next one as `embedder`. Without this step, words alone answer until the vectors are written.
            language_model: the model for consolidation, reviews and the recall techniques that need one: your own, or
                `memoranda.models.open_language_model("openai:MODEL", api_key=…)`. Or a model for each task:
                `{"default": …, "extraction": …, "narrative": …, "review": None}`; a task that is missing uses the
                default, a task with None has no model. A list gives several models for a task: when the budget no
                longer allows the first (see `budget`), the next one is used.
            reranker: the model of the technique "rerank": "local" (small, and comes with the local embedder),
                "onnx:FOLDER" (a cross-encoder), or your own.
            currency: the model that says which earlier turns a new one makes outdated, where no rule reads it: "auto"
                (the local one beside the local embedder, else none), "local", "none", "onnx:FOLDER" (a cross-encoder),
                or your own, whose `rerank(later, earlier)` answers how surely the first text outdates each of others.
            cache: where working memory is kept: by default with the store; else "redis://…", "rediss://…", "unix://…",
                a cluster by one of its nodes ("redis+cluster://…"), or your own `Cache`.
            durability: "full" (every call that returned survives a power loss) or "relaxed" (survives a crash of the
                process, but not of the machine); SQLite only.
            clock: returns the current time; the system clock by default.
            ids: generates identifiers; by default from the clock and the system's randomness.
            settings: everything else.

        Raises:
            InputError: an argument is of the wrong kind; the message says what to give.
            SetupError: there is no such model.
            CapabilityError: a technique of the settings needs a model that is not given.
            StoreError: the store cannot be opened; the message says what to do.
            MissingExtraError: an optional dependency is needed and not installed.
        """
        chosen = loaded.runtime.Settings() if settings is None else settings
        require(isinstance(chosen, loaded.runtime.Settings), "settings", settings, "memoranda.Settings(…)")
        check_function("clock", clock)
        check_function("ids", ids)
        now = clock or utc_now
        moment("the clock's answer", now())
        gates = Gates(chosen.gating, PACE, loaded.ledger.metered(chosen.meter), chosen.counter)
        model, following = embedder_of(embedder, gates), embedder_of(next_embedder, gates)
        same = model is not None and following is not None and model.space == following.space
        require(not same, "next_embedder", next_embedder, "another one than the embedder in use, or none")
        judge = reranker_of(reranker, gates)
        later = currency_of(currency, model, gates)
        writers = language_models_of(language_model, gates)
        if chosen.techniques:
            loaded.techniques.check_able(chosen.techniques, writers, judge)
        store, opened = await open_store_and_cache(url, cache, durability=durability)
        numbers = ids or time_ordered(now)
        space, dimension = (model.space.name, model.space.dimension) if model else ("", 0)
        partitions = loaded.images.Partitions(store, space, dimension, chosen.hot_bytes)
        journal = loaded.journal.Journal(store, partitions, chosen.context_log_rows)
        runtime = loaded.runtime.Runtime(
            store=store,
            embedder=model,
            next_embedder=following,
            clock=now,
            ids=numbers,
            random=random_bytes,
            analyzer=Analyzer(stem),
            partitions=partitions,
            journal=journal,
            ledger=loaded.ledger.Ledger(store, journal, chosen.prices, now, numbers),
            desks=loaded.working_cells.Desks(opened, store, now, numbers, chosen.working),
            leases=loaded.leases.Leases(opened, now, numbers),
            settings=chosen,
            ranker=learned if chosen.learned_ranking else None,
            language_models={task: first for task, (first, *_) in writers.items()},
            smaller={task: rest for task, (_, *rest) in writers.items()},
            reranker=judge,
            currency=later,
            lent=lent,
            rendered=rendered,
        )
        return cls(Async(), runtime)

    async def close(self) -> None:
        """Release the store and the models. May be called twice."""
        async with AsyncExitStack() as last:
            writers = (*self._runtime.language_models.values(), *chain(*self._runtime.smaller.values()))
            judges = (self._runtime.reranker, self._runtime.currency)
            for model in (self._runtime.embedder, self._runtime.next_embedder, *writers, *judges):
                if model is not None:
                    last.push_async_callback(model.close)
            last.push_async_callback(self._runtime.store.close)
            await self._runtime.partitions.uses.close()
            await self._runtime.journal.close()
            await self._runtime.desks.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Memory(OpenMemory[Blocking, Scoped]):
    """An open memory. Create one with `open`, get a scope from it and close it at the end, or use it in `with`."""

    _of = Blocking
    _scoped = Scoped

    @classmethod
    def open(  # noqa: D102 - its docstring is that of the other
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        next_embedder: str | Embedder = "none",
        language_model: Models | Mapping[Task, Models] = None,
        reranker: str | Reranker | None = None,
        currency: str | Reranker | None = "auto",
        cache: str | Cache | None = None,
        durability: str = "full",
        clock: Clock | None = None,
        ids: Ids | None = None,
        settings: "loaded.runtime.Settings | None" = None,
    ) -> Self:
        options: dict[str, Any] = {
            "embedder": embedder, "next_embedder": next_embedder, "language_model": language_model,
            "reranker": reranker, "currency": currency, "cache": cache, "durability": durability, "clock": clock,
            "ids": ids, "settings": settings,
        }  # fmt: skip
        with ExitStack() as undo:
            loop = undo.enter_context(closing(Loop()))
            memory = loop.call(partial(AsyncMemory.open, url, **options))
            loop.on_close(memory.close)
            undo.pop_all()
        return cls(Blocking(loop), memory.runtime)

    def close(self) -> None:
        """Release the store and the models. May be called twice."""
        self._colour.loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


Memory.open.__func__.__doc__ = AsyncMemory.open.__doc__  # type: ignore[attr-defined] # of a class method


__all__ = ["AsyncMemory", "Memory"]
