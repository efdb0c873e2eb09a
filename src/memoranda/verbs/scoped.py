"""The verbs of a scope: record, recall, explain and forget; and the faces of single strata in it."""

from typing import TYPE_CHECKING

from memoranda.core.base.checks import require
from memoranda.core.base.scope import check_identifier
from memoranda.verbs import loaded
from memoranda.verbs.conversations import Conversations
from memoranda.verbs.goals import Goals
from memoranda.verbs.graph import Graph
from memoranda.verbs.judgement import Outcomes, Review
from memoranda.verbs.misfit import fitting
from memoranda.verbs.places import Channels, Connections
from memoranda.verbs.procedures import Entries, Strategies, Tools
from memoranda.verbs.registry import Async, Blocking, C, ScopedFace, Stream, Verb, part
from memoranda.verbs.router import Router
from memoranda.verbs.sharing import Collections, Pools
from memoranda.verbs.working import Working

if TYPE_CHECKING:
    from memoranda.verbs.toolbox import Kind, Toolbox


class InScope(ScopedFace[C]):
    """The memory of one scope: record, recall, explain and forget."""

    prefix = ""

    add = Verb(
        lambda: loaded.capture.add, "writes", '"I prefer short mails" --conversation c1',
        stratum="episodic", creates=True, repeats=True, route="POST messages",
    )  # fmt: skip
    observe = Verb(
        lambda: loaded.capture.observe, "writes", '"The Jira project is PROJ" --category project_details',
        stratum="episodic", creates=True, repeats=True, route="POST observations",
    )  # fmt: skip
    remember = Verb(
        lambda: loaded.finished.remember, "writes", '"The user works at Acme" --attribute work.employer --value Acme',
        stratum="semantic", creates=True, repeats=True, route="POST statements",
    )  # fmt: skip
    update_user_context = Verb(
        lambda: loaded.finished.update_user_context, "writes", """--scaffold-updates '{"Role": "CTO"}'""",
        stratum="semantic", creates=True, repeats=True, route="POST user_context",
    )  # fmt: skip
    recall = Verb(lambda: loaded.answer.answer, "reads", '"How should mails look?"', stratum="semantic")
    context = Verb(lambda: loaded.context.context, "reads", '"Draft a reply to Torben" --budget 1000', stratum="focus")
    contexts = Verb(lambda: loaded.contexts.contexts, "reads", "--conversation c1", stratum="focus")
    context_of = Verb(
        lambda: loaded.contexts.context_of, "reads", "REQUEST", stratum="focus", route="GET contexts/{request}"
    )
    state = Verb(lambda: loaded.state.state, "reads", stratum="procedural")
    rank = Verb(
        lambda: loaded.inbox.rank, "reads", """'[{"id": "m1", "text": "The ferry is late"}]'""", stratum="procedural",
    )  # fmt: skip
    render = Verb(lambda: loaded.render.render, "reads", "'Hello {{ profile.identity.name }}'", stratum="procedural")
    profile = Verb(lambda: loaded.inspect.profile, "reads", stratum="semantic")
    records = Verb(
        lambda: loaded.records.records, "reads", "--attributes work --limit 20", stratum="semantic",
        route="POST records/find",
    )  # fmt: skip
    record = Verb(lambda: loaded.records.record, "reads", "RECORD", stratum="semantic", route="GET records/{record}")
    correct = Verb(
        lambda: loaded.review.correct, "writes", 'RECORD "I live in Oslo."', stratum="semantic",
        route="POST records/{record}/correct",
    )  # fmt: skip
    end = Verb(
        lambda: loaded.review.end, "writes", "RECORD --at 2026-11-01", stratum="semantic",
        route="POST records/{record}/end",
    )  # fmt: skip
    history = Verb(
        lambda: loaded.inspect.history, "reads", "RECORD", stratum="semantic", route="GET records/{record}/history"
    )
    why = Verb(lambda: loaded.inspect.why, "reads", '"How should mails look?"', stratum="semantic")
    evaluate = Verb(lambda: loaded.evaluate.evaluate, "reads", "--demo --ablate", command="eval", long=True)
    forget = Verb(lambda: loaded.forget.forget, "destroys", "--record RECORD", verbatim=True)
    import_conversations = Verb(
        lambda: loaded.transfer.import_conversations, "writes", "conversations.json",
        command="import", stratum="episodic", creates=True, route="POST import", long=True,
    )  # fmt: skip
    events = Verb(lambda: loaded.backlog.events, "reads", "--waiting", stratum="episodic")
    event = Verb(lambda: loaded.backlog.event, "reads", "EVENT", stratum="episodic", route="GET events/{event}")
    metrics = Verb(lambda: loaded.usage.metrics, "reads")
    retry = Verb(lambda: loaded.backlog.retry, "writes", stratum="episodic", route="POST events/retry")
    audit = Verb(lambda: loaded.audit_log.audit, "reads", "--operation add --since 2026-01-01")
    changes = Verb(lambda: loaded.changes.changes, "reads", "--limit 1000 --json")
    restore = Verb(lambda: loaded.restore.restore, "writes", "memory.jsonl", creates=True, verbatim=True, local="*")
    export = Stream(lambda: loaded.transfer.export, "reads", "> memory.jsonl", right="export")

    conversations: Conversations[C] = part(Conversations)
    goals: Goals[C] = part(Goals)
    pools: Pools[C] = part(Pools)
    collections: Collections[C] = part(Collections)
    tools: Tools[C] = part(Tools)
    strategies: Strategies[C] = part(Strategies)
    entries: Entries[C] = part(Entries)
    graph: Graph[C] = part(Graph)
    channels: Channels[C] = part(Channels)
    connections: Connections[C] = part(Connections)
    review: Review[C] = part(Review)
    outcomes: Outcomes[C] = part(Outcomes)
    router: Router[C] = part(Router)

    @fitting
    def working(self, conversation: str | None = None, *, run: str | None = None) -> Working[C]:
        """Return the working memory of a conversation, by default the scope's, or of a workflow run.

        Raises:
            InputError: both a conversation and a run are named.
        """
        require(run is None or conversation is None, "run", run, "a conversation or a run, and not both")
        scope = self.scope if conversation is None else self.scope.narrow(conversation=conversation)
        if run is not None:
            scope = self.scope.narrow(conversation=None, task=check_identifier("run", run))
        return Working(self._colour, self._runtime, scope)

    def tools_for(self, kind: "Kind", *, source: str = "agent") -> "Toolbox[C]":
        """Return the tools that a model is given to use this memory, and what calls them; see `verbs.toolbox.Toolbox`.

        Args:
            kind: how they are described: openai, anthropic or json-schema.
            source: whose word it is when the model records something: agent, or user_provided if you trust it to record
                only what the user said; see `observe`.

        Raises:
            InputError: there is no such kind or source.
        """
        toolbox: Toolbox[C] = loaded.toolbox.Toolbox(kind=kind, scope=self, source=source)
        return toolbox


class AsyncScoped(InScope[Async]):
    """The memory of one scope: record, recall, explain and forget. Its methods are awaited."""

    _of = Async


class Scoped(InScope[Blocking]):
    """The memory of one scope: record, recall, explain and forget."""

    _of = Blocking


__all__ = ["AsyncScoped", "InScope", "Scoped"]
