"""The verbs of one scope: a line per verb.

A flow is loaded by its first call: a program that recalls does not wait for the grammars of capture. Signatures name
what flows take and answer as strings, see `flows.signatures`.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from memstrata import faces, flows
from memstrata.core.layouts import BUDGET, Layout
from memstrata.core.rows import Receipt, Record
from memstrata.core.scope import Scope
from memstrata.faces.strata import AsyncStrata

_T = TypeVar("_T")


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

    async def events(
        self,
        *,
        dead: bool = False,
        waiting: bool = False,
        kind: str | None = None,
        conversation: str | None = None,
        limit: int = 20,
    ) -> "tuple[flows.signatures.Logged, ...]":
        """Events of the log that this scope sees, the latest first, each with how consolidation failed with it.

        Args:
            dead: only those with which consolidation failed so often that it tries no more; `retry` lets it.
            waiting: only those that consolidation has not taken in.
            kind: only these: turn, observation, tool_call, log, …
            conversation: only those of this one.
            limit: at most so many, up to 1,000.
        """
        return await flows.backlog.events(
            self._runtime, self.scope, dead=dead, waiting=waiting, kind=kind, conversation=conversation, limit=limit
        )

    async def metrics(self) -> "flows.signatures.Metrics":
        """How the memory does in use, computed from its log: contexts used, corrections, questions asked again."""
        return await flows.metrics.metrics(self._runtime, self.scope)

    async def retry(self, *, events: Sequence[str] | None = None) -> tuple[str, ...]:
        """Let consolidation try events again with which it failed, as if for the first time; their ids.

        Args:
            events: which; by default all that are dead where this scope looks.

        Raises:
            NotFoundError: with one of them it did not fail, or not here.
        """
        return await flows.backlog.retry(self._runtime, self.scope, events=events)

    async def audit(
        self,
        *,
        operation: str | None = None,
        conversation: str | None = None,
        since: datetime | None = None,
        limit: int = 20,
    ) -> "tuple[flows.signatures.AuditEntry, ...]":
        """What was done where this scope looks, the latest first: by ids and counts, as `Settings.audit` says.

        Forgetting is not among it: its receipt says what went.

        Args:
            operation: only this verb, as add or goals.complete.
            conversation: only what was done in this one.
            since: only what was done from then on.
            limit: at most so many, up to 1,000.
        """
        return await flows.audits.entries(
            self._runtime, self.scope, operation=operation, conversation=conversation, since=since, limit=limit
        )

    def working(self, conversation: str | None = None, *, run: str | None = None) -> "faces.working.AsyncWorking":
        """What is at hand in a conversation, by default the scope's, or in the run of a workflow."""
        return faces.working.at(self._runtime, self.scope, conversation, run)

    def export(self) -> AsyncIterator[dict[str, Any]]:
        """Every row this scope sees, as JSON objects: a header, the rows, and a last line with a checksum."""
        rows = flows.transfer.export(self._runtime, self.scope)
        return flows.audit.handed_out(self._runtime, self.scope, flows.audit.Act("export"), rows)


def _audited(verb: Callable[..., Awaitable[_T]]) -> Callable[..., Awaitable[_T]]:
    """A verb of a scope, told to the audit."""
    name = verb.__name__
    asks = "query" in verb.__code__.co_varnames[1:2]

    @wraps(verb)
    async def call(self: AsyncScoped, /, *args: Any, **names: Any) -> _T:
        act = flows.audit.Act(name, (names.get("query", *args[:1])) if asks else None)
        return await flows.audit.audited(self._runtime, self.scope, act, verb(self, *args, **names))

    return call


for _name, _verb in tuple(vars(AsyncScoped).items()):
    if iscoroutinefunction(_verb):
        setattr(AsyncScoped, _name, _audited(_verb))


__all__ = ["AsyncScoped"]
