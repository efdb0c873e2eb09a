"""Techniques around recall: other ways to put the question, and reranking of the answers.

Each technique yields variants of the question, which is what a request asks: not the words around it. Every variant is
recalled as it is, with the same filters and scope, and the answers are merged into one ranking. The question itself is
always answered first. A technique that fails or runs into the deadline is named in `degraded` and costs no answer.
Language models write while the question is being answered; they read the request.

A technique can find only what the scope sees: it reads memory only through `recall`, and names of entities.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import Any

from memoranda.core.base.checks import check_choice, check_seconds, strings
from memoranda.core.base.scope import Scope
from memoranda.core.image.image import Partition
from memoranda.core.language.entities import canonical, find_mentions
from memoranda.core.recall.confidence import ENDS, End
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.ranking import after_successors, lifted
from memoranda.core.recall.results import TECHNIQUES, Item, Recalled
from memoranda.core.recall.rewriting import Filters, filters, parts, renamed, statement
from memoranda.core.rows import Entity
from memoranda.core.text.detect import detect
from memoranda.core.text.terms import storable
from memoranda.errors import CapabilityError, LanguageModelError, ModelError
from memoranda.flows.recall import model_filters
from memoranda.flows.recall.judging import READ, confident, ended, judge_of, scored
from memoranda.flows.recall.looking import Ask, endings, readable
from memoranda.flows.recall.merging import brief, fused, limited, reasons, scaled
from memoranda.flows.recall.recall import recall, within
from memoranda.flows.runtime.language_models import Writer, writer
from memoranda.flows.runtime.prompts import load_prompt
from memoranda.flows.runtime.reading import at_one_moment
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import LanguageModel, Reranker, Task

DEEP = 30  # answers requested for each variant, and scored again by the reranker
VARIANTS = 3  # the most variants that one step of a technique yields
LOOKED_AT = 5  # best answers whose entities are followed
OTHERWISE = 0.9  # weight of an answer to a variant, relative to the question itself
LONGEST = 2_000  # characters of a model's text that are recalled, however long it is
RERANK = 0.7  # weight of the reranker in the score


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Another way to put the question; `keep` says which of its answers count."""

    technique: str
    ask: Ask
    keep: Callable[[Item], bool] = lambda _: True


@dataclass(slots=True, kw_only=True)
class Inquiry:
    """A recall under way.

    Attributes:
        asked: the request as the caller put it; `ask`: the same, as deep as a merged ranking needs and without the
            limits that apply only to the final answer; once it is answered, only what of it was looked up.
        ends: the event loop's time at which the deadline is reached, `seconds` after the beginning.
        writing: tasks of the language model, by technique; `degraded`: models that the budget does not allow.
        answers: each variant with its answer, in the order asked; the first is the question itself.
        scores: of the reranker, by id.
        milliseconds: of each technique that was tried; `problems`: what went wrong in it.
    """

    runtime: Runtime
    scope: Scope
    asked: Ask
    ask: Ask
    language: str
    now: datetime
    partition: Partition
    seconds: float
    ends: float
    writing: Mapping[str, asyncio.Task[Sequence[str] | LanguageModelError]]
    degraded: Sequence[str] = ()
    answers: list[tuple[Variant, Recalled]] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)
    milliseconds: dict[str, float] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    async def look(self, variant: Variant) -> None:
        """Answer `variant`; TimeoutError after the deadline."""
        if asyncio.get_running_loop().time() >= self.ends:
            raise TimeoutError
        self.answers.append((variant, await recall(self.runtime, self.scope, variant.ask, whole=True)))

    async def attempt(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run a technique until the deadline, and record how long it took and what went wrong."""
        begun = perf_counter()
        try:
            async with asyncio.timeout_at(self.ends):
                await work()
        except TimeoutError:
            self.problems[name] = f"not done within {self.seconds:g} s"
        except ModelError as error:
            self.problems[name] = str(error)
        self.milliseconds[name] = round(1_000 * (perf_counter() - begun), 3)


@at_one_moment
async def recall_with(
    runtime: Runtime, scope: Scope, ask: Ask, techniques: Sequence[str] | None = None, deadline: float | None = None
) -> Recalled:
    """Answer `ask` with the help of `techniques`, by default those of the settings. See `flows.sharing.answer`."""
    chosen = _chosen(runtime, techniques, deadline)
    if not chosen and deadline is None and not ask.cut:
        return await recall(runtime, scope, ask)
    inquiry = await _begin(runtime, scope, ask, chosen, deadline)
    try:
        plain = await recall(inquiry.runtime, scope, inquiry.ask)
        inquiry.answers.append((Variant(technique="", ask=inquiry.ask), plain))
        inquiry.ask = replace(inquiry.ask, query=" ".join(plain.trace.asked))
        for name in chosen:
            if name in VARIED:
                await inquiry.attempt(name, partial(_vary, inquiry, name))
    finally:
        for task in inquiry.writing.values():
            task.cancel()
    merged = items = fused([_credited(item, way) for item in one if way.keep(item)] for way, one in inquiry.answers)
    if "rerank" in chosen and runtime.reranker is not None:
        items = await _reranked(inquiry, runtime.reranker, items)
    items, left = await _ended(inquiry, items) if ask.cut else (items, {})
    answer = _answer(inquiry, items, left)
    _count(inquiry, chosen, merged, answer)
    return answer


def _chosen(runtime: Runtime, techniques: Sequence[str] | None, deadline: float | None) -> list[str]:
    """The techniques, in the order in which they are run."""
    given = strings("techniques", runtime.settings.techniques if techniques is None else techniques)
    for name in given:
        check_choice("techniques", name, TECHNIQUES)
    if deadline is not None:
        check_seconds("deadline", deadline)
    check_able(given, runtime.language_models, runtime.reranker)
    return [name for name in TECHNIQUES if name in given]


def check_able(given: Sequence[str], models: Collection[Task], reranker: Reranker | None) -> None:
    """Refuse techniques for which there is no model.

    Raises:
        CapabilityError: naming them, and what opens such a model.
    """
    writers = WRITERS.keys() & given
    if writers and "default" not in models:
        raise CapabilityError(
            f"{', '.join(sorted(writers))} needs a language model: Memory.open(…, language_model=…); the command line "
            "reads MEMORANDA_LANGUAGE_MODEL."
        )
    if "rerank" in given and reranker is None:
        raise CapabilityError(
            "rerank needs a reranker: Memory.open(…, reranker='local'), or 'onnx:FOLDER'; the command line "
            "reads MEMORANDA_RERANKER."
        )


async def _begin(runtime: Runtime, scope: Scope, ask: Ask, chosen: Sequence[str], deadline: float | None) -> Inquiry:
    told = runtime.settings
    seconds = told.technique_seconds if deadline is None else deadline
    now = ask.now or runtime.clock()
    text, _ = readable(ask.query)
    judged = ask.cut and judge_of(runtime) is not None
    ends = asyncio.get_running_loop().time() + seconds
    partition = await runtime.partitions.current(scope.owner)
    writers = {**WRITERS}
    if "self_query" in chosen and "default" in runtime.language_models:
        writers["self_query"] = partial(model_filters.written, model_filters.categories_in(partition, scope), now)
    asking = [name for name in chosen if name in writers]
    paid = await writer(runtime, scope, "default") if asking else Writer()
    writing = {name: asyncio.create_task(_writing(writers[name], paid, text)) for name in asking}
    return Inquiry(
        runtime=replace(runtime, settings=replace(told, embed_seconds=min(told.embed_seconds, seconds))),
        scope=scope,
        asked=ask,
        ask=replace(ask, limit=max(ask.limit, DEEP), tokens=None, per_conversation=None, now=now, judged=judged),
        language=detect(text, told.language),
        now=now,
        partition=partition,
        seconds=seconds,
        ends=ends,
        writing=writing,
        degraded=paid.degraded,
    )


async def _vary(inquiry: Inquiry, name: str) -> None:
    async with aclosing(VARIED[name](inquiry)) as variants:
        async for variant in variants:
            await inquiry.look(variant)


# ------------------------------------------------------------------------------------- techniques by rules


async def _expand(inquiry: Inquiry) -> AsyncGenerator[Variant, None]:
    """The question as a statement, and with other names of the entities it mentions."""
    text = inquiry.ask.query
    said = statement(text, inquiry.language)
    if said:
        yield Variant(technique="expand", ask=replace(inquiry.ask, query=said))
    found = 0
    for mention in find_mentions(text, inquiry.language):
        meant = inquiry.partition.meant(mention.name, inquiry.scope)
        for name in await _names(inquiry, sorted(meant)):
            if canonical(name) != canonical(mention.name) and found < VARIANTS:
                found += 1
                yield Variant(technique="expand", ask=replace(inquiry.ask, query=renamed(text, mention, name)))


async def _self_query(inquiry: Inquiry) -> AsyncGenerator[Variant, None]:
    """The question again, limited to the times, kinds, channels and names that it mentions, and as a model reads it."""
    scope, ask = inquiry.scope, inquiry.ask
    seen = inquiry.partition.index.names("channel") if scope.whole else scope.channels
    asked = filters(ask.query, inquiry.language, inquiry.now, [name for name in seen if name is not None])
    if asked:
        begin, until = asked.window or (None, None)
        kinds = asked.kinds if ask.kinds is None else asked.kinds & ask.kinds
        since = max(filter(None, (ask.since, begin)), default=None)
        until = min(filter(None, (ask.until, until)), default=None)
        if not (since and until and until <= since):  # else the times asked for lie outside those the call allows
            narrow = replace(ask, kinds=kinds or ask.kinds, since=since, until=until)
            yield Variant(technique="self_query", ask=narrow, keep=_fitting(inquiry, asked))
    if "self_query" in inquiry.writing:
        for answer in await _texts(inquiry, "self_query"):
            read = model_filters.Reading(answer, ask, inquiry.partition, scope, inquiry.now)
            inquiry.degraded = (*inquiry.degraded, *model_filters.told(read.ignored))
            if read.ask != ask:
                yield Variant(technique="self_query", ask=read.ask)


def _fitting(inquiry: Inquiry, asked: Filters) -> Callable[[Item], bool]:
    """A filter for answers: in one of the channels asked for, and about or by one of the names asked for."""
    meant = frozenset().union(*(inquiry.partition.meant(name, inquiry.scope) for name in asked.names))
    speakers = {name.casefold() for name in asked.names}

    def fits(item: Item) -> bool:
        named = not meant.isdisjoint(_entities(inquiry, item)) or (item.speaker or "").casefold() in speakers
        return (not asked.channels or item.channel in asked.channels) and (named or not asked.names)

    return fits


async def _steps(inquiry: Inquiry) -> AsyncGenerator[Variant, None]:
    """First the parts of the question, then the question with the names that the best answers to these share."""
    for part in parts(inquiry.ask.query, inquiry.language)[:VARIANTS]:
        yield Variant(technique="steps", ask=replace(inquiry.ask, query=part))
    for name in await _bridges(inquiry):
        yield Variant(technique="steps", ask=replace(inquiry.ask, query=f"{name}: {inquiry.ask.query}"))


async def _bridges(inquiry: Inquiry) -> list[str]:
    """Names that several of the best answers share and the question does not name, the most shared first."""
    mentions = find_mentions(inquiry.ask.query, inquiry.language)
    asked = frozenset().union(*(inquiry.partition.meant(mention.name, inquiry.scope) for mention in mentions))
    best = {item.id: item for _, answer in inquiry.answers for item in answer.items[:LOOKED_AT]}
    shared = Counter(entity for item in best.values() for entity in _entities(inquiry, item) - asked)
    several = [entity for entity, count in shared.items() if count > 1]
    names = await _names(inquiry, sorted(several, key=lambda entity: (-shared[entity], entity)))
    speakers = {canonical(name) for name in inquiry.partition.index.names("speaker") if name}
    return [name for name in names if canonical(name) not in speakers][:VARIANTS]


def _entities(inquiry: Inquiry, item: Item) -> frozenset[str]:
    """Ids of the entities that a memory mentions."""
    index = inquiry.partition.index
    number = index.numbers.get(item.id)
    return frozenset(index.passages[number].entities if number is not None else ())


async def _names(inquiry: Inquiry, entities: Sequence[str]) -> list[str]:
    rows = await inquiry.runtime.store.get(Entity, inquiry.scope.owner, [(entity,) for entity in entities])
    return [row.name for row in rows if row is not None]


# ------------------------------------------------------------------------------- techniques with a model


async def _written(name: str, inquiry: Inquiry) -> AsyncGenerator[Variant, None]:
    """A variant for each text that a language model wrote."""
    for text in await _texts(inquiry, name):
        yield Variant(technique=name, ask=replace(inquiry.ask, query=text))


async def _texts(inquiry: Inquiry, name: str) -> Sequence[str]:
    texts = await inquiry.writing[name]
    if isinstance(texts, LanguageModelError):
        raise texts
    return texts


async def _writing(
    write: Callable[[LanguageModel, str], Awaitable[Sequence[str]]], paid: Writer, text: str
) -> Sequence[str] | LanguageModelError:
    """The texts that `write` makes of the question. An error is returned: nobody may await the task."""
    if paid.model is None:
        return LanguageModelError("no language model can be paid")
    try:
        return list(filter(str.strip, (one[:LONGEST] for one in await write(paid.model, text))))
    except LanguageModelError as error:
        return error


async def _hypothetical(model: LanguageModel, text: str) -> Sequence[str]:
    """A passage that might answer the question (HyDE, Gao and others 2022)."""
    prompt = load_prompt("hyde")
    completion = await model.complete(prompt.render(question=text), system=prompt.system, max_tokens=160)
    return [storable(completion.text)[0]]


async def _reworded(model: LanguageModel, text: str) -> Sequence[str]:
    """The question in a few other wordings."""
    prompt = load_prompt("multi_query")
    completion = await model.complete(
        prompt.render(question=text), system=prompt.system, schema=QUERIES, max_tokens=256
    )
    found = completion.json
    listed = found.get("queries") if isinstance(found, Mapping) else found
    if not isinstance(listed, list):
        raise LanguageModelError(f"The language model {model.name} answered no list of queries.")
    return [storable(one)[0] for one in listed if isinstance(one, str)][:VARIANTS]


QUERIES: Mapping[str, Any] = {
    "type": "object",
    "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
    "required": ["queries"],
    "additionalProperties": False,
}
WRITERS: Mapping[str, Callable[[LanguageModel, str], Awaitable[Sequence[str]]]] = {
    "hyde": _hypothetical,
    "multi_query": _reworded,
}
VARIED: Mapping[str, Callable[[Inquiry], AsyncGenerator[Variant, None]]] = {
    "expand": _expand,
    "self_query": _self_query,
    "steps": _steps,
    **{name: partial(_written, name) for name in WRITERS},
}


# --------------------------------------------------------------------------------------------- the answer


def _credited(item: Item, variant: Variant) -> Item:
    """`item` with the score that counts, and the technique that found it."""
    if not variant.technique:
        return item
    why = f"{item.why}; found by {variant.technique}: {brief(variant.ask.query)}"
    return scaled(item, OTHERWISE, why)


async def _reranked(inquiry: Inquiry, reranker: Reranker, items: list[Item]) -> list[Item]:
    """`items` with the best of them reordered by the reranker's score, mixed with their own.

    As in any answer, what ended stands below what took its place, which counts as much.
    """
    head = items[:DEEP]
    judged: list[Item] = []

    async def judge() -> None:
        await _read(inquiry, reranker, head)
        for item in head:
            score = inquiry.scores[item.id]
            why = f"{item.why}; reranked {score:.2f}"
            judged.append(scaled(item, 1 - RERANK, why, rerank=round(RERANK * score, 4)))

    await inquiry.attempt("rerank", judge)
    over = await endings(inquiry.runtime, inquiry.scope, inquiry.ask, inquiry.now)
    return [*_currently(sorted(judged, key=lambda item: -item.score), over), *items[len(judged) :]]


async def _read(inquiry: Inquiry, reranker: Reranker, items: Sequence[Item]) -> None:
    """Have the reranker score those memories that it has not scored."""
    new = [item for item in items if item.id not in inquiry.scores]
    scores = await scored(inquiry.runtime, inquiry.scope, reranker, inquiry.ask.query, new)
    inquiry.scores.update(zip((item.id for item in new), scores, strict=True))


async def _ended(inquiry: Inquiry, items: list[Item]) -> tuple[list[Item], dict[str, str]]:
    """The memories that answer, with their confidence, and why the others do not; a judge reads them, if there is one.

    If it fails, what the search measured says where they end.
    """
    sure: list[Item] = []

    async def judge(reranker: Reranker) -> None:
        head = items[:READ]
        await _read(inquiry, reranker, head)
        sure.extend(confident(reranker.name, head, [inquiry.scores[item.id] for item in head]))

    plain = inquiry.answers[0][1].trace
    judging = judge_of(inquiry.runtime)
    if judging is not None and not plain.only_time:
        await inquiry.attempt("judge", partial(judge, judging))
        if "judge" in inquiry.problems:
            items = [*(await recall(inquiry.runtime, inquiry.scope, replace(inquiry.asked, limit=DEEP))).items]
    by = "judged" if sure else "vectors" if inquiry.runtime.embedder else "words"
    least = inquiry.asked.min_confidence
    return ended(sure or items, ENDS[by] if least is None else End(least, least))


def _currently(items: Sequence[Item], over: Endings) -> list[Item]:
    places = {item.id: place for place, item in enumerate(items)}

    def later(place: int) -> list[int]:
        return sorted(places[name] for name in over.successors(items[place].id) if name in places)

    order = [items[place] for place in after_successors(range(len(items)), later)]
    scores = lifted([item.score for item in order])
    return [_raised(item, round(score - item.score, 4)) for item, score in zip(order, scores, strict=True)]


def _raised(item: Item, gained: float) -> Item:
    if not gained:
        return item
    shares = {**item.shares, "currency": round(item.shares.get("currency", 0.0) + gained, 4)}
    return replace(item, score=round(item.score + gained, 4), shares=shares)


def _answer(inquiry: Inquiry, items: Sequence[Item], left: Mapping[str, str]) -> Recalled:
    kept, over = limited(items, inquiry.asked)
    terms = inquiry.runtime.analyzer.terms(inquiry.ask.query)
    chosen, cut = within(inquiry.runtime, kept, inquiry.asked.tokens, terms)
    plain = inquiry.answers[0][1]
    trace = plain.trace
    found = [
        (variant, tuple(item.id for item in answer if variant.keep(item))) for variant, answer in inquiry.answers[1:]
    ]
    arms = {f"{variant.technique}: {variant.ask.query}": ids for variant, ids in found}
    problems = [problem for _, answer in inquiry.answers for problem in answer.degraded] + [*inquiry.degraded]
    problems += [f"{name}: {problem}" for name, problem in inquiry.problems.items()]
    reason = None if chosen else _silence(plain, items, left)
    return Recalled(
        items=chosen,
        goals=plain.goals,
        active_goals=plain.active_goals,
        profile=plain.profile,
        strategies=plain.strategies,
        reason=reason,
        degraded=tuple(dict.fromkeys(problems)),
        trace=replace(
            trace,
            arms={**trace.arms, **arms},
            milliseconds={**trace.milliseconds, **inquiry.milliseconds},
            left_out={**reasons([answer for _, answer in inquiry.answers], chosen), **left, **over, **cut},
            cross_channel=tuple(item.id for item in chosen if item.channel != inquiry.scope.channel),
            techniques={name: _deeds(name, inquiry, found) for name in inquiry.milliseconds},
        ),
    )


def _count(inquiry: Inquiry, chosen: Sequence[str], items: Sequence[Item], answer: Recalled) -> None:
    """Count what each technique did; `items` are the answers merged. It added what would not have been shown before."""
    (_, plain), *others = inquiry.answers
    first, then, last = (_ids(limited(some, inquiry.asked)[0]) for some in (plain, items, answer))
    found = {name: _ids(item for way, one in others if way.technique == name for item in one) for name in VARIED}
    added = {name: (then - first) & ids for name, ids in found.items()} | {"rerank": last - then}
    for name in chosen:
        spent, failed = inquiry.milliseconds[name], name in inquiry.problems
        inquiry.runtime.tried.count(inquiry.scope.owner, name, len(added[name]), spent, failed=failed)


def _ids(items: Iterable[Item]) -> frozenset[str]:
    return frozenset(item.id for item in items)


def _silence(plain: Recalled, items: Sequence[Item], left: Mapping[str, str]) -> str | None:
    """Why there is no answer."""
    if items:
        return "the token budget is too small for any of the memories found"
    return f"nothing relevant: the nearest memory is not, as {next(iter(left.values()))}" if left else plain.reason


def _deeds(name: str, inquiry: Inquiry, found: Sequence[tuple[Variant, Sequence[str]]]) -> str:
    """What a technique did, in words."""
    asked = [f"{brief(variant.ask.query)} ({len(ids)} found)" for variant, ids in found if variant.technique == name]
    judged = len(inquiry.scores) * (name in {"rerank", "judge"})
    told = [*asked, *[f"{judged} judged"] * bool(judged), *["broken off"] * (name in inquiry.problems)]
    return "; ".join(told) or "nothing to ask"
