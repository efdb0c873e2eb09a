"""The facade: one line per verb, and `open`, the only place that names a concrete store or model.

A flow is loaded by its first call: a program that recalls does not wait for the grammars of capture. Signatures name
what flows take and answer as strings, see `flows.signatures`.
"""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memstrata import flows
from memstrata.core.checks import check_function, require, strings
from memstrata.core.moments import moment
from memstrata.core.scope import GLOBAL, Scope
from memstrata.core.text import Analyzer
from memstrata.errors import ScopeError
from memstrata.faces.jobs import AsyncJobs
from memstrata.models import embedder_of, language_models_of, reranker_of
from memstrata.models.ranker import learned
from memstrata.models.stemmer import stem
from memstrata.ports import Cache, Clock, Embedder, Ids, Models, Reranker, Store, Task
from memstrata.scoped import AsyncScoped
from memstrata.stores import lent, open_store_and_cache
from memstrata.system import PACE, time_ordered, utc_now


class AsyncMemory(AsyncJobs):
    """An open memory. Make one with `open`, ask it for a scope, close it when done; it is its own context manager."""

    def __init__(self, runtime: "flows.signatures.Runtime") -> None:
        self._runtime = runtime

    @classmethod
    async def open(
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        language_model: Models | Mapping[Task, Models] = None,
        reranker: str | Reranker | None = None,
        cache: str | Cache | None = None,
        durability: str = "full",
        clock: Clock | None = None,
        ids: Ids | None = None,
        settings: "flows.signatures.Settings | None" = None,
    ) -> Self:
        """Open a memory.

        Args:
            url: a file's path, ":memory:", "postgresql://…", or a store of your own.
            embedder: "auto" (the local one if it is installed, else none), "local", "light", "hashed", "none",
                "onnx:FOLDER", or an embedder: your own, or one that needs options, as
                `memstrata.models.open_embedder("openai:MODEL", api_key=…)` makes it.
            language_model: for what asks for one, techniques of recall among it; your own, or one that
                `memstrata.models.open_language_model("openai:MODEL", api_key=…)` makes; or a model for each task:
                `{"default": …, "extraction": …, "narrative": …, "review": None}`. One that is not named has the
                default's, one with None has none. A list names several for a task: where the first cannot be paid any
                more (see `budget`), the next is asked.
            reranker: for the technique "rerank"; "onnx:FOLDER", a cross-encoder, or your own.
            cache: where working memory lies: by default with the store; "redis://…", "rediss://…", "unix://…", a
                cluster by one of its nodes ("redis+cluster://…"), or a cache of your own.
            durability: "full" (every call that returned survives power loss) or "relaxed" (survives the death of
                the process, not of the machine); SQLite only.
            clock: tells the time; the system's by default.
            ids: makes identifiers; by default from the clock and the system's randomness.
            settings: everything else.

        Raises:
            InputError: an argument is of the wrong kind; the message says what to give.
            SetupError: there is no such model.
            StoreError: the store cannot be opened; the message says what to do.
            MissingExtraError: an optional dependency is needed and not installed.
        """
        chosen = flows.runtime.Settings() if settings is None else settings
        require(isinstance(chosen, flows.runtime.Settings), "settings", settings, "memstrata.Settings(…)")
        check_function("clock", clock)
        check_function("ids", ids)
        now = clock or utc_now
        moment("the clock's answer", now())
        model = embedder_of(embedder)
        judge = reranker_of(reranker)
        writers = language_models_of(language_model, chosen.gating, PACE, flows.ledger.metered(chosen.meter))
        store, opened = await open_store_and_cache(url, cache, durability=durability)
        numbers = ids or time_ordered(now)
        space, dimension = (model.space.name, model.space.dimension) if model else ("", 0)
        partitions = flows.partitions.Partitions(store, space, dimension, chosen.hot_bytes)
        journal = flows.journal.Journal(store, partitions, chosen.context_log_rows)
        runtime = flows.runtime.Runtime(
            store=store,
            embedder=model,
            clock=now,
            ids=numbers,
            analyzer=Analyzer(stem),
            partitions=partitions,
            journal=journal,
            ledger=flows.ledger.Ledger(store, journal, chosen.prices, now, numbers),
            desks=flows.desks.Desks(opened, store, now, numbers, chosen.working),
            leases=flows.leases.Leases(opened, now, numbers),
            settings=chosen,
            ranker=learned if chosen.learned_ranking else None,
            language_models={task: first for task, (first, *_) in writers.items()},
            smaller={task: rest for task, (_, *rest) in writers.items()},
            reranker=judge,
        )
        return cls(runtime)

    def scope(
        self,
        *,
        tenant: str,
        user: str,
        agent: str | None = None,
        team: str | None = None,
        channel: str = GLOBAL,
        connections: Sequence[str] = (),
        conversation: str | None = None,
        task: str | None = None,
        whole: bool = False,
    ) -> AsyncScoped:
        """The memory of one user, as one caller sees it.

        Args:
            tenant: the hard isolation boundary.
            user: whose memory.
            agent: the acting agent; what is written stays private to it and the user.
            team: the agent's team.
            channel: the active channel; `_global` is read besides.
            connections: the active tool connections.
            conversation: the conversation meant where a call names none.
            task: the task at hand.
            whole: instead of an agent, a channel and connections, all there are: to see, export or forget all of a
                user. Nothing is written through it.

        Raises:
            ScopeError: a name is empty or cannot be stored, or what is the whole is narrowed as well.
        """
        return AsyncScoped(
            self._runtime,
            Scope(
                tenant=tenant,
                user=user,
                agent=agent,
                team=team,
                channel=channel,
                connections=strings("connections", connections, ScopeError),
                conversation=conversation,
                task=task,
                whole=whole,
            ),
        )

    async def stats(self, *, tenant: str, user: str | None = None) -> dict[str, Any]:
        """Counts of a tenant, or of one of its users: rows by table, records by kind and status, events by kind."""
        return await flows.inspect.stats(self._runtime, tenant, user)

    async def doctor(self, *, tenant: str, user: str | None = None) -> "flows.signatures.Health":
        """Check the store, the embedding space and the memories; problems come with what to do about them.

        Reads the whole SQLite file and every user's memory, so it takes seconds per gigabyte; `stats` only counts.
        """
        return await flows.inspect.doctor(self._runtime, tenant, user)

    async def reembed(
        self, *, tenant: str, user: str | None = None, progress: "flows.signatures.Progress | None" = None
    ) -> "flows.signatures.Reembedded":
        """Give every passage that lacks one a vector in the current space. Can be broken off and taken up again."""
        return await flows.reembed.reembed(self._runtime, tenant, user, progress=progress)

    async def flush_idle(self, *, tenant: str, user: str | None = None) -> "flows.signatures.Flushed":
        """Flush the conversations in which nothing was done for five minutes, of a tenant or one of its users."""
        return await flows.flush.flush_idle(self._runtime, tenant, user)

    async def consolidate(
        self, *, tenant: str, user: str | None = None, dry_run: bool = False
    ) -> "flows.signatures.Consolidated":
        """Take in the events that wait, of a tenant or one of its users: by the language model if there is one.

        One worker at a time is at it for a user, so that a model is asked once, unless a batch takes it longer than ten
        minutes; one that was killed keeps others out for as long at most.

        Args:
            tenant: whose.
            user: of whom; of all by default.
            dry_run: only tell what would come of the first batch of each place; a model is asked for that, and paid.
        """
        return await flows.processor.consolidate(self._runtime, tenant, user, dry_run=dry_run)

    async def cost(
        self, *, tenant: str, user: str | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> "flows.signatures.Costs":
        """What models were asked and what it cost, by model, task and day, of a tenant or one of its users.

        Args:
            tenant: whose.
            user: of whom; of all by default.
            since: only what was asked from then on.
            until: only what was asked up to then.
        """
        return await flows.costs.cost(self._runtime, tenant, user, since=since, until=until)

    async def budget(
        self,
        *,
        tenant: str,
        user: str | None = None,
        balance: float | None = None,
        day: float | None = None,
        month: float | None = None,
    ) -> "flows.signatures.Budgets":
        """What a tenant, or one of its users, may spend on models, and what is left of it; sets what is given.

        With nothing left no call that costs something is made: a smaller model of the task is asked, or rules do it,
        and without vectors words find what there is; `degraded` says so. What costs nothing is always asked.

        Args:
            tenant: whose.
            user: of whom; by default of all users of the tenant together, which is a budget besides theirs.
            balance: what is left from now on, in the currency of `Settings.prices`; `math.inf` for no limit.
            day: what may be spent in a day of UTC.
            month: what may be spent in a month.
        """
        return await flows.costs.budget(self._runtime, tenant, user, balance=balance, day=day, month=month)

    async def rebuild(
        self,
        *,
        tenant: str,
        user: str,
        extractor: str = "rules",
        to: str | Path | Store | None = None,
        switch: bool = False,
        progress: "flows.signatures.Progress | None" = None,
    ) -> "flows.signatures.Rebuilt":
        """Derive again all that is known of a user from the log of events, and tell what differs. No model is asked.

        By the same rules nothing differs. Nothing is written unless one says where.

        Args:
            tenant: whose.
            user: of whom.
            extractor: what reads what was said: "rules", or "none", so that only what consolidation found counts.
            to: a new memory that the rebuilt one is written to, with the log and all else: a file, "postgresql://…", or
                a store that is open.
            switch: put what was derived again in the place of what is known, all at once.
            progress: called with how many events were read, after each call of theirs.

        Raises:
            InputError: where it is to go is a memory of this user already.
        """
        return await flows.rebuild.rebuild(
            self._runtime, tenant, user, extractor=extractor, to=lent(to), switch=switch, progress=progress
        )

    async def close(self) -> None:
        """Release the store and the models. Closing twice is no error."""
        async with AsyncExitStack() as last:
            writers = (*self._runtime.language_models.values(), *chain(*self._runtime.smaller.values()))
            for model in (self._runtime.embedder, *writers, self._runtime.reranker):
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


__all__ = ["AsyncMemory"]
