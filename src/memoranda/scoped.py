"""The methods of one scope, one line each.

A flow is loaded by the first call that needs it: a program that only recalls never loads the grammars of capture.
Signatures name the types of flows as strings; `flows.signatures` lists them.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from memoranda import faces
from memoranda.core.base.scope import Scope
from memoranda.core.context.layouts import BUDGET, Layout
from memoranda.core.rows import Receipt, Record
from memoranda.faces.strata import AsyncStrata
from memoranda.flows import loaded as flows

_T = TypeVar("_T")


class AsyncScoped(AsyncStrata):
    """The memory of one scope: record, recall, explain and forget."""

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
        """Record turns of a conversation. They are durable when the call returns.

        Args:
            messages: each {"role", "content"} and optionally "name", "timestamp" and "id". A message whose id is
                already known in this conversation is not recorded again.
            conversation: the conversation's id.
            surface: chat, widget, inbox, recipe, heartbeat, tool or import.
            connection: the tool connection the turns belong to.
            metadata: stored with every turn.

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
            content: what was observed, as a self-contained statement.
            category: fact, preference, project_details, correction, or your own.
            source: user_provided, agent, system_learned, workflow, tool_indexed or tool_extracted_content; it sets
                the trust.
            surface: where the observation was made.
            connection: the tool connection it belongs to; it is then visible only while that connection is active.
            at: when it was true; now by default.
            key: an idempotency key: the same key twice records one observation.
            metadata: stored with it.
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
        """Return the memories relevant to a question, best first.

        Args:
            query: the question, in words.
            limit: the most items, 1 to 1,000.
            tokens: the most tokens of text, by `Settings.counter`, which estimates by default.
            kinds: only these kinds. Events are turn, observation, tool_call and log; records are fact, preference,
                decision, plan, goal, strategy and entity. All by default, but tool calls make up at most a fifth of
                the answer.
            since: only what was said, or became valid, at this time or later.
            until: only what was said, or became valid, before this time.
            as_of: what was valid at this time.
            known_at: what was believed at this time.
            profile: "balanced" (similarity, recency, importance, use, entities) or "relevance" (similarity alone).
            per_conversation: the most items from one conversation.
            arms: only these arms propose candidates: keyword, vector, entities, time, attribute, records, recent,
                neighbours; all by default.
            now: the time of asking; by default the clock's.
            techniques: further ways to search, each timed in the trace. By rules: "expand" (the question as a
                statement, and with other names), "self_query" (times, kinds, channels and names in it become filters),
                "steps" (its parts, and the entities that link one answer to the next). With a language model: "hyde"
                (search with a hypothetical answer), "multi_query" (paraphrases). With a reranker: "rerank".
            deadline: seconds, by default `Settings.technique_seconds`. Techniques, or an embedder, that take longer are
                cut off and named in `degraded`; the answer is what was found until then.

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
        lost = self._runtime.journal.trouble(self.scope.owner)
        return replace(recalled, degraded=(*recalled.degraded, *lost)) if lost else recalled

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
        """Assemble the memory part of the prompt for a request, within a token budget.

        Args:
            query: the user's request.
            conversation: the current conversation; its own turns are left out, because the host has them.
            budget: the tokens in all; by default the layout's.
            budgets: the tokens of single sections, in place of the layout's.
            layout: "memory" (4,000 tokens), "host" (a host's whole payload, 8,000), or your own, see
                `memoranda.core.context.layouts`.
            brings: what the host supplies, by section: a text, a list of texts, the messages of the conversation, an
                object of fields, or an async function of scope and query that returns one of these. A function that
                takes longer than `Settings.provider_seconds`, or raises an `OSError` or a `MemorandaError`, leaves its
                section empty and is named in `degraded`; any other exception is raised.
            now: the time of asking; by default the clock's.
            techniques: further ways to search, as in `recall`.
            deadline: seconds for the search, as in `recall`.

        Raises:
            InputError: there is no such layout or section, or it cannot hold what the host supplied.
            CapabilityError: a technique needs a model that this memory was opened without.
        """
        return await flows.context.context(
            self._runtime, self.scope, query,
            conversation=conversation, budget=budget, budgets=budgets, layout=layout, brings=brings, now=now,
            techniques=techniques, deadline=deadline,
        )  # fmt: skip

    async def profile(self, *, now: datetime | None = None) -> "flows.signatures.Profile":
        """Return what is known of the user: scaffold, narrative and learned info, a view of the current records."""
        return await flows.inspect.profile(self._runtime, self.scope, now=now)

    async def history(self, record: str) -> tuple[Record, ...]:
        """Return every version of a belief, of those it superseded and those that superseded it, in order of validity.

        Raises:
            NotFoundError: no such record is visible in this scope.
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
        """Explain the ranking of the memories for a question, and what was left out of the answer.

        With `item`, the id of a memory, explain why it ranks where it does, or why it is not in the answer. The other
        arguments are those of `recall`; `recalled.trace` says what each technique did.

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
        """Measure how well this memory answers questions with known answers. Nothing is written.

        Args:
            questions: each {"query", "answers"} and optionally "category", "now" and "scope", as
                `memoranda.core.evaluation.labels.read` reads them from a file; docs/EVALUATION.md describes them.
            configurations: ways to recall, each compared with the first; by default the default one alone.
            ablate: also run the first without one part at a time: all memory, turns, records, the embedder, each arm.
            budget: tokens for the context, and for the recall within a budget.
            seed: the seed of the resampling for the intervals.
            progress: called with 1 after each question of each configuration.

        Raises:
            FormatError: a question cannot be read.
            NotFoundError: an answer names a memory that is not visible in this scope.
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
        value: str | None = None,
        everything: bool = False,
        for_good: bool = False,
    ) -> Receipt:
        """Remove a record, a source event, a conversation, a value or all this scope sees, with all derived from it.

        Name exactly one target. A record is removed with its source events; otherwise it would be derived again. To
        remove all of a user, use `everything=True` in a scope with `whole=True`.

        What was forgotten is not recorded again, whether an import, an agent, a tool, a model or a job brings it, nor
        by any event of before; a sentence that repeats it is withheld. What the user says of it later is new.

        Args:
            record: the id of a record.
            source: the id of an event.
            conversation: the id of a conversation, with its working memory.
            value: words, of at least two letters or digits; whatever says them is removed, in every stratum.
            everything: all that the scope sees.
            for_good: whether the user's own later words are refused, too.

        Returns:
            The receipt; `verify()` checks it, and `remains` says where bytes may still be read.

        Raises:
            NotFoundError: there is nothing to forget.
        """
        target = flows.targets.Target(
            record=record, source=source, conversation=conversation, value=value, everything=everything,
            for_good=for_good,
        )  # fmt: skip
        return await flows.forget.forget(self._runtime, self.scope, target)

    async def import_conversations(
        self,
        conversations: "Iterable[flows.signatures.Conversation]",
        *,
        progress: "flows.signatures.Progress | None" = None,
    ) -> "flows.signatures.Imported":
        """Import conversations, as `memoranda.core.formats.read` yields them. Importing twice adds nothing.

        What cannot be read or imported is named in `faults` of the result, and the rest is imported.

        Args:
            conversations: consumed lazily, so there may be many.
            progress: called after each write with the number of turns written.

        Raises:
            InputError: nothing could be imported.
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
        """Return the events visible in this scope, latest first, each with its failed consolidation attempts.

        Args:
            dead: only dead letters: events that consolidation failed on too often to try again before `retry`.
            waiting: only events that consolidation has not processed.
            kind: only this kind: turn, observation, tool_call, log, …
            conversation: only events of this conversation.
            limit: the most events, up to 1,000.
        """
        return await flows.backlog.events(
            self._runtime, self.scope, dead=dead, waiting=waiting, kind=kind, conversation=conversation, limit=limit
        )

    async def metrics(self) -> "flows.signatures.Metrics":
        """Compute how well the memory works in use, from its log: contexts used, corrections, repeated questions."""
        return await flows.usage.metrics(self._runtime, self.scope)

    async def retry(self, *, events: Sequence[str] | None = None) -> tuple[str, ...]:
        """Let consolidation retry events it failed on, with the attempt count reset, and return their ids.

        Args:
            events: their ids; by default all dead letters visible in this scope.

        Raises:
            NotFoundError: consolidation did not fail on one of them, or it is not visible in this scope.
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
        """Return the audit entries visible in this scope, latest first: ids and counts, of reads also the query.

        `Settings.audit` sets what is audited. Forgetting is not: its receipt says what was removed.

        Args:
            operation: only this method, e.g. add or goals.complete.
            conversation: only entries of this conversation.
            since: only entries from this time on.
            limit: the most entries, up to 1,000.
        """
        return await flows.audit_log.entries(
            self._runtime, self.scope, operation=operation, conversation=conversation, since=since, limit=limit
        )

    def working(self, conversation: str | None = None, *, run: str | None = None) -> "faces.working.AsyncWorking":
        """Return the working memory of a conversation, by default the scope's, or of a workflow run."""
        return faces.working.at(self._runtime, self.scope, conversation, run)

    def export(self) -> AsyncIterator[dict[str, Any]]:
        """Yield every row this scope sees as a JSON object: a header, the rows, and a last line with a checksum."""
        rows = flows.transfer.export(self._runtime, self.scope)
        return flows.audit.handed_out(self._runtime, self.scope, flows.audit.Act("export"), rows)


def _audited(verb: Callable[..., Awaitable[_T]]) -> Callable[..., Awaitable[_T]]:
    """Wrap a method of a scope so that it is audited, and no secret reaches it."""
    name, takes = verb.__name__, verb.__code__.co_varnames[1:]
    asks = "query" in takes[:1]

    @wraps(verb)
    async def call(self: AsyncScoped, /, *args: Any, **names: Any) -> _T:
        hold = flows.withholding.withholder(self._runtime.settings, self.scope.tenant)
        with hold.guarding():
            given, named = flows.withholding.admitted(hold, name, takes, args, names)
            try:
                work = verb(self, *given, **named)
            except TypeError:
                raise faces.calls.misfit(self, call, args, names) from None  # type: ignore[misc] # nothing ran yet
            act = flows.audit.Act(name, (named.get("query", *given[:1])) if asks else None)
            return await flows.audit.audited(self._runtime, self.scope, act, work)

    return call


for _name, _verb in tuple(vars(AsyncScoped).items()):
    if iscoroutinefunction(_verb):
        setattr(AsyncScoped, _name, _audited(_verb))


__all__ = ["AsyncScoped"]
