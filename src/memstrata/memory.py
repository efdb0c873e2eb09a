"""The facade: one line per verb, and `open`, the only place that names a concrete store or model.

A flow is loaded by its first call: a program that recalls does not wait for the grammars of capture. Signatures name
what flows take and answer as strings, see `flows.signatures`.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memstrata import faces, flows
from memstrata.core.checks import check_function, require, strings
from memstrata.core.layouts import BUDGET, Layout
from memstrata.core.moments import moment
from memstrata.core.rows import Receipt, Record
from memstrata.core.scope import GLOBAL, Scope
from memstrata.core.text import Analyzer
from memstrata.errors import ScopeError
from memstrata.faces.strata import AsyncStrata
from memstrata.models import embedder_of, language_model_of, reranker_of
from memstrata.models.ranker import learned
from memstrata.models.stemmer import stem
from memstrata.ports import Cache, Clock, Embedder, Ids, LanguageModel, Reranker, Store
from memstrata.stores import open_store_and_cache
from memstrata.system import time_ordered, utc_now


class AsyncMemory:
    """An open memory. Make one with `open`, ask it for a scope, close it when done; it is its own context manager."""

    def __init__(self, runtime: "flows.signatures.Runtime") -> None:
        self._runtime = runtime

    @classmethod
    async def open(
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        language_model: str | LanguageModel | None = None,
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
            language_model: for techniques of recall that ask for one; your own, or one that
                `memstrata.models.open_language_model("openai:MODEL", api_key=…)` makes.
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
        writer, judge = language_model_of(language_model), reranker_of(reranker)
        store, opened = await open_store_and_cache(url, cache, durability=durability)
        numbers = ids or time_ordered(now)
        space, dimension = (model.space.name, model.space.dimension) if model else ("", 0)
        partitions = flows.partitions.Partitions(store, space, dimension, chosen.hot_bytes)
        runtime = flows.runtime.Runtime(
            store=store,
            embedder=model,
            clock=now,
            ids=numbers,
            analyzer=Analyzer(stem),
            partitions=partitions,
            journal=flows.journal.Journal(store, partitions, chosen.context_log_rows),
            desks=flows.desks.Desks(opened, store, now, numbers, chosen.working),
            settings=chosen,
            ranker=learned if chosen.learned_ranking else None,
            language_model=writer,
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
    ) -> "AsyncScoped":
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

    async def close(self) -> None:
        """Release the store and the models. Closing twice is no error."""
        async with AsyncExitStack() as last:
            for model in (self._runtime.embedder, self._runtime.language_model, self._runtime.reranker):
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


class AsyncScoped(AsyncStrata):
    """The verbs, in one scope."""

    def __init__(self, runtime: "flows.signatures.Runtime", scope: Scope) -> None:
        self._runtime = runtime
        self.scope = scope

    async def add(
        self,
        messages: "Sequence[flows.signatures.Message | Mapping[str, Any]]",
        *,
        conversation: str | None = None,
        surface: str = "chat",
        connection: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "flows.signatures.Captured":
        """Record turns of a conversation; durable when it returns.

        Args:
            messages: each {"role", "content"} with, optionally, "name", "timestamp" and "id"; a message whose id
                is known in this conversation is not recorded again.
            conversation: the conversation's id.
            surface: chat, widget, inbox, recipe, heartbeat, tool or import.
            connection: the tool connection the turns belong to.
            metadata: kept with every turn.

        Raises:
            MessageError: a message cannot be read; nothing was recorded.
            StoreError: nothing was recorded.
        """
        return await flows.capture.add(
            self._runtime, self.scope, messages,
            conversation=conversation, surface=surface, connection=connection, metadata=metadata,
        )  # fmt: skip

    async def observe(
        self,
        content: str,
        *,
        category: str = "fact",
        source: str = "user_provided",
        surface: str = "tool",
        connection: str | None = None,
        at: datetime | None = None,
        key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "flows.signatures.Captured":
        """Record one observation.

        Args:
            content: what was observed, a statement that stands alone.
            category: fact, preference, project_details, correction, or your own.
            source: user_provided, agent, system_learned, workflow, tool_indexed or tool_extracted_content; sets
                how far it is trusted.
            surface: where it was made.
            connection: the tool connection it belongs to; it is then seen only while that is active.
            at: when it was so; now by default.
            key: an idempotency key: the same key twice is one observation.
            metadata: kept with it.
        """
        return await flows.capture.observe(
            self._runtime, self.scope, content,
            category=category, source=source, surface=surface, connection=connection, at=at, key=key,
            metadata=metadata,
        )  # fmt: skip

    async def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        tokens: int | None = None,
        kinds: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        profile: str = "balanced",
        per_conversation: int | None = None,
        arms: Iterable[str] | None = None,
        now: datetime | None = None,
        techniques: Sequence[str] = (),
        deadline: float | None = None,
    ) -> "flows.signatures.Recalled":
        """What bears on a question, best first.

        Args:
            query: the question, in words.
            limit: at most so many items, 1 to 1,000.
            tokens: at most so many tokens of text, by estimate.
            kinds: only these: turn for what was said, observation for what was observed, tool_call and log; fact,
                preference, decision, plan, goal, strategy and entity for records. By default all, but at most a fifth
                of the answer are calls of tools.
            since: only what was said, or began to hold, then or later.
            until: only what was said, or began to hold, before then.
            as_of: what held at that time.
            known_at: what was believed at that time.
            profile: "balanced" (similarity, recency, importance, use, entities) or "relevance" (similarity alone).
            per_conversation: at most so many items of one conversation.
            arms: only these propose: keyword, vector, entities, time, records, recent, neighbours; all by default.
            now: the time of asking; the clock's by default.
            techniques: what else to try, each timed in the trace. By rules: "expand" (the question as a statement,
                other names), "self_query" (times, kinds, channels and names in it as filters), "steps" (its parts, and
                what leads from one answer to the next). With a language model: "hyde" (an answer made up to find the
                real one), "multi_query" (other words). With a reranker: "rerank".
            deadline: seconds; what is slower is cut and named in `degraded`, and what was found until then is the
                answer.

        Raises:
            CapabilityError: a technique needs a model that this memory was opened without.
        """
        recalled = await flows.techniques.recall_with(
            self._runtime, self.scope,
            flows.recall.asked(query, kinds, arms, limit=limit, tokens=tokens, since=since, until=until, as_of=as_of,
                 known_at=known_at, profile=profile, per_conversation=per_conversation, now=now),
            techniques, deadline,
        )  # fmt: skip
        self._runtime.reinforce(self.scope.owner, recalled, now)
        return recalled

    async def context(
        self,
        query: str,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        budgets: Mapping[str, int] | None = None,
        layout: str | Layout = "memory",
        brings: "Mapping[str, flows.signatures.Content | flows.signatures.Provider] | None" = None,
        now: datetime | None = None,
        techniques: Sequence[str] = (),
        deadline: float | None = None,
    ) -> "flows.signatures.Context":
        """What to put into the prompt for a request, within a budget of tokens.

        Args:
            query: the user's request.
            conversation: the one that is going on; its own turns are left out, the host has them.
            budget: tokens in all; by default the layout's.
            budgets: tokens of single sections, where the defaults do not fit.
            layout: "memory" (4,000 tokens), "host" (a host's whole payload, 8,000), or one of your own, see
                `memstrata.core.layouts`.
            brings: what the host brings, by section: a text, a list of texts, the messages of the conversation, an
                object of fields, or an async function of scope and query that returns one of these. One that takes too
                long, or raises an `OSError` or one of our own errors, leaves its section empty and is named in
                `degraded`; whatever else it raises is a fault in it, and is raised.
            now: the time of asking; the clock's by default.
            techniques: what else to try to find memories, as in `recall`.
            deadline: seconds for that, as in `recall`.

        Raises:
            InputError: there is no such layout or section, or what is brought to it cannot be.
            CapabilityError: a technique needs a model that this memory was opened without.
        """
        return await flows.context.context(
            self._runtime, self.scope, query,
            conversation=conversation, budget=budget, budgets=budgets, layout=layout, brings=brings, now=now,
            techniques=techniques, deadline=deadline,
        )  # fmt: skip

    async def profile(self, *, now: datetime | None = None) -> "flows.signatures.Profile":
        """What is known of the user: scaffold, narrative and learned info, as a view of the current records."""
        return await flows.inspect.profile(self._runtime, self.scope, now=now)

    async def history(self, record: str) -> tuple[Record, ...]:
        """Every version of a belief, of those it replaced and of those that replaced it, in order of validity.

        Raises:
            NotFoundError: this scope sees no such record.
        """
        return await flows.inspect.history(self._runtime, self.scope, record)

    async def why(
        self,
        query: str,
        item: str | None = None,
        *,
        limit: int = 10,
        tokens: int | None = None,
        kinds: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        profile: str = "balanced",
        per_conversation: int | None = None,
        now: datetime | None = None,
        techniques: Sequence[str] = (),
        deadline: float | None = None,
    ) -> "flows.signatures.Why":
        """Why the memories rank as they do for a question, and what was left out of the answer.

        With `item`, the id of a memory: why that one ranks where it does, or why it is not in the answer. The question,
        what narrows it, and what else is tried are those of `recall`; `recalled.trace` says what each technique did.

        Raises:
            NotFoundError: there is no such memory.
            CapabilityError: a technique needs a model that this memory was opened without.
        """
        return await flows.inspect.why(
            self._runtime, self.scope,
            flows.recall.asked(
                query, kinds, limit=limit, tokens=tokens, since=since, until=until, as_of=as_of, known_at=known_at,
                profile=profile, per_conversation=per_conversation, now=now,
            ),
            item, techniques=techniques, deadline=deadline,
        )  # fmt: skip

    async def evaluate(
        self,
        questions: "Sequence[flows.signatures.Question | Mapping[str, Any]]",
        *,
        configurations: "Sequence[flows.signatures.Configuration]" = (),
        ablate: bool = False,
        budget: int = BUDGET,
        seed: int = 0,
        progress: "flows.signatures.Progress | None" = None,
    ) -> "flows.signatures.Evaluation":
        """How well this memory answers questions whose answers are known. Nothing is written.

        Args:
            questions: each {"query", "answers"} with, optionally, "category", "now" and "scope", as
                `memstrata.core.labels.read` finds them in a file; docs/EVALUATION.md describes them.
            configurations: ways to recall that are compared, the others with the first; the default one by itself.
            ablate: also take one thing at a time away from the first: all memory, turns, records, the embedder, arms.
            budget: tokens, of the recall within a budget and of the context.
            seed: of the resampling that gives the intervals.
            progress: called with 1 after each question of each configuration.

        Raises:
            FormatError: a question cannot be read.
            NotFoundError: an answer names a memory that this scope does not see.
        """
        return await flows.evaluate.evaluate(
            self._runtime, self.scope, questions,
            configurations=configurations, ablate=ablate, budget=budget, seed=seed, progress=progress,
        )  # fmt: skip

    async def forget(
        self,
        *,
        record: str | None = None,
        source: str | None = None,
        conversation: str | None = None,
        everything: bool = False,
    ) -> Receipt:
        """Remove a record, a source event, a conversation or all this scope sees, with everything derived from it.

        A record takes the events it came from with it, or it would come back. Exactly one target must be named.
        All of a user is `everything=True` in the scope of the whole (`whole=True`).

        Raises:
            NotFoundError: there is nothing to forget.
        """
        target = flows.forget.Target(record=record, source=source, conversation=conversation, everything=everything)
        return await flows.forget.forget(self._runtime, self.scope, target)

    async def import_conversations(
        self,
        conversations: "Iterable[flows.signatures.Conversation]",
        *,
        progress: "flows.signatures.Progress | None" = None,
    ) -> "flows.signatures.Imported":
        """Take in conversations, as `memstrata.core.formats.read` finds them; the same twice add nothing.

        Args:
            conversations: read one after the other, so that they may be many.
            progress: called with the number of turns after each that were written.
        """
        return await flows.transfer.import_conversations(self._runtime, self.scope, conversations, progress=progress)

    def working(self, conversation: str | None = None, *, run: str | None = None) -> "faces.working.AsyncWorking":
        """What is at hand in a conversation, by default the scope's, or in the run of a workflow."""
        return faces.working.at(self._runtime, self.scope, conversation, run)

    def export(self) -> AsyncIterator[dict[str, Any]]:
        """Every row this scope sees, as JSON objects: a header, the rows, and a last line with a checksum."""
        return flows.transfer.export(self._runtime, self.scope)


__all__ = ["AsyncMemory", "AsyncScoped"]
