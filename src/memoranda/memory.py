"""The facade: one line per method, and `open`, the only place that chooses a concrete store and models.

A flow is loaded by the first call that needs it: a program that only recalls never loads the grammars of capture.
Signatures name the types of flows as strings; `flows.signatures` lists them.
"""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memoranda.core.base.checks import check_function, require, strings
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import GLOBAL, Scope
from memoranda.core.text.terms import Analyzer
from memoranda.errors import ScopeError
from memoranda.faces.jobs import AsyncJobs
from memoranda.flows import loaded as flows
from memoranda.models import embedder_of, language_models_of, reranker_of
from memoranda.models.ranker import learned
from memoranda.models.stemmer import stem
from memoranda.ports import Cache, Clock, Embedder, Ids, Models, Reranker, Store, Task
from memoranda.scoped import AsyncScoped
from memoranda.stores import lent, open_store_and_cache
from memoranda.system import PACE, time_ordered, utc_now


class AsyncMemory(AsyncJobs):
    """An open memory. Create one with `open`, get a scope from it and close it at the end, or use it in `with`."""

    def __init__(self, runtime: "flows.signatures.Runtime") -> None:
        self._runtime = runtime

    @classmethod
    async def open(
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        next_embedder: str | Embedder = "none",
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
            reranker: the model of the technique "rerank": "onnx:FOLDER" (a cross-encoder), or your own.
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
            StoreError: the store cannot be opened; the message says what to do.
            MissingExtraError: an optional dependency is needed and not installed.
        """
        chosen = flows.runtime.Settings() if settings is None else settings
        require(isinstance(chosen, flows.runtime.Settings), "settings", settings, "memoranda.Settings(…)")
        check_function("clock", clock)
        check_function("ids", ids)
        now = clock or utc_now
        moment("the clock's answer", now())
        model, following = embedder_of(embedder), embedder_of(next_embedder)
        same = model is not None and following is not None and model.space == following.space
        require(not same, "next_embedder", next_embedder, "another one than the embedder in use, or none")
        judge = reranker_of(reranker)
        writers = language_models_of(language_model, chosen.gating, PACE, flows.ledger.metered(chosen.meter))
        store, opened = await open_store_and_cache(url, cache, durability=durability)
        numbers = ids or time_ordered(now)
        space, dimension = (model.space.name, model.space.dimension) if model else ("", 0)
        partitions = flows.images.Partitions(store, space, dimension, chosen.hot_bytes)
        journal = flows.journal.Journal(store, partitions, chosen.context_log_rows)
        runtime = flows.runtime.Runtime(
            store=store,
            embedder=model,
            next_embedder=following,
            clock=now,
            ids=numbers,
            analyzer=Analyzer(stem),
            partitions=partitions,
            journal=journal,
            ledger=flows.ledger.Ledger(store, journal, chosen.prices, now, numbers),
            desks=flows.working_cells.Desks(opened, store, now, numbers, chosen.working),
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
        """Return the memory of one user, as one caller sees it.

        Args:
            tenant: the hard isolation boundary.
            user: the user whose memory it is.
            agent: the acting agent; what it writes is private to it and the user.
            team: the agent's team.
            channel: the active channel; reads also see `_global`.
            connections: the active tool connections.
            conversation: the conversation for calls that name none.
            task: the current task.
            whole: see everything of the user, in place of one agent, channel and set of connections: to read, export or
                forget all of it. Nothing can be written through such a scope.

        Raises:
            ScopeError: a name is empty or cannot be stored, or `whole` is combined with agent, channel or connections.
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
        """Return the counts of a tenant or one user: rows by table, records by kind and status, events by kind."""
        return await flows.inspect.stats(self._runtime, tenant, user)

    async def doctor(
        self, *, tenant: str | None = None, user: str | None = None, repair: bool = False
    ) -> "flows.signatures.Health":
        """Check the store, the embedding spaces and the memories. Each problem comes with what to do about it.

        Reads the whole SQLite file and every user's memory, so it takes seconds per gigabyte; `stats` only counts.

        Args:
            tenant: the tenant; all of the file by default.
            user: the user; all users by default.
            repair: repair what can be repaired, after copying the file to one beside it (SQLite). The log is kept as
                far as it can be read; what is derived from it and damaged or missing is derived again.

        Raises:
            CapabilityError: no tenant is named, and the store keeps its tenants apart.
        """
        return await flows.doctor.doctor(self._runtime, tenant, user, repair=repair)

    async def reembed(
        self, *, tenant: str, user: str | None = None, progress: "flows.signatures.Progress | None" = None
    ) -> "flows.signatures.Reembedded":
        """Embed every passage that has no vector in the current space, or in that of `next_embedder` if it was given.

        Can be interrupted and resumed. The job `reembed` does the same by itself.
        """
        return await flows.reembed.reembed(self._runtime, tenant, user, progress=progress)

    async def flush_idle(self, *, tenant: str, user: str | None = None) -> "flows.signatures.Flushed":
        """Write the turns of idle conversations, and summaries, to the log. All else in them lives until its time.

        Idle is a conversation in which nothing was read or written for `Settings.working.idle_seconds` (300).
        """
        return await flows.flush.flush_idle(self._runtime, tenant, user)

    async def consolidate(
        self, *, tenant: str, user: str | None = None, dry_run: bool = False
    ) -> "flows.signatures.Consolidated":
        """Process the waiting events of a tenant or one user, with the language model if there is one, else by rules.

        A lease of ten minutes, renewed between batches, lets one worker at a time process a user's events, so that the
        model is asked once. During a longer batch the lease ends and another worker may start; a killed worker blocks
        others for at most ten minutes.

        Args:
            tenant: the tenant.
            user: the user; all users by default.
            dry_run: only report the outcome of the first batch of each place; this asks, and pays for, the model.
        """
        return await flows.processor.consolidate(self._runtime, tenant, user, dry_run=dry_run)

    async def cost(
        self, *, tenant: str, user: str | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> "flows.signatures.Costs":
        """Return the model calls of a tenant or one user and what they cost, by model, task and day.

        Args:
            tenant: the tenant.
            user: the user; all users by default.
            since: only calls from this time on.
            until: only calls up to this time.
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
        """Return what a tenant or one user may spend on models, and what is left. Set the limits that are given.

        When nothing is left, no call with a known price is made: the next model of the task is used, or rules are, and
        recall works by keywords, without vectors; `degraded` says so. Models without a price, or with a price of 0, are
        always used.

        Args:
            tenant: the tenant.
            user: the user; by default the tenant as a whole, whose budget applies in addition to those of its users.
            balance: the amount left from now on, in the currency of `Settings.prices`; `math.inf` for no limit.
            day: the limit per day, in UTC.
            month: the limit per month, in UTC.
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
        """Derive everything known of a user from the event log again, and report what differs. No model is asked.

        With unchanged rules nothing differs. Nothing is written unless `to` or `switch` is given.

        Args:
            tenant: the tenant.
            user: the user.
            extractor: what reads the events: "rules", or "none" to keep only what consolidation found.
            to: a new memory to write the result to, with the log and all other rows: a file, "postgresql://…", or an
                open store.
            switch: replace what is known with the result, in one transaction.
            progress: called with the number of events read, once for each call that recorded them.

        Raises:
            InputError: `to` already holds a memory of this user.
        """
        return await flows.rebuild.rebuild(
            self._runtime, tenant, user, extractor=extractor, to=lent(to), switch=switch, progress=progress
        )

    async def close(self) -> None:
        """Release the store and the models. May be called twice."""
        async with AsyncExitStack() as last:
            writers = (*self._runtime.language_models.values(), *chain(*self._runtime.smaller.values()))
            for model in (self._runtime.embedder, self._runtime.next_embedder, *writers, self._runtime.reranker):
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
