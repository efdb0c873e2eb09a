"""The answer to a question: what recall finds, which then counts as used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.constraints import Between, Each, Id, Ids, Lasting, Share, Words
from memoranda.core.base.scope import Scope
from memoranda.core.recall.arms import ARMS
from memoranda.core.recall.results import TECHNIQUES, Recalled
from memoranda.core.recall.scoring import Weighing
from memoranda.core.strata.filters import Kinds, Sources
from memoranda.flows.recall.judging import cuts
from memoranda.flows.recall.looking import MOST, asked
from memoranda.flows.recall.techniques import recall_with
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing.commons import handed_out, with_shared


async def answer(
    runtime: Runtime,
    scope: Scope,
    query: Words,
    *,
    limit: Annotated[int, Between(1, MOST)] = 10,
    cut: bool | None = None,
    min_confidence: Share | None = None,
    tokens: Annotated[int, Between()] | None = None,
    kinds: Kinds | None = None,
    categories: Ids | None = None,
    sources: Sources | None = None,
    surface: Id | None = None,
    connection: Id | None = None,
    metadata: Mapping[str, Any] | None = None,
    entities: Ids | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    profile: Weighing = "balanced",
    per_conversation: Annotated[int, Between()] | None = None,
    arms: Annotated[Iterable[str], Each(ARMS, "an arm")] | None = None,
    now: datetime | None = None,
    techniques: Annotated[Sequence[str], Each(TECHNIQUES, "techniques")] | None = None,
    deadline: Annotated[float, Lasting()] | None = None,
    shared: bool = False,
    archived: bool = False,
) -> Recalled:
    """Return the memories relevant to a question, best first.

    Args:
        query: the question, in words.
        limit: the most items, 1 to 1,000.
        cut: whether the list ends after the memories that answer, or is empty if none does; False returns the ranking.
            By default it ends where the memory has a judge (`reranker` of `Memory.open`).
        min_confidence: the confidence of an item (`Item.confidence`, 0 to 1) from which it answers, by default the one
            that `core.recall.confidence.ENDS` gives; the list then ends also by default. With 0 nothing is cut,
            and the judge gives the confidence of the first 20.
        tokens: the most tokens of text, by `Settings.counter`, which estimates by default.
        kinds: only these kinds or strata: episodic (events), semantic (records), procedural (goals, strategies, tool
            calls). All by default, but at most a fifth are tool calls.
        categories: only what was observed in one of these categories, the host's own among them, or stated in it.
        sources: only what came from one of these: user_provided, agent, system_learned, workflow, tool_indexed or
            tool_extracted_content.
        surface: only what was captured there: chat, widget, inbox, or another that the host named.
        connection: only what belongs to this tool connection, which the scope must name.
        metadata: only what the host noted so, by name: {"filename": "lease.pdf", "page": [3, 4]} is that file and
            either page. A record is found by the events it rests on. message_id, attachment_id and filename are also
            found where they were noted as message, attachment and file_name.
        entities: names or ids of entities, from a classifier of the host's: they count as named in the question, and
            what names one is a candidate, however far it is, and is never left out as irrelevant. It is no
            filter: what answers often says "she".
        since: only what was said, became valid, or is about a time that begins, at this time or later.
        until: the same before this time. Given both, what is about any of the time between them counts.
        as_of: what was valid at this time.
        known_at: what was believed at this time.
        profile: what ranks: "balanced" (similarity, recency, importance, use, entities), "reinforced" (the same, but
            recency counts from the last use), "relevance" (similarity alone), "strata" (similarity, more of turns than
            of facts, entities and procedures, and recency), "rrf" (the ranks that the arms gave, fused), or weights of
            your own, e.g. {"similarity": 0.75, "confidence": 0.25}; `core.recall.scoring.WEIGHED` has their names.
        per_conversation: the most items from one conversation.
        arms: only these arms propose candidates: keyword, vector, entities, time, attribute, records, recent,
            successors, neighbours; all by default.
        now: the time of asking; by default the clock's.
        techniques: further ways to search, each timed in the trace; by default those of `Settings.techniques`, and []
            means none. By rules: "expand" (the question as a statement, and with other names), "self_query" (times,
            kinds, channels and names in it become filters; where a language model is open, it reads them too), "steps"
            (its parts, and the entities that link one answer to the next). With a language model: "hyde" (search with a
            hypothetical answer), "multi_query"
            (paraphrases). With a reranker: "rerank".
        deadline: seconds, by default `Settings.technique_seconds`. Techniques, or an embedder, that take longer are
            cut off and named in `degraded`; the answer is what was found until then.
        shared: also find what is shared with this scope: entries of the collections and values of the pools that it
            may read, by its tenant, team or a grant. `Item.collection` says where it lies, and `Item.by` whose it is.
        archived: also find turns of archived conversations (`conversations.archive`); what was learnt from them is
            found anyway.

    Raises:
        CapabilityError: a technique needs a model that this memory was opened without.
    """
    ask = asked(
        query, kinds, arms, categories=categories, sources=sources, surface=surface, connection=connection,
        metadata=metadata, entities=tuple(entities or ()), limit=limit, cut=cuts(runtime, cut, min_confidence),
        min_confidence=min_confidence, tokens=tokens, since=since, until=until, as_of=as_of, known_at=known_at,
        profile=profile, per_conversation=per_conversation, now=now, grounds=True, archived=archived,
    )  # fmt: skip
    recalled = await recall_with(runtime, scope, ask, techniques, deadline)
    if shared:
        recalled = await with_shared(runtime, scope, ask, recalled, deadline)
        handed_out(runtime, scope, {item.id: item.collection for item in recalled if item.collection})
    runtime.reinforce(scope.owner, [item for item in recalled if not item.collection], now)
    lost = runtime.journal.trouble(scope.owner)
    return replace(recalled, degraded=(*recalled.degraded, *lost)) if lost else recalled
