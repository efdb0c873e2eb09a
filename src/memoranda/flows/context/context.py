"""The context compiler: select memory for one prompt, within a budget, quoted as data, with a report.

A layout names the sections and the share of each. Memory (`flows.context.sections`) and the host fill them with pieces,
which are packed and rendered inside the fence (`flows.context.rendering`). The stable sections are packed on their own,
each within its own budget, so that the other sections cannot change the prefix.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from inspect import isawaitable
from typing import Annotated

from memoranda.core.base.checks import brief, check_choice, check_number, require
from memoranda.core.base.constraints import Between, Each, Id, Lasting, Words
from memoranda.core.base.scope import Scope
from memoranda.core.context.budget import Piece, Share
from memoranda.core.context.host_content import Content, Fitting, pieces_of
from memoranda.core.context.layouts import LAYOUTS, Layout
from memoranda.core.image.image import Partition
from memoranda.core.image.index import Index
from memoranda.core.language.force.off_record import WITHHELD, Wishes, on_record
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.results import TECHNIQUES, Context, Recalled
from memoranda.core.rows import ContextLog, Event
from memoranda.core.strata.working import Working
from memoranda.core.text.terms import storable
from memoranda.errors import InputError, MemorandaError, StoreCorruptError, StoreError
from memoranda.flows.capture.on_record import waiting_in
from memoranda.flows.context.lines import Pricing, filler
from memoranda.flows.context.rendering import REST, Draft, fitted
from memoranda.flows.context.router import Match, in_collections
from memoranda.flows.context.sections import NEAREST, SECTIONS, Request, also_known, choices, lasting
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.nearness import asked_by
from memoranda.flows.recall.techniques import recall_with
from memoranda.flows.runtime.reading import at_one_moment, events_of
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing.commons import handed_out
from memoranda.flows.strata.tools import suggest
from memoranda.flows.strata.working import view

#: Recall is asked for as many memories as may fit, from `NEAREST` to `MOST`: lines of `LABEL` tokens, and of `TERM` for
#: each of the terms that a memory has on average.
MOST = 200
LABEL, TERM = 12, 2
SHARED = 10  # the most entries of collections
_LOGGED = 1_000  # characters of a query that are logged

#: A function of the host that returns the content of a section.
Provider = Callable[[Scope, str], Awaitable[Content]]


@at_one_moment
async def context(
    runtime: Runtime,
    scope: Scope,
    query: Words,
    *,
    conversation: Id | None = None,
    budget: Annotated[int, Between()] | None = None,
    budgets: Mapping[str, int] | None = None,
    layout: str | Layout = "memory",
    brings: Mapping[str, Content | Provider] | None = None,
    now: datetime | None = None,
    techniques: Annotated[Sequence[str], Each(TECHNIQUES, "techniques")] | None = None,
    deadline: Annotated[float, Lasting()] | None = None,
    archived: bool = False,
) -> Context:
    """Assemble the memory part of the prompt for a request, within a token budget.

    Args:
        query: the user's request.
        conversation: the current conversation; its own turns are left out, because the host has them.
        budget: the tokens in all; by default the layout's.
        budgets: the tokens of single sections, in place of the layout's. With some for "suggestions", tools that
            worked for what is like the request are suggested.
        layout: "memory" (4,000 tokens), "host" (a host's whole payload, 8,000), or your own, see
            `memoranda.core.context.layouts`.
        brings: what the host supplies, by section: a text, a list of texts, the messages of the conversation, an
            object of fields, or an async function of scope and query that returns one of these. A function that
            takes longer than `Settings.provider_seconds`, or raises an `OSError` or a `MemorandaError`, leaves its
            section empty and is named in `degraded`; any other exception is raised.
        now: the time of asking; by default the clock's.
        techniques: further ways to search, as in `recall`.
        deadline: seconds for the search, as in `recall`.
        archived: also turns of archived conversations, as in `recall`.

    Raises:
        InputError: there is no such layout or section, or it cannot hold what the host supplied.
        CapabilityError: a technique needs a model that this memory was opened without.
    """
    chosen = _layout(layout)
    total = check_number("budget", chosen.total if budget is None else budget)
    own, brings = {} if budgets is None else budgets, {} if brings is None else brings
    shares = chosen.shares(total, _checked(chosen, own, brings))
    at = runtime.clock() if now is None else now
    here = scope if conversation is None else scope.narrow(conversation=conversation)
    noted = runtime.settings.context_log and not scope.whole  # nothing is written with whole=True
    runtime = replace(runtime, about=(runtime.ids(),) if noted else ())  # the id of its log row
    bringing = [asyncio.create_task(_given(runtime, here, query, name, content)) for name, content in brings.items()]
    try:
        partition = await runtime.partitions.current(here.owner)
        asked = Ask(query=query, limit=_fitting(shares, partition.index), now=at, archived=archived)
        recalled = await recall_with(runtime, here, asked, techniques, deadline)
        given = await asyncio.gather(*bringing)
    finally:  # after a failure, nobody waits for the host's providers
        for task in bringing:
            task.cancel()
    text, _ = storable(query)
    request, down = await _request(runtime, here, recalled, asked)
    if "suggestions" in shares and shares["suggestions"].budget:
        request = replace(request, suggested=await suggest(runtime, here, query))
    brought = dict(zip(brings, (content for content, _ in given), strict=True))
    problems = filter(None, (*down, *(problem for _, problem in given), *runtime.journal.trouble(scope.owner)))
    draft = _draft(runtime, request, chosen, shares, brought)
    made = replace(fitted(draft, total), degraded=(*recalled.degraded, *problems))
    shown = {*made.citations.values()}
    runtime.reinforce(scope.owner, [item for item in recalled if item.id in shown], at)
    handed_out(runtime, here, {one.id: one.collection for one in request.shared if one.id in shown and one.collection})
    if noted:
        kept = await _loggable(runtime, here, request.partition, text)
        runtime.journal.note(_logged(runtime, request, kept, made), text)
    return _with_rest(made, recalled.trace.left_out)


async def _request(runtime: Runtime, scope: Scope, recalled: Recalled, ask: Ask) -> tuple[Request, tuple[str, ...]]:
    """What the sections are made from, and what is down."""
    at = ask.now or runtime.clock()
    asked = await asked_by(runtime, scope, recalled)
    partition = await runtime.partitions.current(scope.owner)
    mask = partition.mask(scope, now=at, archived=ask.archived)
    endings = Endings(
        partition.index,
        partition.records,
        partition.records_by_source,
        scope,
        at,
        partition.later,
        None,
        partition.attributes,
    )
    known, reported = lasting(partition, scope, mask, at, endings)
    request = Request(
        scope=scope,
        partition=partition,
        recalled=recalled,
        mask=mask,
        now=at,
        asked=asked,
        lasting=known,
        reported=reported,
        endings=endings,
        known=also_known(partition, scope, mask, at, endings),
        filler=filler(partition, recalled, asked),
    )
    desk, down = await _at_hand(runtime, scope)
    request = replace(request, choices=await _chosen(runtime, request), desk=desk)
    shared, unread = await _shared(runtime, request)
    return replace(request, shared=shared), (*down, *unread)


async def _chosen(runtime: Runtime, request: Request) -> list[tuple[Event, float]]:
    near = choices(request)
    found, _ = await events_of(runtime, request.partition, [ref for ref, _ in near])
    return [(event, nearness) for event, (_, nearness) in zip(found, near, strict=True) if event is not None]


async def _at_hand(runtime: Runtime, scope: Scope) -> tuple[Working | None, tuple[str, ...]]:
    """The working memory of the current conversation, and what is down; a context is made without it."""
    if scope.whole or scope.conversation is None:
        return None, ()
    try:
        desk = await view(runtime, scope)
    except StoreError as error:
        return None, (f"working memory: {error}",)
    return desk, desk.degraded


async def _shared(runtime: Runtime, request: Request) -> tuple[list[Match], tuple[str, ...]]:
    """Entries of collections that are relevant to the request, the nearest first, and what cannot be read."""
    try:
        return [match for _, match in await in_collections(runtime, request.scope, request.asked, SHARED)], ()
    except StoreCorruptError:  # its words may name what this scope may not know of
        return [], ("shared memory: some of it cannot be read, and is left out: memoranda doctor",)


def _layout(layout: str | Layout) -> Layout:
    if isinstance(layout, Layout):
        return layout
    check_choice("layout", layout, LAYOUTS)
    return LAYOUTS[layout]


def _fitting(shares: Mapping[str, Share], index: Index) -> int:
    """How many memories recall is asked for: as many as may fit; what it leaves out, no budget brings in."""
    room = shares[REST[-1]].limit if REST[-1] in shares else 0
    terms = float(index.columns["terms"].mean()) if len(index) else 0.0
    return min(max(round(room / (LABEL + TERM * terms)), NEAREST), MOST)


def _checked(layout: Layout, own: Mapping[str, int], brings: Mapping[str, object]) -> dict[str, int]:
    """The budgets of single sections; an error if these, or what the host brings, do not fit the layout."""
    for argument, given, wanted in (
        ("budgets", own, 'tokens by section: {"memories": 800}'),
        ("brings", brings, 'content by section: {"identity": "You are …"}'),
    ):
        require(isinstance(given, Mapping), argument, given, wanted)
        for name in given:
            check_choice(f"a section in {argument}", name, layout.slots)
    return {name: check_number(f"budgets[{name!r}]", tokens, least=0) for name, tokens in own.items()}


async def _given(
    runtime: Runtime, scope: Scope, query: str, name: str, content: Content | Provider
) -> tuple[Content, str]:
    """The host's content for a section, and what went wrong: an OSError or MemorandaError only degrades the context."""
    if not callable(content):
        return content, ""
    try:
        async with asyncio.timeout(runtime.settings.provider_seconds) as limit:
            answer = content(scope, query)
            if isawaitable(answer):
                return await answer, ""
    except (OSError, MemorandaError) as error:
        late = f"no answer within {runtime.settings.provider_seconds:g} s" if limit.expired() else ""
        return "", f"{name}: {late or str(error) or type(error).__name__}"
    raise InputError(f"{name} is {brief(content)}; give an async function of scope and query.")


def _draft(
    runtime: Runtime, request: Request, layout: Layout, shares: Mapping[str, Share], brought: Mapping[str, Content]
) -> Draft:
    """Collect the pieces of each section; a piece may be wanted by several sections."""
    count, index = runtime.settings.counter, request.partition.index
    wanted: dict[str, list[Piece]] = {}
    unfit: dict[str, Mapping[str, str]] = {}
    notes: dict[str, str] = {}
    counted = lru_cache(None)(count)
    for name, slot in layout.slots.items():
        made = SECTIONS[name](request) if name in SECTIONS else []
        pieces = [] if isinstance(made, str) else made
        terms = frozenset[str]() if slot.stable else request.asked.terms  # the prefix is the same for all requests
        pricing = Pricing(counted, runtime.analyzer.terms, terms)
        fit = Fitting(shares[name].budget, count, runtime.analyzer, terms, slot.verbatim)
        longest = max(shares[name].budget, slot.budget) if shares[name].rest else shares[name].limit
        own, unfit[name] = pieces_of(name, brought.get(name, ""), fit)
        wanted[name] = [pricing.priced(one, longest, verbatim=slot.verbatim) for one in (*own, *pieces)]
        notes[name] = "" if wanted[name] else made if isinstance(made, str) else "the host brought nothing"
        unfit[name] = {**unfit[name], **(request.filler if name == REST[-1] else {})}

    def said(name: str) -> frozenset[str]:
        number = index.numbers.get(name)
        return frozenset() if number is None else frozenset(index.passages[number].terms.split())

    return Draft(
        layout=layout, shares=shares, count=count, terms=said, now=request.now, wanted=wanted, unfit=unfit, notes=notes
    )


async def _loggable(runtime: Runtime, scope: Scope, partition: Partition, query: str) -> str:
    """What may be kept of a request: nothing while words off the record are answered, for it repeats these."""
    if scope.conversation is None:
        return on_record(query)
    stored, place = partition.talks.wishes, (scope.conversation, scope.channel)
    waiting = await waiting_in(runtime, scope, stored)
    wishes = waiting[place] if place in waiting else stored(*place)
    return on_record(query) if wishes == Wishes() else WITHHELD


def _with_rest(made: Context, left_out: Mapping[str, str]) -> Context:
    """Add to the report what recall had left out."""
    cited = set(made.citations.values())
    left = {ref: why for ref, why in left_out.items() if ref not in cited}
    rest = (replace(one, excluded={**left, **one.excluded}) if one.name == REST[-1] else one for one in made.sections)
    return replace(made, sections=tuple(rest))


def _logged(runtime: Runtime, request: Request, query: str, made: Context) -> ContextLog:
    scope, index = request.scope, request.partition.index
    cited = set(made.citations.values())
    told = set(cited)  # each memory once, or a row would be as long as the context
    sections = {}
    for one in made.sections:
        reasons: defaultdict[str, list[str]] = defaultdict(list)
        for ref, why in one.excluded.items():
            if ref not in told:
                reasons[why].append(ref)
        told.update(one.excluded)
        brought = [ref for ref in one.included if ref not in cited]
        spent = {"budget": one.budget, "granted": one.granted, "used": one.used}
        sections[one.name] = {**spent, "brought": brought, "excluded": dict(reasons)}
    return ContextLog(
        tenant=scope.tenant,
        user=scope.user,
        id=runtime.about[0],
        query=query[:_LOGGED],
        agent=scope.agent,
        channel=scope.channel,
        conversation=scope.conversation,
        epoch=made.epoch,
        budget=made.budget,
        used=made.used,
        included=tuple(made.citations.values()),
        cross_channel=tuple(
            ref
            for ref in made.citations.values()
            if ref in index.numbers and index.passages[index.numbers[ref]].channel != scope.channel
        ),
        sections=sections,
        degraded=tuple(storable(problem)[0] for problem in made.degraded),
        created_at=request.now,
    )
